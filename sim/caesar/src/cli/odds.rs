//! `caesar odds`: prints the exact odds of one battle, for games that provide them.

use std::cmp::Ordering;

use agents::odds::{
    BadQuestion, BattleOdds, End, Question, Tally, Units, Verdict, Vocabulary, Word,
};
use clap::Args;
use engine::rules::Change;
use serde_json::{Value as Json, json};

use super::output::{Form, OneTable};
use super::{Ending, look, print, setup};
use crate::report::rules;
use crate::report::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table};
use lab::battles::{Battles, battles_of};
use sim::catalogue::{NAMES, Setup};
use sim::changes::with_changes;
use sim::config::RuleSet;
use sim::config::numbers::{ranged, whole};
use sim::document::document;
use sim::error::Error;
use sim::stats::{NORMAL_95, wilson};
use sim::units;

/// Default game.
const GAME: &str = "conquest2";
/// Notation of an army without units.
const NOTHING: &str = "nothing";
/// Standard errors by which a share of played battles may differ from its chance.
const TOLERANCE: f64 = 5.0;
/// Ends with a smaller chance share one line.
const RARE: f64 = 0.00005;
/// The names of the tables.
const TABLES: [&str; 2] = ["sides", "ends"];
/// The names of the sides, and of their options.
const SIDES: [&str; 2] = ["attacker", "defender"];

/// Print the exact odds of a battle of conquest2 or classic
#[derive(Debug, Args)]
#[command(after_help = NOTATION)]
pub(super) struct Options {
    /// Game of the battle: conquest2, classic
    #[arg(long, value_name = "GAME", default_value = GAME)]
    game: String,
    /// Attacking army, as in '6 infantry, 1 cavalry, leader'
    #[arg(long, value_name = "ARMY", allow_hyphen_values = true)]
    attacker: String,
    /// Defending army, as in '3 infantry, city'
    #[arg(long, value_name = "ARMY", allow_hyphen_values = true)]
    defender: String,
    /// Let both sides retreat when the agents would; without it they fight to the end
    #[arg(long, conflicts_with = "sea")]
    retreats: bool,
    /// Fight at sea: galleys only, and a training is a Naval Training
    #[arg(long)]
    sea: bool,
    /// Also play N battles with dice and compare; exit with code 1 if they disagree
    #[arg(long, value_name = "N", value_parser = ranged::<u64>(1, 100_000_000))]
    check: Option<u64>,
    /// Seed of the battles of --check
    #[arg(long, default_value_t = 1, value_parser = whole)]
    seed: u64,
    #[command(flatten)]
    rules: RuleSet,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
}

const NOTATION: &str = "\
An ARMY is a list of units: infantry (i), cavalry (c), catapult (k), galley (g), with or without a number before each.
conquest2 also has leader (l), training (t) and city (y), as in '6i 1c 1k leader'. A leader may be of any ally. The city \
helps the defender, who then rolls first. Losses follow the agents: the owner's lowest-scoring unit goes first.
classic also has general (l), caesar (z), fort (f) and guard (u), as in '6i 1c 2l caesar' against '4i guard'. Both sides \
choose the legion that hits most, lose infantry first, and never retreat.";

/// Prints the odds and returns the ending of the command.
fn answer(options: &Options, battles: Battles) -> Result<(String, Ending), Error> {
    let Some(mut calculator) = battles.calculator else {
        let name = &options.game;
        let known: Vec<&str> = NAMES.iter().copied().filter(|name| has_odds(name)).collect();
        return Err(Error::Usage(format!(
            "--game {name}: battle odds are not available (accepted: {})",
            known.join(", ")
        )));
    };
    let question = options.question();
    let tally = options.check.map(|n| calculator.play(&question, n, options.seed));
    let tally = tally.transpose().map_err(|bad| match bad {
        BadQuestion::Fight(message) => {
            let n = options.check.unwrap_or_default();
            Error::Usage(format!("--check {n}: {message}"))
        }
        side @ BadQuestion::Side(..) => options.bad(side),
    })?;
    let battle_odds = calculator.battle_odds(&question).map_err(|bad| options.bad(bad))?;
    let check = tally.map(|tally| Check::new(&battle_odds, &tally, options.seed));
    let agrees = check.as_ref().is_none_or(Check::agrees);
    let report = Report {
        battle_odds: &battle_odds,
        vocabulary: calculator.vocabulary(),
        options,
        changes: battles.changes,
    };
    let page = |longest| report.page(check.as_ref(), longest);
    let text = match options.form.is_json() {
        true => report.json(check.as_ref()),
        false => options.form.write(look(), Some(&options.one), &page),
    };
    Ok((text, if agrees { Ending::Done } else { Ending::FaultsFound }))
}

/// Returns whether a game provides the odds of its battles.
fn has_odds(name: &str) -> bool {
    battles_of(&Setup::new(name)).is_ok_and(|battles| battles.calculator.is_some())
}

impl Options {
    fn question(&self) -> Question<'_> {
        Question {
            sides: [&self.attacker, &self.defender],
            at_sea: self.sea,
            has_retreats: self.retreats,
        }
    }

    /// Returns the error, with the option that caused it.
    fn bad(&self, bad: BadQuestion) -> Error {
        Error::Usage(match bad {
            BadQuestion::Fight(message) => message,
            BadQuestion::Side(side, message) => {
                let text = self.question().sides[side];
                format!("--{} \"{text}\": {message}", SIDES[side])
            }
        })
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    options.one.check(&options.form, &TABLES, &[])?;
    let setup = setup(&options.game, None, &options.rules)?;
    let (text, ending) = answer(options, battles_of(&setup)?)?;
    print(&text)?;
    Ok(ending)
}

/// Results of played battles.
struct Check {
    battles: u64,
    seed: u64,
    /// Counts of the ends, in the order of [`sorted`].
    counts: Vec<u64>,
    /// The largest difference from a chance, in standard errors.
    worst: f64,
}

impl Check {
    fn new(battle_odds: &BattleOdds, tally: &Tally, seed: u64) -> Self {
        let battles = tally.values().sum();
        let n = battles as f64;
        let count = |end: &End| tally.get(&end.left).copied().unwrap_or(0);
        let counts: Vec<u64> = sorted(battle_odds).iter().map(count).collect();
        let error = |(end, &count): (&End, &u64)| {
            // The variance gets one more battle: a small expected count is not normal.
            let variance = n * end.chance * (1.0 - end.chance) + 1.0;
            (count as f64 - n * end.chance).abs() / variance.sqrt()
        };
        let worst = sorted(battle_odds).iter().zip(&counts).map(error).fold(0.0, f64::max);
        let is_known = counts.iter().sum::<u64>() == battles;
        let worst = if is_known { worst } else { f64::INFINITY };
        Self { battles, seed, counts, worst }
    }

    /// Returns whether dice and chances agree.
    fn agrees(&self) -> bool {
        self.worst <= TOLERANCE
    }

    /// Returns the frequency of the end `i`: for people, for programs with Wilson's 95 % interval, and the number of
    /// battles.
    fn played(&self, i: usize) -> [Cell; 3] {
        let n = self.battles as f64;
        let share = self.counts[i] as f64 / n;
        let interval = Some(wilson(share, n, NORMAL_95));
        [Cell::Number(share), Cell::Estimate(share, interval), Cell::Count(self.battles)]
    }
}

/// Returns the ends from the best for the attacker to the worst.
fn sorted(battle_odds: &BattleOdds) -> Vec<End> {
    let mut ends = battle_odds.ends.clone();
    let size = |units: Units| units.iter().copied().map(i16::from).sum::<i16>();
    let rank = |end: &End| {
        let [attacker, defender] = end.left;
        let order = match end.verdict {
            Verdict::Attacker => 0,
            Verdict::Undecided => 1,
            Verdict::BothGone => 2,
            Verdict::Defender => 3,
        };
        (order, -size(attacker), size(defender))
    };
    ends.sort_by_key(rank);
    ends
}

struct Report<'a> {
    battle_odds: &'a BattleOdds,
    vocabulary: &'static Vocabulary,
    options: &'a Options,
    changes: Vec<Change>,
}

impl Report<'_> {
    fn chances(&self) -> [f64; 2] {
        [Verdict::Attacker, Verdict::Defender].map(|verdict| self.battle_odds.chance(verdict))
    }

    /// Returns the kinds of units.
    fn kinds(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.vocabulary.words[..self.vocabulary.kinds].iter().map(|word| word.one)
    }

    /// Builds both tables, in words if names of `longest` characters leave room for them.
    fn page(&self, check: Option<&Check>, longest: usize) -> Page {
        let words = Words { length: Length::of(longest), vocabulary: self.vocabulary };
        let army = |text: String| Cell::Name { shown: words.army(&text), name: text };
        let tables = vec![self.sides(words, &army), self.ends(check, &army).detail()];
        let mut page = Page { tables, ..Page::default() };
        page.footer.extend(words.legend().map(Note::new));
        page.footer.push(Note::new(match (self.options.sea, self.options.retreats) {
            (true, _) => "at sea, for the rounds that the rules allow",
            (_, true) => "both sides retreat when the agents would",
            _ => "no retreats",
        }));
        page.footer.extend(check.map(|check| {
            let text = format!(
                "{} with dice, seed {}: the shares differ by at most {} standard errors ({TOLERANCE} allowed)",
                units::counted(check.battles, "battle"),
                check.seed,
                units::mean(check.worst),
            );
            let mark = if check.agrees() { Mark::Plain } else { Mark::Caveat };
            Note::new(text).marked(mark)
        }));
        page.footer.extend(rules::note(&self.options.game, &self.changes));
        page
    }

    fn sides(&self, words: Words, army: &dyn Fn(String) -> Cell) -> Table {
        let mean = Content::Number(Scale::MEAN);
        let mut columns = vec![
            Column::plain("side", Content::Key),
            Column::plain("army", Content::Key),
            Column::plain("dice", Content::Number(Scale::Count)),
            Column::plain("wins", Content::Number(Scale::SHARE)),
        ];
        columns.extend(self.kinds().map(|kind| Column::new(kind, words.title(kind), mean)));
        columns.push(Column::new("units_left", "all", mean));
        let row = |side: usize| {
            let left = self.battle_odds.survivors(side);
            let mut row = vec![
                Cell::text(SIDES[side]),
                army(self.battle_odds.names[side].clone()),
                Cell::Count(self.battle_odds.dice[side].into()),
                Cell::Number(self.chances()[side]),
            ];
            row.extend(left.into_iter().take(self.vocabulary.kinds).map(Cell::Number));
            row.push(Cell::Number(left.iter().sum()));
            row
        };
        let text = format!(
            "both eliminated {}, undecided {}; {} rounds; the right columns are expected survivors",
            units::share(self.battle_odds.chance(Verdict::BothGone)),
            units::share(self.battle_odds.chance(Verdict::Undecided)),
            units::mean(self.battle_odds.rounds),
        );
        let table = Table::new(TABLES[0], "Win probabilities and expected survivors", columns);
        let mut table = table.with([0, 1].map(row)).noted(Note::new(text));
        let [attacker, defender] = self.chances();
        match attacker.total_cmp(&defender) {
            Ordering::Greater => table.rows[0].mark = Mark::Winner,
            Ordering::Less => table.rows[1].mark = Mark::Winner,
            Ordering::Equal => {}
        }
        table
    }

    fn ends(&self, check: Option<&Check>, army: &dyn Fn(String) -> Cell) -> Table {
        let share = Content::Number(Scale::SHARE);
        let mut columns = vec![
            Column::plain("attacker keeps", Content::Key),
            Column::plain("defender keeps", Content::Key),
            Column::plain("won by", Content::Text),
            Column::plain("chance", share),
            Column::new("so_far", "cumulative", share),
        ];
        if check.is_some() {
            let data = |key, kind| Column::plain(key, kind).only(Readers::Programs);
            columns.push(Column::plain("played", share).only(Readers::People));
            columns.push(data("played", Content::Estimate(Scale::SHARE)));
            columns.push(data("battles", Content::Number(Scale::Count)));
        }
        let mut table = Table::new(TABLES[1], "Outcomes of the battle", columns);
        let (mut n_rare, mut rare, mut so_far) = (0, 0.0, 0.0);
        for (i, end) in sorted(self.battle_odds).iter().enumerate() {
            so_far += end.chance;
            if end.chance < RARE {
                (n_rare, rare) = (n_rare + 1, rare + end.chance);
                continue;
            }
            let words = |units: Units| army(self.vocabulary.units_text(&units));
            let mut row: Vec<Cell> = end.left.map(words).into();
            row.push(Cell::text(verdict_text(end.verdict)));
            row.extend([end.chance, so_far].map(Cell::Number));
            row.extend(check.iter().flat_map(|check| check.played(i)));
            table.rows.push(Row::new(row));
        }
        if n_rare > 0 {
            let ends = units::counted(n_rare, "rarer end");
            let text = format!("{ends} with total probability {rare:.1e} not shown");
            table.notes.push(Note::new(text));
        }
        table
    }

    fn json(&self, check: Option<&Check>) -> String {
        let by_kind =
            |numbers: Vec<Json>| -> Json { self.kinds().map(str::to_owned).zip(numbers).collect() };
        let army = |units: Units| by_kind(units.map(Json::from).into());
        let side = |side: usize| {
            json!({
                "army": self.battle_odds.names[side], "units": army(self.battle_odds.armies[side]),
                "dice": self.battle_odds.dice[side], "wins": self.chances()[side],
                "survivors": by_kind(self.battle_odds.survivors(side).map(Json::from).into()),
            })
        };
        let end = |(i, end): (usize, &End)| {
            let [attacker, defender] = end.left.map(army);
            let mut json = json!({
                "attacker": attacker, "defender": defender, "won_by": verdict_text(end.verdict),
                "chance": end.chance,
            });
            if let Some(check) = check {
                json["played"] = check.counts[i].into();
            }
            json
        };
        let json = json!({
            "game": self.options.game, "sea": self.options.sea, "retreats": self.options.retreats,
            "attacker": side(0), "defender": side(1),
            "both_gone": self.battle_odds.chance(Verdict::BothGone),
            "undecided": self.battle_odds.chance(Verdict::Undecided),
            "rounds": self.battle_odds.rounds,
            "ends": sorted(self.battle_odds).iter().enumerate().map(end).collect::<Vec<_>>(),
            "check": check.map(|check| json!({
                "battles": check.battles, "seed": check.seed, "worst_standard_errors": check.worst,
            })),
        });
        document(&with_changes(json, &self.changes))
    }
}

/// Length of the notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    /// All of it: `6 infantry, 1 cavalry, leader`.
    Whole,
    /// Letters for units with a number only: `6i 1c leader`.
    Short,
    /// Letters everywhere, also in titles: `6i 1c l`.
    Letters,
}

impl Length {
    /// Returns the best length for names of at most `longest` characters: each is tried in turn.
    const fn of(longest: usize) -> Self {
        match longest {
            usize::MAX => Self::Whole,
            15.. => Self::Short,
            _ => Self::Letters,
        }
    }
}

/// The notation as it is spelled out.
#[derive(Clone, Copy, Debug)]
struct Words {
    length: Length,
    vocabulary: &'static Vocabulary,
}

impl Words {
    /// Returns the notation of an army, which `text` gives in whole words.
    fn army(self, text: &str) -> String {
        if self.length == Length::Whole {
            return text.to_owned();
        }
        let part = |part: &str| match part.split_once(' ') {
            Some((number, word)) => format!("{number}{}", self.letter(word)),
            None if self.length == Length::Letters && part != NOTHING => {
                self.letter(part).to_owned()
            }
            None => part.to_owned(),
        };
        text.split(", ").map(part).collect::<Vec<_>>().join(" ")
    }

    /// Returns the title of the column of a kind of unit.
    fn title(self, kind: &'static str) -> &'static str {
        if self.length == Length::Letters { self.letter(kind) } else { kind }
    }

    /// Returns the meaning of the letters.
    fn legend(self) -> Option<String> {
        // Words of which a side has one or none are spelled out where there is room for them.
        let is_listed = |word: &&Word| match self.length {
            Length::Whole => false,
            Length::Short => !word.is_flag,
            Length::Letters => true,
        };
        let words = self.vocabulary.words.iter().filter(is_listed);
        let words: Vec<String> =
            words.map(|word| format!("{} {}", word.letter, word.one)).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// Returns the letter of the notation that stands for a word, singular or plural.
    fn letter(self, name: &str) -> &'static str {
        let word = self.vocabulary.words.iter().find(|word| [word.one, word.many].contains(&name));
        word.expect("a word of the notation").letter
    }
}

const fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Attacker => "attacker",
        Verdict::Defender => "defender",
        Verdict::BothGone | Verdict::Undecided => "nobody",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTHS: [Length; 3] = [Length::Whole, Length::Short, Length::Letters];

    fn vocabulary(game: &str) -> &'static Vocabulary {
        let battles = battles_of(&Setup::new(game)).expect("a game");
        battles.calculator.expect("a game with odds").vocabulary()
    }

    #[test]
    fn letters_are_those_of_the_notation() {
        let vocabulary = vocabulary(GAME);
        let words = |length| Words { length, vocabulary };
        for text in ["6i 1c 2k 3g leader 1t city", "1i", "5g 2t"] {
            let whole = vocabulary.text(&vocabulary.read(text).unwrap());
            assert_eq!(words(Length::Whole).army(&whole), whole);
            assert_eq!(words(Length::Short).army(&whole), text);
            let letters = text.replace("leader", "l").replace("city", "y");
            assert_eq!(words(Length::Letters).army(&whole), letters);
            for words in LENGTHS.map(words) {
                let read = vocabulary.read(&words.army(&whole)).unwrap();
                assert_eq!(vocabulary.text(&read), whole);
                assert_eq!(words.army("nothing"), "nothing");
            }
        }
    }

    #[test]
    fn every_letter_of_a_game_is_another_word() {
        for vocabulary in [GAME, "classic"].map(vocabulary) {
            for (i, word) in vocabulary.words.iter().enumerate() {
                let before = &vocabulary.words[..i];
                assert!(before.iter().all(|other| other.letter != word.letter), "{word:?}");
            }
            for words in LENGTHS.map(|length| Words { length, vocabulary }) {
                let all = vocabulary.text(&vec![1; vocabulary.words.len()]);
                let read = vocabulary.read(&words.army(&all)).unwrap();
                assert_eq!(vocabulary.text(&read), all);
            }
        }
    }
}
