//! Events of chance: rolls, and the die that may end the game.

use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::state::State;
use crate::games::shared::dice::N_FACES;
use crate::rng::Randomness;

impl Classic {
    /// Returns the number of dice of the roll that is due.
    pub(crate) fn n_dice(&self, s: &State) -> u8 {
        if s.phase == Phase::NavalDice { Self::naval_dice(s) } else { self.land_dice(s) }
    }

    pub(crate) fn draw_event<R: Randomness + ?Sized>(&self, s: &State, rng: &mut R) -> Action {
        if s.phase == Phase::EndDie {
            return Action::with(Verb::EndDie, self.board.die.throw(rng));
        }
        Action::dice(self.board.die.roll(self.n_dice(s), rng))
    }

    pub(crate) fn list_events(&self, s: &State, out: &mut Vec<(Action, f64)>) {
        if s.phase == Phase::EndDie {
            let chances = self.board.die.chances();
            let faces = (0..N_FACES as u8).zip(chances).filter(|(_, chance)| *chance > 0.0);
            out.extend(faces.map(|(face, chance)| (Action::with(Verb::EndDie, face), chance)));
            return;
        }
        let rolls = self.board.die.rolls(self.n_dice(s));
        out.extend(rolls.into_iter().map(|(roll, chance)| (Action::dice(roll), chance)));
    }

    pub(crate) fn event(&self, s: &mut State, action: Action) {
        match s.phase {
            Phase::NavalDice => self.naval_rolled(s, action.args),
            Phase::Dice => self.rolled(s, action.args),
            Phase::Pursuit => self.pursued(s, action.args),
            Phase::EndDie => self.end_die(s, action.args[0]),
            phase => unreachable!("{phase:?} is no event of chance"),
        }
    }
}
