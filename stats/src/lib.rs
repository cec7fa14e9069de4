//! Statistics of games: pure functions of numbers, independent of all code that plays.
//!
//! The unit of observation is the block, never the game: games of a block share their dice and decks, so they are not
//! independent. Entry points:
//! - [`moments`], [`proportion`] and [`stratified`] for shares;
//! - [`bootstrap`] for statistics without a formula;
//! - [`gsprt`] and [`stopped`] for sequential tests;
//! - [`outcomes`] for comparisons between agents: ratings, the cross table, cycles.
//!
//! # Example
//! A share of the points with its 95 % interval, from one number a block:
//! ```
//! use stats::Moments;
//!
//! let mut blocks = Moments::default();
//! for block in 0..60 {
//!     blocks.add(if block % 4 == 0 { 0.25 } else { 0.75 });
//! }
//! let interval = blocks.share_interval();
//! assert!((blocks.mean() - 0.625).abs() < 1e-12);
//! assert!(0.5 < interval.low && interval.low < 0.625 && 0.625 < interval.high);
//! ```
//!
//! # Features
//! None.

pub mod alpha_rank;
pub mod bootstrap;
pub mod calibration;
pub mod clustered;
pub mod conditional_logit;
pub mod confidence_sequence;
pub mod contrasts;
pub mod control_variate;
pub mod cross_table;
pub mod elo;
pub mod family;
pub mod fixed_length;
pub mod gsprt;
pub mod influence;
pub mod interval;
pub mod intransitivity;
pub mod kemeny;
pub mod learning_curve;
pub mod matrix_game;
pub mod meta_game;
pub mod moments;
pub mod multiple;
pub mod nash;
pub mod newton;
pub mod outcomes;
pub mod pairs;
pub mod permutation;
pub mod plackett_luce;
pub mod power;
pub mod proportion;
pub mod quantiles;
pub mod randomization;
pub mod ratio;
pub mod ratio_logit;
pub mod regression;
pub mod relative_efficiency;
pub mod soft_condorcet;
pub mod stopped;
pub mod stratified;
pub mod tally;
pub mod tiers;
pub mod varying_logit;
pub mod walk;
pub mod weng_lin;
pub mod wins;

pub use bootstrap::Bootstrap;
pub use confidence_sequence::confidence_sequence;
pub use family::Family;
pub use fixed_length::{FixedLength, Null};
pub use gsprt::{Gsprt, Question, Sides, Verdict};
pub use interval::Interval;
pub use moments::Moments;
pub use outcomes::{Outcome, Outcomes};
pub use proportion::{Method, clopper_pearson, wilson};
pub use quantiles::NORMAL_95;
pub use ratio::{Ratio, Region, fieller};
pub use relative_efficiency::RelativeEfficiency;
pub use stopped::Stopped;
pub use stratified::{Stratified, Tables};
pub use tally::{Range, Tally};
pub use tiers::Convergence;
