//! What a game shows to those who watch, measure and tell it: [`Observable`].

use std::convert::Infallible;

use engine::{ByPlayer, ChanceStreams, Game, Mover, Purpose, View, play_event, rng};

use crate::luck::DiceLuck;
use crate::odds::BattleCalculator;
use crate::outcome_odds::OutcomeOdds;
use crate::param::Settings;
use crate::playable::{Playable, decider};
use crate::spectator::{self, Course, Feature};

/// A game as those see it who watch, measure and tell it, and never an agent. By default they see what every game has.
pub trait Observable: Game {
    /// What a spectator counts of a position for each seat, hidden things among it: for analysis, never for agents
    /// ([`crate::spectator`]).
    const FEATURES: &'static [Feature] = spectator::GENERAL;

    /// Appends a count by seat for each of [`Self::FEATURES`], 0 for seats beyond the table.
    fn features(&self, state: &Self::State, out: &mut Vec<ByPlayer<f64>>) {
        spectator::general(self, state, out);
    }

    /// How far the game has come, as far as the state says so; it never goes back.
    fn course(&self, _state: &Self::State) -> Course {
        Course::default()
    }

    /// Public numbers of a game that belong into `games.csv` beside the score, each with its column name.
    /// Which ones there are must not depend on the state.
    fn extras(&self, _state: &Self::State) -> Vec<(&'static str, ByPlayer<i32>)> {
        Vec::new()
    }

    /// What [`Self::dice_luck`] weighs, in the plural; `None` for a game of which no chance has exact odds that
    /// somebody weighed, or that has no chance at all.
    const DICE: Option<&'static str> = None;

    /// What tells the luck of dice; there exactly where [`Self::DICE`] says of what.
    fn dice_luck(&self) -> Option<Box<dyn DiceLuck<Self>>> {
        None
    }

    /// What computes the odds of fights that somebody asks for; by default nobody does.
    fn battle_calculator(&self) -> Option<Box<dyn BattleCalculator>> {
        None
    }

    /// What knows how likely each end of what is under way is, for those who tell a game; by default nobody does.
    fn outcome_odds(&self) -> Option<Box<dyn OutcomeOdds<Self>>> {
        None
    }

    /// The specs of agents that want different things, of about the same strength: whose gain a change of the rules is.
    const STYLES: &'static [&'static str] = &[];

    /// The specs of searches whose speed is worth knowing in this game.
    const MEASURED: &'static [&'static str] = &["mcts"];

    /// Whether a decision is one at which searches are measured: the first that is, in a game of `greedy`
    /// ([`search_position`]); by default the first of all.
    fn is_typical(&self, _state: &Self::State) -> bool {
        true
    }
}

/// The position at which searches are measured and looked at: what `greedy` and chance come to from `seed` when a
/// decision [is typical](Observable::is_typical) for the first time.
///
/// # Panics
/// If no such decision comes up, or `greedy` cannot be built without parameters (bugs of the game).
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
