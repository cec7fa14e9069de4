//! Clause 16.4: Senate Votes.

use super::Position;

fn call(position: Position, vote: &str) -> Position {
    let mut position = position.holds(0, &format!("vote-{vote}")).ready();
    position.play(&["use"]);
    position
}

#[test]
fn c16_4_shows_are_above_the_standing_bid_and_passers_may_come_back() {
    let mut position = call(Position::new(3).senators(1, [2, 0, 0, 0]), "hail-caesar");
    assert_eq!(
        position.options(),
        "0: pass, show 0 0 1 0, show 0 1 0 0, show 0 1 1 0, show 1 0 0 0, show 1 0 1 0, show 1 1 0 0, show 1 1 1 0"
    );
    position.play(&["pass"]);
    position.play(&["show 2 0 0 0"]);
    assert!(!position.options().contains("show 0 1 0 0,"), "2 is not above 2");
    position.play(&["show 0 0 1 0"]);
    assert!(position.options().starts_with("0: pass, show 0 1 1 0"), "{}", position.options());
    position.play(&["show 1 0 1 0"]);
    // Player 1 has nothing above 4: their pass is forced.
    assert_eq!(position.options(), "2: pass, show 0 1 1 0, show 1 1 1 0");
    position.play(&["pass"]);
    assert_eq!(position.state.vp.0[..3], [15, 0, 0]);
    assert_eq!(position.state.senators.0[0], [0, 1, 0, 0], "shown cards leave the winner's hand");
    assert_eq!(position.state.senators.0[1], [2, 0, 0, 0], "losers take theirs back");
}

#[test]
fn c16_4_without_a_bid_nobody_gains_and_the_card_is_used() {
    let mut position = call(Position::new(3), "emergency-tax");
    position.play(&["pass", "pass", "pass"]);
    assert_eq!(position.state.money.0[..3], [80, 80, 80]);
    assert_eq!(position.options(), "0: take, tax, pass");
}

#[test]
fn c16_4_benefits() {
    let win = |vote: &str, position: Position| {
        let mut position = call(position, vote);
        position.play(&["show 0 0 1 0", "pass", "pass"]);
        position
    };
    assert_eq!(win("emergency-tax", Position::new(3)).state.money.0[0], 120);
    let chaos = |n| win("bread-and-circuses", Position::new(3).chaos(&[n])).state.chaos.0[0];
    assert_eq!((chaos(14), chaos(4)), (4, 0), "not below 0");
    let mut legions = win("new-legions", Position::new(3).units(0, "syria", [18, 0, 0, 0]));
    assert_eq!(legions.options(), "0: in italia, in neapolis");
    legions.play(&["in neapolis"]);
    assert_eq!(legions.at(0, "neapolis"), [2, 0, 0, 0], "as the pool has");
    let none = win("new-legions", Position::new(3).units(0, "syria", [20, 0, 0, 0]));
    assert_eq!(none.options(), "0: take, tax, pass", "not asked without infantry in the pool");
}

#[test]
fn c16_4_influence_in_rome_comes_before_the_senator_of_rome() {
    // Player 1 holds Rome until the winner gains two.
    let mut position = call(Position::new(3).influence(1, "italia", 1), "influence-in-rome");
    position.play(&["show 1 1 0 0", "pass", "pass"]);
    assert_eq!(position.influence_in(0, "italia"), 2);
    assert_eq!(position.actor(), "chance");
    position.draw_senator(2);
    assert_eq!(position.state.senators.0[0], [0, 1, 1, 0], "one of the shown ones comes back");
    assert_eq!(position.state.senators.0[1], [1, 1, 1, 0]);
}

#[test]
fn c16_4_rome_needs_strictly_most_influence() {
    let winner = |position: Position| {
        let mut position = call(position, "hail-caesar");
        position.play(&["show 1 1 0 0", "pass", "pass"]);
        position
    };
    let tied = winner(Position::new(3).influence(1, "italia", 1).influence(2, "italia", 1));
    assert_eq!(tied.actor(), "0", "nobody gains the Senator");
    assert_eq!(winner(Position::new(3)).actor(), "0", "nobody has influence");
    let mut master = winner(Position::new(3).influence(1, "italia", 2).influence(2, "italia", 1));
    master.draw_senator(1);
    assert_eq!(master.state.senators.0[1], [2, 1, 1, 0]);
}
