//! Pig: dice, and two to six players.
//!
//! In a turn, a player rolls a die as often as they like. A 1 loses the points of the turn and ends it; holding banks
//! them. The first to reach the target wins. Nothing is hidden. Rules: Scarne 1945, after Neller and Presser, "Optimal
//! Play of the Dice Game Pig" (2004). The game takes two forced decisions: the first roll of a turn (there is nothing
//! to hold), and holding once the target is reached. Two random players take about 110 events, six about 280; a game
//! ends with probability one, without a bound. The state is the banked points, the points of the turn, and the player
//! to decide or roll.

use std::fmt;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::action_index::{ActionBlock, ActionIndex, Values};
#[cfg(feature = "data")]
use crate::by_hand::{ByHand, demand, demand_empty, demand_seat};
#[cfg(feature = "data")]
use crate::data::BadData;
use crate::data::data;
use crate::game::{Game, PerfectInformation, Turn};
use crate::games::{check_players, check_range};
use crate::hash::hash_of;
use crate::notation::{ChanceEvent, Notation};
use crate::observation::{Fields, ObservationTensor, seat_from, seats_from};
use crate::player::{ByPlayer, Player};
use crate::rng::Randomness;
use crate::rules::{About, BadRules, Chance, Configure, Information, Provenance, Rules};
use crate::treatable::Treatable;
use crate::view::View;

/// The rules of Pig.
#[derive(Clone, Copy, Debug)]
pub struct Pig {
    n_players: usize,
    target: u16,
    faces: u8,
}

#[derive(Deserialize)]
struct Parameters {
    target: i64,
    faces: i64,
}

/// Points banked and at stake.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    banked: ByPlayer<u16>,
    /// Points of this turn, in danger until they are banked.
    at_stake: u16,
    mover: Player,
    next: Next,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Next {
    Decision,
    Die,
    Nothing,
}

data!(struct State { banked, at_stake, mover, next });
data!(
    enum Next {
        Decision,
        Die,
        Nothing,
    }
);

impl State {
    /// Returns the points of each player if the turn ended now without a 1: the banked points and, for the mover, those
    /// of the turn.
    #[must_use]
    pub fn points(&self) -> ByPlayer<u16> {
        let mut points = self.banked;
        points[self.mover] += self.at_stake;
        points
    }

    /// Returns the player whose turn it is.
    #[must_use]
    pub const fn mover(&self) -> Player {
        self.mover
    }
}

/// A decision, or the face that the die shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Rolls once more.
    Roll,
    /// Banks the points of this turn.
    Hold,
    /// The die shows this face, `1..=faces`.
    Face(u8),
}

impl Pig {
    /// Returns the points that win.
    #[must_use]
    pub const fn target(&self) -> u16 {
        self.target
    }

    /// Banks the turn and passes on, or ends the game.
    fn hold(&self, state: &mut State) {
        state.banked[state.mover] += state.at_stake;
        if state.banked[state.mover] >= self.target {
            state.at_stake = 0;
            state.next = Next::Nothing;
        } else {
            self.pass_on(state);
        }
    }

    fn pass_on(&self, state: &mut State) {
        state.at_stake = 0;
        state.mover = state.mover.next(self.n_players);
        state.next = Next::Die;
    }

    fn rolled(&self, state: &mut State, face: u8) {
        if face == 1 {
            self.pass_on(state);
            return;
        }
        state.at_stake += u16::from(face);
        state.next = Next::Decision;
        if state.banked[state.mover] + state.at_stake >= self.target {
            self.hold(state);
        }
    }
}

impl Game for Pig {
    type State = State;
    type Action = Action;

    fn n_players(&self) -> usize {
        self.n_players
    }

    fn start(&self) -> State {
        let mover = Player::new(0);
        State { banked: ByPlayer::default(), at_stake: 0, mover, next: Next::Die }
    }

    fn turn(&self, state: &State) -> Turn {
        match state.next {
            Next::Decision => Turn::Player(state.mover),
            Next::Die => Turn::Chance,
            Next::Nothing => Turn::Over,
        }
    }

    fn actions(&self, _state: &State, _player: Player, out: &mut Vec<Action>) {
        out.extend([Action::Roll, Action::Hold]);
    }

    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Roll => state.next = Next::Die,
            Action::Hold => self.hold(state),
            Action::Face(face) => self.rolled(state, face),
        }
    }

    fn draw<R: Randomness + ?Sized>(&self, _state: &State, rng: &mut R) -> Action {
        Action::Face(1 + rng.below(u32::from(self.faces)) as u8)
    }

    fn outcomes(&self, _state: &State, out: &mut Vec<(Action, f64)>) {
        let probability = 1.0 / f64::from(self.faces);
        out.extend((1..=self.faces).map(|face| (Action::Face(face), probability)));
    }

    fn payoffs(&self, state: &State) -> ByPlayer<f32> {
        let mut points = ByPlayer::default();
        points[state.mover] = 1.0;
        points
    }

    fn scores(&self, state: &State) -> Option<ByPlayer<i32>> {
        Some(ByPlayer(state.banked.0.map(i32::from)))
    }

    fn determinize<R: Randomness + ?Sized>(&self, _: &mut State, _: Player, _: &mut R) {}

    fn info_state_key(&self, state: &State, _observer: Player) -> u64 {
        hash_of(state)
    }
}

impl PerfectInformation for Pig {}

impl Configure for Pig {
    fn about() -> About {
        About {
            name: "pig",
            title: "Pig",
            players: 2..=6,
            default_players: 2,
            information: Information::Perfect,
            chance: Chance::Of("dice"),
            provenance: Provenance::Published(
                "Neller and Presser, Optimal Play of the Dice Game Pig, 2004",
            ),
        }
    }

    fn default_rules() -> &'static str {
        include_str!("../../data/pig.toml")
    }

    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules> {
        check_players::<Self>(n_players)?;
        let Parameters { target, faces } = rules.read()?;
        let target = check_range(rules, "target", target, &(2..=1000))? as u16;
        let faces = check_range(rules, "faces", faces, &(2..=20))? as u8;
        Ok(Self { n_players, target, faces })
    }
}

impl Treatable for Pig {}

#[cfg(feature = "data")]
impl ByHand for Pig {
    fn complete(&self, state: &mut State) -> Result<(), BadData> {
        let State { banked, at_stake, mover, next } = *state;
        demand_seat(mover, self.n_players, "mover")?;
        demand_empty(&banked.0, self.n_players, &0, "banked")?;
        let is_over = next == Next::Nothing;
        let beyond = self.target + u16::from(self.faces);
        for player in Player::all(self.n_players) {
            let range = match player == mover && is_over {
                true => self.target..beyond,
                false => 0..self.target,
            };
            let points = banked[player];
            let fault =
                format_args!("{points} is out of range ({} to {})", range.start, range.end - 1);
            // No turn brings one point.
            let is_sum = range.contains(&points) && points != 1;
            demand(is_sum, format_args!("banked.{}", player.number()), fault)?;
        }
        let is_sum = match next {
            Next::Nothing => at_stake == 0,
            Next::Die => at_stake != 1,
            Next::Decision => at_stake > 1,
        };
        let fault = format!("{at_stake} points in this turn are impossible here");
        demand(is_sum, "at_stake", &fault)?;
        let sum = u32::from(banked[mover]) + u32::from(at_stake);
        demand(is_over || sum < u32::from(self.target), "at_stake", fault)
    }
}

impl Notation for Pig {
    crate::by_hand::by_hand!();

    fn write_action(&self, action: Action, f: &mut dyn fmt::Write) -> fmt::Result {
        match action {
            Action::Roll => f.write_str("roll"),
            Action::Hold => f.write_str("hold"),
            Action::Face(face) => write!(f, "die {face}"),
        }
    }

    fn chance_event(&self, state: &State, outcome: Action) -> ChanceEvent {
        let Action::Face(face) = outcome else { unreachable!("{outcome:?} is no outcome") };
        let who = Some(state.mover.idx().into());
        ChanceEvent { chance: "die".to_owned(), who, value: face.into() }
    }

    fn state_json(&self, state: &State) -> Value {
        let next = match state.next {
            Next::Decision => "decision",
            Next::Die => "die",
            Next::Nothing => "nothing",
        };
        json!({
            "banked": state.banked.first(self.n_players),
            "at_stake": state.at_stake,
            "mover": state.mover.idx(),
            "next": next,
        })
    }

    fn write_state(&self, state: &State, f: &mut dyn fmt::Write) -> fmt::Result {
        let banked = state.banked.first(self.n_players);
        writeln!(
            f,
            "banked {banked:?}, seat {} has {} at stake",
            state.mover.ordinal(),
            state.at_stake
        )
    }
}

const NUMBERS: [ActionBlock; 2] = ActionBlock::lay_out([("roll", &[]), ("hold", &[])]);

impl ActionIndex for Pig {
    fn action_blocks(&self) -> &[ActionBlock] {
        &NUMBERS
    }

    fn split(&self, action: Action) -> (usize, Values) {
        match action {
            Action::Roll => (0, [0; 4]),
            Action::Hold => (1, [0; 4]),
            Action::Face(face) => unreachable!("chance rolls {face}"),
        }
    }

    fn join(&self, block: usize, _values: Values) -> Action {
        [Action::Roll, Action::Hold][block]
    }
}

impl ObservationTensor for Pig {
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F) {
        let (state, n) = (view.state(), view.game().n_players);
        fields.field("banked", &[("seat", n)], "points", |out| {
            let seats = seats_from(view.observer(), n);
            out.iter_mut().zip(seats).for_each(|(out, seat)| *out = state.banked[seat].into());
        });
        fields.field("at_stake", &[], "points", |out| out[0] = state.at_stake.into());
        fields.field("mover", &[("seat", n)], "0/1", |out| {
            out[seat_from(view.observer(), state.mover, n)] = 1.0;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pig(settings: &[&str]) -> Result<Pig, BadRules> {
        let mut rules = Rules::of::<Pig>();
        settings.iter().try_for_each(|s| rules.set(s))?;
        Pig::configure(3, &rules)
    }

    #[test]
    fn a_one_loses_the_turn_and_a_hold_banks_it() {
        let game = pig(&[]).unwrap();
        let mut state = game.start();
        let events =
            [Action::Face(6), Action::Hold, Action::Face(5), Action::Roll, Action::Face(1)];
        events.into_iter().for_each(|event| game.apply(&mut state, event));
        assert_eq!(state.banked.first(3), [6, 0, 0]);
        assert_eq!((state.at_stake, state.mover), (0, Player::new(2)));
    }

    #[test]
    fn reaching_the_target_wins_at_once() {
        let game = pig(&["target=5"]).unwrap();
        let mut state = game.start();
        game.apply(&mut state, Action::Face(5));
        assert_eq!(game.turn(&state), Turn::Over);
        assert_eq!(game.payoffs(&state).first(3), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn values_out_of_range_are_refused() {
        assert_eq!(
            pig(&["faces=1"]).unwrap_err().to_string(),
            "faces=1: faces: 1 is out of range (2 to 20)"
        );
        let error = Pig::configure(7, &Rules::of::<Pig>()).unwrap_err();
        assert_eq!(error.to_string(), "a table of 7: pig is for 2 to 6 players");
    }
}
