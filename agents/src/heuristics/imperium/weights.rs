//! The weights of the evaluation and of the policies based on it, each with a name that a TOML file can set.

use crate::heuristics::weights::weights;

weights! {
    of "imperium";
    ["what a position is worth"]
    rival: f32 = 0.35, 0.0..=2.0, linear, "", "what a rival's prospects count against the own ones, all rivals together";
    doubt: f32 = 0.6, 0.01..=10.0, log, "pieces", "how uncertain the ranks in a province are that is scored after one more round";
    doubt_grows: f32 = 0.25, 0.0..=5.0, linear, "pieces", "how much more uncertain they are for each further round";
    patience: f32 = 0.93, 0.0..=1.0, linear, "", "what a point is worth that is scored a round later, as a factor";
    lock: f32 = 0.15, 0.0..=5.0, linear, "points", "what a piece on the board costs for each round until it comes home";
    short: f32 = 0.8, 0.0..=10.0, linear, "points", "what each card costs that cannot be played next round for want of a free piece";
    ear: f32 = 1.0, 0.0..=100.0, linear, "points", "an Ear of the Emperor that is still to be played";
    oracle: f32 = 1.0, 0.0..=100.0, linear, "points", "an Oracle that is still to be played";
    ["what a search expects of it"]
    logistic_scale: f32 = 2.0, 0.1..=100.0, log, "points", "lead at the end of a game that multiplies the odds to win by e";
    logistic_scale_grows: f32 = 0.15, 0.0..=5.0, linear, "points", "how much larger such a lead has to be for each point that is missing to the end";
    ["how stacks are chosen"]
    waver: f32 = 0.8, 0.0..=10.0, linear, "points", "how much a player wavers between provinces: up to so much is added to what each seems to gain";
}
