//! Reader of directories of results as sources of a report.

use std::fs;
use std::path::{Path, PathBuf};

use draw::report::{Kind, Sheet, Source};
use engine::rules::Change;
use serde_json::Value as Json;

use super::documents::{anywhere, document, text};
use super::sheets::{Wish, parsed};
use super::{changes, compared, games, rows};
use crate::cli::balance::CONFIRMATION;
use crate::cli::files;
use crate::cli::renamed::note_renamed;
use crate::report::rules;
use lab::balance::rows::FILE as CELLS;
use lab::compare::trace::FILE as TRACE;
use lab::dynamics::request::What;
use lab::dynamics::study::FILES as WATCHED;
use lab::tune::journal::FILE as LOG;
use sim::catalogue::{Overrides, Setup, checked_rules};
use sim::error::Error;
use sim::export::games_csv::FILE as GAMES;
use sim::export::manifest::FILE as MANIFEST;
use sim::export::summary::FILE as SUMMARY;
use sim::manifest::{Manifest, RunManifest as _};
use sim::stats::Moments;
use sim::units;

/// Documents without a manifest beside them, with the kind of their results.
const DOCUMENTS: [(&str, Kind); 3] = [
    ("ladder.json", Kind::Ladder),
    ("game.json", Kind::Dynamics),
    ("win-model.json", Kind::WinModel),
];
/// Files of rows, which are no tables.
const ROWS: [&str; 5] = [GAMES, CELLS, CONFIRMATION, TRACE, LOG];
/// Points of a thinned line.
const POINTS: usize = 300;

fn is_of_results(dir: &Path) -> bool {
    dir.join(MANIFEST).is_file() || DOCUMENTS.iter().any(|(name, _)| dir.join(name).is_file())
}

/// A run without the rows behind its tables.
pub(in crate::cli) struct Described {
    /// Its request, its tables and its sentences.
    pub(in crate::cli) source: Source,
    /// The document of its results.
    pub(in crate::cli) document: &'static str,
    /// False for a run without results.
    pub(in crate::cli) is_finished: bool,
}

/// Returns true if `dir` holds a run, or the changes between several.
///
/// # Errors
/// If its document cannot be read.
pub(in crate::cli) fn is_run(dir: &Path) -> Result<bool, Error> {
    Ok(is_of_results(dir) || changes::source(dir)?.is_some())
}

/// Returns the run in a directory, by its documents and tables alone.
///
/// # Errors
/// If they cannot be read, are damaged, or of another version.
pub(in crate::cli) fn described(dir: &Path) -> Result<Described, Error> {
    if let Some(source) = changes::source(dir)? {
        return Ok(Described { source, document: SUMMARY, is_finished: true });
    }
    let Opened { mut source, result, .. } = begun(dir)?;
    if !matches!(source.kind, Kind::Tournament | Kind::Comparison) {
        source.sheets = sheets(dir)?;
    }
    let first = &result["agents"][0];
    if let (Some(spec), Some(share)) = (first["spec"].as_str(), first["share"].as_f64()) {
        let share = units::fixed(100.0 * share, 1);
        source.statements.push(format!("first: {spec} with {share} % of the points"));
    }
    source
        .statements
        .extend(anywhere(&result, "sentence").and_then(Json::as_str).map(str::to_owned));
    let (document, is_finished) = (document_of(source.kind), !result.is_null());
    Ok(Described { source, document, is_finished })
}

/// Returns the run in a directory with all its tables; a tournament is counted from its rows.
///
/// # Errors
/// If it cannot be read, is damaged, or of another version.
pub(in crate::cli) fn whole(dir: &Path) -> Result<Source, Error> {
    let wish = Wish { replays: 0, model: None, records: Vec::new() };
    Ok(source(dir, &wish)?.0)
}

/// Returns `dir` if it holds results, or else the directories in it that do, by name, after itself if it holds the changes
/// between them.
///
/// # Errors
/// If there are none.
pub(super) fn directories(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    if is_of_results(dir) {
        return Ok(vec![dir.to_owned()]);
    }
    let name = dir.display().to_string();
    let entries = fs::read_dir(dir).map_err(Error::file(name.as_str()))?;
    let mut inside: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir() && is_of_results(path))
        .collect();
    inside.sort();
    if !inside.is_empty() && changes::source(dir)?.is_some() {
        inside.insert(0, dir.to_owned());
    }
    if inside.is_empty() {
        return Err(Error::Usage(format!(
            "{name}: it holds no results; write some with --out of tournament, compare, ladder, balance or tune"
        )));
    }
    Ok(inside)
}

/// Returns the files of a directory, which must not be overwritten.
pub(super) fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// Returns the kind of results in a directory, with its documents: the request and the results.
fn opened(dir: &Path) -> Result<(Kind, Json, Json), Error> {
    // Older studies kept no rows and left no manifest.
    for (name, kind) in DOCUMENTS {
        if dir.join(name).is_file() && !dir.join(MANIFEST).is_file() {
            let result = document(dir, name)?;
            let model = dir.join("model.json");
            let request =
                if model.is_file() { document(dir, "model.json")? } else { result.clone() };
            return Ok((kind, request, result));
        }
    }
    let request = document(dir, MANIFEST)?;
    let format = request["format"].as_str().unwrap_or_default().to_owned();
    let kind = match (format.split('/').next().unwrap_or_default(), request["what"].as_str()) {
        _ if Manifest::is_of_kind(&format) => Kind::Tournament,
        ("caesar-comparison", _) => Kind::Comparison,
        ("caesar-balance", Some("cards")) => Kind::Cards,
        ("caesar-balance", Some("provinces")) => Kind::Provinces,
        ("caesar-balance", Some("seats")) => Kind::Seats,
        ("caesar-balance", Some("alliances")) => Kind::Alliances,
        ("caesar-balance", _) => Kind::Rules,
        ("caesar-dynamics" | "caesar-arc", Some("win-model")) => Kind::WinModel,
        ("caesar-dynamics" | "caesar-arc", _) => Kind::Dynamics,
        ("caesar-tune", _) => Kind::Search,
        ("caesar-strategies", _) => Kind::Population,
        _ => {
            let place = dir.join(MANIFEST).display().to_string();
            return Err(Error::Usage(format!("{place}: its format {format:?} is none of ours")));
        }
    };
    let name = document_of(kind);
    let result = if dir.join(name).is_file() { document(dir, name)? } else { Json::Null };
    Ok((kind, request, result))
}

/// Returns the name of the document with the results of a kind.
const fn document_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Dynamics => What::Game.document(),
        Kind::WinModel => What::WinModel.document(),
        Kind::Ladder => DOCUMENTS[0].0,
        _ => SUMMARY,
    }
}

/// Differences of an arm from the default rules: the changes, and as a document.
type Arm = (Vec<Change>, Json);

/// Returns the whole rules of `setup`, and the differences from the default: for its own arm, and for the second arm of
/// a comparison.
fn arms(setup: Setup, request: &Json) -> Result<(Json, Vec<Arm>), Error> {
    let rules = checked_rules(&setup)?;
    let (whole, mut arms) = (rules.to_json(), vec![(rules.changes(), rules.overrides())]);
    if let Some(other) = request["arms"].as_array().and_then(|arms| arms.get(1)) {
        let recorded = Some(other["overrides"].clone()).filter(Json::is_object);
        let overrides = Overrides { recorded, ..Overrides::default() };
        let rules = checked_rules(&Setup { overrides, ..setup })?;
        arms.push((rules.changes(), rules.overrides()));
    }
    Ok((whole, arms))
}

/// Describes the rules: those of both sides, if there are two.
fn rules_of(game: &str, arms: &[Arm]) -> String {
    let line = |(changes, _): &Arm| rules::line(game, changes).unwrap_or_default();
    match arms {
        [one] => line(one),
        all => {
            let side = |(name, arm): (&str, &Arm)| format!("{name}: {}", line(arm));
            let sides: Vec<String> = ["A", "B"].into_iter().zip(all).map(side).collect();
            sides.join("; ")
        }
    }
}

/// Returns the results in a directory, and their differences from the default rules as a text for comparison.
///
/// # Errors
/// If they cannot be read, are damaged, or of another version.
pub(super) fn source(dir: &Path, wish: &Wish) -> Result<(Source, String), Error> {
    if let Some(source) = changes::source(dir)? {
        return Ok((source, String::new()));
    }
    let Opened { mut source, result, arms } = begun(dir)?;
    read(dir, &mut source, wish, &result)?;
    let (changes, overrides): (Vec<_>, Vec<_>) =
        arms.into_iter().map(|(changes, overrides)| (changes, overrides.to_string())).unzip();
    source.sheets.extend(compared::changed(&changes));
    Ok((source, overrides.join(" against ")))
}

/// A run before its tables and rows are read.
struct Opened {
    source: Source,
    /// The document of its results; null if there are none.
    result: Json,
    arms: Vec<Arm>,
}

/// Returns the run in a directory by its documents.
fn begun(dir: &Path) -> Result<Opened, Error> {
    let place = dir.display().to_string();
    let (kind, request, result) = opened(dir)?;
    // The study's model stands beside its document, and has a separate seed and games.
    let is_of_model = matches!(kind, Kind::Dynamics | Kind::WinModel);
    let order = if is_of_model { [&result, &request] } else { [&request, &result] };
    let has = |key: &str| {
        order.into_iter().find(|json| anywhere(json, key).is_some()).unwrap_or(&request)
    };
    let version = text(has("version"), "version");
    let here = env!("CARGO_PKG_VERSION");
    if !version.is_empty() && version != here {
        return Err(Error::Usage(format!(
            "{place}: it was written by version {version}, and this is {here}: numbers may differ"
        )));
    }
    // A study of a game has a table of that name among its results.
    let game = [&request, &result].map(|json| text(json, "game"));
    let game = game.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    let players = anywhere(has("players"), "players").and_then(Json::as_u64);
    let overrides = anywhere(&request, "overrides").or_else(|| anywhere(&request, "rules"));
    let setup = Setup {
        game: game.clone(),
        players: players.map(|n| n as usize),
        overrides: Overrides {
            recorded: overrides.filter(|o| o.is_object()).cloned(),
            ..Overrides::default()
        },
    };
    let (whole, arms) = arms(setup, &request)?;
    let lines = rules_of(&game, &arms);
    let count = |key: &str| anywhere(&result, key).and_then(Json::as_u64).unwrap_or_default();
    let mut source = Source {
        players: players.unwrap_or_default() as usize,
        agents: agents(order),
        seed: text(has("seed"), "seed"),
        games: count("games"),
        blocks: count("blocks"),
        command: text(has("command"), "command"),
        version: if version.is_empty() { here.to_owned() } else { version },
        rules: lines,
        board: draw::games::map(&game, &whole),
        statements: statements(kind, &result),
        game,
        ..Source::new(kind, &place)
    };
    if result.is_null() {
        source.caveats.push(format!("{}: the run is unfinished.", source.place));
    }
    if let Some(refused) = refusal(&source.place, &result) {
        source.caveats.push(format!(
            "Figures that rest on the model of win probability are withheld: {refused}."
        ));
    }
    Ok(Opened { source, result, arms })
}

/// Returns the reason for which figures that rest on the model are withheld, by the results at `place`.
fn refusal<'a>(place: &str, result: &'a Json) -> Option<&'a str> {
    const KEY: &str = "dynamics_refused";
    const OLD: &str = "arc_refused";
    let reason = |key| anywhere(result, key).and_then(Json::as_str);
    reason(KEY).or_else(|| reason(OLD).inspect(|_| note_renamed(place, OLD, KEY)))
}

/// Reads tables and rows into a source whose documents are already read.
fn read(dir: &Path, source: &mut Source, wish: &Wish, result: &Json) -> Result<(), Error> {
    match source.kind {
        Kind::Tournament => return games::read(dir, source, wish),
        Kind::Comparison => return compared::read(dir, source, result),
        _ => {}
    }
    for name in
        ROWS.into_iter().chain(WATCHED).map(|name| dir.join(name)).filter(|path| path.is_file())
    {
        rows::check(&name)?;
    }
    if !result.is_null() {
        source.caveats.extend(rows::check_derived(dir)?.map(|caveat| caveat + "."));
    }
    if source.kind == Kind::Search {
        source.sheets.extend(history(dir)?);
    }
    source.sheets.extend(sheets(dir)?);
    Ok(())
}

/// Returns the agents that the documents name.
fn agents([first, second]: [&Json; 2]) -> Vec<String> {
    let listed = |json: &Json| -> Vec<String> {
        let all = anywhere(json, "agents").and_then(Json::as_array).into_iter().flatten();
        all.filter_map(Json::as_str).map(str::to_owned).collect()
    };
    let one = |json: &Json| -> Vec<String> {
        Some(text(json, "agent")).filter(|spec| !spec.is_empty()).into_iter().collect()
    };
    let all = [listed(first), listed(second), one(first), one(second)];
    all.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

/// Returns the sentences of the results.
fn statements(kind: Kind, result: &Json) -> Vec<String> {
    match kind {
        Kind::Search => {
            let winner = anywhere(result, "winner").or_else(|| anywhere(result, "agent"));
            let what = match result["verdict"].as_str() {
                Some(verdict @ "better against the pool only") => {
                    let worse = result["worse_against"].as_array().into_iter().flatten();
                    let worse: Vec<&str> = worse.filter_map(Json::as_str).collect();
                    let worse = worse.join(" and ");
                    format!("{verdict}, worse against {worse}; the start is kept")
                }
                Some("better") | None => "better".to_owned(),
                Some(_) => "no better; the start is kept".to_owned(),
            };
            winner
                .and_then(Json::as_str)
                .map(|spec| format!("{what}: {spec}"))
                .into_iter()
                .collect()
        }
        Kind::Population => {
            let all = result["strategies"].as_array().into_iter().flatten();
            let all = all.map(|one| &one["portrait"]);
            let content = result["content"].as_array().into_iter().flatten();
            let all = [&result["answer"], &result["end"]].into_iter().chain(all).chain(content);
            let all = all.chain([&result["archive"]["result"]]);
            all.filter_map(Json::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the tables in a directory, by name.
fn sheets(dir: &Path) -> Result<Vec<Sheet>, Error> {
    let mut places: Vec<PathBuf> = files(dir);
    places.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.extension().is_some_and(|end| end == "csv")
            && ![&ROWS[..], &WATCHED].concat().contains(&name.as_ref())
    });
    places.sort();
    places.iter().map(|path| sheet(path)).collect()
}

/// Returns the table in a file.
fn sheet(path: &Path) -> Result<Sheet, Error> {
    let place = path.display().to_string();
    let text = files::document(path).map_err(Error::file(place.as_str()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    parsed(name, &text).map_err(|e| Error::Usage(format!("{place}: it is damaged: {e}")))
}

/// Builds the sheet of a search's progress: the mean of the last tenth of its candidates, and the best such mean so far,
/// with their intervals. Blocks that confirm a candidate are no part of it. Results are gains of agents or losses of
/// rules; a log holds a loss as its negative beside its parts.
fn history(dir: &Path) -> Result<Option<Sheet>, Error> {
    let path = dir.join(LOG);
    let place = path.display().to_string();
    if !path.is_file() {
        return Ok(None);
    }
    let damaged = |e: csv::Error| Error::Usage(format!("{place}: it is damaged: {e}"));
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(&path).map_err(damaged)?;
    let headers = reader.headers().map_err(damaged)?.clone();
    let column = |name: &str| headers.iter().position(|header| header == name);
    let (Some(pool), Some(values)) = (column("pool"), column("values")) else { return Ok(None) };
    let (what, sign) = if column("parts").is_some() { ("loss", -1.0) } else { ("gain", 1.0) };
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for row in reader.records() {
        let row = row.map_err(damaged)?;
        if row.get(pool) == Some("train") {
            let cells = row.get(values).unwrap_or_default().split(' ');
            rows.push(
                cells.filter_map(|cell| cell.parse::<f64>().ok()).map(|x| sign * x).collect(),
            );
        }
    }
    let tenth = (rows.len() / 10).max(1);
    let step = rows.len().div_ceil(POINTS).max(1);
    let mut best: Option<[f64; 3]> = None;
    let mut lines: Vec<Vec<String>> = Vec::new();
    for end in (tenth..=rows.len()).step_by(step) {
        let mut moments = Moments::default();
        rows[end - tenth..end].iter().flatten().for_each(|x| moments.add(*x));
        let Some(half) = moments.half_width() else { continue };
        let now = [moments.mean(), moments.mean() - half, moments.mean() + half];
        let top = best.filter(|best| sign * best[0] >= sign * now[0]).unwrap_or(now);
        best = Some(top);
        let played = rows[..end].iter().map(Vec::len).sum::<usize>() as f64;
        lines.push([&[played][..], &top, &now].concat().iter().map(ToString::to_string).collect());
    }
    let named = |name: &str| [name.to_owned(), format!("{name}_low"), format!("{name}_high")];
    let columns =
        [vec!["blocks".to_owned()], named("best").to_vec(), named(what).to_vec()].concat();
    let (name, caption) = ("history".to_owned(), String::new());
    Ok(Some(Sheet { name, caption, columns, rows: lines }).filter(|sheet| sheet.rows.len() > 1))
}
