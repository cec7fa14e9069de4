//! Calibration of probability forecasts: do events happen as often as forecast?
//!
//! **Reliability.** Forecasts are put into [`BINS`] bins of equal width. In each bin, the mean forecast stands beside
//! the mean outcome. Forecasts of one game depend on each other, so intervals are those of ratios of sums over games
//! ([`super::clustered`]).
//!
//! **Expected calibration error** (ECE). A bin with the part w of all forecasts has the gap `d = ȳ − p̄`. Noise alone
//! makes `Σ w|d|` positive. So the squared gaps minus their estimated variances are added up, `T = Σ w (d² − s²)`. T
//! has mean `Σ w δ²` for the true gaps δ whatever the noise. The reported error is `√max(T, 0)`: the root mean square
//! gap, never below the mean absolute gap (debiased as by Kumar, Liang, Ma, "Verified uncertainty calibration",
//! `NeurIPS` 2019, [arXiv:1909.10155](https://arxiv.org/abs/1909.10155)). Its interval is that of T, by jackknife over
//! groups of games with Student's t, mapped through the root. The upper end is above 0 even where T is not. Gaps inside
//! a bin that cancel stay invisible, as in any ECE.
//!
//! **Brier skill**: one minus the squared error divided by that of the forecast 1/N. **Log loss**: `−Σ y ln p` over the
//! seats, to be compared with ln N.
//!
//! **Quadratic variation.** A probability that is right at every look is a martingale. The squares of its changes along
//! a game, including the last change to the result, add up to the variance of the result:
//! `E Σ(Δp)² = E[p₀(1 − p₀)] − E[y(1 − y)]`. The second term is the variance that ties remove; it is 0 unless points
//! are shared. The ratio of both sides is 1. Forecasts that are overconfident or jumpy give more, sluggish forecasts
//! less (logits 1.5 times too large give 1.5).

use super::bootstrap::{GROUPS, group};
use super::clustered::{ClusteredRatio, FEWEST};
use super::interval::Interval;
use super::quantiles::t_quantile;

/// The number of bins of forecasts.
pub const BINS: usize = 10;
/// The distance from 0 and 1 to which probabilities are clamped in the log loss.
const NEAREST: f64 = 1e-6;

/// A point estimate with its interval, if there is one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    /// The point estimate.
    pub estimate: f64,
    /// Its 95 % interval.
    pub interval: Option<Interval>,
}

impl Figure {
    /// Returns the estimate and interval of a ratio; `None` without an estimate.
    #[must_use]
    pub fn of(ratio: &ClusteredRatio) -> Option<Self> {
        Some(Self { estimate: ratio.estimate()?, interval: ratio.interval() })
    }

    /// Returns the estimate and interval of a ratio that is a share; `None` without an estimate.
    #[must_use]
    pub fn of_share(ratio: &ClusteredRatio) -> Option<Self> {
        Some(Self { estimate: ratio.estimate()?, interval: Some(ratio.share_interval()) })
    }

    /// Returns one minus this figure.
    #[must_use]
    pub fn complement(self) -> Self {
        let turned = |at: Interval| Interval { low: 1.0 - at.high, high: 1.0 - at.low };
        Self { estimate: 1.0 - self.estimate, interval: self.interval.map(turned) }
    }
}

/// Sums of a bin and a group of games: the number of forecasts, the forecasts and the outcomes.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    n: f64,
    p: f64,
    y: f64,
}

/// Running sums of forecasts and outcomes, and the measures of their agreement.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// Cells by bin and group of games.
    cells: Vec<[Cell; GROUPS as usize]>,
    squares: ClusteredRatio,
    log_loss: ClusteredRatio,
    looks: u64,
}

/// A line of the reliability table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bin {
    /// The lowest forecast of the bin; the next bin begins one tenth higher.
    pub from: f64,
    /// The number of forecasts.
    pub n: f64,
    /// Their mean.
    pub forecast: f64,
    /// The mean outcome.
    pub outcome: Figure,
}

impl Default for Calibration {
    fn default() -> Self {
        Self {
            cells: vec![[Cell::default(); GROUPS as usize]; BINS],
            squares: ClusteredRatio::default(),
            log_loss: ClusteredRatio::default(),
            looks: 0,
        }
    }
}

impl Calibration {
    /// Adds the probabilities of all seats at one look at `game`, and the points that the seats got.
    pub fn add(&mut self, game: u64, p: &[f64], y: &[f64]) {
        let even = 1.0 / p.len() as f64;
        let (mut squares, mut squares_of_even, mut loss) = (0.0, 0.0, 0.0);
        for (&p, &y) in p.iter().zip(y) {
            let cell = &mut self.cells[bin_of(p)][usize::from(group(game))];
            cell.n += 1.0;
            cell.p += p;
            cell.y += y;
            squares += (p - y).powi(2);
            squares_of_even += (even - y).powi(2);
            loss -= y * p.max(NEAREST).ln();
        }
        self.squares.add(game, squares, squares_of_even);
        self.log_loss.add(game, loss, 1.0);
        self.looks += 1;
    }

    /// Returns the number of looks.
    #[must_use]
    pub const fn looks(&self) -> u64 {
        self.looks
    }

    /// Returns the reliability table, without empty bins.
    #[must_use]
    pub fn bins(&self) -> Vec<Bin> {
        let bin = |(at, cells): (usize, &[Cell; GROUPS as usize])| {
            let mut ratio = ClusteredRatio::default();
            for (game, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.n > 0.0) {
                ratio.add(game as u64, cell.y, cell.n);
            }
            let [n, p] = cells.iter().fold([0.0; 2], |[n, p], cell| [n + cell.n, p + cell.p]);
            let outcome = Figure::of_share(&ratio)?;
            Some(Bin { from: at as f64 / BINS as f64, n, forecast: p / n, outcome })
        };
        self.cells.iter().enumerate().filter_map(bin).collect()
    }

    /// Returns the expected calibration error; `None` with forecasts of fewer than five groups of games.
    #[must_use]
    pub fn expected_error(&self) -> Option<Figure> {
        let groups: Vec<usize> = (0..GROUPS as usize)
            .filter(|&group| self.cells.iter().any(|cells| cells[group].n > 0.0))
            .collect();
        let n = groups.len();
        if n < FEWEST {
            return None;
        }
        let all = self.squared_gap(None);
        let without: Vec<f64> = groups.iter().map(|&group| self.squared_gap(Some(group))).collect();
        let mean = without.iter().sum::<f64>() / n as f64;
        let squares: f64 = without.iter().map(|x| (x - mean).powi(2)).sum();
        let half = t_quantile((n - 1) as f64) * ((n as f64 - 1.0) / n as f64 * squares).sqrt();
        let root = |x: f64| x.max(0.0).sqrt();
        let interval = Interval { low: root(all - half), high: root(all.max(0.0) + half) };
        Some(Figure { estimate: root(all), interval: Some(interval) })
    }

    /// Returns the mean squared gap minus its noise, without the group `left_out`.
    fn squared_gap(&self, left_out: Option<usize>) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for cells in &self.cells {
            let kept = || {
                cells.iter().enumerate().filter(|&(at, cell)| Some(at) != left_out && cell.n > 0.0)
            };
            let (mut n, mut gap, mut groups) = (0.0, 0.0, 0.0);
            for (_, cell) in kept() {
                n += cell.n;
                gap += cell.y - cell.p;
                groups += 1.0;
            }
            if n == 0.0 {
                continue;
            }
            gap /= n;
            let residual = |cell: &Cell| (cell.y - cell.p - gap * cell.n).powi(2);
            let squares: f64 = kept().map(|(_, cell)| residual(cell)).sum();
            // A bin with one group does not show its noise, so the whole gap counts as noise.
            let noise =
                if groups > 1.0 { groups / (groups - 1.0) * squares / (n * n) } else { gap * gap };
            sum += n * (gap * gap - noise);
            total += n;
        }
        if total > 0.0 { sum / total } else { 0.0 }
    }

    /// Returns one minus the squared error divided by that of equal probabilities.
    #[must_use]
    pub fn brier_skill(&self) -> Option<Figure> {
        Figure::of(&self.squares).map(Figure::complement)
    }

    /// Returns the mean log loss of a look.
    #[must_use]
    pub fn log_loss(&self) -> Option<Figure> {
        Figure::of(&self.log_loss)
    }
}

fn bin_of(p: f64) -> usize {
    ((p * BINS as f64) as usize).min(BINS - 1)
}

/// The quadratic variation of the win probabilities of games, relative to that of a martingale.
#[derive(Clone, Debug, Default)]
pub struct QuadraticVariation(ClusteredRatio);

impl QuadraticVariation {
    /// Adds a game: the probabilities of its seats at each look in order, and the points.
    pub fn add<'a>(
        &mut self,
        game: u64,
        looks: impl IntoIterator<Item = &'a [f64]>,
        points: &[f64],
    ) {
        let mut looks = looks.into_iter();
        let Some(first) = looks.next() else { return };
        let change = |from: &[f64], to: &[f64]| -> f64 {
            from.iter().zip(to).map(|(from, to)| (to - from).powi(2)).sum()
        };
        let mut last = first;
        let mut sum = 0.0;
        for look in looks {
            sum += change(last, look);
            last = look;
        }
        sum += change(last, points);
        let spread = |p: &f64| p * (1.0 - p);
        let expected =
            first.iter().map(spread).sum::<f64>() - points.iter().map(spread).sum::<f64>();
        self.0.add(game, sum, expected);
    }

    /// Returns the ratio, 1 for a martingale.
    #[must_use]
    pub fn ratio(&self) -> Option<Figure> {
        Figure::of(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use engine::{Purpose, Randomness, rng};

    use super::*;

    /// Returns a calibration of games with six looks each at constant probabilities; `reported` maps a probability to its
    /// forecast.
    fn calibration(games: u64, seed: u64, reported: impl Fn(f64) -> f64) -> Calibration {
        let mut rng = rng::stream(seed, 0, Purpose::Analysis);
        let mut calibration = Calibration::default();
        for game in 0..games {
            let p = rng.unit();
            let y = f64::from(u8::from(rng.unit() < p));
            for _ in 0..6 {
                calibration.add(game, &[reported(p), 1.0 - reported(p)], &[y, 1.0 - y]);
            }
        }
        calibration
    }

    #[test]
    fn calibrated_chances_have_no_error_and_five_points_are_found() {
        // The limit is below what noise alone makes of 1,000 games a run: the sum of absolute gaps would be four
        // points.
        let mean = |reported: fn(f64) -> f64| {
            let runs = (0..40).map(|seed| calibration(1_000, seed, reported).squared_gap(None));
            runs.sum::<f64>() / 40.0
        };
        let right = mean(|p| p);
        assert!(right.abs() < 0.01f64.powi(2), "{right}");
        // Five points too low below one half and too high above.
        let wrong = mean(|p| if p < 0.5 { (p - 0.05).max(0.0) } else { (p + 0.05).min(1.0) });
        assert!((0.04..0.055).contains(&wrong.sqrt()), "{}", wrong.sqrt());
    }

    #[test]
    fn the_interval_of_the_error_holds_it() {
        let reported = |p: f64| if p < 0.5 { p * 0.9 } else { 1.0 - (1.0 - p) * 0.9 };
        // The gap is a tenth of p on both sides: the root of the mean of (p/10)² over p below one half.
        let truth = (0.01 * 0.25 / 3.0f64).sqrt();
        let held = (0..200).filter(|&seed| {
            let figure = calibration(2_000, seed, reported).expected_error().unwrap();
            figure.interval.unwrap().contains(truth)
        });
        let held = held.count();
        assert!((180..=200).contains(&held), "{held} of 200");
    }

    #[test]
    fn skill_and_loss_of_known_chances() {
        let even = calibration(4_000, 1, |_| 0.5);
        assert!(even.brier_skill().unwrap().estimate.abs() < 1e-9);
        assert!((even.log_loss().unwrap().estimate - 2f64.ln()).abs() < 1e-9);
        // A uniform chance: variance 1/12 of the 1/4 of a fair coin is explained.
        let right = calibration(4_000, 1, |p| p).brier_skill().unwrap();
        assert!(right.interval.unwrap().contains(1.0 / 3.0), "{right:?}");
    }

    #[test]
    fn a_martingale_has_ratio_one_and_a_loud_one_does_not() {
        let ratio = |loudness: f64| {
            let mut variation = QuadraticVariation::default();
            for game in 0..3_000 {
                let mut rng = rng::stream(9, game, Purpose::Analysis);
                let mut p: f64 = 0.5;
                let mut looks = vec![[0.5, 0.5]];
                for _ in 0..20 {
                    // A fair step that never leaves [0, 1].
                    let step = 0.3 * p.min(1.0 - p);
                    p += if rng.below(2) == 0 { step } else { -step };
                    let odds = (p / (1.0 - p)).powf(loudness);
                    looks.push([odds / (1.0 + odds), 1.0 / (1.0 + odds)]);
                }
                let y = f64::from(u8::from(rng.unit() < p));
                variation.add(game, looks.iter().map(|look| &look[..]), &[y, 1.0 - y]);
            }
            variation.ratio().unwrap()
        };
        let fair = ratio(1.0);
        assert!(fair.interval.unwrap().contains(1.0), "{fair:?}");
        assert!((fair.estimate - 1.0).abs() < 0.05, "{fair:?}");
        assert!(ratio(1.5).estimate > 1.1 && ratio(0.6).estimate < 0.9);
    }

    #[test]
    fn shared_points_take_their_part_of_the_variance() {
        let mut variation = QuadraticVariation::default();
        for game in 0..10 {
            // Nothing happens, and all seats share the points: no change was to be expected.
            let points = if game == 0 { [1.0, 0.0] } else { [0.5, 0.5] };
            variation.add(game, [&[0.5, 0.5][..]], &points);
        }
        let ratio = variation.ratio().unwrap();
        assert!((ratio.estimate - 1.0).abs() < 1e-12, "{ratio:?}");
    }
}
