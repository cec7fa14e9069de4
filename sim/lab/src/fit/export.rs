//! Positions as a table for other tools: a row for each seat of each position, with its features and its points.

use agents::guide::Progress;
use agents::{Observable, Playable};

use super::positions::Collected;
use super::weights::evaluation_of;
use sim::error::Error;
use sim::export::columns::{Cell, Column, ColumnKind, Columns, Declared};

/// The feature columns, after those of the position.
struct Features<'a> {
    has_evaluation: bool,
    names: Vec<&'a str>,
}

/// A seat of a position.
struct Seat<'a> {
    game: u64,
    position: u64,
    progress: Progress,
    seat: usize,
    points: f64,
    /// The value by the evaluation.
    worth: f64,
    features: &'a [f32],
}

impl<'a> Declared<Seat<'a>> for Features<'_> {
    fn declare(&self, to: &mut impl Columns<Seat<'a>>) -> Option<()> {
        use ColumnKind::{Count, Long, Real};
        to.shown("game", Long, |at| Cell::Long(at.game))?;
        to.shown("position", Long, |at| Cell::Long(at.position))?;
        to.shown("stage", Count, |at| Cell::Count(at.progress.stage))?;
        to.shown("round", Count, |at| Cell::Count(at.progress.round))?;
        to.shown("turn", Count, |at| Cell::Count(at.progress.turn))?;
        to.shown("seat", Count, |at| Cell::Count(at.seat as u32))?;
        to.shown("points", Real, |at| Cell::Real(at.points as f32))?;
        if self.has_evaluation {
            to.shown("evaluation", Real, |at| Cell::Real(at.worth as f32))?;
        }
        for (i, name) in self.names.iter().enumerate() {
            to.shown(name, Real, |at| Cell::Real(at.features[i]))?;
        }
        Some(())
    }
}

/// Returns the columns and rows of the table. Features are those of the game's value function, or else those counted
/// by a spectator. `evaluation` is the value by the evaluation, in a game that has one.
///
/// # Errors
/// If a file of weights is invalid (earlier checks exclude this).
pub fn table<G: Playable + Observable>(
    game: &G,
    collected: &Collected<G::State>,
    settings: &agents::Settings,
) -> Result<(Vec<Column>, Vec<Vec<Cell>>), Error> {
    let value = game.value_table(settings).map_err(Error::Usage)?;
    let mut evaluation = evaluation_of(game, settings).ok();
    let names: Vec<&str> = match &value {
        Some(value) => value.features().to_vec(),
        None => G::FEATURES.iter().map(|feature| feature.name).collect(),
    };
    let (n, seats) = (names.len(), game.n_players());
    let table = Features { has_evaluation: evaluation.is_some(), names };
    let mut rows = Vec::with_capacity(collected.positions.len() * seats);
    for (number, position) in (0u64..).zip(&collected.positions) {
        let mut features = Vec::with_capacity(n * seats);
        match &value {
            Some(value) => value.count(game, &position.state, &mut features),
            None => features = spectated(game, &position.state, n),
        }
        let worth = evaluation.as_mut().map(|evaluation| {
            let scale = evaluation.scale(game, &position.state);
            evaluation.values(game, &position.state).0.map(|value| value / scale)
        });
        for seat in 0..seats {
            rows.push(table.written(&Seat {
                game: position.cluster,
                position: number,
                progress: position.progress,
                seat,
                points: position.points[seat],
                worth: worth.map_or(0.0, |worth| worth[seat]),
                features: &features[seat * n..(seat + 1) * n],
            }));
        }
    }
    Ok((table.named(), rows))
}

/// Returns the counts by a spectator, seat by seat.
fn spectated<G: Observable>(game: &G, state: &G::State, n: usize) -> Vec<f32> {
    let mut counts = Vec::with_capacity(n);
    game.features(state, &mut counts);
    let of_seat = |seat: usize| counts.iter().map(move |count| count.0[seat] as f32);
    (0..game.n_players()).flat_map(of_seat).collect()
}
