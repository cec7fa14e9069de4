//! The guide of circus: the evaluation, prior logits, and two rollout policies that look one ply ahead.

use std::convert::Infallible;

use engine::games::circus::{Action, Circus, State};
use engine::{ByPlayer, Fast, Game, Player, Randomness};

use super::evaluation::Weights;
use crate::guide::{
    Choice, Choices, Evaluator, Guide, MacroActions, Prior, Progress, RolloutPolicy,
};

/// The guide of circus.
#[derive(Clone, Debug)]
pub struct CircusGuide {
    weights: Weights,
    options: Vec<Action>,
}

/// A number far above the number of options, so that each option is first in the order about equally often.
const ANY_OPTION: u32 = 1 << 16;

impl CircusGuide {
    pub(super) const fn new(weights: Weights) -> Self {
        Self { weights, options: Vec::new() }
    }

    /// Returns the option with the largest `worth`, the first of several. The order starts at
    /// number `from`, modulo the number of options.
    fn best(
        &mut self,
        game: &Circus,
        state: &State,
        from: u32,
        worth: impl Fn(&Self, Action) -> f32,
    ) -> Action {
        self.options.clear();
        game.actions(state, Player::new(0), &mut self.options);
        let (before, after) = self.options.split_at(from as usize % self.options.len());
        let mut best = (f32::MIN, after[0]);
        for &action in after.iter().chain(before) {
            let worth = worth(self, action);
            if worth > best.0 {
                best = (worth, action);
            }
        }
        best.1
    }

    /// Returns the ply that brings the driver most steps for its card.
    fn at_a_glance(&mut self, game: &Circus, state: &State, player: Player, from: u32) -> Action {
        self.best(game, state, from, |guide, action| {
            guide.weights.glance(game, state, player.idx(), action)
        })
    }

    /// Returns the apparent value of a ply for a player.
    fn worth(&self, game: &Circus, state: &State, player: Player, action: Action) -> f32 {
        let mut after = *state;
        game.apply(&mut after, action);
        self.weights.value_for(game, &after, player.idx())
    }
}

impl Evaluator<Circus> for CircusGuide {
    const CAN_ESTIMATE: bool = true;

    /// Returns the values after all players have driven to the end of the round by the rollout policy. In the middle of
    /// a round some have spent their cards and others have not, and the road changes with every chariot.
    fn estimate(&mut self, game: &Circus, world: &State) -> ByPlayer<f32> {
        if world.is_placing() || world.is_between_rounds() {
            return self.weights.values(game, world);
        }
        let mut after = *world;
        while after.rounds() == world.rounds() {
            let engine::Turn::Player(player) = game.turn(&after) else { break };
            let action = self
                .best(game, &after, 0, |guide, action| guide.worth(game, &after, player, action));
            game.apply(&mut after, action);
        }
        let mut values = self.weights.values(game, &after);
        if game.turn(&after) == engine::Turn::Over {
            let (won, points) = (self.weights.won, game.payoffs(&after));
            values.0.iter_mut().zip(points.0).for_each(|(value, points)| *value += won * points);
        }
        values
    }

    fn logistic_scale(&self, game: &Circus, world: &State) -> f32 {
        let steps = (0..game.n_players()).map(|seat| game.team_steps(world, seat)).min();
        let grows = self.weights.logistic_scale_grows * steps.unwrap_or_default() as f32;
        self.weights.logistic_scale + grows
    }
}

impl MacroActions<Circus> for CircusGuide {
    type Macro = Infallible;
}

impl Prior<Circus> for CircusGuide {
    fn logits(
        &mut self,
        game: &Circus,
        world: &State,
        options: &Choices<Circus, Infallible>,
        _rng: &mut Fast,
        out: &mut Vec<f32>,
    ) {
        let engine::Turn::Player(player) = game.turn(world) else { return };
        for option in options {
            out.push(match option {
                Choice::Ply(action) => self.worth(game, world, player, *action),
                Choice::Macro(macro_action) => match *macro_action {},
            });
        }
    }
}

impl RolloutPolicy<Circus> for CircusGuide {
    const HAS_ROLLOUT_POLICY: bool = true;

    /// Returns the ply that leads to the position with the highest value.
    fn rollout_policy(
        &mut self,
        game: &Circus,
        world: &State,
        player: Player,
        rng: &mut Fast,
    ) -> Choice<Action, Infallible> {
        Choice::Ply(self.best(game, world, rng.below(ANY_OPTION), |guide, action| {
            guide.worth(game, world, player, action)
        }))
    }

    /// Returns the ply that brings most steps for its card.
    fn fast_rollout_policy(
        &mut self,
        game: &Circus,
        world: &State,
        player: Player,
        rng: &mut Fast,
    ) -> Choice<Action, Infallible> {
        Choice::Ply(self.at_a_glance(game, world, player, rng.below(ANY_OPTION)))
    }
}

impl Guide<Circus> for CircusGuide {
    /// Returns the progress: a stage is a round of the race, a round is the turn of a chariot, a turn is a card.
    fn progress(&self, _game: &Circus, world: &State) -> Progress {
        Progress {
            stage: world.rounds(),
            round: world.turns_done(),
            turn: world.cards_used() as u32,
        }
    }
}
