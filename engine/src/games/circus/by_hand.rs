//! The check of a position from a document: chariots on cells of their own, an order of the round, and cards for it.

use super::Circus;
use super::limits::{MAX_CHARIOTS, MAX_SEATS, N_DIRECTIONS, NOWHERE, TEAM};
use super::state::{Phase, State};
use crate::by_hand::{ByHand, demand, demand_all, demand_empty, demand_seat};
use crate::data::BadData;

type Finding = Result<(), BadData>;

/// Most legs of a chariot, forwards or backwards, whatever the number of rounds: sums of legs stay far from the ends of
/// their type.
const MOST_LEGS: u32 = 16_000;

impl ByHand for Circus {
    const DERIVED: &'static [&'static str] = &["lines", "go", "later", "taken", "n_options"];

    fn complete(&self, s: &mut State) -> Finding {
        if s.phase == Phase::First {
            return demand_all(
                *s == State::new(self.board.empty),
                "before the draw the board is empty",
            );
        }
        demand_seat(s.first, self.n_players, "first")?;
        demand_empty(&s.cards, self.n_players, &0, "cards")?;
        demand_empty(&s.closing, self.n_players, &0, "closing")?;
        if s.phase == Phase::Place {
            self.complete_placing(s)?;
        } else {
            self.complete_race(s)?;
        }
        self.find_options(s);
        Ok(())
    }
}

impl Circus {
    /// Returns whether there is a chariot with this index.
    fn has_chariot(&self, chariot: usize) -> bool {
        chariot / TEAM < self.n_players && chariot % TEAM < self.board.team
    }

    fn complete_placing(&self, s: &mut State) -> Finding {
        let all = self.n_players * self.board.team;
        let placed = usize::from(s.placed);
        demand(placed < all, "placed", format_args!("{placed} of {all}, and placing goes on"))?;
        let mut board = State::new(self.board.empty);
        (board.first, board.phase) = (s.first, Phase::Place);
        for _ in 0..placed {
            let chariot = self.placer(&board) * TEAM + usize::from(board.placed) / self.n_players;
            let cell = s.cells[chariot];
            let is_free = self.start_cells(&board).any(|free| free == cell);
            let fault = format_args!("{cell} is no free cell of the start for this chariot");
            demand(is_free, format_args!("cells.{chariot}"), fault)?;
            self.place(&mut board, cell);
        }
        let fault =
            "before the race nothing is there but the chariots that are placed, in their order";
        demand_all(*s == State { lines: s.lines, ..board }, fault)?;
        *s = board;
        Ok(())
    }

    fn complete_race(&self, s: &mut State) -> Finding {
        let all = self.n_players * self.board.team;
        demand(usize::from(s.placed) == all, "placed", format_args!("{all} in a race"))?;
        (0..MAX_CHARIOTS).try_for_each(|chariot| self.complete_chariot(s, chariot))?;
        self.check_arrivals(s)?;
        self.check_round(s)?;
        self.complete_order(s)?;
        self.check_turn(s)?;
        (0..self.n_players).try_for_each(|seat| self.check_cards(s, seat))
    }

    /// Checks a chariot, and sets it on the lines of the board or into the finish.
    fn complete_chariot(&self, s: &mut State, chariot: usize) -> Finding {
        let (cell, leg) = (s.cells[chariot], s.legs[chariot]);
        let (place, at) = (format!("cells.{chariot}"), format!("legs.{chariot}"));
        let is_home = s.home >> chariot & 1 == 1;
        if !self.has_chariot(chariot) {
            demand(
                cell == NOWHERE,
                place,
                format_args!("{NOWHERE} for a chariot that no player has"),
            )?;
            demand(!is_home, "home", format_args!("no player has chariot {chariot}"))?;
            return demand(leg == 0, at, "0 for a chariot that no player has");
        }
        let n_cells = self.board.section.len();
        let fault = format_args!("{cell} is no cell of the board (0 to {})", n_cells - 1);
        demand(usize::from(cell) < n_cells, &place, fault)?;
        // A card leads over eight cells at most.
        let steps = 8 * u32::from(self.board.most_cards) * (u32::from(s.round) + 1);
        let most = steps.min(MOST_LEGS) as i32;
        let is_near = (-most..=most).contains(&i32::from(leg));
        demand(is_near, &at, format_args!("{leg} is out of range (-{most} to {most})"))?;
        if is_home {
            let finish = self.board.finish_place[usize::from(cell)];
            let is_new = finish != NOWHERE && s.taken >> finish & 1 == 0;
            let fault =
                format_args!("{cell} is no free cell of the finish, and the chariot is home");
            demand(is_new, &place, fault)?;
            s.taken |= 1 << finish;
            return Ok(());
        }
        let is_free = !self.board.is_finish(cell) && !self.board.is_blocked(&s.lines, cell);
        demand(is_free, &place, format_args!("{cell} is no free cell of the track"))?;
        let section = i16::from(self.board.section[usize::from(cell)]);
        let due = leg.rem_euclid(self.board.n_sections);
        let fault = format_args!("{leg} ends in section {due}, and cell {cell} lies in {section}");
        demand(due == section, &at, fault)?;
        self.board.toggle(&mut s.lines, cell);
        Ok(())
    }

    /// Checks that the seats that have arrived are those with all chariots home.
    fn check_arrivals(&self, s: &State) -> Finding {
        let n = usize::from(s.n_arrived);
        demand(n <= self.n_players, "n_arrived", format_args!("{n} of {} seats", self.n_players))?;
        let (arrived, rest) = s.arrived.split_at(n);
        demand(rest.iter().all(|&seat| seat == 0), "arrived", "0 behind those that count")?;
        for (place, &seat) in arrived.iter().enumerate() {
            let is_new = usize::from(seat) < self.n_players && !arrived[..place].contains(&seat);
            demand(is_new, format_args!("arrived.{place}"), format_args!("{seat} is no new seat"))?;
        }
        for seat in 0..self.n_players {
            let is_home = s.n_home(seat) as usize == self.board.team;
            let fault =
                format_args!("it lists the seats with all chariots home, and not seat {seat}");
            demand(is_home == arrived.contains(&(seat as u8)), "arrived", fault)?;
        }
        Ok(())
    }

    fn check_round(&self, s: &State) -> Finding {
        let (round, most) = (i64::from(s.round), self.board.config.max_rounds);
        let is_over = s.phase == Phase::Over;
        let is_decided = self.is_decided(s);
        demand(
            is_over || round < most,
            "round",
            format_args!("{round} of {most} rounds are over"),
        )?;
        demand(round <= most, "round", format_args!("{round} of {most} rounds"))?;
        demand(is_over || !is_decided, "home", "the race is decided, and goes on")?;
        demand(!is_over || is_decided || round == most, "phase", "the race is not over")?;
        demand(!s.is_fresh || round > 0, "is_fresh", "no round is over")?;
        let is_past = !s.is_fresh && s.closing != [0; MAX_SEATS];
        demand(!is_past, "closing", "nothing, unless a round has just ended")?;
        let own = |seat: usize| self.board.all_cards & !self.board.missing[seat];
        let foreign = (0..self.n_players).find(|&seat| s.closing[seat] & !own(seat) != 0);
        let fault = format_args!("a card that seat {} does not have", foreign.unwrap_or_default());
        demand(foreign.is_none(), "closing", fault)
    }

    /// Checks that the order has each chariot of this round once, and counts those that come later.
    fn complete_order(&self, s: &mut State) -> Finding {
        let n = usize::from(s.n_order);
        let all = self.n_players * self.board.team;
        demand(n <= all, "n_order", format_args!("{n} of {all} chariots"))?;
        let rest = s.order[n..].iter().all(|&chariot| chariot == 0);
        demand(rest, "order", "0 behind the chariots that count")?;
        let at = usize::from(s.at);
        let is_over = s.phase == Phase::Over;
        demand(at < n || is_over && at == n, "at", format_args!("{at} of {n} chariots in order"))?;
        let (mut listed, mut waiting) = (0u16, s.order[at..n].iter());
        for (place, &chariot) in s.order[..n].iter().enumerate() {
            let is_new = self.has_chariot(chariot.into()) && listed >> chariot & 1 == 0;
            let fault = format_args!("{chariot} is no further chariot");
            demand(is_new, format_args!("order.{place}"), fault)?;
            listed |= 1 << chariot;
        }
        let racing = (0..MAX_CHARIOTS).filter(|&i| self.has_chariot(i) && s.home >> i & 1 == 0);
        let absent = racing.clone().find(|chariot| listed >> chariot & 1 == 0);
        let fault = format_args!("chariot {} races and is not in it", absent.unwrap_or_default());
        demand(absent.is_none(), "order", fault)?;
        let home = waiting.find(|&&chariot| s.home >> chariot & 1 == 1);
        demand(home.is_none(), "order", format_args!("chariot {} is home", home.unwrap_or(&0)))?;
        s.later = [0; MAX_SEATS];
        let next = if is_over { at } else { at + 1 };
        for &chariot in &s.order[next..n] {
            s.later[usize::from(chariot) / TEAM] += 1;
        }
        Ok(())
    }

    fn check_turn(&self, s: &State) -> Finding {
        let used = match s.phase {
            Phase::Continue => 1..self.board.most_cards.max(1),
            _ => 0..1,
        };
        demand(
            used.contains(&s.used),
            "used",
            format_args!("{} cards are impossible here", s.used),
        )?;
        let has_heading = s.phase == Phase::Continue && self.straight_only;
        let headings = if has_heading { 0..N_DIRECTIONS as u8 } else { 0..1 };
        let fault = format_args!("{} is no direction here", s.heading);
        demand(headings.contains(&s.heading), "heading", fault)
    }

    /// Checks that a seat has the cards that its chariots need (C3b).
    fn check_cards(&self, s: &State, seat: usize) -> Finding {
        let place = format!("cards.{seat}");
        let own = self.board.all_cards & !self.board.missing[seat];
        demand(s.cards[seat] & !own == 0, &place, "a card that the seat does not have")?;
        if s.phase == Phase::Over {
            return Ok(());
        }
        let starts = s.phase == Phase::Begin && s.mover() / TEAM == seat;
        let to_start = u32::from(s.later[seat]) + u32::from(starts);
        let (n, least) = (s.cards[seat].count_ones(), to_start * u32::from(self.board.must_stay));
        demand(n >= least, &place, format_args!("{n} cards for chariots that need {least}"))
    }
}
