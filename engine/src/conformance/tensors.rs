//! Checks of the numbers of actions and of observations as numbers: [`check_tensors`].

use super::{At, OPENING};
use crate::action_index::ActionIndex;
use crate::game::{Game, Turn};
use crate::observation::{self, Field, ObservationTensor};
use crate::player::{Player, PlayerSet};
use crate::rng::{Purpose, Stream, stream};
use crate::rules::Configure;
use crate::view::View;
use crate::walk::{Event, Walk};

/// Worlds that are compared with a position, for each seat.
const WORLDS: u32 = 4;
/// Distance, after the opening, between the positions whose observations are compared.
const STRIDE: u32 = 8;

/// Plays `n_games` random games of the run with seed `seed` and checks that numbers and actions translate into each
/// other, and that observations show no more than a seat may know.
///
/// # Panics
/// If a promise of [`ActionIndex`] or [`ObservationTensor`] is broken; the message names the game, the seed and the
/// step.
pub fn check_tensors<G: Configure + ActionIndex + ObservationTensor>(
    game: &G,
    seed: u64,
    n_games: u32,
) {
    let at = At { name: G::about().name, n_players: game.n_players(), seed, index: 0, step: 0 };
    check_all_numbers(game, at);
    let fields = observation::layout(game);
    check_layout(&fields, at);
    for index in 0..u64::from(n_games) {
        let mut checker = Tensors {
            game,
            at: At { index, ..at },
            numbers: vec![0.0; observation::len(&fields)],
            worlds: stream(seed, index, Purpose::Agent(0)),
            scratch: Vec::new(),
        };
        let mut walk = Walk::new(game, seed, index);
        loop {
            let state = *walk.state();
            checker.check_position(&state);
            let Some(event) = walk.next() else { break };
            if let Event::Action(_, action) = event {
                checker.check_number(action);
            }
            checker.at.step += 1;
        }
    }
}

/// Checks that each number is that of one action, and that each action has one number.
fn check_all_numbers<G: ActionIndex>(game: &G, at: At) {
    let n = game.n_numbers();
    assert!(n > 0, "{at}: no action has a number");
    let mut first = 0;
    for block in game.action_blocks() {
        assert_eq!(block.first, first, "{at}: a gap before {block:?}");
        first += block.len();
    }
    for number in 0..n {
        let action = game.action_of(number);
        let back = action.map(|action| game.number_of(action));
        assert_eq!(back, Some(number), "{at}: number {number} is of {action:?}");
    }
    assert_eq!(game.action_of(n), None, "{at}: number {n} is one too many");
}

fn check_layout(fields: &[Field], at: At) {
    for (i, field) in fields.iter().enumerate() {
        let before = observation::len(&fields[..i]);
        assert_eq!(field.offset, before, "{at}: a gap before {field:?}");
        let is_new = fields[..i].iter().all(|other| other.name != field.name);
        assert!(is_new, "{at}: two fields are called {}", field.name);
    }
}

struct Tensors<'g, G: Game> {
    game: &'g G,
    at: At,
    numbers: Vec<f32>,
    worlds: Stream,
    scratch: Vec<G::Action>,
}

impl<G: ActionIndex + ObservationTensor> Tensors<'_, G> {
    fn check_position(&mut self, state: &G::State) {
        let at = self.at;
        let acting = match self.game.turn(state) {
            Turn::Player(player) => PlayerSet::of(player),
            Turn::Simultaneous(players) => players,
            Turn::Chance | Turn::Over => PlayerSet::EMPTY,
        };
        for player in acting.iter() {
            let mut actions = std::mem::take(&mut self.scratch);
            actions.clear();
            self.game.actions(state, player, &mut actions);
            actions.iter().for_each(|&action| self.check_number(action));
            self.scratch = actions;
        }
        for observer in Player::all(self.game.n_players()) {
            let is_due = (at.step + observer.idx() as u32).is_multiple_of(STRIDE);
            if at.step < OPENING || is_due {
                self.check_observation(state, observer);
            }
        }
    }

    fn check_number(&self, action: G::Action) {
        let at = self.at;
        let number = self.game.number_of(action);
        let back = self.game.action_of(number);
        assert_eq!(back, Some(action), "{at}: {action:?} has the number {number}");
    }

    fn check_observation(&mut self, state: &G::State, observer: Player) {
        let (at, game) = (self.at, self.game);
        observation::write(View::new(game, state, observer), &mut self.numbers);
        let finite = self.numbers.iter().all(|number| number.is_finite());
        assert!(finite, "{at}: player {observer} observes a number that is none");
        let mut other = vec![f32::NAN; self.numbers.len()];
        for _ in 0..WORLDS {
            let mut world = *state;
            game.determinize(&mut world, observer, &mut self.worlds);
            observation::write(View::new(game, &world, observer), &mut other);
            let bits = |numbers: &[f32]| numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>();
            let is_same = bits(&other) == bits(&self.numbers);
            assert!(is_same, "{at}: what player {observer} observes shows what is hidden");
        }
    }
}
