//! Root values of searches in the targets of a net: what a search says of a position, beside who won the game.
//!
//! The result of one game is a noisy target. A search has looked at many continuations, so the mean utility of its
//! iterations varies less, but it is as wrong as the value of its leaves. A mixture of both is the usual target of expert
//! iteration (Silver et al. 2018 train on results, Anthony et al. 2017 on root values).

use agents::agent::SearchReport;
use agents::net::learning::Example;
use agents::side_by_side::side_by_side;
use agents::{AgentSpec, Playable};

use super::net::Counting;
use super::positions::Position;
use super::priors::{STRETCH, search};
use sim::error::Error;

/// A search whose root values are mixed into the targets of a net.
#[derive(Clone, Copy, Debug)]
pub struct Roots<'a> {
    /// The search.
    pub spec: &'a AgentSpec,
    /// The share of the root values in a target, from 0 to 1; the rest is the result of the game.
    pub share: f64,
    /// The seed of the searches.
    pub seed: u64,
}

impl Roots<'_> {
    /// Returns the examples of positions, whose targets are mixed. A position in which nobody chooses, or the search has
    /// no report, keeps the result of its game.
    ///
    /// # Errors
    /// If the search cannot be built or fails.
    pub(super) fn examples<G: Playable>(
        &self,
        counting: &Counting<'_, G>,
        positions: &[Position<G::State>],
    ) -> Result<Vec<Position<Example>>, Error> {
        let game = counting.game;
        let stretch = |first: usize| -> Result<Vec<Option<Position<Example>>>, Error> {
            let mut agent = self.spec.build(game)?;
            let end = (first + STRETCH).min(positions.len());
            let one = |place: usize| {
                let position = &positions[place];
                let Some(mut example) = counting.example(position.clone()) else { return Ok(None) };
                if let Some((_, report)) = search(game, &mut *agent, position, self.seed, place)? {
                    self.mix(&mut example.state.points, &report);
                }
                Ok(Some(example))
            };
            (first..end).map(one).collect()
        };
        let starts: Vec<usize> = (0..positions.len()).step_by(STRETCH).collect();
        let mut examples = Vec::with_capacity(positions.len());
        for stretch in side_by_side(starts.len(), &|i| stretch(starts[i])) {
            examples.extend(stretch?.into_iter().flatten());
        }
        Ok(examples)
    }

    /// Mixes the root values of a search into the points of a game.
    fn mix(&self, points: &mut [f32], report: &SearchReport) {
        let Some(values) = root_values(report, points.len()) else { return };
        let all: f64 = points.iter().map(|points| f64::from(*points)).sum();
        for (points, value) in points.iter_mut().zip(values) {
            *points = ((1.0 - self.share) * f64::from(*points) + self.share * value * all) as f32;
        }
    }
}

/// Returns the mean utility of the seats over all iterations, scaled to a sum of one; `None` if there is none.
fn root_values(report: &SearchReport, seats: usize) -> Option<Vec<f64>> {
    let mut sums = vec![0.0; seats];
    for option in report.options.iter().filter(|option| option.visits > 0) {
        for (sum, value) in sums.iter_mut().zip(&option.values) {
            *sum += option.visits as f64 * value;
        }
    }
    let all: f64 = sums.iter().sum();
    (all > 0.0).then(|| sums.into_iter().map(|sum| sum / all).collect())
}

#[cfg(test)]
mod tests {
    use agents::agent::SearchedOption;

    use super::*;

    fn report(options: &[(u64, &[f64])]) -> SearchReport {
        let option = |(visits, values): &(u64, &[f64])| SearchedOption {
            number: 0,
            text: String::new(),
            action: String::new(),
            is_macro: false,
            visits: *visits,
            probability: None,
            values: values.to_vec(),
            prior: 0.0,
            is_proven: false,
            is_chosen: false,
        };
        SearchReport { options: options.iter().map(option).collect(), ..SearchReport::default() }
    }

    #[test]
    fn root_values_are_means_by_visits_and_sum_to_one() {
        let even = report(&[(3, &[0.8, 0.2]), (1, &[0.4, 0.6]), (0, &[f64::NAN, f64::NAN])]);
        let values = root_values(&even, 2).unwrap();
        assert!((values[0] - 0.7).abs() < 1e-12 && (values[1] - 0.3).abs() < 1e-12, "{values:?}");
        // Utilities of leads do not sum to one.
        let leads = root_values(&report(&[(5, &[0.9, 0.3, 0.3])]), 3).unwrap();
        assert!((leads.iter().sum::<f64>() - 1.0).abs() < 1e-12 && (leads[0] - 0.6).abs() < 1e-12);
        assert_eq!(root_values(&report(&[]), 2), None);
    }

    #[test]
    fn a_share_of_zero_is_the_result_and_one_of_one_the_root_value() {
        let spec: AgentSpec = "mcts".parse().unwrap();
        let mixed = |share: f64| {
            let mut points = [1.0, 0.0];
            let roots = Roots { spec: &spec, share, seed: 1 };
            roots.mix(&mut points, &report(&[(4, &[0.25, 0.75])]));
            points
        };
        assert_eq!([0.0, 0.5, 1.0].map(mixed), [[1.0, 0.0], [0.625, 0.375], [0.25, 0.75]]);
    }
}
