//! Rules with open values, as in `--set cards.loot.cost=?5..30`, and the agents that play under them.

use agents::{AgentSpec, OfGame, Playable};
use engine::Rules;
use engine::rules::nearest;
use serde_json::Value as Json;

use super::entrants::listed_agents;
use super::request::Request;
use super::space::{Beyond, Dimension, Point, Range, Space};
use super::target::Target;
use super::template::{Template, read_range, whole};
use crate::balance::facts::Facts;
use sim::catalogue::{Setup, WithGame, with_game};
use sim::config::supply_files;
use sim::document::ReadFile;
use sim::error::Error;

/// Rules with open values, and the agents that play under them.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// The search space of the open values.
    pub space: Space,
    /// The target of the search.
    pub target: Target,
    /// The agent: in all seats or, if the target has opponents, in one.
    pub agent: AgentSpec,
    /// The pool of opponents, if the target has some.
    pub against: Vec<AgentSpec>,
    /// Agents that replace the agent in the report alone, to test whether the result holds for them.
    pub held_out: Vec<AgentSpec>,
    /// The names and texts of all files that were read.
    pub files: Vec<(String, String)>,
}

/// Returns true if a setting leaves its value open.
#[must_use]
pub fn is_open(setting: &str) -> bool {
    setting.split_once('=').is_some_and(|(_, value)| value.trim_start().starts_with('?'))
}

impl RuleSet {
    /// Returns the rules at a point, as settings.
    #[must_use]
    pub fn settings(&self, point: &Point) -> Vec<String> {
        let pairs = self.space.dimensions().iter().zip(point.texts());
        pairs.map(|(one, text)| format!("{}={text}", one.name)).collect()
    }

    /// Returns the rules at a point, as settings on one line.
    #[must_use]
    pub fn spelled(&self, point: &Point) -> String {
        self.settings(point).join(", ")
    }

    /// Returns the rules at a point as a rules file with the open values only.
    #[must_use]
    pub fn file(&self, point: &Point) -> String {
        let pairs = self.space.dimensions().iter().zip(point.texts());
        let quoted = |text: &str| {
            let is_value = text.parse::<f64>().is_ok() || ["true", "false"].contains(&text);
            if is_value { text.to_owned() } else { format!("{text:?}") }
        };
        pairs.map(|(one, text)| format!("{} = {}\n", one.name, quoted(text))).collect()
    }

    /// Reads open rules and their agents; `setup` has the fixed rules.
    ///
    /// # Errors
    /// If a key or range is invalid, an agent cannot play, or agents are missing or too many.
    pub(super) fn read(
        request: &Request,
        setup: &Setup,
        game: &OfGame,
        read: ReadFile<'_>,
    ) -> Result<Self, Error> {
        let target = request.target.as_deref().ok_or_else(|| {
            let message = "rules are open, but no target is named: name one, as in seat-fairness";
            Error::Usage(message.to_owned())
        })?;
        let target = Target::parse(target)?;
        let foreign = [
            ("a list of candidates", !request.candidate.is_empty()),
            ("a choice of weights", request.weights.is_some()),
            ("a file of parameters", request.space.is_some()),
        ];
        if let Some((option, _)) = foreign.into_iter().find(|(_, is_given)| *is_given) {
            return Err(Error::Usage(format!(
                "rules are tuned, and {option} is of agents: keep one of them"
            )));
        }
        check_target(&target, setup)?;
        let text = request.agent.as_deref().ok_or_else(|| {
            Error::Usage("no agent is named that plays under the rules, as greedy".to_owned())
        })?;
        let template = Template::parse(text)?;
        if !template.dimensions(game, &template.base()?)?.is_empty() {
            let message = "it leaves values open, and so do the rules: tune one after the other";
            return Err(Error::value("agent", text, message));
        }
        let mut files = Vec::new();
        let mut list = |entries: &[String]| -> Result<Vec<String>, Error> {
            let all = listed_agents(entries, game, read, &mut files)?;
            Ok(all.into_iter().map(|one| one.agent).collect())
        };
        let lists = [list(&request.against)?, list(&request.held_out)?];
        let mut specs = |texts: &[String]| -> Result<Vec<AgentSpec>, Error> {
            let spec = |text: &String| {
                let mut spec: AgentSpec = text.parse()?;
                spec.check_names(game)?;
                supply_files(&mut spec, read, &mut files)?;
                Ok(spec)
            };
            texts.iter().map(spec).collect()
        };
        let agent = specs(&[text.to_owned()])?.remove(0);
        let (against, held_out) = (specs(&lists[0])?, specs(&lists[1])?);
        match (target.has_opponents(), against.is_empty()) {
            (true, true) => {
                return Err(Error::Usage(
                    "a share needs an opponent: name one, as in greedy or random".to_owned(),
                ));
            }
            (false, false) => {
                return Err(Error::Usage(format!(
                    "{} is of games in which one agent has all seats: name no opponent",
                    target.text()
                )));
            }
            _ => {}
        }
        let rules = rules_of(setup)?;
        let open = request.rules.settings.iter().filter(|setting| is_open(setting));
        let dimensions =
            open.map(|setting| dimension(setting, &rules)).collect::<Result<_, _>>()?;
        Ok(Self { space: Space::new(dimensions)?, target, agent, against, held_out, files })
    }
}

/// Returns the rules of a setup.
fn rules_of(setup: &Setup) -> Result<Rules, Error> {
    struct Take;
    impl WithGame for Take {
        type Output = Rules;
        fn run<G: Playable>(self, _: G, rules: &Rules) -> Rules {
            rules.clone()
        }
    }
    with_game(setup, Take)
}

/// Parses the open value in `KEY=?RANGE=START`; by default it starts at its current value.
fn dimension(setting: &str, rules: &Rules) -> Result<Dimension, Error> {
    let (key, written) = setting.split_once('=').unwrap_or((setting, ""));
    let (key, written) = (key.trim(), written.trim().trim_start_matches('?').trim());
    let json = rules.to_json();
    let now = key.split('.').try_fold(&json, |at, step| at.get(step));
    let (range, start) = written.split_once('=').unwrap_or((written, ""));
    let range = range.trim();
    let start = start.trim();
    if now.is_none() {
        // A wrong key is refused with the nearest one; a treatment's key has no value before it is set.
        let some = range.split(['.', '|', ':']).next().filter(|some| !some.is_empty());
        rules.clone().set(&format!("{key}={}", some.unwrap_or("0")))?;
    }
    let now = now.map(|now| (range_of(key, range, now), plain(now)));
    let (range, now) = match now {
        Some((range, now)) => (range?, now),
        None if range.is_empty() || start.is_empty() => {
            let message = "the rules have no value there: give a range and a start, as in ?0..2=0";
            return Err(Error::value("set", setting, message));
        }
        None => (read_range(key, range, None)?, String::new()),
    };
    let start = if start.is_empty() { now } else { start.to_owned() };
    Ok(Dimension { name: key.to_owned(), range, start, prior: None, beyond: Beyond::default() })
}

/// Returns the range of a value that is currently `now`.
fn range_of(key: &str, written: &str, now: &Json) -> Result<Range, Error> {
    let refused = |message: &str| Error::Usage(format!("{key}: {message}"));
    let bounds = written.split(':').next().unwrap_or_default().split_once("..");
    if let (Json::Number(now), Some((low, high))) = (now, bounds)
        && !now.is_f64()
    {
        whole(key, [low, high])?;
    }
    match now {
        Json::Bool(_) if written.is_empty() => {
            Ok(Range::Words(vec!["false".to_owned(), "true".to_owned()]))
        }
        Json::Number(_) | Json::String(_) if written.is_empty() => {
            Err(refused("its possible values are unknown: give some, as in ?5..30 or ?a|b"))
        }
        Json::Array(_) | Json::Object(_) | Json::Null => {
            Err(refused("it is a table or a list: name one value in it"))
        }
        Json::Number(now) => match read_range(key, written, None)? {
            // Integer limits mean an integer range only if the current value is an integer.
            Range::Whole { low, high, is_log } if now.is_f64() => {
                Ok(Range::Number { low: low as f64, high: high as f64, is_log })
            }
            range => Ok(range),
        },
        _ => read_range(key, written, None),
    }
}

/// Returns a value as text of a setting.
fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// Refuses a thing that no player can take.
fn check_target(target: &Target, setup: &Setup) -> Result<(), Error> {
    let Target::PickRate { name, .. } = target else { return Ok(()) };
    let facts = Facts::of(setup)?;
    facts.market()?;
    let things = facts.markets.iter().flat_map(|market| facts.names(market.thing));
    let mut names: Vec<String> = things.collect();
    names.sort();
    names.dedup();
    if names.contains(name) {
        return Ok(());
    }
    let near = nearest(name, &names).map_or_else(String::new, |near| format!(" (nearest: {near})"));
    let message =
        format!("{} has nothing of this name that is taken for a price{near}", facts.game);
    Err(Error::value("target", name, message))
}
