//! The `caesar` command: hands over to [`sim::cli`] and exits.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(sim::cli::run(std::env::args_os()))
}
