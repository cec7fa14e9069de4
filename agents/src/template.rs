//! A spec with one open number, as in `mcts(iterations=?)`: a family of agents that differ only in this number.

use std::str::FromStr;

use crate::param::{Domain, Param, WEIGHT, unknown};
use crate::spec::{AgentSpec, BadSpec, head, params_anywhere, weights_anywhere};

/// The placeholder of the number.
const OPEN: char = '?';

/// A spec with one open number.
///
/// # Example
/// ```
/// let template: agents::Template = "mcts(iterations=?, c=0.7)".parse()?;
/// assert_eq!((template.name(), template.is_whole()), ("iterations", true));
/// assert_eq!(template.fill(100.0)?.to_string(), "mcts(iterations=100, c=0.7)");
/// # Ok::<(), agents::BadSpec>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    /// The label before the spec.
    label: Option<String>,
    /// The spec before and after the open number.
    around: [String; 2],
    name: String,
    domain: Domain,
}

impl Template {
    /// Returns the name of the open parameter or weight.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether only whole numbers are accepted.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        matches!(self.domain, Domain::Whole { .. })
    }

    /// Returns the spec with the number, in the user's spelling and without a label.
    fn text(&self, value: f64) -> String {
        let [before, after] = &self.around;
        format!("{before}{value}{after}")
    }

    /// Returns the agent with this number. The number is appended to the label, if there is one.
    ///
    /// # Errors
    /// If the parameter does not accept the number: the message lists the accepted values.
    pub fn fill(&self, value: f64) -> Result<AgentSpec, BadSpec> {
        let spec = self.text(value);
        self.label.as_ref().map_or_else(|| spec.parse(), |l| format!("{l}-{value}={spec}").parse())
    }

    /// Returns the text of the template, with the label first.
    #[must_use]
    pub fn with_label(&self) -> String {
        let label = self.label.as_ref().map_or_else(String::new, |label| format!("{label}="));
        let [before, after] = &self.around;
        format!("{label}{before}{OPEN}{after}")
    }
}

impl FromStr for Template {
    type Err = BadSpec;

    fn from_str(whole: &str) -> Result<Self, BadSpec> {
        read(whole).map_err(|message| BadSpec { spec: whole.to_owned(), message })
    }
}

fn read(whole: &str) -> Result<Template, String> {
    let (label, text, kind) = head(whole)?;
    let example = "as in mcts(iterations=?)";
    let place = match open_places(text)[..] {
        [] if text.contains(OPEN) => {
            return Err(format!(
                "the {OPEN} stands in a quoted text, which is handed on as it is: leave a number of the agent itself \
                 open, {example}; programs that differ in their command are compared two at a time"
            ));
        }
        [] => return Err(format!("no number is left open: put ? in place of one, {example}")),
        [place] => place,
        _ => return Err(format!("several numbers are left open: leave one, {example}")),
    };
    let (before, after) = (&text[..place], &text[place + OPEN.len_utf8()..]);
    let name = before.trim_end().strip_suffix('=').map(str::trim_end);
    let name = name.filter(|_| after.trim_start().starts_with([',', ')']));
    let name = name.and_then(|text| Some(text.rsplit_once(['(', ','])?.1.trim()));
    let name =
        name.ok_or_else(|| format!("? stands for the whole value of one parameter, {example}"))?;
    let param = match name.strip_prefix(WEIGHT) {
        Some(weight) => named("weight", weight, &mut weights_anywhere(kind))?,
        None => named("parameter", name, &mut params_anywhere(kind))?,
    };
    if !matches!(param.domain, Domain::Number { .. } | Domain::Whole { .. }) {
        let range = param.range_text();
        return Err(format!(
            "{name} takes no numbers (accepted: {range}): leave a number open, {example}"
        ));
    }
    Ok(Template {
        label: label.map(str::to_owned),
        around: [before, after].map(str::to_owned),
        name: name.to_owned(),
        domain: param.domain,
    })
}

/// Returns the parameter called `name` among `all`.
fn named(
    what: &str,
    name: &str,
    all: &mut dyn Iterator<Item = &'static Param>,
) -> Result<&'static Param, String> {
    let mut others = Vec::new();
    for param in all {
        if param.name == name {
            return Ok(param);
        }
        others.push(param.name);
    }
    others.sort_unstable();
    others.dedup();
    Err(unknown(what, name, &others))
}

/// Returns the places of open numbers, outside quotes.
fn open_places(text: &str) -> Vec<usize> {
    let mut is_quoted = false;
    let open = text.char_indices().filter(|&(_, c)| {
        is_quoted ^= c == '"';
        c == OPEN && !is_quoted
    });
    open.map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<Template>().unwrap_err().to_string()
    }

    #[test]
    fn one_number_is_open_and_all_else_stays() {
        let filled = |text: &str, value: f64| -> String {
            let template: Template = text.parse().unwrap();
            template.fill(value).unwrap().with_label()
        };
        assert_eq!(filled("mcts( iterations = ? )", 64.0), "mcts(iterations=64)");
        assert_eq!(
            filled("fast=mcts(c=0.5, iterations=?)", 5.0),
            "fast-5=mcts(iterations=5, c=0.5)"
        );
        assert_eq!(filled("greedy(weights.city=?)", 2.5), "greedy(weights.city=2.5)");
        let quoted = r#"external(command="bot --what ?", seconds=?)"#;
        assert_eq!(filled(quoted, 3.0), r#"external(command="bot --what ?", seconds=3)"#);
        let template: Template = " a=greedy(epsilon=?) ".parse().unwrap();
        assert_eq!(template.with_label().parse::<Template>().unwrap(), template);
        assert!(!template.is_whole());
    }

    #[test]
    fn what_is_no_number_or_no_parameter_is_refused_by_its_name() {
        assert!(
            refused("mcts(iteration=?)")
                .contains("unknown parameter \"iteration\" (nearest: iterations)")
        );
        assert!(refused("mct(iterations=?)").contains("unknown kind \"mct\" (nearest: mcts)"));
        assert!(
            refused("greedy(weights.cty=?)").contains("unknown weight \"cty\" (nearest: city)")
        );
        assert!(refused("mcts(horizon=?)").contains("horizon takes no numbers (accepted: "));
        assert!(refused("external(command=?)").contains("command takes no numbers"));
        assert!(refused("mcts(iterations=100)").contains("no number is left open: put ? in place"));
        let quoted = refused("external(command=\"bot --depth ?\")");
        assert!(quoted.contains("the ? stands in a quoted text"), "{quoted}");
        assert!(refused("mcts(iterations=?, c=?)").contains("several numbers are left open"));
        for odd in ["mcts(iterations=1?)", "mcts(?=5)", "mcts(?)", "mcts(iterations=?0)"] {
            assert!(refused(odd).contains("the whole value of one parameter"), "{odd}");
        }
        let template: Template = "mcts(iterations=?)".parse().unwrap();
        for (value, word) in
            [(0.0, "out of range"), (1.5, "no whole number"), (-1.0, "out of range")]
        {
            let complaint = template.fill(value).unwrap_err().to_string();
            assert!(complaint.contains(word) && complaint.contains("(accepted: "), "{complaint}");
        }
    }
}
