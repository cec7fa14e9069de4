//! The oracle games, which the general agents play as they are.

use engine::games::connect_four::ConnectFour;
use engine::games::goofspiel::Goofspiel;
use engine::games::kuhn_poker::KuhnPoker;
use engine::games::pig::Pig;
use engine::games::tic_tac_toe::TicTacToe;

use crate::playable::Playable;

impl Playable for ConnectFour {}
impl Playable for Goofspiel {}
impl Playable for KuhnPoker {}
impl Playable for Pig {}
impl Playable for TicTacToe {}
