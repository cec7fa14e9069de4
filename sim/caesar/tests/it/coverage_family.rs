//! The error rate of whole tables of simultaneous intervals, measured on tournaments of equal agents. At most 5 of 100
//! tables may have an error, and not much fewer, since wider intervals than needed would find less.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use engine::{Purpose, Randomness, rng};
use sim::config::{Plan, TournamentConfig};
use sim::event::{Event, Observer};
use sim::stats::plackett_luce::Ratings;
use sim::stats::{Bootstrap, Interval, Outcome, Outcomes, Relations, Standings};
use sim::tournament::{Options, play};

use crate::shared::measured;

/// The number of tournaments with real games: 5 % is known to 0.8 points.
const TOURNAMENTS: u64 = 400;
const AGENTS: [&str; 4] = ["a", "b", "c", "d"];
const BLOCKS: u64 = 50;

/// The results of one tournament.
struct TournamentStats {
    standings: Standings,
    relations: Relations,
}

impl Observer for TournamentStats {
    fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        let _ = self.standings.on(event);
        self.relations.on(event)
    }
}

/// Returns a tournament of four equal agents with different names, with real games.
fn tournament(seed: u64) -> TournamentStats {
    let config = TournamentConfig {
        game: Some("pig".to_owned()),
        players: Some(AGENTS.len()),
        agents: Some(AGENTS.map(|name| format!("{name}=random")).into()),
        blocks: Some(BLOCKS),
        seed: Some(seed),
        set: vec!["target=30".to_owned()],
        ..TournamentConfig::default()
    };
    let plan = Plan::new(config, &|_| unreachable!("no file is named")).unwrap();
    let (names, per_block) = (plan.names(), plan.games_per_block());
    let mut stats = TournamentStats {
        standings: Standings::new(&names, plan.players, per_block),
        relations: Relations::new(&names, plan.players, per_block),
    };
    let options = Options { threads: 1, records: false, extras: false };
    play(&plan, options, &mut stats, &AtomicBool::new(false)).unwrap();
    stats
}

/// The intervals of one table, individual and simultaneous, with the truth.
type Table = Vec<(Interval, Interval, f64)>;

/// Returns the fractions of tables with a miss, for individual and simultaneous intervals, and the ratio of their
/// widths.
fn missed(tables: &[Table]) -> (f64, f64, f64) {
    let part = |is_wrong: &dyn Fn(&(Interval, Interval, f64)) -> bool| {
        let wrong = tables.iter().filter(|table| table.iter().any(is_wrong)).count();
        wrong as f64 / tables.len() as f64
    };
    let width = |interval: &Interval| interval.high - interval.low;
    let all = || tables.iter().flatten();
    let wider = all().map(|(_, together, _)| width(together)).sum::<f64>()
        / all().map(|(alone, ..)| width(alone)).sum::<f64>();
    (
        part(&|(alone, _, truth)| !alone.contains(*truth)),
        part(&|(_, together, truth)| !together.contains(*truth)),
        wider,
    )
}

/// Returns the row of the table of intervals, and the test.
fn row_of(what: &str) -> (&'static str, &'static str) {
    let test = "of_equal_agents_no_more_than_5_of_100_tables_say_anything_false";
    match what {
        "shares" => ("tournament --together: share", test),
        "pairs" => ("tournament --together: head-to-head", test),
        "seats" => ("tournament --together: by-seat, outcomes", test),
        _ => ("tournament --ratings --together: rating", "ratings_of_equal_agents_hold_together"),
    }
}

/// Demands an error in at most 5 of 100 tables, plus three standard errors, in at least `least`, and a limited width.
fn demand(what: &str, tables: &[Table], least: f64, most_wider: f64) {
    let (alone, together, wider) = missed(tables);
    println!(
        "{what}: missed by themselves {alone:.3}, together {together:.3}, {wider:.2} times as wide"
    );
    let n = tables.len() as u64;
    let held = n - (together * n as f64).round() as u64;
    let (row, test) = row_of(what);
    measured(row, &format!("A/A: {what} of four equal agents, all of a table"), [held, n], test);
    let most = 0.05 + 3.0 * (0.05 * 0.95 / tables.len() as f64).sqrt();
    assert!((least..=most).contains(&together), "{what}: {together}");
    assert!(alone > 1.5 * most, "{what}: by themselves {alone}");
    assert!(wider < most_wider, "{what}: {wider} times as wide");
}

#[test]
fn of_equal_agents_no_more_than_5_of_100_tables_say_anything_false() {
    let stats: Vec<TournamentStats> = (0..TOURNAMENTS).map(tournament).collect();
    let shares = |stats: &TournamentStats| -> Table {
        let lines = stats.standings.table().into_iter();
        lines.map(|line| (line.interval, line.together, 0.25)).collect()
    };
    demand("shares", &stats.iter().map(shares).collect::<Vec<_>>(), 0.02, 1.32);
    let pairs = |stats: &TournamentStats| -> Table {
        let pairs = stats.relations.pairs().into_iter();
        pairs.map(|pair| (pair.interval, pair.together, 0.5)).collect()
    };
    demand("pairs", &stats.iter().map(pairs).collect::<Vec<_>>(), 0.02, 1.40);
    // The starting seat has an advantage, equal for all: the mean over all tournaments is the truth of a seat.
    let record = |stats: &TournamentStats, name| stats.standings.record(name).unwrap();
    let mut truth = [0.0; AGENTS.len()];
    for stats in &stats {
        for name in AGENTS {
            for (sum, seat) in truth.iter_mut().zip(record(stats, name).seats) {
                *sum += seat.unwrap().mean / (TOURNAMENTS * AGENTS.len() as u64) as f64;
            }
        }
    }
    let seats = |stats: &TournamentStats| -> Table {
        let seats = AGENTS.into_iter().flat_map(|name| record(stats, name).seats);
        let rates = seats.map(Option::unwrap).zip(truth.into_iter().cycle());
        rates.map(|(rate, truth)| (rate.interval, rate.together, truth)).collect()
    };
    demand("seats", &stats.iter().map(seats).collect::<Vec<_>>(), 0.01, 1.70);
    // Claims about neighbours in any ranking.
    let any = |stats: &&TournamentStats, is_claim: &dyn Fn(&sim::stats::Standing) -> bool| {
        stats.standings.table().iter().any(is_claim)
    };
    let holm = stats.iter().filter(|stats| any(stats, &|l| l.next_p().is_some_and(|p| p < 0.05)));
    let pairs = stats.iter().filter(|stats| {
        stats.relations.pairs().iter().any(|pair| pair.adjusted_p.is_some_and(|p| p < 0.05))
    });
    let (holm, pairs) = (holm.count(), pairs.count());
    println!("neighbours falsely decided in {holm}, pairs in {pairs} of {TOURNAMENTS}");
    assert!(holm <= 52 && (7..=52).contains(&pairs), "{holm}, {pairs}");
    // An interval that excludes a number belongs to a p-value of Holm's below 0.05.
    for pair in stats.iter().flat_map(|stats| stats.relations.pairs()) {
        let is_out = !pair.together.contains(0.5);
        assert!(!is_out || pair.adjusted_p.is_some_and(|p| p < 0.05), "{pair:?}");
    }
}

#[test]
fn ratings_of_equal_agents_hold_together() {
    const TABLES: u64 = 300;
    let mut rng = rng::stream(21, 0, Purpose::Analysis);
    let mut tables = Vec::new();
    for seed in 0..TABLES {
        let mut outcomes = Outcomes::default();
        for block in 0..BLOCKS {
            for turn in 0..AGENTS.len() {
                let seated: Vec<usize> =
                    (0..AGENTS.len()).map(|seat| (seat + turn) % AGENTS.len()).collect();
                let ranks: Vec<f64> = seated.iter().map(|_| rng.unit()).collect();
                outcomes.add(block, Outcome::new(&seated, &ranks));
            }
        }
        let ratings = Ratings::new(&outcomes, AGENTS.len(), Bootstrap { seed, resamples: 400 });
        let both = ratings
            .agents
            .iter()
            .map(|stats| (stats.interval.unwrap(), stats.together.unwrap(), 0.0));
        tables.push(both.collect::<Table>());
    }
    demand("ratings", &tables, 0.01, 1.45);
}

/// A true difference is still found if all pairs are tested at once.
#[test]
fn a_planted_difference_is_found_among_all_pairs() {
    let mut found = 0;
    for seed in 0..60 {
        let config = TournamentConfig {
            game: Some("pig".to_owned()),
            players: Some(3),
            agents: Some(["a=random", "b=random", "worse=greedy"].map(str::to_owned).into()),
            blocks: Some(60),
            seed: Some(seed),
            ..TournamentConfig::default()
        };
        let plan = Plan::new(config, &|_| unreachable!("no file is named")).unwrap();
        let mut standings = Standings::new(&plan.names(), plan.players, plan.games_per_block());
        let options = Options { threads: 1, records: false, extras: false };
        play(&plan, options, &mut standings, &AtomicBool::new(false)).unwrap();
        let lines = standings.table();
        assert!(lines[2].next_p().is_none(), "nobody is behind the last");
        found += u32::from(lines[2].name == "worse" && lines[1].next_p().unwrap() < 0.05);
    }
    measured(
        "tournament: next",
        "planted: a worse one of three found by 60 blocks of pig",
        [u64::from(found), 60],
        "a_planted_difference_is_found_among_all_pairs",
    );
    assert!(found >= 57, "{found} of 60");
}
