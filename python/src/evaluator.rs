//! Evaluators written in Python: functions that value the leaves of a search and give its priors.

use std::sync::{Arc, Mutex, PoisonError};

use agents::evaluators::{self, EmbeddedEvaluator, Evaluated, Observed};
use engine::ByPlayer;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::bot::Bot;
use crate::calls::{Calls, call_agent};
use crate::error::bad;

/// Largest difference from 1 of the values of all players together: the rounding of a softmax in half precision.
const TOLERANCE: f32 = 1e-3;

/// An evaluator: a function of Python.
#[derive(Debug)]
pub(crate) struct PythonEvaluator {
    function: Arc<Py<PyAny>>,
    name: String,
    /// The channel to the thread that waits for the search; `None` in a run, whose agents share one.
    calls: Mutex<Option<Calls>>,
    /// The exception that ended the search.
    raised: Arc<Mutex<Option<PyErr>>>,
}

/// A question that goes to another thread.
struct Question {
    numbers: Vec<f32>,
    legal: Vec<u32>,
    n_actions: usize,
    n_players: usize,
    seat: usize,
}

impl PythonEvaluator {
    pub(crate) fn new(function: Bound<'_, PyAny>) -> PyResult<Self> {
        if !function.is_callable() {
            return Err(bad(format!("evaluator={function}: an evaluator is a function")));
        }
        let name = name_of(&function)?;
        let function = Arc::new(function.unbind());
        Ok(Self { function, name, calls: Mutex::default(), raised: Arc::default() })
    }

    pub(crate) fn function<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.function.bind(py).clone()
    }

    /// Returns the name that specs have for it.
    pub(crate) fn name(&self) -> &str {
        &self.name
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
        let question = Question {
            numbers: observed.numbers.to_vec(),
            legal: observed.legal.to_vec(),
            n_actions: observed.n_actions,
            n_players: observed.n_players,
            seat: observed.seat.idx(),
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
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match calls {
            Some(calls) => calls.call(call).0,
            None => call_agent(call).0,
        }
    }
}

impl Question {
    /// Calls the function with one row and reads its answer.
    fn ask(&self, py: Python<'_>, function: &Py<PyAny>) -> PyResult<Evaluated> {
        let observation =
            PyArray1::from_slice(py, &self.numbers).reshape([1, self.numbers.len()])?;
        let mut mask = vec![false; self.n_actions];
        self.legal.iter().for_each(|&number| mask[number as usize] = true);
        let mask = PyArray1::from_vec(py, mask).reshape([1, self.n_actions])?;
        let seat = PyArray1::from_slice(py, &[self.seat as i64]);
        let answer = function.bind(py).call1((observation, mask, seat))?;
        let pair = answer.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
        let kind = answer.get_type().name()?;
        let pair = pair.ok_or_else(|| {
            bad(format!("an evaluator returns a tuple of values and logits (or None), not {kind}"))
        })?;
        let values = row(&pair.get_item(0)?, "values", self.n_players)?;
        let logits = pair.get_item(1)?;
        let logits = match logits.is_none() {
            true => Vec::new(),
            false => self.of_legal(&row(&logits, "logits", self.n_actions)?)?,
        };
        Ok(Evaluated { values: shares(&values)?, logits })
    }

    /// Returns the logits of the legal actions.
    fn of_legal(&self, logits: &[f32]) -> PyResult<Vec<f32>> {
        let logits = self.legal.iter().map(|&number| match logits[number as usize] {
            logit if logit.is_finite() => Ok(logit),
            logit => Err(bad(format!(
                "the evaluator gave the legal action {number} the logit {logit}: logits are finite"
            ))),
        });
        logits.collect()
    }
}

/// Returns the only row of an array with `n` columns.
fn row(array: &Bound<'_, PyAny>, what: &str, n: usize) -> PyResult<Vec<f32>> {
    let numpy = array.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (array, "float32"))?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if shape != [1, n] {
        let shape = array.getattr("shape")?;
        return Err(bad(format!(
            "the evaluator returned {what} of shape {shape} for an observation of shape (1, …): they have the shape (1, {n})"
        )));
    }
    let array: PyReadonlyArray2<'_, f32> = array.extract()?;
    Ok(array.as_array().iter().copied().collect())
}

/// Returns values as shares of the point.
fn shares(values: &[f32]) -> PyResult<ByPlayer<f32>> {
    let sum: f32 = values.iter().sum();
    let is_share = |value: &f32| (-TOLERANCE..=1.0 + TOLERANCE).contains(value);
    if !values.iter().all(is_share) || (sum - 1.0).abs() > TOLERANCE {
        return Err(bad(format!(
            "the evaluator returned the values {values:?}: they are shares of the point, from 0 to 1, and add up to 1"
        )));
    }
    let mut shares = ByPlayer::default();
    for (share, value) in shares.0.iter_mut().zip(values) {
        *share = value.clamp(0.0, 1.0);
    }
    Ok(shares)
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
    evaluators::embed(&name, Arc::new(PythonEvaluator::new(function)?));
    Ok((name, spec))
}

/// Forgets the evaluator of a name.
#[pyfunction]
pub(crate) fn withdraw_evaluator(name: &str) {
    evaluators::withdraw(name);
}
