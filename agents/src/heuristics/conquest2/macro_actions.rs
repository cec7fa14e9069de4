//! Macro-actions of conquest2: the useful actions of a player's turn.
//!
//! The number of possible army moves is too large (10⁹ for a starting stack), and nearly all are pointless. A
//! [`MacroAction`] states the purpose of an action. [`MacroAction::answer`] gives its decisions one by one.

use engine::games::conquest2::units::{N_MILITARY, N_UNITS, Unit};
use engine::games::conquest2::{
    Action, Card, N_MOVERS, Phase, Place, PlaceSet, Situation, Source, Verb, Zone,
};
use engine::{MAX_PLAYERS, Player};

use super::baseline::Gains;
use super::evaluation::{TimeLeft, gain_of, wanted};
use super::rollout_policy::odds;
use super::weights::Weights;

/// The bit of `done` and `stop`.
const LAST: u8 = 63;
/// Infantry of the smallest recruitment: one can stay as a garrison while the other marches on.
const SMALL_LEVY: u8 = 2;
/// Infantry of a mixed recruitment. A cavalry joins it and, if there is money, a catapult: each kind scores on a
/// different face. The number is one more than the smallest, so a player who can pay for more than that can pay for it.
const MIXED_LEVY: u8 = SMALL_LEVY + 1;
/// A garrison, in the counts of a move.
pub(super) const GUARD: [u8; 5] = [1, 0, 0, 0, 0];

/// A macro-action: one action of a turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MacroAction {
    /// An idle action.
    Pass,
    /// The end of the turn.
    End,
    /// A special tax.
    Tax,
    /// The taking of this card.
    Take(Card),
    /// The use of a card, with the word that names it if there are several.
    Use(Option<Action>),
    /// A recruitment.
    Recruit {
        /// The place.
        place: Place,
        /// Infantry, cavalry, catapults, galleys, generals.
        units: [u8; N_UNITS],
    },
    /// A purchase of influence.
    Buy {
        /// The place.
        place: Place,
        /// The source of the first token.
        first: Source,
        /// The source of the second token, if there is one.
        second: Option<Source>,
    },
    /// A march by land.
    Move {
        /// The place of the stack.
        from: Place,
        /// The destination of the main part; `None` if only garrisons march.
        to: Option<Place>,
        /// The main part: infantry, cavalry, catapults, generals, caesar.
        force: [u8; N_MOVERS],
        /// The places that get a garrison of one infantry.
        guards: PlaceSet,
    },
    /// A battle.
    Battle {
        /// The place.
        place: Place,
        /// The enemy.
        against: Player,
    },
    /// A voyage of all galleys.
    Sail {
        /// The destination.
        to: Zone,
    },
}

impl MacroAction {
    /// Returns the word that opens the action.
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

    /// Returns the answer to the due decision, if there is one.
    pub(super) fn answer(&self, situation: &Situation<'_>) -> Option<Action> {
        let member = |bit: u8| (situation.set() >> bit & 1 == 1).then(|| situation.member(bit));
        match (*self, situation.phase()) {
            (_, Phase::Top) => situation.offers(self.verb()).then(|| situation.word(self.verb())),
            (Self::Take(card), Phase::TakeCard) => member(card.number()),
            (Self::Use(action), Phase::Use) => action,
            (Self::Recruit { place, .. }, Phase::RecruitIn)
            | (Self::Buy { place, .. }, Phase::BuyIn)
            | (Self::Battle { place, .. }, Phase::BattleIn) => member(place.number()),
            (Self::Recruit { units, .. }, Phase::RecruitCount) => {
                Some(situation.number(units[situation.recruited()?].into()))
            }
            (Self::Buy { first, .. }, Phase::BuySource) => member(first.number()),
            (Self::Buy { second, .. }, Phase::BuyMore) => {
                member(second.map_or(LAST, Source::number))
            }
            (Self::Move { from, .. }, Phase::MoveFrom) => member(from.number()),
            (Self::Move { to, guards, .. }, Phase::MoveTo) => {
                let named = to.map_or(guards, |to| guards.with(to, true));
                let wanted = named & PlaceSet::from_bits(situation.set());
                member(wanted.first().map_or(LAST, Place::number))
            }
            (Self::Move { to, force, .. }, Phase::MoveCount) => {
                let mover = situation.mover()?;
                let is_main = to.is_some() && situation.destination() == to;
                let numbers = if is_main { force } else { GUARD };
                Some(situation.number(numbers[mover.idx()].into()))
            }
            (Self::Battle { against, .. }, Phase::BattleAgainst) => member(against.number()),
            (Self::Sail { to }, Phase::SailTo) => member(to.number()),
            (Self::Sail { .. }, Phase::SailCount) => Some(situation.number(u16::MAX)),
            _ => None,
        }
    }
}

/// Appends the macro-actions of the player in turn. `gains` records the gains of considered purchases.
pub(super) fn macro_actions(
    w: &Weights,
    situation: &Situation<'_>,
    gains: &mut Gains,
    out: &mut Vec<MacroAction>,
) {
    if situation.actions_left() == 0 {
        out.push(MacroAction::End);
        if situation.offers(Verb::Take) {
            takes(situation, out); // cards that cost no action
        }
        return;
    }
    out.push(MacroAction::Pass);
    if situation.offers(Verb::Tax) {
        out.push(MacroAction::Tax);
    }
    if situation.offers(Verb::Take) {
        takes(situation, out);
    }
    if situation.offers(Verb::Recruit) {
        situation.recruiting_grounds().iter().for_each(|place| recruits(w, situation, place, out));
    }
    if situation.offers(Verb::Buy) {
        situation.markets().iter().for_each(|place| purchases(situation, place, out));
    }
    if situation.offers(Verb::Move) {
        let time = TimeLeft::of(w, situation);
        situation.departures().iter().for_each(|from| moves(w, &time, situation, from, gains, out));
    }
    if situation.offers(Verb::Battle) {
        situation.battlefields().iter().for_each(|place| battles(w, situation, place, out));
    }
    if situation.offers(Verb::Sail) {
        sails(w, situation, out);
    }
}

/// Appends the taking of every card, but only of the best Senator.
fn takes(situation: &Situation<'_>, out: &mut Vec<MacroAction>) {
    let cards = situation.takeable();
    out.extend((cards & Card::SENATORS).last().map(MacroAction::Take));
    out.extend((cards - Card::SENATORS).iter().map(MacroAction::Take));
}

fn recruits(w: &Weights, situation: &Situation<'_>, place: Place, out: &mut Vec<MacroAction>) {
    let me = situation.actor();
    let money = situation.money(me);
    let price = |unit: Unit| situation.price(unit).max(1);
    let mut add = |units: [u8; N_UNITS]| out.push(MacroAction::Recruit { place, units });
    if money >= price(Unit::Infantry) && situation.pool(me, Unit::Infantry) > 0 {
        add([SMALL_LEVY, 0, 0, 0, 0]);
        let bulk = bulk(w, money, price(Unit::Infantry));
        if bulk > SMALL_LEVY {
            add([bulk, 0, 0, 0, 0]);
            let rest = (money - u16::from(MIXED_LEVY) * price(Unit::Infantry))
                .saturating_sub(price(Unit::Cavalry))
                / price(Unit::Catapult);
            add([MIXED_LEVY, 1, rest.min(1) as u8, 0, 0]);
        }
    }
    if money >= price(Unit::General)
        && situation.pool(me, Unit::General) > 0
        && situation.on_map(me, Unit::General) < w.general_most
    {
        add([0, 0, 0, 0, 1]);
    }
    if money >= price(Unit::Galley) && situation.fleets(me).is_empty() {
        add([0, 0, 0, 1, 0]);
    }
}

/// Returns the infantry of the largest recruitment at this `price`.
pub(super) fn bulk(w: &Weights, money: u16, price: u16) -> u8 {
    (money.saturating_sub(w.kept) / price).min(w.bulk.into()) as u8
}

/// The influence for sale in a place.
struct Market {
    /// The number of tokens, by source.
    offered: [u8; 1 + MAX_PLAYERS],
    /// True if one action can buy two tokens.
    sells_two: bool,
}

impl Market {
    fn of(situation: &Situation<'_>, place: Place) -> Option<Self> {
        let me = situation.actor();
        let key = situation.key_at(place)?;
        let mut offered = [0u8; 1 + MAX_PLAYERS];
        offered[0] = situation.tokens(key);
        for q in situation.enemies(me).iter() {
            let is_guarded = situation.armies(q).contains(place);
            offered[1 + q.idx()] = if is_guarded { 0 } else { situation.influence_in(q, key) };
        }
        let sells_two = situation.bought_per_action(situation.caesar(me) == Some(place)) > 1
            && situation.money(me) >= 2 * situation.influence_price()
            && situation.supply(me) > 1;
        Some(Self { offered, sells_two })
    }

    fn sources(&self) -> impl Iterator<Item = (Source, u8)> {
        Source::ALL.into_iter().zip(self.offered).filter(|&(_, n)| n > 0)
    }

    /// Returns the sources of a second token after one from `first`.
    fn seconds(&self, first: Source) -> impl Iterator<Item = Source> {
        let is_left =
            move |&(source, n): &(Source, u8)| source >= first && n > u8::from(source == first);
        self.sources().filter(is_left).filter(|_| self.sells_two).map(|(source, _)| source)
    }
}

/// Appends all purchases of two tokens, or of one token if there is no second.
fn purchases(situation: &Situation<'_>, place: Place, out: &mut Vec<MacroAction>) {
    let Some(market) = Market::of(situation, place) else { return };
    for (first, _) in market.sources() {
        let before = out.len();
        let buy = |second| MacroAction::Buy { place, first, second };
        out.extend(market.seconds(first).map(|second| buy(Some(second))));
        if out.len() == before {
            out.push(buy(None));
        }
    }
}

/// Appends macro-actions that are rarely best and would take the greedy agent too much time: a single token instead of
/// two, infantry for all the money, and seas without another purpose.
pub(super) fn rare_actions(w: &Weights, situation: &Situation<'_>, out: &mut Vec<MacroAction>) {
    if situation.actions_left() == 0 {
        return;
    }
    if situation.offers(Verb::Buy) {
        situation.markets().iter().for_each(|place| single_purchases(situation, place, out));
    }
    if situation.offers(Verb::Recruit) {
        situation
            .recruiting_grounds()
            .iter()
            .for_each(|place| levy_of_all(w, situation, place, out));
    }
    if situation.offers(Verb::Sail) {
        for to in situation.set_of_ports().iter() {
            let macro_action = MacroAction::Sail { to };
            if !out.contains(&macro_action) {
                out.push(macro_action);
            }
        }
    }
}

fn single_purchases(situation: &Situation<'_>, place: Place, out: &mut Vec<MacroAction>) {
    let Some(market) = Market::of(situation, place) else { return };
    for (first, _) in market.sources() {
        if market.seconds(first).next().is_some() {
            out.push(MacroAction::Buy { place, first, second: None });
        }
    }
}

fn levy_of_all(w: &Weights, situation: &Situation<'_>, place: Place, out: &mut Vec<MacroAction>) {
    let me = situation.actor();
    let (money, price) = (situation.money(me), situation.price(Unit::Infantry).max(1));
    let most = (money / price).min(situation.pool(me, Unit::Infantry).into()) as u8;
    if most > bulk(w, money, price).max(SMALL_LEVY) {
        out.push(MacroAction::Recruit { place, units: [most, 0, 0, 0, 0] });
    }
}

/// Appends marches of leaders and army to the place with the largest purchase. A garrison stays with every unguarded
/// influence on the way.
fn moves(
    w: &Weights,
    time: &TimeLeft,
    situation: &Situation<'_>,
    from: Place,
    gains: &mut Gains,
    out: &mut Vec<MacroAction>,
) {
    let me = situation.actor();
    let by_land = gains.by_land(situation, me, from);
    let reach = (by_land | situation.reach_by_sea(me, from)) & situation.keys();
    let [infantry, cavalry, catapults] = situation.troops(me, from);
    let generals = situation.generals(me, from);
    let has_caesar = situation.caesar(me) == Some(from);
    let guards = unguarded(situation, reach, infantry.saturating_sub(1));
    let n_guards = guards.len() as u8;
    if !guards.is_empty() {
        out.push(MacroAction::Move { from, to: None, force: [0; N_MOVERS], guards });
    }
    let is_home = situation.key_at(from).is_some_and(|key| situation.influence_in(me, key) > 0);
    let stay = u8::from(is_home);
    let wanted = wanted(situation, me)[usize::from(has_caesar)];
    // The best destination is enough. Agents that tried the two best were no stronger: an agent that tried one, against
    // three that tried two, got 0.2538 [0.2427, 0.2653] of the points (1,000 blocks).
    let mut best = (0.0, None);
    for to in reach.iter() {
        let Some(key) = situation.key_at(to) else { continue };
        let gain = gains.at(key, wanted, || gain_of(w, time, situation, me, key, wanted));
        if gain > best.0 {
            best = (gain, Some(to));
        }
    }
    let (_, Some(to)) = best else { return };
    out.push(march_guarding(situation, from, guards, to));
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

/// Returns the march of the whole stack from `from` to `to`. It leaves a garrison for every unguarded influence within
/// `reach` and, at home, one garrison.
pub(super) fn march(
    situation: &Situation<'_>,
    from: Place,
    reach: PlaceSet,
    to: Place,
) -> MacroAction {
    let [infantry, ..] = situation.troops(situation.actor(), from);
    let guards = unguarded(situation, reach, infantry.saturating_sub(1));
    march_guarding(situation, from, guards, to)
}

/// Returns the march of the whole stack from `from` to `to`. It leaves a garrison for each of `guards` and, at home,
/// one garrison.
fn march_guarding(
    situation: &Situation<'_>,
    from: Place,
    guards: PlaceSet,
    to: Place,
) -> MacroAction {
    let me = situation.actor();
    let [infantry, cavalry, catapults] = situation.troops(me, from);
    let is_home = situation.key_at(from).is_some_and(|key| situation.influence_in(me, key) > 0);
    let kept = u8::from(is_home) + guards.len() as u8;
    let has_caesar = u8::from(situation.caesar(me) == Some(from));
    let left = infantry.saturating_sub(kept);
    let force = [left, cavalry, catapults, situation.generals(me, from), has_caesar];
    MacroAction::Move { from, to: Some(to), force, guards: guards.with(to, false) }
}

/// Returns places of own influence within `reach` without an army beside it, at most one per guard.
fn unguarded(situation: &Situation<'_>, reach: PlaceSet, guards: u8) -> PlaceSet {
    let me = situation.actor();
    let has_influence = |&place: &Place| {
        situation.key_at(place).is_some_and(|key| situation.influence_in(me, key) > 0)
    };
    let alone = ((reach & situation.keys()) - situation.armies(me)).iter();
    alone.filter(has_influence).take(guards.into()).collect()
}

/// Appends the battles that are likely to be won.
pub(super) fn battles(
    w: &Weights,
    situation: &Situation<'_>,
    place: Place,
    out: &mut Vec<MacroAction>,
) {
    let me = situation.actor();
    let army = |q: Player| -> [u8; N_MILITARY] {
        let [infantry, cavalry, catapults] = situation.troops(q, place);
        [infantry, cavalry, catapults, 0]
    };
    let enemies = situation.enemies(me);
    for q in enemies.iter() {
        let is_there = situation.armies(q).contains(place);
        if is_there && odds(army(me), army(q)) > w.fair {
            out.push(MacroAction::Battle { place, against: q });
        }
        let has_only_leaders = !is_there && situation.leaders(q).contains(place);
        if has_only_leaders && situation.city_owner(place) == Some(q) {
            out.push(MacroAction::Battle { place, against: q });
        }
    }
}

/// Appends voyages to the shores with most to gain, and against weaker fleets.
fn sails(w: &Weights, situation: &Situation<'_>, out: &mut Vec<MacroAction>) {
    let me = situation.actor();
    let fleets = situation.fleets(me);
    let galleys: u8 = fleets.iter().map(|z| situation.galleys(me, z)).sum();
    let enemies = situation.enemies(me);
    let value = |zone: Zone| -> u32 {
        (situation.shore(zone) & situation.keys())
            .iter()
            .filter_map(|p| situation.key_at(p))
            .map(|key| u32::from(situation.tokens(key) + situation.influence_in(me, key)))
            .sum()
    };
    let ports = situation.set_of_ports();
    let values =
        ports.iter().filter(|&zone| !fleets.contains(zone)).map(|zone| (value(zone), zone));
    let best = values.max_by_key(|&(value, _)| value);
    out.extend(best.map(|(_, to)| MacroAction::Sail { to }));
    for zone in ports.iter() {
        let theirs: u8 = enemies.iter().map(|q| situation.galleys(q, zone)).sum();
        if theirs > 0 && galleys > theirs + w.fleet_edge {
            out.push(MacroAction::Sail { to: zone });
        }
    }
}
