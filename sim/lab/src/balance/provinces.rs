//! What places that players hold are worth.
//!
//! For each place and stage, of the strongest tier, in points of share per game: one **token** of influence, and a
//! **city**, given to each seat in turn. **Score per price**: what the token adds to its owner's score, for each unit of
//! money that one is bought for. From the untreated games: **contest**, how many players have a token there and at most
//! one less than the first, at the ends of stages, and **swing**, how often another seat leads at the end than when the
//! last stage began, times what the first is paid. From the same games also what the start deal decides ([`super::deal`]).
//!
//! The screen holds the false discoveries among the tokens of all places and stages at one in ten (Benjamini and
//! Hochberg). The first of what it finds are given once more, on seeds that had no part in choosing them, and are called
//! by Holm's p-values.
//!
//! With sweeps: what the place pays, changed by a step in either direction, in games of agents that want different things: whose share moves, and
//! how many tokens lie there at the end.

use agents::AgentSpec;
use engine::hash_of;

use super::cards::{FALSE_DISCOVERIES, Item, MOST_CONFIRMED};
use super::cell::{Cell, Dose, Experiment, Lane};
use super::deal::{self, Dealt};
use super::effect_accumulator::EffectAccumulator;
use super::estimate::Estimate;
use super::request::ValidatedBalance;
use sim::error::Error;
use sim::stats::Convergence;
use sim::stats::multiple::{benjamini_hochberg, holm};
use sim::stats::tiers::MARGIN;

/// By how many steps what a place pays is changed.
const PAY_STEPS: [i64; 2] = [-1, 1];

/// A study of places.
#[derive(Clone, Debug)]
pub struct Provinces {
    /// What was asked.
    pub asked: ValidatedBalance,
    /// What is played of it.
    pub experiment: Experiment,
    /// The places.
    pub places: Vec<String>,
    /// Places and stages, in order.
    pub items: Vec<Item>,
}

/// What is known of a place at a stage.
#[derive(Clone, Debug)]
pub struct ProvinceEffect {
    /// The place.
    pub name: String,
    /// The stage.
    pub stage: u8,
    /// Worth of a token, in share.
    pub token: Estimate,
    /// Its p-value among all lines: Benjamini's and Hochberg's in the screen, Holm's in a confirmation; no
    /// number where all blocks are copies of one.
    pub adjusted_p: f64,
    /// Worth of a city, in share, where one can be built.
    pub city: Option<Estimate>,
    /// What a token adds to its owner's score, by what one costs.
    pub score_per_price: Option<Estimate>,
    /// Whether the worth of a token is the same for the weakest tier.
    pub convergence: Option<Convergence>,
}

impl ProvinceEffect {
    /// Returns true where the worth of a token is decided at this level.
    #[must_use]
    pub fn is_decided(&self, level: f64) -> bool {
        self.adjusted_p < level
    }

    /// Leaves the means alone: one game again and again says nothing of others.
    fn untest(&mut self) {
        self.token = self.token.untested();
        self.city = self.city.map(Estimate::untested);
        self.score_per_price = self.score_per_price.map(Estimate::untested);
        (self.adjusted_p, self.convergence) = (f64::NAN, None);
    }
}

/// What happens in a place in games in which nothing is done, by the mean of a block.
#[derive(Clone, Debug, Default)]
pub struct PlaceCourse {
    /// Players who have a token there and at most one less than the first, at the ends of stages.
    pub contest: Option<Estimate>,
    /// How often another seat leads at the end than when the last stage began, times what the first is paid.
    pub swing: Option<Estimate>,
    /// Tokens of all players when the game is over.
    pub tokens: Option<Estimate>,
    /// Fights there in a game; nothing where the game does not tell them.
    pub fights: Option<Estimate>,
}

/// What changed when a place paid more or less.
#[derive(Clone, Debug)]
pub struct Swept {
    /// The place.
    pub name: String,
    /// The sweep, by its id.
    pub sweep: &'static str,
    /// By how much.
    pub step: i64,
    /// Each style, and what its share gained.
    pub gains: Vec<(String, Estimate)>,
    /// Tokens there at the end, less those under the unchanged rules.
    pub tokens: Option<Estimate>,
}

fn id(of: &str, name: &str, stage: u8) -> String {
    format!("{of}/{name}/s{stage}")
}

impl Provinces {
    /// The study that is asked for.
    ///
    /// # Errors
    /// If the game has no places that are held, or there is no such place or stage.
    pub fn new(asked: ValidatedBalance) -> Result<Self, Error> {
        let facts = &asked.facts;
        let territory = facts.territory()?;
        let places = asked.names(facts.names(territory.token))?;
        let seat = engine::Player::all(facts.players).next();
        let can_get = |of: &str, name: &str, stage: u8, amount: &str| {
            let key = facts.treatment(of).key_for(Some(stage), seat, Some(name));
            facts.allow(&asked.setup, &format!("{key}={amount}"))
        };
        let pairs = |is_one: &dyn Fn(&str, u8) -> bool| -> Vec<Item> {
            let here = |stage: u8| places.iter().filter(move |name| is_one(name, stage));
            let each = |&stage: &u8| here(stage).map(move |name| (name.clone(), stage));
            asked.stages.iter().flat_map(each).collect()
        };
        let sites = territory.city.map_or_else(Vec::new, |city| {
            let has_city = |name: &str, _| can_get(city, name, 1, "true");
            pairs(&has_city)
        });
        // Some places can be held from a later stage on only.
        let items = pairs(&|name, stage| can_get(territory.token, name, stage, "1"));
        let mut experiment = base(&asked, &items, &sites, asked.seed)?;
        if asked.request.sweep {
            let lane = experiment.lanes.len();
            let mixed = mixed(&asked, &mut experiment.agents)?;
            experiment.lanes.push(mixed);
            experiment.cells.push(Cell::control(lane));
            experiment.cells.extend(sweeps(&asked, &places, lane)?);
        }
        experiment.check()?;
        Ok(Self { asked, experiment, places, items })
    }

    /// The tier of which is spoken: the strongest.
    #[must_use]
    pub fn headline(&self) -> usize {
        self.asked.tiers.len() - 1
    }

    /// What is known of each place and stage.
    #[must_use]
    pub fn lines(&self, effects: &EffectAccumulator) -> Vec<ProvinceEffect> {
        let mut items = self.items.clone();
        // By place, and then by stage.
        items.sort_by_key(|(name, stage)| (self.places.iter().position(|p| p == name), *stage));
        self.told(&self.experiment, effects, &items, benjamini_hochberg)
    }

    /// What is known of those that were given once more.
    #[must_use]
    pub fn confirmed(
        &self,
        experiment: &Experiment,
        effects: &EffectAccumulator,
        screen: &EffectAccumulator,
    ) -> Vec<ProvinceEffect> {
        self.told(experiment, effects, &self.chosen(screen), holm)
    }

    /// What the screen puts first, of what it finds.
    #[must_use]
    pub fn chosen(&self, screen: &EffectAccumulator) -> Vec<Item> {
        let mut lines = self.lines(screen);
        lines.retain(|line| line.is_decided(FALSE_DISCOVERIES));
        let p = |line: &ProvinceEffect| line.token.p.unwrap_or(1.0);
        // A sort that keeps the order of equals: results do not depend on it elsewhere.
        lines.sort_by(|a, b| p(a).total_cmp(&p(b)));
        lines.truncate(MOST_CONFIRMED);
        lines.into_iter().map(|line| (line.name, line.stage)).collect()
    }

    /// The experiment that gives the tokens that the screen puts first once more, on fresh seeds; nothing if it finds
    /// none.
    ///
    /// # Errors
    /// If a game cannot be built.
    pub fn confirmation(&self, screen: &EffectAccumulator) -> Result<Option<Experiment>, Error> {
        let items = self.chosen(screen);
        if items.is_empty() {
            return Ok(None);
        }
        let seed = hash_of(&("confirmation", self.asked.seed));
        let experiment = base(&self.asked, &items, &[], seed)?;
        experiment.check()?;
        Ok(Some(experiment))
    }

    fn told(
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
        let facts = &self.asked.facts;
        let territory = facts.territory?;
        let lane = self.headline();
        let values = |lane: usize, of: &str| {
            let place = experiment.place(lane, &id(of, name, stage))?;
            Some(effects.values(place))
        };
        let token = values(lane, territory.token)?;
        let price = territory.price.and_then(|price| facts.number(price, None));
        let price = price.filter(|&price| price > 0);
        let score_per_price = price.and_then(|price| {
            let each: Vec<f64> = token.score.iter().map(|score| score / price as f64).collect();
            Estimate::of_numbers(&each)
        });
        let weaker = if lane > 0 { values(0, territory.token) } else { None };
        let convergence = weaker.and_then(|weaker| {
            let pairs = token.share.iter().zip(&weaker.share);
            let difference: Vec<f64> = pairs.map(|(a, b)| a - b).collect();
            Some(Convergence::of(Estimate::of_difference(&difference)?.interval?, MARGIN))
        });
        let city = territory.city.and_then(|city| values(lane, city));
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

    /// What happens in a place in games in which nothing is done.
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

    /// What a token more at the start is worth, place by place.
    #[must_use]
    pub fn deal(&self, effects: &EffectAccumulator) -> Vec<Dealt> {
        let control = self.experiment.control_of(self.headline());
        let mut told = deal::worth(effects.starts(control), self.experiment.seed);
        told.retain(|dealt| self.places.contains(&dealt.name));
        if effects.are_copies() {
            told.iter_mut().for_each(|dealt| dealt.worth = dealt.worth.untested());
        }
        told
    }

    /// What a place pays to the first, the second and so on.
    #[must_use]
    pub fn pays(&self, name: &str) -> Vec<i64> {
        let facts = &self.asked.facts;
        let pays = facts.territory.map_or(&[][..], |territory| territory.pays);
        pays.iter().filter_map(|sweep| facts.number(sweep, Some(name))).collect()
    }

    /// What changed when places paid more or less.
    #[must_use]
    pub fn swept(&self, effects: &EffectAccumulator) -> Vec<Swept> {
        let Some(territory) = self.asked.facts.territory else { return Vec::new() };
        let lane = self.asked.tiers.len();
        let mut all = Vec::new();
        for name in &self.places {
            for &sweep in territory.pays {
                for step in PAY_STEPS.map(|n| n * territory.step) {
                    let id = format!("{sweep}/{name}{step:+}");
                    let Some(place) = self.experiment.place(lane, &id) else { continue };
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
        let control = self.experiment.control_of(self.experiment.cells[place].lane);
        let tokens = effects.held(place).get(name).zip(effects.held(control).get(name));
        let tokens = tokens.and_then(|(own, control)| {
            let pairs = own.tokens.iter().zip(&control.tokens);
            Estimate::of_numbers(&pairs.map(|(a, b)| a - b).collect::<Vec<_>>())
        });
        let name = name.clone();
        Swept { name, sweep, step, gains: gains.filter_map(gain).collect(), tokens }
    }
}

/// Controls, the tokens of `items` and the cities of `sites`.
fn base(
    asked: &ValidatedBalance,
    items: &[Item],
    sites: &[Item],
    seed: u64,
) -> Result<Experiment, Error> {
    let (facts, territory) = (&asked.facts, asked.facts.territory()?);
    let mut cells = Vec::new();
    for lane in 0..asked.tiers.len() {
        cells.push(Cell::control(lane));
        let mut give = |of: &str, (name, stage): &Item, value: &str| {
            let dose = Dose::Seats(facts.for_seats(of, Some(*stage), Some(name), value));
            cells.push(Cell { id: id(of, name, *stage), lane, stage: *stage, dose });
        };
        for &stage in &asked.stages {
            let here = |item: &&Item| item.1 == stage;
            items.iter().filter(here).for_each(|item| give(territory.token, item, "1"));
            let of = territory.city.unwrap_or_default();
            sites.iter().filter(here).for_each(|item| give(of, item, "true"));
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
        noted: None,
        holds: true,
        seats: false,
        order: None,
    })
}

/// A table of agents that want different things, half of the seats each.
fn mixed(asked: &ValidatedBalance, agents: &mut Vec<AgentSpec>) -> Result<Lane, Error> {
    let styles = asked.facts.styles;
    if styles.len() < 2 {
        let message = "it has no agents that want different things, whose shares could move";
        return Err(Error::value("game", &asked.setup.game, message));
    }
    let first = agents.len();
    for style in styles {
        let mut spec: AgentSpec = style.parse()?;
        spec.supply_rules(asked.facts.rules.overrides());
        agents.push(spec);
    }
    let players = asked.facts.players;
    // Neighbours of one style: so every rotation is another table.
    let seats = (0..players).map(|seat| first + seat * styles.len() / players).collect();
    Ok(Lane { seats })
}

/// Cells with what each place pays changed by steps, as far as the rules allow.
fn sweeps(asked: &ValidatedBalance, places: &[String], lane: usize) -> Result<Vec<Cell>, Error> {
    let (facts, territory) = (&asked.facts, asked.facts.territory()?);
    let mut cells = Vec::new();
    for name in places {
        for &id in territory.pays {
            let sweep = facts.sweep(id);
            let Some(pays) = facts.number(id, Some(name)) else { continue };
            for step in PAY_STEPS.map(|n| n * territory.step) {
                let is_allowed = (sweep.least..=sweep.most).contains(&(pays + step));
                let setting = facts.rules.swept(sweep, Some(name), pays + step);
                let setting =
                    setting.filter(|setting| is_allowed && facts.allow(&asked.setup, setting));
                if let Some(setting) = setting {
                    let id = format!("{id}/{name}{step:+}");
                    cells.push(Cell { id, lane, stage: 1, dose: Dose::All(vec![setting]) });
                }
            }
        }
    }
    Ok(cells)
}
