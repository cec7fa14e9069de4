//! The tests of stories and pages.

mod browser;
mod driver;
mod stories;
