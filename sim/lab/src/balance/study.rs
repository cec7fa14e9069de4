//! The studies of a game's balance behind one type, for the commands that play them.

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

/// The largest number of games of one study with `quick`, unless the requested effect needs more: about a minute on
/// one core for `greedy` in conquest2.
const QUICK_GAMES: u64 = 40_000;

/// A study: one experiment and, for some kinds, a second one that confirms its findings.
#[derive(Clone, Debug)]
pub enum BalanceStudy {
    /// The worth of things with a price.
    Cards(Box<Cards>),
    /// The worth of places that players hold.
    Provinces(Box<Provinces>),
    /// The worth of seats and of places in an order.
    Seats(Box<SeatStudy>),
    /// The worth of places and sides that players bid for.
    Alliances(Box<Alliances>),
}

impl BalanceStudy {
    /// Builds the requested study; `read` reads the files that it names.
    ///
    /// # Errors
    /// At the first invalid value.
    pub fn new(what: What, request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        let validated = ValidatedBalance::new(what, request, read)?;
        match what {
            What::Cards => Ok(Self::Cards(Box::new(Cards::new(validated)?))),
            What::Provinces => Ok(Self::Provinces(Box::new(Provinces::new(validated)?))),
            What::Seats => Ok(Self::Seats(Box::new(SeatStudy::new(validated)?))),
            What::Alliances => Ok(Self::Alliances(Box::new(Alliances::new(validated)?))),
        }
    }

    /// Builds the requested study for a quick look. If `quick` is set and the study has more than about 40,000 games,
    /// it gets the fewest blocks that find the requested effect.
    ///
    /// # Errors
    /// At the first invalid value.
    pub fn quick(what: What, request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        match request.quick {
            true => Self::within(what, request, QUICK_GAMES, read),
            false => Self::new(what, request, read),
        }
    }

    /// Builds the requested study with about `games` games at most: it gets fewer blocks where they are more, but enough
    /// to find the requested effect.
    ///
    /// # Errors
    /// At the first invalid value.
    pub fn within(
        what: What,
        request: &Request,
        games: u64,
        read: ReadFile<'_>,
    ) -> Result<Self, Error> {
        let study = Self::new(what, request, read)?;
        let (validated, per_block) = (study.validated(), study.experiment().games_per_block());
        let effect = validated.request.effect.unwrap_or(plan::EFFECT);
        let players = validated.facts.players;
        let needed = plan::blocks_for(players, effect / what.reach(players, effect));
        let blocks = (games / per_block.max(1)).max(needed);
        if blocks >= validated.blocks {
            return Ok(study);
        }
        Self::new(what, &Request { blocks: Some(blocks), quick: false, ..request.clone() }, read)
    }

    /// Returns the validated request.
    #[must_use]
    pub fn validated(&self) -> &ValidatedBalance {
        match self {
            Self::Cards(cards) => &cards.validated,
            Self::Provinces(provinces) => &provinces.validated,
            Self::Seats(seats) => &seats.validated,
            Self::Alliances(alliances) => &alliances.validated,
        }
    }

    /// Returns the experiment that is played.
    #[must_use]
    pub fn experiment(&self) -> &Experiment {
        match self {
            Self::Cards(cards) => &cards.experiment,
            Self::Provinces(provinces) => &provinces.experiment,
            Self::Seats(seats) => &seats.experiment,
            Self::Alliances(alliances) => &alliances.experiment,
        }
    }

    /// Returns the experiment that confirms the findings on fresh seeds; `None` if there is nothing to confirm.
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
