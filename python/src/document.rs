//! Documents of pickles: their head, and the seal of those that hold a position as data.

use pyo3::PyResult;
use serde_json::{Value as Json, json};

use crate::error::bad;
use crate::shared_game::SharedGame;

/// The key of the seal: a hash of the document without it.
const SEAL: &str = "seal";

/// Returns the head of a document of `format` about a position of a game.
pub(crate) fn head(format: &str, shared: &SharedGame) -> Json {
    json!({
        "format": format,
        "version": env!("CARGO_PKG_VERSION"),
        "game": shared.game.name(),
        "players": shared.players(),
        "rules": shared.game.overrides(),
    })
}

fn print_of(document: &Json) -> String {
    blake3::hash(document.to_string().as_bytes()).to_hex().to_string()
}

/// Adds the seal. A position as data is read as it stands, so a change by hand must not pass.
pub(crate) fn seal(document: &mut Json) {
    document[SEAL] = print_of(document).into();
}

/// Refuses a document without its seal, or with that of another one.
pub(crate) fn check_seal(document: &Json) -> PyResult<()> {
    let mut bare = document.clone();
    let seal = bare.as_object_mut().and_then(|keys| keys.shift_remove(SEAL));
    match seal == Some(print_of(&bare).into()) {
        true => Ok(()),
        false => Err(bad("the document was changed since caesar wrote it: write it again")),
    }
}

/// Reads a document of `format` that this version wrote, which holds a `what`.
pub(crate) fn read(text: &str, format: &str, what: &str) -> PyResult<Json> {
    let cut = |_| bad(format!("the {what} is cut short or no {what} of caesar"));
    let document: Json = serde_json::from_str(text).map_err(cut)?;
    let version = document["version"].as_str().unwrap_or("unknown");
    if document["format"] == format && version == env!("CARGO_PKG_VERSION") {
        return Ok(document);
    }
    Err(bad(format!(
        "the {what} is of caesar {version} (format {}), and this is caesar {} (format \"{format}\")",
        document["format"],
        env!("CARGO_PKG_VERSION")
    )))
}

/// Builds the game of a document.
pub(crate) fn game_of(document: &Json) -> PyResult<std::sync::Arc<SharedGame>> {
    let name = document["game"].as_str().unwrap_or_default();
    let players = document["players"].as_u64().unwrap_or_default() as usize;
    SharedGame::recorded(name, players, document["rules"].clone())
}
