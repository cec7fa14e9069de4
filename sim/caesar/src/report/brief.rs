//! Brief pages for a terminal: the tables with the answer, and a line that names the others.

use super::table::{Mark, Note, Page, Table};

impl Page {
    /// Returns the page without its detail tables. The footer keeps their caveats and ends with a line that names them
    /// after `more`.
    #[must_use]
    pub fn brief(self, more: &str) -> Self {
        let Self { tables, mut footer } = self;
        let (details, tables): (Vec<Table>, Vec<Table>) =
            tables.into_iter().partition(|table| table.is_detail);
        let notes = details.iter().flat_map(|table| &table.notes);
        footer.extend(notes.filter(|note| note.mark == Mark::Caveat).cloned());
        let full = details.iter().filter(|table| !table.rows.is_empty());
        let names: Vec<&str> = full.map(|table| table.name).collect();
        if !names.is_empty() {
            footer.push(Note::new(format!("{more}: {}", names.join(", "))));
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
        let page = Page { tables, footer: vec![first.clone()] }.brief("More tables");
        assert_eq!(page.tables, [table("game"), table("skill")]);
        let names = Note::new("More tables: model, fans");
        assert_eq!(page.footer, [first, caveat, names]);
    }

    #[test]
    fn a_page_without_details_is_brief_already() {
        let page = Page { tables: vec![table("game")], footer: vec![Note::new("seed 1")] };
        assert_eq!(page.clone().brief("More tables"), page);
    }
}
