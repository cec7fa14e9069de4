//! A position of a game whose type is not known: [`AnyState`].

use std::fmt;

use engine::{ChanceEvent, ChanceStreams, Fast, IllegalAction, ParseActionError, Player};
use engine::{Purpose, Stream, rng};
use serde_json::Value as Json;

use super::due::{Drawn, Due, Ends};
use super::typed::{ErasedState, TypedState};
use crate::catalogue::Listed;
use crate::record::Header;

/// Worlds in which a choice is tried out before it counts as one that tells its seat nothing.
const TRIED: usize = 32;

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

/// Returns the complaint about a position of another game.
pub(super) fn foreign() -> String {
    "the position is of another game or of other rules".to_owned()
}

impl AnyState {
    pub(super) fn new(state: Box<dyn ErasedState>) -> Self {
        Self(state)
    }

    pub(super) fn typed<G: Listed>(&self) -> Option<&TypedState<G>> {
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

    /// Returns the numbers of the legal actions of `seat` among all actions of the game
    /// ([`AnyGame::n_numbers`](super::AnyGame::n_numbers)), in the order of [`Self::action_texts`].
    #[must_use]
    pub fn action_numbers(&self, seat: Player) -> Vec<u32> {
        self.0.action_numbers(seat)
    }

    /// Applies the legal action of `seat` with this number among all actions of the game. It lists no actions, so it is
    /// faster than [`Self::apply`].
    ///
    /// # Errors
    /// If it is not the turn of `seat`, or the action is not legal; the position is unchanged.
    pub fn apply_number(&mut self, seat: Player, number: usize) -> Result<(), IllegalAction> {
        self.0.apply_number(seat, number)
    }

    /// Writes what `seat` sees as numbers, in the layout of
    /// [`AnyGame::observation_layout`](super::AnyGame::observation_layout).
    ///
    /// # Panics
    /// If `numbers` is not as long as the layout.
    pub fn write_observation(&self, seat: Player, numbers: &mut [f32]) {
        self.0.write_observation(seat, numbers);
    }

    /// Plays on to the end with random choices and returns the number of choices in the whole game. It keeps no record.
    pub fn play_out(&mut self, rng: &mut Fast) -> u32 {
        self.0.play_out(rng)
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

    /// Returns the whole position as data, with the choices of a simultaneous turn so far, and without the number of plies
    /// (see [`engine::data`]).
    #[cfg(feature = "data")]
    #[must_use]
    pub fn to_data(&self) -> Json {
        self.0.data()
    }

    /// Returns the whole state as it stands in a document that people can change
    /// ([`Notation::position_json`](engine::Notation::position_json)); `None` if this build has no such documents. The
    /// choices of a simultaneous turn so far are no part of it.
    #[must_use]
    pub fn position(&self) -> Option<Json> {
        self.0.position()
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

    /// Returns this position; it keeps no record.
    #[must_use]
    pub fn without_record(&self) -> Self {
        let mut copy = self.clone();
        copy.0.drop_record();
        copy
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

    /// Returns whether the choice `number` of `seat` may tell it something: worlds that it cannot tell apart become
    /// different by it, as where another seat passes unasked because it holds nothing. Drawn worlds decide, so what is
    /// rare can be missed while the true world is not the rare one.
    #[must_use]
    pub fn may_reveal(&self, seat: Player, number: usize) -> bool {
        if self.is_open_to(seat) {
            return false;
        }
        let after = |mut world: Self| {
            let is_legal = world.apply(seat, number).is_ok();
            is_legal.then(|| (world.due() == Due::Player(seat), world.info_state_key(seat)))
        };
        let own = after(self.clone());
        let mut draws = rng::stream(0, self.plies().into(), Purpose::Analysis);
        (0..TRIED).any(|_| after(self.determinized(seat, &mut draws)) != own)
    }

    /// Returns whether the game knows exact odds of processes that its actions begin.
    #[must_use]
    pub fn has_outcome_odds(&self) -> bool {
        self.0.has_outcome_odds()
    }

    /// Returns the number of each legal action of `seat` that begins a process with known odds or goes on with one, and
    /// the ends of the process. There are none where `seat` does not choose alone.
    ///
    /// They use the whole position. For a person, ask a position that their seat may take for the true one
    /// ([`Self::determinized`]); they are exact if nothing hidden from the seat counts in the process.
    #[must_use]
    pub fn odds_after(&self, seat: Player) -> Vec<(usize, Ends)> {
        self.0.odds_after(seat)
    }

    /// Returns whether any legal action of `seat` has such odds ([`Self::odds_after`]).
    #[must_use]
    pub fn has_odds_after(&self, seat: Player) -> bool {
        self.0.has_odds_after(seat)
    }

    /// Begins a record with `header`, at the start of a game or at the position of another record where it goes on.
    ///
    /// # Panics
    /// If the game has begun already.
    pub fn keep_record(&mut self, header: &Header) {
        assert!(self.0.is_at_start(), "a record begins at the start of its game");
        self.0.keep_record(header);
    }

    /// Returns the lines of the record so far; `None` where none is kept.
    #[must_use]
    pub fn record_so_far(&self) -> Option<&str> {
        self.0.record_so_far()
    }

    /// Notes the number of hints given to people, for the end line of the record.
    pub fn count_hints(&mut self, hints: u32) {
        self.0.count_hints(hints);
    }

    /// Ends the record and returns it; `None` where none is kept or the game is not over.
    pub fn take_record(&mut self) -> Option<String> {
        self.0.take_record()
    }
}
