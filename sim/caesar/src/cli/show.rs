//! `caesar show FILE`.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use agents::{AgentSpec, SearchTally};
use clap::Args;
use draw::replay::Replay;

use super::check::{at_input, fault_line, input_name};
use super::files::refuse_one_file_twice;
use super::output::stream;
use super::outputs::{Force, Output};
use super::{Ending, files, note};
use sim::any::AnyGame;
use sim::branch::Branch;
use sim::catalogue::{Overrides, Setup};
use sim::config::numbers::{ranged, seats, whole};
use sim::config::supply_files;
use sim::error::Error;
use sim::record::analysis::Analysis;
use sim::record::narration::{Detail, Style};
use sim::record::page_replay::PageReplayOptions;
use sim::record::stream::{Checked, Telling, check};
use sim::units;
use sim::visible::visible_lines;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// File of records; - for stdin
    file: String,
    /// Number of the game to show, from 1 [default: all games]
    #[arg(long, value_name = "N", value_parser = ranged::<u64>(1, u64::MAX))]
    game: Option<u64>,
    /// Print only the turning points of each game
    #[arg(long, conflicts_with = "full")]
    brief: bool,
    /// Print every ply, every chance event and the recorded states; implied by --ply and --analyse
    #[arg(long)]
    full: bool,
    /// Print the board after each round (after each action in a game without rounds)
    #[arg(long)]
    boards: bool,
    /// Plies to show, from 1, as in 12 or 12-20
    #[arg(long, value_name = "N", value_parser = plies, allow_hyphen_values = true)]
    ply: Option<RangeInclusive<u64>>,
    /// Print the position before the ply as a document that people can change and --from takes
    #[arg(long, requires_all = ["game", "ply"], conflicts_with_all = ["brief", "full", "boards", "analyse", "html"])]
    position: bool,
    /// Print the evaluation of each decision by this search [default SPEC: mcts]
    #[arg(long, value_name = "SPEC", num_args = 0..=1, default_missing_value = "mcts")]
    analyse: Option<String>,
    /// Number of options of each decision to print
    #[arg(long, value_name = "N", requires = "analyse", default_value_t = 5, value_parser = seats)]
    best: usize,
    /// Seed of the analysis [default: the record's]
    #[arg(long, value_name = "S", requires = "analyse", value_parser = whole)]
    seed: Option<u64>,
    /// Write an HTML page with a replay of each game, instead of printing; - for stdout
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "brief", "full", "boards"])]
    html: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Most games on the page
    #[arg(long, value_name = "N", requires = "html", default_value_t = 10, value_parser = seats)]
    most: usize,
    /// Model of win probability (from `caesar balance win-model`), for the line under the board
    #[arg(long, value_name = "FILE", requires = "html")]
    model: Option<String>,
    /// Print one JSON document a line for each analysed decision
    #[arg(long, requires = "analyse")]
    json: bool,
}

fn plies(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(first..=last),
        _ => Err("expected a number from 1 or a range, as in 12 or 12-20".to_owned()),
    }
}

impl Options {
    fn telling(&self) -> Result<Telling, Error> {
        let analysis = match &self.analyse {
            None => None,
            Some(text) => {
                let mut spec: AgentSpec = text.parse()?;
                if !spec.is_search() {
                    return Err(Error::Usage(format!(
                        "--analyse \"{spec}\": it does not search, so it has no evaluation (mcts has)"
                    )));
                }
                supply_files(&mut spec, &files::text, &mut Vec::new())?;
                Some(Analysis { spec, seed: self.seed, best: self.best })
            }
        };
        let detail = match self {
            Self { brief: true, .. } => Detail::Brief,
            Self { full: false, ply: None, analyse: None, .. } => Detail::Usual,
            _ => Detail::Full,
        };
        let style = Style { detail, boards: self.boards };
        let model = self.model.as_ref().map(|path| {
            let text = files::text(path).map_err(|e| Error::unreadable("model", path, &e))?;
            Ok::<_, Error>((path.clone(), text))
        });
        let model = model.transpose()?;
        Ok(Telling {
            text: (!self.json).then_some(style),
            replay: self.html.is_some().then_some(PageReplayOptions { model }),
            most: self.html.is_some().then_some(self.most),
            game: self.game,
            games: None,
            plies: self.ply.clone(),
            analysis,
        })
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    if options.position {
        return position(options);
    }
    let telling = options.telling()?;
    let mut input = files::open(&options.file)?;
    let output = options.html.as_deref().map(|path| Output::of("html", path, options.force));
    let output = output.transpose()?;
    if let Some(output) = &output {
        let model = options.model.iter().map(|path| (format!("--model {path}"), path.into()));
        let records = ("the records".to_owned(), PathBuf::from(&options.file));
        let read: Vec<(String, PathBuf)> = model.chain([records]).collect();
        refuse_one_file_twice(&output.named().into_iter().collect::<Vec<_>>(), &read)?;
        output.check()?;
    }
    let mut ending = Ending::Done;
    let mut games = 0;
    let mut replays = Vec::new();
    let mut searched = SearchTally::default();
    let since = Instant::now();
    let checked_all = check(&mut *input, &telling, &mut |checked: Checked| {
        games += 1;
        searched += checked.searched;
        // A faulty game is named and not drawn.
        replays.extend(checked.replay.filter(|_| checked.fault.is_none()));
        // A reader who closes the pipe still gets the findings so far by the exit code.
        ending = if checked.fault.is_some() { Ending::FaultsFound } else { ending };
        // Our own stories have no colours, so any terminal command here comes from the record.
        let text = &checked.text;
        stream(&if options.json { Cow::Borrowed(text.as_str()) } else { visible_lines(text) })?;
        if let Some(fault) = checked.fault {
            note(fault_line(&options.file, &fault).trim_end());
        }
        stream(if options.json || options.html.is_some() { "" } else { "\n" })
    });
    match checked_all {
        Err(Error::ClosedPipe) => return Ok(ending),
        checked_all => checked_all.map_err(|error| at_input(error, &options.file))?,
    }
    if games == 0 {
        let which = match options.game {
            None => "no record: it is empty".to_owned(),
            Some(game) => format!("no game {game}"),
        };
        return Err(Error::Usage(format!("{}: {which}", input_name(&options.file))));
    }
    if let Some(output) = &output {
        write_page(output, &options.file, &replays)?;
    }
    if telling.analysis.is_some() {
        note(&search_summary(searched, since.elapsed().as_secs_f64()));
    }
    Ok(ending)
}

/// Prints the position before a ply.
fn position(options: &Options) -> Result<Ending, Error> {
    let (Some(game), Some(plies)) = (options.game, &options.ply) else {
        return Err(Error::Usage("--position: name the game and the ply".to_owned()));
    };
    if plies.start() != plies.end() {
        return Err(Error::Usage("--position: one ply is expected, as in --ply 12".to_owned()));
    }
    let spec = format!("{}:{game}:{}", options.file, plies.start());
    let branch = Branch::read(&spec, &|path| files::text(path)).map_err(at_place)?;
    let base = Some(branch.rules().clone());
    let overrides = Overrides { base, ..Overrides::default() };
    let setup =
        Setup { game: branch.game().to_owned(), players: Some(branch.players()), overrides };
    let game = AnyGame::new(&setup)?;
    let (state, _) = game.branched(&branch, 0).map_err(at_place)?;
    let position = game.position_of(&state).ok_or_else(|| {
        Error::Usage(
            "--position: this build has no positions made by hand; `cargo build --release --features data` builds one that has them"
                .to_owned(),
        )
    })?;
    let unread = |message| Error::Usage(format!("{spec}: {message}"));
    game.placed(&position.state).map_err(unread)?;
    stream(&position.text())?;
    Ok(Ending::Done)
}

/// Returns the error of a place in a file of records without an option: the command has none for it.
fn at_place(error: Error) -> Error {
    match error {
        Error::Value { value, message, .. } => Error::Usage(format!("{value}: {message}")),
        other => other,
    }
}

/// Writes the page of `replays`, games of `file`.
fn write_page(output: &Output, file: &str, replays: &[Replay]) -> Result<(), Error> {
    let games = units::counted(replays.len() as u64, "game");
    let introduction = format!("<p>{games} from {}.</p>\n", draw::html::escape(input_name(file)));
    let page = draw::replay_page::replay_page("Replays", &introduction, replays);
    output.write(page.as_bytes())?;
    note(&format!("{}: {games}, {} kB", output.place(), page.len().div_ceil(1000)));
    Ok(())
}

/// Describes the amount and speed of the search.
fn search_summary(searched: SearchTally, seconds: f64) -> String {
    format!(
        "{} analysed: {} in {}",
        units::counted(searched.decisions, "decision"),
        units::counted(searched.iterations, "iteration"),
        units::seconds(seconds)
    )
}
