//! Clauses 15 to 18: turn order, the end of an era and of the game, the players' information.

use crate::game::{Game, Turn};
use crate::games::rise::Rise;
use crate::games::rise::position::PositionBuilder;
use crate::games::rise::state::Phase;
use crate::player::Player;
use crate::rng::{Purpose, stream};
use crate::walk::Walk;

#[test]
fn c15_1_fewest_points_choose_first_then_fewest_goods_then_the_last_in_order() {
    let mut table = PositionBuilder::new(4, &[]);
    table.s.vp = [3, 1, 1, 1, 0];
    table = table.gold(1, 6).gold(2, 4).discs(2, 3);
    let table = table.upkeep();
    let choosers: Vec<usize> = table.s.choosers.iter().flatten().map(|p| p.idx()).collect();
    // Seats 2 and 3 have 12 units each, seat 3 was further back.
    assert_eq!(choosers, [3, 2, 1, 0]);
}

#[test]
fn c15_2_every_free_place_can_be_chosen_and_the_last_is_no_choice() {
    let table = PositionBuilder::new(3, &[]).upkeep();
    assert_eq!(
        (table.mover(), table.options()),
        (2, vec!["seat 1".into(), "seat 2".into(), "seat 3".into()])
    );
    let table = table.play(&["seat 2"]);
    assert_eq!((table.mover(), table.options()), (1, vec!["seat 1".into(), "seat 3".into()]));
    let table = table.play(&["seat 3"]);
    assert_eq!(table.s.order().map(Player::idx).collect::<Vec<_>>(), [0, 2, 1]);
    assert_eq!(table.s.turn, 1);
}

#[test]
fn c16_at_an_eras_end_tiles_are_kept_for_gold_and_cities_for_cubes_and_cubes_decline() {
    let table = PositionBuilder::new(2, &[])
        .turn(1)
        .gold(0, 1)
        .pool(0, 0)
        .put(0, "gaul", 5)
        .put(1, "gaul", 1);
    let table = table.own(0, &["religion", "masonry"]).cities(0, &["carthage"]).upkeep();
    let table = table.play(&["keep", "seat 1"]);
    // Gold for one of two tiles, and cubes for no city once Gaul's cube is there.
    assert_eq!((table.s.phase, table.mover()), (Phase::KeepProgress, 0));
    assert_eq!(table.options(), ["drop religion", "drop masonry"]);
    let table = table.play(&["drop religion"]);
    assert_eq!(table.options(), ["drop masonry", "keep"]);
    let table = table.play(&["keep"]);
    assert_eq!(table.options(), ["drop carthage", "keep"]);
    let table = table.play(&["keep"]);
    assert_eq!((table.s.gold(0), table.s.pool(0)), (0, 0));
    // Rounded up, three of five and one of one leave.
    assert_eq!((table.cubes(0, "gaul"), table.cubes(1, "gaul")), (2, 0));
    assert_eq!(table.s.turn, 2);
}

#[test]
fn c16_2_without_cubes_cities_must_go() {
    let table = PositionBuilder::new(2, &[]).turn(1).pool(0, 0).cities(0, &["memphis"]);
    let table = table.upkeep().play(&["keep", "seat 1"]);
    assert_eq!(table.s.cities(0).len(), 0);
}

#[test]
fn c17_gold_and_discs_score_at_the_end_and_gold_breaks_ties() {
    let table = PositionBuilder::new(2, &[])
        .turn(5)
        .gold(0, 8)
        .discs(0, 7)
        .gold(1, 12)
        .discs(1, 0)
        .upkeep();
    assert_eq!(table.game.turn(&table.s), Turn::Over);
    assert_eq!((table.s.vp(0), table.s.vp(1)), (2 + 2, 4));
    assert_eq!(table.game.payoffs(&table.s).first(2), [0.0, 1.0]);
    let table = PositionBuilder::new(2, &[]).turn(5).gold(0, 6).gold(1, 6).upkeep();
    assert_eq!(table.game.payoffs(&table.s).first(2), [0.5, 0.5]);
}

/// Compares the counts of a stack after the first turn with the means of the hypergeometric distribution: tiles are
/// drawn from stacks without replacement.
#[test]
fn c18_what_comes_from_the_stacks_is_drawn_without_replacement() {
    let game = Rise::new(2);
    let n_games = 4000;
    let mut plains = Vec::new();
    for index in 0..n_games {
        let mut walk = Walk::new(&game, 5, index);
        while walk.state().phase() != Phase::Disc {
            walk.next();
        }
        let table_plain = walk.state().display().territory[0];
        plains.push(f64::from(table_plain));
    }
    let n = n_games as f64;
    let mean = plains.iter().sum::<f64>() / n;
    let variance = plains.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    // Ten of forty, ten of which are plains.
    let exact = 10.0 * 0.25 * 0.75 * 30.0 / 39.0;
    assert!((mean - 2.5).abs() < 4.0 * (exact / n).sqrt(), "{mean}");
    assert!((variance - exact).abs() < 0.12, "{variance}");
}

#[test]
fn c18_a_world_is_the_position_itself() {
    let game = Rise::new(3);
    let mut rng = stream(1, 2, Purpose::Analysis);
    let mut walk = Walk::new(&game, 4, 4);
    for _ in 0..100 {
        walk.next();
        let mut world = *walk.state();
        game.determinize(&mut world, Player::new(1), &mut rng);
        assert_eq!(world, *walk.state());
    }
}

#[test]
fn cubes_that_are_given_stand_in_their_region_as_far_as_the_stock_goes() {
    let settings = ["gift.s1.seat0.region.italy=2", "gift.s1.seat1.region.gaul=50"];
    let table = PositionBuilder::new(2, &settings);
    let all = PositionBuilder::new(2, &[]).s.stock;
    assert_eq!((table.cubes(0, "italy"), table.s.stock[0]), (2, all[0] - 2));
    assert_eq!((table.cubes(1, "gaul"), table.s.stock[1]), (all[1].min(50).into(), 0));
}
