//! The agent `greedy(start=random)` of circus: any start cell with equal probability, and greedy play after it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use agents::{Agent, AgentSpec};
use engine::games::circus::{Circus, State};
use engine::games::pig::Pig;
use engine::{Configure, Game, Notation, Purpose, Rules, Stream, Turn, View, rng};

fn driver(game: &Circus, spec: &str) -> Box<dyn Agent<Circus>> {
    spec.parse::<AgentSpec>().unwrap().build(game).unwrap()
}

/// Lets `agent` place all chariots. Returns their cells in the order of placing.
fn place(
    game: &Circus,
    agent: &mut dyn Agent<Circus>,
    seed: u64,
    rng: &mut Stream,
) -> (State, Vec<String>) {
    let mut chance = rng::stream(seed, 0, Purpose::Setup);
    let mut state = game.start();
    let mut cells = Vec::new();
    loop {
        match game.turn(&state) {
            Turn::Chance => {
                let outcome = game.draw(&state, &mut chance);
                game.apply(&mut state, outcome);
            }
            Turn::Player(player) if state.is_placing() => {
                let action = agent.choose(View::new(game, &state, player), rng);
                cells.push(game.action_text(action));
                game.apply(&mut state, action);
            }
            _ => return (state, cells),
        }
    }
}

#[test]
fn every_start_cell_is_as_likely_whoever_places_when() {
    const RACES: u64 = 3000;
    let game = Circus::new(2);
    let mut agent = driver(&game, "greedy(start=random)");
    let mut counts = vec![BTreeMap::<String, u32>::new(); 6];
    for seed in 0..RACES {
        let mut rng = rng::stream(seed, 0, Purpose::Agent(0));
        let (_, cells) = place(&game, &mut *agent, seed, &mut rng);
        assert_eq!(cells.len(), counts.len());
        for (count, cell) in counts.iter_mut().zip(cells) {
            *count.entry(cell).or_default() += 1;
        }
    }
    let expected = RACES as f64 / 15.0;
    for (nth, count) in counts.iter().enumerate() {
        assert_eq!(count.len(), 15, "placement {nth}: {count:?}");
        let far = |&n: &u32| (f64::from(n) - expected).powi(2) / expected;
        let chi_square: f64 = count.values().map(far).sum();
        // With 14 degrees of freedom it exceeds 36.1 once in a thousand times.
        assert!(chi_square < 36.1, "placement {nth}: {chi_square} of {count:?}");
    }
}

#[test]
fn once_its_chariots_stand_it_plays_what_greedy_plays() {
    let game = Circus::new(3);
    let (mut random, mut valued) = (driver(&game, "greedy(start=random)"), driver(&game, "greedy"));
    let mut n_compared = 0;
    for seed in 0..20 {
        let mut rng = rng::stream(seed, 0, Purpose::Agent(0));
        let (mut state, _) = place(&game, &mut *random, seed, &mut rng);
        while let Turn::Player(player) = game.turn(&state) {
            let (mut one, mut other) = (rng.clone(), rng.clone());
            let action = random.choose(View::new(&game, &state, player), &mut one);
            assert_eq!(action, valued.choose(View::new(&game, &state, player), &mut other));
            game.apply(&mut state, action);
            n_compared += 1;
        }
    }
    assert!(n_compared > 1000, "{n_compared}");
}

#[test]
fn where_nobody_places_pieces_it_is_refused() {
    let pig = Pig::configure(2, &Rules::of::<Pig>()).unwrap();
    let spec: AgentSpec = "greedy(start=random)".parse().unwrap();
    let bad = spec.build(&pig).map(drop).unwrap_err().to_string();
    let complaint = "pig has no parameter \"start\" (its own: none)";
    assert_eq!(bad, format!("agent \"greedy(start=random)\": {complaint}"));
    let bad = "greedy(start=randm)".parse::<AgentSpec>().map(drop).unwrap_err().to_string();
    assert!(bad.contains("(nearest: random; accepted: valued, random)"), "{bad}");
}
