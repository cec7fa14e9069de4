//! Tests that the luck of dice has mean 0 after every history, for every game that measures it.

use agents::{DiceLuck, Observable};
use engine::games::conquest2::Conquest2;
use engine::games::pig::Pig;
use engine::walk::{Event, Walk};
use engine::{ByPlayer, Configure, Rules, Turn};

/// Maximum number of listed outcomes of an event. Rolls of whole navies have tens of thousands.
const MOST_OUTCOMES: usize = 500;
/// The allowed rounding error, in points.
const NOTHING: f64 = 1e-9;

fn of<G: Configure>(players: usize) -> G {
    G::configure(players, &Rules::of::<G>()).expect("default rules")
}

/// Checks every event of some random games. The luck of its outcomes must have mean 0 by the probabilities of the
/// rules, and must add up to 0 over the seats. Returns the number of events with luck.
fn has_mean_zero_at_every_event<G: Observable>(game: &G, games: u64) -> u32 {
    let mut meter = game.dice_luck().expect("a game with dice");
    let (mut outcomes, mut weighed) = (Vec::new(), 0);
    for index in 0..games {
        let mut walk = Walk::new(game, 3, index);
        while game.turn(walk.state()) != Turn::Over {
            let state = *walk.state();
            walk.next();
            if game.turn(&state) != Turn::Chance {
                continue;
            }
            outcomes.clear();
            game.outcomes(&state, &mut outcomes);
            if outcomes.len() <= MOST_OUTCOMES {
                weighed += u32::from(has_mean_zero(game, &mut *meter, &state, &outcomes));
            }
        }
    }
    weighed
}

/// Checks one event. Returns whether it had luck.
fn has_mean_zero<G: Observable>(
    game: &G,
    meter: &mut dyn DiceLuck<G>,
    state: &G::State,
    outcomes: &[(G::Action, f64)],
) -> bool {
    let mut mean = [0.0; 6];
    let mut gives = false;
    for &(outcome, probability) in outcomes {
        let mut luck = ByPlayer::<f64>::default();
        meter.add(game, state, outcome, &mut luck);
        gives |= luck.0.iter().any(|luck| luck.abs() > NOTHING);
        assert!(luck.0.iter().sum::<f64>().abs() < NOTHING, "{luck:?} in {state:?}");
        assert!(luck.0.iter().all(|luck| luck.abs() <= 1.0), "{luck:?} in {state:?}");
        mean.iter_mut().zip(luck.0).for_each(|(mean, luck)| *mean += probability * luck);
    }
    assert!(mean.iter().all(|mean| mean.abs() < NOTHING), "{mean:?} in {state:?}");
    gives
}

#[test]
fn every_roll_gives_nothing_on_average() {
    for players in [2, 4, 6] {
        let weighed = has_mean_zero_at_every_event(&of::<Conquest2>(players), 4);
        println!("conquest2 with {players} players: {weighed} rolls");
        assert!(weighed > 25, "{players} players: {weighed} rolls");
    }
    let weighed = has_mean_zero_at_every_event(&of::<Pig>(3), 20);
    assert!(weighed > 400, "{weighed} rolls");
}

/// Returns luck and points of random games.
fn played<G: Observable>(game: &G, games: u64) -> Vec<(ByPlayer<f64>, ByPlayer<f32>)> {
    let mut meter = game.dice_luck().expect("a game with dice");
    let play = |index| {
        let mut luck = ByPlayer::default();
        let mut walk = Walk::new(game, 15, index);
        let mut before = *walk.state();
        while let Some(event) = walk.next() {
            if let Event::Chance(outcome) = event {
                meter.add(game, &before, outcome, &mut luck);
            }
            before = *walk.state();
        }
        (luck, game.payoffs(&before))
    };
    (0..games).map(play).collect()
}

/// Returns the largest distance of a seat's mean luck from 0, in standard errors. Also returns the share of the
/// variance of points that luck explains.
fn over_random_games<G: Observable>(game: &G, games: u64) -> (f64, f64) {
    let rows = played(game, games);
    let (n, m) = (game.n_players(), rows.len() as f64);
    let (mut worst, mut explained): (f64, f64) = (0.0, 0.0);
    for seat in 0..n {
        let pairs = || rows.iter().map(|(luck, points)| (luck.0[seat], f64::from(points.0[seat])));
        let mean = |of: &dyn Fn((f64, f64)) -> f64| pairs().map(of).sum::<f64>() / m;
        let (mean_x, mean_y) = (mean(&|(x, _)| x), mean(&|(_, y)| y));
        let var_x = mean(&|(x, _)| (x - mean_x).powi(2));
        let var_y = mean(&|(_, y)| (y - mean_y).powi(2));
        let cov = mean(&|(x, y)| (x - mean_x) * (y - mean_y));
        worst = worst.max((mean_x / (var_x / m).sqrt()).abs());
        explained += cov * cov / (var_x * var_y) / n as f64;
    }
    (worst, explained)
}

#[test]
fn luck_has_mean_zero_over_thousands_of_games_and_goes_with_winning() {
    // The largest of three standard normal numbers is below 3.3 in 99.7 of 100 samples.
    let (worst, explained) = over_random_games(&of::<Conquest2>(3), 2_000);
    println!("conquest2: mean luck {worst:.2} standard errors from 0, R² {explained:.3}");
    assert!(worst < 3.3, "{worst}");
    let (worst, explained) = over_random_games(&of::<Pig>(2), 3_000);
    println!("pig: mean luck {worst:.2} standard errors from 0, R² {explained:.3}");
    assert!(worst < 3.3 && explained > 0.2, "{worst} {explained}");
}

macro_rules! declared {
    ($($name:literal => $game:ty),* $(,)?) => {
        #[test]
        fn a_game_says_what_its_luck_is_of_exactly_where_it_has_some() {
            let mut with = Vec::new();
            $(
                let game = of::<$game>(<$game as Configure>::about().default_players);
                assert_eq!(game.dice_luck().is_some(), <$game as Observable>::DICE.is_some());
                with.extend(<$game as Observable>::DICE.map(|_| $name));
            )*
            // Conflicts of hannibal and stacks of imperium are choices, and circus has no dice.
            assert_eq!(with, ["conquest2", "pig"]);
        }
    };
}
engine::catalogue!(declared);
