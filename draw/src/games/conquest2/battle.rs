//! Battles in the story of conquest2: the sides with their odds, each roll, and the result.

use serde_json::Value as Json;

use super::changes::{army, kinds, land, part, table};
use crate::story::{Level, Position, Sentence, and, counted, seated, words};

/// The kinds of units in a battle in the order of its armies.
const MILITARY: [&str; 4] = ["infantry", "cavalry", "catapult", "galley"];

/// A battle under way.
#[derive(Clone, Debug)]
pub(super) struct Battle {
    place: String,
    seats: [Option<usize>; 2],
    before: Position,
    round: i64,
    has_odds: bool,
}

/// Returns the battle under way in a position, if both sides are present.
fn under_way(position: &Position) -> Option<&Json> {
    position.view["now"].get("battle").filter(|battle| battle["armies"].is_array())
}

fn side(battle: &Json, key: &str) -> Option<usize> {
    battle[key].as_u64().map(|seat| seat as usize)
}

/// Returns the name of a side: a seat, or the slaves.
fn who(seat: Option<usize>) -> String {
    seat.map_or_else(|| "the slaves".to_owned(), seated)
}

/// Returns an army of a battle in words.
fn force(counts: &Json) -> String {
    let of = |(i, word): (usize, &&str)| {
        let n = counts[i].as_i64().unwrap_or_default();
        (n > 0).then(|| counted(n, word))
    };
    let all: Vec<String> = MILITARY.iter().enumerate().filter_map(of).collect();
    if all.is_empty() { "nothing".to_owned() } else { and(&all) }
}

impl Battle {
    /// Announces the battle that begins with `after`, and returns it. Returns `None` without a battle, or if it is
    /// `known`.
    pub(super) fn begins(
        known: Option<&Self>,
        before: &Position,
        after: &Position,
        out: &mut Vec<Sentence>,
    ) -> Option<Self> {
        let battle = under_way(after)?;
        let place = battle["place"].as_str()?.to_owned();
        let seats = ["attacker", "defender"].map(|key| side(battle, key));
        seats[1]?;
        if known.is_some_and(|known| known.place == place && known.seats == seats) {
            return None;
        }
        let [attacker, defender] = seats.map(who);
        let at = if battle["naval"] == true { "at sea in" } else { "in" };
        let text = format!("{attacker} attacks {defender} {at} {place}");
        out.push(Sentence { level: Level::Main, seat: seats[0], text });
        Some(Self { place, seats, before: before.clone(), round: 0, has_odds: false })
    }

    /// Continues the battle to `after`, and adds the odds of each round as soon as they exist.
    pub(super) fn goes_on(&mut self, after: &Position, out: &mut Vec<Sentence>) {
        let Some(battle) = under_way(after) else { return };
        let round = battle["round"].as_i64().unwrap_or_default();
        if after.view["now"]["phase"] != "dice" || (self.has_odds && round == self.round) {
            return;
        }
        (self.round, self.has_odds) = (round, true);
        let armies = [0, 1].map(|i| force(&battle["armies"][i]));
        let [attacker, defender] = self.seats.map(who);
        let odds = after.odds_text().map_or_else(String::new, |odds| format!(" ({odds})"));
        out.push(Sentence::new(
            Level::Part,
            format!(
                "round {round}: {} of {attacker} against {} of {defender}{odds}",
                armies[0], armies[1]
            ),
        ));
    }

    /// Returns the sentence about a roll in the position `before`.
    pub(super) fn roll(&self, side: Option<&Json>, faces: &Json, before: &Position) -> Sentence {
        let is_attacker = side.and_then(Json::as_str) == Some("attacker");
        let seat = self.seats[usize::from(!is_attacker)];
        let dice = faces.as_array().map_or(0, Vec::len);
        let army = under_way(before)
            .map_or(Json::Null, |battle| battle["armies"][usize::from(!is_attacker)].clone());
        let has = |face: &Json| {
            let unit = MILITARY.iter().position(|unit| face.as_str() == Some(unit));
            unit.is_some_and(|unit| army[unit].as_i64().unwrap_or_default() > 0)
        };
        let hits = faces.as_array().into_iter().flatten().filter(|face| has(face)).count() as i64;
        let shown = if dice == 0 { "nothing".to_owned() } else { words(faces) };
        Sentence::new(Level::Part, format!("{} rolls {shown}: {}", who(seat), counted(hits, "hit")))
    }

    /// Adds the result of the battle.
    pub(super) fn ends(&self, after: &Position, out: &mut Vec<Sentence>) {
        let loses = |seat: usize| format!("{} loses {}", seated(seat), self.lost(after, seat));
        let texts: Vec<String> = self.seats.iter().flatten().map(|&seat| loses(seat)).collect();
        let text = format!("battle in {}: {}", self.place, texts.join(", "));
        out.push(Sentence {
            level: Level::Main,
            seat: self.seats[0],
            text: text + &self.moved(after),
        });
    }

    /// Returns the losses of a seat on the whole map since the battle began, in words.
    fn lost(&self, after: &Position, seat: usize) -> String {
        let mut total = [0; 5];
        for (_, units) in land(&self.before, after, seat) {
            (0..5).for_each(|unit| total[unit] += units[unit]);
        }
        let lost = part(total, -1);
        let galleys: i64 =
            -table(&self.before, after, "sea", seat).iter().map(|(_, n)| n).sum::<i64>();
        let mut parts = kinds(lost);
        if galleys > 0 {
            parts.push(counted(galleys, "galley"));
        }
        if parts.is_empty() { "nothing".to_owned() } else { and(&parts) }
    }

    /// Returns the destinations of the units that left the place, in words.
    fn moved(&self, after: &Position) -> String {
        let went = |seat: &Option<usize>| {
            let seat = (*seat)?;
            let changes = land(&self.before, after, seat);
            let (to, units) = changes
                .iter()
                .find(|(place, units)| *place != self.place && part(*units, 1) != [0; 5])?;
            Some(format!("; {} goes to {to} with {}", seated(seat), army(part(*units, 1))))
        };
        self.seats.iter().filter_map(went).collect()
    }
}
