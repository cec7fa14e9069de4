//! Experiments as lists of cells.

use std::collections::BTreeMap;

use agents::side_by_side::side_by_side;
use agents::{AgentSpec, Playable};
use engine::{MAX_PLAYERS, Rules};

use super::order::Order;
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;

/// What is played: every cell on every seed.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Game, table and the rules that all cells share.
    pub setup: Setup,
    /// Number of players.
    pub players: usize,
    /// The agents that lanes name by their places.
    pub agents: Vec<AgentSpec>,
    /// Who sits at the tables.
    pub lanes: Vec<Lane>,
    /// The cells; of each lane its control first.
    pub cells: Vec<Cell>,
    /// The seed: block b of every cell meets the chance of (seed, b).
    pub seed: u64,
    /// Number of blocks.
    pub blocks: u64,
    /// The ban whose deeds are noted where nobody in particular is treated.
    pub noted: Option<&'static str>,
    /// Whether it is noted there what is held in the places at the ends of stages.
    pub holds: bool,
    /// Whether the shares of seats and places are heard.
    pub seats: bool,
    /// The turn orders that are forced, if there are any.
    pub order: Option<Order>,
}

/// Who sits at the tables of some cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// The agent of each seat in the first game of a block; in game r everybody sits r seats further on.
    pub seats: Vec<usize>,
}

impl Lane {
    /// One agent in all seats.
    #[must_use]
    pub fn of_one(agent: usize, players: usize) -> Self {
        Self { seats: vec![agent; players] }
    }

    /// Whether all seats are one agent's, so that nothing changes when they are rotated.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.seats.iter().all(|&agent| agent == self.seats[0])
    }

    /// Which place of the lane sits in each seat in game `turn` of a block: every seat has an agent of its own, which
    /// remembers what it saw from there.
    #[must_use]
    pub fn seating(&self, turn: usize) -> [u8; MAX_PLAYERS] {
        let mut seating = [0; MAX_PLAYERS];
        let n = self.seats.len();
        for place in 0..n {
            seating[(place + turn) % n] = place as u8;
        }
        seating
    }
}

/// One treatment, or none, in a lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Its name in rows: unique among the cells of its lane.
    pub id: String,
    /// Its lane.
    pub lane: usize,
    /// The stage in which it begins to differ from the control, from 1.
    pub stage: u8,
    /// What is done.
    pub dose: Dose,
}

/// What a cell does to the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dose {
    /// Nothing.
    Control,
    /// Nothing either, but in each game of a block the agents think with other random numbers, so that games part without
    /// a cause: the null treatment of games that have no chance, or next to none. It goes with the first stage alone, as
    /// what branches later goes on with the numbers of its control.
    Null,
    /// These settings for all games.
    All(Vec<String>),
    /// The settings of game r of a block treat the seat r, or whoever sits there.
    Seats(Vec<Vec<String>>),
}

impl Cell {
    /// The control of a lane.
    #[must_use]
    pub fn control(lane: usize) -> Self {
        Self { id: "control".to_owned(), lane, stage: 1, dose: Dose::Control }
    }

    /// Whether it has a seat to gain.
    #[must_use]
    pub const fn has_seat(&self) -> bool {
        matches!(self.dose, Dose::Seats(_) | Dose::Null)
    }

    /// The settings of game `turn` of its block.
    #[must_use]
    pub fn settings(&self, turn: usize) -> &[String] {
        match &self.dose {
            Dose::Control | Dose::Null => &[],
            Dose::All(settings) => settings,
            Dose::Seats(by_seat) => &by_seat[turn],
        }
    }
}

impl Experiment {
    /// The games of a cell in one block: one for each seat, but one alone where nothing would change by rotation.
    #[must_use]
    pub fn turns(&self, cell: &Cell) -> usize {
        if cell.has_seat() || !self.lanes[cell.lane].is_uniform() { self.players } else { 1 }
    }

    /// The games of a block.
    #[must_use]
    pub fn games_per_block(&self) -> u64 {
        self.cells.iter().map(|cell| self.turns(cell) as u64).sum()
    }

    /// The place of the control of a lane.
    ///
    /// # Panics
    /// If it has none.
    #[must_use]
    pub fn control_of(&self, lane: usize) -> usize {
        let is_it = |cell: &Cell| cell.lane == lane && cell.dose == Dose::Control;
        self.cells.iter().position(is_it).expect("every lane has its control")
    }

    /// The last stage at which a cell of a lane branches.
    #[must_use]
    pub fn last_stage(&self, lane: usize) -> u8 {
        let of_lane = self.cells.iter().filter(|cell| cell.lane == lane);
        of_lane.map(|cell| cell.stage).max().unwrap_or(1)
    }

    /// The place of the cell with this name in a lane.
    #[must_use]
    pub fn place(&self, lane: usize, id: &str) -> Option<usize> {
        self.cells.iter().position(|cell| cell.lane == lane && cell.id == id)
    }

    /// Builds every agent, and the first game of every cell of the first lane and of those without a seat: the others
    /// differ from them in the seat alone, or not at all.
    ///
    /// # Errors
    /// If a setting is refused, or an agent cannot play the game.
    pub fn check(&self) -> Result<(), Error> {
        struct Check<'a>(&'a Experiment);
        impl WithGame for Check<'_> {
            type Output = Result<(), Error>;
            fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
                self.0.agents.iter().try_for_each(|agent| agent.build(&game).map(drop))?;
                let cells: Vec<&Cell> =
                    self.0.cells.iter().filter(|cell| cell.lane == 0 || !cell.has_seat()).collect();
                let check = |i: usize| built::<G>(rules, self.0.players, cells[i].settings(0));
                let checked = side_by_side(cells.len(), &|i| check(i).map(drop));
                checked.into_iter().collect()
            }
        }
        with_game(&self.setup, Check(self))?
    }
}

/// Games under different rules, each once.
pub(super) struct Games<G> {
    games: Vec<G>,
    /// By cell and by game of a block.
    places: Vec<Vec<usize>>,
}

impl<G: Playable> Games<G> {
    /// The games of all cells; cells of several lanes share theirs.
    ///
    /// # Errors
    /// If a setting is refused.
    pub(super) fn new(experiment: &Experiment, rules: &Rules) -> Result<Self, Error> {
        let mut known: BTreeMap<&[String], usize> = BTreeMap::new();
        let mut all: Vec<&[String]> = Vec::new();
        let mut places = Vec::new();
        for cell in &experiment.cells {
            let turns = if cell.has_seat() { experiment.players } else { 1 };
            let place = |turn: usize| {
                let settings = cell.settings(turn);
                *known.entry(settings).or_insert_with(|| {
                    all.push(settings);
                    all.len() - 1
                })
            };
            places.push((0..turns).map(place).collect());
        }
        let build = |i: usize| built::<G>(rules, experiment.players, all[i]);
        let games = side_by_side(all.len(), &build).into_iter().collect::<Result<_, Error>>()?;
        Ok(Self { games, places })
    }

    /// The game of a cell in game `turn` of a block.
    pub(super) fn of(&self, cell: usize, turn: usize) -> &G {
        let places = &self.places[cell];
        &self.games[places[turn.min(places.len() - 1)]]
    }
}

/// The game with some settings more.
fn built<G: Playable>(rules: &Rules, players: usize, settings: &[String]) -> Result<G, Error> {
    let mut rules = rules.clone();
    settings.iter().try_for_each(|setting| rules.set(setting))?;
    Ok(G::configure(players, &rules)?)
}
