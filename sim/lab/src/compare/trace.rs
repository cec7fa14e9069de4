//! The trace of a comparison, `trace.csv`: one row for each block, in order, each with a checksum, written and read
//! back.
//!
//! The columns, in order:
//!
//! - `block` and `seed` determine the chance of the block's games.
//! - For agents: `share` is the candidate's share in the games of the block. `share_square` is the mean of its square,
//!   for the efficiency of shared dice. `print` is a hash of the results, which detects copies of one game.
//! - For rule sets: each metric under A and under B, as in `seat-0_a` and `seat-0_b`.
//! - In a comparison with luck, the same columns follow for `luck`.
//! - `forfeits` counts the games that an agent forfeited, and `forfeit` describes the first of them.
//! - The state of the test after the block follows ([`Test::columns`]).
//! - `check` is the beginning of the BLAKE3 hash of the row before it.
//!
//! Numbers have all their digits, so that a test fed from the trace equals the test fed from the games. The rows of a
//! shard have no state: a test takes the blocks in order, and a shard lacks the blocks before it.

use super::arms::{Block, Value};
use super::study::{ComparisonStudy, Test};
use sim::export::columns::{
    Cell, ColumnKind, Columns, Declared, expect, header, joined, on_one_line, put,
};
use sim::export::row_file::RowFile;

/// The name of the file.
pub const FILE: &str = "trace.csv";

/// The layout shared by all rows of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceCsv {
    seed: u64,
    n_arms: usize,
    metrics: Vec<String>,
    states: Vec<String>,
}

/// A row of a trace.
#[derive(Clone, Debug)]
pub struct TraceRow {
    /// The number of the block.
    pub block: u64,
    /// The block of each arm.
    pub blocks: Vec<Block>,
    /// The state of the test after it, one text for each of [`Test::columns`]; empty texts in a shard.
    pub state: Vec<String>,
}

impl TraceCsv {
    /// Creates the layout for a study whose pilot has been played.
    #[must_use]
    pub fn new(study: &ComparisonStudy) -> Self {
        let n_arms = study.plans().len();
        let name = |metric: super::metric::Metric| match n_arms {
            1 if !metric.is_luck() => "share".to_owned(),
            _ => on_one_line(metric.name()),
        };
        let metrics = study.metrics().into_iter().map(name).collect();
        let states = study.test().columns().iter().map(|name| on_one_line(name)).collect();
        Self { seed: study.plans()[0].seed, n_arms, metrics, states }
    }

    /// Returns the row of block `block`; `test` already includes the block, if there is one.
    #[must_use]
    pub fn row_of(&self, block: u64, blocks: &[Block], test: Option<&Test>) -> TraceRow {
        let state = test.map_or_else(|| vec![String::new(); self.states.len()], Test::state);
        TraceRow { block, blocks: blocks.to_vec(), state }
    }

    /// Returns a row of which no field has been read.
    fn blank(&self) -> TraceRow {
        let values = vec![Value::default(); self.metrics.len()];
        let blocks = vec![Block { values, ..Block::default() }; self.n_arms];
        TraceRow { block: 0, blocks, state: vec![String::new(); self.states.len()] }
    }

    /// Returns the column name of a value of an arm.
    fn of_arm(&self, name: &str, arm: usize) -> String {
        if self.n_arms == 1 { name.to_owned() } else { format!("{name}_{}", ["a", "b"][arm]) }
    }
}

impl RowFile for TraceCsv {
    type Row = TraceRow;
    const ROW: &'static str = "block";
    const OF: &'static str = "comparison";

    fn file(&self) -> &'static str {
        FILE
    }
    fn number(row: &TraceRow) -> u64 {
        row.block
    }

    fn header(&self) -> String {
        header(&self.checked())
    }
    fn text(&self, row: &TraceRow) -> String {
        joined(&self.written(row))
    }
    fn fields(&self, text: &str) -> Option<TraceRow> {
        self.read(text, self.blank())
    }
}

impl Declared<TraceRow> for TraceCsv {
    fn declare(&self, to: &mut impl Columns<TraceRow>) -> Option<()> {
        use ColumnKind::{Double, Long, MaybeText, Text};
        let number = |x: f64| Cell::Double(x + 0.0);
        let (arms, is_alone) = (|| 0..self.n_arms, self.n_arms == 1);
        let write = |row: &TraceRow| Cell::Long(row.block);
        to.column("block", Long, write, |row, text| put(&mut row.block, text))?;
        to.column("seed", Long, |_| Cell::Long(self.seed), |_, text| expect(self.seed, text))?;
        for (i, metric) in self.metrics.iter().enumerate() {
            for arm in arms() {
                let write = |row: &TraceRow| number(row.blocks[arm].values[i].mean);
                to.column(self.of_arm(metric, arm), Double, write, |row, text| {
                    put(&mut row.blocks[arm].values[i].mean, text)
                })?;
            }
            if is_alone {
                let write = |row: &TraceRow| number(row.blocks[0].values[i].square);
                to.column(format_args!("{metric}_square"), Double, write, |row, text| {
                    put(&mut row.blocks[0].values[i].square, text)
                })?;
            }
        }
        if is_alone {
            let write = |row: &TraceRow| Cell::Text(format!("{:08x}", row.blocks[0].print));
            to.column("print", Text, write, |row, text| {
                row.blocks[0].print = u32::from_str_radix(text, 16).ok()?;
                Some(())
            })?;
        }
        for arm in arms() {
            let write = |row: &TraceRow| Cell::Long(row.blocks[arm].forfeits);
            to.column(self.of_arm("forfeits", arm), Long, write, |row, text| {
                put(&mut row.blocks[arm].forfeits, text)
            })?;
        }
        for arm in arms() {
            let first = |row: &TraceRow| row.blocks[arm].first_forfeit.clone().unwrap_or_default();
            let write = |row: &TraceRow| Cell::Text(first(row));
            to.column(self.of_arm("forfeit", arm), MaybeText, write, |row, text| {
                row.blocks[arm].first_forfeit = (!text.is_empty()).then(|| text.to_owned());
                Some(())
            })?;
        }
        for (i, state) in self.states.iter().enumerate() {
            let write = |row: &TraceRow| Cell::Text(row.state[i].clone());
            to.column(state, MaybeText, write, |row, text| put(&mut row.state[i], text))?;
        }
        Some(())
    }
}
