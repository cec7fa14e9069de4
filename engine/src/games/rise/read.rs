//! Readers of a position for agents.

use super::Rise;
use super::action::Action;
use super::state::{Phase, State};
use super::things::{Good, N_TURNS, Progress, Region, RegionSet, Row};

/// An empire action under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placing {
    /// Number of regions that may still get cubes.
    pub areas: u8,
    /// True if regions of the Old World must be a root and its neighbours.
    pub is_newcomer: bool,
    /// Regions that may get cubes, if they come after the last one chosen.
    pub may: RegionSet,
    /// Regions that were chosen.
    pub chosen: RegionSet,
    /// The region that was chosen last.
    pub region: Option<Region>,
}

impl Rise {
    /// Returns the empire action under way, or `None` where no region gets cubes.
    #[inline]
    #[must_use]
    pub fn placing(&self, s: &State) -> Option<Placing> {
        let detail = &s.detail;
        matches!(s.phase, Phase::To | Phase::Count).then(|| Placing {
            areas: detail.areas,
            is_newcomer: detail.is_newcomer,
            may: detail.region.map_or(detail.may, |region| detail.may.above(region)),
            chosen: detail.chosen,
            region: detail.region,
        })
    }

    /// Returns the number of options of the decision that is due.
    #[inline]
    #[must_use]
    pub const fn n_options(&self, s: &State) -> usize {
        s.n_options as usize
    }

    /// Returns an option of the decision that is due, counted from 0 in the order in which options are listed.
    ///
    /// # Panics
    /// If there are fewer options.
    #[inline]
    #[must_use]
    pub fn nth_option(&self, s: &State, k: usize) -> Action {
        assert!(k < self.n_options(s), "option {k} of {}", s.n_options);
        self.option(s, k as u32)
    }

    /// Returns the number of turns still to be scored; the one under way counts until its points are given.
    #[inline]
    #[must_use]
    pub fn scorings_left(&self, s: &State) -> i32 {
        let is_scored =
            matches!(s.phase, Phase::Seat | Phase::KeepProgress | Phase::KeepCities | Phase::Over);
        let left = N_TURNS as i32 - i32::from(s.turn) - i32::from(is_scored);
        left.max(0)
    }

    /// Returns the number of rounds of actions still to come or under way in this turn.
    #[inline]
    #[must_use]
    pub fn rounds_left(&self, s: &State) -> i32 {
        i32::from(self.board.config.stock.actions_per_turn) - i32::from(s.round)
    }

    /// Returns the number of eras still to end with their upkeep after the turns that are over.
    #[inline]
    #[must_use]
    pub fn era_ends_left(&self, s: &State) -> i32 {
        (s.turn..N_TURNS as u8).filter(|&turn| self.board.ends_era(turn)).count() as i32
    }

    /// Returns the current price of a progress tile, in gold.
    #[inline]
    #[must_use]
    pub fn progress_price(&self, s: &State, tile: Progress) -> i32 {
        self.board.progress_price(tile, self.board.era(s.turn.min(N_TURNS as u8 - 1)))
    }

    /// Returns the amount of a kind of goods of a seat; for food the amount that it can pay.
    #[inline]
    #[must_use]
    pub fn has(&self, s: &State, seat: usize, good: Good) -> i32 {
        self.purse(s, seat, good)
    }

    /// Returns the prices at an era's end: gold to keep a progress tile, and cubes to keep a city.
    #[inline]
    #[must_use]
    pub fn era_end_prices(&self) -> (i32, i32) {
        let costs = &self.board.config.costs;
        (costs.era_end_gold_per_progress_kept, costs.era_end_cubes_per_city_kept)
    }

    /// Returns the numbers of gold and of discs that make a point at the end of the game.
    #[inline]
    #[must_use]
    pub fn units_per_point(&self) -> (i32, i32) {
        let costs = &self.board.config.costs;
        (costs.end_gold_per_vp, costs.end_resource_per_vp)
    }

    /// Returns the food track: its lowest and highest step, points lost for a step short, food above the track for a
    /// gold, and the factor of the last turn.
    #[inline]
    #[must_use]
    pub fn food_track(&self) -> [i32; 5] {
        let t = &self.board.config.food_track;
        [
            t.min,
            t.max,
            t.vp_lost_per_food_below_min,
            t.food_above_max_per_gold,
            t.final_turn_multiplier,
        ]
    }

    /// Returns the price for taking back the discs of a seat on the action display in their present places, and their
    /// number by row.
    #[inline]
    #[must_use]
    pub fn own_discs(&self, s: &State, seat: usize) -> (i32, [i32; Row::COUNT]) {
        let (mut cost, mut number) = (0, [0; Row::COUNT]);
        for row in Row::ALL {
            let mut own = s.circles_of(row, seat);
            number[row as usize] = own.count_ones() as i32;
            while own != 0 {
                cost += s.discs_above(row, (own.trailing_zeros() / 4) as u8);
                own &= own - 1;
            }
        }
        (cost, number)
    }
}
