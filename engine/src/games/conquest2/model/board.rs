//! The map and all tables in the form that the rules use: masks and small arrays, built once from the configuration.

use crate::games::conquest2::model::cards::{
    CARD_IDS, Card, CardSet, N_BARBARIANS, N_CARDS, N_CITY_CARDS, N_DIPLOMACY, N_MERCHANTS, PIRATES,
};
use crate::games::conquest2::model::config::Config;
use crate::games::conquest2::model::place::{Key, Place, PlaceSet, Site, Zone, ZoneSet};
use crate::games::conquest2::model::treated::Treatments;
use crate::games::conquest2::model::units::{N_MILITARY, N_UNITS};
use crate::games::shared::dice::Die;
use crate::games::shared::map::index;
use crate::player::MAX_PLAYERS;

pub use crate::games::conquest2::model::place::{MAX_KEYS, N_PROVINCES, N_ZONES};

/// Largest number of sea zones beside one province.
pub(crate) const MAX_COAST: usize = 6;
/// Largest number of provinces in which a city can be built.
pub(crate) const N_CITY_SITES: u8 = 12;

/// The far end of an open strait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub(crate) to: Place,
    pub(crate) zone: Zone,
}

/// The reward of a Barbarians card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reward {
    pub(crate) infantry: u8,
    pub(crate) cavalry: u8,
    pub(crate) talents: u16,
    pub(crate) vp: i16,
}

/// The board and the numbers of one configuration.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) province_ids: Vec<String>,
    pub(crate) zone_ids: Vec<String>,
    /// Land neighbours.
    pub(crate) land: [PlaceSet; N_PROVINCES],
    /// Provinces that have a land neighbour.
    pub(crate) mainland: PlaceSet,
    /// Provinces beside a sea zone.
    pub(crate) coastal: PlaceSet,
    /// Sea zones beside a province, in board order.
    pub(crate) coast: [ZoneSet; N_PROVINCES],
    /// Provinces beside a sea zone.
    pub(crate) shore: [PlaceSet; N_ZONES],
    /// The open straits at a province.
    pub(crate) crossings: [Vec<Crossing>; N_PROVINCES],
    /// Land neighbours and provinces across an open strait.
    pub(crate) across: [PlaceSet; N_PROVINCES],
    /// Sea zones in which an open strait lies.
    pub(crate) straits: ZoneSet,
    /// A province and all provinces joined to it by land and open straits.
    pub(crate) joined: [PlaceSet; N_PROVINCES],
    pub(crate) n_keys: usize,
    /// The provinces of the `n_keys` key provinces.
    pub(crate) key_province: [Place; MAX_KEYS],
    pub(crate) key_of: [Option<Key>; N_PROVINCES],
    pub(crate) keys: PlaceSet,
    /// Victory points by key and rank.
    pub(crate) vp: [[i16; MAX_PLAYERS]; MAX_KEYS],
    pub(crate) tokens: [u8; MAX_KEYS],
    pub(crate) no_influence: [bool; MAX_KEYS],
    pub(crate) capital: Place,
    /// The capital, its land neighbours, and the provinces across an open strait from one of those neighbours.
    pub(crate) environs: PlaceSet,
    pub(crate) legions_in: PlaceSet,
    pub(crate) card_count: [u8; N_CARDS],
    pub(crate) card_cost: [u16; N_CARDS],
    /// Cards that an amount of talents pays for, by amount, up to the price of the dearest card.
    affordable: Vec<CardSet>,
    pub(crate) die: Die,
    /// Infantry, cavalry, catapult, galley, general.
    pub(crate) pool: [u8; N_UNITS],
    pub(crate) price: [u16; N_UNITS],
    pub(crate) start_units: [u8; N_UNITS],
    pub(crate) merchant_key: [Option<Key>; N_MERCHANTS],
    pub(crate) merchant_talents: [u16; N_MERCHANTS],
    /// The province where Diplomacy troops fight; `None` for the pirates, who fight at sea.
    pub(crate) diplomacy_province: [Option<Place>; N_DIPLOMACY],
    /// Troops of Diplomacy cards: infantry, cavalry, catapults, galleys.
    pub(crate) diplomacy: [[u8; N_MILITARY]; N_DIPLOMACY],
    pub(crate) fleet_zone: [Zone; 2],
    pub(crate) city_in: [PlaceSet; N_CITY_CARDS],
    pub(crate) city_site: [Option<Site>; N_PROVINCES],
    pub(crate) barbarian_province: [Place; N_BARBARIANS],
    pub(crate) barbarian_reward: [Reward; N_BARBARIANS],
    /// Treatments of the game, if it has any.
    pub(crate) treated: Option<Box<Treatments>>,
    pub(crate) config: Config,
}

impl Board {
    /// Returns the id of a key province.
    pub(crate) fn name_of(&self, key: Key) -> &str {
        &self.province_ids[self.key_province[key.idx()].idx()]
    }

    /// Builds the tables of a checked configuration.
    pub(crate) fn new(config: Config) -> Self {
        let province_ids: Vec<String> = config.province.iter().map(|p| p.id.clone()).collect();
        let zone_ids: Vec<String> = config.sea.iter().map(|z| z.id.clone()).collect();
        assert!(
            province_ids.len() == N_PROVINCES && zone_ids.len() == N_ZONES,
            "overlays add no places"
        );
        let province = |id: &str| Place::new(index(&province_ids, id));
        let zone = |id: &str| Zone::new(index(&zone_ids, id));
        let provinces = |ids: &[String]| ids.iter().map(|id| province(id)).collect::<PlaceSet>();
        let mut board = Self {
            land: std::array::from_fn(|p| provinces(&config.province[p].land)),
            mainland: PlaceSet::EMPTY,
            coastal: PlaceSet::EMPTY,
            coast: std::array::from_fn(|p| {
                config.province[p].sea.iter().map(|id| zone(id)).collect()
            }),
            shore: std::array::from_fn(|z| provinces(&config.sea[z].coasts)),
            crossings: [const { Vec::new() }; N_PROVINCES],
            across: [PlaceSet::EMPTY; N_PROVINCES],
            straits: ZoneSet::EMPTY,
            joined: [PlaceSet::EMPTY; N_PROVINCES],
            n_keys: 0,
            key_province: [Place::new(0); MAX_KEYS],
            key_of: [None; N_PROVINCES],
            keys: PlaceSet::EMPTY,
            vp: [[0; MAX_PLAYERS]; MAX_KEYS],
            tokens: [0; MAX_KEYS],
            no_influence: [false; MAX_KEYS],
            capital: province(&config.vote.capital),
            environs: PlaceSet::EMPTY,
            legions_in: provinces(&config.vote.new_legions_in),
            card_count: CARD_IDS.map(|id| config.cards[id].count as u8),
            card_cost: CARD_IDS.map(|id| config.cards[id].cost as u16),
            affordable: Vec::new(),
            die: Die::new(&config.die.faces),
            pool: pool(&config),
            price: price(&config),
            start_units: start_units(&config),
            merchant_key: [None; N_MERCHANTS],
            merchant_talents: merchants(&config),
            diplomacy_province: [None; N_DIPLOMACY],
            diplomacy: [[0; N_MILITARY]; N_DIPLOMACY],
            fleet_zone: [0, 1].map(|i| zone(&format!("mare-{}", Card::fleet(i).short_id()))),
            city_in: [PlaceSet::EMPTY; N_CITY_CARDS],
            city_site: [None; N_PROVINCES],
            barbarian_province: std::array::from_fn(|i| {
                province(Card::barbarians(i as u8).short_id())
            }),
            barbarian_reward: rewards(&config),
            treated: None,
            config,
            province_ids,
            zone_ids,
        };
        board.add_keys();
        board.add_straits();
        board.add_cards();
        board
    }

    fn province(&self, id: &str) -> Place {
        Place::new(index(&self.province_ids, id))
    }

    fn add_keys(&mut self) {
        for (place, province) in Place::first(N_PROVINCES).zip(&self.config.province) {
            let p = place.idx();
            self.mainland = self.mainland.with(place, !self.land[p].is_empty());
            self.coastal = self.coastal.with(place, !self.coast[p].is_empty());
            if province.vp.is_empty() {
                continue;
            }
            let key = self.n_keys;
            self.key_province[key] = place;
            self.key_of[p] = Some(Key::new(key as u8));
            self.keys.insert(place);
            province.vp.iter().enumerate().for_each(|(rank, &vp)| self.vp[key][rank] = vp as i16);
            self.tokens[key] = province.tokens as u8;
            self.no_influence[key] = self.config.start.no_influence.contains(&province.id);
            self.n_keys += 1;
        }
    }

    fn add_straits(&mut self) {
        let open = self.config.strait.iter().filter(|s| s.open);
        let beside = PlaceSet::of(self.capital) | self.land[self.capital.idx()];
        self.environs = beside;
        self.across = self.land;
        for strait in open {
            let [a, b] = [0, 1].map(|i| self.province(&strait.between[i]));
            let zone = Zone::new(index(&self.zone_ids, &strait.zone));
            self.straits.insert(zone);
            for (from, to) in [(a, b), (b, a)] {
                self.across[from.idx()].insert(to);
                self.crossings[from.idx()].push(Crossing { to, zone });
                if beside.contains(from) {
                    self.environs.insert(to);
                }
            }
        }
        self.joined = std::array::from_fn(|p| self.joined_to(Place::new(p as u8)));
    }

    fn joined_to(&self, place: Place) -> PlaceSet {
        let mut joined = PlaceSet::of(place);
        let mut frontier = joined;
        while let Some(from) = frontier.pop() {
            let beside = self.across[from.idx()];
            frontier |= beside - joined;
            joined |= beside;
        }
        joined
    }

    /// Returns the cards that cost no more than `money`.
    #[inline]
    pub(crate) fn affordable(&self, money: u16) -> CardSet {
        self.affordable
            .get(usize::from(money).min(self.affordable.len() - 1))
            .copied()
            .unwrap_or_default()
    }

    fn add_cards(&mut self) {
        let dearest = self.card_cost.into_iter().max().unwrap_or(0);
        let cards = |purse| Card::all().filter(|c| self.card_cost[c.idx()] <= purse).collect();
        self.affordable = (0..=dearest).map(cards).collect();
        for i in 0..N_MERCHANTS {
            let p = self.province(Card::merchant(i as u8).short_id());
            self.merchant_key[i] = self.key_of[p.idx()];
        }
        for i in 0..N_DIPLOMACY {
            let id = Card::diplomacy(i as u8).short_id();
            let troops = &self.config.diplomacy[id];
            self.diplomacy[i] =
                [troops.infantry, troops.cavalry, troops.catapult, troops.galley].map(|n| n as u8);
            if i != usize::from(PIRATES) {
                self.diplomacy_province[i] = Some(self.province(id));
            }
        }
        let mut sites = 0;
        for i in 0..N_CITY_CARDS {
            for id in Card::city(i as u8).short_id().split('-') {
                let p = self.province(id);
                self.city_in[i].insert(p);
                self.city_site[p.idx()].get_or_insert_with(|| {
                    sites += 1;
                    Site::new(sites - 1)
                });
            }
        }
    }
}

fn pool(config: &Config) -> [u8; N_UNITS] {
    let p = &config.pools;
    [p.infantry, p.cavalry, p.catapult, p.galley, p.general].map(|n| n as u8)
}

fn price(config: &Config) -> [u16; N_UNITS] {
    let p = &config.prices;
    [p.infantry, p.cavalry, p.catapult, p.galley, p.general].map(|n| n as u16)
}

fn start_units(config: &Config) -> [u8; N_UNITS] {
    let s = &config.start;
    [s.infantry, s.cavalry, s.catapult, s.galley, s.general].map(|n| n as u8)
}

fn merchants(config: &Config) -> [u16; N_MERCHANTS] {
    let m = &config.merchant;
    [m.egypt, m.sicilia, m.hispania, m.italia, m.achaia, m.asia].map(|n| n as u16)
}

fn rewards(config: &Config) -> [Reward; N_BARBARIANS] {
    let b = &config.barbarians;
    [&b.moesia, &b.dacia, &b.armenia, &b.pannonia, &b.germania, &b.britannia].map(|r| Reward {
        infantry: r.infantry as u8,
        cavalry: r.cavalry as u8,
        talents: r.talents as u16,
        vp: r.vp as i16,
    })
}
