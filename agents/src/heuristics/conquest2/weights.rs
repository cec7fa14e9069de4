//! The weights of the evaluation, each with a name that a TOML file can set.

use crate::heuristics::weights::weights;

weights! {
    of "conquest2";
    /// What influence that scores now is worth a season later, as a factor; above one because it also grows.
    persistence = 1.792,
    /// Own points against those of the best rival.
    rival_best = 0.35,
    /// Own points against the mean of the rivals.
    rival_mean = 0.4,
    /// An influence token, beyond what it scores.
    token = 1.2,
    /// An own influence token in the capital or its environs, per season left.
    near = 0.0,
    /// An own influence token anywhere else, per season left.
    far = 0.0,
    /// A talent, up to `rich` of them.
    talent = 0.11,
    /// A talent beyond `rich`.
    talent_rich = 0.04,
    /// Talents that can be put to use soon.
    rich = 60.0,
    /// A victory point that chaos costs now.
    penalty = 1.0,
    /// A point of chaos, beyond the present penalty.
    chaos = 0.3,
    /// An infantry, up to twelve.
    infantry = 1.152,
    /// A cavalry, up to four.
    cavalry = 0.6,
    /// A catapult, up to two.
    catapult = 1.224,
    /// A galley, up to three.
    galley = 0.5,
    /// A general, up to three.
    general = 2.0,
    /// A vote in the hand of Senators, per season left.
    vote = 0.1125,
    /// What showing a vote costs, as a multiple of what it is worth in the hand.
    shown = 2.0,
    /// Own influence without an army beside it, per point that it scores.
    exposed = 0.22,
    /// A single garrison beside which an enemy army stands, per point.
    besieged = 0.12,
    /// What a leader could buy where he stands, while actions are left in the turn.
    chance_now = 0.75,
    /// The same when the turn is over.
    chance_later = 0.4,
    /// What he could buy if he first won the battle there.
    siege = 0.25,
    /// Odds from which a battle is tried; at one it is even.
    fair = 1.1,
    /// An enemy's army on the map, per unit that is gone.
    hostility = 0.0,
    /// A city, per season left.
    city = 3.0,
    /// An Army Training, per season left.
    training = 0.8,
    /// A Senate Vote of victory points, per season left.
    hail_caesar = 5.0,
    /// Another Senate Vote, per season left.
    senate_vote = 2.0,
    /// A merchant, per own influence there and season left.
    merchant = 0.7,
    /// Loot the Countryside or the Assassin, per season left.
    intrigue = 2.0,
    /// A Diplomacy card, for its season.
    diplomacy = 0.8,
    /// Naval Training or Favorable Wind.
    seamanship = 0.3,
    /// Turn order: one place earlier.
    earlier = 0.5,
    /// An ally's army, which cannot attack this season, per unit.
    ally_army = 0.12,
    /// An ally's influence, which cannot be bought this season, per token without a garrison.
    ally_prey = 0.35,
}

impl Weights {
    /// What a unit of a kind is worth.
    pub(super) const fn unit(&self, kind: usize) -> f32 {
        [self.infantry, self.cavalry, self.catapult, self.galley, self.general][kind]
    }
}
