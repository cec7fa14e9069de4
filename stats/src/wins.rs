//! Wins, draws and losses of agents, and their shares by seat, as running sums over blocks.
//!
//! A seat *wins* a game if no other seat got as many points, *draws* if it shares the most points with others, and
//! *loses* otherwise. Shares and rates have the intervals of [`Stratified`]: a block in which an agent played, or held
//! that seat, is one observation.

use super::family::Family;
use super::interval::Interval;
use super::proportion::Method;
use super::stratified::Stratified;

/// The ending of a game for a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// No other seat got as many points.
    Win,
    /// The seat shared the most points with others.
    Draw,
    /// Another seat got more.
    Loss,
}

impl Ending {
    /// All endings, in the order of their counts.
    pub const ALL: [Self; 3] = [Self::Win, Self::Draw, Self::Loss];

    /// Returns the ending for `seat`, from the points of all seats.
    #[must_use]
    pub fn of(points: &[f32], seat: usize) -> Self {
        let mine = points[seat];
        let others = || points.iter().enumerate().filter(|(other, _)| *other != seat);
        if others().any(|(_, &points)| points > mine) {
            Self::Loss
        } else if others().any(|(_, &points)| points >= mine) {
            Self::Draw
        } else {
            Self::Win
        }
    }
}

/// A mean over blocks of values from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    /// The number of games with this ending, or of games in the seat.
    pub count: u64,
    /// The number of blocks with an observation, at least 1.
    pub blocks: u64,
    /// The mean over blocks.
    pub mean: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// The simultaneous interval over all others of its column.
    ///
    /// For an ending the column is the same ending of all agents; for a seat it is all seats of all agents.
    pub together: Interval,
    /// The method that gave the interval.
    pub method: Method,
}

/// The record of an agent's games.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Wins, draws and losses: counted by game and seat, and as rates.
    pub endings: [Rate; 3],
    /// The share of points in each seat; `None` for a seat that the agent never held.
    pub seats: Vec<Option<Rate>>,
}

/// The sums over an agent's games in the open block.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    games: u32,
    value: f64,
}

/// Wins, draws, losses and shares by seat of all agents.
#[derive(Clone, Debug)]
pub struct Wins {
    players: usize,
    /// The open counts, by agent and ending.
    open: Vec<[u32; 3]>,
    counts: Vec<[u64; 3]>,
    rates: Vec<[Stratified; 3]>,
    /// The open sums, by agent and seat.
    open_seats: Vec<Open>,
    games: Vec<u64>,
    seats: Vec<Stratified>,
}

impl Wins {
    /// Returns the sums of `agents` agents at tables of `players`, before their first game.
    #[must_use]
    pub fn new(agents: usize, players: usize) -> Self {
        Self {
            players,
            open: vec![[0; 3]; agents],
            counts: vec![[0; 3]; agents],
            rates: vec![Default::default(); agents],
            open_seats: vec![Open::default(); agents * players],
            games: vec![0; agents * players],
            seats: vec![Stratified::default(); agents * players],
        }
    }

    /// Adds a game to the open block: the points of all seats, and the agent in each.
    pub fn add(&mut self, points: &[f32], agent_in: impl Fn(usize) -> usize) {
        for (seat, &share) in points.iter().enumerate() {
            let agent = agent_in(seat);
            self.open[agent][Ending::of(points, seat) as usize] += 1;
            let open = &mut self.open_seats[agent * self.players + seat];
            open.games += 1;
            open.value += f64::from(share);
        }
    }

    /// Closes the block of `games` games at the table with this number.
    pub fn close_block(&mut self, table: u32, games: f64) {
        for (agent, open) in self.open.iter_mut().enumerate() {
            let all = f64::from(open.iter().sum::<u32>());
            if all <= 0.0 {
                continue;
            }
            for (i, &n) in open.iter().enumerate() {
                // Of several seats at a table at most one can win.
                let most = if i == Ending::Win as usize { games / all } else { 1.0 };
                self.counts[agent][i] += u64::from(n);
                self.rates[agent][i].add(table, [0.0, most], f64::from(n) / all);
            }
            *open = [0; 3];
        }
        let seats = self.open_seats.iter_mut().zip(self.games.iter_mut().zip(&mut self.seats));
        for (open, (games, seat)) in seats.filter(|(open, _)| open.games > 0) {
            *games += u64::from(open.games);
            seat.add(table, [0.0, 1.0], open.value / f64::from(open.games));
            *open = Open::default();
        }
    }

    /// Returns the record of an agent; `None` before its first whole block.
    #[must_use]
    pub fn record(&self, agent: usize) -> Option<Record> {
        let known = |values: &&Stratified| values.n() > 0;
        let agents = Family::of(self.rates.iter().map(|rates| &rates[0]).filter(known).count());
        let places = Family::of(self.seats.iter().filter(known).count());
        let endings = [0, 1, 2].map(|i| rate(self.counts[agent][i], &self.rates[agent][i], agents));
        let [Some(wins), Some(draws), Some(losses)] = endings else { return None };
        let seats = agent * self.players..(agent + 1) * self.players;
        let seats = self.games[seats.clone()].iter().zip(&self.seats[seats]);
        Some(Record {
            endings: [wins, draws, losses],
            seats: seats.map(|(&games, seat)| rate(games, seat, places)).collect(),
        })
    }
}

fn rate(count: u64, values: &Stratified, family: Family) -> Option<Rate> {
    (values.n() > 0).then(|| Rate {
        count,
        blocks: values.n(),
        mean: values.mean(),
        interval: values.interval(),
        together: values.together(family),
        method: values.method(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_first_place_is_a_draw_and_nobody_s_win() {
        let endings = |points: &[f32]| -> Vec<Ending> {
            (0..points.len()).map(|seat| Ending::of(points, seat)).collect()
        };
        assert_eq!(endings(&[0.0, 1.0, 0.0]), [Ending::Loss, Ending::Win, Ending::Loss]);
        assert_eq!(endings(&[0.5, 0.0, 0.5]), [Ending::Draw, Ending::Loss, Ending::Draw]);
        assert_eq!(endings(&[0.5, 0.5]), [Ending::Draw; 2]);
    }

    #[test]
    fn endings_are_counted_by_seat_and_game_and_add_up_to_all_of_them() {
        let mut wins = Wins::new(2, 3);
        for block in 0..40 {
            for turn in 0..3 {
                // Agent 1 holds two seats; seat 0 wins, in every fourth block it shares with seat 1.
                let points = if block % 4 == 0 { [0.5, 0.5, 0.0] } else { [1.0, 0.0, 0.0] };
                wins.add(&points, |seat| usize::from(seat != turn));
            }
            wins.close_block(0, 3.0);
        }
        for (agent, seats) in [(0, 1), (1, 2)] {
            let record = wins.record(agent).unwrap();
            let counts = record.endings.map(|rate| rate.count);
            // Per seat held: 30 blocks with one win in three games, 10 with two draws.
            assert_eq!(counts, [30 * seats, 20 * seats, 70 * seats]);
            assert!((record.endings.iter().map(|rate| rate.mean).sum::<f64>() - 1.0).abs() < 1e-12);
            for rate in record.endings {
                assert!(rate.interval.contains(rate.mean) && rate.blocks == 40);
            }
            let shares: Vec<f64> = record.seats.iter().flatten().map(|rate| rate.mean).collect();
            assert!((shares[0] - 0.875).abs() < 1e-12 && (shares[1] - 0.125).abs() < 1e-12);
            assert_eq!(
                record.seats.iter().flatten().map(|rate| rate.count).sum::<u64>(),
                120 * seats
            );
        }
    }

    #[test]
    fn a_seat_that_was_never_held_has_no_share() {
        let mut wins = Wins::new(2, 2);
        assert_eq!(wins.record(0), None);
        for _ in 0..12 {
            wins.add(&[1.0, 0.0], |seat| seat);
            wins.close_block(0, 1.0);
        }
        let record = wins.record(0).unwrap();
        assert!(record.seats[1].is_none());
        let computed = record.seats[0].unwrap().interval;
        assert!(computed.high > 0.999 && (computed.low - 0.025_f64.powf(1.0 / 12.0)).abs() < 1e-9);
    }
}
