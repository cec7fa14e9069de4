//! `caesar completions` and `caesar man`: print the command line for shells and as manual pages.

use std::io;

use clap::Args;
use clap_complete::Shell;

use super::{Ending, HelpLength, command, print};
use sim::error::Error;

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
    /// Command whose page is printed, as in tournament [default: the page of caesar]
    command: Option<String>,
}

pub(super) fn man(options: &ManOptions) -> Result<Ending, Error> {
    let mut page = Vec::new();
    write_page(options.command.as_deref(), &mut page)?;
    print(&String::from_utf8_lossy(&page))?;
    Ok(Ending::Done)
}

/// Writes the page of a command, or that of `caesar`, in roff.
fn write_page(name: Option<&str>, page: &mut Vec<u8>) -> Result<(), Error> {
    let mut caesar = command(Some(HelpLength::Long)).disable_help_subcommand(true);
    // This gives each command its whole name.
    caesar.build();
    let chosen = match name {
        None => &caesar,
        Some(name) => caesar.find_subcommand(name).ok_or_else(|| {
            let names: Vec<&str> = caesar.get_subcommands().map(clap::Command::get_name).collect();
            Error::Usage(format!("no command \"{name}\" (known: {})", names.join(", ")))
        })?,
    };
    let title = chosen.get_display_name().unwrap_or("caesar").to_owned();
    let written: io::Result<()> = clap_mangen::Man::new(chosen.clone())
        .title(title)
        .source(format!("caesar {}", env!("CARGO_PKG_VERSION")))
        .render(page);
    written.map_err(Error::output("stdout"))
}
