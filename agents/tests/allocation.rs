//! Tests that warm code does not allocate: games in play, battle odds once created, and searches.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agents::heuristics::conquest2::odds::BattleOddsCache;
use agents::net::learning::{Learner, Method, PolicyWeights};
use agents::net::{Inputs, Net, OptionInputs, Slot, inputs_of};
use agents::{AgentSpec, Playable, Settings, Weighted};
use allocation_counter::measure;
use engine::games::circus::Circus;
use engine::games::classic::Classic;
use engine::games::connect_four::ConnectFour;
use engine::games::conquest2::{Conquest2, Muster};
use engine::games::goofspiel::Goofspiel;
use engine::games::hannibal::Hannibal;
use engine::games::imperium::Imperium;
use engine::games::kuhn_poker::KuhnPoker;
use engine::games::pig::Pig;
use engine::rng::{fast, stream};
use engine::{Configure, Player, Purpose, Rules, Turn, View, Walk, playout};

const N_PLAYOUTS: u32 = 100;

/// Plays the same random games twice. In the first pass the list of actions grows to its final size.
fn check<G: Configure>(name: &str) {
    for n_players in G::about().players {
        let game = G::configure(n_players, &Rules::of::<G>()).expect("the default rules are good");
        let seeded = fast(&mut stream(1, 0, Purpose::Analysis));
        let mut scratch = Vec::new();
        let mut play_all = || {
            let mut rng = seeded.clone();
            for _ in 0..N_PLAYOUTS {
                playout(&game, &mut game.start(), &mut rng, &mut scratch);
            }
        };
        play_all();
        let info = measure(play_all);
        assert_eq!(info.count_total, 0, "{name} for {n_players} allocates: {info:?}");
    }
}

macro_rules! every_game {
    ($($name:literal => $game:ty),* $(,)?) => {
        #[test]
        fn playouts_do_not_allocate() {
            $(check::<$game>($name);)*
        }
    };
}

engine::catalogue!(every_game);

/// Checks battles of sizes with and without a cache entry, over and over.
#[test]
fn battle_odds_do_not_allocate_after_they_are_made() {
    let game = Conquest2::new(4);
    let made = measure(|| drop(BattleOddsCache::new(&game)));
    expect_near(made.bytes_total, 1_400_000);
    let mut odds = BattleOddsCache::new(&game);
    let info = measure(|| {
        for n in 0..2000u16 {
            let army = |n: u16| [(n % 17) as u8, (n / 17 % 7) as u8, (n / 119 % 5) as u8, 1];
            let side = |n| Muster { army: army(n), ..Muster::default() };
            let fight = odds.land([side(n), side(n / 3)], n % 2 == 0).expect("a battle");
            assert!(odds.odds(&fight).expect("a battle").rounds() >= 1.0);
        }
    });
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn nets_value_positions_without_allocation() {
    let game = Conquest2::new(4);
    let counted = game.net_inputs(&Settings::default()).unwrap().unwrap();
    let layout = counted.layout();
    let method = Method { passes: 1, batch: 1, rate: 0.0, decay: 0.0, seed: 1 };
    let net = Net::of(Learner::of_values(&layout, method, None).weights(), &layout)
        .with_policy(&PolicyWeights::first(&layout, 1), &layout);
    let (mut options, mut priors) = (OptionInputs::default(), [0.0; 40]);
    for i in 0..priors.len() {
        options.add(Slot::of(layout.options, "kind").at(i % 12), 1);
        options.end_option();
    }
    let mut inputs = Inputs::with_room(inputs_of(layout.seat), inputs_of(layout.table));
    let (mut walk, mut valued) = (Walk::new(&game, 1, 0), 0);
    while walk.next().is_some() {
        let mut logits = None;
        let info = measure(|| {
            let is_on = counted.count(&game, walk.state(), &mut inputs);
            logits = is_on.then(|| net.logits(&inputs));
            net.correct_priors(&inputs, Player::new(1), &options, &mut priors);
        });
        assert_eq!(info.count_total, 0, "{info:?}");
        valued += usize::from(logits.is_some());
    }
    assert!(valued > 200, "{valued}");
}

fn expect_near(bytes: u64, documented: u64) {
    assert!(
        bytes.abs_diff(documented) < documented / 20,
        "{bytes} bytes, and the documentation says {documented}"
    );
}

/// Makes one agent take the same decision twice. The first time sets the size of its memory.
fn check_search<G: Playable>(n_players: usize, specs: &[&str]) {
    let game = G::configure(n_players, &Rules::of::<G>()).unwrap();
    for spec in specs {
        let mut agent = spec.parse::<AgentSpec>().unwrap().build(&game).unwrap();
        let mut walk = Walk::new(&game, 1, 0);
        let mut n_decisions = 0;
        for _ in 0..60 {
            let state = *walk.state();
            let mover = match game.turn(&state) {
                Turn::Player(mover) => Some(mover),
                Turn::Simultaneous(movers) => movers.iter().next(),
                _ => None,
            };
            if let Some(mover) = mover {
                let mut decide = || {
                    agent.start(&game, mover);
                    let mut rng = stream(1, 0, Purpose::Agent(0));
                    agent.choose(View::new(&game, &state, mover), &mut rng);
                };
                decide();
                let info = measure(decide);
                let name = G::about().name;
                assert_eq!(info.count_total, 0, "{name} for {n_players}, {spec}: {info:?}");
                n_decisions += 1;
            }
            if walk.next().is_none() {
                break;
            }
        }
        assert!(n_decisions > 0, "nothing was decided");
    }
}

#[test]
fn searches_do_not_allocate_once_they_are_warm() {
    let specs = [
        "mcts(iterations=300)",
        "mcts(iterations=300, rollout=uniform, horizon=full)",
        "mcts(iterations=300, node_key=open-loop, select=puct)",
        "mcts(iterations=300, select=regret, backup=max)",
        "mcts(iterations=300, select=tuned, rollout=mast, horizon=full)",
    ];
    check_search::<ConnectFour>(2, &specs);
    check_search::<Pig>(3, &specs);
    check_search::<KuhnPoker>(2, &specs);
    check_search::<Goofspiel>(3, &specs);
    check_search::<Circus>(3, &["mcts(iterations=30)", "mcts(iterations=30, horizon=stage)"]);
    check_search::<Imperium>(
        3,
        &["greedy", "mcts(iterations=100)", "mcts(iterations=30, together=duct)"],
    );
    // The walk reaches markets of several turns.
    check_search::<Classic>(3, &["greedy", "greedy(purchases=line)", "mcts(iterations=30)"]);
    check_search::<Hannibal>(
        2,
        &[
            "mcts(iterations=300)",
            "mcts(iterations=300, select=puct)",
            "mcts(iterations=100, rollout=heuristic, horizon=round)",
            "mcts(iterations=100, rollout=fast, horizon=full)",
        ],
    );
    check_search::<Conquest2>(
        3,
        &[
            "mcts(iterations=30)",
            "mcts(iterations=30, rollout=uniform, horizon=full, utility=points)",
            "mcts(iterations=30, rollout=mast, horizon=full, utility=points, node_key=open-loop)",
            "mcts(iterations=30, rollout=heuristic, horizon=round)",
        ],
    );
}
