//! The `caesar` command: hands over to [`caesar::cli`] and exits.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    match caesar::processor::complaint() {
        Some(complaint) => {
            std::io::stderr().write_all(complaint.as_bytes()).unwrap_or_default();
            ExitCode::FAILURE
        }
        None => run(),
    }
}

/// Runs the command; apart from `main`, whose first instructions every processor must know.
#[inline(never)]
fn run() -> ExitCode {
    ExitCode::from(caesar::cli::run(std::env::args_os()))
}
