//! Sentences about a change of the rules: the answer of `caesar variant`, one row for each question.

use serde_json::{Value as Json, json};

use super::rules::{self, Changes, Compared};
use crate::report::table::{Mark, Note};
use lab::balance::statements::{Difference, FARTHEST, SPREAD};
use lab::balance::verdict::Verdict;
use sim::stats::Interval;
use sim::units;

/// Format of the document.
pub const FORMAT: &str = "caesar-variant/1";
/// First word of the rows with advice.
pub const NEXT: &str = "next";
/// Number of moved statements that a row names.
const NAMED: usize = 3;

/// Question that a row answers: the first word of its row, the word of the study, and the beginnings of the statements
/// that answer it.
type Question = (&'static str, &'static str, &'static str);

/// All questions, in the order of their rows.
const QUESTIONS: [Question; 12] = [
    ("fairness", "seats", FARTHEST),
    ("seats", "seats", "seat "),
    ("order", "seats", "place "),
    ("length", "seats", "choices in a game"),
    ("spread", "seats", SPREAD),
    ("lead", "game", "lead changes"),
    ("luck", "game", "luck of"),
    ("skill", "game", "share of"),
    ("options", "game", "cost of"),
    ("alliance", "alliances", ""),
    ("places", "provinces", ""),
    ("cards", "cards", ""),
];

/// A study under both rule sets, with the number of its games.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The change of its statements.
    pub compared: Compared,
    /// Games under both rule sets together.
    pub games: u64,
}

/// The answer to `caesar variant`.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Rules of both sides, in words.
    pub rules: [String; 2],
    /// The studies.
    pub studies: Vec<Measured>,
    /// Seconds that a person takes for a choice.
    pub pace: f64,
    /// Advice on the next step, each with its command.
    pub next: Vec<(String, String)>,
    /// The commands that play each run again.
    pub commands: Vec<(String, String)>,
}

/// A statement with its verdict.
type Judged<'a> = (&'a Difference, Verdict);

impl Variant {
    fn measured(&self, study: &str) -> Option<&Measured> {
        self.studies.iter().find(|one| one.compared.study == study)
    }

    /// Returns the statements that answer a question.
    fn judged(&self, question: Question) -> Vec<Judged<'_>> {
        let (_, study, begin) = question;
        let Some(Measured { compared, games }) = self.measured(study) else { return Vec::new() };
        let fits = compared.moved.iter().filter(|one| one.name.starts_with(begin));
        fits.filter_map(|one| Some((one, Verdict::of(one, *games)?))).collect()
    }

    fn verdict_of(&self, word: &str) -> Option<Judged<'_>> {
        let question = QUESTIONS.into_iter().find(|question| question.0 == word)?;
        self.judged(question).first().copied()
    }

    /// Returns the change of a statement of a study.
    fn change(&self, study: &str, name: &str) -> Option<&Difference> {
        self.measured(study)?.compared.moved.iter().find(|one| one.name == name)
    }

    /// Returns the rows of the answer: a word and a sentence each.
    #[must_use]
    pub fn rows(&self) -> Vec<(&'static str, Note)> {
        let mut rows = vec![("answer", self.answer())];
        for question in QUESTIONS {
            let (word, judged) = (question.0, self.judged(question));
            let text = match word {
                _ if judged.is_empty() => continue,
                "fairness" => fairness(judged[0]),
                "length" => self.length(judged[0]),
                "spread" => one(judged[0], "larger", "smaller", " points of score"),
                _ => several(&judged),
            };
            let is_open = judged.iter().all(|(_, verdict)| *verdict != Verdict::Moved);
            let mark = if is_open { Mark::Open } else { Mark::Plain };
            rows.push((word, Note::new(text).marked(mark)));
        }
        let advice = self.next.iter();
        rows.extend(advice.map(|(text, command)| (NEXT, Note::new(text).before(command))));
        let [old, new] = &self.rules;
        rows.extend([("old", Note::new(old)), ("new", Note::new(new))]);
        rows.push(("agents", Note::new(rules::BELIEVED).marked(Mark::Caveat)));
        rows
    }

    /// Returns the first sentence: fairness, length, and the number of statements that moved.
    fn answer(&self) -> Note {
        let fair = match self.verdict_of("fairness") {
            Some((change, Verdict::Moved)) if change.value > 0.0 => "the new rules are less fair",
            Some((_, Verdict::Moved)) => "the new rules are fairer",
            Some((_, Verdict::NoDifference(_))) => "the new rules are as fair as the old ones",
            _ => "it is undecided which rules are fairer",
        };
        let long = match self.verdict_of("length") {
            Some((change, Verdict::Moved)) if change.value > 0.0 => "games are longer",
            Some((_, Verdict::Moved)) => "games are shorter",
            Some((_, Verdict::NoDifference(_))) => "games are as long as before",
            _ => "the change in length is undecided",
        };
        let [mut moved, mut all] = [0; 2];
        for question in QUESTIONS {
            let judged = self.judged(question);
            moved += judged.iter().filter(|(_, verdict)| *verdict == Verdict::Moved).count();
            all += judged.len();
        }
        let verb = if moved == 1 { "has" } else { "have" };
        Note::new(format!("{fair}, and {long}; {moved} of {all} numbers {verb} changed"))
    }

    /// Returns the sentence on the length, with rounds, turns and minutes.
    fn length(&self, judged: Judged<'_>) -> String {
        let choices = judged.0;
        let fixed = |x: f64| units::fixed(x, 1);
        let from_to = |name: &str, [old, new]: [f64; 2]| {
            format!("{name} from {} to {}", fixed(old), fixed(new))
        };
        let ends = |change: &Difference| [change.from.value, change.to.value];
        let mut parts = vec![from_to("choices", ends(choices))];
        for name in ["rounds", "turns"] {
            parts.extend(self.change("game", name).map(|change| from_to(name, ends(change))));
        }
        let minutes = ends(choices).map(|n| n * self.pace / 60.0);
        let pace = units::given(self.pace);
        parts.push(format!("{} at {pace} s a choice", from_to("minutes", minutes)));
        format!("{}; {}", one(judged, "longer", "shorter", " choices"), parts.join(", "))
    }
}

/// Returns the sentence on fairness.
fn fairness(judged: Judged<'_>) -> String {
    let change = judged.0;
    let [old, new] = [change.from.value, change.to.value].map(points);
    let far = format!("the farthest seat was {old} points from an equal share and is {new}");
    format!("{}; {far}", one(judged, "less fair", "more fair", " points"))
}

/// Returns the sentence on one number in its unit.
fn one(judged: Judged<'_>, more: &str, less: &str, unit: &str) -> String {
    let (change, verdict) = judged;
    let number = |most: f64| number(most, change.is_share, most);
    match verdict {
        Verdict::Moved => {
            let word = if change.value > 0.0 { more } else { less };
            format!("{word} by {}", sized(change, unit))
        }
        Verdict::NoDifference(most) => format!("no difference above {}{unit}", number(most)),
        Verdict::Undecided { most, games } => {
            format!("undecided: at most {}{unit}{}", number(most), decided_by(games))
        }
    }
}

/// Returns the sentence on several statements: those that moved, those without a difference, and the undecided ones.
fn several(judged: &[Judged<'_>]) -> String {
    let mut moved: Vec<&Difference> =
        judged.iter().filter(|(_, v)| *v == Verdict::Moved).map(|(change, _)| *change).collect();
    moved.sort_by(|a, b| a.adjusted_p.total_cmp(&b.adjusted_p));
    let mut parts: Vec<String> = moved.iter().take(NAMED).map(|change| signed(change)).collect();
    if moved.len() > NAMED {
        parts.push(format!("{} more moved", moved.len() - NAMED));
    }
    let same = judged.iter().filter_map(|(change, verdict)| match verdict {
        Verdict::NoDifference(most) => Some((*change, *most, None)),
        _ => None,
    });
    let same: Vec<Bound<'_>> = same.collect();
    parts.extend(bound(&same).map(|(what, most)| format!("no difference above {most} in {what}")));
    let open = judged.iter().filter_map(|(change, verdict)| match verdict {
        Verdict::Undecided { most, games } => Some((*change, *most, *games)),
        _ => None,
    });
    let open: Vec<Bound<'_>> = open.collect();
    let games = open.iter().filter_map(|(.., games)| *games).max();
    parts
        .extend(bound(&open).map(|(what, most)| {
            format!("undecided: {what} (at most {most}{})", decided_by(games))
        }));
    parts.join("; ")
}

/// A change that did not move: its largest possible size, and the games that would decide.
type Bound<'a> = (&'a Difference, f64, Option<u64>);

/// Returns the names of changes that did not move, or their number, and the largest possible size of all.
fn bound(all: &[Bound<'_>]) -> Option<(String, String)> {
    let (change, most, _) = all.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let what = match all {
        [(one, ..)] => one.name.clone(),
        all => format!("{} numbers", all.len()),
    };
    let unit = if change.is_share { " points" } else { "" };
    Some((what, number(*most, change.is_share, *most) + unit))
}

/// Returns the number of games that would decide, rounded up to two digits.
fn decided_by(games: Option<u64>) -> String {
    games.map_or_else(String::new, |games| {
        let unit = 10_u64.pow(games.max(1).ilog10().saturating_sub(1));
        format!("; about {} games would decide", units::count(games.div_ceil(unit) * unit))
    })
}

/// Formats a share in points: hundredths, with one decimal.
fn points(x: f64) -> String {
    units::fixed(100.0 * x, 1)
}

/// Formats a number with the digits that an interval of this half width bears.
fn number(x: f64, is_share: bool, half: f64) -> String {
    if is_share { points(x) } else { units::fixed(x, units::digits_borne(half).unwrap_or(2)) }
}

/// Returns the size of a change with its interval, both without a sign: its direction stands in words.
fn sized(change: &Difference, unit: &str) -> String {
    let turn = if change.value < 0.0 { -1.0 } else { 1.0 };
    let turned = change.interval.map(|Interval { low, high }| match turn < 0.0 {
        true => Interval { low: -high, high: -low },
        false => Interval { low, high },
    });
    with_interval(turn * change.value, turned, unit, |x, half| number(x, change.is_share, half))
}

/// Returns a change with its name, its sign and its interval.
fn signed(change: &Difference) -> String {
    let unit = if change.is_share { " points" } else { "" };
    let text = with_interval(change.value, change.interval, unit, |x, half| {
        let text = number(x, change.is_share, half);
        if text.starts_with('-') { text } else { format!("+{text}") }
    });
    format!("{} {text}", change.name)
}

fn with_interval(
    value: f64,
    at: Option<Interval>,
    unit: &str,
    text: impl Fn(f64, f64) -> String,
) -> String {
    match at {
        None => format!("{}{unit} (every block)", text(value, value.abs())),
        Some(Interval { low, high }) => {
            let half = (high - low) / 2.0;
            format!("{}{unit} [{}, {}]", text(value, half), text(low, half), text(high, half))
        }
    }
}

/// Returns the document, with `facts` on game, players, agents and seed.
#[must_use]
pub fn json(variant: &Variant, facts: Json, changes: Changes<'_>) -> Json {
    let compared: Vec<Compared> = variant.studies.iter().map(|one| one.compared.clone()).collect();
    let mut json = rules::json(&compared, changes);
    let rows = variant.rows().into_iter();
    json["format"] = FORMAT.into();
    json["rules_of"] = json!({ "old": variant.rules[0], "new": variant.rules[1] });
    json["sentences"] = rows
        .map(|(word, note)| json!({ "about": word, "text": note.text, "command": note.command }))
        .collect();
    let commands = variant.commands.iter();
    json["commands"] =
        commands.map(|(run, command)| json!({ "run": run, "command": command })).collect();
    let games = variant.studies.iter().map(|one| one.games).sum::<u64>();
    json["games"] = games.into();
    if let (Some(json), Json::Object(facts)) = (json.as_object_mut(), facts) {
        json.extend(facts);
    }
    json
}
