//! Tests of `docs/mcts.md` against the table of the search's parameters.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use agents::mcts::Config;
use agents::param::Tried;

const BEGIN: &str = "<!-- table of parameters: begin -->\n";
const END: &str = "<!-- table of parameters: end -->\n";

/// Returns the table in the form of the document.
fn table() -> String {
    let mut text = String::from(
        "| parameter | default | a game's | range | scale | search range | meaning |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for param in Config::PARAMS {
        let heading = Config::HEADINGS.iter().find(|(first, _)| *first == param.name);
        if let Some((_, heading)) = heading {
            writeln!(text, "| *{heading}* | | | | | | |").unwrap();
        }
        let default = param.default_value().unwrap();
        let is_games = if param.is_games { "yes" } else { "" };
        let unit = if param.unit.is_empty() { String::new() } else { format!(" {}", param.unit) };
        let scale = format!("{:?}", param.domain.scale().unwrap()).to_lowercase();
        let (name, range, meaning) = (param.name, param.domain.range_text(), param.meaning);
        let tried = Config::tried(name).map_or_else(String::new, |Tried { low, high, is_log }| {
            format!("{low} to {high}{}", if is_log { ", log" } else { "" })
        });
        writeln!(
            text,
            "| `{name}` | {default} | {is_games} | {range}{unit} | {scale} | {tried} | {meaning} |"
        )
        .unwrap();
    }
    text + "\n\"A game's\" are parameters of which a game may have a default of its own. A search range is \
            that of a bare `?` in `caesar tune`; without one it is the whole range, or all words.\n"
}

/// With `UPDATE_GOLDEN=1` the test writes the table.
#[test]
fn the_document_has_the_table_of_parameters() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/mcts.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the table begins");
    let (inside, after) = rest.split_once(END).expect("the table ends");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, [before, BEGIN, &table(), END, after].concat()).unwrap();
    } else {
        assert!(inside == table(), "docs/mcts.md lags behind: UPDATE_GOLDEN=1 writes the table");
    }
}

/// The text must explain every parameter.
#[test]
fn the_text_names_every_parameter() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/mcts.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, _) = text.split_once(BEGIN).expect("the table begins");
    let code: Vec<&str> = before.split('`').skip(1).step_by(2).collect();
    let is_named = |name: &str| {
        let is_word = |c: char| !(c.is_alphanumeric() || c == '_');
        code.iter().any(|code| code.split(is_word).any(|word| word == name))
    };
    let forgotten: Vec<&str> =
        Config::PARAMS.iter().map(|param| param.name).filter(|name| !is_named(name)).collect();
    assert!(forgotten.is_empty(), "docs/mcts.md says nothing of {forgotten:?}");
}
