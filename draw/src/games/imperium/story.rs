//! The story of imperium.

use serde_json::Value as Json;

use crate::story::{Event, Level, Position, Sentence, Teller, seated, seated_word};

/// The narrator of imperium.
#[derive(Clone, Debug)]
pub struct Story {
    last: Position,
    announced: Option<i64>,
}

impl Story {
    /// Creates the story of a game that begins at `start`.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        Self { last: start.clone(), announced: None }
    }

    /// Adds the scores of a round.
    fn scores(&self, after: &Position, out: &mut Vec<Sentence>) {
        let n = after.seats();
        let points = |position: &Position, seat: usize| {
            position.state["players"][seat]["points"].as_i64().unwrap_or_default()
        };
        let won = |seat: usize| {
            let won = points(after, seat) - points(&self.last, seat);
            (won != 0).then(|| format!("{} {won:+} ({})", seated(seat), points(after, seat)))
        };
        let won: Vec<String> = (0..n).filter_map(won).collect();
        let mark = crate::story::words(&self.last.state["mark"]);
        let won = if won.is_empty() { "nobody scores".to_owned() } else { won.join(", ") };
        out.push(Sentence::new(Level::Main, format!("scoring from {mark}: {won}")));
        let empty = serde_json::Map::new();
        let now = after.state["proconsul"].as_object().unwrap_or(&empty);
        for (province, seat) in now {
            if self.last.state["proconsul"].get(province) != Some(seat) {
                let text = format!(
                    "the proconsul of {province} is of {} now",
                    seated_word(&seat.to_string())
                );
                out.push(Sentence::new(Level::Part, text));
            }
        }
    }
}

fn round(position: &Position) -> i64 {
    position.state["round"].as_i64().unwrap_or_default()
}

impl Teller for Story {
    fn narrate(&mut self, event: &Event<'_>, after: Option<&Position>, out: &mut Vec<Sentence>) {
        if self.announced != Some(round(&self.last)) {
            self.announced = Some(round(&self.last));
            let mark = crate::story::words(&self.last.state["mark"]);
            let text = format!("round {}, {mark} is scored", round(&self.last) + 1);
            out.push(Sentence::new(Level::Round, text));
        }
        if let Event::Choice { seat, action } = event {
            let cards = action.strip_prefix("stack").unwrap_or(action).trim();
            let cards = cards.replace(' ', ", ");
            let again = if self.last.view.get("revealed").is_some_and(Json::is_array) {
                " after the Oracle"
            } else {
                ""
            };
            let cards = if cards.is_empty() { "nothing".to_owned() } else { cards };
            out.push(Sentence::of(Level::Deed, *seat, format!("plays {cards}{again}")));
        }
        let Some(after) = after else { return };
        if round(after) != round(&self.last) {
            self.scores(after, out);
        }
        self.last = after.clone();
    }
}
