//! Portraits: what the strategies that survive take and hold, and how their games end.
//!
//! Games of the report are played again and watched: one seat of a survivor among copies of each other survivor, or of
//! each other strategy if it survives alone. Results are counts of games and means; nothing is chosen by them.

use std::collections::{BTreeMap, BTreeSet};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::run::Outcome;
use super::seats::{Seats, Strategy, Thing, WatchedGame};
use crate::tune::pools::{Pool, Report};
use sim::error::Error;
use sim::stats::Moments;

/// The blocks of each table that are watched; every report has as many.
pub const WATCHED: u64 = 20;
/// The part of the games of each survivor from which a thing is called one that all of them take.
const ALWAYS: f64 = 0.9;
/// Error of points that stand in single precision.
const EQUAL: f64 = 1e-6;

/// A survivor in the watched games.
#[derive(Clone, Debug)]
pub struct Portrait {
    /// The number of the strategy.
    pub strategy: usize,
    /// The number of games.
    pub games: u64,
    /// The number of games in which it took or held each thing, the most first.
    pub things: Vec<Counted>,
    /// Numbers at the end of the game.
    pub ends: Vec<End>,
    /// Games to look at.
    pub shown: Vec<ShownGame>,
}

/// A game of a strategy to look at.
#[derive(Clone, Debug)]
pub struct ShownGame {
    /// True if the strategy has more points than an equal share.
    pub is_won: bool,
    /// The record.
    pub record: String,
}

/// The number of games in which a strategy took or held a thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The thing.
    pub thing: Thing,
    /// The number of games.
    pub games: u64,
}

/// A number at the end of a game: means over blocks.
#[derive(Clone, Debug)]
pub struct End {
    /// The name.
    pub name: &'static str,
    /// The number of the strategy.
    pub own: Moments,
    /// The mean number of a seat of its opponents.
    pub others: Moments,
}

/// The portraits of a population.
#[derive(Clone, Default, Debug)]
pub struct Portraits {
    /// The survivors, the heaviest first; empty if the population has one strategy.
    pub all: Vec<Portrait>,
    /// Things that the games offered and no survivor took or held.
    pub unused: Vec<Thing>,
    /// Things that every survivor took or held in nine of ten games or more.
    pub always: Vec<Thing>,
}

/// A table of the report: one seat of a survivor among copies of another strategy.
struct Duel {
    own: usize,
    other: usize,
}

impl Duel {
    /// Returns the strategies of the table, in the order of the report.
    fn profile(&self, players: usize) -> Vec<usize> {
        let mut all = vec![self.other; players - 1];
        all.push(self.own);
        all.sort_unstable_by(|a, b| b.cmp(a));
        all
    }

    fn places(&self, outcome: &Outcome, players: usize) -> Vec<Strategy> {
        self.profile(players).iter().map(|&one| outcome.strategies[one].clone()).collect()
    }

    /// Returns the place of the survivor.
    fn place(&self, players: usize) -> usize {
        self.profile(players).iter().position(|&one| one == self.own).unwrap_or(0)
    }

    /// Returns whether the survivor has more points than an equal share.
    fn is_won(&self, game: &WatchedGame) -> bool {
        let players = game.points.len();
        game.points[self.place(players)] * players as f64 > 1.0 + EQUAL
    }
}

/// Returns the tables that are watched, the heaviest survivor first.
fn duels(survivors: &[usize], strategies: usize) -> Vec<Duel> {
    let all: Vec<usize> = (0..strategies).collect();
    let others = if survivors.len() > 1 { survivors } else { &all };
    let pairs = survivors.iter().flat_map(|&own| others.iter().map(move |&other| (own, other)));
    pairs.filter(|(own, other)| own != other).map(|(own, other)| Duel { own, other }).collect()
}

/// The watched games of all tables.
struct Watched<'a> {
    outcome: &'a Outcome,
    seats: &'a dyn Seats,
    seed: u64,
    /// The tables, each with its games.
    all: Vec<(Duel, Vec<WatchedGame>)>,
}

impl Watched<'_> {
    /// Returns the games of a survivor.
    fn of(&self, strategy: usize) -> impl Iterator<Item = (&Duel, &WatchedGame)> {
        let own = self.all.iter().filter(move |(duel, _)| duel.own == strategy);
        own.flat_map(|(duel, games)| games.iter().map(move |game| (duel, game)))
    }

    fn portrait(&self, strategy: usize) -> Result<Portrait, Error> {
        let players = self.seats.players();
        let own: Vec<_> =
            self.of(strategy).map(|(duel, game)| (duel.place(players), game)).collect();
        let mut portrait = portrait(strategy, &own);
        for is_won in [true, false] {
            let first = self.of(strategy).find(|(duel, game)| duel.is_won(game) == is_won);
            let Some((duel, WatchedGame { block, turn, .. })) = first else { continue };
            let places = duel.places(self.outcome, players);
            let record = self.seats.record(&places, self.seed, *block, *turn)?;
            portrait.shown.extend(record.map(|record| ShownGame { is_won, record }));
        }
        Ok(portrait)
    }
}

impl Portraits {
    /// Watches games of the report on the threads of `pool`.
    ///
    /// # Errors
    /// If games cannot be played.
    pub fn watch(
        outcome: &Outcome,
        survivors: &[usize],
        seats: &dyn Seats,
        pool: &ThreadPool,
    ) -> Result<Self, Error> {
        // The seed of the report: these are its games.
        let seed = Pool::<Report>::of(outcome.seed).seed();
        let blocks: Vec<u64> = (0..WATCHED).collect();
        let play = |duel: Duel| {
            let places = duel.places(outcome, seats.players());
            let games = seats.watch(&places, seed, &blocks, false)?;
            Ok((duel, games))
        };
        let duels = duels(survivors, outcome.strategies.len());
        let all: Vec<Result<_, Error>> = pool.install(|| duels.into_par_iter().map(play).collect());
        let all: Vec<_> = all.into_iter().collect::<Result<_, _>>()?;
        let survivors = if all.is_empty() { &[] } else { survivors };
        let watched = Watched { outcome, seats, seed, all };
        let all: Vec<Portrait> =
            survivors.iter().map(|&one| watched.portrait(one)).collect::<Result<_, _>>()?;
        let games = watched.all.iter().flat_map(|(_, games)| games);
        let offered: BTreeSet<&Thing> = games.flat_map(|game| game.things.keys()).collect();
        Ok(Self { unused: unused(&offered, &all), always: always(&offered, &all), all })
    }
}

/// Returns the number of games in which a strategy took or held a thing.
fn games_with(portrait: &Portrait, thing: &Thing) -> u64 {
    portrait.things.iter().find(|one| one.thing == *thing).map_or(0, |one| one.games)
}

fn unused(offered: &BTreeSet<&Thing>, all: &[Portrait]) -> Vec<Thing> {
    let is_unused = |thing: &&&Thing| all.iter().all(|one| games_with(one, thing) == 0);
    offered.iter().filter(is_unused).map(|&thing| thing.clone()).collect()
}

fn always(offered: &BTreeSet<&Thing>, all: &[Portrait]) -> Vec<Thing> {
    let is_usual = |one: &Portrait, thing: &Thing| {
        games_with(one, thing) as f64 >= ALWAYS * one.games as f64 && one.games > 0
    };
    let is_always = |thing: &&&Thing| all.iter().all(|one| is_usual(one, thing));
    offered.iter().filter(is_always).map(|&thing| thing.clone()).collect()
}

/// Returns the counts of the place of a strategy in each of its games.
fn portrait(strategy: usize, games: &[(usize, &WatchedGame)]) -> Portrait {
    let mut counts: BTreeMap<&Thing, u64> = BTreeMap::new();
    let mut blocks: BTreeMap<u64, Vec<(usize, &WatchedGame)>> = BTreeMap::new();
    for &(place, game) in games {
        let own = game.things.iter().filter(|(_, places)| places.contains(&place));
        own.for_each(|(thing, _)| *counts.entry(thing).or_default() += 1);
        blocks.entry(game.block).or_default().push((place, game));
    }
    let mut things: Vec<Counted> =
        counts.into_iter().map(|(thing, games)| Counted { thing: thing.clone(), games }).collect();
    things.sort_by_key(|one| std::cmp::Reverse(one.games));
    let names = games
        .first()
        .map_or_else(Vec::new, |(_, game)| game.ends.iter().map(|(name, _)| *name).collect());
    let end = |(at, name): (usize, &'static str)| {
        let (mut own, mut others) = (Moments::default(), Moments::default());
        for games in blocks.values() {
            let n = games.len() as f64;
            let numbers = games.iter().map(|(place, game)| (*place, &game.ends[at].1));
            let sums = numbers.map(|(place, all)| {
                let rest = all.iter().sum::<f64>() - all[place];
                (all[place], rest / (all.len() - 1) as f64)
            });
            let (a, b) = sums.fold((0.0, 0.0), |(a, b), (own, rest)| (a + own, b + rest));
            own.add(a / n);
            others.add(b / n);
        }
        End { name, own, others }
    };
    let ends = names.into_iter().enumerate().map(end).collect();
    Portrait { strategy, games: games.len() as u64, things, ends, shown: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thing(name: &str) -> Thing {
        Thing { kind: "cards", name: name.to_owned() }
    }

    /// A game of one block in which the places took these cards, and end with these numbers.
    fn game(taken: &[(&str, &[usize])], ends: [f64; 2]) -> WatchedGame {
        let things = taken.iter().map(|(name, by)| (thing(name), by.iter().copied().collect()));
        let things = things.collect();
        let ends = vec![("gold", ends.to_vec())];
        WatchedGame {
            block: 0,
            turn: 0,
            points: vec![0.5; 2],
            things,
            ends,
            means: BTreeMap::new(),
        }
    }

    #[test]
    fn counts_are_of_the_place_of_the_strategy() {
        let first = game(&[("a", &[0]), ("b", &[0, 1]), ("c", &[])], [6.0, 1.0]);
        let second = game(&[("a", &[1]), ("b", &[1]), ("c", &[])], [3.0, 4.0]);
        let zero = portrait(7, &[(0, &first), (1, &second)]);
        assert_eq!((zero.strategy, zero.games), (7, 2));
        let counts: Vec<(Thing, u64)> =
            zero.things.iter().map(|one| (one.thing.clone(), one.games)).collect();
        assert_eq!(counts, [(thing("a"), 2), (thing("b"), 2)]);
        assert_eq!((zero.ends[0].own.mean(), zero.ends[0].others.mean()), (5.0, 2.0));
        let one = portrait(8, &[(1, &first), (0, &second)]);
        let (a, b, c) = (thing("a"), thing("b"), thing("c"));
        let offered: BTreeSet<&Thing> = [&a, &b, &c].into_iter().collect();
        assert_eq!(unused(&offered, &[zero.clone(), one.clone()]), [thing("c")]);
        assert_eq!(always(&offered, std::slice::from_ref(&zero)), [thing("a"), thing("b")]);
        assert!(always(&offered, &[zero, one]).is_empty());
    }

    #[test]
    fn a_lonely_survivor_is_watched_among_all_others() {
        let pairs = |survivors: &[usize]| -> Vec<(usize, usize)> {
            duels(survivors, 3).iter().map(|duel| (duel.own, duel.other)).collect()
        };
        assert_eq!(pairs(&[1]), [(1, 0), (1, 2)]);
        assert_eq!(pairs(&[2, 0]), [(2, 0), (0, 2)]);
        assert_eq!(Duel { own: 0, other: 2 }.profile(3), [2, 2, 0]);
    }
}
