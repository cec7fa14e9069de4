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

use engine::{ByPlayer, MAX_PLAYERS};

use super::{MixedEdge, MixedStrategyDraw, Rule, regret};
use crate::mcts::hash::stir;

/// Turns with more joint choices are learnt one choice at a time, from samples (`sampled`).
pub(in crate::mcts) const MOST_JOINTS: usize = 64;

/// A member of a simultaneous turn, with one of his options.
#[derive(Clone, Copy, Default)]
pub(in crate::mcts) struct Member {
    pub(in crate::mcts) node: u32,
    /// His first option among those of all nodes.
    pub(in crate::mcts) first: usize,
    pub(in crate::mcts) len: usize,
    /// Which of them he takes.
    pub(in crate::mcts) option: usize,
}

/// A joint choice of the members of a simultaneous turn.
#[derive(Clone, Copy)]
pub(in crate::mcts) struct JointChoice {
    members: [Member; MAX_PLAYERS],
    /// Where the worth of their options begins.
    worth: [usize; MAX_PLAYERS],
    n: usize,
    /// Options of all members together.
    n_options: usize,
}

impl JointChoice {
    /// That of members who take these options.
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

    /// A number for the choice; the order of the members does not matter.
    pub(in crate::mcts) fn key(&self) -> u64 {
        let part = |m: &Member| stir((u64::from(m.node) + 1) << 32 | m.option as u64);
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

/// Puts what the options of all members are worth into `worth`, and returns what the strategies are.
///
/// `options` are those of all nodes; `entry` is what the joint choice of a key is worth to everybody, `unknown` what one
/// counts as that was never made, and `credit` what of it the member of a number seeks.
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
    // What is not possible now has no probability.
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

/// All members learn from what their options are worth ([`evaluate`]); `drawn` says of each how his choice was drawn
/// and how often his node was visited before. Returns how likely the joint choice was under the strategies, over how
/// it was sampled.
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

/// Learns what each option is worth against the strategies of the others, for the visit after `visits` others: regrets
/// do not fall below zero, and the strategy of the moment, which has weight one in the average, gets `visits` more.
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

    /// Rows have three options, columns four, of which the last is never possible: with a full table nothing is random,
    /// and averages approach the equilibrium of the rest as `1 / visits`.
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
