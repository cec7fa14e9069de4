//! CMA-ES (Hansen and Ostermeier 2001; constants from Hansen's tutorial of 2016, arXiv:1604.00772): points are drawn
//! from a normal distribution, which moves towards the better ones and adopts their shape.
//!
//! **Noise.** Games are noisy, so a generation is several times as large as for exact values. This is as good as
//! playing each point longer, and preserves the common part of the better half (Hansen et al. 2009). The result is the
//! centre of the distribution, not the luckiest point. Points outside the cube are mirrored at its sides.

use engine::Stream;
use nalgebra::{DMatrix, DVector};

use super::{Batch, Method, Terms};
use crate::tune::pools::{Evidence, Train};
use crate::tune::space::{Point, normal};

/// The first step, as a fraction of the range: the distribution begins nearly as wide as the cube.
const FIRST_STEP: f64 = 0.3;
/// The largest step.
const WIDEST_STEP: f64 = 0.5;
/// The smallest variance along an axis.
const LEAST: f64 = 1e-20;
/// The number of generations of a budget, constant part and part per dimension. More generations have fewer points,
/// and are dominated by noise.
const GENERATIONS: u64 = 20;
const GENERATIONS_PER_DIMENSION: u64 = 2;

/// A search by CMA-ES.
pub(super) struct CmaEs {
    terms: Terms,
    stream: Stream,
    left: u64,
    size: usize,
    shape: Shape,
    centre: DVector<f64>,
    step: f64,
    covariance: DMatrix<f64>,
    /// The paths of the centre: for the step, and for the covariance.
    step_path: DVector<f64>,
    shape_path: DVector<f64>,
    generation: u32,
    drawn: Vec<DVector<f64>>,
    /// The axes of the covariance, and their lengths.
    axes: DMatrix<f64>,
    lengths: DVector<f64>,
}

/// The constants of the strategy.
struct Shape {
    weights: Vec<f64>,
    mass: f64,
    step_rate: f64,
    damping: f64,
    path_rate: f64,
    rank_one: f64,
    rank_many: f64,
    /// The expected length of a standard normal vector.
    length: f64,
}

impl Shape {
    fn new(dimensions: usize, size: usize) -> Self {
        let (n, half) = (dimensions as f64, size / 2);
        let raw: Vec<f64> = (1..=half)
            .map(|i| libm::log((size as f64 + 1.0) / 2.0) - libm::log(i as f64))
            .collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let mass = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let step_rate = (mass + 2.0) / (n + mass + 5.0);
        let excess = ((mass - 1.0) / (n + 1.0)).sqrt() - 1.0;
        let damping = 1.0 + 2.0 * excess.max(0.0) + step_rate;
        let path_rate = (4.0 + mass / n) / (n + 4.0 + 2.0 * mass / n);
        let rank_one = 2.0 / ((n + 1.3) * (n + 1.3) + mass);
        let many = 2.0 * (mass - 2.0 + 1.0 / mass) / ((n + 2.0) * (n + 2.0) + mass);
        let rank_many = many.min(1.0 - rank_one);
        let length = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        Self { weights, mass, step_rate, damping, path_rate, rank_one, rank_many, length }
    }
}

impl CmaEs {
    pub(super) fn new(terms: Terms) -> Self {
        let n = terms.space.len();
        let least = 4 + (3.0 * libm::log(n as f64)) as usize;
        let generations = GENERATIONS + GENERATIONS_PER_DIMENSION * n as u64;
        let size = ((terms.blocks / generations) as usize).max(least);
        let places = terms.space.start().places().to_vec();
        Self {
            stream: terms.stream(),
            left: terms.blocks,
            size,
            shape: Shape::new(n, size),
            centre: DVector::from_vec(places),
            step: FIRST_STEP,
            covariance: DMatrix::identity(n, n),
            step_path: DVector::zeros(n),
            shape_path: DVector::zeros(n),
            generation: 0,
            drawn: Vec::new(),
            axes: DMatrix::identity(n, n),
            lengths: DVector::from_element(n, 1.0),
            terms,
        }
    }

    /// Finds the axes of the covariance. Elsewhere matrices are only multiplied by vectors, in a fixed order of sums:
    /// products of matrices differ between machines.
    fn find_axes(&mut self) {
        let eigen = self.covariance.clone().symmetric_eigen();
        self.lengths = eigen.eigenvalues.map(|value| value.max(LEAST).sqrt());
        self.axes = eigen.eigenvectors;
    }

    /// Moves the distribution towards the better points; `steps` are their distances from the centre in steps, best
    /// first.
    fn adapt(&mut self, steps: &[DVector<f64>]) {
        let n = self.centre.len() as f64;
        let Shape { weights, mass, step_rate, damping, path_rate, rank_one, rank_many, length } =
            &self.shape;
        let mut mean = DVector::zeros(self.centre.len());
        for (weight, step) in weights.iter().zip(steps) {
            mean += step * *weight;
        }
        let straight = self.axes.tr_mul(&mean).component_div(&self.lengths);
        let straight = &self.axes * straight;
        self.centre += &mean * self.step;
        self.centre.iter_mut().for_each(|place| *place = place.clamp(0.0, 1.0));
        self.step_path = &self.step_path * (1.0 - step_rate)
            + straight * (step_rate * (2.0 - step_rate) * mass).sqrt();
        let aged = 1.0 - libm::pow(1.0 - step_rate, 2.0 * f64::from(self.generation));
        let is_short = self.step_path.norm() / aged.sqrt() < (1.4 + 2.0 / (n + 1.0)) * length;
        let moved = if is_short { (path_rate * (2.0 - path_rate) * mass).sqrt() } else { 0.0 };
        self.shape_path = &self.shape_path * (1.0 - path_rate) + &mean * moved;
        let kept = if is_short { 0.0 } else { rank_one * path_rate * (2.0 - path_rate) };
        let mut covariance = &self.covariance * (1.0 - rank_one - rank_many + kept)
            + &self.shape_path * self.shape_path.transpose() * *rank_one;
        for (weight, step) in weights.iter().zip(steps) {
            covariance += step * step.transpose() * (rank_many * weight);
        }
        self.covariance = (&covariance + covariance.transpose()) / 2.0;
        let growth = step_rate / damping * (self.step_path.norm() / length - 1.0);
        self.step = (self.step * libm::exp(growth)).min(WIDEST_STEP);
    }
}

/// Returns a place, mirrored at the sides of the cube until it is inside.
fn mirrored(place: f64) -> f64 {
    let place = place.rem_euclid(2.0);
    if place > 1.0 { 2.0 - place } else { place }
}

impl Method for CmaEs {
    fn ask(&mut self) -> Option<Batch> {
        if self.left < self.size as u64 {
            return None;
        }
        self.left -= self.size as u64;
        self.generation += 1;
        self.find_axes();
        let n = self.centre.len();
        let mut points = Vec::with_capacity(self.size);
        self.drawn.clear();
        for _ in 0..self.size {
            let z = DVector::from_fn(n, |_, _| normal(&mut self.stream));
            let way = &self.axes * z.component_mul(&self.lengths);
            let place = (&self.centre + way * self.step).map(mirrored);
            points.push(self.terms.space.at(place.as_slice()));
            self.drawn.push(place);
        }
        Some(Batch { points, blocks: 1 })
    }

    fn tell(&mut self, _batch: &Batch, evidence: &[Evidence<Train>]) {
        let mut order: Vec<usize> = (0..self.drawn.len()).collect();
        order.sort_by(|&a, &b| evidence[b].mean().total_cmp(&evidence[a].mean()));
        let way = |&i: &usize| (&self.drawn[i] - &self.centre) / self.step;
        let steps: Vec<DVector<f64>> = order[..self.shape.weights.len()].iter().map(way).collect();
        self.adapt(&steps);
    }

    fn finalists(&self) -> Vec<Point> {
        vec![self.terms.space.at(self.centre.as_slice())]
    }
}
