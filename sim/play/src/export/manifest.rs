//! `manifest.json`: all that the results depend on ([`Manifest`]), written before the first game.

use std::io::{self, Write};

use super::{Exporter, Format, Resume};
use crate::manifest::{Manifest, RunManifest as _};

/// The name of the file.
pub const FILE: &str = "manifest.json";

/// The format `manifest.json`.
pub const FORMAT: Format = Format {
    file: FILE,
    option: None,
    resume: Resume::Fixed,
    is_rated: false,
    exporter: |run| Ok(Box::new(Document(run.manifest.clone()))),
};

struct Document(Manifest);

impl Exporter for Document {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.0.document().as_bytes())
    }
}
