//! Descriptions of the command by its build, in shells and in the manual.

use super::anywhere;

#[test]
fn the_version_says_what_it_was_built_from() {
    let (code, version, _) = anywhere("--version");
    let start = format!("caesar {} (commit ", env!("CARGO_PKG_VERSION"));
    let built = version.trim_end().strip_prefix(&start).and_then(|rest| rest.strip_suffix(')'));
    let (commit, target) = built.and_then(|built| built.split_once(", ")).unwrap_or_default();
    let digits = commit.strip_suffix(" with local changes").unwrap_or(commit);
    let is_commit = digits.len() >= 12 && digits.chars().all(|c| c.is_ascii_hexdigit());
    assert!(code == 0 && (is_commit || commit == "unknown"), "{version}");
    assert!(target.contains(std::env::consts::ARCH), "{version}");
    assert_eq!(anywhere("-V").1, format!("caesar {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn shells_and_manuals_know_every_command() {
    let (_, help, _) = anywhere("--help");
    let list = help.split("\nGeneral:").next().unwrap();
    let named = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands: Vec<&str> = named.map(|line| line.split_whitespace().next().unwrap()).collect();
    assert!(commands.len() > 12, "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (code, script, _) = anywhere(&format!("completions {shell}"));
        assert!(code == 0 && script.contains("export"), "{shell}");
        assert!(commands.iter().all(|name| script.contains(name)), "{shell}");
    }
    let (code, page, _) = anywhere("man");
    assert!(code == 0 && page.contains(".TH caesar 1"), "{page}");
    for name in commands {
        assert!(page.contains(&format!("caesar\\-{name}(1)")), "{name}: {page}");
        let (code, page, _) = anywhere(&format!("man {name}"));
        assert!(code == 0 && page.contains(&format!("caesar\\-{name}")), "{page}");
    }
    let (code, _, error) = anywhere("man tournamnet");
    assert!(
        code == 2 && error.starts_with("error: no command \"tournamnet\" (known: games, "),
        "{error}"
    );
}
