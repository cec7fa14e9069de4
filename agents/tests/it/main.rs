//! The integration tests of the agents, in one binary: linked once, with every search compiled once. Only
//! `allocation.rs` stands apart, because it counts what the whole process allocates.

mod circus_puzzles;
mod circus_start;
mod classic;
mod conquest2;
mod exact;
mod hannibal;
mod imperium;
mod luck;
mod mcts_budgets;
mod mcts_docs;
mod mcts_honest;
mod mcts_mixed;
mod mcts_solved;
mod mcts_strength;
mod mcts_trees;
mod odds;
mod odds_classic;
mod outcome_odds;
mod personas;
mod played;
mod presets;
mod rise;
