//! A page: one HTML file that needs nothing else, and lets nothing run but the one script that it brings.

use crate::html::escape;
use crate::sha256::{base64, sha256};

/// How pages look.
const STYLE: &str = include_str!("../assets/style.css");
/// What moves in them.
const SCRIPT: &str = include_str!("../assets/replay.js");

/// A part of a page, to which its contents lead.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// The anchor by which it is named.
    pub anchor: String,
    /// What stands in it, as HTML.
    pub body: String,
}

impl Section {
    /// A section with this heading.
    #[must_use]
    pub fn new(title: &str, body: String) -> Self {
        Self { title: title.to_owned(), anchor: crate::html::anchor(title), body }
    }
}

/// The source of a policy that allows `text` alone.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", base64(&sha256(text.as_bytes())))
}

/// A whole page with this title, an introduction as HTML, and sections.
///
/// Its content security policy allows the style and the script that stand in it, by their hashes, and nothing else: no
/// other script, no picture or font from anywhere, no connection, no form.
#[must_use]
pub fn page(title: &str, introduction: &str, sections: &[Section]) -> String {
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    );
    let title = escape(title);
    let link = |section: &Section| {
        format!("<li><a href=\"#{}\">{}</a></li>\n", section.anchor, escape(&section.title))
    };
    let contents = match sections {
        [] | [_] => String::new(),
        all => {
            let links: String = all.iter().map(link).collect();
            format!("<nav aria-label=\"Contents\"><ul>\n{links}</ul></nav>\n")
        }
    };
    let body: String = sections
        .iter()
        .map(|Section { title, anchor, body }| {
            let title = escape(title);
            format!("<section aria-labelledby=\"{anchor}\">\n<h2 id=\"{anchor}\">{title}</h2>\n{body}</section>\n")
        })
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
         <header>\n<h1>{title}</h1>\n{introduction}{contents}</header>\n<main id=\"main\">\n{body}</main>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_needs_nothing_else_and_its_policy_allows_its_own_parts_alone() {
        let section = Section::new("A & B", "<p>x</p>\n".to_owned());
        let page = page("<script>alert(1)</script>", "", &[section.clone(), section]);
        assert_eq!(page.matches("<script").count(), 1, "the title is escaped");
        assert!(page.contains("href=\"#a-b\"") && page.contains("<h2 id=\"a-b\">A &amp; B</h2>"));
        let outside = page.matches("http").count();
        let known =
            page.matches("http://www.w3.org/2000/svg").count() + page.matches("http-equiv").count();
        assert_eq!(outside, known, "a link to somewhere else");
        assert!(
            !page.contains(" style=") && !page.contains(" onclick="),
            "the policy forbids these"
        );
        assert!(!SCRIPT.contains("</") && !STYLE.contains("</"), "nothing ends the elements");
        assert!(page.contains(&hash(SCRIPT)) && page.contains(&hash(STYLE)));
    }
}
