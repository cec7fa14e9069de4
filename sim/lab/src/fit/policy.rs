//! The policy head of a net, fitted to what searches make of the options of decisions.
//!
//! Decisions are drawn from games and searched anew, from the view of their seat, as for [`super::priors`]. The head
//! learns to correct the guide's logits, so that their softmax at the search's temperature predicts the targets. The net
//! below it stays as it is. The reported losses are those of the head in integers, as it is written to the file.

use agents::fitting::{Considered, option_inputs, prior_logits};
use agents::guide::Prior;
use agents::mcts::Config;
use agents::net::learning::{Decision, Learner, PolicyShard, PolicyWeights};
use agents::net::{Inputs, Layout, Net, NetInputs, PolicyProvenance};
use agents::side_by_side::side_by_side;
use agents::{AgentSpec, Observable, OfGame, Playable};
use engine::{Player, Purpose, Rules, View, rng};
use serde_json::json;

use super::command::{Common, FitSetup, Request, Surroundings, sections_of};
use super::learning::{Dealt, HeldOut, Learning, Learnt, Pass, Places, learn, parts_of};
use super::net_command::games_that;
use super::positions::{Position, Which};
use super::priors::{DICE, STRETCH, Target, search};
use super::weights::cross_entropy;
use sim::catalogue::{Setup, WithGame, with_game};
use sim::error::Error;
use sim::observed_play::seed_of_part;
use sim::stats::conditional_logit::softmax;

/// A fitted policy head.
#[derive(Debug)]
pub struct OfPolicy {
    /// The results common to all fits.
    pub common: Common,
    /// The result of the fit.
    pub outcome: Outcome,
    /// The text of the file: the net with the head.
    pub text: String,
}

/// The result of a policy head's fit.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its passes.
    pub passes: Vec<Pass>,
    /// The chosen pass, from 1.
    pub taken: usize,
    /// The number of decisions that the head learnt from.
    pub learnt: usize,
    /// The number of weights of the head.
    pub weights: usize,
    /// The held-out decisions: cross entropies of even priors, of the targets themselves, of today's priors, and of
    /// those with the head.
    pub held_out: Vec<HeldOut>,
    /// The number of decisions without result: no option in common with the search, or only one.
    pub skipped: u64,
}

impl Outcome {
    /// The index of the losses by today's priors.
    pub const TODAY: usize = 2;
    /// The index of those with the head.
    pub const HEAD: usize = 3;

    fn mean(&self, by: usize) -> f64 {
        let sum: f64 = self.held_out.iter().map(|one| one.losses[by]).sum();
        sum / self.held_out.len().max(1) as f64
    }
}

/// The search that a policy head is fitted to.
#[derive(Clone, Copy, Debug)]
pub struct WantedPolicy<'a> {
    /// The search, with the net that gets the head.
    pub search: &'a str,
    /// The targets.
    pub target: Target,
}

/// Fits a policy head to the searches of decisions; the folds of `request` are the parts.
///
/// # Errors
/// If the game or an agent cannot be built, the game counts no inputs of options, the search has no net, games or records
/// fail, or learning diverges.
pub fn fit_policy(
    setup: &Setup,
    request: &Request,
    wanted: WantedPolicy<'_>,
    learning: Learning,
    desk: &dyn Surroundings,
) -> Result<OfPolicy, Error> {
    with_game(setup, PolicyTask { request, wanted, learning, desk })?
}

/// A decision in training, with the cross entropies that do not depend on the head.
#[derive(Clone, Debug)]
struct Case {
    decision: Decision,
    /// The cross entropy of today's priors.
    today: f64,
}

/// The parts of a search that its decisions are looked at with.
struct Looking<'a, G: Playable> {
    game: &'a G,
    spec: &'a AgentSpec,
    target: Target,
    config: Config,
    seed: u64,
    net: Net,
    inputs: Box<dyn NetInputs<G>>,
}

/// The guide of the search as it is, and without a policy head.
type Guides<G> = [<G as Playable>::Guide; 2];

impl<G: Playable> Looking<'_, G> {
    /// Returns the guides of the search.
    fn guides(&self) -> Result<Guides<G>, Error> {
        let today = self.game.guide(self.spec.settings()).map_err(Error::Usage)?;
        let mut plain = today.clone();
        plain.leave_out_policy();
        Ok([today, plain])
    }

    /// Returns the cases of decisions; `None` for one without result.
    fn cases(&self, all: &[Position<G::State>]) -> Result<Vec<Option<Case>>, Error> {
        let stretch = |first: usize| -> Result<Vec<Option<Case>>, Error> {
            let mut agent = self.target.searcher(self.game, self.spec)?;
            let mut guides = self.guides()?;
            let end = (first + STRETCH).min(all.len());
            let one = |place: usize| {
                let state = &all[place].state;
                let found = search(self.game, &mut *agent, &all[place], self.seed, place)?;
                let Some((mover, report)) = found else { return Ok(None) };
                let mut rng =
                    rng::stream(seed_of_part(self.seed, DICE), place as u64, Purpose::Analysis);
                let world = View::new(self.game, state, mover).determinization(&mut rng);
                let dice = rng::fast(&mut rng);
                let (options, logits) =
                    prior_logits(self.game, &mut guides, &self.config, &world, mover, &dice);
                let shares = self.target.of(&options, &report, mover);
                Ok(shares.and_then(|shares| {
                    self.case(
                        &mut guides[1],
                        Seen { world: &world, mover, logits: &logits },
                        &shares,
                    )
                }))
            };
            (first..end).map(one).collect()
        };
        let starts: Vec<usize> = (0..all.len()).step_by(STRETCH).collect();
        let found = side_by_side(starts.len(), &|i| stretch(starts[i]));
        let mut cases = Vec::new();
        for stretch in found {
            cases.extend(stretch?);
        }
        Ok(cases)
    }

    /// Returns the case of a decision with these targets; `None` after the end of the game.
    fn case(&self, plain: &mut G::Guide, seen: Seen<'_, G::State>, shares: &[f64]) -> Option<Case> {
        let Seen { world, mover, logits } = seen;
        let [today, guide] = [0, 1].map(|i| &logits[i][..]);
        let mut inputs = Inputs::default();
        if !self.inputs.count(self.game, world, &mut inputs) {
            return None;
        }
        let considered = Considered { world, mover, logits: guide, inputs: &inputs };
        let options = option_inputs(self.game, plain, &self.config, considered);
        let today = cross_entropy(&chances(today, self.config.temperature), shares);
        let decision = Decision {
            hidden: self.net.hidden(&inputs, mover),
            options,
            guide: guide.to_vec(),
            shares: shares.iter().map(|share| *share as f32).collect(),
        };
        Some(Case { decision, today })
    }
}

/// A decision in a world, with the logits of its options by guide.
#[derive(Clone, Copy)]
struct Seen<'a, S> {
    world: &'a S,
    mover: Player,
    logits: &'a [Vec<f32>],
}

/// Returns the priors of logits.
fn chances(logits: &[f32], temperature: f32) -> Vec<f64> {
    let mut chances: Vec<f64> = logits.iter().map(|logit| f64::from(logit / temperature)).collect();
    softmax(&mut chances);
    chances
}

/// Learns a head from cases, and judges it on the games that are held out.
fn fit(
    layout: &Layout,
    net: &Net,
    cases: &[Position<Case>],
    places: Places<'_>,
    how: How,
) -> Result<(Net, Outcome), Error> {
    let Places { parts, sections } = places;
    let decisions: Vec<&Decision> = cases.iter().map(|case| &case.state.decision).collect();
    let dealt = Dealt::of(&decisions, parts)?;
    let first = PolicyWeights::first(layout, how.learning.method.seed);
    let n_weights = first.len();
    let learner =
        Learner::new(PolicyShard::new(layout, how.temperature), how.learning.method, first);
    let Learnt { weights, passes, taken } = learn(learner, how.learning.method.passes, &dealt)?;
    let net = net.clone().with_policy(&weights, layout);
    let held_out = dealt.reported.iter().map(|&i| {
        let Case { decision, today } = &cases[i].state;
        let shares: Vec<f64> = decision.shares.iter().map(|share| f64::from(*share)).collect();
        let mut logits = decision.guide.clone();
        net.correct_by(&decision.hidden, &decision.options, &mut logits);
        let even = vec![1.0 / shares.len() as f64; shares.len()];
        let losses = vec![
            cross_entropy(&even, &shares),
            cross_entropy(&shares, &shares),
            *today,
            cross_entropy(&chances(&logits, how.temperature), &shares),
        ];
        HeldOut { cluster: cases[i].cluster, section: sections[i], losses }
    });
    let held_out = held_out.collect();
    let learnt = dealt.learning.len();
    Ok((net, Outcome { passes, taken, learnt, weights: n_weights, held_out, skipped: 0 }))
}

/// The settings of a head's fit.
#[derive(Clone, Copy)]
struct How {
    learning: Learning,
    temperature: f32,
}

struct PolicyTask<'a> {
    request: &'a Request,
    wanted: WantedPolicy<'a>,
    learning: Learning,
    desk: &'a dyn Surroundings,
}

/// Refuses a search without a net.
fn no_net(search: &AgentSpec) -> Error {
    let message = "it has no net that could get a policy head: name one by value=FILE (`fit net` makes them), or net=on";
    Error::value("search", search.to_string(), message)
}

impl WithGame for PolicyTask<'_> {
    type Output = Result<OfPolicy, Error>;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Self::Output {
        let Self { request, wanted, learning, desk } = self;
        let search = desk.spec("search", wanted.search)?;
        search.build(&game)?;
        let inputs = game.net_inputs(search.settings()).map_err(Error::Usage)?;
        let inputs = inputs.filter(|inputs| !inputs.layout().options.is_empty());
        let inputs = inputs.ok_or_else(|| no_options(G::about().name))?;
        let text = game.net_file(search.settings()).map_err(Error::Usage)?;
        let net = game.net(search.settings()).map_err(Error::Usage)?;
        let (text, net) = text.zip(net).ok_or_else(|| no_net(&search))?;
        let config =
            search.config(Some(&OfGame::at_table_of(&game))).ok_or_else(|| no_net(&search))?;
        let (layout, temperature) = (inputs.layout(), config.temperature);
        let collected =
            request.collect_and_keep(&game, rules, Which::MacroDecisions, desk, &Some)?;
        let sections = sections_of(&collected);
        let looking = Looking {
            game: &game,
            spec: &search,
            target: wanted.target,
            config,
            seed: request.seed,
            net,
            inputs,
        };
        let found = looking.cases(&collected.positions)?;
        let n_positions = found.len();
        let cases: Vec<Position<Case>> = collected
            .positions
            .iter()
            .zip(found)
            .filter_map(|(position, case)| {
                let Position { cluster, progress, .. } = *position;
                case.map(|state| Position { cluster, state, progress, points: Vec::new() })
            })
            .collect();
        let places: Vec<usize> = cases.iter().map(|one| sections.at(one.progress)).collect();
        let parts = parts_of(&cases, learning.parts);
        let places = Places { parts: &parts, sections: &places };
        let (net, outcome) =
            fit(&layout, &looking.net, &cases, places, How { learning, temperature })?;
        let outcome = Outcome { skipped: (n_positions - cases.len()) as u64, ..outcome };
        let mut more = wanted.target.options();
        more.insert("search".to_owned(), json!(search.to_string()));
        more.extend(learning.options());
        let origin = desk.origin(FitSetup::of(&game), &collected.source, "policy", more);
        let made = PolicyProvenance {
            command: origin.command.clone(),
            source: origin.source.clone(),
            seed: learning.method.seed,
            games: collected.games,
            decisions: outcome.learnt as u64,
            loss: outcome.mean(Outcome::HEAD),
            guide_loss: outcome.mean(Outcome::TODAY),
        };
        let text = net.with_policy_in(text, &layout, &made);
        Ok(OfPolicy { common: Common::of(&collected, origin, sections, rules), outcome, text })
    }
}

/// Refuses a game whose options have no inputs; the message names the games that count them.
fn no_options(game: &str) -> Error {
    games_that(game, "it counts no inputs of options", &|layout| !layout.options.is_empty())
}
