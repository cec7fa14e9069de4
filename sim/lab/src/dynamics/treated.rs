//! The audit of win probabilities in treated games, and the decision on their use instead of results there.
//!
//! A model is fitted to untreated games. A gift of money, points, tokens or things changes only the position, so the
//! chances after it should also be right. This is not certain, since such positions are rarer, or impossible, without
//! the gift. A *ban* leaves no trace in a position. No model of positions can account for it, so bans are not covered
//! here.
//!
//! Twenty gifts ([`CELLS`]) are drawn from the declarations of the game, as in `balance`. Each is given to every seat
//! in turn in every block. Every gift has its own deal there, so that the gifts of a regression are independent. All
//! seats have their chances at the end of the first round of the treated stage. [`Calibration`] compares these with
//! the points of the same games. Over the gifts, the mean results are regressed on the mean chances ([`slope`]).

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use agents::{AgentSpec, Observable, Playable};
use csv::StringRecord;
use engine::treatment::Amount;
use engine::{Configure, Rules, hash_of};

use super::rows::{Written, numbers, strokes};
use crate::balance::estimate::{Estimate, moments};
use crate::balance::facts::Facts;
use sim::error::Error;
use sim::game_loop::Address;
use sim::observed_play;
use sim::runner::Piece;
use sim::stats::calibration::{Calibration, Figure};
use sim::units;
use sim::win_model::WinModel;
use sim::win_model::audit::MOST_ERROR;
use sim::win_model::probes::Tracer;
use sim::win_model::surrogate::{SLOPE, may_screen, slope};

/// The number of gifts in a study.
pub const CELLS: usize = 20;
/// The number of rounds between the start of the stage and the end of the observed round.
const HORIZON: usize = 1;
/// The digits after the point of a chance in a row.
const DIGITS: i32 = 6;
/// The number of attempts at a place among the gifts before it stays empty.
const TRIES: u64 = 40;

/// A gift to each seat in turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gift {
    /// The thing and the stage.
    pub name: String,
    /// The stage, from 1.
    stage: u8,
    /// The setting of the rules, by seat.
    settings: Vec<String>,
}

/// A kind of gift: the treatment, its amounts, and its names (a single `None` if it has no names).
struct Sort {
    id: &'static str,
    values: Vec<String>,
    names: Vec<Option<String>>,
}

/// Returns the kinds of gifts that studies of this game use.
fn sorts(facts: &Facts) -> Vec<Sort> {
    let names = |id: &str| -> Vec<Option<String>> {
        let all = facts.names(id);
        if all.is_empty() { vec![None] } else { all.into_iter().map(Some).collect() }
    };
    let sort = |id: &'static str, amounts: &[i64]| {
        let values = match facts.treatment(id).amount {
            Amount::Switch => vec!["true".to_owned()],
            _ => amounts.iter().map(i64::to_string).collect(),
        };
        Sort { id, values, names: names(id) }
    };
    let mut all: Vec<Sort> = Vec::new();
    let mut add = |id: &'static str, amounts: &[i64]| {
        if all.iter().all(|known| known.id != id) {
            all.push(sort(id, amounts));
        }
    };
    for market in facts.markets {
        add(market.money, market.amounts);
        add(market.action, &[-1]);
        add(market.thing, &[1]);
    }
    if let Some(territory) = facts.territory {
        add(territory.points, &[2 * territory.step, 4 * territory.step]);
        add(territory.token, &[1, 3]);
        if let Some(city) = territory.city {
            add(city, &[1]);
        }
    }
    all
}

/// Returns the gifts of a game under some rules: kinds, stages and amounts in turn, names at random. Fewer than
/// [`CELLS`] if the game has no more, none if it declares none.
#[must_use]
pub fn gifts<G: Configure>(facts: &Facts) -> Vec<Gift> {
    let sorts = sorts(facts);
    let mut out: Vec<Gift> = Vec::new();
    let places = if sorts.is_empty() { 0 } else { CELLS };
    for place in 0..places {
        let (sort, turn) = (&sorts[place % sorts.len()], place / sorts.len());
        let value = &sort.values[turn % sort.values.len()];
        let found = (0..TRIES).find_map(|attempt| {
            // The shift by `turn` lets kinds in rotation also meet every stage.
            let later = if attempt < TRIES / 2 { 0 } else { attempt as usize };
            let stage = (place + turn + later) % usize::from(facts.stages) + 1;
            let which = hash_of(&("gift", place as u64, attempt)) % sort.names.len() as u64;
            let name = sort.names[which as usize].as_deref();
            let gift = gift(facts, sort.id, value, stage as u8, name);
            (!out.contains(&gift) && gift.is_allowed::<G>(facts)).then_some(gift)
        });
        out.extend(found);
    }
    out
}

fn gift(facts: &Facts, id: &str, value: &str, stage: u8, name: Option<&str>) -> Gift {
    let settings = facts.for_seats(id, Some(stage), name, value).concat();
    let named = name.map_or_else(String::new, |name| format!(".{name}"));
    let amount = if value == "true" { String::new() } else { format!("={value}") };
    Gift { name: format!("{id}{named}{amount}, stage {stage}"), stage, settings }
}

impl Gift {
    fn is_allowed<G: Configure>(&self, facts: &Facts) -> bool {
        // The other games differ in the seat alone.
        let first = self.settings.first();
        first.is_some_and(|setting| built::<G>(&facts.rules, facts.players, setting).is_ok())
    }
}

fn built<G: Configure>(rules: &Rules, players: usize, setting: &str) -> Result<G, Error> {
    let mut rules = rules.clone();
    rules.set(setting)?;
    Ok(G::configure(players, &rules)?)
}

/// An observation of a treated game: the chances of all seats, and their points.
#[derive(Clone, PartialEq, Debug)]
struct Seen {
    chances: Vec<f64>,
    points: Vec<f64>,
}

/// The games of a block, by gift and then by treated seat; `None` for a game that ended before.
#[derive(Clone, PartialEq, Debug)]
pub struct Given(Vec<Vec<Option<Seen>>>);

/// Returns the names of the fields of a block.
#[must_use]
pub fn columns(gifts: &[Gift]) -> Vec<String> {
    (1..=gifts.len()).map(|number| format!("gift_{number}")).collect()
}

impl Written for Given {
    fn fields(&self) -> Vec<String> {
        let one = |seen: &Option<Seen>| match seen {
            None => "-".to_owned(),
            Some(Seen { chances, points }) => format!("{}:{}", numbers(chances), numbers(points)),
        };
        self.0.iter().map(|seats| seats.iter().map(one).collect::<Vec<_>>().join(" ")).collect()
    }

    fn read(fields: &StringRecord) -> Option<Self> {
        let one = |text: &str| -> Option<Option<Seen>> {
            if text == "-" {
                return Some(None);
            }
            let (chances, points) = text.split_once(':')?;
            Some(Some(Seen { chances: strokes(chances)?, points: strokes(points)? }))
        };
        let seats = |text: &str| text.split(' ').map(one).collect::<Option<Vec<_>>>();
        Some(Self(fields.iter().map(seats).collect::<Option<_>>()?))
    }
}

/// The treated games, by gift and seat.
#[derive(Debug)]
pub struct Tables<'a, G> {
    gifts: &'a [Gift],
    games: Vec<Vec<G>>,
}

impl<'a, G: Playable + Observable> Tables<'a, G> {
    /// Builds the games under these rules.
    ///
    /// # Errors
    /// If the rules refuse a gift.
    pub fn new(rules: &Rules, players: usize, gifts: &'a [Gift]) -> Result<Self, Error> {
        let games = |gift: &Gift| {
            gift.settings.iter().map(|setting| built(rules, players, setting)).collect()
        };
        Ok(Self { gifts, games: gifts.iter().map(games).collect::<Result<_, Error>>()? })
    }

    /// Plays some blocks with `spec` in all seats, evaluated by `model`; `None` if `stop` is raised.
    ///
    /// # Errors
    /// If an agent fails.
    pub fn play(
        &self,
        spec: &AgentSpec,
        model: &WinModel,
        seed: u64,
        blocks: Range<u64>,
        stop: &AtomicBool,
    ) -> Piece<Given> {
        let n = (blocks.end - blocks.start) as usize;
        let mut all = vec![Given(Vec::new()); n];
        for (at, (gift, games)) in self.gifts.iter().zip(&self.games).enumerate() {
            all.iter_mut().for_each(|block| block.0.push(Vec::new()));
            for game in games {
                let specs = vec![spec.clone(); game.n_players()];
                let seen =
                    observed_play::piece(game, &specs, blocks.clone(), stop, |seats, index| {
                        let mut tracer = Tracer::new(model);
                        let points =
                            seats.play(Address::of_game(seed, deal(index, at)), &mut tracer)?;
                        let points = points.first(game.n_players()).to_vec();
                        Ok(look(&tracer, gift.stage).map(|chances| Seen { chances, points }))
                    })?;
                let Some(seen) = seen else { return Ok(None) };
                for (block, seen) in all.iter_mut().zip(seen) {
                    block.0[at].push(seen);
                }
            }
        }
        Ok(Some(all))
    }
}

/// Returns the number of the deal of a gift in a block.
const fn deal(block: u64, gift: usize) -> u64 {
    block * CELLS as u64 + gift as u64
}

/// Returns the chances at the end of the first round of a stage, from 1.
fn look(tracer: &Tracer<'_>, stage: u8) -> Option<Vec<f64>> {
    let rounds = &tracer.trace.rounds;
    let first = rounds.iter().position(|look| look.stage + 1 >= usize::from(stage))?;
    let unit = 10f64.powi(DIGITS);
    let rounded = |p: &f64| (p * unit).round() / unit;
    Some(rounds.get(first + HORIZON)?.chances.iter().map(rounded).collect())
}

/// The effect of a gift.
#[derive(Clone, PartialEq, Debug)]
pub struct GiftEffect {
    /// The thing and the stage.
    pub name: String,
    /// The mean chance of the treated seat, less an equal share.
    pub chance: Estimate,
    /// The mean points of the treated seat, less an equal share.
    pub result: Estimate,
}

/// The audit of a model by treated games.
#[derive(Clone, Debug)]
pub struct Treated {
    /// The calibration of chances after gifts.
    pub calibration: Calibration,
    /// The effects, gift by gift.
    pub lines: Vec<GiftEffect>,
    /// The slope of results on chances over the gifts; `None` for too few.
    pub slope: Option<Figure>,
    /// The number of blocks.
    pub blocks: u64,
}

impl Treated {
    /// Returns the audit by `blocks`; `None` without blocks or gifts.
    #[must_use]
    pub fn of(gifts: &[Gift], blocks: &[Given]) -> Option<Self> {
        let mut calibration = Calibration::default();
        for (index, Given(block)) in (0..).zip(blocks) {
            for (at, seats) in block.iter().enumerate() {
                for Seen { chances, points } in seats.iter().flatten() {
                    calibration.add(deal(index, at), chances, points);
                }
            }
        }
        let lines: Vec<GiftEffect> =
            gifts.iter().enumerate().filter_map(|(at, gift)| line(gift, at, blocks)).collect();
        let cells: Vec<(f64, f64)> =
            lines.iter().map(|line| (line.chance.value, line.result.value)).collect();
        let slope = slope(&cells);
        (!lines.is_empty()).then_some(Self {
            calibration,
            lines,
            slope,
            blocks: blocks.len() as u64,
        })
    }

    /// Returns the reason why no result of the model is reported; `None` if the model is calibrated.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        let error = self.calibration.expected_error().map_or(0.0, |figure| figure.estimate);
        (error > MOST_ERROR).then(|| {
            format!(
                "the expected calibration error in treated games is {}, and above {} chances are not those with which they are \
                 won",
                units::share(error),
                units::share(MOST_ERROR)
            )
        })
    }

    /// Returns, in words, whether chances may replace results.
    #[must_use]
    pub fn verdict(&self) -> String {
        let [low, high] = SLOPE;
        let within = format!("the slope's interval lies within {low} to {high}");
        match self.slope {
            _ if self.refusal().is_some() => {
                "chances may not stand for results: they are not right in treated games".to_owned()
            }
            Some(slope) if may_screen(slope) => {
                format!("chances may stand for results in screens: {within}")
            }
            Some(slope) if slope.interval.is_some_and(|at| at.high < low || high < at.low) => {
                format!("chances may not stand for results: the slope lies outside {low} to {high}")
            }
            _ => format!(
                "whether chances may stand for results is undecided: they may once {within}"
            ),
        }
    }
}

fn line(gift: &Gift, at: usize, blocks: &[Given]) -> Option<GiftEffect> {
    let (mut chances, mut results) = (Vec::new(), Vec::new());
    let mut equal = 1.0;
    for Given(block) in blocks {
        let own: Vec<[f64; 2]> = block[at]
            .iter()
            .enumerate()
            .filter_map(|(seat, seen)| {
                seen.as_ref().map(|seen| [seen.chances[seat], seen.points[seat]])
            })
            .collect();
        // A block in which the game of a seat ended before is skipped: the shares of the others do not sum to one.
        if own.len() < block[at].len() || own.is_empty() {
            continue;
        }
        equal = 1.0 / own.len() as f64;
        let mean = |which: usize| own.iter().fold(0.0, |sum, one| sum + one[which] * equal);
        chances.push(mean(0) - equal);
        results.push(mean(1) - equal);
    }
    let within = |values: &[f64]| Estimate::within(-equal, 1.0 - equal, moments(values));
    Some(GiftEffect {
        name: gift.name.clone(),
        chance: within(&chances)?,
        result: within(&results)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Purpose, Randomness, Stream, rng};

    fn gift(number: usize) -> Gift {
        Gift { name: format!("gift {number}"), stage: 1, settings: vec![String::new(); 4] }
    }

    /// Returns a game in which a seat was given something: it has that much more than an equal share, and some luck.
    /// The model overstates or understates the gain by `factor`.
    fn seen(rng: &mut Stream, seat: usize, worth: f64, factor: f64) -> Seen {
        let own = 0.25 + worth + 0.2 * (rng.unit() - 0.5);
        let won = if rng.unit() < own { seat } else { (seat + 1 + rng.below(3) as usize) % 4 };
        let chance = 0.25 + factor * (own - 0.25);
        let chance = |at: usize| if at == seat { chance } else { (1.0 - chance) / 3.0 };
        Seen {
            chances: (0..4).map(chance).collect(),
            points: (0..4).map(|at| f64::from(u8::from(at == won))).collect(),
        }
    }

    fn study(run: u64, blocks: usize, factor: f64) -> Treated {
        let mut rng = rng::stream(91, run, Purpose::Analysis);
        let worth = |at: usize| 0.012 * (at as f64 - 4.0);
        let mut block = |_| {
            let mut cell =
                |at| (0..4).map(|seat| Some(seen(&mut rng, seat, worth(at), factor))).collect();
            Given((0..CELLS).map(&mut cell).collect())
        };
        let blocks: Vec<Given> = (0..blocks).map(&mut block).collect();
        Treated::of(&(0..CELLS).map(gift).collect::<Vec<_>>(), &blocks).unwrap()
    }

    #[test]
    fn slopes_of_right_chances_cover_one_in_93_to_97_of_100() {
        let runs = 500;
        let holds = |run: u64| study(run, 5, 1.0).slope.unwrap().interval.unwrap().contains(1.0);
        let covered = (0..runs).filter(|&run| holds(run)).count() as f64 / runs as f64;
        assert!((0.925..=0.975).contains(&covered), "{covered}");
    }

    #[test]
    fn chances_that_are_right_may_stand_for_results_and_others_are_refused() {
        let right = study(3, 150, 1.0);
        assert_eq!(right.refusal(), None, "{:?}", right.calibration.expected_error());
        assert!(may_screen(right.slope.unwrap()) && right.verdict().contains("in screens"));
        let timid = study(4, 150, 0.4);
        assert!(timid.slope.unwrap().interval.unwrap().low > 1.3, "{:?}", timid.slope);
        assert!(timid.verdict().contains("may not stand for results"), "{}", timid.verdict());
        let wrong = study(6, 150, -1.0);
        let why = wrong.refusal().unwrap();
        assert!(why.contains("in treated games") && wrong.verdict().contains("not right"), "{why}");
    }

    #[test]
    fn what_was_seen_is_read_as_it_was() {
        let mut rng = rng::stream(5, 0, Purpose::Analysis);
        let mut seen = |seat| Some(seen(&mut rng, seat, 0.1, 1.0));
        let given = Given(vec![vec![seen(0), None], vec![seen(2), seen(3)]]);
        assert_eq!(Given::read(&given.fields().into_iter().collect()), Some(given));
    }
}
