//! Seeds: numbers of Python, and numbers that its generators draw.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

use crate::error::bad;

/// Reads a seed.
pub(crate) fn seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    value.extract().map_err(|error: PyErr| {
        match error.is_instance_of::<PyOverflowError>(value.py()) {
            true => bad(format!("seed {value}: seeds are 0 to {}", u64::MAX)),
            false => error,
        }
    })
}

/// Returns a seed from a number or a generator of `random` or numpy.
pub(crate) fn drawn(rng: &Bound<'_, PyAny>) -> PyResult<u64> {
    if let Ok(seed) = rng.extract() {
        return Ok(seed);
    }
    let drawn = match (rng.getattr("getrandbits"), rng.getattr("integers")) {
        (Ok(draw), _) => draw.call1((63,)),
        (_, Ok(draw)) => draw.call1((i64::MAX,)),
        _ => {
            Err(PyTypeError::new_err("rng: a number from 0, a random.Random or a numpy Generator"))
        }
    };
    drawn?.extract()
}
