//! Source of a report from the document of a change of the rules, which stands beside the directories of its runs.

use std::path::Path;

use draw::report::{Kind, Sheet, Source};
use serde_json::Value as Json;

use super::documents::{document, text};
use crate::report::balance::rules::BELIEVED;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::summary::FILE as SUMMARY;

/// Columns of the table of changes: its keys, its estimates, and what follows them.
const KEYS: [&str; 1] = ["statement"];
const ESTIMATES: [&str; 3] = ["difference", "old", "new"];
const REST: [&str; 2] = ["p", "verdict"];

/// Returns the changes whose document is in `dir`: of `variant` or `balance rules`. Returns `None` in any other
/// directory.
///
/// # Errors
/// If the document cannot be read.
pub(super) fn source(dir: &Path) -> Result<Option<Source>, Error> {
    if dir.join(MANIFEST).is_file() || !dir.join(SUMMARY).is_file() {
        return Ok(None);
    }
    let result = document(dir, SUMMARY)?;
    let (Some(rows), true) = (result["rules"].as_array(), result["moved"].is_u64()) else {
        return Ok(None);
    };
    let listed = |key: &str, of: &str| -> Vec<String> {
        let all = result[key].as_array().into_iter().flatten();
        all.filter_map(|one| if of.is_empty() { one.as_str() } else { one[of].as_str() })
            .map(str::to_owned)
            .collect()
    };
    let of_share = |row: &&Json| row["is_share"] == true;
    let (shares, sizes): (Vec<&Json>, Vec<&Json>) = rows.iter().partition(of_share);
    let sheets = vec![
        moved("moved", "Changes of shares and probabilities", &shares),
        moved("moved_sizes", "Changes of other numbers", &sizes),
    ];
    // The rules of both sides stand above all sections.
    let is_answer = |about: &str| !["old", "new", "agents"].contains(&about);
    let sentence = |one: &Json| {
        let [about, said, command] = ["about", "text", "command"].map(|key| one[key].as_str());
        let command = command.map_or_else(String::new, |command| format!(": {command}"));
        let about = about.filter(|about| is_answer(about))?;
        Some(format!("{about}: {}{command}", said.unwrap_or_default()))
    };
    let sentences = result["sentences"].as_array().into_iter().flatten();
    Ok(Some(Source {
        game: text(&result, "game"),
        players: result["players"].as_u64().unwrap_or_default() as usize,
        agents: listed("agents", ""),
        seed: text(&result, "seed"),
        games: result["games"].as_u64().unwrap_or_default(),
        command: listed("commands", "command").join("\n"),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        sheets,
        statements: sentences.filter_map(sentence).collect(),
        caveats: vec![format!("{BELIEVED}.").replacen("the agents", "The agents", 1)],
        ..Source::new(Kind::Rules, &dir.display().to_string())
    }))
}

/// Returns the table of changes.
fn moved(name: &str, caption: &str, rows: &[&Json]) -> Sheet {
    let ends = |name: &str| [name.to_owned(), format!("{name}_low"), format!("{name}_high")];
    let columns = KEYS.iter().map(|key| (*key).to_owned());
    let columns = columns.chain(ESTIMATES.iter().flat_map(|name| ends(name)));
    let columns = columns.chain(REST.iter().map(|key| (*key).to_owned())).collect();
    let cell = |json: &Json| match json {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    let row = |row: &&Json| {
        let estimate = |name: &&str| ["estimate", "low", "high"].map(|end| cell(&row[*name][end]));
        let keys = KEYS.iter().map(|key| cell(&row[*key]));
        let rest = REST.iter().map(|key| cell(&row[*key]));
        keys.chain(ESTIMATES.iter().flat_map(estimate)).chain(rest).collect()
    };
    let rows = rows.iter().map(row).collect();
    Sheet { name: name.to_owned(), caption: caption.to_owned(), columns, rows }
}
