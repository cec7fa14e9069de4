//! The course of the game as drawn, as tabled and as played: the three are one.

use std::collections::BTreeSet;

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::phase::{COURSE, Phase, seen};
use crate::rules::{Configure, Rules};
use crate::walk::Walk;

type Steps = BTreeSet<(Phase, Phase)>;

fn tabled() -> Steps {
    COURSE.iter().flat_map(|&(from, next)| next.iter().map(move |&to| (from, to))).collect()
}

fn phase(name: &str) -> Phase {
    let found = COURSE.iter().map(|&(phase, _)| phase).find(|phase| format!("{phase:?}") == name);
    found.unwrap_or_else(|| panic!("there is no phase {name}"))
}

/// The arrows of all diagrams on the page; where the game begins and ends apart.
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

/// Steps of random games at all tables, at most `games` at each: until all of the course were seen.
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
