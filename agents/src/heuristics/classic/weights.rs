//! The weights of the evaluation, each with a name that a TOML file can set.

use crate::heuristics::weights::weights;

weights! {
    of "classic";
    ["what a position is worth"]
    rival: f32 = 0.4, 0.0..=2.0, linear, "", "what the mean of the rivals' prospects counts against the own ones";
    tribute: f32 = 0.8, 0.0..=5.0, linear, "", "what a talent of tribute is worth for each round that is left";
    home: f32 = 60.0, 0.0..=1000.0, linear, "talents", "a home";
    prestige: f32 = 2.0, 0.0..=20.0, linear, "", "a talent of the prestige that is due now";
    talents: f32 = 0.7, 0.0..=5.0, linear, "", "a talent at hand";
    ["pieces"]
    infantry: f32 = 9.0, 0.0..=100.0, linear, "talents", "an infantry";
    cavalry: f32 = 15.0, 0.0..=100.0, linear, "talents", "a cavalry";
    catapult: f32 = 16.0, 0.0..=100.0, linear, "talents", "a catapult";
    galley: f32 = 9.0, 0.0..=100.0, linear, "talents", "a galley";
    general: f32 = 20.0, 0.0..=200.0, linear, "talents", "an own general on the board";
    captive: f32 = 12.0, 0.0..=200.0, linear, "talents", "a general of somebody else who is held";
    ["safety"]
    danger: f32 = 0.5, 0.0..=5.0, linear, "", "how much of a province counts as lost that a stronger army can march into";
    caesar: f32 = 70.0, 0.0..=1000.0, linear, "talents", "a caesar whom a stronger army can reach";
    front: f32 = 1.2, 0.0..=20.0, linear, "talents", "a troop beside a province that is not own, with a leader";
    idle: f32 = 2.0, 0.0..=50.0, linear, "talents", "a leader without troops who is alone outside own provinces";
    ["what a search tries first"]
    lead: f32 = 15.0, 0.0..=100.0, linear, "talents", "how much better than all else the option looks to a search that greedy would take";
    ["what a round of purchases is for"]
    saved: f32 = 0.2, 0.0..=5.0, linear, "", "a talent that is not spent, in place of `talents`";
    mixed: f32 = 2.0, 0.0..=50.0, linear, "talents", "an infantry of strength that an army has because its troops are of several kinds";
    reach: f32 = 1.0, 0.0..=5.0, linear, "", "what can be won with the next march, as far as it is likely";
}
