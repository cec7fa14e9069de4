//! Rounds and turns: prestige, the start and end of movement, tribute, and the end of the game (3, 4, 10, 12, 13).

use crate::games::classic::Classic;
use crate::games::classic::model::battle::Battle;
use crate::games::classic::model::detail::Detail;
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PLACES, N_PROVINCES, Place, PlaceSet};
use crate::games::classic::model::rows::Last;
use crate::games::classic::model::state::{Mobility, Nibbles, State};
use crate::games::shared::options::Options;
use crate::games::shared::units::{Troops, Unit};
use crate::player::{ByPlayer, Player, PlayerSet};

impl Classic {
    /// Begins the next round with the first player who is not out. A record holds the state at the end of the setup or
    /// round before.
    pub(crate) fn next_round(&self, s: &mut State) {
        s.milestone += 1;
        s.round += 1;
        if let Some(treatments) = &self.board.treated {
            treatments.apply(self, s);
        }
        (s.is_fresh, s.closing, s.closing_level) = (true, s.talents, s.level);
        let first = s.alive(self.n_players).lowest().expect("somebody is not out");
        self.start_turn(s, first);
    }

    /// Clears the facts about the end of the last round, since a ply or an event of chance was made.
    #[inline]
    pub(crate) fn forget_closing(s: &mut State) {
        if s.is_fresh {
            (s.is_fresh, s.closing, s.closing_level) = (false, ByPlayer::default(), 0);
        }
    }

    pub(crate) fn start_turn(&self, s: &mut State, player: Player) {
        s.turn = player;
        let prestige = self.prestige(s, player);
        s.pay(player, i64::from(prestige));
        for place in Place::first(N_PLACES) {
            let galleys = s.galleys(player, place);
            s.galleys[place.idx()].add_fresh(galleys as i8);
        }
        (s.wave, s.mobility, s.last) = (1, Mobility::Now, Last::NONE);
        s.ask(player, Phase::Move);
    }

    /// Ends a wave (5.6).
    pub(crate) fn next_wave(&self, s: &mut State) {
        let player = s.turn;
        let mut goes_on = s.mobility == Mobility::Next;
        s.mobility = match s.mobility {
            Mobility::Next => Mobility::Now,
            Mobility::Now | Mobility::Spent => Mobility::Spent,
        };
        for place in s.leaders[player].provinces().iter() {
            let p = place.idx();
            let all = s.troops(player, place).generals();
            let next = s.half[p].generals();
            goes_on |= next > 0;
            // Units that march on are ready, and all others are done.
            s.half[p].0 -= generals(next);
            s.spent[p].0 += generals(all - next - s.spent[p].generals());
        }
        s.last = Last::NONE;
        if goes_on {
            s.wave += 1;
        } else {
            self.movement_over(s);
        }
    }

    fn movement_over(&self, s: &mut State) {
        s.spent = [Troops(0); N_PLACES];
        s.half = [Troops(0); N_PROVINCES];
        s.galleys.iter_mut().for_each(Nibbles::rest);
        (s.wave, s.mobility, s.detail) = (0, Mobility::Now, Detail::Nothing);
        s.ask(s.turn, Phase::Attack);
    }

    /// Ends the combat phase, or the turn by elimination (8.6, 12.2).
    pub(crate) fn combat_over(&self, s: &mut State) {
        (s.battle, s.cursor, s.last) = (Battle::NONE, 0, Last::NONE);
        let winners = self.winners_by_homes(s);
        if !winners.is_empty() {
            self.over(s, winners);
        } else if s.out.contains(s.turn) {
            self.end_turn(s);
        } else {
            self.collect(s);
        }
    }

    /// Returns the players with enough homes (12.2).
    pub(crate) fn winners_by_homes(&self, s: &State) -> PlayerSet {
        let Some(enough) = self.board.homes_to_win else { return PlayerSet::EMPTY };
        let has_won = |q: &Player| (s.owned[*q] & self.board.homes).len() >= u32::from(enough);
        s.alive(self.n_players).iter().filter(has_won).collect()
    }

    /// Collects tribute, applies inflation, and opens the market (10).
    fn collect(&self, s: &mut State) {
        let player = s.turn;
        let mut most = 0;
        for q in s.alive(self.n_players).iter() {
            let tribute = self.tribute(s, q);
            most = most.max(tribute);
            if q == player {
                s.pay(player, i64::from(tribute));
            }
        }
        let reached = |&&at: &&i64| at <= i64::from(most);
        let level = self.board.v.inflation_at.iter().filter(reached).count();
        s.level = s.level.max(level as u8);
        s.ask(player, Phase::Market);
    }

    pub(crate) fn market_over(&self, s: &mut State) {
        s.spent = [Troops(0); N_PLACES];
        s.new_cities = PlaceSet::EMPTY;
        (s.last, s.detail) = (Last::NONE, Detail::Nothing);
        self.end_turn(s);
    }

    /// Returns the player after this one in this round.
    fn next_player(&self, s: &State) -> Option<Player> {
        s.alive(self.n_players).iter().find(|q| *q > s.turn)
    }

    /// Returns the rung of the ladder at the end of this turn; `None` before the final rounds (13.1).
    pub(crate) fn rung(&self, s: &State) -> Option<usize> {
        let final_round = self.board.config.options.final_round as usize;
        let rung = usize::from(s.round).checked_sub(final_round)?;
        Some(rung + usize::from(self.next_player(s).is_none()))
    }

    /// Ends a turn; in a final round, a die may end the game (13.1).
    fn end_turn(&self, s: &mut State) {
        match self.rung(s).map(|rung| self.board.ladder.get(rung)) {
            Some(None) => self.over(s, self.winners_on_points(s)),
            Some(Some(&faces)) if faces != 0 => s.roll(Phase::EndDie),
            _ => self.turn_over(s),
        }
    }

    pub(crate) fn end_die(&self, s: &mut State, face: u8) {
        let rung = self.rung(s).expect("a die of a final round");
        if self.board.ladder[rung] >> face & 1 == 1 {
            self.over(s, self.winners_on_points(s));
        } else {
            self.turn_over(s);
        }
    }

    fn turn_over(&self, s: &mut State) {
        match self.next_player(s) {
            Some(next) => self.start_turn(s, next),
            None => self.next_round(s),
        }
    }

    /// Ends the game.
    pub(crate) fn over(&self, s: &mut State, winners: PlayerSet) {
        Self::forget_closing(s);
        (s.battle, s.cursor, s.last, s.detail) = (Battle::NONE, 0, Last::NONE, Detail::Nothing);
        (s.winners, s.actor, s.phase, s.options) = (winners, s.turn, Phase::Over, Options::NONE);
    }
}

/// Returns `number` generals, packed.
pub(crate) const fn generals(number: u8) -> u16 {
    Troops::one(Unit::General) * number as u16
}
