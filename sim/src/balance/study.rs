//! The studies that can be asked for, as those who play them see them.

use super::alliances::Alliances;
use super::cards::Cards;
use super::cell::Experiment;
use super::heard::Heard;
use super::provinces::Provinces;
use super::request::{Asked, Request, What};
use super::seats::Seats;
use crate::config::ReadFile;
use crate::error::Error;

/// A study: one experiment, and for some a second one that the first one chooses.
#[derive(Clone, Debug)]
pub enum Study {
    /// What things are worth.
    Cards(Box<Cards>),
    /// What places are worth.
    Provinces(Box<Provinces>),
    /// What seats and places in an order are worth.
    Seats(Box<Seats>),
    /// What is bid for, and what it is worth.
    Alliances(Box<Alliances>),
}

impl Study {
    /// The study that is asked for; `read` reads the files that it names.
    ///
    /// # Errors
    /// At the first thing that is wrong.
    pub fn new(what: What, request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        let asked = Asked::new(what, request, read)?;
        match what {
            What::Cards => Ok(Self::Cards(Box::new(Cards::new(asked)?))),
            What::Provinces => Ok(Self::Provinces(Box::new(Provinces::new(asked)?))),
            What::Seats => Ok(Self::Seats(Box::new(Seats::new(asked)?))),
            What::Alliances => Ok(Self::Alliances(Box::new(Alliances::new(asked)?))),
        }
    }

    /// What was asked.
    #[must_use]
    pub fn asked(&self) -> &Asked {
        match self {
            Self::Cards(cards) => &cards.asked,
            Self::Provinces(provinces) => &provinces.asked,
            Self::Seats(seats) => &seats.asked,
            Self::Alliances(alliances) => &alliances.asked,
        }
    }

    /// What is played.
    #[must_use]
    pub fn experiment(&self) -> &Experiment {
        match self {
            Self::Cards(cards) => &cards.experiment,
            Self::Provinces(provinces) => &provinces.experiment,
            Self::Seats(seats) => &seats.experiment,
            Self::Alliances(alliances) => &alliances.experiment,
        }
    }

    /// What is played then, on fresh seeds, in view of what came out; nothing if there is nothing to confirm.
    ///
    /// # Errors
    /// If a game cannot be built.
    pub fn confirmation(&self, heard: &Heard) -> Result<Option<Experiment>, Error> {
        match self {
            Self::Cards(cards) => cards.confirmation(heard),
            Self::Provinces(provinces) => provinces.confirmation(heard),
            Self::Seats(_) | Self::Alliances(_) => Ok(None),
        }
    }
}
