//! The luck of dice has mean 0 whatever happens, by every game that says it has some.

use agents::{DiceLuck, Playable};
use engine::games::conquest2::Conquest2;
use engine::games::pig::Pig;
use engine::walk::{Event, Walk};
use engine::{ByPlayer, Configure, Rules, Turn};

/// Most outcomes of an event that are listed; rolls of whole navies have tens of thousands.
const MOST_OUTCOMES: usize = 500;

/// The luck of dice in one random game, and how many events had some.
fn luck_of_a_game<G: Playable>(
    game: &G,
    meter: &mut dyn DiceLuck<G>,
    index: u64,
) -> (ByPlayer<f64>, u32) {
    let (mut luck, mut events) = (ByPlayer::default(), 0);
    let mut walk = Walk::new(game, 15, index);
    let mut before = *walk.state();
    while let Some(event) = walk.next() {
        if let Event::Chance(outcome) = event {
            let mut own = ByPlayer::default();
            meter.hear(game, &before, outcome, &mut own);
            events += u32::from(own != ByPlayer::default());
            luck.0.iter_mut().zip(own.0).for_each(|(luck, own)| *luck += own);
        }
        before = *walk.state();
    }
    (luck, events)
}

/// Every event of some random games: what its outcomes give has mean 0 by the probabilities of the rules, and adds up
/// to 0 over the seats.
fn has_mean_zero_at_every_event<G: Playable>(game: &G, games: u64) -> u32 {
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
            if outcomes.len() > MOST_OUTCOMES {
                continue;
            }
            let mut mean = [0.0; 6];
            let mut has_any = false;
            for &(outcome, probability) in &outcomes {
                let mut luck = ByPlayer::<f64>::default();
                meter.hear(game, &state, outcome, &mut luck);
                has_any |= luck.0.iter().any(|&l| l != 0.0);
                assert!(luck.0.iter().sum::<f64>().abs() < 1e-9, "{luck:?} in {state:?}");
                assert!(luck.0.iter().all(|l| l.abs() <= 1.0), "{luck:?} in {state:?}");
                mean.iter_mut().zip(luck.0).for_each(|(mean, l)| *mean += probability * l);
            }
            assert!(mean.iter().all(|m| m.abs() < 1e-9), "{mean:?} in {state:?}");
            weighed += u32::from(has_any);
        }
    }
    weighed
}

fn of<G: Playable>(players: usize) -> G {
    G::configure(players, &Rules::of::<G>()).expect("default rules")
}

#[test]
fn every_roll_gives_nothing_on_average() {
    for players in [2, 4, 6] {
        let weighed = has_mean_zero_at_every_event(&of::<Conquest2>(players), 4);
        assert!(weighed > 40, "{players} players: {weighed} rolls");
    }
    let weighed = has_mean_zero_at_every_event(&of::<Pig>(3), 20);
    assert!(weighed > 400, "{weighed}");
}

/// The mean luck of seats over many random games, in standard errors; and the share of the variance of points that luck
/// explains.
fn over_random_games<G: Playable>(game: &G, games: u64) -> (f64, f64) {
    let mut meter = game.dice_luck().expect("a game with dice");
    let n = game.n_players();
    let (mut worst, mut explained): (f64, f64) = (0.0, 0.0);
    let mut rows = Vec::new();
    for index in 0..games {
        let (luck, events) = luck_of_a_game(game, &mut *meter, index);
        assert!(luck.0[..n].iter().sum::<f64>().abs() < 1e-9 && events > 0);
        let end = Walk::new(game, 15, index);
        let mut end = end;
        while end.next().is_some() {}
        rows.push((luck, game.payoffs(end.state())));
    }
    let m = rows.len() as f64;
    for seat in 0..n {
        let x = || rows.iter().map(|(luck, _)| luck.0[seat]);
        let y = || rows.iter().map(|(_, points)| f64::from(points.0[seat]));
        let (mean_x, mean_y) = (x().sum::<f64>() / m, y().sum::<f64>() / m);
        let var_x = x().map(|x| (x - mean_x).powi(2)).sum::<f64>() / m;
        let var_y = y().map(|y| (y - mean_y).powi(2)).sum::<f64>() / m;
        let cov = x().zip(y()).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / m;
        worst = worst.max((mean_x / (var_x / m).sqrt()).abs());
        explained += cov * cov / (var_x * var_y) / n as f64;
    }
    (worst, explained)
}

#[test]
fn luck_has_mean_zero_over_thousands_of_games_and_goes_with_winning() {
    // The largest of n independent standard scores is below 3.3 in 99.7 of 100 samples of three.
    let (worst, explained) = over_random_games(&of::<Conquest2>(3), 1_500);
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
                assert_eq!(game.dice_luck().is_some(), <$game as Playable>::DICE.is_some());
                with.extend(<$game as Playable>::DICE.map(|_| $name));
            )*
            // Conflicts of hannibal and stacks of imperium are chosen, and nothing in circus is thrown.
            assert_eq!(with, ["conquest2", "pig"]);
        }
    };
}
engine::catalogue!(declared);
