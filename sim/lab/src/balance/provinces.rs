//! The worth of places that players hold, as provinces.
//!
//! For each place and stage, for the strongest tier, in points of share per game: a **token** of influence, and a
//! **city**, each given to each seat in turn. **Score per price** is the token's effect on its owner's score, for each
//! unit of money that a token costs. From untreated games come **contest** and **swing**. Contest is the number of
//! players who have a token there and at most one less than the first, at the ends of stages. Swing is the frequency
//! with which another seat leads at the end than at the start of the last stage, times the payment to the first. The
//! same games also give the effect of the start deal ([`super::deal`]).
//!
//! The screen controls the false discovery rate at 10 % over the tokens of all places and stages (Benjamini and
//! Hochberg). The first of its findings are given again on fresh seeds that played no part in the selection; their
//! verdicts use Holm's p-values.
//!
//! Sweeps change a place's payment by a step in either direction, in games of agents with different goals. They
//! measure the change of each agent's share, and the number of tokens there at the end.

use agents::AgentSpec;
use engine::hash_of;

use super::cards::{FALSE_DISCOVERIES, Item, MOST_CONFIRMED};
use super::cell::{Cell, CellTreatment, Experiment, Lineup};
use super::deal::{self, Dealt};
use super::effect_accumulator::EffectAccumulator;
use super::estimate::Estimate;
use super::request::ValidatedBalance;
use sim::error::Error;
use sim::stats::Convergence;
use sim::stats::multiple::{benjamini_hochberg, holm};
use sim::stats::tiers::MARGIN;

/// The changes of a place's payment, in steps.
const PAY_STEPS: [i64; 2] = [-1, 1];

/// A study of places.
#[derive(Clone, Debug)]
pub struct Provinces {
    /// The validated request.
    pub validated: ValidatedBalance,
    /// The experiment that is played.
    pub experiment: Experiment,
    /// The places.
    pub places: Vec<String>,
    /// Places and stages, in order.
    pub items: Vec<Item>,
}

/// The effects of a place at a stage.
#[derive(Clone, Debug)]
pub struct ProvinceEffect {
    /// The place.
    pub name: String,
    /// The stage.
    pub stage: u8,
    /// The worth of a token, in share.
    pub token: Estimate,
    /// The p-value of the token, adjusted over all lines: by Benjamini and Hochberg in the screen, by Holm in a
    /// confirmation. NaN if all blocks are copies of one.
    pub adjusted_p: f64,
    /// The worth of a city, in share, if one can be built.
    pub city: Option<Estimate>,
    /// The token's effect on its owner's score, divided by the price of a token.
    pub score_per_price: Option<Estimate>,
    /// The comparison of the token's worth with the weakest tier.
    pub convergence: Option<Convergence>,
}

impl ProvinceEffect {
    /// Returns true if the worth of a token differs from zero at this level.
    #[must_use]
    pub fn is_decided(&self, level: f64) -> bool {
        self.adjusted_p < level
    }

    /// Removes intervals and p-values, and keeps the means: copies of one game give no evidence about others.
    fn untest(&mut self) {
        self.token = self.token.untested();
        self.city = self.city.map(Estimate::untested);
        self.score_per_price = self.score_per_price.map(Estimate::untested);
        (self.adjusted_p, self.convergence) = (f64::NAN, None);
    }
}

/// The course of events in a place in untreated games, as means over blocks.
#[derive(Clone, Debug, Default)]
pub struct PlaceCourse {
    /// Players who have a token there and at most one less than the first, at the ends of stages.
    pub contest: Option<Estimate>,
    /// The frequency with which another seat leads at the end than at the start of the last stage, times the payment
    /// to the first.
    pub swing: Option<Estimate>,
    /// Tokens of all players at the end of the game.
    pub tokens: Option<Estimate>,
    /// Fights there in a game; `None` if the game does not report them.
    pub fights: Option<Estimate>,
}

/// The effects of a higher or lower payment of a place.
#[derive(Clone, Debug)]
pub struct Swept {
    /// The place.
    pub name: String,
    /// The sweep, by its id.
    pub sweep: &'static str,
    /// The change of the payment.
    pub step: i64,
    /// The gain of each style in share.
    pub gains: Vec<(String, Estimate)>,
    /// Tokens there at the end, less those under the unchanged rules.
    pub tokens: Option<Estimate>,
}

fn id(of: &str, name: &str, stage: u8) -> String {
    format!("{of}/{name}/s{stage}")
}

impl Provinces {
    /// Builds the requested study.
    ///
    /// # Errors
    /// If the game has no places that players hold, or a place or stage does not exist.
    pub fn new(validated: ValidatedBalance) -> Result<Self, Error> {
        let facts = &validated.facts;
        let territory = facts.territory()?;
        let places = validated.names(facts.names(territory.token))?;
        let seat = engine::Player::all(facts.players).next();
        let can_get = |of: &str, name: &str, stage: u8, amount: &str| {
            let key = facts.treatment(of).key_for(Some(stage), seat, Some(name));
            facts.allow(&validated.setup, &format!("{key}={amount}"))
        };
        let pairs = |is_one: &dyn Fn(&str, u8) -> bool| -> Vec<Item> {
            let here = |stage: u8| places.iter().filter(move |name| is_one(name, stage));
            let each = |&stage: &u8| here(stage).map(move |name| (name.clone(), stage));
            validated.stages.iter().flat_map(each).collect()
        };
        let sites = territory.city.map_or_else(Vec::new, |city| {
            let has_city = |name: &str, _| can_get(city, name, 1, "true");
            pairs(&has_city)
        });
        // Some places can only be held from a later stage on.
        let items = pairs(&|name, stage| can_get(territory.token, name, stage, "1"));
        let mut experiment = base(&validated, &items, &sites, validated.seed)?;
        if validated.request.sweep {
            let lineup = experiment.lineups.len();
            let mixed = mixed(&validated, &mut experiment.agents)?;
            experiment.lineups.push(mixed);
            experiment.cells.push(Cell::control(lineup));
            experiment.cells.extend(sweeps(&validated, &places, lineup)?);
        }
        experiment.check()?;
        Ok(Self { validated, experiment, places, items })
    }

    /// Returns the tier that the results are about: the strongest.
    #[must_use]
    pub fn headline(&self) -> usize {
        self.validated.tiers.len() - 1
    }

    /// Returns the effects of each place and stage.
    #[must_use]
    pub fn lines(&self, effects: &EffectAccumulator) -> Vec<ProvinceEffect> {
        let mut items = self.items.clone();
        // Sorted by place, and then by stage.
        items.sort_by_key(|(name, stage)| (self.places.iter().position(|p| p == name), *stage));
        self.effects_of(&self.experiment, effects, &items, benjamini_hochberg)
    }

    /// Returns the effects of the tokens that were given again.
    #[must_use]
    pub fn confirmed(
        &self,
        experiment: &Experiment,
        effects: &EffectAccumulator,
        screen: &EffectAccumulator,
    ) -> Vec<ProvinceEffect> {
        self.effects_of(experiment, effects, &self.chosen(screen), holm)
    }

    /// Returns the findings of the screen with the smallest p-values, [`MOST_CONFIRMED`] at most.
    #[must_use]
    pub fn chosen(&self, screen: &EffectAccumulator) -> Vec<Item> {
        let mut lines = self.lines(screen);
        lines.retain(|line| line.is_decided(FALSE_DISCOVERIES));
        let p = |line: &ProvinceEffect| line.token.p.unwrap_or(1.0);
        // The sort is stable: elsewhere, results do not depend on the order of equals.
        lines.sort_by(|a, b| p(a).total_cmp(&p(b)));
        lines.truncate(MOST_CONFIRMED);
        lines.into_iter().map(|line| (line.name, line.stage)).collect()
    }

    /// Returns the experiment that gives the first findings of the screen again, on fresh seeds; `None` without
    /// findings.
    ///
    /// # Errors
    /// If a game cannot be built.
    pub fn confirmation(&self, screen: &EffectAccumulator) -> Result<Option<Experiment>, Error> {
        let items = self.chosen(screen);
        if items.is_empty() {
            return Ok(None);
        }
        let seed = hash_of(&("confirmation", self.validated.seed));
        let experiment = base(&self.validated, &items, &[], seed)?;
        experiment.check()?;
        Ok(Some(experiment))
    }

    fn effects_of(
        &self,
        experiment: &Experiment,
        effects: &EffectAccumulator,
        items: &[Item],
        adjust: fn(&[f64]) -> Vec<f64>,
    ) -> Vec<ProvinceEffect> {
        let line = |(name, stage): &Item| self.line(experiment, effects, name, *stage);
        let mut lines: Vec<ProvinceEffect> = items.iter().filter_map(line).collect();
        if effects.are_copies() {
            lines.iter_mut().for_each(ProvinceEffect::untest);
            return lines;
        }
        let p: Vec<f64> = lines.iter().map(|line| line.token.p.unwrap_or(1.0)).collect();
        for (line, p) in lines.iter_mut().zip(adjust(&p)) {
            line.adjusted_p = p;
        }
        lines
    }

    fn line(
        &self,
        experiment: &Experiment,
        effects: &EffectAccumulator,
        name: &str,
        stage: u8,
    ) -> Option<ProvinceEffect> {
        let facts = &self.validated.facts;
        let territory = facts.territory?;
        let lineup = self.headline();
        let values = |lineup: usize, of: &str| {
            let place = experiment.cell_index(lineup, &id(of, name, stage))?;
            Some(effects.values(place))
        };
        let token = values(lineup, territory.token)?;
        let price = territory.price.and_then(|price| facts.number(price, None));
        let price = price.filter(|&price| price > 0);
        let score_per_price = price.and_then(|price| {
            let each: Vec<f64> = token.score.iter().map(|score| score / price as f64).collect();
            Estimate::of_numbers(&each)
        });
        let weaker = if lineup > 0 { values(0, territory.token) } else { None };
        let convergence = weaker.and_then(|weaker| {
            let pairs = token.share.iter().zip(&weaker.share);
            let difference: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
            Some(Convergence::of(Estimate::of_difference(&difference)?.interval?, MARGIN))
        });
        let city = territory.city.and_then(|city| values(lineup, city));
        Some(ProvinceEffect {
            name: name.to_owned(),
            stage,
            token: Estimate::of_share(&token.share, facts.players)?,
            adjusted_p: 1.0,
            city: city.and_then(|city| Estimate::of_share(&city.share, facts.players)),
            score_per_price,
            convergence,
        })
    }

    /// Returns the course of events in a place in untreated games.
    #[must_use]
    pub fn course(&self, effects: &EffectAccumulator, name: &str) -> PlaceCourse {
        let control = self.experiment.control_of(self.headline());
        let Some(held) = effects.held(control).get(name) else { return PlaceCourse::default() };
        let paid = self.pays(name).first().copied().unwrap_or_default();
        let swing: Vec<f64> = held.swing.iter().map(|part| part * paid as f64).collect();
        PlaceCourse {
            contest: Estimate::of_numbers(&held.contest),
            swing: Estimate::of_numbers(&swing),
            tokens: Estimate::of_numbers(&held.tokens),
            fights: Estimate::of_numbers(&held.fights),
        }
    }

    /// Returns the worth of an additional token at the start, by place.
    #[must_use]
    pub fn deal(&self, effects: &EffectAccumulator) -> Vec<Dealt> {
        let control = self.experiment.control_of(self.headline());
        let mut deals = deal::worth(effects.starts(control), self.experiment.seed);
        deals.retain(|dealt| self.places.contains(&dealt.name));
        if effects.are_copies() {
            deals.iter_mut().for_each(|dealt| dealt.worth = dealt.worth.untested());
        }
        deals
    }

    /// Returns the payments of a place to the first, the second and so on.
    #[must_use]
    pub fn pays(&self, name: &str) -> Vec<i64> {
        let facts = &self.validated.facts;
        let pays = facts.territory.map_or(&[][..], |territory| territory.pays);
        pays.iter().filter_map(|sweep| facts.number(sweep, Some(name))).collect()
    }

    /// Returns the effects of higher and lower payments.
    #[must_use]
    pub fn swept(&self, effects: &EffectAccumulator) -> Vec<Swept> {
        let Some(territory) = self.validated.facts.territory else { return Vec::new() };
        let lineup = self.validated.tiers.len();
        let mut all = Vec::new();
        for name in &self.places {
            for &sweep in territory.pays {
                for step in PAY_STEPS.map(|n| n * territory.step) {
                    let id = format!("{sweep}/{name}{step:+}");
                    let Some(place) = self.experiment.cell_index(lineup, &id) else { continue };
                    all.push(self.one_swept(effects, place, name, sweep, step));
                }
            }
        }
        all
    }

    fn one_swept(
        &self,
        effects: &EffectAccumulator,
        place: usize,
        name: &String,
        sweep: &'static str,
        step: i64,
    ) -> Swept {
        let gains = effects.agents(place).iter().zip(&effects.values(place).agents);
        let gain = |(&agent, values): (&usize, &Vec<f64>)| {
            let spec = self.experiment.agents[agent].to_string();
            Some((spec, Estimate::of_difference(values)?))
        };
        let control = self.experiment.control_of(self.experiment.cells[place].lineup);
        let tokens = effects.held(place).get(name).zip(effects.held(control).get(name));
        let tokens = tokens.and_then(|(own, control)| {
            let pairs = own.tokens.iter().zip(&control.tokens);
            Estimate::of_numbers(&pairs.map(|(a, b)| a - b).collect::<Vec<_>>())
        });
        let name = name.clone();
        Swept { name, sweep, step, gains: gains.filter_map(gain).collect(), tokens }
    }
}

/// Builds an experiment from the controls, the tokens of `items` and the cities of `sites`.
fn base(
    validated: &ValidatedBalance,
    items: &[Item],
    sites: &[Item],
    seed: u64,
) -> Result<Experiment, Error> {
    let (facts, territory) = (&validated.facts, validated.facts.territory()?);
    let mut cells = Vec::new();
    for lineup in 0..validated.tiers.len() {
        cells.push(Cell::control(lineup));
        let mut give = |of: &str, (name, stage): &Item, value: &str| {
            let treatment =
                CellTreatment::Seats(facts.for_seats(of, Some(*stage), Some(name), value));
            cells.push(Cell { id: id(of, name, *stage), lineup, stage: *stage, treatment });
        };
        for &stage in &validated.stages {
            let here = |item: &&Item| item.1 == stage;
            items.iter().filter(here).for_each(|item| give(territory.token, item, "1"));
            let of = territory.city.unwrap_or_default();
            sites.iter().filter(here).for_each(|item| give(of, item, "true"));
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
        noted: None,
        holds: true,
        seats: false,
        order: None,
    })
}

/// Returns a table of agents with different goals, each style in an equal part of the seats.
fn mixed(validated: &ValidatedBalance, agents: &mut Vec<AgentSpec>) -> Result<Lineup, Error> {
    let styles = validated.facts.styles;
    if styles.len() < 2 {
        let message = "it has no agents that want different things, whose shares could move";
        return Err(Error::value("game", &validated.setup.game, message));
    }
    let first = agents.len();
    for style in styles {
        let mut spec: AgentSpec = style.parse()?;
        spec.supply_rules(validated.facts.rules.overrides());
        agents.push(spec);
    }
    let players = validated.facts.players;
    // Agents of one style sit next to each other, so that every rotation is another table.
    let seats = (0..players).map(|seat| first + seat * styles.len() / players).collect();
    Ok(Lineup { seats })
}

/// Returns cells in which the payment of each place is changed by steps, as far as the rules allow.
fn sweeps(
    validated: &ValidatedBalance,
    places: &[String],
    lineup: usize,
) -> Result<Vec<Cell>, Error> {
    let (facts, territory) = (&validated.facts, validated.facts.territory()?);
    let mut cells = Vec::new();
    for name in places {
        for &id in territory.pays {
            let sweep = facts.sweep(id);
            let Some(pays) = facts.number(id, Some(name)) else { continue };
            for step in PAY_STEPS.map(|n| n * territory.step) {
                let is_allowed = (sweep.least..=sweep.most).contains(&(pays + step));
                let setting = facts.rules.swept(sweep, Some(name), pays + step);
                let setting =
                    setting.filter(|setting| is_allowed && facts.allow(&validated.setup, setting));
                if let Some(setting) = setting {
                    let id = format!("{id}/{name}{step:+}");
                    cells.push(Cell {
                        id,
                        lineup,
                        stage: 1,
                        treatment: CellTreatment::All(vec![setting]),
                    });
                }
            }
        }
    }
    Ok(cells)
}
