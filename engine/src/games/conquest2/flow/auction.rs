//! Alliance auctions (clause 6).

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::board::NONE;
use crate::games::conquest2::model::options::{LONE_A, LONE_B, Options};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::state::{Auction, State};

impl Conquest2 {
    pub(crate) fn open_auction(&self, s: &mut State, opener: u8) {
        s.auction = Auction { opener, number: s.auction.number, ..Auction::EMPTY };
        s.actor = opener;
        if self.bidders(s) >> opener & 1 == 0 {
            s.actor = self.next_bidder(s, opener);
        }
        s.go(Phase::Bid);
    }

    /// All players, as bits.
    pub(crate) const fn everyone(&self) -> u8 {
        ((1u16 << self.n_players) - 1) as u8
    }

    /// Who may bid, as bits.
    fn bidders(&self, s: &State) -> u8 {
        let may_all = self.board.config.auction.allied_may_bid || s.unallied.count_ones() < 2;
        if may_all { self.everyone() } else { s.unallied }
    }

    fn next_bidder(&self, s: &State, player: u8) -> u8 {
        let n = self.n_players as u8;
        let bidders = self.bidders(s);
        let mut next = (player + 1) % n;
        while bidders >> next & 1 == 0 {
            next = (next + 1) % n;
        }
        next
    }

    /// The lowest and highest bid of the actor, in steps, if he can afford one.
    fn bid_range(&self, s: &State) -> Option<(u16, u16)> {
        let step = self.board.config.auction.step as u16;
        let largest = self.board.config.auction.largest_raise as u16;
        let is_open = s.auction.bidder == NONE;
        let standing = if is_open { 0 } else { s.auction.bid / step };
        let lo = if is_open { 0 } else { standing + 1 };
        let mut hi = s.money[usize::from(s.actor)] / step;
        if largest > 0 && !is_open {
            hi = hi.min(standing.saturating_add(largest / step));
        }
        (lo <= hi).then_some((lo, hi))
    }

    pub(crate) fn auction_options(&self, s: &State) -> Options {
        match s.phase() {
            Phase::Bid => {
                let can_pass = s.auction.bidder != NONE;
                let can_bid = self.bid_range(s).is_some();
                Options::of(u64::from(can_pass) | u64::from(can_bid) << 1)
            }
            Phase::Propose => Options::of(proposals(s.unallied)),
            _ => {
                let (lo, hi) = self.bid_range(s).expect("who bids can afford it");
                Options::range(lo, hi)
            }
        }
    }

    pub(crate) fn bid(&self, s: &mut State, action: Action) {
        match action.verb {
            Verb::Pass => {
                s.auction.passes += 1;
                self.continue_auction(s);
            }
            Verb::Bid => s.go(Phase::Propose),
            Verb::Propose => {
                s.auction.proposed = [action.args[0], action.args[1]];
                s.go(Phase::Amount);
            }
            _ => {
                s.auction.bid = action.steps() * self.board.config.auction.step as u16;
                s.auction.bidder = s.actor;
                s.auction.boxes = s.auction.proposed;
                s.auction.passes = 0;
                self.continue_auction(s);
            }
        }
    }

    fn continue_auction(&self, s: &mut State) {
        if u32::from(s.auction.passes) + 1 >= self.bidders(s).count_ones() {
            self.close_auction(s);
        } else {
            s.actor = self.next_bidder(s, s.actor);
            s.go(Phase::Bid);
        }
    }

    fn close_auction(&self, s: &mut State) {
        let n = self.n_players as u8;
        let Auction { bid, bidder, boxes, opener, number, .. } = s.auction;
        s.money[usize::from(bidder)] -= bid;
        for (alliance, player) in boxes.into_iter().enumerate().filter(|(_, p)| *p != NONE) {
            let position = (2 * number + alliance as u8).min(n - 1);
            s.order[usize::from(position)] = player;
            // The alliances of the season before stand until they are replaced: a record may still show them.
            s.alliance_b = s.alliance_b & !(1 << player) | (alliance as u8) << player;
            s.unallied &= !(1 << player);
        }
        s.auction.number += 1;
        if s.unallied != 0 {
            self.open_auction(s, (opener + 1) % n);
            return;
        }
        s.auction = Auction::EMPTY;
        if s.season == 0 { self.start_placement(s) } else { self.start_rounds(s) }
    }
}

/// All ordered pairs of unallied players, or the two boxes for a lone one.
fn proposals(unallied: u8) -> u64 {
    if unallied.count_ones() == 1 {
        let lone = unallied.trailing_zeros() as u8;
        return 1 << (LONE_A + lone) | 1 << (LONE_B + lone);
    }
    let row = u64::from(unallied);
    (0..6).filter(|a| unallied >> a & 1 == 1).fold(0, |set, a| set | (row & !(1 << a)) << (6 * a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_ordered_and_of_two() {
        assert_eq!(proposals(0b1111).count_ones(), 12);
        assert_eq!(proposals(0b11_1111).count_ones(), 30);
        assert_eq!(proposals(0b0100), 1 << (LONE_A + 2) | 1 << (LONE_B + 2));
    }
}
