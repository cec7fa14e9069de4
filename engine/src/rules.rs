//! Rules as data: the embedded default of a game, a file over it, single settings over that.
//!
//! A [`Rules`] value is the default document and the values laid over it. Each value keeps its place, so that every
//! complaint can name it. The default document fixes the keys: an overlay may change values but add no key. The `id` of
//! a table addresses it inside a list (`[[place]]`). [`Rules::changes`] and the comments of [`Rules::to_toml`] list the
//! changed values and the source of each default.

mod about;
mod change;
mod configure;
mod document;
mod schema;
mod source;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};
use toml_edit::{Document, DocumentMut, Item, Key, TableLike, Value};

use crate::treatment::{Sweep, Treated, Treatment};
use document::{
    flatten, json_to_toml, line_of, same_type, same_value, table_json, type_name, value_json,
    write_json, write_value,
};

use schema::Schema;

pub use crate::likeness::nearest;
pub use about::{About, Chance, Information, Provenance};
pub use change::{Change, Source};
pub use configure::Configure;
pub use source::{BadRules, RuleSource};

/// A merged rules configuration.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Shared, since an experiment has a copy of `Rules` for each of its cells.
    default: Arc<DocumentMut>,
    schema: Schema,
    /// The values laid over the default, by key.
    laid: BTreeMap<String, Laid>,
}

/// A value that was given.
#[derive(Clone, Debug)]
struct Laid {
    steps: Vec<String>,
    value: Json,
    place: RuleSource,
    /// True if the value differs from the default.
    is_change: bool,
}

/// The keys and ids that a document has laid so far, each with its place.
type Seen = BTreeMap<String, RuleSource>;

/// The steps to a value on a line, and all changed values of the line: each with its steps inside and its default.
type ChangedLine<'a> = (&'a [String], Vec<(String, Json)>);

/// A function that finds the place of an item of a document.
type Locate<'a> = &'a dyn Fn(&Item, Option<&Key>) -> RuleSource;

impl Rules {
    /// Returns the default configuration `text`.
    ///
    /// # Panics
    /// If the embedded document is not TOML (a bug of the game).
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::with_treatments(text, &[])
    }

    /// Returns the default configuration `text` of a game to which `treatments` can be done.
    fn with_treatments(text: &str, treatments: &'static [Treatment]) -> Self {
        let default: DocumentMut = text.parse().expect("the embedded rules are TOML");
        let schema = Schema { default: Arc::new(table_json(default.as_table())), treatments };
        Self { default: Arc::new(default), schema, laid: BTreeMap::new() }
    }

    /// Returns the default configuration of `G`.
    #[must_use]
    pub fn of<G: Configure>() -> Self {
        Self::with_treatments(G::default_rules(), G::treatments())
    }

    /// Lays the TOML document `text` over this one; complaints call it `name`.
    ///
    /// # Errors
    /// If `text` is not TOML, has a key or a type that the default does not have, or sets a value twice.
    pub fn overlay(&mut self, name: &str, text: &str) -> Result<(), BadRules> {
        let file =
            |offset: usize| RuleSource::File { name: name.to_owned(), line: line_in(text, offset) };
        let document: Document<&str> = Document::parse(text).map_err(|e| BadRules {
            place: file(e.span().map_or(0, |span| span.start)),
            message: format!("not TOML: {}", one_line(e.message())),
        })?;
        let locate = |item: &Item, key: Option<&Key>| {
            file(key.and_then(Key::span).or_else(|| item.span()).map_or(0, |span| span.start))
        };
        self.lay_table("", document.as_table(), &locate, &mut Seen::new())
    }

    /// Applies one `KEY=VALUE`, the value in TOML (a bare word counts as text).
    ///
    /// # Errors
    /// If there is no `=`, no such key, or the type differs.
    pub fn set(&mut self, setting: &str) -> Result<(), BadRules> {
        let place = RuleSource::Setting(setting.to_owned());
        let bad = |message: String| BadRules { place: place.clone(), message };
        let (key, value) = setting
            .split_once('=')
            .ok_or_else(|| bad(format!("expected KEY=VALUE{}", self.schema.example())))?;
        let value = value.trim();
        let value: Value = value.parse().unwrap_or_else(|_| Value::from(value));
        let path: Vec<&str> = key.trim().split('.').collect();
        if path.iter().any(|step| step.is_empty()) {
            return Err(bad(format!("\"{key}\" is no key{}", self.schema.example())));
        }
        self.lay_item("", &path, &Item::Value(value), &place, &mut Seen::new())
    }

    /// Applies overrides from the header of a record (nested objects).
    ///
    /// # Errors
    /// As for [`Rules::overlay`].
    pub fn overlay_json(&mut self, overrides: &Json) -> Result<(), BadRules> {
        let mut flat = Vec::new();
        flatten("", overrides, &mut flat);
        for (key, value) in flat {
            let bad = || BadRules {
                place: RuleSource::Record,
                message: format!("{key}: null is no value"),
            };
            let value = json_to_toml(&value).ok_or_else(bad)?;
            let path: Vec<&str> = key.split('.').collect();
            self.lay_item("", &path, &Item::Value(value), &RuleSource::Record, &mut Seen::new())?;
        }
        Ok(())
    }

    /// Returns the changed values.
    fn changed(&self) -> impl Iterator<Item = (&String, &Laid)> {
        self.laid.iter().filter(|(_, laid)| laid.is_change)
    }

    /// Returns the default document with the changed values.
    fn merged(&self) -> DocumentMut {
        let mut document = DocumentMut::clone(&self.default);
        for (_, laid) in self.changed().filter(|(_, laid)| !self.is_treatment(laid)) {
            let value = json_to_toml(&laid.value).expect("a value of TOML");
            write_value(document.as_table_mut(), &laid.steps, value);
        }
        document
    }

    /// Returns the default values with the changed ones.
    fn merged_json(&self) -> Json {
        let mut json = Json::clone(&self.schema.default);
        for (_, laid) in self.changed().filter(|(_, laid)| !self.is_treatment(laid)) {
            write_json(&mut json, &laid.steps, laid.value.clone());
        }
        json
    }

    /// Returns the whole configuration as a TOML document with its comments; each changed value has its default beside
    /// it.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let mut document = self.merged();
        let mut lines: BTreeMap<Vec<&String>, ChangedLine<'_>> = BTreeMap::new();
        for (_, laid) in self.changed().filter(|(_, laid)| !self.is_treatment(laid)) {
            let steps = &laid.steps[..];
            let inside = line_of(self.default.as_table(), steps).inside;
            let line = steps[..steps.len() - inside.len()].iter().collect();
            let (_, changes) = lines.entry(line).or_insert((steps, Vec::new()));
            changes.push((inside.join("."), self.default_at(steps)));
        }
        for (steps, changes) in lines.values() {
            change::mark(&self.default, &mut document, steps, changes);
        }
        document.to_string() + &self.treatments_toml()
    }

    /// Returns the given treatments as TOML tables, which stand behind all others.
    fn treatments_toml(&self) -> String {
        let (mut text, mut header) = (String::new(), "");
        for (key, laid) in self.changed().filter(|(_, laid)| self.is_treatment(laid)) {
            let (table, name) = key.rsplit_once('.').expect("a treatment's key has several steps");
            if table != header {
                let seat = change::seat_of(table).map(|seat| format!(" of seat {seat}"));
                text += &format!("\n[{table}]  # a treatment{}\n", seat.unwrap_or_default());
                header = table;
            }
            let value = json_to_toml(&laid.value).expect("a value of TOML");
            text += &format!("{name} = {}\n", value.to_string().trim());
        }
        text
    }

    fn treatment_of(&self, laid: &Laid) -> Option<&'static Treatment> {
        let is_own = self.schema.at(&laid.steps).is_none();
        self.schema.treatment_at(&laid.steps).filter(|_| is_own)
    }

    fn is_treatment(&self, laid: &Laid) -> bool {
        self.treatment_of(laid).is_some()
    }

    /// Returns the treatments that were given, in the order of their keys.
    ///
    /// # Errors
    /// If one of them names a seat that a table of `n_players` does not have, or its amount is out of range.
    pub fn treated(&self, n_players: usize) -> Result<Vec<Treated>, BadRules> {
        let mut all = Vec::new();
        for (key, laid) in self.changed() {
            let Some(treatment) = self.treatment_of(laid) else { continue };
            let treated = treatment.read(&laid.steps, laid.value.clone());
            if let Some(seat) = treated.seat.filter(|seat| seat.idx() >= n_players) {
                let message =
                    format!("a table of {n_players} has no seat {seat} (0 to {})", n_players - 1);
                return Err(self.bad(key, message));
            }
            treatment
                .amount
                .check(&laid.value, n_players, &self.schema.default)
                .map_err(|message| self.bad(key, message))?;
            all.push(treated);
        }
        Ok(all)
    }

    /// Returns the default value of `sweep` (0 or 1 for a switch), or `None` if the default rules have no such value.
    #[must_use]
    pub fn usual(&self, sweep: &Sweep, name: Option<&str>) -> Option<i64> {
        sweep.number(self.schema.at(&sweep.key_for(name))?)
    }

    /// Returns the setting that gives `sweep` this number, or `None` if the default rules have no such value.
    #[must_use]
    pub fn swept(&self, sweep: &Sweep, name: Option<&str>, number: i64) -> Option<String> {
        let key = sweep.key_for(name);
        let value = self.schema.at(&key)?;
        sweep.number(value)?;
        Some(format!("{}={}", key.join("."), sweep.with_number(value, number)))
    }

    /// Returns the names that the key of `treatment` can have; empty if the key has no name.
    #[must_use]
    pub fn names_for(&self, treatment: &Treatment) -> Vec<String> {
        treatment.names().map_or_else(Vec::new, |names| names.all(&self.schema.default))
    }

    /// Returns the whole configuration as JSON, with the treatments that were given.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut json = self.merged_json();
        for (key, laid) in self.changed().filter(|(_, laid)| self.is_treatment(laid)) {
            *key.split('.').fold(&mut json, |at, step| &mut at[step]) = laid.value.clone();
        }
        json
    }

    /// Returns the differences from the default, as nested objects: the `rules` of a record's header.
    #[must_use]
    pub fn overrides(&self) -> Json {
        let mut nested = Json::Object(Map::new());
        for (key, laid) in self.changed() {
            *key.split('.').fold(&mut nested, |at, step| &mut at[step]) = laid.value.clone();
        }
        nested
    }

    /// Returns the differences from the default in the order of the keys, each with its default value.
    #[must_use]
    pub fn changes(&self) -> Vec<Change> {
        let change = |(key, laid): (&String, &Laid)| Change {
            key: key.clone(),
            was: self.default_at(&laid.steps),
            now: laid.value.clone(),
            sources: if self.is_treatment(laid) {
                Vec::new()
            } else {
                change::sources(&self.default, &laid.steps)
            },
        };
        self.changed().map(change).collect()
    }

    /// Returns the default value at `steps`, or null if there is none.
    fn default_at(&self, steps: &[String]) -> Json {
        self.schema.at(steps).cloned().unwrap_or_default()
    }

    /// Returns the configuration as a Rust value.
    ///
    /// # Errors
    /// If the types do not fit; the message names the key.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, BadRules> {
        // From borrowed JSON: for reading from a document, serde makes code that is several times as long for every
        // type. It is longer still where it has to drop its input.
        T::deserialize(&self.merged_json())
            .map_err(|e| self.misread(&e.to_string(), &|json| T::deserialize(&json).is_ok()))
    }

    /// Returns a complaint about the first changed value that cannot be read alone.
    fn misread(&self, message: &str, reads: &dyn Fn(Json) -> bool) -> BadRules {
        let alone = |laid: &Laid| {
            let mut json = Json::clone(&self.schema.default);
            write_json(&mut json, &laid.steps, laid.value.clone());
            json
        };
        let mut changed = self.changed().filter(|(_, laid)| !self.is_treatment(laid));
        let message = one_line(message);
        match changed.find(|(_, laid)| !reads(alone(laid))) {
            Some((key, laid)) => {
                BadRules { place: laid.place.clone(), message: format!("{key}: {message}") }
            }
            None => BadRules { place: RuleSource::Default, message },
        }
    }

    /// Returns a complaint about the value of `key`, naming where it was set.
    #[must_use]
    pub fn bad(&self, key: &str, message: impl fmt::Display) -> BadRules {
        self.bad_among(&[key], message)
    }

    /// Returns a complaint about values that contradict each other. It names the first of `keys` that was changed, and
    /// never a default.
    ///
    /// # Panics
    /// If there is no key (a bug of the caller).
    #[must_use]
    pub fn bad_among(&self, keys: &[&str], message: impl fmt::Display) -> BadRules {
        let changed = keys.iter().find_map(|key| Some((key, self.laid_at(key, true)?)));
        let given = || keys.iter().find_map(|key| Some((key, self.laid_at(key, false)?)));
        let nowhere = || Some((&keys[0], self.only_change()?));
        let (key, place) = match changed.or_else(nowhere).or_else(given) {
            Some((key, laid)) => (key, laid.place.clone()),
            None => (&keys[0], RuleSource::Default),
        };
        BadRules { place, message: format!("{key}: {message}") }
    }

    /// Returns the changed value, if there is exactly one.
    fn only_change(&self) -> Option<&Laid> {
        let mut all = self.changed();
        all.next().filter(|_| all.next().is_none()).map(|(_, laid)| laid)
    }

    /// Returns the value laid at `key`, inside it, or around it; with `only_changed`, only a changed one.
    fn laid_at(&self, key: &str, only_changed: bool) -> Option<&Laid> {
        let inside = |k: &str| k.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
        let around = |k: &str| key.strip_prefix(k).is_some_and(|rest| rest.starts_with('.'));
        let all = || self.laid.iter().filter(|(_, laid)| laid.is_change || !only_changed);
        all()
            .find(|(k, _)| *k == key)
            .or_else(|| all().find(|(k, _)| inside(k)))
            .or_else(|| all().find(|(k, _)| around(k)))
            .map(|(_, laid)| laid)
    }

    fn lay_table(
        &mut self,
        prefix: &str,
        table: &dyn TableLike,
        locate: Locate<'_>,
        seen: &mut Seen,
    ) -> Result<(), BadRules> {
        for (name, item) in table.iter() {
            let here = locate(item, table.key(name));
            if let Some(list) = item.as_array_of_tables() {
                self.schema.expect_list(&self.schema.resolve(prefix, &[name], &here)?, &here)?;
                for entry in list {
                    let at = locate(&Item::Table(entry.clone()), None);
                    let id = entry.get("id").and_then(Item::as_str).ok_or_else(|| BadRules {
                        place: at.clone(),
                        message: format!("an entry of [[{name}]] needs an id, a text"),
                    })?;
                    let steps = self.schema.resolve(prefix, &[name, id], &at)?;
                    claim(seen, format!("[[{name}]] \"{id}\""), &at)?;
                    debug_assert_eq!(steps.len(), 2, "lists of tables stand at the top");
                    for (field, value) in entry.iter().filter(|(field, _)| *field != "id") {
                        let at = locate(value, entry.key(field));
                        self.lay_item(prefix, &[name, id, field], value, &at, seen)?;
                    }
                }
            } else if let Some(inner) = item.as_table() {
                let found = self.schema.resolve(prefix, &[name], &here)?;
                self.schema.expect_table(&found, &here)?;
                self.lay_table(&found.join("."), inner, locate, seen)?;
            } else {
                self.lay_item(prefix, &[name], item, &here, seen)?;
            }
        }
        Ok(())
    }

    /// Sets the value at `prefix` + `path`; a table value sets each of its fields.
    fn lay_item(
        &mut self,
        prefix: &str,
        path: &[&str],
        item: &Item,
        place: &RuleSource,
        seen: &mut Seen,
    ) -> Result<(), BadRules> {
        if let Some(table) = item.as_table_like() {
            self.schema.expect_table(&self.schema.resolve(prefix, path, place)?, place)?;
            for (name, inner) in table.iter() {
                let mut path = path.to_vec();
                path.push(name);
                self.lay_item(prefix, &path, inner, place, seen)?;
            }
            return Ok(());
        }
        let steps = self.schema.resolve(prefix, path, place)?;
        let key = steps.join(".");
        let written = item.as_value().expect("an item that is no table is a value");
        let value = value_json(written);
        let bad = |message| Err(BadRules { place: place.clone(), message });
        if let Some(id) = self.schema.ids_at(&steps).first() {
            return bad(format!("{key} is a list of tables: name one, as in {key}.{id}.…"));
        }
        let treatment = self.schema.treatment_at(&steps);
        let is_table = matches!(self.schema.at(&steps), Some(Json::Object(_)))
            || treatment.is_none() && self.schema.leads_to_treatments(&steps);
        if is_table {
            let names = self.schema.all_names_at(&steps).join(", ");
            return bad(format!(
                "{key} is a table: name one of its keys, as in {key}.KEY ({names})"
            ));
        }
        let sample = treatment.map(|treatment| treatment.amount.sample());
        if let Some(old) = self.schema.sample_at(&steps).or(sample.as_ref())
            && !same_type(old, &value)
        {
            let mut text = written.clone();
            text.decor_mut().clear();
            let text = text.to_string();
            return bad(format!(
                "{key} = {}: expected {} as in {old}",
                one_line(&text),
                type_name(old)
            ));
        }
        if json_to_toml(&value).is_none() {
            return bad(format!("{key}: nan and inf are no numbers of a game"));
        }
        claim(seen, key.clone(), place)?;
        let is_default = match treatment {
            Some(treatment) => treatment.amount.is_neutral(&value),
            None => self.schema.at(&steps).is_some_and(|old| same_value(old, &value)),
        };
        let is_change = !is_default;
        self.laid.insert(key, Laid { steps, value, place: place.clone(), is_change });
        Ok(())
    }
}

fn join(parent: &str, step: &str) -> String {
    if parent.is_empty() { step.to_owned() } else { format!("{parent}.{step}") }
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the line of `text` in which `offset` lies, from 1.
fn line_in(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// Notes that a document sets a value, and refuses a second time.
fn claim(seen: &mut Seen, what: String, place: &RuleSource) -> Result<(), BadRules> {
    match seen.get(&what) {
        Some(first) => {
            let message = format!("{what} stands twice, first at {first}: keep one of them");
            Err(BadRules { place: place.clone(), message })
        }
        None => {
            seen.insert(what, place.clone());
            Ok(())
        }
    }
}
