//! The studies that can be asked for, as those who play them see them.

use super::alliances::Alliances;
use super::cards::Cards;
use super::cell::Experiment;
use super::effect_accumulator::EffectAccumulator;
use super::plan;
use super::provinces::Provinces;
use super::request::{Request, ValidatedBalance, What};
use super::seats::SeatStudy;
use sim::document::ReadFile;
use sim::error::Error;

/// Most games of a quick look at one study, where fewer find what is asked for: about a minute on one core for `greedy` in
/// conquest2.
const QUICK_GAMES: u64 = 40_000;

/// A study: one experiment, and for some a second one that the first one chooses.
#[derive(Clone, Debug)]
pub enum BalanceStudy {
    /// What things are worth.
    Cards(Box<Cards>),
    /// What places are worth.
    Provinces(Box<Provinces>),
    /// What seats and places in an order are worth.
    Seats(Box<SeatStudy>),
    /// What is bid for, and what it is worth.
    Alliances(Box<Alliances>),
}

impl BalanceStudy {
    /// The study that is asked for; `read` reads the files that it names.
    ///
    /// # Errors
    /// At the first thing that is wrong.
    pub fn new(what: What, request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        let asked = ValidatedBalance::new(what, request, read)?;
        match what {
            What::Cards => Ok(Self::Cards(Box::new(Cards::new(asked)?))),
            What::Provinces => Ok(Self::Provinces(Box::new(Provinces::new(asked)?))),
            What::Seats => Ok(Self::Seats(Box::new(SeatStudy::new(asked)?))),
            What::Alliances => Ok(Self::Alliances(Box::new(Alliances::new(asked)?))),
        }
    }

    /// Returns the study that is asked for; where it is to be a quick look and its games are more than some 40,000, with
    /// as few blocks as find the effect that is asked for.
    ///
    /// # Errors
    /// At the first thing that is wrong.
    pub fn quick(what: What, request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        let study = Self::new(what, request, read)?;
        let (asked, per_block) = (study.asked(), study.experiment().games_per_block());
        let effect = asked.request.effect.unwrap_or(plan::EFFECT);
        let players = asked.facts.players;
        let needed = plan::blocks_for(players, effect / what.reach(players, effect));
        let blocks = (QUICK_GAMES / per_block.max(1)).max(needed);
        if !request.quick || blocks >= asked.blocks {
            return Ok(study);
        }
        Self::new(what, &Request { blocks: Some(blocks), quick: false, ..request.clone() }, read)
    }

    /// What was asked.
    #[must_use]
    pub fn asked(&self) -> &ValidatedBalance {
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
    pub fn confirmation(&self, effects: &EffectAccumulator) -> Result<Option<Experiment>, Error> {
        match self {
            Self::Cards(cards) => cards.confirmation(effects),
            Self::Provinces(provinces) => provinces.confirmation(effects),
            Self::Seats(_) | Self::Alliances(_) => Ok(None),
        }
    }
}
