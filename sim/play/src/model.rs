//! The forward model of a game as lines of JSON, for programs that study it outside of a tournament.
//!
//! `docs/external-agents.md` describes the lines. The model holds whole games, because nobody plays against it.

use std::io::{BufRead, Read, Write};

use agents::external::PROTOCOL;
use agents::model::Model;
use agents::{Observable, Playable};
use engine::Rules;
use serde_json::{Value as Json, json};

use crate::catalogue::{Setup, WithGame, with_game};
use crate::error::Error;

/// Longest request in bytes, without the end of its line.
const LONGEST_LINE: u64 = 1 << 24;

/// Answers the requests of `input` on `output`, line by line, until `input` ends. The first line describes the game.
///
/// # Errors
/// If there is no such game, its rules are refused, or reading or writing fails. A bad request is no error: its answer
/// says what is wrong, and the model goes on.
pub fn serve(setup: &Setup, input: &mut dyn BufRead, output: &mut dyn Write) -> Result<(), Error> {
    with_game(setup, Serve { input, output })?
}

struct Serve<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
}

impl WithGame for Serve<'_> {
    type Output = Result<(), Error>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
        let start = json!({
            "caesar": PROTOCOL,
            "game": G::about().name,
            "players": game.n_players(),
            "rules": rules.overrides(),
            "configuration": rules.to_json(),
        });
        answer_lines(&start, &mut Model::of_game(&game), self.input, self.output)
    }
}

fn answer_lines(
    start: &Json,
    model: &mut Model<'_>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let mut put = |line: &Json| {
        let written = writeln!(output, "{line}").and_then(|()| output.flush());
        written.map_err(|error| Error::Failed(format!("cannot write an answer: {error}")))
    };
    put(start)?;
    loop {
        let mut line = Vec::new();
        let read = Read::take(&mut *input, LONGEST_LINE + 1).read_until(b'\n', &mut line);
        read.map_err(|error| Error::Failed(format!("cannot read a request: {error}")))?;
        if line.is_empty() {
            return Ok(());
        }
        if line.len() as u64 > LONGEST_LINE {
            return Err(Error::Usage(format!("a request of more than {LONGEST_LINE} bytes")));
        }
        put(&answer(model, &line))?;
    }
}

/// Answers a request.
fn answer(model: &mut Model<'_>, line: &[u8]) -> Json {
    let Ok(request) = serde_json::from_slice::<Json>(line) else {
        return json!({ "request": null, "error": "the request is not JSON" });
    };
    let number = &request["request"];
    if request["clear"] == true {
        model.clear();
    }
    match model.answer(request.get("ask").unwrap_or(&json!([]))) {
        Ok(answers) => json!({ "request": number, "answers": answers }),
        Err(why) => json!({ "request": number, "error": why }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_described_and_bad_requests_are_refused_one_by_one() {
        let requests = "{\"request\":1,\"ask\":[{\"op\":\"new\"},{\"op\":\"rollout\",\"position\":0,\"seed\":1}]}\n\
                        hello\n{\"request\":2,\"ask\":[{\"op\":\"look\",\"position\":7}]}\n\
                        {\"request\":3,\"clear\":true,\"ask\":[{\"op\":\"new\"}]}";
        let mut output = Vec::new();
        serve(&Setup::new("pig"), &mut requests.as_bytes(), &mut output).unwrap();
        let lines: Vec<Json> = String::from_utf8(output)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 5);
        assert_eq!((&lines[0]["game"], &lines[0]["caesar"]), (&json!("pig"), &json!(PROTOCOL)));
        assert!(lines[0]["configuration"].as_object().is_some_and(|rules| !rules.is_empty()));
        assert_eq!(lines[1]["answers"][0]["position"], 0);
        assert!(lines[1]["answers"][1]["points"].is_array());
        assert_eq!(lines[2]["error"], "the request is not JSON");
        assert!(lines[3]["error"].as_str().unwrap().contains("none of the 1"));
        assert_eq!(lines[4]["answers"][0]["position"], 0, "it was cleared");
    }
}
