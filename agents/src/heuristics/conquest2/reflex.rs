//! A whole action without listing what there is to do: the policy of fast rollouts.
//!
//! The greedy agent lists some twenty plans and tries most of them out. A reflex looks at the purchases where leaders
//! stand, at one march, two cards and one recruitment drawn at random, and takes what promises most by the same
//! evaluation. It is several times as fast and nearly as purposeful, and two of them rarely do the same.

use engine::bits::nth;
use engine::games::conquest2::cards::{Family, family};
use engine::games::conquest2::units::{GENERAL, INFANTRY, N_UNITS};
use engine::games::conquest2::{Key, Place, PlaceSet, Table, Verb};
use engine::{Fast, Randomness};

use super::evaluation::{Outlook, gain_at, gain_of_card, gain_of_units};
use super::plans::{Plan, battles, march};
use super::weights::Weights;

/// Destinations that a march considers.
const DESTINATIONS: u32 = 3;
/// Points a season for which a purchase is made without a look at anything else.
const GOOD: f32 = 3.0;
/// Cards that are considered.
const CARDS: u32 = 2;

/// What the player in turn does at the top of an action.
pub(super) fn reflex(
    w: &Weights,
    table: &Table<'_>,
    rng: &mut Fast,
    battles_here: &mut Vec<Plan>,
) -> Plan {
    if table.actions_left() == 0 {
        return Plan::End;
    }
    let outlook = Outlook::of(w, table);
    let mut best = Best { value: 0.0, plan: Plan::Tax };
    best.value = tax_value(w, &outlook, table);
    if table.offers(Verb::Buy) {
        buy(w, &outlook, table, &mut best);
        if best.value > GOOD * outlook.horizon {
            return best.plan;
        }
    }
    if table.offers(Verb::Battle) {
        battles_here.clear();
        let place = member(table.battlefields(), rng);
        battles(w, table, place, battles_here);
        if let Some(&battle) = battles_here.first() {
            let stake = table
                .key_at(place)
                .map_or(1.0, |key| gain_at(w, &outlook, table, table.actor(), key, false).max(1.0));
            best.offer(stake * (1.0 - w.siege), battle);
        }
    }
    let looks_for_troops = rng.below(2) == 0;
    if table.offers(Verb::Take) && !looks_for_troops {
        for _ in 0..CARDS {
            let cards = table.takeable();
            let card = nth(cards, rng.below(cards.count_ones()));
            if family(card) != Family::Immediate {
                let value = gain_of_card(w, &outlook, table, table.actor(), card);
                best.offer(value, Plan::Take(card));
            }
        }
    }
    if table.offers(Verb::Recruit) && looks_for_troops {
        recruit(w, &outlook, table, rng, &mut best);
    }
    if table.offers(Verb::Move) {
        go(w, &outlook, table, rng, &mut best);
    }
    best.plan
}

struct Best {
    value: f32,
    plan: Plan,
}

impl Best {
    fn offer(&mut self, value: f32, plan: Plan) {
        if value > self.value {
            *self = Self { value, plan };
        }
    }
}

/// A random member of a set that is not empty.
fn member(set: PlaceSet, rng: &mut Fast) -> Place {
    set.nth(rng.below(set.len()))
}

fn tax_value(w: &Weights, outlook: &Outlook, table: &Table<'_>) -> f32 {
    const SMALL: u16 = 20;
    let poor = if table.money(table.actor()) < SMALL { 15.0 } else { 4.0 };
    poor * w.talent * outlook.use_of_means
}

fn buy(w: &Weights, outlook: &Outlook, table: &Table<'_>, best: &mut Best) {
    let me = table.actor();
    for place in table.markets().iter() {
        let Some(key) = table.key_at(place) else { continue };
        let with_caesar = table.caesar(me) == Some(place);
        let value = gain_at(w, outlook, table, me, key, with_caesar);
        if value > best.value {
            let (first, second) = sources(table, place, key, with_caesar);
            best.offer(value, Plan::Buy { place, first, second });
        }
    }
}

/// From whom to buy: the strongest unguarded enemy first, then the board.
fn sources(table: &Table<'_>, place: Place, key: Key, with_caesar: bool) -> (u8, Option<u8>) {
    let me = table.actor();
    let enemies = table.enemies(me);
    let mut strongest = (0, 0);
    for q in (0..table.n_players()).filter(|q| enemies >> q & 1 == 1) {
        let count = if table.armies(q).contains(place) { 0 } else { table.influence_in(q, key) };
        strongest = strongest.max((count, q as u8 + 1));
    }
    let (theirs, enemy) = strongest;
    let can_buy_two = table.bought_per_action(with_caesar) > 1
        && table.money(me) >= 2 * table.influence_price()
        && table.supply(me) > 1;
    match (theirs, table.tokens(key), can_buy_two) {
        (0, 0 | 1, _) | (0, _, false) => (0, None),
        (0, _, true) => (0, Some(0)),
        (_, _, false) | (1, 0, true) => (enemy, None),
        (1, _, true) => (0, Some(enemy)),
        (_, _, true) => (enemy, Some(enemy)),
    }
}

fn recruit(w: &Weights, outlook: &Outlook, table: &Table<'_>, rng: &mut Fast, best: &mut Best) {
    const KEPT: u16 = 20;
    let me = table.actor();
    let place = member(table.recruiting_grounds(), rng);
    let bulk = (table.money(me).saturating_sub(KEPT) / table.price(INFANTRY).max(1)).min(8) as u8;
    let mut units = [0; N_UNITS];
    if rng.below(3) == 0 && table.on_map(me, GENERAL) < 3 {
        units[GENERAL] = 1;
    } else {
        units[INFANTRY] = bulk.max(1);
    }
    best.offer(gain_of_units(w, outlook, table, place, units), Plan::Recruit { place, units });
}

/// A march of one of the stacks to the best of some destinations.
fn go(w: &Weights, outlook: &Outlook, table: &Table<'_>, rng: &mut Fast, best: &mut Best) {
    let me = table.actor();
    let led = table.departures() & table.leaders(me);
    let stacks = if led.is_empty() { table.departures() } else { led };
    let from = member(stacks, rng);
    let reach = table.reach(me, from) & table.keys();
    if reach.is_empty() {
        return;
    }
    let has_caesar = table.caesar(me) == Some(from);
    let gain = |place: Place| {
        table.key_at(place).map_or(0.0, |key| gain_at(w, outlook, table, me, key, has_caesar))
    };
    let mut target = (0.0, None);
    for _ in 0..DESTINATIONS.min(reach.len()) {
        let to = member(reach, rng);
        let value = gain(to);
        if value > target.0 {
            target = (value, Some(to));
        }
    }
    let (value, to) = target;
    let factor =
        if table.actions_left() > 1 { w.chance_now } else { w.chance_later * outlook.use_of_means };
    let value = factor * (value - gain(from));
    if let Some(to) = to.filter(|_| value > best.value) {
        best.offer(value, march(table, from, reach, to));
    }
}
