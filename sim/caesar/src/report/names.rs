//! Names of agents in tables: the label, the spec or, if that is too long, a short name with a legend.

use agents::AgentSpec;

use super::table::{Cell, Note};
use sim::config::{Caveat, Plan};

/// Agents of a run with their names in tables.
#[derive(Clone, Debug)]
pub struct Names(Vec<Entry>);

#[derive(Clone, Debug)]
struct Entry {
    /// The name in standings: the label or the canonical spec.
    name: String,
    spec: String,
    shown: String,
    caveat: Caveat,
}

impl Names {
    /// Returns the agents of `plan`, called by names of at most `longest` characters unless they have labels.
    #[must_use]
    pub fn of(plan: &Plan, longest: usize) -> Self {
        Self::of_agents(plan.lineup.iter().zip(plan.caveats.iter().copied()), longest)
    }

    /// Returns the names of `agents`, each with its caveat, as [`Names::of`] does for a plan.
    #[must_use]
    pub fn of_agents<'a>(
        agents: impl Iterator<Item = (&'a AgentSpec, Caveat)>,
        longest: usize,
    ) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        let mut assigned: Vec<&str> = Vec::new();
        for (agent, caveat) in agents {
            let name = agent.name();
            if entries.iter().any(|entry| entry.name == name) {
                continue;
            }
            let mut shown = name.clone();
            if agent.label().is_none() && name.chars().count() > longest {
                shown = numbered(agent.kind().name(), &mut assigned);
            }
            entries.push(Entry { name, spec: agent.to_string(), shown, caveat });
        }
        Self(entries)
    }

    /// Names agents that no plan lists, in at most `longest` characters: by kind, or by `kind` if they are none, with a
    /// number.
    #[must_use]
    pub fn of_specs(specs: &[String], kind: &str, longest: usize) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        let mut assigned: Vec<&str> = Vec::new();
        for spec in specs {
            if entries.iter().any(|entry| entry.name == *spec) {
                continue;
            }
            let mut shown = spec.clone();
            if spec.chars().count() > longest {
                let known = spec.parse::<AgentSpec>().map(|agent| agent.kind().name());
                shown = numbered(known.unwrap_or(kind), &mut assigned);
            }
            let caveat = Caveat::default();
            entries.push(Entry { name: spec.clone(), spec: spec.clone(), shown, caveat });
        }
        Self(entries)
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.name == name)
    }

    /// Returns the table name of the agent `name`.
    #[must_use]
    pub fn shown<'a>(&'a self, name: &'a str) -> &'a str {
        self.entry(name).map_or(name, |entry| &entry.shown)
    }

    /// Returns the canonical spec of the agent `name`.
    #[must_use]
    pub fn spec<'a>(&'a self, name: &'a str) -> &'a str {
        self.entry(name).map_or(name, |entry| &entry.spec)
    }

    /// Returns the caveat on the agent `name`.
    #[must_use]
    pub fn caveat(&self, name: &str) -> Caveat {
        self.entry(name).map_or_else(Caveat::default, |entry| entry.caveat)
    }

    /// Returns the agent `name` as a cell.
    #[must_use]
    pub fn cell(&self, name: &str) -> Cell {
        Cell::Name { shown: self.shown(name).to_owned(), name: name.to_owned() }
    }

    /// Returns the legend: the specs of agents that tables call by other names.
    pub fn legend(&self) -> impl Iterator<Item = Note> + use<'_> {
        let others = self.0.iter().filter(|entry| entry.shown != entry.spec);
        others.map(|Entry { shown, spec, .. }| Note {
            brief: abridged(spec).map(|short| format!("{shown} = {short}")),
            ..Note::new(format!("{shown} = {spec}"))
        })
    }
}

/// The most characters of a spec in a brief legend.
const LONGEST_BRIEF: usize = 240;

/// Returns the beginning of a spec that is too long for a brief legend, and how many values it leaves out; `None` of
/// another spec.
fn abridged(spec: &str) -> Option<String> {
    if spec.chars().count() <= LONGEST_BRIEF {
        return None;
    }
    let parts: Vec<&str> = spec.split(", ").collect();
    let fits = |n: &usize| parts[..*n].join(", ").chars().count() <= LONGEST_BRIEF;
    let n = (1..parts.len()).rev().find(fits)?;
    Some(format!("{}, … {} more values)", parts[..n].join(", "), parts.len() - n))
}

/// Returns the next name of a kind.
fn numbered<'a>(kind: &'a str, assigned: &mut Vec<&'a str>) -> String {
    assigned.push(kind);
    let number = assigned.iter().filter(|known| **known == kind).count();
    format!("{kind}#{number}")
}

/// Returns the chains of names in undecided order, in one sentence: `a before b before c; d before e`. Each pair is two
/// places of `order` that are neighbours, given by the first.
#[must_use]
pub fn chains(order: &[&str], open: &[usize]) -> String {
    let mut chains: Vec<Vec<&str>> = Vec::new();
    let mut last = None;
    for &place in open {
        match chains.last_mut().filter(|_| last == Some(place)) {
            Some(chain) => chain.push(order[place + 1]),
            None => chains.push(vec![order[place], order[place + 1]]),
        }
        last = Some(place + 1);
    }
    let chains: Vec<String> = chains.iter().map(|chain| chain.join(" before ")).collect();
    chains.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::config::TournamentConfig;

    fn plan(agents: &[&str]) -> Plan {
        let config = TournamentConfig {
            game: Some("pig".to_owned()),
            players: Some(agents.len()),
            agents: Some(agents.iter().map(|&text| text.to_owned()).collect()),
            ..TournamentConfig::default()
        };
        Plan::new(config, &|_| unreachable!("no file is named")).unwrap()
    }

    #[test]
    fn a_legend_without_end_is_abridged_for_brief_pages() {
        let values: Vec<String> = (0..50).map(|i| format!("weight{i}={i}.5")).collect();
        let spec = format!("greedy({})", values.join(", "));
        let short = abridged(&spec).unwrap();
        assert!(short.starts_with("greedy(weight0=0.5, weight1=1.5, "), "{short}");
        assert!(short.ends_with(", … 33 more values)") && short.chars().count() < 265, "{short}");
        assert_eq!(abridged("greedy(epsilon=0.1)"), None);
    }

    #[test]
    fn long_specs_get_short_names_and_labels_stay() {
        let plan = plan(&[
            "mcts(iterations=1, c=2)",
            "fast=mcts(iterations=2, c=2)",
            "greedy",
            "mcts(iterations=3, c=2)",
        ]);
        let legend = |names: &Names| names.legend().map(|note| note.text).collect::<Vec<_>>();
        let long = Names::of(&plan, usize::MAX);
        assert_eq!(long.shown("mcts(iterations=1, c=2)"), "mcts(iterations=1, c=2)");
        assert_eq!(legend(&long), ["fast = mcts(iterations=2, c=2)"]);
        let short = Names::of(&plan, 10);
        assert_eq!(
            legend(&short),
            [
                "mcts#1 = mcts(iterations=1, c=2)",
                "fast = mcts(iterations=2, c=2)",
                "mcts#2 = mcts(iterations=3, c=2)",
            ]
        );
        assert_eq!(
            (short.shown("greedy"), short.spec("fast")),
            ("greedy", "mcts(iterations=2, c=2)")
        );
    }

    #[test]
    fn what_no_plan_lists_gets_short_names_too() {
        let specs = ["greedy(epsilon=0.25)", "random", "options.rounds=5, cards.loot.cost=10"];
        let names = Names::of_specs(&specs.map(str::to_owned), "rules", 12);
        let shown = specs.map(|spec| names.shown(spec).to_owned());
        assert_eq!(shown, ["greedy#1", "random", "rules#1"]);
        let legend: Vec<String> = names.legend().map(|note| note.text).collect();
        let expected =
            ["greedy#1 = greedy(epsilon=0.25)", "rules#1 = options.rounds=5, cards.loot.cost=10"];
        assert_eq!(legend, expected);
    }

    #[test]
    fn pairs_that_touch_are_one_chain() {
        let order = ["a", "b", "c", "d", "e", "f"];
        assert_eq!(chains(&order, &[0, 1, 3]), "a before b before c; d before e");
        assert_eq!(chains(&order, &[4]), "e before f");
        assert_eq!(chains(&order, &[0, 2, 4]), "a before b; c before d; e before f");
    }
}
