//! The three maps, and configurations that are refused.

use super::{refusal, under};
use crate::bits::each;
use crate::games::hannibal::{Action, Hannibal};

#[test]
fn every_map_has_the_borders_that_the_rules_show() {
    for map in ["balanced", "by-names", "mirror"] {
        let game = under(&[&format!("map={map}")]);
        assert_eq!((game.n_areas(), game.n_routes()), (11, 5), "{map}");
        for (a, b) in [("roma", "cannae"), ("gallia", "hispania-citerior")] {
            let [a, b] = [a, b].map(|id| game.area(id).unwrap());
            assert!(game.reach(a, 0) >> b & 1 == 1 && game.reach(b, 0) >> a & 1 == 1, "{map}");
        }
        // No way by land leads to an island, and all other areas are connected.
        let islands = ["sicilia", "corsica", "sardinia"].map(|id| game.area(id).unwrap());
        let mut reached = 1u16;
        for _ in 0..11 {
            reached |= each(reached.into()).fold(0, |all, a| all | game.reach(a, 0));
        }
        let mainland = islands.iter().fold((1 << 11) - 1, |set, island| set & !(1 << island));
        assert_eq!(reached, mainland, "{map}");
    }
}

/// Returns the number of steps by land from one area to another.
fn steps(game: &Hannibal, from: &str, to: &str) -> u32 {
    let (mut reached, to) = (1u16 << game.area(from).unwrap(), game.area(to).unwrap());
    let mut n = 0;
    while reached >> to & 1 == 0 {
        reached |= each(reached.into()).fold(0, |all, a| all | game.reach(a, 0));
        n += 1;
    }
    n
}

#[test]
fn the_maps_differ_in_how_far_the_spanish_areas_are() {
    let distances = |map: &str| {
        let game = under(&[&format!("map={map}")]);
        [("roma", "hispania-citerior"), ("carthago", "hispania-citerior"), ("roma", "carthago")]
            .map(|(from, to)| steps(&game, from, to))
    };
    assert_eq!(distances("balanced"), [3, 3, 6]);
    assert_eq!(distances("by-names"), [2, 4, 6]);
    assert_eq!(distances("mirror"), [3, 3, 6]);
}

#[test]
fn bad_rules_are_refused_with_place_value_and_remedy() {
    assert_eq!(
        refusal("map=mirrors"),
        r#"map=mirrors: map: there is no map "mirrors" (nearest: mirror)"#
    );
    assert_eq!(refusal("max-turns=0"), "max-turns=0: max-turns: 0 is out of range (1 to 10000)");
    assert!(refusal("cards.values=[2, 1]").contains("different values, the lowest first"));
    assert!(refusal("cards.values=[16]").contains("16 is out of range (0 to 15)"));
    assert!(refusal("rome.capital=carthago").contains("the sides need different capitals"));
    assert!(refusal("rome.capital=romma").contains("nearest: roma"));
    assert!(refusal("rome.fleet-route=carthago-sardinia").contains("one route"));
    assert!(refusal("rome.domination=[[]]").contains("at least one area in each group"));
    assert!(refusal("rome.legions=0").contains("0 is out of range (1 to 15)"));
    assert!(refusal("variant.balanced.borders=[[\"roma\", \"roma\"]]").contains("two different"));
    assert!(refusal("variant.balanced.extra-areas=[\"roma\"]").contains("two areas \"roma\""));
    assert!(refusal("rules.first-player=cartage").contains("nearest: carthage"));
    assert!(refusal("hannibal=3").contains("unknown key"));
}

#[test]
fn an_action_has_three_bytes() {
    assert_eq!(size_of::<Action>(), 3);
}
