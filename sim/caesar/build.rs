//! Build script that sets the command's commit, target, processor level and features.
//!
//! The commit comes from the local `git`. Without `git`, or outside of this repository, it is unknown.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Paths on which a build depends.
const SOURCES: [&str; 5] = ["engine", "agents", "sim", "Cargo.toml", "Cargo.lock"];
/// Hexadecimal digits of a commit.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says it")).join("../..");
    // In a development build a new commit must not cause a rebuild.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = if is_release { commit(&root) } else { None };
    let commit = commit.unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=CAESAR_COMMIT={commit}");
    let target = env::var("TARGET").expect("cargo says it");
    let level = level().map(|level| format!(", {level}")).unwrap_or_default();
    println!("cargo::rustc-env=CAESAR_BUILD={target}{level}, features: {}", features());
}

/// Returns the level of x86-64 whose instructions the command uses; `None` on other architectures.
fn level() -> Option<&'static str> {
    let instructions = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let has = |name: &str| instructions.split(',').any(|known| known == name);
    let is_x86_64 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    is_x86_64.then(|| match (has("avx512f"), has("avx2"), has("popcnt")) {
        (true, ..) => "x86-64-v4",
        (_, true, _) => "x86-64-v3",
        (_, _, true) => "x86-64-v2",
        _ => "x86-64",
    })
}

/// Returns the names of the command's features.
fn features() -> String {
    let names = env::vars()
        .filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase()));
    let mut names: Vec<String> = names.filter(|name| name != "default").collect();
    names.sort();
    if names.is_empty() { "none".to_owned() } else { names.join(" ") }
}

/// Returns the commit checked out at `root`, with a remark if the sources have changed since.
fn commit(root: &Path) -> Option<String> {
    let top = PathBuf::from(git(root, &["rev-parse", "--show-toplevel"])?);
    // A copy inside another repository has none of that repository's commits.
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

/// Returns the output of `git`; `None` if it fails.
fn git(root: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
