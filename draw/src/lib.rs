//! What people look at: the story of a game, boards, plots and pages, as pure functions of the numbers that others found.
//!
//! Nothing here opens a file, plays a game or knows its rules: positions come as JSON, as records hold them, so that this
//! crate is compiled once and not for every game. Same input, same bytes.

pub mod board;
pub mod figure;
pub mod games;
pub mod html;
pub mod page;
pub mod plot;
pub mod replay;
pub mod replay_builder;
pub mod replay_page;
pub mod report;
pub mod story;
pub mod voronoi;
