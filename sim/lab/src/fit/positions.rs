//! Positions for a fit: a few of each game, at the beginning of a turn, round or stage, with the game's result.
//!
//! A position qualifies if the game's guide marks the beginning of a turn, a round or a stage there, since searches
//! value such positions. In a game without such marks, a position qualifies if another player is to choose. A few
//! qualifying positions of each game are drawn with equal probability.

use agents::fitting::offers_macros;
use agents::guide::{Guide, Progress};
use agents::playable::decider;
use agents::{AgentSpec, Playable, Settings};
use engine::{Player, Purpose, Randomness, Stream, Turn, rng};

use super::sections::Sections;
use sim::error::Error;
use sim::game_loop::{Address, GameObserver, Run};
use sim::observed_play::{self, SeatedAgents, seed_of_part};
use sim::record::stream;

/// The default number of positions of a game: about two rounds of a table of four.
pub const PER_GAME: usize = 24;
/// The degrees of randomness of random beginnings, from careful to wild.
const EPSILONS: [f64; 4] = [0.02, 0.1, 0.25, 0.5];
/// The fraction of games without random play, so that the first round has its share of the positions.
const UNMIXED: f64 = 0.2;
/// The number of games that measure the length of a game.
const PROBED: u64 = 8;
/// The parts of a run with their own random numbers: the draw of positions, the beginnings, and the length of games.
const DRAWN: u64 = 1;
const BEGINNINGS: u64 = 2;
const LENGTHS: u64 = 3;

/// A position of a game that was played to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Position<S> {
    /// The game, or the block of games that share their chance.
    pub cluster: u64,
    /// The position.
    pub state: S,
    /// The progress of the game.
    pub progress: Progress,
    /// The final points of the seats.
    pub points: Vec<f64>,
}

/// Positions with their source.
#[derive(Clone, PartialEq, Debug)]
pub struct Collected<S> {
    /// The positions; those of one game are adjacent.
    pub positions: Vec<Position<S>>,
    /// The number of games played to their end.
    pub games: u64,
    /// The number of forfeited games, which yield no positions.
    pub broken_off: u64,
    /// A description of their source.
    pub source: String,
}

/// The kind of positions that can be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Positions at the beginning of a turn, round or stage.
    Beginnings,
    /// All positions in which a player is to choose.
    Decisions,
    /// Positions in which a player is to choose among macro-actions.
    MacroDecisions,
}

/// Positions with the sections that they lie in.
#[derive(Clone, Copy, Debug)]
pub struct Sectioned<'a, S> {
    /// The positions.
    pub collected: &'a Collected<S>,
    /// The sections.
    pub sections: &'a Sections,
}

/// A sampler of positions of one game.
#[derive(Debug)]
pub(crate) struct Drawing<S, H> {
    guide: H,
    which: Which,
    rng: Stream,
    most: usize,
    seen: u32,
    last: Option<(Progress, Option<Player>)>,
    /// The drawn positions, each with its number among those that qualified.
    drawn: Vec<(u32, S, Progress)>,
}

impl<S: Copy, H> Drawing<S, H> {
    /// Creates a sampler of at most `most` positions of game `index` of the run with seed `seed`.
    pub(crate) fn new(guide: H, which: Which, seed: u64, index: u64, most: usize) -> Self {
        let rng = rng::stream(seed_of_part(seed, DRAWN), index, Purpose::Analysis);
        Self { guide, which, rng, most, seen: 0, last: None, drawn: Vec::new() }
    }

    /// Considers a position.
    pub(crate) fn look<G: Playable<State = S>>(&mut self, game: &G, state: &S)
    where
        H: Guide<G>,
    {
        let Some(mover) = decider(game, state) else { return };
        let progress = self.guide.progress(game, state);
        // Without progress marks, a change of the deciding player is the mark.
        let player = (progress == Progress::default()).then_some(mover);
        let is_same = self.last.replace((progress, player)) == Some((progress, player));
        let is_meant = match self.which {
            Which::Beginnings => !is_same,
            Which::Decisions => true,
            Which::MacroDecisions => offers_macros(game, &mut self.guide, state, mover),
        };
        if !is_meant {
            return;
        }
        self.seen += 1;
        let one = (self.seen, *state, progress);
        if self.drawn.len() < self.most {
            self.drawn.push(one);
            return;
        }
        let place = self.rng.below(self.seen) as usize;
        if place < self.most {
            self.drawn[place] = one;
        }
    }

    /// Returns the drawn positions, in the order of the game, which ended with `points`.
    pub(crate) fn positions(mut self, cluster: u64, points: &[f64]) -> Vec<Position<S>> {
        self.drawn.sort_unstable_by_key(|(number, ..)| *number);
        let position =
            |(_, state, progress)| Position { cluster, state, progress, points: points.to_vec() };
        self.drawn.into_iter().map(position).collect()
    }
}

impl<G: Playable> GameObserver<G> for Drawing<G::State, G::Guide> {
    fn at(&mut self, game: &G, run: &Run<G::State>) {
        self.look(game, &run.state);
    }
}

/// An observer that counts events and stops the game after `most`.
struct Events {
    n: u32,
    most: u32,
}

impl<G: Playable> GameObserver<G> for Events {
    fn begins(&mut self, _game: &G, _run: &Run<G::State>) {}

    fn at(&mut self, _game: &G, _run: &Run<G::State>) {
        self.n += 1;
    }

    fn has_enough(&self) -> bool {
        self.n >= self.most
    }
}

/// Returns the game's guide with default settings, which measures a game's progress.
///
/// # Errors
/// If the game has none (a bug of the game).
pub(crate) fn plain_guide<G: Playable>(game: &G) -> Result<G::Guide, Error> {
    game.guide(&Settings::default()).map_err(Error::Failed)
}

/// The games to play for their positions.
#[derive(Clone, Debug)]
pub struct Played {
    /// The agents, which take the seats by turns.
    pub agents: Vec<AgentSpec>,
    /// The number of games.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// The largest number of positions of a game.
    pub per_game: usize,
    /// The kind of positions.
    pub which: Which,
    /// True if games begin with partly random play, up to a random moment. The positions then include those that the
    /// agents never reach, or reach only when ahead.
    pub mixed: bool,
}

impl Played {
    /// Returns the agents of game `index`, by seat.
    fn lineup(&self, index: u64, seats: usize) -> Vec<AgentSpec> {
        let n = self.agents.len();
        (0..seats).map(|seat| self.agents[(seat + index as usize) % n].clone()).collect()
    }

    /// Returns a description of the source of the positions.
    #[must_use]
    pub fn source(&self) -> String {
        let agents: Vec<String> = self.agents.iter().map(AgentSpec::to_string).collect();
        let begun = if self.mixed { ", begun at random to a degree" } else { "" };
        let games = sim::units::counted(self.games, "game");
        format!("{games} of {} on seed {}{begun}", agents.join(", "), self.seed)
    }
}

/// Refuses more positions than fit into memory, before a game is played.
fn refuse_too_much<T>(played: &Played) -> Result<(), Error> {
    let most = usize::try_from(played.games).unwrap_or(usize::MAX).saturating_mul(played.per_game);
    let mut room: Vec<Position<T>> = Vec::new();
    room.try_reserve_exact(most).map_err(|_| {
        Error::Failed(format!(
            "there is no memory for the positions of {}, {} of each: play fewer, or take fewer of each (per-game)",
            sim::units::counted(played.games, "game"),
            played.per_game
        ))
    })
}

/// A function that returns the value to store for a position; `None` drops the position.
pub type Keep<'a, S, T> = dyn Fn(Position<S>) -> Option<Position<T>> + Sync + 'a;

/// Plays games and draws positions from them.
///
/// # Errors
/// If an agent fails.
pub fn play<G: Playable>(game: &G, played: &Played) -> Result<Collected<G::State>, Error> {
    play_and_keep(game, played, &Some)
}

/// Plays games, draws positions from them, and stores the result of `keep` for each.
///
/// # Errors
/// If an agent fails.
pub fn play_and_keep<G: Playable, T: Send>(
    game: &G,
    played: &Played,
    keep: &Keep<'_, G::State, T>,
) -> Result<Collected<T>, Error> {
    let seats = game.n_players();
    refuse_too_much::<T>(played)?;
    let guide = plain_guide(game)?;
    let longest = if played.mixed { longest(game, played.seed)? } else { 0 };
    let all = observed_play::blocks(game, &[], played.games, |_, index| {
        let mut drawing =
            Drawing::new(guide.clone(), played.which, played.seed, index, played.per_game);
        let mut run = Run::new(game.start(), 0, seats, Address::of_game(played.seed, index));
        if played.mixed {
            begin(game, &mut run, played.seed, index, longest)?;
        }
        let mut late = SeatedAgents::new(game, &played.lineup(index, seats))?;
        if game.turn(&run.state) == Turn::Over {
            return Ok(Vec::new());
        }
        late.play_on(&mut run, &mut drawing)?;
        let points = game.payoffs(&run.state).0.map(f64::from);
        let drawn = drawing.positions(index, &points[..seats]);
        Ok(drawn.into_iter().filter_map(keep).collect())
    })?;
    Ok(Collected {
        positions: all.into_iter().flatten().collect(),
        games: played.games,
        broken_off: 0,
        source: played.source(),
    })
}

/// Plays the partly random beginning of a game, up to a random moment.
fn begin<G: Playable>(
    game: &G,
    run: &mut Run<G::State>,
    seed: u64,
    index: u64,
    longest: u32,
) -> Result<(), Error> {
    let mut plan = rng::stream(seed_of_part(seed, BEGINNINGS), index, Purpose::Analysis);
    let (is_unmixed, length) = (plan.unit() < UNMIXED, plan.below(longest.max(1)));
    let epsilon = *plan.pick(&EPSILONS);
    if is_unmixed || length == 0 {
        return Ok(());
    }
    let spec: AgentSpec = format!("greedy(epsilon={epsilon})").parse()?;
    let mut early = SeatedAgents::new(game, &vec![spec; game.n_players()])?;
    // The agents take over between two decisions of one player, never within a simultaneous turn.
    early.play_on(run, &mut Events { n: 0, most: length })
}

/// Returns the number of events of the longest of a few games.
fn longest<G: Playable>(game: &G, seed: u64) -> Result<u32, Error> {
    let spec: AgentSpec = "greedy".parse()?;
    let specs = vec![spec; game.n_players()];
    let seed = seed_of_part(seed, LENGTHS);
    let lengths = observed_play::blocks(game, &specs, PROBED, |seats, index| {
        let mut events = Events { n: 0, most: u32::MAX };
        seats.play(Address::of_game(seed, index), &mut events)?;
        Ok(events.n)
    })?;
    Ok(lengths.into_iter().max().unwrap_or(0))
}

/// The settings for reading positions from records.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The largest number of positions of a game.
    pub per_game: usize,
    /// The kind of positions.
    pub which: Which,
    /// The seed for drawing positions.
    pub seed: u64,
    /// The number of consecutive games that share their chance.
    pub block: u64,
}

/// Draws positions from recorded games, file by file; `rules` are the overrides of the default rules.
///
/// # Errors
/// If a file cannot be read, is damaged, or is for another game, table or rules; with file and line.
pub fn read<G: Playable>(
    game: &G,
    rules: &serde_json::Value,
    files: &mut [(String, Box<dyn std::io::BufRead>)],
    recorded: &Recorded,
) -> Result<Collected<G::State>, Error> {
    read_and_keep(game, rules, files, recorded, &Some)
}

/// Draws positions like [`read`], and stores the result of `keep` for each.
///
/// # Errors
/// Like [`read`].
pub fn read_and_keep<G: Playable, T>(
    game: &G,
    rules: &serde_json::Value,
    files: &mut [(String, Box<dyn std::io::BufRead>)],
    recorded: &Recorded,
    keep: &Keep<'_, G::State, T>,
) -> Result<Collected<T>, Error> {
    let guide = plain_guide(game)?;
    let seats = game.n_players();
    let names: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
    let mut all = Collected {
        positions: Vec::new(),
        games: 0,
        broken_off: 0,
        source: format!("records {}", names.join(", ")),
    };
    // Files may belong to one run or to several: clusters of different files count as different.
    for (number, (name, input)) in (0u64..).zip(files) {
        let open = |index: u64| {
            Drawing::new(guide.clone(), recorded.which, recorded.seed, index, recorded.per_game)
        };
        let look = |drawing: &mut Drawing<G::State, G::Guide>, state: &G::State, _: u32| {
            drawing.look(game, state);
        };
        let bad = |text: String| Error::Usage(format!("{name}{text}"));
        stream::watch(&mut **input, game, rules, &open, &look, &mut |watched| {
            let watched = watched.map_err(|fault| {
                bad(format!(":{}: game {}: {}", fault.line, fault.game, fault.message))
            })?;
            if game.turn(&watched.end) != Turn::Over {
                all.broken_off += 1;
                return Ok(());
            }
            let points = game.payoffs(&watched.end).0.map(f64::from);
            let cluster = (number << FILE_SHIFT) | (watched.index / recorded.block.max(1));
            let drawn = watched.seen.positions(cluster, &points[..seats]);
            all.positions.extend(drawn.into_iter().filter_map(keep));
            all.games += 1;
            Ok::<(), Error>(())
        })
        .map_err(|error| match error {
            Error::Input(source) => Error::File { place: name.clone(), source },
            other => other,
        })?;
    }
    Ok(all)
}

/// Clusters of a file are numbered below this power of two: no file has that many games.
const FILE_SHIFT: u32 = 48;
