//! Tests of Conquest of the Empire (Classic): greedy beats random play, styles act as named, macro-actions are legal,
//! and leaves have values at every boundary of a game.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agents::guide::Evaluator;
use agents::{Observable, Playable, Settings};
use engine::games::classic::{Classic, Phase, State};
use engine::{Configure, Game, Player, Rules, Turn};

use crate::played::{end_of, play};

fn configured(n_players: usize, settings: &[&str]) -> Classic {
    let mut rules = Rules::of::<Classic>();
    settings.iter().for_each(|setting| rules.set(setting).unwrap());
    Classic::configure(n_players, &rules).unwrap()
}

#[test]
fn greedy_beats_chance_at_every_table() {
    for n_players in 2..=6 {
        let game = Classic::new(n_players);
        let mut points = 0.0;
        for index in 0..4 {
            let mut specs = vec!["random"; n_players];
            let hero = index as usize % n_players;
            specs[hero] = "greedy";
            points += game.payoffs(&end_of(&game, &specs, index)).0[hero];
        }
        assert!(points >= 3.0, "{n_players} players: {points} of 4");
    }
}

/// Returns a feature of the first seat at the end, summed over this number of games of four.
fn counted(spec: &str, feature: &str, games: u64) -> f64 {
    let game = Classic::new(4);
    let place = Classic::FEATURES.iter().position(|f| f.name == feature).unwrap();
    let (mut sum, mut looks) = (0.0, 0.0);
    for index in 0..games {
        let specs = [spec, "greedy", "greedy", "greedy"];
        play(&game, &specs, index, |s| {
            if s.phase() == Phase::Market && s.turn() == Player::new(0) {
                let mut out = Vec::new();
                game.features(s, &mut out);
                sum += out[place][Player::new(0)];
                looks += 1.0;
            }
        });
    }
    sum / looks
}

#[test]
fn styles_do_what_they_are_called_after() {
    let of = |style: &str, feature: &str| counted(&format!("greedy(style={style})"), feature, 4);
    assert!(of("hoarder", "talents") > of("raider", "talents"));
    let works = |style: &str| of(style, "cities") + of(style, "roads");
    assert!(works("builder") > works("raider"));
}

#[test]
fn whole_actions_are_legal_at_every_table() {
    for n_players in 2..=4 {
        let game = configured(n_players, &["options.final_round=4"]);
        let mut specs = vec!["greedy"; n_players];
        specs[n_players - 1] = "mcts(iterations=6, plies=0)";
        let end = end_of(&game, &specs, n_players as u64);
        assert_eq!(game.turn(&end), Turn::Over);
    }
    let base = configured(2, &["options.variant=base", "options.final_round=4"]);
    let end = end_of(&base, &["mcts(iterations=6, plies=0)", "greedy"], 0);
    assert_eq!(base.turn(&end), Turn::Over);
}

/// A leaf can lie at any position: between phases, turns and rounds, with a player out, in final rounds beyond the
/// fitted ones, and at the end.
#[test]
fn leaves_have_a_value_at_every_boundary() {
    for (n_players, settings) in [(2, &["options.final_round=1"][..]), (3, &[]), (6, &[])] {
        let game = configured(n_players, settings);
        let mut guide = game.guide(&Settings::default()).unwrap();
        let mut look = |s: &State| {
            let values = guide.estimate(&game, s);
            let scales = [guide.logistic_scale(&game, s), guide.softmax_scale(&game, s)];
            for seat in 0..n_players {
                assert!(values.0[seat].is_finite(), "{:?} {:?}", s.phase(), values);
            }
            assert!(scales.iter().all(|scale| scale.is_finite() && *scale > 0.0), "{scales:?}");
        };
        let end = play(&game, &vec!["random"; n_players], 5, &mut look);
        look(&end);
        assert_eq!(game.turn(&end), Turn::Over);
    }
}
