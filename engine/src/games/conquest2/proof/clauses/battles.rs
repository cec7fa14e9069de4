//! Clause 15: land battles.

use super::Position;
use crate::games::conquest2::model::battle::Side;

/// Returns player 0 with `attackers` against player 1 with `defenders` in dacia, which has no coast and no city.
fn in_dacia(attackers: [u8; 4], defenders: [u8; 4]) -> Position {
    Position::new(4).units(0, "dacia", attackers).units(1, "dacia", defenders)
}

fn fight(position: Position) -> Position {
    let mut position = position.ready();
    position.play(&["battle"]);
    position
}

#[test]
fn c15_1_leaders_alone_withdraw_without_a_fight_and_lose_their_city() {
    let mut position = fight(
        Position::new(4)
            .units(0, "egypt", [1, 0, 0, 0])
            .units(1, "egypt", [0, 0, 0, 2])
            .city("egypt", 1),
    );
    assert_eq!(
        position.options(),
        "1: withdraw arabia-petraea, withdraw cyrenaica, withdraw palestina"
    );
    assert_eq!(position.city_owner("egypt"), Some(0));
    position.play(&["withdraw palestina"]);
    assert_eq!(position.at(1, "palestina"), [0, 0, 0, 2]);
    assert_eq!(position.state.chaos.0[1], 0);
    assert_eq!(position.actor(), "0");
}

#[test]
fn c15_2_the_attacker_commits_galleys_before_the_defender_zone_by_zone() {
    let mut position = fight(
        Position::new(4)
            .units(0, "egypt", [1, 0, 0, 0])
            .units(1, "egypt", [1, 0, 0, 0])
            .galleys(0, "mare-alexandria", 1)
            .galleys(0, "mare-pelusium", 2)
            .galleys(0, "mare-narbo", 3)
            .galleys(1, "mare-pelusium", 1),
    );
    assert_eq!(position.options(), "0: count 0, count 1");
    position.play(&["count 1"]);
    assert_eq!(position.options(), "0: count 0, count 1, count 2");
    position.play(&["count 2"]);
    assert_eq!(position.options(), "1: count 0, count 1");
    position.play(&["count 1"]);
    assert_eq!(position.dice(), (Side::Attacker, 3));
    // Three galleys against one: a hit takes the attacker's losses by category, galleys from the first zone.
    position.roll([0, 0, 0, 1]).roll([0, 0, 0, 1]);
    assert_eq!(position.options(), "0: count 0, count 1", "infantry first");
    position.play(&["count 0"]);
    assert_eq!(position.options(), "1: count 0, count 1");
    position.play(&["count 1"]);
    // Player 1 has no land unit left, only the committed galley: they cannot retreat.
    assert!(position.options().starts_with("0: retreat"), "{}", position.options());
    position.play(&["stay"]);
    position.roll([0, 0, 0, 3]).roll([0; 4]);
    assert_eq!(position.state.chaos.0[..2], [0, 2]);
    assert_eq!(position.at_sea(0, "mare-alexandria"), 0, "lost from the first zone");
    assert_eq!(position.at_sea(0, "mare-pelusium"), 2, "c15_8: the others return");
}

#[test]
fn c15_3_allies_lend_in_turn_order_and_survivors_go_back() {
    let mut position = fight(
        Position::new(6)
            .units(0, "dacia", [1, 0, 0, 0])
            .units(1, "dacia", [2, 0, 0, 0])
            .units(2, "dacia", [2, 0, 0, 0])
            .units(3, "dacia", [0, 1, 0, 0])
            .units(4, "dacia", [1, 0, 1, 1]),
    );
    // battle against 1 or 3.
    assert_eq!(position.options(), "0: against 1, against 3");
    position.play(&["against 1"]);
    assert_eq!(position.options(), "2: count 0, count 1, count 2");
    position.play(&["count 2"]);
    assert_eq!(position.options(), "3: count 0, count 1");
    position.play(&["count 0"]);
    assert_eq!(position.options(), "4: count 0, count 1", "infantry");
    position.play(&["count 0"]);
    assert_eq!(position.options(), "4: count 0, count 1", "catapult");
    position.play(&["count 1"]);
    assert_eq!(position.dice(), (Side::Attacker, 4), "c15_5: the general of player 4 counts");
    position.roll([0; 4]).roll([2, 0, 0, 0]);
    // c15_6: own infantry, then that of player 2, then the catapult of player 4; the total of 2 must be possible.
    assert_eq!(position.options(), "0: count 0, count 1");
    position.play(&["count 0"]);
    assert_eq!(position.options(), "0: count 1, count 2");
    position.play(&["count 1"]);
    // One hit is left for the catapult, which is forced.
    assert_eq!(position.at(2, "dacia"), [1, 0, 0, 0]);
    assert_eq!(position.at(4, "dacia"), [1, 0, 0, 1], "what was not lent is untouched");
    assert_eq!(position.at(0, "dacia"), [1, 0, 0, 0]);
}

#[test]
fn c15_4_diplomacy_troops_fight_and_are_lost_first() {
    let mut position = fight(
        Position::new(4)
            .units(0, "numidia", [1, 0, 0, 0])
            .units(1, "numidia", [3, 0, 0, 0])
            .holds(0, "diplomacy-numidia"),
    );
    assert_eq!(position.dice(), (Side::Attacker, 3));
    position.roll([3, 0, 0, 0]);
    position.roll([2, 0, 0, 0]);
    assert_eq!(position.options(), "0: count 1, count 2", "of four neutral infantry, then one own");
    position.play(&["count 2"]);
    assert_eq!(position.at(0, "numidia"), [1, 0, 0, 0]);
    assert_eq!(position.state.chaos.0[1], 2, "three hits on three units");
}

#[test]
fn c15_5_dice_for_leaders_cities_and_training() {
    let mut position = fight(
        Position::new(4)
            .units(0, "egypt", [3, 0, 0, 1])
            .units(1, "egypt", [3, 0, 0, 0])
            .city("egypt", 1)
            .holds(0, "army-training")
            .holds(0, "army-training")
            .holds(1, "army-training"),
    );
    assert_eq!(position.dice(), (Side::Defender, 5), "city and training; the defender rolls first");
    position.roll([0; 4]);
    assert_eq!(position.dice(), (Side::Attacker, 6), "leader and two trainings");
}

#[test]
fn c15_5_hits_need_units_of_the_type() {
    let mut position = fight(in_dacia([1, 1, 0, 0], [5, 0, 0, 0]));
    position.roll([3, 0, 0, 0]).roll([0; 4]);
    assert_eq!(position.at(1, "dacia"), [4, 0, 0, 0]);
}

#[test]
fn c15_6_a_defender_in_his_city_rolls_first_and_losses_come_before_the_answer() {
    let mut position = fight(
        Position::new(4)
            .units(0, "egypt", [1, 0, 0, 1])
            .units(1, "egypt", [2, 0, 0, 0])
            .city("egypt", 1),
    );
    assert_eq!(position.dice(), (Side::Defender, 4));
    position.roll([1, 0, 0, 0]);
    assert_eq!(position.at(0, "egypt"), [0, 0, 0, 1], "removed before he rolls");
    assert_eq!(position.dice(), (Side::Attacker, 4), "c15_5: an army without units rolls too");
    position.roll([4, 0, 0, 0]);
    assert_eq!(position.at(1, "egypt"), [2, 0, 0, 0], "but nothing can hit");
    assert_eq!(
        position.options(),
        "0: withdraw arabia-petraea, withdraw cyrenaica, withdraw palestina"
    );
    assert_eq!((position.state.chaos.0[0], position.city_owner("egypt")), (2, Some(1)));
}

#[test]
fn c15_7_both_armies_gone_have_both_lost() {
    let mut position = fight(in_dacia([1, 0, 0, 1], [1, 0, 0, 1]));
    position.roll([1, 0, 0, 0]).roll([1, 0, 0, 0]);
    assert_eq!(position.state.chaos.0[..2], [2, 2]);
    assert_eq!(position.options(), "0: withdraw moesia, withdraw pannonia", "the attacker first");
    position.play(&["withdraw moesia"]);
    assert_eq!(position.options(), "1: withdraw moesia, withdraw pannonia");
    position.play(&["withdraw moesia"]);
    assert_eq!(position.at(1, "moesia"), [0, 0, 0, 1]);
}

#[test]
fn c15_7_both_gone_leaves_the_city_to_its_owner() {
    let mut position = fight(
        Position::new(4)
            .units(0, "egypt", [1, 0, 0, 0])
            .units(1, "egypt", [1, 0, 0, 0])
            .units(3, "egypt", [1, 0, 0, 0])
            .city("egypt", 3),
    );
    // The city is player 3's, so the battle against player 1 is no siege.
    position.play(&["against 1", "count 0"]);
    position.roll([1, 0, 0, 0]).roll([1, 0, 0, 0]);
    assert_eq!(
        (position.city_owner("egypt"), &position.state.chaos.0[..2]),
        (Some(3), &[2, 2][..])
    );
}

#[test]
fn c15_7_the_defender_retreats_first_and_only_where_no_enemy_army_stands() {
    let mut position = fight(
        Position::new(4)
            .units(0, "pannonia", [3, 0, 0, 1])
            .units(1, "pannonia", [3, 0, 1, 1])
            .units(2, "dacia", [1, 0, 0, 0])
            .units(2, "moesia", [0, 0, 0, 1])
            .units(3, "noricum", [1, 0, 0, 0]),
    );
    position.roll([0; 4]).roll([0; 4]);
    assert_eq!(
        position.options(),
        "1: retreat dalmatia, retreat italia, retreat moesia, retreat noricum, stay"
    );
    position.play(&["stay"]);
    assert_eq!(
        position.options(),
        "0: retreat dacia, retreat dalmatia, retreat italia, retreat moesia, stay"
    );
    position.play(&["retreat dacia"]);
    assert_eq!(position.at(0, "dacia"), [3, 0, 0, 1]);
    assert_eq!(
        (position.state.chaos.0[0], position.state.chaos.0[1]),
        (2, 0),
        "it costs the battle"
    );
}

#[test]
fn c15_7_a_committed_galley_closes_no_strait_while_it_fights() {
    let mut position = fight(
        Position::new(4)
            .units(0, "neapolis", [3, 0, 0, 0])
            .units(1, "neapolis", [3, 0, 0, 0])
            .galleys(0, "mare-tyrrhenum", 1),
    );
    position.play(&["count 1"]);
    position.roll([0; 4]).roll([0; 4]);
    assert_eq!(position.options(), "1: retreat italia, retreat sicilia, stay");
    let mut position = fight(
        Position::new(4)
            .units(0, "neapolis", [3, 0, 0, 0])
            .units(1, "neapolis", [3, 0, 0, 0])
            .galleys(0, "mare-tyrrhenum", 1),
    );
    position.play(&["count 0"]);
    position.roll([0; 4]).roll([0; 4]);
    assert_eq!(position.options(), "1: retreat italia, stay", "one that stays out does");
}

#[test]
fn c15_7_a_retreat_loses_the_city() {
    let mut position = fight(
        Position::new(4)
            .units(0, "egypt", [3, 0, 0, 0])
            .units(1, "egypt", [3, 0, 0, 0])
            .city("egypt", 1),
    );
    position.roll([0; 4]).roll([0; 4]);
    position.play(&["retreat palestina"]);
    assert_eq!((position.city_owner("egypt"), position.state.chaos.0[1]), (Some(0), 2));
}

#[test]
fn c15_8_lent_units_alone_take_the_city() {
    let mut position = fight(
        Position::new(4)
            .units(0, "egypt", [1, 0, 0, 0])
            .units(1, "egypt", [1, 0, 0, 0])
            .units(2, "egypt", [1, 0, 0, 0])
            .city("egypt", 1),
    );
    position.play(&["count 1"]);
    position.roll([1, 0, 0, 0]);
    position.play(&["count 1"]); // the attacker's own infantry falls
    position.roll([1, 0, 0, 0]);
    assert_eq!(position.at(0, "egypt"), [0, 0, 0, 0]);
    assert_eq!(position.city_owner("egypt"), Some(0));
}

#[test]
fn c15_8_leaders_withdraw_over_an_open_strait_or_stay_on_an_island() {
    let beaten = |galleys: u8| {
        let mut position = Position::new(4).units(0, "britannia", [1, 0, 0, 0]).units(
            1,
            "britannia",
            [1, 0, 0, 1],
        );
        if galleys > 0 {
            position = position.galleys(2, "oceanus-britannicus", galleys);
        }
        let mut position = fight(position);
        if galleys > 0 {
            position.play(&["count 0"]);
        }
        position.roll([1, 0, 0, 0]).roll([0; 4]);
        position
    };
    assert_eq!(beaten(0).at(1, "belgica"), [0, 0, 0, 1], "one way out is forced");
    assert_eq!(beaten(1).at(1, "britannia"), [0, 0, 0, 1], "none: they stay");
}
