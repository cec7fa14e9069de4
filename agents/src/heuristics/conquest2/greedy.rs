//! The greedy agent of conquest2: one whole action ahead.
//!
//! In its turn it tries every plan in a world drawn from what it knows, plays the action out (its own choices by
//! the plan, everyone else's by habit, dice as they fall), and follows the plan whose
//! result it values most. Everything else it decides by habit. With probability ε a decision is random.

use engine::games::conquest2::cards::{Family, family};
use engine::games::conquest2::{Action, Conquest2, Phase, State, Table, Verb};
use engine::{Fast, Game, Player, Randomness, Stream, Turn, View, rng};

use super::evaluation::{Outlook, Projection, evaluate_after, gain_of_card, gain_of_units};
use super::habits::{habit, is_vote_worth_calling};
use super::odds::BattleOdds;
use super::plans::{Plan, plans};
use super::weights::Weights;
use crate::agent::Agent;

/// Decisions after which a trial is cut off; none is nearly so long.
const LONGEST: u32 = 400;

/// The greedy agent.
#[derive(Debug)]
pub struct GreedyConquest2 {
    epsilon: f64,
    weights: Weights,
    plan: Plan,
    plans: Vec<Plan>,
    scratch: Vec<Action>,
    draws_battles: bool,
    odds: Option<BattleOdds>,
}

impl GreedyConquest2 {
    /// The agent that decides at random with probability `epsilon`.
    #[must_use]
    pub const fn new(epsilon: f64, weights: Weights) -> Self {
        Self {
            epsilon,
            weights,
            plan: Plan::Pass,
            plans: Vec::new(),
            scratch: Vec::new(),
            draws_battles: false,
            odds: None,
        }
    }

    /// The same agent, which draws the end of a land battle that it tries out from its exact odds.
    #[must_use]
    pub const fn drawing_battles(mut self) -> Self {
        self.draws_battles = true;
        self
    }

    /// Sets the plan of the next action.
    fn make_plan(&mut self, game: &Conquest2, world: &State, rng: &mut Stream) {
        let mut dice = rng::fast(rng);
        let table = game.table(world);
        self.plans.clear();
        plans(&self.weights, &table, &mut self.plans);
        if table.offers(Verb::Use) {
            self.add_uses(game, world);
        }
        if let [only] = self.plans[..] {
            self.plan = only;
            return;
        }
        let projection = Projection::of(&table);
        let outlook = Outlook::of(&self.weights, &table);
        // What the position is worth after an action that does nothing; it comes first among the plans.
        let mut idle = 0.0;
        let mut best = f32::MIN;
        for i in 0..self.plans.len() {
            let plan = self.plans[i];
            let value = match plan {
                Plan::Recruit { place, units } => {
                    idle + gain_of_units(&self.weights, &outlook, &table, place, units)
                }
                Plan::Take(card) if family(card) != Family::Immediate => {
                    idle + gain_of_card(&self.weights, &outlook, &table, table.actor(), card)
                }
                _ => self.try_out(game, world, &plan, &projection, &mut dice),
            };
            if plan == Plan::Pass {
                idle = value;
            }
            if value > best {
                best = value;
                self.plan = plan;
            }
        }
    }

    /// Adds the cards that can be used now.
    fn add_uses(&mut self, game: &Conquest2, world: &State) {
        let actor = game.table(world).actor();
        let mut after = *world;
        game.apply(&mut after, game.table(world).word(Verb::Use));
        if after.phase() != Phase::Use {
            self.plans.push(Plan::Use(None));
            return;
        }
        self.scratch.clear();
        game.actions(&after, Player::new(actor), &mut self.scratch);
        let table = game.table(&after);
        let uses =
            self.scratch.iter().filter(|a| is_vote_worth_calling(&self.weights, &table, **a));
        self.plans.extend(uses.map(|&action| Plan::Use(Some(action))));
    }

    /// The value of what a plan leads to, with dice as they fall once: agents that threw three times, and tried three
    /// destinations for two, were no stronger (0.2484 [0.2377, 0.2594] of the points for one that does not against
    /// three that do, 1,000 blocks).
    fn try_out(
        &mut self,
        game: &Conquest2,
        world: &State,
        plan: &Plan,
        before: &Projection,
        dice: &mut Fast,
    ) -> f32 {
        let seat = game.table(world).actor();
        let mut state = *world;
        self.play_out(game, &mut state, plan, seat, dice);
        evaluate_after(&self.weights, before, &game.table(&state), seat)
    }

    /// Plays an action to its end.
    fn play_out(
        &mut self,
        game: &Conquest2,
        state: &mut State,
        plan: &Plan,
        seat: usize,
        dice: &mut Fast,
    ) {
        for step in 0..LONGEST {
            let action = match game.turn(state) {
                Turn::Player(_) => {
                    let table = game.table(state);
                    if step > 0 && is_between_actions(&table) {
                        return;
                    }
                    self.decide(&table, plan, seat)
                }
                Turn::Chance if is_within_an_action(state.phase()) => {
                    if self.odds.as_mut().is_some_and(|odds| odds.resolve(game, state, dice)) {
                        continue;
                    }
                    game.draw(state, dice)
                }
                _ => return,
            };
            game.apply(state, action);
        }
    }

    fn decide(&self, table: &Table<'_>, plan: &Plan, seat: usize) -> Action {
        let planned = if table.actor() == seat { plan.answer(table) } else { None };
        planned.unwrap_or_else(|| habit(&self.weights, table))
    }
}

/// Whether an action has come to its end.
const fn is_between_actions(table: &Table<'_>) -> bool {
    matches!(table.phase(), Phase::Top | Phase::Bid | Phase::Propose)
}

/// Whether an event of chance belongs to an action rather than to the start of a season.
const fn is_within_an_action(phase: Phase) -> bool {
    matches!(phase, Phase::Dice | Phase::SenatorDraw)
}

impl Agent<Conquest2> for GreedyConquest2 {
    fn start(&mut self, game: &Conquest2, _seat: Player) {
        self.plan = Plan::Pass;
        if self.draws_battles && self.odds.is_none() {
            self.odds = Some(BattleOdds::new(game));
        }
    }

    fn choose(&mut self, view: View<'_, Conquest2>, rng: &mut Stream) -> Action {
        if self.epsilon > 0.0 && rng.unit() < self.epsilon {
            self.plan = Plan::Pass; // what follows a random word is decided by habit
            return view.random_action(rng, &mut self.scratch);
        }
        let game = view.game();
        let world = view.world(rng);
        if world.phase() == Phase::Top {
            self.make_plan(game, &world, rng);
        }
        self.decide(&game.table(&world), &self.plan, view.observer().idx())
    }
}
