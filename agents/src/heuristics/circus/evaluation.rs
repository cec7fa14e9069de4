//! The evaluation of circus: the value of a position for a player, in steps towards the finish.
//!
//! All players have equal cards, so the race goes to the player who wastes least of them. The value of a position is
//! minus the steps still to go. Open cards are worth most of the steps that they can still become. So a card is played
//! where it brings its value, and is not wasted on detours.

use engine::ByPlayer;
use engine::Game;
use engine::games::circus::{Action, Circus, State};

use crate::heuristics::weights::weights;

weights! {
    of "circus";
    ["what a position is worth; a step to go counts -1"]
    card: f32 = 0.8, 0.0..=2.0, linear, "steps", "a step that an open card could still make in this round";
    lag: f32 = 0.1, 0.0..=2.0, linear, "steps", "a step to go of the last own chariot, beside what every step counts";
    home: f32 = 1.0, 0.0..=20.0, linear, "steps", "a chariot at home";
    road: f32 = 0.15, 0.0..=2.0, linear, "steps", "a step that the best single card could make as the road is now";
    rival: f32 = 0.3, 0.0..=2.0, linear, "", "what the best rival has, against what one has oneself";
    ["what a search expects of it"]
    won: f32 = 20.0, 0.0..=1000.0, linear, "steps", "a race that is won, where an iteration ends behind the finish";
    logistic_scale: f32 = 2.0, 0.1..=50.0, log, "steps", "lead at the end of a race that multiplies the odds to win by e";
    logistic_scale_grows: f32 = 0.08, 0.0..=2.0, linear, "steps", "how much larger such a lead has to be for each step that the first has still to go";
}

impl Weights {
    /// Returns the value of the position for a seat, without regard to the others.
    pub(super) fn value_for(&self, game: &Circus, state: &State, seat: usize) -> f32 {
        if state.is_placing() {
            return -(game.team_steps(state, seat) as f32);
        }
        let (mut all, mut last, mut road) = (0, 0, 0);
        for n in 0..game.chariots_per_player() {
            let steps = game.steps_to_go(state, seat, n);
            all += steps;
            last = last.max(steps);
            road += if self.road > 0.0 { game.open_road(state, seat, n) } else { 0 };
        }
        let cards = self.usable_cards(game, state, seat, all);
        self.card * cards as f32 + self.home * state.n_home(seat) as f32 + self.road * road as f32
            - self.lag * last as f32
            - all as f32
    }

    /// Returns the steps that open cards can still make in this round. These are the largest cards that chariots can
    /// still get, up to the steps left.
    fn usable_cards(&self, game: &Circus, state: &State, seat: usize, steps: u32) -> u32 {
        let most = game.cards_per_chariot();
        let mut slots = most * state.still_to_move(seat);
        if state.driver().is_some_and(|(driver, _)| driver == seat) {
            slots += most - state.cards_used();
        }
        game.largest_cards(state, seat, slots).min(steps)
    }

    /// Returns the apparent value of a legal action of a seat: the steps that it brings minus the cards that it spends
    /// or lets expire.
    pub(super) fn glance(&self, game: &Circus, state: &State, seat: usize, action: Action) -> f32 {
        let spent = match action {
            Action::Go { value, thrown, .. } => u32::from(value + thrown),
            Action::Waste(value) => u32::from(value).max(self.expiring(game, state, seat)),
            _ => self.expiring(game, state, seat),
        };
        game.progress(state, action) as f32 - self.card * spent as f32
    }

    /// Returns the value that the open cards lose when the turn of a seat's chariot ends: the cards that only this
    /// chariot could still get.
    fn expiring(&self, game: &Circus, state: &State, seat: usize) -> u32 {
        let most = game.cards_per_chariot();
        let later = most * state.still_to_move(seat);
        let now = later + most - state.cards_used();
        game.largest_cards(state, seat, now) - game.largest_cards(state, seat, later)
    }

    /// Returns the value of the position for each player, without regard to the others.
    pub(super) fn values(&self, game: &Circus, state: &State) -> ByPlayer<f32> {
        let mut values = ByPlayer::default();
        for seat in 0..game.n_players() {
            values.0[seat] = self.value_for(game, state, seat);
        }
        values
    }

    /// Returns the value of the position for a seat relative to its best rival. A finished race counts more than any
    /// other.
    pub(super) fn lead(&self, game: &Circus, state: &State, seat: usize) -> f32 {
        // The value exceeds all steps of all chariots, so a won race is never given away for steps.
        const DECIDED: f32 = 1000.0;
        if game.turn(state) == engine::Turn::Over {
            return DECIDED * game.payoffs(state).0[seat];
        }
        let values = self.values(game, state);
        let rivals =
            (0..game.n_players()).filter(|&rival| rival != seat).map(|rival| values.0[rival]);
        values.0[seat] - self.rival * rivals.fold(f32::MIN, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use engine::{Game, Player};

    use super::*;

    /// Returns a race of two after the placing, at the start of the first round.
    fn after_placing(game: &Circus) -> State {
        let mut state = game.start();
        let mut actions = vec![Action::First(Player::new(0))];
        while state.is_placing() {
            game.apply(&mut state, actions[0]);
            actions.clear();
            game.actions(&state, Player::new(0), &mut actions);
        }
        state
    }

    #[test]
    fn a_card_played_straight_ahead_is_worth_more_than_in_the_hand_and_a_detour_is_not() {
        let game = Circus::new(2);
        let state = after_placing(&game);
        let weights = Weights::default();
        let (seat, _) = state.driver().unwrap();
        let value_after = |text: &str| {
            let action =
                engine::Notation::parse_action(&game, &state, Player::new(seat), text).unwrap();
            let mut after = state;
            game.apply(&mut after, action);
            weights.value_for(&game, &after, seat)
        };
        let now = weights.value_for(&game, &state, seat);
        assert!(value_after("go 4 w") > now);
        assert!(value_after("waste 1") < now);
        assert!(value_after("waste 5") < value_after("waste 1"));
    }
}
