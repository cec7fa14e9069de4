//! Drafts: what a seat has chosen so far, as its page says it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use draw::play::{Asked, DrawnGame, ask};
use engine::{ChanceStreams, Purpose, Randomness, rng};
use play::memory::Memory;
use play::sight::Sight;
use sim::any::{AnyGame, Due};
use sim::catalogue::{NAMES, Setup, about};

/// Games that are played at random, of each game.
const GAMES: u64 = 10;
/// Returns what the drafts of random games say: each sentence with its numbers left out.
fn drafts(name: &str) -> BTreeSet<String> {
    let players = about(name).unwrap().default_players;
    let game = AnyGame::new(&Setup::new(name).for_players(players)).unwrap();
    let drawn = DrawnGame::new(name, &game.rules().to_json(), players);
    let names: Vec<String> = (1..=players).map(|seat| format!("P{seat}")).collect();
    let mut all = BTreeSet::new();
    for seed in 0..GAMES {
        let (mut state, mut chance) = (game.start(), ChanceStreams::new(seed, 0));
        let mut draws = rng::stream(seed, 0, Purpose::Analysis);
        let (mut draft, mut last) = (Vec::new(), None);
        loop {
            let seat = match state.due() {
                Due::Over => break,
                Due::Chance => {
                    state.draw(&mut chance);
                    last = None;
                    continue;
                }
                Due::Player(seat) => seat,
            };
            if last.replace(seat) != Some(seat) {
                draft.clear();
            }
            let (view, labels) = (state.view_json(seat), state.labels(seat));
            let asked = Asked { game: &drawn, names: &names, view: &view, seat: seat.idx() };
            all.extend(ask(&asked, &[], &draft).so_far);
            let number = draws.below(labels.len() as u32) as usize;
            let memory = Memory::new(&state, seat);
            let sight = Sight { game: &drawn, names: &names, memory: &memory };
            draft.push(sight.chosen(&state, &labels[number]));
            state.apply(seat, number).unwrap();
        }
    }
    all
}

/// Returns what a sentence of a draft says twice, if it does: an amount of a thing that it names before, or two amounts of
/// one thing.
fn twice(text: &str) -> Option<String> {
    let words = |text: &str| -> Vec<String> {
        let all = text.split(|c: char| !c.is_alphabetic()).map(|word| word.trim_end_matches('s'));
        all.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    text.split("; ").find_map(|part| {
        let (head, tail) = part.split_once(": ")?;
        let head = words(head);
        let mut said = BTreeSet::new();
        tail.split(", ").map(words).find_map(|thing| {
            let is_named = thing.first().is_some_and(|first| head.contains(first));
            (is_named || !said.insert(thing.clone())).then(|| thing.join(" "))
        })
    })
}

#[test]
fn a_draft_says_nothing_twice() {
    assert_eq!(twice("Buy a catapult in Asia: 3 catapults"), Some("catapult".to_owned()));
    assert_eq!(twice("Move to Asia: 3 infantry, 1 infantry"), Some("infantry".to_owned()));
    let mut counted = 0;
    for &name in NAMES {
        for text in drafts(name) {
            assert_eq!(twice(&text), None, "{name}: {text}");
            counted += usize::from(text.contains(": "));
        }
    }
    assert!(counted > 500, "{counted}");
}
