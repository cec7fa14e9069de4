//! What a search knows of conquest2: plans for whole actions, the evaluation, habits.

use engine::games::conquest2::{Action, Conquest2, Phase, State};
use engine::{ByPlayer, Fast, Player, PlayerSet, game::hash_of};

use super::habits::habit;
use super::plan_text::plan_text;
use super::plans::Plan;
use super::reflex::reflex;
use super::trials::Trials;
use super::value::ValueFunction;
use crate::guide::{
    Choice, Choices, Evaluator, Guide, MacroActions, Prior, Progress, RolloutPolicy,
};

/// The guide of conquest2.
#[derive(Clone, Debug)]
pub struct Conquest2Guide {
    trials: Trials,
    value: ValueFunction,
    plans: Vec<Plan>,
}

/// What a habit counts for beside the other options of its decision, in victory points.
const HABIT: f32 = 3.0;
/// What a single ply counts for beside the plans of an action, in victory points.
const BLIND: f32 = -10.0;

impl Conquest2Guide {
    /// The guide that tries plans out like this and values what lies at the horizon like that.
    pub(super) const fn new(trials: Trials, value: &ValueFunction) -> Self {
        Self { trials, value: *value, plans: Vec::new() }
    }
}

/// A choice of conquest2 in a search.
type Option2 = Choice<Action, Plan>;

impl Evaluator<Conquest2> for Conquest2Guide {
    const CAN_ESTIMATE: bool = true;

    fn estimate(&mut self, game: &Conquest2, world: &State) -> ByPlayer<f32> {
        self.value.expect(&self.trials.weights, &game.table(world))
    }

    fn logistic_scale(&self, game: &Conquest2, world: &State) -> f32 {
        self.value.swing(&game.table(world))
    }
}

impl MacroActions<Conquest2> for Conquest2Guide {
    type Macro = Plan;

    const HAS_MACROS: bool = true;

    fn macro_actions(
        &mut self,
        game: &Conquest2,
        world: &State,
        _player: Player,
        out: &mut Choices<Conquest2, Plan>,
    ) {
        if world.phase() == Phase::Top {
            self.plans.clear();
            self.trials.list(game, world, &mut self.plans);
            out.extend(self.plans.iter().map(|&plan| Choice::Macro(plan)));
        }
    }

    fn carry_out(
        &mut self,
        game: &Conquest2,
        world: &mut State,
        player: Player,
        plan: Plan,
        rng: &mut Fast,
    ) {
        self.trials.carry_out(game, world, &plan, player, rng);
    }

    fn ply_of(
        &mut self,
        game: &Conquest2,
        world: &State,
        _player: Player,
        plan: Plan,
        is_first: bool,
    ) -> Option<Action> {
        let is_top = world.phase() == Phase::Top;
        if is_top == is_first { plan.answer(&game.table(world)) } else { None }
    }

    fn macro_text(&self, game: &Conquest2, plan: Plan) -> String {
        plan_text(game, plan)
    }
}

impl Prior<Conquest2> for Conquest2Guide {
    fn logits(
        &mut self,
        game: &Conquest2,
        world: &State,
        options: &Choices<Conquest2, Plan>,
        rng: &mut Fast,
        out: &mut Vec<f32>,
    ) {
        let start = out.len();
        let plans = options.iter().filter_map(|option| match option {
            Choice::Macro(plan) => Some(*plan),
            Choice::Ply(_) => None,
        });
        self.trials.weigh(game, world, plans, rng, |value| out.push(value));
        if out.len() > start {
            let worst = out[start..].iter().copied().fold(f32::MAX, f32::min);
            out.resize(start + options.len(), worst + BLIND);
            return;
        }
        let usual = Choice::Ply(habit(&self.trials.weights, &game.table(world)));
        out.extend(options.iter().map(|&option| if option == usual { HABIT } else { 0.0 }));
    }
}

impl RolloutPolicy<Conquest2> for Conquest2Guide {
    const HAS_ROLLOUT_POLICY: bool = true;

    fn rollout_policy(
        &mut self,
        game: &Conquest2,
        world: &State,
        _player: Player,
        rng: &mut Fast,
    ) -> Option2 {
        if world.phase() != Phase::Top {
            return Choice::Ply(habit(&self.trials.weights, &game.table(world)));
        }
        self.plans.clear();
        self.trials.list(game, world, &mut self.plans);
        Choice::Macro(self.trials.best_of(game, world, &self.plans, rng))
    }

    fn fast_rollout_policy(
        &mut self,
        game: &Conquest2,
        world: &State,
        _player: Player,
        rng: &mut Fast,
    ) -> Option2 {
        let table = game.table(world);
        if world.phase() != Phase::Top {
            return Choice::Ply(habit(&self.trials.weights, &table));
        }
        if let Some(card) = self.trials.best_use(game, world, rng) {
            return Choice::Macro(card);
        }
        Choice::Macro(reflex(&self.trials.weights, &table, rng, &mut self.plans))
    }
}

impl Guide<Conquest2> for Conquest2Guide {
    /// A stage is a season, which ends with a scoring.
    fn progress(&self, game: &Conquest2, world: &State) -> Progress {
        let table = game.table(world);
        Progress {
            stage: table.season() as u32,
            round: table.rounds_over() as u32,
            turn: table.turn_number() as u32,
        }
    }

    fn allies(&self, game: &Conquest2, world: &State, player: Player) -> PlayerSet {
        let table = game.table(world);
        table.players().filter(|&q| q != player && table.are_allied(player, q)).collect()
    }

    fn situation(&self, game: &Conquest2, world: &State) -> u64 {
        let table = game.table(world);
        hash_of(&(table.phase() as u8, self.progress(game, world), table.actions_left()))
    }
}
