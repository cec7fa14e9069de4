//! Says to the command what it is built from: the commit, if there is one to be known, and the target.
//!
//! Only `git` on this machine is asked; without it, or outside of this repository, the commit is unknown.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a build depends on.
const SOURCES: [&str; 5] = ["engine", "agents", "sim", "Cargo.toml", "Cargo.lock"];
/// Hexadecimal digits of a commit.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says it")).join("../..");
    // While somebody works on the sources a new commit is no reason to compile again.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = if is_release { commit(&root) } else { None };
    let commit = commit.unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=CAESAR_COMMIT={commit}");
    println!("cargo::rustc-env=CAESAR_TARGET={}", env::var("TARGET").expect("cargo says it"));
}

/// The commit that is checked out at `root`, and whether the sources are still those of it.
fn commit(root: &Path) -> Option<String> {
    let top = PathBuf::from(git(root, &["rev-parse", "--show-toplevel"])?);
    // A copy inside of somebody else's repository has none of his commits.
    if top.canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    for name in ["HEAD", "logs/HEAD"] {
        let place = root.join(git(root, &["rev-parse", "--git-path", name])?);
        if place.exists() {
            println!("cargo::rerun-if-changed={}", place.display());
        }
    }
    for name in SOURCES {
        println!("cargo::rerun-if-changed={}", root.join(name).display());
    }
    let commit = git(root, &["rev-parse", &format!("--short={DIGITS}"), "HEAD"])?;
    let changes = git(root, &[&["status", "--porcelain", "--"], &SOURCES[..]].concat())?;
    Some(if changes.is_empty() { commit } else { format!("{commit} with local changes") })
}

/// What `git` answers; `None` if there is no answer.
fn git(root: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
