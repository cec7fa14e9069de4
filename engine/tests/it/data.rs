//! Tests of states as data, for every game of the catalogue at every table.

use engine::{Configure, Data, Game, Rules, Walk, hash_of};

/// Positions of a game that are looked at: the first, and from there on one of this number.
const STRIDE: usize = 5;

fn check_tables<G: Configure + Game<State: Data>>(name: &str) {
    for n_players in G::about().players {
        let game = G::configure(n_players, &Rules::of::<G>()).expect("the default rules are good");
        for index in 0..4 {
            let mut walk = Walk::new(&game, 7, index);
            for step in 0.. {
                let state = *walk.state();
                if step < STRIDE || step % STRIDE == 0 {
                    let text = state.to_data().to_string();
                    let json = serde_json::from_str(&text).expect("a document");
                    let read = G::State::from_data(&json);
                    assert_eq!(
                        read,
                        Ok(state),
                        "{name} for {n_players}, game {index}, step {step}"
                    );
                    assert_eq!(read.map(|read| hash_of(&read)), Ok(hash_of(&state)), "{name}");
                }
                if walk.next().is_none() {
                    break;
                }
            }
        }
    }
}

macro_rules! every_game {
    ($($name:literal => $game:ty),* $(,)?) => {
        #[test]
        fn every_state_read_back_from_its_data_is_the_same_state() {
            $(check_tables::<$game>($name);)*
        }
    };
}

engine::catalogue!(every_game);
