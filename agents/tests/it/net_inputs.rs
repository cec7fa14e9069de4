//! Inputs of nets: names, what they may know, and what renaming the seats does to them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use agents::leaks::determinizations;
use agents::net::{InputGroup, Inputs, Layout, inputs_of};
use agents::{Settings, Weighted};
use engine::games::conquest2::board::{N_PROVINCES, N_ZONES};
use engine::games::conquest2::units::Unit;
use engine::games::conquest2::{Action, Conquest2, Place, State, Zone};
use engine::games::hannibal::{Hannibal, Phase};
use engine::games::imperium::Imperium;
use engine::rng::{Purpose, stream};
use engine::{Event, Game, Notation, Player, PlayerSet, Turn, Walk};

use crate::net::layouts;

#[test]
fn names_of_inputs_are_unique_and_say_what_they_count() {
    for groups in layouts().iter().flat_map(|(_, layout)| [layout.seat, layout.table]) {
        for (at, InputGroup { name, meaning, count, usual, most, .. }) in groups.iter().enumerate()
        {
            assert!(groups[..at].iter().all(|other| other.name != *name), "{name}");
            assert!(!meaning.is_empty() && *count > 0 && *usual > 0.0 && *most > 0, "{name}");
        }
    }
}

/// The first input of each group of a seat, with its group.
fn group_of(layout: &Layout, input: u16) -> &'static str {
    let mut left = usize::from(input);
    for group in layout.seat {
        if left < group.count {
            return group.name;
        }
        left -= group.count;
    }
    panic!("no input {input}")
}

/// Hidden in conquest2 are the Senators that others hold; a world assigns them some. In two worlds of one information
/// set only the inputs that count Senators differ, and those of its own Senators never do.
#[test]
fn inputs_of_worlds_that_a_player_cannot_tell_apart_differ_in_senators_alone() {
    let game = Conquest2::new(4);
    let counted = game.net_inputs(&Settings::default()).unwrap().unwrap();
    let layout = counted.layout();
    let (mut compared, mut rng) = (0, stream(3, 0, Purpose::Analysis));
    for index in 0..12 {
        let mut walk = Walk::new(&game, 21, index);
        let mut events = 0;
        while walk.next().is_some() {
            events += 1;
            let state = *walk.state();
            let Turn::Player(player) = game.turn(&state) else { continue };
            if events % 2 != 0 {
                continue;
            }
            let (mut true_, mut other) = (Inputs::default(), Inputs::default());
            counted.count(&game, &state, &mut true_);
            for world in determinizations(&game, &state, player, 4, &mut rng) {
                counted.count(&game, &world, &mut other);
                compared += 1;
                assert_eq!((true_.phase, &true_.table), (other.phase, &other.table));
                for (q, (a, b)) in true_.seats.iter().zip(&other.seats).enumerate() {
                    assert_eq!(a.allies, b.allies);
                    let differs = a.own.iter().filter(|x| !b.own.contains(x));
                    for entry in differs {
                        let name = group_of(&layout, entry.input);
                        // The player's own inputs may differ only in the lead over the votes of others.
                        let is_own = q == player.idx();
                        let may = if is_own {
                            &["votes_lead"][..]
                        } else {
                            &["senators", "counts", "votes_lead"]
                        };
                        assert!(may.contains(&name), "{name} of seat {q}, seen by {player:?}");
                    }
                }
            }
        }
    }
    assert!(compared >= 200, "{compared}");
}

/// Returns the text of an action with every seat in it one further.
fn turned(text: &str) -> String {
    let seats = match text.split(' ').collect::<Vec<_>>()[..] {
        ["propose", ..] => 1..3,
        // What is bought has a source: a province token, or the influence of a seat.
        ["against" | "target" | "attack" | "first-player" | "source", ..] => 1..2,
        ["assassin", ..] => 2..3,
        _ => 0..0,
    };
    let word = |(at, word): (usize, &str)| match word.parse::<usize>() {
        Ok(seat) if seats.contains(&at) => ((seat + 1) % 4).to_string(),
        _ => word.to_owned(),
    };
    text.split(' ').enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// Returns true if everybody has in `there` what the seat before has in `here`.
fn is_turned(game: &Conquest2, here: &State, there: &State) -> bool {
    let (here, there) = (game.situation(here), game.situation(there));
    here.players().all(|q| {
        let p = Player::new((q.idx() + 1) % 4);
        let places = Place::first(N_PROVINCES).all(|place| {
            here.troops(q, place) == there.troops(p, place)
                && here.generals(q, place) == there.generals(p, place)
        });
        let zones = Zone::first(N_ZONES).all(|z| here.galleys(q, z) == there.galleys(p, z));
        let units = Unit::ALL.iter().all(|&u| here.on_map(q, u) == there.on_map(p, u));
        places
            && zones
            && units
            && here.money(q) == there.money(p)
            && here.senators(q) == there.senators(p)
    })
}

/// Plays a game twice, with everybody one seat further the second time: the inputs of a seat are those of the next one, and
/// those of the table stay. Two purchases of an action and losses of allies have an order by seat, so that some games go on
/// otherwise.
#[test]
fn renaming_seats_renames_inputs_and_changes_nothing_else() {
    let game = Conquest2::new(4);
    let counted = game.net_inputs(&Settings::default()).unwrap().unwrap();
    let next = |q: Player| Player::new((q.idx() + 1) % 4);
    let (mut here, mut there, mut compared) = (Inputs::default(), Inputs::default(), 0);
    for index in 0..40 {
        let (mut walk, mut state) = (Walk::new(&game, 23, index), game.start());
        while let Some(event) = walk.next() {
            let action = match event {
                Event::Action(q, action) => {
                    let text = turned(&game.action_text(action));
                    let Ok(action) = game.parse_action(&state, next(q), &text) else { break };
                    action
                }
                Event::Chance(drawn) if game.action_text(drawn).starts_with("first-player") => {
                    let text = turned(&game.action_text(drawn));
                    let mut outcomes = Vec::new();
                    game.outcomes(&state, &mut outcomes);
                    let is_it = |drawn: &Action| game.action_text(*drawn) == text;
                    outcomes.into_iter().map(|(drawn, _)| drawn).find(is_it).unwrap()
                }
                Event::Chance(drawn) => drawn,
                Event::Joint(_) => unreachable!("nobody chooses at once in this game"),
            };
            game.apply(&mut state, action);
            if !is_turned(&game, walk.state(), &state) {
                break;
            }
            let is_over = !counted.count(&game, walk.state(), &mut here);
            assert_eq!(!counted.count(&game, &state, &mut there), is_over);
            if is_over {
                break;
            }
            assert_eq!((here.phase, &here.table), (there.phase, &there.table));
            for q in Player::all(4) {
                let (a, b) = (&here.seats[q.idx()], &there.seats[next(q).idx()]);
                assert_eq!((&a.own, &a.shared), (&b.own, &b.shared), "seat {q}, event {compared}");
                assert_eq!(a.allies.iter().map(next).collect::<PlayerSet>(), b.allies);
            }
            compared += 1;
        }
    }
    assert!(compared > 1_000, "{compared}");
}

/// Checks the same in imperium, where no choice has an order by seat.
#[test]
fn renaming_seats_renames_the_inputs_of_imperium() {
    let game = Imperium::new(4);
    let counted = game.net_inputs(&Settings::default()).unwrap().unwrap();
    let (mut here, mut there, mut compared) = (Inputs::default(), Inputs::default(), 0);
    for index in 0..20 {
        let (mut walk, mut state) = (Walk::new(&game, 27, index), game.start());
        while let Some(Event::Joint(mut joint)) = walk.next() {
            joint.0[..4].rotate_right(1);
            game.apply_joint(&mut state, &joint);
            let is_on = counted.count(&game, walk.state(), &mut here);
            assert_eq!(counted.count(&game, &state, &mut there), is_on);
            if !is_on {
                break;
            }
            there.seats[..4].rotate_left(1);
            assert_eq!(here, there, "game {index}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

/// In hannibal a net corrects what a conflict is worth as the mean over its ends, so that a search with a net decides
/// within conflicts, too.
#[test]
fn positions_of_hannibal_are_counted_where_a_turn_is_due() {
    let game = Hannibal::default();
    let counted = game.net_inputs(&Settings::default()).unwrap().unwrap();
    let (mut inputs, mut turns, mut conflicts) = (Inputs::default(), 0, 0);
    for index in 0..20 {
        let mut walk = Walk::new(&game, 28, index);
        while walk.next().is_some() {
            let is_turn = walk.state().phase() == Phase::Turn;
            assert_eq!(counted.count(&game, walk.state(), &mut inputs), is_turn);
            turns += usize::from(is_turn);
            conflicts += usize::from(!is_turn);
        }
    }
    assert!(turns > 100 && conflicts > 100, "{turns} {conflicts}");
}

const BEGIN: &str = "<!-- table of inputs: begin -->\n";
const END: &str = "<!-- table of inputs: end -->\n";

fn tables() -> String {
    layouts().map(|(game, layout)| table(game, &layout)).join("\n")
}

fn table(game: &str, layout: &Layout) -> String {
    let mut text = format!(
        "| of {game} | inputs | at most | others are told | what an input counts |\n| --- | --- | --- | --- | --- |\n",
    );
    let parts =
        [("a seat", layout.seat), ("the table", layout.table), ("an option", layout.options)];
    for (of, groups) in parts.into_iter().filter(|(_, groups)| !groups.is_empty()) {
        let all = inputs_of(groups);
        writeln!(text, "| *{of}: {all}* | | | | |").unwrap();
        for InputGroup { name, meaning, count, most, is_shared, .. } in groups {
            let shared = if *is_shared { "yes" } else { "" };
            writeln!(text, "| `{name}` | {count} | {most} | {shared} | {meaning} |").unwrap();
        }
    }
    text
}

/// `UPDATE_GOLDEN=1` writes the table.
#[test]
fn the_document_has_the_table_of_inputs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/fitting.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the table begins");
    let (inside, after) = rest.split_once(END).expect("the table ends");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, [before, BEGIN, &tables(), END, after].concat()).unwrap();
    } else {
        assert!(
            inside == tables(),
            "docs/fitting.md lags behind: UPDATE_GOLDEN=1 writes the table"
        );
    }
}
