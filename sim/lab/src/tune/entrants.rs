//! The entrants of a search, from its request.

use agents::{AgentSpec, OfGame};

use super::objective::Field;
use super::request::Request;
use super::space::{Beyond, Dimension, Point, Range, Space};
use super::space_file::SpaceFile;
use super::template::Template;
use sim::config::supply_files;
use sim::document::ReadFile;
use sim::error::Error;
use sim::population::{Listed, Population, Table, drawn, is_population, members};

/// The agents at the tables of a search, with the search space.
#[derive(Clone, Debug)]
pub struct Entrants {
    /// True if a search ends at the first game that a candidate forfeits.
    pub stop_at_fault: bool,
    /// The tuned agent.
    pub template: Template,
    /// The search space.
    pub space: Space,
    /// The pool of opponents, at least one.
    pub against: Vec<AgentSpec>,
    /// The part of each opponent of the pool in draws; empty if opponents take turns, as without a population.
    pub parts: Vec<f64>,
    /// The held-out opponents.
    pub held_out: Vec<AgentSpec>,
    /// The candidates of a race over a list; empty if a template is tuned.
    pub listed: Vec<AgentSpec>,
    /// The names and texts of all files that were read.
    pub files: Vec<(String, String)>,
}

/// Returns true if repeated games of `agents` have the same results: none has a time limit or is another program.
pub(super) fn are_reproducible<'a>(mut agents: impl Iterator<Item = &'a AgentSpec>) -> bool {
    agents.all(|spec| !spec.is_timed() && !spec.is_external())
}

impl Entrants {
    /// Returns the agent at a point.
    ///
    /// # Errors
    /// If a value is refused.
    ///
    /// # Panics
    /// If a list has no such agent (a bug).
    pub fn agent(&self, point: &Point) -> Result<AgentSpec, Error> {
        if !self.listed.is_empty() {
            let name = &point.texts()[0];
            let found = self.listed.iter().find(|spec| spec.with_label() == *name);
            return Ok(found.expect("words of a list are its agents").clone());
        }
        let mut spec = self.template.fill(&self.space, point)?;
        let text = |path: &str| {
            let known = self.files.iter().find(|(name, _)| name == path);
            known.map(|(_, text)| text.clone()).ok_or_else(|| std::io::ErrorKind::NotFound.into())
        };
        supply_files(&mut spec, &text, &mut Vec::new())?;
        Ok(spec)
    }

    /// Returns true if repeated games of these agents have the same results.
    #[must_use]
    pub fn is_reproducible(&self) -> bool {
        let own = self.agent(&self.space.start());
        are_reproducible(own.iter().chain(&self.against))
    }

    /// Returns the opponents of a block from the pool, by number: draws if the pool has a population, else in turn.
    pub(super) fn of_pool(&self, seats: usize, seed: u64, block: u64) -> Vec<usize> {
        if !self.parts.is_empty() {
            return drawn(&self.parts, seats, seed, block);
        }
        let n = self.against.len() as u64;
        (0..seats as u64).map(|seat| ((block + seat) % n) as usize).collect()
    }

    /// Returns the opponents at a table; `of_pool` are those of the field [`Field::Pool`], by number.
    pub(super) fn table(
        &self,
        field: Field,
        of_pool: &[usize],
        seats: usize,
    ) -> Result<Vec<AgentSpec>, Error> {
        let other = |seat: usize| match field {
            Field::Pool => Ok(self.against[of_pool[seat]].clone()),
            Field::HeldOut(i) => Ok(self.held_out[i].clone()),
            Field::Start => self.agent(&self.space.start()),
            Field::Member(_) | Field::Table(_) => {
                Err(Error::Failed("only a population has tables".to_owned()))
            }
        };
        (0..seats).map(other).collect()
    }
}

/// Reads the entrants of a search.
///
/// # Errors
/// If an agent is invalid, a place has no agent, or there is nothing to search.
pub(super) fn entrants(
    request: &Request,
    game: &OfGame,
    read: ReadFile<'_>,
) -> Result<Entrants, Error> {
    let mut files = Vec::new();
    let mut all = match request.candidate.is_empty() {
        true => opened(request, game, read, &mut files)?,
        false => listed(request, game, read, &mut files)?,
    };
    all.files = files;
    if request.against.is_empty() {
        let start = all.agent(&all.space.start())?;
        let message = format!(
            "no opponent is named: at least one has to sit at the table, as the start itself, {start}, or random"
        );
        return Err(Error::Usage(message));
    }
    with_opponents(all, request, game, read)
}

/// Reads an agent with open values, and the agents beside it in `--against`, of which there may be none.
///
/// # Errors
/// If an agent is invalid, or no value is open.
pub(crate) fn population(
    request: &Request,
    game: &OfGame,
    read: ReadFile<'_>,
) -> Result<Entrants, Error> {
    let mut files = Vec::new();
    let mut all = opened(request, game, read, &mut files)?;
    all.files = files;
    with_opponents(all, request, game, read)
}

/// Adds the other agents of a request.
fn with_opponents(
    mut all: Entrants,
    request: &Request,
    game: &OfGame,
    read: ReadFile<'_>,
) -> Result<Entrants, Error> {
    let members = listed_agents(&request.against, game, read, &mut all.files)?;
    let texts: Vec<String> = members.iter().map(|one| one.agent.clone()).collect();
    let against = opponents("against", &texts, game, read, &mut all.files)?;
    if request.against.iter().any(|entry| is_population(entry)) {
        all.parts = members.iter().map(|one| one.part).collect();
    }
    let held_out = listed_agents(&request.held_out, game, read, &mut all.files)?;
    let held_out: Vec<String> = held_out.into_iter().map(|one| one.agent).collect();
    let held_out = opponents("held-out", &held_out, game, read, &mut all.files)?;
    let is_in_pool =
        |spec: &&AgentSpec| against.iter().any(|one| one.to_string() == spec.to_string());
    if let Some(twice) = held_out.iter().find(is_in_pool) {
        let message = "it is also in the pool: a held-out opponent is never tuned against";
        return Err(Error::value("held-out", twice.to_string(), message));
    }
    (all.against, all.held_out) = (against, held_out);
    all.stop_at_fault = request.stop_at_fault;
    Ok(all)
}

/// The files that were read: names and texts.
pub(super) type Files = Vec<(String, String)>;

/// Returns the agents of a list, with the members of populations, whose documents are added to `files`.
pub(super) fn listed_agents(
    entries: &[String],
    game: &OfGame,
    read: ReadFile<'_>,
    files: &mut Files,
) -> Result<Vec<Listed>, Error> {
    let all = members(entries, Table { game: game.name, players: game.players }, read)?;
    for path in entries.iter().filter_map(|entry| Population::document_of(entry)) {
        let text = read(&path).map_err(Error::file(path.as_str()))?;
        files.push((path, text));
    }
    Ok(all)
}

fn specs(
    texts: &[String],
    game: &OfGame,
    read: ReadFile<'_>,
    files: &mut Files,
) -> Result<Vec<AgentSpec>, Error> {
    let mut specs = texts.iter().map(|text| text.parse()).collect::<Result<Vec<AgentSpec>, _>>()?;
    for spec in &mut specs {
        spec.check_names(game)?;
        supply_files(spec, read, files)?;
    }
    Ok(specs)
}

/// Parses opponents, and refuses open values and duplicates.
fn opponents(
    option: &'static str,
    texts: &[String],
    game: &OfGame,
    read: ReadFile<'_>,
    files: &mut Files,
) -> Result<Vec<AgentSpec>, Error> {
    let is_open = |text: &&String| Template::parse(text).is_ok_and(|template| template.is_open());
    if let Some(open) = texts.iter().find(is_open) {
        let message = "an opponent plays as it is: leave values open in the agent that is tuned";
        return Err(Error::value(option, open, message));
    }
    let all = specs(texts, game, read, files)?;
    refuse_twins(option, &all)?;
    Ok(all)
}

/// Refuses an agent that is listed twice, under any label.
fn refuse_twins(option: &'static str, all: &[AgentSpec]) -> Result<(), Error> {
    let plain: Vec<String> = all.iter().map(ToString::to_string).collect();
    let twin = (0..plain.len()).find(|&i| plain[..i].contains(&plain[i]));
    twin.map_or(Ok(()), |i| {
        let message = format!("{} is listed before, and a label makes no other agent", plain[i]);
        Err(Error::value(option, all[i].with_label(), message))
    })
}

/// Reads a list of candidates, as a space with one dimension of words.
fn listed(
    request: &Request,
    game: &OfGame,
    read: ReadFile<'_>,
    files: &mut Files,
) -> Result<Entrants, Error> {
    let other = request.agent.as_ref().or(request.space.as_ref()).or(request.weights.as_ref());
    if let Some(other) = other {
        return Err(Error::Usage(format!(
            "candidates are listed and \"{other}\" is also given: keep one of the two"
        )));
    }
    let candidates = listed_agents(&request.candidate, game, read, files)?;
    let candidates: Vec<String> = candidates.into_iter().map(|one| one.agent).collect();
    let listed = specs(&candidates, game, read, files)?;
    let words: Vec<String> = listed.iter().map(AgentSpec::with_label).collect();
    refuse_twins("candidate", &listed)?;
    let start = words[0].clone();
    let range = Range::Words(words);
    let one = Dimension {
        name: "agent".to_owned(),
        range,
        start,
        prior: None,
        beyond: Beyond::default(),
    };
    let template = Template::parse(&candidates[0])?;
    let space = Space::new(vec![one])?;
    Ok(Entrants {
        stop_at_fault: false,
        template,
        space,
        against: Vec::new(),
        parts: Vec::new(),
        held_out: Vec::new(),
        listed,
        files: Vec::new(),
    })
}

/// Reads an agent with open values: in its spec, in a file, or by the names of weights.
fn opened(
    request: &Request,
    game: &OfGame,
    read: ReadFile<'_>,
    files: &mut Files,
) -> Result<Entrants, Error> {
    let text = request.agent.as_ref().ok_or_else(|| {
        let message =
            "no agent is named: one with open values, as in mcts(c=?), or several candidates";
        Error::Usage(message.to_owned())
    })?;
    let mut template = Template::parse(text)?;
    let written = match &request.space {
        None => None,
        Some(path) => {
            let text = read(path).map_err(|e| Error::unreadable("space", path, &e))?;
            let file = SpaceFile::read(path, &text)?;
            file.fix(&mut template)?;
            files.push((file.path.clone(), file.text.clone()));
            Some(file)
        }
    };
    let mut base = template.base()?;
    base.check_names(game)?;
    supply_files(&mut base, read, files)?;
    let mut dimensions = template.dimensions(game, &base)?;
    if let Some(glob) = &request.weights {
        for name in template.weights(game, glob)? {
            if !written.as_ref().is_some_and(|file| file.names(&name)) {
                dimensions.push(template.dimension(game, &base, &name, "")?);
            }
        }
    }
    if let Some(file) = &written {
        dimensions.extend(file.dimensions(&template, game, &base)?);
    }
    let space = Space::new(dimensions)?;
    let nobody = Vec::new();
    Ok(Entrants {
        stop_at_fault: false,
        template,
        space,
        against: nobody.clone(),
        parts: Vec::new(),
        held_out: nobody.clone(),
        listed: nobody,
        files: Vec::new(),
    })
}
