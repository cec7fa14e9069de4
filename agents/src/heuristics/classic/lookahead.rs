//! A lookahead: plays the rest of this turn's combat by simple rules, with several throws of the dice.

use engine::games::classic::{Action, Classic, Phase, State, Verb};
use engine::{Fast, Game, Player, Turn};

use super::evaluation::Evaluation;
use super::macro_actions::MacroLine;

/// Throws of the dice for an action that leads to a battle. It is a budget of time, so it is no weight for a tuner.
const SAMPLES: u32 = 6;

/// A lookahead that evaluates actions by their results.
#[derive(Clone, Debug)]
pub(super) struct Lookahead {
    pub(super) evaluation: Evaluation,
    /// True if the earlier rule is in effect, from before greedy bought whole rounds. Then the end of a market is
    /// judged by the next player's march, and boarding only by the first goal.
    is_former: bool,
}

impl Lookahead {
    pub(super) const fn new(evaluation: Evaluation, is_former: bool) -> Self {
        Self { evaluation, is_former }
    }

    /// Returns the value of `action` for `player`: the better of two continuations, in which a group takes all its
    /// troops or one.
    pub(super) fn value(
        &self,
        game: &Classic,
        s: &State,
        player: Player,
        action: Action,
        rng: &Fast,
    ) -> f32 {
        if Self::is_market(s) && !self.is_former {
            return self.at_market(game, s, player, action);
        }
        let mut after = *s;
        game.apply(&mut after, action);
        if after.phase() != Phase::BoardTo || self.is_former {
            return self.begun(game, &after, player, rng);
        }
        let mut best = f32::MIN;
        for k in 0..game.n_options(&after) {
            let mut aboard = after;
            game.apply(&mut aboard, game.nth_option(&after, k));
            best = best.max(self.begun(game, &aboard, player, rng));
        }
        best
    }

    /// Returns the value of a position in which the counts of a group may be due.
    fn begun(&self, game: &Classic, s: &State, player: Player, rng: &Fast) -> f32 {
        let bold = self.mean(game, s, player, true, rng);
        if s.phase() != Phase::Group {
            return bold;
        }
        bold.max(self.mean(game, s, player, false, rng))
    }

    const fn is_market(s: &State) -> bool {
        matches!(s.phase(), Phase::Market | Phase::Answer | Phase::Buy)
    }

    /// Returns the value of a market decision by its purchases alone, before the next player acts.
    fn at_market(&self, game: &Classic, s: &State, player: Player, action: Action) -> f32 {
        let mut after = *s;
        match action.verb() {
            Verb::Done => {}
            Verb::Ransom | Verb::Exchange => return self.deal(game, s, player, action),
            Verb::BuyUnit => {
                let most = game.most_of(s, action);
                game.purchase(&mut after, action, most);
                let all = self.worth(game, &after, player);
                let mut one = *s;
                game.purchase(&mut one, action, 1);
                return all.max(self.worth(game, &one, player));
            }
            _ => game.apply_alone(&mut after, action),
        }
        self.worth(game, &after, player)
    }

    /// Returns the value of an offer for `player`. The captor accepts it if that is better for them.
    fn deal(&self, game: &Classic, s: &State, player: Player, line: Action) -> f32 {
        let captor = Player::of(line.arg());
        let mut after = *s;
        game.agree(&mut after, line);
        let [now, then] = [s, &after].map(|s| self.worth(game, s, captor));
        self.worth(game, if then > now { &after } else { s }, player)
    }

    /// Returns the value of a macro-action for `player`.
    pub(super) fn value_of_macro_action(
        &self,
        game: &Classic,
        s: &State,
        player: Player,
        macro_action: MacroLine,
        rng: &Fast,
    ) -> f32 {
        let mut after = *s;
        if !Self::is_market(s) || self.is_former {
            macro_action.carry_out(game, &mut after);
            return self.mean(game, &after, player, true, rng);
        }
        let Some(number) = macro_action.units(game, s) else {
            return self.at_market(game, s, player, macro_action.line());
        };
        game.purchase(&mut after, macro_action.line(), number);
        self.worth(game, &after, player)
    }

    /// Returns the mean over throws of the dice; one sample is enough without dice. Every action meets equal dice.
    fn mean(&self, game: &Classic, s: &State, player: Player, is_bold: bool, rng: &Fast) -> f32 {
        let mut rng = rng.clone();
        let (mut sum, mut n) = (0.0, 0);
        while n < SAMPLES {
            let mut end = *s;
            let has_thrown = Self::to_market(game, &mut end, is_bold, &mut rng);
            sum += self.worth(game, &end, player);
            n += 1;
            if !has_thrown {
                break;
            }
        }
        sum / n as f32
    }

    /// Returns the value of a position; the end of the game counts a great deal.
    fn worth(&self, game: &Classic, s: &State, player: Player) -> f32 {
        const WON: f32 = 2000.0;
        let value = self.evaluation.value(game, s, player);
        if game.turn(s) == Turn::Over {
            return value + WON * game.payoffs(s)[player];
        }
        if s.out().contains(player) { value - WON } else { value }
    }

    /// Plays to the market of this turn or to the next turn. Returns whether dice were thrown.
    fn to_market(game: &Classic, s: &mut State, is_bold: bool, rng: &mut Fast) -> bool {
        let (turn, round) = (s.turn(), s.round());
        let mut has_thrown = false;
        loop {
            let is_over = s.phase() == Phase::Over || s.phase() == Phase::Market;
            if is_over || s.phase() == Phase::EndDie || s.turn() != turn || s.round() != round {
                return has_thrown;
            }
            if game.turn(s) == Turn::Chance {
                has_thrown = true;
                let outcome = game.draw(s, rng);
                game.apply(s, outcome);
            } else {
                game.apply(s, game.plain_reply(s, is_bold));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::rng::{fast, stream};
    use engine::{Configure, Purpose, Rules};

    use super::super::weights::Weights;
    use super::*;

    /// The value of going aboard is that of its best goal, which is not always the first.
    #[test]
    fn boarding_is_weighed_with_every_goal() {
        let mut rules = Rules::of::<Classic>();
        for setting in ["gift.s1.seat0.galley=2", "gift.s1.seat0.cavalry=4"] {
            rules.set(setting).expect("a good setting");
        }
        let game = Classic::configure(4, &rules).expect("good rules");
        let lookahead = Lookahead::new(Evaluation::new(Weights::default()), false);
        let rng = fast(&mut stream(3, 0, Purpose::Analysis));
        let mut s = game.start();
        while s.phase() != Phase::Move {
            let reply = game.plain_reply(&s, true);
            game.apply(&mut s, reply);
        }
        let (player, mut lines) = (s.turn(), Vec::new());
        game.actions(&s, player, &mut lines);
        let (mut n, mut others) = (0, 0);
        for &line in lines.iter().filter(|line| line.verb() == Verb::Board) {
            let mut begun = s;
            game.apply(&mut begun, line);
            if begun.phase() != Phase::BoardTo {
                continue;
            }
            let of = |k| lookahead.value(&game, &begun, player, game.nth_option(&begun, k), &rng);
            let values: Vec<f32> = (0..game.n_options(&begun)).map(of).collect();
            let best = values.iter().copied().fold(f32::MIN, f32::max);
            let macro_action = lookahead.value(&game, &s, player, line, &rng);
            assert_eq!(
                macro_action.to_bits(),
                best.to_bits(),
                "{macro_action}, and the best is {best}"
            );
            (n, others) = (n + 1, others + u32::from(values[0] < best));
        }
        assert!(n > 0 && others > 0, "{n} crossings, the first goal is not the best of {others}");
    }
}
