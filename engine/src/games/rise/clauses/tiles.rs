//! Clauses 3, 4, 6 to 8: set-up, and the arrival, prices and effects of tiles.

use crate::game::{Game, Turn};
use crate::games::rise::Rise;
use crate::games::rise::position::PositionBuilder;
use crate::games::rise::things::{Good, Row};
use crate::walk::Walk;

#[test]
fn c3_1_everybody_starts_alike() {
    let game = Rise::new(5);
    let s = game.start();
    for seat in 0..5 {
        let goods = [s.pool(seat), s.stock(seat), s.gold(seat), s.resource(seat), s.food(seat)];
        assert_eq!((goods, s.vp(seat)), ([5, 25, 5, 2, 16], 0));
    }
    assert_eq!(s.stacks().progress.iter().map(|&n| u32::from(n)).sum::<u32>(), 48);
    assert_eq!(s.stacks().territory.iter().map(|&n| u32::from(n)).sum::<u32>(), 40);
}

#[test]
fn c3_2_every_order_is_as_likely_as_any_other() {
    let game = Rise::new(3);
    let mut out = Vec::new();
    game.outcomes(&game.start(), &mut out);
    assert!(out.iter().all(|(_, p)| (p - 1.0 / 3.0).abs() < 1e-12) && out.len() == 3);
}

#[test]
fn c3_3_a_draw_is_uniform_over_the_single_tiles_that_are_left() {
    let game = Rise::new(2);
    let mut walk = Walk::new(&game, 1, 0);
    walk.next();
    for left in (9..=16).rev() {
        let s = *walk.state();
        let mut out = Vec::new();
        game.outcomes(&s, &mut out);
        for (outcome, p) in out {
            let crate::games::rise::Action::DrawProgress(tile) = outcome else { panic!() };
            let n = f64::from(s.stacks().progress(tile));
            assert!((p - n / f64::from(left)).abs() < 1e-12, "{left}");
        }
        walk.next();
    }
}

#[test]
fn c4_2_eight_progress_and_ten_territory_tiles_come_and_the_rest_of_a_stack_comes_whole() {
    let game = Rise::new(4);
    let mut walk = Walk::new(&game, 3, 0);
    let mut seen = [0; 6];
    let mut chances = [0; 6];
    while game.turn(walk.state()) != Turn::Over {
        let turn = usize::from(walk.state().turn());
        if game.turn(walk.state()) == Turn::Chance {
            chances[turn] += 1;
        } else if seen[turn] == 0 {
            let of_era: u8 = game.board.progress_by_era[turn / 2]
                .iter()
                .map(|tile| walk.state().stacks().progress(tile))
                .sum();
            seen[turn] = 1 + usize::from(of_era);
        }
        walk.next();
    }
    assert_eq!(seen, [9, 1, 9, 1, 9, 1]);
    assert_eq!(chances, [3 + 18, 10, 18, 0, 8, 0]);
}

#[test]
fn c4_2_leftovers_stay_or_go_by_the_number_of_players_and_wonders_always_go() {
    for (n, stays) in [(2, false), (3, false), (4, true), (5, true)] {
        let table = PositionBuilder::new(n, &[]).show(Row::Progress, &["irrigation", "currency"]);
        let table =
            table.show(Row::Territory, &["plain"]).show(Row::City, &["memphis", "pyramids"]);
        let mut s = table.s;
        s.turn = 5;
        (s.stacks.progress, s.boxes) = ([0; 24], table.game.board.boxes_by_era[0]);
        table.game.begin_turn(&mut s);
        assert_eq!(s.display.progress(table.progress("irrigation")), 1);
        assert_eq!(s.display.progress(table.progress("currency")) == 1, stays);
        assert_eq!(s.display.territory(table.territory("plain")) == 1, stays);
        assert_eq!(s.shows_city(table.city_tile("memphis")), stays);
        assert!(!s.shows_city(table.city_tile("pyramids")) && s.boxes.is_empty());
        assert!(s.shows_city(table.city_tile("tokyo")) && s.empires.len() == 8);
    }
}

#[test]
fn c6_1_a_tile_costs_a_gold_for_each_era_that_it_is_old() {
    let table = PositionBuilder::new(2, &[]);
    let prices =
        |id: &str| [0, 1, 2].map(|era| table.game.board.progress_price(table.progress(id), era));
    assert_eq!(prices("irrigation"), [0, 1, 2]);
    assert_eq!(prices("banking")[1..], [0, 1]);
    assert_eq!(prices("medicine")[2], 0);
}

#[test]
fn c6_2_a_tile_works_from_the_moment_at_which_it_is_taken() {
    let table =
        PositionBuilder::new(2, &[]).turn(2).show(Row::Progress, &["merchant-guilds"]).discs(0, 9);
    let table = table.begin().play(&["place progress"]).play(&["place trade", "trade 8"]);
    let table = table.play(&["place trade", "trade 4"]);
    assert_eq!(table.s.gold(0), 5 + 5 + 2);
    assert_eq!(table.s.gold(1), 5 + 6);
}

#[test]
fn c6_3_goods_of_tiles_add_up() {
    let table = PositionBuilder::new(2, &[])
        .own(0, &["irrigation", "crop-rotation", "mining", "feudalism", "medicine"]);
    let table = table.tiles(0, "mountain", 2).tiles(0, "plain", 3);
    let income = table.game.tile_income(&table.s, 0);
    let all =
        [Good::Food, Good::Gold, Good::Resource, Good::Cubes, Good::Vp].map(|good| income[good]);
    assert_eq!(all, [2 + 3 - 6 + 6, 0, 2, 6 + 3 + 3 + 3, 1]);
}

#[test]
fn c6_3_points_for_regions_have_a_limit() {
    let mut table = PositionBuilder::new(3, &[]).own(0, &["religion", "ideology"]);
    for region in ["gaul", "iberia", "italy", "greece"] {
        table = table.put(0, region, 2);
    }
    let without =
        PositionBuilder::new(3, &[]).put(0, "gaul", 2).put(0, "iberia", 2).put(0, "italy", 2);
    let without = without.put(0, "greece", 2);
    let points = |table: &PositionBuilder| table.game.region_points(&table.s)[0];
    assert_eq!(points(&table) - points(&without), 3 + 4);
    // A player does not control a shared region, but is present in it.
    let table = table.put(1, "gaul", 2).put(1, "iberia", 2);
    let without = without.put(1, "gaul", 2).put(1, "iberia", 2);
    assert_eq!(points(&table) - points(&without), 2 + 4);
}

#[test]
fn c6_3_masonry_takes_gold_off_cities_and_wonders() {
    let table = PositionBuilder::new(2, &[]).own(0, &["masonry"]).gold(0, 3);
    let table = table.show(Row::City, &["pyramids", "memphis", "rome"]).begin();
    let table = table.play(&["place city"]);
    assert_eq!(table.options(), ["city memphis", "city pyramids"]);
    let table = table.play(&["city pyramids"]);
    assert_eq!((table.s.gold(0), table.s.vp(0), table.s.cities(0).len()), (0, 6, 0));
}

#[test]
fn c6_3_mercenaries_go_to_any_open_land_region_of_the_old_world() {
    let table = PositionBuilder::new(2, &[]).own(0, &["mercenaries"]).put(0, "china", 1).begin();
    let uses = table.with("use");
    assert_eq!(uses.len(), 7);
    assert!(!uses.iter().any(|text| text.contains("mediterranean") || text.contains("china")));
    // With water the sea and the zones are open, as for all players.
    let key = ["progress.mercenaries.effect.water=true"];
    let table = PositionBuilder::new(2, &key).own(0, &["mercenaries"]).turn(4).begin();
    assert_eq!(table.with("use").len(), 17);
    // No use without the gold, or without cubes in the general stock.
    assert!(
        PositionBuilder::new(2, &[])
            .own(0, &["mercenaries"])
            .gold(0, 0)
            .begin()
            .with("use")
            .is_empty()
    );
    assert!(
        PositionBuilder::new(2, &[])
            .own(0, &["mercenaries"])
            .pool(0, 30)
            .begin()
            .with("use")
            .is_empty()
    );
}

#[test]
fn c7_1_territory_tiles_cost_nothing_and_may_be_owned_twice() {
    let table = PositionBuilder::new(2, &[])
        .gold(0, 0)
        .tiles(0, "plain", 1)
        .show(Row::Territory, &["plain", "forest"]);
    let table = table.begin().play(&["place territory", "territory plain"]);
    assert_eq!(table.s.territory(0, table.territory("plain")), 2);
    assert_eq!(table.s.display().territory(table.territory("plain")), 0);
}

#[test]
fn c8_3_a_city_lies_before_its_owner() {
    let table = PositionBuilder::new(2, &[]).show(Row::City, &["babylon", "memphis"]);
    let table = table.begin().play(&["place city", "city babylon"]);
    assert_eq!((table.s.gold(0), table.s.vp(0)), (0, 0));
    let income = table.game.tile_income(&table.s, 0);
    assert_eq!((income[Good::Food], income[Good::Gold], income[Good::Vp]), (-2, 1, 2));
}
