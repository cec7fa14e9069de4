//! What seats and places in a turn order are worth.
//!
//! - **Seats**: the share of each seat in games in which nothing is done. Where the order of a stage can be forced, also
//!   its share over games in which it has every place once ([`super::order`]): what is left of a seat's advantage when its
//!   places are everybody's.
//! - **Order**: by stage, the share of each place when every seat has it once and the sides are balanced, less an equal
//!   share.
//! - **Auction**: by stage, the share of each place among the bidders, from the one who bids first, when every seat is
//!   first once; and what he pays. Whoever bids later may buy better: so this is what his place does to him in all, the
//!   price that he pays included.
//!
//! The intervals of a column hold together, and the p-values are multiplied by the number of its lines, which is the test
//! that these intervals belong to (Bonferroni): below 0.05 exactly where the interval leaves zero out. In games without such treatments there are seats and
//! the length.

use super::cell::{Cell, Experiment, Lane};
use super::effect_accumulator::EffectAccumulator;
use super::estimate::Estimate;
use super::order::Order;
use super::placed::{self, Stage};
use super::request::ValidatedBalance;
use sim::error::Error;
use sim::stats::tiers::MARGIN;
use sim::stats::{Convergence, Family};

/// A study of seats.
#[derive(Clone, Debug)]
pub struct SeatStudy {
    /// What was asked.
    pub asked: ValidatedBalance,
    /// What is played of it.
    pub experiment: Experiment,
}

/// What is known of a seat, or of a place.
#[derive(Clone, Debug)]
pub struct SeatEffect {
    /// The stage; nothing if it is about the whole game.
    pub stage: Option<u8>,
    /// The seat, or the place, from 0.
    pub place: usize,
    /// Its share, less an equal share; the interval holds together with those of the other lines.
    pub effect: Estimate,
    /// The same with an interval of its own.
    pub alone: Estimate,
    /// The p-value of no effect among the lines (Bonferroni).
    pub adjusted_p: f64,
    /// What is paid there.
    pub price: Option<Estimate>,
    /// Whether the effect is the same for the weakest tier.
    pub convergence: Option<Convergence>,
}

impl SeatEffect {
    /// Whether it is told from an equal share.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.adjusted_p < super::cards::LEVEL
    }
}

/// The values of one column: by stage and place, block by block.
type Values<'a> = Vec<Numbered<'a>>;
/// The stage, the place and its values.
type Numbered<'a> = (Option<u8>, usize, &'a [f64]);

impl SeatStudy {
    /// The study that is asked for.
    ///
    /// # Errors
    /// If names are asked for, which it has none of, or a game cannot be built.
    pub fn new(asked: ValidatedBalance) -> Result<Self, Error> {
        refuse_names(&asked)?;
        let order = Order::of(&asked.facts, &asked.stages);
        let experiment = experiment(&asked, order, |order, lane| {
            let mut cells = order.cells(&asked.facts, lane);
            cells.extend(order.openers(&asked.facts, lane));
            cells
        })?;
        Ok(Self { asked, experiment })
    }

    /// The tier of which is spoken: the strongest.
    #[must_use]
    pub fn headline(&self) -> usize {
        self.asked.tiers.len() - 1
    }

    /// The shares of seats in games in which nothing is done.
    #[must_use]
    pub fn seats(&self, effects: &EffectAccumulator) -> Vec<SeatEffect> {
        self.lines(effects, |lane| numbered(None, &lane.seats))
    }

    /// The shares of seats, by stage, over games in which they have every place of that stage once.
    #[must_use]
    pub fn seats_alone(&self, effects: &EffectAccumulator) -> Vec<SeatEffect> {
        self.lines(effects, |lane| self.by_stage(lane, |stage| &stage.seats))
    }

    /// The effects of places in the turn order.
    #[must_use]
    pub fn order(&self, effects: &EffectAccumulator) -> Vec<SeatEffect> {
        self.lines(effects, |lane| self.by_stage(lane, |stage| &stage.order))
    }

    /// The effects of places among the bidders, with what is paid there.
    #[must_use]
    pub fn auction(&self, effects: &EffectAccumulator) -> Vec<SeatEffect> {
        let mut lines = self.lines(effects, |lane| self.by_stage(lane, |stage| &stage.auction));
        if let Some(lane) = effects.seats(self.headline()) {
            let prices = self.by_stage(lane, |stage| &stage.prices);
            for (line, (.., values)) in lines.iter_mut().zip(prices) {
                line.price = Estimate::of_numbers(values);
            }
        }
        lines
    }

    /// Choices of players in a game.
    #[must_use]
    pub fn length(&self, effects: &EffectAccumulator) -> Option<Estimate> {
        Estimate::of_numbers(&effects.seats(self.headline())?.plies)
    }

    fn by_stage<'a>(&self, lane: &'a placed::Lane, of: fn(&Stage) -> &Vec<Vec<f64>>) -> Values<'a> {
        let stages = self.asked.stages.iter().zip(&lane.stages);
        stages.flat_map(|(&number, stage)| numbered(Some(number), of(stage))).collect()
    }

    /// The lines of a column.
    fn lines<'a>(
        &self,
        effects: &'a EffectAccumulator,
        of: impl Fn(&'a placed::Lane) -> Values<'a>,
    ) -> Vec<SeatEffect> {
        let (Some(own), Some(weaker)) = (effects.seats(self.headline()), effects.seats(0)) else {
            return Vec::new();
        };
        let (own, weaker) = (of(own), of(weaker));
        let equal = 1.0 / self.asked.facts.players as f64;
        let family = Family::of(own.len());
        let line = |(own_line, weaker): (&Numbered<'_>, &Numbered<'_>)| {
            let (&(stage, place, values), &(.., weaker)) = (own_line, weaker);
            let mut effect = Estimate::together(-equal, 1.0 - equal, values, family)?;
            let mut alone = Estimate::of_share(values, self.asked.facts.players)?;
            let convergence = (self.headline() > 0).then(|| {
                let difference: Vec<f64> = values.iter().zip(weaker).map(|(a, b)| a - b).collect();
                let interval = Estimate::of_difference(&difference)?.interval?;
                Some(Convergence::of(interval, MARGIN))
            });
            let convergence = convergence.flatten();
            let mut adjusted_p = (effect.p.unwrap_or(1.0) * own.len() as f64).min(1.0);
            if effects.are_copies() {
                // One game again and again says nothing of others.
                (effect, alone, adjusted_p) = (effect.untested(), alone.untested(), f64::NAN);
            }
            Some(SeatEffect { stage, place, effect, alone, adjusted_p, price: None, convergence })
        };
        own.iter().zip(&weaker).filter_map(line).collect()
    }
}

fn numbered(stage: Option<u8>, lists: &[Vec<f64>]) -> Values<'_> {
    lists.iter().enumerate().map(|(place, values)| (stage, place, values.as_slice())).collect()
}

/// Refuses names: nothing here has one.
pub(super) fn refuse_names(asked: &ValidatedBalance) -> Result<(), Error> {
    let Some(name) = asked.request.name.first() else { return Ok(()) };
    let what = asked.what.word();
    let message = format!("balance {what} is about no cards and no provinces; name none");
    Err(Error::value("name", name, message))
}

/// The experiment with a control in every lane and, where orders are bid for, these cells.
pub(super) fn experiment(
    asked: &ValidatedBalance,
    order: Option<Order>,
    cells_of: impl Fn(&Order, usize) -> Vec<Cell>,
) -> Result<Experiment, Error> {
    if asked.request.sweep {
        let what = asked.what.word();
        return Err(Error::value(
            "sweep",
            "true",
            format!("balance {what} sweeps nothing; leave it away"),
        ));
    }
    let mut cells = Vec::new();
    for lane in 0..asked.tiers.len() {
        cells.push(Cell::control(lane));
        cells.extend(order.iter().flat_map(|order| cells_of(order, lane)));
    }
    let players = asked.facts.players;
    let experiment = Experiment {
        setup: asked.setup.clone(),
        players,
        agents: asked.agents(),
        lanes: (0..asked.tiers.len()).map(|tier| Lane::of_one(tier, players)).collect(),
        cells,
        seed: asked.seed,
        blocks: asked.blocks,
        noted: None,
        holds: false,
        seats: true,
        order,
    };
    experiment.check()?;
    Ok(experiment)
}
