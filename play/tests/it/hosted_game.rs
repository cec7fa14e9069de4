//! Tables: the log has what is final, and hints are counted.

use engine::{Player, Purpose, Randomness, rng};
use play::hosted_game::HostedGame;
use sim::catalogue::NAMES;
use sim::session::{Happening, Step};

use crate::hosts::host;

/// The choices of people in a log.
fn choices(hosted: &HostedGame) -> usize {
    let is_choice = |h: &&Happening| matches!(h, Happening::Choice { seat, .. } if seat.idx() == 0);
    hosted.log().iter().filter(is_choice).count()
}

#[test]
fn the_log_has_each_final_choice_once_and_no_choice_that_was_taken_back() {
    let mut undone = 0;
    for &name in NAMES {
        let mut hosted = host(name, &[0], 4);
        let mut draws = rng::stream(3, 0, Purpose::Analysis);
        loop {
            match hosted.step().unwrap() {
                Step::Asks(seat) => {
                    let (logged, drafted) = (hosted.log().len(), hosted.draft());
                    let options = hosted.session().state().n_actions(seat);
                    hosted.play(seat, &[&format!("#{}", 1 + draws.below(options as u32))]).unwrap();
                    if hosted.session().undoable() > 0 {
                        assert_eq!(hosted.log().len(), logged, "{name}: nothing is final");
                        assert_eq!(hosted.draft().len(), drafted.len() + 1, "{name}");
                        assert_eq!(
                            hosted.session().final_state().plies() as usize,
                            hosted.session().state().plies() as usize - hosted.draft().len()
                        );
                        if draws.below(2) == 0 && hosted.undo() {
                            assert_eq!(hosted.draft(), drafted, "{name}");
                            undone += 1;
                        } else if draws.below(4) == 0 {
                            hosted.finish();
                            assert!(!hosted.undo() && hosted.draft().is_empty(), "{name}");
                            assert_eq!(hosted.log().len(), logged + drafted.len() + 1, "{name}");
                        }
                    }
                }
                Step::Happened(_) => {}
                Step::Over => break,
            }
        }
        let story = hosted.story(Player::new(0));
        assert!(story.iter().any(|said| said.seat == Some(0)), "{name}: {story:?}");
        assert!(hosted.story(Player::new(1)).is_empty(), "{name}: nobody reads it");
        assert!(hosted.result().iter().any(|line| line.contains(" wins")), "{name}");
        let logged = choices(&hosted);
        let record = hosted.take_record().unwrap();
        let plies = record.lines().filter(|line| line.starts_with("{\"player\":0,"));
        assert_eq!(plies.count(), logged, "{name}");
    }
    assert!(undone > 100, "{undone}");
}

#[test]
fn a_hint_names_an_option_and_is_counted() {
    for name in ["conquest2", "goofspiel", "rise"] {
        let mut hosted = host(name, &[0], 6);
        let seat = loop {
            if let Step::Asks(seat) = hosted.step().unwrap() {
                break seat;
            }
        };
        let labels = hosted.session().state().labels(seat);
        let hint = hosted.hint(seat).unwrap().unwrap();
        assert!(labels.contains(&hint.chosen), "{name}: {hint:?}");
        assert_eq!(hint.options.iter().filter(|option| option.is_chosen).count(), 1, "{hint:?}");
        assert_eq!(
            (hosted.session().hints(), hosted.session().left_line().trim()),
            (1, "{\"hints\":1}")
        );
        assert!(hosted.play(Player::new(1), &["#1"]).is_err(), "{name}: another seat");
        assert_eq!(hosted.session().undoable(), 0, "{name}: a hint plays nothing");
    }
}
