//! The value function of a game, fitted to the winners of games: at each moment a softmax over the seats, linear in
//! the counted features.
//!
//! **Model.** The chance of a seat is the softmax of `w_m·x / T_m` at the moment m. Only `w/T` is identified. The unit
//! of w is kept: T is the softmax scale of the current weights, fitted to the same positions.
//!
//! **Prior.** Each weight is drawn towards the current one, in units in which the feature differs by one standard
//! deviation between the seats. Cross-validation sets the strength ([`super::folds`]), which is equal at all moments.
//!
//! **The file** also has a logistic scale, for searches that compute chances from leads over the best rival: the scale
//! that fits the new values best.

use agents::Playable;
use agents::fitting::{PhaseWeights, ValueTable};
use agents::mcts::Config;
use agents::mcts::config::Utility;
use agents::side_by_side::side_by_side;

use super::folds::{Family, Validated, folds_of, validate};
use super::positions::Collected;
use super::settle::{over, placed};
use super::{Fitted, Unknown, leads, logistic_leads, seat_loss};
use sim::stats::Interval;
use sim::stats::conditional_logit::{self, Choice, Prior};
use sim::stats::influence::half_width;

/// The digits after the point of reported numbers. They far exceed the precision of the games, and hide differences in
/// the last bit between machines.
const DIGITS: i32 = 4;
/// The number of groups of games that are left out in turn.
const GROUPS: usize = 20;
/// The tightness of a temperature, in units of one position: weak, but it keeps the temperature in place without data.
const LOOSE: f64 = 1e-3;
/// The smallest odds of a unit of today's values: below this, the games contain no information about them.
const LEAST_ODDS: f64 = 1e-3;

/// The features of a position, with its result.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The game, or the block of games that share their chance.
    pub cluster: u64,
    /// The moment.
    pub moment: usize,
    /// The section for tables.
    pub section: usize,
    /// The features, by seat.
    pub features: Vec<f32>,
    /// The points of the seats.
    pub points: Vec<f64>,
}

/// Returns the rows of positions, without those after the end of the game.
pub fn rows<G: Playable>(
    game: &G,
    table: &dyn ValueTable<G>,
    collected: &Collected<G::State>,
    sections: &super::Sections,
) -> Vec<Row> {
    let row = |position: &super::Position<G::State>| {
        let moment = table.phase(game, &position.state)?;
        let mut features = Vec::new();
        table.count(game, &position.state, &mut features);
        let section = sections.at(position.progress);
        let (cluster, points) = (position.cluster, position.points.clone());
        Some(Row { cluster, moment, section, features, points })
    };
    let positions = &collected.positions;
    side_by_side(positions.len(), &|i| row(&positions[i])).into_iter().flatten().collect()
}

/// A fit of a value function.
#[derive(Clone, Debug)]
pub struct ValueFit<'a> {
    rows: &'a [Row],
    today: &'a [PhaseWeights],
    /// The standard deviation of each feature between the seats, by moment; 1 if it never differs.
    scales: Vec<Vec<f64>>,
}

/// The result of a fit at a moment.
#[derive(Clone, PartialEq, Debug)]
struct Found {
    /// The factor of the current values.
    odds: f64,
    /// The weights in log odds for one standard deviation of their feature.
    weights: Vec<f64>,
    /// The logistic scale of leads, in log odds.
    lead: f64,
}

/// The weights of a moment with their intervals.
struct Known {
    weights: Vec<f64>,
    /// The half widths of their intervals, or the reason why there are none.
    halves: Vec<Result<f64, Unknown>>,
}

impl Known {
    fn around(&self, i: usize) -> Interval {
        let (x, half) = (self.weights[i], self.halves[i].unwrap_or(0.0));
        Interval { low: x - half, high: x + half }
    }
}

/// A fitted value function, by moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Model(Vec<Found>);

/// The transformation of the current values into chances by a search, with its factor on their scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ValueScale {
    /// A logistic function of leads over the best rival.
    Leads(f64),
    /// A softmax over the seats.
    Softmax(f64),
}

impl ValueScale {
    /// Returns the transformation of the search with this `config`; without a search, a softmax.
    #[must_use]
    pub fn by(config: Option<&Config>) -> Self {
        match config {
            Some(config) if config.utility == Utility::Logistic => Self::Leads(config.scale.into()),
            Some(config) => Self::Softmax(config.scale.into()),
            None => Self::Softmax(1.0),
        }
    }

    /// Returns the loss of the current values at the moment of `row`.
    fn loss(self, row: &Row, at: &PhaseWeights) -> f64 {
        let mut values = values(row, &at.weights);
        let chances = match self {
            Self::Leads(factor) => logistic_leads(&values, at.logistic_scale * factor),
            Self::Softmax(factor) => {
                values.iter_mut().for_each(|value| *value /= at.softmax_scale * factor);
                conditional_logit::softmax(&mut values);
                values
            }
        };
        seat_loss(&chances, &row.points)
    }
}

/// The losses of the current value function and the new one on held-out games, by position.
#[derive(Clone, Debug)]
pub struct HeldOut {
    /// The losses of the new one as a softmax, with the chosen strength.
    pub validated: Validated,
    /// The losses of even chances.
    pub even: Vec<f64>,
    /// The losses of the current one, as its search transforms it.
    pub today: Vec<f64>,
    /// The losses of the current one as a softmax with a fitted scale.
    pub today_softmax: Vec<f64>,
    /// The losses of the new one by leads.
    pub by_leads: Vec<f64>,
}

impl<'a> ValueFit<'a> {
    /// Creates a fit to `rows`, with the current weights `today` by moment.
    #[must_use]
    pub fn new(rows: &'a [Row], today: &'a [PhaseWeights]) -> Self {
        let scales = (0..today.len()).map(|moment| {
            let own = rows.iter().filter(|row| row.moment == moment);
            spreads(own, today[moment].weights.len())
        });
        Self { rows, today, scales: scales.collect() }
    }

    /// Returns the losses on held-out games, with each of `strengths`, in `folds` folds; `scale` transforms the
    /// current values.
    #[must_use]
    pub fn held_out(&self, folds: usize, strengths: &[f64], scale: ValueScale) -> HeldOut {
        let clusters: Vec<u64> = self.rows.iter().map(|row| row.cluster).collect();
        let validated = validate(&Softmax(self), &clusters, folds, strengths);
        let chosen = [validated.strength];
        let losses =
            |how: Reading| validate(&Read { fit: self, how }, &clusters, folds, &chosen).losses;
        let today = |row: &Row| scale.loss(row, &self.today[row.moment]);
        HeldOut {
            even: self.rows.iter().map(|row| seat_loss(&even(row), &row.points)).collect(),
            today: self.rows.iter().map(today).collect(),
            today_softmax: losses(Reading::Today),
            by_leads: losses(Reading::Leads),
            validated,
        }
    }

    /// Returns the value function fitted to all positions.
    #[must_use]
    pub fn values(&self, strength: f64) -> Vec<PhaseWeights> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        // Rounding keeps scales above 0.
        let scale = |x: f64| rounded(x).max(10f64.powi(-DIGITS));
        let at = |(moment, found): (usize, &Found)| PhaseWeights {
            weights: self.natural(moment, found).into_iter().map(rounded).collect(),
            logistic_scale: scale(1.0 / (found.odds * found.lead)),
            softmax_scale: scale(1.0 / found.odds),
        };
        self.model(&all, strength).0.iter().enumerate().map(at).collect()
    }

    /// Returns the weights fitted to all positions at the first of `strengths`, with intervals over all strengths.
    ///
    /// # Panics
    /// If `strengths` is empty.
    #[must_use]
    pub fn fitted(
        &self,
        table: &[&'static str],
        moments: &[String],
        strengths: &[f64],
    ) -> Vec<Fitted> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let one = |moment: usize| -> Vec<Fitted> {
            let at = |strength: &f64| self.known(moment, &all, *strength);
            let known: Vec<Known> = strengths.iter().map(at).collect();
            let around = |i: usize| over(known.iter().map(|known| known.around(i)));
            let fitted = |(i, name): (usize, &&'static str)| Fitted {
                moment: Some(moments[moment].clone()),
                name: (*name).to_owned(),
                today: self.today[moment].weights[i],
                now: rounded(known[0].weights[i]),
                interval: known[0].halves[i].map(|_| around(i)),
            };
            table.iter().enumerate().map(fitted).collect()
        };
        side_by_side(self.today.len(), &one).into_iter().flatten().collect()
    }

    /// Returns the fit of one moment with intervals, by leaving out each of [`GROUPS`] groups of games in turn.
    fn known(&self, moment: usize, all: &[usize], strength: f64) -> Known {
        let found = self.found(moment, all, strength);
        let weights = self.natural(moment, &found);
        let own: Vec<usize> =
            all.iter().copied().filter(|&place| self.rows[place].moment == moment).collect();
        let clusters: Vec<u64> = own.iter().map(|&place| self.rows[place].cluster).collect();
        let groups = folds_of(&clusters, GROUPS);
        let left_out = |group: &usize| {
            let rest = own.iter().zip(&groups).filter(|(_, own)| *own != group);
            let rest: Vec<usize> = rest.map(|(place, _)| *place).collect();
            let left = self.natural(moment, &self.found(moment, &rest, strength));
            left.iter().zip(&weights).map(|(left, all)| left - all).collect()
        };
        let seen = groups.iter().max().map_or(0, |most| most + 1);
        let moves: Vec<Vec<f64>> = (0..seen).map(|group| left_out(&group)).collect();
        let (choices, prior) = self.choices(moment, &own, found.odds, strength);
        let choices: Vec<&Choice> = choices.iter().collect();
        let places = conditional_logit::places(&choices, &prior, &found.weights);
        let half = |i: usize| {
            let moves: Vec<f64> = moves.iter().map(|moves| moves[i]).collect();
            let half = half_width(&moves).filter(|_| seen == GROUPS).ok_or(Unknown::Silent)?;
            placed(places[i].share, places[i].pulling).map(|()| half)
        };
        Known { halves: (0..weights.len()).map(half).collect(), weights }
    }

    /// Returns the weights in the original unit.
    fn natural(&self, moment: usize, found: &Found) -> Vec<f64> {
        let weights = found.weights.iter().zip(&self.scales[moment]);
        weights.map(|(w, scale)| w / (found.odds * scale)).collect()
    }

    fn model(&self, places: &[usize], strength: f64) -> Model {
        let one = |moment: usize| self.found(moment, places, strength);
        Model(side_by_side(self.today.len(), &one))
    }

    /// Fits one moment.
    fn found(&self, moment: usize, places: &[usize], strength: f64) -> Found {
        let odds = self.odds_of_today(moment, places);
        let (choices, prior) = self.choices(moment, places, odds, strength);
        let weights = conditional_logit::fit(&choices.iter().collect::<Vec<_>>(), &prior);
        let natural: Vec<f64> =
            weights.iter().zip(&self.scales[moment]).map(|(w, scale)| w / scale).collect();
        let rows = self.rows_of(moment, places);
        let pairs = rows.flat_map(|row| {
            let leads = leads(&values(row, &natural));
            let pair = |(lead, y): (f64, &f64)| Choice {
                cluster: row.cluster,
                design: vec![lead as f32, 0.0],
                offsets: vec![0.0; 2],
                targets: vec![*y, 1.0 - y],
            };
            leads.into_iter().zip(&row.points).map(pair).collect::<Vec<_>>()
        });
        let lead = factor(&pairs.collect::<Vec<_>>(), 1.0);
        Found { odds, weights, lead }
    }

    fn rows_of<'b>(&'b self, moment: usize, places: &'b [usize]) -> impl Iterator<Item = &'b Row> {
        places.iter().map(|&place| &self.rows[place]).filter(move |row| row.moment == moment)
    }

    /// Returns the factor of the current values in a softmax over the seats.
    fn odds_of_today(&self, moment: usize, places: &[usize]) -> f64 {
        let today = &self.today[moment];
        let choice = |row: &Row| Choice {
            cluster: row.cluster,
            design: values(row, &today.weights).iter().map(|value| *value as f32).collect(),
            offsets: vec![0.0; row.points.len()],
            targets: row.points.clone(),
        };
        let choices: Vec<Choice> = self.rows_of(moment, places).map(choice).collect();
        factor(&choices, 1.0 / today.softmax_scale)
    }

    /// Returns the positions of a moment as choices among the seats, and the prior of the weights.
    fn choices(
        &self,
        moment: usize,
        places: &[usize],
        odds: f64,
        strength: f64,
    ) -> (Vec<Choice>, Prior) {
        let scales = &self.scales[moment];
        let choice = |row: &Row| {
            let scaled = row.features.chunks_exact(scales.len()).flat_map(|seat| {
                seat.iter().zip(scales).map(|(x, scale)| (f64::from(*x) / scale) as f32)
            });
            Choice {
                cluster: row.cluster,
                design: scaled.collect(),
                offsets: vec![0.0; row.points.len()],
                targets: row.points.clone(),
            }
        };
        let choices: Vec<Choice> = self.rows_of(moment, places).map(choice).collect();
        let today = &self.today[moment].weights;
        let centre = today.iter().zip(scales).map(|(w, scale)| w * odds * scale).collect();
        // A moment without positions stays unchanged.
        let tightness = vec![strength * choices.len().max(1) as f64; scales.len()];
        (choices, Prior { centre, tightness })
    }
}

/// Returns the factor of the only number of each alternative; near `centre` without data.
fn factor(choices: &[Choice], centre: f64) -> f64 {
    let prior = Prior { centre: vec![centre], tightness: vec![LOOSE] };
    conditional_logit::fit(&choices.iter().collect::<Vec<_>>(), &prior)[0].max(LEAST_ODDS)
}

fn rounded(x: f64) -> f64 {
    (x * 10f64.powi(DIGITS)).round() / 10f64.powi(DIGITS)
}

fn values(row: &Row, weights: &[f64]) -> Vec<f64> {
    let value = |seat: &[f32]| seat.iter().zip(weights).map(|(x, w)| f64::from(*x) * w).sum();
    row.features.chunks_exact(weights.len()).map(value).collect()
}

fn even(row: &Row) -> Vec<f64> {
    vec![1.0 / row.points.len() as f64; row.points.len()]
}

/// Returns the standard deviation of each feature between the seats of a position; 1 if it never differs.
fn spreads<'a>(rows: impl Iterator<Item = &'a Row>, n: usize) -> Vec<f64> {
    let (mut squares, mut seats) = (vec![0.0; n], 0.0);
    for row in rows {
        for (i, sum) in squares.iter_mut().enumerate() {
            let own = row.features.iter().skip(i).step_by(n).map(|x| f64::from(*x));
            let mean = own.clone().sum::<f64>() / row.points.len() as f64;
            *sum += own.map(|x| (x - mean).powi(2)).sum::<f64>();
        }
        seats += row.points.len() as f64;
    }
    squares.iter().map(|sum: &f64| if *sum > 0.0 { (sum / seats).sqrt() } else { 1.0 }).collect()
}

/// The family of the new value function as a softmax.
struct Softmax<'a, 'b>(&'b ValueFit<'a>);

impl Family for Softmax<'_, '_> {
    type Model = Model;

    fn fit(&self, places: &[usize], strength: f64) -> Model {
        self.0.model(places, strength)
    }

    fn losses(&self, model: &Model, places: &[usize]) -> Vec<f64> {
        Read { fit: self.0, how: Reading::Softmax }.losses(model, places)
    }
}

/// A way to turn values into chances.
#[derive(Clone, Copy)]
enum Reading {
    /// The new values, by a softmax.
    Softmax,
    /// The new values, by leads.
    Leads,
    /// The current values, by a softmax.
    Today,
}

/// A value function with one way to turn its values into chances.
struct Read<'a, 'b> {
    fit: &'b ValueFit<'a>,
    how: Reading,
}

impl Family for Read<'_, '_> {
    type Model = Model;

    fn fit(&self, places: &[usize], strength: f64) -> Model {
        self.fit.model(places, strength)
    }

    fn losses(&self, model: &Model, places: &[usize]) -> Vec<f64> {
        let loss = |&place: &usize| {
            let row = &self.fit.rows[place];
            let found = &model.0[row.moment];
            let weights: Vec<f64> = match self.how {
                Reading::Today => {
                    self.fit.today[row.moment].weights.iter().map(|w| w * found.odds).collect()
                }
                Reading::Softmax | Reading::Leads => {
                    let scales = &self.fit.scales[row.moment];
                    found.weights.iter().zip(scales).map(|(w, scale)| w / scale).collect()
                }
            };
            let mut values = values(row, &weights);
            if matches!(self.how, Reading::Leads) {
                return seat_loss(&logistic_leads(&values, 1.0 / found.lead), &row.points);
            }
            conditional_logit::softmax(&mut values);
            seat_loss(&values, &row.points)
        };
        places.iter().map(loss).collect()
    }
}
