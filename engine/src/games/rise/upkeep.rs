//! The upkeep after the actions of a turn: food, income, points, turn order, the end of an era and of the game (12 to
//! 17).

use super::Rise;
use super::action::Action;
use super::state::{Detail, Phase, State};
use super::things::{CitySet, Good, Goods, MAX_SEATS, N_REGIONS, N_TERRITORIES, N_TURNS, Region};
use crate::player::{Player, PlayerSet};

/// The ranking of players in a region (2.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// The players with most cubes there: one alone controls the region, several share the first place.
    pub first: PlayerSet,
    /// The players behind a sole leader.
    pub second: PlayerSet,
}

impl Rise {
    /// Returns the ranking of players in a region (2.4).
    #[inline]
    #[must_use]
    pub fn standing(&self, s: &State, region: Region) -> Standing {
        let here = s.map[region.idx()];
        let with = |n: u8| {
            let seats = (0..MAX_SEATS).filter(|&seat| n > 0 && here[seat] == n);
            seats.map(Player::new).collect::<PlayerSet>()
        };
        let most = here.into_iter().max().unwrap_or_default();
        let first = with(most);
        if first.len() > 1 {
            return Standing { first, second: PlayerSet::EMPTY };
        }
        let next = here.into_iter().filter(|&n| n < most).max().unwrap_or_default();
        Standing { first, second: with(next) }
    }

    /// Returns the goods that tiles give a seat every turn, without regions and choices: food of 12.3, goods of 13.2,
    /// points of 14.1.
    #[must_use]
    pub fn tile_income(&self, s: &State, seat: usize) -> Goods {
        let mut sum = Goods::default();
        for i in 0..N_TERRITORIES {
            let n = i32::from(s.territory[seat][i]);
            if n > 0 {
                sum += self.board.territories[i].income * n;
            }
        }
        for city in s.cities[seat].iter() {
            sum += self.board.city(city).income;
        }
        for tile in (s.progress[seat] & self.board.with.upkeep).iter() {
            let facts = self.board.tile(tile);
            sum += facts.gain;
            if let Some((territory, gain)) = facts.per_tile {
                sum += gain * s.territory(seat, territory);
            }
        }
        sum
    }

    /// Returns the goods that the symbols of regions give a seat (13.2).
    #[must_use]
    pub fn region_income(&self, s: &State, seat: usize) -> Goods {
        let mut sum = Goods::default();
        for region in self.board.with_symbol.iter() {
            let n = self.first_with(s, region, seat);
            if n > 0 {
                sum += self.board.region(region).symbol.shared_by(n as i32);
            }
        }
        sum
    }

    /// Returns the number of seats in the first place of a region if this seat is among them, and 0 otherwise.
    #[inline]
    #[must_use]
    pub fn first_with(&self, s: &State, region: Region, seat: usize) -> usize {
        let here = s.map[region.idx()];
        let own = here[seat];
        if own == 0 || here.iter().any(|&n| n > own) {
            return 0;
        }
        here.iter().filter(|&&n| n == own).count()
    }

    /// Returns the points of every seat for regions, including those of progress tiles (14).
    #[must_use]
    pub fn region_points(&self, s: &State) -> [i32; MAX_SEATS] {
        let mut points = [0; MAX_SEATS];
        let (mut controlled, mut present) = ([0; MAX_SEATS], [0; MAX_SEATS]);
        let has_second =
            self.board.n_players > 2 || self.board.config.map_rules.second_place_in_2p_game;
        for region in Region::first(N_REGIONS) {
            let [a, b] = self.board.region(region).vp;
            let b = if has_second { b } else { 0 };
            let Standing { first, second } = self.standing(s, region);
            for (seat, cubes) in s.map[region.idx()].iter().enumerate() {
                present[seat] += i32::from(*cubes > 0);
            }
            if let (1, Some(leader)) = (first.len(), first.lowest()) {
                controlled[leader.idx()] += 1;
                points[leader.idx()] += a;
                let n = second.len().max(1) as i32;
                second.iter().for_each(|player| points[player.idx()] += b / n);
            } else {
                let n = first.len().max(1) as i32;
                first.iter().for_each(|player| points[player.idx()] += (a + b) / n);
            }
        }
        for (seat, points) in points.iter_mut().enumerate() {
            for tile in (s.progress[seat] & self.board.with.upkeep).iter() {
                if let Some(per) = self.board.tile(tile).per_region {
                    let n = if per.is_control { controlled[seat] } else { present[seat] };
                    *points += (per.vp * n).min(per.most);
                }
            }
        }
        points
    }

    // ---- food (12)

    pub(super) fn begin_food(&self, s: &mut State) {
        (s.at, s.phase) = (0, Phase::Feed);
    }

    /// Returns the factor on gains and losses of food in this turn.
    fn multiplier(&self, turn: u8) -> i32 {
        let is_final = usize::from(turn) + 1 == N_TURNS;
        if is_final { self.board.config.food_track.final_turn_multiplier } else { 1 }
    }

    /// Returns the food that a seat gains or loses at the end of this turn, without choices.
    #[must_use]
    pub fn food_due(&self, s: &State, seat: usize) -> i32 {
        let sum = self.tile_income(s, seat)[Good::Food] + self.region_income(s, seat)[Good::Food];
        sum * self.multiplier(s.turn)
    }

    fn move_food(&self, s: &mut State) {
        let (seat, track) = (s.mover().idx(), &self.board.config.food_track);
        let chosen = i32::from(s.detail.food) * self.multiplier(s.turn);
        let food = i32::from(s.food[seat]) + self.food_due(s, seat) + chosen;
        s.vp[seat] -= (track.min - food).max(0) * track.vp_lost_per_food_below_min;
        s.gold[seat] += (food - track.max).max(0) / track.food_above_max_per_gold;
        s.food[seat] = food.clamp(track.min, track.max) as i16;
    }

    // ---- goods of choice (2.3, 12.2, 13.1)

    fn begin_choice(&self, s: &mut State, phase: Phase) {
        s.phase = phase;
        self.seek_source(s, 0);
    }

    /// Goes to the first source from `first` on that leaves a choice, or to the phase after all of them.
    fn seek_source(&self, s: &mut State, first: u8) {
        let without_food = usize::from(s.phase == Phase::ChooseGoods);
        let seat = s.mover().idx();
        let sources = &self.board.choices[without_food];
        for (i, source) in sources.iter().enumerate().skip(first.into()) {
            let is_his = source.of.is_none_or(|tile| s.progress[seat].contains(tile));
            let units = source.amount * s.territory(seat, source.tile);
            if is_his && units > 0 {
                (s.detail.source, s.detail.left, s.detail.next) = (i as u8, units as u8, 0);
                return;
            }
        }
        (s.detail.source, s.detail.left) = (0, 0);
        if s.phase == Phase::ChooseFood {
            self.move_food(s);
            self.next_player(s, Phase::Feed, Self::begin_income);
        } else {
            self.receive(s);
            (s.phase, s.detail.next) = (Phase::Supply, 0);
        }
    }

    pub(super) fn take_goods(&self, s: &mut State, good: Good, n: u8) {
        let seat = s.mover().idx();
        match good {
            Good::Food => s.detail.food += u16::from(n),
            Good::Gold => s.chosen[seat][0] += u16::from(n),
            Good::Resource => s.chosen[seat][1] += u16::from(n),
            Good::Cubes => s.chosen[seat][2] += u16::from(n),
            Good::Vp => unreachable!("points are never chosen"),
        }
        s.detail.left -= n;
        if s.detail.left == 0 {
            return self.seek_source(s, s.detail.source + 1);
        }
        let kinds = &self.source(s).kinds;
        let at = kinds.iter().position(|&kind| kind == good).expect("a kind of the list");
        s.detail.next = at as u8 + 1;
    }

    /// Goes to `phase` for the next player in turn order, or calls `then` after the last.
    fn next_player(&self, s: &mut State, phase: Phase, then: fn(&Self, &mut State)) {
        (s.at, s.phase, s.detail) = (s.at + 1, phase, Detail::default());
        if usize::from(s.at) == self.board.n_players {
            s.at = 0;
            then(self, s);
        } else if phase == Phase::ChooseGoods {
            self.seek_source(s, 0);
        }
    }

    // ---- income (13) and points (14)

    fn begin_income(&self, s: &mut State) {
        s.detail = Detail::default();
        self.begin_choice(s, Phase::ChooseGoods);
    }

    fn receive(&self, s: &mut State) {
        let seat = s.mover().idx();
        let mut gain = self.tile_income(s, seat) + self.region_income(s, seat);
        let [gold, resource, cubes] = std::mem::take(&mut s.chosen[seat]);
        gain[Good::Gold] += i32::from(gold);
        gain[Good::Resource] += i32::from(resource);
        gain[Good::Cubes] += i32::from(cubes);
        gain[Good::Vp] = 0;
        self.give(s, seat, gain);
    }

    fn score(&self, s: &mut State) {
        let regions = self.region_points(s);
        for (seat, points) in regions.into_iter().enumerate().take(self.board.n_players) {
            s.vp[seat] += points + self.tile_income(s, seat)[Good::Vp];
        }
        if usize::from(s.turn) + 1 == N_TURNS {
            return self.end_game(s);
        }
        self.begin_turn_order(s);
    }

    // ---- keeping (2.2)

    pub(super) fn drop_tile(&self, s: &mut State, action: Action) {
        let seat = s.mover().idx();
        s.detail.next = match action {
            Action::DropProgress(tile) => {
                s.progress[seat].remove(tile);
                tile.number() + 1
            }
            Action::DropCity(city) => {
                s.cities[seat].remove(city);
                city.number() + 1
            }
            _ => unreachable!("{action:?} gives up nothing"),
        };
    }

    /// Pays for all tiles that are left.
    pub(super) fn keep(&self, s: &mut State) {
        let seat = s.mover().idx();
        let costs = &self.board.config.costs;
        match s.phase {
            Phase::Feed => self.begin_choice(s, Phase::ChooseFood),
            Phase::Supply => {
                let fed: CitySet = s.cities[seat] & self.board.costly;
                fed.iter().for_each(|city| s.resource[seat] -= self.board.city(city).resource);
                self.next_player(s, Phase::ChooseGoods, Self::score);
            }
            Phase::KeepProgress => {
                let n = s.progress[seat].len() as i32;
                s.gold[seat] -= n * costs.era_end_gold_per_progress_kept;
                (s.phase, s.detail.next) = (Phase::KeepCities, 0);
            }
            _ => {
                let n = s.cities[seat].len() as i32;
                let paid = (n * costs.era_end_cubes_per_city_kept) as u8;
                s.pool[seat] -= paid;
                s.stock[seat] += paid;
                self.next_player(s, Phase::KeepProgress, Self::decline);
            }
        }
    }

    // ---- turn order (15)

    fn begin_turn_order(&self, s: &mut State) {
        self.list_choosers(s);
        (s.at, s.phase) = (0, Phase::Seat);
    }

    /// Lists the players who choose a place: those with fewest points first (15.1).
    pub(super) fn list_choosers(&self, s: &mut State) {
        let mut seats: [Player; MAX_SEATS] = std::array::from_fn(Player::new);
        let seats = &mut seats[..self.board.n_players];
        let sum =
            |seat: usize| s.gold[seat] + i32::from(s.pool[seat]) + i32::from(s.resource[seat]);
        seats.sort_unstable_by_key(|&player| {
            let seat = player.idx();
            (s.vp[seat], sum(seat), MAX_SEATS - s.place_of(player))
        });
        for (chooser, seat) in s.choosers.iter_mut().zip(seats) {
            *chooser = Some(*seat);
        }
    }

    pub(super) fn take_seat(&self, s: &mut State, place: u8) {
        s.next_order[usize::from(place) - 1] = Some(s.mover());
        s.at += 1;
        if usize::from(s.at) < self.board.n_players {
            return;
        }
        (s.order, s.next_order, s.choosers) = (s.next_order, [None; MAX_SEATS], [None; MAX_SEATS]);
        s.at = 0;
        if self.board.ends_era(s.turn) {
            s.phase = Phase::KeepProgress;
        } else {
            self.end_turn(s);
        }
    }

    fn end_turn(&self, s: &mut State) {
        s.turn += 1;
        self.begin_turn(s);
    }

    // ---- the end of an era (16) and of the game (17)

    /// Moves a part of every player's cubes in every region to the general stock, rounded up (16.3).
    fn decline(&self, s: &mut State) {
        let divisor = self.board.config.costs.decline_divisor as u8;
        for here in &mut s.map {
            for (cubes, stock) in here.iter_mut().zip(&mut s.stock) {
                let lost = cubes.div_ceil(divisor);
                *cubes -= lost;
                *stock += lost;
            }
        }
        self.end_turn(s);
    }

    fn end_game(&self, s: &mut State) {
        let costs = &self.board.config.costs;
        for seat in 0..self.board.n_players {
            s.vp[seat] += s.gold[seat] / costs.end_gold_per_vp;
            s.vp[seat] += i32::from(s.resource[seat]) / costs.end_resource_per_vp;
        }
        (s.phase, s.turn, s.at, s.detail) = (Phase::Over, N_TURNS as u8, 0, Detail::default());
        s.milestone += 1;
    }
}
