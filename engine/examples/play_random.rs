//! An example of play: seeded random games of conquest2, with their mean length and score.

use engine::games::conquest2::Conquest2;
use engine::{ChanceStreams, Game, Purpose, Turn, rng};

fn main() {
    let n_games: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1_000);
    let game = Conquest2::new(4);
    let (mut plies, mut events, mut best) = (0u64, 0u64, 0i64);
    let mut scratch = Vec::new();
    for index in 0..n_games {
        let mut chance = ChanceStreams::new(42, index);
        let mut choice = rng::fast(&mut rng::stream(42, index, Purpose::Analysis));
        let mut state = game.start();
        loop {
            let action = match game.turn(&state) {
                Turn::Over => break,
                Turn::Player(player) => {
                    plies += 1;
                    game.random_action(&state, player, &mut choice, &mut scratch)
                }
                _ => {
                    events += 1;
                    game.draw(&state, chance.of(game.chance_purpose(&state)))
                }
            };
            game.apply(&mut state, action);
        }
        best += i64::from(
            game.scores(&state).expect("conquest2 counts VP").0.into_iter().max().unwrap_or(0),
        );
    }
    let per_game = |n: u64| n as f64 / n_games as f64;
    println!(
        "{n_games} games: {:.1} plies and {:.1} chance events each, mean best score {:.1}",
        per_game(plies),
        per_game(events),
        best as f64 / n_games as f64
    );
}
