//! `caesar play --web`: the game as a page in the browsers of its people.

use std::time::Duration;

use play::hosted_game::HostedGame;
use play::server::{Keep, Server, Serving};

use super::super::{Ending, print};
use super::Options;
use super::saved::Kept;
use super::screen::Screen;
use sim::error::Error;

/// Serves `hosted` until the game is over.
pub(super) fn run(
    options: &Options,
    hosted: HostedGame,
    kept: Option<Kept>,
) -> Result<Ending, Error> {
    let server = Server::bind(options.port, &hosted.people())?;
    let mut text = Screen::welcome(&hosted) + "\n";
    for (seat, address) in server.addresses() {
        text += &format!("{}: {address}\n", hosted.name(seat));
    }
    print(&text)?;
    let place = kept.as_ref().map(|kept| kept.place.display().to_string());
    let keep: Keep = match kept {
        None => Box::new(|_, _| Ok(())),
        Some(mut kept) => Box::new(move |record, end| kept.keep(record, end)),
    };
    let pace = Duration::from_secs_f64(options.pace);
    let replay =
        place.as_ref().map(|place| format!("caesar show {place} --html game.html --analyse"));
    let hosted = server.serve(hosted, Serving { pace, record: place.clone(), replay, keep })?;
    print(&Screen::over(&hosted))?;
    super::over(place.as_deref())
}
