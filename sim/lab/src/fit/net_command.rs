//! The fit of a net to a game by its name: positions from games or records, the net, and its file.

use agents::fitting::ValueTable;
use agents::net::learning::{Example, Weights};
use agents::net::{Layout, NetInputs, Provenance};
use agents::{AgentSpec, Observable, Playable, Settings};
use engine::Rules;
use serde_json::{Map, Value as Json, json};

use super::command::{Common, FitSetup, Request, Surroundings, sections_of, without_own_net};
use super::learning::{Learning, Places, parts_of};
use super::net::{Counting, Outcome, fit};
use super::positions::{Collected, Position, Which};
use super::roots::Roots;
use sim::catalogue::{NAMES, Setup, WithGame, with_game};
use sim::error::Error;

/// A fitted net.
#[derive(Debug)]
pub struct OfNet {
    /// The results common to all fits.
    pub common: Common,
    /// The result of the fit.
    pub outcome: Outcome,
    /// The text of the file.
    pub text: String,
}

/// The agents of a net's fit.
#[derive(Clone, Copy, Debug)]
pub struct WantedNet<'a> {
    /// The agent whose value function the net corrects, and whose net learning starts from.
    pub start: &'a str,
    /// The search whose root values are mixed into the targets, and their share; `None` for results alone.
    pub roots: Option<(&'a str, f64)>,
}

/// Fits a net beside the value function of an agent to the winners of games, and to the root values of searches where
/// `wanted` says so; the folds of `request` are the parts.
///
/// # Errors
/// If the game or an agent cannot be built, the game declares no inputs, games or records fail, or learning diverges.
pub fn fit_net(
    setup: &Setup,
    request: &Request,
    wanted: WantedNet<'_>,
    learning: Learning,
    desk: &dyn Surroundings,
) -> Result<OfNet, Error> {
    with_game(setup, NetTask { request, wanted, learning, desk })?
}

/// The parts of an agent that a net's fit needs.
pub(super) struct NetSubject<G: Playable> {
    /// The inputs.
    pub(super) inputs: Box<dyn NetInputs<G>>,
    /// The linear value.
    table: Box<dyn ValueTable<G>>,
    /// The weights of the agent's net, if it has one.
    pub(super) before: Option<Weights>,
}

impl<G: Playable> NetSubject<G> {
    /// Returns the parts of an agent with these settings.
    ///
    /// # Errors
    /// If the game declares no inputs, or a file in `settings` is unusable.
    pub(super) fn of(game: &G, settings: &Settings) -> Result<Self, Error> {
        let inputs = game.net_inputs(settings).map_err(Error::Usage)?;
        let table = game.value_table(settings).map_err(Error::Usage)?;
        let (inputs, table) = inputs.zip(table).ok_or_else(|| no_inputs(G::about().name))?;
        let layout = inputs.layout();
        let before = game.net(settings).map_err(Error::Usage)?.map(|net| net.weights(&layout));
        Ok(Self { inputs, table, before })
    }

    /// Returns the counting of examples.
    pub(super) fn counting<'a>(&'a self, game: &'a G) -> Counting<'a, G> {
        Counting { game, table: &*self.table, inputs: &*self.inputs }
    }
}

/// Returns the beginning of the hash of the rules that a net's file records.
pub(super) fn rules_mark(rules: &Rules) -> String {
    blake3::hash(rules.to_toml().as_bytes()).to_hex()[..16].to_owned()
}

/// Returns the search of root values.
fn searcher<G: Playable>(
    game: &G,
    text: &str,
    desk: &dyn Surroundings,
) -> Result<AgentSpec, Error> {
    let spec = desk.spec("search", text)?;
    spec.build(game)?;
    if !spec.is_search() {
        let message = "it is no search, and has no root values: name one, as mcts(iterations=100)";
        return Err(Error::value("search", text, message));
    }
    Ok(spec)
}

/// Collects the examples of a fit, with the root values of searches in their targets if there is one.
fn examples<G: Playable + Observable>(
    request: &Request,
    counting: &Counting<'_, G>,
    rules: &Rules,
    desk: &dyn Surroundings,
    roots: Option<Roots<'_>>,
) -> Result<Collected<Example>, Error> {
    let game = counting.game;
    let Some(roots) = roots else {
        let keep = |position| counting.example(position);
        return request.collect_and_keep(game, rules, Which::Beginnings, desk, &keep);
    };
    let Collected { positions, games, broken_off, source } =
        request.collect_and_keep(game, rules, Which::Beginnings, desk, &Some)?;
    let positions = roots.examples(counting, &positions)?;
    Ok(Collected { positions, games, broken_off, source })
}

struct NetTask<'a> {
    request: &'a Request,
    wanted: WantedNet<'a>,
    learning: Learning,
    desk: &'a dyn Surroundings,
}

/// A query for the inputs that a game declares.
struct Declared;

impl WithGame for Declared {
    type Output = Option<Layout>;

    fn run<G: Playable + Observable>(self, game: G, _rules: &Rules) -> Option<Layout> {
        game.net_inputs(&Settings::default()).ok().flatten().map(|inputs| inputs.layout())
    }
}

/// Refuses a game that `lacks` something; the message names the games whose inputs `have` it.
pub(super) fn games_that(game: &str, lacks: &str, have: &dyn Fn(&Layout) -> bool) -> Error {
    let has = |name: &&&str| {
        with_game(&Setup::new(name), Declared).ok().flatten().is_some_and(|layout| have(&layout))
    };
    let games: Vec<&str> = NAMES.iter().filter(has).copied().collect();
    let message = format!("{lacks} (games that do: {})", games.join(", "));
    Error::value("game", game, message)
}

/// Refuses a game without inputs.
fn no_inputs(game: &str) -> Error {
    games_that(game, "it declares no inputs of a net", &|_| true)
}

impl WithGame for NetTask<'_> {
    type Output = Result<OfNet, Error>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
        let Self { request, wanted, learning, desk } = self;
        let start = desk.spec("start", wanted.start)?;
        start.build(&game)?;
        let begun = without_own_net(&game, &start, desk)?;
        let subject = NetSubject::of(&game, begun.settings())?;
        let layout = subject.inputs.layout();
        let counting = subject.counting(&game);
        let searcher = match wanted.roots {
            Some((search, _)) => Some(searcher(&game, search, desk)?),
            None => None,
        };
        let roots = searcher.as_ref().zip(wanted.roots).map(|(spec, (_, share))| Roots {
            spec,
            share,
            seed: request.seed,
        });
        let collected = examples(request, &counting, rules, desk, roots)?;
        let sections = sections_of(&collected);
        let places =
            collected.positions.iter().map(|one| sections.at(one.progress)).collect::<Vec<_>>();
        let parts = parts_of(&collected.positions, learning.parts);
        let places = Places { parts: &parts, sections: &places };
        let positions: Vec<&Position<Example>> = collected.positions.iter().collect();
        let outcome = fit(&layout, &positions, places, learning.method, subject.before)?;
        let mut more = Map::from_iter([("start".to_owned(), json!(start.to_string()))]);
        if let Some(Roots { spec, share, .. }) = roots {
            more.insert("search".to_owned(), json!(spec.to_string()));
            more.insert("root-share".to_owned(), json!(share));
        }
        let more = more.into_iter().chain(learning.options()).collect::<Map<String, Json>>();
        let origin = desk.origin(FitSetup::of(&game), &collected.source, "net", more);
        let made = Provenance {
            command: origin.command.clone(),
            source: origin.source.clone(),
            rules: rules_mark(rules),
            seed: learning.method.seed,
            games: collected.games,
            positions: outcome.learnt as u64,
            loss: outcome.mean(Outcome::NET),
            linear_loss: outcome.mean(Outcome::LINEAR),
        };
        let text = outcome.net.to_text(G::about().name, game.n_players(), &layout, &made);
        Ok(OfNet { common: Common::of(&collected, origin, sections, rules), outcome, text })
    }
}
