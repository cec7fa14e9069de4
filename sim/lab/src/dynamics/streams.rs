//! The share of the result's variance due to each stream of random numbers, measured by drawing it anew while the
//! others are held.
//!
//! The result y of a seat is a function of set-up, decks, dice and the agents' random numbers, each drawn from its own
//! stream. With y' different in stream k alone, `T_k = E(y − y')²/(2 Var y)` is the share of the variance that remains
//! once all other streams are known (total index). With y'' equal to y in stream k alone,
//! `S_k = 1 − E(y − y'')²/(2 Var y)` is the share of stream k alone (first-order index). The difference `T_k − S_k` is
//! its interaction with other streams (Sobol' 1993; Jansen 1999, [doi:10.1016/S0010-4655(98)00154-4](https://doi.org/10.1016/S0010-4655\(98\)00154-4)).
//!
//! Both are ratios of sums over blocks and seats. A block is a deal with its variants. The mean worth of a seat is no
//! luck and is subtracted.

use agents::Playable;
use csv::StringRecord;
use engine::Purpose;

use super::rows::{Written, numbers, strokes};
use sim::error::Error;
use sim::game_loop::{Address, GameObserver};
use sim::observed_play::SeatedAgents;
use sim::stats::Interval;
use sim::stats::calibration::Figure;
use sim::stats::clustered::ClusteredRatio;

/// The streams, in the order of the report.
pub const STREAMS: [&str; 4] = ["set-up", "decks", "dice", "thinking"];
/// The first number of other deals, beyond those of games.
const OTHER: u64 = 1 << 40;

/// The variance due to a stream.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stream {
    /// Its name.
    pub name: &'static str,
    /// True if any number was drawn from it; always true for the agents' stream, whose draws are not counted.
    pub is_used: bool,
    /// The share of the variance that remains once all other streams are known.
    pub total: Figure,
    /// The share of the stream alone.
    pub alone: Figure,
}

/// The chance streams with at least one draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Drawn([bool; 3]);

impl<G: Playable> GameObserver<G> for Drawn {
    fn drawn(&mut self, game: &G, state: &G::State, _outcome: G::Action, _plies: u32) {
        let purpose = game.chance_purpose(state);
        if let Some(at) = Purpose::OF_CHANCE.iter().position(|known| *known == purpose) {
            self.0[at] = true;
        }
    }
}

/// The results of a deal, and of its variants.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    points: Vec<f64>,
    /// The results by stream: with it drawn anew, and with all others drawn anew.
    anew: [[Vec<f64>; 2]; 4],
    drawn: Drawn,
}

/// Returns the names of the fields of a [`Block`].
#[must_use]
pub fn columns() -> Vec<String> {
    let anew = STREAMS.iter().flat_map(|stream| {
        let stream = stream.replace('-', "_");
        [format!("{stream}_anew"), format!("{stream}_held")]
    });
    ["points".to_owned()].into_iter().chain(anew).chain(["drawn".to_owned()]).collect()
}

impl Written for Block {
    fn fields(&self) -> Vec<String> {
        let anew = self.anew.iter().flatten().map(|points| numbers(points));
        let drawn = self.drawn.0.map(|is_drawn| u8::from(is_drawn).to_string()).join("/");
        [numbers(&self.points)].into_iter().chain(anew).chain([drawn]).collect()
    }

    fn read(fields: &StringRecord) -> Option<Self> {
        let mut fields = fields.iter();
        let points: Vec<f64> = strokes(fields.next()?)?;
        let mut anew: [[Vec<f64>; 2]; 4] = Default::default();
        for results in anew.iter_mut().flatten() {
            *results = strokes(fields.next()?)?;
            if results.len() != points.len() {
                return None;
            }
        }
        let drawn: Vec<u8> = strokes(fields.next()?)?;
        let drawn: [u8; 3] = drawn.try_into().ok()?;
        Some(Self { points, anew, drawn: Drawn(drawn.map(|is_drawn| is_drawn == 1)) })
    }
}

/// Plays deal `index` of the run with seed `seed`, and all its variants.
///
/// # Errors
/// If an agent fails.
pub fn block<G: Playable>(
    game: &G,
    seats: &mut SeatedAgents<'_, G>,
    seed: u64,
    index: u64,
) -> Result<Block, Error> {
    let n = game.n_players();
    let mut drawn = Drawn::default();
    let points = seats.play(Address::of_game(seed, index), &mut drawn)?.first(n).to_vec();
    let mut anew: [[Vec<f64>; 2]; 4] = Default::default();
    for (stream, results) in anew.iter_mut().enumerate() {
        for (which, result) in results.iter_mut().enumerate() {
            let is_new = |of: usize| (of == stream) == (which == 0);
            let from = |of: usize| if is_new(of) { OTHER + index } else { index };
            let address = Address { seed, chance: [from(0), from(1), from(2)], index: from(3) };
            *result = seats.play(address, &mut drawn)?.first(n).to_vec();
        }
    }
    Ok(Block { points, anew, drawn })
}

/// Returns the share of each stream; `None` if all results are equal, so that there is no variance.
#[must_use]
pub fn shares(blocks: &[Block]) -> Option<Vec<Stream>> {
    let seats = blocks.first()?.points.len();
    let n = blocks.len() as f64;
    let mean = |seat: usize| blocks.iter().map(|block| block.points[seat]).sum::<f64>() / n;
    let means: Vec<f64> = (0..seats).map(mean).collect();
    let square = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    // The mean comes from the same blocks.
    let unbiased = n / (n - 1.0).max(1.0);
    let share = |stream: usize, which: usize| {
        let mut ratio = ClusteredRatio::default();
        for (index, block) in (0..).zip(blocks) {
            let spread = 2.0 * unbiased * square(&block.points, &means);
            ratio.add(index, square(&block.points, &block.anew[stream][which]), spread);
        }
        Figure::of(&ratio)
    };
    let nothing = Figure { estimate: 0.0, interval: Some(Interval { low: 0.0, high: 0.0 }) };
    let stream = |(at, name): (usize, &'static str)| {
        let is_used =
            at >= Purpose::OF_CHANCE.len() || blocks.iter().any(|block| block.drawn.0[at]);
        let (total, alone) = (share(at, 0)?, share(at, 1)?.complement());
        let known = |figure| if is_used { figure } else { nothing };
        Some(Stream { name, is_used, total: known(total), alone: known(alone) })
    };
    STREAMS.into_iter().enumerate().map(stream).collect()
}
