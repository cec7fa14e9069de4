//! The table of a tournament, as running sums over blocks: memory does not grow with the number of games.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use agents::SearchTally;

use super::copies::Copies;
use super::family::Family;
use super::interval::Interval;
use super::multiple::holm;
use super::standing::{Next, Standing};
use super::stratified::{Stratified, Tables};
use super::wins::{Record, Wins};
use crate::event::{Event, GameResult, Observer};

/// The largest part of forfeited games for a valid result; beyond it faults decide, not play.
pub const MOST_FORFEITS: f64 = 0.05;

/// A collector of the standings of a tournament.
#[derive(Clone, Debug)]
pub struct Standings {
    players: usize,
    games_per_block: u64,
    names: Vec<String>,
    agent_of: Vec<usize>,
    tables: Tables,
    /// The number of the table of the open block.
    table: u32,
    block: Vec<Sums>,
    games_in_block: u64,
    totals: Vec<Totals>,
    /// The first share minus the second, at `first · specs + second` with `first < second`.
    differences: Vec<Stratified>,
    wins: Wins,
    copies: Copies,
    games: u64,
    plies: u64,
    forfeits: u64,
    first_forfeit: Option<(u64, String)>,
}

/// Sums over the seats of one agent in one block.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    seats: u32,
    points: f64,
    score: f64,
    rank: f64,
}

impl Sums {
    /// Returns the points per game and seat.
    fn share(&self) -> f64 {
        self.points / f64::from(self.seats)
    }

    /// Returns the number of seats held in each of `games` games.
    fn held(&self, games: f64) -> f64 {
        f64::from(self.seats) / games
    }
}

#[derive(Clone, Debug, Default)]
struct Totals {
    seats: u64,
    points: Stratified,
    score: Stratified,
    rank: Stratified,
    searched: SearchTally,
}

impl Standings {
    /// Returns the standings of `lineup`, names by entrant, at tables of `players`; entrants with equal names share a
    /// line.
    #[must_use]
    pub fn new(lineup: &[String], players: usize, games_per_block: u64) -> Self {
        let mut names: Vec<String> = Vec::new();
        let agent_of = lineup
            .iter()
            .map(|name| {
                names.iter().position(|known| known == name).unwrap_or_else(|| {
                    names.push(name.clone());
                    names.len() - 1
                })
            })
            .collect();
        Self {
            players,
            games_per_block,
            agent_of,
            tables: Tables::default(),
            table: 0,
            block: vec![Sums::default(); names.len()],
            games_in_block: 0,
            totals: vec![Totals::default(); names.len()],
            differences: vec![Stratified::default(); names.len() * names.len()],
            wins: Wins::new(names.len(), players),
            copies: Copies::default(),
            names,
            games: 0,
            plies: 0,
            forfeits: 0,
            first_forfeit: None,
        }
    }

    /// Returns the number of recorded games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of recorded whole blocks.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.games / self.games_per_block
    }

    /// Returns the number of choices of players in all games.
    #[must_use]
    pub const fn plies(&self) -> u64 {
        self.plies
    }

    /// Returns the number of games that an agent broke off.
    #[must_use]
    pub const fn forfeits(&self) -> u64 {
        self.forfeits
    }

    /// Returns whether more than [`MOST_FORFEITS`] of the games were broken off, so that faults decide instead of play.
    #[must_use]
    pub fn is_spoilt(&self) -> bool {
        self.forfeits as f64 > MOST_FORFEITS * self.games as f64
    }

    /// Returns the first game that was broken off: its index, and the agent with its reason.
    #[must_use]
    pub const fn first_forfeit(&self) -> Option<&(u64, String)> {
        self.first_forfeit.as_ref()
    }

    fn add(&mut self, game: &GameResult) {
        if self.games_in_block == 0 {
            let seated = game.seating.iter().take(self.players);
            let agents = seated.map(|&entrant| self.agent_of[usize::from(entrant)]);
            self.table = self.tables.number(agents.clone());
            self.copies.open_block(self.table, agents);
        }
        self.copies.add(game);
        let ranks = game.ranks(self.players);
        for (seat, rank) in ranks.into_iter().enumerate().take(self.players) {
            let sums = &mut self.block[self.agent_of[usize::from(game.seating[seat])]];
            sums.seats += 1;
            sums.points += f64::from(game.points[seat]);
            sums.score += f64::from(game.scores[seat]);
            sums.rank += rank;
        }
        self.wins.add(&game.points[..self.players], |seat| {
            self.agent_of[usize::from(game.seating[seat])]
        });
        if let Some(searched) = &game.searched {
            for (seat, tally) in searched.iter().enumerate().take(self.players) {
                self.totals[self.agent_of[usize::from(game.seating[seat])]].searched += *tally;
            }
        }
        self.games += 1;
        self.plies += u64::from(game.plies);
        if let Some(forfeit) = &game.forfeit {
            self.forfeits += 1;
            let entrant = usize::from(game.seating[forfeit.player]);
            self.first_forfeit.get_or_insert_with(|| {
                let name = &self.names[self.agent_of[entrant]];
                (game.index, format!("{name}: {}", forfeit.reason))
            });
        }
        self.games_in_block += 1;
        if self.games_in_block == self.games_per_block {
            self.close_block();
        }
    }

    /// Counts the block for the agents at its table.
    fn close_block(&mut self) {
        let (n, games) = (self.names.len(), f64::from(self.games_in_block as u32));
        self.wins.close_block(self.table, games);
        self.copies.close_block();
        for (i, sums) in self.block.iter().enumerate().filter(|(_, sums)| sums.seats > 0) {
            let (totals, all, held) =
                (&mut self.totals[i], f64::from(sums.seats), sums.held(games));
            totals.seats += u64::from(sums.seats);
            totals.points.add(self.table, [0.0, 1.0 / held], sums.share());
            totals.score.add(self.table, [f64::NEG_INFINITY, f64::INFINITY], sums.score / all);
            let first = f64::midpoint(held, 1.0);
            let last = self.players as f64 + 1.0 - first;
            totals.rank.add(self.table, [first, last], sums.rank / all);
            let others = self.block.iter().enumerate().skip(i + 1);
            for (j, other) in others.filter(|(_, other)| other.seats > 0) {
                let range = [-1.0 / other.held(games), 1.0 / held];
                self.differences[i * n + j].add(self.table, range, sums.share() - other.share());
            }
        }
        self.block.fill(Sums::default());
        self.games_in_block = 0;
    }

    /// Returns whether all blocks of each table are copies of one block: [`Copies::is_all`].
    #[must_use]
    pub fn are_copies(&self) -> bool {
        self.copies.is_all()
    }

    /// Returns whether all blocks in which these two agents met are copies of each other: [`Copies::is_pair`].
    #[must_use]
    pub fn met_in_copies(&self, first: &str, second: &str) -> bool {
        let place = |name: &str| self.names.iter().position(|known| known == name);
        let pair = place(first).zip(place(second)).filter(|(i, j)| i != j);
        pair.is_some_and(|(i, j)| self.copies.is_pair(i, j))
    }

    /// Returns the pairs of agents whose blocks are copies, with their number of blocks, in the order of the line-up.
    #[must_use]
    pub fn copied_pairs(&self) -> Vec<([&str; 2], u64)> {
        let n = self.names.len();
        let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        all.filter(|&(i, j)| self.copies.is_pair(i, j))
            .map(|(i, j)| ([i, j].map(|k| &*self.names[k]), self.differences[i * n + j].n()))
            .collect()
    }

    /// Returns the number of different blocks, if all others are copies of these.
    #[must_use]
    pub fn originals(&self) -> usize {
        self.copies.originals()
    }

    /// Returns wins, draws and losses of the agent `name`, and its share in each seat; `None` before its first whole
    /// block.
    #[must_use]
    pub fn record(&self, name: &str) -> Option<Record> {
        self.wins.record(self.names.iter().position(|known| known == name)?)
    }

    /// Returns the 95 % interval of the share of agent `first` minus that of `second`, in the blocks where both played.
    ///
    /// `None` unless there are two such agents, and they met.
    #[must_use]
    pub fn difference(&self, first: &str, second: &str) -> Option<Interval> {
        let place = |name: &str| self.names.iter().position(|known| known == name);
        let (i, j) = (place(first)?, place(second)?);
        (i != j).then(|| self.meetings(i, j)).flatten()
    }

    /// Returns the interval of the difference of two agents in the blocks where both played; `None` if they never met.
    fn meetings(&self, i: usize, j: usize) -> Option<Interval> {
        let difference = &self.differences[i.min(j) * self.names.len() + i.max(j)];
        let Interval { low, high } = (difference.n() > 0).then(|| difference.interval())?;
        Some(if i < j { Interval { low, high } } else { Interval { low: -high, high: -low } })
    }

    /// Returns the difference that ranks two agents `i < j`: its estimate, interval and p-value.
    ///
    /// It is that of their shares. If these are not comparable, it is that of the blocks where both played.
    fn ranked(&self, i: usize, j: usize) -> (f64, Interval, f64) {
        let both = &self.differences[i * self.names.len() + j];
        let [first, second] = [i, j].map(|agent| &self.totals[agent].points);
        let is_whole = [first, second].iter().all(|of| of.n() == both.n());
        match Stratified::difference(first, second, both).filter(|_| !is_whole) {
            Some(difference) => (difference.mean(), difference.interval(), difference.p_value()),
            None => (both.mean(), both.interval(), both.p_value(0.0)),
        }
    }

    /// Returns the table, best share first; equal shares keep the order of the line-up.
    #[must_use]
    pub fn table(&self) -> Vec<Standing> {
        self.ranking(None)
    }

    /// Returns the table. In a gauntlet the `candidate` comes first, without a comparison with the line below.
    #[must_use]
    pub fn ranking(&self, candidate: Option<&str>) -> Vec<Standing> {
        let place = candidate.and_then(|name| self.names.iter().position(|known| known == name));
        let Some(candidate) = place else { return self.lines((0..self.names.len()).collect()) };
        let field = (0..self.names.len()).filter(|&i| i != candidate).collect();
        std::iter::once(self.line(candidate)).chain(self.lines(field)).collect()
    }

    /// Returns whether all of these lines met each other and no two differ significantly.
    ///
    /// The test is the interval of each pair, or Holm's p-values over all pairs if `among_all`.
    #[must_use]
    pub fn tells_none_apart(&self, lines: &[Standing], among_all: bool) -> bool {
        let place = |line: &Standing| self.names.iter().position(|name| *name == line.name);
        let agents: Vec<usize> = lines.iter().filter_map(place).collect();
        let adjusted = self.adjusted(&agents);
        let n_pairs = agents.len() * agents.len().saturating_sub(1) / 2;
        let is_open = |(&(i, j), &p): (&(usize, usize), &f64)| match among_all {
            true => p >= 0.05,
            false => {
                let Interval { low, high } = self.ranked(i, j).1;
                low <= 0.0 && high >= 0.0
            }
        };
        adjusted.len() == n_pairs && adjusted.iter().all(is_open)
    }

    /// Returns the lines of these agents, best share first.
    fn lines(&self, mut order: Vec<usize>) -> Vec<Standing> {
        let share = |i: usize| self.totals[i].points.mean();
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        let mut lines: Vec<Standing> = order.iter().map(|&i| self.line(i)).collect();
        let adjusted = self.adjusted(&order);
        for (line, pair) in lines.iter_mut().zip(order.windows(2)) {
            let (i, j) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            if self.copies.is_pair(i, j) {
                line.next = Some(Next::Copies);
                continue;
            }
            let known = adjusted.get(&(i, j)).zip(self.meetings(pair[0], pair[1]));
            line.next = Some(known.map_or(Next::NeverMet, |(&p, meetings)| {
                let (difference, interval, _) = self.ranked(i, j);
                let Interval { low, high } = interval;
                let (difference, interval) = match pair[0] == i {
                    true => (difference, interval),
                    false => (-difference, Interval { low: -high, high: -low }),
                };
                Next::Met { difference, interval, p, meetings }
            }));
        }
        lines
    }

    /// Returns Holm's p-values of the differences of all pairs of `agents` that met, except in copies of one block.
    ///
    /// The same games select the neighbours, so all pairs that might have been neighbours count.
    fn adjusted(&self, agents: &[usize]) -> BTreeMap<(usize, usize), f64> {
        let n = self.names.len();
        let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let met = all.filter(|(i, j)| agents.contains(i) && agents.contains(j));
        let met = met.filter(|&(i, j)| !self.copies.is_pair(i, j));
        let met: Vec<_> = met.filter(|(i, j)| self.differences[i * n + j].n() > 0).collect();
        let p: Vec<f64> = met.iter().map(|&(i, j)| self.ranked(i, j).2).collect();
        met.into_iter().zip(holm(&p)).collect()
    }

    fn line(&self, i: usize) -> Standing {
        let totals = &self.totals[i];
        let [first, last] = totals.rank.range();
        Standing {
            name: self.names[i].clone(),
            blocks: totals.points.n(),
            games: totals.seats,
            share: totals.points.mean(),
            interval: totals.points.interval(),
            together: totals.points.together(Family::of(self.names.len())),
            method: totals.points.method(),
            score: totals.score.mean(),
            score_half: totals.score.half_width(),
            rank: totals.rank.mean(),
            rank_half: totals.rank.half_width(),
            rank_interval: totals.rank.interval(),
            rank_range: Interval { low: first, high: last },
            next: None,
            searched: totals.searched,
        }
    }
}

impl Observer for Standings {
    fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::GameOver(game) = event {
            self.add(game);
        }
        ControlFlow::Continue(())
    }
}
