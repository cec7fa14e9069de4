//! The action of a player under way in a position from a document.

use super::super::Rise;
use super::super::state::{Detail, Phase, State};
use super::super::things::{
    MAX_CIRCLES, N_CITIES, N_EMPIRES, N_FREE, N_PROGRESS, N_REGIONS, RegionSet, Row,
};
use super::{Finding, is_within};
use crate::by_hand::demand;

impl Rise {
    /// Checks the ranges of the choices of the action under way, whatever the phase.
    pub(super) fn check_detail(&self, s: &State) -> Finding {
        let d = &s.detail;
        let currencies = &self.board.config.action_display.b_turn_cost_currencies;
        let n_next = N_CITIES.max(currencies.len());
        let n_lines = self.board.config.empire_rules.battle_lines_by_era.iter().max();
        for (fits, place) in [
            (usize::from(d.window) <= N_FREE, "detail.window"),
            (d.taken.is_none_or(|tile| tile.idx() < N_PROGRESS), "detail.taken"),
            (d.tile.is_none_or(|tile| tile.idx() < N_EMPIRES), "detail.tile"),
            (d.region.is_none_or(|region| region.idx() < N_REGIONS), "detail.region"),
            (d.fought.is_none_or(|region| region.idx() < N_REGIONS), "detail.fought"),
            (is_within(d.may, N_REGIONS), "detail.may"),
            (is_within(d.chosen, N_REGIONS), "detail.chosen"),
            (usize::from(d.next) <= n_next, "detail.next"),
            (n_lines.is_some_and(|&most| i32::from(d.line) <= most), "detail.line"),
        ] {
            demand(fits, place, "it is out of range under these rules")?;
        }
        Ok(())
    }

    pub(super) fn check_action(&self, s: &State) -> Finding {
        let d = &s.detail;
        let of_upkeep = (d.source, d.left, d.food, d.draws) == (0, 0, 0, 0);
        demand(of_upkeep, "detail", "source, left, food and draws are of other phases")?;
        if s.phase == Phase::Disc {
            let fits = *d == Detail { window: d.window, ..Detail::default() };
            return demand(fits, "detail", "before the disc there are only free actions");
        }
        demand(d.row.is_some(), "detail.row", "the disc is in a row")?;
        self.check_due(s)?;
        match s.phase {
            Phase::Pay | Phase::After => self.check_leftovers(s),
            Phase::Object => {
                let (window, row, due, next) = (d.window, d.row, d.due, d.next);
                let fits = *d == Detail { window, row, due, next, ..Detail::default() };
                demand(fits, "detail", "before the object there is only the disc")
            }
            _ => self.check_empire(s),
        }
    }

    /// Checks the price of a disc that is still due (2.1).
    fn check_due(&self, s: &State) -> Finding {
        let display = &self.board.config.action_display;
        let is_before = display.b_turn_pay_before_action;
        let is_due = match s.phase {
            Phase::Pay => true,
            Phase::After => false,
            _ => !is_before,
        };
        let most = if is_due && !self.board.places_discs(s.turn) {
            display.b_turn_cost_per_disc_to_the_left * (MAX_CIRCLES as i32 - 1)
        } else {
            0
        };
        let fault = format_args!("{} is out of range (0 to {most})", s.detail.due);
        demand(i32::from(s.detail.due) <= most, "detail.due", fault)?;
        let n = display.b_turn_cost_currencies.len();
        let next = usize::from(s.detail.next);
        demand(next <= n, "detail.next", format_args!("there are {n} currencies"))
    }

    /// Checks what is left of an object that was taken: it changes nothing but what the free actions are.
    fn check_leftovers(&self, s: &State) -> Finding {
        let d = &s.detail;
        let is_before = self.board.config.action_display.b_turn_pay_before_action;
        if s.phase == Phase::Pay && is_before {
            let (window, row, due, next) = (d.window, d.row, d.due, d.next);
            let fits = *d == Detail { window, row, due, next, ..Detail::default() };
            return demand(fits, "detail", "before the object there is only the disc");
        }
        let fits = d.taken.is_none() || d.row == Some(Row::Progress);
        demand(fits, "detail.taken", "no progress tile was taken in this row")?;
        let fits = d.tile.is_none() || d.row == Some(Row::Empire);
        demand(fits, "detail.tile", "no empire tile was taken in this row")
    }

    /// Checks an empire tile that is being used (9, 10).
    fn check_empire(&self, s: &State) -> Finding {
        let (d, seat) = (&s.detail, s.mover().idx());
        demand(d.row == Some(Row::Empire), "detail.row", "an empire tile needs that row")?;
        demand(d.taken.is_none(), "detail.taken", "an empire tile was taken, and no other")?;
        let Some(tile) = d.tile else { return demand(false, "detail.tile", "it was taken") };
        demand(!s.empires.contains(tile), "empires", "the tile that was taken is not there")?;
        demand(d.line == 0 || s.phase == Phase::Battle, "detail.line", "no battle was fought")?;
        demand(d.fought.is_none() || d.line > 0, "detail.fought", "no battle was fought")?;
        if s.phase == Phase::Battle {
            return Ok(());
        }
        let face = self.board.face(tile, self.board.era(s.turn));
        let (own, with) = (s.progress[seat], &self.board.with);
        let more: i32 = (own & with.empires).iter().map(|t| self.board.tile(t).extra_areas).sum();
        let all = (face.areas + more).min(u8::MAX.into());
        let left = all - d.chosen.len() as i32;
        let fits = i32::from(d.areas) == left;
        demand(fits, "detail.areas", format_args!("{left} of {all} areas are left"))?;
        let water = face.water || !(own & with.navigation).is_empty();
        demand(d.water == water, "detail.water", format_args!("{water} for this tile"))?;
        self.check_regions(s)?;
        self.check_abandoning(s)
    }

    /// Checks the regions that get cubes (9.2 to 9.5).
    fn check_regions(&self, s: &State) -> Finding {
        let (d, seat) = (&s.detail, s.mover().idx());
        let held = s.held(seat);
        let mut open = self.open(s, seat, d.water);
        if self.board.config.map_rules.reinforce_without_water && !d.water {
            open |= self.open(s, seat, true) & held;
        }
        demand((d.may - open).is_empty(), "detail.may", "a region that is not open")?;
        demand((d.chosen - d.may).is_empty(), "detail.chosen", "a region that may get nothing")?;
        let fits = d.region == d.chosen.last();
        demand(fits, "detail.region", "the last of the regions that were chosen")?;
        let waits = if s.phase == Phase::Count { d.region } else { None };
        demand(s.phase == Phase::To || waits.is_some(), "detail.region", "it gets cubes")?;
        let due = waits.iter().fold(d.chosen, |set, &region| set.with(region, false));
        demand((due - held).is_empty(), "detail.chosen", "a region that got no cubes")?;
        let old_world = self.board.old_world;
        let fits = if d.has_abandoned {
            d.is_newcomer
        } else if d.is_newcomer {
            ((held - d.chosen) & old_world).is_empty()
        } else {
            !(held & old_world).is_empty()
        };
        demand(fits, "detail.is_newcomer", "the cubes on the map say otherwise")?;
        if s.phase == Phase::To {
            return Ok(());
        }
        let least = if self.is_rooted(s) { 1 } else { 2 };
        let pool = s.pool(seat);
        demand(pool >= least, format_args!("pool.{seat}"), format_args!("{pool} of {least}"))?;
        // All cubes that can go there have gone: there has to be a way on.
        let mut next = *s;
        self.put_cubes(&mut next, self.most_cubes(s));
        let goes_on = self.find_options(&mut next) > 0;
        demand(goes_on, "detail.chosen", "regions that no other can join")
    }

    fn check_abandoning(&self, s: &State) -> Finding {
        let (d, seat) = (&s.detail, s.mover().idx());
        let is_started = d.chosen != RegionSet::EMPTY;
        let may = !is_started && !d.has_abandoned && self.may_abandon(s, seat);
        demand(d.may_abandon == may, "detail.may_abandon", format_args!("{may} here"))?;
        let is_left = d.has_abandoned && !(s.held(seat) - d.chosen).is_empty();
        demand(!is_left, "detail.has_abandoned", "there are cubes on the map")
    }
}
