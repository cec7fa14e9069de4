//! The options that many commands have in common, each declared once: as an option of the command, in the command that
//! is printed, and as a key of the manifest.

use serde::{Deserialize, Serialize};

use super::DEFAULT_GAME;
use super::numbers::seats;

/// A game and the size of its table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::Args)]
pub struct Played {
    /// The game [default: conquest2]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long)]
    pub game: Option<String>,
    /// Number of players [default: that of the game]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = seats)]
    pub players: Option<usize>,
}

impl Played {
    /// This game with so many players.
    #[must_use]
    pub fn new(game: &str, players: usize) -> Self {
        Self { game: Some(game.to_owned()), players: Some(players) }
    }

    /// The name of the game, which is the usual one if none is given.
    #[must_use]
    pub fn name(&self) -> &str {
        self.game.as_deref().unwrap_or(DEFAULT_GAME)
    }
}

/// A rules file and settings over it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::Args)]
pub struct RuleSet {
    /// Rules file (TOML) over the default rules
    #[serde(rename = "rules", skip_serializing_if = "Option::is_none")]
    #[arg(long = "rules", id = "rules", value_name = "FILE")]
    pub file: Option<String>,
    /// Change one rule, as in options.rounds=5 (repeatable)
    #[serde(rename = "set", default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long = "set", id = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
}

impl RuleSet {
    /// Whether it changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Gives the option `id` another help in one command.
pub(crate) fn helped(id: &'static str, help: &'static str) -> impl FnMut(clap::Arg) -> clap::Arg {
    move |arg| if arg.get_id() == id { arg.help(help) } else { arg }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{arc, balance, tune};

    /// Serde promises neither of structs with others within them.
    #[test]
    fn keys_of_requests_keep_their_order_and_unknown_ones_are_refused() {
        let rules = RuleSet { file: Some("r.toml".to_owned()), settings: vec!["x=1".to_owned()] };
        let played = Played::new("pig", 3);
        let asked = tune::request::Request { played, rules, seed: Some(2), ..Default::default() };
        let said = "--game pig --players 3 --seed 2 --rules r.toml --set x=1";
        assert_eq!(asked.command(), format!("caesar tune {said}"));
        let json = serde_json::to_value(&asked).unwrap();
        assert_eq!(serde_json::from_value::<tune::request::Request>(json).unwrap(), asked);
        let bad = r#"{"game":"pig","gaem":"pig"}"#;
        let errors = [
            serde_json::from_str::<tune::request::Request>(bad).unwrap_err(),
            serde_json::from_str::<balance::request::Request>(bad).unwrap_err(),
            serde_json::from_str::<arc::request::Request>(bad).unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().starts_with("unknown field `gaem`"), "{error}");
        }
    }
}
