//! The placing of an empire action's cubes: one after the other at the largest gain, within the limits of areas and
//! cubes.

use engine::Game;
use engine::games::rise::things::{Good, N_REGIONS, Region, RegionSet};
use engine::games::rise::{Action, Phase, Placing, Rise, State};

use super::evaluation::{Evaluation, Garrison, Units};

/// Maximum number of seats at a table.
const SEATS: usize = 5;

/// A plan: the cubes for each region and their total gain.
#[derive(Clone, Copy)]
struct Plan {
    cubes: [u8; N_REGIONS],
    gain: f32,
}

struct Planner<'a> {
    evaluation: &'a Evaluation,
    game: &'a Rise,
    s: &'a State,
    seat: usize,
    units: Units,
    cube: f32,
    /// The known values of [`Planner::gain`], by region and cubes.
    known: [[f32; MOST_CUBES + 1]; N_REGIONS],
}

impl<'a> Planner<'a> {
    fn new(evaluation: &'a Evaluation, game: &'a Rise, s: &'a State, seat: usize) -> Self {
        let units = evaluation.units(game, s);
        let cube = units.of(Good::Cubes, 0.0);
        let known = [[f32::NAN; MOST_CUBES + 1]; N_REGIONS];
        Self { evaluation, game, s, seat, units, cube, known }
    }

    /// Returns the gain from additional cubes in a region.
    fn gain(&mut self, region: Region, more: u8) -> f32 {
        let more = more.min(MOST_CUBES as u8);
        let known = self.known[region.idx()][usize::from(more)];
        if !known.is_nan() {
            return known;
        }
        let gain = self.reckon(region, more);
        self.known[region.idx()][usize::from(more)] = gain;
        gain
    }

    /// Computes the seat's gain from additional cubes in a region, relative to its rivals' losses.
    fn reckon(&self, region: Region, more: u8) -> f32 {
        let mut here = [0; SEATS];
        here.copy_from_slice(self.s.garrison(region));
        let worth = |here: &[u8; SEATS]| {
            let mut values = [0.0; SEATS];
            let garrison = Garrison::of(region, here);
            self.evaluation.add_region(self.game, self.s, &self.units, &garrison, &mut values);
            let rivals = (0..SEATS).filter(|&seat| seat != self.seat).map(|seat| values[seat]);
            let n = (Game::n_players(self.game) - 1) as f32;
            values[self.seat] - self.evaluation.weights.rival * rivals.sum::<f32>() / n
        };
        let before = worth(&here);
        here[self.seat] = here[self.seat].saturating_add(more);
        worth(&here) - before
    }

    /// Returns the best plan within these regions. `must` gets a cube before any other.
    fn plan(&mut self, within: RegionSet, must: RegionSet, areas: u8, pool: u8) -> Plan {
        let mut plan = Plan { cubes: [0; N_REGIONS], gain: 0.0 };
        let (mut used, mut left) = (0, pool);
        for region in must.iter() {
            plan.cubes[region.idx()] = 1;
            plan.gain += self.gain(region, 1) - self.cube;
            (used, left) = (used + 1, left.saturating_sub(1));
        }
        while left > 0 {
            let mut best = (0.0, None);
            for region in within.iter() {
                let has = plan.cubes[region.idx()];
                if has == 0 && used >= areas {
                    continue;
                }
                let now = self.gain(region, has);
                // A lead may need several cubes at once.
                for more in 1..=left.min(MOST_AT_ONCE) {
                    let gain = self.gain(region, has + more) - now;
                    let rate = gain / f32::from(more) - self.cube;
                    if rate > best.0 {
                        best = (rate, Some((region, more)));
                    }
                }
            }
            let (rate, Some((region, more))) = best else { break };
            used += u8::from(plan.cubes[region.idx()] == 0);
            plan.cubes[region.idx()] += more;
            plan.gain += rate * f32::from(more);
            left -= more;
        }
        plan
    }

    /// Returns the best plan for the remaining regions.
    fn best(&mut self, placing: &Placing, pool: u8) -> Option<Plan> {
        let board = self.game.board();
        let mut best: Option<Plan> = None;
        let mut consider = |plan: Plan| {
            if best.is_none_or(|b| plan.gain > b.gain) {
                best = Some(plan);
            }
        };
        let chosen = placing.chosen & board.old_world;
        let home = placing.may & board.old_world;
        if !placing.is_newcomer {
            self.frames(placing, home, RegionSet::EMPTY, pool, &mut consider);
            return best;
        }
        // A plan has zones alone, or a root and regions beside it.
        if chosen.is_empty() {
            self.frames(placing, RegionSet::EMPTY, RegionSet::EMPTY, pool, &mut consider);
        }
        for root in (home | chosen).iter() {
            let around = board.region(root).neighbours.with(root, true);
            let is_chosen = chosen.contains(root);
            let is_late = !is_chosen && (placing.areas == 0 || pool == 0);
            if !(chosen - around).is_empty() || is_late {
                continue;
            }
            let must = if is_chosen { RegionSet::EMPTY } else { RegionSet::of(root) };
            self.frames(placing, home & around, must, pool, &mut consider);
        }
        best
    }

    /// Combines the plans for regions at home with those of one zone.
    fn frames(
        &mut self,
        placing: &Placing,
        home: RegionSet,
        must: RegionSet,
        pool: u8,
        consider: &mut dyn FnMut(Plan),
    ) {
        let (zones, areas) = (self.game.board().zones, placing.areas);
        let entered = |zone: &RegionSet| !(*zone & placing.chosen).is_empty();
        let is_in = zones.iter().any(entered);
        let is_open = |zone: &RegionSet| !(*zone & placing.may).is_empty();
        if !zones.iter().any(is_open) {
            return consider(self.plan(home, must, areas, pool));
        }
        for zone in zones.iter().filter(|zone| !is_in || entered(zone)) {
            consider(self.plan(home | *zone & placing.may, must, areas, pool));
        }
    }
}

/// Returns the ply of the best plan for the empire action under way; `None` if trying is as good.
pub(super) fn choose(
    evaluation: &Evaluation,
    game: &Rise,
    s: &State,
    seat: usize,
) -> Option<Action> {
    let placing = game.placing(s)?;
    let pool = s.pool(seat) as u8;
    let mut planner = Planner::new(evaluation, game, s, seat);
    if s.phase() == Phase::Count {
        return Some(count(&mut planner, game, s, &placing, pool));
    }
    let plan = planner.best(&placing, pool)?;
    let n = game.n_options(s);
    let options = (0..n).map(|k| game.nth_option(s, k));
    let wanted = |option: &Action| match option {
        Action::To(region) => plan.cubes[region.idx()] > 0,
        _ => false,
    };
    // Regions come in file order, so the first wanted region is the next.
    options.clone().find(wanted).or_else(|| {
        options
            .clone()
            .find(|option| *option == Action::Done)
            .or_else(|| options.clone().find(|o| matches!(o, Action::To(_))))
    })
}

/// Returns the number of cubes for the region just chosen.
fn count(planner: &mut Planner<'_>, game: &Rise, s: &State, placing: &Placing, pool: u8) -> Action {
    let most = game.n_options(s) as u8;
    let region = placing.region.expect("a region was chosen");
    let board = game.board();
    let home = placing.chosen & board.old_world;
    // Later regions are planned together with this one, whose area is already used.
    let later = if placing.is_newcomer {
        let beside = home
            .iter()
            .fold(placing.may & board.old_world, |all, one| all & board.region(one).neighbours);
        beside | placing.may & (board.zones[0] | board.zones[1])
    } else {
        placing.may
    };
    let plan =
        planner.plan(later.with(region, true), RegionSet::of(region), placing.areas + 1, pool);
    Action::Count(plan.cubes[region.idx()].clamp(1, most))
}

/// Plays the best plan of the empire action under way, as far as it is legal.
pub(super) fn carry_out(evaluation: &Evaluation, game: &Rise, s: &mut State, seat: usize) {
    let Some(placing) = game.placing(s) else { return };
    let before = *s;
    let pool = s.pool(seat) as u8;
    let plan = Planner::new(evaluation, game, &before, seat).best(&placing, pool);
    for region in plan.iter().flat_map(|_| Region::first(N_REGIONS)) {
        let n = plan.map_or(0, |plan| plan.cubes[region.idx()]);
        if n == 0 || s.phase() != Phase::To || !is_offered(game, s, Action::To(region)) {
            continue;
        }
        game.apply(s, Action::To(region));
        // A single number is no choice.
        if s.phase() == Phase::Count {
            let n = n.min(game.n_options(s) as u8);
            game.apply(s, Action::Count(n));
        }
    }
    while s.phase() == Phase::To && s.turn() == before.turn() && s.round() == before.round() {
        let options = (0..game.n_options(s)).map(|k| game.nth_option(s, k));
        let may_end = options.clone().find(|option| *option == Action::Done);
        let mut others = options.filter(|option| *option != Action::Abandon);
        let Some(action) = may_end.or_else(|| others.next()) else { return };
        game.apply(s, action);
        if s.phase() == Phase::Count {
            game.apply(s, Action::Count(1));
        }
    }
}

fn is_offered(game: &Rise, s: &State, action: Action) -> bool {
    (0..game.n_options(s)).any(|k| game.nth_option(s, k) == action)
}

/// Maximum number of cubes whose gain is cached.
const MOST_CUBES: usize = 31;
/// Maximum number of cubes in one step of a plan.
const MOST_AT_ONCE: u8 = 6;
