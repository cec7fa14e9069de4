//! The race as text for people: the board, and a line for each player.

use std::fmt::{self, Write};

use super::Circus;
use super::limits::TEAM;
use super::moves::values;
use super::state::State;

/// Number of columns from one cell to the next in a row.
const WIDTH: usize = 4;

/// Draws the board, two characters for each cell: a chariot is its seat and a letter, `=` is the finish, `:` a line,
/// `.` track.
pub(super) fn draw(game: &Circus, s: &State, f: &mut dyn Write) -> fmt::Result {
    let coordinates = &game.board.coordinates;
    // Half a cell to the right for every row down.
    let along = |[q, r]: [i64; 2]| 2 * q + r;
    let left = coordinates.iter().map(|&c| along(c)).min().unwrap_or_default();
    let rows = coordinates.iter().map(|[_, r]| *r);
    let (top, bottom) = (rows.clone().min().unwrap_or_default(), rows.max().unwrap_or_default());
    for row in top..=bottom {
        let mut line = String::new();
        let mut cells: Vec<usize> =
            (0..coordinates.len()).filter(|&c| coordinates[c][1] == row).collect();
        cells.sort_by_key(|&c| coordinates[c][0]);
        for cell in cells {
            let column = (along(coordinates[cell]) - left) as usize * WIDTH / 2;
            line.extend(std::iter::repeat_n(' ', column.saturating_sub(line.chars().count())));
            line += &cell_text(game, s, cell);
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    write_players(game, s, f)
}

fn cell_text(game: &Circus, s: &State, cell: usize) -> String {
    let is_here = |&i: &usize| usize::from(s.cells[i]) == cell;
    match (0..s.cells.len()).find(is_here) {
        Some(i) => format!("{}{}", i / TEAM + 1, letter(i % TEAM)),
        None if game.board.is_finish(cell as u8) => "==".to_owned(),
        None if game.board.section[cell] % 2 == 1 => ":".to_owned(),
        None => ".".to_owned(),
    }
}

/// Returns a letter for the chariot with this number.
fn letter(n: usize) -> char {
    char::from(b'a' + n as u8)
}

fn write_players(game: &Circus, s: &State, f: &mut dyn Write) -> fmt::Result {
    write!(f, "round {}", s.round_shown())?;
    let order = s.order_shown();
    f.write_str(if order.is_empty() { "" } else { ", to move:" })?;
    for &i in order {
        write!(f, " {}{}", usize::from(i) / TEAM + 1, letter(usize::from(i) % TEAM))?;
    }
    writeln!(f)?;
    for seat in 0..game.n_players {
        write!(
            f,
            "seat {}: {} home, {} steps to go, cards",
            seat + 1,
            s.n_home(seat),
            game.team_steps(s, seat)
        )?;
        values(s.cards_shown(seat)).try_for_each(|value| write!(f, " {value}"))?;
        f.write_str(", legs")?;
        for chariot in (0..game.board.team).filter_map(|n| s.chariot(seat, n)) {
            write!(f, " {}", chariot.leg)?;
        }
        writeln!(f)?;
    }
    Ok(())
}
