//! Set-up, tokens and cards of a season (clauses 2 to 5), and starting units (7).

use super::Conquest2;
use super::board::{Places, each};
use super::phase::{Action, Options, Phase, Verb};
use super::state::{Auction, Detail, State};
use super::units::{CATAPULT, GALLEY, GENERAL, INFANTRY};

/// Stages of placing, in order; land military kinds follow.
const CAESAR: u8 = 0;
const GENERALS: u8 = 1;
const GALLEYS: u8 = 2;
pub(super) const COUNTS: u8 = 3;

impl Conquest2 {
    pub(super) fn first_player_drawn(&self, s: &mut State, seat: u8) {
        s.first_player = seat;
        s.detail = Detail::EMPTY;
        s.phase = Phase::SetupToken;
        self.continue_setup(s);
    }

    /// Who draws the token that is due at set-up.
    pub(super) fn setup_drawer(&self, s: &State) -> u8 {
        let each = self.board.config.start.influence as u8;
        (s.first_player + s.detail.cursor / each) % self.n_players as u8
    }

    pub(super) fn setup_token_drawn(&self, s: &mut State, key: u8) {
        if self.board.no_influence[key as usize] {
            return; // put back and drawn again
        }
        s.bag[key as usize] -= 1;
        s.gain_influence(self.setup_drawer(s), key, 1);
        s.detail.cursor += 1;
        self.continue_setup(s);
    }

    fn continue_setup(&self, s: &mut State) {
        let draws = self.n_players * self.board.config.start.influence as usize;
        if usize::from(s.detail.cursor) == draws {
            s.milestone += 1;
            self.start_season(s);
        }
    }

    pub(super) fn start_season(&self, s: &mut State) {
        let in_bag: usize = s.bag.iter().map(|&n| usize::from(n)).sum();
        let due = self.n_players * self.board.config.options.tokens as usize;
        s.detail = Detail { left: due.min(in_bag) as u8, ..Detail::EMPTY };
        s.phase = Phase::SeasonToken;
        if s.detail.left == 0 {
            self.start_cards(s);
        }
    }

    pub(super) fn season_token_drawn(&self, s: &mut State, key: u8) {
        s.bag[key as usize] -= 1;
        s.tokens[key as usize] += 1;
        s.detail.left -= 1;
        if s.detail.left == 0 {
            self.start_cards(s);
        }
    }

    fn start_cards(&self, s: &mut State) {
        let in_deck: usize = s.deck.iter().map(|&n| usize::from(n)).sum();
        let due = self.n_players * self.board.config.options.cards as usize;
        s.detail = Detail { left: due.min(in_deck) as u8, ..Detail::EMPTY };
        s.phase = Phase::SeasonCard;
        if s.detail.left == 0 {
            self.start_auctions(s);
        }
    }

    pub(super) fn season_card_drawn(&self, s: &mut State, card: u8) {
        s.deck[card as usize] -= 1;
        s.add_to_display(card, 1);
        s.detail.left -= 1;
        if s.detail.left == 0 {
            self.start_auctions(s);
        }
    }

    fn start_auctions(&self, s: &mut State) {
        let n = self.n_players;
        s.detail = Detail::EMPTY;
        let opener = if s.season == 0 { s.first_player } else { s.order[n - 1] };
        s.unallied = self.everyone();
        s.auction = Auction::EMPTY;
        self.open_auction(s, opener);
    }

    // --- starting units ---

    pub(super) fn start_placement(&self, s: &mut State) {
        s.turn = 0;
        self.start_placing_of(s);
    }

    fn start_placing_of(&self, s: &mut State) {
        s.actor = s.order[usize::from(s.turn)];
        s.detail = Detail::EMPTY;
        s.detail.open = self.homes(s);
        self.enter_stage(s, CAESAR);
    }

    /// Provinces with influence of the actor.
    fn homes(&self, s: &State) -> Places {
        let keys = (0..self.board.n_keys as u8).filter(|&key| s.influence_of(s.actor, key) > 0);
        keys.fold(0, |set, key| set | 1 << self.board.key_province[usize::from(key)])
    }

    /// Sea zones beside his provinces.
    fn home_waters(&self, s: &State) -> Places {
        each(s.detail.open).fold(0, |set, p| set | u64::from(self.board.coast[usize::from(p)]))
    }

    fn enter_stage(&self, s: &mut State, stage: u8) {
        let start = &self.board.config.start;
        s.detail.cursor = stage;
        let (phase, number) = match stage {
            CAESAR => (Phase::PlaceCaesar, start.caesar as u8),
            GENERALS => (Phase::PlaceGeneral, start.general as u8),
            GALLEYS => (Phase::PlaceGalley, start.galley as u8),
            _ => (Phase::PlaceCount, self.board.start_units[usize::from(stage - COUNTS)]),
        };
        s.phase = phase;
        s.detail.left = number;
        s.detail.by_land = s.detail.open;
        let has_nowhere =
            if stage == GALLEYS { self.home_waters(s) == 0 } else { s.detail.open == 0 };
        if number == 0 || has_nowhere {
            self.next_stage(s);
        }
    }

    fn next_stage(&self, s: &mut State) {
        if s.detail.cursor < COUNTS + (CATAPULT - INFANTRY) as u8 {
            self.enter_stage(s, s.detail.cursor + 1);
            return;
        }
        s.turn += 1;
        if usize::from(s.turn) < self.n_players {
            self.start_placing_of(s);
        } else {
            self.start_rounds(s);
        }
    }

    pub(super) fn placement_options(&self, s: &State) -> Options {
        match s.phase {
            Phase::PlaceGalley => Options::of(self.home_waters(s)),
            Phase::PlaceCount => {
                let is_last_home = s.detail.by_land.count_ones() == 1;
                let left = u16::from(s.detail.left);
                Options::range(if is_last_home { left } else { 0 }, left)
            }
            _ => Options::of(s.detail.open),
        }
    }

    pub(super) fn place(&self, s: &mut State, action: Action) {
        let (player, arg) = (s.actor, action.args[0]);
        let q = usize::from(player);
        match action.verb {
            Verb::PlaceCaesar => s.move_caesar(player, arg),
            Verb::PlaceGeneral => {
                s.pool[q][GENERAL] -= 1;
                s.add_troops(player, arg, GENERAL, 1);
            }
            Verb::PlaceGalley => {
                s.pool[q][GALLEY] -= 1;
                s.add_galleys(player, arg, 1);
            }
            _ => return self.place_count(s, arg),
        }
        s.detail.left -= 1;
        if s.detail.left == 0 {
            self.next_stage(s);
        }
    }

    fn place_count(&self, s: &mut State, count: u8) {
        let (player, kind) = (s.actor, usize::from(s.detail.cursor - COUNTS));
        let home = s.detail.by_land.trailing_zeros() as u8;
        s.pool[usize::from(player)][kind] -= count;
        s.add_troops(player, home, kind, count as i8);
        s.detail.left -= count;
        s.detail.by_land &= s.detail.by_land - 1;
        if s.detail.by_land == 0 || s.detail.left == 0 {
            self.next_stage(s);
        }
    }
}
