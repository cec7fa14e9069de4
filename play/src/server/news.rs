//! The chair of a person, and the moments that its page is sent.

use std::sync::Arc;

use engine::Player;
use serde_json::{Value as Json, json};
use tokio::sync::watch;

use super::token::Token;

/// A moment of the game as one seat sees it.
#[derive(Debug, Default)]
pub(super) struct Moment {
    /// Its number, from 1; 0 before the first.
    pub(super) number: u64,
    /// Its fields without the log.
    pub(super) fields: Json,
    /// The lines of the log so far.
    pub(super) log: Vec<Json>,
}

impl Moment {
    /// Returns whether nothing comes after it.
    pub(super) fn is_last(&self) -> bool {
        self.fields["state"] == "over"
    }

    /// Returns the message to the page with number `page`, which has the first `told` lines of the log, with the board if
    /// it has none yet.
    pub(super) fn message(&self, page: u64, told: usize, board: Option<Arc<str>>) -> String {
        let mut fields = self.fields.clone();
        fields["moment"] = self.number.into();
        fields["page"] = page.into();
        fields["log"] = self.log[told.min(self.log.len())..].into();
        if let Some(board) = board {
            fields["board"] = (*board).into();
        }
        fields.to_string()
    }
}

/// The message to a page whose seat another page has taken over.
pub(super) fn taken() -> String {
    json!({ "state": "taken" }).to_string()
}

/// The newest moment of a seat, and the number of the page that gets it.
#[derive(Clone, Debug, Default)]
pub(super) struct News {
    pub(super) page: u64,
    pub(super) moment: Arc<Moment>,
}

/// The seat of a person.
#[derive(Debug)]
pub(super) struct Chair {
    pub(super) seat: Player,
    pub(super) token: Token,
    pub(super) news: watch::Sender<News>,
}

impl Chair {
    pub(super) fn new(seat: Player) -> Result<Self, getrandom::Error> {
        Ok(Self { seat, token: Token::new()?, news: watch::Sender::default() })
    }

    /// Returns the newest moment.
    pub(super) fn moment(&self) -> Arc<Moment> {
        Arc::clone(&self.news.borrow().moment)
    }

    /// Publishes `fields` with `log` as the next moment, unless it is the newest already.
    pub(super) fn publish(&self, fields: Json, log: &[Json]) {
        let last = self.moment();
        if last.fields != fields || last.log.len() != log.len() {
            let moment = Moment { number: last.number + 1, fields, log: log.to_vec() };
            self.news.send_modify(|news| news.moment = Arc::new(moment));
        }
    }

    /// Returns the number of the newest page.
    pub(super) fn page(&self) -> u64 {
        self.news.borrow().page
    }

    /// Begins the stream of a page, which takes over from an older one; returns its number.
    pub(super) fn take_over(&self) -> u64 {
        self.news.send_modify(|news| news.page += 1);
        self.page()
    }
}
