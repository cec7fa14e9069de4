//! Naval battles (6).

use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::battle::{After, Battle, Fall, Fallen, Side};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{Place, PlaceSet};
use crate::games::classic::model::rows::{Last, Row};
use crate::games::classic::model::state::{State, counts, packed};
use crate::games::shared::dice::Roll;
use crate::games::shared::units::{Troops, Unit};
use crate::player::Player;

impl Classic {
    /// Visits the rows of possible attacks: a zone and a player (6.1).
    pub(crate) fn attack_rows(&self, s: &State, visit: &mut impl FnMut(Row) -> bool) {
        let player = s.turn;
        for zone in self.fleets(s, player).zones().iter() {
            let galleys = s.galleys[zone.idx()];
            if !galleys.has_other(player) {
                continue;
            }
            let there = self.players().filter(|&q| q != player && galleys.of(q) > 0);
            let set = there.fold(0, |set, q| set | 1 << q.number());
            let is_past = s.last.verb == Verb::Attack && zone.number() < s.last.a;
            let set = if is_past { 0 } else { s.last.later(Verb::Attack, zone.number(), set) };
            if set != 0 && visit(Row { verb: Verb::Attack, a: zone.number(), set }) {
                return;
            }
        }
        visit(Row::DONE);
    }

    pub(crate) fn attack(&self, s: &mut State, action: Action) {
        if action.verb == Verb::Done {
            s.last = Last::NONE;
            self.next_province(s);
            return;
        }
        let [zone, seat, ..] = action.args;
        s.last = Last::new(Verb::Attack, zone, seat);
        s.battle = Battle::new(Place::new(zone), Some(Player::of(seat)), 0);
        s.battle.round = 1;
        s.roll(Phase::NavalDice);
    }

    /// Returns the places where a player has galleys; most places have none at all.
    pub(crate) fn fleets(&self, s: &State, player: Player) -> PlaceSet {
        let has_some = s.pool[player][Unit::Galley] < self.board.pool[Unit::Galley];
        if has_some { s.fleets(player) } else { PlaceSet::EMPTY }
    }

    /// Returns the player of a side at sea.
    fn sailor(s: &State, side: Side) -> Player {
        match side {
            Side::Attacker => s.turn,
            Side::Defender => s.battle.defender.expect("a player defends at sea"),
        }
    }

    pub(crate) fn naval_dice(s: &State) -> u8 {
        s.galleys(Self::sailor(s, s.battle.side), s.battle.place)
    }

    /// Counts a roll; both sides roll before galleys sink (6.2).
    pub(crate) fn naval_rolled(&self, s: &mut State, roll: Roll) {
        let (side, place) = (s.battle.side, s.battle.place);
        s.battle.hits[side.other()] = roll[Unit::Galley.idx()];
        s.battle.side = side.other();
        if side == Side::Attacker {
            s.roll(Phase::NavalDice);
            return;
        }
        let mut is_over = i64::from(s.battle.round) == self.board.config.battle.naval_rounds;
        for side in Side::ALL {
            let player = Self::sailor(s, side);
            let sunk = s.battle.hits[side].min(s.galleys(player, place));
            s.sink(player, place, sunk);
            is_over |= s.galleys(player, place) == 0;
        }
        s.battle.hits = [0; 2];
        if is_over {
            self.reckon(s);
        } else {
            s.battle.round += 1;
            s.roll(Phase::NavalDice);
        }
    }

    /// Settles the cargo of sunk galleys (6.3).
    fn reckon(&self, s: &mut State) {
        for side in Side::ALL {
            let player = Self::sailor(s, side);
            s.battle.fallen[side] = Self::drown(s, player);
        }
        let enemy = Self::sailor(s, Side::Defender);
        let fallen = std::mem::take(&mut s.battle.fallen[Side::Defender]);
        let captor = Some(s.turn).filter(|&q| s.galleys(q, s.battle.place) > 0);
        self.begin_fall(s, Fall { owner: enemy, captor, fallen, after: After::FallenAttacker });
    }

    /// Lets the leaders of the attacker fall after those of the defender (6.4).
    pub(crate) fn fallen_attacker(&self, s: &mut State) {
        let enemy = Self::sailor(s, Side::Defender);
        let fallen = std::mem::take(&mut s.battle.fallen[Side::Attacker]);
        let captor = Some(enemy).filter(|&q| s.galleys(q, s.battle.place) > 0);
        self.begin_fall(s, Fall { owner: s.turn, captor, fallen, after: After::Attack });
    }

    /// Takes pieces off the board that have no galley left, and returns the leaders among them.
    fn drown(s: &mut State, player: Player) -> Fallen {
        let place = s.battle.place;
        let (all, there) = (s.n_leaders(player, place), s.troops(player, place));
        let fallen = all.saturating_sub(s.galleys(player, place));
        if fallen == 0 {
            return Fallen::default();
        }
        let lost = u16::from(there.military()) * u16::from(fallen);
        let mut lost = lost.div_ceil(all.into()) as u8;
        let mut by_type = [0; 3];
        for (number, there) in by_type.iter_mut().zip(counts(there)) {
            *number = lost.min(there);
            lost -= *number;
        }
        let generals = fallen.min(there.generals());
        let gone = packed(by_type).0 + Troops::one(Unit::General) * u16::from(generals);
        s.remove(player, place, Troops(gone));
        let has_caesar = fallen > generals;
        if has_caesar {
            s.move_caesar(player, None);
        }
        Fallen { generals, has_caesar }
    }
}
