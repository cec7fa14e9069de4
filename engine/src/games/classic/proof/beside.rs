//! Random games beside the naive pieces of the oracle: both must offer equal options at every decision of movement.

use crate::game::{Game, Turn};
use crate::games::classic::Classic;
use crate::games::classic::model::phase::Phase;
use crate::games::classic::proof::oracle::Naive;
use crate::notation::Notation;
use crate::rng::{Purpose, Randomness, stream};
use crate::rules::{Configure, Rules};
use crate::walk::{Event, Walk};

/// Plays random games and compares the options at every decision of movement. Returns the number of decisions.
fn compare(game: &Classic, seed: u64, n_games: u64) -> u32 {
    let mut n = 0;
    for index in 0..n_games {
        let mut walk = Walk::new(game, seed, index);
        let mut rng = stream(seed, index, Purpose::Analysis);
        let mut naive: Option<Naive<'_>> = None;
        loop {
            let before = *walk.state();
            let is_start =
                before.phase == Phase::Move && before.wave == 1 && before.last.verb as u8 == 0;
            if is_start && before.detail == Default::default() {
                naive = Some(Naive::new(game, &before));
            }
            if before.wave == 0 {
                naive = None;
            }
            // The game passes over a wave without a possible march, and has no word for it.
            if let Some(naive) = &mut naive {
                while naive.wave < before.wave {
                    naive.next_wave();
                }
            }
            // Every decision would take long; the pieces are followed through all of them.
            if let (Some(naive), Turn::Player(player)) = (&naive, game.turn(&before)) {
                naive.check_pieces(&before);
                if rng.below(3) == 0 {
                    let mut actions = Vec::new();
                    game.actions(&before, player, &mut actions);
                    let mut texts: Vec<String> =
                        actions.iter().map(|&a| game.action_text(a)).collect();
                    texts.sort_unstable();
                    assert_eq!(
                        texts,
                        naive.options(&before),
                        "seed {seed}, game {index}, {:?}",
                        before.phase
                    );
                    n += 1;
                }
            }
            match (walk.next(), &mut naive) {
                (None, _) => break,
                (Some(Event::Action(_, action)), Some(naive)) => {
                    naive.follow(&before, &game.action_text(action));
                }
                _ => {}
            }
        }
    }
    n
}

#[test]
fn movement_is_what_naive_pieces_can_do() {
    assert!(compare(&Classic::new(4), 1, 6) > 200);
    assert!(compare(&Classic::new(2), 2, 6) > 100);
}

#[test]
fn movement_is_that_under_other_numbers_too() {
    for settings in [
        ["movement.galley=1", "start.talents=200"],
        ["movement.troops_per_leader=2", "start.talents=300"],
        ["movement.cavalry=1", "movement.infantry=2"],
        ["prices.galley=0", "prices.road=0"],
        ["movement.general=3", "prices.galley=5"],
    ] {
        let mut rules = Rules::of::<Classic>();
        settings.iter().for_each(|s| rules.set(s).expect("a setting"));
        let game = Classic::configure(3, &rules).expect("good rules");
        assert!(compare(&game, 3, 3) > 80, "{settings:?}");
    }
}
