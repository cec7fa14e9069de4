//! A naive model of the hard parts: it lists the possible ends by definition, and the game itself walks every sequence
//! of options. Both must reach equal ends, each of them once.

use std::collections::BTreeSet;

use super::Rise;
use super::position::PositionBuilder;
use super::state::{Phase, State};
use super::things::{Good, N_REGIONS, Region};
use crate::rng::{Purpose, Randomness, Stream, stream};

/// Collects the ends of all lines of play from `s` that stay within `phases`, one for each line.
fn ends<T>(game: &Rise, s: &State, phases: &[Phase], end: &dyn Fn(&State) -> T, out: &mut Vec<T>) {
    let mut actions = Vec::new();
    game.list(s, &mut actions);
    for action in actions {
        let mut after = *s;
        game.carry_out(&mut after, action);
        let goes_on = phases.contains(&after.phase) && after.mover() == s.mover();
        if goes_on && after.round == s.round {
            ends(game, &after, phases, end, out);
        } else {
            out.push(end(&after));
        }
    }
}

/// Checks that every end has exactly one sequence, and that the ends are those of the model.
fn compare<T: Ord + std::fmt::Debug>(lines: Vec<T>, naive: Vec<T>, what: &str) {
    let n_lines = lines.len();
    let lines: BTreeSet<T> = lines.into_iter().collect();
    assert_eq!(lines.len(), n_lines, "{what}: some end has two spellings");
    let naive: BTreeSet<T> = naive.into_iter().collect();
    let missing: Vec<&T> = naive.difference(&lines).collect();
    let wrong: Vec<&T> = lines.difference(&naive).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "{what}: missing {missing:?}, wrong {wrong:?}");
}

// ---- placing with a root (9.2 to 9.6)

/// Cubes that seat 0 places, by region.
type Placing = Vec<(usize, u8)>;

struct Case {
    table: PositionBuilder,
    number: u8,
    held: Vec<usize>,
    pool: u8,
}

fn case(rng: &mut Stream) -> Case {
    let turn = 2 * rng.below(3) as u8;
    let settings: &[&str] = match rng.below(4) {
        0 => &["map_rules.zones_per_action=2"],
        1 => &["map_rules.reinforce_without_water=true", "map_rules.navigation_scope=owner"],
        2 => &["empire_rules.zero_cubes_allowed=false"],
        _ => &[],
    };
    let pool = 1 + rng.below(4) as u8;
    let mut table = PositionBuilder::new(2, settings).turn(turn).pool(0, pool);
    if rng.below(2) == 0 {
        let owner = rng.below(2) as usize;
        table = table.own(owner, &["navigation"]);
    }
    let mut held = Vec::new();
    for _ in 0..rng.below(4) {
        let region = rng.below(N_REGIONS as u32) as usize;
        if !held.contains(&region) {
            let id = table.game.board.regions[region].id.clone();
            table = table.put(0, &id, 1);
            held.push(region);
        }
    }
    Case { table, number: 1 + rng.below(8) as u8, held, pool }
}

/// The facts of a case in plain words of the configuration.
struct Plain<'a> {
    case: &'a Case,
    areas: usize,
    water: bool,
}

impl Plain<'_> {
    fn zone(&self, region: usize) -> usize {
        let rules = &self.case.table.game.board.config;
        let zone = &rules.region[region].zone;
        rules.map_rules.zones.iter().position(|z| z == zone).map_or(0, |zone| zone + 1)
    }

    fn is_neighbour(&self, a: usize, b: usize) -> bool {
        let regions = &self.case.table.game.board.config.region;
        regions[a].adjacent.contains(&regions[b].id)
    }

    fn is_open(&self, region: usize, holds: bool) -> bool {
        let table = &self.case.table;
        let config = &table.game.board.config;
        let era = i32::from(table.s.turn) / 2 + 1;
        let dry = !(self.water || holds && config.map_rules.reinforce_without_water);
        if self.zone(region) == 0 {
            return config.region[region].era <= era && !(config.region[region].sea && dry);
        }
        let navigation = table.progress("navigation");
        let scope = if config.map_rules.navigation_scope == "owner" { 1 } else { 2 };
        let navigates = (0..scope).any(|seat| table.s.progress(seat).contains(navigation));
        !dry && (era == 3 || era == 2 && navigates)
    }

    /// Returns whether a set of regions may get cubes of a player who holds `held` (9.3).
    fn is_good(&self, chosen: &[usize], held: &[usize]) -> bool {
        if !chosen.iter().all(|&region| self.is_open(region, held.contains(&region))) {
            return false;
        }
        let zones: BTreeSet<usize> =
            chosen.iter().map(|&region| self.zone(region)).filter(|&zone| zone > 0).collect();
        let most = self.case.table.game.board.config.map_rules.zones_per_action as usize;
        let home = |list: &[usize]| -> Vec<usize> {
            list.iter().copied().filter(|&region| self.zone(region) == 0).collect()
        };
        let (settled, in_old_world) = (home(held), home(chosen));
        let reaches =
            |region: usize| settled.iter().any(|&h| h == region || self.is_neighbour(h, region));
        let is_fine = if !settled.is_empty() {
            in_old_world.iter().all(|&region| reaches(region))
        } else {
            let has_root = in_old_world.iter().any(|&root| {
                in_old_world.iter().all(|&other| other == root || self.is_neighbour(root, other))
            });
            in_old_world.is_empty() || has_root && (held.is_empty() || self.water)
        };
        zones.len() <= most && is_fine
    }

    /// Returns all placings of a player who holds `held`, including the empty one where it is allowed.
    fn placings(&self, held: &[usize], may_be_none: bool) -> Vec<Placing> {
        let mut all = Vec::new();
        self.extend(&mut Vec::new(), 0, held, &mut all);
        let is_alone = all.len() == 1;
        all.retain(|placing| !placing.is_empty() || may_be_none || is_alone);
        all
    }

    fn extend(&self, placing: &mut Placing, from: usize, held: &[usize], all: &mut Vec<Placing>) {
        let chosen: Vec<usize> = placing.iter().map(|&(region, _)| region).collect();
        if self.is_good(&chosen, held) {
            all.push(placing.clone());
        }
        let used: u8 = placing.iter().map(|&(_, n)| n).sum();
        if placing.len() == self.areas {
            return;
        }
        for region in from..N_REGIONS {
            for n in 1..=self.case.pool - used {
                placing.push((region, n));
                self.extend(placing, region + 1, held, all);
                placing.pop();
            }
        }
    }
}

#[test]
fn every_set_of_regions_and_every_distribution_of_cubes_has_one_spelling() {
    let mut rng = stream(21, 0, Purpose::Analysis);
    let (mut newcomers, mut abandoned) = (0, 0);
    for round in 0..240 {
        let mut case = case(&mut rng);
        let before = case.table.s;
        let game = case.table.game.clone();
        let era = usize::from(before.turn) / 2;
        let face = &game.board.faces[usize::from(case.number) - 1][usize::from(era > 0)];
        let water = face.water || before.progress(0).contains(case.table.progress("navigation"));
        let areas = face.areas as usize;
        if areas > 3 {
            continue;
        }
        let table = PositionBuilder { game: game.clone(), s: before }.empire(case.number);
        let placed = |s: &State| -> (bool, Placing) {
            let has_abandoned = case.held.iter().any(|&r| s.map[r][0] < before.map[r][0])
                || s.stock(0) > before.stock(0);
            let old = |r: usize| if has_abandoned { 0 } else { before.map[r][0] };
            let all = (0..N_REGIONS).map(|r| (r, s.map[r][0] - old(r)));
            (has_abandoned, all.filter(|&(_, n)| n > 0).collect())
        };
        let mut lines = Vec::new();
        if matches!(table.s.phase, Phase::To) && table.mover() == 0 {
            // No other player is on the map, so that no battle follows.
            ends(&game, &table.s, &[Phase::To, Phase::Count], &placed, &mut lines);
        } else {
            lines.push(placed(&table.s));
        }
        case.table.s = before;
        let plain = Plain { case: &case, areas, water };
        let may_be_none = game.board.config.empire_rules.zero_cubes_allowed;
        let stay = plain.placings(&case.held, may_be_none).into_iter().map(|p| (false, p));
        let mut naive: Vec<_> = stay.collect();
        if !case.held.is_empty() && case.pool > 0 {
            let leave = plain.placings(&[], false).into_iter().filter(|p| !p.is_empty());
            let n = naive.len();
            naive.extend(leave.map(|placing| (true, placing)));
            abandoned += usize::from(naive.len() > n);
        }
        newcomers += usize::from(case.held.iter().all(|&region| plain.zone(region) > 0));
        compare(lines, naive, &format!("case {round}, tile {}", case.number));
    }
    assert!(newcomers > 40 && abandoned > 40, "{newcomers} newcomers, {abandoned} abandoned");
}

// ---- payments in mixed currencies (2.1)

#[test]
fn every_way_to_pay_has_one_spelling() {
    let mut rng = stream(22, 0, Purpose::Analysis);
    for round in 0..300 {
        let orders = [
            r#"["gold", "cubes", "resource", "food", "vp"]"#,
            r#"["food", "resource", "gold", "vp"]"#,
            r#"["vp"]"#,
        ];
        let order = orders[rng.below(3) as usize];
        let min = i64::from(rng.below(4)) - 1;
        let currencies = format!("action_display.b_turn_cost_currencies={order}");
        let table =
            PositionBuilder::new(5, &[&currencies, &format!("food_track.min={min}")]).turn(1);
        let has = [rng.below(4), rng.below(4), rng.below(4), rng.below(4)].map(|n| n as u8);
        let table = table.gold(0, has[0].into()).pool(0, has[1]).discs(0, has[2]);
        let mut table = table.food(0, i16::from(has[3]) + min as i16).begin();
        let due = 1 + rng.below(7) as u8;
        (table.s.phase, table.s.detail.due, table.s.detail.row) =
            (Phase::Pay, due, Some(super::things::Row::Trade));
        table.s.round = 2;
        table.game.settle(&mut table.s);
        let left = move |s: &State| [s.gold(0), s.pool(0), s.resource(0), s.food(0), s.vp(0)];
        let mut lines = Vec::new();
        if table.s.phase == Phase::Pay {
            ends(&table.game, &table.s, &[Phase::Pay], &left, &mut lines);
        } else {
            lines.push(left(&table.s));
        }
        let accepts = |good: Good| order.contains(good.id());
        let upto = |good: Good, n: u8| if accepts(good) { n } else { 0 };
        let mut naive = Vec::new();
        for gold in 0..=upto(Good::Gold, has[0]) {
            for cubes in 0..=upto(Good::Cubes, has[1]) {
                for discs in 0..=upto(Good::Resource, has[2]) {
                    for food in 0..=upto(Good::Food, has[3]) {
                        let sum = gold + cubes + discs + food;
                        if sum <= due {
                            let rest = |had: u8, paid: u8| i32::from(had) - i32::from(paid);
                            let goods =
                                [rest(has[0], gold), rest(has[1], cubes), rest(has[2], discs)];
                            let [g, c, d] = goods;
                            naive.push([g, c, d, rest(has[3], food) + min as i32, rest(sum, due)]);
                        }
                    }
                }
            }
        }
        compare(lines, naive, &format!("payment {round}"));
    }
}

// ---- keeping tiles (2.2)

#[test]
fn every_set_of_tiles_that_can_be_paid_has_one_spelling() {
    let mut rng = stream(23, 0, Purpose::Analysis);
    let names = ["athens", "alexandria", "baghdad", "venice", "amsterdam", "london"];
    for round in 0..200 {
        let settings: Vec<String> =
            names.iter().map(|id| format!("city.{id}.resource={}", rng.below(4))).collect();
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        let mut table = PositionBuilder::new(2, &settings);
        let purse = rng.below(7) as u8;
        for id in names {
            if rng.below(3) > 0 {
                table = table.cities(0, &[id]);
            }
        }
        table = table.discs(0, purse);
        table.game.begin_food(&mut table.s);
        table.s.round = 6;
        (table.s.phase, table.s.at) = (Phase::Supply, 0);
        let own = table.s.cities(0);
        let price = |city| i32::from(table.game.board.city(city).resource);
        let concerned: Vec<_> = own.iter().filter(|&city| price(city) > 0).collect();
        table.game.settle(&mut table.s);
        let kept = |s: &State| (s.cities(0).bits(), s.resource(0));
        let mut lines = Vec::new();
        if table.s.phase == Phase::Supply {
            ends(&table.game, &table.s, &[Phase::Supply], &kept, &mut lines);
        } else {
            lines.push(kept(&table.s));
        }
        let mut naive = Vec::new();
        for subset in 0..1u32 << concerned.len() {
            let dropped = || concerned.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
            let keeps = |city: &super::things::City| !dropped().any(|(_, d)| d == city);
            let cost: i32 = concerned.iter().filter(|city| keeps(city)).map(|&c| price(c)).sum();
            if cost <= purse.into() {
                let left = own.iter().filter(keeps).collect::<super::things::CitySet>();
                naive.push((left.bits(), i32::from(purse) - cost));
            }
        }
        compare(lines, naive, &format!("keeping {round}"));
    }
}

// ---- standing in regions, division of symbols and points (2.4, 13.2, 14.2)

#[test]
fn symbols_and_points_are_divided_as_the_ranks_say() {
    let mut rng = stream(24, 0, Purpose::Analysis);
    for _ in 0..500 {
        let mut table = PositionBuilder::new(5, &[]);
        for region in Region::first(N_REGIONS) {
            for seat in 0..5 {
                table.s.map[region.idx()][seat] = [0, 0, 1, 2, 3][rng.below(5) as usize];
            }
        }
        let (mut points, mut goods) = ([0; 5], [[0; 4]; 5]);
        for (region, data) in table.game.board.config.region.iter().enumerate() {
            let here = table.s.map[region];
            let mut ranked: Vec<usize> = (0..5).filter(|&seat| here[seat] > 0).collect();
            ranked.sort_by_key(|&seat| std::cmp::Reverse(here[seat]));
            let Some(&leader) = ranked.first() else { continue };
            let first: Vec<usize> =
                ranked.iter().copied().filter(|&seat| here[seat] == here[leader]).collect();
            let k = first.len() as i32;
            for &seat in &first {
                for (i, good) in Good::ALL[..4].iter().enumerate() {
                    goods[seat][i] += data.symbol[*good] / k;
                }
                points[seat] += if k == 1 { data.vp[0] } else { (data.vp[0] + data.vp[1]) / k };
            }
            let Some(&next) = ranked.get(1).filter(|_| k == 1) else { continue };
            let second: Vec<usize> =
                ranked[1..].iter().copied().filter(|&seat| here[seat] == here[next]).collect();
            second.iter().for_each(|&seat| points[seat] += data.vp[1] / second.len() as i32);
        }
        assert_eq!(table.game.region_points(&table.s), points);
        for (seat, due) in goods.iter().enumerate() {
            let income = table.game.region_income(&table.s, seat);
            assert_eq!([0, 1, 2, 3].map(|i| income[Good::ALL[i]]), *due, "seat {seat}");
        }
    }
}

// ---- goods of choice (2.3)

#[test]
fn every_choice_of_goods_has_one_spelling() {
    for n in 1..6 {
        let table =
            PositionBuilder::new(2, &[]).own(0, &["shipping"]).tiles(0, "island", n).upkeep();
        let mut lines = Vec::new();
        let chosen = |s: &State| (s.food(0), s.gold(0), s.resource(0));
        ends(&table.game, &table.s, &[Phase::ChooseFood], &chosen, &mut lines);
        let n = i32::from(n);
        let ways = (0..=n).flat_map(|f| (0..=n - f).map(move |g| (f, g)));
        let ways = ways.flat_map(|(f, g)| (0..=n - f - g).map(move |r| (f, g, r)));
        let end = |(f, g, r): (i32, i32, i32)| {
            let food = 16 + n + f;
            ((food.min(20)), 5 + g + (food - 20).max(0) / 2, 2 + r)
        };
        let naive: Vec<_> = ways.map(end).collect();
        // Food above the track becomes gold, so that two choices may end alike.
        if n < 3 {
            compare(lines, naive, &format!("{n} islands"));
        } else {
            assert_eq!(lines.len(), naive.len(), "{n} islands");
        }
    }
}

/// Checks that the comparison can fail: it finds an end with two sequences.
#[test]
#[should_panic(expected = "two spellings")]
fn an_end_with_two_spellings_is_found() {
    compare(vec![1, 1], vec![1], "twice");
}
