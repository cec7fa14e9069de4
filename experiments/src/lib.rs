//! The experiments of the project, a folder for each: the question, the configs that run, the resulting tables, and the
//! answer.
//!
//! `NAME/experiment.toml` has the question and lists the commands, `NAME/tables.md` has their output (`just report
//! NAME` writes it anew), and `NAME/README.md` has the answer in words. All of it is compiled in or tested, so that
//! none of it rots.

use serde::Deserialize;

/// A question, and the commands that answer it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// The question; it ends with a question mark.
    pub question: String,
    /// The commands, in the order of the tables.
    #[serde(rename = "run")]
    pub runs: Vec<Run>,
}

/// A command of an experiment, without the word `caesar`, to be run at the root of the project.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The title of its table.
    pub title: String,
    /// The command and its subject.
    pub args: Vec<String>,
    /// The length of the run, and its seed.
    #[serde(default)]
    pub length: Vec<String>,
    /// Options instead of `length` for a test that checks only that the command still runs.
    pub smoke: Vec<String>,
}

impl Experiment {
    /// Reads the text of an `experiment.toml`.
    ///
    /// # Errors
    /// If it is none; the message names the place.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml_edit::de::from_str(text).map_err(|error| error.to_string())
    }
}

impl Run {
    /// Returns the whole command.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        [self.args.clone(), self.length.clone()].concat()
    }

    /// Returns whether the command prints a table that can be printed as Markdown.
    #[must_use]
    pub fn is_table(&self) -> bool {
        self.args.first().is_some_and(|command| command == "tournament")
    }

    /// Returns the whole command in the form for a page of tables.
    #[must_use]
    pub fn printed_words(&self) -> Vec<String> {
        let form: &[&str] = if self.is_table() { &["--format", "markdown"] } else { &[] };
        self.words().into_iter().chain(form.iter().map(|&word| word.to_owned())).collect()
    }

    /// Returns the shortest form of the command: few games, and searches with few iterations.
    #[must_use]
    pub fn smoke_words(&self) -> Vec<String> {
        self.args.iter().chain(&self.smoke).map(|word| hasty(word)).collect()
    }

    /// Returns the whole command as a user types it.
    #[must_use]
    pub fn typed(&self) -> String {
        let words: Vec<String> = self.words().iter().map(|word| quoted(word)).collect();
        format!("caesar {}", words.join(" "))
    }
}

/// Returns the head of the page of tables of the experiment in folder `name`.
#[must_use]
pub fn head(name: &str, experiment: &Experiment) -> String {
    let question = &experiment.question;
    format!(
        "# Tables: {question}\n\nWritten by `just report {name}`; the answer in words stands in \
         [README.md](README.md).\n"
    )
}

/// Returns the part of that page for a command and its output.
#[must_use]
pub fn section(run: &Run, printed: &str) -> String {
    let (title, typed) = (&run.title, run.typed());
    let body = match run.is_table() {
        true => printed.to_owned(),
        false => format!("```text\n{}```\n", without_speed(run, printed)),
    };
    format!("\n## {title}\n\n```sh\n{typed}\n```\n\n{body}")
}

/// Returns the output of `run` without its speed, unless the command measures speed.
fn without_speed(run: &Run, printed: &str) -> String {
    let is_wanted = run.args.first().is_some_and(|command| command == "speed");
    let lines = printed.lines().filter(|line| is_wanted || !line.starts_with("speed "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Returns a search with the iterations of a smoke test; other words as they are.
fn hasty(word: &str) -> String {
    const BUDGET: &str = "iterations=20";
    match word.strip_prefix("mcts") {
        Some("") => format!("mcts({BUDGET})"),
        Some(settings) => match settings.split_once("iterations=") {
            Some((before, after)) => {
                let behind = after.trim_start_matches(|c: char| c.is_ascii_digit());
                format!("mcts{before}{BUDGET}{behind}")
            }
            None => word.replacen('(', &format!("({BUDGET}, "), 1),
        },
        None => word.to_owned(),
    }
}

/// Returns `word` in the form that a shell reads back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

macro_rules! experiments {
    ($($name:literal),* $(,)?) => {
        /// All experiments: the folder, and its `experiment.toml`.
        pub const ALL: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../", $name, "/experiment.toml")))),*];
    };
}
experiments![
    "circus",
    "classic",
    "default-tournament",
    "epsilon",
    "greedy-and-random",
    "greedy-weights",
    "hannibal",
    "imperium",
    "luck",
    "personas",
    "rise",
    "rome-balance",
    "search",
    "speed",
    "strategies",
    "tournaments",
];

#[cfg(test)]
mod tests {
    use super::hasty;

    #[test]
    fn searches_of_smoke_tests_hardly_search() {
        for (word, short) in [
            ("mcts", "mcts(iterations=20)"),
            ("mcts(iterations=1000)", "mcts(iterations=20)"),
            ("mcts(c=1, iterations=250, doubt=0)", "mcts(c=1, iterations=20, doubt=0)"),
            ("mcts(preset=2026-11-22)", "mcts(iterations=20, preset=2026-11-22)"),
            ("greedy(epsilon=0.1)", "greedy(epsilon=0.1)"),
        ] {
            assert_eq!(hasty(word), short);
        }
    }
}
