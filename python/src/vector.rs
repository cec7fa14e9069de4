//! The class `VectorEnv`: many games at once, with numbers in arrays that stay in place.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use numpy::ndarray::Dimension;
use numpy::{BorrowError, Element, PyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sim::any::{AnyBatch, Buffers};

use crate::error::bad;
use crate::game::{Game, load_game};
use crate::number::{self, seed};

/// Most games of an environment: those of conquest2 take some gigabytes.
const MOST_GAMES: usize = 1 << 20;
/// Most threads of an environment.
const MOST_THREADS: usize = 1024;

/// Many games of one kind, stepped together. A game that is over begins anew, with other dice, in the same step.
#[pyclass(module = "caesar")]
pub(crate) struct VectorEnv {
    name: &'static str,
    n: usize,
    /// Never locked: every use has the environment to itself.
    batch: Mutex<AnyBatch>,
    pool: ThreadPool,
    /// Observations of the players who act, a row for each game.
    #[pyo3(get)]
    observations: Py<PyArray2<f32>>,
    /// Masks of the legal actions.
    #[pyo3(get)]
    masks: Py<PyArray2<u8>>,
    /// The players who act.
    #[pyo3(get)]
    players: Py<PyArray1<u8>>,
    /// Points of each player, in the step in which a game ends.
    #[pyo3(get)]
    rewards: Py<PyArray2<f32>>,
    /// True where a game ended in the last step.
    #[pyo3(get)]
    dones: Py<PyAny>,
    /// The memory of `dones`.
    ended: Py<PyArray1<u8>>,
}

impl fmt::Debug for VectorEnv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VectorEnv({} games of {})", self.n, self.name)
    }
}

impl VectorEnv {
    /// Lets `act` write into the arrays, without the interpreter.
    fn write<T: Send>(
        &mut self,
        py: Python<'_>,
        act: impl FnOnce(&mut AnyBatch, Buffers<'_>) -> T + Send,
    ) -> PyResult<T> {
        let busy = |error: BorrowError| bad(format!("the arrays are in use: {error}"));
        let mut observations = self.observations.bind(py).try_readwrite().map_err(busy)?;
        let mut masks = self.masks.bind(py).try_readwrite().map_err(busy)?;
        let mut players = self.players.bind(py).try_readwrite().map_err(busy)?;
        let mut rewards = self.rewards.bind(py).try_readwrite().map_err(busy)?;
        let mut ended = self.ended.bind(py).try_readwrite().map_err(busy)?;
        let buffers = Buffers {
            observations: observations.as_slice_mut()?,
            mask: masks.as_slice_mut()?,
            seats: players.as_slice_mut()?,
            points: rewards.as_slice_mut()?,
            ended: ended.as_slice_mut()?,
        };
        let batch = self.batch.get_mut().unwrap_or_else(PoisonError::into_inner);
        let pool = &self.pool;
        Ok(py.detach(|| pool.install(|| act(batch, buffers))))
    }
}

/// Returns an array of zeros; an exception where there is no memory for it.
fn zeros<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: impl IntoPyObject<'py>,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let made = py.import("numpy")?.call_method1("zeros", (shape, numpy::dtype::<T>(py)))?;
    Ok(made.cast_into()?)
}

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (game, n, *, seed=0, threads=1))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = number::count)] n: usize,
        #[pyo3(from_py_with = seed)] seed: u64,
        #[pyo3(from_py_with = number::count)] threads: usize,
    ) -> PyResult<Self> {
        let shared = match game.cast::<Game>() {
            Ok(game) => game.get().shared.clone(),
            Err(_) => load_game(game.extract()?, None, None)?.shared,
        };
        if !(1..=MOST_GAMES).contains(&n) || !(1..=MOST_THREADS).contains(&threads) {
            return Err(bad(format!(
                "{n} games on {threads} threads (accepted: 1 to {MOST_GAMES}, and 1 to {MOST_THREADS})"
            )));
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(bad)?;
        let ended: Bound<'_, PyArray1<u8>> = zeros(py, n)?;
        let mut new = Self {
            name: shared.game.name(),
            n,
            batch: Mutex::new(shared.game.batch(n, seed)),
            pool,
            observations: zeros(py, (n, shared.n_observed))?.unbind(),
            masks: zeros(py, (n, shared.game.n_numbers()))?.unbind(),
            players: zeros(py, n)?.unbind(),
            rewards: zeros(py, (n, shared.players()))?.unbind(),
            dones: ended.call_method1("view", ("bool",))?.unbind(),
            ended: ended.unbind(),
        };
        new.write(py, AnyBatch::observe)?;
        Ok(new)
    }

    /// Begins all games anew; their dice follow from `seed`.
    #[pyo3(signature = (seed=0))]
    fn reset(&mut self, py: Python<'_>, #[pyo3(from_py_with = seed)] seed: u64) -> PyResult<()> {
        self.write(py, |batch, buffers| {
            batch.reset(seed);
            batch.observe(buffers);
        })
    }

    /// Applies an action in each game and plays on to the next choice. Nothing changes if one is not legal.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice()?;
        if actions.len() != self.n {
            return Err(bad(format!("{} actions for {} games", actions.len(), self.n)));
        }
        let number = |(row, &action): (usize, &i64)| {
            u32::try_from(action)
                .map_err(|_| bad(format!("row {row}: action {action} is not legal here")))
        };
        let numbers = actions.iter().enumerate().map(number).collect::<PyResult<Vec<_>>>()?;
        self.write(py, |batch, buffers| batch.step(&numbers, buffers))?.map_err(bad)
    }

    /// Returns a random legal action for each game.
    fn sample<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let mut numbers = vec![0; self.n];
        let batch = self.batch.get_mut().unwrap_or_else(PoisonError::into_inner);
        let pool = &self.pool;
        py.detach(|| pool.install(|| batch.draw_actions(&mut numbers)));
        PyArray1::from_iter(py, numbers.into_iter().map(i64::from))
    }

    fn __len__(&self) -> usize {
        self.n
    }

    fn __repr__(&self) -> String {
        format!("<caesar.VectorEnv of {} games of {}>", self.n, self.name)
    }
}
