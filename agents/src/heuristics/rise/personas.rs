//! Five characters that want different things.

use crate::heuristics::personas::personas;

personas!("rise": "farmer", "conqueror", "trader", "builder", "progress");
