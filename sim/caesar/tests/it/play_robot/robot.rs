//! A robot at a page: what it sees, what it clicks or presses, and what the page has sent.

use std::collections::BTreeSet;

use engine::{Randomness, Stream};
use serde_json::json;

use crate::axe::{axe, serious};
use crate::driver::Browser;

/// The functions by which the robot sees the page, and hears what it sends.
const SIGHT: &str = include_str!("sight.js");
/// Keys, as the protocol of the driver writes them.
const BACKSPACE: &str = "\u{e003}";
const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const LEFT: &str = "\u{e012}";
/// A person at a page.
pub(super) struct Robot {
    pub(super) browser: Browser,
    draws: Stream,
    /// The checks of what is shown, and the kinds that were checked.
    axe: Option<String>,
    checked: BTreeSet<String>,
}

impl Robot {
    pub(super) fn new(browser: Browser, draws: Stream) -> Self {
        Self { browser, draws, axe: axe(), checked: BTreeSet::new() }
    }

    pub(super) fn sit(&self, address: &str) {
        self.browser.open_address(address);
        self.browser.run(SIGHT);
    }

    /// Waits for a decision or the end, for at most so many milliseconds; returns `asks`, `over` or `waits`.
    pub(super) fn state(&self, patience: usize) -> String {
        let state = self.browser.run(&format!("return due({patience})"));
        state.as_str().unwrap().to_owned()
    }

    /// Looks closely at what is shown, once for each kind.
    pub(super) fn look(&mut self) {
        let Some(axe) = &self.axe else { return };
        let kind = self.browser.run("return kind()");
        if self.checked.insert(kind.to_string()) {
            assert_eq!(serious(&self.browser, axe), [""; 0], "{kind}");
        }
    }

    /// Takes the wishes that the page has sent since the last call; returns them as lines of the prompt.
    pub(super) fn sent(&self) -> Vec<String> {
        let sent = self.browser.run("return sent.splice(0)");
        let mut lines = Vec::new();
        for wish in sent.as_array().unwrap() {
            assert_eq!(wish["status"], 200, "{wish}");
            match wish["path"].as_str().unwrap() {
                "/words" => {
                    let words = wish["words"].as_array().unwrap().iter();
                    let words: Vec<&str> = words.map(|word| word.as_str().unwrap()).collect();
                    lines.push(words.join(" "));
                }
                "/undo" if wish["all"] == true => lines.push("undo all".to_owned()),
                "/undo" => lines.push("u".to_owned()),
                "/hint" => lines.push("h".to_owned()),
                "/done" | "/odds" => {}
                path => panic!("{path}"),
            }
        }
        lines
    }

    /// Clicks something.
    pub(super) fn click(&mut self, acts: &[&str]) {
        let [kind, which] = [self.draws.unit(), self.draws.unit()];
        let aim = self.browser.run(&format!("return aim([{kind}, {which}], {})", json!(acts)));
        let point = [0, 1].map(|axis| aim[1][axis].as_f64().unwrap());
        self.browser.drag(&[point]);
    }

    /// Moves the focus to an element by the tabulator and presses keys there.
    fn at(&self, selector: &str, number: usize, keys: &str) {
        let is_there = format!(
            "return document.activeElement === document.querySelectorAll('{selector}')[{number}]"
        );
        for _ in 0..500 {
            if self.browser.run(&is_there) == true {
                return self.browser.keys(keys);
            }
            self.browser.keys(TAB);
        }
        panic!("the tabulator never reaches {selector} {number}");
    }

    /// Presses keys.
    pub(super) fn press(&mut self, acts: &[&str]) {
        let seen = self.browser.run("return read()");
        let texts = |key: &str| -> Vec<String> {
            let all = seen[key].as_array().unwrap().iter();
            all.map(|text| text.as_str().unwrap().to_owned()).collect()
        };
        let mut draw = |n: usize| self.draws.below(n as u32) as usize;
        if seen["typing"] == true {
            self.browser.keys(ESCAPE);
        }
        let (options, forms) = (texts("options"), seen["forms"].as_u64().unwrap() as usize);
        let areas = seen["areas"].as_u64().unwrap() as usize;
        let open: Vec<String> =
            texts("acts").into_iter().filter(|act| acts.contains(&act.as_str())).collect();
        if !open.is_empty() && draw(14) == 0 {
            return match open[draw(open.len())].as_str() {
                "undo" => self.browser.keys(BACKSPACE),
                "hint" => self.browser.keys("h"),
                "odds" => self.browser.keys("o"),
                act => self.at(&format!("#buttons [data-do={act}]"), 0, ENTER),
            };
        }
        if areas > 0 && draw(6) == 0 {
            let (area, key) = (draw(areas), [ENTER, " "][draw(2)]);
            return self.at("#picture .area.can", area, key);
        }
        let option = draw(options.len() + forms);
        if option >= options.len() {
            let slider = draw(seen["sliders"].as_u64().unwrap() as usize);
            let keys = LEFT.repeat(draw(4)) + ENTER;
            return self.at("#options .form input", slider, &keys);
        }
        let by_letters = draw(2) == 0 && seen["find"] == true;
        if !by_letters && option < 9 {
            return self.browser.keys(&(option + 1).to_string());
        }
        if by_letters {
            self.browser.keys(&format!("/{}", options[option].to_lowercase()));
            let left = self.browser.run("return read().options.length");
            if left == 1 {
                return self.browser.keys(ENTER);
            }
            self.browser.keys(ESCAPE);
        }
        let option = self
            .browser
            .run("return read().options")
            .as_array()
            .unwrap()
            .iter()
            .position(|o| *o == options[option].as_str());
        self.at("#options .group > button", option.unwrap(), ENTER);
    }
}
