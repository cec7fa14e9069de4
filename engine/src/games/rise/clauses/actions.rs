//! Clauses 1, 2.1 and 5: goods, payments, discs, objects, free actions, trade (11).

use crate::games::rise::position::PositionBuilder;
use crate::games::rise::state::Phase;
use crate::games::rise::things::Row;

#[test]
fn c1_2_cubes_that_the_general_stock_cannot_give_are_lost() {
    let table = PositionBuilder::new(2, &[]).tiles(0, "mountain", 2);
    let mut table = table.pool(0, 28);
    table = table.upkeep();
    assert_eq!((table.s.pool(0), table.s.stock(0)), (30, 0));
}

#[test]
fn c1_4_discs_that_the_supply_cannot_give_are_lost_to_whoever_is_due_them() {
    let table = PositionBuilder::new(2, &["stock.resource_discs=9"]);
    let table = table.own(0, &["industrialisation"]).own(1, &["industrialisation"]).upkeep();
    assert_eq!((table.s.resource(0), table.s.resource(1)), (5, 4));
}

#[test]
fn c1_4_discs_on_the_trade_track_are_in_the_supply_unless_the_key_says_otherwise() {
    let key = "stock.resource_discs_on_trade_track_are_in_supply=false";
    for (settings, supply) in [(&[][..], 38), (&[key][..], 36)] {
        let table = PositionBuilder::new(2, settings).begin().play(&["place trade", "trade 2"]);
        assert_eq!(table.game.supply(&table.s), supply);
    }
}

#[test]
fn c1_5_payments_in_food_stop_at_the_lowest_step_of_the_track() {
    for (min, most) in [(0, 3), (14, 2), (-1, 3)] {
        let table = PositionBuilder::new(2, &[&format!("food_track.min={min}")]).turn(1).gold(0, 0);
        let table = table.pool(0, 0).discs(0, 0).row(Row::Trade, &[0, 1, 1, 1]).begin();
        assert_eq!(table.with("pay food").len(), most, "{min}");
        assert_eq!(table.options().last().unwrap(), "pay vp 3");
    }
}

#[test]
fn c2_1_a_price_is_paid_in_currencies_in_order_and_the_rest_in_points() {
    let table = PositionBuilder::new(3, &[]).turn(1).gold(0, 1).pool(0, 2).discs(0, 1).food(0, 0);
    let table = table.row(Row::City, &[1, 0, 2, 1, 2]).begin();
    let all = ["pay gold 1", "pay cubes 1", "pay cubes 2", "pay resource 1", "pay vp 3"];
    assert_eq!(table.options(), all);
    let table = table.play(&["pay cubes 1"]);
    assert_eq!(table.options(), ["pay resource 1", "pay vp 2"]);
    let table = table.play(&["pay vp 2"]);
    assert_eq!((table.s.vp(0), table.s.pool(0), table.s.stock(0)), (-2, 1, 29));
}

#[test]
fn c2_1_points_alone_are_no_choice() {
    let table = PositionBuilder::new(2, &[]).turn(1).gold(0, 0).pool(0, 0).discs(0, 0).food(0, 0);
    let table = table.row(Row::Territory, &[0, 1, 1]).row(Row::City, &[0]);
    let table = table.show(Row::Territory, &["plain", "forest"]).begin();
    let table = table.play(&["remove territory 1"]);
    assert_eq!(table.s.vp(0), -2);
    assert_eq!(table.options(), ["territory plain", "territory forest", "skip"]);
}

#[test]
fn c5_2_columns_limit_circles_and_so_do_the_printed_ones() {
    for (n, columns) in [(2, 4), (3, 6), (4, 8), (5, 10)] {
        let game = PositionBuilder::new(n, &[]).game;
        assert_eq!(game.board.circles, [columns, columns, columns, columns.min(8), columns]);
    }
}

#[test]
fn c5_3_a_disc_goes_to_the_lowest_circle_of_a_row_in_which_something_can_be_done() {
    let table = PositionBuilder::new(2, &[])
        .show(Row::Territory, &["plain"])
        .row(Row::Empire, &[1])
        .begin();
    assert_eq!(table.options(), ["place territory", "place empire", "place trade"]);
    let table = table.play(&["place empire"]);
    assert_eq!(table.s.disc(Row::Empire, 1), Some(0));
    assert_eq!(table.with("empire").len(), 8);
    // The object must be taken.
    assert!(table.with("skip").is_empty());
}

#[test]
fn c5_3_who_can_do_nothing_places_his_disc_anywhere_and_takes_nothing() {
    let full = [1, 1, 1, 1];
    let mut table = PositionBuilder::new(2, &[]).discs(0, 0).row(Row::Empire, &full);
    table = table.begin();
    assert_eq!(table.with("place").len(), 4);
    let table = table.play(&["place city"]);
    assert_eq!((table.mover(), table.s.n_discs(Row::City)), (1, 1));
    // The free actions after the object remain the player's.
    let table = PositionBuilder::new(2, &[]).discs(0, 0).gold(0, 6).own(0, &["stock-exchange"]);
    let table = table.row(Row::Empire, &full).begin().play(&["place city"]);
    assert_eq!(table.options(), ["use stock-exchange", "end"]);
}

#[test]
fn c5_3_without_a_free_circle_the_action_lapses_with_its_free_actions() {
    let full = [1, 1, 1, 1];
    let mut table = PositionBuilder::new(2, &[]).gold(0, 6).own(0, &["stock-exchange"]);
    for row in Row::ALL {
        table = table.row(row, &full);
    }
    table.s.round = 4;
    let table = table.begin();
    assert!(matches!(table.s.phase, Phase::Seat), "{:?}", table.s.phase);
}

#[test]
fn c5_3_skipping_in_a_turns_is_a_key() {
    let table = PositionBuilder::new(2, &["action_display.a_turn_may_skip_action=true"]).begin();
    assert_eq!(table.with("place").len(), 5);
    let table = table.play(&["place trade"]);
    assert!(table.options().contains(&"skip".to_owned()));
}

#[test]
fn c5_4_a_disc_that_comes_back_costs_a_unit_for_each_disc_to_the_left() {
    let table = PositionBuilder::new(3, &[]).turn(1).row(Row::Trade, &[0, 1, 0, 2]).begin();
    assert_eq!(table.options(), ["remove trade 1", "remove trade 3"]);
    let table = table.play(&["remove trade 1"]);
    assert_eq!(table.with("pay gold").len(), 3);
    let table = table.play(&["pay gold 3"]);
    assert_eq!(table.s.gold(0), 2);
    // Free circles cost nothing.
    assert_eq!(table.s.disc(Row::Trade, 0), None);
    assert_eq!(table.s.discs_above(Row::Trade, 2), 1);
}

#[test]
fn c5_4_the_price_comes_before_the_action_unless_the_key_says_otherwise() {
    let key = ["action_display.b_turn_pay_before_action=false"];
    let table = PositionBuilder::new(2, &key).turn(1).gold(0, 3).discs(0, 2);
    let table = table.own(0, &["mercenaries"]).row(Row::Trade, &[0, 1]).row(Row::City, &[0]);
    let table = table.begin().play(&["remove trade 1"]);
    assert_eq!(table.with("trade").len(), 4);
    // The gold of the box pays for the disc, and the price stands before the free actions.
    let table = table.play(&["trade 2"]);
    assert_eq!(table.s.gold(0), 8);
    assert_eq!(table.options()[..2], ["pay gold 1", "pay cubes 1"]);
    let table = table.play(&["pay gold 1"]);
    assert_eq!(table.options().last().unwrap(), "end");
}

#[test]
fn c5_4_who_has_no_disc_left_does_nothing_and_skipping_can_be_forbidden() {
    let table = PositionBuilder::new(2, &[]).turn(1).row(Row::Trade, &[1, 1]).begin();
    assert_eq!(table.mover(), 1);
    let key = ["action_display.b_turn_may_skip_action=false"];
    let table = PositionBuilder::new(2, &key).turn(1).row(Row::Trade, &[0]).begin();
    assert!(table.with("skip").is_empty() && !table.with("trade").is_empty());
}

#[test]
fn c5_5_only_what_can_be_paid_and_is_not_owned_is_offered() {
    let tiles = ["irrigation", "currency", "banking", "fertilizers"];
    let table = PositionBuilder::new(2, &[]).turn(4).gold(0, 1).own(0, &["fertilizers"]);
    let table = table.show(Row::Progress, &tiles).show(Row::City, &["amsterdam", "sydney"]);
    let table = table.begin().play(&["place progress"]);
    // Seat 1 is next: they could pay only the tile of the era before, so there was no choice.
    assert_eq!((table.mover(), table.s.gold(0)), (1, 0));
    assert!(table.s.progress(0).contains(table.progress("banking")));
}

#[test]
fn c5_5_trade_boxes_show_the_era_are_free_and_cost_discs() {
    let table = PositionBuilder::new(2, &[]).turn(2).discs(0, 3).begin().play(&["place trade"]);
    assert_eq!(table.options(), ["trade 4", "trade 5", "trade 6", "trade 7", "trade 8"]);
    // Seat 1 can pay two discs, and the other box for two is taken: there is no choice.
    let table = table.play(&["trade 8", "place trade"]);
    assert_eq!((table.s.gold(1), table.s.resource(1), table.s.boxes.len()), (10, 0, 2));
}

#[test]
fn c5_6_free_actions_stand_before_the_disc_and_after_the_object_in_file_order_once_a_turn() {
    let own = ["mercenaries", "diplomacy", "stock-exchange"];
    let table =
        PositionBuilder::new(2, &[]).turn(2).gold(0, 20).own(0, &own).put(0, "gaul", 1).begin();
    let n_land = table.game.board.old_world_by_era[1].len() as usize - 1;
    assert_eq!(table.with("use mercenaries").len(), n_land);
    assert_eq!(table.with("use diplomacy"), ["use diplomacy gaul"]);
    assert_eq!(table.with("use stock-exchange"), ["use stock-exchange"]);
    // Later tiles only, within a window.
    let table = table.play(&["use diplomacy gaul"]);
    assert!(table.with("use mercenaries").is_empty());
    let table = table.play(&["place trade", "trade 4"]);
    // After the object the earlier tile is available again; the used one is not.
    assert!(table.with("use diplomacy").is_empty());
    assert_eq!(table.with("use mercenaries").len(), n_land);
    let table = table.play(&["use mercenaries italy", "use stock-exchange"]);
    assert_eq!(table.mover(), 1);
    assert_eq!((table.s.vp(0), table.cubes(0, "italy")), (4, 1));
    assert_eq!(table.s.used[0], 0b111);
}

#[test]
fn c5_6_a_tile_that_was_just_taken_is_not_used_in_the_same_action() {
    let table = PositionBuilder::new(2, &[]).show(Row::Progress, &["mercenaries"]);
    let table = table.begin().play(&["place progress"]);
    assert_eq!(table.mover(), 1);
    assert!(table.s.progress(0).contains(table.progress("mercenaries")));
}

#[test]
fn c5_7_alliances_end_with_the_rounds() {
    let mut table = PositionBuilder::new(2, &[]).own(0, &["diplomacy"]).put(0, "gaul", 1);
    table.s.round = 5;
    table.s.at = 1;
    table.s.alliance[0] = Some(table.region("gaul"));
    table.s.used[0] = 0b10;
    for row in Row::ALL {
        table = table.row(row, &[0, 0, 0, 0]);
    }
    table.game.begin_action(&mut table.s);
    table.game.settle(&mut table.s);
    assert_eq!((table.s.alliance(0), table.s.used[0]), (None, 0));
}

#[test]
fn c11_trade_pays_at_once_with_the_bonus_of_guilds() {
    let table = PositionBuilder::new(2, &[]).own(0, &["merchant-guilds"]).discs(0, 2).turn(2);
    let table = table.begin().play(&["place trade", "trade 4"]);
    assert_eq!((table.s.gold(0), table.s.resource(0)), (12, 0));
}
