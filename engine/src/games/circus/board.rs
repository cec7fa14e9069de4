//! The board as tables: the goal of a card, the free way ahead, the steps left to the finish.
//!
//! Every cell lies on three lines, one for each pair of opposite directions. A line is a run of bits within one word,
//! with walls (set bits) at both ends and at the cells of the finish. A chariot sets its bit on all three lines. So the
//! free cells ahead are the zeros up to the next set bit.

use std::collections::VecDeque;

use super::config::Config;
use super::limits::{DIRECTION_IDS, Lines, MAX_CARD, MAX_SEATS, N_DIRECTIONS, NOWHERE, WORDS};
use crate::rules::{BadRules, Rules};

/// The laps with stored steps to go; see [`Board::steps_to_go`].
const LAPS: std::ops::RangeInclusive<i64> = -3..=2;

/// The cell after some steps in a direction, and the change of the leg on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Landing {
    pub(super) cell: u8,
    pub(super) turn: i8,
}

/// A way into the finish: its steps (0 for none), the entered cell, the change of the leg before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gate {
    pub(super) steps: u8,
    pub(super) cell: u8,
    pub(super) turn: i8,
}

/// The bit of a cell on a line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CellBit {
    word: u8,
    bit: u8,
}

/// The tables of one configuration.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) config: Config,
    /// Axial coordinates, for drawing.
    pub(super) coordinates: Vec<[i64; 2]>,
    /// The place of each cell's section in racing order; that of the finish is no section.
    pub(super) section: Vec<u8>,
    pub(super) rank: Vec<u8>,
    landings: Vec<[[Landing; MAX_CARD]; N_DIRECTIONS]>,
    gates: Vec<[Gate; N_DIRECTIONS]>,
    places: Vec<[CellBit; 3]>,
    /// The lines without chariots.
    pub(super) empty: Lines,
    /// The place of a cell among those of the finish, or `NOWHERE`.
    pub(super) finish_place: Vec<u8>,
    /// Fewest steps to the finish, by lap from the first of `LAPS`, by cell.
    to_go: Vec<Vec<u16>>,
    /// Number of steps of one additional lap, by cell.
    lap_steps: Vec<u16>,
    /// All cards, as a mask in which bit `v - 1` stands for the value `v`.
    pub(super) all_cards: u8,
    /// Largest number of cards of a chariot in a round.
    pub(super) most_cards: u8,
    pub(super) must_stay: u8,
    pub(super) team: usize,
    pub(super) finish_leg: i16,
    pub(super) n_sections: i16,
    /// The cells of the start in order.
    pub(super) start: Vec<u8>,
    /// Cells of the start that are dealt to a seat, with the seat, in the order of placing.
    pub(super) reserved: Vec<u8>,
    pub(super) dealt: [Vec<u8>; MAX_SEATS],
    /// Cards that a driver does not have.
    pub(super) missing: [u8; MAX_SEATS],
}

impl Board {
    /// Builds the tables of a checked configuration.
    pub(super) fn new(rules: &Rules, config: Config) -> Result<Self, BadRules> {
        let grid = Grid::new(rules, &config)?;
        let landings = grid.landings();
        let gates = grid.gates(&config);
        let (places, empty) = grid.lines(rules)?;
        let to_go = grid.steps_to_go(rules, &config)?;
        let lap_steps =
            (0..grid.n_cells()).map(|c| to_go[0][c].saturating_sub(to_go[1][c])).collect();
        let finish_place = (0..grid.n_cells() as i64)
            .map(|c| config.finish.cells.iter().position(|&f| f == c).map_or(NOWHERE, |i| i as u8))
            .collect();
        Ok(Self {
            coordinates: grid.coordinates,
            section: grid.section,
            rank: config.board.cells.iter().map(|cell| cell.rank.unwrap_or(0) as u8).collect(),
            landings,
            gates,
            places,
            empty,
            finish_place,
            to_go,
            lap_steps,
            all_cards: config.cards.values.iter().map(|value| 1 << (value - 1)).sum(),
            most_cards: config.most_cards() as u8,
            must_stay: config.cards.must_stay as u8,
            team: config.chariots.per_player as usize,
            finish_leg: config.chariots.finish_leg as i16,
            n_sections: config.n_sections() as i16,
            start: config.start.cells.iter().map(|&id| id as u8).collect(),
            reserved: Vec::new(),
            dealt: Default::default(),
            missing: [0; MAX_SEATS],
            config,
        })
    }

    /// Returns the cell that `steps` steps in a direction lead to.
    #[inline]
    pub(super) fn landing(&self, cell: u8, direction: usize, steps: u8) -> Landing {
        self.landings[usize::from(cell)][direction][usize::from(steps - 1)]
    }

    /// Returns the way into the finish from a cell in a direction.
    #[inline]
    pub(super) fn gate(&self, cell: u8, direction: usize) -> Gate {
        self.gates[usize::from(cell)][direction]
    }

    /// Returns whether a cell belongs to the finish.
    #[inline]
    pub(super) fn is_finish(&self, cell: u8) -> bool {
        self.finish_place[usize::from(cell)] != NOWHERE
    }

    /// Sets or clears the bits of a cell.
    #[inline]
    pub(super) fn toggle(&self, lines: &mut Lines, cell: u8) {
        for place in self.places[usize::from(cell)] {
            lines[usize::from(place.word)] ^= 1 << place.bit;
        }
    }

    /// Returns whether a chariot or a wall is in a cell.
    pub(super) fn is_blocked(&self, lines: &Lines, cell: u8) -> bool {
        let place = self.places[usize::from(cell)][0];
        lines[usize::from(place.word)] >> place.bit & 1 == 1
    }

    /// Returns the free cells from a cell in each direction, up to the next chariot or wall.
    #[inline]
    pub(super) fn free(&self, lines: &Lines, cell: u8) -> [u32; N_DIRECTIONS] {
        let mut free = [0; N_DIRECTIONS];
        for (axis, place) in self.places[usize::from(cell)].iter().enumerate() {
            // The lowest and the highest bit of a word are walls, so that no shift is by 64.
            let line = lines[usize::from(place.word)];
            free[axis] = (line >> (place.bit + 1)).trailing_zeros();
            free[axis + 3] = (line << (64 - place.bit)).leading_zeros();
        }
        free
    }

    /// Returns the cell and the leg after `steps` free steps in a direction.
    #[inline]
    pub(super) fn after(&self, cell: u8, leg: i16, direction: usize, steps: u8) -> (u8, i16) {
        let landing = self.landing(cell, direction, steps);
        (landing.cell, leg + i16::from(landing.turn))
    }

    /// Returns the fewest single steps from a cell at a leg to any cell of the finish on a board without chariots
    /// (C5b); 0 in the finish.
    ///
    /// Laps beyond the table follow a rule: further ahead the way is equal, and further back every lap adds an equal
    /// number of steps.
    #[inline]
    pub(super) fn steps_to_go(&self, cell: u8, leg: i16) -> u32 {
        let cell = usize::from(cell);
        if self.finish_place[cell] != NOWHERE {
            return 0;
        }
        let lap = (i64::from(leg - self.finish_leg).div_euclid(i64::from(self.n_sections))) + 1;
        let (first, last) = (*LAPS.start(), *LAPS.end());
        let behind = (first - lap).max(0) as u32;
        let row = (lap.clamp(first, last) - first) as usize;
        u32::from(self.to_go[row][cell]) + behind * u32::from(self.lap_steps[cell])
    }
}

/// The cells and their neighbours, from which the tables are built.
struct Grid {
    coordinates: Vec<[i64; 2]>,
    section: Vec<u8>,
    neighbours: Vec<[u8; N_DIRECTIONS]>,
    n_sections: i64,
}

/// The keys that define the map, the one most likely to be wrong first.
const MAP_KEYS: [&str; 5] =
    ["board.cells", "sections.order", "directions", "finish", "chariots.finish-leg"];
/// The section of the finish.
const NO_SECTION: u8 = u8::MAX;

impl Grid {
    fn new(rules: &Rules, config: &Config) -> Result<Self, BadRules> {
        let cells = &config.board.cells;
        let coordinates: Vec<[i64; 2]> = cells.iter().map(|cell| [cell.q, cell.r]).collect();
        let steps = config.directions.steps();
        let at = |q, r| coordinates.iter().position(|&c| c == [q, r]).map_or(NOWHERE, |i| i as u8);
        let around = |&[q, r]: &[i64; 2]| steps.map(|[dq, dr]| at(q + dq, r + dr));
        let neighbours = coordinates.iter().map(around).collect();
        let place = |name: &String| config.sections.order.iter().position(|s| s == name);
        let section = cells
            .iter()
            .map(|cell| cell.section.as_ref().and_then(place).map_or(NO_SECTION, |i| i as u8))
            .collect();
        let grid = Self { coordinates, section, neighbours, n_sections: config.n_sections() };
        grid.check(rules)?;
        Ok(grid)
    }

    fn n_cells(&self) -> usize {
        self.section.len()
    }

    fn is_track(&self, cell: u8) -> bool {
        cell != NOWHERE && self.section[usize::from(cell)] != NO_SECTION
    }

    /// Checks that a step leads to its own section or to a section beside it.
    fn check(&self, rules: &Rules) -> Result<(), BadRules> {
        for cell in (0..self.n_cells() as u8).filter(|&cell| self.is_track(cell)) {
            for &next in self.neighbours[usize::from(cell)].iter().filter(|&&c| self.is_track(c)) {
                if self.turn(cell, next).is_none() {
                    let message = format_args!(
                        "cells {cell} and {next} lie in sections that are not neighbours"
                    );
                    return Err(rules.bad_among(&MAP_KEYS, message));
                }
            }
        }
        Ok(())
    }

    /// Returns the change of the leg in a step between two cells of the track.
    fn turn(&self, from: u8, to: u8) -> Option<i8> {
        let section = |cell: u8| i64::from(self.section[usize::from(cell)]);
        match (section(to) - section(from)).rem_euclid(self.n_sections) {
            0 => Some(0),
            1 => Some(1),
            back if back == self.n_sections - 1 => Some(-1),
            _ => None,
        }
    }

    /// Returns the cells of the track from `cell` in a direction, up to the finish or the edge. Each has the change of
    /// the leg so far.
    fn ray(&self, cell: u8, direction: usize) -> impl Iterator<Item = Landing> {
        let mut at = Landing { cell, turn: 0 };
        std::iter::from_fn(move || {
            let next = self.neighbours[usize::from(at.cell)][direction];
            if !self.is_track(next) {
                return None;
            }
            at = Landing { cell: next, turn: at.turn + self.turn(at.cell, next)? };
            Some(at)
        })
    }

    fn landings(&self) -> Vec<[[Landing; MAX_CARD]; N_DIRECTIONS]> {
        let mut all =
            vec![[[Landing { cell: NOWHERE, turn: 0 }; MAX_CARD]; N_DIRECTIONS]; self.n_cells()];
        for cell in (0..self.n_cells() as u8).filter(|&cell| self.is_track(cell)) {
            for (direction, row) in all[usize::from(cell)].iter_mut().enumerate() {
                row.iter_mut()
                    .zip(self.ray(cell, direction))
                    .for_each(|(slot, found)| *slot = found);
            }
        }
        all
    }

    fn gates(&self, config: &Config) -> Vec<[Gate; N_DIRECTIONS]> {
        let mut all =
            vec![[Gate { steps: 0, cell: NOWHERE, turn: 0 }; N_DIRECTIONS]; self.n_cells()];
        let opens = |d: &usize| config.finish.directions.iter().any(|id| id == DIRECTION_IDS[*d]);
        for cell in (0..self.n_cells() as u8).filter(|&cell| self.is_track(cell)) {
            for direction in (0..N_DIRECTIONS).filter(opens) {
                let before = self.ray(cell, direction).last().unwrap_or(Landing { cell, turn: 0 });
                let steps = self.ray(cell, direction).count() + 1;
                let gate = self.neighbours[usize::from(before.cell)][direction];
                if gate != NOWHERE && steps <= MAX_CARD {
                    all[usize::from(cell)][direction] =
                        Gate { steps: steps as u8, cell: gate, turn: before.turn };
                }
            }
        }
        all
    }

    /// Packs the lines of all three axes into words.
    fn lines(&self, rules: &Rules) -> Result<(Vec<[CellBit; 3]>, Lines), BadRules> {
        let mut places = vec![[CellBit::default(); 3]; self.n_cells()];
        let mut empty: Lines = [u64::MAX; WORDS];
        let (mut word, mut bit) = (0, 1);
        for (axis, back) in (3..N_DIRECTIONS).enumerate() {
            let is_first = |cell: &u8| self.neighbours[usize::from(*cell)][back] == NOWHERE;
            for first in (0..self.n_cells() as u8).filter(is_first) {
                let next = |&cell: &u8| {
                    Some(self.neighbours[usize::from(cell)][axis]).filter(|&c| c != NOWHERE)
                };
                let line: Vec<u8> = std::iter::successors(Some(first), next).collect();
                if bit + line.len() >= 64 {
                    (word, bit) = (word + 1, 1);
                }
                if word >= WORDS || bit + line.len() >= 64 {
                    let message = "there are too many or too long lines";
                    return Err(rules.bad_among(&MAP_KEYS, message));
                }
                for cell in line {
                    places[usize::from(cell)][axis] = CellBit { word: word as u8, bit: bit as u8 };
                    if self.is_track(cell) {
                        empty[word] &= !(1 << bit);
                    }
                    bit += 1;
                }
                bit += 1;
            }
        }
        Ok((places, empty))
    }

    /// Returns the fewest steps to the finish by lap and cell: a search back from the finish, on a few laps more than
    /// are stored.
    fn steps_to_go(&self, rules: &Rules, config: &Config) -> Result<Vec<Vec<u16>>, BadRules> {
        let n_laps = (LAPS.end() - LAPS.start() + 3) as usize;
        let to_go = self.search_back(config, n_laps, LAPS.start() - 1);
        let kept = to_go[1..n_laps - 1].to_vec();
        let is_far = |cell: &usize| self.section[*cell] != NO_SECTION && kept[0][*cell] == u16::MAX;
        match (0..self.n_cells()).find(is_far) {
            Some(cell) => {
                let message = format_args!("no way leads from cell {cell} to the finish");
                Err(rules.bad_among(&MAP_KEYS, message))
            }
            None => Ok(kept),
        }
    }

    /// Returns the search behind [`Board::steps_to_go`], on `n_laps` laps from `first`. Lap 1 begins with the leg from
    /// which the finish is open.
    fn search_back(&self, config: &Config, n_laps: usize, first: i64) -> Vec<Vec<u16>> {
        let mut to_go = vec![vec![u16::MAX; self.n_cells()]; n_laps];
        let mut queue = VecDeque::new();
        let opens = |d: usize| config.finish.directions.iter().any(|id| id == DIRECTION_IDS[d]);
        let leads_home = |cell: u8, d: usize| {
            let next = self.neighbours[usize::from(cell)][d];
            opens(d) && next != NOWHERE && !self.is_track(next)
        };
        for lap in (0..n_laps).filter(|&lap| lap as i64 + first >= 1) {
            for cell in (0..self.n_cells() as u8).filter(|&cell| self.is_track(cell)) {
                if (0..N_DIRECTIONS).any(|d| leads_home(cell, d)) {
                    to_go[lap][usize::from(cell)] = 1;
                    queue.push_back((lap, cell));
                }
            }
        }
        while let Some((lap, cell)) = queue.pop_front() {
            let steps = to_go[lap][usize::from(cell)] + 1;
            for &from in self.neighbours[usize::from(cell)].iter().filter(|&&c| self.is_track(c)) {
                let leg = |cell: u8| i64::from(self.section[usize::from(cell)]);
                let turn = i64::from(self.turn(from, cell).unwrap_or(0));
                // leg(cell) + lap * n = leg(from) + lap_from * n + turn
                let lap_from = lap as i64 + (leg(cell) - leg(from) - turn) / self.n_sections;
                if !(0..n_laps as i64).contains(&lap_from) {
                    continue;
                }
                let known = &mut to_go[lap_from as usize][usize::from(from)];
                if *known == u16::MAX {
                    *known = steps;
                    queue.push_back((lap_from as usize, from));
                }
            }
        }
        to_go
    }
}
