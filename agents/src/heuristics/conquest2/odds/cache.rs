//! A cache of odds: [`BattleOddsCache`] computes each battle once, and finds the battle under way in a state.

use engine::games::conquest2::units::Unit;
use engine::games::conquest2::{BattleRules, Conquest2, Muster, Phase, Side, Situation, State};
use engine::{Game, Randomness, hash_of};

use super::super::rollout_policy::{losses, retreat};
use super::rounds::BattleSolver;
use super::{
    Army, Fight, Flight, Force, LossOrder, MOST_DICE, MOST_UNITS, Odds, Ranks, RollOdds, Verdict,
};

/// Number of cached battles.
const N_SLOTS: usize = 1024;
/// Maximum number of ends of a cached battle. Larger battles are computed anew.
const MOST_ENDS: usize = 64;

/// Exact odds of battles under the rules of one game, each computed once while there is room.
///
/// A hash assigns each battle one of 1,024 slots, and the battle replaces the former entry. The entries depend on the
/// requests; the answers do not depend on the entries. The cache takes 1.4 MB, all of it allocated in
/// [`BattleOddsCache::new`].
#[derive(Clone, Debug)]
pub struct BattleOddsCache {
    rules: BattleRules,
    order: LossOrder,
    solver: BattleSolver,
    slots: Vec<Odds>,
    fresh: Odds,
}

impl BattleOddsCache {
    /// Creates an empty cache, with room for all that it will keep: it allocates nothing later.
    #[must_use]
    pub fn new(game: &Conquest2) -> Self {
        Self::with_room(game, MOST_ENDS)
    }

    /// Creates an empty cache that allocates when it keeps something, for a few questions. It takes much less time.
    #[must_use]
    pub fn growing(game: &Conquest2) -> Self {
        Self::with_room(game, 0)
    }

    fn with_room(game: &Conquest2, ends: usize) -> Self {
        const CELLS: usize = (MOST_UNITS + 1) * (MOST_UNITS + 1);
        let rules = game.battle_rules();
        Self {
            rules,
            order: LossOrder::new(&rules.price),
            solver: BattleSolver::new(&rules),
            slots: (0..N_SLOTS).map(|_| Odds::with_capacity(ends)).collect(),
            fresh: Odds::with_capacity(CELLS),
        }
    }

    /// Returns the odds of a battle; `None` if a side has no units, more than [`MOST_UNITS`] units, or more than
    /// [`MOST_DICE`] dice.
    pub fn odds(&mut self, fight: &Fight) -> Option<&Odds> {
        let slot = (hash_of(fight) % N_SLOTS as u64) as usize;
        if self.slots[slot].fight == *fight && !self.slots[slot].ends.is_empty() {
            return Some(&self.slots[slot]);
        }
        if !BattleSolver::can(fight) {
            return None;
        }
        self.solver.solve(fight, &mut self.fresh);
        if self.fresh.ends.len() > MOST_ENDS {
            return Some(&self.fresh);
        }
        let kept = &mut self.slots[slot];
        kept.fight = self.fresh.fight;
        kept.rounds = self.fresh.rounds;
        kept.ends.clear();
        kept.ends.extend_from_slice(&self.fresh.ends);
        Some(kept)
    }

    /// Returns the odds of one roll of this army; `None` for more than [`MOST_DICE`] dice.
    pub fn roll(&mut self, army: Army, dice: u8) -> Option<RollOdds> {
        (usize::from(dice) <= MOST_DICE).then(|| self.solver.roll(army, dice.into()))
    }

    /// Returns the land battle between two armies, each of one owner; `None` if an army is too large. With `retreats`
    /// both sides may retreat and have a refuge.
    #[must_use]
    pub fn land(&self, sides: [Muster; 2], retreats: bool) -> Option<Fight> {
        let rules = &self.rules;
        let has_city = sides[Side::Defender].has_city;
        let force = |side: &Muster, city_dice: u8| {
            let ranks = Ranks::of(side.army, &self.order)?;
            let leader_dice = if side.has_leader { rules.leader_dice } else { 0 };
            let dice = rules.dice + leader_dice + city_dice;
            let flight =
                Flight { has_leader: side.has_leader, until: ranks.last_land(0, ranks.size()) };
            Some(Force {
                ranks,
                dice: dice.saturating_add(rules.training_dice.saturating_mul(side.trainings)),
                galley_dice: 0,
                flight: retreats.then_some(flight),
            })
        };
        let city_dice = if has_city { rules.city_dice } else { 0 };
        let sides = [force(&sides[0], 0)?, force(&sides[1], city_dice)?];
        Some(Fight { sides, is_siege: has_city, rounds: rules.rounds })
    }

    /// Returns the naval battle between two navies; `None` if a navy is too large. Only galleys and Naval Trainings of
    /// `sides` count.
    #[must_use]
    pub fn naval(&self, sides: [Muster; 2]) -> Option<Fight> {
        let rules = &self.rules;
        let force = |side: &Muster| {
            Some(Force {
                ranks: Ranks::of([0, 0, 0, side.army[Unit::Galley]], &self.order)?,
                dice: rules.naval_training_dice.saturating_mul(side.trainings),
                galley_dice: rules.naval_dice,
                flight: None,
            })
        };
        let sides = [force(&sides[0])?, force(&sides[1])?];
        Some(Fight { sides, is_siege: false, rounds: rules.naval_rounds })
    }

    /// Returns the land battle under way before the first roll of a round, with the rollout policy on both sides;
    /// `None` if there is none or it is too large.
    #[must_use]
    pub fn under_way(&self, situation: &Situation<'_>) -> Option<Fight> {
        if situation.is_naval_battle() || !situation.is_round_due() {
            return None;
        }
        let rounds = (self.rules.rounds + 1).saturating_sub(situation.battle_round());
        let sides =
            [self.force(situation, Side::Attacker)?, self.force(situation, Side::Defender)?];
        Some(Fight { sides, is_siege: situation.is_siege(), rounds })
    }

    /// Returns the naval battle under way before the first roll of a round; `None` if there is none or it is too large.
    #[must_use]
    pub fn under_way_at_sea(&self, situation: &Situation<'_>) -> Option<Fight> {
        if !situation.is_naval_battle() || !situation.is_round_due() {
            return None;
        }
        let rules = &self.rules;
        let force = |side: Side| {
            let on_side = situation.players().filter(|&q| situation.side_of(q) == Some(side));
            let own: u8 = on_side.map(|q| situation.engaged(q)[Unit::Galley]).sum();
            let galleys = own + situation.neutral_troops()[side][Unit::Galley];
            let of_galleys = rules.naval_dice.saturating_mul(galleys);
            Some(Force {
                ranks: Ranks::of([0, 0, 0, galleys], &self.order)?,
                dice: situation.battle_dice()[side].saturating_sub(of_galleys),
                galley_dice: rules.naval_dice,
                flight: None,
            })
        };
        let sides = [force(Side::Attacker)?, force(Side::Defender)?];
        let rounds = (rules.naval_rounds + 1).saturating_sub(situation.battle_round());
        Some(Fight { sides, is_siege: false, rounds })
    }

    fn force(&self, situation: &Situation<'_>, side: Side) -> Option<Force> {
        let commander = situation.commanders()[side];
        let mut force = Force { dice: situation.battle_dice()[side], ..Force::default() };
        let ranks = &mut force.ranks;
        for unit in Unit::MILITARY {
            ranks.add(unit, situation.neutral_troops()[side][unit])?;
        }
        let mut own = 0..0;
        for player in situation.players().filter(|&q| situation.side_of(q) == Some(side)) {
            let engaged = situation.engaged(player);
            if Some(player) == commander {
                own.start = ranks.size();
                ranks.add_own(engaged, &self.order)?;
                own.end = ranks.size();
            } else {
                for unit in Unit::MILITARY {
                    ranks.add(unit, engaged[unit])?;
                }
            }
        }
        if let Some(commander) = commander.filter(|&q| !situation.retreats(q).is_empty()) {
            let has_leader = situation
                .battle_place()
                .is_some_and(|place| situation.leaders(commander).contains(place));
            let until = force.ranks.last_land(own.start, own.end);
            force.flight = Some(Flight { has_leader, until });
        }
        Some(force)
    }

    /// Resolves the land battle under way in one draw, with losses and retreats by the rollout policy.
    ///
    /// The next roll in `state` must be the first of a round. The distribution of the final state equals that of
    /// rolling the dice and deciding by the policy. The method uses only the battle, which is public. Then the battle
    /// is over, but leaders may still have to withdraw, and slaves go on to their next target. If there is no such
    /// battle, it returns false and leaves `state` unchanged. The same holds for battles at sea, for large battles, and
    /// if the limit of rounds could end the battle without a loser. Then the caller rolls the dice.
    pub fn resolve<R: Randomness + ?Sized>(
        &mut self,
        game: &Conquest2,
        state: &mut State,
        rng: &mut R,
    ) -> bool {
        if state.phase() != Phase::Dice {
            return false;
        }
        let Some(fight) = self.under_way(&game.situation(state)) else { return false };
        let Some(odds) = self.odds(&fight) else { return false };
        if odds.ends.iter().any(|end| end.verdict == Verdict::Undecided) {
            return false;
        }
        let end = *odds.draw(rng);
        // The side that the first roll hits, then the other side.
        let first = if fight.is_siege { Side::Attacker } else { Side::Defender };
        for side in [first, first.other()] {
            game.strike(state, end.lost[side]);
            while state.phase() == Phase::Losses {
                game.apply(state, losses(&game.situation(state)));
            }
        }
        while state.phase() == Phase::Retreat {
            game.apply(state, retreat(&game.situation(state)));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use engine::{Fast, Purpose, Turn, rng};

    use super::*;

    /// Returns land battles of random games at the moment of their first roll.
    fn battles(game: &Conquest2, n: usize, dice: &mut Fast) -> Vec<State> {
        let (mut found, mut scratch) = (Vec::new(), Vec::new());
        while found.len() < n {
            let mut state = game.start();
            loop {
                let situation = game.situation(&state);
                if situation.is_round_due()
                    && !situation.is_naval_battle()
                    && situation.battle_round() == 1
                {
                    found.push(state);
                }
                let action = match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Player(player) => game.random_action(&state, player, dice, &mut scratch),
                    _ => game.draw(&state, dice),
                };
                game.apply(&mut state, action);
            }
        }
        found
    }

    /// Plays until no battle is under way, by `resolve` if there are odds, otherwise with dice. Also returns the number
    /// of resolved battles.
    fn finish(
        game: &Conquest2,
        mut state: State,
        mut odds: Option<&mut BattleOddsCache>,
        dice: &mut Fast,
    ) -> (u64, u32) {
        let mut n_resolved = 0;
        loop {
            let action = match state.phase() {
                Phase::Dice => {
                    if odds.as_mut().is_some_and(|odds| odds.resolve(game, &mut state, dice)) {
                        n_resolved += 1;
                        continue;
                    }
                    game.draw(&state, dice)
                }
                Phase::Losses => losses(&game.situation(&state)),
                Phase::Retreat => retreat(&game.situation(&state)),
                // The battle with its number of rounds is kept until leaders have left.
                Phase::Withdraw => game.situation(&state).first(),
                _ => return (hash_of(&state), n_resolved),
            };
            game.apply(&mut state, action);
        }
    }

    /// Real battles include loans, galleys, Diplomacy troops, cities and slaves. The positions after them must have
    /// equal frequencies with one draw and with dice.
    #[test]
    fn resolved_battles_end_like_battles_with_dice() {
        const TIMES: u32 = 1000;
        let (mut chi_square, mut cells, mut n_resolved) = (0.0, 0.0, 0);
        for players in [2, 4, 6] {
            let game = Conquest2::new(players);
            let mut odds = BattleOddsCache::new(&game);
            let mut dice = rng::fast(&mut rng::stream(5, players as u64, Purpose::Analysis));
            for state in battles(&game, 100, &mut dice) {
                let mut counts = BTreeMap::<u64, [u32; 2]>::new();
                for _ in 0..TIMES {
                    let (slow, _) = finish(&game, state, None, &mut dice);
                    counts.entry(slow).or_default()[0] += 1;
                    let (quick, resolved) = finish(&game, state, Some(&mut odds), &mut dice);
                    counts.entry(quick).or_default()[1] += 1;
                    n_resolved += resolved;
                }
                for [slow, quick] in counts.values().map(|pair| pair.map(f64::from)) {
                    chi_square += (slow - quick) * (slow - quick) / (slow + quick);
                }
                cells += counts.len() as f64 - 1.0;
            }
        }
        assert!(n_resolved >= 300 * TIMES, "all battles were resolved, slaves more than once");
        let off = (chi_square - cells) / (2.0 * cells).sqrt();
        assert!(off < 4.0, "χ² = {chi_square:.0} with {cells} degrees of freedom");
    }

    #[test]
    fn what_is_answered_does_not_depend_on_what_is_kept() {
        let game = Conquest2::new(4);
        let mut old = BattleOddsCache::new(&game);
        let army = |n: u16| Muster {
            army: [(n % 5) as u8, (n / 5 % 5) as u8, (n / 25 % 5) as u8, 1],
            ..Muster::default()
        };
        for n in 0..5000 {
            let fight = old.land([army(n), army(n / 7)], n % 2 == 0).expect("a small battle");
            let kept = old.odds(&fight).expect("a small battle").clone();
            if n % 50 == 0 {
                let mut new = BattleOddsCache::new(&game);
                let computed = new.odds(&fight).expect("a small battle");
                assert_eq!(kept.ends(), computed.ends());
                assert_eq!(old.odds(&fight).expect("a small battle").ends(), computed.ends());
            }
        }
    }

    #[test]
    fn the_closed_form_is_what_many_rounds_come_to() {
        let game = Conquest2::new(4);
        let mut odds = BattleOddsCache::new(&game);
        let army = |n| Muster { army: [n, n / 2, n / 3, 0], ..Muster::default() };
        for n in 1..9 {
            let mut fight = odds.land([army(n), army(9 - n)], n % 2 == 0).expect("a small battle");
            let closed = odds.odds(&fight).expect("a small battle").clone();
            fight.rounds = 20; // too few for the closed form to be sure
            let rounds = odds.odds(&fight).expect("a small battle");
            for end in closed.ends() {
                let twin = rounds.ends().iter().find(|e| e.lost == end.lost);
                assert!(twin.is_some_and(|t| (t.chance - end.chance).abs() < 1e-5), "{end:?}");
            }
        }
    }
}
