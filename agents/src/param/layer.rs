//! Layers of weights below the explicit weights of a spec: files, presets and sets of a game.

use toml_edit::{Document, Item, Key, Value as Written};

use super::{Param, Rows, Settings, Value};

/// The weights that one setting names: a file, a preset, or a set of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeightLayer<'a> {
    /// The parameter that names the layer.
    pub param: &'static str,
    /// The value of the parameter: path or word.
    pub name: &'a str,
    /// The content, as TOML.
    pub text: &'a str,
}

impl Rows {
    /// Returns the weights in a TOML document for the game called `game`, whose weights these are, in the document's
    /// order.
    ///
    /// # Errors
    /// If the text is not TOML, an entry names no weight, or a value is no number or out of range; with the line.
    pub fn document(self, game: &str, text: &str) -> Result<Vec<(&'static Param, Value)>, String> {
        let line = |start: usize| text[..start].matches('\n').count() + 1;
        let document: Document<&str> = Document::parse(text).map_err(|e| {
            let at = e.span().map_or(1, |span| line(span.start));
            format!("line {at}: not TOML: {}", e.message().replace('\n', " "))
        })?;
        let entry = |(name, item)| {
            let span = document.key(name).and_then(Key::span);
            let at = span.map_or(1, |span| line(span.start));
            self.entry(game, name, written(text, item))
                .map_err(|complaint| format!("line {at}: {complaint}"))
        };
        document.iter().map(entry).collect()
    }

    /// Returns the value of every weight of the game called `game`. Precedence, highest first: the explicit weights of
    /// `settings`, `layers` from the first to the last, the defaults.
    ///
    /// # Errors
    /// As for [`Rows::document`] and [`Rows::checked`].
    ///
    /// # Panics
    /// If a weight has no default (a bug of its game, which a test would show).
    pub fn values(
        self,
        game: &str,
        layers: &[WeightLayer<'_>],
        settings: &Settings,
    ) -> Result<Vec<(&'static Param, Value)>, String> {
        let default = |weight: &'static Param| {
            (weight, weight.default_value().expect("every weight has a default"))
        };
        let mut all: Vec<_> = self.params.iter().map(default).collect();
        let mut set = |weight: &Param, value: Value| {
            let slot = all.iter_mut().find(|(known, _)| known.name == weight.name);
            slot.expect("a weight of this game").1 = value;
        };
        for layer in layers.iter().rev() {
            for (weight, value) in self.document(game, layer.text)? {
                set(weight, value);
            }
        }
        for (weight, value) in settings.weights() {
            set(weight, self.checked(game, weight.name, value)?);
        }
        Ok(all)
    }

    fn entry(
        self,
        game: &str,
        name: &str,
        written: Option<String>,
    ) -> Result<(&'static Param, Value), String> {
        let weight = self.weight(game, name)?;
        let written = written.ok_or_else(|| format!("{name} is no number"))?;
        Ok((weight, weight.read(&written)?.expect("weights have no auto")))
    }
}

/// Returns the number of an item in its own spelling; `None` if it is no number.
fn written(text: &str, item: &Item) -> Option<String> {
    match item.as_value()? {
        Written::Integer(_) | Written::Float(_) => {
            Some(text[item.span()?].trim().trim_start_matches('+').replace('_', ""))
        }
        _ => None,
    }
}

impl Settings {
    /// Returns the settings with `param` set to `value`, which replaces an earlier value.
    #[must_use]
    pub(crate) fn with_param(mut self, param: &'static Param, value: Value) -> Self {
        self.values.retain(|(values, _)| values.name != param.name);
        self.values.push((param, value));
        self
    }
}
