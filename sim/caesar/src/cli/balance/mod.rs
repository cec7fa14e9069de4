//! `caesar balance`: measures the properties of a game and the worth of its cards, places and rules.

mod changed;
mod ended;
mod foreseen;
mod joined;
mod joint;
mod run;
mod several;
mod strong;
mod variant;
mod watching;
mod way;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Ending;
use super::output::{Form, OneTable};
use super::outputs::Again;
use super::running::Threads;
use lab::balance::request::{Request, What};
use lab::dynamics::request::{self as dynamics, More, Request as Asking};
use sim::config::helped;
use sim::error::Error;
use sim::manifest::Shard;

use changed::Changes;
use several::Several;

pub(super) use joined::run as merge;
pub(super) use run::CONFIRMATION;
pub(super) use variant::{AFTER_HELP as VARIANT, Options as VariantOptions, run as variant};
pub(super) use watching::merge as merge_watched;

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(subcommand)]
    study: Study,
}

#[derive(Debug, Subcommand)]
enum Study {
    /// Estimate the value and the fair price of every card
    #[command(after_help = CARDS)]
    Cards(Common<Ranked>),
    /// Estimate the value of a token and of a city in every province
    #[command(after_help = PROVINCES, mut_args(hidden(&["bans", "market"])))]
    Provinces(Common<Ranked>),
    /// Estimate the advantage of seats, of places in the turn order and of places in the bidding
    #[command(after_help = SEATS, mut_args(hidden(&UNUSED)))]
    Seats(Common<Request>),
    /// Estimate what bids buy, and whether players overpay
    #[command(after_help = ALLIANCES, mut_args(hidden(&UNUSED)))]
    Alliances(Common<Request>),
    /// Measure what a rule change moves, beyond the difference of two runs under the same rules
    #[command(after_help = RULES)]
    Rules(Changes),
    /// Run all studies of a game into one directory
    All(Several),
    /// Measure length, lead changes, suspense, luck, skill and restrictions of a game
    #[command(after_help = GAME)]
    Game(Common<Both>),
    /// Fit a model of win probability, and validate it on held-out games
    #[command(after_help = WIN_MODEL)]
    WinModel(Common<Asking>),
}

/// Options of a request that `seats` and `alliances` do not use.
const UNUSED: [&str; 4] = ["bans", "market", "name", "sweep"];

/// Returns a change of options that leaves those of `ids` out of the help.
fn hidden(ids: &'static [&'static str]) -> impl FnMut(clap::Arg) -> clap::Arg {
    move |arg| if ids.contains(&arg.get_id().as_str()) { arg.hide(true) } else { arg }
}

/// Text under the options of `cards`.
const CARDS: &str = "\
Each card is given to each seat in turn at the start of each stage, under the seeds of games without gifts. The \
value of the card is the gain in share of the points. The values of an action and of a unit of money are \
measured in the same way.
Fair price = (value of the card - value of an action) / value of a unit of money, with Fieller's interval. The \
interval is unbounded if the value of money is not distinguishable from 0.
A screen selects candidates among all cards (false discovery rate 10 %). The first ten are played again on fresh \
seeds and tested with p-values adjusted by Holm's method.
Association is the share of those who took the card, minus an equal share. It is no causal effect.";

/// Text under the options of `provinces`.
const PROVINCES: &str = "\
One token of influence, and a city, are given to each seat in turn at the start of each stage, under the seeds \
of games without gifts.
--sweep also changes by 5 what a province pays to the first and to the second, in games of agents with different \
aims. The table shows which agent gains, and how many tokens come.";

/// Text under the options of `seats`.
const SEATS: &str = "\
Seats are compared in games without treatments. In games with bids for the turn order, the order is also forced, \
stage by stage: under one seed every seat has every place once, with every division into sides. Seat, place and \
side are thus separated. Each seat also bids first once.
Effects are shares of the points minus an equal share. The intervals of a column are simultaneous, and the \
p-values belong to them. In other games the study measures seats and length only.";

/// Text under the options of `alliances`.
const ALLIANCES: &str = "\
Gain: the share of the paying player in games from the same position in which they have the place and side that \
they bought and nobody pays, minus their mean share over all places and sides.
Net: the gain minus the price, where a unit of money counts as much as it adds to the share of its owner. Below \
0 players overpay (winner's curse).
With the leader, with the last: the share of a seat on that side minus the share of the same seat on the other \
side, over all orders and sides under one seed.";

/// Text under the options of `rules`.
const RULES: &str = "\
Every study is played three times, each time on other seeds: under the old rules (--rules, or the default), \
under the new rules (--rules-b, --set), and under the old rules again. A statement moved if its change from old \
to new is significant at a false discovery rate of 10 %. The change between the two runs under the old rules \
stands beside it, with the number of false findings there. The agents keep the old rules' values; nothing is \
refitted.
--range and --ranges draw uncertain numbers of the rules jointly, each draw on its own seeds. A finding under \
the rules as they are survives if it has the same sign in 95 % of the draws. The power column shows how likely \
that is if the draws change nothing.";

/// Text under the options of `game`.
const GAME: &str = "\
One agent plays all seats. A model of win probability, fitted to other games of the same agent (see `caesar \
balance win-model`), follows each game. Figures that rest on the model are withheld if it fails validation, and \
the reason is printed. Length, kinds of action, wins by lead, luck, skill and restrictions need no model.
Luck: each stream of random numbers (set-up, decks, dice, the agents' searches) is redrawn while the others are \
held. Skill: each rung of --ladder plays one seat against the rung before it in all others. Restrictions: the \
cost to one seat of a rule that forbids it something for the whole game, on a scale from no restriction to \
random play.
Tables: game, stages, fans, leads, kinds, unused, streams, skill, restrictions, model, reliability, \
model-stages, treated. --out DIR holds the rows of all games and, at the end, game.json, a CSV file for each \
table, and model.json. With --shard and without --model, analysed games wait for the model; `caesar merge` plays \
them.";

/// Text under the options of `win-model`.
const WIN_MODEL: &str = "\
The model estimates each seat's win probability at any point of a game, from features of the whole state, hidden \
cards included. It is for analysis and never for agents. It holds for the agent that played, this number of \
players and these rules.
Held-out games validate the model. Its probabilities must be calibrated (expected calibration error), and must \
move as a martingale does (quadratic variation ratio near 1). In treated games every seat in turn gets 20 gifts \
of all kinds. Probabilities one round later must be calibrated there also. If the slope of mean results on mean \
probabilities has an interval within 0.7 to 1.3, probabilities may replace results in screens.
--out DIR holds the rows of all games and, at the end, win-model.json, a CSV file for each table, and \
model.json, which --model reads. With --shard and without --model, held-out games wait for the model; `caesar \
merge` plays them.";

/// Options of `cards` and `provinces`.
#[derive(Debug, Args)]
struct Ranked {
    #[command(flatten)]
    request: Request,
    #[command(flatten)]
    strong: strong::Asking,
}

/// Options of `game`.
#[derive(Debug, Args)]
struct Both {
    #[command(flatten)]
    request: Asking,
    #[command(flatten)]
    more: More,
}

/// The help of `--resume`.
const RESUME: &str = "Resume the unfinished run in --out";

/// The options of a study.
#[derive(Debug, Args)]
#[command(mut_args(helped("resume", RESUME)))]
struct Common<R: Args> {
    #[command(flatten)]
    request: R,
    /// Print the number of games and the smallest detectable effect, then exit
    #[arg(long)]
    plan: bool,
    #[command(flatten)]
    threads: Threads,
    /// Write manifest.json, the rows of all games and all tables into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    again: Again,
    /// Play part I of N (I counts from 1); `caesar merge` joins the parts
    #[arg(long, value_name = "I/N", requires = "out", value_parser = Shard::parse)]
    shard: Option<Shard>,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
    /// Suppress progress and notes
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    match &options.study {
        Study::Cards(options) => ranked(What::Cards, options),
        Study::Provinces(options) => ranked(What::Provinces, options),
        Study::Seats(options) => unranked(What::Seats, options),
        Study::Alliances(options) => unranked(What::Alliances, options),
        Study::Rules(options) => changed::changed(options),
        Study::All(options) => several::all(options),
        Study::Game(options) => {
            let Both { request, more } = &options.request;
            watching::run(dynamics::What::Game, request, more, options)
        }
        Study::WinModel(options) => {
            watching::run(dynamics::What::WinModel, &options.request, &More::default(), options)
        }
    }
}

/// Runs a study whose rows can be repeated with a stronger agent.
fn ranked(what: What, options: &Common<Ranked>) -> Result<Ending, Error> {
    run::run(what, &options.request.request, &options.request.strong, options)
}

/// Runs a study whose rows cannot be repeated.
fn unranked(what: What, options: &Common<Request>) -> Result<Ending, Error> {
    run::run(what, &options.request, &strong::Asking::default(), options)
}
