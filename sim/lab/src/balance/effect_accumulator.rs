//! What an experiment came to, block by block: every cell beside the control of its lane under the same seed.

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
    /// Share of whoever is treated, less that of the same seat in the control: points per game.
    pub share: Vec<f64>,
    /// Score of whoever is treated, less that in the control.
    pub score: Vec<f64>,
    /// Choices of players in a game, less those in the control.
    pub plies: Vec<f64>,
    /// Share of each agent of the lane, less its share in the control; empty where one agent has all seats.
    pub agents: Vec<Vec<f64>>,
    /// Games that an agent broke off.
    pub forfeits: u64,
}

/// What was done with a thing that could be taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taken {
    /// By block in which it could be taken: the part of those games in which somebody took it.
    pub picked: Moments,
    /// By block in which somebody took it: the share of those who did, less an equal share.
    pub owners: Moments,
}

/// What was held in a place, one value for each block.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// Tokens of all players when the game is over.
    pub tokens: Vec<f64>,
    /// Fights there in a game; empty where they are not told.
    pub fights: Vec<f64>,
    /// Players who have a token there and at most one less than the first, over the ends of stages.
    pub contest: Vec<f64>,
    /// The part of the games in which another seat leads at the end than when the last stage began; where several
    /// lead, nobody does.
    pub swing: Vec<f64>,
}

/// Hears of blocks in their order.
#[derive(Clone, Debug)]
pub struct EffectAccumulator {
    players: usize,
    /// Of each cell its control, its first row in a block, its rows, whether it has a seat, and who sits where.
    cells: Vec<CellLayout>,
    values: Vec<Values>,
    /// By cell: stage (0 for all of them) and name.
    taken: Vec<BTreeMap<(u8, String), Taken>>,
    /// By cell and place.
    held: Vec<BTreeMap<String, Held>>,
    /// By cell, block by block, where that is noted.
    starts: Vec<Vec<Start>>,
    /// Seats and places, in an experiment on them.
    seats: Option<SeatAccumulator>,
    blocks: u64,
    /// The hash of the first block, as long as all others are alike.
    copied: Option<u64>,
}

#[derive(Clone, Debug)]
struct CellLayout {
    control: usize,
    first: usize,
    turns: usize,
    has_seat: bool,
    /// Agents of the lane, each once; empty where there is one.
    agents: Vec<usize>,
    seats: Vec<usize>,
}

impl EffectAccumulator {
    /// Before the first block.
    #[must_use]
    pub fn new(experiment: &Experiment) -> Self {
        let mut first = 0;
        let place = |cell: &super::cell::Cell| {
            let lane = &experiment.lanes[cell.lane];
            let mut agents = lane.seats.clone();
            agents.sort_unstable();
            agents.dedup();
            if lane.is_uniform() {
                agents.clear();
            }
            let turns = experiment.turns(cell);
            let seats = lane.seats.clone();
            let control = experiment.control_of(cell.lane);
            let place =
                CellLayout { control, first, turns, has_seat: cell.has_seat(), agents, seats };
            first += turns;
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

    /// Number of blocks.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Returns whether all blocks, at least five, are copies of one, as where neither the game nor the agents draw lots.
    #[must_use]
    pub const fn are_copies(&self) -> bool {
        self.copied.is_some() && self.blocks >= copies::LEAST
    }

    /// Keeps the hash of the first block as long as the others are alike.
    fn note_copies(&mut self, rows: &[Row]) {
        if self.blocks > 0 && self.copied.is_none() {
            return;
        }
        let told = rows.iter().map(|row| {
            let (points, scores) = (row.points.map(f32::to_bits), row.scores.map(f32::to_bits));
            (row.plies, points, scores, &row.deeds)
        });
        let hash = hash_of(&told.collect::<Vec<_>>());
        let is_alike = self.blocks == 0 || self.copied == Some(hash);
        self.copied = is_alike.then_some(hash);
    }

    /// What was heard of the seats and places of a lane, in an experiment on them.
    #[must_use]
    pub fn seats(&self, lane: usize) -> Option<&placed::Lane> {
        self.seats.as_ref().map(|seats| seats.lane(lane))
    }

    /// The values of a cell.
    #[must_use]
    pub fn values(&self, cell: usize) -> &Values {
        &self.values[cell]
    }

    /// What was done with things in a cell whose deeds are noted: by stage, 0 for all of them together, and name.
    #[must_use]
    pub fn taken(&self, cell: usize) -> &BTreeMap<(u8, String), Taken> {
        &self.taken[cell]
    }

    /// What was held, by place, in a cell in which that is noted.
    #[must_use]
    pub fn held(&self, cell: usize) -> &BTreeMap<String, Held> {
        &self.held[cell]
    }

    /// What was dealt at the start of a cell whose agents are all alike, and what came of it, if that is noted.
    #[must_use]
    pub fn starts(&self, cell: usize) -> &[Start] {
        &self.starts[cell]
    }

    /// The agents of a cell's lane, each once, as [`Values::agents`] has them.
    #[must_use]
    pub fn agents(&self, cell: usize) -> &[usize] {
        &self.cells[cell].agents
    }

    /// Takes note of the rows of the next block.
    pub fn add(&mut self, rows: &[Row]) {
        self.note_copies(rows);
        self.blocks += 1;
        if let Some(seats) = &mut self.seats {
            seats.add(rows);
        }
        for cell in 0..self.cells.len() {
            let place = &self.cells[cell];
            let control = &self.cells[place.control];
            let own = &rows[place.first..place.first + place.turns];
            let other = &rows[control.first..control.first + control.turns];
            let beside = |turn: usize| &other[turn % other.len()];
            let mean = |of: &dyn Fn(&Row, usize) -> f64| {
                let all = own.iter().enumerate();
                let sum: f64 = all.map(|(turn, row)| of(row, turn) - of(beside(turn), turn)).sum();
                sum / own.len() as f64
            };
            let values = &mut self.values[cell];
            if place.has_seat {
                values.share.push(mean(&|row, seat| f64::from(row.points[seat])));
                values.score.push(mean(&|row, seat| f64::from(row.scores[seat])));
            }
            values.plies.push(mean(&|row, _| f64::from(row.plies)));
            for (list, &agent) in values.agents.iter_mut().zip(&place.agents) {
                list.push(mean(&|row, turn| share_of(row, turn, agent, &place.seats)));
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

/// The share per seat of an agent in game `turn` of a lane.
fn share_of(row: &Row, turn: usize, agent: usize, seats: &[usize]) -> f64 {
    let n = seats.len();
    let own = seats.iter().enumerate().filter(|(_, who)| **who == agent);
    let (sum, count) = own.fold((0.0, 0.0), |(sum, count), (place, _)| {
        (sum + f64::from(row.points[(place + turn) % n]), count + 1.0)
    });
    sum / count
}

/// Adds what was taken in the games of a block.
fn note(taken: &mut BTreeMap<(u8, String), Taken>, rows: &[Row], players: usize) {
    /// Games in which it was open and taken, takers and their points.
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
        for Offer { stage, name, takers } in &row.deeds.offers {
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

/// What was dealt at the start of a game, if that is noted.
fn start(row: &Row, players: usize) -> Option<Start> {
    let dealt: BTreeMap<String, Vec<f64>> = row
        .deeds
        .holdings
        .iter()
        .filter(|held| held.stage == DEAL)
        .map(|held| (held.place.clone(), held.tokens.iter().copied().map(f64::from).collect()))
        .collect();
    let points = row.points[..players].iter().map(|&points| f64::from(points)).collect();
    (!dealt.is_empty()).then_some(Start { dealt, points })
}

/// What a game tells of a place: what every seat held, stage after stage.
type Course<'a> = BTreeMap<&'a str, Vec<&'a [u8]>>;

/// Adds what was held in the games of a block.
fn hold(held: &mut BTreeMap<String, Held>, rows: &[Row]) {
    let mut sums: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
    let mut fights: BTreeMap<&str, f64> = BTreeMap::new();
    for row in rows {
        let mut course = Course::new();
        for Holding { stage, place, tokens, fights: fought } in &row.deeds.holdings {
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

/// Players who have at most one token less than the first, and one at least.
fn close(seats: &[u8]) -> f64 {
    let most = seats.iter().copied().max().unwrap_or_default();
    seats.iter().filter(|&&tokens| tokens > 0 && most - tokens <= 1).count() as f64
}

/// Who has the most tokens alone.
fn leader(seats: &[u8]) -> Option<usize> {
    let most = seats.iter().copied().max().filter(|&most| most > 0)?;
    let mut first = (0..seats.len()).filter(|&seat| seats[seat] == most);
    let leader = first.next();
    if first.next().is_none() { leader } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(deeds: &str) -> Row {
        Row {
            game: 0,
            block: 0,
            cell: 0,
            turn: 0,
            plies: 9,
            is_forfeit: false,
            points: Default::default(),
            scores: Default::default(),
            deeds: deeds.parse().expect("deeds as they are written"),
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
