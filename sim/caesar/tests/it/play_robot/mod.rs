//! A robot plays whole games at the page of `caesar play --web`, with clicks alone or with keys alone: the console stays
//! empty, the record holds, and the same words through a pipe give the same record.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod robot;
mod speed;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use engine::{Purpose, rng};
use sim::catalogue::{NAMES, about};

use self::robot::Robot;
use crate::driver::Browser;
use crate::shared::{command_at, done_at, ran_with};

/// Most gestures of a game.
const MOST: usize = 6_000;
/// Longest wait for a choice, in seconds.
const PATIENCE: usize = 100;

/// The tool with which a robot plays.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Hand {
    Pointer,
    Keys,
}

/// A game for robots.
#[derive(Clone, Copy, Debug)]
struct Game<'a> {
    name: &'a str,
    players: usize,
    people: usize,
    seed: u64,
    hand: Hand,
}

impl Game<'_> {
    /// The command, whose record goes to a file of `{}`.
    fn args(&self, record: &str) -> String {
        let Self { name, players, people, seed, .. } = *self;
        let seat = 1 + seed as usize % players;
        let others = " --agent human".repeat(people - 1);
        format!(
            "play --game {name} --players {players} --seed {seed} --seat {seat} --agent human{others} --hint mcts(iterations=9) \
             --records {{}}/{record}.jsonl"
        )
    }

    /// The buttons that the robot may press beside the options. Nothing at the prompt makes a draft final, so where a
    /// robot does, it never takes back a whole draft.
    fn acts(&self) -> [&'static str; 4] {
        ["undo", "hint", "odds", if self.seed.is_multiple_of(2) { "done" } else { "restart" }]
    }
}

/// Returns the robot that has to choose; `None` at the end of the game.
fn next(robots: &[Robot], served: &mut Served) -> Option<usize> {
    for _ in 0..PATIENCE {
        for (who, robot) in robots.iter().enumerate() {
            match robot.state(1_000 / robots.len()).as_str() {
                "asks" => return Some(who),
                "over" => return None,
                _ => {}
            }
        }
        let code = served.child.try_wait().unwrap();
        assert!(code.is_none_or(|code| code.success()), "the server ended: {code:?}");
    }
    panic!("nobody is asked, and the game is not over");
}

/// A table that is served.
struct Served {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Served {
    /// Serves a game, whose record goes to `dir`; returns the addresses of its people, too.
    fn new(game: Game<'_>, dir: &Path) -> (Self, Vec<String>) {
        let mut command = command_at(&(game.args("page") + " --web --pace 0"), dir);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let lines = out.by_ref().lines().map(Result::unwrap).skip(1).take(game.people);
        let addresses = lines.map(|line| line.split_once(": ").unwrap().1.to_owned()).collect();
        (Self { child, out }, addresses)
    }

    /// Waits for the end; returns the exit code.
    fn over(&mut self) -> Option<i32> {
        self.out.read_to_string(&mut String::new()).unwrap();
        self.child.wait().unwrap().code()
    }
}

/// Returns lines of the prompt in which "undo all" is as many choices as there can be.
fn typed(lines: &[String]) -> String {
    let line = |(i, line): (usize, &String)| match line.as_str() {
        // Whoever takes back too much is told so, and nothing happens.
        "undo all" => "u\n".repeat(3 * i),
        line => format!("{line}\n"),
    };
    lines.iter().enumerate().map(line).collect()
}

/// Lets robots play a game; returns the number of their gestures, or `None` without a browser.
fn played(game: Game<'_>) -> Option<usize> {
    let dir = tempfile::tempdir().unwrap();
    let robot = |who: usize| {
        let draws = rng::stream(game.seed, who as u64, Purpose::Analysis);
        Browser::open().map(|browser| Robot::new(browser, draws))
    };
    let mut robots: Vec<Robot> = (0..game.people).map(robot).collect::<Option<_>>()?;
    let (mut served, addresses) = Served::new(game, dir.path());
    robots.iter().zip(&addresses).for_each(|(robot, address)| robot.sit(address));
    let (mut lines, mut last, mut gestures) = (Vec::new(), 0, 0);
    while let Some(who) = next(&robots, &mut served) {
        if who != last {
            lines.extend(robots[last].sent());
            last = who;
        }
        robots[who].look();
        match game.hand {
            Hand::Pointer => robots[who].click(&game.acts()),
            Hand::Keys => robots[who].press(&game.acts()),
        }
        gestures += 1;
        assert!(gestures < MOST, "{game:?} does not end");
    }
    lines.extend(robots[last].sent());
    for robot in &mut robots {
        robot.look();
        let result = robot.browser.run("return document.querySelector('#options').textContent");
        assert!(result.as_str().unwrap().contains(" wins"), "{game:?}: {result}");
        assert_eq!(robot.browser.console(), [""; 0], "{game:?}");
    }
    assert_eq!(served.over(), Some(0), "{game:?}");
    let dir = dir.path();
    let (code, _, stderr) = ran_with(&mut command_at(&game.args("pipe"), dir), &typed(&lines));
    assert_eq!(code, 0, "{game:?}: {stderr}");
    let [page, pipe] =
        ["page", "pipe"].map(|name| fs::read(dir.join(format!("{name}.jsonl"))).unwrap());
    assert!(page == pipe, "{game:?}: the page and the pipe give different records");
    done_at("check {}/page.jsonl", dir);
    Some(gestures)
}

/// Returns a game of `name` for robots; number `i` decides the seats.
fn game(name: &str, i: usize, hand: Hand) -> Game<'_> {
    let players = about(name).unwrap().players;
    let n = players.end() - players.start() + 1;
    let players = players.start() + i % n;
    Game { name, players, people: 1 + usize::from(name == "goofspiel"), seed: i as u64, hand }
}

#[test]
fn a_robot_that_only_clicks_plays_every_game_as_the_prompt_does() {
    let all = NAMES.iter().enumerate().map(|(i, name)| played(game(name, 10 + i, Hand::Pointer)));
    let Some(gestures) = all.sum::<Option<usize>>() else { return };
    assert!(gestures > 300, "{gestures}");
}

#[test]
fn whole_games_are_played_by_keys_alone() {
    for name in ["tic-tac-toe", "circus"] {
        played(game(name, 2, Hand::Keys));
    }
}

#[test]
#[ignore = "slow: three games of every game, by clicks and by keys; `just play-robot` runs it"]
fn robots_play_three_games_of_every_game_by_clicks_and_by_keys() {
    for (i, name) in NAMES.iter().enumerate() {
        for seed in (i..).step_by(7).take(3) {
            let gestures = [Hand::Pointer, Hand::Keys].map(|hand| played(game(name, seed, hand)));
            println!("{name}, seed {seed}: {gestures:?} gestures");
        }
    }
}
