//! No game touches the heap while it is played, nor do battle odds once they are made, nor do searches once they
//! have grown.

use agents::heuristics::conquest2::odds::BattleOdds;
use agents::playable::{decider, search_position};
use agents::{AgentSpec, Playable};
use allocation_counter::measure;
use engine::games::connect_four::ConnectFour;
use engine::games::conquest2::{Conquest2, Muster};
use engine::rng::{fast, stream};
use engine::{Configure, Purpose, Rules, View, playout};

const N_PLAYOUTS: u32 = 100;

/// Plays the same random games twice; the first time the list of actions grows to the size it needs.
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

/// Takes the same decision three times; the first time memory grows to the size it needs.
fn check_search<G: Playable>(game: &G, spec: &str) {
    let spec: AgentSpec = spec.parse().expect("a good spec");
    let mut agent = spec.build(game).expect("an agent that the game can use");
    let state = search_position(game, 1);
    let seat = decider(game, &state).expect("somebody decides there");
    let mut decide = || {
        agent.start(game, seat);
        agent.choose(View::new(game, &state, seat), &mut stream(1, 0, Purpose::Analysis))
    };
    decide();
    let info = measure(|| assert_eq!(decide(), decide(), "{spec}"));
    assert_eq!(info.count_total, 0, "{spec} of {} allocates: {info:?}", G::about().name);
}

#[test]
fn searches_do_not_allocate_once_their_memory_is_large_enough() {
    check_search(&ConnectFour, "mcts(iterations=2000)");
    check_search(&ConnectFour, "mcts(iterations=2000, links=off)");
    let game = Conquest2::new(4);
    check_search(&game, "mcts(iterations=200, rollout=uniform, cut=full)");
    check_search(&game, "mcts(iterations=200, rollout=heuristic, cut=round, widen=2)");
}

/// Battles of every size that is kept and of sizes that are not, over and over.
#[test]
fn battle_odds_do_not_allocate_after_they_are_made() {
    let game = Conquest2::new(4);
    let made = measure(|| drop(BattleOdds::new(&game)));
    expect_near(made.bytes_total, 1_400_000);
    let mut odds = BattleOdds::new(&game);
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

fn expect_near(bytes: u64, said: u64) {
    assert!(bytes.abs_diff(said) < said / 20, "{bytes} bytes, and the documentation says {said}");
}
