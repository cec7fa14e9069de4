//! The course of the game in the drawing, in the table and in play: the three agree.

use std::collections::BTreeSet;

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::options::Options;
use crate::games::conquest2::model::phase::{COURSE, Phase, seen};
use crate::rules::{Configure, Rules};
use crate::walk::{Event, Walk};

type Steps = BTreeSet<(Phase, Phase)>;

fn tabled() -> Steps {
    COURSE.iter().flat_map(|&(from, next)| next.iter().map(move |&to| (from, to))).collect()
}

fn phase(name: &str) -> Phase {
    let found = COURSE.iter().map(|&(phase, _)| phase).find(|phase| format!("{phase:?}") == name);
    found.unwrap_or_else(|| panic!("there is no phase {name}"))
}

/// Returns the arrows of all diagrams on the page, and its end points of the game separately.
fn drawn(page: &str) -> (Steps, Vec<&str>) {
    let arrows = page.lines().filter_map(|line| line.trim().split_once(" --> "));
    let arrows = arrows.map(|(from, to)| (from, to.split(" : ").next().unwrap_or(to)));
    let (ends, steps): (Vec<_>, Vec<_>) =
        arrows.partition(|(from, to)| [from, to].contains(&&"[*]"));
    let steps = steps.into_iter().map(|(from, to)| (phase(from), phase(to))).collect();
    (steps, ends.into_iter().flat_map(|(from, to)| [from, to]).collect())
}

#[test]
fn the_page_draws_every_step_of_the_course_and_no_other() {
    let page = include_str!("../../../../../docs/rules/conquest2-phases.md");
    let (steps, ends) = drawn(page);
    let table = tabled();
    assert_eq!(&steps - &table, Steps::new(), "drawn but not in COURSE");
    assert_eq!(&table - &steps, Steps::new(), "in COURSE but not drawn");
    assert_eq!(ends, ["[*]", "FirstPlayer", "Over", "[*]"]);
}

/// Returns the steps of random games at all tables, at most `games` at each, until all of the course are seen.
fn played(games: u64) -> Steps {
    let mut rules = Rules::of::<Conquest2>();
    rules.set("null.s2=true").unwrap();
    let treated = Conquest2::configure(3, &rules).unwrap();
    let tables = (2..=6).map(Conquest2::new).chain([treated]).collect::<Vec<_>>();
    let mut found = Steps::new();
    seen::take();
    for index in 0..games {
        tables.iter().for_each(|game| Walk::new(game, 7, index).for_each(drop));
        found.append(&mut seen::take());
        found.retain(|(from, to)| from != to);
        if found.is_superset(&tabled()) {
            break;
        }
    }
    found
}

#[test]
fn random_games_take_every_step_of_the_course_and_no_other() {
    let (played, table) = (played(400), tabled());
    assert_eq!(&played - &table, Steps::new(), "taken but not in COURSE");
    assert_eq!(&table - &played, Steps::new(), "in COURSE but never taken");
}

/// Compares `try_out` with `apply` for every action of random games: the table is equal, and no options are computed.
#[test]
fn what_is_tried_out_is_what_is_played_but_for_the_options_of_a_turn_that_goes_on() {
    let (mut n_left, mut n_decisions) = (0, 0);
    for index in 0..60 {
        let game = Conquest2::new(2 + index as usize % 5);
        let mut walk = Walk::new(&game, 8, index);
        let mut before = *walk.state();
        while let Some(event) = walk.next() {
            let (Event::Action(_, action) | Event::Chance(action)) = event else { continue };
            let (mut tried, mut played) = (before, *walk.state());
            game.try_out(&mut tried, action);
            if played.phase() == Phase::Top && played.actions_left > 0 {
                assert!(played.options.n() > 1, "a turn that goes on leaves a choice");
                played.options = Options::NONE;
                n_left += 1;
            } else {
                n_decisions += 1;
            }
            assert_eq!(tried, played, "after {action:?}");
            before = *walk.state();
        }
    }
    assert!(n_left > 1_000 && n_decisions > 10_000, "{n_left} and {n_decisions}");
}
