//! Tribute, prestige, and victory on points (4, 10.1, 13.3).

use std::cmp::Reverse;

use crate::games::classic::Classic;
use crate::games::classic::model::place::Place;
use crate::games::classic::model::state::State;
use crate::games::shared::units::Unit;
use crate::player::{ByPlayer, Player, PlayerSet};

impl Classic {
    /// Returns the tribute of a player (10.1).
    #[must_use]
    pub fn tribute(&self, s: &State, player: Player) -> u32 {
        let is_paid = self.board.v.home_lost_tribute || self.has_home(s, player);
        if !is_paid {
            return 0;
        }
        let own = s.owned[player];
        let values: u32 = own.iter().map(|p| u32::from(self.board.value[p.idx()])).sum();
        values + (own & s.cities).len() * self.board.config.income.city as u32
    }

    /// Returns the counts that prestige compares: provinces, zones controlled, roads and cities.
    #[must_use]
    pub fn standing(&self, s: &State, player: Player) -> [u32; 4] {
        let own = s.owned[player];
        let controls = |zone: &Place| {
            let galleys = s.galleys(player, *zone);
            let mut others = self.players().filter(|&q| q != player);
            others.all(|q| s.galleys(q, *zone) < galleys)
        };
        let zones = self.fleets(s, player).zones().iter().filter(controls).count();
        [own.len(), zones as u32, self.own_roads(s, player).count_ones(), (own & s.cities).len()]
    }

    /// Returns the prestige of a player, in talents (4).
    #[must_use]
    pub fn prestige(&self, s: &State, player: Player) -> u32 {
        if !self.has_prestige() {
            return 0;
        }
        let others = s.alive(self.n_players).iter().filter(|&q| q != player);
        self.prestige_among(self.standing(s, player), others.map(|q| self.standing(s, q)))
    }

    /// Returns the prestige of a player with counts `own` among other players with counts `others`.
    #[must_use]
    pub fn prestige_among(&self, own: [u32; 4], others: impl Iterator<Item = [u32; 4]>) -> u32 {
        if !self.has_prestige() {
            return 0;
        }
        let (alone, tied) = (self.board.v.prestige as u32, self.board.v.prestige_tie as u32);
        let mut ahead = own.map(|count| count > 0);
        let mut ties = [0; 4];
        for standing in others {
            for (i, count) in standing.into_iter().enumerate() {
                ahead[i] &= count <= own[i];
                ties[i] += u32::from(count == own[i]);
            }
        }
        let talents = |i: usize| match (ahead[i], ties[i]) {
            (true, 0) => alone,
            (true, 1) => tied,
            _ => 0,
        };
        (0..4).map(talents).sum()
    }

    /// Returns whether these rules have prestige.
    #[must_use]
    pub fn has_prestige(&self) -> bool {
        self.board.v.prestige != 0 || self.board.v.prestige_tie != 0
    }

    /// Returns the roads with both ends own, as bits of borders (1.9).
    pub(crate) fn own_roads(&self, s: &State, player: Player) -> u128 {
        let mut own = s.road_bits();
        if own == 0 {
            return 0;
        }
        let mut left = own;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let (p, q) = self.board.borders[bit as usize];
            if !(s.owned[player].contains(p) && s.owned[player].contains(q)) {
                own &= !(1 << bit);
            }
        }
        own
    }

    /// Returns the number of military units on the board, cargo and galleys included.
    pub(crate) fn military(&self, s: &State, player: Player) -> u32 {
        let pool = s.pool[player];
        Unit::MILITARY.iter().map(|&u| u32::from(self.board.pool[u] - pool[u])).sum()
    }

    /// Returns the number of leaders on the board.
    pub(crate) fn n_all_leaders(s: &State, player: Player) -> u32 {
        let places = s.leaders[player].iter();
        places.map(|place| u32::from(s.n_leaders(player, place))).sum()
    }

    /// Returns the talents of 13.3: tribute and prestige as if it were the player's turn.
    pub(crate) fn worth(&self, s: &State, player: Player) -> u32 {
        self.tribute(s, player) + self.prestige(s, player)
    }

    /// Returns the winners on points (13.3).
    pub(crate) fn winners_on_points(&self, s: &State) -> PlayerSet {
        let merit = |q: Player| {
            let homes = (s.owned[q] & self.board.homes).len();
            (homes, self.worth(s, q), Self::n_all_leaders(s, q), self.military(s, q))
        };
        let alive = s.alive(self.n_players);
        let best = alive.iter().map(|q| Reverse(merit(q))).min();
        alive.iter().filter(|&q| Some(Reverse(merit(q))) == best).collect()
    }

    /// Returns the payoffs of winners, who share a point.
    pub(crate) fn points(&self, s: &State) -> ByPlayer<f32> {
        let share = 1.0 / s.winners.len() as f32;
        ByPlayer::from_fn(|q| if s.winners.contains(q) { share } else { 0.0 })
    }

    /// Returns the scores of records: 1000 for each home, and the talents of 13.3; 0 for a player who is out.
    pub(crate) fn all_scores(&self, s: &State) -> ByPlayer<i32> {
        const HOME: u32 = 1000;
        ByPlayer::from_fn(|q| {
            if q.idx() >= self.n_players || s.out.contains(q) {
                return 0;
            }
            (HOME * (s.owned[q] & self.board.homes).len() + self.worth(s, q)) as i32
        })
    }
}
