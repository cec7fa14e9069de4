//! What experiments must know of a game to say what things are worth in its own money, and what its places are worth.
//!
//! [`crate::treatment`] says what can be done to a game; this says which of it plays which part. Worths are measured in
//! shares of the points; the worth of a unit of money and of an action, measured likewise, make prices of them. Whoever
//! analyses names no game: he asks for the gift of money, whatever it is called there.

use crate::player::{ByPlayer, MAX_PLAYERS, Player, PlayerSet};
use crate::rules::Rules;

/// What a thing costs.
#[derive(Clone, Copy, Debug)]
pub enum Price {
    /// What stands in the rules where this sweep changes it, by its id; every thing has its own.
    Swept(&'static str),
    /// What this says of the rules, the thing and the stage, from 1: there is nothing to sweep.
    Listed(fn(&Rules, &str, u8) -> i64),
}

/// Things that players take for a price, and what prices are made of.
#[derive(Clone, Copy, Debug)]
pub struct Market {
    /// What is taken there, in the plural: the market's name.
    pub name: &'static str,
    /// The gift of money, by its id.
    pub money: &'static str,
    /// What money is counted in, in the plural.
    pub unit: &'static str,
    /// Amounts of it that are given to measure what a unit is worth: small beside what players have.
    pub amounts: &'static [i64],
    /// The gift of actions in one turn, by its id; -1 takes one away.
    pub action: &'static str,
    /// The gift of a thing, by its id: its names are the things.
    pub thing: &'static str,
    /// Actions that it costs to take a thing, beside its price.
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
    /// The gift of one token of influence in a place, by its id: its names are the places.
    pub token: &'static str,
    /// The gift of a city in a place, by its id, if places have some.
    pub city: Option<&'static str>,
    /// The gift of victory points, by its id.
    pub points: &'static str,
    /// The sweeps of what a place pays to the first in it, the second and so on, by their ids.
    pub pays: &'static [&'static str],
    /// By how much these are changed when they are swept.
    pub step: i64,
    /// The sweep of the price of a token, by its id, whose value under the rules is the printed price; nothing where
    /// tokens are not bought one by one.
    pub price: Option<&'static str>,
    /// The treatment that lays the start influence of a seat, by its id; nothing where nobody begins with any.
    pub deal: Option<&'static str>,
    /// Whether the game tells where players fight (`Treatable::fighting`).
    pub fights: bool,
}

/// Something that a player does and that a treatment can keep him from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Uptake<'a> {
    /// The ban, by its id.
    pub ban: &'static str,
    /// The name in its key.
    pub name: &'a str,
}

/// A turn order that is new in every stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Precedence {
    /// The treatment that sets the turn order of a stage, by its id; where players bid for it, nobody does then.
    pub order: &'static str,
    /// How they bid for it at the start of a stage; nothing where it comes about in another way.
    pub bids: Option<Bidding>,
}

/// How players bid for places in a turn order, with two sides in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bidding {
    /// The treatment that sets the sides of the places in that order, by its id.
    pub sides: &'static str,
    /// The names of the sides there.
    pub names: [&'static str; 2],
    /// The treatment that sets who is the first to bid, by its id.
    pub opener: &'static str,
}

/// How far the turn order of the stage under way is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placings {
    /// Players who have a place and a side: the first of these places. Where it is nobody, nobody has paid yet.
    pub settled: u8,
    /// The seats in order; behind those that are settled it means nothing.
    pub order: [Player; MAX_PLAYERS],
    /// The players on the second side.
    pub second: PlayerSet,
    /// What everybody has to bid with. While places are settled it changes by bids alone.
    pub money: ByPlayer<i32>,
}
