//! Turns, orders, draws and the end in a position from a document.

use super::super::Rise;
use super::super::state::{Detail, Phase, State};
use super::super::things::{BoxSet, MAX_SEATS, N_TURNS};
use super::Finding;
use crate::by_hand::{demand, demand_all};
use crate::player::{Player, PlayerSet};

impl Rise {
    pub(super) fn complete_course(&self, s: &mut State) -> Finding {
        let n = self.board.n_players;
        if s.phase == Phase::Order {
            return self.complete_first_order(s);
        }
        s.milestone = s.turn + 1;
        let place = s.at;
        let fault = format_args!("{place} is out of range (0 to {})", n - 1);
        demand(usize::from(place) < n, "at", fault)?;
        self.check_order(&s.order, n, "order")?;
        s.choosers = [None; MAX_SEATS];
        if s.phase == Phase::Seat {
            self.list_choosers(s);
        }
        self.check_next_order(s)?;
        let last = self.board.config.stock.actions_per_turn;
        let is_acting = is_acting(s.phase);
        let rounds = match s.phase {
            Phase::DrawProgress | Phase::DrawTerritory => 0..=0,
            _ if is_acting => 0..=last - 1,
            _ => last..=last,
        };
        let fault = format_args!("{} is out of range ({rounds:?})", s.round);
        demand(rounds.contains(&s.round), "round", fault)?;
        let is_fresh = s.alliance == [None; MAX_SEATS] && s.used == [0; MAX_SEATS];
        demand(is_acting || is_fresh, "used", "free actions end with the actions of a turn")?;
        self.check_phase(s)
    }

    fn check_phase(&self, s: &State) -> Finding {
        self.check_chosen(s)?;
        match s.phase {
            Phase::Order => Ok(()),
            Phase::DrawProgress | Phase::DrawTerritory => self.check_draw(s),
            Phase::Disc
            | Phase::Pay
            | Phase::Object
            | Phase::To
            | Phase::Count
            | Phase::Battle
            | Phase::After => self.check_action(s),
            Phase::Feed | Phase::Supply => self.check_keeping(s),
            Phase::ChooseFood | Phase::ChooseGoods => self.check_choice(s),
            Phase::KeepProgress | Phase::KeepCities => {
                let is_due = self.board.ends_era(s.turn) && usize::from(s.turn) + 1 < N_TURNS;
                demand(is_due, "phase", format_args!("no era ends with turn {}", s.turn))?;
                self.check_keeping(s)
            }
            Phase::Seat => {
                let goes_on = usize::from(s.turn) + 1 < N_TURNS;
                demand(goes_on, "phase", "there is no turn after the last")?;
                demand(s.detail == Detail::default(), "detail", "no choice is half made")
            }
            Phase::Over => {
                demand(s.at == 0, "at", "nobody is due")?;
                demand(s.detail == Detail::default(), "detail", "no choice is half made")
            }
        }
    }

    /// Checks a position before the first turn: nothing but the seats that were drawn.
    fn complete_first_order(&self, s: &mut State) -> Finding {
        let (n, at) = (self.board.n_players, usize::from(s.at));
        demand(at + 1 < n, "at", format_args!("{at} seats drawn of {n}, and more to come"))?;
        self.check_order(&s.order, at, "order")?;
        (s.milestone, s.choosers) = (0, [None; MAX_SEATS]);
        let start = State { order: s.order, at: s.at, ..self.set_up() };
        (s.set, s.n_options) = (start.set, start.n_options);
        demand_all(*s == start, "before the first turn all is as at the start")
    }

    /// Checks that `taken` different seats stand first in an order, and nobody behind them.
    fn check_order(&self, order: &[Option<Player>], taken: usize, place: &str) -> Finding {
        let seats: PlayerSet = order.iter().flatten().copied().collect();
        let is_list = order.iter().enumerate().all(|(i, seat)| seat.is_some() == (i < taken));
        let are_seats = (seats - PlayerSet::first(self.board.n_players)).is_empty();
        let fault = format_args!("{taken} different seats, and nobody behind them");
        demand(is_list && are_seats && seats.len() == taken, place, fault)
    }

    /// Checks that the places of the next turn are those of the players who have chosen.
    fn check_next_order(&self, s: &State) -> Finding {
        let n = self.board.n_players;
        let n_chosen = if s.phase == Phase::Seat { s.at.into() } else { 0 };
        let due: PlayerSet = s.choosers[..n_chosen].iter().flatten().copied().collect();
        let placed = s.next_order.iter().flatten();
        let (there, count): (PlayerSet, usize) =
            (placed.clone().copied().collect(), placed.count());
        let are_places = s.next_order[n..].iter().all(Option::is_none);
        let fault = format_args!("a place for each of {due:?} and nobody else");
        demand(are_places && there == due && count == n_chosen, "next_order", fault)
    }

    fn check_draw(&self, s: &State) -> Finding {
        demand(s.at == 0, "at", "nobody is due")?;
        demand(s.boxes == BoxSet::EMPTY, "boxes", "a turn begins: nothing is taken")?;
        let display = &self.board.config.display;
        let draws = s.detail.draws;
        demand(s.detail == Detail { draws, ..Detail::default() }, "detail", "nothing but draws")?;
        let (most, left) = if s.phase == Phase::DrawProgress {
            let era = self.board.progress_by_era[self.board.era(s.turn)];
            (display.progress_per_turn, self.n_in_stack(s, era))
        } else {
            let is_due = self.board.has_territory(s.turn);
            demand(is_due, "phase", format_args!("no territory comes in turn {}", s.turn))?;
            (display.territory_per_turn, s.stacks.territory.iter().map(|&n| u32::from(n)).sum())
        };
        let fault = format_args!("{draws} is out of range (1 to {most})");
        demand((1..=most).contains(&draws), "detail.draws", fault)?;
        let fault =
            format_args!("{left} tiles are left, and a stack that is drawn whole is not drawn");
        demand(left > u32::from(draws), "stacks", fault)
    }
}

/// Returns whether an action is under way.
const fn is_acting(phase: Phase) -> bool {
    matches!(
        phase,
        Phase::Disc
            | Phase::Pay
            | Phase::Object
            | Phase::To
            | Phase::Count
            | Phase::Battle
            | Phase::After
    )
}
