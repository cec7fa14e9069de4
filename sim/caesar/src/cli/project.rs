//! `--project`: options of a command from the file `caesar.toml` of the working directory.

use std::ffi::OsString;
use std::path::Path;

use clap::{ArgAction, Command};
use serde::Deserialize;

use super::files;
use sim::error::Error;

/// The file of a project.
pub(super) const FILE: &str = "caesar.toml";
/// The option that asks for it.
const OPTION: &str = "--project";

/// Settings of a project, each the value of an option of that name.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Project {
    game: Option<String>,
    players: Option<u64>,
    /// The rules file.
    rules: Option<String>,
    #[serde(default)]
    agents: Vec<String>,
    seed: Option<u64>,
    /// The directory of all runs; each command has its own directory in it.
    out: Option<String>,
}

/// Returns the arguments with the options of the project file that the command has and `args` do not give.
///
/// # Errors
/// If `args` ask for the file and it cannot be read.
pub(super) fn filled(args: Vec<OsString>, caesar: &Command) -> Result<Vec<OsString>, Error> {
    let asks = |arg: &OsString| arg.to_str() == Some(OPTION);
    let end = args.iter().position(|arg| arg.to_str() == Some("--")).unwrap_or(args.len());
    if !args[..end].iter().any(asks) {
        return Ok(args);
    }
    let text = files::text(FILE).map_err(|e| Error::value("project", FILE, e.to_string()))?;
    let project: Project = toml_edit::de::from_str(&text).map_err(|e| {
        let message = e.message().split_whitespace().collect::<Vec<_>>().join(" ");
        Error::Usage(format!("{FILE}: {message}"))
    })?;
    let (path, command) = subcommand(&args[..end], caesar);
    let mut all = args;
    let more = project.options(&path, command, &all[..end]);
    all.splice(end..end, more.into_iter().map(OsString::from));
    Ok(all)
}

/// Returns the command that `args` name, with its words.
fn subcommand<'a>(args: &[OsString], caesar: &'a Command) -> (Vec<String>, &'a Command) {
    let (mut path, mut command) = (Vec::new(), caesar);
    for word in args.iter().skip(1).filter_map(|arg| arg.to_str()) {
        if let Some(sub) = command.find_subcommand(word) {
            path.push(word.to_owned());
            command = sub;
        }
    }
    (path, command)
}

impl Project {
    /// Returns the options for `command` that `given` lacks.
    fn options(self, path: &[String], command: &Command, given: &[OsString]) -> Vec<String> {
        let arg = |name: &str| command.get_arguments().find(|arg| arg.get_long() == Some(name));
        let is_given = |name: &str| {
            let words = given.iter().filter_map(|word| word.to_str());
            let of = |word: &str| word.strip_prefix("--")?.strip_prefix(name).map(str::to_owned);
            words.filter_map(of).any(|rest| rest.is_empty() || rest.starts_with('='))
        };
        let out =
            self.out.map(|out| Path::new(&out).join(path.join("-")).to_string_lossy().into_owned());
        let single = [
            ("game", self.game),
            ("players", self.players.map(|n| n.to_string())),
            ("rules", self.rules),
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("out", out.filter(|_| is_directory(arg("out")))),
        ];
        let single = single.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let takes_all =
            arg("agent").is_some_and(|arg| matches!(arg.get_action(), ArgAction::Append));
        let most = if takes_all { usize::MAX } else { 1 };
        let agents = self.agents.into_iter().take(most).map(|agent| ("agent", agent));
        single
            .chain(agents)
            .filter(|(name, _)| arg(name).is_some() && !is_given(name))
            .map(|(name, value)| format!("--{name}={value}"))
            .collect()
    }
}

/// Returns true if an option names a directory of results.
fn is_directory(out: Option<&clap::Arg>) -> bool {
    let names = out.and_then(clap::Arg::get_value_names);
    names.is_some_and(|names| names.iter().any(|name| name.as_str() == "DIR"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    fn options(project: &str, args: &str) -> Vec<String> {
        let project: Project = toml_edit::de::from_str(project).unwrap();
        let args: Vec<OsString> = args.split(' ').map(OsString::from).collect();
        let caesar = command(None);
        let (path, command) = subcommand(&args, &caesar);
        project.options(&path, command, &args)
    }

    const ALL: &str = "game = \"pig\"\nplayers = 3\nrules = \"r.toml\"\nseed = 7\nout = \"runs\"\n\
                       agents = [\"greedy\", \"random\"]";

    #[test]
    fn a_command_gets_the_options_that_it_has_and_that_are_not_given() {
        let tournament = options(ALL, "caesar tournament --seed 3");
        let expected = ["--game=pig", "--players=3", "--rules=r.toml", "--out=runs/tournament"];
        assert_eq!(tournament[..4], expected);
        assert_eq!(tournament[4..], ["--agent=greedy", "--agent=random"]);
        let game = options(ALL, "caesar balance game --agent=mcts");
        assert!(game.contains(&"--out=runs/balance-game".to_owned()), "{game:?}");
        assert!(!game.iter().any(|one| one.starts_with("--agent")), "{game:?}");
        assert_eq!(options(ALL, "caesar report x"), [""; 0], "its --out is a file");
        assert_eq!(options("", "caesar tournament"), [""; 0]);
    }
}
