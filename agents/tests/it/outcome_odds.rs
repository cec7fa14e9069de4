//! Tests of the odds of battles under way, against the odds of an explicit question and against dice.

use agents::odds::{BattleOdds, Question, Verdict};
use agents::{Observable, OutcomeOdds};
use engine::games::classic::{Classic, Muster, Phase, State};
use engine::games::conquest2::Conquest2;
use engine::walk::Walk;
use engine::{Game, Player, Purpose, Turn, rng};

/// The words for the verdicts, in the order of the result.
const WORDS: [(&str, Verdict); 4] = [
    ("the attacker wins", Verdict::Attacker),
    ("the defender", Verdict::Defender),
    ("both are gone", Verdict::BothGone),
    ("undecided", Verdict::Undecided),
];

/// Returns the odds of a battle in which a round is due; `None` elsewhere.
fn look<G: Observable>(game: &G, state: &G::State) -> Option<[f64; 4]> {
    let mut odds: Box<dyn OutcomeOdds<G>> = game.outcome_odds().expect("the game knows its odds");
    let odds_at = odds.look(game, state);
    let chances = WORDS.map(|(word, _)| {
        odds_at.iter().find(|(what, _)| *what == word).map_or(0.0, |(_, chance)| *chance)
    });
    (!odds_at.is_empty()).then_some(chances)
}

fn probabilities<G: Observable>(game: &G, state: &G::State) -> [f64; 4] {
    look(game, state).expect("a round is due")
}

fn probabilities_of<G: Observable>(game: &G, sides: [&str; 2], at_sea: bool) -> [f64; 4] {
    let question = Question { sides, at_sea, has_retreats: false };
    let battle_odds: BattleOdds =
        game.battle_calculator().expect("odds").battle_odds(&question).expect("a battle");
    WORDS.map(|(_, verdict)| {
        battle_odds.ends.iter().filter(|end| end.verdict == verdict).map(|end| end.chance).sum()
    })
}

#[track_caller]
fn assert_close(one: [f64; 4], other: [f64; 4]) {
    let is_close = one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(is_close, "{one:?} {other:?}");
    assert!((one.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{one:?}");
}

#[test]
fn a_land_battle_of_classic_is_told_with_the_legions_that_were_chosen() {
    let game = Classic::new(4);
    let muster = |infantry, cavalry, catapults| Muster {
        army: [infantry, cavalry, catapults, 0],
        ..Muster::default()
    };
    let attacker = Muster { generals: 1, ..muster(9, 3, 2) };
    let defender = Muster { has_fort: true, ..muster(4, 1, 0) };
    let mut state = game.battle_between([attacker, defender]).expect("a battle");
    assert!(look(&game, &state).is_none(), "no legion is chosen yet");
    let (mut best, mut worst) = (state, state);
    while best.phase() == Phase::Legion {
        let reply = game.plain_reply(&best, true);
        game.apply(&mut best, reply);
    }
    while worst.phase() == Phase::Legion {
        // The reply takes as many infantry as possible, although other troops hit more.
        let reply = game.nth_option(&worst, game.n_options(&worst) - 1);
        game.apply(&mut worst, reply);
    }
    let strong = probabilities(&game, &best);
    assert_close(strong, probabilities_of(&game, ["9i 3c 2k 1l", "4i 1c fort"], false));
    assert!(probabilities(&game, &worst)[0] < strong[0]);
    // Between two rolls of a round the continuation is unknown.
    state = best;
    let roll = game.draw(&state, &mut rng::stream(1, 0, Purpose::Dice));
    game.apply(&mut state, roll);
    assert!(look(&game, &state).is_none());
}

/// Returns the galleys of both sides of a naval battle of classic.
fn galleys(state: &State, sides: [Player; 2], zone: engine::games::classic::Place) -> [u8; 2] {
    sides.map(|player| state.galleys(player, zone))
}

#[test]
fn naval_battles_of_classic_end_as_their_dice_say() {
    let game = Classic::new(4);
    let mut found = 0;
    for index in 0..400 {
        let mut walk = Walk::new(&game, 8, index);
        while game.turn(walk.state()) != Turn::Over && found < 3 {
            let state = *walk.state();
            let is_due = game.engagement(&state).is_some_and(|battle| {
                battle.at_sea && battle.sides.iter().all(|side| side.army[3] > 0)
            });
            let total: u8 = game
                .engagement(&state)
                .map_or(0, |battle| battle.sides.iter().map(|side| side.army[3]).sum());
            if is_due && total >= 2 + found {
                found += 1;
                fight_at_sea(&game, &state);
            }
            walk.next();
        }
    }
    assert_eq!(found, 3, "battles at sea were fought");
}

fn fight_at_sea(game: &Classic, start: &State) {
    const BATTLES: u64 = 20_000;
    let (zone, defender) = start.battle().expect("a battle");
    let sides = [start.turn(), defender.expect("a player defends at sea")];
    let mut ends = [0_u64; 4];
    for battle in 0..BATTLES {
        let mut dice = rng::fast(&mut rng::stream(5, battle, Purpose::Dice));
        let mut state = *start;
        while state.phase() == Phase::NavalDice && state.battle() == start.battle() {
            let roll = game.draw(&state, &mut dice);
            game.apply(&mut state, roll);
        }
        ends[match galleys(&state, sides, zone) {
            [n, 0] if n > 0 => 0,
            [0, n] if n > 0 => 1,
            [0, 0] => 2,
            _ => 3,
        }] += 1;
    }
    let n = BATTLES as f64;
    for (chance, seen) in probabilities(game, start).into_iter().zip(ends) {
        let allowed = 4.0 * (n * chance * (1.0 - chance)).sqrt() + 3.0;
        assert!((seen as f64 - n * chance).abs() <= allowed, "{chance} {seen} of {BATTLES}");
    }
}

#[test]
fn naval_battles_of_conquest2_are_told_as_if_somebody_asked_for_them() {
    let game = Conquest2::new(4);
    let naval_dice = game.battle_rules().naval_dice;
    let mut found = 0;
    for index in 0..200 {
        let mut walk = Walk::new(&game, 9, index);
        while game.turn(walk.state()) != Turn::Over && found < 20 {
            let state = *walk.state();
            let situation = game.situation(&state);
            if situation.is_naval_battle() && situation.is_round_due() {
                let galleys = situation.battle_dice().map(|dice| dice / naval_dice.max(1));
                let counted = engine::games::conquest2::Side::ALL.map(|side| {
                    let on_side =
                        situation.players().filter(|&q| situation.side_of(q) == Some(side));
                    let own: u8 = on_side.map(|q| situation.engaged(q)[3]).sum();
                    own + situation.neutral_troops()[side][3]
                });
                let chances = probabilities(&game, &state);
                assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{chances:?}");
                // Without trainings, and from the first round on, the question describes this battle.
                if situation.battle_round() == 1 && galleys == counted {
                    let sides = counted.map(|n| format!("{n} galleys"));
                    assert_close(chances, probabilities_of(&game, [&sides[0], &sides[1]], true));
                    found += 1;
                }
            }
            walk.next();
        }
    }
    assert!(found >= 5, "{found} battles at sea");
}
