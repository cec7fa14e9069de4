//! Leaks on the wire: positions that a seat cannot tell apart give it the same bytes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use engine::{Player, Purpose, Randomness, rng};
use play::memory::Memory;
use sim::any::{AnyGame, AnyState, Due};
use sim::catalogue::{NAMES, Setup, about};

use crate::sender::{Moment, Sender};

/// Positions looked at, and worlds beside each.
const POSITIONS: usize = 200;
const WORLDS: u64 = 4;

/// The game with positions of random play in it.
fn positions(name: &str) -> (AnyGame, Vec<AnyState>) {
    let players = about(name).unwrap().default_players;
    let game = AnyGame::new(&Setup::new(name).for_players(players)).unwrap();
    let (mut found, mut block) = (Vec::new(), 0);
    while found.len() < POSITIONS && block < 10_000 {
        let mut chance = engine::ChanceStreams::new(13, block);
        let mut draws = rng::stream(13, block, Purpose::Analysis);
        block += 1;
        let mut state = game.start();
        while found.len() < POSITIONS {
            match state.due() {
                Due::Over => break,
                Due::Chance => drop(state.draw(&mut chance)),
                Due::Player(seat) => {
                    let options = state.n_actions(seat) as u32;
                    state.apply(seat, draws.below(options) as usize).unwrap();
                    // Choices of a simultaneous turn have a test of their own.
                    if draws.below(5) == 0
                        && !state.has_secret_choices()
                        && state.due() != Due::Over
                    {
                        found.push(state.clone());
                    }
                }
            }
        }
    }
    (game, found)
}

/// Finds a position in which `sent` to a seat differs from what it is sent in a world that it cannot tell apart.
fn leak(name: &str, sent: impl Fn(&AnyGame, &AnyState, Player) -> String) -> Option<String> {
    let (game, positions) = positions(name);
    for (number, state) in positions.iter().enumerate() {
        let hidden = Player::all(game.players()).filter(|&seat| !state.is_open_to(seat));
        let hidden: Vec<Player> = hidden.collect();
        // A seat for each position, in turn.
        let Some(&seat) = hidden.get(number % hidden.len().max(1)) else { continue };
        let here = sent(&game, state, seat);
        for world in 0..WORLDS {
            let mut draws = rng::stream(number as u64, world, Purpose::Analysis);
            let there = state.determinized(seat, &mut draws);
            assert_eq!(there.info_state_key(seat), state.info_state_key(seat), "{name}");
            if sent(&game, &there, seat) != here {
                return Some(format!("{name}, position {number}, seat {}", seat.ordinal()));
            }
        }
    }
    None
}

#[test]
fn a_seat_is_sent_the_same_bytes_in_worlds_that_it_cannot_tell_apart() {
    let mut hiding = Vec::new();
    for &name in NAMES {
        let players = about(name).unwrap().default_players;
        let game = AnyGame::new(&Setup::new(name).for_players(players)).unwrap();
        let sender = Sender::new(&game);
        let found = leak(name, |game, state, seat| {
            sender.sent(&Moment::still(state, &Memory::new(&game.start(), seat)))
        });
        assert_eq!(found, None);
        // The planted leak: a page that is sent whole positions.
        let planted = leak(name, |_, state, _| state.json().to_string());
        if planted.is_some() {
            hiding.push(name);
        }
    }
    assert_eq!(
        hiding,
        ["conquest2", "kuhn-poker"],
        "the planted leak is found where something is hidden"
    );
}

#[test]
fn nobody_is_sent_a_choice_that_waits_for_others() {
    let mut seen = 0;
    for &name in NAMES {
        let players = about(name).unwrap().default_players;
        let game = AnyGame::new(&Setup::new(name).for_players(players)).unwrap();
        let sender = Sender::new(&game);
        let mut state = game.start();
        let mut chance = engine::ChanceStreams::new(2, 0);
        for _ in 0..60 {
            match state.due() {
                Due::Over => break,
                Due::Chance => drop(state.draw(&mut chance)),
                Due::Player(first) => {
                    let worlds: Vec<AnyState> = (0..state.n_actions(first).min(3))
                        .map(|number| {
                            let mut after = state.clone();
                            after.apply(first, number).unwrap();
                            after
                        })
                        .collect();
                    if worlds.iter().all(AnyState::has_secret_choices) {
                        for seat in Player::all(players).filter(|&seat| seat != first).take(1) {
                            let memory = Memory::new(&game.start(), seat);
                            let moments = worlds.iter().map(|world| Moment::still(world, &memory));
                            let sent = moments.map(|moment| sender.sent(&moment));
                            let sent: std::collections::BTreeSet<String> = sent.collect();
                            assert_eq!(sent.len(), 1, "{name}: {sent:?}");
                            seen += 1;
                        }
                    }
                    state = worlds.into_iter().next().unwrap();
                }
            }
        }
    }
    assert!(seen > 10, "{seen}");
}
