//! The command `caesar`: its options, its terminal, and the tables that it prints.
//!
//! The binary calls [`cli`]; everything that it can do without a terminal is in the crates `sim` and `lab`.
//! [`report`] turns results into tables, and into text, CSV, Markdown and LaTeX.
//!
//! # Example
//! A command without a shell: arguments in, exit code out.
//! ```
//! let args = ["caesar", "tournament", "--game", "pig", "--blocks", "2", "--quiet"];
//! assert_eq!(caesar::cli::run(args.map(Into::into)), 0);
//! let wrong = ["caesar", "tournament", "--game", "chess"];
//! assert_eq!(caesar::cli::run(wrong.map(Into::into)), 2);
//! ```
//!
//! # Features
//! - `parquet`: `games.parquet` and `seats.parquet` beside the CSV files.
//! - `web`: `caesar play --web`, pages in a browser.

pub mod cli;
pub mod processor;
pub mod report;
