//! The tests of stories and pages.

mod stories;
