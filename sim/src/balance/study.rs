//! The studies that can be asked for, as those who play them see them.

use super::cards::Cards;
use super::cell::Experiment;
use super::heard::Heard;
use super::provinces::Provinces;
use super::request::{Asked, Request, What};
use crate::config::ReadFile;
use crate::error::Error;

/// A study: one experiment, and for some a second one that the first one chooses.
#[derive(Clone, Debug)]
pub enum Study {
    /// What things are worth.
    Cards(Box<Cards>),
    /// What places are worth.
    Provinces(Box<Provinces>),
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
        }
    }

    /// What was asked.
    #[must_use]
    pub fn asked(&self) -> &Asked {
        match self {
            Self::Cards(cards) => &cards.asked,
            Self::Provinces(provinces) => &provinces.asked,
        }
    }

    /// What is played.
    #[must_use]
    pub fn experiment(&self) -> &Experiment {
        match self {
            Self::Cards(cards) => &cards.experiment,
            Self::Provinces(provinces) => &provinces.experiment,
        }
    }

    /// What is played then, on fresh seeds, in view of what came out; nothing if there is nothing to confirm.
    ///
    /// # Errors
    /// If a game cannot be built.
    pub fn confirmation(&self, heard: &Heard) -> Result<Option<Experiment>, Error> {
        match self {
            Self::Cards(cards) => cards.confirmation(heard),
            Self::Provinces(_) => Ok(None),
        }
    }
}
