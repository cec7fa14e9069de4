//! The value function of a game, fitted to who won: at each moment a softmax over the seats, linear in the counted
//! features.
//!
//! **Model.** The chance of a seat is the softmax of `w_m·x / T_m` at the moment m. Only `w/T` is known; the unit of w is
//! kept by taking for T the softmax scale that today's weights have, fitted to the same positions.
//!
//! **Prior.** Each weight is drawn towards today's, in units in which the feature differs by one standard deviation
//! between the seats; how strongly, held-out games say ([`super::folds`]), the same at all moments.
//!
//! **What is written** has a logistic scale, too, for searches that make chances of leads over the best rival: the one
//! that fits best to the new values.

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

/// Digits after the point that numbers keep, far beyond what games know of them, so that a last bit that another machine
/// computes otherwise does not show.
const DIGITS: i32 = 4;
/// Groups of games of which one after the other is left out.
const GROUPS: usize = 20;
/// How tight a temperature is held, in units of one position: hardly, but where nothing is known it stays.
const LOOSE: f64 = 1e-3;
/// The least odds that a unit of today's values is taken to be worth: below, games said nothing of them.
const LEAST_ODDS: f64 = 1e-3;

/// The features of a position, and what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The game, or the block of games that share their chance.
    pub cluster: u64,
    /// The moment.
    pub moment: usize,
    /// The section of tables.
    pub section: usize,
    /// By seat, the features.
    pub features: Vec<f32>,
    /// The points of the seats.
    pub points: Vec<f64>,
}

/// The rows of positions; those after the end of the game are none.
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

/// A value function that is being fitted.
#[derive(Clone, Debug)]
pub struct ValueFit<'a> {
    rows: &'a [Row],
    today: &'a [PhaseWeights],
    /// By moment, the standard deviation of each feature between the seats; 1 where it never differs.
    scales: Vec<Vec<f64>>,
}

/// What was found at a moment.
#[derive(Clone, PartialEq, Debug)]
struct Found {
    /// What multiplies today's values.
    odds: f64,
    /// Weights in log odds, for a standard deviation of their feature each.
    weights: Vec<f64>,
    /// The logistic scale of leads, in log odds.
    lead: f64,
}

/// What is known of the weights of a moment.
struct Known {
    weights: Vec<f64>,
    /// The half widths of their intervals, or why there are none.
    halves: Vec<Result<f64, Unknown>>,
}

impl Known {
    fn around(&self, i: usize) -> Interval {
        let (x, half) = (self.weights[i], self.halves[i].unwrap_or(0.0));
        Interval { low: x - half, high: x + half }
    }
}

/// A value function as it was found, by moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Model(Vec<Found>);

/// How a search turns today's values into chances, with its factor on the scale that they have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Taken {
    /// By leads over the best rival.
    Leads(f64),
    /// As a softmax over the seats.
    Softmax(f64),
}

impl Taken {
    /// As the search of `config` takes them; nobody's as a softmax.
    #[must_use]
    pub fn by(config: Option<&Config>) -> Self {
        match config {
            Some(config) if config.utility == Utility::Logistic => Self::Leads(config.scale.into()),
            Some(config) => Self::Softmax(config.scale.into()),
            None => Self::Softmax(1.0),
        }
    }

    /// What today's values at the moment of `row` lose there.
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

/// What today's value function and the new one lose on games that they were not fitted to, by position.
#[derive(Clone, Debug)]
pub struct HeldOut {
    /// Of the new one as a softmax, with the strength that was chosen.
    pub validated: Validated,
    /// Of even chances.
    pub even: Vec<f64>,
    /// Of today's, as the search takes it that has it.
    pub today: Vec<f64>,
    /// Of today's as a softmax whose scale was fitted.
    pub today_softmax: Vec<f64>,
    /// Of the new one by leads.
    pub by_leads: Vec<f64>,
}

impl<'a> ValueFit<'a> {
    /// Fits to `rows` beside what there is `today`, a value for each moment.
    #[must_use]
    pub fn new(rows: &'a [Row], today: &'a [PhaseWeights]) -> Self {
        let scales = (0..today.len()).map(|moment| {
            let own = rows.iter().filter(|row| row.moment == moment);
            spreads(own, today[moment].weights.len())
        });
        Self { rows, today, scales: scales.collect() }
    }

    /// What is lost on held-out games, with each of `strengths`, in `folds` folds; today's values are read as they are `taken`.
    #[must_use]
    pub fn held_out(&self, folds: usize, strengths: &[f64], taken: Taken) -> HeldOut {
        let clusters: Vec<u64> = self.rows.iter().map(|row| row.cluster).collect();
        let validated = validate(&Softmax(self), &clusters, folds, strengths);
        let chosen = [validated.strength];
        let losses =
            |how: Reading| validate(&Read { fit: self, how }, &clusters, folds, &chosen).losses;
        let today = |row: &Row| taken.loss(row, &self.today[row.moment]);
        HeldOut {
            even: self.rows.iter().map(|row| seat_loss(&even(row), &row.points)).collect(),
            today: self.rows.iter().map(today).collect(),
            today_softmax: losses(Reading::Today),
            by_leads: losses(Reading::Leads),
            validated,
        }
    }

    /// The value function of all positions.
    #[must_use]
    pub fn values(&self, strength: f64) -> Vec<PhaseWeights> {
        let all: Vec<usize> = (0..self.rows.len()).collect();
        // Scales are above 0 however they are rounded.
        let scale = |x: f64| rounded(x).max(10f64.powi(-DIGITS));
        let at = |(moment, found): (usize, &Found)| PhaseWeights {
            weights: self.natural(moment, found).into_iter().map(rounded).collect(),
            logistic_scale: scale(1.0 / (found.odds * found.lead)),
            softmax_scale: scale(1.0 / found.odds),
        };
        self.model(&all, strength).0.iter().enumerate().map(at).collect()
    }

    /// The weights of all positions one by one, fitted at the first of `strengths`, with intervals that reach over those of
    /// all.
    ///
    /// # Panics
    /// Without a strength.
    #[must_use]
    pub fn told(
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

    /// The fit of one moment with what is known of its weights, by leaving out one of [`GROUPS`] groups of games after the
    /// other.
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

    /// The weights in the unit that is kept.
    fn natural(&self, moment: usize, found: &Found) -> Vec<f64> {
        let weights = found.weights.iter().zip(&self.scales[moment]);
        weights.map(|(w, scale)| w / (found.odds * scale)).collect()
    }

    fn model(&self, places: &[usize], strength: f64) -> Model {
        let one = |moment: usize| self.found(moment, places, strength);
        Model(side_by_side(self.today.len(), &one))
    }

    /// The fit of one moment.
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

    /// What multiplies today's values in a softmax over the seats.
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

    /// The positions of a moment as choices among the seats, and the prior of the weights.
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
        // A moment that nobody has seen stays as it is.
        let tightness = vec![strength * choices.len().max(1) as f64; scales.len()];
        (choices, Prior { centre, tightness })
    }
}

/// What multiplies the only number of each alternative, near `centre` where nothing is seen.
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

/// The standard deviation of each feature between the seats of a position; 1 where it never differs.
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

/// The new value function as a softmax.
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

/// How values are made into chances.
#[derive(Clone, Copy)]
enum Reading {
    /// The new ones, in a softmax.
    Softmax,
    /// The new ones, by leads.
    Leads,
    /// Today's, in a softmax.
    Today,
}

/// A value function read in one way.
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
