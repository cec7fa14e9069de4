//! A position of a game whose type is not known: [`AnyState`].

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use agents::Playable;
use engine::{
    ByPlayer, ChanceEvent, ChanceStreams, IllegalAction, Joint, ParseActionError, Player,
    PlayerSet, Stream, Turn,
};
use serde_json::Value as Json;

use super::due::{Drawn, Due};
use crate::record::{Header, Writer};

/// A position, with everything that is hidden in it.
///
/// Choices of a simultaneous turn are kept until the last of its members has chosen; members with one legal action are
/// not asked. Nobody sees them before.
pub struct AnyState(Box<dyn ErasedState>);

impl Clone for AnyState {
    fn clone(&self) -> Self {
        Self(self.0.copy())
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text())
    }
}

/// The functions of a position that need the type of its game.
pub(super) trait ErasedState: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn copy(&self) -> Box<dyn ErasedState>;
    fn due(&self) -> Due;
    fn n_actions(&self, seat: Player) -> usize;
    fn action_texts(&self, seat: Player) -> Vec<String>;
    fn labels(&self, seat: Player) -> Vec<String>;
    fn find(&self, seat: Player, text: &str) -> Result<usize, ParseActionError>;
    fn apply(&mut self, seat: Player, number: usize) -> Result<(), IllegalAction>;
    fn outcomes(&self) -> Vec<(ChanceEvent, f64)>;
    fn apply_outcome(&mut self, number: usize) -> Result<(), IllegalAction>;
    fn draw(&mut self, streams: &mut ChanceStreams) -> Drawn;
    fn has_secret_choices(&self) -> bool;
    fn points(&self) -> Option<Vec<f32>>;
    fn scores(&self) -> Option<Vec<i32>>;
    fn plies(&self) -> u32;
    fn json(&self) -> Json;
    fn text(&self) -> String;
    fn view_json(&self, seat: Player) -> Json;
    fn view_text(&self, seat: Player) -> String;
    fn info_state_key(&self, seat: Player) -> u64;
    fn is_open_to(&self, seat: Player) -> bool;
    fn determinize(&mut self, seat: Player, rng: &mut Stream);
    fn keep_record(&mut self, header: &Header);
    fn record_so_far(&self) -> Option<&str>;
    fn take_record(&mut self) -> Option<String>;
}

pub(super) struct TypedState<G: Playable> {
    game: Arc<G>,
    state: G::State,
    /// The choices of a simultaneous turn so far.
    joint: Joint<G::Action>,
    plies: u32,
    record: Option<Writer>,
}

impl<G: Playable> TypedState<G> {
    pub(super) fn new(game: Arc<G>, state: G::State) -> Self {
        let mut new = Self { game, state, joint: Joint::default(), plies: 0, record: None };
        new.pass_forced();
        new
    }

    pub(super) const fn state(&self) -> &G::State {
        &self.state
    }

    fn actions(&self, seat: Player) -> Vec<G::Action> {
        let mut actions = Vec::new();
        if self.members().contains(seat) {
            self.game.actions(&self.state, seat, &mut actions);
        }
        actions
    }

    /// Returns the players who choose now, those included who have chosen already.
    fn members(&self) -> PlayerSet {
        match self.game.turn(&self.state) {
            Turn::Player(player) => PlayerSet::of(player),
            Turn::Simultaneous(players) => players,
            Turn::Chance | Turn::Over => PlayerSet::EMPTY,
        }
    }

    /// Returns the first member of a simultaneous turn who has to choose and has not.
    fn undecided(&self, players: PlayerSet) -> Option<Player> {
        players
            .iter()
            .find(|&player| self.joint[player].is_none() && self.actions(player).len() > 1)
    }

    /// Applies an event and what follows without a choice.
    fn advance(&mut self, event: impl FnOnce(&G, &mut G::State)) {
        event(&self.game, &mut self.state);
        self.after_event();
        self.pass_forced();
    }

    fn after_event(&mut self) {
        if let Some(record) = &mut self.record {
            record.after(&*self.game, &self.state);
        }
    }

    /// Plays simultaneous turns in which nobody has a choice left.
    fn pass_forced(&mut self) {
        while let Turn::Simultaneous(players) = self.game.turn(&self.state) {
            if self.undecided(players).is_some() {
                return;
            }
            let mut joint = std::mem::take(&mut self.joint);
            for player in players.iter() {
                if joint[player].is_none() {
                    joint[player] = self.actions(player).first().copied();
                }
            }
            self.game.apply_joint(&mut self.state, &joint);
            self.after_event();
        }
    }

    fn possible(&self) -> Vec<(G::Action, f64)> {
        let mut outcomes = Vec::new();
        if self.game.turn(&self.state) == Turn::Chance {
            self.game.outcomes(&self.state, &mut outcomes);
        }
        outcomes
    }

    fn happen(&mut self, outcome: G::Action) {
        if let Some(record) = &mut self.record {
            record.chance(&*self.game, &self.state, outcome);
        }
        self.advance(|game, state| game.apply(state, outcome));
    }

    fn seats<T: Copy>(&self, by_player: &ByPlayer<T>) -> Vec<T> {
        by_player.first(self.game.n_players()).to_vec()
    }
}

impl<G: Playable> ErasedState for TypedState<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn copy(&self) -> Box<dyn ErasedState> {
        let Self { game, state, joint, plies, record } = self;
        Box::new(Self {
            game: Arc::clone(game),
            state: *state,
            joint: *joint,
            plies: *plies,
            record: record.clone(),
        })
    }

    fn due(&self) -> Due {
        match self.game.turn(&self.state) {
            Turn::Player(player) => Due::Player(player),
            Turn::Simultaneous(players) => {
                Due::Player(self.undecided(players).expect("forced turns are passed"))
            }
            Turn::Chance => Due::Chance,
            Turn::Over => Due::Over,
        }
    }

    fn n_actions(&self, seat: Player) -> usize {
        self.actions(seat).len()
    }

    fn action_texts(&self, seat: Player) -> Vec<String> {
        self.actions(seat).into_iter().map(|action| self.game.action_text(action)).collect()
    }

    fn labels(&self, seat: Player) -> Vec<String> {
        let label = |action: &G::Action| {
            let mut text = String::new();
            let written = self.game.write_action_for_people(*action, &mut text);
            written.expect("writing to a string does not fail");
            text
        };
        self.actions(seat).iter().map(label).collect()
    }

    fn find(&self, seat: Player, text: &str) -> Result<usize, ParseActionError> {
        let texts = self.action_texts(seat);
        let found = texts.iter().position(|legal| legal == text);
        found.ok_or_else(|| ParseActionError::new(text, texts))
    }

    fn apply(&mut self, seat: Player, number: usize) -> Result<(), IllegalAction> {
        if self.due() != Due::Player(seat) {
            return Err(IllegalAction);
        }
        let actions = self.actions(seat);
        let action = *actions.get(number).ok_or(IllegalAction)?;
        if let Some(record) = &mut self.record {
            record.ply(&*self.game, seat, actions.len(), action);
        }
        self.plies += 1;
        if matches!(self.game.turn(&self.state), Turn::Simultaneous(_)) {
            self.joint[seat] = Some(action);
            self.pass_forced();
        } else {
            self.advance(|game, state| game.apply(state, action));
        }
        Ok(())
    }

    fn outcomes(&self) -> Vec<(ChanceEvent, f64)> {
        let event = |(outcome, chance)| (self.game.chance_event(&self.state, outcome), chance);
        self.possible().into_iter().map(event).collect()
    }

    fn apply_outcome(&mut self, number: usize) -> Result<(), IllegalAction> {
        let possible = self.possible();
        let (outcome, chance) = *possible.get(number).ok_or(IllegalAction)?;
        if chance <= 0.0 {
            return Err(IllegalAction);
        }
        self.happen(outcome);
        Ok(())
    }

    fn draw(&mut self, streams: &mut ChanceStreams) -> Drawn {
        let purpose = self.game.chance_purpose(&self.state);
        let outcome = self.game.draw(&self.state, streams.of(purpose));
        let event = self.game.chance_event(&self.state, outcome);
        let seen = Player::all(self.game.n_players())
            .map(|seat| self.game.seen_chance(&self.state, outcome, seat))
            .collect();
        self.happen(outcome);
        Drawn { event, seen }
    }

    fn has_secret_choices(&self) -> bool {
        self.joint.0.iter().any(Option::is_some)
    }

    fn points(&self) -> Option<Vec<f32>> {
        let is_over = self.game.turn(&self.state) == Turn::Over;
        is_over.then(|| self.seats(&self.game.payoffs(&self.state)))
    }

    fn scores(&self) -> Option<Vec<i32>> {
        self.game.scores(&self.state).map(|scores| self.seats(&scores))
    }

    fn plies(&self) -> u32 {
        self.plies
    }

    fn json(&self) -> Json {
        self.game.state_json(&self.state)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        self.game.write_state(&self.state, &mut text).expect("writing to a string does not fail");
        text
    }

    fn view_json(&self, seat: Player) -> Json {
        self.game.view_json(&self.state, seat)
    }

    fn view_text(&self, seat: Player) -> String {
        let mut text = String::new();
        let written = self.game.write_view(&self.state, seat, &mut text);
        written.expect("writing to a string does not fail");
        text
    }

    fn info_state_key(&self, seat: Player) -> u64 {
        self.game.info_state_key(&self.state, seat)
    }

    fn is_open_to(&self, seat: Player) -> bool {
        self.game.is_open_to(&self.state, seat)
    }

    fn determinize(&mut self, seat: Player, rng: &mut Stream) {
        self.game.determinize(&mut self.state, seat, rng);
        // Nobody knows what the others of a simultaneous turn have chosen already.
        let own = self.joint[seat];
        self.joint = Joint::default();
        self.joint[seat] = own;
        self.record = None;
    }

    fn keep_record(&mut self, header: &Header) {
        self.record = Some(Writer::new(&*self.game, header));
    }

    fn record_so_far(&self) -> Option<&str> {
        self.record.as_ref().map(Writer::so_far)
    }

    fn take_record(&mut self) -> Option<String> {
        if self.due() != Due::Over {
            return None;
        }
        self.record.take().map(|record| record.finish(&*self.game, &self.state))
    }
}

/// Returns the complaint about a position of another game.
pub(super) fn foreign() -> String {
    "the position is of another game or of other rules".to_owned()
}

impl AnyState {
    pub(super) fn new(state: Box<dyn ErasedState>) -> Self {
        Self(state)
    }

    pub(super) fn typed<G: Playable>(&self) -> Option<&TypedState<G>> {
        self.0.as_any().downcast_ref()
    }

    /// Returns who acts next.
    #[must_use]
    pub fn due(&self) -> Due {
        self.0.due()
    }

    /// Returns the number of legal actions of `seat`; 0 where it does not choose.
    #[must_use]
    pub fn n_actions(&self, seat: Player) -> usize {
        self.0.n_actions(seat)
    }

    /// Returns the texts of the legal actions of `seat`, in the order of their numbers.
    #[must_use]
    pub fn action_texts(&self, seat: Player) -> Vec<String> {
        self.0.action_texts(seat)
    }

    /// Returns the legal actions of `seat` in words for people, whose seats count from 1, in the order of their numbers.
    #[must_use]
    pub fn labels(&self, seat: Player) -> Vec<String> {
        self.0.labels(seat)
    }

    /// Returns the number of the legal action of `seat` that is written `text`.
    ///
    /// # Errors
    /// If no legal action is written so.
    pub fn find(&self, seat: Player, text: &str) -> Result<usize, ParseActionError> {
        self.0.find(seat, text)
    }

    /// Applies the legal action `number` of `seat`, and every forced decision after it.
    ///
    /// # Errors
    /// If it is not the turn of `seat`, or there is no such action; the position is unchanged.
    pub fn apply(&mut self, seat: Player, number: usize) -> Result<(), IllegalAction> {
        self.0.apply(seat, number)
    }

    /// Returns the outcomes of the chance event that is due with their probabilities; nothing where none is due.
    #[must_use]
    pub fn outcomes(&self) -> Vec<(ChanceEvent, f64)> {
        self.0.outcomes()
    }

    /// Applies the outcome with this number in [`Self::outcomes`].
    ///
    /// # Errors
    /// If there is no such outcome or it is impossible; the position is unchanged.
    pub fn apply_outcome(&mut self, number: usize) -> Result<(), IllegalAction> {
        self.0.apply_outcome(number)
    }

    /// Draws the outcome of the chance event that is due, from the stream of its purpose, and applies it.
    ///
    /// # Panics
    /// If no event of chance is due.
    pub fn draw(&mut self, streams: &mut ChanceStreams) -> Drawn {
        assert_eq!(self.due(), Due::Chance, "an event of chance is due");
        self.0.draw(streams)
    }

    /// Returns whether somebody has chosen in a simultaneous turn that waits for others: nobody may see that choice yet.
    #[must_use]
    pub fn has_secret_choices(&self) -> bool {
        self.0.has_secret_choices()
    }

    /// Returns the points by seat, which add up to 1; `None` before the end.
    #[must_use]
    pub fn points(&self) -> Option<Vec<f32>> {
        self.0.points()
    }

    /// Returns the scores by seat, as the rules count them at any time; `None` in games without a score.
    #[must_use]
    pub fn scores(&self) -> Option<Vec<i32>> {
        self.0.scores()
    }

    /// Returns the number of choices so far.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.0.plies()
    }

    /// Returns the whole position, hidden parts included, as it stands in a record.
    #[must_use]
    pub fn json(&self) -> Json {
        self.0.json()
    }

    /// Returns the whole position for people, several lines.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.text()
    }

    /// Returns what `seat` sees of the position.
    #[must_use]
    pub fn view_json(&self, seat: Player) -> Json {
        self.0.view_json(seat)
    }

    /// Returns what `seat` sees of the position for people, several lines.
    #[must_use]
    pub fn view_text(&self, seat: Player) -> String {
        self.0.view_text(seat)
    }

    /// Returns a hash of what `seat` knows: equal for positions that the seat cannot tell apart.
    #[must_use]
    pub fn info_state_key(&self, seat: Player) -> u64 {
        self.0.info_state_key(seat)
    }

    /// Returns whether `seat` certainly sees all of the position.
    #[must_use]
    pub fn is_open_to(&self, seat: Player) -> bool {
        self.0.is_open_to(seat)
    }

    /// Returns a position that `seat` cannot tell from this one, drawn from the posterior of what it has seen. It keeps no
    /// record.
    #[must_use]
    pub fn determinized(&self, seat: Player, rng: &mut Stream) -> Self {
        let mut drawn = self.clone();
        drawn.0.determinize(seat, rng);
        drawn
    }

    /// Begins a record with `header`, at the start of a game.
    ///
    /// # Panics
    /// If the game has begun already.
    pub fn keep_record(&mut self, header: &Header) {
        assert_eq!(self.plies(), 0, "a record begins at the start of its game");
        self.0.keep_record(header);
    }

    /// Returns the lines of the record so far; `None` where none is kept.
    #[must_use]
    pub fn record_so_far(&self) -> Option<&str> {
        self.0.record_so_far()
    }

    /// Ends the record and returns it; `None` where none is kept or the game is not over.
    pub fn take_record(&mut self) -> Option<String> {
        self.0.take_record()
    }
}
