//! The sections of a game, for tables: its rounds if these are few, otherwise its stages, otherwise intervals with
//! similar numbers of positions.

use agents::guide::Progress;

/// The largest number of sections.
const MOST: usize = 20;
/// The number of intervals of a game with more rounds and stages than that.
const STRETCHES: usize = 8;

/// A map from progress to sections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sections {
    /// The first stage and round of each section, in order.
    starts: Vec<(u32, u32)>,
    names: Vec<String>,
}

impl Sections {
    /// Creates the sections for positions with this progress.
    #[must_use]
    pub fn of(all: impl IntoIterator<Item = Progress>) -> Self {
        let mut keys: Vec<(u32, u32)> =
            all.into_iter().map(|progress| (progress.stage, progress.round)).collect();
        keys.sort_unstable();
        let mut rounds = keys.clone();
        rounds.dedup();
        let mut stages: Vec<(u32, u32)> = rounds.iter().map(|(stage, _)| (*stage, 0)).collect();
        stages.dedup();
        if rounds.len() <= MOST {
            let names = rounds.iter().map(|(stage, round)| format!("{}.{}", stage + 1, round + 1));
            return Self { names: names.collect(), starts: rounds };
        }
        if (2..=MOST).contains(&stages.len()) {
            let names = stages.iter().map(|(stage, _)| (stage + 1).to_string()).collect();
            return Self { names, starts: stages };
        }
        let mut starts: Vec<(u32, u32)> =
            (0..STRETCHES).map(|i| keys[i * keys.len() / STRETCHES]).collect();
        starts.dedup();
        let names = starts.iter().map(|(stage, round)| format!("from {}.{}", stage + 1, round + 1));
        Self { names: names.collect(), starts }
    }

    /// Returns the section of a position.
    #[must_use]
    pub fn at(&self, progress: Progress) -> usize {
        let key = (progress.stage, progress.round);
        self.starts.partition_point(|start| *start <= key).saturating_sub(1)
    }

    /// Returns the names of the sections: stage and round, from 1.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(stage: u32, round: u32) -> Progress {
        Progress { stage, round, turn: 0 }
    }

    #[test]
    fn few_rounds_are_sections_and_many_are_put_together() {
        let few = Sections::of([progress(0, 1), progress(0, 0), progress(1, 0), progress(0, 0)]);
        assert_eq!(few.names(), ["1.1", "1.2", "2.1"]);
        assert_eq!([progress(0, 0), progress(0, 1), progress(1, 0)].map(|p| few.at(p)), [0, 1, 2]);
        let stages = Sections::of((0..60).map(|i| progress(i / 20, i % 20)));
        assert_eq!(stages.names(), ["1", "2", "3"]);
        assert_eq!(stages.at(progress(1, 19)), 1);
        let many = Sections::of((0..80).map(|i| progress(0, i)));
        assert_eq!(many.names().len(), STRETCHES);
        assert_eq!((many.at(progress(0, 0)), many.at(progress(0, 79))), (0, STRETCHES - 1));
    }
}
