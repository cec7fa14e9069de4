//! The board of a game as text, for games without a drawing.

use super::Drawing;
use crate::board::Board;
use crate::replay::BoardView;
use crate::story::Position;

/// The drawing of a game as text.
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

    fn view(&self, position: &Position) -> BoardView {
        BoardView { text: position.text.clone(), ..BoardView::default() }
    }
}
