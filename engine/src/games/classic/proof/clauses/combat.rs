//! Clauses 6, 7 and 9: battles at sea and on land, retreats, pursuit, taking provinces.

use crate::games::classic::model::phase::Phase;
use crate::games::classic::proof::position::Position;

fn three() -> Position {
    Position::new(3)
}

/// Returns a position in which player 0 has marched from macedonia against player 1 in thracia.
fn assault(own: [u8; 4], foreign: [u8; 4]) -> Position {
    let p = three().owns(1, &["thracia"]).units(1, "thracia", foreign).units(0, "macedonia", own);
    let mut p = p.turn(0).play(&["march macedonia thracia"]);
    while p.phase() == Phase::Group {
        let most = p.options().pop().expect("a count");
        p = p.play(&[&most]);
    }
    p.play(&["rest"])
}

#[test]
fn c6_2_each_galley_face_sinks_one_galley_at_once() {
    let p = three().galleys(0, "mare-aegaeum", 3).galleys(1, "mare-aegaeum", 2).turn(0);
    let p = p.play(&["rest"]);
    assert_eq!(p.options(), ["attack mare-aegaeum 1", "done"]);
    let p = p.play(&["attack mare-aegaeum 1"]);
    assert_eq!(p.n_dice(), 3);
    let p = p.rolls(&["galley", "galley", "infantry"]);
    assert_eq!((p.n_dice(), p.pieces(1, "mare-aegaeum")[3]), (2, 2), "both roll first");
    let p = p.rolls(&["galley"]);
    assert_eq!((p.pieces(0, "mare-aegaeum")[3], p.pieces(1, "mare-aegaeum")[3]), (2, 0));
}

#[test]
fn c6_3_empty_galleys_sink_first_and_troops_drown_by_share() {
    let p = three().galleys(1, "mare-aegaeum", 3).units(1, "mare-aegaeum", [3, 1, 0, 2]);
    let p = p.galleys(0, "mare-aegaeum", 3).turn(0);
    let p = p.play(&["rest", "attack mare-aegaeum 1"]);
    let p = p.rolls(&["galley", "galley"]).rolls(&["galley", "galley", "galley"]);
    // One of two leaders has no galley left; half of the troops are lost, infantry first. Nobody captures the leader.
    assert_eq!(p.pieces(1, "mare-aegaeum"), [1, 1, 0, 1, 1, 0]);
    assert_eq!(p.s.captives, Default::default());
}

#[test]
fn c6_4_the_captor_is_who_has_a_galley_left() {
    let p = three().galleys(1, "mare-aegaeum", 1).units(1, "mare-aegaeum", [5, 0, 0, 1]);
    let p = p.galleys(0, "mare-aegaeum", 1).turn(0);
    let p = p.play(&["rest", "attack mare-aegaeum 1"]).rolls(&["galley"]).rolls(&[]);
    assert_eq!((p.phase(), p.options()), (Phase::Keep, vec!["count 0".into(), "count 1".into()]));
    let p = p.play(&["count 1"]);
    assert_eq!(
        (p.s.captives(0.into_player(), 1.into_player()), p.pieces(1, "mare-aegaeum")),
        (1, [0; 6])
    );
}

/// A short form for a seat by its number.
trait Seat {
    fn into_player(self) -> crate::player::Player;
}
impl Seat for u8 {
    fn into_player(self) -> crate::player::Player {
        crate::player::Player::of(self)
    }
}

#[test]
fn c7_3_a_legion_has_five_and_more_for_leaders() {
    // Two generals: 7; the caesar stays at home.
    let p = three().owns(1, &["thracia"]).units(1, "thracia", [1, 0, 0, 0]);
    let p = p.units(0, "macedonia", [8, 2, 0, 2]).turn(0);
    let p =
        p.play(&["march macedonia thracia", "count 2", "count 0", "count 8", "count 2", "rest"]);
    assert_eq!(
        (p.phase(), p.options()),
        (Phase::Legion, vec!["count 5".into(), "count 6".into(), "count 7".into()])
    );
    let p = p.play(&["count 6"]);
    assert_eq!((p.phase(), p.n_dice()), (Phase::Dice, 7), "the rest follows");
}

#[test]
fn c7_4_hits_count_for_types_that_are_there() {
    let p = assault([2, 1, 0, 0], [3, 0, 0, 0]);
    let p = p.rolls(&["infantry", "infantry", "catapult"]);
    // Two infantry hit; a catapult face without a catapult does not; the answer misses.
    let p = p.rolls(&["cavalry", "galley"]);
    assert_eq!(p.pieces(1, "thracia")[0], 1);
    assert_eq!(p.pieces(0, "thracia"), [2, 1, 0, 0, 0, 1]);
}

#[test]
fn c7_4_a_fortified_city_gives_its_owner_a_die() {
    let fort = |is_fort| {
        let p = three().owns(1, &["thracia"]).city("thracia", is_fort);
        let p = p.units(1, "thracia", [2, 0, 0, 0]).units(0, "macedonia", [3, 0, 0, 0]).turn(0);
        p.play(&["march macedonia thracia", "count 3", "rest"]).rolls(&[]).n_dice()
    };
    assert_eq!((fort(false), fort(true)), (2, 3));
}

#[test]
fn c7_4_losses_are_chosen_by_type() {
    let p = assault([2, 2, 1, 0], [5, 0, 0, 0]);
    let p = p.rolls(&[]).rolls(&["infantry", "infantry"]);
    assert_eq!(
        (p.phase(), p.options()),
        (Phase::Losses, vec!["count 0".into(), "count 1".into(), "count 2".into()])
    );
    let p = p.play(&["count 1"]);
    assert_eq!(p.options(), ["count 0", "count 1"]);
    let p = p.play(&["count 0"]);
    assert_eq!(p.pieces(0, "thracia"), [1, 2, 0, 0, 0, 1], "the catapult goes unasked");
}

#[test]
fn c7_5_the_defender_is_asked_first_and_then_the_attacker() {
    let p = assault([2, 0, 0, 0], [2, 0, 0, 0]).rolls(&[]).rolls(&[]);
    assert_eq!((p.phase(), p.s.actor.number()), (Phase::Retreat, 1));
    // Unowned provinces: moesia is one, asia lies over an open strait.
    assert_eq!(p.options(), ["retreat asia", "retreat moesia", "stay"]);
    let p = p.play(&["stay"]);
    assert_eq!(p.s.actor.number(), 0);
    assert_eq!(p.options(), ["retreat asia", "retreat macedonia", "retreat moesia", "stay"]);
    let p = p.play(&["stay"]);
    assert_eq!((p.phase(), p.s.battle.round), (Phase::Dice, 2));
}

#[test]
fn c7_6_who_retreats_to_nobodys_province_owns_it() {
    let p = assault([2, 0, 0, 0], [2, 0, 0, 1]).rolls(&[]).rolls(&[]).play(&["retreat moesia"]);
    assert_eq!((p.owner("moesia"), p.owner("thracia")), (Some(1), Some(0)));
    assert_eq!(p.pieces(1, "moesia"), [2, 0, 0, 0, 1, 0], "leaders go along");
}

#[test]
fn c7_7_cavalry_pursues_and_the_losses_are_his_who_retreats() {
    let p = assault([1, 2, 0, 0], [2, 1, 0, 1]).rolls(&[]).rolls(&[]).play(&["retreat moesia"]);
    assert_eq!((p.phase(), p.n_dice()), (Phase::Pursuit, 3));
    let p = p.rolls(&["cavalry", "cavalry", "cavalry"]);
    assert_eq!((p.phase(), p.s.battle.hits), (Phase::PursuitLosses, [0, 2]), "two of cavalry");
    let p = p.play(&["count 1"]);
    assert_eq!(p.pieces(1, "moesia"), [1, 0, 0, 0, 1, 0]);
    // All troops are caught: the leader escapes, and the province stays unowned.
    let p = assault([1, 2, 0, 0], [2, 0, 0, 1]).rolls(&[]).rolls(&[]).play(&["retreat moesia"]);
    let p = p.rolls(&["cavalry", "cavalry"]);
    assert_eq!((p.pieces(1, "moesia"), p.owner("moesia")), ([0, 0, 0, 0, 1, 0], None));
}

#[test]
fn c7_8_after_the_last_round_the_attacker_must_go() {
    let p = Position::with(3, &["battle.land_rounds=1"]).owns(1, &["thracia"]);
    let p = p.units(1, "thracia", [2, 0, 0, 0]).units(0, "macedonia", [2, 0, 0, 0]).turn(0);
    let p = p.play(&["march macedonia thracia", "count 2", "rest"]).rolls(&[]).rolls(&[]);
    let p = p.play(&["stay"]);
    assert_eq!(p.options(), ["retreat asia", "retreat macedonia", "retreat moesia"]);
}

#[test]
fn c7_9_the_leaders_of_a_beaten_attacker_fall() {
    let p = three().owns(1, &["thracia"]).units(1, "thracia", [2, 0, 0, 0]);
    let p = p.units(0, "macedonia", [1, 0, 0, 2]).turn(0);
    let p = p.play(&["march macedonia thracia", "count 2", "count 0", "rest"]);
    let p = p.rolls(&[]).rolls(&["infantry"]);
    assert_eq!((p.phase(), p.s.actor.number()), (Phase::Keep, 1));
    let p = p.play(&["count 2"]);
    assert_eq!((p.s.captives(1.into_player(), 0.into_player()), p.owner("thracia")), (2, Some(1)));
    // Both without troops: leaders stay, nothing changes hands.
    let p = assault([1, 0, 0, 0], [1, 0, 0, 1]).rolls(&["infantry"]).rolls(&["infantry"]);
    assert_eq!(
        (p.owner("thracia"), p.pieces(0, "thracia"), p.pieces(1, "thracia")),
        (Some(1), [0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0])
    );
}

#[test]
fn c7_10_a_guard_comes_back_unless_it_is_destroyed_by_survivors() {
    // Galatia is guarded by three with three players.
    let at = |n| {
        let p = three().owns(0, &["asia"]).units(0, "asia", [n, 0, 0, 1]).turn(0);
        let p = p.play(&["march asia galatia"]);
        let p = if p.phase() == Phase::Group { p.play(&[&format!("count {n}")]) } else { p };
        p.play(&["rest"])
    };
    let beaten = at(5).rolls(&["infantry"; 3]).rolls(&[]);
    assert_eq!((beaten.owner("galatia"), beaten.has_guard("galatia")), (Some(0), false));
    let both = at(3).rolls(&["infantry"; 3]).rolls(&["infantry"; 3]);
    assert_eq!((both.owner("galatia"), both.has_guard("galatia")), (None, true));
    let gone = at(5).rolls(&["infantry"]).rolls(&[]).play(&["retreat asia"]);
    assert!(gone.has_guard("galatia"));
    assert_eq!(gone.game.guard_strength(&gone.s, gone.at("galatia")), 3);
}

#[test]
fn c7_1_a_province_without_troops_falls_with_its_leaders() {
    let p = three().owns(1, &["thracia"]).units(1, "thracia", [0, 0, 0, 1]);
    let p = p.units(2, "thracia", [0, 0, 0, 1]).units(0, "macedonia", [1, 0, 0, 0]).turn(0);
    let p = p.play(&["march macedonia thracia", "count 1", "rest"]);
    assert_eq!(
        (p.phase(), p.s.battle.fall.map(|fall| fall.owner.number())),
        (Phase::Keep, Some(1))
    );
    let p = p.play(&["count 1"]);
    assert_eq!(p.s.battle.fall.map(|fall| fall.owner.number()), Some(2), "in seat order");
    assert_eq!(p.play(&["count 0"]).owner("thracia"), Some(0));
}

#[test]
fn c9_a_taken_home_costs_its_owner_talents_and_galleys() {
    let p = three().caesar(1, "cyrenaica").owns(1, &["cyrenaica"]).owns(0, &["palestina"]);
    let p = p.units(0, "palestina", [1, 0, 0, 1]).galleys(1, "egypt", 2).talents(1, 50).turn(0);
    let p = p.play(&["march palestina egypt", "count 1", "rest"]);
    assert_eq!((p.owner("egypt"), p.pieces(1, "egypt"), p.purse(1)), (Some(0), [0; 6], 30));
    let forts = p.s.forts.contains(p.at("egypt"));
    assert!(forts && p.s.pool(1.into_player(), crate::games::shared::units::Unit::Galley) == 8);
}
