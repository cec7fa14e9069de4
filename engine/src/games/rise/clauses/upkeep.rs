//! Clauses 2.2 to 2.4 and 12 to 14: keeping, choosing, standing, food, income, points.

use crate::games::rise::position::PositionBuilder;
use crate::games::rise::state::Phase;

#[test]
fn c2_2_tiles_that_cannot_be_kept_must_be_dropped_in_file_order() {
    // Alexandria, Athens and Baghdad cost a disc each; there are two.
    let table =
        PositionBuilder::new(2, &[]).discs(0, 2).cities(0, &["athens", "alexandria", "baghdad"]);
    let table = table.upkeep().play(&["keep"]);
    assert_eq!(table.s.phase, Phase::Supply);
    assert_eq!(table.options(), ["drop athens", "drop alexandria", "drop baghdad"]);
    let table = table.play(&["drop alexandria"]);
    assert_eq!(table.options(), ["drop baghdad", "keep"]);
    let table = table.play(&["keep"]);
    assert_eq!((table.s.resource(0), table.s.cities(0).len()), (0, 2));
}

#[test]
fn c2_2_what_stands_before_must_be_payable() {
    let key = ["city.athens.resource=2", "city.alexandria.resource=2"];
    let table =
        PositionBuilder::new(2, &key).discs(0, 1).cities(0, &["athens", "alexandria", "baghdad"]);
    let table = table.upkeep().play(&["keep"]);
    // Neither of the first two can be paid, so each drop is forced, and the third is a choice.
    assert_eq!(table.options(), ["drop baghdad", "keep"]);
}

#[test]
fn c2_3_units_are_chosen_by_kind_in_order_and_the_last_kind_takes_all() {
    let table = PositionBuilder::new(2, &[]).own(0, &["shipping"]).tiles(0, "island", 3).upkeep();
    assert_eq!(table.s.phase, Phase::ChooseFood);
    let of = |kind: &str| (1..=3).map(|n| format!("take {kind} {n}")).collect::<Vec<_>>();
    let mut all = [of("food"), of("gold"), of("resource")].concat();
    all.push("take cubes 3".to_owned());
    assert_eq!(table.options(), all);
    let table = table.play(&["take gold 1"]);
    assert_eq!(table.options(), ["take resource 1", "take resource 2", "take cubes 2"]);
    let table = table.play(&["take resource 1"]);
    // One is left, and the last kind takes it. Food of islands counts; goods are received later.
    assert_eq!((table.s.food(0), table.s.gold(0), table.s.resource(0)), (16 + 3, 6, 3));
    assert_eq!(table.s.pool(0), 5 + 3 + 1);
}

#[test]
fn c2_4_equal_leaders_share_the_first_place_and_leave_no_second() {
    let table = PositionBuilder::new(4, &[]).put(0, "gaul", 3).put(1, "gaul", 3).put(2, "gaul", 2);
    let standing = table.game.standing(&table.s, table.region("gaul"));
    assert_eq!((standing.first.bits(), standing.second.bits()), (0b11, 0));
    let table = PositionBuilder::new(4, &[]).put(0, "gaul", 3).put(1, "gaul", 1).put(2, "gaul", 1);
    let standing = table.game.standing(&table.s, table.region("gaul"));
    assert_eq!((standing.first.bits(), standing.second.bits()), (0b1, 0b110));
    assert_eq!(table.game.standing(&table.s, table.region("italy")).first.bits(), 0);
}

#[test]
fn c12_1_a_city_that_is_given_up_costs_no_food_and_gives_nothing_more() {
    let table = PositionBuilder::new(2, &[]).cities(0, &["babylon"]).upkeep();
    assert_eq!(table.options(), ["drop babylon", "keep"]);
    let table = table.play(&["drop babylon"]);
    assert_eq!((table.s.food(0), table.s.gold(0), table.s.vp(0)), (16, 5, 0));
    let table = PositionBuilder::new(2, &[]).cities(0, &["babylon"]).upkeep().play(&["keep"]);
    assert_eq!((table.s.food(0), table.s.gold(0), table.s.vp(0)), (14, 6, 2));
}

#[test]
fn c12_2_territory_tiles_come_before_progress_tiles() {
    let table =
        PositionBuilder::new(2, &[]).tiles(0, "village-food-or-cube", 1).tiles(0, "island", 1);
    let table = table.own(0, &["shipping"]).upkeep();
    assert_eq!(table.options(), ["take food 1", "take cubes 1"]);
    let table = table.play(&["take cubes 1"]);
    assert_eq!(table.options().len(), 4);
    let table = table.play(&["take food 1"]);
    assert_eq!((table.s.food(0), table.s.pool(0)), (18, 7));
}

#[test]
fn c12_3_food_of_regions_counts_and_the_last_turn_doubles_all() {
    let table = PositionBuilder::new(2, &[]).put(0, "egypt", 1).tiles(0, "plain", 1).food(0, 5);
    assert_eq!(table.game.food_due(&table.s, 0), 4);
    assert_eq!(table.turn(5).upkeep().s.food(0), 5 + 2 * 4);
    let shared = PositionBuilder::new(2, &[]).put(0, "egypt", 1).put(1, "egypt", 1);
    assert_eq!(shared.game.food_due(&shared.s, 0), 1);
    let table = PositionBuilder::new(2, &[])
        .tiles(0, "village-food-or-cube", 1)
        .food(0, 0)
        .turn(5)
        .upkeep();
    assert_eq!(table.play(&["take food 1"]).s.food(0), 2);
}

#[test]
fn c12_4_hunger_costs_points_and_plenty_gives_gold() {
    let table = PositionBuilder::new(2, &[]).food(0, 1).tiles(0, "mountain", 2).upkeep();
    assert_eq!((table.s.food(0), table.s.vp(0)), (0, -5));
    let table = PositionBuilder::new(2, &[]).food(0, 19).tiles(0, "plain", 3).upkeep();
    assert_eq!((table.s.food(0), table.s.gold(0)), (20, 5 + 2));
    let key = ["food_track.min=3", "food_track.max=17", "food_track.vp_lost_per_food_below_min=2"];
    let table = PositionBuilder::new(2, &key).food(0, 4).tiles(0, "mountain", 1).upkeep();
    assert_eq!((table.s.food(0), table.s.vp(0)), (3, -4));
}

#[test]
fn c13_1_goods_without_food_are_chosen_in_the_income_phase() {
    let table = PositionBuilder::new(2, &[]).tiles(0, "village-gold-or-resource", 1).upkeep();
    assert_eq!(table.s.phase, Phase::ChooseGoods);
    assert_eq!(table.options(), ["take gold 1", "take resource 1"]);
    assert_eq!(table.play(&["take resource 1"]).s.resource(0), 3);
}

#[test]
fn c13_2_symbols_go_to_who_controls_and_are_divided_among_those_who_share() {
    let table = PositionBuilder::new(3, &[])
        .put(0, "middle-east", 2)
        .put(1, "middle-east", 1)
        .turn(2)
        .upkeep();
    assert_eq!((table.s.gold(0), table.s.gold(1)), (8, 5));
    let table = PositionBuilder::new(3, &[])
        .put(0, "middle-east", 2)
        .put(1, "middle-east", 2)
        .turn(2)
        .upkeep();
    assert_eq!((table.s.gold(0), table.s.gold(1), table.s.gold(2)), (6, 6, 5));
}

#[test]
fn c13_3_discs_of_the_same_phase_feed_cities() {
    let table = PositionBuilder::new(2, &[])
        .discs(0, 0)
        .cities(0, &["athens"])
        .own(0, &["industrialisation"]);
    let table = table.upkeep().play(&["keep"]);
    assert_eq!(table.options(), ["drop athens", "keep"]);
    assert_eq!(table.play(&["keep"]).s.resource(0), 2);
}

#[test]
fn c14_2_second_places_and_ties_are_divided_rounded_down() {
    let points = |table: &PositionBuilder| table.game.region_points(&table.s)[..4].to_vec();
    let central = |n: [u8; 4]| {
        let put =
            |table: PositionBuilder, (seat, n): (usize, &u8)| table.put(seat, "central-europe", *n);
        n.iter().enumerate().fold(PositionBuilder::new(4, &[]), put)
    };
    assert_eq!(points(&central([3, 2, 1, 0])), [4, 2, 0, 0]);
    assert_eq!(points(&central([3, 2, 2, 2])), [4, 0, 0, 0]);
    assert_eq!(points(&central([3, 2, 2, 0])), [4, 1, 1, 0]);
    assert_eq!(points(&central([2, 2, 1, 0])), [3, 3, 0, 0]);
    assert_eq!(points(&central([2, 2, 2, 2])), [1, 1, 1, 1]);
    let key = ["map_rules.second_place_in_2p_game=false"];
    let two = |keys: &[&str]| PositionBuilder::new(2, keys).put(0, "china", 2).put(1, "china", 1);
    assert_eq!(points(&two(&[]))[..2], [6, 3]);
    assert_eq!(points(&two(&key))[..2], [6, 0]);
}
