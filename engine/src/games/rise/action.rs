//! The choice of a player or the outcome of chance: [`Action`].

use super::things::{City, Empire, Good, Progress, Region, Row, Territory, TradeBox};
use crate::player::Player;

/// A choice of a player, or an event of chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Chance: gives this player the next place in the first order (3.2).
    Order(Player),
    /// Chance: draws this progress tile (4.2).
    DrawProgress(Progress),
    /// Chance: draws this territory tile (4.2).
    DrawTerritory(Territory),
    /// Places a disc on the lowest free circle of a row (5.3).
    Place(Row),
    /// Takes back the disc on a circle of a row, from 1 (5.4).
    Remove(Row, u8),
    /// Uses a free action, in a region if it needs one (5.6).
    Use(Progress, Option<Region>),
    /// Pays this amount of the price of a disc (2.1).
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
    /// Puts cubes into this region (9.5).
    To(Region),
    /// Puts this number of them there.
    Count(u8),
    /// Ends the placing of cubes.
    Done,
    /// Fights in a region against a player (10.2).
    Battle(Region, Player),
    /// Declines to fight with the line that is due.
    NoBattle,
    /// Ends the free actions (5.6).
    End,
    /// Gives up a progress tile (2.2).
    DropProgress(Progress),
    /// Gives up a city (2.2).
    DropCity(City),
    /// Keeps all tiles that are left.
    Keep,
    /// Takes this number of units of a kind (2.3).
    Take(Good, u8),
    /// Chooses this place in the next turn's order, from 1 (15.2).
    Seat(u8),
}
