//! Leaks over whole games: a seat that is sent moment after moment gets the same bytes in a world that it cannot tell
//! apart, as long as it cannot.
//!
//! At several moments of a game all that a seat cannot see is dealt anew. The other world goes on with the same choices
//! and with chance that looks the same to the seat, until one of them is impossible there or the seat learns more.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use draw::play::DrawnGame;
use engine::{ChanceStreams, Player, Purpose, Randomness, rng};
use play::log::lines;
use play::sight::Sight;
use serde_json::Value as Json;
use sim::any::{AnyGame, AnyState, Due};
use sim::catalogue::{NAMES, Setup, about};
use sim::session::Happening;

/// Messages that are compared in each game, and most games for them.
const MESSAGES: usize = 800;
const GAMES: u64 = 200;
/// Draws of chance among which one is sought that looks the same to the seat.
const DRAWS: u64 = 100;

/// Plays a game at random; returns each event with the position after it.
fn course(game: &AnyGame, seed: u64) -> Vec<(Happening, AnyState)> {
    let (mut state, mut all) = (game.start(), Vec::new());
    let mut chance = ChanceStreams::new(seed, 0);
    let mut draws = rng::stream(seed, 0, Purpose::Analysis);
    loop {
        let event = match state.due() {
            Due::Over => return all,
            Due::Chance => Happening::Chance(state.draw(&mut chance).seen),
            Due::Player(seat) => {
                let mut labels = state.labels(seat);
                let number = draws.below(labels.len() as u32) as usize;
                state.apply(seat, number).unwrap();
                Happening::Choice(seat, labels.swap_remove(number))
            }
        };
        all.push((event, state.clone()));
    }
}

/// Lets an event happen in another world so that it looks the same to `seat`; `None` where it cannot.
fn again(state: &mut AnyState, event: &Happening, seat: Player) -> Option<Happening> {
    match event {
        Happening::Choice(chooser, label) => {
            let is_due = state.due() == Due::Player(*chooser);
            let labels = if is_due { state.labels(*chooser) } else { Vec::new() };
            let number = labels.iter().position(|other| other == label)?;
            state.apply(*chooser, number).unwrap();
            Some(event.clone())
        }
        Happening::Chance(seen) if state.due() == Due::Chance => (0..DRAWS).find_map(|block| {
            let mut after = state.clone();
            let drawn = after.draw(&mut ChanceStreams::new(block, 1));
            let is_alike = drawn.seen[seat.idx()] == seen[seat.idx()];
            is_alike.then(|| {
                *state = after;
                Happening::Chance(drawn.seen)
            })
        }),
        Happening::Chance(_) => None,
    }
}

/// A page of a seat that is sent the events of a world one after another.
struct Page<'a, Sent> {
    sent: &'a Sent,
    seat: Player,
    /// The view after the last final choice of the seat.
    before: Json,
    /// Events that are not public yet.
    secret: Vec<Happening>,
}

impl<Sent: Fn(&AnyState, Player, &Json, &[Happening]) -> String> Page<'_, Sent> {
    /// Returns the message of an event that led to `state`.
    fn message(&mut self, event: Happening, state: &AnyState) -> String {
        let is_own = matches!(event, Happening::Choice(chooser, _) if chooser == self.seat);
        self.secret.push(event);
        let is_secret = state.has_secret_choices();
        let public = if is_secret { Vec::new() } else { std::mem::take(&mut self.secret) };
        let message = (self.sent)(state, self.seat, &self.before, &public);
        if is_own {
            self.before = state.view_json(self.seat);
        }
        message
    }
}

/// Returns the view of a seat after its last choice among the first events of a game.
fn last_seen(game: &AnyGame, course: &[(Happening, AnyState)], seat: Player) -> Json {
    let is_own = |(event, _): &&(Happening, AnyState)| matches!(event, Happening::Choice(chooser, _) if *chooser == seat);
    let last = course.iter().rev().find(is_own).map(|(_, state)| state);
    last.map_or_else(|| game.start().view_json(seat), |state| state.view_json(seat))
}

/// Sends games to each seat, from a random moment on, and to the seat in another world. Returns the number of messages,
/// and the first place where they differ although the seat cannot tell the worlds apart.
fn compared(
    game: &AnyGame,
    sent: &impl Fn(&AnyState, Player, &Json, &[Happening]) -> String,
) -> (usize, Option<String>) {
    let mut n = 0;
    for seed in 0..GAMES {
        // A game that hides something does so soon.
        if n >= MESSAGES || (n == 0 && seed > GAMES / 20) {
            break;
        }
        let course = course(game, seed);
        let mut draws = rng::stream(seed, 1, Purpose::Analysis);
        for seat in Player::all(game.players()) {
            let start = draws.below(course.len() as u32) as usize;
            let (known, rest) = course.split_at(start + 1);
            let state = &course[start].1;
            if state.is_open_to(seat) || state.has_secret_choices() {
                continue;
            }
            let mut world = state.determinized(seat, &mut draws);
            if world.json() == state.json() {
                continue;
            }
            let before = last_seen(game, known, seat);
            let page = || Page { sent, seat, before: before.clone(), secret: Vec::new() };
            let (mut here, mut there) = (page(), page());
            for (event, state) in rest {
                let Some(other) = again(&mut world, event, seat) else { break };
                if world.info_state_key(seat) != state.info_state_key(seat) {
                    break;
                }
                n += 1;
                if here.message(event.clone(), state) != there.message(other, &world) {
                    let place = format!("game {seed}, seat {seat:?}, ply {}", state.plies());
                    return (n, Some(place));
                }
            }
        }
    }
    (n, None)
}

#[test]
fn a_seat_is_sent_the_same_stream_in_worlds_that_it_cannot_tell_apart() {
    let mut hiding = Vec::new();
    for &name in NAMES {
        let players = about(name).unwrap().default_players;
        let game = AnyGame::new(&Setup::new(name).for_players(players)).unwrap();
        let names: Vec<String> = (0..players).map(|seat| format!("seat {}", seat + 1)).collect();
        let drawn = DrawnGame::new(name, &game.rules().to_json(), players);
        let named = |seat: Player| names[seat.idx()].clone();
        let (n, found) = compared(&game, &|state, seat, before, new| {
            let sight = Sight { game: &drawn, names: &names, seat, before };
            format!("{} {:?}", sight.of(state, state, &[]), lines(new, &[seat], &named))
        });
        assert_eq!(found, None, "{name}");
        // The planted leak: a page that is sent the view of its neighbour.
        let (_, leak) =
            compared(&game, &|state, seat, _, _| state.view_json(seat.next(players)).to_string());
        if leak.is_some() {
            assert!(n > 100, "{name}: {n} messages");
            hiding.push(name);
        }
    }
    assert_eq!(hiding, ["conquest2", "kuhn-poker"], "the planted leak is found");
}
