//! The rules configuration as Rust values, and the checks that it must pass.
//!
//! The shape of these types is the shape of `engine/data/imperium.toml`, which explains each value.

use std::ops::RangeInclusive;

use serde::Deserialize;

use super::stacks::PROVINCES;
use crate::rules::{BadRules, Rules, nearest};

/// Largest number of places for which a province has points.
pub(super) const PLACES: usize = 5;

/// The whole configuration.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Config {
    #[serde(rename = "max-rounds")]
    pub(super) max_rounds: i64,
    pub(super) players: Players,
    pub(super) cards: Cards,
    pub(super) scoring: Scoring,
    pub(super) titles: Titles,
    pub(super) handicap: Handicap,
    pub(super) province: Vec<Province>,
}

/// The pieces of a player, and the conditions of victory.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Players {
    pub(super) influence_per_player: i64,
    pub(super) win_score: i64,
}

/// The number of cards to play, and their effects.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cards {
    pub(super) per_round: i64,
    pub(super) bread_and_circuses: i64,
    pub(super) provinces_per_round: i64,
    pub(super) provinces_per_ear: i64,
}

/// The scoring of a province.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scoring {
    pub(super) places_without_points: i64,
    pub(super) needs_influence: bool,
    pub(super) proconsul_bonus: i64,
    pub(super) proconsul_holder_repeats_bonus: bool,
    pub(super) proconsul_stays_if_tie: bool,
}

/// Points from which a player bears a title.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Titles {
    pub(super) senator: i64,
    pub(super) consul: i64,
}

/// Seats that start without a card.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Handicap {
    pub(super) without_ear: Vec<i64>,
    pub(super) without_oracle: Vec<i64>,
}

/// A province: points by place, and neighbours.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Province {
    pub(super) id: String,
    pub(super) points: Vec<i64>,
    pub(super) adjacent: Vec<String>,
}

impl Config {
    /// Reads and checks `rules` for a table of `n_players`.
    pub(super) fn read(rules: &Rules, n_players: usize) -> Result<Self, BadRules> {
        let config: Self = rules.read()?;
        config.check_numbers(rules)?;
        config.check_seats(rules, n_players)?;
        config.check_provinces(rules)?;
        Ok(config)
    }

    fn check_numbers(&self, rules: &Rules) -> Result<(), BadRules> {
        let Self { players, cards, scoring, titles, .. } = self;
        let checks: [(&str, i64, RangeInclusive<i64>); 11] = [
            ("max-rounds", self.max_rounds, 1..=1000),
            ("players.influence_per_player", players.influence_per_player, 1..=50),
            ("players.win_score", players.win_score, 1..=1000),
            ("cards.per_round", cards.per_round, 1..=3),
            ("cards.bread_and_circuses", cards.bread_and_circuses, 1..=2),
            ("cards.provinces_per_round", cards.provinces_per_round, 1..=8),
            ("cards.provinces_per_ear", cards.provinces_per_ear, 0..=8),
            ("scoring.places_without_points", scoring.places_without_points, 0..=4),
            ("scoring.proconsul_bonus", scoring.proconsul_bonus, 0..=100),
            ("titles.senator", titles.senator, 0..=1000),
            ("titles.consul", titles.consul, 0..=1000),
        ];
        let mut checks = checks.into_iter();
        checks.try_for_each(|(key, value, range)| {
            crate::games::check_range(rules, key, value, &range).map(|_| ())
        })?;
        let Titles { senator, consul } = *titles;
        if consul < senator {
            let message =
                format!("a consul ({consul} points) needs no fewer than a senator ({senator})");
            return Err(rules.bad_among(&["titles.consul", "titles.senator"], message));
        }
        Ok(())
    }

    fn check_seats(&self, rules: &Rules, n_players: usize) -> Result<(), BadRules> {
        let Handicap { without_ear, without_oracle } = &self.handicap;
        let lists =
            [("handicap.without_ear", without_ear), ("handicap.without_oracle", without_oracle)];
        for (key, seats) in lists {
            for &seat in seats {
                crate::games::check_range(rules, key, seat, &(0..=n_players as i64 - 1))?;
            }
        }
        Ok(())
    }

    fn check_provinces(&self, rules: &Rules) -> Result<(), BadRules> {
        debug_assert_eq!(self.province.len(), PROVINCES);
        for Province { id, points, adjacent } in &self.province {
            let key = format!("province.{id}.points");
            if points.len() > PLACES {
                let message = format!("{} places, expected at most {PLACES}", points.len());
                return Err(rules.bad(&key, message));
            }
            for &value in points {
                crate::games::check_range(rules, &key, value, &(0..=100))?;
            }
            for other in adjacent {
                self.check_border(rules, id, other)?;
            }
        }
        Ok(())
    }

    /// Checks that a neighbour exists, is another province, and is adjacent in turn.
    fn check_border(&self, rules: &Rules, id: &str, other: &str) -> Result<(), BadRules> {
        let key = format!("province.{id}.adjacent");
        let Some(neighbour) = self.province.iter().find(|province| province.id == other) else {
            let ids: Vec<&str> = self.province.iter().map(|p| p.id.as_str()).collect();
            let hint = match nearest(other, &ids) {
                Some(near) => format!("nearest: {near}"),
                None => format!("known: {}", ids.join(", ")),
            };
            return Err(rules.bad(&key, format_args!("there is no province \"{other}\" ({hint})")));
        };
        if other == id {
            return Err(rules.bad(&key, "a province is not its own neighbour"));
        }
        if neighbour.adjacent.iter().any(|back| back == id) {
            return Ok(());
        }
        let back = format!("province.{other}.adjacent");
        let message = format_args!(
            "{key} names \"{other}\", but {back} lacks \"{id}\": borders go both ways"
        );
        Err(rules.bad_among(&[&back, &key], message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::imperium::Imperium;

    fn complain(setting: &str) -> String {
        let mut rules = Rules::of::<Imperium>();
        rules.set(setting).unwrap();
        Config::read(&rules, 4).unwrap_err().to_string()
    }

    #[test]
    fn a_number_out_of_range_is_refused_with_its_place() {
        assert_eq!(
            complain("max-rounds=0"),
            "max-rounds=0: max-rounds: 0 is out of range (1 to 1000)"
        );
        assert!(complain("titles.consul=-1").contains("titles.consul: -1 is out of range"));
        assert!(complain("titles.consul=10").contains("no fewer than a senator (20)"));
        assert!(complain("handicap.without_ear=[4]").contains("4 is out of range (0 to 3)"));
        assert!(complain("province.africa.points=[1,2,3,4,5,6]").contains("6 places"));
    }

    #[test]
    fn borders_go_both_ways() {
        assert!(
            complain("province.africa.adjacent=[\"roma\"]")
                .contains("there is no province \"roma\"")
        );
        assert!(complain("province.africa.adjacent=[\"africa\"]").contains("its own neighbour"));
        assert!(
            complain("province.africa.adjacent=[\"aegyptus\", \"hispania\", \"gallia\"]")
                .contains("province.gallia.adjacent lacks \"africa\": borders go both ways")
        );
    }
}
