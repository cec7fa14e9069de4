//! Games whose type is known at run time only are the games of tournaments, byte for byte, and show no more than views do.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use engine::{ChanceStreams, Player, Purpose, rng};
use sim::any::{AnyGame, AnyState, Due};
use sim::catalogue::{NAMES, Setup, about};
use sim::config::{Plan, TournamentConfig};
use sim::record::{FORMAT, Header};
use sim::tournament::{Options, play_game};

const SEED: u64 = 5;

fn game_of(name: &str, players: usize) -> AnyGame {
    AnyGame::new(&Setup::new(name).for_players(players)).unwrap()
}

/// Agents of a table: greedy, random and their like in turn.
fn specs(players: usize) -> Vec<String> {
    ["greedy", "random", "greedy(epsilon=0.3)"]
        .into_iter()
        .cycle()
        .take(players)
        .map(str::to_owned)
        .collect()
}

/// The record of the first game of a tournament with seed [`SEED`].
fn record_of_tournament(name: &str, players: usize) -> String {
    let config = TournamentConfig {
        game: Some(name.to_owned()),
        players: Some(players),
        agents: Some(specs(players)),
        blocks: Some(1),
        seed: Some(SEED),
        ..TournamentConfig::default()
    };
    let plan = Plan::new(config, &|_| unreachable!("no file is named")).unwrap();
    let options = Options { threads: 1, records: true, extras: false };
    let result = play_game(&plan, 0, options).unwrap();
    result.record.unwrap().text().unwrap().to_owned()
}

/// Plays the same game by hand, and calls `at` before each choice.
fn record_by_hand(
    name: &str,
    players: usize,
    seed: u64,
    mut at: impl FnMut(&AnyState, Player),
) -> String {
    let game = game_of(name, players);
    let header = Header {
        format: FORMAT.to_owned(),
        game: name.to_owned(),
        seats: players,
        rules: game.overrides(),
        agents: specs(players),
        seed: format!("{seed}/0"),
    };
    let mut agents: Vec<_> =
        specs(players).iter().map(|spec| game.agent(&spec.parse().unwrap()).unwrap()).collect();
    let mut thoughts: Vec<_> =
        Player::all(players).map(|p| rng::stream(seed, 0, Purpose::Agent(p.idx() as u8))).collect();
    let mut chance = ChanceStreams::new(seed, 0);
    let mut state = game.start();
    state.keep_record(&header);
    for seat in Player::all(players) {
        agents[seat.idx()].start(seat).unwrap();
    }
    loop {
        match state.due() {
            Due::Player(seat) => {
                at(&state, seat);
                let chosen =
                    agents[seat.idx()].choose(&state, seat, &mut thoughts[seat.idx()]).unwrap();
                state.apply(seat, chosen).unwrap();
            }
            Due::Chance => drop(state.draw(&mut chance)),
            Due::Over => break,
        }
    }
    let points = state.points().unwrap();
    assert!((points.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{name}: {points:?}");
    state.take_record().unwrap()
}

#[test]
fn a_game_played_by_hand_has_the_record_of_the_tournament() {
    for &name in NAMES {
        let about = about(name).unwrap();
        for players in [*about.players.start(), *about.players.end()] {
            let by_hand = record_by_hand(name, players, SEED, |_, _| {});
            assert!(by_hand == record_of_tournament(name, players), "{name} for {players}");
        }
    }
}

#[test]
fn what_a_seat_cannot_know_changes_nothing_that_it_sees() {
    for &name in NAMES {
        let players = about(name).unwrap().default_players.max(2);
        let mut draws = rng::stream(9, 0, Purpose::Analysis);
        let (mut seen, mut differs) = (0, false);
        let mut looked = |state: &AnyState, seat: Player| {
            seen += 1;
            if seen % 3 != 0 {
                return;
            }
            for observer in Player::all(players) {
                let drawn = state.determinized(observer, &mut draws);
                differs |= drawn.json() != state.json();
                assert_eq!(drawn.view_json(observer), state.view_json(observer), "{name}");
                assert_eq!(drawn.view_text(observer), state.view_text(observer), "{name}");
                assert_eq!(drawn.info_state_key(observer), state.info_state_key(observer));
                assert_eq!(drawn.action_texts(observer), state.action_texts(observer), "{name}");
                assert!(!state.is_open_to(observer) || drawn.json() == state.json(), "{name}");
                assert_eq!(drawn.record_so_far(), None);
            }
            assert!(state.n_actions(seat) > 1, "{name}");
        };
        // Senators are seldom bribed, and poker is short.
        let seeds = if ["conquest2", "kuhn-poker"].contains(&name) { 12 } else { 1 };
        (0..seeds).for_each(|seed| drop(record_by_hand(name, players, seed, &mut looked)));
        let hides = ["conquest2", "kuhn-poker"].contains(&name);
        assert!(differs || !hides, "{name}: nothing was drawn anew");
    }
}

#[test]
fn choices_of_a_simultaneous_turn_stay_hidden_until_all_have_chosen() {
    let game = game_of("goofspiel", 2);
    let mut state = game.start();
    let mut chance = ChanceStreams::new(1, 0);
    while state.due() == Due::Chance {
        state.draw(&mut chance);
    }
    let Due::Player(first) = state.due() else { panic!("somebody bids") };
    let mut other = state.clone();
    state.apply(first, 0).unwrap();
    other.apply(first, 1).unwrap();
    let Due::Player(second) = state.due() else { panic!("the other one bids") };
    assert_ne!(first, second);
    assert_eq!(state.view_json(second), other.view_json(second));
    assert_eq!(state.apply(first, 0), Err(engine::IllegalAction), "it has chosen");
    let mut draws = rng::stream(2, 0, Purpose::Analysis);
    let mut drawn = state.determinized(second, &mut draws);
    assert_eq!(drawn.due(), Due::Player(first), "its choice is forgotten");
    drawn.apply(first, 2).unwrap();
    drawn.apply(second, 0).unwrap();
}

#[test]
fn what_is_not_possible_is_refused_and_changes_nothing() {
    let (pig, other) = (game_of("pig", 2), game_of("tic-tac-toe", 2));
    let mut state = pig.start();
    while state.due() == Due::Chance {
        state.apply_outcome(state.outcomes().len() - 1).unwrap();
    }
    let Due::Player(seat) = state.due() else { panic!("somebody begins") };
    let before = state.json();
    assert_eq!(state.apply(seat, 99), Err(engine::IllegalAction));
    assert_eq!(state.apply(Player::new(1 - seat.idx()), 0), Err(engine::IllegalAction));
    assert_eq!(state.apply_outcome(0), Err(engine::IllegalAction));
    assert!(state.outcomes().is_empty() && state.points().is_none());
    assert!(state.find(seat, "fly").unwrap_err().to_string().contains("roll"));
    assert_eq!(state.json(), before);
    let mut agent = other.agent(&"greedy".parse().unwrap()).unwrap();
    let mut rng = rng::stream(1, 0, Purpose::Analysis);
    let refused = agent.choose(&state, seat, &mut rng).unwrap_err().to_string();
    assert!(refused.contains("another game"), "{refused}");
    state.apply(seat, state.find(seat, "roll").unwrap()).unwrap();
    let outcomes = state.outcomes();
    assert_eq!(outcomes.len(), 6);
    assert!((outcomes.iter().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-12);
    state.apply_outcome(5).unwrap();
    assert_eq!((state.plies(), state.due()), (1, Due::Player(seat)));
}

/// Numbers in actions that are no seats, or that count from 1 in records also: game, first word, and which number it is.
const OF_NO_SEAT: [&str; 20] = [
    "circus go 1",
    "circus start 1",
    "circus waste 1",
    "classic count 1",
    "classic ransom 2",
    "conquest2 amount 1",
    "conquest2 count 1",
    "conquest2 show 1",
    "conquest2 show 2",
    "conquest2 show 3",
    "conquest2 show 4",
    "goofspiel bid 1",
    "hannibal card 1",
    "rise count 1",
    "rise empire 1",
    "rise pay 1",
    "rise remove 1",
    "rise seat 1",
    "rise take 1",
    "rise trade 1",
];

/// Every other number behind the first word is a seat, which counts from 0 in records and from 1 for people.
#[test]
fn seats_in_actions_count_from_1_for_people_in_every_game() {
    let numbers = |text: &str| -> Vec<usize> {
        text.split(' ').skip(1).filter_map(|part| part.parse().ok()).collect()
    };
    let (mut of_seats, mut others) = (BTreeSet::new(), BTreeSet::new());
    for name in NAMES {
        let players = *about(name).unwrap().players.end();
        for seed in 0..4 {
            record_by_hand(name, players, seed, |state, seat| {
                for (text, label) in state.action_texts(seat).iter().zip(state.labels(seat)) {
                    let word = text.split(' ').next().unwrap();
                    let (recorded, shown) = (numbers(text), numbers(&label));
                    assert_eq!(recorded.len(), shown.len(), "{name}: {text}, {label}");
                    for (place, (n, shown)) in recorded.into_iter().zip(shown).enumerate() {
                        let key = format!("{name} {word} {}", place + 1);
                        let _ =
                            if shown == n + 1 { of_seats.insert(key) } else { others.insert(key) };
                    }
                }
            });
        }
    }
    assert_eq!(others.iter().collect::<Vec<_>>(), OF_NO_SEAT, "numbers that are as in records");
    let seats = [
        "classic attack 1",
        "classic exchange 1",
        "classic ransom 1",
        "conquest2 against 1",
        "conquest2 attack 1",
        "conquest2 propose 1",
        "conquest2 propose 2",
        "conquest2 source 1",
        "conquest2 target 1",
        "rise battle 1",
    ];
    assert_eq!(of_seats.iter().collect::<Vec<_>>(), seats);
}
