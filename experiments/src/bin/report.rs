//! `report NAME…`: runs the commands of experiments and writes their output into `NAME/tables.md`.
//!
//! A table is a text of its experiment and of the program alone, so that another run gives equal bytes. Only `speed`
//! measures the machine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use experiments::{ALL, Experiment, Run};

/// The first word that makes this program act as the command, so that the tables come from the program just built.
const AS_CAESAR: &str = "caesar";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == AS_CAESAR) {
        return ExitCode::from(caesar::cli::run(env::args_os().skip(1)));
    }
    match reports(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn reports(names: &[String]) -> Result<(), String> {
    let known: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
    if names.is_empty() {
        return Err(format!("name an experiment, or all (known: {})", known.join(", ")));
    }
    for name in names {
        if name != "all" && !known.contains(&name.as_str()) {
            return Err(format!("unknown experiment \"{name}\" (known: {})", known.join(", ")));
        }
    }
    let wanted = |name: &str| names.iter().any(|n| n == name || n == "all");
    ALL.iter().filter(|(name, _)| wanted(name)).try_for_each(|(name, text)| report(name, text))
}

fn report(name: &str, text: &str) -> Result<(), String> {
    let experiment = Experiment::parse(text).map_err(|e| format!("{name}: {e}"))?;
    let mut page = experiments::head(name, &experiment);
    for run in &experiment.runs {
        eprintln!("{name}: {}", run.typed());
        page += &experiments::section(run, &output(run)?);
    }
    let path = root().join("experiments").join(name).join("tables.md");
    let aside = path.with_extension("md.new");
    let written = fs::write(&aside, page).and_then(|()| fs::rename(&aside, &path));
    written.map_err(|e| format!("{}: {e}", path.display()))
}

/// Returns the output of the command of `run`.
fn output(run: &Run) -> Result<String, String> {
    let program = env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(program);
    command.arg(AS_CAESAR).args(run.printed_words()).current_dir(root());
    let output = command.stderr(Stdio::inherit()).output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(format!("{} ended with {}", run.typed(), output.status));
    }
    String::from_utf8(output.stdout).map_err(|e| e.to_string())
}

fn root() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).to_owned()
}
