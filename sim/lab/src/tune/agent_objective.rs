//! The table of a real game as an [`Objective`]: the candidate in every seat once, opponents of the pool in all
//! others.
//!
//! Block b seats opponents b, b + 1, … of the pool, cyclically. Over as many blocks as there are opponents each is met
//! equally often. With one opponent this is the table of a comparison. A pool with a population draws its opponents
//! by weight instead. In the same block all candidates meet the same opponents and the same chance.

use std::collections::BTreeMap;

use agents::{Agent, AgentSpec, Playable};
use engine::{MAX_PLAYERS, Rules};

use super::entrants::Entrants;
use super::objective::{Batch, Evaluation, Field, Objective};
use super::rules_objective::RulesObjective;
use super::space::Point;
use super::subject::Subject;
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;
use sim::game_loop::Address;
use sim::play::Arena;

/// Builds the game of `setup` and opens its table for `subject`.
///
/// # Errors
/// If the game or an agent cannot be built.
pub fn open_table<'a>(
    setup: &Setup,
    subject: &'a Subject,
) -> Result<Box<dyn Objective + 'a>, Error> {
    struct Open<'a>(&'a Subject);
    impl<'a> WithGame for Open<'a> {
        type Output = Result<Box<dyn Objective + 'a>, Error>;
        fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
            match self.0 {
                Subject::Agent(entrants) => {
                    let table = AgentObjective { game, overrides: rules.overrides(), entrants };
                    table.check()?;
                    Ok(Box::new(table))
                }
                Subject::Rules(rule_set) => Ok(Box::new(RulesObjective::<G>::new(
                    rule_set,
                    rules.clone(),
                    game.n_players(),
                )?)),
            }
        }
    }
    with_game(setup, Open(subject))?
}

struct AgentObjective<'a, G> {
    game: G,
    overrides: serde_json::Value,
    entrants: &'a Entrants,
}

impl<G: Playable> AgentObjective<'_, G> {
    /// Refuses agents that cannot be built, and range limits that the agent refuses.
    fn check(&self) -> Result<(), Error> {
        let Entrants { against, held_out, space, .. } = self.entrants;
        for spec in against.iter().chain(held_out) {
            spec.find_program()?;
            spec.build(&self.game)?;
        }
        let start = space.start();
        self.built(&start)?;
        for (i, one) in space.dimensions().iter().enumerate() {
            let ends = match one.range.is_ordered() {
                true => vec![0.0, 1.0],
                false => one.range.levels(one.range.size().unwrap_or(1) as usize),
            };
            for place in ends {
                self.built(&space.with(&start, i, place))?;
            }
        }
        Ok(())
    }

    fn built(&self, point: &Point) -> Result<(), Error> {
        let mut spec = self.entrants.agent(point)?;
        spec.supply_rules(self.overrides.clone());
        spec.find_program()?;
        spec.build(&self.game)?;
        Ok(())
    }

    /// Returns the value of a block for the agent in place 0 of `specs`.
    fn block(
        &self,
        arena: &mut Arena<'_, G>,
        batch: &Batch,
        block: u64,
        specs: &[AgentSpec],
    ) -> Result<f64, Error> {
        let players = self.game.n_players();
        let mut points = 0.0;
        for turn in 0..players {
            let mut seating = [0; MAX_PLAYERS];
            for place in 0..players {
                seating[(place + turn) % players] = place as u8;
            }
            let index = block * players as u64 + turn as u64;
            let game = arena.play(Address::of_block(batch.seed, block, index), seating, None)?;
            if let Some(forfeit) = &game.forfeit {
                let entrant = usize::from(game.seating[forfeit.player]);
                // A candidate's forfeit is its own loss; an opponent that forfeits makes the block useless.
                if entrant > 0 && batch.field != Field::Start {
                    return Err(Error::Usage(format!(
                        "the opponent \"{}\" broke off game {} of seed {}: {}; nothing is learnt against it: name \
                         another",
                        specs[entrant],
                        index + 1,
                        batch.seed,
                        forfeit.reason
                    )));
                }
                if self.entrants.stop_at_fault {
                    return Err(Error::Failed(format!(
                        "ended at the first forfeit (game {} of seed {}, seat {}: {}: {}); what was played before is \
                         kept where a directory is written",
                        index + 1,
                        batch.seed,
                        forfeit.player + 1,
                        specs[entrant],
                        forfeit.reason
                    )));
                }
            }
            points += f64::from(game.points[turn]);
        }
        let n = players as f64;
        Ok(points / n - 1.0 / n)
    }
}

impl<G: Playable> Objective for AgentObjective<'_, G> {
    fn play(&self, batch: &Batch) -> Result<Evaluation, Error> {
        let players = self.game.n_players();
        let candidate = self.entrants.agent(&batch.point)?;
        let mut tables: BTreeMap<Vec<usize>, Vec<u64>> = BTreeMap::new();
        for block in batch.blocks.clone() {
            let others = match batch.field {
                Field::Pool => self.entrants.of_pool(players - 1, batch.seed, block),
                Field::HeldOut(_) | Field::Start | Field::Member(_) | Field::Table(_) => Vec::new(),
            };
            tables.entry(others).or_default().push(block);
        }
        let mut values = vec![0.0; (batch.blocks.end - batch.blocks.start) as usize];
        // Blocks with the same opponents share an arena.
        for (others, blocks) in tables {
            let mut specs = vec![candidate.clone()];
            specs.extend(self.entrants.table(batch.field, &others, players - 1)?);
            specs.iter_mut().for_each(|spec| spec.supply_rules(self.overrides.clone()));
            for spec in &specs {
                spec.build(&self.game)?;
            }
            let build = |entrant: usize| -> Box<dyn Agent<G>> {
                specs[entrant].build(&self.game).expect("it was built a moment ago")
            };
            let mut arena = Arena::new(&self.game, &build);
            for block in blocks {
                let value = self.block(&mut arena, batch, block, &specs)?;
                values[(block - batch.blocks.start) as usize] = value;
            }
        }
        Ok(values.into())
    }

    fn games_per_block(&self) -> u64 {
        self.game.n_players() as u64
    }
}
