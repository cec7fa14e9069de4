//! Access to the evaluation of a game for fitting: an evaluation under any weights, a value function with counted
//! features, and the logits of the options of a decision.
//!
//! The module sees whole states, as [`crate::spectator`] does. No agent plays with it.

use engine::{ByPlayer, Fast, Game, Notation, Player, Turn};

use crate::guide::{Choice, Choices, Evaluator, Guide, Prospects};
use crate::mcts::Config;
use crate::net::{Inputs, OptionInputs};

/// An evaluation with adjustable weights.
pub trait Evaluation<G: Game>: Send {
    /// Returns the value of the position for each player. Only differences between players count.
    fn values(&mut self, game: &G, state: &G::State) -> ByPlayer<f64>;

    /// Returns the difference that multiplies the odds of winning by e; 1 if the fit must find it.
    fn scale(&mut self, game: &G, state: &G::State) -> f64;

    /// Returns whether the scale is known. If not, values are in units of the score, and the fit finds the difference
    /// that multiplies the odds by e.
    fn has_scale(&self) -> bool;
}

/// The estimates of a guide with its logistic scale, as an evaluation.
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

/// The weights of a value function at one phase, with the scales that turn values into probabilities.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseWeights {
    /// The weight of each feature, in units of the score.
    pub weights: Vec<f64>,
    /// The lead over the best rival that multiplies the odds of winning by e.
    pub logistic_scale: f64,
    /// The difference between two players that multiplies their odds by e in a softmax over the seats.
    pub softmax_scale: f64,
}

/// A value function that is linear in counted features, with separate weights for each phase of the game.
pub trait ValueTable<G: Game>: Send + Sync {
    /// Returns the names of the features.
    fn features(&self) -> &'static [&'static str];

    /// Returns the names of the phases.
    fn phases(&self) -> Vec<String>;

    /// Returns the phase of a position; `None` after the end of the game.
    fn phase(&self, game: &G, state: &G::State) -> Option<usize>;

    /// Appends the features of each seat at the table, one seat after the other.
    fn count(&self, game: &G, state: &G::State, out: &mut Vec<f32>);

    /// Returns the weights of a phase.
    fn at(&self, phase: usize) -> PhaseWeights;

    /// Returns the text of a file with the weights `all`, one entry per phase, below the comment lines `head`.
    fn write(&self, head: &[String], all: &[PhaseWeights]) -> String;
}

/// Returns the logits of the options of `mover`, by guide and option. The options are those of a search with these
/// settings. All guides use the same dice.
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

/// A decision in a world, with the logits of its options by a guide.
#[derive(Clone, Copy, Debug)]
pub struct Considered<'a, S> {
    /// The world.
    pub world: &'a S,
    /// The player to decide.
    pub mover: Player,
    /// The logits of the options.
    pub logits: &'a [f32],
    /// The inputs of the world for a net.
    pub inputs: &'a Inputs,
}

/// Returns the inputs of the options of a decision for the policy head of a net; none where the game counts none. The
/// options are those of [`prior_logits`].
pub fn option_inputs<G: Game, H: Guide<G>>(
    game: &G,
    guide: &mut H,
    config: &Config,
    decision: Considered<'_, G::State>,
) -> OptionInputs {
    let Considered { world, mover, logits, inputs } = decision;
    let (options, mut out) =
        (options_of(game, guide, config, world, mover), OptionInputs::default());
    guide.count_options(game, world, Prospects { options: &options, logits }, inputs, &mut out);
    out
}

/// Returns whether a search finds macro-actions for `mover` in this world.
pub fn offers_macros<G: Game, H: Guide<G>>(
    game: &G,
    guide: &mut H,
    world: &G::State,
    mover: Player,
) -> bool {
    !macros_of(game, guide, world, mover).is_empty()
}

/// Returns the macro-actions that a search finds for `mover` in this world; empty if there are only single plies.
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
