//! Receivers of a tournament's games: standings, files, progress.

use std::cell::OnceCell;
use std::ops::ControlFlow;

use clap::Args;

use super::fault::Fault;
use super::files::Aside;
use super::output::{Form, OneTable};
use super::outputs::Opened;
use super::progress::Progress;
use super::results::{Opening, Results};
use crate::report::format::terminal::TerminalStyle;
use crate::report::names::Names;
use crate::report::table::{Level, Page, Table};
use crate::report::{luck, outcomes, relations, standings};
use sim::config::Plan;
use sim::error::Error;
use sim::event::{Event, GameResult, Observer};
use sim::export::summary::{self, LuckRow, More};
use sim::export::{End, Exporter, Format, ratings};
use sim::stats::luck::Luck;
use sim::stats::relations::Report;
use sim::stats::{Bootstrap, Relations, Standings};

/// Options for the output at the end.
#[derive(Clone, Debug, Args)]
pub(super) struct Printing {
    /// Also print statistics of searches: decisions, iterations, depth, departures from macro-actions
    #[arg(long)]
    pub(super) search_stats: bool,
    /// Also print ratings, pairwise results, cycles and equilibria; with --out also write ratings.json and
    /// ratings.csv
    #[arg(long)]
    pub(super) ratings: bool,
    #[command(flatten)]
    tables: Tables,
    /// Use simultaneous 95 % intervals for each column instead of individual ones (CSV and JSON have both)
    #[arg(long)]
    together: bool,
    #[command(flatten)]
    pub(super) form: Form,
    #[command(flatten)]
    one: OneTable,
    /// Suppress progress and notes
    #[arg(long)]
    pub(super) quiet: bool,
}

/// Tables about how games ended.
#[derive(Clone, Debug, Args)]
struct Tables {
    /// Also print wins, draws and losses of each agent
    #[arg(long)]
    outcomes: bool,
    /// Also print the share of each agent in each seat
    #[arg(long)]
    by_seat: bool,
    /// Also print, for each pair of agents, how often one finished ahead of the other
    #[arg(long)]
    head_to_head: bool,
}

impl Tables {
    /// Returns the names of the requested tables.
    fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let all = [
            (self.outcomes, outcomes::OUTCOMES),
            (self.by_seat, outcomes::BY_SEAT),
            (self.head_to_head, outcomes::HEAD_TO_HEAD),
        ];
        all.into_iter().filter_map(|(is_wanted, name)| is_wanted.then_some(name))
    }

    /// Builds the requested tables.
    fn of(&self, run_stats: &RunStats, names: &Names, level: Level) -> Vec<Table> {
        let standings = &run_stats.standings;
        let mut tables = Vec::new();
        tables.extend(self.outcomes.then(|| outcomes::outcomes(standings, names, level)));
        tables.extend(self.by_seat.then(|| outcomes::by_seat(standings, names, level)));
        if let Some(relations) = run_stats.relations.as_ref().filter(|_| self.head_to_head) {
            let (pairs, specs) = (relations.pairs(), relations.specs());
            tables.push(outcomes::head_to_head(&pairs, specs, names, level));
        }
        tables
    }
}

impl Printing {
    /// Refuses, before a game of `plan` is played, a form that cannot hold the requested tables.
    ///
    /// # Errors
    /// If there is no such table, or several where the form holds one.
    pub(super) fn check(&self, plan: &Plan) -> Result<(), Error> {
        let mut programs = vec![standings::STANDINGS];
        programs.extend(plan.luck.then_some(luck::LUCK));
        programs.extend(self.tables.names());
        programs.extend(self.search_stats.then_some(standings::SEARCHES));
        let with_ratings =
            |names: &[&'static str]| if self.ratings { names.to_vec() } else { Vec::new() };
        programs.extend(with_ratings(&relations::TABLES));
        self.one.check(&self.form, &programs, &with_ratings(&relations::FOR_PEOPLE))
    }

    /// Returns the name of a requested option that only tournaments have.
    pub(super) fn of_tournaments(&self) -> Option<&'static str> {
        self.ranking().or((!self.one.is_open()).then_some("--table"))
    }

    /// Returns the first option that requests rankings or totals of agents, if any.
    pub(super) fn ranking(&self) -> Option<&'static str> {
        let given = [
            (self.search_stats, "--search-stats"),
            (self.ratings, "--ratings"),
            (self.tables.outcomes, "--outcomes"),
            (self.tables.by_seat, "--by-seat"),
            (self.tables.head_to_head, "--head-to-head"),
            (self.together, "--together"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }

    /// Refuses a table that is none of `names`.
    ///
    /// # Errors
    /// If one is asked for.
    pub(super) fn check_one(&self, names: &[&str]) -> Result<(), Error> {
        self.one.check(&self.form, names, &[])
    }

    /// Returns the page that `build` makes, in the requested form.
    pub(super) fn write(&self, look: TerminalStyle, build: &dyn Fn(usize) -> Page) -> String {
        self.form.write(look, Some(&self.one), build)
    }

    /// Returns the text of a finished run.
    pub(super) fn text(
        &self,
        plan: &Plan,
        run_stats: &RunStats,
        seconds: Option<f64>,
        look: TerminalStyle,
    ) -> String {
        let standings = &run_stats.standings;
        let report = if self.ratings { run_stats.report() } else { None };
        if self.form.is_json() {
            let relations = run_stats.relations.as_ref().filter(|_| self.tables.head_to_head);
            let pairs = relations.map(Relations::pairs);
            let specs = relations.map(Relations::specs).unwrap_or_default();
            let more = More {
                ratings: report.map(ratings::entries),
                head_to_head: pairs.map(|pairs| ratings::pairs(specs, &pairs)),
                luck: run_stats
                    .luck
                    .as_ref()
                    .map(|luck| luck.lines().iter().map(LuckRow::of).collect()),
            };
            return summary::tournament(plan, standings, seconds, more);
        }
        let level = if self.together { Level::Together } else { Level::Alone };
        self.form.write(look, Some(&self.one), &|longest| {
            let names = Names::of(plan, longest);
            let mut page = standings::page(plan, standings, &names, level);
            page.tables.extend(
                run_stats.luck.as_ref().map(|run_stats| luck::table(plan, run_stats, &names)),
            );
            page.tables.extend(self.tables.of(run_stats, &names, level));
            page.tables.extend(self.search_stats.then(|| standings::searches(standings, &names)));
            let relations =
                report.iter().flat_map(|report| relations::tables(report, &names, level));
            page.tables.extend(relations);
            if self.form.is_table() {
                // The answer is what a terminal still shows at the end.
                page.tables.rotate_left(1);
            }
            page
        })
    }
}

/// The longest name of an agent in a line of progress.
const LONGEST_WATCHED: usize = 16;

/// Statistics of the run's games.
#[derive(Debug)]
pub(super) struct RunStats {
    pub(super) standings: Standings,
    relations: Option<Relations>,
    luck: Option<Luck>,
    bootstrap: Bootstrap,
    /// Report on the agents, computed at the first request after the last game.
    report: OnceCell<Report>,
    /// Names for the progress line.
    names: Names,
}

impl RunStats {
    fn new(plan: &Plan, with_relations: bool) -> Self {
        let (pool, per_block) = (plan.names(), plan.games_per_block());
        let relations = with_relations.then(|| Relations::new(&pool, plan.players, per_block));
        let standings = Standings::new(&pool, plan.players, per_block);
        let luck = plan.luck.then(|| Luck::new(&pool, plan.players, per_block));
        Self {
            standings,
            relations,
            luck,
            bootstrap: Bootstrap::new(plan.seed),
            report: OnceCell::new(),
            names: Names::of(plan, LONGEST_WATCHED),
        }
    }

    fn record(&mut self, event: &Event<'_>) {
        let _ = self.standings.on(event);
        if let Some(relations) = &mut self.relations {
            let _ = relations.on(event);
        }
        if let Some(luck) = &mut self.luck {
            let _ = luck.on(event);
        }
    }

    /// Returns the report on the agents after the last game; `None` if it was not requested at the beginning.
    fn report(&self) -> Option<&Report> {
        let relations = self.relations.as_ref()?;
        Some(self.report.get_or_init(|| relations.report(self.bootstrap)))
    }

    /// Returns the current ranking, in a line of `width` characters.
    fn ranking(&self, width: usize) -> String {
        standings::leaders(&self.standings, &self.names, width)
    }
}

/// File built from all games, which takes its place when the run is complete.
struct Export {
    exporter: Box<dyn Exporter>,
    is_rated: bool,
    file: Aside,
    /// Name in error messages.
    name: String,
}

/// All receivers of a game.
pub(super) struct Sink {
    pub(super) run_stats: RunStats,
    pub(super) progress: Progress,
    pub(super) results: Option<Results>,
    pub(super) records: Option<Opened>,
    exports: Vec<Export>,
    failure: Option<Error>,
    /// Forfeit that ends the run, if the options request this.
    pub(super) fault: Fault,
    games_per_block: u64,
}

impl Sink {
    /// Returns a sink for `printing` and the files of `formats`; `quiet` shows no progress.
    pub(super) fn new(plan: &Plan, printing: &Printing, formats: &[&Format], quiet: bool) -> Self {
        let is_rated = printing.ratings || formats.iter().any(|format| format.is_rated);
        Self {
            run_stats: RunStats::new(plan, is_rated || printing.tables.head_to_head),
            progress: Progress::new(quiet),
            results: None,
            records: None,
            exports: Vec::new(),
            failure: None,
            fault: Fault::default(),
            games_per_block: plan.games_per_block(),
        }
    }

    /// Opens the files of `formats` in the directory of results.
    ///
    /// # Errors
    /// If one cannot be made.
    pub(super) fn open_exports(
        &mut self,
        opening: &Opening<'_>,
        formats: &[&'static Format],
    ) -> Result<(), Error> {
        for format in formats {
            let (mut exporter, place) = opening.exporter(format)?;
            let name = place.display().to_string();
            let mut file = Aside::create(&place).map_err(Error::opening(name.as_str()))?;
            exporter.begin(&mut file).map_err(Error::output(name.as_str()))?;
            self.exports.push(Export { exporter, is_rated: format.is_rated, file, name });
        }
        Ok(())
    }

    /// Records a game that is already in the results.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn record(&mut self, game: &GameResult) -> Result<(), Error> {
        self.run_stats.record(&Event::GameOver(game));
        self.exports.iter_mut().try_for_each(|Export { exporter, file, name, .. }| {
            exporter.game(game, file).map_err(Error::output(name.as_str()))
        })
    }

    /// Records the games with which the results begin.
    ///
    /// # Errors
    /// If they cannot be read, or not be written elsewhere.
    pub(super) fn retell(&mut self) -> Result<(), Error> {
        let Some(results) = self.results.take() else { return Ok(()) };
        let replayed = results.retell(&mut |game| self.record(game));
        self.progress.skip(results.kept());
        self.results = Some(results);
        replayed
    }

    fn take_down(&mut self, game: &GameResult) -> Result<(), Error> {
        self.record(game)?;
        if let (Some(records), Some(record)) = (&mut self.records, &game.record) {
            records.write(record.text().unwrap_or_default().as_bytes())?;
        }
        match &mut self.results {
            Some(results) => results.write(game),
            None => Ok(()),
        }
    }

    /// Writes the rest and puts files in their places; `is_complete` unless the run was stopped early.
    ///
    /// # Errors
    /// If something cannot be written, now or while playing.
    pub(super) fn close(&mut self, is_complete: bool) -> Result<(), Error> {
        // Rows come first: all other files can be derived from them.
        let saved = self.results.as_mut().map_or(Ok(()), Results::save);
        self.failure.take().map_or(Ok(()), Err)?;
        saved?;
        self.records.take().map_or(Ok(()), Opened::finish)?;
        let standings = &self.run_stats.standings;
        for Export { mut exporter, is_rated, mut file, name } in
            self.exports.drain(..).filter(|_| is_complete)
        {
            let report = if is_rated { self.run_stats.report() } else { None };
            let ended =
                exporter.end(&End { standings, report }, &mut file).and_then(|()| file.finish());
            ended.map_err(Error::output(name))?;
        }
        self.results.as_mut().map_or(Ok(()), |results| results.sum_up(standings))
    }
}

impl Observer for Sink {
    fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::GameOver(game) = event {
            if let Err(failure) = self.take_down(game) {
                self.failure = Some(failure);
                return ControlFlow::Break(());
            }
            if self.fault.see(game, self.games_per_block).is_break() {
                return ControlFlow::Break(());
            }
        }
        if self.progress.is_due() {
            self.progress.say(&self.run_stats.ranking(self.progress.room()));
        }
        self.progress.on(event)
    }
}
