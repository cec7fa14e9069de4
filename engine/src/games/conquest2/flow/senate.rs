//! Senate Votes (clause 16.4).

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::cards::Vote;
use crate::games::conquest2::model::detail::{Cause, Detail};
use crate::games::conquest2::model::options::Options;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::Place;
use crate::games::conquest2::model::state::{Ballot, State, worth};
use crate::games::conquest2::model::units::Unit;
use crate::player::Player;

impl Conquest2 {
    pub(crate) fn call_vote(s: &mut State, vote: Vote) {
        s.vote = Ballot { vote: Some(vote), ..Ballot::EMPTY };
        s.go(Phase::Vote);
    }

    /// Returns `pass`, then every way to show more than the standing bid.
    pub(crate) fn vote_options(s: &State) -> Options {
        Options::new(0, 0, 1 + n_shows(s))
    }

    #[inline(never)]
    pub(crate) fn vote(&self, s: &mut State, action: Action) {
        if action.verb == Verb::Pass {
            s.vote.passes += 1;
        } else {
            s.vote.shown = action.senators();
            s.vote.bidder = s.actor;
            s.vote.passes = 0;
            s.note_shown(s.actor(), s.vote.shown);
        }
        let has_spoken = usize::from(s.vote.passes + u8::from(s.vote.bidder.is_some()));
        if has_spoken != self.n_players {
            s.actor = Some(s.actor().next(self.n_players));
        } else if let Some(winner) = s.vote.bidder {
            self.grant(s, winner);
        } else {
            self.end_vote(s);
        }
    }

    /// Gives the winner the benefit of the vote.
    fn grant(&self, s: &mut State, winner: Player) {
        let votes = &self.board.config.vote;
        match s.vote.vote.expect("a vote is under way") {
            Vote::EmergencyTax => s.gain_money(winner, votes.emergency_tax as u16),
            Vote::BreadAndCircuses => s.gain_chaos(winner, -votes.bread_and_circuses),
            Vote::HailCaesar => s.gain_vp(winner, votes.hail_caesar as i16),
            Vote::InfluenceInRome => {
                if let Some(key) = self.board.key_of[self.board.capital.idx()] {
                    s.gain_influence(winner, key, votes.influence_in_rome as u8);
                }
            }
            Vote::NewLegions => {
                if s.pool[winner][Unit::Infantry] > 0 && !self.board.legions_in.is_empty() {
                    s.actor = Some(winner);
                    s.go(Phase::LegionsIn);
                    return;
                }
            }
        }
        self.pay_vote(s, winner);
    }

    #[inline]
    pub(crate) fn raise_legions(&self, s: &mut State, place: Place) {
        let number = self.board.config.vote.new_legions as u8;
        let raised = self.draw_from_pool(s, s.actor(), Unit::Infantry, number);
        s.add_troops(s.actor(), place, Unit::Infantry, raised as i8);
        self.pay_vote(s, s.actor());
    }

    /// Removes the shown Senators from the winner's hand; the master of Rome may keep one of them.
    fn pay_vote(&self, s: &mut State, winner: Player) {
        for v in 0..4 {
            s.senators[winner][v] -= s.vote.shown[v];
        }
        match self.master_of_rome(s) {
            Some(player) => {
                s.detail = Detail::Senator { player, cause: Cause::Vote };
                s.go(Phase::SenatorDraw);
            }
            None => self.end_vote(s),
        }
    }

    /// Returns the player with strictly most influence in the capital, and at least one token.
    pub(crate) fn master_of_rome(&self, s: &State) -> Option<Player> {
        let key = self.board.key_of[self.board.capital.idx()];
        let influence = |q: Player| s.influence_at(q, key);
        let players = self.players();
        let most = players.clone().map(influence).max().unwrap_or(0);
        let mut first = players.filter(|&q| most > 0 && influence(q) == most);
        let master = first.next();
        if first.next().is_some() { None } else { master }
    }

    pub(crate) fn end_vote(&self, s: &mut State) {
        s.vote = Ballot::EMPTY;
        self.back_to_top(s);
    }
}

/// Returns the lowest number of Senators of value IV that can be shown above `floor`, and the count of such numbers.
/// `rest` are the votes of the other Senators shown.
const fn fourths(rest: u16, floor: u16, most: u8) -> (u8, u16) {
    let lowest = if rest > floor { 0 } else { (floor - rest) / 4 + 1 };
    let n = (most as u16 + 1).saturating_sub(lowest);
    (lowest as u8, n)
}

/// Returns the number of ways to show Senators above the standing bid.
pub(crate) fn n_shows(s: &State) -> u16 {
    let hand = s.senators[s.actor()];
    let floor = worth(s.vote.shown);
    if worth(hand) <= floor {
        return 0;
    }
    if floor == 0 {
        // Any show is above the bid when there is no bidder.
        return hand.iter().map(|&n| u16::from(n) + 1).product::<u16>() - 1;
    }
    let mut n = 0;
    for a in 0..=u16::from(hand[0]) {
        for b in 0..=u16::from(hand[1]) {
            for c in 0..=u16::from(hand[2]) {
                n += fourths(a + 2 * b + 3 * c, floor, hand[3]).1;
            }
        }
    }
    n
}

/// Returns the option `index`: `pass` first, then the shows, the highest value varying fastest.
pub(crate) fn nth_show(s: &State, index: u16) -> Action {
    let Some(mut left) = index.checked_sub(1) else { return Action::plain(Verb::Pass) };
    let hand = s.senators[s.actor()];
    let floor = worth(s.vote.shown);
    for a in 0..=hand[0] {
        for b in 0..=hand[1] {
            for c in 0..=hand[2] {
                let (lowest, n) = fourths(worth([a, b, c, 0]), floor, hand[3]);
                if left < n {
                    return Action::show([a, b, c, lowest + left as u8]);
                }
                left -= n;
            }
        }
    }
    unreachable!("an option within the count")
}

/// Returns whether an action shows Senators that the actor has, above the standing bid.
pub(crate) fn is_show(s: &State, action: Action) -> bool {
    let shown = action.senators();
    let hand = s.senators[s.actor()];
    action == Action::show(shown)
        && (0..4).all(|v| shown[v] <= hand[v])
        && worth(shown) > worth(s.vote.shown)
}
