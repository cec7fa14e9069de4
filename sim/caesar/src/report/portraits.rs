//! Portraits of strategies in words: what they take and hold, how their games end, and content that nobody or everybody
//! uses.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use lab::strategies::portraits::{End, Portrait, Portraits};
use lab::strategies::seats::Thing;
use lab::strategies::watch::PLACES;
use sim::stats::Moments;
use sim::units;

/// The most frequent things of each kind that a sentence names.
const NAMED: usize = 3;
/// The most names in a list of content.
const LISTED: usize = 12;

/// Returns a sentence of each survivor's games: "in 80 games …".
pub(super) fn sentence(portrait: &Portrait) -> String {
    let mut parts = Vec::new();
    let kinds: BTreeMap<&str, ()> =
        portrait.things.iter().map(|one| (one.thing.kind, ())).collect();
    for kind in kinds.into_keys() {
        let own = portrait.things.iter().filter(|one| one.thing.kind == kind);
        let named: Vec<String> = own
            .take(NAMED)
            .map(|one| format!("{} ({})", one.thing.name, units::count(one.games)))
            .collect();
        let verb = if kind == PLACES { "holds" } else { "takes" };
        parts.push(format!("{verb} {}", named.join(", ")));
    }
    let ends: Vec<String> = portrait.ends.iter().map(end).collect();
    if !ends.is_empty() {
        parts.push(format!("ends with {}", ends.join(", ")));
    }
    if parts.is_empty() {
        return String::new();
    }
    format!("in {} it {}", units::counted(portrait.games, "watched game"), parts.join("; "))
}

/// Returns a number at the end of the game beside that of the opponents.
fn end(end: &End) -> String {
    let number = |moments: &Moments| {
        let half = moments.half_width().unwrap_or_default();
        format!("{} ± {}", units::fixed(moments.mean(), 1), units::fixed(half, 1))
    };
    format!("{} {} (opponents {})", end.name, number(&end.own), number(&end.others))
}

/// Returns sentences on content that no survivor or every survivor uses.
pub(super) fn content(portraits: &Portraits) -> Vec<String> {
    let games: u64 = portraits.all.iter().map(|one| one.games).sum();
    let games = units::counted(games, "watched game");
    let unused = of_kinds(&portraits.unused, |kind, names| {
        let verb = if kind == PLACES { "holds" } else { "takes" };
        format!(
            "No strategy that survives {verb} any of these {} in {games}: {names}",
            plural(kind)
        )
    });
    let always = of_kinds(&portraits.always, |kind, names| {
        let verb = if kind == PLACES { "holds" } else { "takes" };
        format!(
            "Every strategy that survives {verb} these {} in nine of ten games: {names}",
            plural(kind)
        )
    });
    unused.into_iter().chain(always).collect()
}

/// Returns the plural of a kind, which may be one already.
fn plural(kind: &str) -> String {
    if kind.ends_with('s') { kind.to_owned() } else { format!("{kind}s") }
}

/// Returns a sentence for each kind of things.
fn of_kinds(things: &[Thing], sentence: impl Fn(&str, &str) -> String) -> Vec<String> {
    let mut kinds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for thing in things {
        kinds.entry(thing.kind).or_default().push(&thing.name);
    }
    let listed = |(kind, names): (&str, Vec<&str>)| {
        let rest = names.len().saturating_sub(LISTED);
        let mut text = names[..names.len() - rest].join(", ");
        if rest > 0 {
            text += &format!(" and {rest} more");
        }
        sentence(kind, &text)
    };
    kinds.into_iter().map(listed).collect()
}

/// Returns the portrait of a strategy as JSON, with the numbers of its games in the file of records.
pub(super) fn json(portraits: &Portraits, strategy: usize) -> Option<Json> {
    let at = portraits.all.iter().position(|one| one.strategy == strategy)?;
    let portrait = &portraits.all[at];
    let before: usize = portraits.all[..at].iter().map(|one| one.shown.len()).sum();
    let shown = portrait.shown.iter().zip(before + 1..);
    let shown = shown.map(|(game, number)| json!({"number": number, "is_won": game.is_won}));
    let number = |moments: &Moments| {
        let half = moments.half_width().unwrap_or_default();
        let mean = moments.mean();
        json!({"value": mean, "low": mean - half, "high": mean + half})
    };
    let things = portrait
        .things
        .iter()
        .map(|one| json!({"kind": one.thing.kind, "name": one.thing.name, "games": one.games}));
    let ends = portrait.ends.iter().map(
        |one| json!({"name": one.name, "own": number(&one.own), "opponents": number(&one.others)}),
    );
    Some(json!({
        "games": portrait.games,
        "things": things.collect::<Vec<_>>(),
        "ends": ends.collect::<Vec<_>>(),
        "records": shown.collect::<Vec<_>>(),
    }))
}

/// Returns content as JSON: kinds and names.
pub(super) fn things(all: &[Thing]) -> Vec<Json> {
    all.iter().map(|thing| json!({"kind": thing.kind, "name": thing.name})).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_named_by_kind_and_long_lists_are_cut() {
        let thing = |kind, name: &str| Thing { kind, name: name.to_owned() };
        let mut unused: Vec<Thing> = (10..24).map(|i| thing("cards", &format!("c{i}"))).collect();
        unused.push(thing(PLACES, "north"));
        let portraits = Portraits { all: Vec::new(), unused, always: vec![thing("action", "a")] };
        let all = content(&portraits);
        assert_eq!(all.len(), 3);
        assert!(all[0].ends_with("c20, c21 and 2 more"), "{}", all[0]);
        assert!(all[0].starts_with("No strategy that survives takes any of these cards"));
        assert!(all[1].ends_with("holds any of these places in 0 watched games: north"));
        assert_eq!(
            all[2],
            "Every strategy that survives takes these actions in nine of ten games: a"
        );
    }
}
