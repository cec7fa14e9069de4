//! Studies of game dynamics in a directory: killed, cut, divided, joined and refused.

use std::fs;
use std::path::Path;
use std::time::Instant;

use engine::{Purpose, Randomness, rng};

use super::{assert_same, caesar, refused};
use crate::shared::{command_at as command, done_at as done, killed_until_it_ends, rows};

const FILES: [&str; 6] =
    ["fit.csv", "watched.csv", "deals.csv", "climbs.csv", "restricted.csv", "gifts.csv"];

const GAME: &str = "balance game --game pig --agent greedy(epsilon=0.3) --games 120 --seed 5 --quiet --deals 30 --steps 24 \
                    --restrictions 24 --ladder random --ladder greedy";
const MODEL: &str =
    "balance win-model --game pig --agent greedy(epsilon=0.3) --games 120 --seed 5 --quiet";

fn all_rows(dir: &Path) -> usize {
    FILES.iter().map(|file| rows(&dir.join(file))).sum()
}

#[test]
fn a_study_that_is_killed_and_gone_on_with_ends_with_the_same_bytes() {
    let (alone, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = "balance game --game pig --players 3 --fit-games 450 --games 150 --deals 40 --steps 40 --restrictions 40 --ladder random \
               --ladder greedy --quiet --out {}/run";
    let began = Instant::now();
    let printed = done(&format!("{run} --threads 1"), alone.path());
    let took = began.elapsed();
    let again = || command(&format!("{run} --resume --threads 2"), killed.path());
    killed_until_it_ends(took, 7, again, || all_rows(&killed.path().join("run")));
    assert_eq!(done(&format!("{run} --resume"), killed.path()), printed);
    assert_same(&alone.path().join("run"), &killed.path().join("run"));
    // Rows lose nothing when they are written and read back.
    let without = run.replace(" --out {}/run", "");
    assert_eq!(done(&without, alone.path()), printed);
}

#[test]
fn rows_that_were_cut_anywhere_are_gone_on_with() {
    for run in [GAME, MODEL] {
        let run = format!("{run} --fit-games 200 --out {{}}/run");
        let whole = tempfile::tempdir().unwrap();
        let printed = done(&run, whole.path());
        let read = |file: &str| fs::read(whole.path().join("run").join(file));
        let mut rng = rng::stream(3, 0, Purpose::Analysis);
        for case in 0..12 {
            let cut = tempfile::tempdir().unwrap();
            let dir = cut.path().join("run");
            fs::create_dir(&dir).unwrap();
            fs::write(dir.join("manifest.json"), read("manifest.json").unwrap()).unwrap();
            for file in FILES {
                let Ok(bytes) = read(file) else { continue };
                let end = match case {
                    0 => 0,
                    1 => 4,
                    _ => rng.below(bytes.len() as u32 + 1) as usize,
                };
                fs::write(dir.join(file), &bytes[..end]).unwrap();
            }
            assert_eq!(done(&format!("{run} --resume --threads 2"), cut.path()), printed);
            assert_same(&whole.path().join("run"), &dir);
        }
    }
}

#[test]
fn shards_merged_are_the_whole_study() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let run = format!("{GAME} --fit-games 200");
    let printed = done(&format!("{run} --out {{}}/whole"), at);
    for shard in 1..=3 {
        done(&format!("{run} --out {{}}/{shard} --shard {shard}/3"), at);
        assert_eq!(rows(&at.join(format!("{shard}/watched.csv"))), 0, "they wait for the model");
    }
    let merged = done("merge {}/2 {}/1 {}/3 --out {}/joined", at);
    assert_eq!(
        merged,
        printed.clone() + &format!("3 shards merged into {}/joined\n", at.display())
    );
    assert_same(&at.join("whole"), &at.join("joined"));
    // With a given model all games are divided, and the model audited alone is equal.
    for (run, name) in [(GAME, "game"), (MODEL, "model")] {
        let run = format!("{run} --model {{}}/whole/model.json");
        let whole = format!("{{}}/{name}");
        let printed = done(&format!("{run} --out {whole}"), at);
        for shard in 1..=2 {
            done(&format!("{run} --out {whole}-{shard} --shard {shard}/2"), at);
        }
        let merged = done(&format!("merge {whole}-1 {whole}-2 --out {whole}-joined"), at);
        assert!(merged.starts_with(&printed), "{merged}");
        assert_same(&at.join(name), &at.join(format!("{name}-joined")));
    }
    // A machine that computes other results is found.
    let place = at.join("2/deals.csv");
    let text = fs::read_to_string(&place).unwrap();
    let last = text.lines().last().unwrap();
    let mut fields: Vec<&str> = last.split(',').collect();
    fields.pop();
    fields[1] = if fields[1] == "1/0" { "0/1" } else { "1/0" };
    let row = fields.join(",");
    let forged = format!("{row},{}", &blake3::hash(row.as_bytes()).to_hex()[..8]);
    fs::write(&place, text.replace(last, &forged)).unwrap();
    let (code, _, stderr) = caesar("merge {}/1 {}/2 {}/3 --out {}/forged --sample 1000", at);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("has another result here"), "{stderr}");
    assert!(!at.join("forged").exists());
}

#[test]
fn what_does_not_belong_together_is_refused_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let run = format!("{GAME} --fit-games 200 --out {{}}/run");
    done(&run, at);
    let place = |file: &str| at.join("run").join(file);
    let (manifest, fit) = (
        fs::read_to_string(place("manifest.json")).unwrap(),
        fs::read_to_string(place("fit.csv")).unwrap(),
    );
    let unfinished = || {
        fs::remove_file(place("game.json")).unwrap_or_default();
        fs::write(place("fit.csv"), &fit[..fit.len() / 2]).unwrap();
        fs::write(place("manifest.json"), &manifest).unwrap();
    };
    unfinished();
    let refused = |args: &str, complaint: &str| {
        let stderr = refused(args, at);
        assert!(stderr.contains(complaint), "{args}: {stderr}");
    };
    refused(&run, "holds an unfinished study of watched games (caesar balance game --game pig");
    refused(&format!("{} --resume", run.replace("--seed 5", "--seed 6")), "seed: 5 there, 6 here");
    refused(&format!("{} --resume --shard 1/2", run), "shard: none there");
    refused(
        &format!("{} --resume", run.replace("--deals 30", "--deals 40")),
        "deals: 30 there, 40 here",
    );
    let version = env!("CARGO_PKG_VERSION");
    let other = manifest.replace(&format!("\"version\":\"{version}\""), "\"version\":\"0.0.1\"");
    assert_ne!(other, manifest);
    fs::write(place("manifest.json"), &other).unwrap();
    refused(&format!("{run} --resume"), "version: \"0.0.1\" there");
    fs::write(place("manifest.json"), manifest.replace("caesar-dynamics/1", "caesar-dynamics/9"))
        .unwrap();
    refused(&format!("{run} --resume"), "this version of caesar reads caesar-dynamics/1");
    fs::write(place("manifest.json"), manifest.replace("caesar-dynamics/1", "caesar-tune/1"))
        .unwrap();
    refused(&format!("{run} --resume"), "another kind of run");
    unfinished();
    let second = fit.lines().nth(2).unwrap();
    fs::write(place("fit.csv"), fit.replacen(second, &second.replacen(',', ",9", 1), 1)).unwrap();
    refused(&format!("{run} --resume"), "fit.csv:3: its checksum does not fit; delete this row");
    unfinished();
    fs::write(place("fit.csv"), fit.replacen("block,", "blocks,", 1)).unwrap();
    refused(&format!("{run} --resume"), "the 1st is blocks, where block is expected");
    refused("merge {}/run --out {}/joined", "it holds a whole run and no shard");
    // An output never overwrites an input.
    let model = format!("{GAME} --model {{}}/run/model.json --out {{}}/run");
    refused(&model, "are one file; name another");
    refused("balance game --game pig --shard 1/2", "--out");
    refused("balance game --game pig --resume", "--out");
}

#[test]
fn runs_of_the_last_release_go_on_and_the_new_names_are_printed() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let cases = [
        (
            format!("{GAME} --fit-games 200 --out {{}}/run"),
            ["run/manifest.json", "run/game.json"],
            [("caesar-dynamics/1", "caesar-arc/1"); 2],
        ),
        (
            "balance seats --game pig --agent random --blocks 60 --effect 0.5 --out {}/seats"
                .into(),
            ["seats/cells.csv", "seats/summary.json"],
            [("lineup", "lane"), ("uptake", "deeds")],
        ),
    ];
    for (run, [renamed, result], names) in cases {
        done(&run, at);
        let whole = fs::read(at.join(result)).unwrap();
        let mut text = fs::read_to_string(at.join(renamed)).unwrap();
        for (new, old) in names {
            text = text.replacen(new, old, 1);
        }
        fs::write(at.join(renamed), text).unwrap();
        fs::remove_file(at.join(result)).unwrap();
        let (code, _, stderr) = caesar(&format!("{run} --resume"), at);
        assert_eq!(code, 0, "{run}: {stderr}");
        for (new, old) in names {
            assert!(stderr.contains(&format!("{old} is now called {new};")), "{stderr}");
        }
        assert_eq!(fs::read(at.join(result)).unwrap(), whole, "{run}");
    }
    let result = at.join("run/game.json");
    fs::remove_file(at.join("run/checksums.json")).unwrap();
    let text =
        fs::read_to_string(&result).unwrap().replacen('{', "{\"arc_refused\":\"it is off\",", 1);
    fs::write(result, text).unwrap();
    let (code, _, stderr) = caesar("report {}/run --out {}/page.html --quiet", at);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("arc_refused is now called dynamics_refused;"), "{stderr}");
    assert!(fs::read_to_string(at.join("page.html")).unwrap().contains("are withheld: it is off"));
}
