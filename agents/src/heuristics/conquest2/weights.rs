//! The weights of the evaluation and of the choices based on it, each with a name that a TOML file can set.

use engine::games::conquest2::units::Unit;

use crate::heuristics::weights::weights;

weights! {
    of "conquest2";
    ["what a position is worth: influence"]
    persistence: f32 = 1.792, 0.0..=10.0, linear, "", "what influence that scores now is worth a season later, as a factor; above one because it also grows";
    rival_best: f32 = 0.35, 0.0..=2.0, linear, "", "own points against those of the best rival";
    rival_mean: f32 = 0.4, 0.0..=2.0, linear, "", "own points against the mean of the rivals";
    token: f32 = 1.2, 0.0..=20.0, linear, "victory points", "an influence token, beyond what it scores";
    held: f32 = 0.25, 0.0..=2.0, linear, "", "what a token that is on the board counts per season left, as a share of `token`";
    near: f32 = 0.0, -10.0..=10.0, linear, "victory points", "an own influence token in the capital or its environs, per season left";
    far: f32 = 0.0, -10.0..=10.0, linear, "victory points", "an own influence token anywhere else, per season left";
    exposed: f32 = 0.22, 0.0..=2.0, linear, "", "own influence without an army beside it, per point that is at stake there";
    besieged: f32 = 0.12, 0.0..=2.0, linear, "", "own influence with a garrison of less than `strong` beside which an enemy army stands, per point at stake";
    strong: u8 = 3, 0..=30, integer, "units", "units from which a garrison is not besieged";
    stake: f32 = 2.0, 0.0..=50.0, linear, "victory points", "what is at stake where own influence is, beside the points that it scores";
    ["what a position is worth: chances"]
    chance_now: f32 = 0.75, 0.0..=2.0, linear, "", "what a leader could buy where it stands, while actions are left in the turn";
    chance_later: f32 = 0.4, 0.0..=2.0, linear, "", "the same when the turn is over";
    second: f32 = 0.6, 0.0..=1.0, linear, "", "what the second best of these purchases counts beside the best";
    siege: f32 = 0.25, 0.0..=1.0, linear, "", "what a leader could buy if it first won the battle there";
    denied: f32 = 0.1, 0.0..=2.0, linear, "", "a point less for each other player by a purchase, beside their part of `rival_mean`";
    hostility: f32 = 0.0, 0.0..=10.0, linear, "victory points", "an enemy's army on the map, per unit that is gone";
    ["what a position is worth: means"]
    talent: f32 = 0.11, 0.0..=2.0, linear, "victory points", "a talent, up to `rich` of them";
    talent_rich: f32 = 0.04, 0.0..=2.0, linear, "victory points", "a talent beyond `rich`";
    rich: f32 = 60.0, 0.0..=1000.0, linear, "talents", "talents that can be put to use soon";
    winding_down: f32 = 3.0, 0.1..=20.0, log, "rounds", "rounds before the end from which means count less and less";
    penalty: f32 = 1.0, 0.0..=10.0, linear, "", "a victory point that chaos costs now";
    chaos: f32 = 0.3, 0.0..=10.0, linear, "victory points", "a point of chaos, beyond the present penalty, per two seasons left";
    infantry: f32 = 1.152, 0.0..=20.0, linear, "victory points", "an infantry, up to `infantry_most` of them";
    infantry_most: u8 = 12, 0..=60, integer, "infantry", "infantry beyond which more are worth nothing";
    cavalry: f32 = 0.6, 0.0..=20.0, linear, "victory points", "a cavalry, up to `cavalry_most` of them";
    cavalry_most: u8 = 4, 0..=60, integer, "cavalry", "cavalry beyond which more are worth nothing";
    catapult: f32 = 1.224, 0.0..=20.0, linear, "victory points", "a catapult, up to `catapult_most` of them";
    catapult_most: u8 = 2, 0..=60, integer, "catapults", "catapults beyond which more are worth nothing";
    galley: f32 = 0.5, 0.0..=20.0, linear, "victory points", "a galley, up to `galley_most` of them";
    galley_most: u8 = 3, 0..=60, integer, "galleys", "galleys beyond which more are worth nothing";
    general: f32 = 2.0, 0.0..=20.0, linear, "victory points", "a general, up to `general_most` of them";
    general_most: u8 = 3, 0..=60, integer, "generals", "generals beyond which more are worth nothing";
    ["what a position is worth: Senate and cards"]
    vote: f32 = 0.1125, 0.0..=5.0, linear, "victory points", "a vote in the hand of Senators, per season left";
    shown: f32 = 2.0, 0.0..=10.0, linear, "", "what showing a vote costs, as a multiple of what it is worth in the hand";
    city: f32 = 3.0, 0.0..=50.0, linear, "victory points", "a city, per season left";
    training: f32 = 0.8, 0.0..=50.0, linear, "victory points", "an Army Training, per season left";
    hail_caesar: f32 = 5.0, 0.0..=50.0, linear, "victory points", "a Senate Vote of victory points, per season left";
    senate_vote: f32 = 2.0, 0.0..=50.0, linear, "victory points", "another Senate Vote, per season left";
    merchant: f32 = 0.7, 0.0..=50.0, linear, "victory points", "a merchant, per own influence there and season left";
    intrigue: f32 = 2.0, 0.0..=50.0, linear, "victory points", "Loot the Countryside or the Assassin, per season left";
    diplomacy: f32 = 0.8, 0.0..=50.0, linear, "victory points", "a Diplomacy card, for its season";
    seamanship: f32 = 0.3, 0.0..=50.0, linear, "victory points", "Naval Training or Favorable Wind";
    expedition: f32 = 1.0, 0.0..=1000.0, linear, "victory points", "what it costs that Barbarians at the Gate send units away from their leader, per unit and season left";
    ["rollout policy: auctions"]
    earlier: f32 = 0.5, 0.0..=20.0, linear, "victory points", "turn order: one place earlier";
    left_out: f32 = 2.0, 0.0..=6.0, linear, "places", "places of the turn order that a player expects to lose who is in neither box of the bid";
    ally_army: f32 = 0.12, 0.0..=10.0, linear, "victory points", "an ally's army, which cannot attack this season, per unit";
    ally_prey: f32 = 0.35, 0.0..=10.0, linear, "victory points", "an ally's influence, which cannot be bought this season, per token without a garrison";
    ally_fancy: f32 = 0.01, 0.0..=1.0, linear, "victory points", "how much partners who are worth the same are told apart at most, by where they have influence and not by their seat";
    ["rollout policy: votes, cards, placement"]
    call: f32 = 0.5, 0.0..=5.0, linear, "", "votes from which a Senate Vote is called, as a share of those of the best rival";
    relief: f32 = 0.5, 0.0..=5.0, linear, "", "what a vote that takes chaos back counts of the present penalty";
    revolt_own: f32 = 2.0, 0.0..=20.0, linear, "", "damage of a revolt to oneself, as a multiple of that to an enemy";
    revolt_ally: f32 = 0.3, -5.0..=5.0, linear, "", "what damage of a revolt to an ally is wished for, against that to an enemy";
    revolt_most: u8 = 4, 0..=60, integer, "units", "units of an army that a revolt is taken to cost at most";
    loan: f32 = 0.5, 0.0..=1.0, linear, "", "the share of the units that a player with influence lends to a battle";
    shore: f32 = 1.0, 0.0..=50.0, linear, "tokens", "a key province on the shore of a galley, beside the tokens there";
    general_guard: u8 = 2, 0..=30, integer, "infantry", "infantry that start with a general who is not with the caesar";
    ["macro-actions"]
    fair: f32 = 1.1, 0.1..=100.0, log, "", "odds from which a battle is tried; at one it is even";
    fair_chance: f64 = 0.55, 0.0..=1.0, linear, "probability", "the same with exact odds: the chance to win";
    kept: u16 = 20, 0..=500, integer, "talents", "talents that a large recruitment leaves";
    bulk: u8 = 8, 0..=60, integer, "infantry", "infantry of a large recruitment at most";
    fleet_edge: u8 = 1, 0..=30, integer, "galleys", "galleys that a fleet must be ahead by, and one more, to sail against another";
    ["macro-actions: what one is worth beside what it leads to"]
    act_pass: f32 = 0.0, -20.0..=20.0, linear, "victory points", "doing nothing with an action";
    act_pass_early: f32 = 0.0, -20.0..=20.0, linear, "victory points", "the same, per season left";
    act_tax: f32 = 0.0, -20.0..=20.0, linear, "victory points", "a special tax";
    act_tax_early: f32 = 0.0, -20.0..=20.0, linear, "victory points", "the same, per season left";
    act_take: f32 = 0.0, -20.0..=20.0, linear, "victory points", "taking a card";
    act_take_early: f32 = 0.0, -20.0..=20.0, linear, "victory points", "the same, per season left";
    act_use: f32 = 0.0, -20.0..=20.0, linear, "victory points", "using a card";
    act_use_early: f32 = 0.0, -20.0..=20.0, linear, "victory points", "the same, per season left";
    act_recruit: f32 = 0.0, -20.0..=20.0, linear, "victory points", "a recruitment";
    act_recruit_early: f32 = 0.0, -20.0..=20.0, linear, "victory points", "the same, per season left";
    act_buy: f32 = 0.0, -20.0..=20.0, linear, "victory points", "buying influence";
    act_buy_early: f32 = 0.0, -20.0..=20.0, linear, "victory points", "the same, per season left";
    act_move: f32 = 0.0, -20.0..=20.0, linear, "victory points", "a march";
    act_move_early: f32 = 0.0, -20.0..=20.0, linear, "victory points", "the same, per season left";
    act_battle: f32 = 0.0, -20.0..=20.0, linear, "victory points", "a battle";
    act_battle_early: f32 = 0.0, -20.0..=20.0, linear, "victory points", "the same, per season left";
    act_sail: f32 = 0.0, -20.0..=20.0, linear, "victory points", "sailing";
    act_sail_early: f32 = 0.0, -20.0..=20.0, linear, "victory points", "the same, per season left";
    ["fast rollout policy"]
    good: f32 = 3.0, 0.0..=100.0, linear, "victory points", "a purchase that is made without a look at anything else, per season to come";
    tax_below: u16 = 20, 0..=500, integer, "talents", "money below which a tax is urgent";
    tax_poor: f32 = 15.0, 0.0..=200.0, linear, "talents", "what a tax is worth then";
    tax_rich: f32 = 4.0, 0.0..=200.0, linear, "talents", "what it is worth otherwise";
    battle_least: f32 = 1.0, 0.0..=50.0, linear, "victory points", "what a battle is for, at least";
    general_one_in: u8 = 3, 1..=20, integer, "", "one recruitment in so many is of a general";
    ["prior logits"]
    prior_usual: f32 = 3.0, 0.0..=50.0, linear, "victory points", "the ply of the rollout policy, above the other plies";
    prior_ply: f32 = 10.0, 0.0..=100.0, linear, "victory points", "a single ply, below the worst macro-action";
}

impl Weights {
    /// Returns the value of a unit of a kind.
    pub(super) const fn unit(&self, unit: Unit) -> f32 {
        match unit {
            Unit::Infantry => self.infantry,
            Unit::Cavalry => self.cavalry,
            Unit::Catapult => self.catapult,
            Unit::Galley => self.galley,
            Unit::General => self.general,
        }
    }

    /// Returns the number of units of a kind beyond which more are worth nothing.
    pub(super) const fn most(&self, unit: Unit) -> u8 {
        match unit {
            Unit::Infantry => self.infantry_most,
            Unit::Cavalry => self.cavalry_most,
            Unit::Catapult => self.catapult_most,
            Unit::Galley => self.galley_most,
            Unit::General => self.general_most,
        }
    }
}
