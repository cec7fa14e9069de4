//! Pig, which the general agents play without heuristics. The luck of its die is measured.

use engine::games::pig::{Action, Pig, State};
use engine::{ByPlayer, Game, Turn};

use crate::guide::Unguided;
use crate::luck::{DiceLuck, chances_to_win, luck_of};
use crate::observable::Observable;
use crate::param::Settings;
use crate::playable::Playable;
use crate::search_built_here;
use crate::weighted::Weighted;

impl Playable for Pig {
    type Guide = Unguided;

    search_built_here!();

    fn guide(&self, _settings: &Settings) -> Result<Unguided, String> {
        Ok(Unguided)
    }
}

impl Weighted for Pig {}

impl Observable for Pig {
    const DICE: Option<&'static str> = Some("rolls of the die");

    fn dice_luck(&self) -> Option<Box<dyn DiceLuck<Self>>> {
        Some(Box::new(DieLuck::default()))
    }
}

/// The luck of the rolls of the die.
#[derive(Clone, Debug, Default)]
struct DieLuck {
    outcomes: Vec<(Action, f64)>,
}

impl DiceLuck<Pig> for DieLuck {
    fn add(&mut self, game: &Pig, state: &State, outcome: Action, luck: &mut ByPlayer<f64>) {
        luck_of(game, state, outcome, &mut self.outcomes, worth, luck);
    }
}

/// Returns the win probabilities by the players' points, with the turn total banked, and by the player to move.
fn worth(game: &Pig, state: &State) -> ByPlayer<f64> {
    /// The lead that multiplies the odds by e, in parts of the target.
    const SCALE: f64 = 0.25;
    /// The value of the turn for the mover, in parts of the target: about the mean gain of a turn.
    const TURN: f64 = 0.08;
    if game.turn(state) == Turn::Over {
        return ByPlayer(game.payoffs(state).0.map(f64::from));
    }
    let target = f64::from(game.target());
    let mut leads = ByPlayer(state.points().0.map(|points| f64::from(points) / target));
    leads[state.mover()] += TURN;
    chances_to_win(&leads, game.n_players(), SCALE)
}
