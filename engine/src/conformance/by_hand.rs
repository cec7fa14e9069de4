//! Positions made by hand: what a game writes it reads, and what somebody changed is refused or plays on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value as Json;

use super::At;
use crate::by_hand::{ByHand, state_from_json, state_to_json};
use crate::game::Turn;
use crate::hash::hash_of;
use crate::notation::Notation;
use crate::player::Player;
use crate::rng::{Fast, Purpose, Randomness, fast, stream};
use crate::rules::Configure;
use crate::walk::{Walk, play_event};

/// Plies that a position plays on.
const PLIES: u32 = 200;
/// Distance between the positions, on these plies, that all seats look at.
const STRIDE: u32 = 40;

/// Number of documents by what became of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Documents {
    /// Positions of games that were read back.
    pub whole: u32,
    /// Changed documents that hold another position.
    pub changed: u32,
    /// Changed documents that were refused.
    pub refused: u32,
}

/// Plays `n_games` random games of the run with seed `seed`. Every position comes back from its document. Then
/// `n_changes` documents are changed at random in one or two places. In one document for every 500 of these, each
/// number is set to the largest that its part can hold. Each is refused, or its position plays on.
///
/// # Panics
/// If a position does not come back, or a changed one panics; the message has the document.
pub fn check_by_hand<G: Configure + Notation + ByHand>(
    game: &G,
    seed: u64,
    n_games: u32,
    n_changes: u32,
) -> Documents {
    let mut found = Documents::default();
    let mut documents = Vec::new();
    let mut at = At { name: G::about().name, n_players: game.n_players(), seed, index: 0, step: 0 };
    for index in 0..n_games.into() {
        let mut walk = Walk::new(game, seed, index);
        for step in 0.. {
            at = At { index, step, ..at };
            let state = *walk.state();
            let json = state_to_json::<G>(&state);
            check_round_trip(at, game, &state, &json);
            found.whole += 1;
            documents.push(json);
            if walk.next().is_none() {
                break;
            }
        }
    }
    let mut rng = fast(&mut stream(seed, 0, Purpose::Analysis));
    let mut check = |changed: &Json, rng: &mut Fast| match check_changed(at, game, changed, rng) {
        true => found.changed += 1,
        false => found.refused += 1,
    };
    for _ in 0..n_changes {
        let [one, other] = [0; 2].map(|_| rng.below(documents.len() as u32) as usize);
        check(&change(&documents[one], &documents[other], &mut rng), &mut rng);
    }
    let n = n_changes.div_ceil(500) as usize;
    for k in 1..=n {
        let document = &documents[documents.len() * k / (n + 1)];
        each_number_at_its_end(document, |changed| check(changed, &mut rng));
    }
    found
}

/// Calls `check` with a document in which one number is the largest of its type, for each number and each type.
fn each_number_at_its_end(document: &Json, mut check: impl FnMut(&Json)) {
    const ENDS: [i64; 4] = [i8::MAX as i64, u8::MAX as i64, u16::MAX as i64, i32::MAX as i64];
    let mut changed = document.clone();
    let mut places = places(document);
    places.dedup();
    for place in places {
        let part = changed.pointer(&place).expect("a place in the document").clone();
        if !part.is_number() {
            continue;
        }
        for end in ENDS {
            *changed.pointer_mut(&place).expect("the same place") = end.into();
            check(&changed);
        }
        *changed.pointer_mut(&place).expect("the same place") = part;
    }
}

/// Checks that a document brings back its state.
fn check_round_trip<G: ByHand + Notation>(at: At, game: &G, state: &G::State, json: &Json) {
    let read = state_from_json(game, json).unwrap_or_else(|bad| panic!("{at}: {bad}: {json}"));
    assert_eq!(read, *state, "{at}: {json}");
    assert_eq!(hash_of(&read), hash_of(state), "{at}: the hash of {json}");
    assert_eq!(game.position_json(&read).as_ref(), Some(json), "{at}: written again");
    assert_eq!(game.position_from_json(json), Ok(*state), "{at}: read by the notation");
}

/// Checks that a changed document is refused, or holds a position that plays on; returns whether it was read.
fn check_changed<G: ByHand + Notation>(at: At, game: &G, json: &Json, rng: &mut Fast) -> bool {
    let played = catch_unwind(AssertUnwindSafe(|| {
        let Ok(mut state) = state_from_json(game, json) else { return false };
        play_on(game, &mut state, rng);
        true
    }));
    played.unwrap_or_else(|_| panic!("{at}: this document panics: {json}"))
}

/// Plays a position on, with a look from all seats now and then.
fn play_on<G: Notation>(game: &G, state: &mut G::State, rng: &mut Fast) {
    let mut scratch = Vec::new();
    for ply in 0..PLIES {
        if ply % STRIDE == 0 {
            look(game, state, rng);
        }
        let went_on = play_event(game, state, |state, mover| {
            Ok::<_, std::convert::Infallible>(match mover.player() {
                Some(player) => game.random_action(state, player, rng, &mut scratch),
                None => game.draw(state, rng),
            })
        });
        if went_on == Ok(false) {
            let sum: f32 = game.payoffs(state).0.iter().sum();
            assert!((sum - 1.0).abs() < 1e-5, "payoffs add up to {sum}");
            break;
        }
    }
    look(game, state, rng);
}

fn look<G: Notation>(game: &G, state: &G::State, rng: &mut Fast) {
    let mut text = String::new();
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    game.write_state(state, &mut text).expect("writing to a string does not fail");
    drop((game.state_json(state), game.scores(state)));
    if game.turn(state) == Turn::Chance {
        game.outcomes(state, &mut outcomes);
        assert!(!outcomes.is_empty(), "chance is due and nothing can happen");
    }
    for observer in Player::all(game.n_players()) {
        drop((game.view_json(state, observer), game.info_state_key(state, observer)));
        game.write_view(state, observer, &mut text).expect("writing to a string does not fail");
        let mut world = *state;
        game.determinize(&mut world, observer, rng);
        assert_eq!(game.turn(&world), game.turn(state), "a world has another turn");
        if game.turn(state) == Turn::Player(observer) {
            game.actions(state, observer, &mut actions);
            actions.drain(..).for_each(|action| drop(game.action_text(action)));
        }
    }
}

/// Returns a document with one or two changes, some of them taken from `other`.
fn change(json: &Json, other: &Json, rng: &mut Fast) -> Json {
    let mut changed = json.clone();
    for _ in 0..1 + rng.below(2) {
        let places = places(&changed);
        let place = &places[rng.below(places.len() as u32) as usize];
        let theirs = other.pointer(place).cloned();
        let part = changed.pointer_mut(place).expect("a place in the document");
        if rng.below(3) == 0 {
            *part = theirs.unwrap_or(Json::Null);
        } else {
            change_part(part, rng);
        }
    }
    changed
}

/// Returns the pointers to all parts of a document, leaves several times: most changes are to be small.
fn places(json: &Json) -> Vec<String> {
    fn visit(json: &Json, path: &str, places: &mut Vec<String>) {
        let mut inside = |key: &str, part: &Json| visit(part, &format!("{path}/{key}"), places);
        match json {
            Json::Object(parts) => parts.iter().for_each(|(key, part)| inside(key, part)),
            Json::Array(items) => {
                items.iter().enumerate().for_each(|(i, item)| inside(&i.to_string(), item));
            }
            _ => places.extend([path, path].map(str::to_owned)),
        }
        places.push(path.to_owned());
    }
    let mut found = Vec::new();
    visit(json, "", &mut found);
    found
}

fn change_part(part: &mut Json, rng: &mut Fast) {
    const ODD: [i64; 10] = [-1, 0, 1, 5, 6, 127, 255, 256, 65_535, 1 << 40];
    let index = |n: usize, rng: &mut Fast| rng.below(n as u32) as usize;
    match part {
        Json::Number(number) if rng.below(2) == 0 => {
            let by = i64::from(rng.below(7)) - 3;
            *part = number.as_i64().unwrap_or_default().wrapping_add(by).into();
        }
        Json::Number(_) if rng.below(2) == 0 => *part = rng.below(16).into(),
        Json::Number(_) => *part = ODD[index(ODD.len(), rng)].into(),
        Json::Bool(is_so) => *is_so = !*is_so,
        Json::Array(items) if !items.is_empty() => {
            let (i, j) = (index(items.len(), rng), index(items.len(), rng));
            match rng.below(4) {
                0 => drop(items.remove(i)),
                1 => items.push(items[i].clone()),
                2 => items.swap(i, j),
                _ => items[i] = items[j].clone(),
            }
        }
        Json::Array(items) => items.push(rng.below(9).into()),
        Json::Object(parts) => {
            let key = parts.keys().nth(index(parts.len().max(1), rng)).cloned();
            drop(parts.remove(&key.unwrap_or_default()));
        }
        Json::String(word) => *part = format!("{word}x").into(),
        Json::Null => *part = rng.below(9).into(),
    }
}
