//! Clauses 6 and 7: alliance auctions and starting units.

use super::Position;
use crate::game::Game;

/// Returns a table before the auctions of season `season`, with the order of the season before.
fn before_auctions(n_players: usize, season: u8, settings: &[&str]) -> Position {
    let mut all = vec!["options.tokens=0", "options.cards=0"];
    all.extend(settings);
    let mut position = Position::with(n_players, &all);
    position.state.season = season;
    (position.state.round, position.state.actions_left) = (0, 0);
    let game = position.game.clone();
    game.start_season(&mut position.state);
    position
}

#[test]
fn c6_3_the_opener_must_bid() {
    let position = before_auctions(4, 0, &[]).ready();
    assert!(
        position.options().starts_with("0: propose 0 1, propose 0 2"),
        "{}",
        position.options()
    );
}

#[test]
fn c6_2_a_later_season_is_opened_by_the_last_in_order_then_clockwise() {
    let mut position = before_auctions(4, 1, &[]).ready();
    assert_eq!(position.actor(), "3");
    position.play(&["propose 2 0", "amount 0", "pass", "pass", "pass"]);
    assert_eq!(position.actor(), "0", "the next seat opens the second auction");
}

#[test]
fn c6_3_who_passed_may_come_back_until_all_others_pass_in_a_row() {
    let mut position = before_auctions(4, 0, &[]).ready();
    position.play(&["propose 0 1", "amount 0", "pass", "pass", "bid", "propose 3 2", "amount 5"]);
    assert_eq!(position.options(), "0: pass, bid");
    position.play(&["pass", "bid", "propose 1 2", "amount 10", "pass", "pass", "pass"]);
    assert_eq!(position.state.money.0[1], 70, "c6_6: the winner pays");
    assert_eq!(position.order()[..2], [1, 2]);
}

#[test]
fn c6_4_a_raise_is_higher_and_within_the_money() {
    let mut position = before_auctions(2, 0, &[]).money(&[80, 15]).ready();
    position.play(&["propose 1 0", "amount 5", "bid", "propose 0 1"]);
    assert_eq!(position.options(), "1: amount 10, amount 15");
    position.play(&["amount 15", "bid", "propose 1 0"]);
    position.play(&["amount 20"]);
    // Player 1 cannot afford a raise: their pass is forced and the auctions are over.
    assert_eq!(position.order(), [1, 0]);
    assert!(position.state.unallied.is_empty());
}

#[test]
fn c6_5_a_lone_player_goes_to_a_box_and_to_the_last_position() {
    let ends = |proposal: &str| {
        let mut position = before_auctions(3, 0, &[]).ready();
        position.play(&["propose 2 0", "amount 0", "pass", "pass"]);
        assert_eq!(position.options(), "1: propose 1 -, propose - 1");
        position.play(&[proposal, "amount 5", "pass", "pass"]);
        (position.order(), position.state.alliance_b.bits())
    };
    let (order, b) = ends("propose 1 -");
    assert_eq!((order, b), (vec![2, 0, 1], 0b001));
    let (order, b) = ends("propose - 1");
    assert_eq!((order, b), (vec![2, 0, 1], 0b011));
}

#[test]
fn c6_6_positions_alternate_between_the_alliances() {
    let mut position = before_auctions(4, 1, &[]).ready();
    position.play(&["propose 2 0", "amount 0", "pass", "pass", "pass"]);
    position.play(&["propose 3 1", "amount 0", "pass", "pass", "pass"]);
    assert_eq!(position.order(), [2, 0, 3, 1]);
    assert_eq!(position.state.alliance_b.bits(), 0b0011);
    assert_eq!(position.actor(), "2");
}

#[test]
fn largest_raise_limits_a_raise_but_not_the_opening() {
    let mut position = before_auctions(2, 0, &["auction.largest_raise=10"]).ready();
    position.play(&["propose 1 0"]);
    assert_eq!(
        position.game.n_actions(&position.state, crate::Player::new(0), &mut Vec::new()),
        17
    );
    position.play(&["amount 5", "bid", "propose 0 1"]);
    assert_eq!(position.options(), "1: amount 10, amount 15");
}

#[test]
fn allied_may_bid_false_leaves_the_bidding_to_the_unallied() {
    let mut position = before_auctions(4, 1, &["auction.allied_may_bid=false"]).ready();
    position.play(&["propose 2 0", "amount 0", "pass", "pass", "pass"]);
    assert_eq!(position.actor(), "1", "player 0, next to open, is allied");
    position.play(&["propose 3 1", "amount 0"]);
    assert_eq!(position.options(), "3: pass, bid");
    position.play(&["pass"]);
    assert!(position.state.unallied.is_empty());
}

#[test]
fn c7_units_start_where_their_player_has_influence() {
    let mut position = before_auctions(2, 0, &[])
        .influence(0, "egypt", 1)
        .influence(0, "sicilia", 2)
        .influence(1, "mesopotamia", 4)
        .ready();
    position.play(&["propose 0 1", "amount 0", "pass"]);
    assert_eq!(position.options(), "0: place caesar egypt, place caesar sicilia");
    position.play(&["place caesar sicilia", "place general egypt"]);
    assert!(
        position.options().starts_with("0: place galley mare-alexandria, place galley mare-epirus")
    );
    position.play(&["place galley mare-pelusium", "count 5", "count 0", "count 1"]);
    assert_eq!(position.at(0, "egypt"), [5, 0, 1, 1]);
    assert_eq!(position.at(0, "sicilia"), [3, 2, 0, 0], "the last takes the rest");
    // Player 1 has one province and no coast: there is no choice, and the galley stays in the pool.
    assert_eq!(position.at(1, "mesopotamia"), [8, 2, 1, 1]);
    assert_eq!(position.state.pool.0[1][crate::games::conquest2::model::units::Unit::Galley], 8);
}
