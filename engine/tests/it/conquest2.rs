//! Properties of conquest2 under random play: every position passes the audit under all rules.

use engine::games::conquest2::{Conquest2, Phase, State};
use engine::{Configure, Event, Game, Notation, Player, Rules, Treatable, Walk};
use proptest::prelude::*;
use serde_json::Value;

/// Number of events of a game that are audited; some settings make very long games.
const MAX_EVENTS: usize = 3_000;

/// Numbers of the configuration with the range from which a test draws.
const NUMBERS: &[(&str, i64, i64)] = &[
    ("options.seasons", 1, 20),
    ("options.rounds", 1, 20),
    ("options.actions", 1, 20),
    ("options.money", 0, 200),
    ("options.tokens", 0, 20),
    ("options.cards", 0, 20),
    ("pools.infantry", 8, 31),
    ("pools.cavalry", 2, 31),
    ("pools.catapult", 1, 7),
    ("pools.galley", 1, 31),
    ("pools.general", 1, 7),
    ("pools.influence", 4, 31),
    ("prices.infantry", 0, 20),
    ("prices.galley", 0, 30),
    ("prices.general", 0, 40),
    ("prices.influence", 0, 30),
    ("start.infantry", 0, 31),
    ("start.cavalry", 0, 20),
    ("start.catapult", 0, 7),
    ("start.galley", 0, 8),
    ("start.general", 0, 7),
    ("start.caesar", 0, 1),
    ("start.influence", 0, 14),
    ("cards.senator-1.count", 0, 15),
    ("cards.assassin.count", 0, 15),
    ("cards.assassin.cost", 0, 20),
    ("cards.loot.count", 0, 15),
    ("cards.vote-hail-caesar.count", 0, 15),
    ("cards.vote-influence-in-rome.cost", 0, 15),
    ("cards.diplomacy-egypt.count", 0, 3),
    ("cards.politician.count", 0, 15),
    ("cards.bribe-senator.count", 0, 8),
    ("cards.bribe-senator.cost", 0, 10),
    ("cards.slave-revolt.count", 0, 15),
    ("cards.favorable-wind.count", 0, 15),
    ("cards.city-italia-neapolis.count", 0, 15),
    ("cards.barbarians-moesia.count", 0, 15),
    ("diplomacy.egypt.infantry", 0, 20),
    ("auction.step", 1, 20),
    ("auction.largest_raise", 0, 40),
    ("chaos.recruit", 0, 10),
    ("chaos.battle", 0, 10),
    ("chaos.city_relief", 0, 10),
    ("tax.special_steps", 1, 20),
    ("tax.special_talents", 0, 20),
    ("tax.influence", 0, 50),
    ("tax.city", 0, 50),
    ("buy.with_general", 0, 10),
    ("buy.with_caesar", 0, 10),
    ("move.galley_capacity", 0, 60),
    ("battle.dice", 0, 20),
    ("battle.city_dice", 0, 20),
    ("battle.max_rounds", 1, 100),
    ("battle.naval_rounds", 1, 100),
    ("battle.naval_dice", 0, 3),
    ("merchant.italia", 0, 50),
    ("loot.talents", 0, 100),
    ("vote.emergency_tax", 0, 100),
    ("vote.new_legions", 0, 31),
    ("vote.influence_in_rome", 0, 31),
    ("fleet.galleys", 0, 31),
    ("barbarians.units", 0, 20),
    ("barbarians.moesia.infantry", 0, 31),
    ("politician.influence", 0, 31),
    ("revolt.infantry", 1, 60),
    ("revolt.dice", 0, 20),
    ("province.egypt.tokens", 0, 30),
];

/// Settings other than numbers.
const OTHERS: &[&str] = &[
    "options.untaken_cards_stay=false",
    "options.vp_below_zero=false",
    "start.senators_from_deck=false",
    "start.senators=[0, 0, 0, 0]",
    "start.senators=[2, 1, 0, 0]",
    "start.no_influence=[]",
    "start.no_influence=[\"egypt\", \"italia\"]",
    "auction.allied_may_bid=false",
    "chaos.relief_is_permanent=false",
    "chaos.penalties=[]",
    "chaos.penalties=[20, 15, 10, 5]",
    "chaos.zero_is_safe=false",
    "battle.any_leader_counts=false",
    "battle.both_lose=false",
    "merchant.needs_influence=false",
    "city.needs_unit=false",
    "vote.capital=\"egypt\"",
    "vote.capital=\"africa\"",
    "vote.new_legions_in=[]",
    "die.faces=[\"blank\"]",
    "die.faces=[\"infantry\"]",
    "die.faces=[\"galley\", \"cavalry\", \"infantry\"]",
    "strait.gibraltar.open=false",
    "strait.messina.open=false",
    "strait.italia-corsica.open=true",
    "province.sicilia.vp=[]",
    "province.africa.vp=[30, 20, 10]",
    "province.africa.tokens=9",
];

fn setting() -> impl Strategy<Value = String> {
    let number = (0..NUMBERS.len()).prop_flat_map(|i| {
        let (key, least, most) = NUMBERS[i];
        prop_oneof![least..=most, Just(least), Just(most)].prop_map(move |n| format!("{key}={n}"))
    });
    let other = (0..OTHERS.len()).prop_map(|i| OTHERS[i].to_owned());
    prop_oneof![3 => number, 1 => other]
}

/// Returns the game under those of `settings` that are compatible.
fn game_with(n_players: usize, settings: &[String]) -> Conquest2 {
    let mut rules = Rules::of::<Conquest2>();
    for setting in settings {
        let mut tried = rules.clone();
        tried.set(setting).expect("a key and a type of the rules");
        if Conquest2::configure(n_players, &tried).is_ok() {
            rules = tried;
        }
    }
    Conquest2::configure(n_players, &rules).expect("the settings were tried")
}

fn audit_walk(game: &Conquest2, seed: u64) -> Result<(), TestCaseError> {
    let mut walk = Walk::new(game, seed, 0);
    let mut choices = 0;
    for step in 0..MAX_EVENTS {
        let before = *walk.state();
        let event = walk.next();
        let after = walk.state();
        let audit = game.audit(after).and_then(|()| game.audit_step(&before, after));
        prop_assert_eq!(audit, Ok(()), "step {}: {:?}", step, event);
        if event.is_none() {
            break;
        }
        choices += u32::from(matches!(event, Some(Event::Action(..))));
    }
    prop_assert!(game.max_game_length().is_some_and(|most| choices <= most), "{} choices", choices);
    Ok(())
}

/// Checks [`Treatable::fighting`]: it counts each fight once, since a fight is over before the turn goes on.
#[test]
fn fights_are_told_where_they_are_fought_and_not_beside() {
    let mut n_fights = 0;
    for seed in 0..30 {
        let game = Conquest2::new(2 + seed as usize % 5);
        let mut walk = Walk::new(&game, seed, 0);
        let mut before = None;
        while walk.next().is_some() {
            let state = walk.state();
            let place = game.fighting(state).map(str::to_owned);
            if let Some(place) = &place {
                assert!(!matches!(state.phase(), Phase::Top | Phase::Over), "{:?}", state.phase());
                let mut held = Vec::new();
                game.holdings(state, &mut held);
                assert!(held.iter().any(|(name, _)| name == place), "{place}");
            }
            n_fights += u32::from(place.is_some() && place != before);
            before = place;
        }
        assert_eq!(game.fighting(walk.state()), None);
    }
    assert!(n_fights > 30, "{n_fights}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn every_position_passes_the_audit(n_players in 2usize..=6, seed: u64) {
        audit_walk(&Conquest2::new(n_players), seed)?;
    }

    #[test]
    fn every_position_passes_the_audit_under_other_rules(
        n_players in 2usize..=6,
        seed: u64,
        settings in prop::collection::vec(setting(), 1..16),
    ) {
        audit_walk(&game_with(n_players, &settings), seed)?;
    }

    /// Checks clause 21: at a table of two nothing is hidden, so a determinization changes nothing.
    #[test]
    fn two_players_hide_nothing(seed: u64) {
        let game = Conquest2::new(2);
        prop_assert!(!game.hides_at_this_table());
        let mut walk = Walk::new(&game, seed, 0);
        while walk.next().is_some() {
            for observer in Player::all(2) {
                let mut world = *walk.state();
                game.determinize(&mut world, observer, walk.choices());
                prop_assert_eq!(&world, walk.state());
            }
        }
    }
}

/// Returns the hands of Senators, and the rest of a state in the form of a record.
fn hands_and_rest(game: &Conquest2, state: &State) -> (Vec<Vec<u64>>, Value) {
    let mut json = game.state_json(state);
    let players = json["players"].as_array_mut().expect("a list of players");
    let hands = players
        .iter_mut()
        .map(|player| {
            let hand = player["senators"].take();
            hand.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
        })
        .collect();
    (hands, json)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, ..ProptestConfig::default() })]

    /// Checks clause 21: a determinization keeps the observer's own hand, the size of every hand, and all that lies on
    /// the table.
    #[test]
    fn sampled_worlds_agree_with_what_was_seen(n_players in 3usize..=6, seed: u64) {
        let settings = ["options.cards=4", "cards.bribe-senator.count=8", "cards.bribe-senator.cost=0"];
        let game = game_with(n_players, &settings.map(str::to_owned));
        let mut walk = Walk::new(&game, seed, 0);
        for step in 0usize.. {
            if walk.next().is_none() {
                break;
            }
            let here = *walk.state();
            for observer in Player::all(n_players).filter(|_| step % 8 == 0) {
                let mut world = here;
                game.determinize(&mut world, observer, walk.choices());
                prop_assert_eq!(game.audit(&world), Ok(()));
                prop_assert_eq!(game.info_state_key(&world, observer), game.info_state_key(&here, observer));
                let ((hands, rest), (sampled, public)) =
                    (hands_and_rest(&game, &here), hands_and_rest(&game, &world));
                prop_assert_eq!(rest, public);
                prop_assert_eq!(&hands[observer.idx()], &sampled[observer.idx()]);
                for (hand, other) in hands.iter().zip(&sampled) {
                    prop_assert_eq!(hand.iter().sum::<u64>(), other.iter().sum::<u64>());
                }
            }
        }
    }
}

/// Checks the ends of all ranges at once: nothing overflows.
#[test]
fn the_largest_numbers_pass_the_audit() {
    let settings: Vec<String> =
        NUMBERS.iter().map(|(key, _, most)| format!("{key}={most}")).collect();
    for n_players in 2..=6 {
        let game = game_with(n_players, &settings);
        (0..3).for_each(|seed| audit_walk(&game, seed).expect("no broken invariant"));
    }
}

/// Checks clause 7: a player with several starting units places each separately, and decides nothing about absent
/// kinds.
#[test]
fn each_unit_of_a_start_is_a_place_of_its_own() {
    for starts in [[1, 1, 1], [0, 2, 3], [1, 0, 0], [0, 4, 2]] {
        let kinds = ["caesar", "general", "galley"];
        let settings: Vec<String> =
            kinds.iter().zip(starts).map(|(kind, n)| format!("start.{kind}={n}")).collect();
        let game = game_with(3, &settings);
        let mut placed = [0; 3];
        for event in Walk::new(&game, 5, 0) {
            let Event::Action(_, action) = event else { continue };
            let text = game.action_text(action);
            for (n, kind) in placed.iter_mut().zip(kinds) {
                *n += usize::from(text.starts_with(&format!("place {kind} ")));
            }
        }
        assert_eq!(placed, starts.map(|n| 3 * n), "{starts:?}");
    }
}

/// Checks 6.6 of the records: a snapshot shows the alliances of the season just played. This holds even if the next
/// season draws nothing and its auctions have begun.
#[test]
fn a_snapshot_shows_the_alliances_of_its_season() {
    let mut rules = Rules::of::<Conquest2>();
    for setting in ["options.tokens=0", "options.cards=0", "options.rounds=1"] {
        rules.set(setting).expect("a setting of the rules");
    }
    let game = Conquest2::configure(4, &rules).expect("good rules");
    let mut walk = Walk::new(&game, 1, 0);
    while game.milestone(walk.state()) < 2 {
        walk.next().expect("the game goes on");
    }
    let alliances = game.state_json(walk.state())["alliance"].to_string();
    assert_eq!(alliances.matches("\"A\"").count(), 2, "{alliances}");
}
