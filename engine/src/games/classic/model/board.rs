//! The map and all tables in the form that the rules use: masks and small arrays, built once from the configuration.

use crate::games::classic::model::config::{Config, PAIRS, Province, Variant};
use crate::games::classic::model::gifts::Treatments;
use crate::games::classic::model::legion::Faces;
use crate::games::classic::model::place::{PROVINCES, Place, PlaceSet};
use crate::games::shared::dice::{Die, N_FACES, face};
use crate::games::shared::map::index;
use crate::games::shared::units::{N_MILITARY, Troops};
use crate::player::{ByPlayer, MAX_PLAYERS, Player};

pub use crate::games::classic::model::place::{N_PLACES, N_PROVINCES, N_ZONES};

/// Largest number of homes.
pub const MAX_HOMES: usize = 12;
/// Largest number of land borders: a set of roads is a word with a bit for each.
pub(crate) const MAX_BORDERS: usize = 128;

/// The far end of an open strait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub(crate) to: Place,
    pub(crate) zone: Place,
}

/// Number of steps in a turn by type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    /// Numbers for infantry, cavalry and catapults.
    pub(crate) troops: [u8; 3],
    pub(crate) general: u8,
    pub(crate) caesar: u8,
    pub(crate) galley: u8,
}

/// The board and the numbers of one configuration.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// Names of the places.
    pub(crate) ids: Vec<String>,
    /// Land neighbours of a province.
    pub(crate) land: [PlaceSet; N_PROVINCES],
    /// Places that a galley reaches with one step: from a province the zones beside it, from a zone its neighbour zones
    /// and provinces.
    pub(crate) near: [PlaceSet; N_PLACES],
    /// Places that a galley reaches in a turn.
    pub(crate) reach: [PlaceSet; N_PLACES],
    pub(crate) coastal: PlaceSet,
    /// The open straits at a province.
    pub(crate) crossings: [Vec<Crossing>; N_PROVINCES],
    /// Land borders by (P, Q), P before Q.
    pub(crate) borders: Vec<(Place, Place)>,
    /// The borders of a province, as bits.
    pub(crate) borders_of: [u128; N_PROVINCES],
    pub(crate) homes: PlaceSet,
    /// The home of each seat.
    pub(crate) home: ByPlayer<Option<Place>>,
    /// Provinces that a seat may claim at the start (2.4), if they are unowned.
    pub(crate) claimable: ByPlayer<PlaceSet>,
    /// The full number of a guard; 0 where there is none.
    pub(crate) guard: [u8; N_PROVINCES],
    pub(crate) value: [u16; N_PROVINCES],
    pub(crate) recruits: PlaceSet,
    /// Further places where a player with this home gets galleys.
    pub(crate) galleys_at: [PlaceSet; N_PROVINCES],
    pub(crate) die: Die,
    /// Probabilities of faces, by number of dice.
    pub(crate) faces: Faces,
    /// Numbers of infantry, cavalry, catapults and galleys of a colour.
    pub(crate) pool: [u8; N_MILITARY],
    /// Their prices.
    pub(crate) price: [u32; N_MILITARY],
    pub(crate) steps: Steps,
    /// The faces of each rung, as a set of bits.
    pub(crate) ladder: Vec<u8>,
    /// Number of homes that wins; `None` if homes do not win.
    pub(crate) homes_to_win: Option<u8>,
    pub(crate) in_pairs: bool,
    pub(crate) v: Variant,
    pub(crate) treated: Option<Box<Treatments>>,
    pub(crate) config: Config,
}

impl Board {
    /// Builds the tables of a checked configuration.
    pub(crate) fn new(config: Config, n_players: usize) -> Self {
        let provinces = config.province.iter().map(|p| p.id.clone());
        let ids: Vec<String> = provinces.chain(config.sea.iter().map(|z| z.id.clone())).collect();
        assert!(
            config.province.len() == N_PROVINCES && config.sea.len() == N_ZONES,
            "overlays add no places"
        );
        let v = config.column().clone();
        let set = |names: &[String]| {
            names.iter().map(|id| Place::new(index(&ids, id))).collect::<PlaceSet>()
        };
        let m = &config.movement;
        let steps = Steps {
            troops: [m.infantry, m.cavalry, m.catapult].map(|n| n as u8),
            general: m.general as u8,
            caesar: v.caesar_steps as u8,
            galley: m.galley as u8,
        };
        let p = &config.pools;
        let price = &config.prices;
        let die = Die::new(&config.die.faces);
        let bits = |rung: &Vec<String>| {
            rung.iter().fold(0, |set, name| set | 1 << face(name).expect("rungs were checked"))
        };
        let mut board = Self {
            land: std::array::from_fn(|p| set(&config.province[p].land)),
            near: std::array::from_fn(|place| match place.checked_sub(N_PROVINCES) {
                None => set(&config.province[place].sea),
                Some(z) => set(&config.sea[z].coasts) | set(&config.sea[z].sea),
            }),
            reach: [PlaceSet::EMPTY; N_PLACES],
            coastal: PlaceSet::EMPTY,
            crossings: [const { Vec::new() }; N_PROVINCES],
            borders: Vec::new(),
            borders_of: [0; N_PROVINCES],
            homes: set(&config.seats.order),
            home: ByPlayer::default(),
            claimable: ByPlayer::default(),
            guard: [0; N_PROVINCES],
            value: std::array::from_fn(|p| worth(&config.province[p], v.home_values)),
            recruits: PlaceSet::EMPTY,
            galleys_at: std::array::from_fn(|p| set(&config.province[p].galleys_at)),
            faces: Faces::new(&die, most_dice(&config, &v)),
            die,
            pool: [p.infantry, p.cavalry, p.catapult, p.galley].map(|n| n as u8),
            price: [price.infantry, price.cavalry, price.catapult, price.galley].map(|n| n as u32),
            steps,
            ladder: v.end_ladder.iter().map(bits).collect(),
            homes_to_win: v.home_victory.get(&n_players.to_string()).map(|&n| n as u8),
            in_pairs: v.start_placement == PAIRS,
            treated: None,
            ids: Vec::new(),
            v,
            config,
        };
        board.ids = ids;
        board.add_borders();
        board.add_sea();
        board.add_homes(n_players);
        board
    }

    fn place(&self, id: &str) -> Place {
        Place::new(index(&self.ids, id))
    }

    fn add_borders(&mut self) {
        for p in Place::first(N_PROVINCES) {
            for q in self.land[p.idx()].above(p).iter() {
                let bit = 1 << self.borders.len();
                self.borders_of[p.idx()] |= bit;
                self.borders_of[q.idx()] |= bit;
                self.borders.push((p, q));
            }
            let province = &self.config.province[p.idx()];
            self.recruits = self.recruits.with(p, province.recruit);
            self.coastal = self.coastal.with(p, !province.sea.is_empty());
        }
        for strait in self.config.strait.iter().filter(|s| s.open) {
            let [a, b] = [0, 1].map(|i| self.place(&strait.between[i]));
            let zone = self.place(&strait.zone);
            for (from, to) in [(a, b), (b, a)] {
                self.crossings[from.idx()].push(Crossing { to, zone });
            }
        }
    }

    fn add_sea(&mut self) {
        for place in Place::first(N_PLACES) {
            let near = self.near[place.idx()];
            let further = near.zones().iter().fold(PlaceSet::EMPTY, |s, z| s | self.near[z.idx()]);
            let reach = match self.steps.galley {
                0 => PlaceSet::EMPTY,
                1 => near,
                _ => near | further,
            };
            self.reach[place.idx()] = reach - PlaceSet::of(place);
        }
    }

    /// Assigns homes: seats follow the order of the homes; the other homes are guarded (2.1, 2.2, 2.4).
    fn add_homes(&mut self, n_players: usize) {
        let in_play = self.config.seats.of(n_players);
        let order = self.config.seats.order.iter().filter(|id| in_play.contains(id));
        let seated: Vec<Place> = order.map(|id| self.place(id)).collect();
        for (seat, &home) in seated.iter().enumerate() {
            self.home.0[seat] = Some(home);
        }
        let unseated = self.homes - seated.into_iter().collect();
        if self.v.guards {
            for home in unseated.iter() {
                self.guard[home.idx()] = self.config.province[home.idx()].guard as u8;
            }
        }
        for seat in Player::all(MAX_PLAYERS) {
            let own = self.home[seat].map_or(PlaceSet::EMPTY, PlaceSet::of);
            let is_free = |p: &Place| (self.land[p.idx()] & (self.homes - own)).is_empty();
            self.claimable[seat] = (PROVINCES - self.homes).iter().filter(is_free).collect();
        }
    }

    /// Returns the border between two provinces, if they have one.
    pub(crate) fn border(&self, p: Place, q: Place) -> Option<u32> {
        let both = self.borders_of[p.idx()] & self.borders_of[q.idx()];
        (p != q && both != 0).then(|| both.trailing_zeros())
    }

    /// Returns the last possible round.
    pub(crate) const fn last_round(&self) -> u8 {
        self.config.options.final_round as u8 + self.ladder.len() as u8 - 1
    }
}

const _: () = assert!(N_FACES <= 8, "a rung is a byte");

/// Returns the largest number of dice of a side of a land battle.
fn most_dice(config: &Config, v: &Variant) -> usize {
    let rules = &config.battle;
    let generals = rules.legion_per_general * i64::from(Troops::MOST_GENERALS);
    (rules.legion + generals + v.caesar_legion + rules.fort_dice) as usize
}

fn worth(province: &Province, home_values: bool) -> u16 {
    let base = province.base_value.filter(|_| province.home && !home_values);
    base.unwrap_or(province.value) as u16
}
