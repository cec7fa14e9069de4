//! A game as all positions, views and agents of it share it: [`SharedGame`].

use std::sync::Arc;

use agents::AgentSpec;
use engine::rules::Information;
use engine::{Player, observation};
use serde_json::Value as Json;
use sim::any::{AnyGame, AnyState, Due};
use sim::catalogue::{Overrides, Setup};

use pyo3::PyResult;

use crate::error::bad;

/// The player of a position in which chance is due, as OpenSpiel numbers it.
pub(crate) const CHANCE: i32 = -1;
/// The player of a position in which several choose at once.
const AT_ONCE: i32 = -2;
/// The player of a position that is over.
const OVER: i32 = -4;

/// A game with its rules and its number of players.
#[derive(Debug)]
pub(crate) struct SharedGame {
    pub(crate) game: AnyGame,
    /// The length of an observation.
    pub(crate) n_observed: usize,
    /// True if several may choose at once.
    may_choose_at_once: bool,
}

impl SharedGame {
    pub(crate) fn new(setup: &Setup) -> PyResult<Arc<Self>> {
        let game = AnyGame::new(setup).map_err(bad)?;
        let may_choose_at_once = !matches!(game.about().information, Information::Perfect);
        let n_observed = observation::len(&game.observation_layout());
        Ok(Arc::new(Self { game, n_observed, may_choose_at_once }))
    }

    /// Builds the game `name` for `players` under what a record's header says of its rules.
    pub(crate) fn recorded(name: &str, players: usize, rules: Json) -> PyResult<Arc<Self>> {
        let overrides = Overrides { recorded: Some(rules), ..Overrides::default() };
        Self::new(&Setup { game: name.to_owned(), players: Some(players), overrides })
    }

    /// Returns whether both are the same game with the same rules.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        let of =
            |shared: &Self| (shared.game.name(), shared.game.players(), shared.game.overrides());
        of(self) == of(other)
    }

    pub(crate) fn players(&self) -> usize {
        self.game.players()
    }

    /// Returns the seat with this number, from 0.
    pub(crate) fn seat(&self, number: i32) -> PyResult<Player> {
        let seat = usize::try_from(number).ok().filter(|&seat| seat < self.players());
        let last = self.players() - 1;
        seat.map(Player::new)
            .ok_or_else(|| bad(format!("player {number}: the players are 0 to {last}")))
    }

    /// Returns who chooses in `state`, those included who have chosen already or have one action; nobody where chance is
    /// due.
    pub(crate) fn members(&self, state: &AnyState) -> Vec<Player> {
        match state.due() {
            Due::Player(seat) if !self.may_choose_at_once => vec![seat],
            Due::Player(_) => {
                Player::all(self.players()).filter(|&seat| state.n_actions(seat) > 0).collect()
            }
            Due::Chance | Due::Over => Vec::new(),
        }
    }

    /// Returns the number of the player who acts, as OpenSpiel has it.
    pub(crate) fn current_player(&self, state: &AnyState) -> i32 {
        match state.due() {
            Due::Chance => CHANCE,
            Due::Over => OVER,
            Due::Player(_) if self.may_choose_at_once && self.members(state).len() > 1 => AT_ONCE,
            Due::Player(seat) => seat.idx() as i32,
        }
    }

    /// Returns the legal actions of `seat`, in ascending order.
    pub(crate) fn legal(&self, state: &AnyState, seat: Player) -> Vec<u32> {
        let mut legal = state.action_numbers(seat);
        legal.sort_unstable();
        legal
    }

    /// Applies the action `number` of `seat`.
    pub(crate) fn choose(&self, state: &mut AnyState, seat: Player, number: i64) -> PyResult<()> {
        let chosen = usize::try_from(number).ok().map(|number| state.apply_number(seat, number));
        match chosen {
            Some(Ok(())) => Ok(()),
            _ => Err(bad(self.not_legal(state, seat, number))),
        }
    }

    /// Returns the place of the action `number` among the legal actions of `seat`.
    pub(crate) fn place(&self, state: &AnyState, seat: Player, number: i64) -> PyResult<usize> {
        let legal = state.action_numbers(seat);
        let place = legal.iter().position(|&legal| i64::from(legal) == number);
        place.ok_or_else(|| bad(self.not_legal(state, seat, number)))
    }

    fn not_legal(&self, state: &AnyState, seat: Player, number: i64) -> String {
        /// Most legal actions that a complaint lists.
        const LISTED: usize = 8;
        let legal = self.legal(state, seat);
        let listed = legal.iter().take(LISTED).map(u32::to_string).collect::<Vec<_>>().join(", ");
        let more = if legal.len() > LISTED { ", …" } else { "" };
        let text = usize::try_from(number).ok().and_then(|number| self.game.action_text(number));
        let text = text.map_or_else(String::new, |text| format!(" ({text})"));
        let seat = seat.idx();
        match legal.is_empty()
            || state.due() != Due::Player(Player::new(seat))
                && legal.iter().any(|&one| i64::from(one) == number)
        {
            true => format!("action {number}{text}: player {seat} has no choice here"),
            false => format!(
                "action {number}{text} is not legal for player {seat} (legal: {listed}{more})"
            ),
        }
    }

    /// Returns the text of the action `number`.
    pub(crate) fn action_text(&self, number: i64) -> PyResult<String> {
        let text = usize::try_from(number).ok().and_then(|number| self.game.action_text(number));
        let n = self.game.n_numbers();
        text.ok_or_else(|| {
            bad(format!(
                "action {number}: {} has the actions 0 to {}",
                self.game.name(),
                n.saturating_sub(1)
            ))
        })
    }

    /// Reads the spec of an agent; files that it names are read.
    pub(crate) fn spec(&self, text: &str) -> PyResult<AgentSpec> {
        let mut spec: AgentSpec = text.parse().map_err(bad)?;
        let files: Vec<_> = spec.files().map(|(name, path)| (name, path.to_owned())).collect();
        for (name, path) in files {
            let text = std::fs::read_to_string(&path);
            spec.supply(name, text.map_err(|e| bad(format!("agent \"{spec}\": {path}: {e}")))?);
        }
        spec.supply_rules(self.game.overrides());
        Ok(spec)
    }
}
