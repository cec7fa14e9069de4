//! A browser driver for the protocol `WebDriver` (W3C) over a plain connection. It needs `chromedriver` and Chromium.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value as Json, json};

/// The most attempts to start a driver: one that starts beside it may take its port.
const STARTS: usize = 5;

/// A browser with one window.
pub(crate) struct Browser {
    driver: Child,
    /// The standard output of the driver, which must stay open while it runs.
    _out: BufReader<ChildStdout>,
    port: u16,
    session: String,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A driver that is killed leaves its browser alone, also if a test has failed.
        drop(self.close());
        drop(self.driver.kill());
        drop(self.driver.wait());
    }
}

/// Returns whether a program of this name exists.
fn is_there(name: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|dir| dir.join(name).is_file())
}

impl Browser {
    /// Opens a browser. Prints a line and returns `None` without one.
    pub(crate) fn open() -> Option<Self> {
        if !is_there("chromedriver") || !is_there("chromium") {
            assert!(
                std::env::var_os("BROWSER_TESTS").is_none(),
                "tests in a browser are demanded, and there is no chromedriver or no chromium"
            );
            eprintln!(
                "skipped: no chromedriver and chromium here (apt-get install chromium-driver)"
            );
            return None;
        }
        let started = (0..STARTS).find_map(|_| Self::start());
        let mut browser = started.expect("chromedriver says its port");
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1280,1000",
        ];
        let options = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": args },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let made = browser.send("POST", "/session", &options);
        browser.session = made["sessionId"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        Some(browser)
    }

    /// Starts a driver; `None` if another one took its port first.
    fn start() -> Option<Self> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let mut out = BufReader::new(driver.stdout.take().expect("it is piped"));
        // "ChromeDriver was started successfully on port 12345."
        let port = out.by_ref().lines().map_while(Result::ok).find_map(|line| {
            let end = line.split("successfully on port ").nth(1)?;
            end.trim_end_matches('.').parse().ok()
        });
        if port.is_none() {
            drop(driver.kill());
            drop(driver.wait());
        }
        Some(Self { driver, _out: out, port: port?, session: String::new() })
    }

    /// Ends the session, and with it the browser.
    fn close(&self) -> std::io::Result<usize> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        let session = &self.session;
        write!(
            stream,
            "DELETE /session/{session} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        )?;
        stream.read(&mut [0; 1])
    }

    fn send(&self, method: &str, path: &str, body: &Json) -> Json {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time can be set");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("the driver reads");
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("the driver answers");
            if let Some(n) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = n.trim().parse().expect("a length");
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).expect("the whole answer");
        let answer: Json = serde_json::from_slice(&answer).expect("JSON");
        answer["value"].clone()
    }

    fn ask(&self, method: &str, path: &str, body: &Json) -> Json {
        self.send(method, &format!("/session/{}{path}", self.session), body)
    }

    /// Sends a command of Chromium's own protocol.
    pub(crate) fn command(&self, name: &str, params: &Json) -> Json {
        self.ask("POST", "/goog/cdp/execute", &json!({ "cmd": name, "params": params }))
    }

    /// Opens a file.
    pub(crate) fn load(&self, path: &Path) {
        self.open_address(&format!("file://{}", path.display()));
    }

    /// Opens an address, anew if it is open.
    pub(crate) fn open_address(&self, url: &str) {
        self.ask("POST", "/url", &json!({ "url": "about:blank" }));
        self.ask("POST", "/url", &json!({ "url": url }));
    }

    /// Runs a script, and returns its result.
    pub(crate) fn run(&self, script: &str) -> Json {
        let value = self.ask("POST", "/execute/sync", &json!({ "script": script, "args": [] }));
        assert!(value.get("error").is_none(), "{script}: {value}");
        value
    }

    /// Clicks the first element that a selector names, as a person does.
    pub(crate) fn click(&self, selector: &str) {
        let found =
            self.ask("POST", "/element", &json!({ "using": "css selector", "value": selector }));
        let id = found.as_object().and_then(|map| map.values().next()).and_then(Json::as_str);
        let id = id.unwrap_or_else(|| panic!("{selector}: {found}"));
        let answer = self.ask("POST", &format!("/element/{id}/click"), &json!({}));
        assert!(answer.is_null(), "{selector}: {answer}");
    }

    /// Presses keys on the first element that a selector names.
    pub(crate) fn press(&self, selector: &str, keys: &str) {
        let found =
            self.ask("POST", "/element", &json!({ "using": "css selector", "value": selector }));
        let id = found.as_object().and_then(|map| map.values().next()).and_then(Json::as_str);
        let id = id.unwrap_or_else(|| panic!("{selector}: {found}"));
        let answer = self.ask("POST", &format!("/element/{id}/value"), &json!({ "text": keys }));
        assert!(answer.is_null(), "{selector}: {answer}");
    }

    /// Performs actions of one device, one after another.
    fn act(&self, device: &Json, actions: &[Json]) {
        let mut device = device.clone();
        device["actions"] = actions.into();
        let answer = self.ask("POST", "/actions", &json!({ "actions": [device] }));
        assert!(answer.is_null(), "{device}: {answer}");
    }

    /// Presses the mouse at the first of these points of the window, moves it along the others and lets it go, which is a
    /// click if there is one point.
    pub(crate) fn drag(&self, points: &[[f64; 2]]) {
        let mouse = json!({ "type": "pointer", "id": "mouse" });
        let to = |[x, y]: &[f64; 2]| json!({ "type": "pointerMove", "x": x, "y": y });
        let mut actions: Vec<Json> = points.iter().map(to).collect();
        actions.insert(1, json!({ "type": "pointerDown", "button": 0 }));
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        self.act(&mouse, &actions);
    }

    /// Presses keys one after another, wherever the focus is.
    pub(crate) fn keys(&self, keys: &str) {
        let key = |way: &str, key: char| json!({ "type": way, "value": key.to_string() });
        let press = |each: char| [key("keyDown", each), key("keyUp", each)];
        let actions: Vec<Json> = keys.chars().flat_map(press).collect();
        self.act(&json!({ "type": "key", "id": "keys" }), &actions);
    }

    /// Returns the messages of the console, including errors and violations of the policy.
    pub(crate) fn console(&self) -> Vec<String> {
        let log = self.ask("POST", "/se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().into_iter().flatten();
        entries.map(ToString::to_string).collect()
    }
}
