//! `caesar odds`: the exact odds of one battle of conquest2.

use agents::Playable;
use agents::heuristics::conquest2::odds::{
    Arena, Army, End, Odds, Side, Tally, Unit, Verdict, describe, parse, units_text,
};
use clap::Args;
use engine::Rules;
use engine::rules::Change;
use serde_json::{Value as Json, json};

use super::output::{Form, OneTable};
use super::{Ending, RulesArgs, look, print, ranged, whole};
use crate::catalogue::{WithGame, with_game};
use crate::changes::with_changes;
use crate::document::document;
use crate::error::Error;
use crate::report::rules;
use crate::report::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table};
use crate::stats::wilson;
use crate::units;

/// The game whose battles these are.
const GAME: &str = "conquest2";
/// How an army without units is written.
const NOTHING: &str = "nothing";
/// Standard errors by which a share of played battles may differ from its chance.
const TOLERANCE: f64 = 5.0;
/// Ends with a smaller chance are summed up in one line.
const RARE: f64 = 0.00005;
/// The 97.5 % quantile of the normal distribution.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;
/// The names of the tables.
const TABLES: [&str; 2] = ["sides", "ends"];

/// Print the exact odds of a battle of conquest2
#[derive(Debug, Args)]
#[command(after_help = NOTATION)]
pub(super) struct Options {
    /// The attacking army, as in '6 infantry, 1 cavalry, leader'
    #[arg(long, value_name = "ARMY", allow_hyphen_values = true)]
    attacker: String,
    /// The defending army, as in '3 infantry, city'
    #[arg(long, value_name = "ARMY", allow_hyphen_values = true)]
    defender: String,
    /// Both sides retreat when the bots would, and have where to; else they fight to the end
    #[arg(long, conflicts_with = "sea")]
    retreats: bool,
    /// A naval battle: galleys only, a training is a Naval Training
    #[arg(long)]
    sea: bool,
    /// Also play N battles with dice and compare; exit code 1 if they disagree
    #[arg(long, value_name = "N", value_parser = ranged::<u64>(1, 100_000_000), conflicts_with = "sea")]
    check: Option<u64>,
    /// Seed of the battles of --check
    #[arg(long, default_value_t = 1, value_parser = whole)]
    seed: u64,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
}

const NOTATION: &str = "An ARMY is a list of: infantry (i), cavalry (c), catapult (k), galley (g), leader (l), \
training (t), city (y), each with a number before it or alone for one: '6i 1c 1k leader'. \
A leader may be of any ally. The city counts for the defender, who then rolls first.\n\
Losses are those of the bots: of one owner's units the one that scores least goes first.";

/// The battle that was asked for, as the game sees it.
struct Battle<'a>(&'a Options);

impl WithGame for Battle<'_> {
    type Output = Result<(String, Ending), Error>;

    fn run<G: Playable>(self, _game: G, rules: &Rules) -> Self::Output {
        let options = self.0;
        let place = |name: &str, text: &str| {
            let prefix = format!("--{name} \"{text}\"");
            move |message: String| Error::Usage(format!("{prefix}: {message}"))
        };
        let attacker = parse(&options.attacker).map_err(place("attacker", &options.attacker))?;
        let defender = parse(&options.defender).map_err(place("defender", &options.defender))?;
        if attacker.has_city {
            let message = "a city counts for the defender only".to_owned();
            return Err(place("attacker", &options.attacker)(message));
        }
        let sides = [attacker, defender];
        let mut arena = Arena::new(rules)?;
        let tally = match options.check {
            Some(n) => Some(
                arena
                    .play(sides, options.retreats, n, options.seed)
                    .map_err(|message| Error::Usage(format!("--check {n}: {message}")))?,
            ),
            None => None,
        };
        let odds =
            if options.sea { arena.naval(sides) } else { arena.land(sides, options.retreats) };
        let odds = odds.map_err(Error::Usage)?;
        let changes = rules.changes();
        let report = Report { odds, names: sides.map(|side| describe(&side)), options, changes };
        let check = tally.map(|tally| Check::new(odds, &tally, options));
        let agrees = check.as_ref().is_none_or(Check::agrees);
        let page = |longest| report.page(check.as_ref(), longest);
        let text = match options.form.is_json() {
            true => report.json(check.as_ref()),
            false => options.form.write(look(), Some(&options.one), &page),
        };
        Ok((text, if agrees { Ending::Done } else { Ending::FaultsFound }))
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    options.one.check(&options.form, &TABLES, &[])?;
    let setup = options.rules.setup(GAME, None)?;
    let (text, ending) = with_game(&setup, Battle(options))??;
    print(&text)?;
    Ok(ending)
}

/// What played battles say.
struct Check {
    battles: u64,
    seed: u64,
    /// How often each end came, in the order of [`sorted`].
    counts: Vec<u64>,
    /// The largest difference from a chance, in standard errors.
    worst: f64,
}

impl Check {
    fn new(odds: &Odds, tally: &Tally, options: &Options) -> Self {
        let battles = tally.0.values().sum();
        let n = battles as f64;
        let count = |end: &End| tally.0.get(&end.lost).copied().unwrap_or(0);
        let counts: Vec<u64> = sorted(odds).iter().map(count).collect();
        let error = |(end, &count): (&End, &u64)| {
            // One battle is added to the variance: where hardly one is expected a count is not normal.
            let variance = n * end.chance * (1.0 - end.chance) + 1.0;
            (count as f64 - n * end.chance).abs() / variance.sqrt()
        };
        let worst = sorted(odds).iter().zip(&counts).map(error).fold(0.0, f64::max);
        let is_known = counts.iter().sum::<u64>() == battles;
        let worst = if is_known { worst } else { f64::INFINITY };
        Self { battles, seed: options.seed, counts, worst }
    }

    /// Whether dice and chances agree.
    fn agrees(&self) -> bool {
        self.worst <= TOLERANCE
    }

    /// How often the end `i` came: for people, for programs with Wilson's 95 % interval, and of how many battles.
    fn played(&self, i: usize) -> [Cell; 3] {
        let n = self.battles as f64;
        let share = self.counts[i] as f64 / n;
        let interval = Some(wilson(share, n, NORMAL_QUANTILE));
        [Cell::Number(share), Cell::Estimate(share, interval), Cell::Count(self.battles)]
    }
}

/// The ends from the best for the attacker to the worst.
fn sorted(odds: &Odds) -> Vec<End> {
    let mut ends = odds.ends().to_vec();
    let rank = |end: &End| {
        let [a, d] = end.lost.map(i16::from);
        let order = match end.verdict {
            Verdict::Attacker => 0,
            Verdict::Undecided => 1,
            Verdict::BothGone => 2,
            Verdict::Defender => 3,
        };
        (order, a, -d)
    };
    ends.sort_by_key(rank);
    ends
}

struct Report<'a> {
    odds: &'a Odds,
    names: [String; 2],
    options: &'a Options,
    changes: Vec<Change>,
}

impl Report<'_> {
    fn chances(&self) -> [f64; 2] {
        [Verdict::Attacker, Verdict::Defender].map(|verdict| self.odds.chance(verdict))
    }

    fn dice(&self) -> [u8; 2] {
        self.odds.fight().sides.map(|side| {
            side.dice
                .saturating_add(side.galley_dice.saturating_mul(side.ranks.after(0)[Unit::Galley]))
        })
    }

    /// Both tables, in words as long as there is room for names of `longest` characters.
    fn page(&self, check: Option<&Check>, longest: usize) -> Page {
        let words = Words::of(longest);
        let army = |text: String| Cell::Name { shown: words.army(&text), name: text };
        let tables = vec![self.sides(words, &army), self.ends(check, &army)];
        let mut page = Page { tables, ..Page::default() };
        page.footer.extend(words.legend().map(Note::new));
        page.footer.push(Note::new(match (self.options.sea, self.options.retreats) {
            (true, _) => "at sea, for the rounds that the rules allow",
            (_, true) => "both sides retreat when the bots would",
            _ => "nobody retreats",
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
        page.footer.extend(rules::note(GAME, &self.changes));
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
        columns
            .extend(Unit::MILITARY.map(|unit| Column::new(unit.name(), words.title(unit), mean)));
        columns.push(Column::new("units_left", "all", mean));
        let row = |side: Side| {
            let left = self.odds.survivors(side);
            let mut row = vec![
                Cell::text(side.word()),
                army(self.names[side].clone()),
                Cell::Count(self.dice()[side].into()),
                Cell::Number(self.chances()[side]),
            ];
            row.extend(left.map(Cell::Number));
            row.push(Cell::Number(left.iter().sum()));
            row
        };
        let text = format!(
            "both gone {}, undecided {}; {} rounds; the columns on the right are expected survivors",
            units::share(self.odds.chance(Verdict::BothGone)),
            units::share(self.odds.chance(Verdict::Undecided)),
            units::mean(self.odds.rounds()),
        );
        let table = Table::new(TABLES[0], "Chances of both sides and expected survivors", columns);
        let mut table = table.with(Side::ALL.into_iter().map(row)).noted(Note::new(text));
        let [attacker, defender] = self.chances();
        let likelier = if attacker > defender { Side::Attacker } else { Side::Defender };
        table.rows[likelier.idx()].mark = Mark::Winner;
        table
    }

    fn ends(&self, check: Option<&Check>, army: &dyn Fn(String) -> Cell) -> Table {
        let share = Content::Number(Scale::SHARE);
        let mut columns = vec![
            Column::plain("attacker keeps", Content::Key),
            Column::plain("defender keeps", Content::Key),
            Column::plain("won by", Content::Text),
            Column::plain("chance", share),
            Column::plain("so far", share),
        ];
        if check.is_some() {
            let data = |key, kind| Column::plain(key, kind).only(Readers::Programs);
            columns.push(Column::plain("played", share).only(Readers::People));
            columns.push(data("played", Content::Estimate(Scale::SHARE)));
            columns.push(data("battles", Content::Number(Scale::Count)));
        }
        let mut table = Table::new(TABLES[1], "How the battle ends", columns);
        let (mut n_rare, mut rare, mut so_far) = (0, 0.0, 0.0);
        for (i, end) in sorted(self.odds).iter().enumerate() {
            so_far += end.chance;
            if end.chance < RARE {
                (n_rare, rare) = (n_rare + 1, rare + end.chance);
                continue;
            }
            let mut row: Vec<Cell> = self.odds.armies(end).map(units_text).map(army).into();
            row.push(Cell::text(verdict_text(end.verdict)));
            row.extend([end.chance, so_far].map(Cell::Number));
            row.extend(check.iter().flat_map(|check| check.played(i)));
            table.rows.push(Row::new(row));
        }
        if n_rare > 0 {
            let ends = units::counted(n_rare, "rarer end");
            let text = format!("and {ends} with a chance of {rare:.1e} together");
            table.notes.push(Note::new(text));
        }
        table
    }

    fn json(&self, check: Option<&Check>) -> String {
        let army = |army: Army| -> Json {
            Unit::MILITARY
                .map(|unit| (unit.name().to_owned(), Json::from(army[unit])))
                .into_iter()
                .collect()
        };
        let side = |side: Side| {
            let left = self.odds.survivors(side);
            let mean: Json = Unit::MILITARY
                .into_iter()
                .map(|unit| (unit.name().to_owned(), Json::from(left[unit])))
                .collect();
            let all = self.odds.fight().sides[side].ranks.after(0);
            json!({
                "army": self.names[side], "units": army(all), "dice": self.dice()[side],
                "wins": self.chances()[side], "survivors": mean,
            })
        };
        let end = |(i, end): (usize, &End)| {
            let [attacker, defender] = self.odds.armies(end).map(army);
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
            "game": GAME, "sea": self.options.sea, "retreats": self.options.retreats,
            "attacker": side(Side::Attacker), "defender": side(Side::Defender),
            "both_gone": self.odds.chance(Verdict::BothGone),
            "undecided": self.odds.chance(Verdict::Undecided),
            "rounds": self.odds.rounds(),
            "ends": sorted(self.odds).iter().enumerate().map(end).collect::<Vec<_>>(),
            "check": check.map(|check| json!({
                "battles": check.battles, "seed": check.seed, "worst_standard_errors": check.worst,
            })),
        });
        document(&with_changes(json, &self.changes))
    }
}

/// How much of the notation is spelled out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Words {
    /// All of it: `6 infantry, 1 cavalry, leader`.
    Whole,
    /// What has no number: `6i 1c leader`.
    Short,
    /// Nothing, in titles neither: `6i 1c l`.
    Letters,
}

impl Words {
    /// As many as are good where names have at most `longest` characters: each is tried in turn.
    const fn of(longest: usize) -> Self {
        match longest {
            usize::MAX => Self::Whole,
            15.. => Self::Short,
            _ => Self::Letters,
        }
    }

    /// An army, which `text` says in whole words.
    fn army(self, text: &str) -> String {
        if self == Self::Whole {
            return text.to_owned();
        }
        let part = |part: &str| match part.split_once(' ') {
            Some((number, word)) => format!("{number}{}", letter(word)),
            None if self == Self::Letters && part != NOTHING => letter(part).to_owned(),
            None => part.to_owned(),
        };
        text.split(", ").map(part).collect::<Vec<_>>().join(" ")
    }

    /// The title of the column of a kind of unit.
    fn title(self, unit: Unit) -> &'static str {
        if self == Self::Letters { letter(unit.name()) } else { unit.name() }
    }

    /// What the letters mean.
    const fn legend(self) -> Option<&'static str> {
        match self {
            Self::Whole => None,
            Self::Short => Some("i infantry, c cavalry, k catapult, g galley, t training"),
            Self::Letters => {
                Some("i infantry, c cavalry, k catapult, g galley, l leader, t training, y city")
            }
        }
    }
}

/// The letter of the notation that stands for a word, singular or plural.
fn letter(word: &str) -> &str {
    match word {
        "catapult" | "catapults" => "k",
        "city" => "y",
        _ => &word[..1],
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

    #[test]
    fn letters_are_those_of_the_notation() {
        for text in ["6i 1c 2k 3g leader 1t city", "1i", "5g 2t"] {
            let army = parse(text).unwrap();
            let whole = describe(&army);
            assert_eq!(Words::Whole.army(&whole), whole);
            assert_eq!(Words::Short.army(&whole), text);
            assert_eq!(
                Words::Letters.army(&whole),
                text.replace("leader", "l").replace("city", "y")
            );
            for words in [Words::Whole, Words::Short, Words::Letters] {
                assert_eq!(describe(&parse(&words.army(&whole)).unwrap()), whole);
                assert_eq!(words.army("nothing"), "nothing");
            }
        }
    }
}
