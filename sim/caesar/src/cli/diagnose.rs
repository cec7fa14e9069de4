//! `caesar diagnose`: measures the efficiency of a search at several budgets.

use std::collections::BTreeMap;
use std::sync::Arc;

use agents::AgentSpec;
use clap::{Args, ValueEnum};
use engine::rules::Change;
use serde_json::{Value as Json, json};

use super::live::Live;
use super::output::{Form, OneTable};
use super::running::{Threads, stop_on_signal, threads, unless_stopped};
use super::{Ending, files, look, note, print, setup};
use crate::report::table::{Cell, Column, Content, Note, Page, Readers, Scale, Table};
use crate::report::{self, rules};
use lab::diagnose::estimate::Estimate;
use lab::diagnose::judge::BURIED;
use lab::diagnose::leaves::{self, Within};
use lab::diagnose::positions::{Decisions, Wanted};
use lab::diagnose::study::{Arm, Found, Outcome, Request, Single, run as diagnose};
use sim::changes::with_changes;
use sim::config::numbers::{ranged, whole};
use sim::config::{DEFAULT_SEED, Played, RuleSet, supply_files};
use sim::document::document;
use sim::error::Error;
use sim::units;

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
Each position comes from another game of --by. Two searches by --judge visit every option of a position equally \
often. The first names the best option, and the second estimates the value of that option and of the chosen one. \
Their difference is the loss of the choice, in points of utility (win probability) of the player who moves. All \
agents meet the same positions and the same judge, so the losses of one table are comparable.
With --searches each budget searches each position several times and visits the two best options in turn. The \
spread is the standard deviation of the value of the first.";

/// The names of the tables.
const TABLES: [&str; 4] = ["losses", "departures", "uncovered", "leaves"];
/// Parameter that sets the budget.
const BUDGET: &str = "iterations";
/// Digits of losses and spreads.
const DIGITS: usize = 4;

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    played: Played,
    /// Search to diagnose, without its iterations; all are compared with the first (repeatable)
    #[arg(long, value_name = "SPEC", default_value = "mcts")]
    agent: Vec<String>,
    /// Iterations of each search, in rising order, comma-separated
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "250,1000,4000", value_parser = ranged::<u32>(1, 100_000_000))]
    budgets: Vec<u32>,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = ranged::<usize>(1, 100_000))]
    positions: usize,
    /// Search that judges the options
    #[arg(long, value_name = "SPEC", default_value = "mcts(iterations=16000)")]
    judge: String,
    /// Repeated searches of each position, to estimate the spread: 0 (none) or at least 2
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = ranged::<u32>(0, 1_000))]
    searches: u32,
    /// Leaves of each option that --by plays to the end of the game: 0 (none) or at least 2
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = ranged::<u32>(0, 10_000))]
    leaves: u32,
    /// Agent that plays the games from which positions are drawn
    #[arg(long, value_name = "SPEC", default_value = "greedy(epsilon=0.1)")]
    by: String,
    /// Decisions to diagnose: whole (among whole actions, in games with macro-actions), single (among single
    /// plies), all
    #[arg(long, value_name = "WHICH", default_value = "whole", hide_possible_values = true)]
    decisions: Which,
    /// Seed of games and searches
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = whole)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    rules: RuleSet,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
    /// Suppress progress
    #[arg(long)]
    quiet: bool,
}

/// Kind of decisions that the diagnosis covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Which {
    Whole,
    Single,
    All,
}

impl Which {
    const fn decisions(self) -> Decisions {
        match self {
            Self::Whole => Decisions::Whole,
            Self::Single => Decisions::Single,
            Self::All => Decisions::All,
        }
    }
}

/// Returns the spec with its files.
fn spec(text: &str) -> Result<AgentSpec, Error> {
    let mut spec: AgentSpec = text.parse()?;
    supply_files(&mut spec, &files::text, &mut Vec::new())?;
    Ok(spec)
}

/// Returns the search `text` at each of `budgets`.
fn at_budgets(text: &str, budgets: &[u32]) -> Result<Vec<AgentSpec>, Error> {
    let search: AgentSpec = text.parse()?;
    if !search.is_search() {
        return Err(Error::value("agent", text, "it does not search (mcts does)"));
    }
    if search.settings().get(BUDGET).is_some() {
        return Err(Error::value("agent", text, "leave the iterations out: --budgets sets them"));
    }
    let plain = search.to_string();
    let label = search.label().map_or_else(String::new, |label| format!("{label}="));
    let with = |budget: &u32| match plain.strip_suffix(')') {
        Some(open) => format!("{label}{open}, {BUDGET}={budget})"),
        None => format!("{label}{plain}({BUDGET}={budget})"),
    };
    budgets.iter().map(|budget| spec(&with(budget))).collect()
}

impl Options {
    fn request(&self) -> Result<Request, Error> {
        if let Some(two) = self.budgets.windows(2).find(|two| two[0] >= two[1]) {
            let text: Vec<String> = self.budgets.iter().map(u32::to_string).collect();
            let message = format!("they must rise, but {} follows {}", two[1], two[0]);
            return Err(Error::value("budgets", text.join(","), message));
        }
        if self.searches == 1 {
            return Err(Error::value("searches", "1", "a spread takes at least 2 (0: none)"));
        }
        if self.leaves == 1 {
            return Err(Error::value("leaves", "1", "a slope takes at least 2 (0: none)"));
        }
        Ok(Request {
            leaves: self.leaves,
            arms: self
                .agent
                .iter()
                .map(|text| at_budgets(text, &self.budgets))
                .collect::<Result<_, _>>()?,
            judge: spec(&self.judge)?,
            searches: self.searches,
            wanted: Wanted {
                seed: self.seed,
                positions: self.positions,
                by: spec(&self.by)?,
                decisions: self.decisions.decisions(),
            },
            threads: threads(self.threads),
        })
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    // Without requested leaves there is no table of them.
    let there = if options.leaves > 0 { &TABLES[..] } else { &TABLES[..3] };
    options.one.check(&options.form, there, &[])?;
    let name = options.played.name();
    let setup = setup(name, options.played.players, &options.rules)?;
    let stop = stop_on_signal()?;
    let (request, quiet) = (options.request()?, options.quiet);
    let halt = Arc::clone(&stop);
    let found = unless_stopped(&stop, move || {
        let mut live = Live::new(quiet);
        let of = request.wanted.positions;
        let mut watch = |done: usize| {
            live.look(|| format!("{} of {of} positions", units::count(done as u64)));
        };
        let found = diagnose(&setup, &request, &halt, &mut watch)?;
        live.finish();
        Ok::<_, Error>(found)
    });
    let found = found.transpose()?;
    let Some(Found { players, outcome: Some(outcome), changes }) = found else {
        note("stopped early: no result; the same command starts again");
        return Ok(Ending::Stopped);
    };
    let text = DiagnosisText { options, game: name, players, outcome: &outcome, changes: &changes };
    print(&match options.form.is_json() {
        true => text.json(),
        false => options.form.write(look(), Some(&options.one), &|_| text.page()),
    })?;
    Ok(Ending::Done)
}

/// Printed result.
struct DiagnosisText<'a> {
    options: &'a Options,
    game: &'a str,
    players: usize,
    outcome: &'a Outcome,
    changes: &'a [Change],
}

/// Options of a kind that were preferred to others, with the gain.
type Kinds<'a> = BTreeMap<&'a str, (Vec<f64>, usize)>;

impl DiagnosisText<'_> {
    /// Returns every agent at every budget.
    fn arms(&self) -> impl Iterator<Item = (&str, u32, &Arm)> {
        let agents = self.options.agent.iter().zip(&self.outcome.arms);
        agents.flat_map(|(agent, arms)| {
            let budgets = self.options.budgets.iter().zip(arms);
            budgets.map(|(&budget, arm)| (agent.as_str(), budget, arm))
        })
    }

    /// Returns the departures of an arm by kind, with how many had a buried prior.
    fn kinds(arm: &Arm) -> Kinds<'_> {
        let mut kinds = Kinds::new();
        for departure in &arm.departures {
            let (gains, buried) = kinds.entry(&departure.kind).or_default();
            gains.push(departure.gain);
            *buried += usize::from(departure.is_buried);
        }
        kinds
    }

    /// Groups by kind the decisions in which a single ply is the best option.
    fn single(&self) -> BTreeMap<&str, Vec<&Single>> {
        let mut kinds: BTreeMap<&str, Vec<&Single>> = BTreeMap::new();
        for one in &self.outcome.single {
            kinds.entry(&one.kind).or_default().push(one);
        }
        kinds
    }

    fn gain(&self, singles: &[&Single]) -> Option<Estimate> {
        self.mean(&singles.iter().map(|one| one.gain).collect::<Vec<_>>())
    }

    fn mean(&self, values: &[f64]) -> Option<Estimate> {
        Estimate::mean(values, self.options.seed)
    }

    fn json(&self) -> String {
        let Outcome { positions, judged, options, with_macros, .. } = self.outcome;
        let arm = |(agent, budget, arm): (&str, u32, &Arm)| {
            let departures: Vec<Json> = Self::kinds(arm)
                .into_iter()
                .map(|(kind, (gains, buried))| {
                    json!({"kind": kind, "n": gains.len(), "buried": buried, "gain": Estimate::json(self.mean(&gains))})
                })
                .collect();
            json!({
                "agent": agent,
                "iterations": budget,
                "loss": Estimate::json(arm.loss),
                "against_first": Estimate::json(arm.against_first),
                "since_before": Estimate::json(arm.since_before),
                "spread": Estimate::json(arm.spread),
                "falls_by": Estimate::json(arm.falls_by),
                "departures": departures,
            })
        };
        let single = |(kind, singles): (&str, Vec<&Single>)| {
            let missing: Vec<&&Single> = singles.iter().filter(|one| one.is_missing).collect();
            let plies: Vec<Json> =
                missing.iter().map(|one| json!({"plies": one.plies, "gain": one.gain})).collect();
            json!({
                "kind": kind,
                "n": singles.len(),
                "gain": Estimate::json(self.gain(&singles)),
                "missing": plies,
            })
        };
        let uncovered: Vec<Json> = self.single().into_iter().map(single).collect();
        let leaf = |(agent, section, leaves): (&str, Option<&str>, leaves::LeafCalibration)| {
            json!({
                "agent": agent,
                "section": section,
                "positions": leaves.positions,
                "slope": Estimate::json(leaves.slope),
                "correlation": Estimate::json(leaves.correlation),
                "spread": leaves.spread,
            })
        };
        let json = json!({
            "game": self.game,
            "players": self.players,
            "seed": self.options.seed,
            "by": self.options.by,
            "judge": self.options.judge,
            "positions": positions,
            "judged": judged,
            "options": options,
            "searches": self.options.searches,
            "arms": self.arms().map(arm).collect::<Vec<_>>(),
            "with_macros": with_macros,
            "uncovered": uncovered,
            "leaves": self.leaf_rows().map(leaf).collect::<Vec<_>>(),
        });
        document(&with_changes(json, self.changes))
    }

    fn page(&self) -> Page {
        let mut tables =
            vec![self.losses(), self.departures().detail(), self.single_table().detail()];
        tables.extend((self.options.leaves > 0).then(|| self.leaf_table()));
        Page { tables, footer: rules::note(self.game, self.changes).into_iter().collect() }
    }

    fn losses(&self) -> Table {
        let count = Content::Number(Scale::Count);
        let of = Content::Estimate(Scale::Fixed(DIGITS));
        let change = Content::Estimate(Scale::Signed(DIGITS));
        let has_many = self.options.agent.len() > 1;
        let has_spread = self.options.searches > 0;
        let if_any = |is_there: bool| if is_there { Readers::All } else { Readers::Programs };
        let columns = vec![
            Column::plain("agent", Content::Key),
            Column::plain("iterations", count),
            Column::new("loss", "loss [95 %]", of),
            Column::new("against_first", "against the first", change).only(if_any(has_many)),
            Column::new("since_before", "since the budget before", change),
            Column::new("departures", "left the prior", Content::Number(Scale::SHARE)),
            Column::new("spread", "spread [95 %]", of).only(if_any(has_spread)),
            Column::new("falls_by", "fell by", Content::Estimate(Scale::MEAN))
                .only(if_any(has_spread)),
        ];
        let row = |(agent, budget, arm): (&str, u32, &Arm)| {
            vec![
                Cell::text(agent),
                Cell::Count(budget.into()),
                cell(arm.loss),
                cell(arm.against_first),
                cell(arm.since_before),
                Cell::Number(arm.departures.len() as f64 / arm.chosen.max(1) as f64),
                cell(arm.spread),
                cell(arm.falls_by),
            ]
        };
        let caption = format!("Loss of choices in {}", self.game);
        let Outcome { positions, judged, options, .. } = self.outcome;
        let about = format!(
            "{}, {judged} of them judged, {} options each; {} players, seed {}, judge {}",
            units::counted(*positions as u64, "position"),
            units::fixed(*options, 1),
            self.players,
            self.options.seed,
            self.options.judge,
        );
        Table::new(TABLES[0], caption, columns)
            .with(self.arms().map(row))
            .noted(Note::new(about))
            .noted(Note::new(
                "loss: points of utility of the player who moves, by the equal-visit judge",
            ))
    }

    fn departures(&self) -> Table {
        let count = Content::Number(Scale::Count);
        let columns = vec![
            Column::plain("agent", Content::Key),
            Column::plain("kind", Content::Key),
            Column::plain("iterations", count),
            Column::plain("times", count),
            Column::plain("buried", count),
            Column::new("gain", "gain [95 %]", Content::Estimate(Scale::Signed(DIGITS))),
        ];
        let mut rows = Vec::new();
        for (agent, budget, arm) in self.arms() {
            for (kind, (gains, buried)) in Self::kinds(arm) {
                rows.push(vec![
                    Cell::text(agent),
                    Cell::text(kind),
                    Cell::Count(budget.into()),
                    Cell::Count(gains.len() as u64),
                    Cell::Count(buried as u64),
                    cell(self.mean(&gains)),
                ]);
            }
        }
        let about =
            format!("gain: over the option that the prior prefers; buried: prior below {BURIED}");
        Table::new(TABLES[1], "Departures from the option that the prior prefers", columns)
            .with(rows)
            .noted(Note::new(about))
    }

    /// Returns the leaves by agent: all of them, and those of each section.
    fn leaf_rows(&self) -> impl Iterator<Item = (&str, Option<&str>, leaves::LeafCalibration)> {
        let Outcome { leaves, sections, section_names, .. } = self.outcome;
        let with_leaves = leaves.iter().filter(|all| !all.is_empty());
        self.options.agent.iter().zip(with_leaves).flat_map(move |(agent, all)| {
            let of = move |wanted: Option<usize>| {
                let own = all.iter().zip(sections);
                let own = own.filter(|(_, section)| wanted.is_none_or(|it| it == **section));
                let own: Vec<Within> = own.map(|(one, _)| *one).collect();
                leaves::calibration(&own, self.options.seed)
            };
            let each = section_names.iter().enumerate();
            let each =
                each.map(move |(i, name)| (agent.as_str(), Some(name.as_str()), of(Some(i))));
            std::iter::once((agent.as_str(), None, of(None))).chain(each)
        })
    }

    fn leaf_table(&self) -> Table {
        report::leaves::table(TABLES[3], self.leaf_rows(), self.options.leaves, &self.options.by)
    }

    fn single_table(&self) -> Table {
        let (count, gain) =
            (Content::Number(Scale::Count), Content::Estimate(Scale::Signed(DIGITS)));
        let columns = vec![
            Column::plain("kind", Content::Key),
            Column::plain("times", count),
            Column::new("gain", "gain [95 %]", gain),
            Column::plain("missing", count),
            Column::new("gain_missing", "gain of these", gain),
        ];
        let rows = self.single().into_iter().map(|(kind, singles)| {
            let missing: Vec<&Single> =
                singles.iter().copied().filter(|one| one.is_missing).collect();
            vec![
                Cell::text(kind),
                Cell::Count(singles.len() as u64),
                cell(self.gain(&singles)),
                Cell::Count(missing.len() as u64),
                cell(self.gain(&missing)),
            ]
        });
        let missing = self.outcome.single.iter().filter(|one| one.is_missing).count();
        let share = missing as f64 / self.outcome.with_macros.max(1) as f64;
        let about = format!(
            "of {} with macro-actions; gain: over the best macro-action; missing: no macro-action continues as the \
             judge does, in {} of the positions",
            units::counted(self.outcome.with_macros as u64, "position"),
            units::share(share),
        );
        Table::new(TABLES[2], "Positions in which a single ply is the best option", columns)
            .with(rows)
            .noted(Note::new(about))
    }
}

fn cell(estimate: Option<Estimate>) -> Cell {
    estimate.map_or(Cell::Nothing, |it| Cell::Estimate(it.value, it.interval))
}
