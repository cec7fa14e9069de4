//! The record of a game's course, as a value and as text in a row.
//!
//! The text has words divided by blanks, grouped by kind:
//!
//! - `2.NAME` is a thing that could be taken at stage 2, and `2.NAME=03` one that seats 0 and 3 took;
//! - `2.PLACE:3/0/1/2` are the tokens of every seat in a place at the end of the stage. A suffix `!1` is the number of
//!   fights, if the game reports them. `0.PLACE:…` are the tokens at the first decision;
//! - `2@0/1/15/40;…` is the outcome of the bids of stage 2: place, side, payment and score of each seat.

use std::fmt;
use std::str::FromStr;

use engine::{MAX_PLAYERS, Player, PlayerSet};

/// The record of a game's course.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct UptakeRecord {
    /// Things that could be taken, in the order of stages and names.
    pub offers: Vec<Offer>,
    /// Holdings, stage after stage.
    pub holdings: Vec<Holding>,
    /// Outcomes of bids, stage after stage.
    pub auctions: Vec<Auction>,
}

/// A thing that could be taken at a stage.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Offer {
    /// The stage.
    pub stage: u8,
    /// The thing.
    pub name: String,
    /// The players who took it.
    pub takers: PlayerSet,
}

/// The holdings in a place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Holding {
    /// The stage that ended; [`DEAL`] at the first decision.
    pub stage: u8,
    /// The place.
    pub place: String,
    /// Tokens of each seat there.
    pub tokens: Vec<u8>,
    /// Fights there in that stage, if the game reports them.
    pub fights: Option<u32>,
}

/// The stage number of the holdings at the first decision.
pub const DEAL: u8 = 0;

/// The outcome of the bids of a stage.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Auction {
    /// The stage.
    pub stage: u8,
    /// The place of each seat, and its price.
    pub seats: Vec<Placed>,
}

/// The place of a player in the order, and its price.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placed {
    /// Their place in the turn order.
    pub place: usize,
    /// True on the second side, false on the first.
    pub second: bool,
    /// The price that they have paid.
    pub price: i32,
    /// Their score when the order was settled.
    pub score: i32,
}

impl UptakeRecord {
    /// Returns the outcome for each seat of the bids at a stage, if it is recorded.
    #[must_use]
    pub fn placed(&self, stage: u8) -> Option<&[Placed]> {
        self.auctions.iter().find(|one| one.stage == stage).map(|one| &one.seats[..])
    }
}

/// Writes `all` with `between` them.
fn joined<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    all: impl IntoIterator<Item = T>,
    between: &str,
) -> fmt::Result {
    for (i, one) in all.into_iter().enumerate() {
        write!(f, "{}{one}", if i == 0 { "" } else { between })?;
    }
    Ok(())
}

impl fmt::Display for UptakeRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offers = self.offers.iter().map(|offer| offer as &dyn fmt::Display);
        let holdings = self.holdings.iter().map(|holding| holding as &dyn fmt::Display);
        let auctions = self.auctions.iter().map(|auction| auction as &dyn fmt::Display);
        joined(f, offers.chain(holdings).chain(auctions), " ")
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.stage, self.name)?;
        if self.takers.is_empty() {
            return Ok(());
        }
        f.write_str("=")?;
        joined(f, self.takers.iter(), "")
    }
}

impl fmt::Display for Holding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}:", self.stage, self.place)?;
        joined(f, &self.tokens, "/")?;
        self.fights.map_or(Ok(()), |fights| write!(f, "!{fights}"))
    }
}

impl fmt::Display for Auction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@", self.stage)?;
        joined(f, &self.seats, ";")
    }
}

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}/{}", self.place, u8::from(self.second), self.price, self.score)
    }
}

/// An error: a text that is not a record in the form of [`UptakeRecord`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadUptakeRecord;

impl FromStr for UptakeRecord {
    type Err = BadUptakeRecord;

    fn from_str(text: &str) -> Result<Self, BadUptakeRecord> {
        let mut uptake = Self::default();
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            uptake.read(word).ok_or(BadUptakeRecord)?;
        }
        Ok(uptake)
    }
}

impl UptakeRecord {
    fn read(&mut self, word: &str) -> Option<()> {
        if let Some((stage, seats)) = word.split_once('@') {
            let seats = seats.split(';').map(Placed::read).collect::<Option<_>>()?;
            self.auctions.push(Auction { stage: stage.parse().ok()?, seats });
            return Some(());
        }
        let (stage, what) = word.split_once('.')?;
        let stage = stage.parse().ok()?;
        if let Some((place, held)) = what.split_once(':') {
            let (tokens, fights) = match held.split_once('!') {
                Some((tokens, fights)) => (tokens, Some(fights.parse().ok()?)),
                None => (held, None),
            };
            let tokens = tokens.split('/').map(|n| n.parse().ok()).collect::<Option<_>>()?;
            self.holdings.push(Holding { stage, place: place.to_owned(), tokens, fights });
            return Some(());
        }
        let (name, takers) = what.split_once('=').unwrap_or((what, ""));
        let seat = |digit: char| digit.to_digit(10).filter(|&seat| (seat as usize) < MAX_PLAYERS);
        let taker = |digit: char| seat(digit).map(|seat| Player::new(seat as usize));
        let takers = takers.chars().map(taker).collect::<Option<_>>()?;
        self.offers.push(Offer { stage, name: name.to_owned(), takers });
        Some(())
    }
}

impl Placed {
    fn read(text: &str) -> Option<Self> {
        let numbers = text.split('/').map(|n| n.parse().ok()).collect::<Option<Vec<i32>>>()?;
        let [place, side, price, score] = numbers[..] else { return None };
        let place = usize::try_from(place).ok().filter(|&place| place < MAX_PLAYERS)?;
        Some(Self { place, second: side == 1, price, score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_written_and_read() {
        let text = "1.loot 2.loot=03 0.roma:3/0 1.roma:1/12!2 2@1/0/15/-3;0/1/0/7";
        let uptake: UptakeRecord = text.parse().expect("it is what is written");
        assert_eq!(uptake.to_string(), text);
        let takers: Vec<u8> = uptake.offers.iter().map(|offer| offer.takers.bits()).collect();
        assert_eq!(takers, [0, 0b1001]);
        let [dealt, held] = &uptake.holdings[..] else { panic!("{uptake:?}") };
        assert_eq!((dealt.stage, dealt.fights), (DEAL, None));
        assert_eq!((&held.tokens[..], held.fights), (&[1, 12][..], Some(2)));
        let one = |place, second, price, score| Placed { place, second, price, score };
        assert_eq!(uptake.placed(2), Some(&[one(1, false, 15, -3), one(0, true, 0, 7)][..]));
        assert_eq!(uptake.placed(1), None);
        assert_eq!("".parse(), Ok(UptakeRecord::default()));
        for other in
            ["loot", "x.loot", "1.loot=9", "1.roma:1/x", "1.roma:1!", "2@1/0/x/0", "2@6/0/0/0"]
        {
            assert_eq!(other.parse::<UptakeRecord>(), Err(BadUptakeRecord), "{other}");
        }
    }
}
