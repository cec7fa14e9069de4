//! The story of circus.

use serde_json::Value as Json;

use crate::story::{Event, Level, Position, Sentence, Teller, counted, seated_word};

/// A chariot: its seat and its number within the seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Chariot {
    seat: usize,
    n: usize,
}

/// The current turn of a chariot.
#[derive(Clone, Debug)]
struct Drive {
    chariot: Chariot,
    from: Json,
    steps: Vec<String>,
}

/// The narrator of circus.
#[derive(Clone, Debug)]
pub struct Story {
    last: Position,
    drive: Option<Drive>,
    announced: Option<i64>,
}

/// Returns the letter of a chariot.
fn letter(n: usize) -> char {
    char::from(b'a' + (n % 26) as u8)
}

/// Returns the chariot whose turn it is.
fn driver(position: &Position) -> Option<Chariot> {
    let first = position.state["to_move"].get(0)?;
    Some(Chariot { seat: first[0].as_u64()? as usize, n: first[1].as_u64()? as usize })
}

fn cell(position: &Position, chariot: Chariot) -> Json {
    position.state["players"][chariot.seat]["chariots"][chariot.n]["cell"].clone()
}

impl Story {
    /// Creates the story of a game that begins at `start`.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        Self { last: start.clone(), drive: None, announced: None }
    }

    fn close(&mut self, after: &Position, out: &mut Vec<Sentence>) {
        let is_on = |drive: &Drive| driver(after) == Some(drive.chariot);
        if self.drive.as_ref().is_none_or(is_on) {
            return;
        }
        let Some(Drive { chariot, from, steps }) = self.drive.take() else { return };
        let to = cell(after, chariot);
        let place = if from == to { format!("on {from}") } else { format!("from {from} to {to}") };
        let name = letter(chariot.n);
        let verb = if from == to { "leaves" } else { "drives" };
        let text = format!("{verb} chariot {name} {place}: {}", steps.join(", "));
        out.push(Sentence::of(Level::Deed, chariot.seat, text));
        self.arrivals(after, out);
    }

    fn arrivals(&self, after: &Position, out: &mut Vec<Sentence>) {
        let count = |position: &Position| position.state["arrived"].as_array().map_or(0, Vec::len);
        for place in count(&self.last)..count(after) {
            let seat = &after.state["arrived"][place];
            out.push(Sentence::new(
                Level::Main,
                format!("{} has all chariots home", seated_word(&seat.to_string())),
            ));
        }
    }
}

/// The directions of records in words.
const DIRECTIONS: [(&str, &str); 6] = [
    ("e", "east"),
    ("ne", "northeast"),
    ("nw", "northwest"),
    ("w", "west"),
    ("sw", "southwest"),
    ("se", "southeast"),
];

/// Returns a direction in words.
fn direction(id: &str) -> &str {
    DIRECTIONS.iter().find(|(known, _)| *known == id).map_or(id, |(_, word)| word)
}

/// Returns a card in words: `5 west, 1 card thrown away`.
fn step(action: &str) -> String {
    let words: Vec<&str> = action.split(' ').collect();
    match words.as_slice() {
        ["go", value, way] => format!("{value} {}", direction(way)),
        ["go", value, way, thrown] => {
            let thrown = counted(thrown.parse().unwrap_or_default(), "card");
            format!("{value} {} ({thrown} thrown away)", direction(way))
        }
        ["waste", value] => format!("{value} wasted"),
        _ => action.to_owned(),
    }
}

impl Teller for Story {
    fn narrate(&mut self, event: &Event<'_>, after: Option<&Position>, out: &mut Vec<Sentence>) {
        let Some(after) = after else { return };
        let round = self.last.number("/round") + i64::from(driver(&self.last).is_none());
        match (event, driver(&self.last)) {
            (Event::Choice { action, .. }, Some(chariot)) => {
                if self.announced != Some(round) {
                    self.announced = Some(round);
                    out.push(Sentence::new(Level::Round, format!("round {round}")));
                }
                let from = cell(&self.last, chariot);
                let begin = || Drive { chariot, from, steps: Vec::new() };
                self.drive.get_or_insert_with(begin).steps.push(step(action));
            }
            (Event::Choice { seat, action }, None) => match action.strip_prefix("start ") {
                Some(cell) => {
                    out.push(Sentence::of(
                        Level::Deed,
                        *seat,
                        format!("places a chariot on {cell}"),
                    ));
                }
                None => {
                    self.first_of_round(out);
                    let chariot = Chariot { seat: *seat, n: self.mover(*seat, after) };
                    let from = cell(&self.last, chariot);
                    self.drive = Some(Drive { chariot, from, steps: vec![step(action)] });
                }
            },
            (Event::Chance { value, .. }, _) => {
                out.push(Sentence::new(
                    Level::Deed,
                    format!("{} places first", seated_word(&value.to_string())),
                ));
            }
            (Event::Forced, _) => {}
        }
        self.close(after, out);
        self.last = after.clone();
    }
}

impl Story {
    /// Returns the first chariot of a seat that moves in a round. The position before does not contain it, so it is the
    /// chariot on another space or, failing that, the one still to move.
    fn mover(&self, seat: usize, after: &Position) -> usize {
        let n = after.state["players"][seat]["chariots"].as_array().map_or(0, Vec::len);
        let has_moved = |&n: &usize| {
            let chariot = Chariot { seat, n };
            cell(&self.last, chariot) != cell(after, chariot)
        };
        let moved = (0..n).find(has_moved);
        let still = driver(after).filter(|driver| driver.seat == seat).map(|driver| driver.n);
        moved.or(still).unwrap_or_default()
    }

    /// Announces the next round before the position shows the moving seat.
    fn first_of_round(&mut self, out: &mut Vec<Sentence>) {
        let round = self.last.number("/round") + 1;
        if self.announced != Some(round) {
            self.announced = Some(round);
            out.push(Sentence::new(Level::Round, format!("round {round}")));
        }
    }
}
