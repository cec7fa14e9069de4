//! `caesar completions` and `caesar man`: print the command line for shells and as manual pages.

use std::io;

use clap::{Arg, Args, Command};
use clap_complete::Shell;
use clap_mangen::roff::{Roff, bold, roman};

use super::{Ending, HelpLength, command, commands, print};
use sim::error::Error;

/// The exit codes, below the help of `caesar`.
pub(super) const EXIT_CODES: &str = "\
caesar COMMAND -h lists the most used options and two examples, caesar COMMAND --help all options.
Exit codes: 0 success, 1 failure or faults found, 2 invalid usage or input, 3 stopped early (results so far are saved \
in --out).";

#[derive(Debug, Args)]
pub(super) struct CompletionOptions {
    /// Shell: bash, elvish, fish, powershell or zsh
    #[arg(hide_possible_values = true)]
    shell: Shell,
}

pub(super) fn completions(options: &CompletionOptions) -> Result<Ending, Error> {
    let mut script = Vec::new();
    clap_complete::generate(
        options.shell,
        &mut command(Some(HelpLength::Long)),
        "caesar",
        &mut script,
    );
    print(&String::from_utf8_lossy(&script))?;
    Ok(Ending::Done)
}

#[derive(Debug, Args)]
pub(super) struct ManOptions {
    /// Command whose page is printed, as in tournament or fit value [default: the page of caesar]
    command: Vec<String>,
}

pub(super) fn man(options: &ManOptions) -> Result<Ending, Error> {
    print(&page(&options.command)?)?;
    Ok(Ending::Done)
}

/// Day of the version, for the foot of the pages.
const DATE: &str = "2026-11-27";
/// Longest line of a page's source, as `mandoc -T lint` demands it.
const LONGEST: usize = 80;
const ENVIRONMENT: [(&str, &str); 3] = [
    ("COLUMNS", "The width of tables on a terminal."),
    (
        "NO_COLOR, CLICOLOR, TERM",
        "No colours on a terminal if NO_COLOR is set, CLICOLOR is 0 or TERM is dumb.",
    ),
    ("PATH", "The directories that have the programs of external agents."),
];

/// Returns the page of a command, or that of `caesar`, in roff.
fn page(words: &[String]) -> Result<String, Error> {
    let mut caesar = command(Some(HelpLength::Long)).disable_help_subcommand(true);
    // This gives each command its whole name.
    caesar.build();
    let mut chosen = &caesar;
    for name in words {
        chosen = chosen.find_subcommand(name).ok_or_else(|| {
            let names: Vec<&str> = chosen.get_subcommands().map(Command::get_name).collect();
            Error::Usage(format!("no command \"{name}\" (known: {})", names.join(", ")))
        })?;
    }
    let mut page = Vec::new();
    write(chosen, words, &mut page).map_err(Error::output("stdout"))?;
    Ok(tidied(&String::from_utf8_lossy(&page)))
}

fn write(chosen: &Command, words: &[String], page: &mut Vec<u8>) -> io::Result<()> {
    let man = clap_mangen::Man::new(chosen.clone())
        .title([&["caesar".to_owned()], words].concat().join("-").to_uppercase())
        .date(DATE)
        .source(format!("caesar {}", env!("CARGO_PKG_VERSION")))
        .manual("Caesar");
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    if chosen.has_subcommands() {
        man.render_subcommands_section(page)?;
    }
    ending(chosen, words).to_writer(page)
}

/// Returns the sections behind the options.
fn ending(chosen: &Command, words: &[String]) -> Roff {
    let mut roff = Roff::new();
    let after = chosen.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (notes, examples) = after.split_once("Examples:\n").unwrap_or((&after, ""));
    let (notes, _) = notes.split_once("Exit codes:").unwrap_or((notes, ""));
    if !notes.trim().is_empty() {
        roff.control("SH", ["NOTES"]);
        for (index, line) in notes.trim().lines().enumerate() {
            if index > 0 {
                roff.control("PP", []);
            }
            roff.text([roman(line.trim())]);
        }
    }
    roff.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in examples.lines() {
        roff.text([roman(line.trim_end())]);
    }
    roff.control("fi", []);
    list(&mut roff, "FILES", files(chosen));
    let (_, codes) = EXIT_CODES.split_once("Exit codes: ").expect("they follow these words");
    let codes = codes.trim_end_matches('.').split(", ").filter_map(|code| code.split_once(' '));
    list(
        &mut roff,
        "EXIT STATUS",
        codes.map(|(code, meaning)| (code.to_owned(), meaning.to_owned())),
    );
    let variables = ENVIRONMENT.map(|(name, meaning)| (name.to_owned(), meaning.to_owned()));
    list(&mut roff, "ENVIRONMENT", variables.into_iter());
    roff.control("SH", ["SEE ALSO"]).text([roman(neighbours(words).join(", "))]);
    roff
}

/// Writes a section of names and meanings, unless it is empty.
fn list(roff: &mut Roff, heading: &str, entries: impl Iterator<Item = (String, String)>) {
    let mut entries = entries.peekable();
    if entries.peek().is_some() {
        roff.control("SH", [heading]);
    }
    for (name, meaning) in entries {
        roff.control("TP", []).text([bold(name)]).text([roman(meaning)]);
    }
}

/// Returns the options and arguments that name files and directories, and their help.
fn files(chosen: &Command) -> impl Iterator<Item = (String, String)> {
    let is_file = |arg: &&Arg| {
        let names = arg.get_value_names().unwrap_or_default();
        !arg.is_hide_set()
            && names.iter().any(|name| ["FILE", "DIR"].iter().any(|word| name.contains(word)))
    };
    chosen.get_arguments().filter(is_file).map(|arg| {
        let value = arg.get_value_names().unwrap_or_default().join(" ");
        let name = arg.get_long().map_or_else(|| value.clone(), |long| format!("--{long} {value}"));
        (name, arg.get_help().map(ToString::to_string).unwrap_or_default())
    })
}

/// Returns the pages of the commands above, and of those that serve the same purpose.
fn neighbours(words: &[String]) -> Vec<String> {
    let page = |words: &[String]| [&["caesar".to_owned()], words].concat().join("-") + "(1)";
    let above = (0..words.len()).map(|n| page(&words[..n]));
    let purpose = commands::beside(words.first().map_or("play", String::as_str));
    let beside = purpose.filter(|name| words.first().is_none_or(|first| first != name));
    above.chain(beside.map(|name| page(&[name.to_owned()]))).collect()
}

/// Returns the source of a page as `mandoc -T lint` wants it: one definition of the apostrophe, no blank at the end of
/// a line, and no long lines.
fn tidied(page: &str) -> String {
    let (mut text, mut is_tag, mut is_kept) = (String::new(), false, false);
    let page = page.replace("\n.br\n\n.br\n", "\n.sp\n");
    for (index, line) in page.lines().map(str::trim_end).enumerate() {
        if index > 1 && (line.starts_with(".ie ") || line.starts_with(".el ")) {
            continue;
        }
        is_kept = (is_kept || line == ".nf") && line != ".fi";
        let mut rest = line;
        while rest.len() > LONGEST && !is_tag && !is_kept && !line.starts_with('.') {
            let blanks = rest.match_indices(' ').map(|(at, _)| at);
            let Some(at) = blanks.take_while(|&at| at <= LONGEST).last() else { break };
            text.push_str(&rest[..at]);
            text.push('\n');
            rest = &rest[at + 1..];
        }
        text.push_str(rest);
        text.push('\n');
        is_tag = line == ".TP";
    }
    text
}
