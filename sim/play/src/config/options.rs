//! The options of a tournament, each declared once: an option, a key of configuration files, and a key of the manifest.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::quoted;
use crate::document::object;
use crate::error::Error;
use crate::schedule::Schedule;

/// The requested tournament; each absent value has a default.
///
/// Unlike all other requests it repeats the fields of [`Played`](super::Played) and [`RuleSet`](super::RuleSet). Users
/// write it into files, and errors about a nested struct name neither the line nor the known keys.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TournamentConfig {
    /// Game [default: conquest2]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long)]
    pub game: Option<String>,
    /// Number of players [default: the game's]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = crate::config::numbers::seats)]
    pub players: Option<usize>,
    /// Agent, as in 'greedy(epsilon=0.1)', or with a label, as in 'wild=greedy(epsilon=0.1)'; once for each seat or
    /// more (repeatable) [default: the game's line-up]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long = "agent", value_name = "SPEC")]
    pub agents: Option<Vec<String>>,
    /// Seating: balanced (one table, rotated through all seats in every block), round-robin (all tables of a larger
    /// pool, rotated), gauntlet (the first agent against all tables of the others, rotated), exhaustive (every
    /// seating in every block), fixed (as given), adaptive (as --adaptive), swiss (rounds of a large pool at tables of
    /// two: equal points meet), knock-out (the same, and losers are out) [default: balanced]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "NAME", hide_possible_values = true)]
    pub schedule: Option<Schedule>,
    /// Number of rounds of --schedule swiss [default: two more than a knock-out of the pool]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = crate::config::numbers::whole)]
    pub rounds: Option<u64>,
    /// Number of blocks [default: 500, rounded up to whole cycles of the schedule; without --agent a few seconds'
    /// worth]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", conflicts_with = "games", value_parser = crate::config::numbers::whole)]
    pub blocks: Option<u64>,
    /// Number of games, instead of --blocks
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "N", value_parser = crate::config::numbers::whole)]
    pub games: Option<u64>,
    /// Seed of the run; the same seed gives the same games [default: 1]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_parser = crate::config::numbers::whole)]
    pub seed: Option<u64>,
    /// Also report the luck of the dice for each seat (result minus exact odds), and shares without luck where that
    /// reduces the variance; adds a column to games.csv and seats.csv
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
    /// Rules file (TOML) that overrides the default rules
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FILE")]
    pub rules: Option<String>,
    /// Change one rule, as in options.rounds=5 (repeatable)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Forbid something to a seat or remove it from the game, as in always.seat1.action.tax or deck.loot; short for
    /// --set ban.WHAT=true (repeatable)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[arg(long, value_name = "WHAT")]
    pub ban: Vec<String>,
    /// Start from a recorded position: before ply PLY of game GAME in FILE (both from 1), under the rules of that
    /// game; --set adds treatments. FILE alone is a position made by hand, as `caesar show --position` prints it
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FILE:GAME:PLY")]
    pub from: Option<String>,
    /// Start from many recorded positions in turn, a block from each: FILE lists one a line, as --from takes it; * as
    /// the game is every game of that file
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "FILE")]
    pub starts: Option<String>,
    /// Take the positions of --starts in a random order, anew in each pass, as the seed says
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(
            long,
            value_name = "BOOL",
            num_args = 0..=1,
            require_equals = true,
            default_missing_value = "true",
            hide_possible_values = true
        )]
    pub draw_starts: Option<bool>,
    /// The rule overrides of a record or a manifest, above all other layers; neither a file nor an option sets them.
    #[serde(skip)]
    #[arg(skip)]
    pub recorded: Option<Json>,
}

impl TournamentConfig {
    /// Reads a TOML document; `name` is its name in errors.
    ///
    /// # Errors
    /// If it is not TOML, or has an unknown key or a wrong type.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        toml_edit::de::from_str(text).map_err(|e: toml_edit::de::Error| {
            let line = e.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            let message = e.message().split_whitespace().collect::<Vec<_>>().join(" ");
            // The library's messages name Rust types.
            let message = ["usize", "u64"].into_iter().fold(message, |message, kind| {
                message.replace(&format!("expected {kind}"), "expected a whole number from 0")
            });
            Error::Usage(format!("{name}:{line}: {message}"))
        })
    }

    fn of(by_key: Map<String, Json>) -> Self {
        serde_json::from_value(Json::Object(by_key)).expect("it was written from such options")
    }

    /// Returns whether this configuration alone decides the key `name`; `set` and `ban` add up over configurations.
    #[must_use]
    pub fn says(&self, name: &str) -> bool {
        !["set", "ban"].contains(&name) && object(self).contains_key(name)
    }

    /// Returns this configuration with missing values from `other`; the settings of both count, and these come last.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let mut by_key = object(&other);
        if self.blocks.is_some() || self.games.is_some() {
            by_key.remove("blocks");
            by_key.remove("games");
        }
        by_key.extend(object(&self));
        Self {
            set: other.set.into_iter().chain(self.set).collect(),
            ban: other.ban.into_iter().chain(self.ban).collect(),
            recorded: self.recorded.or(other.recorded),
            ..Self::of(by_key)
        }
    }

    /// Returns the command-line options for this configuration, quoted for a shell.
    #[must_use]
    pub fn options(&self) -> String {
        options_text(object(self))
    }
}

/// Returns the command-line options for values by key, quoted for a shell.
#[must_use]
pub fn options_text(by_key: Map<String, Json>) -> String {
    let words: Vec<String> = options_words(by_key).iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// Returns the command-line options for values by key, as words.
#[must_use]
pub fn options_words(by_key: Map<String, Json>) -> Vec<String> {
    let word = |value: &Json| match (value.as_str(), value.as_f64()) {
        (Some(text), _) => text.to_owned(),
        // A whole value of a fractional option is written without a fraction.
        (None, Some(number)) if value.is_f64() => number.to_string(),
        _ => value.to_string(),
    };
    let mut words = Vec::new();
    for (key, value) in by_key {
        // An option is repeated for each value.
        let option = format!("--{}", if key == "agents" { "agent" } else { &key });
        match value {
            Json::Array(values) => {
                words.extend(values.iter().flat_map(|value| [option.clone(), word(value)]));
            }
            Json::Bool(true) => words.push(option),
            Json::Bool(false) => words.push(format!("{option}=false")),
            value => words.extend([option, word(&value)]),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_counts() {
        let set = |key: &str| vec![format!("{key}=1")];
        let flags =
            TournamentConfig { games: Some(8), set: set("b"), ..TournamentConfig::default() };
        let text = "blocks = 3\nseed = 7\nschedule = \"fixed\"\nset = [\"a=1\"]";
        let file = TournamentConfig::parse("f", text).unwrap();
        assert!(file.says("blocks") && !file.says("games") && !file.says("set"));
        let both = flags.or(file);
        assert_eq!((both.blocks, both.games, both.seed), (None, Some(8), Some(7)));
        assert_eq!(both.schedule, Some(Schedule::Fixed));
        assert_eq!(both.set, ["a=1", "b=1"]);
    }

    #[test]
    fn a_config_with_an_unknown_key_is_refused_with_its_line() {
        let error = TournamentConfig::parse("f.toml", "seed = 1\nsede = 2").unwrap_err();
        assert!(error.to_string().starts_with("f.toml:2: unknown field `sede`"), "{error}");
        let error = TournamentConfig::parse("f.toml", "blocks = -1").unwrap_err();
        assert!(error.to_string().ends_with("expected a whole number from 0"), "{error}");
    }

    /// For every key, the command line accepts the name that [`TournamentConfig::options`] writes.
    #[test]
    fn the_options_that_it_writes_are_the_options_that_it_reads() {
        use clap::{Args, Command, FromArgMatches};
        let text = "game = \"pig\"\nplayers = 3\nagents = [\"greedy\", \"mcts(c=1, d=2)\"]\n\
                    schedule = \"round-robin\"\nrounds = 6\nblocks = 4\nseed = 5\nluck = true\nrules = \"a b.toml\"\nset = [\"x=1\", \"y=2\"]\n\
                    from = \"g.jsonl:1:2\"\nstarts = \"s.txt\"\ndraw-starts = true\nban = [\"deck.x\"]";
        let config = TournamentConfig::parse("f", text).unwrap();
        let options = config.options();
        assert_eq!(
            options,
            "--game pig --players 3 --agent greedy --agent 'mcts(c=1, d=2)' --schedule round-robin \
             --rounds 6 --blocks 4 --seed 5 --luck --rules 'a b.toml' --set x=1 --set y=2 --ban deck.x --from g.jsonl:1:2 \
             --starts s.txt --draw-starts"
        );
        // Only words in quotes contain blanks.
        let words = options.split('\'').enumerate().flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        });
        let command = TournamentConfig::augment_args(Command::new("c").no_binary_name(true));
        let matches = command.try_get_matches_from(words).unwrap();
        assert_eq!(TournamentConfig::from_arg_matches(&matches).unwrap(), config);
    }
}
