//! Analysis of a recorded game: a search evaluates each decision, next to the action that was played.
//!
//! Every decision is searched from the view of its seat, before the ply, by an agent without memory. Its random numbers
//! have their own address, so the evaluation of a ply depends on no other ply.

use std::fmt::{self, Write};

use agents::agent::{SearchedOption, view_for};
use agents::{Agent, AgentSpec, BadSpec, Playable, SearchReport, SearchTally};
use draw::replay::Mistake;
use engine::{Game, Notation, Player, Purpose, rng};
use serde::Serialize;

use crate::document::document;
use crate::units;

/// The width of the text in columns, unless a single word is longer.
const WIDTH: usize = 100;

/// The settings of an analysis.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The search agent.
    pub spec: AgentSpec,
    /// The seed of the search; that of the record if `None`.
    pub seed: Option<u64>,
    /// The number of options that are reported.
    pub best: usize,
}

/// A decision that was taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision<'a> {
    pub(super) player: Player,
    /// The number of the ply, from 1.
    pub(super) ply: u64,
    /// The action that was played.
    pub(super) played: &'a str,
}

/// A function that makes a new agent.
type Build<G> = Box<dyn Fn(&G) -> Box<dyn Agent<G>>>;

/// The analyst of the decisions of one game.
pub(super) struct Analyst<G: Game> {
    agent: Box<dyn Agent<G>>,
    /// The maker of a new agent, for agents that would remember an earlier decision.
    renew: Option<Build<G>>,
    best: usize,
    game: u64,
    /// The run seed and the index of the game.
    address: (u64, u64),
    searched: SearchTally,
    documents: String,
}

impl<G: Notation> Analyst<G> {
    /// Returns the analyst of game number `number`, whose header has the seed `seed`.
    pub(super) fn new(game: &G, wish: &Analysis, number: u64, seed: &str) -> Result<Self, BadSpec>
    where
        G: Playable,
    {
        let agent = wish.spec.build(game)?;
        let renew = wish.spec.remembers_games().then(|| {
            let spec = wish.spec.clone();
            Box::new(move |game: &G| spec.build(game).expect("it was built before")) as Build<G>
        });
        let recorded = seed
            .split_once('/')
            .and_then(|(seed, index)| Some((seed.parse().ok()?, index.parse().ok()?)));
        let address = match wish.seed {
            Some(seed) => (seed, number),
            None => recorded.unwrap_or((1, number)),
        };
        let (searched, documents) = (SearchTally::default(), String::new());
        Ok(Self { agent, renew, best: wish.best, game: number, address, searched, documents })
    }

    /// Searches `decision`, which is due in `state`, and writes the result: as text if given, otherwise as a document.
    /// Returns what the decision cost, if another option was better.
    pub(super) fn look(
        &mut self,
        game: &G,
        state: &G::State,
        decision: &Decision<'_>,
        text: Option<&mut String>,
    ) -> Option<Mistake> {
        if let Some(renew) = &self.renew {
            self.agent = renew(game);
        }
        // No game has more than a million plies.
        let (seed, index) = (self.address.0, self.address.1 << 20 | decision.ply);
        self.agent.start(game, decision.player);
        let view = view_for(&*self.agent, game, state, decision.player);
        self.agent.choose(view, &mut rng::stream(seed, index, Purpose::Analysis));
        self.searched += self.agent.tally();
        let report = self.agent.report(game)?;
        let opinion = Opinion { game: self.game, decision: *decision, report, best: self.best };
        match text {
            Some(text) => {
                let _ = opinion.write(text);
            }
            None => self.documents += &document(&opinion.to_json()),
        }
        opinion.mistake()
    }

    /// Returns the search counts so far.
    pub(super) const fn searched(&self) -> SearchTally {
        self.searched
    }

    /// Takes the documents written since the last call, one for each decision without text.
    pub(super) fn take_documents(&mut self) -> String {
        std::mem::take(&mut self.documents)
    }
}

/// The evaluation of a decision by a search.
struct Opinion<'a> {
    game: u64,
    decision: Decision<'a>,
    report: SearchReport,
    best: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    game: u64,
    ply: u64,
    player: usize,
    played: &'a str,
    place: Option<usize>,
    iterations: u64,
    depth: f64,
    deepest: u32,
    nodes: usize,
    /// True if the search reached its node limit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    limited: bool,
    options: Vec<OptionLine<'a>>,
    line: &'a [String],
}

#[derive(Serialize)]
struct OptionLine<'a> {
    option: &'a str,
    action: &'a str,
    visits: u64,
    share: f64,
    value: f64,
    values: &'a [f64],
    prior: f64,
    proven: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
}

impl Opinion<'_> {
    fn own_value(&self, option: &SearchedOption) -> f64 {
        option.values.get(self.decision.player.idx()).copied().unwrap_or_default()
    }

    fn visits(&self) -> u64 {
        self.report.options.iter().map(|option| option.visits).sum::<u64>().max(1)
    }

    fn share(&self, option: &SearchedOption) -> f64 {
        option.visits as f64 / self.visits() as f64
    }

    /// Returns the place of the most visited option that begins with the played action.
    fn place(&self) -> Option<usize> {
        self.report.options.iter().position(|option| option.action == self.decision.played)
    }

    fn line<'a>(&self, option: &'a SearchedOption) -> OptionLine<'a> {
        OptionLine {
            option: &option.text,
            action: &option.action,
            visits: option.visits,
            share: self.share(option),
            value: self.own_value(option),
            values: &option.values,
            prior: option.prior,
            proven: option.is_proven,
            probability: option.probability,
        }
    }

    fn to_json(&self) -> Document<'_> {
        Document {
            game: self.game,
            ply: self.decision.ply,
            player: self.decision.player.idx(),
            played: self.decision.played,
            place: self.place().map(|place| place + 1),
            iterations: self.report.iterations,
            depth: self.report.depth,
            deepest: self.report.deepest,
            nodes: self.report.nodes,
            limited: self.report.is_limited,
            options: self
                .report
                .options
                .iter()
                .take(self.best)
                .map(|option| self.line(option))
                .collect(),
            line: &self.report.line,
        }
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let report = &self.report;
        writeln!(
            out,
            "        ~ {}, depth {:.1}, at most {}; {}{}",
            units::counted(report.iterations, "iteration"),
            report.depth,
            report.deepest,
            units::counted(report.nodes as u64, "node"),
            if report.is_limited { ", the limit" } else { "" },
        )?;
        let is_mixed = report.options.iter().any(|option| option.probability.is_some());
        let played = if is_mixed { " played" } else { "" };
        let all = "values of all";
        let width = (6 * report.options.first().map_or(0, |o| o.values.len())).max(all.len() + 1);
        writeln!(out, "        ~  visits{played}  value  {all:width$} option")?;
        let place = self.place();
        for (i, option) in report.options.iter().enumerate().take(self.best) {
            self.write_option(out, option, width, place == Some(i))?;
        }
        match report.options.len().saturating_sub(self.best) {
            0 => {}
            more => writeln!(out, "        ~ and {}", units::counted(more as u64, "option"))?,
        }
        self.write_line(out)?;
        writeln!(out, "        ~ played: {}", self.verdict())
    }

    /// Writes the principal line, wrapped.
    fn write_line(&self, out: &mut String) -> fmt::Result {
        let mut text = "        ~ line: ".to_owned();
        for (i, step) in self.report.line.iter().enumerate() {
            if i > 0 {
                text += " /";
                if text.chars().count() + step.chars().count() > WIDTH {
                    writeln!(out, "{text}")?;
                    text = "        ~      ".to_owned();
                }
                text.push(' ');
            }
            text += step;
        }
        writeln!(out, "{text}")
    }

    fn write_option(
        &self,
        out: &mut String,
        option: &SearchedOption,
        width: usize,
        is_played: bool,
    ) -> fmt::Result {
        let share = 100.0 * self.share(option);
        let probability = option.probability;
        let probability = probability.map_or_else(String::new, |p| format!("  {}", value_text(p)));
        let value = value_text(self.own_value(option));
        let values: Vec<String> = option.values.iter().map(|&value| value_text(value)).collect();
        let values = values.join(" ");
        let mark = if is_played { ">" } else { "~" };
        let proven = if option.is_proven { " (proven)" } else { "" };
        let text = &option.text;
        writeln!(
            out,
            "        {mark} {share:5.1} %{probability}  {value}  {values:width$} {text}{proven}"
        )
    }

    /// Returns what the played action cost against the most visited option; `None` if it is that option, was not searched,
    /// or has no lower value.
    fn mistake(&self) -> Option<Mistake> {
        let place = self.place().filter(|place| *place > 0)?;
        let (best, played) = (&self.report.options[0], &self.report.options[place]);
        let cost = self.own_value(best) - self.own_value(played);
        (played.visits > 0 && cost > 0.0).then(|| Mistake {
            frame: 0,
            seat: self.decision.player.idx(),
            cost,
            chosen: played.text.clone(),
            better: best.text.clone(),
        })
    }

    /// Returns the text on the place of the played action.
    fn verdict(&self) -> String {
        let Some(place) = self.place() else {
            return "not among the options that were searched".to_owned();
        };
        let (best, played) = (&self.report.options[0], &self.report.options[place]);
        let share = 100.0 * self.share(played);
        let value = value_text(self.own_value(played));
        let begins = if played.action == played.text { "" } else { "it begins the " };
        let nth = units::ordinal(place + 1);
        let of = self.report.options.len();
        let text = format!("{begins}{nth} of {of}, {share:.1} % of visits, value {value}");
        match place {
            0 => text,
            _ => format!("{text} against {}", value_text(self.own_value(best))),
        }
    }
}

/// Returns a value or a probability as text.
fn value_text(x: impl Into<f64>) -> String {
    units::fixed(x.into(), 3)
}
