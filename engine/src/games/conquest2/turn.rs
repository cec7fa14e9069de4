//! Rounds, turns and the plain actions: take a card, recruit, buy influence, special tax (clauses 8 to 12).

use super::Conquest2;
use super::board::{Places, each};
use super::cards::{Family, family};
use super::phase::{Action, LAST, Options, Phase, Verb};
use super::state::{Detail, State};
use super::units::{CATAPULT, GALLEY, GENERAL};

/// Order of the counts of a recruitment before the sea zones.
pub(super) const RECRUITS: [usize; 4] = [0, 1, CATAPULT, GENERAL];

impl Conquest2 {
    pub(super) fn start_rounds(&self, s: &mut State) {
        s.round = 1;
        s.turn = 0;
        self.start_turn(s);
    }

    fn start_turn(&self, s: &mut State) {
        s.actions_left = self.board.config.options.actions as u8;
        s.has_taken = false;
        self.back_to_top(s);
    }

    /// The player whose turn it is, in action rounds.
    pub(super) fn turn_player(&self, s: &State) -> u8 {
        s.order[usize::from(s.turn)]
    }

    /// An action or a use is done: the turn goes on.
    pub(super) fn back_to_top(&self, s: &mut State) {
        s.actor = self.turn_player(s);
        s.detail = Detail::EMPTY;
        s.phase = Phase::Top;
    }

    fn end_turn(&self, s: &mut State) {
        s.turn += 1;
        if usize::from(s.turn) == self.n_players {
            s.turn = 0;
            if s.round == self.board.config.options.rounds as u8 {
                self.end_season(s);
                return;
            }
            s.round += 1;
        }
        self.start_turn(s);
    }

    /// 8.3: each kind of action only if it can be carried out.
    #[inline]
    pub(super) fn top_options(&self, s: &State) -> Options {
        let can_use = self.can_use(s);
        let bit = |index: usize, is_in: bool| u64::from(is_in) << index;
        if s.actions_left == 0 {
            return Options::of(bit(8, can_use) | bit(9, true));
        }
        Options::of(
            bit(0, !s.has_taken && self.takeable(s, true) != 0)
                | bit(1, self.recruiting_grounds(s) != 0)
                | bit(2, self.markets(s, true) != 0)
                | bit(3, true)
                | bit(4, self.departures(s, true) != 0)
                | bit(5, self.battlefields(s) != 0)
                | bit(6, self.has_galley(s))
                | bit(7, true)
                | bit(8, can_use),
        )
    }

    pub(super) fn top(&self, s: &mut State, action: Action) {
        if action.verb == Verb::End {
            self.end_turn(s);
            return;
        }
        if action.verb != Verb::Use {
            s.actions_left -= 1;
        }
        s.has_taken |= action.verb == Verb::Take;
        s.phase = match action.verb {
            Verb::Take => Phase::TakeCard,
            Verb::Recruit => Phase::RecruitIn,
            Verb::Buy => Phase::BuyIn,
            Verb::Tax => Phase::Tax,
            Verb::Move => Phase::MoveFrom,
            Verb::Battle => Phase::BattleIn,
            Verb::Sail => Phase::SailTo,
            Verb::Use => Phase::Use,
            _ => Phase::Top,
        };
    }

    // --- take (9) ---

    /// Cards that the actor can take; with `any`, at least one of them if there is one.
    pub(super) fn takeable(&self, s: &State, any: bool) -> Places {
        let money = s.money[usize::from(s.actor)];
        let mut found = 0;
        for card in each(s.displayed) {
            let is_affordable = self.board.card_cost[usize::from(card)] <= money;
            if is_affordable && (family(card) != Family::Immediate || self.can_happen(s, card)) {
                found |= 1 << card;
                if any {
                    break;
                }
            }
        }
        found
    }

    pub(super) fn take(&self, s: &mut State, card: u8) {
        let player = s.actor;
        s.money[usize::from(player)] -= self.board.card_cost[usize::from(card)];
        s.take_from_display(card);
        match family(card) {
            Family::Senator => s.senators[usize::from(player)][usize::from(card)] += 1,
            Family::Immediate => return self.start_immediate(s, card),
            Family::MultiUse | Family::Diplomacy | Family::Passive => s.add_held(player, card),
        }
        self.back_to_top(s);
    }

    // --- recruit (10) ---

    /// Kinds of units that the actor can pay and has in his pool, as bits.
    fn affordable(&self, s: &State) -> u8 {
        let q = usize::from(s.actor);
        let can = |kind: usize| s.pool[q][kind] > 0 && self.board.price[kind] <= s.money[q];
        (0..=GENERAL).fold(0, |set, kind| set | u8::from(can(kind)) << kind)
    }

    /// Provinces with own influence and an own leader where at least one unit can be had.
    pub(super) fn recruiting_grounds(&self, s: &State) -> Places {
        let kinds = self.affordable(s);
        let mut places = s.leaders[usize::from(s.actor)] & self.board.keys;
        if kinds == 0 || places == 0 {
            return 0;
        }
        if kinds == 1 << GALLEY {
            places &= self.board.coastal;
        }
        let has_influence =
            |p: &u8| s.influence_of(s.actor, self.board.key_of[usize::from(*p)]) > 0;
        each(places).filter(has_influence).fold(0, |set, p| set | 1 << p)
    }

    pub(super) fn recruit_in(&self, s: &mut State, place: u8) {
        s.gain_chaos(s.actor, self.board.config.chaos.recruit);
        s.detail = Detail { place, ..Detail::EMPTY };
        s.phase = Phase::RecruitCount;
        self.seek_recruits(s);
    }

    /// Goes on to the next count that can be positive, or to the end of the action.
    fn seek_recruits(&self, s: &mut State) {
        let end = self.n_recruit_counts(s.detail.place);
        while s.detail.cursor < end && self.most_recruits(s, s.detail.cursor) == 0 {
            s.detail.cursor += 1;
        }
        if s.detail.cursor == end {
            self.back_to_top(s);
        }
    }

    fn n_recruit_counts(&self, place: u8) -> u8 {
        RECRUITS.len() as u8 + self.board.coast[usize::from(place)].count_ones() as u8
    }

    pub(super) fn recruit_kind(cursor: u8) -> usize {
        RECRUITS.get(usize::from(cursor)).copied().unwrap_or(GALLEY)
    }

    fn most_recruits(&self, s: &State, cursor: u8) -> u16 {
        let (q, kind) = (usize::from(s.actor), Self::recruit_kind(cursor));
        let pool = u16::from(s.pool[q][kind]);
        match self.board.price[kind] {
            0 => pool,
            price => pool.min(s.money[q] / price),
        }
    }

    pub(super) fn recruit_options(&self, s: &State) -> Options {
        let cursor = s.detail.cursor;
        let hi = self.most_recruits(s, cursor);
        let later = cursor + 1..self.n_recruit_counts(s.detail.place);
        let must = !s.detail.has_chosen && later.into_iter().all(|c| self.most_recruits(s, c) == 0);
        Options::range(u16::from(must), hi)
    }

    pub(super) fn recruit(&self, s: &mut State, count: u8) {
        let (q, place, cursor) = (usize::from(s.actor), s.detail.place, s.detail.cursor);
        let kind = Self::recruit_kind(cursor);
        s.pool[q][kind] -= count;
        s.money[q] -= u16::from(count) * self.board.price[kind];
        s.detail.has_chosen |= count > 0;
        match cursor.checked_sub(RECRUITS.len() as u8) {
            None => s.add_troops(s.actor, place, kind, count as i8),
            Some(i) => s.add_galleys(s.actor, self.zone_beside(place, i), count as i8),
        }
        s.detail.cursor += 1;
        self.seek_recruits(s);
    }

    /// The `index`-th sea zone beside a province, in board order.
    pub(super) fn zone_beside(&self, place: u8, index: u8) -> u8 {
        super::phase::nth(u64::from(self.board.coast[usize::from(place)]), u16::from(index))
    }

    // --- buy influence (11) ---

    fn can_pay_influence(&self, s: &State) -> bool {
        let q = usize::from(s.actor);
        s.money[q] >= self.board.config.prices.influence as u16 && s.supply[q] > 0
    }

    fn most_bought(&self, s: &State, place: u8) -> u8 {
        let buy = &self.board.config.buy;
        let has_caesar = s.caesar[usize::from(s.actor)] == place;
        (if has_caesar { buy.with_caesar } else { buy.with_general }) as u8
    }

    /// What can be bought in a province: bit 0 a province token, bit 1 + q a token of seat q.
    fn sources(&self, s: &State, place: u8) -> u64 {
        let key = self.board.key_of[usize::from(place)];
        let mut sources = u64::from(s.tokens[usize::from(key)] > 0);
        if s.influence[usize::from(key)] == 0 {
            return sources;
        }
        for q in each(u64::from(s.enemies(s.actor, self.n_players))) {
            let is_guarded = s.army[usize::from(q)] >> place & 1 == 1;
            sources |= u64::from(s.influence_of(q, key) > 0 && !is_guarded) << (q + 1);
        }
        sources
    }

    /// Key provinces where the actor can buy; with `any`, at least one if there is one.
    pub(super) fn markets(&self, s: &State, any: bool) -> Places {
        let places = s.leaders[usize::from(s.actor)] & self.board.keys;
        if places == 0 || !self.can_pay_influence(s) {
            return 0;
        }
        let mut found = 0;
        for place in each(places) {
            if self.most_bought(s, place) > 0 && self.sources(s, place) != 0 {
                found |= 1 << place;
                if any {
                    break;
                }
            }
        }
        found
    }

    pub(super) fn buy_in(s: &mut State, place: u8) {
        s.detail = Detail { place, ..Detail::EMPTY };
        s.phase = Phase::BuySource;
    }

    pub(super) fn source_options(&self, s: &State) -> Options {
        let sources = self.sources(s, s.detail.place);
        if s.phase == Phase::BuySource {
            return Options::of(sources);
        }
        let from_last = u64::MAX << s.detail.target;
        Options::of(sources & from_last | LAST)
    }

    pub(super) fn buy(&self, s: &mut State, action: Action) {
        if action.verb == Verb::Stop {
            self.back_to_top(s);
            return;
        }
        let (source, place) = (action.args[0], s.detail.place);
        let key = self.board.key_of[usize::from(place)];
        s.money[usize::from(s.actor)] -= self.board.config.prices.influence as u16;
        match source.checked_sub(1) {
            None => s.tokens[usize::from(key)] -= 1,
            Some(q) => s.lose_influence(q, key),
        }
        s.gain_influence(s.actor, key, 1);
        s.detail.target = source;
        s.detail.cursor += 1;
        let can_go_on = s.detail.cursor < self.most_bought(s, place) && self.can_pay_influence(s);
        if can_go_on { s.phase = Phase::BuyMore } else { self.back_to_top(s) }
    }

    // --- special tax (12) ---

    pub(super) fn tax(&self, s: &mut State, steps: u8) {
        let tax = &self.board.config.tax;
        s.gain_money(s.actor, u16::from(steps) * tax.special_talents as u16);
        s.gain_chaos(s.actor, i64::from(steps) * tax.special_chaos);
        self.back_to_top(s);
    }
}
