//! Shared parts of the benches: seeds, tables, and settings that keep a whole run under a few minutes.

use engine::{Configure, Rules};

/// The seed of all random numbers in a bench.
pub const SEED: u64 = 1;

/// Returns the game `G` at its default table, under its default rules.
///
/// # Panics
/// If the default rules are refused (a bug of the game).
#[must_use]
pub fn default_game<G: Configure>() -> G {
    G::configure(G::about().default_players, &Rules::of::<G>()).expect("default rules are accepted")
}

/// Defines the `main` of a bench that runs these functions, with short measurements: on a shared machine, differences
/// below a few percent are noise anyway.
///
/// It is a macro so that only benches are built with Criterion: tests of the workspace have no use for it.
#[macro_export]
macro_rules! run {
    ($($target:path),+ $(,)?) => {
        criterion::criterion_group! {
            name = benches;
            config = criterion::Criterion::default()
                .sample_size(20)
                .warm_up_time(std::time::Duration::from_millis(500))
                .measurement_time(std::time::Duration::from_secs(2))
                .configure_from_args();
            targets = $($target),+
        }
        criterion::criterion_main!(benches);
    };
}
