//! Four characters that want different things.

use crate::heuristics::personas::personas;

personas!("classic": "hoarder", "raider", "builder", "caesar-hunter");
