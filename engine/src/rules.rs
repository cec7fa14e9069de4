//! Rules as data: the embedded default of a game, a file over it, single settings over that.
//!
//! A [`Rules`] value is the merged configuration with the place each value came from, so that every
//! complaint can name it. What keys exist is fixed by the default document: an overlay may change values but
//! invent nothing. Tables inside a list (`[[place]]`) are addressed by their `id`.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};
use toml_edit::{Document, DocumentMut, Item, Table, TableLike, Value};

use crate::game::Game;

/// What is known about a game without playing it.
#[derive(Clone, Debug)]
pub struct About {
    /// The name on the command line.
    pub name: &'static str,
    /// The name of the game for people.
    pub title: &'static str,
    /// Tables that the rules allow.
    pub players: RangeInclusive<usize>,
    /// The table when nothing is said.
    pub default_players: usize,
    /// What is hidden from whom ("perfect", "hidden hands", …).
    pub information: &'static str,
    /// What is random ("none", "dice, decks", …).
    pub chance: &'static str,
    /// Where the rules and numbers come from.
    pub source: &'static str,
}

/// A game that is built from a rules configuration.
pub trait Configure: Game {
    /// The facts about the game.
    fn about() -> About;

    /// The default configuration as a TOML document with comments; its keys are all the keys there are.
    fn default_rules() -> &'static str;

    /// Builds the game for `n_players`.
    ///
    /// # Errors
    /// If a value is out of range, or values contradict each other.
    fn configure(n_players: usize, rules: &Rules) -> Result<Self, BadRules>;
}

/// A configuration that is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadRules {
    /// Where it stands: `file:line`, or the option.
    pub place: String,
    /// What is wrong and what would be accepted.
    pub message: String,
}

impl fmt::Display for BadRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for BadRules {}

/// A merged rules configuration.
#[derive(Clone, Debug)]
pub struct Rules {
    document: DocumentMut,
    origin: BTreeMap<String, String>,
    overrides: BTreeMap<String, Json>,
    schema: Json,
}

impl Rules {
    /// The default configuration `text`.
    ///
    /// # Panics
    /// If the embedded document is not TOML (a bug of the game).
    #[must_use]
    pub fn new(text: &str) -> Self {
        let document: DocumentMut = text.parse().expect("the embedded rules are TOML");
        let schema = table_json(document.as_table());
        Self { document, origin: BTreeMap::new(), overrides: BTreeMap::new(), schema }
    }

    /// The default configuration of `G`.
    #[must_use]
    pub fn of<G: Configure>() -> Self {
        Self::new(G::default_rules())
    }

    /// Lays the TOML document `text` over this one; `name` is what complaints call it.
    ///
    /// # Errors
    /// If `text` is not TOML, or has a key or a type that the default does not have.
    pub fn overlay(&mut self, name: &str, text: &str) -> Result<(), BadRules> {
        let document: Document<&str> = Document::parse(text).map_err(|e| {
            let line = e.span().map_or(1, |span| line_of(text, span.start));
            BadRules {
                place: format!("{name}:{line}"),
                message: format!("not TOML: {}", one_line(e.message())),
            }
        })?;
        let place = |item: &Item, key: Option<&toml_edit::Key>| {
            let span = key.and_then(toml_edit::Key::span).or_else(|| item.span());
            span.map_or_else(|| name.to_owned(), |s| format!("{name}:{}", line_of(text, s.start)))
        };
        self.lay_table("", document.as_table(), &place)
    }

    /// Applies one `KEY=VALUE`, the value in TOML (a bare word counts as text).
    ///
    /// # Errors
    /// If there is no `=`, no such key, or the type is another.
    pub fn set(&mut self, setting: &str) -> Result<(), BadRules> {
        let place = format!("--set {setting}");
        let bad = |message: String| BadRules { place: place.clone(), message };
        let (key, value) = setting
            .split_once('=')
            .ok_or_else(|| bad("expected KEY=VALUE, as in options.rounds=5".to_owned()))?;
        let value = value.trim();
        let value: Value = value.parse().unwrap_or_else(|_| Value::from(value));
        let path: Vec<&str> = key.trim().split('.').collect();
        if path.iter().any(|step| step.is_empty()) {
            return Err(bad(format!("\"{key}\" is no key: name it like options.rounds")));
        }
        self.lay_item("", &path, &Item::Value(value), &place)
    }

    /// Applies overrides as they stand in the header of a record (nested objects).
    ///
    /// # Errors
    /// As for [`Rules::overlay`].
    pub fn overlay_json(&mut self, place: &str, overrides: &Json) -> Result<(), BadRules> {
        let mut flat = Vec::new();
        flatten("", overrides, &mut flat);
        for (key, value) in flat {
            let bad =
                |m: &str| BadRules { place: place.to_owned(), message: format!("{key}: {m}") };
            let value = json_to_toml(&value).ok_or_else(|| bad("null is no value"))?;
            let path: Vec<&str> = key.split('.').collect();
            self.lay_item("", &path, &Item::Value(value), place)?;
        }
        Ok(())
    }

    /// The whole configuration as a TOML document, comments included.
    #[must_use]
    pub fn to_toml(&self) -> String {
        self.document.to_string()
    }

    /// The whole configuration as JSON.
    #[must_use]
    pub fn to_json(&self) -> Json {
        table_json(self.document.as_table())
    }

    /// What differs from the default, as nested objects: the `rules` of a record's header.
    #[must_use]
    pub fn overrides(&self) -> Json {
        let mut nested = Json::Object(Map::new());
        for (key, value) in &self.overrides {
            let mut at = &mut nested;
            for step in key.split('.') {
                at = &mut at[step];
            }
            *at = value.clone();
        }
        nested
    }

    /// The configuration as a Rust value.
    ///
    /// # Errors
    /// If the types do not fit; the message names the key.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, BadRules> {
        T::deserialize(toml_edit::de::Deserializer::from(self.document.clone()))
            .map_err(|e| BadRules { place: "rules".to_owned(), message: one_line(&e.to_string()) })
    }

    /// A complaint about the value of `key`, naming where it was set.
    #[must_use]
    pub fn bad(&self, key: &str, message: impl fmt::Display) -> BadRules {
        let place = self.place_of(key).unwrap_or("default rules");
        BadRules { place: place.to_owned(), message: format!("{key}: {message}") }
    }

    /// Whether `key`, or something inside it, was set by an overlay or a setting.
    #[must_use]
    pub fn is_set(&self, key: &str) -> bool {
        self.place_of(key).is_some()
    }

    /// Where `key`, something inside it, or something around it was set; `None` for a default.
    fn place_of(&self, key: &str) -> Option<&str> {
        let inside = |k: &str| k.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
        let around = |k: &str| key.strip_prefix(k).is_some_and(|rest| rest.starts_with('.'));
        let exact = self.origin.get(key);
        exact
            .or_else(|| self.origin.iter().find(|(k, _)| inside(k)).map(|(_, place)| place))
            .or_else(|| self.origin.iter().find(|(k, _)| around(k)).map(|(_, place)| place))
            .map(String::as_str)
    }

    fn lay_table(
        &mut self,
        prefix: &str,
        table: &dyn TableLike,
        place: &dyn Fn(&Item, Option<&toml_edit::Key>) -> String,
    ) -> Result<(), BadRules> {
        for (name, item) in table.iter() {
            let here = place(item, table.key(name));
            if let Some(list) = item.as_array_of_tables() {
                for entry in list {
                    let at = place(&Item::Table(entry.clone()), None);
                    let id = entry.get("id").and_then(Item::as_str).ok_or_else(|| BadRules {
                        place: at.clone(),
                        message: format!("an entry of [[{name}]] needs an id"),
                    })?;
                    self.resolve(prefix, &[name, id], &at)?;
                    for (field, value) in entry.iter().filter(|(field, _)| *field != "id") {
                        let at = place(value, entry.key(field));
                        self.lay_item(prefix, &[name, id, field], value, &at)?;
                    }
                }
            } else if let Some(inner) = item.as_table() {
                let found = self.resolve(prefix, &[name], &here)?;
                self.lay_table(&found.join("."), inner, place)?;
            } else {
                self.lay_item(prefix, &[name], item, &here)?;
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
        place: &str,
    ) -> Result<(), BadRules> {
        if let Some(table) = item.as_table_like() {
            for (name, inner) in table.iter() {
                let mut path = path.to_vec();
                path.push(name);
                self.lay_item(prefix, &path, inner, place)?;
            }
            return Ok(());
        }
        let steps = self.resolve(prefix, path, place)?;
        let key = steps.join(".");
        let value = item.as_value().expect("an item that is no table is a value");
        let new = value_json(value);
        let bad = |message| Err(BadRules { place: place.to_owned(), message });
        if let Some(id) = self.ids_at(&steps).first() {
            return bad(format!("{key} is a list of tables: name one, as in {key}.{id}.…"));
        }
        if let Some(old) = self.sample_at(&steps)
            && !same_type(old, &new)
        {
            return bad(format!("{key} = {new}: expected {} as in {old}", type_name(old)));
        }
        if json_at(&self.schema, &steps) == Some(&new) {
            self.overrides.remove(&key);
        } else {
            self.overrides.insert(key.clone(), new);
        }
        self.origin.insert(key, place.to_owned());
        write_value(self.document.as_table_mut(), &steps, value.clone());
        Ok(())
    }

    /// The full path of a key, or a complaint with the nearest valid one. `card` stands for `cards`, as in the
    /// published board files.
    fn resolve(&self, prefix: &str, path: &[&str], place: &str) -> Result<Vec<String>, BadRules> {
        let mut steps: Vec<String> =
            prefix.split('.').filter(|s| !s.is_empty()).map(str::to_owned).collect();
        for &step in path {
            let names = self.names_at(&steps);
            let step = if steps.is_empty() && step == ALIAS.0 { ALIAS.1 } else { step };
            match names.iter().find(|name| *name == step) {
                Some(found) => steps.push(found.clone()),
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
                    } else if names.is_empty() {
                        message += &format!(" ({parent} is a single value)");
                    } else {
                        message += &format!(" (known: {})", names.join(", "));
                    }
                    return Err(BadRules { place: place.to_owned(), message });
                }
            }
        }
        Ok(steps)
    }

    /// The ids of the entries at `steps`, if a list of tables is there.
    fn ids_at(&self, steps: &[String]) -> Vec<&str> {
        let list = json_at(&self.schema, steps).and_then(Json::as_array);
        list.into_iter().flatten().filter_map(|entry| entry.get("id")?.as_str()).collect()
    }

    /// A default value with the type that belongs to `steps`: the one there or, if that is missing or an empty
    /// list, that of another entry of the same list of tables.
    fn sample_at(&self, steps: &[String]) -> Option<&Json> {
        let is_empty = |value: &Json| value.as_array().is_some_and(Vec::is_empty);
        let own = json_at(&self.schema, steps);
        let others = match steps {
            [list, _, field] => json_at(&self.schema, std::slice::from_ref(list))
                .and_then(Json::as_array)
                .and_then(|l| l.iter().filter_map(|e| e.get(field)).find(|v| !is_empty(v))),
            _ => None,
        };
        own.filter(|value| !is_empty(value)).or(others).or(own)
    }

    /// The keys that may follow `steps`.
    fn names_at(&self, steps: &[String]) -> Vec<String> {
        let in_list =
            steps.len() == 2 && json_at(&self.schema, &steps[..1]).is_some_and(Json::is_array);
        if in_list {
            // Entries of one list share their fields: an optional one may be added where it is missing.
            let list = json_at(&self.schema, &steps[..1]).and_then(Json::as_array);
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
        match json_at(&self.schema, steps) {
            Some(Json::Object(map)) => map.keys().cloned().collect(),
            Some(Json::Array(list)) => {
                list.iter().filter_map(|e| e.get("id")?.as_str().map(str::to_owned)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The name among `names` that is most like `word`, if any is at all.
#[must_use]
pub fn nearest<'a, S: AsRef<str>>(word: &str, names: &'a [S]) -> Option<&'a str> {
    names
        .iter()
        .map(|name| (strsim::jaro_winkler(word, name.as_ref()), name.as_ref()))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// A first step that is read as another.
const ALIAS: (&str, &str) = ("card", "cards");

fn join(parent: &str, step: &str) -> String {
    if parent.is_empty() { step.to_owned() } else { format!("{parent}.{step}") }
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

fn entry_of<'a>(list: &'a [Json], id: &str) -> Option<&'a Json> {
    list.iter().find(|e| e.get("id").and_then(Json::as_str) == Some(id))
}

fn json_at<'a>(root: &'a Json, steps: &[String]) -> Option<&'a Json> {
    steps.iter().try_fold(root, |at, step| match at {
        Json::Array(list) => entry_of(list, step),
        Json::Object(map) => map.get(step),
        _ => None,
    })
}

fn write_value(root: &mut Table, steps: &[String], value: Value) {
    let (last, parents) = steps.split_last().expect("a path has at least one step");
    if let [list, id] = parents
        && let Some(entries) = root.get_mut(list).and_then(Item::as_array_of_tables_mut)
    {
        let entry = entries.iter_mut().find(|e| e.get("id").and_then(Item::as_str) == Some(id));
        replace(entry.expect("the path was resolved"), last, value);
        return;
    }
    let mut table: &mut dyn TableLike = root;
    for step in parents {
        table =
            table.get_mut(step).and_then(Item::as_table_like_mut).expect("the path was resolved");
    }
    replace(table, last, value);
}

/// Replaces a value and keeps the comment beside it.
fn replace(table: &mut dyn TableLike, name: &str, mut value: Value) {
    if let Some(old) = table.get(name).and_then(Item::as_value) {
        *value.decor_mut() = old.decor().clone();
    }
    table.insert(name, Item::Value(value));
}

fn table_json(table: &dyn TableLike) -> Json {
    Json::Object(table.iter().map(|(k, item)| (k.to_owned(), item_json(item))).collect())
}

fn item_json(item: &Item) -> Json {
    match item {
        Item::None => Json::Null,
        Item::Value(value) => value_json(value),
        Item::Table(table) => table_json(table),
        Item::ArrayOfTables(list) => Json::Array(list.iter().map(|t| table_json(t)).collect()),
    }
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::String(s) => s.value().as_str().into(),
        Value::Integer(i) => (*i.value()).into(),
        Value::Float(f) => (*f.value()).into(),
        Value::Boolean(b) => (*b.value()).into(),
        Value::Datetime(d) => d.value().to_string().into(),
        Value::Array(a) => Json::Array(a.iter().map(value_json).collect()),
        Value::InlineTable(t) => table_json(t),
    }
}

fn json_to_toml(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null | Json::Object(_) => return None,
        Json::Bool(b) => Value::from(*b),
        Json::Number(n) => n.as_i64().map(Value::from).or_else(|| n.as_f64().map(Value::from))?,
        Json::String(s) => Value::from(s.as_str()),
        Json::Array(list) => Value::Array(list.iter().map(json_to_toml).collect::<Option<_>>()?),
    })
}

fn flatten(prefix: &str, json: &Json, out: &mut Vec<(String, Json)>) {
    match json {
        Json::Object(map) => map.iter().for_each(|(k, v)| flatten(&join(prefix, k), v, out)),
        other => out.push((prefix.to_owned(), other.clone())),
    }
}

fn same_type(old: &Json, new: &Json) -> bool {
    match (old, new) {
        (Json::Array(old), Json::Array(new)) => {
            let Some(sample) = old.first() else { return true };
            new.iter().all(|item| same_type(sample, item))
        }
        (Json::Number(old), Json::Number(new)) => old.is_f64() || !new.is_f64(),
        (old, new) => std::mem::discriminant(old) == std::mem::discriminant(new),
    }
}

fn type_name(json: &Json) -> &'static str {
    match json {
        Json::Null => "nothing",
        Json::Bool(_) => "true or false",
        Json::Number(n) if n.is_f64() => "a number",
        Json::Number(_) => "a whole number",
        Json::String(_) => "a text",
        Json::Array(_) => "a list",
        Json::Object(_) => "a table",
    }
}
