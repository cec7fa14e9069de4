//! Overlays and settings over a small configuration, and refusals of bad ones.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use engine::Rules;
use engine::rules::Source;
use serde_json::{Value as Json, json};

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
fn a_setting_changes_one_value() {
    let mut rules = Rules::new(DEFAULT);
    rules.set("options.seasons=5").unwrap();
    rules.set("card.loot.cost = 20").unwrap();
    rules.set("province.creta.vp=[5]").unwrap();
    assert_eq!(
        rules.overrides().to_string(),
        r#"{"cards":{"loot":{"cost":20}},"options":{"seasons":5},"province":{"creta":{"vp":[5]}}}"#
    );
    let mut again = Rules::new(DEFAULT);
    again.overlay_json(&rules.overrides()).unwrap();
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
    assert!(complain("options.seasons").ends_with("expected KEY=VALUE, as in options.seasons=4"));
    assert!(complain("OPTIONS.Seasons=5").ends_with("unknown key \"OPTIONS\" (nearest: options)"));
    let nothing = |s: &str| Rules::new("# nothing\n").set(s).unwrap_err().to_string();
    assert_eq!(nothing("x=1"), "x=1: unknown key \"x\" (there is nothing to set)");
    assert_eq!(nothing("x"), "x: expected KEY=VALUE: there is nothing to set");
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

/// Returns a game's rules after settings, as text.
fn set(settings: &[&str]) -> Rules {
    let mut rules = Rules::new(DEFAULT);
    settings.iter().for_each(|setting| rules.set(setting).unwrap());
    rules
}

#[test]
fn the_comment_of_a_changed_value_says_what_was_there() {
    let changed = ["options.seasons=5", "cards.loot.cost=20", "province.creta.vp=[5]"];
    let text = set(&[&changed[..], &["province.egypt.vp=[1]"]].concat()).to_toml();
    for line in [
        "seasons = 5  # changed (was 4; rulebook)",
        "loot = { count = 1, cost = 20 }  # changed (cost was 10)",
        "vp = [5]  # changed (was not given)",
        "vp = [1]  # changed (was [15,5])",
        "open = true",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} in\n{text}");
    }
    let both = set(&["cards.loot.cost=20", "cards.loot.count=3"]).to_toml();
    assert!(both.contains("# changed (cost was 10, count was 1)"), "{both}");
}

#[test]
fn a_change_back_is_no_change() {
    let rules = set(&[
        "options.seasons=5",
        "cards.loot.cost=20",
        "options.seasons=4",
        "cards.loot.cost=10",
    ]);
    assert_eq!((rules.changes().len(), rules.overrides()), (0, json!({})));
    assert_eq!(rules.to_toml(), DEFAULT);
    let mut rules = Rules::new("x = [1.0, 2.5]  # found\n");
    rules.set("x=[1, 2.5]").unwrap();
    assert_eq!(rules.to_toml(), "x = [1.0, 2.5]  # found\n");
}

#[test]
fn changes_are_told_with_their_sources() {
    let text = set(&["options.seasons=5", "options.open=false", "province.creta.vp=[5]"]);
    let changes: Vec<String> = text.changes().iter().map(ToString::to_string).collect();
    assert_eq!(
        changes,
        [
            "options.open = false, changed (was true)",
            "options.seasons = 5, changed (was 4; rulebook)",
            "province.creta.vp = [5], changed (was not given)",
        ]
    );
    let json = serde_json::to_value(&text.changes()[1]).unwrap();
    assert_eq!(
        json,
        json!({"key": "options.seasons", "was": 4, "now": 5, "sources": ["rulebook"]})
    );
}

#[test]
fn what_stands_twice_in_a_file_is_refused_with_both_lines() {
    let complain =
        |text: &str| Rules::new(DEFAULT).overlay("r.toml", text).unwrap_err().to_string();
    assert_eq!(
        complain(
            "[[province]]\nid = \"egypt\"\nvp = [1]\n\n[[province]]\nid = \"egypt\"\nland = []\n"
        ),
        "r.toml:5: [[province]] \"egypt\" stands twice, first at r.toml:1: keep one of them"
    );
    assert_eq!(
        complain("[cards.loot]\ncost = 1\n[card.loot]\ncount = 1\ncost = 2\n"),
        "r.toml:5: cards.loot.cost stands twice, first at r.toml:2: keep one of them"
    );
}

#[test]
fn a_table_in_place_of_a_value_is_refused_and_a_value_in_place_of_a_table() {
    let set = |s: &str| Rules::new(DEFAULT).set(s).unwrap_err().to_string();
    assert_eq!(
        set("options.seasons={}"),
        "options.seasons={}: options.seasons is a single value and no table"
    );
    assert_eq!(
        set("options=5"),
        "options=5: options is a table: name one of its keys, as in options.KEY (seasons, open)"
    );
    assert_eq!(
        set("options.seasons=nan"),
        "options.seasons=nan: options.seasons = nan: expected a whole number as in 4"
    );
    let mut list = Rules::new("x = [{ a = 1.5 }]\n");
    let nan = list.set("x=[{ a = nan }]").unwrap_err().to_string();
    assert_eq!(nan, "x=[{ a = nan }]: x: nan and inf are no numbers of a game");
    let file = |text: &str| Rules::new(DEFAULT).overlay("r", text).unwrap_err().to_string();
    assert_eq!(file("[options.seasons]\n"), "r:1: options.seasons is a single value and no table");
    assert_eq!(file("[[options]]\nid = 1\n"), "r:1: options is one table: write [options]");
    assert!(
        file("[[province]]\nid = 7\n").ends_with("an entry of [[province]] needs an id, a text")
    );
}

#[test]
fn a_contradiction_stands_where_somebody_changed_something() {
    let rules = set(&["options.open=true", "options.seasons=7"]);
    let place = |keys: &[&str]| rules.bad_among(keys, "no").to_string();
    assert_eq!(place(&["cards", "options.seasons"]), "options.seasons=7: options.seasons: no");
    // A value set to its default is not to blame; a single changed value is.
    assert_eq!(
        place(&["options.open", "options.seasons"]),
        "options.seasons=7: options.seasons: no"
    );
    assert_eq!(place(&["province.egypt.vp"]), "options.seasons=7: province.egypt.vp: no");
    assert_eq!(Rules::new(DEFAULT).bad("options", "no").to_string(), "default rules: options: no");
}

/// Appends all values of a configuration, by key, each changed to another value of its type.
fn changed_everywhere(key: &str, value: &Json, out: &mut Vec<(String, Json)>) {
    let join = |step: &str| if key.is_empty() { step.to_owned() } else { format!("{key}.{step}") };
    let other = match value {
        Json::Object(map) => {
            let values = map.iter().filter(|(step, _)| *step != "id");
            return values.for_each(|(step, v)| changed_everywhere(&join(step), v, out));
        }
        Json::Array(list) if list.iter().any(|entry| entry["id"].is_string()) => {
            let id = |entry: &Json| join(entry["id"].as_str().unwrap());
            return list.iter().for_each(|entry| changed_everywhere(&id(entry), entry, out));
        }
        Json::Array(list) => list
            .iter()
            .skip(1)
            .chain(list.get(..1).filter(|_| list.len() > 1).into_iter().flatten())
            .cloned()
            .collect(),
        Json::Bool(is) => Json::from(!is),
        Json::Number(n) => {
            n.as_i64().map_or_else(|| json!(n.as_f64().unwrap() + 1.0), |n| json!(n + 1))
        }
        Json::String(text) => Json::from(format!("{text}'")),
        Json::Null => unreachable!("TOML has no null"),
    };
    if other != *value {
        out.push((key.to_owned(), other));
    }
}

/// Changes every value of the rules of a game at once, and reads the printed result.
fn read_back(name: &str, default: &str, is_reconstructed: bool) {
    let mut rules = Rules::new(default);
    assert_eq!(rules.to_toml(), default, "{name}");
    let mut others = Vec::new();
    changed_everywhere("", &rules.to_json(), &mut others);
    for (key, value) in &others {
        let value = one_setting(value);
        rules.set(&format!("{key}={value}")).unwrap();
    }
    assert_eq!(rules.changes().len(), others.len(), "{name}");
    let printed = rules.to_toml();
    let mut read = Rules::new(default);
    read.overlay("printed", &printed).unwrap_or_else(|bad| panic!("{name}: {bad}\n{printed}"));
    assert_eq!((read.changes(), read.to_toml()), (rules.changes(), printed), "{name}");
    let mut recorded = Rules::new(default);
    recorded.overlay_json(&rules.overrides()).unwrap();
    assert_eq!(recorded.changes(), rules.changes(), "{name}");
    let has = |change: &engine::rules::Change| change.sources.contains(&Source::Reconstructed);
    assert_eq!(rules.changes().iter().any(has), is_reconstructed, "{name}");
}

/// Returns a value in the form of `KEY=VALUE`.
fn one_setting(value: &Json) -> String {
    match value {
        Json::Array(list) => {
            format!("[{}]", list.iter().map(one_setting).collect::<Vec<_>>().join(", "))
        }
        Json::Object(map) => {
            let fields: Vec<String> =
                map.iter().map(|(key, v)| format!("{key} = {}", one_setting(v))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        plain => plain.to_string(),
    }
}

macro_rules! every_game {
    ($($name:literal => $game:ty),* $(,)?) => {
        #[test]
        fn changed_rules_of_every_game_are_printed_and_read_back() {
            use engine::Configure;
            $(read_back($name, <$game>::default_rules(), <$game>::about().provenance.is_reconstructed());)*
        }
    };
}
engine::catalogue!(every_game);

#[test]
fn every_kind_of_comment_names_the_source() {
    let source = |rules: &mut Rules, setting: &str| {
        rules.set(setting).unwrap();
        let key = setting.split('=').next().unwrap();
        rules.changes().into_iter().find(|change| change.key == key).unwrap().sources
    };
    let conquest2 = &mut Rules::of::<engine::games::conquest2::Conquest2>();
    use Source::{Found, Inferred, Reconstructed, Report, Rulebook, Ruling};
    for (setting, sources) in [
        ("options.seasons=7", vec![Rulebook]),
        ("pools.cavalry=10", vec![Report]),
        ("prices.infantry=7", vec![Rulebook]),
        ("cards.loot.cost=15", vec![Rulebook]),
        ("auction.allied_may_bid=false", vec![Ruling]),
        ("province.asia.vp=[1]", vec![Reconstructed]),
        ("province.asia.land=[]", vec![Found]),
        ("strait.channel.open=false", vec![]),
    ] {
        assert_eq!(source(conquest2, setting), sources, "{setting}");
    }
    let circus = &mut Rules::of::<engine::games::circus::Circus>();
    assert_eq!(source(circus, "start.cells=[1]"), [Rulebook, Reconstructed]);
    assert_eq!(source(circus, "board.cells=[]"), [Found, Reconstructed, Rulebook]);
    let hannibal = &mut Rules::of::<engine::games::hannibal::Hannibal>();
    assert_eq!(source(hannibal, "area.cannae.island=true"), [Rulebook]);
    assert_eq!(source(hannibal, "route.corsica-sardinia.ends=[\"a\", \"b\"]"), [Inferred]);
    let imperium = &mut Rules::of::<engine::games::imperium::Imperium>();
    assert_eq!(source(imperium, "handicap.without_ear=[0]"), []);
}

/// Checks a fault that the default cannot show: a list that is empty there accepts anything until it is read.
#[test]
fn a_value_that_cannot_be_read_is_named_whatever_else_was_changed() {
    #[derive(Debug, serde::Deserialize)]
    struct Numbers {
        few: Vec<i64>,
        many: Vec<i64>,
    }
    let mut rules = Rules::new("few = []\nmany = [1, 2]\n");
    rules.set("many=[3]").unwrap();
    let read: Numbers = rules.read().unwrap();
    assert_eq!((read.few, read.many), (vec![], vec![3]));
    rules.set("few=[\"a\"]").unwrap();
    let error = rules.read::<Numbers>().unwrap_err().to_string();
    assert!(error.contains("few: invalid type: string \"a\", expected i64"), "{error}");
    assert!(error.contains("few=[\"a\"]") && !error.contains("many"), "{error}");
}
