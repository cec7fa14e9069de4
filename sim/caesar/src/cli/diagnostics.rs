//! Names of settings in error messages. The library names settings and values; messages name the option or the line of
//! the configuration file that set them.

use engine::{BadRules, RuleSource};
use toml_edit::{Document, Key};

use sim::config::{TournamentConfig, quoted};
use sim::error::{Arm, Error};

/// Largest length of an error message in characters; quoted input may have any length.
const LONGEST: usize = 2000;

/// Returns the error message in terms of the typed options.
pub(super) fn spelled(error: &Error) -> String {
    shortened(named(error))
}

/// Returns the text, without its middle if it is too long.
fn shortened(text: String) -> String {
    let n = text.chars().count();
    if n <= LONGEST {
        return text;
    }
    let begin: String = text.chars().take(LONGEST / 2).collect();
    let end: String = text.chars().skip(n - LONGEST / 2).collect();
    format!("{begin} … {end}")
}

fn named(error: &Error) -> String {
    match error {
        Error::Rules { bad: BadRules { place, message }, arm } => {
            let side = arm.map_or("", Arm::suffix);
            match place {
                RuleSource::Setting(text) => format!("--set{side} {}: {message}", quoted(text)),
                RuleSource::Players(n) => format!("--players {n}: {message}"),
                place => format!("{place}: {message}"),
            }
        }
        Error::Value { name, value, message } => format!("--{name} {}: {message}", quoted(value)),
        Error::Candidates { given } => format!(
            "{given} --agent given: two are needed, the candidate and the baseline (or two rule sets, as in --set-b \
             KEY=VALUE)"
        ),
        Error::SameRules => {
            "both rule sets are the same: change a rule of one side, as in --set-b KEY=VALUE".to_owned()
        }
        Error::Spec(bad) if bad.spec.trim() == "human" || bad.spec.ends_with("=human") => {
            "--agent human: people sit at the table of `caesar play`, as in caesar play --agent human --agent greedy"
                .to_owned()
        }
        other => other.to_string(),
    }
}

/// Turns an error about a setting of the configuration file at `path` into one about its line, if no option sets it.
/// `given` holds the options, `text` the file.
pub(super) fn in_config(error: Error, given: &TournamentConfig, path: &str, text: &str) -> Error {
    let (name, message) = match &error {
        Error::Rules { bad: BadRules { place: RuleSource::Setting(setting), message }, .. } => {
            if given.set.contains(setting) {
                return error;
            }
            ("set", format!("set \"{setting}\": {message}"))
        }
        Error::Rules { bad: BadRules { place: RuleSource::Players(n), message }, .. } => {
            ("players", format!("players = {n}: {message}"))
        }
        Error::Value { name, value, message } => (*name, format!("{name} = {value}: {message}")),
        Error::Spec(bad) => ("agents", bad.to_string()),
        // Both may cause the error.
        Error::Usage(text) => return Error::Usage(format!("{text} (with --config {path})")),
        _ => return error,
    };
    match line_of(text, name) {
        Some(line) if !given.says(name) => Error::Usage(format!("{path}:{line}: {message}")),
        _ => error,
    }
}

/// Returns the line of a key at the top of a TOML document, from 1.
fn line_of(text: &str, name: &str) -> Option<usize> {
    let document = Document::parse(text).ok()?;
    let span = document.key(name).and_then(Key::span)?;
    Some(text[..span.start].matches('\n').count() + 1)
}

/// Returns the name of the first argument that is not UTF-8, with the option before it.
pub(super) fn no_utf8(args: &[std::ffi::OsString]) -> Option<String> {
    let at = args.iter().position(|arg| arg.to_str().is_none())?;
    let option = args[at.saturating_sub(1)].to_str().filter(|before| before.starts_with("--"));
    let option = option.map_or_else(String::new, |option| format!("{option} "));
    Some(format!("{option}{}", args[at].to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_about_a_long_value_keeps_its_beginning_and_its_end() {
        let long = Error::value("set", "x".repeat(100_000), "no such key");
        let text = spelled(&long);
        assert!(text.chars().count() < LONGEST + 10, "{text}");
        assert!(text.starts_with("--set xxx") && text.ends_with("xxx: no such key"), "{text}");
        assert_eq!(spelled(&Error::value("set", "", "none")), "--set '': none");
    }
}
