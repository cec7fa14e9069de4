//! classic told: the choices in their words, and what changed hands.

use serde_json::Value as Json;

use crate::story::{Event, Level, Position, Teller, Told, chance};

/// Tells classic.
#[derive(Clone, Debug)]
pub struct Story {
    last: Position,
    announced: Option<i64>,
}

fn owner(position: &Position, place: &str) -> Option<u64> {
    position.state["owner"][place].as_u64()
}

impl Story {
    /// The story of a game that begins at `start`.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        Self { last: start.clone(), announced: None }
    }

    /// Provinces that changed hands, and seats that are out.
    fn changes(&self, after: &Position, out: &mut Vec<Told>) {
        let both = [&self.last, after].map(|position| position.state["owner"].as_object());
        let mut places: Vec<&String> =
            both.into_iter().flatten().flat_map(|map| map.keys()).collect();
        places.sort_unstable();
        places.dedup();
        for place in places {
            let [then, now] = [owner(&self.last, place), owner(after, place)];
            let text = match (then, now) {
                (then, now) if then == now => continue,
                (Some(then), Some(now)) => format!("seat {now} takes {place} from seat {then}"),
                (None, Some(now)) => format!("seat {now} takes {place}"),
                (Some(then), None) => format!("seat {then} loses {place}"),
                (None, None) => continue,
            };
            out.push(Told { level: Level::Main, seat: now.map(|seat| seat as usize), text });
        }
        let players =
            |position: &Position| position.state["players"].as_array().cloned().unwrap_or_default();
        for (seat, (then, now)) in players(&self.last).iter().zip(&players(after)).enumerate() {
            if then["out"] == false && now["out"] == true {
                out.push(Told::of(Level::Main, seat, "is out of the game"));
            }
        }
    }
}

impl Teller for Story {
    fn hear(&mut self, event: &Event<'_>, after: Option<&Position>, out: &mut Vec<Told>) {
        let Some(after) = after else { return };
        let round = after.state["round"].as_i64();
        if round.is_some() && round != self.announced {
            self.announced = round;
            out.push(Told::new(Level::Round, format!("round {}", round.unwrap_or_default())));
        }
        match event {
            Event::Choice { seat, action } => {
                let talents = |position: &Position| {
                    position.state["players"][*seat]["talents"].as_i64().unwrap_or_default()
                };
                let paid = match talents(after) - talents(&self.last) {
                    0 => String::new(),
                    n => format!(" ({n:+} talents)"),
                };
                out.push(Told::of(Level::Deed, *seat, format!("plays {action}{paid}")));
            }
            Event::Chance { value: Json::Array(_), .. } => {
                out.push(Told::new(Level::Part, chance(event)));
            }
            Event::Chance { .. } => out.push(Told::new(Level::Deed, chance(event))),
            Event::Forced => {}
        }
        self.changes(after, out);
        self.last = after.clone();
    }
}
