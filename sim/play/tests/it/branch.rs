//! Games that go on from a position of a record: the source's lines, then their own, equal on any number of threads.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use expect_test::{Expect, expect};
use sim::config::{Plan, TournamentConfig};
use sim::event::{Event, Observer};
use sim::manifest::{Manifest, RunManifest as _};
use sim::record::stream::{Telling, check};
use sim::tournament::{Options, facts, play};

/// An observer that keeps the records of a run.
#[derive(Default)]
struct Keep(Vec<String>);

impl Observer for Keep {
    fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::GameOver(game) = event {
            self.0.push(game.record.as_ref().and_then(|r| r.text()).unwrap().to_owned());
        }
        ControlFlow::Continue(())
    }
}

pub(super) fn records(plan: &Plan, threads: usize) -> Vec<String> {
    let mut kept = Keep::default();
    let options = Options { threads, records: true, extras: false };
    play(plan, options, &mut kept, &AtomicBool::new(false)).unwrap();
    kept.0
}

pub(super) fn config(game: &str, players: usize, blocks: u64) -> TournamentConfig {
    TournamentConfig {
        game: Some(game.to_owned()),
        players: Some(players),
        agents: Some(vec!["random".to_owned(); players]),
        blocks: Some(blocks),
        ..TournamentConfig::default()
    }
}

pub(super) fn no_files(_: &str) -> io::Result<String> {
    Err(io::ErrorKind::NotFound.into())
}

/// Returns the records of random games, as one text.
pub(super) fn source(game: &str, players: usize, set: &[&str]) -> String {
    let set = set.iter().map(|&s| s.to_owned()).collect();
    let plan = Plan::new(TournamentConfig { set, ..config(game, players, 1) }, &no_files).unwrap();
    records(&plan, 1).concat()
}

/// Returns a plan that goes on from `from`; the only file, `g`, has the text `source`.
fn branched(source: &str, from: &str, set: &[&str]) -> Result<Plan, String> {
    let read = |path: &str| if path == "g" { Ok(source.to_owned()) } else { no_files(path) };
    let config = TournamentConfig {
        from: Some(from.to_owned()),
        agents: Some(vec!["random".to_owned(); players_of(source)]),
        blocks: Some(3),
        set: set.iter().map(|&s| s.to_owned()).collect(),
        ..TournamentConfig::default()
    };
    Plan::new(config, &read).map_err(|e| e.to_string())
}

fn players_of(source: &str) -> usize {
    let header: serde_json::Value = serde_json::from_str(source.lines().next().unwrap()).unwrap();
    header["seats"].as_u64().unwrap_or(2) as usize
}

/// Returns the lines of a game after its header, before its ply number `ply`.
pub(super) fn prefix(source: &str, game: usize, ply: usize) -> Vec<&str> {
    let mut n_games = 0;
    let of_game = source.lines().filter(|line| {
        n_games += usize::from(line.contains("\"format\""));
        n_games == game
    });
    let mut plies = 0;
    of_game
        .skip(1)
        .take_while(|line| {
            plies += usize::from(line.starts_with("{\"player\""));
            plies < ply
        })
        .collect()
}

pub(super) fn assert_replays(records: &[String]) {
    let text = records.concat();
    check(&mut text.as_bytes(), &Telling::default(), &mut |checked| {
        assert_eq!(checked.fault, None);
        Ok::<(), io::Error>(())
    })
    .unwrap();
}

#[test]
fn a_branched_game_is_the_sources_lines_and_then_its_own() {
    for (game, players) in
        [("conquest2", 3), ("pig", 3), ("imperium", 3), ("circus", 2), ("kuhn-poker", 2)]
    {
        let source = source(game, players, &[]);
        let ply = if game == "kuhn-poker" { 2 } else { 7 };
        let plan = branched(&source, &format!("g:2:{ply}"), &[]).unwrap();
        let games = records(&plan, 1);
        assert_eq!(games, records(&plan, 3), "{game}: on any number of threads");
        assert_replays(&games);
        let before = prefix(&source, 2, ply);
        for (index, record) in games.iter().enumerate() {
            let lines: Vec<&str> = record.lines().collect();
            assert!(lines[0].contains(&format!("\"seed\":\"1/{index}\"")), "{}", lines[0]);
            assert_eq!(lines[1..=before.len()], before, "{game}");
        }
        let mut ends: Vec<&str> =
            games.iter().map(|game| game.split_once('\n').unwrap().1).collect();
        ends.sort_unstable();
        ends.dedup();
        assert!(ends.len() > 1 || game == "kuhn-poker", "{game}: games that all go on alike");
    }
}

#[test]
fn a_manifest_goes_on_without_the_file() {
    let source = source("pig", 2, &["target=30"]);
    let plan = branched(&source, "g:1:5", &[]).unwrap();
    let manifest = Manifest::new(&plan, &facts(&plan).unwrap(), None);
    assert!(manifest.command.contains("--from g:1:5"), "{}", manifest.command);
    let read = Manifest::parse("m", &manifest.document()).unwrap();
    let again = read.plan("m").unwrap();
    assert_eq!(records(&again, 2), records(&plan, 1));
    assert_eq!(Manifest::new(&again, &facts(&again).unwrap(), None), manifest);
}

/// Returns the number of the first ply of a season: behind the state of the season before.
fn first_ply(source: &str, season: usize) -> usize {
    let mut states = 0;
    let before = source.lines().skip(1).take_while(|line| {
        states += usize::from(line.starts_with("{\"state\""));
        states < season || !line.starts_with("{\"player\"")
    });
    1 + before.filter(|line| line.starts_with("{\"player\"")).count()
}

#[test]
fn a_treatment_of_the_season_parts_from_its_control_at_the_branch_and_meets_the_same_chance() {
    let source = source("conquest2", 3, &["options.rounds=1"]);
    let from = format!("g:1:{}", first_ply(&source, 2));
    let control = records(&branched(&source, &from, &[]).unwrap(), 1);
    let plan = branched(&source, &from, &["gift.s2.seat1.talents=20"]).unwrap();
    let treated = records(&plan, 1);
    assert_replays(&treated);
    let cards = |record: &str| -> Vec<String> {
        let lines = record.lines().filter(|line| line.starts_with("{\"chance\":\"card\""));
        lines.map(str::to_owned).collect()
    };
    for (control, treated) in control.iter().zip(&treated) {
        assert_ne!(control.split_once('\n').unwrap().1, treated.split_once('\n').unwrap().1);
        assert_eq!(cards(control), cards(treated), "the decks stay paired");
        assert!(treated.lines().next().unwrap().contains(r#""talents":20"#));
    }
}

fn refused(source: &str, from: &str, set: &[&str], expected: &Expect) {
    expected.assert_eq(&branched(source, from, set).map(drop).unwrap_err());
}

#[test]
fn what_is_no_position_is_refused() {
    let pig = source("pig", 2, &["target=30"]);
    refused(
        &pig,
        "g",
        &[],
        &expect![
            "from g: expected FILE:GAME:PLY, as in games.jsonl:3:120, or the file of a position"
        ],
    );
    refused(
        &pig,
        "g:1",
        &[],
        &expect![
            "from g:1: expected FILE:GAME:PLY, as in games.jsonl:3:120, or the file of a position (g:1: entity not found)"
        ],
    );
    refused(
        &pig,
        "g:0:1",
        &[],
        &expect![
            "from g:0:1: expected FILE:GAME:PLY, as in games.jsonl:3:120, or the file of a position (g:0:1: entity not found)"
        ],
    );
    refused(
        &pig,
        "g:1:x",
        &[],
        &expect![
            "from g:1:x: expected FILE:GAME:PLY, as in games.jsonl:3:120, or the file of a position (g:1:x: entity not found)"
        ],
    );
    refused(&pig, "h:1:1", &[], &expect!["from h:1:1: h: entity not found"]);
    refused(&pig, "g:9:1", &[], &expect!["from g:9:1: g has 2 games, no game 9"]);
    refused(&pig, "g:1:9999", &[], &expect!["from g:1:9999: game 1 has 15 plies, no ply 9999"]);
    refused(
        "{}\n",
        "g:1:1",
        &[],
        &expect![[
            r#"from g:1:1: game 1: expected the header of a game, {"format":"caesar-record/1",…}"#
        ]],
    );
}

#[test]
fn a_position_under_other_rules_is_refused() {
    let pig = source("pig", 2, &["target=30"]);
    refused(
        &pig,
        "g:1:2",
        &["target=40"],
        &expect![
            "from g:1:2: its game was played without target = 40: only treatments can be added to its rules"
        ],
    );
    refused(
        &pig,
        "g:1:2",
        &["target=100"],
        &expect!["from g:1:2: its game was played with target = 30, which must stay"],
    );
    let conquest2 = source("conquest2", 3, &["options.rounds=1"]);
    let second = format!("g:1:{}", first_ply(&conquest2, 2));
    assert!(branched(&conquest2, &second, &["gift.s3.seat1.vp=5"]).is_ok());
    let early = branched(&conquest2, &second, &["gift.s1.seat1.vp=5"]).map(drop).unwrap_err();
    assert!(early.contains("is not as recorded under these rules"), "{early}");
    let imperium = source("imperium", 3, &[]);
    refused(
        &imperium,
        "g:1:2",
        &[],
        &expect![
            "from g:1:2: the position is not as recorded under these rules: others choose at the same time: take the first of their plies"
        ],
    );
}

#[test]
fn agents_play_treated_games_without_a_forfeit_and_their_records_replay() {
    let set = [
        "null.s1=true",
        "gift.s1.seat0.card.city-egypt-numidia=1",
        "gift.s1.seat0.card.politician=1",
        "gift.s1.seat1.card.slave-revolt=1",
        "gift.s1.seat1.actions=1",
        "gift.s2.seat1.card.bribe-senator=1",
        "gift.s2.seat2.actions=-2",
        "gift.s2.seat0.galley.mare-aegaeum=3",
        "ban.s1.seat2.action.tax=true",
        "ban.always.seat0.action.use=true",
        "forced.s2.order=[2, 0, 1]",
    ];
    let config = TournamentConfig {
        agents: Some(
            ["greedy", "greedy(epsilon=0.2)", "mcts(iterations=20)"].map(str::to_owned).into(),
        ),
        set: set.map(str::to_owned).into(),
        ban: vec!["deck.loot".to_owned(), "always.seat1.card.senator-1".to_owned()],
        ..config("conquest2", 3, 2)
    };
    let games = records(&Plan::new(config, &no_files).unwrap(), 2);
    assert_eq!(games.len(), 6);
    assert_replays(&games);
    for game in &games {
        assert!(!game.contains("\"forfeit\""), "{}", game.lines().next_back().unwrap());
        let played = game.split_once('\n').unwrap().1;
        assert!(!played.contains("\"loot\""), "it is banned from the deck");
        assert_eq!(game.matches("{\"chance\":\"null\"").count(), 3);
    }
}
