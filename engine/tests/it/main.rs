//! The integration tests of the rules, in one binary: linked once, with every game compiled once.

mod conformance;
mod conformance_catches;
mod conquest2;
mod damaged_rules;
mod data;
mod imperium;
mod lengths;
mod perft;
mod playthroughs;
mod properties;
mod ranges;
mod rise;
mod rules;
mod rules_circus;
mod rules_classic;
mod rules_conquest2;
mod rules_hannibal;
mod rules_imperium;
mod tensors;
mod treatments;
