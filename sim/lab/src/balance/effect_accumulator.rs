//! The effects of an experiment, block by block: every cell compared with the control of its lineup under the same seed.

use std::collections::BTreeMap;

use engine::{PlayerSet, hash_of};

use super::cell::Experiment;
use super::deal::Start;
use super::placed::{self, SeatAccumulator};
use super::rows::Row;
use super::uptake::{DEAL, Holding, Offer};
use sim::stats::{Moments, copies};

/// The values of a cell, one for each block.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// Share of the treated player, less that of the same seat in the control: points per game.
    pub share: Vec<f64>,
    /// Score of the treated player, less that in the control.
    pub score: Vec<f64>,
    /// Choices of players in a game, less the number in the control.
    pub plies: Vec<f64>,
    /// Share of each agent of the lineup, less its share in the control; empty if one agent has all seats.
    pub agents: Vec<Vec<f64>>,
    /// Games forfeited by an agent.
    pub forfeits: u64,
}

/// The uptake of a thing that could be taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct UptakeStats {
    /// The fraction of games in which it was taken, over the blocks in which it could be taken.
    pub picked: Moments,
    /// The share of its takers, less an equal share, over the blocks in which it was taken.
    pub owners: Moments,
}

/// The tokens held in a place, one value for each block.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// Tokens of all players at the end of the game.
    pub tokens: Vec<f64>,
    /// Fights there in a game; empty if the game does not report them.
    pub fights: Vec<f64>,
    /// Players who have a token there and at most one less than the first, averaged over the ends of stages.
    pub contest: Vec<f64>,
    /// The fraction of games in which the leader at the end is another seat than at the start of the last stage; a tie
    /// has no leader.
    pub swing: Vec<f64>,
}

/// An accumulator of the effects of an experiment; it takes the blocks in order.
#[derive(Clone, Debug)]
pub struct EffectAccumulator {
    players: usize,
    /// The layout of each cell: its control, its rows in a block, and its seating.
    cells: Vec<CellLayout>,
    values: Vec<Values>,
    /// Uptake by cell, then by stage (0 for all of them) and name.
    taken: Vec<BTreeMap<(u8, String), UptakeStats>>,
    /// Held tokens by cell and place.
    held: Vec<BTreeMap<String, Held>>,
    /// Start deals by cell, block by block, if they are recorded.
    starts: Vec<Vec<Start>>,
    /// Shares of seats and places, in an experiment on them.
    seats: Option<SeatAccumulator>,
    blocks: u64,
    /// The hash of the first block, while all later blocks equal it.
    copied: Option<u64>,
}

#[derive(Clone, Debug)]
struct CellLayout {
    control: usize,
    first: usize,
    rotations: usize,
    has_seat: bool,
    /// Distinct agents of the lineup; empty if there is only one.
    agents: Vec<usize>,
    seats: Vec<usize>,
}

impl EffectAccumulator {
    /// Creates an accumulator without blocks.
    #[must_use]
    pub fn new(experiment: &Experiment) -> Self {
        let mut first = 0;
        let place = |cell: &super::cell::Cell| {
            let lineup = &experiment.lineups[cell.lineup];
            let mut agents = lineup.seats.clone();
            agents.sort_unstable();
            agents.dedup();
            if lineup.is_uniform() {
                agents.clear();
            }
            let rotations = experiment.rotations(cell);
            let seats = lineup.seats.clone();
            let control = experiment.control_of(cell.lineup);
            let place =
                CellLayout { control, first, rotations, has_seat: cell.has_seat(), agents, seats };
            first += rotations;
            place
        };
        let cells: Vec<CellLayout> = experiment.cells.iter().map(place).collect();
        let value = |place: &CellLayout| Values {
            agents: vec![Vec::new(); place.agents.len()],
            ..Values::default()
        };
        Self {
            players: experiment.players,
            values: cells.iter().map(value).collect(),
            taken: vec![BTreeMap::new(); cells.len()],
            held: vec![BTreeMap::new(); cells.len()],
            starts: vec![Vec::new(); cells.len()],
            seats: SeatAccumulator::new(experiment),
            cells,
            blocks: 0,
            copied: None,
        }
    }

    /// Returns the number of blocks.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Returns true if there are at least five blocks and all are copies of one, as in a deterministic game with
    /// deterministic agents.
    #[must_use]
    pub const fn are_copies(&self) -> bool {
        self.copied.is_some() && self.blocks >= copies::LEAST
    }

    /// Keeps the hash of the first block while all later blocks equal it.
    fn note_copies(&mut self, rows: &[Row]) {
        if self.blocks > 0 && self.copied.is_none() {
            return;
        }
        let results = rows.iter().map(|row| {
            let (points, scores) = (row.points.map(f32::to_bits), row.scores.map(f32::to_bits));
            (row.plies, points, scores, &row.uptake)
        });
        let hash = hash_of(&results.collect::<Vec<_>>());
        let is_alike = self.blocks == 0 || self.copied == Some(hash);
        self.copied = is_alike.then_some(hash);
    }

    /// Returns the shares of the seats and places of a lineup, in an experiment on them.
    #[must_use]
    pub fn seats(&self, lineup: usize) -> Option<&placed::Lineup> {
        self.seats.as_ref().map(|seats| seats.lineup(lineup))
    }

    /// Returns the values of a cell.
    #[must_use]
    pub fn values(&self, cell: usize) -> &Values {
        &self.values[cell]
    }

    /// Returns the uptake in a cell that records it, by stage (0 for all of them) and name.
    #[must_use]
    pub fn taken(&self, cell: usize) -> &BTreeMap<(u8, String), UptakeStats> {
        &self.taken[cell]
    }

    /// Returns the held tokens by place, in a cell that records them.
    #[must_use]
    pub fn held(&self, cell: usize) -> &BTreeMap<String, Held> {
        &self.held[cell]
    }

    /// Returns the start deals and their results, in a cell that records them and has one agent in all seats.
    #[must_use]
    pub fn starts(&self, cell: usize) -> &[Start] {
        &self.starts[cell]
    }

    /// Returns the distinct agents of a cell's lineup, in the order of [`Values::agents`].
    #[must_use]
    pub fn agents(&self, cell: usize) -> &[usize] {
        &self.cells[cell].agents
    }

    /// Adds the rows of the next block.
    pub fn add(&mut self, rows: &[Row]) {
        self.note_copies(rows);
        self.blocks += 1;
        if let Some(seats) = &mut self.seats {
            seats.add(rows);
        }
        for cell in 0..self.cells.len() {
            let place = &self.cells[cell];
            let control = &self.cells[place.control];
            let own = &rows[place.first..place.first + place.rotations];
            let other = &rows[control.first..control.first + control.rotations];
            let beside = |rotation: usize| &other[rotation % other.len()];
            let mean = |of: &dyn Fn(&Row, usize) -> f64| {
                let all = own.iter().enumerate();
                let sum: f64 = all
                    .map(|(rotation, row)| of(row, rotation) - of(beside(rotation), rotation))
                    .sum();
                sum / own.len() as f64
            };
            let values = &mut self.values[cell];
            if place.has_seat {
                values.share.push(mean(&|row, seat| f64::from(row.points[seat])));
                values.score.push(mean(&|row, seat| f64::from(row.scores[seat])));
            }
            values.plies.push(mean(&|row, _| f64::from(row.plies)));
            for (list, &agent) in values.agents.iter_mut().zip(&place.agents) {
                list.push(mean(&|row, rotation| share_of(row, rotation, agent, &place.seats)));
            }
            values.forfeits += own.iter().filter(|row| row.is_forfeit).count() as u64;
            note(&mut self.taken[cell], own, self.players);
            hold(&mut self.held[cell], own);
            if own.len() == 1 {
                self.starts[cell].extend(start(&own[0], self.players));
            }
        }
    }
}

/// Returns the share per seat of an agent in game `rotation` of a lineup.
fn share_of(row: &Row, rotation: usize, agent: usize, seats: &[usize]) -> f64 {
    let n = seats.len();
    let own = seats.iter().enumerate().filter(|(_, who)| **who == agent);
    let (sum, count) = own.fold((0.0, 0.0), |(sum, count), (place, _)| {
        (sum + f64::from(row.points[(place + rotation) % n]), count + 1.0)
    });
    sum / count
}

/// Adds the uptake in the games of a block.
fn note(taken: &mut BTreeMap<(u8, String), UptakeStats>, rows: &[Row], players: usize) {
    /// Counts of games in which it could be taken and was taken, and of takers and their points.
    #[derive(Default)]
    struct Sums {
        open: u32,
        taken: u32,
        takers: u32,
        points: f64,
    }
    let mut sums: BTreeMap<(u8, &str), Sums> = BTreeMap::new();
    for row in rows {
        let mut in_game: BTreeMap<(u8, &str), PlayerSet> = BTreeMap::new();
        for Offer { stage, name, takers } in &row.uptake.offers {
            for stage in [*stage, 0] {
                let all = in_game.entry((stage, name.as_str())).or_default();
                *all = *all | *takers;
            }
        }
        for (key, takers) in in_game {
            let sum = sums.entry(key).or_default();
            sum.open += 1;
            sum.taken += u32::from(!takers.is_empty());
            for taker in takers.iter() {
                sum.takers += 1;
                sum.points += f64::from(row.points[taker.idx()]);
            }
        }
    }
    for ((stage, name), sum) in sums {
        let taken = taken.entry((stage, name.to_owned())).or_default();
        taken.picked.add(f64::from(sum.taken) / f64::from(sum.open));
        if sum.takers > 0 {
            taken.owners.add(sum.points / f64::from(sum.takers) - 1.0 / players as f64);
        }
    }
}

/// Returns the start deal of a game, if it is recorded.
fn start(row: &Row, players: usize) -> Option<Start> {
    let dealt: BTreeMap<String, Vec<f64>> = row
        .uptake
        .holdings
        .iter()
        .filter(|held| held.stage == DEAL)
        .map(|held| (held.place.clone(), held.tokens.iter().copied().map(f64::from).collect()))
        .collect();
    let points = row.points[..players].iter().map(|&points| f64::from(points)).collect();
    (!dealt.is_empty()).then_some(Start { dealt, points })
}

/// The tokens of every seat in a place, stage after stage.
type Course<'a> = BTreeMap<&'a str, Vec<&'a [u8]>>;

/// Adds the tokens held in the games of a block.
fn hold(held: &mut BTreeMap<String, Held>, rows: &[Row]) {
    let mut sums: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
    let mut fights: BTreeMap<&str, f64> = BTreeMap::new();
    for row in rows {
        let mut course = Course::new();
        for Holding { stage, place, tokens, fights: fought } in &row.uptake.holdings {
            if let Some(n) = *fought {
                *fights.entry(place).or_default() += f64::from(n);
            }
            if *stage != DEAL {
                course.entry(place).or_default().push(tokens);
            }
        }
        for (name, stages) in course {
            let sum = sums.entry(name).or_default();
            let last = &stages[stages.len() - 1];
            sum[0] += last.iter().copied().map(f64::from).sum::<f64>();
            sum[1] += stages.iter().map(|seats| close(seats)).sum::<f64>() / stages.len() as f64;
            let before = stages.len().checked_sub(2).map(|place| leader(stages[place]));
            sum[2] += f64::from(u8::from(before.is_some_and(|before| before != leader(last))));
        }
    }
    let n = rows.len() as f64;
    for (name, sum) in fights {
        held.entry(name.to_owned()).or_default().fights.push(sum / n);
    }
    for (name, sum) in sums {
        let held = held.entry(name.to_owned()).or_default();
        held.tokens.push(sum[0] / n);
        held.contest.push(sum[1] / n);
        held.swing.push(sum[2] / n);
    }
}

/// Returns the number of players who have at least one token and at most one less than the first.
fn close(seats: &[u8]) -> f64 {
    let most = seats.iter().copied().max().unwrap_or_default();
    seats.iter().filter(|&&tokens| tokens > 0 && most - tokens <= 1).count() as f64
}

/// Returns the seat with the most tokens; `None` for a tie.
fn leader(seats: &[u8]) -> Option<usize> {
    let most = seats.iter().copied().max().filter(|&most| most > 0)?;
    let mut first = (0..seats.len()).filter(|&seat| seats[seat] == most);
    let leader = first.next();
    if first.next().is_none() { leader } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(uptake: &str) -> Row {
        Row {
            game: 0,
            block: 0,
            cell: 0,
            rotation: 0,
            plies: 9,
            is_forfeit: false,
            points: Default::default(),
            scores: Default::default(),
            uptake: uptake.parse().expect("deeds as they are written"),
        }
    }

    #[test]
    fn what_is_held_and_fought_for_is_told_by_place() {
        let mut held = BTreeMap::new();
        let rows = [
            row("0.roma:1/0 1.roma:1/1!2 1.asia:0/3!0 2.roma:2/1!1 2.asia:0/4!0 1.loot=0"),
            row("0.roma:0/1 1.roma:2/0!0 1.asia:0/0!1 2.roma:0/3!0 2.asia:0/0!0"),
        ];
        hold(&mut held, &rows);
        let (roma, asia) = (&held["roma"], &held["asia"]);
        assert_eq!((&roma.fights[..], &asia.fights[..]), (&[1.5][..], &[0.5][..]));
        assert_eq!((&roma.tokens[..], &asia.tokens[..]), (&[3.0][..], &[2.0][..]));
        assert_eq!((&roma.contest[..], &roma.swing[..]), (&[1.5][..], &[1.0][..]));
    }

    #[test]
    fn fights_that_nobody_tells_are_not_none() {
        let mut held = BTreeMap::new();
        hold(&mut held, &[row("1.roma:1/1 2.roma:2/1")]);
        assert!(held["roma"].fights.is_empty() && held["roma"].tokens == [3.0]);
    }
}
