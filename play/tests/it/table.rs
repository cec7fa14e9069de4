//! Tables: the log has what is final, and hints are counted.

use engine::{Player, Purpose, Randomness, rng};
use play::table::Table;
use sim::catalogue::NAMES;
use sim::session::{Happening, Step};

use crate::tables::table;

/// The choices of people in a log.
fn choices(table: &Table) -> usize {
    let is_choice = |h: &&Happening| matches!(h, Happening::Choice(seat, _) if seat.idx() == 0);
    table.log().iter().filter(is_choice).count()
}

#[test]
fn the_log_has_each_final_choice_once_and_no_choice_that_was_taken_back() {
    let mut undone = 0;
    for &name in NAMES {
        let mut table = table(name, &[0], 4);
        let mut draws = rng::stream(3, 0, Purpose::Analysis);
        loop {
            match table.step().unwrap() {
                Step::Asks(seat) => {
                    let (logged, drafted) = (table.log().len(), table.draft());
                    let options = table.session().state().n_actions(seat);
                    table.play(seat, &[&format!("#{}", 1 + draws.below(options as u32))]).unwrap();
                    if table.session().undoable() > 0 {
                        assert_eq!(table.log().len(), logged, "{name}: nothing is final");
                        assert_eq!(table.draft().len(), drafted.len() + 1, "{name}");
                        assert_eq!(
                            table.session().final_state().plies() as usize,
                            table.session().state().plies() as usize - table.draft().len()
                        );
                        if draws.below(2) == 0 && table.undo() {
                            assert_eq!(table.draft(), drafted, "{name}");
                            undone += 1;
                        } else if draws.below(4) == 0 {
                            table.finish();
                            assert!(!table.undo() && table.draft().is_empty(), "{name}");
                            assert_eq!(table.log().len(), logged + drafted.len() + 1, "{name}");
                        }
                    }
                }
                Step::Happened(_) => {}
                Step::Over => break,
            }
        }
        let lines = table.lines(0, &[Player::new(0)]);
        assert!(lines.iter().any(|line| line.starts_with("seat 1 (you): ")), "{name}: {lines:?}");
        assert!(table.result().iter().any(|line| line.contains(" wins")), "{name}");
        let logged = choices(&table);
        let record = table.take_record().unwrap();
        let plies = record.lines().filter(|line| line.starts_with("{\"player\":0,"));
        assert_eq!(plies.count(), logged, "{name}");
    }
    assert!(undone > 100, "{undone}");
}

#[test]
fn a_hint_names_an_option_and_is_counted() {
    for name in ["conquest2", "goofspiel", "rise"] {
        let mut table = table(name, &[0], 6);
        let seat = loop {
            if let Step::Asks(seat) = table.step().unwrap() {
                break seat;
            }
        };
        let labels = table.session().state().labels(seat);
        let hint = table.hint(seat).unwrap().unwrap();
        assert!(labels.contains(&hint.chosen), "{name}: {hint:?}");
        assert_eq!(hint.options.iter().filter(|option| option.is_chosen).count(), 1, "{hint:?}");
        assert_eq!(
            (table.session().hints(), table.session().left_line().trim()),
            (1, "{\"hints\":1}")
        );
        assert!(table.play(Player::new(1), &["#1"]).is_err(), "{name}: another seat");
        assert_eq!(table.session().undoable(), 0, "{name}: a hint plays nothing");
    }
}
