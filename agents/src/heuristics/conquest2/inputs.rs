//! The inputs of a net that values positions of conquest2: what lies where, on the whole map, seat by seat.
//!
//! All is counted of the world that is given: of a hand of Senators the one that it has there. Seats are told apart by what
//! they have, by their place in the order of turns and by their alliances, never by their number.

use engine::games::conquest2::board::N_PROVINCES;
use engine::games::conquest2::{Card, CardKind, Conquest2, Key, Phase, Place, Situation, State};
use engine::{ByPlayer, MAX_PLAYERS, Player};

use super::evaluation::Standing;
use super::input_groups::{COUNTS, KEYS, LAYOUT, PURSES, SEAT, TABLE};
use super::value::{Features, ValueFunction};
use super::weights::Weights;
use crate::net::{Inputs, Layout, NetInputs, Slot};

/// The strength of an infantry, a cavalry and a catapult, in quarters of an infantry.
pub(super) const STRENGTHS: [i32; 3] = [4, 5, 6];

/// The factor on each count of the value function.
const FACTORS: [f32; COUNTS] = {
    let mut all = [1.0; COUNTS];
    // Points of purchases: in quarters of a point. Cards: half a card is one.
    all[14] = 4.0;
    all[15] = 4.0;
    all[20] = 2.0;
    all
};

const fn seat(name: &str) -> Slot {
    Slot::of(SEAT, name)
}

const fn table(name: &str) -> Slot {
    Slot::of(TABLE, name)
}

const INFLUENCE: Slot = seat("influence");
const POINTS: Slot = seat("points");
const ARMY: Slot = seat("army");
const FOES: Slot = seat("foes");
const STRENGTH: Slot = seat("strength");
const HOSTILE: Slot = seat("hostile");
const FRIENDLY: Slot = seat("friendly");
const NEAR: Slot = seat("near");
const LEAD: Slot = seat("lead");
const LEADS: Slot = seat("leads");
const LEADER: Slot = seat("leader");
const CAESAR: Slot = seat("caesar");
const APPROACH: Slot = seat("approach");
const FOR_SALE: Slot = seat("for_sale");
const RIVAL: Slot = seat("rival");
const OUTNUMBERED: Slot = seat("outnumbered");
const ONE_MORE: Slot = seat("one_more");
const TWO_MORE: Slot = seat("two_more");
const BUYS_ONE: Slot = seat("buys_one");
const BUYS_TWO: Slot = seat("buys_two");
const TROOPS_AT: [Slot; 3] = [seat("infantry_at"), seat("cavalry_at"), seat("catapults_at")];
const GENERALS_AT: Slot = seat("generals_at");
const CAESAR_AT: Slot = seat("caesar_at");
const GALLEYS_AT: Slot = seat("galleys_at");
const CITY_AT: Slot = seat("city_at");
const HELD: Slot = seat("held");
const SENATORS: Slot = seat("senators");
const MERCHANTS_AT: Slot = seat("merchants_at");
const COUNT: Slot = seat("counts");
const PURSE: Slot = seat("purse");
const ORDER: Slot = seat("order");
const CHAOS_LEAD: Slot = seat("chaos_lead");
const POINTS_LEAD: Slot = seat("points_lead");
const MIGHT: Slot = seat("might");
const ON_TURN: Slot = seat("on_turn");
const SUPPLY: Slot = seat("supply");
const VOTES_LEAD: Slot = seat("votes_lead");
const PHASE: Slot = table("phase");
const TOKENS: Slot = table("tokens");
const BAG: Slot = table("bag");
const DISPLAY: Slot = table("display");
const NO_ROUND: Slot = table("no_round");
const UNALLIED: Slot = table("unallied");

/// Counts inputs; `Weights` weigh what could be bought.
#[derive(Clone, Debug)]
pub(super) struct Counted(pub(super) Weights);

impl NetInputs<Conquest2> for Counted {
    fn layout(&self) -> Layout {
        LAYOUT
    }

    fn count(&self, game: &Conquest2, state: &State, inputs: &mut Inputs) -> bool {
        let situation = game.situation(state);
        let Some(phase) = ValueFunction::phase_number(&situation) else { return false };
        count(&situation, phase, &Features::of(&self.0, &situation), inputs);
        true
    }
}

/// Intermediate results that several inputs are counted from.
struct Ground<'a> {
    situation: &'a Situation<'a>,
    standings: [Standing; KEYS],
    /// Strength of the land military of a player in a province.
    might: [[i32; N_PROVINCES]; MAX_PLAYERS],
}

/// Fills `inputs` with those of a position at a phase of the value function, whose counts are `features`.
pub(super) fn count(
    situation: &Situation<'_>,
    phase: usize,
    features: &Features,
    inputs: &mut Inputs,
) {
    inputs.begin(situation.n_players(), phase);
    let mut ground = Ground {
        situation,
        standings: [Standing::new(ByPlayer::default()); KEYS],
        might: [[0; N_PROVINCES]; MAX_PLAYERS],
    };
    for key in situation.all_keys() {
        ground.standings[key.idx()] = Standing::of(situation, key);
    }
    for q in situation.players() {
        for place in situation.armies(q).iter() {
            let troops = situation.troops(q, place);
            let strength = troops.iter().zip(STRENGTHS).map(|(&n, each)| i32::from(n) * each).sum();
            ground.might[q.idx()][place.idx()] = strength;
        }
    }
    for q in situation.players() {
        let enemies = situation.enemies(q);
        inputs.of(q).allies =
            situation.players().filter(|&p| p != q && !enemies.contains(p)).collect();
        situation.all_keys().for_each(|key| ground.count_key(q, key, inputs));
        count_map(situation, q, inputs);
        count_cards(situation, q, inputs);
        for (slot, (x, factor)) in features.0[q].iter().zip(FACTORS).enumerate() {
            inputs.of(q).share(COUNT.at(slot), libm::roundf(x * factor) as i32);
        }
        ground.count_whole(q, inputs);
    }
    count_table(situation, phase, inputs);
}

impl Ground<'_> {
    fn count_key(&self, q: Player, key: Key, inputs: &mut Inputs) {
        let (s, k) = (self.situation, key.idx());
        let (place, vp, standing) = (s.place_of(key), s.vp_of(key), &self.standings[k]);
        let (mine, tokens) = (standing.counts[q], s.tokens(key));
        let leaders = s.leaders(q);
        let (here, caesar) = (leaders.contains(place), s.caesar(q) == Some(place));
        let points = standing.points(vp, q);
        let out = inputs.of(q);
        if tokens > 0 || here {
            let [one, two] = [1, 2].map(|more| standing.after(vp, q, more) - points);
            if tokens > 0 {
                out.add(ONE_MORE.at(k), one);
            }
            if tokens > 1 {
                out.add(TWO_MORE.at(k), two);
            }
            if here {
                out.add(BUYS_ONE.at(k), one);
            }
            if caesar {
                out.add(BUYS_TWO.at(k), two);
            }
        }
        if mine == 0 && !here {
            return;
        }
        let rivals = s.players().filter(|&p| p != q).map(|p| standing.counts[p]);
        let best = rivals.max().unwrap_or(0);
        let around = self.around(q, place);
        out.share(INFLUENCE.at(k), mine);
        out.share(POINTS.at(k), points);
        out.add(ARMY.at(k), s.armies(q).contains(place));
        out.add(FOES.at(k), around.foes);
        out.add(STRENGTH.at(k), around.strength);
        out.add(HOSTILE.at(k), around.hostile);
        out.add(FRIENDLY.at(k), around.friendly);
        out.add(NEAR.at(k), around.near);
        out.add(LEAD.at(k), i32::from(mine) - i32::from(best));
        out.add(LEADS.at(k), mine > best);
        out.add(LEADER.at(k), here);
        out.add(CAESAR.at(k), caesar);
        out.add(APPROACH.at(k), !(s.beside(place) & leaders).is_empty());
        out.add(FOR_SALE.at(k), tokens);
        out.add(RIVAL.at(k), best);
        let is_outnumbered = mine > 0 && around.hostile + around.near > around.strength;
        out.add(OUTNUMBERED.at(k), is_outnumbered);
    }

    /// Returns the land military at a place and beside it, as `q` sees it.
    fn around(&self, q: Player, place: Place) -> Around {
        let s = self.situation;
        let mut around = Around { strength: self.might[q.idx()][place.idx()], ..Around::default() };
        let (enemies, beside) = (s.enemies(q), s.beside(place));
        for p in s.players().filter(|&p| p != q) {
            let (might, armies) = (&self.might[p.idx()], s.armies(p));
            if enemies.contains(p) {
                around.hostile += might[place.idx()];
                around.foes += i32::from(armies.contains(place));
                around.near +=
                    (beside & armies).iter().map(|other| might[other.idx()]).sum::<i32>();
            } else {
                around.friendly += might[place.idx()];
            }
        }
        around
    }

    /// Counts what is not of one place.
    fn count_whole(&self, q: Player, inputs: &mut Inputs) {
        let s = self.situation;
        let out = inputs.of(q);
        let best =
            |of: &dyn Fn(Player) -> i32| s.players().filter(|&p| p != q).map(of).max().unwrap_or(0);
        let lead = |of: &dyn Fn(Player) -> i32| of(q) - best(of);
        out.add(CHAOS_LEAD, lead(&|p| s.chaos(p).into()));
        out.add(POINTS_LEAD, lead(&|p| s.vp(p).into()));
        out.add(VOTES_LEAD, lead(&|p| s.votes(p).into()));
        let enemies = s.enemies(q);
        let mut might = [0; 3];
        for p in s.players() {
            let side = match () {
                () if p == q => 0,
                () if enemies.contains(p) => 1,
                () => 2,
            };
            might[side] += self.might[p.idx()].iter().sum::<i32>();
        }
        for (slot, might) in might.into_iter().enumerate() {
            out.add(MIGHT.at(slot), might / STRENGTHS[0]);
        }
        for (slot, least) in PURSES.into_iter().enumerate() {
            out.share(PURSE.at(slot), s.money(q) >= least);
        }
        if let Some(position) = s.position_of(q) {
            out.share(ORDER.at(position), 1);
        }
        out.share(ON_TURN, s.phase() == Phase::Top && s.is_actor(q));
        out.share(SUPPLY, s.supply(q));
    }
}

/// Land military at a place, in quarters of an infantry, and the enemies that have some there.
#[derive(Clone, Copy, Default)]
struct Around {
    strength: i32,
    hostile: i32,
    friendly: i32,
    near: i32,
    foes: i32,
}

/// Counts units and cities by place.
fn count_map(s: &Situation<'_>, q: Player, inputs: &mut Inputs) {
    let out = inputs.of(q);
    for place in (s.armies(q) | s.leaders(q)).iter() {
        for (slot, count) in TROOPS_AT.into_iter().zip(s.troops(q, place)) {
            out.share(slot.at(place.idx()), count);
        }
        out.share(GENERALS_AT.at(place.idx()), s.generals(q, place));
    }
    if let Some(place) = s.caesar(q) {
        out.share(CAESAR_AT.at(place.idx()), 1);
    }
    for zone in s.fleets(q).iter() {
        out.share(GALLEYS_AT.at(zone.idx()), s.galleys(q, zone));
    }
    for place in s.cities(q).iter() {
        out.share(CITY_AT.at(place.idx()), 1);
    }
}

fn count_cards(s: &Situation<'_>, q: Player, inputs: &mut Inputs) {
    let out = inputs.of(q);
    for (card, number) in s.held_cards(q) {
        out.share(HELD.at(card.idx()), number);
        if let (CardKind::Merchant(i), Some(key)) = (card.kind(), s.merchant_key(card)) {
            out.add(MERCHANTS_AT.at(i.into()), s.influence_in(q, key));
        }
    }
    for (value, number) in s.senators(q).into_iter().enumerate() {
        out.share(SENATORS.at(value), number);
    }
}

fn count_table(s: &Situation<'_>, phase: usize, inputs: &mut Inputs) {
    let mut add = |slot: Slot, count: i32| inputs.table.extend(slot.entry(count));
    add(PHASE.at(phase), 1);
    for key in s.all_keys() {
        add(TOKENS.at(key.idx()), s.tokens(key).into());
        add(BAG.at(key.idx()), s.bagged(key).into());
    }
    for card in Card::all() {
        add(DISPLAY.at(card.idx()), s.displayed(card).into());
    }
    add(NO_ROUND, s.round().is_none().into());
    add(UNALLIED, s.unallied().len() as i32);
}
