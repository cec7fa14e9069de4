//! How agents stand to each other, as entries of a document for programs.

use serde::Serialize;

use crate::stats::Interval;
use crate::stats::cross_table::Pair;
use crate::stats::relations::Report;

/// One line of the machine-readable form; `kind` says which.
#[derive(Serialize)]
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
    },
    Seat {
        seat: usize,
        elo: f64,
        low: Option<f64>,
        high: Option<f64>,
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

#[derive(Serialize)]
struct PairFinding<'a> {
    agent: &'a str,
    other: &'a str,
    blocks: u64,
    meetings: u64,
    share: f64,
    low: f64,
    high: f64,
    superiority: f64,
    adjusted_p: f64,
    interval: &'static str,
}

/// Everything as entries of a document, each an object with its `kind`: `ratings`, `rating`, `seat`, `duel`, `pair`,
/// `intransitivity`, `cycle`, `nash`, `alpha-rank`. Numbers that do not exist are `null`.
#[must_use]
pub fn lines(report: &Report) -> Vec<impl Serialize + use<'_>> {
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
        Finding::Seat { seat, elo: estimate.elo, low, high }
    }));
    lines.extend(report.elo.map(|duel| {
        let Interval { low, high } = duel.interval;
        Finding::Duel { agent: name(0), other: name(1), elo: duel.elo, low, high }
    }));
    lines.extend(report.pairs.iter().map(|pair| pair_line(report, pair)));
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
    Finding::Rating {
        agent: &report.specs[i],
        games: report.games[i],
        elo: estimate.elo,
        low,
        high,
        mu: report.ladder[i].mu,
        sigma: report.ladder[i].sigma,
    }
}

fn pair_line<'a>(report: &'a Report, pair: &Pair) -> Finding<'a> {
    Finding::Pair(PairFinding {
        agent: &report.specs[pair.a],
        other: &report.specs[pair.b],
        blocks: pair.blocks,
        meetings: pair.meetings,
        share: pair.share,
        low: pair.interval.low,
        high: pair.interval.high,
        superiority: pair.superiority,
        adjusted_p: pair.adjusted_p,
        interval: pair.method.name(),
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
