//! Tests of every experiment: it has a question, an answer and tables, and its commands run.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use experiments::{ALL, Experiment, Run};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn all() -> impl Iterator<Item = (&'static str, Experiment)> {
    ALL.iter().map(|(name, text)| (*name, Experiment::parse(text).unwrap()))
}

#[test]
fn every_experiment_asks_a_question_and_its_commands_run() {
    for (name, experiment) in all() {
        assert!(experiment.question.ends_with('?'), "{name}: {}", experiment.question);
        for run in &experiment.runs {
            let mut caesar = Command::new(env!("CARGO_BIN_EXE_report"));
            // Files in commands are named from the root.
            caesar.arg("caesar").args(run.smoke_words()).current_dir(folder(".."));
            let output = caesar.output().unwrap();
            // A comparison that is stopped early exits with 3.
            let is_fine = matches!(output.status.code(), Some(0 | 3)) && !output.stdout.is_empty();
            assert!(is_fine, "{name}: {:?}: {output:?}", run.smoke_words());
        }
    }
}

#[test]
fn the_tables_of_every_experiment_are_those_of_its_commands() {
    for (name, experiment) in all() {
        let tables = fs::read_to_string(folder(name).join("tables.md")).unwrap();
        assert!(tables.starts_with(&experiments::head(name, &experiment)), "{name}");
        let typed: Vec<&str> = tables.lines().filter(|line| line.starts_with("caesar ")).collect();
        let commands: Vec<String> = experiment.runs.iter().map(Run::typed).collect();
        assert_eq!(typed, commands, "{name}: run `just report {name}`");
        let readme = fs::read_to_string(folder(name).join("README.md")).unwrap();
        assert!(readme.contains("**Answer.**"), "{name}: no answer");
    }
}

#[test]
fn every_folder_of_an_experiment_is_listed_here_and_in_the_readme() {
    let readme = fs::read_to_string(folder("README.md")).unwrap();
    for entry in fs::read_dir(folder(".")).unwrap() {
        let path = entry.unwrap().path();
        if path.join("experiment.toml").exists() {
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(ALL.iter().any(|(known, _)| *known == name), "{name} is not in ALL");
            assert!(readme.contains(&format!("]({name}/")), "{name} is not in README.md");
        }
    }
}
