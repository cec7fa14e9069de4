//! The largest number of choices in a game, from the rules.

use super::Rise;
use super::things::{Empire, N_CITIES, N_EMPIRES, N_PROGRESS, N_REGIONS, N_TURNS};

impl Rise {
    /// Returns a number that the choices of no game exceed: the sum of those of its turns.
    pub(super) fn most_choices(&self) -> usize {
        let turns = 0..N_TURNS as u8;
        turns.map(|turn| self.most_in_actions(turn) + self.most_in_upkeep(turn)).sum()
    }

    /// Bounds the choices in the actions of a turn (5).
    ///
    /// An action has a disc, an object and an end. A price is paid by currencies in their order, and the last one leaves
    /// no choice (2.1). A seat uses each free action once in a turn (5.6). Each empire tile is there once in a turn. It
    /// takes one choice to abandon the map, two for each area, since regions come in their order, one to end this, and
    /// one for each battle line (9, 10).
    fn most_in_actions(&self, turn: u8) -> usize {
        let (board, stock) = (&*self.board, &self.board.config.stock);
        let currencies = board.config.action_display.b_turn_cost_currencies.len();
        let prices = if board.places_discs(turn) { 0 } else { currencies.saturating_sub(1) };
        let more: i32 = board.with.empires.iter().map(|tile| board.tile(tile).extra_areas).sum();
        let of_empire = |tile| {
            let face = board.face(tile, board.era(turn));
            2 + 2 * N_REGIONS.min((face.areas + more) as usize) + face.lines.len()
        };
        let actions = usize::from(stock.actions_per_turn) * (3 + prices) + board.free.len();
        board.n_players * actions + Empire::first(N_EMPIRES).map(of_empire).sum::<usize>()
    }

    /// Bounds the choices after the actions of a turn (12 to 16).
    ///
    /// Tiles are given up in their order, and a last choice keeps the rest (2.2). Goods of choice are taken in their
    /// order, and the last kind leaves no choice (2.3). Each seat chooses one place in the next order (15).
    fn most_in_upkeep(&self, turn: u8) -> usize {
        let board = &*self.board;
        let sources = board.choices.iter().flatten();
        let goods: usize = sources.map(|source| source.kinds.len() - 1).sum();
        let kept = if board.ends_era(turn) { N_PROGRESS + 1 + N_CITIES + 1 } else { 0 };
        let fed = board.hungry.len() as usize + 1 + board.costly.len() as usize + 1;
        board.n_players * (fed + goods + kept + 1)
    }
}
