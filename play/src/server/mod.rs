//! A server of one game for the people of one machine: each seat has an address of its own.
//!
//! It listens on the loopback interface only, serves one page and no file, and answers only to who has the token of a
//! seat. [`mod@guard`] refuses what a page of ours never sends, `connection` holds the limits of time and size, and
//! `game` plays, on the thread of the caller, so that agents never think on the thread that answers.

mod connection;
mod game;
pub mod guard;
mod news;
mod token;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use draw::play::DrawnGame;
use engine::Player;
use sim::error::Error;

use self::connection::{Door, MOST};
use self::game::Game;
use self::news::Chair;
use crate::hosted_game::HostedGame;

/// Longest wait for the last moment of a game to reach the pages.
const FAREWELL: Duration = Duration::from_secs(5);

/// A function that gets the final lines of the record, and the line that closes a record which is left there.
pub type Keep = Box<dyn FnMut(&str, &str) -> Result<(), Error> + Send>;

/// The service of a hosted game.
pub struct Serving {
    /// Wait after each choice of an agent.
    pub pace: Duration,
    /// The name of the record's file, for people.
    pub record: Option<String>,
    /// The command that makes a replay of the record, for people.
    pub replay: Option<String>,
    /// The keeper of the record.
    pub keep: Keep,
}

impl std::fmt::Debug for Serving {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Serving({:?}, {:?})", self.pace, self.record)
    }
}

/// A server that listens and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
    chairs: Vec<Chair>,
}

impl Server {
    /// Takes `port` of this machine, or a free one for 0, for the seats of `people`.
    ///
    /// # Errors
    /// If the port is taken, or the system has no random numbers.
    pub fn bind(port: u16, people: &[Player]) -> Result<Self, Error> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|e| {
            let remedy = match e.kind() {
                io::ErrorKind::AddrInUse => {
                    "another program has it; name another, or 0 for a free one".to_owned()
                }
                _ => e.to_string(),
            };
            Error::value("port", port.to_string(), remedy)
        })?;
        let failed = |e: &dyn std::fmt::Display| Error::Failed(format!("the server: {e}"));
        let port = listener.local_addr().map_err(|e| failed(&e))?.port();
        listener.set_nonblocking(true).map_err(|e| failed(&e))?;
        let chairs = people.iter().map(|&seat| Chair::new(seat));
        let chairs = chairs.collect::<Result<_, _>>().map_err(|e| failed(&e))?;
        Ok(Self { listener, port, chairs })
    }

    /// Returns the address of each person's seat. Whoever has it plays the seat.
    #[must_use]
    pub fn addresses(&self) -> Vec<(Player, String)> {
        let address = |chair: &Chair| {
            (chair.seat, format!("http://127.0.0.1:{}/#{}", self.port, chair.token.text()))
        };
        self.chairs.iter().map(address).collect()
    }

    /// Plays `hosted` to its end and returns it. The record is complete by then.
    ///
    /// # Errors
    /// If an agent fails, the record cannot be written, or the server cannot run.
    pub fn serve(self, hosted: HostedGame, serving: Serving) -> Result<HostedGame, Error> {
        let failed = |e: io::Error| Error::Failed(format!("the server: {e}"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(failed)?;
        let listener = {
            let _guard = runtime.enter();
            tokio::net::TcpListener::from_std(self.listener).map_err(failed)?
        };
        let (orders, received) = mpsc::channel();
        let chairs: Arc<[Chair]> = self.chairs.into();
        let game = hosted.session().game();
        let drawn = DrawnGame::new(game.name(), &game.rules().to_json(), game.players());
        let door = Arc::new(Door::new(self.port, Arc::clone(&chairs), orders, drawn.board()));
        let places = Arc::clone(&door.places);
        let (over, is_over) = tokio::sync::oneshot::channel::<()>();
        let web = std::thread::Builder::new().name("web".to_owned());
        let web = web.spawn(move || {
            runtime.block_on(async {
                let accepting = tokio::spawn(door.accept(listener));
                // The game is over, or its thread has failed.
                is_over.await.unwrap_or_default();
                accepting.abort();
                drop(tokio::time::timeout(FAREWELL, places.acquire_many(MOST)).await);
            });
        });
        let web = web.map_err(failed)?;
        let played = Game::new(hosted, drawn, chairs, received, serving).play_out();
        drop(over);
        web.join().map_err(|_| Error::Failed("the server: it panicked".to_owned()))?;
        played
    }
}
