//! `caesar show FILE`.

use clap::Args;

use super::check::fault_line;
use super::{Ending, files, note, print};
use crate::error::Error;
use crate::record::stream::{Checked, check};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// Records of one game or many; - for stdin
    file: String,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let mut input = files::open(&options.file)?;
    let mut ending = Ending::Done;
    let mut games = 0;
    check(&mut *input, true, &mut |checked: Checked| {
        games += 1;
        print(&checked.text)?;
        if let Some(fault) = checked.fault {
            note(fault_line(&options.file, &fault).trim_end());
            ending = Ending::FaultsFound;
        }
        print("\n")
    })?;
    if games == 0 {
        return Err(Error::Usage(format!("{}: no record: the file is empty", options.file)));
    }
    Ok(ending)
}
