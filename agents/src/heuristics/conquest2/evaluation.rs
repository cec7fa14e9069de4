//! The evaluation of conquest2: the value of a position for a player, from the score of an immediate scoring plus
//! threats and means.
//!
//! The value is in victory points at the end of the game. It adds up:
//!
//! - points on the track and projected from influence, against the rivals' points,
//! - chaos,
//! - possible purchases and losses at the places of leaders and armies,
//! - money, units, Senators and cards.
//!
//! The source is the play tips of the rulebook: protect influence with a garrison, aim at one influence in several
//! places, central and provincial strategies, the Senate.

use engine::games::conquest2::cards::Vote;
use engine::games::conquest2::units::{N_UNITS, Unit};
use engine::games::conquest2::{Card, CardKind, Key, Place, PlaceSet, Situation};
use engine::{ByPlayer, MAX_PLAYERS, Player};

use super::weights::Weights;

/// The share of an action in a round. By the printed rules a turn has two actions.
const ACTION: f32 = 0.5;
/// The share of one season in the weight `chaos`, which covers two.
pub(super) const CHAOS_PER_SEASON: f32 = 0.5;

/// The remaining time, as factors of the evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeLeft {
    /// The number of seasons still to be scored, with this one.
    pub(super) seasons: f32,
    /// The number of seasons, with a discount for later ones.
    pub(super) discounted: f32,
    /// The remaining use of means: from 1 down to 0 over the last rounds.
    pub(super) use_of_means: f32,
}

impl TimeLeft {
    pub(super) fn of(w: &Weights, situation: &Situation<'_>) -> Self {
        let seasons = situation.n_seasons() - situation.season();
        let (mut discounted, mut weight) = (0.0, 1.0);
        for _ in 0..seasons {
            discounted += weight;
            weight *= w.persistence;
        }
        Self { seasons: seasons as f32, discounted, use_of_means: use_of_means(w, situation) }
    }

    /// Returns the factors of the later position `after`. `self` holds the factors of `before`.
    pub(super) fn later(&self, w: &Weights, before: &Situation<'_>, after: &Situation<'_>) -> Self {
        if after.season() == before.season() {
            Self { use_of_means: use_of_means(w, after), ..*self }
        } else {
            Self::of(w, after)
        }
    }
}

/// Returns the remaining use of means: from 1 down to 0 over the last rounds.
fn use_of_means(w: &Weights, situation: &Situation<'_>) -> f32 {
    let seasons = situation.n_seasons() - situation.season();
    let rounds = seasons * situation.n_rounds() - situation.rounds_over();
    // Before the first round of a season all players have all its actions.
    let actions =
        situation.round().map_or(situation.actions_per_turn(), |_| situation.actions_left());
    let left = rounds.checked_sub(1).map_or(0.0, |more| more as f32 + ACTION * actions as f32);
    (left / w.winding_down).min(1.0)
}

/// The influence of all players in one key province.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Standing {
    pub(super) counts: ByPlayer<u8>,
    /// The counts that occur, as bits.
    seen: u64,
}

impl Standing {
    pub(super) fn of(situation: &Situation<'_>, key: Key) -> Self {
        Self::new(situation.influence_at(key))
    }

    pub(super) fn new(counts: ByPlayer<u8>) -> Self {
        Self { counts, seen: counts.0.iter().fold(0, |seen, &count| seen | 1 << count) }
    }

    /// Returns the points of a player there. Players with equal counts score alike and do not lower others (clause
    /// 18.1).
    #[inline]
    pub(super) fn points(&self, vp: &[i16; MAX_PLAYERS], player: Player) -> i32 {
        points_among(self.seen, vp, self.counts[player])
    }

    /// Returns the player's score there with `more` influence, while the others keep theirs.
    pub(super) fn after(&self, vp: &[i16; MAX_PLAYERS], player: Player, more: u8) -> i32 {
        let others = Player::all(MAX_PLAYERS).filter(|&q| q != player);
        let seen = others.fold(0, |seen, q| seen | 1 << self.counts[q]);
        points_among(seen, vp, self.counts[player] + more)
    }
}

/// Returns the points of `count` among the counts in `seen`, as bits.
#[inline]
fn points_among(seen: u64, vp: &[i16; MAX_PLAYERS], count: u8) -> i32 {
    let above = (seen >> count >> 1).count_ones() as usize;
    if count == 0 { 0 } else { vp[above.min(MAX_PLAYERS - 1)].into() }
}

/// The possible loss of a player in a key province to enemies, and the preference for influence there.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Threat {
    pub(super) danger: f32,
    pub(super) leaning: f32,
}

impl Threat {
    /// Returns the threat to `me`, who scores `points` there. `hostile` holds the places with armies of their enemies.
    pub(super) fn to(
        w: &Weights,
        situation: &Situation<'_>,
        me: Player,
        hostile: PlaceSet,
        key: Key,
        points: i32,
    ) -> Self {
        let influence = situation.influence_in(me, key);
        if influence == 0 {
            return Self::default();
        }
        let place = situation.place_of(key);
        let stake = points as f32 + w.stake;
        let is_besieged =
            || hostile.contains(place) && situation.troops(me, place).iter().sum::<u8>() < w.strong;
        let danger = if !situation.armies(me).contains(place) {
            w.exposed * stake
        } else if is_besieged() {
            w.besieged * stake
        } else {
            0.0
        };
        Self { danger, leaning: leaning(w, situation, place) * f32::from(influence) }
    }
}

/// Returns the value of an influence token for its place, per remaining season.
fn leaning(w: &Weights, situation: &Situation<'_>, place: Place) -> f32 {
    if situation.environs().contains(place) { w.near } else { w.far }
}

/// Returns the weighted size of the armies of the enemies of `me`.
pub(super) fn hostility(w: &Weights, situation: &Situation<'_>, me: Player) -> f32 {
    if w.hostility <= 0.0 {
        return 0.0;
    }
    let army = |q| Unit::LAND_MILITARY.map(|unit| situation.on_map(q, unit));
    let units = situation.enemies(me).iter().map(|q| army(q).iter().sum::<u8>());
    w.hostility * units.map(f32::from).sum::<f32>()
}

/// Returns the value of possible purchases of `me` at the places of leaders, each with or without the caesar. More than
/// two purchases cannot be made soon.
pub(super) fn opportunities(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    me: Player,
    mut gain_at: impl FnMut(Key, bool) -> f32,
) -> f32 {
    let has_actions = situation.is_actor(me) && situation.actions_left() > 0;
    let factor = if has_actions { w.chance_now } else { w.chance_later * time.use_of_means };
    let (mut best, mut second) = (0.0f32, 0.0f32);
    for place in (situation.leaders(me) & situation.keys()).iter() {
        let Some(key) = situation.key_at(place) else { continue };
        let gain = gain_at(key, situation.caesar(me) == Some(place));
        second = second.max(gain.min(best));
        best = best.max(gain);
    }
    factor * (best + w.second * second)
}

/// Returns the gain of `me` from a purchase in a key province, with or without the caesar; less if a battle must come
/// first.
pub(super) fn gain_at(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    me: Player,
    key: Key,
    with_caesar: bool,
) -> f32 {
    gain_of(w, time, situation, me, key, wanted(situation, me)[usize::from(with_caesar)])
}

/// Returns the number of influence tokens that `me` can pay in one action, without and with the caesar.
pub(super) fn wanted(situation: &Situation<'_>, me: Player) -> [u8; 2] {
    let afford = u16::from(situation.supply(me))
        .min(situation.money(me) / situation.influence_price().max(1));
    [false, true]
        .map(|with_caesar| u16::from(situation.bought_per_action(with_caesar)).min(afford) as u8)
}

/// Returns the gain of `me` from `wanted` tokens in a key province, as far as they exist; less if a battle must come
/// first.
pub(super) fn gain_of(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    me: Player,
    key: Key,
    wanted: u8,
) -> f32 {
    if wanted == 0 {
        return 0.0;
    }
    let place = situation.place_of(key);
    let (mut open, mut guarded) = (situation.tokens(key), 0);
    let mine = situation.influence_in(me, key);
    // The counts of the others with influence, and the occurring counts as bits.
    let (mut others, mut n_others, mut seen) = ([0; MAX_PLAYERS], 0, 0u64);
    if situation.influence_word(key) != 0 {
        let enemies = situation.enemies(me);
        for (q, count) in situation.holders(key).filter(|&(q, _)| q != me) {
            others[n_others] = count;
            n_others += 1;
            seen |= 1 << count;
            if enemies.contains(q) {
                let is_guarded = situation.armies(q).contains(place);
                *(if is_guarded { &mut guarded } else { &mut open }) += count;
            }
        }
    }
    let (number, factor) = match open.min(wanted) {
        0 => (guarded.min(wanted), w.siege),
        number => (number, 1.0),
    };
    if number == 0 {
        return 0.0;
    }
    let vp = situation.vp_of(key);
    let [before, after] = [mine, mine + number].map(|count| seen | 1 << count);
    let more = points_among(after, vp, mine + number) - points_among(before, vp, mine);
    let loss = |&count: &u8| points_among(before, vp, count) - points_among(after, vp, count);
    // A player with at least as much influence keeps their rank.
    let passed = others[..n_others].iter().filter(|&&count| count < mine + number);
    let fewer: i32 = passed.map(loss).sum();
    let share = w.rival_mean / (situation.n_players() - 1) as f32 + w.denied;
    let token = w.token + leaning(w, situation, place) * time.seasons;
    factor * ((more as f32 + fewer as f32 * share) * time.discounted + token * f32::from(number))
}

/// Returns the value of money and Senators, plus the given values of `units` and `cards`.
pub(super) fn means(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    me: Player,
    units: f32,
    cards: f32,
) -> f32 {
    let talents = talents(w, situation.money(me));
    let votes = w.vote * f32::from(situation.votes(me)) * time.seasons;
    (talents + units + votes + cards) * time.use_of_means
}

/// Returns the value of the units on the map.
pub(super) fn units(w: &Weights, situation: &Situation<'_>, me: Player) -> f32 {
    Unit::ALL
        .into_iter()
        .map(|unit| f32::from(situation.on_map(me, unit).min(w.most(unit))) * w.unit(unit))
        .sum()
}

fn talents(w: &Weights, money: u16) -> f32 {
    let money = f32::from(money);
    w.talent * money.min(w.rich) + w.talent_rich * (money - w.rich).max(0.0)
}

/// Returns the change for `me` from taking a card without immediate effect, without playing it out.
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

/// Returns the change for the actor from a recruitment, without playing it out: units, their price, chaos, and a
/// garrison in an unguarded place.
pub(super) fn gain_of_units(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    place: Place,
    units: [u8; N_UNITS],
) -> f32 {
    gain_of_levy(w, time, situation, place, units, surplus_of_units(w, situation, units))
}

/// Returns [`gain_of_units`] for a known [`surplus_of_units`].
pub(super) fn gain_of_levy(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    place: Place,
    units: [u8; N_UNITS],
    surplus: f32,
) -> f32 {
    let me = situation.actor();
    let has_army = situation.armies(me).contains(place);
    let is_army = Unit::LAND_MILITARY.into_iter().any(|unit| units[unit] > 0);
    let guarded = match situation.key_at(place) {
        Some(key) if !has_army && is_army => {
            let points = Standing::of(situation, key).points(situation.vp_of(key), me);
            w.exposed * (points as f32 + w.stake) * time.discounted
        }
        _ => 0.0,
    };
    let chaos = w.chaos * f32::from(situation.recruiting_chaos()) * time.seasons * CHAOS_PER_SEASON;
    (surplus + guarded) * time.use_of_means - chaos
}

/// Returns the value of units for the actor beyond their price. It does not depend on the place of recruitment.
pub(super) fn surplus_of_units(
    w: &Weights,
    situation: &Situation<'_>,
    units: [u8; N_UNITS],
) -> f32 {
    let me = situation.actor();
    let affordable = |unit: Unit, money: u16| match situation.price(unit) {
        0 => u16::MAX,
        price => money / price,
    };
    let mut left = situation.money(me);
    let mut worth = 0.0;
    let order = [Unit::Infantry, Unit::Cavalry, Unit::Catapult, Unit::General, Unit::Galley];
    for unit in order.into_iter().filter(|&unit| units[unit] > 0) {
        let most = u16::from(units[unit].min(situation.pool(me, unit))).min(affordable(unit, left));
        left -= most * situation.price(unit);
        let (here, limit) = (situation.on_map(me, unit), w.most(unit));
        let useful = (here + most as u8).min(limit) - here.min(limit);
        worth += f32::from(useful) * w.unit(unit);
    }
    let price = talents(w, situation.money(me)) - talents(w, left);
    worth - price
}

/// Returns the value of cards and cities.
pub(super) fn cards(w: &Weights, time: &TimeLeft, situation: &Situation<'_>, me: Player) -> f32 {
    let held = situation.held_cards(me);
    held.map(|(card, number)| card_value(w, time, situation, me, card) * f32::from(number))
        .sum::<f32>()
        + w.city * time.seasons * situation.n_cities(me) as f32
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
        let points: Vec<i32> = Player::all(MAX_PLAYERS).map(|q| standing.points(&vp, q)).collect();
        assert_eq!(points, [20, 5, 20, 10, 0, 0]);
    }
}
