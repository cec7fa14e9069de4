//! Learning of a strategy from the sampled option, with the means of the other options as baselines.

use engine::ByPlayer;

use super::{MixedEdge, MixedStrategyDraw, Rule, regret};

/// The assumed value of an option at a node without visits.
const UNKNOWN: f32 = 0.5;

/// Computes the baselines of options from the visits and the mean of each. An untried option gets the mean over all
/// visits.
pub(in crate::mcts) fn baselines(
    tried: impl Iterator<Item = (u32, f32)> + Clone,
    out: &mut Vec<f32>,
) {
    let add = |(all, sum): (u32, f32), (visits, mean): (u32, f32)| {
        (all + visits, sum + visits as f32 * mean)
    };
    let (visits, sum) = tried.clone().fold((0, 0.0), add);
    let usual = if visits > 0 { sum / visits as f32 } else { UNKNOWN };
    out.clear();
    out.extend(tried.map(|(visits, mean)| if visits > 0 { mean } else { usual }));
}

/// Updates the strategy with the result `utility` of option `chosen`.
pub(in crate::mcts) fn learn(
    strategy: &mut [MixedEdge],
    baselines: &[f32],
    chosen: usize,
    utility: f32,
    mixed: &MixedStrategyDraw,
) {
    let surprise = (utility - baselines[chosen]) / mixed.probability;
    let expected = match mixed.rule {
        Rule::Exp3 => 0.0,
        Rule::Regret => regret::expected(strategy, baselines) + strategy[chosen].now * surprise,
    };
    let options = strategy.iter_mut().zip(baselines);
    for (option, baseline) in options.filter(|(option, _)| option.is_possible()) {
        option.score += f64::from(mixed.weight * (baseline - expected));
    }
    strategy[chosen].score += f64::from(mixed.weight * surprise);
}

/// Converts the result of option `chosen` to an estimate of the strategy's value for each player. `means` are the means
/// of the options.
pub(in crate::mcts) fn correct(
    strategy: &[MixedEdge],
    means: &[ByPlayer<f32>],
    chosen: usize,
    mixed: &MixedStrategyDraw,
    utilities: &mut ByPlayer<f32>,
) {
    let ratio = strategy[chosen].now / mixed.probability;
    let mut known = ByPlayer::<f32>::default();
    for (option, mean) in strategy.iter().zip(means).filter(|(option, _)| option.is_possible()) {
        known.0.iter_mut().zip(mean.0).for_each(|(known, mean)| *known += option.now * mean);
    }
    for ((utility, known), mean) in utilities.0.iter_mut().zip(known.0).zip(means[chosen].0) {
        *utility = known + ratio * (*utility - mean);
    }
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Randomness, rng};

    use super::super::{average, draw, prepare};
    use super::*;

    const GAMMA: f32 = 0.1;

    /// The statistics of one side of a matrix game.
    #[derive(Default)]
    struct Side {
        strategy: [MixedEdge; 3],
        visits: [u32; 3],
        means: [f32; 3],
    }

    impl Side {
        fn learn(&mut self, chosen: usize, utility: f32, mixed: &MixedStrategyDraw) {
            let mut known = Vec::new();
            baselines(self.visits.into_iter().zip(self.means), &mut known);
            learn(&mut self.strategy, &known, chosen, utility, mixed);
            self.visits[chosen] += 1;
            self.means[chosen] += (utility - self.means[chosen]) / self.visits[chosen] as f32;
        }
    }

    /// Plays a matrix game (rows' utility) by a rule and returns the average strategy of the rows.
    fn self_play(matrix: &[[f32; 3]; 3], rule: Rule, iterations: u32) -> Vec<f64> {
        let mut sides = [Side::default(), Side::default()];
        let legal = [0, 1, 2];
        let mut rng = rng::fast(&mut rng::stream(3, 0, Purpose::Analysis));
        for _ in 0..iterations {
            let drawn = sides.each_mut().map(|side| {
                prepare(&mut side.strategy, &legal, rule, GAMMA, 1.0);
                draw(&side.strategy, &legal, GAMMA, rng.unit() as f32)
            });
            let value = matrix[usize::from(drawn[0].0)][usize::from(drawn[1].0)];
            for ((side, (chosen, probability)), utility) in
                sides.iter_mut().zip(drawn).zip([value, 1.0 - value])
            {
                let mixed = MixedStrategyDraw { rule, probability, weight: 1.0 };
                side.learn(usize::from(chosen), utility, &mixed);
            }
        }
        let mut shares = Vec::new();
        average(sides[0].strategy.iter().map(|option| option.total), 0.0, &mut shares);
        shares
    }

    /// In rock, paper, scissors with a larger reward for winning with rock, the equilibrium is not uniform.
    #[test]
    fn averages_approach_the_equilibrium() {
        let matrix = [[0.5, 0.25, 1.0], [0.75, 0.5, 0.25], [0.0, 0.75, 0.5]];
        let equilibrium = [0.25, 0.5, 0.25];
        for rule in [Rule::Regret, Rule::Exp3] {
            let shares = self_play(&matrix, rule, 200_000);
            for (share, wanted) in shares.iter().zip(equilibrium) {
                assert!((share - wanted).abs() < 0.05, "{rule:?}: {shares:?}");
            }
        }
    }

    #[test]
    fn what_was_never_tried_counts_as_what_was() {
        let mut known = Vec::new();
        baselines([(3, 0.8), (0, 0.0), (1, 0.4)].into_iter(), &mut known);
        for (known, wanted) in known.iter().zip([0.8, 0.7, 0.4]) {
            assert!((known - wanted).abs() < 1e-6);
        }
        baselines([(0, 0.0); 2].into_iter(), &mut known);
        assert_eq!(known, [UNKNOWN; 2]);
    }

    /// The mean of the corrected result over all possible draws is the value of the strategy.
    #[test]
    fn exploration_changes_no_expectation() {
        let legal = [0, 1, 2];
        let mut strategy = [MixedEdge::default(); 3];
        strategy.iter_mut().zip([1.0, 3.0, 0.0]).for_each(|(option, score)| option.score = score);
        prepare(&mut strategy, &legal, Rule::Regret, GAMMA, 1.0);
        let true_worth = [0.9_f32, 0.2, 0.6];
        let means = [0.5, 0.3, 0.1].map(|mean| ByPlayer([mean; 6]));
        let mut expected = 0.0;
        for (chosen, worth) in true_worth.into_iter().enumerate() {
            let probability = super::super::sampling(strategy[chosen].now, 3, GAMMA);
            let mixed = MixedStrategyDraw { rule: Rule::Regret, probability, weight: 1.0 };
            let mut handed_up = ByPlayer([worth; 6]);
            correct(&strategy, &means, chosen, &mixed, &mut handed_up);
            expected += probability * handed_up.0[0];
        }
        assert!((expected - regret::expected(&strategy, &true_worth)).abs() < 1e-6, "{expected}");
    }
}
