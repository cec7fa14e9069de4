//! Zero-sum matrix games by the simplex method.
//!
//! The row player picks a row and the column player a column, at the same time. The row player gets the entry, and the
//! column player pays it. By the minimax theorem there are a value `v` and strategies `x`, `y` with
//! `min_j (xᵀA)_j = v = max_i (Ay)_i`. All entries are made positive; adding a constant adds it to the value. Then `y`
//! is found from the linear program "maximize `Σ u_j` subject to `A u ≤ 1`, `u ≥ 0`": `v = 1 / Σ u_j`, `y = v·u`. The
//! strategy `x` is `v` times the dual solution, which stands in the last row of the final tableau.
//!
//! Entries are first mapped onto `[1, 2]`, so that the program is well scaled. The entering column is the one with the
//! steepest gain. After many pivots Bland's rule takes over; it cannot cycle. If several equilibria exist, one corner
//! of them is returned. Time grows like rows × columns × pivots; some hundred rows and columns are fast.
//!
//! References: von Neumann (1928); Dantzig, "A proof of the equivalence of the programming problem and the game
//! problem" (1951); Bland, "New finite pivoting rules for the simplex method" (1977).

/// The threshold above which a column gains and a pivot counts.
const EPSILON: f64 = 1e-11;

/// Value and optimal strategies of a zero-sum matrix game.
#[derive(Clone, PartialEq, Debug)]
pub struct MatrixSolution {
    /// The payoff of the row player, in the unit of the entries.
    pub value: f64,
    /// The probability of every row.
    pub rows: Vec<f64>,
    /// The probability of every column.
    pub columns: Vec<f64>,
}

/// Solves the zero-sum game in which the row player gets `payoffs[row][column]` and the column player loses it.
///
/// By leaving their strategy, neither player can gain more than about 1e-12 of the range of the entries.
///
/// # Panics
/// If there is no row or no column, if rows differ in length, or if an entry is not finite.
///
/// # Example
/// ```
/// let pennies = stats::matrix_game::matrix_game(&[vec![3.0, -1.0], vec![-1.0, 1.0]]);
/// assert!((pennies.value - 1.0 / 3.0).abs() < 1e-9);
/// assert!((pennies.rows[0] - 1.0 / 3.0).abs() < 1e-9);
/// ```
#[must_use]
pub fn matrix_game(payoffs: &[Vec<f64>]) -> MatrixSolution {
    let (n_rows, n_columns) = (payoffs.len(), payoffs.first().map_or(0, Vec::len));
    assert!(n_rows > 0 && n_columns > 0, "a matrix game needs a row and a column");
    assert!(payoffs.iter().all(|row| row.len() == n_columns), "rows of different lengths");
    let entries = || payoffs.iter().flatten().copied();
    assert!(entries().all(f64::is_finite), "entries are finite");
    let least = entries().fold(f64::INFINITY, f64::min);
    let range = entries().fold(f64::NEG_INFINITY, f64::max) - least;
    let scale = if range > 0.0 { range } else { 1.0 };
    let mut tableau = Tableau::new(payoffs, |entry| 1.0 + (entry - least) / scale);
    tableau.optimize();
    let rows = normalized(tableau.dual());
    let columns = normalized(tableau.primal());
    let value = payoffs.iter().zip(&rows).map(|(row, x)| x * dot(row, &columns)).sum();
    MatrixSolution { value, rows, columns }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the positive parts of `strategy`, scaled to add up to one.
fn normalized(mut strategy: Vec<f64>) -> Vec<f64> {
    strategy.iter_mut().for_each(|p| *p = p.max(0.0));
    let total: f64 = strategy.iter().sum();
    strategy.iter_mut().for_each(|p| *p /= total);
    strategy
}

/// Simplex tableau: the rows of `A u + slack = 1`, and the negated objective as the last row.
struct Tableau {
    cells: Vec<Vec<f64>>,
    /// The variable of each row: columns of the game come first, then slacks.
    basis: Vec<usize>,
    n_columns: usize,
}

impl Tableau {
    fn new(payoffs: &[Vec<f64>], positive: impl Fn(f64) -> f64) -> Self {
        let (n_rows, n_columns) = (payoffs.len(), payoffs[0].len());
        let mut cells = Vec::with_capacity(n_rows + 1);
        for (i, row) in payoffs.iter().enumerate() {
            let mut line: Vec<f64> = row.iter().map(|&entry| positive(entry)).collect();
            line.extend((0..n_rows).map(|slack| f64::from(u8::from(slack == i))));
            line.push(1.0);
            cells.push(line);
        }
        let mut objective = vec![0.0; n_columns + n_rows + 1];
        objective[..n_columns].fill(-1.0);
        cells.push(objective);
        Self { cells, basis: (n_columns..n_columns + n_rows).collect(), n_columns }
    }

    fn optimize(&mut self) {
        let patience = 20 * (self.basis.len() + self.n_columns);
        let mut n_pivots = 0;
        while let Some(column) = self.entering(n_pivots > patience) {
            let row = self.leaving(column);
            self.pivot(row, column);
            n_pivots += 1;
        }
    }

    /// Returns a variable that improves the objective: the first if `is_cautious` (Bland), otherwise the steepest.
    fn entering(&self, is_cautious: bool) -> Option<usize> {
        let objective = &self.cells[self.basis.len()];
        let mut gaining = (0..objective.len() - 1).filter(|&j| objective[j] < -EPSILON);
        if is_cautious {
            return gaining.next();
        }
        gaining.min_by(|&a, &b| objective[a].total_cmp(&objective[b]))
    }

    /// Returns the row that limits a variable first; among several, that of the variable with the lowest number
    /// (Bland).
    fn leaving(&self, column: usize) -> usize {
        let ratio = |row: &usize| {
            let line = &self.cells[*row];
            line[line.len() - 1].max(0.0) / line[column]
        };
        let limits = (0..self.basis.len()).filter(|&row| self.cells[row][column] > EPSILON);
        limits
            .min_by(|a, b| ratio(a).total_cmp(&ratio(b)).then(self.basis[*a].cmp(&self.basis[*b])))
            .expect("positive entries bound every column")
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let pivot = self.cells[row][column];
        self.cells[row].iter_mut().for_each(|cell| *cell /= pivot);
        let line = std::mem::take(&mut self.cells[row]);
        for other in self.cells.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[column];
            other.iter_mut().zip(&line).for_each(|(cell, by)| *cell -= factor * by);
        }
        self.cells[row] = line;
        self.basis[row] = column;
    }

    /// Returns the values of the columns of the game.
    fn primal(&self) -> Vec<f64> {
        let mut values = vec![0.0; self.n_columns];
        for (row, &variable) in self.basis.iter().enumerate() {
            if variable < self.n_columns {
                values[variable] = *self.cells[row].last().expect("a line has a right-hand side");
            }
        }
        values
    }

    /// Returns the prices of the rows of the game.
    fn dual(&self) -> Vec<f64> {
        let n_rows = self.basis.len();
        self.cells[n_rows][self.n_columns..self.n_columns + n_rows].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use engine::rng::{Purpose, stream};
    use engine::{Randomness, Stream};

    use super::*;

    fn check(payoffs: &[Vec<f64>]) -> MatrixSolution {
        let solution = matrix_game(payoffs);
        let scale = payoffs.iter().flatten().fold(1.0, |most: f64, entry| most.max(entry.abs()));
        let column = |j: usize| payoffs.iter().map(|row| row[j]).collect::<Vec<_>>();
        let against_rows = (0..payoffs[0].len()).map(|j| dot(&column(j), &solution.rows));
        let against_columns = payoffs.iter().map(|row| dot(row, &solution.columns));
        let worst = against_rows.fold(f64::INFINITY, f64::min);
        let best = against_columns.fold(f64::NEG_INFINITY, f64::max);
        let gap = (best - worst) / scale;
        assert!(gap.abs() < 1e-9, "a gap of {gap} in {payoffs:?}");
        assert!((worst..=best).contains(&solution.value) || gap.abs() < 1e-12);
        for strategy in [&solution.rows, &solution.columns] {
            assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        solution
    }

    fn near(strategy: &[f64], expected: &[f64]) -> bool {
        strategy.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    #[test]
    fn known_games_have_their_known_solutions() {
        let third = [1.0 / 3.0; 3];
        let rps = check(&[vec![0.0, -1.0, 1.0], vec![1.0, 0.0, -1.0], vec![-1.0, 1.0, 0.0]]);
        assert!(rps.value.abs() < 1e-12 && near(&rps.rows, &third) && near(&rps.columns, &third));
        // Heads wins three, tails wins one: (ad − bc) / (a + d − b − c) = (3 − 1) / 6.
        let pennies = check(&[vec![3.0, -1.0], vec![-1.0, 1.0]]);
        assert!((pennies.value - 1.0 / 3.0).abs() < 1e-12);
        assert!(near(&pennies.rows, &[1.0 / 3.0, 2.0 / 3.0]));
        // The example is similar to those of Williams, The Compleat Strategyst: the third row is dominated.
        let dominated = check(&[vec![4.0, 1.0], vec![2.0, 3.0], vec![1.0, 0.5]]);
        assert!((dominated.value - 2.5).abs() < 1e-12);
        assert!(near(&dominated.rows, &[0.25, 0.75, 0.0]), "{dominated:?}");
    }

    #[test]
    fn a_saddle_point_is_found_and_a_constant_is_no_trouble() {
        let saddle = check(&[vec![5.0, 3.0, 6.0], vec![1.0, 2.0, 9.0]]);
        assert!((saddle.value - 3.0).abs() < 1e-12 && near(&saddle.rows, &[1.0, 0.0]));
        assert!((check(&vec![vec![-7.0; 4]; 3]).value + 7.0).abs() < 1e-12);
        assert!((check(&[vec![2.5]]).value - 2.5).abs() < 1e-12);
        assert!((check(&[vec![2.0, -1.0, 8.0]]).value + 1.0).abs() < 1e-12);
        assert!((check(&[vec![2.0], vec![4.0]]).value - 4.0).abs() < 1e-12);
    }

    fn random(rng: &mut Stream, entry: impl Fn(&mut Stream) -> f64) -> Vec<Vec<f64>> {
        let (n_rows, n_columns) = (1 + rng.below(24), 1 + rng.below(24));
        (0..n_rows).map(|_| (0..n_columns).map(|_| entry(rng)).collect()).collect()
    }

    /// 600 matrices up to 24 × 24; whole entries make ties, where the method could cycle.
    #[test]
    fn nobody_can_leave_his_mix_with_a_profit() {
        let mut rng = stream(4, 0, Purpose::Analysis);
        for _ in 0..200 {
            check(&random(&mut rng, |rng| 200.0 * rng.unit() - 100.0));
            check(&random(&mut rng, |rng| f64::from(rng.below(3))));
            check(&random(&mut rng, |rng| 1e-6 * f64::from(rng.below(50)) + 3.0));
        }
    }

    #[test]
    fn a_symmetric_game_is_worth_nothing() {
        let mut rng = stream(5, 0, Purpose::Analysis);
        for n in 2..16 {
            let draws: Vec<f64> = (0..n * n).map(|_| rng.unit()).collect();
            let entry = |i: usize, j: usize| draws[n * i + j] - draws[n * j + i];
            let payoffs: Vec<Vec<f64>> =
                (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
            assert!(check(&payoffs).value.abs() < 1e-12, "{n} rows");
        }
    }
}
