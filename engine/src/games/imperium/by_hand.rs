//! The check of a position from a document: pieces of each seat, proconsuls, points within the rules, and choices.

use super::stacks::PROVINCES;
use super::{Action, Imperium, MOST_SEATS, State};
use crate::by_hand::{ByHand, demand, demand_empty};
use crate::data::BadData;
use crate::player::{Player, PlayerSet};

type Finding = Result<(), BadData>;

impl ByHand for Imperium {
    fn complete(&self, s: &mut State) -> Finding {
        let n = self.n_players;
        demand_empty(&s.pieces, n, &0, "pieces")?;
        demand_empty(&s.points, n, &0, "points")?;
        demand_empty(&s.free, n, &0, "free")?;
        demand_empty(&s.held, n, &0, "held")?;
        demand_empty(&s.chosen, n, &Action::EMPTY, "chosen")?;
        for (place, set, all) in [
            ("choosing", s.choosing, PlayerSet::first(n)),
            ("ears", s.ears, self.board.ears),
            ("oracles", s.oracles, self.board.oracles),
        ] {
            let most: Vec<u8> = all.iter().map(Player::number).collect();
            let fault = format_args!("at most the seats {most:?} under these rules");
            demand((set - all).is_empty(), place, fault)?;
        }
        let last = PROVINCES - 1;
        demand(s.mark() <= last, "mark", format_args!("the provinces are 0 to {last}"))?;
        (0..n).try_for_each(|seat| self.check_seat(s, seat))?;
        self.check_course(s)
    }
}

impl Imperium {
    fn check_seat(&self, s: &State, seat: usize) -> Finding {
        let on_board: u32 = s.pieces[seat].to_le_bytes().into_iter().map(u32::from).sum();
        let (all, due) = (on_board + u32::from(s.free[seat]), u32::from(self.board.influence));
        let fault =
            format_args!("{on_board} pieces on the board and {} free of {due}", s.free[seat]);
        demand(all == due, format_args!("free.{seat}"), fault)?;
        for province in (0..PROVINCES).filter(|province| s.held(seat) >> province & 1 == 1) {
            let place = format!("held.{seat}");
            let is_there = s.pieces(seat, province) > 0;
            demand(is_there, &place, format_args!("no piece in province {province}"))?;
            let is_only = s.proconsul(province) == Some(seat);
            let fault = format_args!("province {province} has another proconsul");
            demand(is_only, &place, fault)?;
        }
        let (points, most) = (u64::from(s.points[seat]), self.most_points(s.round()));
        let fault = format_args!("{points} points after {} rounds, at most {most}", s.round());
        demand(points <= most, format_args!("points.{seat}"), fault)
    }

    /// Returns a number of points that nobody can exceed in so many rounds.
    fn most_points(&self, rounds: u32) -> u64 {
        let places = (0..PROVINCES).flat_map(|p| (0..MOST_SEATS).map(move |place| (p, place)));
        let best = places.map(|(p, place)| self.board.points(p, place)).max().unwrap_or(0);
        let bonus = self.board.proconsul_bonus() * PROVINCES as u32;
        let scored = self.board.n_scored(self.n_players) as u64;
        u64::from(rounds) * scored * u64::from(best + bonus)
    }

    /// Checks the round, and that those choose who have to: all with free pieces, or the players of the Oracle again.
    fn check_course(&self, s: &State) -> Finding {
        let (round, most) = (s.round, self.board.max_rounds);
        demand(round <= most, "round", format_args!("{round} of {most} rounds"))?;
        if self.has_ended(s) {
            demand(s.choosing.is_empty(), "choosing", "the game is over: nobody")?;
            return demand(!s.is_second_choice(), "chosen", "the game is over: nothing");
        }
        if !s.is_second_choice() {
            let due: Vec<u8> = self.choosing_next(s).iter().map(Player::number).collect();
            let fault = format_args!("those who choose are {due:?}");
            return demand(s.choosing == self.choosing_next(s), "choosing", fault);
        }
        demand(!s.choosing.is_empty(), "choosing", "somebody chooses again")?;
        for player in Player::all(self.n_players) {
            let (seat, stack) = (player.idx(), s.chosen[player.idx()]);
            let place = format!("chosen.{seat}");
            if s.choosing.contains(player) {
                demand(stack == Action::EMPTY, &place, "0 for a seat that chooses again")?;
                demand(
                    s.free[seat] > 0,
                    "choosing",
                    format_args!("seat {seat} has no free piece"),
                )?;
                let fault = format_args!("seat {seat} chooses again: it has played its Oracle");
                demand(!s.oracles.contains(player), "oracles", fault)?;
            } else {
                let is_stack = stack != Action::ORACLE && self.is_stack(s, player, stack);
                demand(is_stack, &place, format_args!("{} is no stack of seat {seat}", stack.0))?;
            }
        }
        Ok(())
    }
}
