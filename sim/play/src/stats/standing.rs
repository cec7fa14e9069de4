//! One line of the standings: an agent, its share, and its comparison with the line below.

use agents::SearchTally;

use super::interval::Interval;
use super::proportion::Method;

/// One line of the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The name of the agent: its label, or its canonical spec.
    pub name: String,
    /// The number of blocks that it played.
    pub blocks: u64,
    /// The number of games that it played, counted once for each seat that it held.
    pub games: u64,
    /// Points per game and seat, in `[0, 1]`; at most 1/k for an agent that holds k seats of every game.
    pub share: f64,
    /// The 95 % interval of the share, by block and table.
    pub interval: Interval,
    /// The simultaneous interval of the share over all lines.
    pub together: Interval,
    /// The method that gave the interval.
    pub method: Method,
    /// The mean score at the end.
    pub score: f64,
    /// Half the width of the score's 95 % interval; `None` if blocks do not differ, since scores have no bounds.
    pub score_half: Option<f64>,
    /// The mean rank, 1 the best.
    pub rank: f64,
    /// Half the width of the rank's 95 % interval; `None` if blocks do not differ.
    pub rank_half: Option<f64>,
    /// The 95 % interval of the mean rank that uses the bounds of ranks; it exists even if blocks do not differ.
    pub rank_interval: Interval,
    /// The smallest and the largest possible mean rank, by the seats that the agent held.
    pub rank_range: Interval,
    /// The comparison of this line with the next; `None` for the last line.
    pub next: Option<Next>,
    /// The agent's search counts; all zero if it does not search.
    pub searched: SearchTally,
}

/// The comparison of a line with the line below it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Next {
    /// The agents never sat at one table, so nothing compares them.
    NeverMet,
    /// All blocks of a table with both agents are copies, which carry no information on others
    /// ([`Copies`](super::copies::Copies)).
    Copies,
    /// They met.
    Met {
        /// The share minus that of the next line, over the games that rank them.
        difference: f64,
        /// Its 95 % interval, by block.
        interval: Interval,
        /// The two-sided p-value of "the shares are equal", in (0, 1], adjusted by Holm over all pairs that met.
        ///
        /// Below 0.05 the shares differ significantly, whichever pairs one looks at.
        p: f64,
        /// The 95 % interval of the difference in the games with both agents.
        ///
        /// Below 0 the next line is the better agent when the two meet, whatever each gets from others.
        meetings: Interval,
    },
}

impl Standing {
    /// Returns whether the share is significantly larger than that of the next line, for this pair alone.
    ///
    /// This means that the interval of the difference lies above 0. `None` for the last line and if the two never met.
    #[must_use]
    pub fn beats_next(&self) -> Option<bool> {
        match self.next? {
            Next::NeverMet | Next::Copies => None,
            Next::Met { interval, .. } => Some(interval.low > 0.0),
        }
    }

    /// Returns the share minus that of the next line; `None` for the last line and if the two never met.
    #[must_use]
    pub fn next_difference(&self) -> Option<f64> {
        match self.next? {
            Next::NeverMet | Next::Copies => None,
            Next::Met { difference, .. } => Some(difference),
        }
    }

    /// Returns the p-value of the difference to the next line, adjusted by Holm over all pairs that met.
    ///
    /// `None` for the last line and if the two never met.
    #[must_use]
    pub fn next_p(&self) -> Option<f64> {
        match self.next? {
            Next::NeverMet | Next::Copies => None,
            Next::Met { p, .. } => Some(p),
        }
    }

    /// Returns the 95 % interval of the mean score; `None` if all blocks agree, since scores have no bounds.
    #[must_use]
    pub fn score_interval(&self) -> Option<Interval> {
        self.score_half.map(|half| around(self.score, half))
    }

    /// Returns the 95 % interval of the mean rank, within the range of ranks.
    ///
    /// If all blocks agree, it is the interval that uses the bounds of ranks.
    #[must_use]
    pub fn mean_rank_interval(&self) -> Interval {
        let Interval { low: first, high: last } = self.rank_range;
        let interval = self.rank_half.map_or(self.rank_interval, |half| around(self.rank, half));
        Interval { low: interval.low.max(first), high: interval.high.min(last) }
    }
}

fn around(mean: f64, half: f64) -> Interval {
    Interval { low: mean - half, high: mean + half }
}
