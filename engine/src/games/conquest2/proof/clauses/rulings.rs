//! Tests of rulings: each switch of the configuration that is a ruling has its documented effect.

use super::Position;
use crate::games::conquest2::model::battle::Side;

fn end(position: Position) -> Position {
    let mut position = position.last_turn().ready();
    position.play(&["pass"]);
    position
}

#[test]
fn untaken_cards_stay_c5() {
    let left = |setting: &str| {
        let position = Position::with(2, &[setting, "options.cards=0"])
            .shows("politician")
            .holds(0, "diplomacy-egypt");
        let position = end(position);
        ["politician", "vote-hail-caesar", "diplomacy-egypt"].map(|card| position.displays(card))
    };
    assert_eq!(left("options.untaken_cards_stay=true"), [1, 1, 1]);
    assert_eq!(left("options.untaken_cards_stay=false"), [0, 1, 1]);
}

#[test]
fn vp_below_zero_c18_2() {
    let points = |setting: &str| end(Position::with(2, &[setting]).chaos(&[9, 0])).state.vp.0[0];
    assert_eq!(points("options.vp_below_zero=true"), -10);
    assert_eq!(points("options.vp_below_zero=false"), 0);
}

#[test]
fn senators_from_deck_c2_1() {
    let deck = |setting: &str| Position::with(6, &[setting]).state.deck[..4].to_vec();
    assert_eq!(deck("start.senators_from_deck=true"), [2, 2, 2, 4]);
    assert_eq!(deck("start.senators_from_deck=false"), [8, 8, 8, 4]);
}

#[test]
fn relief_is_permanent_c18_2() {
    let after = |setting: &str| {
        let state = end(Position::with(2, &[setting]).chaos(&[7, 6]).city("egypt", 0)).state;
        (state.chaos.0[0], state.vp.0[..2].to_vec())
    };
    assert_eq!(after("chaos.relief_is_permanent=true"), (4, vec![-5, -10]));
    assert_eq!(after("chaos.relief_is_permanent=false"), (7, vec![-5, -10]));
}

#[test]
fn zero_is_safe_c18_2() {
    let points = |setting: &str| end(Position::with(2, &[setting]).chaos(&[7, 0])).state.vp.0[1];
    assert_eq!(points("chaos.zero_is_safe=true"), 0);
    assert_eq!(points("chaos.zero_is_safe=false"), -5);
}

#[test]
fn any_leader_counts_c15_5() {
    let dice = |setting: &str| {
        let mut position = Position::with(4, &[setting])
            .units(0, "dacia", [1, 0, 0, 0])
            .units(1, "dacia", [1, 0, 0, 0])
            .units(2, "dacia", [0, 0, 0, 1])
            .ready();
        position.play(&["battle"]);
        position.dice()
    };
    assert_eq!(dice("battle.any_leader_counts=true"), (Side::Attacker, 4));
    assert_eq!(dice("battle.any_leader_counts=false"), (Side::Attacker, 3));
}

#[test]
fn both_lose_c15_7() {
    let after = |setting: &str| {
        let mut position = Position::with(4, &[setting])
            .units(0, "dacia", [1, 0, 0, 0])
            .units(1, "dacia", [1, 0, 0, 1])
            .ready();
        position.play(&["battle"]).roll([1, 0, 0, 0]).roll([1, 0, 0, 0]);
        (position.state.chaos.0[..2].to_vec(), position.actor())
    };
    assert_eq!(after("battle.both_lose=true"), (vec![2, 2], "1".to_owned()), "leaders withdraw");
    assert_eq!(after("battle.both_lose=false"), (vec![0, 0], "0".to_owned()), "leaders stay");
}

#[test]
fn needs_influence_c16_1() {
    let options =
        |setting: &str| Position::with(2, &[setting]).holds(0, "merchant-egypt").ready().options();
    assert_eq!(options("merchant.needs_influence=true"), "0: take, tax, pass");
    assert_eq!(options("merchant.needs_influence=false"), "0: take, tax, pass, use");
}

#[test]
fn needs_unit_c14_2() {
    let offered = |setting: &str| {
        let mut position = Position::with(2, &[setting])
            .influence(0, "egypt", 1)
            .shows("city-egypt-numidia")
            .ready();
        position.play(&["take"]);
        position.options().contains("city-egypt-numidia")
    };
    assert!(!offered("city.needs_unit=true"));
    assert!(offered("city.needs_unit=false"));
}

#[test]
fn max_rounds_c15_7() {
    let rounds = |setting: &str| {
        let mut position = Position::with(4, &[setting])
            .units(0, "dacia", [1, 0, 0, 0])
            .units(1, "dacia", [1, 0, 0, 0])
            .ready();
        position.play(&["battle"]);
        let mut rounds = 0;
        while position.actor() == "chance" {
            position.roll([0; 4]).roll([0; 4]).play(&["stay", "stay"]);
            rounds += 1;
        }
        assert_eq!(position.state.chaos.0[..2], [0, 0], "nobody has lost");
        rounds
    };
    assert_eq!(rounds("battle.max_rounds=50"), 50);
    assert_eq!(rounds("battle.max_rounds=2"), 2);
}

#[test]
fn naval_rounds_c15n_3() {
    let mut position = Position::with(4, &["battle.naval_rounds=1"])
        .galleys(0, "mare-narbo", 1)
        .galleys(1, "mare-narbo", 1)
        .ready();
    position.play(&["sail", "to mare-narbo"]).roll([0; 4]).roll([0; 4]);
    assert_eq!(position.actor(), "0");
}

#[test]
fn no_influence_c2_4() {
    let put_back = |setting: &str| {
        let position = Position::with(2, &[setting]);
        (0..11).map(|key| u8::from(position.game.board.no_influence[key])).sum::<u8>()
    };
    assert_eq!(put_back("start.no_influence=[\"italia\"]"), 1);
    assert_eq!(put_back("start.no_influence=[]"), 0);
}

#[test]
fn galley_capacity_c13_4() {
    let mut position = Position::with(2, &["move.galley_capacity=1"])
        .units(0, "italia", [9, 0, 0, 1])
        .galleys(0, "mare-narbo", 2)
        .ready();
    position.play(&["move", "to corsica"]);
    assert_eq!(position.options(), "0: count 0, count 1, count 2");
}
