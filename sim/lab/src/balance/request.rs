//! The request of an experiment, and its validated form. Each option is declared once: as an option of the command
//! line, in the printed command, and as a key of the manifest.

use agents::AgentSpec;
use engine::rules::nearest;
use serde::{Deserialize, Serialize};

use super::facts::Facts;
use super::plan;
use sim::catalogue::{Setup, about};
use sim::config::{DEFAULT_SEED, Plan, Played, RuleSet, TournamentConfig, options_text};
use sim::document::{ReadFile, object};
use sim::error::Error;
use sim::population::{Table, members};
use sim::schedule::Schedule;

/// The default tiers, the weaker first.
pub const TIERS: [&str; 2] = ["greedy(epsilon=0.1)", "greedy"];
/// The default number of blocks.
pub const BLOCKS: u64 = 1_000;
/// The largest number of blocks with `quick`.
pub const QUICK_BLOCKS: u64 = 120;
/// The largest number of blocks with `quick` in a study of seats, where a block shows each seat in one game.
pub const QUICK_SEATS: u64 = 300;

/// The kind of study.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// Things that players take for a price.
    Cards,
    /// Seats, and places in a turn order.
    Seats,
    /// Places and sides that players bid for.
    Alliances,
    /// Places that players hold.
    Provinces,
}

impl What {
    /// All kinds, in the order in which they are played.
    pub const ALL: [Self; 4] = [Self::Seats, Self::Alliances, Self::Provinces, Self::Cards];

    /// Parses the command's word for a study.
    ///
    /// # Errors
    /// If no study has this word: the message names all of them.
    pub fn parse(word: &str) -> Result<Self, String> {
        let words = || Self::ALL.map(Self::word);
        let found = Self::ALL.into_iter().find(|what| what.word() == word);
        found.ok_or_else(|| format!("no such study (there are {})", words().join(", ")))
    }

    /// Returns true if the game declares the subject of the study.
    #[must_use]
    pub fn is_allowed_by(self, facts: &Facts) -> bool {
        match self {
            Self::Cards => facts.market.is_some(),
            Self::Provinces => facts.territory.is_some(),
            Self::Seats => true,
            Self::Alliances => facts.bidding().is_ok(),
        }
    }

    /// Returns the command's word for the study.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cards => "cards",
            Self::Seats => "seats",
            Self::Alliances => "alliances",
            Self::Provinces => "provinces",
        }
    }
}

impl What {
    /// Returns the largest number of blocks with `quick`.
    #[must_use]
    pub const fn quick_blocks(self) -> u64 {
        if matches!(self, Self::Seats) { QUICK_SEATS } else { QUICK_BLOCKS }
    }

    /// Returns the factor by which an effect must exceed that on a treated player's share to be found.
    #[must_use]
    pub fn reach(self, players: usize, effect: f64) -> f64 {
        if self == Self::Seats { plan::reach_of_seats(players, effect) } else { 1.0 }
    }
}

/// The time for which one seat cannot take a thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bans {
    /// No ban.
    None,
    /// The whole game.
    #[default]
    Game,
    /// One stage, each in turn.
    Stages,
}

impl Bans {
    /// Parses a word of the option.
    ///
    /// # Errors
    /// If the word is unknown: the message names the words.
    pub fn parse(word: &str) -> Result<Self, String> {
        match word {
            "none" => Ok(Self::None),
            "game" => Ok(Self::Game),
            "stages" => Ok(Self::Stages),
            _ => Err("expected none, game or stages".to_owned()),
        }
    }
}

/// The request as given; missing options have defaults.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Request {
    /// Game and players.
    #[serde(flatten)]
    #[command(flatten)]
    pub played: Played,
    /// Agent for all seats, or population:DIR for each of its members; several are tiers of strength, the strongest last
    /// (repeatable) [default: greedy(epsilon=0.1), then greedy]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long = "agent", value_name = "SPEC")]
    pub agents: Vec<String>,
    /// Rules and settings.
    #[serde(flatten)]
    #[command(flatten)]
    pub rules: RuleSet,
    /// Name of a card or province to study (repeatable) [default: all]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long = "name", value_name = "NAME")]
    pub name: Vec<String>,
    /// Market of the cards, if the game has several [default: the first]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "NAME")]
    pub market: Option<String>,
    /// Stage of the game (a season, for example) in which gifts are given, from 1 (repeatable) [default: all]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long = "stage", value_name = "N", value_parser = sim::config::numbers::whole)]
    pub stage: Vec<u64>,
    /// Number of blocks; in a block every seat is treated in turn under one seed [default: 1000]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::whole)]
    pub blocks: Option<u64>,
    /// Seed of the run; the same seed gives the same games [default: 1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_parser = sim::config::numbers::whole)]
    pub seed: Option<u64>,
    /// Effect to detect with 80 % power, in points of share [default: 0.1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "E", value_parser = crate::compare::number, allow_hyphen_values = true)]
    pub effect: Option<f64>,
    /// Play a small number of blocks, the same on every machine
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[arg(long, conflicts_with = "blocks")]
    pub quick: bool,
    /// Also vary the prices of cards, or what provinces pay
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[arg(long)]
    pub sweep: bool,
    /// Period in which each seat in turn cannot take a card: none, game, stages (one after another) [default: game]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "WORD", value_parser = Bans::parse)]
    pub bans: Option<Bans>,
}

impl Request {
    /// Returns the command that makes this request.
    ///
    /// # Panics
    /// Never: it is a plain struct.
    #[must_use]
    pub fn command(&self, what: What) -> String {
        format!("caesar balance {} {}", what.word(), self.options())
    }

    /// Returns the options that make this request.
    #[must_use]
    pub fn options(&self) -> String {
        options_text(object(self))
    }
}

/// A validated request, with all files read.
#[derive(Clone, Debug)]
pub struct ValidatedBalance {
    /// The kind of study.
    pub what: What,
    /// The request with all defaults filled in.
    pub request: Request,
    /// The plan of each tier: its agent in all seats.
    pub tiers: Vec<Plan>,
    /// The game, table and rules.
    pub setup: Setup,
    /// The declarations of the game.
    pub facts: Facts,
    /// The requested stages.
    pub stages: Vec<u8>,
    /// Number of blocks.
    pub blocks: u64,
    /// The seed.
    pub seed: u64,
}

impl ValidatedBalance {
    /// Validates `request`; `read` reads the files that it names.
    ///
    /// # Errors
    /// At the first invalid value.
    pub fn new(what: What, request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        let game = request.played.name();
        let players = request.played.players.unwrap_or(about(game)?.default_players);
        let agents = match request.agents.is_empty() {
            true => TIERS.map(str::to_owned).to_vec(),
            false => {
                let members = members(&request.agents, Table { game, players }, read)?;
                members.into_iter().map(|member| member.agent).collect()
            }
        };
        let blocks =
            request.blocks.unwrap_or(if request.quick { what.quick_blocks() } else { BLOCKS });
        let seed = request.seed.unwrap_or(DEFAULT_SEED);
        let tier = |agent: &String| {
            let config = TournamentConfig {
                game: Some(game.to_owned()),
                players: Some(players),
                agents: Some(vec![agent.clone(); players]),
                schedule: Some(Schedule::Fixed),
                blocks: Some(blocks.max(1)),
                seed: Some(seed),
                rules: request.rules.file.clone(),
                set: request.rules.settings.clone(),
                ..TournamentConfig::default()
            };
            Plan::new(config, read)
        };
        let tiers: Vec<Plan> = agents.iter().map(tier).collect::<Result<_, Error>>()?;
        let effect = request.effect.unwrap_or(plan::EFFECT);
        plan::check(what.reach(players, effect), players, blocks, effect)?;
        let setup = tiers[0].setup.clone();
        let facts = Facts::of(&setup)?.about_market(request.market.as_deref())?;
        let stages = stages(&request.stage, facts.stages)?;
        let request = Request {
            played: Played::new(game, players),
            agents: tiers.iter().map(|tier| tier.lineup[0].with_label()).collect(),
            blocks: Some(blocks),
            seed: Some(seed),
            quick: false,
            ..request.clone()
        };
        Ok(Self { what, request, tiers, setup, facts, stages, blocks, seed })
    }

    /// Returns the agents of the tiers.
    #[must_use]
    pub fn agents(&self) -> Vec<AgentSpec> {
        self.tiers.iter().map(|tier| tier.lineup[0].clone()).collect()
    }

    /// Returns the requested names of `known`; all of them if the request names none.
    ///
    /// # Errors
    /// If a requested name is not in `known`.
    pub fn names(&self, known: Vec<String>) -> Result<Vec<String>, Error> {
        for name in &self.request.name {
            if !known.contains(name) {
                let near = nearest(name, &known);
                let hint = near.map_or_else(
                    || format!("known: {}", known.join(", ")),
                    |near| format!("nearest: {near}"),
                );
                let message = format!("{} has no such name ({hint})", self.setup.game);
                return Err(Error::value("name", name, message));
            }
        }
        let is_wanted =
            |name: &String| self.request.name.is_empty() || self.request.name.contains(name);
        Ok(known.into_iter().filter(is_wanted).collect())
    }
}

/// Returns the requested stages, in order.
fn stages(wanted: &[u64], n: u8) -> Result<Vec<u8>, Error> {
    if let Some(bad) = wanted.iter().find(|&&stage| stage == 0 || stage > n.into()) {
        let message = format!("the game has stages 1 to {n} under these rules");
        return Err(Error::value("stage", bad.to_string(), message));
    }
    let is_wanted = |stage: &u8| wanted.is_empty() || wanted.contains(&(*stage).into());
    Ok((1..=n).filter(is_wanted).collect())
}
