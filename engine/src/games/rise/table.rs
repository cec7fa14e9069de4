//! The position as a table for people.

use std::fmt;

use super::Rise;
use super::state::State;
use super::things::{
    MAX_CIRCLES, N_PROGRESS, N_REGIONS, N_TERRITORIES, Progress, Region, Row, Territory,
};

/// Writes the goods of all players, the map, the discs, and the tiles on display.
pub(super) fn write(game: &Rise, s: &State, f: &mut dyn fmt::Write) -> fmt::Result {
    writeln!(f, "{}", game.due(s))?;
    write!(f, "order:")?;
    s.order().try_for_each(|player| write!(f, " {}", player.ordinal()))?;
    writeln!(f)?;
    for seat in 0..game.board.n_players {
        player(game, s, seat, f)?;
    }
    for region in Region::first(N_REGIONS) {
        let here = &s.garrison(region)[..game.board.n_players];
        if here.iter().any(|&n| n > 0) {
            writeln!(f, "{:>18} {here:?}", game.board.region(region).id)?;
        }
    }
    for row in Row::ALL {
        write!(f, "{:>18}", row.id())?;
        let discs = (0..MAX_CIRCLES as u8).take_while(|&i| i < game.board.circles[row as usize]);
        for circle in discs {
            match s.disc(row, circle) {
                Some(seat) => write!(f, " {}", seat + 1)?,
                None => f.write_str(" .")?,
            }
        }
        writeln!(f)?;
    }
    display(game, s, f)
}

fn player(game: &Rise, s: &State, seat: usize, f: &mut dyn fmt::Write) -> fmt::Result {
    write!(
        f,
        "seat {}: vp {}, gold {}, discs {}, food {}, pool {}, stock {};",
        seat + 1,
        s.vp(seat),
        s.gold(seat),
        s.resource(seat),
        s.food(seat),
        s.pool(seat),
        s.stock(seat)
    )?;
    for tile in s.progress(seat).iter() {
        write!(f, " {}", game.board.tile(tile).id)?;
    }
    for tile in Territory::first(N_TERRITORIES).filter(|&tile| s.territory(seat, tile) > 0) {
        write!(f, " {}×{}", game.board.territories[tile.idx()].id, s.territory(seat, tile))?;
    }
    for city in s.cities(seat).iter() {
        write!(f, " {}", game.board.city(city).id)?;
    }
    if let Some(region) = s.alliance(seat) {
        write!(f, " alliance in {}", game.board.region(region).id)?;
    }
    writeln!(f)
}

fn display(game: &Rise, s: &State, f: &mut dyn fmt::Write) -> fmt::Result {
    write!(f, "display:")?;
    let shown = s.display();
    for tile in Progress::first(N_PROGRESS).filter(|&tile| shown.progress(tile) > 0) {
        write!(f, " {}×{}", game.board.tile(tile).id, shown.progress(tile))?;
    }
    for tile in Territory::first(N_TERRITORIES).filter(|&tile| shown.territory(tile) > 0) {
        write!(f, " {}×{}", game.board.territories[tile.idx()].id, shown.territory(tile))?;
    }
    for city in s.city_display().iter() {
        write!(f, " {}", game.board.city(city).id)?;
    }
    writeln!(f)
}
