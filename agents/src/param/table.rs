//! Tables of settings: one row per parameter, from which field, default, [`Param`](super::Param), reading and
//! telling follow.

use super::Value;

/// A field of a table of settings: what it is as a [`Value`].
pub(crate) trait Field: Sized {
    /// The value of the field.
    fn value(self) -> Value;
    /// The field of a value; `None` if it is of another type.
    fn of(value: &Value) -> Option<Self>;
}

impl Field for f32 {
    fn value(self) -> Value {
        // By its shortest decimals, so that 0.2 stays 0.2.
        Value::Number(self.to_string().parse().expect("a number is written as one"))
    }

    fn of(value: &Value) -> Option<Self> {
        if let Value::Number(x) = value { Some(*x as Self) } else { None }
    }
}

impl Field for f64 {
    fn value(self) -> Value {
        Value::Number(self)
    }

    fn of(value: &Value) -> Option<Self> {
        if let Value::Number(x) = value { Some(*x) } else { None }
    }
}

impl Field for bool {
    fn value(self) -> Value {
        Value::Switch(self)
    }

    fn of(value: &Value) -> Option<Self> {
        if let Value::Switch(is_on) = value { Some(*is_on) } else { None }
    }
}

macro_rules! whole_fields {
    ($($type:ty),*) => {$(
        impl Field for $type {
            fn value(self) -> Value {
                Value::Whole(self.into())
            }

            fn of(value: &Value) -> Option<Self> {
                if let Value::Whole(n) = value { Self::try_from(*n).ok() } else { None }
            }
        }
    )*};
}
whole_fields!(u8, u16, u32);

/// An enumeration that is written as words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[$meaning])* $variant,)* }

        impl $name {
            /// All words.
            pub const WORDS: &'static [&'static str] = &[$($word,)*];

            /// The word of the variant.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl $crate::param::Field for $name {
            fn value(self) -> $crate::param::Value {
                $crate::param::Value::Word(self.word())
            }

            fn of(value: &$crate::param::Value) -> Option<Self> {
                match value {
                    $($crate::param::Value::Word($word) => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

/// One row per parameter: `name: type = default, range, scale, who may change the default, unit, meaning;` yields
/// a field, its default, its [`Param`], and how it is read and told. A heading in brackets may stand before a row.
///
/// Scales are `linear` and `log` (ranges of numbers), `integer` (ranges of whole numbers), `choice` (lists of words)
/// and `switch` (`on_off`); `tried SCALE LOW to HIGH` behind the meaning is where a tuner looks first; the default is changed by a `game` and the spec, or by the `spec` alone. Fields after
/// `beside` are no parameters.
macro_rules! settings {
    (
        $(#[$doc:meta])*
        pub struct $table:ident {
            $($([$heading:literal])? $name:ident: $type:ty = $default:expr,
                $range:expr, $scale:ident, $who:ident, $unit:literal, $meaning:literal
                $(, tried $tried_scale:ident $low:literal to $high:literal)?;)*
        }
        beside { $($(#[$doc_beside:meta])* $beside:ident: $type_beside:ty = $default_beside:expr;)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct $table {
            $(#[doc = concat!("`", stringify!($name), "`: ", $meaning, ".")] pub $name: $type,)*
            $($(#[$doc_beside])* pub $beside: $type_beside,)*
        }

        impl Default for $table {
            fn default() -> Self {
                Self { $($name: $default,)* $($beside: $default_beside,)* }
            }
        }

        // Not every table says which values are tried.
        const _: usize = $table::TRIED.len();

        impl $table {
            /// The parameters, in the order in which a spec prints them.
            pub const PARAMS: &'static [$crate::param::Param] = &[$($crate::param::Param {
                name: stringify!($name),
                domain: $crate::param::settings!(@domain $scale $range),
                default: $crate::param::settings!(@default $scale $default),
                is_games: $crate::param::settings!(@who $who),
                unit: $unit,
                meaning: $meaning,
            },)*];

            /// By the name of a parameter the values that a tuner tries where nobody says others: where its best value
            /// may be looked for, far within what is accepted.
            pub const TRIED: &'static [(&'static str, $crate::param::Tried)] = &[$($((
                stringify!($name),
                $crate::param::Tried {
                    low: $low,
                    high: $high,
                    is_log: $crate::param::settings!(@is_log $tried_scale),
                },
            ),)?)*];

            /// The parameters under headings, for people: each stands before the parameter that it names.
            pub const HEADINGS: &'static [(&'static str, &'static str)] =
                &[$($((stringify!($name), $heading),)?)*];

            /// The value of the parameter called `name`, if there is one.
            #[must_use]
            pub fn value(&self, name: &str) -> Option<$crate::param::Value> {
                match name {
                    $(stringify!($name) => Some($crate::param::Field::value(self.$name)),)*
                    _ => None,
                }
            }

            /// This with what `settings` say; what they say of other parameters is passed over.
            #[must_use]
            pub fn with(mut self, settings: &$crate::param::Settings) -> Self {
                settings.iter().for_each(|(param, value)| self.set(param.name, value));
                self
            }

            /// Gives the parameter called `name` a value of its domain; passes over what is no parameter.
            ///
            /// # Panics
            /// If the value is of another type (a bug).
            pub(crate) fn set(&mut self, name: &str, value: &$crate::param::Value) {
                match name {
                    $(stringify!($name) => {
                        self.$name =
                            $crate::param::Field::of(value).expect("values are of the type of their parameter");
                    })*
                    _ => {}
                }
            }
        }
    };
    (@domain linear $range:expr) => { $crate::param::number($range, false) };
    (@domain log $range:expr) => { $crate::param::number($range, true) };
    (@domain integer $range:expr) => { $crate::param::whole($range) };
    (@domain choice $words:expr) => { $crate::param::Domain::Choice($words) };
    (@domain switch $on_off:expr) => { $crate::param::Domain::Switch };
    (@default choice $default:expr) => { $default.word() };
    (@default switch $default:expr) => { if $default { "on" } else { "off" } };
    (@default $scale:ident $default:expr) => { stringify!($default) };
    (@is_log log) => { true };
    (@is_log linear) => { false };
    (@who game) => { true };
    (@who spec) => { false };
}

pub(crate) use {settings, words};
