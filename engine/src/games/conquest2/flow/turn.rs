//! Rounds, turns and the plain actions: take a card, recruit, buy influence, special tax (clauses 8 to 12).

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Source, Verb};
use crate::games::conquest2::model::cards::{Card, CardSet, Family};
use crate::games::conquest2::model::counts::Recruits;
use crate::games::conquest2::model::detail::{Detail, Purchase, Recruitment};
use crate::games::conquest2::model::options::{LAST, Options};
use crate::games::conquest2::model::packed::{counts, lanes};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Key, Place, PlaceSet, Zone};
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::Unit;
use crate::player::Player;

impl Conquest2 {
    pub(crate) fn start_rounds(&self, s: &mut State) {
        s.round = 1;
        s.turn = 0;
        self.start_turn(s);
    }

    fn start_turn(&self, s: &mut State) {
        s.actions_left = self.board.config.options.actions as u8;
        s.set_taken(false);
        self.treat_turn(s);
        self.back_to_top(s);
    }

    /// Returns the player whose turn it is, in action rounds.
    pub(crate) fn turn_player(&self, s: &State) -> Player {
        s.order[usize::from(s.turn)]
    }

    /// Goes on with the turn after an action or a use.
    pub(crate) fn back_to_top(&self, s: &mut State) {
        s.actor = Some(self.turn_player(s));
        s.detail = Detail::None;
        s.go(Phase::Top);
        if s.actions_left == 0 {
            self.end_or_use(s);
        }
    }

    /// Ends the turn if no action is left and no other choice exists.
    #[inline(never)]
    fn end_or_use(&self, s: &mut State) {
        if s.free() == 0 && !self.can_use(s) {
            self.end_turn(s);
        }
    }

    #[inline(never)]
    pub(crate) fn end_turn(&self, s: &mut State) {
        s.turn += 1;
        s.set_free(0);
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

    /// Returns the options of a turn, each kind of action only if it can be carried out (8.3).
    #[inline(never)]
    pub(crate) fn top_options(&self, s: &State) -> Options {
        let can_use = self.can_use(s);
        let bit = |index: usize, is_in: bool| u64::from(is_in) << index;
        let is_free = s.free() != 0 && !self.free_takes(s).is_empty();
        let banned = self.bans(s).map_or(0, |bans| bans.words);
        if s.actions_left == 0 {
            return Options::of(bit(0, is_free) | bit(8, can_use) & !banned | bit(9, true));
        }
        Options::of(
            bit(0, is_free)
                | !banned
                    & (bit(0, !s.has_taken() && self.can_take(s))
                        | bit(1, self.can_recruit(s))
                        | bit(2, self.can_buy(s))
                        | bit(3, true)
                        | bit(4, self.can_depart(s))
                        | bit(5, !self.battlefields(s).is_empty())
                        | bit(6, self.has_galley(s))
                        | bit(7, true)
                        | bit(8, can_use)),
        )
    }

    #[inline(never)]
    pub(crate) fn top(&self, s: &mut State, action: Action) {
        if action.verb == Verb::End {
            self.end_turn(s);
            return;
        }
        // With free cards, the card decides the cost of taking it.
        let takes = action.verb == Verb::Take;
        let is_open = takes & (s.free() != 0);
        s.actions_left -= u8::from((action.verb != Verb::Use) & !is_open);
        s.set_taken(s.has_taken() | takes & !is_open);
        s.go(match action.verb {
            Verb::Take => Phase::TakeCard,
            Verb::Recruit => Phase::RecruitIn,
            Verb::Buy => Phase::BuyIn,
            Verb::Tax => Phase::Tax,
            Verb::Move => Phase::MoveFrom,
            Verb::Battle => Phase::BattleIn,
            Verb::Sail => Phase::SailTo,
            Verb::Use => Phase::Use,
            _ => Phase::Top,
        });
    }

    // --- take (9) ---

    /// Returns the cards that the actor can take.
    pub(crate) fn takeable(&self, s: &State) -> CardSet {
        let affordable = self.board.affordable(s.money[s.actor()]);
        let may_pay = s.free() == 0 || s.actions_left > 0 && !s.has_taken();
        let cards = if may_pay { self.offered(s) & affordable } else { CardSet::EMPTY };
        let idle = (cards & Card::IMMEDIATE).iter().filter(|&card| !self.can_happen(s, card));
        let paid = cards - idle.collect();
        if s.free() == 0 { paid } else { self.free_takes(s) | paid }
    }

    /// Returns the cards in the display that no ban forbids to the actor.
    #[inline]
    fn offered(&self, s: &State) -> CardSet {
        match self.bans(s) {
            None => s.displayed,
            Some(bans) if bans.words & 1 == 1 => CardSet::EMPTY,
            Some(bans) => s.displayed - bans.cards,
        }
    }

    /// Returns whether the actor can take a card. Cards with a condition come last in the test.
    fn can_take(&self, s: &State) -> bool {
        let cards = self.offered(s) & self.board.affordable(s.money[s.actor()]);
        !(cards - Card::IMMEDIATE).is_empty()
            || (cards & Card::IMMEDIATE).iter().any(|card| self.can_happen(s, card))
    }

    #[inline]
    pub(crate) fn take(&self, s: &mut State, card: Card) {
        let player = s.actor();
        if s.free() != 0 {
            if self.free_cards(s).contains(card) {
                return self.take_free(s, card);
            }
            s.actions_left -= 1;
            s.set_taken(true);
        }
        s.money[player] -= self.board.card_cost[card.idx()];
        s.take_from_display(card);
        match card.family() {
            Family::Senator => s.senators[player][card.idx()] += 1,
            Family::Immediate => return self.start_immediate(s, card),
            Family::MultiUse | Family::Diplomacy | Family::Passive => s.add_held(player, card),
        }
        self.back_to_top(s);
    }

    // --- recruit (10) ---

    /// Returns whether a player can pay a unit of a kind and has one in their pool.
    #[inline]
    pub(crate) fn can_afford(&self, s: &State, player: Player, unit: Unit) -> bool {
        (s.pool[player][unit] > 0) & (self.board.price[unit] <= s.money[player])
    }

    /// Returns the provinces with own influence and an own leader where the actor can get at least one unit.
    pub(crate) fn recruiting_grounds(&self, s: &State) -> PlaceSet {
        self.each_recruiting_ground(s).collect()
    }

    fn can_recruit(&self, s: &State) -> bool {
        self.each_recruiting_ground(s).next().is_some()
    }

    #[inline]
    fn each_recruiting_ground(&self, s: &State) -> impl Iterator<Item = Place> {
        let player = s.actor();
        let mut places = s.leaders[player] & self.board.keys;
        let can_afford = |unit| self.can_afford(s, player, unit);
        if !places.is_empty() && !Recruits::LAND.map(can_afford).contains(&true) {
            places &= if can_afford(Unit::Galley) { self.board.coastal } else { PlaceSet::EMPTY };
        }
        places.iter().filter(move |p| s.influence_at(player, self.board.key_of[p.idx()]) > 0)
    }

    #[inline]
    pub(crate) fn recruit_in(&self, s: &mut State, place: Place) {
        s.gain_chaos(s.actor(), self.board.config.chaos.recruit);
        s.detail =
            Detail::Recruitment(Recruitment { place, count: Recruits::FIRST, has_any: false });
        s.go(Phase::RecruitCount);
        self.seek_recruits(s);
    }

    /// Goes on to the next count that can be positive, or to the end of the action.
    fn seek_recruits(&self, s: &mut State) {
        let mut recruitment = s.detail.recruitment();
        let end = self.end_of_recruits(recruitment.place);
        while recruitment.count < end && !self.can_afford(s, s.actor(), recruitment.count.unit()) {
            recruitment.count = recruitment.count.next();
        }
        s.detail = Detail::Recruitment(recruitment);
        if recruitment.count == end {
            self.back_to_top(s);
        }
    }

    pub(crate) fn end_of_recruits(&self, place: Place) -> Recruits {
        Recruits::end(self.board.coast[place.idx()].len())
    }

    #[inline]
    fn most_recruits(&self, s: &State, count: Recruits) -> u16 {
        let (q, unit) = (s.actor(), count.unit());
        let pool = u16::from(s.pool[q][unit]);
        match self.board.price[unit] {
            0 => pool,
            price => pool.min(s.money[q] / price),
        }
    }

    #[inline(never)]
    pub(crate) fn recruit_options(&self, s: &State) -> Options {
        let Recruitment { place, count, has_any } = s.detail.recruitment();
        let hi = self.most_recruits(s, count);
        let mut later = count.later(self.end_of_recruits(place));
        let must = !has_any && later.all(|c| !self.can_afford(s, s.actor(), c.unit()));
        Options::range(u16::from(must), hi)
    }

    #[inline]
    pub(crate) fn recruit(&self, s: &mut State, number: u8) {
        let Recruitment { place, count, has_any } = s.detail.recruitment();
        let (q, unit) = (s.actor(), count.unit());
        s.pool[q][unit] -= number;
        s.money[q] -= u16::from(number) * self.board.price[unit];
        match count.zone() {
            None => s.add_troops(s.actor(), place, unit, number as i8),
            Some(i) => s.add_galleys(s.actor(), self.zone_beside(place, i), number as i8),
        }
        let has_any = has_any || number > 0;
        s.detail = Detail::Recruitment(Recruitment { place, count: count.next(), has_any });
        self.seek_recruits(s);
    }

    /// Returns the `index`-th sea zone beside a province, in board order.
    pub(crate) fn zone_beside(&self, place: Place, index: u8) -> Zone {
        self.board.coast[place.idx()].nth(index.into())
    }

    // --- buy influence (11) ---

    pub(crate) fn can_pay_influence(&self, s: &State) -> bool {
        let q = s.actor();
        s.money[q] >= self.board.config.prices.influence as u16 && s.supply[q] > 0
    }

    pub(crate) fn most_bought(&self, s: &State, place: Place) -> u8 {
        let buy = &self.board.config.buy;
        let has_caesar = s.caesar[s.actor()] == Some(place);
        (if has_caesar { buy.with_caesar } else { buy.with_general }) as u8
    }

    /// Returns the key province at a place that is one.
    fn key_at(&self, place: Place) -> Key {
        self.board.key_of[place.idx()].expect("a key province")
    }

    /// Returns the sources of influence in a province, as the bits of [`Source`]s.
    pub(crate) fn sources(&self, s: &State, place: Place) -> u64 {
        let key = self.key_at(place);
        let of_board = u64::from(s.tokens[key.idx()] > 0);
        let hostile = s.influence[key.idx()] & lanes(s.enemies(s.actor(), self.n_players));
        counts(hostile).fold(of_board, |sources, (q, _)| {
            let is_guarded = s.army[q].contains(place);
            sources | u64::from(!is_guarded) << Source::Seat(q).number()
        })
    }

    /// Returns the key provinces where the actor can buy.
    pub(crate) fn markets(&self, s: &State) -> PlaceSet {
        self.each_market(s).collect()
    }

    fn can_buy(&self, s: &State) -> bool {
        self.each_market(s).next().is_some()
    }

    #[inline]
    fn each_market(&self, s: &State) -> impl Iterator<Item = Place> {
        let can_pay = self.can_pay_influence(s);
        let places = if can_pay { s.leaders[s.actor()] & self.board.keys } else { PlaceSet::EMPTY };
        places.iter().filter(move |&place| self.most_bought(s, place) > 0 && self.is_sold(s, place))
    }

    /// Returns whether any influence is for sale in a province: most often the board has a token there.
    #[inline]
    fn is_sold(&self, s: &State, place: Place) -> bool {
        s.tokens[self.key_at(place).idx()] > 0 || self.sources(s, place) != 0
    }

    #[inline]
    pub(crate) fn buy_in(s: &mut State, place: Place) {
        s.detail = Detail::Purchase(Purchase { place, last: None, bought: 0 });
        s.go(Phase::BuySource);
    }

    #[inline(never)]
    pub(crate) fn source_options(&self, s: &State) -> Options {
        let Purchase { place, last, .. } = s.detail.purchase();
        let sources = self.sources(s, place);
        match last {
            None => Options::of(sources),
            Some(last) => Options::of(sources & u64::MAX << last.number() | LAST),
        }
    }

    #[inline(never)]
    pub(crate) fn buy(&self, s: &mut State, action: Action) {
        if action.verb == Verb::Stop {
            self.back_to_top(s);
            return;
        }
        let Purchase { place, bought, .. } = s.detail.purchase();
        let (buyer, source) = (s.actor(), Source::of(action.args[0]));
        let key = self.key_at(place);
        s.money[buyer] -= self.board.config.prices.influence as u16;
        match source {
            Source::Board => s.tokens[key.idx()] -= 1,
            Source::Seat(q) => s.lose_influence(q, key),
        }
        s.gain_influence(buyer, key, 1);
        let bought = bought + 1;
        s.detail = Detail::Purchase(Purchase { place, last: Some(source), bought });
        let can_go_on = bought < self.most_bought(s, place) && self.can_pay_influence(s);
        if can_go_on { s.go(Phase::BuyMore) } else { self.back_to_top(s) }
    }

    // --- special tax (12) ---

    #[inline]
    pub(crate) fn tax(&self, s: &mut State, steps: u8) {
        let tax = &self.board.config.tax;
        s.gain_money(s.actor(), u16::from(steps) * tax.special_talents as u16);
        s.gain_chaos(s.actor(), i64::from(steps) * tax.special_chaos);
        self.back_to_top(s);
    }
}
