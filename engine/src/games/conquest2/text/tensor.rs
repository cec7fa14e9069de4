//! Numbers of actions, and observations as numbers.
//!
//! Senators are shown by how many of each value, and a bid is its number of steps, up to the most talents that a player
//! can have. Both depend on the rules more than other words do, so they stand last.

use crate::action_index::{ActionBlock, ActionIndex, Values, beside, not_beside};
use crate::bits::each;
use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, NOBODY, Verb};
use crate::games::conquest2::model::battle::Side;
use crate::games::conquest2::model::board::Board;
use crate::games::conquest2::model::cards::{
    Card, CardKind, N_CARDS, N_MERCHANTS, N_VOTES, Slot, Vote,
};
use crate::games::conquest2::model::counts::{Mover, N_MOVERS};
use crate::games::conquest2::model::detail::{Detail, Sailing};
use crate::games::conquest2::model::packed::{counts, nibbles};
use crate::games::conquest2::model::phase::{N_PHASES, Phase};
use crate::games::conquest2::model::place::{N_PROVINCES, N_ZONES, Place, Zone};
use crate::games::conquest2::model::state::{Auction, MOST_TALENTS, State};
use crate::games::conquest2::model::units::{N_MILITARY, N_UNITS, Unit};
use crate::observation::{Fields, ObservationTensor, flag, seat_from, seats_from};
use crate::player::{Player, PlayerSet};
use crate::view::View;

/// The blocks of proposals: two players, the player for box A alone, and for box B alone.
const PROPOSALS: [usize; 3] = [2, 3, 4];
/// The words, each in the place of its block.
const WORDS: [Verb; 44] = [
    Verb::Pass,
    Verb::Bid,
    Verb::Propose,
    Verb::Propose,
    Verb::Propose,
    Verb::PlaceCaesar,
    Verb::PlaceGeneral,
    Verb::PlaceGalley,
    Verb::Count,
    Verb::Take,
    Verb::Recruit,
    Verb::Buy,
    Verb::Tax,
    Verb::Move,
    Verb::Battle,
    Verb::Sail,
    Verb::PassAction,
    Verb::Use,
    Verb::End,
    Verb::Card,
    Verb::In,
    Verb::Source,
    Verb::Stop,
    Verb::From,
    Verb::FromZone,
    Verb::To,
    Verb::ToZone,
    Verb::Done,
    Verb::Against,
    Verb::Target,
    Verb::Attack,
    Verb::NoAttack,
    Verb::Retreat,
    Verb::Stay,
    Verb::Withdraw,
    Verb::WindYes,
    Verb::WindNo,
    Verb::Merchant,
    Verb::AssassinGeneral,
    Verb::AssassinSenator,
    Verb::Loot,
    Verb::Vote,
    Verb::Show,
    Verb::Amount,
];

/// The block of each word; the words of chance have none.
static BLOCK_OF: [u8; Verb::Null as usize + 1] = {
    let mut blocks = [0; Verb::Null as usize + 1];
    let mut block = WORDS.len();
    while block > 0 {
        block -= 1;
        blocks[WORDS[block] as usize] = block as u8;
    }
    blocks
};

/// Lays out the numbers of actions.
pub(crate) fn numbers(board: &Board, n_players: usize) -> [ActionBlock; WORDS.len()] {
    let (provinces, zones, seats) = (&[N_PROVINCES as u32], &[N_ZONES as u32], &[n_players as u32]);
    let most = most_senators(board, n_players).map(|n| 1 + n);
    ActionBlock::lay_out([
        ("pass", &[]),
        ("bid", &[]),
        ("propose two", &[seats[0], seats[0] - 1]),
        ("propose for A", seats),
        ("propose for B", seats),
        ("place caesar", provinces),
        ("place general", provinces),
        ("place galley", zones),
        ("count", &[1 + most_counted(board)]),
        ("take", &[]),
        ("recruit", &[]),
        ("buy", &[]),
        ("tax", &[]),
        ("move", &[]),
        ("battle", &[]),
        ("sail", &[]),
        ("pass an action", &[]),
        ("use", &[]),
        ("end", &[]),
        ("card", &[N_CARDS as u32]),
        ("in", provinces),
        ("source", &[1 + seats[0]]),
        ("stop", &[]),
        ("from", provinces),
        ("from zone", zones),
        ("to", provinces),
        ("to zone", zones),
        ("done", &[]),
        ("against", seats),
        ("target", seats),
        ("attack", seats),
        ("no-attack", &[]),
        ("retreat", provinces),
        ("stay", &[]),
        ("withdraw", provinces),
        ("wind yes", &[]),
        ("wind no", &[]),
        ("merchant", &[N_MERCHANTS as u32]),
        ("assassin general", &[seats[0], N_PROVINCES as u32]),
        ("assassin senator", seats),
        ("loot", &[]),
        ("vote", &[N_VOTES as u32]),
        ("show", &most),
        ("amount", &[1 + most_talents(board) / board.config.auction.step as u32]),
    ])
}

/// Returns the largest count of units or of special taxes.
fn most_counted(board: &Board) -> u32 {
    let config = &board.config;
    let neutral = board.diplomacy.iter().flatten().copied();
    let units = board.pool.into_iter().chain(board.start_units).chain(neutral).map(i64::from);
    let others = [config.tax.special_steps, config.revolt.infantry];
    units.chain(others).max().unwrap_or(0) as u32
}

/// Returns how many Senators of each value there can be.
fn most_senators(board: &Board, n_players: usize) -> [u32; 4] {
    let start = &board.config.start;
    std::array::from_fn(|value| {
        let card = Card::new(value as u8);
        let dealt =
            if start.senators_from_deck { 0 } else { start.senators[value] * n_players as i64 };
        let given = board.treated.as_ref().map_or(0, |treated| treated.copies(card, usize::MAX));
        (i64::from(board.card_count[value]) + dealt + given) as u32
    })
}

/// Returns the most talents that a player can have: those of the start and all that can be gained in a game. Treatments
/// can give more.
fn most_talents(board: &Board) -> u32 {
    if board.treated.is_some() {
        return MOST_TALENTS.into();
    }
    let config = &board.config;
    let (seasons, influence) = (config.options.seasons, config.pools.influence);
    let gains = Card::all().map(|card| {
        let each = match card.kind() {
            CardKind::Merchant(i) => influence * i64::from(board.merchant_talents[usize::from(i)]),
            CardKind::Loot => config.loot.talents,
            CardKind::Vote(Vote::EmergencyTax) => config.vote.emergency_tax,
            CardKind::Barbarians(i) => board.barbarian_reward[usize::from(i)].talents.into(),
            _ => 0,
        };
        i64::from(board.card_count[card.idx()]) * each
    });
    let actions = config.options.rounds * config.options.actions;
    let taxes = influence * (config.tax.influence + config.tax.city)
        + actions * config.tax.special_steps * config.tax.special_talents;
    let most = config.options.money + seasons * (taxes + gains.sum::<i64>());
    most.min(MOST_TALENTS.into()) as u32
}

impl ActionIndex for Conquest2 {
    fn action_blocks(&self) -> &[ActionBlock] {
        &self.numbers[..]
    }

    #[inline]
    fn split(&self, action: Action) -> (usize, Values) {
        let [a, b, ..] = action.args.map(u32::from);
        let block = usize::from(BLOCK_OF[action.verb as usize]);
        match action.verb {
            Verb::Propose if action.args[1] == NOBODY => (PROPOSALS[1], [a, 0, 0, 0]),
            Verb::Propose if action.args[0] == NOBODY => (PROPOSALS[2], [b, 0, 0, 0]),
            Verb::Propose => (PROPOSALS[0], [a, beside(a, b), 0, 0]),
            Verb::Amount => (block, [action.steps().into(), 0, 0, 0]),
            Verb::Show => (block, action.senators().map(u32::from)),
            Verb::AssassinGeneral => (block, [a, b, 0, 0]),
            Verb::First | Verb::Token | Verb::Drawn | Verb::Dice | Verb::Senator | Verb::Null => {
                unreachable!("{action:?} is chance")
            }
            _ => (block, [a, 0, 0, 0]),
        }
    }

    fn join(&self, block: usize, [a, b, c, d]: Values) -> Action {
        let (first, second) = (a as u8, b as u8);
        match WORDS[block] {
            Verb::Propose if block == PROPOSALS[0] => {
                Action::pair(Verb::Propose, first, not_beside(a, b) as u8)
            }
            Verb::Propose if block == PROPOSALS[1] => Action::pair(Verb::Propose, first, NOBODY),
            Verb::Propose => Action::pair(Verb::Propose, NOBODY, first),
            Verb::Amount => Action::amount(a as u16),
            Verb::Show => Action::show([a, b, c, d].map(|n| n as u8)),
            verb => Action::pair(verb, first, second),
        }
    }
}

/// An axis of provinces.
const LAND: (&str, usize) = ("province", N_PROVINCES);
/// An axis of sea zones.
const SEA: (&str, usize) = ("zone", N_ZONES);
/// An axis of cards.
const CARDS: (&str, usize) = ("card", N_CARDS);

impl ObservationTensor for Conquest2 {
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F) {
        let (game, s, observer) = (view.game(), view.position(), view.observer());
        game.observe_board(s, observer, fields);
        game.observe_players(s, observer, fields);
        game.observe_cards(s, observer, fields);
        game.observe_time(s, observer, fields);
        game.observe_battle(s, observer, fields);
        game.observe_under_way(s, fields);
    }
}

/// Writes a value of each seat.
fn by_seat(out: &mut [f32], seats: impl Iterator<Item = Player>, value: impl Fn(Player) -> f32) {
    out.iter_mut().zip(seats).for_each(|(out, q)| *out = value(q));
}

impl Conquest2 {
    fn seats_of(&self, observer: Player) -> impl Iterator<Item = Player> + Clone + use<> {
        seats_from(observer, self.n_players)
    }

    fn observe_board<F: Fields>(&self, s: &State, observer: Player, fields: &mut F) {
        let (n, keys) = (self.n_players, self.board.n_keys);
        let seats = self.seats_of(observer);
        let kinds = ("infantry, cavalry, catapults, generals", 4);
        fields.field("units", &[("seat", n), kinds, LAND], "units", |out| {
            for (out, q) in out.chunks_mut(4 * N_PROVINCES).zip(seats.clone()) {
                for p in s.units_of(q).iter() {
                    let troops = s.troops(q, p);
                    let units = Unit::LAND_MILITARY.map(|unit| troops.count(unit));
                    for (kind, n) in units.into_iter().chain([troops.generals()]).enumerate() {
                        out[N_PROVINCES * kind + p.idx()] = n.into();
                    }
                }
            }
        });
        fields.field("caesar", &[("seat", n), LAND], "0/1", |out| {
            for (place, q) in seats.clone().enumerate() {
                if let Some(p) = s.caesar[q] {
                    out[N_PROVINCES * place + p.idx()] = 1.0;
                }
            }
        });
        fields.field("galleys", &[("seat", n), SEA], "galleys", |out| {
            for (zone, &word) in s.sea.iter().enumerate() {
                for (q, n_galleys) in counts(word) {
                    out[N_ZONES * seat_from(observer, q, n) + zone] = n_galleys.into();
                }
            }
        });
        fields.field("influence", &[("seat", n), ("key province", keys)], "tokens", |out| {
            for (key, &word) in s.influence[..keys].iter().enumerate() {
                for (q, tokens) in counts(word) {
                    out[keys * seat_from(observer, q, n) + key] = tokens.into();
                }
            }
        });
        fields.field("cities", &[("seat", n), LAND], "0/1", |out| {
            if s.cities == 0 {
                return;
            }
            for p in Place::first(N_PROVINCES) {
                if let Some(q) = s.city_owner(self.board.city_site[p.idx()]) {
                    out[N_PROVINCES * seat_from(observer, q, n) + p.idx()] = 1.0;
                }
            }
        });
        let mut tokens = |name, tokens: &[u8]| {
            fields.field(name, &[("key province", keys)], "tokens", |out| write(out, tokens));
        };
        tokens("tokens", &s.tokens);
        tokens("bag", &s.bag);
    }

    fn observe_players<F: Fields>(&self, s: &State, observer: Player, fields: &mut F) {
        let n = self.n_players;
        let axis = [("seat", n)];
        let seats = || self.seats_of(observer);
        fields.field("money", &axis, "talents", |out| by_seat(out, seats(), |q| s.money[q].into()));
        fields.field("chaos", &axis, "chaos", |out| by_seat(out, seats(), |q| s.chaos[q].into()));
        fields.field("vp", &axis, "points", |out| by_seat(out, seats(), |q| s.vp[q].into()));
        fields
            .field("supply", &axis, "tokens", |out| by_seat(out, seats(), |q| s.supply[q].into()));
        fields.field("pool", &[("seat", n), ("unit", N_UNITS)], "units", |out| {
            out.chunks_mut(N_UNITS).zip(seats()).for_each(|(out, q)| write(out, &s.pool[q]));
        });
        // A Senator that was bribed shows as unseen to all but thief and victim.
        let hands = s.senators_known_to(observer);
        fields.field("senators", &[("seat", n), ("value", 4)], "Senators", |out| {
            out.chunks_mut(4).zip(seats()).for_each(|(out, q)| write(out, &hands[q].0));
        });
        fields.field("unseen_senators", &axis, "Senators", |out| {
            by_seat(out, seats(), |q| hands[q].1.into());
        });
        // Behind the players placed by auctions stands the order of the season before.
        fields.field("order", &[("seat", n), ("place", n)], "0/1", |out| {
            for (place, &q) in s.order[..n - s.unallied.len()].iter().enumerate() {
                out[n * seat_from(observer, q, n) + place] = 1.0;
            }
        });
        fields.field("allied", &axis, "0/1", |out| {
            by_seat(out, seats(), |q| {
                let are_placed = !s.unallied.contains(q) && !s.unallied.contains(observer);
                flag(are_placed && s.are_allied(observer, q))
            });
        });
        fields.field("alliance_b", &axis, "0/1", |out| {
            by_seat(out, seats(), |q| flag(!s.unallied.contains(q) && s.alliance_b.contains(q)));
        });
    }

    fn observe_cards<F: Fields>(&self, s: &State, observer: Player, fields: &mut F) {
        let n = self.n_players;
        fields.field("cards", &[("seat", n), CARDS], "cards", |out| {
            for (out, q) in out.chunks_mut(N_CARDS).zip(self.seats_of(observer)) {
                s.held_cards(q).for_each(|(card, copies)| out[card.idx()] = copies.into());
            }
        });
        fields.field("used_cards", &[("seat", n), CARDS], "cards", |out| {
            for (out, q) in out.chunks_mut(N_CARDS).zip(self.seats_of(observer)) {
                for (slot, copies) in nibbles(s.used[q]) {
                    out[Card::in_slot(Slot::Multi(slot)).idx()] = copies.into();
                }
            }
        });
        fields.field("display", &[CARDS], "cards", |out| write(out, &s.display));
        fields.field("deck", &[CARDS], "cards", |out| write(out, &s.deck));
        fields.field("free_cards", &[CARDS], "0/1", |out| {
            if s.free() != 0 {
                each(self.free_cards(s).bits()).for_each(|card| out[usize::from(card)] = 1.0);
            }
        });
    }

    fn observe_time<F: Fields>(&self, s: &State, observer: Player, fields: &mut F) {
        let n = self.n_players;
        fields.field("phase", &[("phase", N_PHASES)], "0/1", |out| out[s.phase() as usize] = 1.0);
        let mut number = |name, unit, n: u8| fields.field(name, &[], unit, |out| out[0] = n.into());
        number("season", "seasons that are over", s.season);
        number("round", "rounds, 0 before the first turn", s.round);
        number("turn", "turns of the round that are over", s.turn);
        number("actions_left", "actions", s.actions_left);
        let is_auction = matches!(s.phase(), Phase::Bid | Phase::Propose | Phase::Amount);
        let auction = if is_auction { s.auction } else { Auction::EMPTY };
        let vote = s.vote;
        number("auction", "auctions of the season", auction.number);
        number("auction_passes", "passes in a row", auction.passes);
        number("vote_passes", "passes in a row", vote.passes);
        let bid = auction.bidder.map_or(0, |_| auction.bid);
        fields.field("bid", &[], "talents", |out| out[0] = bid.into());
        let mut seat = |name, q: Option<Player>| {
            fields.field(name, &[("seat", n)], "0/1", |out| {
                if let Some(q) = q {
                    out[seat_from(observer, q, n)] = 1.0;
                }
            });
        };
        seat("bidder", auction.bidder);
        seat("opener", auction.opener);
        let boxes = if auction.bidder.is_some() { auction.boxes } else { [None; 2] };
        seat("bid_for_a", boxes[0]);
        seat("bid_for_b", boxes[1]);
        let proposed = if s.phase() == Phase::Amount { auction.proposed } else { [None; 2] };
        seat("proposed_for_a", proposed[0]);
        seat("proposed_for_b", proposed[1]);
        seat("vote_bidder", vote.bidder);
        fields.field("vote", &[("vote", N_VOTES)], "0/1", |out| {
            if let Some(vote) = vote.vote {
                out[vote as usize] = 1.0;
            }
        });
        fields.field("shown", &[("value", 4)], "Senators", |out| write(out, &vote.shown));
    }

    /// Writes the battle under way, also a revolt; nothing where there is none.
    fn observe_battle<F: Fields>(&self, s: &State, observer: Player, fields: &mut F) {
        let (n, b) = (self.n_players, &s.battle);
        fields.field("battle_province", &[LAND], "0/1", |out| {
            b.place.into_iter().for_each(|p| out[p.idx()] = 1.0);
        });
        fields.field("battle_zone", &[SEA], "0/1", |out| {
            b.zone.into_iter().for_each(|z| out[z.idx()] = 1.0);
        });
        let sides = ("attacker, defender", 2);
        fields.field("battle_sides", &[sides, ("seat", n)], "0/1", |out| {
            for (side, q) in [b.attacker, b.defender].into_iter().enumerate() {
                if let Some(q) = q {
                    out[n * side + seat_from(observer, q, n)] = 1.0;
                }
            }
        });
        let kinds = ("infantry, cavalry, catapults, galleys", N_MILITARY);
        fields.field("battle_units", &[("seat", n), kinds], "units", |out| {
            let armies = self.seats_of(observer).map(|q| b.engaged[q]);
            out.chunks_mut(N_MILITARY).zip(armies).for_each(|(out, army)| write(out, &army));
        });
        fields.field("battle_neutral", &[sides, kinds], "units", |out| {
            write(out, b.neutral.as_flattened());
        });
        fields.field("battle_hits", &[sides], "hits", |out| write(out, &b.hits));
        fields.field("battle_round", &[], "rounds", |out| out[0] = b.round.into());
        fields.field("battle_side", &[sides], "0/1", |out| {
            out[b.side.idx()] = flag(b.place.is_some() || b.zone.is_some());
        });
        fields.field("battle_lost", &[sides], "0/1", |out| {
            let lost = Side::ALL.map(|side| flag(b.lost.contains(side)));
            out.copy_from_slice(&lost);
        });
        fields.field("revolt_fought", &[("seat", n)], "0/1", |out| {
            let fought = if b.is_revolt { b.fought } else { PlayerSet::EMPTY };
            fought.iter().for_each(|q| out[seat_from(observer, q, n)] = 1.0);
        });
    }

    /// Writes the choices of the action under way, and the kind of unit that is counted.
    fn observe_under_way<F: Fields>(&self, s: &State, fields: &mut F) {
        let (mut zones, mut card) = ([None; 2], None);
        let mut kind = s.detail.leg().and_then(|leg| leg.count).map(Mover::idx);
        match s.detail {
            Detail::Recruitment(recruitment) => {
                zones[0] = recruitment.count.zone().map(|i| self.zone_beside(recruitment.place, i));
                kind = Some(Mover::ALL.len() + recruitment.count.unit().idx());
            }
            Detail::Sailing(Sailing { to, sources, .. }) => zones = [sources.first(), Some(to)],
            Detail::Card { card: taken } | Detail::Expedition { card: taken, .. } => {
                card = Some(taken);
            }
            _ => {}
        }
        let mut home = None;
        if let Detail::Placement { uncounted, starter, .. } = s.detail {
            home = uncounted.first();
            kind = starter.counted().map(|unit| Mover::ALL.len() + unit.idx());
        }
        match s.phase() {
            Phase::Commit | Phase::Lend | Phase::NavalLend | Phase::Losses => {
                let counted = self.counted_in_battle(s);
                kind = counted.map(|(unit, ..)| Mover::ALL.len() + unit.idx());
                zones[0] = counted.and_then(|(_, zone, _)| zone);
            }
            _ => {}
        }
        let from = s.detail.place().or(home);
        let to = s.detail.leg().map(|leg| leg.to);
        fields.field("under_way", &[("from or in, to", 2), LAND], "0/1", |out| {
            for (out, place) in out.chunks_mut(N_PROVINCES).zip([from, to]) {
                place.into_iter().for_each(|p| out[p.idx()] = 1.0);
            }
        });
        fields.field("under_way_zone", &[("from or in, to", 2), SEA], "0/1", |out| {
            for (out, zone) in out.chunks_mut(N_ZONES).zip(zones) {
                zone.into_iter().for_each(|z: Zone| out[z.idx()] = 1.0);
            }
        });
        let kinds = ("movers, then units", N_MOVERS + N_UNITS);
        fields.field("counted_kind", &[kinds], "0/1", |out| {
            kind.into_iter().for_each(|kind| out[kind] = 1.0);
        });
        fields.field("card_taken", &[CARDS], "0/1", |out| {
            card.into_iter().for_each(|card| out[card.idx()] = 1.0);
        });
    }
}

fn write(out: &mut [f32], counts: &[u8]) {
    out.iter_mut().zip(counts).for_each(|(out, &n)| *out = n.into());
}
