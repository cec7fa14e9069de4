//! The trace of a comparison, `trace.csv`: a row a block, in order, each with a checksum, written and read back.
//!
//! `block` and `seed` are those of its games (the chance of a block comes from both). Then, for agents, `share`, what
//! the candidate got in the games of the block, and `share_square`, the mean of its square, which tells what shared
//! dice are worth, and `print`, a hash of what its games came to, which tells copies of one game; for rule sets each metric under A and under B, as in `seat-0_a` and `seat-0_b`. In a comparison that
//! tells luck the same follows for `luck`. `forfeits` counts the games that an agent broke off, `forfeit` says of the
//! first who did so. Then comes the state of the test after the block ([`Test::columns`]), and `check`, the beginning
//! of the BLAKE3 hash of the row before it.
//!
//! Numbers have all their digits, so that a test that hears a trace is the test that heard the games. The rows of a
//! shard have no state: a test goes through the blocks in their order, and a shard does not know those before it.

use super::arms::{Block, Value};
use super::study::{Study, Test};
use sim::export::columns::{Cell, joined, on_one_line, split};
use sim::export::row_file::RowFile;

/// The name of the file.
pub const FILE: &str = "trace.csv";

/// Columns before those of arms: block, seed.
const FIRST_COLUMNS: usize = 2;

/// What all rows of a comparison have in common.
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
    /// What it came to, for each arm.
    pub blocks: Vec<Block>,
    /// The state of the test after it, one text for each of [`Test::columns`]; empty texts in a shard.
    pub state: Vec<String>,
}

impl TraceCsv {
    /// The trace of a study whose pilot is played.
    #[must_use]
    pub fn new(study: &Study) -> Self {
        let n_arms = study.plans().len();
        let name = |metric: super::metric::Metric| match n_arms {
            1 if !metric.is_luck() => "share".to_owned(),
            _ => on_one_line(metric.name()),
        };
        let metrics = study.metrics().into_iter().map(name).collect();
        let states = study.test().columns().iter().map(|name| on_one_line(name)).collect();
        Self { seed: study.plans()[0].seed, n_arms, metrics, states }
    }

    /// What is written of block `block`; `test` has heard it, if there is one.
    #[must_use]
    pub fn row_of(&self, block: u64, blocks: &[Block], test: Option<&Test>) -> TraceRow {
        let state = test.map_or_else(|| vec![String::new(); self.states.len()], Test::state);
        TraceRow { block, blocks: blocks.to_vec(), state }
    }
}

impl RowFile for TraceCsv {
    type Row = TraceRow;
    const ROW: &'static str = "block";
    const OF: &'static str = "comparison";

    fn file(&self) -> &'static str {
        FILE
    }
    fn header(&self) -> String {
        let mut names = vec!["block".to_owned(), "seed".to_owned()];
        let arms = |name: &str| -> Vec<String> {
            match self.n_arms {
                1 => vec![name.to_owned()],
                _ => ["a", "b"].iter().map(|arm| format!("{name}_{arm}")).collect(),
            }
        };
        for metric in &self.metrics {
            names.extend(arms(metric));
            names.extend((self.n_arms == 1).then(|| format!("{metric}_square")));
        }
        names.extend((self.n_arms == 1).then(|| "print".to_owned()));
        names.extend(arms("forfeits"));
        names.extend(arms("forfeit"));
        names.extend(self.states.iter().cloned());
        names.push("check".to_owned());
        let names: Vec<Cell> = names.into_iter().map(Cell::Text).collect();
        joined(&names) + "\n"
    }

    fn text(&self, row: &TraceRow) -> String {
        let number = |x: f64| Cell::Text((x + 0.0).to_string());
        let blocks = &row.blocks[..];
        let mut cells = vec![Cell::Long(row.block), Cell::Long(self.seed)];
        for place in 0..self.metrics.len() {
            cells.extend(blocks.iter().map(|block| number(block.values[place].mean)));
            if let [only] = blocks {
                cells.push(number(only.values[place].square));
            }
        }
        if let [only] = blocks {
            cells.push(Cell::Text(format!("{:08x}", only.print)));
        }
        cells.extend(blocks.iter().map(|block| Cell::Long(block.forfeits)));
        let first = |block: &Block| block.first_forfeit.clone().unwrap_or_default();
        cells.extend(blocks.iter().map(|block| Cell::Text(first(block))));
        cells.extend(row.state.iter().cloned().map(Cell::Text));
        joined(&cells)
    }

    fn number(row: &TraceRow) -> u64 {
        row.block
    }

    fn fields(&self, row: &str) -> Option<TraceRow> {
        let record = split(row)?;
        let mut fields = record.iter();
        let numbers = if self.n_arms == 1 { 2 } else { self.n_arms };
        let prints = usize::from(self.n_arms == 1);
        let n_columns = FIRST_COLUMNS + numbers * self.metrics.len() + prints + 2 * self.n_arms;
        if record.len() != n_columns + self.states.len() {
            return None;
        }
        let block = fields.next()?.parse().ok()?;
        if fields.next()? != self.seed.to_string() {
            return None;
        }
        let mut blocks = vec![Block::default(); self.n_arms];
        for _ in &self.metrics {
            for block in &mut blocks {
                let mean = fields.next()?.parse().ok()?;
                block.values.push(Value { mean, square: 0.0 });
            }
            if let [only] = &mut blocks[..] {
                only.values.last_mut()?.square = fields.next()?.parse().ok()?;
            }
        }
        if let [only] = &mut blocks[..] {
            only.print = u32::from_str_radix(fields.next()?, 16).ok()?;
        }
        for block in &mut blocks {
            block.forfeits = fields.next()?.parse().ok()?;
        }
        for block in &mut blocks {
            let first = fields.next()?;
            block.first_forfeit = (!first.is_empty()).then(|| first.to_owned());
        }
        Some(TraceRow { block, blocks, state: fields.map(str::to_owned).collect() })
    }
}
