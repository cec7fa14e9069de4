//! The story of classic: a sentence for each action, completed with forced effects from the positions around it.
//! Battles stand roll by roll with their losses, followed by changes of ownership.

use serde_json::Value as Json;

use super::pieces::{Pieces, battlefields, fewer, more, talents};
use crate::story::{Event, Level, Position, Sentence, Teller, and, counted, seated_word, words};

/// The narrator of classic.
#[derive(Clone, Debug)]
pub struct Story {
    last: Position,
    announced: Option<i64>,
    /// An action with missing counts or places: seat, words, and the position before it.
    begun: Option<Begun>,
    is_fighting: bool,
}

#[derive(Clone, Debug)]
struct Begun {
    seat: usize,
    words: Vec<String>,
    before: Position,
}

fn owner(position: &Position, place: &str) -> Option<u64> {
    position.state["owner"][place].as_u64()
}

impl Story {
    /// Creates the story of a game that begins at `start`.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        Self { last: start.clone(), announced: None, begun: None, is_fighting: false }
    }

    /// Completes the open action, with `after` as its result.
    fn close(&mut self, after: &Position, out: &mut Vec<Sentence>) {
        if let Some(begun) = self.begun.take()
            && let Some(text) = begun.text(after)
        {
            out.push(Sentence::of(Level::Deed, begun.seat, text));
        }
    }

    fn choose(&mut self, seat: usize, action: &str, out: &mut Vec<Sentence>) {
        let words: Vec<String> = action.split(' ').map(str::to_owned).collect();
        if let ("count" | "to", Some(begun)) = (words[0].as_str(), &mut self.begun) {
            // Counts are read from the positions; the destination is not.
            if words[0] == "to" {
                begun.words.extend(words);
            }
            return;
        }
        let last = self.last.clone();
        self.close(&last, out);
        self.begun = Some(Begun { seat, words, before: last });
    }

    /// Adds a roll; the first roll of a battle also names the place and the fighters.
    fn roll(&mut self, who: Option<&Json>, value: &Json, out: &mut Vec<Sentence>) {
        if !self.is_fighting {
            self.is_fighting = true;
            // With several seats at one place, the fighters of the roll are unknown.
            let text = match battlefields(&self.last).as_slice() {
                [field] => format!("a battle in {field}"),
                _ => "a battle".to_owned(),
            };
            out.push(Sentence::new(Level::Main, text));
        }
        // The odds refer to the position before the first roll of a round.
        let odds = self.last.odds_text();
        out.extend(
            odds.map(|odds| Sentence::new(Level::Part, format!("if nobody retreats: {odds}"))),
        );
        let side = who.map(words).unwrap_or_default();
        out.push(Sentence::new(Level::Part, format!("the {side} rolls {}", words(value))));
    }

    /// Adds losses, payments and conquests since the last event.
    fn changes(&self, after: &Position, out: &mut Vec<Sentence>) {
        for seat in 0..after.seats() {
            for (place, gone) in fewer(&self.last, after, seat, self.is_fighting) {
                let text = format!("loses {} in {place}", gone.text());
                out.push(Sentence::of(Level::Part, seat, text));
            }
            let gain = talents(after, seat) - talents(&self.last, seat);
            if gain > 0 {
                out.push(Sentence::of(
                    Level::Part,
                    seat,
                    format!("gets {}", counted(gain, "talent")),
                ));
            }
        }
        let both = [&self.last, after].map(|position| position.state["owner"].as_object());
        let mut places: Vec<&String> =
            both.into_iter().flatten().flat_map(|map| map.keys()).collect();
        places.sort_unstable();
        places.dedup();
        for place in places {
            let [then, now] = [owner(&self.last, place), owner(after, place)];
            let text = match (then, now) {
                (then, now) if then == now => continue,
                (Some(then), Some(now)) => {
                    format!("seat {} takes {place} from seat {}", now + 1, then + 1)
                }
                (None, Some(now)) => format!("seat {} takes {place}", now + 1),
                (Some(then), None) => format!("seat {} loses {place}", then + 1),
                (None, None) => continue,
            };
            out.push(Sentence { level: Level::Main, seat: now.map(|seat| seat as usize), text });
        }
        let is_out = |position: &Position, seat: usize| {
            position.state["players"][seat]["out"].as_bool().unwrap_or_default()
        };
        for seat in (0..after.seats()).filter(|&q| !is_out(&self.last, q) && is_out(after, q)) {
            out.push(Sentence::of(Level::Main, seat, "is out of the game"));
        }
    }
}

impl Begun {
    /// Returns the action as a sentence without its seat; `None` if it needs no sentence.
    fn text(&self, after: &Position) -> Option<String> {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let paid = talents(&self.before, self.seat) - talents(after, self.seat);
        let price = match paid {
            n if n > 0 => format!(" for {}", counted(n, "talent")),
            _ => String::new(),
        };
        let came = |place: &str| more(&self.before, after, self.seat, place);
        Some(match words.as_slice() {
            // The owner of a province is reported with the other changes of ownership.
            ["claim", _] | ["done"] => return None,
            ["place", placed @ ..] => format!("places {}", placing(placed)),
            ["march", from, to] => format!("marches{} from {from} to {to}", came(to).group()),
            ["sail", from, to] => format!("sails{} from {from} to {to}", came(to).group()),
            ["convoy", from, to] => format!("ships{} from {from} to {to}", came(to).group()),
            ["board", from, over, "to", to] if over == to => {
                format!("takes{} aboard in {over} from {from}", came(to).group())
            }
            ["board", from, over, "to", to] => {
                format!("ships{} from {from} over {over} to {to}", came(to).group())
            }
            ["board", from, over] => format!("goes aboard in {over} from {from}"),
            ["attack", zone, rival] => {
                format!("attacks the galleys of {} in {zone}", seated_word(rival))
            }
            ["retreat", to] => format!("retreats to {to}"),
            ["stay"] => "fights on".to_owned(),
            ["count", n] => {
                format!("keeps {}", counted(n.parse().unwrap_or_default(), "captive"))
            }
            ["crown", place] => format!("makes the general in {place} their caesar"),
            ["ransom", rival, price] => {
                format!(
                    "offers {} {price} talents for a general who is captive",
                    seated_word(rival)
                )
            }
            ["exchange", rival] => format!("offers {} general for general", seated_word(rival)),
            ["accept"] => "accepts".to_owned(),
            ["refuse"] => "refuses".to_owned(),
            ["raze", place] => format!("razes the city in {place}"),
            ["buy", "city", place] => format!("builds a city in {place}{price}"),
            ["buy", "fort", place] => format!("fortifies the city in {place}{price}"),
            ["buy", "road", from, to] => format!("builds a road from {from} to {to}{price}"),
            ["buy", unit, place] => match came(place) {
                pieces if pieces.is_none() => format!("buys {unit} in {place}{price}"),
                pieces => format!("buys {} in {place}{price}", pieces.text()),
            },
            _ => format!("plays {}", words.join(" ")),
        })
    }
}

/// Returns pieces and provinces in words, from pairs such as `infantry italia general italia`.
fn placing(pairs: &[&str]) -> String {
    let one = |pair: &[&str]| format!("{} in {}", counted(1, pair[0]), pair[1]);
    match pairs {
        [a, p, b, q] if a == b && p == q => format!("{} in {p}", counted(2, a)),
        _ => and(&pairs.chunks_exact(2).map(one).collect::<Vec<_>>()),
    }
}

impl Pieces {
    /// Returns the pieces in words with a space before them; empty without pieces.
    fn group(&self) -> String {
        if self.is_none() { String::new() } else { format!(" {}", self.text()) }
    }
}

impl Teller for Story {
    fn narrate(&mut self, event: &Event<'_>, after: Option<&Position>, out: &mut Vec<Sentence>) {
        let Some(after) = after else { return };
        let last = self.last.clone();
        // A position keeps the number of the finished round until the first action of the next.
        let round = after.state["round"].as_i64();
        if round.is_some() && round != self.announced {
            self.close(&last, out);
            self.announced = round;
            let text = match round {
                Some(0) => "before the first round".to_owned(),
                round => format!("round {}", round.unwrap_or_default()),
            };
            out.push(Sentence::new(Level::Round, text));
        }
        match event {
            Event::Choice { seat, action } => {
                self.choose(*seat, action, out);
                self.is_fighting &= matches!(*action, "stay");
            }
            Event::Chance { who, value: value @ Json::Array(_), .. } => {
                self.close(&last, out);
                self.roll(*who, value, out);
            }
            Event::Chance { value, .. } => {
                self.close(&last, out);
                out.push(Sentence::new(
                    Level::Deed,
                    format!("the die of the end: {}", words(value)),
                ));
            }
            Event::Forced => {}
        }
        let is_whole = self.begun.as_ref().is_some_and(|begun| {
            // An action with missing counts or a missing place stays open until another event.
            !matches!(begun.words[0].as_str(), "march" | "sail" | "convoy" | "board" | "buy")
                || matches!(begun.words.get(1).map(String::as_str), Some("city" | "fort" | "road"))
        });
        if is_whole {
            self.close(after, out);
        }
        self.changes(after, out);
        self.is_fighting &= battlefields(after).len() >= battlefields(&self.last).len();
        self.last = after.clone();
    }

    fn finish(&mut self, out: &mut Vec<Sentence>) {
        let last = self.last.clone();
        self.close(&last, out);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn position(land: &Json, talents: [i64; 2]) -> Position {
        let player = |n: i64| json!({ "talents": n, "out": false });
        let state = json!({
            "round": 1, "players": talents.map(player), "owner": {}, "land": land, "sea": {}, "guard": {},
        });
        Position { state, ..Position::default() }
    }

    fn texts(steps: &[(Event<'_>, Position)]) -> Vec<String> {
        let mut story = Story::new(&steps[0].1);
        let mut out = Vec::new();
        for (event, after) in steps {
            story.narrate(event, Some(after), &mut out);
        }
        story.finish(&mut out);
        out.into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn a_march_and_a_purchase_are_one_sentence_each_with_what_was_forced() {
        let choose = |action| Event::Choice { seat: 0, action };
        let before = position(&json!({ "italia": [[4, 1, 0, 0, 1, 1], null] }), [50, 50]);
        let gone =
            json!({ "italia": [[1, 0, 0, 0, 0, 0], null], "raetia": [[3, 1, 0, 0, 1, 1], null] });
        let marched = position(&gone, [50, 50]);
        let bought =
            json!({ "italia": [[3, 0, 0, 0, 0, 0], null], "raetia": [[3, 1, 0, 0, 1, 1], null] });
        let bought = position(&bought, [30, 50]);
        let texts = texts(&[
            (Event::Forced, before.clone()),
            (choose("march italia raetia"), before.clone()),
            (choose("count 3"), marched.clone()),
            (choose("buy infantry italia"), marched),
            (choose("count 2"), bought),
        ]);
        let due = [
            "round 1",
            "seat 1 marches 3 infantry, 1 cavalry, a general and the caesar from italia to raetia",
            "seat 1 buys 2 infantry in italia for 20 talents",
        ];
        assert_eq!(texts, due);
    }

    #[test]
    fn a_battle_says_where_it_is_and_what_it_costs() {
        let before =
            position(&json!({ "raetia": [[3, 0, 0, 0, 1, 0], [2, 0, 0, 0, 0, 0]] }), [0, 0]);
        let after =
            position(&json!({ "raetia": [[3, 0, 0, 0, 1, 0], [1, 0, 0, 0, 0, 0]] }), [0, 0]);
        let (attacker, defender) = (json!("attacker"), json!("defender"));
        let (hits, blank) = (json!(["infantry", "blank"]), json!(["blank"]));
        let roll = |who, value| Event::Chance { kind: "dice", who: Some(who), value };
        let odds = vec![("the attacker wins", 0.715), ("undecided", 0.285)];
        let begun = Position { odds, ..before.clone() };
        let texts = texts(&[
            (Event::Forced, begun),
            (roll(&attacker, &hits), before),
            (roll(&defender, &blank), after),
        ]);
        let due = [
            "round 1",
            "a battle in raetia: seat 1 with 3 infantry and a general, seat 2 with 2 infantry",
            "if nobody retreats: the attacker wins 72 %, undecided 28 %",
            "the attacker rolls infantry, blank",
            "the defender rolls blank",
            "seat 2 loses 1 infantry in raetia",
        ];
        assert_eq!(texts, due);
    }
}
