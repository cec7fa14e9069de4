//! Short names of agents on a page, with their legend.

use agents::AgentSpec;
use draw::report::Source;

use crate::report::names::Names;

/// The longest name of an agent on a page, in characters.
const LONGEST: usize = 24;
/// Columns with names of agents.
const COLUMNS: [&str; 3] = ["agent", "other", "against"];

/// Replaces long specs by short names in all sources, and adds the legends. A spec has one name on the whole page.
pub(super) fn shorten(sources: &mut [Source]) {
    let mut specs: Vec<String> = Vec::new();
    for source in sources.iter() {
        let listed = source.agents.iter().map(|text| unlabelled(text).1);
        specs.extend(listed.chain(cells(source).map(str::to_owned)));
    }
    let names = Names::of_specs(&specs, "search", LONGEST);
    for source in sources {
        rename(source, &names);
    }
}

/// Returns the label of an agent, if it has one, and its spec in the form that results have.
fn unlabelled(text: &str) -> (Option<String>, String) {
    match text.parse::<AgentSpec>() {
        Ok(agent) => (agent.label().map(str::to_owned), agent.to_string()),
        // A template of a search is no agent.
        Err(_) => (None, text.to_owned()),
    }
}

/// Returns the cells of the columns of agents.
fn cells(source: &Source) -> impl Iterator<Item = &str> {
    source.sheets.iter().flat_map(|sheet| {
        let columns = COLUMNS.iter().filter_map(|name| sheet.column(name));
        let columns: Vec<usize> = columns.collect();
        let rows = sheet.rows.iter();
        rows.flat_map(move |row| columns.clone().into_iter().filter_map(|i| row.get(i)))
            .map(String::as_str)
    })
}

/// Replaces the specs of one source.
fn rename(source: &mut Source, names: &Names) {
    let mut legend: Vec<[String; 2]> = Vec::new();
    for text in &mut source.agents {
        let (label, spec) = unlabelled(text);
        let shown = label.unwrap_or_else(|| names.shown(&spec).to_owned());
        if shown != spec {
            legend.push([shown.clone(), spec]);
        }
        *text = shown;
    }
    for text in cells(source) {
        let shown = names.shown(text);
        if shown != text {
            legend.push([shown.to_owned(), text.to_owned()]);
        }
    }
    for sheet in &mut source.sheets {
        let columns: Vec<usize> = COLUMNS.iter().filter_map(|name| sheet.column(name)).collect();
        for cell in sheet.rows.iter_mut().flat_map(|row| row.iter_mut().enumerate()) {
            if columns.contains(&cell.0) {
                *cell.1 = names.shown(cell.1).to_owned();
            }
        }
    }
    // A spec can be the beginning of another one.
    legend.sort_by_key(|[_, spec]| std::cmp::Reverse(spec.len()));
    legend.dedup();
    for text in source.statements.iter_mut().chain(&mut source.caveats) {
        for [shown, spec] in &legend {
            *text = text.replace(spec.as_str(), shown);
        }
    }
    source.legend = legend;
}

#[cfg(test)]
mod tests {
    use draw::report::{Kind, Sheet};

    use super::*;

    fn source(agents: &[&str], cells: &[&str]) -> Source {
        let sheet = Sheet {
            name: "standings".to_owned(),
            columns: vec!["agent".to_owned(), "share".to_owned()],
            rows: cells.iter().map(|cell| vec![(*cell).to_owned(), "0.5".to_owned()]).collect(),
            ..Sheet::default()
        };
        Source {
            agents: agents.iter().map(|text| (*text).to_owned()).collect(),
            sheets: vec![sheet],
            statements: vec![format!("{} is better", cells[0])],
            ..Source::new(Kind::Tournament, "out")
        }
    }

    #[test]
    fn a_long_spec_has_one_short_name_on_the_whole_page_and_a_label_stays() {
        let long = ["mcts(iterations=2000, c=1.25)", "mcts(iterations=4000, c=1.25)"];
        let mut sources = [
            source(&["wild=random", long[0], "greedy"], &[long[0], "greedy", "wild"]),
            source(&[long[1], long[0]], &[long[1], long[0]]),
        ];
        shorten(&mut sources);
        let first: Vec<&str> =
            sources[0].sheets[0].rows.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(first, ["mcts#1", "greedy", "wild"]);
        assert_eq!(sources[0].agents, ["wild", "mcts#1", "greedy"]);
        assert_eq!(sources[0].statements, ["mcts#1 is better"]);
        assert_eq!(sources[1].agents, ["mcts#2", "mcts#1"]);
        let pair = |name: &str, spec: &str| [name.to_owned(), spec.to_owned()];
        assert_eq!(sources[0].legend, [pair("mcts#1", long[0]), pair("wild", "random")]);
    }
}
