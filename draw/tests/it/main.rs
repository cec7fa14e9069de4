//! The tests of stories and pages.

mod axe;
mod browser;
mod crowded;
mod driver;
mod play;
mod reports;
mod stories;
