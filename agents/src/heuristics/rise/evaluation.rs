//! The evaluation of rise, in victory points. Goods count by their possible use, and income by the remaining turns.
//! Regions count by the safety of the standing in them. Tiles that change rules count by their use.

use engine::games::rise::board::Act;
use engine::games::rise::things::{Good, Goods, N_REGIONS, N_TURNS, Progress, ProgressSet, Region};
use engine::games::rise::{Phase, Rise, State};
use engine::{ByPlayer, Game, MAX_PLAYERS, Player};

use super::weights::Weights;

/// Maximum number of seats at a table.
const SEATS: usize = MAX_PLAYERS - 1;

/// The evaluation.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    pub(super) weights: Weights,
}

/// The values of goods now and of income per turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    /// The value of a unit by kind, except food.
    now: Goods4,
    /// The value of an additional unit in every turn still to be scored.
    stream: Goods4,
    /// The number of remaining scorings.
    pub(super) turns: f32,
    /// The remaining value of a region's gift over the later turns, in turns.
    later: f32,
    /// The weight of the present standing in the next scoring.
    firm: f32,
    era_ends: f32,
}

/// An amount of gold, discs, cubes and points.
#[derive(Clone, Copy, Debug)]
struct Goods4 {
    gold: f32,
    disc: f32,
    cube: f32,
    vp: f32,
}

impl Goods4 {
    fn of(self, goods: Goods) -> f32 {
        self.gold * goods[Good::Gold] as f32
            + self.disc * goods[Good::Resource] as f32
            + self.cube * goods[Good::Cubes] as f32
            + self.vp * goods[Good::Vp] as f32
    }
}

impl Units {
    /// Returns the present value of a unit of a kind; food has the value of its use.
    pub(super) fn of(&self, good: Good, food: f32) -> f32 {
        match good {
            Good::Food => food,
            Good::Gold => self.now.gold,
            Good::Resource => self.now.disc,
            Good::Cubes => self.now.cube,
            Good::Vp => 1.0,
        }
    }

    /// Returns the value of goods that come in every remaining turn, except food.
    pub(super) fn stream_of(&self, goods: Goods) -> f32 {
        self.stream.of(goods)
    }

    /// Returns the value of goods that are received now, except food.
    pub(super) fn worth(&self, goods: Goods) -> f32 {
        self.now.of(goods)
    }
}

/// The seats with cubes in a region, in the order of seats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Garrison {
    region: Region,
    seats: [usize; SEATS],
    cubes: [u8; SEATS],
    n: usize,
    /// The most cubes of a seat, and the number of seats with them.
    most: u8,
    n_most: u8,
    /// The most cubes of a seat below that, and the number of seats with them.
    next: u8,
    n_next: u8,
}

impl Garrison {
    /// Creates the garrison of `region` with these cubes by seat.
    pub(super) fn of(region: Region, here: &[u8]) -> Self {
        let (seats, cubes, n) = ([0; SEATS], [0; SEATS], 0);
        let (most, n_most, next, n_next) = (0, 0, 0, 0);
        let mut all = Self { region, seats, cubes, n, most, n_most, next, n_next };
        for (seat, &cubes) in here.iter().enumerate().filter(|(_, cubes)| **cubes > 0) {
            (all.seats[all.n], all.cubes[all.n]) = (seat, cubes);
            all.n += 1;
            if cubes > all.most {
                (all.next, all.n_next) = (all.most, all.n_most);
                (all.most, all.n_most) = (cubes, 1);
            } else if cubes == all.most {
                all.n_most += 1;
            } else if cubes > all.next {
                (all.next, all.n_next) = (cubes, 1);
            } else if cubes == all.next {
                all.n_next += 1;
            }
        }
        all
    }

    /// Returns the probabilities of each seat to be first and second, by strength. `open` is the strength of seats that
    /// may still come.
    fn chances(&self, open: f32) -> ([f32; SEATS], [f32; SEATS]) {
        let n = self.n;
        let (mut strength, mut first, mut second) = ([0.0; SEATS], [0.0; SEATS], [0.0; SEATS]);
        let mut all = open;
        for (strength, &cubes) in strength.iter_mut().zip(&self.cubes[..n]) {
            *strength = f32::from(cubes) * f32::from(cubes);
            all += *strength;
        }
        for (first, own) in first.iter_mut().zip(&strength[..n]) {
            *first = own / all;
        }
        let empty = open / all;
        for i in 0..n {
            let own = strength[i];
            for j in (0..n).filter(|&j| j != i) {
                second[i] += first[j] * own / (all - strength[j]);
            }
            // The case of second place behind a seat that may still come.
            second[i] += empty * own / (all - open).max(own);
        }
        (first, second)
    }
}

impl Evaluation {
    pub(super) const fn new(weights: Weights) -> Self {
        Self { weights }
    }

    /// Returns the values of goods in a position.
    pub(super) fn units(&self, game: &Rise, s: &State) -> Units {
        let w = &self.weights;
        let turns = game.scorings_left(s) as f32;
        let per_turn = f32::from(game.board().actions_per_turn());
        let is_acting = is_acting(s.phase());
        let now = if is_acting { game.rounds_left(s) as f32 } else { 0.0 };
        let is_scored = matches!(s.phase(), Phase::Seat | Phase::KeepProgress | Phase::KeepCities);
        let whole = if is_scored { turns } else { (turns - 1.0).max(0.0) };
        let actions = now + whole * per_turn;
        let spend = (actions / w.spend).min(1.0);
        let (gold_end, disc_end) = game.units_per_point();
        let (gold_end, disc_end) = (1.0 / gold_end as f32, 1.0 / disc_end as f32);
        let at = |spend: f32| Goods4 {
            gold: gold_end + w.gold * spend,
            disc: disc_end + w.disc * spend,
            cube: w.cube * spend,
            vp: 1.0,
        };
        // The last income cannot be spent.
        let (first, last) = (at(1.0), at(0.0));
        let later = (turns - 1.0).max(0.0) * w.stream;
        let one = turns.min(1.0);
        let stream = Goods4 {
            gold: first.gold * later + last.gold * one,
            disc: first.disc * later + last.disc * one,
            cube: first.cube * later,
            vp: turns,
        };
        let hold = w.hold.min(0.999);
        let gone = hold.powf((turns - 1.0).max(0.0));
        Units {
            now: at(spend),
            stream,
            turns,
            later: hold * (1.0 - gone) / (1.0 - hold),
            firm: if is_acting { w.firm * (1.0 - (now - 1.0).max(0.0) / per_turn) } else { 1.0 },
            era_ends: game.era_ends_left(s) as f32,
        }
    }

    /// Returns the value of the position for each seat, without regard to the others.
    pub(super) fn values(&self, game: &Rise, s: &State) -> ByPlayer<f32> {
        let n = game.n_players();
        let mut values = ByPlayer::default();
        if s.phase() == Phase::Over {
            (0..n).for_each(|seat| values.0[seat] = s.vp(seat) as f32);
            return values;
        }
        let units = self.units(game, s);
        let mut of_regions = [0.0; SEATS];
        for region in Region::first(N_REGIONS) {
            let here = s.garrison(region);
            if here.iter().any(|&cubes| cubes > 0) {
                self.add_region(game, s, &units, &Garrison::of(region, here), &mut of_regions);
            }
        }
        for (seat, regions) in of_regions.iter().enumerate().take(n) {
            values.0[seat] = regions + self.of_seat(game, s, &units, seat);
        }
        values
    }

    /// Returns the value of the position for a seat relative to its best rival.
    pub(super) fn lead(&self, game: &Rise, s: &State, seat: usize) -> f32 {
        let values = self.values(game, s);
        let rivals = (0..game.n_players()).filter(|&rival| rival != seat);
        let best = rivals.map(|rival| values.0[rival]).fold(f32::MIN, f32::max);
        values.0[seat] - self.weights.rival * best
    }

    // ---- regions

    /// Returns the weight of regions like this one.
    fn of_era(&self, game: &Rise, region: Region) -> f32 {
        let w = &self.weights;
        match game.board().era_of(region) {
            None => w.zones,
            Some(1) => w.first_era,
            Some(_) => w.second_era,
        }
    }

    /// Adds the value of a region with this garrison for each seat.
    pub(super) fn add_region(
        &self,
        game: &Rise,
        s: &State,
        units: &Units,
        garrison: &Garrison,
        values: &mut [f32; SEATS],
    ) {
        let (w, region) = (&self.weights, garrison.region);
        let facts = game.board().region(region);
        let [a, b] = facts.vp.map(|vp| vp as f32);
        let (first, second) = garrison.chances(w.open);
        let factor = self.of_era(game, region);
        let symbol = units.now.of(facts.symbol) + w.food * facts.symbol[Good::Food] as f32;
        let (n_first, n_second) = (f32::from(garrison.n_most), f32::from(garrison.n_next));
        for i in 0..garrison.n {
            let (seat, cubes) = (garrison.seats[i], garrison.cubes[i]);
            let soft = (a + symbol) * first[i] + b * second[i];
            let firm = if cubes == garrison.most && n_first > 1.0 {
                ((a + b) / n_first).floor() + symbol / n_first
            } else if cubes == garrison.most {
                a + symbol
            } else if cubes == garrison.next && n_first < 2.0 {
                (b / n_second).floor()
            } else {
                0.0
            };
            let mut worth =
                factor * (soft * units.later + w.presence * (units.turns - 1.0).max(0.0));
            if units.turns > 0.0 {
                worth += factor * (units.firm * firm + (1.0 - units.firm) * soft);
            }
            if s.alliance(seat) == Some(region) {
                worth += w.allied * firm * (1.0 - units.firm);
            }
            values[seat] += worth;
        }
    }

    // ---- goods, tiles, discs, order

    fn of_seat(&self, game: &Rise, s: &State, units: &Units, seat: usize) -> f32 {
        let w = &self.weights;
        let income = game.tile_income(s, seat);
        let pool = s.pool(seat) as f32;
        let pool = pool.min(w.many) + w.beyond * (pool - w.many).max(0.0);
        let goods = units.now.gold * s.gold(seat) as f32
            + units.now.disc * s.resource(seat) as f32
            + units.now.cube * pool;
        let food =
            game.region_income(s, seat)[Good::Food] as f32 * w.hold + income[Good::Food] as f32;
        s.vp(seat) as f32
            + goods
            + units.stream.of(income)
            + self.food(game, s, units, seat, food)
            + self.tiles(game, s, units, seat)
            + self.upkeep(game, s, units, seat)
            + self.choices(game, s, units, seat)
            + self.display(game, s, seat)
            + self.order(game, s, seat)
    }

    /// Plays the food marker turn by turn. Returns the value of gold from plenty, points from hunger, and the final
    /// marker.
    fn food(&self, game: &Rise, s: &State, units: &Units, seat: usize, net: f32) -> f32 {
        let w = &self.weights;
        let [min, max, lost, per_gold, last] = game.food_track().map(|n| n as f32);
        let (mut food, mut worth) = (s.food(seat) as f32, 0.0);
        let turns = game.scorings_left(s);
        for left in (0..turns).rev() {
            food += if left == 0 { net * last } else { net };
            worth -= w.debt * lost * (min - food).max(0.0);
            worth += units.now.gold * (food - max).max(0.0) / per_gold;
            food = food.clamp(min, max);
        }
        let is_over = turns == 0 && usize::from(s.turn()) + 1 >= N_TURNS;
        worth + if is_over { 0.0 } else { w.food * (food - min).min(w.comfort) }
    }

    /// Returns the value of tiles that change rules, and of points for regions.
    fn tiles(&self, game: &Rise, s: &State, units: &Units, seat: usize) -> f32 {
        let own = s.progress(seat) & game.board().beyond_goods();
        own.iter().map(|tile| self.tile(game, s, units, seat, tile)).sum()
    }

    /// Returns the value of a tile beyond its goods.
    pub(super) fn tile(
        &self,
        game: &Rise,
        s: &State,
        units: &Units,
        seat: usize,
        tile: Progress,
    ) -> f32 {
        let w = &self.weights;
        let facts = game.board().tile(tile);
        let mut worth = w.areas * facts.extra_areas as f32
            + w.attack * (facts.defender_loss - facts.attacker_loss) as f32
            + w.defence * facts.loss_reduction as f32
            + w.bonus * units.worth(facts.trade_bonus)
            + w.discount * units.now.gold * (facts.discount[0] + facts.discount[1]) as f32 / 2.0;
        if ProgressSet::of(tile) == game.board().navigation() {
            worth += w.navigation;
        }
        if let Some(per) = facts.per_region {
            let held = s.held(seat);
            let controls = |region: &Region| game.first_with(s, *region, seat) == 1;
            let n = if per.is_control {
                held.iter().filter(controls).count() as u32
            } else {
                held.len()
            };
            worth += (per.vp as f32 * (n as f32 + w.growth)).min(per.most as f32);
        }
        for free in game.board().free.iter().filter(|free| free.tile == tile) {
            worth += match free.act {
                Act::Place { cubes, .. } => w.place * f32::from(cubes),
                Act::Alliance => w.alliance,
                Act::Gain(gain) => {
                    w.exchange * (units.worth(gain) - units.worth(free.cost)).max(0.0)
                }
            };
        }
        worth * units.turns
    }

    /// Returns the cost of keeping tiles at the ends of eras.
    fn upkeep(&self, game: &Rise, s: &State, units: &Units, seat: usize) -> f32 {
        let (gold, cubes) = game.era_end_prices();
        let tiles = s.progress(seat).len() as f32 * gold as f32 * units.now.gold;
        let cities = s.cities(seat).len() as f32 * cubes as f32 * units.now.cube;
        let discs: i32 =
            s.cities(seat).iter().map(|city| i32::from(game.board().city(city).resource)).sum();
        -self.weights.upkeep
            * ((tiles + cities) * units.era_ends + discs as f32 * units.now.disc * units.turns)
    }

    /// Returns the value of goods of the owner's choice.
    fn choices(&self, game: &Rise, s: &State, units: &Units, seat: usize) -> f32 {
        let mut worth = 0.0;
        for source in game.board().choices.iter().flatten() {
            let n = (source.amount * s.territory(seat, source.tile)) as f32;
            if n > 0.0 && source.of.is_none_or(|tile| s.progress(seat).contains(tile)) {
                let unit = |good: &Good| units.of(*good, self.weights.food);
                worth += n * source.kinds.iter().map(unit).fold(0.0, f32::max);
            }
        }
        worth * units.turns
    }

    /// Returns the value of own discs on the display: the cost and the use of taking them back.
    fn display(&self, game: &Rise, s: &State, seat: usize) -> f32 {
        let w = &self.weights;
        let (cost, number) = game.own_discs(s, seat);
        let firsts = [w.in_progress, w.in_territory, w.in_city, w.in_empire, w.in_trade];
        let mut worth = -w.lie * cost as f32;
        for (n, first) in number.into_iter().zip(firsts) {
            let mut one = first;
            for _ in 0..n {
                worth += one;
                one *= w.again;
            }
        }
        worth
    }

    /// Returns the value of the place in the next turn's order, as far as it is chosen.
    fn order(&self, game: &Rise, s: &State, seat: usize) -> f32 {
        let Some(place) = s.next_place(Player::new(seat)) else { return 0.0 };
        let next = s.turn() + 1;
        let w = &self.weights;
        let early = if game.board().places_discs(next) { w.early } else { w.early_back };
        early * (game.n_players() - 1 - place) as f32
    }
}

/// Returns whether a phase belongs to the six rounds of actions.
pub(super) const fn is_acting(phase: Phase) -> bool {
    matches!(
        phase,
        Phase::Order
            | Phase::DrawProgress
            | Phase::DrawTerritory
            | Phase::Disc
            | Phase::Pay
            | Phase::Object
            | Phase::To
            | Phase::Count
            | Phase::Battle
            | Phase::After
    )
}
