//! The evaluation of many positions that come from one: what they leave as it was need not be found again.
//!
//! A macro-action changes little: a tax a purse and chaos, a march where armies stand. Each part of the evaluation knows
//! what it depends on; where that is the same as before, so is the number, to the last bit.

use engine::games::conquest2::board::MAX_KEYS;
use engine::games::conquest2::{Key, PlaceSet, Situation};
use engine::{ByPlayer, Player};

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

/// What purchases in the key provinces of one position would bring one player, found when it is asked for.
#[derive(Default, Debug)]
pub(super) struct Gains([[Option<f32>; MAX_KEYS]; 2]);

impl Gains {
    /// [`gain_at`](super::evaluation::gain_at), where `wanted` tokens can be paid with or without the caesar.
    pub(super) fn at(
        &mut self,
        w: &Weights,
        time: &TimeLeft,
        (situation, me): (&Situation<'_>, Player),
        (key, with_caesar): (Key, bool),
        wanted: [u8; 2],
    ) -> f32 {
        let with_caesar = usize::from(with_caesar);
        *self.0[with_caesar][key.idx()]
            .get_or_insert_with(|| gain_of(w, time, situation, me, key, wanted[with_caesar]))
    }
}

/// A position as the evaluation sees it for one player.
pub(super) struct Baseline<'a> {
    before: Situation<'a>,
    me: Player,
    /// Where his enemies have armies.
    hostile: PlaceSet,
    /// What influence scores, by key and player, and all of it.
    points: [ByPlayer<i32>; MAX_KEYS],
    total: ByPlayer<i32>,
    threats: [Threat; MAX_KEYS],
    penalties: ByPlayer<i16>,
    units: f32,
    cards: f32,
    wanted: [u8; 2],
    gains: Gains,
}

/// What lies in the key provinces.
struct Influence {
    /// What it scores, by player.
    points: ByPlayer<i32>,
    /// What threatens that of one player, and how he likes where it is, added up in the order of the keys.
    threat: Threat,
    /// His own.
    own: u16,
}

impl<'a> Baseline<'a> {
    /// The position for `me`; `gains` has found those of his purchases in it that it knows.
    pub(super) fn of(w: &Weights, before: Situation<'a>, me: Player, gains: Gains) -> Self {
        let mut baseline = Self {
            before,
            me,
            hostile: before.armies_of(before.enemies(me)),
            points: [ByPlayer::default(); MAX_KEYS],
            total: ByPlayer::default(),
            threats: [Threat::default(); MAX_KEYS],
            penalties: before.chaos_penalties(),
            units: units(w, &before, me),
            cards: cards(w, &TimeLeft::of(w, &before), &before, me),
            wanted: wanted(&before, me),
            gains,
        };
        for key in before.all_keys().filter(|&key| before.influence_word(key) != 0) {
            let standing = Standing::of(&before, key);
            let vp = before.vp_of(key);
            let points = &mut baseline.points[key.idx()];
            for q in before.players() {
                points[q] = standing.points(vp, q);
                baseline.total[q] += points[q];
            }
            let threat = Threat::to(w, &before, me, baseline.hostile, (key, points[me]));
            baseline.threats[key.idx()] = threat;
        }
        baseline
    }

    /// What a position after this one is worth to the player.
    pub(super) fn value_after(&mut self, w: &Weights, after: &Situation<'_>) -> f32 {
        let (before, me) = (&self.before, self.me);
        let time = TimeLeft::of(w, after);
        let Influence { points, threat, own } = self.influence_after(w, after);
        let tokens = w.token * f32::from(own) * time.seasons * w.held;
        let chaos = w.chaos * f32::from(after.chaos(me)) * time.seasons * CHAOS_PER_SEASON;
        let units = if after.has_same_units(before, me) { self.units } else { units(w, after, me) };
        let cards = self.cards_after(w, &time, after);
        self.lead_after(w, &time, after, &points) + tokens + threat.leaning * time.seasons
            - chaos
            - threat.danger * time.discounted * time.use_of_means
            - hostility(w, after, me)
            + self.opportunities_after(w, &time, after)
            + means(w, &time, after, me, (units, cards))
    }

    fn influence_after(&self, w: &Weights, after: &Situation<'_>) -> Influence {
        let (before, me) = (&self.before, self.me);
        let hostile = after.armies_of(after.enemies(me));
        let contested = (hostile - self.hostile) | (self.hostile - hostile);
        let (mut points, mut sum, mut own) = (self.total, Threat::default(), 0);
        for key in after.all_keys() {
            let (place, points_before) = (after.place_of(key), &self.points[key.idx()]);
            let mut threat = self.threats[key.idx()];
            let mut mine = points_before[me];
            let has_changed = after.influence_word(key) != before.influence_word(key);
            if has_changed {
                let standing = Standing::of(after, key);
                let vp = after.vp_of(key);
                for q in after.players() {
                    points[q] += standing.points(vp, q) - points_before[q];
                }
                mine = standing.points(vp, me);
            }
            if has_changed || !after.has_same_troops(before, me, place) || contested.contains(place)
            {
                threat = Threat::to(w, after, me, hostile, (key, mine));
            }
            sum.danger += threat.danger;
            sum.leaning += threat.leaning;
            own += u16::from(after.influence_in(me, key));
        }
        Influence { points, threat: sum, own }
    }

    /// Own points, on the track and projected, against those of the rivals.
    fn lead_after(
        &self,
        w: &Weights,
        time: &TimeLeft,
        after: &Situation<'_>,
        points: &ByPlayer<i32>,
    ) -> f32 {
        let is_same = after.has_same_chaos(&self.before) && after.has_same_cities(&self.before);
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
        total(self.me) - w.rival_best * best - w.rival_mean * sum / (after.n_players() - 1) as f32
    }

    /// What could be bought where leaders stand.
    fn opportunities_after(&mut self, w: &Weights, time: &TimeLeft, after: &Situation<'_>) -> f32 {
        let (before, me, wanted_before) = (&self.before, self.me, self.wanted);
        let wanted = wanted(after, me);
        let has_same_enemies = after.season() == before.season()
            && after.enemies(me) == before.enemies(me)
            && after.enemies(me).iter().all(|q| after.armies(q) == before.armies(q));
        let gains = &mut self.gains;
        opportunities(w, time, after, me, |key, with_caesar| {
            let number = wanted[usize::from(with_caesar)];
            let is_same = has_same_enemies
                && number == wanted_before[usize::from(with_caesar)]
                && after.influence_word(key) == before.influence_word(key)
                && after.tokens(key) == before.tokens(key);
            if is_same {
                gains.at(w, time, (before, me), (key, with_caesar), wanted)
            } else {
                gain_of(w, time, after, me, key, number)
            }
        })
    }

    /// What cards and cities are worth.
    fn cards_after(&self, w: &Weights, time: &TimeLeft, after: &Situation<'_>) -> f32 {
        let before = &self.before;
        let is_same = after.season() == before.season()
            && after.has_same_cards(before, self.me)
            && after.has_same_cities(before)
            && after.all_keys().all(|key| after.influence_word(key) == before.influence_word(key));
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
                for (key, with_caesar) in
                    before.all_keys().flat_map(|key| [(key, false), (key, true)])
                {
                    let time = TimeLeft::of(&w, &before);
                    gains.at(&w, &time, (&before, me), (key, with_caesar), wanted(&before, me));
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
