//! `caesar balance game` and `balance win-model`: a study of watched games is planned, played, stored in a directory,
//! joined from its shards, and reported.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value as Json, json};

use super::Common;
use super::foreseen::{guess_time, plan_page, planned};
use super::run::{stopped, write_tables};
use crate::cli::files::{self, refuse_one_file_twice};
use crate::cli::kept::{Kept, Stored, tables_of};
use crate::cli::live::Live;
use crate::cli::output::Form;
use crate::cli::outputs::Existing;
use crate::cli::rows::Rows;
use crate::cli::running::{Threads, stop_on_signal, threads};
use crate::cli::shards::{self, Options as Merge, Shards};
use crate::cli::{Ending, look, note, print};
use crate::report::table::Page;
use crate::report::win_model::{self, document};
use crate::report::{dynamics, rules};
use lab::dynamics::manifest::Manifest;
use lab::dynamics::request::{Found, More, Request, ValidatedDynamics, What};
use lab::dynamics::rows::{Keep, OnRow, Part, Play, Row, play_and_tell};
use lab::dynamics::study::FILES;
use sim::changes::with_changes;
use sim::document::document as line;
use sim::error::Error;
use sim::export::manifest::FILE as MANIFEST;
use sim::manifest::{RunManifest as _, Shard};
use sim::units;

/// The model, beside the tables.
const MODEL: &str = "model.json";

impl Stored for Manifest {
    const ROWS: &'static [&'static str] = &FILES;

    fn finished(&self) -> Vec<String> {
        let names: &[&str] = match self.what {
            What::Game => &dynamics::TABLES,
            What::WinModel => &win_model::TABLES,
        };
        let own = [self.what.document(), MODEL].map(str::to_owned);
        own.into_iter().chain(tables_of(names)).collect()
    }
}

pub(super) fn run<R: clap::Args>(
    what: What,
    request: &Request,
    more: &More,
    options: &Common<R>,
) -> Result<Ending, Error> {
    let tables: &[&str] = match what {
        _ if options.plan => &["plan"],
        What::Game => &dynamics::TABLES,
        What::WinModel => &win_model::TABLES,
    };
    options.one.check(&options.form, tables, &[])?;
    let validated = ValidatedDynamics::new(what, request, more, &files::text)?;
    if options.plan {
        let parts = planned(&validated);
        if !options.quiet {
            guess_time(&validated, threads(options.threads))?;
        }
        let page = plan_page(&validated, &parts);
        let text = match options.form.is_json() {
            true => line(&document(Map::new(), &page.tables)),
            false => options.form.write(look(), Some(&options.one), &|_| page.clone()),
        };
        return print(&text).map(|()| Ending::Done);
    }
    let stop = stop_on_signal()?;
    let how = How {
        out: options.out.clone(),
        existing: options.again.existing(),
        shard: options.shard,
        threads: threads(options.threads),
        quiet: options.quiet,
        stop: &stop,
    };
    match played(&validated, &how)? {
        Played::Whole(found) => {
            print(&text(&validated, &found, &options.form, Some(options)))?;
            Ok(Ending::Done)
        }
        Played::Stopped(blocks, of) => Ok(stopped(options, blocks, of)),
        Played::Shard(blocks) => {
            let blocks = units::counted(blocks, "block");
            print(&format!("{blocks} played; caesar merge joins the shards\n"))?;
            Ok(Ending::Done)
        }
    }
}

/// Settings of a study's run.
pub(super) struct How<'a> {
    pub(super) out: Option<PathBuf>,
    pub(super) existing: Existing,
    pub(super) shard: Option<Shard>,
    pub(super) threads: usize,
    pub(super) quiet: bool,
    pub(super) stop: &'a AtomicBool,
}

/// Result of a run.
pub(super) enum Played {
    /// Whole study.
    Whole(Box<Found>),
    /// Shard with all its blocks; the number of them.
    Shard(u64),
    /// Stopped run: blocks played, and all blocks.
    Stopped(u64, u64),
}

/// Plays the rest of a study, and stores it in its directory if it has one.
pub(super) fn played(validated: &ValidatedDynamics, how: &How<'_>) -> Result<Played, Error> {
    let manifest = Manifest::new(validated, how.shard);
    let kept = match &how.out {
        Some(dir) => {
            refuse_inputs(dir, validated)?;
            Some(Kept::at(dir, &manifest, how.existing)?)
        }
        None => None,
    };
    let of = all_parts(validated, how.shard).iter().map(|part| blocks_of(part, how.shard)).sum();
    let live = Live::new(how.quiet);
    let mut keeper = Keeper { kept, how, live, blocks: 0, of, open: Vec::new() };
    let found = validated.play(&mut keeper);
    keeper.live.finish();
    if let (Err(_), Some(rows)) = (&found, keeper.open.last()) {
        note(&rows.what_is_left());
    }
    let Some(found) = found? else {
        let blocks = keeper.blocks;
        let is_whole = how.shard.is_some() && blocks == of;
        return Ok(if is_whole { Played::Shard(blocks) } else { Played::Stopped(blocks, of) });
    };
    if how.shard.is_some() {
        return Ok(Played::Shard(keeper.blocks));
    }
    if let Some(kept) = &keeper.kept {
        sum_up(kept, validated, &found)?;
    }
    Ok(Played::Whole(Box::new(found)))
}

/// Returns the parts to play; a shard plays only those that need no fitted model.
fn all_parts(validated: &ValidatedDynamics, shard: Option<Shard>) -> Vec<Part> {
    let mut all = validated.shared();
    if shard.is_none() && validated.model.is_none() {
        all.extend(validated.modelled());
    }
    all
}

fn range_of(part: &Part, shard: Option<Shard>) -> Range<u64> {
    shard.map_or(0..part.blocks, |shard| shard.blocks(part.blocks))
}

fn blocks_of(part: &Part, shard: Option<Shard>) -> u64 {
    let range = range_of(part, shard);
    range.end - range.start
}

/// Refuses an output that is also an input.
fn refuse_inputs(dir: &Path, validated: &ValidatedDynamics) -> Result<(), Error> {
    let files = FILES.iter().chain([&MANIFEST, &MODEL]);
    let written: Vec<(String, PathBuf)> =
        files.map(|name| (format!("{name} of --out {}", dir.display()), dir.join(name))).collect();
    let read = validated.files.iter();
    let read = read.map(|(path, _)| (format!("the input {path}"), path.into()));
    refuse_one_file_twice(&written, &read.collect::<Vec<_>>())
}

/// Writer of rows into a directory, if there is one.
struct Keeper<'a> {
    kept: Option<Kept>,
    how: &'a How<'a>,
    live: Live,
    blocks: u64,
    of: u64,
    /// Row files that stay locked until the end.
    open: Vec<Rows<Part>>,
}

impl Keep for Keeper<'_> {
    fn rows(
        &mut self,
        part: &Part,
        play: &Play<'_>,
        on_row: &mut OnRow<'_>,
    ) -> Result<bool, Error> {
        let Self { kept, how, live, blocks, of, open } = self;
        let range = range_of(part, how.shard);
        if how.stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let mut next = range.start;
        if let Some(kept) = kept {
            let mut recall = |rows: &[Row]| {
                next += rows.len() as u64;
                rows.iter().try_for_each(&mut *on_row)
            };
            open.push(kept.rows(part.clone(), &range, &mut recall)?);
        }
        let first = next;
        *blocks += first - range.start;
        let mut rows = if kept.is_some() { open.last_mut() } else { None };
        let mut tell = |row: &Row| {
            next += 1;
            *blocks += 1;
            live.look(|| format!("{blocks} of {of} blocks"));
            on_row(row)?;
            rows.as_mut().map_or(Ok(()), |rows| rows.write(std::slice::from_ref(row)))
        };
        let left = first..range.end;
        let result = play_and_tell(left, how.threads, play, how.stop, &mut tell);
        let saved = rows.map_or(Ok(()), Rows::save);
        result.and(saved)?;
        Ok(range == (0..part.blocks) && next == range.end)
    }
}

/// Writes the tables, the model and the document after all other files.
fn sum_up(kept: &Kept, validated: &ValidatedDynamics, found: &Found) -> Result<(), Error> {
    let page = page(validated, found);
    let model = (MODEL.to_owned(), found.judged().model.document());
    let document = line(&document(facts(validated, found), &page.tables));
    write_tables(kept.dir(), &page, [model, (validated.what.document().to_owned(), document)])
}

/// Returns the page of the results.
pub(super) fn page(validated: &ValidatedDynamics, found: &Found) -> Page {
    let mut page = match found {
        Found::Game(report) => dynamics::page(report),
        Found::WinModel(judged) => win_model::page(judged),
    };
    page.footer.extend(rules::note(&validated.setup.game, &validated.changes));
    page
}

/// Returns the facts of the study that precede the tables of a document.
fn facts(validated: &ValidatedDynamics, found: &Found) -> Map<String, Json> {
    let (study, judged) = (&validated.study, found.judged());
    let facts = json!({
        "game": study.subject.game,
        "players": study.subject.players,
        "agents": [study.subject.agent],
        "seed": study.seed,
        "games": study.games,
        "fitted": judged.model.games,
    });
    let Json::Object(mut facts) = facts else { unreachable!("it is written as an object") };
    if let Found::Game(report) = found
        && let Err(why) = &report.dynamics
    {
        facts.insert("dynamics_refused".to_owned(), why.as_str().into());
    }
    facts
}

/// Returns the document of the results.
pub(super) fn as_json(validated: &ValidatedDynamics, found: &Found) -> Json {
    let page = page(validated, found);
    with_changes(document(facts(validated, found), &page.tables), &validated.changes)
}

fn text<R: clap::Args>(
    validated: &ValidatedDynamics,
    found: &Found,
    form: &Form,
    options: Option<&Common<R>>,
) -> String {
    match form.is_json() {
        true => line(&as_json(validated, found)),
        false => {
            form.write(look(), options.map(|options| &options.one), &|_| page(validated, found))
        }
    }
}

/// Runs `caesar merge` for studies of watched games: joins the rows of all shards part by part, and then plays the
/// parts that depend on the model. Before it accepts a shard, it plays some of its blocks again.
pub(in crate::cli) fn merge(options: &Merge) -> Result<Ending, Error> {
    let shards = Shards::<Manifest>::all(options, "its rows and tables")?;
    let validated = shards.whole.validated(&shards.name)?;
    let read: Vec<&str> = FILES.into_iter().chain([MANIFEST]).collect();
    shards.refuse_overwriting(options, &read, &read)?;
    let shared = validated.shared();
    let each = |part: &Part, tell: &mut dyn FnMut(&[Row]) -> Result<(), Error>| {
        shards.each_block(part, |manifest: &Manifest| manifest.share_of(part.blocks), tell)
    };
    // All shards are read once before anything is written.
    shared.iter().try_for_each(|part| each(part, &mut |_| Ok(())))?;
    replay_samples(options, &validated, &shards)?;
    {
        let mut kept = Kept::at(&options.out, &shards.whole, options.existing())?;
        for part in &shared {
            let range = 0..part.blocks;
            let mut rows = kept.rows(part.clone(), &range, &mut |_| Ok(()))?;
            each(part, &mut |blocks| rows.write(blocks))?;
            rows.save()?;
        }
    }
    let stop = stop_on_signal()?;
    let how = How {
        out: Some(options.out.clone()),
        existing: Existing::GoesOn,
        shard: None,
        threads: threads(Threads::default()),
        quiet: options.printing.quiet,
        stop: &stop,
    };
    let Played::Whole(found) = played(&validated, &how)? else { return Ok(shards::stopped()) };
    let form = &options.printing.form;
    print(&text::<Request>(&validated, &found, form, None))?;
    if form.is_table() {
        print(&options.merged(shards.parts.len()))?;
    }
    Ok(Ending::Done)
}

/// Replays some blocks of each part of each shard.
fn replay_samples(
    options: &Merge,
    validated: &ValidatedDynamics,
    shards: &Shards<Manifest>,
) -> Result<(), Error> {
    let mut n_played = 0;
    for shard in &shards.parts {
        for part in validated.shared() {
            let range = shard.manifest.share_of(part.blocks);
            let mut again = |rows: &[Row]| {
                let [row] = rows else { return Ok(false) };
                let mut again = Again { file: part.file, block: row.block, row: None };
                validated.play(&mut again)?;
                Ok(again.row.as_ref() == Some(row))
            };
            let (seed, n) = (validated.study.seed, options.sample);
            n_played += shard.play_again(&part, range, seed, n, &mut again)?;
        }
    }
    options.say_played_again(n_played, "block", shards.parts.len());
    Ok(())
}

/// Plays one block of one part.
struct Again {
    file: &'static str,
    block: u64,
    row: Option<Row>,
}

impl Keep for Again {
    fn rows(&mut self, part: &Part, play: &Play<'_>, _: &mut OnRow<'_>) -> Result<bool, Error> {
        if part.file == self.file {
            let rows = play(self.block..self.block + 1, &AtomicBool::new(false))?;
            self.row = rows.and_then(|mut rows| rows.pop());
        }
        Ok(false)
    }
}
