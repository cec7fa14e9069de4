//! Goofspiel: all players bid at once.
//!
//! Two to six players, one round for each card (13 by default). A prize from 1 to the number of cards is revealed. Each
//! player bids a card of their hand; all hands start equal. The highest bid takes the prize, and all bids are spent.
//! When the highest bid is tied, nobody gets the prize. Most points win. Rules: Ross, "Goofspiel: The Game of Pure
//! Strategy" (1971), with discarded ties as in `OpenSpiel`. Only bids are hidden, while they are made: that is a
//! [`Turn::Simultaneous`]. The pile of prizes needs no order: a prize is drawn when it is revealed. The state is one
//! mask of cards for each hand and one for the pile.

use std::fmt;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::action_index::{ActionBlock, ActionIndex, Values};
#[cfg(feature = "data")]
use crate::by_hand::{ByHand, demand, demand_empty};
use crate::data::data;
#[cfg(feature = "data")]
use crate::data::{BadData, Bits, Each};
use crate::game::{Game, Joint, Turn};
use crate::games::{check_players, check_range};
use crate::hash::hash_of;
use crate::notation::{ChanceEvent, Notation};
use crate::observation::{Fields, ObservationTensor, seats_from};
use crate::player::{ByPlayer, MAX_PLAYERS, Player, PlayerSet, share_the_point};
use crate::rng::{Purpose, Randomness};
use crate::rules::{About, BadRules, Chance, Configure, Information, Provenance, Rules};
use crate::treatable::Treatable;
use crate::view::View;

/// The rules of Goofspiel.
#[derive(Clone, Copy, Debug)]
pub struct Goofspiel {
    n_players: usize,
    n_cards: u8,
    /// The numbers of bids, by card.
    numbers: [ActionBlock; 1],
}

#[derive(Deserialize)]
struct Parameters {
    cards: i64,
}

/// Cards by value: bit `v` stands for the card `v`.
type Cards = u16;

/// Hands, the pile of prizes, the prize at auction, and points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    hands: [Cards; MAX_PLAYERS],
    pile: Cards,
    /// The revealed prize, or 0.
    prize: u8,
    scores: ByPlayer<u8>,
}

data!(struct State { hands in Each<Bits>, pile in Bits, prize, scores });

/// A bid, or a revealed prize.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Bids the card of this value.
    Bid(u8),
    /// Reveals the prize of this value.
    Prize(u8),
}

fn values(cards: Cards) -> impl Iterator<Item = u8> {
    (1..=13).filter(move |value| cards >> value & 1 == 1)
}

/// Returns the `k`-th lowest card.
fn nth_value(mut cards: Cards, k: u32) -> u8 {
    for _ in 0..k {
        cards &= cards - 1;
    }
    cards.trailing_zeros() as u8
}

impl Goofspiel {
    const fn full(&self) -> Cards {
        (2 << self.n_cards) - 2
    }

    /// Returns the player with the highest bid, unless it is tied.
    fn winner(&self, bids: &ByPlayer<u8>) -> Option<Player> {
        let highest = *bids.first(self.n_players).iter().max()?;
        let mut best = Player::all(self.n_players).filter(|&p| bids[p] == highest);
        best.next().filter(|_| best.next().is_none())
    }
}

impl Game for Goofspiel {
    type State = State;
    type Action = Action;

    fn n_players(&self) -> usize {
        self.n_players
    }

    fn start(&self) -> State {
        let mut hands = [0; MAX_PLAYERS];
        hands[..self.n_players].fill(self.full());
        State { hands, pile: self.full(), prize: 0, scores: ByPlayer::default() }
    }

    fn turn(&self, state: &State) -> Turn {
        if state.prize > 0 {
            Turn::Simultaneous(PlayerSet::first(self.n_players))
        } else if state.pile > 0 {
            Turn::Chance
        } else {
            Turn::Over
        }
    }

    fn actions(&self, state: &State, player: Player, out: &mut Vec<Action>) {
        out.extend(values(state.hands[player.idx()]).map(Action::Bid));
    }

    fn n_actions(&self, state: &State, player: Player, _scratch: &mut Vec<Action>) -> usize {
        state.hands[player.idx()].count_ones() as usize
    }

    fn random_action<R: Randomness + ?Sized>(
        &self,
        state: &State,
        player: Player,
        rng: &mut R,
        _scratch: &mut Vec<Action>,
    ) -> Action {
        let hand = state.hands[player.idx()];
        Action::Bid(nth_value(hand, rng.below(hand.count_ones())))
    }

    fn apply(&self, state: &mut State, action: Action) {
        let Action::Prize(value) = action else { unreachable!("{action:?} alone") };
        debug_assert!(state.prize == 0 && state.pile >> value & 1 == 1);
        state.pile &= !(1 << value);
        state.prize = value;
    }

    fn apply_joint(&self, state: &mut State, joint: &Joint<Action>) {
        let mut bids = ByPlayer::default();
        for player in Player::all(self.n_players) {
            let Some(Action::Bid(value)) = joint[player] else { unreachable!("no bid: {joint:?}") };
            debug_assert!(state.hands[player.idx()] >> value & 1 == 1);
            state.hands[player.idx()] &= !(1 << value);
            bids[player] = value;
        }
        if let Some(winner) = self.winner(&bids) {
            state.scores[winner] += state.prize;
        }
        state.prize = 0;
    }

    fn draw<R: Randomness + ?Sized>(&self, state: &State, rng: &mut R) -> Action {
        Action::Prize(nth_value(state.pile, rng.below(state.pile.count_ones())))
    }

    fn chance_purpose(&self, _state: &State) -> Purpose {
        Purpose::Decks
    }

    fn outcomes(&self, state: &State, out: &mut Vec<(Action, f64)>) {
        let probability = 1.0 / f64::from(state.pile.count_ones());
        out.extend(values(state.pile).map(|value| (Action::Prize(value), probability)));
    }

    fn payoffs(&self, state: &State) -> ByPlayer<f32> {
        share_the_point(state.scores.first(self.n_players))
    }

    fn scores(&self, state: &State) -> Option<ByPlayer<i32>> {
        Some(ByPlayer(state.scores.0.map(i32::from)))
    }

    fn max_game_length(&self) -> Option<u32> {
        Some(self.n_cards.into())
    }

    fn determinize<R: Randomness + ?Sized>(&self, _: &mut State, _: Player, _: &mut R) {}

    fn info_state_key(&self, state: &State, _observer: Player) -> u64 {
        hash_of(state)
    }
}

impl Configure for Goofspiel {
    fn about() -> About {
        About {
            name: "goofspiel",
            title: "Goofspiel",
            players: 2..=6,
            default_players: 2,
            information: Information::AtOnce("bids"),
            chance: Chance::Of("prizes"),
            provenance: Provenance::Published("Ross, Goofspiel: The Game of Pure Strategy, 1971"),
        }
    }

    fn default_rules() -> &'static str {
        include_str!("../../data/goofspiel.toml")
    }

    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules> {
        check_players::<Self>(n_players)?;
        let Parameters { cards } = rules.read()?;
        let n_cards = check_range(rules, "cards", cards, &(2..=13))? as u8;
        let numbers = ActionBlock::lay_out([("bid", &[n_cards.into()])]);
        Ok(Self { n_players, n_cards, numbers })
    }
}

impl Treatable for Goofspiel {}

#[cfg(feature = "data")]
impl ByHand for Goofspiel {
    fn complete(&self, state: &mut State) -> Result<(), BadData> {
        let State { hands, pile, prize, scores } = *state;
        let (n, full) = (self.n_players, self.full());
        let cards = format!("the cards are 1 to {}", self.n_cards);
        demand_empty(&hands, n, &0, "hands")?;
        demand_empty(&scores.0, n, &0, "scores")?;
        demand(pile & !full == 0, "pile", &cards)?;
        demand(prize <= self.n_cards, "prize", format_args!("{prize} is no card: {cards}"))?;
        demand(prize == 0 || pile >> prize & 1 == 0, "prize", "it lies in the pile, too")?;
        let left = pile.count_ones() + u32::from(prize > 0);
        for (seat, hand) in hands[..n].iter().enumerate() {
            let place = format!("hands.{seat}");
            demand(hand & !full == 0, &place, &cards)?;
            let fault = format_args!("{} cards for {left} prizes", hand.count_ones());
            demand(hand.count_ones() == left, &place, fault)?;
        }
        let gone = full & !pile & !(u16::from(prize > 0) << prize);
        let most: u32 = values(gone).map(u32::from).sum();
        let sum: u32 = scores.0.iter().map(|&score| u32::from(score)).sum();
        demand(sum <= most, "scores", format_args!("{sum} points of {most} that were to win"))
    }
}

impl Notation for Goofspiel {
    crate::by_hand::by_hand!();

    fn write_action(&self, action: Action, f: &mut dyn fmt::Write) -> fmt::Result {
        match action {
            Action::Bid(value) => write!(f, "bid {value}"),
            Action::Prize(value) => write!(f, "prize {value}"),
        }
    }

    fn chance_event(&self, _state: &State, outcome: Action) -> ChanceEvent {
        let Action::Prize(value) = outcome else { unreachable!("{outcome:?} is no outcome") };
        ChanceEvent { chance: "prize".to_owned(), who: None, value: value.into() }
    }

    fn state_json(&self, state: &State) -> Value {
        let list = |cards| values(cards).collect::<Vec<u8>>();
        let hands: Vec<_> = state.hands[..self.n_players].iter().map(|&hand| list(hand)).collect();
        json!({
            "hands": hands,
            "pile": list(state.pile),
            "prize": (state.prize > 0).then_some(state.prize),
            "scores": state.scores.first(self.n_players),
        })
    }

    fn write_state(&self, state: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        match state.prize {
            0 => writeln!(f, "no prize is revealed")?,
            prize => writeln!(f, "prize {prize}")?,
        }
        for player in Player::all(self.n_players) {
            write!(f, "seat {}: {} points, hand", player.ordinal(), state.scores[player])?;
            values(state.hands[player.idx()]).try_for_each(|value| write!(f, " {value}"))?;
            writeln!(f)?;
        }
        Ok(())
    }
}

impl ActionIndex for Goofspiel {
    fn action_blocks(&self) -> &[ActionBlock] {
        &self.numbers
    }

    fn split(&self, action: Action) -> (usize, Values) {
        let Action::Bid(value) = action else { unreachable!("chance reveals {action:?}") };
        (0, [u32::from(value) - 1, 0, 0, 0])
    }

    fn join(&self, _block: usize, [card, ..]: Values) -> Action {
        Action::Bid(card as u8 + 1)
    }
}

impl ObservationTensor for Goofspiel {
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F) {
        let (game, state) = (view.game(), view.position());
        let (n, cards) = (game.n_players, usize::from(game.n_cards));
        let seats = seats_from(view.observer(), n);
        let mark = |out: &mut [f32], set: Cards| {
            values(set).for_each(|value| out[usize::from(value) - 1] = 1.0);
        };
        fields.field("hands", &[("seat", n), ("card", cards)], "0/1", |out| {
            let hands = seats.clone().map(|seat| state.hands[seat.idx()]);
            out.chunks_mut(cards).zip(hands).for_each(|(out, hand)| mark(out, hand));
        });
        fields.field("prize", &[("card", cards)], "0/1", |out| {
            mark(out, if state.prize > 0 { 1 << state.prize } else { 0 });
        });
        fields.field("pile", &[("card", cards)], "0/1", |out| mark(out, state.pile));
        fields.field("scores", &[("seat", n)], "points", |out| {
            out.iter_mut().zip(seats).for_each(|(out, seat)| *out = state.scores[seat].into());
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(game: &Goofspiel, state: &mut State, prize: u8, bids: &[u8]) {
        game.apply(state, Action::Prize(prize));
        let mut joint = Joint::default();
        bids.iter().enumerate().for_each(|(seat, &bid)| joint.0[seat] = Some(Action::Bid(bid)));
        game.apply_joint(state, &joint);
    }

    #[test]
    fn the_highest_bid_takes_the_prize_and_a_tie_discards_it() {
        let mut rules = Rules::of::<Goofspiel>();
        rules.set("cards=3").unwrap();
        let game = Goofspiel::configure(3, &rules).unwrap();
        let mut state = game.start();
        round(&game, &mut state, 3, &[3, 3, 1]);
        assert_eq!(state.scores.first(3), [0, 0, 0]);
        round(&game, &mut state, 1, &[1, 2, 3]);
        assert_eq!(state.scores.first(3), [0, 0, 1]);
        round(&game, &mut state, 2, &[2, 1, 2]);
        assert_eq!(game.turn(&state), Turn::Over);
        assert_eq!(game.payoffs(&state).first(3), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn the_number_of_cards_has_a_range() {
        let mut rules = Rules::of::<Goofspiel>();
        rules.set("cards=14").unwrap();
        let error = Goofspiel::configure(2, &rules).unwrap_err().to_string();
        assert_eq!(error, "cards=14: cards: 14 is out of range (2 to 13)");
    }
}
