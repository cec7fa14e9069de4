//! What things that are taken for a price are worth.
//!
//! For each thing and stage, of the strongest tier unless said otherwise, in points of share per game:
//!
//! - **V**: it is given to a seat at the start of the stage. What the others do about it is part of V.
//! - **α**: what an action is worth: one is taken from the seat's first turn of the stage, and what that costs is α.
//! - **λ**: what a unit of money is worth: some is given; with the amounts `a` and effects `d`, `Σ a d/Σ a²`.
//! - **Fair price** `(V − α)/λ`, since who takes the thing spends an action besides, with Fieller's region.
//! - **Worth less its price** `V − α − λ·price`: above zero the thing is too cheap. It is zero where the fair price is the
//!   printed one; it has an interval however badly λ is known, and is what the screen tests.
//! - **Ban**: one seat alone cannot take it in the whole game, or in one stage.
//! - **Association**: the share of those who took it in untreated games, less an equal share. It says nothing of causes:
//!   who can pay for things is ahead.
//!
//! - **Taken**: the part of the untreated games in which somebody took it, of those in which somebody could. Of what these
//!   agents hardly ever take ([`RARELY`]) nothing is said: what it would be worth to who plays it well is not known.
//!
//! The screen holds the false discoveries among the things and stages of which something is said at one in ten (Benjamini and Hochberg). The first
//! of what it finds are played once more, on seeds that had no part in choosing them; what is said of them is said from
//! these, with Holm's p-values, α and λ measured anew.

use engine::treatment::Amount;
use engine::{Price, hash_of};

use super::cell::{Cell, Dose, Experiment, Lane};
use super::effect_accumulator::EffectAccumulator;
use super::estimate::{Estimate, cut_at_zero};
use super::request::{Bans, ValidatedBalance};
use sim::error::Error;
use sim::stats::multiple::{benjamini_hochberg, holm};
use sim::stats::ratio::{self, Ratio};
use sim::stats::tiers::MARGIN;
use sim::stats::{Convergence, Interval, fieller};

/// False discoveries among what the screen finds.
pub const FALSE_DISCOVERIES: f64 = 0.1;
/// The level of what is confirmed.
pub const LEVEL: f64 = 0.05;
/// The part of the games in which a thing is offered below which nothing is said of its price, where somebody takes it
/// more seldom: a price that agents never pay is judged by nobody.
pub const RARELY: f64 = 0.02;
/// The verdict of such a thing.
pub const NO_STATEMENT: &str = "never taken by these agents: no statement";
/// Most things that are played once more.
pub const MOST_CONFIRMED: usize = 10;
/// Steps of prices in sweeps of demand.
pub const PRICE_STEPS: [i64; 4] = [-2, -1, 1, 2];

/// A thing at a stage.
pub type Item = (String, u8);

/// A study of things.
#[derive(Clone, Debug)]
pub struct Cards {
    /// What was asked.
    pub asked: ValidatedBalance,
    /// What is played of it.
    pub experiment: Experiment,
    /// The things.
    pub things: Vec<String>,
    /// Things and stages, in order.
    pub items: Vec<Item>,
}

/// What is known of a thing that is given at a stage.
#[derive(Clone, Debug)]
pub struct CardEffect {
    /// The thing.
    pub name: String,
    /// The stage.
    pub stage: u8,
    /// V.
    pub value: Estimate,
    /// The effect on its owner's score.
    pub score: Option<Estimate>,
    /// The fair price.
    pub fair: Option<Ratio>,
    /// The bootstrap interval of the fair price, as a check.
    pub bootstrap: Option<Interval>,
    /// The printed price.
    pub printed: i64,
    /// Worth less its price.
    pub surplus: Estimate,
    /// In which part of the untreated games somebody took it at this stage, of those in which somebody could; nothing where
    /// nobody could.
    pub taken: Option<f64>,
    /// The p-value of no surplus among the lines of which something is said: Benjamini's and Hochberg's in a screen, Holm's
    /// in a confirmation; 1 for the others, and no number where all blocks are copies of one.
    pub adjusted_p: f64,
    /// The p-value of no value among all lines, likewise.
    pub value_p: f64,
    /// Whether the value is the same for the weakest tier.
    pub convergence: Option<Convergence>,
}

impl CardEffect {
    /// What is said of its price at this level.
    #[must_use]
    pub fn verdict(&self, level: f64) -> &'static str {
        match self.surplus.value > 0.0 {
            _ if !self.is_told() => NO_STATEMENT,
            _ if !self.is_decided(level) => "undecided",
            true => "too cheap",
            false => "too dear",
        }
    }

    /// Returns true where something is said of its price: somebody takes it in [`RARELY`] of the games or more.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.taken.is_none_or(|taken| taken >= RARELY)
    }

    /// Returns true where its price is told from what it is worth, at this level.
    #[must_use]
    pub fn is_decided(&self, level: f64) -> bool {
        self.is_told() && self.adjusted_p < level
    }

    /// Returns true where who is given it for nothing does worse, at this level: the agent misuses it.
    #[must_use]
    pub fn is_misused(&self, level: f64) -> bool {
        self.value_p < level && self.value.value < 0.0
    }

    /// Leaves the means alone: one game again and again says nothing of others.
    fn untest(&mut self) {
        (self.value, self.surplus) = (self.value.untested(), self.surplus.untested());
        self.score = self.score.map(Estimate::untested);
        (self.fair, self.bootstrap, self.convergence) = (None, None, None);
        (self.adjusted_p, self.value_p) = (f64::NAN, f64::NAN);
    }

    /// Returns the fair price, cut at 0, and whether something was cut off.
    #[must_use]
    pub fn fair_price(&self) -> Option<(Ratio, bool)> {
        self.fair.map(cut_at_zero)
    }
}

/// The name of the cell in which a seat is given something.
fn given(id: &str, name: &str, stage: u8) -> String {
    format!("{id}/{name}/s{stage}")
}

/// The name of the cell in which a seat cannot take something, at a stage or in the whole game.
fn ban_of(id: &str, name: &str, stage: Option<u8>) -> String {
    stage.map_or_else(|| format!("{id}/{name}"), |stage| given(id, name, stage))
}

/// The stages in which things are banned; none of them is the whole game.
fn banned(asked: &ValidatedBalance) -> Vec<Option<u8>> {
    match asked.request.bans.unwrap_or_default() {
        Bans::None => Vec::new(),
        Bans::Game => vec![None],
        Bans::Stages => asked.stages.iter().copied().map(Some).collect(),
    }
}

impl Cards {
    /// The study that is asked for.
    ///
    /// # Errors
    /// If the game sells nothing, or there is no such thing or stage.
    pub fn new(asked: ValidatedBalance) -> Result<Self, Error> {
        let market = asked.facts.market()?;
        let things = asked.names(asked.facts.names(market.thing))?;
        let pairs = |name: &String| -> Vec<Item> {
            asked.stages.iter().map(|&stage| (name.clone(), stage)).collect()
        };
        let items: Vec<Item> = things.iter().flat_map(pairs).collect();
        let mut experiment = base(&asked, &items, asked.seed)?;
        for lane in 0..experiment.lanes.len() {
            for name in &things {
                let bans = banned(&asked).into_iter().map(|stage| Cell {
                    id: ban_of(market.ban, name, stage),
                    lane,
                    stage: stage.unwrap_or(1),
                    dose: Dose::Seats(asked.facts.for_seats(market.ban, stage, Some(name), "true")),
                });
                experiment.cells.extend(bans);
            }
            if asked.request.sweep {
                experiment.cells.extend(sweeps(&asked, &things, lane)?);
            }
        }
        experiment.check()?;
        Ok(Self { asked, experiment, things, items })
    }

    /// The tier of which is spoken: the strongest.
    #[must_use]
    pub fn headline(&self) -> usize {
        self.asked.tiers.len() - 1
    }

    /// What `heard` says of `items`, which `experiment` has played, of a tier; their p-values counted by `adjust`.
    ///
    /// # Panics
    /// If the experiment has not played them.
    #[must_use]
    pub fn lines(
        &self,
        experiment: &Experiment,
        effects: &EffectAccumulator,
        items: &[Item],
        adjust: fn(&[f64]) -> Vec<f64>,
    ) -> Vec<CardEffect> {
        let mut lines: Vec<CardEffect> =
            items.iter().filter_map(|item| self.line(experiment, effects, item)).collect();
        if effects.are_copies() {
            lines.iter_mut().for_each(CardEffect::untest);
            return lines;
        }
        let told = || lines.iter().filter(|line| line.is_told());
        let surplus: Vec<f64> = told().map(|line| line.surplus.p.unwrap_or(1.0)).collect();
        let value: Vec<f64> = lines.iter().map(|line| line.value.p.unwrap_or(1.0)).collect();
        let mut surplus = adjust(&surplus).into_iter();
        for (line, value) in lines.iter_mut().zip(adjust(&value)) {
            line.value_p = value;
            line.adjusted_p = if line.is_told() { surplus.next().unwrap_or(1.0) } else { 1.0 };
        }
        lines
    }

    /// The lines of the screen.
    #[must_use]
    pub fn screen(&self, effects: &EffectAccumulator) -> Vec<CardEffect> {
        self.lines(&self.experiment, effects, &self.items, benjamini_hochberg)
    }

    /// The lines of a confirmation.
    #[must_use]
    pub fn confirmed(
        &self,
        experiment: &Experiment,
        effects: &EffectAccumulator,
        screen: &EffectAccumulator,
    ) -> Vec<CardEffect> {
        self.lines(experiment, effects, &self.chosen(screen), holm)
    }

    /// What the screen puts first, of what it finds.
    #[must_use]
    pub fn chosen(&self, screen: &EffectAccumulator) -> Vec<Item> {
        let mut lines = self.screen(screen);
        lines.retain(|line| line.is_decided(FALSE_DISCOVERIES));
        let p = |line: &CardEffect| line.surplus.p.unwrap_or(1.0);
        // A sort that keeps the order of equals: results do not depend on it elsewhere.
        lines.sort_by(|a, b| p(a).total_cmp(&p(b)));
        lines.truncate(MOST_CONFIRMED);
        lines.into_iter().map(|line| (line.name, line.stage)).collect()
    }

    /// The experiment that plays what the screen puts first once more, on fresh seeds; nothing if it finds nothing.
    ///
    /// # Errors
    /// If a game cannot be built.
    pub fn confirmation(&self, screen: &EffectAccumulator) -> Result<Option<Experiment>, Error> {
        let items = self.chosen(screen);
        if items.is_empty() {
            return Ok(None);
        }
        let seed = hash_of(&("confirmation", self.asked.seed));
        let experiment = base(&self.asked, &items, seed)?;
        experiment.check()?;
        Ok(Some(experiment))
    }

    fn line(
        &self,
        experiment: &Experiment,
        effects: &EffectAccumulator,
        item: &Item,
    ) -> Option<CardEffect> {
        let (name, stage) = item;
        let market = self.asked.facts.market?;
        let players = self.asked.facts.players;
        let units = |lane| Units::new(experiment, effects, lane, *stage, &self.asked);
        let place = |lane| {
            let id = given(market.thing, name, *stage);
            experiment.place(lane, &id).expect("the thing was given")
        };
        let lane = self.headline();
        let own = effects.values(place(lane));
        let control = experiment.control_of(lane);
        let Units { money, action } = units(lane);
        let net: Vec<f64> = own
            .share
            .iter()
            .zip(&action)
            .map(|(v, alpha)| v - market.actions as f64 * alpha)
            .collect();
        let printed = self.asked.facts.price(&market, name, *stage);
        let surplus: Vec<f64> =
            net.iter().zip(&money).map(|(net, lambda)| net - printed as f64 * lambda).collect();
        let weaker = (lane > 0).then(|| &effects.values(place(0)).share);
        let convergence = weaker.and_then(|weaker| {
            let difference: Vec<f64> = own.share.iter().zip(weaker).map(|(a, b)| a - b).collect();
            let interval = Estimate::of_difference(&difference)?.interval?;
            Some(Convergence::of(interval, MARGIN))
        });
        Some(CardEffect {
            name: name.clone(),
            stage: *stage,
            value: Estimate::of_share(&own.share, players)?,
            score: Estimate::of_numbers(&own.score),
            fair: fieller(&net, &money),
            bootstrap: ratio::bootstrap(&net, &money, experiment.seed),
            printed,
            surplus: Estimate::of_numbers(&surplus)?,
            taken: effects.taken(control).get(&(*stage, name.clone())).map(|one| one.picked.mean()),
            adjusted_p: 1.0,
            value_p: 1.0,
            convergence,
        })
    }

    /// The worth of an action and of a unit of money at the stages that are asked for.
    #[must_use]
    pub fn units(&self, effects: &EffectAccumulator) -> Vec<(u8, Estimate, Estimate)> {
        let lane = self.headline();
        let of = |&stage: &u8| {
            let units = Units::new(&self.experiment, effects, lane, stage, &self.asked);
            let action = Estimate::of_share(&units.action, self.asked.facts.players);
            Some((stage, action?, Estimate::of_numbers(&units.money)?))
        };
        self.asked.stages.iter().filter_map(of).collect()
    }

    /// What it costs one seat that it cannot take a thing at a stage, or in the whole game (no stage), if that was played.
    #[must_use]
    pub fn ban(
        &self,
        effects: &EffectAccumulator,
        name: &str,
        stage: Option<u8>,
    ) -> Option<Estimate> {
        let id = ban_of(self.asked.facts.market?.ban, name, stage);
        let place = self.experiment.place(self.headline(), &id)?;
        Estimate::of_share(&effects.values(place).share, self.asked.facts.players)
    }

    /// In which part of the games somebody took a thing at a stage (0: at any), where it could be taken; and the
    /// association of taking it with the share of the points.
    #[must_use]
    pub fn taken(
        &self,
        effects: &EffectAccumulator,
        name: &str,
        stage: u8,
    ) -> (Option<Estimate>, Option<Estimate>) {
        let control = self.experiment.control_of(self.headline());
        let Some(taken) = effects.taken(control).get(&(stage, name.to_owned())) else {
            return (None, None);
        };
        let equal = 1.0 / self.asked.facts.players as f64;
        let picked = Estimate::within(0.0, 1.0, taken.picked);
        (picked, Estimate::within(-equal, 1.0 - equal, taken.owners))
    }

    /// The part of the games in which somebody took a thing, at each of its prices that were swept, and at its own.
    #[must_use]
    pub fn demand(&self, effects: &EffectAccumulator, name: &str) -> Vec<(i64, Estimate)> {
        let (Some(market), true) = (self.asked.facts.market, self.asked.request.sweep) else {
            return Vec::new();
        };
        let Price::Swept(sweep) = market.price else { return Vec::new() };
        let lane = self.headline();
        let printed = self.asked.facts.price(&market, name, 1);
        let mut demand = Vec::new();
        for step in PRICE_STEPS.into_iter().chain([0]) {
            let price = printed + step * market.step;
            let place = match step {
                0 => Some(self.experiment.control_of(lane)),
                _ => self.experiment.place(lane, &format!("{sweep}/{name}={price}")),
            };
            let taken = place.and_then(|place| effects.taken(place).get(&(0, name.to_owned())));
            let picked = taken.and_then(|taken| Estimate::within(0.0, 1.0, taken.picked));
            demand.extend(picked.map(|picked| (price, picked)));
        }
        demand.sort_by_key(|(price, _)| *price);
        demand
    }
}

/// The values of a unit of money and of an action, block by block.
#[derive(Clone, Debug)]
struct Units {
    money: Vec<f64>,
    action: Vec<f64>,
}

impl Units {
    fn new(
        experiment: &Experiment,
        effects: &EffectAccumulator,
        lane: usize,
        stage: u8,
        asked: &ValidatedBalance,
    ) -> Self {
        let market = asked.facts.market.expect("a study of things has a market");
        let share = |id: String| {
            let place = experiment.place(lane, &id).expect("units are measured at every stage");
            &effects.values(place).share
        };
        let squares: i64 = market.amounts.iter().map(|a| a * a).sum();
        let mut money = vec![0.0; effects.blocks() as usize];
        for &amount in market.amounts {
            let given = share(format!("{}={amount}/s{stage}", market.money));
            let weight = amount as f64 / squares as f64;
            money.iter_mut().zip(given).for_each(|(sum, d)| *sum += weight * d);
        }
        let lost = share(format!("{}=-1/s{stage}", market.action));
        Self { money, action: lost.iter().map(|d| -d).collect() }
    }
}

/// Controls, the units of worth at the stages of `items`, and these.
fn base(asked: &ValidatedBalance, items: &[Item], seed: u64) -> Result<Experiment, Error> {
    let (facts, market) = (&asked.facts, asked.facts.market()?);
    let mut stages: Vec<u8> = items.iter().map(|(_, stage)| *stage).collect();
    stages.sort_unstable();
    stages.dedup();
    let is_switch = matches!(facts.treatment(market.thing).amount, Amount::Switch);
    let one = if is_switch { "true" } else { "1" };
    let mut cells = Vec::new();
    for lane in 0..asked.tiers.len() {
        cells.push(Cell::control(lane));
        let mut give = |id: String, of: &str, stage: u8, name: Option<&str>, value: &str| {
            let dose = Dose::Seats(facts.for_seats(of, Some(stage), name, value));
            cells.push(Cell { id, lane, stage, dose });
        };
        for &stage in &stages {
            for amount in market.amounts {
                let id = format!("{}={amount}/s{stage}", market.money);
                give(id, market.money, stage, None, &amount.to_string());
            }
            give(format!("{}=-1/s{stage}", market.action), market.action, stage, None, "-1");
        }
        for (name, stage) in items {
            give(given(market.thing, name, *stage), market.thing, *stage, Some(name), one);
        }
    }
    Ok(Experiment {
        setup: asked.setup.clone(),
        players: facts.players,
        agents: asked.agents(),
        lanes: (0..asked.tiers.len()).map(|tier| Lane::of_one(tier, facts.players)).collect(),
        cells,
        seed,
        blocks: asked.blocks,
        noted: Some(market.ban),
        holds: false,
        seats: false,
        order: None,
    })
}

/// Cells with the price of each thing changed by steps, as far as the rules allow.
fn sweeps(asked: &ValidatedBalance, things: &[String], lane: usize) -> Result<Vec<Cell>, Error> {
    let (facts, market) = (&asked.facts, asked.facts.market()?);
    let Price::Swept(id) = market.price else {
        let message = "these things have no prices of their own to sweep; leave it away";
        return Err(Error::value("sweep", "true", message));
    };
    let sweep = facts.sweep(id);
    let mut cells = Vec::new();
    for name in things {
        let printed = facts.price(&market, name, 1);
        for price in PRICE_STEPS.map(|step| printed + step * market.step) {
            let setting = facts.rules.swept(sweep, Some(name), price);
            let is_allowed = (sweep.least..=sweep.most).contains(&price);
            if let Some(setting) = setting.filter(|_| is_allowed) {
                let id = format!("{id}/{name}={price}");
                cells.push(Cell { id, lane, stage: 1, dose: Dose::All(vec![setting]) });
            }
        }
    }
    Ok(cells)
}
