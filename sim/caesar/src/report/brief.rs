//! Brief pages for a terminal: the tables with the answer, and a line that names the others.

use super::table::{Mark, Note, Page, Table};

impl Page {
    /// Returns the page without its detail tables and with short notes. The footer keeps the caveats of those tables and
    /// ends with lines that say what `option` prints.
    #[must_use]
    pub fn brief(self, option: &str) -> Self {
        let Self { mut tables, mut footer } = self;
        let mut has_short = false;
        for note in tables.iter_mut().flat_map(|table| &mut table.notes) {
            if let Some(brief) = note.brief.take() {
                (note.text, has_short) = (brief, true);
            }
        }
        let (details, tables): (Vec<Table>, Vec<Table>) =
            tables.into_iter().partition(|table| table.is_detail);
        let notes = details.iter().flat_map(|table| &table.notes);
        footer.extend(notes.filter(|note| note.mark == Mark::Caveat).cloned());
        let full = details.iter().filter(|table| !table.rows.is_empty());
        let names: Vec<&str> = full.map(|table| table.name).collect();
        if !names.is_empty() {
            footer.push(Note::new(format!("More tables with {option}: {}", names.join(", "))));
        }
        if has_short {
            footer.push(Note::new(format!("Agents in full with {option}")));
        }
        Self { tables, footer }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{Cell, Column, Content};
    use super::*;

    fn table(name: &'static str) -> Table {
        Table::new(name, "", vec![Column::plain("x", Content::Key)]).with([vec![Cell::Count(1)]])
    }

    #[test]
    fn a_brief_page_names_the_details_and_keeps_their_caveats() {
        let caveat = Note::new("do not use").marked(Mark::Caveat);
        let model = table("model").noted(Note::new("fitted")).noted(caveat.clone()).detail();
        let empty = Table::new("empty", "", Vec::new()).detail();
        let tables = vec![table("game"), model, table("skill"), table("fans").detail(), empty];
        let first = Note::new("seed 1");
        let page = Page { tables, footer: vec![first.clone()] }.brief("-v");
        assert_eq!(page.tables, [table("game"), table("skill")]);
        let names = Note::new("More tables with -v: model, fans");
        assert_eq!(page.footer, [first, caveat, names]);
    }

    #[test]
    fn a_brief_page_has_the_short_notes_and_says_so() {
        let note = Note { brief: Some("a = b(…)".to_owned()), ..Note::new("a = b(c=1)") };
        let page = Page { tables: vec![table("game").noted(note)], footer: Vec::new() }.brief("-v");
        assert_eq!(page.tables[0].notes, [Note::new("a = b(…)")]);
        assert_eq!(page.footer, [Note::new("Agents in full with -v")]);
    }

    #[test]
    fn a_page_without_details_is_brief_already() {
        let page = Page { tables: vec![table("game")], footer: vec![Note::new("seed 1")] };
        assert_eq!(page.clone().brief("-v"), page);
    }
}
