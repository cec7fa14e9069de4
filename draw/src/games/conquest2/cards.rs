//! The cards of conquest2 in words, from the rules of a game.

use serde_json::Value as Json;

use crate::names::{Names, capital};
use crate::story::{and, counted};

/// The values of Senators as their cards have them.
pub(super) const VALUES: [&str; 4] = ["I", "II", "III", "IV"];

/// Returns the price and the effect of a card, without a full stop: `20 talents: once a season, …`. Returns `None` if the
/// rules have no such card.
pub(super) fn note(rules: &Json, names: &Names, card: &str) -> Option<String> {
    let cost = rules["cards"][card]["cost"].as_i64()?;
    let price = if cost == 0 { "free".to_owned() } else { counted(cost, "talent") };
    Some(format!("{price}: {}", effect(rules, names, card)?))
}

/// Returns the cards with a name of one word, and the Senators, each with its name.
pub(super) fn names(rules: &Json) -> Vec<(String, String)> {
    let named = |id: &String| match id.strip_prefix("senator-") {
        Some(value) => {
            let number =
                value.parse().ok().and_then(|value: usize| VALUES.get(value.checked_sub(1)?));
            Some((id.clone(), format!("Senator {}", number?)))
        }
        None => (!id.contains('-')).then(|| (id.clone(), capital(id))),
    };
    let all = rules["cards"].as_object().into_iter().flatten();
    all.filter_map(|(id, _)| named(id)).collect()
}

fn effect(rules: &Json, names: &Names, card: &str) -> Option<String> {
    let number = |way: &str| rules.pointer(way).and_then(Json::as_i64).unwrap_or_default();
    let dice = |way: &str| match number(way) {
        1 => "one more die".to_owned(),
        n => format!("{n} more dice"),
    };
    let (family, of) = card.split_once('-').unwrap_or((card, ""));
    let place = names.spoken(of);
    Some(match family {
        "senator" => "for your hidden hand, to be shown in Senate Votes".to_owned(),
        "merchant" => format!(
            "once a season, {} for each of your influence in {place}",
            counted(number(&format!("/merchant/{of}")), "talent")
        ),
        "assassin" => "once a season, kills a general, or a Senator drawn at random".to_owned(),
        "loot" => {
            let [talents, chaos] = [number("/loot/talents"), number("/loot/chaos")];
            format!("once a season, {} for {chaos} chaos", counted(talents, "talent"))
        }
        "vote" => {
            let won = won(rules, names, of, &number);
            format!("once a season, a vote by Senators; whoever shows most gets {won}")
        }
        "diplomacy" => {
            let troops = troops(&rules["diplomacy"][of]);
            let field = if of == "pirates" { "at sea".to_owned() } else { format!("in {place}") };
            format!("until the season ends, {troops} fight for you {field}")
        }
        "army" => format!("for good, {} in your land battles", dice("/battle/training_dice")),
        "naval" => format!("for good, {} in your sea battles", dice("/battle/naval_training_dice")),
        "favorable" => "for good, you can call off an attack on your galleys".to_owned(),
        _ => return at_once(rules, names, card).map(|effect| format!("at once, {effect}")),
    })
}

/// Returns the effect of a card that happens at once.
fn at_once(rules: &Json, names: &Names, card: &str) -> Option<String> {
    let number = |way: &str| rules.pointer(way).and_then(Json::as_i64).unwrap_or_default();
    let (family, of) = card.split_once('-').unwrap_or((card, ""));
    let place = names.spoken(of);
    Some(match family {
        "fleet" => {
            let zone = names.spoken(&format!("mare-{of}"));
            let gained = counted(number("/fleet/galleys"), "galley");
            format!("a galley of yours sails to {zone}, and {gained} join it there")
        }
        "city" => {
            let sites: Vec<String> = of.split('-').map(|site| names.spoken(site)).collect();
            let needs = match rules["city"]["needs_unit"].as_bool() {
                Some(false) => "a land unit or influence of yours",
                _ => "a land unit of yours",
            };
            format!("a city in {}, where {needs} is", sites.join(" or "))
        }
        "barbarians" => {
            let reward = &rules["barbarians"][of];
            let mut got: Vec<String> = Vec::new();
            for (key, word) in [("talents", "talent"), ("vp", "VP")] {
                let n = reward[key].as_i64().unwrap_or_default();
                got.extend((n > 0).then(|| counted(n, word)));
            }
            let more = troops(reward);
            got.extend((!more.is_empty()).then(|| format!("{more} there")));
            let sent = number("/barbarians/units");
            format!("{sent} land units move to {place} under a leader, for {}", and(&got))
        }
        "politician" => {
            format!("{} influence where your caesar is", number("/politician/influence"))
        }
        "bribe" => "a random Senator of another seat joins you".to_owned(),
        "slave" => format!("{} slaves attack the armies of a province", number("/revolt/infantry")),
        _ => return None,
    })
}

/// Returns the benefit of a Senate Vote, in words.
fn won(rules: &Json, names: &Names, vote: &str, number: &dyn Fn(&str) -> i64) -> String {
    let key = vote.replace('-', "_");
    let n = number(&format!("/vote/{key}"));
    let capital = names.spoken(rules["vote"]["capital"].as_str().unwrap_or_default());
    match key.as_str() {
        "emergency_tax" => counted(n, "talent"),
        "bread_and_circuses" => format!("rid of {n} chaos"),
        "hail_caesar" => format!("{n} VP"),
        "new_legions" => {
            let places = rules["vote"]["new_legions_in"].as_array().into_iter().flatten();
            let places: Vec<String> =
                places.filter_map(Json::as_str).map(|place| names.spoken(place)).collect();
            format!("{n} infantry in {}", places.join(" or "))
        }
        _ => format!("{n} influence in {capital}"),
    }
}

/// Returns troops of the rules in words; empty without any.
fn troops(of: &Json) -> String {
    let kinds = ["infantry", "cavalry", "catapult", "galley"];
    let counts = kinds.map(|kind| (of[kind].as_i64().unwrap_or_default(), kind));
    let some = counts.into_iter().filter(|(n, _)| *n > 0).map(|(n, kind)| counted(n, kind));
    and(&some.collect::<Vec<_>>())
}
