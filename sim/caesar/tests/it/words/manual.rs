//! Descriptions of the command by its build, in shells and in the manual.

use super::anywhere;

#[test]
fn the_version_says_what_it_was_built_from() {
    let (code, version, _) = anywhere("--version");
    let start = format!("caesar {} (commit ", env!("CARGO_PKG_VERSION"));
    let built = version.trim_end().strip_prefix(&start).and_then(|rest| rest.strip_suffix(')'));
    let parts: Vec<&str> = built.unwrap_or_default().split(", ").collect();
    let (Some(commit), Some(target), Some(features)) = (parts.first(), parts.get(1), parts.last())
    else {
        panic!("{version}");
    };
    let digits = commit.strip_suffix(" with local changes").unwrap_or(commit);
    let is_commit = digits.len() >= 12 && digits.chars().all(|c| c.is_ascii_hexdigit());
    assert!(code == 0 && (is_commit || *commit == "unknown"), "{version}");
    assert!(target.contains(std::env::consts::ARCH), "{version}");
    // Tests have every feature.
    assert!(features.starts_with("features: ") && features.contains("parquet"), "{version}");
    let level = if cfg!(target_feature = "avx2") { "x86-64-v3" } else { "x86-64" };
    let has_level = parts.len() == 4 && parts[2].starts_with(level);
    assert!(has_level || !cfg!(target_arch = "x86_64"), "{version}");
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
    assert!(code == 0 && page.contains(".TH CAESAR 1"), "{page}");
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

#[test]
fn every_manual_page_has_examples_files_exit_status_environment_and_neighbours() {
    let mut pages = 0;
    for words in ["", "tournament", "balance", "balance cards", "fit value", "odds", "show"] {
        let (code, page, error) = anywhere(&format!("man {words}"));
        assert_eq!((code, error.as_str()), (0, ""), "{words}");
        let headings: Vec<&str> =
            page.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
        let ends = ["EXAMPLES", "FILES", "\"EXIT STATUS\"", "ENVIRONMENT", "\"SEE ALSO\""];
        let ends: Vec<&str> =
            ends.into_iter().filter(|end| *end != "FILES" || page.contains(".SH FILES")).collect();
        assert!(headings.ends_with(&ends), "{words}: {headings:?}");
        assert_eq!(page.contains(".SH FILES"), !["", "balance"].contains(&words), "{words}");
        assert_eq!(page.matches("\n.TP\n\\fB3\\fR\nstopped early").count(), 1, "{words}");
        let example = format!("caesar {words}");
        let section = page.split(".SH EXAMPLES").nth(1).unwrap().split(".fi").next().unwrap();
        assert!(section.matches(&example).count() >= 2, "{section}");
        // Examples and names of options stay on a line.
        let text = page.replace(section, "");
        let text = text.lines().filter(|line| !line.starts_with(['.', '\\']));
        let long = text.filter(|line| line.len() > 80).count();
        assert!(long == 0 && !page.contains(" \n"), "{words}: {page}");
        pages += 1;
    }
    assert_eq!(pages, 7);
    let (_, page, _) = anywhere("man fit value");
    assert!(page.starts_with(".ie") && page.contains(".TH CAESAR-FIT-VALUE 1 2"), "{page}");
    assert!(page.contains("caesar\\-fit(1)") && page.contains("caesar\\-tune(1)"), "{page}");
}
