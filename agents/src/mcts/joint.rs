//! Simultaneous turns with few joint choices: a table of what each of them is worth.
//!
//! Where the members of a turn have at most [`MOST_JOINTS`] joint choices, all that came of each is remembered, and
//! whenever the turn is visited the members learn from the whole table what their options are worth. With `M(a)` the
//! mean for joint choice `a`, and `σ` the strategies of the moment, member `i` learns for each option `x`
//!
//! `v(x) = Σ σ₋ᵢ(b) M(x, b)`, over all choices `b` of the others.
//!
//! Sampling decides only which entry becomes better known: strategies are learnt without noise, as if the table were
//! the game, and however unlikely a choice was, nothing is divided by its probability. The turn hands up
//!
//! `Σ σ(b) M(b) + (u − M(a)) Π σ(aᵢ) / q(aᵢ)`, over all joint choices `b`,
//!
//! for the `u` that came of `a`, sampled with `q`: an estimate of what the strategies are worth, with the table for a
//! baseline, whose bias (`M(a)` has `u` in it already) goes as visits come. A choice that was never made counts as `u`.
//! `M(a)` is a mean with weights `1, 2, 3, …`, because `u` comes of strategies that are still learning.
//!
//! Sources: Lisý, Kovařík, Lanctot & Bošanský (2013) for regret minimizers of their own at every turn, and for means in
//! place of samples; Tammelin (2014) for the weights and for regret matching+; Schmid et al. (2019) for baselines.

use std::ops::RangeInclusive;

use engine::{ByPlayer, Game, MAX_PLAYERS};

use super::config::Origin;
use super::mixed;
use super::search::Search;
use super::tree::NONE;
use super::{select, values};
use crate::guide::Guide;

/// Turns with more joint choices are learnt one choice at a time, from samples (`mixed`).
const MOST_JOINTS: usize = 64;

/// A member of a simultaneous turn, with one of his options.
#[derive(Clone, Copy, Default)]
struct Member {
    node: u32,
    /// His first edge, and where the worth of his options begins.
    first: usize,
    worth: usize,
    len: usize,
    option: usize,
}

/// A joint choice.
#[derive(Clone, Copy)]
struct Joint {
    members: [Member; MAX_PLAYERS],
    n: usize,
}

impl Joint {
    fn members(&self) -> &[Member] {
        &self.members[..self.n]
    }

    /// A number for the choice; the order of the members does not matter.
    fn key(&self) -> u64 {
        let part = |m: &Member| select::stir((u64::from(m.node) + 1) << 32 | m.option as u64);
        self.members().iter().map(part).fold(0, u64::wrapping_add)
    }

    /// The product of `of` over all members but number `without`.
    fn product(&self, without: usize, of: impl Fn(&Member) -> f32) -> f32 {
        let rest = self.members().iter().enumerate().filter(|(i, _)| *i != without);
        rest.map(|(_, member)| of(member)).product()
    }

    /// Goes on to the next joint choice; after the last it is the first again, and the answer no.
    fn advance(&mut self) -> bool {
        for member in &mut self.members[..self.n] {
            member.option += 1;
            if member.option < member.len {
                return true;
            }
            member.option = 0;
        }
        false
    }
}

impl<G: Game, H: Guide<G>> Search<G, H> {
    /// Whether a simultaneous turn with a table ends with choice `last` of the path.
    pub(super) fn has_table(&self, last: usize) -> bool {
        let turn = self.path[last].turn;
        let goes_on = self.path.get(last + 1).is_some_and(|next| next.turn == turn);
        if turn == NONE || goes_on || self.config.origin != Origin::Here {
            return false;
        }
        let options = |i: usize| usize::from(self.tree.nodes[self.path[i].node as usize].len);
        let all = (turn as usize..=last).try_fold(1, |n: usize, i| n.checked_mul(options(i)));
        all.is_some_and(|n| n <= MOST_JOINTS)
    }

    /// Learns that `meant` came of the choices `turn` of the path, which were made at once, and turns it into an estimate
    /// of what the strategies are worth to everybody.
    pub(super) fn learn_together(
        &mut self,
        turn: RangeInclusive<usize>,
        meant: &mut ByPlayer<f32>,
    ) {
        let chosen = self.joint_of(turn.clone());
        let usual = self.tree.note_joint(chosen.key(), meant);
        let value = self.weigh_options(&chosen, turn.clone(), meant);
        let mut ratio = 1.0;
        for (member, i) in chosen.members().iter().zip(turn) {
            let lottery = self.path[i].lottery.expect("all members draw");
            let strategy = &mut self.tree.mixed[member.first..][..member.len];
            ratio *= strategy[member.option].now / lottery.probability;
            let visits = self.tree.nodes[member.node as usize].visits;
            mixed::learn_all(strategy, &self.scratch.worth[member.worth..], lottery.rule, visits);
        }
        for (player, utility) in meant.0.iter_mut().enumerate() {
            *utility = value.0[player] + ratio * (*utility - usual.0[player]);
        }
    }

    fn joint_of(&self, turn: RangeInclusive<usize>) -> Joint {
        let mut joint = Joint { members: [Member::default(); MAX_PLAYERS], n: 0 };
        let mut worth = 0;
        for step in &self.path[turn] {
            let range = self.tree.range(step.node);
            let (first, len) = (range.start, range.len());
            let option = step.edge as usize - first;
            joint.members[joint.n] = Member { node: step.node, first, worth, len, option };
            joint.n += 1;
            worth += len;
        }
        joint
    }

    /// Puts what the options of all members are worth into `worth`, and returns what the strategies are.
    fn weigh_options(
        &mut self,
        chosen: &Joint,
        turn: RangeInclusive<usize>,
        meant: &ByPlayer<f32>,
    ) -> ByPlayer<f32> {
        let mut joint = *chosen;
        let mut value = ByPlayer::<f32>::default();
        joint.members.iter_mut().for_each(|member| member.option = 0);
        self.scratch.worth.clear();
        self.scratch.worth.resize(chosen.members().iter().map(|member| member.len).sum(), 0.0);
        loop {
            // What is not possible now has no probability.
            let now = |m: &Member| self.tree.mixed[m.first + m.option].now.max(0.0);
            let utilities = self.tree.joint(joint.key()).unwrap_or(*meant);
            let probability = joint.product(MAX_PLAYERS, now);
            value.0.iter_mut().zip(utilities.0).for_each(|(sum, u)| *sum += probability * u);
            for (i, (member, at)) in joint.members().iter().zip(turn.clone()).enumerate() {
                let (others, step) = (joint.product(i, now), &self.path[at]);
                let credit =
                    values::credit(&utilities, step.mover, self.me, step.allies, &self.config);
                self.scratch.worth[member.worth + member.option] += others * credit;
            }
            if !joint.advance() {
                return value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn joint(nodes: [u32; 2], options: [usize; 2]) -> Joint {
        let member = |i: usize| Member {
            node: nodes[i],
            len: 3 + i,
            option: options[i],
            ..Member::default()
        };
        let mut members = [Member::default(); MAX_PLAYERS];
        (members[0], members[1]) = (member(0), member(1));
        Joint { members, n: 2 }
    }

    #[test]
    fn the_order_of_the_members_does_not_matter_but_who_takes_what_does() {
        assert_eq!(joint([5, 9], [2, 1]).key(), joint([9, 5], [1, 2]).key());
        assert_ne!(joint([5, 9], [2, 1]).key(), joint([5, 9], [1, 2]).key());
        assert_ne!(joint([5, 9], [0, 0]).key(), joint([5, 5], [0, 0]).key());
    }

    #[test]
    fn every_joint_choice_comes_once() {
        let mut at = joint([0, 1], [0, 0]);
        let mut keys = BTreeSet::from([at.key()]);
        while at.advance() {
            assert!(keys.insert(at.key()), "twice");
        }
        assert_eq!(keys.len(), 12);
        assert_eq!(at.key(), joint([0, 1], [0, 0]).key());
    }
}
