//! Configurations of imperium: every number is held to the range that its comment promises, and settings are overrides.

use engine::games::imperium::Imperium;
use engine::{Configure, Game, Notation, Player, Rules, Walk};
use expect_test::{Expect, expect};

use crate::ranges::{self, Range};

/// Returns the complaint about an overlay `r.toml`, or about the configuration that it makes.
fn complaint(n_players: usize, overlay: &str) -> String {
    let mut rules = Rules::of::<Imperium>();
    match rules.overlay("r.toml", overlay) {
        Err(bad) => bad.to_string(),
        Ok(()) => Imperium::configure(n_players, &rules).expect_err("bad rules").to_string(),
    }
}

fn check(overlay: &str, expected: &Expect) {
    expected.assert_eq(&complaint(4, overlay));
}

/// Configures a table with one setting, and titles that contradict no other.
fn configured(setting: &str) -> Result<Imperium, String> {
    let mut rules = Rules::of::<Imperium>();
    let titles = ["titles.senator=0", "titles.consul=1000"].into_iter();
    titles.for_each(|title| rules.set(title).expect("titles can be set"));
    rules.set(setting).map_err(|bad| bad.to_string())?;
    Imperium::configure(4, &rules).map_err(|bad| bad.to_string())
}

/// Every number with its smallest and largest allowed value.
const RANGES: [Range; 11] = [
    ("max-rounds", 1, 1000),
    ("players.influence_per_player", 1, 50),
    ("players.win_score", 1, 1000),
    ("cards.per_round", 1, 3),
    ("cards.bread_and_circuses", 1, 2),
    ("cards.provinces_per_round", 1, 8),
    ("cards.provinces_per_ear", 0, 8),
    ("scoring.places_without_points", 0, 4),
    ("scoring.proconsul_bonus", 0, 100),
    ("titles.senator", 0, 1000),
    ("titles.consul", 0, 1000),
];

#[test]
fn every_number_is_taken_to_the_ends_of_its_range_and_refused_beyond() {
    RANGES.iter().for_each(|&range| ranges::check_range(configured, range, range.1));
}

#[test]
fn no_number_of_the_rules_is_left_unchecked() {
    ranges::check_that_none_is_left_out::<Imperium>(&RANGES, &["province"]);
}

#[test]
fn complaints_name_file_line_key_value_and_range() {
    check("\nmax-rounds = 0\n", &expect!["r.toml:2: max-rounds: 0 is out of range (1 to 1000)"]);
    check(
        "[players]\nwin_score = 1001\n",
        &expect!["r.toml:2: players.win_score: 1001 is out of range (1 to 1000)"],
    );
    check(
        "[titles]\nsenator = 31\n",
        &expect![
            "r.toml:2: titles.senator: a consul (30 points) needs no fewer than a senator (31)"
        ],
    );
    check(
        "[titles]\n\nconsul = 19\n",
        &expect![
            "r.toml:3: titles.consul: a consul (19 points) needs no fewer than a senator (20)"
        ],
    );
    check(
        "[[province]]\nid = \"asia\"\npoints = [5, 101]\n",
        &expect!["r.toml:3: province.asia.points: 101 is out of range (0 to 100)"],
    );
    check(
        "[[province]]\nid = \"asia\"\npoints = [5, 4, 3, 2, 1, 0]\n",
        &expect!["r.toml:3: province.asia.points: 6 places, expected at most 5"],
    );
}

#[test]
fn unknown_keys_and_places_name_the_nearest_one() {
    check(
        "max-round = 5\n",
        &expect![[r#"r.toml:1: unknown key "max-round" (nearest: max-rounds)"#]],
    );
    check(
        "[cards]\nper_rounds = 2\n",
        &expect![[r#"r.toml:2: unknown key "cards.per_rounds" (nearest: cards.per_round)"#]],
    );
    check(
        "[cards]\noracles = 2\n",
        &expect![[
            r#"r.toml:2: unknown key "cards.oracles" (known: per_round, bread_and_circuses, provinces_per_round, provinces_per_ear)"#
        ]],
    );
    check(
        "[[province]]\nid = \"italia\"\npoints = [1]\n",
        &expect![[r#"r.toml:1: there is no province "italia" (nearest: gallia)"#]],
    );
    check(
        "[[province]]\npoints = [1]\n",
        &expect!["r.toml:1: an entry of [[province]] needs an id, a text"],
    );
    check(
        "[[province]]\nid = \"syria\"\nadjacent = [\"asia\", \"egypt\"]\n",
        &expect![[
            r#"r.toml:3: province.syria.adjacent: there is no province "egypt" (nearest: aegyptus)"#
        ]],
    );
}

#[test]
fn wrong_types_and_broken_lines_are_refused() {
    check(
        "max-rounds = \"many\"\n",
        &expect![[r#"r.toml:1: max-rounds = "many": expected a whole number as in 200"#]],
    );
    check(
        "[cards]\nper_round = 1.5\n",
        &expect!["r.toml:2: cards.per_round = 1.5: expected a whole number as in 3"],
    );
    check(
        "[scoring]\nneeds_influence = 1\n",
        &expect!["r.toml:2: scoring.needs_influence = 1: expected true or false as in true"],
    );
    check(
        "cards = 3\n",
        &expect![
            "r.toml:1: cards is a table: name one of its keys, as in cards.KEY (per_round, bread_and_circuses, provinces_per_round, provinces_per_ear)"
        ],
    );
    check(
        "province = []\n",
        &expect!["r.toml:1: province is a list of tables: name one, as in province.africa.…"],
    );
    check(
        "[[province]]\nid = \"asia\"\npoints = 5\n",
        &expect!["r.toml:3: province.asia.points = 5: expected a list as in [5,4,2,1]"],
    );
    check(
        "[players\nwin_score = 5\n",
        &expect!["r.toml:1: not TOML: unclosed table, expected `]`"],
    );
}

#[test]
fn borders_go_both_ways_and_to_other_provinces() {
    check(
        "[[province]]\nid = \"syria\"\nadjacent = [\"asia\"]\n",
        &expect![[
            r#"r.toml:3: province.syria.adjacent: province.aegyptus.adjacent names "syria", but province.syria.adjacent lacks "aegyptus": borders go both ways"#
        ]],
    );
    check(
        "[[province]]\nid = \"syria\"\nadjacent = [\"syria\"]\n",
        &expect!["r.toml:3: province.syria.adjacent: a province is not its own neighbour"],
    );
}

#[test]
fn a_table_has_two_to_five_players() {
    expect!["a table of 1: imperium is for 2 to 5 players"].assert_eq(&complaint(1, ""));
    expect!["a table of 6: imperium is for 2 to 5 players"].assert_eq(&complaint(6, ""));
}

#[test]
fn a_handicap_takes_a_card_from_a_seat_and_from_no_other() {
    let mut rules = Rules::of::<Imperium>();
    rules.set("handicap.without_ear=[0]").unwrap();
    rules.set("handicap.without_oracle=[1, 2]").unwrap();
    let game = Imperium::configure(3, &rules).unwrap();
    let start = game.start();
    assert_eq!([0, 1, 2].map(|seat| start.has_ear(seat)), [false, true, true]);
    assert_eq!([0, 1, 2].map(|seat| start.has_oracle(seat)), [true, false, false]);
    let stacks = Player::all(3).map(|player| {
        let mut actions = Vec::new();
        game.actions(&start, player, &mut actions);
        actions.iter().for_each(|&a| assert!(game.is_legal(&start, player, a, &mut Vec::new())));
        actions.len()
    });
    // Without an Ear 56 and 56 stacks and the Oracle; without the Oracle 84 and 72.
    assert_eq!(stacks.collect::<Vec<_>>(), [113, 156, 156]);
}

#[test]
fn a_handicap_is_of_seats_of_the_table() {
    check(
        "[handicap]\nwithout_ear = [1, 4]\n",
        &expect!["r.toml:2: handicap.without_ear: 4 is out of range (0 to 3)"],
    );
    check(
        "[handicap]\nwithout_oracle = [-1]\n",
        &expect!["r.toml:2: handicap.without_oracle: -1 is out of range (0 to 3)"],
    );
    check(
        "[handicap]\nwithout_oracle = 1\n",
        &expect!["r.toml:2: handicap.without_oracle = 1: expected a list as in []"],
    );
    check(
        "[handicap]\nwithout_ears = [1]\n",
        &expect![[
            r#"r.toml:2: unknown key "handicap.without_ears" (nearest: handicap.without_ear)"#
        ]],
    );
    expect!["r.toml:2: handicap.without_ear: 2 is out of range (0 to 1)"]
        .assert_eq(&complaint(2, "[handicap]\nwithout_ear = [2]\n"));
}

#[test]
fn the_header_of_a_record_names_what_was_set() {
    let mut rules = Rules::of::<Imperium>();
    rules.set("max-rounds=7").unwrap();
    rules.set("province.asia.points=[5, 3, 2, 1]").unwrap();
    let text = rules.overrides().to_string();
    assert_eq!(text, r#"{"max-rounds":7,"province":{"asia":{"points":[5,3,2,1]}}}"#);
    let mut read = Rules::of::<Imperium>();
    read.overlay_json(&rules.overrides()).unwrap();
    let game = Imperium::configure(3, &read).unwrap();
    let mut walk = Walk::new(&game, 1, 0);
    while walk.next().is_some() {}
    let end = game.state_json(walk.state());
    assert_eq!(end["round"], 7, "random play does not reach 40 points in seven rounds: {end}");
    assert_eq!(game.n_players(), 3);
}
