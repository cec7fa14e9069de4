//! Senate Votes (clause 16.4).

use super::Conquest2;
use super::board::NONE;
use super::cards::{VOTE, Vote};
use super::phase::{Action, Options, Phase, Verb, n_shows};
use super::state::{Detail, State, Vote as Ballot};
use super::units::INFANTRY;

impl Conquest2 {
    pub(super) fn call_vote(s: &mut State, card: u8) {
        s.vote = Ballot { card, ..Ballot::EMPTY };
        s.phase = Phase::Vote;
    }

    /// `pass`, then every way to show more than the standing bid.
    pub(super) fn vote_options(s: &State) -> Options {
        Options::new(0, 0, 1 + n_shows(s))
    }

    pub(super) fn vote(&self, s: &mut State, action: Action) {
        let n = self.n_players as u8;
        if action.verb == Verb::Pass {
            s.vote.passes += 1;
        } else {
            s.vote.shown = action.senators();
            s.vote.bidder = s.actor;
            s.vote.passes = 0;
            s.note_shown(s.actor, s.vote.shown);
        }
        let is_over = s.vote.passes + u8::from(s.vote.bidder != NONE) == n;
        if !is_over {
            s.actor = (s.actor + 1) % n;
        } else if s.vote.bidder == NONE {
            self.end_vote(s);
        } else {
            self.grant(s);
        }
    }

    /// The winner gains the benefit.
    fn grant(&self, s: &mut State) {
        let winner = s.vote.bidder;
        let votes = &self.board.config.vote;
        match Vote::ALL[usize::from(s.vote.card)] {
            Vote::EmergencyTax => s.gain_money(winner, votes.emergency_tax as u16),
            Vote::BreadAndCircuses => s.gain_chaos(winner, -votes.bread_and_circuses),
            Vote::HailCaesar => s.gain_vp(winner, votes.hail_caesar as i16),
            Vote::InfluenceInRome => {
                let key = self.board.key_of[usize::from(self.board.capital)];
                if key != NONE {
                    s.gain_influence(winner, key, votes.influence_in_rome as u8);
                }
            }
            Vote::NewLegions => {
                if s.pool[usize::from(winner)][INFANTRY] > 0 && self.board.legions_in != 0 {
                    s.actor = winner;
                    s.phase = Phase::LegionsIn;
                    return;
                }
            }
        }
        self.pay_vote(s);
    }

    pub(super) fn raise_legions(&self, s: &mut State, place: u8) {
        let number = self.board.config.vote.new_legions as u8;
        let raised = self.draw_from_pool(s, s.actor, INFANTRY, number);
        s.add_troops(s.actor, place, INFANTRY, raised as i8);
        self.pay_vote(s);
    }

    /// The shown Senators leave the winner's hand; Rome may keep one of them.
    fn pay_vote(&self, s: &mut State) {
        let winner = usize::from(s.vote.bidder);
        for v in 0..4 {
            s.senators[winner][v] -= s.vote.shown[v];
        }
        match self.master_of_rome(s) {
            Some(target) => {
                s.detail = Detail { target, card: VOTE, ..Detail::EMPTY };
                s.phase = Phase::SenatorDraw;
            }
            None => self.end_vote(s),
        }
    }

    /// Who has strictly most influence in the capital, and at least one.
    pub(super) fn master_of_rome(&self, s: &State) -> Option<u8> {
        let key = self.board.key_of[usize::from(self.board.capital)];
        let influence = |q: u8| s.influence_of(q, key);
        let players = 0..self.n_players as u8;
        let most = players.clone().map(influence).max().unwrap_or(0);
        let mut first = players.filter(|&q| most > 0 && influence(q) == most);
        let master = first.next();
        if first.next().is_some() { None } else { master }
    }

    pub(super) fn end_vote(&self, s: &mut State) {
        s.vote = Ballot::EMPTY;
        self.back_to_top(s);
    }
}
