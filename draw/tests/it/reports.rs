//! Tests of reports in a real browser: everything fits a phone and a sheet of paper, tables sort, and axe-core finds
//! nothing serious.

use draw::figure::FigureTable;
use draw::report::{Kind, Sheet, Source, report};
use draw::table_page::{table_height, table_page};
use serde_json::{Value as Json, json};

use crate::axe::{axe, serious};
use crate::browser::{loaded, replay};
use crate::driver::Browser;

/// A name without a place to break it.
const LONG: &str =
    "greedy(epsilon=0.125,persona=provincial,weights.rival_best=0.4,weights.rival_mean=0.8)";

fn sheet(name: &str, text: &str) -> Sheet {
    let mut lines = text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect());
    let columns = lines.next().unwrap_or_default();
    Sheet { name: name.to_owned(), caption: String::new(), columns, rows: lines.collect() }
}

fn source(kind: Kind, sheets: Vec<Sheet>) -> Source {
    Source {
        game: "conquest2".to_owned(),
        players: 4,
        agents: vec!["greedy#1".to_owned(), "random".to_owned()],
        legend: vec![["greedy#1".to_owned(), LONG.to_owned()]],
        games: 73_440,
        command: format!("caesar tournament --agent '{LONG}'"),
        rules: "rulebook; map and some numbers reconstructed".to_owned(),
        caveats: vec!["the run is unfinished".to_owned()],
        sheets,
        ..Source::new(kind, "out/a-directory-with-a-rather-long-name/run")
    }
}

/// Returns a report with a figure of every sort.
fn page() -> String {
    let standings = "agent share share_low share_high next_p\n\
                     greedy#1 0.375 0.3125 0.4375 0.01\nrandom 0.125 0.0625 0.1875 1\nmcts 0.25 0.2 0.3 1";
    let mut by_seat = "agent seat share share_low share_high".to_owned();
    for agent in ["greedy#1", "random", "mcts"] {
        for seat in 0..4 {
            by_seat += &format!("\n{agent} {seat} 0.{seat}25 0.0{seat} 0.5");
        }
    }
    let heads = "agent other share share_low share_high\ngreedy#1 random 0.75 0.7 0.8\nmcts random 0.5 0.4 0.6";
    let lengths = "from to games\n0 9 4\n10 19 12\n20 29 3";
    let cards = "card season value value_low value_high printed_price fair_price fair_price_low fair_price_high p \
                 verdict pick_rate pick_rate_low pick_rate_high\n\
                 vote-influence-in-rome 1 0.5 0.25 0.75 10 40 20 60 0.001 cheap 0.1 0.05 0.15\n\
                 assassin 1 0 -0.25 0.25 20 15 -5 30 1 undecided 0 0 0.01\n\
                 vote-influence-in-rome 2 0.25 -0.25 0.5 10 20 -5 30 1 undecided 0.01 0.005 0.015\n\
                 assassin 2 0.1 -0.25 0.5 10 20 -5 30 1 undecided 0.1 0.05 0.15";
    let panel = "metric A B difference difference_low difference_high p worth_finding verdict blocks\n\
                 seat-1 0.42 0.63 0.2 0.01 0.3 0.03 0.05 larger 59\n\
                 plies 60 55 -5 -7 -3 0.0004 1 smaller 55";
    let course = |metric: &str| Sheet {
        caption: format!("Running mean: {metric}"),
        ..sheet(
            "course",
            "blocks effect effect_low effect_high\n2 0.5 -9 9\n30 0.3 -0.2 0.8\n59 0.2 0.01 0.4",
        )
    };
    let history = "blocks best best_low best_high gain gain_low gain_high\n\
                   10 0.1 0 0.2 0.1 0 0.2\n20 0.1 0 0.2 0.05 0 0.1";
    report(&[
        source(
            Kind::Tournament,
            vec![
                sheet("standings", standings),
                sheet("by_seat", &by_seat),
                sheet("head_to_head", heads),
                sheet("lengths", lengths),
            ],
        ),
        source(Kind::Cards, vec![sheet("cards", cards)]),
        source(Kind::Comparison, vec![sheet("panel", panel), course("seat-1"), course("plies")]),
        source(Kind::Search, vec![sheet("history", history)]),
    ])
}

fn phone(browser: &Browser) {
    let phone = json!({ "width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true });
    browser.command("Emulation.setDeviceMetricsOverride", &phone);
}

/// Returns the visible texts that stand outside of the window or of their picture.
fn cut(browser: &Browser) -> Json {
    browser.run(
        "document.querySelectorAll('details').forEach(each => { each.open = true; });
         const wide = document.documentElement.scrollWidth;
         const out = wide > innerWidth ? [`the page has ${wide} pixels`] : [];
         for (const each of document.querySelectorAll('main p, main code, li, td, figcaption, figure text, dd, h2, h3')) {
           if (!each.checkVisibility()) continue;
           const box = each.getBoundingClientRect();
           const frame = each.closest('svg')?.getBoundingClientRect() ?? { left: 0, right: innerWidth };
           if (box.left < frame.left - 1 || box.right > frame.right + 1) out.push(each.textContent);
         }
         return out;",
    )
}

#[test]
fn nothing_of_a_report_is_cut_on_a_phone_on_a_screen_or_on_paper() {
    let Some((browser, _dir)) = loaded(&page()) else { return };
    assert_eq!(cut(&browser), json!([]), "1280 pixels");
    browser.command("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    let paper = json!({ "width": 720, "height": 1000, "deviceScaleFactor": 1, "mobile": false });
    browser.command("Emulation.setDeviceMetricsOverride", &paper);
    assert_eq!(cut(&browser), json!([]), "paper");
    browser.command("Emulation.setEmulatedMedia", &json!({ "media": "" }));
    phone(&browser);
    assert_eq!(cut(&browser), json!([]), "390 pixels");
    let label = "return getComputedStyle(document.querySelector('.scroll td'), '::before').content";
    assert_eq!(browser.run(label), "\"agent\"", "a cell of a card has the name of its column");
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_table_sorts_by_the_head_that_is_clicked() {
    let Some((browser, _dir)) = loaded(&page()) else { return };
    browser.run("document.querySelectorAll('details').forEach(each => { each.open = true; })");
    let table =
        "[...document.querySelectorAll('.scroll table')].find(t => t.textContent.includes('mcts'))";
    browser.run(&format!("{table}.id = 'one'"));
    let column = |i: usize| {
        browser.run(&format!("return [...document.querySelectorAll('#one tbody tr')].map(r => r.cells[{i}].textContent)"))
    };
    let sort = |i: usize| browser.click(&format!("#one th:nth-child({i}) button"));
    assert_eq!(column(0), json!(["greedy#1", "random", "mcts"]));
    sort(1);
    assert_eq!(column(0), json!(["greedy#1", "mcts", "random"]));
    sort(2);
    sort(2);
    assert_eq!(
        column(1),
        json!(["12.5 % [6.2, 18.8]", "25.0 % [20.0, 30.0]", "37.5 % [31.2, 43.8]"])
    );
    let order = "return document.querySelector('#one th:nth-child(2)').getAttribute('aria-sort')";
    assert_eq!(browser.run(order), "ascending");
}

/// Returns a table with a row for each number below `n`, whose cells are words of one letter and of many.
fn table(n: usize, is_wide: bool) -> FigureTable {
    let word = |i: usize| if is_wide { "wide".repeat(i % 5 * 20) } else { "x".to_owned() };
    FigureTable {
        caption: if n > 5 { format!("The first {n} rows") } else { String::new() },
        columns: vec![("name".to_owned(), false), ("points".to_owned(), true)],
        rows: (0..n).map(|i| vec![word(i), (n - i).to_string()]).collect(),
    }
}

#[test]
fn a_table_alone_fits_the_frame_of_its_height_whatever_its_width() {
    for (n, is_wide, width) in
        [(0, false, 700), (1, false, 700), (12, true, 700), (12, true, 390), (60, false, 390)]
    {
        let table = table(n, is_wide);
        let Some((browser, _dir)) = loaded(&table_page("table", &table)) else { return };
        let height = table_height(&table);
        let frame =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        browser.command("Emulation.setDeviceMetricsOverride", &frame);
        let taken = browser.run("return document.body.offsetHeight").as_u64().unwrap_or_default();
        let left = u64::from(height).checked_sub(taken);
        // Beside the room for the bar of a wide table, less than a pixel a row is lost.
        assert!(left.is_some_and(|left| left < 24 + n as u64), "{n} rows: {taken} of {height}");
        let scrolls = "return document.documentElement.scrollHeight > innerHeight";
        assert_eq!(browser.run(scrolls), false, "{n} rows");
        if n > 1 {
            browser.click("th:nth-child(2) button");
            browser.click("th:nth-child(2) button");
            let first = "return document.querySelector('tbody td:nth-child(2)').textContent";
            assert_eq!(browser.run(first), "1", "it sorts");
        }
        assert_eq!(browser.console(), [""; 0]);
    }
}

#[test]
fn axe_finds_nothing_serious_on_reports_and_replays_in_the_light_and_in_the_dark() {
    let Some(axe) = axe() else { return };
    let replays = draw::replay_page::replay_page("Replays", "", &[replay()]);
    let alone = table_page("table", &table(3, false));
    for (name, html) in [("report", page()), ("replays", replays), ("table", alone)] {
        let Some((browser, _dir)) = loaded(&html) else { return };
        browser.run("document.querySelectorAll('details').forEach(each => { each.open = true; })");
        assert_eq!(serious(&browser, &axe), [""; 0], "{name}");
    }
}
