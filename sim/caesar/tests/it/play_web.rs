//! `caesar play --web`: it prints an address for each person, and Ctrl-C names the record.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::shared::{caesar, command_at, done_at};

/// Sends a request to an address and returns the answer.
fn got(address: &str, path: &str, token: &str) -> String {
    let host = address.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nCaesar-Token: {token}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut text = vec![0; 1 << 20];
    // The stream of moments does not end by itself.
    let mut read = 0;
    while let Ok(more @ 1..) = stream.read(&mut text[read..]) {
        read += more;
        if path != "/" && text[..read].ends_with(b"\n\n\r\n") {
            break;
        }
    }
    String::from_utf8_lossy(&text[..read]).into_owned()
}

#[test]
fn a_table_is_served_until_ctrl_c_which_names_the_record() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let args = "play --web --game pig --agent human --agent Anna=human --records {}/pig.jsonl";
    let mut command = command_at(args, dir);
    let pipes = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("seat 2 (Anna)"));
    let addresses: Vec<String> = (0..2).map(|_| lines.next().unwrap().unwrap()).collect();
    assert!(addresses[1].starts_with("seat 2 (Anna): http://127.0.0.1:"), "{addresses:?}");
    let (_, address) = addresses[0].split_once(": ").unwrap();
    let (address, token) = address.split_once("/#").unwrap();
    let page = got(address, "/", "");
    assert!(page.starts_with("HTTP/1.1 200 ") && page.contains("<!DOCTYPE html>"), "{page}");
    let moment = got(address, "/events", token);
    assert!(moment.contains("\"moment\":1") && moment.contains("pig.jsonl"), "{moment}");
    // The port is taken.
    let port = address.rsplit(':').next().unwrap();
    let (code, _, stderr) = caesar(&format!("play --web --game pig --port {port}"));
    assert_eq!((code, stderr.contains("another program has it")), (2, true), "{stderr}");
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("the game is kept: caesar play --resume"), "{stderr}");
    let (code, _, stderr) = caesar("play --port 80");
    assert_eq!((code, stderr.contains("--web")), (2, true), "{stderr}");
    assert!(done_at("play --help", dir).contains("--web"));
}
