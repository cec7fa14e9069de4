//! Backward induction for games without hidden information: minimax, max^n, expectimax.
//!
//! The value `v(s)` of a position is a vector of points, one for each player:
//!
//! - at the end, the payoffs;
//! - at chance, `Σ p(o) · v(s after o)` over the outcomes `o`;
//! - at a decision of player `i`, `v(s after a*)` with `a*` the first action that maximizes `v_i`.
//!
//! The method is valid for any number of players and with chance, if there are no hidden information and no
//! simultaneous turns. For two players the value is the minimax value. With three or more players (max^n), equally good
//! actions of the mover can differ for the others. So the value depends on the breaking of ties: the first listed
//! action is taken. In a game with hidden information the value is that of players who see everything.
//!
//! References: von Neumann, "Zur Theorie der Gesellschaftsspiele" (1928); Michie, "Game-playing and
//! game-learning automata" (1966), for chance; Luckhardt and Irani, "An algorithmic solution of N-person games",
//! AAAI (1986), for max^n.

use engine::{ByPlayer, Game, Player, Turn};

use super::memo::Memo;
use super::{MAX_DEPTH, MAX_STATES, ROUNDING, Unsolved, points};

/// The solution of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution<A> {
    /// Points of every player under best play, in `[0, 1]`.
    pub values: ByPlayer<f64>,
    /// All best actions of the mover, in the order of the rules; empty unless exactly one player is to act.
    pub best: Vec<A>,
}

/// Solves the position `state` by the method of the module.
///
/// # Errors
/// If the game is cyclic, too long or too large, or has simultaneous turns.
///
/// # Example
/// ```
/// use engine::{Game, TreeGame};
/// let game = TreeGame::new(2, "((? 1 0) (1 1/4) (1/2 3/4))")?;
/// let solution = agents::exact::solve(&game, &game.start())?;
/// assert_eq!(solution.values.first(2), [0.5, 0.5]);
/// assert_eq!(solution.best.len(), 2); // the coin, or the last branch: as good for player 0
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve<G: Game>(game: &G, state: &G::State) -> Result<Solution<G::Action>, Unsolved> {
    Solver::new(game, MAX_STATES).solve(state)
}

/// A version of [`solve`] with memory, for many positions of one game.
#[derive(Debug)]
pub struct Solver<'g, G: Game> {
    game: &'g G,
    max_states: usize,
    /// Visited positions; `None` until they are solved.
    memo: Memo<G::State, Option<ByPlayer<f64>>>,
}

impl<'g, G: Game> Solver<'g, G> {
    /// Creates a solver that remembers at most `max_states` positions (see [`MAX_STATES`]).
    #[must_use]
    pub const fn new(game: &'g G, max_states: usize) -> Self {
        Self { game, max_states, memo: Memo::new() }
    }

    /// Returns the number of positions in memory; final positions are not kept.
    #[must_use]
    pub const fn n_states(&self) -> usize {
        self.memo.len()
    }

    /// Returns the value of `state` for every player, in points.
    ///
    /// # Errors
    /// As for [`solve`]; then the memory is empty.
    pub fn values(&mut self, state: &G::State) -> Result<ByPlayer<f64>, Unsolved> {
        let values = self.visit(state, 0);
        if values.is_err() {
            self.memo = Memo::new();
        }
        values
    }

    /// Returns the value of `state` and all best actions.
    ///
    /// # Errors
    /// As for [`solve`].
    pub fn solve(&mut self, state: &G::State) -> Result<Solution<G::Action>, Unsolved> {
        let values = self.values(state)?;
        let mut best = Vec::new();
        if let Turn::Player(mover) = self.game.turn(state) {
            self.game.actions(state, mover, &mut best);
            let mut worth = Vec::with_capacity(best.len());
            for &action in &best {
                let mut after = *state;
                self.game.apply(&mut after, action);
                worth.push(self.values(&after)?[mover]);
            }
            let mut worth = worth.into_iter();
            best.retain(|_| worth.next().is_some_and(|w| w >= values[mover] - ROUNDING));
        }
        Ok(Solution { values, best })
    }

    fn visit(&mut self, state: &G::State, depth: u32) -> Result<ByPlayer<f64>, Unsolved> {
        let turn = self.game.turn(state);
        if turn == Turn::Over {
            return Ok(points(self.game, state));
        }
        match self.memo.get(state) {
            Some(Some(values)) => return Ok(*values),
            Some(None) => return Err(Unsolved::Cyclic),
            None if depth >= MAX_DEPTH => return Err(Unsolved::TooLong),
            None if self.memo.len() >= self.max_states => {
                return Err(Unsolved::TooLarge { max_states: self.max_states });
            }
            None => self.memo.insert(*state, None),
        }
        let values = match turn {
            Turn::Player(mover) => self.choose(state, mover, depth)?,
            Turn::Chance => self.expect(state, depth)?,
            Turn::Simultaneous(_) | Turn::Over => return Err(Unsolved::Simultaneous),
        };
        self.memo.insert(*state, Some(values));
        Ok(values)
    }

    fn choose(
        &mut self,
        state: &G::State,
        mover: Player,
        depth: u32,
    ) -> Result<ByPlayer<f64>, Unsolved> {
        let mut actions = Vec::new();
        self.game.actions(state, mover, &mut actions);
        let mut best: Option<ByPlayer<f64>> = None;
        for action in actions {
            let mut after = *state;
            self.game.apply(&mut after, action);
            let values = self.visit(&after, depth + 1)?;
            if best.is_none_or(|best| values[mover] > best[mover] + ROUNDING) {
                best = Some(values);
            }
        }
        Ok(best.expect("a player in turn has actions"))
    }

    fn expect(&mut self, state: &G::State, depth: u32) -> Result<ByPlayer<f64>, Unsolved> {
        let mut outcomes = Vec::new();
        self.game.outcomes(state, &mut outcomes);
        let mut mean = ByPlayer::default();
        for (outcome, probability) in outcomes.into_iter().filter(|(_, p)| *p > 0.0) {
            let mut after = *state;
            self.game.apply(&mut after, outcome);
            let values = self.visit(&after, depth + 1)?;
            mean.0.iter_mut().zip(values.0).for_each(|(mean, v)| *mean += probability * v);
        }
        Ok(mean)
    }
}
