//! The integration tests of tournaments and of the command `caesar`, in one binary: linked once.

mod adaptive;
mod arc;
mod bad_agents;
mod balance;
mod balance_seats;
mod branch;
mod cli;
mod compare;
mod coverage_family;
mod coverage_relations;
mod coverage_table;
mod determinism;
mod diagnose;
mod external;
mod fit;
mod ladder;
mod leaks;
mod long_runs;
mod luck;
mod panel;
mod records;
mod shared;
mod tables;
mod tidy;
mod words;
