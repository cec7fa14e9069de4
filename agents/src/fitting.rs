//! What a game lends to those who fit its opinions to games: an evaluation under any weights, a value function whose
//! features are counted, and the logits of the options of a decision.
//!
//! Nothing here plays: it looks at whole states, as [`crate::spectator`] does, and no agent is given any of it.

use engine::{ByPlayer, Fast, Game, Notation, Player, Turn};

use crate::guide::{Choice, Choices, Evaluator, Guide};
use crate::mcts::Config;

/// An evaluation with weights in it.
pub trait Evaluation<G: Game>: Send {
    /// What the position is worth to each player; differences between players count.
    fn values(&mut self, game: &G, state: &G::State) -> ByPlayer<f64>;

    /// The difference that multiplies the odds to win by e; 1 where that is to be found.
    fn scale(&mut self, game: &G, state: &G::State) -> f64;

    /// Whether the scale is known. Otherwise values are in units of the score, and how much of it multiplies the odds by e
    /// is to be found.
    fn has_scale(&self) -> bool;
}

/// The estimates of a guide, with its logistic scale.
#[derive(Debug)]
pub(crate) struct Estimates<H>(pub(crate) H);

impl<G: Game, H: Evaluator<G> + Send> Evaluation<G> for Estimates<H> {
    fn values(&mut self, game: &G, state: &G::State) -> ByPlayer<f64> {
        ByPlayer(self.0.estimate(game, state).0.map(f64::from))
    }

    fn scale(&mut self, game: &G, state: &G::State) -> f64 {
        self.0.logistic_scale(game, state).into()
    }

    fn has_scale(&self) -> bool {
        true
    }
}

/// The weights of a value function at one phase, and what turns its values into chances.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseWeights {
    /// A weight for each feature, in units of the score.
    pub weights: Vec<f64>,
    /// The lead over the best rival that multiplies the odds to win by e.
    pub logistic_scale: f64,
    /// The difference between two players that does so in a softmax over the seats.
    pub softmax_scale: f64,
}

/// A value function that is linear in counted features, with weights of its own at each phase of the game.
pub trait ValueTable<G: Game>: Send + Sync {
    /// The names of the features.
    fn features(&self) -> &'static [&'static str];

    /// The names of the phases.
    fn phases(&self) -> Vec<String>;

    /// The phase of a position; `None` when the game is over.
    fn phase(&self, game: &G, state: &G::State) -> Option<usize>;

    /// Appends the features of each seat at the table, one seat after the other.
    fn count(&self, game: &G, state: &G::State, out: &mut Vec<f32>);

    /// What it says at a phase.
    fn at(&self, phase: usize) -> PhaseWeights;

    /// The file that says `all`, a value for each phase, below lines of comment.
    fn write(&self, head: &[String], all: &[PhaseWeights]) -> String;
}

/// The options of `mover` as a search with these settings lists them, and what each of `guides` says of them: by guide, a
/// logit for each option. All guides see the same dice.
pub fn prior_logits<G: Notation, H: Guide<G>>(
    game: &G,
    guides: &mut [H],
    config: &Config,
    world: &G::State,
    mover: Player,
    dice: &Fast,
) -> (Vec<String>, Vec<Vec<f32>>) {
    let options = options_of(game, &mut guides[0], config, world, mover);
    let logits = guides.iter_mut().map(|guide| {
        let mut out = Vec::with_capacity(options.len());
        if matches!(game.turn(world), Turn::Simultaneous(_)) {
            guide.logits_simultaneous(game, world, mover, &options, &mut out);
        } else {
            guide.logits(game, world, &options, &mut dice.clone(), &mut out);
        }
        out.resize(options.len(), 0.0);
        out
    });
    let logits = logits.collect();
    let text = |option: &Choice<G::Action, H::Macro>| match option {
        Choice::Ply(action) => game.action_text(*action),
        Choice::Macro(macro_action) => guides[0].macro_text(game, *macro_action),
    };
    (options.iter().map(text).collect(), logits)
}

/// Whether `mover` decides among macro-actions in this world, as searches list them.
pub fn offers_macros<G: Game, H: Guide<G>>(
    game: &G,
    guide: &mut H,
    world: &G::State,
    mover: Player,
) -> bool {
    !macros_of(game, guide, world, mover).is_empty()
}

/// The macro-actions of `mover` in this world, as searches list them; none where he decides among single plies.
pub fn macros_of<G: Game, H: Guide<G>>(
    game: &G,
    guide: &mut H,
    world: &G::State,
    mover: Player,
) -> Choices<G, H::Macro> {
    let mut options = Vec::new();
    if H::HAS_MACROS {
        guide.macro_actions(game, world, mover, &mut options);
    }
    options
}

fn options_of<G: Game, H: Guide<G>>(
    game: &G,
    guide: &mut H,
    config: &Config,
    world: &G::State,
    mover: Player,
) -> Choices<G, H::Macro> {
    let mut options = match config.macro_actions {
        true => macros_of(game, guide, world, mover),
        false => Vec::new(),
    };
    if options.is_empty() || config.plies > 0.0 {
        let mut actions = Vec::new();
        game.actions(world, mover, &mut actions);
        options.extend(actions.into_iter().map(Choice::Ply));
    }
    options
}
