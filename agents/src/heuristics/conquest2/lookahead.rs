//! The lookahead of conquest2: lists macro-actions, estimates the value of each, and plays a macro-action to its end.
//!
//! The mover's decisions follow the macro-action, all others follow the rollout policy, and dice are thrown once.
//! Agents with three throws, and with three destinations instead of two, were no stronger: an agent with one throw
//! against three with three throws got 0.2484 [0.2377, 0.2594] of the points (1,000 blocks).

use engine::games::conquest2::cards::Family;
use engine::games::conquest2::units::N_UNITS;
use engine::games::conquest2::{
    Action, Card, CardKind, Conquest2, Mover, Muster, Phase, Place, Situation, State, Verb,
};
use engine::{Fast, Game, Player, Turn};

use super::baseline::{Baseline, Gains};
use super::evaluation::{TimeLeft, gain_of_card, gain_of_levy, surplus_of_units};
use super::macro_actions::{GUARD, MacroAction, macro_actions};
use super::odds::{BattleOddsCache, Verdict};
use super::rollout_policy::{is_vote_worth_calling, rollout_ply};
use super::weights::Weights;

/// Maximum number of decisions of a macro-action. No macro-action is nearly so long.
const LONGEST: u32 = 400;

/// Number of different recruitments listed per place.
const LEVIES: usize = 5;

/// The values of recruited units beyond their price. Each place lists the same recruitments, so the values are cached.
#[derive(Default)]
struct Surpluses([Option<([u8; N_UNITS], f32)>; LEVIES]);

impl Surpluses {
    fn of(&mut self, w: &Weights, situation: &Situation<'_>, units: [u8; N_UNITS]) -> f32 {
        let find = || (units, surplus_of_units(w, situation, units));
        for kept in &mut self.0 {
            let (of, surplus) = *kept.get_or_insert_with(find);
            if of == units {
                return surplus;
            }
        }
        find().1
    }
}

/// Macro-actions for evaluation.
pub(super) struct Candidates<I> {
    pub(super) macros: I,
    /// The known gains of purchases in the same world.
    pub(super) gains: Gains,
}

/// The course of a macro-action in play.
#[derive(Clone, Copy)]
pub(super) struct Course<'a> {
    pub(super) macro_action: &'a MacroAction,
    /// The seat that plays the macro-action.
    pub(super) seat: Player,
    /// True if the course ends when a card requires a place or an opponent from the seat.
    pub(super) leaves_cards: bool,
    /// True if the first action is already played.
    pub(super) has_begun: bool,
}

/// A lookahead over the macro-actions of the player in turn.
#[derive(Clone, Debug)]
pub(super) struct Lookahead {
    pub(super) weights: Weights,
    scratch: Vec<Action>,
    uses: Vec<MacroAction>,
    odds: Option<BattleOddsCache>,
}

impl Lookahead {
    pub(super) const fn new(weights: &Weights) -> Self {
        Self { weights: *weights, scratch: Vec::new(), uses: Vec::new(), odds: None }
    }

    /// Returns the lookahead with exact odds: a land battle of `game` is one draw.
    pub(super) fn drawing_battles(mut self, game: &Conquest2) -> Self {
        self.odds = Some(BattleOddsCache::new(game));
        self
    }

    /// Appends the macro-actions of the player in turn, with usable cards. Returns the gains of purchases found on the
    /// way.
    pub(super) fn list(
        &mut self,
        game: &Conquest2,
        world: &State,
        out: &mut Vec<MacroAction>,
    ) -> Gains {
        let situation = game.situation(world);
        let mut gains = Gains::default();
        match self.odds {
            None => macro_actions(&self.weights, &situation, &mut gains, out),
            Some(_) => self.list_by_odds(&situation, &mut gains, out),
        }
        if situation.offers(Verb::Use) {
            self.list_uses(game, world, out);
        }
        gains
    }

    /// Appends the macro-actions. Battles are listed only with a sufficient win probability by the exact odds.
    fn list_by_odds(
        &mut self,
        situation: &Situation<'_>,
        gains: &mut Gains,
        out: &mut Vec<MacroAction>,
    ) {
        let chance = self.weights.fair_chance;
        let any_odds = Weights { fair: 0.0, ..self.weights };
        macro_actions(&any_odds, situation, gains, out);
        let Some(odds) = &mut self.odds else { return };
        out.retain(|macro_action| match *macro_action {
            MacroAction::Battle { place, against } => {
                win_chance(odds, situation, place, against) >= chance
            }
            _ => true,
        });
    }

    fn list_uses(&mut self, game: &Conquest2, world: &State, out: &mut Vec<MacroAction>) {
        let actor = game.situation(world).actor();
        let mut after = *world;
        game.apply(&mut after, game.situation(world).word(Verb::Use));
        if after.phase() != Phase::Use {
            out.push(MacroAction::Use(None));
            return;
        }
        self.scratch.clear();
        game.actions(&after, actor, &mut self.scratch);
        let situation = game.situation(&after);
        let uses =
            self.scratch.iter().filter(|a| is_vote_worth_calling(&self.weights, &situation, **a));
        out.extend(uses.map(|&action| MacroAction::Use(Some(action))));
    }

    /// Returns the card that is best used now, if a use is better than none.
    pub(super) fn best_use(
        &mut self,
        game: &Conquest2,
        world: &State,
        dice: &mut Fast,
    ) -> Option<MacroAction> {
        let situation = game.situation(world);
        if !situation.offers(Verb::Use) {
            return None;
        }
        let mut uses = std::mem::take(&mut self.uses);
        uses.clear();
        self.list_uses(game, world, &mut uses);
        let seat = situation.actor();
        let mut baseline = Baseline::of(&self.weights, situation, seat, Gains::default());
        let mut best = baseline.value_after(&self.weights, &situation);
        let mut choice = None;
        for &macro_action in &uses {
            let value = self.try_out(game, world, &macro_action, &mut baseline, dice);
            if value > best {
                best = value;
                choice = Some(macro_action);
            }
        }
        self.uses = uses;
        choice
    }

    /// Calls `add` with the value of each candidate for the player in turn, in victory points.
    pub(super) fn value_each(
        &mut self,
        game: &Conquest2,
        world: &State,
        candidates: Candidates<impl Iterator<Item = MacroAction>>,
        dice: &mut Fast,
        mut add: impl FnMut(f32),
    ) {
        let Candidates { macros, gains } = candidates;
        let situation = game.situation(world);
        let mut baseline = Baseline::of(&self.weights, situation, situation.actor(), gains);
        let time = TimeLeft::of(&self.weights, &situation);
        let (mut idle, mut surpluses) = (None, Surpluses::default());
        for macro_action in macros {
            let gain = match macro_action {
                MacroAction::Recruit { place, units } => {
                    let surplus = surpluses.of(&self.weights, &situation, units);
                    gain_of_levy(&self.weights, &time, &situation, place, units, surplus)
                }
                MacroAction::Take(card) if card.family() != Family::Immediate => {
                    gain_of_card(&self.weights, &time, &situation, situation.actor(), card)
                }
                _ => {
                    let value = self.try_out(game, world, &macro_action, &mut baseline, dice)
                        - cost_of_sending(&self.weights, &time, &situation, &macro_action);
                    if macro_action == MacroAction::Pass {
                        idle = Some(value);
                    }
                    add(value + liking(&self.weights, &time, &macro_action));
                    continue;
                }
            };
            // The value after an idle action. The idle action is the first macro-action.
            let idle = *idle.get_or_insert_with(|| {
                self.try_out(game, world, &MacroAction::Pass, &mut baseline, dice)
            });
            add(idle + gain + liking(&self.weights, &time, &macro_action));
        }
    }

    /// Returns the best of `macros`, which are not empty. `gains` holds the gains found by listing them.
    pub(super) fn best_of(
        &mut self,
        game: &Conquest2,
        world: &State,
        macros: &[MacroAction],
        gains: Gains,
        dice: &mut Fast,
    ) -> MacroAction {
        let mut best = (f32::MIN, MacroAction::Pass);
        let mut valued = macros.iter();
        let candidates = Candidates { macros: macros.iter().copied(), gains };
        self.value_each(game, world, candidates, dice, |value| {
            if let Some(macro_action) = valued.next().filter(|_| value > best.0) {
                best = (value, *macro_action);
            }
        });
        best.1
    }

    /// Returns the value of the position after a macro-action.
    fn try_out(
        &mut self,
        game: &Conquest2,
        world: &State,
        macro_action: &MacroAction,
        before: &mut Baseline<'_>,
        dice: &mut Fast,
    ) -> f32 {
        let seat = game.situation(world).actor();
        let mut state = *world;
        let has_begun = match *macro_action {
            MacroAction::Pass => game.try_pass(&mut state),
            MacroAction::Tax => game.try_tax(&mut state),
            MacroAction::Take(card) => game.try_take(&mut state, card),
            MacroAction::Buy { place, first, second } => {
                game.try_purchase(&mut state, place, first, second)
            }
            MacroAction::Move { from, to, force, guards } => {
                let all = to.map_or(guards, |to| guards.with(to, true));
                let numbers = |place, mover: Mover| {
                    if to == Some(place) { force[mover.idx()] } else { GUARD[mover.idx()] }
                };
                let by_land = before.by_land(from);
                game.try_march(&mut state, from, by_land, all, numbers)
            }
            MacroAction::Battle { place, against } => game.try_battle(&mut state, place, against),
            _ => false,
        };
        let course = Course { macro_action, seat, leaves_cards: false, has_begun };
        self.play(game, &mut state, course, dice, Conquest2::try_out);
        before.value_after(&self.weights, &game.situation(&state))
    }

    /// Plays a course to its end. `apply` applies each action.
    pub(super) fn play(
        &mut self,
        game: &Conquest2,
        state: &mut State,
        course: Course<'_>,
        dice: &mut Fast,
        apply: impl Fn(&Conquest2, &mut State, Action),
    ) {
        let Course { macro_action, seat, leaves_cards, mut has_begun } = course;
        for _ in 0..LONGEST {
            let action = match game.turn(state) {
                Turn::Player(_) => {
                    let situation = game.situation(state);
                    let is_open = || {
                        leaves_cards && situation.actor() == seat && is_of_a_card(situation.phase())
                    };
                    if has_begun && (is_between_actions(&situation) || is_open()) {
                        return;
                    }
                    has_begun = true;
                    self.decide(&situation, macro_action, seat)
                }
                Turn::Chance if is_within_an_action(state.phase()) => {
                    if self.odds.as_mut().is_some_and(|odds| odds.resolve(game, state, dice)) {
                        continue;
                    }
                    game.draw(state, dice)
                }
                _ => return,
            };
            apply(game, state, action);
        }
    }

    /// Returns the due decision: that of `macro_action` for `seat`, otherwise that of the rollout policy.
    pub(super) fn decide(
        &self,
        situation: &Situation<'_>,
        macro_action: &MacroAction,
        seat: Player,
    ) -> Action {
        let answer = if situation.actor() == seat { macro_action.answer(situation) } else { None };
        answer.unwrap_or_else(|| rollout_ply(&self.weights, situation))
    }
}

/// Returns the bonus of a kind of action beyond its result.
fn liking(w: &Weights, time: &TimeLeft, macro_action: &MacroAction) -> f32 {
    let (always, early) = match macro_action {
        MacroAction::Pass | MacroAction::End => (w.act_pass, w.act_pass_early),
        MacroAction::Tax => (w.act_tax, w.act_tax_early),
        MacroAction::Take(_) => (w.act_take, w.act_take_early),
        MacroAction::Use(_) => (w.act_use, w.act_use_early),
        MacroAction::Recruit { .. } => (w.act_recruit, w.act_recruit_early),
        MacroAction::Buy { .. } => (w.act_buy, w.act_buy_early),
        MacroAction::Move { .. } => (w.act_move, w.act_move_early),
        MacroAction::Battle { .. } => (w.act_battle, w.act_battle_early),
        MacroAction::Sail { .. } => (w.act_sail, w.act_sail_early),
    };
    always + early * time.seasons
}

/// Returns the cost of separating units from their leader. The evaluation counts units at any place alike.
fn cost_of_sending(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    macro_action: &MacroAction,
) -> f32 {
    match *macro_action {
        MacroAction::Take(card) if matches!(card.kind(), CardKind::Barbarians(_)) => {
            w.expedition * f32::from(situation.expedition_units()) * time.seasons
        }
        _ => 0.0,
    }
}

/// Returns the win probability of the player in turn in a battle, with the rollout policy on both sides; 0 if the
/// battle is too large.
fn win_chance(
    odds: &mut BattleOddsCache,
    situation: &Situation<'_>,
    place: Place,
    against: Player,
) -> f64 {
    let muster = |q: Player| {
        let [infantry, cavalry, catapults] = situation.troops(q, place);
        Muster {
            army: [infantry, cavalry, catapults, 0],
            has_leader: situation.leaders(q).contains(place),
            has_city: situation.city_owner(place) == Some(q),
            trainings: situation.held(q, Card::ARMY_TRAINING),
        }
    };
    let fight = odds.land([muster(situation.actor()), muster(against)], true);
    let odds = fight.and_then(|fight| odds.odds(&fight));
    odds.map_or(0.0, |odds| odds.chance(Verdict::Attacker))
}

/// Returns whether an action has ended.
const fn is_between_actions(situation: &Situation<'_>) -> bool {
    matches!(situation.phase(), Phase::Top | Phase::Bid | Phase::Propose)
}

/// Returns whether the decision is the place or the opponent of a card.
const fn is_of_a_card(phase: Phase) -> bool {
    matches!(
        phase,
        Phase::FleetFrom
            | Phase::CityIn
            | Phase::LegionsIn
            | Phase::BarbariansFrom
            | Phase::BribeTarget
            | Phase::RevoltIn
            | Phase::RevoltTarget
    )
}

/// Returns whether a chance event belongs to an action rather than to the start of a season.
const fn is_within_an_action(phase: Phase) -> bool {
    matches!(phase, Phase::Dice | Phase::SenatorDraw)
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Walk, rng};

    use super::super::baseline::evaluate;
    use super::super::personas::PERSONAS;
    use super::*;

    /// The results of the tried actions, by their final positions.
    #[derive(Default, Debug)]
    struct Ends {
        in_turn: u32,
        in_another_turn: u32,
        in_another_round: u32,
        in_another_season: u32,
        over: u32,
        battles: u32,
    }

    impl Ends {
        fn note(
            &mut self,
            before: &Situation<'_>,
            after: &Situation<'_>,
            macro_action: &MacroAction,
        ) {
            self.battles += u32::from(matches!(macro_action, MacroAction::Battle { .. }));
            *(if after.phase() == Phase::Over {
                &mut self.over
            } else if after.season() != before.season() {
                &mut self.in_another_season
            } else if after.round() != before.round() {
                &mut self.in_another_round
            } else if after.turn_number() != before.turn_number() {
                &mut self.in_another_turn
            } else {
                &mut self.in_turn
            }) += 1;
        }
    }

    /// Checks that the value of each action equals a fresh evaluation of the position after its single decisions.
    fn check(game: &Conquest2, world: &State, w: &Weights, dice: &Fast, ends: &mut Ends) {
        let situation = game.situation(world);
        let me = situation.actor();
        let mut lookahead = Lookahead::new(w);
        let mut macros = Vec::new();
        let gains = lookahead.list(game, world, &mut macros);
        let mut baseline = Baseline::of(w, situation, me, gains);
        for macro_action in &macros {
            let (mut dice, mut same) = (dice.clone(), dice.clone());
            let value = lookahead.try_out(game, world, macro_action, &mut baseline, &mut dice);
            let mut after = *world;
            let course = Course { macro_action, seat: me, leaves_cards: false, has_begun: false };
            lookahead.play(game, &mut after, course, &mut same, Conquest2::try_out);
            let after = game.situation(&after);
            let alone = evaluate(w, &after, me);
            assert_eq!(value.to_bits(), alone.to_bits(), "{macro_action:?}: {value} or {alone}");
            assert_eq!(dice, same, "{macro_action:?}");
            ends.note(&situation, &after, macro_action);
        }
    }

    #[test]
    fn units_that_leave_their_leader_cost_what_the_weight_says_and_nothing_in_the_preset() {
        let (new, old) = (Weights::default(), Weights { expedition: 0.0, ..Weights::default() });
        assert!(new.expedition > 0.0);
        let preset = include_str!("../../../data/conquest2/presets/2026-11-22/weights.toml");
        assert!(preset.contains("expedition = 0.0"));
        let game = Conquest2::new(4);
        let mut n_sent = 0;
        for index in 0..20 {
            let mut walk = Walk::new(&game, 15, index);
            while walk.next().is_some() {
                let world = *walk.state();
                if world.phase() != Phase::Top {
                    continue;
                }
                let mut macros = Vec::new();
                let _ = Lookahead::new(&new).list(&game, &world, &mut macros);
                let value = |w: Weights| {
                    let mut values = Vec::new();
                    let dice = &mut rng::fast(&mut rng::stream(15, index, Purpose::Analysis));
                    let gains = Gains::default();
                    let all = Candidates { macros: macros.iter().copied(), gains };
                    Lookahead::new(&w).value_each(&game, &world, all, dice, |v| values.push(v));
                    values
                };
                let situation = game.situation(&world);
                let time = TimeLeft::of(&new, &situation);
                for ((macro_action, value), before) in macros.iter().zip(value(new)).zip(value(old))
                {
                    let cost = cost_of_sending(&new, &time, &situation, macro_action);
                    assert_eq!(value.to_bits(), (before - cost).to_bits(), "{macro_action:?}");
                    let is_sending = matches!(macro_action, MacroAction::Take(card) if card.id().starts_with("barbarians-"));
                    assert_eq!(cost > 0.0, is_sending, "{macro_action:?}");
                    n_sent += u32::from(is_sending);
                }
            }
        }
        assert!(n_sent > 10, "{n_sent}");
    }

    /// A card's place or opponent stays open. Decided by rules of thumb, it gives the result of the whole action.
    #[test]
    fn what_a_card_asks_for_is_left_open_and_by_thumb_comes_to_the_same() {
        let game = Conquest2::new(4);
        let mut lookahead = Lookahead::new(&Weights::default());
        let (mut macros, mut verbs_seen) = (Vec::new(), std::collections::BTreeSet::new());
        for index in 0..60 {
            let mut walk = Walk::new(&game, 16, index);
            while walk.next().is_some() {
                let world = *walk.state();
                if world.phase() != Phase::Top {
                    continue;
                }
                macros.clear();
                let _ = lookahead.list(&game, &world, &mut macros);
                let me = game.situation(&world).actor();
                let dice = rng::fast(&mut rng::stream(16, index, Purpose::Analysis));
                let is_of_cards = |macro_action: &&MacroAction| {
                    matches!(macro_action, MacroAction::Take(_) | MacroAction::Use(_))
                };
                for macro_action in macros.iter().filter(is_of_cards) {
                    let (mut open, mut all_the_way) = (world, world);
                    let (mut dice, mut same) = (dice.clone(), dice.clone());
                    let course =
                        Course { macro_action, seat: me, leaves_cards: false, has_begun: false };
                    let left_open = Course { leaves_cards: true, ..course };
                    lookahead.play(&game, &mut open, left_open, &mut dice, Conquest2::apply);
                    lookahead.play(&game, &mut all_the_way, course, &mut same, Conquest2::apply);
                    if is_of_a_card(open.phase()) {
                        verbs_seen.insert(format!("{:?}", open.phase()));
                        let rest = Course { has_begun: true, ..course };
                        lookahead.play(&game, &mut open, rest, &mut dice, Conquest2::apply);
                    }
                    assert_eq!(open, all_the_way, "{macro_action:?}");
                    assert_eq!(dice, same, "{macro_action:?}");
                }
            }
        }
        assert!(verbs_seen.len() >= 4, "{verbs_seen:?}");
    }

    #[test]
    fn an_action_is_worth_what_its_decisions_lead_to_at_every_boundary() {
        let mut ends = Ends::default();
        for (persona, (name, _)) in PERSONAS.iter().enumerate() {
            let w = Weights::persona(name).expect("a persona of the list");
            for n_players in 2..=6 {
                let game = Conquest2::new(n_players);
                let index = 10 * persona as u64 + n_players as u64;
                let mut dice = rng::fast(&mut rng::stream(8, index, Purpose::Analysis));
                let mut walk = Walk::new(&game, 8, index);
                while walk.next().is_some() {
                    if walk.state().phase() == Phase::Top {
                        dice = rng::fast(&mut dice);
                        check(&game, walk.state(), &w, &dice, &mut ends);
                    }
                }
            }
        }
        let Ends { in_turn, in_another_turn, in_another_round, in_another_season, over, battles } =
            ends;
        let inner = [in_turn, in_another_turn, in_another_round, battles];
        assert!(inner.iter().all(|&n| n > 1_000), "{ends:?}");
        assert!(in_another_season > 300 && over > 100, "{ends:?}");
    }
}
