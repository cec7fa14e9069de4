//! Replay of a record: every line is checked against the rules, and narrated if requested.
//!
//! The first fault of a game ends its replay; a fault names the line of the stream. No random numbers are drawn.

use std::ops::RangeInclusive;

use draw::story::Event;
use engine::{ChanceEvent, Joint, Notation, Player, PlayerSet, Turn};
use serde_json::Value as Json;

use super::analysis::{Analyst, Decision};
use super::entry::{EndEntry, Entry};
use super::listener::{Ended, Listener, Painter};
use super::write::End;

/// A fault of a record, with its place.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Fault {
    /// The line in the stream, from 1.
    pub line: u64,
    /// The game in the stream, from 1.
    pub game: u64,
    /// The fault, and the correct value.
    pub message: String,
}

/// An observer of positions; it also gets the number of plies before each.
pub(super) type Eye<'a, S> = dyn FnMut(&S, u32) + 'a;

/// A listener to a game, with the painter of its positions.
pub(super) type Audience<'a, G> = (&'a mut dyn Listener, Painter<G>);

/// The listener, analyst and observer of a replay.
pub(super) struct ReplayHooks<'a, G: Notation> {
    /// The listener, if any.
    pub(super) audience: Option<Audience<'a, G>>,
    /// The plies that are analysed; all if `None`.
    pub(super) plies: Option<RangeInclusive<u64>>,
    /// The analyst of plies.
    pub(super) analyst: Option<&'a mut Analyst<G>>,
    /// The observer of every position: at the start, and after every event.
    pub(super) eye: Option<&'a mut Eye<'a, G::State>>,
}

/// Returns the position after `lines`, which follow a header; a single decision must be due there.
///
/// # Errors
/// The number of the first wrong line, from 1, or 0 for the position, and a message.
pub(crate) fn replay_lines<G: Notation>(
    game: &G,
    lines: &[String],
) -> Result<G::State, (usize, String)> {
    let hooks = ReplayHooks { audience: None, plies: None, analyst: None, eye: None };
    let mut replay = RecordReplay::new(game, hooks);
    for (place, line) in lines.iter().enumerate() {
        replay.line(line).map_err(|message| (place + 1, message))?;
    }
    replay.begin();
    if replay.in_joint {
        let message = "others choose at the same time: take the first of their plies";
        return Err((0, message.to_owned()));
    }
    let is_first_chance = replay.plies == 0 && game.turn(&replay.state) == Turn::Chance;
    if replay.state_is_due || replay.player_due().is_none() && !is_first_chance {
        return Err((0, replay.what_is_due()));
    }
    Ok(replay.state)
}

/// A game during its replay.
pub(super) struct RecordReplay<'a, 'b, G: Notation> {
    game: &'a G,
    state: G::State,
    milestone: u32,
    plies: u64,
    joint: Joint<G::Action>,
    undecided: PlayerSet,
    in_joint: bool,
    state_is_due: bool,
    state_is_last: bool,
    must_be_broken_off: bool,
    has_begun: bool,
    ended: bool,
    scratch: Vec<G::Action>,
    hooks: ReplayHooks<'b, G>,
}

impl<'a, 'b, G: Notation> RecordReplay<'a, 'b, G> {
    pub(super) fn new(game: &'a G, hooks: ReplayHooks<'b, G>) -> Self {
        let state = game.start();
        let milestone = game.milestone(&state);
        Self {
            game,
            state,
            milestone,
            plies: 0,
            joint: Joint::<G::Action>::default(),
            undecided: PlayerSet::default(),
            in_joint: false,
            state_is_due: milestone != 0,
            state_is_last: false,
            must_be_broken_off: false,
            has_begun: false,
            ended: false,
            scratch: Vec::new(),
            hooks,
        }
    }

    /// Shows the first position, once.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        if let Some((listener, painter)) = &mut self.hooks.audience {
            listener.begin(painter.position(self.game, &self.state, 0, listener.wants()));
        }
        self.show();
        self.pass_forced();
    }

    /// Begins at a position that was made by hand.
    fn begin_at(&mut self, json: &Json) -> Result<(), String> {
        if self.has_begun {
            return Err("a position stands below the header, and nowhere else".to_owned());
        }
        self.state = self.game.position_from_json(json)?;
        self.milestone = self.game.milestone(&self.state);
        self.state_is_due = false;
        self.begin();
        Ok(())
    }

    fn show(&mut self) {
        if let Some(eye) = &mut self.hooks.eye {
            eye(&self.state, self.plies as u32);
        }
    }

    /// Returns the current state.
    pub(super) const fn state(&self) -> &G::State {
        &self.state
    }

    /// Processes the next line.
    pub(super) fn line(&mut self, text: &str) -> Result<(), String> {
        let entry = Entry::read(text);
        if let Ok(Entry::Position(json)) = &entry {
            return self.begin_at(json);
        }
        self.begin();
        let entry = entry?;
        if self.ended {
            return Err("the game ended above: expected the header of another game".to_owned());
        }
        let must = match entry {
            Entry::State(_) => None,
            _ if self.state_is_due => Some("the state of the milestone just passed"),
            Entry::End(EndEntry { forfeit: Some(_), .. }) => None,
            _ if self.must_be_broken_off => Some("the end line of a forfeit"),
            _ => None,
        };
        if let Some(must) = must {
            return Err(format!("expected {must} here"));
        }
        match entry {
            Entry::Position(_) => Ok(()),
            Entry::Chance(event) => self.chance(&event),
            Entry::Ply { player, legal, action } => self.ply(player, legal, &action),
            Entry::State(state) => self.check_state(&state),
            Entry::End(end) => self.end(&end),
        }
    }

    /// Returns whether the record may stop after the last line.
    pub(super) fn has_ended(&mut self) -> bool {
        self.begin();
        self.ended
    }

    fn chance(&mut self, event: &ChanceEvent) -> Result<(), String> {
        if self.game.turn(&self.state) != Turn::Chance {
            return Err(format!("no chance event is due: {}", self.what_is_due()));
        }
        let outcome = self
            .game
            .parse_chance(&self.state, event)
            .map_err(|e| format!("impossible draw: {e}"))?;
        self.game.apply(&mut self.state, outcome);
        let ChanceEvent { chance, who, value } = event;
        self.record(&Event::Chance { kind: chance, who: who.as_ref(), value }, true);
        self.moved_on();
        Ok(())
    }

    fn ply(&mut self, player: usize, legal: usize, text: &str) -> Result<(), String> {
        let due = self.player_due().filter(|due| due.idx() == player);
        let due = due.ok_or_else(|| {
            format!(
                "it is not the turn of seat {} (\"player\":{player}): {}",
                player + 1,
                self.what_is_due()
            )
        })?;
        let action = self
            .game
            .parse_action(&self.state, due, text)
            .map_err(|e| format!("illegal action: {e}"))?;
        let n = self.game.n_actions(&self.state, due, &mut self.scratch);
        if n != legal {
            return Err(format!(
                "\"legal\" is {legal}, but seat {} has {n} legal actions",
                player + 1
            ));
        }
        self.plies += 1;
        if let Some((listener, _)) = &mut self.hooks.audience {
            listener.choosing(player, legal, text);
        }
        self.comment(due, text);
        let has_moved = self.act(due, action);
        self.record(&Event::Choice { seat: player, action: text }, has_moved);
        if has_moved {
            self.moved_on();
        }
        Ok(())
    }

    /// Returns whether the last ply and the events after it are wanted.
    fn is_wanted(&self) -> bool {
        self.hooks.plies.as_ref().is_none_or(|plies| plies.contains(&self.plies))
    }

    /// Lets the analyst evaluate the decision of `player` for the action `text`.
    fn comment(&mut self, player: Player, text: &str) {
        let is_wanted = self.is_wanted();
        let ReplayHooks { audience, analyst: Some(analyst), .. } = &mut self.hooks else {
            return;
        };
        if !is_wanted {
            return;
        }
        let decision = Decision { player, ply: self.plies, played: text };
        let mut opinion = String::new();
        match audience {
            None => drop(analyst.look(self.game, &self.state, &decision, None)),
            Some((listener, _)) if listener.wants().documents => {
                drop(analyst.look(self.game, &self.state, &decision, None));
                listener.opinion(&analyst.take_documents());
            }
            Some((listener, _)) => {
                let mistake = analyst.look(self.game, &self.state, &decision, Some(&mut opinion));
                listener.opinion(&opinion);
                if let Some(mistake) = mistake {
                    listener.mistake(mistake);
                }
            }
        }
    }

    /// Passes an event to the listener; `has_moved` is false while others still choose.
    fn record(&mut self, event: &Event<'_>, has_moved: bool) {
        if let Some((listener, painter)) = &mut self.hooks.audience {
            let position =
                || painter.position(self.game, &self.state, self.plies as u32, listener.wants());
            let after = has_moved.then(position);
            listener.event(event, after);
        }
    }

    /// Applies an action. Returns whether the game has moved on; it has not while others of a simultaneous turn still
    /// choose.
    fn act(&mut self, player: Player, action: G::Action) -> bool {
        if let Turn::Simultaneous(players) = self.game.turn(&self.state) {
            if !self.in_joint {
                self.begin_joint(players);
                self.in_joint = true;
            }
            self.joint[player] = Some(action);
            self.undecided.remove(player);
            self.state_is_last = false;
            if !self.undecided.is_empty() {
                return false;
            }
            self.in_joint = false;
            self.game.apply_joint(&mut self.state, &self.joint);
        } else {
            self.game.apply(&mut self.state, action);
        }
        true
    }

    /// Begins a simultaneous turn of `players`; those with one option have chosen it, and have no line.
    fn begin_joint(&mut self, players: PlayerSet) {
        self.joint = Joint::<G::Action>::default();
        self.undecided = players;
        for player in players.iter() {
            if let Some(only) = self.forced(player) {
                self.joint[player] = Some(only);
                self.undecided.remove(player);
            }
        }
    }

    /// Returns the only action of `player`, or `None` if there are several.
    fn forced(&self, player: Player) -> Option<G::Action> {
        let mut actions = Vec::new();
        if self.game.n_actions(&self.state, player, &mut actions) > 1 {
            return None;
        }
        actions.clear();
        self.game.actions(&self.state, player, &mut actions);
        actions.first().copied()
    }

    fn moved_on(&mut self) {
        self.show();
        let milestone = self.game.milestone(&self.state);
        self.state_is_due = milestone != self.milestone;
        self.milestone = milestone;
        self.state_is_last = false;
        self.pass_forced();
    }

    /// Passes simultaneous turns in which no player has a choice, up to the next line that is due.
    fn pass_forced(&mut self) {
        if self.state_is_due {
            return;
        }
        if let Turn::Simultaneous(players) = self.game.turn(&self.state)
            && players.iter().all(|player| self.forced(player).is_some())
        {
            self.begin_joint(players);
            self.game.apply_joint(&mut self.state, &self.joint);
            self.record(&Event::Forced, true);
            self.moved_on();
        }
    }

    /// Returns the player whose line must come next.
    fn player_due(&self) -> Option<Player> {
        match self.game.turn(&self.state) {
            Turn::Player(player) => Some(player),
            Turn::Simultaneous(_) if self.in_joint => self.undecided.iter().next(),
            Turn::Simultaneous(players) => {
                players.iter().find(|&player| self.forced(player).is_none())
            }
            Turn::Chance | Turn::Over => None,
        }
    }

    fn what_is_due(&self) -> String {
        match (self.player_due(), self.game.turn(&self.state)) {
            (Some(player), _) => format!("seat {} is to move", player.ordinal()),
            (None, Turn::Chance) => "a chance event is due".to_owned(),
            (None, _) if self.state_is_last => "the end line is due".to_owned(),
            (None, _) => "the game is over, its last state is due".to_owned(),
        }
    }

    fn check_state(&mut self, state: &Json) -> Result<(), String> {
        if self.state_is_last {
            return Err("the same state stands twice".to_owned());
        }
        let is_over = self.game.turn(&self.state) == Turn::Over;
        self.must_be_broken_off = !self.state_is_due && !is_over;
        let rules = self.game.state_json(&self.state);
        if let Some(difference) = difference(state, &rules) {
            return Err(format!("the state is another: {difference}"));
        }
        self.state_is_last = true;
        if let Some((listener, _)) = &mut self.hooks.audience {
            let mut text = String::new();
            let _ = self.game.write_state(&self.state, &mut text);
            listener.milestone(&text);
        }
        if std::mem::take(&mut self.state_is_due) {
            self.pass_forced();
        }
        Ok(())
    }

    fn end(&mut self, end: &EndEntry) -> Result<(), String> {
        let n = self.game.n_players();
        let is_over = self.game.turn(&self.state) == Turn::Over;
        let rules = match &end.forfeit {
            None if !is_over => {
                return Err(format!("the game is not over: {}", self.what_is_due()));
            }
            Some(forfeit) if forfeit.player >= n => {
                return Err(format!(
                    "\"forfeit\" by \"player\":{}, of {n} seats, which count from 0 there",
                    forfeit.player
                ));
            }
            _ if !self.state_is_last => {
                return Err("expected the last state before the end".to_owned());
            }
            None => End::of(self.game, &self.state, self.plies as u32),
            Some(forfeit) => End::broken_off(self.game, &self.state, self.plies as u32, forfeit),
        };
        let rules = serde_json::to_value(rules).unwrap_or_default();
        let read = serde_json::json!({
            "scores": end.scores, "winners": end.winners, "plies": end.plies,
        });
        for key in ["scores", "winners", "plies"] {
            if let Some(difference) = difference(&read[key], &rules["end"][key]) {
                return Err(format!("the end is another: {key} {difference}"));
            }
        }
        self.ended = true;
        if let Some((listener, _)) = &mut self.hooks.audience {
            let EndEntry { scores, winners, plies, forfeit, hints } = end;
            let (plies, hints, forfeit) = (*plies, *hints, forfeit.as_ref());
            listener.end(&Ended { scores, winners, plies, forfeit, hints });
        }
        Ok(())
    }
}

/// Returns the place and kind of the first difference of two values.
fn difference(read: &Json, rules: &Json) -> Option<String> {
    match (read, rules) {
        _ if read == rules => None,
        // 1 and 1.0 are equal numbers, in any notation.
        (Json::Number(a), Json::Number(b)) if a.as_f64() == b.as_f64() => None,
        (Json::Object(a), Json::Object(b)) => {
            let keys = b.keys().chain(a.keys().filter(|key| !b.contains_key(*key)));
            keys.into_iter().find_map(|key| match (a.get(key), b.get(key)) {
                (Some(x), Some(y)) => difference(x, y).map(|d| join(key, &d)),
                (None, _) => Some(format!("{key} is missing")),
                (_, None) => Some(format!("{key} does not belong here")),
            })
        }
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(i, (x, y))| difference(x, y).map(|d| join(&i.to_string(), &d))),
        _ => Some(format!("is {read} in the record, {rules} by the rules")),
    }
}

fn join(key: &str, rest: &str) -> String {
    let glue = if rest.starts_with("is ") || rest.starts_with("does ") { " " } else { "." };
    format!("{key}{glue}{rest}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_difference_names_its_place() {
        let a = json!({"round":1,"players":[{"money":3},{"money":4}]});
        let b = json!({"round":1,"players":[{"money":3},{"money":5}]});
        assert_eq!(difference(&a, &a), None);
        assert_eq!(difference(&json!([1, 0.5]), &json!([1.0, 0.5])), None);
        assert!(difference(&json!(1), &json!(1.5)).is_some());
        assert_eq!(
            difference(&a, &b).unwrap(),
            "players.1.money is 4 in the record, 5 by the rules"
        );
        assert_eq!(difference(&json!({}), &json!({"bag":1})).unwrap(), "bag is missing");
    }
}
