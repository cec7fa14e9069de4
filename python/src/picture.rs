//! Pictures of positions for notebooks, as `draw` draws them.

use draw::figure::FigureTable;
use draw::html::escape;
use draw::replay_builder::ReplayBuilder;
use draw::replay_page::replay_page;
use draw::story::Position;
use draw::table_page::{table_height, table_page};
use pyo3::prelude::*;

use crate::shared_game::SharedGame;

/// The height of a frame; less is in a frame of its own height.
const HEIGHT: &str = "32rem";

/// Returns a page as an element for a notebook: in a frame from which no script reaches the notebook.
#[pyfunction]
pub(crate) fn frame(title: &str, page: &str) -> String {
    framed(title, page, HEIGHT)
}

fn framed(title: &str, page: &str, height: &str) -> String {
    let (title, page) = (escape(title), escape(page));
    format!(
        "<iframe sandbox=\"allow-scripts\" title=\"{title}\" srcdoc=\"{page}\" \
         style=\"width:100%;height:{height};border:0\"></iframe>"
    )
}

/// Returns a table as an element for a notebook. Each column has a name and says whether it holds numbers.
#[pyfunction]
pub(crate) fn table(
    title: &str,
    caption: String,
    columns: Vec<(String, bool)>,
    rows: Vec<Vec<String>>,
) -> String {
    let table = FigureTable { caption, columns, rows };
    let height = format!("min({}px,{HEIGHT})", table_height(&table));
    framed(title, &table_page(title, &table), &height)
}

/// Returns a position as an element for a notebook. `what` says which position it is.
pub(crate) fn picture(shared: &SharedGame, what: &str, at: &Position) -> String {
    let (name, n) = (shared.game.name(), shared.players());
    let drawing = draw::games::drawing(name, &shared.game.rules().to_json(), n);
    let nobody = vec![String::new(); n];
    let mut builder = ReplayBuilder::new(drawing, what.to_owned(), name.to_owned(), nobody);
    builder.begin(at);
    let title = shared.game.about().title;
    frame(&format!("{title}: {what}"), &replay_page(title, "", &[builder.replay()]))
}

/// Returns an object as notebooks show it, by the name of its format: drawn, and as text for consoles. `include` and
/// `exclude` are formats that are wanted, and not.
pub(crate) fn bundle<'py>(
    shown: &Bound<'py, PyAny>,
    include: Option<Bound<'py, PyAny>>,
    exclude: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let bundle = shown.py().import("caesar._notebook")?.getattr("bundle")?;
    bundle.call1((shown, include, exclude))
}
