//! Complaints as Python exceptions: [`Error`], a `ValueError`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::create_exception!(caesar, Error, PyValueError, "Wrong input, or a failure of the toolkit.");

/// The answer to calls of a run that was stopped.
pub(crate) const STOPPED: &str = "the run was stopped";

/// Returns the exception with this message.
pub(crate) fn bad(message: impl ToString) -> PyErr {
    Error::new_err(message.to_string())
}

/// Returns an exception as a reason, in one line; the type of an error of the toolkit goes without saying.
pub(crate) fn reason(py: Python<'_>, error: &PyErr) -> String {
    let text = error.value(py).str().map(|text| text.to_string()).unwrap_or_default();
    let text = match error.is_instance_of::<Error>(py) {
        true => text,
        false => {
            let name = error.get_type(py).name().map(|name| name.to_string());
            format!("{}: {text}", name.unwrap_or_default())
        }
    };
    text.lines().collect::<Vec<_>>().join(" ")
}
