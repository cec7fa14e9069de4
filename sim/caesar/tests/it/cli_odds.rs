//! The command `odds`: its output for battles, and its refusals.

use expect_test::{expect, expect_file};

use crate::cli::{caesar_with, prints};
use crate::shared::{caesar, refused};

#[test]
fn odds_are_as_they_were_read_and_approved() {
    let args = ["odds", "--attacker", "6 infantry, 1 cavalry, 1 catapult, leader"];
    let args = [&args[..], &["--defender", "3i 1t city", "--check", "10000", "--verbose"]].concat();
    let (code, stdout, stderr) = caesar_with(&args, "");
    assert_eq!((code, stderr.as_str()), (0, ""));
    expect_file!["../golden/odds.txt"].assert_eq(&stdout);
    let classic = ["odds", "--game", "classic", "--attacker", "6i 1c 1 general caesar"];
    let classic = [&classic[..], &["--defender", "4i 1k fort", "--check", "10000"]].concat();
    let (code, stdout, stderr) = caesar_with(&classic, "");
    assert_eq!((code, stderr.as_str()), (0, ""));
    expect_file!["../golden/odds-classic.txt"].assert_eq(&stdout);
    let sea = "odds --attacker 3g --defender 1g+1t --sea --check 10000 --verbose";
    prints(sea, &expect_file!["../golden/odds-sea.txt"]);
    let (code, one_round, _) =
        caesar("odds --attacker 2i --defender 6i --retreats --set battle.max_rounds=1 --json");
    let json: serde_json::Value = serde_json::from_str(&one_round).unwrap();
    assert_eq!(code, 0);
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    let promised = [
        "game",
        "sea",
        "retreats",
        "attacker",
        "defender",
        "both_gone",
        "undecided",
        "rounds",
        "ends",
        "check",
        "changed_rules",
    ];
    assert_eq!(keys, promised);
    let keys: Vec<&String> = json["attacker"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["army", "units", "dice", "wins", "survivors"]);
    let keys: Vec<&String> = json["ends"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["attacker", "defender", "won_by", "chance"]);
    assert_eq!(json["rounds"], 1.0);
}

#[test]
fn wrong_armies_get_the_right_words() {
    refused(
        "odds --attacker 3infantri --defender 3i",
        &expect![[
            r#"error: --attacker "3infantri": unknown word "infantri" (nearest: infantry; known: infantry or i, cavalry or c, catapult or k, galley or g, leader or l, training or t, city or y)"#
        ]],
    );
    refused(
        "odds --game pig --attacker 3i --defender 3i",
        &expect!["error: --game pig: battle odds are not available (accepted: conquest2, classic)"],
    );
    refused(
        "odds --game classic --attacker 3i+guard --defender 3i",
        &expect![[r#"error: --attacker "3i+guard": a fort or a guard can only defend"#]],
    );
    refused(
        "odds --attacker 3i --defender leader",
        &expect![[r#"error: --defender "leader": 0 units: 1 to 60 can fight"#]],
    );
    refused(
        "odds --attacker 3i+city --defender 3i",
        &expect![[r#"error: --attacker "3i+city": a city counts for the defender only"#]],
    );
    refused(
        "odds --attacker 3i --defender 3g --sea",
        &expect![[r#"error: "3 infantry" is no navy: galleys and trainings fight at sea"#]],
    );
    refused(
        "odds --attacker 3i --defender 10k --check 5",
        &expect![
            "error: --check 5: no player has so many units: 31 infantry, 31 cavalry, 7 catapults, 31 galleys and 15 trainings are the most"
        ],
    );
    refused(
        "odds --attacker 3i+9t --defender 3i --set battle.training_dice=20",
        &expect!["error: a side has at least 1 unit, at most 60 units, and at most 31 dice"],
    );
}

#[test]
fn odds_of_the_longest_armies_stand_whole_in_80_columns() {
    let armies = [
        ("6i 1c leader", "4i 1k city"),
        ("6i 1c 1k leader", "3i 1t city"),
        ("12i 4c 2k 3g leader 2t", "10i 3c 1k 2g 1t city leader"),
        ("14i 14c 14k 14g leader 12t", "15i 15c 15k 15g leader 10t city"),
    ];
    for (attacker, defender) in armies {
        let args = ["odds", "--attacker", attacker, "--defender", defender, "--verbose"];
        let (_, stdout, _) = caesar_with(&args, "");
        assert!(stdout.lines().all(|line| line.chars().count() <= 80), "{stdout}");
        for title in ["side ", "attacker keeps"] {
            let heads = stdout.lines().filter(|line| line.starts_with(title)).count();
            assert_eq!(heads, 1, "the table is split: {stdout}");
        }
    }
}
