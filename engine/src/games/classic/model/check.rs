//! Reading a rules configuration, and the checks that it must pass; each complaint has place, value and remedy.

use std::ops::RangeInclusive;

use crate::games::classic::model::board::{MAX_BORDERS, MAX_HOMES};
use crate::games::classic::model::config::{
    BASE, CITY_WORDS, Config, FRIZ, IN_HOME, PAIRS, Province, Variant,
};
use crate::games::classic::model::place::N_ZONES;
use crate::games::shared::dice::{check_faces, known_faces};
use crate::games::shared::map::{Area, Map};
use crate::rules::{BadRules, Rules, nearest};

/// Reads and checks `rules` for a table of `n_players`.
pub(crate) fn read(rules: &Rules, n_players: usize) -> Result<Config, BadRules> {
    let config: Config = rules.read()?;
    Check { rules, config: &config }.all(n_players)?;
    Ok(config)
}

/// Largest number of elements of a list.
const MOST_STEPS: usize = 16;
/// Largest number of rungs of the ladder.
const MOST_RUNGS: usize = 20;

/// The checks of one configuration.
struct Check<'a> {
    rules: &'a Rules,
    config: &'a Config,
}

impl Check<'_> {
    fn all(&self, n_players: usize) -> Result<(), BadRules> {
        self.one_of("options.variant", &self.config.options.variant, &[FRIZ, BASE])?;
        self.ranges()?;
        self.start(n_players)?;
        check_faces(self.rules, "die.faces", &self.config.die.faces)?;
        self.rising("income.ransom_offers", &self.config.income.ransom_offers)?;
        self.column(FRIZ, &self.config.variant.friz)?;
        self.column(BASE, &self.config.variant.base)?;
        self.factors()?;
        self.map()?;
        self.homes()?;
        (2..=6).try_for_each(|n| self.seats(n))
    }

    fn within(&self, key: &str, value: i64, range: RangeInclusive<i64>) -> Result<(), BadRules> {
        if range.contains(&value) {
            return Ok(());
        }
        let (least, most) = (range.start(), range.end());
        Err(self.rules.bad(key, format!("{value} is out of range ({least} to {most})")))
    }

    fn one_of(&self, key: &str, word: &str, known: &[&str]) -> Result<(), BadRules> {
        if known.contains(&word) {
            return Ok(());
        }
        Err(self.rules.bad(key, format!("unknown \"{word}\" (known: {})", known.join(", "))))
    }

    fn length(&self, key: &str, n: usize, range: RangeInclusive<usize>) -> Result<(), BadRules> {
        if range.contains(&n) {
            return Ok(());
        }
        let (least, most) = (range.start(), range.end());
        Err(self.rules.bad(key, format!("{n} elements, expected {least} to {most}")))
    }

    /// Checks that each number of a list is above the one before, and the first at least 1.
    fn rising(&self, key: &str, list: &[i64]) -> Result<(), BadRules> {
        self.length(key, list.len(), 0..=MOST_STEPS)?;
        list.iter().try_for_each(|&n| self.within(key, n, 1..=60_000))?;
        if list.is_sorted_by(|a, b| a < b) {
            return Ok(());
        }
        Err(self.rules.bad(key, "each number must be larger than the one before"))
    }

    /// Checks that every plain number is in its range: that of its key, or `0..=1000` by default.
    fn ranges(&self) -> Result<(), BadRules> {
        let json = self.rules.to_json();
        for (section, values) in json.as_object().into_iter().flatten() {
            for (name, value) in values.as_object().into_iter().flatten() {
                let key = format!("{section}.{name}");
                if let Some(number) = value.as_i64() {
                    self.within(&key, number, range_of(&key))?;
                }
                for (inner, value) in value.as_object().into_iter().flatten() {
                    if let Some(number) = value.as_i64() {
                        let key = format!("{key}.{inner}");
                        let range = range_of(&format!("variant.{inner}"));
                        self.within(&key, number, range)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks that no player starts with more than there is.
    fn start(&self, n_players: usize) -> Result<(), BadRules> {
        let (pools, start) = (&self.config.pools, &self.config.start);
        for (name, pool, start) in [
            ("infantry", pools.infantry, start.infantry),
            ("general", pools.general, start.general),
            ("caesar", pools.caesar, start.caesar),
        ] {
            let (own, other) = (format!("start.{name}"), format!("pools.{name}"));
            if start > pool {
                let message = format!("{own} = {start} is more than {other} = {pool}");
                return Err(self.rules.bad_among(&[&own, &other], message));
            }
        }
        self.one_of("start.city", &start.city, &CITY_WORDS)?;
        let stock = &self.config.stock;
        let needed = n_players as i64;
        for (name, there, is_needed) in
            [("city", stock.city, start.city != "none"), ("fort", stock.fort, start.city == "fort")]
        {
            if is_needed && there < needed {
                let key = format!("stock.{name}");
                let message = format!("{n_players} players start with {needed}, there are {there}");
                return Err(self.rules.bad_among(&[&key, "start.city"], message));
            }
        }
        Ok(())
    }

    fn column(&self, name: &str, column: &Variant) -> Result<(), BadRules> {
        let key = |field: &str| format!("variant.{name}.{field}");
        self.one_of(&key("start_placement"), &column.start_placement, &[PAIRS, IN_HOME])?;
        self.rising(&key("inflation_at"), &column.inflation_at)?;
        for (players, &homes) in &column.home_victory {
            self.within(&key(&format!("home_victory.{players}")), homes, 1..=MAX_HOMES as i64 + 1)?;
        }
        let ladder = key("end_ladder");
        self.length(&ladder, column.end_ladder.len(), 1..=MOST_RUNGS)?;
        column.end_ladder.iter().try_for_each(|rung| known_faces(self.rules, &ladder, rung))
    }

    /// Checks that there is a factor for each step of inflation, and one before.
    fn factors(&self) -> Result<(), BadRules> {
        let factors = &self.config.income.inflation_factor;
        let key = "income.inflation_factor";
        factors.iter().try_for_each(|&factor| self.within(key, factor, 1..=20))?;
        let at = format!("variant.{}.inflation_at", self.config.options.variant);
        let steps = self.config.column().inflation_at.len();
        if factors.len() != steps + 1 {
            let message = format!(
                "{} factors for {steps} steps of inflation: one more is needed",
                factors.len()
            );
            return Err(self.rules.bad_among(&[key, &at, "options.variant"], message));
        }
        Ok(())
    }

    /// Returns the map in the form of the rules file.
    fn written_map(&self) -> Map<'_> {
        const fn area(province: &Province) -> Area<'_> {
            let Province { id, land, sea, .. } = province;
            Area { id: id.as_str(), land: land.as_slice(), sea: sea.as_slice() }
        }
        Map {
            rules: self.rules,
            areas: self.config.province.iter().map(area).collect(),
            zones: &self.config.sea,
            straits: &self.config.strait,
        }
    }

    fn map(&self) -> Result<(), BadRules> {
        let map = self.written_map();
        map.check(N_ZONES)?;
        let mut borders = 0;
        for province in &self.config.province {
            let key = |field: &str| format!("province.{}.{field}", province.id);
            borders += province.land.len();
            self.within(&key("value"), province.value, 0..=1000)?;
            self.within(&key("base_value"), province.base_value.unwrap_or(0), 0..=1000)?;
            self.within(&key("guard"), province.guard, 0..=31)?;
            for id in &province.galleys_at {
                if map.province(&key("galleys_at"), id)?.sea.is_empty() {
                    let message = format!("{id} has no coast for galleys");
                    return Err(self.rules.bad(&key("galleys_at"), message));
                }
            }
        }
        if borders > 2 * MAX_BORDERS {
            let message = format!("{} land borders, at most {MAX_BORDERS} can be", borders / 2);
            return Err(self.rules.bad("province", message));
        }
        Ok(())
    }

    /// Checks that the homes are those of the order, each with a border to march over.
    fn homes(&self) -> Result<(), BadRules> {
        let order = &self.config.seats.order;
        self.length("seats.order", order.len(), 2..=MAX_HOMES)?;
        self.distinct("seats.order", order)?;
        let map = self.written_map();
        for id in order {
            let area = map.province("seats.order", id)?;
            if area.land.is_empty() {
                let key = format!("province.{id}.land");
                return Err(self.rules.bad_among(
                    &[&key, "seats.order"],
                    format!("{id} is a home: it needs a land border"),
                ));
            }
        }
        for Province { id, home, .. } in &self.config.province {
            if *home != order.contains(id) {
                let (key, list) = (format!("province.{id}.home"), "seats.order");
                let message = format!("{list} and {key} = {home} contradict each other");
                return Err(self.rules.bad_among(&[&key, list], message));
            }
        }
        Ok(())
    }

    fn distinct(&self, key: &str, ids: &[String]) -> Result<(), BadRules> {
        let twice = ids.iter().enumerate().find(|(i, id)| ids[..*i].contains(id));
        match twice {
            Some((_, id)) => Err(self.rules.bad(key, format!("\"{id}\" stands twice"))),
            None => Ok(()),
        }
    }

    fn seats(&self, n_players: usize) -> Result<(), BadRules> {
        let (set, order) = (self.config.seats.of(n_players), &self.config.seats.order);
        let key = format!("seats.{n_players}");
        self.length(&key, set.len(), n_players..=n_players)?;
        self.distinct(&key, set)?;
        let Some(unknown) = set.iter().find(|id| !order.contains(id)) else { return Ok(()) };
        let hint =
            nearest(unknown, order).map_or(String::new(), |near| format!(" (nearest: {near})"));
        let message = format!("\"{unknown}\" is no home of seats.order{hint}");
        Err(self.rules.bad_among(&[&key, "seats.order"], message))
    }
}

/// Returns the range of a number of the configuration; keys of the columns without the column's name.
fn range_of(key: &str) -> RangeInclusive<i64> {
    match key {
        "options.final_round" | "battle.land_rounds" | "battle.naval_rounds" => 1..=100,
        "pools.infantry" | "pools.cavalry" | "start.infantry" => 0..=31,
        "pools.catapult" | "pools.general" | "start.general" => 0..=7,
        "pools.galley" => 0..=15,
        "pools.caesar"
        | "start.caesar"
        | "movement.leaders_per_galley"
        | "movement.board_cost"
        | "movement.land_cost" => 1..=1,
        "movement.infantry" | "movement.cavalry" | "movement.catapult" | "movement.galley" => 0..=2,
        "movement.general" | "variant.caesar_steps" => 0..=3,
        "movement.troops_per_leader" => 1..=60,
        "stock.city" | "stock.fort" => 0..=42,
        "stock.road" => 0..=MAX_BORDERS as i64,
        "battle.legion" => 1..=20,
        "battle.legion_per_general" => 0..=5,
        "battle.fort_dice" | "variant.caesar_legion" => 0..=20,
        "variant.start_territories" => 0..=40,
        "variant.recruit_caesar" | "variant.recruit_city" | "variant.recruit_territory" => 0..=10,
        _ => 0..=1000,
    }
}
