//! Tables, sentences and document of a population of strategies. Also the plan of a run.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use super::archive::Spelled;
use super::names::Names;
use super::table::{Cell, Column, Content, Mark, Note, Page, Readers, Row, Scale, Table};
use super::{archive, portraits};
use lab::strategies::findings::{Estimate, Finding, Findings};
use lab::strategies::portraits::Portraits;
use lab::strategies::run::{Outcome, Response, Round, is_closed, last};
use lab::strategies::seats::Strategy;
use lab::strategies::study::StrategiesStudy;
use lab::tune::gain::Gain;
use lab::tune::space::Point;
use lab::tune::study::POWER;
use sim::document::document;
use sim::error::Error;
use sim::stats::meta_game::effective_number;
use sim::stats::{Family, Interval, Moments};
use sim::units;

/// The name of the answer, which stands above the tables.
const ANSWER: &str = "answer";
/// The table of the strategies.
const STRATEGIES: &str = "strategies";
/// The table of each strategy among copies of another.
const DUELS: &str = "duels";
/// The table of the rounds.
const ROUNDS: &str = "rounds";
/// All tables.
pub const TABLES: [&str; 4] = [STRATEGIES, DUELS, ROUNDS, archive::NAME];

const GAIN: Content = Content::Estimate(Scale::Signed(4));
/// The most changed values that a portrait names.
const MOVED: usize = 4;
/// The longest and the shortest limit of a name.
pub(super) const NAMES: (usize, usize) = (24, 60);

/// The results of a run, with the strategies as specs.
#[derive(Debug)]
pub struct Results<'a> {
    study: &'a StrategiesStudy,
    outcome: &'a Outcome,
    findings: &'a Findings,
    portraits: &'a Portraits,
    specs: Vec<String>,
    merged: Vec<(String, usize)>,
    responses: Vec<Option<String>>,
    archive: Option<Spelled<'a>>,
}

fn gained(gain: &Moments) -> Estimate {
    (gain.mean(), Some(Gain::Share.interval(gain)))
}

pub(super) fn cell(of: Estimate) -> Cell {
    Cell::Estimate(of.0, of.1)
}

pub(super) fn estimate(of: Estimate) -> Json {
    let (x, interval) = of;
    json!({"value": x, "low": interval.map(|i| i.low), "high": interval.map(|i| i.high)})
}

impl<'a> Results<'a> {
    /// Spells the strategies of a run.
    ///
    /// # Errors
    /// If a point is no agent, which was checked before.
    pub fn of(
        study: &'a StrategiesStudy,
        outcome: &'a Outcome,
        findings: &'a Findings,
        portraits: &'a Portraits,
    ) -> Result<Self, Error> {
        let spelled = |strategy: &Strategy| study.spelled(strategy);
        let response = |round: &Round| {
            let point = round.response.as_ref().map(|one| Strategy::Point(one.point.clone()));
            point.as_ref().map(spelled).transpose()
        };
        let merged = outcome.merged.iter().map(|(one, of)| Ok((spelled(one)?, *of)));
        let archive = study.plan.niche.as_ref().zip(outcome.archive.as_ref());
        let archive = archive.map(|(niche, archive)| {
            let specs = archive.elites.values().map(|elite| spelled(&elite.strategy));
            specs.collect::<Result<_, Error>>().map(|specs| Spelled { niche, archive, specs })
        });
        Ok(Self {
            study,
            outcome,
            findings,
            portraits,
            specs: outcome.strategies.iter().map(spelled).collect::<Result<_, _>>()?,
            merged: merged.collect::<Result<_, Error>>()?,
            responses: outcome.rounds.iter().map(response).collect::<Result<_, _>>()?,
            archive: archive.transpose()?,
        })
    }

    /// Returns the result as tables, with names of at most `longest` characters.
    #[must_use]
    pub fn page(&self, longest: usize) -> Page {
        let last = self.responses.iter().flatten().filter(|spec| !self.specs.contains(spec));
        let mut all: Vec<String> = self.specs.iter().chain(last).cloned().collect();
        for spec in self.archive.iter().flat_map(|archive| &archive.specs) {
            if !all.contains(spec) {
                all.push(spec.clone());
            }
        }
        let names = Names::of_specs(&all, "strategy", longest.clamp(NAMES.0, NAMES.1));
        let mut answer = Table::new(ANSWER, String::new(), Vec::new()).only(Readers::People);
        answer.notes = self.sentences(&|i| names.shown(&self.specs[i]).to_owned());
        let mut tables = vec![answer, self.strategies(&names)];
        if self.specs.len() > 1 {
            tables.push(self.duels(&names));
        }
        tables.push(self.rounds(&names));
        tables.extend(self.archive.as_ref().map(|archive| archive.table(&names)));
        Page { tables, footer: self.footer() }
    }

    /// Returns the answer: the survivors, a dominant strategy, cycles, exploitability, portraits.
    fn sentences(&self, name: &dyn Fn(usize) -> String) -> Vec<Note> {
        let Findings { strategies, dominant, cycles, .. } = self.findings;
        let mut notes = vec![Note::new(self.survivors(name))];
        notes.extend(self.before());
        if let Some(best) = dominant {
            let text = format!("{} is dominant: it beats every other strategy", name(*best));
            notes.push(Note::new(text).marked(Mark::Winner));
        }
        for (i, one) in strategies.iter().enumerate() {
            for &other in one.coexists.iter().filter(|&&other| i < other) {
                let pair = format!("{} and {}", name(i), name(other));
                notes.push(Note::new(format!(
                    "{pair} coexist: one seat of either gains among copies of the other"
                )));
            }
        }
        for cycle in cycles {
            let around: Vec<usize> = cycle.iter().chain(cycle.first()).copied().collect();
            let around: Vec<String> = around.into_iter().map(name).collect();
            notes.push(Note::new(format!("A cycle: {}", around.join(" beats "))));
        }
        notes.push(self.end());
        for (i, one) in strategies.iter().enumerate() {
            notes.push(Note::new(self.portrait(i, one, name)));
        }
        notes.extend(portraits::content(self.portraits).into_iter().map(Note::new));
        notes.extend(self.archive.iter().map(|archive| Note::new(archive.sentence())));
        notes
    }

    fn survivors(&self, name: &dyn Fn(usize) -> String) -> String {
        let survivors = self.findings.survivors();
        let listed: Vec<String> = survivors.iter().map(|&i| name(i)).collect();
        format!(
            "{} of {} strategies survive: {}",
            listed.len(),
            self.specs.len(),
            listed.join(", ")
        )
    }

    /// Returns the origin of a population that independent loops began.
    fn before(&self) -> Option<Note> {
        let (runs, left_out) = (self.study.plan.runs, self.outcome.left_out);
        let text = format!("The population began with the survivors of {runs} independent loops");
        (runs > 1).then(|| match left_out {
            0 => Note::new(text),
            _ => Note::new(format!(
                "{text}; the lightest, {left_out}, were left out, as tables would be too many"
            )),
        })
    }

    fn end(&self) -> Note {
        end(&self.outcome.rounds, self.study.plan.epsilon)
    }

    /// Returns a strategy in words: its values, its strength, and its worst enemy.
    fn portrait(&self, i: usize, one: &Finding, name: &dyn Fn(usize) -> String) -> String {
        let weight = format!("{} % of the mixture", units::hundredths(one.weight.0));
        let mut text = format!("{}: {weight}", name(i));
        if let Strategy::Point(point) = &self.outcome.strategies[i] {
            let moved = self.moved(point);
            let _ = write!(text, "; {moved}");
        }
        if !one.beats.is_empty() {
            let beats: Vec<String> = one.beats.iter().map(|&other| name(other)).collect();
            let _ = write!(text, "; beats {}", beats.join(", "));
        }
        let losses = self.findings.strategies.iter().enumerate();
        let losses = losses.filter(|(_, other)| other.beats.contains(&i));
        let losses: Vec<String> = losses.map(|(other, _)| name(other)).collect();
        if !losses.is_empty() {
            let _ = write!(text, "; loses to {}", losses.join(", "));
        }
        if let Some(answer) = one.answer.filter(|_| Gain::Share.interval(&one.exploited).low > 0.0)
        {
            let gain = units::signed(one.exploited.mean(), 4);
            let _ = write!(text, "; {} gains {gain} points among its copies", name(answer));
        }
        let games = self.portraits.all.iter().find(|one| one.strategy == i);
        let games = games.map(portraits::sentence).filter(|text| !text.is_empty());
        if let Some(games) = games {
            let _ = write!(text, "; {games}");
        }
        let copies = self.merged.iter().filter(|(_, of)| *of == i).map(|(spec, _)| &spec[..]);
        let copies: Vec<&str> = copies.collect();
        if !copies.is_empty() {
            let _ = write!(text, "; its games are those of {}", copies.join(", "));
        }
        text
    }

    /// Returns the values of a point that differ from the start, those that moved farthest in their ranges first.
    fn moved(&self, point: &Point) -> String {
        let space = &self.study.plan.space;
        let start = space.start();
        let places = start.places().iter().zip(point.places()).map(|(from, to)| (to - from).abs());
        let mut moved: Vec<_> = space.dimensions().iter().zip(point.texts()).zip(places).collect();
        moved.retain(|((one, value), _)| one.start != **value);
        moved.sort_by(|(_, near), (_, far)| far.total_cmp(near));
        let rest = moved.len().saturating_sub(MOVED);
        let named = moved.iter().take(MOVED);
        let mut named: Vec<String> = named
            .map(|((one, value), _)| format!("{} {value} instead of {}", one.name, one.start))
            .collect();
        if rest > 0 {
            named.push(format!("and {}", units::counted(rest as u64, "other value")));
        }
        if named.is_empty() { "the start".to_owned() } else { named.join(", ") }
    }

    fn strategies(&self, names: &Names) -> Table {
        let columns = vec![
            Column::plain("strategy", Content::Key),
            Column::new("weight", "weight [95 %]", Content::Estimate(Scale::SHARE)),
            Column::new("value", "gain on mixture [95 %]", GAIN),
            Column::new("answer", "best answer", Content::Text),
            Column::new("exploited", "gain of answer [95 %]", GAIN),
            Column::new("beats", "beats", Content::Number(Scale::Count)),
        ];
        let caption = format!(
            "Strategies of {} with {}, mixed by {}",
            self.study.setup.game,
            units::counted(self.study.players as u64, "player"),
            self.study.plan.solver.name()
        );
        let mut table = Table::new(STRATEGIES, caption, columns);
        for (spec, one) in self.specs.iter().zip(&self.findings.strategies) {
            let cells = vec![
                names.cell(spec),
                cell(one.weight),
                cell(one.value),
                one.answer.map_or(Cell::Nothing, |answer| names.cell(&self.specs[answer])),
                one.answer.map_or(Cell::Nothing, |_| cell(gained(&one.exploited))),
                Cell::Count(one.beats.len() as u64),
            ];
            table.rows.push(Row { cells, mark: Mark::Plain });
        }
        table.notes.extend(names.legend());
        table
            .noted(Note::new(
                "Weights: bootstrap over blocks; intervals at 0 or 1 are approximate. gain on mixture: points of one \
                 seat among draws from the mixture, above an equal share",
            ))
            .noted(Note::new(
                "gain of answer: points of the best answer among copies of the strategy. The answer was chosen on \
                 other games, so this is a lower bound of the exploitability",
            ))
    }

    fn duels(&self, names: &Names) -> Table {
        let columns = vec![
            Column::plain("strategy", Content::Key),
            Column::new("among", "among copies of", Content::Key),
            Column::new("gain", "gain [95 % of all pairs]", GAIN),
            Column::plain("blocks", Content::Number(Scale::Count)),
            Column::plain("verdict", Content::Text),
        ];
        let n = self.specs.len();
        let family = Family::of(n * (n - 1));
        let mut table = Table::new(DUELS, "Each strategy among copies of another", columns);
        for one in 0..n {
            // At two players a pair is the same from both sides.
            let first = if self.study.players == 2 { one + 1 } else { 0 };
            for other in (first..n).filter(|&other| other != one) {
                let gain = self.outcome.report.duel(one, other);
                let interval = Gain::Share.together(&gain, family);
                let (word, mark) = super::table::word(interval);
                let cells = vec![
                    names.cell(&self.specs[one]),
                    names.cell(&self.specs[other]),
                    Cell::Estimate(gain.mean(), Some(interval)),
                    Cell::Count(gain.n()),
                    Cell::text(word),
                ];
                table.rows.push(Row { cells, mark });
            }
        }
        table
    }

    fn rounds(&self, names: &Names) -> Table {
        let columns = vec![
            Column::plain("round", Content::Key),
            Column::new("strategies", "effective strategies", Content::Number(Scale::Fixed(2))),
            Column::plain("response", Content::Text),
            Column::new("gain", "gain on mixture [95 %]", GAIN),
            Column::plain("blocks", Content::Number(Scale::Count)),
            Column::plain("verdict", Content::Text),
        ];
        let mut table = Table::new(ROUNDS, "Responses to the mixture of each round", columns);
        for (i, (round, spec)) in self.outcome.rounds.iter().zip(&self.responses).enumerate() {
            let response = round.response.as_ref();
            let tested = response.filter(|one| one.copy_of.is_none());
            let word = match response {
                None => "none found".to_owned(),
                Some(one) if one.is_accepted() => "accepted".to_owned(),
                Some(Response { copy_of: Some(of), .. }) => {
                    format!("copy of {}", names.shown(&self.specs[*of]))
                }
                Some(_) => "no gain shown".to_owned(),
            };
            let cells = vec![
                Cell::text((i + 1).to_string()),
                Cell::Number(effective_number(&round.mix)),
                spec.as_ref().map_or(Cell::Nothing, |spec| names.cell(spec)),
                tested.map_or(Cell::Nothing, |one| cell(gained(&one.gain))),
                tested.map_or(Cell::Nothing, |one| Cell::Count(one.gain.n())),
                Cell::text(word),
            ];
            table.rows.push(Row { cells, mark: Mark::Plain });
        }
        table.noted(Note::new("Gains are measured on fresh games, which chose no response"))
    }

    fn footer(&self) -> Vec<Note> {
        let games = units::counted(self.outcome.blocks * self.study.players as u64, "game");
        let seed = format!("seed {}", self.study.plan.seed);
        vec![Note::new(games), Note::new(seed).before(self.study.request.command())]
    }

    /// Returns the result as one JSON document.
    #[must_use]
    pub fn json(&self) -> String {
        let strategy = |i: usize, one: &Finding| {
            json!({
                "agent": self.specs[i],
                "weight": estimate(one.weight),
                "gain_on_mixture": estimate(one.value),
                "best_answer": one.answer.map(|answer| &self.specs[answer]),
                "gain_of_answer": one.answer.map(|_| estimate(gained(&one.exploited))),
                "beats": one.beats.iter().map(|&other| &self.specs[other]).collect::<Vec<_>>(),
                "coexists": one.coexists.iter().map(|&other| &self.specs[other]).collect::<Vec<_>>(),
                "watched": portraits::json(self.portraits, i),
                "portrait": self.portrait(i, one, &|other| self.specs[other].clone()),
            })
        };
        let round = |(round, spec): (&Round, &Option<String>)| {
            let response = round.response.as_ref();
            let tested = response.filter(|one| one.copy_of.is_none());
            json!({
                "mixture": round.mix,
                "response": spec,
                "gain": tested.map(|one| estimate(gained(&one.gain))),
                "accepted": response.is_some_and(Response::is_accepted),
                "copy_of": response.and_then(|one| one.copy_of).map(|of| &self.specs[of]),
            })
        };
        let strategies = self.findings.strategies.iter().enumerate();
        let named = |all: &Vec<usize>| all.iter().map(|&i| &self.specs[i]).collect::<Vec<_>>();
        let rounds = self.outcome.rounds.iter().zip(&self.responses);
        let merged = self.merged.iter();
        document(&json!({
            "game": self.study.setup.game,
            "players": self.study.players,
            "agents": self.specs,
            "solver": self.study.plan.solver.name(),
            "epsilon": self.study.plan.epsilon,
            "blocks": self.outcome.blocks,
            "games": self.outcome.blocks * self.study.players as u64,
            "answer": self.survivors(&|i| self.specs[i].clone()),
            "end": self.end().text,
            "closed": is_closed(&self.outcome.rounds),
            "effective_number": estimate(self.findings.effective),
            "top_weight": estimate(self.findings.top),
            "dominant": self.findings.dominant.map(|best| &self.specs[best]),
            "cycles": self.findings.cycles.iter().map(named).collect::<Vec<_>>(),
            "unused": portraits::things(&self.portraits.unused),
            "always": portraits::things(&self.portraits.always),
            "content": portraits::content(self.portraits),
            "strategies": strategies.map(|(i, one)| strategy(i, one)).collect::<Vec<_>>(),
            "runs": self.study.plan.runs,
            "left_out": self.outcome.left_out,
            "archive": self.archive.as_ref().map(Spelled::json),
            "merged": merged.map(|(spec, of)| json!({"agent": spec, "copy_of": self.specs[*of]})).collect::<Vec<_>>(),
            "rounds": rounds.map(round).collect::<Vec<_>>(),
            "command": self.study.request.command(),
            "seed": self.study.plan.seed,
        }))
    }
}

/// Returns the reason why the loop with these rounds ended.
pub(super) fn end(rounds: &[Round], epsilon: f64) -> Note {
    let open = |text: String| Note::new(text).marked(Mark::Open);
    if !is_closed(rounds) {
        return open(format!(
            "The last of {} still gained. Better responses are likely: allow more rounds",
            units::counted(rounds.len() as u64, "response")
        ));
    }
    let last = last(rounds).filter(|last| last.copy_of.is_none());
    let Some(last) = last else {
        return open(
            "The last search found no strategy that the population does not have".to_owned(),
        );
    };
    let (gain, interval) = gained(&last.gain);
    let Interval { low, high } = interval.expect("a gain has an interval");
    let numbers = format!(
        "{} [{}, {}]",
        units::signed(gain, 4),
        units::signed(low, 4),
        units::signed(high, 4)
    );
    if high <= epsilon {
        return Note::new(format!(
            "The best response found gains {numbers} over the mixture: not above {}",
            units::given(epsilon)
        ));
    }
    open(format!(
        "The best response found gains {numbers} over the mixture. A gain of {} is not excluded, but would have \
         been confirmed with {} % power",
        units::given(epsilon),
        units::hundredths(POWER)
    ))
}

/// Returns the cost of a run.
#[must_use]
pub fn plan(study: &StrategiesStudy, minutes: f64, threads: usize, is_json: bool) -> String {
    let (plan, n) = (&study.plan, study.players as u64);
    let personas = study.request.personas.unwrap_or_default();
    if is_json {
        return document(&json!({
            "games": study.games(),
            "minutes": minutes,
            "epsilon": plan.epsilon,
            "start": plan.start.len(),
            "personas": personas,
            "rounds": plan.rounds,
            "runs": plan.runs,
            "confirm": plan.confirm * n,
        }));
    }
    let mut lines = vec![format!(
        "{} strategies at the start, {personas} of them personas, solved by {}; {}:",
        plan.start.len(),
        plan.solver.name(),
        units::counted(plan.space.len() as u64, "dimension")
    )];
    lines.extend(plan.space.dimensions().iter().map(|one| {
        format!("  {}: {} ({}), from {}", one.name, one.range.text(), one.range.scale(), one.start)
    }));
    let games = |blocks: u64| units::counted(blocks * n, "game");
    lines.push(format!("response  {} by {}", games(plan.train), plan.method.name()));
    lines.push(format!(
        "accepted  after {}, which show a gain of {} with {} % power",
        games(plan.confirm),
        units::given(plan.epsilon),
        units::hundredths(POWER)
    ));
    lines.push(format!("rounds    at most {}", plan.rounds));
    if plan.runs > 1 {
        lines.push(format!(
            "loops     {} before the reported one, at most {} each",
            plan.runs,
            units::counted(study.games_of_run(), "game")
        ));
    }
    lines.push(format!("report    {} for each table", games(plan.report)));
    if study.changed.is_some() {
        lines.push("rules     all of this under A and under B".to_owned());
    }
    lines.push(format!(
        "in all    at most {}, about {} on {}",
        games(study.games() / n),
        units::seconds(60.0 * minutes),
        units::counted(threads as u64, "thread")
    ));
    lines.join("\n") + "\n"
}
