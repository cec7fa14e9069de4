//! The class `State`.

use std::sync::Arc;

use draw::story::Position;
use engine::{ChanceStreams, Purpose, Randomness, rng};
use numpy::PyArray1;
use pyo3::prelude::*;
use sim::any::{AnyState, Due};

use crate::error::bad;
use crate::game::Game;
use crate::history::{Event, History, apply};
use crate::number;
use crate::picture::{bundle, picture};
use crate::shared_game::{CHANCE, SharedGame};
use crate::view::{View, mask, observation};

/// A position of a game, with everything that is hidden in it, the events that led to it, and its dice.
#[pyclass(module = "caesar")]
#[derive(Debug)]
pub(crate) struct State {
    shared: Arc<SharedGame>,
    state: AnyState,
    history: History,
    dice: ChanceStreams,
    /// The outcome of the chance event that is due, once it was looked at, and the dice after it.
    drawn: Option<(u32, ChanceStreams)>,
    /// The number of copies with dice of their own.
    copies: u64,
}

impl State {
    pub(crate) fn new(shared: Arc<SharedGame>, state: AnyState, history: History) -> Self {
        let dice = history.dice();
        Self { shared, state, history, dice, drawn: None, copies: 0 }
    }

    pub(crate) fn read(text: &str) -> PyResult<Self> {
        let (shared, history, state, dice) = History::read(text)?;
        Ok(Self { shared, state, history, dice, drawn: None, copies: 0 })
    }

    pub(crate) const fn shared(&self) -> &Arc<SharedGame> {
        &self.shared
    }

    pub(crate) const fn state(&self) -> &AnyState {
        &self.state
    }

    /// Returns a copy with the same dice.
    pub(crate) fn same(&self) -> Self {
        let Self { shared, state, history, dice, drawn, copies } = self;
        Self {
            shared: Arc::clone(shared),
            state: state.clone(),
            history: history.clone(),
            dice: dice.clone(),
            drawn: drawn.clone(),
            copies: *copies,
        }
    }

    /// Returns the seat of `player`, or of the one who acts where none is named.
    fn seat(&self, player: Option<i32>) -> PyResult<engine::Player> {
        match (player, self.state.due()) {
            (Some(player), _) => self.shared.seat(player),
            (None, Due::Player(seat)) => Ok(seat),
            (None, _) => Err(bad("nobody chooses here: name a player")),
        }
    }

    /// Returns the outcome that the dice give, by its number.
    fn look_at_dice(&mut self) -> PyResult<u32> {
        if self.state.due() != Due::Chance {
            return Err(bad("no chance event is due"));
        }
        if let Some((outcome, _)) = &self.drawn {
            return Ok(*outcome);
        }
        let mut dice = self.dice.clone();
        let drawn = self.state.clone().draw(&mut dice);
        let outcomes = self.state.outcomes();
        let place =
            outcomes.iter().position(|(event, chance)| *event == drawn.event && *chance > 0.0);
        let place =
            place.ok_or_else(|| bad("the outcome that was drawn is none of those listed"))?;
        self.drawn = Some((place as u32, dice));
        Ok(place as u32)
    }

    /// Applies the action of a player.
    pub(crate) fn choose(&mut self, player: i32, action: i64) -> PyResult<()> {
        let number = u32::try_from(action);
        let none = |_| bad(format!("action {action}: no action has this number"));
        let event = Event { player, action: number.map_err(none)?, is_drawn: false };
        apply(&self.shared, &mut self.state, event)?;
        self.history.events.push(event);
        Ok(())
    }

    /// Applies an outcome of chance.
    pub(crate) fn happen(&mut self, outcome: i64) -> PyResult<()> {
        let refused = |_| bad(format!("outcome {outcome} is impossible here"));
        let action = u32::try_from(outcome).map_err(refused)?;
        let drawn = self.drawn.take();
        let is_drawn = drawn.as_ref().is_some_and(|(drawn, _)| *drawn == action);
        let event = Event { player: CHANCE, action, is_drawn };
        match apply(&self.shared, &mut self.state, event) {
            Ok(()) => {
                if let Some((_, dice)) = drawn.filter(|_| is_drawn) {
                    self.dice = dice;
                }
                self.history.events.push(event);
                Ok(())
            }
            Err(refused) => {
                self.drawn = drawn;
                Err(refused)
            }
        }
    }
}

impl State {
    /// Returns the number of players and of choices so far in words.
    fn moment(&self) -> String {
        format!("{} players, {} choices", self.shared.players(), self.state.plies())
    }

    /// Returns the number of the action of `seat` that is written as `text`.
    pub(crate) fn number_of(&self, seat: engine::Player, text: &str) -> PyResult<u32> {
        let place = self.state.find(seat, text).map_err(bad)?;
        Ok(self.state.action_numbers(seat)[place])
    }

    /// Plays choices with one option, which are no plies of a record.
    pub(crate) fn pass_forced(&mut self) -> PyResult<()> {
        while let Due::Player(seat) = self.state.due() {
            let legal = self.state.action_numbers(seat);
            let [only] = legal[..] else { break };
            self.choose(seat.idx() as i32, only.into())?;
        }
        Ok(())
    }
}

#[pymethods]
impl State {
    /// Returns the game.
    fn get_game(&self) -> Game {
        Game { shared: Arc::clone(&self.shared) }
    }

    /// Returns the player who acts: -1 for chance, -2 for several at once, -4 at the end.
    fn current_player(&self) -> i32 {
        self.shared.current_player(&self.state)
    }

    /// Returns whether the game is over.
    fn is_terminal(&self) -> bool {
        self.state.due() == Due::Over
    }

    /// Returns whether an event of chance is due.
    fn is_chance_node(&self) -> bool {
        self.state.due() == Due::Chance
    }

    /// Returns whether several choose at once.
    fn is_simultaneous_node(&self) -> bool {
        self.shared.members(&self.state).len() > 1
    }

    /// Returns whether one player chooses.
    fn is_player_node(&self) -> bool {
        self.current_player() >= 0
    }

    /// Returns the number of players.
    fn num_players(&self) -> usize {
        self.shared.players()
    }

    /// Returns the actions of a player in ascending order, or the outcomes where chance is due; an empty list for players
    /// who do not choose.
    #[pyo3(signature = (player=None))]
    fn legal_actions(
        &self,
        #[pyo3(from_py_with = number::player)] player: Option<i32>,
    ) -> PyResult<Vec<u32>> {
        match self.state.due() {
            Due::Chance if player.is_none_or(|player| player == CHANCE) => {
                let outcomes = self.state.outcomes().into_iter().enumerate();
                Ok(outcomes
                    .filter(|(_, (_, chance))| *chance > 0.0)
                    .map(|(place, _)| place as u32)
                    .collect())
            }
            Due::Over if player.is_none() => Ok(Vec::new()),
            _ => Ok(self.shared.legal(&self.state, self.seat(player)?)),
        }
    }

    /// Returns a mask of all actions, 1 for those that are legal.
    #[pyo3(signature = (player=None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = number::player)] player: Option<i32>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        Ok(mask(py, &self.shared, &self.state, self.seat(player)?))
    }

    /// Returns the text of an action of a player, or of an outcome of chance for the player -1.
    #[pyo3(signature = (player_or_action, action=None))]
    fn action_to_string(
        &self,
        #[pyo3(from_py_with = number::action)] player_or_action: i64,
        #[pyo3(from_py_with = number::action)] action: Option<i64>,
    ) -> PyResult<String> {
        let is_chance = self.state.due() == Due::Chance
            && (action.is_none() || player_or_action == i64::from(CHANCE));
        let action = action.unwrap_or(player_or_action);
        if !is_chance {
            return self.shared.action_text(action);
        }
        let outcomes = self.state.outcomes();
        let event = usize::try_from(action).ok().and_then(|place| outcomes.get(place));
        let event = event.ok_or_else(|| bad(format!("outcome {action} is impossible here")))?;
        Ok(format!("{} {}", event.0.chance, event.0.value))
    }

    /// Returns the action of a player that is written so.
    #[pyo3(signature = (player_or_text, text=None))]
    fn string_to_action(
        &self,
        player_or_text: &Bound<'_, PyAny>,
        text: Option<&str>,
    ) -> PyResult<u32> {
        let (seat, text) = match text {
            Some(text) => (self.shared.seat(number::player(player_or_text)?)?, text.to_owned()),
            None => (self.seat(None)?, player_or_text.extract()?),
        };
        self.number_of(seat, &text)
    }

    /// Applies an action of the player who acts, or an outcome of chance. Where several choose at once, `player` names
    /// one of them, whose choice stays secret until the last has chosen.
    #[pyo3(signature = (action, player=None))]
    fn apply_action(
        &mut self,
        #[pyo3(from_py_with = number::action)] action: i64,
        #[pyo3(from_py_with = number::player)] player: Option<i32>,
    ) -> PyResult<()> {
        match self.state.due() {
            Due::Over => Err(bad("the game is over")),
            Due::Chance => self.happen(action),
            Due::Player(_) if player.is_none() && self.is_simultaneous_node() => {
                Err(bad("several choose at once: apply_actions, or name the player"))
            }
            Due::Player(seat) => self.choose(player.unwrap_or(seat.idx() as i32), action),
        }
    }

    /// Applies the actions of all players, who choose at once; those of players without a choice are not looked at.
    fn apply_actions(
        &mut self,
        #[pyo3(from_py_with = number::action)] actions: Vec<i64>,
    ) -> PyResult<()> {
        if !self.is_simultaneous_node() {
            return Err(bad("no simultaneous choice is due: apply_action"));
        }
        if actions.len() != self.shared.players() {
            let n = self.shared.players();
            return Err(bad(format!("{} actions for {n} players", actions.len())));
        }
        let mut after = self.same();
        for member in self.shared.members(&self.state) {
            // Members with one action are not asked.
            if self.state.n_actions(member) > 1 {
                after.choose(member.idx() as i32, actions[member.idx()])?;
            } else {
                self.shared.place(&self.state, member, actions[member.idx()])?;
            }
        }
        *self = after;
        Ok(())
    }

    /// Returns the position after an action.
    fn child(&self, #[pyo3(from_py_with = number::action)] action: i64) -> PyResult<Self> {
        let mut child = self.same();
        child.apply_action(action, None)?;
        Ok(child)
    }

    /// Returns the outcomes of the chance event that is due, each with its probability.
    fn chance_outcomes(&self) -> PyResult<Vec<(usize, f64)>> {
        if self.state.due() != Due::Chance {
            return Err(bad("no chance event is due"));
        }
        let outcomes = self.state.outcomes().into_iter().enumerate();
        let possible = outcomes.filter(|(_, (_, chance))| *chance > 0.0);
        Ok(possible.map(|(place, (_, chance))| (place, chance)).collect())
    }

    /// Returns the outcome that the dice of this position give; to be applied. It is that of the command with this seed.
    fn sample_chance(&mut self) -> PyResult<u32> {
        self.look_at_dice()
    }

    /// Lets the dice of this position decide all chance events that are due.
    fn play_chance(&mut self) -> PyResult<()> {
        while self.state.due() == Due::Chance {
            let outcome = self.look_at_dice()?;
            self.happen(outcome.into())?;
        }
        Ok(())
    }

    /// Returns the player to be asked next: as `current_player`, but one of those who choose at once, without -2.
    fn next_player(&self) -> i32 {
        match self.state.due() {
            Due::Player(seat) => seat.idx() as i32,
            Due::Chance | Due::Over => self.shared.current_player(&self.state),
        }
    }

    /// Returns the points of each player at the end, which add up to 1; zeros before.
    fn returns(&self) -> Vec<f32> {
        self.state.points().unwrap_or_else(|| vec![0.0; self.shared.players()])
    }

    /// Returns the points of a player.
    fn player_return(&self, #[pyo3(from_py_with = number::player)] player: i32) -> PyResult<f32> {
        Ok(self.returns()[self.shared.seat(player)?.idx()])
    }

    /// Returns the points that the last event brought.
    fn rewards(&self) -> Vec<f32> {
        self.returns()
    }

    /// Returns the scores as the rules count them; None in games without scores.
    fn scores(&self) -> Option<Vec<i32>> {
        self.state.scores()
    }

    /// Returns the number of choices so far.
    fn move_number(&self) -> u32 {
        self.state.plies()
    }

    /// Returns what a player may know, and no more; by default the player who acts.
    #[pyo3(signature = (player=None))]
    fn view(&self, #[pyo3(from_py_with = number::player)] player: Option<i32>) -> PyResult<View> {
        let seat = self.seat(player)?;
        Ok(View::of(Arc::clone(&self.shared), &self.state, seat))
    }

    /// Returns what a player sees, as text.
    #[pyo3(signature = (player=None))]
    fn observation_string(
        &self,
        #[pyo3(from_py_with = number::player)] player: Option<i32>,
    ) -> PyResult<String> {
        Ok(self.state.view_text(self.seat(player)?))
    }

    /// Returns what a player sees, as numbers; `Game.observation_layout` says which.
    #[pyo3(signature = (player=None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = number::player)] player: Option<i32>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        Ok(observation(py, &self.shared, &self.state, self.seat(player)?))
    }

    /// Returns all that a player knows, as one line: equal for positions that the player cannot tell apart.
    #[pyo3(signature = (player=None))]
    fn information_state_string(
        &self,
        #[pyo3(from_py_with = number::player)] player: Option<i32>,
    ) -> PyResult<String> {
        let seat = self.seat(player)?;
        Ok(format!("{} {}", seat.idx(), self.state.view_json(seat)))
    }

    /// Returns the numbers of all events so far.
    fn history(&self) -> Vec<u32> {
        self.history.events.iter().map(|event| event.action).collect()
    }

    /// Returns all events so far: player and number.
    fn full_history(&self) -> Vec<(i32, u32)> {
        self.history.events.iter().map(|event| (event.player, event.action)).collect()
    }

    /// Returns the events so far as text.
    fn history_str(&self) -> String {
        self.history().iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
    }

    /// Returns the whole position as JSON, hidden parts included, as a record holds it.
    fn to_json(&self) -> String {
        self.state.json().to_string()
    }

    /// Returns the whole position as a document that people can change and `Game.state_from_json` reads. Choices of a
    /// simultaneous turn so far are no part of it.
    fn to_position(&self) -> PyResult<String> {
        let position = self.shared.game.position_of(&self.state);
        position.map(|position| position.text()).ok_or_else(|| bad("this build has no positions"))
    }

    /// Returns the position, its events and its dice as text.
    fn serialize(&self) -> String {
        self.history.to_json(&self.shared).to_string()
    }

    /// Returns a copy with dice of its own, so that playouts do not foresee those of the game.
    fn clone(&mut self) -> Self {
        self.copies += 1;
        let mut stream = rng::stream(self.history.seed, self.copies, Purpose::Analysis);
        let seed = u64::from(stream.below(u32::MAX)) << 32 | u64::from(stream.below(u32::MAX));
        let mut copy = self.same();
        copy.history.reseed(seed);
        copy.dice = copy.history.dice();
        copy.drawn = None;
        copy
    }

    fn __copy__(&self) -> Self {
        self.same()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.same()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("_read")?, (self.serialize(),)))
    }

    /// Returns the state of a pickle.
    #[staticmethod]
    fn _read(text: &str) -> PyResult<Self> {
        Self::read(text)
    }

    fn __str__(&self) -> String {
        self.state.text()
    }

    fn __repr__(&self) -> String {
        let (name, moment) = (self.shared.game.name(), self.moment());
        format!("<caesar.State of {name}, {moment}>\n{}", self.state.text())
    }

    /// Returns the position as notebooks show it: drawn, with hidden parts.
    fn _repr_html_(&self) -> String {
        let (state, text) = (self.state.json(), self.state.text());
        let view = self.state.view_json(engine::Player::new(0));
        let at = Position { state, view, text, ..Position::default() };
        picture(&self.shared, &self.moment(), &at)
    }

    /// Returns the position in the formats of notebooks.
    #[pyo3(signature = (include=None, exclude=None))]
    fn _repr_mimebundle_<'py>(
        slf: &Bound<'py, Self>,
        include: Option<Bound<'py, PyAny>>,
        exclude: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        bundle(slf.as_any(), include, exclude)
    }
}
