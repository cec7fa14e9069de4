//! Ladders: agents that differ in one number, each compared with the one before.
//!
//! The input is a [`Request`]; [`Ladder`] is its validated form. A *rung* is an agent. A *step* is the comparison of a
//! rung with the one below: the upper agent sits in every seat of a block once, against the lower one in all others,
//! like every candidate of [`compare`]. Each step has its own seed, so steps are independent. The command of a
//! comparison reproduces each step.
//!
//! **Errors.** α and β are those of a step. Consider a ladder of m independent steps, none of which gains as much as
//! h0. At most `1 − (1 − α)^m` of such ladders have a step called better (or worse, if the test is two-sided):
//! [`Ladder::family_alpha`]. p-values are reported for the step alone, and adjusted by Holm over all steps.

mod command;
pub mod test;
pub mod values;

use agents::{AgentSpec, Template};
use engine::{Purpose, Randomness, rng};

use crate::compare::{self, Comparison, Design};
use command::command;
use sim::config::DEFAULT_SEED;
use sim::document::ReadFile;
use sim::error::Error;
use sim::stats::Question;
use sim::stats::gsprt::LEAST_BLOCKS;
use values::Values;

/// The request of a ladder.
#[derive(Clone, Debug)]
pub struct Request {
    /// The request of each step, without agents and rule sets.
    pub step: compare::Request,
    /// The agent with one open number, as in `mcts(iterations=?)`.
    pub agent: String,
    /// The values of the open number.
    pub values: Values,
    /// The largest number of blocks of all steps together; by default only each step has a limit.
    pub total_blocks: Option<u64>,
}

/// An agent of a ladder.
#[derive(Clone, Debug)]
pub struct Rung {
    /// The value of the open number.
    pub value: f64,
    /// The agent.
    pub agent: AgentSpec,
}

/// A validated ladder that can be played.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// The agent with an open number.
    pub template: Template,
    /// The agents, from the lowest number up.
    pub rungs: Vec<Rung>,
    /// The comparisons of neighbours, one fewer than rungs.
    pub steps: Vec<Comparison>,
    /// The largest number of blocks of all steps together.
    pub total_blocks: Option<u64>,
    /// The seed of the ladder, from which the seeds of the steps are derived.
    pub seed: u64,
    question: Question,
    command: String,
}

impl Ladder {
    /// Validates `request`; `read` reads the files that it names.
    ///
    /// # Errors
    /// At the first invalid value.
    pub fn new(request: &Request, read: ReadFile<'_>) -> Result<Self, Error> {
        let template: Template = request.agent.parse()?;
        let rungs = rungs(&template, &request.values)?;
        check_total(request.total_blocks, rungs.len() - 1)?;
        let seed = request.step.seed.unwrap_or(DEFAULT_SEED);
        let step = |(i, pair): (usize, &[Rung])| {
            let agents = [&pair[1], &pair[0]].map(|rung| rung.agent.with_label()).to_vec();
            let seed = Some(seed_of_step(seed, i));
            Comparison::new(&compare::Request { agents, seed, ..request.step.clone() }, read)
        };
        let steps = rungs.windows(2).enumerate().map(step).collect::<Result<Vec<_>, _>>()?;
        let Design::Sequential(question) = steps[0].design else {
            let blocks = request.step.fixed.unwrap_or_default();
            let message = "the steps of a ladder end by themselves: compare two rungs for a test of fixed length";
            return Err(Error::value("fixed", blocks.to_string(), message));
        };
        let total_blocks = request.total_blocks;
        let command = command(request, &template, &rungs, &steps[0], seed);
        Ok(Self { template, rungs, steps, total_blocks, seed, question, command })
    }

    /// Returns the command that reproduces this ladder.
    #[must_use]
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Returns the hypotheses of each step.
    #[must_use]
    pub const fn question(&self) -> &Question {
        &self.question
    }

    /// Returns the number of players at a table.
    #[must_use]
    pub fn players(&self) -> usize {
        self.steps[0].plans[0].players
    }

    /// Returns an upper bound on the probability that a ladder without any gain has a step called better.
    #[must_use]
    pub fn family_alpha(&self) -> f64 {
        1.0 - (1.0 - self.question.alpha).powi(self.steps.len() as i32)
    }
}

/// Returns the seed of a step: steps share no games.
fn seed_of_step(seed: u64, step: usize) -> u64 {
    u64::from(rng::stream(seed, step as u64 + 1, Purpose::Analysis).below(u32::MAX))
}

/// Returns the agents, from the lowest number up.
fn rungs(template: &Template, values: &Values) -> Result<Vec<Rung>, Error> {
    let values = values.numbers(template.is_whole())?;
    let rung = |&value: &f64| Ok(Rung { value, agent: template.fill(value)? });
    values.iter().map(rung).collect()
}

fn check_total(total_blocks: Option<u64>, steps: usize) -> Result<(), Error> {
    let least = LEAST_BLOCKS * steps as u64;
    match total_blocks.filter(|&blocks| blocks < least) {
        None => Ok(()),
        Some(blocks) => Err(Error::value(
            "total-blocks",
            blocks.to_string(),
            format!(
                "it is out of range (accepted: at least {least}, {LEAST_BLOCKS} for each of {steps} steps, since most \
                 verdicts need so many)"
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::config::Played;

    fn request(agent: &str, values: Values) -> Request {
        let played = Played { game: Some("pig".to_owned()), players: None };
        let step = compare::Request { played, ..compare::Request::default() };
        Request { step, agent: agent.to_owned(), values, total_blocks: None }
    }

    fn ladder(agent: &str, values: Values) -> Result<Ladder, Error> {
        Ladder::new(&request(agent, values), &|_| unreachable!("no file is named"))
    }

    #[test]
    fn each_rung_meets_the_one_below_on_a_seed_of_its_own() {
        let values = Values::By { from: 50.0, factor: 2.0, rungs: 4 };
        let ladder = ladder("s=mcts(iterations=?)", values).unwrap();
        let values: Vec<f64> = ladder.rungs.iter().map(|rung| rung.value).collect();
        assert_eq!(values, [50.0, 100.0, 200.0, 400.0]);
        let names: Vec<_> = ladder.steps.iter().map(|step| step.plans[0].names()).collect();
        assert_eq!(names, [["s-100", "s-50"], ["s-200", "s-100"], ["s-400", "s-200"]]);
        let mut seeds: Vec<u64> = ladder.steps.iter().map(Comparison::seed).collect();
        seeds.push(ladder.seed);
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 4, "{seeds:?}");
        assert!((ladder.family_alpha() - (1.0 - 0.95_f64.powi(3))).abs() < 1e-12);
        assert_eq!(
            ladder.command(),
            "caesar ladder --game pig --players 2 --agent 's=mcts(iterations=?)' --values 50,100,200,400 --effect 0.05 \
             --alpha 0.05 --beta 0.05 --max-blocks 20000 --seed 1"
        );
    }

    #[test]
    fn what_cannot_be_climbed_is_refused_before_a_game() {
        let refused = |agent: &str, values: Vec<f64>| {
            ladder(agent, Values::Listed(values)).unwrap_err().to_string()
        };
        let above = refused("greedy(epsilon=?)", vec![0.5, 2.0]);
        assert!(
            above.starts_with("agent \"greedy(epsilon=2)\": epsilon = \"2\" is out of range"),
            "{above}"
        );
        let other = refused("greedy(weights.city=?)", vec![1.0, 2.0]);
        assert!(other.contains("unknown weight \"city\" of pig"), "{other}");
        let few = Request {
            total_blocks: Some(59),
            ..request("greedy(epsilon=?)", Values::Listed(vec![0.0, 0.5, 1.0]))
        };
        let few = Ladder::new(&few, &|_| unreachable!("no file is named")).unwrap_err().to_string();
        assert!(
            few.starts_with(
                "total-blocks 59: it is out of range (accepted: at least 60, 30 for each"
            ),
            "{few}"
        );
    }
}
