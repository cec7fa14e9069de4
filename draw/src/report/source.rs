//! Sources of a report: the results of one command.

use super::digits;
use super::sheet::Sheet;
use crate::board::Board;
use crate::figure::Figure;
use crate::replay::Replay;

/// The kind of results in a directory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The effects of changed rules.
    Rules,
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
    /// The course of a game.
    Dynamics,
    /// A model of win probability.
    WinModel,
    /// A search for better parameters.
    Search,
    /// A population of strategies.
    Population,
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
            Self::Dynamics => "How the game goes",
            Self::WinModel => "Win probability",
            Self::Search => "Tuning",
            Self::Population => "Strategies",
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
    /// The agents, by their names on the page.
    pub agents: Vec<String>,
    /// Names on the page with the agents that they stand for.
    pub legend: Vec<[String; 2]>,
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
    /// The name of its rule set, as in `old rules`; empty if all results of the page have the same rules.
    pub side: String,
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
    /// Creates the source of a command without any results.
    #[must_use]
    pub fn new(kind: Kind, place: &str) -> Self {
        Self {
            place: place.to_owned(),
            kind,
            game: String::new(),
            players: 0,
            agents: Vec::new(),
            legend: Vec::new(),
            seed: String::new(),
            games: 0,
            blocks: 0,
            command: String::new(),
            version: String::new(),
            rules: String::new(),
            side: String::new(),
            board: None,
            sheets: Vec::new(),
            statements: Vec::new(),
            caveats: Vec::new(),
            replays: Vec::new(),
        }
    }

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
    pub(super) fn basis_of(sheet: &Sheet) -> String {
        let n = sheet.rows.iter().filter_map(|row| sheet.number(row, "n")).fold(0.0, f64::max);
        format!("n = {n} blocks, in each of which every seat has its turn.")
    }

    fn resting_on(&self, n: &str) -> String {
        let seed =
            if self.seed.is_empty() { String::new() } else { format!("; seed {}", self.seed) };
        let mut agents = self.agents.clone();
        agents.dedup();
        let agents = match agents.as_slice() {
            [] => String::new(),
            [one] => format!("; agent {one}"),
            all => format!("; agents {}", all.join(", ")),
        };
        let all = format!("{n}{seed}{agents}; {} for {} players.", self.game, self.players);
        all.trim_start_matches("; ").to_owned()
    }

    /// Creates a figure of this source.
    pub(super) fn figure(
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
            rests_on_rules: !self.rules.is_empty()
                && matches!(self.kind, Kind::Cards | Kind::Provinces | Kind::Alliances),
            command: self.command.clone(),
            table: sheet.table(self),
        }
    }
}

impl Source {
    /// Returns the question that the command asks.
    pub(super) const fn question(&self) -> &'static str {
        match self.kind {
            Kind::Tournament => "Which agent is the strongest?",
            Kind::Comparison => "Is there a difference?",
            Kind::Ladder => "Does each step of the ladder help?",
            Kind::Cards => "Which cards have a wrong price?",
            Kind::Provinces => "Where is influence worth something?",
            Kind::Seats => "Is a seat or a place in the order better?",
            Kind::Alliances => "Do players pay too much for their place?",
            Kind::Rules => "Do the new rules change the balance?",
            Kind::Dynamics => "What matters in a game?",
            Kind::WinModel => "Can the model be believed?",
            Kind::Search => "Is there a better agent?",
            Kind::Population => "Which strategies survive?",
        }
    }
}
