//! Error rates of sequential tests, and coverage of confidence sequences and adjusted means, on simulated worlds.
//!
//! The fast tests are a part of the full tests, which are ignored because they take many minutes:
//! `cargo test --release -p caesar-stats --test it -- --ignored --nocapture sequential::`.

use engine::{Purpose, Randomness, Stream, rng};
use stats::confidence_sequence::log_wealths;
use stats::control_variate::{Known, Regression};
use stats::{Gsprt, Moments, Question, Range, Sides, Tally, Verdict, confidence_sequence};

mod fixed;
mod pairs;
mod steps;
mod stopped;
mod words;

/// The largest number of blocks of a simulated test; no test should come near it.
const MOST_BLOCKS: u32 = 20_000;

/// A table with one candidate and equal baselines: each seat of a block has its luck, as a logit.
#[derive(Clone, Copy, Debug)]
struct World {
    players: usize,
    /// The standard deviation of the luck of a seat, equal in all games of a block.
    luck: f64,
    /// The candidate's advantage, as a logit.
    edge: f64,
}

fn normal(rng: &mut Stream) -> f64 {
    (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos()
}

impl World {
    /// Returns the candidate's chances in each seat of a block.
    fn chances(&self, rng: &mut Stream) -> Vec<f64> {
        let weights: Vec<f64> =
            (0..self.players).map(|_| (self.luck * normal(rng)).exp()).collect();
        let total: f64 = weights.iter().sum();
        let own = self.edge.exp();
        weights.iter().map(|w| own * w / (total - w + own * w)).collect()
    }

    /// Returns the candidate's share of a block, with one game in each seat.
    fn block(&self, rng: &mut Stream) -> f64 {
        let won = self.chances(rng).into_iter().filter(|&chance| rng.unit() < chance).count();
        won as f64 / self.players as f64
    }

    /// Returns the world in which the candidate's share is `share`, to a thousandth.
    fn with_share(players: usize, luck: f64, share: f64) -> Self {
        let (mut low, mut high) = (-4.0, 8.0);
        for _ in 0..14 {
            let world = Self { players, luck, edge: f64::midpoint(low, high) };
            let mut rng = rng::stream(3, 0, Purpose::Analysis);
            let mut chances = Moments::default();
            (0..10_000).for_each(|_| {
                world.chances(&mut rng).into_iter().for_each(|chance| chances.add(chance));
            });
            if chances.mean() < share {
                low = world.edge;
            } else {
                high = world.edge;
            }
        }
        Self { players, luck, edge: f64::midpoint(low, high) }
    }
}

/// Plays the test with the `address`ed stream until it ends.
fn play(
    question: Question,
    (seed, address): (u64, u64),
    most_blocks: u32,
    draw: &mut impl FnMut(&mut Stream) -> f64,
) -> Gsprt {
    let mut rng = rng::stream(seed, address, Purpose::Analysis);
    let mut test = Gsprt::new(question);
    for _ in 0..most_blocks {
        if test.add(draw(&mut rng)) != Verdict::Undecided {
            break;
        }
    }
    test
}

/// The ends of a number of tests.
#[derive(Clone, Copy, Debug)]
struct Ends {
    h1: f64,
    h0: f64,
    mean_blocks: f64,
}

fn run_tests(question: Question, n: u64, mut draw: impl FnMut(&mut Stream) -> f64) -> Ends {
    let (mut h1, mut h0, mut blocks) = (0_u64, 0_u64, 0_u64);
    for address in 0..n {
        let test = play(question, (11, address), MOST_BLOCKS, &mut draw);
        match test.verdict() {
            Verdict::H1 => h1 += 1,
            Verdict::H0 => h0 += 1,
            Verdict::Undecided => panic!("no verdict after {MOST_BLOCKS} blocks"),
        }
        blocks += test.tally().moments().n();
    }
    let part = |count: u64| count as f64 / n as f64;
    Ends { h1: part(h1), h0: part(h0), mean_blocks: part(blocks) }
}

/// Returns the question of one candidate against equals: an effect of 0.05, both errors 5 %.
fn agents_question(players: usize) -> Question {
    Question {
        range: Range::SHARES,
        zero: 1.0 / players as f64,
        h0: 0.0,
        h1: 0.05,
        sides: Sides::Above,
        alpha: 0.05,
        beta: 0.05,
    }
}

/// Returns the nominal error plus two standard errors of the simulation.
fn bound(nominal: f64, n: u64) -> f64 {
    nominal + 2.0 * (nominal * (1.0 - nominal) / n as f64).sqrt()
}

fn check_agents(players: usize, luck: f64, h1: f64, n: u64) -> [f64; 2] {
    let question = Question { h1, ..agents_question(players) };
    let fair = World { players, luck, edge: 0.0 };
    let better = World::with_share(players, luck, question.zero + h1);
    let at_h0 = run_tests(question, n, |rng| fair.block(rng));
    let at_h1 = run_tests(question, n, |rng| better.block(rng));
    let games = [at_h0.mean_blocks, at_h1.mean_blocks].map(|b| b * players as f64);
    println!(
        "{players} players, h1 {h1}, luck {luck}: false H1 {:.4}, false H0 {:.4}, games {:.0} and {:.0}",
        at_h0.h1, at_h1.h0, games[0], games[1]
    );
    assert!(at_h0.h1 <= bound(0.05, n), "{players} {luck} {at_h0:?}");
    assert!(at_h1.h0 <= bound(0.05, n), "{players} {luck} {at_h1:?}");
    games
}

#[test]
fn verdicts_on_agents_err_as_seldom_as_promised() {
    for (players, luck) in [(2, 1.0), (4, 0.0), (4, 2.0), (6, 1.0)] {
        check_agents(players, luck, 0.05, 400);
    }
}

#[test]
#[ignore = "slow: 2,000 tests in each of 17 worlds take minutes; 400 in four of them are in the default suite: `just sequential` runs it"]
fn verdicts_on_agents_err_as_seldom_as_promised_in_full() {
    for players in 2..=6 {
        let games: Vec<_> =
            [0.0, 1.0, 2.0].map(|luck| check_agents(players, luck, 0.05, 2_000)).to_vec();
        // The purpose of a block: luck that the rotation cancels saves games.
        assert!(games[2][0] < 0.95 * games[0][0], "{players} {games:?}");
    }
    check_agents(2, 0.0, 0.02, 2_000);
    check_agents(4, 0.0, 0.2, 2_000);
}

/// Returns the difference of two rule sets in a seat's share: each arm has four games, some shared by both.
fn rules_block(rng: &mut Stream, shift: f64) -> f64 {
    let game = |rng: &mut Stream| {
        let (u, again) = (rng.unit(), rng.unit());
        let won = |u: f64, chance: f64| f64::from(u8::from(u < chance));
        let other = if again < 0.5 { u } else { rng.unit() };
        won(u, 0.3 + shift) - won(other, 0.3)
    };
    (0..4).map(|_| game(rng)).sum::<f64>() / 4.0
}

const RULES: Question = Question {
    range: Range::DIFFERENCES,
    zero: 0.0,
    h0: 0.0,
    h1: 0.05,
    sides: Sides::Both,
    alpha: 0.05,
    beta: 0.05,
};

/// Returns a skewed length of games: differences of two exponential numbers of mean 20, of unequal spread.
fn length_block(rng: &mut Stream, shift: f64) -> f64 {
    let exponential = |rng: &mut Stream| -20.0 * (1.0 - rng.unit()).ln();
    (0..4).map(|_| exponential(rng) - 0.5 * (exponential(rng) + 20.0) + shift).sum::<f64>() / 4.0
}

/// Returns the difference of one game under each rule set, with mostly the same chance.
fn rules_game(rng: &mut Stream, shift: f64) -> f64 {
    let (u, again) = (rng.unit(), rng.unit());
    let other = if again < 0.7 { u } else { rng.unit() };
    f64::from(u8::from(u < 0.3 + shift)) - f64::from(u8::from(other < 0.3))
}

fn check_rules(n: u64) {
    let lengths = Question { range: Range::Anywhere, h1: 3.0, ..RULES };
    for sign in [0.0, 1.0, -1.0] {
        let shares = run_tests(RULES, n, |rng| rules_block(rng, 0.05 * sign));
        let games = run_tests(RULES, n, |rng| rules_game(rng, 0.05 * sign));
        let plies = run_tests(lengths, n, |rng| length_block(rng, 3.0 * sign));
        for (what, ends) in [("seat share", shares), ("seat, a game", games), ("plies", plies)] {
            let wrong = if sign == 0.0 { ends.h1 } else { ends.h0 };
            println!(
                "rules, {what}, shift {sign}: wrong {wrong:.4}, blocks {:.0}",
                ends.mean_blocks
            );
            assert!(wrong <= bound(0.05, n), "{what} {sign} {ends:?}");
        }
    }
}

#[test]
fn verdicts_on_rules_err_as_seldom_as_promised() {
    check_rules(200);
}

#[test]
#[ignore = "slow: 2,000 tests of each of nine kinds take minutes; fewer are in the default suite: `just sequential` runs it"]
fn verdicts_on_rules_err_as_seldom_as_promised_in_full() {
    check_rules(2_000);
}

/// Returns whether the confidence sequence misses `truth`.
///
/// For values in a range this is a bettor against it with forty times their wealth, which is cheaper than the ends.
fn is_missed(tally: &Tally, truth: f64) -> bool {
    match tally.range() {
        Range::Within(..) => log_wealths(tally, truth).iter().any(|&log| log >= 40_f64.ln()),
        Range::Anywhere => !confidence_sequence(tally).contains(truth),
    }
}

#[test]
fn the_sequence_excludes_what_makes_those_who_bet_against_it_rich() {
    let mut rng = rng::stream(29, 0, Purpose::Analysis);
    let world = World { players: 4, luck: 1.0, edge: 0.0 };
    let mut tally = Tally::new(Range::SHARES);
    for n in 1..=600_u32 {
        tally.add(world.block(&mut rng));
        if n.is_multiple_of(60) || n < 5 {
            let interval = confidence_sequence(&tally);
            for mean in (1..50).map(|i| f64::from(i) / 50.0) {
                assert_eq!(is_missed(&tally, mean), !interval.contains(mean), "{n} {mean}");
            }
        }
    }
}

/// Returns the part of runs in which the confidence sequence misses `truth` at any look.
fn ever_missed(
    runs: u64,
    range: Range,
    truth: f64,
    mut draw: impl FnMut(&mut Stream) -> f64,
) -> f64 {
    let missed = (0..runs).filter(|&address| {
        let mut rng = rng::stream(13, address, Purpose::Analysis);
        let mut tally = Tally::new(range);
        (1..=2_000_u32).any(|n| {
            tally.add(draw(&mut rng));
            // Every block at the beginning, later every fiftieth part.
            let is_looked_at = n < 50 || n.is_multiple_of(n / 50);
            is_looked_at && is_missed(&tally, truth)
        })
    });
    missed.count() as f64 / runs as f64
}

/// A function that draws the value of a block.
type Draw = fn(&mut Stream) -> f64;

/// Returns a game that is won with probability `chance`.
fn won(rng: &mut Stream, chance: f64) -> f64 {
    f64::from(u8::from(rng.unit() < chance))
}

/// Returns values with little in common with a normal distribution, and their means.
fn hard_blocks() -> [(&'static str, f64, Draw); 5] {
    [
        ("won or lost, .5", 0.5, |rng| won(rng, 0.5)),
        ("rarely won, .01", 0.01, |rng| won(rng, 0.01)),
        ("nearly always won, .97", 0.97, |rng| won(rng, 0.97)),
        ("constant", 0.4, |_| 0.4),
        // u⁴, of mean 1/5, with more different values than a tally keeps apart.
        ("skewed and continuous", 0.2, |rng| rng.unit().powi(4)),
    ]
}

fn check_sequences(runs: u64, most: f64) -> [f64; 2] {
    let mut sums = [0.0; 2];
    let mut add = |missed: f64| {
        sums[0] += (1.0 - missed) * runs as f64;
        sums[1] += runs as f64;
    };
    for (players, luck) in [(2, 0.0), (4, 0.0), (4, 2.0), (6, 1.0)] {
        let world = World { players, luck, edge: 0.0 };
        let truth = 1.0 / players as f64;
        let missed = ever_missed(runs, Range::SHARES, truth, |rng| world.block(rng));
        println!("sequence, {players} players, luck {luck}: ever missed {missed:.4}");
        add(missed);
        assert!(missed <= most, "{world:?}: {missed}");
    }
    for (what, truth, block) in hard_blocks() {
        let missed = ever_missed(runs, Range::SHARES, truth, block);
        println!("sequence, {what}: ever missed {missed:.4}");
        add(missed);
        assert!(missed <= most, "{what}: {missed}");
    }
    let missed = ever_missed(runs, Range::DIFFERENCES, 0.0, |rng| rules_block(rng, 0.0));
    println!("sequence, differences of shares: ever missed {missed:.4}");
    add(missed);
    assert!(missed <= most, "differences: {missed}");
    let missed = ever_missed(runs, Range::Anywhere, 0.0, |rng| length_block(rng, 0.0));
    println!("sequence, plies: ever missed {missed:.4}");
    add(missed);
    assert!(missed <= most, "plies: {missed}");
    sums
}

#[test]
fn confidence_sequences_hold_the_truth_at_every_moment() {
    check_sequences(60, 0.01 + bound(0.05, 60));
}

#[test]
#[ignore = "slow: 2,000 runs of 2,000 blocks in each of 6 worlds take a minute; fewer are in the default suite: `just sequential` runs it"]
fn confidence_sequences_hold_the_truth_at_every_moment_in_full() {
    crate::measured(
        "compare: sequence",
        "planted: 11 worlds: the truth is held at every moment of 2,000 blocks",
        check_sequences(2_000, 0.05),
        "confidence_sequences_hold_the_truth_at_every_moment_in_full",
    );
}

/// The interval for a fixed number of blocks, checked repeatedly; the sequence is meant to replace this.
#[test]
fn peeking_at_a_fixed_interval_misses_far_more_often() {
    let world = World { players: 4, luck: 1.0, edge: 0.0 };
    let missed = (0..400).filter(|&address| {
        let mut rng = rng::stream(17, address, Purpose::Analysis);
        let mut moments = Moments::default();
        (1..=1_000).any(|n| {
            moments.add(world.block(&mut rng));
            n >= 30 && !moments.share_interval().contains(0.25)
        })
    });
    let missed = missed.count();
    assert!(missed > 80, "{missed} of 400");
}

/// A planted covariate of correlation 0.8: its mean known exactly, and from a sample of four times the blocks.
#[test]
fn adjusted_means_hold_the_truth_and_gain_what_they_say() {
    const RUNS: u32 = 2_000;
    const BLOCKS: u32 = 60;
    let mut rng = rng::stream(19, 0, Purpose::Analysis);
    let mut draw = |regression: &mut Regression, plain: &mut Moments| {
        let x = normal(&mut rng);
        let y = 5.0 + 0.8 * x + 0.6 * normal(&mut rng);
        regression.add(y, x);
        plain.add(y);
    };
    let mut elsewhere = rng::stream(19, 1, Purpose::Analysis);
    let (mut held, mut held_by_sample, mut efficiency) = (0, 0, Moments::default());
    let (mut means, mut plain_means) = (Moments::default(), Moments::default());
    for _ in 0..RUNS {
        let (mut regression, mut plain) = (Regression::default(), Moments::default());
        (0..BLOCKS).for_each(|_| draw(&mut regression, &mut plain));
        let exact = regression.adjusted(Known { mean: 0.0, error: 0.0 }).unwrap();
        held += u32::from(exact.interval.contains(5.0));
        efficiency.add(exact.relative_efficiency);
        means.add(exact.mean);
        plain_means.add(plain.mean());
        let mut sample = Moments::default();
        (0..4 * BLOCKS).for_each(|_| sample.add(normal(&mut elsewhere)));
        let by_sample = regression.adjusted(Known::from_sample(&sample)).unwrap();
        held_by_sample += u32::from(by_sample.interval.contains(5.0));
    }
    for held in [held, held_by_sample] {
        let coverage = f64::from(held) / f64::from(RUNS);
        assert!((0.935..=0.965).contains(&coverage), "{coverage}");
    }
    // 1 / (1 − 0.64) = 2.8, minus the cost of the estimated slope.
    assert!((2.4..=3.0).contains(&efficiency.mean()), "{}", efficiency.mean());
    let measured = plain_means.variance() / means.variance();
    assert!((measured / efficiency.mean() - 1.0).abs() < 0.15, "{measured} {}", efficiency.mean());
}
