//! Clauses 1.10 and 5: straits, waves of marches, groups, galleys and cargo.

use crate::games::classic::model::phase::Phase;
use crate::games::classic::proof::position::Position;

/// Returns a position with three seats: 0 macedonia, 1 egypt, 2 italia.
fn three() -> Position {
    Position::new(3)
}

#[test]
fn c5_1_leaders_make_two_steps_and_the_caesar_three() {
    let p = three().units(0, "macedonia", [0, 0, 0, 1]).turn(0);
    let p = p.play(&["march macedonia thracia", "count 1", "count 1", "wave 2"]);
    assert_eq!((p.s.wave, p.pieces(0, "thracia")), (2, [0, 0, 0, 0, 1, 1]));
    let p = p.play(&["march thracia moesia", "count 1", "count 1", "wave 3"]);
    assert_eq!(p.s.wave, 3);
    let p = p.play(&["march moesia dacia"]);
    assert_eq!(
        (p.pieces(0, "dacia"), p.pieces(0, "moesia")),
        ([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0])
    );
    assert_ne!(p.phase(), Phase::Move);
}

#[test]
fn c5_2_troops_go_with_leaders_at_most_five_to_each() {
    let p = three().units(0, "macedonia", [6, 6, 0, 0]).units(0, "achaia", [3, 0, 0, 0]);
    let p = p.owns(0, &["achaia"]).turn(0);
    assert!(p.starting("march achaia").is_empty(), "troops without a leader stay");
    let p = p.play(&["march macedonia thracia"]);
    assert_eq!(p.options(), ["count 0", "count 1", "count 2", "count 3", "count 4", "count 5"]);
    let p = p.play(&["count 3"]);
    assert_eq!(p.options(), ["count 0", "count 1", "count 2"]);
    let p = p.play(&["count 2"]);
    assert_eq!(p.pieces(0, "thracia"), [3, 2, 0, 0, 0, 1]);
}

#[test]
fn c5_3_roads_lead_as_far_as_they_are_own() {
    let p = three().owns(0, &["dalmatia", "pannonia", "dacia", "moesia"]);
    let roads = |p: Position| {
        ["dalmatia", "pannonia", "dacia"].into_iter().fold(p, |p, id| p.city(id, false))
    };
    let p = roads(p).road("macedonia", "dalmatia").road("dalmatia", "pannonia");
    let p = p.road("dacia", "pannonia");
    let far = p.clone().turn(0);
    assert!(far.has("march macedonia dacia") && far.has("march macedonia pannonia"));
    // A road with ends of two owners has no owner.
    let cut = p.owns(1, &["pannonia"]).turn(0);
    assert!(!cut.has("march macedonia dacia") && !cut.has("march macedonia pannonia"));
}

#[test]
fn c5_4_a_group_without_troops_enters_nothing_that_is_defended() {
    let p = three().owns(1, &["thracia", "moesia", "achaia"]).units(1, "thracia", [1, 0, 0, 0]);
    let p = p.units(1, "moesia", [0, 0, 0, 1]);
    let alone = p.clone().turn(0);
    assert!(!alone.has("march macedonia thracia"));
    assert!(alone.has("march macedonia moesia") && alone.has("march macedonia achaia"));
    let armed = p.units(0, "macedonia", [2, 0, 0, 0]).turn(0).play(&["march macedonia thracia"]);
    assert_eq!(armed.options(), ["count 1", "count 2"], "at least one troop");
}

#[test]
fn c5_5_who_meets_somebody_stops_and_others_pass() {
    let p = three().owns(1, &["thracia", "moesia"]).units(1, "moesia", [0, 0, 0, 1]);
    let stopped = p.clone().turn(0).play(&["march macedonia moesia"]);
    assert_ne!(stopped.phase(), Phase::Move, "nobody marches on");
    let passes = p.turn(0).play(&["march macedonia thracia", "wave 2"]);
    assert_eq!((passes.phase(), passes.owner("thracia")), (Phase::Move, Some(1)));
}

#[test]
fn c5_6_troops_with_the_fewest_steps_left_go_first() {
    let p = three().units(0, "macedonia", [0, 2, 0, 1]).units(0, "thracia", [0, 2, 0, 0]);
    let p = p.owns(0, &["thracia"]).turn(0);
    let p = p.play(&["march macedonia thracia", "count 1", "count 0", "count 2", "wave 2"]);
    // Two of the four have one step left; two go on with it, and the two others are fresh.
    let p = p.play(&["march thracia moesia", "count 2"]);
    let thracia = p.at("thracia").idx();
    assert_eq!((p.pieces(0, "thracia")[1], p.s.half.get(thracia).map(|h| h.0)), (2, Some(0)));
}

#[test]
fn c5_6_a_leader_who_did_not_march_in_a_wave_is_done() {
    let p = three().units(0, "macedonia", [0, 0, 0, 1]).turn(0);
    let p = p.play(&["march macedonia thracia", "count 1", "count 0", "wave 2"]);
    assert_eq!(p.s.wave, 2);
    assert!(p.starting("march macedonia").is_empty());
    assert!(p.has("march thracia asia"), "over the strait");
}

#[test]
fn c1_10_a_foreign_galley_closes_a_strait() {
    let p = three().owns(0, &["thracia"]).caesar(0, "thracia");
    assert!(p.clone().turn(0).has("march thracia asia"));
    let own = p.clone().galleys(0, "mare-aegaeum", 1).turn(0);
    assert!(own.has("march thracia asia"));
    let closed = p.galleys(1, "mare-aegaeum", 1).turn(0);
    assert!(!closed.has("march thracia asia"));
}

#[test]
fn c5_7_galleys_sail_two_steps_over_zones() {
    let p = three().owns(0, &["achaia", "creta"]).galleys(0, "macedonia", 2).turn(0);
    let sails = p.starting("sail macedonia");
    for goal in ["achaia", "creta", "mare-aegaeum", "mare-epirus", "mare-rhodus", "mare-libycum"] {
        assert!(sails.iter().any(|sail| sail.ends_with(goal)), "{goal}: {sails:?}");
    }
    assert!(!p.has("sail macedonia mare-alexandria") && !p.has("sail macedonia thracia"));
    let p = p.play(&["sail macedonia mare-aegaeum", "count 1"]);
    assert!(!p.has("sail macedonia achaia") && p.has("sail macedonia mare-epirus"));
    assert_eq!(p.pieces(0, "mare-aegaeum")[3], 1);
}

#[test]
fn c5_9_boarding_takes_one_step_and_crossing_two() {
    let p = three().units(0, "macedonia", [2, 0, 0, 1]).galleys(0, "macedonia", 1).turn(0);
    let p = p.play(&["board macedonia mare-aegaeum"]);
    for goal in ["to mare-aegaeum", "to mare-rhodus", "to asia", "to achaia"] {
        assert!(p.has(goal), "{goal}: {:?}", p.options());
    }
    assert!(!p.has("to macedonia"));
    // One galley takes one leader.
    let p = p.play(&["to asia"]);
    assert_eq!(p.options(), ["count 0", "count 1"]);
    let p = p.play(&["count 1", "count 2"]);
    assert_eq!(p.pieces(0, "asia"), [2, 0, 0, 0, 1, 0]);
    assert_eq!(p.pieces(0, "mare-aegaeum"), [0, 0, 0, 1, 0, 0], "the galley stays in the zone");
    assert!(p.starting("march asia").is_empty() && p.starting("board").is_empty());
}

#[test]
fn c5_9_galleys_with_one_step_left_take_aboard_first() {
    let p = three().owns(0, &["thracia"]).galleys(0, "macedonia", 1);
    let p = p.galleys(0, "mare-pontus-euxinus", 1).units(0, "macedonia", [0, 0, 0, 2]).turn(0);
    let p = p.play(&["sail mare-pontus-euxinus mare-aegaeum"]);
    let aegaeum = p.at("mare-aegaeum").idx();
    assert_eq!(p.s.galleys.get(aegaeum).map(|word| (word.fresh(), word.half())), Some((0, 1)));
    let p = p.play(&["board macedonia mare-aegaeum", "to mare-aegaeum", "count 1", "count 0"]);
    let left = p.s.galleys[p.at("macedonia").idx()].fresh();
    assert_eq!((p.pieces(0, "mare-aegaeum"), left), ([0, 0, 0, 1, 1, 0], 1));
}

#[test]
fn c5_8_a_convoy_leaves_lawful_cargo_behind() {
    let p = three().galleys(0, "mare-aegaeum", 2).units(0, "mare-aegaeum", [8, 0, 0, 2]).turn(0);
    let p = p.play(&["convoy mare-aegaeum mare-rhodus"]);
    assert_eq!(p.options(), ["count 1", "count 2"]);
    // Five can stay with the leader who stays, so three must go.
    let p = p.play(&["count 1"]);
    assert_eq!(p.options(), ["count 3", "count 4", "count 5"]);
    let p = p.play(&["count 4"]);
    assert_eq!(p.pieces(0, "mare-rhodus"), [4, 0, 0, 1, 1, 0]);
    assert_eq!(p.pieces(0, "mare-aegaeum"), [4, 0, 0, 1, 1, 0]);
    assert!(p.starting("convoy mare-rhodus").is_empty(), "it has moved");
}

#[test]
fn c5_8_a_convoy_lands_from_the_first_zone_that_touches_both() {
    let p = three().galleys(0, "mare-aegaeum", 1).units(0, "mare-aegaeum", [1, 0, 0, 1]).turn(0);
    assert!(p.has("convoy mare-aegaeum cyprus") && p.has("convoy mare-aegaeum asia"));
    let far = p.clone().play(&["convoy mare-aegaeum cyprus"]);
    assert_eq!((far.pieces(0, "cyprus")[0], far.pieces(0, "mare-rhodus")[3]), (1, 1));
    let near = p.play(&["convoy mare-aegaeum asia"]);
    assert_eq!((near.pieces(0, "asia")[0], near.pieces(0, "mare-aegaeum")[3]), (1, 1));
}
