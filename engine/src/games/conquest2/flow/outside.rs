//! Treatments of a season (see `engine::treatment`). They act when the cards of the season lie open and before its
//! first auction.

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::cards::{Card, CardSet, Family};
use crate::games::conquest2::model::detail::Detail;
use crate::games::conquest2::model::options::TOP;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::Key;
use crate::games::conquest2::model::reader::bit_of;
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::treated::{Bans, Gift, Given, Season};
use crate::games::conquest2::model::treatments::{BANNED_ACTIONS, MARKET};
use crate::games::conquest2::model::units::Unit;
use crate::market::Uptake;
use crate::player::{MAX_PLAYERS, Player, PlayerSet};
use crate::rng::Purpose;

impl Conquest2 {
    /// Returns the treatments of the season under way, or `None` if this game has none.
    #[inline]
    fn treated(&self, s: &State) -> Option<&Season> {
        self.board.treated.as_deref().map(|treatments| treatments.season(s.season))
    }

    /// Returns the bans on the actor, or `None` if this game has none.
    #[inline]
    pub(crate) fn bans(&self, s: &State) -> Option<Bans> {
        self.treated(s).map(|season| season.bans[s.actor()])
    }

    /// Returns whether the null treatment draws its numbers now.
    pub(crate) fn is_null_season(&self, s: &State) -> bool {
        self.treated(s).is_some_and(|season| season.is_null)
    }

    // --- the null treatment ---

    pub(crate) fn start_null(&self, s: &mut State) {
        s.detail = Detail::Draws { left: Purpose::OF_CHANCE.len() as u8 };
        s.go(Phase::NullDraw);
    }

    pub(crate) fn null_drawn(&self, s: &mut State) {
        let left = Self::null_draws_left(s) - 1;
        s.detail = Detail::Draws { left };
        if left == 0 {
            self.start_auctions(s);
        }
    }

    fn null_draws_left(s: &State) -> u8 {
        if let Detail::Draws { left } = s.detail { left } else { 1 }
    }

    /// Returns the stream of the number that is due.
    pub(crate) const fn null_purpose(s: &State) -> Purpose {
        let left = if let Detail::Draws { left } = s.detail { left as usize } else { 1 };
        Purpose::OF_CHANCE[Purpose::OF_CHANCE.len() - left]
    }

    // --- gifts ---

    /// Applies the gifts of this season. Returns true if it forces the turn order, so that there is no auction.
    pub(crate) fn treat_season(&self, s: &mut State) -> bool {
        let Some(season) = self.treated(s) else { return false };
        season.gifts.iter().for_each(|gift| self.give(s, gift));
        let Some(order) = &season.order else { return false };
        s.order[..order.len()].copy_from_slice(order);
        s.alliance_b = season.alliance_b;
        s.unallied = PlayerSet::EMPTY;
        true
    }

    /// Returns the player who opens the first auction of the season: `usual`, unless a treatment names another.
    pub(crate) fn opener(&self, s: &State, usual: Player) -> Player {
        self.treated(s).and_then(|season| season.opener).unwrap_or(usual)
    }

    fn give(&self, s: &mut State, gift: &Gift) {
        let Gift { seat, what, number } = *gift;
        match what {
            Given::Card(card) if card.family() == Family::Senator => {
                s.senators[seat][card.idx()] += number as u8;
            }
            Given::Card(card) => (0..number).for_each(|_| s.add_held(seat, card)),
            Given::Talents => s.gain_money(seat, number as u16),
            Given::Vp => s.gain_vp(seat, number as i16),
            Given::Chaos => s.gain_chaos(seat, number),
            Given::Influence(key) => s.gain_influence(seat, key, number as u8),
            Given::Units(unit, place) => {
                let gained = self.draw_from_pool(s, seat, unit, number as u8);
                s.add_troops(seat, place, unit, gained as i8);
            }
            Given::Galleys(zone) => {
                let gained = self.draw_from_pool(s, seat, Unit::Galley, number as u8);
                s.add_galleys(seat, zone, gained as i8);
            }
            Given::City(site) => s.set_city_owner(site, seat),
        }
    }

    /// Returns the number of copies of a card that `player` was given this season; they leave the game with it.
    pub(crate) fn given_copies(&self, s: &State, player: Player, card: Card) -> u8 {
        let treatments = self.board.treated.as_deref();
        treatments.map_or(0, |treatments| treatments.copies_of(s.season, player, card))
    }

    /// Places the start influence of the seats whose influence a treatment sets.
    pub(crate) fn deal(&self, s: &mut State) {
        let Some(treatments) = &self.board.treated else { return };
        for seat in Player::all(MAX_PLAYERS) {
            let Some(dealt) = &treatments.deal[seat] else { continue };
            for key in Key::first(self.board.n_keys) {
                while s.influence_of(seat, key) > 0 {
                    s.lose_influence(seat, key);
                }
            }
            Key::first(self.board.n_keys)
                .for_each(|key| s.gain_influence(seat, key, dealt[key.idx()]));
        }
    }

    // --- turns ---

    /// Begins a turn: sets extra or fewer actions, and the free cards of the player.
    #[inline]
    pub(crate) fn treat_turn(&self, s: &mut State) {
        let Some(treatments) = &self.board.treated else { return };
        let player = self.turn_player(s);
        s.actions_left = treatments.actions(s.season, s.round, player, s.actions_left);
        let free = &treatments.season(s.season).free[player];
        s.set_free(if s.round == 1 { (1 << free.len()) - 1 } else { 0 });
    }

    /// Returns the immediate-use cards that the player in turn may still take for free.
    pub(crate) fn free_cards(&self, s: &State) -> CardSet {
        let (Some(season), true) = (self.treated(s), s.free() != 0) else { return CardSet::EMPTY };
        let cards = season.free[self.turn_player(s)].iter().enumerate();
        cards.filter(|(i, _)| s.free() >> i & 1 == 1).map(|(_, &card)| card).collect()
    }

    /// Returns the free cards that can happen now.
    pub(crate) fn free_takes(&self, s: &State) -> CardSet {
        self.free_cards(s).iter().filter(|&card| self.can_happen(s, card)).collect()
    }

    /// Takes a free card for the player in turn.
    pub(crate) fn take_free(&self, s: &mut State, card: Card) {
        let season = self.treated(s).expect("somebody was given a card");
        let cards = &season.free[self.turn_player(s)];
        let which = cards.iter().position(|&free| free == card).expect("one of the free cards");
        s.set_free(s.free() & !(1 << which));
        self.start_immediate(s, card);
    }

    // --- acts that bans can forbid ---

    /// Appends the acts that the player in turn can choose and that a ban can forbid. A card counts as open as soon as
    /// the player may choose to take one.
    pub(crate) fn list_available_uptakes(&self, s: &State, out: &mut Vec<Uptake<'_>>) {
        let takes = || self.takeable(s).iter().map(taking);
        match s.phase() {
            Phase::Top => {
                let mut actions = Vec::new();
                self.list_options(s, &mut actions);
                let words = actions.iter().filter_map(|action| word_of(*action));
                out.extend(words);
                if actions.iter().any(|action| action.verb == Verb::Take) {
                    out.extend(takes());
                }
            }
            Phase::TakeCard => out.extend(takes()),
            _ => {}
        }
    }

    /// Appends the acts in `action` that a ban can forbid. Where only one card can be taken, taking takes that card.
    pub(crate) fn list_uptake(&self, s: &State, action: Action, out: &mut Vec<Uptake<'_>>) {
        match (s.phase(), action.verb) {
            (Phase::Top, verb) => {
                out.extend(word_of(action));
                let mut cards = self.takeable(s).iter();
                if let (Verb::Take, Some(only), None) = (verb, cards.next(), cards.next()) {
                    out.push(taking(only));
                }
            }
            (Phase::TakeCard, Verb::Card) => out.push(taking(Card::new(action.args[0]))),
            _ => {}
        }
    }
}

fn taking<'a>(card: Card) -> Uptake<'a> {
    Uptake { ban: MARKET.ban, name: card.id() }
}

/// Returns the kind of an action in a turn, if it can be banned.
fn word_of<'a>(action: Action) -> Option<Uptake<'a>> {
    let words = BANNED_ACTIONS.iter().enumerate();
    let mut of_verb = words.filter(|(i, _)| TOP[bit_of(*i)] == action.verb);
    of_verb.next().map(|(_, name)| Uptake { ban: "ban.action", name })
}
