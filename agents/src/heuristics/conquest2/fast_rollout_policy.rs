//! The fast rollout policy: a macro-action without a full list of options.
//!
//! The greedy agent lists some twenty macro-actions and tries most of them. This policy looks at the purchases at the
//! places of leaders. It draws one march, two cards and one recruitment at random. It takes the most promising one by
//! the same evaluation. It is several times as fast and nearly as purposeful. Two players who follow it rarely act
//! alike.

use engine::games::conquest2::cards::Family;
use engine::games::conquest2::units::{N_UNITS, Unit};
use engine::games::conquest2::{Key, Place, PlaceSet, Situation, Source, Verb};
use engine::{Fast, Randomness};

use super::evaluation::{TimeLeft, gain_at, gain_of_card, gain_of_units};
use super::macro_actions::{MacroAction, battles, bulk, march};
use super::weights::Weights;

/// Number of destinations considered for a march: a budget of time.
const DESTINATIONS: u32 = 3;
/// Number of cards considered: a budget of time.
const CARDS: u32 = 2;
/// The period of looks at troops; the other looks are at cards. With 2 both are equally frequent.
const TROOPS_ONE_IN: u32 = 2;

/// Returns the macro-action of the player in turn at the start of an action.
pub(super) fn fast_macro(
    w: &Weights,
    situation: &Situation<'_>,
    rng: &mut Fast,
    scratch: &mut Vec<MacroAction>,
) -> MacroAction {
    if situation.actions_left() == 0 {
        return MacroAction::End;
    }
    let time = TimeLeft::of(w, situation);
    let mut best = Best { value: 0.0, macro_action: MacroAction::Pass };
    if situation.offers(Verb::Tax) {
        best = Best { value: tax_value(w, &time, situation), macro_action: MacroAction::Tax };
    }
    if situation.offers(Verb::Buy) {
        buy(w, &time, situation, &mut best);
        if best.value > w.good * time.discounted {
            return best.macro_action;
        }
    }
    if situation.offers(Verb::Battle) {
        scratch.clear();
        let place = member(situation.battlefields(), rng);
        battles(w, situation, place, scratch);
        if let Some(&battle) = scratch.first() {
            let stake = situation
                .key_at(place)
                .map_or(0.0, |key| gain_at(w, &time, situation, situation.actor(), key, false))
                .max(w.battle_least);
            best.offer(stake * (1.0 - w.siege), battle);
        }
    }
    let looks_for_troops = rng.below(TROOPS_ONE_IN) == 0;
    if situation.offers(Verb::Take) && !looks_for_troops {
        for _ in 0..CARDS {
            let cards = situation.takeable();
            let card = cards.nth(rng.below(cards.len()));
            if card.family() != Family::Immediate {
                let value = gain_of_card(w, &time, situation, situation.actor(), card);
                best.offer(value, MacroAction::Take(card));
            }
        }
    }
    if situation.offers(Verb::Recruit) && looks_for_troops {
        recruit(w, &time, situation, rng, &mut best);
    }
    if situation.offers(Verb::Move) {
        go(w, &time, situation, rng, &mut best);
    }
    best.macro_action
}

struct Best {
    value: f32,
    macro_action: MacroAction,
}

impl Best {
    fn offer(&mut self, value: f32, macro_action: MacroAction) {
        if value > self.value {
            *self = Self { value, macro_action };
        }
    }
}

/// Returns a random member of a set that is not empty.
fn member(set: PlaceSet, rng: &mut Fast) -> Place {
    set.nth(rng.below(set.len()))
}

fn tax_value(w: &Weights, time: &TimeLeft, situation: &Situation<'_>) -> f32 {
    let is_poor = situation.money(situation.actor()) < w.tax_below;
    let talents = if is_poor { w.tax_poor } else { w.tax_rich };
    talents * w.talent * time.use_of_means
}

fn buy(w: &Weights, time: &TimeLeft, situation: &Situation<'_>, best: &mut Best) {
    let me = situation.actor();
    for place in situation.markets().iter() {
        let Some(key) = situation.key_at(place) else { continue };
        let with_caesar = situation.caesar(me) == Some(place);
        let value = gain_at(w, time, situation, me, key, with_caesar);
        if value > best.value {
            let (first, second) = sources(situation, place, key, with_caesar);
            best.offer(value, MacroAction::Buy { place, first, second });
        }
    }
}

/// Returns the sources of a purchase: the strongest unguarded enemy first, then the board.
fn sources(
    situation: &Situation<'_>,
    place: Place,
    key: Key,
    with_caesar: bool,
) -> (Source, Option<Source>) {
    let me = situation.actor();
    let enemies = situation.enemies(me);
    let mut strongest = (0, Source::Board);
    for q in enemies.iter() {
        let count =
            if situation.armies(q).contains(place) { 0 } else { situation.influence_in(q, key) };
        strongest = strongest.max((count, Source::Seat(q)));
    }
    let (theirs, enemy) = strongest;
    let can_buy_two = situation.bought_per_action(with_caesar) > 1
        && situation.money(me) >= 2 * situation.influence_price()
        && situation.supply(me) > 1;
    match (theirs, situation.tokens(key), can_buy_two) {
        (0, 0 | 1, _) | (0, _, false) => (Source::Board, None),
        (0, _, true) => (Source::Board, Some(Source::Board)),
        (_, _, false) | (1, 0, true) => (enemy, None),
        (1, _, true) => (Source::Board, Some(enemy)),
        (_, _, true) => (enemy, Some(enemy)),
    }
}

fn recruit(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    rng: &mut Fast,
    best: &mut Best,
) {
    let me = situation.actor();
    let place = member(situation.recruiting_grounds(), rng);
    let bulk = bulk(w, situation.money(me), situation.price(Unit::Infantry).max(1));
    let mut units = [0; N_UNITS];
    if rng.below(w.general_one_in.into()) == 0
        && situation.on_map(me, Unit::General) < w.general_most
    {
        units[Unit::General] = 1;
    } else {
        units[Unit::Infantry] = bulk.max(1);
    }
    best.offer(
        gain_of_units(w, time, situation, place, units),
        MacroAction::Recruit { place, units },
    );
}

/// Considers a march of one of the stacks to the best of some destinations.
fn go(w: &Weights, time: &TimeLeft, situation: &Situation<'_>, rng: &mut Fast, best: &mut Best) {
    let me = situation.actor();
    let led = situation.departures() & situation.leaders(me);
    let stacks = if led.is_empty() { situation.departures() } else { led };
    let from = member(stacks, rng);
    let reach = situation.reach(me, from) & situation.keys();
    if reach.is_empty() {
        return;
    }
    let has_caesar = situation.caesar(me) == Some(from);
    let gain = |place: Place| {
        situation.key_at(place).map_or(0.0, |key| gain_at(w, time, situation, me, key, has_caesar))
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
    let factor = if situation.actions_left() > 1 {
        w.chance_now
    } else {
        w.chance_later * time.use_of_means
    };
    let value = factor * (value - gain(from));
    if let Some(to) = to.filter(|_| value > best.value) {
        best.offer(value, march(situation, from, reach, to));
    }
}
