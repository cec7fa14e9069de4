//! Roles of treatments and sweeps: money, things, prices, places and turn order of a game, under common names.
//!
//! [`crate::treatment`] lists the interventions of a game; this module assigns them their roles. Worths are measured in
//! shares of the points. The measured worths of a unit of money and of an action turn them into prices. An analysis
//! names no game: it requests the gift of money, under any name.

use crate::player::{ByPlayer, MAX_PLAYERS, Player, PlayerSet};
use crate::rules::Rules;

/// The price of a thing.
#[derive(Clone, Copy, Debug)]
pub enum Price {
    /// The value of the rules that this sweep changes, by the sweep's id; every thing has its own value.
    Swept(&'static str),
    /// A function of the rules, the thing and the stage (from 1); there is nothing to sweep.
    Listed(fn(&Rules, &str, u8) -> i64),
}

/// A market: things that players take for a price, and the interventions that measure their worth.
#[derive(Clone, Copy, Debug)]
pub struct Market {
    /// The things taken there, in the plural: the market's name.
    pub name: &'static str,
    /// The gift of money, by its id.
    pub money: &'static str,
    /// The unit of money, in the plural.
    pub unit: &'static str,
    /// Amounts of money given to measure the worth of a unit: small beside the players' own money.
    pub amounts: &'static [i64],
    /// The gift of actions in one turn, by its id; -1 takes one away.
    pub action: &'static str,
    /// The gift of a thing, by its id; the names in its key are the things.
    pub thing: &'static str,
    /// Number of actions that taking a thing costs, beside its price.
    pub actions: i64,
    /// The ban that keeps one seat from taking a thing, by its id.
    pub ban: &'static str,
    /// The printed price of a thing.
    pub price: Price,
    /// The step of prices in sweeps of demand.
    pub step: i64,
}

/// Places that players hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Territory {
    /// The gift of one token of influence in a place, by its id; the names in its key are the places.
    pub token: &'static str,
    /// The gift of a city in a place, by its id, if places have cities.
    pub city: Option<&'static str>,
    /// The gift of victory points, by its id.
    pub points: &'static str,
    /// The sweeps of a place's pay to the first player in it, the second and so on, by their ids.
    pub pays: &'static [&'static str],
    /// The step of those sweeps.
    pub step: i64,
    /// The sweep of the price of a token, by its id. Its value under the rules is the printed price. `None` where
    /// tokens are not bought one at a time.
    pub price: Option<&'static str>,
    /// The treatment that sets the start influence of a seat, by its id; `None` where no seat begins with any.
    pub deal: Option<&'static str>,
    /// True if the game reports the place of a fight (`Treatable::fighting`).
    pub fights: bool,
}

/// An act of a player that a treatment can forbid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Uptake<'a> {
    /// The ban, by its id.
    pub ban: &'static str,
    /// The name in its key.
    pub name: &'a str,
}

/// The turn order of a game that renews it in every stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Precedence {
    /// The treatment that sets the turn order of a stage, by its id; it replaces bidding.
    pub order: &'static str,
    /// The bidding for it at the start of a stage; `None` where the order comes about without bids.
    pub bids: Option<Bidding>,
}

/// The bidding for places in a turn order that has two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bidding {
    /// The treatment that sets the sides of the places in that order, by its id.
    pub sides: &'static str,
    /// The names of the sides there.
    pub names: [&'static str; 2],
    /// The treatment that sets the first bidder, by its id.
    pub opener: &'static str,
}

/// The settled part of the turn order of the stage under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placings {
    /// Number of players who have a place and a side: they hold the first places. At 0 no player has paid yet.
    pub settled: u8,
    /// The seats in order; entries behind the settled ones have no meaning.
    pub order: [Player; MAX_PLAYERS],
    /// The players on the second side.
    pub second: PlayerSet,
    /// The money that each player has to bid with. Only bids change it while places are settled.
    pub money: ByPlayer<i32>,
}
