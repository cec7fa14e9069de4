//! The largest number of choices in a game, from the rules.

use crate::games::classic::Classic;
use crate::games::classic::model::detail::N_KINDS;
use crate::games::classic::model::place::{N_PROVINCES, N_ZONES};
use crate::games::shared::units::N_LAND_MILITARY;

/// The choices of a fall: generals to keep, and a new caesar (8.1, 8.3).
const FALL: i64 = 2;

impl Classic {
    /// Returns a number that the choices of no game exceed; `None` with treatments, which can give pieces, or above 32 bits.
    pub(crate) fn most_choices(&self) -> Option<u32> {
        if self.board.treated.is_some() {
            return None;
        }
        let (n, start) = (self.n_players as i64, &self.board.config.start);
        let setup = self.board.v.start_territories + start.infantry + start.general;
        let turn = self.most_in_movement() + self.most_in_combat() + self.most_in_market();
        u32::try_from(n * (setup + i64::from(self.board.last_round()) * turn)).ok()
    }

    /// Bounds the choices of movement in a turn (5).
    ///
    /// Galleys sail once: a choice of the menu and their number. A group has a leader, who is in no other group of the
    /// wave: a choice of the menu, a goal, and its counts. A wave has an end, and comes after the first only while a
    /// leader has steps left.
    fn most_in_movement(&self) -> i64 {
        let (config, steps) = (&self.board.config, self.board.steps);
        let leaders = config.start.general + config.start.caesar;
        let waves = i64::from(steps.general.max(steps.caesar).max(1));
        2 * config.pools.galley + waves * (leaders * (2 + N_KINDS as i64) + 1)
    }

    /// Bounds the choices of combat in a turn (6, 7, 9).
    ///
    /// Attacks at sea and provinces come in their order. An attack has no choices but the falls of both sides. In a round
    /// on land both sides choose legions and losses kind by kind, and each may retreat. In the end leaders of each player
    /// fall.
    fn most_in_combat(&self) -> i64 {
        let (n, kinds) = (self.n_players as i64, N_LAND_MILITARY as i64);
        let at_sea = N_ZONES as i64 * (n - 1) * (1 + 2 * FALL) + 1;
        let round = 2 * (kinds + kinds + 1);
        let battle = self.board.config.battle.land_rounds * round + kinds + n * FALL;
        at_sea + N_PROVINCES as i64 * battle
    }

    /// Bounds the choices of the market in a turn (11).
    ///
    /// A captive of each captor is asked for once, and answered for. No piece is bought or razed that is not there.
    /// Units are bought by a choice of the menu and their number.
    fn most_in_market(&self) -> i64 {
        let stock = &self.board.config.stock;
        let deals = 2 * (self.n_players as i64 - 1);
        let buildings = 2 * stock.city + stock.fort + stock.road;
        let units: i64 = self.board.pool.iter().map(|&n| i64::from(n)).sum();
        deals + buildings + 2 * units + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Purpose;
    use crate::game::{Game, Turn};
    use crate::games::classic::model::phase::Phase;
    use crate::games::classic::model::state::State;
    use crate::rng::{Randomness, stream};
    use crate::rules::{Configure, Rules};

    /// Returns which part of a turn a choice belongs to, with its bound; the setup is part 3.
    fn part(game: &Classic, s: &State) -> (usize, i64) {
        match s.phase {
            Phase::Claim | Phase::Place => {
                let start = &game.board.config.start;
                let each = game.board.v.start_territories + start.infantry + start.general;
                (3, game.n_players as i64 * each)
            }
            Phase::Move | Phase::SailCount | Phase::BoardTo | Phase::Group => {
                (0, game.most_in_movement())
            }
            Phase::Market | Phase::Answer | Phase::Buy => (2, game.most_in_market()),
            _ => (1, game.most_in_combat()),
        }
    }

    /// Plays a game in which nobody retreats or ends a menu early, but for some choices at random, and returns the
    /// largest share of its bound that each part of a turn takes.
    fn fullest(game: &Classic, seed: u64) -> [f64; 4] {
        let mut rng = stream(seed, 0, Purpose::Dice);
        let (mut s, mut turn, mut choices, mut all) = (game.start(), (0, None), [0; 4], [0.0; 4]);
        loop {
            let action = match game.turn(&s) {
                Turn::Over => return all,
                Turn::Player(_) => {
                    if turn != (s.round, Some(s.turn)) {
                        (turn, choices) = ((s.round, Some(s.turn)), [0, 0, 0, choices[3]]);
                    }
                    let n = s.options.n();
                    let index = match s.phase {
                        Phase::Retreat => n - 1,
                        Phase::Attack | Phase::Market | Phase::Buy => 0,
                        Phase::Move if rng.below(4) > 0 => 0,
                        _ => rng.below(n.into()) as u16,
                    };
                    let (part, most) = part(game, &s);
                    choices[part] += 1;
                    assert!(choices[part] <= most, "{:?}: {choices:?} of {most}", s.phase);
                    all[part] = f64::max(all[part], choices[part] as f64 / most as f64);
                    game.option(&s, index)
                }
                _ => game.draw(&s, &mut rng),
            };
            game.apply(&mut s, action);
        }
    }

    #[test]
    fn no_part_of_a_turn_has_more_choices_than_its_bound() {
        for settings in [
            &["options.final_round=12"][..],
            &["start.talents=1000", "prices.infantry=0", "prices.road=0", "prices.city=0"],
            &["die.faces=[\"blank\"]", "battle.land_rounds=100", "movement.general=3"],
            &["die.faces=[\"infantry\", \"galley\"]", "options.variant=\"base\""],
        ] {
            let mut rules = Rules::of::<Classic>();
            settings.iter().for_each(|setting| rules.set(setting).unwrap());
            for n_players in 2..=6 {
                let game = Classic::configure(n_players, &rules).unwrap();
                let games = (0..4).map(|seed| fullest(&game, seed));
                let all =
                    games.fold([0.0; 4], |all, one| std::array::from_fn(|i| one[i].max(all[i])));
                assert!(all[0] > 0.1, "{n_players}, {settings:?}: movement has {all:?}");
            }
        }
    }
}
