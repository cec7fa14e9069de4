//! The oracle games, which the general agents play as they are.

use engine::games::connect_four::ConnectFour;
use engine::games::goofspiel::Goofspiel;
use engine::games::kuhn_poker::KuhnPoker;
use engine::games::pig::Pig;
use engine::games::tic_tac_toe::TicTacToe;

use crate::guide::Unguided;
use crate::playable::{Playable, Style};

/// Games that searches play without a guide.
macro_rules! unguided {
    ($($game:ty),*) => {$(
        impl Playable for $game {
            type Guide = Unguided;

            fn guide(&self, style: &Style) -> Result<Unguided, String> {
                style.must_be_plain(<Self as engine::Configure>::about().name).map(|()| Unguided)
            }
        }
    )*};
}
unguided!(ConnectFour, Goofspiel, KuhnPoker, Pig, TicTacToe);
