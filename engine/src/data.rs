//! States as data: a JSON document of all parts of a state, and the same state back from it.
//!
//! The form in a record ([`Notation::state_json`](crate::Notation::state_json)) shows what people and programs look
//! for. This one has every part, with the numbers inside, so that it holds a position in the middle of an action, too.
//! It belongs to one version. [`Data::from_data`] checks the names, types and ranges of the parts, and not whether they
//! agree with each other: that is for documents that nobody changes. [`by_hand`](crate::by_hand) checks that, too.
//! (The derives of serde read no arrays of more than 32 parts, and complaints of theirs name no place.)

use std::fmt;
use std::marker::PhantomData;

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
    fault: String,
}

/// Most characters of a document that a complaint repeats.
const SHOWN: usize = 40;

impl BadData {
    /// Returns the error for `json` where `expected` should stand.
    pub fn new(json: &Json, expected: impl fmt::Display) -> Self {
        let found: String = json.to_string().chars().take(SHOWN).collect();
        Self::of(format_args!("{found} is not {expected}"))
    }

    /// Returns the error for a document with this fault.
    pub(crate) fn of(fault: impl fmt::Display) -> Self {
        Self { path: Vec::new(), fault: fault.to_string() }
    }

    /// Returns the error in the part with the key `key`.
    pub(crate) fn within(mut self, key: impl fmt::Display) -> Self {
        self.path.push(key.to_string());
        self
    }
}

impl fmt::Display for BadData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: Vec<&str> = self.path.iter().rev().map(String::as_str).collect();
        let colon = if path.is_empty() { "" } else { ": " };
        write!(f, "{}{colon}{}", path.join("."), self.fault)
    }
}

impl std::error::Error for BadData {}

/// Returns the part of `json` with the key `key`.
///
/// # Errors
/// If it is missing or holds no such value.
pub(crate) fn part<T: Data>(json: &Json, key: &str) -> Result<T, BadData> {
    part_in(json, key, T::from_data)
}

/// Returns the part of `json` with the key `key`, which `read` reads.
pub(crate) fn part_in<T>(
    json: &Json,
    key: &str,
    read: impl FnOnce(&Json) -> Result<T, BadData>,
) -> Result<T, BadData> {
    read(json.get(key).unwrap_or(&Json::Null)).map_err(|bad| bad.within(key))
}

/// Checks that `json` is an object of these parts and no others.
pub(crate) fn parts(json: &Json, keys: &[&str]) -> Result<(), BadData> {
    let object = json.as_object().ok_or_else(|| BadData::new(json, "an object"))?;
    if let Some(key) = keys.iter().find(|key| !object.contains_key(**key)) {
        return Err(BadData::of("it is missing").within(key));
    }
    let unknown = object.keys().find(|key| !keys.contains(&key.as_str()));
    unknown.map_or(Ok(()), |key| {
        let known = keys.join(", ");
        Err(BadData::of(format_args!("there is no such part (known: {known})")).within(key))
    })
}

/// A form of a value as data that differs from the usual one: `data!(struct Hand { cards in Bits })`.
pub(crate) trait Form<T> {
    fn show(value: &T) -> Json;
    fn read(json: &Json) -> Result<T, BadData>;
}

/// The usual form.
pub(crate) struct Usual;

impl<T: Data> Form<T> for Usual {
    fn show(value: &T) -> Json {
        value.to_data()
    }
    fn read(json: &Json) -> Result<T, BadData> {
        T::from_data(json)
    }
}

/// The form of a mask as the list of its bits, counted from `FIRST`.
pub(crate) struct Bits<const FIRST: u32 = 0>;

macro_rules! masks {
    ($($T:ty)*) => {$(
        impl<const FIRST: u32> Form<$T> for Bits<FIRST> {
            fn show(mask: &$T) -> Json {
                (0..<$T>::BITS).filter(|bit| mask >> bit & 1 == 1).map(|bit| bit + FIRST).collect()
            }
            fn read(json: &Json) -> Result<$T, BadData> {
                let last = FIRST + <$T>::BITS - 1;
                let expected = || format!("a list of different numbers from {FIRST} to {last}");
                let numbers = json.as_array().ok_or_else(|| BadData::new(json, expected()))?;
                numbers.iter().try_fold(0, |mask, number| {
                    let bit = number.as_u64().filter(|n| (FIRST.into()..=last.into()).contains(n));
                    let bit = bit.map(|bit| 1 << (bit - u64::from(FIRST)));
                    let bit = bit.filter(|bit| mask & bit == 0);
                    bit.map(|bit| mask | bit).ok_or_else(|| BadData::new(json, expected()))
                })
            }
        }
    )*};
}
masks!(u8 u16 u64);

/// The form of a word as the list of its bytes, the lowest first.
pub(crate) struct Bytes;

impl Form<u64> for Bytes {
    fn show(word: &u64) -> Json {
        word.to_le_bytes().to_data()
    }
    fn read(json: &Json) -> Result<u64, BadData> {
        Data::from_data(json).map(u64::from_le_bytes)
    }
}

/// The form of a word as the list of its groups of four bits, the lowest first.
pub(crate) struct Nibbles;

impl Form<u64> for Nibbles {
    fn show(word: &u64) -> Json {
        (0..u64::BITS / 4).map(|i| word >> (4 * i) & 15).collect()
    }
    fn read(json: &Json) -> Result<u64, BadData> {
        let parts = <[u8; u64::BITS as usize / 4]>::from_data(json)?;
        if let Some(part) = parts.iter().find(|&&part| part > 15) {
            return Err(BadData::of(format_args!("{part} is not a number from 0 to 15")));
        }
        Ok(parts.iter().rev().fold(0, |word, &part| word << 4 | u64::from(part)))
    }
}

/// The form of a list of values that have the form `F`.
pub(crate) struct Each<F>(PhantomData<F>);

impl<T, F: Form<T>, const N: usize> Form<[T; N]> for Each<F> {
    fn show(values: &[T; N]) -> Json {
        values.iter().map(F::show).collect()
    }
    fn read(json: &Json) -> Result<[T; N], BadData> {
        items(json, F::read)?
            .try_into()
            .map_err(|_| BadData::new(json, format_args!("a list of {N}")))
    }
}

impl<T, F: Form<T>> Form<ByPlayer<T>> for Each<F> {
    fn show(values: &ByPlayer<T>) -> Json {
        <Self as Form<[T; MAX_PLAYERS]>>::show(&values.0)
    }
    fn read(json: &Json) -> Result<ByPlayer<T>, BadData> {
        <Self as Form<[T; MAX_PLAYERS]>>::read(json).map(ByPlayer)
    }
}

macro_rules! form {
    () => {
        $crate::data::Usual
    };
    ($form:ty) => {
        $form
    };
}
pub(crate) use form;

/// Gives structs and enumerations their form as data.
///
/// A struct is an object of all its fields, a struct of one number is the number, and a variant is its name, or an
/// object of its name (`is`) and its fields. A field of a struct has another form after `in`.
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
    (struct $T:ident { $($field:ident $(in $form:ty)?),* $(,)? }) => {
        impl $crate::data::Data for $T {
            fn to_data(&self) -> serde_json::Value {
                use $crate::data::Form;
                let Self { $($field),* } = self;
                $crate::data::object(vec![
                    $((stringify!($field), <$crate::data::form!($($form)?)>::show($field))),*
                ])
            }
            fn from_data(json: &serde_json::Value) -> Result<Self, $crate::data::BadData> {
                use $crate::data::Form;
                $crate::data::parts(json, &[$(stringify!($field)),*])?;
                Ok(Self { $($field: $crate::data::part_in(
                    json,
                    stringify!($field),
                    <$crate::data::form!($($form)?)>::read,
                )?),* })
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
                    $(Some(stringify!($Variant)) => {
                        if json.is_object() {
                            let keys = ["is" $(, stringify!($of))? $($(, stringify!($field))*)?];
                            $crate::data::parts(json, &keys)?;
                        }
                        Ok(Self::$Variant
                            $(({ let $of = $crate::data::part(json, stringify!($of))?; $of }))?
                            $({ $($field: $crate::data::part(json, stringify!($field))?),* })?)
                    })*
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
fn items<T>(json: &Json, read: fn(&Json) -> Result<T, BadData>) -> Result<Vec<T>, BadData> {
    let list = json.as_array().map_or(&[][..], Vec::as_slice);
    let item = |(i, json)| read(json).map_err(|bad: BadData| bad.within(i));
    list.iter().enumerate().map(item).collect()
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
        Each::<Usual>::show(self)
    }
    fn from_data(json: &Json) -> Result<Self, BadData> {
        Each::<Usual>::read(json)
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
        let set: Self = seats.iter().map(Player::from_data).collect::<Result<_, _>>()?;
        let is_set = set.len() == seats.len();
        if is_set { Ok(set) } else { Err(BadData::new(json, "a list of different seats")) }
    }
}

impl<T: Numbered> Data for Set<T> {
    fn to_data(&self) -> Json {
        Bits::<0>::show(&self.bits())
    }
    fn from_data(json: &Json) -> Result<Self, BadData> {
        Bits::<0>::read(json).map(Self::from_bits)
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
        cards: [u8; 2],
        heap: u64,
        now: Now,
    }

    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Now {
        Rests,
        Marches { to: u8, by: PlayerSet },
        Holds(bool),
    }

    data!(struct Piece { owner, men, cards in Each<Bits<1>>, heap in Bytes, now });
    data!(enum Now { Rests, Marches { to, by }, Holds(is_held) });

    #[test]
    fn what_is_read_back_is_equal() {
        let by = [1, 4].map(Player::new).into_iter().collect();
        for now in [Now::Rests, Now::Marches { to: 255, by }, Now::Holds(true)] {
            for owner in [None, Some(Player::new(5))] {
                let cards = [0, 0b1000_0101];
                let piece = Piece { owner, men: [-128, 0, 127], cards, heap: u64::MAX - 3, now };
                assert_eq!(Piece::from_data(&piece.to_data()), Ok(piece));
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let good = json!({
            "owner": 5,
            "men": [1, 2, 3],
            "cards": [[], [1, 8]],
            "heap": [1, 0, 0, 0, 0, 0, 0, 2],
            "now": { "is": "Marches", "to": 1, "by": [] },
        });
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
        let cards = "cards.1: [1,1] is not a list of different numbers from 1 to 8";
        assert_eq!(complaint("/cards/1", json!([1, 1])), cards);
        assert_eq!(complaint("/cards/1", json!([0])), cards.replace("[1,1]", "[0]"));
        assert_eq!(
            complaint("/now/by", json!([2, 2])),
            "now.by: [2,2] is not a list of different seats"
        );
        assert_eq!(
            complaint("/now", json!({ "is": "Rests", "to": 1 })),
            "now.to: there is no such part (known: is)"
        );
        assert_eq!(complaint("", json!({ "men": [1, 2, 3] })), "owner: it is missing");
    }
}
