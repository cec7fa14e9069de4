//! Integration tests of the agents in one binary, so that they link once and every search compiles once. Only
//! `allocation.rs` is separate, because it counts the allocations of the whole process.

mod circus_puzzles;
mod circus_start;
mod classic;
mod conquest2;
mod evaluators;
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
mod net;
mod net_inputs;
mod odds;
mod odds_classic;
mod outcome_odds;
mod personas;
mod played;
mod policy;
mod presets;
mod rise;
