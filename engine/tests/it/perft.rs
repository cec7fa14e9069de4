//! Node counts by depth against `perft/<game>.txt`.
//!
//! A file holds blocks: a line `position players=N seed=S events=K [KEY=VALUE …]` (settings of the rules after
//! the first three), then lines `DEPTH COUNT`. Lines starting with `#` are comments. Depths with more nodes
//! than the limit are skipped: `PERFT_LIMIT=1000000000` counts deeper.

use std::path::PathBuf;
use std::{env, fs};

use engine::games::connect_four::ConnectFour;
use engine::perft::{perft, position_after};
use engine::{Configure, Game, Player, Rules, Turn, hash_of};

const LIMIT: u64 = 1_000_000;

struct Block {
    n_players: usize,
    seed: u64,
    n_events: usize,
    settings: Vec<String>,
    /// Counts by depth, from depth 1.
    counts: Vec<u64>,
}

fn number(word: Option<&str>, key: &str) -> u64 {
    let value = word.and_then(|w| w.strip_prefix(key)?.strip_prefix('='));
    value.and_then(|v| v.parse().ok()).unwrap_or_else(|| panic!("expected {key}=NUMBER: {word:?}"))
}

fn block(header: &str) -> Block {
    let mut words = header.split_whitespace();
    Block {
        n_players: number(words.next(), "players") as usize,
        seed: number(words.next(), "seed"),
        n_events: number(words.next(), "events") as usize,
        settings: words.map(str::to_owned).collect(),
        counts: Vec::new(),
    }
}

fn read_blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if let Some(header) = line.strip_prefix("position ") {
            blocks.push(block(header));
            continue;
        }
        let counts = &mut blocks.last_mut().expect("a position comes first").counts;
        let (depth, count) = line.split_once(' ').expect("DEPTH COUNT");
        assert_eq!(depth.parse(), Ok(counts.len() + 1), "depths follow each other: {line}");
        counts.push(count.trim().replace('_', "").parse().expect("a count"));
    }
    blocks
}

fn check_block<G: Configure>(name: &str, block: &Block, limit: u64) {
    let mut rules = Rules::of::<G>();
    block.settings.iter().for_each(|s| rules.set(s).expect("a setting of the rules"));
    let game = G::configure(block.n_players, &rules).expect("good rules");
    let state = position_after(&game, block.seed, block.n_events);
    let depth = block.counts.iter().take_while(|&&count| count <= limit).count();
    assert!(depth > 0, "{name}: the limit leaves nothing to count");
    let counts = perft(&game, &state, depth as u32);
    assert_eq!(counts[1..], block.counts[..depth], "{name}, seed {}", block.seed);
}

fn check_game<G: Configure>(name: &str) {
    let path: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "tests", "perft", &format!("{name}.txt")].iter().collect();
    let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("perft/{name}.txt is missing"));
    let blocks = read_blocks(&text);
    for n in G::about().players {
        let has_position = blocks.iter().any(|block| block.n_players == n);
        assert!(has_position, "perft/{name}.txt holds no position of {n} players");
    }
    let limit = env::var("PERFT_LIMIT").map_or(LIMIT, |v| v.parse().expect("a number"));
    blocks.iter().for_each(|block| check_block::<G>(name, block, limit));
}

macro_rules! every_game {
    ($($name:literal => $game:ty),* $(,)?) => {
        #[test]
        fn every_game_has_as_many_nodes_as_it_should() {
            $(check_game::<$game>($name);)*
        }
    };
}

engine::catalogue!(every_game);

#[test]
fn connect_four_has_as_many_different_positions_as_published() {
    // Tromp, oeis.org/A212693, plies 0 to 8.
    let published = [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275];
    let game = ConnectFour;
    let mut layer = vec![game.start()];
    for (ply, &n_positions) in published.iter().enumerate() {
        assert_eq!(layer.len(), n_positions, "ply {ply}");
        let mut next = Vec::new();
        for state in layer.iter().filter(|state| game.turn(state) != Turn::Over) {
            let mut actions = Vec::new();
            game.actions(state, Player::new(0), &mut actions);
            next.extend(actions.iter().map(|&action| {
                let mut after = *state;
                game.apply(&mut after, action);
                after
            }));
        }
        next.sort_unstable_by_key(hash_of);
        next.dedup();
        layer = next;
    }
}
