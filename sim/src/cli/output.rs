//! The terminal: stdout for results, stderr for everything else, neither of which may panic.

use std::io::{self, Write};

use crate::error::Error;

/// Writes `text` to stdout.
///
/// A reader who has closed the pipe gives [`Error::ClosedPipe`], which ends the command well.
pub(super) fn print(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Error::output("stdout"))
}

/// Writes a line to stderr.
pub(super) fn note(line: &str) {
    // Without stderr there is nobody left to tell.
    writeln!(io::stderr(), "{line}").unwrap_or_default();
}
