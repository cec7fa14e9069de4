//! The `caesar` command: hands over to [`caesar::cli`] and exits.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(caesar::cli::run(std::env::args_os()))
}
