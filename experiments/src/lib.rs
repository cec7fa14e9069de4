//! The experiments of the project: a config each, compiled in so that none of them rots.
//!
//! The tests parse every config and play two games of it. Answers stand in `README.md` and `results/`.

/// All experiments: name and the text of the config, whose first line is the question.
#[must_use]
pub const fn all() -> &'static [(&'static str, &'static str)] {
    &[
        ("default-tournament", include_str!("../configs/default-tournament.toml")),
        ("epsilon", include_str!("../configs/epsilon.toml")),
        ("greedy-and-random", include_str!("../configs/greedy-and-random.toml")),
        ("hannibal", include_str!("../configs/hannibal.toml")),
        ("personas", include_str!("../configs/personas.toml")),
    ]
}
