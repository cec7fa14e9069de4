//! Events of chance: first player, tokens, cards, dice, random Senators.

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::cards::Card;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::Key;
use crate::games::conquest2::model::state::State;
use crate::games::shared::dice::Roll;
use crate::player::Player;
use crate::rng::{Purpose, Randomness};

impl Conquest2 {
    pub(crate) fn draw_event<R: Randomness + ?Sized>(&self, s: &State, rng: &mut R) -> Action {
        match s.phase() {
            Phase::FirstPlayer => Action::with(Verb::First, rng.below(self.n_players as u32) as u8),
            Phase::SetupToken | Phase::SeasonToken => {
                Action::with(Verb::Token, weighted(&s.bag, rng))
            }
            Phase::SeasonCard => Action::with(Verb::Drawn, weighted(&s.deck, rng)),
            Phase::SenatorDraw => {
                Action::with(Verb::Senator, weighted(&Self::senators_at_stake(s), rng))
            }
            Phase::NullDraw => Action::with(Verb::Null, rng.below(2) as u8),
            phase => {
                debug_assert_eq!(phase, Phase::Dice);
                dice(self.board.die.roll(self.n_dice(s), rng))
            }
        }
    }

    pub(crate) const fn purpose_of(s: &State) -> Purpose {
        match s.phase() {
            Phase::FirstPlayer | Phase::SetupToken => Purpose::Setup,
            Phase::SeasonToken | Phase::SeasonCard => Purpose::Decks,
            Phase::NullDraw => Self::null_purpose(s),
            _ => Purpose::Dice,
        }
    }

    pub(crate) fn list_events(&self, s: &State, out: &mut Vec<(Action, f64)>) {
        let mut bag = |verb, counts: &[u8]| {
            let total: f64 = counts.iter().map(|&n| f64::from(n)).sum();
            let possible = counts.iter().enumerate().filter(|(_, n)| **n > 0);
            out.extend(possible.map(|(i, &n)| (Action::with(verb, i as u8), f64::from(n) / total)));
        };
        match s.phase() {
            Phase::FirstPlayer => bag(Verb::First, &[1; 6][..self.n_players]),
            Phase::SetupToken | Phase::SeasonToken => bag(Verb::Token, &s.bag),
            Phase::SeasonCard => bag(Verb::Drawn, &s.deck),
            Phase::SenatorDraw => bag(Verb::Senator, &Self::senators_at_stake(s)),
            Phase::NullDraw => bag(Verb::Null, &[1; 2]),
            _ => {
                let rolls = self.board.die.rolls(self.n_dice(s));
                out.extend(rolls.into_iter().map(|(roll, chance)| (dice(roll), chance)));
            }
        }
    }

    pub(crate) fn event(&self, s: &mut State, action: Action) {
        let arg = action.args[0];
        match s.phase() {
            Phase::FirstPlayer => self.first_player_drawn(s, Player::of(arg)),
            Phase::SetupToken => self.setup_token_drawn(s, Key::new(arg)),
            Phase::SeasonToken => self.season_token_drawn(s, Key::new(arg)),
            Phase::SeasonCard => self.season_card_drawn(s, Card::new(arg)),
            Phase::SenatorDraw => self.senator_drawn(s, arg),
            Phase::NullDraw => self.null_drawn(s),
            _ => self.rolled(s, action.args),
        }
    }
}

/// A roll as an outcome.
const fn dice(roll: Roll) -> Action {
    Action { verb: Verb::Dice, args: roll }
}

/// An index with probability proportional to its weight.
fn weighted<R: Randomness + ?Sized>(weights: &[u8], rng: &mut R) -> u8 {
    let sum = |weights: &[u8]| weights.iter().map(|&w| u32::from(w)).sum::<u32>();
    let mut left = rng.below(sum(weights));
    // Eight at a time as long as the one that is drawn is not among them.
    let mut start = 0;
    for eight in weights.as_chunks::<8>().0 {
        let Some(rest) = left.checked_sub(sum(eight)) else { break };
        left = rest;
        start += 8;
    }
    for (i, &weight) in weights[start..].iter().enumerate() {
        match left.checked_sub(u32::from(weight)) {
            None => return (start + i) as u8,
            Some(rest) => left = rest,
        }
    }
    unreachable!("the draw is below the total weight")
}
