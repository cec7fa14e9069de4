//! Configurations of classic: every number is held to its range, and contradictions are refused with their place.

use engine::games::classic::Classic;
use engine::{Configure, Rules};
use expect_test::{Expect, expect};

use crate::ranges::{self, Range};

/// Configures a table of four with settings in turn.
fn with(settings: &[&str]) -> Result<Classic, String> {
    let mut rules = Rules::of::<Classic>();
    settings.iter().try_for_each(|s| rules.set(s)).map_err(|bad| bad.to_string())?;
    Classic::configure(4, &rules).map_err(|bad| bad.to_string())
}

/// Configures a table with one setting over others that contradict none.
fn configured(setting: &str) -> Result<Classic, String> {
    let open = ["start.city=none", "pools.infantry=31", "pools.general=7", "start.infantry=0"];
    with(&[&open[..], &["start.general=0", setting]].concat())
}

/// Every number with its smallest and largest allowed value.
const RANGES: [Range; 41] = [
    ("options.final_round", 1, 100),
    ("pools.infantry", 0, 31),
    ("pools.cavalry", 0, 31),
    ("pools.catapult", 0, 7),
    ("pools.galley", 0, 15),
    ("pools.general", 0, 7),
    ("pools.caesar", 1, 1),
    ("stock.city", 0, 42),
    ("stock.fort", 0, 42),
    ("stock.road", 0, 128),
    ("start.caesar", 1, 1),
    ("start.general", 0, 7),
    ("start.infantry", 0, 31),
    ("start.talents", 0, 1000),
    ("prices.infantry", 0, 1000),
    ("prices.cavalry", 0, 1000),
    ("prices.catapult", 0, 1000),
    ("prices.galley", 0, 1000),
    ("prices.city", 0, 1000),
    ("prices.fort", 0, 1000),
    ("prices.road", 0, 1000),
    ("income.city", 0, 1000),
    ("movement.infantry", 0, 2),
    ("movement.cavalry", 0, 2),
    ("movement.catapult", 0, 2),
    ("movement.general", 0, 3),
    ("movement.galley", 0, 2),
    ("movement.troops_per_leader", 1, 60),
    ("movement.leaders_per_galley", 1, 1),
    ("movement.board_cost", 1, 1),
    ("movement.land_cost", 1, 1),
    ("battle.legion", 1, 20),
    ("battle.legion_per_general", 0, 5),
    ("battle.fort_dice", 0, 20),
    ("battle.land_rounds", 1, 100),
    ("battle.naval_rounds", 1, 100),
    ("variant.friz.start_territories", 0, 40),
    ("variant.friz.caesar_steps", 0, 3),
    ("variant.friz.caesar_legion", 0, 20),
    ("variant.friz.recruit_city", 0, 10),
    ("variant.friz.prestige", 0, 1000),
];

#[test]
fn every_number_is_taken_to_the_ends_of_its_range_and_refused_beyond() {
    RANGES.iter().for_each(|&range| ranges::check_range(configured, range, range.1));
}

#[test]
fn no_number_of_the_rules_is_left_unchecked() {
    let plain: Vec<Range> =
        RANGES.into_iter().filter(|(key, ..)| !key.starts_with("variant.")).collect();
    ranges::check_that_none_is_left_out::<Classic>(&plain, &["province", "strait", "sea"]);
}

fn refused(settings: &[&str], expected: &Expect) {
    expected.assert_eq(&with(settings).expect_err("bad rules"));
}

#[test]
fn seats_that_nobody_can_take_are_refused_with_value_place_and_remedy() {
    refused(
        &["options.variant=frits"],
        &expect![[
            r#"options.variant=frits: options.variant: unknown "frits" (known: friz, base)"#
        ]],
    );
    refused(
        &["seats.4=[\"egypt\", \"italia\", \"egypt\", \"galatia\"]"],
        &expect![[
            r#"seats.4=["egypt", "italia", "egypt", "galatia"]: seats.4: "egypt" stands twice"#
        ]],
    );
    refused(
        &["seats.4=[\"egypt\", \"italia\", \"numidie\", \"galatia\"]"],
        &expect![[
            r#"seats.4=["egypt", "italia", "numidie", "galatia"]: seats.4: "numidie" is no home of seats.order (nearest: numidia)"#
        ]],
    );
    refused(
        &["seats.4=[\"egypt\", \"italia\", \"galatia\"]"],
        &expect![[
            r#"seats.4=["egypt", "italia", "galatia"]: seats.4: 3 elements, expected 4 to 4"#
        ]],
    );
    refused(
        &["seats.3=[\"egypt\", \"syria\", \"galatia\"]"],
        &expect![[
            r#"seats.3=["egypt", "syria", "galatia"]: seats.3: "syria" is no home of seats.order"#
        ]],
    );
}

#[test]
fn numbers_and_ladders_out_of_range_are_refused() {
    refused(
        &["prices.city=-5"],
        &expect!["prices.city=-5: prices.city: -5 is out of range (0 to 1000)"],
    );
    refused(
        &["options.final_round=101"],
        &expect!["options.final_round=101: options.final_round: 101 is out of range (1 to 100)"],
    );
    refused(
        &["variant.friz.end_ladder=[]"],
        &expect![
            "variant.friz.end_ladder=[]: variant.friz.end_ladder: 0 elements, expected 1 to 20"
        ],
    );
    refused(
        &["variant.friz.end_ladder=[[], [\"elephant\"]]"],
        &expect![[
            r#"variant.friz.end_ladder=[[], ["elephant"]]: variant.friz.end_ladder: unknown face "elephant" (known: infantry, cavalry, catapult, galley, blank)"#
        ]],
    );
    refused(
        &["variant.friz.inflation_at=[250, 150]"],
        &expect![
            "variant.friz.inflation_at=[250, 150]: variant.friz.inflation_at: each number must be larger than the one before"
        ],
    );
    refused(
        &["variant.friz.inflation_at=[150]"],
        &expect![
            "variant.friz.inflation_at=[150]: variant.friz.inflation_at: 3 factors for 1 steps of inflation: one more is needed"
        ],
    );
    refused(
        &["income.inflation_factor=[1, 2]"],
        &expect![
            "income.inflation_factor=[1, 2]: income.inflation_factor: 2 factors for 2 steps of inflation: one more is needed"
        ],
    );
}

#[test]
fn starts_that_do_not_fit_the_pieces_are_refused() {
    refused(
        &["variant.friz.home_victory.4=0"],
        &expect![
            "variant.friz.home_victory.4=0: variant.friz.home_victory.4: 0 is out of range (1 to 13)"
        ],
    );
    refused(
        &["variant.friz.start_placement=anywhere"],
        &expect![[
            r#"variant.friz.start_placement=anywhere: variant.friz.start_placement: unknown "anywhere" (known: pairs, home)"#
        ]],
    );
    refused(
        &["start.infantry=25"],
        &expect![
            "start.infantry=25: start.infantry: start.infantry = 25 is more than pools.infantry = 20"
        ],
    );
    refused(
        &["start.city=town"],
        &expect![[r#"start.city=town: start.city: unknown "town" (known: fort, city, none)"#]],
    );
    refused(
        &["stock.fort=3"],
        &expect!["stock.fort=3: stock.fort: 4 players start with 4, there are 3"],
    );
    refused(
        &["province.asia.home=true"],
        &expect![
            "province.asia.home=true: province.asia.home: seats.order and province.asia.home = true contradict each other"
        ],
    );
    refused(
        &["province.mesopotamia.galleys_at=[\"dacia\"]"],
        &expect![[
            r#"province.mesopotamia.galleys_at=["dacia"]: province.mesopotamia.galleys_at: dacia has no coast for galleys"#
        ]],
    );
    refused(
        &["income.ransom_offers=[5, 5]"],
        &expect![
            "income.ransom_offers=[5, 5]: income.ransom_offers: each number must be larger than the one before"
        ],
    );
    refused(
        &["gift.s17.seat0.talents=5"],
        &expect![
            "gift.s17.seat0.talents=5: gift.s17.seat0.talents: there is no round 17 (1 to 16)"
        ],
    );
}

#[test]
fn a_home_needs_a_land_border() {
    let mut rules = Rules::of::<Classic>();
    let text = "[[province]]\nid = \"mesopotamia\"\nland = []\n\
        [[province]]\nid = \"armenia\"\nland = [\"cappadocia\", \"syria\"]\n\
        [[province]]\nid = \"syria\"\nland = [\"arabia-petraea\", \"armenia\", \"cappadocia\", \"cilicia\", \"palestina\"]\n";
    rules.overlay("r.toml", text).expect("keys and types are right");
    let bad = Classic::configure(4, &rules).expect_err("bad rules").to_string();
    expect!["r.toml:3: province.mesopotamia.land: mesopotamia is a home: it needs a land border"]
        .assert_eq(&bad);
}

#[test]
fn each_key_of_either_column_can_be_set_alone() {
    assert!(with(&["options.variant=base", "variant.base.home_victory.4=3"]).is_ok());
    assert!(with(&["options.variant=base", "variant.base.prestige=10"]).is_ok());
    assert!(with(&["variant.friz.guards=false", "variant.friz.start_placement=home"]).is_ok());
}
