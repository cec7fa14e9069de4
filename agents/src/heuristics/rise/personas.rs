//! Five personas with different goals.

use crate::heuristics::personas::personas;

personas!("rise": "farmer", "conqueror", "trader", "builder", "progress");
