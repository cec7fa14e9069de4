//! Error rates of the words of a two-sided test: better, worse and no difference; and coverage of the interval beside
//! them.

use engine::Stream;
use stats::{Gsprt, Question, Sides, Stopped, Verdict};

use super::{MOST_BLOCKS, World, agents_question, bound, play};

/// Results as parts of a number of tests.
#[derive(Clone, Copy, Debug, Default)]
struct Words {
    better: f64,
    worse: f64,
    no_difference: f64,
    held: f64,
    /// The mean level of the intervals.
    level: f64,
    blocks: f64,
}

fn words(
    question: Question,
    (effect, n, address): (f64, u64, u64),
    mut draw: impl FnMut(&mut Stream) -> f64,
) -> Words {
    let (mut words, part) = (Words::default(), 1.0 / n as f64);
    for test in 0..n {
        let test = play(question, (91 + address, test), MOST_BLOCKS, &mut draw);
        let stopped = Stopped::new(&test).expect("shares have a range");
        match word(&test) {
            1 => words.better += part,
            -1 => words.worse += part,
            _ => words.no_difference += part,
        }
        check(&test, stopped);
        words.held += if stopped.interval.contains(effect) { part } else { 0.0 };
        words.level += part * stopped.level;
        words.blocks += part * test.tally().moments().n() as f64;
    }
    words
}

/// Returns the direction that a test finds.
fn word(test: &Gsprt) -> i8 {
    match test.verdict() {
        Verdict::H1 if test.effect() > 0.0 => 1,
        Verdict::H1 => -1,
        Verdict::H0 => 0,
        Verdict::Undecided => panic!("no verdict after {MOST_BLOCKS} blocks"),
    }
}

/// Checks that word, interval, p-value and level agree.
fn check(test: &Gsprt, stopped: Stopped) {
    let Question { h1, alpha, beta, .. } = *test.question();
    let (low, high) = (stopped.interval.low, stopped.interval.high);
    let (agrees, level) = match word(test) {
        1 => (low > 0.0 && stopped.p <= alpha, 1.0 - alpha),
        -1 => (high < 0.0 && stopped.p <= alpha, 1.0 - alpha),
        _ => (-h1 < low && high < h1, 1.0 - 2.0 * beta),
    };
    assert!(
        agrees && (stopped.level - level).abs() < 1e-12,
        "{stopped:?} {:?} after {} blocks, variance {} and {}",
        test.verdict(),
        test.tally().moments().n(),
        test.tally().moments().variance(),
        test.tally().variance_at(test.question().zero + h1 / 2.0)
    );
}

/// Checks the words with α = β = 5 % for equals, for the effect in both directions, for half of it and for twice.
fn measured(players: usize, luck: f64, n: u64) {
    let question = Question { sides: Sides::Both, ..agents_question(players) };
    for (address, effect) in (0..).zip([0.0, 0.05, -0.05, 0.025, -0.1]) {
        let world = match effect == 0.0 {
            true => World { players, luck, edge: 0.0 },
            false => World::with_share(players, luck, question.zero + effect),
        };
        let words = words(question, (effect, n, address), |rng| world.block(rng));
        println!(
            "| {players}, luck {luck} | {effect:+} | {:.4} | {:.4} | {:.4} | {:.3} ({:.3}) | {:.0} |",
            words.better, words.worse, words.no_difference, words.held, words.level, words.blocks
        );
        let what = format!("{players} {luck} {effect}: {words:?}");
        let wrong_way = if effect > 0.0 { words.worse } else { words.better };
        assert!(wrong_way <= bound(0.025, n), "{what}");
        assert!(effect != 0.0 || words.better + words.worse <= bound(0.05, n), "{what}");
        assert!(effect.abs() < 0.05 || words.no_difference <= bound(0.05, n), "{what}");
        // The levels are 95 and 90 %; over all outcomes the promise is 90.
        let error = 3.0 * f64::sqrt(0.9 * 0.1 / n as f64);
        assert!(words.held >= 0.89 - error, "{what}");
    }
}

#[test]
fn each_word_is_wrong_as_seldom_as_promised() {
    measured(2, 1.0, 150);
    measured(4, 0.0, 100);
}

#[test]
#[ignore = "slow: 1,000 tests of five effects in each of five worlds take many minutes: `just sequential` runs it"]
fn each_word_is_wrong_as_seldom_as_promised_in_full() {
    for (players, luck) in [(2, 0.0), (2, 1.0), (3, 0.0), (4, 0.0), (6, 1.0)] {
        measured(players, luck, 1_000);
    }
}

/// A comparison of agents with h1 at the truth, as in pig with three players, whose coverage was just below 90 %.
#[test]
#[ignore = "slow: 2,000 tests with their intervals take minutes: `just sequential` runs it"]
fn the_interval_of_one_side_holds_a_loss_where_h1_is_the_truth() {
    const N: u64 = 2_000;
    for (players, h1) in [(3, -0.059), (2, -0.059), (4, -0.059)] {
        let question = Question { h0: h1 - 0.05, h1, ..agents_question(players) };
        let world = World::with_share(players, 0.0, question.zero + h1);
        let (mut above, mut below, mut wrong) = (0.0, 0.0, 0.0);
        for address in 0..N {
            let test = play(question, (97, address), MOST_BLOCKS, &mut |rng| world.block(rng));
            let stopped = Stopped::new(&test).expect("shares have a range");
            above += f64::from(stopped.interval.low > h1) / N as f64;
            below += f64::from(stopped.interval.high < h1) / N as f64;
            wrong += f64::from(test.verdict() == Verdict::H0) / N as f64;
        }
        println!("{players} players, h1 {h1}: H0 {wrong:.4}, above {above:.4}, below {below:.4}");
        assert!(above + below <= 0.14, "{players}: {above} {below}");
    }
}
