//! Experiments as lists of cells.

use std::collections::BTreeMap;

use agents::side_by_side::side_by_side;
use agents::{AgentSpec, Playable};
use engine::{MAX_PLAYERS, Rules};

use super::order::Order;
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;

/// An experiment: cells that are all played on the same seeds.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The game, table and rules that all cells share.
    pub setup: Setup,
    /// Number of players.
    pub players: usize,
    /// The agents; lineups name them by index.
    pub agents: Vec<AgentSpec>,
    /// The line-ups at the tables.
    pub lineups: Vec<Lineup>,
    /// The cells; each line-up's control comes first.
    pub cells: Vec<Cell>,
    /// The seed: block b of every cell uses the chance of (seed, b).
    pub seed: u64,
    /// Number of blocks.
    pub blocks: u64,
    /// The ban whose uptake is recorded in cells that treat no seat.
    pub noted: Option<&'static str>,
    /// True if those cells also record the tokens in each place at the ends of stages.
    pub holds: bool,
    /// True if the shares of seats and places are accumulated.
    pub seats: bool,
    /// The forced turn orders, if any.
    pub order: Option<Order>,
}

/// The line-up at the tables of some cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lineup {
    /// The agent of each seat in the first game of a block; in game r every agent sits r seats further on.
    pub seats: Vec<usize>,
}

impl Lineup {
    /// Returns the line-up with one agent in all seats.
    #[must_use]
    pub fn of_one(agent: usize, players: usize) -> Self {
        Self { seats: vec![agent; players] }
    }

    /// Returns true if one agent has all seats, so that rotation changes nothing.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.seats.iter().all(|&agent| agent == self.seats[0])
    }

    /// Returns the place of the line-up in each seat for game `rotation` of a block. Every seat has its own agent, which
    /// remembers what it observed from there.
    #[must_use]
    pub fn seating(&self, rotation: usize) -> [u8; MAX_PLAYERS] {
        let mut seating = [0; MAX_PLAYERS];
        let n = self.seats.len();
        for place in 0..n {
            seating[(place + rotation) % n] = place as u8;
        }
        seating
    }
}

/// A treatment, or none, in a line-up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The name in rows, unique among the cells of the lineup.
    pub id: String,
    /// The lineup, by index.
    pub lineup: usize,
    /// The stage at which it begins to differ from the control, from 1.
    pub stage: u8,
    /// The change to the rules.
    pub treatment: CellTreatment,
}

/// The change that a cell makes to the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellTreatment {
    /// No change.
    Control,
    /// No change to the rules, but the agents of each game of a block use other random numbers, so that games diverge
    /// without a cause. It is the null treatment of games with little or no chance. It is allowed at the first stage
    /// only: later branches continue with the random numbers of their control.
    AA,
    /// Settings that apply to all games.
    All(Vec<String>),
    /// Settings by game: those of game r of a block treat the player in seat r.
    Seats(Vec<Vec<String>>),
}

impl Cell {
    /// Returns the control of a lineup.
    #[must_use]
    pub fn control(lineup: usize) -> Self {
        Self { id: "control".to_owned(), lineup, stage: 1, treatment: CellTreatment::Control }
    }

    /// Returns true if it treats one seat in each game.
    #[must_use]
    pub const fn has_seat(&self) -> bool {
        matches!(self.treatment, CellTreatment::Seats(_) | CellTreatment::AA)
    }

    /// Returns the settings of game `rotation` of its block.
    #[must_use]
    pub fn settings(&self, rotation: usize) -> &[String] {
        match &self.treatment {
            CellTreatment::Control | CellTreatment::AA => &[],
            CellTreatment::All(settings) => settings,
            CellTreatment::Seats(by_seat) => &by_seat[rotation],
        }
    }
}

impl Experiment {
    /// Returns the number of games of a cell in one block: one for each seat, or a single one if rotation changes
    /// nothing.
    #[must_use]
    pub fn rotations(&self, cell: &Cell) -> usize {
        if cell.has_seat() || !self.lineups[cell.lineup].is_uniform() { self.players } else { 1 }
    }

    /// Returns the number of games in a block.
    #[must_use]
    pub fn games_per_block(&self) -> u64 {
        self.cells.iter().map(|cell| self.rotations(cell) as u64).sum()
    }

    /// Returns the index of the control of a lineup.
    ///
    /// # Panics
    /// If the line-up has no control.
    #[must_use]
    pub fn control_of(&self, lineup: usize) -> usize {
        let is_it = |cell: &Cell| cell.lineup == lineup && cell.treatment == CellTreatment::Control;
        self.cells.iter().position(is_it).expect("every line-up has its control")
    }

    /// Returns the last stage at which a cell of a lineup branches.
    #[must_use]
    pub fn last_stage(&self, lineup: usize) -> u8 {
        let of_lane = self.cells.iter().filter(|cell| cell.lineup == lineup);
        of_lane.map(|cell| cell.stage).max().unwrap_or(1)
    }

    /// Returns the index of the cell with this name in a line-up.
    #[must_use]
    pub fn cell_index(&self, lineup: usize, id: &str) -> Option<usize> {
        self.cells.iter().position(|cell| cell.lineup == lineup && cell.id == id)
    }

    /// Builds every agent, the first game of every cell of the first line-up, and that of each cell without a seat. The
    /// other games differ from these in the seat alone, or not at all.
    ///
    /// # Errors
    /// If a setting is refused, or an agent cannot play the game.
    pub fn check(&self) -> Result<(), Error> {
        struct Check<'a>(&'a Experiment);
        impl WithGame for Check<'_> {
            type Output = Result<(), Error>;
            fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
                self.0.agents.iter().try_for_each(|agent| agent.build(&game).map(drop))?;
                let cells: Vec<&Cell> = self
                    .0
                    .cells
                    .iter()
                    .filter(|cell| cell.lineup == 0 || !cell.has_seat())
                    .collect();
                let check = |i: usize| built::<G>(rules, self.0.players, cells[i].settings(0));
                let checked = side_by_side(cells.len(), &|i| check(i).map(drop));
                checked.into_iter().collect()
            }
        }
        with_game(&self.setup, Check(self))?
    }
}

/// The distinct games of an experiment.
pub(super) struct Games<G> {
    games: Vec<G>,
    /// Indices into `games`, by cell and by game of a block.
    places: Vec<Vec<usize>>,
}

impl<G: Playable> Games<G> {
    /// Builds the games of all cells; cells of several lineups share them.
    ///
    /// # Errors
    /// If a setting is refused.
    pub(super) fn new(experiment: &Experiment, rules: &Rules) -> Result<Self, Error> {
        let mut known: BTreeMap<&[String], usize> = BTreeMap::new();
        let mut all: Vec<&[String]> = Vec::new();
        let mut places = Vec::new();
        for cell in &experiment.cells {
            let rotations = if cell.has_seat() { experiment.players } else { 1 };
            let place = |rotation: usize| {
                let settings = cell.settings(rotation);
                *known.entry(settings).or_insert_with(|| {
                    all.push(settings);
                    all.len() - 1
                })
            };
            places.push((0..rotations).map(place).collect());
        }
        let build = |i: usize| built::<G>(rules, experiment.players, all[i]);
        let games = side_by_side(all.len(), &build).into_iter().collect::<Result<_, Error>>()?;
        Ok(Self { games, places })
    }

    /// Returns the game of a cell in game `rotation` of a block.
    pub(super) fn of(&self, cell: usize, rotation: usize) -> &G {
        let places = &self.places[cell];
        &self.games[places[rotation.min(places.len() - 1)]]
    }
}

/// Builds the game with additional settings.
fn built<G: Playable>(rules: &Rules, players: usize, settings: &[String]) -> Result<G, Error> {
    let mut rules = rules.clone();
    settings.iter().try_for_each(|setting| rules.set(setting))?;
    Ok(G::configure(players, &rules)?)
}
