//! Who plays in a search, from what was asked for.

use agents::{AgentSpec, OfGame};

use super::request::Request;
use super::space::{Dimension, Range, Space};
use super::space_file::SpaceFile;
use super::table::Entrants;
use super::template::Template;
use crate::config::{ReadFile, supply_files};
use crate::error::Error;

/// Reads who plays.
///
/// # Errors
/// If an agent is none, nobody is named for a place, or there is nothing to search.
pub(super) fn entrants(
    request: &Request,
    game: &OfGame,
    read: ReadFile<'_>,
) -> Result<Entrants, Error> {
    let mut files = Vec::new();
    if request.against.is_empty() {
        let message =
            "no opponent is named: at least one has to sit at the table, as greedy or random";
        return Err(Error::Usage(message.to_owned()));
    }
    let against = specs(&request.against, game, read, &mut files)?;
    let held_out = specs(&request.held_out, game, read, &mut files)?;
    let is_in_pool =
        |spec: &&AgentSpec| against.iter().any(|one| one.to_string() == spec.to_string());
    if let Some(twice) = held_out.iter().find(is_in_pool) {
        let message =
            "it is in the pool of opponents, too: one that is held out is never tuned against";
        return Err(Error::value("held-out", twice.to_string(), message));
    }
    let mut all = match request.candidate.is_empty() {
        true => opened(request, game, read, &mut files)?,
        false => listed(request, game, read, &mut files)?,
    };
    (all.against, all.held_out) = (against, held_out);
    all.files = files;
    Ok(all)
}

/// A file that was read: its name and its text.
type Files = Vec<(String, String)>;

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

/// A list of candidates, which is one dimension of words.
fn listed(
    request: &Request,
    game: &OfGame,
    read: ReadFile<'_>,
    files: &mut Files,
) -> Result<Entrants, Error> {
    let other = request.agent.as_ref().or(request.space.as_ref()).or(request.weights.as_ref());
    if let Some(other) = other {
        return Err(Error::Usage(format!(
            "candidates are listed, and \"{other}\" is given, too: keep one of them"
        )));
    }
    let listed = specs(&request.candidate, game, read, files)?;
    let words: Vec<String> = listed.iter().map(AgentSpec::with_label).collect();
    let twice = words.iter().enumerate().find(|&(i, word)| words[..i].contains(word));
    if let Some((_, twice)) = twice {
        return Err(Error::value("candidate", twice, "it is listed twice"));
    }
    let start = words[0].clone();
    let range = Range::Words(words);
    let one = Dimension { name: "agent".to_owned(), range, start, prior: None };
    let template = Template::parse(&request.candidate[0])?;
    let space = Space::new(vec![one])?;
    Ok(Entrants {
        template,
        space,
        against: Vec::new(),
        held_out: Vec::new(),
        listed,
        files: Vec::new(),
    })
}

/// An agent with values left open, in its spec, in a file, or by the names of weights.
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
                dimensions.push(template.near(game, &base, &name)?);
            }
        }
    }
    if let Some(file) = &written {
        dimensions.extend(file.dimensions(&template, game, &base)?);
    }
    let space = Space::new(dimensions)?;
    let nobody = Vec::new();
    Ok(Entrants {
        template,
        space,
        against: nobody.clone(),
        held_out: nobody.clone(),
        listed: nobody,
        files: Vec::new(),
    })
}
