//! Every config parses and plays two games.

use std::fs;
use std::sync::atomic::AtomicBool;

use sim::config::{Plan, TournamentConfig};
use sim::stats::Standings;
use sim::tournament::{Options, play};

#[test]
fn every_config_asks_a_question_and_plays_two_games() {
    for (name, text) in experiments::all() {
        let question = text.lines().next().unwrap_or_default();
        assert!(question.starts_with("# ") && question.ends_with('?'), "{name}: {question}");
        let config = TournamentConfig::parse(name, text).unwrap();
        let two = TournamentConfig { games: Some(2), ..TournamentConfig::default() }.or(config);
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let plan = Plan::new(two, &|path| fs::read_to_string(format!("{root}/{path}"))).unwrap();
        let mut standings = Standings::new(&plan.specs(), plan.players, plan.games_per_block());
        let options = Options { threads: 1, records: false, extras: false };
        play(&plan, options, &mut standings, &AtomicBool::new(false)).unwrap();
        assert!(standings.games() >= 2, "{name}");
        assert_eq!(standings.forfeits(), 0, "{name}");
    }
}

#[test]
fn every_config_file_is_listed() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/configs");
    for entry in fs::read_dir(dir).unwrap() {
        let file = entry.unwrap().file_name().display().to_string();
        let name = file.trim_end_matches(".toml");
        assert!(
            experiments::all().iter().any(|(known, _)| *known == name),
            "{file} is not in all()"
        );
    }
}
