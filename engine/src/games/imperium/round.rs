//! A round: reveal, choose again, place, score, and the end of the game (clauses I3 to I6).

use super::board::Board;
use super::stacks::PROVINCES;
use super::{Action, Imperium, MOST_SEATS, State};
use crate::game::Joint;
use crate::player::{Player, PlayerSet};

impl Imperium {
    /// Reveals the chosen stacks. Players of the Oracle choose again; without any, the round is played.
    #[inline]
    pub(super) fn reveal(&self, s: &mut State, joint: &Joint<Action>) {
        let mut again = PlayerSet::default();
        for player in s.choosing.iter() {
            let Some(action) = joint[player] else { unreachable!("no stack: {joint:?}") };
            debug_assert!(self.is_stack(s, player, action), "{action:?} in {s:?}");
            if action == Action::ORACLE {
                again.insert(player);
                s.oracles.remove(player);
            } else {
                s.chosen[player.idx()] = action;
            }
        }
        if again.is_empty() {
            self.play_round(s);
        } else {
            s.choosing = again;
        }
    }

    fn play_round(&self, s: &mut State) {
        let board = &*self.board;
        let mut n_ears = 0;
        for seat in 0..self.n_players {
            let stack = board.stack(s.chosen[seat]);
            s.pieces[seat] += stack.placed;
            s.free[seat] -= (stack.placed.wrapping_mul(ONES) >> 56) as u8;
            if stack.has_ear() {
                n_ears += 1;
                s.ears.remove(Player::new(seat));
            }
        }
        s.chosen = [Action::EMPTY; MOST_SEATS];
        for _ in 0..board.n_scored(n_ears) {
            self.score(s, s.mark());
            s.mark = (s.mark + 1) % PROVINCES as u8;
        }
        s.round += 1;
        s.choosing = if self.has_ended(s) { PlayerSet::default() } else { self.choosing_next(s) };
    }

    /// Scores a province (clause I5): points for all players, a proconsul for a sole leader, all other pieces home.
    #[inline]
    fn score(&self, s: &mut State, province: usize) {
        let (board, n) = (&*self.board, self.n_players);
        let (shift, bit) = (8 * province, 1u8 << province);
        let counts: [u8; MOST_SEATS] = std::array::from_fn(|seat| (s.pieces[seat] >> shift) as u8);
        for seat in 0..n {
            let own = counts[seat];
            let place = counts[..n].iter().filter(|&&count| count >= own).count() - 1;
            let is_ranked = own > 0 || !board.needs_influence;
            let leads_alone = place == 0 && own > 0;
            if is_ranked {
                s.points[seat] += board.points(province, place);
            }
            let was_proconsul = s.held[seat] & bit != 0;
            let stays = leads_alone || was_proconsul && has_tie_for_most(&counts[..n], board);
            if leads_alone && (board.repeats_bonus || !was_proconsul) {
                s.points[seat] += board.bonus * board.group(s.held[seat], province);
            }
            s.held[seat] = s.held[seat] & !bit | if stays { bit } else { 0 };
            s.pieces[seat] = s.pieces[seat] & !(0xff << shift) | u64::from(stays) << shift;
            s.free[seat] += own - u8::from(stays);
        }
    }

    /// Returns whether the game has ended (clause I6): enough points and a sole leader, or the last round.
    pub(super) fn has_ended(&self, s: &State) -> bool {
        let points = &s.points[..self.n_players];
        let most = points.iter().copied().max().unwrap_or(0);
        let is_decided = || points.iter().filter(|&&p| p == most).count() == 1;
        most >= self.board.win_score && is_decided() || s.round >= self.board.max_rounds
    }

    /// Returns the seats with a free piece, or all seats, without a choice, if there are none.
    #[inline]
    pub(super) fn choosing_next(&self, s: &State) -> PlayerSet {
        let choosing: PlayerSet =
            Player::all(self.n_players).filter(|player| s.free[player.idx()] > 0).collect();
        if choosing.is_empty() { PlayerSet::first(self.n_players) } else { choosing }
    }
}

/// Factor that sums up the bytes of a word in its highest byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Returns whether several players lead, so that the old proconsul stays.
fn has_tie_for_most(counts: &[u8], board: &Board) -> bool {
    let most = counts.iter().copied().max().unwrap_or(0);
    board.stays_if_tie && counts.iter().filter(|&&count| count == most).count() > 1
}
