//! Set-up, tokens and cards of a season (clauses 2 to 5), and starting units (7).

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::cards::Card;
use crate::games::conquest2::model::counts::Starter;
use crate::games::conquest2::model::detail::{Detail, Placement};
use crate::games::conquest2::model::options::Options;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Key, Place, PlaceSet, Zone, ZoneSet};
use crate::games::conquest2::model::state::{Auction, State};
use crate::games::conquest2::model::units::Unit;
use crate::player::Player;

impl Conquest2 {
    pub(crate) fn first_player_drawn(&self, s: &mut State, seat: Player) {
        s.first_player = Some(seat);
        s.detail = Detail::Setup { drawn: 0 };
        s.go(Phase::SetupToken);
        self.continue_setup(s);
    }

    /// Returns the player who draws the token that is due at set-up.
    pub(crate) fn setup_drawer(&self, s: &State) -> Player {
        let each = self.board.config.start.influence as u8;
        let first = Self::first_player(s).number();
        Player::of((first + Self::drawn_at_setup(s) / each) % self.n_players as u8)
    }

    fn first_player(s: &State) -> Player {
        s.first_player.expect("the first player is drawn before anything else")
    }

    fn drawn_at_setup(s: &State) -> u8 {
        if let Detail::Setup { drawn } = s.detail { drawn } else { 0 }
    }

    #[inline]
    pub(crate) fn setup_token_drawn(&self, s: &mut State, key: Key) {
        if self.board.no_influence[key.idx()] {
            return; // put back and drawn again
        }
        s.bag[key.idx()] -= 1;
        s.gain_influence(self.setup_drawer(s), key, 1);
        s.detail = Detail::Setup { drawn: Self::drawn_at_setup(s) + 1 };
        self.continue_setup(s);
    }

    fn continue_setup(&self, s: &mut State) {
        let draws = self.n_players * self.board.config.start.influence as usize;
        if usize::from(Self::drawn_at_setup(s)) == draws {
            self.deal(s);
            s.milestone += 1;
            self.start_season(s);
        }
    }

    pub(crate) fn start_season(&self, s: &mut State) {
        let in_bag: usize = s.bag.iter().map(|&n| usize::from(n)).sum();
        let due = self.n_players * self.board.config.options.tokens as usize;
        s.go(Phase::SeasonToken);
        self.await_tokens(s, due.min(in_bag) as u8);
    }

    #[inline]
    pub(crate) fn season_token_drawn(&self, s: &mut State, key: Key) {
        s.bag[key.idx()] -= 1;
        s.tokens[key.idx()] += 1;
        self.await_tokens(s, Self::draws_left(s) - 1);
    }

    fn await_tokens(&self, s: &mut State, left: u8) {
        s.detail = Detail::Draws { left };
        if left == 0 {
            self.start_cards(s);
        }
    }

    fn draws_left(s: &State) -> u8 {
        if let Detail::Draws { left } = s.detail { left } else { 0 }
    }

    fn start_cards(&self, s: &mut State) {
        let in_deck: usize = s.deck.iter().map(|&n| usize::from(n)).sum();
        let due = self.n_players * self.board.config.options.cards as usize;
        s.go(Phase::SeasonCard);
        self.await_cards(s, due.min(in_deck) as u8);
    }

    #[inline]
    pub(crate) fn season_card_drawn(&self, s: &mut State, card: Card) {
        s.deck[card.idx()] -= 1;
        s.add_to_display(card, 1);
        self.await_cards(s, Self::draws_left(s) - 1);
    }

    fn await_cards(&self, s: &mut State, left: u8) {
        s.detail = Detail::Draws { left };
        if left > 0 {
            return;
        }
        if self.is_null_season(s) { self.start_null(s) } else { self.start_auctions(s) }
    }

    pub(crate) fn start_auctions(&self, s: &mut State) {
        let n = self.n_players;
        s.detail = Detail::None;
        let usual = if s.season == 0 { Self::first_player(s) } else { s.order[n - 1] };
        s.unallied = self.everyone();
        s.auction = Auction::EMPTY;
        if self.treat_season(s) {
            s.go(Phase::Bid);
            self.end_auctions(s);
        } else {
            self.open_auction(s, self.opener(s, usual));
        }
    }

    // --- starting units ---

    pub(crate) fn start_placement(&self, s: &mut State) {
        s.turn = 0;
        self.start_placing_of(s);
    }

    fn start_placing_of(&self, s: &mut State) {
        s.actor = Some(s.order[usize::from(s.turn)]);
        let homes = self.homes(s);
        self.begin_placing(s, Starter::FIRST, homes);
    }

    /// Returns the provinces with influence of the actor.
    pub(crate) fn homes(&self, s: &State) -> PlaceSet {
        let keys = Key::first(self.board.n_keys).filter(|&key| s.influence_of(s.actor(), key) > 0);
        keys.map(|key| self.board.key_province[key.idx()]).collect()
    }

    /// Returns the sea zones beside the provinces of the actor.
    fn home_waters(&self, homes: PlaceSet) -> ZoneSet {
        homes.iter().fold(ZoneSet::EMPTY, |set, p| set | self.board.coast[p.idx()])
    }

    fn begin_placing(&self, s: &mut State, starter: Starter, homes: PlaceSet) {
        // A gift may have taken from the pool before.
        let (start, pool) = (&self.board.config.start, &s.pool[s.actor()]);
        let (phase, left) = match starter {
            Starter::Caesar => (Phase::PlaceCaesar, start.caesar as u8),
            Starter::Generals => {
                (Phase::PlaceGeneral, (start.general as u8).min(pool[Unit::General]))
            }
            Starter::Galleys => (Phase::PlaceGalley, (start.galley as u8).min(pool[Unit::Galley])),
            Starter::Infantry | Starter::Cavalry | Starter::Catapults => {
                let usual = |unit: Unit| self.board.start_units[unit].min(pool[unit]);
                (Phase::PlaceCount, starter.counted().map_or(0, usual))
            }
        };
        s.go(phase);
        s.detail = Placement { homes, uncounted: homes, starter, left }.into();
        let has_nowhere = match starter {
            Starter::Galleys => self.home_waters(homes).is_empty(),
            _ => homes.is_empty(),
        };
        if left == 0 || has_nowhere {
            self.place_next(s);
        }
    }

    fn place_next(&self, s: &mut State) {
        let Placement { homes, starter, .. } = s.detail.placement();
        if let Some(next) = starter.next() {
            self.begin_placing(s, next, homes);
            return;
        }
        s.turn += 1;
        if usize::from(s.turn) < self.n_players {
            self.start_placing_of(s);
        } else {
            self.start_rounds(s);
        }
    }

    pub(crate) fn placement_options(&self, s: &State) -> Options {
        let Placement { homes, uncounted, left, .. } = s.detail.placement();
        match s.phase() {
            Phase::PlaceGalley => Options::of(self.home_waters(homes)),
            Phase::PlaceCount => {
                let is_last_home = uncounted.len() == 1;
                Options::range(if is_last_home { left.into() } else { 0 }, left.into())
            }
            _ => Options::of(homes),
        }
    }

    pub(crate) fn place(&self, s: &mut State, action: Action) {
        let (player, arg) = (s.actor(), action.args[0]);
        match action.verb {
            Verb::PlaceCaesar => s.move_caesar(player, Place::new(arg)),
            Verb::PlaceGeneral => {
                s.pool[player][Unit::General] -= 1;
                s.add_troops(player, Place::new(arg), Unit::General, 1);
            }
            Verb::PlaceGalley => {
                s.pool[player][Unit::Galley] -= 1;
                s.add_galleys(player, Zone::new(arg), 1);
            }
            _ => return self.place_count(s, arg),
        }
        let mut placement = s.detail.placement();
        placement.left -= 1;
        s.detail = placement.into();
        if placement.left == 0 {
            self.place_next(s);
        }
    }

    fn place_count(&self, s: &mut State, count: u8) {
        let mut placement = s.detail.placement();
        let (player, unit) = (s.actor(), placement.starter.counted().expect("a kind to count"));
        let home = placement.uncounted.pop().expect("a home to count");
        s.pool[player][unit] -= count;
        s.add_troops(player, home, unit, count as i8);
        placement.left -= count;
        s.detail = placement.into();
        if placement.uncounted.is_empty() || placement.left == 0 {
            self.place_next(s);
        }
    }
}
