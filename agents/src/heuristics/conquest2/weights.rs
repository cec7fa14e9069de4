//! The weights of the evaluation, each with a name that a TOML file can set.

use crate::heuristics::weights::weights;

weights! {
    of "conquest2";
    persistence: f32 = 1.792, 0.0..=10.0, linear, "", "what influence that scores now is worth a season later, as a factor; above one because it also grows";
    rival_best: f32 = 0.35, 0.0..=2.0, linear, "", "own points against those of the best rival";
    rival_mean: f32 = 0.4, 0.0..=2.0, linear, "", "own points against the mean of the rivals";
    token: f32 = 1.2, 0.0..=20.0, linear, "victory points", "an influence token, beyond what it scores";
    near: f32 = 0.0, -10.0..=10.0, linear, "victory points", "an own influence token in the capital or its environs, per season left";
    far: f32 = 0.0, -10.0..=10.0, linear, "victory points", "an own influence token anywhere else, per season left";
    talent: f32 = 0.11, 0.0..=2.0, linear, "victory points", "a talent, up to `rich` of them";
    talent_rich: f32 = 0.04, 0.0..=2.0, linear, "victory points", "a talent beyond `rich`";
    rich: f32 = 60.0, 0.0..=1000.0, linear, "talents", "talents that can be put to use soon";
    penalty: f32 = 1.0, 0.0..=10.0, linear, "", "a victory point that chaos costs now";
    chaos: f32 = 0.3, 0.0..=10.0, linear, "victory points", "a point of chaos, beyond the present penalty, per two seasons left";
    infantry: f32 = 1.152, 0.0..=20.0, linear, "victory points", "an infantry, up to twelve";
    cavalry: f32 = 0.6, 0.0..=20.0, linear, "victory points", "a cavalry, up to four";
    catapult: f32 = 1.224, 0.0..=20.0, linear, "victory points", "a catapult, up to two";
    galley: f32 = 0.5, 0.0..=20.0, linear, "victory points", "a galley, up to three";
    general: f32 = 2.0, 0.0..=20.0, linear, "victory points", "a general, up to three";
    vote: f32 = 0.1125, 0.0..=5.0, linear, "victory points", "a vote in the hand of Senators, per season left";
    shown: f32 = 2.0, 0.0..=10.0, linear, "", "what showing a vote costs, as a multiple of what it is worth in the hand";
    exposed: f32 = 0.22, 0.0..=2.0, linear, "", "own influence without an army beside it, per point that it scores";
    besieged: f32 = 0.12, 0.0..=2.0, linear, "", "a weak garrison beside which an enemy army stands, per point";
    chance_now: f32 = 0.75, 0.0..=2.0, linear, "", "what a leader could buy where he stands, while actions are left in the turn";
    chance_later: f32 = 0.4, 0.0..=2.0, linear, "", "the same when the turn is over";
    siege: f32 = 0.25, 0.0..=1.0, linear, "", "what he could buy if he first won the battle there";
    fair: f32 = 1.1, 0.1..=100.0, log, "", "odds from which a battle is tried; at one it is even";
    hostility: f32 = 0.0, 0.0..=10.0, linear, "victory points", "an enemy's army on the map, per unit that is gone";
    city: f32 = 3.0, 0.0..=50.0, linear, "victory points", "a city, per season left";
    training: f32 = 0.8, 0.0..=50.0, linear, "victory points", "an Army Training, per season left";
    hail_caesar: f32 = 5.0, 0.0..=50.0, linear, "victory points", "a Senate Vote of victory points, per season left";
    senate_vote: f32 = 2.0, 0.0..=50.0, linear, "victory points", "another Senate Vote, per season left";
    merchant: f32 = 0.7, 0.0..=50.0, linear, "victory points", "a merchant, per own influence there and season left";
    intrigue: f32 = 2.0, 0.0..=50.0, linear, "victory points", "Loot the Countryside or the Assassin, per season left";
    diplomacy: f32 = 0.8, 0.0..=50.0, linear, "victory points", "a Diplomacy card, for its season";
    seamanship: f32 = 0.3, 0.0..=50.0, linear, "victory points", "Naval Training or Favorable Wind";
    earlier: f32 = 0.5, 0.0..=20.0, linear, "victory points", "turn order: one place earlier";
    ally_army: f32 = 0.12, 0.0..=10.0, linear, "victory points", "an ally's army, which cannot attack this season, per unit";
    ally_prey: f32 = 0.35, 0.0..=10.0, linear, "victory points", "an ally's influence, which cannot be bought this season, per token without a garrison";
}

impl Weights {
    /// What a unit of a kind is worth.
    pub(super) const fn unit(&self, kind: usize) -> f32 {
        [self.infantry, self.cavalry, self.catapult, self.galley, self.general][kind]
    }
}
