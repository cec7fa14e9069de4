//! Stories, boards, plots and pages, as pure functions of numbers that others computed.
//!
//! This crate opens no file, plays no game and has no rules of any game. Positions come as JSON, as records hold them,
//! so the crate is compiled once and not for every game. Equal input gives equal bytes.
//!
//! # Example
//! Two shares with their intervals, as an SVG:
//! ```
//! use draw::plot::{Dot, Shape, dots};
//!
//! let dot = |label: &str, value: f64, interval| Dot {
//!     label: label.to_owned(),
//!     value,
//!     interval: Some(interval),
//!     shape: Shape::Full,
//! };
//! let rows = [dot("greedy", 0.61, [0.56, 0.66]), dot("random", 0.39, [0.34, 0.44])];
//! let svg = dots(&rows, "share", None, "greedy has 0.61 of the points, random 0.39");
//! assert!(svg.contains("<svg") && svg.contains("greedy has 0.61"));
//! ```
//!
//! # Features
//! None.

pub mod board;
pub mod chip;
mod difference;
pub mod figure;
pub mod games;
pub mod geography;
pub mod highlight;
pub mod html;
mod maps;
pub mod marches;
pub mod names;
pub mod page;
pub mod play;
pub mod plot;
pub mod replay;
pub mod replay_builder;
pub mod replay_page;
pub mod report;
pub mod shapes;
pub mod story;
pub mod table_page;
pub mod voronoi;
