//! Choices that matter, and choices that make a king.
//!
//! In a decision that is drawn at random, each option is tried. It is played, the agents play the turn to its end, and
//! the model then estimates every player's win probability. An option is thus valued by its result in this turn, not
//! by its first ply. Everything is done twice with different random numbers, which all options share.
//!
//! **A choice matters** if the best and the worst option of one half differ by at least [`MATTERS`] in the other half,
//! both ways round. If one set of numbers both selected and measured the options, noise alone would spread them.
//!
//! **Kingmaking** is measured in decisions of a player whose own chance is below [`HOPELESS`]. The index is half the
//! largest change, summed over the other players, that the player's options make in their chances:
//! `½ max Σ_{j≠i} |p_j(a) − p_j(b)|`. One half selects the two options and the signs, and the other half measures;
//! the index is the mean of both ways round. 1 means that a player who cannot win decides who does.

use agents::playable::decider;
use agents::{Observable, Playable};
use engine::{Event, Player, Purpose, Randomness, Stream, Turn, rng};

use sim::error::Error;
use sim::game_loop::{Address, GameObserver, Run};
use sim::observed_play::SeatedAgents;
use sim::win_model::WinModel;

/// The smallest difference in the mover's chance for which a choice matters.
pub const MATTERS: f64 = 0.02;
/// The chance below which a player is without hope.
pub const HOPELESS: f64 = 0.02;
/// The largest number of options that are tried, drawn at random if there are more.
pub const MOST_OPTIONS: usize = 8;
/// The first number of the streams of trials, beyond those of games.
const TRIALS: u64 = 1 << 40;

/// A decision that was drawn.
#[derive(Clone, Copy, Debug)]
struct Drawn<S> {
    state: S,
    player: Player,
    plies: u32,
}

/// A sampler of one decision of each game, and one of a player without hope if there is one.
#[derive(Debug)]
pub struct Sampler<'a, S> {
    model: &'a WinModel,
    rng: Stream,
    /// The last mover, and true if they were without hope when their turn began.
    mover: Option<(Player, bool)>,
    /// The number of decisions.
    pub decisions: u32,
    /// The number of decisions of players without hope.
    pub hopeless: u32,
    any: Option<Drawn<S>>,
    last_hope: Option<Drawn<S>>,
}

impl<'a, S> Sampler<'a, S> {
    /// Creates a sampler for game `index`.
    #[must_use]
    pub fn new(model: &'a WinModel, seed: u64, index: u64) -> Self {
        let rng = rng::stream(seed, index, Purpose::Analysis);
        Self { model, rng, mover: None, decisions: 0, hopeless: 0, any: None, last_hope: None }
    }
}

impl<G: Observable> GameObserver<G> for Sampler<'_, G::State> {
    fn chosen(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        _action: G::Action,
        plies: u32,
    ) {
        let is_hopeless = match self.mover {
            Some((mover, is_hopeless)) if mover == player => is_hopeless,
            _ => self.model.probability(game, state, plies)[player] < HOPELESS,
        };
        self.mover = Some((player, is_hopeless));
        let here = Drawn { state: *state, player, plies };
        self.decisions += 1;
        if self.rng.below(self.decisions) == 0 {
            self.any = Some(here);
        }
        if is_hopeless {
            self.hopeless += 1;
            if self.rng.below(self.hopeless) == 0 {
                self.last_hope = Some(here);
            }
        }
    }
}

/// The evaluation of a decision.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Finding {
    /// The number of options tried.
    pub options: usize,
    /// The chance of the mover after the best option less that after the worst.
    pub spread: f64,
    /// True if the choice matters.
    pub matters: bool,
    /// The kingmaking index of the decision.
    pub kingmaking: f64,
}

/// The evaluations of the decisions of a game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Findings {
    /// The number of all decisions, and of those of players without hope.
    pub decisions: [u32; 2],
    /// The evaluation of the decision drawn from all.
    pub any: Option<Finding>,
    /// The evaluation of the decision drawn from those of players without hope.
    pub hopeless: Option<Finding>,
}

impl<S: Copy> Sampler<'_, S> {
    /// Tries the options of the decisions drawn from game `index` of the run with seed `seed`.
    ///
    /// # Errors
    /// If an agent fails.
    pub fn examine<G: Playable<State = S> + Observable>(
        &mut self,
        game: &G,
        seats: &mut SeatedAgents<'_, G>,
        seed: u64,
        index: u64,
    ) -> Result<Findings, Error> {
        let decisions = [self.decisions, self.hopeless];
        let drawn = [self.any, self.last_hope];
        let mut found = [None; 2];
        for (found, drawn) in found.iter_mut().zip(drawn) {
            if let Some(drawn) = drawn {
                let trial = Trial { game, model: self.model, seed, index };
                *found = Some(trial.examine(seats, &drawn, &mut self.rng)?);
            }
        }
        Ok(Findings { decisions, any: found[0], hopeless: found[1] })
    }
}

/// The chances of all seats, by option.
type Half = Vec<Vec<f64>>;

struct Trial<'a, G> {
    game: &'a G,
    model: &'a WinModel,
    seed: u64,
    index: u64,
}

impl<G: Playable + Observable> Trial<'_, G> {
    fn examine(
        &self,
        seats: &mut SeatedAgents<'_, G>,
        drawn: &Drawn<G::State>,
        rng: &mut Stream,
    ) -> Result<Finding, Error> {
        let mut options = Vec::new();
        self.game.actions(&drawn.state, drawn.player, &mut options);
        rng.shuffle(&mut options);
        options.truncate(MOST_OPTIONS);
        let mut half = |number: u64| -> Result<Half, Error> {
            let index = TRIALS + 2 * self.index + number;
            let address = Address::of_game(self.seed, index);
            options.iter().map(|&option| self.after(seats, drawn, option, address)).collect()
        };
        let halves = [half(0)?, half(1)?];
        Ok(found(&halves[0], &halves[1], drawn.player.idx()))
    }

    /// Returns the chances at the end of the turn that begins with `option`.
    fn after(
        &self,
        seats: &mut SeatedAgents<'_, G>,
        drawn: &Drawn<G::State>,
        option: G::Action,
        address: Address,
    ) -> Result<Vec<f64>, Error> {
        let (game, player) = (self.game, drawn.player);
        let n = game.n_players();
        let mut run = Run::new(drawn.state, drawn.plies, n, address);
        let event = Event::due(game, &drawn.state, |mover| match mover.player() {
            Some(other) if other != player => seats.choose(&mut run, other),
            _ => Ok(option),
        })?;
        event.expect("a decision was drawn").apply(game, &mut run.state);
        run.plies += 1;
        let mut turn = WholeTurn { player, is_over: false };
        turn.at(game, &run);
        if !turn.is_over {
            seats.play_on(&mut run, &mut turn)?;
        }
        Ok(self.model.probability(game, &run.state, run.plies).first(n).to_vec())
    }
}

/// An observer that stops the game once another player than `player` is to choose.
struct WholeTurn {
    player: Player,
    is_over: bool,
}

impl<G: Playable> GameObserver<G> for WholeTurn {
    fn at(&mut self, game: &G, run: &Run<G::State>) {
        self.is_over = match game.turn(&run.state) {
            Turn::Over => true,
            _ => decider(game, &run.state).is_some_and(|next| next != self.player),
        };
    }

    fn has_enough(&self) -> bool {
        self.is_over
    }
}

/// Evaluates a decision of `player` from two halves of trials.
fn found(one: &Half, other: &Half, player: usize) -> Finding {
    let spreads = [spread(one, other, player), spread(other, one, player)];
    let king = f64::midpoint(king(one, other, player), king(other, one, player));
    Finding {
        options: one.len(),
        spread: f64::midpoint(spreads[0], spreads[1]),
        matters: spreads.iter().all(|&spread| spread >= MATTERS),
        // The sign of max(0, −0) depends on the build.
        kingmaking: if king > 0.0 { king } else { 0.0 },
    }
}

/// Returns the difference in `measure` between the options that are best and worst in `finder`.
fn spread(finder: &Half, measure: &Half, player: usize) -> f64 {
    let order = |&a: &usize, &b: &usize| finder[a][player].total_cmp(&finder[b][player]);
    let best = (0..finder.len()).max_by(order);
    let worst = (0..finder.len()).min_by(order);
    best.zip(worst).map_or(0.0, |(best, worst)| measure[best][player] - measure[worst][player])
}

/// Returns half the change in the other players' chances, measured in `measure`, between the two options with the
/// largest change in `finder`.
fn king(finder: &Half, measure: &Half, player: usize) -> f64 {
    let others = |a: usize, b: usize| {
        let changes = finder[a].iter().zip(&finder[b]).map(|(a, b)| a - b);
        changes.enumerate().filter(move |&(seat, _)| seat != player)
    };
    let size = |a: usize, b: usize| others(a, b).map(|(_, change)| change.abs()).sum::<f64>();
    let pairs = (0..finder.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let Some((a, b)) = pairs.max_by(|x, y| size(x.0, x.1).total_cmp(&size(y.0, y.1))) else {
        return 0.0;
    };
    let along = |(seat, change): (usize, f64)| {
        let sign = if change == 0.0 { 0.0 } else { change.signum() };
        sign * (measure[a][seat] - measure[b][seat])
    };
    0.5 * others(a, b).map(along).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kingmaking_of_nothing_is_no_negative_zero() {
        // The other players' gains are the mover's losses, and both halves are equal except for the sign of zero.
        let halves = [vec![vec![0.5, -0.0], vec![0.5, 0.0]], vec![vec![0.5, 0.0], vec![0.5, -0.0]]];
        for (one, other) in [(0, 1), (1, 0), (0, 0)] {
            let king = found(&halves[one], &halves[other], 0).kingmaking;
            assert!(king == 0.0 && king.is_sign_positive(), "{king}");
        }
    }

    #[test]
    fn who_names_the_winner_has_the_index_one() {
        // The third seat cannot win, and hands the game to the first or to the second.
        let half = vec![vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0], vec![0.5, 0.5, 0.0]];
        let finding = found(&half, &half, 2);
        assert!((finding.kingmaking - 1.0).abs() < 1e-12 && !finding.matters, "{finding:?}");
        // A quarter of the game is theirs to give.
        let half = vec![vec![0.6, 0.4, 0.0], vec![0.35, 0.65, 0.0]];
        assert!((found(&half, &half, 2).kingmaking - 0.25).abs() < 1e-12);
        // The mover's own loss is kingmaking only as far as another player gains it.
        let half = vec![vec![0.5, 0.4, 0.1], vec![0.5, 0.5, 0.0]];
        assert!((found(&half, &half, 2).kingmaking - 0.05).abs() < 1e-12);
    }

    #[test]
    fn noise_alone_is_no_choice() {
        let mut rng = rng::stream(3, 0, Purpose::Analysis);
        let mut noise = || -> Half { (0..8).map(|_| vec![0.5 + 0.1 * rng.unit(), 0.3]).collect() };
        let (mut spreads, mut matter) = (0.0, 0);
        for _ in 0..2_000 {
            let finding = found(&noise(), &noise(), 0);
            spreads += finding.spread / 2_000.0;
            matter += u32::from(finding.matters);
        }
        // With the same numbers, the best and worst of eight would differ by 0.078.
        assert!(f64::abs(spreads) < 0.002, "{spreads}");
        assert!(matter < 500, "{matter} of 2000");
    }
}
