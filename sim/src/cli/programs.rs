//! Which programs a command line may start: those that it names. What only a file names, a manifest or a configuration,
//! is started when `--run-programs` or somebody at a terminal says so.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use agents::AgentSpec;
use agents::external::consent::{self, Allowed};
use clap::Args;

use crate::error::Error;
use crate::visible::visible;

/// The option that allows what a file names.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct RunPrograms {
    /// Start the programs that only a file names, as agents external(command=...) of a manifest or a configuration; without
    /// it they are refused, or asked for at a terminal
    #[arg(long)]
    run_programs: bool,
}

/// Whether a run goes on with programs that have changed since.
static ACCEPTS_CHANGED: AtomicBool = AtomicBool::new(false);

/// Lets runs go on, and shards be joined, although files of their programs have changed.
pub(super) fn accept_changed(is_accepted: bool) {
    ACCEPTS_CHANGED.store(is_accepted, Ordering::Relaxed);
}

/// Returns whether they may.
pub(super) fn accepts_changed() -> bool {
    ACCEPTS_CHANGED.load(Ordering::Relaxed)
}

/// Restricts what may be started to what `args` name.
pub(super) fn restrict_to(args: &[OsString]) {
    let named = args.iter().filter_map(|arg| arg.to_str()).flat_map(named);
    consent::restrict(Some(named.collect()));
}

/// The commands of programs in an argument, as in `me=external(command="python3 bot.py", seconds=1)`.
fn named(arg: &str) -> Vec<Allowed> {
    const AGENT: &str = "external(";
    const KEY: &str = "command";
    let mut found = Vec::new();
    for (at, _) in arg.match_indices(AGENT) {
        let rest = &arg[at + AGENT.len()..];
        let value = rest.find(KEY).map(|at| rest[at + KEY.len()..].trim_start());
        let Some(value) = value.and_then(|value| value.strip_prefix('=')).map(str::trim_start)
        else {
            continue;
        };
        let command = match value.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next().unwrap_or_default(),
            None => value.split([',', ')']).next().unwrap_or_default().trim_end(),
        };
        // A number that is left open, as ? of a ladder or {depth:1..9} of a search.
        found.push(match command.find(['?', '{']) {
            None => Allowed::Command(command.to_owned()),
            Some(open) => Allowed::BeginningWith(command[..open].to_owned()),
        });
    }
    found
}

impl RunPrograms {
    /// Makes sure that the programs among `agents`, which stand in `place`, may be started.
    ///
    /// # Errors
    /// If one may not.
    pub(super) fn check(self, agents: &[AgentSpec], place: &str) -> Result<(), Error> {
        let mut programs: Vec<String> = agents.iter().filter_map(AgentSpec::program).collect();
        programs.retain(|command| !consent::is_given(command));
        programs.dedup();
        if programs.is_empty() {
            return Ok(());
        }
        let list: Vec<String> =
            programs.iter().map(|command| visible(command).into_owned()).collect();
        let what = format!("{place} names programs that would be started: {}", list.join("; "));
        if !self.run_programs && !is_allowed_by_person(&what) {
            return Err(Error::Usage(format!(
                "{what}\n  --run-programs allows it, if you trust them"
            )));
        }
        programs.into_iter().for_each(consent::allow);
        Ok(())
    }
}

/// Asks whoever sits at the terminal; nobody does if input or error output is none.
fn is_allowed_by_person(what: &str) -> bool {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return false;
    }
    let mut error = io::stderr();
    let asked = write!(error, "{what}\nstart them? [y/N] ").and_then(|()| error.flush());
    let mut answer = String::new();
    let heard = asked.and_then(|()| io::stdin().read_line(&mut answer));
    heard.is_ok() && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_names_the_programs_of_its_agents() {
        let command = |text: &str| vec![Allowed::Command(text.to_owned())];
        assert_eq!(named(r#"external(command="python3 b.py",seconds=1)"#), command("python3 b.py"));
        assert_eq!(
            named(r#"--agent=me=external( seconds=1, command = "a(b), c" )"#),
            command("a(b), c")
        );
        assert_eq!(named("external(command=./bot)"), command("./bot"));
        assert_eq!(named("external(command=./bot, seconds=2)"), command("./bot"));
        let open = Allowed::BeginningWith("bot --depth ".to_owned());
        assert_eq!(named(r#"external(command="bot --depth {d:1..9}")"#), [open.clone()]);
        assert_eq!(named(r#"external(command="bot --depth ?")"#), [open]);
        assert_eq!(named("mcts(iterations=100)"), []);
        assert_eq!(named("external(seconds=1)"), []);
    }
}
