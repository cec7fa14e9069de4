//! Agents written in Python, in games that the toolkit plays.

use std::any::Any;
use std::sync::Arc;

use agents::external::{self, Embedded, EmbeddedGame};
use engine::Player;
use pyo3::prelude::*;

use crate::table::Table;
use crate::view::View;

/// An agent of Python at one table.
struct PythonAgent {
    /// The function that makes an agent: an object with `choose`, `start` and `end`.
    make: Arc<Py<PyAny>>,
    agent: Option<Py<PyAny>>,
    table: Option<Arc<Table>>,
    seat: Player,
}

/// Returns an exception as a reason, in one line.
fn reason(py: Python<'_>, error: &PyErr) -> String {
    let text = error.value(py).str().map(|text| text.to_string()).unwrap_or_default();
    let name = error.get_type(py).name().map(|name| name.to_string()).unwrap_or_default();
    format!("{name}: {text}").lines().collect::<Vec<_>>().join(" ")
}

impl PythonAgent {
    fn call<T>(
        &mut self,
        call: impl FnOnce(&mut Self, Python<'_>) -> PyResult<T>,
    ) -> Result<T, String> {
        Python::attach(|py| call(self, py).map_err(|error| reason(py, &error)))
    }
}

impl Embedded for PythonAgent {
    fn start(&mut self, game: EmbeddedGame<'_>) -> Result<(), String> {
        let EmbeddedGame { name, players, rules, seat } = game;
        self.seat = seat;
        self.call(|this, py| {
            if this.table.is_none() {
                this.table = Some(Table::recorded(name, players, rules.clone())?);
            }
            // A new agent for each game: results do not depend on who played before.
            let agent = this.make.call0(py)?;
            agent.call_method1(py, "start", (seat.idx(),))?;
            this.agent = Some(agent);
            Ok(())
        })
    }

    fn choose(&mut self, world: &dyn Any, seed: u32) -> Result<usize, String> {
        let seat = self.seat;
        self.call(|this, py| {
            let (Some(table), Some(agent)) = (&this.table, &this.agent) else {
                return Err(crate::error::bad("no game has started"));
            };
            let world = table.game.adopt(world);
            let world =
                world.ok_or_else(|| crate::error::bad("the position is of another game"))?;
            let view = View::of_world(Arc::clone(table), world.clone(), seat, seed.into());
            let chosen = agent.call_method1(py, "choose", (view,))?;
            let number: i64 = chosen.bind(py).call_method0("__index__")?.extract()?;
            table.place(&world, seat, number)
        })
    }

    fn end(&mut self) -> Result<(), String> {
        self.call(|this, py| {
            this.agent.take().map_or(Ok(()), |agent| agent.call_method0(py, "end").map(drop))
        })
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
            table: None,
            seat: Player::new(0),
        })
    };
    external::embed(name, Arc::new(agent));
}

/// Forgets the agents of a name.
#[pyfunction]
pub(crate) fn withdraw(name: &str) {
    external::withdraw(name);
}
