//! The class `Game`.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use engine::rules::{Chance, Information};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyTuple};
use sim::catalogue::{NAMES, Overrides, Setup};
use sim::position::Position;

use crate::bot::Bot;
use crate::error::bad;
use crate::history::History;
use crate::number::{self, seed};
use crate::shared_game::SharedGame;
use crate::state::State;

/// A game with its rules and its number of players.
#[pyclass(module = "caesar", frozen)]
#[derive(Debug)]
pub(crate) struct Game {
    pub(crate) shared: Arc<SharedGame>,
}

/// Returns the game called `name`, for `players`, with changes to its default rules: a dict of keys as
/// ``caesar rules`` prints them, or the path of a TOML file.
#[pyfunction]
#[pyo3(signature = (name, players=None, rules=None))]
pub(crate) fn load_game(
    name: &str,
    #[pyo3(from_py_with = number::count)] players: Option<i64>,
    rules: Option<&Bound<'_, PyAny>>,
) -> PyResult<Game> {
    let too_few = |_| bad(format!("{name} is not for {} players", players.unwrap_or_default()));
    let players = players.map(usize::try_from).transpose().map_err(too_few)?;
    let overrides = rules.map_or_else(|| Ok(Overrides::default()), overrides)?;
    let setup = Setup { game: name.to_owned(), players, overrides };
    Ok(Game { shared: SharedGame::new(&setup)? })
}

/// Returns the names of all games.
#[pyfunction]
pub(crate) fn registered_names() -> Vec<&'static str> {
    NAMES.to_vec()
}

fn overrides(rules: &Bound<'_, PyAny>) -> PyResult<Overrides> {
    if let Ok(settings) = rules.cast::<PyDict>() {
        let setting = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| -> PyResult<String> {
            Ok(format!("{}={}", key.extract::<String>()?, toml(&value)?))
        };
        let settings = settings.iter().map(setting).collect::<PyResult<_>>()?;
        return Ok(Overrides { settings, ..Overrides::default() });
    }
    let path: std::path::PathBuf = rules.extract().map_err(|_| {
        PyTypeError::new_err(
            "rules: a dict, as {\"options.seasons\": 3}, or the path of a TOML file",
        )
    })?;
    let name = path.display().to_string();
    let text = std::fs::read_to_string(&path).map_err(|e| bad(format!("rules {name}: {e}")))?;
    Ok(Overrides { file: Some((name, text)), ..Overrides::default() })
}

/// Returns a value of the rules as TOML writes it.
fn toml(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyBool>() {
        Ok(value) => Ok(value.is_true().to_string()),
        Err(_) => Ok(value.str()?.to_string()),
    }
}

#[pymethods]
impl Game {
    /// The name in the catalogue.
    #[getter]
    fn name(&self) -> &'static str {
        self.shared.game.name()
    }

    /// The name for people.
    #[getter]
    fn title(&self) -> &'static str {
        self.shared.game.about().title
    }

    /// The changes to the default rules, as JSON.
    #[getter]
    fn rules(&self) -> String {
        self.shared.game.overrides().to_string()
    }

    /// True if anything is hidden from a player.
    #[getter]
    fn hides(&self) -> bool {
        matches!(self.shared.game.about().information, Information::Hidden(_))
    }

    /// True if anything is random.
    #[getter]
    fn has_chance(&self) -> bool {
        !matches!(self.shared.game.about().chance, Chance::None)
    }

    /// True if players make some choices at once, and nothing else is hidden.
    #[getter]
    fn chooses_at_once(&self) -> bool {
        matches!(self.shared.game.about().information, Information::AtOnce(_))
    }

    /// Returns the number of players.
    fn num_players(&self) -> usize {
        self.shared.players()
    }

    /// Returns how many actions there are: all numbers of actions are below.
    fn num_distinct_actions(&self) -> usize {
        self.shared.game.n_numbers()
    }

    /// Returns the least that a player can get.
    fn min_utility(&self) -> f64 {
        0.0
    }

    /// Returns the most that a player can get.
    fn max_utility(&self) -> f64 {
        1.0
    }

    /// Returns the sum of the points of all players.
    fn utility_sum(&self) -> f64 {
        1.0
    }

    /// Returns a number of choices that no game exceeds, as the rules bound it; choices at once count as one. In classic
    /// and conquest2 it is hundreds of times the usual length. Pig, and games with treatments, have none.
    fn max_game_length(&self) -> PyResult<u32> {
        let none = || {
            let name = self.shared.game.name();
            bad(format!("no largest number of choices is known for {name}: ask is_terminal"))
        };
        self.shared.game.max_game_length().ok_or_else(none)
    }

    /// Returns the position before the first event. Its dice follow from `seed`.
    #[pyo3(signature = (seed=0))]
    fn new_initial_state(&self, #[pyo3(from_py_with = seed)] seed: u64) -> State {
        State::new(Arc::clone(&self.shared), self.shared.game.start(), History::new(seed))
    }

    /// Returns the position of a document that `State.to_position` wrote or a person changed. Its parts are checked. Its
    /// dice follow from `seed`, and it has no history.
    #[pyo3(signature = (text, seed=0))]
    fn state_from_json(
        &self,
        text: &str,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<State> {
        let Position { game, seats, rules, state, .. } = Position::read(text).map_err(bad)?;
        let (own, overrides) = (&self.shared.game, self.shared.game.overrides());
        if game != own.name() || seats != own.players() {
            let (name, n) = (own.name(), own.players());
            let fault =
                format!("the position is of {game} for {seats} players, not of {name} for {n}");
            return Err(bad(fault));
        }
        if rules != overrides {
            let fault = format!(
                "the position's rules differ from the default in {rules}, those of the game in {overrides}"
            );
            return Err(bad(fault));
        }
        let placed = own.placed(&state).map_err(bad)?;
        let history = History::after_drawn(placed.clone(), seed);
        Ok(State::new(Arc::clone(&self.shared), placed, history))
    }

    /// Returns the position that `State.serialize` wrote.
    fn deserialize_state(&self, text: &str) -> PyResult<State> {
        let state = State::read(text)?;
        match self.shared.is_same_as(state.shared()) {
            true => Ok(state),
            false => Err(bad("the state is of another game or of other rules")),
        }
    }

    /// Returns the text of an action.
    fn action_to_string(
        &self,
        #[pyo3(from_py_with = number::player)] player: i32,
        #[pyo3(from_py_with = number::action)] action: i64,
    ) -> PyResult<String> {
        self.shared.seat(player)?;
        self.shared.action_text(action)
    }

    /// Returns how many numbers an observation has.
    fn observation_tensor_size(&self) -> usize {
        self.shared.n_observed
    }

    /// Returns the shape of an observation.
    fn observation_tensor_shape(&self) -> [usize; 1] {
        [self.observation_tensor_size()]
    }

    /// Returns the fields of an observation: name, shape, names of the axes, unit, and place of the first number.
    fn observation_layout<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let field = |field: &engine::observation::Field| {
            let dict = PyDict::new(py);
            dict.set_item("name", field.name)?;
            dict.set_item("shape", PyTuple::new(py, field.axes.iter().map(|axis| axis.1))?)?;
            dict.set_item("axes", PyTuple::new(py, field.axes.iter().map(|axis| axis.0))?)?;
            dict.set_item("unit", field.unit)?;
            dict.set_item("offset", field.offset)?;
            Ok(dict)
        };
        self.shared.game.observation_layout().iter().map(field).collect()
    }

    /// Returns the agent of a spec, as ``caesar agents`` lists them. Its random numbers follow from `seed`. A search asks
    /// `evaluator` about its leaves, if there is one; in runs up to `rows` leaves of different games in one call.
    #[pyo3(signature = (spec, seed=0, *, evaluator=None, rows=1))]
    fn agent(
        &self,
        spec: &str,
        #[pyo3(from_py_with = seed)] seed: u64,
        evaluator: Option<Bound<'_, PyAny>>,
        #[pyo3(from_py_with = number::count)] rows: usize,
    ) -> PyResult<Bot> {
        Bot::new(Arc::clone(&self.shared), spec, seed, evaluator, rows)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.shared.is_same_as(&other.shared)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.name(), self.num_players(), self.rules()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let rules: BTreeMap<String, serde_json::Value> =
            serde_json::from_value(self.shared.game.overrides()).unwrap_or_default();
        let rules =
            if rules.is_empty() { String::new() } else { format!(", rules={}", self.rules()) };
        format!("caesar.Game({:?}, players={}{rules})", self.name(), self.num_players())
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let start = History::new(0).to_json(&self.shared).to_string();
        Ok((py.get_type::<Self>().getattr("_read")?, (start,)))
    }

    /// Returns the game of a pickle.
    #[staticmethod]
    fn _read(text: &str) -> PyResult<Self> {
        Ok(Self { shared: Arc::clone(State::read(text)?.shared()) })
    }
}
