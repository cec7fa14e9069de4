//! Comparisons with `--out`: killed at any moment, resumed, divided into shards and merged, with the same bytes; other
//! files are never touched.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use engine::{Purpose, Randomness, rng};
use serde_json::Value as Json;

use super::{assert_same, bytes, caesar, command, done, refused};
use crate::shared::{self, killed_until_it_ends};

/// A sequential test of agents, one of rule sets, one of fixed length, and a panel; each ends in a second.
const KINDS: [&str; 4] = [
    "compare --game pig --players 3 --agent greedy --agent greedy(epsilon=0.3) --max-blocks 200",
    "compare --game pig --agent greedy --set-b target=60 --metric seat=1 --max-blocks 90",
    "compare --game pig --agent random --agent greedy --fixed 40",
    "compare --game pig --players 3 --agent greedy --set-b target=60 --max-blocks 150",
];

fn rows(dir: &Path) -> usize {
    shared::rows(&dir.join("trace.csv"))
}

/// Returns the printed text without speed and shards.
fn table(text: &str) -> Vec<String> {
    let is_same = |line: &&str| {
        !line.starts_with("speed ") && !line.contains(" merged into ") && !line.contains("not used")
    };
    text.lines().filter(is_same).map(str::to_owned).collect()
}

#[test]
fn a_trace_tells_every_block_and_the_state_of_the_test_behind_it() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for (i, kind) in KINDS.iter().enumerate() {
        let printed = done(&format!("{kind} --json --quiet --out {{}}/{i}"), dir);
        let run = dir.join(i.to_string());
        let names: Vec<String> = bytes(&run).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["manifest.json", "summary.json", "trace.csv"]);
        let summary = fs::read_to_string(run.join("summary.json")).unwrap();
        assert_eq!(summary, printed, "{kind}");
        assert_eq!(summary, done(&format!("{kind} --json --quiet"), dir), "{kind}");
        let summary: Json = serde_json::from_str(&summary).unwrap();
        assert_eq!(rows(&run) as u64, summary["blocks"].as_u64().unwrap(), "{kind}");
    }
    let table = |run: &str| {
        let mut reader = csv::Reader::from_path(dir.join(run).join("trace.csv")).unwrap();
        type Row = std::collections::BTreeMap<String, String>;
        reader.deserialize::<Row>().map(Result::unwrap).collect::<Vec<_>>()
    };
    let number = |text: &str| text.parse::<f64>().unwrap();
    let summary = |run: &str| -> Json {
        serde_json::from_str(&fs::read_to_string(dir.join(run).join("summary.json")).unwrap())
            .unwrap()
    };
    // The mean of the shares, less an equal one, is the effect, and the last row has the verdict.
    let (agents, all) = (table("0"), summary("0"));
    let mean = agents.iter().map(|row| number(&row["share"])).sum::<f64>() / agents.len() as f64;
    assert!((mean - 1.0 / 3.0 - all["mean_effect"].as_f64().unwrap()).abs() < 1e-9);
    let last = agents.last().unwrap();
    assert_eq!(last["verdict"], all["test"].as_str().unwrap());
    assert!((number(&last["llr_above"]) - all["ratios"][0].as_f64().unwrap()).abs() < 1e-12);
    assert!(agents[..agents.len() - 1].iter().all(|row| row["verdict"] == "undecided"));
    for (block, row) in agents.iter().enumerate() {
        assert_eq!((row["block"].as_str(), row["seed"].as_str()), (&*block.to_string(), "1"));
        assert!(number(&row["share_square"]) <= number(&row["share"]) + 1e-12, "{row:?}");
    }
    // Both rule sets, metric by metric; the manifest has the results of the pilot.
    let seats = table("1");
    assert!(seats[0].contains_key("seat-0_a") && seats[0].contains_key("seat-0_b"), "{seats:?}");
    let manifest = fs::read_to_string(dir.join("3/manifest.json")).unwrap();
    assert!(manifest.starts_with("{\"format\":\"caesar-comparison/1\""), "{manifest}");
    assert!(manifest.contains("\"pilot\":{\"means\":"), "{manifest}");
    let panel = &table("3")[0];
    // A single unbounded value has no spread, and no ratio.
    assert_eq!((&*panel["plies_llr_above"], &*panel["plies_llr_below"]), ("", ""), "{panel:?}");
    for name in ["plies_a", "score_b", "lead-changes_llr_above", "seat-2_verdict", "forfeits_a"] {
        assert!(panel.contains_key(name), "{name}: {panel:?}");
    }
    assert!(!table("2")[0].contains_key("verdict"), "a test of fixed length looks once");
}

#[test]
fn the_bytes_depend_on_the_seed_and_never_on_threads() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for (i, kind) in KINDS.iter().enumerate() {
        for threads in [1, 2, 5] {
            done(&format!("{kind} --quiet --threads {threads} --out {{}}/{i}-{threads}"), dir);
        }
        assert_same(&dir.join(format!("{i}-1")), &dir.join(format!("{i}-2")));
        assert_same(&dir.join(format!("{i}-1")), &dir.join(format!("{i}-5")));
        done(&format!("{kind} --quiet --seed 2 --out {{}}/{i}-other"), dir);
        assert_ne!(bytes(&dir.join(format!("{i}-1"))), bytes(&dir.join(format!("{i}-other"))));
    }
}

/// A comparison killed by signal 9 at random moments, again and again, ends with the bytes of an undisturbed one.
#[test]
fn a_comparison_that_is_killed_and_gone_on_with_ends_with_the_same_bytes() {
    let (alone, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = "compare --game pig --players 3 --agent greedy --agent mcts(iterations=40,rollout=uniform) \
               --agent greedy --set-b target=50 --metric plies --fixed 150 --quiet --out {}/run";
    let began = Instant::now();
    done(run, alone.path());
    let took = began.elapsed();
    let again = || command(&format!("{run} --resume --threads 2"), killed.path());
    killed_until_it_ends(took, 5, again, || rows(&killed.path().join("run")));
    done(&format!("{run} --resume"), killed.path());
    assert_same(&alone.path().join("run"), &killed.path().join("run"));
}

/// Any trace that a kill or a full disk leaves is repaired by resuming.
#[test]
fn traces_that_were_cut_anywhere_are_gone_on_with() {
    let whole = tempfile::tempdir().unwrap();
    let mut rng = rng::stream(6, 0, Purpose::Analysis);
    for (i, kind) in KINDS.iter().enumerate() {
        let run = format!("{kind} --quiet --out {{}}/{i}");
        let printed = table(&done(&run, whole.path()));
        let dir = whole.path().join(i.to_string());
        let read = |name: &str| fs::read(dir.join(name)).unwrap();
        let (trace, manifest, summary) =
            (read("trace.csv"), read("manifest.json"), read("summary.json"));
        for case in 0..7 {
            let cut = tempfile::tempdir().unwrap();
            let there = cut.path().join(i.to_string());
            fs::create_dir(&there).unwrap();
            fs::write(there.join("manifest.json"), &manifest).unwrap();
            let end = match case {
                0 => 0,
                1 => 10,
                2 => trace.iter().position(|&byte| byte == b'\n').unwrap() + 1,
                3 => trace.len(),
                _ => rng.below(trace.len() as u32) as usize,
            };
            fs::write(there.join("trace.csv"), &trace[..end]).unwrap();
            // An existing summary implies a complete trace.
            if case > 3 {
                fs::write(there.join("summary.json"), &summary).unwrap();
                fs::write(there.join("summary.json.caesar-tmp"), "half").unwrap();
            }
            let again = done(&format!("{run} --resume"), cut.path());
            assert_same(&dir, &there);
            assert_eq!(table(&again), printed);
        }
    }
}

#[test]
fn shards_merged_are_the_whole_comparison() {
    for kind in KINDS {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let whole = done(&format!("{kind} --quiet --out {{}}/whole"), dir);
        for shard in [3, 1, 2] {
            let text =
                done(&format!("{kind} --quiet --shard {shard}/3 --out {{}}/shard-{shard}"), dir);
            assert!(text.starts_with(&format!("shard {shard}/3: blocks ")), "{text}");
        }
        let merged =
            done("merge {}/shard-2 {}/shard-3 {}/shard-1 --quiet --sample 3 --out {}/merged", dir);
        assert_same(&dir.join("whole"), &dir.join("merged"));
        assert_eq!(table(&whole), table(&merged), "{kind}");
        let played: usize = (1..=3).map(|shard| rows(&dir.join(format!("shard-{shard}")))).sum();
        let used = rows(&dir.join("merged"));
        let unused = format!("the test ended after block {}: {} block", used - 1, played - used);
        assert_eq!(merged.contains(&unused), used < played, "{merged}");
        let json = done("merge {}/shard-1 {}/shard-2 {}/shard-3 --quiet --json --out {}/json", dir);
        assert_eq!(json.as_bytes(), fs::read(dir.join("json/summary.json")).unwrap());
    }
}

/// A sequential test ends where it would end on one machine; later shards may be missing.
#[test]
fn shards_behind_the_end_of_a_test_need_not_be_there_and_those_before_it_must() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "compare --game pig --agent random --agent greedy --max-blocks 60 --quiet";
    done(&format!("{run} --out {{}}/whole"), dir);
    assert!(rows(&dir.join("whole")) <= 20, "the effect is large");
    for shard in [1, 2, 3] {
        done(&format!("{run} --shard {shard}/3 --out {{}}/{shard}"), dir);
    }
    done("merge {}/1 --quiet --out {}/one", dir);
    done("merge {}/1 {}/3 --quiet --out {}/two", dir);
    assert_same(&dir.join("whole"), &dir.join("one"));
    assert_same(&dir.join("whole"), &dir.join("two"));
    let complaint = refused("merge {}/2 {}/3 --out {}/no", dir);
    assert!(complaint.contains("1 shard of 3 missing: 1/3"), "{complaint}");
    assert!(!dir.join("no").exists());
    // A test of fixed length needs all shards.
    let fixed = "compare --game pig --agent random --agent greedy --fixed 30 --quiet";
    for shard in [1, 2] {
        done(&format!("{fixed} --shard {shard}/3 --out {{}}/fixed-{shard}"), dir);
    }
    let complaint = refused("merge {}/fixed-1 {}/fixed-2 --out {}/no", dir);
    assert!(complaint.contains("1 shard of 3 missing: 3/3"), "{complaint}");
    let complaint = refused("merge {}/1 {}/fixed-2 --out {}/no", dir);
    assert!(complaint.contains("belongs to another run than") && complaint.contains("fixed: "));
    // A shard that was stopped before the end of the test.
    let trace = fs::read_to_string(dir.join("1/trace.csv")).unwrap();
    let few: String = trace.split_inclusive('\n').take(4).collect();
    fs::write(dir.join("1/trace.csv"), few).unwrap();
    let complaint = refused("merge {}/1 {}/2 {}/3 --out {}/no", dir);
    assert!(complaint.contains("it holds 3 of 20 blocks; --resume completes it"), "{complaint}");
    done(&format!("{run} --shard 1/3 --resume --out {{}}/1"), dir);
    assert_eq!(fs::read_to_string(dir.join("1/trace.csv")).unwrap(), trace);
}

#[test]
fn a_machine_that_computes_something_else_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "compare --game pig --agent random --agent greedy --fixed 8 --quiet";
    for shard in [1, 2] {
        done(&format!("{run} --shard {shard}/2 --out {{}}/{shard}"), dir);
    }
    let place = dir.join("2/trace.csv");
    let trace = fs::read_to_string(&place).unwrap();
    let forged = trace.lines().map(|line| {
        let (row, _) = line.rsplit_once(',').unwrap();
        let row = if row.starts_with("6,") {
            row.replacen("6,1,", "6,1,0.125,0.1,", 1)
        } else {
            return format!("{line}\n");
        };
        // One more number at the front of the values, and one fewer at their end.
        let fields: Vec<&str> = row.split(',').collect();
        let row = [&fields[..4], &fields[6..]].concat().join(",");
        let check = blake3::hash(row.as_bytes()).to_hex().to_string();
        format!("{row},{}\n", &check[..8])
    });
    fs::write(&place, forged.collect::<String>()).unwrap();
    assert_ne!(fs::read_to_string(&place).unwrap(), trace);
    let (code, _, complaint) = caesar("merge {}/1 {}/2 --sample 99 --out {}/no", dir);
    assert!(code == 1 && complaint.contains("block 6 has another result here"), "{complaint}");
    assert!(!dir.join("no").exists());
}

#[test]
fn the_directory_of_something_else_is_refused_and_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "compare --game pig --agent random --agent greedy --quiet --out {}/run";
    done(run, dir);
    let before = bytes(&dir.join("run"));
    let complaint = |changed: &str| refused(&format!("{run} --resume {changed}"), dir);
    for (changed, what) in [
        ("--seed 2", "holds another comparison (seed: 1 there, 2 here)"),
        ("--effect 0.1", "(effect: 0.05 there, 0.1 here)"),
        ("--max-blocks 500", "(max-blocks: 20000 there, 500 here)"),
        ("--fixed 30", "fixed: none there, 30 here"),
        ("--set target=50", "overrides: {} there, {\"target\":50} here"),
        ("--players 3", "players: 2 there, 3 here"),
        ("--shard 1/2", "shard: none there"),
        ("--set-b target=60 --metric plies --effect 3", "agents there, rule sets here"),
    ] {
        let complaint = complaint(changed);
        assert!(complaint.contains(what), "{changed}: {complaint}");
    }
    let tournament = "tournament --game pig --blocks 3 --quiet";
    let other = refused(&format!("{tournament} --out {{}}/run"), dir);
    assert!(other.contains("it is the manifest of a comparison and of no tournament"), "{other}");
    assert_eq!(bytes(&dir.join("run")), before);
    done(&format!("{tournament} --out {{}}/games"), dir);
    let games = bytes(&dir.join("games"));
    let other = refused("compare --game pig --agent random --agent greedy --out {}/games", dir);
    assert!(other.contains("it is the manifest of a tournament and of no comparison"), "{other}");
    assert_eq!(bytes(&dir.join("games")), games);
    let other = refused("merge {}/games {}/run --out {}/no", dir);
    assert!(other.contains("manifest.json: it is"), "{other}");
    let other = refused("replay {}/run --game 1", dir);
    assert!(other.contains("it is the manifest of a comparison"), "{other}");
    let checked = done("check {}/run", dir);
    assert!(checked.contains(", 0 with faults; the test agrees with the blocks"), "{checked}");
    let complaint = refused("merge {}/run --out {}/no", dir);
    assert!(complaint.contains("it holds a whole run and no shard"), "{complaint}");
}

#[test]
fn what_is_unfinished_damaged_or_forged_is_named_and_nothing_is_thrown_away() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "compare --game pig --agent random --agent greedy --quiet --out {}/run";
    done(run, dir);
    // A finished comparison is replaced on request, and the same one gives the same bytes.
    let before = bytes(&dir.join("run"));
    done(&format!("{run} --force"), dir);
    assert_eq!(bytes(&dir.join("run")), before);
    fs::remove_file(dir.join("run/summary.json")).unwrap();
    let complaint = refused(run, dir);
    assert!(complaint.contains("holds an unfinished comparison (caesar compare --game pig"));
    assert!(complaint.contains("--resume continues it"), "{complaint}");
    let place = dir.join("run/trace.csv");
    let good = fs::read_to_string(&place).unwrap();
    let refused_with = |text: &str, what: &str| {
        fs::write(&place, text).unwrap();
        let complaint = refused(&format!("{run} --resume"), dir);
        assert!(complaint.contains("trace.csv:") && complaint.contains(what), "{complaint}");
        assert_eq!(fs::read_to_string(&place).unwrap(), text);
    };
    refused_with(&good.replacen("\n1,1,", "\n1,2,", 1), "its checksum does not fit");
    refused_with(&good.replacen("block,seed", "seed,block", 1), "not the columns of this run");
    // A state that does not follow from the blocks, with a matching checksum.
    let row = good.lines().nth(2).unwrap().rsplit_once(',').unwrap().0;
    let forged = row.replace(",undecided", ",H1");
    let check = blake3::hash(forged.as_bytes()).to_hex().to_string();
    let line = format!("{forged},{}", &check[..8]);
    let forged = good.replacen(good.lines().nth(2).unwrap(), &line, 1);
    refused_with(&forged, "the state of the test disagrees with the blocks up to here");
    // Rows after the end of the test.
    let last = good.lines().last().unwrap().rsplit_once(',').unwrap().0;
    let (number, rest) = last.split_once(',').unwrap();
    let next = format!("{},{rest}", number.parse::<u64>().unwrap() + 1);
    let check = blake3::hash(next.as_bytes()).to_hex().to_string();
    refused_with(&format!("{good}{next},{}\n", &check[..8]), "the comparison ended before block");
    let (code, _, found) = caesar("check {}/run", dir);
    assert!(code == 1 && found.contains("the comparison ended before block"), "{found}");
    fs::write(&place, &good).unwrap();
    done(&format!("{run} --resume"), dir);
    assert_eq!(bytes(&dir.join("run")), before);
}

#[test]
fn options_that_do_not_go_together_are_refused_before_anything_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "compare --game pig --agent random --agent greedy";
    let complaint = |args: &str| refused(&format!("{run} {args}"), dir);
    assert!(complaint("--resume").contains("--out <DIR>"));
    assert!(complaint("--shard 1/2").contains("--out <DIR>"));
    assert!(complaint("--plan --out {}/a").contains("--plan"));
    assert!(complaint("--shard 3/2 --out {}/a").contains("expected I/N, shard I from 1 to N"));
    let few = complaint("--fixed 5 --shard 1/9 --out {}/a");
    assert!(few.contains("--shard 1/9: 5 blocks are too few for 9 shards"), "{few}");
    assert!(!dir.join("a").exists());
    done(&format!("{run} --quiet --shard 1/2 --fixed 10 --out {{}}/1"), dir);
    for option in ["--records {}/r", "--no-records", "--export seats", "--ratings", "--table x"] {
        let complaint = refused(&format!("merge {{}}/1 --out {{}}/a {option}"), dir);
        let name = option.split(' ').next().unwrap();
        assert!(complaint.contains(&format!("{name}: the shards are of a comparison")));
    }
    assert!(!dir.join("a").exists());
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_what_was_played_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let run = "compare --game pig --agent random --agent greedy(epsilon=1) --fixed 100000000 --out {}/run";
    let child =
        command(run, dir.path()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while rows(&dir.path().join("run")) == 0 && began.elapsed().as_secs() < 30 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let second = refused(&format!("{run} --resume"), dir.path());
    assert!(second.contains("another run is writing to it"), "{second}");
    let killed =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("the blocks are saved; the same command with --resume continues"));
    assert!(!dir.path().join("run/summary.json").exists());
    assert!(rows(&dir.path().join("run")) > 0);
}
