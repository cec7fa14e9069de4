//! Oracle games, which the general agents play as they are; [`pig`](super::pig) stands by itself.

use engine::games::connect_four::ConnectFour;
use engine::games::goofspiel::Goofspiel;
use engine::games::kuhn_poker::KuhnPoker;
use engine::games::tic_tac_toe::TicTacToe;

use crate::agents_built_here;
use crate::guide::Unguided;
use crate::param::Settings;
use crate::playable::Playable;

/// Games that searches play without a guide.
macro_rules! unguided {
    ($($game:ty $(, measured by $specs:expr)?;)*) => {$(
        impl Playable for $game {
            $(const MEASURED: &'static [&'static str] = $specs;)?

            type Guide = Unguided;

            agents_built_here!();

            fn guide(&self, _settings: &Settings) -> Result<Unguided, String> {
                Ok(Unguided)
            }
        }
    )*};
}
unguided! {
    // The second one goes the general way, for the price of it.
    ConnectFour, measured by &["mcts(iterations=10000)", "mcts(iterations=10000, child_links=off)"];
    Goofspiel;
    KuhnPoker;
    TicTacToe;
}
