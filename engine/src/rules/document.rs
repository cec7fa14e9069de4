//! TOML documents and JSON values by the steps of a key: lookup, writing and conversion.
//!
//! A step into a list of tables (`[[place]]`) is the `id` of an entry.

use serde_json::Value as Json;
use toml_edit::{InlineTable, Item, Table, TableLike, Value};

use super::join;

/// Returns the value at `steps`.
pub(super) fn json_at<'a>(root: &'a Json, steps: &[String]) -> Option<&'a Json> {
    steps.iter().try_fold(root, |at, step| match at {
        Json::Array(list) => list.iter().find(|entry| entry["id"] == step.as_str()),
        Json::Object(map) => map.get(step),
        _ => None,
    })
}

/// Writes the value at `steps`.
///
/// # Panics
/// If `steps` do not lead to a value that exists or could exist (a bug of the caller).
pub(super) fn write_json(root: &mut Json, steps: &[String], value: Json) {
    let (last, parents) = steps.split_last().expect("a path has at least one step");
    let table = parents.iter().fold(root, |at, step| match at {
        Json::Array(list) => {
            let entry = list.iter_mut().find(|entry| entry["id"] == step.as_str());
            entry.expect("the path was resolved")
        }
        table => &mut table[step.as_str()],
    });
    table[last.as_str()] = value;
}

/// Appends the values inside `json`, each with its key.
pub(super) fn flatten(prefix: &str, json: &Json, out: &mut Vec<(String, Json)>) {
    match json {
        Json::Object(map) => map.iter().for_each(|(k, v)| flatten(&join(prefix, k), v, out)),
        other => out.push((prefix.to_owned(), other.clone())),
    }
}

/// Returns whether two values mean the same: 1 and 1.0 do.
pub(super) fn same_value(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(x), Json::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (Json::Array(x), Json::Array(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same_value(x, y))
        }
        (Json::Object(x), Json::Object(y)) => {
            let in_y = |(key, x)| y.get(key).is_some_and(|y| same_value(x, y));
            x.len() == y.len() && x.iter().all(in_y)
        }
        _ => a == b,
    }
}

/// Returns the line of the value at `steps`: its table, its key, and the steps that lead on inside the value (into an
/// inline table).
///
/// # Panics
/// If `steps` do not lead to a value that exists or could exist (a bug of the caller).
pub(super) fn line_of<'a, 's>(root: &'a Table, steps: &'s [String]) -> EntryLine<'a, 's> {
    let (mut table, mut list, mut rest) = (root, None, steps);
    loop {
        let (key, inside) = rest.split_first().expect("a path has at least one step");
        match (table.get(key), inside) {
            (Some(Item::Table(inner)), [_, ..]) => (table, rest) = (inner, inside),
            (Some(Item::ArrayOfTables(entries)), [id, inside @ ..]) => {
                let mut all = entries.iter();
                let entry = all.find(|e| e.get("id").and_then(Item::as_str) == Some(id));
                list = entries.get(0);
                (table, rest) = (entry.expect("the path was resolved"), inside);
            }
            _ => return EntryLine { table, first_entry: list, key, inside },
        }
    }
}

/// The line of a value.
pub(super) struct EntryLine<'a, 's> {
    pub(super) table: &'a Table,
    /// The first entry of the list to which `table` belongs.
    pub(super) first_entry: Option<&'a Table>,
    pub(super) key: &'s str,
    pub(super) inside: &'s [String],
}

/// Returns the table that [`line_of`] finds, for changes.
pub(super) fn table_of_line<'a>(root: &'a mut Table, steps: &[String]) -> &'a mut Table {
    let depth = steps.len() - 1 - line_of(root, steps).inside.len();
    let (mut table, mut rest) = (root, &steps[..depth]);
    while let Some((key, inside)) = rest.split_first() {
        match table.get_mut(key).expect("the path was resolved") {
            Item::Table(inner) => (table, rest) = (inner, inside),
            Item::ArrayOfTables(entries) => {
                let mut all = entries.iter_mut();
                let is_it = |e: &&mut Table| e.get("id").and_then(Item::as_str) == Some(&inside[0]);
                (table, rest) = (all.find(is_it).expect("the path was resolved"), &inside[1..]);
            }
            _ => unreachable!("a line stands in a table"),
        }
    }
    table
}

/// Writes a value; the comment beside an old one stays.
pub(super) fn write_value(root: &mut Table, steps: &[String], value: Value) {
    let n_inside = line_of(root, steps).inside.len();
    let mut table: &mut dyn TableLike = table_of_line(root, steps);
    let (last, parents) = steps.split_last().expect("a path has at least one step");
    for step in &parents[parents.len() - n_inside..] {
        let inner = table.get_mut(step).and_then(Item::as_table_like_mut);
        table = inner.expect("the path was resolved");
    }
    replace(table, last, value);
}

fn replace(table: &mut dyn TableLike, name: &str, mut value: Value) {
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(old) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => drop(table.insert(name, Item::Value(value))),
    }
}

pub(super) fn table_json(table: &dyn TableLike) -> Json {
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

pub(super) fn value_json(value: &Value) -> Json {
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

/// Returns a JSON value in TOML, or `None` for null, which TOML lacks.
pub(super) fn json_to_toml(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => return None,
        Json::Bool(b) => Value::from(*b),
        Json::Number(n) => n.as_i64().map(Value::from).or_else(|| n.as_f64().map(Value::from))?,
        Json::String(s) => Value::from(s.as_str()),
        Json::Array(list) => Value::Array(list.iter().map(json_to_toml).collect::<Option<_>>()?),
        Json::Object(map) => {
            let fields = map.iter().map(|(key, value)| Some((key, json_to_toml(value)?)));
            Value::InlineTable(fields.collect::<Option<InlineTable>>()?)
        }
    })
}

/// Returns whether `new` can stand where `old` stands.
pub(super) fn same_type(old: &Json, new: &Json) -> bool {
    match (old, new) {
        (Json::Array(old), Json::Array(new)) => {
            let Some(sample) = old.first() else { return true };
            new.iter().all(|item| same_type(sample, item))
        }
        (Json::Number(old), Json::Number(new)) => old.is_f64() || !new.is_f64(),
        (old, new) => std::mem::discriminant(old) == std::mem::discriminant(new),
    }
}

/// Returns the type of a value, for people.
pub(super) fn type_name(json: &Json) -> &'static str {
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
