//! Prints the search report of one decision: `watch_it_think [SPEC] [GAME]`.
//!
//! In conquest2 the position is the first decision in the action rounds of a random game. In the other games it is the
//! start.

use std::time::Instant;

use agents::{AgentSpec, Playable};
use engine::games::connect_four::ConnectFour;
use engine::games::conquest2::{Conquest2, Phase};
use engine::{Player, Purpose, Turn, View, rng};

fn main() {
    let mut words = std::env::args().skip(1);
    let spec = words.next().unwrap_or_else(|| "mcts".to_owned());
    match words.next().as_deref() {
        Some("connect-four") => watch(&ConnectFour, &spec, |_| true),
        _ => watch(&Conquest2::new(4), &spec, |state| state.phase() == Phase::Top),
    }
}

fn watch<G: Playable>(game: &G, spec: &str, is_wanted: impl Fn(&G::State) -> bool) {
    let spec: AgentSpec = spec.parse().expect("a good spec");
    let mut agent = spec.build(game).expect("an agent that the game can use");
    let mut dice = rng::stream(1, 0, Purpose::Dice);
    let mut rng = rng::stream(1, 0, Purpose::Agent(0));
    let mut usual = "greedy".parse::<AgentSpec>().expect("a kind").build(game).expect("an agent");
    let mut state = game.start();
    loop {
        match game.turn(&state) {
            Turn::Chance => {
                let outcome = game.draw(&state, &mut dice);
                game.apply(&mut state, outcome);
            }
            Turn::Player(player) if !is_wanted(&state) => {
                let action = usual.choose(View::new(game, &state, player), &mut rng);
                game.apply(&mut state, action);
            }
            _ => break,
        }
    }
    let seat = match game.turn(&state) {
        Turn::Player(player) => player,
        _ => Player::new(0),
    };
    agent.start(game, seat);
    let view = if agent.cheats() {
        View::revealing(game, &state, seat)
    } else {
        View::new(game, &state, seat)
    };
    let since = Instant::now();
    let action = agent.choose(view, &mut rng);
    let seconds = since.elapsed().as_secs_f64();
    println!("{spec} plays {} for {seat} in {seconds:.3} s", game.action_text(action));
    let Some(report) = agent.report(game) else { return };
    println!(
        "{} iterations, {:.0} a second; depth {:.1}, at most {}; {} nodes, {} KiB",
        report.iterations,
        report.iterations as f64 / seconds,
        report.depth,
        report.deepest,
        report.nodes,
        report.bytes / 1024
    );
    for option in report.options.iter().take(20) {
        let values: Vec<String> = option.values.iter().map(|v| format!("{v:.3}")).collect();
        println!(
            "{:8} {:.3} [{}] {}{}",
            option.visits,
            option.prior,
            values.join(" "),
            option.text,
            if option.is_proven { " (proven)" } else { "" }
        );
    }
    println!("{}", report.line.join(" / "));
}
