//! rise told: the choices in their words with what they brought, and what each turn came to.

use crate::story::{Event, Level, Position, Teller, Told, chance};

/// What a seat has, with what it is called.
const GOODS: [(&str, &str); 4] =
    [("vp", "VP"), ("gold", "gold"), ("resource", "resources"), ("food", "food")];

/// Tells rise.
#[derive(Clone, Debug)]
pub struct Story {
    last: Position,
    announced: Option<i64>,
}

fn turn(position: &Position) -> i64 {
    position.number("/turn")
}

fn good(position: &Position, seat: usize, key: &str) -> i64 {
    position.state["players"][seat][key].as_i64().unwrap_or_default()
}

impl Story {
    /// The story of a game that begins at `start`.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        Self { last: start.clone(), announced: None }
    }

    /// What a seat has more, or less.
    fn gains(&self, after: &Position, seat: usize) -> String {
        let gain = |(key, word): &(&str, &str)| {
            let n = good(after, seat, key) - good(&self.last, seat, key);
            (n != 0).then(|| format!("{n:+} {word}"))
        };
        let gains: Vec<String> = GOODS.iter().filter_map(gain).collect();
        if gains.is_empty() { String::new() } else { format!(" ({})", gains.join(", ")) }
    }
}

impl Teller for Story {
    fn hear(&mut self, event: &Event<'_>, after: Option<&Position>, out: &mut Vec<Told>) {
        let Some(after) = after else { return };
        if self.announced != Some(turn(&self.last)) {
            self.announced = Some(turn(&self.last));
            out.push(Told::new(Level::Round, format!("turn {} of the game", turn(&self.last) + 1)));
        }
        match event {
            Event::Choice { seat, action } => {
                let gains = self.gains(after, *seat);
                out.push(Told::of(Level::Deed, *seat, format!("plays {action}{gains}")));
            }
            Event::Chance { .. } => out.push(Told::new(Level::Part, chance(event))),
            Event::Forced => {}
        }
        if turn(after) != turn(&self.last) {
            let seats = after.seats();
            let points: Vec<String> = (0..seats)
                .map(|seat| format!("seat {seat} {} VP", good(after, seat, "vp")))
                .collect();
            out.push(Told::new(Level::Main, format!("the turn is over: {}", points.join(", "))));
        }
        self.last = after.clone();
    }
}
