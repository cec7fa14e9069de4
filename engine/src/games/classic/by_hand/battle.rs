//! Battles, and leaders who fell in one, in a position from a document.

use super::Finding;
use crate::by_hand::{demand, demand_seat};
use crate::games::classic::model::action::Verb;
use crate::games::classic::model::battle::{After, Battle, Fall, Fallen, Legion, Side};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::rows::Last;
use crate::games::classic::{Classic, State};
use crate::games::shared::units::N_LAND_MILITARY;
use crate::player::Player;

/// Returns the number of troops in a legion, whatever a document has written there.
fn sum(legion: &[u8]) -> u32 {
    legion.iter().map(|&n| u32::from(n)).sum()
}

/// Most troops of a side in one place: those of a colour, 31 infantry, 31 cavalry and 7 catapults.
const MOST_TROOPS: u32 = 69;

const NOBODY: Fallen = Fallen { generals: 0, has_caesar: false };

impl Classic {
    pub(super) fn check_battle(&self, s: &State) -> Finding {
        let b = &s.battle;
        self.check_caesars(s)?;
        let is_land = match s.phase {
            Phase::NavalDice => false,
            Phase::Keep | Phase::Crown => b.place.is_province(),
            Phase::Legion
            | Phase::Dice
            | Phase::Losses
            | Phase::Retreat
            | Phase::Pursuit
            | Phase::PursuitLosses => true,
            _ => {
                demand(*b == Battle::NONE, "battle", "nobody fights: it is as at the start")?;
                return demand(s.cursor == 0, "cursor", "0 where nobody fights");
            }
        };
        demand(is_land == b.place.is_province(), "battle.place", "the battle is elsewhere")?;
        b.defender.map_or(Ok(()), |q| demand_seat(q, self.n_players, "battle.defender"))?;
        let is_other = b.defender != Some(s.turn) && (is_land || b.defender.is_some());
        demand(is_other, "battle.defender", "another seat than the one in turn")?;
        for (side, legion) in b.legion.iter().enumerate() {
            let fits = sum(legion) <= MOST_TROOPS;
            demand(
                fits,
                format_args!("battle.legion.{side}"),
                format_args!("at most {MOST_TROOPS}"),
            )?;
        }
        let rules = &self.board.config.battle;
        let most = if is_land { rules.land_rounds } else { rules.naval_rounds };
        let is_fall = matches!(s.phase, Phase::Keep | Phase::Crown);
        let fits = (i64::from(!is_fall)..=most).contains(&b.round.into());
        demand(fits, "battle.round", format_args!("{} of {most} rounds", b.round))?;
        let (last, cursor) = match b.defender {
            Some(q) if !is_land => (Last::new(Verb::Attack, b.place.number(), q.number()), 0),
            _ => (Last::NONE, b.place.number() + 1),
        };
        demand(s.last == last, "last", format_args!("{last:?} in this battle"))?;
        demand(s.cursor == cursor, "cursor", format_args!("{cursor} in this battle"))?;
        self.check_guard(s)?;
        match b.fall {
            Some(fall) => self.check_fall(s, &fall),
            None if is_land => self.check_land_battle(s),
            None => self.check_naval_battle(s),
        }
    }

    /// Checks that only a player whose caesar is falling has none.
    fn check_caesars(&self, s: &State) -> Finding {
        for player in s.alive(self.n_players).iter() {
            let falls = |fall: Fall| fall.owner == player && fall.fallen.has_caesar;
            let sinks = player == s.turn && s.battle.fallen[Side::Attacker].has_caesar;
            let is_falling = s.battle.fall.is_some_and(falls) || sinks;
            let fault = if is_falling { "it is falling" } else { "it stands somewhere" };
            let fits = s.caesar[player].is_none() == is_falling;
            demand(fits, format_args!("caesar.{}", player.number()), fault)?;
        }
        Ok(())
    }

    fn check_guard(&self, s: &State) -> Finding {
        let b = &s.battle;
        let has_guard = b.defender.is_none() && s.guards.contains(b.place);
        let most = if has_guard { self.board.guard[b.place.idx()] } else { 0 };
        demand(b.guard <= most, "battle.guard", format_args!("{} of {most}", b.guard))
    }

    fn check_actor(s: &State, actor: Option<Player>) -> Finding {
        demand(Some(s.actor) == actor, "actor", "another seat is due")
    }

    fn check_naval_battle(&self, s: &State) -> Finding {
        let b = &s.battle;
        demand(s.phase == Phase::NavalDice, "battle.fall", "no leader has fallen")?;
        Self::check_actor(s, Some(s.turn))?;
        for player in [Some(s.turn), b.defender].into_iter().flatten() {
            let fault = format_args!("seat {} has none where it fights", player.number());
            demand(s.galleys(player, b.place) > 0, "galleys", fault)?;
        }
        let most = if b.side == Side::Defender { s.galleys(s.turn, b.place) } else { 0 };
        let fits = b.hits[Side::Attacker] == 0 && b.hits[Side::Defender] <= most;
        demand(fits, "battle.hits", format_args!("at most [0, {most}]"))?;
        let rest = Battle {
            round: b.round,
            side: b.side,
            hits: b.hits,
            ..Battle::new(b.place, b.defender, 0)
        };
        demand(*b == rest, "battle", "nothing but a round of hits at sea")
    }

    fn check_land_battle(&self, s: &State) -> Finding {
        let b = &s.battle;
        let is_fight = !matches!(s.phase, Phase::Keep | Phase::Crown);
        demand(is_fight, "battle.fall", "no leader has fallen")?;
        demand(b.fallen == [NOBODY; 2], "battle.fallen", "nobody falls at sea")?;
        let is_defended = b.defender.map_or(b.guard > 0, |q| s.army[q].contains(b.place));
        demand(is_defended, "battle.defender", "nobody defends the province")?;
        let has_lost = s.phase == Phase::Losses && b.side == Side::Defender;
        let is_attacked = has_lost || s.army[s.turn].contains(b.place);
        demand(is_attacked, "battle.place", "the seat in turn has no troops there")?;
        let is_due = matches!(s.phase, Phase::Legion | Phase::Losses | Phase::PursuitLosses);
        let dues = if is_due { 0..N_LAND_MILITARY as u8 } else { 0..1 };
        demand(dues.contains(&b.due), "battle.due", format_args!("{} is not due", b.due))?;
        let is_roll = matches!(s.phase, Phase::Dice | Phase::Pursuit);
        let due = if is_roll { Some(s.turn) } else { Self::commander(s, b.side) };
        Self::check_actor(s, due)?;
        let retreats = match s.phase {
            Phase::Pursuit => Self::commander(s, b.side.other()),
            Phase::PursuitLosses => Self::commander(s, b.side),
            _ => None,
        };
        let fits = match (retreats, b.goal) {
            (Some(player), Some(goal)) => self.retreats(s, player, b.place).contains(goal),
            (retreats, goal) => retreats.is_none() && goal.is_none(),
        };
        demand(fits, "battle.goal", "the goal of a side that retreats, and of no other")?;
        self.check_hits(s)?;
        self.check_legions(s)
    }

    /// Checks the hits that are to be taken. A roll has no more of them than its legion has troops.
    fn check_hits(&self, s: &State) -> Finding {
        let (b, side) = (&s.battle, s.battle.side);
        let (own, other) = (b.hits[side], b.hits[side.other()]);
        let of_attacker = sum(&b.legion[Side::Attacker]);
        let from = usize::from(b.due);
        let left = match s.phase {
            Phase::Losses => sum(&b.legion[side][from..]),
            Phase::PursuitLosses => sum(&Self::force(s, side)[from..]),
            Phase::Dice if side == Side::Defender => of_attacker,
            _ => 0,
        };
        let least = u8::from(matches!(s.phase, Phase::Losses | Phase::PursuitLosses));
        let fits = own >= least && u32::from(own) <= left;
        let fault = format_args!("{own} is out of range ({least} to {left})");
        demand(fits, format_args!("battle.hits.{}", side.idx()), fault)?;
        let is_open = s.phase == Phase::Losses && side == Side::Attacker;
        let most = if is_open { of_attacker } else { 0 };
        let fault = format_args!("{other} is out of range (0 to {most})");
        demand(u32::from(other) <= most, format_args!("battle.hits.{}", side.other().idx()), fault)
    }

    fn check_legions(&self, s: &State) -> Finding {
        let (b, side) = (&s.battle, s.battle.side);
        for one in Side::ALL {
            let legion = b.legion[one];
            let fits = match s.phase {
                Phase::Legion if one == side => self.is_begun(s),
                Phase::Legion if one > side => legion == [0; N_LAND_MILITARY],
                Phase::Legion | Phase::Dice => self.is_mustered(s, one),
                Phase::Losses if one == side => is_among(&legion, &Self::force(s, one), b.due),
                Phase::Losses if one > side => is_among(&legion, &Self::force(s, one), 0),
                Phase::Pursuit if one == side => {
                    let force = Self::force(s, one);
                    force[1] > 0 && legion == self.pursuing(s, one, force)
                }
                _ => sum(&legion) <= u32::from(self.legion_cap(s, one)),
            };
            let fault = "no legion of the troops that are there";
            demand(fits, format_args!("battle.legion.{}", one.idx()), fault)?;
        }
        Ok(())
    }

    /// Returns whether the legion of a side is as large as it can be.
    fn is_mustered(&self, s: &State, side: Side) -> bool {
        let (legion, force) = (s.battle.legion[side], Self::force(s, side));
        let due = sum(&force).min(self.legion_cap(s, side).into());
        is_among(&legion, &force, 0) && sum(&legion) == due
    }

    /// Returns whether the legion that is being chosen can still be filled, and leaves a choice.
    fn is_begun(&self, s: &State) -> bool {
        let (side, due) = (s.battle.side, usize::from(s.battle.due));
        let (legion, force) = (s.battle.legion[side], Self::force(s, side));
        let cap = u32::from(self.legion_cap(s, side));
        let (chosen, rest) = legion.split_at(due);
        is_among(&legion, &force, 0)
            && rest.iter().all(|&n| n == 0)
            && sum(&force) > cap
            && sum(chosen) <= cap
            && sum(chosen) + sum(&force[due..]) >= cap
    }

    /// Checks leaders who fell: their captor keeps some, or a general becomes caesar (8).
    fn check_fall(&self, s: &State, fall: &Fall) -> Finding {
        let b = &s.battle;
        let is_at = matches!(s.phase, Phase::Keep | Phase::Crown);
        demand(is_at, "battle.fall", "nobody has fallen")?;
        let alive = s.alive(self.n_players);
        demand(alive.contains(fall.owner), "battle.fall.owner", "no seat in play")?;
        let is_other =
            fall.captor != Some(fall.owner) && fall.captor.is_none_or(|q| alive.contains(q));
        demand(is_other, "battle.fall.captor", "another seat in play, or none")?;
        let has_troops = |player: Player| s.army[player].contains(b.place);
        let afloat = |player: Player| Some(player).filter(|&q| s.galleys(q, b.place) > 0);
        let is_defenders = |q: Player| b.defender == Some(q);
        let fits = match fall.after {
            After::Conquer => {
                let others = alive.iter().any(|q| q != s.turn && has_troops(q));
                b.place.is_province()
                    && fall.owner != s.turn
                    && fall.captor == Some(s.turn)
                    && has_troops(s.turn)
                    && !others
            }
            After::Province => {
                b.place.is_province()
                    && fall.owner == s.turn
                    && fall.captor == b.defender
                    && !has_troops(s.turn)
                    && b.defender.map_or(b.guard > 0, has_troops)
            }
            After::FallenAttacker => {
                !b.place.is_province() && is_defenders(fall.owner) && fall.captor == afloat(s.turn)
            }
            After::Attack => {
                !b.place.is_province()
                    && fall.owner == s.turn
                    && fall.captor == b.defender.and_then(afloat)
            }
        };
        demand(fits, "battle.fall", "the battle has not ended so")?;
        let sunk = if fall.after == After::FallenAttacker { b.fallen } else { [NOBODY; 2] };
        let fits = b.fallen[0] == sunk[0] && b.fallen[1] == NOBODY;
        demand(fits, "battle.fallen", "nobody else falls after these")?;
        let fits = match s.phase {
            Phase::Keep => fall.fallen.generals > 0 && fall.captor.is_some(),
            _ => {
                self.board.v.caesar_replaced
                    && fall.fallen == Fallen { generals: 0, has_caesar: true }
            }
        };
        demand(fits, "battle.fall.fallen", format_args!("nothing to decide in {:?}", s.phase))?;
        Self::check_actor(s, if s.phase == Phase::Keep { fall.captor } else { Some(fall.owner) })?;
        demand(b.goal.is_none() && b.due == 0, "battle", "the battle is over")
    }
}

/// Returns whether a legion has no more troops of any type than a force, from this type on.
fn is_among(legion: &Legion, force: &Legion, from: u8) -> bool {
    legion.iter().zip(force).skip(from.into()).all(|(n, most)| n <= most)
}
