//! The features of conquest2 for a spectator, from the counts of the value function without its weights.

use engine::ByPlayer;
use engine::games::conquest2::{Conquest2, State};

use super::value::{Features, index};
use super::weights::Weights;
use crate::spectator::{Course, Feature};

/// The features; [`COUNTED`] defines them.
pub(super) const FEATURES: &[Feature] = &[
    feature("points", "VP", "victory points scored so far"),
    feature("projected", "VP", "what influence would score if the season ended now"),
    feature("penalty", "VP", "what chaos would cost if the season ended now"),
    feature("influence", "tokens", "influence on the map"),
    feature("money", "talents", "talents in hand"),
    feature("infantry", "units", "infantry on the map"),
    feature("cavalry", "units", "cavalry on the map"),
    feature("catapults", "units", "catapults on the map"),
    feature("leaders", "units", "generals on the map"),
    feature("galleys", "units", "galleys on the map"),
    feature("votes", "votes", "what the Senators in hand are worth, hidden ones among them"),
    feature("unguarded", "VP", "points of provinces held without an army, and a stake for each"),
    feature(
        "besieged",
        "VP",
        "points of provinces held by a weak army beside an enemy's, and a stake for each",
    ),
    feature(
        "purchase",
        "VP",
        "what the two best purchases of influence in reach would bring this season",
    ),
    feature("merchants", "tokens", "influence in the provinces of merchants held"),
    feature("cities", "cities", "cities"),
    feature("senate", "cards", "cards of Senate Votes"),
    feature("cards", "cards", "other cards of use later, a Diplomacy card as half of one"),
    feature("chaos", "tokens", "chaos"),
    feature("actions", "actions", "actions still to come in this round"),
];

const fn feature(name: &'static str, unit: &'static str, meaning: &'static str) -> Feature {
    Feature { name, unit, meaning }
}

/// The counts of the value function that each feature sums.
const COUNTED: &[&[&str]] = &[
    &["points"],
    &["projected"],
    &["penalty"],
    &["influence"],
    &["money", "riches"],
    &["infantry"],
    &["cavalry"],
    &["catapults"],
    &["generals"],
    &["galleys"],
    &["votes"],
    &["unguarded"],
    &["besieged"],
    &["best_purchase", "second_purchase"],
    &["merchants"],
    &["cities"],
    &["senate_votes", "hail_caesar"],
    &["cards"],
    &["chaos"],
    &["actions"],
];

pub(super) fn count(game: &Conquest2, state: &State, out: &mut Vec<ByPlayer<f64>>) {
    let counts = Features::of(&Weights::default(), &game.situation(state)).0;
    for parts in COUNTED {
        let mut sum = ByPlayer::default();
        for part in parts.iter().map(|name| index(name)) {
            sum.0.iter_mut().zip(&counts.0).for_each(|(sum, count)| *sum += f64::from(count[part]));
        }
        out.push(sum);
    }
}

/// Returns the progress of the game. Seasons are stages; a finished turn counts as its part of the round.
pub(super) fn course(game: &Conquest2, state: &State) -> Course {
    let situation = game.situation(state);
    let (season, n_rounds) = (situation.season(), situation.n_rounds().max(1));
    let rounds = season * n_rounds + situation.rounds_over();
    let turns = match situation.round() {
        Some(_) => situation.turn_number() as f64 / situation.n_players() as f64,
        None => 0.0,
    };
    let all = (situation.n_seasons() * n_rounds).max(1) as f64;
    let done = ((rounds as f64 + turns) / all).min(1.0);
    Course { stage: Some(season as u32), round: Some(rounds as u32), done: Some(done) }
}
