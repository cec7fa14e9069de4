//! A report: one page of what several commands found, from their results.
//!
//! The numbers are those of the results; nothing is estimated here. Whatever is said in words is made of a number that
//! stands on the page, and what is not decided is called so.

mod dashboard;
mod figures;
mod places;
mod sheet;
mod studies;
mod words;

use std::fmt::Write;

use crate::board::Board;
use crate::figure::Figure;
use crate::film::Film;
use crate::html::{element, escape};
use crate::page::{Section, page};
use crate::replay::replay;

pub use self::sheet::{Estimate, Sheet};

/// What a directory holds the results of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A tournament.
    Tournament,
    /// One agent against another, or two rule sets.
    Comparison,
    /// Agents that differ in one number.
    Ladder,
    /// What cards are worth.
    Cards,
    /// What provinces are worth.
    Provinces,
    /// What seats and turn orders are worth.
    Seats,
    /// What alliances are worth.
    Alliances,
    /// What changes of the rules move.
    Rules,
    /// How a game goes.
    Arc,
    /// A model of win probability.
    WinModel,
    /// A search for better parameters.
    Search,
}

impl Kind {
    /// What its section is called.
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
    /// What the user calls it.
    pub place: String,
    /// What it is.
    pub kind: Kind,
    /// The game.
    pub game: String,
    /// Seats at the table.
    pub players: usize,
    /// The agents.
    pub agents: Vec<String>,
    /// The seed.
    pub seed: String,
    /// Games that were played, and blocks of them; 0 where that is not known.
    pub games: u64,
    /// Independent observations.
    pub blocks: u64,
    /// The command that makes it again.
    pub command: String,
    /// The version of the program that made it.
    pub version: String,
    /// What of the rules is reconstructed or changed; empty if nothing is.
    pub rules: String,
    /// The map of the game, for values of places.
    pub board: Option<Board>,
    /// Its tables.
    pub sheets: Vec<Sheet>,
    /// What it says in sentences beside its tables.
    pub statements: Vec<String>,
    /// Caveats: what is unfinished, forfeited or cannot be believed.
    pub caveats: Vec<String>,
    /// Games to look at.
    pub films: Vec<Film>,
}

impl Source {
    /// A table by its name, if it has rows.
    #[must_use]
    pub fn sheet(&self, name: &str) -> Option<&Sheet> {
        self.sheets.iter().find(|sheet| sheet.name == name && !sheet.rows.is_empty())
    }

    /// On what its numbers rest: n, seeds, agents.
    #[must_use]
    pub fn basis(&self) -> String {
        let games = match self.games {
            0 => String::new(),
            n => format!("n = {n} games"),
        };
        let blocks = match self.blocks {
            0 => String::new(),
            n => format!(" in {n} blocks of shared seeds"),
        };
        let seed =
            if self.seed.is_empty() { String::new() } else { format!("; seed {}", self.seed) };
        let agents = match self.agents.as_slice() {
            [] => String::new(),
            [one] => format!("; agent {one}"),
            all => format!("; agents {}", all.join(", ")),
        };
        format!("{games}{blocks}{seed}{agents}; {} for {} players.", self.game, self.players)
    }

    /// A figure of this source.
    fn figure(
        &self,
        title: impl Into<String>,
        picture: String,
        caption: impl Into<String>,
        sheet: &Sheet,
    ) -> Figure {
        let rules =
            if self.rules.is_empty() { String::new() } else { format!("Rules: {}.", self.rules) };
        Figure {
            title: title.into(),
            picture,
            caption: caption.into(),
            basis: self.basis(),
            rules,
            command: self.command.clone(),
            table: sheet.table(),
        }
    }
}

/// The report of `sources`, which are all of one game under the same rules.
#[must_use]
pub fn report(sources: &[Source]) -> String {
    let mut all: Vec<&Source> = sources.iter().collect();
    // In the order of sections; those of a kind as they were named.
    all.sort_by_key(|source| source.kind);
    let game = all.first().map_or("", |source| source.game.as_str());
    let mut sections = vec![
        Section::new("In short", dashboard::cards(&all)),
        Section::new("Summary in words", words::summary(&all)),
    ];
    for (i, source) in all.iter().enumerate() {
        sections.push(section(source, i, &all));
    }
    let films: Vec<&Film> = all.iter().flat_map(|source| &source.films).collect();
    if !films.is_empty() {
        let body =
            films.iter().enumerate().map(|(i, film)| replay(film, &format!("replay-{}", i + 1)));
        let about = "The closest finishes among the recorded games, the closest first: the smallest lead of the winner over the \
                     second, in score.";
        sections.push(Section::new("Replays", element("p", "", about) + &body.collect::<String>()));
    }
    sections.push(Section::new("Where the numbers come from", origins(&all)));
    let introduction =
        element("p", "soft", &format!("What {} found about {game}.", counted(all.len())));
    page(&format!("Report on {game}"), &introduction, &sections)
}

fn counted(n: usize) -> String {
    if n == 1 { "one run".to_owned() } else { format!("{n} runs") }
}

/// The section of a source.
fn section(source: &Source, number: usize, all: &[&Source]) -> Section {
    let same = all.iter().filter(|other| other.kind == source.kind).count();
    let title = match same {
        1 => source.kind.title().to_owned(),
        _ => format!("{}: {}", source.kind.title(), source.place),
    };
    let mut body: String = source.caveats.iter().map(|text| element("p", "caveat", text)).collect();
    body += &source.statements.iter().map(|text| element("p", "", text)).collect::<String>();
    body += &figures::figures(source).iter().map(Figure::html).collect::<String>();
    Section { anchor: format!("part-{}", number + 1), title, body }
}

/// What every source is.
fn origins(all: &[&Source]) -> String {
    let mut out = String::new();
    for source in all {
        let _ = write!(out, "<h3>{}</h3>\n<p>{}", escape(&source.place), escape(&source.basis()));
        let _ = write!(out, " Version {}.", escape(&source.version));
        if !source.rules.is_empty() {
            let _ = write!(out, " <span class=\"caveat\">Rules: {}.</span>", escape(&source.rules));
        }
        out += "</p>\n";
        if !source.command.is_empty() {
            out += &element("code", "command", &source.command);
        }
    }
    let note = "Intervals are those of the results: 95 % unless a table says otherwise; the unit is the block, games under one \
                seed with the seats rotated. A full disc: the interval leaves out the reference; an empty one: it does not, and \
                nothing is decided.";
    out + &element("p", "note", note)
}
