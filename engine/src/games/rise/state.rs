//! The position: [`State`].
//!
//! Who has what, what lies on display and in the stacks, where cubes and discs are, and how far the decision under way
//! has come. Its options are kept beside it as sets, so that counting them is free.

use super::things::{
    BoxSet, City, CitySet, Empire, EmpireSet, MAX_SEATS, N_PROGRESS, N_REGIONS, N_TERRITORIES,
    Progress, ProgressSet, Region, RegionSet, Row, Territory,
};
use crate::player::Player;

/// What is due.
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
    /// How many (9.5).
    Count,
    /// A battle (10.2).
    Battle,
    /// Free actions after the object (5.6).
    After,
    /// Which cities are fed (12.1).
    Feed,
    /// Goods of choice, food among them (12.2).
    ChooseFood,
    /// Goods of choice without food (13.1).
    ChooseGoods,
    /// Which cities get their discs (13.3).
    Supply,
    /// A place in the next order (15.2).
    Seat,
    /// Which progress tiles are kept (16.1).
    KeepProgress,
    /// Which cities are kept (16.2).
    KeepCities,
    /// The game is over.
    Over,
}

/// Progress, territory and city tiles that lie somewhere, by number of each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tiles {
    pub(super) progress: [u8; N_PROGRESS],
    pub(super) territory: [u8; N_TERRITORIES],
}

impl Tiles {
    /// How many progress tiles of a type.
    #[must_use]
    pub const fn progress(&self, tile: Progress) -> u8 {
        self.progress[tile.idx()]
    }

    /// How many territory tiles of a type.
    #[must_use]
    pub const fn territory(&self, tile: Territory) -> u8 {
        self.territory[tile.idx()]
    }

    /// The progress tiles of which there is one.
    #[inline]
    #[must_use]
    pub fn progress_set(&self) -> ProgressSet {
        let bits = self.progress.iter().enumerate();
        ProgressSet::from_bits(bits.fold(0, |bits, (i, &n)| bits | u64::from(n > 0) << i))
    }

    /// The territory tiles of which there is one.
    #[inline]
    #[must_use]
    pub fn territory_bits(&self) -> u64 {
        let bits = self.territory.iter().enumerate();
        bits.fold(0, |bits, (i, &n)| bits | u64::from(n > 0) << i)
    }
}

/// What a record shows of the end of a turn, until something has happened since: plies that are no choice may follow it
/// at once.
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
            /// Keeps what a record shows.
            pub(super) fn close(&mut self) {
                self.closing = Closing { is_shown: true, $($field: self.$field),* };
            }

            /// The position as a record shows it.
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

/// How far the action or the choice under way has come; all of it default between two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Detail {
    /// Free actions before this one are over in this window.
    pub(super) window: u8,
    /// The row of the disc.
    pub(super) row: Option<Row>,
    /// The progress tile taken in this action.
    pub(super) taken: Option<Progress>,
    /// Units of the price that are still due.
    pub(super) due: u8,
    /// The first currency, or kind of goods, that may come next; the first tile that may be given up next.
    pub(super) next: u8,
    /// The empire tile.
    pub(super) tile: Option<Empire>,
    /// Regions that may still get cubes, in number.
    pub(super) areas: u8,
    /// Whether water is shown.
    pub(super) water: bool,
    /// Whether he held nothing in the Old World at the start.
    pub(super) is_newcomer: bool,
    /// Whether he has abandoned the map.
    pub(super) has_abandoned: bool,
    /// Whether he may still abandon it.
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
    /// Which source of goods of choice.
    pub(super) source: u8,
    /// Units that are still to be chosen.
    pub(super) left: u8,
    /// Food that was chosen.
    pub(super) food: u16,
    /// Tiles that are still to be drawn.
    pub(super) draws: u8,
}

/// A position of rise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The options of the decision that is due, as its phase reads them.
    pub(super) set: [u64; 2],
    /// Discs of each row, four bits a circle: the seat and one, or 0.
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
    /// Gold, discs and cubes that were chosen in the food phase or in 13.1 and are received in 13.2.
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
    /// Discs that lie in trade boxes and are out of the supply.
    pub(super) on_trade: u8,
    /// The turn order, and that of the next turn as far as it is chosen.
    pub(super) order: [Option<Player>; MAX_SEATS],
    pub(super) next_order: [Option<Player>; MAX_SEATS],
    /// Those who choose a place, in order.
    pub(super) choosers: [Option<Player>; MAX_SEATS],
    /// The turn, from 0.
    pub(super) turn: u8,
    pub(super) round: u8,
    /// The place in the order of who is due.
    pub(super) at: u8,
    pub(super) phase: Phase,
    /// Points of the game that a record shows.
    pub(super) milestone: u8,
    pub(super) n_options: u16,
}

impl State {
    /// The player who is due.
    #[inline]
    pub(super) fn mover(&self) -> Player {
        let list = if self.phase == Phase::Seat { &self.choosers } else { &self.order };
        list[usize::from(self.at)].expect("somebody is due")
    }

    /// What is due.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The turn, from 0 (IA) to 5 (IIIB).
    #[must_use]
    pub const fn turn(&self) -> u8 {
        self.turn
    }

    /// Rounds of actions that are over in this turn.
    #[must_use]
    pub const fn round(&self) -> u8 {
        self.round
    }

    /// Gold of a seat.
    #[must_use]
    pub const fn gold(&self, seat: usize) -> i32 {
        self.gold[seat]
    }

    /// Victory points of a seat.
    #[must_use]
    pub const fn vp(&self, seat: usize) -> i32 {
        self.vp[seat]
    }

    /// The food marker of a seat.
    #[must_use]
    pub const fn food(&self, seat: usize) -> i32 {
        self.food[seat] as i32
    }

    /// Resource discs of a seat.
    #[must_use]
    pub const fn resource(&self, seat: usize) -> i32 {
        self.resource[seat] as i32
    }

    /// Cubes in the pool of a seat.
    #[must_use]
    pub const fn pool(&self, seat: usize) -> i32 {
        self.pool[seat] as i32
    }

    /// Cubes in the general stock of a seat.
    #[must_use]
    pub const fn stock(&self, seat: usize) -> i32 {
        self.stock[seat] as i32
    }

    /// Cubes of a seat in a region.
    #[must_use]
    pub const fn cubes(&self, seat: usize, region: Region) -> i32 {
        self.map[region.idx()][seat] as i32
    }

    /// Cubes of all seats in a region.
    #[must_use]
    pub const fn garrison(&self, region: Region) -> &[u8] {
        &self.map[region.idx()]
    }

    /// Progress tiles of a seat.
    #[must_use]
    pub const fn progress(&self, seat: usize) -> ProgressSet {
        self.progress[seat]
    }

    /// Territory tiles of a type that a seat has.
    #[must_use]
    pub const fn territory(&self, seat: usize, tile: Territory) -> i32 {
        self.territory[seat][tile.idx()] as i32
    }

    /// Cities of a seat.
    #[must_use]
    pub const fn cities(&self, seat: usize) -> CitySet {
        self.cities[seat]
    }

    /// Whether a city lies on display.
    #[must_use]
    pub fn shows_city(&self, city: City) -> bool {
        self.city_display.contains(city)
    }

    /// Tiles on display.
    #[must_use]
    pub const fn display(&self) -> &Tiles {
        &self.display
    }

    /// Tiles that are still to be drawn.
    #[must_use]
    pub const fn stacks(&self) -> &Tiles {
        &self.stacks
    }

    /// City tiles on display.
    #[must_use]
    pub const fn city_display(&self) -> CitySet {
        self.city_display
    }

    /// Empire tiles on display.
    #[must_use]
    pub const fn empires(&self) -> EmpireSet {
        self.empires
    }

    /// Where the alliance piece of a seat stands.
    #[must_use]
    pub const fn alliance(&self, seat: usize) -> Option<Region> {
        self.alliance[seat]
    }

    /// The players in the order of this turn.
    pub fn order(&self) -> impl Iterator<Item = Player> + '_ {
        self.order.iter().flatten().copied()
    }

    /// The place of a player in the order of this turn, from 0; the last if he has none yet.
    #[must_use]
    pub fn place_of(&self, player: Player) -> usize {
        self.order.iter().position(|p| *p == Some(player)).unwrap_or(MAX_SEATS - 1)
    }

    /// The place that a player has chosen in the next turn's order, from 0.
    #[must_use]
    pub fn next_place(&self, player: Player) -> Option<usize> {
        self.next_order.iter().position(|p| *p == Some(player))
    }

    /// Regions in which a seat has cubes.
    #[inline]
    #[must_use]
    pub fn held(&self, seat: usize) -> RegionSet {
        let cubes = self.map.iter().enumerate();
        RegionSet::from_bits(cubes.fold(0, |bits, (i, c)| bits | u64::from(c[seat] > 0) << i))
    }

    /// The seat on a circle of a row, from 0; nobody if it is free.
    #[inline]
    #[must_use]
    pub const fn disc(&self, row: Row, circle: u8) -> Option<usize> {
        match self.discs[row as usize] >> (4 * circle) & 0xf {
            0 => None,
            next => Some(next as usize - 1),
        }
    }

    /// The circles of a row with a disc of a seat: bit 4 i for circle i.
    #[inline]
    #[must_use]
    pub(super) const fn circles_of(&self, row: Row, seat: usize) -> u64 {
        // Where the four bits are those of the seat nothing is left of them.
        let rest = self.discs[row as usize] ^ (EVERY_CIRCLE * (seat as u64 + 1));
        let any = rest | (rest >> 1) | (rest >> 2) | (rest >> 3);
        !any & EVERY_CIRCLE
    }

    /// Discs of a row on circles above this one, from 0.
    #[inline]
    #[must_use]
    pub const fn discs_above(&self, row: Row, circle: u8) -> i32 {
        let above = self.discs[row as usize] >> (4 * circle) >> 4;
        // A disc is one of the numbers 1 to 5: some bit of its four is set.
        let any = above | above >> 1 | above >> 2;
        (any & EVERY_CIRCLE).count_ones() as i32
    }

    /// Discs of a row.
    #[inline]
    #[must_use]
    pub const fn n_discs(&self, row: Row) -> u8 {
        let discs = self.discs[row as usize];
        ((discs | discs >> 1 | discs >> 2) & EVERY_CIRCLE).count_ones() as u8
    }
}
