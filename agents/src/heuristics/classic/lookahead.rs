//! What an action leads to: the rest of the combat of this turn played without a thought, with several throws of the dice.

use engine::games::classic::{Action, Classic, Phase, State};
use engine::{Fast, Game, Player, Turn};

use super::evaluation::Evaluation;

/// Throws of the dice for an action that leads to a battle: a budget of time, so no weight that a tuner could turn up.
const SAMPLES: u32 = 6;

/// Values actions by what they lead to.
#[derive(Clone, Debug)]
pub(super) struct Lookahead {
    pub(super) evaluation: Evaluation,
}

impl Lookahead {
    pub(super) const fn new(evaluation: Evaluation) -> Self {
        Self { evaluation }
    }

    /// What `action` is worth to `player`, the better of two ways to go on: with all troops that a group can take along, or
    /// with one.
    pub(super) fn value(
        &self,
        game: &Classic,
        s: &State,
        player: Player,
        action: Action,
        rng: &Fast,
    ) -> f32 {
        let mut after = *s;
        game.apply(&mut after, action);
        let bold = self.mean(game, &after, player, true, rng);
        if after.phase() != Phase::Group {
            return bold;
        }
        bold.max(self.mean(game, &after, player, false, rng))
    }

    /// What a position is worth to `player` in which nothing of an action is left to decide.
    pub(super) fn value_at(&self, game: &Classic, s: &State, player: Player, rng: &Fast) -> f32 {
        self.mean(game, s, player, true, rng)
    }

    /// The mean over throws of the dice; one is enough where nothing is thrown. Every action meets the same dice.
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

    /// What a position is worth, the end of the game counted as a great deal.
    fn worth(&self, game: &Classic, s: &State, player: Player) -> f32 {
        const WON: f32 = 2000.0;
        let value = self.evaluation.value(game, s, player);
        if game.turn(s) == Turn::Over {
            return value + WON * game.payoffs(s)[player];
        }
        if s.out().contains(player) { value - WON } else { value }
    }

    /// Plays to the market of this turn, or to the next one; whether dice were thrown.
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
