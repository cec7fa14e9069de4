//! The writer of a record during the game.

use std::fmt::Write;

use agents::forfeit_points;
use engine::{Notation, Player};
use serde::Serialize;

use super::Header;
use crate::event::Forfeit;

/// The record of a running game.
#[derive(Clone, Debug)]
pub struct Writer {
    text: String,
    action: String,
    milestone: u32,
    plies: u32,
    state_is_last: bool,
    /// Hints given to people.
    hints: u32,
}

impl Writer {
    /// Returns a record of `game` with its header, and with the state at its start if that is a milestone.
    #[must_use]
    pub fn new<G: Notation>(game: &G, header: &Header) -> Self {
        let mut writer = Self {
            text: String::with_capacity(1 << 12),
            action: String::new(),
            milestone: 0,
            plies: 0,
            state_is_last: false,
            hints: 0,
        };
        writer.line(header);
        writer.after(game, &game.start());
        writer
    }

    /// Continues the record of a game from a position; `lines` are its lines so far, and `plies` the plies among them.
    #[must_use]
    pub fn going_on<G: Notation>(
        mut self,
        game: &G,
        state: &G::State,
        lines: &str,
        plies: u32,
    ) -> Self {
        // The lines also have the state at the start.
        let header = self.text.find('\n').map_or(0, |end| end + 1);
        self.text.truncate(header);
        self.text += lines;
        (self.milestone, self.plies) = (game.milestone(state), plies);
        let last = lines.lines().next_back().unwrap_or_default();
        self.state_is_last = last.starts_with("{\"state\"");
        self
    }

    /// Notes the number of hints given to people, for the end line.
    pub const fn count_hints(&mut self, hints: u32) {
        self.hints = hints;
    }

    /// Returns the lines so far.
    #[must_use]
    pub fn so_far(&self) -> &str {
        &self.text
    }

    fn line<T: Serialize>(&mut self, line: &T) {
        self.text += &json(line);
        self.text.push('\n');
    }

    /// Writes the `outcome` of the chance event due in `state`.
    pub fn chance<G: Notation>(&mut self, game: &G, state: &G::State, outcome: G::Action) {
        self.line(&game.chance_event(state, outcome));
        self.state_is_last = false;
    }

    /// Writes the choice of `action` by `player` among `legal` actions.
    pub fn ply<G: Notation>(&mut self, game: &G, player: Player, legal: usize, action: G::Action) {
        self.action.clear();
        let _ = game.write_action(action, &mut self.action);
        let action = json(&self.action);
        let _ = writeln!(self.text, r#"{{"player":{player},"legal":{legal},"action":{action}}}"#);
        self.plies += 1;
        self.state_is_last = false;
    }

    /// Writes the state if a milestone was passed on the way to it.
    pub fn after<G: Notation>(&mut self, game: &G, state: &G::State) {
        let milestone = game.milestone(state);
        if milestone != self.milestone {
            self.milestone = milestone;
            self.state_is_last = false; // that of the milestone before, after a turn without plies
            self.state(game, state);
        }
    }

    fn state<G: Notation>(&mut self, game: &G, state: &G::State) {
        if !self.state_is_last {
            let state = json(&game.state_json(state));
            let _ = writeln!(self.text, r#"{{"state":{state}}}"#);
        }
        self.state_is_last = true;
    }

    /// Ends the record of a game that is over in `state`.
    #[must_use]
    pub fn finish<G: Notation>(mut self, game: &G, state: &G::State) -> String {
        self.state(game, state);
        let mut end = End::of(game, state, self.plies);
        end.end.hints = (self.hints > 0).then_some(self.hints);
        self.line(&end);
        self.text
    }

    /// Ends the record of a game that an agent broke off in `state`.
    #[must_use]
    pub fn break_off<G: Notation>(
        mut self,
        game: &G,
        state: &G::State,
        forfeit: &Forfeit,
    ) -> String {
        self.state(game, state);
        self.line(&End::broken_off(game, state, self.plies, forfeit));
        self.text
    }
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("a record has text keys only")
}

/// The end line of a record.
#[derive(Serialize)]
pub(super) struct End {
    end: EndBody,
}

#[derive(Serialize)]
struct EndBody {
    scores: serde_json::Value,
    winners: Vec<usize>,
    plies: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    forfeit: Option<Forfeit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hints: Option<u32>,
}

impl End {
    /// Returns the end of a game that is over.
    pub(super) fn of<G: Notation>(game: &G, state: &G::State, plies: u32) -> Self {
        let points = game.payoffs(state);
        let winners = winners(points.first(game.n_players()));
        let scores = game.end_scores(state);
        Self { end: EndBody { scores, winners, plies, forfeit: None, hints: None } }
    }

    /// Returns the end of a game that was broken off: all others win.
    pub(super) fn broken_off<G: Notation>(
        game: &G,
        state: &G::State,
        plies: u32,
        forfeit: &Forfeit,
    ) -> Self {
        let n = game.n_players();
        let winners: Vec<usize> = (0..n).filter(|&seat| seat != forfeit.player).collect();
        let scores = match game.scores(state) {
            Some(scores) => scores.first(n).into(),
            None => forfeit_points(n, Player::new(forfeit.player)).first(n).into(),
        };
        let forfeit = Some(forfeit.clone());
        Self { end: EndBody { scores, winners, plies, forfeit, hints: None } }
    }
}

/// Returns the seats with the most points.
fn winners(points: &[f32]) -> Vec<usize> {
    let best = points.iter().copied().fold(f32::MIN, f32::max);
    (0..points.len()).filter(|&seat| points[seat] >= best).collect()
}
