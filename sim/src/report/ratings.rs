//! How agents stand to each other, as tables for people and as entries of a document for programs.

use serde::Serialize;

use super::table::plain;
use crate::stats::Interval;
use crate::stats::alpha_rank::Sweep;
use crate::stats::cross_table::Pair;
use crate::stats::plackett_luce::Estimate;
use crate::stats::relations::Report;
use crate::units;

/// Below this p-value a cycle counts as shown.
const SHOWN: f64 = 0.05;

/// Most cycles that are printed; all are in the document.
const MOST_CYCLES: usize = 5;

/// Everything as text.
#[must_use]
pub fn text(report: &Report) -> String {
    if report.specs.len() < 2 || report.n_games == 0 {
        return "ratings: one agent alone stands in no relation\n".to_owned();
    }
    [ratings(report), seats(report), cross_table(report), cycles(report), equilibria(report)]
        .concat()
}

fn ratings(report: &Report) -> String {
    let row = |&i: &usize| {
        let belief = report.ladder[i];
        vec![
            report.specs[i].clone(),
            units::count(report.games[i]),
            estimate(report.ratings.agents[i]),
            format!("{} ± {}", units::mean(belief.mu), units::mean(belief.sigma)),
        ]
    };
    let rows = report.order.iter().map(row).collect();
    let mut text = plain(&["agent", "games", "rating [95 %]", "Weng-Lin"], 1, rows);
    for pair in report.order.windows(2) {
        let interval = report.ratings.difference(pair[0], pair[1]);
        let is_open = |interval: Interval| interval.low <= 0.0;
        if interval.map_or(report.ratings.is_linked, is_open) {
            text += &format!(
                "not decided: {} before {} ({})\n",
                report.specs[pair[0]],
                report.specs[pair[1]],
                if interval.is_some() {
                    "the interval of the difference includes 0"
                } else {
                    "there is no interval"
                }
            );
        }
    }
    if !report.ratings.is_linked {
        text += "no interval: who (or whose seat) never finished before, or behind, any of the others; the \
                 distance is what half a defeat would give, and 0 is the mean of the rest\n";
    }
    if let Some(duel) = &report.elo {
        text += &format!(
            "{} against {}: {} Elo {} by how often it finishes before, both seats together\n",
            report.specs[0],
            report.specs[1],
            units::elo(duel.elo),
            elo_interval(duel.interval),
        );
        if report.ratings.seats.is_some() {
            text += "ratings compare agents in the same seat; over both seats together the difference is nearer to \
                     0, the more so the more a seat is worth\n";
        }
    }
    text + &format!(
        "ratings: Plackett-Luce on the Elo scale, 0 the mean of the pool; intervals by bootstrap of {} of {}\n",
        units::counted(report.groups as u64, "group"),
        units::counted(report.blocks, "block"),
    )
}

fn seats(report: &Report) -> String {
    let Some(seats) = &report.ratings.seats else {
        return "seats: not told from agents, since agents do not change seats\n".to_owned();
    };
    let seat = |(place, &seat): (usize, &Estimate)| {
        format!("{} {}", units::ordinal(place + 1), estimate(seat))
    };
    let list: Vec<String> = seats.iter().enumerate().map(seat).collect();
    format!("seats, Elo: {}\n", list.join(", "))
}

fn cross_table(report: &Report) -> String {
    let numbers: Vec<String> = (1..=report.order.len()).map(|place| place.to_string()).collect();
    let header = |name| -> Vec<&str> {
        std::iter::once(name).chain(numbers.iter().map(String::as_str)).collect()
    };
    let rows = |cell: fn(&Pair) -> String| {
        let row = |(place, &a): (usize, &usize)| {
            let cells = report.order.iter().map(|&b| match pair(report, a, b) {
                Some(pair) => cell(&pair),
                None => "-".to_owned(),
            });
            let name = format!("{} {}", place + 1, report.specs[a]);
            std::iter::once(name).chain(cells).collect::<Vec<_>>()
        };
        report.order.iter().enumerate().map(row).collect::<Vec<_>>()
    };
    let shares =
        rows(|pair| format!("{} {}", units::share(pair.share), share_interval(pair.interval)));
    let superior = rows(|pair| confidence(pair.superiority));
    String::from("\n")
        + &plain(&header("finishes before"), 1, shares)
        + "share of games in which the row finishes before the column, ties half; 95 % intervals by block\n\n"
        + &plain(&header("superiority"), 1, superior)
        + "confidence that this share lies above one half, each pair by itself\n"
}

/// The pair of `a` and `b`, seen from `a`; `None` if they never met.
fn pair(report: &Report, a: usize, b: usize) -> Option<Pair> {
    let found = report
        .pairs
        .iter()
        .find(|pair| (pair.a.min(pair.b), pair.a.max(pair.b)) == (a.min(b), a.max(b)))?;
    Some(if found.a == a { *found } else { found.turned() })
}

fn cycles(report: &Report) -> String {
    let mut text = String::from("\n");
    match report.intransitivity {
        None => text += "cycles: too few pairs with an open outcome to tell\n",
        Some(found) => {
            let interval =
                found.interval.map_or_else(|| "(no interval)".to_owned(), share_interval);
            let verdict = match found.p {
                None => "no interval, so not decided".to_owned(),
                Some(p) if p < SHOWN => format!("more than noise, p = {p:.4}"),
                Some(p) => format!("no more than noise makes, p = {p:.4}"),
            };
            text += &format!(
                "cycles: {} {interval} of the variance of {} is outside any rating; {verdict}\n",
                units::share(found.share),
                units::counted(found.pairs as u64, "pair"),
            );
        }
    }
    for cycle in report.cycles.iter().take(MOST_CYCLES) {
        let [a, b, c] = cycle.agents.map(|i| report.specs[i].as_str());
        let [ab, bc, ca] = cycle.shares.map(units::share);
        let verdict = if cycle.p < SHOWN { "shown" } else { "not decided" };
        text += &format!(
            "{verdict}: {a} before {b} ({ab}) before {c} ({bc}) before {a} ({ca}), p = {:.4}\n",
            cycle.p
        );
    }
    text
}

fn equilibria(report: &Report) -> String {
    let Some(nash) = &report.nash else { return String::new() };
    let sweeps = [("pairs", &report.alpha_rank), ("table", &report.alpha_rank_profiles)];
    let sweeps: Vec<(&str, &Sweep)> =
        sweeps.into_iter().filter_map(|(name, sweep)| Some((name, sweep.as_ref()?))).collect();
    let mut header: Vec<String> = ["agent", "Nash mix", "Nash average"].map(str::to_owned).to_vec();
    for (name, sweep) in &sweeps {
        header.extend(sweep.iter().map(|(alpha, _)| format!("{name} {alpha}")));
    }
    let row = |&i: &usize| {
        let range = nash.ranges[i].map_or_else(String::new, share_interval);
        let mut row = vec![
            report.specs[i].clone(),
            units::share(nash.mix[i]),
            format!("{} {range}", units::share(nash.averages[i])).trim_end().to_owned(),
        ];
        let masses = sweeps.iter().flat_map(|(_, sweep)| sweep.iter());
        row.extend(masses.map(|(_, masses)| units::share(masses[i])));
        row
    };
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = report.order.iter().map(row).collect();
    String::from("\n")
        + &plain(&header, 1, rows)
        + "Nash average: share against the hardest mix, and 95 % of it on resamples; then masses of alpha-rank at \
           four intensities of selection\n"
        + if report.alpha_rank.as_ref().is_some_and(changes_first) {
            "alpha-rank is not decided: who comes first depends on the intensity\n"
        } else {
            ""
        }
}

/// Whether not the same agent has the largest mass everywhere.
fn changes_first(sweep: &Sweep) -> bool {
    let first = |masses: &[f64]| (0..masses.len()).max_by(|&a, &b| masses[a].total_cmp(&masses[b]));
    sweep.windows(2).any(|two| first(&two[0].1) != first(&two[1].1))
}

/// A confidence is never certain.
fn confidence(x: f64) -> String {
    match x {
        x if x < 0.0005 => "< 0.1 %".to_owned(),
        x if x > 0.9995 => "> 99.9 %".to_owned(),
        x => format!("{} %", units::fixed(100.0 * x, 1)),
    }
}

fn estimate(estimate: Estimate) -> String {
    let interval = estimate.interval.map_or_else(|| "(no interval)".to_owned(), elo_interval);
    format!("{} {interval}", units::elo(estimate.elo))
}

fn elo_interval(Interval { low, high }: Interval) -> String {
    format!("[{}, {}]", units::elo(low), units::elo(high))
}

fn share_interval(Interval { low, high }: Interval) -> String {
    format!("[{}, {}]", units::share(low), units::share(high))
}

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
