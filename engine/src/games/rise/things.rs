//! The things of the game as types, with their numbers: regions, tiles, boxes, rows and goods.

use std::ops::{Add, AddAssign, Index, IndexMut, Mul};

use serde::Deserialize;

use crate::bits::numbered;
use crate::data::data;

/// Number of regions.
pub const N_REGIONS: usize = 17;
/// Number of types of progress tiles.
pub const N_PROGRESS: usize = 24;
/// Number of types of territory tiles.
pub const N_TERRITORIES: usize = 10;
/// Number of city tiles, wonders among them.
pub const N_CITIES: usize = 36;
/// Number of empire tiles.
pub const N_EMPIRES: usize = 8;
/// Number of boxes of the trade track.
pub const N_BOXES: usize = 15;
/// Number of types of progress tiles with a free action.
pub const N_FREE: usize = 3;
/// Number of turns.
pub const N_TURNS: usize = 6;
/// Number of eras.
pub const N_ERAS: usize = 3;
/// The largest number of players.
pub(super) const MAX_SEATS: usize = 5;
/// The largest number of circles of a row of the action display: their sets are bits of a word, row beside row.
pub(super) const MAX_CIRCLES: usize = 12;

numbered! {
    /// A region, in file order.
    Region, /// A set of regions.
    RegionSet;
    /// A type of progress tiles, in file order.
    Progress, /// A set of types of progress tiles.
    ProgressSet;
    /// A type of territory tiles, in file order.
    Territory, /// A set of types of territory tiles.
    TerritorySet;
    /// A city tile or wonder, in file order.
    City, /// A set of city tiles.
    CitySet;
    /// An empire tile, in file order.
    Empire, /// A set of empire tiles.
    EmpireSet;
    /// A box of the trade track, in file order.
    TradeBox, /// A set of boxes.
    BoxSet;
}

/// A row of the action display, in its order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Row {
    /// Progress tiles.
    Progress,
    /// Territory tiles.
    Territory,
    /// City tiles and wonders.
    City,
    /// Empire tiles.
    Empire,
    /// Boxes of the trade track.
    Trade,
}

data!(
    enum Row {
        Progress,
        Territory,
        City,
        Empire,
        Trade,
    }
);

impl Row {
    /// All rows.
    pub const ALL: [Self; 5] =
        [Self::Progress, Self::Territory, Self::City, Self::Empire, Self::Trade];
    /// Number of rows.
    pub const COUNT: usize = Self::ALL.len();

    /// Returns the text form.
    #[must_use]
    pub const fn id(self) -> &'static str {
        ["progress", "territory", "city", "empire", "trade"][self as usize]
    }
}

/// A kind of goods.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Good {
    /// Steps on the food track.
    Food,
    /// Gold.
    Gold,
    /// Resource discs.
    Resource,
    /// Cubes of the pool.
    Cubes,
    /// Victory points.
    Vp,
}

impl Good {
    /// All kinds of goods.
    pub const ALL: [Self; 5] = [Self::Food, Self::Gold, Self::Resource, Self::Cubes, Self::Vp];

    /// Returns the text form.
    #[must_use]
    pub const fn id(self) -> &'static str {
        ["food", "gold", "resource", "cubes", "vp"][self as usize]
    }
}

/// An amount of each kind of goods.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Goods {
    food: i32,
    gold: i32,
    resource: i32,
    cubes: i32,
    vp: i32,
}

impl Index<Good> for Goods {
    type Output = i32;
    #[inline]
    fn index(&self, good: Good) -> &i32 {
        match good {
            Good::Food => &self.food,
            Good::Gold => &self.gold,
            Good::Resource => &self.resource,
            Good::Cubes => &self.cubes,
            Good::Vp => &self.vp,
        }
    }
}

impl IndexMut<Good> for Goods {
    #[inline]
    fn index_mut(&mut self, good: Good) -> &mut i32 {
        match good {
            Good::Food => &mut self.food,
            Good::Gold => &mut self.gold,
            Good::Resource => &mut self.resource,
            Good::Cubes => &mut self.cubes,
            Good::Vp => &mut self.vp,
        }
    }
}

impl AddAssign for Goods {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.food += other.food;
        self.gold += other.gold;
        self.resource += other.resource;
        self.cubes += other.cubes;
        self.vp += other.vp;
    }
}

impl Add for Goods {
    type Output = Self;
    #[inline]
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl Mul<i32> for Goods {
    type Output = Self;
    #[inline]
    fn mul(self, n: i32) -> Self {
        Self {
            food: self.food * n,
            gold: self.gold * n,
            resource: self.resource * n,
            cubes: self.cubes * n,
            vp: self.vp * n,
        }
    }
}

impl Goods {
    /// Returns each kind divided by `n`, rounded down (13.2).
    #[must_use]
    pub fn shared_by(mut self, n: i32) -> Self {
        if n == 1 {
            return self;
        }
        Good::ALL.into_iter().for_each(|good| self[good] = self[good].div_euclid(n));
        self
    }
}
