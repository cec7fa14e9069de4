//! Fits of a search's priors, to the visits of a search or to option values from searches that visit every option
//! equally often.
//!
//! **Model.** The prior of an option is the softmax of its logit over the temperature of the search. Logits come from
//! the guide of the game, whose weights can be fitted together with the temperature. By default these are the weights
//! whose names begin with `prior_`: only priors use them, while all others also belong to the evaluation.
//!
//! **Data.** Decisions are drawn from games. Each is searched anew, from the view of its seat and by a search without
//! memory. Targets are shares of visits, so the smallest possible cross entropy is their own entropy. A search that
//! follows its priors hardly visits buried options. The alternative visits all options equally often; the targets are
//! then the softmax of the mover's values over a spread ([`Target::Values`]). The first choices by the fitted and the
//! current weights are compared by values from games outside the fit.

use agents::agent::{RootVisits, SearchReport};
use agents::fitting::{offers_macros, prior_logits};
use agents::leaks::decide;
use agents::mcts::Config;
use agents::playable::decider;
use agents::side_by_side::side_by_side;
use agents::{Agent, AgentSpec, Fault, OfGame, Playable, Weighted};
use engine::{Player, Purpose, View, rng};
use serde_json::{Map, Value as Json, json};

use super::Fitted;
use super::folds::{CrossValidation, validate};
use super::positions::{Collected, Position, Sectioned};
use super::settle::Tale;
use super::texel::{Case, Frame, Point, Texel};
use super::weights::{HeldOut, Subject, cross_entropy, held_out, settled};
use sim::error::Error;
use sim::observed_play::seed_of_part;
use sim::stats::conditional_logit::softmax;

/// The parts of a run's seed for searching decisions, and for the dice that priors see.
const SEARCHES: u64 = 5;
pub(super) const DICE: u64 = 6;
/// The number of consecutive decisions that one agent searches.
pub(super) const STRETCH: usize = 8;
/// The smallest difference of two logits that counts.
const FLAT: f64 = 1e-9;
/// The first letters of weights that only priors use.
const OF_PRIORS: &str = "prior_";

/// The target of a fit of priors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Target {
    /// The shares of a search's visits.
    Visits,
    /// The mover's option values from a search that visits all options equally often: a softmax over a spread, in
    /// points of the game.
    Values {
        /// The difference in value that makes an option e times as likely.
        spread: f64,
    },
}

impl Target {
    /// Returns the target as options of the command; none for the default.
    pub(super) fn options(self) -> Map<String, Json> {
        match self {
            Self::Visits => Map::new(),
            Self::Values { spread } => Map::from_iter([
                ("to".to_owned(), json!("values")),
                ("spread".to_owned(), json!(spread)),
            ]),
        }
    }

    /// Returns an agent whose searches give the targets.
    pub(super) fn searcher<G: Playable>(
        self,
        game: &G,
        spec: &AgentSpec,
    ) -> Result<Box<dyn Agent<G>>, Error> {
        let mut agent = spec.build(game)?;
        if self != Self::Visits && !agent.visit_root(RootVisits::Equal) {
            let message = "it cannot visit all options equally often: name one that can, as mcts";
            return Err(Error::value("search", spec.to_string(), message));
        }
        Ok(agent)
    }

    /// Returns the targets of `options` by a search of `mover`; `None` if the search had other options, or only one.
    pub(super) fn of(
        self,
        options: &[String],
        report: &SearchReport,
        mover: Player,
    ) -> Option<Vec<f64>> {
        match self {
            Self::Visits => shares(options, report),
            Self::Values { spread } => worth(options, report, mover, spread),
        }
    }
}

/// The target of a fit, and the decisions that it uses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PriorOptions {
    /// The target of the fit.
    pub target: Target,
    /// True if only decisions among macro-actions count.
    pub only_macro: bool,
}

impl PriorOptions {
    /// Visits as the target, over all decisions.
    pub const VISITS: Self = Self { target: Target::Visits, only_macro: false };
}

/// The searches that priors are fitted to.
#[derive(Clone, Copy, Debug)]
pub struct Searches<'a> {
    /// The agent.
    pub spec: &'a AgentSpec,
    /// The seed of their random numbers.
    pub seed: u64,
    /// The target, and the decisions that count.
    pub prior_options: PriorOptions,
}

/// The losses of the priors' first choices, by the values that the priors are fitted to.
#[derive(Clone, PartialEq, Debug)]
pub struct FirstChoices {
    /// The value of the best option less that of the current priors' first choice, by decision. The maximum of noisy
    /// values is too high, so only differences between two such losses are meaningful.
    pub today: Vec<f64>,
    /// The loss of fitted weights that have not seen the game.
    pub fitted: Vec<f64>,
}

/// A decision with the targets of its options.
#[derive(Clone, PartialEq, Debug)]
pub struct Searched {
    /// The index of its position.
    place: usize,
    player: Player,
    /// Its options, in the order of the game.
    options: Vec<String>,
    /// Targets by option.
    shares: Vec<f64>,
}

/// The result of a fit of priors.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The cross entropy on held-out games; `today` uses the temperature of the search.
    pub held_out: HeldOut,
    /// The temperature, then the weights.
    pub fitted: Vec<Fitted>,
    /// The smallest possible loss: the entropy of the targets, by decision.
    pub entropy: Vec<f64>,
    /// The losses of first choices, if priors are fitted to values.
    pub choices: Option<FirstChoices>,
    /// The number of decisions that were searched.
    pub decisions: u64,
    /// The number of decisions without result: no option in common with the search, or only one.
    pub skipped: u64,
    /// The weights as a file; `None` if none was fitted.
    pub file: Option<String>,
}

/// Returns the weights that a fit of priors uses by default.
#[must_use]
pub fn own_weights<G: Weighted>() -> Vec<String> {
    let own = G::weights().params.iter().filter(|weight| weight.name.starts_with(OF_PRIORS));
    own.map(|weight| weight.name.to_owned()).collect()
}

/// Searches the decision of `position`; `None` if there is none.
pub(super) fn search<G: Playable>(
    game: &G,
    agent: &mut dyn Agent<G>,
    position: &Position<G::State>,
    seed: u64,
    place: usize,
) -> Result<Option<(Player, SearchReport)>, Error> {
    let Some(player) = decider(game, &position.state) else { return Ok(None) };
    let mut rng = rng::stream(seed_of_part(seed, SEARCHES), place as u64, Purpose::Analysis);
    let decision = decide(agent, game, &position.state, player, &mut rng).map_err(failed)?;
    Ok(decision.report.map(|report| (player, report)))
}

fn failed(fault: Fault) -> Error {
    let (Fault::Agent(reason) | Fault::Host { reason, .. }) = fault;
    Error::Failed(format!("the search failed: {reason}"))
}

/// The inputs for evaluating priors of decisions under any weights.
struct Looking<'a, G: Playable> {
    game: &'a G,
    collected: &'a Collected<G::State>,
    config: Config,
    seed: u64,
    prior_options: PriorOptions,
}

impl<G: Playable> Looking<'_, G> {
    /// Returns the options of a decision, and their logits by guide.
    fn logits(
        &self,
        guides: &mut [G::Guide],
        place: usize,
        player: Player,
    ) -> (Vec<String>, Vec<Vec<f32>>) {
        let state = &self.collected.positions[place].state;
        let mut rng = rng::stream(seed_of_part(self.seed, DICE), place as u64, Purpose::Analysis);
        let world = View::new(self.game, state, player).determinization(&mut rng);
        let dice = rng::fast(&mut rng);
        prior_logits(self.game, guides, &self.config, &world, player, &dice)
    }

    /// Returns true if the decision is among macro-actions.
    fn offers_macros(&self, guide: &mut G::Guide, position: &Position<G::State>) -> bool {
        let mover = decider(self.game, &position.state);
        mover.is_some_and(|mover| offers_macros(self.game, guide, &position.state, mover))
    }

    fn guide(&self, subject: &Subject, weights: &[f64]) -> G::Guide {
        self.game.guide(&subject.with(weights)).expect("the spec was built before")
    }

    /// Returns the decisions in `collected`, with the options' targets by `spec`, and the number of decisions that
    /// were skipped.
    fn searched(&self, spec: &AgentSpec, subject: &Subject) -> Result<(Vec<Searched>, u64), Error> {
        let places: Vec<usize> = (0..self.collected.positions.len()).collect();
        let stretch = |places: &[usize]| -> Result<Vec<Option<Searched>>, Error> {
            let mut agent = self.prior_options.target.searcher(self.game, spec)?;
            let mut guides = [self.guide(subject, &subject.today())];
            let one = |&place: &usize| {
                let position = &self.collected.positions[place];
                if self.prior_options.only_macro && !self.offers_macros(&mut guides[0], position) {
                    return Ok(None);
                }
                let found = search(self.game, &mut *agent, position, self.seed, place)?;
                let Some((player, report)) = found else { return Ok(None) };
                let (options, _) = self.logits(&mut guides, place, player);
                let shares = self.prior_options.target.of(&options, &report, player);
                Ok(shares.map(|shares| Searched { place, player, options, shares }))
            };
            places.iter().map(one).collect()
        };
        let stretches: Vec<&[usize]> = places.chunks(STRETCH).collect();
        let all = side_by_side(stretches.len(), &|i| stretch(stretches[i]));
        let mut found = Vec::new();
        for stretch in all {
            found.extend(stretch?);
        }
        let n = found.len();
        let kept: Vec<Searched> = found.into_iter().flatten().collect();
        let skipped = (n - kept.len()) as u64;
        Ok((kept, skipped))
    }

    /// Returns the logits of decisions under `weights`; empty for a decision whose options differ under them.
    fn values(&self, subject: &Subject, weights: &[f64], some: &[&Searched]) -> Vec<Vec<f64>> {
        let stretch = |some: &[&Searched]| -> Vec<Vec<f64>> {
            let mut guides = [self.guide(subject, weights)];
            let one = |searched: &&Searched| {
                let (options, logits) = self.logits(&mut guides, searched.place, searched.player);
                let is_same = options == searched.options;
                let own = logits.into_iter().next().filter(|_| is_same).unwrap_or_default();
                own.into_iter().map(f64::from).collect()
            };
            some.iter().map(one).collect()
        };
        let stretches: Vec<_> = some.chunks(STRETCH).collect();
        let all = side_by_side(stretches.len(), &|i| stretch(stretches[i]));
        all.into_iter().flatten().collect()
    }

    /// Returns the cases of decisions, with derivatives at `weights`.
    fn cases(&self, subject: &Subject, weights: &[f64], all: &[Searched]) -> Vec<Case> {
        let n = weights.len();
        let refs: Vec<&Searched> = all.iter().collect();
        let case = |(searched, mut values): (&Searched, Vec<f64>)| {
            // With other options than those searched, the priors are even.
            values.resize(searched.shares.len(), 0.0);
            let position = &self.collected.positions[searched.place];
            Case {
                cluster: position.cluster,
                slopes: vec![0.0; n * values.len()],
                values,
                targets: searched.shares.clone(),
                ..Case::default()
            }
        };
        let base = self.values(subject, weights, &refs);
        let mut cases: Vec<Case> = all.iter().zip(base).map(case).collect();
        for i in 0..n {
            let [low, high] = subject.sides(i, weights[i]);
            let at = |x: f64| {
                let mut moved = weights.to_vec();
                moved[i] = x;
                self.values(subject, &moved, &refs)
            };
            let (below, above) = (at(low), at(high));
            for (case, (below, above)) in cases.iter_mut().zip(below.iter().zip(&above)) {
                // A weight may change the set of options; such a decision has no derivative.
                if below.len() != case.values.len() || above.len() != case.values.len() {
                    continue;
                }
                for (option, (below, above)) in below.iter().zip(above).enumerate() {
                    case.slopes[option * n + i] = ((above - below) / (high - low)) as f32;
                }
            }
        }
        cases
    }
}

/// Returns the shares of visits of `options`; `None` if the search had other options, or only one.
fn shares(options: &[String], report: &SearchReport) -> Option<Vec<f64>> {
    let visits = |option: &String| {
        let found = report.options.iter().find(|searched| searched.text == *option);
        found.map_or(0, |found| found.visits)
    };
    let visits: Vec<u64> = options.iter().map(visits).collect();
    let (seen, all): (u64, u64) =
        (visits.iter().sum(), report.options.iter().map(|option| option.visits).sum());
    let is_whole = options.len() > 1 && seen > 0 && seen == all;
    is_whole.then(|| visits.iter().map(|n| *n as f64 / all as f64).collect())
}

/// Returns the softmax of the mover's values of `options`; `None` if the search had other options, only one, or did
/// not visit all.
fn worth(
    options: &[String],
    report: &SearchReport,
    mover: Player,
    spread: f64,
) -> Option<Vec<f64>> {
    let value = |option: &String| {
        let found = report.options.iter().find(|searched| searched.text == *option)?;
        (found.visits > 0).then(|| found.values[mover.idx()] / spread)
    };
    let mut values: Vec<f64> = options.iter().map(value).collect::<Option<_>>()?;
    let is_whole = options.len() > 1 && options.len() == report.options.len();
    softmax(&mut values);
    is_whole.then_some(values)
}

/// Returns the value of the best option less that of the first option by `chances`, in spreads of the `targets`.
fn forgone(chances: &[f64], targets: &[f64]) -> f64 {
    let first =
        (0..chances.len()).max_by(|a, b| chances[*a].total_cmp(&chances[*b]).then(b.cmp(a)));
    let best = targets.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    first.map_or(0.0, |first| (best / targets[first].max(f64::MIN_POSITIVE)).ln())
}

/// The data of a fit: searched decisions, and their current priors.
struct Data {
    searched: Vec<Searched>,
    skipped: u64,
    subject: Subject,
    cases: Vec<Case>,
    /// The current weights, at the temperature of the search.
    today: Point,
    frame: Frame,
}

/// Searches decisions and evaluates their priors; weights without any effect are omitted.
fn data<G: Playable>(
    looking: &Looking<'_, G>,
    spec: &AgentSpec,
    mut subject: Subject,
    folds: usize,
) -> Result<Data, Error> {
    let (searched, skipped) = looking.searched(spec, &subject)?;
    if searched.len() < 2 * folds {
        let message = format!("{} decisions are too few: take more games", searched.len());
        return Err(Error::value("search", spec.to_string(), message));
    }
    let odds = vec![1.0 / f64::from(looking.config.temperature)];
    let point = |subject: &Subject| Point { weights: subject.today(), odds: odds.clone() };
    let take = |subject: &Subject| {
        let today = point(subject);
        let cases = looking.cases(subject, &today.weights, &searched);
        let frame = Frame::new(&cases, today.clone(), false, subject.ends());
        (cases, today, frame)
    };
    let (mut cases, mut today, mut frame) = take(&subject);
    let is_flat =
        |case: &Case| case.values.iter().all(|value| (value - case.values[0]).abs() < FLAT);
    if cases.iter().all(is_flat) {
        let message = "its guide gives no priors that could be fitted";
        return Err(Error::value("game", G::about().name, message));
    }
    if !(0..subject.fitted.len()).all(|i| frame.moves(i)) {
        subject.keep(|i| frame.moves(i));
        (cases, today, frame) = take(&subject);
    }
    Ok(Data { searched, skipped, subject, cases, today, frame })
}

/// Fits the temperature of a search and the weights of `subject` to its visits at `positions`.
///
/// # Errors
/// If the search fails or has no priors, or no decision remains.
pub fn fit<G: Playable>(
    game: &G,
    searches: Searches<'_>,
    positions: Sectioned<'_, G::State>,
    subject: Subject,
    plan: CrossValidation<'_>,
    head: &[String],
) -> Result<Outcome, Error> {
    let Searches { spec, seed, prior_options } = searches;
    let Sectioned { collected, sections } = positions;
    let folds = plan.folds;
    let config = spec.config(Some(&OfGame::at_table_of(game)));
    let config = config.ok_or_else(|| {
        Error::value("search", spec.to_string(), "it does not search: name one that does, as mcts")
    })?;
    spec.build(game)?;
    let looking = Looking { game, collected, config, seed, prior_options };
    let data = data(&looking, spec, subject, folds)?;
    let Data { searched, subject, cases, frame, .. } = &data;
    let values = |weights: &[f64], places: &[usize]| {
        let some: Vec<&Searched> = places.iter().map(|&place| &searched[place]).collect();
        let mut values = looking.values(subject, weights, &some);
        // If new weights change the options, the values at the current weights replace theirs.
        for (values, &place) in values.iter_mut().zip(places) {
            if values.len() != cases[place].values.len() {
                values.clone_from(&cases[place].values);
            }
        }
        values
    };
    let texel = Texel { cases, frame, values: &values, loss: cross_entropy };
    let section = |searched: &Searched| sections.at(collected.positions[searched.place].progress);
    let in_section = searched.iter().map(section).collect();
    let mut held_out = held_out(&texel, in_section, plan);
    let places: Vec<usize> = (0..cases.len()).collect();
    held_out.today = texel.lost(&data.today, &places);
    let strength = held_out.validated.strength;
    let choices = match prior_options.target {
        Target::Visits => None,
        Target::Values { spread } => {
            let first = Texel { loss: forgone, ..texel };
            let by = |losses: Vec<f64>| losses.into_iter().map(|lost| lost * spread).collect();
            let clusters: Vec<u64> = cases.iter().map(|case| case.cluster).collect();
            let fitted = validate(&first, &clusters, folds, &[strength]).losses;
            Some(FirstChoices { today: by(first.lost(&data.today, &places)), fitted: by(fitted) })
        }
    };
    let take = |weights: &[f64]| looking.cases(subject, weights, searched);
    let settled = settled(&texel, &held_out.validated, &take);
    let weights = subject.within(&settled[0].point.weights);
    let names: Vec<&str> = subject.fitted.iter().map(|weight| weight.name).collect();
    let tale = Tale::new(&texel, &settled);
    let temperature = tale.temperature(TEMPERATURE, config.temperature.into());
    let weighed = tale.weights(&names, &weights);
    let has_weights = !subject.fitted.is_empty();
    Ok(Outcome {
        fitted: std::iter::once(temperature).chain(weighed).collect(),
        entropy: searched.iter().map(|one| cross_entropy(&one.shares, &one.shares)).collect(),
        choices,
        decisions: searched.len() as u64,
        skipped: data.skipped,
        file: has_weights.then(|| subject.file(head, &weights)),
        held_out,
    })
}

/// The search parameter that a fit of priors sets in addition to weights.
pub const TEMPERATURE: &str = "temperature";
