//! The guide of classic: the evaluation, priors by the result of each ply, and a rollout policy that tries a few
//! options of each menu.

use engine::games::classic::{Action, Classic, Phase, State, Verb};
use engine::{ByPlayer, Fast, Game, Player, Randomness, Turn};

use super::buyer::{Buyer, Care};
use super::evaluation::Evaluation;
use super::greedy::{WORTH_IT, is_at_home, source};
use super::lookahead::Lookahead;
use super::macro_actions::{MacroAction, MacroActionList};
use super::value::LeafValue;
use crate::guide::{
    Choice, Choices, Evaluator, Guide, MacroActions, Prior, Progress, RolloutPolicy,
};

/// Number of menu options that the rollout policy tries.
const TRIED: u32 = 3;

/// The logit lead of the choice of `greedy` at a market, if it buys whole rounds. It is so large that no other option
/// is tried. Purchases pay after the horizon of a search, so the search would misjudge them.
const CERTAIN: f32 = 1e6;

/// The guide of classic.
#[derive(Clone, Debug)]
pub struct ClassicGuide {
    lookahead: Lookahead,
    value: LeafValue,
    scratch: Vec<Action>,
    macro_actions: MacroActionList,
    /// The composer of purchases, if whole rounds of purchases are options.
    buyer: Option<Buyer>,
}

impl ClassicGuide {
    pub(super) fn new(lookahead: Lookahead, value: LeafValue, buyer: Option<Buyer>) -> Self {
        Self {
            lookahead,
            value,
            scratch: Vec::new(),
            macro_actions: MacroActionList::default(),
            buyer,
        }
    }
}

/// Returns whether a round of purchases can begin.
fn is_market(s: &State) -> bool {
    s.phase() == Phase::Market
}

impl Evaluator<Classic> for ClassicGuide {
    const CAN_ESTIMATE: bool = true;

    fn estimate(&mut self, game: &Classic, world: &State) -> ByPlayer<f32> {
        let evaluation = &self.lookahead.evaluation;
        let value = self.value.expect(evaluation, game, world);
        value.unwrap_or_else(|| evaluation.evaluate(game, world))
    }

    fn logistic_scale(&self, game: &Classic, world: &State) -> f32 {
        self.value.scales::<Evaluation>(game, world)[0]
    }

    fn softmax_scale(&self, game: &Classic, world: &State) -> f32 {
        self.value.scales::<Evaluation>(game, world)[1]
    }
}

impl MacroActions<Classic> for ClassicGuide {
    type Macro = MacroAction;

    const HAS_MACROS: bool = true;

    fn macro_actions(
        &mut self,
        game: &Classic,
        world: &State,
        _player: Player,
        out: &mut Choices<Classic, MacroAction>,
    ) {
        if is_market(world) && self.buyer.is_some() {
            return out.push(Choice::Macro(MacroAction::Round));
        }
        self.macro_actions
            .list(game, world, |line| out.push(Choice::Macro(MacroAction::Line(line))));
    }

    fn carry_out(
        &mut self,
        game: &Classic,
        world: &mut State,
        _player: Player,
        macro_action: MacroAction,
        _rng: &mut Fast,
    ) {
        match (macro_action, &mut self.buyer) {
            (MacroAction::Line(line), _) => line.carry_out(game, world),
            (MacroAction::Round, Some(buyer)) => buyer.carry_out(game, world, Care::Best),
            (MacroAction::QuickRound, Some(buyer)) => buyer.carry_out(game, world, Care::Quick),
            (_, None) => unreachable!("nobody composes rounds"),
        }
    }

    fn ply_of(
        &mut self,
        game: &Classic,
        world: &State,
        _player: Player,
        macro_action: MacroAction,
        is_first: bool,
    ) -> Option<Action> {
        match macro_action {
            MacroAction::Line(line) => line.ply(game, world, is_first),
            _ if is_first => self.buyer.as_mut()?.begin(game, world),
            _ => self.buyer.as_mut()?.go_on(game, world),
        }
    }

    fn macro_text(&self, game: &Classic, macro_action: MacroAction) -> String {
        match macro_action {
            MacroAction::Line(line) => line.text(game),
            _ => "round of purchases".to_owned(),
        }
    }
}

impl Prior<Classic> for ClassicGuide {
    /// Appends the value of each option at the end of this turn's combat. The option that `greedy` would take is raised
    /// above all others. If rounds of purchases can begin, it gets `CERTAIN` and all others get 0.
    fn logits(
        &mut self,
        game: &Classic,
        world: &State,
        options: &Choices<Classic, MacroAction>,
        rng: &mut Fast,
        out: &mut Vec<f32>,
    ) {
        let player = match game.turn(world) {
            Turn::Player(player) => player,
            _ => return out.resize(out.len() + options.len(), 0.0),
        };
        let start = out.len();
        if let Some(round) = options.iter().position(is_round) {
            let first = self.deal(game, world, player, options, rng).unwrap_or(round);
            out.resize(start + options.len(), 0.0);
            out[start + first] = CERTAIN;
            return;
        }
        for option in options {
            out.push(match option {
                Choice::Ply(action) => self.lookahead.value(game, world, player, *action, rng),
                Choice::Macro(MacroAction::Line(line)) => {
                    self.lookahead.value_of_macro_action(game, world, player, *line, rng)
                }
                Choice::Macro(_) => unreachable!("rounds were looked for"),
            });
        }
        let values = &mut out[start..];
        if let Some(first) = first(game, world, options, values) {
            let best = values.iter().copied().fold(f32::MIN, f32::max);
            values[first] = best + self.lookahead.evaluation.weights.lead;
        }
    }
}

/// Returns whether an option is a round of purchases.
fn is_round(option: &Choice<Action, MacroAction>) -> bool {
    *option == Choice::Macro(MacroAction::Round)
}

impl ClassicGuide {
    /// Returns the offer for a captive that `greedy` would make before its round of purchases, if there is one.
    fn deal(
        &self,
        game: &Classic,
        world: &State,
        player: Player,
        options: &Choices<Classic, MacroAction>,
        rng: &Fast,
    ) -> Option<usize> {
        let value = |action| self.lookahead.value(game, world, player, action, rng);
        let Some(Choice::Ply(done)) = options.last() else { return None };
        let mut best = None;
        for (at, option) in options.iter().enumerate() {
            let Choice::Ply(action) = option else { continue };
            if matches!(action.verb(), Verb::Ransom | Verb::Exchange) {
                let worth = value(*action);
                if best.is_none_or(|(_, most)| worth > most) {
                    best = Some((at, worth));
                }
            }
        }
        best.filter(|(_, worth)| *worth > value(*done) + WORTH_IT).map(|(at, _)| at)
    }
}

/// Returns the option that `greedy` would take. Pieces are placed at home. In a menu it is the best option of the first
/// word and source that beat ending the menu. A macro-action comes before its ply.
fn first(
    game: &Classic,
    world: &State,
    options: &Choices<Classic, MacroAction>,
    values: &[f32],
) -> Option<usize> {
    if world.phase() == Phase::Place {
        let Turn::Player(player) = game.turn(world) else { return None };
        let is_there = |option: &Choice<Action, MacroAction>| match option {
            Choice::Ply(ply) => is_at_home(game, player, *ply),
            Choice::Macro(_) => false,
        };
        return options.iter().position(is_there);
    }
    if !matches!(world.phase(), Phase::Move | Phase::Attack | Phase::Market) {
        return None;
    }
    let line = |option: &Choice<Action, MacroAction>| match option {
        Choice::Macro(MacroAction::Line(macro_action)) => macro_action.line(),
        Choice::Ply(action) => *action,
        Choice::Macro(_) => unreachable!("rounds were looked for"),
    };
    let lines = || options.iter().map(line).zip(values).enumerate();
    let (done, (_, enough)) = lines().find(|(_, (line, _))| line.verb() == Verb::Done)?;
    let source = |line| source(world, line);
    let begun = || {
        lines()
            .filter(|(_, (line, value))| line.verb() != Verb::Done && **value > enough + WORTH_IT)
    };
    let Some(chosen) = begun().map(|(_, (line, _))| source(line)).min() else { return Some(done) };
    let of_source = begun().filter(|(_, (line, _))| source(*line) == chosen);
    let best = of_source.reduce(|best, other| if other.1.1 > best.1.1 { other } else { best });
    best.map(|(at, _)| at)
}

impl RolloutPolicy<Classic> for ClassicGuide {
    const HAS_ROLLOUT_POLICY: bool = true;

    /// Returns the best of a few options by their results. Replies in a battle are played without lookahead.
    fn rollout_policy(
        &mut self,
        game: &Classic,
        world: &State,
        player: Player,
        rng: &mut Fast,
    ) -> Choice<Action, MacroAction> {
        let is_menu = matches!(world.phase(), Phase::Move | Phase::Market | Phase::Claim);
        if !is_menu {
            return Choice::Ply(game.plain_reply(world, true));
        }
        if is_market(world) && self.buyer.is_some() {
            return Choice::Macro(MacroAction::QuickRound);
        }
        let mut best = game.plain_reply(world, true);
        let mut worth = self.lookahead.value(game, world, player, best, rng);
        for _ in 0..TRIED {
            let action = game.random_action(world, player, rng, &mut self.scratch);
            let value = self.lookahead.value(game, world, player, action, rng);
            if value > worth {
                (best, worth) = (action, value);
            }
        }
        // The stream advances, so that the next decision uses other dice.
        rng.below(2);
        Choice::Ply(best)
    }

    fn fast_rollout_policy(
        &mut self,
        game: &Classic,
        world: &State,
        player: Player,
        rng: &mut Fast,
    ) -> Choice<Action, MacroAction> {
        if rng.below(4) > 0 {
            return Choice::Ply(game.plain_reply(world, true));
        }
        Choice::Ply(game.random_action(world, player, rng, &mut self.scratch))
    }
}

impl Guide<Classic> for ClassicGuide {
    /// Returns the progress: a stage is a round, and its turns are those of the players.
    fn progress(&self, _game: &Classic, world: &State) -> Progress {
        let (round, turn) = (u32::from(world.round()), u32::from(world.turn().number()));
        Progress { stage: round, round: 0, turn }
    }

    fn situation(&self, _game: &Classic, world: &State) -> u64 {
        (world.phase() as u64) << 16
            | u64::from(world.round()) << 8
            | u64::from(world.turn().number())
    }
}

#[cfg(test)]
mod tests {
    use engine::rng::{fast, stream};
    use engine::{Purpose, View};

    use super::super::greedy::{GreedyClassic, decide};
    use super::super::purchase_values::PurchaseValues;
    use super::super::value::fitted;
    use super::super::weights::Weights;
    use super::*;
    use crate::agent::Agent;

    fn guide(lookahead: &Lookahead, buyer: Option<Buyer>) -> ClassicGuide {
        ClassicGuide::new(lookahead.clone(), fitted(4).into(), buyer)
    }

    /// Returns the option with the largest logit at a decision, its logit and the best logit of the others.
    fn leader(
        guide: &mut ClassicGuide,
        game: &Classic,
        s: &State,
        rng: &mut Fast,
    ) -> (Choice<Action, MacroAction>, [f32; 2]) {
        let Turn::Player(player) = game.turn(s) else { unreachable!("somebody decides") };
        let (mut plies, mut options, mut logits) = (Vec::new(), Vec::new(), Vec::new());
        game.actions(s, player, &mut plies);
        guide.macro_actions(game, s, player, &mut options);
        options.extend(plies.iter().map(|&ply| Choice::Ply(ply)));
        guide.logits(game, s, &options, rng, &mut logits);
        let best = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b]));
        let best = best.expect("somebody has options");
        let others = (0..logits.len()).filter(|&at| at != best);
        let second = others.map(|at| logits[at]).fold(f32::MIN, f32::max);
        (options[best], [logits[best], second])
    }

    /// Plays the due chance event. Returns whether there was one.
    fn has_drawn(game: &Classic, s: &mut State, stream: &mut engine::Stream) -> bool {
        let is_chance = game.turn(s) == Turn::Chance;
        if is_chance {
            let outcome = game.draw(s, stream);
            game.apply(s, outcome);
        }
        is_chance
    }

    /// At the menus of four rounds, the largest prior must belong to the word and source of greedy's choice.
    #[test]
    fn what_greedy_takes_comes_first() {
        let game = Classic::new(4);
        let lookahead = Lookahead::new(Evaluation::new(Weights::default()), false);
        let mut guide = guide(&lookahead, None);
        let mut stream = stream(5, 0, Purpose::Analysis);
        let mut s = game.start();
        let (mut menus, mut passed) = (0, 0);
        while s.round() <= 4 {
            if has_drawn(&game, &mut s, &mut stream) {
                continue;
            }
            let Turn::Player(player) = game.turn(&s) else { unreachable!("somebody decides") };
            let mut plies = Vec::new();
            game.actions(&s, player, &mut plies);
            let mut rng = fast(&mut stream);
            let taken = decide(&lookahead, &game, &s, player, &plies, &rng);
            if s.phase() == Phase::Move {
                let line = match leader(&mut guide, &game, &s, &mut rng).0 {
                    Choice::Ply(ply) => ply,
                    Choice::Macro(MacroAction::Line(macro_action)) => macro_action.line(),
                    Choice::Macro(_) => unreachable!("nobody buys by rounds"),
                };
                let source = |line: Action| (line.verb(), line.arg());
                // Macro-actions are judged by their final result, so an earlier source may be worth it.
                assert!(source(line) <= source(taken), "{line:?}, and greedy takes {taken:?}");
                menus += 1;
                passed += u32::from(source(line) == source(taken));
            }
            game.apply(&mut s, taken);
        }
        assert!(menus > 20 && passed * 10 > menus * 9, "{passed} of {menus}");
    }

    /// With whole rounds of purchases only greedy's choice counts at a market, and pieces are placed at home first.
    #[test]
    fn at_markets_and_in_the_beginning_greedy_leads() {
        let game = Classic::new(4);
        let lookahead = Lookahead::new(Evaluation::new(Weights::default()), false);
        let buyer = || Some(Buyer::new(PurchaseValues::new(&game, lookahead.evaluation.clone())));
        let mut guide = guide(&lookahead, buyer());
        let mut greedy = GreedyClassic::new(0.0, lookahead.clone(), buyer());
        let mut stream = stream(6, 0, Purpose::Analysis);
        let (mut placed, mut markets, mut deals) = (0, 0, 0);
        let mut s = game.start();
        while game.turn(&s) != Turn::Over {
            if has_drawn(&game, &mut s, &mut stream) {
                continue;
            }
            let Turn::Player(player) = game.turn(&s) else { unreachable!("somebody decides") };
            let taken = greedy.choose(View::new(&game, &s, player), &mut stream);
            if matches!(s.phase(), Phase::Place | Phase::Market) {
                let (first, [best, second]) = leader(&mut guide, &game, &s, &mut fast(&mut stream));
                let is_deal = matches!(taken.verb(), Verb::Ransom | Verb::Exchange);
                if s.phase() == Phase::Place {
                    assert_eq!(first, Choice::Ply(taken));
                    placed += 1;
                } else {
                    let due = if is_deal {
                        Choice::Ply(taken)
                    } else {
                        Choice::Macro(MacroAction::Round)
                    };
                    assert_eq!(first, due);
                    assert!(best >= second + CERTAIN, "{best} {second}");
                    (markets, deals) = (markets + 1, deals + u32::from(is_deal));
                }
            }
            game.apply(&mut s, taken);
        }
        assert!(placed > 10 && markets > 40 && deals > 0, "{placed} {markets} {deals}");
    }
}
