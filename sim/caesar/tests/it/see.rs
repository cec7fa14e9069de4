//! Output for people: the story of games, replays, reports.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use sim::catalogue::NAMES;

use crate::shared::{Ran, command_at, done_at, ran};

fn at(args: &str, dir: &Path) -> Ran {
    ran(&mut command_at(args, dir))
}

/// Plays a block of `game` into `{}/NAME.jsonl`.
fn record(game: &str, dir: &Path) -> String {
    let file = format!("{{}}/{game}.jsonl");
    done_at(&format!("tournament --game {game} --blocks 1 --records {file} --quiet"), dir);
    file
}

#[test]
fn every_game_is_told_and_drawn_and_nobody_is_called_a_player() {
    let dir = tempfile::tempdir().unwrap();
    for game in NAMES {
        let file = record(game, dir.path());
        let printed = done_at(&format!("show {file} --game 1"), dir.path());
        assert!(printed.starts_with(&format!("game 1: {game} for ")), "{printed}");
        assert!(printed.contains("  end after ") && printed.contains("seat "), "{printed}");
        let is_player = |line: &&str| line.trim_start().starts_with("player ");
        assert_eq!(printed.lines().find(is_player), None, "{game}");
        // The main games have their own sentences instead of plain record lines.
        if ["conquest2", "classic", "rise", "hannibal", "circus"].contains(game) {
            let is_read_out = |line: &&str| line.contains(" plays ");
            assert_eq!(printed.lines().find(is_read_out), None, "{game}");
        }
        let brief = done_at(&format!("show {file} --game 1 --brief"), dir.path());
        let full = done_at(&format!("show {file} --game 1 --full"), dir.path());
        assert!(brief.len() <= printed.len() && printed.len() < full.len(), "{game}");
        assert!(full.contains("  [1 of "), "{full}");
        let boards = done_at(&format!("show {file} --game 1 --boards"), dir.path());
        assert!(boards.contains("        | "), "{game}: {boards}");
        let page = dir.path().join("page.html");
        let drawn = format!("show {file} --game 1 --html {{}}/page.html --force");
        done_at(&drawn, dir.path());
        let first = fs::read(&page).unwrap();
        done_at(&drawn, dir.path());
        assert_eq!(first, fs::read(&page).unwrap(), "{game}: not the same bytes");
        let text = String::from_utf8(first).unwrap();
        assert!(text.contains("class=\"replay-data\"") && text.contains("Content-Security-Policy"));
    }
}

#[test]
fn a_replay_with_an_analysis_lists_the_costliest_moves_where_they_were_chosen() {
    let dir = tempfile::tempdir().unwrap();
    let record = "tournament --game connect-four --agent random --agent random --blocks 1 --records {}/g.jsonl --quiet";
    done_at(record, dir.path());
    let page = |more: &str| {
        done_at(
            &format!("show {{}}/g.jsonl --game 1 --html {{}}/p.html --force{more}"),
            dir.path(),
        );
        fs::read_to_string(dir.path().join("p.html")).unwrap()
    };
    let text = page(" --analyse mcts(iterations=200)");
    let (_, list) = text.split_once("Costliest moves of all seats").unwrap();
    let moves: Vec<&str> = list.split("data-frame=\"").skip(1).collect();
    assert!(!moves.is_empty() && moves.len() <= 8, "{}", moves.len());
    for text in moves {
        // Nothing but choices in turn: before an even number of events the first seat chooses.
        let frame: usize = text[..text.find('"').unwrap()].parse().unwrap();
        let line = &text[..text.find("</li>").unwrap()];
        assert!(line.contains(&format!("seat {}: ", 1 + frame % 2)), "{line}");
    }
    assert!(!page("").contains("Costliest"));
}

#[test]
fn a_game_that_is_watched_is_the_game_of_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let args = "tournament --game conquest2 --agent greedy --agent greedy --agent random --agent random --blocks 1 \
                --records {}/g.jsonl --watch game=3 --quiet";
    let (code, stdout, watched) = at(args, dir.path());
    assert_eq!(code, 0, "{watched}");
    assert!(
        stdout.starts_with("Standings in conquest2"),
        "the table stands on stdout as ever: {stdout}"
    );
    let printed = done_at("show {}/g.jsonl --game 3", dir.path());
    let story = |text: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| !line.starts_with("    "));
        lines.map(str::to_owned).filter(|line| !line.is_empty()).collect()
    };
    assert_eq!(story(&watched), story(&printed));
    // The older option counts from 0, and a message states it.
    let (code, _, older) =
        at(&args.replace("game=3", "2").replace("g.jsonl", "h.jsonl"), dir.path());
    let (first, rest) = older.split_once('\n').unwrap();
    assert!(
        first.contains("--watch 2 counts from 0") && first.contains("write --watch game=3"),
        "{first}"
    );
    assert_eq!((code, rest), (0, watched.as_str()));
    let (code, _, refused) = at("tournament --game pig --blocks 1 --watch game=9", dir.path());
    assert_eq!(code, 2);
    assert!(refused.contains("--watch game=9: the run has games 1 to 2"), "{refused}");
}

#[test]
fn a_record_that_is_cut_is_named_and_the_good_ones_are_drawn() {
    let dir = tempfile::tempdir().unwrap();
    record("goofspiel", dir.path());
    let place = dir.path().join("goofspiel.jsonl");
    let text = fs::read_to_string(&place).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&place, lines[..lines.len() - 4].join("\n")).unwrap();
    let (code, _, complaint) = at("show {}/goofspiel.jsonl --html {}/page.html", dir.path());
    assert_eq!(code, 1);
    assert!(complaint.contains("without an end line"), "{complaint}");
    assert!(complaint.contains("page.html: 1 game, "), "{complaint}");
    let (code, _, complaint) = at("show {}/goofspiel.jsonl --html {}/no/page.html", dir.path());
    assert_eq!(code, 1, "{complaint}");
    assert!(complaint.contains("no/page.html"), "{complaint}");
}

#[test]
fn a_report_is_the_same_for_the_same_results_and_says_what_they_say() {
    let dir = tempfile::tempdir().unwrap();
    let run = "tournament --game hannibal --blocks 30 --agent best=greedy --agent random --out {}/run \
               --records {}/run/games.jsonl --quiet";
    done_at(run, dir.path());
    let ladder = "ladder --game hannibal --agent mcts(iterations=?) --values 5,10 --effect 0.2 --max-blocks 30 \
                  --out {}/ladder --quiet";
    done_at(ladder, dir.path());
    let report = "report {}/run {}/ladder --out {}/report.html --replays 2 --force";
    let (code, stdout, printed) = at(report, dir.path());
    assert_eq!((code, stdout.as_str()), (0, ""), "{printed}");
    let page = dir.path().join("report.html");
    let first = fs::read_to_string(&page).unwrap();
    done_at(report, dir.path());
    assert_eq!(first, fs::read_to_string(&page).unwrap());
    let summary: Json =
        serde_json::from_str(&fs::read_to_string(dir.path().join("run/summary.json")).unwrap())
            .unwrap();
    let share = draw::plot::number(100.0 * summary["agents"][0]["share"].as_f64().unwrap());
    assert!(first.contains(&format!("best: {share} [")), "the share of the summary: {share}");
    for part in [
        "Learning curve",
        "Cross table",
        " choices on average.",
        "caesar tournament ",
        "caesar ladder ",
        "seat 1",
    ] {
        assert!(first.contains(part), "{part}");
    }
    assert_eq!(first.matches("class=\"replay\"").count(), 2);
    let sections = first.matches("<h2 ").count();
    assert_eq!(sections, 6, "in short, in words, ranking, ladder, replays, origins");
}

/// Fans are drawn for a study of game dynamics and for a tournament with records, but not if the model is wrong for
/// the agents.
#[test]
fn fans_of_chances_are_drawn_where_the_games_do_not_refuse_the_model() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    let agent = "greedy(epsilon=0.3)";
    let game = "balance game --game pig --fit-games 2000 --games 500 --deals 0 --steps 0 --restrictions 40 --quiet";
    done_at(&format!("{game} --agent {agent} --out {{}}/game"), path);
    let run = "tournament --game pig --quiet --blocks 300";
    for (name, agents) in [("same", [agent; 2]), ("other", ["random", "greedy"])] {
        let agents = agents.map(|agent| format!("--agent {agent}")).join(" ");
        let keep = format!("--out {{}}/{name} --records {{}}/{name}/games.jsonl");
        done_at(&format!("{run} {agents} {keep}"), path);
    }
    done_at(&format!("{run} --out {{}}/bare"), path);
    let page = |dirs: &str| {
        done_at(&format!("report {dirs} --out {{}}/page.html --force --replays 0 --quiet"), path);
        fs::read_to_string(path.join("page.html")).unwrap()
    };
    let model = "--model {}/game/model.json";
    let fans = |page: &str| page.matches("class=\"median\"").count();
    // The leader, the winner and two seats.
    let course = page("{}/game");
    assert_eq!(fans(&course), 4);
    assert!(
        course.contains("median chance to win over 500 games")
            && course.contains("caesar balance game ")
    );
    let same = page(&format!("{{}}/same {model}"));
    assert_eq!(same, page(&format!("{{}}/same {model}")));
    assert_eq!(fans(&same), 4, "{same}");
    for part in [
        "from 600 recorded games of this run",
        "Suspense, surprise and decision",
        "lead changes in chance",
    ] {
        assert!(same.contains(part), "{part}");
    }
    let other = page(&format!("{{}}/other {model}"));
    assert_eq!(fans(&other), 0, "the model is of another agent");
    assert!(
        other.contains("are withheld by the model")
            && other.contains("on 600 recorded games of this run the ")
    );
    assert!(page(&format!("{{}}/bare {model}")).contains("it has no records"));
    // A damaged record is named, and the others count.
    let records = path.join("same/games.jsonl");
    let text = fs::read_to_string(&records).unwrap();
    fs::write(&records, text.replacen("\"player\":0", "\"player\":1", 1)).unwrap();
    let damaged = page(&format!("{{}}/same {model}"));
    assert!(
        damaged.contains("1 game with a record that disagrees with the checksum in games.csv")
            && damaged.contains("from 599 recorded games")
    );
}

#[test]
fn what_cannot_be_reported_is_refused_in_a_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    done_at("tournament --game pig --blocks 3 --out {}/a --quiet", path);
    done_at("tournament --game hannibal --blocks 3 --out {}/c --quiet", path);
    fs::create_dir(path.join("empty")).unwrap();
    fs::create_dir(path.join("damaged")).unwrap();
    fs::write(path.join("damaged/manifest.json"), "{\"format\":").unwrap();
    let manifest = fs::read_to_string(path.join("a/manifest.json")).unwrap();
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    fs::create_dir(path.join("old")).unwrap();
    let old = manifest.replace(&version, "\"version\":\"0.0.1\"");
    fs::write(path.join("old/manifest.json"), old).unwrap();
    fs::create_dir(path.join("other")).unwrap();
    fs::write(path.join("other/manifest.json"), "{\"format\":\"another/1\"}").unwrap();
    for (args, complaint) in [
        ("report {}/empty --out {}/r.html", "empty: it holds no results"),
        ("report {}/none --out {}/r.html", "none"),
        ("report {}/damaged --out {}/r.html", "manifest.json: it is damaged"),
        ("report {}/old --out {}/r.html", "old: it was written by version 0.0.1"),
        ("report {}/other --out {}/r.html", "its format \"another/1\" is none of ours"),
        ("report {}/a {}/c --out {}/r.html", "are of pig and of hannibal"),
        ("report {}/a --out {}/a/games.csv", "are one file; name another"),
        ("report {}/a", "--out <FILE>"),
    ] {
        let (code, stdout, stderr) = at(args, path);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args}: {stderr}");
        assert!(stderr.contains(complaint), "{args}: {stderr}");
        assert!(stderr.lines().count() <= 2, "{args}: {stderr}");
        assert!(!path.join("r.html").exists(), "{args}");
    }
    // Missing parent directories are created.
    let (code, _, stderr) = at("report {}/a --out {}/none/r.html", path);
    assert_eq!(code, 0, "{stderr}");
    assert!(path.join("none/r.html").is_file());
}

#[test]
fn an_unfinished_run_is_reported_with_a_caveat() {
    let dir = tempfile::tempdir().unwrap();
    done_at("tournament --game pig --blocks 20 --out {}/run --quiet", dir.path());
    let rows = dir.path().join("run/games.csv");
    let text = fs::read_to_string(&rows).unwrap();
    let kept: String = text.lines().take(21).map(|line| format!("{line}\n")).collect();
    fs::write(&rows, kept).unwrap();
    fs::remove_file(dir.path().join("run/summary.json")).unwrap();
    done_at("report {}/run --out {}/r.html", dir.path());
    let page = fs::read_to_string(dir.path().join("r.html")).unwrap();
    assert!(page.contains("the run is unfinished: 20 of 40 games"), "{page}");
}
