//! Clauses 10 and 11: tribute, inflation, captives, destroying, buying.

use crate::game::Game;
use crate::games::classic::model::phase::Phase;
use crate::games::classic::proof::position::Position;
use crate::notation::Notation;
use crate::player::Player;

fn three() -> Position {
    Position::new(3)
}

#[test]
fn c10_1_tribute_is_provinces_and_cities() {
    let p = three().owns(0, &["achaia", "thracia"]).city("thracia", true);
    // Macedonia 15 and its city 5, achaia 10, thracia 5 and its city 5.
    assert_eq!(p.game.tribute(&p.s, Player::new(0)), 40);
    let base = Position::with(3, &["options.variant=base"]);
    assert_eq!(base.game.tribute(&base.s, Player::new(0)), 15);
    let lost = base.owns(1, &["macedonia"]).owns(0, &["achaia"]);
    assert_eq!(lost.game.tribute(&lost.s, Player::new(0)), 0);
}

#[test]
fn c10_2_prices_rise_for_good_by_any_tribute() {
    let settings = ["variant.friz.inflation_at=[20, 60]"];
    let p = Position::with(3, &settings).talents(0, 100).turn(0).play(&["done"]);
    assert_eq!((p.phase(), p.game.price_factor(&p.s)), (Phase::Market, 2));
    let p = p.play(&["buy infantry macedonia"]);
    // 100 at hand plus prestige and tribute, at 20 talents each.
    let most = p.options().pop();
    let due = (p.purse(0) / 20).min(20);
    assert_eq!(most, Some(format!("count {due}")));
}

#[test]
fn c11_1_the_menu_only_goes_forward() {
    let p = three().talents(0, 500).owns(0, &["achaia", "thracia"]).market(0);
    assert!(p.has("buy city achaia") && p.has("buy city thracia") && p.has("raze macedonia"));
    let p = p.play(&["buy city thracia"]);
    assert!(p.starting("buy city").is_empty() && p.starting("raze").is_empty());
    assert!(p.has("buy fort thracia") && p.has("buy road macedonia thracia"));
    let p = p.play(&["buy road macedonia thracia"]);
    assert!(p.starting("buy fort").is_empty() && p.has("buy infantry macedonia"));
    assert_eq!(p.purse(0), 500 - 30 - 10);
}

#[test]
fn c11_3_a_ransom_is_answered_at_once() {
    let p = three().holds(1, 0, 2).talents(0, 12).market(0);
    assert_eq!(p.starting("ransom"), ["ransom 1 5", "ransom 1 10"]);
    assert!(!p.has("exchange 1"));
    let price_asked = p.play(&["ransom 1 10"]);
    assert_eq!(
        (price_asked.s.actor.number(), price_asked.options()),
        (1, vec!["accept".into(), "refuse".into()])
    );
    let yes = price_asked.clone().play(&["accept"]);
    assert_eq!((yes.purse(0), yes.purse(1), yes.pieces(0, "macedonia")[4]), (2, 10, 1));
    assert!(yes.starting("ransom").is_empty(), "once a turn and captor");
    let no = price_asked.play(&["refuse"]);
    assert_eq!((no.purse(0), no.s.captives(Player::new(1), Player::new(0))), (12, 2));
    assert!(no.starting("ransom").is_empty());
}

#[test]
fn the_captor_of_an_offer_is_a_seat_from_1_for_people() {
    let p = three().holds(1, 0, 1).holds(0, 1, 1).talents(0, 12).market(0);
    let mut actions = Vec::new();
    p.game.actions(&p.s, Player::new(0), &mut actions);
    let label = |action| {
        let mut text = String::new();
        p.game.write_action_for_people(action, &mut text).unwrap();
        text
    };
    let labels: Vec<String> = actions.into_iter().map(label).collect();
    for label in ["ransom 2 5", "exchange 2"] {
        assert!(labels.iter().any(|other| other == label), "{label}: {labels:?}");
    }
}

#[test]
fn c11_3_an_exchange_needs_both_homes() {
    let p = three().holds(1, 0, 1).holds(0, 1, 1);
    let done = p.clone().market(0).play(&["exchange 1", "accept"]);
    assert_eq!((done.pieces(0, "macedonia")[4], done.pieces(1, "egypt")[4]), (1, 1));
    assert!(!p.clone().owns(2, &["egypt"]).caesar(1, "syria").market(0).has("exchange 1"));
    let homeless =
        p.owns(2, &["macedonia"]).owns(0, &["achaia"]).caesar(0, "achaia").city("achaia", false);
    assert!(homeless.talents(0, 100).market(0).starting("ransom").is_empty());
}

#[test]
fn c11_4_a_razed_city_takes_fortification_and_roads_with_it() {
    let p = three().owns(0, &["thracia"]).city("thracia", false).road("macedonia", "thracia");
    let p = p.talents(0, 40).market(0).play(&["raze macedonia"]);
    assert_eq!((p.s.road_bits(), p.s.cities.contains(p.at("macedonia"))), (0, false));
    assert_eq!(p.s.forts.len(), 2, "those of the others");
}

#[test]
fn c11_5_stocks_are_shared() {
    let p = Position::with(3, &["stock.city=4"]).talents(0, 500).owns(0, &["achaia", "thracia"]);
    let p = p.market(0).play(&["buy city achaia"]);
    assert!(p.starting("buy city").is_empty());
    let none = Position::with(3, &["stock.city=3"]).talents(0, 500).owns(0, &["achaia"]).market(0);
    assert!(none.starting("buy city").is_empty());
}

#[test]
fn c11_7_a_province_recruits_one_for_each_reason_it_has() {
    // Achaia is a recruiting territory; with a city and the caesar there three units.
    let p = three().owns(0, &["achaia", "thracia", "moesia"]).city("achaia", false);
    let p = p.caesar(0, "achaia").talents(0, 500).market(0).play(&["buy infantry achaia"]);
    assert_eq!(p.options(), ["count 1", "count 2", "count 3"]);
    let p = p.play(&["count 2"]);
    // The sum is for all types together.
    let p = p.play(&["buy cavalry achaia"]);
    assert!(!p.has("buy catapult achaia") && p.has("buy catapult macedonia"));
    assert!(p.starting("buy cavalry thracia").is_empty());
    assert_eq!(p.pieces(0, "achaia"), [2, 1, 0, 0, 0, 1]);
}

#[test]
fn c11_7_a_city_of_this_turn_does_not_count() {
    let p = three().owns(0, &["thracia"]).talents(0, 500).market(0);
    let p = p.play(&["buy city thracia"]);
    assert!(!p.has("buy infantry thracia"));
    let taken = three().owns(0, &["thracia"]).city("thracia", false).talents(0, 500).market(0);
    assert!(taken.has("buy infantry thracia"));
}

#[test]
fn c11_7_mesopotamia_has_its_ports_elsewhere() {
    let p = Position::new(2).owns(0, &["syria", "palestina"]).talents(0, 200).market(0);
    assert!(p.has("buy galley syria") && !p.has("buy galley mesopotamia"));
    assert!(!p.has("buy galley palestina"));
    let p = p.play(&["buy galley syria", "count 3"]);
    assert_eq!(p.pieces(0, "syria")[3], 3);
}

#[test]
fn c11_2_who_lost_his_home_buys_nothing_in_the_base_game() {
    let p = Position::with(3, &["options.variant=base"]).owns(1, &["macedonia"]);
    let p = p.owns(0, &["achaia", "thracia"]).caesar(0, "achaia").city("achaia", false);
    let p = p.talents(0, 500).market(0);
    assert_eq!(p.options(), ["raze achaia", "done"]);
}
