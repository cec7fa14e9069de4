//! The list of commands in the help of `caesar`, by purpose.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::StyledStr;

use super::headings::GENERAL;
use crate::report::format::terminal::wrap;

/// The purposes in their order, and the names of the commands under each.
const GROUPS: [(&str, &str); 7] = [
    ("Play", "play tournament compare ladder replay"),
    ("Look", "show report runs diff odds"),
    ("Design", "rules variant balance strategies"),
    ("Improve", "improve tune fit diagnose"),
    ("Check", "check leaks perft speed"),
    ("Reference", "games agents model"),
    ("Shell", "merge completions man"),
];

/// Returns the commands that serve the same purpose as the command `name`, itself among them.
pub(super) fn beside(name: &str) -> impl Iterator<Item = &'static str> {
    let group = GROUPS.iter().find(|(_, names)| names.split(' ').any(|known| known == name));
    group.into_iter().flat_map(|(_, names)| names.split(' '))
}

/// Puts the commands of `caesar` under their purposes in its help, whose lines have at most `width` characters.
pub(super) fn grouped(caesar: Command, width: usize) -> Command {
    let (header, literal) = (*caesar.get_styles().get_header(), *caesar.get_styles().get_literal());
    let longest =
        caesar.get_subcommands().map(|sub| sub.get_name().len()).max().unwrap_or_default();
    let indent = longest + 4;
    let mut text = StyledStr::new();
    let mut push = |part: std::fmt::Arguments<'_>| text.write_fmt(part).expect("memory takes it");
    push(format_args!("{{about}}\n\n{{usage-heading}} {{usage}}\n\n"));
    for (group, names) in GROUPS {
        push(format_args!("{header}{group}:{header:#}\n"));
        for name in names.split(' ') {
            let about = caesar.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let lines =
                wrap(&about, width.saturating_sub(indent)).join(&format!("\n{:indent$}", ""));
            let blanks = longest - name.len() + 2;
            push(format_args!("  {literal}{name}{literal:#}{:blanks$}{lines}\n", ""));
        }
        push(format_args!("\n"));
    }
    push(format_args!("{header}{GENERAL}:{header:#}\n{{options}}{{after-help}}"));
    caesar.help_template(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cli::{HelpLength, command};

    #[test]
    fn every_command_stands_under_one_purpose() {
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.split(' ')).collect();
        let caesar = command(Some(HelpLength::Long));
        let known: BTreeSet<&str> = caesar.get_subcommands().map(Command::get_name).collect();
        assert_eq!(listed.len(), known.len(), "{listed:?}");
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), known);
    }
}
