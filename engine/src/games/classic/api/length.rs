//! The largest number of choices in a game, from the rules.

use crate::games::classic::Classic;
use crate::games::classic::model::detail::N_KINDS;
use crate::games::classic::model::place::{N_PROVINCES, N_ZONES};
use crate::games::shared::units::N_LAND_MILITARY;

/// The choices of a fall: generals to keep, and a new caesar (8.1, 8.3).
const FALL: i64 = 2;

impl Classic {
    /// Returns a number that the choices of no game exceed; `None` with treatments, which can give pieces.
    pub(crate) fn most_choices(&self) -> Option<u32> {
        if self.board.treated.is_some() {
            return None;
        }
        let (n, start) = (self.n_players as i64, &self.board.config.start);
        let setup = self.board.v.start_territories + start.infantry + start.general;
        let turn = self.most_in_movement() + self.most_in_combat() + self.most_in_market();
        Some((n * (setup + i64::from(self.board.last_round()) * turn)) as u32)
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
