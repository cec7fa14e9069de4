//! Empire tiles (9): abandoning, placing; battles (10).

use super::Rise;
use super::board::BattleLine;
use super::state::{Phase, State};
use super::things::{Empire, Region, RegionSet};
use crate::player::Player;

impl Rise {
    pub(super) fn take_empire(&self, s: &mut State, tile: Empire) {
        let seat = s.mover().idx();
        s.empires.remove(tile);
        let face = self.board.face(tile, self.board.era(s.turn));
        let own = s.progress[seat];
        let more: i32 = (own & self.board.with.empires)
            .iter()
            .map(|tile| self.board.tile(tile).extra_areas)
            .sum();
        s.detail.tile = Some(tile);
        s.detail.areas = (face.areas + more).min(u8::MAX.into()) as u8;
        s.detail.water = face.water || !(own & self.board.with.navigation).is_empty();
        self.survey(s, s.held(seat));
        s.phase = Phase::To;
        s.detail.may_abandon = self.may_abandon(s, seat);
    }

    /// Finds the regions that may get cubes of a player who holds `held` (9.2, 9.3).
    fn survey(&self, s: &mut State, held: RegionSet) {
        let (board, seat) = (&*self.board, s.mover().idx());
        let water = s.detail.water;
        let mut open = self.open(s, seat, water);
        if board.config.map_rules.reinforce_without_water && !water {
            open |= self.open(s, seat, true) & held;
        }
        let settled = held & board.old_world;
        s.detail.is_newcomer = settled.is_empty();
        let old_world = if !settled.is_empty() {
            let beside = |all, region| all | board.region(region).neighbours;
            open & settled.iter().fold(settled, beside)
        } else if held.is_empty() || water {
            open & board.old_world
        } else {
            RegionSet::EMPTY
        };
        s.detail.may = old_world | open & self.zones();
    }

    /// Returns whether there are own cubes on the map, and others to replace them (9.4).
    pub(super) fn may_abandon(&self, s: &State, seat: usize) -> bool {
        let zones = self.zones();
        let open = self.open(s, seat, s.detail.water);
        let may_enter = |region: &Region| {
            !zones.contains(*region) || self.board.config.map_rules.zones_per_action > 0
        };
        s.pool[seat] > 0 && !s.held(seat).is_empty() && open.iter().any(|r| may_enter(&r))
    }

    pub(super) fn abandon(&self, s: &mut State) {
        let seat = s.mover().idx();
        for here in &mut s.map {
            s.stock[seat] += std::mem::take(&mut here[seat]);
        }
        (s.detail.may_abandon, s.detail.has_abandoned) = (false, true);
        self.survey(s, RegionSet::EMPTY);
    }

    pub(super) fn choose_region(&self, s: &mut State, region: Region) {
        s.detail.may_abandon = false;
        s.detail.chosen.insert(region);
        s.detail.region = Some(region);
        s.detail.areas -= 1;
        s.phase = Phase::Count;
    }

    pub(super) fn put_cubes(&self, s: &mut State, n: u8) {
        let seat = s.mover().idx();
        let region = s.detail.region.expect("a region was chosen");
        s.pool[seat] -= n;
        s.map[region.idx()][seat] += n;
        s.phase = Phase::To;
    }

    pub(super) fn begin_battles(&self, s: &mut State) {
        (s.phase, s.detail.line) = (Phase::Battle, 0);
    }

    /// Returns the battle line that is due, after the attacker's tiles (10.1), or `None` after the last.
    pub(super) fn line(&self, s: &State) -> Option<BattleLine> {
        let era = self.board.era(s.turn);
        let tile = s.detail.tile.expect("an empire tile was taken");
        let n_lines = self.board.config.empire_rules.battle_lines_by_era[era];
        let is_there = usize::from(s.detail.line) < self.board.face(tile, era).lines.len();
        (is_there && i32::from(s.detail.line) < n_lines).then(|| self.line_number(s, s.detail.line))
    }

    pub(super) fn line_number(&self, s: &State, number: u8) -> BattleLine {
        let tile = s.detail.tile.expect("an empire tile was taken");
        let line = self.board.face(tile, self.board.era(s.turn)).lines[usize::from(number)];
        self.changed_line(s, s.mover().idx(), line)
    }

    /// Returns a battle line after the tiles of an attacker have changed it (6.3, 10.1).
    #[must_use]
    pub fn changed_line(&self, s: &State, seat: usize, mut line: BattleLine) -> BattleLine {
        for tile in (s.progress[seat] & self.board.with.empires).iter() {
            line.attacker += self.board.tile(tile).attacker_loss;
            line.defender += self.board.tile(tile).defender_loss;
        }
        let rules = &self.board.config.empire_rules;
        line.attacker = line.attacker.max(rules.attacker_loss_min);
        line.defender = line.defender.max(rules.defender_loss_min);
        line
    }

    /// Returns the number of cubes that the defender in `seat` loses by a line which takes `number` from others. Their
    /// tiles reduce it, and after all changes it is not below the minimum of the rules (10.1).
    #[inline]
    #[must_use]
    pub fn defended(&self, s: &State, seat: usize, number: i32) -> i32 {
        let own = s.progress[seat] & self.board.with.defence;
        let reduction: i32 = own.iter().map(|tile| self.board.tile(tile).loss_reduction).sum();
        (number - reduction).max(self.board.config.empire_rules.defender_loss_min)
    }

    /// Fights with the line that is due, or declines (10.3).
    pub(super) fn fight(&self, s: &mut State, battle: Option<(Region, Player)>) {
        let line = self.line(s).expect("a line is due");
        s.detail.fought = battle.map(|(region, _)| region);
        if let Some((region, rival)) = battle {
            let (seat, rival) = (s.mover().idx(), rival.idx());
            let lost = self.defended(s, rival, line.defender);
            let here = &mut s.map[region.idx()];
            let lost = lost.min(here[rival].into()) as u8;
            here[rival] -= lost;
            s.stock[rival] += lost;
            here[seat] -= line.attacker as u8;
            s.stock[seat] += line.attacker as u8;
        }
        s.detail.line += 1;
    }
}
