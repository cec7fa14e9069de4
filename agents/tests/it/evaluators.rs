//! Tests of searches whose leaves are valued by an evaluator of the embedding program.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::{Arc, Mutex};

use agents::evaluators::{self, EmbeddedEvaluator, Evaluated, Observed};
use agents::{Agent, AgentSpec, Fault};
use engine::games::goofspiel::Goofspiel;
use engine::games::tic_tac_toe::TicTacToe;
use engine::rng::{Purpose, stream};
use engine::{ByPlayer, Configure, Game, Player, Rules, View};

/// A question, with the bits of its numbers.
type Question = (usize, Vec<u32>, Vec<u32>);

/// An evaluator that knows nothing, notes its questions, and fails at one of them.
#[derive(Debug, Default)]
struct Noting {
    asked: Mutex<Vec<Question>>,
    fails_at: Option<usize>,
}

impl EmbeddedEvaluator for Noting {
    fn evaluate(&self, observed: &Observed<'_>) -> Result<Evaluated, String> {
        let mut asked = self.asked.lock().unwrap();
        if self.fails_at == Some(asked.len()) {
            return Err("no idea".to_owned());
        }
        let numbers = observed.numbers.iter().map(|number| number.to_bits()).collect();
        asked.push((observed.seat.idx(), numbers, observed.legal.to_vec()));
        let value = 1.0 / observed.n_players as f32;
        let values = ByPlayer([value; engine::MAX_PLAYERS]);
        Ok(Evaluated { values, logits: Vec::new() })
    }
}

/// Returns a search with this evaluator.
fn search<G: agents::Playable>(game: &G, evaluator: &Arc<Noting>) -> Box<dyn Agent<G>> {
    let mut spec: AgentSpec = "mcts(iterations=200, evaluator=noting)".parse().unwrap();
    spec.supply_evaluator(Arc::<Noting>::clone(evaluator));
    spec.build(game).unwrap()
}

#[test]
fn hardly_a_question_is_asked_twice() {
    let evaluator = Arc::new(Noting::default());
    let mut agent = search(&TicTacToe, &evaluator);
    let (state, seat) = (TicTacToe.start(), Player::new(0));
    agent.start(&TicTacToe, seat);
    agent.choose(View::new(&TicTacToe, &state, seat), &mut stream(1, 0, Purpose::Agent(0)));
    assert_eq!(agent.fault(), None);
    let mut asked = evaluator.asked.lock().unwrap().clone();
    let n = asked.len();
    assert!((100..=201).contains(&n), "{n}");
    asked.sort_unstable();
    asked.dedup();
    // Questions whose hashes share a slot take turns in it.
    let repeated = n - asked.len();
    assert!(repeated < n / 20, "{repeated} of {n}");
}

#[test]
fn a_failure_ends_the_search_and_is_the_fault_of_the_agent() {
    let game = Goofspiel::configure(2, &Rules::of::<Goofspiel>()).unwrap();
    let evaluator = Arc::new(Noting { fails_at: Some(5), ..Noting::default() });
    let mut agent = search(&game, &evaluator);
    let seat = Player::new(1);
    let mut state = game.start();
    let mut rng = stream(1, 0, Purpose::Agent(1));
    while game.turn(&state) == engine::Turn::Chance {
        let outcome = game.draw(&state, &mut rng);
        game.apply(&mut state, outcome);
    }
    agent.start(&game, seat);
    agent.choose(View::new(&game, &state, seat), &mut rng);
    assert_eq!(agent.fault(), Some(Fault::Agent("no idea".to_owned())));
    assert_eq!(evaluator.asked.lock().unwrap().len(), 5);
    assert_eq!(agent.fault(), None, "a fault is told once");
}

#[test]
fn an_evaluator_is_found_by_its_name_until_it_is_withdrawn() {
    let spec: AgentSpec = "mcts(iterations=10, evaluator=by-name)".parse().unwrap();
    let refused = spec.build(&TicTacToe).err().unwrap().to_string();
    assert!(refused.contains("there is no evaluator \"by-name\" here"), "{refused}");
    evaluators::embed("by-name", Arc::new(Noting::default()));
    assert!(spec.build(&TicTacToe).is_ok());
    let far: AgentSpec = "mcts(evaluator=by-name, horizon=full)".parse().unwrap();
    let refused = far.build(&TicTacToe).err().unwrap().to_string();
    assert!(refused.contains("it goes with horizon=leaf and macro_actions=off"), "{refused}");
    evaluators::withdraw("by-name");
    assert!(spec.build(&TicTacToe).is_err());
}
