//! A space file, in TOML: ranges, scales, starts, priors, and fixed values.
//!
//! ```toml
//! [parameters]
//! c = { low = 0.1, high = 2, scale = "log", prior = 0.7, spread = 0.2 }
//! select = { values = ["ucb1", "puct"], start = "puct" }
//! "weights.city" = {}
//!
//! [fixed]
//! iterations = 200
//! ```

use agents::{AgentSpec, OfGame};
use engine::rules::nearest;
use toml_edit::{Document, Item, TableLike};

use super::space::Dimension;
use super::template::{Template, prior};
use sim::error::Error;

/// A space file: a table `parameters` with one entry for each, and a table `fixed`.
pub(super) struct SpaceFile {
    pub(super) path: String,
    pub(super) text: String,
    document: Document<String>,
}

/// The keys in the table of a parameter.
const KEYS: [&str; 7] = ["low", "high", "scale", "values", "start", "prior", "spread"];
/// The tables of a file.
const TABLES: [&str; 2] = ["parameters", "fixed"];

impl SpaceFile {
    pub(super) fn read(path: &str, text: &str) -> Result<Self, Error> {
        let document = Document::parse(text.to_owned()).map_err(|e| {
            let at = e.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            Error::Usage(format!("{path}:{at}: not TOML: {}", e.message().replace('\n', " ")))
        })?;
        let file = Self { path: path.to_owned(), text: text.to_owned(), document };
        for (name, _) in file.document.iter() {
            if !TABLES.contains(&name) {
                return Err(file.bad(&unknown_key("table", name, &TABLES)));
            }
        }
        Ok(file)
    }

    fn bad(&self, message: &str) -> Error {
        Error::Usage(format!("{}: {message}", self.path))
    }

    fn table(&self, name: &str) -> Option<&dyn TableLike> {
        self.document.get(name).and_then(Item::as_table_like)
    }

    pub(super) fn names(&self, name: &str) -> bool {
        self.table("parameters").is_some_and(|table| table.contains_key(name))
    }

    pub(super) fn fix(&self, template: &mut Template) -> Result<(), Error> {
        let Some(fixed) = self.table("fixed") else { return Ok(()) };
        for (name, item) in fixed.iter() {
            let value =
                text_of(item).ok_or_else(|| self.bad(&format!("fixed.{name} is not a value")))?;
            template.fix(name, value)?;
        }
        Ok(())
    }

    pub(super) fn dimensions(
        &self,
        template: &Template,
        game: &OfGame,
        base: &AgentSpec,
    ) -> Result<Vec<Dimension>, Error> {
        let Some(parameters) = self.table("parameters") else { return Ok(Vec::new()) };
        let mut dimensions = Vec::new();
        for (name, item) in parameters.iter() {
            if template.says(name) {
                return Err(
                    self.bad(&format!("{name} is also set in the agent: keep one of the two"))
                );
            }
            let table = item.as_table_like().ok_or_else(|| {
                self.bad(&format!("{name} is not a table, as in {{ low = 0, high = 1 }}"))
            })?;
            dimensions.push(self.dimension(name, table, &|written| {
                template.dimension(game, base, name, written)
            })?);
        }
        Ok(dimensions)
    }

    fn dimension(
        &self,
        name: &str,
        table: &dyn TableLike,
        make: &dyn Fn(&str) -> Result<Dimension, Error>,
    ) -> Result<Dimension, Error> {
        if let Some((key, _)) = table.iter().find(|(key, _)| !KEYS.contains(key)) {
            return Err(self.bad(&format!("{name}: {}", unknown_key("key", key, &KEYS))));
        }
        let text = |key: &str| table.get(key).and_then(text_of);
        let words = table.get("values").and_then(Item::as_array).map(|array| {
            let word = |value: &toml_edit::Value| {
                value.as_str().map_or_else(|| value.to_string().trim().to_owned(), str::to_owned)
            };
            array.iter().map(word).collect::<Vec<_>>().join("|")
        });
        let mut written = match (text("low"), text("high"), words) {
            (Some(low), Some(high), None) => format!("{low}..{high}"),
            (None, None, Some(words)) => words,
            (None, None, None) => String::new(),
            _ => {
                return Err(self.bad(&format!(
                    "{name}: give low and high, or values, or neither for all of them"
                )));
            }
        };
        if let (Some(scale), false) = (text("scale"), written.is_empty()) {
            written = format!("{written}:{scale}");
        }
        if let Some(start) = text("start") {
            written = format!("{written}={start}");
        }
        let mut dimension = make(&written).map_err(|error| self.bad(&error.to_string()))?;
        if let Some(expected) = text("prior") {
            let spread = text("spread").map_or(Ok(DEFAULT_SPREAD), |text| text.parse());
            let spread =
                spread.map_err(|_| self.bad(&format!("{name}: spread is not a number")))?;
            dimension.prior = Some(prior(name, &dimension.range, &expected, spread)?);
        }
        Ok(dimension)
    }
}

/// The default spread of a prior: it leaves most of the range open.
const DEFAULT_SPREAD: f64 = 0.25;

fn unknown_key(what: &str, name: &str, known: &[&str]) -> String {
    let near = nearest(name, known).map_or_else(String::new, |near| format!("nearest: {near}; "));
    format!("unknown {what} \"{name}\" ({near}known: {})", known.join(", "))
}

/// Returns a value as text of a spec.
fn text_of(item: &Item) -> Option<String> {
    use toml_edit::Value;
    match item.as_value()? {
        Value::String(text) => Some(text.value().clone()),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Float(number) => Some(number.value().to_string()),
        Value::Boolean(flag) => Some(if *flag.value() { "on" } else { "off" }.to_owned()),
        _ => None,
    }
}
