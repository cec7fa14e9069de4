//! A game at which people sit among agents: [`Session`].
//!
//! It advances one event at a time and stops where a person has to choose. The choices of a person form a *draft* until
//! chance or another seat acts, or the seat learns something by one of them: [`Session::undo`] takes back choices of the
//! draft and never more, so that nobody takes back what they have learnt from. The dice are those of block 0 of the seed,
//! as in a tournament. Agents think from the seed and the number of choices so far. Where a record is played again they
//! think again, so that they remember what they would have, and a session which is resumed goes on as if it had not been
//! interrupted.

use engine::{ChanceEvent, ChanceStreams, IllegalAction, Player, Purpose, rng};
use serde_json::Value as Json;

use crate::any::{AnyAgent, AnyGame, AnyState, Due};
use crate::branch::Branch;
use crate::error::Error;
use crate::record::{FORMAT, Header};

/// The word for a person in the agents of a record.
pub const HUMAN: &str = "human";

/// Occupant of a seat.
#[derive(Debug)]
pub enum Seat {
    /// Person, who is prompted, with the name at the table if there is one.
    Person(Option<String>),
    /// Agent, with its spec.
    Agent(Box<AnyAgent>, String),
}

impl Seat {
    /// Returns the spec, as the header of a record has it.
    #[must_use]
    pub fn spec(&self) -> String {
        match self {
            Self::Person(None) => HUMAN.to_owned(),
            Self::Person(Some(name)) => format!("{name}={HUMAN}"),
            Self::Agent(_, spec) => spec.clone(),
        }
    }
}

/// An event that everybody at the table may hear of, as far as each may know it.
#[derive(Clone, PartialEq, Debug)]
pub enum Happening {
    /// A seat chose; choices of a simultaneous turn come when all have chosen.
    Choice {
        /// The seat.
        seat: Player,
        /// The action as records write it.
        action: String,
        /// The action in words for people.
        label: String,
    },
    /// Chance decided: what each seat sees of it.
    Chance(Vec<ChanceEvent>),
}

/// The next thing in a session.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// A person has to choose.
    Asks(Player),
    /// Agents or chance acted; what has become public by it.
    Happened(Vec<Happening>),
    /// The game is over.
    Over,
}

/// A line of a record that was played again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The events that became public by it.
    pub happenings: Vec<Happening>,
    /// The position after it, without the record.
    pub after: AnyState,
}

impl Replayed {
    /// Returns whether `seat` has chosen in it.
    #[must_use]
    pub fn has_choice_of(&self, seat: Player) -> bool {
        let is_own = |happening: &Happening| matches!(happening, Happening::Choice { seat: chooser, .. } if *chooser == seat);
        self.happenings.iter().any(is_own)
    }
}

/// The complaint about a line that no record has.
const NO_LINE: &str = "it is no line of a record";

/// A game on its way, with people and agents in its seats.
#[derive(Debug)]
pub struct Session {
    game: AnyGame,
    state: AnyState,
    seats: Vec<Seat>,
    chance: ChanceStreams,
    seed: u64,
    /// The positions before each choice of the draft.
    draft: Vec<AnyState>,
    /// Choices of a simultaneous turn that are not public yet.
    secret: Vec<Happening>,
    /// Hints given to people.
    hints: u32,
    /// True once the agents know that the game is over.
    has_ended: bool,
}

impl Session {
    /// Begins a game of `game` with `seats`, whose record is kept.
    ///
    /// # Errors
    /// If the number of seats is not that of the game, or an agent fails to start.
    pub fn new(game: AnyGame, seats: Vec<Seat>, seed: u64) -> Result<Self, Error> {
        let state = game.start();
        Self::at(game, seats, seed, state, seed)
    }

    /// Begins at the position of `branch`, under the rules of its game; its lines are the first of the record.
    ///
    /// # Errors
    /// As [`Self::new`], and if the lines of the branch are not legal in `game`.
    pub fn branched(
        game: AnyGame,
        seats: Vec<Seat>,
        seed: u64,
        branch: &Branch,
    ) -> Result<Self, Error> {
        let (state, address) = game.branched(branch, seed)?;
        Self::at(game, seats, seed, state, address)
    }

    /// Begins at `state`; `address` is the seed of all later random numbers.
    fn at(
        game: AnyGame,
        seats: Vec<Seat>,
        seed: u64,
        mut state: AnyState,
        address: u64,
    ) -> Result<Self, Error> {
        let players = game.players();
        if seats.len() != players {
            return Err(Error::Usage(format!(
                "{} agents for {players} seats: name one for each seat",
                seats.len()
            )));
        }
        state.keep_record(&Header {
            format: FORMAT.to_owned(),
            game: game.name().to_owned(),
            seats: players,
            rules: game.overrides(),
            agents: seats.iter().map(Seat::spec).collect(),
            seed: format!("{seed}/0"),
        });
        let mut new = Self {
            game,
            state,
            seats,
            chance: ChanceStreams::new(address, 0),
            seed: address,
            draft: Vec::new(),
            secret: Vec::new(),
            hints: 0,
            has_ended: false,
        };
        for (seat, sitting) in Player::all(players).zip(&mut new.seats) {
            if let Seat::Agent(agent, _) = sitting {
                agent.start(seat)?;
            }
        }
        Ok(new)
    }

    /// Returns the game.
    #[must_use]
    pub const fn game(&self) -> &AnyGame {
        &self.game
    }

    /// Returns the position, hidden parts included: for the referee of the table, never for a seat.
    #[must_use]
    pub const fn state(&self) -> &AnyState {
        &self.state
    }

    /// Returns the seats in order.
    #[must_use]
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// Advances by one event, unless a person has to choose or the game is over.
    ///
    /// # Errors
    /// If an agent fails; the position is unchanged.
    pub fn step(&mut self) -> Result<Step, Error> {
        let seat = match self.state.due() {
            Due::Over => {
                self.end_agents()?;
                return Ok(Step::Over);
            }
            Due::Chance => {
                self.draft.clear();
                let drawn = self.state.draw(&mut self.chance);
                return Ok(Step::Happened(vec![Happening::Chance(drawn.seen)]));
            }
            Due::Player(seat) => seat,
        };
        let Some(number) = self.thought(seat)? else { return Ok(Step::Asks(seat)) };
        self.draft.clear();
        let applied = self.apply(seat, number).map_err(|e| Error::Failed(e.to_string()));
        applied.map(Step::Happened)
    }

    /// Returns the choice of the agent at `seat`, which is to move; `None` if a person sits there.
    fn thought(&mut self, seat: Player) -> Result<Option<usize>, Error> {
        let Seat::Agent(agent, _) = &mut self.seats[seat.idx()] else { return Ok(None) };
        let purpose = Purpose::Agent(seat.idx() as u8);
        let mut thoughts = rng::stream(self.seed, self.state.plies().into(), purpose);
        agent.choose(&self.state, seat, &mut thoughts).map(Some)
    }

    /// Ends the game for its agents, once.
    fn end_agents(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.has_ended, true) {
            return Ok(());
        }
        self.seats.iter_mut().try_for_each(|seat| match seat {
            Seat::Agent(agent, _) => agent.end(&self.state),
            Seat::Person(_) => Ok(()),
        })
    }

    /// Applies the legal action `number` of the person who has to choose, and returns what has become public by it.
    ///
    /// # Errors
    /// If no person has to choose, or there is no such action; the position is unchanged.
    pub fn choose(&mut self, number: usize) -> Result<Vec<Happening>, IllegalAction> {
        let Due::Player(seat) = self.state.due() else { return Err(IllegalAction) };
        if !matches!(self.seats[seat.idx()], Seat::Person(_)) {
            return Err(IllegalAction);
        }
        let before = self.state.clone();
        let public = self.apply(seat, number)?;
        let is_over = self.state.due() != Due::Player(seat) || self.state.has_secret_choices();
        let is_final = is_over || before.may_reveal(seat, number);
        self.draft.push(before);
        if is_final {
            self.draft.clear();
        }
        Ok(public)
    }

    fn apply(&mut self, seat: Player, number: usize) -> Result<Vec<Happening>, IllegalAction> {
        let [actions, labels] = [self.state.action_texts(seat), self.state.labels(seat)];
        self.state.apply(seat, number)?;
        let [action, label] = [actions, labels].map(|mut all| all.swap_remove(number));
        self.secret.push(Happening::Choice { seat, action, label });
        let is_secret = self.state.has_secret_choices();
        Ok(if is_secret { Vec::new() } else { std::mem::take(&mut self.secret) })
    }

    /// Makes the draft final: nothing of it can be taken back any more.
    pub fn finish(&mut self) {
        self.draft.clear();
    }

    /// Counts a hint given to a person; the end line of the record has the number.
    pub const fn count_hint(&mut self) {
        self.hints += 1;
    }

    /// Returns the number of hints given to people.
    #[must_use]
    pub const fn hints(&self) -> u32 {
        self.hints
    }

    /// Returns the positions before each choice that can be taken back.
    #[must_use]
    pub fn before_draft(&self) -> &[AnyState] {
        &self.draft
    }

    /// Returns the number of choices that can be taken back.
    #[must_use]
    pub fn undoable(&self) -> usize {
        self.draft.len()
    }

    /// Takes back the last choice of the draft; returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let before = self.draft.pop();
        let is_there = before.is_some();
        if let Some(before) = before {
            self.state = before;
        }
        is_there
    }

    /// Returns the position before the draft, which everybody at the table may know of.
    #[must_use]
    pub fn final_state(&self) -> &AnyState {
        self.draft.first().unwrap_or(&self.state)
    }

    /// Returns the lines of the record that are final: those before the draft.
    #[must_use]
    pub fn final_record(&self) -> &str {
        self.final_state().record_so_far().unwrap_or_default()
    }

    /// Returns the last line of the record of a game that is left before its end: the number of hints, if any.
    #[must_use]
    pub fn left_line(&self) -> String {
        if self.hints == 0 { String::new() } else { format!("{{\"hints\":{}}}\n", self.hints) }
    }

    /// Ends the record and returns it; `None` before the end of the game.
    pub fn take_record(&mut self) -> Option<String> {
        self.state.count_hints(self.hints);
        self.state.take_record()
    }

    /// Plays the events of `lines` again: the lines of a record after its header, of which the last may be cut. A session
    /// at a position of another record has its lines already. Returns the events that are new.
    ///
    /// # Errors
    /// If a line is no event of this session: the message names it, counted from 1 after the header.
    pub fn replay(&mut self, lines: &str) -> Result<Vec<Replayed>, Error> {
        let known = self.final_record().split_once('\n').map_or("", |(_, known)| known).to_owned();
        let rest = lines.strip_prefix(known.as_str());
        let rest = rest.or_else(|| known.starts_with(lines).then_some(""));
        let rest = rest.ok_or_else(|| {
            Error::Usage(
                "the record does not begin at the position that this game begins at".into(),
            )
        })?;
        let (skipped, mut all) = (known.lines().count(), Vec::new());
        for (i, line) in rest.split_inclusive('\n').enumerate() {
            let is_cut = !line.ends_with('\n');
            let bad = |what: String| Error::Usage(format!("line {}: {what}", skipped + i + 2));
            let event: Json = match serde_json::from_str(line) {
                Ok(event) => event,
                Err(_) if is_cut => break,
                Err(_) => return Err(bad(NO_LINE.to_owned())),
            };
            let happenings = self.happened_again(&event).map_err(bad)?;
            if !happenings.is_empty() {
                all.push(Replayed { happenings, after: self.state.without_record() });
            }
        }
        Ok(all)
    }

    /// Plays a line of a record again; returns what has become public by it.
    fn happened_again(&mut self, line: &Json) -> Result<Vec<Happening>, String> {
        if line.get("state").is_some() {
            return Ok(Vec::new());
        }
        if let Some(hints) = line["hints"].as_u64() {
            self.hints = hints as u32;
            return Ok(Vec::new());
        }
        if line.get("end").is_some() {
            return Err("the game is over: there is nothing to go on with".to_owned());
        }
        if line.get("chance").is_some() {
            if self.state.due() != Due::Chance {
                return Err("no event of chance is due".to_owned());
            }
            let drawn = self.state.draw(&mut self.chance);
            return match serde_json::to_value(&drawn.event).unwrap_or_default() == *line {
                true => Ok(vec![Happening::Chance(drawn.seen)]),
                false => Err("chance fell otherwise: the record is of another seed, or begins at a position of another record".to_owned()),
            };
        }
        let (Some(player), Some(action)) = (line["player"].as_u64(), line["action"].as_str())
        else {
            return Err(NO_LINE.to_owned());
        };
        let seat = match self.state.due() {
            Due::Player(seat) if seat.idx() as u64 == player => seat,
            _ => return Err("another seat is to move".to_owned()),
        };
        let number = self.state.find(seat, action).map_err(|e| e.to_string())?;
        // An agent thinks again, since it may remember at its next choice what it planned at this one.
        self.thought(seat).map_err(|e| e.to_string())?;
        self.apply(seat, number).map_err(|e| e.to_string())
    }
}
