//! Battles on land and at sea in a position from a document.

use super::Finding;
use crate::by_hand::{demand, demand_seat};
use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::battle::{Battle, Count, Lent, Loss, Side, SideSet};
use crate::games::conquest2::model::board::{N_PROVINCES, N_ZONES};
use crate::games::conquest2::model::cards::{Card, N_DIPLOMACY, PIRATES};
use crate::games::conquest2::model::packed::lane;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::{N_MILITARY, Unit};
use crate::player::{MAX_PLAYERS, Player};

/// Returns the number of units, whatever a document has written there.
fn sum(units: &[u8]) -> u32 {
    units.iter().map(|&n| u32::from(n)).sum()
}

impl Conquest2 {
    pub(super) fn check_battle(&self, s: &State) -> Finding {
        self.check_sides(s)?;
        self.check_forces(s)?;
        let b = &s.battle;
        let fits = b.lost.is_known() && b.gone.is_known();
        demand(fits, "battle.lost", "a set of the two sides: 0 to 3")?;
        let is_withdrawal = matches!(s.phase(), Phase::Withdraw | Phase::RevoltTarget);
        let is_open = b.lost == SideSet::EMPTY && b.gone == SideSet::EMPTY;
        demand(is_open || is_withdrawal, "battle.lost", "no side has lost yet")?;
        self.check_round(s)?;
        match s.phase() {
            Phase::Wind => self.check_wind(s),
            Phase::RevoltTarget => self.check_revolt(s),
            Phase::Commit => self.check_commitment(s),
            Phase::Lend => self.check_loan(s),
            Phase::NavalLend => self.check_naval_loan(s),
            Phase::Dice => self.check_dice(s),
            Phase::Losses => self.check_losses(s),
            Phase::Retreat => {
                demand(b.hits == [0; 2], "battle.hits", "all hits are taken")?;
                let commander = b.commander(b.side);
                Self::check_actor(s, commander)?;
                let is_there = commander.is_some_and(|q| s.units_of(q).contains(b.province()));
                demand(is_there && self.are_both_there(s), "battle", "a side has no army")
            }
            _ => {
                let loser = b.commander(b.side);
                Self::check_actor(s, loser)?;
                let leaves = b.lost.contains(b.side) && b.gone.contains(b.side);
                let is_there = loser.is_some_and(|q| s.leaders[q].contains(b.province()));
                demand(leaves && is_there, "battle.lost", "no leader has to leave")
            }
        }
    }

    fn check_actor(s: &State, actor: Option<Player>) -> Finding {
        demand(s.actor == actor && actor.is_some(), "actor", "another seat is due")
    }

    /// Checks the place and the commanders: enemies, or the slaves and a player.
    fn check_sides(&self, s: &State) -> Finding {
        let b = &s.battle;
        let is_naval = matches!(s.phase(), Phase::Wind | Phase::NavalLend);
        let is_land = !matches!(s.phase(), Phase::Dice | Phase::Losses) && !is_naval;
        let fits = match (b.place, b.zone) {
            (Some(place), None) => !is_naval && place.idx() < N_PROVINCES,
            (None, Some(zone)) => !is_land && !b.is_revolt && zone.idx() < N_ZONES,
            _ => false,
        };
        demand(fits, "battle.place", "a province, or a sea zone")?;
        b.attacker.map_or(Ok(()), |seat| demand_seat(seat, self.n_players, "battle.attacker"))?;
        b.defender.map_or(Ok(()), |seat| demand_seat(seat, self.n_players, "battle.defender"))?;
        let seat = self.turn_player(s);
        let due = if b.is_revolt { None } else { Some(seat) };
        let fault = "the seat in turn, or nobody in a revolt";
        demand(b.attacker == due, "battle.attacker", fault)?;
        let may_miss = s.phase() == Phase::RevoltTarget;
        let is_enemy = b.defender.is_some_and(|q| b.is_revolt || !s.are_allied(seat, q));
        let is_nobody = b.defender.is_none() && may_miss;
        demand(is_enemy || is_nobody, "battle.defender", "an enemy of the attacker")?;
        let strangers = b.fought - self.everyone();
        let fits = strangers.is_empty()
            && b.defender.is_none_or(|q| b.fought.contains(q) == b.is_revolt)
            && (b.is_revolt || b.fought.is_empty());
        demand(
            fits,
            "battle.fought",
            "in a revolt the seats fought so far, the defender among them",
        )
    }

    /// Checks that no side has more units than can be there.
    fn check_forces(&self, s: &State) -> Finding {
        let b = &s.battle;
        for player in Player::all(MAX_PLAYERS) {
            let place = format!("battle.engaged.{}", player.number());
            let engaged = b.engaged[player];
            let is_seated = player.idx() < self.n_players;
            let fights = is_seated && Self::side_of(s, player).is_some();
            let pool = self.board.pool;
            for unit in Unit::MILITARY {
                let most = if fights { pool[unit] } else { 0 };
                let n = engaged[unit];
                demand(n <= most, &place, format_args!("{n} {} of {most}", unit.name()))?;
            }
        }
        let n_zones = match b.place {
            Some(place) => self.board.coast[place.idx()].len() as usize,
            None => 1,
        };
        let fits = b.committed.iter().skip(n_zones).all(|&word| word == 0);
        demand(fits, "battle.committed", format_args!("galleys come from {n_zones} zones"))?;
        for side in Side::ALL {
            let most = self.most_neutral(s, side);
            for unit in Unit::MILITARY {
                let (n, most) = (b.neutral[side][unit], most[unit]);
                let place = format_args!("battle.neutral.{}", side.idx());
                demand(n <= most, place, format_args!("{n} {} of {most}", unit.name()))?;
            }
            let fits = b.hits[side] == 0
                || matches!(s.phase(), Phase::Dice | Phase::Losses)
                || s.phase() == Phase::RevoltTarget;
            demand(fits, "battle.hits", "no hits are to be taken")?;
        }
        Ok(())
    }

    /// Returns the troops without an owner that a side has at the start of its battle.
    fn most_neutral(&self, s: &State, side: Side) -> [u8; N_MILITARY] {
        let b = &s.battle;
        let mut most = [0; N_MILITARY];
        let Some(commander) = b.commander(side) else {
            let is_slaves = b.is_revolt && side == Side::Attacker;
            most[Unit::Infantry] =
                if is_slaves { self.board.config.revolt.infantry as u8 } else { 0 };
            return most;
        };
        if b.is_naval() {
            let galleys = self.board.diplomacy[usize::from(PIRATES)][Unit::Galley];
            most[Unit::Galley] = s.held(commander, Card::PIRATES).saturating_mul(galleys);
            return most;
        }
        for i in (0..N_DIPLOMACY).filter(|&i| self.board.diplomacy_province[i] == b.place) {
            let copies = s.held(commander, Card::diplomacy(i as u8));
            for unit in Unit::MILITARY {
                let more = copies.saturating_mul(self.board.diplomacy[i][unit]);
                most[unit] = most[unit].saturating_add(more);
            }
        }
        most
    }

    fn check_round(&self, s: &State) -> Finding {
        let (b, rules) = (&s.battle, &self.board.config.battle);
        let most = if b.is_naval() { rules.naval_rounds } else { rules.max_rounds };
        let rounds = match s.phase() {
            Phase::Wind | Phase::Commit | Phase::Lend | Phase::NavalLend => 0..=0,
            Phase::Withdraw | Phase::RevoltTarget => 0..=most,
            _ => 1..=most,
        };
        let fault = format_args!("{} is out of range ({rounds:?})", b.round);
        demand(rounds.contains(&b.round.into()), "battle.round", fault)
    }

    fn are_both_there(&self, s: &State) -> bool {
        Side::ALL.into_iter().all(|side| sum(&Self::army(s, side)) > 0)
    }

    fn check_wind(&self, s: &State) -> Finding {
        let b = &s.battle;
        let begun =
            Battle { zone: b.zone, attacker: b.attacker, defender: b.defender, ..Battle::EMPTY };
        demand(*b == begun, "battle", "nothing is fought yet")?;
        Self::check_actor(s, b.defender)?;
        let zone = self.battle_zone(s, 0);
        let are_there =
            [b.attacker, b.defender].into_iter().flatten().all(|q| s.galleys(q, zone) > 0);
        demand(are_there, "sea", "both sides have galleys where they meet")?;
        let holds = b.defender.is_some_and(|q| s.held(q, Card::WIND) > 0);
        demand(holds, "passive", "the defender has no Favorable Wind")
    }

    fn check_revolt(&self, s: &State) -> Finding {
        let b = &s.battle;
        Self::check_actor(s, Some(self.turn_player(s)))?;
        let n = b.neutral[Side::Attacker][Unit::Infantry];
        demand(b.is_revolt && n > 0, "battle.neutral", "slaves are there")
    }

    // --- galleys and loans (15.2, 15.3, 15N.3) ---

    fn check_commitment(&self, s: &State) -> Finding {
        let b = &s.battle;
        let Count::Commitment(entry) = b.count else {
            return demand(false, "battle.count", "galleys are committed");
        };
        demand(!entry.is_over(), "battle.count", "an entry of the list of galleys")?;
        let owner = b.commander(entry.side());
        Self::check_actor(s, owner)?;
        let zone = self.zone_at(s, entry.zone());
        let is_there = zone.is_some_and(|zone| s.galleys(s.actor(), zone) > 0);
        demand(is_there, "battle.count", "no galley of the seat is there")?;
        self.check_idle(s, |_| true)
    }

    /// Checks that these players, commanders apart, fight with nothing yet.
    fn check_idle(&self, s: &State, is_idle: impl Fn(Player) -> bool) -> Finding {
        let b = &s.battle;
        for player in self.players().filter(|&q| !Self::is_participant(s, q) && is_idle(q)) {
            let place = format_args!("battle.engaged.{}", player.number());
            demand(b.engaged[player] == [0; N_MILITARY], place, "the seat has lent nothing yet")?;
        }
        Ok(())
    }

    /// Returns the place of a player in the turn order.
    fn position(&self, s: &State, player: Player) -> usize {
        s.order.iter().position(|&q| q == player).expect("the order has each seat")
    }

    fn check_loan(&self, s: &State) -> Finding {
        let Count::Loan(loan) = s.battle.count else {
            return demand(false, "battle.count", "units are lent");
        };
        let fits = !loan.is_over(self.n_players);
        demand(fits, "battle.count", "an entry of the list of loans")?;
        let lender = s.order[loan.lender()];
        Self::check_actor(s, Some(lender))?;
        let may = Self::can_lend(s, lender) && self.most_lent(s, loan) > 0;
        demand(may, "battle.count", "the seat has nothing of this kind to lend")?;
        let engaged = s.battle.engaged[lender];
        let place = format_args!("battle.engaged.{}", lender.number());
        let is_new = match loan.lent() {
            Lent::Land(unit) => sum(&engaged[unit.idx()..]) == 0,
            Lent::Galleys(from) => {
                let later = s.battle.committed.iter().skip(from.into());
                later.map(|&word| lane(word, lender)).all(|n| n == 0)
            }
        };
        demand(is_new, place, "the seat has not lent these units yet")?;
        self.check_idle(s, |player| self.position(s, player) > loan.lender())
    }

    fn check_naval_loan(&self, s: &State) -> Finding {
        let Count::NavalLoan(loan) = s.battle.count else {
            return demand(false, "battle.count", "galleys are lent");
        };
        let fits = loan.lender() < self.n_players;
        demand(fits, "battle.count", "an entry of the list of loans")?;
        let lender = s.order[loan.lender()];
        Self::check_actor(s, Some(lender))?;
        let is_there = s.galleys(lender, self.battle_zone(s, 0)) > 0;
        let may = Self::can_lend(s, lender) && is_there;
        demand(may, "battle.count", "the seat has no galley to lend")?;
        self.check_idle(s, |player| self.position(s, player) >= loan.lender())
    }

    // --- dice and losses (15.5, 15.6) ---

    /// Checks a roll: both sides have units, but for an attacker who was beaten before the gates of a city.
    fn check_dice(&self, s: &State) -> Finding {
        let (b, is_siege) = (&s.battle, self.is_siege(s));
        demand(s.actor.is_none(), "actor", "nobody decides while dice are rolled")?;
        let is_last = is_siege && b.side == Side::Attacker;
        let armies = Side::ALL.map(|side| sum(&Self::army(s, side)));
        let fits = armies[Side::Defender] > 0 && (is_last || armies[Side::Attacker] > 0);
        demand(fits, "battle", "a side has no army")?;
        let is_second = !is_siege && b.side == Side::Defender;
        let most = if is_second { armies[Side::Attacker] } else { 0 };
        let [own, other] = b.hits.map(u32::from);
        let fits = own == 0 && other <= most;
        demand(fits, "battle.hits", format_args!("at most [0, {most}]"))
    }

    fn check_losses(&self, s: &State) -> Finding {
        let (b, side) = (&s.battle, s.battle.side);
        Self::check_actor(s, b.commander(side))?;
        let Count::Loss(loss) = b.count else {
            return demand(false, "battle.count", "units are lost");
        };
        let fits = loss.is_entry()
            && Self::all_at_stake(s) & loss.and_later() & !loss.next().and_later() != 0;
        demand(fits, "battle.count", "the side has no unit there to lose")?;
        let (own, other) = (b.hits[side], u32::from(b.hits[side.other()]));
        let left = Self::all_at_stake(s) & loss.and_later();
        let left: u32 = Loss::of_bits(left).map(|loss| u32::from(Self::at_stake(s, loss))).sum();
        let fits = own > 0 && u32::from(own) <= left;
        let place = format_args!("battle.hits.{}", side.idx());
        demand(fits, place, format_args!("{own} is out of range (1 to {left})"))?;
        let is_open = side == Side::Attacker && !self.is_siege(s);
        let most = if is_open { u32::from(u8::MAX) } else { 0 };
        let place = format_args!("battle.hits.{}", side.other().idx());
        demand(other <= most, place, format_args!("{other} is out of range (0 to {most})"))
    }
}
