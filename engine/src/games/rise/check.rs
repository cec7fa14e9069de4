//! Checks of a configuration before tables are built from it (section 0 of the rules page).

use serde_json::Value as Json;

use super::config::{Config, EffectData};
use super::things::{Good, MAX_CIRCLES, N_REGIONS};
use crate::games::check_range;
use crate::rules::{BadRules, Rules, nearest};

/// First steps of keys of treatments, which the reader of treatments checks.
const TREATED: [&str; 4] = ["gift", "ban", "forced", "null"];
/// Keys that count other entries.
const COUNTS: [&str; 7] = [
    "stock.empire_tiles",
    "stock.territory_tiles",
    "stock.progress_tiles",
    "stock.city_tiles",
    "stock.action_discs_per_colour",
    "stock.alliance_pieces_per_colour",
    "display.cities_per_turn",
];
/// Switches that a clause of the rules names.
const SWITCHES: [&str; 7] = [
    "stock.resource_discs_on_trade_track_are_in_supply",
    "action_display.b_turn_pay_before_action",
    "action_display.b_turn_may_skip_action",
    "action_display.a_turn_may_skip_action",
    "empire_rules.zero_cubes_allowed",
    "map_rules.reinforce_without_water",
    "map_rules.second_place_in_2p_game",
];
/// Lists that may change, by key or by its last step.
const LISTS: [&str; 9] = [
    "action_display.b_turn_cost_currencies",
    "costs.progress_gold_by_eras_old",
    "empire_rules.battle_lines_by_era",
    "vp",
    "adjacent",
    "battles",
    "choice",
    "eras",
    "of",
];
/// The largest argument of a ply.
const MOST_ARGUMENT: i64 = 255;

/// Reads and checks `rules` for a table of `n_players`.
pub(super) fn read(rules: &Rules, n_players: usize) -> Result<Config, BadRules> {
    nothing_fixed_is_changed(rules)?;
    numbers(rules, &mut String::new(), &rules.to_json())?;
    let config: Config = rules.read()?;
    let check = Check { rules, config: &config };
    check.stocks(n_players)?;
    check.lists()?;
    check.borders()?;
    check.effects()?;
    Ok(config)
}

/// Returns whether the value at `key` may differ from the default.
fn is_free(key: &str, value: &Json) -> bool {
    let first = key.split('.').next().unwrap_or_default();
    let last = key.rsplit('.').next().unwrap_or_default();
    if TREATED.contains(&first) {
        return true;
    }
    if ["meta", "players"].contains(&first) || COUNTS.iter().any(|count| key.starts_with(count)) {
        return false;
    }
    match value {
        Json::Number(_) => true,
        Json::Bool(_) => SWITCHES.contains(&key) || ["red", "sea", "water"].contains(&last),
        Json::String(_) => {
            key.starts_with("display.leftovers_by_players.")
                || key == "map_rules.navigation_scope"
                || last == "condition"
        }
        Json::Array(_) => LISTS.contains(&key) || LISTS.contains(&last),
        Json::Null | Json::Object(_) => false,
    }
}

fn nothing_fixed_is_changed(rules: &Rules) -> Result<(), BadRules> {
    match rules.changes().iter().find(|change| !is_free(&change.key, &change.now)) {
        Some(change) => {
            let message = "this is fixed: the rules give no other value a meaning";
            Err(rules.bad(&change.key, message))
        }
        None => Ok(()),
    }
}

/// Returns the smallest and the largest allowed number at `key`.
fn range(key: &str) -> (i64, i64) {
    let last = key.rsplit('.').next().unwrap_or_default();
    let first = key.split('.').next().unwrap_or_default();
    match (first, last) {
        ("meta" | "players", _) => (i64::MIN, i64::MAX),
        ("start", "food" | "vp") | ("food_track", "min" | "max") => (-1000, 1000),
        ("start", _) => (0, 1000),
        ("stock", "actions_per_turn") => (1, 100),
        ("stock" | "display", _) => (0, MOST_ARGUMENT),
        ("food_track", "food_above_max_per_gold")
        | ("costs", "end_gold_per_vp" | "end_resource_per_vp") => (1, 1000),
        ("action_display", "b_turn_cost_per_disc_to_the_left") => {
            (0, MOST_ARGUMENT / (MAX_CIRCLES as i64 - 1))
        }
        ("action_display", _) => (1, MAX_CIRCLES as i64),
        ("costs", "decline_divisor") => (1, MOST_ARGUMENT),
        ("region" | "progress", "era") | (_, "eras") => (1, 3),
        ("empire", "areas") => (1, N_REGIONS as i64),
        (_, "attacker_loss") => (-100, 100),
        ("territory" | "progress" | "city", "food") if !key.contains(".cost.") => (-100, 100),
        _ => (0, 100),
    }
}

/// Checks that every number is within its range, at the key of its value.
fn numbers(rules: &Rules, key: &mut String, value: &Json) -> Result<(), BadRules> {
    match value {
        Json::Object(map) => {
            map.iter().try_for_each(|(step, value)| numbers_in(rules, key, step, value))
        }
        Json::Array(list) => list.iter().try_for_each(|item| match item["id"].as_str() {
            Some(id) => numbers_in(rules, key, id, item),
            None => numbers(rules, key, item),
        }),
        Json::Number(number) => {
            let (least, most) = range(key);
            let Some(value) = number.as_i64() else {
                return Err(rules.bad(key, format_args!("{number} is no whole number")));
            };
            check_range(rules, key, value, &(least..=most)).map(drop)
        }
        _ => Ok(()),
    }
}

fn numbers_in(rules: &Rules, key: &mut String, step: &str, value: &Json) -> Result<(), BadRules> {
    let length = key.len();
    if length == 0 && TREATED.contains(&step) {
        return Ok(());
    }
    key.push_str(if length == 0 { "" } else { "." });
    key.push_str(step);
    numbers(rules, key, value)?;
    key.truncate(length);
    Ok(())
}

struct Check<'a> {
    rules: &'a Rules,
    config: &'a Config,
}

impl Check<'_> {
    fn require(&self, keys: &[&str], is_good: bool, message: &str) -> Result<(), BadRules> {
        if is_good { Ok(()) } else { Err(self.rules.bad_among(keys, message)) }
    }

    fn known(&self, key: &str, what: &str, name: &str, names: &[&str]) -> Result<(), BadRules> {
        if names.contains(&name) {
            return Ok(());
        }
        let hint = match nearest(name, names) {
            Some(near) => format!("nearest: {near}"),
            None => format!("known: {}", names.join(", ")),
        };
        Err(self.rules.bad(key, format_args!("there is no {what} \"{name}\" ({hint})")))
    }

    fn stocks(&self, n_players: usize) -> Result<(), BadRules> {
        let Config { start, stock, food_track, .. } = self.config;
        let cubes = start.cubes_in_pool + start.cubes_in_general_stock;
        let keys = [
            "start.cubes_in_pool",
            "start.cubes_in_general_stock",
            "stock.player_cubes_per_colour",
        ];
        let message = "pool and general stock at the start are all cubes of a colour";
        self.require(&keys, cubes == stock.player_cubes_per_colour, message)?;
        let held = start.resource_discs * n_players as i32;
        let keys = ["start.resource_discs", "stock.resource_discs"];
        self.require(&keys, held <= stock.resource_discs, "there are fewer resource discs")?;
        let keys = ["start.food", "food_track.min", "food_track.max"];
        let is_on_track = (food_track.min..=food_track.max).contains(&start.food);
        self.require(&keys, is_on_track, "the food at the start is a step of the track")
    }

    fn lists(&self) -> Result<(), BadRules> {
        let config = self.config;
        let key = "action_display.b_turn_cost_currencies";
        let currencies = &config.action_display.b_turn_cost_currencies;
        self.different(key, currencies)?;
        let ends = currencies.last() == Some(&Good::Vp);
        self.require(&[key], ends, "vp is the last currency")?;
        let by_era = [
            ("costs.progress_gold_by_eras_old", &config.costs.progress_gold_by_eras_old),
            ("empire_rules.battle_lines_by_era", &config.empire_rules.battle_lines_by_era),
        ];
        for (key, list) in by_era {
            self.require(&[key], list.len() == 3, "expected a number for each of three eras")?;
        }
        for (n, leftovers) in &config.display.leftovers_by_players {
            let key = format!("display.leftovers_by_players.{n}");
            self.known(&key, "rule", leftovers, &["all", "red"])?;
        }
        let scope = &config.map_rules.navigation_scope;
        self.known("map_rules.navigation_scope", "scope", scope, &["any_player", "owner"])?;
        for region in &config.region {
            let key = format!("region.{}.vp", region.id);
            self.require(&[&key], region.vp.len() == 2, "expected two numbers")?;
        }
        for tile in &config.empire {
            for (side, face) in [("front", &tile.front), ("back", &tile.back)] {
                let key = format!("empire.{}.{side}.battles", tile.id);
                self.require(&[&key], face.battles.len() <= 2, "at most two lines")?;
                let are_pairs = face.battles.iter().all(|line| line.len() == 2);
                self.require(&[&key], are_pairs, "a line is two numbers")?;
            }
        }
        for tile in &config.trade {
            self.different(&format!("trade.{}.eras", tile.id), &tile.eras)?;
        }
        Ok(())
    }

    fn different<T: PartialEq>(&self, key: &str, list: &[T]) -> Result<(), BadRules> {
        let has_twice = list.iter().enumerate().any(|(i, item)| list[..i].contains(item));
        self.require(&[key], !has_twice, "something stands twice")
    }

    fn borders(&self) -> Result<(), BadRules> {
        let regions = &self.config.region;
        let ids: Vec<&str> = regions.iter().map(|region| region.id.as_str()).collect();
        for region in regions {
            let key = format!("region.{}.adjacent", region.id);
            self.different(&key, &region.adjacent)?;
            for other in &region.adjacent {
                self.known(&key, "region", other, &ids)?;
                let other = regions.iter().find(|o| o.id == *other).expect("it is known");
                let keys = [key.as_str(), &format!("region.{}.adjacent", other.id)];
                let is_mutual = other.adjacent.contains(&region.id) && other.id != region.id;
                self.require(&keys, is_mutual, "a border stands on both sides of it")?;
                self.require(&keys, other.zone == region.zone, "a border stays in its zone")?;
            }
        }
        Ok(())
    }

    /// Checks that a choice has no victory points, and no kind of goods twice.
    fn choice(&self, key: &str, choice: &[Good]) -> Result<(), BadRules> {
        self.different(key, choice)?;
        self.require(&[key], !choice.contains(&Good::Vp), "vp cannot be chosen")
    }

    fn effects(&self) -> Result<(), BadRules> {
        for tile in &self.config.territory {
            self.choice(&format!("territory.{}.choice", tile.id), &tile.choice)?;
        }
        for tile in &self.config.progress {
            let key = |field: &str| format!("progress.{}.effect.{field}", tile.id);
            match &tile.effect {
                EffectData::PerTile { tile, choice, amount, .. } => {
                    self.choice(&key("choice"), choice)?;
                    let count = format!("territory.{tile}.count");
                    let n = self.config.territory.iter().find(|t| t.id == *tile);
                    let most = amount * n.map_or(0, |tile| tile.count);
                    let keys = [key("amount"), count];
                    let keys = keys.each_ref().map(String::as_str);
                    let message = "more than 255 units could be chosen at once";
                    self.require(&keys, i64::from(most) <= MOST_ARGUMENT, message)?;
                }
                EffectData::PerRegion { condition, .. } => {
                    self.known(
                        &key("condition"),
                        "condition",
                        condition,
                        &["controlled", "present"],
                    )?;
                }
                EffectData::CityDiscount { of, .. } => {
                    self.different(&key("of"), of)?;
                    of.iter().try_for_each(|kind| {
                        self.known(&key("of"), "kind of city tiles", kind, &["city", "wonder"])
                    })?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
