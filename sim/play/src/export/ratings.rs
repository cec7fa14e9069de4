//! `ratings.json` and `ratings.csv`: the comparison of the agents, as entries of a document and as a table.

use std::io::{self, Write};

use engine::rules::Change;
use serde::Serialize;

use super::{End, Exporter, Format, Resume};
use crate::config::Plan;
use crate::document::document;
use crate::stats::Interval;
use crate::stats::cross_table::Pair;
use crate::stats::relations::Report;

/// The format `ratings.json`: all results, as entries.
pub const JSON: Format = Format {
    file: "ratings.json",
    option: Some("ratings"),
    resume: Resume::WhenComplete,
    is_rated: true,
    exporter: |run| Ok(Box::new(Entries(run.plan.clone()))),
};

/// The format `ratings.csv`: the ratings, a row for each agent.
pub const CSV: Format = Format {
    file: "ratings.csv",
    option: Some("ratings-csv"),
    resume: Resume::WhenComplete,
    is_rated: true,
    exporter: |run| Ok(Box::new(Rows(run.plan.clone()))),
};

#[derive(Serialize)]
struct Ratings<'a> {
    game: &'a str,
    players: usize,
    blocks: u64,
    games: u64,
    seed: u64,
    ratings: Vec<Finding<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    changed_rules: &'a [Change],
}

/// The writer of the document.
struct Entries(Plan);

impl Exporter for Entries {
    fn end(&mut self, end: &End<'_>, out: &mut dyn Write) -> io::Result<()> {
        let (plan, report) = (&self.0, rated(end)?);
        let text = document(&Ratings {
            game: &plan.setup.game,
            players: plan.players,
            blocks: report.blocks,
            games: report.n_games,
            seed: plan.seed,
            ratings: lines(report),
            changed_rules: &plan.changes,
        });
        out.write_all(text.as_bytes())
    }
}

/// Returns the report that the file holds.
fn rated<'a>(end: &End<'a>) -> io::Result<&'a Report> {
    end.report.ok_or_else(|| io::Error::other("nobody has compared the agents"))
}

/// A row of the table; its columns have the names in the tables of `--ratings`.
#[derive(Serialize)]
struct Row<'a> {
    agent: &'a str,
    spec: String,
    games: u64,
    elo: String,
    elo_low: String,
    elo_high: String,
    mu: String,
    sigma: String,
    soft_condorcet: String,
    soft_condorcet_low: String,
    soft_condorcet_high: String,
    kemeny: Option<usize>,
}

/// The writer of the table, the best rating first.
struct Rows(Plan);

impl Exporter for Rows {
    fn end(&mut self, end: &End<'_>, out: &mut dyn Write) -> io::Result<()> {
        let report = rated(end)?;
        let mut writer = csv::Writer::from_writer(out);
        for &i in &report.order {
            writer.serialize(row(&self.0, report, i)).map_err(io::Error::other)?;
        }
        writer.flush()
    }
}

fn row<'a>(plan: &Plan, report: &'a Report, i: usize) -> Row<'a> {
    let agent = report.specs[i].as_str();
    let spec = plan.lineup.iter().find(|spec| spec.name() == agent);
    let estimate = report.ratings.agents[i];
    let (elo_low, elo_high) = ends(estimate.interval);
    // As in the tables of `--format csv`: all digits, and never a negative zero.
    let some = |x: f64| (x + 0.0).to_string();
    let number = |x: Option<f64>| x.map_or_else(String::new, some);
    let soft = report.soft_condorcet.as_ref();
    let rating = soft.map(|soft| soft.agents[i]);
    let (low, high) = ends(rating.and_then(|rating| rating.interval));
    Row {
        agent,
        spec: spec.map_or_else(|| agent.to_owned(), ToString::to_string),
        games: report.games[i],
        elo: some(estimate.elo),
        elo_low: number(elo_low),
        elo_high: number(elo_high),
        mu: some(report.ladder[i].mu),
        sigma: some(report.ladder[i].sigma),
        soft_condorcet: number(rating.map(|rating| rating.rating)),
        soft_condorcet_low: number(low),
        soft_condorcet_high: number(high),
        kemeny: soft.map(|soft| soft.kemeny.place(i)),
    }
}

/// An entry of a document: an object whose `kind` names its content.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Entry<'a>(Finding<'a>);

/// The content of an entry, by `kind`.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Finding<'a> {
    Ratings {
        games: u64,
        blocks: u64,
        groups: usize,
        linked: bool,
    },
    Rating {
        agent: &'a str,
        games: u64,
        elo: f64,
        low: Option<f64>,
        high: Option<f64>,
        mu: f64,
        sigma: f64,
        low_together: Option<f64>,
        high_together: Option<f64>,
    },
    Seat {
        seat: usize,
        elo: f64,
        low: Option<f64>,
        high: Option<f64>,
        low_together: Option<f64>,
        high_together: Option<f64>,
    },
    SoftCondorcet {
        agent: &'a str,
        rating: f64,
        low: Option<f64>,
        high: Option<f64>,
        kemeny: usize,
    },
    Kemeny {
        agents: Vec<&'a str>,
        against: f64,
        exact: bool,
    },
    Duel {
        agent: &'a str,
        other: &'a str,
        elo: f64,
        low: f64,
        high: f64,
    },
    Pair(PairFinding<'a>),
    Intransitivity {
        pairs: usize,
        seen: f64,
        noise: f64,
        share: f64,
        low: Option<f64>,
        high: Option<f64>,
        p: Option<f64>,
    },
    Cycle {
        agents: [&'a str; 3],
        shares: [f64; 3],
        p: f64,
    },
    Nash {
        agent: &'a str,
        mix: f64,
        average: f64,
        low: Option<f64>,
        high: Option<f64>,
    },
    AlphaRank {
        on: &'a str,
        alpha: f64,
        masses: &'a [f64],
        agents: Vec<&'a str>,
    },
}

#[derive(Debug, Serialize)]
struct PairFinding<'a> {
    agent: &'a str,
    other: &'a str,
    blocks: u64,
    meetings: u64,
    before: u64,
    level: u64,
    behind: u64,
    share: f64,
    low: f64,
    high: f64,
    superiority: Option<f64>,
    adjusted_p: Option<f64>,
    interval: &'static str,
    low_together: f64,
    high_together: f64,
}

/// Returns all results as entries of a document, each an object with its `kind`.
///
/// The kinds are `ratings`, `rating`, `seat`, `soft-condorcet`, `kemeny`, `duel`, `pair`, `intransitivity`, `cycle`,
/// `nash`, `alpha-rank`. Numbers that do not exist are `null`.
#[must_use]
pub fn entries(report: &Report) -> Vec<Entry<'_>> {
    lines(report).into_iter().map(Entry).collect()
}

fn lines(report: &Report) -> Vec<Finding<'_>> {
    let name = |i: usize| report.specs[i].as_str();
    let mut lines = vec![Finding::Ratings {
        games: report.n_games,
        blocks: report.blocks,
        groups: report.groups,
        linked: report.ratings.is_linked,
    }];
    lines.extend(report.order.iter().map(|&i| rating_line(report, i)));
    let seats = report.ratings.seats.iter().flatten().enumerate();
    lines.extend(seats.map(|(seat, estimate)| {
        let (low, high) = ends(estimate.interval);
        let (low_together, high_together) = ends(estimate.together);
        Finding::Seat { seat, elo: estimate.elo, low, high, low_together, high_together }
    }));
    lines.extend(order_lines(report));
    lines.extend(report.elo.map(|duel| {
        let Interval { low, high } = duel.interval;
        Finding::Duel { agent: name(0), other: name(1), elo: duel.elo, low, high }
    }));
    lines.extend(report.pairs.iter().map(|pair| pair_line(&report.specs, pair)));
    lines.extend(report.intransitivity.map(|found| {
        let (low, high) = ends(found.interval);
        Finding::Intransitivity {
            pairs: found.pairs,
            seen: found.seen,
            noise: found.noise,
            share: found.share,
            low,
            high,
            p: found.p,
        }
    }));
    lines.extend(report.cycles.iter().map(|cycle| Finding::Cycle {
        agents: cycle.agents.map(name),
        shares: cycle.shares,
        p: cycle.p,
    }));
    lines.extend(equilibrium_lines(report));
    lines
}

fn rating_line(report: &Report, i: usize) -> Finding<'_> {
    let estimate = report.ratings.agents[i];
    let (low, high) = ends(estimate.interval);
    let (low_together, high_together) = ends(estimate.together);
    Finding::Rating {
        agent: &report.specs[i],
        games: report.games[i],
        elo: estimate.elo,
        low,
        high,
        mu: report.ladder[i].mu,
        sigma: report.ladder[i].sigma,
        low_together,
        high_together,
    }
}

/// Returns the soft Condorcet ratings, and Kemeny's order.
fn order_lines(report: &Report) -> Vec<Finding<'_>> {
    let Some(soft) = &report.soft_condorcet else { return Vec::new() };
    let name = |&i: &usize| report.specs[i].as_str();
    let rating = |i: &usize| {
        let (low, high) = ends(soft.agents[*i].interval);
        let (rating, kemeny) = (soft.agents[*i].rating, soft.kemeny.place(*i));
        Finding::SoftCondorcet { agent: name(i), rating, low, high, kemeny }
    };
    let mut lines: Vec<Finding<'_>> = soft.order.iter().map(rating).collect();
    lines.push(Finding::Kemeny {
        agents: soft.kemeny.order.iter().map(name).collect(),
        against: soft.kemeny.against,
        exact: soft.kemeny.is_exact,
    });
    lines
}

/// Returns pairs of the agents `specs` as entries of the kind `pair`.
#[must_use]
pub fn pairs<'a>(specs: &'a [String], pairs: &[Pair]) -> Vec<Entry<'a>> {
    pairs.iter().map(|pair| Entry(pair_line(specs, pair))).collect()
}

fn pair_line<'a>(specs: &'a [String], pair: &Pair) -> Finding<'a> {
    Finding::Pair(PairFinding {
        agent: &specs[pair.a],
        other: &specs[pair.b],
        blocks: pair.blocks,
        meetings: pair.meetings,
        before: pair.before,
        level: pair.level,
        behind: pair.behind(),
        share: pair.share,
        low: pair.interval.low,
        high: pair.interval.high,
        superiority: pair.superiority,
        adjusted_p: pair.adjusted_p,
        interval: pair.method.name(),
        low_together: pair.together.low,
        high_together: pair.together.high,
    })
}

fn equilibrium_lines(report: &Report) -> Vec<Finding<'_>> {
    let mut lines = Vec::new();
    if let Some(nash) = &report.nash {
        lines.extend(report.order.iter().map(|&i| {
            let (low, high) = ends(nash.ranges[i]);
            let agent = &report.specs[i];
            Finding::Nash { agent, mix: nash.mix[i], average: nash.averages[i], low, high }
        }));
    }
    for (on, sweep) in [("pairs", &report.alpha_rank), ("table", &report.alpha_rank_profiles)] {
        lines.extend(sweep.iter().flatten().map(|(alpha, masses)| Finding::AlphaRank {
            on,
            alpha: *alpha,
            masses,
            agents: report.specs.iter().map(String::as_str).collect(),
        }));
    }
    lines
}

fn ends(interval: Option<Interval>) -> (Option<f64>, Option<f64>) {
    (interval.map(|interval| interval.low), interval.map(|interval| interval.high))
}
