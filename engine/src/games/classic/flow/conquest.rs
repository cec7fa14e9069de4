//! Provinces that come up for land battles, and their conquest (7.1, 9).

use crate::games::classic::Classic;
use crate::games::classic::model::battle::{After, Battle, Fall};
use crate::games::classic::model::place::{Place, PlaceSet};
use crate::games::classic::model::state::State;
use crate::games::shared::units::Troops;
use crate::player::Player;

impl Classic {
    /// Goes to the next province with troops of the player in turn and a fight or a conquest (7.1).
    pub(crate) fn next_province(&self, s: &mut State) {
        let player = s.turn;
        let armies = s.army[player].provinces();
        let others = s.foreign_pieces(player) | (armies - s.owned[player]);
        let ahead = PlaceSet::from_bits(u64::MAX.checked_shl(s.cursor.into()).unwrap_or(0));
        let Some(place) = (armies & others & ahead).first() else {
            self.combat_over(s);
            return;
        };
        s.cursor = place.number() + 1;
        let guard = if s.guards.contains(place) { self.board.guard[place.idx()] } else { 0 };
        let defender = self.players().find(|&q| q != player && s.army[q].contains(place));
        s.battle = Battle::new(place, defender, guard);
        if guard > 0 || defender.is_some() {
            self.next_battle_round(s);
        } else {
            self.conquer(s);
        }
    }

    /// Lets foreign leaders fall, owner by owner, and takes the province (7.1(b)).
    pub(crate) fn conquer(&self, s: &mut State) {
        let (player, place) = (s.turn, s.battle.place);
        let stranded = self.players().find(|&q| q != player && s.leaders[q].contains(place));
        if let Some(owner) = stranded {
            let fallen = Self::topple(s, owner, place);
            let (captor, after) = (Some(player), After::Conquer);
            self.begin_fall(s, Fall { owner, captor, fallen, after });
            return;
        }
        self.take(s, place);
        self.next_province(s);
    }

    /// Makes the province the property of the player in turn (9).
    fn take(&self, s: &mut State, place: Place) {
        let player = s.turn;
        if s.owned[player].contains(place) {
            return;
        }
        if let Some(owner) = s.owner(place) {
            s.sink(owner, place, s.galleys(owner, place));
            s.owned[owner].remove(place);
            if self.home(owner) == place {
                s.pay_up_to(owner, player, self.board.v.home_lost_payment);
            }
        }
        s.owned[player].insert(place);
    }

    /// Makes an unowned province own when troops arrive on a retreat (7.6).
    pub(crate) fn occupy(s: &mut State, player: Player, place: Place) {
        if s.army[player].contains(place) && s.owner(place).is_none() {
            s.owned[player].insert(place);
        }
    }

    /// Puts all troops of a player in a place back into the pool.
    pub(crate) fn lose_all(s: &mut State, player: Player, place: Place) {
        let there = s.troops(player, place);
        s.remove(player, place, Troops(there.0 & Troops::ALL_TROOPS));
    }
}
