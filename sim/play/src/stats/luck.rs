//! The luck of agents in a tournament, and their shares less luck.
//!
//! The dice luck of a seat beyond the exact odds has mean 0, for all agents and all earlier decisions
//! ([`agents::luck`]). So the mean luck of an agent's seats in a block is a control variate with a known mean, for the
//! mean share in that block. With the slope b of a regression the share less luck is `ȳ − b x̄`
//! ([`super::control_variate`]). The slope is estimated from the same blocks. Student's t with one degree of freedom
//! less, and the leverage term, allow for this; `sim/caesar/tests/it/luck.rs` measures the effect.
//!
//! The adjusted share is reported if it saves games: [`LEAST_EFFICIENCY`].

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::control_variate::{Adjusted, Known, Regression, efficiency_interval};
use super::interval::Interval;
use super::moments::Moments;
use super::stratified::Tables;
use crate::event::{Event, GameResult, Observer};

/// The relative efficiency below which a share less luck is not reported.
pub const LEAST_EFFICIENCY: f64 = 1.2;
/// The number of blocks below which the saving of a regression is too uncertain, and coverage would suffer.
pub const LEAST_BLOCKS: u64 = 100;

/// The mean of dice luck beyond the odds.
pub const MEAN: Known = Known { mean: 0.0, error: 0.0 };

/// A collector of luck over the games of a tournament.
#[derive(Clone, Debug)]
pub struct Luck {
    players: usize,
    games_per_block: u64,
    names: Vec<String>,
    agent_of: Vec<usize>,
    tables: Tables,
    /// The number of the table of the open block.
    table: u32,
    block: Vec<Sums>,
    games_in_block: u64,
    agents: Vec<Agent>,
}

/// The blocks of one agent.
#[derive(Clone, Debug, Default)]
struct Agent {
    tables: BTreeMap<u32, Regression>,
    share: Moments,
    luck: Moments,
}

/// Sums over the seats of one agent in one block.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    seats: u32,
    points: f64,
    luck: f64,
}

/// The luck of an agent, and its share less luck.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentLuck {
    /// The name of the agent.
    pub name: String,
    /// The number of blocks that it played.
    pub blocks: u64,
    /// Its mean luck, in points per game and seat.
    pub luck: f64,
    /// Half the width of the 95 % interval of the mean luck; `None` if luck does not vary.
    pub luck_half: Option<f64>,
    /// Points per game and seat.
    pub share: f64,
    /// The share less luck; `None` for too few blocks, or if luck does not vary.
    pub adjusted: Option<Adjusted>,
}

impl AgentLuck {
    /// Returns the share less luck if it saves enough games, with its interval within the range of shares.
    #[must_use]
    pub fn useful(&self) -> Option<Adjusted> {
        let worth_it = |adjusted: &Adjusted| adjusted.relative_efficiency >= LEAST_EFFICIENCY;
        let adjusted = self.adjusted.filter(worth_it)?;
        let Interval { low, high } = adjusted.interval;
        let interval = Interval { low: low.clamp(0.0, 1.0), high: high.clamp(0.0, 1.0) };
        Some(Adjusted { interval, ..adjusted })
    }

    /// Returns the relative efficiency of the share less luck, with a 95 % interval.
    #[must_use]
    pub fn efficiency(&self) -> Option<(f64, Interval)> {
        let adjusted = self.adjusted?;
        let interval = efficiency_interval(adjusted.r_squared, self.blocks);
        Some((adjusted.relative_efficiency, interval))
    }
}

impl Luck {
    /// Returns an empty collector for `lineup`, names by entrant, at tables of `players`.
    ///
    /// Entrants with equal names are one agent.
    #[must_use]
    pub fn new(lineup: &[String], players: usize, games_per_block: u64) -> Self {
        let mut names: Vec<String> = Vec::new();
        let mut agent_of = Vec::with_capacity(lineup.len());
        for name in lineup {
            let known = names.iter().position(|known| known == name);
            agent_of.push(known.unwrap_or(names.len()));
            if known.is_none() {
                names.push(name.clone());
            }
        }
        Self {
            players,
            games_per_block,
            agent_of,
            tables: Tables::default(),
            table: 0,
            block: vec![Sums::default(); names.len()],
            games_in_block: 0,
            agents: vec![Agent::default(); names.len()],
            names,
        }
    }

    fn add(&mut self, game: &GameResult) {
        let luck = game.luck.unwrap_or_default();
        if self.games_in_block == 0 {
            let seated = game.seating.iter().take(self.players);
            let agents = seated.map(|&entrant| self.agent_of[usize::from(entrant)]);
            self.table = self.tables.number(agents);
        }
        for (seat, luck) in luck.into_iter().enumerate().take(self.players) {
            let sums = &mut self.block[self.agent_of[usize::from(game.seating[seat])]];
            sums.seats += 1;
            sums.points += f64::from(game.points[seat]);
            sums.luck += f64::from(luck);
        }
        self.games_in_block += 1;
        if self.games_in_block == self.games_per_block {
            self.close_block();
        }
    }

    fn close_block(&mut self) {
        for (sums, agent) in self.block.iter_mut().zip(&mut self.agents) {
            let Sums { seats, points, luck } = std::mem::take(sums);
            if seats > 0 {
                let (share, luck) = (points / f64::from(seats), luck / f64::from(seats));
                agent.tables.entry(self.table).or_default().add(share, luck);
                agent.share.add(share);
                agent.luck.add(luck);
            }
        }
        self.games_in_block = 0;
    }

    /// Returns the luck of each agent, in the order of the line-up.
    #[must_use]
    pub fn lines(&self) -> Vec<AgentLuck> {
        self.names.iter().zip(&self.agents).map(|(name, agent)| agent.line(name)).collect()
    }
}

impl Agent {
    fn line(&self, name: &str) -> AgentLuck {
        let blocks = self.luck.n();
        let adjusted = Regression::pooled(self.tables.values(), MEAN);
        AgentLuck {
            name: name.to_owned(),
            blocks,
            luck: self.luck.mean(),
            // Luck has the same mean at all tables, so its blocks are one sample.
            luck_half: self.luck.half_width(),
            share: self.share.mean(),
            adjusted: adjusted.filter(|_| blocks >= LEAST_BLOCKS),
        }
    }
}

impl Observer for Luck {
    fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::GameOver(game) = event {
            self.add(game);
        }
        ControlFlow::Continue(())
    }
}
