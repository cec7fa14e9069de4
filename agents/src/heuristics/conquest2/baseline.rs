//! The evaluation of many positions after one common position. Unchanged parts are not computed again.
//!
//! A macro-action changes little: a tax changes money and chaos, a march changes the places of armies. Each part of the
//! evaluation has known inputs. If they are unchanged, the number is reused and is equal to the last bit.

use engine::games::conquest2::board::MAX_KEYS;
use engine::games::conquest2::{Key, KeySet, Place, PlaceSet, Situation};
use engine::{ByPlayer, Player, PlayerSet};

use super::evaluation::{
    CHAOS_PER_SEASON, Standing, Threat, TimeLeft, cards, gain_of, hostility, means, opportunities,
    units, wanted,
};
use super::weights::Weights;

/// Returns the value of the position for `me`, in victory points at the end of the game.
#[must_use]
pub fn evaluate(w: &Weights, situation: &Situation<'_>, me: Player) -> f32 {
    Baseline::of(w, *situation, me, Gains::default()).value_after(w, situation)
}

/// Maximum number of tokens of a purchase whose gain is cached.
const MOST_KEPT: usize = 2;

/// Number of places whose reach by land is cached. A player rarely has more leaders.
const MOST_STACKS: usize = 4;

/// A lazy cache for a position and a player: the gains of purchases in key provinces, and the reach of the player's
/// stacks by land.
#[derive(Default, Debug)]
pub(super) struct Gains {
    bought: [[Option<f32>; MAX_KEYS]; MOST_KEPT],
    by_land: [Option<(Place, PlaceSet)>; MOST_STACKS],
}

impl Gains {
    /// Returns the gain of `wanted` affordable tokens ([`gain_of`]) from the cache; otherwise `find` computes it.
    pub(super) fn at(&mut self, key: Key, wanted: u8, find: impl FnOnce() -> f32) -> f32 {
        match self.bought.get_mut(usize::from(wanted).wrapping_sub(1)) {
            Some(kept) => *kept[key.idx()].get_or_insert_with(find),
            None => find(),
        }
    }

    /// Returns the provinces that the player reaches by land from `place`.
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
    /// The places with armies of the player's enemies.
    hostile: PlaceSet,
    /// The points for influence, by key and player.
    points: [ByPlayer<i32>; MAX_KEYS],
    threats: [Threat; MAX_KEYS],
    influence: Influence,
    /// The keys where the player's merchants trade.
    traded: KeySet,
    penalties: ByPlayer<i16>,
    time: TimeLeft,
    /// The lead, with the bits of its discount.
    lead: Option<(u32, f32)>,
    units: f32,
    cards: f32,
    gains: Gains,
}

/// The influence in the key provinces.
#[derive(Clone, Copy, Default)]
struct Influence {
    /// The points for influence, by player.
    points: ByPlayer<i32>,
    /// The threat to the player's influence, and the preference for its places.
    threat: Threat,
    /// The player's own influence.
    own: u16,
}

/// Sums the parts in the order of the keys. So the sum is equal to the last bit for any number of new parts.
fn sum(threats: &[Threat; MAX_KEYS]) -> Threat {
    threats.iter().fold(Threat::default(), |sum, threat| Threat {
        danger: sum.danger + threat.danger,
        leaning: sum.leaning + threat.leaning,
    })
}

impl<'a> Baseline<'a> {
    /// Creates the baseline of the position for `me`. `gains` holds the known gains of the player's purchases.
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

    /// Returns the provinces that the player reaches by land from `place`.
    pub(super) fn by_land(&mut self, place: Place) -> PlaceSet {
        self.gains.by_land(&self.before, self.me, place)
    }

    /// Returns the value of a later position for the player.
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

    /// Returns the influence in the key provinces, if it differs only in those of `changed`.
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

    /// Returns the player's points, on the track and projected, minus those of the rivals.
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

    /// Returns the value of possible purchases at the places of leaders.
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
        // Places where enemy armies have come or gone change the guard of influence.
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

    /// Returns the value of cards and cities, if influence differs only in the key provinces of `changed`.
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

    /// Maximum distance, in events, between a position and its baseline.
    const NEAR: usize = 25;

    /// Returns positions of a random game after its first auction.
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
