//! Complaints as Python exceptions: [`Error`], a `ValueError`.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

pyo3::create_exception!(caesar, Error, PyValueError, "Wrong input, or a failure of the toolkit.");

/// Returns the exception with this message.
pub(crate) fn bad(message: impl ToString) -> PyErr {
    Error::new_err(message.to_string())
}
