//! The worth of things that players take for a price, as cards.
//!
//! For each thing and stage, for the strongest tier unless stated otherwise, in points of share per game:
//!
//! - **V**: the worth of the thing when it is given to a seat at the start of the stage. V includes the reactions of
//!   the other players.
//! - **α**: the worth of an action: the loss when the seat's first turn of the stage has one action less.
//! - **λ**: the worth of a unit of money, measured by gifts; with amounts `a` and effects `d`, `λ = Σ a d/Σ a²`.
//! - **Fair price** `(V − α)/λ`, since a player who takes the thing also spends an action, with Fieller's region.
//! - **Surplus** `V − α − λ·price`: if it is positive, the thing is too cheap. It is zero if the fair price is the
//!   printed price. It has an interval even if λ is poorly known, and the screen tests it.
//! - **Ban**: one seat alone cannot take the thing in the whole game, or in one stage.
//! - **Association**: the share of the players who took it in untreated games, less an equal share. It is not causal:
//!   players who can pay for things are ahead.
//! - **Taken**: the fraction of untreated games in which it was taken, among those in which it could be taken. Things
//!   that these agents take in fewer than [`RARELY`] of the games get no verdict: their worth to a player who uses
//!   them well is unknown.
//!
//! The screen controls the false discovery rate at 10 % over all things and stages with a verdict (Benjamini and
//! Hochberg). The first of its findings are played again on fresh seeds that played no part in the selection. Their
//! verdicts rest on these games, with Holm's p-values and new estimates of α and λ.

use engine::treatment::Amount;
use engine::{Price, hash_of};

use super::cell::{Cell, CellTreatment, Experiment, Lineup};
use super::effect_accumulator::EffectAccumulator;
use super::estimate::{Estimate, cut_at_zero};
use super::request::{Bans, ValidatedBalance};
use sim::error::Error;
use sim::stats::multiple::{benjamini_hochberg, holm};
use sim::stats::ratio::{self, Ratio};
use sim::stats::tiers::MARGIN;
use sim::stats::{Convergence, Interval, fieller};

/// The false discovery rate of the screen.
pub const FALSE_DISCOVERIES: f64 = 0.1;
/// The significance level of the confirmation.
pub const LEVEL: f64 = 0.05;
/// The fraction of games below which a thing that is offered gets no verdict on its price: its takers are too few to
/// judge a price.
pub const RARELY: f64 = 0.02;
/// The verdict on a thing that is taken too seldom.
pub const NO_STATEMENT: &str = "never taken by these agents: no statement";
/// The largest number of things that are played again.
pub const MOST_CONFIRMED: usize = 10;
/// The price changes of a demand sweep, in steps.
pub const PRICE_STEPS: [i64; 4] = [-2, -1, 1, 2];

/// A thing at a stage.
pub type Item = (String, u8);

/// A study of things with a price.
#[derive(Clone, Debug)]
pub struct Cards {
    /// The validated request.
    pub validated: ValidatedBalance,
    /// The experiment that is played.
    pub experiment: Experiment,
    /// The things.
    pub things: Vec<String>,
    /// Things and stages, in order.
    pub items: Vec<Item>,
}

/// The effects of a thing that is given at a stage.
#[derive(Clone, Debug)]
pub struct CardEffect {
    /// The thing.
    pub name: String,
    /// The stage.
    pub stage: u8,
    /// V, in share.
    pub value: Estimate,
    /// The effect on its owner's score.
    pub score: Option<Estimate>,
    /// The fair price.
    pub fair: Option<Ratio>,
    /// The bootstrap interval of the fair price, as a check.
    pub bootstrap: Option<Interval>,
    /// The printed price.
    pub printed: i64,
    /// The surplus: the worth less the price.
    pub surplus: Estimate,
    /// The fraction of untreated games in which it was taken at this stage, among those in which it could be taken;
    /// `None` if it never could.
    pub taken: Option<f64>,
    /// The p-value of zero surplus, adjusted over the lines with a verdict: by Benjamini and Hochberg in a screen, by
    /// Holm in a confirmation. 1 for lines without a verdict; NaN if all blocks are copies of one.
    pub adjusted_p: f64,
    /// The p-value of zero value, adjusted over all lines in the same way.
    pub value_p: f64,
    /// The comparison of the value with the weakest tier.
    pub convergence: Option<Convergence>,
}

impl CardEffect {
    /// Returns the verdict on its price at this level.
    #[must_use]
    pub fn verdict(&self, level: f64) -> &'static str {
        match self.surplus.value > 0.0 {
            _ if !self.has_verdict() => NO_STATEMENT,
            _ if !self.is_decided(level) => "undecided",
            true => "too cheap",
            false => "too dear",
        }
    }

    /// Returns true if its price gets a verdict: it is taken in at least [`RARELY`] of the games.
    #[must_use]
    pub fn has_verdict(&self) -> bool {
        self.taken.is_none_or(|taken| taken >= RARELY)
    }

    /// Returns true if its price differs from its worth at this level.
    #[must_use]
    pub fn is_decided(&self, level: f64) -> bool {
        self.has_verdict() && self.adjusted_p < level
    }

    /// Returns true if a seat that gets it for nothing does worse, at this level: the agent misuses it.
    #[must_use]
    pub fn is_misused(&self, level: f64) -> bool {
        self.value_p < level && self.value.value < 0.0
    }

    /// Removes intervals and p-values, and keeps the means: copies of one game give no evidence about others.
    fn untest(&mut self) {
        (self.value, self.surplus) = (self.value.untested(), self.surplus.untested());
        self.score = self.score.map(Estimate::untested);
        (self.fair, self.bootstrap, self.convergence) = (None, None, None);
        (self.adjusted_p, self.value_p) = (f64::NAN, f64::NAN);
    }

    /// Returns the fair price, cut at 0, and a flag that is true if it was cut.
    #[must_use]
    pub fn fair_price(&self) -> Option<(Ratio, bool)> {
        self.fair.map(cut_at_zero)
    }
}

/// Returns the name of the cell in which a seat is given a thing.
fn given(id: &str, name: &str, stage: u8) -> String {
    format!("{id}/{name}/s{stage}")
}

/// Returns the name of the cell in which a seat cannot take a thing, at a stage or in the whole game.
fn ban_of(id: &str, name: &str, stage: Option<u8>) -> String {
    stage.map_or_else(|| format!("{id}/{name}"), |stage| given(id, name, stage))
}

/// Returns the stages in which things are banned; `None` is the whole game.
fn banned(validated: &ValidatedBalance) -> Vec<Option<u8>> {
    match validated.request.bans.unwrap_or_default() {
        Bans::None => Vec::new(),
        Bans::Game => vec![None],
        Bans::Stages => validated.stages.iter().copied().map(Some).collect(),
    }
}

impl Cards {
    /// Builds the requested study.
    ///
    /// # Errors
    /// If the game has no market, or a name or stage does not exist.
    pub fn new(validated: ValidatedBalance) -> Result<Self, Error> {
        let market = validated.facts.market()?;
        let things = validated.names(validated.facts.names(market.thing))?;
        let pairs = |name: &String| -> Vec<Item> {
            validated.stages.iter().map(|&stage| (name.clone(), stage)).collect()
        };
        let items: Vec<Item> = things.iter().flat_map(pairs).collect();
        let mut experiment = base(&validated, &items, validated.seed)?;
        for lineup in 0..experiment.lineups.len() {
            for name in &things {
                let bans = banned(&validated).into_iter().map(|stage| Cell {
                    id: ban_of(market.ban, name, stage),
                    lineup,
                    stage: stage.unwrap_or(1),
                    treatment: CellTreatment::Seats(validated.facts.for_seats(
                        market.ban,
                        stage,
                        Some(name),
                        "true",
                    )),
                });
                experiment.cells.extend(bans);
            }
            if validated.request.sweep {
                experiment.cells.extend(sweeps(&validated, &things, lineup)?);
            }
        }
        experiment.check()?;
        Ok(Self { validated, experiment, things, items })
    }

    /// Returns the tier that the results are about: the strongest.
    #[must_use]
    pub fn headline(&self) -> usize {
        self.validated.tiers.len() - 1
    }

    /// Returns the effects of `items`, which `experiment` has played, with p-values adjusted by `adjust`.
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
        let with_verdict = || lines.iter().filter(|line| line.has_verdict());
        let surplus: Vec<f64> = with_verdict().map(|line| line.surplus.p.unwrap_or(1.0)).collect();
        let value: Vec<f64> = lines.iter().map(|line| line.value.p.unwrap_or(1.0)).collect();
        let mut surplus = adjust(&surplus).into_iter();
        for (line, value) in lines.iter_mut().zip(adjust(&value)) {
            line.value_p = value;
            line.adjusted_p = if line.has_verdict() { surplus.next().unwrap_or(1.0) } else { 1.0 };
        }
        lines
    }

    /// Returns the lines of the screen.
    #[must_use]
    pub fn screen(&self, effects: &EffectAccumulator) -> Vec<CardEffect> {
        self.lines(&self.experiment, effects, &self.items, benjamini_hochberg)
    }

    /// Returns the lines of a confirmation.
    #[must_use]
    pub fn confirmed(
        &self,
        experiment: &Experiment,
        effects: &EffectAccumulator,
        screen: &EffectAccumulator,
    ) -> Vec<CardEffect> {
        self.lines(experiment, effects, &self.chosen(screen), holm)
    }

    /// Returns the findings of the screen with the smallest p-values, [`MOST_CONFIRMED`] at most.
    #[must_use]
    pub fn chosen(&self, screen: &EffectAccumulator) -> Vec<Item> {
        let mut lines = self.screen(screen);
        lines.retain(|line| line.is_decided(FALSE_DISCOVERIES));
        let p = |line: &CardEffect| line.surplus.p.unwrap_or(1.0);
        // The sort is stable: elsewhere, results do not depend on the order of equals.
        lines.sort_by(|a, b| p(a).total_cmp(&p(b)));
        lines.truncate(MOST_CONFIRMED);
        lines.into_iter().map(|line| (line.name, line.stage)).collect()
    }

    /// Returns the experiment that replays the first findings of the screen on fresh seeds; `None` without findings.
    ///
    /// # Errors
    /// If a game cannot be built.
    pub fn confirmation(&self, screen: &EffectAccumulator) -> Result<Option<Experiment>, Error> {
        let items = self.chosen(screen);
        if items.is_empty() {
            return Ok(None);
        }
        let seed = hash_of(&("confirmation", self.validated.seed));
        let experiment = base(&self.validated, &items, seed)?;
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
        let market = self.validated.facts.market?;
        let players = self.validated.facts.players;
        let units = |lineup| Units::new(experiment, effects, lineup, *stage, &self.validated);
        let place = |lineup| {
            let id = given(market.thing, name, *stage);
            experiment.cell_index(lineup, &id).expect("the thing was given")
        };
        let lineup = self.headline();
        let own = effects.values(place(lineup));
        let control = experiment.control_of(lineup);
        let Units { money, action } = units(lineup);
        let net: Vec<f64> = own
            .share
            .iter()
            .zip(&action)
            .map(|(v, alpha)| v - market.actions as f64 * alpha)
            .collect();
        let printed = self.validated.facts.price(&market, name, *stage);
        let surplus: Vec<f64> =
            net.iter().zip(&money).map(|(net, lambda)| net - printed as f64 * lambda).collect();
        let weaker = (lineup > 0).then(|| &effects.values(place(0)).share);
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

    /// Returns the worth of an action and of a unit of money at each requested stage.
    #[must_use]
    pub fn units(&self, effects: &EffectAccumulator) -> Vec<(u8, Estimate, Estimate)> {
        let lineup = self.headline();
        let of = |&stage: &u8| {
            let units = Units::new(&self.experiment, effects, lineup, stage, &self.validated);
            let action = Estimate::of_share(&units.action, self.validated.facts.players);
            Some((stage, action?, Estimate::of_numbers(&units.money)?))
        };
        self.validated.stages.iter().filter_map(of).collect()
    }

    /// Returns the effect on one seat of a ban on a thing, at a stage or in the whole game (`None`), if that was
    /// played.
    #[must_use]
    pub fn ban(
        &self,
        effects: &EffectAccumulator,
        name: &str,
        stage: Option<u8>,
    ) -> Option<Estimate> {
        let id = ban_of(self.validated.facts.market?.ban, name, stage);
        let place = self.experiment.cell_index(self.headline(), &id)?;
        Estimate::of_share(&effects.values(place).share, self.validated.facts.players)
    }

    /// Returns the fraction of games in which a thing was taken at a stage (0: at any), among those in which it could
    /// be taken, and the association of taking it with the share.
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
        let equal = 1.0 / self.validated.facts.players as f64;
        let picked = Estimate::within(0.0, 1.0, taken.picked);
        (picked, Estimate::within(-equal, 1.0 - equal, taken.owners))
    }

    /// Returns the fraction of games in which a thing was taken, at each swept price and at its printed price.
    #[must_use]
    pub fn demand(&self, effects: &EffectAccumulator, name: &str) -> Vec<(i64, Estimate)> {
        let (Some(market), true) = (self.validated.facts.market, self.validated.request.sweep)
        else {
            return Vec::new();
        };
        let Price::Swept(sweep) = market.price else { return Vec::new() };
        let lineup = self.headline();
        let printed = self.validated.facts.price(&market, name, 1);
        let mut demand = Vec::new();
        for step in PRICE_STEPS.into_iter().chain([0]) {
            let price = printed + step * market.step;
            let place = match step {
                0 => Some(self.experiment.control_of(lineup)),
                _ => self.experiment.cell_index(lineup, &format!("{sweep}/{name}={price}")),
            };
            let taken = place.and_then(|place| effects.taken(place).get(&(0, name.to_owned())));
            let picked = taken.and_then(|taken| Estimate::within(0.0, 1.0, taken.picked));
            demand.extend(picked.map(|picked| (price, picked)));
        }
        demand.sort_by_key(|(price, _)| *price);
        demand
    }
}

/// The worth of a unit of money and of an action, by block.
#[derive(Clone, Debug)]
struct Units {
    money: Vec<f64>,
    action: Vec<f64>,
}

impl Units {
    fn new(
        experiment: &Experiment,
        effects: &EffectAccumulator,
        lineup: usize,
        stage: u8,
        validated: &ValidatedBalance,
    ) -> Self {
        let market = validated.facts.market.expect("a study of things has a market");
        let share = |id: String| {
            let place =
                experiment.cell_index(lineup, &id).expect("units are measured at every stage");
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

/// Builds an experiment from the controls, `items`, and the units of worth at their stages.
fn base(validated: &ValidatedBalance, items: &[Item], seed: u64) -> Result<Experiment, Error> {
    let (facts, market) = (&validated.facts, validated.facts.market()?);
    let mut stages: Vec<u8> = items.iter().map(|(_, stage)| *stage).collect();
    stages.sort_unstable();
    stages.dedup();
    let is_switch = matches!(facts.treatment(market.thing).amount, Amount::Switch);
    let one = if is_switch { "true" } else { "1" };
    let mut cells = Vec::new();
    for lineup in 0..validated.tiers.len() {
        cells.push(Cell::control(lineup));
        let mut give = |id: String, of: &str, stage: u8, name: Option<&str>, value: &str| {
            let treatment = CellTreatment::Seats(facts.for_seats(of, Some(stage), name, value));
            cells.push(Cell { id, lineup, stage, treatment });
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
        setup: validated.setup.clone(),
        players: facts.players,
        agents: validated.agents(),
        lineups: (0..validated.tiers.len())
            .map(|tier| Lineup::of_one(tier, facts.players))
            .collect(),
        cells,
        seed,
        blocks: validated.blocks,
        noted: Some(market.ban),
        holds: false,
        seats: false,
        order: None,
    })
}

/// Returns cells in which the price of each thing is changed by steps, as far as the rules allow.
fn sweeps(study: &ValidatedBalance, things: &[String], lineup: usize) -> Result<Vec<Cell>, Error> {
    let (facts, market) = (&study.facts, study.facts.market()?);
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
                cells.push(Cell {
                    id,
                    lineup,
                    stage: 1,
                    treatment: CellTreatment::All(vec![setting]),
                });
            }
        }
    }
    Ok(cells)
}
