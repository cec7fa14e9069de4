//! The configuration of a tournament: as requested ([`TournamentConfig`], TOML or options), and as checked ([`Plan`]).

mod common;
pub mod numbers;
mod options;

use std::sync::Arc;

use agents::{AgentSpec, BadSpec, Playable};
use engine::Rules;
use engine::rules::Change;

use crate::branch::Branch;
use crate::catalogue::{
    NAMES, Overrides, Setup, WithGame, WithType, about, checked_rules, dice_of, with_game,
    with_type,
};
use crate::document::ReadFile;
use crate::error::Error;
use crate::population;
use crate::schedule::rounds::RoundPlan;
use crate::schedule::{Schedule, Timetable};
use crate::starts::Starts;

pub use common::helped;
pub use common::{Played, RuleSet};
pub use options::TournamentConfig;
pub use options::{options_text, options_words};

/// The game of a tournament that names none.
pub const DEFAULT_GAME: &str = "conquest2";
/// The number of blocks when agents are given, but neither blocks nor games, before rounding up to whole schedule
/// cycles.
///
/// The default line-up of a game has the number in [`Playable::LINEUP`].
pub const DEFAULT_BLOCKS: u64 = 500;
/// The default number of blocks of each pair of an adaptive schedule.
pub const DEFAULT_PAIR_BLOCKS: u64 = 100;
/// The default number of blocks of each pairing of a schedule in rounds.
pub const DEFAULT_PAIRING_BLOCKS: u64 = 20;
/// The default seed.
pub const DEFAULT_SEED: u64 = 1;

/// A checked tournament, ready to be played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Game, table and rules.
    pub setup: Setup,
    /// The number of players.
    pub players: usize,
    /// The entrants; as many as seats, or more where the schedule allows it.
    pub lineup: Vec<AgentSpec>,
    /// The seating of each game.
    pub timetable: Timetable,
    /// The size of a schedule in rounds; `None` with every other.
    pub rounds: Option<RoundPlan>,
    /// The number of blocks, at least 1.
    pub blocks: u64,
    /// The seed of the run.
    pub seed: u64,
    /// True if results carry the luck of dice.
    pub luck: bool,
    /// The path of the rules file, as it was given.
    pub rules_file: Option<String>,
    /// The positions where games begin, if not at their start.
    pub starts: Option<Arc<Starts>>,
    /// The differences from the default rules.
    pub changes: Vec<Change>,
    /// The names and texts of all files that were read.
    pub files: Vec<(String, String)>,
    /// Notes for the user on how the request was understood.
    pub notes: Vec<String>,
    /// The caveats of the agents, in the order of the line-up.
    pub caveats: Vec<Caveat>,
}

/// The caveats that every reader of an agent's result needs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Caveat {
    /// True if the agent sees information that is hidden from its seat.
    pub cheats: bool,
    /// True if the agent searches for a fixed time, so that another run gives other games.
    pub is_timed: bool,
}

impl Plan {
    /// Checks `config` and returns its plan; `read` reads the files that it names.
    ///
    /// # Errors
    /// If anything in `config` is wrong; the message names the first error.
    pub fn new(config: TournamentConfig, read: ReadFile<'_>) -> Result<Self, Error> {
        let mut files = Vec::new();
        let starts = Starts::read(&config.from, &config.starts, config.draw_starts, read)?;
        files.extend(starts.iter().flat_map(Starts::kept));
        let (game, players) = table(config.game, config.players, starts.as_ref())?;
        let file = config.rules.as_ref().map(|path| rules_file(path, read)).transpose()?;
        files.extend(file.clone());
        let overrides = Overrides {
            base: starts.as_ref().map(|starts| starts.first().rules().clone()),
            settings: settings(config.set, &config.ban),
            recorded: config.recorded,
            file,
        };
        let setup = Setup { game, players: Some(players), overrides };
        let (rules, changes) = rulings(&setup)?;
        starts.iter().try_for_each(|starts| with_game(&setup, Enter(starts))?)?;
        let mut notes = Vec::new();
        let usual = match config.agents {
            Some(_) => DEFAULT_BLOCKS,
            None => with_type(&setup.game, UsualBlocks)?,
        };
        let (schedule, agents) = (config.schedule, config.agents);
        let options = EntrantOptions { game: &setup.game, players, schedule, agents };
        let (mut lineup, timetable) = entrants(&options, read, &mut files, &mut notes)?;
        lineup.iter_mut().for_each(|spec| spec.supply_rules(rules.clone()));
        AgentSpec::need_consent(&lineup)?;
        let caveats = with_game(&setup, BuildAll(&lineup))??;
        lineup.iter().try_for_each(AgentSpec::find_program)?;
        let per_block = timetable.games_per_block();
        let rounds = RoundPlan::of(timetable.schedule(), lineup.len(), config.rounds)?;
        // By default a run is whole cycles, or long enough for every pair.
        let usual = match rounds {
            Some(rounds) => DEFAULT_PAIRING_BLOCKS * rounds.pairings,
            None if timetable.schedule().is_dealt() => DEFAULT_PAIR_BLOCKS * n_pairs(lineup.len()),
            None => usual.next_multiple_of(timetable.cycle()),
        };
        let given = config.blocks.or_else(|| config.games.is_none().then_some(usual));
        let blocks = blocks(given, config.games, per_block, &mut notes)?;
        let blocks = rounds.map_or(Ok(blocks), |rounds| rounds.whole(blocks, &mut notes))?;
        notes.extend(timetable.unevenness(blocks));
        let met = starts.as_ref().map(|starts| starts.unevenness(&timetable, blocks));
        notes.extend(met.transpose()?.flatten());
        let luck = config.luck == Some(true);
        if luck && dice_of(&setup.game)?.is_none() {
            return Err(without_dice(&setup.game));
        }
        Ok(Self {
            setup,
            players,
            lineup,
            timetable,
            rounds,
            blocks,
            seed: config.seed.unwrap_or(DEFAULT_SEED),
            luck,
            rules_file: config.rules,
            starts: starts.map(Arc::new),
            changes,
            files,
            notes,
            caveats,
        })
    }

    /// Returns the caveats of the agent called `name`.
    #[must_use]
    pub fn caveat(&self, name: &str) -> Caveat {
        let place = self.lineup.iter().position(|known| known.name() == name);
        place.map_or_else(Caveat::default, |place| self.caveats[place])
    }

    /// Returns whether another run gives the same games: no agent has a time limit or is an external program.
    #[must_use]
    pub fn is_reproducible(&self) -> bool {
        let is_free = |spec: &AgentSpec| spec.is_timed() || spec.is_external();
        !self.lineup.iter().any(is_free)
    }

    /// Returns the canonical specs of the line-up.
    #[must_use]
    pub fn specs(&self) -> Vec<String> {
        self.lineup.iter().map(AgentSpec::to_string).collect()
    }

    /// Returns the names of the line-up in results: labels, and the canonical specs of entrants without one.
    ///
    /// Entrants with equal names are one agent.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.lineup.iter().map(AgentSpec::name).collect()
    }

    /// Returns the name of the candidate of a gauntlet; `None` with every other schedule.
    #[must_use]
    pub fn candidate(&self) -> Option<String> {
        let is_gauntlet = self.timetable.schedule() == Schedule::Gauntlet;
        self.lineup.first().filter(|_| is_gauntlet).map(AgentSpec::name)
    }

    /// Returns the number of games in a block.
    #[must_use]
    pub const fn games_per_block(&self) -> u64 {
        self.timetable.games_per_block()
    }

    /// Returns the full configuration of this plan, without defaults: all that the results depend on, and nothing else.
    #[must_use]
    pub fn config(&self) -> TournamentConfig {
        let starts = self.starts.as_deref();
        TournamentConfig {
            game: Some(self.setup.game.clone()),
            players: Some(self.players),
            agents: Some(self.lineup.iter().map(AgentSpec::with_label).collect()),
            schedule: Some(self.timetable.schedule()),
            rounds: self
                .rounds
                .filter(|_| self.timetable.schedule() == Schedule::Swiss)
                .map(|size| size.rounds),
            blocks: Some(self.blocks),
            games: None,
            seed: Some(self.seed),
            luck: self.luck.then_some(true),
            rules: self.rules_file.clone(),
            set: self.setup.overrides.settings.clone(),
            ban: Vec::new(),
            from: starts
                .filter(|all| all.suite().is_none())
                .map(|one| one.first().spec().to_owned()),
            starts: starts.and_then(Starts::suite).map(str::to_owned),
            draw_starts: starts.filter(|all| all.is_drawn()).map(|_| true),
            recorded: self.setup.overrides.recorded.clone(),
        }
    }

    /// Returns the command that plays this plan again.
    #[must_use]
    pub fn command(&self) -> String {
        format!("caesar tournament {}", self.config().options())
    }
}

/// Returns the path and the text of the rules file at `path`.
fn rules_file(path: &str, read: ReadFile<'_>) -> Result<(String, String), Error> {
    let text = read(path).map_err(|e| Error::unreadable("rules", path, &e))?;
    Ok((path.to_owned(), text))
}

/// Returns all settings; each ban becomes a setting.
fn settings(set: Vec<String>, bans: &[String]) -> Vec<String> {
    set.into_iter().chain(bans.iter().map(|what| format!("ban.{what}=true"))).collect()
}

/// Returns the game and the number of players: as requested, or those of the positions where games begin.
fn table(
    game: Option<String>,
    players: Option<usize>,
    starts: Option<&Starts>,
) -> Result<(String, usize), Error> {
    let Some(starts) = starts else {
        let game = game.unwrap_or_else(|| DEFAULT_GAME.to_owned());
        let players = players.unwrap_or(about(&game)?.default_players);
        return Ok((game, players));
    };
    let (own, seats) = (starts.first().game(), starts.first().players());
    let is_other = game.is_some_and(|game| game != own) || players.is_some_and(|n| n != seats);
    if is_other {
        let message = format!("it is a game of {own} for {seats}: leave game and players out");
        return Err(starts.blame(Error::value("from", starts.first().spec(), message)));
    }
    Ok((own.to_owned(), seats))
}

/// A check that games can go on from every position.
struct Enter<'a>(&'a Starts);

impl WithGame for Enter<'_> {
    type Output = Result<(), Error>;
    fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
        let enter = |one: &Branch| one.start(&game, DEFAULT_SEED).map(drop);
        let entered = self.0.first().check_rules::<G>(rules);
        let entered = entered.and_then(|()| self.0.branches().iter().try_for_each(enter));
        entered.map_err(|error| self.0.blame(error))
    }
}

/// Returns the error for a request for luck in a game without dice of known odds.
fn without_dice(game: &str) -> Error {
    let has_dice = |name: &&&str| matches!(dice_of(name), Ok(Some(_)));
    let with: Vec<&str> = NAMES.iter().filter(has_dice).copied().collect();
    let message = format!(
        "{game} has no dice whose exact odds are known (games that have: {})",
        with.join(", ")
    );
    Error::value("luck", "true", message)
}

/// Returns a word as a shell takes it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:+,%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn blocks(
    blocks: Option<u64>,
    games: Option<u64>,
    per_block: u64,
    notes: &mut Vec<String>,
) -> Result<u64, Error> {
    let n_blocks = match (blocks, games) {
        (Some(_), Some(_)) => {
            let games = games.unwrap_or_default();
            return Err(Error::value(
                "games",
                games.to_string(),
                "blocks are also given: keep one",
            ));
        }
        (Some(0), _) => {
            return Err(Error::value("blocks", "0", "at least 1 block is needed"));
        }
        (_, Some(0)) => {
            return Err(Error::value("games", "0", "at least 1 game is needed"));
        }
        (Some(blocks), None) => blocks,
        (None, None) => unreachable!("there is a usual number of blocks"),
        (None, Some(games)) if games % per_block == 0 => games / per_block,
        (None, Some(games)) => {
            let blocks = games.div_ceil(per_block);
            notes.push(format!(
                "{games} games are rounded up to {}: a block has {per_block} games",
                u128::from(blocks) * u128::from(per_block)
            ));
            blocks
        }
    };
    if n_blocks.checked_mul(per_block).is_some() {
        return Ok(n_blocks);
    }
    let most = u64::MAX / per_block;
    Err(match games {
        Some(games) => {
            let message =
                format!("too many: the most are {}, whole blocks of {per_block}", most * per_block);
            Error::value("games", games.to_string(), message)
        }
        None => Error::value(
            "blocks",
            n_blocks.to_string(),
            format!("too many: the most are {most}, of {per_block} games each"),
        ),
    })
}

/// The options on the entrants.
struct EntrantOptions<'a> {
    game: &'a str,
    players: usize,
    schedule: Option<Schedule>,
    agents: Option<Vec<String>>,
}

/// Returns the entrants and their timetable.
fn entrants(
    given: &EntrantOptions<'_>,
    read: ReadFile<'_>,
    files: &mut Vec<(String, String)>,
    notes: &mut Vec<String>,
) -> Result<(Vec<AgentSpec>, Timetable), Error> {
    let players = given.players;
    let texts = match &given.agents {
        Some(texts) => {
            let table = population::Table { game: given.game, players };
            let members = population::members(texts, table, read)?;
            members.into_iter().map(|member| member.agent).collect()
        }
        None => default_lineup(given.game, players)?,
    };
    let mut lineup =
        texts.iter().map(|text| text.parse()).collect::<Result<Vec<AgentSpec>, _>>()?;
    check_labels(&lineup)?;
    let schedule = given.schedule.unwrap_or(Schedule::Balanced);
    let given = lineup.len();
    let n_entrants = schedule.n_entrants(given, players);
    if n_entrants > given {
        notes.push(format!(
            "the field of {} fills the table of {players} by sitting there more than once",
            given - 1
        ));
        let field = lineup[1..].to_vec();
        lineup.extend(field.into_iter().cycle().take(n_entrants - given));
    }
    let names: Vec<String> = lineup.iter().map(AgentSpec::name).collect();
    if schedule.is_dealt() {
        check_different(&names)?;
    }
    let timetable = Timetable::new(schedule, &names, players)?;
    lineup.iter_mut().try_for_each(|spec| supply_files(spec, read, files))?;
    Ok((lineup, timetable))
}

/// Refuses an agent that is in the pool twice: an agent has no pair with itself.
fn check_different(names: &[String]) -> Result<(), Error> {
    let twice = names.iter().enumerate().find(|&(i, name)| names[..i].contains(name));
    twice.map_or(Ok(()), |(_, name)| {
        let message = "it is in the pool twice, and pairs are of different agents: leave one out, or give it a label";
        Err(BadSpec { spec: name.clone(), message: message.to_owned() }.into())
    })
}

const fn n_pairs(agents: usize) -> u64 {
    (agents * agents.saturating_sub(1) / 2) as u64
}

/// Refuses a label of two agents; an agent in several seats may keep its label.
fn check_labels(lineup: &[AgentSpec]) -> Result<(), Error> {
    for (i, spec) in lineup.iter().enumerate() {
        let is_taken = |other: &&AgentSpec| {
            other.label().is_some()
                && other.label() == spec.label()
                && other.to_string() != spec.to_string()
        };
        if let Some(other) = lineup[..i].iter().find(is_taken) {
            let message = format!("the label of {other} is given twice: take another");
            return Err(BadSpec { spec: spec.with_label(), message }.into());
        }
    }
    Ok(())
}

/// Reads the files that `spec` names, passes their texts to it, and adds them to `files`.
///
/// # Errors
/// If a file that it names cannot be read.
pub fn supply_files(
    spec: &mut AgentSpec,
    read: ReadFile<'_>,
    files: &mut Vec<(String, String)>,
) -> Result<(), Error> {
    let wanted: Vec<_> = spec.files().map(|(name, path)| (name, path.to_owned())).collect();
    for (name, path) in wanted {
        let text = read(&path).map_err(Error::file(format!("agent \"{spec}\": {path}")))?;
        if !files.iter().any(|(known, _)| *known == path) {
            files.push((path, text.clone()));
        }
        spec.supply(name, text);
    }
    Ok(())
}

/// Returns the default line-up of the game called `name`, filled up to `players` seats.
///
/// # Errors
/// If there is no such game.
pub fn default_lineup(name: &str, players: usize) -> Result<Vec<String>, Error> {
    struct Filled(usize);
    impl WithType for Filled {
        type Output = Vec<String>;
        fn run<G: Playable>(self) -> Vec<String> {
            let (last, _) = G::LINEUP.specs.split_last().expect("a line-up has an agent");
            let filled = G::LINEUP.specs.iter().chain(std::iter::repeat(last));
            filled.take(self.0).map(|&spec| spec.to_owned()).collect()
        }
    }
    with_type(name, Filled(players))
}

/// The number of blocks of a game's default line-up, which takes seconds.
struct UsualBlocks;

impl WithType for UsualBlocks {
    type Output = u64;
    fn run<G: Playable>(self) -> u64 {
        G::LINEUP.blocks
    }
}

/// Builds the game of `setup` as a check and returns the differences from the default rules.
fn rulings(setup: &Setup) -> Result<(serde_json::Value, Vec<Change>), Error> {
    let rules = checked_rules(setup)?;
    Ok((rules.overrides(), rules.changes()))
}

/// A task that builds every agent once, so that building cannot fail later, and collects the caveats.
struct BuildAll<'a>(&'a [AgentSpec]);

impl WithGame for BuildAll<'_> {
    type Output = Result<Vec<Caveat>, Error>;
    fn run<G: Playable>(self, game: G, _rules: &Rules) -> Self::Output {
        let caveat = |spec: &AgentSpec| {
            spec.build(&game)?;
            Ok(Caveat { cheats: spec.kind().cheats(), is_timed: spec.is_timed() })
        };
        self.0.iter().map(caveat).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_names_one_agent_in_any_number_of_seats() {
        let plan = |agents: &[&str]| {
            let config = TournamentConfig {
                game: Some("pig".to_owned()),
                players: Some(agents.len()),
                agents: Some(agents.iter().map(|&spec| spec.to_owned()).collect()),
                ..TournamentConfig::default()
            };
            Plan::new(config, &|_| unreachable!("no file is named"))
        };
        let twice = plan(&["a=greedy", "b=greedy", "a=greedy", "greedy"]).unwrap();
        assert_eq!(twice.names(), ["a", "b", "a", "greedy"]);
        assert_eq!(twice.specs(), ["greedy"; 4]);
        assert!(twice.command().contains("--agent a=greedy --agent b=greedy --agent a=greedy "));
        let refused = plan(&["a=greedy", "a=random"]).unwrap_err().to_string();
        assert_eq!(refused, "agent \"a=random\": the label of greedy is given twice: take another");
    }

    #[test]
    fn games_are_rounded_up_to_whole_blocks() {
        let mut notes = Vec::new();
        assert_eq!(blocks(None, Some(8), 4, &mut notes).unwrap(), 2);
        assert!(notes.is_empty());
        assert_eq!(blocks(None, Some(9), 4, &mut notes).unwrap(), 3);
        assert_eq!(notes.len(), 1);
        assert!(notes[0].contains("rounded up to 12"), "{notes:?}");
        for (b, g) in [(Some(0), None), (None, Some(0)), (Some(1), Some(1)), (Some(u64::MAX), None)]
        {
            assert!(blocks(b, g, 4, &mut notes).is_err());
        }
        let complaint = |b, g| blocks(b, g, 4, &mut Vec::new()).unwrap_err().to_string();
        assert!(
            complaint(None, Some(u64::MAX)).starts_with("games 18446744073709551615: too many")
        );
        assert!(
            complaint(Some(u64::MAX), None).starts_with("blocks 18446744073709551615: too many")
        );
    }

    #[test]
    fn the_main_game_shows_what_the_tool_is_for_and_a_given_line_up_plays_longer() {
        let plan = |agents: Option<Vec<String>>| {
            let config = TournamentConfig { agents, ..TournamentConfig::default() };
            Plan::new(config, &|path| Err(std::io::Error::other(path.to_owned()))).unwrap()
        };
        let own = plan(None);
        let kinds: Vec<_> = own.lineup.iter().map(|spec| spec.kind().name()).collect();
        assert_eq!(kinds, ["mcts", "greedy", "greedy", "random"]);
        let own_ways: Vec<_> =
            own.lineup[1..].iter().map(|spec| spec.settings().iter().count()).collect();
        assert_eq!(own_ways, [0, 1, 0]);
        assert_eq!(own.blocks, 30);
        assert_eq!(plan(Some(vec!["random".to_owned(); 4])).blocks, DEFAULT_BLOCKS);
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("a.b=1"), "a.b=1");
        assert_eq!(quoted("mcts(c=1)"), "'mcts(c=1)'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
