//! Clauses 9 and 10: regions that get cubes, battles.

use crate::games::rise::position::PositionBuilder;

#[test]
fn c9_1_tiles_add_areas_and_water() {
    let table = PositionBuilder::new(2, &[]).own(0, &["railways", "navigation"]).empire(1);
    assert_eq!((table.s.detail.areas, table.s.detail.water), (2, true));
    let table = PositionBuilder::new(2, &[]).turn(2).empire(1);
    assert_eq!((table.s.detail.areas, table.s.detail.water), (2, false));
}

#[test]
fn c9_2_the_sea_needs_water_and_zones_need_it_too_and_an_era() {
    let sea = "to mediterranean-sea".to_owned();
    assert!(!PositionBuilder::new(2, &[]).empire(1).options().contains(&sea));
    assert!(PositionBuilder::new(2, &[]).empire(2).options().contains(&sea));
    let zones =
        |table: PositionBuilder| table.with("to ").iter().filter(|t| t.contains("china")).count();
    assert_eq!(zones(PositionBuilder::new(2, &[]).own(1, &["navigation"]).empire(2)), 0);
    assert_eq!(zones(PositionBuilder::new(2, &[]).turn(2).empire(2)), 0);
    // The navigation of any player opens the zones in era II, but only water leads there.
    assert_eq!(zones(PositionBuilder::new(2, &[]).turn(2).own(1, &["navigation"]).empire(2)), 1);
    assert_eq!(zones(PositionBuilder::new(2, &[]).turn(2).own(1, &["navigation"]).empire(1)), 0);
    let owner = ["map_rules.navigation_scope=owner"];
    assert_eq!(zones(PositionBuilder::new(2, &owner).turn(2).own(1, &["navigation"]).empire(2)), 0);
    assert_eq!(zones(PositionBuilder::new(2, &owner).turn(2).own(0, &["navigation"]).empire(1)), 1);
    assert_eq!(zones(PositionBuilder::new(2, &[]).turn(4).empire(2)), 1);
}

#[test]
fn c9_2_regions_of_later_eras_are_closed() {
    assert_eq!(PositionBuilder::new(2, &[]).empire(1).with("to ").len(), 7);
    assert_eq!(PositionBuilder::new(2, &[]).turn(3).empire(1).with("to ").len(), 12);
}

#[test]
fn c9_2_cubes_at_sea_get_no_others_without_water_unless_the_key_says_so() {
    let at_sea = |settings: &[&str]| {
        PositionBuilder::new(2, settings).put(0, "mediterranean-sea", 1).empire(1)
    };
    let sea = "to mediterranean-sea".to_owned();
    let table = at_sea(&[]);
    // The player is settled there and may enter the neighbours.
    assert_eq!(table.with("to ").len(), 7);
    assert!(!table.options().contains(&sea));
    assert!(at_sea(&["map_rules.reinforce_without_water=true"]).options().contains(&sea));
}

#[test]
fn c9_3_who_is_settled_reaches_his_regions_and_their_neighbours() {
    let table = PositionBuilder::new(2, &[]).put(0, "iberia", 1).put(0, "egypt", 1).empire(5);
    let to = ["to iberia", "to gaul", "to egypt", "to north-africa"];
    assert_eq!(table.with("to "), to);
    // Regions need not be connected, and a chosen region opens no others.
    let table = table.play(&["to gaul", "count 1"]);
    assert_eq!(table.with("to "), ["to egypt", "to north-africa"]);
}

#[test]
fn c9_3_zones_are_reached_from_anywhere_but_only_one_of_them_in_an_action() {
    let table = PositionBuilder::new(2, &[]).turn(4).put(0, "egypt", 1).empire(4);
    assert_eq!(table.with("to ").len(), 4 + 1 + 4 - 1);
    let table = table.play(&["to north-america", "count 1"]);
    assert_eq!(table.with("to "), ["to south-america"]);
    let both =
        PositionBuilder::new(2, &["map_rules.zones_per_action=2"]).turn(4).put(0, "egypt", 1);
    let both = both.empire(4).play(&["to north-america", "count 1"]);
    assert_eq!(both.with("to "), ["to south-america", "to india", "to china"]);
}

#[test]
fn c9_3_a_newcomer_from_the_zones_needs_water() {
    let table = PositionBuilder::new(2, &[]).turn(4).put(0, "china", 1).empire(1);
    assert_eq!(table.options(), ["abandon", "done"]);
    let table = PositionBuilder::new(2, &[]).turn(4).put(0, "china", 1).empire(2);
    assert_eq!(table.with("to ").len(), 17);
}

#[test]
fn c9_4_abandoning_takes_all_cubes_home_and_something_must_be_put() {
    let table = PositionBuilder::new(2, &[]).put(0, "iberia", 3).put(0, "egypt", 2).empire(3);
    assert_eq!(table.options().first().unwrap(), "abandon");
    assert_eq!(table.options().last().unwrap(), "done");
    let table = table.play(&["abandon"]);
    assert_eq!((table.s.stock(0), table.s.held(0).len()), (25, 0));
    assert!(table.with("done").is_empty() && table.with("to ").len() == 7);
    let table = table.play(&["to greece", "count 2"]);
    assert!(!table.with("done").is_empty() && table.with("abandon").is_empty());
    // Without cubes in the pool there is no such option.
    let table = PositionBuilder::new(2, &[]).put(0, "iberia", 3).pool(0, 0).empire(3);
    assert!(table.with("abandon").is_empty());
}

#[test]
fn c9_5_placing_ends_when_areas_or_cubes_run_out() {
    let table = PositionBuilder::new(2, &[]).empire(1).play(&["to gaul", "count 2"]);
    assert_eq!((table.mover(), table.cubes(0, "gaul"), table.s.pool(0)), (1, 2, 3));
    let table = PositionBuilder::new(2, &[]).empire(3).play(&["to gaul", "count 5"]);
    assert_eq!((table.mover(), table.s.pool(0)), (1, 0));
}

#[test]
fn c9_5_zero_cubes_can_be_forbidden() {
    assert!(!PositionBuilder::new(2, &[]).empire(1).with("done").is_empty());
    let key = ["empire_rules.zero_cubes_allowed=false"];
    assert!(PositionBuilder::new(2, &key).empire(1).with("done").is_empty());
    // Where no region can get any cubes, there is no other option.
    assert_eq!(PositionBuilder::new(2, &key).pool(0, 0).empire(1).mover(), 1);
}

#[test]
fn c9_5_a_newcomer_needs_a_root_and_may_wait_for_it_while_areas_and_cubes_last() {
    // Iberia and Italy do not touch; Gaul lies between them but earlier than Italy in the file, the sea before both.
    let table = PositionBuilder::new(2, &[]).empire(5).play(&["to iberia", "count 1"]);
    assert_eq!(table.with("to "), ["to gaul", "to north-africa"]);
    // With three areas Egypt may come before North Africa, which borders on both.
    let table = PositionBuilder::new(2, &[]).empire(7).play(&["to iberia", "count 1"]);
    assert_eq!(table.with("to "), ["to gaul", "to egypt", "to north-africa"]);
    let table = table.play(&["to egypt"]);
    assert_eq!(table.with("count"), ["count 1", "count 2", "count 3"]);
    let table = table.play(&["count 3"]);
    // Now only the root is left, and a single cube: there is no choice.
    assert_eq!((table.mover(), table.cubes(0, "north-africa"), table.s.pool(0)), (1, 1, 0));
    // With only two cubes the player cannot wait.
    let table = PositionBuilder::new(2, &[]).pool(0, 2).empire(7).play(&["to iberia", "count 1"]);
    assert_eq!(table.with("to "), ["to gaul", "to north-africa"]);
}

#[test]
fn c10_1_one_battle_in_the_first_two_eras_and_every_line_in_the_third() {
    let fighters = |turn: u8| {
        let table =
            PositionBuilder::new(2, &[]).turn(turn).pool(0, 0).put(0, "gaul", 5).put(0, "italy", 5);
        table.put(1, "gaul", 5).put(1, "italy", 5).empire(1)
    };
    let table = fighters(2);
    assert_eq!(table.options(), ["battle gaul 1", "battle italy 1", "no-battle"]);
    let table = table.play(&["battle gaul 1"]);
    assert_eq!((table.mover(), table.cubes(0, "gaul"), table.cubes(1, "gaul")), (1, 4, 2));
    let table = fighters(4).play(&["battle italy 1"]);
    assert_eq!(table.options(), ["battle gaul 1", "no-battle"]);
    let table = fighters(4).play(&["no-battle"]);
    assert_eq!(table.options(), ["battle gaul 1", "battle italy 1", "no-battle"]);
    let table = table.play(&["battle gaul 1"]);
    assert_eq!((table.cubes(0, "gaul"), table.cubes(1, "gaul")), (4, 3));
}

#[test]
fn c10_2_who_has_too_few_cubes_or_an_ally_is_left_alone() {
    let table =
        PositionBuilder::new(3, &[]).pool(0, 0).put(0, "gaul", 1).put(1, "gaul", 5).empire(5);
    // Two cubes are lost with this tile.
    assert_eq!(table.mover(), 1);
    let table = PositionBuilder::new(3, &[])
        .pool(0, 0)
        .put(0, "gaul", 2)
        .put(1, "gaul", 5)
        .put(2, "gaul", 1);
    let mut allied = PositionBuilder { game: table.game.clone(), s: table.s };
    assert_eq!(table.empire(5).options(), ["battle gaul 1", "battle gaul 2", "no-battle"]);
    allied.s.alliance[1] = Some(allied.region("gaul"));
    assert_eq!(allied.empire(5).options(), ["battle gaul 2", "no-battle"]);
}

#[test]
fn c10_3_losses_are_changed_by_tiles_and_go_to_the_general_stocks() {
    let table = PositionBuilder::new(2, &[]).turn(4).pool(0, 0).put(0, "gaul", 1).put(1, "gaul", 9);
    let own = ["iron-weapons", "gunpowder", "mechanised-warfare"];
    let table = table.own(0, &own).own(1, &["fortification"]).empire(5);
    let table = table.play(&["battle gaul 1"]);
    // Two less one of the attacker, four and three less one of the defender.
    assert_eq!((table.cubes(0, "gaul"), table.s.stock(0)), (0, 30));
    assert_eq!((table.cubes(1, "gaul"), table.s.stock(1)), (3, 22));
    // A defender loses no more than they have, and there is no fight with a defender who would lose nothing.
    let table =
        PositionBuilder::new(2, &[]).pool(0, 0).put(0, "gaul", 1).put(1, "gaul", 1).empire(1);
    assert_eq!(table.play(&["battle gaul 1"]).cubes(1, "gaul"), 0);
    let table = PositionBuilder::new(2, &[]).pool(0, 0).put(0, "gaul", 1).put(1, "gaul", 1);
    assert_eq!(table.own(1, &["fortification"]).empire(4).mover(), 1);
}

#[test]
fn c10_1_the_least_loss_of_a_defender_holds_after_fortification() {
    let fortified = |settings: &[&str]| {
        let table =
            PositionBuilder::new(2, settings).pool(0, 0).put(0, "gaul", 1).put(1, "gaul", 9);
        table.own(1, &["fortification"]).empire(4)
    };
    let table = fortified(&["empire_rules.defender_loss_min=1"]);
    assert_eq!(table.options(), ["battle gaul 1", "no-battle"]);
    assert_eq!(table.play(&["battle gaul 1"]).cubes(1, "gaul"), 8);
    // Of nine cubes, three are lost where three is the minimum.
    let table = fortified(&["empire_rules.defender_loss_min=3"]).play(&["battle gaul 1"]);
    assert_eq!(table.cubes(1, "gaul"), 6);
}

#[test]
fn c10_4_of_two_equal_lines_the_second_needs_the_first_and_a_later_region() {
    let table =
        PositionBuilder::new(2, &[]).turn(4).pool(0, 0).put(0, "gaul", 2).put(0, "italy", 2);
    let table = table.put(1, "gaul", 2).put(1, "italy", 2);
    let other = PositionBuilder { game: table.game.clone(), s: table.s };
    let table = table.empire(2).play(&["battle gaul 1"]);
    assert_eq!(table.options(), ["battle italy 1", "no-battle"]);
    assert_eq!(other.empire(2).play(&["battle italy 1"]).mover(), 1);
}
