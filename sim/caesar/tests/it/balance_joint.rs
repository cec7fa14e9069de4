//! The command for joint draws of the rules, parts of several studies, bans by stage, and confirmed provinces.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

fn caesar(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_caesar")).args(args).output().unwrap()
}

fn fresh(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::remove_dir_all(&dir).unwrap_or_default();
    dir
}

fn at(dir: &Path) -> String {
    dir.display().to_string()
}

/// Returns the JSON of a successful command.
fn document(args: &[&str]) -> Json {
    let done = caesar(args);
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).unwrap()
}

/// The options of a small study: random games from the last stage on.
const SMALL: [&str; 8] = ["--agent", "random", "--stage", "4", "--blocks", "20", "--effect", "0.5"];

/// The options of a joint study. Points for the first in Egypt decide random games, so the worth of a token there
/// survives; a range of prices that nobody pays changes nothing.
const DRAWS: [&str; 9] = [
    "balance",
    "rules",
    "--study",
    "provinces",
    "--range",
    "province.egypt.vp=[[100, 5], [120, 5]]",
    "--joint-draws",
    "20",
    "--quiet",
];

#[test]
fn joint_draws_say_what_survives_and_their_parts_are_put_together() {
    let whole = fresh("joint-whole");
    let rules = fresh("joint-rules.toml");
    fs::write(&rules, "[[province]]\nid = \"egypt\"\nvp = [110, 5]\n").unwrap();
    let rules = at(&rules);
    let args = [&DRAWS[..], &SMALL, &["--name", "egypt", "--rules", &rules, "--json"]].concat();
    let json = document(&[&args[..], &["--out", &at(&whole)]].concat());
    assert_eq!((&json["draws"], &json["draw_blocks"]), (&Json::from(20), &Json::from(20)));
    let token = &json["joint"][0];
    assert_eq!(token["statement"], "egypt token, stage 4");
    assert_eq!(
        token["survives"],
        token["found"].as_bool().unwrap() && token["same_sign"].as_u64() >= Some(19)
    );
    assert!(token["power"].as_f64().is_some_and(|p| (0.0..=1.0).contains(&p)), "{token}");
    assert_eq!(token["mean"]["n"], 20);

    let [one, two] = [fresh("joint-1"), fresh("joint-2")];
    for (dir, part) in [(&one, "1/2"), (&two, "2/2")] {
        let done = caesar(&[&args[..], &["--out", &at(dir), "--shard", part]].concat());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    for entry in fs::read_dir(&two).unwrap() {
        let entry = entry.unwrap();
        fs::rename(entry.path(), one.join(entry.file_name())).unwrap();
    }
    let joined = document(&[&args[..], &["--out", &at(&one), "--resume"]].concat());
    assert_eq!(joined, json);
}

#[test]
fn parts_of_all_studies_are_joined_study_by_study() {
    let args = ["balance", "all", "--game", "pig", "--agent", "random"];
    let args = [&args[..], &["--blocks", "60", "--effect", "0.5", "--quiet", "--json"]].concat();
    let whole = document(&args);
    let [one, two, joined] = [fresh("all-1"), fresh("all-2"), fresh("all-joined")];
    for (dir, part) in [(&one, "1/2"), (&two, "2/2")] {
        let done = caesar(&[&args[..], &["--out", &at(dir), "--shard", part]].concat());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let merge = |more: &[&str]| {
        let parts = ["merge", &at(&two), &at(&one), "--out", &at(&joined), "--quiet"];
        let done = caesar(&[&parts[..], more].concat());
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let (code, text) = merge(&["--json"]);
    assert!(code == Some(2) && text.contains("several studies"), "{text}");
    let aside = fresh("all-aside");
    fs::rename(two.join("game"), &aside).unwrap();
    let (code, text) = merge(&[]);
    assert!(code == Some(2) && text.contains(&at(&two.join("game"))), "{text}");
    assert!(!joined.exists(), "nothing is written before every study is found");
    fs::rename(&aside, two.join("game")).unwrap();
    let (code, text) = merge(&[]);
    assert_eq!(code, Some(0), "{text}");
    let resumed = document(&[&args[..], &["--out", &at(&joined), "--resume"]].concat());
    assert_eq!(resumed, whole);
}

#[test]
fn ranges_that_say_nothing_are_refused_before_anything_is_played() {
    for (more, expected) in [
        (&["--range", "options.round=[3, 4]"][..], "rounds"),
        (&["--range", "options.rounds=[3, 0]"], "options.rounds=0"),
        (&["--range", "options.rounds=3"], "a list of two values or more"),
        (&["--range", "options.rounds"], "KEY=[VALUE, VALUE]"),
        (&["--joint-draws", "30"], "no rule is drawn"),
        (&["--ranges", "nowhere.toml"], "nowhere.toml"),
        (&["--range", "options.rounds=[3, 4]", "--set", "options.seasons=3"], "cannot be used"),
        (&["--range", "options.rounds=[3, 4]", "--joint-draws", "5"], "out of range"),
    ] {
        let refused = caesar(&[&["balance", "rules", "--study", "cards"][..], more].concat());
        let text = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{more:?}: {text}");
        assert!(text.contains(expected) && text.lines().count() <= 3, "{more:?}: {text}");
    }
}

#[test]
fn bans_are_for_the_game_or_for_each_stage() {
    let args = ["balance", "cards", "--name", "politician", "--quiet", "--json"];
    let args = [&args[..], &SMALL].concat();
    let games = |bans: &str| {
        let json = document(&[&args[..], &["--bans", bans]].concat());
        (json["games"].as_u64().unwrap(), json["cards"][0]["ban"].clone())
    };
    let (none, nothing) = games("none");
    let (game, whole) = games("game");
    let (stages, stage) = games("stages");
    assert!(nothing.is_null() && whole["n"] == 20 && stage["n"] == 20, "{nothing} {whole} {stage}");
    assert_eq!((game - none, stages - none), (80, 80));
    assert_ne!(whole, stage, "another ban");
}

#[test]
fn tokens_that_the_screen_finds_are_given_once_more_on_fresh_seeds() {
    let rules = fresh("confirmed-rules.toml");
    fs::write(&rules, "[[province]]\nid = \"egypt\"\nvp = [110, 5]\n").unwrap();
    let args = ["balance", "provinces", "--name", "egypt", "--quiet", "--json", "--rules"];
    let rules = at(&rules);
    let json = document(&[&args[..], &[&rules], &SMALL].concat());
    let (screen, again) = (&json["provinces"][0], &json["confirmed"][0]);
    assert_eq!(screen["decided"], true, "{screen}");
    assert_eq!((&again["province"], &again["token"]["n"]), (&Json::from("egypt"), &Json::from(20)));
    assert_ne!(screen["token"], again["token"], "other seeds");
}
