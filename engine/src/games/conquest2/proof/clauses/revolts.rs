//! Clauses 14.6 and 15.9: Slave Revolt.

use super::Position;
use crate::games::conquest2::model::battle::Side;

fn revolt(position: Position) -> Position {
    let mut position = position.shows("slave-revolt").ready();
    position.play(&["take", "card slave-revolt"]);
    position
}

#[test]
fn c15_9_the_cards_player_chooses_the_order_and_comes_last() {
    let mut position = revolt(
        Position::new(4).units(0, "dacia", [1, 0, 0, 0]).units(1, "dacia", [1, 0, 0, 1]).units(
            2,
            "dacia",
            [1, 0, 0, 0],
        ),
    );
    assert_eq!(position.options(), "0: target 1, target 2", "himself last");
    position.play(&["target 2"]);
    assert_eq!(
        position.options(),
        "0: count 0, count 1",
        "an ally may lend, the card's player too"
    );
    position.play(&["count 0"]);
    assert_eq!(position.dice(), (Side::Attacker, 3), "c15_9: slaves roll three dice");
    position.roll([1, 0, 0, 0]);
    assert_eq!(position.dice(), (Side::Defender, 3));
    position.roll([1, 0, 0, 0]);
    assert_eq!(position.state.chaos.0[2], 2, "player 2 has lost");
    // Player 1 is next without a choice; three slaves are left.
    position.roll([0; 4]);
    assert_eq!(position.dice(), (Side::Defender, 4));
    position.roll([0; 4]);
    assert_eq!(
        position.options(),
        "1: retreat moesia, retreat pannonia, stay",
        "slaves never retreat"
    );
    position.play(&["retreat moesia"]);
    assert_eq!(position.state.chaos.0[1], 2);
    // The card's player is last.
    position.roll([0; 4]).roll([1, 0, 0, 0]);
    position.play(&["stay"]);
    position.roll([1, 0, 0, 0]).roll([0; 4]);
    assert_eq!(position.state.chaos.0[0], 2);
    assert_eq!(position.options(), "0: tax, pass", "surviving slaves vanish, the turn goes on");
}

#[test]
fn c15_9_a_province_with_only_his_own_army_is_allowed() {
    let mut position = revolt(Position::new(4).units(0, "dacia", [5, 0, 0, 0]));
    position.roll([0; 4]).roll([3, 0, 0, 0]);
    assert_eq!(position.options(), "0: retreat moesia, retreat pannonia, stay");
    position.play(&["stay"]);
    position.roll([1, 0, 0, 0]).roll([1, 0, 0, 0]);
    assert_eq!(position.at(0, "dacia"), [4, 0, 0, 0]);
    assert_eq!(position.state.chaos.0[0], 0, "the slaves are gone");
}

#[test]
fn c15_9_a_city_rolls_first_and_keeps_its_owner() {
    let mut position = revolt(Position::new(4).units(1, "egypt", [1, 0, 0, 0]).city("egypt", 1));
    assert_eq!(position.dice(), (Side::Defender, 4), "the city's die and first roll");
    position.roll([1, 0, 0, 0]);
    assert_eq!(position.dice(), (Side::Attacker, 3));
    position.roll([1, 0, 0, 0]);
    assert_eq!(position.state.chaos.0[1], 2);
    assert_eq!(position.city_owner("egypt"), Some(1));
}
