//! The tiles of rise in words, from the rules of a game.

use serde_json::Value as Json;

use crate::names::capital;
use crate::story::and;

/// Goods with their words, for one and for several.
const GOODS: [(&str, &str, &str); 5] = [
    ("food", "food", "food"),
    ("gold", "gold", "gold"),
    ("resource", "resource", "resources"),
    ("cubes", "cube", "cubes"),
    ("vp", "VP", "VP"),
];

/// Returns goods in words: `2 food and −1 gold`; empty without any.
fn goods(of: &Json) -> String {
    let part = |(key, one, many): &(&str, &str, &str)| {
        let n = of[*key].as_i64().filter(|n| *n != 0)?;
        Some(format!("{n} {}", if n == 1 { one } else { many }).replace('-', "−"))
    };
    and(&GOODS.iter().filter_map(part).collect::<Vec<_>>())
}

/// Returns the cities and the progress with a name of one word, each with its name.
pub(super) fn names(rules: &Json) -> Vec<(String, String)> {
    let all = ["city", "progress"].into_iter().filter_map(|kind| rules[kind].as_array()).flatten();
    let ids = all.filter_map(|tile| tile["id"].as_str()).filter(|id| !id.contains(['-', '_']));
    ids.map(|id| (id.to_owned(), capital(id))).collect()
}

/// Returns the effect of a tile, without a full stop; `None` if the rules have no such tile.
pub(super) fn note(rules: &Json, tile: &str) -> Option<String> {
    let find = |kind: &str| {
        let all = rules[kind].as_array()?;
        all.iter().find(|other| {
            other["id"].as_str().map(|id| id.replace('_', "-")).as_deref() == Some(tile)
        })
    };
    if let Some(city) = find("city") {
        return Some(building(city));
    }
    if let Some(territory) = find("territory") {
        let (own, choice) = (goods(&territory["income"]), list(&territory["choice"]));
        let choice = if choice.is_empty() { choice } else { format!("; and 1 of {choice}") };
        return Some(format!("each turn {own}{choice}"));
    }
    Some(progress(&find("progress")?["effect"]))
}

/// Returns a list of the rules in words: `gold or cubes`.
fn list(of: &Json) -> String {
    let all: Vec<String> = of.as_array().into_iter().flatten().map(crate::story::words).collect();
    all.join(" or ")
}

/// Returns a city or a wonder in words.
fn building(city: &Json) -> String {
    let number = |key: &str| city[key].as_i64().unwrap_or_default();
    let price = format!("{} gold", number("gold"));
    if city["kind"] == "wonder" {
        return format!("{price}: {} VP at once", number("vp"));
    }
    let mut each: Vec<String> = vec![format!("{} VP", number("vp"))];
    let income = goods(&city["income"]);
    each.extend((!income.is_empty()).then_some(income));
    let mut costs: Vec<String> = Vec::new();
    costs.extend(
        (number("food") != 0).then(|| format!("{} food", number("food")).replace('-', "−")),
    );
    costs.extend((number("resource") > 0).then(|| match number("resource") {
        1 => "1 resource to pay".to_owned(),
        n => format!("{n} resources to pay"),
    }));
    format!("{price}: each turn {}", [each, costs].concat().join(", "))
}

/// Returns the effect of a progress tile in words.
fn progress(effect: &Json) -> String {
    let number = |key: &str| effect[key].as_i64().unwrap_or_default();
    match effect["kind"].as_str().unwrap_or_default() {
        "income" => format!("each turn {}", goods(&effect["gain"])),
        "per_tile" => {
            let gain = match number("amount") {
                0 => goods(&effect["gain"]),
                n => format!("{n} of {}", list(&effect["choice"])),
            };
            format!("each turn {gain} for each {} of yours", crate::story::words(&effect["tile"]))
        }
        "per_region" => {
            let (vp, max) = (number("vp"), number("max"));
            let which = match effect["condition"].as_str() {
                Some("controlled") => "in which you alone have most cubes",
                _ => "with a cube of yours",
            };
            format!("each turn {vp} VP for each region {which}, at most {max}")
        }
        "empire" => {
            let mut all = Vec::new();
            let mut change = |n: i64, what: &str| {
                if n != 0 {
                    all.push(format!("{n:+} {what}").replace('-', "−"));
                }
            };
            change(number("extra_areas"), "regions for your empire tiles");
            change(number("defender_loss"), "to the loss of those you attack");
            change(number("attacker_loss"), "to your loss as attacker");
            all.join(", ")
        }
        "defence" => format!("−{} to your loss as defender", number("loss_reduction")),
        "trade_bonus" => format!("each trade brings {} more", goods(&effect["gain"])),
        "city_discount" => {
            format!("{} gold off the price of each {}", number("gold"), list(&effect["of"]))
        }
        "navigation" => "your empires reach over water; opens the zones of era II".to_owned(),
        "free_action" => {
            let cost = goods(&effect["cost"]);
            let price = if cost.is_empty() { String::new() } else { format!(" for {cost}") };
            let act = match effect["act"].as_str().unwrap_or_default() {
                "place" => {
                    format!("place {} in a region", crate::story::counted(number("cubes"), "cube"))
                }
                "alliance" => "put your alliance piece into a region".to_owned(),
                _ => goods(&effect["gain"]),
            };
            format!("once a turn{price}: {act}")
        }
        _ => String::new(),
    }
}
