//! Restricted play: the cost of a ban on one seat for the whole game, with no ban on the others.
//!
//! Restricted play (Jaffe and others 2012) measures the worth of a part of a game. An agent without it plays among
//! agents with it. A game declares its possible bans of one seat ([`Kind::Ban`]). A block is a deal with every seat
//! restricted in turn. With one agent in all seats the shares of the unrestricted games sum to one over the seats. The
//! equal share less the mean share of the restricted seat therefore *is* the difference from the same games without
//! restriction, deal by deal.
//!
//! Two lines are reference points. In [`NOTHING`] nothing is forbidden and the agents use other random numbers; it
//! shows the noise. In [`RANDOM`] the seat may do everything and chooses at random; it shows the largest possible
//! loss.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use agents::{AgentSpec, Playable};
use csv::StringRecord;
use engine::rules::nearest;
use engine::treatment::{Amount, Kind, Step};
use engine::{Player, Rules, Treatable, Treatment, hash_of};

use super::rows::{Written, numbers, strokes};
use crate::balance::cards::LEVEL;
use crate::balance::estimate::{Estimate, moments};
use sim::error::Error;
use sim::game_loop::{Address, GameObserver};
use sim::observed_play;
use sim::runner::Piece;
use sim::stats::calibration::Figure;
use sim::stats::clustered::ClusteredRatio;
use sim::stats::multiple::holm;

/// The name of the line without any ban.
pub const NOTHING: &str = "nothing";
/// The name of the line with a random player.
pub const RANDOM: &str = "random only";
/// The first number of the agents' other random streams, beyond those of games.
const OTHER: u64 = 1 << 40;
/// The first word of the ids of bans.
const BAN: &str = "ban.";

/// A ban on one seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restriction {
    /// The name of the forbidden part, as `action.tax`.
    pub name: String,
    /// The setting of the rules, by seat.
    settings: Vec<String>,
}

/// Returns the option's word for a ban of one seat: its id without the first word.
fn word(ban: &Treatment) -> &'static str {
    ban.id.strip_prefix(BAN).unwrap_or(ban.id)
}

/// Returns the bans of one seat that hold for the whole game.
fn bans<G: Treatable>() -> impl Iterator<Item = &'static Treatment> {
    let is_whole = |ban: &Treatment| !ban.key.contains(&Step::Stage);
    G::treatments().iter().filter(move |ban| {
        ban.kind == Kind::Ban && ban.amount == Amount::Switch && ban.has_seat() && is_whole(ban)
    })
}

/// Returns the restrictions of a ban, one for each name.
fn of_ban(ban: &Treatment, rules: &Rules, players: usize) -> Vec<Restriction> {
    let one = |name: Option<&str>| {
        let setting = |seat| format!("{}=true", ban.key_for(None, Some(seat), name));
        let settings = Player::all(players).map(setting).collect();
        let name = name.map_or_else(String::new, |name| format!(".{name}"));
        Restriction { name: format!("{}{name}", word(ban)), settings }
    };
    match ban.names() {
        None => vec![one(None)],
        Some(_) => rules.names_for(ban).iter().map(|name| one(Some(name))).collect(),
    }
}

/// Returns the restrictions with these names, or of bans with these names. Without names, returns all that the rules
/// allow and that no market sells: things with a price have their own study.
///
/// # Errors
/// If the game declares no such restriction, or the rules refuse it.
pub fn restrictions_named<G: Playable>(
    names: &[String],
    rules: &Rules,
    players: usize,
) -> Result<Vec<Restriction>, Error> {
    let has = |one: &Restriction| one.first::<G>(rules).is_ok();
    if names.is_empty() {
        let is_sold = |ban: &&Treatment| G::markets().iter().any(|market| market.ban == ban.id);
        let all = bans::<G>().filter(|ban| !is_sold(ban));
        return Ok(all.flat_map(|ban| of_ban(ban, rules, players)).filter(has).collect());
    }
    let known: Vec<Restriction> = bans::<G>().flat_map(|ban| of_ban(ban, rules, players)).collect();
    let mut out: Vec<Restriction> = Vec::new();
    for name in names {
        let of_word = bans::<G>().filter(|ban| word(ban) == name);
        let mut found: Vec<Restriction> =
            of_word.flat_map(|ban| of_ban(ban, rules, players)).filter(has).collect();
        if let Some(one) = known.iter().find(|one| one.name == *name) {
            one.first::<G>(rules)?;
            found = vec![one.clone()];
        }
        if found.is_empty() {
            return Err(unknown::<G>(name, &known));
        }
        out.extend(found.into_iter().filter(|one| !out.contains(one)).collect::<Vec<_>>());
    }
    Ok(out)
}

fn unknown<G: Playable>(name: &str, known: &[Restriction]) -> Error {
    let words: Vec<String> = bans::<G>().map(|ban| word(ban).to_owned()).collect();
    let message = if words.is_empty() {
        format!("{} declares nothing that one seat could be forbidden", G::about().name)
    } else {
        let names = known.iter().map(|one| one.name.clone());
        let all: Vec<String> = words.iter().cloned().chain(names).collect();
        let near =
            nearest(name, &all).map_or_else(String::new, |near| format!("nearest: {near}; "));
        format!(
            "no one seat can be forbidden that ({near}known: {}, or one of their names)",
            words.join(", ")
        )
    };
    Error::value("forbid", name, message)
}

impl Restriction {
    /// Returns the games under these rules with one restricted seat, by seat.
    fn games<G: Playable>(&self, rules: &Rules) -> impl Iterator<Item = Result<G, Error>> {
        self.settings.iter().map(move |setting| {
            let mut rules = rules.clone();
            rules.set(setting)?;
            Ok(G::configure(self.settings.len(), &rules)?)
        })
    }

    /// Builds the first of these games; the others differ in the seat alone.
    fn first<G: Playable>(&self, rules: &Rules) -> Result<(), Error> {
        self.games::<G>(rules).next().map_or(Ok(()), |game| game.map(drop))
    }
}

/// An observer that hashes all choices to one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Course(u64);

impl<G: Playable> GameObserver<G> for Course {
    fn chosen(
        &mut self,
        _game: &G,
        _state: &G::State,
        player: Player,
        action: G::Action,
        _plies: u32,
    ) {
        self.0 = hash_of(&(self.0, player.idx() as u8, action));
    }
}

/// The games of a block under one restriction.
#[derive(Clone, PartialEq, Debug, Default)]
struct Bar {
    /// The points of the restricted seat, by seat.
    points: Vec<f64>,
    /// The number of games with a different choice than without the restriction.
    parted: u32,
}

/// The games of a block, by restriction.
#[derive(Clone, PartialEq, Debug)]
pub struct Restricted(Vec<Bar>);

/// Returns the names of the lines: the restrictions between the two reference points.
fn names(restrictions: &[Restriction]) -> impl Iterator<Item = &str> {
    let own = restrictions.iter().map(|one| one.name.as_str());
    std::iter::once(NOTHING).chain(own).chain([RANDOM])
}

/// Returns the names of the fields of a block.
#[must_use]
pub fn columns(restrictions: &[Restriction]) -> Vec<String> {
    names(restrictions).map(str::to_owned).collect()
}

/// Returns the number of games in a block: one for each line and seat, and one without restriction.
#[must_use]
pub const fn games_per_block(restrictions: usize, players: usize) -> u64 {
    ((restrictions + 2) * players + 1) as u64
}

impl Written for Restricted {
    fn fields(&self) -> Vec<String> {
        let field = |bar: &Bar| format!("{}:{}", numbers(&bar.points), bar.parted);
        self.0.iter().map(field).collect()
    }

    fn read(fields: &StringRecord) -> Option<Self> {
        let bar = |text: &str| {
            let (points, parted) = text.split_once(':')?;
            Some(Bar { points: strokes(points)?, parted: parted.parse().ok()? })
        };
        Some(Self(fields.iter().map(bar).collect::<Option<_>>()?))
    }
}

/// A game without restriction, and its restricted games by restriction and seat.
#[derive(Debug)]
pub struct Tables<'a, G> {
    game: &'a G,
    barred: Vec<Vec<G>>,
}

impl<'a, G: Playable> Tables<'a, G> {
    /// Builds the games under these rules.
    ///
    /// # Errors
    /// If the rules refuse a restriction.
    pub fn new(game: &'a G, rules: &Rules, restrictions: &[Restriction]) -> Result<Self, Error> {
        let games = |one: &Restriction| one.games(rules).collect::<Result<Vec<G>, Error>>();
        Ok(Self { game, barred: restrictions.iter().map(games).collect::<Result<_, Error>>()? })
    }

    /// Plays some blocks with `spec` in all seats; `None` if `stop` is raised.
    ///
    /// # Errors
    /// If an agent fails.
    pub fn play(
        &self,
        spec: &AgentSpec,
        seed: u64,
        blocks: Range<u64>,
        stop: &AtomicBool,
    ) -> Piece<Restricted> {
        let n = self.game.n_players();
        let specs = vec![spec.clone(); n];
        let piece = BlockRange { seed, blocks, stop };
        let Some(free) = piece.play(self.game, &specs, 0, &|index| index)? else { return Ok(None) };
        let mut all = vec![Restricted(Vec::new()); free.len()];
        let lines = self.barred.len() + 2;
        for line in 0..lines {
            all.iter_mut().for_each(|block| block.0.push(Bar::default()));
            for seat in 0..n {
                let played = match line {
                    0 => {
                        let minds = |index| OTHER + index * n as u64 + seat as u64;
                        piece.play(self.game, &specs, seat, &minds)?
                    }
                    line if line + 1 == lines => {
                        let mut specs = specs.clone();
                        specs[seat] = AgentSpec::from(agents::Kind::Random);
                        piece.play(self.game, &specs, seat, &|index| index)?
                    }
                    line => {
                        piece.play(&self.barred[line - 1][seat], &specs, seat, &|index| index)?
                    }
                };
                let Some(played) = played else { return Ok(None) };
                for ((block, (points, course)), (_, before)) in
                    all.iter_mut().zip(played).zip(&free)
                {
                    let bar = &mut block.0[line];
                    bar.points.push(points);
                    bar.parted += u32::from(course != *before);
                }
            }
        }
        Ok(Some(all))
    }
}

/// A range of blocks to play.
struct BlockRange<'a> {
    seed: u64,
    blocks: Range<u64>,
    stop: &'a AtomicBool,
}

impl BlockRange<'_> {
    /// Returns the points of a seat, and the hash of all choices, in a game of each block. `minds` maps a block to the
    /// game whose random numbers its agents use.
    fn play<G: Playable>(
        &self,
        game: &G,
        specs: &[AgentSpec],
        seat: usize,
        minds: &dyn Fn(u64) -> u64,
    ) -> Piece<(f64, Course)> {
        observed_play::piece(game, specs, self.blocks.clone(), self.stop, |seats, index| {
            let mut course = Course::default();
            let address = Address::of_block(self.seed, index, minds(index));
            let points = seats.play(address, &mut course)?;
            Ok((points.0[seat], course))
        })
    }
}

/// The cost of a restriction.
#[derive(Clone, PartialEq, Debug)]
pub struct Cost {
    /// The name of the forbidden part.
    pub name: String,
    /// An equal share less the share of the restricted seat.
    pub cost: Estimate,
    /// The fraction of games with a different choice than without the restriction.
    pub parted: Figure,
    /// Holm's p-value over all restrictions; `None` for the two reference points.
    pub adjusted_p: Option<f64>,
}

impl Cost {
    /// Returns the verdict; empty for the line without any ban.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        if self.name == NOTHING {
            return "";
        }
        match self.adjusted_p.or(self.cost.p) {
            None => "undecided",
            Some(_) if self.parted.estimate <= 0.0 => "never felt",
            Some(p) if p >= LEVEL => "undecided",
            Some(_) if self.cost.value > 0.0 => "costs",
            Some(_) => "better without",
        }
    }
}

/// Returns the costs of the restrictions, with the reference points first and last.
#[must_use]
pub fn costs(restrictions: &[Restriction], blocks: &[Restricted]) -> Vec<Cost> {
    let lines = names(restrictions).enumerate();
    let mut all: Vec<Cost> = lines.filter_map(|(at, name)| cost(name, at, blocks)).collect();
    let is_end = |name: &str| name == NOTHING || name == RANDOM;
    let inner = || all.iter().filter(|one| !is_end(&one.name));
    let p: Vec<f64> = inner().map(|one| one.cost.p.unwrap_or(1.0)).collect();
    let mut adjusted = holm(&p).into_iter();
    for one in all.iter_mut().filter(|one| !is_end(&one.name)) {
        one.adjusted_p = adjusted.next();
    }
    all
}

fn cost(name: &str, at: usize, blocks: &[Restricted]) -> Option<Cost> {
    let (mut values, mut parted) = (Vec::new(), ClusteredRatio::default());
    let mut equal = 1.0;
    for (index, Restricted(block)) in (0..).zip(blocks) {
        let n = block[at].points.len() as f64;
        equal = 1.0 / n;
        values.push(equal - block[at].points.iter().fold(0.0, |sum, points| sum + points / n));
        parted.add(index, f64::from(block[at].parted), n);
    }
    Some(Cost {
        name: name.to_owned(),
        cost: Estimate::within(equal - 1.0, equal, moments(&values))?,
        parted: Figure::of_share(&parted)?,
        adjusted_p: None,
    })
}
