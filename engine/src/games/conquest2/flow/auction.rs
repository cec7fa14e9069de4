//! Alliance auctions (clause 6).

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::options::{LONE_A, LONE_B, Options};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::state::{Auction, State};
use crate::player::{Player, PlayerSet};

impl Conquest2 {
    pub(crate) fn open_auction(&self, s: &mut State, opener: Player) {
        s.auction = Auction { opener: Some(opener), number: s.auction.number, ..Auction::EMPTY };
        s.actor = Some(opener);
        if !self.bidders(s).contains(opener) {
            s.actor = Some(self.next_bidder(s, opener));
        }
        s.go(Phase::Bid);
    }

    /// Returns all players.
    pub(crate) const fn everyone(&self) -> PlayerSet {
        PlayerSet::first(self.n_players)
    }

    /// Returns the players who may bid.
    pub(crate) fn bidders(&self, s: &State) -> PlayerSet {
        let may_all = self.board.config.auction.allied_may_bid || s.unallied.len() < 2;
        if may_all { self.everyone() } else { s.unallied }
    }

    pub(crate) fn next_bidder(&self, s: &State, player: Player) -> Player {
        let bidders = self.bidders(s);
        let mut next = player.next(self.n_players);
        while !bidders.contains(next) {
            next = next.next(self.n_players);
        }
        next
    }

    /// Returns the lowest and the highest bid of the actor, in steps, or `None` if they can afford none.
    pub(crate) fn bid_range(&self, s: &State) -> Option<(u16, u16)> {
        let step = self.board.config.auction.step as u16;
        let largest = self.board.config.auction.largest_raise as u16;
        let is_open = s.auction.bidder.is_none();
        let standing = if is_open { 0 } else { s.auction.bid / step };
        let lo = if is_open { 0 } else { standing + 1 };
        let mut hi = s.money[s.actor()] / step;
        if largest > 0 && !is_open {
            hi = hi.min(standing.saturating_add(largest / step));
        }
        (lo <= hi).then_some((lo, hi))
    }

    pub(crate) fn bid_options(&self, s: &State) -> Options {
        let can_pass = s.auction.bidder.is_some();
        let can_bid = self.bid_range(s).is_some();
        Options::of(u64::from(can_pass) | u64::from(can_bid) << 1)
    }

    pub(crate) fn amount_options(&self, s: &State) -> Options {
        let (lo, hi) = self.bid_range(s).expect("who bids can afford it");
        Options::range(lo, hi)
    }

    pub(crate) fn bid(&self, s: &mut State, action: Action) {
        match action.verb {
            Verb::Pass => {
                s.auction.passes += 1;
                self.continue_auction(s);
            }
            Verb::Bid => s.go(Phase::Propose),
            Verb::Propose => {
                s.auction.proposed = action.boxes();
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
        if usize::from(s.auction.passes) + 1 >= self.bidders(s).len() {
            self.close_auction(s);
        } else {
            s.actor = Some(self.next_bidder(s, s.actor()));
            s.go(Phase::Bid);
        }
    }

    fn close_auction(&self, s: &mut State) {
        let Auction { bid, bidder, boxes, opener, number, .. } = s.auction;
        s.money[bidder.expect("an auction ends with a bidder")] -= bid;
        for (alliance, player) in boxes.into_iter().enumerate() {
            let Some(player) = player else { continue };
            let position = (2 * usize::from(number) + alliance).min(self.n_players - 1);
            s.order[position] = player;
            // The alliances of the season before stay until they are replaced: a record may still show them.
            s.alliance_b = s.alliance_b.with(player, alliance == 1);
            s.unallied.remove(player);
        }
        s.auction.number += 1;
        if !s.unallied.is_empty() {
            let opener = opener.expect("somebody opened the auction");
            self.open_auction(s, opener.next(self.n_players));
            return;
        }
        s.auction = Auction::EMPTY;
        self.end_auctions(s);
    }

    /// Ends the auctions: all players have an alliance and a place in the turn order.
    pub(crate) fn end_auctions(&self, s: &mut State) {
        if s.season == 0 { self.start_placement(s) } else { self.start_rounds(s) }
    }
}

/// Returns all ordered pairs of unallied players, or the two boxes for a single one.
pub(crate) fn proposals(unallied: PlayerSet) -> u64 {
    if let (Some(lone), 1) = (unallied.lowest(), unallied.len()) {
        return 1 << (LONE_A + lone.number()) | 1 << (LONE_B + lone.number());
    }
    let row = |a: Player| u64::from(unallied - PlayerSet::of(a)) << (6 * a.number());
    unallied.iter().fold(0, |set, a| set | row(a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_ordered_and_of_two() {
        assert_eq!(proposals(PlayerSet::first(4)).count_ones(), 12);
        assert_eq!(proposals(PlayerSet::first(6)).count_ones(), 30);
        let lone = PlayerSet::of(Player::new(2));
        assert_eq!(proposals(lone), 1 << (LONE_A + 2) | 1 << (LONE_B + 2));
    }
}
