//! What a position is worth to a player: what would be scored now, plus threats and means.
//!
//! The value is in victory points at the end of the game: points on the track and projected from influence,
//! against the rivals' points; chaos; what could be bought or lost where leaders and armies stand; and money,
//! units, Senators and cards. Sources: the rulebook's own play tips (protect influence with a garrison, aim at
//! the same influence in several places, central and provincial strategies, the Senate).

use engine::MAX_PLAYERS;
use engine::games::conquest2::cards::{
    ARMY_TRAINING, ASSASSIN, DIPLOMACY, FLEET, LOOT, MERCHANT, NAVAL_TRAINING, VOTE, Vote,
};
use engine::games::conquest2::units::{CATAPULT, CAVALRY, GALLEY, GENERAL, INFANTRY};
use engine::games::conquest2::{Table, places};

use super::weights::Weights;

/// How far the game has come, as factors of the evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// Seasons that will still be scored, this one included.
    pub(super) seasons: f32,
    /// The same, each later one counting less.
    pub(super) horizon: f32,
    /// From 1 down to 0 over the last rounds: what means are still good for.
    pub(super) use_of_means: f32,
}

impl Outlook {
    pub(super) fn of(w: &Weights, table: &Table<'_>) -> Self {
        const WINDING_DOWN: f32 = 3.0;
        let seasons = table.n_seasons() - table.season();
        let rounds = (seasons * table.n_rounds()).saturating_sub(table.round()) as f32;
        let (mut horizon, mut weight) = (0.0, 1.0);
        for _ in 0..seasons {
            horizon += weight;
            weight *= w.persistence;
        }
        let left = (rounds - 1.0).max(0.0) + 0.5 * table.actions_left() as f32;
        Self { seasons: seasons as f32, horizon, use_of_means: (left / WINDING_DOWN).min(1.0) }
    }
}

/// Influence of all players in one key province.
pub(super) type Counts = [u8; MAX_PLAYERS];

/// What a count of influence scores there: ties score alike and push nobody down (clause 18.1).
pub(super) fn points(vp: &[i16; MAX_PLAYERS], counts: &Counts, count: u8) -> f32 {
    if count == 0 {
        return 0.0;
    }
    let mut seen = 0u32;
    for &other in counts {
        if other > count {
            seen |= 1 << other;
        }
    }
    f32::from(vp[seen.count_ones() as usize % MAX_PLAYERS])
}

pub(super) fn counts(table: &Table<'_>, key: usize) -> Counts {
    let mut counts = [0; MAX_PLAYERS];
    for (q, count) in counts.iter_mut().enumerate().take(table.n_players()) {
        *count = table.influence_in(q, key);
    }
    counts
}

/// What the position is worth to `me`, in victory points at the end of the game.
#[must_use]
pub fn evaluate(w: &Weights, table: &Table<'_>, me: usize) -> f32 {
    let outlook = Outlook::of(w, table);
    let n = table.n_players();
    let mut total: [f32; MAX_PLAYERS] = std::array::from_fn(|q| f32::from(table.vp(q)));
    let mut value = 0.0;
    let mut chances = Best::default();
    for key in 0..table.n_keys() {
        let counts = counts(table, key);
        let vp = table.vp_of(key);
        for q in 0..n {
            total[q] += outlook.horizon * points(vp, &counts, counts[q]);
        }
        value += w.token * f32::from(counts[me]) * outlook.seasons * 0.25;
        value -= exposure(w, &outlook, table, me, key, &counts);
        chances.offer(opportunity(w, &outlook, table, me, key, &counts));
    }
    let penalties = table.chaos_penalties();
    for q in 0..n {
        total[q] -= w.penalty * f32::from(penalties[q]);
    }
    let rivals = (0..n).filter(|&q| q != me);
    let best = rivals.clone().map(|q| total[q]).fold(f32::MIN, f32::max);
    let mean = rivals.map(|q| total[q]).sum::<f32>() / (n - 1) as f32;
    value += total[me] - w.rival_best * best - w.rival_mean * mean;
    value -= w.chaos * f32::from(table.chaos(me)) * outlook.seasons * 0.5;
    value + chances.sum() + means(w, &outlook, table, me)
}

/// The two best of what is offered: more than two chances cannot be taken soon.
#[derive(Default)]
struct Best([f32; 2]);

impl Best {
    fn offer(&mut self, value: f32) {
        if value > self.0[0] {
            self.0 = [value, self.0[0]];
        } else if value > self.0[1] {
            self.0[1] = value;
        }
    }

    fn sum(&self) -> f32 {
        self.0[0] + 0.6 * self.0[1]
    }
}

/// What enemies could take from `me` in a key province.
fn exposure(
    w: &Weights,
    outlook: &Outlook,
    table: &Table<'_>,
    me: usize,
    key: usize,
    counts: &Counts,
) -> f32 {
    if counts[me] == 0 {
        return 0.0;
    }
    let place = table.place_of(key);
    let stake = (points(table.vp_of(key), counts, counts[me]) + 2.0) * outlook.horizon;
    if table.armies(me) >> place & 1 == 0 {
        return w.exposed * stake * outlook.use_of_means;
    }
    let enemies = table.enemies(me);
    let is_besieged =
        (0..table.n_players()).any(|q| enemies >> q & 1 == 1 && table.armies(q) >> place & 1 == 1);
    let [infantry, cavalry, catapults] = table.troops(me, place);
    if is_besieged && infantry + cavalry + catapults < 3 {
        w.besieged * stake * outlook.use_of_means
    } else {
        0.0
    }
}

/// What `me` could buy in a key province where he has a leader.
fn opportunity(
    w: &Weights,
    outlook: &Outlook,
    table: &Table<'_>,
    me: usize,
    key: usize,
    counts: &Counts,
) -> f32 {
    let place = table.place_of(key);
    if table.leaders(me) >> place & 1 == 0 {
        return 0.0;
    }
    let has_actions = table.actor() == me && table.actions_left() > 0;
    let factor = if has_actions { w.chance_now } else { w.chance_later * outlook.use_of_means };
    gain_at(w, outlook, table, me, key, counts, table.caesar(me) == Some(place)) * factor
}

/// What buying in a key province would bring `me`, with or without his caesar; less if he must fight first.
pub(super) fn gain_at(
    w: &Weights,
    outlook: &Outlook,
    table: &Table<'_>,
    me: usize,
    key: usize,
    counts: &Counts,
    with_caesar: bool,
) -> f32 {
    let place = table.place_of(key);
    let afford = u16::from(table.supply(me)).min(table.money(me) / table.influence_price().max(1));
    let wanted = u16::from(table.bought_per_action(with_caesar)).min(afford) as u8;
    if wanted == 0 {
        return 0.0;
    }
    let enemies = table.enemies(me);
    let (mut open, mut guarded) = (table.tokens(key), 0);
    let mut after = *counts;
    for q in (0..table.n_players()).filter(|q| enemies >> q & 1 == 1) {
        if table.armies(q) >> place & 1 == 1 {
            guarded += counts[q];
        } else {
            open += counts[q];
        }
    }
    let (number, factor) = match open.min(wanted) {
        0 => (guarded.min(wanted), w.siege),
        number => (number, 1.0),
    };
    if number == 0 {
        return 0.0;
    }
    after[me] += number;
    let vp = table.vp_of(key);
    let more = points(vp, &after, after[me]) - points(vp, counts, counts[me]);
    let fewer: f32 = (0..table.n_players())
        .filter(|&q| q != me)
        .map(|q| points(vp, counts, counts[q]) - points(vp, &after, after[q]))
        .sum();
    let others = (table.n_players() - 1) as f32;
    let worth = (more + fewer * (w.rival_mean / others + 0.1)) * outlook.horizon;
    factor * (worth + w.token * f32::from(number))
}

/// Money, units, Senators and cards.
fn means(w: &Weights, outlook: &Outlook, table: &Table<'_>, me: usize) -> f32 {
    let money = f32::from(table.money(me));
    let talents = w.talent * money.min(w.rich) + w.talent_rich * (money - w.rich).max(0.0);
    let unit = |kind, most: u8, worth: f32| f32::from(table.on_map(me, kind).min(most)) * worth;
    let units = unit(INFANTRY, 12, w.infantry)
        + unit(CAVALRY, 4, w.cavalry)
        + unit(CATAPULT, 2, w.catapult)
        + unit(GALLEY, 3, w.galley)
        + unit(GENERAL, 3, w.general);
    let votes = w.vote * f32::from(table.votes(me)) * outlook.seasons;
    (talents + units + votes + cards(w, outlook, table, me)) * outlook.use_of_means
}

fn cards(w: &Weights, outlook: &Outlook, table: &Table<'_>, me: usize) -> f32 {
    let seasons = outlook.seasons;
    table
        .held_cards(me)
        .map(|(card, number)| {
            let each = match card {
                MERCHANT..ASSASSIN => {
                    let influence =
                        table.merchant_key(card).map_or(0, |key| table.influence_in(me, key));
                    w.merchant * f32::from(influence) * seasons
                }
                ASSASSIN | LOOT => w.intrigue * seasons,
                VOTE..DIPLOMACY if card - VOTE == Vote::HailCaesar as u8 => w.hail_caesar * seasons,
                VOTE..DIPLOMACY => w.senate_vote * seasons,
                DIPLOMACY..FLEET => w.diplomacy,
                ARMY_TRAINING => w.training * seasons,
                NAVAL_TRAINING.. => w.seamanship,
                _ => 0.0,
            };
            each * f32::from(number)
        })
        .sum::<f32>()
        + w.city * seasons * f32::from(places(table.cities(me)).count() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projected_points_are_those_of_the_rules() {
        let vp = [20, 10, 5, 0, 0, 0];
        let counts = [3, 1, 3, 2, 0, 0];
        assert_eq!(counts.map(|c| points(&vp, &counts, c)), [20.0, 5.0, 20.0, 10.0, 0.0, 0.0]);
    }
}
