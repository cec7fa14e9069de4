//! A study of a game's arc: a model is fitted, held-out games are watched and told of.

use agents::{AgentSpec, Playable};
use engine::{Game, Player};

use super::choices::{Findings, Sampler};
use super::figures::{self, Lead, Stage};
use super::mix::{Coverage, Mix};
use super::skill::{self, Step};
use super::streams::{self, Stream};
use crate::error::Error;
use crate::stats::calibration::Figure;
use crate::stats::clustered::Ratio;
use crate::watched::{self, Deal, Seats, Witness, seed_of_part};
use crate::win_model::fit::fit;
use crate::win_model::looks::{Trace, Tracer};
use crate::win_model::surrogate::{Fortune, Saving, saving};
use crate::win_model::{Audit, Subject, WinModel};

/// Parts of a study, which share no games.
const FIT: u64 = 1;
const HELD_OUT: u64 = 2;
const TRIALS: u64 = 3;
const LUCK: u64 = 4;
const SKILL: u64 = 5;

/// What is asked for, checked.
#[derive(Clone, Debug)]
pub struct Study {
    /// Of whom and what.
    pub subject: Subject,
    /// The agent in all seats.
    pub spec: AgentSpec,
    /// The seed.
    pub seed: u64,
    /// Games that a model is fitted to.
    pub fitted: u64,
    /// Held-out games, which are told of.
    pub games: u64,
    /// Deals that are dealt anew; 0 for none.
    pub deals: u64,
    /// The rungs of the ladder, the weakest first; fewer than two for none.
    pub rungs: Vec<AgentSpec>,
    /// Blocks of each step of it.
    pub steps: u64,
}

/// A figure by its name.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// What it is.
    pub name: String,
    /// What was found.
    pub figure: Figure,
}

impl Line {
    /// A figure by its name.
    #[must_use]
    pub fn new(name: &str, figure: Figure) -> Self {
        Self { name: name.to_owned(), figure }
    }
}

/// A model, and what is to be thought of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The model.
    pub model: WinModel,
    /// What held-out games say of it.
    pub audit: Audit,
    /// What it saves as a control variate; nothing where chance does nothing.
    pub saving: Option<Saving>,
}

/// What was found out about a game.
#[derive(Clone, Debug)]
pub struct Report {
    /// The model that it rests on.
    pub judged: Judged,
    /// Length and choices, which rest on no model.
    pub plain: Vec<Line>,
    /// The arc, the choices that matter and kingmaking, or why they are not told.
    pub arc: Result<Vec<Line>, String>,
    /// The arc by stage; empty where it is not told.
    pub stages: Vec<Stage>,
    /// Wins by lead in score.
    pub leads: Vec<Lead>,
    /// Kinds of action.
    pub coverage: Coverage,
    /// Luck by stream; `None` where it was not asked for, or results are always the same.
    pub luck: Option<Vec<Stream>>,
    /// Skill.
    pub ladder: Vec<Step>,
}

impl Study {
    /// The model of the study: fitted, unless there is one.
    ///
    /// # Errors
    /// If an agent fails.
    pub fn model<G: Playable>(&self, game: &G, model: Option<WinModel>) -> Result<WinModel, Error> {
        match model {
            Some(model) => Ok(model),
            None => {
                let seed = seed_of_part(self.seed, FIT);
                fit(game, &self.spec, self.subject.clone(), seed, self.fitted)
            }
        }
    }

    /// The model and what held-out games say of it.
    ///
    /// # Errors
    /// If an agent fails.
    pub fn judge<G: Playable>(&self, game: &G, model: WinModel) -> Result<Judged, Error> {
        let seed = seed_of_part(self.seed, HELD_OUT);
        let played = watched::blocks(game, &self.specs(game), self.games, |seats, index| {
            let mut watch = (Tracer::new(&model), Fortune::new(&model, seed, index));
            watch.0.trace.points =
                seats.play(Deal::game(seed, index), &mut watch)?.first(game.n_players()).to_vec();
            Ok((watch.0.trace, watch.1.sum))
        })?;
        let (traces, fortunes): (Vec<Trace>, Vec<Vec<f64>>) = played.into_iter().unzip();
        Ok(judged(model, &traces, &fortunes))
    }

    fn specs<G: Game>(&self, game: &G) -> Vec<AgentSpec> {
        vec![self.spec.clone(); game.n_players()]
    }

    /// The whole study; `model` is one that was fitted before.
    ///
    /// # Errors
    /// If an agent fails.
    pub fn run<G: Playable>(&self, game: &G, model: Option<WinModel>) -> Result<Report, Error> {
        let model = self.model(game, model)?;
        let seed = seed_of_part(self.seed, HELD_OUT);
        let watched = watched::blocks(game, &self.specs(game), self.games, |seats, index| {
            self.watch(game, &model, seats, [seed, index])
        })?;
        let luck = match self.deals {
            0 => None,
            deals => streams::luck(game, &self.spec, seed_of_part(self.seed, LUCK), deals)?,
        };
        let ladder = skill::ladder(game, &self.rungs, seed_of_part(self.seed, SKILL), self.steps)?;
        Ok(told(game, model, watched, (luck, ladder)))
    }

    fn watch<G: Playable>(
        &self,
        game: &G,
        model: &WinModel,
        seats: &mut Seats<'_, G>,
        [seed, index]: [u64; 2],
    ) -> Result<Watched<G::Action>, Error> {
        let trials = seed_of_part(self.seed, TRIALS);
        let mut watch = Watch {
            tracer: Tracer::new(model),
            fortune: Fortune::new(model, seed, index),
            sampler: Sampler::new(model, trials, index),
            mix: Mix::default(),
        };
        let points = seats.play(Deal::game(seed, index), &mut watch)?;
        let Watch { tracer, fortune, mut sampler, mix } = watch;
        let mut trace = tracer.trace;
        trace.points = points.first(game.n_players()).to_vec();
        let findings = sampler.examine(game, seats, trials, index)?;
        Ok(Watched { trace, fortune: fortune.sum, findings, mix })
    }
}

/// What was seen of a game.
struct Watched<A> {
    trace: Trace,
    fortune: Vec<f64>,
    findings: Findings,
    mix: Mix<A>,
}

/// All who watch a game.
struct Watch<'a, G: Game> {
    tracer: Tracer<'a>,
    fortune: Fortune<'a>,
    sampler: Sampler<'a, G::State>,
    mix: Mix<G::Action>,
}

impl<G: Playable> Witness<G> for Watch<'_, G> {
    fn chosen(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        action: G::Action,
        plies: u32,
    ) {
        self.sampler.chosen(game, state, player, action, plies);
        self.mix.chosen(game, state, player, action, plies);
    }

    fn chance(&mut self, game: &G, state: &G::State, outcome: G::Action, plies: u32) {
        self.fortune.chance(game, state, outcome, plies);
    }

    fn at(&mut self, game: &G, state: &G::State, plies: u32) {
        self.tracer.at(game, state, plies);
    }
}

impl<G: Playable> Witness<G> for (Tracer<'_>, Fortune<'_>) {
    fn chance(&mut self, game: &G, state: &G::State, outcome: G::Action, plies: u32) {
        self.1.chance(game, state, outcome, plies);
    }

    fn at(&mut self, game: &G, state: &G::State, plies: u32) {
        self.0.at(game, state, plies);
    }
}

fn judged(model: WinModel, traces: &[Trace], fortunes: &[Vec<f64>]) -> Judged {
    let audit = model.audit(traces);
    let points: Vec<Vec<f64>> = traces.iter().map(|trace| trace.points.clone()).collect();
    let saving = saving(fortunes, &points).filter(|_| audit.refusal().is_none());
    Judged { model, audit, saving }
}

/// Everything that is told of the games that were watched.
fn told<G: Playable>(
    game: &G,
    model: WinModel,
    watched: Vec<Watched<G::Action>>,
    (luck, ladder): (Option<Vec<Stream>>, Vec<Step>),
) -> Report {
    let (mut traces, mut fortunes, mut findings) = (Vec::new(), Vec::new(), Vec::new());
    let mut all = Mix::default();
    let mut options = Ratio::default();
    for (index, one) in (0..).zip(watched) {
        let [decisions, offered] = one.mix.counts();
        options.add(index, offered as f64, decisions as f64);
        all.merge(one.mix);
        traces.push(one.trace);
        fortunes.push(one.fortune);
        findings.push(one.findings);
    }
    let judged = judged(model, &traces, &fortunes);
    let stages = judged.model.clock.n_stages();
    let arc = match judged.audit.arc_refusal() {
        Some(why) => Err(why),
        None => Ok(figures::of(&traces).into_iter().chain(of_choices(&findings)).collect()),
    };
    Report {
        plain: plain(&traces, &options),
        stages: if arc.is_ok() { figures::by_stage(&traces, stages) } else { Vec::new() },
        leads: figures::leads(&traces, stages),
        coverage: Coverage::of(game, &all),
        judged,
        arc,
        luck,
        ladder,
    }
}

fn plain(traces: &[Trace], options: &Ratio) -> Vec<Line> {
    let mean = |name: &str, of: &dyn Fn(&Trace) -> usize| {
        let ratio = Ratio::of_means(traces.iter().map(|trace| of(trace) as f64));
        Figure::of(&ratio).map(|figure| Line::new(name, figure))
    };
    [
        mean("choices", &|trace| trace.plies as usize),
        mean("rounds", &|trace| trace.rounds.len()),
        mean("turns", &|trace| trace.turns.len()),
        Figure::of(options).map(|figure| Line::new("options of a choice", figure)),
        figures::score_lead(traces),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Choices that matter, and kingmaking.
fn of_choices(findings: &[Findings]) -> Vec<Line> {
    let (mut matter, mut spread) = (Ratio::default(), Ratio::default());
    let (mut hopeless, mut king) = (Ratio::default(), Ratio::default());
    for (game, found) in (0..).zip(findings) {
        // A game's decision stands for all of them.
        let decisions = f64::from(found.decisions[0]);
        if let Some(any) = found.any {
            matter.add(game, decisions * f64::from(u8::from(any.matters)), decisions);
            spread.add(game, decisions * any.spread, decisions);
        }
        hopeless.add(game, f64::from(found.decisions[1]), decisions);
        if let Some(one) = found.hopeless {
            king.add(
                game,
                f64::from(found.decisions[1]) * one.kingmaking,
                f64::from(found.decisions[1]),
            );
        }
    }
    let share = |name: &str, ratio: &Ratio| Figure::of_share(ratio).map(|f| Line::new(name, f));
    [
        share("choices that matter", &matter),
        Figure::of(&spread).map(|figure| Line::new("best less worst option", figure)),
        share("choices without hope", &hopeless),
        share("kingmaking index", &king),
    ]
    .into_iter()
    .flatten()
    .collect()
}
