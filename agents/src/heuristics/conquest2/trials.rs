//! Trying plans out: which plans there are, what each looks like it is worth, and how one is played to its end.
//!
//! In a trial the planner's own decisions follow the plan, everybody else's the habits, and dice fall once: agents
//! that threw three times, and tried three destinations for two, were no stronger (0.2484 [0.2377, 0.2594] of the
//! points for one that does not against three that do, 1,000 blocks).

use engine::games::conquest2::cards::{ARMY_TRAINING, Family, family};
use engine::games::conquest2::{Action, Conquest2, Muster, Phase, Place, State, Table, Verb};
use engine::{Fast, Game, Player, Turn};

use super::evaluation::{Outlook, Projection, evaluate_after, gain_of_card, gain_of_units};
use super::habits::{habit, is_vote_worth_calling};
use super::odds::{BattleOdds, Verdict};
use super::plans::{Plan, plans};
use super::weights::Weights;

/// Decisions after which a trial is cut off; none is nearly so long.
const LONGEST: u32 = 400;

/// The chance to win from which a battle is a plan, with exact odds.
const WORTH_A_BATTLE: f64 = 0.55;

/// The plans of the player in turn, and trials of them.
#[derive(Clone, Debug)]
pub(super) struct Trials {
    pub(super) weights: Weights,
    scratch: Vec<Action>,
    uses: Vec<Plan>,
    odds: Option<BattleOdds>,
}

impl Trials {
    pub(super) const fn new(weights: Weights) -> Self {
        Self { weights, scratch: Vec::new(), uses: Vec::new(), odds: None }
    }

    /// The same, but a land battle of `game` is one draw from its exact odds.
    pub(super) fn drawing_battles(mut self, game: &Conquest2) -> Self {
        self.odds = Some(BattleOdds::new(game));
        self
    }

    /// Appends the plans of the player in turn, cards that can be used included.
    pub(super) fn list(&mut self, game: &Conquest2, world: &State, out: &mut Vec<Plan>) {
        let table = game.table(world);
        match self.odds {
            None => plans(&self.weights, &table, out),
            Some(_) => self.list_by_odds(&table, out),
        }
        if table.offers(Verb::Use) {
            self.list_uses(game, world, out);
        }
    }

    /// The plans, of battles those that are won often enough by the exact odds.
    fn list_by_odds(&mut self, table: &Table<'_>, out: &mut Vec<Plan>) {
        let any_odds = Weights { fair: 0.0, ..self.weights };
        plans(&any_odds, table, out);
        let Some(odds) = &mut self.odds else { return };
        out.retain(|plan| match *plan {
            Plan::Battle { place, against } => {
                win_chance(odds, table, place, against.into()) >= WORTH_A_BATTLE
            }
            _ => true,
        });
    }

    fn list_uses(&mut self, game: &Conquest2, world: &State, out: &mut Vec<Plan>) {
        let actor = game.table(world).actor();
        let mut after = *world;
        game.apply(&mut after, game.table(world).word(Verb::Use));
        if after.phase() != Phase::Use {
            out.push(Plan::Use(None));
            return;
        }
        self.scratch.clear();
        game.actions(&after, Player::new(actor), &mut self.scratch);
        let table = game.table(&after);
        let uses =
            self.scratch.iter().filter(|a| is_vote_worth_calling(&self.weights, &table, **a));
        out.extend(uses.map(|&action| Plan::Use(Some(action))));
    }

    /// The card that is best used now, if using one is better than not.
    pub(super) fn best_use(
        &mut self,
        game: &Conquest2,
        world: &State,
        dice: &mut Fast,
    ) -> Option<Plan> {
        let table = game.table(world);
        if !table.offers(Verb::Use) {
            return None;
        }
        let mut uses = std::mem::take(&mut self.uses);
        uses.clear();
        self.list_uses(game, world, &mut uses);
        let projection = Projection::of(&table);
        let seat = table.actor();
        let mut best = evaluate_after(&self.weights, &projection, &table, seat);
        let mut choice = None;
        for &plan in &uses {
            let value = self.try_out(game, world, &plan, &projection, dice);
            if value > best {
                best = value;
                choice = Some(plan);
            }
        }
        self.uses = uses;
        choice
    }

    /// Hears what each of `plans` is worth to the player in turn, in victory points.
    pub(super) fn weigh(
        &mut self,
        game: &Conquest2,
        world: &State,
        plans: impl Iterator<Item = Plan>,
        dice: &mut Fast,
        mut hear: impl FnMut(f32),
    ) {
        let table = game.table(world);
        let projection = Projection::of(&table);
        let outlook = Outlook::of(&self.weights, &table);
        let mut idle = None;
        for plan in plans {
            let gain = match plan {
                Plan::Recruit { place, units } => {
                    gain_of_units(&self.weights, &outlook, &table, place, units)
                }
                Plan::Take(card) if family(card) != Family::Immediate => {
                    gain_of_card(&self.weights, &outlook, &table, table.actor(), card)
                }
                _ => {
                    let value = self.try_out(game, world, &plan, &projection, dice);
                    if plan == Plan::Pass {
                        idle = Some(value);
                    }
                    hear(value);
                    continue;
                }
            };
            // What the position is worth after an action that does nothing; it comes first among the plans.
            let idle = *idle
                .get_or_insert_with(|| self.try_out(game, world, &Plan::Pass, &projection, dice));
            hear(idle + gain);
        }
    }

    /// The best of `plans`, which are not empty.
    pub(super) fn best_of(
        &mut self,
        game: &Conquest2,
        world: &State,
        plans: &[Plan],
        dice: &mut Fast,
    ) -> Plan {
        let mut best = (f32::MIN, Plan::Pass);
        let mut candidates = plans.iter();
        self.weigh(game, world, plans.iter().copied(), dice, |value| {
            if let Some(plan) = candidates.next().filter(|_| value > best.0) {
                best = (value, *plan);
            }
        });
        best.1
    }

    /// The value of what a plan leads to.
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
        self.carry_out(game, &mut state, plan, seat, dice);
        evaluate_after(&self.weights, before, &game.table(&state), seat)
    }

    /// Plays an action of `seat` to its end.
    pub(super) fn carry_out(
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

    /// The decision that is due: by `plan` if it is that of `seat`, else by habit.
    pub(super) fn decide(&self, table: &Table<'_>, plan: &Plan, seat: usize) -> Action {
        let planned = if table.actor() == seat { plan.answer(table) } else { None };
        planned.unwrap_or_else(|| habit(&self.weights, table))
    }
}

/// How likely the player in turn is to win a battle, both sides with the habits of greedy; 0 where it is too large.
fn win_chance(odds: &mut BattleOdds, table: &Table<'_>, place: Place, against: usize) -> f64 {
    let muster = |q: usize| {
        let [infantry, cavalry, catapults] = table.troops(q, place);
        Muster {
            army: [infantry, cavalry, catapults, 0],
            has_leader: table.leaders(q).contains(place),
            has_city: table.city_owner(place) == Some(q),
            trainings: table.held(q, ARMY_TRAINING),
        }
    };
    let fight = odds.land([muster(table.actor()), muster(against)], true);
    let odds = fight.and_then(|fight| odds.odds(&fight));
    odds.map_or(0.0, |odds| odds.chance(Verdict::Attacker))
}

/// Whether an action has come to its end.
const fn is_between_actions(table: &Table<'_>) -> bool {
    matches!(table.phase(), Phase::Top | Phase::Bid | Phase::Propose)
}

/// Whether an event of chance belongs to an action rather than to the start of a season.
const fn is_within_an_action(phase: Phase) -> bool {
    matches!(phase, Phase::Dice | Phase::SenatorDraw)
}
