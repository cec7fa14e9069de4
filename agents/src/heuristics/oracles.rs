//! Oracle games, which the general agents play without heuristics. [`connect_four`](super::connect_four) and
//! [`pig`](super::pig) have their own modules.

use engine::games::goofspiel::Goofspiel;
use engine::games::kuhn_poker::KuhnPoker;
use engine::games::tic_tac_toe::TicTacToe;

use crate::guide::Unguided;
use crate::observable::Observable;
use crate::param::Settings;
use crate::playable::Playable;
use crate::search_built_here;
use crate::weighted::Weighted;

/// Implements the traits for games that searches play without a guide.
macro_rules! unguided {
    ($($game:ty;)*) => {$(
        impl Playable for $game {
            type Guide = Unguided;

            search_built_here!();

            fn guide(&self, _settings: &Settings) -> Result<Unguided, String> {
                Ok(Unguided)
            }
        }

        impl Weighted for $game {}

        impl Observable for $game {}
    )*};
}
unguided! {
    Goofspiel;
    KuhnPoker;
    TicTacToe;
}
