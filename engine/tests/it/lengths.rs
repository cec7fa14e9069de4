//! The largest number of choices in a game: no game of conquest2 and classic exceeds it, however it is played.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use engine::games::classic::Classic;
use engine::games::conquest2::Conquest2;
use engine::rng::stream;
use engine::{Configure, Game, Purpose, Rules, Turn};

fn configured<G: Configure>(n_players: usize, settings: &[&str]) -> G {
    let mut rules = Rules::of::<G>();
    settings.iter().for_each(|setting| rules.set(setting).unwrap());
    G::configure(n_players, &rules).unwrap()
}

/// A way to choose: the place of a choice among so many options, by a number that changes from choice to choice.
type Style = fn(usize, usize) -> usize;

/// The first option; the last one; the last of two and the first of more, by which bids rise step by step and nobody
/// retreats; and all of them in turn.
const STYLES: [Style; 4] =
    [|_, _| 0, |n, _| n - 1, |n, _| usize::from(n == 2), |n, number| (number * 7_919) % n];

/// Plays a game of two ways to choose, seat by seat, and returns its number of choices.
fn choices<G: Game>(game: &G, seed: u64, styles: [Style; 2]) -> u32 {
    let mut rng = stream(seed, 0, Purpose::Dice);
    let (mut state, mut options, mut number) = (game.start(), Vec::new(), 0);
    loop {
        match game.turn(&state) {
            Turn::Player(player) => {
                options.clear();
                game.actions(&state, player, &mut options);
                let style = styles[player.idx() % styles.len()];
                game.apply(&mut state, options[style(options.len(), number)]);
                number += 1;
            }
            Turn::Chance => {
                let outcome = game.draw(&state, &mut rng);
                game.apply(&mut state, outcome);
            }
            _ => return number as u32,
        }
    }
}

/// Asserts that no game of `game` has more choices than its bound, and returns the largest number and the bound.
fn held<G: Game>(game: &G, what: &str) -> [u32; 2] {
    let most = game.max_game_length().unwrap();
    let pairs = STYLES.iter().flat_map(|&a| STYLES.map(|b| [a, b]));
    let longest = (1..).zip(pairs).map(|(seed, styles)| choices(game, seed, styles)).max().unwrap();
    println!("{what}: {longest} of {most}");
    assert!(longest <= most, "{what}: {longest} choices, more than {most}");
    [longest, most]
}

/// Rules of conquest2 that make parts of a game long.
const LONG: &[&[&str]] = &[
    &["battle.max_rounds=100", "die.faces=[\"blank\"]", "options.actions=4"],
    &["battle.naval_rounds=100", "die.faces=[\"blank\", \"infantry\"]", "pools.galley=31"],
    &["cards.slave-revolt.count=15", "options.cards=20", "revolt.infantry=60"],
    &["cards.vote-hail-caesar.count=15", "options.cards=20", "start.senators_from_deck=false"],
    &["auction.step=1", "auction.allied_may_bid=false", "tax.special_talents=20"],
    &["start.general=4", "start.galley=8", "start.influence=7", "options.seasons=1"],
    &["buy.with_caesar=10", "prices.influence=0", "options.money=1000"],
];

#[test]
fn no_game_of_conquest2_has_more_choices_than_the_rules_bound() {
    let bounds =
        [2, 3, 4, 5, 6].map(|n_players| Conquest2::new(n_players).max_game_length().unwrap());
    assert_eq!(bounds, [74_197, 140_280, 212_397, 312_548, 414_733]);
    for n_players in 2..=6 {
        held(&Conquest2::new(n_players), &format!("{n_players} players"));
        for settings in LONG {
            held(
                &configured::<Conquest2>(n_players, settings),
                &format!("{n_players}: {settings:?}"),
            );
        }
    }
    // Two who outbid each other step by step come near.
    let bidders = [
        "auction.step=1",
        "options.money=1000",
        "options.seasons=1",
        "options.rounds=1",
        "options.actions=1",
        "battle.max_rounds=1",
        "cards.slave-revolt.count=0",
    ];
    let [longest, most] = held(&configured::<Conquest2>(2, &bidders), "bidders");
    assert!(2 * longest > most, "{longest} of {most}");
    let treated = configured::<Conquest2>(2, &["gift.s1.seat0.talents=5"]);
    assert_eq!(treated.max_game_length(), None, "gifts are in no bound");
}

#[test]
fn no_game_of_classic_has_more_choices_than_the_rules_bound() {
    let bounds =
        [2, 3, 4, 5, 6].map(|n_players| Classic::new(n_players).max_game_length().unwrap());
    assert_eq!(bounds, [398_360, 605_988, 819_248, 1_038_140, 1_262_664]);
    let all: [&[&str]; 5] = [
        &[],
        &["options.variant=\"base\""],
        &["battle.land_rounds=100", "die.faces=[\"blank\"]", "options.final_round=30"],
        &["start.talents=1000", "prices.infantry=0", "prices.galley=0", "prices.road=0"],
        &["movement.general=3", "movement.galley=2", "start.infantry=20", "pools.galley=15"],
    ];
    for n_players in 2..=6 {
        for settings in all {
            held(
                &configured::<Classic>(n_players, settings),
                &format!("{n_players}: {settings:?}"),
            );
        }
    }
}

#[test]
fn the_bound_grows_with_each_number_that_makes_games_longer() {
    for longer in [
        "options.seasons=5",
        "options.rounds=5",
        "options.actions=3",
        "options.money=100",
        "auction.step=4",
        "tax.city=10",
        "battle.max_rounds=51",
        "cards.slave-revolt.count=2",
        "cards.vote-new-legions.count=2",
        "start.galley=2",
    ] {
        let [usual, more] = [&[][..], &[longer]]
            .map(|settings| configured::<Conquest2>(4, settings).max_game_length());
        assert!(more > usual, "{longer}: {more:?}");
    }
    for longer in [
        "options.final_round=13",
        "battle.land_rounds=21",
        "pools.infantry=21",
        "stock.road=21",
        "start.infantry=7",
        "pools.galley=9",
    ] {
        let [usual, more] = [&[][..], &[longer]]
            .map(|settings| configured::<Classic>(4, settings).max_game_length());
        assert!(more > usual, "{longer}: {more:?}");
    }
}
