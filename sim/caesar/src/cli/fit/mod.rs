//! `caesar fit`: fits the parameters of agents to games.

mod common;
mod iterate;
mod journal;
mod net;
mod outlet;
mod policy;
mod priors;
mod source;
mod targets;
mod training;
mod value;
mod weights;

use clap::{Args, Subcommand};

use super::Ending;
use sim::error::Error;

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Fit the value function of a search: the seats' chances by counted features
    #[command(after_help = value::AFTER_HELP)]
    Value(value::Options),
    /// Fit a net that corrects the value function of a search
    #[command(after_help = net::AFTER_HELP)]
    Net(net::Options),
    /// Fit a policy head to a net: priors of the options, as searches judge them
    // A decision has a softmax over some thirty options, and a fit fewer decisions than positions: smaller batches.
    #[command(
        after_help = policy::AFTER_HELP,
        mut_arg("passes", |arg| arg.default_value("8")),
        mut_arg("batch", |arg| arg.default_value("64")),
        mut_arg("rate", |arg| arg.default_value("0.01"))
    )]
    Policy(policy::Options),
    /// Fit the weights of an evaluation to the winners of games
    #[command(after_help = weights::AFTER_HELP)]
    Weights(weights::Options),
    /// Fit the priors of a search to its visits
    #[command(after_help = priors::AFTER_HELP)]
    Priors(priors::Options),
    /// Play, fit and play again, and keep each agent that wins (expert iteration)
    #[command(after_help = iterate::AFTER_HELP)]
    Iterate(iterate::Options),
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    match &options.what {
        What::Value(options) => value::run(options),
        What::Net(options) => net::run(options),
        What::Policy(options) => policy::run(options),
        What::Weights(options) => weights::run(options),
        What::Priors(options) => priors::run(options),
        What::Iterate(options) => iterate::run(options),
    }
}
