//! Four personas with different goals.

use crate::heuristics::personas::personas;

personas!("classic": "hoarder", "raider", "builder", "caesar-hunter");
