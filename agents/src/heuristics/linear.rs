//! Value functions that are linear in counted features, with separate weights for each phase of a game. A TOML file
//! holds one: a table for each phase, with a number for each feature and both scales.

use engine::rules::nearest;
use engine::{ByPlayer, Game, MAX_PLAYERS};
use toml_edit::{Document, Table as Section};

use crate::fitting::{PhaseWeights, ValueTable};
use crate::net::{AUTO, OFF, ON, OWN_NET};
use crate::param::{Audience, Domain, Knob, Param};
use crate::spectator::Feature;

/// The parameter for the value function of the leaves.
pub(super) const VALUE: Knob = Knob {
    param: Param {
        name: "value",
        domain: Domain::File,
        default: "",
        is_games: false,
        unit: "",
        meaning: "value function of the leaves in place of the fitted one (`caesar fit value` makes such files, and `fit net` nets beside it)",
    },
    audience: Audience::Searches,
};

/// The parameter for the nets of the package.
pub(super) const fn net_knob(meaning: &'static str) -> Knob {
    Knob {
        param: Param {
            name: OWN_NET,
            domain: Domain::Choice(&[AUTO, ON, OFF]),
            default: AUTO,
            is_games: false,
            unit: "",
            meaning,
        },
        audience: Audience::Searches,
    }
}

/// The features of a game's positions.
pub(crate) trait Counter<const N: usize>: Clone + Send + Sync {
    /// The game.
    type Game: Game;

    /// The names of the features.
    const FEATURES: &'static [&'static str; N];
    /// Number of phases.
    const PHASES: usize;

    /// Returns the name of a phase.
    fn name_of(phase: usize) -> String;

    /// Returns the phase of a position; `None` when the game is over.
    fn phase(game: &Self::Game, s: &<Self::Game as Game>::State) -> Option<usize>;

    /// Returns the features of all seats.
    fn count(&self, game: &Self::Game, s: &<Self::Game as Game>::State) -> ByPlayer<[f32; N]>;
}

/// The keys in a file for the scales that convert values to probabilities.
const SCALES: [&str; 2] = ["logistic_scale", "softmax_scale"];

/// The weights of one phase.
#[derive(Clone, Copy, PartialEq, Debug)]
struct LinearPhase<const N: usize> {
    weights: [f32; N],
    /// The logistic scale and the softmax scale.
    scales: [f32; 2],
}

/// The value function from a file.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LinearValue<const N: usize> {
    phases: Vec<LinearPhase<N>>,
}

impl<const N: usize> LinearValue<N> {
    /// Reads the weights of all phases.
    ///
    /// # Errors
    /// If an entry is missing, is no number, or is unknown.
    pub(crate) fn parse<C: Counter<N>>(text: &str) -> Result<Self, String> {
        let document = Document::parse(text)
            .map_err(|e| format!("not TOML: {}", e.message().replace('\n', "; ")))?;
        let read = |number: usize| {
            let name = C::name_of(number);
            let item = document.get(&name).ok_or_else(|| format!("[{name}] is missing"))?;
            let table = item.as_table().ok_or_else(|| format!("{name} is no table"))?;
            read_moment(&name, C::FEATURES, table)
        };
        Ok(Self { phases: (0..C::PHASES).map(read).collect::<Result<_, String>>()? })
    }

    /// Returns the value function that is the first feature, in the unit of its scales.
    pub(crate) fn first_alone<C: Counter<N>>() -> Self {
        let weights = std::array::from_fn(|i| if i == 0 { 1.0 } else { 0.0 });
        Self { phases: vec![LinearPhase { weights, scales: [1.0; 2] }; C::PHASES] }
    }

    /// Returns the expectation of each seat at a phase, up to a common offset.
    pub(crate) fn values(
        &self,
        phase: usize,
        n_players: usize,
        features: &ByPlayer<[f32; N]>,
    ) -> ByPlayer<f32> {
        let weights = &self.phases[phase].weights;
        let of = |features: &[f32; N]| features.iter().zip(weights).map(|(f, w)| f * w).sum();
        ByPlayer::from_fn(|seat| if seat.idx() < n_players { of(&features[seat]) } else { 0.0 })
    }

    /// Returns the logistic and the softmax scale of a phase.
    pub(crate) fn scales_at(&self, phase: usize) -> [f32; 2] {
        self.phases[phase].scales
    }
}

/// Returns the names of features: the evaluation first, then those of a spectator, which must be one fewer than `N`.
pub(super) const fn after_evaluation<const N: usize>(features: &[Feature]) -> [&'static str; N] {
    let mut names = ["evaluation"; N];
    let mut i = 1;
    while i < N {
        names[i] = features[i - 1].name;
        i += 1;
    }
    names
}

/// Returns arrays of features from counts by seat, one seat after the other.
pub(crate) fn rows<const N: usize>(
    fill: impl FnOnce(&mut dyn FnMut(ByPlayer<f64>)),
) -> ByPlayer<[f32; N]> {
    let mut all = ByPlayer([[0.0; N]; MAX_PLAYERS]);
    let mut at = 0;
    fill(&mut |count| {
        for (features, count) in all.0.iter_mut().zip(count.0) {
            features[at] = count as f32;
        }
        at += 1;
    });
    assert_eq!(at, N, "every feature is counted");
    all
}

fn read_moment<const N: usize>(
    name: &str,
    features: &[&str; N],
    table: &Section,
) -> Result<LinearPhase<N>, String> {
    let known: Vec<&str> = features.iter().copied().chain(SCALES).collect();
    if let Some((key, _)) = table.iter().find(|(key, _)| !known.contains(key)) {
        let near = nearest(key, &known).unwrap_or(SCALES[0]);
        return Err(format!("{name}.{key} is no feature (nearest: {near})"));
    }
    let number = |key: &str| {
        let value = table.get(key).and_then(|item| item.as_value());
        let float = value.and_then(|v| v.as_float().or_else(|| v.as_integer().map(|n| n as f64)));
        let finite = float.map(|x| x as f32).filter(|x| x.is_finite());
        finite.ok_or_else(|| format!("{name}.{key} is missing or no number"))
    };
    let mut read = LinearPhase { weights: [0.0; N], scales: [1.0; 2] };
    for (weight, feature) in read.weights.iter_mut().zip(features) {
        *weight = number(feature)?;
    }
    for (scale, key) in read.scales.iter_mut().zip(SCALES) {
        *scale = number(key)?;
        if *scale <= 0.0 {
            return Err(format!("{name}.{key}: {scale} is not above 0"));
        }
    }
    Ok(read)
}

/// The value function in the form for fitting.
#[derive(Clone, Debug)]
pub(crate) struct LinearTable<C, const N: usize> {
    pub(crate) value: LinearValue<N>,
    pub(crate) counter: C,
}

impl<C: Counter<N>, const N: usize> ValueTable<C::Game> for LinearTable<C, N> {
    fn features(&self) -> &'static [&'static str] {
        C::FEATURES
    }

    fn phases(&self) -> Vec<String> {
        (0..C::PHASES).map(C::name_of).collect()
    }

    fn phase(&self, game: &C::Game, state: &<C::Game as Game>::State) -> Option<usize> {
        C::phase(game, state)
    }

    fn count(&self, game: &C::Game, state: &<C::Game as Game>::State, out: &mut Vec<f32>) {
        let features = self.counter.count(game, state);
        features.first(game.n_players()).iter().for_each(|features| out.extend(features));
    }

    fn at(&self, phase: usize) -> PhaseWeights {
        let at = self.value.phases[phase];
        let [logistic_scale, softmax_scale] = at.scales.map(f64::from);
        PhaseWeights { weights: at.weights.map(f64::from).to_vec(), logistic_scale, softmax_scale }
    }

    fn write(&self, head: &[String], all: &[PhaseWeights]) -> String {
        let mut text: String = head.iter().map(|line| format!("# {line}\n")).collect();
        for (number, at) in all.iter().enumerate() {
            text += &format!("\n[{}]\n", C::name_of(number));
            for (key, scale) in SCALES.iter().zip([at.logistic_scale, at.softmax_scale]) {
                text += &format!("{key} = {scale:.4}\n");
            }
            for (feature, weight) in C::FEATURES.iter().zip(&at.weights) {
                text += &format!("{feature} = {weight:.4}\n");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use engine::games::tic_tac_toe::{State, TicTacToe};

    use super::*;

    /// A counter with two phases and few features.
    #[derive(Clone, Debug)]
    struct Little;

    impl Counter<2> for Little {
        type Game = TicTacToe;
        const FEATURES: &'static [&'static str; 2] = &["first", "second"];
        const PHASES: usize = 2;

        fn name_of(phase: usize) -> String {
            format!("phase-{phase}")
        }

        fn phase(_: &TicTacToe, _: &State) -> Option<usize> {
            Some(1)
        }

        fn count(&self, _: &TicTacToe, _: &State) -> ByPlayer<[f32; 2]> {
            ByPlayer::from_fn(|seat| [seat.idx() as f32, 1.0])
        }
    }

    /// Returns a file with equal weights in all phases.
    fn plain() -> LinearValue<2> {
        LinearValue { phases: vec![LinearPhase { weights: [2.0, 3.0], scales: [4.0; 2] }; 2] }
    }

    #[test]
    fn values_are_sums_of_features_by_weight() {
        let s = TicTacToe.start();
        let values = plain().values(1, 2, &Little.count(&TicTacToe, &s));
        assert_eq!([0, 1, 2].map(|i| values.0[i].to_bits()), [3.0_f32, 5.0, 0.0].map(f32::to_bits));
        let scales = plain().scales_at(1);
        assert_eq!(scales.map(f32::to_bits), [4.0_f32; 2].map(f32::to_bits));
    }

    #[test]
    fn what_is_written_is_read_and_bad_files_are_refused_with_the_place() {
        let table = LinearTable { value: plain(), counter: Little };
        let all: Vec<PhaseWeights> = (0..2).map(|phase| table.at(phase)).collect();
        let text = table.write(&["a head".to_owned()], &all);
        let value = LinearValue::parse::<Little>(&text).unwrap();
        assert_eq!(value, table.value);
        let complain = |from: &str, to: &str| {
            LinearValue::parse::<Little>(&text.replacen(from, to, 1)).unwrap_err()
        };
        assert_eq!(complain("[phase-1]", "[phase-2]"), "[phase-1] is missing");
        assert_eq!(
            complain("second =", "secnd ="),
            "phase-0.secnd is no feature (nearest: second)"
        );
        let bad = complain("softmax_scale = ", "softmax_scale = -");
        assert_eq!(bad, "phase-0.softmax_scale: -4 is not above 0");
        let bad = complain("first = ", "first = inf # ");
        assert_eq!(bad, "phase-0.first is missing or no number");
    }
}
