//! Reports: one page about the results of several commands.
//!
//! [`report`] is the entry point, and [`Source`] holds the results of one command. The numbers are those of the
//! results; nothing is estimated here. Every sentence rests on a number of the page, and undecided results are called
//! undecided.

mod compared;
mod dashboard;
mod digits;
mod fans;
mod figures;
mod places;
mod rows;
mod sheet;
mod studies;
mod titles;
mod words;

use std::fmt::Write;

use crate::board::Board;
use crate::figure::Figure;
use crate::html::{element, escape};
use crate::page::{Section, page};
use crate::replay::Replay;
use crate::replay_page::replay_html;

pub use self::sheet::{Estimate, Sheet};

/// The kind of results in a directory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A tournament.
    Tournament,
    /// A comparison of two agents or of two rule sets.
    Comparison,
    /// A ladder of agents that differ in one number.
    Ladder,
    /// The values of cards.
    Cards,
    /// The values of provinces.
    Provinces,
    /// The values of seats and turn orders.
    Seats,
    /// The values of alliances.
    Alliances,
    /// The effects of changed rules.
    Rules,
    /// The course of a game.
    Arc,
    /// A model of win probability.
    WinModel,
    /// A search for better parameters.
    Search,
}

impl Kind {
    /// Returns the title of its section.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Tournament => "Ranking",
            Self::Comparison => "Comparison",
            Self::Ladder => "Ladder",
            Self::Cards => "Cards",
            Self::Provinces => "Provinces",
            Self::Seats => "Seats and order",
            Self::Alliances => "Alliances",
            Self::Rules => "Changed rules",
            Self::Arc => "How the game goes",
            Self::WinModel => "Win probability",
            Self::Search => "Tuning",
        }
    }
}

/// The results of one command.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// The user's name for it.
    pub place: String,
    /// Its kind.
    pub kind: Kind,
    /// The game.
    pub game: String,
    /// Seats at the table.
    pub players: usize,
    /// The agents.
    pub agents: Vec<String>,
    /// The seed.
    pub seed: String,
    /// The number of games played; 0 if it is not known.
    pub games: u64,
    /// The number of independent observations; 0 if it is not known.
    pub blocks: u64,
    /// The command that reproduces it.
    pub command: String,
    /// The version of the program that wrote it.
    pub version: String,
    /// Reconstructed or changed rules; empty if there are none.
    pub rules: String,
    /// The map of the game, for values of places.
    pub board: Option<Board>,
    /// Its tables.
    pub sheets: Vec<Sheet>,
    /// Its sentences beside the tables.
    pub statements: Vec<String>,
    /// Caveats: unfinished, forfeited or unreliable parts.
    pub caveats: Vec<String>,
    /// Games that the page shows as replays.
    pub replays: Vec<Replay>,
}

impl Source {
    /// Returns a table by its name, if it has rows.
    #[must_use]
    pub fn sheet(&self, name: &str) -> Option<&Sheet> {
        self.sheets.iter().find(|sheet| sheet.name == name && !sheet.rows.is_empty())
    }

    /// Returns the basis of its numbers: n, seeds, agents.
    #[must_use]
    pub fn basis(&self) -> String {
        self.resting_on(self.n().trim_end_matches('.'))
    }

    /// Returns the number of games and blocks, as a sentence for figures.
    fn n(&self) -> String {
        let games = match self.games {
            0 => String::new(),
            n => format!("n = {} games", digits::fixed(n as f64, 0)),
        };
        let blocks = match self.blocks {
            0 => String::new(),
            n => format!(" in {} blocks of shared seeds", digits::fixed(n as f64, 0)),
        };
        if games.is_empty() && blocks.is_empty() {
            String::new()
        } else {
            format!("{games}{blocks}.")
        }
    }

    /// Returns the number of blocks of a table that has its own `n`; in each block every seat has its turn.
    fn basis_of(sheet: &Sheet) -> String {
        let n = sheet.rows.iter().filter_map(|row| sheet.number(row, "n")).fold(0.0, f64::max);
        format!("n = {n} blocks, in each of which every seat has its turn.")
    }

    fn resting_on(&self, n: &str) -> String {
        let seed =
            if self.seed.is_empty() { String::new() } else { format!("; seed {}", self.seed) };
        let agents = match self.agents.as_slice() {
            [] => String::new(),
            [one] => format!("; agent {one}"),
            all => format!("; agents {}", all.join(", ")),
        };
        let all = format!("{n}{seed}{agents}; {} for {} players.", self.game, self.players);
        all.trim_start_matches("; ").to_owned()
    }

    /// Creates a figure of this source.
    fn figure(
        &self,
        title: impl Into<String>,
        picture: String,
        caption: impl Into<String>,
        sheet: &Sheet,
    ) -> Figure {
        Figure {
            title: title.into(),
            picture,
            caption: caption.into(),
            basis: self.n(),
            command: self.command.clone(),
            table: sheet.table(),
        }
    }
}

/// Returns the report of `sources`, which all belong to one game under one rule set.
#[must_use]
pub fn report(sources: &[Source]) -> String {
    let mut all: Vec<&Source> = sources.iter().collect();
    // Sections follow the order of kinds; equal kinds keep their order.
    all.sort_by_key(|source| source.kind);
    let game = all.first().map_or("", |source| source.game.as_str());
    let mut sections = vec![
        Section::new("In short", dashboard::cards(&all)),
        Section::new("Summary in words", words::summary(&all)),
    ];
    for (i, source) in all.iter().enumerate() {
        sections.push(section(source, i, &all));
    }
    let replays: Vec<&Replay> = all.iter().flat_map(|source| &source.replays).collect();
    if !replays.is_empty() {
        let body = replays
            .iter()
            .enumerate()
            .map(|(i, replay)| replay_html(replay, &format!("replay-{}", i + 1)));
        let about = "The closest finishes among the recorded games, the closest first: the smallest lead of the winner over the \
                     second, in score.";
        sections.push(Section::new("Replays", element("p", "", about) + &body.collect::<String>()));
    }
    sections.push(Section::new("Where the numbers come from", origins(&all)));
    let introduction =
        element("p", "soft", &format!("What {} found about {game}.", counted(all.len())))
            + &rules(&all);
    page(&format!("Report on {game}"), &introduction, &sections)
}

/// Returns the rules under which the results hold, each rule set once.
fn rules(all: &[&Source]) -> String {
    let mut rules: Vec<&str> = all.iter().map(|source| source.rules.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let said = rules.into_iter().filter(|rules| !rules.is_empty());
    said.map(|rules| element("p", "caveat", &format!("All this holds under these rules: {rules}.")))
        .collect()
}

fn counted(n: usize) -> String {
    if n == 1 { "one run".to_owned() } else { format!("{n} runs") }
}

/// Returns the section of a source.
fn section(source: &Source, number: usize, all: &[&Source]) -> Section {
    let same = all.iter().filter(|other| other.kind == source.kind).count();
    let title = match same {
        1 => source.kind.title().to_owned(),
        _ => format!("{}: {}", source.kind.title(), source.place),
    };
    let mut body: String = source.caveats.iter().map(|text| element("p", "caveat", text)).collect();
    body += &source
        .statements
        .iter()
        .map(|text| element("p", "", &words::sentence_case(text)))
        .collect::<String>();
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
    let note = "Intervals are those of the results: 95 % unless a table says otherwise; the unit is the block, games under one \
                seed with the seats rotated. A full disc: found, by the verdict of the \
                results, or else by their p-value (below 0.05; it counts how much was asked), or else by the interval that leaves out the \
                reference; an empty one: not decided.";
    out + &element("p", "note", note)
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::sheet::tests::sheet;
    use super::*;

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
            seed: "7".to_owned(),
            games: 400,
            blocks: 100,
            command: format!("caesar {BAD}"),
            version: "0.1.0".to_owned(),
            rules: "some numbers reconstructed".to_owned(),
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
        for map in ["Worth of a token", "Contest", "Influence", "Fights"] {
            assert!(page.contains(&format!("{map}, on the map")), "{map}");
        }
        assert!(!page.contains("Swing, on the map"), "nothing is drawn of what is not told");
    }

    #[test]
    fn every_figure_says_on_what_it_rests_and_has_its_numbers() {
        for (kind, sheets) in [(Kind::Cards, vec![cards()]), (Kind::Provinces, vec![provinces()])] {
            let source = source(kind, sheets);
            let all = figures::figures(&source);
            assert!(all.len() >= 4, "{kind:?}: {}", all.len());
            for figure in all {
                assert!(figure.picture.contains("aria-label=\""), "{}", figure.title);
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
        assert!(
            page.contains(
                "1 of 3 rows of the screen of cards are candidates; none was played again"
            ),
            "{page}"
        );
        assert!(
            page.contains("Nothing is decided here, which does not mean that nothing differs.")
        );
        let text = "province season token token_low token_high p verdict\n\
                    sicilia 1 0.037 -0.001 0.079 0.06 undecided\n\
                    achaia 1 0.101 0.06 0.142 0.0001 confirmed";
        let again = [source(Kind::Provinces, vec![provinces(), sheet("confirmed", text)])];
        let found = findings(&again);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("A token in achaia, season 1 gains a share of the points"),
            "{found:?}"
        );
        assert!(found[0].contains(": +0.101 [0.060, 0.142], p = 0.0001."), "{found:?}");
        assert!(report(&again).contains("2 were played again on fresh seeds, and 1 of them held"));
        let ranking = report(&[source(Kind::Tournament, vec![standings()])]);
        assert!(ranking.contains("is ahead of random: its share of the points"), "{ranking}");
    }

    fn findings(sources: &[Source]) -> Vec<String> {
        let all: Vec<&Source> = sources.iter().collect();
        dashboard::findings(&all).iter().map(dashboard::Finding::sentence).collect()
    }

    #[test]
    fn the_strongest_evidence_stands_first_whatever_study_it_is_of() {
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
        assert_eq!(
            found[0],
            "Going first costs a share of the points in season 1: -0.0330 [-0.0410, -0.0250], p < 0.0001."
        );
        assert!(found[1].starts_with("plies is smaller under B than under A: -5.0 [-7.0, -3.0]"));
        assert!(found[2].starts_with("loot, season 1 is too cheap"), "{found:?}");
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
            Kind::Arc,
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
        let source = source(Kind::Arc, vec![sheet("restrictions", text)]);
        let figure = figures::figures(&source).remove(0);
        assert_eq!(figure.title, "What it costs one seat to be forbidden something");
        assert!(figure.basis.starts_with("n = 100 blocks, in each"), "{}", figure.basis);
        assert!(figure.picture.contains("no cost") && figure.picture.contains("action.sail"));
        let page = report(&[source]);
        let said = "It costs a seat a share of the points to be forbidden action.tax: +0.125 [0.100, 0.150], p = 0.0010.";
        assert!(page.contains(said) && !page.contains("to be forbidden action.sail"), "{page}");
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
        assert!(worth.contains("area up7") && worth.contains(">0.25</text>"), "{worth}");
        assert_eq!(worth.matches("<path class=\"undecided\"").count(), 1, "sicilia in season 2");
        let contest = all.iter().find(|figure| figure.title.starts_with("Contest")).unwrap();
        assert!(contest.picture.contains(">2</text>") && contest.picture.contains(">10/5</text>"));
    }
}
