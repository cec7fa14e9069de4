//! Facts about single regions, tiles and boxes, in the form of tables.

use super::things::{Good, Goods, Progress, RegionSet, Territory};

/// A region.
#[derive(Clone, Debug)]
pub struct RegionFacts {
    /// The name in texts.
    pub id: String,
    /// The points of the first and the second place.
    pub vp: [i32; 2],
    /// The goods that it gives every turn.
    pub symbol: Goods,
    /// The regions beside it.
    pub neighbours: RegionSet,
}

/// A battle line: the losses of attacker and defender.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BattleLine {
    /// Number of cubes that the attacker loses.
    pub attacker: i32,
    /// Number of cubes that the defender loses.
    pub defender: i32,
}

/// A face of an empire tile.
#[derive(Clone, Debug, Default)]
pub struct FaceFacts {
    /// Number of regions that may get cubes.
    pub areas: i32,
    /// True if it shows water.
    pub water: bool,
    /// The battle lines, the upper first.
    pub lines: Vec<BattleLine>,
}

/// A source of goods of the owner's choice: `amount` units for each territory tile of type `tile`.
#[derive(Clone, Debug)]
pub struct Source {
    /// The progress tile with the source; `None` if the source is the territory tile itself.
    pub of: Option<Progress>,
    /// The territory tile that is counted.
    pub tile: Territory,
    /// Number of units for each tile.
    pub amount: i32,
    /// The goods to choose from, in order.
    pub kinds: Vec<Good>,
}

/// The effect of the free action of a progress tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// Puts cubes from the general stock into an open region.
    Place {
        /// Number of cubes.
        cubes: u8,
        /// True if regions that need water are open to it.
        water: bool,
    },
    /// Puts the alliance piece into a region.
    Alliance,
    /// Gives goods.
    Gain(Goods),
}

/// A free action.
#[derive(Clone, Copy, Debug)]
pub struct FreeAction {
    /// The tile.
    pub tile: Progress,
    /// The price.
    pub cost: Goods,
    /// The effect.
    pub act: Act,
}

/// Points for regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerRegion {
    /// Points for each region.
    pub vp: i32,
    /// True if only controlled regions count.
    pub is_control: bool,
    /// The largest number of points in a turn.
    pub most: i32,
}

/// A type of progress tiles; effects that it does not have are zero or `None`.
#[derive(Clone, Debug, Default)]
pub struct ProgressFacts {
    /// The name in texts.
    pub id: String,
    /// The era, from 1.
    pub era: u8,
    /// Number of tiles.
    pub count: u8,
    /// Goods every turn.
    pub gain: Goods,
    /// Goods for each territory tile of a type.
    pub per_tile: Option<(Territory, Goods)>,
    /// Points for regions.
    pub per_region: Option<PerRegion>,
    /// Number of additional areas on own empire tiles.
    pub extra_areas: i32,
    /// Additional losses of defenders in own battles.
    pub defender_loss: i32,
    /// Additional losses of the attacker in own battles.
    pub attacker_loss: i32,
    /// Reduction of own losses as defender.
    pub loss_reduction: i32,
    /// Goods with every trade action.
    pub trade_bonus: Goods,
    /// Gold off the price of cities and of wonders.
    pub discount: [i32; 2],
}

/// A type of territory tiles.
#[derive(Clone, Debug)]
pub struct TerritoryFacts {
    /// The name in texts.
    pub id: String,
    /// Number of tiles.
    pub count: u8,
    /// The goods that each gives every turn.
    pub income: Goods,
}

/// A box of the trade track.
#[derive(Clone, Debug)]
pub struct BoxFacts {
    /// Number of discs to pay.
    pub discs: u8,
    /// The goods received.
    pub gain: Goods,
}

/// A city tile or wonder.
#[derive(Clone, Debug)]
pub struct CityFacts {
    /// The name in texts.
    pub id: String,
    /// True if it is a wonder.
    pub is_wonder: bool,
    /// The price in gold.
    pub gold: i32,
    /// Number of discs that it costs every turn.
    pub resource: u8,
    /// The goods that it gives every turn, including food and points; for a wonder the points that it gives at once.
    pub income: Goods,
}
