//! The story of conquest2. The effect of an action is read from the positions before and after it. So the sentence also
//! contains forced choices, which records omit.

use serde_json::Value as Json;

use super::battle::Battle;
use super::cards::VALUES;
use super::changes::{army, beyond, effects, gain, land, of_seat, part, table};
use crate::story::{
    Event, Level, Position, Sentence, Teller, and, chance, counted, seated, seated_word,
};

/// The phases between actions: an open action ends with them.
const OPEN: [&str; 7] =
    ["top", "season token", "season card", "bid", "over", "null draw", "place caesar"];

/// An open action.
#[derive(Clone, Debug)]
struct Begun {
    seat: usize,
    verb: String,
    start: Position,
    /// Its choices, each with its seat.
    words: Vec<(usize, String)>,
    /// The Senate Vote that it calls; `None` without a vote.
    vote: Option<String>,
}

/// The narrator of conquest2.
#[derive(Clone, Debug)]
pub struct Story {
    last: Position,
    begun: Option<Begun>,
    battle: Option<Battle>,
    /// Tokens and cards drawn for the season.
    drawn: [Vec<String>; 2],
    /// The last announced season and round.
    place: (i64, i64),
    has_season: bool,
}

fn phase(position: &Position) -> &str {
    position.view["now"]["phase"].as_str().unwrap_or_default()
}

fn season(position: &Position) -> i64 {
    position.number("/season")
}

impl Story {
    /// Creates the story of a game that begins at `start`.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        Self {
            last: start.clone(),
            begun: None,
            battle: None,
            drawn: [Vec::new(), Vec::new()],
            place: (0, 0),
            has_season: false,
        }
    }

    /// Adds the headings that precede the event in the last position.
    fn headings(&mut self, out: &mut Vec<Sentence>) {
        let (now, phase) = (&self.last, phase(&self.last));
        let begins = matches!(phase, "season token" | "season card" | "bid");
        if begins && (!self.has_season || season(now) != self.place.0) {
            (self.place, self.has_season) = ((season(now), 0), true);
            out.push(Sentence::new(Level::Stage, format!("season {}", season(now) + 1)));
        }
        let round = now.view["now"]["round"].as_i64().unwrap_or_default() + 1;
        if phase == "top" && self.place.1 != round {
            self.place.1 = round;
            let text = format!("season {}, round {round}", self.place.0 + 1);
            out.push(Sentence::new(Level::Round, text));
        }
    }

    fn chance(&mut self, event: &Event<'_>, after: &Position, out: &mut Vec<Sentence>) {
        let Event::Chance { kind, who, value } = event else { return };
        let text = crate::story::words(value);
        match (*kind, phase(&self.last)) {
            ("dice", _) => {
                let roll = self.battle.as_ref().map(|battle| battle.roll(*who, value, &self.last));
                out.push(roll.unwrap_or_else(|| Sentence::new(Level::Part, chance(event))));
            }
            ("token", "season token") => self.drawn[0].push(text),
            ("card", _) => self.drawn[1].push(text),
            ("first-player", _) => {
                out.push(Sentence::new(Level::Deed, format!("{} bids first", seated_word(&text))));
            }
            ("senator", _) => {
                let which = if value.is_null() { String::new() } else { format!(": {text}") };
                let text = format!("a Senator is drawn at random{which}");
                out.push(Sentence::new(Level::Part, text));
            }
            ("token", _) => {
                let seat = who.and_then(Json::as_u64).unwrap_or_default();
                out.push(Sentence::of(
                    Level::Deed,
                    seat as usize,
                    format!("draws influence in {text}"),
                ));
            }
            _ => out.push(Sentence::new(Level::Part, chance(event))),
        }
        if !matches!(phase(after), "season token" | "season card") {
            self.draws(out);
        }
    }

    /// Adds the tokens and cards drawn for a season.
    fn draws(&mut self, out: &mut Vec<Sentence>) {
        for (drawn, what) in self.drawn.iter_mut().zip(["tokens for sale in", "cards on display:"])
        {
            if !drawn.is_empty() {
                out.push(Sentence::new(Level::Deed, format!("{what} {}", and(drawn))));
                drawn.clear();
            }
        }
    }

    /// Adds a choice, which begins an action or continues the open one.
    fn choice(&mut self, seat: usize, action: &str) {
        let verb = match phase(&self.last) {
            "top" => action.to_owned(),
            phase => verb_of(phase).to_owned(),
        };
        let last = &self.last;
        let begin = || Begun { seat, verb, start: last.clone(), words: Vec::new(), vote: None };
        let begun = self.begun.get_or_insert_with(begin);
        begun.words.push((seat, action.to_owned()));
        if let Some(card) = last.view["now"]["vote"]["card"].as_str() {
            // The caller of a vote chooses first, also if all their choices were forced.
            begun.vote = Some(card.to_owned());
        }
    }

    /// Completes the open action, if it is over.
    fn close(&mut self, after: &Position, out: &mut Vec<Sentence>) {
        let Some(begun) = &self.begun else { return };
        let over = match begun.verb.as_str() {
            "place" => {
                !phase(after).starts_with("place")
                    || after.view["now"]["actor"] != begun.start.view["now"]["actor"]
            }
            "bid" => phase(after) != "propose" && phase(after) != "amount",
            _ => OPEN.contains(&phase(after)),
        };
        if !over {
            return;
        }
        if let Some(begun) = self.begun.take() {
            tell(&begun, after, out);
        }
    }

    /// Adds the results of a season.
    fn season_over(&self, after: &Position, out: &mut Vec<Sentence>) {
        let of = |seat: usize| {
            let [vp, money, chaos] = ["vp", "money", "chaos"].map(|key| of_seat(after, seat, key));
            let won = gain(&self.last, after, seat, "vp");
            format!("{} {vp} VP ({won:+}), {money} talents, {chaos} chaos", seated(seat))
        };
        let all: Vec<String> = (0..after.seats()).map(of).collect();
        let text = format!("season {} is over: {}", season(after), all.join("; "));
        out.push(Sentence::new(Level::Main, text));
    }
}

/// Returns the verb of an action that begins in the middle, because its first choices were forced.
fn verb_of(phase: &str) -> &'static str {
    match phase.split(' ').next().unwrap_or_default() {
        "take" | "fleet" | "city" | "barbarians" | "bribe" | "revolt" => "take",
        "recruit" => "recruit",
        "buy" => "buy",
        "tax" => "tax",
        "move" => "move",
        "battle" | "commit" | "lend" | "losses" | "retreat" | "withdraw" => "battle",
        "sail" | "wind" | "naval" => "sail",
        "use" | "vote" | "legions" => "use",
        "bid" | "propose" | "amount" => "bid",
        "place" => "place",
        _ => "acts",
    }
}

impl Teller for Story {
    fn narrate(&mut self, event: &Event<'_>, after: Option<&Position>, out: &mut Vec<Sentence>) {
        let Some(after) = after else { return };
        self.headings(out);
        match event {
            Event::Choice { seat, action } => self.choice(*seat, action),
            Event::Chance { .. } => self.chance(event, after, out),
            Event::Forced => {}
        }
        let next = Battle::begins(self.battle.as_ref(), &self.last, after, out);
        if next.is_some() {
            self.battle = next;
        }
        let is_on = after.view["now"].get("battle").is_some();
        match &mut self.battle {
            Some(battle) if is_on => battle.goes_on(after, out),
            Some(battle) => {
                battle.ends(after, out);
                self.battle = None;
            }
            None => {}
        }
        self.close(after, out);
        if season(after) != season(&self.last) {
            self.season_over(after, out);
        }
        self.last = after.clone();
    }

    fn finish(&mut self, out: &mut Vec<Sentence>) {
        self.draws(out);
    }
}

/// Adds the sentence of an action that is over in `after`.
fn tell(begun: &Begun, after: &Position, out: &mut Vec<Sentence>) {
    let Begun { seat, verb, start, words, .. } = begun;
    let seat = *seat;
    // The words of the record serve if the positions do not show the effect, for example after the end of a season.
    let plain = || {
        let rest = in_words(words.iter().map(|(_, text)| text.as_str()));
        match verb.as_str() {
            "tax" => "raises a special tax".to_owned(),
            "use" => format!("uses a card{rest}"),
            _ => format!("{verb}s{rest}"),
        }
    };
    let (level, text) = match verb.as_str() {
        "recruit" => (Level::Deed, recruits(start, after, seat)),
        "buy" => (Level::Deed, buys(start, after, seat)),
        "move" => (Level::Deed, moves(start, after, seat)),
        "sail" => (Level::Deed, sails(start, after, seat)),
        "tax" => (Level::Deed, taxes(start, after, seat)),
        "take" => (Level::Main, takes(begun, after)),
        "use" => (Level::Main, uses(begun, after)),
        "battle" => return,
        "bid" => return bid(begun, after, out),
        "place" => return starts(start, after, out),
        "pass" | "end" => {
            (Level::Part, Some(if verb == "end" { "ends the turn" } else { "passes" }.to_owned()))
        }
        _ => (Level::Deed, None),
    };
    let text = text.unwrap_or_else(plain);
    out.push(Sentence::of(level, seat, text));
}

/// Returns ` for 30 talents`; empty without a payment, or if the end of a season also changed the money.
fn price(start: &Position, after: &Position, seat: usize) -> String {
    match gain(start, after, seat, "money") {
        n if n < 0 && season(start) == season(after) => format!(" for {} talents", -n),
        _ => String::new(),
    }
}

fn recruits(start: &Position, after: &Position, seat: usize) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    let places = land(start, after, seat);
    let galleys = table(start, after, "sea", seat);
    for (place, units) in places.iter().filter(|(_, units)| part(*units, 1) != [0; 5]) {
        parts.push(format!("{} in {place}", army(part(*units, 1))));
    }
    for (zone, n) in galleys.iter().filter(|(_, n)| *n > 0) {
        parts.push(format!("{} in {zone}", counted(*n, "galley")));
    }
    (!parts.is_empty()).then(|| format!("recruits {}{}", and(&parts), price(start, after, seat)))
}

fn buys(start: &Position, after: &Position, seat: usize) -> Option<String> {
    let mut parts = Vec::new();
    for (place, n) in table(start, after, "influence", seat).iter().filter(|(_, n)| *n > 0) {
        let from: Vec<String> = (0..after.seats())
            .filter(|&other| other != seat)
            .filter_map(|other| {
                let lost = table(start, after, "influence", other);
                let lost = lost.iter().find(|(there, n)| there == place && *n < 0)?;
                Some(format!("{} of {}", -lost.1, seated(other)))
            })
            .collect();
        let from = if from.is_empty() { String::new() } else { format!(" ({})", and(&from)) };
        parts.push(format!("{n} influence in {place}{from}"));
    }
    (!parts.is_empty()).then(|| format!("buys {}{}", and(&parts), price(start, after, seat)))
}

fn moves(start: &Position, after: &Position, seat: usize) -> Option<String> {
    let changes = land(start, after, seat);
    let from = changes.iter().filter(|(_, units)| part(*units, -1) != [0; 5]);
    let from: Vec<String> = from.map(|(place, _)| place.clone()).collect();
    let to = changes.iter().filter(|(_, units)| part(*units, 1) != [0; 5]);
    let to: Vec<String> =
        to.map(|(place, units)| format!("{} to {place}", army(part(*units, 1)))).collect();
    (!to.is_empty()).then(|| format!("moves {} from {}", and(&to), and(&from)))
}

fn sails(start: &Position, after: &Position, seat: usize) -> Option<String> {
    let changes = table(start, after, "sea", seat);
    let from = changes.iter().filter(|(_, n)| *n < 0).map(|(zone, _)| zone.clone());
    let from: Vec<String> = from.collect();
    let to = changes.iter().filter(|(_, n)| *n > 0);
    let to: Vec<String> =
        to.map(|(zone, n)| format!("{} to {zone}", counted(*n, "galley"))).collect();
    (!to.is_empty()).then(|| format!("sails {} from {}", and(&to), and(&from)))
}

fn taxes(start: &Position, after: &Position, seat: usize) -> Option<String> {
    let [money, chaos] = ["money", "chaos"].map(|key| gain(start, after, seat, key));
    (money > 0 && season(start) == season(after))
        .then(|| format!("raises a special tax of {money} talents for {chaos} chaos"))
}

fn takes(begun: &Begun, after: &Position) -> Option<String> {
    let (start, seat) = (&begun.start, begun.seat);
    let card = begun.words.iter().find_map(|(_, text)| text.strip_prefix("card "));
    let card = match card {
        Some(card) => card.to_owned(),
        None => beyond(&start.state["display"], &after.state["display"]).into_iter().next()?,
    };
    let price = price(start, after, seat);
    let is_same_season = season(start) == season(after);
    let came = if is_same_season { effects(start, after, Some(seat)) } else { String::new() };
    let came = if came.is_empty() { came } else { format!("; {came}") };
    let how = in_words(begun.words.iter().map(|(_, text)| text.as_str()));
    Some(format!("takes {card}{price}{how}{came}"))
}

/// Returns where and against whom an action goes, by its words in a record: ` to mare-numidia against seat 2`.
fn in_words<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let part = |text: &str| {
        let (first, rest) = text.split_once(' ')?;
        match (first, rest.parse::<usize>()) {
            ("target" | "attack" | "against", Ok(seat)) => {
                Some(format!(" against {}", seated(seat)))
            }
            ("from" | "to" | "in", _) => Some(format!(" {text}")),
            ("retreat", _) => Some(format!(", retreat to {rest}")),
            _ => None,
        }
    };
    words.filter_map(part).collect()
}

/// Returns a card with the victim that the word of a record names: `assassin general 2 egypt`.
fn with_victim(card: &str) -> String {
    let words: Vec<&str> = card.split(' ').collect();
    let victim = |seat: &str| seat.parse().map_or_else(|_| seat.to_owned(), seated);
    match words[..] {
        ["assassin", "general", seat, place] => {
            format!("assassin on a general of {} in {place}", victim(seat))
        }
        ["assassin", "senator", seat] => format!("assassin on a Senator of {}", victim(seat)),
        [kind @ ("merchant" | "vote"), of] => format!("{kind}-{of}"),
        _ => card.to_owned(),
    }
}

fn uses(begun: &Begun, after: &Position) -> Option<String> {
    let mut words: Vec<&(usize, String)> =
        begun.words.iter().filter(|(_, text)| text != "use").collect();
    let card = match &begun.vote {
        Some(card) => {
            words.retain(|(_, text)| !text.starts_with("vote "));
            card.clone()
        }
        None if words.is_empty() => {
            let used = |position: &Position| position.view["players"][begun.seat]["used"].clone();
            beyond(&used(after), &used(&begun.start)).into_iter().next()?
        }
        None => with_victim(&words.remove(0).1),
    };
    let rest: String =
        words.iter().map(|(seat, text)| format!(", {} {}", seated(*seat), shown(text))).collect();
    let is_same_season = season(&begun.start) == season(after);
    let came = if is_same_season { effects(&begun.start, after, None) } else { String::new() };
    let came = if came.is_empty() { "nothing comes of it".to_owned() } else { came };
    let came = if is_same_season { format!(": {came}") } else { String::new() };
    Some(format!("uses {card}{rest}{came}"))
}

/// Returns the revealed Senators in words: `show 1 0 2 0` is `shows I and 2 III`.
fn shown(text: &str) -> String {
    let Some(counts) = text.strip_prefix("show ") else {
        return if text == "pass" { "passes".to_owned() } else { text.to_owned() };
    };
    let values = VALUES.iter().zip(counts.split(' '));
    let shown = values.filter(|(_, n)| *n != "0").map(|(value, n)| match n {
        "1" => (*value).to_owned(),
        n => format!("{n} {value}"),
    });
    format!("shows {}", and(&shown.collect::<Vec<_>>()))
}

fn bid(begun: &Begun, after: &Position, out: &mut Vec<Sentence>) {
    let (start, seat) = (&begun.start, begun.seat);
    let [then, now] = [start, after].map(|position| &position.view["now"]["auction"]["bid"]);
    let is_same = then == now || now.is_null();
    if begun.words[0].1 == "pass" {
        out.push(Sentence::of(Level::Part, seat, "passes"));
    } else if !is_same {
        let name =
            |i: usize| now["boxes"][i].as_u64().map_or("nobody".to_owned(), |q| seated(q as usize));
        let (talents, [a, b]) = (&now["talents"], [0, 1].map(name));
        out.push(Sentence::of(
            Level::Part,
            seat,
            format!("bids {talents} talents: {a} in A, {b} in B"),
        ));
    } else {
        let bids = bids(begun.words.iter().map(|(_, text)| text.as_str()));
        out.push(Sentence::of(Level::Part, seat, format!("bids {}", bids.join(", then "))));
    }
    let placed = |position: &Position| position.view["order"].as_array().map_or(0, Vec::len);
    let (first, last) = (placed(start), placed(after));
    if last <= first {
        return;
    }
    let join = |i: usize| {
        let (seat, side) = (&after.view["order"][i], &after.view["alliance"][i]);
        format!(
            "{} is {} in order, alliance {}",
            seated_word(&seat.to_string()),
            i + 1,
            side.as_str().unwrap_or_default()
        )
    };
    let joins: Vec<String> = (first..last).map(join).collect();
    let pays = (0..after.seats()).filter(|&q| gain(start, after, q, "money") < 0);
    let pays: String =
        pays.map(|q| format!("; {} pays {}", seated(q), -gain(start, after, q, "money"))).collect();
    out.push(Sentence::new(Level::Main, format!("{}{pays}", joins.join(", "))));
}

/// Returns the bids of an auction by their words in a record: `propose 1 0` and `amount 80`.
fn bids<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut seats = String::new();
    for text in words {
        let numbers: Vec<usize> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [a, b] => {
                seats = format!("{} in A, {} in B", seated(a), seated(b));
                all.push(format!("for {seats}"));
            }
            [talents] => {
                all.pop();
                all.push(format!("{talents} talents: {seats}"));
            }
            _ => {}
        }
    }
    all
}

/// Adds the places of every seat's starting units.
fn starts(start: &Position, after: &Position, out: &mut Vec<Sentence>) {
    for seat in 0..after.seats() {
        let mut parts: Vec<String> = Vec::new();
        for (place, units) in land(start, after, seat) {
            parts.push(format!("{} in {place}", army(part(units, 1))));
        }
        for (zone, n) in table(start, after, "sea", seat) {
            parts.push(format!("{} in {zone}", counted(n, "galley")));
        }
        if !parts.is_empty() {
            out.push(Sentence::of(Level::Deed, seat, format!("starts with {}", and(&parts))));
        }
    }
}
