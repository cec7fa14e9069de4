//! Set-up, and the arrival and removal of tiles (3, 4.2): the events of chance.

use super::Rise;
use super::action::Action;
use super::state::{Closing, Detail, Phase, State, Tiles};
use super::things::{
    BoxSet, Empire, EmpireSet, MAX_SEATS, N_EMPIRES, N_PROGRESS, N_REGIONS, N_TERRITORIES,
    Progress, ProgressSet, Row, Territory,
};
use crate::player::Player;
use crate::rng::Randomness;

impl Rise {
    /// Returns the position before the first event (3.1).
    pub(super) fn set_up(&self) -> State {
        let (board, start) = (&*self.board, &self.board.config.start);
        let mut stacks = Tiles::default();
        for (n, tile) in stacks.progress.iter_mut().zip(&board.progress) {
            *n = tile.count;
        }
        for (n, tile) in stacks.territory.iter_mut().zip(&board.territories) {
            *n = tile.count;
        }
        board.outside.take_out(&mut stacks);
        let n = board.n_players;
        let of = |value: i32| std::array::from_fn(|seat| if seat < n { value } else { 0 });
        let bytes = |value: i32| of(value).map(|value| value as u8);
        State {
            set: [0; 2],
            discs: [0; Row::COUNT],
            cities: Default::default(),
            progress: Default::default(),
            city_display: Default::default(),
            empires: EmpireSet::EMPTY,
            boxes: BoxSet::EMPTY,
            detail: Detail::default(),
            closing: Closing::default(),
            gold: of(start.gold),
            vp: of(start.vp),
            food: of(start.food).map(|value| value as i16),
            chosen: Default::default(),
            resource: bytes(start.resource_discs),
            pool: bytes(start.cubes_in_pool),
            stock: bytes(start.cubes_in_general_stock),
            map: [[0; MAX_SEATS]; N_REGIONS],
            territory: [[0; N_TERRITORIES]; MAX_SEATS],
            display: Tiles::default(),
            stacks,
            alliance: [None; MAX_SEATS],
            used: [0; MAX_SEATS],
            on_trade: 0,
            order: [None; MAX_SEATS],
            next_order: [None; MAX_SEATS],
            choosers: [None; MAX_SEATS],
            turn: 0,
            round: 0,
            at: 0,
            phase: Phase::Order,
            milestone: 0,
            n_options: 0,
        }
    }

    /// Gives a player the next place in the first order (3.2).
    pub(super) fn place_in_order(&self, s: &mut State, player: Player) {
        let n = self.board.n_players;
        s.order[usize::from(s.at)] = Some(player);
        s.at += 1;
        if usize::from(s.at) + 1 < n {
            return;
        }
        let last = Player::all(n).find(|p| !s.order.contains(&Some(*p)));
        s.order[n - 1] = Some(last.expect("one seat is left"));
        self.begin_turn(s);
    }

    /// Begins a turn (4.2): keeps the state before for records, then adds the tiles that need no draw.
    pub(super) fn begin_turn(&self, s: &mut State) {
        s.milestone += 1;
        (s.round, s.at, s.detail) = (0, 0, Detail::default());
        (s.boxes, s.on_trade) = (BoxSet::EMPTY, 0);
        self.board.outside.give(self, s);
        s.close();
        self.clear_leftovers(s);
        let due = self.board.config.display.progress_per_turn;
        let era = self.board.progress_by_era[self.board.era(s.turn)];
        if self.n_in_stack(s, era) > u32::from(due) {
            (s.phase, s.detail.draws) = (Phase::DrawProgress, due);
            if due > 0 {
                return;
            }
        } else {
            for tile in era.iter() {
                s.display.progress[tile.idx()] +=
                    std::mem::take(&mut s.stacks.progress[tile.idx()]);
            }
        }
        self.territory_comes(s);
    }

    pub(super) fn n_in_stack(&self, s: &State, tiles: ProgressSet) -> u32 {
        tiles.iter().map(|tile| u32::from(s.stacks.progress(tile))).sum()
    }

    fn clear_leftovers(&self, s: &mut State) {
        let is_wonder = |city: &super::things::City| self.board.city(*city).is_wonder;
        if self.board.keeps_all_leftovers {
            s.city_display = s.city_display.iter().filter(|city| !is_wonder(city)).collect();
            return;
        }
        s.city_display = Default::default();
        s.display.territory = [0; N_TERRITORIES];
        for tile in Progress::first(N_PROGRESS).filter(|&tile| !self.board.with.red.contains(tile))
        {
            s.display.progress[tile.idx()] = 0;
        }
    }

    fn territory_comes(&self, s: &mut State) {
        if self.board.has_territory(s.turn) {
            let due = self.board.config.display.territory_per_turn;
            let left: u32 = s.stacks.territory.iter().map(|&n| u32::from(n)).sum();
            if left > u32::from(due) {
                (s.phase, s.detail.draws) = (Phase::DrawTerritory, due);
                if due > 0 {
                    return;
                }
            } else {
                for (shown, left) in s.display.territory.iter_mut().zip(&mut s.stacks.territory) {
                    *shown += std::mem::take(left);
                }
            }
        }
        self.cities_come(s);
    }

    fn cities_come(&self, s: &mut State) {
        let coming = self.board.cities_of(s.turn);
        s.city_display |= coming - self.board.outside.cities_out();
        s.empires = Empire::first(N_EMPIRES).collect();
        self.begin_action(s);
    }

    /// Puts a drawn tile on display.
    pub(super) fn draw_comes(&self, s: &mut State, outcome: Action) {
        s.detail.draws -= 1;
        let is_last = s.detail.draws == 0;
        match outcome {
            Action::DrawProgress(tile) => {
                s.stacks.progress[tile.idx()] -= 1;
                s.display.progress[tile.idx()] += 1;
                if is_last {
                    self.territory_comes(s);
                }
            }
            Action::DrawTerritory(tile) => {
                s.stacks.territory[tile.idx()] -= 1;
                s.display.territory[tile.idx()] += 1;
                if is_last {
                    self.cities_come(s);
                }
            }
            _ => unreachable!("{outcome:?} is no outcome of chance"),
        }
    }

    /// Returns the outcomes of the chance event that is due, each with its number of tiles or seats.
    pub(super) fn possible(&self, s: &State) -> impl Iterator<Item = (Action, u32)> {
        let era = self.board.era(s.turn);
        let (order, stacks, phase) = (s.order, s.stacks, s.phase);
        let seats = Player::all(if phase == Phase::Order { self.board.n_players } else { 0 })
            .filter(move |player| !order.contains(&Some(*player)))
            .map(|player| (Action::Order(player), 1));
        let of_era = self.board.progress_by_era[era];
        let of_era = if phase == Phase::DrawProgress { of_era } else { ProgressSet::EMPTY };
        let progress = of_era
            .iter()
            .map(move |tile| (Action::DrawProgress(tile), stacks.progress(tile).into()));
        let n_territories = if phase == Phase::DrawTerritory { N_TERRITORIES } else { 0 };
        let territory = Territory::first(n_territories)
            .map(move |tile| (Action::DrawTerritory(tile), stacks.territory(tile).into()));
        seats.chain(progress).chain(territory).filter(|(_, n)| *n > 0)
    }

    /// Draws one tile, or seat, out of all that are left.
    pub(super) fn draw_one<R: Randomness + ?Sized>(&self, s: &State, rng: &mut R) -> Action {
        let total: u32 = self.possible(s).map(|(_, n)| n).sum();
        let mut at = rng.below(total);
        for (outcome, n) in self.possible(s) {
            if at < n {
                return outcome;
            }
            at -= n;
        }
        unreachable!("one of {total} was drawn")
    }
}
