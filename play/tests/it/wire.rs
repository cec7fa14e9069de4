//! A client of the server that speaks HTTP by hand, so that it can also speak it badly.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use play::hosted_game::HostedGame;
use play::server::{Server, Serving};
use serde_json::{Value as Json, json};
use sim::error::Error;

/// A game that is served, and the address and token of each person.
pub(crate) struct Served {
    pub(crate) port: u16,
    pub(crate) tokens: Vec<String>,
    pub(crate) record: Arc<Mutex<String>>,
    thread: JoinHandle<Result<HostedGame, Error>>,
}

/// Serves `hosted`.
pub(crate) fn serve(hosted: HostedGame) -> Served {
    let server = Server::bind(0, &hosted.people()).unwrap();
    let addresses = server.addresses();
    let parts: Vec<_> = addresses.iter().map(|(_, a)| a.split_once("/#").unwrap()).collect();
    let port = parts[0].0.strip_prefix("http://127.0.0.1:").unwrap().parse().unwrap();
    let tokens = parts.iter().map(|(_, token)| (*token).to_owned()).collect();
    let record = Arc::new(Mutex::new(String::new()));
    let kept = Arc::clone(&record);
    let keep = Box::new(move |lines: &str, end: &str| {
        *kept.lock().unwrap() = format!("{lines}{end}");
        Ok(())
    });
    let serving = Serving { pace: Duration::ZERO, record: None, replay: None, keep };
    let thread = std::thread::spawn(move || server.serve(hosted, serving));
    Served { port, tokens, record, thread }
}

impl Served {
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends `bytes` and returns everything that comes back.
    pub(crate) fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // A server that refuses a request early need not read it.
        drop(stream.write_all(bytes));
        let mut text = Vec::new();
        drop(stream.read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The head of a request of the page, and the blank line after it.
    pub(crate) fn head(&self, line: &str, more: &str) -> String {
        format!("{line} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{more}\r\n", self.port)
    }

    /// A request of the page of person `who`.
    pub(crate) fn post(&self, who: usize, path: &str, body: &str) -> (u16, Json) {
        let (token, length) = (&self.tokens[who], body.len());
        let more = format!(
            "Caesar-Token: {token}\r\nOrigin: http://127.0.0.1:{}\r\nSec-Fetch-Site: same-origin\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n",
            self.port
        );
        let text = self.raw((self.head(&format!("POST {path}"), &more) + body).as_bytes());
        let json = text.split_once("\r\n\r\n").unwrap().1;
        (status(&text), serde_json::from_str(json).unwrap())
    }

    /// Plays `words` for person `who` at `moment`.
    pub(crate) fn words(&self, who: usize, moment: &Json, words: &[&str]) -> (u16, Json) {
        let body = json!({ "moment": moment["moment"], "words": words });
        self.post(who, "/words", &body.to_string())
    }

    /// Begins the stream of person `who`.
    pub(crate) fn stream(&self, who: usize) -> Events {
        let mut stream = self.connect();
        let more = format!("Caesar-Token: {}\r\n", self.tokens[who]);
        stream.write_all(self.head("GET /events", &more).as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert!(line.contains(" 200 "), "{line}");
        Events(reader)
    }

    /// Waits for the end of the game.
    pub(crate) fn over(self) -> HostedGame {
        self.thread.join().unwrap().unwrap()
    }
}

/// The status of an answer.
pub(crate) fn status(text: &str) -> u16 {
    let status = text.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3));
    status.map_or(0, |status| status.parse().unwrap())
}

/// The moments of a stream.
pub(crate) struct Events(BufReader<TcpStream>);

impl Events {
    /// The next moment as text; `None` at the end of the stream.
    pub(crate) fn text(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some(data.trim_end().to_owned());
            }
        }
    }

    pub(crate) fn moment(&mut self) -> Json {
        serde_json::from_str(&self.text().expect("the stream goes on")).unwrap()
    }

    /// The next moment at which the seat chooses, or the last one.
    pub(crate) fn asked(&mut self) -> Json {
        loop {
            let moment = self.moment();
            if moment["state"] != "waits" {
                return moment;
            }
        }
    }
}

/// The first words that a menu offers.
pub(crate) fn first_words(moment: &Json, number: usize) -> Vec<String> {
    let groups = moment["menu"]["groups"].as_array().unwrap();
    let options: Vec<&Json> =
        groups.iter().flat_map(|group| group["options"].as_array().unwrap()).collect();
    let option = options[number % options.len()];
    let words = option["words"].as_array().unwrap();
    let mut words: Vec<String> =
        words.iter().map(|word| word.as_str().unwrap().to_owned()).collect();
    if let Some(values) = option["count"]["values"].as_array() {
        let last = words.pop().unwrap();
        words.push(format!("{last} {}", values[number % values.len()]));
    }
    words
}
