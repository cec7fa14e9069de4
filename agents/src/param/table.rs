//! Tables of settings: each row of a table defines a field, its default, its [`Param`](super::Param), and its
//! conversion from and to text.

use super::Value;

/// A field of a table of settings, with its conversion from and to [`Value`].
pub(crate) trait Field: Sized {
    /// Returns the value of the field.
    fn value(self) -> Value;
    /// Returns the field for a value; `None` if the type differs.
    fn of(value: &Value) -> Option<Self>;
}

impl Field for f32 {
    fn value(self) -> Value {
        // The shortest decimals are used, so that 0.2 stays 0.2.
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

/// Declares an enumeration with a word for each variant.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[$meaning])* $variant,)* }

        impl $name {
            /// All words.
            pub const WORDS: &'static [&'static str] = &[$($word,)*];

            /// Returns the word of the variant.
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

/// Declares a table with one row per parameter: `name: type = default, range, scale, source of the default, unit,
/// meaning;`. A row yields a field, its default, its `Param`, and its conversion from and to text. A heading in
/// brackets may stand before a row.
///
/// Scales are `linear` and `log` (ranges of numbers), `integer` (ranges of whole numbers), `choice` (lists of words)
/// and `switch` (`on_off`). `tried SCALE LOW to HIGH` after the meaning sets the default search range of a tuner. A
/// `game` and the spec change the default, or the `spec` alone. Fields after `beside` are no parameters.
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

        // Not every table has search ranges.
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

            /// The default search ranges of a tuner, by name of the parameter. They lie far within the accepted values.
            pub const TRIED: &'static [(&'static str, $crate::param::Tried)] = &[$($((
                stringify!($name),
                $crate::param::Tried {
                    low: $low,
                    high: $high,
                    is_log: $crate::param::settings!(@is_log $tried_scale),
                },
            ),)?)*];

            /// The headings for people, each with the name of the parameter that follows.
            pub const HEADINGS: &'static [(&'static str, &'static str)] =
                &[$($((stringify!($name), $heading),)?)*];

            /// Returns the value of the parameter called `name`, if there is one.
            #[must_use]
            pub fn value(&self, name: &str) -> Option<$crate::param::Value> {
                match name {
                    $(stringify!($name) => Some($crate::param::Field::value(self.$name)),)*
                    _ => None,
                }
            }

            /// Returns the table with the values of `settings`. Values of other parameters are ignored.
            #[must_use]
            pub fn with(mut self, settings: &$crate::param::Settings) -> Self {
                settings.iter().for_each(|(param, value)| self.set(param.name, value));
                self
            }

            /// Sets the parameter called `name` to a value of its domain; ignores names that are no parameter.
            ///
            /// # Panics
            /// If the value has another type (a bug).
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
