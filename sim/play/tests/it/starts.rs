//! Suites of positions: each block, or each pass through the tables, begins at one of them, in order or drawn.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::io;

use sim::config::{Plan, TournamentConfig};
use sim::manifest::{Manifest, RunManifest as _};
use sim::schedule::Schedule;
use sim::tournament::facts;

use crate::branch::{assert_replays, config, no_files, prefix, records, source};

/// Returns the plan of a run from the suite `s/suite.txt`, which lists `lines` out of `s/g`.
fn suited(source: &str, lines: &str, more: TournamentConfig) -> Result<Plan, String> {
    let read = |path: &str| match path {
        "s/suite.txt" => Ok(lines.to_owned()),
        "s/g" => Ok(source.to_owned()),
        "s/pig3" => Ok(self::source("pig", 3, &[])),
        "s/pig30" => Ok(self::source("pig", 2, &["target=30"])),
        other => no_files(other),
    };
    let starts = Some("s/suite.txt".to_owned());
    let config = TournamentConfig { starts, game: None, players: None, ..more };
    Plan::new(config, &read as &dyn Fn(&str) -> io::Result<String>).map_err(|e| e.to_string())
}

/// Returns for each game of `plan` the place in `befores` of the lines that it goes on from.
fn places(plan: &Plan, befores: &[Vec<&str>]) -> Vec<usize> {
    let games = records(plan, 1);
    assert_eq!(games, records(plan, 3), "on any number of threads");
    assert_replays(&games);
    let place = |record: &String| {
        let lines: Vec<&str> = record.lines().skip(1).collect();
        befores.iter().position(|before| lines.starts_with(before)).unwrap()
    };
    games.iter().map(place).collect()
}

#[test]
fn each_block_begins_at_the_next_position_of_the_list() {
    let source = source("conquest2", 3, &[]);
    let befores = [prefix(&source, 3, 40), prefix(&source, 1, 30), prefix(&source, 2, 9)];
    let lines = "# three positions\n\ng:3:40\n g:1:30 \ng:2:9\n";
    let plan = suited(&source, lines, config("", 3, 4)).unwrap();
    assert_eq!(places(&plan, &befores), [0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0]);
    let note = "1 of 3 positions begin more passes than the others (2 instead of 1); a multiple of 3 blocks begins";
    assert!(plan.notes.iter().any(|line| line.starts_with(note)), "{:?}", plan.notes);
}

#[test]
fn a_star_is_every_game_that_has_the_ply_and_drawn_passes_are_permutations() {
    let source = source("pig", 2, &[]);
    let n_games = source.matches("\"format\"").count();
    let befores: Vec<_> = (1..=n_games).map(|game| prefix(&source, game, 2)).collect();
    let plan = |is_drawn: bool, seed: u64| {
        let blocks = 5 * n_games as u64;
        let draw_starts = is_drawn.then_some(true);
        let more = TournamentConfig { draw_starts, seed: Some(seed), ..config("", 2, blocks) };
        suited(&source, "g:*:2\n", more).unwrap()
    };
    let listed = plan(false, 1).starts.unwrap();
    assert_eq!(listed.branches().len(), befores.len());
    let passes = |seed: u64| {
        let starts = plan(true, seed).starts.unwrap();
        (0..5 * n_games as u64).map(|pass| starts.place(seed, pass)).collect::<Vec<_>>()
    };
    for pass in passes(1).chunks(n_games) {
        let mut sorted = pass.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..n_games).collect::<Vec<_>>());
    }
    assert_eq!(passes(1), passes(1));
    let is_other = |seed: u64| passes(seed) != passes(1);
    assert!((2..12).any(is_other), "the order follows from the seed");
}

#[test]
fn all_tables_of_a_pass_begin_at_one_position() {
    let source = source("pig", 2, &[]);
    let befores = [prefix(&source, 1, 2), prefix(&source, 2, 5)];
    assert_ne!(befores[0], befores[1]);
    let agents = ["a=random", "b=random", "c=greedy"].map(str::to_owned).to_vec();
    let schedule = Some(Schedule::RoundRobin);
    let more = TournamentConfig { agents: Some(agents), schedule, ..config("", 2, 6) };
    let plan = suited(&source, "g:1:2\ng:2:5\n", more).unwrap();
    let starts = plan.starts.clone().unwrap();
    let mut met: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
    for block in 0..6 {
        let place = starts.place(plan.seed, plan.timetable.pass(block));
        met.entry(plan.timetable.table(block).to_vec()).or_default().push(place);
    }
    assert!(met.len() == 3 && met.values().all(|places| places == &[0, 1]), "{met:?}");
    assert_eq!(plan.notes, Vec::<String>::new());
}

#[test]
fn a_manifest_of_a_suite_goes_on_without_its_files() {
    let source = source("pig", 2, &["target=30"]);
    let more = TournamentConfig { draw_starts: Some(true), ..config("", 2, 7) };
    let plan = suited(&source, "g:*:2\n", more).unwrap();
    let manifest = Manifest::new(&plan, &facts(&plan).unwrap(), None);
    let command = &manifest.command;
    assert!(command.contains("--starts s/suite.txt --draw-starts"), "{command}");
    let read = Manifest::parse("m", &manifest.document()).unwrap();
    let again = read.plan("m").unwrap();
    assert_eq!(records(&again, 2), records(&plan, 1));
    assert_eq!(Manifest::new(&again, &facts(&again).unwrap(), None), manifest);
}

#[test]
fn what_is_no_suite_is_refused_with_its_line() {
    let source = source("pig", 2, &[]);
    let refused = |lines: &str| suited(&source, lines, config("", 2, 2)).map(drop).unwrap_err();
    let all = [
        ("# nothing\n", "starts s/suite.txt: it lists no position"),
        ("g:1:2\nnonsense\n", "starts s/suite.txt: line 2: nonsense: expected FILE:GAME:PLY"),
        ("g:x:2", "starts s/suite.txt: line 1: g:x:2: expected FILE:GAME:PLY"),
        ("g:1:0", "starts s/suite.txt: line 1: g:1:0: expected FILE:GAME:PLY"),
        ("h:1:2", "starts s/suite.txt: line 1: s/h: entity not found"),
        ("g:99:2", "starts s/suite.txt: line 1: g:99:2: s/g has 2 games"),
        ("g:1:9999", "starts s/suite.txt: line 1: s/g:1:9999: game 1 has"),
        ("g:*:9999", "starts s/suite.txt: line 1: g:*:9999: no game of s/g has a ply 9999"),
        (
            "g:1:2\npig3:1:2",
            "starts s/suite.txt: line 2: s/pig3:1:2: it is a game of pig for 3 players",
        ),
        (
            "g:1:2\npig30:1:2",
            "starts s/suite.txt: line 2: s/pig30:1:2: its rules are not those of the first",
        ),
    ];
    for (lines, message) in all {
        assert!(refused(lines).starts_with(message), "{lines}: {}", refused(lines));
    }
    let adaptive = TournamentConfig { schedule: Some(Schedule::Adaptive), ..config("", 2, 2) };
    let agents = ["random", "greedy"].map(str::to_owned).to_vec();
    let adaptive = TournamentConfig { agents: Some(agents), ..adaptive };
    let refusal = suited(&source, "g:1:2\ng:2:2\n", adaptive.clone()).map(drop).unwrap_err();
    assert!(refusal.ends_with("add draw-starts"), "{refusal}");
    let drawn = TournamentConfig { draw_starts: Some(true), ..adaptive };
    assert!(suited(&source, "g:1:2\ng:2:2\n", drawn).is_ok());
    let one = TournamentConfig { from: Some("g:1:2".to_owned()), ..config("", 2, 2) };
    let refusal = suited(&source, "g:1:2\n", one).map(drop).unwrap_err();
    assert!(refusal.contains("keep one of them"), "{refusal}");
    let nothing = TournamentConfig { draw_starts: Some(true), ..config("pig", 2, 2) };
    let refusal = Plan::new(nothing, &no_files).map(drop).unwrap_err().to_string();
    assert!(refusal.contains("as starts"), "{refusal}");
}
