//! The policy of rise for macro-actions, ply by ply. Choices are tried to the end of the action. Divisions (payments,
//! cubes, goods of choice, kept tiles) are made by value.

use engine::games::rise::things::{Good, Goods};
use engine::games::rise::{Action, Phase, Rise, State};
use engine::{Fast, Game, Player, Randomness, Turn};

use super::evaluation::{Evaluation, is_acting};
use super::placing;

/// The policy with its scratch memory.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    pub(super) evaluation: Evaluation,
    /// Options of the decisions in the tried action, one list per ply.
    lists: Vec<Vec<Action>>,
}

/// Maximum number of plies of an action that are tried in all ways. Beyond it the first option is taken. An action has
/// fewer.
const DEEPEST: usize = 24;

impl Policy {
    pub(super) const fn new(evaluation: Evaluation) -> Self {
        Self { evaluation, lists: Vec::new() }
    }

    /// Returns the options of a decision, in the reusable list of this depth.
    fn list(&mut self, game: &Rise, s: &State, depth: usize) -> Vec<Action> {
        if self.lists.len() <= depth {
            self.lists.resize_with(depth + 1, Vec::new);
        }
        let mut list = std::mem::take(&mut self.lists[depth]);
        list.clear();
        game.actions(s, Player::new(0), &mut list);
        list
    }

    /// Returns the best option of the player whose decision is due.
    pub(super) fn choose(&mut self, game: &Rise, s: &State) -> Action {
        let Turn::Player(player) = game.turn(s) else { unreachable!("somebody is due") };
        if let Some(action) = self.divided(game, s, player.idx()) {
            return action;
        }
        let options = self.list(game, s, 0);
        let mut best = (f32::MIN, options[0]);
        // A free action before the disc is also possible after the object.
        let is_late =
            |action: &&Action| s.phase() != Phase::Disc || !matches!(action, Action::Use(..));
        for &action in options.iter().filter(is_late) {
            let value = self.value_of(game, s, player, action, 1);
            if value > best.0 {
                best = (value, action);
            }
        }
        self.lists[0] = options;
        best.1
    }

    /// Returns the option with the best position after it; a random one among those that only begin an action.
    pub(super) fn at_a_glance(&mut self, game: &Rise, s: &State, rng: &mut Fast) -> Action {
        let Turn::Player(player) = game.turn(s) else { unreachable!("somebody is due") };
        let n = game.n_options(s);
        if s.phase() == Phase::Disc {
            return game.nth_option(s, rng.below(n as u32) as usize);
        }
        if let Some(action) = self.divided(game, s, player.idx()) {
            return action;
        }
        let mut best = (f32::MIN, game.nth_option(s, 0));
        for k in 0..n {
            let action = game.nth_option(s, k);
            let mut after = *s;
            game.apply(&mut after, action);
            let value = self.evaluation.lead(game, &after, player.idx());
            if value > best.0 {
                best = (value, action);
            }
        }
        best.1
    }

    /// Returns the value of an option when the action is played to its end.
    pub(super) fn value_of(
        &mut self,
        game: &Rise,
        s: &State,
        player: Player,
        action: Action,
        depth: usize,
    ) -> f32 {
        let mut after = *s;
        game.apply(&mut after, action);
        if depth < DEEPEST {
            return self.value_on(game, s, &after, player, depth);
        }
        self.evaluation.lead(game, &after, player.idx())
    }

    /// Returns the value of a position that an action from `s` reached.
    pub(super) fn value_on(
        &mut self,
        game: &Rise,
        s: &State,
        after: &State,
        player: Player,
        depth: usize,
    ) -> f32 {
        // Free actions after the object are left to their own decision.
        let goes_on = game.turn(after) == Turn::Player(player)
            && is_acting(after.phase())
            && (after.turn(), after.round()) == (s.turn(), s.round())
            && !matches!(after.phase(), Phase::Disc | Phase::After);
        if goes_on {
            return self.best_value(game, after, player, depth);
        }
        self.evaluation.lead(game, after, player.idx())
    }

    /// Returns the value of the best continuation of the action.
    fn best_value(&mut self, game: &Rise, s: &State, player: Player, depth: usize) -> f32 {
        if s.phase() == Phase::To {
            return self.value_of_placing(game, s, player, depth);
        }
        if let Some(action) = self.divided(game, s, player.idx()) {
            return self.value_of(game, s, player, action, depth + 1);
        }
        let options = self.list(game, s, depth);
        let mut best = f32::MIN;
        for &action in &options {
            best = best.max(self.value_of(game, s, player, action, depth + 1));
        }
        self.lists[depth] = options;
        best
    }

    /// Returns the value of the best plan for an empire action's cubes and of the play after it.
    fn value_of_placing(&mut self, game: &Rise, s: &State, player: Player, depth: usize) -> f32 {
        let mut after = *s;
        let seat = player.idx();
        placing::carry_out(&self.evaluation, game, &mut after, seat);
        let is_his = game.turn(&after) == Turn::Player(player) && after.phase() == Phase::Battle;
        if is_his && (after.turn(), after.round()) == (s.turn(), s.round()) {
            return self.best_value(game, &after, player, depth);
        }
        self.evaluation.lead(game, &after, seat)
    }

    /// Returns the ply of a decision in which something is divided.
    pub(super) fn divided(&self, game: &Rise, s: &State, seat: usize) -> Option<Action> {
        match s.phase() {
            Phase::Pay => Some(self.payment(game, s, seat)),
            Phase::To | Phase::Count => placing::choose(&self.evaluation, game, s, seat),
            Phase::ChooseFood | Phase::ChooseGoods => Some(self.goods(game, s)),
            Phase::Feed | Phase::Supply | Phase::KeepProgress | Phase::KeepCities => {
                Some(self.kept(game, s, seat))
            }
            _ => None,
        }
    }

    /// Returns the cost of a unit of a currency for the payer. A currency that the object of the action needs must be
    /// kept.
    fn cost_of(&self, game: &Rise, s: &State, seat: usize, good: Good) -> f32 {
        let units = self.evaluation.units(game, s);
        let w = &self.evaluation.weights;
        let food = match game.food_due(s, seat) + s.food(seat) {
            // Every missing step costs a point.
            left if left <= 0 => 1.0,
            left => w.food + (1.0 - left as f32 / w.comfort).max(0.0) * w.food,
        };
        units.of(good, food)
    }

    /// Pays with the least valuable goods, currency by currency.
    fn payment(&self, game: &Rise, s: &State, seat: usize) -> Action {
        let mut options = [Action::End; MOST_PAYMENTS];
        let n = fill(game, s, &mut options);
        let Action::Pay(last, due) = options[n - 1] else { unreachable!("a price is paid") };
        let mut left = due;
        let mut first: Option<(Option<usize>, Good, u8)> = None;
        // The cheapest currency is used first, as much of it as there is.
        let mut goods = [Good::Gold, Good::Cubes, Good::Resource, Good::Food, Good::Vp];
        let cost = |good: Good| self.cost_of(game, s, seat, good);
        goods.sort_by(|a, b| cost(*a).total_cmp(&cost(*b)));
        let offered = |good: Good| {
            let most = options[..n].iter().filter_map(|option| match option {
                Action::Pay(g, k) if *g == good => Some(*k),
                _ => None,
            });
            most.max().unwrap_or(0)
        };
        let order = |good: Good| {
            options[..n].iter().position(|o| matches!(o, Action::Pay(g, _) if *g == good))
        };
        for good in goods {
            let units = if good == last { left } else { offered(good).min(left) };
            if units == 0 {
                continue;
            }
            left -= units;
            let at = order(good);
            if first.is_none_or(|(before, ..)| at < before) {
                first = Some((at, good, units));
            }
            if left == 0 {
                break;
            }
        }
        let (_, good, units) = first.expect("something is due");
        if good == last { Action::Pay(last, due) } else { Action::Pay(good, units) }
    }

    /// Takes all units of the most valuable kind.
    fn goods(&self, game: &Rise, s: &State) -> Action {
        let Turn::Player(player) = game.turn(s) else { unreachable!("somebody chooses") };
        let mut options = [Action::End; MOST_PAYMENTS];
        let n = fill(game, s, &mut options);
        let mut best = (f32::MIN, options[n - 1]);
        for &option in &options[..n] {
            let Action::Take(good, units) = option else { continue };
            let value = self.cost_of(game, s, player.idx(), good);
            let value = value + f32::from(units) * TIE;
            if value > best.0 {
                best = (value, option);
            }
        }
        best.1
    }

    /// Keeps the tiles that are worth their upkeep, as far as it can be paid, the most valuable first.
    fn kept(&self, game: &Rise, s: &State, seat: usize) -> Action {
        let mut options = [Action::End; MOST_PAYMENTS];
        let n = fill(game, s, &mut options);
        let units = self.evaluation.units(game, s);
        let mut worst: Option<(f32, Action)> = None;
        for &option in &options[..n] {
            let (worth, price) = match option {
                Action::DropProgress(tile) => {
                    let facts = game.board().tile(tile);
                    let mut goods = facts.gain;
                    if let Some((territory, gain)) = facts.per_tile {
                        goods += gain * s.territory(seat, territory);
                    }
                    let special = self.evaluation.tile(game, s, &units, seat, tile);
                    let worth = self.evaluation.stream(&units, goods) + special;
                    (worth, game.era_end_prices().0 as f32 * units.of(Good::Gold, 0.0))
                }
                Action::DropCity(city) => {
                    let facts = game.board().city(city);
                    let discs = f32::from(facts.resource) * units.of(Good::Resource, 0.0);
                    let cubes = game.era_end_prices().1 as f32 * units.of(Good::Cubes, 0.0);
                    let price = if s.phase() == Phase::KeepCities { cubes } else { discs };
                    (self.evaluation.stream(&units, facts.income) - discs * units.turns, price)
                }
                _ => continue,
            };
            let net = worth - price;
            if worst.is_none_or(|(least, _)| net < least) {
                worst = Some((net, option));
            }
        }
        let can_keep = options[n - 1] == Action::Keep;
        match worst {
            Some((net, option)) if net < 0.0 || !can_keep => option,
            _ => options[n - 1],
        }
    }
}

/// Maximum number of options in decisions that divide, with the default data. Further options are ignored.
const MOST_PAYMENTS: usize = 96;
/// The tie-break between kinds of equal value, in favour of the larger number.
const TIE: f32 = 1e-4;

/// Fills `options` with the options of the due decision. Returns their number.
fn fill(game: &Rise, s: &State, options: &mut [Action; MOST_PAYMENTS]) -> usize {
    let n = game.n_options(s).min(MOST_PAYMENTS);
    for (k, option) in options.iter_mut().enumerate().take(n) {
        *option = game.nth_option(s, k);
    }
    if n < game.n_options(s) {
        options[n - 1] = game.nth_option(s, game.n_options(s) - 1);
    }
    n
}

/// Conversion of goods per turn to goods now.
impl Evaluation {
    pub(super) fn stream(&self, units: &super::evaluation::Units, goods: Goods) -> f32 {
        units.stream_of(goods) + self.weights.food * goods[Good::Food] as f32 * units.turns
    }
}
