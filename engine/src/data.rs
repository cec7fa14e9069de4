//! States as data: a JSON document of all parts of a state, and the same state back from it.
//!
//! The form in a record ([`Notation::state_json`](crate::Notation::state_json)) shows what people and programs look
//! for. This one has every part, with the numbers inside, so that it holds a position in the middle of an action, too.
//! It belongs to one version, and it is read as it was written: types and ranges of the parts are checked, and not
//! whether they agree with each other. Whoever keeps such a document has to see that nobody changes it.
//! (The derives of serde read no arrays of more than 32 parts, and complaints of theirs name no place.)

use std::fmt;

use serde_json::Value as Json;

use crate::bits::{Numbered, Set};
use crate::player::{ByPlayer, MAX_PLAYERS, Player, PlayerSet};

/// A value that JSON can hold whole: what is read back is equal.
pub trait Data: Sized {
    /// Returns the value as JSON.
    fn to_data(&self) -> Json;

    /// Returns the value that `json` holds.
    ///
    /// # Errors
    /// If `json` holds no such value.
    fn from_data(json: &Json) -> Result<Self, BadData>;
}

/// The error for JSON that holds no value of its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadData {
    /// The keys that lead to the fault, from the innermost.
    path: Vec<String>,
    found: String,
    expected: String,
}

impl BadData {
    /// Returns the error for `json` where `expected` should stand.
    pub fn new(json: &Json, expected: impl fmt::Display) -> Self {
        Self { path: Vec::new(), found: json.to_string(), expected: expected.to_string() }
    }

    fn within(mut self, key: impl fmt::Display) -> Self {
        self.path.push(key.to_string());
        self
    }
}

impl fmt::Display for BadData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: Vec<&str> = self.path.iter().rev().map(String::as_str).collect();
        let found: String = self.found.chars().take(40).collect();
        write!(f, "{}: {found} is not {}", path.join("."), self.expected)
    }
}

impl std::error::Error for BadData {}

/// Returns the part of `json` with the key `key`.
///
/// # Errors
/// If it is missing or holds no such value.
pub(crate) fn part<T: Data>(json: &Json, key: &str) -> Result<T, BadData> {
    T::from_data(json.get(key).unwrap_or(&Json::Null)).map_err(|bad| bad.within(key))
}

/// Gives structs and enumerations their form as data.
///
/// A struct is an object of all its fields, a struct of one number is the number, and a variant is its name, or an
/// object of its name (`is`) and its fields.
macro_rules! data {
    (struct $T:ident($inner:ty)) => {
        impl $crate::data::Data for $T {
            fn to_data(&self) -> serde_json::Value {
                self.0.into()
            }
            fn from_data(json: &serde_json::Value) -> Result<Self, $crate::data::BadData> {
                <$inner>::from_data(json).map(Self)
            }
        }
    };
    (struct $T:ident { $($field:ident),* $(,)? }) => {
        impl $crate::data::Data for $T {
            fn to_data(&self) -> serde_json::Value {
                let Self { $($field),* } = self;
                $crate::data::object(vec![$((stringify!($field), $field.to_data())),*])
            }
            fn from_data(json: &serde_json::Value) -> Result<Self, $crate::data::BadData> {
                Ok(Self { $($field: $crate::data::part(json, stringify!($field))?),* })
            }
        }
    };
    (enum $T:ident { $($Variant:ident $(($of:ident))? $({ $($field:ident),* })?),* $(,)? }) => {
        impl $crate::data::Data for $T {
            fn to_data(&self) -> serde_json::Value {
                match self {
                    $(Self::$Variant $(($of))? $({ $($field),* })? => $crate::data::variant(
                        stringify!($Variant),
                        vec![
                            $((stringify!($of), $of.to_data()),)?
                            $($((stringify!($field), $field.to_data()),)*)?
                        ],
                    ),)*
                }
            }
            fn from_data(json: &serde_json::Value) -> Result<Self, $crate::data::BadData> {
                match json.as_str().or_else(|| json.get("is")?.as_str()) {
                    $(Some(stringify!($Variant)) => Ok(Self::$Variant
                        $(({ let $of = $crate::data::part(json, stringify!($of))?; $of }))?
                        $({ $($field: $crate::data::part(json, stringify!($field))?),* })?),)*
                    _ => Err($crate::data::BadData::new(json, stringify!($T))),
                }
            }
        }
    };
}
pub(crate) use data;

/// Returns an object of these fields. It is one function for all structs, since each copy of it would be compiled.
pub(crate) fn object(fields: Vec<(&str, Json)>) -> Json {
    Json::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// Returns a variant with its fields as JSON.
pub(crate) fn variant(name: &str, mut fields: Vec<(&str, Json)>) -> Json {
    if fields.is_empty() {
        return name.into();
    }
    fields.insert(0, ("is", name.into()));
    object(fields)
}

/// Returns the items of a list, whatever its length.
fn items<T: Data>(json: &Json) -> Result<Vec<T>, BadData> {
    let list = json.as_array().map_or(&[][..], Vec::as_slice);
    let item = |(i, json)| T::from_data(json).map_err(|bad| bad.within(i));
    list.iter().enumerate().map(item).collect()
}

/// Returns a list of items.
fn list<T: Data>(items: &[T]) -> Json {
    items.iter().map(T::to_data).collect()
}

macro_rules! numbers {
    ($as:ident: $($T:ty)*) => {$(
        impl Data for $T {
            fn to_data(&self) -> Json {
                (*self).into()
            }
            fn from_data(json: &Json) -> Result<Self, BadData> {
                let number = json.$as().and_then(|number| Self::try_from(number).ok());
                number.ok_or_else(|| {
                    BadData::new(json, format_args!("a number from {} to {}", Self::MIN, Self::MAX))
                })
            }
        }
    )*};
}
numbers!(as_u64: u8 u16 u32 u64);
numbers!(as_i64: i8 i16 i32);

impl Data for bool {
    fn to_data(&self) -> Json {
        (*self).into()
    }
    fn from_data(json: &Json) -> Result<Self, BadData> {
        json.as_bool().ok_or_else(|| BadData::new(json, "true or false"))
    }
}

impl<T: Data> Data for Option<T> {
    fn to_data(&self) -> Json {
        self.as_ref().map_or(Json::Null, T::to_data)
    }
    fn from_data(json: &Json) -> Result<Self, BadData> {
        if json.is_null() { Ok(None) } else { T::from_data(json).map(Some) }
    }
}

impl<T: Data, const N: usize> Data for [T; N] {
    fn to_data(&self) -> Json {
        list(self)
    }
    fn from_data(json: &Json) -> Result<Self, BadData> {
        items(json)?.try_into().map_err(|_| BadData::new(json, format_args!("a list of {N}")))
    }
}

impl<T: Data> Data for ByPlayer<T> {
    fn to_data(&self) -> Json {
        self.0.to_data()
    }
    fn from_data(json: &Json) -> Result<Self, BadData> {
        <[T; MAX_PLAYERS]>::from_data(json).map(Self)
    }
}

impl Data for Player {
    fn to_data(&self) -> Json {
        self.number().into()
    }
    fn from_data(json: &Json) -> Result<Self, BadData> {
        let seat = u8::from_data(json).ok().filter(|&seat| usize::from(seat) < MAX_PLAYERS);
        seat.map(Self::of).ok_or_else(|| BadData::new(json, "a seat from 0 to 5"))
    }
}

impl Data for PlayerSet {
    fn to_data(&self) -> Json {
        self.iter().map(|player| player.to_data()).collect()
    }
    fn from_data(json: &Json) -> Result<Self, BadData> {
        let seats = json.as_array().ok_or_else(|| BadData::new(json, "a list of seats"))?;
        seats.iter().map(Player::from_data).collect()
    }
}

impl<T: Numbered> Data for Set<T> {
    fn to_data(&self) -> Json {
        self.bits().into()
    }
    fn from_data(json: &Json) -> Result<Self, BadData> {
        u64::from_data(json).map(Self::from_bits)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug)]
    struct Piece {
        owner: Option<Player>,
        men: [i8; 3],
        now: Now,
    }

    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Now {
        Rests,
        Marches { to: u8, by: PlayerSet },
        Holds(bool),
    }

    data!(struct Piece { owner, men, now });
    data!(enum Now { Rests, Marches { to, by }, Holds(is_held) });

    #[test]
    fn what_is_read_back_is_equal() {
        let by = [1, 4].map(Player::new).into_iter().collect();
        for now in [Now::Rests, Now::Marches { to: 255, by }, Now::Holds(true)] {
            for owner in [None, Some(Player::new(5))] {
                let piece = Piece { owner, men: [-128, 0, 127], now };
                assert_eq!(Piece::from_data(&piece.to_data()), Ok(piece));
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let good =
            json!({ "owner": 5, "men": [1, 2, 3], "now": { "is": "Marches", "to": 1, "by": [] } });
        assert!(Piece::from_data(&good).is_ok());
        let complaint = |pointer: &str, wrong: Json| {
            let mut json = good.clone();
            *json.pointer_mut(pointer).expect("a place in the document") = wrong;
            Piece::from_data(&json).map_err(|bad| bad.to_string()).expect_err("it is wrong")
        };
        assert_eq!(complaint("/owner", json!(6)), "owner: 6 is not a seat from 0 to 5");
        assert_eq!(complaint("/men/1", json!(128)), "men.1: 128 is not a number from -128 to 127");
        assert_eq!(complaint("/men", json!([1])), "men: [1] is not a list of 3");
        assert_eq!(complaint("/now/to", json!("x")), "now.to: \"x\" is not a number from 0 to 255");
        assert_eq!(complaint("/now", json!("Flies")), "now: \"Flies\" is not Now");
    }
}
