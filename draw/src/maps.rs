//! Boards of rules configurations: the Mediterranean if it has all the places, and otherwise cells. It adds
//! [`Board::of_rules`] and [`Board::of_places`].

use serde_json::Value as Json;

use crate::board::{Board, Kind, Link, cells};
use crate::geography;

/// Returns a list of a JSON document; empty if there is none.
fn list<'a>(json: &'a Json, key: &str) -> &'a [Json] {
    json[key].as_array().map_or(&[], Vec::as_slice)
}

fn text(json: &Json, key: &str) -> String {
    json[key].as_str().unwrap_or_default().to_owned()
}

impl Board {
    /// Returns the map of a rules configuration with `province` and optionally `sea` and `strait`. It is the
    /// Mediterranean if that has all the places, or else cells around `at`. Provinces with `vp` pay points. Returns
    /// `None` if the rules have no such places or no coordinates for them.
    #[must_use]
    pub fn of_rules(rules: &Json) -> Option<Self> {
        let (provinces, seas) = (list(rules, "province"), list(rules, "sea"));
        let all: Vec<&Json> = provinces.iter().chain(seas).collect();
        let paid = |place: &Json| -> Vec<String> {
            list(place, "vp").iter().map(ToString::to_string).collect()
        };
        let kind = |i: usize| match (i < provinces.len(), paid(all[i]).is_empty()) {
            (true, true) => Kind::Land,
            (true, false) => Kind::Key,
            (false, _) => Kind::Sea,
        };
        let named: Vec<(String, Kind)> =
            all.iter().enumerate().map(|(i, place)| (text(place, "id"), kind(i))).collect();
        if named.is_empty() {
            return None;
        }
        let known = geography::board("conquest2", &named, &[]);
        let mut board = match known {
            Some(board) => board,
            None => cells::board(&all, &named)?,
        };
        for (area, place) in board.areas.iter_mut().zip(&all) {
            let vp = paid(place);
            if !vp.is_empty() {
                area.badge = vp.join("/");
                area.note = format!("pays {} VP", area.badge);
            }
        }
        for (from, province) in provinces.iter().enumerate() {
            for id in list(province, "land").iter().filter_map(Json::as_str) {
                board.join(from, id, Link::Border);
            }
        }
        for strait in list(rules, "strait") {
            let link = if strait["open"] == false { Link::Closed } else { Link::Strait };
            let [from, to] =
                [0, 1].map(|i| strait["between"][i].as_str().unwrap_or_default().to_owned());
            if let Some(from) = board.place(&from) {
                board.add(from, &to, link);
            }
        }
        Some(board)
    }

    /// Returns a board for rules without geography: a board of this name on the Mediterranean, or else cells in rows.
    /// `heirs` pairs an area that is not among the places with the area that receives its land.
    #[must_use]
    pub fn of_places(name: &str, places: &[(String, Kind)], heirs: &[[&str; 2]]) -> Self {
        geography::board(name, places, heirs).unwrap_or_else(|| cells::of_places(places))
    }
}
