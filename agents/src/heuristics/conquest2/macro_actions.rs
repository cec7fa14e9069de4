//! Macro-actions: what a player might want to do with one action of his turn.
//!
//! Enumerating all ways to move an army is hopeless (10⁹ for a starting stack), and nearly all are pointless.
//! A [`MacroAction`] says what the action is for; [`MacroAction::answer`] spells it out decision by decision.

use engine::games::conquest2::units::{
    CATAPULT, CAVALRY, GALLEY, GENERAL, INFANTRY, N_MILITARY, N_UNITS,
};
use engine::games::conquest2::{Action, Card, Phase, Place, PlaceSet, Source, Table, Verb, Zone};
use engine::{MAX_PLAYERS, Player};

use super::evaluation::{Gains, TimeLeft};
use super::rollout_policy::odds;
use super::weights::Weights;

/// The bit of `done` and `stop`.
const LAST: u8 = 63;
/// Infantry of the smallest recruitment: one can stay as a garrison while the other goes on.
const SMALL_LEVY: u8 = 2;
/// Infantry of a mixed recruitment, which a cavalry and, with the money for it, a catapult join: every kind scores on a
/// face of its own. One more than the smallest, so that whoever can pay for more than that can pay for it.
const MIXED_LEVY: u8 = SMALL_LEVY + 1;
/// Order of the counts of a recruitment.
const RECRUITS: [usize; 4] = [INFANTRY, CAVALRY, CATAPULT, GENERAL];

/// One action of a turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MacroAction {
    /// Do nothing with an action.
    Pass,
    /// End the turn.
    End,
    /// Levy a special tax.
    Tax,
    /// Take this card.
    Take(Card),
    /// Use a card: the word that names it, where there is more than one.
    Use(Option<Action>),
    /// Recruit.
    Recruit {
        /// Where.
        place: Place,
        /// Infantry, cavalry, catapults, galleys, generals.
        units: [u8; N_UNITS],
    },
    /// Buy influence.
    Buy {
        /// Where.
        place: Place,
        /// From whom.
        first: Source,
        /// The same of a second token, if there is one.
        second: Option<Source>,
    },
    /// Move by land.
    Move {
        /// The stack.
        from: Place,
        /// The destination of its main part, unless only garrisons march.
        to: Option<Place>,
        /// The main part: infantry, cavalry, catapults, generals, caesar.
        force: [u8; 5],
        /// Places that get a garrison of one infantry.
        guards: PlaceSet,
    },
    /// Fight.
    Battle {
        /// Where.
        place: Place,
        /// The enemy.
        against: Player,
    },
    /// Sail all galleys.
    Sail {
        /// The zone.
        to: Zone,
    },
}

impl MacroAction {
    /// The word that opens the action.
    pub(super) const fn verb(&self) -> Verb {
        match self {
            Self::Pass => Verb::PassAction,
            Self::End => Verb::End,
            Self::Tax => Verb::Tax,
            Self::Take(_) => Verb::Take,
            Self::Use(_) => Verb::Use,
            Self::Recruit { .. } => Verb::Recruit,
            Self::Buy { .. } => Verb::Buy,
            Self::Move { .. } => Verb::Move,
            Self::Battle { .. } => Verb::Battle,
            Self::Sail { .. } => Verb::Sail,
        }
    }

    /// What it says to the decision that is due, if anything.
    pub(super) fn answer(&self, table: &Table<'_>) -> Option<Action> {
        let member = |bit: u8| (table.set() >> bit & 1 == 1).then(|| table.member(bit));
        match (*self, table.phase()) {
            (_, Phase::Top) => table.offers(self.verb()).then(|| table.word(self.verb())),
            (Self::Take(card), Phase::TakeCard) => member(card.number()),
            (Self::Use(action), Phase::Use) => action,
            (Self::Recruit { place, .. }, Phase::RecruitIn)
            | (Self::Buy { place, .. }, Phase::BuyIn)
            | (Self::Battle { place, .. }, Phase::BattleIn) => member(place.number()),
            (Self::Recruit { units, .. }, Phase::RecruitCount) => {
                let kind = RECRUITS.get(table.cursor()).copied().unwrap_or(GALLEY);
                Some(table.number(units[kind].into()))
            }
            (Self::Buy { first, .. }, Phase::BuySource) => member(first.number()),
            (Self::Buy { second, .. }, Phase::BuyMore) => {
                member(second.map_or(LAST, Source::number))
            }
            (Self::Move { from, .. }, Phase::MoveFrom) => member(from.number()),
            (Self::Move { to, guards, .. }, Phase::MoveTo) => {
                let named = to.map_or(guards, |to| guards.with(to, true));
                let wanted = named & PlaceSet::from_bits(table.set());
                member(wanted.first().map_or(LAST, Place::number))
            }
            (Self::Move { to, force, .. }, Phase::MoveCount) => {
                let guard = u8::from(table.cursor() == INFANTRY);
                let is_main = to.is_some() && table.destination() == to;
                Some(table.number(if is_main { force[table.cursor()] } else { guard }.into()))
            }
            (Self::Battle { against, .. }, Phase::BattleAgainst) => member(against.number()),
            (Self::Sail { to }, Phase::SailTo) => member(to.number()),
            (Self::Sail { .. }, Phase::SailCount) => Some(table.number(u16::MAX)),
            _ => None,
        }
    }
}

/// Appends the macro-actions of the player in turn.
pub(super) fn macro_actions(w: &Weights, table: &Table<'_>, out: &mut Vec<MacroAction>) {
    if table.actions_left() == 0 {
        out.push(MacroAction::End);
        return;
    }
    out.push(MacroAction::Pass);
    out.push(MacroAction::Tax);
    if table.offers(Verb::Take) {
        takes(table, out);
    }
    if table.offers(Verb::Recruit) {
        table.recruiting_grounds().iter().for_each(|place| recruits(w, table, place, out));
    }
    if table.offers(Verb::Buy) {
        table.markets().iter().for_each(|place| purchases(table, place, out));
    }
    if table.offers(Verb::Move) {
        let time = TimeLeft::of(w, table);
        let mut gains = Gains::default();
        table.departures().iter().for_each(|from| moves(w, &time, table, from, &mut gains, out));
    }
    if table.offers(Verb::Battle) {
        table.battlefields().iter().for_each(|place| battles(w, table, place, out));
    }
    if table.offers(Verb::Sail) {
        sails(w, table, out);
    }
}

/// Every card, but only the best Senator.
fn takes(table: &Table<'_>, out: &mut Vec<MacroAction>) {
    let cards = table.takeable();
    out.extend((cards & Card::SENATORS).last().map(MacroAction::Take));
    out.extend((cards - Card::SENATORS).iter().map(MacroAction::Take));
}

fn recruits(w: &Weights, table: &Table<'_>, place: Place, out: &mut Vec<MacroAction>) {
    let me = table.actor();
    let money = table.money(me);
    let price = |kind: usize| table.price(kind).max(1);
    let mut add = |units: [u8; N_UNITS]| out.push(MacroAction::Recruit { place, units });
    if money >= price(INFANTRY) && table.pool(me, INFANTRY) > 0 {
        add([SMALL_LEVY, 0, 0, 0, 0]);
        let bulk = bulk(w, money, price(INFANTRY));
        if bulk > SMALL_LEVY {
            add([bulk, 0, 0, 0, 0]);
            let rest = (money - u16::from(MIXED_LEVY) * price(INFANTRY))
                .saturating_sub(price(CAVALRY))
                / price(CATAPULT);
            add([MIXED_LEVY, 1, rest.min(1) as u8, 0, 0]);
        }
    }
    if money >= price(GENERAL)
        && table.pool(me, GENERAL) > 0
        && table.on_map(me, GENERAL) < w.general_most
    {
        add([0, 0, 0, 0, 1]);
    }
    if money >= price(GALLEY) && table.fleets(me).is_empty() {
        add([0, 0, 0, 1, 0]);
    }
}

/// Infantry of the largest recruitment at this `price`.
pub(super) fn bulk(w: &Weights, money: u16, price: u16) -> u8 {
    (money.saturating_sub(w.kept) / price).min(w.bulk.into()) as u8
}

/// All ways to buy one or two tokens.
fn purchases(table: &Table<'_>, place: Place, out: &mut Vec<MacroAction>) {
    let me = table.actor();
    let Some(key) = table.key_at(place) else { return };
    let enemies = table.enemies(me);
    let mut offered = [0u8; 1 + MAX_PLAYERS];
    offered[0] = table.tokens(key);
    for q in enemies.iter() {
        let is_guarded = table.armies(q).contains(place);
        offered[1 + q.idx()] = if is_guarded { 0 } else { table.influence_in(q, key) };
    }
    let can_buy_two = table.bought_per_action(table.caesar(me) == Some(place)) > 1
        && table.money(me) >= 2 * table.influence_price()
        && table.supply(me) > 1;
    let sources = || Source::ALL.into_iter().zip(offered);
    for (first, _) in sources().filter(|&(_, n)| n > 0) {
        let mut has_second = false;
        let is_left =
            |&(source, n): &(Source, u8)| source >= first && n > u8::from(source == first);
        for (second, _) in sources().filter(is_left) {
            if can_buy_two {
                has_second = true;
                out.push(MacroAction::Buy { place, first, second: Some(second) });
            }
        }
        if !has_second {
            out.push(MacroAction::Buy { place, first, second: None });
        }
    }
}

/// Leaders and army to where most can be bought; a garrison for every unguarded influence on the way.
fn moves(
    w: &Weights,
    time: &TimeLeft,
    table: &Table<'_>,
    from: Place,
    gains: &mut Gains,
    out: &mut Vec<MacroAction>,
) {
    let me = table.actor();
    let reach = table.reach(me, from) & table.keys();
    let [infantry, cavalry, catapults] = table.troops(me, from);
    let generals = table.generals(me, from);
    let has_caesar = table.caesar(me) == Some(from);
    let guards = unguarded(table, reach, infantry.saturating_sub(1));
    let n_guards = guards.len() as u8;
    if !guards.is_empty() {
        out.push(MacroAction::Move { from, to: None, force: [0; 5], guards });
    }
    let is_home = table.key_at(from).is_some_and(|key| table.influence_in(me, key) > 0);
    let stay = u8::from(is_home);
    let gain = |to: Place, gains: &mut Gains| {
        table.key_at(to).map_or(0.0, |key| gains.at(w, time, table, key, has_caesar))
    };
    // The best destination is enough: agents that tried the two best were no stronger (0.2538 [0.2427, 0.2653] of
    // the points for one that does not against three that do, 1,000 blocks).
    let mut best = (0.0, None);
    for to in reach.iter() {
        let gain = gain(to, gains);
        if gain > best.0 {
            best = (gain, Some(to));
        }
    }
    let (_, Some(to)) = best else { return };
    out.push(march(table, from, reach, to));
    let (guards, to) = (guards.with(to, false), Some(to));
    let left = infantry.saturating_sub(stay + n_guards);
    if has_caesar && generals > 0 {
        let half = |n: u8| n.div_ceil(2);
        let with_caesar = [half(left), half(cavalry), half(catapults), 0, 1];
        out.push(MacroAction::Move { from, to, force: with_caesar, guards });
        let with_general = [left / 2, cavalry / 2, catapults / 2, 1, 0];
        out.push(MacroAction::Move { from, to, force: with_general, guards });
    }
}

/// Everybody from `from` to `to`, but a garrison for every unguarded influence within `reach` and, at home, one.
pub(super) fn march(table: &Table<'_>, from: Place, reach: PlaceSet, to: Place) -> MacroAction {
    let me = table.actor();
    let [infantry, cavalry, catapults] = table.troops(me, from);
    let guards = unguarded(table, reach, infantry.saturating_sub(1));
    let is_home = table.key_at(from).is_some_and(|key| table.influence_in(me, key) > 0);
    let kept = u8::from(is_home) + guards.len() as u8;
    let has_caesar = u8::from(table.caesar(me) == Some(from));
    let left = infantry.saturating_sub(kept);
    let force = [left, cavalry, catapults, table.generals(me, from), has_caesar];
    MacroAction::Move { from, to: Some(to), force, guards: guards.with(to, false) }
}

/// Own influence within `reach` without an army beside it, as many places as there are guards.
fn unguarded(table: &Table<'_>, reach: PlaceSet, mut guards: u8) -> PlaceSet {
    let me = table.actor();
    let mut found = PlaceSet::EMPTY;
    for place in (reach - table.armies(me)).iter() {
        let has_influence = table.key_at(place).is_some_and(|key| table.influence_in(me, key) > 0);
        if has_influence && guards > 0 {
            found.insert(place);
            guards -= 1;
        }
    }
    found
}

/// Battles that are likely to be won.
pub(super) fn battles(w: &Weights, table: &Table<'_>, place: Place, out: &mut Vec<MacroAction>) {
    let me = table.actor();
    let army = |q: Player| -> [u8; N_MILITARY] {
        let [infantry, cavalry, catapults] = table.troops(q, place);
        [infantry, cavalry, catapults, 0]
    };
    let enemies = table.enemies(me);
    for q in enemies.iter() {
        let is_there = table.armies(q).contains(place);
        if is_there && odds(army(me), army(q)) > w.fair {
            out.push(MacroAction::Battle { place, against: q });
        }
        let has_only_leaders = !is_there && table.leaders(q).contains(place);
        if has_only_leaders && table.city_owner(place) == Some(q) {
            out.push(MacroAction::Battle { place, against: q });
        }
    }
}

/// To the shores with most to gain, and against weaker fleets.
fn sails(w: &Weights, table: &Table<'_>, out: &mut Vec<MacroAction>) {
    let me = table.actor();
    let fleets = table.fleets(me);
    let galleys: u8 = fleets.iter().map(|z| table.galleys(me, z)).sum();
    let enemies = table.enemies(me);
    let value = |zone: Zone| -> f32 {
        (table.shore(zone) & table.keys())
            .iter()
            .filter_map(|p| table.key_at(p))
            .map(|key| f32::from(table.tokens(key)) + f32::from(table.influence_in(me, key)))
            .sum()
    };
    let best =
        (table.set_of_ports() - fleets).iter().max_by(|&a, &b| value(a).total_cmp(&value(b)));
    out.extend(best.map(|to| MacroAction::Sail { to }));
    for zone in table.set_of_ports().iter() {
        let theirs: u8 = enemies.iter().map(|q| table.galleys(q, zone)).sum();
        if theirs > 0 && galleys > theirs + w.fleet_edge {
            out.push(MacroAction::Sail { to: zone });
        }
    }
}
