//! Interventions of an experiment in a game.
//!
//! A [`Treatment`] answers "what is a card, a seat, a rule worth?" by an intervention: the same games are played once
//! with it and once without, and the results are compared. A game declares its treatments in [`Treatable::treatments`].
//! An analysis reads them there (id, meaning, stage, seat, amount) and needs no code for a single game.
//!
//! The design, in five points.
//!
//! 1. **A treatment is a key of the rules configuration** that names its stage of the game and its seat, as in
//!    `gift.s2.seat1.vp = 20`. So all readers of rules accept it: settings, rules files, records and their replay,
//!    manifests, the referee. Its effect is part of the rules of the game that is configured with it.
//! 2. **A treatment that is not given costs nothing**: no key and no change of any game. There is one test of an empty
//!    option at the few points of a stage where it could act.
//! 3. **Treated and control share all history before it and chance after it.** A gift comes from outside (no token
//!    leaves the bag, no card the deck) and needs no draw. Chance draws from addressed streams: under one seed the
//!    decks stay paired. Only the null treatment draws: one number from each stream, on which nothing depends, so that
//!    games part without a cause.
//! 4. **A neutral amount is no treatment**: 0, `false` or an empty list takes back the value of a file below.
//! 5. **Agents get no notice**, but the rules that they play by include the treatment: a search that looks beyond the
//!    end of a stage sees the gifts of the next stage. Where that matters, the treated games branch from a position.
//!
//! [`Treatable::treatments`]: crate::treatable::Treatable::treatments

use std::fmt;

use serde_json::{Value as Json, json};

use crate::player::{MAX_PLAYERS, Player};

/// Number of stages that a key can name; a configuration may have fewer.
pub const MAX_STAGES: u8 = 20;

/// The step of a key that stands instead of a stage: the whole game.
const ALWAYS: &str = "always";

/// An intervention in a game from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Treatment {
    /// The name in analyses, as in `gift.vp`.
    pub id: &'static str,
    /// The sort of intervention.
    pub kind: Kind,
    /// Its key in the rules configuration.
    pub key: &'static [Step],
    /// The amounts that it can have.
    pub amount: Amount,
    /// The effect, as a sentence.
    pub meaning: &'static str,
}

/// Sorts of treatments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Draws numbers on which nothing depends.
    Null,
    /// Gives to a seat, or takes from it.
    Gift,
    /// Takes an option out of a seat's choice, or out of the game.
    Ban,
    /// Sets an outcome that is otherwise drawn or negotiated.
    Forced,
    /// Sets a start that is otherwise drawn or chosen.
    Start,
}

/// A step of a treatment's key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// This word.
    Word(&'static str),
    /// A stage of the game, as its rules divide it: `s1` for the first.
    Stage,
    /// A stage, or `always`.
    StageOrAlways,
    /// A seat, `seat0` for the first.
    Seat,
    /// A name from this set.
    Name(Names),
}

/// Names of things of a game, from its default rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// A fixed list of names.
    Words(&'static [&'static str]),
    /// The keys of a table.
    KeysOf(&'static str),
    /// The ids of a list of tables.
    IdsOf(&'static str),
    /// The ids of those entries of a list of tables that have a field.
    IdsWith(&'static str, &'static str),
}

/// The amounts that a treatment can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// Done (`true`) or not.
    Switch,
    /// A whole number within a range.
    Number {
        /// The smallest number.
        least: i64,
        /// The largest number.
        most: i64,
        /// The unit of the number.
        unit: &'static str,
    },
    /// A seat.
    Seat,
    /// All seats, each once.
    Order,
    /// A list of names.
    Names {
        /// The names that it can contain.
        of: Names,
        /// The fewest names.
        least: usize,
        /// The most names.
        most: usize,
    },
    /// A list of whole numbers, each within a range.
    Numbers {
        /// The smallest and the largest number.
        range: (i64, i64),
        /// The fewest numbers.
        least: usize,
        /// The most numbers.
        most: usize,
    },
}

/// A number of the rules that can be changed by steps, or a switch: a key of the default configuration. No seat gains
/// by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sweep {
    /// The name in analyses, as in `cards.cost`.
    pub id: &'static str,
    /// Its key.
    pub key: &'static [Step],
    /// The index in a list, from 0; `None` if the value is no list.
    pub element: Option<usize>,
    /// The smallest number; 0 is `false` for a switch.
    pub least: i64,
    /// The largest number; 1 is `true` for a switch.
    pub most: i64,
    /// The unit of the number; empty for a switch.
    pub unit: &'static str,
}

impl Sweep {
    /// Returns the names that the key can have, if it has a name.
    #[must_use]
    pub fn names(&self) -> Option<Names> {
        name_in(self.key)
    }

    /// Returns the spelling of the key: `cards.NAME.cost`.
    #[must_use]
    pub fn spelling(&self) -> String {
        spelling(self.key)
    }

    /// Returns the key for a name, if it has one.
    #[must_use]
    pub fn key_for(&self, name: Option<&str>) -> Vec<String> {
        let word = |step: &Step| match step {
            Step::Word(word) => (*word).to_owned(),
            _ => name.unwrap_or_default().to_owned(),
        };
        self.key.iter().map(word).collect()
    }

    /// Returns the number in the value `json` of the key, or `None` if it holds no number.
    pub(crate) fn number(&self, json: &Json) -> Option<i64> {
        match self.element {
            Some(place) => json.get(place)?.as_i64(),
            None => json.as_i64().or_else(|| json.as_bool().map(i64::from)),
        }
    }

    /// Returns the value `json` of the key with `number` instead of its own.
    pub(crate) fn with_number(&self, json: &Json, number: i64) -> Json {
        match (json, self.element) {
            (Json::Array(list), Some(place)) => {
                let mut list = list.clone();
                list[place] = number.into();
                Json::Array(list)
            }
            (Json::Bool(_), _) => Json::Bool(number != 0),
            _ => number.into(),
        }
    }
}

/// Returns the names of the name step of a key, if there is one.
fn name_in(key: &[Step]) -> Option<Names> {
    key.iter().find_map(|step| match step {
        Step::Name(names) => Some(*names),
        _ => None,
    })
}

/// Returns the spelling of a key.
fn spelling(key: &[Step]) -> String {
    let word = |step: &Step| match step {
        Step::Word(word) => *word,
        Step::Stage => "sS",
        Step::StageOrAlways => "sS|always",
        Step::Seat => "seatP",
        Step::Name(_) => "NAME",
    };
    key.iter().map(word).collect::<Vec<_>>().join(".")
}

/// A treatment that was given, with its amount.
#[derive(Clone, PartialEq, Debug)]
pub struct Treated {
    /// The treatment.
    pub treatment: &'static Treatment,
    /// The key as it was given, for complaints.
    pub key: String,
    /// The stage, from 1; `None` if the key names no stage, or means the whole game.
    pub stage: Option<u8>,
    /// The treated seat; `None` if the treatment concerns no single seat.
    pub seat: Option<Player>,
    /// The name in the key, if there is one.
    pub name: Option<String>,
    /// The amount.
    pub value: Json,
}

impl Treatment {
    /// Returns whether the key names a stage: then the treatment does nothing before that stage starts.
    #[must_use]
    pub fn has_stage(&self) -> bool {
        self.key.iter().any(|step| matches!(step, Step::Stage | Step::StageOrAlways))
    }

    /// Returns whether the treatment acts on one seat: if not, no single seat gains.
    #[must_use]
    pub fn has_seat(&self) -> bool {
        self.key.contains(&Step::Seat)
    }

    /// Returns the names that the key can have, if it has a name.
    #[must_use]
    pub fn names(&self) -> Option<Names> {
        name_in(self.key)
    }

    /// Returns the key for a stage (from 1), seat and name, as far as the key has them: `gift.s2.seat1.card.loot`.
    ///
    /// # Panics
    /// If the key has a step for an argument that is missing (the stage may be missing where `always` is meant).
    #[must_use]
    pub fn key_for(&self, stage: Option<u8>, seat: Option<Player>, name: Option<&str>) -> String {
        let word = |step: &Step| match step {
            Step::Word(word) => (*word).to_owned(),
            Step::Stage => format!("s{}", stage.expect("the treatment names a stage")),
            Step::StageOrAlways => stage.map_or(ALWAYS.to_owned(), |s| format!("s{s}")),
            Step::Seat => format!("seat{}", seat.expect("the treatment names a seat")),
            Step::Name(_) => name.expect("the treatment names a thing").to_owned(),
        };
        self.key.iter().map(word).collect::<Vec<_>>().join(".")
    }

    /// Returns the spelling of the key: `gift.sS.seatP.card.CARD`.
    #[must_use]
    pub fn spelling(&self) -> String {
        spelling(self.key)
    }

    /// Returns whether `steps` are the beginning of the key, or all of it, in a game with these default rules.
    pub(crate) fn begins_with(&self, steps: &[String], default: &Json) -> bool {
        steps.len() <= self.key.len()
            && self.key.iter().zip(steps).all(|(step, name)| step.admits(name, default))
    }

    /// Reads a key and its value into a given treatment.
    pub(crate) fn read(&'static self, steps: &[String], value: Json) -> Treated {
        let mut treated = Treated {
            treatment: self,
            key: steps.join("."),
            stage: None,
            seat: None,
            name: None,
            value,
        };
        for (step, text) in self.key.iter().zip(steps) {
            match step {
                Step::Word(_) => {}
                Step::Stage | Step::StageOrAlways => treated.stage = number_in(text, "s"),
                Step::Seat => treated.seat = number_in(text, "seat").map(Player::of),
                Step::Name(_) => treated.name = Some(text.clone()),
            }
        }
        treated
    }
}

/// Returns the number behind a word.
fn number_in(text: &str, word: &str) -> Option<u8> {
    text.strip_prefix(word)?.parse().ok()
}

impl Step {
    /// Returns all words that this step can be.
    pub(crate) fn words(self, default: &Json) -> Vec<String> {
        let stages = (1..=MAX_STAGES).map(|stage| format!("s{stage}"));
        match self {
            Self::Word(word) => vec![word.to_owned()],
            Self::Stage => stages.collect(),
            Self::StageOrAlways => std::iter::once(ALWAYS.to_owned()).chain(stages).collect(),
            Self::Seat => (0..MAX_PLAYERS).map(|seat| format!("seat{seat}")).collect(),
            Self::Name(names) => names.all(default),
        }
    }

    fn admits(self, name: &str, default: &Json) -> bool {
        match self {
            Self::Word(word) => word == name,
            _ => self.words(default).iter().any(|word| word == name),
        }
    }
}

impl Names {
    /// Returns all of these names, in a game with these default rules.
    #[must_use]
    pub fn all(self, default: &Json) -> Vec<String> {
        let ids = |list: &str, is_one: &dyn Fn(&Json) -> bool| {
            let entries = default[list].as_array().into_iter().flatten();
            let ids =
                entries.filter(|entry| is_one(entry)).filter_map(|entry| entry["id"].as_str());
            ids.map(str::to_owned).collect()
        };
        match self {
            Self::Words(words) => words.iter().map(|&word| word.to_owned()).collect(),
            Self::KeysOf(table) => default[table]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(key, _)| key.clone())
                .collect(),
            Self::IdsOf(list) => ids(list, &|_| true),
            Self::IdsWith(list, field) => ids(list, &|entry| entry.get(field).is_some()),
        }
    }
}

impl Amount {
    /// Returns a value of the expected type.
    pub(crate) fn sample(self) -> Json {
        match self {
            Self::Switch => json!(true),
            Self::Number { least, most, .. } => json!(1.clamp(least, most)),
            Self::Seat => json!(0),
            Self::Order => json!([1, 0]),
            Self::Names { .. } => json!([""]),
            Self::Numbers { range, .. } => json!([range.0]),
        }
    }

    /// Returns whether `value` means that nothing is done. (A seat is never neutral.)
    pub(crate) fn is_neutral(self, value: &Json) -> bool {
        match self {
            Self::Switch => value == &Json::Bool(false),
            Self::Number { .. } => value.as_i64() == Some(0),
            Self::Seat => false,
            Self::Order | Self::Names { .. } | Self::Numbers { .. } => {
                value.as_array().is_some_and(Vec::is_empty)
            }
        }
    }

    /// Checks `value` at a table of `n_players`; the error text states the fault.
    pub(crate) fn check(
        self,
        value: &Json,
        n_players: usize,
        default: &Json,
    ) -> Result<(), String> {
        let numbers = || value.as_array().into_iter().flatten().map(|n| n.as_i64().unwrap_or(-1));
        match self {
            Self::Switch => Ok(()),
            Self::Number { least, most, .. } => within(value.as_i64(), least, most),
            Self::Seat => within(value.as_i64(), 0, n_players as i64 - 1),
            Self::Order => {
                let mut seats: Vec<i64> = numbers().collect();
                seats.sort_unstable();
                if seats.iter().copied().eq(0..n_players as i64) {
                    return Ok(());
                }
                Err(format!("{value} is no order: name each seat from 0 to {} once", n_players - 1))
            }
            Self::Names { of, least, most } => {
                length(value, least, most)?;
                let known = of.all(default);
                let mut names = value.as_array().into_iter().flatten().filter_map(Json::as_str);
                names.try_for_each(|name| {
                    if known.iter().any(|k| k == name) {
                        return Ok(());
                    }
                    let near = crate::likeness::nearest(name, &known);
                    let hint = near.map_or_else(
                        || format!(" (known: {})", known.join(", ")),
                        |near| format!(" (nearest: {near})"),
                    );
                    Err(format!("there is no \"{name}\"{hint}"))
                })
            }
            Self::Numbers { range, least, most } => {
                length(value, least, most)?;
                numbers().try_for_each(|n| within(Some(n), range.0, range.1))
            }
        }
    }
}

/// The possible amounts, for people.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let some = |least: &usize, most: &usize| match least == most {
            true => least.to_string(),
            false => format!("{least} to {most}"),
        };
        match self {
            Self::Switch => f.write_str("true"),
            Self::Number { least, most, unit } => write!(f, "{least} to {most} {unit}"),
            Self::Seat => f.write_str("a seat"),
            Self::Order => f.write_str("all seats in order"),
            Self::Names { least, most, .. } => write!(f, "{} names", some(least, most)),
            Self::Numbers { range, least, most } => {
                write!(f, "{} numbers from {} to {}", some(least, most), range.0, range.1)
            }
        }
    }
}

fn within(value: Option<i64>, least: i64, most: i64) -> Result<(), String> {
    match value {
        Some(value) if (least..=most).contains(&value) => Ok(()),
        Some(value) => Err(format!("{value} is out of range ({least} to {most})")),
        None => Err(format!("no whole number from {least} to {most}")),
    }
}

fn length(list: &Json, least: usize, most: usize) -> Result<(), String> {
    let n = list.as_array().map_or(0, Vec::len);
    if (least..=most).contains(&n) {
        return Ok(());
    }
    Err(format!("{n} elements, expected {least} to {most}"))
}

impl Treated {
    /// Returns the number that was given, or 1 for a switch.
    #[must_use]
    pub fn number(&self) -> i64 {
        self.value.as_i64().unwrap_or(1)
    }

    /// Returns the numbers that were given in a list.
    pub fn numbers(&self) -> impl Iterator<Item = i64> + '_ {
        self.value.as_array().into_iter().flatten().filter_map(Json::as_i64)
    }

    /// Returns the names that were given in a list.
    pub fn names(&self) -> impl Iterator<Item = &str> + '_ {
        self.value.as_array().into_iter().flatten().filter_map(Json::as_str)
    }
}
