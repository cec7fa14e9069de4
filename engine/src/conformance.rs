//! A test that holds the rules of a game to every promise of [`Game`]: [`check`] plays random games and compares.
//!
//! A broken promise is a panic that names the game, the seed, the game index and the step. `Walk::new(&game, seed,
//! index)` leads back to it. The meaning of a game is outside this module.

#[cfg(feature = "data")]
mod by_hand;
mod counts;
mod seen;
mod tensors;
mod worlds;

use std::fmt;

use serde_json::Value;

#[cfg(feature = "data")]
pub use self::by_hand::{Documents, check_by_hand};
use self::counts::{deviation, sample};
pub use self::tensors::check_tensors;
use crate::game::{Game, Turn};
use crate::notation::{ChanceEvent, Notation};
use crate::player::{MAX_PLAYERS, Player};
use crate::rng::{Randomness, fast};
use crate::rules::{Chance, Configure};
use crate::walk::{Event, Walk, playout};

/// Number of events above which a game counts as endless.
const MAX_EVENTS: u32 = 200_000;
/// Number of actions or outcomes that are read back from text where there are more.
const READ_BACK: usize = 48;
/// Positions a call of [`check`] tests for uniform choice.
const UNIFORM_TESTS: u32 = 12;
/// Draws for each action in such a test.
const DRAWS_PER_ACTION: u32 = 100;
/// Number of positions at the start of a game that get all checks.
const OPENING: u32 = 16;
/// Distance, after the opening, between positions that are written as text and JSON and viewed from each seat.
const VIEW_STRIDE: u32 = 16;
/// Distance between positions where all actions are written and some read back (played actions are at all positions).
const TEXT_STRIDE: u32 = 4;
/// Number of past actions that are offered where they are illegal.
const REMEMBERED: usize = 32;
/// Distance, after the opening, between the past actions that are offered; the next position offers others.
const REFUSAL_STRIDE: u32 = 4;

/// Plays `n_games` random games of the run with seed `seed` and checks every promise of [`Game`].
///
/// Games whose [`About::information`](crate::About::information) is hidden must hide something. A determinization has
/// to change a state at least once, and a position has to look different from two seats.
///
/// # Panics
/// If a promise is broken; the message names the game, the seed and the step.
pub fn check<G: Configure + Notation>(game: &G, seed: u64, n_games: u32) {
    let about = G::about();
    let mut checker = Checker {
        game,
        at: At { name: about.name, n_players: game.n_players(), seed, index: 0, step: 0 },
        hides: about.information.is_hidden() && game.hides_at_this_table(),
        is_changed: false,
        looks_different: false,
        uniform_tests: 0,
        past: Vec::new(),
        scratch: Vec::new(),
    };
    checker.check_facts();
    for index in 0..u64::from(n_games) {
        checker.check_game(seed, index);
    }
    let at = checker.at;
    assert!(!checker.hides || checker.is_changed, "{at}: determinize never changed what is hidden");
    assert!(!checker.hides || checker.looks_different, "{at}: all seats always see the same");
}

/// Place where a promise was broken.
#[derive(Clone, Copy)]
struct At {
    name: &'static str,
    n_players: usize,
    seed: u64,
    index: u64,
    step: u32,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, n_players, seed, index, step } = self;
        write!(f, "{name} for {n_players}, seed {seed}, game {index}, step {step}")
    }
}

struct Checker<'g, G: Game> {
    game: &'g G,
    at: At,
    hides: bool,
    is_changed: bool,
    /// True once two seats have seen one position differently.
    looks_different: bool,
    uniform_tests: u32,
    /// Distinct actions and outcomes of this game so far.
    past: Vec<G::Action>,
    scratch: Vec<G::Action>,
}

/// An event in the form that a file holds.
enum Written {
    Actions(Vec<(Player, String)>),
    Chance(ChanceEvent),
}

impl<G: Configure + Notation> Checker<'_, G> {
    fn check_facts(&self) {
        let at = self.at;
        let n_players = self.game.n_players();
        assert!((1..=MAX_PLAYERS).contains(&n_players), "{at}: {n_players} players");
        assert!(G::about().players.contains(&n_players), "{at}: about() forbids this table");
        assert!(
            !(self.hides && self.game.is_deterministic()),
            "{at}: it hides, but is deterministic"
        );
        assert!(size_of::<G::Action>() <= 8, "{at}: an action takes more than 8 bytes");
        assert!(size_of::<G::State>() <= 2048, "{at}: a state takes more than 2 KiB");
    }

    fn check_game(&mut self, seed: u64, index: u64) {
        self.at = At { index, step: 0, ..self.at };
        self.past.clear();
        let game = self.game;
        let mut walk = Walk::new(game, seed, index);
        let mut record = Vec::new();
        let mut n_choices = 0;
        loop {
            let before = *walk.state();
            self.check_position(&before, &mut walk);
            let Some(event) = walk.next() else { break };
            n_choices += u32::from(!matches!(event, Event::Chance(_)));
            record.push(self.check_event(&before, &event, walk.state()));
            self.at.step += 1;
            assert!(self.at.step < MAX_EVENTS, "{}: the game does not end", self.at);
        }
        let is_bounded = game.max_game_length().is_none_or(|most| n_choices <= most);
        assert!(is_bounded, "{}: {n_choices} choices, more than max_game_length", self.at);
        self.check_end(walk.state());
        self.check_replay(&record, walk.state());
    }

    /// Checks every promise about a position, with any turn.
    fn check_position(&mut self, state: &G::State, walk: &mut Walk<'_, G>) {
        let at = self.at;
        if self.has_turn(VIEW_STRIDE, at.index as u32) {
            self.check_text(state);
        }
        match self.game.turn(state) {
            Turn::Player(player) => {
                let n_actions = self.check_actions(state, player, walk);
                assert!(
                    n_actions >= 2,
                    "{at}: {n_actions} actions, but forced ones are no decision"
                );
            }
            Turn::Simultaneous(_) | Turn::Chance if self.game.is_deterministic_from(state) => {
                panic!("{at}: chance or a simultaneous turn, but the game is deterministic")
            }
            Turn::Simultaneous(players) => {
                assert!(!players.is_empty(), "{at}: nobody acts together");
                for player in players.iter() {
                    let n_actions = self.check_actions(state, player, walk);
                    assert!(n_actions >= 1, "{at}: player {player} has no action");
                }
            }
            Turn::Chance => {
                let says_none = G::about().chance == Chance::None;
                assert!(!says_none, "{at}: chance, but about() says that there is none");
                self.check_outcomes(state, walk);
            }
            Turn::Over => {}
        }
        self.check_refusals(state);
        self.check_determinizations(state, walk);
        self.check_futures(state, walk);
    }

    /// Returns whether this position is one of those for close checks, one in `stride`. Games with another `shift`
    /// check other positions.
    const fn has_turn(&self, stride: u32, shift: u32) -> bool {
        self.at.step < OPENING || (self.at.step + shift).is_multiple_of(stride)
    }

    fn check_text(&self, state: &G::State) {
        let at = self.at;
        let mut text = String::new();
        assert!(self.game.write_state(state, &mut text).is_ok(), "{at}: write_state fails");
        assert!(text.ends_with('\n'), "{at}: write_state does not end its last line");
        assert_ne!(self.game.state_json(state), Value::Null, "{at}: state_json is null");
    }

    /// Checks the actions of `player` and returns their number.
    fn check_actions(&mut self, state: &G::State, player: Player, walk: &mut Walk<'_, G>) -> usize {
        let at = self.at;
        let actions = self.actions(state, player);
        let n_actions = self.game.n_actions(state, player, &mut self.scratch);
        assert_eq!(n_actions, actions.len(), "{at}: n_actions against the list {actions:?}");
        for (i, action) in actions.iter().enumerate() {
            assert!(!actions[..i].contains(action), "{at}: {action:?} is listed twice");
            let is_legal = self.game.is_legal(state, player, *action, &mut self.scratch);
            assert!(is_legal, "{at}: {action:?} is listed but not legal");
        }
        if self.has_turn(TEXT_STRIDE, at.index as u32) {
            self.check_action_texts(state, player, &actions);
        }
        self.check_uniform(state, player, &actions, walk);
        n_actions
    }

    fn check_action_texts(&self, state: &G::State, player: Player, actions: &[G::Action]) {
        let at = self.at;
        let mut texts: Vec<String> = actions.iter().map(|&a| self.game.action_text(a)).collect();
        for i in sample(actions.len(), self.at.step) {
            let (action, text) = (actions[i], &texts[i]);
            let is_line = !text.is_empty() && text.trim() == text && !text.contains('\n');
            assert!(is_line, "{at}: {action:?} is written {text:?}");
            let read = self.game.parse_action(state, player, text);
            assert_eq!(read, Ok(action), "{at}: reading {text:?}");
        }
        texts.sort_unstable();
        let twice = texts.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None, "{at}: two actions are written alike");
        let nonsense = self.game.parse_action(state, player, "\u{2603}");
        assert!(nonsense.is_err(), "{at}: a snowman is an action");
    }

    /// Checks that `random_action` draws all legal actions equally often (chi-square, on some positions).
    fn check_uniform(
        &mut self,
        state: &G::State,
        player: Player,
        actions: &[G::Action],
        walk: &mut Walk<'_, G>,
    ) {
        let at = self.at;
        let is_tested = self.uniform_tests < UNIFORM_TESTS && walk.choices().below(4) == 0;
        let n_draws = if is_tested { DRAWS_PER_ACTION * actions.len() as u32 } else { 2 };
        let mut counts = vec![0u32; actions.len()];
        for _ in 0..n_draws {
            let rng = walk.choices();
            let action = self.game.random_action(state, player, rng, &mut self.scratch);
            let place = actions.iter().position(|a| *a == action);
            assert!(place.is_some(), "{at}: random_action gives {action:?}, which is not listed");
            place.into_iter().for_each(|i| counts[i] += 1);
        }
        if is_tested {
            self.uniform_tests += 1;
            let z = deviation(&counts);
            assert!(z < 5.0, "{at}: random_action is not uniform (z = {z:.1}): {counts:?}");
        }
    }

    fn check_outcomes(&self, state: &G::State, walk: &mut Walk<'_, G>) {
        let at = self.at;
        let mut outcomes = Vec::new();
        self.game.outcomes(state, &mut outcomes);
        let total: f64 = outcomes.iter().map(|(_, probability)| probability).sum();
        assert!((total - 1.0).abs() < 1e-6, "{at}: probabilities add up to {total}");
        for (i, (outcome, probability)) in outcomes.iter().enumerate() {
            assert!((0.0..=1.0).contains(probability), "{at}: {outcome:?} has {probability}");
            let is_new = outcomes[..i].iter().all(|(other, _)| other != outcome);
            assert!(is_new, "{at}: {outcome:?} is listed twice");
        }
        self.check_seen_chance(state, &outcomes);
        for i in sample(outcomes.len(), self.at.step) {
            if outcomes[i].1 > 0.0 {
                self.check_chance_text(state, outcomes[i].0);
            }
        }
        let drawn = self.game.draw(state, walk.choices());
        let is_possible = outcomes.iter().any(|(o, p)| *o == drawn && *p > 0.0);
        assert!(is_possible, "{at}: draw gives {drawn:?}, which is not among the outcomes");
    }

    fn check_chance_text(&self, state: &G::State, outcome: G::Action) {
        let at = self.at;
        let event = self.game.chance_event(state, outcome);
        let line = serde_json::to_string(&event).unwrap_or_default();
        let read: Option<ChanceEvent> = serde_json::from_str(&line).ok();
        assert_eq!(read.as_ref(), Some(&event), "{at}: {line} through JSON");
        let parsed = self.game.parse_chance(state, &event);
        assert_eq!(parsed, Ok(outcome), "{at}: reading {line}");
    }

    /// Checks that an illegal action, or one out of turn, is refused and leaves the state as it was.
    fn check_refusals(&mut self, state: &G::State) {
        let turn = self.game.turn(state);
        for player in Player::all(self.game.n_players()) {
            let is_alone = turn == Turn::Player(player);
            let acts = is_alone || matches!(turn, Turn::Simultaneous(set) if set.contains(player));
            let listed = if acts { self.actions(state, player) } else { Vec::new() };
            for i in 0..self.past.len() {
                if !self.has_turn(REFUSAL_STRIDE, i as u32) {
                    continue;
                }
                let action = self.past[i];
                let is_listed = listed.contains(&action);
                if acts {
                    let is_legal = self.game.is_legal(state, player, action, &mut self.scratch);
                    assert_eq!(is_legal, is_listed, "{}: is_legal({action:?})", self.at);
                }
                if !(is_alone && is_listed) {
                    self.check_refusal(state, player, action);
                }
            }
        }
    }

    fn check_refusal(&self, state: &G::State, player: Player, action: G::Action) {
        let at = self.at;
        let mut tried = *state;
        let answer = self.game.try_apply(&mut tried, player, action);
        assert!(answer.is_err(), "{at}: player {player} may not play {action:?}");
        assert_eq!(tried, *state, "{at}: refusing {action:?} changed the state");
    }

    /// Checks that a seat's view is the same in every world that it holds possible.
    fn check_view(&mut self, state: &G::State, world: &G::State, observer: Player) {
        let at = self.at;
        let seen = |s: &G::State| self.game.view_json(s, observer);
        let (view, text) = (seen(state), self.view_text(state, observer));
        assert_ne!(view, Value::Null, "{at}: the view of player {observer} is null");
        assert!(text.ends_with('\n'), "{at}: write_view does not end its last line");
        if self.hides {
            let is_same = seen(world) == view;
            assert!(is_same, "{at}: the view of player {observer} shows what is hidden");
            let other = self.view_text(world, observer);
            assert_eq!(other, text, "{at}: the text for player {observer} shows what is hidden");
            let next = observer.next(self.game.n_players());
            self.looks_different |= self.game.view_json(state, next) != view;
        }
    }

    fn view_text(&self, state: &G::State, observer: Player) -> String {
        let mut text = String::new();
        let written = self.game.write_view(state, observer, &mut text);
        assert!(written.is_ok(), "{}: write_view fails", self.at);
        text
    }

    /// Checks that equal states under equal rules have equal futures.
    fn check_futures(&mut self, state: &G::State, walk: &mut Walk<'_, G>) {
        if walk.choices().below(16) > 0 {
            return;
        }
        let rng = fast(walk.choices());
        let (mut here, mut there) = (*state, *state);
        playout(self.game, &mut here, &mut rng.clone(), &mut self.scratch);
        playout(&self.game.clone(), &mut there, &mut rng.clone(), &mut Vec::new());
        assert_eq!(here, there, "{}: two futures of one state", self.at);
        self.check_end(&here);
    }

    /// Checks the step that `event` makes, remembers its actions, and returns the event in the form that a file holds.
    fn check_event(
        &mut self,
        before: &G::State,
        event: &Event<G::Action>,
        after: &G::State,
    ) -> Written {
        let at = self.at;
        let is_certain = |s: &G::State| self.game.is_deterministic_from(s);
        assert!(!is_certain(before) || is_certain(after), "{at}: it is deterministic no more");
        let grows = self.game.milestone(after) >= self.game.milestone(before);
        assert!(grows, "{at}: the milestone decreases");
        match event {
            Event::Action(player, action) => {
                let mut tried = *before;
                let answer = self.game.try_apply(&mut tried, *player, *action);
                assert_eq!(answer, Ok(()), "{at}: {action:?} is refused");
                assert_eq!(tried, *after, "{at}: try_apply and apply differ for {action:?}");
                self.remember(*action);
                Written::Actions(vec![(*player, self.game.action_text(*action))])
            }
            Event::Joint(joint) => {
                let chosen = |player| Some((player, joint[player]?));
                let chosen: Vec<_> = Player::all(MAX_PLAYERS).filter_map(chosen).collect();
                chosen.iter().for_each(|(_, action)| self.remember(*action));
                let text = |(player, action)| (player, self.game.action_text(action));
                Written::Actions(chosen.into_iter().map(text).collect())
            }
            Event::Chance(outcome) => {
                self.remember(*outcome);
                Written::Chance(self.game.chance_event(before, *outcome))
            }
        }
    }

    fn remember(&mut self, action: G::Action) {
        if self.past.len() < REMEMBERED && !self.past.contains(&action) {
            self.past.push(action);
        }
    }

    fn check_end(&self, end: &G::State) {
        let at = self.at;
        let n_players = self.game.n_players();
        assert_eq!(self.game.turn(end), Turn::Over, "{at}: the end");
        let payoffs = self.game.payoffs(end);
        let total: f32 = payoffs.0.iter().sum();
        assert!((total - 1.0).abs() < 1e-5, "{at}: payoffs add up to {total}: {payoffs:?}");
        assert!(payoffs.0.iter().all(|p| (0.0..=1.0).contains(p)), "{at}: payoffs {payoffs:?}");
        let absent: f32 = payoffs.0[n_players..].iter().sum();
        assert!(absent.abs() < 1e-9, "{at}: an empty seat wins: {payoffs:?}");
        assert_ne!(self.game.end_scores(end), Value::Null, "{at}: end_scores is null");
    }

    /// Checks that the written events lead from the start to the same end.
    fn check_replay(&mut self, record: &[Written], end: &G::State) {
        let mut state = self.game.start();
        for (step, written) in record.iter().enumerate() {
            self.at.step = step as u32;
            let event = self.read(&state, written);
            event.apply(self.game, &mut state);
        }
        assert_eq!(state, *end, "{}: the replay ends elsewhere", self.at);
    }

    fn read(&self, state: &G::State, written: &Written) -> Event<G::Action> {
        let at = self.at;
        let action = |player: Player, text: &str| {
            let action = self.game.parse_action(state, player, text);
            action.unwrap_or_else(|error| panic!("{at}: replay of player {player}: {error}"))
        };
        match (written, self.game.turn(state)) {
            (Written::Chance(event), _) => {
                let outcome = self.game.parse_chance(state, event);
                Event::Chance(outcome.unwrap_or_else(|error| panic!("{at}: replay: {error}")))
            }
            (Written::Actions(texts), Turn::Player(player)) => {
                Event::Action(player, action(player, &texts[0].1))
            }
            (Written::Actions(texts), _) => {
                let mut joint = crate::game::Joint::default();
                texts
                    .iter()
                    .for_each(|(player, text)| joint[*player] = Some(action(*player, text)));
                Event::Joint(joint)
            }
        }
    }

    fn actions(&self, state: &G::State, player: Player) -> Vec<G::Action> {
        let mut actions = Vec::new();
        self.game.actions(state, player, &mut actions);
        actions
    }
}
