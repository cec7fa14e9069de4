//! The greedy agent of classic. It judges each decision by its result at the end of this turn's combat.
//!
//! A menu only goes forward, so the best option of all would skip everything before it. The agent takes the first word
//! and source that are better than ending the menu, and of these the best goal. Purchases are composed as a whole,
//! unless the settings ask for single lines.

use engine::games::classic::{Action, Classic, Phase, State, Verb};
use engine::{Fast, Player, Randomness, Stream, View, rng};

use super::buyer::Buyer;
use super::lookahead::Lookahead;
use crate::agent::Agent;

/// The least gain, in talents, that an action must promise.
pub(super) const WORTH_IT: f32 = 0.5;

/// The greedy agent.
#[derive(Debug)]
pub struct GreedyClassic {
    epsilon: f64,
    lookahead: Lookahead,
    options: Vec<Action>,
    /// The buyer, if purchases are composed as a whole.
    buyer: Option<Buyer>,
}

impl GreedyClassic {
    /// Creates an agent that decides at random with probability `epsilon`.
    pub(super) const fn new(epsilon: f64, lookahead: Lookahead, buyer: Option<Buyer>) -> Self {
        Self { epsilon, lookahead, options: Vec::new(), buyer }
    }

    /// Returns the next ply of a round of purchases, from the present plan or a new one.
    fn purchase(&mut self, game: &Classic, s: &State, rng: &Fast) -> Option<Action> {
        if let Some(action) = self.buyer.as_mut()?.go_on(game, s) {
            return Some(action);
        }
        if s.phase() != Phase::Market {
            return None;
        }
        self.deal(game, s, rng).or_else(|| self.buyer.as_mut()?.begin(game, s))
    }

    /// Returns the offer with the largest gain, if it is accepted and worth it. The answer is another player's
    /// decision, so the offer comes before the purchases.
    fn deal(&self, game: &Classic, s: &State, rng: &Fast) -> Option<Action> {
        let value = |action| self.lookahead.value(game, s, s.turn(), action, rng);
        let is_deal = |action: &&Action| matches!(action.verb(), Verb::Ransom | Verb::Exchange);
        let n = self.options.iter().take_while(is_deal).count();
        let (deal, worth) = best(self.options.get(..n).filter(|deals| !deals.is_empty())?, value);
        (worth > value(*self.options.last()?) + WORTH_IT).then_some(deal)
    }
}

/// Returns the greedy decision among `options`.
pub(super) fn decide(
    lookahead: &Lookahead,
    game: &Classic,
    s: &State,
    player: Player,
    options: &[Action],
    rng: &Fast,
) -> Action {
    match s.phase() {
        Phase::Place => at_home(game, player, options),
        Phase::Move | Phase::Attack | Phase::Market => {
            menu(lookahead, game, s, player, options, rng)
        }
        _ => best(options, |action| lookahead.value(game, s, player, action, rng)).0,
    }
}

/// Returns the placing at the home, where the caesar is. The pieces march together from there.
fn at_home(game: &Classic, player: Player, options: &[Action]) -> Action {
    *options.iter().find(|action| is_at_home(game, player, **action)).unwrap_or(&options[0])
}

/// Returns whether an action places all its pieces at home.
pub(super) fn is_at_home(game: &Classic, player: Player, action: Action) -> bool {
    let home = game.home_of(player).number();
    let [_, p, _, q, _] = action.args();
    p == home && (q == home || action.verb() == Verb::PlaceOne)
}

/// Returns the word of a menu line and its source place. Purchases of all places are compared with each other.
pub(super) fn source(s: &State, line: Action) -> (Verb, u8) {
    (line.verb(), if s.phase() == Phase::Market { 0 } else { line.arg() })
}

/// Returns the best option of the first word and source that are better than ending the menu.
fn menu(
    lookahead: &Lookahead,
    game: &Classic,
    s: &State,
    player: Player,
    options: &[Action],
    rng: &Fast,
) -> Action {
    let value = |action| lookahead.value(game, s, player, action, rng);
    let (done, begun) = options.split_last().expect("a menu ends with done");
    let enough = value(*done) + WORTH_IT;
    let mut rest = begun;
    while let Some(&first) = rest.first() {
        let of_first = |action: &&Action| source(s, **action) == source(s, first);
        let n = rest.iter().take_while(of_first).count();
        let (action, worth) = best(&rest[..n], value);
        if worth > enough {
            return action;
        }
        rest = &rest[n..];
    }
    *done
}

/// Returns the first of the best options, with its value.
fn best(options: &[Action], mut value: impl FnMut(Action) -> f32) -> (Action, f32) {
    let mut best = (options[0], f32::MIN);
    for &action in options {
        let worth = value(action);
        if worth > best.1 {
            best = (action, worth);
        }
    }
    best
}

impl Agent<Classic> for GreedyClassic {
    fn start(&mut self, _game: &Classic, _seat: Player) {
        if let Some(buyer) = &mut self.buyer {
            buyer.forget();
        }
    }

    fn choose(&mut self, view: View<'_, Classic>, rng: &mut Stream) -> Action {
        if self.epsilon > 0.0 && rng.unit() < self.epsilon {
            return view.random_action(rng, &mut self.options);
        }
        self.options.clear();
        view.actions(&mut self.options);
        let fast = rng::fast(rng);
        let (game, s) = (view.game(), view.state());
        if let Some(action) = self.purchase(game, s, &fast) {
            return action;
        }
        decide(&self.lookahead, game, s, view.observer(), &self.options, &fast)
    }
}
