//! The actions of a turn (5): discs and their price, objects, free actions, trade (11).

use super::Rise;
use super::action::Action;
use super::board::Act;
use super::state::{Detail, Phase, State};
use super::things::{City, Good, Goods, MAX_SEATS, Progress, Region, RegionSet, Row, TradeBox};
use crate::player::Player;

impl Rise {
    /// Carries out an action and every forced step after it.
    #[inline]
    pub(super) fn carry_out(&self, s: &mut State, action: Action) {
        if s.closing.is_shown {
            s.closing = Default::default();
        }
        self.step(s, action);
        self.settle(s);
    }

    /// Goes on until a player has a choice, chance acts, or the game is over.
    pub(super) fn settle(&self, s: &mut State) {
        loop {
            let is_at_rest = matches!(
                s.phase,
                Phase::Order | Phase::DrawProgress | Phase::DrawTerritory | Phase::Over
            );
            if is_at_rest {
                (s.set, s.n_options) = ([0; 2], 0);
                return;
            }
            match self.find_options(s) {
                0 => self.go_on(s),
                1 => self.step(s, self.option(s, 0)),
                _ => return,
            }
        }
    }

    fn step(&self, s: &mut State, action: Action) {
        match action {
            Action::Order(player) => self.place_in_order(s, player),
            Action::DrawProgress(_) | Action::DrawTerritory(_) => self.draw_comes(s, action),
            Action::Place(row) => self.place_disc(s, row),
            Action::Remove(row, circle) => self.remove_disc(s, row, circle - 1),
            Action::Use(tile, region) => self.use_tile(s, tile, region),
            Action::Pay(currency, n) => self.pay(s, currency, n),
            Action::Progress(tile) => self.take_progress(s, tile),
            Action::Territory(tile) => {
                let seat = s.mover().idx();
                s.display.territory[tile.idx()] -= 1;
                s.territory[seat][tile.idx()] += 1;
                self.after_object(s);
            }
            Action::City(city) => self.take_city(s, city),
            Action::Empire(tile) => self.take_empire(s, tile),
            Action::Trade(number) => self.trade(s, number),
            Action::Skip => self.after_object(s),
            Action::Abandon => self.abandon(s),
            Action::To(region) => self.choose_region(s, region),
            Action::Count(n) => self.put_cubes(s, n),
            Action::Done => self.begin_battles(s),
            Action::Battle(region, rival) => self.fight(s, Some((region, rival))),
            Action::NoBattle => self.fight(s, None),
            Action::End => self.end_action(s),
            Action::DropProgress(_) | Action::DropCity(_) => self.drop_tile(s, action),
            Action::Keep => self.keep(s),
            Action::Take(good, n) => self.take_goods(s, good, n),
            Action::Seat(place) => self.take_seat(s, place),
        }
    }

    /// Makes the next step where there is no choice.
    fn go_on(&self, s: &mut State) {
        match s.phase {
            // The action lapses.
            Phase::Disc => self.end_action(s),
            Phase::Pay if self.board.config.action_display.b_turn_pay_before_action => {
                s.phase = Phase::Object;
            }
            Phase::Pay => self.begin_window(s, Phase::After),
            Phase::Object | Phase::Battle => self.after_object(s),
            phase => unreachable!("{phase:?} always has an option"),
        }
    }

    // ---- the course of the six rounds (5.1)

    /// Begins the action of the player whose place in the order has come.
    pub(super) fn begin_action(&self, s: &mut State) {
        s.detail = Detail::default();
        self.begin_window(s, Phase::Disc);
    }

    fn begin_window(&self, s: &mut State, phase: Phase) {
        (s.phase, s.detail.window) = (phase, 0);
    }

    fn end_action(&self, s: &mut State) {
        s.at += 1;
        if usize::from(s.at) == self.board.n_players {
            (s.at, s.round) = (0, s.round + 1);
        }
        if s.round < self.board.config.stock.actions_per_turn {
            return self.begin_action(s);
        }
        if !self.board.places_discs(s.turn) {
            // The only discs left are of actions that were taken from their owner.
            s.discs = Default::default();
        }
        s.detail = Detail::default();
        (s.alliance, s.used) = ([None; MAX_SEATS], [0; MAX_SEATS]);
        self.begin_food(s);
    }

    // ---- discs (5.3, 5.4) and their price (2.1)

    fn place_disc(&self, s: &mut State, row: Row) {
        let circle = s.n_discs(row);
        s.discs[row as usize] |= (s.mover().idx() as u64 + 1) << (4 * circle);
        s.detail.row = Some(row);
        s.phase = Phase::Object;
    }

    fn remove_disc(&self, s: &mut State, row: Row, circle: u8) {
        let display = &self.board.config.action_display;
        let price = display.b_turn_cost_per_disc_to_the_left * s.discs_above(row, circle);
        s.discs[row as usize] &= !(0xf << (4 * circle));
        (s.detail.row, s.detail.due) = (Some(row), price as u8);
        s.phase = if display.b_turn_pay_before_action { Phase::Pay } else { Phase::Object };
    }

    fn pay(&self, s: &mut State, currency: Good, n: u8) {
        let seat = s.mover().idx();
        let mut cost = Goods::default();
        cost[currency] = n.into();
        self.spend(s, seat, cost);
        s.detail.due -= n;
        let currencies = &self.board.config.action_display.b_turn_cost_currencies;
        let at = currencies.iter().position(|&c| c == currency).expect("one of the currencies");
        s.detail.next = at as u8 + 1;
    }

    /// Goes on after the object and all its effects.
    fn after_object(&self, s: &mut State) {
        let is_paid = self.board.config.action_display.b_turn_pay_before_action;
        if is_paid || self.board.places_discs(s.turn) {
            return self.begin_window(s, Phase::After);
        }
        (s.phase, s.detail.next) = (Phase::Pay, 0);
    }

    // ---- giving and taking goods (1)

    /// Returns the amount of a kind of goods of a seat; for food the amount that it can pay.
    #[inline]
    pub(super) fn purse(&self, s: &State, seat: usize, good: Good) -> i32 {
        match good {
            Good::Food => i32::from(s.food[seat]) - self.board.config.food_track.min,
            Good::Gold => s.gold[seat],
            Good::Resource => s.resource[seat].into(),
            Good::Cubes => s.pool[seat].into(),
            Good::Vp => s.vp[seat],
        }
    }

    /// Takes goods from a seat, which must have them.
    pub(super) fn spend(&self, s: &mut State, seat: usize, cost: Goods) {
        s.gold[seat] -= cost[Good::Gold];
        s.vp[seat] -= cost[Good::Vp];
        s.food[seat] -= cost[Good::Food] as i16;
        s.resource[seat] -= cost[Good::Resource] as u8;
        s.pool[seat] -= cost[Good::Cubes] as u8;
        s.stock[seat] += cost[Good::Cubes] as u8;
    }

    /// Returns the number of discs in the supply (1.4).
    #[must_use]
    pub fn supply(&self, s: &State) -> i32 {
        let held: i32 = s.resource.iter().map(|&n| i32::from(n)).sum();
        self.board.config.stock.resource_discs - held - i32::from(s.on_trade)
    }

    /// Gives goods other than food to a seat, as far as stock and supply go (1.2, 1.4).
    pub(super) fn give(&self, s: &mut State, seat: usize, gain: Goods) {
        s.gold[seat] += gain[Good::Gold];
        s.vp[seat] += gain[Good::Vp];
        let discs = gain[Good::Resource].min(self.supply(s)) as u8;
        s.resource[seat] += discs;
        let cubes = gain[Good::Cubes].min(s.stock[seat].into()) as u8;
        s.stock[seat] -= cubes;
        s.pool[seat] += cubes;
    }

    // ---- objects (5.5) other than empire tiles

    fn take_progress(&self, s: &mut State, tile: Progress) {
        let seat = s.mover().idx();
        s.gold[seat] -= self.board.progress_price(tile, self.board.era(s.turn));
        s.display.progress[tile.idx()] -= 1;
        s.progress[seat].insert(tile);
        s.detail.taken = Some(tile);
        self.after_object(s);
    }

    fn take_city(&self, s: &mut State, city: City) {
        let seat = s.mover().idx();
        s.gold[seat] -= self.price_with(city, self.discounts(s, seat));
        s.city_display.remove(city);
        let facts = self.board.city(city);
        if facts.is_wonder {
            s.vp[seat] += facts.income[Good::Vp];
        } else {
            s.cities[seat].insert(city);
        }
        self.after_object(s);
    }

    fn trade(&self, s: &mut State, number: TradeBox) {
        let seat = s.mover().idx();
        let facts = self.board.trade_box(number);
        s.resource[seat] -= facts.discs;
        if !self.board.config.stock.resource_discs_on_trade_track_are_in_supply {
            s.on_trade += facts.discs;
        }
        s.boxes.insert(number);
        let mut gain = facts.gain;
        for tile in (s.progress[seat] & self.board.with.trade).iter() {
            gain += self.board.tile(tile).trade_bonus;
        }
        self.give(s, seat, gain);
        self.after_object(s);
    }

    // ---- free actions (5.6, 6.3)

    /// Returns the ways in which a seat can use the free action `i`, without a region in the lowest bit, then by
    /// region.
    pub(super) fn ways_to_use(&self, s: &State, seat: usize, i: usize) -> u64 {
        let free = &self.board.free[i];
        let can_pay = |good: Good| {
            let cost = free.cost[good];
            cost == 0 || cost <= self.purse(s, seat, good)
        };
        if ![Good::Food, Good::Gold, Good::Resource, Good::Cubes].into_iter().all(can_pay) {
            return 0;
        }
        let regions = match free.act {
            Act::Gain(_) => return 1,
            Act::Alliance if s.alliance[seat].is_some() => RegionSet::EMPTY,
            Act::Alliance => s.held(seat),
            Act::Place { cubes, water } => {
                let stock = i32::from(s.stock[seat]) + free.cost[Good::Cubes];
                if stock < cubes.into() { RegionSet::EMPTY } else { self.open(s, seat, water) }
            }
        };
        regions.bits() << 1
    }

    fn use_tile(&self, s: &mut State, tile: Progress, region: Option<Region>) {
        let seat = s.mover().idx();
        let all = &self.board.free;
        let i = all.iter().position(|free| free.tile == tile).expect("a tile with a free action");
        self.spend(s, seat, all[i].cost);
        s.used[seat] |= 1 << i;
        s.detail.window = i as u8 + 1;
        match (all[i].act, region) {
            (Act::Gain(gain), _) => self.give(s, seat, gain),
            (Act::Alliance, region) => s.alliance[seat] = region,
            (Act::Place { cubes, .. }, Some(region)) => {
                s.stock[seat] -= cubes;
                s.map[region.idx()][seat] += cubes;
            }
            (Act::Place { .. }, None) => unreachable!("cubes go somewhere"),
        }
    }

    /// Returns the regions that are open to a seat, with or without water (9.2).
    #[inline]
    pub(super) fn open(&self, s: &State, seat: usize, water: bool) -> RegionSet {
        let (board, era) = (&*self.board, self.board.era(s.turn));
        let old_world = board.old_world_by_era[era];
        if !water {
            return old_world - board.sea;
        }
        if self.zones_are_open(s, seat, era) { old_world | self.zones() } else { old_world }
    }

    pub(super) fn zones(&self) -> RegionSet {
        self.board.zones[0] | self.board.zones[1]
    }

    /// Returns whether the two zones are open to a seat in an era, from 0, if it has water (9.2).
    pub(super) fn zones_are_open(&self, s: &State, seat: usize, era: usize) -> bool {
        let rules = &self.board.config.map_rules;
        let era = era as i32 + 1;
        if era < rules.zones_open_from_era {
            return false;
        }
        let navigates = |seat: usize| !(s.progress[seat] & self.board.with.navigation).is_empty();
        era != rules.zones_need_navigation_in_era
            || match rules.navigation_scope.as_str() {
                "owner" => navigates(seat),
                _ => Player::all(self.board.n_players).any(|player| navigates(player.idx())),
            }
    }
}
