//! Evaluators written in Python: functions that value the leaves of a search and give its priors.

use std::sync::{Arc, Mutex, PoisonError};

use agents::evaluators::{self, EmbeddedEvaluator, Evaluated, Observed};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::bot::Bot;
use crate::calls::{Calls, ask_in_run};
use crate::error::bad;
use crate::question::Question;

/// Most rows of a call.
const MOST_ROWS: usize = 65_536;

/// An evaluator: a function of Python.
#[derive(Debug)]
pub(crate) struct PythonEvaluator {
    function: Arc<Py<PyAny>>,
    name: String,
    /// The most rows of a call.
    rows: usize,
    /// The channel to the thread that waits for the search; `None` in a run, whose agents share one.
    calls: Mutex<Option<Calls>>,
    /// The exception that ended the search.
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl PythonEvaluator {
    pub(crate) fn new(function: Bound<'_, PyAny>, rows: usize) -> PyResult<Self> {
        if !(1..=MOST_ROWS).contains(&rows) {
            return Err(bad(format!("rows={rows}: a call has 1 to {MOST_ROWS} rows")));
        }
        if !function.is_callable() {
            return Err(bad(format!("evaluator={function}: an evaluator is a function")));
        }
        let name = name_of(&function)?;
        let function = Arc::new(function.unbind());
        Ok(Self { function, name, rows, calls: Mutex::default(), raised: Arc::default() })
    }

    pub(crate) fn function<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.function.bind(py).clone()
    }

    /// Returns the name that specs have for it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    /// Leads all questions from now on through `calls`.
    pub(crate) fn ask_by(&self, calls: Calls) {
        *self.calls.lock().unwrap_or_else(PoisonError::into_inner) = Some(calls);
    }

    /// Returns the exception that ended a search, and forgets it.
    pub(crate) fn take_exception(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Returns the name of a function, or of the class of an object that can be called.
fn name_of(function: &Bound<'_, PyAny>) -> PyResult<String> {
    let named = match function.hasattr("__qualname__")? {
        true => function.clone(),
        false => function.get_type().into_any(),
    };
    let (module, name) = (named.getattr("__module__")?, named.getattr("__qualname__")?);
    Ok(format!("python:{module}.{name}"))
}

impl EmbeddedEvaluator for PythonEvaluator {
    fn evaluate(&self, observed: &Observed<'_>) -> Result<Evaluated, String> {
        let question = Question::of(observed);
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(calls) = calls else {
            return ask_in_run(&self.function, self.rows, question);
        };
        let (function, raised) = (Arc::clone(&self.function), Arc::clone(&self.raised));
        let call = move |py: Python<'_>| {
            question.ask(py, &function).inspect_err(|error| {
                if !error.is_instance_of::<PyKeyboardInterrupt>(py) {
                    let mut raised = raised.lock().unwrap_or_else(PoisonError::into_inner);
                    *raised = Some(error.clone_ref(py));
                }
            })
        };
        calls.call(call).0
    }
}

/// Lets specs name the evaluator of `bot` by its name and `mark`; `function` is called in its place. Returns that name and
/// the spec with it.
#[pyfunction]
pub(crate) fn embed_evaluator(
    bot: &Bot,
    mark: &str,
    function: Bound<'_, PyAny>,
) -> PyResult<(String, String)> {
    let (name, spec) = bot.evaluated_apart(mark)?;
    evaluators::embed(&name, Arc::new(PythonEvaluator::new(function, bot.rows())?));
    Ok((name, spec))
}

/// Forgets the evaluator of a name.
#[pyfunction]
pub(crate) fn withdraw_evaluator(name: &str) {
    evaluators::withdraw(name);
}
