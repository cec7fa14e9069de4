//! The rules configuration as Rust values. `check.rs` reads it, with the checks that it must pass.
//!
//! The shape of these types is the shape of `engine/data/conquest2.toml`, which explains each value.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::games::shared::map::{Sea, Strait};

macro_rules! section {
    ($(#[$doc:meta])* $name:ident { $($(#[$attr:meta])* $field:ident: $kind:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name { $($(#[$attr])* pub(crate) $field: $kind),* }
    };
}

section! { /// The whole configuration.
Config {
    pools: Pools, die: Die, options: Options, prices: Prices, start: Start, cards: BTreeMap<String, Card>,
    diplomacy: BTreeMap<String, Troops>, auction: Auction, chaos: Chaos, tax: Tax, buy: Buy,
    #[serde(rename = "move")] movement: Movement, battle: Battle, merchant: Merchant, loot: Loot, vote: Votes,
    fleet: Fleet, city: City, barbarians: Barbarians, politician: Politician, revolt: Revolt,
    province: Vec<Province>, strait: Vec<Strait>, sea: Vec<Sea>,
}}
section! { /// Units of one colour.
Pools { infantry: i64, cavalry: i64, catapult: i64, galley: i64, general: i64, caesar: i64, influence: i64 } }
section! { /// The battle die.
Die { faces: Vec<String> } }
section! { /// Lengths and starting money.
Options { seasons: i64, rounds: i64, actions: i64, money: i64, tokens: i64, cards: i64, untaken_cards_stay: bool,
    vp_below_zero: bool } }
section! { /// Prices in talents.
Prices { infantry: i64, cavalry: i64, catapult: i64, galley: i64, general: i64, influence: i64 } }
section! { /// The start of every player.
Start { infantry: i64, cavalry: i64, catapult: i64, galley: i64, general: i64, caesar: i64, influence: i64,
    senators: Vec<i64>, senators_from_deck: bool, no_influence: Vec<String> } }
section! { /// A kind of card.
Card { count: i64, cost: i64 } }
section! { /// Neutral troops of a Diplomacy card.
Troops { infantry: i64, cavalry: i64, catapult: i64, galley: i64 } }
section! { /// Alliance auctions.
Auction { step: i64, largest_raise: i64, allied_may_bid: bool } }
section! { /// Chaos gains and penalties.
Chaos { recruit: i64, battle: i64, city_relief: i64, relief_is_permanent: bool, penalties: Vec<i64>, zero_is_safe: bool } }
section! { /// Special tax and season taxes.
Tax { special_steps: i64, special_talents: i64, special_chaos: i64, influence: i64, city: i64 } }
section! { /// Tokens per buying action.
Buy { with_general: i64, with_caesar: i64 } }
section! { /// Movement by sea.
Movement { galley_capacity: i64 } }
section! { /// Dice and rounds of battles.
Battle { dice: i64, leader_dice: i64, any_leader_counts: bool, city_dice: i64, training_dice: i64, max_rounds: i64,
    both_lose: bool, naval_rounds: i64, naval_dice: i64, naval_training_dice: i64 } }
section! { /// Talents per influence token.
Merchant { egypt: i64, sicilia: i64, hispania: i64, italia: i64, achaia: i64, asia: i64, needs_influence: bool } }
section! { /// Loot the Countryside.
Loot { talents: i64, chaos: i64 } }
section! { /// Benefits of the Senate Votes.
Votes { capital: String, emergency_tax: i64, bread_and_circuses: i64, hail_caesar: i64, new_legions: i64,
    new_legions_in: Vec<String>, influence_in_rome: i64 } }
section! { /// Commandeer a Fleet.
Fleet { galleys: i64 } }
section! { /// Build City.
City { needs_unit: bool } }
section! { /// Barbarians at the Gate.
Barbarians { units: i64, moesia: Reward, dacia: Reward, armenia: Reward, pannonia: Reward, germania: Reward,
    britannia: Reward } }
section! { /// The reward of a Barbarians card.
Reward { infantry: i64, cavalry: i64, talents: i64, vp: i64 } }
section! { /// Politician.
Politician { influence: i64 } }
section! { /// Slave Revolt.
Revolt { infantry: i64, dice: i64 } }

/// A province; its name and place on the map are for drawing only.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Province {
    pub(crate) id: String,
    pub(crate) land: Vec<String>,
    pub(crate) sea: Vec<String>,
    /// Points by rank; provinces that have them are the key provinces.
    #[serde(default)]
    pub(crate) vp: Vec<i64>,
    #[serde(default)]
    pub(crate) tokens: i64,
}
