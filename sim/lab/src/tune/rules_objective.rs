//! Games under tuned rules as an [`Objective`]: the loss of a block, and the values of its parts.

use std::marker::PhantomData;

use agents::{Agent, AgentSpec, Playable};
use engine::{MAX_PLAYERS, Player, Rules};

use super::objective::{Batch, Evaluation, Field, Objective};
use super::rule_set::RuleSet;
use super::space::Point;
use super::target::{GAMES, TURNS, Target};
use sim::error::Error;
use sim::event::GameResult;
use sim::game_loop::{Address, GameObserver};
use sim::play::Arena;

/// The table for games under tuned rules.
pub(super) struct RulesObjective<'a, G> {
    rule_set: &'a RuleSet,
    rules: Rules,
    players: usize,
    of: PhantomData<fn() -> G>,
}

impl<'a, G: Playable> RulesObjective<'a, G> {
    /// Creates the table, after a check that all agents can play and that the rules accept the limits of all ranges.
    ///
    /// # Errors
    /// If an agent cannot play, or rules are refused.
    pub(super) fn new(rule_set: &'a RuleSet, rules: Rules, players: usize) -> Result<Self, Error> {
        let table = Self { rule_set, rules, players, of: PhantomData };
        let space = &rule_set.space;
        let start = space.start();
        let (game, rules) = table.game(&start)?;
        for spec in [&rule_set.agent].into_iter().chain(&rule_set.held_out).chain(&rule_set.against)
        {
            spec.find_program()?;
            ready(spec, &rules).build(&game)?;
        }
        for (i, one) in space.dimensions().iter().enumerate() {
            let ends = match one.range.is_ordered() {
                true => vec![0.0, 1.0],
                false => one.range.levels(one.range.size().unwrap_or(1) as usize),
            };
            ends.iter()
                .try_for_each(|&place| table.game(&space.with(&start, i, place)).map(drop))?;
        }
        Ok(table)
    }

    /// Returns the game at a point, and its rules.
    fn game(&self, point: &Point) -> Result<(G, Rules), Error> {
        let mut rules = self.rules.clone();
        self.rule_set.settings(point).iter().try_for_each(|setting| rules.set(setting))?;
        Ok((G::configure(self.players, &rules)?, rules))
    }

    /// Returns the draws of each block of a stretch.
    fn draws(&self, batch: &Batch) -> Result<Vec<Vec<Vec<f64>>>, Error> {
        let (game, rules) = self.game(&batch.point)?;
        let RuleSet { agent, against, held_out, target, .. } = self.rule_set;
        let agent = match batch.field {
            Field::HeldOut(i) => &held_out[i],
            Field::Pool | Field::Start | Field::Member(_) | Field::Table(_) => agent,
        };
        let cycle = against.len().max(1) as u64;
        let mut all = vec![Vec::new(); (batch.blocks.end - batch.blocks.start) as usize];
        // Blocks with the same opponents share an arena.
        for first in 0..cycle {
            let other = |place: usize| match target.has_opponents() {
                true => &against[((first + place as u64 - 1) % cycle) as usize],
                false => agent,
            };
            let specs: Vec<AgentSpec> = (0..self.players)
                .map(|place| ready(if place == 0 { agent } else { other(place) }, &rules))
                .collect();
            let build = |place: usize| -> Box<dyn Agent<G>> {
                specs[place].build(&game).expect("it was built when the table was made")
            };
            let mut arena = Arena::new(&game, &build);
            for block in batch.blocks.clone().filter(|block| block % cycle == first) {
                let draws = &mut all[(block - batch.blocks.start) as usize];
                *draws = match target.has_opponents() {
                    true => self.turns(&mut arena, batch.seed, block)?,
                    false => self.games(&mut arena, batch.seed, block)?,
                };
            }
        }
        Ok(all)
    }

    /// Returns the draws of a block with one agent in all seats: games.
    fn games(
        &self,
        arena: &mut Arena<'_, G>,
        seed: u64,
        block: u64,
    ) -> Result<Vec<Vec<f64>>, Error> {
        let mut seating = [0; MAX_PLAYERS];
        (0..).zip(&mut seating).take(self.players).for_each(|(seat, place)| *place = seat);
        let draw = |game: u64| {
            let index = block * GAMES + game;
            let name = match &self.rule_set.target {
                Target::PickRate { name, .. } => Some(name.as_str()),
                _ => None,
            };
            let mut taken = ChangedRules { name, is_taken: false };
            let address = Address::of_game(seed, index);
            let result = arena.play_observed(address, seating, None, &mut taken)?;
            unbroken(&result, seed)?;
            let points = &result.points[..self.players];
            Ok(match self.rule_set.target {
                Target::Length(_) => vec![f64::from(result.plies)],
                Target::PickRate { .. } => vec![f64::from(u8::from(taken.is_taken))],
                Target::SeatFairness | Target::Share(_) => {
                    points.iter().copied().map(f64::from).collect()
                }
            })
        };
        (0..GAMES).map(draw).collect()
    }

    /// Returns the draws of a block with opponents: the agent's share on a seed, with every seat once.
    fn turns(
        &self,
        arena: &mut Arena<'_, G>,
        seed: u64,
        block: u64,
    ) -> Result<Vec<Vec<f64>>, Error> {
        let n = self.players;
        let draw = |draw: u64| {
            let address = block * TURNS + draw;
            let mut points = 0.0;
            for turn in 0..n {
                let mut seating = [0; MAX_PLAYERS];
                (0..n).for_each(|place| seating[(place + turn) % n] = place as u8);
                let index = address * n as u64 + turn as u64;
                let result = arena.play(Address::of_block(seed, address, index), seating, None)?;
                unbroken(&result, seed)?;
                points += f64::from(result.points[turn]);
            }
            Ok(vec![points / n as f64])
        };
        (0..TURNS).map(draw).collect()
    }
}

/// Returns an agent that is given the rules.
fn ready(spec: &AgentSpec, rules: &Rules) -> AgentSpec {
    let mut spec = spec.clone();
    spec.supply_rules(rules.overrides());
    spec
}

/// Refuses a forfeited game: it gives no information about the rules.
fn unbroken(result: &GameResult, seed: u64) -> Result<(), Error> {
    let Some(forfeit) = &result.forfeit else { return Ok(()) };
    Err(Error::Usage(format!(
        "an agent broke off game {} of seed {seed}: {}; such games do not measure rules: name another agent",
        result.index + 1,
        forfeit.reason
    )))
}

/// An observer of whether a thing is taken, if one is named.
struct ChangedRules<'a> {
    name: Option<&'a str>,
    is_taken: bool,
}

impl<G: Playable> GameObserver<G> for ChangedRules<'_> {
    fn chosen(&mut self, game: &G, state: &G::State, player: Player, action: G::Action, _: u32) {
        let Some(name) = self.name.filter(|_| !self.is_taken) else { return };
        let mut deeds = Vec::new();
        game.uptake(state, player, action, &mut deeds);
        self.is_taken = deeds.iter().any(|deed| deed.name == name);
    }
}

impl<G: Playable> Objective for RulesObjective<'_, G> {
    fn play(&self, batch: &Batch) -> Result<Evaluation, Error> {
        let target = &self.rule_set.target;
        let draws = self.draws(batch)?;
        let mean = |draws: &Vec<Vec<f64>>| {
            let of_part = |part: usize| draws.iter().map(|draw| draw[part]).sum::<f64>();
            (0..draws[0].len()).map(|part| of_part(part) / draws.len() as f64).collect()
        };
        Ok(Evaluation {
            values: draws.iter().map(|draws| -target.loss_of(draws, self.players)).collect(),
            parts: draws.iter().map(mean).collect(),
        })
    }

    fn games_per_block(&self) -> u64 {
        self.rule_set.target.games_per_block(self.players)
    }
}
