//! Odds for people: they stand beside the options that begin a battle or go on with it, and add up to one.

use engine::{ChanceStreams, Purpose, Randomness, rng};
use play::odds::Odds;
use sim::any::{AnyGame, Due, Ends};
use sim::catalogue::Setup;

fn assert_whole(ends: &Ends) {
    let sum: f64 = ends.iter().map(|(_, chance)| chance).sum();
    assert!((sum - 1.0).abs() < 1e-9 && ends.iter().all(|(_, chance)| *chance > 0.0), "{ends:?}");
}

#[test]
fn odds_stand_beside_the_options_that_begin_a_battle() {
    for (name, players) in [("conquest2", 4), ("classic", 3)] {
        let game = AnyGame::new(&Setup::new(name).for_players(players)).unwrap();
        let mut battles = 0;
        for block in 0..6 {
            let (mut state, mut chance) = (game.start(), ChanceStreams::new(3, block));
            let mut draws = rng::stream(3, block, Purpose::Analysis);
            loop {
                match state.due() {
                    Due::Over => break,
                    Due::Chance => drop(state.draw(&mut chance)),
                    Due::Player(seat) => {
                        let odds = Odds::seen(&state, seat).unwrap();
                        let labels = state.labels(seat);
                        for (label, ends) in &odds.0 {
                            assert!(labels.contains(label), "{label}");
                            assert_whole(ends);
                            battles += 1;
                        }
                        assert_eq!(Odds::are_known(&state, seat), !odds.0.is_empty());
                        assert!(!odds.lines().is_empty());
                        let number = draws.below(labels.len() as u32) as usize;
                        state.apply(seat, number).unwrap();
                    }
                }
            }
        }
        assert!(battles > 10, "{name}: {battles}");
    }
    let pig = AnyGame::new(&Setup::new("pig")).unwrap();
    assert_eq!(Odds::seen(&pig.start(), engine::Player::new(0)), None);
}
