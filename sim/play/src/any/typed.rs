//! A position of a game whose type is known, behind one table of functions.

use std::any::Any;
use std::sync::Arc;

#[cfg(feature = "data")]
use engine::{BadData, Data, MAX_PLAYERS};
use engine::{
    ByPlayer, ChanceEvent, ChanceStreams, Fast, IllegalAction, Joint, ParseActionError, Player,
    PlayerSet, Stream, Turn, View, observation, playout,
};
use serde_json::Value as Json;
#[cfg(feature = "data")]
use serde_json::json;

use super::due::{Drawn, Due, Ends};
use crate::catalogue::Listed;
use crate::play::Start;
use crate::record::{Header, Writer};

/// The actions that a list has room for without growing: those of most choices.
const FEW: usize = 32;

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
    fn action_numbers(&self, seat: Player) -> Vec<u32>;
    fn apply_number(&mut self, seat: Player, number: usize) -> Result<(), IllegalAction>;
    fn write_observation(&self, seat: Player, numbers: &mut [f32]);
    fn play_out(&mut self, rng: &mut Fast) -> u32;
    fn outcomes(&self) -> Vec<(ChanceEvent, f64)>;
    fn apply_outcome(&mut self, number: usize) -> Result<(), IllegalAction>;
    fn draw(&mut self, streams: &mut ChanceStreams) -> Drawn;
    fn has_secret_choices(&self) -> bool;
    fn points(&self) -> Option<Vec<f32>>;
    fn scores(&self) -> Option<Vec<i32>>;
    fn plies(&self) -> u32;
    fn json(&self) -> Json;
    #[cfg(feature = "data")]
    fn data(&self) -> Json;
    fn position(&self) -> Option<Json>;
    fn text(&self) -> String;
    fn view_json(&self, seat: Player) -> Json;
    fn view_text(&self, seat: Player) -> String;
    fn info_state_key(&self, seat: Player) -> u64;
    fn is_open_to(&self, seat: Player) -> bool;
    fn determinize(&mut self, seat: Player, rng: &mut Stream);
    fn has_outcome_odds(&self) -> bool;
    fn odds_after(&self, seat: Player) -> Vec<(usize, Ends)>;
    fn has_odds_after(&self, seat: Player) -> bool;
    fn is_at_start(&self) -> bool;
    fn keep_record(&mut self, header: &Header);
    fn record_so_far(&self) -> Option<&str>;
    fn count_hints(&mut self, hints: u32);
    fn take_record(&mut self) -> Option<String>;
    fn drop_record(&mut self);
}

pub(super) struct TypedState<G: Listed> {
    game: Arc<G>,
    state: G::State,
    /// The choices of a simultaneous turn so far.
    joint: Joint<G::Action>,
    plies: u32,
    record: Option<Writer>,
    /// The lines of the record before the first event, if the game began at a position of another record.
    before: Option<Arc<str>>,
}

impl<G: Listed> TypedState<G> {
    pub(super) fn new(game: Arc<G>, state: G::State) -> Self {
        let joint = Joint::default();
        let mut new = Self { game, state, joint, plies: 0, record: None, before: None };
        new.pass_forced();
        new
    }

    /// Returns the position where a game goes on from another record.
    pub(super) fn of_start(game: Arc<G>, start: Start<G>) -> Self {
        let Start { state, plies, lines, .. } = start;
        Self { plies, before: Some(lines), ..Self::new(game, state) }
    }

    /// Returns the position of a document that [`ErasedState::data`] wrote, after `plies` plies.
    #[cfg(feature = "data")]
    pub(super) fn of_data(game: Arc<G>, json: &Json, plies: u32) -> Result<Self, BadData> {
        let state = G::State::from_data(&json["state"])?;
        let chosen = ByPlayer::<Option<u32>>::from_data(&json["chosen"])?;
        let mut read = Self { plies, ..Self::new(game, state) };
        let members = read.members();
        for seat in Player::all(MAX_PLAYERS).filter(|&seat| members.contains(seat)) {
            let Some(number) = chosen[seat] else { continue };
            let action = read.game.action_of(number as usize);
            let legal = action.filter(|action| read.actions(seat).contains(action));
            let wrong = || BadData::new(&json["chosen"], "a list of legal choices");
            read.joint[seat] = Some(legal.ok_or_else(wrong)?);
        }
        Ok(read)
    }

    pub(super) const fn state(&self) -> &G::State {
        &self.state
    }

    fn actions(&self, seat: Player) -> Vec<G::Action> {
        let mut actions = Vec::with_capacity(FEW);
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

    /// Plays a legal action of the seat that is due.
    fn choose(&mut self, seat: Player, action: G::Action) {
        if let Some(record) = &mut self.record {
            let n_actions = self.game.n_actions(&self.state, seat, &mut Vec::new());
            record.ply(&*self.game, seat, n_actions, action);
        }
        self.plies += 1;
        if matches!(self.game.turn(&self.state), Turn::Simultaneous(_)) {
            self.joint[seat] = Some(action);
            self.pass_forced();
        } else {
            self.advance(|game, state| game.apply(state, action));
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

    /// Returns the ends of what each legal action of a seat begins or goes on with; nothing where it does not choose
    /// alone, or no odds are known.
    fn each_odds_after(&self, seat: Player) -> impl Iterator<Item = Ends> {
        let is_due = self.game.turn(&self.state) == Turn::Player(seat);
        let odds = self.game.outcome_odds().filter(|_| is_due);
        odds.into_iter().flat_map(move |mut odds| {
            self.actions(seat).into_iter().map(move |action| {
                let mut next = self.state;
                self.game.apply(&mut next, action);
                odds.look(&self.game, &next)
            })
        })
    }

    fn seats<T: Copy>(&self, by_player: &ByPlayer<T>) -> Vec<T> {
        by_player.first(self.game.n_players()).to_vec()
    }
}

impl<G: Listed> ErasedState for TypedState<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn copy(&self) -> Box<dyn ErasedState> {
        let Self { game, state, joint, plies, record, before } = self;
        Box::new(Self {
            game: Arc::clone(game),
            state: *state,
            joint: *joint,
            plies: *plies,
            record: record.clone(),
            before: before.clone(),
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
        let action = *self.actions(seat).get(number).ok_or(IllegalAction)?;
        self.choose(seat, action);
        Ok(())
    }

    fn action_numbers(&self, seat: Player) -> Vec<u32> {
        let number = |action| self.game.number_of(action) as u32;
        self.actions(seat).into_iter().map(number).collect()
    }

    fn apply_number(&mut self, seat: Player, number: usize) -> Result<(), IllegalAction> {
        let action = self.game.action_of(number).ok_or(IllegalAction)?;
        let is_due = self.due() == Due::Player(seat);
        if !is_due || !self.game.is_legal(&self.state, seat, action, &mut Vec::new()) {
            return Err(IllegalAction);
        }
        self.choose(seat, action);
        Ok(())
    }

    fn write_observation(&self, seat: Player, numbers: &mut [f32]) {
        observation::write(View::new(&*self.game, &self.state, seat), numbers);
    }

    fn play_out(&mut self, rng: &mut Fast) -> u32 {
        self.record = None;
        let mut scratch = Vec::new();
        if let (true, Turn::Simultaneous(players)) =
            (self.has_secret_choices(), self.game.turn(&self.state))
        {
            let mut joint = std::mem::take(&mut self.joint);
            for player in players.iter() {
                if joint[player].is_some() {
                    continue;
                }
                let action = self.game.random_action(&self.state, player, rng, &mut scratch);
                joint[player] = Some(action);
                self.plies += 1;
            }
            self.game.apply_joint(&mut self.state, &joint);
        }
        self.plies += playout(&*self.game, &mut self.state, rng, &mut scratch).plies;
        self.plies
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

    #[cfg(feature = "data")]
    fn data(&self) -> Json {
        let number = |action: Option<G::Action>| Some(self.game.number_of(action?) as u32);
        let chosen = ByPlayer(self.joint.0.map(number));
        json!({ "state": self.state.to_data(), "chosen": chosen.to_data() })
    }

    fn position(&self) -> Option<Json> {
        self.game.position_json(&self.state)
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

    fn has_outcome_odds(&self) -> bool {
        self.game.outcome_odds().is_some()
    }

    fn odds_after(&self, seat: Player) -> Vec<(usize, Ends)> {
        let ends = self.each_odds_after(seat).enumerate();
        ends.filter(|(_, ends)| !ends.is_empty()).collect()
    }

    fn has_odds_after(&self, seat: Player) -> bool {
        self.each_odds_after(seat).any(|ends| !ends.is_empty())
    }

    fn determinize(&mut self, seat: Player, rng: &mut Stream) {
        self.game.determinize(&mut self.state, seat, rng);
        // Nobody knows what the others of a simultaneous turn have chosen already.
        let own = self.joint[seat];
        self.joint = Joint::default();
        self.joint[seat] = own;
        self.record = None;
    }

    fn is_at_start(&self) -> bool {
        self.plies == 0 || self.before.is_some()
    }

    fn keep_record(&mut self, header: &Header) {
        let writer = Writer::new(&*self.game, header);
        self.record = Some(match &self.before {
            None => writer,
            Some(lines) => writer.going_on(&*self.game, &self.state, lines, self.plies),
        });
    }

    fn count_hints(&mut self, hints: u32) {
        if let Some(record) = &mut self.record {
            record.count_hints(hints);
        }
    }

    fn drop_record(&mut self) {
        self.record = None;
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
