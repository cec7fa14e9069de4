//! The player of experiments: blocks run on threads and are reported in order.
//!
//! A thread takes a piece of several blocks. It first plays the controls and saves each game at the start of each
//! stage. The other cells then continue from these saves, one cell after another, so that the agents of a cell are
//! built once per piece. The reported rows depend on neither the number of threads nor the size of the pieces.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use agents::{Agent, Playable};

use engine::{Game, Player, PlayerSet, Rules, Treatable, Turn, Uptake, hash_of};

use super::cell::{Cell, CellTreatment, Experiment, Games};
use super::order::Bids;
use super::rows::Row;
use super::uptake::{DEAL, Holding, Offer, UptakeRecord};
use sim::catalogue::{WithGame, with_game};
use sim::error::Error;
use sim::event::GameResult;
use sim::game_loop::{Address, GameObserver, Run};
use sim::play::{Arena, HostFault};
use sim::runner::play_pieces;

/// A callback that takes the rows of a block; `Break` ends the run.
pub type Tell<'a> = dyn FnMut(&[Row]) -> ControlFlow<()> + Send + 'a;

/// Plays the range `blocks` of `experiment` and passes each block to `tell`; `stop` ends the run soon.
///
/// # Errors
/// If the game cannot be built, the threads cannot be started, or a fault of the machine stops an agent. Blocks before
/// the error are reported.
pub fn play(
    experiment: &Experiment,
    blocks: Range<u64>,
    threads: usize,
    stop: &AtomicBool,
    tell: &mut Tell<'_>,
) -> Result<(), Error> {
    with_game(&experiment.setup, Play { experiment, blocks, threads, stop, tell })?
}

struct Play<'a, 't> {
    experiment: &'a Experiment,
    blocks: Range<u64>,
    threads: usize,
    stop: &'a AtomicBool,
    tell: &'a mut Tell<'t>,
}

impl WithGame for Play<'_, '_> {
    type Output = Result<(), Error>;

    fn run<G: Playable>(self, _: G, rules: &Rules) -> Self::Output {
        let games = Games::<G>::new(self.experiment, rules)?;
        let table = ExperimentGames { experiment: self.experiment, games, stop: self.stop };
        let piece = |blocks: Range<u64>| Ok(table.piece(blocks)?);
        let tell = self.tell;
        play_pieces(self.blocks, self.threads, &piece, &mut |rows: Vec<Row>| tell(&rows))
    }
}

/// The games of an experiment, and its stop flag.
struct ExperimentGames<'a, G> {
    experiment: &'a Experiment,
    games: Games<G>,
    stop: &'a AtomicBool,
}

/// Saved games at the start of each stage, from the second on.
type Moments<G> = Vec<Option<Run<<G as Game>::State>>>;

impl<G: Playable> ExperimentGames<'_, G> {
    /// Returns the rows of some blocks; `None` if the run was stopped.
    fn piece(&self, blocks: Range<u64>) -> Result<Option<Vec<Vec<Row>>>, HostFault> {
        let n = (blocks.end - blocks.start) as usize;
        let mut rows: Vec<Vec<Row>> = vec![Vec::new(); n];
        let lineups = self.experiment.lineups.len();
        let mut moments: Vec<Vec<Vec<Moments<G>>>> = vec![Vec::new(); lineups];
        for place in 0..self.experiment.cells.len() {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            match self.cell(place, blocks.clone(), &mut moments, &mut rows) {
                Ok(()) => {}
                Err(fault) if fault.is_halt => return Ok(None),
                Err(fault) => return Err(fault),
            }
        }
        Ok(Some(rows))
    }

    /// Plays the games of a cell in all blocks of a piece.
    fn cell(
        &self,
        place: usize,
        blocks: Range<u64>,
        moments: &mut [Vec<Vec<Moments<G>>>],
        rows: &mut [Vec<Row>],
    ) -> Result<(), HostFault> {
        let Experiment { cells, lineups, agents, seed, .. } = self.experiment;
        let cell = &cells[place];
        let (lineup, moments) = (&lineups[cell.lineup], &mut moments[cell.lineup]);
        moments.resize_with(rows.len(), Vec::new);
        let is_control = cell.treatment == CellTreatment::Control;
        for rotation in 0..self.experiment.rotations(cell) {
            let game = self.games.of(place, rotation);
            let build = |place: usize| -> Box<dyn Agent<G>> {
                agents[lineup.seats[place]].build(game).expect("every agent was built once")
            };
            let mut arena = Arena::new(game, &build);
            for (i, block) in blocks.clone().enumerate() {
                let address = Address::of_block(*seed, block, thoughts(cell, block, rotation));
                let mut notes = self.notes(cell);
                let source = if lineup.is_uniform() { 0 } else { rotation };
                // A game that ends before the stage begins equals its control.
                let moment = match cell.stage.checked_sub(2) {
                    Some(stage) if !is_control => {
                        moments[i][source].get(usize::from(stage)).and_then(Option::as_ref)
                    }
                    _ => None,
                };
                let is_watched =
                    is_control || notes.noted.is_some() || notes.holds || notes.bids.is_some();
                let observer: &mut dyn GameObserver<G> =
                    if is_watched { &mut notes } else { &mut () };
                let result =
                    arena.play_observed(address, lineup.seating(rotation), moment, observer)?;
                if is_control {
                    moments[i].push(std::mem::take(&mut notes.moments));
                }
                let uptake = notes.uptake();
                rows[i].push(self.row(place, rotation, block, &result, uptake));
            }
        }
        Ok(())
    }

    /// Creates the recorder of a game of `cell`.
    fn notes(&self, cell: &Cell) -> Notes<G> {
        Notes {
            last: self.experiment.last_stage(cell.lineup),
            is_kept: cell.treatment == CellTreatment::Control,
            before: None,
            moments: Vec::new(),
            noted: self.experiment.noted.filter(|_| !cell.has_seat()),
            uptake: UptakeRecord::default(),
            holds: self.experiment.holds && !cell.has_seat(),
            deals: self.experiment.holds && cell.treatment == CellTreatment::Control,
            stage: 1,
            fights: G::territory().is_some_and(|territory| territory.fights).then(BTreeMap::new),
            fighting: None,
            bids: self.experiment.order.is_some().then(Bids::default),
        }
    }

    fn row(
        &self,
        cell: usize,
        rotation: usize,
        block: u64,
        result: &GameResult,
        uptake: UptakeRecord,
    ) -> Row {
        let before = self.experiment.cells[..cell].iter();
        let before: usize = before.map(|cell| self.experiment.rotations(cell)).sum();
        Row {
            game: block * self.experiment.games_per_block() + (before + rotation) as u64,
            block,
            cell,
            rotation,
            plies: result.plies,
            is_forfeit: result.forfeit.is_some(),
            points: result.points,
            scores: result.scores,
            uptake,
        }
    }
}

/// Returns the address of the agents' random numbers: that of the control, except in a null treatment, which changes
/// them.
fn thoughts(cell: &Cell, block: u64, rotation: usize) -> u64 {
    if cell.treatment == CellTreatment::AA { hash_of(&("null", block, rotation)) } else { block }
}

/// A recorder of an observed game.
struct Notes<G: Playable> {
    /// The last stage from which a cell branches.
    last: u8,
    is_kept: bool,
    /// The save before the next event.
    before: Option<Run<G::State>>,
    moments: Moments<G>,
    noted: Option<&'static str>,
    /// The record so far, without bids.
    uptake: UptakeRecord,
    /// True if the holdings are recorded at the ends of stages.
    holds: bool,
    /// True until the holdings at the first decision are recorded, as stage 0.
    deals: bool,
    /// The current stage.
    stage: u8,
    /// Fights of the current stage by place, if the game reports them.
    fights: Option<BTreeMap<String, u32>>,
    /// The place with a fight before the last event.
    fighting: Option<String>,
    /// The recorder of bids, in experiments on turn orders.
    bids: Option<Bids>,
}

impl<G: Playable> Notes<G> {
    fn note(&mut self, stage: u8, thing: Uptake<'_>, takers: PlayerSet) {
        if self.noted != Some(thing.ban) {
            return;
        }
        let offers = &mut self.uptake.offers;
        match offers.iter_mut().find(|offer| offer.stage == stage && offer.name == thing.name) {
            Some(offer) => offer.takers = offer.takers | takers,
            None => offers.push(Offer { stage, name: thing.name.to_owned(), takers }),
        }
    }

    /// Records the holdings when the first decision is due, and at the end of each stage and of the game.
    fn hold(&mut self, game: &G, state: &G::State) {
        if self.deals && game.turn(state) != Turn::Chance {
            self.list(game, state, DEAL);
            self.deals = false;
        }
        let stage = Treatable::stage(game, state);
        if !self.holds || stage <= self.stage && game.turn(state) != Turn::Over {
            return;
        }
        self.list(game, state, self.stage);
        // The last stage ends only once.
        self.holds = game.turn(state) != Turn::Over;
        self.stage = stage;
    }

    /// Records a fight that has begun.
    fn see_fight(&mut self, game: &G, state: &G::State) {
        let Some(fights) = self.fights.as_mut().filter(|_| self.holds) else { return };
        let place = game.fighting(state);
        if place == self.fighting.as_deref() {
            return;
        }
        if let Some(place) = place {
            *fights.entry(place.to_owned()).or_default() += 1;
        }
        self.fighting = place.map(str::to_owned);
    }

    /// Adds the holdings at the end of stage `over`.
    fn list(&mut self, game: &G, state: &G::State, over: u8) {
        let mut all = Vec::new();
        game.holdings(state, &mut all);
        let fights = self.fights.as_mut().filter(|_| over != DEAL).map(std::mem::take);
        self.uptake.holdings.extend(all.into_iter().map(|(place, held)| Holding {
            stage: over,
            place: place.to_owned(),
            tokens: held.0[..game.n_players()].to_vec(),
            fights: fights.as_ref().map(|fights| fights.get(place).copied().unwrap_or_default()),
        }));
    }

    /// Returns the sorted record.
    fn uptake(self) -> UptakeRecord {
        let mut uptake = self.uptake;
        uptake.offers.sort_unstable_by(|a, b| (a.stage, &a.name).cmp(&(b.stage, &b.name)));
        uptake.auctions = self.bids.map(|bids| bids.auctions).unwrap_or_default();
        uptake
    }
}

impl<G: Playable> GameObserver<G> for Notes<G> {
    fn at(&mut self, game: &G, run: &Run<G::State>) {
        let state = &run.state;
        self.hold(game, state);
        self.see_fight(game, state);
        if let Some(bids) = &mut self.bids {
            bids.see(game, state);
        }
        if !self.is_kept || self.last < 2 {
            return;
        }
        let stage = Treatable::stage(game, state);
        while self.moments.len() + 2 <= usize::from(stage.min(self.last)) {
            // From this save, no agent repeats a decision that it has already made.
            let is_untreated = game.turn(state) == Turn::Chance && !G::treats_before_chance();
            self.moments.push(if is_untreated { Some(run.clone()) } else { self.before.clone() });
        }
        self.before = (stage < self.last).then(|| run.clone());
    }

    fn chosen(&mut self, game: &G, state: &G::State, player: Player, action: G::Action, _: u32) {
        if self.noted.is_none() {
            return;
        }
        let stage = Treatable::stage(game, state);
        let mut uptake = Vec::new();
        game.available_uptakes(state, player, &mut uptake);
        uptake.drain(..).for_each(|offer| self.note(stage, offer, PlayerSet::EMPTY));
        game.uptake(state, player, action, &mut uptake);
        uptake.into_iter().for_each(|offer| self.note(stage, offer, PlayerSet::of(player)));
    }
}
