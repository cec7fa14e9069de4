//! Tests of value function, evaluation and guide at the moments between turns, and of a search at the end. A finished
//! round or an expired order must not mislead them.

use engine::games::conquest2::{Conquest2, Phase, State};
use engine::{Configure, Game, Player, Rules, Walk};

use super::evaluation::TimeLeft;
use super::value::{FEATURES, Features, ValueFunction};
use super::weights::Weights;
use crate::guide::Guide;
use crate::mcts::Config;
use crate::mcts::config::Utility;
use crate::mcts::evaluator::utilities;
use crate::param::Settings;
use crate::playable::Playable;

/// Returns the name of a stretch of the game.
const fn stretch(phase: Phase) -> &'static str {
    match phase {
        Phase::FirstPlayer | Phase::SetupToken => "set-up",
        Phase::SeasonToken | Phase::SeasonCard | Phase::NullDraw => "draws",
        Phase::Bid | Phase::Propose | Phase::Amount => "auctions",
        Phase::PlaceCaesar | Phase::PlaceGeneral | Phase::PlaceGalley | Phase::PlaceCount => {
            "placement"
        }
        Phase::Over => "over",
        _ => "round",
    }
}

/// Returns the first position of each stretch of a random game.
fn stretches(game: &Conquest2) -> Vec<(&'static str, State)> {
    let mut all = Vec::new();
    let mut last = None;
    let mut walk = Walk::new(game, 1, 0);
    loop {
        let state = *walk.state();
        let name = stretch(state.phase());
        let now = Some((name, game.situation(&state).season(), game.situation(&state).round()));
        if now != last {
            all.push((name, state));
            last = now;
        }
        if walk.next().is_none() {
            return all;
        }
    }
}

fn rules(settings: &[&str]) -> Rules {
    let mut rules = Rules::of::<Conquest2>();
    settings.iter().for_each(|setting| rules.set(setting).expect("a setting"));
    rules
}

/// Returns a position as text: weights in use, progress, remaining actions of the players, use of means.
fn described(game: &Conquest2, state: &State) -> String {
    let situation = game.situation(state);
    let weights = Weights::default();
    let slot = FEATURES.iter().position(|name| *name == "actions").expect("a feature");
    let features = Features::of(&weights, &situation).0;
    let actions: Vec<f32> = features.first(situation.n_players()).iter().map(|f| f[slot]).collect();
    let phase = ValueFunction::phase(&situation)
        .map_or_else(|| "none".to_owned(), |(left, round)| format!("{}/{}", left + 1, round + 1));
    let guide = game.guide(&Settings::default()).expect("the plain guide");
    let progress = guide.progress(game, state);
    let means = TimeLeft::of(&weights, &situation).use_of_means;
    let (stage, round, turn) = (progress.stage, progress.round, progress.turn);
    format!(
        "weights {phase}, progress {stage}/{round}/{turn}, actions {actions:?}, means {means:.2}"
    )
}

#[test]
fn every_boundary_belongs_to_the_round_that_comes() {
    let game = Conquest2::new(3);
    let mut found = Vec::new();
    for (name, state) in stretches(&game) {
        found.push(format!("{name}: {}", described(&game, &state)));
    }
    let mut due = Vec::new();
    let all = "actions [2.0, 2.0, 2.0]";
    for season in 0..4 {
        let left = 4 - season;
        let before: &[&str] = match season {
            0 => &["set-up", "draws", "auctions", "placement"],
            _ => &["draws", "auctions"],
        };
        for name in before {
            due.push(format!("{name}: weights {left}/1, progress {season}/0/0, {all}, means 1.00"));
        }
        for round in 0..4 {
            // In the fourth round from the end, 3 rounds and one action of two remain.
            let means = ((16 - 4 * season - round) as f32 / 3.0).min(1.0);
            due.push(format!(
                "round: weights {left}/{}, progress {season}/{round}/0, {all}, means {means:.2}",
                round + 1
            ));
        }
    }
    due.push("over: weights none, progress 4/0/0, actions [0.0, 0.0, 0.0], means 0.00".to_owned());
    assert_eq!(found, due);
}

#[test]
fn a_position_behind_a_scoring_is_worth_as_much_as_the_same_before_the_first_round() {
    let game = Conquest2::new(4);
    let value = ValueFunction::fitted(4);
    for (name, state) in stretches(&game) {
        let situation = game.situation(&state);
        let Some((left, round)) = ValueFunction::phase(&situation) else { continue };
        if name != "round" {
            assert_eq!(round, 0, "{name} of season {}", situation.season());
        }
        let text = include_str!("../../../data/conquest2/value-4.toml");
        let head = format!("[left-{}-round-{}]\nlogistic_scale = ", left + 1, round + 1);
        let scale = text.split_once(&head).and_then(|(_, rest)| rest.lines().next());
        let scale: f32 = scale.and_then(|s| s.parse().ok()).expect("a scale");
        assert!(
            (value.logistic_scale(&situation) - scale).abs() < 1e-6,
            "{name} of season {}",
            situation.season()
        );
    }
}

#[test]
fn seasons_of_one_round_have_boundaries_too() {
    let rules = rules(&["options.seasons=2", "options.rounds=1"]);
    let game = Conquest2::configure(2, &rules).expect("good rules");
    for (name, state) in stretches(&game) {
        let situation = game.situation(&state);
        let due = match (name, situation.season()) {
            ("over", _) => {
                "weights none, progress 2/0/0, actions [0.0, 0.0], means 0.00".to_owned()
            }
            (_, season) => {
                let means = ((2 - season) as f32 / 3.0).min(1.0);
                let left = 2 - season;
                format!(
                    "weights {left}/1, progress {season}/0/0, actions [2.0, 2.0], means {means:.2}"
                )
            }
        };
        assert_eq!(described(&game, &state), due, "{name}");
    }
}

#[test]
fn a_tie_in_victory_points_is_worth_what_the_tie_break_gives() {
    let mut settings = vec!["options.seasons=1".to_owned(), "chaos.penalties=[]".to_owned()];
    let provinces = ["achaia", "asia", "egypt", "galatia", "hispania", "italia", "mesopotamia"];
    let others = ["narbonensis", "neapolis", "numidia", "sicilia"];
    let all = provinces.iter().chain(&others);
    settings.extend(all.map(|province| format!("province.{province}.vp=[0]")));
    let rules = rules(&settings.iter().map(String::as_str).collect::<Vec<_>>());
    let game = Conquest2::configure(2, &rules).expect("good rules");
    let mut guide = game.guide(&Settings::default()).expect("the plain guide");
    let mut n_ties = 0;
    for index in 0..60 {
        let mut walk = Walk::new(&game, 1, index);
        walk.by_ref().for_each(drop);
        let situation = game.situation(walk.state());
        let [a, b] = [0, 1].map(Player::new);
        n_ties += u32::from(
            situation.vp(a) == situation.vp(b) && situation.influence(a) != situation.influence(b),
        );
        for utility in [Utility::Points, Utility::Logistic] {
            let config = Config { utility, ..Config::default() };
            let found = utilities(&game, walk.state(), &config, &mut guide);
            assert_eq!(found, game.payoffs(walk.state()), "game {index} by {}", utility.word());
        }
    }
    assert!(n_ties >= 5, "{n_ties} games are decided by influence");
}
