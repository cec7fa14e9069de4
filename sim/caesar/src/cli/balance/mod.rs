//! `caesar balance`: measures the properties of a game and the worth of its cards, places and rules.

mod changed;
mod ended;
mod foreseen;
mod joined;
mod joint;
mod run;
mod several;
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
pub(super) use watching::merge as merge_watched;

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(subcommand)]
    study: Study,
}

#[derive(Debug, Subcommand)]
enum Study {
    /// What cards are worth, as differences in share, and the prices that would be fair
    #[command(after_help = CARDS)]
    Cards(Common<Request>),
    /// What provinces are worth: a token of influence, a city, what they pay
    #[command(after_help = PROVINCES)]
    Provinces(Common<Request>),
    /// What seats, places in the turn order and places among the bidders are worth
    #[command(after_help = SEATS)]
    Seats(Common<Request>),
    /// What is bid for, whether players pay too much, being placed with the leader or the last
    #[command(after_help = ALLIANCES)]
    Alliances(Common<Request>),
    /// What a change of the rules moves, beyond what moves between two runs under the same rules
    #[command(after_help = RULES)]
    Rules(Changes),
    /// All studies that the game allows, into one directory
    All(Several),
    /// How a game goes: length, choices that matter, lead changes, suspense, luck, skill, restrictions
    #[command(after_help = GAME)]
    Game(Common<Both>),
    /// Fit a model of win probability, and say on held-out games whether it can be believed
    #[command(after_help = WIN_MODEL)]
    WinModel(Common<Asking>),
}

/// Text under the options of `cards`.
const CARDS: &str = "\
Every card is given to each seat in turn at the start of each stage, under the seeds of games in \
which nothing is given: value is what that adds to the seat's share of the points. The worth of an \
action and of money, measured likewise, make a price of it: fair price = (value - action) / money, with \
Fieller's interval, which is unbounded where the worth of money is not told from zero, and then says so. \
Which cards are too cheap or too dear is screened among all of them (one false discovery in ten); the \
first ten are played once more on fresh seeds (Holm's p-values).
Association is the share of those who took the card, less an equal share: it says nothing of causes.";

/// Text under the options of `provinces`.
const PROVINCES: &str = "\
One token of influence, and a city, are given to each seat in turn at the start of each stage, under \
the seeds of games in which nothing is given. With --sweep what a province pays to the first and to the \
second is changed by 5, too, in games of agents that want different things: whose share moves, and how \
many tokens come.";

/// Text under the options of `seats`.
const SEATS: &str = "\
Seats are compared in games in which nothing is done. Where players bid for a turn order it is forced, too, \
stage by stage: every seat has every place once under the same seed, with every division into sides, so that \
seat, place and side are told apart; and every seat is the first to bid once. Effects are shares of the \
points less an equal share; the intervals of a column hold together, and p-values belong to them. In other \
games: seats and length.";

/// Text under the options of `alliances`.
const ALLIANCES: &str = "\
Gain is the share of whoever paid in games that start from the same position, in which he has the place and \
the side that he bought and nobody pays, less his share over all places and sides. Net is the gain less what \
he paid, a unit of money being worth what it adds to the share of who is given it: below zero players pay \
too much (the winner's curse). With the leader, and with the last: the share of a seat on his side less that \
of the same seat on the other side, over all orders and sides under one seed.";

/// Text under the options of `rules`.
const RULES: &str = "\
Every study is played three times, each on seeds of its own: under the old rules (those of --rules, or the \
default), under the new ones (--rules-b, --set), and under the old rules again. A statement moved if its change between \
the first two is found at a false discovery rate of 10 %; the change between the two runs under the old rules \
stands beside it, and how many of those are found by chance. The agents believe the old rules' values: nothing \
is refitted.
With --range or --ranges numbers of the rules that nobody knows for certain are drawn together, draw after \
draw, each on seeds of its own. What is found under the rules as they are survives if it has the same sign in \
95 of 100 draws; beside it stands how likely that is if the draws change nothing.";

/// Text under the options of `game`.
const GAME: &str = "\
Games of one agent in all seats are watched by a model of win probability that was fitted to other \
games of it (see balance win-model). Where that model cannot be believed, the figures that rest on it \
are not told, and the reason is; length, kinds of action, wins by lead, luck, skill and restrictions rest on \
no model.
Luck: each stream of random numbers (set-up, decks, dice, the agents' thinking) is dealt anew with the \
others held. Skill: each rung of --ladder in one seat against the one before it in all others. Restrictions: \
what it costs one seat that it alone is forbidden something for the whole game, between nothing at all and \
play at random.
Tables: game, stages, fans, leads, kinds, unused, streams, skill, restrictions, model, reliability, \
model-stages, treated. --out DIR holds the rows of all games, and at the end game.json, a CSV file for each table, and model.json. With --shard \
and without --model the games that are told of wait for the model: caesar merge plays them.";

/// Text under the options of `win-model`.
const WIN_MODEL: &str = "\
The model gives every seat its chance to win at any point of a game, from what a spectator counts who \
sees the whole state, hidden cards too: for analysis, never for agents. It holds for the agent that \
played, at this number of players and under these rules.
Held-out games say whether it can be believed: chances must be those with which games are won \
(expected calibration error), and move as chances must (quadratic variation, 1 for a martingale). In treated \
games 20 gifts of all kinds that balance gives are given to every seat in turn: chances a round later must be \
right there, too, and where the mean results, regressed on the mean chances, have a slope whose interval lies \
within 0.7 to 1.3, chances may stand for results in screens.
--out DIR holds the rows of all games, and at the end win-model.json, a CSV file for each table, and \
model.json, which --model reads. With --shard and without --model held-out games wait for the model: caesar \
merge plays them.";

/// Options of `game`.
#[derive(Debug, Args)]
struct Both {
    #[command(flatten)]
    request: Asking,
    #[command(flatten)]
    more: More,
}

/// The help of `--resume`.
const RESUME: &str = "Go on with the unfinished run in --out";

/// The options of a study.
#[derive(Debug, Args)]
#[command(mut_args(helped("resume", RESUME)))]
struct Common<R: Args> {
    #[command(flatten)]
    request: R,
    /// Say how many games there are and what they can find, and play none
    #[arg(long)]
    plan: bool,
    #[command(flatten)]
    threads: Threads,
    /// Write manifest.json, a row for each game and, at the end, all tables and their document into a directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    again: Again,
    /// Play only part I of N, from 1; caesar merge joins the parts
    #[arg(long, value_name = "I/N", requires = "out", value_parser = Shard::parse)]
    shard: Option<Shard>,
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    one: OneTable,
    /// No progress and no notes
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    match &options.study {
        Study::Cards(common) => run::run(What::Cards, common),
        Study::Provinces(common) => run::run(What::Provinces, common),
        Study::Seats(common) => run::run(What::Seats, common),
        Study::Alliances(common) => run::run(What::Alliances, common),
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
