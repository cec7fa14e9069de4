//! Tests of states as data and of positions made by hand, for every game of the catalogue at every table.

use engine::{ByHand, Configure, Data, Game, Notation, Rules, Walk, conformance, hash_of};

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

/// Checks the positions of `n_games` games at every table, and `n_changes` documents that were changed.
fn check_by_hand<G: Configure + Notation + ByHand>(name: &str, n_games: u32, n_changes: u32) {
    let mut found = conformance::Documents::default();
    for n_players in G::about().players {
        let game = G::configure(n_players, &Rules::of::<G>()).expect("the default rules are good");
        let more = conformance::check_by_hand(&game, 11, n_games, n_changes);
        found.whole += more.whole;
        found.changed += more.changed;
        found.refused += more.refused;
    }
    println!("{name}: {found:?}");
    assert!(found.changed.min(found.refused) > 0, "{name}: {found:?}");
}

macro_rules! every_game {
    ($($name:literal => $game:ty),* $(,)?) => {
        #[test]
        fn every_position_comes_back_from_its_document_and_a_changed_one_is_refused_or_plays_on() {
            std::thread::scope(|scope| {
                $(scope.spawn(|| check_by_hand::<$game>($name, 1, 100));)*
            });
        }

        #[test]
        #[ignore = "slow: random changes of positions of every game: `just by-hand` runs it"]
        fn no_changed_document_panics() {
            std::thread::scope(|scope| {
                $(scope.spawn(|| check_by_hand::<$game>($name, 20, 6_000));)*
            });
        }

        #[test]
        fn every_state_read_back_from_its_data_is_the_same_state() {
            $(check_tables::<$game>($name);)*
        }
    };
}

engine::catalogue!(every_game);
