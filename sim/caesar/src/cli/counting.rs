//! Numbers of games on the command line, counted from 1, and the older spellings, which count from 0.

use super::note;
use sim::error::Error;

/// Game of a run as named on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameNumber {
    /// Counted from 1.
    FromOne(u64),
    /// Counted from 0, as in older releases and in the columns of `games.csv`.
    FromZero(u64),
}

impl GameNumber {
    /// Reads `game=N`, which counts from 1, or a bare number, which counts from 0.
    ///
    /// # Errors
    /// If it is neither.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<u64>().ok();
        match text.strip_prefix("game=") {
            Some(game) => number(game).filter(|&game| game > 0).map(Self::FromOne),
            None => number(text).map(Self::FromZero),
        }
        .ok_or_else(|| "expected game=N, counted from 1, as in game=1".to_owned())
    }

    /// Returns the index of the game, from 0, in a run of `n_games`. `option` and `spelled` are how the option is called
    /// and how it is written today, as in `--game` and `--game 1`; an older spelling is read with a note on stderr.
    ///
    /// # Errors
    /// If the run has no such game.
    pub(super) fn index(
        self,
        n_games: u64,
        option: &str,
        spelled: impl Fn(u64) -> String,
    ) -> Result<u64, Error> {
        let (given, index) = match self {
            Self::FromOne(game) => (spelled(game), game - 1),
            Self::FromZero(index) => (format!("{option} {index}"), index),
        };
        if index >= n_games {
            let counted = match self {
                Self::FromOne(_) => format!("games 1 to {n_games}"),
                Self::FromZero(_) => format!("games 0 to {}", n_games.saturating_sub(1)),
            };
            return Err(Error::Usage(format!("{given}: the run has {counted}")));
        }
        if self == Self::FromZero(index) {
            note(&format!(
                "{given} counts from 0; later releases will not read it: write {}",
                spelled(index + 1)
            ));
        }
        Ok(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_count_from_one_and_older_spellings_from_zero() {
        use GameNumber::{FromOne, FromZero};
        let read = |text: &str| GameNumber::parse(text).ok();
        assert_eq!([read("game=1"), read("0")], [Some(FromOne(1)), Some(FromZero(0))]);
        for bad in ["game=0", "game=", "game=-1", "-1", "", "x", "game=1.5", "seat=1"] {
            assert_eq!(read(bad), None, "{bad}");
        }
        let index =
            |number: GameNumber| number.index(4, "--watch", |n| format!("--watch game={n}"));
        assert_eq!([FromOne(4), FromZero(3)].map(|game| index(game).unwrap()), [3, 3]);
        let refused = |number| index(number).unwrap_err().to_string();
        assert_eq!(refused(FromOne(5)), "--watch game=5: the run has games 1 to 4");
        assert_eq!(refused(FromZero(4)), "--watch 4: the run has games 0 to 3");
    }
}
