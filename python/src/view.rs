//! The class `View`: what a seat may know of a position.

use std::sync::Arc;

use draw::story::Position;
use engine::{Player, Purpose, rng};
use numpy::PyArray1;
use pyo3::prelude::*;
use sim::any::AnyState;

use crate::document;
use crate::error::bad;
use crate::history::History;
use crate::number;
use crate::picture::{bundle, picture};
use crate::shared_game::SharedGame;
use crate::state::State;

/// The format of a view as text.
const FORMAT: &str = "caesar-view/1";

/// The knowledge of a player about a position. Inside is a world that the player cannot tell from the true one.
#[pyclass(module = "caesar", frozen)]
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) shared: Arc<SharedGame>,
    pub(crate) world: AnyState,
    pub(crate) seat: Player,
    seed: u64,
}

impl View {
    /// Returns the view of `seat`. The world is drawn anew, unless the seat sees everything.
    pub(crate) fn of(shared: Arc<SharedGame>, state: &AnyState, seat: Player) -> Self {
        let seed = state.info_state_key(seat);
        let world = state.determinized(seat, &mut rng::stream(seed, 0, Purpose::Analysis));
        Self { shared, world, seat, seed }
    }

    /// Returns the view of a world that was drawn for `seat`, with a number for random choices.
    pub(crate) const fn of_world(
        shared: Arc<SharedGame>,
        world: AnyState,
        seat: Player,
        seed: u64,
    ) -> Self {
        Self { shared, world, seat, seed }
    }
}

/// Returns the numbers that `seat` observes.
pub(crate) fn observation<'py>(
    py: Python<'py>,
    shared: &SharedGame,
    state: &AnyState,
    seat: Player,
) -> Bound<'py, PyArray1<f32>> {
    let mut numbers = vec![0.0; shared.n_observed];
    state.write_observation(seat, &mut numbers);
    PyArray1::from_vec(py, numbers)
}

/// Returns the mask of the legal actions of `seat`.
pub(crate) fn mask<'py>(
    py: Python<'py>,
    shared: &SharedGame,
    state: &AnyState,
    seat: Player,
) -> Bound<'py, PyArray1<i8>> {
    let mut mask = vec![0; shared.game.n_numbers()];
    state.action_numbers(seat).into_iter().for_each(|number| mask[number as usize] = 1);
    PyArray1::from_vec(py, mask)
}

#[pymethods]
impl View {
    /// The player whose view it is.
    #[getter]
    fn player(&self) -> usize {
        self.seat.idx()
    }

    /// A number for random choices. An agent that draws from it plays the same game again.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the game.
    fn get_game(&self) -> crate::game::Game {
        crate::game::Game { shared: Arc::clone(&self.shared) }
    }

    /// Returns the player who acts, as `State.current_player`.
    fn current_player(&self) -> i32 {
        self.shared.current_player(&self.world)
    }

    /// Returns the actions of the player in ascending order; none where they do not choose.
    fn legal_actions(&self) -> Vec<u32> {
        self.shared.legal(&self.world, self.seat)
    }

    /// Returns a mask of all actions, 1 for those that are legal.
    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        mask(py, &self.shared, &self.world, self.seat)
    }

    /// Returns the text of an action.
    fn action_to_string(
        &self,
        #[pyo3(from_py_with = number::action)] action: i64,
    ) -> PyResult<String> {
        self.shared.action_text(action)
    }

    /// Returns the legal action that is written so.
    fn string_to_action(&self, text: &str) -> PyResult<u32> {
        let place = self.world.find(self.seat, text).map_err(bad)?;
        Ok(self.world.action_numbers(self.seat)[place])
    }

    /// Returns the scores as the rules count them, which are public; None in games without scores.
    fn scores(&self) -> Option<Vec<i32>> {
        self.world.scores()
    }

    /// Returns what the player sees, as text.
    fn observation_string(&self) -> String {
        self.world.view_text(self.seat)
    }

    /// Returns what the player sees, as numbers; `Game.observation_layout` says which.
    fn observation_tensor<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        observation(py, &self.shared, &self.world, self.seat)
    }

    /// Returns all that the player knows, as one line.
    fn information_state_string(&self) -> String {
        format!("{} {}", self.seat.idx(), self.world.view_json(self.seat))
    }

    /// Returns what the player sees, as JSON.
    fn to_json(&self) -> String {
        self.world.view_json(self.seat).to_string()
    }

    /// Returns a position that the player cannot tell from the true one, drawn from the posterior. `rng` is a seed, a
    /// random.Random or a numpy Generator.
    fn resample(&self, rng: &Bound<'_, PyAny>) -> PyResult<State> {
        let seed = number::drawn(rng)?;
        let world =
            self.world.determinized(self.seat, &mut rng::stream(seed, 0, Purpose::Analysis));
        let history = History::after_drawn(world.clone(), seed);
        Ok(State::new(Arc::clone(&self.shared), world, history))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.shared.is_same_as(&other.shared)
            && self.seat == other.seat
            && self.to_json() == other.to_json()
            && self.world.info_state_key(self.seat) == other.world.info_state_key(other.seat)
    }

    fn __hash__(&self) -> u64 {
        self.world.info_state_key(self.seat)
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let mut document = document::head(FORMAT, &self.shared);
        document["player"] = self.seat.idx().into();
        document["seed"] = self.seed.into();
        document["world"] = self.world.to_data();
        document::seal(&mut document);
        Ok((py.get_type::<Self>().getattr("_read")?, (document.to_string(),)))
    }

    /// Returns the view of a pickle.
    #[staticmethod]
    fn _read(text: &str) -> PyResult<Self> {
        let json = document::read(text, FORMAT, "view")?;
        document::check_seal(&json)?;
        let shared = document::game_of(&json)?;
        let seat = shared.seat(json["player"].as_i64().unwrap_or(-1) as i32)?;
        // The number of choices before is no knowledge of the player.
        let world = shared.game.read(&json["world"], 0).map_err(bad)?;
        Ok(Self { shared, world, seat, seed: json["seed"].as_u64().unwrap_or_default() })
    }

    fn __str__(&self) -> String {
        self.observation_string()
    }

    fn __repr__(&self) -> String {
        let (name, seat) = (self.shared.game.name(), self.seat.idx());
        format!("<caesar.View of {name}, player {seat}>\n{}", self.observation_string())
    }

    /// Returns the view as notebooks show it: drawn, without what is hidden.
    fn _repr_html_(&self) -> String {
        let (view, text) = (self.world.view_json(self.seat), self.observation_string());
        let at = Position { state: view.clone(), view, text, ..Position::default() };
        picture(&self.shared, &format!("the view of player {}", self.seat.idx()), &at)
    }

    /// Returns the view in the formats of notebooks.
    #[pyo3(signature = (include=None, exclude=None))]
    fn _repr_mimebundle_<'py>(
        slf: &Bound<'py, Self>,
        include: Option<Bound<'py, PyAny>>,
        exclude: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        bundle(slf.as_any(), include, exclude)
    }
}
