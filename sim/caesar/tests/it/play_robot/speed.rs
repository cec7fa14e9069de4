//! The times that a person waits at the page: from a click to the next menu, and from opening the page to its first paint.

use engine::{Purpose, rng};

use super::robot::Robot;
use super::{Game, Hand, Served};
use crate::driver::Browser;

/// The clicks that are timed.
const CLICKS: usize = 400;
/// The times that a page is opened.
const OPENINGS: usize = 20;

/// Returns the value below which `percent` of a hundred values lie.
fn percentile(mut values: Vec<f64>, percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() * percent / 100).min(values.len() - 1)]
}

fn numbers(robot: &Robot, script: &str) -> Vec<f64> {
    let all = robot.browser.run(script);
    all.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
#[ignore = "slow: times, which need a quiet machine: `just play-speed` prints them"]
fn the_times_of_the_page_are_printed() {
    let dir = tempfile::tempdir().unwrap();
    // People in all seats: no bot thinks between a click and the next menu.
    let game = Game { name: "conquest2", players: 4, people: 4, seed: 3, hand: Hand::Pointer };
    let robot = |who: u64| {
        let draws = rng::stream(game.seed, who, Purpose::Analysis);
        Browser::open().map(|browser| Robot::new(browser, draws))
    };
    let Some(mut robots) = (0..4).map(robot).collect::<Option<Vec<Robot>>>() else { return };
    let (_served, addresses) = Served::new(game, dir.path());
    let mut paints = Vec::new();
    for _ in 0..OPENINGS {
        robots[0].sit(&addresses[0]);
        paints.extend(numbers(&robots[0], "return firstPaint()"));
    }
    robots.iter().zip(&addresses).for_each(|(robot, address)| robot.sit(address));
    let (mut waits, mut is_over) = (Vec::new(), false);
    while waits.len() < CLICKS && !is_over {
        for robot in &mut robots {
            while robot.state(5) == "asks" && waits.len() < CLICKS {
                robot.click(&["undo"]);
                robot.state(100);
                waits.extend(numbers(robot, "return waits.splice(0)"));
            }
        }
        is_over = robots[0].state(5) == "over";
    }
    let (clicks, openings) = (waits.len(), paints.len());
    let [half, most] = [50, 95].map(|percent| percentile(waits.clone(), percent));
    println!("click to next menu: median {half:.0} ms, p95 {most:.0} ms ({clicks} clicks)");
    let [half, most] = [50, 95].map(|percent| percentile(paints.clone(), percent));
    println!("first paint: median {half:.0} ms, p95 {most:.0} ms ({openings} openings)");
    assert!(clicks > 100, "{clicks}");
}
