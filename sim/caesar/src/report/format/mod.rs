//! Tables as text, a file a format: for terminals, as comma-separated values, for GitHub, for papers.

pub mod csv;
pub mod latex;
pub mod markdown;
pub mod terminal;

#[cfg(test)]
mod tests {
    use expect_test::{expect, expect_file};
    use unicode_width::UnicodeWidthStr;

    use super::super::table::{
        Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table,
    };
    use super::terminal::{TerminalStyle, fits, fitted, paragraph};
    use super::{csv, latex, markdown, terminal};
    use sim::stats::Interval;

    const LONG: &str = "greedy(weights=\"a_b & c|d.toml\", epsilon=0.1)";

    fn columns() -> Vec<Column> {
        vec![
            Column::plain("agent", Content::Key),
            Column::plain("spec", Content::Text).only(Readers::Programs),
            Column::plain("games", Content::Number(Scale::Count)),
            Column::new("share", "share [95 %]", Content::Estimate(Scale::SHARE)),
            Column::plain("mean score", Content::Estimate(Scale::MEAN)),
            Column::new("elo", "rating", Content::Estimate(Scale::Elo)),
            Column::plain("p", Content::PValue),
            Column::plain("decided", Content::Text),
        ]
    }

    fn row(name: &str, longest: usize, share: f64, elo: f64) -> Row {
        let shown = if name.len() > longest { "greedy#1" } else { name };
        let interval = |x: f64, half: f64| Some(Interval { low: x - half, high: x + half });
        Row::new(vec![
            Cell::Name { shown: shown.to_owned(), name: name.to_owned() },
            Cell::text(name),
            Cell::Count(12_345),
            Cell::Estimate(share, interval(share, 0.0125)),
            Cell::Estimate(-61.375, if share > 0.3 { interval(-61.375, 1.5) } else { None }),
            Cell::Estimate(elo, Some(Interval { low: elo - 10.0, high: elo + 12.5 })),
            if share > 0.3 { Cell::Number(0.000_01) } else { Cell::Nothing },
            Cell::Flag(share > 0.3),
        ])
    }

    /// Returns a page with names, numbers and characters of every kind.
    fn page(longest: usize) -> Page {
        let mut table = Table::new("standings", "Shares of 2 agents & 100 % of *games*", columns());
        table.rows = vec![row("mcts_a", longest, 0.625, 123.4), row(LONG, longest, 0.25, -87.65)];
        table.rows[0].mark = Mark::Winner;
        table.notes = vec![
            Note::new("not decided: mcts_a before <b> (~5 ± 1, R² ≤ 0.5)").marked(Mark::Open),
            Note::new("ratings: μ and σ of 2 000 games, from -3.03 to +3.03, ends \"so\" and `so`"),
        ];
        let games =
            vec![Column::plain("game", Content::Key), Column::plain("source", Content::Prose)];
        let source = "rulebook; map and some numbers are reconstructed from photographs and from memory, as the page \
                      on the rules says value by value";
        let games = Table::new("games", "Games", games).with([
            vec![Cell::text("pig"), Cell::text("published")],
            vec![Cell::text("risk"), Cell::text(source)],
        ]);
        let data = Table::new("pairs", "For programs", vec![Column::plain("a", Content::Key)])
            .with([vec![Cell::text("x")]])
            .only(Readers::Programs);
        let command = "caesar tournament --game pig --agent 'greedy(weights=\"a_b.toml\", epsilon=0.1)' --agent \
                       mcts_a --set 'a.b=it is' --blocks 500 --seed 1";
        Page { tables: vec![table, games, data], footer: vec![Note::new("seed 1").before(command)] }
    }

    fn for_people(longest: usize) -> Page {
        page(longest).keep(None, false)
    }

    #[test]
    fn every_format_is_as_it_was_read_and_approved() {
        let narrow = fitted(80, &for_people);
        expect_file!["../../../tests/golden/format.txt"]
            .assert_eq(&terminal::write(&narrow, TerminalStyle::PLAIN));
        expect_file!["../../../tests/golden/format.csv"]
            .assert_eq(&csv::write(&page(usize::MAX).tables[0]));
        expect_file!["../../../tests/golden/format.md"]
            .assert_eq(&markdown::write(&for_people(usize::MAX)));
        expect_file!["../../../tests/golden/format.tex"].assert_eq(&latex::write(&for_people(20)));
    }

    #[test]
    fn no_line_of_a_table_is_wider_than_the_terminal() {
        for width in [60, 72, 80, 100, 120, 200] {
            let page = fitted(width, &for_people);
            let text = terminal::write(&page, TerminalStyle { width, is_coloured: false });
            let widest = text.lines().max_by_key(|line| line.width()).unwrap();
            assert!(widest.width() <= width, "{width}: {widest}");
            for row in [LONG, "greedy#1"] {
                let shown = text.lines().filter(|line| line.starts_with(row)).count();
                assert!(shown > 0 || !text.contains(row), "{width}: {text}");
            }
            // Wrapped text is still complete.
            let numbers = ["12 345", "0.625 [0.613, 0.637]", "-61.4 ± 1.5", "+123 [", "< 0.0001"];
            assert!(numbers.iter().all(|number| text.contains(number)), "{width}: {text}");
        }
        assert!(!fits(&for_people(usize::MAX), 120) && fits(&for_people(usize::MAX), 200));
    }

    #[test]
    fn tables_have_titles_and_parts_of_a_table_repeat_all_of_its_keys() {
        let text = terminal::write(&for_people(20), TerminalStyle::PLAIN);
        for table in &for_people(20).tables {
            let titles = text.lines().filter(|line| *line == table.caption).count();
            assert_eq!(titles, 1, "{}: {text}", table.caption);
        }
        let alone = terminal::write(&Page::of(page(20).tables.remove(0)), TerminalStyle::PLAIN);
        assert!(alone.starts_with("Shares of 2 agents"), "{alone}");
        // Two keys: both stand in every part.
        let keys = ["study", "what"].map(|key| Column::plain(key, Content::Key));
        let numbers = ["old", "new", "moved by"]
            .map(|key| Column::plain(key, Content::Estimate(Scale::SHARE)));
        let columns = keys.into_iter().chain(numbers).collect();
        let within = Some(Interval { low: 0.25, high: 0.75 });
        let mut cells = vec![Cell::text("seats"), Cell::text("share of seat 1")];
        cells.extend((0..3).map(|_| Cell::Estimate(0.5, within)));
        let page = Page::of(Table::new("rules", "Rules", columns).with([cells]));
        let text = terminal::write(&page, TerminalStyle { width: 60, is_coloured: false });
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("seats")).collect();
        assert!(rows.len() > 1, "{text}");
        assert!(rows.iter().all(|row| row.contains("share of seat 1")), "{text}");
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let look = TerminalStyle { width: 80, is_coloured: true };
        let page = fitted(80, &for_people);
        let coloured = terminal::write(&page, look);
        let plain = terminal::write(&page, TerminalStyle::PLAIN);
        let stripped = anstream::adapter::strip_str(&coloured).to_string();
        assert_eq!(stripped, plain);
        assert!(
            !plain.contains('\u{1b}') && coloured.contains("\u{1b}[1m\u{1b}[32mmcts_a"),
            "{coloured}"
        );
        let open = coloured.lines().find(|line| line.contains("not decided")).unwrap();
        assert!(open.starts_with("\u{1b}[33m") && open.ends_with("\u{1b}[0m"), "{open:?}");
    }

    #[test]
    fn a_broken_command_is_the_same_command_to_a_shell() {
        let text = terminal::write(
            &Page { tables: Vec::new(), footer: page(9).footer },
            TerminalStyle::PLAIN,
        );
        expect![[r#"
            seed 1: caesar tournament --game pig \
                --agent 'greedy(weights="a_b.toml", epsilon=0.1)' --agent mcts_a \
                --set 'a.b=it is' --blocks 500 --seed 1
        "#]]
        .assert_eq(&text);
    }

    /// Checks with a shell that a wrapped command keeps its words.
    #[cfg(unix)]
    #[test]
    fn a_shell_reads_the_words_that_were_meant_however_the_command_is_broken() {
        let meant = [
            "it's",
            "my bot's \"x\" file",
            "'",
            "\\",
            "a\\' b",
            "two\nlines of text",
            "$HOME",
            "`id`",
            "!!",
            "-x y",
            "~",
            "",
            "a  b",
            "--",
            "ü # ; & | * ?",
            "external(command=\"python3 'it''s my bot.py' and more words\")",
        ];
        let quoted: Vec<String> = meant.iter().map(|word| sim::config::quoted(word)).collect();
        for option in ["", "--agent "] {
            let words: Vec<String> = quoted.iter().map(|word| format!("{option}{word}")).collect();
            let command = format!("printf '%s\\0' {}", words.join(" "));
            let mut page = Page { tables: Vec::new(), footer: page(9).footer };
            page.footer[0].command = Some(command);
            let text = terminal::write(&page, TerminalStyle::PLAIN);
            let script = text.strip_prefix("seed 1: ").unwrap();
            let output = std::process::Command::new("sh").args(["-c", script]).output().unwrap();
            let spoken = String::from_utf8(output.stdout).unwrap();
            let spoken: Vec<&str> = spoken
                .split_terminator('\0')
                .filter(|&word| word != option.trim() || option.is_empty())
                .collect();
            assert_eq!(spoken, meant, "{script}");
            assert!(script.contains(" \\\n"), "it was never broken: {script}");
        }
    }

    #[test]
    fn a_data_frame_is_read_back_as_it_was_meant() {
        let text = csv::write(&page(usize::MAX).tables[0]);
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let distinct: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{names:?}");
        let rows: Vec<::csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let field =
            |row: usize, name: &str| &rows[row][names.iter().position(|n| n == name).unwrap()];
        assert_eq!((rows.len(), field(1, "agent"), field(1, "spec")), (2, LONG, LONG));
        assert_eq!(field(0, "games"), "12345");
        assert_eq!(
            field(0, "share_low").parse::<f64>().unwrap().to_bits(),
            (0.625_f64 - 0.0125).to_bits()
        );
        assert_eq!((field(0, "p"), field(0, "decided")), ("0.00001", "True"));
        assert_eq!((field(1, "mean_score_low"), field(1, "p")), ("", ""));
        let odd = Table::new("t", "", vec![Column::plain("x", Content::Number(Scale::MEAN))])
            .with([f64::NAN, f64::INFINITY, -0.0, 1e300].map(|x| vec![Cell::Number(x)]));
        assert_eq!(csv::write(&odd), "x\n\"\"\n\"\"\n0\n\"\"\n");
    }

    #[test]
    fn a_table_for_github_has_as_many_cells_in_every_row() {
        let text = markdown::write(&for_people(usize::MAX));
        let cells = |line: &str| {
            let escaped = line.replace("\\|", "");
            escaped.matches('|').count()
        };
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), 4 + 4);
        assert!(rows[..4].iter().all(|row| cells(row) == cells(rows[0])), "{text}");
        assert!(text.contains("\\<b\\> (\\~5 ± 1"), "{text}");
    }

    #[test]
    fn latex_has_no_bare_special_characters_and_closes_what_it_opens() {
        let text = latex::write(&for_people(20));
        for name in ["table", "tabular", "minipage"] {
            let count = |what: &str| text.matches(&format!("\\{what}{{{name}}}")).count();
            assert!(count("begin") > 0 && count("begin") == count("end"), "{name}: {text}");
        }
        assert_eq!(text.matches("\\midrule").count(), 2);
        assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
        let rows =
            text.lines().filter(|line| line.ends_with("\\\\")).filter(|line| line.contains("mcts"));
        let columns = columns().iter().filter(|column| column.readers.include(false)).count();
        for row in rows {
            assert_eq!(row.replace("\\&", "").matches('&').count(), columns - 1, "{row}");
        }
        let body = text.replace("\\%", "").replace("\\_", "").replace("\\#", "").replace("\\&", "");
        let without_first = body.split_once('\n').unwrap().1;
        assert!(!without_first.contains(['%', '#', '"', '\'', '~', '±', '≤', '²', 'μ']), "{body}");
        assert!(!body.contains("--"), "two hyphens would be a dash: {body}");
    }

    #[test]
    fn prose_is_wrapped_under_itself() {
        let text = "  as in mcts: iterations, seconds, trees, c, gamma, top, max_share, backup, final_move, nodes, and others";
        assert!(paragraph(text, 60).lines().all(|line| line.width() <= 60));
        assert_eq!(paragraph("  a b", 80), "  a b\n");
        assert_eq!(
            paragraph(&format!("{} x", "y".repeat(99)), 80),
            format!("{}\n  x\n", "y".repeat(99))
        );
    }
}
