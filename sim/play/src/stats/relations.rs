//! Comparisons between the agents of a pool, from running counts.
//!
//! Memory grows only with the number of distinct outcomes, not with the number of games (see [`super::outcomes`]). A
//! pool may be larger than the table: each game seats `players` of the entrants, and a block is an observation only of
//! the entrants that played in it. Entrants with equal names are one agent.

use std::ops::ControlFlow;

use super::alpha_rank::{self, MOST_AGENTS, Profiles, Sweep};
use super::bootstrap::Bootstrap;
use super::copies::Copies;
use super::cross_table::{CrossTable, Pair};
use super::elo::{self, EloDifference};
use super::intransitivity::{self, Cycle, Intransitivity};
use super::outcomes::{Outcome, Outcomes, PairGroups};
use super::plackett_luce::Ratings;
use super::soft_condorcet::SoftCondorcet;
use super::stratified::Tables;
use super::weng_lin::{Belief, WengLin};
use crate::event::{Event, GameResult, Observer};
use ::stats::nash::NashAverage;

/// A collector of the relations between the agents of a tournament.
#[derive(Clone, Debug)]
pub struct Relations {
    specs: Vec<String>,
    agent_of: Vec<usize>,
    players: usize,
    games_per_block: u64,
    outcomes: Outcomes,
    table: CrossTable,
    ladder: WengLin,
    profiles: Option<Profiles>,
    games: Vec<u64>,
    block: Option<u64>,
    games_in_block: u64,
    blocks: u64,
    /// The tables, by the agents that sit together.
    tables: Tables,
    /// The detector of blocks that are copies of each other.
    copies: Copies,
    /// The detector of blocks whose finishing orders all agree.
    agreement: Copies,
}

/// A comparison of the agents of a pool.
#[derive(Clone, Debug)]
pub struct Report {
    /// The names of the agents: labels, or canonical specs.
    pub specs: Vec<String>,
    /// The number of seats that each agent held, over all games.
    pub games: Vec<u64>,
    /// The number of games of the pool.
    pub n_games: u64,
    /// The number of closed blocks.
    pub blocks: u64,
    /// The number of groups of blocks in the bootstrap.
    pub groups: usize,
    /// Agents, the highest rating first.
    pub order: Vec<usize>,
    /// Ratings from finishing orders.
    pub ratings: Ratings,
    /// Ratings that contradict as few meetings as possible, if chains of meetings join all agents.
    pub soft_condorcet: Option<SoftCondorcet>,
    /// The difference in Elo, for two agents in two-player games.
    pub elo: Option<EloDifference>,
    /// The strength of each agent on the live ladder.
    pub ladder: Vec<Belief>,
    /// Pairs that met.
    pub pairs: Vec<Pair>,
    /// True if all blocks have one finishing order. Then resamples have no spread, and nothing from resamples has an
    /// interval.
    pub is_unanimous: bool,
    /// Agents all of whose blocks are copies, so that resamples of them carry no information.
    pub copied: Vec<usize>,
    /// The part of the results that no rating explains, if there are enough pairs.
    pub intransitivity: Option<Intransitivity>,
    /// Cycles of three, the most certain first; none with a pair whose blocks are copies.
    pub cycles: Vec<Cycle>,
    /// Nash averages, for at most [`MOST_AGENTS`] agents that all met.
    pub nash: Option<NashAverage>,
    /// Masses of α-rank on shares head to head, under the same condition.
    pub alpha_rank: Option<Sweep>,
    /// Masses of α-rank on points at the table, if every mixture of at most [`MOST_AGENTS`] agents was played.
    pub alpha_rank_profiles: Option<Sweep>,
}

impl Relations {
    /// Returns the relations of the entrants with the names `pool` before the first game; `players` of them sit in a
    /// game.
    #[must_use]
    pub fn new(pool: &[String], players: usize, games_per_block: u64) -> Self {
        let mut specs: Vec<String> = Vec::new();
        let mut agent_of = Vec::with_capacity(pool.len());
        for spec in pool {
            let known = specs.iter().position(|known| known == spec);
            agent_of.push(known.unwrap_or_else(|| {
                specs.push(spec.clone());
                specs.len() - 1
            }));
        }
        let n = specs.len();
        Self {
            specs,
            agent_of,
            players,
            games_per_block,
            outcomes: Outcomes::default(),
            table: CrossTable::new(n),
            ladder: WengLin::new(n),
            profiles: Profiles::new(n, players),
            games: vec![0; n],
            block: None,
            games_in_block: 0,
            blocks: 0,
            tables: Tables::default(),
            copies: Copies::default(),
            agreement: Copies::default(),
        }
    }

    /// Adds a finished game; games of a block must be adjacent.
    pub fn add(&mut self, game: &GameResult) {
        if self.block != Some(game.block) {
            self.close_block();
            self.block = Some(game.block);
        }
        let seats = game.seating.iter().take(self.players);
        let entrants: Vec<usize> =
            seats.map(|&entrant| self.agent_of[usize::from(entrant)]).collect();
        let outcome = Outcome::new(&entrants, &game.ranks(self.players)[..self.players]);
        self.outcomes.add(game.block, outcome);
        if self.games_in_block == 0 {
            let seated = self.tables.number(entrants.iter().copied());
            self.copies.open_block(seated, entrants.iter().copied());
            self.agreement.open_block(seated, entrants.iter().copied());
        }
        self.copies.add(game);
        self.agreement.add_outcome(&outcome);
        self.table.add(&outcome);
        self.ladder.add(&outcome);
        if let Some(profiles) = &mut self.profiles {
            profiles.add(&entrants, &game.points[..self.players]);
        }
        entrants.iter().for_each(|&entrant| self.games[entrant] += 1);
        self.games_in_block += 1;
        if self.games_in_block == self.games_per_block {
            self.close_block();
        }
    }

    fn close_block(&mut self) {
        if self.games_in_block > 0 {
            self.table.close_block();
            self.copies.close_block();
            self.agreement.close_block();
            self.blocks += 1;
            self.games_in_block = 0;
        }
    }

    /// Returns the number of entries kept, which measures the memory used.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.outcomes.entries()
    }

    /// Returns the names of the agents: labels, or canonical specs.
    #[must_use]
    pub fn specs(&self) -> &[String] {
        &self.specs
    }

    /// Returns the pairs that met in closed blocks.
    ///
    /// Pairs whose blocks are copies have no p-value and do not count in the adjustment.
    #[must_use]
    pub fn pairs(&self) -> Vec<Pair> {
        self.table.pairs(|a, b| self.copies.is_pair(a, b))
    }

    /// Returns the comparison of the agents, from closed blocks; ratings also use the games of an open block.
    #[must_use]
    pub fn report(&self, plan: Bootstrap) -> Report {
        let n = self.specs.len();
        let is_unanimous = self.agreement.is_unanimous();
        // Resamples of equal blocks are all equal, and carry no information on other blocks.
        let plan = if is_unanimous { Bootstrap { resamples: 0, ..plan } } else { plan };
        let mut ratings = Ratings::new(&self.outcomes, n, plan);
        let groups = PairGroups::new(&self.outcomes, n);
        let mut order: Vec<usize> = (0..n).collect();
        // Ratings that differ by rounding are equal, and keep the order of the line-up.
        let rounded = |agent: usize| (ratings.agents[agent].elo * 1e6).round();
        order.sort_by(|&a, &b| rounded(b).total_cmp(&rounded(a)));
        let is_small = (2..=MOST_AGENTS).contains(&n);
        let mut nash = if is_small { NashAverage::new(&groups, plan) } else { None };
        let mut soft_condorcet = SoftCondorcet::new(&groups, plan);
        let copied: Vec<usize> = (0..n).filter(|&agent| self.copies.is_all_of(agent)).collect();
        for &agent in &copied {
            let estimate = &mut ratings.agents[agent];
            (estimate.interval, estimate.together) = (None, None);
            nash.iter_mut().for_each(|nash| nash.ranges[agent] = None);
            soft_condorcet.iter_mut().for_each(|soft| soft.agents[agent].interval = None);
        }
        let totals = groups.all();
        let row = |a: usize| (0..n).map(|b| totals.share(a, b)).collect();
        let shares: Vec<Vec<f64>> = (0..n).map(row).collect();
        let sweep = |_: &NashAverage| {
            alpha_rank::ALPHAS.map(|alpha| (alpha, alpha_rank::pairwise(&shares, alpha))).to_vec()
        };
        let is_duel = n == 2 && self.players == 2;
        Report {
            specs: self.specs.clone(),
            games: self.games.clone(),
            n_games: self.outcomes.games(),
            blocks: self.blocks,
            groups: self.outcomes.groups(),
            order,
            ratings,
            soft_condorcet,
            copied,
            elo: is_duel.then(|| elo::difference(self.table.shares(0, 1).all())),
            ladder: (0..n).map(|i| self.ladder.belief(i)).collect(),
            pairs: self.pairs(),
            is_unanimous,
            intransitivity: Intransitivity::new(&groups, plan),
            cycles: intransitivity::cycles(&self.table, n, |a, b| self.copies.is_pair(a, b)),
            alpha_rank: nash.as_ref().map(sweep),
            nash,
            alpha_rank_profiles: self.profiles.as_ref().filter(|_| n > 1).and_then(Profiles::sweep),
        }
    }
}

impl Observer for Relations {
    fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Started { .. } => {}
            Event::GameOver(game) => self.add(game),
            Event::Finished => self.close_block(),
        }
        ControlFlow::Continue(())
    }
}
