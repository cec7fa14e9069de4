//! The weights of the evaluation, each with a name that a TOML file can set.

use crate::heuristics::weights::weights;

weights! {
    of "hannibal";
    ["what a position is worth"]
    legion: f32 = 1.0, 0.0..=100.0, linear, "legions", "a legion";
    hannibal: f32 = 1.6, 0.0..=100.0, linear, "legions", "Hannibal";
    fleet: f32 = 0.5, 0.0..=100.0, linear, "legions", "a fleet, up to `fleet_most` of them";
    fleet_most: u8 = 3, 0..=20, integer, "fleets", "fleets beyond which more are worth nothing";
    hand: f32 = 0.25, 0.0..=10.0, linear, "legions", "the mean value of the cards in the hand, per point";
    group: f32 = 0.7, 0.0..=100.0, linear, "legions", "a legion in a group of the domination list";
    almost: f32 = 0.8, 0.0..=100.0, linear, "legions", "all groups of the list but one";
    approach: f32 = 0.4, 0.0..=100.0, linear, "legions", "a group without a legion, divided by the turns to reach it";
    march: f32 = 1.5, 0.0..=100.0, linear, "legions", "the enemy capital, divided by the square of the turns to reach it";
    threat: f32 = 4.0, 0.0..=100.0, linear, "legions", "what the enemy could win with at once if the mover did nothing";
    tempo: f32 = 0.3, 0.0..=100.0, linear, "legions", "to be the one who moves";
    win: f32 = 20.0, 1.0..=1000.0, log, "legions", "a game that is won";
    ["what a search expects of it"]
    logistic_scale: f32 = 0.6, 0.01..=50.0, log, "legions", "lead that multiplies the odds to win by e";
    ["what conflicts are fought for"]
    duel_alone: f64 = 1.0, 0.0..=100.0, linear, "legions", "to be left alone where the conflict was; half of it if nobody is left";
    duel_legion: f64 = 1.0, 0.0..=100.0, linear, "legions", "a legion that is left";
    duel_hannibal: f64 = 1.6, 0.0..=100.0, linear, "legions", "Hannibal, if still there";
    duel_card: f64 = 0.05, 0.0..=10.0, linear, "legions", "a point of difference between the hands after the conflict";
}
