//! The personas of a game as strategies of the start: the open agent with the weights of each.

use agents::param::Domain;
use agents::{AgentSpec, OfGame};

use crate::tune::entrants::Entrants;
use sim::config::supply_files;
use sim::document::ReadFile;
use sim::error::Error;

/// Returns the open agent as each persona of the game, in their order. Open values are as the persona has them.
///
/// There are none if the game has none for this kind of agent, or if the agent chooses its persona itself. The persona of
/// the default weights is the start of the space, and one in `against` is there already.
///
/// # Errors
/// If a file of the agent cannot be read.
pub(super) fn personas(
    entrants: &Entrants,
    game: &OfGame,
    read: ReadFile<'_>,
) -> Result<Vec<AgentSpec>, Error> {
    let (template, space) = (&entrants.template, &entrants.space);
    let Some(param) = game.persona_of(template.kind()) else { return Ok(Vec::new()) };
    let is_chosen = template.says(param.name)
        || space.dimensions().iter().any(|dimension| dimension.name == param.name);
    let Domain::Choice(names) = param.domain else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for name in names.iter().filter(|&&name| name != param.default && !is_chosen) {
        let mut template = template.clone();
        template.fix(param.name, (*name).to_owned())?;
        let mut spec = template.base()?;
        supply_files(&mut spec, read, &mut Vec::new())?;
        if entrants.against.iter().all(|known| known.to_string() != spec.to_string()) {
            all.push(spec);
        }
    }
    Ok(all)
}
