//! The story of rise: a sentence for each action, completed with forced effects from the positions around it. It
//! includes the costs of battles, sacrifices and choices between turns, and the result of each turn.

use serde_json::Value as Json;

use crate::story::{
    Event, Level, Position, Sentence, Teller, and, seat_numbers, seated, seated_word,
};

/// The names of the turns in the rules; the Roman number is the era.
const TURNS: [&str; 6] = ["IA", "IB", "IIA", "IIB", "IIIA", "IIIB"];

/// The goods of a seat: key, singular and plural.
const GOODS: [(&str, &str, &str); 4] = [
    ("vp", "VP", "VP"),
    ("gold", "gold", "gold"),
    ("resource", "resource", "resources"),
    ("pool", "cube", "cubes"),
];

/// The narrator of rise.
#[derive(Clone, Debug)]
pub struct Story {
    last: Position,
    /// The position at the beginning of the turn.
    began: Position,
    announced: Option<i64>,
    /// An action with missing parts.
    begun: Option<Deed>,
}

/// An open action.
#[derive(Clone, Debug)]
struct Deed {
    seat: usize,
    /// The origin of the disc in a B turn, in words; empty in an A turn.
    disc: String,
    row: String,
    before: Position,
    /// The choice of the object, and the position before it. Earlier payments are the price of the disc.
    object: Option<(Vec<String>, Position)>,
    /// Regions and cubes in the choices so far.
    placed: Vec<(String, i64)>,
    has_abandoned: bool,
    /// The position with all cubes placed, if battles follow.
    ready: Option<Position>,
    battles: Vec<Sentence>,
}

fn turn(position: &Position) -> i64 {
    position.number("/turn")
}

fn name(turn: i64) -> &'static str {
    usize::try_from(turn).ok().and_then(|turn| TURNS.get(turn)).copied().unwrap_or("after the last")
}

fn good(position: &Position, seat: usize, key: &str) -> i64 {
    position.state["players"][seat][key].as_i64().unwrap_or_default()
}

fn cubes(position: &Position, region: &str, seat: usize) -> i64 {
    position.state["map"][region][seat].as_i64().unwrap_or_default()
}

/// Returns an amount of goods in words: `2 resources`.
fn amount(n: i64, key: &str) -> String {
    let known = GOODS.iter().find(|(good, ..)| *good == key || (key == "cubes" && *good == "pool"));
    let word = known.map_or(key, |(_, one, many)| if n == 1 { one } else { many });
    format!("{n} {word}")
}

/// Returns the goods that a seat gained between the positions `than` and `now`, in words.
fn more(than: &Position, now: &Position, seat: usize) -> Vec<String> {
    let more = |(key, ..): &(&str, &str, &str)| {
        let n = good(now, seat, key) - good(than, seat, key);
        (n > 0).then(|| amount(n, key))
    };
    GOODS.iter().filter_map(more).collect()
}

/// Returns a price: ` for 2 gold and 1 cube`; empty without a payment.
fn price(paid: &[String]) -> String {
    if paid.is_empty() { String::new() } else { format!(" for {}", and(paid)) }
}

/// Returns a gain: `, which brings 6 VP`; empty without one.
fn worth(got: &[String]) -> String {
    if got.is_empty() { String::new() } else { format!(", which brings {}", and(got)) }
}

/// Returns the names in a part of the display, with their numbers.
fn displayed(position: &Position, part: &str) -> Vec<(String, i64)> {
    match &position.state["display"][part] {
        Json::Object(all) => {
            all.iter().map(|(id, n)| (id.clone(), n.as_i64().unwrap_or_default())).collect()
        }
        Json::Array(all) => {
            let mut out: Vec<(String, i64)> = Vec::new();
            for id in all.iter().filter_map(Json::as_str) {
                match out.iter_mut().find(|(known, _)| known == id) {
                    Some((_, n)) => *n += 1,
                    None => out.push((id.to_owned(), 1)),
                }
            }
            out
        }
        _ => Vec::new(),
    }
}

/// Returns the first tile that left a part of the display.
fn taken(before: &Position, after: &Position, part: &str) -> Option<String> {
    let left = displayed(after, part);
    let count = |id: &str| left.iter().find(|(known, _)| known == id).map_or(0, |(_, n)| *n);
    displayed(before, part).into_iter().find(|(id, n)| count(id) < *n).map(|(id, _)| id)
}

/// Returns the regions in which a seat gained cubes, with the gains, in the order of the regions.
fn placed(before: &Position, after: &Position, seat: usize) -> Vec<(String, i64)> {
    let regions = after.state["map"].as_object().into_iter().flat_map(|map| map.keys());
    let more = |region: &String| {
        let n = cubes(after, region, seat) - cubes(before, region, seat);
        (n > 0).then(|| (region.clone(), n))
    };
    regions.filter_map(more).collect()
}

impl Deed {
    fn new(seat: usize, words: &[String], before: &Position) -> Self {
        let row = words.get(1).cloned().unwrap_or_default();
        let disc = match words[0].as_str() {
            "remove" => {
                let circle = words.get(2).map(String::as_str).unwrap_or_default();
                format!("takes back their disc from {row}, circle {circle}")
            }
            _ => String::new(),
        };
        Self {
            seat,
            disc,
            row,
            before: before.clone(),
            object: None,
            placed: Vec::new(),
            has_abandoned: false,
            ready: None,
            battles: Vec::new(),
        }
    }

    /// Creates an action that begins with `words`, because only one place for the disc existed. Returns `None` if
    /// `words` begin no action.
    fn of_a_forced_disc(seat: usize, words: &[String], before: &Position) -> Option<Self> {
        let row = match words[0].as_str() {
            row @ ("progress" | "territory" | "city" | "empire" | "trade") => row,
            "abandon" | "to" | "count" | "done" | "battle" | "no-battle" => "empire",
            "skip" | "pay" => "",
            _ => return None,
        };
        let is_b_turn = turn(before) % 2 == 1;
        let disc = if is_b_turn { "takes back their last disc" } else { "" };
        let begun = Self::new(seat, &["place".to_owned(), row.to_owned()], before);
        Some(Self { disc: disc.to_owned(), ..begun })
    }

    /// Adds a part of the action; `last` is the position before it. Returns false if `words` are no part of it.
    fn goes_on(&mut self, words: &[String], last: &Position) -> bool {
        match words[0].as_str() {
            "pay" | "done" => {}
            "progress" | "territory" | "city" | "empire" | "trade" | "skip" => {
                self.object = Some((words.to_vec(), last.clone()));
            }
            "abandon" => self.has_abandoned = true,
            "to" => self.placed.push((words[1].clone(), 0)),
            "count" => {
                let n = words[1].parse().unwrap_or_default();
                if let Some(last) = self.placed.last_mut() {
                    last.1 = n;
                }
            }
            "battle" | "no-battle" => {
                self.ready.get_or_insert_with(|| last.clone());
            }
            _ => return false,
        }
        true
    }

    /// Returns the action as a sentence without its seat, with `after` as its result.
    fn text(&self, after: &Position) -> String {
        let deed = self.object_text(after);
        if self.disc.is_empty() {
            return deed;
        }
        // Without a choice of the object, its price includes the price of the disc.
        let paid = match &self.object {
            Some((_, at)) => more(at, &self.before, self.seat),
            None => Vec::new(),
        };
        let comma = if paid.is_empty() { "" } else { "," };
        format!("{}{comma}{}, and {deed}", self.disc, price(&paid))
    }

    /// Returns the use of the disc, in words.
    fn object_text(&self, after: &Position) -> String {
        let (words, at) = match &self.object {
            Some((words, at)) => (words.as_slice(), at),
            None => (&[][..], &self.before),
        };
        let is_whole = self.is_whole(after);
        let (paid, got) = match is_whole {
            true => (more(after, at, self.seat), more(at, after, self.seat)),
            false => (Vec::new(), Vec::new()),
        };
        let what = words.first().map_or(self.row.as_str(), String::as_str);
        let named = match words {
            [_, id] => Some(id.clone()),
            _ => taken(&self.before, after, what),
        };
        match (what, named) {
            ("skip", _) => "does without an action".to_owned(),
            ("progress", Some(id)) => format!("takes the progress {id}{}", price(&paid)),
            ("territory", Some(id)) => format!("takes the territory {id}"),
            ("city", Some(id)) => format!("builds {id}{}{}", price(&paid), worth(&got)),
            ("trade", _) if !paid.is_empty() && !got.is_empty() => {
                format!("trades {} for {}", and(&paid), and(&got))
            }
            ("trade", Some(number)) => format!("trades in box {number}"),
            ("trade", None) => "trades".to_owned(),
            ("empire", _) => self.spread(words, after, is_whole),
            _ => self.nothing(),
        }
    }

    /// Returns whether only this action separates the two positions. The income at the end of a turn is no part of the
    /// turn's last action.
    fn is_whole(&self, after: &Position) -> bool {
        let all = ["vp", "gold", "resource", "pool", "food"];
        let same = |seat: usize| {
            all.iter().all(|key| good(&self.before, seat, key) == good(after, seat, key))
        };
        turn(after) == turn(&self.before)
            && (0..after.seats()).filter(|&seat| seat != self.seat).all(same)
    }

    fn nothing(&self) -> String {
        match self.disc.is_empty() {
            true => format!("puts a disc in the row {} and does nothing", self.row),
            false => "does nothing".to_owned(),
        }
    }

    /// Returns an empire in words, with the destinations of its cubes.
    fn spread(&self, words: &[String], after: &Position, is_whole: bool) -> String {
        let tile = words.get(1).map_or_else(|| "an empire".to_owned(), |n| format!("empire {n}"));
        let end = self.ready.as_ref().unwrap_or(after);
        let read = placed(&self.before, end, self.seat);
        let parts = || self.placed.iter().filter(|(_, n)| *n > 0).cloned().collect();
        let all: Vec<(String, i64)> = match (self.has_abandoned, self.ready.is_some() || is_whole) {
            // Given-up cubes offset new ones in the positions, so only the record shows the destinations.
            (true, _) | (_, false) => parts(),
            (false, true) => read,
        };
        let part = |(region, n): &(String, i64)| format!("{} to {region}", amount(*n, "pool"));
        let all: Vec<String> = all.iter().map(part).collect();
        let left = if self.has_abandoned { ", gives up everything on the map" } else { "" };
        match all.as_slice() {
            [] => format!("takes {tile}{left} and places no cube"),
            all => format!("takes {tile}{left} and sends {}", and(all)),
        }
    }
}

/// Returns the sentence about a battle. It includes the losses, unless the end of an era also removed cubes.
fn battle(seat: usize, words: &[String], last: &Position, after: &Position) -> Sentence {
    let [region, rival] = [1, 2].map(|i| words.get(i).map(String::as_str).unwrap_or_default());
    let lost = |seat: usize| cubes(last, region, seat) - cubes(after, region, seat);
    let costs = match (rival.parse::<usize>(), turn(last) == turn(after)) {
        (Ok(rival), true) => format!(
            " and loses {}, the rival {}",
            amount(lost(seat), "pool"),
            amount(lost(rival), "pool")
        ),
        _ => String::new(),
    };
    Sentence::of(Level::Main, seat, format!("fights {} in {region}{costs}", seated_word(rival)))
}

impl Story {
    /// Creates the story of a game that begins at `start`.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        Self { last: start.clone(), began: start.clone(), announced: None, begun: None }
    }

    /// Completes the open action, with `after` as its result.
    fn close(&mut self, after: &Position, out: &mut Vec<Sentence>) {
        if let Some(deed) = self.begun.take() {
            out.push(Sentence::of(Level::Deed, deed.seat, deed.text(after)));
            out.extend(deed.battles);
        }
    }

    /// Adds a heading for the new turn, and the content of its display.
    fn announce(&mut self, after: &Position, out: &mut Vec<Sentence>) {
        self.announced = Some(turn(after));
        self.began = self.last.clone();
        let order = seat_numbers(&after.state["order"]);
        let heading = format!("turn {}, in the order {}", name(turn(after)), order);
        out.push(Sentence::new(Level::Round, heading));
        // Before the first choice, the position can still show the turn before.
        for (part, title) in
            [("progress", "progress"), ("territory", "territory"), ("city", "cities")]
        {
            let all = displayed(after, part);
            let each = |(id, n): &(String, i64)| match n {
                1 => id.clone(),
                n => format!("{n} {id}"),
            };
            let all: Vec<String> = all.iter().map(each).collect();
            if !all.is_empty() {
                out.push(Sentence::new(Level::Part, format!("{title}: {}", and(&all))));
            }
        }
    }

    fn choose(&mut self, seat: usize, action: &str, after: &Position, out: &mut Vec<Sentence>) {
        let words: Vec<String> = action.split(' ').map(str::to_owned).collect();
        let last = self.last.clone();
        if let Some(deed) = self.begun.as_mut().filter(|deed| deed.seat == seat)
            && deed.goes_on(&words, &last)
        {
            if words[0] == "battle" {
                deed.battles.push(battle(seat, &words, &last, after));
            }
            return;
        }
        self.close(&last, out);
        if let Some(mut deed) = Deed::of_a_forced_disc(seat, &words, &last) {
            deed.goes_on(&words, &last);
            if words[0] == "battle" {
                deed.battles.push(battle(seat, &words, &last, after));
            }
            self.begun = Some(deed);
            return;
        }
        let text = match (words[0].as_str(), words.get(1)) {
            ("place" | "remove", _) => {
                self.begun = Some(Deed::new(seat, &words, &last));
                return;
            }
            ("end", _) => return,
            ("use", Some(tile)) => {
                let where_to =
                    words.get(2).map_or_else(String::new, |region| format!(" in {region}"));
                let (paid, got) = match turn(&last) == turn(after) {
                    true => (more(after, &last, seat), more(&last, after, seat)),
                    false => (Vec::new(), Vec::new()),
                };
                format!("uses {tile}{where_to}{}{}", price(&paid), worth(&got))
            }
            ("drop", Some(tile)) => format!("gives up {tile}"),
            ("keep", _) => "keeps what is left".to_owned(),
            ("take", Some(kind)) => {
                let n = words.get(2).and_then(|n| n.parse().ok()).unwrap_or_default();
                format!("chooses {}", amount(n, kind))
            }
            ("seat", Some(place)) => format!("will be number {place} in the next turn"),
            _ => format!("plays {action}"),
        };
        let level = match words[0].as_str() {
            "drop" => Level::Main,
            "use" => Level::Deed,
            _ => Level::Part,
        };
        out.push(Sentence::of(level, seat, text));
    }

    /// Adds the result of a turn, and the loss of cubes at the end of an era.
    fn count(&self, after: &Position, out: &mut Vec<Sentence>) {
        let points = |seat: usize| {
            let (before, now) = (good(&self.began, seat, "vp"), good(after, seat, "vp"));
            format!("{} {now} VP ({:+})", seated(seat), now - before)
        };
        let points: Vec<String> = (0..after.seats()).map(points).collect();
        let text = format!("turn {} is over: {}", name(turn(&self.last)), points.join(", "));
        out.push(Sentence::new(Level::Main, text));
        let era = |turn: i64| turn / 2;
        if era(turn(after)) != era(turn(&self.last)) && turn(after) < TURNS.len() as i64 {
            let text = "the era is over: of all cubes in a region half are gone, rounded up";
            out.push(Sentence::new(Level::Main, text));
        }
    }
}

impl Teller for Story {
    fn narrate(&mut self, event: &Event<'_>, after: Option<&Position>, out: &mut Vec<Sentence>) {
        let Some(after) = after else { return };
        if let Event::Choice { seat, action } = event {
            if self.announced != Some(turn(&self.last)) {
                // Without a chance event, the display of a turn appears only after its first choice.
                let shown =
                    if turn(&self.last) == turn(after) { after } else { &self.last }.clone();
                self.announce(&shown, out);
            }
            self.choose(*seat, action, after, out);
        }
        if turn(after) != turn(&self.last) {
            self.close(after, out);
            self.count(after, out);
        }
        self.last = after.clone();
    }

    fn finish(&mut self, out: &mut Vec<Sentence>) {
        let last = self.last.clone();
        self.close(&last, out);
    }
}
