//! The data of a game for analysis, reports and measurement: [`Observable`].

use std::convert::Infallible;

use engine::{ByPlayer, ChanceStreams, Game, Mover, Purpose, View, play_event, rng};

use crate::luck::DiceLuck;
use crate::odds::BattleCalculator;
use crate::outcome_odds::OutcomeOdds;
use crate::param::Settings;
use crate::playable::{Playable, decider};
use crate::spectator::{self, Course, Feature};

/// A game as an observer sees it, for analysis, reports and measurement, never for agents. The defaults cover the data
/// that every game has.
pub trait Observable: Game {
    /// The counts of a spectator for each seat, hidden information included: for analysis, never for agents
    /// ([`crate::spectator`]).
    const FEATURES: &'static [Feature] = spectator::GENERAL;

    /// Appends a count by seat for each of [`Self::FEATURES`]; 0 for seats beyond the table.
    fn features(&self, state: &Self::State, out: &mut Vec<ByPlayer<f64>>) {
        spectator::general(self, state, out);
    }

    /// Returns the progress of the game, as far as the state shows it. It never decreases.
    fn course(&self, _state: &Self::State) -> Course {
        Course::default()
    }

    /// Returns public numbers for `games.csv` beside the score, each with its column name. The columns must not depend
    /// on the state.
    fn extras(&self, _state: &Self::State) -> Vec<(&'static str, ByPlayer<i32>)> {
        Vec::new()
    }

    /// The chance events that [`Self::dice_luck`] covers, in the plural; `None` if no chance event of the game has
    /// implemented exact odds.
    const DICE: Option<&'static str> = None;

    /// Returns the measure of dice luck; `Some` exactly if [`Self::DICE`] is set.
    fn dice_luck(&self) -> Option<Box<dyn DiceLuck<Self>>> {
        None
    }

    /// Returns the calculator of battle odds; `None` by default.
    fn battle_calculator(&self) -> Option<Box<dyn BattleCalculator>> {
        None
    }

    /// Returns the odds of the process under way, for reports of a game; `None` by default.
    fn outcome_odds(&self) -> Option<Box<dyn OutcomeOdds<Self>>> {
        None
    }

    /// The specs of agents of similar strength and different style. They show which style a change of the rules
    /// favours.
    const STYLES: &'static [&'static str] = &[];

    /// The specs of searches whose speed is measured in this game.
    const MEASURED: &'static [&'static str] = &["mcts"];

    /// Returns whether searches are measured at this decision. The first such decision in a game of `greedy` counts
    /// ([`search_position`]). By default this is the first decision.
    fn is_typical(&self, _state: &Self::State) -> bool {
        true
    }
}

/// Returns the position at which searches are measured and inspected: the first [typical](Observable::is_typical)
/// decision in a game of `greedy` with the chance of `seed`.
///
/// # Panics
/// If there is no such decision, or if `greedy` cannot be built without parameters (bugs of the game).
#[must_use]
pub fn search_position<G: Playable + Observable>(game: &G, seed: u64) -> G::State {
    let mut chance = ChanceStreams::new(seed, 0);
    let mut rng = rng::stream(seed, 0, Purpose::Agent(0));
    let mut usual = game.greedy(&Settings::default()).expect("every game has a plain greedy");
    let mut state = game.start();
    while decider(game, &state).is_none() || !game.is_typical(&state) {
        let decide = |state: &G::State, mover: Mover| {
            Ok::<_, Infallible>(match mover.player() {
                Some(player) => usual.choose(View::new(game, state, player), &mut rng),
                None => game.draw(state, chance.of(game.chance_purpose(state))),
            })
        };
        let Ok(goes_on) = play_event(game, &mut state, decide);
        assert!(goes_on, "no decision of {} is typical", G::about().name);
    }
    state
}
