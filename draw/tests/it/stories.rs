//! Tests of stories from handmade positions: sentences include forced parts, and numbers have places and units.

use draw::games::teller;
use draw::story::{Event, Level, Position, Sentence};
use serde_json::{Value as Json, json};

/// Returns a position of conquest2 with two seats. `rest` adds to the state.
fn position(money: [i64; 2], phase: &str, rest: &Json) -> Position {
    let player = |money: i64| json!({ "money": money, "chaos": 0, "vp": 0, "senators": [1, 0, 0, 0], "cards": [] });
    let mut state = json!({ "season": 0, "players": money.map(player) });
    for (key, value) in rest.as_object().into_iter().flatten() {
        state[key] = value.clone();
    }
    let mut now = json!({ "phase": phase, "round": 0, "actor": 0 });
    if let Some(battle) = rest.get("battle") {
        now["battle"] = battle.clone();
    }
    Position {
        state,
        view: json!({ "now": now, "order": [0, 1], "alliance": ["A", "B"] }),
        ..Position::default()
    }
}

/// Returns the sentences of a list of choices and rolls, each with the position after it.
fn sentences(start: &Position, steps: &[(Event<'_>, Position)]) -> Vec<Sentence> {
    let mut teller = teller("conquest2", start);
    let mut out = Vec::new();
    for (event, after) in steps {
        teller.narrate(event, Some(after), &mut out);
    }
    teller.finish(&mut out);
    out
}

fn texts(sentences: &[Sentence], level: Level) -> Vec<&str> {
    sentences
        .iter()
        .filter(|sentence| sentence.level == level)
        .map(|sentence| sentence.text.as_str())
        .collect()
}

#[test]
fn a_recruitment_is_one_sentence_with_what_was_forced() {
    let start = position([80, 80], "top", &json!({ "land": {}, "sea": {} }));
    let after = position(
        [50, 80],
        "top",
        &json!({ "land": { "egypt": [[3, 0, 0, 0, 0], null] }, "sea": { "mare-pelusium": [1, 0] } }),
    );
    // Places and numbers of the units were forced, except for one choice.
    let middle = position([80, 80], "recruit count", &json!({ "land": {}, "sea": {} }));
    let choose = |action| Event::Choice { seat: 0, action };
    let sentences = sentences(&start, &[(choose("recruit"), middle), (choose("count 3"), after)]);
    assert_eq!(texts(&sentences, Level::Round), ["season 1, round 1"]);
    let deed = "seat 1 recruits 3 infantry in egypt and a galley in mare-pelusium for 30 talents";
    assert_eq!(texts(&sentences, Level::Deed), [deed]);
}

#[test]
fn a_battle_is_told_round_by_round_with_its_odds() {
    let armies = |land: &Json| {
        json!({ "land": land, "battle": {
            "place": "sicilia", "naval": false, "round": 1, "attacker": 0, "defender": 1,
            "armies": [[2, 0, 0, 0], [1, 0, 0, 0]], "hits": [0, 0], "side": "attacker",
        } })
    };
    let both = json!({ "sicilia": [[2, 0, 0, 0, 0], [1, 0, 0, 0, 0]] });
    let start = position([0, 0], "battle in", &json!({ "land": both }));
    let mut fight = position([0, 0], "dice", &armies(&both));
    fight.odds = vec![("the attacker wins", 0.8125), ("the defender", 0.1875)];
    let won = json!({ "sicilia": [[2, 0, 0, 0, 0], null] });
    let over = position([0, 0], "top", &json!({ "land": won }));
    let (faces, side) = (json!(["infantry", "cavalry", "blank"]), json!("attacker"));
    let roll = Event::Chance { kind: "dice", who: Some(&side), value: &faces };
    let choose = Event::Choice { seat: 0, action: "in sicilia" };
    let sentences = sentences(&start, &[(choose, fight), (roll, over)]);
    let main = [
        "seat 1 attacks seat 2 in sicilia",
        "battle in sicilia: seat 1 loses nothing, seat 2 loses 1 infantry",
    ];
    assert_eq!(texts(&sentences, Level::Main), main);
    let parts = [
        "round 1: 2 infantry of seat 1 against 1 infantry of seat 2 (the attacker wins 81 %, the defender 19 %)",
        "seat 1 rolls infantry, cavalry, blank: a hit",
    ];
    assert_eq!(texts(&sentences, Level::Part), parts);
}

#[test]
fn a_game_that_nobody_tells_is_told_in_the_words_of_its_records() {
    let mut teller = teller("another", &Position::default());
    let mut out = Vec::new();
    teller.narrate(
        &Event::Choice { seat: 1, action: "roll" },
        Some(&Position::default()),
        &mut out,
    );
    assert_eq!(out, [Sentence::of(Level::Deed, 1, "plays roll")]);
    assert!(!teller.has_rounds());
}

/// Returns a position of rise with two seats: their goods, the display, and cubes in italy and greece.
fn of_rise(
    turn: i64,
    gold: [i64; 2],
    cities: &[&str],
    italy: [i64; 2],
    greece: [i64; 2],
) -> Position {
    let player = |seat: usize| {
        let pool = 9 - italy[seat] - greece[seat];
        json!({ "gold": gold[seat], "resource": 0, "food": 0, "vp": 3 * turn, "pool": pool })
    };
    let state = json!({
        "turn": turn, "order": [1, 0], "players": [player(0), player(1)],
        "map": { "italy": italy, "greece": greece },
        "display": { "progress": { "mining": 2 }, "territory": {}, "city": cities },
    });
    Position { state, ..Position::default() }
}

#[test]
fn an_action_of_rise_is_one_sentence_with_what_was_forced() {
    let nothing = [0, 0];
    let start = of_rise(0, [5, 5], &["athens", "rome"], nothing, [2, 0]);
    let choose = |seat, action| Event::Choice { seat, action };
    let mut teller = teller("rise", &start);
    let mut out = Vec::new();
    let steps = [
        // Only one city is affordable, so its choice is forced and absent from the record.
        (choose(1, "place city"), of_rise(0, [5, 0], &["athens"], nothing, [2, 0])),
        // The rest of the seat's cubes is forced, and a battle follows.
        (choose(1, "place empire"), of_rise(0, [5, 0], &["athens"], nothing, [2, 0])),
        (choose(1, "empire 3"), of_rise(0, [5, 0], &["athens"], nothing, [2, 0])),
        (choose(1, "to italy"), of_rise(0, [5, 0], &["athens"], [0, 1], [2, 2])),
        (choose(1, "battle greece 0"), of_rise(0, [5, 0], &["athens"], [0, 1], [0, 1])),
        // The turn is over and brings income, which is no price of the last action.
        (choose(0, "place city"), of_rise(0, [5, 0], &["athens"], [0, 1], [0, 1])),
        (choose(0, "city athens"), of_rise(1, [4, 7], &[], [0, 1], [0, 1])),
        (choose(1, "progress mining"), of_rise(1, [4, 6], &[], [0, 1], [0, 1])),
    ];
    for (event, after) in &steps {
        teller.narrate(event, Some(after), &mut out);
    }
    teller.finish(&mut out);
    let deeds = [
        "seat 2 builds rome for 5 gold",
        "seat 2 takes empire 3 and sends 1 cube to italy and 2 cubes to greece",
        "seat 1 builds athens",
        "seat 2 takes back their last disc, and takes the progress mining for 1 gold",
    ];
    assert_eq!(texts(&out, Level::Deed), deeds);
    let main = [
        "seat 2 fights seat 1 in greece and loses 1 cube, the rival 2 cubes",
        "turn IA is over: seat 1 3 VP (+3), seat 2 3 VP (+3)",
    ];
    assert_eq!(texts(&out, Level::Main), main);
    let rounds = ["turn IA, in the order 2, 1", "turn IB, in the order 2, 1"];
    assert_eq!(texts(&out, Level::Round), rounds);
}
