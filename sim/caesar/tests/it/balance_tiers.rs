//! Values at two strengths of agents, in studies of alliances.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value as Json;

use crate::shared::caesar;

const EFFECTS: [&str; 5] = ["gain", "net", "with_leader", "with_last", "first_against_last"];

fn tiers(agents: &str) -> Json {
    let run = "balance alliances --stage 2 --blocks 30 --effect 0.5 --seed 3 --quiet --json";
    let (code, text, error) = caesar(&format!("{run} {agents}"));
    assert_eq!((code, error.as_str()), (0, ""));
    let json: Json = serde_json::from_str(&text).unwrap();
    json["alliances"][0]["tiers"].clone()
}

#[test]
fn every_effect_of_alliances_is_held_against_that_of_the_weakest_tier() {
    let two = tiers("--agent random --agent other=random");
    for effect in EFFECTS {
        let verdict = two[effect].as_str().unwrap_or_else(|| panic!("{effect}: {two}"));
        assert!(
            ["converged", "not converged", "undecided"].contains(&verdict),
            "{effect}: {verdict}"
        );
    }
    let one = tiers("--agent random");
    assert!(EFFECTS.iter().all(|effect| one[effect].is_null()), "{one}");
}
