//! `caesar check FILE`.

use clap::Args;
use serde_json::json;

use super::{Ending, files, print};
use crate::error::Error;
use crate::record::Fault;
use crate::record::stream::{Checked, Telling, check};
use crate::report::json::document;
use crate::units;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Records of one game or many; - for stdin
    file: String,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let mut input = files::open(&options.file)?;
    let mut games = 0;
    let mut faults: Vec<Fault> = Vec::new();
    check(&mut *input, &Telling::default(), &mut |checked: Checked| {
        games += 1;
        if let Some(fault) = checked.fault {
            if !options.json {
                print(&fault_line(&options.file, &fault))?;
            }
            faults.push(fault);
        }
        Ok::<(), Error>(())
    })
    .map_err(|error| at_input(error, &options.file))?;
    if games == 0 {
        return Err(Error::Usage(format!("{}: no record: it is empty", input_name(&options.file))));
    }
    let failed = faults.len() as u64;
    print(&if options.json {
        document(&json!({"games": games, "failed": failed, "faults": faults}))
    } else {
        format!("{}, {} with faults\n", units::counted(games, "game"), units::count(failed))
    })?;
    Ok(if failed == 0 { Ending::Done } else { Ending::FaultsFound })
}

/// An error while reading `file`, with its name.
pub(super) fn at_input(error: Error, file: &str) -> Error {
    match error {
        Error::Input(source) => Error::File { place: input_name(file).to_owned(), source },
        other => other,
    }
}

/// What messages call the file that was asked for.
pub(super) fn input_name(file: &str) -> &str {
    match file {
        "-" => "stdin",
        "" => "\"\"",
        file => file,
    }
}

/// A fault as compilers write them.
pub(super) fn fault_line(file: &str, fault: &Fault) -> String {
    let file = input_name(file);
    format!("{file}:{}: game {}: {}\n", fault.line, fault.game, fault.message)
}
