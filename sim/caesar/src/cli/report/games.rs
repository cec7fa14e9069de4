//! Source of a report from a tournament: its rows are read once, in order, and counted in bounded memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use draw::report::{Sheet, Source};

use super::recorded::Beside;
use super::sheets::{Wish, sheet};
use super::{fans, recorded};
use crate::cli::history::History;
use crate::cli::{directory, files};
use crate::report::names::Names;
use crate::report::table::Level;
use crate::report::{outcomes, standings};
use sim::config::Plan;
use sim::error::Error;
use sim::event::{Event, GameResult, Observer};
use sim::export::games_csv::FILE as GAMES;
use sim::manifest::Manifest;
use sim::record::Record;
use sim::record::page_replay::PageReplayOptions;
use sim::record::stream::{Checked, Telling, check};
use sim::stats::{Family, Interval, Moments, Relations, Standings};
use sim::units;

/// Bars of the histogram of lengths, at most.
const BARS: u64 = 40;

/// Counts over the games.
struct Counted {
    players: usize,
    per_block: u64,
    standings: Standings,
    relations: Relations,
    /// Shares of the seats by block.
    seats: Vec<Moments>,
    /// Plies by block.
    length: Moments,
    /// Games by plies.
    lengths: BTreeMap<u32, u64>,
    /// Current block: points by seat, plies, games.
    open: (Vec<f64>, f64, u64),
    closest: Closest,
    games: u64,
}

/// Closest games so far.
struct Closest {
    most: usize,
    /// Games by the winner's lead over the second, and their number.
    found: Vec<(f32, u64)>,
}

impl Closest {
    fn add(&mut self, game: &GameResult, players: usize) {
        if self.most == 0 || game.forfeit.is_some() {
            return;
        }
        let mut scores = game.scores[..players].to_vec();
        scores.sort_by(|a, b| b.total_cmp(a));
        let lead = scores.first().zip(scores.get(1)).map_or(0.0, |(first, second)| first - second);
        let place = self.found.partition_point(|(other, _)| *other <= lead);
        if place < self.most {
            self.found.insert(place, (lead, game.index));
            self.found.truncate(self.most);
        }
    }
}

impl Counted {
    fn new(plan: &Plan, most: usize) -> Self {
        let (pool, players, per_block) = (plan.names(), plan.players, plan.games_per_block());
        Self {
            players,
            per_block,
            standings: Standings::new(&pool, players, per_block),
            relations: Relations::new(&pool, players, per_block),
            seats: vec![Moments::default(); players],
            length: Moments::default(),
            lengths: BTreeMap::new(),
            open: (vec![0.0; players], 0.0, 0),
            closest: Closest { most, found: Vec::new() },
            games: 0,
        }
    }

    fn add(&mut self, game: &GameResult) {
        let event = Event::GameOver(game);
        let _ = self.standings.on(&event);
        let _ = self.relations.on(&event);
        self.closest.add(game, self.players);
        self.games += 1;
        *self.lengths.entry(game.plies).or_default() += 1;
        let (points, plies, games) = &mut self.open;
        points.iter_mut().zip(&game.points).for_each(|(sum, point)| *sum += f64::from(*point));
        *plies += f64::from(game.plies);
        *games += 1;
        if *games == self.per_block {
            let n = *games as f64;
            self.seats.iter_mut().zip(&*points).for_each(|(seat, sum)| seat.add(sum / n));
            self.length.add(*plies / n);
            self.open = (vec![0.0; self.players], 0.0, 0);
        }
    }

    /// Returns all tables of the games.
    fn sheets(&self, plan: &Plan) -> Result<Vec<Sheet>, Error> {
        let names = Names::of(plan, usize::MAX);
        let page = standings::page(plan, &self.standings, &names, Level::Alone);
        let (pairs, specs) = (self.relations.pairs(), self.relations.specs());
        let mut tables = page.tables;
        tables.retain(|table| table.readers.include(true));
        if self.relations.specs().len() > 1 {
            tables.push(outcomes::head_to_head(&pairs, specs, &names, Level::Alone));
            tables.push(outcomes::by_seat(&self.standings, &names, Level::Alone));
        }
        let mut sheets: Vec<Sheet> = tables.iter().map(sheet).collect::<Result<_, Error>>()?;
        sheets.extend([self.seat_sheet(), self.length_sheet(), self.lengths_sheet()]);
        Ok(sheets)
    }

    /// Builds the sheet of the seats' shares over all agents, with simultaneous intervals.
    fn seat_sheet(&self) -> Sheet {
        let family = Family::of(self.players);
        let row = |(seat, moments): (usize, &Moments)| {
            let Interval { low, high } = moments.together_within(0.0, 1.0, family);
            let numbers = [moments.mean(), low, high].map(|x| x.to_string());
            std::iter::once(seat.to_string()).chain(numbers).collect()
        };
        Sheet {
            name: "seat_shares".to_owned(),
            caption: "Share of the points of each seat, over all agents (simultaneous intervals)"
                .to_owned(),
            columns: ["seat", "share", "share_low", "share_high"].map(str::to_owned).to_vec(),
            rows: self.seats.iter().enumerate().map(row).collect(),
        }
    }

    /// Returns the mean length of a game.
    fn length_sheet(&self) -> Sheet {
        let mean = self.length.mean();
        let half = self.length.half_width();
        let ends = half.map_or([String::new(), String::new()], |half| {
            [mean - half, mean + half].map(|x| x.to_string())
        });
        Sheet {
            name: "length".to_owned(),
            caption: "Choices in a game".to_owned(),
            columns: ["plies", "plies_low", "plies_high"].map(str::to_owned).to_vec(),
            rows: vec![std::iter::once(mean.to_string()).chain(ends).collect()],
        }
    }

    /// Builds the sheet of games by number of choices.
    fn lengths_sheet(&self) -> Sheet {
        let first = self.lengths.keys().next().copied().unwrap_or_default();
        let last = self.lengths.keys().next_back().copied().unwrap_or_default();
        let width = (u64::from(last - first) + 1).div_ceil(BARS).max(1) as u32;
        let mut bars: BTreeMap<u32, u64> = BTreeMap::new();
        for (plies, n) in &self.lengths {
            *bars.entry(first + (plies - first) / width * width).or_default() += n;
        }
        let row = |(from, n): (&u32, &u64)| {
            vec![from.to_string(), (from + width - 1).to_string(), n.to_string()]
        };
        Sheet {
            name: "lengths".to_owned(),
            caption: "Lengths of the games".to_owned(),
            columns: ["from", "to", "games"].map(str::to_owned).to_vec(),
            rows: bars.iter().map(row).collect(),
        }
    }
}

/// Adds the caveats on the games to `source`.
fn caveats(counted: &Counted, manifest: &Manifest, source: &mut Source) {
    if counted.games < manifest.n_games() && !manifest.is_adaptive() {
        let (games, all) = (counted.games, manifest.n_games());
        source
            .caveats
            .push(format!("{}: the run is unfinished: {games} of {all} games.", source.place));
    }
    let copied = standings::copies(&counted.standings, &str::to_owned);
    source.caveats.extend(copied.map(|text| format!("{}: {text}.", source.place)));
    if let Some((game, what)) = counted.standings.first_forfeit() {
        let n = units::counted(counted.standings.forfeits(), "game");
        source
            .caveats
            .push(format!("{n} forfeited by an agent, the first in game {}: {what}.", game + 1));
    }
}

/// Reads the tournament in `dir` into `source`.
///
/// # Errors
/// If rows or records cannot be read, or are damaged or of another version.
pub(super) fn read(dir: &Path, source: &mut Source, wish: &Wish) -> Result<(), Error> {
    let Some(manifest) = directory::found::<Manifest>(dir)? else { return Ok(()) };
    let plan = manifest.plan(&source.place)?;
    let (rows, games_csv) = (dir.join(GAMES), manifest.games_csv());
    let most = if manifest.records.is_some() { wish.replays } else { 0 };
    let mut counted = Counted::new(&plan, most);
    let mut history = History::open(&rows, None, &games_csv, manifest.first_game())?;
    let wants_records = wish.replays > 0 || wish.model.is_some();
    let found = manifest.records.as_ref().filter(|_| wants_records);
    let found = found.map(|records| recorded::file(dir, records, &wish.records));
    let mut beside = match &found {
        Some(Ok(path)) => Some(Beside::open(path)?),
        _ => None,
    };
    while let Some(game) = history.next_game()? {
        counted.add(&game);
        if let Some(beside) = &mut beside {
            beside.next(game.record.as_ref().map(Record::check));
        }
    }
    if counted.games == 0 {
        return Err(Error::Usage(format!("{}: no game is whole", rows.display())));
    }
    source.games = counted.games;
    source.blocks = counted.standings.blocks();
    caveats(&counted, &manifest, source);
    source.sheets = counted.sheets(&plan)?;
    let first = manifest.first_game();
    let wanted: Vec<u64> = counted.closest.found.iter().map(|(_, game)| game - first + 1).collect();
    if manifest.records.is_none() && wish.model.is_some() {
        let what = "it has no records, so win probabilities are missing; use tournament --records";
        source.caveats.push(format!("{}: {what}.", source.place));
    }
    match (found, beside) {
        (Some(Ok(records)), Some(beside)) => {
            shown(&records, &beside, &manifest, &wanted, source, wish)
        }
        (Some(Err(why)), _) => {
            source.caveats.push(format!("{why}."));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Adds results from records that match the checksums of their rows: win probabilities, and the `wanted` games.
fn shown(
    records: &Path,
    beside: &Beside,
    manifest: &Manifest,
    wanted: &[u64],
    source: &mut Source,
    wish: &Wish,
) -> Result<(), Error> {
    source.caveats.extend(beside.caveat().map(|caveat| caveat + "."));
    if let Some(model) = &wish.model {
        fans::read(records, beside, manifest, model, source)?;
    }
    let fitting: Vec<u64> = wanted.iter().copied().filter(|game| beside.has(*game)).collect();
    if fitting.is_empty() { Ok(()) } else { replay(records, &fitting, source, wish) }
}

/// Builds the replay of the games of a stream with these numbers, in this order.
fn replay(path: &Path, wanted: &[u64], source: &mut Source, wish: &Wish) -> Result<(), Error> {
    let place = path.display().to_string();
    let model = wish.model.as_ref().map(|path| {
        let text = files::text(path).map_err(|e| Error::unreadable("model", path, &e))?;
        Ok::<_, Error>((path.clone(), text))
    });
    let telling = Telling {
        replay: Some(PageReplayOptions { model: model.transpose()? }),
        games: Some(wanted.iter().copied().collect::<BTreeSet<_>>()),
        ..Telling::default()
    };
    let mut replays = BTreeMap::new();
    let mut numbers = wanted.to_vec();
    numbers.sort_unstable();
    let mut numbers = numbers.into_iter();
    let mut input = files::open(&place)?;
    check(&mut *input, &telling, &mut |checked: Checked| {
        let number = numbers.next().unwrap_or_default();
        match checked.fault {
            None => replays.extend(checked.replay.map(|replay| (number, replay))),
            Some(fault) => source.caveats.push(format!(
                "{place}:{}: game {number} is not shown: {}.",
                fault.line, fault.message
            )),
        }
        Ok::<_, Error>(())
    })?;
    source.replays = wanted.iter().filter_map(|number| replays.remove(number)).collect();
    Ok(())
}
