//! Questions to evaluators: rows of numbers for a function of Python, which values them.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use agents::evaluators::{Evaluated, Observed};
use engine::ByPlayer;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::error::{STOPPED, bad, reason};

/// Largest difference from 1 of the values of all players together: the rounding of a softmax in half precision.
const TOLERANCE: f32 = 1e-3;

/// A leaf of a search, as an evaluator gets it.
#[derive(Debug)]
pub(crate) struct Question {
    numbers: Vec<f32>,
    legal: Vec<u32>,
    n_actions: usize,
    n_players: usize,
    seat: usize,
}

/// A question of a game that waits for its answer.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// The function to ask.
    pub(crate) function: Arc<Py<PyAny>>,
    /// The most rows in one call.
    pub(crate) most: usize,
    pub(crate) question: Question,
    pub(crate) reply: Sender<Result<Evaluated, String>>,
}

impl Waiting {
    /// Returns whether both can go in one call.
    pub(crate) fn goes_with(&self, other: &Self) -> bool {
        let of = |one: &Self| (one.question.numbers.len(), one.question.n_actions);
        Arc::ptr_eq(&self.function, &other.function) && of(self) == of(other)
    }
}

impl Question {
    pub(crate) fn of(observed: &Observed<'_>) -> Self {
        Self {
            numbers: observed.numbers.to_vec(),
            legal: observed.legal.to_vec(),
            n_actions: observed.n_actions,
            n_players: observed.n_players,
            seat: observed.seat.idx(),
        }
    }

    /// Calls the function with this leaf alone.
    pub(crate) fn ask(&self, py: Python<'_>, function: &Py<PyAny>) -> PyResult<Evaluated> {
        ask(py, function, &[self])?.remove(0)
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

/// Calls the function with leaves of different games, and replies to each. If the call fails, each leaf is asked about
/// alone, so that a game fails as it would without the others.
///
/// # Errors
/// If the function was interrupted.
pub(crate) fn answer(py: Python<'_>, waiting: Vec<Waiting>) -> PyResult<()> {
    let questions: Vec<&Question> = waiting.iter().map(|one| &one.question).collect();
    let Some(first) = waiting.first() else { return Ok(()) };
    let answers = match ask(py, &first.function, &questions) {
        Ok(answers) => answers,
        Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
            waiting.iter().for_each(|one| send(one, Err(STOPPED.to_owned())));
            return Err(error);
        }
        Err(error) if waiting.len() == 1 => vec![Err(error)],
        Err(_) => {
            return waiting.into_iter().try_for_each(|one| answer(py, vec![one]));
        }
    };
    for (one, answer) in waiting.iter().zip(answers) {
        send(one, answer.map_err(|error| reason(py, &error)));
    }
    Ok(())
}

fn send(one: &Waiting, answer: Result<Evaluated, String>) {
    // Nobody waits for the answers of a run that was stopped.
    one.reply.send(answer).unwrap_or_default();
}

/// Calls the function with a row for each question and reads its answer, a row for each.
///
/// # Errors
/// If the call raises an exception, or its answer has another shape.
fn ask(
    py: Python<'_>,
    function: &Py<PyAny>,
    questions: &[&Question],
) -> PyResult<Vec<PyResult<Evaluated>>> {
    let (n, first) = (questions.len(), questions[0]);
    let numbers = questions.iter().flat_map(|one| one.numbers.iter().copied());
    let observations =
        PyArray1::from_vec(py, numbers.collect()).reshape([n, first.numbers.len()])?;
    let mut mask = vec![false; n * first.n_actions];
    for (row, one) in mask.chunks_mut(first.n_actions).zip(questions) {
        one.legal.iter().for_each(|&number| row[number as usize] = true);
    }
    let mask = PyArray1::from_vec(py, mask).reshape([n, first.n_actions])?;
    let seats = PyArray1::from_iter(py, questions.iter().map(|one| one.seat as i64));
    let answer = function.bind(py).call1((observations, mask, seats))?;
    let pair = answer.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
    let kind = answer.get_type().name()?;
    let pair = pair.ok_or_else(|| {
        bad(format!("an evaluator returns a tuple of values and logits (or None), not {kind}"))
    })?;
    let values = rows(&pair.get_item(0)?, "values", [n, first.n_players])?;
    let logits = pair.get_item(1)?;
    let logits = match logits.is_none() {
        true => None,
        false => Some(rows(&logits, "logits", [n, first.n_actions])?),
    };
    let evaluated = |(row, one): (usize, &&Question)| {
        let values = &values[row * first.n_players..][..first.n_players];
        let logits = logits.as_ref().map(|all| &all[row * first.n_actions..][..first.n_actions]);
        let logits = logits.map_or_else(|| Ok(Vec::new()), |row| one.of_legal(row))?;
        Ok(Evaluated { values: shares(values)?, logits })
    };
    Ok(questions.iter().enumerate().map(evaluated).collect())
}

/// Returns the numbers of an array of this shape, row after row.
fn rows(array: &Bound<'_, PyAny>, what: &str, shape: [usize; 2]) -> PyResult<Vec<f32>> {
    let numpy = array.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (array, "float32"))?;
    let found: Vec<usize> = array.getattr("shape")?.extract()?;
    if found != shape {
        let [n, columns] = shape;
        let found = array.getattr("shape")?;
        return Err(bad(format!(
            "the evaluator returned {what} of shape {found} for an observation of shape ({n}, …): they have the shape ({n}, {columns})"
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
