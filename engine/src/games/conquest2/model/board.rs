//! The map and all tables as the rules use them: masks and small arrays, built once from the configuration.

use crate::games::conquest2::model::cards::{
    BARBARIANS, CARD_IDS, CITY, DIPLOMACY, FLEET, MERCHANT, N_BARBARIANS, N_CARDS, N_CITY_CARDS,
    N_DIPLOMACY, N_MERCHANTS, short_id,
};
use crate::games::conquest2::model::config::Config;
use crate::games::conquest2::model::units::{N_MILITARY, N_UNITS};
use crate::player::MAX_PLAYERS;

/// Provinces of the board; a configuration changes them but adds none.
pub const N_PROVINCES: usize = 42;
/// Sea zones of the board.
pub const N_ZONES: usize = 18;
/// Key provinces at most.
pub const MAX_KEYS: usize = 12;
/// Sea zones beside one province at most.
pub(crate) const MAX_COAST: usize = 6;
/// Provinces in which a city can be built, at most.
pub(crate) const N_CITY_SITES: u8 = 12;
/// No place, no player.
pub const NONE: u8 = u8::MAX;

/// A set of provinces, or of sea zones, as bits.
pub type Places = u64;

/// Faces of the battle die that matter: the four military units, then blank.
pub(crate) const N_FACES: usize = 5;

/// The members of `places` from low to high.
pub fn each(mut places: Places) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (places != 0).then(|| {
            let place = places.trailing_zeros() as u8;
            places &= places - 1;
            place
        })
    })
}

/// An open strait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strait {
    pub(crate) ends: [u8; 2],
    pub(crate) zone: u8,
}

/// What a Barbarians card brings.
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
    pub(crate) land: [Places; N_PROVINCES],
    /// Provinces that have a land neighbour.
    pub(crate) mainland: Places,
    /// Provinces beside a sea zone.
    pub(crate) coastal: Places,
    /// Sea zones beside a province, in board order.
    pub(crate) coast: [u32; N_PROVINCES],
    /// Provinces beside a sea zone.
    pub(crate) shore: [Places; N_ZONES],
    pub(crate) straits: Vec<Strait>,
    /// Provinces at the end of an open strait.
    pub(crate) strait_ends: Places,
    pub(crate) n_keys: usize,
    pub(crate) key_province: [u8; MAX_KEYS],
    pub(crate) key_of: [u8; N_PROVINCES],
    pub(crate) keys: Places,
    /// Victory points by key and rank.
    pub(crate) vp: [[i16; MAX_PLAYERS]; MAX_KEYS],
    pub(crate) tokens: [u8; MAX_KEYS],
    pub(crate) no_influence: [bool; MAX_KEYS],
    pub(crate) capital: u8,
    /// The capital, its land neighbours, and what lies across an open strait from one of those.
    pub(crate) environs: Places,
    pub(crate) legions_in: Places,
    pub(crate) card_count: [u8; N_CARDS],
    pub(crate) card_cost: [u16; N_CARDS],
    /// The die: how many of its faces show each unit, then blanks.
    pub(crate) face_weight: [u8; N_FACES],
    pub(crate) faces: Vec<u8>,
    /// Infantry, cavalry, catapult, galley, general.
    pub(crate) pool: [u8; N_UNITS],
    pub(crate) price: [u16; N_UNITS],
    pub(crate) start_units: [u8; N_UNITS],
    pub(crate) merchant_key: [u8; N_MERCHANTS],
    pub(crate) merchant_talents: [u16; N_MERCHANTS],
    pub(crate) diplomacy_province: [u8; N_DIPLOMACY],
    /// Troops of Diplomacy cards: infantry, cavalry, catapults, galleys.
    pub(crate) diplomacy: [[u8; N_MILITARY]; N_DIPLOMACY],
    pub(crate) fleet_zone: [u8; 2],
    pub(crate) city_in: [Places; N_CITY_CARDS],
    /// Provinces in which a city can be built, numbered as city sites.
    pub(crate) city_site: [u8; N_PROVINCES],
    pub(crate) barbarian_province: [u8; N_BARBARIANS],
    pub(crate) barbarian_reward: [Reward; N_BARBARIANS],
    pub(crate) config: Config,
}

impl Board {
    /// Builds the tables of a checked configuration.
    pub(crate) fn new(config: Config) -> Self {
        let province_ids: Vec<String> = config.province.iter().map(|p| p.id.clone()).collect();
        let zone_ids: Vec<String> = config.sea.iter().map(|z| z.id.clone()).collect();
        assert!(
            province_ids.len() == N_PROVINCES && zone_ids.len() == N_ZONES,
            "overlays add no places"
        );
        let province = |id: &str| index(&province_ids, id);
        let provinces = |ids: &[String]| ids.iter().fold(0, |set, id| set | 1u64 << province(id));
        let mut board = Self {
            land: std::array::from_fn(|p| provinces(&config.province[p].land)),
            mainland: 0,
            coastal: 0,
            coast: std::array::from_fn(|p| {
                config.province[p].sea.iter().fold(0, |set, id| set | 1u32 << index(&zone_ids, id))
            }),
            shore: std::array::from_fn(|z| provinces(&config.sea[z].coasts)),
            straits: Vec::new(),
            strait_ends: 0,
            n_keys: 0,
            key_province: [NONE; MAX_KEYS],
            key_of: [NONE; N_PROVINCES],
            keys: 0,
            vp: [[0; MAX_PLAYERS]; MAX_KEYS],
            tokens: [0; MAX_KEYS],
            no_influence: [false; MAX_KEYS],
            capital: province(&config.vote.capital),
            environs: 0,
            legions_in: provinces(&config.vote.new_legions_in),
            card_count: CARD_IDS.map(|id| config.cards[id].count as u8),
            card_cost: CARD_IDS.map(|id| config.cards[id].cost as u16),
            face_weight: [0; N_FACES],
            faces: config.die.faces.iter().map(|f| face(f)).collect(),
            pool: pool(&config),
            price: price(&config),
            start_units: start_units(&config),
            merchant_key: [NONE; N_MERCHANTS],
            merchant_talents: merchants(&config),
            diplomacy_province: [NONE; N_DIPLOMACY],
            diplomacy: [[0; N_MILITARY]; N_DIPLOMACY],
            fleet_zone: [0, 1].map(|i| index(&zone_ids, &format!("mare-{}", short_id(FLEET + i)))),
            city_in: [0; N_CITY_CARDS],
            city_site: [NONE; N_PROVINCES],
            barbarian_province: std::array::from_fn(|i| province(short_id(BARBARIANS + i as u8))),
            barbarian_reward: rewards(&config),
            config,
            province_ids,
            zone_ids,
        };
        board.add_keys();
        board.add_straits();
        board.add_cards();
        board
    }

    fn province(&self, id: &str) -> u8 {
        index(&self.province_ids, id)
    }

    fn add_keys(&mut self) {
        for (p, province) in self.config.province.iter().enumerate() {
            self.mainland |= u64::from(self.land[p] != 0) << p;
            self.coastal |= u64::from(self.coast[p] != 0) << p;
            if province.vp.is_empty() {
                continue;
            }
            let key = self.n_keys;
            self.key_province[key] = p as u8;
            self.key_of[p] = key as u8;
            self.keys |= 1 << p;
            province.vp.iter().enumerate().for_each(|(rank, &vp)| self.vp[key][rank] = vp as i16);
            self.tokens[key] = province.tokens as u8;
            self.no_influence[key] = self.config.start.no_influence.contains(&province.id);
            self.n_keys += 1;
        }
    }

    fn add_straits(&mut self) {
        for strait in self.config.strait.iter().filter(|s| s.open) {
            let ends = [0, 1].map(|i| self.province(&strait.between[i]));
            self.straits.push(Strait { ends, zone: index(&self.zone_ids, &strait.zone) });
            ends.iter().for_each(|&p| self.strait_ends |= 1 << p);
        }
        let beside = 1 << self.capital | self.land[usize::from(self.capital)];
        let ends = self.straits.iter().map(|s| 1 << s.ends[0] | 1 << s.ends[1]);
        self.environs = ends.filter(|ends| beside & ends != 0).fold(beside, |set, ends| set | ends);
    }

    fn add_cards(&mut self) {
        for &face in &self.faces {
            self.face_weight[face as usize] += 1;
        }
        for i in 0..N_MERCHANTS {
            let p = self.province(short_id(MERCHANT + i as u8));
            self.merchant_key[i] = self.key_of[p as usize];
        }
        for i in 0..N_DIPLOMACY {
            let id = short_id(DIPLOMACY + i as u8);
            let troops = &self.config.diplomacy[id];
            self.diplomacy[i] =
                [troops.infantry, troops.cavalry, troops.catapult, troops.galley].map(|n| n as u8);
            if id != "pirates" {
                self.diplomacy_province[i] = self.province(id);
            }
        }
        let mut sites = 0;
        for i in 0..N_CITY_CARDS {
            for id in short_id(CITY + i as u8).split('-') {
                let p = self.province(id);
                self.city_in[i] |= 1 << p;
                if self.city_site[p as usize] == NONE {
                    self.city_site[p as usize] = sites;
                    sites += 1;
                }
            }
        }
    }
}

fn index(ids: &[String], id: &str) -> u8 {
    ids.iter()
        .position(|i| i == id)
        .unwrap_or_else(|| panic!("a checked configuration has \"{id}\"")) as u8
}

fn face(name: &str) -> u8 {
    ["infantry", "cavalry", "catapult", "galley"].iter().position(|&f| f == name).unwrap_or(4) as u8
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
