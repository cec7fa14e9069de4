//! `caesar merge`: the shards of a tournament joined into the results of one run, byte for byte.
//!
//! Before it believes a shard it plays a few of its games again: a machine that computes something else is found
//! here and not in the ranking.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use engine::{Purpose, Randomness, rng};

use super::desk::{Desk, Format, Printing};
use super::files::Aside;
use super::results::{Opening, Results, each_game, found};
use super::{Ending, note, print, whole};
use crate::config::Plan;
use crate::error::Error;
use crate::event::GameResult;
use crate::ledger::Ledger;
use crate::manifest::{Manifest, Shard};
use crate::tournament::{self, play_game};
use crate::units;

/// The file of records that is joined, too, where every shard has one.
const RECORDS: &str = "records.jsonl";

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The directories of all shards, in any order
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    /// Write manifest.json, games.csv and summary.json of the whole run into a directory
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Games of each shard that are played again and compared
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = whole)]
    sample: u64,
    /// What to write into --out: csv, or parquet for games.parquet as well
    #[arg(long, value_name = "FORMAT", default_value = "csv", hide_possible_values = true)]
    format: Format,
    #[command(flatten)]
    printing: Printing,
}

/// A shard that was found.
struct Part {
    dir: PathBuf,
    manifest: Manifest,
    shard: Shard,
}

impl Part {
    fn name(&self) -> String {
        format!("shard {} ({})", self.shard, self.dir.display())
    }

    fn n_games(&self) -> u64 {
        let range = self.manifest.range();
        (range.end - range.start) * self.manifest.games_per_block
    }

    fn rows(&self) -> PathBuf {
        self.dir.join("games.csv")
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let mut parts = options.shards.iter().map(|dir| part(dir)).collect::<Result<Vec<_>, _>>()?;
    parts.sort_by_key(|part| part.shard.index);
    check(&parts)?;
    refuse_overwriting(options, &parts)?;
    let manifest = parts[0].manifest.whole();
    let name = parts[0].dir.join("manifest.json").display().to_string();
    let plan = manifest.plan(&name)?;
    let ledger = Ledger::new(manifest.players, manifest.seed, &manifest.extras);
    replay_samples(options, &plan, &parts, &ledger)?;
    let mut desk = Desk::new(&plan, &options.printing, true);
    let opening = Opening { dir: &options.out, manifest: &manifest, records: None, resume: false };
    let mut results = Results::open(&opening)?;
    if options.format == Format::Parquet {
        desk.open_parquet(&options.out, &plan, &manifest.extras)?;
    }
    for part in &parts {
        each_game(&part.rows(), &ledger, part.n_games(), &mut |game| {
            desk.hear(&game)?;
            results.write(&game)
        })
        .map_err(|e| Error::Usage(format!("{}: {e}", part.name())))?;
    }
    join_records(&parts, &options.out)?;
    desk.results = Some(results);
    let heard = desk.close(&plan, true)?;
    let mut text = options.printing.text(&plan, heard, None);
    if !options.printing.json {
        text += &format!(
            "{} merged into {}\n",
            units::counted(parts.len() as u64, "shard"),
            options.out.display()
        );
    }
    print(&text)?;
    Ok(Ending::Done)
}

fn part(dir: &Path) -> Result<Part, Error> {
    let place = dir.display();
    let manifest = found(dir)?
        .ok_or_else(|| Error::Usage(format!("{place}: there is no manifest.json of a shard")))?;
    match manifest.shard {
        Some(shard) => Ok(Part { dir: dir.to_owned(), manifest, shard }),
        None => Err(Error::Usage(format!("{place}: it holds a whole run and no shard"))),
    }
}

/// Refuses shards that are not the shards of one run.
fn check(parts: &[Part]) -> Result<(), Error> {
    let first = &parts[0];
    for part in &parts[1..] {
        if part.shard.of != first.shard.of {
            return Err(Error::Usage(format!(
                "{} and {} divide the run differently",
                first.name(),
                part.name()
            )));
        }
        let differences = first.manifest.whole().differences(&part.manifest.whole());
        if !differences.is_empty() {
            return Err(Error::Usage(format!(
                "{} is of another run than {} ({})",
                part.name(),
                first.name(),
                differences
                    .join("; ")
                    .replace(" there", " in the latter")
                    .replace(" here", " in the former")
            )));
        }
    }
    if let Some(pair) = parts.windows(2).find(|pair| pair[0].shard == pair[1].shard) {
        return Err(Error::Usage(format!(
            "{} and {} are the same",
            pair[0].name(),
            pair[1].name()
        )));
    }
    let of = first.shard.of;
    let is_here = |index: &u64| parts.iter().any(|part| part.shard.index == *index);
    let missing: Vec<String> =
        (1..=of).filter(|i| !is_here(i)).map(|i| format!("{i}/{of}")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    const SHOWN: usize = 8;
    let dots = if missing.len() > SHOWN { ", …" } else { "" };
    Err(Error::Usage(format!(
        "{} of {of} missing: {}{dots}",
        units::counted(missing.len() as u64, "shard"),
        missing[..missing.len().min(SHOWN)].join(", ")
    )))
}

fn refuse_overwriting(options: &Options, parts: &[Part]) -> Result<(), Error> {
    let out = options.out.canonicalize().ok();
    let clash = parts.iter().find(|part| out.is_some() && part.dir.canonicalize().ok() == out);
    match clash {
        Some(part) => {
            Err(Error::Usage(format!("--out {}: it is {}", options.out.display(), part.name())))
        }
        None => Ok(()),
    }
}

/// Plays some games of each shard again.
fn replay_samples(
    options: &Options,
    plan: &Plan,
    parts: &[Part],
    ledger: &Ledger,
) -> Result<(), Error> {
    if options.sample == 0 {
        return Ok(());
    }
    if !plan.is_reproducible() {
        if !options.printing.quiet {
            note("no game is played again: an agent thinks for a time, or is another program");
        }
        return Ok(());
    }
    for part in parts {
        let n_games = part.n_games();
        let mut chosen = chosen(plan.seed, part.shard, options.sample, n_games);
        let mut row = 0;
        let tell = &mut |game: GameResult| {
            if chosen.last() == Some(&row) {
                chosen.pop();
                compare(plan, ledger, &game)?;
            }
            row += 1;
            Ok(())
        };
        each_game(&part.rows(), ledger, n_games, tell).map_err(|e| match e {
            Error::Failed(what) => Error::Failed(format!("{}: {what}", part.name())),
            other => Error::Usage(format!("{}: {other}; --resume completes it", part.name())),
        })?;
    }
    if !options.printing.quiet {
        note(&format!(
            "{} of each shard played again: no difference",
            units::counted(options.sample, "game")
        ));
    }
    Ok(())
}

/// The rows of a shard that are played again, the first one last; the same for the same shard.
fn chosen(seed: u64, shard: Shard, n: u64, n_games: u64) -> Vec<u64> {
    let mut rng = rng::stream(seed, shard.index, Purpose::Analysis);
    let at = |rng: &mut engine::Stream| (rng.unit() * n_games as f64) as u64;
    let mut rows: Vec<u64> = (0..n).map(|_| at(&mut rng).min(n_games - 1)).collect();
    rows.sort_unstable_by(|a, b| b.cmp(a));
    rows.dedup();
    rows
}

/// Plays `game` again and refuses any difference.
pub(super) fn compare(plan: &Plan, ledger: &Ledger, game: &GameResult) -> Result<(), Error> {
    let options = tournament::Options { threads: 1, records: false, extras: true };
    let again = play_game(plan, game.index, options)?;
    let (there, here) = (ledger.row(game), ledger.row(&again));
    if there == here {
        return Ok(());
    }
    Err(Error::Failed(format!(
        "game {} comes out differently here; the machine that played it or this one is wrong\n  there: {}\n  here:  {}",
        game.index,
        there.trim_end(),
        here.trim_end()
    )))
}

/// Joins the records of the shards, if all of them have some.
fn join_records(parts: &[Part], out: &Path) -> Result<(), Error> {
    let have = parts.iter().filter(|part| part.dir.join(RECORDS).exists()).count();
    if have == 0 {
        return Ok(());
    }
    if have < parts.len() {
        note(&format!(
            "{RECORDS} is in {have} of {} shards only, so records are not joined",
            parts.len()
        ));
        return Ok(());
    }
    let place = out.join(RECORDS);
    let failed = || Error::output(place.display().to_string());
    let mut joined = Aside::create(&place).map_err(failed())?;
    for part in parts {
        let path = part.dir.join(RECORDS);
        let mut records = File::open(&path).map_err(Error::file(path.display().to_string()))?;
        io::copy(&mut records, &mut joined).map_err(failed())?;
    }
    joined.flush().and_then(|()| joined.finish()).map_err(failed())
}
