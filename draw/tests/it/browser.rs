//! Tests of pages in a real browser: no errors occur, buttons and keys step through a game, and foreign scripts do not
//! run.

use std::fs;

use draw::board::Board;
use draw::chip::{Chip, ChipLook};
use draw::page::{Section, page};
use draw::replay::{BoardView, Frame, Mark, Replay};
use draw::replay_page::{replay_html, replay_page};
use serde_json::{Value as Json, json};

use crate::driver::Browser;

const BAD: &str = "<script>window.bad = 1</script><img src=x onerror=\"window.bad = 2\">";

fn rules() -> Json {
    json!({
        "province": [
            { "id": "a", "at": [0.0, 40.0], "land": ["b"], "vp": [5, 2] },
            { "id": "b", "at": [10.0, 40.0], "land": ["a"] },
            { "id": "c", "at": [5.0, 45.0], "land": [] },
        ],
        "sea": [{ "id": "mare", "at": [5.0, 35.0] }],
        "strait": [{ "between": ["b", "c"], "open": true }],
    })
}

/// Returns a replay of thirty events in three rounds: a piece moves from area to area, and money grows.
pub(crate) fn replay() -> Replay {
    let board = Board::of_rules(&rules());
    let frame = |i: usize| {
        let mut areas = vec![Vec::new(); 4];
        let text = format!("0: {i}i");
        areas[i % 4].push(Chip::new(Some(0), ChipLook::Built, text.clone(), text));
        Frame {
            view: BoardView {
                heading: format!("round {}", i / 10 + 1),
                areas,
                gauges: vec![vec![i.to_string()], vec![BAD.to_owned()]],
                ..BoardView::default()
            },
            mark: if i.is_multiple_of(10) { Mark::Round } else { Mark::Nothing },
            event: format!("event {i}"),
            sentences: vec![format!("sentence {i}")],
            chances: vec![0.5 + 0.01 * i as f64, 0.5 - 0.01 * i as f64],
            ..Frame::default()
        }
    };
    Replay {
        title: BAD.to_owned(),
        game: "another".to_owned(),
        agents: vec!["greedy".to_owned(), BAD.to_owned()],
        board,
        gauges: vec!["money".to_owned()],
        frames: (0..30).map(frame).collect(),
        notes: vec![BAD.to_owned()],
        ..Replay::default()
    }
}

/// Loads the page `html` in a browser; `None` without a browser.
pub(crate) fn loaded(html: &str) -> Option<(Browser, tempfile::TempDir)> {
    let browser = Browser::open()?;
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("page.html");
    fs::write(&path, html).expect("it can be written");
    browser.load(&path);
    Some((browser, dir))
}

/// Returns the visible content of the replay: its place, heading, sentences, the pieces of each area, the money of seat
/// 0.
fn seen(browser: &Browser) -> Json {
    browser.run(
        "const r = document.querySelector('.replay'); return [r.querySelector('output').textContent, \
         r.querySelector('.heading').textContent, r.querySelector('.told').textContent, \
         [...r.querySelectorAll('[data-area]')].map(g => g.textContent).join('|'), \
         r.querySelector('[data-gauge]').textContent, r.querySelector('[data-win]').textContent];",
    )
}

#[test]
fn buttons_and_keys_step_through_a_game_to_its_end_and_back() {
    let Some((browser, _dir)) = loaded(&replay_page("Replays", "", &[replay()])) else { return };
    let go = |name: &str| browser.click(&format!("button[data-go={name}]"));
    assert_eq!(seen(&browser)[0], format!("{} of 29", replay().decisive()), "it opens there");
    go("first");
    let at = |n: usize| {
        let mut areas = [""; 4].map(str::to_owned);
        areas[n % 4] = format!("0: {n}i0: {n}i");
        let chance = format!("{:.1} %", 50.0 + n as f64);
        json!([
            format!("{n} of 29"),
            format!("round {}", n / 10 + 1),
            format!("sentence {n}"),
            areas.join("|"),
            n.to_string(),
            chance
        ])
    };
    assert_eq!(seen(&browser), at(0));
    go("next");
    assert_eq!(seen(&browser), at(1));
    go("next-round");
    assert_eq!(seen(&browser), at(10));
    go("last-round");
    assert_eq!(seen(&browser), at(0));
    go("last");
    assert_eq!(seen(&browser), at(29));
    go("back");
    assert_eq!(seen(&browser), at(28));
    // Home, right, page down: as WebDriver writes keys.
    browser.press(".replay", "\u{e011}\u{e014}");
    assert_eq!(seen(&browser), at(1));
    browser.press(".replay", "\u{e00f}");
    assert_eq!(seen(&browser), at(10));
    (0..19).for_each(|_| browser.press(".replay", "\u{e014}"));
    assert_eq!(seen(&browser), at(29));
    go("first");
    assert_eq!(seen(&browser), at(0));
    let lines = browser.run("return document.querySelectorAll('.race [class^=l]').length");
    assert_eq!(lines, 2, "a line for each seat");
    assert_eq!(browser.console(), [""; 0]);
}

/// The test controls the clock of the page, so that no machine is too slow for it.
#[test]
fn playing_goes_on_by_itself_until_it_is_paused_or_the_game_ends() {
    let Some((browser, _dir)) = loaded(&replay_page("Replays", "", &[replay()])) else { return };
    browser.run("window.setInterval = step => { window.step = step; return 1; }; window.clearInterval = () => delete window.step");
    let ticks = |n: usize| {
        browser.run(&format!("for (let i = 0; i < {n} && window.step; i++) window.step(); return document.querySelector('output').textContent"))
    };
    browser.click("button[data-go=first]");
    let word = || browser.run("return document.querySelector('button[data-go=play]').textContent");
    let play = || browser.click("button[data-go=play]");
    assert_eq!((ticks(3), word()), (json!("0 of 29"), json!("play")));
    play();
    assert_eq!((ticks(2), word()), (json!("2 of 29"), json!("pause")));
    play();
    assert_eq!((ticks(3), word()), (json!("2 of 29"), json!("play")));
    play();
    assert_eq!((ticks(40), word()), (json!("29 of 29"), json!("play")));
    play();
    assert_eq!((ticks(1), word()), (json!("1 of 29"), json!("pause")), "it begins anew");
}

#[test]
fn on_paper_stands_the_end_of_a_game_unless_somebody_has_gone_elsewhere() {
    let Some((browser, _dir)) = loaded(&replay_page("Replays", "", &[replay(), replay()])) else {
        return;
    };
    let places =
        || browser.run("return [...document.querySelectorAll('output')].map(o => o.textContent)");
    let event = |name: &str| browser.run(&format!("window.dispatchEvent(new Event('{name}'))"));
    let open = replay().decisive();
    browser.click("button[data-go=first]");
    browser.click("button[data-go=next]");
    event("beforeprint");
    assert_eq!(places(), json!(["1 of 29", "29 of 29"]));
    event("afterprint");
    assert_eq!(places(), json!(["1 of 29", format!("{open} of 29")]));
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn what_comes_from_elsewhere_is_shown_and_never_run() {
    let body = replay_html(&replay(), "one");
    let Some((browser, _dir)) = loaded(&page(BAD, "", &[Section::new(BAD, body)])) else { return };
    browser.click("button[data-go=last]");
    assert_eq!(browser.run("return window.bad === undefined"), true);
    assert_eq!(browser.run("return document.querySelectorAll('img').length"), 0);
    assert_eq!(browser.run("return document.title"), BAD);
    let shown = browser.run("return document.querySelectorAll('.agent')[1].textContent");
    assert_eq!(shown, BAD, "the name of the agent is shown as it is");
    // The policy must stop scripts that an attacker managed to write into the page.
    browser.run(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.bad = 3\">')",
    );
    assert_eq!(browser.run("return window.bad === undefined"), true);
}

#[test]
fn a_page_fits_a_phone_and_has_names_for_those_who_hear_it() {
    let Some((browser, _dir)) = loaded(&replay_page("Replays", "", &[replay()])) else { return };
    let phone = json!({ "width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true });
    browser.command("Emulation.setDeviceMetricsOverride", &phone);
    let fits = "return document.documentElement.scrollWidth <= window.innerWidth";
    assert_eq!(browser.run(fits), true);
    let unnamed = "return [...document.querySelectorAll('svg:not([aria-hidden]), button, input, select')].filter(e => \
                   !e.getAttribute('aria-label') && !e.textContent.trim() && !e.closest('label')).length";
    assert_eq!(browser.run(unnamed), 0);
    let small = "return [...document.querySelectorAll('button')].filter(e => e.getBoundingClientRect().height < 32).length";
    assert_eq!(browser.run(small), 0, "buttons are large enough for a finger");
}

#[test]
fn a_link_leads_to_a_moment_of_a_game_and_follows_what_is_shown() {
    let page = replay_page("Replays", "", &[replay(), replay()]);
    let Some((browser, _dir)) = loaded(&page) else { return };
    browser
        .run("location.hash = 'game=2&ply=17'; return new Promise(done => setTimeout(done, 50))");
    let places =
        || browser.run("return [...document.querySelectorAll('output')].map(o => o.textContent)");
    assert_eq!(places()[1], "17 of 29");
    browser.click("#replay-2 button[data-go=next]");
    assert_eq!(browser.run("return location.hash"), "#game=2&ply=18");
}
