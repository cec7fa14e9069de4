//! Configurations of classic: every number is held to its range, and what contradicts itself is refused with its place.

use engine::games::classic::Classic;
use engine::{Configure, Rules};
use expect_test::{Expect, expect};

use crate::ranges::{self, Range};

/// What `configure` says to settings, one after the other, at a table of four.
fn with(settings: &[&str]) -> Result<Classic, String> {
    let mut rules = Rules::of::<Classic>();
    settings.iter().try_for_each(|s| rules.set(s)).map_err(|bad| bad.to_string())?;
    Classic::configure(4, &rules).map_err(|bad| bad.to_string())
}

/// One setting over others that contradict none.
fn configured(setting: &str) -> Result<Classic, String> {
    let open = ["start.city=none", "pools.infantry=31", "pools.general=7", "start.infantry=0"];
    with(&[&open[..], &["start.general=0", setting]].concat())
}

/// Every number with the least and the most that it may be.
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
fn bad_rules_are_refused_with_value_place_and_remedy() {
    refused(&["options.variant=frits"], &expect![""]);
    refused(&["seats.4=[\"egypt\", \"italia\", \"egypt\", \"galatia\"]"], &expect![""]);
    refused(&["seats.4=[\"egypt\", \"italia\", \"numidie\", \"galatia\"]"], &expect![""]);
    refused(&["seats.4=[\"egypt\", \"italia\", \"galatia\"]"], &expect![""]);
    refused(&["seats.3=[\"egypt\", \"syria\", \"galatia\"]"], &expect![""]);
    refused(&["prices.city=-5"], &expect![""]);
    refused(&["options.final_round=101"], &expect![""]);
    refused(&["variant.friz.end_ladder=[]"], &expect![""]);
    refused(&["variant.friz.end_ladder=[[], [\"elephant\"]]"], &expect![""]);
    refused(&["variant.friz.inflation_at=[250, 150]"], &expect![""]);
    refused(&["variant.friz.inflation_at=[150]"], &expect![""]);
    refused(&["income.inflation_factor=[1, 2]"], &expect![""]);
    refused(&["variant.friz.home_victory.4=0"], &expect![""]);
    refused(&["variant.friz.start_placement=anywhere"], &expect![""]);
    refused(&["start.infantry=25"], &expect![""]);
    refused(&["start.city=town"], &expect![""]);
    refused(&["stock.fort=3"], &expect![""]);
    refused(&["province.asia.home=true"], &expect![""]);
    refused(&["province.mesopotamia.galleys_at=[\"dacia\"]"], &expect![""]);
    refused(&["income.ransom_offers=[5, 5]"], &expect![""]);
    refused(&["gift.s17.seat0.talents=5"], &expect![""]);
}

#[test]
fn a_home_needs_a_land_border() {
    let mut rules = Rules::of::<Classic>();
    let text = "[[province]]\nid = \"mesopotamia\"\nland = []\n\
        [[province]]\nid = \"armenia\"\nland = [\"cappadocia\", \"syria\"]\n\
        [[province]]\nid = \"syria\"\nland = [\"arabia-petraea\", \"armenia\", \"cappadocia\", \"cilicia\", \"palestina\"]\n";
    rules.overlay("r.toml", text).expect("keys and types are right");
    let bad = Classic::configure(4, &rules).expect_err("bad rules").to_string();
    expect![""].assert_eq(&bad);
}

#[test]
fn each_key_of_either_column_can_be_set_alone() {
    assert!(with(&["options.variant=base", "variant.base.home_victory.4=3"]).is_ok());
    assert!(with(&["options.variant=base", "variant.base.prestige=10"]).is_ok());
    assert!(with(&["variant.friz.guards=false", "variant.friz.start_placement=home"]).is_ok());
}
