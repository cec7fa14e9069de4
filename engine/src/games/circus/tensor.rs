//! Numbers of actions, and observations as numbers.

use super::board::Board;
use super::limits::{N_DIRECTIONS, TEAM};
use super::moves::values;
use super::state::Phase;
use super::{Action, Circus};
use crate::action_index::{ActionBlock, ActionIndex, Values, beside, not_beside};
use crate::bits::nth;
use crate::observation::{Fields, ObservationTensor, seat_from, seats_from};
use crate::player::Player;
use crate::view::View;

/// Lays out the numbers: cells of the start; cards with directions, and cards thrown away where a turn costs one.
pub(super) fn numbers(board: &Board, turns_cost: bool) -> [ActionBlock; 5] {
    let (cards, directions) = (board.all_cards.count_ones(), N_DIRECTIONS as u32);
    let thrown = if turns_cost { cards - 1 } else { 0 };
    ActionBlock::lay_out([
        ("start", &[board.start.len() as u32]),
        ("go", &[cards, directions]),
        ("go and throw", &[cards, directions, thrown]),
        ("waste", &[cards]),
        ("stop", &[]),
    ])
}

impl Circus {
    /// Returns the place of a card among all cards of a team.
    fn card_number(&self, value: u8) -> u32 {
        (self.board.all_cards & ((1 << (value - 1)) - 1)).count_ones()
    }

    /// Returns the value of the card with this place; the inverse of [`Self::card_number`].
    fn card(&self, number: u32) -> u8 {
        nth(self.board.all_cards.into(), number) + 1
    }
}

impl ActionIndex for Circus {
    fn action_blocks(&self) -> &[ActionBlock] {
        &self.numbers
    }

    fn split(&self, action: Action) -> (usize, Values) {
        match action {
            Action::Start(cell) => {
                let place = self.board.start.iter().position(|&start| start == cell);
                (0, [place.expect("a cell of the start") as u32, 0, 0, 0])
            }
            Action::Go { value, direction, thrown: 0 } => {
                (1, [self.card_number(value), direction.into(), 0, 0])
            }
            Action::Go { value, direction, thrown } => {
                let card = self.card_number(value);
                let thrown = beside(card, self.card_number(thrown));
                (2, [card, direction.into(), thrown, 0])
            }
            Action::Waste(value) => (3, [self.card_number(value), 0, 0, 0]),
            Action::Stop => (4, [0; 4]),
            Action::First(player) => unreachable!("chance draws player {player}"),
        }
    }

    fn join(&self, block: usize, [first, second, third, _]: Values) -> Action {
        let direction = second as u8;
        match block {
            0 => Action::Start(self.board.start[first as usize]),
            1 => Action::Go { value: self.card(first), direction, thrown: 0 },
            2 => {
                let thrown = self.card(not_beside(first, third));
                Action::Go { value: self.card(first), direction, thrown }
            }
            3 => Action::Waste(self.card(first)),
            _ => Action::Stop,
        }
    }
}

impl ObservationTensor for Circus {
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F) {
        let (game, s, observer) = (view.game(), view.state(), view.observer());
        let (n, team, cells) = (game.n_players, game.board.team, game.board.section.len());
        let seats = seats_from(observer, n).map(Player::idx);
        let chariots =
            || seats.clone().flat_map(|seat| (0..team).map(move |number| (seat, number)));
        let axes = [("seat", n), ("chariot", team)];
        let cell_axes = [("seat", n), ("chariot", team), ("cell", cells)];
        fields.field("cell", &cell_axes, "0/1", |out| {
            for (out, (seat, number)) in out.chunks_mut(cells).zip(chariots()) {
                if let Some(chariot) = s.chariot(seat, number) {
                    out[usize::from(chariot.cell)] = 1.0;
                }
            }
        });
        fields.field("leg", &axes, "sections", |out| {
            for (out, (seat, number)) in out.iter_mut().zip(chariots()) {
                *out = s.chariot(seat, number).map_or(0.0, |chariot| chariot.leg.into());
            }
        });
        fields.field("steps_to_go", &axes, "steps", |out| {
            for (out, (seat, number)) in out.iter_mut().zip(chariots()) {
                *out = game.steps_to_go(s, seat, number) as f32;
            }
        });
        let n_cards = game.board.all_cards.count_ones() as usize;
        fields.field("cards", &[("seat", n), ("card", n_cards)], "0/1", |out| {
            for (out, seat) in out.chunks_mut(n_cards).zip(seats.clone()) {
                values(s.cards[seat]).for_each(|value| out[game.card_number(value) as usize] = 1.0);
            }
        });
        fields.field("still_to_move", &axes, "place in the order", |out| {
            let order = &s.order[usize::from(s.at)..usize::from(s.n_order.max(s.at))];
            let is_racing = matches!(s.phase, Phase::Begin | Phase::Continue);
            for (place, &chariot) in order.iter().enumerate().filter(|_| is_racing) {
                let (seat, number) = (usize::from(chariot) / TEAM, usize::from(chariot) % TEAM);
                let row = seats.clone().position(|other| other == seat).expect("a seat");
                out[team * row + number] = place as f32 + 1.0;
            }
        });
        fields.field("cards_used", &[], "cards", |out| out[0] = s.used.into());
        fields.field("heading", &[("direction", N_DIRECTIONS)], "0/1", |out| {
            if s.phase == Phase::Continue && game.straight_only {
                out[usize::from(s.heading)] = 1.0;
            }
        });
        fields.field("first_placer", &[("seat", n)], "0/1", |out| {
            if s.phase != Phase::First {
                out[seat_from(observer, s.first, n)] = 1.0;
            }
        });
        fields.field("round", &[], "rounds that are over", |out| out[0] = s.round.into());
        fields.field("arrived", &[("seat", n)], "place of arrival", |out| {
            for (out, seat) in out.iter_mut().zip(seats.clone()) {
                let arrived = &s.arrived[..usize::from(s.n_arrived)];
                let place = arrived.iter().position(|&home| usize::from(home) == seat);
                *out = place.map_or(0.0, |place| place as f32 + 1.0);
            }
        });
    }
}
