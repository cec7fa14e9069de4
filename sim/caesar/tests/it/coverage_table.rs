//! The coverage of the 95 % intervals of a whole tournament: shares and differences, for 2 to 6 seats, few and many
//! blocks, equal and unequal agents, several seats of one agent, and pools larger than the table.
//!
//! The default suite has a few hundred tournaments of each setting. `just coverage-table` simulates thousands and
//! prints the table of `docs/validation.md`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::ControlFlow;

use engine::{MAX_PLAYERS, Purpose, Randomness, Stream, rng};
use sim::event::{Event, GameResult, Observer};
use sim::schedule::{Schedule, Timetable};
use sim::stats::Standings;

use crate::shared::measured;

/// The numbers of blocks of a simulated tournament: the columns of the table.
const BLOCKS: [u64; 6] = [5, 10, 25, 90, 200, 1_000];

/// The luck that games of a block share.
#[derive(Clone, Copy, Debug)]
enum Luck {
    /// No shared luck.
    Fresh,
    /// The luck of a seat, in this fraction of its games.
    Seats(f64),
    /// The luck of an agent, in all games: they end alike.
    Agents,
}

/// A kind of tournament.
#[derive(Clone, Copy, Debug)]
struct Setting {
    name: &'static str,
    players: usize,
    schedule: Schedule,
    /// The agents by name, with their odds against the others at the table; equal names are one agent.
    agents: &'static [(&'static str, f64)],
    /// The odds of each seat over the next.
    seats: f64,
    luck: Luck,
    /// The smallest fraction of unequal pairs that 200 blocks must separate.
    power: f64,
}

const BALANCED: Setting = Setting {
    name: "",
    players: 2,
    schedule: Schedule::Balanced,
    agents: &[],
    seats: 1.0,
    luck: Luck::Seats(0.2),
    power: 0.9,
};

const SETTINGS: [Setting; 16] = [
    Setting { name: "2 equal", agents: &[("a", 1.0), ("b", 1.0)], ..BALANCED },
    Setting {
        name: "2 of .6 and .4, first seat .6",
        agents: &[("a", 3.0), ("b", 2.0)],
        seats: 1.5,
        ..BALANCED
    },
    Setting {
        name: "2 of .99 and .01",
        agents: &[("a", 99.0), ("b", 1.0)],
        luck: Luck::Fresh,
        ..BALANCED
    },
    Setting {
        name: "3: two seats equal to one",
        players: 3,
        agents: &[("a", 1.0), ("a", 1.0), ("b", 1.0)],
        ..BALANCED
    },
    Setting {
        name: "3: two seats, one of .005",
        players: 3,
        agents: &[("a", 99.5), ("a", 99.5), ("b", 1.0)],
        luck: Luck::Fresh,
        ..BALANCED
    },
    Setting {
        name: "4 equal, much common luck",
        players: 4,
        agents: &[("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 1.0)],
        luck: Luck::Seats(0.8),
        ..BALANCED
    },
    Setting {
        name: "4 of .70, .20, .08, .02",
        players: 4,
        agents: &[("a", 70.0), ("b", 20.0), ("c", 8.0), ("d", 2.0)],
        ..BALANCED
    },
    Setting {
        name: "4, all games of a block alike",
        players: 4,
        agents: &[("a", 60.0), ("b", 34.0), ("c", 3.0), ("d", 3.0)],
        luck: Luck::Agents,
        ..BALANCED
    },
    Setting {
        name: "4: three seats, one of .5",
        players: 4,
        agents: &[("a", 3.0), ("b", 1.0), ("b", 1.0), ("b", 1.0)],
        ..BALANCED
    },
    Setting {
        name: "5 of .24 to .16",
        players: 5,
        agents: &[("a", 24.0), ("b", 22.0), ("c", 20.0), ("d", 18.0), ("e", 16.0)],
        seats: 1.1,
        power: 0.4,
        ..BALANCED
    },
    Setting {
        name: "6 equal",
        players: 6,
        agents: &[("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 1.0), ("e", 1.0), ("f", 1.0)],
        ..BALANCED
    },
    Setting {
        name: "6: five seats, one of .02",
        players: 6,
        agents: &[("a", 0.1), ("b", 0.98), ("b", 0.98), ("b", 0.98), ("b", 0.98), ("b", 0.98)],
        luck: Luck::Fresh,
        ..BALANCED
    },
    Setting {
        name: "round robin of 5 at 2",
        schedule: Schedule::RoundRobin,
        agents: &[("a", 16.0), ("b", 4.0), ("c", 1.0), ("d", 1.0), ("e", 0.1)],
        ..BALANCED
    },
    Setting {
        name: "round robin of 6 at 3",
        players: 3,
        schedule: Schedule::RoundRobin,
        agents: &[("a", 9.0), ("b", 3.0), ("c", 1.0), ("d", 1.0), ("e", 0.3), ("f", 0.1)],
        ..BALANCED
    },
    Setting {
        name: "round robin of 5 at 3, two alike",
        players: 3,
        schedule: Schedule::RoundRobin,
        agents: &[("a", 9.0), ("b", 1.0), ("b", 1.0), ("c", 1.0), ("d", 0.2)],
        ..BALANCED
    },
    Setting {
        name: "gauntlet of 1 and 4 at 3",
        players: 3,
        schedule: Schedule::Gauntlet,
        agents: &[("a", 2.0), ("b", 8.0), ("c", 2.0), ("d", 1.0), ("e", 0.2)],
        ..BALANCED
    },
];

/// Draws the noise under which the maximum follows the odds.
fn gumbel(rng: &mut Stream) -> f64 {
    -(-(1.0 - rng.unit()).ln()).ln()
}

/// A setting with a number of blocks, and its true values.
struct World {
    setting: Setting,
    timetable: Timetable,
    specs: Vec<String>,
    /// The different names, with their true shares.
    truth: BTreeMap<&'static str, f64>,
    /// The true differences of shares between pairs that meet, over the blocks in which both play.
    differences: BTreeMap<[&'static str; 2], f64>,
    blocks: u64,
}

impl World {
    fn new(setting: Setting, blocks: u64) -> Self {
        let specs: Vec<String> =
            setting.agents.iter().map(|(name, _)| (*name).to_owned()).collect();
        let timetable = Timetable::new(setting.schedule, &specs, setting.players).unwrap();
        let mut shares: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        let mut differences: BTreeMap<[&str; 2], Vec<f64>> = BTreeMap::new();
        for block in 0..blocks {
            let expected = expected(&setting, &timetable, block);
            for (&name, &share) in &expected {
                shares.entry(name).or_default().push(share);
                for (&other, &theirs) in expected.iter().filter(|(other, _)| **other > name) {
                    differences.entry([name, other]).or_default().push(share - theirs);
                }
            }
        }
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let truth = shares.into_iter().map(|(name, values)| (name, mean(values))).collect();
        let differences =
            differences.into_iter().map(|(pair, values)| (pair, mean(values))).collect();
        Self { setting, timetable, specs, truth, differences, blocks }
    }

    fn odds(&self, entrant: usize, seat: usize) -> f64 {
        odds(&self.setting, entrant, seat)
    }

    fn tournament(&self, rng: &mut Stream) -> Standings {
        let (players, per_block) = (self.setting.players, self.timetable.games_per_block());
        let mut standings = Standings::new(&self.specs, players, per_block);
        let odds: Vec<Vec<f64>> = (0..self.specs.len())
            .map(|entrant| (0..players).map(|seat| self.odds(entrant, seat).ln()).collect())
            .collect();
        for block in 0..self.blocks {
            let luck: Vec<f64> = (0..self.specs.len().max(players)).map(|_| gumbel(rng)).collect();
            for index in block * per_block..(block + 1) * per_block {
                let seating = self.timetable.seating(index);
                let mut best = (f64::NEG_INFINITY, 0);
                for seat in 0..players {
                    let entrant = usize::from(seating[seat]);
                    let own = match self.setting.luck {
                        Luck::Agents => luck[entrant],
                        Luck::Seats(part) if rng.unit() < part => luck[seat],
                        Luck::Seats(_) | Luck::Fresh => gumbel(rng),
                    };
                    let value = odds[entrant][seat] + own;
                    if value > best.0 {
                        best = (value, seat);
                    }
                }
                let mut points = [0.0; MAX_PLAYERS];
                points[best.1] = 1.0;
                let flow = standings.on(&Event::GameOver(&result(index, block, seating, points)));
                assert_eq!(flow, ControlFlow::Continue(()));
            }
        }
        standings
    }
}

fn odds(setting: &Setting, entrant: usize, seat: usize) -> f64 {
    setting.agents[entrant].1 * setting.seats.powi(-(seat as i32))
}

/// Returns the expected points per game and seat of the agents at the table of a block.
fn expected(setting: &Setting, timetable: &Timetable, block: u64) -> BTreeMap<&'static str, f64> {
    let per_block = timetable.games_per_block();
    let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for index in block * per_block..(block + 1) * per_block {
        let seating = timetable.seating(index);
        let odds = |seat: usize| odds(setting, usize::from(seating[seat]), seat);
        let total: f64 = (0..setting.players).map(odds).sum();
        for (seat, &entrant) in seating.iter().enumerate().take(setting.players) {
            let sum = sums.entry(setting.agents[usize::from(entrant)].0).or_default();
            sum.0 += odds(seat) / total;
            sum.1 += 1.0;
        }
    }
    sums.into_iter().map(|(name, (points, seats))| (name, points / seats)).collect()
}

fn result(
    index: u64,
    block: u64,
    seating: [u8; MAX_PLAYERS],
    points: [f32; MAX_PLAYERS],
) -> GameResult {
    GameResult { index, block, seating, points, plies: 1, ..GameResult::default() }
}

/// Returns the address of the random numbers of a cell.
fn address(setting: Setting, blocks: u64) -> u64 {
    let place = SETTINGS.iter().position(|known| known.name == setting.name).unwrap();
    10_000 * place as u64 + blocks
}

/// Counts by name.
type Counts<K> = BTreeMap<K, u32>;

/// The results of simulated tournaments.
struct Seen {
    tournaments: u32,
    shares: Counts<&'static str>,
    differences: Counts<[&'static str; 2]>,
    /// The numbers of differences that were separated from zero.
    decided: Counts<[&'static str; 2]>,
    /// The pairs without a difference.
    equal: Vec<[&'static str; 2]>,
}

impl Seen {
    fn new(setting: Setting, blocks: u64, tournaments: u32) -> Self {
        let world = World::new(setting, blocks);
        let mut rng = rng::stream(21, address(setting, blocks), Purpose::Analysis);
        let (mut shares, mut differences, mut decided) = <_>::default();
        for _ in 0..tournaments {
            let standings = world.tournament(&mut rng);
            for line in standings.table().iter().filter(|line| line.blocks > 0) {
                let (&name, &truth) = world.truth.get_key_value(line.name.as_str()).unwrap();
                *Counts::entry(&mut shares, name).or_default() +=
                    u32::from(line.interval.contains(truth));
            }
            for (&[a, b], &truth) in &world.differences {
                let interval = standings.difference(a, b).unwrap();
                *Counts::entry(&mut differences, [a, b]).or_default() +=
                    u32::from(interval.contains(truth));
                *Counts::entry(&mut decided, [a, b]).or_default() +=
                    u32::from(!interval.contains(0.0));
            }
        }
        let equal = world.differences.iter().filter(|(_, truth)| truth.abs() < 1e-9);
        let equal = equal.map(|(pair, _)| *pair).collect();
        Self { tournaments, shares, differences, decided, equal }
    }

    fn parts<K: Ord>(&self, counts: &Counts<K>) -> Vec<f64> {
        counts.values().map(|&n| f64::from(n) / f64::from(self.tournaments)).collect()
    }

    /// Returns the fractions of tournaments that separate pairs, either the equal or the unequal ones.
    fn distinguished(&self, equal: bool) -> Vec<f64> {
        let such = self.decided.iter().filter(|(pair, _)| self.equal.contains(pair) == equal);
        such.map(|(_, &n)| f64::from(n) / f64::from(self.tournaments)).collect()
    }
}

fn mean(parts: &[f64]) -> f64 {
    parts.iter().sum::<f64>() / parts.len() as f64
}

fn least(parts: &[f64]) -> f64 {
    parts.iter().copied().fold(1.0, f64::min)
}

/// A line of the table: the setting, the counted quantity, and the cell of each number of blocks.
struct Row {
    what: &'static str,
    cell: fn(&Seen) -> String,
}

fn percent(part: f64) -> String {
    format!("{:.1}", 100.0 * part)
}

/// Returns the mean over agents or pairs, and the smallest value.
fn held(parts: &[f64]) -> String {
    match parts.len() {
        1 => percent(mean(parts)),
        _ => format!("{} ({})", percent(mean(parts)), percent(least(parts))),
    }
}

/// Returns the lines of a setting.
fn rows(setting: &Setting) -> Vec<Row> {
    let differences = World::new(*setting, BLOCKS[BLOCKS.len() - 1]).differences;
    let equal = differences.values().filter(|truth| truth.abs() < 1e-9).count();
    let mut rows = vec![
        Row { what: "share", cell: |seen| held(&seen.parts(&seen.shares)) },
        Row { what: "difference", cell: |seen| held(&seen.parts(&seen.differences)) },
    ];
    if equal > 0 {
        let cell = |seen: &Seen| percent(mean(&seen.distinguished(true)));
        rows.push(Row { what: "equal told apart", cell });
    }
    if equal < differences.len() {
        let cell = |seen: &Seen| percent(mean(&seen.distinguished(false)));
        rows.push(Row { what: "unequal told apart", cell });
    }
    rows
}

fn start(setting: &Setting, row: &Row) -> String {
    format!("| {} | {} |", setting.name, row.what)
}

fn header() -> String {
    let blocks = BLOCKS.map(|blocks| format!(" {blocks} |")).concat();
    let line = " --- |".repeat(BLOCKS.len());
    format!("| seats | of 100 tournaments |{blocks}\n| --- | --- |{line}\n")
}

fn lines(setting: &Setting, tournaments: u32) -> String {
    let seen = BLOCKS.map(|blocks| Seen::new(*setting, blocks, tournaments));
    let mut text = String::new();
    for row in rows(setting) {
        text += &start(setting, &row);
        seen.iter().for_each(|seen| write!(text, " {} |", (row.cell)(seen)).unwrap());
        text.push('\n');
    }
    text
}

#[test]
#[ignore = "slow: 2,000 tournaments in each of 96 cells take some minutes; 200 in 32 are in the default suite: `just coverage-table` runs it"]
fn the_coverage_table_of_the_statistics_page() {
    // The name of the test is on this line.
    println!();
    print!("{}", header());
    for setting in &SETTINGS {
        print!("{}", lines(setting, 2_000));
    }
}

#[test]
fn the_statistics_page_has_the_table_that_the_command_prints() {
    let page = include_str!("../../../../docs/validation.md");
    let (_, rest) = page.split_once("<!-- just coverage-table -->\n").unwrap();
    let (table, _) = rest.split_once("<!-- end -->").unwrap();
    let body = table.strip_prefix(&header()).expect("the header that the command prints");
    let expected: Vec<String> = SETTINGS
        .iter()
        .flat_map(|setting| rows(setting).into_iter().map(|row| start(setting, &row)))
        .collect();
    let lines: Vec<&str> = body.lines().collect();
    assert_eq!(lines.len(), expected.len());
    for (line, start) in lines.iter().zip(expected) {
        assert!(line.starts_with(&start), "{line} does not start with {start}");
        assert_eq!(line.matches('|').count(), 3 + BLOCKS.len(), "{line}");
    }
}

#[test]
fn intervals_of_whole_tournaments_hold_the_truth_and_find_what_differs() {
    const TOURNAMENTS: u32 = 200;
    let mut sums = [0; 2];
    // 1.5 % is the standard error of 200 tournaments at 95 %; the minimum of some lines is four of them below.
    for setting in &SETTINGS {
        for blocks in [5, 200] {
            let seen = Seen::new(*setting, blocks, TOURNAMENTS);
            let place = format!("{}, {blocks} blocks", setting.name);
            let shares = seen.parts(&seen.shares);
            let n = shares.len() as u64 * u64::from(TOURNAMENTS);
            sums[0] += (mean(&shares) * n as f64).round() as u64;
            sums[1] += n;
            for parts in [seen.parts(&seen.shares), seen.parts(&seen.differences)] {
                assert!(mean(&parts) >= 0.92 && least(&parts) >= 0.885, "{place}: {parts:?}");
                // With many blocks intervals must be narrow, unless an event is rare or a pair seldom meets.
                let is_rare = setting.agents.iter().any(|(_, odds)| *odds <= 1.0)
                    && matches!(setting.luck, Luck::Fresh | Luck::Agents);
                let is_few = blocks < 200 || is_rare || setting.schedule != Schedule::Balanced;
                assert!(is_few || mean(&parts) < 0.985, "{place}: {parts:?}");
            }
            let equal = seen.distinguished(true);
            assert!(equal.iter().all(|&part| part <= 0.115), "{place}: {equal:?}");
            let unequal = seen.distinguished(false);
            let is_found = unequal.is_empty() || mean(&unequal) >= setting.power;
            assert!(blocks < 200 || is_found, "{place}: {unequal:?}");
        }
    }
    let what =
        format!("planted: {} worlds of 5 and of 200 blocks: shares are held", SETTINGS.len());
    let test = "intervals_of_whole_tournaments_hold_the_truth_and_find_what_differs";
    measured("tournament: share", &what, sums, test);
}

/// One agent has the first place of the line-up, and another has the five others and wins every game.
#[test]
fn shares_of_several_seats_stay_within_what_they_can_be_and_a_loser_of_all_games_is_decided() {
    let specs: Vec<String> = ["a", "b", "b", "b", "b", "b"].map(str::to_owned).to_vec();
    let timetable = Timetable::balanced(6);
    let mut standings = Standings::new(&specs, 6, 6);
    for index in 0..90 * 6 {
        let seating = timetable.seating(index);
        let winner = (0..6).find(|&seat| seating[seat] == 1 + (index / 6 % 5) as u8).unwrap();
        let mut points = [0.0; MAX_PLAYERS];
        points[winner] = 1.0;
        let _ = standings.on(&Event::GameOver(&result(index, index / 6, seating, points)));
        if index == 5 * 6 - 1 {
            let table = standings.table();
            let (b, a) = (&table[0], &table[1]);
            // 0.025^(1/5) = 0.478: the limit that five equal blocks cannot exclude.
            assert!((b.interval.high - 0.2).abs() < 1e-12, "{b:?}");
            assert!((b.interval.low - 0.478_2 / 5.0).abs() < 1e-4, "{b:?}");
            assert!((a.interval.high - 0.521_8).abs() < 1e-4, "{a:?}");
        }
    }
    let table = standings.table();
    assert_eq!((table[0].name.as_str(), table[0].beats_next()), ("b", Some(true)));
    assert!(standings.difference("a", "b").unwrap().high < -0.15);
    // The agent that never wins ranks behind those that win a fifth of the games: rank 4, with the four other losers
    // tied.
    assert!((table[1].rank - 4.0).abs() < 1e-12 && table[1].rank_half.is_none(), "{table:?}");
    assert!(table[1].rank_interval.low > 3.8 && table[1].rank_interval.high < 4.2, "{table:?}");
}
