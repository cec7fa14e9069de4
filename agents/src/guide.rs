//! What a search knows of a game beyond its rules: [`Guide`].
//!
//! A guide is four things, each a trait of its own: what a position is worth ([`Evaluator`]), which options look
//! good before they are tried ([`Prior`]), by whom a game is played on without a tree ([`RolloutPolicy`]), and
//! which whole actions are worth a thought ([`MacroActions`]). Every method has a default, so that a game says of
//! each as much as it knows, and a search plays any game without a guide ([`Unguided`]); it then plays out at random
//! to the end and knows nothing but points.
//!
//! All are asked about *worlds*: states in which what the searching player cannot know has been drawn anew (determinized).

use std::convert::Infallible;
use std::fmt::Debug;

use engine::{ByPlayer, Fast, Game, Player, PlayerSet};

/// What a player can choose in a search: a single ply, or a macro-action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Choice<A, M> {
    /// One legal action.
    Ply(A),
    /// A purposeful sequence of plies, carried out by [`MacroActions::carry_out`].
    Macro(M),
}

/// How far a game has come, in stretches after which a position can be valued. What they are in a game is for its
/// guide to say; a game that is all of a piece has none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Progress {
    /// Stages that are over: the longest stretches, as from one scoring to the next.
    pub stage: u32,
    /// Rounds of this stage that are over.
    pub round: u32,
    /// Turns of this round that are over.
    pub turn: u32,
}

/// The options of a player, with the memory that it takes to find and rank them.
pub type Choices<G, M> = Vec<Choice<<G as Game>::Action, M>>;

/// What positions are worth.
pub trait Evaluator<G: Game> {
    /// Whether [`Evaluator::estimate`] means anything.
    const CAN_ESTIMATE: bool = false;

    /// What the position is worth to each player, in units of the score; differences between players count. Searches do
    /// not ask it at the end of a game, where the points are known.
    fn estimate(&mut self, _game: &G, _world: &G::State) -> ByPlayer<f32> {
        ByPlayer::default()
    }

    /// The scale of the logistic function from a lead to a chance to win: the lead, in units of the score, that
    /// multiplies the odds by e at this point of the game.
    fn logistic_scale(&self, _game: &G, _world: &G::State) -> f32 {
        1.0
    }

    /// The difference between two players that multiplies the odds between them by e, where chances are a softmax over the
    /// seats.
    fn softmax_scale(&self, game: &G, world: &G::State) -> f32 {
        self.logistic_scale(game, world)
    }
}

/// Whole actions as options of a search.
pub trait MacroActions<G: Game> {
    /// A macro-action; [`Infallible`] for games without any.
    type Macro: Copy + PartialEq + Debug + Send + Sync;

    /// Whether [`MacroActions::macro_actions`] ever gives one.
    const HAS_MACROS: bool = false;

    /// Appends the macro-actions of `player`; none where a single ply is all there is to decide.
    fn macro_actions(
        &mut self,
        _game: &G,
        _world: &G::State,
        _player: Player,
        _out: &mut Choices<G, Self::Macro>,
    ) {
    }

    /// Plays `macro_action` of `player` to its end: his plies as it says, all others by a policy, chance as it falls.
    fn carry_out(
        &mut self,
        _game: &G,
        _world: &mut G::State,
        _player: Player,
        _macro_action: Self::Macro,
        _rng: &mut Fast,
    ) {
    }

    /// What `macro_action` says to the decision of `player` that is due, if anything; `is_first` when it begins.
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

    /// The macro-action for people.
    fn macro_text(&self, _game: &G, macro_action: Self::Macro) -> String {
        format!("{macro_action:?}")
    }
}

/// What options look like before they are tried: the logits of the priors of a search.
pub trait Prior<G: Game>: MacroActions<G> {
    /// Appends the logit of each of `options`: what it looks like it is worth to the mover, in units of the score; any
    /// common offset will do.
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

    /// The same for `mover` where several choose at once; by default nothing is appended, and then all are alike.
    fn logits_simultaneous(
        &mut self,
        _game: &G,
        _world: &G::State,
        _mover: Player,
        _options: &Choices<G, Self::Macro>,
        _out: &mut Vec<f32>,
    ) {
    }
}

/// How a game is played on without a tree.
pub trait RolloutPolicy<G: Game>: MacroActions<G> {
    /// Whether [`RolloutPolicy::rollout_policy`] means anything.
    const HAS_ROLLOUT_POLICY: bool = false;

    /// What a sensible player does without thinking.
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

    /// The fast rollout policy: less careful than [`RolloutPolicy::rollout_policy`].
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

/// All that a search asks of a game beyond its rules.
pub trait Guide<G: Game>:
    Evaluator<G> + Prior<G> + RolloutPolicy<G> + Clone + Debug + Send + Sync
{
    /// How far the game has come.
    fn progress(&self, _game: &G, _world: &G::State) -> Progress {
        Progress::default()
    }

    /// Whom the rules make allies of `player` now, himself not included.
    fn allies(&self, _game: &G, _world: &G::State, _player: Player) -> PlayerSet {
        PlayerSet::default()
    }

    /// What tells the positions apart that a search with open nodes keeps apart, beside mover and history.
    fn situation(&self, _game: &G, _world: &G::State) -> u64 {
        0
    }
}

/// The guide that knows nothing.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Unguided;

impl<G: Game> Evaluator<G> for Unguided {}

impl<G: Game> MacroActions<G> for Unguided {
    type Macro = Infallible;
}

impl<G: Game> Prior<G> for Unguided {}

impl<G: Game> RolloutPolicy<G> for Unguided {}

impl<G: Game> Guide<G> for Unguided {}
