//! `caesar runs`, `caesar diff` and project files.

use std::fs;

use serde_json::Value as Json;

use crate::shared::{done_inside, inside};

#[test]
fn a_project_file_fills_in_what_the_command_line_leaves_out() {
    let dir = tempfile::tempdir().unwrap();
    let project = "game = \"pig\"\nplayers = 3\nagents = [\"greedy\", \"random\", \"random\"]\nseed = 7\nout = \"runs\"\n";
    fs::write(dir.path().join("caesar.toml"), project).unwrap();
    let own = done_inside("tournament --project --blocks 30 --json --quiet", dir.path());
    let typed =
        "tournament --game pig --players 3 --agent greedy --agent random --agent random --seed 7";
    let typed = done_inside(&format!("{typed} --blocks 30 --json --quiet"), dir.path());
    let told = |text: &str| {
        let mut json: Json = serde_json::from_str(text).unwrap();
        json["seconds"] = Json::Null;
        json
    };
    assert_eq!(told(&own), told(&typed));
    assert!(dir.path().join("runs/tournament/summary.json").is_file());
    let other = done_inside("tournament --project --seed 8 --out x --blocks 30 --json", dir.path());
    assert_eq!(told(&other)["seed"], 8);
    // Programs in the file need consent as programs in any file.
    let project = "game = \"pig\"\nagents = ['external(command=\"true\")', \"random\"]\n";
    fs::write(dir.path().join("caesar.toml"), project).unwrap();
    let (code, _, stderr) = inside("tournament --project --blocks 3", dir.path());
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("--run-programs"), "{stderr}");
    fs::write(dir.path().join("caesar.toml"), "gmae = \"pig\"\n").unwrap();
    let (code, _, stderr) = inside("tournament --project", dir.path());
    assert_eq!(code, 2);
    assert!(stderr.contains("caesar.toml: unknown field `gmae`"), "{stderr}");
    fs::remove_file(dir.path().join("caesar.toml")).unwrap();
    let (code, _, stderr) = inside("tournament --project", dir.path());
    assert_eq!(code, 2);
    assert!(stderr.contains("--project caesar.toml: "), "{stderr}");
}

#[test]
fn runs_are_listed_with_their_headlines_and_compared() {
    let dir = tempfile::tempdir().unwrap();
    for (out, seed) in [("a", 1), ("b", 2), ("c", 1)] {
        let run = "tournament --game pig --agent greedy --agent random --blocks 100 --quiet";
        done_inside(&format!("{run} --seed {seed} --out runs/{out}"), dir.path());
    }
    done_inside(
        "compare --game pig --agent greedy --agent random --quiet --out runs/d",
        dir.path(),
    );
    fs::create_dir(dir.path().join("runs/damaged")).unwrap();
    fs::write(dir.path().join("runs/damaged/manifest.json"), "{").unwrap();
    let list: Json = serde_json::from_str(&done_inside("runs --json", dir.path())).unwrap();
    let rows = list["runs"].as_array().unwrap();
    assert_eq!(rows.len(), 5, "{list}");
    let of = |run: &str| rows.iter().find(|row| row["run"] == run).unwrap();
    let headline = |run: &str| of(run)["headline"].as_str().unwrap();
    assert!(headline("runs/a").starts_with("first: random with 9"), "{list}");
    assert!(headline("runs/d").starts_with("greedy is worse than random"), "{list}");
    assert!(headline("runs/damaged").contains("damaged"), "{list}");
    assert_eq!((&of("runs/a")["games"], &of("runs/a")["what"]), (&200.into(), &"Ranking".into()));
    let when = of("runs/a")["when"].as_str().unwrap();
    assert!(when.len() == 16 && when.starts_with("20"), "{when}");

    let told =
        |args: &str| -> Json { serde_json::from_str(&done_inside(args, dir.path())).unwrap() };
    let two = told("diff runs/a runs/b --json");
    assert_eq!(two["requests"].as_array().unwrap().len(), 1, "{two}");
    assert_eq!(two["requests"][0]["setting"], "tournament.seed");
    let results = two["results"].as_array().unwrap();
    assert!(!results.is_empty() && results.iter().all(|row| row["verdict"] != "moved"), "{two}");
    let (code, text, _) = inside("diff runs/a runs/c", dir.path());
    assert_eq!(code, 0);
    assert!(text.contains("both runs have seed 1 and share their chance"), "{text}");
    assert!(!text.contains("verdict\n"), "{text}");
    let (code, _, stderr) = inside("diff runs/a runs/d", dir.path());
    assert_eq!(code, 2);
    assert!(stderr.contains("only runs of one kind"), "{stderr}");
}
