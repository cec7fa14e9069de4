//! The command that reproduces a ladder.

use agents::Template;

use super::{Request, Rung};
use crate::compare::{Comparison, Design};
use sim::config::quoted;
use sim::stats::Sides;

/// Returns the command with everything that the result depends on, and no more; `step` is any of the steps.
pub(super) fn command(
    request: &Request,
    template: &Template,
    rungs: &[Rung],
    step: &Comparison,
    seed: u64,
) -> String {
    let plan = &step.plans[0];
    let values: Vec<String> = rungs.iter().map(|rung| rung.value.to_string()).collect();
    let mut words = vec![
        format!("caesar ladder --game {} --players {}", plan.setup.game, plan.players),
        format!("--agent {}", quoted(&template.with_label())),
        format!("--values {}", values.join(",")),
    ];
    let rules = &request.step.rules;
    words.extend(rules.file.iter().map(|path| format!("--rules {}", quoted(path))));
    words.extend(rules.settings.iter().map(|setting| format!("--set {}", quoted(setting))));
    if let Design::Sequential(question) = &step.design {
        words.push(match question.sides {
            Sides::Both => format!("--effect {}", question.h1),
            Sides::Above => format!("--h0 {} --h1 {}", question.h0, question.h1),
        });
        words.push(format!("--alpha {} --beta {}", question.alpha, question.beta));
    }
    words.push(format!("--max-blocks {}", step.most_blocks()));
    words.extend(request.total_blocks.map(|blocks| format!("--total-blocks {blocks}")));
    words.push(format!("--seed {seed}"));
    words.join(" ")
}
