//! One line of the standings: an agent, its share, and what the games say of it and of the line below.

use agents::SearchTally;

use super::interval::Interval;
use super::proportion::Method;

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
    /// Between which mean ranks it can lie, by the seats that the agent held.
    pub rank_range: Interval,
    /// What the games say of this line and the next; `None` for the last line.
    pub next: Option<Next>,
    /// What it searched; all zero if it does not search.
    pub searched: SearchTally,
}

/// What the games say of a line and of the one below it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Next {
    /// They never sat at one table, so that nothing compares them.
    NeverMet,
    /// All blocks of a table at which both sit are copies of one block, which says nothing of others ([`Copies`](super::copies::Copies)).
    Copies,
    /// They met.
    Met {
        /// The share less that of the next line, over the games that rank them.
        difference: f64,
        /// Its 95 % interval, by block.
        interval: Interval,
        /// The two-sided p-value of "the shares are the same", in (0, 1], Holm's over all pairs that met: below 0.05 it
        /// is shown that they differ, whichever pairs one looks at.
        p: f64,
        /// The 95 % interval of the difference in the games in which both sat. Where it lies below 0 the next line is the
        /// better one of the two when they meet, whatever each gets from others.
        meetings: Interval,
    },
}

impl Standing {
    /// Whether the share is shown to be larger than that of the next line, by itself: the interval of the difference lies
    /// above 0. `None` for the last line and where the two never met.
    #[must_use]
    pub fn beats_next(&self) -> Option<bool> {
        match self.next? {
            Next::NeverMet | Next::Copies => None,
            Next::Met { interval, .. } => Some(interval.low > 0.0),
        }
    }

    /// The share less that of the next line; `None` for the last line and where the two never met.
    #[must_use]
    pub fn next_difference(&self) -> Option<f64> {
        match self.next? {
            Next::NeverMet | Next::Copies => None,
            Next::Met { difference, .. } => Some(difference),
        }
    }

    /// The p-value of the difference to the next line, Holm's over all pairs that met; `None` for the last line and where
    /// the two never met.
    #[must_use]
    pub fn next_p(&self) -> Option<f64> {
        match self.next? {
            Next::NeverMet | Next::Copies => None,
            Next::Met { p, .. } => Some(p),
        }
    }

    /// The 95 % interval of the mean score; scores on which all blocks agree have none, since they have no bounds.
    #[must_use]
    pub fn score_interval(&self) -> Option<Interval> {
        self.score_half.map(|half| around(self.score, half))
    }

    /// The 95 % interval of the mean rank, within what ranks can be; where all blocks agree, the one that ranks have since
    /// they have bounds.
    #[must_use]
    pub fn mean_rank_interval(&self) -> Interval {
        let Interval { low: first, high: last } = self.rank_range;
        let told = self.rank_half.map_or(self.rank_interval, |half| around(self.rank, half));
        Interval { low: told.low.max(first), high: told.high.min(last) }
    }
}

fn around(mean: f64, half: f64) -> Interval {
    Interval { low: mean - half, high: mean + half }
}
