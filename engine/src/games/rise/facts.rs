//! What single regions, tiles and boxes are, as tables have them.

use super::things::{Good, Goods, Progress, RegionSet, Territory};

/// A region.
#[derive(Clone, Debug)]
pub struct RegionFacts {
    /// Its name in texts.
    pub id: String,
    /// Points of the first and the second place.
    pub vp: [i32; 2],
    /// What it gives every turn.
    pub symbol: Goods,
    /// The regions beside it.
    pub neighbours: RegionSet,
}

/// A battle line: what the attacker and what the defender is to lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BattleLine {
    /// Cubes of the attacker.
    pub attacker: i32,
    /// Cubes of the defender.
    pub defender: i32,
}

/// A face of an empire tile.
#[derive(Clone, Debug, Default)]
pub struct FaceFacts {
    /// Regions that may get cubes.
    pub areas: i32,
    /// Whether it shows water.
    pub water: bool,
    /// Its battle lines, the upper first.
    pub lines: Vec<BattleLine>,
}

/// A source of goods of the owner's choice: `amount` units for each territory tile of type `tile`.
#[derive(Clone, Debug)]
pub struct Source {
    /// The progress tile that it is on; nothing if it is the territory tile itself.
    pub of: Option<Progress>,
    /// The territory tile that is counted.
    pub tile: Territory,
    /// Units for each.
    pub amount: i32,
    /// What can be chosen, in order.
    pub kinds: Vec<Good>,
}

/// What the free action of a progress tile does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// So many cubes go from the general stock into an open region.
    Place {
        /// How many.
        cubes: u8,
        /// Whether regions are open to it that need water.
        water: bool,
    },
    /// The alliance piece goes into a region.
    Alliance,
    /// Goods are received.
    Gain(Goods),
}

/// A free action.
#[derive(Clone, Copy, Debug)]
pub struct FreeAction {
    /// The tile.
    pub tile: Progress,
    /// What it costs.
    pub cost: Goods,
    /// What it does.
    pub act: Act,
}

/// Points for regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerRegion {
    /// For each.
    pub vp: i32,
    /// Whether they count only if they are controlled.
    pub is_control: bool,
    /// The most in a turn.
    pub most: i32,
}

/// A type of progress tiles: what of the kinds of effects it has, nothing of the others.
#[derive(Clone, Debug, Default)]
pub struct ProgressFacts {
    /// Its name in texts.
    pub id: String,
    /// Its era, from 1.
    pub era: u8,
    /// How many there are.
    pub count: u8,
    /// Goods every turn.
    pub gain: Goods,
    /// Goods for each territory tile of a type.
    pub per_tile: Option<(Territory, Goods)>,
    /// Points for regions.
    pub per_region: Option<PerRegion>,
    /// Areas more on own empire tiles.
    pub extra_areas: i32,
    /// What defenders lose more in own battles.
    pub defender_loss: i32,
    /// What the attacker loses more in own battles.
    pub attacker_loss: i32,
    /// What the defender loses less.
    pub loss_reduction: i32,
    /// Goods with every trade action.
    pub trade_bonus: Goods,
    /// Gold off the price of cities and of wonders.
    pub discount: [i32; 2],
}

/// A type of territory tiles.
#[derive(Clone, Debug)]
pub struct TerritoryFacts {
    /// Its name in texts.
    pub id: String,
    /// How many there are.
    pub count: u8,
    /// What each gives every turn.
    pub income: Goods,
}

/// A box of the trade track.
#[derive(Clone, Debug)]
pub struct BoxFacts {
    /// Discs that are paid.
    pub discs: u8,
    /// What is received.
    pub gain: Goods,
}

/// A city tile or wonder.
#[derive(Clone, Debug)]
pub struct CityFacts {
    /// Its name in texts.
    pub id: String,
    /// Whether it is a wonder.
    pub is_wonder: bool,
    /// Its price.
    pub gold: i32,
    /// Discs that it costs every turn.
    pub resource: u8,
    /// What it gives every turn, food and points among it; of a wonder the points that it gives at once.
    pub income: Goods,
}
