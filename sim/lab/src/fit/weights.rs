//! The weights of an evaluation, fitted to the winners of games.
//!
//! The evaluation returns its values under other weights ([`agents::fitting::Evaluation`]) and may use the weights in
//! any way. Integer weights have no derivatives and stay fixed.

use agents::fitting::Evaluation;
use agents::param::{Domain, Param, Value};
use agents::side_by_side::side_by_side;
use agents::{OfGame, Playable, Settings};

use super::folds::{CrossValidation, Validated, validate};
use super::positions::{Collected, Position, Sectioned};
use super::settle::{Settled, Take, Tale, settle};
use super::texel::{Case, Frame, Point, Texel, Today};
use super::{Fitted, Sections, seat_loss};
use sim::error::Error;

/// The step of a weight for its derivative, as a fraction of the weight, or of [`LEAST`] if that is larger. It is far
/// larger than the rounding of values, and small compared with the uncertainty of weights.
const STEP: f64 = 0.05;
const LEAST: f64 = 0.1;
/// The number of consecutive positions that one evaluation values.
const STRETCH: usize = 256;
/// The digits after the point of reported weights; see [`super::value`].
const DIGITS: i32 = 4;

/// The weights of a game that can be fitted, with an agent's settings of the others.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The settings of the agent.
    pub settings: Settings,
    /// All weights of the agent.
    pub all: Vec<(&'static Param, Value)>,
    /// The fitted weights, in order.
    pub fitted: Vec<&'static Param>,
}

impl Subject {
    /// Selects the weights that a search at the table `at` has under `settings`: those called `wanted`, or all real numbers if `wanted` is empty,
    /// without those called `held`.
    ///
    /// # Errors
    /// If the game has no weights, or a name does not exist or is not a real number.
    pub fn new<G: Playable>(
        at: &G,
        settings: &Settings,
        wanted: &[String],
        held: &[String],
    ) -> Result<Self, Error> {
        let game = OfGame::of::<G>();
        let rows = G::weights();
        let bad = |name: &'static str, value: &str, message: String| {
            Error::value(name, value.to_owned(), message)
        };
        let all = rows
            .values(game.name, &G::search_weight_layers(settings, at.n_players()), settings)
            .map_err(|message| bad("agent", &settings_text(settings), message))?;
        let is_number = |param: &Param| matches!(param.domain, Domain::Number { .. });
        let mut fitted = Vec::new();
        for name in wanted {
            let weight = rows.weight(game.name, name).map_err(|e| bad("weights", name, e))?;
            if !is_number(weight) {
                let message =
                    "it is a whole number, which has no derivative: tune it by games".to_owned();
                return Err(bad("weights", name, message));
            }
            fitted.push(weight);
        }
        for name in held {
            rows.weight(game.name, name).map_err(|e| bad("hold", name, e))?;
        }
        if wanted.is_empty() {
            fitted = rows.params.iter().filter(|param| is_number(param)).collect();
        }
        fitted.retain(|weight| !held.iter().any(|name| name == weight.name));
        Ok(Self { settings: settings.clone(), all, fitted })
    }

    /// Returns the current values of the fitted weights.
    #[must_use]
    pub fn today(&self) -> Vec<f64> {
        let value = |weight: &&'static Param| {
            let slot = self.all.iter().find(|(known, _)| known.name == weight.name);
            match slot {
                Some((_, Value::Number(x))) => *x,
                other => unreachable!("{} is a number: {other:?}", weight.name),
            }
        };
        self.fitted.iter().map(value).collect()
    }

    /// Returns the settings with `weights` as the fitted weights.
    #[must_use]
    pub fn with(&self, weights: &[f64]) -> Settings {
        let pairs = self.fitted.iter().zip(weights);
        pairs.fold(self.settings.clone(), |settings, (weight, x)| {
            settings.with_weight(weight, Value::Number(*x))
        })
    }

    /// Removes the fitted weights for which `kept` is false.
    pub fn keep(&mut self, kept: impl Fn(usize) -> bool) {
        let mut place = 0;
        self.fitted.retain(|_| {
            place += 1;
            kept(place - 1)
        });
    }

    /// Returns the limits of each weight.
    #[must_use]
    pub fn ends(&self) -> Vec<(f64, f64)> {
        let ends = |weight: &&'static Param| match weight.domain {
            Domain::Number { low, high, .. } => (low, high),
            ref other => unreachable!("{} is a number: {other:?}", weight.name),
        };
        self.fitted.iter().map(ends).collect()
    }

    /// Returns `x` as a value of the weight: within its range, rounded to [`DIGITS`] digits.
    fn bounded(&self, weight: usize, x: f64) -> f64 {
        let Domain::Number { low, high, .. } = self.fitted[weight].domain else { return x };
        let unit = 10f64.powi(DIGITS);
        ((x * unit).round() / unit).clamp(low, high)
    }

    /// Returns true if `x` is an end of the weight's range.
    fn is_at_end(&self, weight: usize, x: f64) -> bool {
        let Domain::Number { low, high, .. } = self.fitted[weight].domain else { return false };
        x <= low || x >= high
    }

    /// Returns the weights within their ranges.
    #[must_use]
    pub fn within(&self, weights: &[f64]) -> Vec<f64> {
        weights.iter().enumerate().map(|(i, x)| self.bounded(i, *x)).collect()
    }

    /// Returns the two values of a weight between which its derivative is evaluated.
    #[must_use]
    pub fn sides(&self, weight: usize, x: f64) -> [f64; 2] {
        let step = STEP * x.abs().max(LEAST);
        let Domain::Number { low, high, .. } = self.fitted[weight].domain else { return [x; 2] };
        [(x - step).max(low), (x + step).min(high)]
    }

    /// Returns the file of all weights, with the new values of the fitted ones, below lines of comment.
    #[must_use]
    pub fn file(&self, head: &[String], weights: &[f64]) -> String {
        let mut text: String = head.iter().map(|line| format!("# {line}\n")).collect();
        for (weight, value) in &self.all {
            let place = self.fitted.iter().position(|fitted| fitted.name == weight.name);
            let value = place.map_or_else(|| value.clone(), |place| Value::Number(weights[place]));
            text += &format!("{} = {value}\n", weight.name);
        }
        text
    }
}

fn settings_text(settings: &Settings) -> String {
    let names: Vec<String> = settings.iter().map(|(param, _)| param.name.to_owned()).collect();
    names.join(", ")
}

/// Builds an evaluation of `game`.
///
/// # Errors
/// If the game has none.
pub fn evaluation_of<G: Playable>(
    game: &G,
    settings: &Settings,
) -> Result<Box<dyn Evaluation<G>>, Error> {
    let found = agents::assemble::evaluation(game, settings).map_err(Error::Usage)?;
    found.ok_or_else(|| {
        let name = G::about().name;
        Error::value("game", name, "it has no evaluation with weights that could be fitted")
    })
}

/// The values of the seats at a position, and the scale that divides them.
type Worth = (Vec<f64>, f64);

/// Returns the values of some positions under any weights.
fn worths_of<G: Playable>(
    game: &G,
    positions: &[&Position<G::State>],
    settings: &Settings,
) -> Vec<Worth> {
    let seats = game.n_players();
    let stretch = |positions: &[&Position<G::State>]| -> Vec<Worth> {
        let mut evaluation = evaluation_of(game, settings).expect("it was there before");
        let one = |position: &&Position<G::State>| {
            let values = evaluation.values(game, &position.state).first(seats).to_vec();
            (values, evaluation.scale(game, &position.state))
        };
        positions.iter().map(one).collect()
    };
    let stretches: Vec<_> = positions.chunks(STRETCH).collect();
    let all = side_by_side(stretches.len(), &|i| stretch(stretches[i]));
    all.into_iter().flatten().collect()
}

/// Returns the cases of positions, evaluated at `weights`.
fn cases_at<G: Playable>(
    game: &G,
    collected: &Collected<G::State>,
    subject: &Subject,
    weights: &[f64],
    sections: &Sections,
    groups: bool,
) -> Vec<Case> {
    let positions: Vec<&Position<G::State>> = collected.positions.iter().collect();
    let (n, seats) = (subject.fitted.len(), game.n_players());
    let base = worths_of(game, &positions, &subject.with(weights));
    let case = |(position, (values, scale)): (&&Position<G::State>, Worth)| Case {
        cluster: position.cluster,
        group: if groups { sections.at(position.progress) } else { 0 },
        values,
        slopes: vec![0.0; n * seats],
        scale,
        scale_slopes: vec![0.0; n],
        targets: position.points.clone(),
    };
    let mut cases: Vec<Case> = positions.iter().zip(base).map(case).collect();
    for i in 0..n {
        let at = |x: f64| {
            let mut moved = weights.to_vec();
            moved[i] = x;
            worths_of(game, &positions, &subject.with(&moved))
        };
        let [low, high] = subject.sides(i, weights[i]);
        let (below, above) = (at(low), at(high));
        for (case, (below, above)) in cases.iter_mut().zip(below.iter().zip(&above)) {
            for (seat, (below, above)) in below.0.iter().zip(&above.0).enumerate() {
                case.slopes[seat * n + i] = ((above - below) / (high - low)) as f32;
            }
            case.scale_slopes[i] = ((above.1 - below.1) / (high - low)) as f32;
        }
    }
    // A scale that no weight changes is a constant.
    if cases.iter().all(|case| case.scale_slopes.iter().all(|slope| *slope == 0.0)) {
        cases.iter_mut().for_each(|case| case.scale_slopes.clear());
    }
    cases
}

/// The losses on held-out games.
#[derive(Clone, Debug)]
pub struct HeldOut {
    /// The losses by the new weights, with the chosen strength.
    pub validated: Validated,
    /// The losses by even chances.
    pub even: Vec<f64>,
    /// The losses by the current weights.
    pub today: Vec<f64>,
    /// The cluster and section of each position.
    pub places: Vec<(u64, usize)>,
}

/// The result of a fit of weights.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The losses on held-out games.
    pub held_out: HeldOut,
    /// The fitted weights.
    pub fitted: Vec<Fitted>,
    /// The weights without effect on the evaluation at these positions.
    pub idle: Vec<&'static str>,
    /// The weights at an end of their range.
    pub stopped: Vec<&'static str>,
    /// The weights as a file.
    pub file: String,
}

/// Fits the weights of `subject` to positions.
///
/// # Errors
/// If the game has no evaluation, or no weight has an effect.
pub fn fit<G: Playable>(
    game: &G,
    positions: Sectioned<'_, G::State>,
    mut subject: Subject,
    plan: CrossValidation<'_>,
    head: &[String],
) -> Result<Outcome, Error> {
    let Sectioned { collected, sections } = positions;
    let has_scale = evaluation_of(game, &subject.settings)?.has_scale();
    let take = |subject: &Subject, weights: &[f64]| {
        cases_at(game, collected, subject, weights, sections, !has_scale)
    };
    let groups = if has_scale { 1 } else { sections.names().len() };
    let (cases, frame, idle) = moving(&mut subject, groups, has_scale, &take)?;
    let utilities = |weights: &[f64], places: &[usize]| {
        let some: Vec<_> = places.iter().map(|&place| &collected.positions[place]).collect();
        let scaled = |(values, scale): Worth| values.iter().map(|value| value / scale).collect();
        worths_of(game, &some, &subject.with(weights)).into_iter().map(scaled).collect()
    };
    let texel = Texel { cases: &cases, frame: &frame, values: &utilities, loss: seat_loss };
    let in_section =
        collected.positions.iter().map(|position| sections.at(position.progress)).collect();
    let held_out = held_out(&texel, in_section, plan);
    let settled = settled(&texel, &held_out.validated, &|weights| take(&subject, weights));
    let weights = subject.within(&settled[0].point.weights);
    let names: Vec<&str> = subject.fitted.iter().map(|weight| weight.name).collect();
    let stopped = names.iter().enumerate().filter(|(i, _)| subject.is_at_end(*i, weights[*i]));
    Ok(Outcome {
        fitted: Tale::new(&texel, &settled).weights(&names, &weights),
        stopped: stopped.map(|(i, _)| subject.fitted[i].name).collect(),
        file: subject.file(head, &weights),
        idle,
        held_out,
    })
}

/// Returns the best weights of all cases at the chosen strength, then at those that held-out games do not separate
/// from it.
pub(super) fn settled(texel: &Texel<'_>, validated: &Validated, take: &Take<'_>) -> Vec<Settled> {
    let strengths = validated.strengths().into_iter();
    strengths.map(|strength| settle(texel, strength, take)).collect()
}

/// Narrows `subject` to the weights with an effect, and returns their cases and the weights without effect.
fn moving(
    subject: &mut Subject,
    groups: usize,
    has_scale: bool,
    take: &dyn Fn(&Subject, &[f64]) -> Vec<Case>,
) -> Result<(Vec<Case>, Frame, Vec<&'static str>), Error> {
    let taken = |subject: &Subject| {
        let today = Point { weights: subject.today(), odds: vec![1.0; groups] };
        let cases = take(subject, &today.weights);
        let frame = Frame::new(&cases, today, has_scale, subject.ends());
        (cases, frame)
    };
    let (cases, frame) = taken(subject);
    let idle = subject.fitted.iter().enumerate().filter(|(i, _)| !frame.moves(*i));
    let idle: Vec<&'static str> = idle.map(|(_, weight)| weight.name).collect();
    if idle.is_empty() {
        return Ok((cases, frame, idle));
    }
    if idle.len() == subject.fitted.len() {
        let message = "none of these weights changes the evaluation at these positions".to_owned();
        return Err(Error::value("weights", idle.join(","), message));
    }
    subject.keep(|i| frame.moves(i));
    let (cases, frame) = taken(subject);
    Ok((cases, frame, idle))
}

/// Returns the losses on held-out games by the current and new weights; `sections` are those of the cases.
pub(super) fn held_out(
    texel: &Texel<'_>,
    sections: Vec<usize>,
    plan: CrossValidation<'_>,
) -> HeldOut {
    let CrossValidation { folds, strengths } = plan;
    let clusters: Vec<u64> = texel.cases.iter().map(|case| case.cluster).collect();
    let even = |case: &Case| {
        let n = case.targets.len();
        (texel.loss)(&vec![1.0 / n as f64; n], &case.targets)
    };
    HeldOut {
        validated: validate(texel, &clusters, folds, strengths),
        today: validate(&Today(texel), &clusters, folds, &[0.0]).losses,
        even: texel.cases.iter().map(even).collect(),
        places: clusters.iter().copied().zip(sections).collect(),
    }
}

/// Returns `−Σ y ln p` over the alternatives.
#[must_use]
pub fn cross_entropy(chances: &[f64], targets: &[f64]) -> f64 {
    let one = |(p, y): (&f64, &f64)| if *y > 0.0 { -y * p.max(super::NEAREST).ln() } else { 0.0 };
    chances.iter().zip(targets).map(one).sum()
}
