//! `caesar improve`: the road to a better agent.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use crate::shared::{command, done_inside, inside, ran};

/// An agent with far too much noise, in a fast game.
const NOISY: &str = "improve --game pig --agent greedy(epsilon=0.6) --against random --held-out mcts(iterations=2) \
                     --quick --quiet --json --out";

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn step<'a>(said: &'a Json, name: &str) -> &'a Json {
    let mut steps = said["steps"].as_array().unwrap().iter();
    steps.find(|step| step["name"] == name).unwrap_or_else(|| panic!("{name}: {said}"))
}

/// Returns the words of a printed command after `caesar`. No word here has blanks other than within quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for c in command.chars() {
        match c {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words[1..].to_vec()
}

#[test]
fn a_noisy_agent_is_improved_and_each_step_is_that_of_its_printed_command() {
    let dir = tempfile::tempdir().unwrap();
    let text = done_inside(&format!("{NOISY} up"), dir.path());
    let said: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (said["format"].as_str(), said["verdict"].as_str()),
        (Some("caesar-improve/1"), Some("better"))
    );
    assert!(said["answer"].as_str().unwrap().starts_with("Use greedy("), "{said}");
    assert!(said["answer"].as_str().unwrap().contains(" % of share ["), "{said}");
    assert_eq!(read(dir.path(), "up/winner.txt").trim(), said["agent"].as_str().unwrap());
    assert_eq!(read(dir.path(), "up/summary.json"), text);
    let answer = read(dir.path(), "up/answer.txt");
    for name in ["tune", "report-2"] {
        let printed = step(&said, name)["command"].as_str().unwrap();
        assert!(answer.contains(printed), "{answer}");
        let mut again = command("");
        let (code, stdout, stderr) =
            ran(again.args(words(printed)).args(["--json", "--quiet"]).current_dir(dir.path()));
        assert_eq!(code, 0, "{printed}: {stderr}");
        assert_eq!(stdout, read(dir.path(), &format!("up/{name}/summary.json")), "{printed}");
    }
    // Results depend neither on threads nor on an interruption.
    assert_eq!(done_inside(&format!("{NOISY} up --resume"), dir.path()), text);
    fs::remove_file(dir.path().join("up/summary.json")).unwrap();
    fs::remove_dir_all(dir.path().join("up/report-2")).unwrap();
    assert_eq!(done_inside(&format!("{NOISY} up --resume --threads 1"), dir.path()), text);
}

/// The first guesses at the weights are found to be bad. The fitted file is that of the printed command.
#[test]
fn bad_weights_are_found_and_better_ones_accepted() {
    let dir = tempfile::tempdir().unwrap();
    let road = "improve --game hannibal --agent greedy(preset=2026-11-22) --against greedy \
                --held-out greedy(epsilon=0.2) --quick --quiet --json --out up";
    let said: Json = serde_json::from_str(&done_inside(road, dir.path())).unwrap();
    assert_eq!(said["verdict"], "better", "{said}");
    let gains = said["answer"].as_str().unwrap();
    assert!(gains.contains(" against greedy(preset=2026-11-22); "), "{gains}");
    assert!(gains.ends_with(" against greedy(epsilon=0.2)"), "{gains}");
    let steps: Vec<&str> = said["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["name"].as_str().unwrap())
        .collect();
    assert_eq!(steps[..2], ["fit", "compare"], "{said}");
    assert!(steps.contains(&"tune") && steps.contains(&"report-2"), "{said}");
    let printed = step(&said, "fit")["command"].as_str().unwrap().replace("up/fit", "again");
    let mut again = command("");
    let (code, _, stderr) = ran(again.args(words(&printed)).current_dir(dir.path()));
    assert_eq!(code, 0, "{printed}: {stderr}");
    assert_eq!(read(dir.path(), "again/weights.toml"), read(dir.path(), "up/fit/weights.toml"));
}

/// Noise changes nothing in tic-tac-toe, where greedy play is random play.
#[test]
fn where_nothing_can_be_improved_the_start_stays() {
    let dir = tempfile::tempdir().unwrap();
    let worlds = 40;
    let mut kept = 0;
    for seed in 1..=worlds {
        let road = format!(
            "improve --game tic-tac-toe --agent greedy(epsilon=0.5) --against random --held-out mcts(iterations=2) \
             --quick --quiet --json --seed {seed} --out w{seed}"
        );
        let said: Json = serde_json::from_str(&done_inside(&road, dir.path())).unwrap();
        let is_kept = said["agent"] == said["start"];
        assert_eq!(is_kept, said["verdict"] != "better", "{said}");
        if said["candidate"].is_null() {
            let answer = said["answer"].as_str().unwrap();
            assert!(answer.starts_with("Nothing better was found: keep"), "{answer}");
            assert!(said["decides"].as_str().unwrap().contains(" % "), "{said}");
        }
        kept += u64::from(is_kept);
    }
    assert!(100 * kept >= 95 * worlds, "{kept} of {worlds}");
}

#[test]
fn what_cannot_be_improved_is_refused_in_a_line() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("there")).unwrap();
    fs::write(dir.path().join("there/summary.json"), "{}").unwrap();
    fs::create_dir(dir.path().join("run")).unwrap();
    let document = "{\"format\":\"caesar-improve/1\",\"command\":\"caesar improve --game pig\"}";
    fs::write(dir.path().join("run/improve.json"), document).unwrap();
    for (args, complaint) in [
        ("--game pig --agent random --out x", "random: nothing of it can be improved in pig"),
        ("--game hannibal --agent external(command=x) --out x", "a program has no weights"),
        ("--game hannibal --agent mcts(seconds=1) --out x", "no two runs of it are alike"),
        ("--game hannibal --agent greedy(weights=none.toml) --out x", "none.toml"),
        ("--game hannibal --agent greedy(weights.marsh=1) --out x", "nearest: march"),
        ("--game hannibal --players 3 --out x", "hannibal is for 2 players"),
        ("--game hannibal --held-out mcts(iterations=20) --out x", "it is also in the pool"),
        ("--game hannibal --quick --full --out x", "cannot be used"),
        ("--game hannibal --format csv --out x", "sentences are no table"),
        ("--game hannibal", "--out <DIR>"),
        ("--game hannibal --out there", "there: summary.json exists and belongs to no run"),
        ("--game hannibal --out run", "run of improve (caesar improve --game pig)"),
        ("--game hannibal --out run --resume", "another command"),
    ] {
        let (code, stdout, stderr) = inside(&format!("improve {args}"), dir.path());
        assert_eq!((code, stdout.as_str()), (2, ""), "{args}: {stderr}");
        assert!(stderr.contains(complaint) && stderr.lines().count() <= 2, "{args}: {stderr}");
        assert!(!dir.path().join("x").exists(), "{args}: nothing is made");
    }
    let (code, _, stderr) =
        inside("compare --game pig --agent greedy --agent random --out run", dir.path());
    assert!(code == 2 && stderr.contains("a run of improve"), "{stderr}");
}

#[test]
fn the_plan_has_the_games_of_each_step() {
    let dir = tempfile::tempdir().unwrap();
    let road =
        "improve --game hannibal --quick --plan --against random --held-out greedy(epsilon=0.2)";
    let plan: Json =
        serde_json::from_str(&done_inside(&format!("{road} --json"), dir.path())).unwrap();
    let steps = plan["steps"].as_array().unwrap();
    let names: Vec<&str> = steps.iter().map(|step| step["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["fit", "compare", "held-out", "tune", "report-2"]);
    let sum: u64 = steps.iter().map(|step| step["most_games"].as_u64().unwrap()).sum();
    assert_eq!(plan["most_games"].as_u64(), Some(sum));
    let text = done_inside(road, dir.path());
    assert!(text.contains("in all") && text.contains("finds"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

/// The few games of a quick run are enough for the search, however many weights a game has.
#[test]
fn games_of_many_and_few_weights_have_a_quick_road() {
    let dir = tempfile::tempdir().unwrap();
    for game in ["conquest2", "hannibal", "imperium"] {
        let road = format!("improve --game {game} --agent greedy --quick --plan --json");
        let plan: Json = serde_json::from_str(&done_inside(&road, dir.path())).unwrap();
        let tune = plan["steps"].as_array().unwrap().iter().find(|step| step["name"] == "tune");
        assert!(tune.unwrap()["most_games"].as_u64() >= Some(3_000), "{game}: {plan}");
    }
}

/// A run that is interrupted in a step goes on with the same result.
#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on_to_the_same_bytes() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let dir = tempfile::tempdir().unwrap();
    let whole = done_inside(&format!("{NOISY} whole"), dir.path());
    let args = format!("{NOISY} cut --threads 1");
    let mut road = command(&args);
    road.current_dir(dir.path()).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = road.spawn().unwrap();
    let log = dir.path().join("cut/tune/log.csv");
    let since = Instant::now();
    while fs::metadata(&log).map_or(0, |meta| meta.len()) < 2_000 {
        assert!(since.elapsed() < Duration::from_secs(60), "the search has not begun");
        std::thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    // A machine that is fast enough has finished.
    if output.status.code() != Some(0) {
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        assert!(stderr.contains("--resume continues"), "{stderr}");
        assert!(!dir.path().join("cut/summary.json").exists());
    }
    let resumed = done_inside(&format!("{NOISY} cut --resume"), dir.path());
    assert_eq!(resumed.replace("--out cut", "--out whole"), whole);
}
