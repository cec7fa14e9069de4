//! The greedy agent: each decision by what it leads to at the end of the combat of this turn.
//!
//! A menu only goes forward, so the best option of all would pass over what comes before it. The agent takes the first
//! word and source that is better than to be done, and of these the best goal. Purchases are composed as a whole, where it
//! is not told to weigh them line by line.

use engine::games::classic::{Action, Classic, Phase, State, Verb};
use engine::{Fast, Player, Randomness, Stream, View, rng};

use super::buyer::Buyer;
use super::lookahead::Lookahead;
use crate::agent::Agent;

/// How much better than nothing something must be to be begun, in talents.
pub(super) const WORTH_IT: f32 = 0.5;

/// The greedy agent.
#[derive(Debug)]
pub struct GreedyClassic {
    epsilon: f64,
    lookahead: Lookahead,
    options: Vec<Action>,
    /// Who decides about purchases, if they are weighed as a whole.
    buyer: Option<Buyer>,
}

impl GreedyClassic {
    /// The agent that decides at random with probability `epsilon`.
    pub(super) const fn new(epsilon: f64, lookahead: Lookahead, buyer: Option<Buyer>) -> Self {
        Self { epsilon, lookahead, options: Vec::new(), buyer }
    }

    /// The next ply of a round of purchases: as planned, or by a new plan.
    fn purchase(&mut self, game: &Classic, s: &State, rng: &Fast) -> Option<Action> {
        if let Some(action) = self.buyer.as_mut()?.go_on(game, s) {
            return Some(action);
        }
        if s.phase() != Phase::Market {
            return None;
        }
        self.deal(game, s, rng).or_else(|| self.buyer.as_mut()?.begin(game, s))
    }

    /// The offer that gains most, if one is taken and worth it. Its answer is another's, so that it comes before the round.
    fn deal(&self, game: &Classic, s: &State, rng: &Fast) -> Option<Action> {
        let value = |action| self.lookahead.value(game, s, s.turn(), action, rng);
        let is_deal = |action: &&Action| matches!(action.verb(), Verb::Ransom | Verb::Exchange);
        let n = self.options.iter().take_while(is_deal).count();
        let (deal, worth) = best(self.options.get(..n).filter(|deals| !deals.is_empty())?, value);
        (worth > value(*self.options.last()?) + WORTH_IT).then_some(deal)
    }
}

/// The decision of somebody greedy among `options`.
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

/// Pieces start in the home, where the caesar is: from there they march together.
fn at_home(game: &Classic, player: Player, options: &[Action]) -> Action {
    *options.iter().find(|action| is_at_home(game, player, **action)).unwrap_or(&options[0])
}

/// Whether an action places at home all that it places.
pub(super) fn is_at_home(game: &Classic, player: Player, action: Action) -> bool {
    let home = game.home_of(player).number();
    let [_, p, _, q, _] = action.args();
    p == home && (q == home || action.verb() == Verb::PlaceOne)
}

/// The word of a line of a menu and where it starts; purchases are weighed against each other wherever they are.
pub(super) fn source(s: &State, line: Action) -> (Verb, u8) {
    (line.verb(), if s.phase() == Phase::Market { 0 } else { line.arg() })
}

/// The best option of the first word and source that is better than to be done.
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

/// The first of the best options, with its value.
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
