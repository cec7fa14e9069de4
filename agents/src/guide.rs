//! The knowledge of a search about a game beyond its rules: [`Guide`].
//!
//! A guide consists of four traits:
//!
//! - [`Evaluator`]: the value of a position.
//! - [`Prior`]: the promise of each option before it is tried.
//! - [`RolloutPolicy`]: the play without a tree.
//! - [`MacroActions`]: sequences of plies as options.
//!
//! Every method has a default, so a game implements only the parts that it has. A search can play any game without a
//! guide ([`Unguided`]). It then plays random games to the end and uses only their points.
//!
//! All methods receive *worlds*: determinized states, in which hidden information was drawn anew.

use std::convert::Infallible;
use std::fmt::Debug;

use engine::{ByPlayer, Fast, Game, Player, PlayerSet};

use crate::net::{Inputs, OptionInputs};

/// An option of a player in a search: a single ply or a macro-action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Choice<A, M> {
    /// One legal action.
    Ply(A),
    /// A purposeful sequence of plies, carried out by [`MacroActions::carry_out`].
    Macro(M),
}

/// The progress of a game, in units after which a position can be evaluated. Each guide defines them for its game. A
/// game without such units stays at 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Progress {
    /// Completed stages, the longest units, for example from scoring to scoring.
    pub stage: u32,
    /// Completed rounds of this stage.
    pub round: u32,
    /// Completed turns of this round.
    pub turn: u32,
}

/// The options of a player, with reusable memory.
pub type Choices<G, M> = Vec<Choice<<G as Game>::Action, M>>;

/// The evaluation of positions.
pub trait Evaluator<G: Game> {
    /// True if [`Evaluator::estimate`] is implemented.
    const CAN_ESTIMATE: bool = false;

    /// Returns the value of the position for each player, in units of the score. Only differences between players
    /// count. Searches do not call it after the end of a game, where the points are known.
    fn estimate(&mut self, _game: &G, _world: &G::State) -> ByPlayer<f32> {
        ByPlayer::default()
    }

    /// Returns the scale of the logistic function from lead to win probability. It is the lead, in units of the score,
    /// that multiplies the odds by e at this point of the game.
    fn logistic_scale(&self, _game: &G, _world: &G::State) -> f32 {
        1.0
    }

    /// Returns the difference between two players that multiplies their odds by e, for probabilities that are a softmax
    /// over the seats.
    fn softmax_scale(&self, game: &G, world: &G::State) -> f32 {
        self.logistic_scale(game, world)
    }
}

/// Macro-actions as options of a search.
pub trait MacroActions<G: Game> {
    /// The type of a macro-action; [`Infallible`] for games without macro-actions.
    type Macro: Copy + PartialEq + Debug + Send + Sync;

    /// True if [`MacroActions::macro_actions`] can return one.
    const HAS_MACROS: bool = false;

    /// Appends the macro-actions of `player`; none if the decision is about a single ply.
    fn macro_actions(
        &mut self,
        _game: &G,
        _world: &G::State,
        _player: Player,
        _out: &mut Choices<G, Self::Macro>,
    ) {
    }

    /// Plays the macro-action of `player` to its end. Other decisions follow a policy, and chance is sampled.
    fn carry_out(
        &mut self,
        _game: &G,
        _world: &mut G::State,
        _player: Player,
        _macro_action: Self::Macro,
        _rng: &mut Fast,
    ) {
    }

    /// Returns the ply of `macro_action` for the decision of `player`, if there is one. `is_first` marks its first ply.
    fn ply_of(
        &mut self,
        _game: &G,
        _world: &G::State,
        _player: Player,
        _macro_action: Self::Macro,
        _is_first: bool,
    ) -> Option<G::Action> {
        None
    }

    /// Returns the macro-action as text for people.
    fn macro_text(&self, _game: &G, macro_action: Self::Macro) -> String {
        format!("{macro_action:?}")
    }
}

/// The promise of options before they are tried: the logits of the priors of a search.
pub trait Prior<G: Game>: MacroActions<G> {
    /// Appends the logit of each of `options`: its apparent value for the mover, in units of the score. A common offset
    /// changes nothing.
    fn logits(
        &mut self,
        _game: &G,
        _world: &G::State,
        options: &Choices<G, Self::Macro>,
        _rng: &mut Fast,
        out: &mut Vec<f32>,
    ) {
        out.resize(out.len() + options.len(), 0.0);
    }

    /// Appends the logits of the options of `mover` in a simultaneous turn. By default it appends nothing, and all
    /// options get equal priors.
    fn logits_simultaneous(
        &mut self,
        _game: &G,
        _world: &G::State,
        _mover: Player,
        _options: &Choices<G, Self::Macro>,
        _out: &mut Vec<f32>,
    ) {
    }

    /// Fills `out` with the inputs of `options` for the policy head of a net, where the game counts any. `logits` are
    /// those of the options without the head; `inputs` are those of the world.
    fn count_options(
        &mut self,
        _game: &G,
        _world: &G::State,
        _options: Prospects<'_, Choice<G::Action, Self::Macro>>,
        _inputs: &Inputs,
        _out: &mut OptionInputs,
    ) {
    }

    /// Leaves the policy head of a net out of the logits from now on.
    fn leave_out_policy(&mut self) {}
}

/// The options of a decision, with their logits.
#[derive(Clone, Copy, Debug)]
pub struct Prospects<'a, C> {
    /// The options.
    pub options: &'a [C],
    /// The logit of each.
    pub logits: &'a [f32],
}

/// The policy that plays a game on without a tree.
pub trait RolloutPolicy<G: Game>: MacroActions<G> {
    /// True if [`RolloutPolicy::rollout_policy`] is implemented.
    const HAS_ROLLOUT_POLICY: bool = false;

    /// Returns the action of a sensible player without search.
    ///
    /// # Panics
    /// May panic unless [`RolloutPolicy::HAS_ROLLOUT_POLICY`].
    fn rollout_policy(
        &mut self,
        _game: &G,
        _world: &G::State,
        _player: Player,
        _rng: &mut Fast,
    ) -> Choice<G::Action, Self::Macro> {
        unreachable!("this guide has no rollout policy")
    }

    /// Returns the action of a faster and less careful policy than [`RolloutPolicy::rollout_policy`].
    fn fast_rollout_policy(
        &mut self,
        game: &G,
        world: &G::State,
        player: Player,
        rng: &mut Fast,
    ) -> Choice<G::Action, Self::Macro> {
        self.rollout_policy(game, world, player, rng)
    }
}

/// All knowledge of a search about a game beyond its rules.
pub trait Guide<G: Game>:
    Evaluator<G> + Prior<G> + RolloutPolicy<G> + Clone + Debug + Send + Sync
{
    /// Returns the progress of the game.
    fn progress(&self, _game: &G, _world: &G::State) -> Progress {
        Progress::default()
    }

    /// Returns the present allies of `player` by the rules, without `player`.
    fn allies(&self, _game: &G, _world: &G::State, _player: Player) -> PlayerSet {
        PlayerSet::default()
    }

    /// Returns a key of the position, for searches with open nodes. They keep positions apart by it, by mover and by
    /// history.
    fn situation(&self, _game: &G, _world: &G::State) -> u64 {
        0
    }
}

/// The guide without any knowledge.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Unguided;

impl<G: Game> Evaluator<G> for Unguided {}

impl<G: Game> MacroActions<G> for Unguided {
    type Macro = Infallible;
}

impl<G: Game> Prior<G> for Unguided {}

impl<G: Game> RolloutPolicy<G> for Unguided {}

impl<G: Game> Guide<G> for Unguided {}
