//! Units of columns: shares as percent, and differences of shares as percentage points.

use super::digits::places;
use super::{Kind, Sheet, Source};

/// The unit in which people read a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    /// Shares and chances.
    Percent,
    /// Differences of shares.
    Points,
    /// Numbers as they are.
    Plain,
}

/// Columns of shares and chances.
const SHARES: [&str; 19] = [
    "superiority",
    "share",
    "pick_rate",
    "wins",
    "won",
    "mean_chance",
    "decided",
    "suspense",
    "surprise",
    "lower",
    "upper",
    "total",
    "alone",
    "felt",
    "q05",
    "q25",
    "q50",
    "q75",
    "q95",
];
/// Columns of differences of shares.
const DIFFERENCES: [&str; 17] = [
    "effect",
    "token",
    "city",
    "surplus",
    "cost",
    "worth",
    "with_leader",
    "with_last",
    "first",
    "gain",
    "net",
    "money",
    "action",
    "talent",
    "next_difference",
    "chance",
    "result",
];
/// Columns of differences in the tables of some kinds of results.
const OF_KINDS: [(Kind, &str); 5] = [
    (Kind::Cards, "value"),
    (Kind::Search, "range"),
    (Kind::Search, "up"),
    (Kind::Search, "down"),
    (Kind::Search, "interaction"),
];

impl Unit {
    /// Returns the factor from the number in a file to the number that people read.
    pub(super) const fn factor(self) -> f64 {
        match self {
            Self::Percent | Self::Points => 100.0,
            Self::Plain => 1.0,
        }
    }

    /// Returns the decimals of a number with an interval of this half-width.
    pub(super) fn places(self, half: f64) -> usize {
        match self {
            Self::Percent | Self::Points => {
                if half > 0.0 && half < 0.1 {
                    2
                } else {
                    1
                }
            }
            Self::Plain => places(half),
        }
    }

    /// Returns the text after a number.
    pub(super) const fn sign(self) -> &'static str {
        match self {
            Self::Percent => " %",
            Self::Points => " pp",
            Self::Plain => "",
        }
    }

    /// Returns the unit as the words of an axis.
    pub(super) const fn on_axis(self) -> &'static str {
        match self {
            Self::Percent => ", %",
            Self::Points => ", percentage points",
            Self::Plain => "",
        }
    }
}

impl Source {
    /// Returns the unit of a column; in a table of several metrics, that of the metric of `row`.
    pub(super) fn unit(&self, sheet: &Sheet, row: &[String], column: &str) -> Unit {
        if sheet.column("metric").is_some() {
            let metric = sheet.text(row, "metric");
            let is_share = metric.starts_with("seat") || metric.starts_with("share");
            return match column {
                "difference" | "worth_finding" if is_share => Unit::Points,
                "A" | "B" | "candidate" if is_share => Unit::Percent,
                _ => Unit::Plain,
            };
        }
        let is_in = |names: &[&str]| names.contains(&column);
        let is_loss = self.kind == Kind::Search
            && self.sheet("history").is_some_and(|history| history.column("loss").is_some());
        if is_loss || (sheet.name == "course" && self.has_two_rules()) {
            Unit::Plain
        } else if is_in(&SHARES) || column.starts_with("share_") {
            Unit::Percent
        } else if is_in(&DIFFERENCES)
            || (sheet.name == "history" && column == "best")
            || OF_KINDS.contains(&(self.kind, column))
        {
            Unit::Points
        } else {
            Unit::Plain
        }
    }

    /// Returns whether it compares two rule sets.
    pub(super) fn has_two_rules(&self) -> bool {
        self.kind == Kind::Comparison
            && self.sheet("panel").is_some_and(|panel| panel.column("A").is_some())
    }
}
