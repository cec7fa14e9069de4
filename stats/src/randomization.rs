//! A randomization test: do answers depend on the question if the answerer cannot distinguish the questions?
//!
//! **Design.** In each repeat every question of a table is asked once, in a random order that the answerer never sees.
//! The answers may depend on what all questions have in common, on the clock, on memory or on random numbers. If they
//! depend on nothing else, they carry no information about the order. Given the answers of a repeat, every assignment
//! of them to the questions is then equally probable.
//!
//! **Test** (Fisher 1935, The Design of Experiments; Edgington & Onghena 2007). The statistic of a table is
//! `T = Σ_a Σ_q n_qa²/n_a`, where `n_qa` counts how often question q had answer a: the part of χ² that moves when
//! repeats are permuted. It is compared with `B` tables in which the answers are permuted within each repeat.
//! Standardised by mean and deviation over all `B + 1` tables, `z`, it gives two p-values:
//!
//! - *pooled*: the sum of `z` over tables, for a weak dependence in many tables;
//! - *single*: the `z` of each table against the largest of a permutation (max-T: Westfall & Young 1993), for a strong
//!   dependence in a few tables; these are adjusted for the number of tables.
//!
//! A p-value is `(1 + #{as large or larger})/(B + 1)` (Phipson & Smyth 2010, <https://doi.org/10.2202/1544-6115.1585>).
//! So it is exact for every `B`, not only approximately. The p-value of both is twice the smaller (Bonferroni).
//!
//! **Valid** for all answers, including drifting and remembered ones. It has no power with one repeat.

use engine::rng::fast;
use engine::{Fast, Randomness, Stream};

/// The answers of a table: for each repeat, and in it for each question, the number of the answer.
pub type Answers = Vec<Vec<u32>>;

/// The result of the test.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The p-value of "no table depends", by the sum over tables.
    pub pooled: f64,
    /// For each table the p-value of "it does not depend", adjusted for the number of tables.
    pub single: Vec<f64>,
}

impl Outcome {
    /// Returns the p-value of "no table depends" from both p-values.
    #[must_use]
    pub fn p(&self) -> f64 {
        let least = self.single.iter().copied().fold(self.pooled, f64::min);
        (2.0 * least).min(1.0)
    }
}

/// Tests `tables` with `n` permutations drawn from `rng`.
///
/// ```
/// use engine::{Purpose, rng::stream};
/// // Two questions: the first is always answered by 0, the second by 1.
/// let outcome = stats::randomization::test(&[vec![vec![0, 1]; 12]], 999, &mut stream(1, 0, Purpose::Analysis));
/// assert!(outcome.p() < 0.01);
/// ```
#[must_use]
pub fn test(tables: &[Answers], n: usize, rng: &mut Stream) -> Outcome {
    let mut rng = fast(rng);
    // Without two different answers in some repeat every permutation is the table itself.
    let varies = |table: &Answers| table.iter().any(|row| row.iter().any(|a| *a != row[0]));
    let places: Vec<usize> = (0..tables.len()).filter(|&i| varies(&tables[i])).collect();
    let columns: Vec<Vec<f64>> =
        places.iter().map(|&i| standardised(&permuted(&tables[i], n, &mut rng))).collect();
    let each = |of: &dyn Fn(&mut dyn Iterator<Item = f64>) -> f64| -> Vec<f64> {
        (0..=n).map(|b| of(&mut columns.iter().map(|column| column[b]))).collect()
    };
    let sums = each(&|z| z.sum());
    let largest = each(&|z| z.fold(f64::MIN, f64::max));
    let mut single = vec![1.0; tables.len()];
    for (&place, column) in places.iter().zip(&columns) {
        single[place] = part_from(&largest, column[0]);
    }
    Outcome { pooled: part_from(&sums, sums[0]), single }
}

/// Returns the part of `values` that reaches `observed`, up to rounding; the first value is the observed one.
fn part_from(values: &[f64], observed: f64) -> f64 {
    let n = values.iter().filter(|&&value| value >= observed - 1e-9).count();
    n as f64 / values.len() as f64
}

/// Returns the statistic of `table`, followed by that of `n` permutations of it.
fn permuted(table: &Answers, n: usize, rng: &mut Fast) -> Vec<f64> {
    let mut table = table.clone();
    let n_answers = 1 + table.iter().flatten().copied().max().unwrap_or(0) as usize;
    let mut counts = vec![0; n_answers * table[0].len()];
    let mut values = vec![statistic(&table, &mut counts)];
    for _ in 0..n {
        table.iter_mut().for_each(|row| rng.shuffle(row));
        values.push(statistic(&table, &mut counts));
    }
    values
}

/// Returns `Σ_a Σ_q n_qa²/n_a`; `counts` lends the memory.
fn statistic(table: &Answers, counts: &mut [u64]) -> f64 {
    let n_questions = table[0].len();
    counts.fill(0);
    for row in table {
        for (question, &answer) in row.iter().enumerate() {
            counts[answer as usize * n_questions + question] += 1;
        }
    }
    let of_answer = |counts: &[u64]| {
        let squares: u64 = counts.iter().map(|n| n * n).sum();
        squares as f64 / counts.iter().sum::<u64>().max(1) as f64
    };
    counts.chunks(n_questions).map(of_answer).sum()
}

/// Returns `values` in standard deviations from their mean; zeros if all are equal.
fn standardised(values: &[f64]) -> Vec<f64> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let deviation = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt();
    let scale = if deviation > 1e-9 { deviation } else { f64::INFINITY };
    values.iter().map(|x| (x - mean) / scale).collect()
}

#[cfg(test)]
mod tests {
    use engine::Purpose;
    use engine::rng::stream;

    use super::*;

    #[test]
    fn the_p_value_of_one_table_is_that_of_all_its_permutations() {
        // Two repeats of two questions that differ: 2 of 4 assignments agree in both repeats.
        let table = vec![vec![0, 1], vec![0, 1]];
        let outcome = test(&[table], 20_000, &mut stream(1, 0, Purpose::Analysis));
        assert!((outcome.single[0] - 0.5).abs() < 0.02, "{outcome:?}");
        // With 10 repeats all agree in 2 of 1,024 assignments.
        let table = vec![vec![0, 1]; 10];
        let outcome = test(&[table], 200_000, &mut stream(1, 0, Purpose::Analysis));
        assert!((outcome.pooled - 2.0 / 1024.0).abs() < 0.0004, "{outcome:?}");
        let blind = test(&[vec![vec![0, 1, 2]]], 99, &mut stream(1, 0, Purpose::Analysis));
        assert_eq!((blind.p(), blind.single), (1.0, vec![1.0]));
    }
}
