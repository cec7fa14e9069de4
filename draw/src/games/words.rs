//! The board of a game as text, for games that nobody draws.

use super::Drawing;
use crate::board::Board;
use crate::film::Frame;
use crate::story::Position;

/// Shows the text of the game.
#[derive(Clone, Copy, Debug)]
pub struct Words;

impl Drawing for Words {
    fn board(&self) -> Option<&Board> {
        None
    }

    fn gauges(&self) -> Vec<String> {
        Vec::new()
    }

    fn is_text(&self) -> bool {
        true
    }

    fn frame(&self, position: &Position) -> Frame {
        Frame { text: position.text.clone(), ..Frame::default() }
    }
}
