//! `caesar odds`: the exact odds of one battle of conquest2.

use agents::Playable;
use agents::heuristics::conquest2::odds::{
    Arena, Army, End, Odds, Tally, Verdict, describe, parse, units_text,
};
use clap::Args;
use engine::Rules;
use engine::rules::Change;
use serde_json::{Value as Json, json};

use super::{Ending, RulesArgs, print, ranged, whole};
use crate::catalogue::{WithGame, with_game};
use crate::changes::with_changes;
use crate::document::document;
use crate::error::Error;
use crate::report::rules::footer;
use crate::report::table;
use crate::units;

/// The game whose battles these are.
const GAME: &str = "conquest2";
/// Standard errors by which a share of played battles may differ from its chance.
const TOLERANCE: f64 = 5.0;
/// Ends with a smaller chance are summed up in one line.
const RARE: f64 = 0.00005;
const KINDS: [&str; 4] = ["infantry", "cavalry", "catapult", "galley"];

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
    /// Print one JSON document
    #[arg(long)]
    json: bool,
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
        let agrees = check.as_ref().is_none_or(|check| check.worst <= TOLERANCE);
        let text =
            if options.json { report.json(check.as_ref()) } else { report.text(check.as_ref()) };
        Ok((text, if agrees { Ending::Done } else { Ending::FaultsFound }))
    }
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
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
            side.dice.saturating_add(side.galley_dice.saturating_mul(side.ranks.after(0)[3]))
        })
    }

    fn text(&self, check: Option<&Check>) -> String {
        let rows = (0..2).map(|side| {
            let left = self.odds.survivors(side);
            let mut row = vec![
                ["attacker", "defender"][side].to_owned(),
                self.names[side].clone(),
                self.dice()[side].to_string(),
                units::share(self.chances()[side]),
            ];
            row.extend(left.map(units::mean));
            row.push(units::mean(left.iter().sum()));
            row
        });
        let mut header = vec!["side", "army", "dice", "wins"];
        header.extend(KINDS);
        header.push("units left");
        let mut text = table::plain(&header, 2, rows.collect());
        text += &format!(
            "both gone {}, undecided {}; {} rounds; the columns on the right are expected survivors\n\n",
            units::share(self.odds.chance(Verdict::BothGone)),
            units::share(self.odds.chance(Verdict::Undecided)),
            units::mean(self.odds.rounds()),
        );
        text += &self.ends_text(check);
        text += match (self.options.sea, self.options.retreats) {
            (true, _) => "at sea, for the rounds that the rules allow\n",
            (_, true) => "both sides retreat when the bots would\n",
            _ => "nobody retreats\n",
        };
        if let Some(check) = check {
            text += &format!(
                "{} with dice, seed {}: the shares differ by at most {} standard errors ({TOLERANCE} allowed)\n",
                units::counted(check.battles, "battle"),
                check.seed,
                units::mean(check.worst),
            );
        }
        text + &footer(GAME, &self.changes)
    }

    fn ends_text(&self, check: Option<&Check>) -> String {
        let mut rows = Vec::new();
        let (mut n_rare, mut rare, mut so_far) = (0, 0.0, 0.0);
        for (i, end) in sorted(self.odds).iter().enumerate() {
            so_far += end.chance;
            if end.chance < RARE {
                (n_rare, rare) = (n_rare + 1, rare + end.chance);
                continue;
            }
            let [attacker, defender] = self.odds.armies(end).map(units_text);
            let mut row = vec![attacker, defender, verdict_text(end.verdict).to_owned()];
            row.extend([end.chance, so_far].map(units::share));
            if let Some(check) = check {
                row.push(units::share(check.counts[i] as f64 / check.battles as f64));
            }
            rows.push(row);
        }
        let mut header = vec!["attacker keeps", "defender keeps", "won by", "chance", "so far"];
        header.extend(check.map(|_| "played"));
        let mut text = table::plain(&header, 3, rows);
        if n_rare > 0 {
            let ends = units::counted(n_rare, "rarer end");
            text += &format!("and {ends} with a chance of {rare:.1e} together\n");
        }
        text
    }

    fn json(&self, check: Option<&Check>) -> String {
        let army = |army: Army| -> Json {
            KINDS.into_iter().zip(army).map(|(kind, n)| (kind.to_owned(), Json::from(n))).collect()
        };
        let side = |side: usize| {
            let mean: Json = KINDS
                .into_iter()
                .zip(self.odds.survivors(side))
                .map(|(kind, n)| (kind.to_owned(), Json::from(n)))
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
            "attacker": side(0), "defender": side(1),
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

const fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Attacker => "attacker",
        Verdict::Defender => "defender",
        Verdict::BothGone | Verdict::Undecided => "nobody",
    }
}
