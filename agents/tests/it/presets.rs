//! Tests of presets: they set every parameter, and later changes affect none of their decisions.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use agents::mcts::Config;
use agents::param::RENAMED_WORDS;
use agents::{AgentSpec, Playable, Settings, presets};
use engine::rng::{ChanceStreams, Purpose, stream};
use engine::{Joint, Rules, Turn, View, hash_of};

const SEED: u64 = 5;
/// Maximum number of decisions of a game.
const ENOUGH: usize = 120;

/// Games that are newer than the preset. It has no part for them, so they keep changing.
const LATER: [&str; 2] = ["classic", "rise"];

/// Returns the actions of a game between agents of one spec.
fn actions<G: Playable>(n_players: usize, spec: &str) -> Vec<String> {
    let game = G::configure(n_players, &Rules::of::<G>()).unwrap();
    let spec: AgentSpec = spec.parse().unwrap();
    let mut seats: Vec<_> = (0..n_players).map(|_| spec.build(&game).unwrap()).collect();
    let mut rngs: Vec<_> =
        (0..n_players).map(|q| stream(SEED, 0, Purpose::Agent(q as u8))).collect();
    let mut chance = ChanceStreams::new(SEED, 0);
    let mut state = game.start();
    let mut taken = Vec::new();
    while taken.len() < ENOUGH {
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                let outcome = game.draw(&state, chance.of(game.chance_purpose(&state)));
                game.apply(&mut state, outcome);
            }
            Turn::Player(player) => {
                let (agent, rng) = (&mut seats[player.idx()], &mut rngs[player.idx()]);
                let action = agent.choose(View::new(&game, &state, player), rng);
                taken.push(game.action_text(action));
                game.apply(&mut state, action);
            }
            Turn::Simultaneous(players) => {
                let mut joint = Joint::<G::Action>::default();
                for player in players.iter() {
                    let (agent, rng) = (&mut seats[player.idx()], &mut rngs[player.idx()]);
                    let action = agent.choose(View::new(&game, &state, player), rng);
                    taken.push(game.action_text(action));
                    joint[player] = Some(action);
                }
                game.apply_joint(&mut state, &joint);
            }
        }
    }
    taken
}

/// Appends a line for each agent and number of players, with the number of its actions and their hash.
fn fingerprints<G: Playable>(name: &str, text: &mut String) {
    if LATER.contains(&name) {
        return;
    }
    let (least, most) = (*G::about().players.start(), *G::about().players.end());
    for preset in ["2026-11-22"] {
        for n_players in [least, G::about().default_players, most] {
            for (kind, more) in
                [("greedy", ""), ("mcts", ", iterations=120"), ("one-ply", ", iterations=120")]
            {
                let spec = format!("{kind}(preset={preset}{more})");
                let taken = actions::<G>(n_players, &spec);
                let hash = hash_of(&taken);
                writeln!(text, "{name} {n_players} {spec}: {} {hash:016x}", taken.len()).unwrap();
            }
        }
    }
}

/// Agents whose defaults have changed since the preset: the weights `expedition` and `ally_fancy` of conquest2, the
/// weights of hannibal and circus, the rollouts of connect-four, the leaves of imperium. Rise is newer.
const MOVED: [(&str, &str); 9] = [
    ("circus", "greedy"),
    ("hannibal", "greedy"),
    ("connect-four", "mcts"),
    ("conquest2", "greedy"),
    ("conquest2", "mcts"),
    ("hannibal", "mcts"),
    ("imperium", "mcts"),
    ("rise", "greedy"),
    ("rise", "mcts"),
];

/// Checks that the defaults are those of the preset. If a default changes, its agent is added to [`MOVED`], and the
/// fingerprints stay.
fn plays_like_the_default<G: Playable>(name: &str) {
    if LATER.contains(&name) {
        return;
    }
    let n_players = G::about().default_players;
    for (kind, preset, default) in [
        ("greedy", "greedy(preset=2026-11-22)", "greedy"),
        ("mcts", "mcts(preset=2026-11-22, iterations=120)", "mcts(iterations=120)"),
    ] {
        if MOVED.contains(&(name, kind)) {
            continue;
        }
        assert_eq!(actions::<G>(n_players, preset), actions::<G>(n_players, default), "{name}");
    }
}

/// Checks that a preset sets every weight of its game.
fn says_every_weight<G: Playable>(name: &str) {
    for preset in G::PRESETS {
        let names: Vec<&str> = preset
            .weights
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split_once(" = ").unwrap().0)
            .collect();
        let all: Vec<&str> = G::weights().params.iter().map(|weight| weight.name).collect();
        assert_eq!(names, all, "{name}: {}", preset.name);
    }
}

macro_rules! every_game {
    ($($name:literal => $game:ty),* $(,)?) => {
        /// With `UPDATE_GOLDEN=1` the test writes the lines of a *new* preset. The lines of an old preset change only
        /// for a bug fix in the search or the game. The changelog names the bug.
        #[test]
        fn no_decision_of_a_preset_ever_changes() {
            let mut text = String::new();
            $(fingerprints::<$game>($name, &mut text);)*
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/presets.txt");
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, &text).unwrap();
            }
            assert_eq!(text, fs::read_to_string(&path).unwrap());
        }

        #[test]
        fn the_defaults_are_those_of_the_preset() {
            $(plays_like_the_default::<$game>($name);)*
        }

        #[test]
        fn a_preset_says_every_weight() {
            $(says_every_weight::<$game>($name);)*
        }
    };
}
engine::catalogue!(every_game);

#[test]
fn a_preset_says_what_every_search_has_said() {
    let spec: AgentSpec = "mcts(preset=2026-11-22)".parse().unwrap();
    assert_eq!(spec.to_string(), "mcts(preset=2026-11-22)");
    let (name, general) = presets::named(spec.settings()).unwrap();
    assert_eq!(name, "2026-11-22");
    assert_eq!(Config::default().with(&Config::read(general).unwrap()), Config::default());
    assert!(presets::named(&Settings::default()).is_none());
}

#[test]
fn a_preset_is_read_by_the_name_of_an_earlier_release() {
    for word in RENAMED_WORDS {
        let spec =
            |name: &str| format!("mcts({}={name})", word.param).parse::<AgentSpec>().unwrap();
        assert_eq!(spec(word.old).to_string(), spec(word.new).to_string());
    }
}
