//! Food, goods of choice, and tiles to keep in a position from a document.

use super::super::Rise;
use super::super::state::{Detail, Phase, State};
use super::Finding;
use crate::by_hand::demand;

impl Rise {
    /// Checks the goods that were chosen and come later: no more than the tiles of each seat give.
    pub(super) fn check_chosen(&self, s: &State) -> Finding {
        let is_due =
            matches!(s.phase, Phase::Feed | Phase::ChooseFood | Phase::ChooseGoods | Phase::Supply);
        for seat in 0..self.board.n_players {
            let all = self.board.choices.iter().flatten();
            let most: i32 = all.map(|source| Self::units_of(s, seat, source)).sum();
            let most = if is_due { most } else { 0 };
            let sum: i32 = s.chosen[seat].into_iter().map(i32::from).sum();
            let fault = format_args!("{sum} units of choice, at most {most}");
            demand(sum <= most, format_args!("chosen.{seat}"), fault)?;
        }
        Ok(())
    }

    /// Checks a choice of goods: its source, and the units that are left (2.3).
    pub(super) fn check_choice(&self, s: &State) -> Finding {
        let (d, seat) = (&s.detail, s.mover().idx());
        let (source, left, next, food) = (d.source, d.left, d.next, d.food);
        let fits = *d == Detail { source, left, next, food, ..Detail::default() };
        demand(fits, "detail", "nothing but a choice of goods")?;
        let sources = &self.board.choices[usize::from(s.phase == Phase::ChooseGoods)];
        let n = sources.len();
        let fault = format_args!("{source} is no source of goods ({n} in all)");
        demand(usize::from(source) < n, "detail.source", fault)?;
        let units = Self::units_of(s, seat, &sources[usize::from(source)]);
        let fits = left > 0 && i32::from(left) <= units;
        demand(fits, "detail.left", format_args!("{left} units of {units}"))?;
        let n_kinds = sources[usize::from(source)].kinds.len();
        let fits = usize::from(next) < n_kinds;
        demand(fits, "detail.next", format_args!("{n_kinds} kinds of goods to choose from"))?;
        let before = sources[..=usize::from(source)].iter();
        let most: i32 = before.map(|source| Self::units_of(s, seat, source)).sum();
        let most = if s.phase == Phase::ChooseFood { most - i32::from(left) } else { 0 };
        let fault = format_args!("{food} units of food, at most {most}");
        demand(i32::from(food) <= most, "detail.food", fault)
    }

    /// Checks a choice of tiles: it has only the number of the first tile that may be given up next.
    pub(super) fn check_keeping(&self, s: &State) -> Finding {
        let fits = s.detail == Detail { next: s.detail.next, ..Detail::default() };
        demand(fits, "detail", "nothing but the first tile that may be given up next")
    }
}
