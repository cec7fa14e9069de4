//! The server: games over it are those of the prompt, and bad requests harm nothing.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use engine::{Player, Purpose, Randomness, rng};
use play::hosted_game::HostedGame;
use serde_json::{Value as Json, json};
use sim::session::Step;

use crate::hosts::host;
use crate::wire::{Events, Served, first_words, serve, status};

/// The record of a game whose people type `lines`, one after another.
fn typed(mut hosted: HostedGame, lines: &[Vec<String>]) -> String {
    let mut lines = lines.iter();
    loop {
        match hosted.step().unwrap() {
            Step::Asks(seat) => {
                let line = lines.next().unwrap().join(" ");
                assert_eq!(hosted.play(seat, &[&line]).unwrap(), None);
            }
            Step::Happened(_) => {}
            Step::Over => return hosted.take_record().unwrap(),
        }
    }
}

/// The newest moment of a stream, which a thread reads.
struct Seen(Arc<Mutex<Json>>);

impl Seen {
    fn of(mut stream: Events) -> Self {
        let newest = Arc::new(Mutex::new(Json::Null));
        let seen = Arc::clone(&newest);
        std::thread::spawn(move || {
            while let Some(text) = stream.text() {
                *seen.lock().unwrap() = serde_json::from_str(&text).unwrap();
            }
        });
        Self(newest)
    }

    fn newest(&self) -> Json {
        self.0.lock().unwrap().clone()
    }

    /// Waits for a moment after that with this number.
    fn after(&self, number: u64) -> Json {
        loop {
            let newest = self.newest();
            if newest["moment"].as_u64().is_some_and(|newest| newest > number) {
                return newest;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Waits for a moment at which a person is asked anew; `None` at the end of the game.
fn next(seen: &[Seen], acted: &[u64]) -> Option<(usize, Json)> {
    loop {
        for (who, seen) in seen.iter().enumerate() {
            let moment = seen.newest();
            let is_new = moment["moment"].as_u64() > Some(acted[who]);
            if is_new && moment["state"] == "asks" {
                return Some((who, moment));
            }
            if moment["state"] == "over" {
                return None;
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn the_words_of_pages_give_the_record_of_the_same_words_at_the_prompt() {
    let mut undone = 0;
    for (name, people) in [
        ("conquest2", &[0, 2][..]),
        ("hannibal", &[0]),
        ("goofspiel", &[0, 1]),
        ("imperium", &[1]),
        ("kuhn-poker", &[0]),
    ] {
        let served = serve(host(name, people, 9));
        let seen: Vec<Seen> = (0..people.len()).map(|who| Seen::of(served.stream(who))).collect();
        let (mut lines, mut acted) = (Vec::new(), vec![0; people.len()]);
        let mut draws = rng::stream(5, 0, Purpose::Analysis);
        let mut gestures = 0;
        while let Some((who, moment)) = next(&seen, &acted) {
            gestures += 1;
            acted[who] = moment["moment"].as_u64().unwrap();
            let words = first_words(&moment, draws.below(1_000) as usize);
            let refs: Vec<&str> = words.iter().map(String::as_str).collect();
            let (status, answer) = served.words(who, &moment, &refs);
            assert_eq!(status, 200, "{name}: {words:?}: {answer}");
            lines.push(words);
            let after = seen[who].after(acted[who]);
            if gestures % 7 == 0 && after["may_undo"] == true {
                // Taken back, and something else is played.
                acted[who] = after["moment"].as_u64().unwrap();
                let body = json!({ "moment": acted[who] }).to_string();
                assert_eq!(served.post(who, "/undo", &body).0, 200, "{name}");
                assert_eq!(seen[who].after(acted[who])["menu"], moment["menu"], "{name}");
                lines.pop();
                undone += 1;
            }
        }
        let record = Arc::clone(&served.record);
        let table_after = served.over();
        assert!(!table_after.result().is_empty());
        let record = record.lock().unwrap().clone();
        assert!(record.ends_with("}}\n"), "{name}");
        assert!(record == typed(host(name, people, 9), &lines), "{name}: {lines:?}");
    }
    assert!(undone > 5, "{undone}");
}

/// A moment without the number of the page that it was sent to.
fn without_page(mut moment: Json) -> Json {
    moment["page"].take();
    moment
}

/// A game of pig that waits for its person, and its first moment.
fn waiting() -> (Served, Json) {
    let served = serve(host("pig", &[0, 1], 3));
    let moment = served.stream(0).asked();
    (served, moment)
}

#[test]
fn requests_that_the_page_never_sends_are_refused() {
    let (served, moment) = waiting();
    let port = served.port;
    let token = format!("Caesar-Token: {}\r\n", served.tokens[0]);
    let json = "Content-Type: application/json\r\n";
    let body = json!({ "moment": moment["moment"], "words": ["roll"] }).to_string();
    let sized = format!("Content-Length: {}\r\n", body.len());
    let post = |line: &str, host: &str, more: &str, body: &str| {
        let request = format!("{line} HTTP/1.1\r\n{host}{more}\r\n{body}");
        status(&served.raw(request.as_bytes()))
    };
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    let whole = format!("{token}{json}{sized}");
    for (due, line, host, more) in [
        // Where from.
        (403, "POST /words", String::new(), whole.clone()),
        (403, "POST /words", "Host: evil.example\r\n".to_owned(), whole.clone()),
        (403, "POST /words", format!("Host: evil.example:{port}\r\n"), whole.clone()),
        (403, "POST /words", "Host: 127.0.0.1\r\n".to_owned(), whole.clone()),
        (403, "POST /words", "Host: 127.0.0.1:1\r\n".to_owned(), whole.clone()),
        (400, "POST /words", host.clone() + &host, whole.clone()),
        (403, "POST /words", host.clone(), format!("Origin: null\r\n{whole}")),
        (403, "POST /words", host.clone(), format!("Origin: http://evil.example\r\n{whole}")),
        (403, "POST /words", host.clone(), format!("Origin: http://localhost:{port}\r\n{whole}")),
        (403, "POST /words", host.clone(), format!("Origin: https://127.0.0.1:{port}\r\n{whole}")),
        (403, "POST /words", host.clone(), format!("Sec-Fetch-Site: cross-site\r\n{whole}")),
        (403, "POST /words", host.clone(), format!("Sec-Fetch-Site: same-site\r\n{whole}")),
        (403, "GET /", "Host: evil.example\r\n".to_owned(), String::new()),
        (403, "GET http://evil.example/", host.clone(), String::new()),
        // Who.
        (403, "POST /words", host.clone(), format!("{json}{sized}")),
        (403, "POST /words", host.clone(), format!("Caesar-Token: 0\r\n{json}{sized}")),
        (
            403,
            "POST /words",
            host.clone(),
            format!("Caesar-Token: {}\r\n{json}{sized}", "0".repeat(32)),
        ),
        (400, "POST /words", host.clone(), format!("{token}{whole}")),
        (403, "GET /events", host.clone(), String::new()),
        // Where to, and how.
        (404, "GET /play.js", host.clone(), token.clone()),
        (404, "GET /../../etc/passwd", host.clone(), token.clone()),
        (404, "GET /%2e%2e/etc/passwd", host.clone(), token.clone()),
        (405, "GET /words", host.clone(), token.clone()),
        (405, "POST /", host.clone(), whole.clone()),
        (405, "OPTIONS /words", host.clone(), token.clone()),
        (415, "POST /words", host.clone(), format!("{token}{sized}")),
        (415, "POST /words", host.clone(), format!("{token}{sized}Content-Type: text/plain\r\n")),
        (413, "POST /words", host.clone(), format!("{token}{json}Content-Length: 10000000\r\n")),
        (400, "POST /words", host.clone(), format!("{token}{json}Content-Length: 2\r\n")),
    ] {
        assert_eq!(post(line, &host, &more, &body), due, "{line} {host:?} {more:?}");
    }
    let again = served.stream(0).asked();
    assert_eq!(without_page(again), without_page(moment), "the game is unharmed");
}

#[test]
fn wishes_that_are_malformed_late_or_illegal_leave_the_game_as_it_was() {
    let (served, moment) = waiting();
    let port = served.port;
    for body in [
        "",
        "[]",
        "{}",
        "{\"words\":[\"roll\"]}",
        "{\"moment\":1}",
        "{\"moment\":1,\"words\":\"roll\"}",
    ] {
        assert_eq!(served.post(0, "/words", body).0, 400, "{body}");
    }
    // Too early, too late, of another seat, illegal.
    let number = moment["moment"].as_u64().unwrap();
    for (who, number, words, due) in [
        (0, number + 1, "roll", 409),
        (0, number - 1, "roll", 409),
        (1, number, "roll", 409),
        (0, number, "fly", 422),
        (0, number, "<script>", 422),
    ] {
        let body = json!({ "moment": number, "words": [words] }).to_string();
        let (status, answer) = served.post(who, "/words", &body);
        assert_eq!(status, due, "{answer}");
        assert!(answer["error"].is_string(), "{answer}");
    }
    let undo = json!({ "moment": number }).to_string();
    assert_eq!(served.post(0, "/undo", &undo).0, 422);
    // The game is unharmed, and what localhost calls itself is accepted.
    let names = ["127.0.0.1", "localhost", "[::1]"];
    for host in names.map(|name| format!("{name}:{port}")) {
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: none\r\n\r\n");
        assert_eq!(status(&served.raw(request.as_bytes())), 200, "{host}");
    }
    let again = served.stream(0).asked();
    assert_eq!(without_page(again), without_page(moment.clone()));
    assert_eq!(served.words(0, &moment, &["roll"]).0, 200);
}

#[test]
fn every_answer_has_the_headers_that_keep_others_out() {
    let (served, _) = waiting();
    let token = format!("Caesar-Token: {}\r\n", served.tokens[0]);
    for (line, more) in
        [("GET /", ""), ("GET /nothing", ""), ("GET /events", ""), ("GET /words", &token)]
    {
        let text = served.raw(served.head(line, more).as_bytes()).to_lowercase();
        let (head, _) = text.split_once("\r\n\r\n").unwrap();
        for due in [
            "content-security-policy: default-src 'none'; script-src 'sha256-",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "cache-control: no-store",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(head.contains(due), "{line}: {due}: {head}");
        }
        assert!(!head.contains("set-cookie") && !head.contains("access-control"), "{head}");
        assert!(!text.contains(&served.tokens[0]) && !text.contains(&served.tokens[1]), "{line}");
    }
}

#[test]
fn requests_that_are_too_long_or_too_slow_end_and_the_game_goes_on() {
    let (served, moment) = waiting();
    // A head of more than 8 KiB.
    let long = served.head("GET /", &format!("X: {}\r\n", "a".repeat(9_000)));
    assert_eq!(status(&served.raw(long.as_bytes())), 431);
    // A body of more than 64 KiB that does not say so.
    let token = &served.tokens[0];
    let chunked = format!(
        "Caesar-Token: {token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    );
    let mut body = served.head("POST /words", &chunked);
    for _ in 0..20 {
        body += &format!("{:x}\r\n{}\r\n", 4_096, " ".repeat(4_096));
    }
    assert_eq!(status(&served.raw((body + "0\r\n\r\n").as_bytes())), 413);
    // Heads and bodies that drip, one byte after another, and connections that say nothing.
    let began = Instant::now();
    let sized = format!(
        "Caesar-Token: {token}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n"
    );
    let head = served.head("POST /words", &sized);
    std::thread::scope(|scope| {
        let drips =
            [("".to_owned(), 0), (head.clone(), 408), ("GET / HTTP/1.1\r\nX: ".to_owned(), 0)];
        for (first, due) in drips {
            let served = &served;
            scope.spawn(move || {
                let mut stream = served.connect();
                stream.write_all(first.as_bytes()).unwrap();
                let mut reader = stream.try_clone().unwrap();
                let is_silent = first.is_empty();
                scope.spawn(move || {
                    while !is_silent && stream.write_all(b" ").is_ok() {
                        std::thread::sleep(Duration::from_millis(200));
                    }
                });
                let mut answer = Vec::new();
                drop(reader.read_to_end(&mut answer));
                assert_eq!(status(&String::from_utf8_lossy(&answer)), due, "{first:?}");
            });
        }
    });
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    assert_eq!(served.words(0, &moment, &["roll"]).0, 200);
}

#[test]
fn a_crowd_of_connections_waits_and_does_not_lock_the_people_out() {
    let (served, moment) = waiting();
    let crowd: Vec<_> = (0..60).map(|_| served.connect()).collect();
    assert_eq!(served.words(0, &moment, &["roll"]).0, 200);
    drop(crowd);
}

#[test]
fn a_newer_page_takes_over_and_a_page_that_was_closed_comes_back() {
    let (served, moment) = waiting();
    let moment = without_page(moment);
    let mut older = served.stream(0);
    let before = older.asked();
    assert_eq!(without_page(before.clone()), moment);
    let mut newer = served.stream(0);
    assert_eq!(without_page(newer.asked()), moment, "all of the log comes again");
    assert_eq!(older.moment()["state"], "taken");
    assert_eq!(older.text(), None);
    let of_older = json!({ "moment": before["moment"], "page": before["page"], "words": ["roll"] });
    let (status, answer) = served.post(0, "/words", &of_older.to_string());
    assert_eq!((status, &answer["error"]), (409, &json!("another window shows this seat now")));
    drop(newer);
    let again = served.stream(0).asked();
    assert_eq!(without_page(again.clone()), moment, "the game waits");
    let mut other = served.stream(1).moment();
    assert_eq!((&other["state"], &other["for"]), (&json!("waits"), &json!(1)));
    assert_eq!(other["menu"].take(), Json::Null, "whoever waits has no menu");
    let of_newest = json!({ "moment": again["moment"], "page": again["page"], "words": ["roll"] });
    assert_eq!(served.post(0, "/words", &of_newest.to_string()).0, 200);
}

#[test]
fn the_arrows_of_others_come_again_with_a_new_page_and_go_with_the_next_choice() {
    let served = serve(host("conquest2", &[0], 9));
    let mut stream = served.stream(0);
    let (mut shown, mut gone) = (0, 0);
    for number in 0..150 {
        let moment = stream.asked();
        if moment["state"] == "over" {
            break;
        }
        let marches = moment["marches"].as_array().unwrap();
        if moment["draft"] == json!([]) {
            let is_own = |march: &Json| march.as_str().unwrap().starts_with("march\u{1f}0\u{1f}");
            assert!(!marches.iter().any(is_own), "{marches:?}");
            gone += usize::from(shown > 0 && marches.is_empty());
        }
        if !marches.is_empty() {
            shown += 1;
            stream = served.stream(0);
            assert_eq!(&stream.asked()["marches"], &moment["marches"]);
        }
        let words = first_words(&moment, number);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(served.words(0, &moment, &words).0, 200, "{words:?}");
    }
    assert!(shown > 5 && gone > 0, "{shown} moments with arrows, {gone} without after them");
}

/// The sentences of a log, and the pieces in each area after the last one.
fn told(moment: &Json) -> (Vec<&Json>, BTreeMap<&str, &Json>) {
    let lines = moment["log"].as_array().unwrap();
    let pieces = lines.iter().filter_map(|line| line["pieces"].as_object()).flatten();
    let after = pieces.map(|(area, code)| (area.as_str(), code)).collect();
    (lines.iter().map(|line| &line["text"]).collect(), after)
}

#[test]
fn a_game_that_goes_on_from_its_record_shows_what_a_page_loaded_anew_shows() {
    let served = serve(host("conquest2", &[0], 9));
    let mut shown = 0;
    for number in 0..150 {
        served.stream(0).asked();
        // A page that is loaded when the seat is asked has all in one moment.
        let moment = served.stream(0).asked();
        let has_arrows = moment["marches"].as_array().is_some_and(|all| !all.is_empty());
        if moment["draft"] == json!([]) && has_arrows {
            let record = served.record.lock().unwrap().clone();
            let mut resumed = host("conquest2", &[0], 9);
            resumed.replay(record.split_once('\n').unwrap().1).unwrap();
            let again = serve(resumed).stream(0).asked();
            for key in ["marches", "happened", "pieces", "panel", "menu", "rolls"] {
                assert_eq!(again[key], moment[key], "{key}");
            }
            assert_eq!(told(&again), told(&moment));
            shown += 1;
        }
        let words = first_words(&moment, number);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(served.words(0, &moment, &words).0, 200, "{words:?}");
        if shown == 4 {
            return;
        }
    }
    panic!("only {shown} moments with arrows");
}

#[test]
fn a_port_that_is_taken_is_refused_with_a_remedy() {
    let (served, _) = waiting();
    let seats = [Player::new(0)];
    let refused = play::server::Server::bind(served.port, &seats).unwrap_err().to_string();
    assert!(refused.contains("another program has it"), "{refused}");
}

#[test]
fn hints_over_the_server_are_counted() {
    let (served, moment) = waiting();
    let body = json!({ "moment": moment["moment"] }).to_string();
    let (status, hint) = served.post(0, "/hint", &body);
    assert_eq!(status, 200, "{hint}");
    assert!(["roll", "hold"].contains(&hint["chosen"].as_str().unwrap()), "{hint}");
    assert_eq!(served.post(0, "/hint", &body).0, 200, "a hint changes no moment");
    let record = served.record.lock().unwrap().clone();
    assert!(record.ends_with("{\"hints\":2}\n"), "{record}");
    // Pig has no battles.
    assert_eq!((&moment["may_odds"], served.post(0, "/odds", &body).0), (&json!(false), 422));
}
