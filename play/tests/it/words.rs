//! Words and choices translate both ways.

use engine::{Purpose, Randomness, rng};
use play::words::understood;
use sim::catalogue::NAMES;
use sim::session::Step;

use crate::hosts::host;

#[test]
fn every_option_of_every_game_is_named_by_its_own_words_and_by_its_number() {
    let mut asked = 0;
    for &name in NAMES {
        let mut hosted = host(name, &[0, 1], 5);
        let mut draws = rng::stream(8, 0, Purpose::Analysis);
        for _ in 0..1_200 {
            let Step::Asks(seat) = hosted.step().unwrap() else { continue };
            let state = hosted.session().state();
            let labels = state.labels(seat);
            for (i, label) in labels.iter().enumerate() {
                assert_eq!(
                    understood(state, seat, &[label]).unwrap().numbers,
                    [i],
                    "{name}: {label}"
                );
                let number = format!("#{}", i + 1);
                assert_eq!(understood(state, seat, &[&number]).unwrap().numbers, [i], "{name}");
                asked += 1;
            }
            let label = &labels[draws.below(labels.len() as u32) as usize];
            hosted.play(seat, &[label]).unwrap();
        }
    }
    assert!(asked > 5_000, "{asked}");
}
