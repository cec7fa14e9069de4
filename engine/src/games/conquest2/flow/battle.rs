//! Battles on land and at sea (clauses 15 and 15N): armies, dice and losses. How a battle starts and ends
//! is in `campaign.rs`.

use crate::bits::each;
use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::board::{MAX_COAST, N_FACES, NONE};
use crate::games::conquest2::model::cards::{ARMY_TRAINING, NAVAL_TRAINING};
use crate::games::conquest2::model::options::{LAST, Options};
use crate::games::conquest2::model::packed::{add_lane, lane};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Place, PlaceSet, Zone};
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::{GALLEY, N_MILITARY};
use crate::player::MAX_PLAYERS;

/// The side that attacks, and the side that defends.
pub(crate) const ATTACKER: u8 = 0;
pub(crate) const DEFENDER: u8 = 1;

/// Counts of one lender to a land battle: land military, then zones.
pub(crate) const LOANS: u8 = 3 + MAX_COAST as u8;

impl Conquest2 {
    /// Who commands a side; [`NONE`] for slaves.
    pub(crate) fn commander(s: &State, side: u8) -> u8 {
        if side == ATTACKER { s.battle.attacker } else { s.battle.defender }
    }

    /// The side for which a unit of `player` fights, if for any.
    pub(crate) fn side_of(s: &State, player: u8) -> Option<u8> {
        if s.are_allied(player, s.battle.defender) {
            Some(DEFENDER)
        } else if s.battle.is_revolt {
            None
        } else {
            Some(ATTACKER)
        }
    }

    // --- commitment (15.2) and lending (15.3, 15N.3) ---

    /// The zone of a commitment or loan, if the province has so many.
    fn zone_at(&self, s: &State, index: u8) -> Option<Zone> {
        let coast = self.board.coast[s.battle.province().idx()];
        (u32::from(index) < coast.len()).then(|| coast.nth(index.into()))
    }

    /// Goes to the first commitment with something to commit, from the cursor on.
    pub(crate) fn seek_commitment(&self, s: &mut State) {
        while s.battle.cursor < 2 * MAX_COAST as u8 {
            let (side, index) =
                (s.battle.cursor / MAX_COAST as u8, s.battle.cursor % MAX_COAST as u8);
            let owner = Self::commander(s, side);
            if owner != NONE
                && let Some(zone) = self.zone_at(s, index)
                && s.galleys(owner, zone) > 0
            {
                s.actor = owner;
                s.go(Phase::Commit);
                return;
            }
            s.battle.cursor += 1;
        }
        s.battle.cursor = 0;
        self.seek_loan(s);
    }

    pub(crate) fn commit(&self, s: &mut State, count: u8) {
        self.engage_galleys(s, s.actor, s.battle.cursor % MAX_COAST as u8, count);
        s.battle.cursor += 1;
        self.seek_commitment(s);
    }

    /// Takes galleys of `owner` out of their zone into the battle; they block no strait meanwhile.
    pub(crate) fn engage_galleys(&self, s: &mut State, owner: u8, index: u8, count: u8) {
        s.add_galleys(owner, self.battle_zone(s, index), -(count as i8));
        add_lane(&mut s.battle.committed[usize::from(index)], owner, count as i8);
        s.battle.engaged[usize::from(owner)][GALLEY] += count;
    }

    /// The zone from which the galleys at `index` were committed.
    pub(crate) fn battle_zone(&self, s: &State, index: u8) -> Zone {
        s.battle.zone.unwrap_or_else(|| self.zone_beside(s.battle.province(), index))
    }

    /// 15.8: galleys return to their zones.
    pub(crate) fn return_galleys(&self, s: &mut State) {
        for index in 0..MAX_COAST as u8 {
            let galleys = std::mem::take(&mut s.battle.committed[usize::from(index)]);
            if galleys != 0 {
                s.sea[self.battle_zone(s, index).idx()] += galleys;
            }
        }
    }

    fn is_participant(s: &State, player: u8) -> bool {
        player == s.battle.attacker || player == s.battle.defender
    }

    /// What the loan at the cursor is about: lender, most that can be lent.
    fn loan(&self, s: &State) -> (u8, u8) {
        let (position, item) = (s.battle.cursor / LOANS, s.battle.cursor % LOANS);
        let lender = s.order[usize::from(position)];
        let most = if usize::from(item) < GALLEY {
            s.troops(lender, s.battle.province()).count(item.into())
        } else {
            self.zone_at(s, item - GALLEY as u8).map_or(0, |zone| s.galleys(lender, zone))
        };
        (lender, most)
    }

    fn can_lend(s: &State, lender: u8) -> bool {
        !Self::is_participant(s, lender) && Self::side_of(s, lender).is_some()
    }

    /// Whether a player may lend to this land battle and has something there to lend.
    fn has_loan(&self, s: &State, lender: u8) -> bool {
        let place = s.battle.province();
        let mut coast = self.board.coast[place.idx()].iter();
        Self::can_lend(s, lender)
            && (s.army[usize::from(lender)].contains(place)
                || coast.any(|z| s.galleys(lender, z) > 0))
    }

    pub(crate) fn seek_loan(&self, s: &mut State) {
        let end = self.n_players as u8 * LOANS;
        while s.battle.cursor < end {
            let is_new_lender = s.battle.cursor.is_multiple_of(LOANS);
            if is_new_lender && !self.has_loan(s, s.order[usize::from(s.battle.cursor / LOANS)]) {
                s.battle.cursor += LOANS;
                continue;
            }
            let (lender, most) = self.loan(s);
            if most > 0 {
                s.actor = lender;
                s.go(Phase::Lend);
                return;
            }
            s.battle.cursor += 1;
        }
        self.start_round(s);
    }

    pub(crate) fn lend(&self, s: &mut State, count: u8) {
        match (s.battle.cursor % LOANS).checked_sub(GALLEY as u8) {
            None => {
                s.battle.engaged[usize::from(s.actor)][usize::from(s.battle.cursor % LOANS)] +=
                    count;
            }
            Some(index) => self.engage_galleys(s, s.actor, index, count),
        }
        s.battle.cursor += 1;
        self.seek_loan(s);
    }

    pub(crate) fn seek_naval_loan(&self, s: &mut State) {
        while usize::from(s.battle.cursor) < self.n_players {
            let lender = s.order[usize::from(s.battle.cursor)];
            if Self::can_lend(s, lender) && s.galleys(lender, self.battle_zone(s, 0)) > 0 {
                s.actor = lender;
                s.go(Phase::NavalLend);
                return;
            }
            s.battle.cursor += 1;
        }
        self.start_round(s);
    }

    pub(crate) fn naval_lend(&self, s: &mut State, count: u8) {
        self.engage_galleys(s, s.actor, 0, count);
        s.battle.cursor += 1;
        self.seek_naval_loan(s);
    }

    pub(crate) fn force_options(&self, s: &State) -> Options {
        let most = match s.phase() {
            Phase::Commit => {
                let zone = self
                    .zone_at(s, s.battle.cursor % MAX_COAST as u8)
                    .expect("a zone to commit from");
                s.galleys(s.actor, zone)
            }
            Phase::Lend => self.loan(s).1,
            _ => s.galleys(s.actor, self.battle_zone(s, 0)),
        };
        Options::range(0, u16::from(most))
    }

    // --- rounds (15.5, 15N.3) ---

    /// Units of a side by kind.
    pub(crate) fn army(s: &State, side: u8) -> [u8; N_MILITARY] {
        // Four counts are added at once as the bytes of a word; none comes near 256.
        let mut army = u32::from_le_bytes(s.battle.neutral[usize::from(side)]);
        for (player, &engaged) in s.battle.engaged.iter().enumerate() {
            let engaged = u32::from_le_bytes(engaged);
            if engaged != 0 && Self::side_of(s, player as u8) == Some(side) {
                army += engaged;
            }
        }
        army.to_le_bytes()
    }

    fn size(army: [u8; N_MILITARY]) -> u16 {
        army.iter().map(|&n| u16::from(n)).sum()
    }

    /// Whether the defender owns the city in the province, and so rolls first (15.6).
    pub(crate) fn is_siege(&self, s: &State) -> bool {
        s.battle.place.is_some_and(|place| {
            s.city_owner(self.board.city_site[place.idx()]) == Some(s.battle.defender)
        })
    }

    pub(crate) fn start_round(&self, s: &mut State) {
        s.battle.round += 1;
        s.battle.side = if self.is_siege(s) { DEFENDER } else { ATTACKER };
        s.actor = NONE;
        s.go(Phase::Dice);
    }

    /// Dice of the side that is about to roll.
    pub(crate) fn n_dice(&self, s: &State) -> u8 {
        self.dice_of(s, s.battle.side)
    }

    /// Dice of a side.
    pub(crate) fn dice_of(&self, s: &State, side: u8) -> u8 {
        let rules = &self.board.config.battle;
        let commander = Self::commander(s, side);
        if commander == NONE {
            return self.board.config.revolt.dice as u8;
        }
        let dice = if s.battle.is_naval() {
            let galleys = Self::army(s, side)[GALLEY];
            rules.naval_dice * i64::from(galleys)
                + rules.naval_training_dice * i64::from(s.held(commander, NAVAL_TRAINING))
        } else {
            let has_leader = i64::from(self.has_leader(s, commander));
            let has_city = i64::from(side == DEFENDER && self.is_siege(s));
            rules.dice
                + rules.leader_dice * has_leader
                + rules.city_dice * has_city
                + rules.training_dice * i64::from(s.held(commander, ARMY_TRAINING))
        };
        dice.min(i64::from(u8::MAX)) as u8
    }

    fn has_leader(&self, s: &State, commander: u8) -> bool {
        let counts = |q: u8| {
            if self.board.config.battle.any_leader_counts {
                s.are_allied(q, commander)
            } else {
                q == commander
            }
        };
        let place = s.battle.province();
        (0..self.n_players as u8).any(|q| counts(q) && s.leaders[usize::from(q)].contains(place))
    }

    pub(crate) fn rolled(&self, s: &mut State, faces: [u8; N_FACES]) {
        let side = s.battle.side;
        let army = Self::army(s, side);
        self.struck(s, (0..N_MILITARY).map(|kind| faces[kind].min(army[kind])).sum());
    }

    /// The side that is due has scored `hits`.
    pub(crate) fn struck(&self, s: &mut State, hits: u8) {
        let side = s.battle.side;
        s.battle.hits[usize::from(1 - side)] = hits;
        if self.is_siege(s) {
            self.start_losses(s, 1 - side);
        } else if side == ATTACKER {
            s.battle.side = DEFENDER;
        } else {
            self.start_losses(s, ATTACKER);
        }
    }

    // --- losses (15.6) ---

    fn start_losses(&self, s: &mut State, side: u8) {
        s.battle.side = side;
        s.battle.cursor = 0;
        let hits = s.battle.hits[usize::from(side)];
        if u16::from(hits) >= Self::size(Self::army(s, side)) {
            self.remove_all(s, side);
            s.battle.hits[usize::from(side)] = 0;
        }
        self.seek_loss(s);
    }

    /// Units of the side in the category at `cursor`: neutral troops first, then owners by seat.
    fn category(s: &State, cursor: u8) -> u8 {
        let kind = usize::from(cursor) % N_MILITARY;
        match (usize::from(cursor) / N_MILITARY).checked_sub(1) {
            None => s.battle.neutral[usize::from(s.battle.side)][kind],
            Some(owner) => {
                let count = s.battle.engaged[owner][kind];
                let is_his = count > 0 && Self::side_of(s, owner as u8) == Some(s.battle.side);
                if is_his { count } else { 0 }
            }
        }
    }

    const CATEGORIES: u8 = ((1 + MAX_PLAYERS) * N_MILITARY) as u8;

    fn seek_loss(&self, s: &mut State) {
        if s.battle.hits[usize::from(s.battle.side)] == 0 {
            self.losses_taken(s);
            return;
        }
        while Self::category(s, s.battle.cursor) == 0 {
            s.battle.cursor += 1;
        }
        s.actor = Self::commander(s, s.battle.side);
        s.go(Phase::Losses);
        if s.actor == NONE {
            // Slaves are all alike: there is nothing to choose.
            let hits = s.battle.hits[usize::from(s.battle.side)];
            self.lose(s, hits);
        }
    }

    pub(crate) fn loss_options(&self, s: &State) -> Options {
        let hits = s.battle.hits[usize::from(s.battle.side)];
        let here = Self::category(s, s.battle.cursor);
        let mut later = 0u8;
        for cursor in s.battle.cursor + 1..Self::CATEGORIES {
            later = later.saturating_add(Self::category(s, cursor));
            if later >= hits {
                break;
            }
        }
        Options::range(u16::from(hits.saturating_sub(later)), u16::from(here.min(hits)))
    }

    pub(crate) fn lose(&self, s: &mut State, count: u8) {
        self.remove(s, s.battle.cursor, count);
        s.battle.hits[usize::from(s.battle.side)] -= count;
        s.battle.cursor += 1;
        self.seek_loss(s);
    }

    fn remove_all(&self, s: &mut State, side: u8) {
        debug_assert_eq!(s.battle.side, side);
        for cursor in 0..Self::CATEGORIES {
            let count = Self::category(s, cursor);
            if count > 0 {
                self.remove(s, cursor, count);
            }
        }
    }

    /// Removes units of a category; those of players go back to their pools.
    fn remove(&self, s: &mut State, cursor: u8, count: u8) {
        let kind = usize::from(cursor) % N_MILITARY;
        let Some(owner) = (usize::from(cursor) / N_MILITARY).checked_sub(1) else {
            s.battle.neutral[usize::from(s.battle.side)][kind] -= count;
            return;
        };
        s.battle.engaged[owner][kind] -= count;
        s.pool[owner][kind] += count;
        if kind == GALLEY {
            (0..count).for_each(|_| Self::sink(s, owner as u8));
        } else {
            s.add_troops(owner as u8, s.battle.province(), kind, -(count as i8));
        }
    }

    /// A lost galley comes from the first zone in board order that still has one committed.
    fn sink(s: &mut State, owner: u8) {
        let committed = s.battle.committed.iter_mut().find(|word| lane(**word, owner) > 0);
        add_lane(committed.expect("a galley that is lost was committed"), owner, -1);
    }

    fn losses_taken(&self, s: &mut State) {
        let is_siege = self.is_siege(s);
        if s.battle.side == ATTACKER {
            s.battle.side = if is_siege { ATTACKER } else { DEFENDER };
            if is_siege {
                s.actor = NONE;
                s.go(Phase::Dice);
            } else {
                self.start_losses(s, DEFENDER);
            }
        } else {
            self.round_fought(s);
        }
    }

    // --- end of a round (15.7, 15N.4) ---

    fn round_fought(&self, s: &mut State) {
        let is_gone = |side: u8| u8::from(Self::size(Self::army(s, side)) == 0) << side;
        let gone = is_gone(ATTACKER) | is_gone(DEFENDER);
        s.battle.gone = gone;
        s.battle.lost = gone;
        if gone == 0b11 && !self.board.config.battle.both_lose {
            s.battle.lost = 0;
        }
        if gone != 0 {
            self.battle_over(s);
        } else if s.battle.is_naval() {
            self.next_round(s, self.board.config.battle.naval_rounds);
        } else {
            s.battle.side = DEFENDER;
            self.ask_retreat(s);
        }
    }

    fn next_round(&self, s: &mut State, rounds: i64) {
        if i64::from(s.battle.round) == rounds { self.battle_over(s) } else { self.start_round(s) }
    }

    fn ask_retreat(&self, s: &mut State) {
        s.actor = Self::commander(s, s.battle.side);
        s.go(Phase::Retreat);
        if s.actor == NONE || !s.units_of(s.actor).contains(s.battle.province()) {
            self.stay(s);
        }
    }

    pub(crate) fn retreat_options(&self, s: &State) -> Options {
        Options::of(self.retreats(s, s.actor).bits() | LAST)
    }

    /// Provinces beside the battle without an army hostile to `player`.
    pub(crate) fn retreats(&self, s: &State, player: u8) -> PlaceSet {
        let hostile = s.armies_of(s.enemies(player, self.n_players));
        self.neighbours(s, player, s.battle.province()) - hostile
    }

    pub(crate) fn retreat(&self, s: &mut State, action: Action) {
        if action.verb == Verb::Stay {
            self.stay(s);
            return;
        }
        s.move_all(s.actor, s.battle.province(), Place::new(action.args[0]));
        s.battle.lost = 1 << s.battle.side;
        self.battle_over(s);
    }

    fn stay(&self, s: &mut State) {
        if s.battle.side == DEFENDER {
            s.battle.side = ATTACKER;
            self.ask_retreat(s);
        } else {
            self.next_round(s, self.board.config.battle.max_rounds);
        }
    }

    /// Enemies of the actor with land units in `place`, as bits.
    pub(crate) fn enemies_in(&self, s: &State, place: Place) -> u64 {
        each(u64::from(s.enemies(s.actor, self.n_players)))
            .filter(|&q| s.units_of(q).contains(place))
            .fold(0, |set, q| set | 1 << q)
    }
}
