//! rise told: an action a sentence, with what was forced filled in from the positions around it; battles with what they
//! cost, what is given up and chosen between the turns, and what each turn came to.

use serde_json::Value as Json;

use crate::story::{
    Event, Level, Position, Sentence, Teller, and, seat_numbers, seated, seated_word,
};

/// The turns as the rules name them; the number is the era.
const TURNS: [&str; 6] = ["IA", "IB", "IIA", "IIB", "IIIA", "IIIB"];

/// What a seat has, with what one and what several of it are called.
const GOODS: [(&str, &str, &str); 4] = [
    ("vp", "VP", "VP"),
    ("gold", "gold", "gold"),
    ("resource", "resource", "resources"),
    ("pool", "cube", "cubes"),
];

/// Tells rise.
#[derive(Clone, Debug)]
pub struct Story {
    last: Position,
    /// The position at the beginning of the turn.
    began: Position,
    announced: Option<i64>,
    /// An action of which parts are still to come.
    begun: Option<Deed>,
}

/// An action under way.
#[derive(Clone, Debug)]
struct Deed {
    seat: usize,
    /// Whence the disc comes in a B turn, in words; nothing in an A turn.
    disc: String,
    row: String,
    before: Position,
    /// The choice of the object, and the position before it: what came before it was the price of the disc.
    object: Option<(Vec<String>, Position)>,
    /// Regions and cubes as far as they were said.
    placed: Vec<(String, i64)>,
    has_abandoned: bool,
    /// The position when all cubes were placed, if battles came next.
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

/// So much of a kind of goods: `2 resources`.
fn amount(n: i64, key: &str) -> String {
    let known = GOODS.iter().find(|(good, ..)| *good == key || (key == "cubes" && *good == "pool"));
    let word = known.map_or(key, |(_, one, many)| if n == 1 { one } else { many });
    format!("{n} {word}")
}

/// What a seat has more in one position than in another, in words.
fn more(than: &Position, now: &Position, seat: usize) -> Vec<String> {
    let more = |(key, ..): &(&str, &str, &str)| {
        let n = good(now, seat, key) - good(than, seat, key);
        (n > 0).then(|| amount(n, key))
    };
    GOODS.iter().filter_map(more).collect()
}

/// A price: ` for 2 gold and 1 cube`; nothing where nothing is paid.
fn price(paid: &[String]) -> String {
    if paid.is_empty() { String::new() } else { format!(" for {}", and(paid)) }
}

/// What comes of it: `, which brings 6 VP`; nothing where nothing does.
fn worth(got: &[String]) -> String {
    if got.is_empty() { String::new() } else { format!(", which brings {}", and(got)) }
}

/// The names in a part of the display, with how many there are of each.
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

/// What left a part of the display.
fn taken(before: &Position, after: &Position, part: &str) -> Option<String> {
    let left = displayed(after, part);
    let count = |id: &str| left.iter().find(|(known, _)| known == id).map_or(0, |(_, n)| *n);
    displayed(before, part).into_iter().find(|(id, n)| count(id) < *n).map(|(id, _)| id)
}

/// Where a seat has more cubes, in the order of the regions.
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
                format!("takes back his disc from {row}, circle {circle}")
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

    /// An action that begins with `words`, because there was but one place for the disc; nothing if `words` are no part of one.
    fn of_a_forced_disc(seat: usize, words: &[String], before: &Position) -> Option<Self> {
        let row = match words[0].as_str() {
            row @ ("progress" | "territory" | "city" | "empire" | "trade") => row,
            "abandon" | "to" | "count" | "done" | "battle" | "no-battle" => "empire",
            "skip" | "pay" => "",
            _ => return None,
        };
        let is_b_turn = turn(before) % 2 == 1;
        let disc = if is_b_turn { "takes back his last disc" } else { "" };
        let begun = Self::new(seat, &["place".to_owned(), row.to_owned()], before);
        Some(Self { disc: disc.to_owned(), ..begun })
    }

    /// Hears of a part of it, before which the game stood at `last`; false if it is none.
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

    /// The deed in a sentence without its seat, now that `after` is what it came to.
    fn text(&self, after: &Position) -> String {
        let deed = self.object_text(after);
        if self.disc.is_empty() {
            return deed;
        }
        // Without a choice of the object the price of the disc is part of that of the object.
        let paid = match &self.object {
            Some((_, at)) => more(at, &self.before, self.seat),
            None => Vec::new(),
        };
        let comma = if paid.is_empty() { "" } else { "," };
        format!("{}{comma}{}, and {deed}", self.disc, price(&paid))
    }

    /// What the disc is used for.
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

    /// Whether nothing but this deed lies between: what a turn brings all at its end is no part of the last action in it.
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

    /// An empire in words: where its cubes go.
    fn spread(&self, words: &[String], after: &Position, is_whole: bool) -> String {
        let tile = words.get(1).map_or_else(|| "an empire".to_owned(), |n| format!("empire {n}"));
        let end = self.ready.as_ref().unwrap_or(after);
        let read = placed(&self.before, end, self.seat);
        let said = || self.placed.iter().filter(|(_, n)| *n > 0).cloned().collect();
        let all: Vec<(String, i64)> = match (self.has_abandoned, self.ready.is_some() || is_whole) {
            // Cubes that were given up stand against those that came: only words say where these went.
            (true, _) | (_, false) => said(),
            (false, true) => read,
        };
        let part = |(region, n): &(String, i64)| format!("{} to {region}", amount(*n, "pool"));
        let all: Vec<String> = all.iter().map(part).collect();
        let left = if self.has_abandoned { ", gives up all that he has on the map" } else { "" };
        match all.as_slice() {
            [] => format!("takes {tile}{left} and places no cube"),
            all => format!("takes {tile}{left} and sends {}", and(all)),
        }
    }
}

/// A battle, with what it cost as far as that is not mixed with what the end of an era takes.
fn battle(seat: usize, words: &[String], last: &Position, after: &Position) -> Sentence {
    let [region, rival] = [1, 2].map(|i| words.get(i).map(String::as_str).unwrap_or_default());
    let lost = |seat: usize| cubes(last, region, seat) - cubes(after, region, seat);
    let costs = match (rival.parse::<usize>(), turn(last) == turn(after)) {
        (Ok(rival), true) => format!(
            " and loses {}, his rival {}",
            amount(lost(seat), "pool"),
            amount(lost(rival), "pool")
        ),
        _ => String::new(),
    };
    Sentence::of(Level::Main, seat, format!("fights {} in {region}{costs}", seated_word(rival)))
}

impl Story {
    /// The story of a game that begins at `start`.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        Self { last: start.clone(), began: start.clone(), announced: None, begun: None }
    }

    /// Tells the deed that was begun, now that `after` is what it came to.
    fn close(&mut self, after: &Position, out: &mut Vec<Sentence>) {
        if let Some(deed) = self.begun.take() {
            out.push(Sentence::of(Level::Deed, deed.seat, deed.text(after)));
            out.extend(deed.battles);
        }
    }

    /// A heading for the turn that begins, and what its display has.
    fn announce(&mut self, after: &Position, out: &mut Vec<Sentence>) {
        self.announced = Some(turn(after));
        self.began = self.last.clone();
        let order = seat_numbers(&after.state["order"]);
        let heading = format!("turn {}, in the order {}", name(turn(after)), order);
        out.push(Sentence::new(Level::Round, heading));
        // A position before the first choice may still be that of the turn before.
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
            ("keep", _) => "keeps what he has left".to_owned(),
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

    /// What a turn came to, and what an era takes with it.
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
    fn hear(&mut self, event: &Event<'_>, after: Option<&Position>, out: &mut Vec<Sentence>) {
        let Some(after) = after else { return };
        if let Event::Choice { seat, action } = event {
            if self.announced != Some(turn(&self.last)) {
                // The display of a turn without chance is known after its first choice.
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
