//! Outlet for the results of a fit: a file, and printed tables.

use std::path::PathBuf;

use clap::Args;
use engine::Rules;
use serde_json::{Map, Value as Json, json};

use crate::cli::output::{Form, OneTable};
use crate::cli::outputs::{Force, Output};
use crate::cli::{Ending, files, look, note, print};
use crate::report::rules as rules_printed;
use crate::report::table::Page;
use crate::report::win_model::document;
use lab::fit::Origin;
use sim::changes::with_changes;
use sim::document::document as line;
use sim::error::Error;

/// Options for the output file and the printed tables.
#[derive(Clone, Debug, Args)]
pub(super) struct Outlet {
    /// Write the fitted values to a file; - for stdout (tables then go to stderr)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
}

impl Outlet {
    /// Returns the file that `option` names, if it names one.
    pub(super) fn output(
        &self,
        option: &str,
        path: Option<&PathBuf>,
    ) -> Result<Option<Output>, Error> {
        path.map(|path| Output::of(option, path, self.force)).transpose()
    }

    /// Refuses, before the work begins, unknown tables and files that cannot be written, must not be replaced, or are
    /// also inputs. `more` lists the command's other outputs.
    pub(super) fn check(
        &self,
        tables: &[&str],
        more: Option<(&str, &PathBuf)>,
        read: &[(String, PathBuf)],
    ) -> Result<(), Error> {
        self.one.check(&self.form, tables, &[])?;
        let all = self.out.iter().map(|path| ("out", path)).chain(more);
        let outputs = all.map(|(option, path)| Output::of(option, path, self.force));
        let outputs = outputs.collect::<Result<Vec<_>, Error>>()?;
        if outputs.iter().any(Output::is_stdout) && !self.form.is_table() {
            return Err(Error::Usage(
                "--out - and --format or --json: stdout takes only one of them; name a file"
                    .to_owned(),
            ));
        }
        let written: Vec<_> = outputs.iter().filter_map(Output::named).collect();
        files::refuse_one_file_twice(&written, read)?;
        outputs.iter().try_for_each(Output::check)
    }

    /// Writes the fitted parameters.
    pub(super) fn save(&self, text: &str) -> Result<(), Error> {
        self.output("out", self.out.as_ref())?
            .map_or(Ok(()), |output| output.write(text.as_bytes()))
    }

    /// Prints the page of a fit; `facts` stand at the head of its document.
    pub(super) fn print(
        &self,
        mut page: Page,
        origin: &Origin,
        facts: Map<String, Json>,
        rules: &Rules,
    ) -> Result<Ending, Error> {
        let changes = rules.changes();
        page.footer.extend(rules_printed::note(&origin.game, &changes));
        let head = json!({
            "game": origin.game,
            "players": origin.players,
            "source": origin.source,
            "command": origin.command,
        });
        let Json::Object(mut head) = head else { unreachable!("it is written as an object") };
        head.extend(facts);
        let text = match self.form.is_json() {
            true => line(&with_changes(document(head, &page.tables), &changes)),
            false => self.form.write(look(), Some(&self.one), &|_| page.clone()),
        };
        if self.output("out", self.out.as_ref())?.is_some_and(|output| output.is_stdout()) {
            note(text.trim_end());
        } else {
            print(&text)?;
        }
        Ok(Ending::Done)
    }
}
