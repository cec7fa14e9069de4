//! Rise of Empires: promises of the game, its audit over random games, and its configuration.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use engine::games::rise::Rise;
use engine::{
    Configure, Event, Game, Notation, Purpose, Rules, Turn, Walk, conformance, rng::stream,
};

#[test]
fn rise_keeps_its_promises_at_every_table() {
    for n_players in 2..=5 {
        conformance::check(&Rise::new(n_players), 5, 6);
    }
}

/// Rules that change the course of a turn, each in another way.
const VARIANTS: &[&[&str]] = &[
    &["action_display.a_turn_may_skip_action=true"],
    &["action_display.b_turn_pay_before_action=false"],
    &["action_display.b_turn_may_skip_action=false", "map_rules.zones_per_action=2"],
    &["stock.resource_discs_on_trade_track_are_in_supply=false", "stock.resource_discs=14"],
    &["empire_rules.zero_cubes_allowed=false", "empire_rules.battle_lines_by_era=[0, 2, 2]"],
    &["map_rules.reinforce_without_water=true", "map_rules.navigation_scope=owner"],
    &["food_track.min=4", "food_track.max=17", "start.vp=-7"],
    &["food_track.min=-9", "action_display.b_turn_cost_per_disc_to_the_left=3"],
    &["action_display.circles.territory=1", "action_display.circles.empire=1"],
    &["stock.actions_per_turn=9", "display.progress_per_turn=5", "display.territory_per_turn=4"],
    &["progress.shipping.effect.amount=3", "territory.island.count=30"],
    &["empire.8.front.areas=6", "start.cubes_in_pool=15", "start.cubes_in_general_stock=15"],
    &["map_rules.second_place_in_2p_game=false", "costs.decline_divisor=1"],
    &["progress.mercenaries.effect.cost.cubes=2", "progress.mercenaries.effect.water=true"],
    &["progress.mechanised_warfare.effect.attacker_loss=2", "empire_rules.attacker_loss_min=2"],
    &["map_rules.zones_per_action=0", "map_rules.zones_open_from_era=1"],
];

fn configured(n_players: usize, settings: &[&str]) -> Rise {
    let mut rules = Rules::of::<Rise>();
    settings.iter().for_each(|setting| rules.set(setting).unwrap());
    Rise::configure(n_players, &rules).unwrap()
}

/// Plays a random game, audits every position of it, and returns its length in plies.
fn audited(game: &Rise, index: u64) -> u32 {
    let mut walk = Walk::new(game, 3, index);
    let mut plies = 0;
    loop {
        let before = *walk.state();
        let event = walk.next();
        let after = walk.state();
        let audit = game.audit(after).and_then(|()| game.audit_step(&before, after));
        audit.unwrap_or_else(|fault| panic!("game {index}, ply {plies}: {fault}"));
        match event {
            Some(Event::Chance(_)) => {}
            Some(_) => plies += 1,
            None => return plies,
        }
    }
}

#[test]
fn no_invariant_breaks_in_random_games_under_any_rules() {
    for n_players in 2..=5 {
        let game = Rise::new(n_players);
        (0..20).for_each(|index| assert!(audited(&game, index) > 100));
        for settings in VARIANTS {
            let game = configured(n_players, settings);
            (0..6).for_each(|index| assert!(audited(&game, index) > 0));
        }
    }
}

#[test]
fn variants_keep_the_promises_of_a_game() {
    for (i, settings) in VARIANTS.iter().enumerate() {
        conformance::check(&configured(2 + i % 4, settings), 7, 2);
    }
}

#[test]
fn a_game_has_as_many_chance_events_as_the_rules_say() {
    for n_players in 2..=5 {
        let game = Rise::new(n_players);
        let events = Walk::new(&game, 1, 0);
        let chances = events.filter(|event| matches!(event, Event::Chance(_))).count();
        assert_eq!(chances, n_players - 1 + 3 * 8 + 3 * 10);
    }
}

#[test]
fn a_state_is_small() {
    let size = size_of::<<Rise as Game>::State>();
    assert!(size <= 1_024, "{size} bytes");
    assert!(size_of::<<Rise as Game>::Action>() <= 8);
}

/// Compares averages of uniformly random games with those of the rules page (21).
#[test]
fn random_games_are_as_long_and_as_high_as_the_rules_page_says() {
    for (n_players, plies, points) in
        [(2, 212.0, 69.0), (3, 322.0, 56.0), (4, 456.0, 42.0), (5, 551.0, 35.0)]
    {
        let game = Rise::new(n_players);
        let (mut sum, mut vp) = (0.0, 0.0);
        for index in 0..200 {
            let mut walk = Walk::new(&game, 8, index);
            let n = walk.by_ref().filter(|event| !matches!(event, Event::Chance(_))).count();
            sum += n as f64 / 200.0;
            let all: i32 = (0..n_players).map(|seat| walk.state().vp(seat)).sum();
            vp += f64::from(all) / n_players as f64 / 200.0;
        }
        println!("{n_players}: {sum} plies, {vp} points");
        assert!((sum - plies).abs() < 8.0, "{n_players} players: {sum} plies, not {plies}");
        assert!((vp - points).abs() < 8.0, "{n_players} players: {vp} points, not {points}");
    }
}

/// Plays a game in which everybody takes the first option, as free actions before discs and areas before the end of
/// placing, so that choices come one after the other. Returns their number.
fn choices_of_the_busy(game: &Rise) -> u32 {
    let mut rng = stream(5, 0, Purpose::Decks);
    let (mut state, mut options, mut choices) = (game.start(), Vec::new(), 0);
    loop {
        match game.turn(&state) {
            Turn::Player(player) => {
                options.clear();
                game.actions(&state, player, &mut options);
                game.apply(&mut state, options[0]);
                choices += 1;
            }
            Turn::Chance => {
                let outcome = game.draw(&state, &mut rng);
                game.apply(&mut state, outcome);
            }
            _ => return choices,
        }
    }
}

#[test]
fn no_game_has_more_choices_than_the_rules_bound() {
    let bounds = [2, 3, 4, 5].map(|n_players| Rise::new(n_players).max_game_length().unwrap());
    assert_eq!(bounds, [1_632, 2_200, 2_768, 3_336]);
    for (i, settings) in VARIANTS.iter().enumerate() {
        let game = configured(2 + i % 4, settings);
        let (choices, most) = (choices_of_the_busy(&game), game.max_game_length().unwrap());
        println!("{settings:?}: {choices} of {most}");
        assert!(choices <= most && 20 * choices > most, "{settings:?}: {choices} of {most}");
    }
}

fn complaint(settings: &[&str]) -> String {
    let mut rules = Rules::of::<Rise>();
    for setting in settings {
        if let Err(bad) = rules.set(setting) {
            return bad.to_string();
        }
    }
    Rise::configure(4, &rules).err().map_or_else(String::new, |bad| bad.to_string())
}

#[test]
fn what_the_rules_give_no_meaning_is_refused_with_its_key() {
    let refused: &[&[&str]] = &[
        &["meta.version=3"],
        &["players.max=6"],
        &["stock.territory_tiles=41"],
        &["stock.gold=many"],
        &["vp.min=zero"],
        &["display.cities_per_turn.IA=6"],
        &["tile_rules.territory_duplicates=false"],
        &["action_display.fill=left_to_right"],
        &["action_display.b_turn_cost_currencies=[\"gold\", \"silver\", \"vp\"]"],
        &["action_display.b_turn_cost_currencies=[\"vp\", \"gold\"]"],
        &["action_display.b_turn_cost_currencies=[\"gold\", \"gold\", \"vp\"]"],
        &["action_display.columns_by_players.4=0"],
        &["action_display.circles.city=0"],
        &["action_display.circles.city=13"],
        &["action_display.b_turn_cost_per_disc_to_the_left=24"],
        &["costs.decline_divisor=0"],
        &["costs.progress_gold_by_eras_old=[0, 1]"],
        &["start.gold=-1"],
        &["start.food=21"],
        &["start.cubes_in_pool=6"],
        &["start.resource_discs=11"],
        &["region.italy.era=4"],
        &["region.italy.vp=[3]"],
        &["region.italy.adjacent=[]"],
        &[
            "region.india.adjacent=[\"china\", \"egypt\"]",
            "region.egypt.adjacent=[\"north_africa\", \"middle_east\", \"mediterranean_sea\", \"india\"]",
        ],
        &["region.italy.symbol.vp=1"],
        &["region.italy.zone=far_east"],
        &["region.atlantis.era=1"],
        &["empire.3.front.areas=0"],
        &["empire.3.front.battles=[[1, 1], [1, 1], [1, 1]]"],
        &["empire.3.front.battles=[[1, 1, 1]]"],
        &["territory.plain.choice=[\"gold\", \"vp\"]"],
        &["trade.1.eras=[1, 1]"],
        &["trade.1.eras=[4]"],
        &["progress.shipping.effect.amount=40"],
        &["progress.religion.effect.condition=alone"],
        &["progress.masonry.effect.of=[\"village\"]"],
        &["progress.merchant_guilds.effect.gain.food=1"],
        &["progress.currency.effect.kind=empire"],
        &["city.rome.income.food=1"],
        &["city.rome.slot=IIA"],
        &["map_rules.navigation_scope=nobody"],
        &["display.leftovers_by_players.2=none"],
        &["gift.s7.seat1.vp=3"],
        &["gift.s1.seat1.progress.fire=true"],
        &["gift.s1.seat1.region.northern_europe=1"],
        &["gift.s1.seat1.region.india=1"],
    ];
    let mut text = String::new();
    for settings in refused {
        let bad = complaint(settings);
        assert!(!bad.is_empty(), "{settings:?} was taken");
        text += &format!("{bad}\n");
    }
    expect_test::expect_file!["../rise/refused.txt"].assert_eq(&text);
}

#[test]
fn what_only_looks_wrong_is_played() {
    let played: &[&[&str]] = &[
        &["territory.plain.count=11"],
        &["progress.irrigation.count=0"],
        &["action_display.columns_by_players.2=1"],
        &["progress.irrigation.effect.gain.gold=1"],
        &["region.north_america.symbol.gold=2"],
        &["trade.1.eras=[1, 2, 3]"],
        &["city.rome.income.cubes=1"],
        &["city.pyramids.food=-1"],
        &["region.india.adjacent=[]", "region.china.adjacent=[]"],
    ];
    for settings in played {
        audited(&configured(2, settings), 0);
    }
    let all: Vec<String> = Rules::of::<Rise>().to_json()["progress"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|tile| tile["era"] == 2)
        .map(|tile| format!("progress.{}.count=0", tile["id"].as_str().unwrap()))
        .collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    audited(&configured(3, &all), 0);
}

#[test]
fn a_record_shows_the_display_as_the_turn_before_left_it() {
    let game = Rise::new(4);
    let mut walk = Walk::new(&game, 2, 0);
    let mut shown = 0;
    while let Some(_event) = walk.next() {
        let state = walk.state();
        if Game::milestone(&game, state) == 5 && shown == 0 {
            let json = game.state_json(state);
            assert_eq!(json["turn"], 4);
            // The tiles of IIIA are still to come.
            let all: u64 = json["stacks"]["progress"]
                .as_object()
                .unwrap()
                .values()
                .map(|n| n.as_u64().unwrap())
                .sum();
            assert_eq!(all, 16);
            shown = 1;
        }
    }
    assert_eq!(shown, 1);
}

/// Checks the state between two turns: it is the one before forced plies, with which a turn may begin.
#[test]
fn a_record_shows_a_turns_end_before_forced_plies_of_the_next() {
    let game = configured(4, &["stock.actions_per_turn=1"]);
    let mut walk = Walk::new(&game, 7, 0);
    let mut shown = 0;
    while let Some(_event) = walk.next() {
        let json = game.state_json(walk.state());
        let discs: usize =
            json["discs"].as_array().unwrap().iter().map(|row| row.as_array().unwrap().len()).sum();
        if json["turn"] == 3 && shown == 0 {
            // IIA has placed four, and nothing of IIB is shown.
            assert_eq!(discs, 4);
            shown = 1;
        }
    }
    assert_eq!(shown, 1);
}
