//! Block values of seats, of places in forced orders, and of bought places.

use super::cell::Experiment;
use super::forced::{forced, opened};
use super::order::Order;
use super::rows::Row;
use super::uptake::Placed;

/// An accumulator of the values of seats and places, by lineup.
#[derive(Clone, Debug)]
pub struct SeatAccumulator {
    players: usize,
    order: Option<Order>,
    lineups: Vec<Lineup>,
    /// The rows in a block, by lineup.
    cells: Vec<Places>,
}

/// The values of a lineup.
#[derive(Clone, Debug, Default)]
pub struct Lineup {
    /// The share of each seat in untreated games, less an equal share, by seat and block.
    pub seats: Vec<Vec<f64>>,
    /// Choices of players in an untreated game.
    pub plies: Vec<f64>,
    /// The highest score less the lowest in an untreated game.
    pub spreads: Vec<f64>,
    /// Values by stage, in the order of the design.
    pub stages: Vec<Stage>,
}

/// The values of a stage, by block. A block without a value is absent.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// The share at each place of the forced order, less an equal share.
    pub order: Vec<Vec<f64>>,
    /// The share of each seat in the same games, less an equal share.
    pub seats: Vec<Vec<f64>>,
    /// The share at each place among the bidders, from the first bidder on, less an equal share.
    pub auction: Vec<Vec<f64>>,
    /// The payment at each place among the bidders.
    pub prices: Vec<Vec<f64>>,
    /// The purchases in untreated games.
    pub bought: Vec<Option<Bought>>,
    /// The payment for each place in the turn order, in untreated games.
    pub paid: Vec<Vec<f64>>,
    /// Share of a seat on the leader's side, less its share on the other side.
    pub with_leader: Vec<Option<f64>>,
    /// Share of a seat on the side of the last, less its share on the other side.
    pub with_last: Vec<Option<f64>>,
}

/// The purchases in a block.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bought {
    /// The mean price that buyers paid.
    pub price: f64,
    /// The worth of what the buyers bought, from the position in which they bought it: their share with that place and
    /// side if nobody pays, less their mean share over all places and sides.
    pub gain: f64,
}

/// The row indices of a lineup.
#[derive(Clone, Debug, Default)]
struct Places {
    control: usize,
    /// Rows by stage and pattern.
    forced: Vec<Vec<usize>>,
    /// Rows by stage.
    opened: Vec<Option<usize>>,
}

impl SeatAccumulator {
    /// Creates an accumulator without blocks; `None` if the experiment is not about seats.
    #[must_use]
    pub fn new(experiment: &Experiment) -> Option<Self> {
        if !experiment.seats {
            return None;
        }
        let players = experiment.players;
        let first = |place: usize| -> usize {
            experiment.cells[..place].iter().map(|cell| experiment.rotations(cell)).sum()
        };
        let order = experiment.order.clone();
        let of_lane = |lineup: usize| {
            let row = |id: &str| experiment.cell_index(lineup, id).map(first);
            let mut places =
                Places { control: first(experiment.control_of(lineup)), ..Places::default() };
            if let Some(order) = &order {
                let patterns = |stage: u8| order.patterns.iter().map(move |p| forced(stage, p));
                let rows = |&stage: &u8| patterns(stage).filter_map(|id| row(&id)).collect();
                places.forced = order.stages.iter().map(rows).collect();
                places.opened = order.stages.iter().map(|&stage| row(&opened(stage))).collect();
            }
            places
        };
        let lists = || vec![Vec::new(); players];
        let stage = || Stage {
            order: lists(),
            seats: lists(),
            auction: lists(),
            prices: lists(),
            paid: lists(),
            ..Stage::default()
        };
        let n_stages = order.as_ref().map_or(0, |order| order.stages.len());
        let lineup = || Lineup {
            seats: lists(),
            plies: Vec::new(),
            spreads: Vec::new(),
            stages: (0..n_stages).map(|_| stage()).collect(),
        };
        let n = experiment.lineups.len();
        let cells = (0..n).map(of_lane).collect();
        Some(Self { players, lineups: (0..n).map(|_| lineup()).collect(), cells, order })
    }

    /// Returns the values of a lineup.
    #[must_use]
    pub fn lineup(&self, lineup: usize) -> &Lineup {
        &self.lineups[lineup]
    }

    /// Adds the rows of the next block.
    pub(super) fn add(&mut self, rows: &[Row]) {
        let n = self.players;
        let equal = 1.0 / n as f64;
        for (lineup, cells) in self.lineups.iter_mut().zip(&self.cells) {
            let control = &rows[cells.control];
            lineup.plies.push(f64::from(control.plies));
            let scores = || control.scores[..n].iter().copied();
            let [most, least] =
                [scores().fold(f32::MIN, f32::max), scores().fold(f32::MAX, f32::min)];
            lineup.spreads.push(f64::from(most - least));
            for (seat, list) in lineup.seats.iter_mut().enumerate() {
                list.push(f64::from(control.points[seat]) - equal);
            }
            for (i, stage) in lineup.stages.iter_mut().enumerate() {
                let number = self.order.as_ref().map_or(0, |order| order.stages[i]);
                let patterns = self.order.iter().flat_map(|order| &order.patterns);
                let starts = cells.forced[i].iter();
                let games: Vec<Game<'_>> = patterns
                    .zip(starts)
                    .flat_map(|(sides, &start)| {
                        let game = move |first| Game { row: &rows[start + first], sides, first };
                        (0..n).map(game)
                    })
                    .collect();
                stage.add_forced(&games, n);
                if let Some(start) = cells.opened[i] {
                    stage.add_opened(&rows[start..start + n], number);
                }
                stage.add_free(control.uptake.placed(number), &games, n);
            }
        }
    }
}

/// A game with forced order and sides.
struct Game<'a> {
    row: &'a Row,
    sides: &'a [bool],
    /// The seat that is first.
    first: usize,
}

impl Game<'_> {
    fn points(&self, seat: usize) -> f64 {
        self.row.points[seat].into()
    }

    fn place(&self, seat: usize) -> usize {
        let n = self.sides.len();
        (seat + n - self.first) % n
    }

    fn side(&self, seat: usize) -> bool {
        self.sides[self.place(seat)]
    }

    fn are_together(&self, one: usize, other: usize) -> bool {
        self.side(one) == self.side(other)
    }
}

/// Returns the mean share of a seat over the games that `is_one` selects; `None` if it selects none.
fn mean(games: &[Game<'_>], seat: usize, is_one: impl Fn(&Game<'_>) -> bool) -> Option<f64> {
    let picked = games.iter().filter(|game| is_one(game));
    let (sum, n) = picked.fold((0.0, 0.0), |(sum, n), game| (sum + game.points(seat), n + 1.0));
    (n > 0.0).then(|| sum / n)
}

/// Returns the mean of the values; `None` if there are none.
fn average(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0.0), |(sum, n), x| (sum + x, n + 1.0));
    (n > 0.0).then(|| sum / n)
}

impl Stage {
    fn add_forced(&mut self, games: &[Game<'_>], players: usize) {
        if games.is_empty() {
            return;
        }
        let equal = 1.0 / players as f64;
        let n = games.len() as f64;
        for (place, list) in self.order.iter_mut().enumerate() {
            let own = |game: &Game<'_>| game.points((game.first + place) % players);
            list.push(games.iter().map(own).sum::<f64>() / n - equal);
        }
        for (seat, list) in self.seats.iter_mut().enumerate() {
            list.push(games.iter().map(|game| game.points(seat)).sum::<f64>() / n - equal);
        }
    }

    fn add_opened(&mut self, rows: &[Row], stage: u8) {
        let n = rows.len();
        let seat = |first: usize, place: usize| (first + place) % n;
        for (place, list) in self.auction.iter_mut().enumerate() {
            let points = |(first, row): (usize, &Row)| f64::from(row.points[seat(first, place)]);
            let sum: f64 = rows.iter().enumerate().map(points).sum();
            list.push((sum - 1.0) / n as f64);
        }
        let bids: Option<Vec<&[Placed]>> =
            rows.iter().map(|row| row.uptake.placed(stage)).collect();
        let Some(bids) = bids else { return };
        for (place, list) in self.prices.iter_mut().enumerate() {
            let price =
                |(first, bids): (usize, &&[Placed])| f64::from(bids[seat(first, place)].price);
            list.push(bids.iter().enumerate().map(price).sum::<f64>() / n as f64);
        }
    }

    /// Adds an untreated game and the forced games of the same block.
    fn add_free(&mut self, free: Option<&[Placed]>, games: &[Game<'_>], players: usize) {
        let Some(free) = free.filter(|free| free.len() == players && !games.is_empty()) else {
            self.bought.push(None);
            self.with_leader.push(None);
            self.with_last.push(None);
            return;
        };
        for (place, list) in self.paid.iter_mut().enumerate() {
            let who = free.iter().find(|placed| placed.place == place);
            list.extend(who.map(|placed| f64::from(placed.price)));
        }
        self.bought.push(bought(free, games));
        let scores = |sign: i32| free.iter().map(move |placed| sign * placed.score);
        let beside =
            |target: Option<usize>| target.and_then(|target| beside(target, games, players));
        self.with_leader.push(beside(alone_first(scores(1))));
        self.with_last.push(beside(alone_first(scores(-1))));
    }
}

/// Returns the seat with the largest number; `None` for a tie.
fn alone_first(numbers: impl Iterator<Item = i32> + Clone) -> Option<usize> {
    let most = numbers.clone().max()?;
    let mut first = numbers.enumerate().filter(|(_, x)| *x == most).map(|(seat, _)| seat);
    let one = first.next();
    if first.next().is_none() { one } else { None }
}

/// Returns the share of the other players on the side of `target`, less their share on the other side, with equal
/// weights.
fn beside(target: usize, games: &[Game<'_>], players: usize) -> Option<f64> {
    let one = |seat: usize| {
        let with = mean(games, seat, |game| game.are_together(seat, target))?;
        Some(with - mean(games, seat, |game| !game.are_together(seat, target))?)
    };
    average((0..players).filter(|&seat| seat != target).filter_map(one))
}

/// Returns the mean price and gain of the buyers in an untreated game.
fn bought(free: &[Placed], games: &[Game<'_>]) -> Option<Bought> {
    let gain = |seat: usize| {
        let own = free[seat];
        let is_it = |game: &Game<'_>| {
            game.place(seat) == own.place
                && (0..free.len()).all(|other| {
                    game.are_together(seat, other) == (free[other].second == own.second)
                })
        };
        Some(mean(games, seat, is_it)? - mean(games, seat, |_| true)?)
    };
    let payers = (0..free.len()).filter(|&seat| free[seat].price > 0);
    let all: Vec<(f64, f64)> =
        payers.filter_map(|seat| Some((f64::from(free[seat].price), gain(seat)?))).collect();
    let price = average(all.iter().map(|(price, _)| *price))?;
    Some(Bought { price, gain: average(all.iter().map(|(_, gain)| *gain))? })
}
