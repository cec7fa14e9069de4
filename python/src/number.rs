//! Numbers of Python: one that does not fit is wrong input, and no `OverflowError`.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::error::bad;

/// Reads a `what`; `accepted` is said of a number that does not fit.
fn read<'a, 'py, T: FromPyObject<'a, 'py>>(
    value: &'a Bound<'py, PyAny>,
    what: &str,
    accepted: &str,
) -> PyResult<T> {
    value.extract().map_err(|error: T::Error| {
        let error = error.into();
        match error.is_instance_of::<PyOverflowError>(value.py()) {
            true => bad(format!("{what} {value}: {accepted}")),
            false => error,
        }
    })
}

/// Reads a seed.
pub(crate) fn seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    read(value, "seed", &format!("seeds are 0 to {}", u64::MAX))
}

/// Reads the number of a player, or none.
pub(crate) fn player<'a, 'py, T: FromPyObject<'a, 'py>>(
    value: &'a Bound<'py, PyAny>,
) -> PyResult<T> {
    read(value, "player", "players are numbered from 0")
}

/// Reads the number of an action, or those of all players.
pub(crate) fn action<'a, 'py, T: FromPyObject<'a, 'py>>(
    value: &'a Bound<'py, PyAny>,
) -> PyResult<T> {
    read(value, "action", "no action has this number")
}

/// Reads how many there are of something.
pub(crate) fn count<'a, 'py, T: FromPyObject<'a, 'py>>(
    value: &'a Bound<'py, PyAny>,
) -> PyResult<T> {
    read(value, "the count", &format!("counts are 0 to {}", i64::MAX))
}

/// Returns a seed from a number or a generator of `random` or numpy.
pub(crate) fn drawn(rng: &Bound<'_, PyAny>) -> PyResult<u64> {
    let drawn = match (rng.getattr("getrandbits"), rng.getattr("integers")) {
        (Ok(draw), _) => draw.call1((63,))?,
        (_, Ok(draw)) => draw.call1((i64::MAX,))?,
        _ => rng.clone(),
    };
    seed(&drawn).map_err(|error| match error.is_instance_of::<PyTypeError>(rng.py()) {
        true => PyTypeError::new_err("rng: a number from 0, a random.Random or a numpy Generator"),
        false => error,
    })
}
