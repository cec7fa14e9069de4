//! Fallen leaders, succession and elimination (8).

use crate::games::classic::Classic;
use crate::games::classic::model::battle::{After, Battle, Fall, Fallen};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PLACES, Place, PlaceSet};
use crate::games::classic::model::state::State;
use crate::games::shared::options::Options;
use crate::games::shared::units::{Troops, Unit};
use crate::player::{MAX_PLAYERS, Player};

impl Classic {
    /// Takes all leaders of a player in a place off the board, and returns them.
    pub(crate) fn topple(s: &mut State, player: Player, place: Place) -> Fallen {
        let generals = s.troops(player, place).generals();
        s.remove(player, place, Troops(Troops::one(Unit::General) * u16::from(generals)));
        let has_caesar = s.caesar[player] == Some(place);
        if has_caesar {
            s.move_caesar(player, None);
        }
        Fallen { generals, has_caesar }
    }

    /// Lets the captor choose the generals to keep, if there are any (8.1).
    pub(crate) fn begin_fall(&self, s: &mut State, fall: Fall) {
        s.battle.fall = Some(fall);
        match fall.captor {
            Some(captor) if fall.fallen.generals > 0 => s.ask(captor, Phase::Keep),
            _ => self.generals_fell(s),
        }
    }

    fn fall(s: &State) -> Fall {
        s.battle.fall.expect("leaders fell")
    }

    pub(crate) fn keep_options(s: &State) -> Options {
        Options::range(0, Self::fall(s).fallen.generals.into())
    }

    pub(crate) fn keep(&self, s: &mut State, number: u8) {
        let Fall { owner, captor, .. } = Self::fall(s);
        s.captives[captor.expect("a captor keeps them")].add(owner, number as i8);
        self.generals_fell(s);
    }

    /// Destroys a fallen caesar: a general succeeds, or the player is out (8.2 to 8.4).
    fn generals_fell(&self, s: &mut State) {
        let Fall { owner, captor, mut fallen, after } = Self::fall(s);
        fallen.generals = 0;
        s.battle.fall = Some(Fall { owner, captor, fallen, after });
        if !fallen.has_caesar {
            self.fall_over(s);
        } else if self.board.v.caesar_replaced && !s.leaders[owner].is_empty() {
            s.ask(owner, Phase::Crown);
        } else {
            self.eliminate(s, owner, captor);
        }
    }

    pub(crate) fn crown_options(s: &State) -> Options {
        Options::of(s.leaders[s.actor])
    }

    /// Makes a general the new caesar (8.3).
    pub(crate) fn crown(&self, s: &mut State, place: Place) {
        let Fall { owner, captor, .. } = Self::fall(s);
        s.remove(owner, place, Troops(Troops::one(Unit::General)));
        s.move_caesar(owner, Some(place));
        if let Some(captor) = captor {
            s.pay_up_to(owner, captor, self.board.v.caesar_payment);
        }
        self.fall_over(s);
    }

    fn fall_over(&self, s: &mut State) {
        let after = Self::fall(s).after;
        s.battle.fall = None;
        match after {
            After::FallenAttacker => self.fallen_attacker(s),
            After::Attack => {
                s.battle = Battle::NONE;
                s.ask(s.turn, Phase::Attack);
            }
            After::Conquer => self.conquer(s),
            After::Province => self.next_province(s),
        }
    }

    /// Puts a player out of the game (8.5).
    fn eliminate(&self, s: &mut State, player: Player, heir: Option<Player>) {
        s.out.insert(player);
        if let Some(heir) = heir {
            s.pay_up_to(player, heir, i64::from(u16::MAX));
            self.bequeath(s, player, heir);
        }
        s.talents[player] = 0;
        let own = std::mem::take(&mut s.owned[player]);
        if let Some(heir) = heir {
            s.owned[heir] |= own;
        }
        self.vanish(s, player);
        self.free_captives(s, player, heir);
        let alive = s.alive(self.n_players);
        if alive.len() <= 1 {
            self.over(s, alive);
        } else if player == s.turn {
            self.combat_over(s);
        } else {
            self.fall_over(s);
        }
    }

    /// Passes troops and galleys to the heir, as far as the heir's pool reaches.
    fn bequeath(&self, s: &mut State, player: Player, heir: Player) {
        for place in Place::first(N_PLACES) {
            let is_left = s.owned[player].contains(place) || !place.is_province();
            if !is_left {
                continue;
            }
            if place.is_province() {
                for unit in Unit::LAND_MILITARY {
                    let there = s.troops(player, place).count(unit);
                    let number = there.min(s.pool[heir][unit]);
                    if number > 0 {
                        s.remove(player, place, Troops(Troops::one(unit) * u16::from(number)));
                        Self::raise(s, heir, place, unit, number);
                    }
                }
            }
            let number = s.galleys(player, place).min(s.pool[heir][Unit::Galley]);
            s.sink(player, place, number);
            s.galleys[place.idx()].add(heir, number as i8);
            s.pool[heir][Unit::Galley] -= number;
        }
    }

    /// Removes all pieces of a player from the game.
    fn vanish(&self, s: &mut State, player: Player) {
        s.move_caesar(player, None);
        for place in Place::first(N_PLACES) {
            s.remove(player, place, s.troops(player, place));
            s.sink(player, place, s.galleys(player, place));
        }
        debug_assert!(s.pool[player] == self.board.pool, "every unit is back in the pool");
    }

    /// Passes the player's captives to the heir or sends them home; destroys their generals held by others.
    fn free_captives(&self, s: &mut State, player: Player, heir: Option<Player>) {
        let held = std::mem::take(&mut s.captives[player]);
        for owner in Player::all(MAX_PLAYERS) {
            let number = held.of(owner);
            if number == 0 || owner == player {
                continue;
            }
            match heir.filter(|&heir| heir != owner) {
                Some(heir) => s.captives[heir].add(owner, number as i8),
                None if self.has_home(s, owner) => {
                    s.add_troops(owner, self.home(owner), Unit::General, number as i8);
                }
                None => {}
            }
        }
        for captor in Player::all(MAX_PLAYERS) {
            let number = s.captives[captor].of(player);
            s.captives[captor].add(player, -(number as i8));
        }
        debug_assert!(s.owned[player] == PlaceSet::EMPTY);
    }
}
