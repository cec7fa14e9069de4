//! The thread of the game: it plays, answers the wishes of people, and publishes moments.

use std::sync::{Arc, mpsc};

use draw::play::{DrawnGame, pieces};
use draw::story::Sentence;
use engine::Player;
use http::StatusCode;
use serde_json::{Value as Json, json};
use sim::any::{AnyState, Due};
use sim::error::Error;
use sim::session::{HUMAN, Happening, Step};
use tokio::sync::oneshot;

use super::Serving;
use super::guard::Route;
use super::news::Chair;
use crate::hosted_game::HostedGame;
use crate::memory::Memory;
use crate::odds::Odds;
use crate::rolls::rolls;
use crate::sight::Sight;

/// A wish of a person.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Wish {
    /// To play these words.
    Words(Vec<String>),
    /// To take back the last choice, or all of the draft.
    Undo { all: bool },
    /// To make the draft final.
    Done,
    /// Advice.
    Hint,
    /// The odds of options.
    Odds,
}

impl Wish {
    /// Reads the body of a request; `None` if it is malformed.
    pub(super) fn of(route: Route, body: &Json) -> Option<Self> {
        let text = |word: &Json| word.as_str().map(str::to_owned);
        Some(match route {
            Route::Words => {
                Self::Words(body["words"].as_array()?.iter().map(text).collect::<Option<_>>()?)
            }
            Route::Undo => Self::Undo { all: body["all"].as_bool().unwrap_or(false) },
            Route::Done => Self::Done,
            Route::Hint => Self::Hint,
            Route::Odds => Self::Odds,
            Route::Page | Route::Events => return None,
        })
    }
}

/// An answer: status and body.
type Answer = (StatusCode, Json);

/// A wish with its seat, the moment that its person saw, and the way back.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) seat: Player,
    pub(super) moment: u64,
    pub(super) wish: Wish,
    pub(super) reply: oneshot::Sender<Answer>,
}

/// Returns the answer to a wish that comes too late, or too early.
pub(super) fn stale(newest: u64) -> Answer {
    let sentence = "the game has gone on, or another seat is to choose";
    (StatusCode::CONFLICT, json!({ "error": sentence, "moment": newest }))
}

fn refused(sentence: &str) -> Answer {
    (StatusCode::UNPROCESSABLE_ENTITY, json!({ "error": sentence }))
}

/// A person's page.
struct Page {
    /// The memory of its seat.
    memory: Memory,
    /// The lines of its log; each has the areas of the board that changed with it, and their pieces.
    log: Vec<Json>,
    /// The pieces in each area after the last line.
    pieces: Vec<String>,
}

impl Page {
    /// Returns the eyes of the seat.
    fn sight<'a>(&'a self, game: &'a DrawnGame, names: &'a [String]) -> Sight<'a> {
        Sight { game, names, memory: &self.memory }
    }

    /// Adds sentences about what has led to a final position to the log, and the marches of others to the trail.
    fn follow(&mut self, game: &DrawnGame, names: &[String], new: &[Sentence], state: &AnyState) {
        let sight = self.sight(game, names);
        let mut lines: Vec<Json> = new.iter().map(|sentence| sight.line(sentence)).collect();
        self.memory.follow(game, names, state);
        let Some(last) = lines.last_mut() else { return };
        let now = pieces(self.memory.table());
        let differs = |(i, code): &(usize, &String)| self.pieces.get(*i) != Some(code);
        let changed = now.iter().enumerate().filter(differs);
        last["pieces"] = changed.map(|(i, code)| (i.to_string(), json!(code))).collect();
        self.log.append(&mut lines);
        self.pieces = now;
    }
}

/// A game that is served.
pub(super) struct Game {
    hosted: HostedGame,
    chairs: Arc<[Chair]>,
    orders: mpsc::Receiver<Order>,
    serving: Serving,
    /// The drawing of the game.
    drawn: DrawnGame,
    /// The names of the seats, all different.
    names: Vec<String>,
    pages: Vec<Page>,
    /// The number of events in the logs.
    logged: usize,
    /// True if something has happened since the last moment.
    is_news: bool,
}

impl Game {
    pub(super) fn new(
        mut hosted: HostedGame,
        drawn: DrawnGame,
        chairs: Arc<[Chair]>,
        orders: mpsc::Receiver<Order>,
        serving: Serving,
    ) -> Self {
        let mut names = distinct(hosted.names());
        if let [only] = hosted.people()[..]
            && names[only.idx()] == HUMAN
        {
            names[only.idx()] = "you".to_owned();
        }
        let replayed = hosted.take_replayed();
        let page = |(i, chair): (usize, &Chair)| {
            let (seat, memory) = (chair.seat, Memory::new(hosted.start(), chair.seat));
            let mut page = Page { memory, log: Vec::new(), pieces: Vec::new() };
            for (event, told) in &replayed {
                if event.has_choice_of(seat) {
                    page.memory.acted(&event.after);
                }
                let new = &hosted.story(seat)[page.log.len()..told[i]];
                page.follow(&drawn, &names, new, &event.after);
            }
            page
        };
        let pages = chairs.iter().enumerate().map(page).collect();
        Self { hosted, chairs, orders, serving, drawn, names, pages, logged: 0, is_news: true }
    }

    /// Plays to the end and returns the hosted game.
    pub(super) fn play_out(mut self) -> Result<HostedGame, Error> {
        loop {
            self.keep()?;
            match self.hosted.step()? {
                Step::Happened(happenings) => {
                    self.is_news = true;
                    self.follow();
                    let is_choice = |h: &Happening| matches!(h, Happening::Choice { .. });
                    if !self.serving.pace.is_zero() && happenings.iter().any(is_choice) {
                        self.publish();
                        std::thread::sleep(self.serving.pace);
                    }
                }
                Step::Asks(seat) => {
                    if self.is_news {
                        self.publish();
                    }
                    self.attend(seat)?;
                }
                Step::Over => break,
            }
        }
        if let Some(record) = self.hosted.take_record() {
            (self.serving.keep)(&record, "")?;
        }
        self.publish();
        Ok(self.hosted)
    }

    /// Hands over the lines of the record that are final.
    fn keep(&mut self) -> Result<(), Error> {
        let session = self.hosted.session();
        (self.serving.keep)(session.final_record(), &session.left_line())
    }

    /// Answers orders until one of them changes the game.
    fn attend(&mut self, due: Player) -> Result<(), Error> {
        loop {
            let order = self.orders.recv();
            let order = order.map_err(|_| Error::Failed("the server: it stopped".to_owned()))?;
            let Some(chair) = self.chairs.iter().position(|chair| chair.seat == order.seat) else {
                continue;
            };
            let newest = self.chairs[chair].moment().number;
            let is_due = order.seat == due && order.moment == newest;
            let (answer, has_changed) = match is_due {
                true => self.granted(due, order.wish)?,
                false => (stale(newest), false),
            };
            if has_changed {
                // The next moment is there before the answer.
                self.publish();
            }
            // A page that is gone wants no answer.
            drop(order.reply.send(answer));
            if has_changed {
                return Ok(());
            }
        }
    }

    /// Grants the wish of `seat`; returns the answer, and whether the game changed.
    fn granted(&mut self, seat: Player, wish: Wish) -> Result<(Answer, bool), Error> {
        let done = |json| Ok(((StatusCode::OK, json), true));
        match wish {
            Wish::Words(words) => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                match self.hosted.play(seat, &words) {
                    Err(complaint) => Ok((refused(&complaint), false)),
                    Ok(rest) => {
                        self.remember(seat);
                        done(json!({ "rest": rest }))
                    }
                }
            }
            Wish::Undo { all } => {
                if !self.hosted.undo() {
                    return Ok((refused("nothing can be taken back"), false));
                }
                while all && self.hosted.undo() {}
                done(json!({}))
            }
            Wish::Done => {
                self.hosted.finish();
                self.remember(seat);
                done(json!({}))
            }
            Wish::Odds => Ok(match Odds::seen(self.hosted.session().state(), seat) {
                None => (refused("the odds of this game are not known"), false),
                Some(odds) => ((StatusCode::OK, json!({ "lines": odds.lines() })), false),
            }),
            Wish::Hint => Ok(match self.hosted.hint(seat)? {
                None => (refused("there are no hints at this table"), false),
                Some(hint) => {
                    self.keep()?;
                    let options = hint.options.iter().map(|option| {
                        json!({
                            "label": option.label, "visits": option.visits,
                            "value": option.value, "chosen": option.is_chosen,
                        })
                    });
                    let options: Json = options.collect();
                    let json = json!({ "chosen": hint.chosen, "options": options });
                    ((StatusCode::OK, json), false)
                }
            }),
        }
    }

    /// Remembers the view of a seat whose choices have become final.
    fn remember(&mut self, seat: Player) {
        let session = self.hosted.session();
        if session.undoable() == 0
            && let Some(page) = self.pages.iter_mut().find(|page| page.memory.seat() == seat)
        {
            page.memory.acted(session.state());
        }
    }

    /// Adds what has become final to the logs and the trails.
    fn follow(&mut self) {
        let (hosted, drawn, names) = (&self.hosted, &self.drawn, &self.names);
        for page in &mut self.pages {
            let new = &hosted.story(page.memory.seat())[page.log.len()..];
            page.follow(drawn, names, new, hosted.session().final_state());
        }
    }

    /// Publishes the moment of each person.
    fn publish(&mut self) {
        self.follow();
        let (hosted, serving) = (&self.hosted, &self.serving);
        let session = hosted.session();
        let result = session
            .state()
            .points()
            .map(|points| json!({ "points": points, "lines": hosted.result() }));
        // Others see nothing of a draft.
        let is_own = session.undoable() > 0 && hosted.log().len() == self.logged;
        for (page, chair) in self.pages.iter_mut().zip(&*self.chairs) {
            let seat = page.memory.seat();
            if is_own && session.state().due() != Due::Player(seat) {
                continue;
            }
            let sight = page.sight(&self.drawn, &self.names);
            let (now, settled) = (session.state(), session.final_state());
            let draft = session.before_draft().iter().zip(hosted.draft());
            let draft: Vec<String> = match session.state().due() == Due::Player(seat) {
                true => draft.map(|(before, label)| sight.chosen(before, &label)).collect(),
                false => Vec::new(),
            };
            let mut fields = sight.of(now, settled, &draft);
            let sides = rolls(hosted.log(), seat).into_iter();
            fields["rolls"] =
                sides.map(|(who, faces)| json!({ "who": who, "faces": faces })).collect();
            fields["may_hint"] = hosted.has_hints().into();
            fields["result"] = json!(result);
            fields["record"] = json!(serving.record);
            fields["replay"] = json!(serving.replay);
            chair.publish(fields, &page.log);
        }
        self.logged = hosted.log().len();
        self.is_news = false;
    }
}

/// Returns names of which no two are the same: seats of one name get their number.
fn distinct(names: &[String]) -> Vec<String> {
    let is_alone = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    let named = |(i, name): (usize, &String)| match is_alone(name) {
        true => name.clone(),
        false => format!("{name} {}", i + 1),
    };
    names.iter().enumerate().map(named).collect()
}
