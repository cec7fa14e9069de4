//! Games branched from the control of a block equal games played whole.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use lab::balance::cell::CellTreatment;
use sim::config::{Plan, TournamentConfig};
use sim::event::{Event, GameResult, Observer};
use sim::schedule::Schedule;
use sim::tournament::{Options, play as play_tournament};

use super::balance::{experiment_of, play, seats};

/// Returns the games of a tournament under some settings: its block b is the block b of an experiment.
fn whole((game, agent): (&str, &str), seed: u64, blocks: u64, set: &[String]) -> Vec<GameResult> {
    struct Keep(Vec<GameResult>);
    impl Observer for Keep {
        fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
            if let Event::GameOver(game) = event {
                self.0.push((*game).clone());
            }
            ControlFlow::Continue(())
        }
    }
    let config = TournamentConfig {
        game: Some(game.to_owned()),
        players: Some(4),
        agents: Some(vec![agent.to_owned(); 4]),
        schedule: Some(Schedule::Fixed),
        blocks: Some(blocks),
        seed: Some(seed),
        set: set.to_vec(),
        ..TournamentConfig::default()
    };
    let plan = Plan::new(config, &|_| Err(std::io::ErrorKind::NotFound.into())).unwrap();
    let mut keep = Keep(Vec::new());
    let options = Options { threads: 1, records: false, extras: false };
    play_tournament(&plan, options, &mut keep, &AtomicBool::new(false)).unwrap();
    keep.0
}

#[test]
fn a_branched_game_is_the_treated_game_played_whole() {
    let cells = [
        ("money", 2, seats("gift.s2.SEAT.talents=20")),
        ("card", 3, seats("gift.s3.SEAT.card.army-training=1")),
        ("free", 4, seats("gift.s4.SEAT.card.loot=1")),
        ("action", 4, seats("gift.s4.SEAT.actions=-1")),
        ("ban", 2, seats("ban.s2.SEAT.action.tax=true")),
        ("null", 3, CellTreatment::All(vec!["null.s3=true".to_owned()])),
        ("order", 2, CellTreatment::All(vec!["forced.s2.order=[3,1,0,2]".to_owned()])),
        ("always", 1, seats("ban.always.SEAT.card.politician=true")),
    ];
    let compared = branches_are_whole("conquest2", "greedy(epsilon=0.1)", 3, &cells);
    assert_eq!(compared, 3 * (1 + 6 * 4 + 2));
}

#[test]
fn branches_of_games_that_treat_before_chance_are_the_treated_games_too() {
    let cells = [
        ("gold", 2, seats("gift.s2.SEAT.gold=3")),
        ("tile", 3, seats("gift.s3.SEAT.progress.iron_weapons=true")),
        ("action", 5, seats("gift.s5.SEAT.actions=-1")),
        ("cubes", 6, seats("gift.s6.SEAT.region.gaul=2")),
        ("order", 4, CellTreatment::All(vec!["forced.s4.order=[3,1,0,2]".to_owned()])),
    ];
    assert_eq!(branches_are_whole("rise", "random", 2, &cells), 2 * (1 + 4 * 4 + 1));
    let cells = [
        ("talents", 2, seats("gift.s2.SEAT.talents=300")),
        ("late", 6, seats("gift.s6.SEAT.talents=300")),
    ];
    assert_eq!(branches_are_whole("classic", "random", 2, &cells), 2 * (1 + 2 * 4));
}

/// Plays these cells from the start of their stages and from the start of the game, with equal results; returns the
/// number of games.
fn branches_are_whole(
    game: &str,
    agent: &str,
    blocks: u64,
    cells: &[(&str, u8, CellTreatment)],
) -> usize {
    let experiment = experiment_of((game, 4), agent, [7, blocks], cells);
    let played = play(&experiment, 1);
    let (mut compared, mut parted) = (0, 0);
    for (place, cell) in experiment.cells.iter().enumerate() {
        for rotation in 0..experiment.rotations(cell) {
            let games = whole((game, agent), 7, blocks, cell.settings(rotation));
            for (rows, game) in played.iter().zip(&games) {
                let row =
                    rows.iter().find(|row| (row.cell, row.rotation) == (place, rotation)).unwrap();
                let result = (row.points, row.scores, row.plies);
                assert_eq!(
                    result,
                    (game.points, game.scores, game.plies),
                    "{} {rotation}",
                    cell.id
                );
                parted += usize::from(result != (rows[0].points, rows[0].scores, rows[0].plies));
                compared += 1;
            }
        }
    }
    assert!(parted > compared / 4, "{game}: {parted} of {compared} games are not their controls");
    compared
}
