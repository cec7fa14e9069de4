//! The table of a tournament, as running sums over blocks: memory does not grow with the number of games.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use agents::SearchTally;

use super::family::Family;
use super::interval::Interval;
use super::multiple::holm;
use super::proportion::Method;
use super::stratified::{Stratified, Tables};
use super::wins::{Record, Wins};
use crate::event::{Event, GameResult, Observer};

/// Listens to a tournament and knows its standings at any time.
#[derive(Clone, Debug)]
pub struct Standings {
    players: usize,
    games_per_block: u64,
    names: Vec<String>,
    agent_of: Vec<usize>,
    tables: Tables,
    /// The number of the table of the block that is open.
    table: u32,
    block: Vec<Sums>,
    games_in_block: u64,
    totals: Vec<Totals>,
    /// The first share less the second, at `first · specs + second` with `first < second`.
    differences: Vec<Stratified>,
    wins: Wins,
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
    /// Points per game and seat.
    fn share(&self) -> f64 {
        self.points / f64::from(self.seats)
    }

    /// Seats held in each of `games` games.
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

/// One line of the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The name of the agent: its label, or its canonical spec.
    pub name: String,
    /// Blocks it played.
    pub blocks: u64,
    /// Games it played; one for each seat it held.
    pub games: u64,
    /// Points per game and seat, in `[0, 1]`; at most 1/k for an agent that holds k seats of every game.
    pub share: f64,
    /// The 95 % interval of the share, by block and table.
    pub interval: Interval,
    /// The interval of the share that holds together with those of all other lines.
    pub together: Interval,
    /// How it was computed.
    pub method: Method,
    /// Mean score at the end.
    pub score: f64,
    /// Half the width of its 95 % interval; `None` where blocks do not differ, since scores have no bounds.
    pub score_half: Option<f64>,
    /// Mean rank, 1 the best.
    pub rank: f64,
    /// Half the width of its 95 % interval; `None` where blocks do not differ.
    pub rank_half: Option<f64>,
    /// The 95 % interval of the mean rank that ranks have as they are bounded, whether or not blocks differ.
    pub rank_interval: Interval,
    /// Whether the next line's share is shown to be smaller, in the blocks where both played: the interval of the
    /// difference excludes zero.
    pub beats_next: Option<bool>,
    /// The two-sided p-value of "this share and the next line's are the same", Holm's over all pairs that met: below
    /// 0.05 it is shown, whichever pairs one looks at, that they differ.
    pub next_p: Option<f64>,
    /// What it searched; all zero if it does not search.
    pub searched: SearchTally,
}

impl Standing {
    /// The 95 % interval of the mean score; scores on which all blocks agree have none, since they have no bounds.
    #[must_use]
    pub fn score_interval(&self) -> Option<Interval> {
        self.score_half.map(|half| around(self.score, half))
    }

    /// The 95 % interval of the mean rank; where all blocks agree, the one that ranks have since they have bounds.
    #[must_use]
    pub fn mean_rank_interval(&self) -> Interval {
        self.rank_half.map_or(self.rank_interval, |half| around(self.rank, half))
    }
}

fn around(mean: f64, half: f64) -> Interval {
    Interval { low: mean - half, high: mean + half }
}

impl Standings {
    /// Standings of `lineup`, names by entrant, at tables of `players`; entrants with the same name stand on one line.
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
            names,
            games: 0,
            plies: 0,
            forfeits: 0,
            first_forfeit: None,
        }
    }

    /// Number of games heard of.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Number of whole blocks heard of.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.games / self.games_per_block
    }

    /// Choices of players in all games.
    #[must_use]
    pub const fn plies(&self) -> u64 {
        self.plies
    }

    /// Games that an agent broke off.
    #[must_use]
    pub const fn forfeits(&self) -> u64 {
        self.forfeits
    }

    /// The first game that was broken off: its index, and who did what.
    #[must_use]
    pub const fn first_forfeit(&self) -> Option<&(u64, String)> {
        self.first_forfeit.as_ref()
    }

    fn add(&mut self, game: &GameResult) {
        if self.games_in_block == 0 {
            let seated = game.seating.iter().take(self.players);
            let agents = seated.map(|&entrant| self.agent_of[usize::from(entrant)]);
            self.table = self.tables.number(agents);
        }
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

    /// Counts the block for those who sat at its table.
    fn close_block(&mut self) {
        let (n, games) = (self.names.len(), f64::from(self.games_in_block as u32));
        self.wins.close_block(self.table, games);
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

    /// Wins, draws and losses of the agent `name`, and its share in each seat; `None` before its first whole block.
    #[must_use]
    pub fn record(&self, name: &str) -> Option<Record> {
        self.wins.record(self.names.iter().position(|known| known == name)?)
    }

    /// The 95 % interval of the share of the agent `first` less that of `second`, in the blocks where both played;
    /// `None` unless there are such agents, two of them.
    #[must_use]
    pub fn difference(&self, first: &str, second: &str) -> Option<Interval> {
        let place = |name: &str| self.names.iter().position(|known| known == name);
        let (i, j) = (place(first)?, place(second)?);
        (i != j).then(|| self.difference_of(i, j))
    }

    fn difference_of(&self, i: usize, j: usize) -> Interval {
        if i > j {
            let Interval { low, high } = self.difference_of(j, i);
            return Interval { low: -high, high: -low };
        }
        let difference = &self.differences[i * self.names.len() + j];
        if difference.n() == 0 {
            return Interval { low: -1.0, high: 1.0 };
        }
        difference.interval()
    }

    /// The table, best share first; equal shares in the order of the line-up.
    #[must_use]
    pub fn table(&self) -> Vec<Standing> {
        let share = |i: usize| self.totals[i].points.mean();
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        let mut lines: Vec<Standing> = order.iter().map(|&i| self.line(i)).collect();
        let adjusted = self.adjusted();
        for (place, pair) in order.windows(2).enumerate() {
            let interval = self.difference_of(pair[0], pair[1]);
            lines[place].beats_next = Some(interval.low > 0.0);
            let met = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            lines[place].next_p = Some(adjusted.get(&met).copied().unwrap_or(1.0));
        }
        lines
    }

    /// Holm's p-values of the differences of all pairs that met. Neighbours are found by the same games, so that all
    /// pairs that might have been neighbours count.
    fn adjusted(&self) -> BTreeMap<(usize, usize), f64> {
        let n = self.names.len();
        let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let met: Vec<_> = all.filter(|(i, j)| self.differences[i * n + j].n() > 0).collect();
        let p: Vec<f64> =
            met.iter().map(|(i, j)| self.differences[i * n + j].p_value(0.0)).collect();
        met.into_iter().zip(holm(&p)).collect()
    }

    fn line(&self, i: usize) -> Standing {
        let totals = &self.totals[i];
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
            beats_next: None,
            next_p: None,
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
