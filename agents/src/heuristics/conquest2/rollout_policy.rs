//! The rollout policy for single plies: rules of thumb for auctions, placement, battles, votes and cards.
//!
//! The policy sees a decision as its actor does, and it is cheap. It also plays the others while a macro-action is
//! tried. Losses, retreats and refuges use constants, where other decisions use weights. The reason is that the exact
//! odds of battles ([`odds`](super::odds)) assume these decisions for all players.

use engine::Player;
use engine::bits::each;
use engine::games::conquest2::cards::Vote;
use engine::games::conquest2::units::{N_MILITARY, Unit};
use engine::games::conquest2::{Action, Mover, Phase, Place, Side, Situation, Zone};

use super::evaluation::{CHAOS_PER_SEASON, Standing, TimeLeft, gain_at};
use super::weights::Weights;

/// The bit of `done`, `stop`, `stay` and `no-attack`.
const LAST: u8 = 63;
/// The probability that the n-th infantry of an army scores with four dice, on two faces of six: at least n dice show
/// infantry.
const USE_OF_INFANTRY: [f32; 5] = [0.80, 0.41, 0.11, 0.01, 0.0];
/// The probability that the n-th unit of another kind scores with four dice, on one face of six.
const USE_OF_OTHERS: [f32; 5] = [0.52, 0.13, 0.02, 0.0, 0.0];
/// A value below an influence token. It decides between places with equal influence.
const TIE_BREAK: f32 = 0.5;

/// Returns the actor's action in a decision that no macro-action answers.
pub(super) fn rollout_ply(w: &Weights, situation: &Situation<'_>) -> Action {
    match situation.phase() {
        Phase::Bid => bid(w, situation),
        Phase::Propose => propose(w, situation),
        Phase::PlaceCaesar | Phase::PlaceGeneral => settle(w, situation),
        Phase::PlaceGalley => best_member(situation, |z| shore_value(w, situation, Zone::new(z))),
        Phase::PlaceCount => place_count(w, situation),
        Phase::Tax | Phase::Commit => situation.number(u16::MAX),
        Phase::CityIn => best_place(situation, |p| own_influence(situation, p)),
        Phase::BarbariansFrom => {
            best_place(situation, |p| f32::from(army_size(situation, situation.actor(), p)))
        }
        Phase::BarbariansCount => {
            let is_military = situation.mover().is_some_and(Mover::is_military);
            situation.number(if is_military { u16::MAX } else { 0 })
        }
        Phase::BribeTarget => best_seat(situation, |q| f32::from(situation.votes(q))),
        Phase::RevoltIn => best_place(situation, |p| revolt_value(w, situation, p)),
        Phase::RevoltTarget => best_seat(situation, |q| revolt_target_value(situation, q)),
        Phase::Lend => situation.number(loan(w, situation)),
        Phase::Losses => losses(situation),
        Phase::Retreat => retreat(situation),
        Phase::Withdraw => best_place(situation, |p| refuge(situation, p)),
        Phase::Wind => wind(situation),
        Phase::SailAttack => sail_attack(situation),
        Phase::Vote => vote(w, situation),
        Phase::LegionsIn => best_place(situation, |p| {
            own_influence(situation, p)
                + if situation.armies(situation.actor()).contains(p) { 0.0 } else { TIE_BREAK }
        }),
        _ if situation.set() == 0 => situation.number(0),
        Phase::MoveTo | Phase::BuyMore if situation.set() >> LAST & 1 == 1 => {
            situation.member(LAST)
        }
        _ => situation.first(),
    }
}

/// Returns the option with the highest value. The words of the last bit are left out.
fn best_member(situation: &Situation<'_>, value: impl Fn(u8) -> f32) -> Action {
    let mut best = None;
    for member in each(situation.set() & !(1 << LAST)) {
        let value = value(member);
        if best.is_none_or(|(_, highest)| value > highest) {
            best = Some((member, value));
        }
    }
    best.map_or_else(|| situation.first(), |(member, _)| situation.member(member))
}

/// Returns [`best_member`] for members that are provinces.
fn best_place(situation: &Situation<'_>, value: impl Fn(Place) -> f32) -> Action {
    best_member(situation, |member| value(Place::new(member)))
}

/// Returns [`best_member`] for members that are seats.
fn best_seat(situation: &Situation<'_>, value: impl Fn(Player) -> f32) -> Action {
    best_member(situation, |member| value(Player::of(member)))
}

pub(super) fn army_size(situation: &Situation<'_>, player: Player, place: Place) -> u8 {
    situation.troops(player, place).iter().sum()
}

fn own_influence(situation: &Situation<'_>, place: Place) -> f32 {
    situation
        .key_at(place)
        .map_or(0.0, |key| f32::from(situation.influence_in(situation.actor(), key)))
}

// --- auctions ---

/// Returns the value of an alliance for the actor: an early turn, a strong ally, victims outside the alliance, and a
/// preference.
fn alliance_value(w: &Weights, situation: &Situation<'_>, position: usize, ally: Player) -> f32 {
    let army: u8 = Unit::LAND_MILITARY.map(|unit| situation.on_map(ally, unit)).iter().sum();
    let prey: u8 = situation
        .all_keys()
        .filter(|&key| !situation.armies(ally).contains(situation.place_of(key)))
        .map(|key| situation.influence_in(ally, key))
        .sum();
    let later = position as f32;
    let fancy = if w.ally_fancy > 0.0 { w.ally_fancy * fancy(situation, ally) } else { 0.0 };
    w.ally_army * f32::from(army) - w.ally_prey * f32::from(prey) - w.earlier * later + fancy
}

/// Returns a preference from 0 to 1 for an ally if nothing else decides. At the start all partners have equal value. A
/// choice by seat would make one seat everyone's partner, which is worth more than most cards. The dealt influence of a
/// player differs from game to game, so the preference does as well. It is equal for all who look at this player.
fn fancy(situation: &Situation<'_>, ally: Player) -> f32 {
    /// 2⁶⁴ over the golden ratio, for multiplicative hashing (Knuth 1973, section 6.4).
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = situation.all_keys().fold(GOLDEN, |mixed, key| {
        (mixed.rotate_left(5) ^ u64::from(situation.influence_in(ally, key))).wrapping_mul(GOLDEN)
    });
    // The upper 16 bits are the best mixed.
    f32::from((mixed >> 48) as u16) / 65536.0
}

/// Returns the position to which the next box A leads.
fn next_position(situation: &Situation<'_>) -> usize {
    situation.n_players() - situation.unallied().len()
}

/// Returns the best unallied partner of the actor, with the value of an early turn with this partner.
fn best_partner(w: &Weights, situation: &Situation<'_>) -> Option<(Player, f32)> {
    let (me, unallied) = (situation.actor(), situation.unallied());
    if !unallied.contains(me) {
        return None;
    }
    unallied
        .iter()
        .filter(|&q| q != me)
        .map(|q| (q, alliance_value(w, situation, next_position(situation), q)))
        .max_by(|a, b| a.1.total_cmp(&b.1))
}

fn bid(w: &Weights, situation: &Situation<'_>) -> Action {
    const PASS: u8 = 0;
    const BID: u8 = 1;
    let (Some((_, best)), Some((standing, boxes))) =
        (best_partner(w, situation), situation.standing_bid())
    else {
        return situation.member(if situation.set() & 1 == 1 { PASS } else { BID });
    };
    let me = situation.actor();
    let position = next_position(situation);
    let present = match boxes {
        [Some(a), Some(b)] if a == me => alliance_value(w, situation, position, b),
        [Some(a), Some(b)] if b == me => alliance_value(w, situation, position + 1, a),
        _ => best - w.earlier * w.left_out,
    };
    let price = w.talent * f32::from(standing + situation.bid_step());
    let wants = situation.set() >> BID & 1 == 1 && best - present > price;
    situation.member(if wants { BID } else { PASS })
}

fn propose(w: &Weights, situation: &Situation<'_>) -> Action {
    match best_partner(w, situation) {
        Some((partner, _)) => situation.proposal(Some(situation.actor()), Some(partner)),
        None => situation.first(),
    }
}

// --- starting units ---

/// Places a leader where most can be bought, and the general apart from the caesar.
fn settle(w: &Weights, situation: &Situation<'_>) -> Action {
    // The penalty exceeds any purchase. Two leaders start in one place only without an alternative.
    const TAKEN: f32 = 100.0;
    let me = situation.actor();
    let time = TimeLeft::of(w, situation);
    let is_caesar = situation.phase() == Phase::PlaceCaesar;
    best_place(situation, |place| {
        let Some(key) = situation.key_at(place) else { return 0.0 };
        let is_taken = situation.leaders(me).contains(place);
        let gain = gain_at(w, &time, situation, me, key, is_caesar);
        gain - if is_taken { TAKEN } else { 0.0 }
    })
}

/// Returns the use of a galley in a zone: own influence and tokens for sale on its shores.
fn shore_value(w: &Weights, situation: &Situation<'_>, zone: Zone) -> f32 {
    (situation.shore(zone) & situation.keys())
        .iter()
        .filter_map(|p| situation.key_at(p))
        .map(|key| {
            w.shore
                + f32::from(situation.tokens(key))
                + f32::from(situation.influence_in(situation.actor(), key))
        })
        .sum()
}

/// Places one infantry in every home, the bulk with the caesar, and `general_guard` with a general.
fn place_count(w: &Weights, situation: &Situation<'_>) -> Action {
    let (me, Some(home)) = (situation.actor(), situation.home_counted()) else {
        return situation.first();
    };
    let (_, most) = situation.range();
    let later = situation.homes_left().saturating_sub(1) as u16;
    let has_caesar = situation.caesar(me) == Some(home);
    let has_leader = situation.leaders(me).contains(home);
    let is_infantry = situation.placed() == Some(Unit::Infantry);
    situation.number(match (has_caesar, has_leader, is_infantry) {
        (true, _, true) => most.saturating_sub(later + 1),
        (true, _, false) => most,
        (_, true, true) => w.general_guard.into(),
        (_, false, true) => 1,
        _ => 0,
    })
}

// --- cards ---

fn revolt_value(w: &Weights, situation: &Situation<'_>, place: Place) -> f32 {
    let me = situation.actor();
    situation
        .players()
        .map(|q| {
            let army = f32::from(army_size(situation, q, place).min(w.revolt_most));
            let at_stake = situation
                .key_at(place)
                .map_or(0.0, |key| f32::from(situation.influence_in(q, key)));
            let damage = army + at_stake;
            if q == me {
                -w.revolt_own * damage
            } else if situation.are_allied(q, me) {
                w.revolt_ally * damage
            } else {
                damage
            }
        })
        .sum()
}

fn revolt_target_value(situation: &Situation<'_>, player: Player) -> f32 {
    // The bonus exceeds any score. An ally is named only if there is no enemy.
    const ENEMY: f32 = 1000.0;
    let is_enemy = !situation.are_allied(player, situation.actor());
    f32::from(situation.vp(player)) + if is_enemy { ENEMY } else { 0.0 }
}

// --- battles ---

/// Lends to a battle if the lender has influence to lose there.
fn loan(w: &Weights, situation: &Situation<'_>) -> u16 {
    let (_, most) = situation.range();
    let at_stake = situation.battle_place().map_or(0.0, |place| own_influence(situation, place));
    if at_stake > 0.0 { (w.loan * f32::from(most)) as u16 } else { 0 }
}

/// Returns the sums of the first 0, 1, 2, … probabilities.
const fn sums(chances: [f32; 5]) -> [f32; 6] {
    let mut sums = [0.0; 6];
    let mut n = 0;
    while n < chances.len() {
        sums[n + 1] = sums[n] + chances[n];
        n += 1;
    }
    sums
}

/// Returns the expected hits of an army in one round with four dice.
pub(super) fn expected_hits(army: [u8; N_MILITARY]) -> f32 {
    const INFANTRIES: [f32; 6] = sums(USE_OF_INFANTRY);
    const OTHERS: [f32; 6] = sums(USE_OF_OTHERS);
    INFANTRIES[usize::from(army[Unit::Infantry]).min(5)]
        + army[1..].iter().map(|&n| OTHERS[usize::from(n).min(5)]).sum::<f32>()
}

/// The strength of an army in a battle: units, and expected hits in one round with four dice.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strength {
    size: f32,
    hits: f32,
}

impl Strength {
    pub(super) fn of(army: [u8; N_MILITARY]) -> Self {
        Self { size: f32::from(army.iter().sum::<u8>()), hits: expected_hits(army) }
    }
}

/// Returns the odds of the first army against the second. Above one, the first army probably outlasts the second.
pub(super) fn odds(mine: [u8; N_MILITARY], theirs: [u8; N_MILITARY]) -> f32 {
    likelihood(Strength::of(mine), Strength::of(theirs))
}

fn likelihood(mine: Strength, theirs: Strength) -> f32 {
    // A small strength for an army without units or hits avoids a division by zero and keeps the order.
    const NOBODY: f32 = 0.5;
    const HARMLESS: f32 = 0.05;
    let rounds_to_win = theirs.size.max(NOBODY) / mine.hits.max(HARMLESS);
    let rounds_to_lose = mine.size.max(NOBODY) / theirs.hits.max(HARMLESS);
    rounds_to_lose / rounds_to_win
}

/// Returns the loss of a commander with the last of `left` own units of a kind: its probability of scoring, plus a
/// small share of its price in talents.
pub(super) fn loss_cost(unit: Unit, left: u8, price: u16) -> f32 {
    // The factor is small: the prices of all kinds differ by less than a relevant probability.
    const PER_TALENT: f32 = 0.002;
    let chance = if unit == Unit::Infantry { &USE_OF_INFANTRY } else { &USE_OF_OTHERS };
    chance[usize::from(left).clamp(1, 5) - 1] + PER_TALENT * f32::from(price)
}

/// Returns the unit kind of which a commander gives up an own unit next.
///
/// With every loss the other units of the kind become more valuable ([`loss_cost`]). So `n` losses at once and one
/// after the other take equal units.
pub(super) fn next_loss(left: [u8; N_MILITARY], cost: impl Fn(Unit, u8) -> f32) -> Option<Unit> {
    let cost = |unit: Unit| cost(unit, left[unit]);
    Unit::MILITARY
        .into_iter()
        .filter(|&unit| left[unit] > 0)
        .min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
}

/// Returns the losses: Diplomacy troops and loans first, then the own units that score least.
pub(super) fn losses(situation: &Situation<'_>) -> Action {
    let (unit, owner) = situation.loss();
    let me = situation.actor();
    if owner != Some(me) {
        return situation.number(u16::MAX);
    }
    let mut left = situation.engaged(me);
    left[..unit.idx()].fill(0); // the losses of these kinds are decided already
    let mut here = 0;
    for _ in 0..situation.hits() {
        let cost = |unit: Unit, n: u8| loss_cost(unit, n, situation.price(unit));
        let Some(cheapest) = next_loss(left, cost) else { break };
        left[cheapest] -= 1;
        here += u16::from(cheapest == unit);
    }
    situation.number(here)
}

/// Returns whether a commander gives up a battle if possible. `has_leader` means an own leader.
pub(super) fn flees(mine: Strength, theirs: Strength, has_leader: bool) -> bool {
    // Half the odds of an even battle.
    const HOPELESS: f32 = 0.5;
    (mine.size > 1.0 || has_leader) && likelihood(mine, theirs) < HOPELESS
}

pub(super) fn retreat(situation: &Situation<'_>) -> Action {
    let me = situation.actor();
    let is_defender = situation.commanders()[Side::Defender] == Some(me);
    let side = if is_defender { Side::Defender } else { Side::Attacker };
    let armies = situation.battle_armies().map(Strength::of);
    let has_leader =
        situation.battle_place().is_some_and(|place| situation.leaders(me).contains(place));
    if flees(armies[side], armies[side.other()], has_leader) {
        best_place(situation, |p| refuge(situation, p))
    } else {
        situation.member(LAST)
    }
}

/// Returns the value of a refuge: company, then influence to guard, then possible purchases.
fn refuge(situation: &Situation<'_>, place: Place) -> f32 {
    // The unit is one unit of the army. More company makes no refuge safer. Guarding an influence token counts two
    // units, and a key province counts one.
    const COMPANY: u8 = 4;
    const TOKEN: f32 = 2.0;
    let me = situation.actor();
    let enemies = situation.enemies(me);
    let threat: u8 = enemies.iter().map(|q| army_size(situation, q, place)).sum();
    let key = f32::from(u8::from(situation.key_at(place).is_some()));
    f32::from(army_size(situation, me, place).min(COMPANY))
        + TOKEN * own_influence(situation, place)
        + key
        - f32::from(threat)
}

fn galleys_in_battle(situation: &Situation<'_>) -> [f32; 2] {
    let galleys = |q| situation.battle_zone().map_or(0, |zone| situation.galleys(q, zone));
    situation.commanders().map(|q| q.map_or(0.0, |q| f32::from(galleys(q))))
}

fn wind(situation: &Situation<'_>) -> Action {
    const YES: u8 = 0;
    const NO: u8 = 1;
    let [attacker, defender] = galleys_in_battle(situation);
    situation.member(if attacker >= defender { YES } else { NO })
}

fn sail_attack(situation: &Situation<'_>) -> Action {
    let galleys = |q: Player| {
        situation.zone_under_way().map_or(0.0, |zone| f32::from(situation.galleys(q, zone)))
    };
    let weakest = each(situation.set() & !(1 << LAST))
        .map(Player::of)
        .min_by(|&a, &b| galleys(a).total_cmp(&galleys(b)));
    match weakest {
        Some(q) if galleys(situation.actor()) > galleys(q) || situation.set() >> LAST == 0 => {
            situation.member(q.number())
        }
        _ => situation.member(LAST),
    }
}

// --- votes ---

/// Returns the value of winning a vote for the actor.
fn vote_value(w: &Weights, situation: &Situation<'_>, vote: Vote) -> f32 {
    let me = situation.actor();
    let gain = situation.vote_gain(vote);
    let number = f32::from(gain);
    let time = TimeLeft::of(w, situation);
    match vote {
        Vote::EmergencyTax => number * w.talent * time.use_of_means,
        Vote::BreadAndCircuses => {
            let relief = f32::from(situation.chaos(me).min(gain));
            f32::from(situation.chaos_penalties()[me]) * w.relief
                + relief * w.chaos * time.seasons * CHAOS_PER_SEASON
        }
        Vote::HailCaesar => number,
        Vote::NewLegions => number * w.infantry * time.use_of_means,
        Vote::InfluenceInRome => situation.key_at(situation.capital()).map_or(0.0, |key| {
            let before = Standing::of(situation, key);
            let mut counts = before.counts;
            counts[me] += gain.min(situation.supply(me).into()) as u8;
            let vp = situation.vp_of(key);
            let more = Standing::new(counts).points(vp, me) - before.points(vp, me);
            more as f32 * time.discounted + number * w.token
        }),
    }
}

/// Returns the cheapest way to outbid the standing show, if the benefit is worth it.
fn vote(w: &Weights, situation: &Situation<'_>) -> Action {
    let Some((vote, standing)) = situation.vote() else { return situation.first() };
    let hand = situation.senators(situation.actor());
    let Some(show) = cheapest_above(hand, standing) else { return situation.number(0) };
    let votes: u16 = show.iter().zip(1..).map(|(&n, value)| u16::from(n) * value).sum();
    let season_left = (situation.n_seasons() - situation.season()) as f32;
    let cost = w.vote * f32::from(votes) * season_left * w.shown;
    if vote_value(w, situation, vote) > cost { situation.show(show) } else { situation.number(0) }
}

/// Returns the show above `standing` with the fewest votes, and among several the one that keeps most cards.
fn cheapest_above(hand: [u8; 4], standing: u16) -> Option<[u8; 4]> {
    let mut best: Option<(u16, u8, [u8; 4])> = None;
    for a in 0..=hand[0] {
        for b in 0..=hand[1] {
            for c in 0..=hand[2] {
                for d in 0..=hand[3] {
                    let show = [a, b, c, d];
                    let votes: u16 =
                        show.iter().zip(1..).map(|(&n, value)| u16::from(n) * value).sum();
                    let cards = a + b + c + d;
                    if votes > standing && best.is_none_or(|(v, n, _)| (votes, cards) < (v, n)) {
                        best = Some((votes, cards, show));
                    }
                }
            }
        }
    }
    best.map(|(.., show)| show)
}

/// Returns whether the actor should use a ready card at the start of the turn. A vote must be valuable to the actor and
/// likely to be won. Cards without a vote always qualify.
pub(super) fn is_vote_worth_calling(
    w: &Weights,
    situation: &Situation<'_>,
    action: Action,
) -> bool {
    let Some(vote) = action.vote() else { return true };
    let me = situation.actor();
    let best_rival =
        situation.players().filter(|&q| q != me).map(|q| situation.votes(q)).max().unwrap_or(0);
    f32::from(situation.votes(me)) > (w.call * f32::from(best_rival)).floor()
        && vote_value(w, situation, vote) > 0.0
}

#[cfg(test)]
mod tests {
    use engine::games::conquest2::Conquest2;
    use engine::{Configure, Rules, Walk};

    use super::*;

    /// Counts the votes on Hail Caesar in random games: those with Senators shown, and all.
    fn shows(settings: &[&str]) -> (u32, u32) {
        let mut rules = Rules::of::<Conquest2>();
        settings.iter().for_each(|setting| rules.set(setting).expect("a setting"));
        let game = Conquest2::configure(3, &rules).expect("good rules");
        let (mut shown, mut all) = (0, 0);
        for index in 0..30 {
            let mut walk = Walk::new(&game, 4, index);
            while walk.next().is_some() {
                let situation = game.situation(walk.state());
                if situation.phase() == Phase::Vote
                    && situation.vote().is_some_and(|(vote, _)| vote == Vote::HailCaesar)
                {
                    all += 1;
                    let ply = rollout_ply(&Weights::default(), &situation);
                    shown += u32::from(ply != situation.number(0));
                }
            }
        }
        (shown, all)
    }

    #[test]
    fn a_vote_is_worth_what_the_rules_give_for_it() {
        let (shown, all) = shows(&[]);
        assert!(shown > 10, "{shown} of {all} by the printed rules");
        let (shown, all) = shows(&["vote.hail_caesar=0"]);
        assert!(shown == 0 && all > 10, "{shown} of {all} for nothing");
    }

    #[test]
    fn the_cheapest_show_is_just_enough() {
        assert_eq!(cheapest_above([1, 1, 1, 0], 0), Some([1, 0, 0, 0]));
        assert_eq!(cheapest_above([1, 1, 1, 0], 2), Some([0, 0, 1, 0]));
        assert_eq!(cheapest_above([1, 1, 1, 0], 6), None);
    }

    #[test]
    fn a_bigger_army_has_better_odds() {
        assert!(odds([8, 2, 1, 0], [1, 0, 0, 0]) > 3.0);
        assert!(odds([1, 0, 0, 0], [4, 1, 0, 0]) < 0.5);
    }
}
