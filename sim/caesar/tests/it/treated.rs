//! Chances after gifts: the gifts, and the results of the command.

use std::collections::BTreeSet;

use agents::{Observable, Playable};
use engine::Rules;
use lab::balance::facts::Facts;
use lab::dynamics::treated::{CELLS, gifts};
use serde_json::Value as Json;
use sim::catalogue::{NAMES, Setup, WithGame, with_game};

use crate::shared::caesar;

struct Names;

impl WithGame for Names {
    type Output = Vec<String>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Vec<String> {
        let facts = Facts::about(&game, rules);
        gifts::<G>(&facts).into_iter().map(|gift| gift.name).collect()
    }
}

#[test]
fn twenty_gifts_of_all_kinds_and_stages_are_drawn_where_a_game_has_some() {
    let named = |game: &str| with_game(&Setup::new(game), Names).unwrap();
    let of_conquest = named("conquest2");
    assert_eq!(of_conquest.iter().collect::<BTreeSet<_>>().len(), CELLS, "{of_conquest:?}");
    for part in [
        "gift.talents=",
        "gift.actions=-1",
        "gift.card.",
        "gift.vp=",
        "gift.influence.",
        "gift.city.",
    ] {
        assert!(
            of_conquest.iter().filter(|name| name.contains(part)).count() >= 3,
            "{of_conquest:?}"
        );
    }
    for stage in 1..=4 {
        let end = format!("stage {stage}");
        assert!(of_conquest.iter().any(|name| name.ends_with(&end)), "{of_conquest:?}");
    }
    let with: Vec<&str> = NAMES.iter().copied().filter(|name| !named(name).is_empty()).collect();
    assert!(with.contains(&"rise") && !with.contains(&"pig"), "{with:?}");
}

#[test]
fn the_command_holds_chances_against_what_came_of_gifts() {
    let args = "balance win-model --agent random --fit-games 600 --games 100 --treated 20 --seed 6 --quiet --json";
    let (code, text, error) = caesar(args);
    assert_eq!((code, error.as_str()), (0, ""));
    let json: Json = serde_json::from_str(&text).unwrap();
    let lines = json["treated"].as_array().unwrap();
    assert_eq!(lines.len(), CELLS);
    assert!(lines.iter().all(|line| line["n"] == 20 && line["result"]["low"].is_f64()), "{text}");
    let figures: Vec<&str> = json["model"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["figure"].as_str().unwrap())
        .collect();
    for name in
        ["expected calibration error in treated games", "slope of results on chances over gifts"]
    {
        assert!(figures.contains(&name), "{figures:?}");
    }
    let (code, _, stderr) = caesar("balance win-model --treated 3");
    assert_eq!(code, 2);
    assert!(stderr.contains("--treated 3: too few: use at least 20"), "{stderr}");
}
