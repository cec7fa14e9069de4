//! The tests of stories and pages.

mod browser;
mod crowded;
mod driver;
mod reports;
mod stories;
