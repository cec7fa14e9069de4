//! The rules configuration as Rust values. `check.rs` reads it, with the checks that it must pass.
//!
//! The shape of these types is the shape of `engine/data/classic.toml`, which explains each value.

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
    options: Choice, pools: Pools, stock: Stock, die: Faces, start: Start, prices: Prices, income: Income,
    movement: Movement, battle: Battle, seats: Seats, variant: Variants,
    province: Vec<Province>, strait: Vec<Strait>, sea: Vec<Sea>,
}}
section! { /// The column, and the first final round.
Choice { variant: String, final_round: i64 } }
section! { /// Units of one colour.
Pools { infantry: i64, cavalry: i64, catapult: i64, galley: i64, general: i64, caesar: i64 } }
section! { /// Pieces that all players share.
Stock { city: i64, fort: i64, road: i64 } }
section! { /// The battle die.
Faces { faces: Vec<String> } }
section! { /// The start of every player.
Start { caesar: i64, general: i64, infantry: i64, city: String, talents: i64 } }
section! { /// Prices in talents.
Prices { infantry: i64, cavalry: i64, catapult: i64, galley: i64, city: i64, fort: i64, road: i64 } }
section! { /// The income of cities, price rises, and possible offers for a captive.
Income { city: i64, inflation_factor: Vec<i64>, ransom_offers: Vec<i64> } }
section! { /// Steps in a turn, and limits on the troops of a leader.
Movement { infantry: i64, cavalry: i64, catapult: i64, general: i64, galley: i64, troops_per_leader: i64,
    #[serde(rename = "leaders_per_galley")] _leaders_per_galley: i64, #[serde(rename = "board_cost")] _board_cost: i64,
    #[serde(rename = "land_cost")] _land_cost: i64 } }
section! { /// Legions, dice and rounds.
Battle { legion: i64, legion_per_general: i64, fort_dice: i64, land_rounds: i64, naval_rounds: i64 } }
section! { /// The homes in seat order, and those in play by number of players.
Seats { order: Vec<String>,
    #[serde(rename = "2")] two: Vec<String>, #[serde(rename = "3")] three: Vec<String>,
    #[serde(rename = "4")] four: Vec<String>, #[serde(rename = "5")] five: Vec<String>,
    #[serde(rename = "6")] six: Vec<String> } }
section! { /// The columns of section 0.
Variants { friz: Variant, base: Variant } }
section! { /// A column.
Variant {
    home_values: bool, guards: bool, start_territories: i64, start_placement: String, caesar_replaced: bool,
    caesar_payment: i64, caesar_steps: i64, caesar_legion: i64, recruit_caesar: i64, recruit_city: i64,
    recruit_territory: i64, home_lost_payment: i64, home_lost_tribute: bool, home_lost_purchase: bool,
    inflation_at: Vec<i64>, home_victory: BTreeMap<String, i64>, end_ladder: Vec<Vec<String>>,
    prestige: i64, prestige_tie: i64,
}}

/// A province; its name and place on the map are for drawing only.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Province {
    pub(crate) id: String,
    pub(crate) land: Vec<String>,
    pub(crate) sea: Vec<String>,
    pub(crate) value: i64,
    #[serde(default)]
    pub(crate) home: bool,
    /// The value of a home under `home_values = false`.
    pub(crate) base_value: Option<i64>,
    #[serde(default)]
    pub(crate) guard: i64,
    #[serde(default)]
    pub(crate) recruit: bool,
    /// Further places where a player with this home gets galleys without limit.
    #[serde(default)]
    pub(crate) galleys_at: Vec<String>,
}

impl Config {
    /// Returns the column in force.
    pub(crate) fn column(&self) -> &Variant {
        if self.options.variant == BASE { &self.variant.base } else { &self.variant.friz }
    }
}

impl Seats {
    /// Returns the homes in play for this number of players, as written.
    pub(crate) fn of(&self, n_players: usize) -> &[String] {
        match n_players {
            2 => &self.two,
            3 => &self.three,
            4 => &self.four,
            5 => &self.five,
            _ => &self.six,
        }
    }
}

/// The column of the Friz variant.
pub(crate) const FRIZ: &str = "friz";
/// The column of the game without the variant.
pub(crate) const BASE: &str = "base";
/// Placement two pieces at a time.
pub(crate) const PAIRS: &str = "pairs";
/// Placement of all pieces in the home.
pub(crate) const IN_HOME: &str = "home";
/// The buildings that a home can have at the start.
pub(crate) const CITY_WORDS: [&str; 3] = ["fort", "city", "none"];
