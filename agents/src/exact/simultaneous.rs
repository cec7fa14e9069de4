//! Backward induction for two players with simultaneous turns: each such turn is a matrix game.
//!
//! Let `v(s)` be the points of player 0 (player 1 gets `1 − v`). At the end, `v` is the payoff. At chance it is the
//! mean. At a decision of one player it is the largest or smallest value. At a simultaneous turn it is the value of the
//! matrix game with entries `v(s after (a, b))` ([`matrix_game`]). The strategies found are a subgame-perfect
//! equilibrium.
//!
//! The method is valid for two players whose points add up to one, if only the choices of the same turn are hidden. It
//! is not valid for hidden cards, where a position is no subgame.
//!
//! References: Shapley, "Stochastic games" (1953), here without cycles; Ross, "Goofspiel: The Game of Pure Strategy"
//! (1971), which solves goofspiel by this method.

use engine::{ByPlayer, Game, Joint, Player, Turn};
use stats::matrix_game::{MatrixSolution, matrix_game};

use super::memo::Memo;
use super::{MAX_DEPTH, MAX_STATES, ROUNDING, Unsolved, points};

/// An equilibrium of two players: strategies and values for every reachable position.
#[derive(Debug)]
pub struct Equilibrium<'g, G: Game> {
    game: &'g G,
    /// Visited positions; `None` until they are solved.
    memo: Memo<G::State, Option<Point>>,
}

#[derive(Clone, Debug)]
struct Point {
    /// Points of player 0.
    value: f64,
    /// Probabilities of each player's actions, in the order of the rules; empty if the player does not act.
    strategies: [Vec<f64>; 2],
}

/// Solves the game of two players from `state` on by the method of the module.
///
/// # Errors
/// If the number of players is not two, or if the game is cyclic, too long or too large ([`MAX_STATES`]).
pub fn solve_simultaneous<'g, G: Game>(
    game: &'g G,
    state: &G::State,
) -> Result<Equilibrium<'g, G>, Unsolved> {
    let n_players = game.n_players();
    if n_players != 2 {
        return Err(Unsolved::Players { n_players });
    }
    let mut equilibrium = Equilibrium { game, memo: Memo::new() };
    equilibrium.visit(state, 0)?;
    Ok(equilibrium)
}

impl<G: Game> Equilibrium<'_, G> {
    /// Returns the value of `state` for both players, in points; `None` if it is not reachable from the solved
    /// position.
    #[must_use]
    pub fn values(&self, state: &G::State) -> Option<ByPlayer<f64>> {
        if self.game.turn(state) == Turn::Over {
            return Some(points(self.game, state));
        }
        let value = self.memo.get(state)?.as_ref()?.value;
        Some(ByPlayer([value, 1.0 - value, 0.0, 0.0, 0.0, 0.0]))
    }

    /// Appends the probabilities of the actions of `player`: a [`Policy`](super::Policy).
    ///
    /// # Panics
    /// If `player` does not act in `state`, or if `state` is not reachable from the solved position.
    pub fn policy(
        &self,
        state: &G::State,
        player: Player,
        actions: &[G::Action],
        out: &mut Vec<f64>,
    ) {
        let point = self.memo.get(state).and_then(Option::as_ref);
        let strategy = &point.expect("a position that was solved").strategies[player.idx()];
        assert_eq!(strategy.len(), actions.len(), "player {player} at {state:?}");
        out.extend(strategy);
    }

    fn visit(&mut self, state: &G::State, depth: u32) -> Result<f64, Unsolved> {
        let turn = self.game.turn(state);
        if turn == Turn::Over {
            return Ok(points(self.game, state).0[0]);
        }
        match self.memo.get(state) {
            Some(Some(point)) => return Ok(point.value),
            Some(None) => return Err(Unsolved::Cyclic),
            None if depth >= MAX_DEPTH => return Err(Unsolved::TooLong),
            None if self.memo.len() >= MAX_STATES => {
                return Err(Unsolved::TooLarge { max_states: MAX_STATES });
            }
            None => self.memo.insert(*state, None),
        }
        let point = match turn {
            Turn::Player(mover) => self.choose(state, mover, depth)?,
            Turn::Chance | Turn::Over => self.expect(state, depth)?,
            Turn::Simultaneous(players) => {
                let acts = |seat| players.contains(Player::new(seat));
                self.duel(state, [acts(0), acts(1)], depth)?
            }
        };
        let value = point.value;
        self.memo.insert(*state, Some(point));
        Ok(value)
    }

    fn actions(&self, state: &G::State, player: Player) -> Vec<G::Action> {
        let mut actions = Vec::new();
        self.game.actions(state, player, &mut actions);
        actions
    }

    fn expect(&mut self, state: &G::State, depth: u32) -> Result<Point, Unsolved> {
        let mut outcomes = Vec::new();
        self.game.outcomes(state, &mut outcomes);
        let mut value = 0.0;
        for (outcome, probability) in outcomes.into_iter().filter(|(_, p)| *p > 0.0) {
            let mut after = *state;
            self.game.apply(&mut after, outcome);
            value += probability * self.visit(&after, depth + 1)?;
        }
        Ok(Point { value, strategies: [Vec::new(), Vec::new()] })
    }

    fn choose(&mut self, state: &G::State, mover: Player, depth: u32) -> Result<Point, Unsolved> {
        let sign = [1.0, -1.0][mover.idx()];
        let (mut best, mut at) = (f64::NEG_INFINITY, 0);
        let actions = self.actions(state, mover);
        for (i, &action) in actions.iter().enumerate() {
            let mut after = *state;
            self.game.apply(&mut after, action);
            let gain = sign * self.visit(&after, depth + 1)?;
            if gain > best + ROUNDING {
                (best, at) = (gain, i);
            }
        }
        let mut strategies = [Vec::new(), Vec::new()];
        strategies[mover.idx()] =
            (0..actions.len()).map(|i| f64::from(u8::from(i == at))).collect();
        Ok(Point { value: sign * best, strategies })
    }

    fn duel(&mut self, state: &G::State, acts: [bool; 2], depth: u32) -> Result<Point, Unsolved> {
        let options = [0, 1].map(|seat| -> Vec<Option<G::Action>> {
            let player = Player::new(seat);
            if !acts[seat] {
                return vec![None];
            }
            self.actions(state, player).into_iter().map(Some).collect()
        });
        let mut payoffs = Vec::with_capacity(options[0].len());
        for &first in &options[0] {
            let mut row = Vec::with_capacity(options[1].len());
            for &second in &options[1] {
                let mut joint = Joint::<G::Action>::default();
                (joint.0[0], joint.0[1]) = (first, second);
                let mut after = *state;
                self.game.apply_joint(&mut after, &joint);
                row.push(self.visit(&after, depth + 1)?);
            }
            payoffs.push(row);
        }
        let MatrixSolution { value, rows, columns } = matrix_game(&payoffs);
        Ok(Point { value, strategies: [rows, columns] })
    }
}
