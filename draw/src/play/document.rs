//! The page at which a person plays, as one document.

use crate::page::{PATTERNS, STYLE, hash};

/// The style sheet of the page, after that of every page.
const PLAY_STYLE: &str = include_str!("../../assets/play.css");
/// The script of the page.
const SCRIPT: &str =
    concat!(include_str!("../../assets/pieces.js"), include_str!("../../assets/play.js"));

/// Returns the content security policy of [`page`]. It allows the page's own script and style by their hashes and
/// connections to its own server, and nothing else.
#[must_use]
pub fn page_policy() -> String {
    format!(
        "default-src 'none'; script-src {}; style-src {}; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
        hash(SCRIPT),
        hash(&style())
    )
}

fn style() -> String {
    [STYLE, PLAY_STYLE].concat()
}

/// Returns the document of a table. It has no word of any game: all that it shows comes from the server.
#[must_use]
pub fn page() -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Caesar</title>\n<style>{}</style>\n</head>\n\
         <body class=\"play\">\n<a class=\"skip\" href=\"#decision\">Skip to the decision</a>\n{PATTERNS}{}\
         <script>{SCRIPT}</script>\n</body>\n</html>\n",
        style(),
        include_str!("../../assets/play.html"),
    )
}
