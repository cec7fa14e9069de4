//! The class `Bot`: an agent of the toolkit.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use agents::evaluators::EVALUATOR;
use agents::{AgentSpec, SearchReport, external};
use engine::{Player, Purpose, Stream, rng};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sim::any::{AnyAgent, AnyState, Due};

use crate::calls::Calls;
use crate::command::interruptibly;
use crate::error::bad;
use crate::evaluator::PythonEvaluator;
use crate::number;
use crate::shared_game::SharedGame;
use crate::state::State;
use crate::view::View;

/// The arguments of `_read` for the pickle of an agent.
type Pickled<'py> = (String, String, u64, Option<Bound<'py, PyAny>>, usize);

thread_local! {
    /// The agents whose searches this thread waits for.
    static SEARCHING: RefCell<Vec<*const Bot>> = const { RefCell::new(Vec::new()) };
}

/// Takes the last agent off [`SEARCHING`] when it is dropped.
struct Searching;

impl Searching {
    /// Notes that this thread waits for a search of `bot`.
    ///
    /// # Errors
    /// If it does so already: an evaluator asks the agent that asks it, which would wait forever.
    fn begin(bot: &Bot) -> PyResult<Self> {
        SEARCHING.with_borrow_mut(|all| {
            let new = std::ptr::from_ref(bot);
            if all.contains(&new) {
                return Err(bad(format!(
                    "{} waits for its evaluator, which cannot ask it: take another agent",
                    bot.spec
                )));
            }
            all.push(new);
            Ok(Self)
        })
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        SEARCHING.with_borrow_mut(Vec::pop);
    }
}

/// Returns `spec` with the evaluator called `name`.
fn evaluated_by(spec: &AgentSpec, name: &str) -> PyResult<String> {
    let label = spec.label().map_or_else(String::new, |label| format!("{label}="));
    Ok(format!("{label}{}", spec.saying(EVALUATOR.name, name).map_err(bad)?))
}

struct Mind {
    agent: AnyAgent,
    rng: Stream,
}

/// An agent of the toolkit. Every choice stands alone: it remembers nothing of earlier ones but its random numbers.
#[pyclass(module = "caesar", frozen)]
pub(crate) struct Bot {
    shared: Arc<SharedGame>,
    spec: AgentSpec,
    seed: u64,
    evaluator: Option<Arc<PythonEvaluator>>,
    mind: Mutex<Mind>,
}

impl std::fmt::Debug for Bot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bot({})", self.spec)
    }
}

impl Bot {
    pub(crate) fn new(
        shared: Arc<SharedGame>,
        spec: &str,
        seed: u64,
        evaluator: Option<Bound<'_, PyAny>>,
        rows: usize,
    ) -> PyResult<Self> {
        let evaluator = evaluator.map(|function| PythonEvaluator::new(function, rows));
        let evaluator = evaluator.transpose()?.map(Arc::new);
        let mut spec = match &evaluator {
            None => shared.spec(spec)?,
            Some(one) => shared.spec(&evaluated_by(&spec.parse().map_err(bad)?, one.name())?)?,
        };
        if let Some(evaluator) = &evaluator {
            spec.supply_evaluator(evaluator.clone());
        }
        // Whoever calls this has typed the command.
        if let Some(command) = spec.command() {
            // Its calls go to the thread that waits for its run.
            if external::is_embedded(command) {
                return Err(bad(format!("{command} plays in runs only: call its class instead")));
            }
            external::allow_program(command);
        }
        spec.find_program().map_err(bad)?;
        let agent = shared.game.agent(&spec).map_err(bad)?;
        let rng = rng::stream(seed, 0, Purpose::Analysis);
        Ok(Self { shared, spec, seed, evaluator, mind: Mutex::new(Mind { agent, rng }) })
    }

    /// Returns the most leaves of a call of the evaluator.
    pub(crate) fn rows(&self) -> usize {
        self.evaluator.as_ref().map_or(1, |evaluator| evaluator.rows())
    }

    /// Returns the name of the evaluator with `mark` behind it, and the spec with this name.
    pub(crate) fn evaluated_apart(&self, mark: &str) -> PyResult<(String, String)> {
        let own = self.evaluator.as_ref().ok_or_else(|| bad("the agent has no evaluator"))?;
        let name = format!("{}{mark}", own.name());
        let spec = evaluated_by(&self.spec, &name)?;
        Ok((name, spec))
    }

    /// Chooses for `seat` and returns the number of the action, with the report of a search.
    fn think(
        &self,
        state: &AnyState,
        seat: Player,
        calls: Option<Calls>,
    ) -> Result<(usize, Option<SearchReport>), String> {
        if state.n_actions(seat) == 0 {
            return Err(format!("player {} does not choose here", seat.idx()));
        }
        let mut mind = self.mind.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(evaluator), Some(calls)) = (&self.evaluator, calls) {
            evaluator.ask_by(calls);
        }
        let Mind { agent, rng } = &mut *mind;
        let failed = |error: sim::error::Error| error.to_string();
        agent.start(seat).map_err(failed)?;
        let place = agent.choose(state, seat, rng).map_err(failed)?;
        let report = agent.report();
        agent.end(state).map_err(failed)?;
        Ok((state.action_numbers(seat)[place] as usize, report))
    }

    fn choose_in(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
    ) -> PyResult<(usize, Option<SearchReport>)> {
        let (shared, state, seat) = self.seen(position)?;
        if !self.shared.is_same_as(&shared) {
            return Err(bad("the position is of another game or of other rules"));
        }
        match self.spec.is_search() || self.spec.is_external() {
            true => {
                let _searching = Searching::begin(self)?;
                let thought = interruptibly(py, |calls| self.think(&state, seat, Some(calls)))?;
                thought.map_err(|reason| self.failed(py, reason))
            }
            false => self.think(&state, seat, None).map_err(bad),
        }
    }

    /// Returns the error of a search, with the exception of its evaluator as its cause.
    fn failed(&self, py: Python<'_>, reason: String) -> PyErr {
        let error = bad(reason);
        error.set_cause(py, self.evaluator.as_ref().and_then(|one| one.take_exception()));
        error
    }

    /// Returns what the agent may see of `position`.
    fn seen(&self, position: &Bound<'_, PyAny>) -> PyResult<(Arc<SharedGame>, AnyState, Player)> {
        if let Ok(view) = position.cast::<View>() {
            if self.spec.kind().cheats() {
                return Err(bad(format!("{} sees what is hidden: give it a State", self.spec)));
            }
            let view = view.get();
            return Ok((Arc::clone(&view.shared), view.world.clone(), view.seat));
        }
        let state = position.cast::<State>()?.borrow();
        match state.state().due() {
            Due::Player(seat) => Ok((Arc::clone(state.shared()), state.state().clone(), seat)),
            _ => Err(bad("nobody chooses here")),
        }
    }
}

#[pymethods]
impl Bot {
    /// The spec, as the command reads it.
    #[getter]
    fn spec(&self) -> String {
        self.spec.with_label()
    }

    /// True if the agent sees what is hidden from its seat.
    #[getter]
    fn cheats(&self) -> bool {
        self.spec.kind().cheats()
    }

    /// Returns the number of the action that the agent chooses in a view, or in a state for the player who acts.
    fn choose(&self, py: Python<'_>, view: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(self.choose_in(py, view)?.0)
    }

    /// Chooses as `choose`, and returns the report of the search.
    fn search<'py>(
        &self,
        py: Python<'py>,
        view: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (action, report) = self.choose_in(py, view)?;
        let report = report.ok_or_else(|| bad(format!("{} does not search", self.spec)))?;
        let fields = PyDict::new(py);
        fields.set_item("position", view)?;
        fields.set_item("action", action)?;
        fields.set_item("iterations", report.iterations)?;
        fields.set_item("depth", report.depth)?;
        fields.set_item("nodes", report.nodes)?;
        fields.set_item("line", &report.line)?;
        let options = PyList::empty(py);
        for option in &report.options {
            let row = PyDict::new(py);
            row.set_item("option", &option.text)?;
            row.set_item("action", &option.action)?;
            row.set_item("visits", option.visits)?;
            row.set_item("prior", option.prior)?;
            row.set_item("values", &option.values)?;
            row.set_item("is_proven", option.is_proven)?;
            row.set_item("is_chosen", option.is_chosen)?;
            options.append(row)?;
        }
        fields.set_item("options", options)?;
        py.import("caesar._tables")?.getattr("Report")?.call((), Some(&fields))
    }

    /// The function that evaluates leaves, if there is one.
    #[getter]
    fn evaluator<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.evaluator.as_ref().map(|evaluator| evaluator.function(py))
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        let shared = Arc::clone(&self.shared);
        Self::new(shared, &self.spec.with_label(), self.seed, self.evaluator(py), self.rows())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let start = crate::history::History::new(0).to_json(&self.shared).to_string();
        let pickled = (start, self.spec.with_label(), self.seed, self.evaluator(py), self.rows());
        Ok((py.get_type::<Self>().getattr("_read")?, pickled))
    }

    /// Returns the agent of a pickle.
    #[staticmethod]
    #[pyo3(signature = (game, spec, seed, evaluator=None, rows=1))]
    fn _read(
        game: &str,
        spec: &str,
        #[pyo3(from_py_with = number::seed)] seed: u64,
        evaluator: Option<Bound<'_, PyAny>>,
        #[pyo3(from_py_with = number::count)] rows: usize,
    ) -> PyResult<Self> {
        Self::new(Arc::clone(State::read(game)?.shared()), spec, seed, evaluator, rows)
    }

    fn __repr__(&self) -> String {
        format!("<caesar.Bot {} of {}>", self.spec, self.shared.game.name())
    }
}
