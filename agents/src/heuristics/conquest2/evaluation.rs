//! Evaluation: what a position is worth to a player, by what would be scored now, plus threats and means.
//!
//! The value is in victory points at the end of the game: points on the track and projected from influence,
//! against the rivals' points; chaos; what could be bought or lost where leaders and armies stand; and money,
//! units, Senators and cards. Sources: the rulebook's own play tips (protect influence with a garrison, aim at
//! the same influence in several places, central and provincial strategies, the Senate).

use engine::games::conquest2::board::MAX_KEYS;
use engine::games::conquest2::cards::Vote;
use engine::games::conquest2::units::{N_UNITS, Unit};
use engine::games::conquest2::{Card, CardKind, Key, Place, PlaceSet, Situation};
use engine::{ByPlayer, MAX_PLAYERS, Player};

use super::weights::Weights;

/// What an action counts of a round: by the printed rules a turn has two.
const ACTION: f32 = 0.5;
/// The share of one season in the weight `chaos`, which is for two.
pub(super) const CHAOS_PER_SEASON: f32 = 0.5;

/// How far the game has come, as factors of the evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeLeft {
    /// Seasons that will still be scored, this one included.
    pub(super) seasons: f32,
    /// The same, each later one counting less.
    pub(super) discounted: f32,
    /// From 1 down to 0 over the last rounds: what means are still good for.
    pub(super) use_of_means: f32,
}

impl TimeLeft {
    pub(super) fn of(w: &Weights, situation: &Situation<'_>) -> Self {
        let seasons = situation.n_seasons() - situation.season();
        let rounds = seasons * situation.n_rounds() - situation.rounds_over();
        let (mut discounted, mut weight) = (0.0, 1.0);
        for _ in 0..seasons {
            discounted += weight;
            weight *= w.persistence;
        }
        // Before the first round of a season everybody has all actions of it.
        let actions =
            situation.round().map_or(situation.actions_per_turn(), |_| situation.actions_left());
        let left = rounds.checked_sub(1).map_or(0.0, |more| more as f32 + ACTION * actions as f32);
        Self { seasons: seasons as f32, discounted, use_of_means: (left / w.winding_down).min(1.0) }
    }
}

/// Influence of all players in one key province.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Standing {
    pub(super) counts: ByPlayer<u8>,
    /// Which counts occur, as bits.
    seen: u64,
}

impl Standing {
    pub(super) fn of(situation: &Situation<'_>, key: Key) -> Self {
        Self::new(situation.influence_at(key))
    }

    pub(super) fn new(counts: ByPlayer<u8>) -> Self {
        Self { counts, seen: counts.0.iter().fold(0, |seen, &count| seen | 1 << count) }
    }

    /// What a player scores there: ties score alike and push nobody down (clause 18.1).
    pub(super) fn points(&self, vp: &[i16; MAX_PLAYERS], player: Player) -> f32 {
        let count = self.counts[player];
        if count == 0 {
            return 0.0;
        }
        f32::from(vp[(self.seen >> count >> 1).count_ones() as usize % MAX_PLAYERS])
    }
}

/// What influence scores on a whole board. Most macro-actions change none of it, so that the value of many positions
/// after one is found from what they change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    words: [u32; MAX_KEYS],
    points: [ByPlayer<f32>; MAX_KEYS],
    total: ByPlayer<f32>,
}

impl Projection {
    pub(super) fn of(situation: &Situation<'_>) -> Self {
        let mut words = [0; MAX_KEYS];
        let mut points = [ByPlayer::default(); MAX_KEYS];
        let mut total = ByPlayer::default();
        for key in situation.all_keys() {
            let standing = Standing::of(situation, key);
            words[key.idx()] = situation.influence_word(key);
            for q in situation.players() {
                points[key.idx()][q] = standing.points(situation.vp_of(key), q);
                total[q] += points[key.idx()][q];
            }
        }
        Self { words, points, total }
    }

    /// What influence scores in another position: all points by player, and `see` hears those of `me` key by key.
    fn totals_after(
        &self,
        situation: &Situation<'_>,
        me: Player,
        mut see: impl FnMut(Key, f32),
    ) -> ByPlayer<f32> {
        let mut total = self.total;
        for key in situation.all_keys() {
            let mut mine = self.points[key.idx()][me];
            if situation.influence_word(key) != self.words[key.idx()] {
                let standing = Standing::of(situation, key);
                let vp = situation.vp_of(key);
                for q in situation.players() {
                    total[q] += standing.points(vp, q) - self.points[key.idx()][q];
                }
                mine = standing.points(vp, me);
            }
            see(key, mine);
        }
        total
    }
}

/// What the position is worth to `me`, in victory points at the end of the game.
#[must_use]
pub fn evaluate(w: &Weights, situation: &Situation<'_>, me: Player) -> f32 {
    evaluate_after(w, &Projection::of(situation), situation, me)
}

/// [`evaluate`] with the projection of an earlier position to start from.
pub(super) fn evaluate_after(
    w: &Weights,
    before: &Projection,
    situation: &Situation<'_>,
    me: Player,
) -> f32 {
    let time = TimeLeft::of(w, situation);
    let n = situation.n_players();
    let mut threats = Threats::of(w, situation, me);
    let points = before.totals_after(situation, me, |key, mine| threats.add(situation, key, mine));
    let penalties = situation.chaos_penalties();
    let total = |q: Player| {
        f32::from(situation.vp(q)) + time.discounted * points[q]
            - w.penalty * f32::from(penalties[q])
    };
    let (mut best, mut sum) = (f32::MIN, 0.0);
    for q in situation.players().filter(|&q| q != me) {
        let total = total(q);
        best = best.max(total);
        sum += total;
    }
    let lead = total(me) - w.rival_best * best - w.rival_mean * sum / (n - 1) as f32;
    let tokens = w.token * f32::from(situation.influence(me)) * time.seasons * w.held;
    let chaos = w.chaos * f32::from(situation.chaos(me)) * time.seasons * CHAOS_PER_SEASON;
    lead + tokens + threats.leaning * time.seasons
        - chaos
        - threats.sum * time.discounted * time.use_of_means
        - hostility(w, situation, me)
        + opportunities(w, &time, situation, me)
        + means(w, &time, situation, me)
}

/// What enemies could take from `me`, and how he likes where his influence lies, summed up key by key.
struct Threats<'a> {
    w: &'a Weights,
    me: Player,
    hostile: PlaceSet,
    sum: f32,
    leaning: f32,
}

impl<'a> Threats<'a> {
    fn of(w: &'a Weights, situation: &Situation<'_>, me: Player) -> Self {
        Self { w, me, hostile: situation.armies_of(situation.enemies(me)), sum: 0.0, leaning: 0.0 }
    }

    fn add(&mut self, situation: &Situation<'_>, key: Key, points: f32) {
        let influence = situation.influence_in(self.me, key);
        if influence == 0 {
            return;
        }
        let place = situation.place_of(key);
        self.leaning += leaning(self.w, situation, place) * f32::from(influence);
        let stake = points + self.w.stake;
        if !situation.armies(self.me).contains(place) {
            self.sum += self.w.exposed * stake;
        } else if self.hostile.contains(place)
            && situation.troops(self.me, place).iter().sum::<u8>() < self.w.strong
        {
            self.sum += self.w.besieged * stake;
        }
    }
}

/// What a token of influence is worth for where it lies, per season left.
fn leaning(w: &Weights, situation: &Situation<'_>, place: Place) -> f32 {
    if situation.environs().contains(place) { w.near } else { w.far }
}

/// What the armies of the enemies of `me` weigh.
fn hostility(w: &Weights, situation: &Situation<'_>, me: Player) -> f32 {
    if w.hostility <= 0.0 {
        return 0.0;
    }
    let army = |q| Unit::LAND_MILITARY.map(|unit| situation.on_map(q, unit));
    let units = situation.enemies(me).iter().map(|q| army(q).iter().sum::<u8>());
    w.hostility * units.map(f32::from).sum::<f32>()
}

/// What `me` could buy where he has leaders; more than two chances cannot be taken soon.
fn opportunities(w: &Weights, time: &TimeLeft, situation: &Situation<'_>, me: Player) -> f32 {
    let has_actions = situation.is_actor(me) && situation.actions_left() > 0;
    let factor = if has_actions { w.chance_now } else { w.chance_later * time.use_of_means };
    let (mut best, mut second) = (0.0f32, 0.0f32);
    for place in (situation.leaders(me) & situation.keys()).iter() {
        let Some(key) = situation.key_at(place) else { continue };
        let gain = gain_at(w, time, situation, me, key, situation.caesar(me) == Some(place));
        second = second.max(gain.min(best));
        best = best.max(gain);
    }
    factor * (best + w.second * second)
}

/// [`gain_at`] for all key provinces, found when it is asked for.
#[derive(Default, Debug)]
pub(super) struct Gains([[Option<f32>; MAX_KEYS]; 2]);

impl Gains {
    pub(super) fn at(
        &mut self,
        w: &Weights,
        time: &TimeLeft,
        situation: &Situation<'_>,
        key: Key,
        with_caesar: bool,
    ) -> f32 {
        let gain = &mut self.0[usize::from(with_caesar)][key.idx()];
        *gain
            .get_or_insert_with(|| gain_at(w, time, situation, situation.actor(), key, with_caesar))
    }
}

/// What buying in a key province would bring `me`, with or without his caesar; less if he must fight first.
pub(super) fn gain_at(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    me: Player,
    key: Key,
    with_caesar: bool,
) -> f32 {
    let afford = u16::from(situation.supply(me))
        .min(situation.money(me) / situation.influence_price().max(1));
    let wanted = u16::from(situation.bought_per_action(with_caesar)).min(afford) as u8;
    if wanted == 0 {
        return 0.0;
    }
    let place = situation.place_of(key);
    let standing = Standing::of(situation, key);
    let (mut open, mut guarded) = (situation.tokens(key), 0);
    for q in situation.enemies(me).iter() {
        let is_guarded = situation.armies(q).contains(place);
        *(if is_guarded { &mut guarded } else { &mut open }) += standing.counts[q];
    }
    let (number, factor) = match open.min(wanted) {
        0 => (guarded.min(wanted), w.siege),
        number => (number, 1.0),
    };
    if number == 0 {
        return 0.0;
    }
    let mut counts = standing.counts;
    counts[me] += number;
    let after = Standing::new(counts);
    let vp = situation.vp_of(key);
    let more = after.points(vp, me) - standing.points(vp, me);
    let others = situation.players().filter(|&q| q != me && counts[q] > 0);
    let fewer: f32 = others.map(|q| standing.points(vp, q) - after.points(vp, q)).sum();
    let share = w.rival_mean / (situation.n_players() - 1) as f32 + w.denied;
    let token = w.token + leaning(w, situation, place) * time.seasons;
    factor * ((more + fewer * share) * time.discounted + token * f32::from(number))
}

/// Money, units, Senators and cards.
fn means(w: &Weights, time: &TimeLeft, situation: &Situation<'_>, me: Player) -> f32 {
    let talents = talents(w, situation.money(me));
    let units: f32 = Unit::ALL
        .into_iter()
        .map(|unit| f32::from(situation.on_map(me, unit).min(w.most(unit))) * w.unit(unit))
        .sum();
    let votes = w.vote * f32::from(situation.votes(me)) * time.seasons;
    (talents + units + votes + cards(w, time, situation, me)) * time.use_of_means
}

fn talents(w: &Weights, money: u16) -> f32 {
    let money = f32::from(money);
    w.talent * money.min(w.rich) + w.talent_rich * (money - w.rich).max(0.0)
}

/// What taking a card that does nothing at once changes for `me`, without playing it out.
pub(super) fn gain_of_card(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    me: Player,
    card: Card,
) -> f32 {
    let worth = match card.kind() {
        CardKind::Senator(value) => w.vote * f32::from(value + 1) * time.seasons,
        _ => card_value(w, time, situation, me, card),
    };
    let money = situation.money(me);
    let price = talents(w, money) - talents(w, money.saturating_sub(situation.card_cost(card)));
    (worth - price) * time.use_of_means
}

/// What a recruitment changes for the actor, without playing it out: units, their price, chaos, and a garrison
/// where there was none.
pub(super) fn gain_of_units(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    place: Place,
    units: [u8; N_UNITS],
) -> f32 {
    let me = situation.actor();
    let affordable = |unit: Unit, money: u16| match situation.price(unit) {
        0 => u16::MAX,
        price => money / price,
    };
    let mut left = situation.money(me);
    let mut worth = 0.0;
    for unit in [Unit::Infantry, Unit::Cavalry, Unit::Catapult, Unit::General, Unit::Galley] {
        let most = u16::from(units[unit].min(situation.pool(me, unit))).min(affordable(unit, left));
        left -= most * situation.price(unit);
        let (here, limit) = (situation.on_map(me, unit), w.most(unit));
        let useful = (here + most as u8).min(limit) - here.min(limit);
        worth += f32::from(useful) * w.unit(unit);
    }
    let price = talents(w, situation.money(me)) - talents(w, left);
    let has_army = situation.armies(me).contains(place);
    let is_army = Unit::LAND_MILITARY.into_iter().any(|unit| units[unit] > 0);
    let guarded = match situation.key_at(place) {
        Some(key) if !has_army && is_army => {
            let points = Standing::of(situation, key).points(situation.vp_of(key), me);
            w.exposed * (points + w.stake) * time.discounted
        }
        _ => 0.0,
    };
    let chaos = w.chaos * f32::from(situation.recruiting_chaos()) * time.seasons * CHAOS_PER_SEASON;
    (worth - price + guarded) * time.use_of_means - chaos
}

fn cards(w: &Weights, time: &TimeLeft, situation: &Situation<'_>, me: Player) -> f32 {
    let held = situation.held_cards(me);
    held.map(|(card, number)| card_value(w, time, situation, me, card) * f32::from(number))
        .sum::<f32>()
        + w.city * time.seasons * situation.cities(me).len() as f32
}

fn card_value(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    me: Player,
    card: Card,
) -> f32 {
    let seasons = time.seasons;
    match card.kind() {
        CardKind::Merchant(_) => {
            let influence =
                situation.merchant_key(card).map_or(0, |key| situation.influence_in(me, key));
            w.merchant * f32::from(influence) * seasons
        }
        CardKind::Assassin | CardKind::Loot => w.intrigue * seasons,
        CardKind::Vote(Vote::HailCaesar) => w.hail_caesar * seasons,
        CardKind::Vote(_) => w.senate_vote * seasons,
        CardKind::Diplomacy(_) => w.diplomacy,
        CardKind::ArmyTraining => w.training * seasons,
        CardKind::NavalTraining | CardKind::Wind => w.seamanship,
        CardKind::Senator(_)
        | CardKind::Fleet(_)
        | CardKind::City(_)
        | CardKind::Barbarians(_)
        | CardKind::Politician
        | CardKind::Bribe
        | CardKind::Revolt => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projected_points_are_those_of_the_rules() {
        let vp = [20, 10, 5, 0, 0, 0];
        let standing = Standing::new(ByPlayer([3, 1, 3, 2, 0, 0]));
        let points: Vec<f32> = Player::all(MAX_PLAYERS).map(|q| standing.points(&vp, q)).collect();
        assert_eq!(points, [20.0, 5.0, 20.0, 10.0, 0.0, 0.0]);
    }
}
