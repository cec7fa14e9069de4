//! Simultaneous turns with few joint choices: a table of the value of each joint choice.
//!
//! If a turn has at most [`MOST_JOINTS`] joint choices, all results of each are stored. At each visit the members learn
//! the values of their options from the whole table. Let `M(a)` be the mean for joint choice `a`, and `σ` the current
//! strategies. Member `i` learns for each option `x`
//!
//! `v(x) = Σ σ₋ᵢ(b) M(x, b)`, over all choices `b` of the others.
//!
//! Sampling decides only which entry is updated. The strategies learn without noise, as if the table were the game. No
//! division by a small probability occurs. The turn passes up
//!
//! `Σ σ(b) M(b) + (u − M(a)) Π σ(aᵢ) / q(aᵢ)`, over all joint choices `b`,
//!
//! where `u` is the result of `a`, sampled with `q`. This estimates the value of the strategies with the table as
//! baseline. Its bias (`M(a)` already contains `u`) vanishes with more visits. An untried choice counts as `u`. `M(a)`
//! is a mean with weights `1, 2, 3, …`, because `u` comes from strategies that are still learning.
//!
//! Sources: Lisý, Kovařík, Lanctot & Bošanský (2013) for separate regret minimizers at every turn and for means instead
//! of samples; Tammelin (2014) for the weights and for regret matching+; Schmid et al. (2019) for baselines.

use engine::{ByPlayer, MAX_PLAYERS};

use super::{MixedEdge, MixedStrategyDraw, Rule, regret};
use crate::mcts::hash::stir;

/// Maximum number of joint choices of a turn with a table. Larger turns learn from samples (`sampled`).
pub(in crate::mcts) const MOST_JOINTS: usize = 64;

/// A member of a simultaneous turn, with one of the member's options.
#[derive(Clone, Copy, Default)]
pub(in crate::mcts) struct Member {
    pub(in crate::mcts) node: u32,
    /// The index of the member's first option among those of all nodes.
    pub(in crate::mcts) first: usize,
    pub(in crate::mcts) len: usize,
    /// The member's chosen option.
    pub(in crate::mcts) option: usize,
}

/// A joint choice of the members of a simultaneous turn.
#[derive(Clone, Copy)]
pub(in crate::mcts) struct JointChoice {
    members: [Member; MAX_PLAYERS],
    /// The start of each member's option values.
    worth: [usize; MAX_PLAYERS],
    n: usize,
    /// The number of options of all members together.
    n_options: usize,
}

impl JointChoice {
    /// Creates the joint choice of these members.
    pub(in crate::mcts) fn new(members: impl Iterator<Item = Member>) -> Self {
        let nobody = [Member::default(); MAX_PLAYERS];
        let mut joint = Self { members: nobody, worth: [0; MAX_PLAYERS], n: 0, n_options: 0 };
        for member in members {
            (joint.members[joint.n], joint.worth[joint.n]) = (member, joint.n_options);
            joint.n += 1;
            joint.n_options += member.len;
        }
        joint
    }

    fn members(&self) -> &[Member] {
        &self.members[..self.n]
    }

    /// Returns a key of the choice. The order of the members does not matter.
    pub(in crate::mcts) fn key(&self) -> u64 {
        let part = |m: &Member| stir((u64::from(m.node) + 1) << 32 | m.option as u64);
        self.members().iter().map(part).fold(0, u64::wrapping_add)
    }

    /// Returns the product of `of` over all members except number `without`.
    fn product(&self, without: usize, of: impl Fn(&Member) -> f32) -> f32 {
        let rest = self.members().iter().enumerate().filter(|(i, _)| *i != without);
        rest.map(|(_, member)| of(member)).product()
    }

    /// Advances to the next joint choice. After the last one it returns to the first, and the result is `false`.
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

/// Computes the values of all members' options into `worth`, and returns the value of the strategies.
///
/// `options` holds the options of all nodes. `entry` returns the utilities of a joint choice by key. `unknown` is
/// assumed for a choice that was never made. `credit` returns the part of the utilities that a member maximizes.
pub(in crate::mcts) fn evaluate(
    chosen: &JointChoice,
    options: &[MixedEdge],
    entry: impl Fn(u64) -> Option<ByPlayer<f32>>,
    unknown: &ByPlayer<f32>,
    credit: impl Fn(usize, &ByPlayer<f32>) -> f32,
    worth: &mut Vec<f32>,
) -> ByPlayer<f32> {
    let mut joint = *chosen;
    let mut value = ByPlayer::<f32>::default();
    joint.members.iter_mut().for_each(|member| member.option = 0);
    worth.clear();
    worth.resize(joint.n_options, 0.0);
    // An option that is impossible now has no probability.
    let now = |m: &Member| options[m.first + m.option].now.max(0.0);
    loop {
        let utilities = entry(joint.key()).unwrap_or(*unknown);
        let probability = joint.product(MAX_PLAYERS, now);
        value.0.iter_mut().zip(utilities.0).for_each(|(sum, u)| *sum += probability * u);
        for (i, member) in joint.members().iter().enumerate() {
            let others = joint.product(i, now);
            worth[joint.worth[i] + member.option] += others * credit(i, &utilities);
        }
        if !joint.advance() {
            return value;
        }
    }
}

/// Updates the strategies of all members with the values of their options ([`evaluate`]). `drawn` gives each member's
/// draw and the earlier visits of their node. Returns the probability of the joint choice under the strategies divided
/// by its sampling probability.
pub(in crate::mcts) fn learn(
    chosen: &JointChoice,
    options: &mut [MixedEdge],
    worth: &[f32],
    drawn: impl Iterator<Item = (MixedStrategyDraw, u32)>,
) -> f32 {
    let mut ratio = 1.0;
    for ((member, worth_at), (mixed, visits)) in
        chosen.members().iter().zip(chosen.worth).zip(drawn)
    {
        let strategy = &mut options[member.first..][..member.len];
        ratio *= strategy[member.option].now / mixed.probability;
        learn_all(strategy, &worth[worth_at..][..member.len], mixed.rule, visits);
    }
    ratio
}

/// Updates a strategy with the values of its options against the others' strategies, after `visits` earlier visits.
/// Regrets do not fall below zero. The current strategy, with weight one in the average, gets `visits` more weight.
fn learn_all(strategy: &mut [MixedEdge], worth: &[f32], rule: Rule, visits: u32) {
    let expected = match rule {
        Rule::Exp3 => 0.0,
        Rule::Regret => regret::expected(strategy, worth),
    };
    let options = strategy.iter_mut().zip(worth);
    for (option, worth) in options.filter(|(option, _)| option.is_possible()) {
        option.score += f64::from(worth - expected);
        option.total += f64::from(visits) * f64::from(option.now);
        if rule == Rule::Regret {
            option.score = option.score.max(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{average, prepare};
    use super::*;

    fn joint(nodes: [u32; 2], options: [usize; 2]) -> JointChoice {
        let member =
            |i: usize| Member { node: nodes[i], first: 3 * i, len: 3 + i, option: options[i] };
        JointChoice::new((0..2).map(member))
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

    /// Rows have three options. Columns have four, and the last is never possible. With a full table nothing is random,
    /// and the averages approach the equilibrium of the remaining game as `1 / visits`.
    #[test]
    fn a_table_that_is_known_is_solved() {
        let matrix = [[0.5, 0.25, 1.0, 0.0], [0.75, 0.5, 0.25, 0.0], [0.0, 0.75, 0.5, 0.0]];
        let (equilibrium, worth_of_game) = ([0.25, 0.5, 0.25], 0.5);
        let mut options = [MixedEdge::default(); 7];
        let mut entries = Vec::new();
        for (row, values) in matrix.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                let utilities = ByPlayer([*value, 1.0 - value, 0.0, 0.0, 0.0, 0.0]);
                entries.push((joint([0, 1], [row, column]).key(), utilities));
            }
        }
        let entry = |key: u64| entries.iter().find(|(of, _)| *of == key).map(|(_, value)| *value);
        let (mut worth, mut mean) = (Vec::new(), 0.0);
        for visits in 0..3000 {
            let (rows, columns) = options.split_at_mut(3);
            prepare(rows, &[0, 1, 2], Rule::Regret, 0.1, 1.0);
            prepare(columns, &[0, 1, 2], Rule::Regret, 0.1, 1.0);
            let chosen = joint([0, 1], [1, 1]);
            let credit = |i: usize, utilities: &ByPlayer<f32>| utilities.0[i];
            let unknown = ByPlayer::default();
            let value = evaluate(&chosen, &options, entry, &unknown, credit, &mut worth);
            mean += 2.0 * (value.0[0] - mean) / (visits + 2) as f32;
            let mixed = MixedStrategyDraw { rule: Rule::Regret, probability: 0.5, weight: 1.0 };
            learn(&chosen, &mut options, &worth, [(mixed, visits); 2].into_iter());
        }
        for strategy in [&options[..3], &options[3..6]] {
            let mut shares = Vec::new();
            average(strategy.iter().map(|option| option.total), 0.0, &mut shares);
            for (share, wanted) in shares.iter().zip(equilibrium) {
                assert!((share - wanted).abs() < 0.02, "{shares:?}");
            }
        }
        assert!(options[6].total.abs() < 1e-12, "what is not possible is never played");
        assert!((mean - worth_of_game).abs() < 0.01, "{mean}");
    }
}
