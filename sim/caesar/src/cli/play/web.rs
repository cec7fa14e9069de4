//! `caesar play --web`: the table as a page in the browsers of its people.

use std::time::Duration;

use play::server::{Keep, Server, Serving};
use play::table::Table;

use super::super::{Ending, print};
use super::Options;
use super::saved::Kept;
use super::screen::Screen;
use sim::error::Error;

/// Serves `table` until the game is over.
pub(super) fn run(options: &Options, table: Table, kept: Option<Kept>) -> Result<Ending, Error> {
    let server = Server::bind(options.port, &table.people())?;
    let mut text = Screen::welcome(&table) + "\n";
    for (seat, address) in server.addresses() {
        text += &format!("{}: {address}\n", table.name(seat));
    }
    print(&text)?;
    let place = kept.as_ref().map(|kept| kept.place.display().to_string());
    let keep: Keep = match kept {
        None => Box::new(|_, _| Ok(())),
        Some(mut kept) => Box::new(move |record, end| kept.keep(record, end)),
    };
    let pace = Duration::from_secs_f64(options.pace);
    let table = server.serve(table, Serving { pace, record: place.clone(), keep })?;
    print(&Screen::over(&table))?;
    super::over(place.as_deref())
}
