//! What compares the agents of a pool with each other, from running counts: memory does not grow with the number of
//! games, only with distinct outcomes (see [`super::outcomes`]).
//!
//! A pool may be larger than the table: each game seats `players` of the entrants, and a block is an observation only
//! of those who played in it. Entrants with the same name are one agent.

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

/// Listens to a tournament and knows how its agents stand to each other at any time.
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
    /// Who sits together.
    tables: Tables,
    /// Whether blocks are copies of each other.
    copies: Copies,
    /// Whether all finishing orders of blocks agree.
    agreement: Copies,
}

/// How the agents of a pool stand to each other.
#[derive(Clone, Debug)]
pub struct Report {
    /// The names of the agents: labels, or canonical specs.
    pub specs: Vec<String>,
    /// Seats that each agent held, all games together.
    pub games: Vec<u64>,
    /// Games of the pool.
    pub n_games: u64,
    /// Closed blocks.
    pub blocks: u64,
    /// Groups of blocks that were drawn from.
    pub groups: usize,
    /// Agents, the highest rating first.
    pub order: Vec<usize>,
    /// Ratings from finishing orders.
    pub ratings: Ratings,
    /// Ratings that contradict as few meetings as possible, if everybody met everybody by chains.
    pub soft_condorcet: Option<SoftCondorcet>,
    /// For two agents in games of two: their difference in Elo.
    pub elo: Option<EloDifference>,
    /// What the live ladder believes of each agent.
    pub ladder: Vec<Belief>,
    /// Pairs that met.
    pub pairs: Vec<Pair>,
    /// Whether all blocks agree on who finishes where, so that resamples of them have no spread and nothing that is drawn
    /// from resamples has an interval.
    pub is_unanimous: bool,
    /// Agents all of whose blocks are copies of others, so that resamples of them say nothing.
    pub copied: Vec<usize>,
    /// What no rating explains, if there are enough pairs to tell.
    pub intransitivity: Option<Intransitivity>,
    /// Cycles of three, the most certain first; none with a pair whose blocks are copies.
    pub cycles: Vec<Cycle>,
    /// Nash averages, for at most [`MOST_AGENTS`] agents who all met.
    pub nash: Option<NashAverage>,
    /// Masses of α-rank on shares head to head, likewise.
    pub alpha_rank: Option<Sweep>,
    /// Masses of α-rank on points at the table, if every mixture of at most [`MOST_AGENTS`] agents was played.
    pub alpha_rank_profiles: Option<Sweep>,
}

impl Relations {
    /// Relations of the entrants with the names `pool`, of whom `players` sit in a game, before the first.
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

    /// Takes note of a finished game; games of a block follow each other.
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

    /// Number of entries kept, the measure of the memory used.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.outcomes.entries()
    }

    /// The names of the agents: labels, or canonical specs.
    #[must_use]
    pub fn specs(&self) -> &[String] {
        &self.specs
    }

    /// Pairs that met, from the blocks that are closed; those whose blocks are copies have no p-value and count for none.
    #[must_use]
    pub fn pairs(&self) -> Vec<Pair> {
        self.table.pairs(|a, b| self.copies.is_pair(a, b))
    }

    /// How the agents stand, from the blocks that are closed and, in ratings, the games of an open one.
    #[must_use]
    pub fn report(&self, plan: Bootstrap) -> Report {
        let n = self.specs.len();
        let is_unanimous = self.agreement.is_unanimous();
        // Resamples of blocks that all agree are all the same, and say nothing of other blocks.
        let plan = if is_unanimous { Bootstrap { resamples: 0, ..plan } } else { plan };
        let mut ratings = Ratings::new(&self.outcomes, n, plan);
        let groups = PairGroups::new(&self.outcomes, n);
        let mut order: Vec<usize> = (0..n).collect();
        // Ratings that differ by rounding are equal, and stand in the order of the line-up.
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
