//! Parallel work on the threads of the current pool, with results in order.
//!
//! The work stands behind a trait object. So the code of rayon compiles once, and not for each game and each caller. A
//! piece of work should take longer than the call.

use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;

/// Returns `of(i)` for each `i` below `n`, in order. The result does not depend on the threads.
///
/// # Panics
/// If `of` panics.
pub fn side_by_side<T: Send>(n: usize, of: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let slots: Vec<Mutex<Option<T>>> = (0..n).map(|_| Mutex::new(None)).collect();
    each(n, &|i| *slots[i].lock().unwrap_or_else(PoisonError::into_inner) = Some(of(i)));
    let results =
        slots.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner));
    results.map(|one| one.expect("every number was asked")).collect()
}

/// Calls `one` with every number below `n`, in parallel.
fn each(n: usize, one: &(dyn Fn(usize) + Sync)) {
    (0..n).into_par_iter().for_each(one);
}

/// Runs `work` on a thread of `pool`, so that its parallel parts use the threads of this pool.
///
/// # Panics
/// If `work` panics.
pub fn within<T: Send>(pool: &ThreadPool, work: impl FnOnce() -> T + Send) -> T {
    let (mut work, mut results) = (Some(work), None);
    enter(pool, &mut || results = work.take().map(|work| work()));
    results.expect("a pool does what it is given")
}

/// Runs `work` on a thread of `pool`.
fn enter(pool: &ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

/// Calls `one` on every element of `all`, in parallel.
///
/// # Panics
/// If `one` panics.
pub fn change_side_by_side<T: Send>(all: &mut [T], one: &(dyn Fn(usize, &mut T) + Sync)) {
    let slots: Vec<Mutex<&mut T>> = all.iter_mut().map(Mutex::new).collect();
    each(slots.len(), &|i| one(i, &mut **slots[i].lock().unwrap_or_else(PoisonError::into_inner)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_stands_in_order_and_everything_is_changed_once() {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let results = within(&pool, || side_by_side(100, &|i| i * i));
            assert_eq!(results, (0..100).map(|i| i * i).collect::<Vec<_>>());
            let mut all = vec![1; 50];
            pool.install(|| change_side_by_side(&mut all, &|i, one| *one += i));
            assert_eq!(all, (1..51).collect::<Vec<_>>());
        }
        assert!(side_by_side(0, &|i| i).is_empty());
    }
}
