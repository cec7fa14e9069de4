//! Setup: provinces are claimed and pieces placed (2.4, 2.5).

use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{Place, PlaceSet};
use crate::games::classic::model::state::State;
use crate::games::shared::options::Options;
use crate::games::shared::units::Unit;
use crate::player::Player;

/// The kinds that are placed, in this order.
pub(crate) const PLACED: [Unit; 2] = [Unit::Infantry, Unit::General];

impl Classic {
    /// Goes to the next player who has a province to claim (2.4).
    pub(crate) fn seek_claim(&self, s: &mut State) {
        let all = self.n_players * self.board.v.start_territories as usize;
        while usize::from(s.cursor) < all {
            let player = Player::new(usize::from(s.cursor) % self.n_players);
            if !self.open_claims(s, player).is_empty() {
                s.ask(player, Phase::Claim);
                return;
            }
            s.cursor += 1;
        }
        s.cursor = 0;
        if self.board.in_pairs {
            self.seek_placement(s);
        } else {
            self.place_at_home(s);
        }
    }

    pub(crate) fn open_claims(&self, s: &State, player: Player) -> PlaceSet {
        self.board.claimable[player] - s.all_owned()
    }

    pub(crate) fn claim(&self, s: &mut State, place: Place) {
        let actor = s.actor;
        s.owned[actor].insert(place);
        s.cursor += 1;
        self.seek_claim(s);
    }

    /// Goes to the next player who has a piece to place (2.5).
    fn seek_placement(&self, s: &mut State) {
        for _ in 0..self.n_players {
            let player = Player::new(s.cursor.into());
            if s.to_place[player] != [0, 0] {
                s.ask(player, Phase::Place);
                return;
            }
            s.cursor = player.next(self.n_players).number();
        }
        self.setup_over(s);
    }

    /// Returns the places for pieces of the actor: their provinces.
    fn grounds(s: &State) -> PlaceSet {
        s.owned[s.actor]
    }

    pub(crate) fn placement_options(s: &State) -> Options {
        let [infantry, generals] = s.to_place[s.actor].map(u16::from);
        let k = Self::grounds(s).len() as u16;
        if infantry + generals == 1 {
            return Options::of(Self::grounds(s));
        }
        let alike = |left: u16| if left >= 2 { k * (k + 1) / 2 } else { 0 };
        let mixed = if infantry > 0 && generals > 0 { k * k } else { 0 };
        Options::new(0, 0, alike(infantry) + mixed + alike(generals))
    }

    /// Returns the placement with a number: the first piece not later than the second, by kind and province.
    pub(crate) fn nth_placement(s: &State, index: u16) -> Action {
        let left = s.to_place[s.actor].map(u32::from);
        let grounds = Self::grounds(s);
        if left[0] + left[1] == 1 {
            let kind = u8::from(left[0] == 0);
            return Action::pair(Verb::PlaceOne, kind, grounds.nth(index.into()).number());
        }
        let k = grounds.len();
        let mut index = u32::from(index);
        for kind in 0..2u8 {
            let alike = left[usize::from(kind)] >= 2;
            let other = kind == 0 && left[0] > 0 && left[1] > 0;
            for i in 0..k {
                let n_alike = if alike { k - i } else { 0 };
                let second = if index < n_alike {
                    Some((kind, i + index))
                } else if other && index < n_alike + k {
                    Some((1, index - n_alike))
                } else {
                    None
                };
                if let Some((kind2, j)) = second {
                    let (p, q) = (grounds.nth(i).number(), grounds.nth(j).number());
                    return Action { verb: Verb::PlacePair, args: [kind, p, kind2, q, 0] };
                }
                index -= n_alike + if other { k } else { 0 };
            }
        }
        unreachable!("the index is below the number of placements")
    }

    pub(crate) fn is_placement(s: &State, action: Action) -> bool {
        let left = s.to_place[s.actor];
        let has = |kind: u8, n: u8| left.get(usize::from(kind)).is_some_and(|&l| l >= n);
        let is_own = |p: u8| p < 64 && Self::grounds(s).contains(Place::new(p));
        let [kind, p, kind2, q, _] = action.args;
        let is_last = left[0] + left[1] == 1;
        match action.verb {
            Verb::PlaceOne => is_last && has(kind, 1) && is_own(p) && action.args[2..] == [0; 3],
            Verb::PlacePair => {
                let enough = if kind == kind2 { has(kind, 2) } else { has(0, 1) && has(1, 1) };
                let in_order = (kind, p) <= (kind2, q);
                !is_last && kind2 < 2 && enough && in_order && is_own(p) && is_own(q)
            }
            _ => false,
        }
    }

    pub(crate) fn place(&self, s: &mut State, action: Action) {
        let [kind, p, kind2, q, _] = action.args;
        Self::put(s, kind, p);
        if action.verb == Verb::PlacePair {
            Self::put(s, kind2, q);
        }
        s.cursor = s.actor.next(self.n_players).number();
        self.seek_placement(s);
    }

    fn put(s: &mut State, kind: u8, place: u8) {
        let (player, unit) = (s.actor, PLACED[usize::from(kind)]);
        s.to_place[player][usize::from(kind)] -= 1;
        Self::raise(s, player, Place::new(place), unit, 1);
    }

    /// Puts land units on the board; troops come from the pool.
    pub(crate) fn raise(s: &mut State, player: Player, place: Place, unit: Unit, number: u8) {
        if unit != Unit::General {
            s.pool[player][unit] -= number;
        }
        s.add_troops(player, place, unit, number as i8);
    }

    fn place_at_home(&self, s: &mut State) {
        for player in self.players() {
            let home = self.home(player);
            let left = std::mem::take(&mut s.to_place[player]);
            for (unit, number) in PLACED.into_iter().zip(left) {
                Self::raise(s, player, home, unit, number);
            }
        }
        self.setup_over(s);
    }

    fn setup_over(&self, s: &mut State) {
        s.cursor = 0;
        self.next_round(s);
    }
}
