//! What is chosen or drawn: [`Action`].

use super::things::{City, Empire, Good, Progress, Region, Row, Territory, TradeBox};
use crate::player::Player;

/// A choice of a player, or an event of chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Chance: this player has the next place in the first order (3.2).
    Order(Player),
    /// Chance: this progress tile comes (4.2).
    DrawProgress(Progress),
    /// Chance: this territory tile comes (4.2).
    DrawTerritory(Territory),
    /// A disc on the lowest free circle of a row (5.3).
    Place(Row),
    /// The disc on a circle of a row, from 1, comes back (5.4).
    Remove(Row, u8),
    /// A free action, in a region if it needs one (5.6).
    Use(Progress, Option<Region>),
    /// So much of the price of a disc (2.1).
    Pay(Good, u8),
    /// Takes a progress tile.
    Progress(Progress),
    /// Takes a territory tile.
    Territory(Territory),
    /// Takes a city tile or wonder.
    City(City),
    /// Takes an empire tile.
    Empire(Empire),
    /// Trades in a box.
    Trade(TradeBox),
    /// Takes nothing (5.4).
    Skip,
    /// Removes all own cubes from the map (9.4).
    Abandon,
    /// Cubes go into this region (9.5).
    To(Region),
    /// So many of them.
    Count(u8),
    /// No more regions get cubes.
    Done,
    /// Fights in a region against a player (10.2).
    Battle(Region, Player),
    /// Does not fight with the line that is due.
    NoBattle,
    /// No more free actions (5.6).
    End,
    /// Gives up a progress tile (2.2).
    DropProgress(Progress),
    /// Gives up a city (2.2).
    DropCity(City),
    /// Keeps all that are left.
    Keep,
    /// So many units of a kind (2.3).
    Take(Good, u8),
    /// This place in the next turn's order, from 1 (15.2).
    Seat(u8),
}
