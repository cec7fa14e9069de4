//! Tests of the page at which a person plays, in a real browser and against a server of this file that only plays back
//! moments: clicks, keys and forms send the words that they stand for.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use draw::play::{Asked, DrawnGame, ask, page, page_policy, panel, pieces};
use serde_json::{Value as Json, json};

use crate::driver::Browser;

const BAD: &str = "<img src=x onerror=\"window.bad = 1\">";

/// A server that shows one moment after another, the next after each message of words.
struct Double {
    port: u16,
    heard: Arc<Mutex<Vec<Json>>>,
}

impl Double {
    fn new(moments: Vec<Json>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (all, moments) = (Arc::clone(&heard), Arc::new(moments));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (heard, moments) = (Arc::clone(&all), Arc::clone(&moments));
                // A browser that goes away closes its connection.
                thread::spawn(move || drop(answer(stream, &heard, &moments)));
            }
        });
        Self { port, heard }
    }

    fn open(&self, browser: &Browser) {
        browser.open_address(&format!("http://127.0.0.1:{}/#token", self.port));
        self.wait(browser, 1);
    }

    /// Waits until the page shows the moment with this number.
    fn wait(&self, browser: &Browser, number: u64) {
        let shown = format!("return document.body.dataset.moment === '{number}'");
        for _ in 0..2000 {
            if browser.run(&shown) == true {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("moment {number} is not shown; sent: {:?}", self.sent());
    }

    /// Returns the messages so far: path and body without the number of the moment.
    fn sent(&self) -> Vec<Json> {
        self.heard.lock().expect("no thread panics").clone()
    }
}

fn answer(
    mut stream: TcpStream,
    heard: &Mutex<Vec<Json>>,
    moments: &[Json],
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut first, mut length, mut has_token) = (String::new(), 0, false);
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let lower = line.to_ascii_lowercase();
        if let Some(n) = lower.strip_prefix("content-length:") {
            length = n.trim().parse().unwrap_or(0);
        }
        has_token |= lower.trim() == "caesar-token: token";
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n";
    if path == "/" {
        let policy = page_policy();
        let page = page();
        return write!(
            stream,
            "{head}Content-Type: text/html; charset=utf-8\r\nContent-Security-Policy: {policy}\r\n\r\n{page}"
        );
    }
    assert!(has_token, "{path} came without the token");
    if path == "/events" {
        write!(stream, "{head}Content-Type: text/event-stream\r\n\r\n")?;
        let mut shown = 0;
        loop {
            let due = 1 + heard.lock().expect("no thread panics").len().min(moments.len() - 1);
            if due > shown {
                write!(stream, "data: {}\n\n", moments[due - 1])?;
                shown = due;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
    let mut body: Json = serde_json::from_slice(&body).unwrap_or_default();
    body.as_object_mut().map(|body| body.remove("moment"));
    heard.lock().expect("no thread panics").push(json!([path, body]));
    write!(stream, "{head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}")
}

fn rules() -> Json {
    json!({
        "province": [
            { "id": "italia", "at": [0.0, 40.0], "land": ["gallia"], "vp": [5, 2] },
            { "id": "gallia", "at": [10.0, 40.0], "land": ["italia"] },
            { "id": "dacia", "at": [5.0, 45.0], "land": [] },
        ],
        "sea": [{ "id": "mare", "at": [5.0, 35.0] }],
    })
}

/// Returns moments of conquest2 in which one seat is asked, for these phases with their actions.
fn moments(asked: &[(Json, &[&str])]) -> Vec<Json> {
    let drawn = DrawnGame::new("conquest2", &rules(), 2);
    let names = ["Anna".to_owned(), BAD.to_owned()];
    let player = json!({ "money": 5, "chaos": 0, "vp": 0, "senators": [1, 0, 0, 0], "cards": [BAD], "unseen": 1 });
    let moment = |(i, (now, actions)): (usize, &(Json, &[&str]))| {
        let view = json!({
            "season": 0, "order": [0, 1], "alliance": ["A", "B"], "players": [player, player],
            "land": { "italia": [[4, 1, 0, 0, 1], null], "dacia": [null, [2, 0, 0, 0, 0]] },
            "sea": {}, "influence": {}, "tokens": {}, "cities": {}, "display": ["loot"], "now": now,
        });
        let seat = Asked { game: &drawn, names: &names, view: &view, seat: 0 };
        let table = seat.table();
        let actions: Vec<String> = actions.iter().map(|&action| action.to_owned()).collect();
        let rolls = json!([{ "who": "attacker", "faces": ["infantry", "blank"] }]);
        json!({
            "moment": i + 1, "seat": 1, "names": names, "state": "asks", "menu": ask(&seat, &actions, &[]),
            "board": (i == 0).then(|| drawn.board()), "pieces": pieces(&table), "panel": panel(&seat, &table), "draft": vec!["x"; i], "may_undo": i > 0,
            "may_finish": i > 0, "log": [BAD], "happened": [], "rolls": rolls, "result": null, "record": null,
        })
    };
    asked.iter().enumerate().map(moment).collect()
}

fn top() -> (Json, &'static [&'static str]) {
    (json!({ "phase": "top", "actions_left": 2 }), &["take", "move", "pass"])
}

fn from() -> (Json, &'static [&'static str]) {
    (json!({ "phase": "move from" }), &["from italia", "from gallia"])
}

fn amount(kind: &str, counts: &'static [&'static str]) -> (Json, &'static [&'static str]) {
    let way = json!({ "from": "italia", "to": "gallia", "count": kind });
    (json!({ "phase": "move count", "under_way": way }), counts)
}

#[test]
fn a_click_on_an_area_goes_as_far_as_it_is_clear() {
    let Some(browser) = Browser::open() else { return };
    let double = Double::new(moments(&[top(), from(), top()]));
    double.open(&browser);
    // Italia belongs to one action, which then asks from where.
    browser.click("path[aria-label^=italia]");
    double.wait(&browser, 3);
    let words = |words: &[&str]| json!(["/words", { "words": words }]);
    assert_eq!(double.sent(), [words(&["move"]), words(&["from italia"])]);
    assert_eq!(
        browser.run("return window.bad === undefined && document.images.length === 0"),
        true
    );
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn digits_letters_enter_and_backspace_play_without_a_mouse() {
    let Some(browser) = Browser::open() else { return };
    let double = Double::new(moments(&[top(), from(), top(), top(), top()]));
    double.open(&browser);
    browser.keys("2");
    double.wait(&browser, 2);
    browser.keys("1");
    double.wait(&browser, 3);
    browser.keys("\u{e003}");
    double.wait(&browser, 4);
    browser.keys("\u{e007}");
    double.wait(&browser, 5);
    let sent = [
        json!(["/words", { "words": ["move"] }]),
        json!(["/words", { "words": ["from italia"] }]),
        json!(["/undo", { "all": false }]),
        json!(["/done", {}]),
    ];
    assert_eq!(double.sent(), sent);
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_drag_from_area_to_area_sends_the_words_of_a_move() {
    let Some(browser) = Browser::open() else { return };
    let double = Double::new(moments(&[top(), from()]));
    double.open(&browser);
    let middle = |area: &str| {
        let script = format!(
            "const box = document.querySelector('path[aria-label^={area}]').getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round)"
        );
        let point = browser.run(&script);
        [0, 1].map(|axis| point[axis].as_f64().expect("a number"))
    };
    browser.drag(&[middle("italia"), middle("gallia")]);
    double.wait(&browser, 2);
    // The only leader is in Italia, so nothing asks from where.
    let words = json!(["move", "to gallia"]);
    assert_eq!(double.sent(), [json!(["/words", { "words": words }])]);
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_form_sends_its_amounts_one_after_another() {
    let Some(browser) = Browser::open() else { return };
    let infantry = amount("infantry", &["count 0", "count 1", "count 2", "count 3", "count 4"]);
    let caesar = amount("caesar", &["count 0", "count 1"]);
    let double = Double::new(moments(&[infantry, caesar, top()]));
    double.open(&browser);
    let fields =
        "return [...document.querySelectorAll('.form output')].map(field => field.textContent)";
    assert_eq!(browser.run(fields), json!(["4", "1", "1"]), "all that may go is preset");
    browser.click("[aria-label='less infantry']");
    browser.press("body", "\u{e007}");
    double.wait(&browser, 3);
    let word = |word: &str| json!(["/words", { "words": [word] }]);
    assert_eq!(double.sent(), [word("count 3"), word("count 1")], "nothing asks for the cavalry");
}

/// Returns a battle that waits for this phase, with the kind that is counted.
fn battle(phase: &str, kind: &str) -> Json {
    let battle = json!({
        "place": "italia", "side": "attacker", "attacker": 0, "defender": 1, "hits": [2, 0], "round": 1,
        "armies": [[4, 1, 0, 0], [2, 0, 0, 0]], "count": kind, "zone": null, "owner": 0,
    });
    json!({ "phase": phase, "battle": battle })
}

#[test]
fn losses_are_a_form_whose_amounts_make_up_for_each_other() {
    let Some(browser) = Browser::open() else { return };
    let infantry = (battle("losses", "infantry"), &["count 1", "count 2"][..]);
    let cavalry = (battle("losses", "cavalry"), &["count 0", "count 1"][..]);
    let double = Double::new(moments(&[infantry, cavalry, top()]));
    double.open(&browser);
    let fields =
        "return [...document.querySelectorAll('.form output')].map(field => field.textContent)";
    assert_eq!(browser.run(fields), json!(["2", "0"]), "the cheapest first");
    browser.click("[aria-label='one more cavalry']");
    assert_eq!(browser.run(fields), json!(["1", "1"]), "two hits are due");
    let lost = "return document.querySelectorAll('.pieces .chosen').length";
    assert_eq!(browser.run(lost), 2, "the pieces that go are marked");
    browser.click(".play-it");
    double.wait(&browser, 3);
    let words = |word: &str| json!(["/words", { "words": [word] }]);
    assert_eq!(double.sent(), [words("count 1"), words("count 1")]);
}

#[test]
fn a_battle_shows_armies_dice_and_hits_and_can_be_fought_on() {
    let Some(browser) = Browser::open() else { return };
    let asks = || (battle("retreat", ""), &["retreat gallia", "stay"][..]);
    let lose = (battle("losses", "cavalry"), &["count 0", "count 1"][..]);
    let double = Double::new(moments(&[asks(), lose, asks(), top(), asks()]));
    double.open(&browser);
    let shown = "const all = part => [...document.querySelectorAll(`#standing ${part}`)]; \
                 return [all('.figure').length, all('.die title').map(face => face.textContent), \
                 all('tr').map(row => row.lastElementChild.previousElementSibling.textContent)]";
    let hits = json!(["2 hits due", "no hits due"]);
    assert_eq!(browser.run(shown), json!([2, ["infantry", "blank"], hits]));
    browser.click(".repeat");
    double.wait(&browser, 2);
    browser.click(".play-it");
    // The page answers the next question itself, and no question after the battle.
    double.wait(&browser, 4);
    browser.click("#options .group > button");
    double.wait(&browser, 5);
    let words = |word: &str| json!(["/words", { "words": [word] }]);
    assert_eq!(double.sent(), [words("stay"), words("count 1"), words("stay"), words("take")]);
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn an_auction_has_a_row_for_each_seat_and_shows_what_is_left_after_paying() {
    let Some(browser) = Browser::open() else { return };
    let bid = json!({ "seat": 1, "talents": 3, "boxes": [1, 0] });
    let auction = json!({ "number": 0, "bid": bid, "proposed": [0, 1] });
    let now = json!({ "phase": "amount", "actor": 0, "auction": auction });
    let double = Double::new(moments(&[(now, &["amount 4", "amount 5"])]));
    double.open(&browser);
    let rows = "return [...document.querySelectorAll('#standing tr')] \
                .map(row => row.textContent.replace(/\\s+/g, ' ').trim())";
    let expected = [
        format!("Annaproposes Anna in A and {BAD} in B alliance A, place 1 5 talents"),
        format!(
            "{BAD}bids 3 for {BAD} in A and Anna in B alliance B, place 2 5 talents, 2 after paying"
        ),
    ];
    assert_eq!(browser.run(rows), json!(expected));
    let left = "return document.querySelector('.form .wide').textContent";
    assert_eq!(browser.run(left), "leaves you 1 of 5");
    browser.click("[aria-label='more talents']");
    assert_eq!(browser.run(left), "leaves you 0 of 5");
    assert_eq!(browser.console(), [""; 0]);
}

#[test]
fn a_form_of_a_move_ends_it_unless_more_is_to_come_and_one_kind_can_go_alone() {
    let Some(browser) = Browser::open() else { return };
    let infantry = || amount("infantry", &["count 0", "count 1", "count 2", "count 3", "count 4"]);
    let caesar = || amount("caesar", &["count 0", "count 1"]);
    let way = json!({ "from": "italia" });
    let more = || (json!({ "phase": "move to", "under_way": way }), &["to dacia", "done"][..]);
    for (button, sent) in [
        (".play-it", &["count 4", "count 1", "done"][..]),
        ("[aria-label='only infantry']", &["count 4", "count 0", "done"]),
        ("[aria-label='only caesar']", &["count 0", "count 1", "done"]),
        (".play-it + .play-it", &["count 4", "count 1"]),
    ] {
        let double = Double::new(moments(&[infantry(), caesar(), more(), top()]));
        double.open(&browser);
        browser.click(button);
        double.wait(&browser, 1 + sent.len() as u64);
        let words: Vec<Json> =
            sent.iter().map(|word| json!(["/words", { "words": [word] }])).collect();
        assert_eq!(double.sent(), words, "{button}");
    }
}

#[test]
fn the_page_is_small_and_fits_a_screen_and_a_phone() {
    assert!(page().len() <= 300_000, "{}", page().len());
    let Some(browser) = Browser::open() else { return };
    let double = Double::new(moments(&[top()]));
    let fits = |width: i64, height: i64| {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        browser.command("Emulation.setDeviceMetricsOverride", &size);
        double.open(&browser);
        browser.run(
            "const page = document.documentElement, outside = [...document.querySelectorAll('button, h1')].filter(e => \
             e.offsetParent && e.getBoundingClientRect().right > innerWidth); \
             return [page.scrollWidth <= innerWidth, page.scrollHeight <= innerHeight, outside.length]",
        )
    };
    assert_eq!(fits(1280, 800), json!([true, true, 0]));
    assert_eq!(fits(1024, 768), json!([true, true, 0]));
    let phone = fits(390, 844);
    assert_eq!([&phone[0], &phone[2]], [&json!(true), &json!(0)]);
    let order = "return document.getElementById('map').getBoundingClientRect().bottom <= \
                 document.getElementById('decision').getBoundingClientRect().top";
    assert_eq!(browser.run(order), true, "the decision stands below the map");
}
