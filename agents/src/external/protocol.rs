//! The lines of the protocol in `docs/external-agents.md`: writing requests and checking answers.
//!
//! Every request has a number, which its answer repeats. The number follows from the game's number in the run and from
//! the place of the request in the game. So it is unique in a process. The requests and error messages of a game do not
//! depend on earlier games of the process.

use engine::{ByPlayer, Configure, Game, Notation, Player, View};
use serde_json::{Value, json};

use super::program::Reply;
use crate::game_end::GameEnd;

/// The latest version of the protocol, sent in every `start`.
pub const PROTOCOL: u64 = 3;
/// Distance between the first request numbers of two consecutive games.
const STEP: u64 = 1_000_000;
/// Characters of a bad answer in an error message.
const SHOWN: usize = 60;

/// The numbers of the requests of one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    /// The number of the last request.
    latest: u64,
}

impl Numbers {
    /// Creates the numbers of the game `index` of a run.
    pub(super) const fn of_game(index: u64) -> Self {
        Self { latest: index.saturating_mul(STEP) }
    }

    /// Returns the number of the next request.
    ///
    /// # Errors
    /// If the game has used all of its numbers.
    pub(super) fn next(&mut self) -> Result<u64, String> {
        if self.latest % STEP == STEP - 1 {
            return Err(format!("more than {} requests in one game", STEP - 1));
        }
        self.latest = self.latest.saturating_add(1);
        Ok(self.latest)
    }
}

/// Rules as a program receives them.
#[derive(Clone, Debug)]
pub(super) struct SentRules {
    /// Differences from the default rules.
    pub(super) overrides: Value,
    /// Whole configuration: map, cards and all numbers; only since version 3.
    pub(super) whole: Option<Value>,
}

/// Returns the request that starts a game. It needs no answer.
pub(super) fn start<G: Configure>(
    number: u64,
    game: &G,
    seat: Player,
    rules: &SentRules,
) -> String {
    let version = if rules.whole.is_some() { PROTOCOL } else { 2 };
    let mut start = json!({
        "type": "start",
        "request": number,
        "caesar": version,
        "game": G::about().name,
        "players": game.n_players(),
        "seat": seat.idx(),
        "rules": rules.overrides,
    });
    if let Some(whole) = &rules.whole {
        start["configuration"] = whole.clone();
    }
    start.to_string()
}

/// A choice: its index among the program's choices in this game, and a number that seeds the program's random numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChoiceRequest {
    pub(super) count: u32,
    pub(super) seed: u32,
    /// Seconds left on the program's clock, if it has one.
    pub(super) clock: Option<f64>,
}

/// Returns the request for a choice among the actions `texts`.
pub(super) fn choose<G: Game + Notation>(
    number: u64,
    choice: ChoiceRequest,
    view: View<'_, G>,
    texts: &[String],
) -> String {
    let mut request = json!({
        "type": "choose",
        "request": number,
        "choice": choice.count,
        "seat": view.observer().idx(),
        "seed": choice.seed,
        "view": view.to_json(),
        "actions": texts,
    });
    if let Some(seconds) = choice.clock {
        request["clock"] = json!(seconds);
    }
    request.to_string()
}

/// Returns the answer of the model to an answer that asks it. The choice is still due.
pub(super) fn model(number: u64, answers: &Value) -> String {
    json!({ "type": "model", "request": number, "answers": answers }).to_string()
}

/// Returns the request that ends the game. The answer shows that the program followed the game.
pub(super) fn end(number: u64) -> String {
    json!({ "type": "end", "request": number }).to_string()
}

/// Returns the request that ends a game and tells its result; `reveals` adds the final position.
pub(super) fn end_with_result<G: Notation>(
    number: u64,
    end: &GameEnd<'_, G>,
    reveals: bool,
) -> String {
    let (game, n) = (end.game(), end.game().n_players());
    let mut request = json!({ "type": "end", "request": number });
    if let Some(points) = end.points() {
        let scores = end.scores();
        request["points"] = json!(points.first(n));
        request["scores"] = json!(scores.as_ref().map(|scores| scores.first(n)));
        request["ranks"] = json!(ranks(n, &points, scores.as_ref()));
        request["forfeit"] = json!(end.forfeit().map(Player::idx));
    }
    if let Some(state) = end.state().filter(|_| reveals) {
        request["state"] = game.state_json(state);
    }
    request.to_string()
}

/// Returns the ranks by points, then by score: 1 the best, and equal seats share the better rank.
fn ranks(n: usize, points: &ByPlayer<f32>, scores: Option<&ByPlayer<i32>>) -> Vec<usize> {
    let key = |seat: Player| (points[seat], scores.map_or(0, |scores| scores[seat]));
    let ahead = |seat| Player::all(n).filter(|&other| key(other) > key(seat)).count();
    Player::all(n).map(|seat| 1 + ahead(seat)).collect()
}

/// Returns the answer to the request `number`, if the line is this answer.
///
/// # Errors
/// If the line is anything else: the message shows it.
pub(super) fn answer(reply: &Reply, number: u64) -> Result<Value, String> {
    let json: Value = serde_json::from_slice(&reply.line).map_err(|_| {
        format!("the answer to request {number} is not JSON: {}", shortened(&reply.line))
    })?;
    match json.get("request") {
        None => Err(format!(
            "the answer to request {number} lacks its number, \"request\":{number}: {}",
            shortened(&reply.line)
        )),
        Some(found) if found.as_u64() != Some(number) => Err(format!(
            "out of step: request {number} was due, and the answer has \"request\":{}",
            cut(&found.to_string())
        )),
        Some(_) if reply.is_early => {
            Err(format!("out of step: request {number} was answered before it was sent"))
        }
        Some(_) => Ok(json),
    }
}

/// Returns the index among `texts` that the answer `json` names.
///
/// # Errors
/// If it names none: the message shows it.
pub(super) fn chosen(json: &Value, texts: &[String]) -> Result<usize, String> {
    match (json.get("action"), json.get("index")) {
        (Some(Value::String(action)), None) => texts
            .iter()
            .position(|text| text == action)
            .ok_or_else(|| format!("illegal action {}", shortened(action.as_bytes()))),
        (None, Some(Value::Number(index))) => index
            .as_u64()
            .filter(|&index| index < texts.len() as u64)
            .map(|index| index as usize)
            .ok_or_else(|| format!("illegal index {index} of {} actions", texts.len())),
        _ => Err(format!(
            "the answer has neither an \"action\" (text) nor an \"index\" (number): {}",
            shortened(json.to_string().as_bytes())
        )),
    }
}

/// Returns the start of a program's output, in quotes and on one line.
fn shortened(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() { format!("{start:?}…") } else { format!("{start:?}") }
}

/// Returns the start of a JSON text, unchanged.
fn cut(text: &str) -> String {
    let start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() { start + "…" } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Value, String> {
        answer(&Reply { line: line.into(), is_early: false }, 7)
    }

    #[test]
    fn an_answer_repeats_the_number_of_its_request() {
        assert!(read(r#"{"request":7}"#).is_ok());
        assert!(read("{\"index\":0, \"why\":\"no idea\", \"request\":7}\r").is_ok());
        for (line, complaint) in [
            ("bid", r#"the answer to request 7 is not JSON: "bid""#),
            ("", r#"the answer to request 7 is not JSON: """#),
            (r#"{"request":7"#, r#"the answer to request 7 is not JSON: "{\"request\":7""#),
            (
                r#"{"index":1}"#,
                r#"the answer to request 7 lacks its number, "request":7: "{\"index\":1}""#,
            ),
        ] {
            assert_eq!(read(line).unwrap_err(), complaint);
        }
        for line in ["{}", "[7]", "7", "null", r#""request""#, r#"{"Request":7}"#] {
            let complaint = read(line).unwrap_err();
            assert!(complaint.starts_with("the answer to request 7 lacks its number"), "{line}");
        }
        for found in
            ["6", "8", "0", "-7", "7.0", "\"7\"", "null", "[7]", "true", "70000000000000000000"]
        {
            let complaint = read(&format!("{{\"request\":{found}}}")).unwrap_err();
            let start = "out of step: request 7 was due, and the answer has \"request\":";
            let shown = complaint.strip_prefix(start);
            assert!(shown.is_some_and(|shown| shown == found || found.len() > 9), "{complaint}");
        }
        let long = read(&format!("{{\"request\":\"{}\"}}", "é\u{7}".repeat(100))).unwrap_err();
        assert!(long.ends_with('…') && long.chars().count() < 250, "{long}");
    }

    #[test]
    fn what_was_there_before_the_request_is_no_answer_to_it() {
        let early = |line: &str| answer(&Reply { line: line.into(), is_early: true }, 7);
        let guessed = early(r#"{"request":7,"index":0}"#).unwrap_err();
        assert_eq!(guessed, "out of step: request 7 was answered before it was sent");
        // The error message for any other line does not depend on its time.
        for line in ["hello", "{}", r#"{"request":6}"#] {
            assert_eq!(early(line), read(line));
        }
    }

    #[test]
    fn an_answer_names_an_action_or_its_index() {
        let texts = ["pass", "bid"].map(str::to_owned);
        let choose = |answer: &str| chosen(&serde_json::from_str(answer).unwrap(), &texts);
        assert_eq!(choose(r#"{"action":"bid"}"#), Ok(1));
        assert_eq!(choose(r#"{"index":0}"#), Ok(0));
        for (answer, complaint) in [
            (r#"{"action":"Bid"}"#, r#"illegal action "Bid""#),
            (r#"{"index":2}"#, "illegal index 2 of 2 actions"),
            (r#"{"index":-1}"#, "illegal index -1 of 2 actions"),
            (r#"{"index":0.5}"#, "illegal index 0.5 of 2 actions"),
            (r#"{"index":4294967296}"#, "illegal index 4294967296 of 2 actions"),
        ] {
            assert_eq!(choose(answer).unwrap_err(), complaint);
        }
        for answer in ["{}", r#"{"request":7}"#, r#"{"action":1}"#, r#"{"action":"bid","index":1}"#]
        {
            assert!(choose(answer).unwrap_err().starts_with("the answer has neither"), "{answer}");
        }
        let long = chosen(&json!({ "action": "é\u{7}".repeat(100) }), &texts).unwrap_err();
        assert!(long.ends_with("\"…") && long.chars().count() < 250, "{long}");
    }

    #[test]
    fn no_two_requests_of_different_games_have_the_same_number() {
        let mut numbers = Numbers::of_game(12);
        assert_eq!([numbers.next(), numbers.next()], [Ok(12_000_001), Ok(12_000_002)]);
        let mut last = Numbers { latest: 12_999_998 };
        assert_eq!(last.next(), Ok(12_999_999));
        assert_eq!(last.next().unwrap_err(), "more than 999999 requests in one game");
        assert!(last.next().is_err());
    }
}
