//! The rules configuration as Rust values.
//!
//! The shape of these types is the shape of `engine/data/rise.toml`, which explains each value. Sections that no rule
//! reads are left out, and [`super::check`] refuses changes to them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::things::{Good, Goods};

macro_rules! section {
    ($(#[$doc:meta])* $name:ident { $($(#[$attr:meta])* $field:ident: $kind:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Deserialize)]
        pub(super) struct $name { $($(#[$attr])* pub(super) $field: $kind),* }
    };
}

section! { /// The whole configuration.
Config { meta: Meta, stock: Stock, start: Start, food_track: FoodTrack, action_display: ActionDisplay, display: Display,
    costs: Costs, phases: Phases, empire_rules: EmpireRules, map_rules: MapRules, region: Vec<RegionData>,
    empire: Vec<EmpireData>, territory: Vec<TerritoryData>, trade: Vec<TradeData>, progress: Vec<ProgressData>,
    city: Vec<CityData> } }
section! { /// Turns by name.
Meta { turns: Vec<String>, era_of_turn: Vec<u8>, discs_of_turn: Vec<String> } }
section! { /// The contents of the box.
Stock { player_cubes_per_colour: i32, actions_per_turn: u8, resource_discs: i32,
    resource_discs_on_trade_track_are_in_supply: bool } }
section! { /// The start of every player.
Start { cubes_in_pool: i32, cubes_in_general_stock: i32, gold: i32, resource_discs: i32, food: i32, vp: i32 } }
section! { /// The food track.
FoodTrack { min: i32, max: i32, vp_lost_per_food_below_min: i32, food_above_max_per_gold: i32,
    final_turn_multiplier: i32 } }
section! { /// The rows of the action display and the prices of discs.
ActionDisplay { columns_by_players: BTreeMap<String, u8>, circles: Circles, b_turn_cost_per_disc_to_the_left: i32,
    b_turn_cost_currencies: Vec<Good>, b_turn_pay_before_action: bool, b_turn_may_skip_action: bool,
    a_turn_may_skip_action: bool } }
section! { /// Printed circles of each row.
Circles { progress: u8, territory: u8, city: u8, empire: u8, trade: u8 } }
section! { /// The arrival and removal of tiles.
Display { progress_per_turn: u8, territory_per_turn: u8, territory_turns: Vec<String>,
    leftovers_by_players: BTreeMap<String, String> } }
section! { /// Prices and divisors.
Costs { progress_gold_by_eras_old: Vec<i32>, era_end_gold_per_progress_kept: i32, era_end_cubes_per_city_kept: i32,
    decline_divisor: i32, end_gold_per_vp: i32, end_resource_per_vp: i32 } }
section! { /// The end of an era.
Phases { era_end_after: Vec<String> } }
section! { /// Battles.
EmpireRules { zero_cubes_allowed: bool, battle_lines_by_era: Vec<i32>, attacker_loss_min: i32,
    defender_loss_min: i32 } }
section! { /// The opening and scoring of regions.
MapRules { zones: Vec<String>, zones_per_action: i32, zones_open_from_era: i32, zones_need_navigation_in_era: i32,
    navigation_scope: String, reinforce_without_water: bool, second_place_in_2p_game: bool } }
section! { /// A region.
RegionData { id: String, era: i32, zone: String, #[serde(default)] sea: bool, vp: Vec<i32>, symbol: Goods,
    adjacent: Vec<String> } }
section! { /// An empire tile.
EmpireData { id: String, front: Face, back: Face } }
section! { /// A face of an empire tile.
Face { areas: i32, water: bool, battles: Vec<Vec<i32>> } }
section! { /// A type of territory tiles.
TerritoryData { id: String, count: i32, income: Goods, choice: Vec<Good> } }
section! { /// A box of the trade track.
TradeData { id: String, eras: Vec<i32>, discs: i32, #[serde(default)] gold: i32, #[serde(default)] vp: i32 } }
section! { /// A type of progress tiles.
ProgressData { id: String, era: i32, count: i32, red: bool, effect: EffectData } }
section! { /// A city tile or wonder.
CityData { id: String, slot: String, kind: String, gold: i32, #[serde(default)] food: i32,
    #[serde(default)] resource: i32, vp: i32, #[serde(default)] income: Goods } }

/// The effect of a progress tile, by the word `kind`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum EffectData {
    /// Goods every turn.
    Income { gain: Goods },
    /// Goods for own territory tiles, or an amount of goods of the owner's choice.
    PerTile { tile: String, gain: Goods, choice: Vec<Good>, amount: i32 },
    /// Victory points for regions.
    PerRegion { vp: i32, condition: String, max: i32 },
    /// More areas, other losses.
    Empire { extra_areas: i32, defender_loss: i32, attacker_loss: i32 },
    /// Fewer losses as defender.
    Defence { loss_reduction: i32 },
    /// Goods with every trade action.
    TradeBonus { gain: Goods },
    /// Gold off the price of city tiles.
    CityDiscount { gold: i32, of: Vec<String> },
    /// Water on every empire tile.
    Navigation,
    /// A free action, once a turn.
    FreeAction {
        cost: Goods,
        act: String,
        #[serde(default)]
        cubes: i32,
        #[serde(default)]
        water: bool,
        #[serde(default)]
        gain: Goods,
    },
}

impl Circles {
    /// Returns the numbers by row.
    pub(super) const fn by_row(&self) -> [u8; 5] {
        [self.progress, self.territory, self.city, self.empire, self.trade]
    }
}
