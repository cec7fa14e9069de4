//! Positions as a table, for other tools: a row for each seat of each position, with its features and what became of it.

use agents::{Observable, Playable};

use super::positions::Collected;
use super::weights::evaluation_of;
use sim::error::Error;
use sim::export::columns::{Cell, Column, ColumnKind};

/// What stands in the row of a seat before its features.
fn columns() -> Vec<Column> {
    [
        ("game", ColumnKind::Long),
        ("position", ColumnKind::Long),
        ("stage", ColumnKind::Count),
        ("round", ColumnKind::Count),
        ("turn", ColumnKind::Count),
        ("seat", ColumnKind::Count),
        ("points", ColumnKind::Real),
    ]
    .map(|(name, kind)| Column::new(name, kind))
    .to_vec()
}

/// The table: its columns and its rows. Features are those of the value function of the game, else those that a
/// spectator counts; `evaluation` is what the evaluation says, in a game that has one.
///
/// # Errors
/// If a file of weights is of no use (which was found before).
pub fn table<G: Playable + Observable>(
    game: &G,
    collected: &Collected<G::State>,
    settings: &agents::Settings,
) -> Result<(Vec<Column>, Vec<Vec<Cell>>), Error> {
    let value = game.value_table(settings).map_err(Error::Usage)?;
    let mut evaluation = evaluation_of(game, settings).ok();
    let mut all = columns();
    let has_evaluation = evaluation.is_some();
    all.extend(has_evaluation.then(|| Column::new("evaluation", ColumnKind::Real)));
    let names: Vec<&str> = match &value {
        Some(value) => value.features().to_vec(),
        None => G::FEATURES.iter().map(|feature| feature.name).collect(),
    };
    all.extend(names.iter().map(|name| Column::new(*name, ColumnKind::Real)));
    let (n, seats) = (names.len(), game.n_players());
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
        let progress = position.progress;
        for seat in 0..seats {
            let mut row = vec![
                Cell::Long(position.cluster),
                Cell::Long(number),
                Cell::Count(progress.stage),
                Cell::Count(progress.round),
                Cell::Count(progress.turn),
                Cell::Count(seat as u32),
                Cell::Real(position.points[seat] as f32),
            ];
            row.extend(worth.map(|worth| Cell::Real(worth[seat] as f32)));
            row.extend(features[seat * n..(seat + 1) * n].iter().map(|x| Cell::Real(*x)));
            rows.push(row);
        }
    }
    Ok((all, rows))
}

/// What a spectator counts, seat by seat.
fn spectated<G: Observable>(game: &G, state: &G::State, n: usize) -> Vec<f32> {
    let mut counts = Vec::with_capacity(n);
    game.features(state, &mut counts);
    let of_seat = |seat: usize| counts.iter().map(move |count| count.0[seat] as f32);
    (0..game.n_players()).flat_map(of_seat).collect()
}
