//! The position: [`State`].
//!
//! It holds the players' goods, tiles on display and in the stacks, cubes and discs, and the progress of the decision
//! under way. The options stand beside it as sets, so that counting them is free.

use super::things::{
    BoxSet, City, CitySet, Empire, EmpireSet, MAX_SEATS, N_PROGRESS, N_REGIONS, N_TERRITORIES,
    Progress, ProgressSet, Region, RegionSet, Row, Territory,
};
use crate::data::data;
#[cfg(feature = "data")]
use crate::data::{Bits, Each, Nibbles};
use crate::player::Player;

/// The decision or chance event that is due.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Chance: the first turn order (3.2).
    Order,
    /// Chance: progress tiles (4.2).
    DrawProgress,
    /// Chance: territory tiles (4.2).
    DrawTerritory,
    /// Free actions before the disc, or the disc (5.3, 5.4).
    Disc,
    /// The price of a disc that was taken back (2.1).
    Pay,
    /// An object (5.5).
    Object,
    /// A region that gets cubes (9.5).
    To,
    /// Number of cubes for that region (9.5).
    Count,
    /// A battle (10.2).
    Battle,
    /// Free actions after the object (5.6).
    After,
    /// The cities to feed (12.1).
    Feed,
    /// Goods of choice, food among them (12.2).
    ChooseFood,
    /// Goods of choice without food (13.1).
    ChooseGoods,
    /// The cities to supply with discs (13.3).
    Supply,
    /// A place in the next order (15.2).
    Seat,
    /// The progress tiles to keep (16.1).
    KeepProgress,
    /// The cities to keep (16.2).
    KeepCities,
    /// The game is over.
    Over,
}

/// Progress, territory and city tiles in some place, by number of each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tiles {
    pub(super) progress: [u8; N_PROGRESS],
    pub(super) territory: [u8; N_TERRITORIES],
}

impl Tiles {
    /// Returns the number of progress tiles of a type.
    #[must_use]
    pub const fn progress(&self, tile: Progress) -> u8 {
        self.progress[tile.idx()]
    }

    /// Returns the number of territory tiles of a type.
    #[must_use]
    pub const fn territory(&self, tile: Territory) -> u8 {
        self.territory[tile.idx()]
    }

    /// Returns the types of progress tiles with at least one tile.
    #[inline]
    #[must_use]
    pub fn progress_set(&self) -> ProgressSet {
        let bits = self.progress.iter().enumerate();
        ProgressSet::from_bits(bits.fold(0, |bits, (i, &n)| bits | u64::from(n > 0) << i))
    }

    /// Returns the types of territory tiles with at least one tile, as bits.
    #[inline]
    #[must_use]
    pub fn territory_bits(&self) -> u64 {
        let bits = self.territory.iter().enumerate();
        bits.fold(0, |bits, (i, &n)| bits | u64::from(n > 0) << i)
    }
}

/// The parts of a record at the end of a turn, kept until a ply or event: forced plies may follow the end at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Closing {
    pub(super) is_shown: bool,
    pub(super) display: Tiles,
    pub(super) stacks: Tiles,
    pub(super) city_display: CitySet,
    pub(super) discs: [u64; Row::COUNT],
    pub(super) cities: [CitySet; MAX_SEATS],
    pub(super) progress: [ProgressSet; MAX_SEATS],
    pub(super) gold: [i32; MAX_SEATS],
    pub(super) vp: [i32; MAX_SEATS],
    pub(super) food: [i16; MAX_SEATS],
    pub(super) resource: [u8; MAX_SEATS],
    pub(super) pool: [u8; MAX_SEATS],
    pub(super) stock: [u8; MAX_SEATS],
    pub(super) map: [[u8; MAX_SEATS]; N_REGIONS],
    pub(super) territory: [[u8; N_TERRITORIES]; MAX_SEATS],
}

macro_rules! fields_that_are_shown {
    ($($field:ident)*) => {
        /// A bit for each circle of a row.
const EVERY_CIRCLE: u64 = 0x1111_1111_1111_1111;

impl State {
            /// Keeps the parts of a record.
            pub(super) fn close(&mut self) {
                self.closing = Closing { is_shown: true, $($field: self.$field),* };
            }

            /// Returns the position in the form of a record.
            pub(super) fn shown(&self) -> Self {
                let mut shown = *self;
                if self.closing.is_shown {
                    $(shown.$field = self.closing.$field;)*
                }
                shown
            }
        }
    };
}
fields_that_are_shown!(display stacks city_display discs cities progress gold vp food resource pool stock map territory);

/// The progress of the action or the choice under way; default values between two of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Detail {
    /// The first free action that is still available in this window.
    pub(super) window: u8,
    /// The row of the disc.
    pub(super) row: Option<Row>,
    /// The progress tile taken in this action.
    pub(super) taken: Option<Progress>,
    /// Number of units of the price that are still due.
    pub(super) due: u8,
    /// The first currency, or kind of goods, that may come next; the first tile that may be given up next.
    pub(super) next: u8,
    /// The empire tile.
    pub(super) tile: Option<Empire>,
    /// Number of regions that may still get cubes.
    pub(super) areas: u8,
    /// True if water is shown.
    pub(super) water: bool,
    /// True if the mover held nothing in the Old World at the start.
    pub(super) is_newcomer: bool,
    /// True if the mover has abandoned the map.
    pub(super) has_abandoned: bool,
    /// True if the mover may still abandon it.
    pub(super) may_abandon: bool,
    /// Regions that may get cubes.
    pub(super) may: RegionSet,
    /// Regions that were chosen.
    pub(super) chosen: RegionSet,
    /// The region that was chosen last.
    pub(super) region: Option<Region>,
    /// The battle line that is due.
    pub(super) line: u8,
    /// The region fought in with the line before.
    pub(super) fought: Option<Region>,
    /// The index of the source of goods of choice.
    pub(super) source: u8,
    /// Number of units that are still to be chosen.
    pub(super) left: u8,
    /// Amount of food that was chosen.
    pub(super) food: u16,
    /// Number of tiles that are still to be drawn.
    pub(super) draws: u8,
}

/// A position of rise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The options of the decision that is due, as its phase reads them.
    pub(super) set: [u64; 2],
    /// Discs of each row, four bits for each circle: the seat and one, or 0.
    pub(super) discs: [u64; Row::COUNT],
    pub(super) cities: [CitySet; MAX_SEATS],
    pub(super) progress: [ProgressSet; MAX_SEATS],
    pub(super) city_display: CitySet,
    pub(super) empires: EmpireSet,
    pub(super) boxes: BoxSet,
    pub(super) detail: Detail,
    pub(super) closing: Closing,
    pub(super) gold: [i32; MAX_SEATS],
    pub(super) vp: [i32; MAX_SEATS],
    pub(super) food: [i16; MAX_SEATS],
    /// Gold, discs and cubes that were chosen in the food phase or in 13.1 and come in 13.2.
    pub(super) chosen: [[u16; 3]; MAX_SEATS],
    pub(super) resource: [u8; MAX_SEATS],
    pub(super) pool: [u8; MAX_SEATS],
    pub(super) stock: [u8; MAX_SEATS],
    pub(super) map: [[u8; MAX_SEATS]; N_REGIONS],
    pub(super) territory: [[u8; N_TERRITORIES]; MAX_SEATS],
    pub(super) display: Tiles,
    pub(super) stacks: Tiles,
    pub(super) alliance: [Option<Region>; MAX_SEATS],
    /// Free actions that were used in this turn, by seat.
    pub(super) used: [u8; MAX_SEATS],
    /// Number of discs that lie in trade boxes and are out of the supply.
    pub(super) on_trade: u8,
    /// The turn order, and that of the next turn as far as it is chosen.
    pub(super) order: [Option<Player>; MAX_SEATS],
    pub(super) next_order: [Option<Player>; MAX_SEATS],
    /// The players who choose a place, in order.
    pub(super) choosers: [Option<Player>; MAX_SEATS],
    /// The turn, from 0.
    pub(super) turn: u8,
    pub(super) round: u8,
    /// The index in the order of the player who is due.
    pub(super) at: u8,
    pub(super) phase: Phase,
    /// Number of points of the game that a record shows.
    pub(super) milestone: u8,
    pub(super) n_options: u16,
}

data!(struct State { set, discs in Each<Nibbles>, cities, progress, city_display, empires, boxes, detail, closing, gold, vp, food, chosen, resource, pool, stock, map, territory, display, stacks, alliance, used in Each<Bits>, on_trade, order, next_order, choosers, turn, round, at, phase, milestone, n_options });
data!(
    enum Phase {
        Order,
        DrawProgress,
        DrawTerritory,
        Disc,
        Pay,
        Object,
        To,
        Count,
        Battle,
        After,
        Feed,
        ChooseFood,
        ChooseGoods,
        Supply,
        Seat,
        KeepProgress,
        KeepCities,
        Over,
    }
);
data!(struct Tiles { progress, territory });
data!(struct Closing { is_shown, display, stacks, city_display, discs in Each<Nibbles>, cities, progress, gold, vp, food, resource, pool, stock, map, territory });
data!(struct Detail { window, row, taken, due, next, tile, areas, water, is_newcomer, has_abandoned, may_abandon, may, chosen, region, line, fought, source, left, food, draws });

impl State {
    /// Returns the player who is due.
    #[inline]
    pub(super) fn mover(&self) -> Player {
        let list = if self.phase == Phase::Seat { &self.choosers } else { &self.order };
        list[usize::from(self.at)].expect("somebody is due")
    }

    /// Returns the decision or chance event that is due.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the turn, from 0 (IA) to 5 (IIIB).
    #[must_use]
    pub const fn turn(&self) -> u8 {
        self.turn
    }

    /// Returns the number of rounds of actions that are over in this turn.
    #[must_use]
    pub const fn round(&self) -> u8 {
        self.round
    }

    /// Returns the gold of a seat.
    #[must_use]
    pub const fn gold(&self, seat: usize) -> i32 {
        self.gold[seat]
    }

    /// Returns the victory points of a seat.
    #[must_use]
    pub const fn vp(&self, seat: usize) -> i32 {
        self.vp[seat]
    }

    /// Returns the food marker of a seat.
    #[must_use]
    pub const fn food(&self, seat: usize) -> i32 {
        self.food[seat] as i32
    }

    /// Returns the resource discs of a seat.
    #[must_use]
    pub const fn resource(&self, seat: usize) -> i32 {
        self.resource[seat] as i32
    }

    /// Returns the cubes in the pool of a seat.
    #[must_use]
    pub const fn pool(&self, seat: usize) -> i32 {
        self.pool[seat] as i32
    }

    /// Returns the cubes in the general stock of a seat.
    #[must_use]
    pub const fn stock(&self, seat: usize) -> i32 {
        self.stock[seat] as i32
    }

    /// Returns the cubes of a seat in a region.
    #[must_use]
    pub const fn cubes(&self, seat: usize, region: Region) -> i32 {
        self.map[region.idx()][seat] as i32
    }

    /// Returns the numbers of cubes of all seats in a region.
    #[must_use]
    pub const fn garrison(&self, region: Region) -> &[u8] {
        &self.map[region.idx()]
    }

    /// Returns the progress tiles of a seat.
    #[must_use]
    pub const fn progress(&self, seat: usize) -> ProgressSet {
        self.progress[seat]
    }

    /// Returns the territory tiles of a type that a seat has.
    #[must_use]
    pub const fn territory(&self, seat: usize, tile: Territory) -> i32 {
        self.territory[seat][tile.idx()] as i32
    }

    /// Returns the cities of a seat.
    #[must_use]
    pub const fn cities(&self, seat: usize) -> CitySet {
        self.cities[seat]
    }

    /// Returns whether a city lies on display.
    #[must_use]
    pub fn shows_city(&self, city: City) -> bool {
        self.city_display.contains(city)
    }

    /// Returns the tiles on display.
    #[must_use]
    pub const fn display(&self) -> &Tiles {
        &self.display
    }

    /// Returns the tiles in the stacks.
    #[must_use]
    pub const fn stacks(&self) -> &Tiles {
        &self.stacks
    }

    /// Returns the city tiles on display.
    #[must_use]
    pub const fn city_display(&self) -> CitySet {
        self.city_display
    }

    /// Returns the empire tiles on display.
    #[must_use]
    pub const fn empires(&self) -> EmpireSet {
        self.empires
    }

    /// Returns the region of the alliance piece of a seat.
    #[must_use]
    pub const fn alliance(&self, seat: usize) -> Option<Region> {
        self.alliance[seat]
    }

    /// Returns the players in the order of this turn.
    pub fn order(&self) -> impl Iterator<Item = Player> + '_ {
        self.order.iter().flatten().copied()
    }

    /// Returns the place of a player in the order of this turn, from 0; the last if they have none yet.
    #[must_use]
    pub fn place_of(&self, player: Player) -> usize {
        self.order.iter().position(|p| *p == Some(player)).unwrap_or(MAX_SEATS - 1)
    }

    /// Returns the place that a player has chosen in the next turn's order, from 0.
    #[must_use]
    pub fn next_place(&self, player: Player) -> Option<usize> {
        self.next_order.iter().position(|p| *p == Some(player))
    }

    /// Returns the regions in which a seat has cubes.
    #[inline]
    #[must_use]
    pub fn held(&self, seat: usize) -> RegionSet {
        let cubes = self.map.iter().enumerate();
        RegionSet::from_bits(cubes.fold(0, |bits, (i, c)| bits | u64::from(c[seat] > 0) << i))
    }

    /// Returns the seat with the disc on a circle of a row, from 0; `None` if the circle is free.
    #[inline]
    #[must_use]
    pub const fn disc(&self, row: Row, circle: u8) -> Option<usize> {
        match self.discs[row as usize] >> (4 * circle) & 0xf {
            0 => None,
            next => Some(next as usize - 1),
        }
    }

    /// Returns the circles of a row with a disc of a seat: bit 4 i for circle i.
    #[inline]
    #[must_use]
    pub(super) const fn circles_of(&self, row: Row, seat: usize) -> u64 {
        // Four bits equal to those of the seat become zero.
        let rest = self.discs[row as usize] ^ (EVERY_CIRCLE * (seat as u64 + 1));
        let any = rest | (rest >> 1) | (rest >> 2) | (rest >> 3);
        !any & EVERY_CIRCLE
    }

    /// Returns the number of discs of a row on circles above this one, from 0.
    #[inline]
    #[must_use]
    pub const fn discs_above(&self, row: Row, circle: u8) -> i32 {
        let above = self.discs[row as usize] >> (4 * circle) >> 4;
        // A disc is one of the numbers 1 to 5: some bit of its four is set.
        let any = above | above >> 1 | above >> 2;
        (any & EVERY_CIRCLE).count_ones() as i32
    }

    /// Returns the number of discs of a row.
    #[inline]
    #[must_use]
    pub const fn n_discs(&self, row: Row) -> u8 {
        let discs = self.discs[row as usize];
        ((discs | discs >> 1 | discs >> 2) & EVERY_CIRCLE).count_ones() as u8
    }
}
