//! The options of a comparison. Each is declared once: as an option of the command line, in the printed command, and
//! as a key of the manifest.

use serde::{Deserialize, Serialize};

use super::metric::spelled_from_one;
use sim::config::{Played, RuleSet, helped, options_text};
use sim::document::object;
use sim::error::Arm;

/// The request as given; missing options have defaults.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, clap::Args)]
#[serde(rename_all = "kebab-case")]
#[command(mut_args(helped(
    "rules",
    "Rules file (TOML) that overrides the default rules, for both sides"
)))]
#[command(mut_args(helped(
    "set",
    "Change one rule for both sides, as in options.rounds=5 (repeatable)"
)))]
pub struct Request {
    /// Game and players.
    #[serde(flatten)]
    #[command(flatten)]
    pub played: Played,
    /// Candidate, then baseline; for two rule sets one agent for all seats, or one for each seat [default for rule
    /// sets: the game's]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long = "agent", value_name = "SPEC")]
    pub agents: Vec<String>,
    /// Rules and settings of both arms.
    #[serde(flatten)]
    #[command(flatten)]
    pub rules: RuleSet,
    /// Rules and settings of each arm over these; empty for a comparison of agents.
    #[serde(flatten)]
    #[command(flatten)]
    pub arms: ArmRules,
    /// Metric to compare between rule sets, as in seat=1 or plies [default: a panel of metrics]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "NAME")]
    pub metric: Option<String>,
    /// Smallest effect worth finding, in either direction, in units of the metric [default: 0.05 points per game]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    pub effect: Option<f64>,
    /// Effect under H0, instead of --effect (one-sided for agents) [default: 0]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "A", value_parser = number, allow_hyphen_values = true)]
    pub h0: Option<f64>,
    /// Effect under H1, above --h0
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "B", value_parser = number, allow_hyphen_values = true)]
    pub h1: Option<f64>,
    /// Type I error: probability to call equals better or worse [default: 0.05]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    pub alpha: Option<f64>,
    /// Type II error: probability to report no difference where it is --effect [default: 0.05]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "P", value_parser = number, allow_hyphen_values = true)]
    pub beta: Option<f64>,
    /// Most blocks; the test ends undecided then [default: 20000]
    #[serde(rename = "max-blocks", skip_serializing_if = "Option::is_none")]
    #[arg(long = "max-blocks", value_name = "N", value_parser = sim::config::numbers::whole)]
    pub most_blocks: Option<u64>,
    /// Play exactly N blocks and test once, instead of the sequential test
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = sim::config::numbers::whole)]
    pub fixed: Option<u64>,
    /// Seed of the run; the same seed gives the same games [default: 1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_parser = sim::config::numbers::whole)]
    pub seed: Option<u64>,
    /// Start from a recorded position: before ply PLY of game GAME in FILE (both from 1), under the rules of that
    /// game; --set-a and --set-b add treatments
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FILE:GAME:PLY")]
    pub from: Option<String>,
    /// Start from many recorded positions in turn, a block from each: FILE lists one a line, as --from takes it; * as
    /// the game is every game of that file
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FILE")]
    pub starts: Option<String>,
    /// Take the positions of --starts in a random order, anew in each pass, as the seed says
    #[serde(rename = "draw-starts", skip_serializing_if = "Option::is_none")]
    #[arg(
            long,
            value_name = "BOOL",
            num_args = 0..=1,
            require_equals = true,
            default_missing_value = "true",
            hide_possible_values = true
        )]
    pub draw_starts: Option<bool>,
    /// Also report the effect without the luck of the dice, where that reduces the variance
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(
            long,
            value_name = "BOOL",
            num_args = 0..=1,
            require_equals = true,
            default_missing_value = "true",
            hide_possible_values = true
        )]
    pub luck: Option<bool>,
}

/// The rules of each arm, over the common rules.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::Args)]
#[serde(rename_all = "kebab-case")]
pub struct ArmRules {
    /// Rules file (TOML) of side A, instead of --rules
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FILE")]
    pub rules_a: Option<String>,
    /// Change one rule of side A, as in options.rounds=5 (repeatable)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "KEY=VALUE")]
    pub set_a: Vec<String>,
    /// Rules file (TOML) of side B, instead of --rules
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FILE")]
    pub rules_b: Option<String>,
    /// Change one rule of side B, as in options.rounds=5 (repeatable)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "KEY=VALUE")]
    pub set_b: Vec<String>,
}

impl ArmRules {
    /// Combines the rule sets of A and B.
    #[must_use]
    pub fn new(a: RuleSet, b: RuleSet) -> Self {
        Self { rules_a: a.file, set_a: a.settings, rules_b: b.file, set_b: b.settings }
    }

    /// Returns the rule set of one arm.
    #[must_use]
    pub fn of(&self, arm: Arm) -> RuleSet {
        let (file, settings) = match arm {
            Arm::A => (&self.rules_a, &self.set_a),
            Arm::B => (&self.rules_b, &self.set_b),
        };
        RuleSet { file: file.clone(), settings: settings.clone() }
    }

    /// Returns the rule set of one arm over the rules that both have in common.
    #[must_use]
    pub fn over(&self, common: &RuleSet, arm: Arm) -> RuleSet {
        let own = self.of(arm);
        let settings = common.settings.iter().cloned().chain(own.settings);
        RuleSet { file: own.file.or_else(|| common.file.clone()), settings: settings.collect() }
    }

    /// Returns true if both sides are unchanged, so that agents are compared.
    #[must_use]
    pub fn are_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Parses a finite number, for options that take one.
///
/// # Errors
/// If the text is not a finite number.
pub fn number(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "expected a number".to_owned())
}

impl Request {
    /// Returns the command that makes this request.
    #[must_use]
    pub fn command(&self) -> String {
        format!("caesar compare {}", self.options())
    }

    /// Returns the options that make this request, quoted for a shell.
    #[must_use]
    pub fn options(&self) -> String {
        let metric = self.metric.clone();
        let metric = metric.map(|name| spelled_from_one(&name).unwrap_or(name));
        options_text(object(&Self { metric, ..self.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};

    use super::*;

    /// Every request survives the printed command and the manifest unchanged.
    #[test]
    fn the_options_that_it_writes_are_the_options_that_it_reads() {
        let side = |name: &str| RuleSet {
            file: Some(format!("{name}.toml")),
            settings: vec![format!("{name}=1"), "y=2".to_owned()],
        };
        let all = Request {
            played: Played::new("pig", 3),
            agents: vec!["greedy".to_owned(), "mcts(c=1)".to_owned()],
            rules: side("both"),
            arms: ArmRules::new(side("a"), side("b")),
            metric: Some("plies".to_owned()),
            effect: Some(5.0),
            h0: Some(-0.25),
            h1: Some(0.5),
            alpha: Some(0.1),
            beta: Some(0.2),
            most_blocks: Some(40),
            fixed: Some(50),
            seed: Some(6),
            from: Some("g.jsonl:1:2".to_owned()),
            starts: Some("s.txt".to_owned()),
            draw_starts: Some(true),
            luck: Some(true),
        };
        let options = all.options();
        assert_eq!(
            options,
            "--game pig --players 3 --agent greedy --agent 'mcts(c=1)' --rules both.toml --set both=1 --set y=2 \
             --rules-a a.toml --set-a a=1 --set-a y=2 --rules-b b.toml --set-b b=1 --set-b y=2 --metric plies \
             --effect 5 --h0 -0.25 --h1 0.5 --alpha 0.1 --beta 0.2 --max-blocks 40 --fixed 50 --seed 6 --from g.jsonl:1:2 \
             --starts s.txt --draw-starts --luck"
        );
        let words = options.split_whitespace().map(|word| word.trim_matches('\'').to_owned());
        let command = Request::augment_args(Command::new("c").no_binary_name(true));
        let matches = command.try_get_matches_from(words).unwrap();
        assert_eq!(Request::from_arg_matches(&matches).unwrap(), all);
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<Request>(&text).unwrap(), all);
    }
}
