//! Kuhn poker: the smallest game of hidden cards, with a known equilibrium.
//!
//! Two players ante a chip and get a card each of a deck of three (or more: `cards`). The first player passes or bets a
//! chip. Facing a bet, passing folds and betting calls. Otherwise a pass passes the turn or ends in a showdown for the
//! antes. Two or three plies. Rules: Kuhn, "A Simplified Two-Person Poker" (1950). Hidden: the other player's card,
//! until a showdown. The state is two cards and the stage of the betting. *Payoffs* keep the size of the win, on which
//! the equilibrium depends: a gain of `g` chips (`-2 ..= 2`) is worth `1/2 + g/4` points. In equilibrium the first
//! player loses 1/18 chip a game: their payoff is 35/72.

use std::fmt;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::action_index::{ActionBlock, ActionIndex, Values};
#[cfg(feature = "data")]
use crate::by_hand::{ByHand, demand};
#[cfg(feature = "data")]
use crate::data::BadData;
use crate::data::data;
use crate::game::{Game, Turn};
use crate::games::{check_players, check_range};
use crate::hash::hash_of;
use crate::notation::{ChanceEvent, Notation};
use crate::observation::{Fields, ObservationTensor, seat_from, seats_from};
use crate::player::{ByPlayer, Player};
use crate::rng::{Purpose, Randomness};
use crate::rules::{About, BadRules, Chance, Configure, Information, Provenance, Rules};
use crate::treatable::Treatable;
use crate::view::View;

/// The rules of Kuhn poker.
#[derive(Clone, Copy, Debug)]
pub struct KuhnPoker {
    n_cards: u8,
}

#[derive(Deserialize)]
struct Parameters {
    cards: i64,
}

/// The card of each player (0 before the deal) and the stage of the betting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    cards: [u8; 2],
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Stage {
    Deal,
    Opening,
    Passed,
    Bet,
    PassedBet,
    /// The seat folded; the cards stay hidden.
    Folded(u8),
    /// Both cards are shown; each player has put in this number of chips.
    Showdown(u8),
}

data!(struct State { cards, stage });
data!(
    enum Stage {
        Deal,
        Opening,
        Passed,
        Bet,
        PassedBet,
        Folded(seat),
        Showdown(stake),
    }
);

/// A decision, or the deal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Passes, or folds when there is a bet.
    Pass,
    /// Bets a chip, or calls.
    Bet,
    /// Deals a card to each player, `1..=cards`.
    Deal([u8; 2]),
}

impl State {
    /// Returns the chips that the first player has won.
    const fn gain(self) -> i32 {
        match self.stage {
            Stage::Folded(0) => -1,
            Stage::Folded(_) => 1,
            Stage::Showdown(stake) if self.cards[0] > self.cards[1] => stake as i32,
            Stage::Showdown(stake) => -(stake as i32),
            _ => 0,
        }
    }

    /// Returns the cards that `observer` sees.
    fn seen_by(self, observer: Player) -> [Option<u8>; 2] {
        let is_shown = matches!(self.stage, Stage::Showdown(_));
        let seen = |seat: usize| is_shown || (seat == observer.idx() && self.stage != Stage::Deal);
        std::array::from_fn(|seat| seen(seat).then_some(self.cards[seat]))
    }
}

impl Stage {
    const fn after(self, bets: bool) -> Self {
        match (self, bets) {
            (Self::Opening, false) => Self::Passed,
            (Self::Opening, true) => Self::Bet,
            (Self::Passed, false) => Self::Showdown(1),
            (Self::Passed, true) => Self::PassedBet,
            (Self::Bet, false) => Self::Folded(1),
            (Self::PassedBet, false) => Self::Folded(0),
            (Self::Bet | Self::PassedBet, true) => Self::Showdown(2),
            _ => panic!("nobody is to act"),
        }
    }
}

impl Stage {
    /// Returns the stage as people read it: seats count from 1, unlike in documents.
    fn for_people(self) -> String {
        match self {
            Self::Folded(seat) => format!("seat {} folded", seat + 1),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deal => f.write_str("deal"),
            Self::Opening => f.write_str("opening"),
            Self::Passed => f.write_str("pass"),
            Self::Bet => f.write_str("bet"),
            Self::PassedBet => f.write_str("pass bet"),
            Self::Folded(seat) => write!(f, "seat {seat} folded"),
            Self::Showdown(stake) => write!(f, "showdown for {stake}"),
        }
    }
}

impl Game for KuhnPoker {
    type State = State;
    type Action = Action;

    fn n_players(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State { cards: [0; 2], stage: Stage::Deal }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.stage {
            Stage::Deal => Turn::Chance,
            Stage::Opening | Stage::PassedBet => Turn::Player(Player::new(0)),
            Stage::Passed | Stage::Bet => Turn::Player(Player::new(1)),
            Stage::Folded(_) | Stage::Showdown(_) => Turn::Over,
        }
    }

    fn actions(&self, _state: &State, _player: Player, out: &mut Vec<Action>) {
        out.extend([Action::Pass, Action::Bet]);
    }

    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Pass => state.stage = state.stage.after(false),
            Action::Bet => state.stage = state.stage.after(true),
            Action::Deal(cards) => *state = State { cards, stage: Stage::Opening },
        }
    }

    fn draw<R: Randomness + ?Sized>(&self, _state: &State, rng: &mut R) -> Action {
        let first = 1 + rng.below(u32::from(self.n_cards)) as u8;
        Action::Deal([first, self.other_card(first, rng)])
    }

    fn chance_purpose(&self, _state: &State) -> Purpose {
        Purpose::Decks
    }

    fn outcomes(&self, _state: &State, out: &mut Vec<(Action, f64)>) {
        let n = self.n_cards;
        let probability = 1.0 / (f64::from(n) * f64::from(n - 1));
        for first in 1..=n {
            let seconds = (1..=n).filter(|&second| second != first);
            out.extend(seconds.map(|second| (Action::Deal([first, second]), probability)));
        }
    }

    fn payoffs(&self, state: &State) -> ByPlayer<f32> {
        let gain = state.gain() as f32 / 4.0;
        ByPlayer([0.5 + gain, 0.5 - gain, 0.0, 0.0, 0.0, 0.0])
    }

    /// Returns the chips won: zero until the game is over.
    fn scores(&self, state: &State) -> Option<ByPlayer<i32>> {
        Some(ByPlayer([state.gain(), -state.gain(), 0, 0, 0, 0]))
    }

    /// Returns three: pass, bet, and the answer.
    fn max_game_length(&self) -> Option<u32> {
        Some(3)
    }

    fn determinize<R: Randomness + ?Sized>(
        &self,
        state: &mut State,
        observer: Player,
        rng: &mut R,
    ) {
        if !matches!(state.stage, Stage::Deal | Stage::Showdown(_)) {
            let own = state.cards[observer.idx()];
            state.cards[1 - observer.idx()] = self.other_card(own, rng);
        }
    }

    fn info_state_key(&self, state: &State, observer: Player) -> u64 {
        let mut seen = *state;
        if !matches!(state.stage, Stage::Showdown(_)) {
            seen.cards[1 - observer.idx()] = 0;
        }
        hash_of(&seen)
    }
}

impl KuhnPoker {
    /// Returns any card but `card`, uniformly.
    fn other_card<R: Randomness + ?Sized>(&self, card: u8, rng: &mut R) -> u8 {
        let other = 1 + rng.below(u32::from(self.n_cards) - 1) as u8;
        other + u8::from(other >= card)
    }
}

impl Configure for KuhnPoker {
    fn about() -> About {
        About {
            name: "kuhn-poker",
            title: "Kuhn poker",
            players: 2..=2,
            default_players: 2,
            information: Information::Hidden("hidden cards"),
            chance: Chance::Of("deck"),
            provenance: Provenance::Published("Kuhn, A Simplified Two-Person Poker, 1950"),
        }
    }

    fn default_rules() -> &'static str {
        include_str!("../../data/kuhn-poker.toml")
    }

    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules> {
        check_players::<Self>(n_players)?;
        let Parameters { cards } = rules.read()?;
        let n_cards = check_range(rules, "cards", cards, &(3..=13))? as u8;
        Ok(Self { n_cards })
    }
}

impl Treatable for KuhnPoker {}

#[cfg(feature = "data")]
impl ByHand for KuhnPoker {
    fn complete(&self, state: &mut State) -> Result<(), BadData> {
        let State { cards, stage } = *state;
        if let Stage::Folded(seat) = stage {
            demand(seat < 2, "stage.seat", format_args!("{seat} is not a seat of 2 players"))?;
        }
        if let Stage::Showdown(stake) = stage {
            demand((1..=2).contains(&stake), "stage.stake", format_args!("{stake} is not 1 or 2"))?;
        }
        if stage == Stage::Deal {
            return demand(cards == [0; 2], "cards", "before the deal they are [0,0]");
        }
        for (seat, card) in cards.into_iter().enumerate() {
            let fault = format_args!("{card} is out of range (1 to {})", self.n_cards);
            demand((1..=self.n_cards).contains(&card), format_args!("cards.{seat}"), fault)?;
        }
        demand(cards[0] != cards[1], "cards", "both players have one card")
    }
}

impl Notation for KuhnPoker {
    crate::by_hand::by_hand!();

    fn write_action(&self, action: Action, f: &mut dyn fmt::Write) -> fmt::Result {
        match action {
            Action::Pass => f.write_str("pass"),
            Action::Bet => f.write_str("bet"),
            Action::Deal([first, second]) => write!(f, "deal {first} {second}"),
        }
    }

    fn chance_event(&self, _state: &State, outcome: Action) -> ChanceEvent {
        let Action::Deal(cards) = outcome else { unreachable!("{outcome:?} is no outcome") };
        ChanceEvent { chance: "deal".to_owned(), who: None, value: cards.to_vec().into() }
    }

    /// The observer's own card stands in the view; the event shows none.
    fn seen_chance(&self, state: &State, outcome: Action, _observer: Player) -> ChanceEvent {
        ChanceEvent { value: Value::Null, ..self.chance_event(state, outcome) }
    }

    fn state_json(&self, state: &State) -> Value {
        json!({ "cards": state.cards, "stage": state.stage.to_string() })
    }

    fn write_state(&self, state: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        if state.stage == Stage::Deal {
            return writeln!(f, "before the deal");
        }
        let State { cards: [first, second], stage } = state;
        writeln!(f, "seat 1 holds {first}, seat 2 holds {second}: {}", stage.for_people())
    }

    /// Returns the state as JSON, with `null` for a card that is not seen.
    fn view_json(&self, state: &State, observer: Player) -> Value {
        json!({ "cards": state.seen_by(observer), "stage": state.stage.to_string() })
    }

    fn write_view(&self, state: &State, observer: Player, f: &mut dyn fmt::Write) -> fmt::Result {
        if state.stage == Stage::Deal {
            return self.write_state(state, f);
        }
        let [first, second] = state
            .seen_by(observer)
            .map(|card| card.map_or_else(|| "a hidden card".to_owned(), |card| card.to_string()));
        writeln!(f, "seat 1 holds {first}, seat 2 holds {second}: {}", state.stage.for_people())
    }
}

const NUMBERS: [ActionBlock; 2] = ActionBlock::lay_out([("pass", &[]), ("bet", &[])]);

impl ActionIndex for KuhnPoker {
    fn action_blocks(&self) -> &[ActionBlock] {
        &NUMBERS
    }

    fn split(&self, action: Action) -> (usize, Values) {
        match action {
            Action::Pass => (0, [0; 4]),
            Action::Bet => (1, [0; 4]),
            Action::Deal(cards) => unreachable!("chance deals {cards:?}"),
        }
    }

    fn join(&self, block: usize, _values: Values) -> Action {
        [Action::Pass, Action::Bet][block]
    }
}

impl ObservationTensor for KuhnPoker {
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F) {
        let (state, n_cards) = (view.position(), usize::from(view.game().n_cards));
        let seen = state.seen_by(view.observer());
        fields.field("cards", &[("seat", 2), ("card", n_cards)], "0/1", |out| {
            for (place, seat) in seats_from(view.observer(), 2).enumerate() {
                if let Some(card) = seen[seat.idx()] {
                    out[n_cards * place + usize::from(card) - 1] = 1.0;
                }
            }
        });
        // The stage holds all that was bet; of a fold it names the seat.
        fields.field("stage", &[("stage", 7)], "0/1", |out| {
            out[match state.stage {
                Stage::Deal => return,
                Stage::Opening => 0,
                Stage::Passed => 1,
                Stage::Bet => 2,
                Stage::PassedBet => 3,
                Stage::Folded(_) => 4,
                Stage::Showdown(1) => 5,
                Stage::Showdown(_) => 6,
            }] = 1.0;
        });
        fields.field("folded", &[("seat", 2)], "0/1", |out| {
            if let Stage::Folded(seat) = state.stage {
                out[seat_from(view.observer(), Player::of(seat), 2)] = 1.0;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::stream;

    const FIRST: Player = Player::new(0);

    fn after(cards: [u8; 2], line: &[Action]) -> State {
        let game = KuhnPoker { n_cards: 3 };
        let mut state = game.start();
        game.apply(&mut state, Action::Deal(cards));
        line.iter().for_each(|&action| game.apply(&mut state, action));
        state
    }

    #[test]
    fn every_line_pays_what_kuhn_says() {
        use Action::{Bet, Pass};
        let gain = |line: &[Action]| after([3, 1], line).gain();
        assert_eq!((gain(&[Pass, Pass]), gain(&[Bet, Pass])), (1, 1));
        assert_eq!((gain(&[Pass, Bet, Bet]), gain(&[Bet, Bet])), (2, 2));
        assert_eq!(gain(&[Pass, Bet, Pass]), -1);
    }

    #[test]
    fn determinized_cards_are_as_frequent_as_enumeration_says() {
        let game = KuhnPoker { n_cards: 4 };
        let (mut rng, mut counts) = (stream(1, 0, Purpose::Analysis), [0u32; 5]);
        for _ in 0..30_000 {
            let mut world = after([2, 4], &[Action::Pass]);
            game.determinize(&mut world, FIRST, &mut rng);
            assert!(world.cards[0] == 2 && world.cards[1] != 2, "{world:?}");
            counts[world.cards[1] as usize] += 1;
        }
        let mut deals = Vec::new();
        game.outcomes(&game.start(), &mut deals);
        deals.retain(|(deal, _)| matches!(deal, Action::Deal([2, _])));
        let (total, mut chi2) = (deals.iter().map(|(_, p)| p).sum::<f64>(), 0.0);
        for (deal, probability) in deals {
            let Action::Deal([_, card]) = deal else { unreachable!() };
            let expected = 3e4 * probability / total;
            chi2 += (f64::from(counts[card as usize]) - expected).powi(2) / expected;
        }
        assert!(chi2 < 13.82, "chi-square {chi2} with 2 degrees of freedom (p = 0.001)");
    }

    #[test]
    fn a_hidden_card_is_not_known_and_a_shown_one_is() {
        let game = KuhnPoker { n_cards: 3 };
        let known = |cards, line: &[Action]| game.info_state_key(&after(cards, line), FIRST);
        for line in [&[][..], &[Action::Pass], &[Action::Bet, Action::Pass]] {
            assert_eq!(known([2, 1], line), known([2, 3], line), "{line:?}");
            assert_ne!(known([2, 1], line), known([3, 1], line), "{line:?}");
        }
        assert_ne!(known([2, 1], &[Action::Bet; 2]), known([2, 3], &[Action::Bet; 2]));
    }

    #[test]
    fn a_view_shows_the_own_card_and_after_a_showdown_both() {
        let game = KuhnPoker { n_cards: 3 };
        let text = |state| {
            let mut text = String::new();
            game.write_view(&state, FIRST, &mut text).unwrap();
            text + &game.view_json(&state, FIRST).to_string()
        };
        assert_eq!(
            text(after([2, 1], &[Action::Pass])),
            "seat 1 holds 2, seat 2 holds a hidden card: pass\n{\"cards\":[2,null],\"stage\":\"pass\"}"
        );
        assert!(text(after([2, 1], &[Action::Bet; 2])).contains("[2,1]"));
    }
}
