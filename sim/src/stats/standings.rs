//! The table of a tournament, as running sums over blocks: memory does not grow with the number of games.

use std::ops::ControlFlow;

use agents::SearchTally;

use super::interval::{Interval, Moments};
use crate::event::{Event, GameResult, Observer};

/// Listens to a tournament and knows its standings at any time.
#[derive(Clone, Debug)]
pub struct Standings {
    players: usize,
    games_per_block: u64,
    specs: Vec<String>,
    spec_of: Vec<usize>,
    block: Vec<Sums>,
    games_in_block: u64,
    totals: Vec<Totals>,
    differences: Vec<Moments>,
    games: u64,
    plies: u64,
    forfeits: u64,
    first_forfeit: Option<(u64, String)>,
}

/// Sums over the seats of one spec in one block.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    seats: u32,
    points: f64,
    score: f64,
    rank: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    seats: u64,
    points: Moments,
    score: Moments,
    rank: Moments,
    searched: SearchTally,
}

/// One line of the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The canonical spec of the agent.
    pub spec: String,
    /// Blocks it played.
    pub blocks: u64,
    /// Games it played; one for each seat it held.
    pub games: u64,
    /// Points per game, in `[0, 1]`.
    pub share: f64,
    /// The 95 % interval of the share, clustered by block.
    pub interval: Interval,
    /// Mean score at the end.
    pub score: f64,
    /// Half the width of its 95 % interval, if there is one.
    pub score_half: Option<f64>,
    /// Mean rank, 1 the best.
    pub rank: f64,
    /// Half the width of its 95 % interval, if there is one.
    pub rank_half: Option<f64>,
    /// Whether the next line's share is shown to be smaller, in the blocks where both played: the interval of the
    /// difference excludes zero.
    pub beats_next: Option<bool>,
    /// What it searched; all zero if it does not search.
    pub searched: SearchTally,
}

impl Standings {
    /// Standings of `lineup`, canonical specs by entrant, at tables of `players`; entrants with the same spec stand
    /// on one line.
    #[must_use]
    pub fn new(lineup: &[String], players: usize, games_per_block: u64) -> Self {
        let mut specs: Vec<String> = Vec::new();
        let spec_of = lineup
            .iter()
            .map(|spec| {
                specs.iter().position(|known| known == spec).unwrap_or_else(|| {
                    specs.push(spec.clone());
                    specs.len() - 1
                })
            })
            .collect();
        Self {
            players,
            games_per_block,
            spec_of,
            block: vec![Sums::default(); specs.len()],
            games_in_block: 0,
            totals: vec![Totals::default(); specs.len()],
            differences: vec![Moments::default(); specs.len() * specs.len()],
            specs,
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
        let ranks = game.ranks(self.players);
        for (seat, rank) in ranks.into_iter().enumerate().take(self.players) {
            let sums = &mut self.block[self.spec_of[usize::from(game.seating[seat])]];
            sums.seats += 1;
            sums.points += f64::from(game.points[seat]);
            sums.score += f64::from(game.scores[seat]);
            sums.rank += rank;
        }
        if let Some(searched) = &game.searched {
            for (seat, tally) in searched.iter().enumerate().take(self.players) {
                self.totals[self.spec_of[usize::from(game.seating[seat])]].searched += *tally;
            }
        }
        self.games += 1;
        self.plies += u64::from(game.plies);
        if let Some(forfeit) = &game.forfeit {
            self.forfeits += 1;
            let entrant = usize::from(game.seating[forfeit.player]);
            self.first_forfeit.get_or_insert_with(|| {
                let spec = &self.specs[self.spec_of[entrant]];
                (game.index, format!("{spec}: {}", forfeit.reason))
            });
        }
        self.games_in_block += 1;
        if self.games_in_block == self.games_per_block {
            self.close_block();
        }
    }

    /// Counts the block for those who sat at its table.
    fn close_block(&mut self) {
        let share = |sums: &Sums| sums.points / f64::from(sums.seats);
        let n = self.specs.len();
        for (i, (sums, totals)) in self.block.iter().zip(&mut self.totals).enumerate() {
            if sums.seats == 0 {
                continue;
            }
            totals.seats += u64::from(sums.seats);
            totals.points.add(share(sums));
            totals.score.add(sums.score / f64::from(sums.seats));
            totals.rank.add(sums.rank / f64::from(sums.seats));
            for (j, other) in self.block.iter().enumerate().filter(|(_, other)| other.seats > 0) {
                self.differences[i * n + j].add(share(sums) - share(other));
            }
        }
        self.block.fill(Sums::default());
        self.games_in_block = 0;
    }

    /// The table, best share first; equal shares in the order of the line-up.
    #[must_use]
    pub fn table(&self) -> Vec<Standing> {
        let n = self.specs.len();
        let share = |i: usize| self.totals[i].points.mean();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        let mut lines: Vec<Standing> = order.iter().map(|&i| self.line(i)).collect();
        for (place, pair) in order.windows(2).enumerate() {
            let interval = self.differences[pair[0] * n + pair[1]].difference_interval();
            lines[place].beats_next = Some(interval.low > 0.0);
        }
        lines
    }

    fn line(&self, i: usize) -> Standing {
        let totals = &self.totals[i];
        Standing {
            spec: self.specs[i].clone(),
            blocks: totals.points.n(),
            games: totals.seats,
            share: totals.points.mean(),
            interval: totals.points.share_interval(),
            score: totals.score.mean(),
            score_half: totals.score.half_width(),
            rank: totals.rank.mean(),
            rank_half: totals.rank.half_width(),
            beats_next: None,
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
