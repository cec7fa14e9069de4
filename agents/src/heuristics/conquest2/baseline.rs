//! The evaluation of many positions that come from one: what they leave as it was need not be found again.
//!
//! A macro-action changes little: a tax a purse and chaos, a march where armies stand. Each part of the evaluation knows
//! what it depends on; where that is the same as before, so is the number, to the last bit.

use engine::games::conquest2::board::MAX_KEYS;
use engine::games::conquest2::{Key, KeySet, Place, PlaceSet, Situation};
use engine::{ByPlayer, Player, PlayerSet};

use super::evaluation::{
    CHAOS_PER_SEASON, Standing, Threat, TimeLeft, cards, gain_of, hostility, means, opportunities,
    units, wanted,
};
use super::weights::Weights;

/// What the position is worth to `me`, in victory points at the end of the game.
#[must_use]
pub fn evaluate(w: &Weights, situation: &Situation<'_>, me: Player) -> f32 {
    Baseline::of(w, *situation, me, Gains::default()).value_after(w, situation)
}

/// Tokens of a purchase up to which what it brings is kept.
const MOST_KEPT: usize = 2;

/// Places of which it is kept what is reached by land from there: a player has hardly ever more leaders.
const MOST_STACKS: usize = 4;

/// What purchases in the key provinces of one position would bring one player, and where his stacks could go by land,
/// found when it is asked for.
#[derive(Default, Debug)]
pub(super) struct Gains {
    bought: [[Option<f32>; MAX_KEYS]; MOST_KEPT],
    by_land: [Option<(Place, PlaceSet)>; MOST_STACKS],
}

impl Gains {
    /// [`gain_of`] so many tokens that can be paid, which is what `find` finds.
    pub(super) fn at(&mut self, key: Key, wanted: u8, find: impl FnOnce() -> f32) -> f32 {
        match self.bought.get_mut(usize::from(wanted).wrapping_sub(1)) {
            Some(kept) => *kept[key.idx()].get_or_insert_with(find),
            None => find(),
        }
    }

    /// Provinces that the player reaches by land from `place`.
    pub(super) fn by_land(
        &mut self,
        situation: &Situation<'_>,
        me: Player,
        place: Place,
    ) -> PlaceSet {
        let find = || (place, situation.reach_by_land(me, place));
        for kept in &mut self.by_land {
            let (from, reached) = *kept.get_or_insert_with(find);
            if from == place {
                return reached;
            }
        }
        find().1
    }
}

/// A position as the evaluation sees it for one player.
pub(super) struct Baseline<'a> {
    before: Situation<'a>,
    me: Player,
    enemies: PlayerSet,
    /// Where his enemies have armies.
    hostile: PlaceSet,
    /// What influence scores, by key and player.
    points: [ByPlayer<i32>; MAX_KEYS],
    threats: [Threat; MAX_KEYS],
    influence: Influence,
    /// Where his merchants trade.
    traded: KeySet,
    penalties: ByPlayer<i16>,
    time: TimeLeft,
    /// The lead, by the bits of the discount that it was found with.
    lead: Option<(u32, f32)>,
    units: f32,
    cards: f32,
    gains: Gains,
}

/// What lies in the key provinces.
#[derive(Clone, Copy, Default)]
struct Influence {
    /// What it scores, by player.
    points: ByPlayer<i32>,
    /// What threatens that of one player, and how he likes where it is.
    threat: Threat,
    /// His own.
    own: u16,
}

/// The parts of a sum one after the other in the order of the keys, so that it is the same to the last bit however many
/// of them are new.
fn sum(threats: &[Threat; MAX_KEYS]) -> Threat {
    threats.iter().fold(Threat::default(), |sum, threat| Threat {
        danger: sum.danger + threat.danger,
        leaning: sum.leaning + threat.leaning,
    })
}

impl<'a> Baseline<'a> {
    /// The position for `me`; `gains` has found those of his purchases in it that it knows.
    pub(super) fn of(w: &Weights, before: Situation<'a>, me: Player, gains: Gains) -> Self {
        let enemies = before.enemies(me);
        let held = before.held_cards(me);
        let time = TimeLeft::of(w, &before);
        let mut baseline = Self {
            before,
            me,
            enemies,
            hostile: before.armies_of(enemies),
            points: [ByPlayer::default(); MAX_KEYS],
            threats: [Threat::default(); MAX_KEYS],
            influence: Influence::default(),
            traded: held.filter_map(|(card, _)| before.merchant_key(card)).collect(),
            penalties: before.chaos_penalties(),
            time,
            lead: None,
            units: units(w, &before, me),
            cards: cards(w, &time, &before, me),
            gains,
        };
        for key in before.all_keys().filter(|&key| before.influence_word(key) != 0) {
            let standing = Standing::of(&before, key);
            let vp = before.vp_of(key);
            let points = &mut baseline.points[key.idx()];
            for q in before.players() {
                points[q] = standing.points(vp, q);
                baseline.influence.points[q] += points[q];
            }
            let threat = Threat::to(w, &before, me, baseline.hostile, key, points[me]);
            baseline.threats[key.idx()] = threat;
            baseline.influence.own += u16::from(standing.counts[me]);
        }
        baseline.influence.threat = sum(&baseline.threats);
        baseline
    }

    /// Provinces that the player reaches by land from `place`.
    pub(super) fn by_land(&mut self, place: Place) -> PlaceSet {
        self.gains.by_land(&self.before, self.me, place)
    }

    /// What a position after this one is worth to the player.
    pub(super) fn value_after(&mut self, w: &Weights, after: &Situation<'_>) -> f32 {
        let (before, me) = (&self.before, self.me);
        let time = self.time.later(w, before, after);
        let changed = after.changed_influence(before);
        let enemies = after.enemies(me);
        let Influence { points, threat, own } = self.influence_after(w, after, changed, enemies);
        let tokens = w.token * f32::from(own) * time.seasons * w.held;
        let chaos = w.chaos * f32::from(after.chaos(me)) * time.seasons * CHAOS_PER_SEASON;
        let units = if after.has_same_units(before, me) { self.units } else { units(w, after, me) };
        let cards = self.cards_after(w, &time, after, changed);
        self.lead_after(w, &time, after, changed, &points) + tokens + threat.leaning * time.seasons
            - chaos
            - threat.danger * time.discounted * time.use_of_means
            - hostility(w, after, me)
            + self.opportunities_after(w, &time, after, changed, enemies)
            + means(w, &time, after, me, units, cards)
    }

    /// What lies in the key provinces, if influence differs in those of `changed`.
    fn influence_after(
        &self,
        w: &Weights,
        after: &Situation<'_>,
        changed: KeySet,
        enemies: PlayerSet,
    ) -> Influence {
        let (before, me) = (&self.before, self.me);
        let hostile = after.armies_of(enemies);
        let contested = (hostile - self.hostile) | (self.hostile - hostile);
        let contested = (contested & after.keys()).iter().filter_map(|place| after.key_at(place));
        let threatened = contested.collect::<KeySet>() | after.changed_troops(before, me);
        let mut influence = self.influence;
        if (changed | threatened).is_empty() {
            return influence;
        }
        let mut threats = self.threats;
        for key in (changed | threatened).iter() {
            let points_before = &self.points[key.idx()];
            let mut mine = points_before[me];
            if changed.contains(key) {
                let standing = Standing::of(after, key);
                let vp = after.vp_of(key);
                for q in after.players() {
                    influence.points[q] += standing.points(vp, q) - points_before[q];
                }
                mine = standing.points(vp, me);
                influence.own += u16::from(standing.counts[me]);
                influence.own -= u16::from(before.influence_in(me, key));
            }
            threats[key.idx()] = Threat::to(w, after, me, hostile, key, mine);
        }
        influence.threat = sum(&threats);
        influence
    }

    /// Own points, on the track and projected, against those of the rivals.
    fn lead_after(
        &mut self,
        w: &Weights,
        time: &TimeLeft,
        after: &Situation<'_>,
        changed: KeySet,
        points: &ByPlayer<i32>,
    ) -> f32 {
        let is_same = after.has_same_chaos(&self.before) && after.has_same_cities(&self.before);
        let is_level = is_same && changed.is_empty() && after.has_same_points(&self.before);
        let discount = time.discounted.to_bits();
        if let Some((of, lead)) = self.lead
            && is_level
            && of == discount
        {
            return lead;
        }
        let penalties = if is_same { self.penalties } else { after.chaos_penalties() };
        let total = |q: Player| {
            f32::from(after.vp(q)) + time.discounted * points[q] as f32
                - w.penalty * f32::from(penalties[q])
        };
        let (mut best, mut sum) = (f32::MIN, 0.0);
        for q in after.players().filter(|&q| q != self.me) {
            let total = total(q);
            best = best.max(total);
            sum += total;
        }
        let lead = total(self.me)
            - w.rival_best * best
            - w.rival_mean * sum / (after.n_players() - 1) as f32;
        if is_level {
            self.lead = Some((discount, lead));
        }
        lead
    }

    /// What could be bought where leaders stand.
    fn opportunities_after(
        &mut self,
        w: &Weights,
        time: &TimeLeft,
        after: &Situation<'_>,
        changed: KeySet,
        enemies: PlayerSet,
    ) -> f32 {
        let (before, me, wanted) = (&self.before, self.me, wanted(after, self.me));
        let has_same_enemies = after.season() == before.season() && enemies == self.enemies;
        let changed = changed | after.changed_tokens(before);
        // Where armies of his enemies have come or gone, which guard influence.
        let moved = enemies.iter().fold(PlaceSet::EMPTY, |moved, q| {
            let (now, then) = (after.armies(q), before.armies(q));
            moved | (now - then) | (then - now)
        });
        let gains = &mut self.gains;
        opportunities(w, time, after, me, |key, with_caesar| {
            let number = wanted[usize::from(with_caesar)];
            let is_same =
                has_same_enemies && !changed.contains(key) && !moved.contains(after.place_of(key));
            let gain = |from| gain_of(w, time, from, me, key, number);
            if is_same { gains.at(key, number, || gain(before)) } else { gain(after) }
        })
    }

    /// What cards and cities are worth, if influence differs in the key provinces of `changed`.
    fn cards_after(
        &self,
        w: &Weights,
        time: &TimeLeft,
        after: &Situation<'_>,
        changed: KeySet,
    ) -> f32 {
        let before = &self.before;
        let is_same = after.season() == before.season()
            && after.has_same_cards(before, self.me)
            && after.has_same_cities(before)
            && (changed & self.traded).is_empty();
        if is_same { self.cards } else { cards(w, time, after, self.me) }
    }
}

#[cfg(test)]
mod tests {
    use engine::games::conquest2::{Conquest2, Phase, State};
    use engine::{Game, Walk};

    use super::*;

    /// Positions within this many events of one are valued from it.
    const NEAR: usize = 25;

    /// Positions of a random game after its first auction.
    fn positions(game: &Conquest2, index: u64) -> Vec<State> {
        let mut walk = Walk::new(game, 11, index);
        let mut all = Vec::new();
        while walk.next().is_some() {
            all.push(*walk.state());
        }
        all.retain(|state| game.milestone(state) > 0);
        all
    }

    #[test]
    fn a_position_is_worth_the_same_from_wherever_it_is_seen() {
        let w = Weights { hostility: 0.1, near: 0.3, far: -0.2, ..Weights::default() };
        let (mut n_values, mut n_moved) = (0, 0);
        for n_players in 2..=6 {
            let game = Conquest2::new(n_players);
            let all = positions(&game, n_players as u64);
            for (i, before) in all.iter().enumerate().filter(|(_, s)| s.phase() == Phase::Top) {
                let before = game.situation(before);
                let me = before.actor();
                let mut gains = Gains::default();
                let time = TimeLeft::of(&w, &before);
                for (key, number) in before.all_keys().flat_map(|key| (0..4).map(move |n| (key, n)))
                {
                    gains.at(key, number, || gain_of(&w, &time, &before, me, key, number));
                }
                let mut baseline = Baseline::of(&w, before, me, gains);
                for after in all[i..].iter().take(NEAR) {
                    let after = game.situation(after);
                    let (value, alone) =
                        (baseline.value_after(&w, &after), evaluate(&w, &after, me));
                    assert_eq!(value.to_bits(), alone.to_bits(), "{value} or {alone}");
                    n_values += 1;
                    n_moved += u32::from(value.to_bits() != evaluate(&w, &before, me).to_bits());
                }
            }
        }
        assert!(n_values > 10_000 && n_moved > n_values / 2, "{n_moved} of {n_values}");
    }
}
