//! Determinism: the same command gives the same bytes on any number of threads.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use agents::{AgentSpec, Playable};
use engine::Rules;
use sim::catalogue::{NAMES, Setup, WithGame, with_game};
use sim::event::GameResult;
use sim::game_loop::Address;
use sim::play::Arena;
use sim::schedule::Timetable;

use crate::shared::{command, ended};

/// Returns all output of a tournament, without the line with the speed.
fn output(dir: &Path, game: &str, players: &str, threads: &str) -> Vec<(String, String)> {
    // The manifest names the file of records relative to its directory.
    let (out, records) = (dir.join(threads).join("out"), dir.join(threads).join("records.jsonl"));
    fs::create_dir(dir.join(threads)).unwrap();
    let mut command = command("");
    command.args(["tournament", "--game", game, "--players", players, "--threads", threads]);
    if game == "conquest2" {
        // Its own line-up has a slow search; searches are compared below.
        let agents = ["greedy", "greedy(epsilon=0.02)", "greedy(epsilon=0.1)", "random"];
        command.args(agents.iter().flat_map(|agent| ["--agent", agent]));
    }
    command.args(["--blocks", "40", "--seed", "7", "--quiet"]);
    command.arg("--out").arg(&out).arg("--records").arg(&records);
    let stdout = String::from_utf8_lossy(&ended(0, &mut command).stdout).into_owned();
    let (speed, table): (Vec<&str>, Vec<&str>) =
        stdout.lines().partition(|line| line.contains("games/s"));
    assert_eq!(speed.len(), 1);
    let mut files = vec![("stdout".to_owned(), table.join("\n"))];
    for path in ["games.csv", "summary.json", "manifest.json"].map(|name| out.join(name)) {
        files.push((path.file_name().unwrap().display().to_string(), read(&path)));
    }
    files.push(("records".to_owned(), read(&records)));
    assert_eq!(fs::read_dir(&out).unwrap().count(), 3, "nothing else is left behind");
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    let mut cases = vec![("pig", "3"), ("goofspiel", "2"), ("kuhn-poker", "2")];
    if NAMES.contains(&"conquest2") {
        cases.push(("conquest2", "4"));
    }
    for (game, players) in cases {
        let dir = tempfile::tempdir().unwrap();
        let one = output(dir.path(), game, players, "1");
        for threads in ["2", "8"] {
            let many = output(dir.path(), game, players, threads);
            for ((name, a), (_, b)) in one.iter().zip(&many) {
                assert!(a == b, "{game}: {name} differs between 1 and {threads} threads");
            }
        }
    }
}

#[test]
fn what_searches_did_does_not_depend_on_the_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let summary = |threads: &str| {
        let out = dir.path().join(threads);
        let mut command = command("");
        command.args(["tournament", "--blocks", "3", "--seed", "7", "--quiet", "--players", "2"]);
        command.args([
            "--agent",
            "mcts(iterations=15)",
            "--agent",
            "pimc(iterations=10, worlds=2)",
        ]);
        ended(0, command.args(["--threads", threads]).arg("--out").arg(&out));
        read(&out.join("summary.json"))
    };
    let one = summary("1");
    assert!(one.contains("\"left_macros\""), "{one}");
    assert_eq!(one, summary("3"));
}

#[test]
fn games_csv_has_a_row_a_game_and_a_column_a_seat() {
    let dir = tempfile::tempdir().unwrap();
    let files = output(dir.path(), "pig", "3", "2");
    let games = &files.iter().find(|(name, _)| name == "games.csv").unwrap().1;
    let mut rows = csv::Reader::from_reader(games.as_bytes());
    let header = rows.headers().unwrap().iter().collect::<Vec<_>>().join(",");
    assert_eq!(
        header,
        "game,block,seed,seating,agent_0,agent_1,agent_2,points_0,points_1,points_2,score_0,score_1,score_2,plies,\
         forfeit,search,rules,record,check"
    );
    let rows: Vec<_> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 120);
    let seats = ["random", "greedy", "random"];
    assert_eq!(
        rows[4].iter().take(7).collect::<Vec<_>>(),
        [&["4", "1", "7", "2 0 1"][..], &seats].concat()
    );
}

#[test]
fn games_of_a_block_meet_the_same_chance() {
    let dir = tempfile::tempdir().unwrap();
    let files = output(dir.path(), "kuhn-poker", "2", "1");
    let deals: Vec<&str> =
        files[4].1.lines().filter(|line| line.starts_with(r#"{"chance":"deal""#)).collect();
    assert_eq!(deals.len(), 80);
    assert!(deals.chunks(2).all(|block| block[0] == block[1]));
    assert!(deals.chunks(2).any(|block| block[0] != deals[0]));
}

#[test]
fn the_manifest_plays_the_run_again() {
    let dir = tempfile::tempdir().unwrap();
    let files = output(dir.path(), "pig", "2", "2");
    let manifest: serde_json::Value = serde_json::from_str(&files[3].1).unwrap();
    assert_eq!(
        manifest["command"],
        "caesar tournament --game pig --players 2 --agent greedy --agent random \
         --schedule balanced --blocks 40 --seed 7"
    );
    assert_eq!(manifest["rules_hash"].as_str().unwrap().len(), 64);
    assert_eq!(manifest["tournament"]["agents"], serde_json::json!(["greedy", "random"]));
}

#[test]
fn agents_play_the_same_whether_reused_or_fresh() {
    struct Compare;
    impl WithGame for Compare {
        type Output = ();
        fn run<G: Playable>(self, game: G, _rules: &Rules) {
            let spec: AgentSpec = "greedy".parse().unwrap();
            let build = |_: usize| spec.build(&game).unwrap();
            let mut reused = Arena::new(&game, &build);
            for index in 0..12 {
                let address = Address::of_game(3, index);
                let seating = Timetable::balanced(game.n_players()).seating(index);
                let a = reused.play(address, seating, None).unwrap();
                let b = Arena::new(&game, &build).play(address, seating, None).unwrap();
                let seen = |result: &GameResult| (result.points, result.scores, result.plies);
                assert_eq!(seen(&a), seen(&b), "{} game {index}", G::about().name);
            }
        }
    }
    for name in NAMES {
        with_game(&Setup::new(name), Compare).unwrap();
    }
}

/// Returns `games.csv` of a few games between searches, one of which grows three trees at once.
fn searched_games(dir: &Path, game: &str, players: &str, threads: &str) -> String {
    let out = dir.join(format!("searched-{threads}"));
    let mut command = command("");
    command.args(["tournament", "--game", game, "--players", players, "--threads", threads]);
    let second = match game {
        "kuhn-poker" => "mcts(iterations=100, select=regret, origin=start)",
        _ => "mcts(iterations=24)",
    };
    command.args(["--agent", "mcts(iterations=24, trees=3)", "--agent", second]);
    if players == "3" {
        command.args(["--agent", "random"]);
    }
    command.args(["--blocks", if game == "conquest2" { "1" } else { "12" }]);
    ended(0, command.args(["--seed", "7", "--quiet"]).arg("--out").arg(&out));
    read(&out.join("games.csv"))
}

#[test]
fn searches_play_the_same_games_on_any_number_of_threads() {
    for (game, players) in
        [("kuhn-poker", "2"), ("goofspiel", "3"), ("pig", "2"), ("conquest2", "3")]
    {
        let dir = tempfile::tempdir().unwrap();
        let one = searched_games(dir.path(), game, players, "1");
        assert!(one.lines().count() > 2, "{one}");
        assert!(one == searched_games(dir.path(), game, players, "2"), "{game}");
    }
}
