//! Overlays and settings over a small configuration, and how bad ones are refused.

use engine::Rules;

const DEFAULT: &str = "\
[options]
seasons = 4  # rulebook
open = true
[cards]
loot = { count = 1, cost = 10 }
[[province]]
id = \"egypt\"
vp = [15, 5]
[[province]]
id = \"creta\"
land = []
";

#[test]
fn a_setting_changes_one_value_and_keeps_comments() {
    let mut rules = Rules::new(DEFAULT);
    rules.set("options.seasons=5").unwrap();
    rules.set("card.loot.cost = 20").unwrap();
    rules.set("province.creta.vp=[5]").unwrap();
    assert!(rules.to_toml().contains("seasons = 5  # rulebook"), "{}", rules.to_toml());
    assert_eq!(
        rules.overrides().to_string(),
        r#"{"cards":{"loot":{"cost":20}},"options":{"seasons":5},"province":{"creta":{"vp":[5]}}}"#
    );
    let mut again = Rules::new(DEFAULT);
    again.overlay_json("line 1", &rules.overrides()).unwrap();
    assert_eq!(again.to_json(), rules.to_json());
}

#[test]
fn setting_the_default_is_no_override() {
    let mut rules = Rules::new(DEFAULT);
    rules.overlay("r.toml", DEFAULT).unwrap();
    assert_eq!(rules.overrides().to_string(), "{}");
}

#[test]
fn complaints_name_the_line_and_the_nearest_key() {
    let complain =
        |text: &str| Rules::new(DEFAULT).overlay("r.toml", text).unwrap_err().to_string();
    assert_eq!(
        complain("[options]\n\nsaesons = 5\n"),
        "r.toml:3: unknown key \"options.saesons\" (nearest: options.seasons)"
    );
    assert_eq!(
        complain("[[province]]\nid = \"egipt\"\nvp = [1]\n"),
        "r.toml:1: there is no province \"egipt\" (nearest: egypt)"
    );
    assert_eq!(
        complain("[options]\nseasons = \"many\"\n"),
        "r.toml:2: options.seasons = \"many\": expected a whole number as in 4"
    );
    assert!(complain("[options\n").starts_with("r.toml:1: not TOML: "));
}

#[test]
fn bad_settings_are_refused() {
    let complain = |s: &str| Rules::new(DEFAULT).set(s).unwrap_err().to_string();
    assert!(complain("options.seasons").contains("expected KEY=VALUE"));
    assert!(complain("cards.lot.cost=1").contains("nearest: cards.loot"));
    assert!(complain("options.seasons.x=1").contains("options.seasons is a single value"));
}

#[test]
fn later_complaints_know_where_a_value_was_set() {
    let mut rules = Rules::new(DEFAULT);
    rules.overlay("r.toml", "[cards]\nloot = { cost = -5 }\n").unwrap();
    assert_eq!(
        rules.bad("cards.loot.cost", "-5 is below 0").to_string(),
        "r.toml:2: cards.loot.cost: -5 is below 0"
    );
}
