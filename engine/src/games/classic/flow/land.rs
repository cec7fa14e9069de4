//! Land battles: legions, rounds, losses, retreats and pursuit (7.2 to 7.10).

use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::battle::{After, Fall, Legion, Side, size};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{Place, PlaceSet};
use crate::games::classic::model::state::{State, counts, packed};
use crate::games::shared::dice::Roll;
use crate::games::shared::options::{LAST, Options};
use crate::games::shared::units::{N_LAND_MILITARY, Unit};
use crate::player::Player;

impl Classic {
    /// Returns the player of a side, or `None` for a guard.
    pub(crate) fn commander(s: &State, side: Side) -> Option<Player> {
        match side {
            Side::Attacker => Some(s.turn),
            Side::Defender => s.battle.defender,
        }
    }

    /// Returns the infantry, cavalry and catapults of a side.
    pub(crate) fn force(s: &State, side: Side) -> Legion {
        match Self::commander(s, side) {
            Some(player) => counts(s.troops(player, s.battle.place)),
            None => [s.battle.guard, 0, 0],
        }
    }

    /// Returns the largest number of troops in the legion of a side (7.3).
    pub(crate) fn legion_cap(&self, s: &State, side: Side) -> u8 {
        let rules = &self.board.config.battle;
        let Some(player) = Self::commander(s, side) else { return rules.legion as u8 };
        self.cap_with(s, player, s.battle.place)
    }

    /// Returns the largest number of troops in a legion of a player in a place.
    pub(crate) fn cap_with(&self, s: &State, player: Player, place: Place) -> u8 {
        let rules = &self.board.config.battle;
        let generals = i64::from(s.troops(player, place).generals());
        let caesar = i64::from(s.caesar[player] == Some(place));
        let all = rules.legion + rules.legion_per_general * generals;
        (all + self.board.v.caesar_legion * caesar) as u8
    }

    /// Returns the number of dice of a side beside those of its legion (7.4).
    pub(crate) fn fort_dice(&self, s: &State, side: Side) -> u8 {
        let place = s.battle.place;
        let is_his =
            side == Side::Defender && s.battle.defender.is_some_and(|q| s.owned[q].contains(place));
        if is_his && s.forts.contains(place) { self.board.config.battle.fort_dice as u8 } else { 0 }
    }

    pub(crate) fn next_battle_round(&self, s: &mut State) {
        s.battle.round += 1;
        s.battle.legion = [[0; N_LAND_MILITARY]; 2];
        s.battle.hits = [0; 2];
        self.seek_legion(s, Side::Attacker);
    }

    /// Goes to the choice of legions, the attacker's first, where there is a choice; then both sides roll (7.3).
    fn seek_legion(&self, s: &mut State, first: Side) {
        for side in Side::ALL.into_iter().filter(|&side| side >= first) {
            let (force, cap) = (Self::force(s, side), self.legion_cap(s, side));
            (s.battle.side, s.battle.due) = (side, 0);
            match Self::commander(s, side) {
                None => s.battle.legion[side] = [force[0].min(cap), 0, 0],
                Some(_) if size(force) <= cap => s.battle.legion[side] = force,
                Some(player) => return s.ask(player, Phase::Legion),
            }
        }
        (s.battle.side, s.battle.due) = (Side::Attacker, 0);
        s.roll(Phase::Dice);
    }

    pub(crate) fn legion_options(&self, s: &State) -> Options {
        let (side, due) = (s.battle.side, usize::from(s.battle.due));
        let (force, cap) = (Self::force(s, side), self.legion_cap(s, side));
        let room = size(force).min(cap) - size(s.battle.legion[side]);
        let later: u8 = force[due + 1..].iter().sum();
        Options::range(room.saturating_sub(later).into(), force[due].min(room).into())
    }

    pub(crate) fn choose_legion(&self, s: &mut State, number: u8) {
        let side = s.battle.side;
        s.battle.legion[side][usize::from(s.battle.due)] = number;
        s.battle.due += 1;
        if usize::from(s.battle.due) < N_LAND_MILITARY {
            return;
        }
        s.battle.due = 0;
        match side {
            Side::Attacker => self.seek_legion(s, Side::Defender),
            Side::Defender => {
                s.battle.side = Side::Attacker;
                s.roll(Phase::Dice);
            }
        }
    }

    /// Returns the number of dice of the due roll in a land battle or a pursuit.
    pub(crate) fn land_dice(&self, s: &State) -> u8 {
        let side = s.battle.side;
        let extra = if s.phase == Phase::Dice { self.fort_dice(s, side) } else { 0 };
        size(s.battle.legion[side]) + extra
    }

    /// Counts a roll; both sides roll before any losses (7.4).
    pub(crate) fn rolled(&self, s: &mut State, roll: Roll) {
        let side = s.battle.side;
        let legion = s.battle.legion[side];
        s.battle.hits[side.other()] = roll.iter().zip(legion).map(|(&shown, n)| shown.min(n)).sum();
        s.battle.side = side.other();
        match side {
            Side::Attacker => s.roll(Phase::Dice),
            Side::Defender => self.start_losses(s),
        }
    }

    /// Starts the losses of a side (7.4).
    fn start_losses(&self, s: &mut State) {
        let side = s.battle.side;
        let (legion, hits) = (s.battle.legion[side], s.battle.hits[side]);
        s.battle.due = 0;
        match Self::commander(s, side) {
            None => {
                s.battle.guard -= hits.min(s.battle.guard).min(size(legion));
                self.losses_taken(s);
            }
            Some(player) if hits >= size(legion) => {
                s.remove(player, s.battle.place, packed(legion));
                self.losses_taken(s);
            }
            Some(player) if hits > 0 => s.ask(player, Phase::Losses),
            Some(_) => self.losses_taken(s),
        }
    }

    pub(crate) fn loss_options(s: &State) -> Options {
        let side = s.battle.side;
        let from =
            if s.phase == Phase::Losses { s.battle.legion[side] } else { Self::force(s, side) };
        let (due, hits) = (usize::from(s.battle.due), s.battle.hits[side]);
        let later: u8 = from[due + 1..].iter().sum();
        Options::range(hits.saturating_sub(later).into(), from[due].min(hits).into())
    }

    pub(crate) fn lose(&self, s: &mut State, number: u8) {
        let (side, due) = (s.battle.side, usize::from(s.battle.due));
        let player = Self::commander(s, side).expect("guards do not choose");
        let mut lost = [0; N_LAND_MILITARY];
        lost[due] = number;
        s.remove(player, s.battle.place, packed(lost));
        s.battle.hits[side] -= number;
        s.battle.due += 1;
        if s.battle.hits[side] == 0 {
            s.battle.due = 0;
            if s.phase == Phase::Losses { self.losses_taken(s) } else { self.fall_back(s) }
        }
    }

    fn losses_taken(&self, s: &mut State) {
        let side = s.battle.side;
        s.battle.hits[side] = 0;
        match side {
            Side::Attacker => {
                s.battle.side = Side::Defender;
                self.start_losses(s);
            }
            Side::Defender => self.round_fought(s),
        }
    }

    /// Ends the round: the battle is over, or the defender and then the attacker may retreat (7.5).
    fn round_fought(&self, s: &mut State) {
        if Side::ALL.iter().any(|&side| size(Self::force(s, side)) == 0) {
            self.battle_over(s);
        } else if let Some(player) = s.battle.defender {
            s.battle.side = Side::Defender;
            s.ask(player, Phase::Retreat);
        } else {
            self.ask_attacker(s);
        }
    }

    fn is_last_round(&self, s: &State) -> bool {
        i64::from(s.battle.round) == self.board.config.battle.land_rounds
    }

    fn ask_attacker(&self, s: &mut State) {
        s.battle.side = Side::Attacker;
        let player = s.turn;
        if self.is_last_round(s) && self.retreats(s, player, s.battle.place).is_empty() {
            // 7.8: they must retreat and cannot.
            Self::lose_all(s, player, s.battle.place);
            self.battle_over(s);
        } else {
            s.ask(player, Phase::Retreat);
        }
    }

    /// Returns the places to which the land pieces of a player can retreat (7.6).
    pub(crate) fn retreats(&self, s: &State, player: Player, place: Place) -> PlaceSet {
        let foreign = (s.all_owned() - s.owned[player]) | s.foreign_pieces(player);
        self.beside(s, player, place) - foreign
    }

    pub(crate) fn retreat_options(&self, s: &State) -> Options {
        let must = s.battle.side == Side::Attacker && self.is_last_round(s);
        let goals = self.retreats(s, s.actor, s.battle.place);
        Options::of(goals.bits() | if must { 0 } else { LAST })
    }

    pub(crate) fn retreat(&self, s: &mut State, action: Action) {
        let side = s.battle.side;
        if action.verb == Verb::Stay {
            match side {
                Side::Defender => self.ask_attacker(s),
                Side::Attacker => self.next_battle_round(s),
            }
            return;
        }
        s.battle.goal = Some(Place::new(action.args[0]));
        let pursuer = side.other();
        let force = Self::force(s, pursuer);
        if force[Unit::Cavalry.idx()] == 0 {
            self.fall_back(s);
            return;
        }
        s.battle.legion[pursuer] = self.pursuing(s, pursuer, force);
        s.battle.side = pursuer;
        s.roll(Phase::Pursuit);
    }

    /// Returns the largest legion with as many cavalry in it as possible (7.7).
    pub(crate) fn pursuing(&self, s: &State, side: Side, force: Legion) -> Legion {
        let all = size(force).min(self.legion_cap(s, side));
        let cavalry = force[Unit::Cavalry.idx()].min(all);
        // Of the other troops only the number counts.
        [all - cavalry, cavalry, 0]
    }

    /// Applies the roll of a pursuit: only cavalry hits, and the retreating side takes the losses among all its troops
    /// (7.7).
    pub(crate) fn pursued(&self, s: &mut State, roll: Roll) {
        let pursuer = s.battle.side;
        let side = pursuer.other();
        let cavalry = Unit::Cavalry.idx();
        let hits = roll[cavalry].min(s.battle.legion[pursuer][cavalry]);
        let player = Self::commander(s, side).expect("guards do not retreat");
        (s.battle.side, s.battle.due) = (side, 0);
        s.battle.hits[side] = hits;
        if hits >= size(Self::force(s, side)) {
            Self::lose_all(s, player, s.battle.place);
            self.fall_back(s);
        } else if hits > 0 {
            s.ask(player, Phase::PursuitLosses);
        } else {
            self.fall_back(s);
        }
    }

    /// Completes a retreat (7.6).
    fn fall_back(&self, s: &mut State) {
        let side = s.battle.side;
        let player = Self::commander(s, side).expect("guards do not retreat");
        let goal = s.battle.goal.take().expect("somebody retreats");
        let place = s.battle.place;
        s.shift(player, place, goal, s.troops(player, place));
        if s.caesar[player] == Some(place) {
            s.move_caesar(player, Some(goal));
        }
        Self::occupy(s, player, goal);
        match side {
            Side::Attacker => self.next_province(s),
            Side::Defender => self.conquer(s),
        }
    }

    /// Ends the battle when a side has no troops left (7.9, 7.10).
    fn battle_over(&self, s: &mut State) {
        let place = s.battle.place;
        let [attacker, defender] = Side::ALL.map(|side| size(Self::force(s, side)) > 0);
        match (attacker, defender) {
            (true, _) => {
                s.guards.remove(place);
                self.conquer(s);
            }
            (false, true) => {
                let (owner, captor) = (s.turn, s.battle.defender);
                let fallen = Self::topple(s, owner, place);
                self.begin_fall(s, Fall { owner, captor, fallen, after: After::Province });
            }
            (false, false) => self.next_province(s),
        }
    }
}
