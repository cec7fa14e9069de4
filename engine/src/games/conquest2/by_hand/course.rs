//! Seasons, auctions, starting units and votes in a position from a document.

use super::Finding;
use crate::by_hand::{demand, demand_all};
use crate::game::Game;
use crate::games::conquest2::Conquest2;
use crate::games::conquest2::flow::auction::proposals;
use crate::games::conquest2::model::action::{Action, NOBODY, Verb};
use crate::games::conquest2::model::battle::Battle;
use crate::games::conquest2::model::cards::Vote;
use crate::games::conquest2::model::counts::Starter;
use crate::games::conquest2::model::detail::Detail;
use crate::games::conquest2::model::options::bit_of;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::Key;
use crate::games::conquest2::model::state::{Auction, Ballot, State, worth};
use crate::games::conquest2::model::units::Unit;
use crate::player::{Player, PlayerSet};
use crate::rng::Purpose;

impl Conquest2 {
    pub(super) fn check_clock(&self, s: &State) -> Finding {
        let o = &self.board.config.options;
        let is_over = s.phase() == Phase::Over;
        let (season, all) = (i64::from(s.season), o.seasons);
        let fits = if is_over { season == all } else { season < all };
        demand(fits, "season", format_args!("{season} of {all} seasons are over"))?;
        let is_turn = s.phase().is_in_a_turn();
        let rounds = if is_turn { 1..=o.rounds } else { 0..=0 };
        let fault = format_args!("{} is out of range ({rounds:?})", s.round);
        demand(rounds.contains(&s.round.into()), "round", fault)?;
        let is_placing = (Phase::PlaceCaesar..=Phase::PlaceCount).contains(&s.phase());
        let n = if is_turn || is_placing { self.n_players } else { 1 };
        let fault = format_args!("{} is out of range (0 to {})", s.turn, n - 1);
        demand(usize::from(s.turn) < n, "turn", fault)?;
        let is_idle = s.actions_left == 0 && s.takes == 0;
        demand(
            is_turn || is_idle,
            "actions_left",
            "0, and nothing taken, where nobody is in turn",
        )?;
        let fits = s.first_player.is_some() == (s.phase() != Phase::FirstPlayer);
        demand(fits, "first_player", "a seat, once it is drawn")?;
        let is_auction = matches!(s.phase(), Phase::Bid | Phase::Propose | Phase::Amount);
        demand(is_auction || s.auction == Auction::EMPTY, "auction", "there is none")?;
        let is_allied = s.unallied.is_empty();
        let fits = is_allied == (is_turn || is_placing);
        demand(fits, "unallied", "nobody in a turn, and somebody before it")?;
        let placed: PlayerSet = s.order[..self.n_players].iter().copied().collect();
        let fits = is_auction || placed == self.everyone();
        demand(fits, "order", "each seat once")?;
        let may_vote = matches!(s.phase(), Phase::Vote | Phase::LegionsIn | Phase::SenatorDraw);
        demand(may_vote || s.vote == Ballot::EMPTY, "vote", "none is under way")
    }

    pub(super) fn check_course(&self, s: &State) -> Finding {
        let is_battle = matches!(
            s.phase(),
            Phase::RevoltTarget
                | Phase::Commit
                | Phase::Lend
                | Phase::Dice
                | Phase::Losses
                | Phase::Retreat
                | Phase::Withdraw
                | Phase::Wind
                | Phase::NavalLend
        );
        if is_battle {
            demand(s.detail == Detail::None, "detail", "no choice but those of the battle")?;
            return self.check_battle(s);
        }
        demand(s.battle == Battle::EMPTY, "battle", "nobody fights: it is as at the start")?;
        match s.phase() {
            Phase::FirstPlayer => {
                demand_all(*s == self.start(), "before the first draw all is as at the start")
            }
            Phase::SetupToken => self.check_setup(s),
            Phase::SeasonToken | Phase::SeasonCard | Phase::NullDraw => self.check_draws(s),
            Phase::Bid | Phase::Propose | Phase::Amount => self.check_auction(s),
            Phase::PlaceCaesar | Phase::PlaceGeneral | Phase::PlaceGalley | Phase::PlaceCount => {
                self.check_placement(s)
            }
            Phase::Vote | Phase::LegionsIn => self.check_vote(s),
            Phase::SenatorDraw => self.check_senator(s),
            Phase::Over => demand(s.detail == Detail::None, "detail", "no choice is half made"),
            _ => self.check_turn(s),
        }
    }

    /// Checks a set-up: the tokens drawn so far, seat after seat, and nothing else.
    fn check_setup(&self, s: &State) -> Finding {
        let n = self.n_players;
        let each = self.board.config.start.influence as usize;
        let Detail::Setup { drawn } = s.detail else {
            return demand(false, "detail", "the number of tokens that are drawn");
        };
        let all = n * each;
        let fault = format_args!("{drawn} tokens drawn, of {all}");
        demand(usize::from(drawn) < all, "detail.drawn", fault)?;
        let first = s.first_player.expect("it was checked");
        for (place, seat) in (0..n).map(|i| (i, (first.idx() + i) % n)) {
            let due = usize::from(drawn).saturating_sub(place * each).min(each);
            let found = s.total_influence(Player::new(seat));
            let fault = format_args!("seat {seat} has {found} tokens, and has drawn {due}");
            demand(usize::from(found) == due, "influence", fault)?;
        }
        for key in Key::first(self.board.n_keys) {
            let fits = !self.board.no_influence[key.idx()] || s.influence[key.idx()] == 0;
            demand(fits, format_args!("influence.{}", key.number()), "nobody starts there")?;
        }
        let mut start = self.start();
        (start.first_player, start.detail) = (s.first_player, s.detail);
        (start.influence, start.supply, start.bag) = (s.influence, s.supply, s.bag);
        start.stand_at(Phase::SetupToken);
        demand_all(*s == start, "in the set-up nothing is there but the tokens that were drawn")
    }

    fn check_draws(&self, s: &State) -> Finding {
        let Detail::Draws { left } = s.detail else {
            return demand(false, "detail", "the number of draws that are left");
        };
        let o = &self.board.config.options;
        let sum = |counts: &[u8]| counts.iter().map(|&n| u32::from(n)).sum::<u32>();
        let n = self.n_players as i64;
        let (due, there) = match s.phase() {
            Phase::SeasonToken => (n * o.tokens, sum(&s.bag)),
            Phase::SeasonCard => (n * o.cards, sum(&s.deck)),
            _ => {
                let all = Purpose::OF_CHANCE.len() as i64;
                (if self.is_null_season(s) { all } else { 0 }, all as u32)
            }
        };
        let most = due.min(there.into());
        let fault = format_args!("{left} is out of range (1 to {most})");
        demand((1..=most).contains(&left.into()), "detail.left", fault)
    }

    fn check_auction(&self, s: &State) -> Finding {
        demand(s.detail == Detail::None, "detail", "no choice but those of the auction")?;
        let (a, n) = (&s.auction, self.n_players);
        let settled = 2 * usize::from(a.number);
        let fits = settled < n && s.unallied.len() == n - settled;
        demand(fits, "unallied", format_args!("{settled} of {n} seats have an alliance"))?;
        let Some(opener) = a.opener else {
            return demand(false, "auction.opener", "a seat opened the auction");
        };
        let (bidders, none) = (self.bidders(s), [None; 2]);
        let first = if bidders.contains(opener) { opener } else { self.next_bidder(s, opener) };
        let due = match a.bidder {
            None => {
                let fits = (a.bid, a.boxes, a.passes) == (0, none, 0);
                demand(fits, "auction", "nothing stands without a bidder")?;
                first
            }
            Some(bidder) => {
                demand(bidders.contains(bidder), "auction.bidder", "this seat may not bid")?;
                let step = self.board.config.auction.step as u16;
                let fits = a.bid % step == 0 && a.bid <= s.money[bidder];
                demand(fits, "auction.bid", format_args!("{} cannot be bid", a.bid))?;
                self.check_boxes(s, a.boxes, "auction.boxes")?;
                let most = bidders.len() - 1;
                let fault = format_args!("{} passes end the auction", a.passes);
                demand(usize::from(a.passes) < most, "auction.passes", fault)?;
                (0..=a.passes).fold(bidder, |seat, _| self.next_bidder(s, seat))
            }
        };
        let fault = format_args!("seat {} is next to bid", due.number());
        demand(s.actor == Some(due), "actor", fault)?;
        if s.phase() == Phase::Amount {
            self.check_boxes(s, a.proposed, "auction.proposed")?;
        } else {
            demand(a.proposed == a.boxes, "auction.proposed", "the proposal that stands")?;
        }
        let can_bid = s.phase() == Phase::Bid || self.bid_range(s).is_some();
        demand(can_bid, "money", format_args!("seat {} can afford no bid", due.number()))
    }

    /// Checks that two boxes are a proposal for players without an alliance (6.4).
    fn check_boxes(&self, s: &State, boxes: [Option<Player>; 2], place: &str) -> Finding {
        let [a, b] = boxes.map(|seat| seat.map_or(NOBODY, Player::number));
        let bit = bit_of(Phase::Propose, Action::pair(Verb::Propose, a, b));
        let fits = boxes != [None; 2] && bit < 64 && proposals(s.unallied) >> bit & 1 == 1;
        demand(fits, place, "no proposal for the seats without an alliance")
    }

    /// Checks the starting units that are being placed (7).
    fn check_placement(&self, s: &State) -> Finding {
        demand(s.season == 0, "season", "units are placed in the first")?;
        let seat = self.turn_player(s);
        demand(s.actor == Some(seat), "actor", format_args!("seat {} places", seat.number()))?;
        let Detail::Placement { homes, uncounted, starter, left } = s.detail else {
            return demand(false, "detail", "the units that are placed");
        };
        let fits = homes == self.homes(s) && !homes.is_empty();
        demand(fits, "detail.homes", "the provinces with influence of the seat")?;
        let phase = match starter {
            Starter::Caesar => Phase::PlaceCaesar,
            Starter::Generals => Phase::PlaceGeneral,
            Starter::Galleys => Phase::PlaceGalley,
            Starter::Infantry | Starter::Cavalry | Starter::Catapults => Phase::PlaceCount,
        };
        demand(s.phase() == phase, "detail.starter", format_args!("{phase:?} is due"))?;
        let later = uncounted.first().map(|first| homes.above(first).with(first, true));
        let fits =
            if starter.counted().is_some() { later == Some(uncounted) } else { uncounted == homes };
        demand(fits, "detail.uncounted", "the homes that still get a share")?;
        let start = &self.board.config.start;
        let pool = &s.pool[seat];
        let most = match starter {
            Starter::Caesar => start.caesar as u8,
            Starter::Generals => (start.general as u8).min(pool[Unit::General]),
            Starter::Galleys => (start.galley as u8).min(pool[Unit::Galley]),
            Starter::Infantry | Starter::Cavalry | Starter::Catapults => {
                starter.counted().map_or(0, |unit| self.board.start_units[unit].min(pool[unit]))
            }
        };
        let fault = format_args!("{left} is out of range (1 to {most})");
        demand((1..=most).contains(&left), "detail.left", fault)
    }

    // --- votes (16.4) ---

    fn check_vote(&self, s: &State) -> Finding {
        demand(s.detail == Detail::None, "detail", "no choice but those of the vote")?;
        let (v, n) = (&s.vote, self.n_players);
        demand(v.vote.is_some(), "vote.vote", "one is called")?;
        let due = match v.bidder {
            None => {
                let fits = v.shown == [0; 4] && s.phase() == Phase::Vote;
                demand(fits, "vote.shown", "nobody has shown a Senator")?;
                let fits = usize::from(v.passes) < n;
                demand(fits, "vote.passes", format_args!("{n} players have passed"))?;
                (0..v.passes).fold(self.turn_player(s), |seat, _| seat.next(n))
            }
            Some(bidder) => {
                self.check_shown(s, bidder)?;
                let holds = (0..4).all(|i| v.shown[i] <= s.senators[bidder][i]);
                demand(holds, "vote.shown", "the seat does not hold them")?;
                if s.phase() == Phase::LegionsIn {
                    bidder
                } else {
                    let fits = usize::from(v.passes) + 1 < n;
                    demand(fits, "vote.passes", "all others have passed")?;
                    (0..=v.passes).fold(bidder, |seat, _| seat.next(n))
                }
            }
        };
        demand(s.actor == Some(due), "actor", format_args!("seat {} is next", due.number()))?;
        if s.phase() == Phase::LegionsIn {
            let fits = v.vote == Some(Vote::NewLegions) && s.pool[due][Unit::Infantry] > 0;
            demand(fits, "vote.vote", "no vote for new legions, or there are none")?;
            return self.check_passes(s);
        }
        Ok(())
    }

    /// Checks that all but the winner of a vote have passed.
    fn check_passes(&self, s: &State) -> Finding {
        let most = self.n_players - 1;
        demand(usize::from(s.vote.passes) == most, "vote.passes", format_args!("{most} at the end"))
    }

    fn check_shown(&self, s: &State, bidder: Player) -> Finding {
        crate::by_hand::demand_seat(bidder, self.n_players, "vote.bidder")?;
        let fits = s.vote.shown.iter().all(|&n| n <= 60) && worth(s.vote.shown) > 0;
        demand(fits, "vote.shown", "some Senators of the hand")
    }

    /// Checks the draw of a random Senator (14.5, 16.2, 16.4).
    fn check_senator(&self, s: &State) -> Finding {
        use crate::games::conquest2::model::detail::Cause;
        let Detail::Senator { player, cause } = s.detail else {
            return demand(false, "detail", "the seat and the cause");
        };
        crate::by_hand::demand_seat(player, self.n_players, "detail.player")?;
        if cause != Cause::Vote {
            demand(s.vote == Ballot::EMPTY, "vote", "none is under way")?;
            let fits = player != self.turn_player(s) && s.hand_size(player) > 0;
            return demand(fits, "detail.player", "another seat that holds a Senator");
        }
        let Some(bidder) = s.vote.bidder else {
            return demand(false, "vote.bidder", "a seat has won");
        };
        demand(s.vote.vote.is_some(), "vote.vote", "one was called")?;
        self.check_shown(s, bidder)?;
        self.check_passes(s)?;
        let is_master = self.master_of_rome(s) == Some(player);
        demand(is_master, "detail.player", "the seat with most influence in the capital")
    }
}
