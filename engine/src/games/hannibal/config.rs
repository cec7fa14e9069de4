//! The rules configuration as Rust values, and the checks that it must pass.
//!
//! The shape of these types is the shape of `engine/data/hannibal.toml`, which explains each value.

use std::fmt::Display;

use serde::Deserialize;

use super::limits::{MAX_AREAS, MAX_CARD, MAX_EDGES, MAX_PIECES, MAX_ROUTES};
use crate::rules::{BadRules, Rules, nearest};

/// The whole configuration.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Config {
    map: String,
    pub(super) max_turns: i64,
    pub(super) passes_to_draw: i64,
    pub(super) cards: Cards,
    pub(super) carthage: Side,
    pub(super) rome: Side,
    pub(super) rules: Switches,
    pub(super) area: Vec<Area>,
    pub(super) route: Vec<Route>,
    variant: Vec<Variant>,
}

/// The cards of each side.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cards {
    pub(super) values: Vec<i64>,
}

/// Set-up and aims of one side.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Side {
    pub(super) capital: String,
    pub(super) legions: i64,
    #[serde(default)]
    pub(super) hannibal: bool,
    pub(super) fleets: i64,
    pub(super) fleet_route: String,
    pub(super) domination: Vec<Vec<String>>,
}

/// Rules that can be changed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Switches {
    pub(super) first_player: String,
    pub(super) capital_entry_wins: bool,
    pub(super) hannibal_bonus: i64,
    pub(super) hannibal_lost_on_tie: bool,
    pub(super) hannibal_enters_islands: bool,
    pub(super) rebuild_without_fleets: bool,
    pub(super) hannibal_pays_for_fleet: bool,
}

/// An area that every map has.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Area {
    pub(super) id: String,
    pub(super) island: bool,
}

/// A sea route.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Route {
    pub(super) id: String,
    pub(super) ends: Vec<String>,
}

/// The areas and land borders that differ from map to map.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Variant {
    id: String,
    extra_areas: Vec<String>,
    borders: Vec<Vec<String>>,
}

/// The sides by the names of their tables, in seat order.
pub(super) const SIDES: [&str; 2] = ["carthage", "rome"];

impl Config {
    /// Reads and checks `rules`.
    pub(super) fn read(rules: &Rules) -> Result<Self, BadRules> {
        let config: Self = rules.read()?;
        let check = Check { rules, config: &config };
        check.numbers()?;
        check.map()?;
        check.sides()?;
        Ok(config)
    }

    fn variant(&self) -> Option<&Variant> {
        self.variant.iter().find(|variant| variant.id == self.map)
    }

    /// Returns the ids of all areas of the chosen map, in board order.
    pub(super) fn areas(&self) -> Vec<&str> {
        let extra = self.variant().into_iter().flat_map(|v| &v.extra_areas).map(String::as_str);
        self.area.iter().map(|area| area.id.as_str()).chain(extra).collect()
    }

    /// Returns the land borders of the chosen map, as pairs of ids.
    pub(super) fn borders(&self) -> &[Vec<String>] {
        self.variant().map_or(&[], |variant| &variant.borders)
    }

    /// Returns the sides in seat order.
    pub(super) const fn sides(&self) -> [&Side; 2] {
        [&self.carthage, &self.rome]
    }
}

struct Check<'a> {
    rules: &'a Rules,
    config: &'a Config,
}

impl Check<'_> {
    fn within(&self, key: &str, value: i64, least: i64, most: i64) -> Result<(), BadRules> {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        Err(self.rules.bad(key, format_args!("{value} is out of range ({least} to {most})")))
    }

    /// Checks that the value of the first of `keys` is one of `ids`, which the other keys decide.
    fn known(&self, keys: &[&str], what: &str, id: &str, ids: &[&str]) -> Result<(), BadRules> {
        if ids.contains(&id) {
            return Ok(());
        }
        let hint = match nearest(id, ids) {
            Some(near) => format!("nearest: {near}"),
            None => format!("known: {}", ids.join(", ")),
        };
        Err(self.rules.bad_among(keys, format_args!("there is no {what} \"{id}\" ({hint})")))
    }

    fn require(&self, keys: &[&str], is_good: bool, message: impl Display) -> Result<(), BadRules> {
        if is_good { Ok(()) } else { Err(self.rules.bad_among(keys, message)) }
    }

    fn numbers(&self) -> Result<(), BadRules> {
        let Config { max_turns, passes_to_draw, cards, rules, .. } = self.config;
        self.within("max-turns", *max_turns, 1, 10_000)?;
        self.within("passes-to-draw", *passes_to_draw, 1, 100)?;
        self.within("rules.hannibal-bonus", rules.hannibal_bonus, 0, 15)?;
        self.known(&["rules.first-player"], "side", &rules.first_player, &SIDES)?;
        let values = &cards.values;
        values.iter().try_for_each(|&v| self.within("cards.values", v, 0, MAX_CARD))?;
        let ascends = !values.is_empty() && values.is_sorted_by(|a, b| a < b);
        self.require(&["cards.values"], ascends, "expected different values, the lowest first")
    }

    fn map(&self) -> Result<(), BadRules> {
        let config = self.config;
        let maps: Vec<&str> = config.variant.iter().map(|v| v.id.as_str()).collect();
        self.known(&["map"], "map", &config.map, &maps)?;
        let areas = config.areas();
        let extra = format!("variant.{}.extra-areas", config.map);
        let fits = areas.len() <= MAX_AREAS;
        self.require(&[&extra, "map"], fits, format_args!("more than {MAX_AREAS} areas in all"))?;
        for (place, id) in areas.iter().enumerate() {
            let is_word =
                !id.is_empty() && !id.contains(|c: char| c.is_whitespace() || c.is_control());
            self.require(
                &[&extra, "map"],
                is_word,
                format_args!("\"{}\" is no id", id.escape_default()),
            )?;
            let is_new = !areas[..place].contains(id);
            self.require(&[&extra, "map"], is_new, format_args!("there are two areas \"{id}\""))?;
        }
        let borders = format!("variant.{}.borders", config.map);
        let keys = [borders.as_str(), &extra, "map"];
        config.borders().iter().try_for_each(|ends| self.ends(&keys, ends, &areas))?;
        let n_edges = 2 * (config.borders().len() + config.route.len());
        let fits = n_edges <= MAX_EDGES && config.route.len() <= MAX_ROUTES;
        self.require(&keys, fits, format_args!("more than {MAX_EDGES} ways in all"))?;
        config.route.iter().try_for_each(|route| {
            self.ends(&[&format!("route.{}.ends", route.id), "map"], &route.ends, &areas)
        })
    }

    fn ends(&self, keys: &[&str], ends: &[String], areas: &[&str]) -> Result<(), BadRules> {
        let is_pair = matches!(ends, [a, b] if a != b);
        self.require(&keys[..1], is_pair, "expected two different areas")?;
        ends.iter().try_for_each(|id| self.known(keys, "area", id, areas))
    }

    fn sides(&self) -> Result<(), BadRules> {
        let config = self.config;
        let (areas, most) = (config.areas(), i64::from(MAX_PIECES));
        let extra = format!("variant.{}.extra-areas", config.map);
        let routes: Vec<&str> = config.route.iter().map(|route| route.id.as_str()).collect();
        for (side, name) in config.sides().into_iter().zip(SIDES) {
            let key = |field: &str| format!("{name}.{field}");
            let least = i64::from(!side.hannibal);
            let fits = (least..=most).contains(&side.legions);
            let message = format_args!("{} is out of range ({least} to {most})", side.legions);
            self.require(&[&key("legions"), &key("hannibal")], fits, message)?;
            self.within(&key("fleets"), side.fleets, 0, most)?;
            self.known(&[&key("capital"), "map", &extra], "area", &side.capital, &areas)?;
            self.known(&[&key("fleet-route")], "route", &side.fleet_route, &routes)?;
            let groups = &side.domination;
            let is_good = !groups.is_empty() && groups.iter().all(|group| !group.is_empty());
            self.require(
                &[&key("domination")],
                is_good,
                "expected at least one area in each group",
            )?;
            let mut ids = groups.iter().flatten();
            let keys = [&key("domination"), "map", &extra];
            ids.try_for_each(|id| self.known(&keys, "area", id, &areas))?;
        }
        let [carthage, rome] = config.sides();
        let are_apart = carthage.capital != rome.capital;
        let keys = ["rome.capital", "carthage.capital"];
        self.require(&keys, are_apart, "the sides need different capitals")?;
        let may_share = carthage.fleets.min(rome.fleets) == 0;
        let are_apart = carthage.fleet_route != rome.fleet_route || may_share;
        let keys = ["rome.fleet-route", "carthage.fleet-route", "rome.fleets", "carthage.fleets"];
        self.require(&keys, are_apart, "fleets of both sides cannot start on one route")
    }
}
