//! Choices that matter, and choices that make a king.
//!
//! In a decision that is drawn at random, each option is tried: it is played, the turn is played on by the agents until
//! somebody else is to choose, and the model says how likely everybody then is to win. So an option is worth what it
//! comes to in this turn, and not what its first ply looks like. Everything is done twice with other random numbers, the same for all
//! options.
//!
//! **A choice matters** if the best and the worst option of one half lie at least [`MATTERS`] apart in the other half, both ways
//! round. Chosen and measured on the same numbers, noise alone would spread the options; measured on others it does not.
//!
//! **Kingmaking.** In a decision of a player whose own chance is below [`HOPELESS`]: half the largest change, added up
//! over the other players, that his options make in their chances, `½ max Σ_{j≠i} |p_j(a) − p_j(b)|`; the two options
//! and the signs are found in one half and measured in the other, and the mean of both ways round is told. 1 means
//! that he who cannot win names the winner.

use agents::playable::decider;
use agents::{Observable, Playable};
use engine::{Event, Player, Purpose, Randomness, Stream, Turn, rng};

use sim::error::Error;
use sim::game_loop::{Address, GameObserver, Run};
use sim::observed_play::SeatedAgents;
use sim::win_model::WinModel;

/// The difference in the chance of the mover from which on a choice matters.
pub const MATTERS: f64 = 0.02;
/// Whoever has less is without hope.
pub const HOPELESS: f64 = 0.02;
/// Most options that are tried, drawn at random where there are more.
pub const MOST_OPTIONS: usize = 8;
/// Streams of trials are numbered from here on, beyond those of games.
const TRIALS: u64 = 1 << 40;

/// A decision that was drawn.
#[derive(Clone, Copy, Debug)]
struct Drawn<S> {
    state: S,
    player: Player,
    plies: u32,
}

/// Draws a decision of each game, and one of a player without hope if there is one.
#[derive(Debug)]
pub struct Sampler<'a, S> {
    model: &'a WinModel,
    rng: Stream,
    /// Who chose last, and whether he was without hope when his turn began.
    mover: Option<(Player, bool)>,
    /// Decisions, and those of players without hope.
    pub decisions: u32,
    /// Decisions of players without hope.
    pub hopeless: u32,
    any: Option<Drawn<S>>,
    last_hope: Option<Drawn<S>>,
}

impl<'a, S> Sampler<'a, S> {
    /// Draws from game `index`.
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

/// What was found out about a decision.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Finding {
    /// Options that were tried.
    pub options: usize,
    /// How far the best lies above the worst, in the chance of the mover.
    pub spread: f64,
    /// Whether the choice matters.
    pub matters: bool,
    /// The kingmaking index of the decision.
    pub kingmaking: f64,
}

/// What was found out about the decisions of a game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Findings {
    /// All decisions, and those of players without hope.
    pub decisions: [u32; 2],
    /// Of the one that was drawn from all.
    pub any: Option<Finding>,
    /// Of the one that was drawn from those without hope.
    pub hopeless: Option<Finding>,
}

impl<S: Copy> Sampler<'_, S> {
    /// Tries the options of the decisions that were drawn from game `index` of the run with seed `seed`.
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

/// The chances of all seats after each option.
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

    /// The chances when the turn is over that begins with `option`.
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

/// Plays until somebody else than `player` is to choose.
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

/// What two halves of trials say of a decision of `player`.
fn found(one: &Half, other: &Half, player: usize) -> Finding {
    let spreads = [spread(one, other, player), spread(other, one, player)];
    let king = f64::midpoint(king(one, other, player), king(other, one, player));
    Finding {
        options: one.len(),
        spread: f64::midpoint(spreads[0], spreads[1]),
        matters: spreads.iter().all(|&spread| spread >= MATTERS),
        // Which zero the larger of 0 and −0 is depends on how a program was built.
        kingmaking: if king > 0.0 { king } else { 0.0 },
    }
}

/// How far the options that are best and worst in `finder` lie apart in `measure`.
fn spread(finder: &Half, measure: &Half, player: usize) -> f64 {
    let order = |&a: &usize, &b: &usize| finder[a][player].total_cmp(&finder[b][player]);
    let best = (0..finder.len()).max_by(order);
    let worst = (0..finder.len()).min_by(order);
    best.zip(worst).map_or(0.0, |(best, worst)| measure[best][player] - measure[worst][player])
}

/// Half the change in the chances of the others between the two options between which it is largest in `finder`,
/// measured in `measure`.
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
        // Who chooses loses what the others win, and they are alike in both halves but for the sign of nothing.
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
        // A quarter of the game is his to give.
        let half = vec![vec![0.6, 0.4, 0.0], vec![0.35, 0.65, 0.0]];
        assert!((found(&half, &half, 2).kingmaking - 0.25).abs() < 1e-12);
        // What he takes from himself is no kingmaking, beyond what the others get of it.
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
        // On the same numbers best and worst of eight would lie 0.078 apart.
        assert!(f64::abs(spreads) < 0.002, "{spreads}");
        assert!(matter < 500, "{matter} of 2000");
    }
}
