//! The request of a study of game dynamics, and its validated form. Each option is declared once: as an option of the
//! command line, in the printed command, and as a key of the manifest.

use agents::{AgentSpec, Observable, Playable};
use engine::Rules;
use engine::rules::Change;
use serde::{Deserialize, Serialize};

use super::explain::Outcome;
use super::findings::{Judged, Report};
use super::restricted::{self, Restriction};
use super::rows::{Keep, Part};
use super::study::DynamicsStudy;
use super::treated::{Gift, gifts};
use crate::balance::facts::Facts;
use sim::catalogue::{Overrides, Setup, WithGame, with_game};
use sim::config::{DEFAULT_SEED, Played, RuleSet, options_text, supply_files};
use sim::document::{ReadFile, object};
use sim::error::Error;
use sim::win_model::audit::FEWEST_GAMES;
use sim::win_model::{Subject, WinModel, features_of};

/// The default agent, which is quick and plays reasonably.
const AGENT: &str = "greedy(epsilon=0.1)";
/// The default numbers of games for fitting a model and for reporting; then those of `--quick`.
const GAMES: [u64; 2] = [4_000, 2_000];
const QUICK: [u64; 2] = [3_000, 600];
/// The smallest number of games for each feature and seat, and for any model: fewer do not determine a weight.
const GAMES_A_FEATURE: u64 = 20;
/// The default numbers of deals to vary, with nine games each, and of blocks of a step of the ladder; each followed by
/// that of `--quick`.
const DEALS: [u64; 2] = [500, 200];
const STEPS: [u64; 2] = [200, 100];
/// The rungs of the ladder; the last one is omitted with `--quick`.
const LADDER: [&str; 3] = ["random", "greedy", "mcts(iterations=100)"];
/// The default number of blocks of each restriction; then that of `--quick`.
const RESTRICTED: [u64; 2] = [800, 200];
/// The default numbers of blocks of treated games for `win-model` and `game`; then those of `--quick`.
const TREATED: [[u64; 2]; 2] = [[400, 100], [100, 50]];
/// The smallest number of deals and blocks for any result.
const FEWEST: u64 = 20;

/// The kind of study.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// The dynamics of a game.
    Game,
    /// A model of win probability, with its audit.
    WinModel,
}

impl What {
    /// Returns the command's word for the study.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::WinModel => "win-model",
        }
    }

    /// Returns the file name of the JSON results.
    #[must_use]
    pub const fn document(self) -> &'static str {
        match self {
            Self::Game => "game.json",
            Self::WinModel => "win-model.json",
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
    /// Agent in all seats [default: greedy(epsilon=0.1)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "SPEC")]
    pub agent: Option<String>,
    /// Games to analyse; the model is not fitted to them [default: 2000; 600 with --quick]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, visible_alias = "blocks", value_name = "N", value_parser = sim::config::numbers::whole)]
    pub games: Option<u64>,
    /// Games to fit the model to [default: 4000; 3000 with --quick]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::whole)]
    pub fit_games: Option<u64>,
    /// Model of win probability (model.json of `balance win-model --out`), instead of fitting one
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FILE", conflicts_with = "fit_games")]
    pub model: Option<String>,
    /// Blocks of treated games that validate the model: 20 gifts to every seat in turn; 0 for none [default: 400 for
    /// win-model (100 with --quick), 100 for game (50 with --quick)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::whole)]
    pub treated: Option<u64>,
    /// Play fewer games, the same number on every machine
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[arg(long)]
    pub quick: bool,
    /// Seed of all games [default: 1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "S", value_parser = sim::config::numbers::whole)]
    pub seed: Option<u64>,
    /// Rules and settings.
    #[serde(flatten)]
    #[command(flatten)]
    pub rules: RuleSet,
}

/// The additional options of `balance game`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct More {
    /// Deals to redraw stream by stream, to measure luck (nine games each); 0 for none [default: 500; 200 with
    /// --quick]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::whole)]
    pub deals: Option<u64>,
    /// Rung of the skill ladder, the weakest first (repeatable) [default: random, greedy and, without --quick,
    /// mcts(iterations=100)]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "SPEC")]
    pub ladder: Vec<String>,
    /// Blocks of each step of the skill ladder; 0 for none [default: 200; 100 with --quick]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::whole)]
    pub steps: Option<u64>,
    /// Blocks of each restriction; in a block each seat is restricted once; 0 for none [default: 800; 200 with
    /// --quick]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::whole)]
    pub restrictions: Option<u64>,
    /// Restriction of one seat, as in action.tax, or a group of them, as in action (repeatable) [default: all of
    /// the game except what it sells]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "WHAT")]
    pub forbid: Vec<String>,
    /// Explain this number of a game by what happens early: length, margin (of score), leader (points of the seat
    /// that leads halfway)
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[arg(long, value_name = "WORD", value_parser = Outcome::parse)]
    pub explain: Option<Outcome>,
}

/// A validated request, with all files read.
#[derive(Clone, Debug)]
pub struct ValidatedDynamics {
    /// The kind of study.
    pub what: What,
    /// The request with all defaults filled in.
    pub request: Request,
    /// The additional options.
    pub more: More,
    /// The game, table and rules.
    pub setup: Setup,
    /// The study that is played.
    pub study: DynamicsStudy,
    /// The model that was read, if one was given.
    pub model: Option<WinModel>,
    /// The differences from the default rules.
    pub changes: Vec<Change>,
    /// The files that were read, with their texts.
    pub files: Vec<(String, String)>,
}

impl ValidatedDynamics {
    /// Validates a request; `read` reads the files that it names.
    ///
    /// # Errors
    /// At the first invalid value.
    pub fn new(
        what: What,
        request: &Request,
        more: &More,
        read: ReadFile<'_>,
    ) -> Result<Self, Error> {
        let mut files = Vec::new();
        let Played { players, .. } = request.played;
        let game = request.played.name().to_owned();
        let mut named = |name: &'static str, path: &Option<String>| match path {
            None => Ok(None),
            Some(path) => {
                let text = read(path).map_err(|e| Error::unreadable(name, path, &e))?;
                files.push((path.clone(), text.clone()));
                Ok::<_, Error>(Some((path.clone(), text)))
            }
        };
        let overrides = Overrides {
            file: named("rules", &request.rules.file)?,
            settings: request.rules.settings.clone(),
            ..Overrides::default()
        };
        let model = named("model", &request.model)?;
        let spec = spec(request.agent.as_deref().unwrap_or(AGENT), read, &mut files)?;
        let rungs = rungs(what, request, more);
        let rungs = rungs
            .iter()
            .map(|text| self::spec(text, read, &mut files))
            .collect::<Result<_, _>>()?;
        let setup = Setup { game, players, overrides };
        let check = Check { what, request, more, spec, rungs, model };
        let (study, model, changes) = with_game(&setup, check)??;
        let request = Request {
            played: Played::new(&setup.game, study.subject.players),
            agent: Some(study.subject.agent.clone()),
            games: Some(study.games),
            fit_games: model.is_none().then_some(study.fitted),
            seed: Some(study.seed),
            treated: Some(study.treated),
            quick: false,
            ..request.clone()
        };
        let more = match what {
            What::WinModel => More::default(),
            What::Game => More {
                deals: Some(study.deals),
                ladder: study.rungs.iter().map(AgentSpec::with_label).collect(),
                steps: Some(study.steps),
                restrictions: Some(study.restricted),
                forbid: more.forbid.clone(),
                explain: study.explain,
            },
        };
        Ok(Self { what, request, more, setup, study, model, changes, files })
    }

    /// Returns the command that makes this request.
    #[must_use]
    pub fn command(&self) -> String {
        let mut all = object(&self.request);
        all.extend(object(&self.more));
        format!("caesar balance {} {}", self.what.word(), options_text(all))
    }

    /// Returns the parts that shards divide: all that do not need a model, since fitting needs the games of all
    /// shards.
    #[must_use]
    pub fn shared(&self) -> Vec<Part> {
        let first = match self.model {
            Some(_) => self.modelled(),
            None => vec![self.study.fit()],
        };
        let others = (self.what == What::Game).then(|| self.study.others());
        first.into_iter().chain(others.into_iter().flatten()).collect()
    }

    /// Returns the parts that need a model.
    #[must_use]
    pub fn modelled(&self) -> Vec<Part> {
        vec![self.study.held_out(self.what == What::Game), self.study.given()]
    }

    /// Plays the rows that `keep` lacks. Returns `None` if rows are missing that `keep` cannot play here.
    ///
    /// # Errors
    /// If an agent fails, or rows cannot be stored.
    pub fn play(&self, keep: &mut dyn Keep) -> Result<Option<Found>, Error> {
        with_game(&self.setup, Play { validated: self, keep })?
    }
}

/// The results of a study.
#[derive(Clone, Debug)]
pub enum Found {
    /// The report of a game's dynamics.
    Game(Box<Report>),
    /// A model with its audit.
    WinModel(Box<Judged>),
}

impl Found {
    /// Returns the model with its audit.
    #[must_use]
    pub fn judged(&self) -> &Judged {
        match self {
            Self::Game(report) => &report.judged,
            Self::WinModel(judged) => judged,
        }
    }
}

struct Play<'a> {
    validated: &'a ValidatedDynamics,
    keep: &'a mut dyn Keep,
}

impl WithGame for Play<'_> {
    type Output = Result<Option<Found>, Error>;

    fn run<G: Playable + Observable>(self, game: G, _: &Rules) -> Self::Output {
        let (study, model) = (&self.validated.study, self.validated.model.clone());
        match self.validated.what {
            What::Game => {
                let report = study.run_kept(&game, model, self.keep)?;
                Ok(report.map(|report| Found::Game(Box::new(report))))
            }
            What::WinModel => {
                let judged = study.judge(&game, model, self.keep)?;
                Ok(judged.map(|judged| Found::WinModel(Box::new(judged))))
            }
        }
    }
}

/// Parses an agent and reads the files that it names.
fn spec(
    text: &str,
    read: ReadFile<'_>,
    files: &mut Vec<(String, String)>,
) -> Result<AgentSpec, Error> {
    let mut spec: AgentSpec = text.parse()?;
    supply_files(&mut spec, read, files)?;
    if spec.is_timed() || spec.is_external() {
        return Err(Error::value(
            "agent",
            text,
            "it is not deterministic, so no result could be repeated: give it iterations",
        ));
    }
    Ok(spec)
}

/// Returns the requested rungs.
fn rungs(what: What, request: &Request, more: &More) -> Vec<String> {
    if what == What::WinModel || more.steps == Some(0) {
        return Vec::new();
    }
    let usual = &LADDER[..LADDER.len() - usize::from(request.quick)];
    match more.ladder.is_empty() {
        true => usual.iter().map(|&spec| spec.to_owned()).collect(),
        false => more.ladder.clone(),
    }
}

/// The inputs of the checks that need the game.
struct Check<'a> {
    what: What,
    request: &'a Request,
    more: &'a More,
    spec: AgentSpec,
    rungs: Vec<AgentSpec>,
    model: Option<(String, String)>,
}

/// The properties of a game that a study needs.
struct OfGame {
    name: &'static str,
    players: usize,
    restrictions: Vec<Restriction>,
    gifts: Vec<Gift>,
    features: Vec<String>,
}

impl WithGame for Check<'_> {
    type Output = Result<(DynamicsStudy, Option<WinModel>, Vec<Change>), Error>;

    fn run<G: Playable + Observable>(mut self, game: G, rules: &Rules) -> Self::Output {
        for spec in self.rungs.iter_mut().chain([&mut self.spec]) {
            spec.supply_rules(rules.overrides());
            spec.build(&game)?;
        }
        let players = game.n_players();
        let restrictions = match self.restricted() {
            0 => Vec::new(),
            _ => restricted::restrictions_named::<G>(&self.more.forbid, rules, players)?,
        };
        let gifts = match self.treated() {
            0 => Vec::new(),
            _ => gifts::<G>(&Facts::about(&game, rules)),
        };
        let (name, features) = (G::about().name, features_of::<G>());
        self.study(OfGame { name, players, restrictions, gifts, features }, rules)
    }
}

impl Check<'_> {
    fn has_dynamics(&self) -> bool {
        self.what == What::Game
    }

    /// Returns the index of the default numbers: 1 with `--quick`, otherwise 0.
    fn which(&self) -> usize {
        usize::from(self.request.quick)
    }

    fn restricted(&self) -> u64 {
        match self.has_dynamics() {
            true => self.more.restrictions.unwrap_or(RESTRICTED[self.which()]),
            false => 0,
        }
    }

    fn treated(&self) -> u64 {
        self.request.treated.unwrap_or(TREATED[usize::from(self.has_dynamics())][self.which()])
    }

    /// Builds the study from the properties of the game.
    fn study(
        self,
        game: OfGame,
        rules: &Rules,
    ) -> Result<(DynamicsStudy, Option<WinModel>, Vec<Change>), Error> {
        let (has, which) = (self.has_dynamics(), self.which());
        let (restricted, treated) = (self.restricted(), self.treated());
        let Self { request, more, spec, rungs, model, .. } = self;
        let OfGame { name, players, restrictions, gifts, features } = game;
        let usual = if request.quick { QUICK } else { GAMES };
        let study = DynamicsStudy {
            subject: Subject {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                game: name.to_owned(),
                players,
                rules: rules.overrides(),
                agent: spec.to_string(),
            },
            spec,
            seed: request.seed.unwrap_or(DEFAULT_SEED),
            fitted: request.fit_games.unwrap_or(usual[0]),
            games: request.games.unwrap_or(usual[1]),
            deals: if has { more.deals.unwrap_or(DEALS[which]) } else { 0 },
            steps: if has { more.steps.unwrap_or(STEPS[which]) } else { 0 },
            rungs,
            restrictions,
            restricted,
            gifts,
            treated,
            explain: if has { more.explain } else { None },
        };
        let read = |(path, text): (String, String)| {
            WinModel::read(&path, &text, &study.subject, &features)
        };
        let model = model.map(read).transpose()?;
        check(&study, model.is_some(), features.len())?;
        Ok((study, model, rules.changes()))
    }
}

/// Refuses numbers of games that are too small.
fn check(study: &DynamicsStudy, has_model: bool, features: usize) -> Result<(), Error> {
    let too_few = |name: &'static str, games: u64, least: u64, why: &str| {
        let message = format!("too few {why}: at least {least} are needed");
        (games < least).then(|| Error::value(name, games.to_string(), message))
    };
    let weights = (features + study.subject.players - 1) as u64;
    let least = FEWEST_GAMES + GAMES_A_FEATURE * weights;
    let fitted = if has_model { least } else { study.fitted };
    too_few("fit-games", fitted, least, "to fit a model to")
        .or_else(|| too_few("games", study.games, FEWEST_GAMES, "to say anything of a model"))
        .map_or(Ok(()), Err)?;
    let parts = [
        ("deals", study.deals),
        ("steps", study.steps),
        ("restrictions", study.restricted),
        ("treated", study.treated),
    ];
    for (name, n) in parts {
        if (1..FEWEST).contains(&n) {
            let message = format!("too few: use at least {FEWEST}, or 0 for none");
            return Err(Error::value(name, n.to_string(), message));
        }
    }
    if let [one] = &study.rungs[..] {
        let message = "a ladder needs two or more rungs, the weakest first";
        return Err(Error::value("ladder", one.name(), message));
    }
    Ok(())
}
