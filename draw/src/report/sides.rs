//! Results of one kind under several rule sets, side by side.

use std::fmt::Write;

use super::{Source, capital, figures};
use crate::figure::Figure;
use crate::html::element;
use crate::page::Section;

/// Returns true if the sources, all of one kind, belong to different rule sets.
pub(super) fn are_beside(sources: &[&Source]) -> bool {
    sources.iter().any(|source| source.side != sources[0].side)
}

/// Returns the section of sources of one kind: each figure once for each rule set, side by side.
pub(super) fn section(sources: &[&Source], anchor: String) -> Section {
    let mut body = String::new();
    for source in sources {
        let text = format!("{}: {}", capital(&source.side), source.basis());
        body += &element("p", "soft", &text);
        body += &source.caveats.iter().map(|text| element("p", "caveat", text)).collect::<String>();
    }
    let figures: Vec<Vec<Figure>> = sources.iter().map(|source| figures::figures(source)).collect();
    let mut titles: Vec<&str> = Vec::new();
    for figure in figures.iter().flatten() {
        if !titles.contains(&figure.title.as_str()) {
            titles.push(&figure.title);
        }
    }
    for title in titles {
        body += "<div class=\"beside\">\n";
        for (source, own) in sources.iter().zip(&figures) {
            let all = own.iter().filter(|figure| figure.title == title);
            let shown: String = all.map(Figure::html).collect();
            let side = element("p", "side", &capital(&source.side));
            let _ = write!(body, "<div>\n{side}{shown}</div>\n");
        }
        body += "</div>\n";
    }
    Section { title: sources[0].kind.title().to_owned(), anchor, body }
}
