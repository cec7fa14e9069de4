//! Targets for the tuning of rules ([`Target`]), as a loss of blocks of games that is 0 if the target is met.
//!
//! A target is met if a mean over games, such as the share of a seat, is a given number. The squared distance of a
//! mean of few games from it is biased upwards by noise. A search that minimises it would choose the rules with the
//! least noise. The loss of a block is therefore the mean of `(x − t)·(y − t)` over all pairs of different draws x and
//! y of the block. Draws are independent, so its expectation is the squared distance of the expectation of x from the
//! target t, for any noise (a U-statistic; Hoeffding 1948, doi:10.1214/aoms/1177730196). It can be negative.

use serde::{Deserialize, Serialize};

use super::gain::Gain;
use sim::error::Error;
use sim::stats::{Family, Interval, Moments};

/// The number of draws of a block with one agent in all seats: games.
pub const GAMES: u64 = 16;
/// The number of draws of a block with opponents: turns through all seats.
pub const TURNS: u64 = 8;
/// The forms of targets, for people.
const FORMS: &str =
    "seat-fairness, length=NUMBER, pick-rate:NAME=RATE, share=SHARE or a share alone";

/// The target of a tuning of rules.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Target {
    /// An equal share of the points for each seat.
    SeatFairness,
    /// A number of players' choices in a game.
    Length(f64),
    /// A fraction of the games in which the thing is taken.
    PickRate {
        /// The thing, as named in bans.
        name: String,
        /// The fraction of games.
        rate: f64,
    },
    /// A share of the points for the agent against the pool of opponents.
    Share(f64),
}

/// The target value of the parts, with the unit of the distance from it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Aim {
    /// The target value of each part.
    pub wanted: f64,
    /// The distance that counts as 1.
    pub unit: f64,
}

impl Aim {
    /// Returns the distance of a part from the target.
    #[must_use]
    pub fn away(&self, part: f64) -> f64 {
        (part - self.wanted) / self.unit
    }
}

impl Target {
    /// Parses a target.
    ///
    /// # Errors
    /// If the text is not a target: the message lists the forms.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let bad = |message: &str| Error::value("target", text, message.to_owned());
        let (name, number) =
            text.split_once('=').map_or((text.trim(), None), |(a, b)| (a.trim(), Some(b.trim())));
        let number = match number {
            None => None,
            Some(number) => {
                let read = number.parse::<f64>().ok().filter(|x| x.is_finite());
                Some(read.ok_or_else(|| bad(&format!("\"{number}\" is not a number")))?)
            }
        };
        let part = |number: Option<f64>| {
            let number = number.filter(|x| (0.0..=1.0).contains(x));
            number.ok_or_else(|| bad("a part of the whole is needed, from 0 to 1"))
        };
        match (name.split_once(':'), number) {
            (Some(("pick-rate", thing)), rate) if !thing.trim().is_empty() => {
                Ok(Self::PickRate { name: thing.trim().to_owned(), rate: part(rate)? })
            }
            (None, None) if name == "seat-fairness" => Ok(Self::SeatFairness),
            (None, Some(length)) if name == "length" && length > 0.0 => Ok(Self::Length(length)),
            (None, share) if name == "share" => Ok(Self::Share(part(share)?)),
            (None, None) if name.parse::<f64>().is_ok() => {
                Ok(Self::Share(part(name.parse::<f64>().ok())?))
            }
            (None, _) if name == "length" => {
                Err(bad("it needs a number of choices, as in length=400"))
            }
            (None, _) if name == "pick-rate" => {
                Err(bad("it needs a thing and a part of games, as in pick-rate:NAME=0.5"))
            }
            _ => Err(bad(&format!("unknown target (accepted: {FORMS})"))),
        }
    }

    /// Returns the text of the target.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::SeatFairness => "seat-fairness".to_owned(),
            Self::Length(length) => format!("length={length}"),
            Self::PickRate { name, rate } => format!("pick-rate:{name}={rate}"),
            Self::Share(share) => format!("share={share}"),
        }
    }

    /// Returns a description of the loss, for people.
    #[must_use]
    pub fn loss(&self) -> &'static str {
        match self {
            Self::SeatFairness => "the sum over seats of (share - equal share)²",
            Self::Length(_) => "(choices in a game / target - 1)²",
            Self::PickRate { .. } => "(part of games in which it is taken - target)²",
            Self::Share(_) => "(share of the agent - target)²",
        }
    }

    /// Returns true if the agent meets a pool of opponents instead of sitting in all seats.
    #[must_use]
    pub const fn has_opponents(&self) -> bool {
        matches!(self, Self::Share(_))
    }

    /// Returns the number of games in a block.
    #[must_use]
    pub const fn games_per_block(&self, players: usize) -> u64 {
        if self.has_opponents() { TURNS * players as u64 } else { GAMES }
    }

    /// Returns the names of the measured parts: shares of seats, or one number.
    #[must_use]
    pub fn parts(&self, players: usize) -> Vec<String> {
        match self {
            Self::SeatFairness => {
                (1..=players).map(|seat| format!("share of seat {seat}")).collect()
            }
            Self::Length(_) => vec!["choices in a game".to_owned()],
            Self::PickRate { name, .. } => vec![format!("games in which {name} is taken")],
            Self::Share(_) => vec!["share of the agent".to_owned()],
        }
    }

    /// Returns the target of each part.
    #[must_use]
    pub fn aim(&self, players: usize) -> Aim {
        match self {
            Self::SeatFairness => Aim { wanted: 1.0 / players as f64, unit: 1.0 },
            Self::Length(length) => Aim { wanted: *length, unit: *length },
            Self::Share(share) => Aim { wanted: *share, unit: 1.0 },
            Self::PickRate { rate, .. } => Aim { wanted: *rate, unit: 1.0 },
        }
    }

    /// Returns true if parts are shares or fractions of games, from 0 to 1.
    #[must_use]
    pub const fn is_part(&self) -> bool {
        !matches!(self, Self::Length(_))
    }

    /// Returns the 95 % interval of a part, simultaneous over the statements of a family.
    #[must_use]
    pub fn interval(&self, part: &Moments, family: Family) -> Interval {
        if self.is_part() {
            part.together_within(0.0, 1.0, family)
        } else {
            Gain::Loss.together(part, family)
        }
    }

    /// Returns the variance of the loss of a block if the target is met and one seat wins outright. `None` if the
    /// variance of games is unknown before play.
    #[must_use]
    pub fn variance(&self, players: usize) -> Option<f64> {
        let n = players as f64;
        // The variance for a pair of draws: the sum of the squared covariances of its parts.
        let pair = match self {
            Self::SeatFairness => (n - 1.0) / (n * n),
            Self::PickRate { rate, .. } => (rate * (1.0 - rate)).powi(2),
            Self::Share(share) => (share * (1.0 - share) / n).powi(2),
            Self::Length(_) => return None,
        };
        let draws = if self.has_opponents() { TURNS } else { GAMES } as f64;
        Some(2.0 * pair / (draws * (draws - 1.0))).filter(|&variance| variance > 0.0)
    }

    /// Returns the unbiased loss of a block; each draw has a number for each part.
    ///
    /// # Panics
    /// If there are fewer than two draws (a bug).
    #[must_use]
    pub fn loss_of(&self, draws: &[Vec<f64>], players: usize) -> f64 {
        assert!(draws.len() >= 2, "a loss needs two draws");
        let aim = self.aim(players);
        let pairs = (draws.len() * (draws.len() - 1)) as f64;
        let of_part = |part: usize| {
            let away = draws.iter().map(|draw| aim.away(draw[part]));
            let (sum, squares) =
                away.fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
            // The sum over all pairs, without those of a draw with itself.
            (sum * sum - squares) / pairs
        };
        (0..draws[0].len()).map(of_part).sum()
    }
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Randomness, rng};

    use super::*;

    #[test]
    fn a_target_is_read_as_it_is_written() {
        for text in ["seat-fairness", "length=400", "pick-rate:loot=0.5", "share=0.25"] {
            assert_eq!(Target::parse(text).unwrap().text(), text);
        }
        assert_eq!(Target::parse("0.25").unwrap(), Target::Share(0.25));
        let refused = |text: &str| Target::parse(text).unwrap_err().to_string();
        assert!(refused("length").contains("length=400"));
        assert!(refused("length=-3").contains("length=400"));
        assert!(refused("length=x").contains("\"x\" is not a number"));
        assert!(refused("pick-rate=0.5").contains("pick-rate:NAME=0.5"));
        assert!(refused("pick-rate:loot=1.5").contains("from 0 to 1"));
        assert!(refused("1.5").contains("from 0 to 1"));
        assert!(refused("fairness").contains("accepted: seat-fairness"));
    }

    /// The noise of games adds nothing to the loss, and a distance from the target is found with its size.
    #[test]
    fn a_loss_has_no_bias() {
        let mut stream = rng::stream(4, 0, Purpose::Analysis);
        let mut mean = |target: &Target, shares: [f64; 4]| {
            let mut moments = Moments::default();
            for _ in 0..4_000 {
                let mut draw = || {
                    let mut at = stream.unit();
                    let winner = shares.iter().position(|share| {
                        at -= share;
                        at < 0.0
                    });
                    let mut draw = vec![0.0; 4];
                    draw[winner.unwrap_or(3)] = 1.0;
                    if *target != Target::SeatFairness {
                        draw.truncate(1);
                    }
                    draw
                };
                let draws: Vec<Vec<f64>> = (0..GAMES).map(|_| draw()).collect();
                moments.add(target.loss_of(&draws, 4));
            }
            moments
        };
        let is_near = |moments: Moments, truth: f64| {
            let error = (moments.variance() / moments.n() as f64).sqrt();
            assert!(
                (moments.mean() - truth).abs() <= 4.0 * error + 1e-12,
                "{} {truth}",
                moments.mean()
            );
        };
        let fair = mean(&Target::SeatFairness, [0.25; 4]);
        let promised = Target::SeatFairness.variance(4).unwrap();
        assert!((fair.variance() / promised - 1.0).abs() < 0.2, "{} {promised}", fair.variance());
        is_near(fair, 0.0);
        is_near(mean(&Target::SeatFairness, [0.4, 0.3, 0.2, 0.1]), 0.05);
        let taken = Target::PickRate { name: "a".to_owned(), rate: 0.5 };
        is_near(mean(&taken, [0.25; 4]), 0.0625);
        is_near(mean(&taken, [0.5, 0.5, 0.0, 0.0]), 0.0);
        is_near(mean(&Target::Share(0.25), [0.45, 0.15, 0.2, 0.2]), 0.04);
        is_near(mean(&Target::Length(2.0), [1.0, 0.0, 0.0, 0.0]), 0.25);
    }
}
