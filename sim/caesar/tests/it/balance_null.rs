//! Games without chance, with other random numbers of the agents as the null treatment: games diverge, and intervals
//! of a zero effect cover zero.

use lab::balance::cell::CellTreatment;
use lab::balance::rows::Row;

use super::balance::{covers_of, experiment_of, play};

/// The games with little or no chance: there the null treatment is other random numbers of the agents.
const ROME: [(&str, usize); 3] = [("hannibal", 2), ("imperium", 3), ("circus", 2)];

#[test]
fn who_thinks_with_other_numbers_plays_another_game_under_the_same_chance() {
    for (game, players) in ROME.into_iter().chain([("conquest2", 4)]) {
        let cells = [("null", 1, CellTreatment::AA)];
        let experiment = experiment_of((game, players), "random", [3, 4], &cells);
        let blocks = play(&experiment, 2);
        assert_eq!(blocks, play(&experiment, 1), "{game}");
        for rows in blocks {
            assert_eq!(rows.len(), 1 + players, "{game}");
            let results =
                |row: &Row| (row.plies, row.scores.map(f32::to_bits), row.points.map(f32::to_bits));
            let others = rows[1..].iter().filter(|row| results(row) != results(&rows[0]));
            assert!(others.count() > 0, "{game}: no game parts from its control");
        }
    }
}

#[test]
fn intervals_of_nothing_cover_zero_in_games_without_chance() {
    for game in ROME {
        for covered in covers_of(game, "random", CellTreatment::AA, [150, 20]) {
            // 95 % of 150 groups and three standard errors; with few blocks, intervals of shares cover more.
            assert!(covered >= 0.89, "{} {covered}", game.0);
        }
    }
}

#[test]
#[ignore = "slow: A/A with 1,000 groups of blocks of three games; `just balance-proofs` runs it"]
fn intervals_of_nothing_cover_zero_in_93_to_97_of_100_groups_of_games_without_chance() {
    for game in ROME {
        for covered in covers_of(game, "random", CellTreatment::AA, [1_000, 25]) {
            println!("{} {covered}", game.0);
            assert!((0.93..=0.97).contains(&covered), "{} {covered}", game.0);
        }
    }
}
