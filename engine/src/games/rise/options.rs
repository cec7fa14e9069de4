//! The options of a decision: found once when it comes up, then counted, listed, drawn and tested as bits or ranges.
//!
//! The two words of [`State::set`] depend on the phase:
//! - Free actions: 18 bits each (without a region, then by region) in the first; rows or discs (12 bits for each row)
//!   or the end in the second.
//! - Objects in the first; the option to take nothing in the second.
//! - Abandoning and regions in the first; being done in the second.
//! - Battles, five bits for each region, in both.
//! - Tiles in the first, and keeping in the second.
//! - Places in the first.
//!
//! Prices and goods of choice are ranges, which the words do not hold.

use super::Rise;
use super::action::Action;
use super::board::Source;
use super::state::{Phase, State};
use super::things::{
    City, CitySet, Empire, Good, MAX_CIRCLES, MAX_SEATS, N_REGIONS, Progress, ProgressSet, Region,
    RegionSet, Row, Territory, TradeBox,
};
use crate::bits::{each, nth};
use crate::player::Player;
use crate::rng::Randomness;

/// Number of bits of a free action.
const USE_BITS: u32 = N_REGIONS as u32 + 1;
/// Number of bits of a row.
const ROW_BITS: u32 = MAX_CIRCLES as u32;
/// Number of battles in the first word.
const FIRST_BATTLES: u32 = 64;

impl Rise {
    /// Finds the options of the decision that is due, and returns their number.
    pub(super) fn find_options(&self, s: &mut State) -> u32 {
        s.set = match s.phase {
            Phase::Disc => self.find_disc(s),
            Phase::Object => self.find_objects(s),
            Phase::To => self.find_to(s),
            Phase::Battle => self.find_battles(s),
            Phase::After => [self.find_uses(s), 1],
            Phase::Feed => self.find_keep(s, (self.board.hungry & self.own_cities(s)).bits(), 0, 0),
            Phase::Supply => self.find_supply(s),
            Phase::KeepProgress => {
                let (own, gold) = (s.progress[s.mover().idx()], s.gold[s.mover().idx()]);
                let price = self.board.config.costs.era_end_gold_per_progress_kept;
                self.find_keep(s, own.bits(), price, gold)
            }
            Phase::KeepCities => {
                let price = self.board.config.costs.era_end_cubes_per_city_kept;
                let pool = s.pool[s.mover().idx()];
                self.find_keep(s, self.own_cities(s).bits(), price, pool.into())
            }
            Phase::Seat => {
                let free = (0..self.n_players()).filter(|&place| s.next_order[place].is_none());
                [free.fold(0, |bits, place| bits | 1 << place), 0]
            }
            _ => [0, 0],
        };
        let n = match s.phase {
            Phase::Pay => self.count_payments(s),
            Phase::Count => self.most_cubes(s).into(),
            Phase::ChooseFood | Phase::ChooseGoods => self.count_takes(s),
            _ => s.set[0].count_ones() + s.set[1].count_ones(),
        };
        s.n_options = n as u16;
        n
    }

    fn n_players(&self) -> usize {
        self.board.n_players
    }

    pub(super) fn own_cities(&self, s: &State) -> CitySet {
        s.cities[s.mover().idx()]
    }

    // ---- free actions and discs (5.3, 5.4, 5.6)

    /// Returns the free actions that can be used now.
    #[inline]
    fn find_uses(&self, s: &State) -> u64 {
        let seat = s.mover().idx();
        let own = s.progress[seat] & self.board.with.free;
        if own.is_empty() {
            return 0;
        }
        let mut bits = 0;
        for (i, free) in self.board.free.iter().enumerate().skip(s.detail.window.into()) {
            let is_open = own.contains(free.tile)
                && s.used[seat] >> i & 1 == 0
                && s.detail.taken != Some(free.tile);
            if is_open {
                bits |= self.ways_to_use(s, seat, i) << (i as u32 * USE_BITS);
            }
        }
        bits
    }

    fn find_disc(&self, s: &State) -> [u64; 2] {
        let discs = if self.board.places_discs(s.turn) { self.rows(s) } else { own_discs(s) };
        // Without a circle or a disc the whole action lapses.
        let rests = self.board.outside.rests(s.turn, s.mover().idx(), s.round);
        if discs == 0 || rests { [0, 0] } else { [self.find_uses(s), discs] }
    }

    /// Returns the rows in which a disc may be placed.
    fn rows(&self, s: &State) -> u64 {
        let is_free = |row: &Row| s.n_discs(*row) < self.board.circles[*row as usize];
        let bit = |row: Row| 1 << (row as u32 * ROW_BITS);
        let free = Row::ALL.into_iter().filter(is_free);
        let all: u64 = free.clone().map(bit).sum();
        if self.board.config.action_display.a_turn_may_skip_action {
            return all;
        }
        let useful: u64 = free.filter(|&row| self.objects(s, row) != 0).map(bit).sum();
        if useful == 0 { all } else { useful }
    }

    // ---- objects (5.5)

    /// Returns the objects that the mover can take in a row, as bits.
    #[inline]
    pub(super) fn objects(&self, s: &State, row: Row) -> u64 {
        let (board, seat) = (&*self.board, s.mover().idx());
        let (gold, era) = (s.gold[seat], board.era(s.turn));
        let bits = match row {
            Row::Progress => {
                let mut open = ProgressSet::EMPTY;
                for age in 0..=era {
                    if board.config.costs.progress_gold_by_eras_old[age] <= gold {
                        open |= board.progress_by_era[era - age];
                    }
                }
                ((open & s.display.progress_set()) - s.progress[seat]).bits()
            }
            Row::Territory => s.display.territory_bits(),
            Row::City => {
                let off = self.discounts(s, seat);
                let is_paid = |city: &City| self.price_with(*city, off) <= gold;
                let open = (s.city_display - s.cities[seat]).iter().filter(is_paid);
                open.collect::<CitySet>().bits()
            }
            Row::Empire => s.empires.bits(),
            Row::Trade => {
                let free = board.boxes_by_era[era] - s.boxes;
                let is_paid = |&b: &TradeBox| board.trade_box(b).discs <= s.resource[seat];
                free.iter().filter(is_paid).fold(0, |bits, b| bits | 1 << b.number())
            }
        };
        bits & !self.board.outside.banned(s.turn, seat, row)
    }

    fn find_objects(&self, s: &State) -> [u64; 2] {
        let display = &self.board.config.action_display;
        let bits = self.objects(s, s.detail.row.expect("a disc was used"));
        let may_skip = if self.board.places_discs(s.turn) {
            display.a_turn_may_skip_action
        } else {
            display.b_turn_may_skip_action || bits == 0
        };
        [bits, may_skip.into()]
    }

    /// Returns the gold off the prices of cities and of wonders.
    #[inline]
    pub(super) fn discounts(&self, s: &State, seat: usize) -> [i32; 2] {
        let mut off = [0, 0];
        for tile in (s.progress[seat] & self.board.with.cities).iter() {
            let discount = self.board.tile(tile).discount;
            off = [off[0] + discount[0], off[1] + discount[1]];
        }
        off
    }

    #[inline]
    pub(super) fn price_with(&self, city: City, off: [i32; 2]) -> i32 {
        let facts = self.board.city(city);
        (facts.gold - off[usize::from(facts.is_wonder)]).max(0)
    }

    // ---- payments (2.1) and goods of choice (2.3)

    /// Returns the largest amount that the mover can pay now in the currency with this number.
    fn most_payment(&self, s: &State, currency: usize) -> i32 {
        let currencies = &self.board.config.action_display.b_turn_cost_currencies;
        let due = i32::from(s.detail.due);
        match currencies[currency] {
            Good::Vp => due,
            good => self.purse(s, s.mover().idx(), good).min(due),
        }
    }

    /// Returns the number of ways to pay in that currency: 1 to all that the mover has, or all that is due.
    fn payments_in(&self, s: &State, currency: usize) -> u32 {
        let currencies = &self.board.config.action_display.b_turn_cost_currencies;
        let most = self.most_payment(s, currency) as u32;
        if currency + 1 == currencies.len() { u32::from(most > 0) } else { most }
    }

    fn currencies(&self, s: &State) -> std::ops::Range<usize> {
        s.detail.next.into()..self.board.config.action_display.b_turn_cost_currencies.len()
    }

    fn count_payments(&self, s: &State) -> u32 {
        self.currencies(s).map(|currency| self.payments_in(s, currency)).sum()
    }

    fn payment(&self, s: &State, mut k: u32) -> Action {
        let currencies = &self.board.config.action_display.b_turn_cost_currencies;
        for currency in self.currencies(s) {
            let n = self.payments_in(s, currency);
            if k < n {
                let is_last = currency + 1 == currencies.len();
                let units = if is_last { s.detail.due } else { k as u8 + 1 };
                return Action::Pay(currencies[currency], units);
            }
            k -= n;
        }
        unreachable!("an option of a payment")
    }

    /// Returns the source whose goods are being chosen.
    pub(super) fn source(&self, s: &State) -> &Source {
        let without_food = usize::from(s.phase == Phase::ChooseGoods);
        &self.board.choices[without_food][usize::from(s.detail.source)]
    }

    fn count_takes(&self, s: &State) -> u32 {
        if s.detail.left == 0 {
            return 0;
        }
        let later = self.source(s).kinds.len() as u32 - 1 - u32::from(s.detail.next);
        later * u32::from(s.detail.left) + 1
    }

    fn take(&self, s: &State, k: u32) -> Action {
        let (kinds, left) = (&self.source(s).kinds, u32::from(s.detail.left));
        let kind = usize::from(s.detail.next) + (k / left) as usize;
        let is_last = kind + 1 == kinds.len();
        let units = if is_last { left } else { k % left + 1 };
        Action::Take(kinds[kind], units as u8)
    }

    // ---- regions (9.3 to 9.5) and battles (10)

    fn find_to(&self, s: &State) -> [u64; 2] {
        let to = self.regions_to(s);
        let is_rooted = self.is_rooted(s);
        let is_started = !s.detail.chosen.is_empty();
        let may_be_zero = self.board.config.empire_rules.zero_cubes_allowed || to.is_empty();
        let is_done = if is_started { is_rooted } else { !s.detail.has_abandoned && may_be_zero };
        [to.bits() << 1 | u64::from(s.detail.may_abandon), is_done.into()]
    }

    /// Returns whether the chosen regions can be the final ones (9.5).
    pub(super) fn is_rooted(&self, s: &State) -> bool {
        !s.detail.is_newcomer || self.has_root(s.detail.chosen & self.board.old_world)
    }

    /// Returns the largest number of cubes that can go into the chosen region.
    pub(super) fn most_cubes(&self, s: &State) -> u8 {
        s.pool[s.mover().idx()] - u8::from(!self.is_rooted(s))
    }

    fn find_battles(&self, s: &State) -> [u64; 2] {
        let seat = s.mover().idx();
        let Some(line) = self.line(s) else { return [0, 0] };
        let mut bits = 0u128;
        let least = line.attacker.max(1);
        let is_equal = s.detail.line > 0 && self.line_number(s, 0) == line;
        let mut regions = s.held(seat);
        if is_equal {
            match s.detail.fought {
                Some(region) => regions = regions.above(region),
                None => return [0, 1 << (NO_BATTLE - FIRST_BATTLES)],
            }
        } else if let Some(region) = s.detail.fought {
            regions.remove(region);
        }
        for region in regions.iter() {
            let here = s.map[region.idx()];
            if i32::from(here[seat]) < least {
                continue;
            }
            for (other, &cubes) in here.iter().enumerate() {
                let loses = || {
                    self.defended(s, other, line.defender) > 0 && s.alliance[other] != Some(region)
                };
                if other != seat && cubes > 0 && loses() {
                    bits |= 1 << (region.idx() * MAX_SEATS + other);
                }
            }
        }
        bits |= 1 << NO_BATTLE;
        [bits as u64, (bits >> 64) as u64]
    }

    // ---- keeping (2.2)

    /// Returns the options to drop and to keep tiles that each cost `price`.
    fn find_keep(&self, s: &State, tiles: u64, price: i32, purse: i32) -> [u64; 2] {
        let mut cost = 0;
        let mut drops = 0;
        for tile in each(tiles) {
            if tile >= s.detail.next && cost <= purse {
                drops |= 1 << tile;
            }
            cost += price;
        }
        [drops, u64::from(cost <= purse)]
    }

    fn find_supply(&self, s: &State) -> [u64; 2] {
        let purse = i32::from(s.resource[s.mover().idx()]);
        let mut cost = 0;
        let mut drops = 0;
        for city in (self.own_cities(s) & self.board.costly).iter() {
            if city.number() >= s.detail.next && cost <= purse {
                drops |= 1 << city.number();
            }
            cost += i32::from(self.board.city(city).resource);
        }
        [drops, u64::from(cost <= purse)]
    }

    // ---- options as actions

    /// Returns the option with the number `k`.
    #[inline]
    pub(super) fn option(&self, s: &State, k: u32) -> Action {
        match s.phase {
            Phase::Pay => return self.payment(s, k),
            Phase::Count => return Action::Count(k as u8 + 1),
            Phase::ChooseFood | Phase::ChooseGoods => return self.take(s, k),
            _ => {}
        }
        let n = s.set[0].count_ones();
        if k < n {
            self.first_word(s, nth(s.set[0], k))
        } else {
            self.second_word(s, nth(s.set[1], k - n))
        }
    }

    fn first_word(&self, s: &State, bit: u8) -> Action {
        match s.phase {
            Phase::Disc | Phase::After => {
                let free = self.board.free[usize::from(bit) / USE_BITS as usize].tile;
                let region = u32::from(bit) % USE_BITS;
                Action::Use(free, region.checked_sub(1).map(|r| Region::new(r as u8)))
            }
            Phase::Object => match s.detail.row.expect("a disc was used") {
                Row::Progress => Action::Progress(Progress::new(bit)),
                Row::Territory => Action::Territory(Territory::new(bit)),
                Row::City => Action::City(City::new(bit)),
                Row::Empire => Action::Empire(Empire::new(bit)),
                Row::Trade => Action::Trade(TradeBox::new(bit)),
            },
            Phase::To if bit == 0 => Action::Abandon,
            Phase::To => Action::To(Region::new(bit - 1)),
            Phase::Battle => battle(bit.into()),
            Phase::Feed | Phase::Supply | Phase::KeepCities => Action::DropCity(City::new(bit)),
            Phase::KeepProgress => Action::DropProgress(Progress::new(bit)),
            Phase::Seat => Action::Seat(bit + 1),
            _ => unreachable!("{:?} has no bits", s.phase),
        }
    }

    fn second_word(&self, s: &State, bit: u8) -> Action {
        match s.phase {
            Phase::Disc => {
                let row = Row::ALL[usize::from(bit) / MAX_CIRCLES];
                if self.board.places_discs(s.turn) {
                    Action::Place(row)
                } else {
                    Action::Remove(row, bit % MAX_CIRCLES as u8 + 1)
                }
            }
            Phase::After => Action::End,
            Phase::Object => Action::Skip,
            Phase::To => Action::Done,
            Phase::Battle => battle(u32::from(bit) + 64),
            Phase::Feed | Phase::Supply | Phase::KeepCities | Phase::KeepProgress => Action::Keep,
            _ => unreachable!("{:?} has no bits", s.phase),
        }
    }

    /// Appends the options of the decision that is due.
    pub(super) fn list(&self, s: &State, out: &mut Vec<Action>) {
        match s.phase {
            Phase::Pay | Phase::Count | Phase::ChooseFood | Phase::ChooseGoods => {
                out.extend((0..u32::from(s.n_options)).map(|k| self.option(s, k)));
            }
            _ => {
                out.extend(each(s.set[0]).map(|bit| self.first_word(s, bit)));
                out.extend(each(s.set[1]).map(|bit| self.second_word(s, bit)));
            }
        }
    }

    /// Returns whether an action is an option of the decision that is due.
    pub(super) fn is_option(&self, s: &State, action: Action) -> bool {
        (0..u32::from(s.n_options)).any(|k| self.option(s, k) == action)
    }

    /// Returns a uniformly random option.
    #[inline]
    pub(super) fn random_option<R: Randomness + ?Sized>(&self, s: &State, rng: &mut R) -> Action {
        self.option(s, rng.below(s.n_options.into()))
    }

    /// Returns the regions that can get the next cubes (9.5).
    fn regions_to(&self, s: &State) -> RegionSet {
        let (detail, pool) = (&s.detail, s.pool[s.mover().idx()]);
        if detail.areas == 0 || pool == 0 {
            return RegionSet::EMPTY;
        }
        let mut later = detail.may;
        if let Some(region) = detail.region {
            later = later.above(region);
        }
        for zone in self.full_zones(detail.chosen) {
            later -= zone;
        }
        if !detail.is_newcomer {
            return later;
        }
        let (chosen, old_world) = (detail.chosen & self.board.old_world, self.board.old_world);
        let is_rooted = self.has_root(chosen);
        let may_wait = detail.areas >= 2 && pool >= 2;
        let is_good = |&region: &Region| {
            if !old_world.contains(region) {
                return is_rooted;
            }
            let with = chosen.with(region, true);
            let beside = || {
                with.iter().fold(detail.may & old_world, |all, one| {
                    all & self.board.region(one).neighbours
                })
            };
            self.has_root(with) || may_wait && !beside().above(region).is_empty()
        };
        later.iter().filter(is_good).collect()
    }

    /// Returns the zones closed to this action, because it has placed cubes in the allowed number of other zones.
    fn full_zones(&self, chosen: RegionSet) -> impl Iterator<Item = RegionSet> {
        let entered = |zone: &&RegionSet| !(**zone & chosen).is_empty();
        let n = self.board.zones.iter().filter(entered).count() as i32;
        let is_full = n >= self.board.config.map_rules.zones_per_action;
        self.board.zones.into_iter().filter(move |&zone| is_full && (zone & chosen).is_empty())
    }

    /// Returns whether one of these regions has all the others as neighbours, or the set is empty (9.5).
    #[inline]
    pub(super) fn has_root(&self, regions: RegionSet) -> bool {
        regions.len() < 2
            || regions.iter().any(|region| {
                let others = regions.with(region, false);
                (others - self.board.region(region).neighbours).is_empty()
            })
    }
}

/// The bit that stands for no battle.
const NO_BATTLE: u32 = (N_REGIONS * MAX_SEATS) as u32;

fn battle(bit: u32) -> Action {
    if bit == NO_BATTLE {
        return Action::NoBattle;
    }
    let (region, seat) = (bit / MAX_SEATS as u32, bit % MAX_SEATS as u32);
    Action::Battle(Region::new(region as u8), Player::new(seat as usize))
}

/// Returns the circles with discs of the mover.
fn own_discs(s: &State) -> u64 {
    let own = s.mover().idx();
    let mut bits = 0;
    for row in Row::ALL {
        let mut discs = s.discs[row as usize];
        let mut circle = 0;
        while discs != 0 {
            if discs & 0xf == own as u64 + 1 {
                bits |= 1 << (row as u32 * ROW_BITS + circle);
            }
            discs >>= 4;
            circle += 1;
        }
    }
    bits
}
