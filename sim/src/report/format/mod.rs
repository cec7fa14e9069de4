//! Tables as text, a file a format: for terminals, as comma-separated values, for GitHub, for papers.

pub mod csv;
pub mod latex;
pub mod markdown;
pub mod terminal;

#[cfg(test)]
mod tests;
