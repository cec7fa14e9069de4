//! Multi-use cards (clause 16) apart from Senate Votes, and random Senators.

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::flow::choice::generals;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::cards::{Card, CardKind, Slot, Vote};
use crate::games::conquest2::model::detail::{Cause, Detail};
use crate::games::conquest2::model::options::{LAST, Options, USE_LOOT, USE_SENATOR, USE_VOTE};
use crate::games::conquest2::model::packed::nibbles;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::Place;
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::Unit;
use crate::player::Player;

/// The nibbles of multi-use cards that can be used in every position: loot and votes.
const ALWAYS_USEFUL: u64 = u64::MAX << (4 * Card::LOOT.multi_slot());

impl Conquest2 {
    /// Returns whether the actor has a card that they can use now.
    #[inline]
    pub(crate) fn can_use(&self, s: &State) -> bool {
        let q = s.actor();
        let ready = s.multi[q] - s.used[q];
        ready != 0 && (ready & ALWAYS_USEFUL != 0 || self.use_options(s).n() > 0)
    }

    pub(crate) fn use_options(&self, s: &State) -> Options {
        let player = s.actor();
        let (mut set, mut n_generals) = (0u64, 0);
        for (slot, _) in nibbles(s.multi[player] - s.used[player]) {
            match Card::in_slot(Slot::Multi(slot)).kind() {
                CardKind::Merchant(i) => set |= u64::from(self.can_trade(s, i)) << i,
                CardKind::Loot => set |= 1 << USE_LOOT,
                CardKind::Vote(vote) => set |= 1 << (USE_VOTE + vote as u8),
                _ => {
                    set |= u64::from(self.bribable(s)) << USE_SENATOR;
                    n_generals = generals(s, self.n_players).count() as u16;
                }
            }
        }
        let n_others = set.count_ones() as u16;
        let strikes = if n_generals > 0 { LAST } else { 0 };
        Options::new(set | strikes, 0, n_others + n_generals)
    }

    fn can_trade(&self, s: &State, merchant: u8) -> bool {
        let key = self.board.merchant_key[usize::from(merchant)];
        s.influence_at(s.actor(), key) > 0 || !self.board.config.merchant.needs_influence
    }

    pub(crate) fn use_card(&self, s: &mut State, action: Action) {
        let player = s.actor();
        match action.verb {
            Verb::Merchant => {
                let i = usize::from(action.args[0]);
                let influence = s.influence_at(player, self.board.merchant_key[i]);
                s.gain_money(player, u16::from(influence) * self.board.merchant_talents[i]);
                s.mark_used(player, Card::merchant(i as u8));
            }
            Verb::Loot => {
                s.gain_money(player, self.board.config.loot.talents as u16);
                s.gain_chaos(player, self.board.config.loot.chaos);
                s.mark_used(player, Card::LOOT);
            }
            Verb::Vote => {
                let vote = Vote::ALL[usize::from(action.args[0])];
                s.mark_used(player, Card::vote(vote));
                return Self::call_vote(s, vote);
            }
            Verb::AssassinGeneral => {
                let (target, place) = (action.player(), Place::new(action.args[1]));
                s.add_troops(target, place, Unit::General, -1);
                s.pool[target][Unit::General] += 1;
                s.mark_used(player, Card::ASSASSIN);
            }
            _ => {
                s.mark_used(player, Card::ASSASSIN);
                s.detail = Detail::Senator { player: action.player(), cause: Cause::Assassin };
                s.go(Phase::SenatorDraw);
                return;
            }
        }
        self.back_to_top(s);
    }

    /// Returns the Senators from which one is drawn at random.
    pub(crate) fn senators_at_stake(s: &State) -> [u8; 4] {
        match Self::senator_due(s) {
            (player, Cause::Bribe | Cause::Assassin) => s.senators[player],
            (_, Cause::Vote) => s.vote.shown,
        }
    }

    fn senator_due(s: &State) -> (Player, Cause) {
        match s.detail {
            Detail::Senator { player, cause } => (player, cause),
            other => unreachable!("{other:?} is no Senator"),
        }
    }

    /// Returns whether the Senator that is due changes hands unseen by `observer`.
    pub(crate) fn is_secret_bribe(&self, s: &State, observer: Player) -> bool {
        let (victim, cause) = Self::senator_due(s);
        cause == Cause::Bribe && victim != observer && self.turn_player(s) != observer
    }

    pub(crate) fn senator_drawn(&self, s: &mut State, value: u8) {
        let (target, cause) = Self::senator_due(s);
        let (v, q) = (usize::from(value), target);
        match cause {
            Cause::Bribe => {
                let thief = self.turn_player(s);
                s.note_bribe(thief, target, value);
                s.senators[q][v] -= 1;
                s.senators[thief][v] += 1;
            }
            Cause::Assassin => {
                s.note_kill(target, value);
                s.senators[q][v] -= 1;
            }
            Cause::Vote => {
                s.senators[q][v] += 1;
                return self.end_vote(s);
            }
        }
        self.back_to_top(s);
    }
}
