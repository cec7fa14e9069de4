//! Bad configurations of conquest2: the complaint names the place, the value and the remedy.

use engine::games::conquest2::Conquest2;
use engine::{Configure, Rules};
use expect_test::{Expect, expect};

/// Returns the complaint about an overlay `r.toml`, or about the configuration that it makes.
fn complaint(n_players: usize, overlay: &str) -> String {
    let mut rules = Rules::of::<Conquest2>();
    match rules.overlay("r.toml", overlay) {
        Err(bad) => bad.to_string(),
        Ok(()) => Conquest2::configure(n_players, &rules).expect_err("bad rules").to_string(),
    }
}

fn check(overlay: &str, expected: &Expect) {
    expected.assert_eq(&complaint(4, overlay));
}

fn check_setting(setting: &str, expected: &Expect) {
    let mut rules = Rules::of::<Conquest2>();
    let bad = match rules.set(setting) {
        Err(bad) => bad,
        Ok(()) => Conquest2::configure(4, &rules).expect_err("bad rules"),
    };
    expected.assert_eq(&bad.to_string());
}

#[test]
fn unknown_keys_name_the_nearest_one() {
    check(
        "[options]\n\nsaesons = 5\n",
        &expect![[r#"r.toml:3: unknown key "options.saesons" (nearest: options.seasons)"#]],
    );
    check(
        "[cards]\nsenator-5 = { count = 1 }\n",
        &expect![[r#"r.toml:2: unknown key "cards.senator-5" (nearest: cards.senator-4)"#]],
    );
    check(
        "[optoins]\nseasons = 5\n",
        &expect![[r#"r.toml:1: unknown key "optoins" (nearest: options)"#]],
    );
    check(
        "[weather]\nrain = 1\n",
        &expect![[
            r#"r.toml:1: unknown key "weather" (known: pools, die, options, prices, start, cards, diplomacy, auction, chaos, tax, buy, move, battle, merchant, loot, vote, fleet, city, barbarians, politician, revolt, province, strait, sea, null, gift, ban, forced, deal)"#
        ]],
    );
    check(
        "[cards]\nloot = { prize = 1 }\n",
        &expect![[r#"r.toml:2: unknown key "cards.loot.prize" (known: count, cost)"#]],
    );
    check("[die]\nfaces.x = 1\n", &expect!["r.toml:2: die.faces is a single value and no table"]);
}

#[test]
fn syntax_errors_name_the_line() {
    check(
        "[options]\nseasons = = 5\n",
        &expect!["r.toml:2: not TOML: extra `=`, expected nothing"],
    );
    check("# a comment\n[options\n", &expect!["r.toml:2: not TOML: unclosed table, expected `]`"]);
    check("[options]\nseasons = 5\nseasons = 6\n", &expect!["r.toml:3: not TOML: duplicate key"]);
}

#[test]
fn places_that_do_not_exist_are_refused() {
    check(
        "[[province]]\nid = \"atlantis\"\nvp = [5]\n",
        &expect![[r#"r.toml:1: there is no province "atlantis" (nearest: palestina)"#]],
    );
    check(
        "[[province]]\nid = \"egipt\"\nvp = [5]\n",
        &expect![[r#"r.toml:1: there is no province "egipt" (nearest: egypt)"#]],
    );
    check(
        "[[province]]\nvp = [5]\n",
        &expect!["r.toml:1: an entry of [[province]] needs an id, a text"],
    );
    check(
        "[[province]]\nid = \"egypt\"\nland = [\"cyrenaica\", \"nubia\"]\n",
        &expect![[
            r#"r.toml:3: province.egypt.land: there is no province "nubia" (nearest: numidia)"#
        ]],
    );
    check(
        "[[province]]\nid = \"egypt\"\nsea = [\"mare-alexandra\"]\n",
        &expect![[
            r#"r.toml:3: province.egypt.sea: there is no sea zone "mare-alexandra" (nearest: mare-alexandria)"#
        ]],
    );
    check(
        "[[strait]]\nid = \"messina\"\nbetween = [\"neapolis\", \"sicily\"]\n",
        &expect![[
            r#"r.toml:3: strait.messina.between: there is no province "sicily" (nearest: sicilia)"#
        ]],
    );
    check(
        "[vote]\ncapital = \"roma\"\n",
        &expect![[r#"r.toml:2: vote.capital: there is no province "roma" (nearest: germania)"#]],
    );
    check(
        "[start]\nno_influence = [\"itlia\"]\n",
        &expect![[
            r#"r.toml:2: start.no_influence: there is no province "itlia" (nearest: italia)"#
        ]],
    );
}

#[test]
fn borders_go_both_ways() {
    check(
        "[[province]]\nid = \"egypt\"\nland = [\"cyrenaica\", \"africa\"]\n",
        &expect![[
            r#"r.toml:3: province.egypt.land: province.arabia-petraea.land names "egypt", but province.egypt.land lacks "arabia-petraea": borders go both ways"#
        ]],
    );
    check(
        "\n[[province]]\nid = \"dacia\"\nland = [\"moesia\"]\n",
        &expect![[
            r#"r.toml:4: province.dacia.land: province.pannonia.land names "dacia", but province.dacia.land lacks "pannonia": borders go both ways"#
        ]],
    );
    check(
        "[[sea]]\nid = \"mare-amisus\"\ncoasts = [\"armenia\", \"cappadocia\"]\n",
        &expect![[
            r#"r.toml:3: sea.mare-amisus.coasts: province.pontus-bithynia.sea names "mare-amisus", but sea.mare-amisus.coasts lacks "pontus-bithynia": borders go both ways"#
        ]],
    );
    check(
        "[[sea]]\nid = \"mare-amisus\"\nsea = []\n",
        &expect![[
            r#"r.toml:3: sea.mare-amisus.sea: sea.mare-pontus-euxinus.sea names "mare-amisus", but sea.mare-amisus.sea lacks "mare-pontus-euxinus": borders go both ways"#
        ]],
    );
    check(
        "[[strait]]\nid = \"channel\"\nbetween = [\"belgica\"]\n",
        &expect!["r.toml:3: strait.channel.between: expected two different provinces"],
    );
}

#[test]
fn numbers_out_of_range_are_refused() {
    check(
        "[cards]\nassassin = { cost = -5 }\n",
        &expect!["r.toml:2: cards.assassin.cost: -5 is out of range (0 to 1000)"],
    );
    check(
        "[cards.assassin]\ncount = 16\n",
        &expect!["r.toml:2: cards.assassin.count: 16 is out of range (0 to 15)"],
    );
    check(
        "[cards]\nbribe-senator = { count = 9 }\n",
        &expect!["r.toml:2: cards.bribe-senator.count: 9 is out of range (0 to 8)"],
    );
    check(
        "[prices]\ninfantry = -5\n",
        &expect!["r.toml:2: prices.infantry: -5 is out of range (0 to 1000)"],
    );
    check(
        "[pools]\ncatapult = 8\n",
        &expect!["r.toml:2: pools.catapult: 8 is out of range (0 to 7)"],
    );
    check(
        "[options]\nseasons = 0\n",
        &expect!["r.toml:2: options.seasons: 0 is out of range (1 to 20)"],
    );
    check(
        "[barbarians]\nmoesia = { infantry = 300 }\n",
        &expect!["r.toml:2: barbarians.moesia.infantry: 300 is out of range (0 to 31)"],
    );
    check(
        "[[province]]\nid = \"egypt\"\nvp = [15, 5000]\n",
        &expect!["r.toml:3: province.egypt.vp: element 2, 5000, is out of range (0 to 1000)"],
    );
    check(
        "[[province]]\nid = \"egypt\"\nvp = [1, 2, 3, 4, 5, 6, 7]\n",
        &expect!["r.toml:3: province.egypt.vp: 7 elements, expected 0 to 6"],
    );
    check(
        "[[province]]\nid = \"egypt\"\ntokens = -1\n",
        &expect!["r.toml:3: province.egypt.tokens: -1 is out of range (0 to 200)"],
    );
    check(
        "[[province]]\nid = \"africa\"\ntokens = 3\n",
        &expect![
            "r.toml:3: province.africa.tokens: tokens lie in key provinces only: give it both vp and tokens, or neither"
        ],
    );
    check(
        "[chaos]\npenalties = [10, -5]\n",
        &expect!["r.toml:2: chaos.penalties: element 2, -5, is out of range (0 to 1000)"],
    );
    check(
        "[start]\nsenators = [1, 1]\n",
        &expect!["r.toml:2: start.senators: expected four numbers, for the values I to IV"],
    );
}

#[test]
fn numbers_that_contradict_each_other_are_refused() {
    check(
        "[pools]\ninfantry = 5\n",
        &expect!["r.toml:2: pools.infantry: start.infantry = 8 is more than pools.infantry = 5"],
    );
    check(
        "[start]\ngeneral = 5\n",
        &expect!["r.toml:2: start.general: start.general = 5 is more than pools.general = 4"],
    );
    check(
        "[auction]\nstep = 3\n",
        &expect!["r.toml:2: auction.step: options.money = 80 is no multiple of auction.step = 3"],
    );
    check(
        "[options]\nmoney = 82\n",
        &expect!["r.toml:2: options.money: options.money = 82 is no multiple of auction.step = 5"],
    );
    check(
        "[diplomacy]\negypt = { infantry = 20 }\n[cards]\ndiplomacy-egypt = { count = 4 }\n",
        &expect![
            "r.toml:4: cards.diplomacy-egypt.count: 4 cards bring 80 units of a kind, at most 60 can"
        ],
    );
    check(
        "[cards]\nsenator-1 = { count = 15 }\nsenator-2 = { count = 15 }\nsenator-3 = { count = 15 }\nsenator-4 = { count = 15 }\n",
        &expect![
            "r.toml:2: cards.senator-1.count: 15 + 15 + 15 + 15 Senators of value I to IV are too many to vote with: take fewer of one value"
        ],
    );
}

#[test]
fn a_table_needs_enough_senators_and_tokens() {
    let outcome = |n_players, overlay: &str, expected: &Expect| {
        expected.assert_eq(&complaint(n_players, overlay));
    };
    outcome(
        6,
        "[cards]\nsenator-2 = { count = 5 }\n",
        &expect![
            "r.toml:2: cards.senator-2.count: 6 players start with 6 senator-2, the deck has 5"
        ],
    );
    outcome(
        5,
        "[start]\nsenators = [2, 0, 0, 0]\n",
        &expect!["r.toml:2: start.senators: 5 players start with 10 senator-1, the deck has 8"],
    );
    outcome(
        6,
        "[start]\ninfluence = 14\n",
        &expect![
            "r.toml:2: start.influence: 6 players draw 84 tokens at set-up, the bag has 70 that count"
        ],
    );
    outcome(
        2,
        "[start]\nno_influence = [\"achaia\", \"asia\", \"egypt\", \"galatia\", \"hispania\", \"italia\", \"mesopotamia\", \"narbonensis\", \"neapolis\", \"numidia\"]\n",
        &expect![
            "r.toml:2: start.no_influence: 2 players draw 8 tokens at set-up, the bag has 7 that count"
        ],
    );
    outcome(7, "", &expect!["a table of 7: conquest2 is for 2 to 6 players"]);
    outcome(1, "", &expect!["a table of 1: conquest2 is for 2 to 6 players"]);
}

#[test]
fn wrong_types_are_refused() {
    check(
        "[options]\nseasons = \"many\"\n",
        &expect![[r#"r.toml:2: options.seasons = "many": expected a whole number as in 4"#]],
    );
    check(
        "[options]\nseasons = 4.5\n",
        &expect!["r.toml:2: options.seasons = 4.5: expected a whole number as in 4"],
    );
    check(
        "[options]\nvp_below_zero = 1\n",
        &expect!["r.toml:2: options.vp_below_zero = 1: expected true or false as in true"],
    );
    check(
        "[cards]\nassassin = 20\n",
        &expect![
            "r.toml:2: cards.assassin is a table: name one of its keys, as in cards.assassin.KEY (count, cost)"
        ],
    );
    check(
        "options = 5\n",
        &expect![
            "r.toml:1: options is a table: name one of its keys, as in options.KEY (seasons, rounds, actions, money, tokens, cards, untaken_cards_stay, vp_below_zero)"
        ],
    );
    check(
        "[die]\nfaces = [1, 2]\n",
        &expect![[
            r#"r.toml:2: die.faces = [1, 2]: expected a list as in ["infantry","infantry","cavalry","catapult","galley","blank"]"#
        ]],
    );
    check(
        "[die]\nfaces = \"infantry\"\n",
        &expect![[
            r#"r.toml:2: die.faces = "infantry": expected a list as in ["infantry","infantry","cavalry","catapult","galley","blank"]"#
        ]],
    );
    check(
        "[[province]]\nid = \"baleares\"\nland = [5]\n",
        &expect![[
            r#"r.toml:3: province.baleares.land = [5]: expected a list as in ["macedonia"]"#
        ]],
    );
    check(
        "[[province]]\nid = \"baleares\"\nvp = \"high\"\n",
        &expect![[r#"r.toml:3: province.baleares.vp = "high": expected a list as in [10,5]"#]],
    );
}

#[test]
fn die_faces_are_units_or_blank() {
    check(
        "[die]\nfaces = [\"infantry\", \"elephant\"]\n",
        &expect![[
            r#"r.toml:2: die.faces: unknown face "elephant" (known: infantry, cavalry, catapult, galley, blank)"#
        ]],
    );
    check("[die]\nfaces = []\n", &expect!["r.toml:2: die.faces: 0 elements, expected 1 to 100"]);
}

#[test]
fn bad_settings_are_refused() {
    check_setting(
        "options.seasons",
        &expect!["options.seasons: expected KEY=VALUE, as in pools.infantry=20"],
    );
    check_setting("=5", &expect![[r#"=5: "" is no key, as in pools.infantry=20"#]]);
    check_setting(
        "options..seasons=5",
        &expect![[r#"options..seasons=5: "options..seasons" is no key, as in pools.infantry=20"#]],
    );
    check_setting(
        "options.seasons=",
        &expect![[r#"options.seasons=: options.seasons = "": expected a whole number as in 4"#]],
    );
    check_setting(
        "option.season=5 # x",
        &expect![[r#"option.season=5 # x: unknown key "option" (nearest: options)"#]],
    );
}

#[test]
fn settings_of_nothing_and_of_wrong_values_are_refused() {
    check_setting(
        "options.seasons.x=5",
        &expect![[
            r#"options.seasons.x=5: unknown key "options.seasons.x" (options.seasons is a single value)"#
        ]],
    );
    check_setting(
        "cards.politicain.cost=20",
        &expect![[
            r#"cards.politicain.cost=20: unknown key "cards.politicain" (nearest: cards.politician)"#
        ]],
    );
    check_setting(
        "cards.politician.cost=-20",
        &expect![
            "cards.politician.cost=-20: cards.politician.cost: -20 is out of range (0 to 1000)"
        ],
    );
    check_setting(
        "province=[]",
        &expect!["province=[]: province is a list of tables: name one, as in province.achaia.…"],
    );
    check_setting(
        "province.atlantis.vp=[5]",
        &expect![[
            r#"province.atlantis.vp=[5]: there is no province "atlantis" (nearest: palestina)"#
        ]],
    );
    check_setting(
        "province.egypt.id=nile",
        &expect![[
            r#"province.egypt.id=nile: unknown key "province.egypt.id" (known: at, land, name, sea, tokens, vp)"#
        ]],
    );
    check_setting(
        "die.faces=infantry",
        &expect![[
            r#"die.faces=infantry: die.faces = "infantry": expected a list as in ["infantry","infantry","cavalry","catapult","galley","blank"]"#
        ]],
    );
}

#[test]
fn settings_take_every_form() {
    let mut rules = Rules::of::<Conquest2>();
    for setting in [
        "cards.politician.cost=20",
        "options.seasons = 5",
        "card.loot={ count = 2, cost = 15 }",
        "vote.capital=egypt",
        "vote.new_legions_in=[\"egypt\"]",
        "strait.messina.open=false",
        "province.sicilia.vp=[15, 10, 5]",
        "die.faces=[\"infantry\", \"blank\"]",
    ] {
        rules.set(setting).unwrap_or_else(|bad| panic!("{bad}"));
    }
    assert!(Conquest2::configure(4, &rules).is_ok());
    expect![[r#"{"cards":{"loot":{"cost":15,"count":2},"politician":{"cost":20}},"die":{"faces":["infantry","blank"]},"options":{"seasons":5},"province":{"sicilia":{"vp":[15,10,5]}},"strait":{"messina":{"open":false}},"vote":{"capital":"egypt","new_legions_in":["egypt"]}}"#]].assert_eq(&rules.overrides().to_string());
    let mut again = Rules::of::<Conquest2>();
    again.overlay_json(&rules.overrides()).expect("its own overrides");
    assert_eq!(again.to_json(), rules.to_json());
}

#[test]
fn card_is_another_name_of_cards() {
    let mut rules = Rules::of::<Conquest2>();
    rules
        .overlay(
            "r.toml",
            "[card]\nloot = { cost = 30 }\n[card.assassin]\ncost = 35\n[options]\nseasons = 5\n",
        )
        .unwrap_or_else(|bad| panic!("{bad}"));
    expect![[r#"{"cards":{"assassin":{"cost":35},"loot":{"cost":30}},"options":{"seasons":5}}"#]]
        .assert_eq(&rules.overrides().to_string());
    check(
        "[card]\nloot = { cost = -1 }\n",
        &expect!["r.toml:2: cards.loot.cost: -1 is out of range (0 to 1000)"],
    );
}

#[test]
fn the_board_file_shape_is_accepted() {
    let text = "[pools]\ninfantry = 20\n[card]\nsenator-1 = { count = 8, cost = 0 }\n\
        [diplomacy]\negypt = { infantry = 2 }\n[[province]]\nid = \"africa\"\nname = \"Africa\"\n\
        land = [\"cyrenaica\", \"numidia\"]\nsea = [\"mare-libycum\", \"mare-sabrata\"]\nat = [10, 34]\n";
    let mut rules = Rules::of::<Conquest2>();
    rules.overlay("board.toml", text).unwrap_or_else(|bad| panic!("{bad}"));
    assert!(Conquest2::configure(6, &rules).is_ok());
}
