//! Tests of tournaments in rounds, `--schedule swiss` and `knock-out`: order, intervals, files, resuming, wrong input.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use engine::{Purpose, Randomness, Stream, rng};
use expect_test::{expect, expect_file};
use serde_json::Value as Json;
use sim::rounds::Rounds;
use sim::schedule::Schedule;
use sim::schedule::rounds::RoundPlan;
use sim::stats::elo::ELO_PER_LOGIT;
use sim::stats::plackett_luce::Ratings;
use sim::stats::{Bootstrap, Outcome};

use crate::shared::{caesar, command, interrupted, json, prints, refused};

/// A pool of seven in pig: the more random, the better.
const POOL: &str = "--game pig --agent greedy --agent greedy(epsilon=0.2) --agent greedy(epsilon=0.4) \
                    --agent greedy(epsilon=0.6) --agent greedy(epsilon=0.8) --agent random --agent level=random";

fn swiss() -> String {
    format!("tournament --schedule swiss {POOL}")
}

fn knock_out() -> String {
    format!("tournament --schedule knock-out {POOL}")
}

#[test]
fn both_are_as_they_were_read_and_approved() {
    prints(&format!("{} --quiet", swiss()), &expect_file!["../golden/tournament-swiss.txt"]);
    prints(
        &format!("{} --quiet", knock_out()),
        &expect_file!["../golden/tournament-knock-out.txt"],
    );
}

/// Returns the names of the agents of a pairing.
fn met(pairing: &Json) -> [String; 2] {
    let mut two = ["a", "b"].map(|place| pairing[place].as_str().unwrap().to_owned());
    two.sort();
    two
}

#[test]
fn no_pair_of_a_swiss_meets_twice_and_everybody_of_an_odd_pool_rests_once_at_most() {
    let result = json(&format!("{} --rounds 4", swiss()));
    let pairings = result["pairings"].as_array().unwrap();
    assert_eq!((pairings.len(), result["blocks"].as_u64()), (12, Some(240)));
    let different: BTreeSet<_> = pairings.iter().map(met).collect();
    assert_eq!(different.len(), 12);
    let byes = result["byes"].as_array().unwrap();
    let rested: BTreeSet<_> = byes.iter().map(|bye| bye["agent"].as_str().unwrap()).collect();
    assert_eq!((byes.len(), rested.len()), (4, 4));
    // The points of a round are one for each pairing and one half for the bye.
    let standings = result["standings"].as_array().unwrap();
    let points: f64 = standings.iter().map(|row| row["points"].as_f64().unwrap()).sum();
    assert!((points - 4.0 * 3.5).abs() < 1e-9, "{result}");
    let best: Vec<&str> =
        standings.iter().map(|row| row["agent"].as_str().unwrap()).take(3).collect();
    assert!(best.contains(&"random") && best.contains(&"level"), "{best:?}");
}

#[test]
fn whoever_loses_a_pairing_of_a_knock_out_is_out() {
    for seed in 1..6 {
        let result = json(&format!("{} --blocks 6 --seed {seed}", knock_out()));
        let standings = result["standings"].as_array().unwrap();
        let mut left: BTreeSet<String> =
            standings.iter().map(|row| row["agent"].as_str().unwrap().to_owned()).collect();
        assert_eq!(left.len(), 7);
        for pairing in result["pairings"].as_array().unwrap() {
            let two = met(pairing);
            assert!(two.iter().all(|agent| left.contains(agent)), "one of {two:?} is out");
            let row =
                |agent: &String| standings.iter().find(|row| row["agent"] == **agent).unwrap();
            let out = two.iter().find(|&agent| row(agent)["lost_in_round"] == pairing["round"]);
            let (out, share) = (out.unwrap(), pairing["share"].as_f64().unwrap());
            let own = if pairing["a"] == **out { share } else { 1.0 - share };
            assert!(own <= 0.5, "{pairing}");
            left.remove(out);
        }
        assert_eq!(left.len(), 1, "{left:?}");
        assert_eq!(standings[0]["agent"], *left.first().unwrap());
        // Seven fill a bracket of eight with one bye.
        assert_eq!(result["byes"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn a_run_in_rounds_depends_on_the_seed_and_never_on_threads() {
    for args in [swiss(), knock_out()] {
        let with = |more: &str| caesar(&format!("{args} --json --quiet {more}"));
        let one = with("--threads 1");
        assert_eq!(one.0, 0, "{}", one.2);
        assert_eq!(with("--threads 2"), one);
        assert_eq!(with("--threads 7"), one);
        assert_ne!(with("--seed 2").1, one.1);
    }
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

/// Plays `run` into `out`; returns stdout.
fn played(run: &str, out: &Path, more: &str) -> String {
    let (code, stdout, stderr) =
        caesar(&format!("{run} --json --quiet --out {} {more}", out.display()));
    assert_eq!(code, 0, "{stderr}");
    stdout
}

#[test]
fn a_run_in_rounds_that_was_cut_anywhere_goes_on_to_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, cut) = (dir.path().join("whole"), dir.path().join("cut"));
    // Rounds of more blocks than are dealt at once, and of fewer.
    for run in [format!("{} --blocks 600", swiss()), knock_out()] {
        let printed = played(&run, &whole, "");
        assert_eq!(read(&whole, "summary.json"), printed);
        let rows = read(&whole, "games.csv");
        for part in [0, 3, 40, 95] {
            let length = rows.len() * part / 100 + usize::from(part > 0) * 7;
            fs::create_dir(&cut).unwrap();
            fs::write(cut.join("manifest.json"), read(&whole, "manifest.json")).unwrap();
            fs::write(cut.join("games.csv"), &rows[..length]).unwrap();
            assert_eq!(played(&run, &cut, "--resume"), printed);
            assert!(read(&cut, "games.csv") == rows, "{part}");
            assert_eq!(read(&cut, "summary.json"), printed);
            fs::remove_dir_all(&cut).unwrap();
        }
        let (code, stdout, stderr) =
            caesar(&format!("replay {} --game 70 --json", whole.display()));
        assert_eq!(code, 0, "{stderr}");
        assert_eq!(serde_json::from_str::<Json>(&stdout).unwrap()["game_id"], 69);
        let (code, _, stderr) = caesar(&format!("check {}", whole.display()));
        assert_eq!(code, 0, "{stderr}");
        fs::remove_dir_all(&whole).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_stopped_run_says_how_many_rounds_are_complete() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let run = format!("{} --blocks 100000000 --json --out {}", swiss(), out.display());
    let output = interrupted(&mut command(&run));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    let result: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["complete"], &result["complete_rounds"]), (&false.into(), &0.into()));
    // No pairing is complete, so only the bye has points.
    let standings = result["standings"].as_array().unwrap();
    let points: Vec<f64> = standings.iter().map(|row| row["points"].as_f64().unwrap()).collect();
    assert_eq!(points, [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn what_rounds_cannot_have_is_refused_before_a_game() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").display().to_string();
    for (option, word) in [
        (format!("--shard 1/2 --out {out}"), "--shard"),
        ("--ratings".to_owned(), "--ratings"),
        ("--records r.jsonl".to_owned(), "--records"),
        ("--watch".to_owned(), "--watch"),
    ] {
        let (code, stdout, stderr) = caesar(&format!("{} {option}", swiss()));
        assert_eq!((code, stdout.as_str()), (2, ""), "{option}");
        assert!(stderr.starts_with(&format!("error: --schedule swiss and {word}: ")), "{stderr}");
    }
    assert!(!Path::new(&out).exists(), "nothing is left behind");
    refused(
        &format!("{} --rounds 5", swiss()),
        &expect![
            "error: --rounds 5: a swiss schedule of 7 agents has 1 to 4 rounds, in which no pair meets twice; schedule round-robin plays all pairs"
        ],
    );
    refused(
        &format!("{} --rounds 0", swiss()),
        &expect![
            "error: --rounds 0: a swiss schedule of 7 agents has 1 to 4 rounds, in which no pair meets twice; schedule round-robin plays all pairs"
        ],
    );
    refused(
        &format!("{} --rounds 3", knock_out()),
        &expect![
            "error: --rounds 3: schedule knock-out leaves no choice of rounds (swiss does): leave rounds out"
        ],
    );
    refused(
        &format!("{} --players 3", swiss()),
        &expect![
            "error: schedule swiss pairs agents at tables of 2, not of 3: take schedule round-robin or adaptive"
        ],
    );
    refused(
        "tournament --schedule knock-out --game pig --agent greedy",
        &expect![
            "error: 1 agent given, but schedule knock-out at tables of 2 needs a pool of at least 2"
        ],
    );
    refused(
        "tournament --schedule swiss --game pig --agent greedy --agent greedy",
        &expect![[
            r#"error: agent "greedy": it is in the pool twice, and pairs are of different agents: leave one out, or give it a label"#
        ]],
    );
}

/// Returns a draw of whether an agent of strength `a` wins against one of strength `b`, as logits, with the luck `u`.
fn wins(a: f64, b: f64, u: f64) -> bool {
    u < 1.0 / (1.0 + (b - a).exp())
}

/// Plays a Swiss tournament of agents of these strengths.
fn simulated(strengths: &[f64], blocks_each: u64, rng: &mut Stream) -> Rounds {
    let size = RoundPlan::of(Schedule::Swiss, strengths.len(), None).unwrap().unwrap();
    let seed = u64::from(rng.below(u32::MAX));
    let mut rounds = Rounds::new(Schedule::Swiss, strengths.len(), size, blocks_each, seed);
    let mut block = 0;
    loop {
        let dealt = rounds.next(block);
        if dealt.is_empty() {
            return rounds;
        }
        for [a, b] in dealt {
            let luck = rng.unit();
            // In a third of the blocks both games have the same luck.
            let other = if rng.unit() < 0.3 { luck } else { rng.unit() };
            let won = [luck, other].map(|u| wins(strengths[a], strengths[b], u));
            for (won, seated) in won.into_iter().zip([[a, b], [b, a]]) {
                let is_ahead = won == (seated[0] == a);
                let ranks = if is_ahead { [1.0, 2.0] } else { [2.0, 1.0] };
                rounds.count(block, Outcome::new(&seated, &ranks));
            }
            let value = won.iter().map(|&won| f64::from(u8::from(won))).sum::<f64>() / 2.0;
            sim::dealt::Dealer::add(&mut rounds, [a, b], value);
            block += 1;
        }
    }
}

/// Returns strengths from `-span` to `span` in equal steps, in a mixed order.
fn scale(agents: usize, span: f64) -> Vec<f64> {
    // Seven has no common divisor with the sizes of the tests.
    let place = |i: usize| (i * 7 % agents) as f64 / (agents - 1) as f64;
    (0..agents).map(|i| span * (2.0 * place(i) - 1.0)).collect()
}

/// Returns the part of the pairs of agents of different strength that `value` puts in the true order.
fn in_order(strengths: &[f64], value: impl Fn(usize) -> f64) -> f64 {
    let n = strengths.len();
    let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
    let ahead: Vec<(usize, usize)> = pairs.filter(|&(a, b)| strengths[a] > strengths[b]).collect();
    let right = ahead.iter().filter(|&&(a, b)| value(a) > value(b)).count();
    right as f64 / ahead.len() as f64
}

/// Of equal agents, those with early luck meet each other, and few games are left that could set them right. So this is
/// why the report has no intervals; if the test fails, it may have some.
#[test]
fn intervals_of_swiss_ratings_would_miss_too_often() {
    for (name, strengths, blocks_each) in [
        ("16 equal", vec![0.0; 16], 20),
        ("16 unequal", scale(16, 0.8), 20),
        ("31 unequal", scale(31, 1.2), 10),
    ] {
        let mut rng = rng::stream(29, strengths.len() as u64, Purpose::Analysis);
        let (mut held, mut n, mut outwards) = (0, 0, 0.0);
        for seed in 0..60 {
            let rounds = simulated(&strengths, blocks_each, &mut rng);
            let plan = Bootstrap { seed, resamples: 300 };
            let ratings = Ratings::new(rounds.outcomes(), strengths.len(), plan);
            for (rating, truth) in ratings.agents.iter().zip(&strengths) {
                let truth = truth * ELO_PER_LOGIT;
                outwards += (rating.elo - truth) * truth.signum();
                let Some(interval) = rating.interval else { continue };
                held += u32::from(interval.contains(truth));
                n += 1;
            }
        }
        let part = f64::from(held) / f64::from(n);
        let outwards = outwards / f64::from(n);
        println!("{name}: {part:.3} of {n} held, {outwards:.1} Elo too far out");
        assert!(part < 0.93, "{name}: {part}");
    }
}

#[test]
fn a_swiss_tournament_finds_the_planted_order() {
    let strengths = scale(20, 1.5);
    let mut rng = rng::stream(31, 0, Purpose::Analysis);
    let (mut by_points, mut by_rating, n) = (0.0, 0.0, 40);
    for seed in 0..n {
        let rounds = simulated(&strengths, 20, &mut rng);
        let standings = rounds.standings();
        let points = |agent| standings.iter().find(|row| row.agent == agent).unwrap().points;
        let plan = Bootstrap { seed, resamples: 0 };
        let ratings = Ratings::new(rounds.outcomes(), strengths.len(), plan);
        by_points += in_order(&strengths, points) / n as f64;
        by_rating += in_order(&strengths, |agent| ratings.agents[agent].elo) / n as f64;
    }
    println!("pairs in the true order: {by_points:.3} by points, {by_rating:.3} by rating");
    assert!(by_points > 0.85 && by_rating > 0.93, "{by_points} {by_rating}");
}
