//! The games, and the only list of them: [`catalogue!`](crate::catalogue).

pub mod conquest2;

/// Calls back with the list of all games: `$macro! { "name" => path::Type, … }`.
///
/// Whoever needs every game (conformance, the dispatching `match`, the allocation test) expands this list,
/// so that a game that is added but lacks a piece fails to compile.
#[macro_export]
macro_rules! catalogue {
    ($callback:ident) => {
        $callback! {
            "conquest2" => $crate::games::conquest2::Conquest2,
        }
    };
}
