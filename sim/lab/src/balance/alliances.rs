//! The worth of the sides and places that players bid for, compared with what they pay.
//!
//! For the strongest tier, by stage:
//!
//! - **Bought**: a player who pays in an untreated game gets a place and companions. `gain` compares games from the
//!   same position in which nobody pays: the player's share with this place and these companions, less the mean share
//!   over all places and companions ([`super::placed`]). `price` is what the player paid. λ is the worth of a unit of
//!   money at that stage, measured by gifts of money. Then `net = gain − λ·price` by blocks. λ and the price are
//!   means; the product is expanded to first order around them. A negative `net` means that players pay more than they
//!   get: the **winner's curse**. The fair price is `gain/λ`, with Fieller's region.
//! - **With the leader**: the share of a seat on the side of the sole leader by score, less the share of the same seat
//!   on the other side, over all orders and sides, from the same position. **With the last** is defined likewise.
//! - **First against last** in the turn order, over all sides.
//!
//! **Tiers.** Every effect is compared with that of the weakest tier under the same seeds. A tier yields a value only
//! in blocks in which a player pays or leads there. These blocks can differ between tiers. The difference is therefore
//! one of two ratios over different blocks, and its interval is expanded to first order. Prices and the worth of
//! money are not shares, so the margin of two points does not apply to them; `net` combines both.
//!
//! Players buy before the stage's chance is drawn, and all games of a block share that chance. The selection of cases
//! therefore does not bias the result.

use super::cell::{Cell, CellTreatment, Experiment};
use super::effect_accumulator::EffectAccumulator;
use super::estimate::{Estimate, difference_of_means};
use super::order::Order;
use super::placed::Stage;
use super::request::ValidatedBalance;
use super::seats::{experiment, refuse_names};
use sim::error::Error;
use sim::stats::multiple::holm;
use sim::stats::tiers::MARGIN;
use sim::stats::{Convergence, Ratio, fieller};

/// The lowest mean payment per player, in units of money, at which a verdict on prices is given. A player who pays
/// less than the smallest coin has not bid.
pub const LEAST_PAID: f64 = 1.0;

/// A study of alliances.
#[derive(Clone, Debug)]
pub struct Alliances {
    /// The validated request.
    pub validated: ValidatedBalance,
    /// The experiment that is played.
    pub experiment: Experiment,
}

/// The effects measured at a stage.
#[derive(Clone, Debug)]
pub struct AllianceEffect {
    /// The stage.
    pub stage: u8,
    /// The mean price that buyers paid.
    pub price: Option<Estimate>,
    /// The worth of what they bought, in share.
    pub gain: Option<Estimate>,
    /// The worth of a unit of money, in share.
    pub money: Option<Estimate>,
    /// The worth of what they bought less the worth of what they paid, in share.
    pub net: Option<Estimate>,
    /// The fair price of what they bought.
    pub fair: Option<Ratio>,
    /// The effect of being on the leader's side.
    pub with_leader: Option<Estimate>,
    /// The effect of being on the side of the last.
    pub with_last: Option<Estimate>,
    /// The effect of being first in the turn order instead of last.
    pub first: Option<Estimate>,
    /// The mean payment for each place.
    pub paid: Vec<Option<Estimate>>,
    /// Holm's p-values of `net`, `with_leader`, `with_last` and `first` over all stages; `None` if all blocks are
    /// copies of one.
    pub adjusted_p: [Option<f64>; 4],
    /// The comparison with the weakest tier for `gain`, `net`, `with_leader`, `with_last` and `first`.
    pub convergence: [Option<Convergence>; 5],
}

impl AllianceEffect {
    /// Returns the verdict on the prices.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        if self.is_next_to_nothing() {
            return "next to nothing is paid: no statement";
        }
        match (self.net, self.adjusted_p[0]) {
            (Some(net), Some(p)) if p < super::cards::LEVEL && net.value < 0.0 => "paid too much",
            (Some(_), Some(p)) if p < super::cards::LEVEL => "paid too little",
            (Some(_), _) => "undecided",
            _ => "money has no worth here: no statement",
        }
    }

    /// Returns true if the players pay less than [`LEAST_PAID`] each on average, so that prices allow no conclusion.
    #[must_use]
    pub fn is_next_to_nothing(&self) -> bool {
        let paid = self.paid.iter().flatten().map(|paid| paid.value);
        self.price.is_none() || paid.sum::<f64>() / (self.paid.len().max(1) as f64) < LEAST_PAID
    }

    /// Removes intervals and p-values, and keeps the means: copies of one game give no evidence about others.
    fn untest(&mut self) {
        let estimates = [
            &mut self.price,
            &mut self.gain,
            &mut self.money,
            &mut self.net,
            &mut self.with_leader,
            &mut self.with_last,
            &mut self.first,
        ];
        for one in estimates.into_iter().chain(&mut self.paid) {
            *one = one.map(Estimate::untested);
        }
        (self.fair, self.convergence) = (None, [None; 5]);
    }

    fn tested(&self) -> [Option<Estimate>; 4] {
        let net = self.net.filter(|_| !self.is_next_to_nothing());
        [net, self.with_leader, self.with_last, self.first]
    }
}

/// Returns the name of the cell in which money is given.
fn given(id: &str, amount: i64, stage: u8) -> String {
    format!("{id}={amount}/s{stage}")
}

impl Alliances {
    /// Builds the requested study.
    ///
    /// # Errors
    /// If the game has no bids for a turn order, or cannot be built.
    pub fn new(validated: ValidatedBalance) -> Result<Self, Error> {
        refuse_names(&validated)?;
        validated.facts.bidding()?;
        let order = Order::of(&validated.facts, &validated.stages);
        let experiment = experiment(&validated, order, |order, lineup| {
            let mut cells = order.cells(&validated.facts, lineup);
            cells.extend(money(&validated, lineup));
            cells
        })?;
        Ok(Self { validated, experiment })
    }

    /// Returns the tier that the results are about: the strongest.
    #[must_use]
    pub fn headline(&self) -> usize {
        self.validated.tiers.len() - 1
    }

    /// Returns the effects at each stage.
    #[must_use]
    pub fn lines(&self, effects: &EffectAccumulator) -> Vec<AllianceEffect> {
        let (Some(own), Some(weaker)) = (effects.seats(self.headline()), effects.seats(0)) else {
            return Vec::new();
        };
        let stages = self.validated.stages.iter().zip(own.stages.iter().zip(&weaker.stages));
        let line = |(&n, (own, weaker)): (&u8, (&Stage, &Stage))| {
            let convergence = match self.headline() {
                0 => [None; 5],
                top => converged(
                    &self.values(effects, top, n, own),
                    &self.values(effects, 0, n, weaker),
                ),
            };
            AllianceEffect { convergence, ..self.line(effects, n, own) }
        };
        let mut lines: Vec<AllianceEffect> = stages.map(line).collect();
        if effects.are_copies() {
            lines.iter_mut().for_each(AllianceEffect::untest);
        }
        let p: Vec<f64> =
            lines.iter().flat_map(AllianceEffect::tested).flatten().filter_map(|e| e.p).collect();
        let mut adjusted = holm(&p).into_iter();
        for line in &mut lines {
            line.adjusted_p =
                line.tested().map(|e| e.and_then(|e| e.p).and_then(|_| adjusted.next()));
        }
        lines
    }

    fn line(&self, effects: &EffectAccumulator, number: u8, stage: &Stage) -> AllianceEffect {
        let of_known = |values: &[Option<f64>]| {
            Estimate::of_difference(&values.iter().flatten().copied().collect::<Vec<f64>>())
        };
        let lambda = self.money(effects, self.headline(), number);
        let bought = Bought::of(stage, lambda.as_deref());
        AllianceEffect {
            stage: number,
            price: Estimate::of_numbers(&bought.price),
            gain: Estimate::of_difference(&bought.gain),
            money: lambda.as_ref().and_then(|lambda| Estimate::of_numbers(lambda)),
            net: bought.net(),
            fair: fieller(&bought.gain, &bought.money),
            with_leader: of_known(&stage.with_leader),
            with_last: of_known(&stage.with_last),
            first: Estimate::of_difference(&self.first(stage)),
            paid: stage.paid.iter().map(|paid| Estimate::of_numbers(paid)).collect(),
            adjusted_p: [None; 4],
            convergence: [None; 5],
        }
    }

    /// Returns the share of the first less the share of the last, by block.
    fn first(&self, stage: &Stage) -> Vec<f64> {
        let last = self.validated.facts.players - 1;
        stage.order[0].iter().zip(&stage.order[last]).map(|(a, b)| a - b).collect()
    }

    /// Returns the values of a tier at a stage, by block, in the order of [`AllianceEffect::convergence`]. A block may
    /// lack a value.
    fn values(
        &self,
        effects: &EffectAccumulator,
        tier: usize,
        number: u8,
        stage: &Stage,
    ) -> [Values; 5] {
        let lambda = self.money(effects, tier, number);
        let mut net = Bought::of(stage, lambda.as_deref()).net_by_block().into_iter();
        let bought = stage.bought.iter();
        [
            bought.clone().map(|one| one.map(|one| one.gain)).collect(),
            bought.map(|one| one.and_then(|_| net.next())).collect(),
            stage.with_leader.clone(),
            stage.with_last.clone(),
            self.first(stage).into_iter().map(Some).collect(),
        ]
    }

    /// Returns the worth of a unit of money at a stage for a tier, by block; `None` in games without money.
    fn money(&self, effects: &EffectAccumulator, tier: usize, stage: u8) -> Option<Vec<f64>> {
        let market = self.validated.facts.market?;
        let squares: i64 = market.amounts.iter().map(|a| a * a).sum();
        let mut money = vec![0.0; effects.blocks() as usize];
        for &amount in market.amounts {
            let id = given(market.money, amount, stage);
            let place = self.experiment.cell_index(tier, &id)?;
            let weight = amount as f64 / squares as f64;
            let values = &effects.values(place).share;
            money.iter_mut().zip(values).for_each(|(sum, d)| *sum += weight * d);
        }
        Some(money)
    }
}

/// Price, gain and worth of money in the blocks in which a player paid.
#[derive(Clone, Debug, Default)]
struct Bought {
    price: Vec<f64>,
    gain: Vec<f64>,
    money: Vec<f64>,
}

impl Bought {
    /// Collects the blocks of a stage; `lambda` is the worth of money in all of them.
    fn of(stage: &Stage, lambda: Option<&[f64]>) -> Self {
        let mut bought = Self::default();
        for (block, one) in stage.bought.iter().enumerate() {
            let Some(one) = one else { continue };
            bought.price.push(one.price);
            bought.gain.push(one.gain);
            bought.money.extend(lambda.map(|lambda| lambda[block]));
        }
        bought
    }

    /// Returns the gain less the worth of the price.
    fn net(&self) -> Option<Estimate> {
        Estimate::of_numbers(&self.net_by_block())
    }

    /// Returns the net worth by block; empty if nobody paid, or money has no measured worth.
    fn net_by_block(&self) -> Vec<f64> {
        let n = self.money.len();
        if n != self.gain.len() {
            return Vec::new();
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / n as f64;
        let (price, money) = (mean(&self.price), mean(&self.money));
        let of_block =
            |i: usize| self.gain[i] - money * self.price[i] - price * self.money[i] + money * price;
        (0..n).map(of_block).collect()
    }
}

/// Values by block; a block may lack a value.
type Values = Vec<Option<f64>>;

/// Compares the values of two tiers.
fn converged(own: &[Values; 5], weaker: &[Values; 5]) -> [Option<Convergence>; 5] {
    std::array::from_fn(|at| {
        let interval = difference_of_means(&own[at], &weaker[at])?.interval?;
        Some(Convergence::of(interval, MARGIN))
    })
}

/// Returns the cells of a lineup in which money is given.
fn money(validated: &ValidatedBalance, lineup: usize) -> Vec<Cell> {
    let Some(market) = validated.facts.market else { return Vec::new() };
    let one = |stage: u8, amount: i64| {
        let value = amount.to_string();
        let treatment = CellTreatment::Seats(validated.facts.for_seats(
            market.money,
            Some(stage),
            None,
            &value,
        ));
        Cell { id: given(market.money, amount, stage), lineup, stage, treatment }
    };
    let stages = validated.stages.iter();
    stages.flat_map(|&stage| market.amounts.iter().map(move |&amount| one(stage, amount))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Purpose, Randomness, rng};

    /// The interval of the net worth covers the truth in 93 to 97 of 100 samples, although it contains a product of
    /// means.
    #[test]
    fn the_interval_of_the_net_worth_covers_it() {
        let mut rng = rng::stream(7, 0, Purpose::Analysis);
        let mut noise = |sd: f64| sd * 12_f64.sqrt() * (rng.unit() - 0.5);
        let (samples, blocks) = (2_000, 120);
        let mut covered = 0;
        for _ in 0..samples {
            let mut bought = Bought::default();
            for _ in 0..blocks {
                let price = 20.0 + noise(10.0);
                // A player who pays more has more to win: the three values depend on each other.
                bought.gain.push(0.04 + 0.002 * (price - 20.0) + noise(0.2));
                bought.money.push(0.003 + noise(0.01));
                bought.price.push(price);
            }
            let net = bought.net().unwrap();
            covered += usize::from(net.interval.unwrap().contains(0.04 - 0.003 * 20.0));
        }
        let part = covered as f64 / samples as f64;
        assert!((0.93..=0.97).contains(&part), "{part}");
    }
}
