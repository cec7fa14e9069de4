//! Clauses 8 to 12: turns, taking cards, recruiting, buying influence, special tax.

use super::Position;

#[test]
fn c8_3_only_what_can_be_carried_out_is_offered() {
    let bare = Position::new(2).ready();
    assert_eq!(bare.options(), "0: take, tax, pass", "a Senate Vote lies in the display");
    let poor = Position::new(2).money(&[0]).ready();
    assert_eq!(poor.options(), "0: tax, pass");
    let rich = Position::new(2)
        .units(0, "italia", [1, 0, 0, 1])
        .influence(0, "italia", 1)
        .tokens("italia", 1)
        .units(1, "italia", [1, 0, 0, 0])
        .galleys(0, "mare-narbo", 1)
        .holds(0, "loot")
        .ready();
    assert_eq!(rich.options(), "0: take, recruit, buy, tax, move, battle, sail, pass, use");
}

#[test]
fn c8_1_a_card_is_taken_once_per_round() {
    let mut position = Position::new(2).shows("senator-1").ready();
    position.play(&["take", "card senator-1"]);
    assert_eq!(position.options(), "0: tax, pass");
    position.play(&["pass"]);
    assert!(position.options().starts_with("1: take"), "{}", position.options());
}

#[test]
fn c8_3_a_turn_ends_by_itself_if_nothing_can_be_used() {
    let mut position = Position::new(2).ready();
    position.play(&["pass", "pass"]);
    assert_eq!(position.actor(), "1");
    let mut position = Position::new(2).holds(0, "loot").ready();
    position.play(&["pass", "pass"]);
    assert_eq!(position.options(), "0: use, end");
    position.play(&["use"]);
    assert_eq!(position.actor(), "1", "loot is the only use, and then the turn ends");
    assert_eq!((position.state.money.0[0], position.state.chaos.0[0]), (130, 5));
}

#[test]
fn c9_1_equal_cards_are_one_option_and_cost_goes_to_the_bank() {
    let mut position = Position::new(2)
        .money(&[10])
        .shows("army-training")
        .shows("army-training")
        .shows("diplomacy-italia")
        .shows("naval-training")
        .ready();
    position.play(&["take"]);
    assert_eq!(position.options(), "0: card army-training, card naval-training");
    position.play(&["card army-training"]);
    assert_eq!((position.state.money.0[0], position.displays("army-training")), (0, 1));
}

#[test]
fn c9_2_a_politician_needs_the_caesar_in_a_key_province_and_a_token() {
    let offered = |position: Position| {
        let position = position.shows("politician").money(&[15]).ready();
        let mut position = position;
        position.play(&["take"]);
        position.options().contains("politician")
    };
    assert!(offered(Position::new(2).caesar(0, "egypt")));
    assert!(!offered(Position::new(2).caesar(0, "africa")), "no key province");
    assert!(!offered(Position::new(2)), "no caesar");
    let empty = Position::new(2).caesar(0, "egypt").influence(0, "italia", 18);
    assert!(!offered(empty), "no token in the supply");
}

#[test]
fn c9_2_immediate_cards_need_an_option_for_their_first_ply() {
    let offered = |position: Position, card: &str| {
        let mut position = position.shows(card).ready();
        position.play(&["take"]);
        position.options().contains(card)
    };
    assert!(!offered(Position::new(2), "fleet-aegaeum"));
    assert!(
        !offered(Position::new(2).galleys(0, "mare-aegaeum", 1), "fleet-aegaeum"),
        "another zone"
    );
    assert!(offered(Position::new(2).galleys(0, "mare-rhodus", 1), "fleet-aegaeum"));
    assert!(!offered(Position::new(2), "slave-revolt"));
    assert!(offered(Position::new(2).units(0, "dacia", [1, 0, 0, 0]), "slave-revolt"), "own army");
    assert!(!offered(Position::new(2).senators(1, [0; 4]), "bribe-senator"));
    assert!(offered(Position::new(2), "bribe-senator"));
    let three = Position::new(2).units(0, "moesia", [3, 0, 0, 1]);
    assert!(!offered(three, "barbarians-dacia"), "four must go");
    assert!(offered(Position::new(2).units(0, "moesia", [3, 1, 0, 1]), "barbarians-dacia"));
}

#[test]
fn c10_recruits_come_to_at_least_one_unit_in_canonical_order() {
    let mut position = Position::new(2)
        .units(0, "egypt", [0, 0, 0, 1])
        .influence(0, "egypt", 1)
        .money(&[25])
        .ready();
    position.play(&["recruit"]);
    assert!(position.options().ends_with("count 5"), "infantry: {}", position.options());
    position.play(&["count 0"]);
    assert_eq!(position.options(), "0: count 0, count 1, count 2", "cavalry");
    position.play(&["count 0", "count 0"]);
    assert_eq!(position.options(), "0: count 0, count 1", "a general");
    position.play(&["count 0"]);
    assert_eq!(position.options(), "0: count 0, count 1", "a galley in mare-alexandria");
    position.play(&["count 0"]);
    // No other unit was chosen: the galley in mare-pelusium is forced.
    assert_eq!((position.at_sea(0, "mare-pelusium"), position.state.money.0[0]), (1, 10));
    assert_eq!(position.state.chaos.0[0], 2, "c10_2");
}

#[test]
fn c10_1_needs_own_influence_and_an_own_leader() {
    let offered = |position: Position| position.ready().options().contains("recruit");
    assert!(!offered(Position::new(2).units(0, "egypt", [5, 0, 0, 0]).influence(0, "egypt", 1)));
    assert!(!offered(Position::new(2).units(0, "egypt", [0, 0, 0, 1]).influence(1, "egypt", 1)));
    assert!(offered(Position::new(2).caesar(0, "egypt").influence(0, "egypt", 1)));
}

#[test]
fn c11_with_the_caesar_a_second_source_comes_no_earlier_than_the_first() {
    let market = || {
        Position::new(4)
            .caesar(0, "egypt")
            .tokens("egypt", 1)
            .influence(1, "egypt", 2)
            .influence(2, "egypt", 1)
            .influence(3, "egypt", 1)
            .ready()
    };
    let mut position = market();
    position.play(&["buy"]);
    assert_eq!(position.options(), "0: source token, source 1, source 3", "allies are not bought");
    position.play(&["source 1"]);
    assert_eq!(position.options(), "0: source 1, source 3, stop");
    position.play(&["source 3"]);
    assert_eq!((position.influence_in(0, "egypt"), position.state.money.0[0]), (2, 60));
    assert_eq!(position.state.actions_left, 1, "the second is the same action");
    let mut position = market();
    position.play(&["buy", "source 3"]);
    // No source from seat 3 on is left: to stop is forced.
    assert_eq!(position.influence_in(0, "egypt"), 1);
    assert!(position.options().starts_with("0: take"), "{}", position.options());
}

#[test]
fn c11_2_land_military_guards_influence_and_a_token_goes_back_to_its_supply() {
    let mut position = Position::new(4)
        .units(0, "egypt", [0, 0, 0, 1])
        .influence(1, "egypt", 1)
        .influence(3, "egypt", 1)
        .units(1, "egypt", [0, 1, 0, 0])
        .ready();
    position.play(&["buy"]);
    assert_eq!(position.influence_in(3, "egypt"), 0, "the only source is forced");
    assert_eq!((position.state.supply.0[3], position.influence_in(0, "egypt")), (18, 1));
    let leader = Position::new(4).units(0, "egypt", [0, 0, 0, 1]).influence(1, "egypt", 1);
    let leader = leader.units(1, "egypt", [0, 0, 0, 1]).ready();
    assert!(leader.options().contains("buy"), "a leader guards nothing");
}

#[test]
fn c12_special_tax_brings_talents_and_chaos() {
    let mut position = Position::new(2).ready();
    position.play(&["tax"]);
    assert_eq!(position.options(), "0: count 1, count 2, count 3, count 4, count 5");
    position.play(&["count 3"]);
    assert_eq!((position.state.money.0[0], position.state.chaos.0[0]), (95, 3));
}
