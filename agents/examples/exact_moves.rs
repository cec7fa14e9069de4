//! Measures how often an agent keeps the exact value of a Connect Four position:
//! `exact_moves [POSITIONS] [SEED] [SPEC…]`.
//!
//! Positions come after 12 to 26 random drops. Only positions whose options differ in value count (win, draw or loss by
//! the exact solver). An agent is right if its drop loses no value. The intervals are Wilson's 95 % intervals over
//! positions.

use std::process::ExitCode;

use agents::exact::ConnectFourSolver;
use agents::{Agent, AgentSpec, BadSpec};
use engine::games::connect_four::{ConnectFour, Drop, State};
use engine::rng::{Randomness, stream};
use engine::{Game, Player, Purpose, Turn, View};

/// A position with the values of its options.
struct Exercise {
    state: State,
    mover: Player,
    options: Vec<(Drop, i8)>,
}

impl Exercise {
    /// Creates the position of this number; `None` if it does not distinguish players.
    fn new(seed: u64, number: u64, solver: &mut ConnectFourSolver) -> Option<Self> {
        let mut rng = stream(seed, number, Purpose::Analysis);
        let n_drops = 12 + rng.below(15);
        let mut state = ConnectFour.start();
        for _ in 0..n_drops {
            let Turn::Player(mover) = ConnectFour.turn(&state) else { return None };
            let drop = ConnectFour.random_action(&state, mover, &mut rng, &mut Vec::new());
            ConnectFour.apply(&mut state, drop);
        }
        let Turn::Player(mover) = ConnectFour.turn(&state) else { return None };
        let options = solver.options(&state);
        let differ = options.iter().any(|(_, worth)| *worth != options[0].1);
        differ.then_some(Self { state, mover, options })
    }

    /// Returns whether a drop loses no value.
    fn keeps(&self, drop: Drop) -> bool {
        let best = self.options.iter().map(|(_, worth)| *worth).max();
        self.options.contains(&(drop, best.expect("a position has options")))
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let mut number = |what: &str, default: u64| {
        words.next().map_or(Ok(default), |word| {
            word.parse().map_err(|_| format!("{what} \"{word}\" is no number from 0"))
        })
    };
    let (wanted, seed) = (number("POSITIONS", 400)?, number("SEED", 1)?);
    let mut specs: Vec<String> = words.collect();
    if specs.is_empty() {
        specs.push("mcts".to_owned());
    }
    let mut players: Vec<(AgentSpec, Box<dyn Agent<ConnectFour>>)> = Vec::new();
    for word in &specs {
        let spec: AgentSpec = word.parse().map_err(|e: BadSpec| e.to_string())?;
        let agent = spec.build(&ConnectFour).map_err(|e| format!("{word}: {e}"))?;
        players.push((spec, agent));
    }
    let mut solver = ConnectFourSolver::new();
    let exercises = (0..).filter_map(|number| Exercise::new(seed, number, &mut solver));
    let exercises: Vec<Exercise> = exercises.take(wanted as usize).collect();
    for (spec, mut agent) in players {
        let mut right = 0;
        for (i, exercise) in exercises.iter().enumerate() {
            agent.start(&ConnectFour, exercise.mover);
            let view = View::new(&ConnectFour, &exercise.state, exercise.mover);
            let drop = agent.choose(view, &mut stream(seed, i as u64, Purpose::Agent(0)));
            right += u64::from(exercise.keeps(drop));
        }
        let n = exercises.len() as u64;
        let share = right as f64 / n as f64;
        let ends = stats::wilson(share, n as f64, stats::NORMAL_95);
        println!("{share:.4} [{:.4}, {:.4}] of {n} by {spec}", ends.low, ends.high);
    }
    Ok(())
}
