//! The extension module of the Python package `caesar`: games, positions, views, agents, and the command.
//!
//! It stands on [`sim::any`] and on the library of the command, so that it compiles nothing for single games and plays
//! nothing by rules of its own. A `View` holds a world that its seat cannot tell from the true one, so that no
//! attribute of it can lead to the position. The names are those of OpenSpiel where it has one.

#![expect(clippy::needless_pass_by_value, reason = "arguments from Python come as values")]

mod bot;
mod calls;
mod command;
mod document;
mod embedded;
mod error;
mod evaluator;
mod game;
mod history;
mod number;
mod picture;
mod question;
mod record;
mod shared_game;
mod state;
mod vector;
mod view;

/// The native part of the package.
#[pyo3::pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use crate::bot::Bot;
    #[pymodule_export]
    use crate::command::{command, main};
    #[pymodule_export]
    use crate::embedded::{embed, withdraw};
    #[pymodule_export]
    use crate::error::Error;
    #[pymodule_export]
    use crate::evaluator::{embed_evaluator, withdraw_evaluator};
    #[pymodule_export]
    use crate::game::{Game, load_game, registered_names};
    #[pymodule_export]
    use crate::picture::{frame, table};
    #[pymodule_export]
    use crate::record::{records, replay};
    #[pymodule_export]
    use crate::state::State;
    #[pymodule_export]
    use crate::vector::VectorEnv;
    #[pymodule_export]
    use crate::view::View;

    #[expect(non_upper_case_globals, reason = "the name that Python programs look for")]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
