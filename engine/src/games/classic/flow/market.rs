//! Captives, destroying cities, purchase and placement (11).

use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::detail::Detail;
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{Place, PlaceSet};
use crate::games::classic::model::rows::{EXCHANGE, Last, Row};
use crate::games::classic::model::state::State;
use crate::games::shared::options::Options;
use crate::games::shared::units::{Troops, Unit};
use crate::player::Player;

/// The bit of a last choice after which no deal with that captor is left.
const DEALT: u8 = 63;

impl Classic {
    /// Returns the price factor (10.2).
    #[must_use]
    pub fn price_factor(&self, s: &State) -> u32 {
        self.board.config.income.inflation_factor[usize::from(s.level)] as u32
    }

    /// Returns the current price of a unit, in talents.
    #[must_use]
    pub fn price(&self, s: &State, unit: Unit) -> u32 {
        self.board.price[unit.idx()] * self.price_factor(s)
    }

    /// Returns the current prices of a city, a fortification and a road.
    pub(crate) fn building_prices(&self, s: &State) -> [u32; 3] {
        let p = &self.board.config.prices;
        [p.city, p.fort, p.road].map(|price| price as u32 * self.price_factor(s))
    }

    /// Visits the rows of the menu, until `visit` returns true.
    #[inline]
    pub(crate) fn market_rows(&self, s: &State, visit: &mut impl FnMut(Row) -> bool) {
        let player = s.turn;
        let mut show = |row: Row| row.set != 0 && visit(row);
        let (purse, own) = (u32::from(s.talents[player]), s.owned[player]);
        let has_home = self.has_home(s, player);
        let may_buy = has_home || self.board.v.home_lost_purchase;
        if has_home && self.deal_rows(s, &mut show) {
            return;
        }
        let mut set_row = |verb: Verb, places: PlaceSet| {
            !s.last.is_past(verb)
                && show(Row { verb, a: 0, set: s.last.later(verb, 0, places.bits()) })
        };
        if set_row(Verb::Raze, own & s.cities) {
            return;
        }
        if may_buy {
            let [city, fort, road] = self.building_prices(s);
            let stock = &self.board.config.stock;
            let is_left = |used: u32, stock: i64| i64::from(used) < stock;
            if purse >= city
                && is_left(s.cities.len(), stock.city)
                && set_row(Verb::BuyCity, own - s.cities)
            {
                return;
            }
            if purse >= fort
                && is_left(s.forts.len(), stock.fort)
                && set_row(Verb::BuyFort, (own & s.cities) - s.forts)
            {
                return;
            }
            let n_roads = s.road_bits().count_ones();
            if purse >= road && is_left(n_roads, stock.road) && self.road_rows(s, &mut show) {
                return;
            }
            if self.unit_rows(s, &mut show) {
                return;
            }
        }
        show(Row::DONE);
    }

    /// Visits the rows of deals (11.3).
    fn deal_rows(&self, s: &State, show: &mut impl FnMut(Row) -> bool) -> bool {
        if s.last.is_past(Verb::Ransom) {
            return false;
        }
        let player = s.turn;
        let purse = i64::from(s.talents[player]);
        self.players().filter(|&q| s.captives[q].of(player) > 0).any(|captor| {
            let offers = &self.board.config.income.ransom_offers;
            let n = offers.iter().filter(|&&offer| offer <= purse).count();
            let can_exchange = s.captives[player].of(captor) > 0 && self.has_home(s, captor);
            let set = ((1 << n) - 1) | u64::from(can_exchange) << EXCHANGE;
            let a = captor.number();
            show(Row { verb: Verb::Ransom, a, set: s.last.later(Verb::Ransom, a, set) })
        })
    }

    /// Visits the rows of roads (11.6).
    fn road_rows(&self, s: &State, show: &mut impl FnMut(Row) -> bool) -> bool {
        let built = s.road_bits();
        let towns = s.owned[s.turn] & s.cities;
        if s.last.is_past(Verb::BuyRoad) {
            return false;
        }
        towns.iter().any(|p| {
            let has_none =
                |&q: &Place| self.board.border(p, q).is_some_and(|border| built >> border & 1 == 0);
            let ends: PlaceSet =
                (towns & self.board.land[p.idx()]).above(p).iter().filter(has_none).collect();
            let a = p.number();
            show(Row { verb: Verb::BuyRoad, a, set: s.last.later(Verb::BuyRoad, a, ends.bits()) })
        })
    }

    /// Visits the rows of units (11.7).
    fn unit_rows(&self, s: &State, show: &mut impl FnMut(Row) -> bool) -> bool {
        let player = s.turn;
        let purse = u32::from(s.talents[player]);
        let first = if s.last.verb == Verb::BuyUnit { s.last.a } else { 0 };
        let mut limited = None;
        Unit::MILITARY.into_iter().skip(first.into()).any(|unit| {
            if s.pool[player][unit] == 0 || purse < self.price(s, unit) {
                return false;
            }
            let limited = *limited.get_or_insert_with(|| self.limited_grounds(s));
            let mut grounds = self.free_grounds(s, unit) | limited;
            if unit == Unit::Galley {
                grounds &= self.board.coastal;
            }
            let set = s.last.later(Verb::BuyUnit, unit as u8, grounds.bits());
            show(Row { verb: Verb::BuyUnit, a: unit as u8, set })
        })
    }

    /// Returns the places where the player in turn recruits without limit.
    fn free_grounds(&self, s: &State, unit: Unit) -> PlaceSet {
        self.free_grounds_of(s, s.turn, unit)
    }

    /// Returns the first province in which a player could recruit units without limit.
    pub(crate) fn depot(&self, s: &State, player: Player, unit: Unit) -> Option<Place> {
        let grounds = self.free_grounds_of(s, player, unit);
        let ports = if unit == Unit::Galley { grounds & self.board.coastal } else { grounds };
        ports.first()
    }

    fn free_grounds_of(&self, s: &State, player: Player, unit: Unit) -> PlaceSet {
        if !self.has_home(s, player) {
            return PlaceSet::EMPTY;
        }
        let home = self.home(player);
        let ports = self.board.galleys_at[home.idx()] & s.owned[player];
        PlaceSet::of(home) | if unit == Unit::Galley { ports } else { PlaceSet::EMPTY }
    }

    /// Returns the provinces in which the player in turn recruits up to a sum, as far as it is not used up.
    fn limited_grounds(&self, s: &State) -> PlaceSet {
        let v = &self.board.v;
        let mut grounds = PlaceSet::EMPTY;
        if v.recruit_city > 0 {
            grounds |= s.cities - s.new_cities;
        }
        if v.recruit_territory > 0 {
            grounds |= self.board.recruits;
        }
        if let Some(place) = s.caesar[s.turn].filter(|_| v.recruit_caesar > 0) {
            grounds.insert(place);
        }
        let is_open = |place: &Place| self.recruits_left(s, *place) > 0;
        (grounds & s.owned[s.turn]).iter().filter(is_open).collect()
    }

    /// Returns the rest of the sum of a province.
    fn recruits_left(&self, s: &State, place: Place) -> u8 {
        self.recruits(s, place) - s.spent[place.idx()].military()
    }

    /// Returns the sum up to which the player in turn recruits in a province.
    pub(crate) fn recruits(&self, s: &State, place: Place) -> u8 {
        let v = &self.board.v;
        let mut sum = 0;
        if s.caesar[s.turn] == Some(place) {
            sum += v.recruit_caesar;
        }
        if (s.cities - s.new_cities).contains(place) {
            sum += v.recruit_city;
        }
        if self.board.recruits.contains(place) {
            sum += v.recruit_territory;
        }
        sum as u8
    }

    pub(crate) fn choose_market(&self, s: &mut State, action: Action) {
        let [a, b, ..] = action.args;
        let player = s.turn;
        let [city, fort, road] = self.building_prices(s).map(i64::from);
        match action.verb {
            Verb::Ransom | Verb::Exchange => {
                let captor = Player::of(a);
                let offer = if action.verb == Verb::Exchange { EXCHANGE } else { b };
                s.last = Self::last_deal(captor);
                s.detail = Detail::Deal { captor, offer };
                s.ask(captor, Phase::Answer);
            }
            Verb::Raze => {
                s.last = Last::new(Verb::Raze, 0, a);
                self.raze(s, Place::new(a));
            }
            Verb::BuyCity => {
                s.last = Last::new(Verb::BuyCity, 0, a);
                s.cities.insert(Place::new(a));
                s.new_cities.insert(Place::new(a));
                s.pay(player, -city);
            }
            Verb::BuyFort => {
                s.last = Last::new(Verb::BuyFort, 0, a);
                s.forts.insert(Place::new(a));
                s.pay(player, -fort);
            }
            Verb::BuyRoad => {
                s.last = Last::new(Verb::BuyRoad, a, b);
                let border = self.board.border(Place::new(a), Place::new(b)).expect("a border");
                s.set_road_bits(s.road_bits() | 1 << border);
                s.pay(player, -road);
            }
            Verb::BuyUnit => {
                s.last = Last::new(Verb::BuyUnit, a, b);
                let unit = Unit::MILITARY[usize::from(a)];
                s.detail = Detail::Units { unit, place: Place::new(b) };
                s.phase = Phase::Buy;
            }
            _ => self.market_over(s),
        }
    }

    /// Returns the last choice of the menu after a deal with a captor.
    pub(crate) const fn last_deal(captor: Player) -> Last {
        Last::new(Verb::Ransom, captor.number(), DEALT)
    }

    /// Destroys a city (11.4).
    fn raze(&self, s: &mut State, place: Place) {
        s.cities.remove(place);
        s.forts.remove(place);
        s.set_road_bits(s.road_bits() & !self.board.borders_of[place.idx()]);
    }

    /// Applies the captor's answer to an offer (11.3).
    pub(crate) fn answer(&self, s: &mut State, action: Action) {
        let Detail::Deal { captor, offer } = s.detail else { unreachable!("a deal is offered") };
        let player = s.turn;
        if action.verb == Verb::Accept {
            if offer == EXCHANGE {
                s.captives[player].add(captor, -1);
                s.add_troops(captor, self.home(captor), Unit::General, 1);
            } else {
                let talents = self.board.config.income.ransom_offers[usize::from(offer)];
                s.pay_up_to(player, captor, talents);
            }
            s.captives[captor].add(player, -1);
            s.add_troops(player, self.home(player), Unit::General, 1);
        }
        s.detail = Detail::Nothing;
        s.ask(player, Phase::Market);
    }

    pub(crate) fn buy_options(&self, s: &State) -> Options {
        let Detail::Units { unit, place } = s.detail else { unreachable!("units are bought") };
        Options::range(1, self.most_units(s, unit, place).into())
    }

    /// Returns the number of units of a kind that the player in turn can still recruit in one of their recruiting
    /// provinces.
    pub(crate) fn most_units(&self, s: &State, unit: Unit, place: Place) -> u8 {
        let affordable = u32::from(s.talents[s.turn]).checked_div(self.price(s, unit));
        let most = affordable.unwrap_or(u32::MAX).min(s.pool[s.turn][unit].into()) as u8;
        if self.free_grounds(s, unit).contains(place) {
            return most;
        }
        most.min(self.recruits_left(s, place))
    }

    pub(crate) fn buy(&self, s: &mut State, number: u8) {
        let Detail::Units { unit, place } = s.detail else { unreachable!("units are bought") };
        let player = s.turn;
        s.pay(player, -i64::from(self.price(s, unit) * u32::from(number)));
        if !self.free_grounds(s, unit).contains(place) {
            // Only the number of recruits counts, not their type.
            s.spent[place.idx()].0 += Troops::one(Unit::Infantry) * u16::from(number);
        }
        if unit == Unit::Galley {
            s.pool[player][unit] -= number;
            s.galleys[place.idx()].add(player, number as i8);
        } else {
            Self::raise(s, player, place, unit, number);
        }
        s.detail = Detail::Nothing;
        s.ask(player, Phase::Market);
    }
}
