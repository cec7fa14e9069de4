//! Pages: single HTML files that need no other file and run only their own script.
//!
//! [`page`] makes a page of text, and [`page_of`] a page of any [`Layout`].

use hmac_sha256::Hash;

use crate::html::{base64, escape};

/// The style sheet of every page.
pub(crate) const STYLE: &str = include_str!("../assets/style.css");
/// The script of a page with anything on it.
const SCRIPT: &str = concat!(
    include_str!("../assets/pieces.js"),
    include_str!("../assets/replay.js"),
    include_str!("../assets/report.js")
);
/// The script of a page with a table and no board.
const TABLES: &str = include_str!("../assets/report.js");
/// The patterns that fill areas of maps.
pub(crate) const PATTERNS: &str = "<svg class=\"defs\" aria-hidden=\"true\" focusable=\"false\"><defs>\n\
    <pattern id=\"key\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
    <rect class=\"key-ground\" width=\"7\" height=\"7\"/><path class=\"hatch\" d=\"M0 0V7\"/></pattern>\n\
    <pattern id=\"undecided\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(-45)\">\
    <path class=\"hatch cross\" d=\"M0 0V6\"/></pattern>\n</defs></svg>\n";

/// A section of a page; the table of contents links to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// Its anchor.
    pub anchor: String,
    /// Its content, as HTML.
    pub body: String,
}

impl Section {
    /// Creates a section with this heading.
    #[must_use]
    pub fn new(title: &str, body: String) -> Self {
        Self { title: title.to_owned(), anchor: crate::html::anchor(title), body }
    }
}

/// Returns the source expression of a content security policy that allows only `text`.
pub(crate) fn hash(text: &str) -> String {
    format!("'sha256-{}'", base64(&Hash::hash(text.as_bytes())))
}

/// The use of a page's width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// A text to read, with figures.
    Report,
    /// Boards as wide as the window.
    Replays,
    /// A table alone, in a frame of another page.
    Table,
}

/// Returns a whole page of the layout [`Layout::Report`], with a title, an introduction as HTML, and sections.
#[must_use]
pub fn page(title: &str, introduction: &str, sections: &[Section]) -> String {
    page_of(Layout::Report, title, introduction, sections)
}

/// Returns a whole page of this layout, with a title, an introduction as HTML, and sections.
///
/// Its content security policy allows only the style and the script of the page, by their hashes. It forbids any other
/// script, foreign pictures and fonts, connections and forms.
#[must_use]
pub fn page_of(layout: Layout, title: &str, introduction: &str, sections: &[Section]) -> String {
    let class = match (layout, sections.len()) {
        (Layout::Report, _) => "",
        (Layout::Replays, 0 | 1) => " class=\"wide single\"",
        (Layout::Replays, _) => " class=\"wide\"",
        (Layout::Table, _) => " class=\"alone single\"",
    };
    let script = if layout == Layout::Table { TABLES } else { SCRIPT };
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(script)
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
         <style>{STYLE}</style>\n</head>\n<body{class}>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n{PATTERNS}\
         <header>\n<h1>{title}</h1>\n{introduction}{contents}</header>\n<main id=\"main\">\n{body}</main>\n\
         <script>{script}</script>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Returns the colours of the light and of the dark page.
    fn colours() -> [BTreeMap<&'static str, [f64; 3]>; 2] {
        let of = |block: &'static str| {
            let hex = |text: &str, i: usize| {
                u8::from_str_radix(&text[2 * i..2 * i + 2], 16).map_or(0.0, f64::from)
            };
            let pairs = block.split(['{', ';']).filter_map(|part| part.trim().split_once(": "));
            pairs
                .filter_map(|(name, value)| {
                    let name = name.strip_prefix("--")?;
                    let colour = match value.strip_prefix('#') {
                        Some(six) if six.len() == 6 => [0, 1, 2].map(|i| hex(six, i)),
                        _ => {
                            let mut parts = value.split(", ").map(str::parse);
                            let mut next = || parts.next()?.ok();
                            [next()?, next()?, next()?]
                        }
                    };
                    Some((name, colour))
                })
                .collect()
        };
        let mut roots =
            STYLE.split(":root {").skip(1).map(|block| block.split('}').next().unwrap());
        [of(roots.next().unwrap()), of(roots.next().unwrap())]
    }

    /// Returns the contrast of two colours by WCAG 2.2, from 1 to 21.
    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let light = |colour: [f64; 3]| {
            let part = |x: f64| {
                let x = x / 255.0;
                if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
            };
            let [r, g, b] = colour.map(part);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b) = (light(a) + 0.05, light(b) + 0.05);
        if a > b { a / b } else { b / a }
    }

    #[test]
    fn text_can_be_read_on_everything_that_it_stands_on_in_the_light_and_in_the_dark() {
        for colours in colours() {
            let reads = |text: &str, ground: [f64; 3], at_least: f64, what: &str| {
                let found = contrast(colours[text], ground);
                assert!(found >= at_least, "{text} on {what}: {found:.2}, wanted {at_least}");
            };
            for ground in ["paper", "panel"] {
                for text in ["ink", "soft", "link", "mark"] {
                    reads(text, colours[ground], 4.5, ground);
                }
            }
            for area in ["land", "key", "sea", "track", "divider", "goal", "route"] {
                reads("ink", colours[area], 4.5, area);
            }
            for seat in ["s0", "s1", "s2", "s3", "s4", "s5", "none"] {
                reads("chip", colours[seat], 4.5, seat);
                // A graphic must be visible; it need not be legible as text.
                reads(seat, colours["paper"], 3.0, "paper");
                reads(seat, colours["land"], 3.0, "land");
            }
            // The darkest shade of a scale, over the paper and over a map.
            for side in ["up", "down"] {
                let over = |ground: [f64; 3]| {
                    let mix = |i: usize| 0.62 * colours[side][i] + 0.38 * ground[i];
                    [mix(0), mix(1), mix(2)]
                };
                for ground in ["paper", "panel"] {
                    reads("shade-ink", over(colours[ground]), 4.5, side);
                    reads("ink", over(colours[ground]), 3.0, side);
                }
            }
        }
    }

    #[test]
    fn a_hash_is_that_of_the_standard() {
        // FIPS 180-4, the example of one block.
        assert_eq!(hash("abc"), "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
    }

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
