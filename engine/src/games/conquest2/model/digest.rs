//! The hash of a position, over its content rather than over every byte.
//!
//! Searches hash a position at every node. Most of a [`State`] is empty most of the time: provinces without an army, a
//! battle, an auction or a vote that is not under way. Leaving these out is several times as fast as hashing every
//! byte. Equal states still have equal hashes, since a mask marks each part that is left out as empty.

use std::hash::{Hash, Hasher};

use crate::games::conquest2::model::battle::Battle;
use crate::games::conquest2::model::place::{Place, Zone};
use crate::games::conquest2::model::state::{Auction, Ballot, State};
use crate::player::{MAX_PLAYERS, Player};

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.digest(MAX_PLAYERS, hasher);
    }
}

/// A position at a table of this many players, without the parts of empty seats: a key for searches.
pub(crate) struct AtTable<'a>(pub(crate) &'a State, pub(crate) usize);

impl Hash for AtTable<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.digest(self.1, hasher);
    }
}

/// Hashes `value`, or only a mark if it is empty.
fn hash_unless<T: Hash + PartialEq, H: Hasher>(value: &T, empty: &T, hasher: &mut H) {
    let is_empty = value == empty;
    hasher.write_u8(u8::from(is_empty));
    if !is_empty {
        value.hash(hasher);
    }
}

/// The hashed value of an absent part. Hashes of positions are equal on every release, so it is fixed.
const NOTHING: u8 = u8::MAX;

/// Returns the hashed form of a seat, or of none.
fn seat(player: Option<Player>) -> u8 {
    player.map_or(NOTHING, Player::number)
}

/// Hashes the battle field by field, the place of either kind in one byte.
impl Hash for Battle {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let Self { committed, engaged, neutral, hits, place, zone, attacker, defender, .. } = self;
        let Self { round, side, count, lost, gone, is_revolt, fought, .. } = self;
        (committed, engaged, neutral, hits).hash(hasher);
        let place = place.map(Place::number).or(zone.map(Zone::number)).unwrap_or(NOTHING);
        let (attacker, defender) = (seat(*attacker), seat(*defender));
        let (side, count) = (*side as u8, count.number());
        for byte in [place, attacker, defender, *round, side, count, lost.bits(), gone.bits()] {
            hasher.write_u8(byte);
        }
        for byte in [u8::from(self.is_naval()), u8::from(*is_revolt), fought.bits()] {
            hasher.write_u8(byte);
        }
    }
}

impl Hash for Auction {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let Self { bid, bidder, boxes, proposed, passes, opener, number } = self;
        hasher.write_u16(*bid);
        hasher.write_u8(seat(*bidder));
        boxes.map(seat).hash(hasher);
        proposed.map(seat).hash(hasher);
        for byte in [*passes, seat(*opener), *number] {
            hasher.write_u8(byte);
        }
    }
}

impl Hash for Ballot {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let Self { shown, bidder, passes, vote } = self;
        shown.hash(hasher);
        for byte in [seat(*bidder), *passes, vote.map_or(NOTHING, |vote| vote as u8)] {
            hasher.write_u8(byte);
        }
    }
}

impl State {
    /// Hashes the position with the parts of the first `n` seats.
    fn digest<H: Hasher>(&self, n: usize, hasher: &mut H) {
        self.hash_board(n, hasher);
        self.hash_players(n, hasher);
        self.hash_course(hasher);
    }

    fn hash_board<H: Hasher>(&self, n: usize, hasher: &mut H) {
        let Self { army, leaders, land, sea, influence, cities, tokens, bag, .. } = self;
        for q in Player::all(n) {
            let (army, leaders, land) = (army[q], leaders[q], &land[q]);
            hasher.write_u64(army.bits());
            hasher.write_u64(leaders.bits());
            let mut word = 0u64;
            for (i, place) in (army | leaders).iter().enumerate() {
                word = word << 16 | u64::from(land[place.idx()].0);
                if i % 4 == 3 {
                    hasher.write_u64(word);
                    word = 0;
                }
            }
            hasher.write_u64(word);
        }
        for pair in sea.chunks(2).chain(influence.chunks(2)) {
            let high = pair.get(1).copied().unwrap_or(0);
            hasher.write_u64(u64::from(high) << 32 | u64::from(pair[0]));
        }
        hasher.write_u64(*cities);
        hasher.write(tokens);
        hasher.write(bag);
    }

    fn hash_players<H: Hasher>(&self, n: usize, hasher: &mut H) {
        let Self { multi, used, passive, money, chaos, vp, caesar, pool, supply, senators, .. } =
            self;
        for q in Player::all(n) {
            hasher.write_u64(multi[q]);
            hasher.write_u64(used[q]);
            hasher.write_u64(passive[q]);
            let [a, b, c, d] = senators[q].map(u64::from);
            let hand = a << 24 | b << 16 | c << 8 | d;
            let purse = u64::from(money[q]) << 32 | u64::from(chaos[q]) << 16;
            hasher.write_u64(
                hand << 32
                    | u64::from(caesar[q].map_or(NOTHING, Place::number)) << 8
                    | u64::from(supply[q]),
            );
            hasher.write_u64(purse | u64::from(vp[q] as u16));
            hasher.write(&pool[q]);
        }
    }

    fn hash_course<H: Hasher>(&self, hasher: &mut H) {
        let Self { options, detail, battle, auction, vote, knowledge, display, deck, .. } = self;
        let Self { displayed, order, alliance_b, unallied, season, round, turn, .. } = self;
        let Self { actions_left, actor, first_player, milestone, .. } = self;
        options.hash(hasher);
        detail.hash(hasher);
        hash_unless(battle, &Battle::EMPTY, hasher);
        hash_unless(auction, &Auction::EMPTY, hasher);
        hash_unless(vote, &Ballot::EMPTY, hasher);
        knowledge.hash(hasher);
        hasher.write_u64(displayed.bits());
        hasher.write(display);
        hasher.write(deck);
        hasher.write(&order.map(Player::number));
        hasher.write(&[alliance_b.bits(), unallied.bits(), *season, *round, *turn, *actions_left]);
        hasher.write(&[
            u8::from(self.has_taken()),
            self.phase() as u8,
            seat(*actor),
            seat(*first_player),
            *milestone,
        ]);
        // Only where there are some: hashes of games without treatments stay as they were.
        if self.free() != 0 {
            hasher.write_u8(self.free());
        }
    }
}
