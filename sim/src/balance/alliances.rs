//! What a side and a place are worth that players bid for, and whether they pay too much.
//!
//! By stage, of the strongest tier:
//!
//! - **Bought**: who pays in an untreated game gets a place and companions. `gain` is his share in games that start from
//!   the same position, in which he has just these and nobody pays, less his share over all places and companions
//!   ([`super::placed`]); `price` is what he paid. With λ, the worth of a unit of money at that stage, measured by gifts of
//!   it, `net = gain − λ·price` by blocks (λ and the price are means; the product is expanded to first order around
//!   them). Below zero players pay more than what they get is worth: the **winner's curse**. The fair price is `gain/λ`, with
//!   Fieller's region.
//! - **With the leader**: the share of a seat on the side of who has the highest score alone, less that of the same seat on
//!   the other side, over all orders and sides, from the same position. **With the last**: likewise.
//! - **First against last** in the turn order, all sides alike.
//!
//! What is bought is chosen before the stage's chance is known, and all games of a block have that chance in common: so
//! the choice of what is looked at does not favour it.

use super::cell::{Cell, Dose, Experiment};
use super::estimate::Estimate;
use super::heard::Heard;
use super::order::Order;
use super::placed::Stage;
use super::request::Asked;
use super::seats::{experiment, refuse_names};
use crate::error::Error;
use crate::stats::multiple::holm;
use crate::stats::{Ratio, fieller};

/// A study of alliances.
#[derive(Clone, Debug)]
pub struct Alliances {
    /// What was asked.
    pub asked: Asked,
    /// What is played of it.
    pub experiment: Experiment,
}

/// What is known of a stage.
#[derive(Clone, Debug)]
pub struct Line {
    /// The stage.
    pub stage: u8,
    /// What those who pay have paid.
    pub price: Option<Estimate>,
    /// What they bought is worth, in share.
    pub gain: Option<Estimate>,
    /// Worth of a unit of money, in share.
    pub money: Option<Estimate>,
    /// What they bought is worth less what they paid, in share.
    pub net: Option<Estimate>,
    /// The fair price of what they bought.
    pub fair: Option<Ratio>,
    /// Being on the leader's side.
    pub with_leader: Option<Estimate>,
    /// Being on the side of the last.
    pub with_last: Option<Estimate>,
    /// Being first in the turn order against being last.
    pub first: Option<Estimate>,
    /// What was paid by who got each place.
    pub paid: Vec<Option<Estimate>>,
    /// Holm's p-values, over all stages and these, of `net`, `with_leader`, `with_last` and `first`.
    pub adjusted_p: [Option<f64>; 4],
}

impl Line {
    /// What is said of the prices.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        match (self.net, self.adjusted_p[0]) {
            (Some(net), Some(p)) if p < super::cards::LEVEL && net.value < 0.0 => "paid too much",
            (Some(_), Some(p)) if p < super::cards::LEVEL => "paid too little",
            (Some(_), _) => "undecided",
            _ => "nothing is paid, or money has no worth here",
        }
    }

    fn tested(&self) -> [Option<Estimate>; 4] {
        [self.net, self.with_leader, self.with_last, self.first]
    }
}

/// The name of the cell in which money is given.
fn given(id: &str, amount: i64, stage: u8) -> String {
    format!("{id}={amount}/s{stage}")
}

impl Alliances {
    /// The study that is asked for.
    ///
    /// # Errors
    /// If nobody bids for a turn order in the game, or it cannot be built.
    pub fn new(asked: Asked) -> Result<Self, Error> {
        refuse_names(&asked)?;
        asked.facts.bidding()?;
        let order = Order::of(&asked.facts, &asked.stages);
        let experiment = experiment(&asked, order, |order, lane| {
            let mut cells = order.cells(&asked.facts, lane);
            cells.extend(money(&asked, lane));
            cells
        })?;
        Ok(Self { asked, experiment })
    }

    /// The tier of which is spoken: the strongest.
    #[must_use]
    pub fn headline(&self) -> usize {
        self.asked.tiers.len() - 1
    }

    /// What is known of each stage.
    #[must_use]
    pub fn lines(&self, heard: &Heard) -> Vec<Line> {
        let Some(lane) = heard.seats(self.headline()) else { return Vec::new() };
        let stages = self.asked.stages.iter().zip(&lane.stages);
        let mut lines: Vec<Line> = stages.map(|(&n, stage)| self.line(heard, n, stage)).collect();
        let p: Vec<f64> =
            lines.iter().flat_map(Line::tested).flatten().filter_map(|e| e.p).collect();
        let mut adjusted = holm(&p).into_iter();
        for line in &mut lines {
            line.adjusted_p =
                line.tested().map(|e| e.and_then(|e| e.p).and_then(|_| adjusted.next()));
        }
        lines
    }

    fn line(&self, heard: &Heard, number: u8, stage: &Stage) -> Line {
        let told = |values: &[Option<f64>]| {
            Estimate::of_difference(&values.iter().flatten().copied().collect::<Vec<f64>>())
        };
        let lambda = self.money(heard, number);
        let mut bought = Bought::default();
        for (block, one) in stage.bought.iter().enumerate() {
            let Some(one) = one else { continue };
            bought.price.push(one.price);
            bought.gain.push(one.gain);
            bought.money.extend(lambda.as_ref().map(|lambda| lambda[block]));
        }
        let last = self.asked.facts.players - 1;
        let first = stage.order[0].iter().zip(&stage.order[last]).map(|(a, b)| a - b);
        Line {
            stage: number,
            price: Estimate::of_numbers(&bought.price),
            gain: Estimate::of_difference(&bought.gain),
            money: lambda.as_ref().and_then(|lambda| Estimate::of_numbers(lambda)),
            net: bought.net(),
            fair: fieller(&bought.gain, &bought.money),
            with_leader: told(&stage.with_leader),
            with_last: told(&stage.with_last),
            first: Estimate::of_difference(&first.collect::<Vec<f64>>()),
            paid: stage.paid.iter().map(|paid| Estimate::of_numbers(paid)).collect(),
            adjusted_p: [None; 4],
        }
    }

    /// The worth of a unit of money at a stage, block by block; nothing in games without money.
    fn money(&self, heard: &Heard, stage: u8) -> Option<Vec<f64>> {
        let market = self.asked.facts.market?;
        let squares: i64 = market.amounts.iter().map(|a| a * a).sum();
        let mut money = vec![0.0; heard.blocks() as usize];
        for &amount in market.amounts {
            let id = given(market.money, amount, stage);
            let place = self.experiment.place(self.headline(), &id)?;
            let weight = amount as f64 / squares as f64;
            let values = &heard.values(place).share;
            money.iter_mut().zip(values).for_each(|(sum, d)| *sum += weight * d);
        }
        Some(money)
    }
}

/// Of the blocks in which somebody paid: price, gain and the worth of money.
#[derive(Clone, Debug, Default)]
struct Bought {
    price: Vec<f64>,
    gain: Vec<f64>,
    money: Vec<f64>,
}

impl Bought {
    /// The gain less the worth of what was paid.
    fn net(&self) -> Option<Estimate> {
        let n = self.money.len();
        if n == 0 || n != self.gain.len() {
            return None;
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / n as f64;
        let (price, money) = (mean(&self.price), mean(&self.money));
        let of_block =
            |i: usize| self.gain[i] - money * self.price[i] - price * self.money[i] + money * price;
        Estimate::of_numbers(&(0..n).map(of_block).collect::<Vec<f64>>())
    }
}

/// The cells of a lane in which money is given.
fn money(asked: &Asked, lane: usize) -> Vec<Cell> {
    let Some(market) = asked.facts.market else { return Vec::new() };
    let one = |stage: u8, amount: i64| {
        let value = amount.to_string();
        let dose = Dose::Seats(asked.facts.for_seats(market.money, Some(stage), None, &value));
        Cell { id: given(market.money, amount, stage), lane, stage, dose }
    };
    let stages = asked.stages.iter();
    stages.flat_map(|&stage| market.amounts.iter().map(move |&amount| one(stage, amount))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Purpose, Randomness, rng};

    /// The interval of the net worth covers the truth in 93 to 97 of 100 samples, though a product of means is in it.
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
                // Who pays more has more to win: the three depend on each other.
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
