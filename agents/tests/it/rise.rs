//! Tests of Rise of Empires: the greedy agent beats random play, its styles differ in play, and all its decisions are
//! legal.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use engine::games::rise::Rise;
use engine::games::rise::things::{N_REGIONS, Region};
use engine::{Configure, Game, Rules, Turn};

use crate::played::end_of;

#[test]
fn greedy_beats_chance_at_every_table() {
    for n_players in 2..=5 {
        let game = Rise::new(n_players);
        for index in 0..4 {
            let mut specs = vec!["random"; n_players];
            let hero = index as usize % n_players;
            specs[hero] = "greedy";
            let end = end_of(&game, &specs, index);
            let points = game.payoffs(&end).0[hero];
            assert!(points > 0.99, "{n_players} players, game {index}: {points}");
        }
    }
}

#[test]
fn a_conqueror_has_more_cubes_on_the_map_than_an_inventor() {
    let game = Rise::new(4);
    let mut cubes = [0, 0];
    for index in 0..6 {
        let specs = ["greedy(style=conqueror)", "greedy(style=progress)", "greedy", "greedy"];
        let end = end_of(&game, &specs, index);
        for (seat, cubes) in cubes.iter_mut().enumerate() {
            *cubes += Region::first(N_REGIONS).map(|r| end.cubes(seat, r)).sum::<i32>();
        }
    }
    assert!(cubes[0] > cubes[1], "cubes on the map at the end: {cubes:?}");
}

#[test]
fn a_search_plays_a_whole_game() {
    let game = Rise::new(2);
    let end = end_of(&game, &["mcts(iterations=20)", "mcts(iterations=10, horizon=stage)"], 0);
    assert_eq!(game.turn(&end), Turn::Over);
}

#[test]
fn whole_actions_are_legal_at_every_table() {
    for n_players in 3..=5 {
        let game = Rise::new(n_players);
        let mut specs = vec!["greedy"; n_players];
        specs[n_players - 1] = "mcts(iterations=8, plies=0)";
        let end = end_of(&game, &specs, n_players as u64);
        assert_eq!(game.turn(&end), Turn::Over);
    }
    // A payment after the object ends a macro-action at another place.
    let rules = "action_display.b_turn_pay_before_action=false";
    let game = configured(3, rules);
    let end = end_of(&game, &["mcts(iterations=8, plies=0)", "greedy", "greedy"], 0);
    assert_eq!(game.turn(&end), Turn::Over);
}

fn configured(n_players: usize, setting: &str) -> Rise {
    let mut rules = Rules::of::<Rise>();
    rules.set(setting).unwrap();
    Rise::configure(n_players, &rules).unwrap()
}

#[test]
fn actions_that_are_taken_away_leave_no_discs_behind() {
    let game = configured(3, "gift.s2.seat1.actions=-2");
    let end = end_of(&game, &["greedy", "greedy", "greedy"], 0);
    assert_eq!(game.turn(&end), Turn::Over);
    let plain = end_of(&Rise::new(3), &["greedy", "greedy", "greedy"], 0);
    assert_ne!((end.vp(0), end.vp(1), end.vp(2)), (plain.vp(0), plain.vp(1), plain.vp(2)));
}
