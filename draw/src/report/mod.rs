//! Reports: one page about the results of several commands.
//!
//! [`report`] is the entry point, and [`Source`] holds the results of one command. The numbers are those of the
//! results; nothing is estimated here. Every sentence rests on a number of the page, and undecided results are called
//! undecided.

mod archive;
mod compared;
mod dashboard;
mod digits;
mod fans;
mod figures;
mod finding;
mod open;
mod places;
mod rows;
mod sheet;
mod sides;
mod source;
mod studies;
mod titles;
mod units;
mod words;

use std::fmt::Write;

use crate::figure::Figure;
use crate::html::{element, escape};
use crate::page::{Section, page};
use crate::replay::Replay;
use crate::replay_page::replay_html;

pub use self::sheet::{Estimate, Sheet};
pub use self::source::{Kind, Source};

/// Returns the report of `sources`, which all belong to one game. Results of one kind under several rule sets stand side
/// by side; the first screen then has the changes between them, if they were measured.
#[must_use]
pub fn report(sources: &[Source]) -> String {
    let mut all: Vec<&Source> = sources.iter().collect();
    // Sections follow the order of kinds; equal kinds keep their order.
    all.sort_by_key(|source| source.kind);
    let game = all.first().map_or("", |source| source.game.as_str());
    let changes: Vec<&Source> = all.iter().copied().filter(|s| s.kind == Kind::Rules).collect();
    let first = if changes.is_empty() { &all } else { &changes };
    let mut sections = vec![
        Section::new("In short", dashboard::cards(first) + &legend(&all)),
        Section::new("Summary in words", words::summary(first)),
    ];
    for sources in all.chunk_by(|a, b| a.kind == b.kind) {
        let number = sections.len() - 2;
        match sides::are_beside(sources) {
            true => sections.push(sides::section(sources, format!("part-{}", number + 1))),
            false => {
                let one = |(i, source): (usize, &&Source)| section(source, number + i, &all);
                sections.extend(sources.iter().enumerate().map(one));
            }
        }
    }
    let replays: Vec<&Replay> = all.iter().flat_map(|source| &source.replays).collect();
    if !replays.is_empty() {
        let body = replays
            .iter()
            .enumerate()
            .map(|(i, replay)| replay_html(replay, &format!("replay-{}", i + 1)));
        let about = "These recorded games have the smallest lead of the winner over the second, in score. The closest game is \
                     the first.";
        sections.push(Section::new("Replays", element("p", "", about) + &body.collect::<String>()));
    }
    sections.push(Section::new("Where the numbers come from", origins(&all)));
    page(&format!("Report on {game}"), &introduction(&all), &sections)
}

/// Returns the sentence on the runs, and the rules under which they hold, each rule set once.
fn introduction(all: &[&Source]) -> String {
    let games: u64 = all.iter().map(|source| source.games).sum();
    let mut players: Vec<String> = all.iter().map(|source| source.players.to_string()).collect();
    players.sort_unstable();
    players.dedup();
    let played = if games > 0 {
        format!(", {} games", digits::fixed(games as f64, 0))
    } else {
        String::new()
    };
    let runs = format!("{}{played}, {} players.", counted(all.len()), players.join(" and "));
    let mut rules: Vec<[&str; 2]> = all.iter().map(|s| [&*s.side, &*s.rules]).collect();
    rules.sort_unstable();
    rules.dedup();
    let side = |side: &str| if side.is_empty() { "Rules".to_owned() } else { capital(side) };
    let said: Vec<String> = rules
        .into_iter()
        .filter(|[_, rules]| !rules.is_empty())
        .map(|[of, rules]| element("p", "caveat", &format!("⚠ {}: {rules}.", side(of))))
        .collect();
    let said = match said.is_empty() {
        true => String::new(),
        false => format!("<div id=\"rules\">\n{}</div>\n", said.concat()),
    };
    element("p", "soft", &runs) + &said
}

/// Returns the names of the page with the agents that they stand for, each once.
fn legend(all: &[&Source]) -> String {
    let mut names: Vec<&[String; 2]> = all.iter().flat_map(|source| &source.legend).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return String::new();
    }
    let line = |[name, of]: &&[String; 2]| {
        format!("<dt>{}</dt><dd><code>{}</code></dd>\n", escape(name), escape(of))
    };
    format!("<dl class=\"legend\">\n{}</dl>\n", names.iter().map(line).collect::<String>())
}

/// Returns `text` with a capital first letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Returns the first sentence of a source, or else its strongest finding as a sentence.
#[must_use]
pub fn headline(source: &Source) -> Option<String> {
    let finding = dashboard::findings(source).first().map(finding::Finding::sentence);
    source.statements.first().cloned().or(finding)
}

fn counted(n: usize) -> String {
    if n == 1 { "One run".to_owned() } else { format!("{n} runs") }
}

/// Returns the section of a source.
fn section(source: &Source, number: usize, all: &[&Source]) -> Section {
    let same = all.iter().filter(|other| other.kind == source.kind).count();
    let title = match same {
        1 => source.kind.title().to_owned(),
        _ => format!("{}: {}", source.kind.title(), source.place),
    };
    let warned = source.caveats.iter().map(|text| element("p", "caveat", &format!("⚠ {text}")));
    let mut body: String = warned.collect();
    // The figures have the numbers of two agents in the units of the page.
    let is_short = source.kind == Kind::Comparison && !source.has_two_rules();
    for text in &source.statements {
        let text = if is_short { finding::short(text) } else { text.as_str() };
        body += &element("p", "", &finding::sentence_case(text, source));
    }
    body += &element("p", "soft", &source.basis());
    let anchor = format!("part-{}", number + 1);
    body += &Figure::all_html(&figures::figures(source), &anchor);
    Section { anchor, title, body }
}

/// Returns the origin of the numbers: basis, version and command of every source.
fn origins(all: &[&Source]) -> String {
    let mut out = String::new();
    for source in all {
        let _ = write!(out, "<h3>{}</h3>\n<p>{}", escape(&source.place), escape(&source.basis()));
        let _ = write!(out, " Version {}.", escape(&source.version));
        out += "</p>\n";
        if !source.command.is_empty() {
            out += &element("code", "command", &source.command);
        }
    }
    let note = "Intervals are 95 % unless a table has another level. The unit is the block: games under one seed with rotated \
                seats. A full disc is decided, and an empty disc is undecided. The verdict of the results decides, or else the \
                p-value below 0.05, or else the interval. pp are percentage points.";
    out + &element("p", "note", note)
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::sheet::tests::sheet;
    use super::*;
    use crate::board::Board;

    pub(crate) const BAD: &str = "<script>alert(1)</script>";

    pub(crate) fn source(kind: Kind, sheets: Vec<Sheet>) -> Source {
        let rules = json!({ "province": [
            { "id": "sicilia", "at": [14.0, 37.0], "vp": [10, 5] },
            { "id": "egypt", "at": [30.0, 28.0], "vp": [15, 5] },
        ] });
        Source {
            place: format!("out/{BAD}"),
            kind,
            game: "conquest2".to_owned(),
            players: 4,
            agents: vec![BAD.to_owned()],
            legend: vec![["bad".to_owned(), BAD.to_owned()]],
            seed: "7".to_owned(),
            games: 400,
            blocks: 100,
            command: format!("caesar {BAD}"),
            version: "0.1.0".to_owned(),
            rules: "some numbers reconstructed".to_owned(),
            side: String::new(),
            board: Board::of_rules(&rules),
            sheets,
            statements: Vec::new(),
            caveats: vec![BAD.to_owned()],
            replays: Vec::new(),
        }
    }

    fn provinces() -> Sheet {
        let text = "province season token token_low token_high p contest contest_low contest_high tokens fights\n\
                    sicilia 1 0.125 0.05 0.2 0.001 2 1.5 2.5 3.5 0.5\n\
                    egypt 1 0.25 0.01 0.45 0.6 1 0.5 1.5 2 0.25\n\
                    sicilia 2 0.0625 -0.1 0.2 1 2 1.5 2.5 3.5 0.5";
        sheet("provinces", text)
    }

    fn cards() -> Sheet {
        let text = "card season value value_low value_high printed_price fair_price fair_price_low fair_price_high p \
                    verdict pick_rate pick_rate_low pick_rate_high\n\
                    loot 1 0.5 0.25 0.75 10 40 20 60 0.001 cheap 0.1 0.05 0.15\n\
                    assassin 1 0 -0.25 0.25 20 15 -5 30 1 undecided 0.5 0.4 0.6\n\
                    loot 2 0.25 -0.25 0.5 10 20 -5 30 1 undecided 0.1 0.05 0.15";
        sheet("cards", text)
    }

    fn standings() -> Sheet {
        let text = "agent share share_low share_high p\n<b> 0.375 0.3125 0.4375 0.01\nrandom 0.125 0.0625 0.1875 1";
        sheet("standings", text)
    }

    #[test]
    fn a_report_is_escaped_everywhere_and_always_the_same() {
        let sources = [
            source(Kind::Cards, vec![cards()]),
            source(Kind::Tournament, vec![standings()]),
            source(Kind::Provinces, vec![provinces()]),
        ];
        let page = report(&sources);
        assert_eq!(page, report(&sources));
        assert_eq!(page.matches("<script").count(), 1, "the page's own");
        assert!(!page.contains("<b>") && page.contains("&lt;b&gt;"));
        let order = ["id=\"in-short\"", ">Ranking</h2>", ">Cards</h2>", ">Provinces</h2>"];
        let places = order.map(|part| page.find(part).unwrap_or_else(|| panic!("{part}")));
        assert!(places.is_sorted(), "{places:?}");
        for map in ["season 1: worth of a token", "Contest", "Influence", "Fights"] {
            assert!(page.contains(&format!("{map} on the map; the numbers")), "{map}");
        }
        assert!(!page.contains("Swing on the map"), "the table has no such column");
    }

    #[test]
    fn every_figure_says_on_what_it_rests_and_has_its_numbers() {
        for (kind, sheets) in [(Kind::Cards, vec![cards()]), (Kind::Provinces, vec![provinces()])] {
            let source = source(kind, sheets);
            let all = figures::figures(&source);
            assert!(all.len() >= 3, "{kind:?}: {}", all.len());
            for figure in all {
                assert!(figure.picture.contains("aria-label=\""), "{}", figure.title);
                titles::tests::assert_reads(&figure.caption);
                assert!(figure.html().contains("href=\"#rules\""), "{}", figure.title);
                assert_eq!(figure.basis, "n = 400 games in 100 blocks of shared seeds.");
                assert!(!figure.command.is_empty());
                assert_eq!(figure.table.rows.len(), 3, "{}", figure.title);
            }
        }
    }

    #[test]
    fn a_screen_has_candidates_and_only_what_held_on_fresh_seeds_is_a_finding() {
        let sources =
            [source(Kind::Cards, vec![cards()]), source(Kind::Provinces, vec![provinces()])];
        let page = report(&sources);
        assert!(findings(&sources).is_empty(), "{:?}", findings(&sources));
        let said = "Candidates of the screen of cards; none was played again on fresh seeds";
        assert!(page.contains("<strong>1 of 3</strong>") && page.contains(said));
        let text = "province season token token_low token_high p verdict\n\
                    sicilia 1 0.037 -0.001 0.079 0.06 undecided\n\
                    achaia 1 0.101 0.06 0.142 0.0001 confirmed";
        let again = [source(Kind::Provinces, vec![provinces(), sheet("confirmed", text)])];
        let found = findings(&again);
        assert_eq!(found.len(), 1);
        assert!(
            found[0]
                .starts_with("A token in achaia, season 1 gains share, confirmed on fresh seeds"),
            "{found:?}"
        );
        assert!(found[0].contains(": +10.1 pp [6.0, 14.2] (p = 0.0001)."), "{found:?}");
        assert!(report(&again).contains("after a screen of 3 rows of provinces: 1 of 2."));
        let ranking = report(&[source(Kind::Tournament, vec![standings()])]);
        assert!(ranking.contains("has the most points, ahead of random"));
        assert!(
            ranking.contains("<strong>37.5 %<span class=\"interval\">[31.2, 43.8]</span></strong>")
        );
    }

    fn findings(sources: &[Source]) -> Vec<String> {
        let all = sources.iter().flat_map(dashboard::findings);
        all.map(|finding| finding.sentence()).collect()
    }

    #[test]
    fn cards_follow_the_questions_and_the_clearest_of_a_run_stands_first() {
        let order = "season place effect effect_low effect_high p verdict\n\
                     1 0 -0.033 -0.041 -0.025 0.00001 worse\n\
                     2 0 0.3 -0.1 0.7 0.2 undecided";
        let cards = "card season value value_low value_high surplus surplus_low surplus_high p verdict\n\
                     loot 1 0.2 0.01 0.39 0.25 0.02 0.48 0.03 cheap";
        let compared = "metric A B difference difference_low difference_high p worth_finding verdict blocks\n\
                        plies 60 55 -5 -7 -3 0.0004 1 smaller 55\n\
                        seat-0 0.4 0.41 0.01 -0.02 0.04 1 0.05 same 59\n\
                        score 10 10 0 -0.1 0.1 1 1 H0 59";
        let all = [
            source(Kind::Cards, vec![sheet("confirmed", cards)]),
            source(Kind::Seats, vec![sheet("order", order)]),
            source(Kind::Comparison, vec![sheet("panel", compared)]),
        ];
        let found = findings(&all);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("loot, season 1 is too cheap"), "{found:?}");
        assert!(found[1].starts_with(
            "The first place in the order is a burden in season 1: -3.3 pp [-4.1, -2.5] (p < 0.0001)."
        ));
        assert!(found[2].starts_with("plies is smaller under B than under A: -5.0 [-7.0, -3.0]"));
        let page = report(&all);
        let cards =
            &page[page.find("<ul class=\"cards\">").unwrap()..page.find("</ul>\n<dl").unwrap()];
        for part in ["question", "claim", "basis"] {
            let each = cards.matches(&format!("<span class=\"{part}\">")).count();
            assert_eq!(each, 3, "a card has one {part}");
        }
        let order = ["Is there a difference?", "wrong price", "place in the order better"];
        assert!(order.map(|part| cards.find(part).expect(part)).is_sorted());
    }

    #[test]
    fn no_guard_value_reaches_a_page() {
        let guard = "-".to_owned() + &"9".repeat(60);
        let names = [
            "seats",
            "confirmed",
            "panel",
            "course",
            "streams",
            "standings",
            "stages",
            "fans",
            "lengths",
            "cards",
            "provinces",
        ];
        let columns = "card season share share_low share_high effect effect_low effect_high token token_low token_high \
                       difference difference_low difference_high total alone value value_low value_high p llr blocks";
        let n = columns.split(' ').count();
        let row = |cell: &str| format!("x 1 {}", vec![cell; n - 2].join(" "));
        let text = format!("{columns}\n{}\n{}\n{}", row(&guard), row("inf"), row("-3.9e99"));
        for kind in [
            Kind::Tournament,
            Kind::Comparison,
            Kind::Cards,
            Kind::Provinces,
            Kind::Seats,
            Kind::Dynamics,
            Kind::Search,
        ] {
            let sheets = names.map(|name| sheet(name, &text)).to_vec();
            let page = report(&[source(kind, sheets)]);
            let at = ["99999", "inf<", "e99", "NaN", "inf "].map(|bad| page.find(bad));
            assert_eq!(at, [None; 5], "{kind:?}");
            assert!(page.contains("beyond any bound"), "{kind:?}");
        }
    }

    #[test]
    fn what_restrictions_cost_is_drawn_and_said_as_far_as_it_is_found() {
        let text = "forbidden cost cost_low cost_high n p felt felt_low felt_high verdict\n\
                    nothing 0.01 -0.02 0.04 100 1 0.9 0.8 1 undecided\n\
                    action.tax 0.125 0.1 0.15 100 0.001 0.5 0.4 0.6 costs\n\
                    action.sail 0.03 0.01 0.05 100 0.2 0.5 0.4 0.6 undecided\n\
                    action.use 0 -0.02 0.02 100 1 0 0 0.04 undecided";
        let source = source(Kind::Dynamics, vec![sheet("restrictions", text)]);
        let figure = figures::figures(&source).remove(0);
        assert_eq!(figure.title, "Cost of being forbidden something");
        assert!(figure.basis.starts_with("n = 100 blocks, in each"), "{}", figure.basis);
        assert!(figure.picture.contains("no cost") && figure.picture.contains("action.sail"));
        let page = report(&[source]).replace('\u{a0}', " ");
        let said =
            "A seat that is forbidden action.tax loses share: +12.5 pp [10.0, 15.0] (p = 0.0010).";
        assert!(page.contains(said) && !page.contains("is forbidden action.sail"));
    }

    #[test]
    fn chances_behind_gifts_are_drawn_against_what_came_of_them() {
        let text = "given chance chance_low chance_high result result_low result_high n\n\
                    points 0.1 0.09 0.11 0.125 0.1 0.15 40\n\
                    money 0.01 0 0.02 0.02 -0.01 0.05 40";
        let figure =
            figures::figures(&source(Kind::WinModel, vec![sheet("treated", text)])).remove(0);
        assert!(figure.picture.contains("points") && figure.basis.starts_with("n = 40 blocks"));
        assert_eq!(figure.table.rows.len(), 2);
    }

    #[test]
    fn values_stand_on_the_map() {
        let source = source(Kind::Provinces, vec![provinces()]);
        let all = figures::figures(&source);
        let worth = &all[0].picture;
        assert_eq!(worth.matches("class=\"board map values\"").count(), 2, "a map for each season");
        assert!(worth.contains("area up7") && worth.contains(">25.0</text>"));
        assert_eq!(worth.matches("<path class=\"undecided\"").count(), 1, "sicilia in season 2");
        let contest = all.iter().find(|figure| figure.title.starts_with("Contest")).unwrap();
        assert!(contest.picture.contains(">2.0</text>"));
        assert_eq!(contest.picture.matches("class=\"scale\"").count(), 3, "a scale for each map");
    }
}
