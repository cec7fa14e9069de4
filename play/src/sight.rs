//! The table as one seat sees it, as JSON for a page: [`Sight`].

use draw::play::{Asked, DrawnGame, March, ask, changed, chosen, marches, panel, pieces, told};
use draw::replay::BoardView;
use draw::story::Sentence;
use serde_json::{Value as Json, json};
use sim::any::{AnyState, Due};

use crate::memory::Memory;
use crate::odds::Odds;

/// The eyes of a seat: with a position, they give what its page shows.
///
/// Everything comes from the view of the seat and its legal actions, so positions that the seat cannot tell apart give
/// the same bytes.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// The drawing of the game.
    pub game: &'a DrawnGame,
    /// The names of the seats.
    pub names: &'a [String],
    /// The memory of the seat.
    pub memory: &'a Memory,
}

impl Sight<'_> {
    fn asked<'a>(&'a self, view: &'a Json) -> Asked<'a> {
        Asked { game: self.game, names: self.names, view, seat: self.memory.seat().idx() }
    }

    /// Returns a choice of the seat in a draft, as its option is called.
    #[must_use]
    pub fn chosen(&self, before: &AnyState, label: &str) -> String {
        let view = before.view_json(self.memory.seat());
        chosen(&self.asked(&view), &before.labels(self.memory.seat()), label)
    }

    /// Returns the table of a position: its pieces, holdings and displays.
    #[must_use]
    pub fn table(&self, state: &AnyState) -> BoardView {
        self.asked(&state.view_json(self.memory.seat())).table()
    }

    /// Returns a line of the log: a sentence with the names of areas, cards and seats.
    #[must_use]
    pub fn line(&self, sentence: &Sentence) -> Json {
        json!({
            "level": sentence.level.word(),
            "seat": sentence.seat.map(|seat| seat + 1),
            "text": told(self.game, self.names, sentence),
        })
    }

    /// Returns the fields of a moment that a position decides: `now` is the one with the `draft` of whoever chooses,
    /// `settled` the one before it. Others see nothing of a draft.
    #[must_use]
    pub fn of(&self, now: &AnyState, settled: &AnyState, draft: &[String]) -> Json {
        let seat = self.memory.seat();
        let is_own = now.due() == Due::Player(seat);
        let (now, draft) = if is_own { (now, draft) } else { (settled, &[][..]) };
        let table = |view: &Json| self.asked(view).table();
        let view = now.view_json(seat);
        let (seen, before) = (table(&view), table(self.memory.before()));
        let (happened, drafted) = match draft {
            [] => (changed(self.game, &before, &seen), Vec::new()),
            _ => {
                let settled = self.table(settled);
                (changed(self.game, &before, &settled), marches(&settled.areas, &seen.areas))
            }
        };
        let marches = self.memory.trail().iter().chain(&drafted).map(March::code);
        let asked = self.asked(&view);
        let (state, whose) = match now.due() {
            Due::Player(due) if due == seat => ("asks", None),
            Due::Player(due) => ("waits", Some(due.ordinal())),
            Due::Chance => ("waits", None),
            Due::Over => ("over", None),
        };
        let menu = (state == "asks").then(|| ask(&asked, &now.labels(seat), draft));
        json!({
            "state": state,
            "for": whose,
            "seat": seat.ordinal(),
            "names": self.names,
            "menu": menu,
            "pieces": pieces(&seen),
            "panel": panel(&asked, &seen),
            "draft": draft,
            "may_undo": !draft.is_empty(),
            "may_finish": !draft.is_empty(),
            "may_odds": state == "asks" && Odds::are_known(now, seat),
            "happened": happened,
            "marches": marches.collect::<Vec<_>>(),
        })
    }
}
