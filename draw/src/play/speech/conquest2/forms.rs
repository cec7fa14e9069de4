//! Forms of conquest2: amounts that the game asks one after another, shown at once.

use serde_json::Value as Json;

use super::super::super::drawn_game::Asked;
use super::super::super::menu::{Amount, Sum};
use super::super::text;
use super::{KINDS, symbol_of};
use crate::story::plural;

/// Number of land units that fight; they come first in the order of a view.
const FIGHTING: usize = 3;
/// Place of Caesar in that order.
const CAESAR: usize = 4;

/// Returns the amounts of a form that begins with the amount due; empty if the view does not tell them.
pub(super) fn form(asked: &Asked<'_>, phase: &str) -> Vec<Amount> {
    match phase {
        "move count" => moved(asked),
        "commit" => galleys(asked, true),
        "lend" => lent(asked),
        "losses" => lost(asked),
        "place count" => placed(asked),
        _ => Vec::new(),
    }
}

/// Names galleys of a zone.
pub(super) fn galleys_in(asked: &Asked<'_>, zone: &str) -> String {
    format!("galleys in {}", asked.game.areas.spoken(zone))
}

/// Names units of a kind in a province.
pub(super) fn units_in(asked: &Asked<'_>, kind: &str, province: &str) -> String {
    format!("{} in {}", plural(kind), asked.game.areas.spoken(province))
}

/// Returns a number of a view, zero if it is absent.
fn number(value: &Json) -> i64 {
    value.as_i64().unwrap_or_default()
}

/// Returns the amounts of a move: each kind in turn, all of it.
fn moved(asked: &Asked<'_>) -> Vec<Amount> {
    let from = text(asked.view, "/now/under_way/from");
    let there = &asked.view["land"][from][asked.seat];
    land(there, text(asked.view, "/now/under_way/count"), KINDS.len())
        .map(|(kind, high)| Amount { of: plural(kind), high, preset: high, ..Amount::default() })
        .collect()
}

/// Returns the kinds of `units` from the kind `due` on, among the first `end`, that are not absent.
fn land<'a>(
    units: &'a Json,
    due: &str,
    end: usize,
) -> impl Iterator<Item = (&'static str, i64)> + 'a {
    let first = KINDS.iter().position(|kind| *kind == due).unwrap_or(end);
    let counted = move |i: usize| (KINDS[i], number(&units[i]));
    (first..end).map(counted).filter(|(_, high)| *high > 0)
}

/// Returns the loans of a seat to a battle: each kind in turn, none of it.
fn lent(asked: &Asked<'_>) -> Vec<Amount> {
    let there = &asked.view["land"][text(asked.view, "/now/battle/place")][asked.seat];
    land(there, text(asked.view, "/now/battle/count"), FIGHTING)
        .map(|(kind, high)| Amount { of: plural(kind), high, ..Amount::default() })
        .chain(galleys(asked, false))
        .collect()
}

/// Returns the galleys beside a battle from the zone due on: all of them, or none.
fn galleys(asked: &Asked<'_>, has_all: bool) -> Vec<Amount> {
    let battle = &asked.view["now"]["battle"];
    if battle["naval"] == true {
        return Vec::new();
    }
    let zones = asked.game.rules["sea"].as_array().into_iter().flatten();
    let is_beside =
        |zone: &&Json| zone["coasts"].as_array().is_some_and(|all| all.contains(&battle["place"]));
    let is_earlier = |zone: &&Json| battle["zone"].is_string() && zone["id"] != battle["zone"];
    let amount = |zone: &Json| {
        let zone = zone["id"].as_str()?;
        let high = number(&asked.view["sea"][zone][asked.seat]);
        let preset = if has_all { high } else { 0 };
        (high > 0).then(|| Amount {
            of: galleys_in(asked, zone),
            high,
            preset,
            sum: None,
            symbol: None,
        })
    };
    zones.filter(is_beside).skip_while(is_earlier).filter_map(amount).collect()
}

/// Returns the losses of a seat that fights alone: as many units as there are hits, the cheapest first.
fn lost(asked: &Asked<'_>) -> Vec<Amount> {
    let battle = &asked.view["now"]["battle"];
    let side = usize::from(battle["side"] == "defender");
    let (army, hits) = (&battle["armies"][side], number(&battle["hits"][side]));
    if !is_alone(asked, army) {
        return Vec::new();
    }
    let mut left = hits;
    let amount = |(kind, high): (&str, i64)| {
        let preset = high.min(left);
        left -= preset;
        let sum = Some(Sum { of: "losses".to_owned(), is: hits });
        Amount { symbol: symbol_of(kind), of: plural(kind), high: high.min(hits), preset, sum }
    };
    land(army, text(battle, "/count"), FIGHTING).map(amount).collect()
}

/// Returns whether an army has land units of the seat and no others.
fn is_alone(asked: &Asked<'_>, army: &Json) -> bool {
    let battle = &asked.view["now"]["battle"];
    let there = &asked.view["land"][text(battle, "/place")];
    let seats = asked.view["order"].as_array().map_or(&[][..], Vec::as_slice);
    let alliance = |seat: usize| {
        let place = seats.iter().position(|other| other.as_u64() == Some(seat as u64));
        place.map(|place| &asked.view["alliance"][place])
    };
    let is_ally = |seat: usize| seat != asked.seat && alliance(seat) == alliance(asked.seat);
    let fights = |seat: usize| (0..FIGHTING).any(|kind| number(&there[seat][kind]) > 0);
    let is_own = |kind: usize| number(&army[kind]) <= number(&there[asked.seat][kind]);
    battle["owner"] == asked.seat
        && number(&army[FIGHTING]) == 0
        && (0..FIGHTING).all(is_own)
        && !(0..seats.len()).any(|seat| is_ally(seat) && fights(seat))
}

/// Returns the placements of a seat at set-up: each kind shared out among its provinces, the rest to Caesar.
fn placed(asked: &Asked<'_>) -> Vec<Amount> {
    let (view, rules) = (asked.view, &asked.game.rules);
    let now = &view["now"]["under_way"];
    let provinces = rules["province"].as_array().into_iter().flatten();
    let is_home = |id: &&str| number(&view["influence"][*id][asked.seat]) > 0;
    let homes: Vec<&str> = provinces.filter_map(|p| p["id"].as_str()).filter(is_home).collect();
    let due = homes.iter().position(|home| now["in"] == **home).unwrap_or_default();
    let first = KINDS.iter().position(|kind| now["count"] == **kind).unwrap_or(FIGHTING);
    let of_kind = |kind: usize| {
        let name = KINDS[kind];
        let (open, is) = if kind == first {
            (&homes[due..], number(&now["left"]))
        } else {
            (&homes[..], number(&rules["start"][name]))
        };
        let has_caesar = |home: &&str| number(&view["land"][*home][asked.seat][CAESAR]) > 0;
        let last = open.iter().rposition(has_caesar).unwrap_or(open.len().saturating_sub(1));
        let share = is / open.len().max(1) as i64;
        let rest = is - share * open.len() as i64;
        let amount = move |(i, home): (usize, &&str)| Amount {
            of: units_in(asked, name, home),
            high: is,
            preset: share + if i == last { rest } else { 0 },
            sum: Some(Sum { of: name.to_owned(), is }),
            symbol: None,
        };
        open.iter().enumerate().map(amount).collect::<Vec<_>>()
    };
    (first..FIGHTING).flat_map(of_kind).filter(|amount| amount.high > 0).collect()
}
