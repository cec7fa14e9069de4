//! The command that makes a comparison again.

use agents::AgentSpec;

use super::metric::Metric;
use super::{Design, Request, RuleSet};
use crate::config::{Plan, quoted};
use crate::stats::Question;

/// Everything that the result depends on, and nothing else.
pub(super) fn command(
    request: &Request,
    plan: &Plan,
    agents: &[AgentSpec],
    design: &Design,
    metric: Option<&Metric>,
) -> String {
    let mut words = begun(request, plan, agents);
    words.extend(metric.map(|metric| format!("--metric {}", quoted(metric.name()))));
    match design {
        Design::Sequential(question) => words.extend(sequential(question, plan.blocks)),
        Design::Fixed(null) => {
            words.extend((null.h0 != 0.0).then(|| format!("--h0 {}", null.h0)));
            words.push(format!("--fixed {}", plan.blocks));
        }
    }
    words.push(format!("--seed {}", plan.seed));
    words.join(" ")
}

/// The same for a panel.
pub(super) fn panel_command(request: &Request, plan: &Plan, alpha: f64, beta: f64) -> String {
    let mut words = begun(request, plan, &plan.lineup);
    words.push(format!("--alpha {alpha} --beta {beta}"));
    words.push(format!("--max-blocks {} --seed {}", plan.blocks, plan.seed));
    words.join(" ")
}

/// The command down to the rules.
fn begun(request: &Request, plan: &Plan, agents: &[AgentSpec]) -> Vec<String> {
    let mut words = vec!["caesar compare".to_owned()];
    words.push(format!("--game {} --players {}", plan.setup.game, plan.players));
    let agent = |spec: &AgentSpec| format!("--agent {}", quoted(&spec.with_label()));
    words.extend(agents.iter().map(agent));
    words.extend(request.from.iter().map(|spec| format!("--from {}", quoted(spec))));
    words.extend(rules(&request.rules, ""));
    words.extend(rules(&request.arms[0], "-a"));
    words.extend(rules(&request.arms[1], "-b"));
    words
}

/// The options of a sequential test.
fn sequential(question: &Question, most_blocks: u64) -> [String; 3] {
    let Question { h0, h1, alpha, beta, .. } = question;
    let hypotheses = match *h0 {
        0.0 => format!("--effect {h1}"),
        _ => format!("--h0 {h0} --h1 {h1}"),
    };
    let errors = format!("--alpha {alpha} --beta {beta}");
    [hypotheses, errors, format!("--max-blocks {most_blocks}")]
}

/// The options that give a rule set, ending in `suffix`.
fn rules(set: &RuleSet, suffix: &str) -> impl Iterator<Item = String> {
    let file = set.file.iter().map(move |path| format!("--rules{suffix} {}", quoted(path)));
    let setting = move |setting: &String| format!("--set{suffix} {}", quoted(setting));
    file.chain(set.settings.iter().map(setting))
}
