//! The worth of seats, and of places in a turn order.
//!
//! - **Seats**: the share of each seat in untreated games. If the order of a stage can be forced, also its share over
//!   games in which it has every place once ([`super::order`]). This is the seat's advantage without that of its
//!   places.
//! - **Order**: by stage, the share at each place, less an equal share, over games in which every seat has it once and
//!   the sides are balanced.
//! - **Auction**: by stage, the share at each place among the bidders, from the first bidder on, when every seat is
//!   first once; and the payment there. Later bidders may buy better. This is therefore the total effect of the place,
//!   payment included.
//!
//! The intervals of a column are simultaneous, and the p-values are multiplied by the number of its lines
//! (Bonferroni). They are the tests of these intervals: a p-value is below 0.05 exactly if the interval excludes zero.
//! Games without such treatments have results for the seats and the length only.

use super::cell::{Cell, Experiment, Lineup};
use super::effect_accumulator::EffectAccumulator;
use super::estimate::Estimate;
use super::order::Order;
use super::placed::{self, Stage};
use super::request::ValidatedBalance;
use sim::error::Error;
use sim::stats::tiers::MARGIN;
use sim::stats::{Convergence, Family, Interval};

/// A study of seats.
#[derive(Clone, Debug)]
pub struct SeatStudy {
    /// The validated request.
    pub validated: ValidatedBalance,
    /// The experiment that is played.
    pub experiment: Experiment,
}

/// The effect of a seat, or of a place.
#[derive(Clone, Debug)]
pub struct SeatEffect {
    /// The stage; `None` for the whole game.
    pub stage: Option<u8>,
    /// The seat, or the place, from 0.
    pub place: usize,
    /// Its share, less an equal share; the interval is simultaneous over all lines.
    pub effect: Estimate,
    /// Its share, less an equal share, with an individual interval.
    pub alone: Estimate,
    /// The p-value of no effect, adjusted over the lines (Bonferroni).
    pub adjusted_p: f64,
    /// The payment there.
    pub price: Option<Estimate>,
    /// The comparison of the effect with the weakest tier.
    pub convergence: Option<Convergence>,
}

impl SeatEffect {
    /// Returns true if the share differs from an equal share.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.adjusted_p < super::cards::LEVEL
    }
}

/// The values of a column, by stage and place.
type Values<'a> = Vec<Numbered<'a>>;
/// A stage, a place, and its values by block.
type Numbered<'a> = (Option<u8>, usize, &'a [f64]);

impl SeatStudy {
    /// Builds the requested study.
    ///
    /// # Errors
    /// If the request names cards or provinces, or a game cannot be built.
    pub fn new(validated: ValidatedBalance) -> Result<Self, Error> {
        refuse_names(&validated)?;
        let order = Order::of(&validated.facts, &validated.stages);
        let experiment = experiment(&validated, order, |order, lineup| {
            let mut cells = order.cells(&validated.facts, lineup);
            cells.extend(order.openers(&validated.facts, lineup));
            cells
        })?;
        Ok(Self { validated, experiment })
    }

    /// Returns the tier that the results are about: the strongest.
    #[must_use]
    pub fn headline(&self) -> usize {
        self.validated.tiers.len() - 1
    }

    /// Returns the shares of seats in untreated games.
    #[must_use]
    pub fn seats(&self, effects: &EffectAccumulator) -> Vec<SeatEffect> {
        self.lines(effects, |lineup| numbered(None, &lineup.seats))
    }

    /// Returns the shares of seats, by stage, over games in which they have every place of that stage once.
    #[must_use]
    pub fn seats_alone(&self, effects: &EffectAccumulator) -> Vec<SeatEffect> {
        self.lines(effects, |lineup| self.by_stage(lineup, |stage| &stage.seats))
    }

    /// Returns the effects of places in the turn order.
    #[must_use]
    pub fn order(&self, effects: &EffectAccumulator) -> Vec<SeatEffect> {
        self.lines(effects, |lineup| self.by_stage(lineup, |stage| &stage.order))
    }

    /// Returns the effects of places among the bidders, with the payments there.
    #[must_use]
    pub fn auction(&self, effects: &EffectAccumulator) -> Vec<SeatEffect> {
        let mut lines = self.lines(effects, |lineup| self.by_stage(lineup, |stage| &stage.auction));
        if let Some(lineup) = effects.seats(self.headline()) {
            let prices = self.by_stage(lineup, |stage| &stage.prices);
            for (line, (.., values)) in lines.iter_mut().zip(prices) {
                line.price = Estimate::of_numbers(values);
            }
        }
        lines
    }

    /// Returns the number of players' choices in a game.
    #[must_use]
    pub fn length(&self, effects: &EffectAccumulator) -> Option<Estimate> {
        Estimate::of_numbers(&effects.seats(self.headline())?.plies)
    }

    /// Returns the highest score less the lowest in a game; `None` in a game whose scores are its points.
    #[must_use]
    pub fn spread(&self, effects: &EffectAccumulator) -> Option<Estimate> {
        let spreads = &effects.seats(self.headline())?.spreads;
        let has_scores = spreads.iter().any(|&spread| spread > 1.0);
        Estimate::of_numbers(spreads).filter(|_| has_scores)
    }

    /// Returns the distance from an equal share of the seat that is farthest from it. The interval follows from the
    /// simultaneous intervals of all seats: it covers the largest distance wherever these cover all shares. The
    /// estimate is too large by chance where seats are nearly equal.
    #[must_use]
    pub fn farthest(&self, effects: &EffectAccumulator) -> Option<Estimate> {
        let seats = self.seats(effects);
        let most = |of: &dyn Fn(&SeatEffect) -> Option<f64>| {
            seats.iter().map(of).collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
        };
        let low = |seat: &SeatEffect| {
            let at = seat.effect.interval?;
            Some(if at.contains(0.0) { 0.0 } else { at.low.abs().min(at.high.abs()) })
        };
        let high =
            |seat: &SeatEffect| seat.effect.interval.map(|at| at.low.abs().max(at.high.abs()));
        let interval = most(&low).zip(most(&high)).map(|(low, high)| Interval { low, high });
        let value = most(&|seat| Some(seat.effect.value.abs()))?;
        Some(Estimate { value, interval, p: None, n: seats.first()?.effect.n })
    }

    fn by_stage<'a>(
        &self,
        lineup: &'a placed::Lineup,
        of: fn(&Stage) -> &Vec<Vec<f64>>,
    ) -> Values<'a> {
        let stages = self.validated.stages.iter().zip(&lineup.stages);
        stages.flat_map(|(&number, stage)| numbered(Some(number), of(stage))).collect()
    }

    /// Returns the lines of a column.
    fn lines<'a>(
        &self,
        effects: &'a EffectAccumulator,
        of: impl Fn(&'a placed::Lineup) -> Values<'a>,
    ) -> Vec<SeatEffect> {
        let (Some(own), Some(weaker)) = (effects.seats(self.headline()), effects.seats(0)) else {
            return Vec::new();
        };
        let (own, weaker) = (of(own), of(weaker));
        let equal = 1.0 / self.validated.facts.players as f64;
        let family = Family::of(own.len());
        let line = |(own_line, weaker): (&Numbered<'_>, &Numbered<'_>)| {
            let (&(stage, place, values), &(.., weaker)) = (own_line, weaker);
            let mut effect = Estimate::together(-equal, 1.0 - equal, values, family)?;
            let mut alone = Estimate::of_share(values, self.validated.facts.players)?;
            let convergence = (self.headline() > 0).then(|| {
                let difference: Vec<f64> = values.iter().zip(weaker).map(|(a, b)| a - b).collect();
                let interval = Estimate::of_difference(&difference)?.interval?;
                Some(Convergence::of(interval, MARGIN))
            });
            let convergence = convergence.flatten();
            let mut adjusted_p = (effect.p.unwrap_or(1.0) * own.len() as f64).min(1.0);
            if effects.are_copies() {
                // Copies of one game give no evidence about others.
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

/// Refuses names, since these studies have none.
pub(super) fn refuse_names(validated: &ValidatedBalance) -> Result<(), Error> {
    let Some(name) = validated.request.name.first() else { return Ok(()) };
    let what = validated.what.word();
    let message = format!("balance {what} is about no cards and no provinces; name none");
    Err(Error::value("name", name, message))
}

/// Builds the experiment with a control in every lineup and, if players bid for orders, the cells of `cells_of`.
pub(super) fn experiment(
    validated: &ValidatedBalance,
    order: Option<Order>,
    cells_of: impl Fn(&Order, usize) -> Vec<Cell>,
) -> Result<Experiment, Error> {
    if validated.request.sweep {
        let what = validated.what.word();
        return Err(Error::value(
            "sweep",
            "true",
            format!("balance {what} sweeps nothing; leave it away"),
        ));
    }
    let mut cells = Vec::new();
    for lineup in 0..validated.tiers.len() {
        cells.push(Cell::control(lineup));
        cells.extend(order.iter().flat_map(|order| cells_of(order, lineup)));
    }
    let players = validated.facts.players;
    let experiment = Experiment {
        setup: validated.setup.clone(),
        players,
        agents: validated.agents(),
        lineups: (0..validated.tiers.len()).map(|tier| Lineup::of_one(tier, players)).collect(),
        cells,
        seed: validated.seed,
        blocks: validated.blocks,
        noted: None,
        holds: false,
        seats: true,
        order,
    };
    experiment.check()?;
    Ok(experiment)
}
