//! Evaluators of the program that embeds this crate: functions that value the leaves of a search and give its priors.
//!
//! A spec names such an evaluator by the parameter `evaluator` of a search. It gets the numbers that the seat which acts
//! in a determinized world sees of that world, never the world itself. It is a function: a search may answer a question
//! that it has asked before from memory.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::{
    ActionIndex, ByPlayer, Game, ObservationTensor, Player, Turn, View, key_of, observation,
};

use crate::param::{Domain, Param};

/// The parameter of a search that names its evaluator.
pub const EVALUATOR: Param = Param {
    name: "evaluator",
    domain: Domain::Text,
    default: "",
    is_games: false,
    unit: "",
    meaning: "values and priors by a function of the Python program that plays, in place of all that the game says: see docs/python.md",
};

/// The settings of a search with an evaluator, over the defaults and under its spec. Settings of the game do not count:
/// they were measured with the evaluation of the game.
pub(crate) const SETTINGS: &str = "select=puct, fpu=0, horizon=leaf, macro_actions=off";

/// Slots of the answers that a tree remembers. A leaf is asked about again when it becomes a node.
const REMEMBERED: usize = 1 << 10;

/// A question to an evaluator: a position as the seat sees it that acts there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Observed<'a> {
    /// The observation of the seat, in the layout of the game.
    pub numbers: &'a [f32],
    /// The numbers of the legal actions of the seat, in the order of the game.
    pub legal: &'a [u32],
    /// The number of all actions of the game.
    pub n_actions: usize,
    /// The number of players.
    pub n_players: usize,
    /// The seat that acts; of several that act at once the one that searches, if it does, else the first.
    pub seat: Player,
}

/// The answer of an evaluator.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluated {
    /// The expected payoff of each player, each in `[0, 1]`; they add up to 1.
    pub values: ByPlayer<f32>,
    /// A finite logit for each legal action, in their order; empty for equal priors.
    pub logits: Vec<f32>,
}

/// An evaluator of the embedding program.
pub trait EmbeddedEvaluator: fmt::Debug + Send + Sync {
    /// Evaluates a position.
    ///
    /// # Errors
    /// If the evaluator fails: the reason, in one line.
    fn evaluate(&self, observed: &Observed<'_>) -> Result<Evaluated, String>;
}

/// The evaluator of a search that is only read: it is not here, and nothing plays.
#[derive(Debug)]
pub(crate) struct Absent;

impl EmbeddedEvaluator for Absent {
    fn evaluate(&self, _: &Observed<'_>) -> Result<Evaluated, String> {
        Err("the evaluator is not here".to_owned())
    }
}

/// An evaluator that several searches share.
pub type SharedEvaluator = Arc<dyn EmbeddedEvaluator>;

static EVALUATORS: Mutex<BTreeMap<String, SharedEvaluator>> = Mutex::new(BTreeMap::new());

fn evaluators() -> MutexGuard<'static, BTreeMap<String, SharedEvaluator>> {
    EVALUATORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets specs name `evaluator` by `name`, until [`withdraw`].
pub fn embed(name: &str, evaluator: SharedEvaluator) {
    evaluators().insert(name.to_owned(), evaluator);
}

/// Forgets the evaluator called `name`.
pub fn withdraw(name: &str) {
    evaluators().remove(name);
}

/// Returns the evaluator called `name`, if there is one.
pub(crate) fn embedded(name: &str) -> Option<SharedEvaluator> {
    evaluators().get(name).cloned()
}

/// The functions of a game that make numbers of positions and actions.
struct Tensors<G: Game> {
    observe: fn(View<'_, G>, &mut [f32]),
    n_observed: fn(&G) -> usize,
    number_of: fn(&G, G::Action) -> u32,
    n_actions: fn(&G) -> usize,
}

impl<G: Game> Clone for Tensors<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Tensors<G> {}

impl<G: Game> fmt::Debug for Tensors<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tensors")
    }
}

/// A question with its answer.
#[derive(Clone, Debug)]
struct Answered {
    seat: Player,
    numbers: Vec<f32>,
    legal: Vec<u32>,
    evaluated: Evaluated,
}

/// An evaluator at the leaves of one tree.
#[derive(Clone, Debug)]
pub struct AtLeaves<G: Game> {
    evaluator: SharedEvaluator,
    tensors: Tensors<G>,
    numbers: Vec<f32>,
    actions: Vec<G::Action>,
    legal: Vec<u32>,
    /// Answers by the hash of their question; the later one stays.
    answered: Vec<Option<Answered>>,
    fault: Option<String>,
}

impl<G: ActionIndex + ObservationTensor> AtLeaves<G> {
    /// Creates the leaves of a tree that `evaluator` values.
    #[must_use]
    pub fn evaluated_by(evaluator: &SharedEvaluator) -> Self {
        let tensors = Tensors {
            observe: observation::write::<G>,
            n_observed: |game| observation::len(&observation::layout(game)),
            number_of: |game: &G, action| game.number_of(action) as u32,
            n_actions: G::n_numbers,
        };
        Self {
            evaluator: Arc::clone(evaluator),
            tensors,
            numbers: Vec::new(),
            actions: Vec::new(),
            legal: Vec::new(),
            answered: Vec::new(),
            fault: None,
        }
    }
}

impl<G: Game> AtLeaves<G> {
    /// Returns the values of a leaf, in a search of `me`; equal ones after a fault.
    ///
    /// # Panics
    /// If no player chooses there.
    pub(crate) fn values(&mut self, game: &G, world: &G::State, me: Player) -> ByPlayer<f32> {
        let seat = match game.turn(world) {
            Turn::Player(seat) => seat,
            Turn::Simultaneous(seats) if seats.contains(me) => me,
            Turn::Simultaneous(seats) => seats.iter().next().expect("somebody acts"),
            Turn::Chance | Turn::Over => unreachable!("a leaf is a decision"),
        };
        let equal = ByPlayer([1.0 / game.n_players() as f32; engine::MAX_PLAYERS]);
        self.evaluate(game, world, seat).map_or(equal, |evaluated| evaluated.values)
    }

    /// Appends the logits of the legal actions of `mover`, in the order of the game; nothing if the evaluator has none.
    pub(crate) fn logits(&mut self, game: &G, world: &G::State, mover: Player, out: &mut Vec<f32>) {
        if let Some(evaluated) = self.evaluate(game, world, mover) {
            out.extend(&evaluated.logits);
        }
    }

    /// Returns whether the evaluator has failed.
    pub(crate) const fn has_failed(&self) -> bool {
        self.fault.is_some()
    }

    /// Returns the reason for which the evaluator failed, and forgets it.
    pub(crate) fn take_fault(&mut self) -> Option<String> {
        self.fault.take()
    }

    /// Returns the evaluation of `world` by what `seat` sees of it; `None` after a fault.
    fn evaluate(&mut self, game: &G, world: &G::State, seat: Player) -> Option<&Evaluated> {
        if self.has_failed() {
            return None;
        }
        self.observe(game, world, seat);
        let Self { evaluator, tensors, numbers, legal, answered, fault, .. } = self;
        let bits = numbers.iter().fold(0, |bits, number| key_of(&(bits, number.to_bits())));
        let slot = key_of(&(seat, bits, &*legal)) as usize % REMEMBERED;
        let slot = &mut answered[slot];
        let is_known = slot.as_ref().is_some_and(|known| {
            known.seat == seat && known.legal == *legal && known.numbers == *numbers
        });
        if !is_known {
            let observed = Observed {
                numbers,
                legal,
                n_actions: (tensors.n_actions)(game),
                n_players: game.n_players(),
                seat,
            };
            match evaluator.evaluate(&observed) {
                Ok(evaluated) => {
                    let (numbers, legal) = (numbers.clone(), legal.clone());
                    *slot = Some(Answered { seat, numbers, legal, evaluated });
                }
                Err(reason) => {
                    *fault = Some(reason);
                    return None;
                }
            }
        }
        slot.as_ref().map(|known| &known.evaluated)
    }

    /// Fills the memory for a question.
    fn observe(&mut self, game: &G, world: &G::State, seat: Player) {
        if self.answered.is_empty() {
            self.answered.resize(REMEMBERED, None);
            self.numbers.resize((self.tensors.n_observed)(game), 0.0);
        }
        (self.tensors.observe)(View::new(game, world, seat), &mut self.numbers);
        self.actions.clear();
        game.actions(world, seat, &mut self.actions);
        self.legal.clear();
        self.legal.extend(self.actions.iter().map(|&one| (self.tensors.number_of)(game, one)));
    }
}
