//! The integration tests of tournaments and of the command `caesar`, in one binary: linked once.

mod adaptive;
mod arc;
mod bad_agents;
mod balance;
mod balance_seats;
mod branch;
mod cli;
mod compare;
mod coverage;
mod coverage_family;
mod coverage_relations;
mod coverage_table;
mod determinism;
mod efficiency;
mod external;
mod ladder;
mod leaks;
mod long_runs;
mod luck;
mod records;
mod sequential;
mod shared;
mod tables;
mod tidy;
mod tune;
mod words;
