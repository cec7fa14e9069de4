//! Rollouts from a leaf: uniformly random, by the game's policies, or by the success of actions elsewhere in the
//! search.

use std::hash::Hash;

use engine::{ByPlayer, Fast, Game, Joint, Player, Randomness, Turn, hash_of, playout};

use super::config::{Config, Horizon, Rollout};
use crate::guide::{Choice, Guide, Progress};

/// Number of slots of the rollout statistics, over all players.
const SLOTS: usize = 1 << 12;

/// Move-average sampling (Finnsson & Björnsson 2008): the mean utility of an action over all its uses.
#[derive(Clone, Debug, Default)]
pub(super) struct Mast {
    /// Mean and (decayed) count by slot; empty when not in use.
    slots: Vec<(f32, f32)>,
    played: Vec<(u16, u8)>,
}

impl Mast {
    pub(super) fn new(in_use: bool) -> Self {
        Self {
            slots: if in_use { vec![(0.0, 0.0); SLOTS] } else { Vec::new() },
            played: Vec::new(),
        }
    }

    fn slot<A: Hash>(player: Player, action: A) -> usize {
        hash_of(&(player.idx() as u8, action)) as usize % SLOTS
    }

    pub(super) fn is_in_use(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Records that `player` played `action` in this iteration.
    pub(super) fn note<A: Hash>(&mut self, player: Player, action: A) {
        if self.is_in_use() {
            self.played.push((Self::slot(player, action) as u16, player.idx() as u8));
        }
    }

    /// Updates the means of the recorded actions with the result of the iteration.
    pub(super) fn learn(&mut self, utilities: &ByPlayer<f32>) {
        for (slot, player) in self.played.drain(..) {
            let (mean, number) = &mut self.slots[usize::from(slot)];
            *number += 1.0;
            *mean += (utilities.0[usize::from(player)] - *mean) / *number;
        }
    }

    /// Multiplies the counts by `kept`.
    pub(super) fn decay(&mut self, kept: f32) {
        self.slots.iter_mut().for_each(|(_, number)| *number *= kept);
    }

    pub(super) fn forget(&mut self) {
        self.slots.fill((0.0, 0.0));
    }

    /// Returns the action with the best mean. An action that was never played counts as a win.
    fn best<A: Copy + Hash>(&self, player: Player, actions: &[A], rng: &mut Fast) -> A {
        let start = rng.below(actions.len() as u32) as usize;
        let mut best = (f32::MIN, actions[start]);
        for &action in actions[start..].iter().chain(&actions[..start]) {
            let (mean, number) = self.slots[Self::slot(player, action)];
            let value = if number > 0.0 { mean } else { 1.0 };
            if value > best.0 {
                best = (value, action);
            }
        }
        best.1
    }
}

/// The state of a rollout.
pub(super) struct Playing<'a, G: Game, H: Guide<G>> {
    pub(super) game: &'a G,
    pub(super) config: &'a Config,
    pub(super) guide: &'a mut H,
    pub(super) mast: &'a mut Mast,
    pub(super) actions: &'a mut Vec<G::Action>,
    pub(super) rng: &'a mut Fast,
    pub(super) cutoff: Cutoff,
    /// Remaining choices of this rollout by the game's rollout policy. Later choices use its fast policy.
    pub(super) heavy_moves: u16,
}

impl<G: Game, H: Guide<G>> Playing<'_, G, H> {
    /// Plays `world` on to the position that will be evaluated.
    pub(super) fn play_on(&mut self, world: &mut G::State) {
        let config = self.config;
        match (config.horizon, config.rollout) {
            (Horizon::Leaf, _) => {}
            (Horizon::Full, Rollout::Uniform) => {
                playout(self.game, world, self.rng, self.actions);
            }
            _ => self.play_until_horizon(world),
        }
    }

    fn play_until_horizon(&mut self, world: &mut G::State) {
        loop {
            match self.game.turn(world) {
                Turn::Over => return,
                Turn::Chance => {
                    let outcome = self.game.draw(world, self.rng);
                    self.game.apply(world, outcome);
                }
                Turn::Player(player) => self.act(world, player),
                Turn::Simultaneous(players) => {
                    let mut joint = Joint::<G::Action>::default();
                    for player in players.iter() {
                        joint[player] = Some(self.ply_simultaneous(world, player));
                    }
                    self.game.apply_joint(world, &joint);
                }
            }
            if self.cutoff.is_passed(|| self.guide.progress(self.game, world)) {
                return;
            }
        }
    }

    /// Returns the choice of `player`.
    #[inline]
    fn choice(&mut self, world: &G::State, player: Player) -> Choice<G::Action, H::Macro> {
        if self.wants_policy() {
            self.guide.rollout_policy(self.game, world, player, self.rng)
        } else if matches!(self.config.rollout, Rollout::Fast | Rollout::Heuristic) {
            self.guide.fast_rollout_policy(self.game, world, player, self.rng)
        } else {
            Choice::Ply(self.ply(world, player))
        }
    }

    /// Returns a choice of `player` in a simultaneous turn, where there are no macro-actions.
    pub(super) fn ply_simultaneous(&mut self, world: &G::State, player: Player) -> G::Action {
        match self.choice(world, player) {
            Choice::Ply(action) => action,
            Choice::Macro(macro_action) => unreachable!("{macro_action:?} in a simultaneous turn"),
        }
    }

    /// Plays a choice of `player`.
    #[inline]
    pub(super) fn act(&mut self, world: &mut G::State, player: Player) {
        match self.choice(world, player) {
            Choice::Ply(action) => self.game.apply(world, action),
            Choice::Macro(macro_action) => {
                self.guide.carry_out(self.game, world, player, macro_action, self.rng);
            }
        }
    }

    fn wants_policy(&mut self) -> bool {
        match self.config.rollout {
            Rollout::Heuristic if self.heavy_moves == 0 => false,
            Rollout::Heuristic => {
                self.heavy_moves -= 1;
                true
            }
            Rollout::Epsilon => self.rng.unit() >= self.config.epsilon,
            _ => false,
        }
    }

    /// Returns a ply of `player`, without macro-actions.
    pub(super) fn ply(&mut self, world: &G::State, player: Player) -> G::Action {
        if self.config.rollout != Rollout::Mast {
            return self.game.random_action(world, player, self.rng, self.actions);
        }
        let action = if self.rng.unit() < self.config.epsilon {
            self.game.random_action(world, player, self.rng, self.actions)
        } else {
            self.actions.clear();
            self.game.actions(world, player, self.actions);
            self.mast.best(player, self.actions, self.rng)
        };
        self.mast.note(player, action);
        action
    }
}

/// The horizon of iterations, seen from the root. Results with one horizon are no use to a search with another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cutoff {
    /// The end of the game or of the tree.
    Nowhere,
    /// The start of this stage.
    Stage(u32),
    /// This moment, or the end of its stage.
    Moment(Progress),
    /// The end of this turn.
    Turn(Progress),
}

impl Cutoff {
    /// Returns the horizon of a root at this progress.
    pub(super) const fn new(config: &Config, root: Progress) -> Self {
        match config.horizon {
            Horizon::Full | Horizon::Leaf => Self::Nowhere,
            Horizon::Stage => Self::Stage(root.stage + config.stages),
            Horizon::Round => Self::Moment(Progress { round: root.round + config.rounds, ..root }),
            Horizon::Turn => Self::Turn(root),
        }
    }

    /// Returns whether a position lies beyond the horizon. `progress` is called only if it matters.
    #[inline]
    pub(super) fn is_passed(&self, progress: impl FnOnce() -> Progress) -> bool {
        match *self {
            Self::Nowhere => false,
            Self::Stage(stage) => progress().stage >= stage,
            Self::Moment(end) => {
                let now = progress();
                now.stage != end.stage || now >= end
            }
            Self::Turn(root) => progress() != root,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn horizons_are_seen_from_the_root() {
        let at = |stage, round, turn| Progress { stage, round, turn };
        let ahead = |horizon, rounds, now| {
            let config = Config { horizon, rounds, ..Config::default() };
            Cutoff::new(&config, at(1, 2, 3)).is_passed(|| now)
        };
        let is_passed = |horizon, now| ahead(horizon, 1, now);
        assert!(!is_passed(Horizon::Turn, at(1, 2, 3)));
        assert!(is_passed(Horizon::Turn, at(1, 3, 0)));
        assert!(!is_passed(Horizon::Round, at(1, 3, 2)));
        assert!(is_passed(Horizon::Round, at(1, 3, 3)));
        assert!(!ahead(Horizon::Round, 2, at(1, 4, 2)));
        assert!(ahead(Horizon::Round, 2, at(1, 4, 3)));
        assert!(!is_passed(Horizon::Stage, at(1, 3, 3)));
        for horizon in [Horizon::Turn, Horizon::Round, Horizon::Stage] {
            assert!(is_passed(horizon, at(2, 0, 0)));
        }
        assert!(!is_passed(Horizon::Full, at(2, 0, 0)));
        let config = Config { horizon: Horizon::Stage, stages: 2, ..Config::default() };
        let two = Cutoff::new(&config, at(1, 2, 3));
        assert!(!two.is_passed(|| at(2, 9, 9)) && two.is_passed(|| at(3, 0, 0)));
    }
}
