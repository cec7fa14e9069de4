//! Numbers of actions, and observations as numbers.
//!
//! The number of a stack is its place among all stacks ([`stacks`](super::stacks)), up to the largest that can be
//! played; the Oracle follows.

use super::stacks::{BREAD, ORACLE, PROVINCES};
use super::{Action, Imperium};
use crate::action_index::{ActionBlock, ActionIndex, Values};
use crate::bits::each;
use crate::observation::{Fields, ObservationTensor, flag, seats_from};
use crate::player::Player;
use crate::view::View;

/// Number of cards of a player.
const N_CARDS: usize = ORACLE as usize;

impl ActionIndex for Imperium {
    fn action_blocks(&self) -> &[ActionBlock] {
        &self.board.numbers
    }

    #[inline]
    fn split(&self, action: Action) -> (usize, Values) {
        if action == Action::ORACLE { (1, [0; 4]) } else { (0, [action.0.into(), 0, 0, 0]) }
    }

    fn join(&self, block: usize, [stack, ..]: Values) -> Action {
        if block == 1 { Action::ORACLE } else { Action(stack as u8) }
    }
}

impl ObservationTensor for Imperium {
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F) {
        let (game, s) = (view.game(), view.state());
        let n = game.n_players;
        let seats = seats_from(view.observer(), n).map(Player::idx);
        let axes = [("seat", n), ("province", PROVINCES)];
        fields.field("pieces", &axes, "pieces", |out| {
            for (out, seat) in out.chunks_mut(PROVINCES).zip(seats.clone()) {
                let pieces = s.pieces[seat].to_le_bytes();
                out.iter_mut().zip(pieces).for_each(|(out, n)| *out = n.into());
            }
        });
        fields.field("proconsul", &axes, "0/1", |out| {
            for (out, seat) in out.chunks_mut(PROVINCES).zip(seats.clone()) {
                each(s.held[seat].into()).for_each(|province| out[usize::from(province)] = 1.0);
            }
        });
        let by_seat = |out: &mut [f32], value: &dyn Fn(usize) -> f32| {
            out.iter_mut().zip(seats.clone()).for_each(|(out, seat)| *out = value(seat));
        };
        let seat_axis = [("seat", n)];
        fields.field("points", &seat_axis, "points", |out| {
            by_seat(out, &|seat| s.points(seat) as f32);
        });
        fields.field("free", &seat_axis, "pieces", |out| by_seat(out, &|seat| s.free(seat).into()));
        fields.field("ear", &seat_axis, "0/1", |out| by_seat(out, &|seat| flag(s.has_ear(seat))));
        fields.field("oracle", &seat_axis, "0/1", |out| {
            by_seat(out, &|seat| flag(s.has_oracle(seat)));
        });
        fields.field("mark", &[("province", PROVINCES)], "0/1", |out| out[s.mark()] = 1.0);
        fields.field("round", &[], "rounds", |out| out[0] = s.round() as f32);
        // A stack is told by the place of each of its cards, top first: Bread & Circuses doubles the card above it.
        fields.field("revealed", &[("seat", n), ("card", N_CARDS)], "place from the top", |out| {
            for (out, seat) in out.chunks_mut(N_CARDS).zip(seats.clone()) {
                let cards =
                    s.revealed(seat).map_or(&[][..], |action| game.board.stack(action).cards());
                for (place, &card) in cards.iter().enumerate() {
                    out[usize::from(card)] = place as f32 + 1.0;
                }
            }
        });
    }
}

const _: () = assert!(BREAD as usize + 1 == N_CARDS, "the Oracle is never revealed in a stack");
