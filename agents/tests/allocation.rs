//! No game touches the heap while it is played.

use allocation_counter::measure;
use engine::rng::{fast, stream};
use engine::{Configure, Purpose, Rules, playout};

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
