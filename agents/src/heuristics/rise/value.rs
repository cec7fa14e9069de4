//! The value function, what the leaves of a search are worth: a linear function of counted features, with weights for each
//! turn of the game and each half of its rounds. Without a file it is the evaluation; `caesar fit value` makes files.

use engine::games::rise::things::N_TURNS;
use engine::games::rise::{Rise, State};
use engine::rules::nearest;
use engine::{ByPlayer, Game};
use toml_edit::{Document, Table as Section};

use super::evaluation::Evaluation;
use super::sight;
use crate::fitting::{AtMoment, ValueTable};

/// What is counted for each player: the evaluation, and what a spectator counts.
pub(super) const FEATURES: &[&str] = &{
    let mut names = ["evaluation"; N];
    let mut i = 1;
    while i < N {
        names[i] = sight::FEATURES[i - 1].name;
        i += 1;
    }
    names
};
const N: usize = sight::FEATURES.len() + 1;

/// Moments of a turn.
const HALVES: usize = 2;
/// Moments of a game.
const MOMENTS: usize = N_TURNS * HALVES;

/// What turns values into chances, in a file.
const SCALES: [&str; 2] = ["logistic_scale", "softmax_scale"];

/// The weights of one moment.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Moment {
    weights: [f32; N],
    /// Logistic and softmax scale.
    scales: [f32; 2],
}

/// A value function of a file.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ValueFunction {
    moments: Vec<Moment>,
}

fn name_of(moment: usize) -> String {
    format!("turn-{}-half-{}", moment / HALVES + 1, moment % HALVES + 1)
}

/// The moment of a position; nothing when the game is over.
fn moment(game: &Rise, s: &State) -> Option<usize> {
    let turn = usize::from(s.turn());
    let is_late = 2 * s.round() >= game.board().actions_per_turn();
    (turn < N_TURNS).then(|| turn * HALVES + usize::from(is_late))
}

/// The features of all seats.
fn count(evaluation: &Evaluation, game: &Rise, s: &State) -> ByPlayer<[f32; N]> {
    let mut all = ByPlayer([[0.0; N]; engine::MAX_PLAYERS]);
    let values = evaluation.values(game, s);
    let mut at = 1;
    sight::each(game, s, &mut |count| {
        for (features, count) in all.0.iter_mut().zip(count.0) {
            features[at] = count as f32;
        }
        at += 1;
    });
    for (features, value) in all.0.iter_mut().zip(values.0) {
        features[0] = value;
    }
    all
}

impl ValueFunction {
    /// The weights that were fitted for a table of `n_players`.
    ///
    /// # Panics
    /// Never: a test reads the embedded files.
    pub(super) fn fitted(n_players: usize) -> Self {
        let text = match n_players {
            0..=2 => include_str!("../../../data/rise/value-2.toml"),
            3 => include_str!("../../../data/rise/value-3.toml"),
            4 => include_str!("../../../data/rise/value-4.toml"),
            _ => include_str!("../../../data/rise/value-5.toml"),
        };
        Self::parse(text).expect("the embedded file is good")
    }

    /// Reads weights as TOML: a table `turn-T-half-H` for each moment, with a number for each feature and both scales.
    ///
    /// # Errors
    /// If something is missing, no number, or of no meaning.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let document = Document::parse(text)
            .map_err(|e| format!("not TOML: {}", e.message().replace('\n', "; ")))?;
        let read = |number: usize| {
            let name = name_of(number);
            let item = document.get(&name).ok_or_else(|| format!("[{name}] is missing"))?;
            read_moment(&name, item.as_table().ok_or_else(|| format!("{name} is no table"))?)
        };
        Ok(Self { moments: (0..MOMENTS).map(read).collect::<Result<_, String>>()? })
    }

    /// What each seat can expect, up to a common number; points when the game is over.
    pub(super) fn expect(&self, evaluation: &Evaluation, game: &Rise, s: &State) -> ByPlayer<f32> {
        let Some(moment) = moment(game, s) else { return evaluation.values(game, s) };
        let weights = &self.moments[moment].weights;
        let features = count(evaluation, game, s);
        let of = |features: &[f32; N]| features.iter().zip(weights).map(|(f, w)| f * w).sum();
        let n = game.n_players();
        ByPlayer::from_fn(|seat| if seat.idx() < n { of(&features[seat]) } else { 0.0 })
    }

    /// The logistic and the softmax scale.
    pub(super) fn scales(&self, game: &Rise, s: &State) -> [f32; 2] {
        self.moments[moment(game, s).unwrap_or(MOMENTS - 1)].scales
    }
}

fn read_moment(name: &str, table: &Section) -> Result<Moment, String> {
    let known: Vec<&str> = FEATURES.iter().copied().chain(SCALES).collect();
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
    let mut read = Moment { weights: [0.0; N], scales: [1.0; 2] };
    for (weight, feature) in read.weights.iter_mut().zip(FEATURES) {
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

/// The value function as somebody who fits one sees it.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) value: ValueFunction,
    pub(super) evaluation: Evaluation,
}

impl ValueTable<Rise> for Table {
    fn features(&self) -> &'static [&'static str] {
        FEATURES
    }

    fn moments(&self) -> Vec<String> {
        (0..MOMENTS).map(name_of).collect()
    }

    fn moment(&self, game: &Rise, state: &State) -> Option<usize> {
        moment(game, state)
    }

    fn count(&self, game: &Rise, state: &State, out: &mut Vec<f32>) {
        let features = count(&self.evaluation, game, state);
        features.first(game.n_players()).iter().for_each(|features| out.extend(features));
    }

    fn at(&self, moment: usize) -> AtMoment {
        let at = self.value.moments[moment];
        let [logistic_scale, softmax_scale] = at.scales.map(f64::from);
        AtMoment { weights: at.weights.map(f64::from).to_vec(), logistic_scale, softmax_scale }
    }

    fn write(&self, head: &[String], all: &[AtMoment]) -> String {
        let mut text: String = head.iter().map(|line| format!("# {line}\n")).collect();
        for (number, at) in all.iter().enumerate() {
            text += &format!("\n[{}]\n", name_of(number));
            for (key, scale) in SCALES.iter().zip([at.logistic_scale, at.softmax_scale]) {
                text += &format!("{key} = {scale:.4}\n");
            }
            for (feature, weight) in FEATURES.iter().zip(&at.weights) {
                text += &format!("{feature} = {weight:.4}\n");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::Weights;
    use super::*;

    /// A file that says the same at all moments.
    fn plain() -> ValueFunction {
        let at = Moment { weights: [1.0; N], scales: [4.0; 2] };
        ValueFunction { moments: vec![at; MOMENTS] }
    }

    #[test]
    fn the_embedded_files_are_read_and_differ() {
        let all = [2, 3, 4, 5].map(ValueFunction::fitted);
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != one));
        }
    }

    #[test]
    fn what_is_written_is_read_and_bad_files_are_refused_with_the_place() {
        let table = Table { value: plain(), evaluation: Evaluation::new(Weights::default()) };
        let all: Vec<AtMoment> = (0..MOMENTS).map(|moment| table.at(moment)).collect();
        let text = table.write(&["a head".to_owned()], &all);
        let value = ValueFunction::parse(&text).unwrap();
        let read = Table { value, ..table };
        assert_eq!((0..MOMENTS).map(|moment| read.at(moment)).collect::<Vec<_>>(), all);
        let complain =
            |from: &str, to: &str| ValueFunction::parse(&text.replacen(from, to, 1)).unwrap_err();
        assert_eq!(complain("[turn-2-half-1]", "[turn-2-half-3]"), "[turn-2-half-1] is missing");
        assert_eq!(
            complain("harvest =", "harvst ="),
            "turn-1-half-1.harvst is no feature (nearest: harvest)"
        );
        let bad = complain("softmax_scale = ", "softmax_scale = -");
        assert_eq!(bad, "turn-1-half-1.softmax_scale: -4 is not above 0");
        let bad = complain("evaluation = ", "evaluation = inf # ");
        assert_eq!(bad, "turn-1-half-1.evaluation is missing or no number");
    }
}
