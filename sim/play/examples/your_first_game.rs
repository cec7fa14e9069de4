//! A game, an agent and a tournament in one file: `cargo run --release -p caesar-sim --example your_first_game`.
//!
//! The game is a heap of coins. In turn each player takes one, two or three; the player who takes the last coin wins.
//! The agent uses the theory for two players (Bouton 1901): leave a multiple of four. The tournament measures whether a
//! search with only the rules finds this strategy, and how well random play does.

use std::fmt;
use std::sync::atomic::AtomicBool;

use agents::agent::Agent;
use agents::guide::Unguided;
use agents::{AgentSpec, Observable, Playable, Settings, Weighted};
use engine::{
    About, BadRules, ByPlayer, Chance, Configure, Game, Information, Notation, PerfectInformation,
    Player, Provenance, Randomness, Rules, Stream, Treatable, Turn, View, hash_of,
};
use serde_json::{Value, json};
use sim::runner::{self, Job};
use sim::schedule::Timetable;
use sim::stats::Standings;

/// The rules: the number of coins at the start.
#[derive(Clone, Debug)]
struct Heap {
    coins: u8,
}

/// A position: a plain `Copy` value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Position {
    coins: u8,
    mover: Player,
}

/// The action that takes this number of coins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Take(u8);

impl Game for Heap {
    type State = Position;
    type Action = Take;

    fn n_players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        Position { coins: self.coins, mover: Player::new(0) }
    }

    fn turn(&self, state: &Position) -> Turn {
        if state.coins == 0 { Turn::Over } else { Turn::Player(state.mover) }
    }

    fn actions(&self, state: &Position, _player: Player, out: &mut Vec<Take>) {
        out.extend((1..=state.coins.min(3)).map(Take));
    }

    fn apply(&self, state: &mut Position, Take(n): Take) {
        state.coins -= n;
        // A single coin leaves no choice. The game makes decisions without a choice: the next player takes the coin.
        if state.coins == 1 {
            state.coins = 0;
            state.mover = state.mover.next(2);
        }
        if state.coins > 0 {
            state.mover = state.mover.next(2);
        }
    }

    fn payoffs(&self, state: &Position) -> ByPlayer<f32> {
        let mut points = ByPlayer::default();
        points[state.mover] = 1.0;
        points
    }

    // Nothing is hidden, so nothing has to be sampled.
    fn determinize<R: Randomness + ?Sized>(&self, _: &mut Position, _: Player, _: &mut R) {}

    fn info_state_key(&self, state: &Position, _observer: Player) -> u64 {
        hash_of(state)
    }
}

impl PerfectInformation for Heap {}

impl Configure for Heap {
    fn about() -> About {
        About {
            name: "heap",
            title: "A heap of coins",
            players: 2..=2,
            default_players: 2,
            information: Information::Perfect,
            chance: Chance::None,
            provenance: Provenance::Published("Bouton, Nim, a game with a complete theory, 1901"),
        }
    }

    fn default_rules() -> &'static str {
        "coins = 21\n"
    }

    fn configure(_n_players: usize, rules: &Rules) -> Result<Self, BadRules> {
        #[derive(serde::Deserialize)]
        struct Parameters {
            coins: i64,
        }
        let Parameters { coins } = rules.read()?;
        match u8::try_from(coins) {
            Ok(coins) if coins > 1 => Ok(Self { coins }),
            _ => Err(rules.bad("coins", format_args!("{coins} is out of range (2 to 255)"))),
        }
    }
}

/// Experiments have no treatments for this game.
impl Treatable for Heap {}

impl Notation for Heap {
    fn write_action(&self, Take(n): Take, f: &mut dyn fmt::Write) -> fmt::Result {
        write!(f, "take {n}")
    }

    fn state_json(&self, state: &Position) -> Value {
        json!({ "coins": state.coins, "mover": state.mover.idx() })
    }

    fn write_state(&self, state: &Position, f: &mut dyn fmt::Write) -> fmt::Result {
        writeln!(f, "{} coins, player {} takes", state.coins, state.mover)
    }
}

/// Of the 8 items of `Playable` these have no default: a search without a guide uses only the rules.
impl Playable for Heap {
    type Guide = Unguided;

    fn guide(&self, _settings: &Settings) -> Result<Unguided, String> {
        Ok(Unguided)
    }
}

/// The game has no evaluation, so it has no weights.
impl Weighted for Heap {}

/// Spectators see the defaults of every game: the score, and the player to move.
impl Observable for Heap {}

/// An agent that leaves a multiple of four if it can, and otherwise takes one coin.
struct Theorist;

impl Agent<Heap> for Theorist {
    fn choose(&mut self, view: View<'_, Heap>, _rng: &mut Stream) -> Take {
        // This compiles since nothing is hidden; in a game with secrets a view shows only the information of its seat.
        let surplus = view.state().coins % 4;
        Take(if surplus == 0 { 1 } else { surplus })
    }
}

const LINEUPS: [[&str; 2]; 3] =
    [["theorist", "random"], ["theorist", "mcts(iterations=1000)"], ["theorist", "theorist"]];

fn build(game: &Heap, name: &str) -> Box<dyn Agent<Heap>> {
    if name == "theorist" {
        return Box::new(Theorist);
    }
    let spec: AgentSpec = name.parse().expect("the line-up is written above");
    spec.build(game).expect("it fits the game")
}

/// Plays the three line-ups, 200 games each; returns the shares as text, with their intervals.
pub(crate) fn standings() -> Result<String, sim::Error> {
    let game = Heap::configure(2, &Rules::of::<Heap>())?;
    // Checks the whole contract in random games: run this first on a new game.
    engine::conformance::check(&game, 1, 20);
    let mut text = String::new();
    for lineup in LINEUPS.map(|names| names.map(str::to_owned)) {
        let job = Job {
            seed: 1,
            timetable: Timetable::balanced(2),
            blocks: 0..100,
            threads: 1,
            records: None,
            extras: false,
            starts: None,
            luck: false,
        };
        let mut standings = Standings::new(&lineup, 2, 2);
        let agents = |entrant: usize| build(&game, &lineup[entrant]);
        runner::run(&game, &agents, &job, &mut standings, &AtomicBool::new(false))?;
        for line in standings.table() {
            let (low, high) = (line.interval.low, line.interval.high);
            text += &format!("{:22} {:.4} [{low:.4}, {high:.4}]\n", line.name, line.share);
        }
        text.push('\n');
    }
    Ok(text)
}

fn main() -> Result<(), sim::Error> {
    print!("{}", standings()?);
    Ok(())
}
