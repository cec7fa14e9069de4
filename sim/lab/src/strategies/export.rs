//! The survivors of a population, and the elites of an archive, as files of weights with their provenance, which lists of agents take as
//! `population:DIR`.

use std::path::Path;

use agents::AgentSpec;
use agents::param::{Param, Value, WEIGHT};
use toml_edit::DocumentMut;

use super::archive::{Archive, Elite, Niche};
use super::descriptors::Descriptor;
use super::findings::Findings;
use super::game_seats::spec;
use super::run::Outcome;
use super::seats::Strategy;
use super::study::StrategiesStudy;
use sim::catalogue::checked_rules;
use sim::document::document;
use sim::error::Error;
use sim::population::{FILE, FORMAT, Member, Population, checksum};

/// The parameter that names a file of weights.
const WEIGHTS: &str = "weights";

/// Weights have six digits after the point: a bootstrap bears fewer.
const DIGITS: f64 = 1e6;

/// A file of an export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    /// The name in the directory.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A strategy of an export.
struct Exporting<'a> {
    /// The beginning of the names of its files.
    stem: String,
    strategy: &'a Strategy,
    weight: f64,
    /// Its place in the result, for the first line of its file.
    place: String,
}

/// Returns the files of the strategies that survive, and [`FILE`] at the end. The heaviest strategy is the last member,
/// as lists of tiers have the strongest last.
///
/// # Errors
/// If a strategy is no agent, which was checked before.
pub fn files(
    study: &StrategiesStudy,
    outcome: &Outcome,
    findings: &Findings,
) -> Result<Vec<Exported>, Error> {
    let of = |i: usize| {
        let weight = (findings.strategies[i].weight.0 * DIGITS).round() / DIGITS;
        let place = format!("its weight in the mixture is {weight:.4}");
        let strategy = &outcome.strategies[i];
        Exporting { stem: format!("strategy-{}", i + 1), strategy, weight, place }
    };
    population(study, findings.survivors().into_iter().rev().map(of).collect())
}

/// Returns the files of the elites of an archive that are not shown to lose to the mixture, with equal weights, and
/// [`FILE`] at the end; none if there is no such elite.
///
/// # Errors
/// If a strategy is no agent, which was checked before.
pub fn elites<'a>(
    study: &StrategiesStudy,
    niche: &Niche,
    archive: &'a Archive,
) -> Result<Vec<Exported>, Error> {
    let kept = archive.elites.iter();
    let kept: Vec<_> = kept.filter(|(_, elite)| archive.interval(elite).high >= 0.0).collect();
    let weight = (DIGITS / kept.len().max(1) as f64).round() / DIGITS;
    let names: Vec<&str> = niche.descriptors.iter().map(Descriptor::name).collect();
    let of = |&(cell, elite): &(&Vec<usize>, &'a Elite)| {
        let bins: Vec<String> = cell.iter().map(|bin| (bin + 1).to_string()).collect();
        let place = format!("its cell is {} of {}", bins.join(", "), names.join(", "));
        let stem = format!("elite-{}", bins.join("-"));
        Exporting { stem, strategy: &elite.strategy, weight, place }
    };
    match kept.is_empty() {
        true => Ok(Vec::new()),
        false => population(study, kept.iter().map(of).collect()),
    }
}

fn population(
    study: &StrategiesStudy,
    members: Vec<Exporting<'_>>,
) -> Result<Vec<Exported>, Error> {
    let mut population = Population {
        format: FORMAT.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        game: study.setup.game.clone(),
        players: study.players,
        rules: checksum(&checked_rules(&study.setup)?.to_toml()),
        seed: study.plan.seed,
        command: study.request.command(),
        members: Vec::new(),
    };
    let mut all = Vec::new();
    for Exporting { stem, strategy, weight, place } in members {
        let Placed { spec, own, mut files } = Placed::of(&spec(&study.entrants, strategy)?, &stem)?;
        if let Some(OwnWeights { name, base, weights }) = own {
            let text = head(&population, &place) + &document_of(&base, &weights, study, strategy);
            files.push(Exported { name, text });
        }
        population.members.push(Member {
            agent: spec.to_string(),
            weight,
            files: files.iter().map(|file| (file.name.clone(), checksum(&file.text))).collect(),
        });
        all.extend(files);
    }
    all.push(Exported { name: FILE.to_owned(), text: document(&population) });
    Ok(all)
}

/// The weights of a strategy.
struct OwnWeights {
    /// The name of the file.
    name: String,
    /// The file of weights below the explicit ones; empty if there is none.
    base: String,
    /// The explicit weights.
    weights: Vec<(&'static Param, Value)>,
}

/// A spec whose files are in the directory of its population.
struct Placed {
    spec: AgentSpec,
    own: Option<OwnWeights>,
    /// The other files, such as value functions.
    files: Vec<Exported>,
}

impl Placed {
    fn of(spec: &AgentSpec, stem: &str) -> Result<Self, Error> {
        let (mut placed, mut files, mut base) = (spec.clone(), Vec::new(), None);
        for (param, value) in spec.settings().iter() {
            let Value::File { path, text: Some(text) } = value else { continue };
            if param.name == WEIGHTS {
                base = Some(text.clone());
                continue;
            }
            let end = Path::new(path).extension().map_or("txt".into(), |end| end.to_string_lossy());
            let name = format!("{stem}-{}.{end}", param.name);
            placed = placed.saying(param.name, &name)?;
            files.push(Exported { name, text: text.clone() });
        }
        let weights: Vec<(&'static Param, Value)> =
            spec.settings().weights().map(|(weight, value)| (weight, value.clone())).collect();
        if base.is_none() && weights.is_empty() {
            return Ok(Self { spec: placed, own: None, files });
        }
        let name = format!("{stem}.toml");
        let spec = placed.with_weights_in(&name)?;
        let own = OwnWeights { name, base: base.unwrap_or_default(), weights };
        Ok(Self { spec, own: Some(own), files })
    }
}

/// Returns the comment over the weights of a strategy: its provenance.
fn head(population: &Population, place: &str) -> String {
    let Population { game, players, rules, version, command, seed, .. } = population;
    let command = command.replace('\n', " ");
    format!(
        "# A strategy of {game} for {players} players; {place}.\n\
         # Found by caesar {version} with seed {seed} under the rules {rules}:\n# {command}\n"
    )
}

/// Returns the weights as a document, with the reason of each.
fn document_of(
    base: &str,
    weights: &[(&'static Param, Value)],
    study: &StrategiesStudy,
    strategy: &Strategy,
) -> String {
    let mut all: DocumentMut = base.parse().expect("a file of weights that an agent has read");
    for (weight, value) in weights {
        let open = study.plan.space.dimensions().iter();
        let open = open.filter(|_| matches!(strategy, Strategy::Point(_)));
        let mut found = open.filter(|one| one.name.strip_prefix(WEIGHT) == Some(weight.name));
        let reason = found
            .next()
            .map_or_else(|| "given".to_owned(), |one| format!("{} at the start", one.start));
        let mut value: toml_edit::Value = value.to_string().parse().expect("a weight is a number");
        value.decor_mut().set_prefix(" ");
        value.decor_mut().set_suffix(format!(" # {reason}"));
        all[weight.name] = toml_edit::Item::Value(value);
    }
    all.to_string()
}
