//! Tests of maps against the rules: neighbours by the rules touch or are joined by a line, and a coast touches its
//! water.

use draw::board::{Board, Kind, Link};
use draw::shapes::holds;
use engine::Rules;
use serde_json::Value as Json;
use sim::catalogue::{WithType, with_type};

struct OfType;

impl WithType for OfType {
    type Output = Json;
    fn run<G: agents::Playable>(self) -> Json {
        Rules::of::<G>().to_json()
    }
}

fn rules(game: &str) -> Json {
    with_type(game, OfType).expect("the game is in the catalogue")
}

fn list<'a>(of: &'a Json, key: &str) -> impl Iterator<Item = &'a Json> {
    of[key].as_array().into_iter().flatten()
}

/// Names of records, which write dashes where rules may write underlines.
fn names(of: &Json, key: &str) -> Vec<String> {
    list(of, key).map(named).collect()
}

fn id(of: &Json) -> String {
    named(&of["id"])
}

fn named(id: &Json) -> String {
    id.as_str().expect("names are texts").replace('_', "-")
}

fn has_line(board: &Board, ends: [usize; 2], link: Link) -> bool {
    let is = |from: usize, to: usize| ends == [from, to] || ends == [to, from];
    board.lines.iter().any(|line| line.link == link && is(line.from, line.to))
}

/// Holds that two areas touch, or that a line joins them.
fn are_neighbours(game: &str, board: &Board, one: &str, other: &str) {
    let ends = [one, other].map(|id| board.place(id).unwrap_or_else(|| panic!("{game}: {id}")));
    let is_shown = board.touch(ends[0], ends[1]) || has_line(board, ends, Link::Border);
    assert!(is_shown, "{game}: {one} and {other} are neighbours, and nothing shows it");
}

#[test]
fn games_with_a_map_have_all_their_places_on_it_each_around_its_own_middle() {
    for (game, least) in
        [("conquest2", 60), ("hannibal", 16), ("imperium", 8), ("classic", 60), ("rise", 17)]
    {
        let board = draw::games::map(game, &rules(game)).unwrap();
        assert!(board.areas.len() >= least && board.is_map(), "{game}: {}", board.areas.len());
        for area in &board.areas {
            assert!(area.shape.iter().all(|ring| ring.len() >= 3), "{game}: {}", area.id);
            assert!(holds(&area.shape, area.at), "{game}: {}", area.id);
            let [x, y] = area.at;
            assert!(0.0 < x && x < board.size[0] && 0.0 < y && y < board.size[1], "{}", area.id);
        }
    }
}

#[test]
fn provinces_and_zones_touch_as_the_rules_say_and_no_others_do() {
    for game in ["conquest2", "classic"] {
        let rules = rules(game);
        let board = draw::games::map(game, &rules).unwrap();
        let all = list(&rules, "province").chain(list(&rules, "sea"));
        let mut due = Vec::new();
        for place in all {
            let near = ["land", "sea", "coasts"].map(|key| names(place, key)).concat();
            assert!(!near.is_empty(), "{game}: {place}");
            due.extend(near.into_iter().map(|other| [id(place), other]));
        }
        for [one, other] in &due {
            are_neighbours(game, &board, one, other);
        }
        for one in 0..board.areas.len() {
            for other in 0..one {
                let ids = [one, other].map(|i| board.areas[i].id.clone());
                let is_due = due.contains(&ids) || due.contains(&[ids[1].clone(), ids[0].clone()]);
                assert_eq!(board.touch(one, other), is_due, "{game}: {ids:?}");
            }
        }
    }
}

#[test]
fn every_strait_is_an_arrow_that_begins_and_ends_in_its_provinces() {
    for game in ["conquest2", "classic"] {
        let rules = rules(game);
        let board = draw::games::map(game, &rules).unwrap();
        let mut n = 0;
        for strait in list(&rules, "strait") {
            let ends = names(strait, "between");
            let [from, to] = [0, 1].map(|i| board.place(&ends[i]).unwrap());
            let link = if strait["open"] == false { Link::Closed } else { Link::Strait };
            assert!(has_line(&board, [from, to], link), "{game}: {ends:?}");
            n += 1;
        }
        let svg = board.svg("a map", &|_| None);
        let open = board.lines.iter().filter(|line| line.link == Link::Strait).count();
        assert_eq!((n, svg.matches("class=\"arrow\"").count()), (board.lines.len(), 2 * open));
    }
}

#[test]
fn neighbours_of_games_without_geography_touch_or_are_joined() {
    for (game, key) in [("imperium", "province"), ("rise", "region")] {
        let rules = rules(game);
        let board = draw::games::map(game, &rules).unwrap();
        for place in list(&rules, key) {
            for other in names(place, "adjacent") {
                are_neighbours(game, &board, &id(place), &other);
            }
        }
    }
}

#[test]
fn all_variants_of_hannibal_have_their_borders_and_a_way_from_every_station() {
    let mut rules = rules("hannibal");
    let variants: Vec<Json> = list(&rules, "variant").cloned().collect();
    assert_eq!(variants.len(), 3);
    for variant in variants {
        rules["map"] = variant["id"].clone();
        let board = draw::games::map("hannibal", &rules).unwrap();
        for ends in list(&variant, "borders") {
            let [one, other] = [0, 1].map(|i| ends[i].as_str().unwrap());
            are_neighbours("hannibal", &board, one, other);
        }
        for route in list(&rules, "route") {
            let station = board.place(&id(route)).unwrap();
            assert_eq!(board.areas[station].kind, Kind::Route);
            for end in names(route, "ends") {
                let ends = [station, board.place(&end).unwrap()];
                assert!(has_line(&board, ends, Link::Route), "{} {end}", id(route));
            }
        }
    }
}
