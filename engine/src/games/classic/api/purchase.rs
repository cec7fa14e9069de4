//! Purchases for evaluations: made in any order and one at a time, without the forced steps that follow.

use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::detail::Detail;
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::Place;
use crate::games::classic::model::state::State;
use crate::games::shared::units::Unit;

impl Action {
    /// Returns the unit and the province of a line of purchase, or `None` for other actions.
    #[must_use]
    pub fn unit_bought(self) -> Option<(Unit, Place)> {
        let [a, b, ..] = self.args;
        (self.verb == Verb::BuyUnit).then(|| (Unit::MILITARY[usize::from(a)], Place::new(b)))
    }
}

impl Classic {
    /// Carries out a decision of a market without the forced steps that follow: a market without a choice left is not
    /// over. The result is for evaluation only and not for play, since its options are not computed.
    ///
    /// # Panics
    /// If no decision of a market is due.
    pub fn apply_alone(&self, s: &mut State, action: Action) {
        assert!(matches!(s.phase, Phase::Market | Phase::Answer | Phase::Buy), "no market is open");
        Self::forget_closing(s);
        self.step(s, action);
    }

    /// Returns the largest number of a line of purchase that the player in turn can have at once; 0 for an action that
    /// is no purchase. Earlier choices in this market do not matter (11.5 to 11.7).
    #[must_use]
    pub fn most_of(&self, s: &State, line: Action) -> u8 {
        if let Some((unit, place)) = line.unit_bought() {
            return self.most_units(s, unit, place);
        }
        let [a, b, ..] = line.args;
        let (purse, own) = (u32::from(s.talents[s.turn]), s.owned[s.turn]);
        let stock = &self.board.config.stock;
        let [city, fort, road] = self.building_prices(s);
        let is_left = |used: u32, stock: i64| i64::from(used) < stock;
        let place = Place::new(a);
        let is_open = match line.verb {
            Verb::BuyCity => {
                purse >= city
                    && is_left(s.cities.len(), stock.city)
                    && (own - s.cities).contains(place)
            }
            Verb::BuyFort => {
                purse >= fort
                    && is_left(s.forts.len(), stock.fort)
                    && ((own & s.cities) - s.forts).contains(place)
            }
            Verb::BuyRoad => {
                let towns = own & s.cities;
                let border = self.board.border(place, Place::new(b));
                purse >= road
                    && is_left(s.road_bits().count_ones(), stock.road)
                    && towns.contains(place)
                    && towns.contains(Place::new(b))
                    && border.is_some_and(|border| s.road_bits() >> border & 1 == 0)
            }
            _ => false,
        };
        is_open.into()
    }

    /// Makes a purchase of a line, of `number` units where the line names units, without the forced steps that follow.
    ///
    /// # Panics
    /// If no market is open, or the line is no purchase.
    pub fn purchase(&self, s: &mut State, line: Action, number: u8) {
        let last = s.last;
        self.apply_alone(s, line);
        if s.phase == Phase::Buy {
            self.apply_alone(s, Action::with(Verb::Count, number));
        }
        assert!(s.phase == Phase::Market, "{line:?} is no purchase");
        s.last = last;
    }

    /// Makes a deal as if its captor had accepted it, without the forced steps that follow.
    ///
    /// # Panics
    /// If no market is open, or the line is no deal.
    pub fn agree(&self, s: &mut State, line: Action) {
        self.apply_alone(s, line);
        assert!(matches!(s.detail, Detail::Deal { .. }), "{line:?} is no deal");
        self.apply_alone(s, Action::plain(Verb::Accept));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rng::{Purpose, fast, stream};

    /// Compares every line with the rules at every market of random games. The menu offers it as often as it can be
    /// had. Wherever the market goes on, the position after a purchase equals that of the rules.
    #[test]
    fn a_purchase_is_that_of_the_rules() {
        let game = Classic::new(4);
        let (mut n, mut lines) = (0, Vec::new());
        for index in 0..6 {
            let mut rng = fast(&mut stream(5, index, Purpose::Analysis));
            let mut s = game.start();
            while s.phase != Phase::Over {
                if s.phase.is_chance() {
                    let outcome = game.draw(&s, &mut rng);
                    game.apply(&mut s, outcome);
                    continue;
                }
                if s.phase == Phase::Market {
                    lines.clear();
                    game.actions(&s, s.turn, &mut lines);
                    for &line in lines.iter().filter(|line| line.verb > Verb::Raze) {
                        n += is_as_played(&game, &s, line);
                    }
                }
                let action = game.random_action(&s, s.turn, &mut rng, &mut lines);
                game.apply(&mut s, action);
            }
        }
        assert!(n > 1000, "{n} purchases");
    }

    /// Compares one line with the rules; returns 1 if the market goes on after it.
    fn is_as_played(game: &Classic, s: &State, line: Action) -> u32 {
        let most = game.most_of(s, line);
        let (mut played, mut alone) = (*s, *s);
        game.apply(&mut played, line);
        game.purchase(&mut alone, line, most);
        if played.phase == Phase::Buy {
            assert_eq!(game.n_options(&played), u16::from(most), "{line:?}");
            let last = game.nth_option(&played, u16::from(most) - 1);
            game.apply(&mut played, last);
        }
        assert!(most >= 1, "{line:?}");
        if played.phase != Phase::Market || played.turn != s.turn || played.round != s.round {
            return 0;
        }
        (alone.last, alone.options) = (played.last, played.options);
        assert_eq!(alone, played, "{line:?}");
        1
    }
}
