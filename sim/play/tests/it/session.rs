//! Sessions with people: what is taken back leaves no trace, and a game that was cut goes on as it would have.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use engine::{Player, Purpose, Randomness, rng};
use serde_json::Value as Json;
use sim::catalogue::NAMES;
use sim::session::{Happening, Session, Step};

use crate::sessions::session;

/// Plays to the end with the choices that `choose` makes of a session and the number of options.
fn play(session: &mut Session, mut choose: impl FnMut(&mut Session, usize)) -> String {
    loop {
        match session.step().unwrap() {
            Step::Asks(seat) => {
                let options = session.state().n_actions(seat);
                choose(session, options);
            }
            Step::Happened(_) => {}
            Step::Over => return session.take_record().unwrap(),
        }
    }
}

/// Plays a game of a person who chooses, takes back and chooses again at random, and the game of one who chose the same
/// at once. Returns how much was taken back.
fn wavering(name: &str, seed: u64) -> usize {
    let (mut undone, mut texts) = (0, Vec::new());
    let mut draws = rng::stream(seed, 0, Purpose::Analysis);
    let mut wavering = session(name, &[0], seed);
    let record = play(&mut wavering, |session, options| {
        let before = session.undoable();
        session.choose(draws.below(options as u32) as usize).unwrap();
        while session.undoable() > 0 && draws.below(2) == 0 {
            let back = session.undoable() - 1;
            assert!(session.undo() && back <= before);
            undone += 1;
        }
    });
    let chosen = record.lines().filter(|line| line.contains("\"player\":0"));
    texts.extend(chosen.map(|line| {
        let line: Json = serde_json::from_str(line).unwrap();
        line["action"].as_str().unwrap().to_owned()
    }));
    let mut texts = texts.iter();
    let straight = play(&mut session(name, &[0], seed), |session, _| {
        let text = texts.next().unwrap();
        let number = session.state().find(Player::new(0), text).unwrap();
        session.choose(number).unwrap();
    });
    assert!(record == straight, "{name}, seed {seed}");
    assert_eq!(texts.next(), None, "{name}");
    undone
}

#[test]
fn what_is_taken_back_leaves_no_trace() {
    let mut undone = 0;
    for seed in 4.. {
        undone += NAMES.iter().map(|name| wavering(name, seed)).sum::<usize>();
        if undone >= 10_000 {
            return;
        }
        assert!(seed < 100, "{undone}");
    }
}

#[test]
fn a_record_that_was_cut_anywhere_goes_on_to_the_same_game() {
    for name in ["kuhn-poker", "goofspiel", "pig", "hannibal", "conquest2"] {
        // Its games are long.
        let cuts = if name == "conquest2" { 12 } else { 60 };
        let first = |session: &mut Session, options: usize| {
            session.choose(session.state().plies() as usize % options).unwrap();
        };
        let whole = play(&mut session(name, &[0], 11), first);
        let body = whole.split_once('\n').unwrap().1;
        let end = body.find("{\"end\"").unwrap();
        for cut in (0..=end).step_by(1 + end / cuts) {
            let mut again = session(name, &[0], 11);
            again.replay(&body[..cut]).unwrap();
            assert!(play(&mut again, first) == whole, "{name} cut at {cut}");
        }
        let refused = session(name, &[0], 11).replay(body).unwrap_err().to_string();
        assert!(refused.contains("the game is over"), "{refused}");
        let foreign = session(name, &[0], 12).replay(body).unwrap_err().to_string();
        assert!(foreign.starts_with("line "), "{foreign}");
    }
}

#[test]
fn nobody_hears_of_what_only_others_saw() {
    let (mut secret, mut seen) = (0, 0);
    for seed in 0..60 {
        let mut table = session("conquest2", &[], seed);
        loop {
            match table.step().unwrap() {
                Step::Happened(happenings) => {
                    for happening in happenings {
                        let Happening::Chance(events) = happening else { continue };
                        secret += events.iter().filter(|event| event.value == Json::Null).count();
                        let known = events.iter().filter(|event| event.value != Json::Null);
                        seen += usize::from(known.count() == 2);
                    }
                }
                Step::Asks(seat) => panic!("nobody sits in seat {}", seat.ordinal()),
                Step::Over => break,
            }
        }
    }
    assert!(secret > 0 && secret == 2 * seen, "bribes: {seen} seen by two, {secret} by nobody");
    let mut table = session("kuhn-poker", &[0, 1], 1);
    let Step::Happened(deal) = table.step().unwrap() else { panic!("cards are dealt first") };
    let [Happening::Chance(events)] = &deal[..] else { panic!("{deal:?}") };
    assert!(events.iter().all(|event| event.value == Json::Null), "{events:?}");
}

#[test]
fn choices_made_at_once_are_told_when_all_have_chosen() {
    let mut table = session("goofspiel", &[0, 1], 1);
    while !matches!(table.step().unwrap(), Step::Asks(_)) {}
    assert_eq!(table.choose(0).unwrap(), []);
    assert_eq!(table.undoable(), 0, "the other seat is to choose");
    assert!(matches!(table.step().unwrap(), Step::Asks(seat) if seat.idx() == 1));
    let both = table.choose(1).unwrap();
    assert_eq!(both.len(), 2, "{both:?}");
}
