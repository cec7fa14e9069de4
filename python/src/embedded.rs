//! Agents written in Python, in games that the toolkit plays.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use agents::external::{self, Embedded, EmbeddedGame};
use engine::Player;
use pyo3::prelude::*;

use crate::calls::call_agent;
use crate::shared_game::SharedGame;
use crate::view::View;

/// An agent of Python in one game.
struct PythonAgent {
    /// The function that makes an agent: an object with `choose`, `start` and `end`.
    make: Arc<Py<PyAny>>,
    agent: Option<Arc<Py<PyAny>>>,
    shared: Option<Arc<SharedGame>>,
    seat: Player,
    /// The time before its last call began.
    waited: Duration,
}

impl PythonAgent {
    fn call<T: Send + 'static>(
        &mut self,
        call: impl FnOnce(Python<'_>) -> PyResult<T> + Send + 'static,
    ) -> Result<T, String> {
        let (result, waited) = call_agent(call);
        self.waited = waited;
        result
    }
}

impl Embedded for PythonAgent {
    fn start(&mut self, game: EmbeddedGame<'_>) -> Result<(), String> {
        let EmbeddedGame { name, players, rules, seat } = game;
        let (shared, rules, make) = (self.shared.take(), rules.clone(), Arc::clone(&self.make));
        let (shared, agent) = self.call(move |py| {
            let shared = shared.map_or_else(|| SharedGame::recorded(name, players, rules), Ok)?;
            // A new agent for each game: results do not depend on who played before.
            let agent = make.call0(py)?;
            agent.call_method1(py, "start", (seat.idx(),))?;
            Ok((shared, agent))
        })?;
        (self.seat, self.shared, self.agent) = (seat, Some(shared), Some(Arc::new(agent)));
        Ok(())
    }

    fn choose(&mut self, world: &dyn Any, seed: u32) -> Result<usize, String> {
        let (Some(shared), Some(agent)) = (self.shared.clone(), self.agent.clone()) else {
            return Err("no game has started".to_owned());
        };
        let seat = self.seat;
        let world = shared.game.adopt(world).ok_or("the position is of another game")?;
        self.call(move |py| {
            let view = View::of_world(Arc::clone(&shared), world.clone(), seat, seed.into());
            let chosen = agent.call_method1(py, "choose", (view,))?;
            let number: i64 = chosen.bind(py).call_method0("__index__")?.extract()?;
            shared.place(&world, seat, number)
        })
    }

    fn end(&mut self) -> Result<(), String> {
        let Some(agent) = self.agent.take() else { return Ok(()) };
        self.call(move |py| agent.call_method0(py, "end").map(drop))
    }

    fn waited(&self) -> Duration {
        self.waited
    }
}

/// Lets ``external(command=NAME)`` name agents that `make` makes, one for each game.
#[pyfunction]
pub(crate) fn embed(name: &str, make: Py<PyAny>) {
    let make = Arc::new(make);
    let agent = move || -> Box<dyn Embedded> {
        Box::new(PythonAgent {
            make: Arc::clone(&make),
            agent: None,
            shared: None,
            seat: Player::new(0),
            waited: Duration::ZERO,
        })
    };
    external::embed(name, Arc::new(agent));
}

/// Forgets the agents of a name.
#[pyfunction]
pub(crate) fn withdraw(name: &str) {
    external::withdraw(name);
}
