//! Numbers of actions, and observations as numbers.

use super::Hannibal;
use super::board::{Board, Edges, Hand};
use super::options::Action;
use super::state::{Fighter, Phase, Site, State};
use crate::action_index::{ActionBlock, ActionIndex, Values, beside, not_beside};
use crate::bits::{each, nth};
use crate::observation::{Fields, ObservationTensor, flag, seats_from};
use crate::player::Player;
use crate::view::View;

/// Number of kinds of actions.
const N_BLOCKS: usize = 8;

const FIGHTERS: [Fighter; 2] = [Fighter::Legion, Fighter::Hannibal];

/// Lays out the numbers: ways of legions and of Hannibal, pairs of routes, areas that pay for a fleet, fighters, cards.
pub(super) fn numbers(board: &Board) -> [ActionBlock; N_BLOCKS] {
    let (areas, routes) = (board.areas.len() as u32, board.routes.len() as u32);
    ActionBlock::lay_out([
        ("legion", &[board.edges.len() as u32]),
        ("hannibal", &[open_to_hannibal(board).count_ones()]),
        ("fleet", &[routes, routes.saturating_sub(1)]),
        ("raise", &[areas]),
        ("raise-hannibal", &[areas]),
        ("pass", &[]),
        ("fight", &[2]),
        ("card", &[board.full_hand.count_ones()]),
    ])
}

/// Returns the ways that Hannibal can take.
fn open_to_hannibal(board: &Board) -> Edges {
    let all = Edges::MAX.checked_shr(Edges::BITS - board.edges.len() as u32).unwrap_or(0);
    all & !board.barred_to_hannibal
}

/// Returns the number of members of a set below the lowest one of `member`.
const fn below(set: u64, member: u64) -> u32 {
    (set & (member - 1)).count_ones()
}

impl ActionIndex for Hannibal {
    fn action_blocks(&self) -> &[ActionBlock] {
        &self.numbers
    }

    fn split(&self, action: Action) -> (usize, Values) {
        let board = &self.board;
        let (block, first, second) = match action {
            Action::Legion { from, to } => (0, board.edge(from, to).trailing_zeros(), 0),
            Action::Hannibal { from, to } => {
                (1, below(open_to_hannibal(board), board.edge(from, to)), 0)
            }
            Action::Fleet { from, to } => (2, from.into(), beside(from.into(), to.into())),
            Action::Raise(area) => (3, area.into(), 0),
            Action::RaiseHannibal(area) => (4, area.into(), 0),
            Action::Pass => (5, 0, 0),
            Action::Fight(fighter) => (6, fighter as u32, 0),
            Action::Card(value) => (7, below(board.full_hand.into(), 1 << value), 0),
        };
        (block, [first, second, 0, 0])
    }

    fn join(&self, block: usize, [first, second, ..]: Values) -> Action {
        let board = &self.board;
        let place = first as u8;
        match block {
            0 => {
                let [from, to] = board.edges[first as usize];
                Action::Legion { from, to }
            }
            1 => {
                let [from, to] = board.edges[usize::from(nth(open_to_hannibal(board), first))];
                Action::Hannibal { from, to }
            }
            2 => Action::Fleet { from: place, to: not_beside(first, second) as u8 },
            3 => Action::Raise(place),
            4 => Action::RaiseHannibal(place),
            5 => Action::Pass,
            6 => Action::Fight(FIGHTERS[first as usize]),
            _ => Action::Card(nth(board.full_hand.into(), first)),
        }
    }
}

impl ObservationTensor for Hannibal {
    /// Writes pieces by side; seats are relative, so the field `observer` tells Carthage from Rome.
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F) {
        let (board, s): (&Board, &State) = (&view.game().board, view.position());
        let seats = seats_from(view.observer(), 2).map(Player::idx);
        let (areas, routes) = (board.areas.len(), board.routes.len());
        fields.field("legions", &[("seat", 2), ("area", areas)], "legions", |out| {
            for (out, seat) in out.chunks_mut(areas).zip(seats.clone()) {
                out.iter_mut().zip(s.legions[seat]).for_each(|(out, n)| *out = n.into());
            }
        });
        fields.field("fleets", &[("seat", 2), ("route", routes)], "fleets", |out| {
            for (out, seat) in out.chunks_mut(routes.max(1)).zip(seats.clone()) {
                out.iter_mut().zip(s.fleets[seat]).for_each(|(out, n)| *out = n.into());
            }
        });
        fields.field("hannibal", &[("area", areas)], "0/1", |out| {
            each(s.hannibal.into()).for_each(|area| out[usize::from(area)] = 1.0);
        });
        let n_cards = board.full_hand.count_ones() as usize;
        fields.field("cards", &[("seat", 2), ("card", n_cards)], "0/1", |out| {
            for (out, seat) in out.chunks_mut(n_cards).zip(seats.clone()) {
                mark_hand(out, board.full_hand, s.hands[seat]);
            }
        });
        fields.field("turns", &[], "turns", |out| out[0] = s.turns.into());
        fields.field("passes", &[], "passes in a row", |out| out[0] = s.passes.into());
        fields.field("mover", &[("seat", 2)], "0/1", |out| {
            out.iter_mut().zip(seats).for_each(|(out, seat)| *out = flag(seat == s.mover()));
        });
        let fought = if s.phase == Phase::Over { None } else { s.site };
        fields.field("fought_area", &[("area", areas)], "0/1", |out| {
            if let Some(Site::Area(area)) = fought {
                out[usize::from(area)] = 1.0;
            }
        });
        fields.field("fought_route", &[("route", routes)], "0/1", |out| {
            if let Some(Site::Route(route)) = fought {
                out[usize::from(route)] = 1.0;
            }
        });
        fields.field("fighter", &[("legion, Hannibal", 2)], "0/1", |out| {
            if let (Some(fighter), Some(_)) = (s.fighter, fought) {
                out[fighter as usize] = 1.0;
            }
        });
    }
}

fn mark_hand(out: &mut [f32], full: Hand, hand: Hand) {
    out.iter_mut()
        .zip(each(full.into()))
        .for_each(|(out, card)| *out = flag(hand >> card & 1 == 1));
}
