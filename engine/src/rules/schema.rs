//! The keys of a configuration and the types of their values: both as in the default document.

use std::sync::Arc;

use serde_json::Value as Json;

use super::document::json_at;
use super::{BadRules, RuleSource, join};
use crate::likeness::nearest;
use crate::player::MAX_PLAYERS;
use crate::treatment::{Step, Treatment};

/// A first step that is read as another step.
const ALIAS: (&str, &str) = ("card", "cards");

/// The default configuration, against which others are checked, and the treatments, whose keys it does not list.
#[derive(Clone, Debug)]
pub(super) struct Schema {
    pub(super) default: Arc<Json>,
    pub(super) treatments: &'static [Treatment],
}

impl Schema {
    /// Returns the default at `steps`.
    pub(super) fn at(&self, steps: &[String]) -> Option<&Json> {
        json_at(&self.default, steps)
    }

    /// Returns the treatments whose keys begin with `steps`.
    fn begun(&self, steps: &[String]) -> impl Iterator<Item = &'static Treatment> {
        self.treatments.iter().filter(|t| t.begins_with(steps, &self.default))
    }

    /// Returns the treatment with the key `steps`, if there is one.
    pub(super) fn treatment_at(&self, steps: &[String]) -> Option<&'static Treatment> {
        self.begun(steps).find(|treatment| treatment.key.len() == steps.len())
    }

    /// Returns whether `steps` lead to treatments without being the key of one.
    pub(super) fn leads_to_treatments(&self, steps: &[String]) -> bool {
        self.begun(steps).any(|treatment| treatment.key.len() > steps.len())
    }

    /// Returns a setting of this configuration, for complaints.
    pub(super) fn example(&self) -> String {
        let (mut key, mut value) = (String::new(), &*self.default);
        while let Some((name, inner)) = value.as_object().and_then(|map| map.iter().next()) {
            (key, value) = (join(&key, name), inner);
        }
        if key.is_empty() {
            ": there is nothing to set".to_owned()
        } else {
            format!(", as in {key}={value}")
        }
    }

    /// Refuses a table instead of a value.
    pub(super) fn expect_table(
        &self,
        steps: &[String],
        place: &RuleSource,
    ) -> Result<(), BadRules> {
        let is_table = self.at(steps).is_some_and(Json::is_object);
        if is_table || !self.ids_at(steps).is_empty() || self.leads_to_treatments(steps) {
            return Ok(());
        }
        let message = format!("{} is a single value and no table", steps.join("."));
        Err(BadRules { place: place.clone(), message })
    }

    /// Refuses `[[…]]` for anything but a list of tables.
    pub(super) fn expect_list(&self, steps: &[String], place: &RuleSource) -> Result<(), BadRules> {
        if !self.ids_at(steps).is_empty() {
            return Ok(());
        }
        let (key, name) = (steps.join("."), steps.last().map_or("", String::as_str));
        let message = match self.at(steps) {
            Some(Json::Object(_)) => format!("{key} is one table: write [{key}]"),
            _ => format!("{key} is a single value: write {name} = …"),
        };
        Err(BadRules { place: place.clone(), message })
    }

    /// Returns the steps of a gift to a seat at the start of the game, where `step` names the seat, counted from 1, as
    /// in `seat2`. Returns `None` in a game without gifts to seats.
    fn compensated(&self, step: &str) -> Option<Vec<String>> {
        let seat = step.strip_prefix("seat")?.parse::<usize>().ok()?.checked_sub(1)?;
        let is_gift = |t: &&Treatment| t.key[0] == Step::Word("gift") && t.has_seat();
        let gift = self.treatments.iter().find(is_gift).filter(|_| seat < MAX_PLAYERS)?;
        let end = gift.key.iter().position(|step| *step == Step::Seat)?;
        let word = |step: &Step| match step {
            Step::Word(word) => (*word).to_owned(),
            Step::Seat => format!("seat{seat}"),
            Step::Stage | Step::StageOrAlways | Step::Name(_) => "s1".to_owned(),
        };
        Some(gift.key[..=end].iter().map(word).collect())
    }

    /// Returns the full path of a key, or a complaint with the nearest valid key. `card` stands for `cards`, as in the
    /// published board files. `seat2` stands for a gift to the second seat at the start of the game.
    pub(super) fn resolve(
        &self,
        prefix: &str,
        path: &[&str],
        place: &RuleSource,
    ) -> Result<Vec<String>, BadRules> {
        let mut steps: Vec<String> =
            prefix.split('.').filter(|s| !s.is_empty()).map(str::to_owned).collect();
        for &step in path {
            let names = self.all_names_at(&steps);
            let step = if steps.is_empty() && step == ALIAS.0 { ALIAS.1 } else { step };
            match names.iter().find(|name| *name == step) {
                Some(found) => steps.push(found.clone()),
                None if steps.is_empty() && self.compensated(step).is_some() => {
                    steps = self.compensated(step).unwrap_or_default();
                }
                None => {
                    let near = nearest(step, &names);
                    let parent = steps.join(".");
                    let is_entry = !self.ids_at(&steps).is_empty();
                    let mut message = if is_entry {
                        format!("there is no {parent} \"{step}\"")
                    } else {
                        format!("unknown key \"{}\"", join(&parent, step))
                    };
                    if let (Some(near), true) = (near, is_entry) {
                        message += &format!(" (nearest: {near})");
                    } else if let Some(near) = near {
                        message += &format!(" (nearest: {})", join(&parent, near));
                    } else if names.is_empty() && parent.is_empty() {
                        message += " (there is nothing to set)";
                    } else if names.is_empty() {
                        message += &format!(" ({parent} is a single value)");
                    } else {
                        message += &format!(" (known: {})", names.join(", "));
                    }
                    return Err(BadRules { place: place.clone(), message });
                }
            }
        }
        Ok(steps)
    }

    /// Returns the ids of the entries at `steps`, if a list of tables is there.
    pub(super) fn ids_at(&self, steps: &[String]) -> Vec<&str> {
        let list = self.at(steps).and_then(Json::as_array);
        list.into_iter().flatten().filter_map(|entry| entry.get("id")?.as_str()).collect()
    }

    /// Returns a default value with the type that belongs to `steps`. This is the value there or, if that is missing or
    /// an empty list, the value of another entry of the list of tables.
    pub(super) fn sample_at(&self, steps: &[String]) -> Option<&Json> {
        let is_empty = |value: &Json| value.as_array().is_some_and(Vec::is_empty);
        let own = self.at(steps);
        let others = match steps {
            [list, _, field] => self
                .at(std::slice::from_ref(list))
                .and_then(Json::as_array)
                .and_then(|l| l.iter().filter_map(|e| e.get(field)).find(|v| !is_empty(v))),
            _ => None,
        };
        own.filter(|value| !is_empty(value)).or(others).or(own)
    }

    /// Returns the keys that may follow `steps`, those of treatments behind the others.
    pub(super) fn all_names_at(&self, steps: &[String]) -> Vec<String> {
        let mut names = self.names_at(steps);
        for treatment in self.begun(steps) {
            let Some(step) = treatment.key.get(steps.len()) else { continue };
            for word in step.words(&self.default) {
                if !names.contains(&word) {
                    names.push(word);
                }
            }
        }
        names
    }

    /// Returns the keys of the default configuration that may follow `steps`.
    pub(super) fn names_at(&self, steps: &[String]) -> Vec<String> {
        let in_list = steps.len() == 2 && self.at(&steps[..1]).is_some_and(Json::is_array);
        if in_list {
            // Entries of one list share their fields: an optional one may be added where it is missing.
            let list = self.at(&steps[..1]).and_then(Json::as_array);
            let mut names: Vec<String> = list
                .into_iter()
                .flatten()
                .filter_map(Json::as_object)
                .flat_map(|entry| entry.keys().cloned())
                .filter(|name| name != "id")
                .collect();
            names.sort();
            names.dedup();
            return names;
        }
        match self.at(steps) {
            Some(Json::Object(map)) => map.keys().cloned().collect(),
            Some(Json::Array(list)) => {
                list.iter().filter_map(|e| e.get("id")?.as_str().map(str::to_owned)).collect()
            }
            _ => Vec::new(),
        }
    }
}
