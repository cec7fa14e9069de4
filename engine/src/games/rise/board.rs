//! Tables built from the configuration for look-ups of the rules.

use super::config::{Config, EffectData, Face, RegionData};
use super::things::{
    City, CitySet, Empire, Good, Goods, MAX_CIRCLES, N_CITIES, N_EMPIRES, N_ERAS, N_FREE,
    N_PROGRESS, N_REGIONS, N_TERRITORIES, N_TURNS, Progress, ProgressSet, Region, RegionSet, Row,
    Territory, TradeBox,
};
use super::treated::Outside;

pub use super::facts::{
    Act, BattleLine, BoxFacts, CityFacts, FaceFacts, FreeAction, PerRegion, ProgressFacts,
    RegionFacts, Source, TerritoryFacts,
};

/// Progress tiles by effect.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByEffect {
    /// Tiles that stay on small displays.
    pub(super) red: ProgressSet,
    /// Water on every empire tile.
    pub(super) navigation: ProgressSet,
    /// Additional areas and losses on own empire tiles.
    pub(super) empires: ProgressSet,
    /// Fewer losses as defender.
    pub(super) defence: ProgressSet,
    /// Gold off city tiles.
    pub(super) cities: ProgressSet,
    /// Goods with trade actions.
    pub(super) trade: ProgressSet,
    /// Free actions.
    pub(super) free: ProgressSet,
    /// An effect in the upkeep of 12, 13 or 14.
    pub(super) upkeep: ProgressSet,
    /// An effect other than goods in 12 and 13.
    pub(super) beyond_goods: ProgressSet,
}

/// The events of each turn.
#[derive(Clone, Debug)]
struct Calendar {
    /// City tiles that come.
    cities: [CitySet; N_TURNS],
    /// True if discs are placed.
    places: [bool; N_TURNS],
    /// True if territory tiles come.
    territory: [bool; N_TURNS],
    /// True if an era ends.
    ends_era: [bool; N_TURNS],
}

/// All tables.
#[derive(Clone, Debug)]
pub struct Board {
    pub(super) config: Config,
    pub(super) n_players: usize,
    /// Regions in file order.
    pub regions: Vec<RegionFacts>,
    /// Regions of the Old World.
    pub old_world: RegionSet,
    /// Regions of the Old World that need water.
    pub sea: RegionSet,
    /// Regions of each zone.
    pub zones: [RegionSet; 2],
    /// Regions with a symbol that gives goods.
    pub(super) with_symbol: RegionSet,
    /// Regions of the Old World by the era in which they open.
    pub(super) old_world_by_era: [RegionSet; N_ERAS],
    /// Types of progress tiles in file order.
    pub progress: Vec<ProgressFacts>,
    /// Types of progress tiles by era.
    pub progress_by_era: [ProgressSet; N_ERAS],
    /// Types of progress tiles by effect.
    pub(super) with: ByEffect,
    /// Free actions in file order of their tiles.
    pub free: Vec<FreeAction>,
    /// Choices with food among their goods, in the order in which they are made, and those without.
    pub choices: [Vec<Source>; 2],
    /// Types of territory tiles in file order.
    pub territories: Vec<TerritoryFacts>,
    /// City tiles in file order.
    pub cities: Vec<CityFacts>,
    /// City tiles that need food.
    pub(super) hungry: CitySet,
    /// City tiles that cost discs every turn.
    pub(super) costly: CitySet,
    /// Boxes of the trade track.
    pub boxes: Vec<BoxFacts>,
    pub(super) boxes_by_era: [super::things::BoxSet; N_ERAS],
    /// Empire tiles: front and back.
    pub(super) faces: Vec<[FaceFacts; 2]>,
    /// Circles of each row that can be used.
    pub circles: [u8; Row::COUNT],
    pub(super) keeps_all_leftovers: bool,
    /// The events of each turn.
    calendar: Calendar,
    pub(super) outside: Outside,
}

fn name(id: &str) -> String {
    id.replace('_', "-")
}

fn set_of<T: crate::bits::Numbered>(
    n: usize,
    is_in: impl Fn(usize) -> bool,
) -> crate::bits::Set<T> {
    (0..n).filter(|&i| is_in(i)).map(|i| T::of(i as u8)).collect()
}

impl Board {
    /// Returns the tables of a checked configuration.
    pub(super) fn new(config: Config, n_players: usize, outside: Outside) -> Self {
        let n_entries = (config.region.len(), config.empire.len(), config.city.len());
        assert_eq!(n_entries, (N_REGIONS, N_EMPIRES, N_CITIES), "entries cannot be added");
        let n_entries = (config.progress.len(), config.territory.len());
        assert_eq!(n_entries, (N_PROGRESS, N_TERRITORIES), "entries cannot be added");
        let regions: Vec<&RegionData> = config.region.iter().collect();
        let in_zone = |zone: &str| set_of(N_REGIONS, |i| regions[i].zone == zone);
        let zones = [0, 1].map(|zone| in_zone(&config.map_rules.zones[zone]));
        let old_world: RegionSet =
            set_of(N_REGIONS, |i| !config.map_rules.zones.contains(&regions[i].zone));
        let sea = old_world & set_of(N_REGIONS, |i| regions[i].sea);
        let facts: Vec<RegionFacts> = regions.iter().map(|one| of_region(one, &regions)).collect();
        let old_world_by_era =
            [1, 2, 3].map(|era| old_world & set_of(N_REGIONS, |i| regions[i].era <= era));
        let index = |id: &str| {
            let at = config.territory.iter().position(|tile| tile.id == id);
            Territory::new(at.expect("a name of the data") as u8)
        };
        let progress: Vec<ProgressFacts> =
            config.progress.iter().map(|tile| of_progress(tile, &index)).collect();
        let free = free_actions(&config);
        let choices = choices(&config, &index);
        let with = ByEffect::of(&config, &progress, &free);
        let cities: Vec<CityFacts> = config.city.iter().map(of_city).collect();
        let columns = config.action_display.columns_by_players[&n_players.to_string()];
        let printed = config.action_display.circles.by_row();
        assert!(columns as usize <= MAX_CIRCLES, "it was checked");
        Self {
            n_players,
            with_symbol: set_of(N_REGIONS, |i| facts[i].symbol != Goods::default()),
            old_world,
            sea,
            zones,
            old_world_by_era,
            progress_by_era: [1, 2, 3].map(|era| set_of(N_PROGRESS, |i| progress[i].era == era)),
            with,
            free,
            choices,
            territories: config.territory.iter().map(of_territory).collect(),
            hungry: set_of(N_CITIES, |i| cities[i].income[Good::Food] < 0),
            costly: set_of(N_CITIES, |i| cities[i].resource > 0),
            cities,
            boxes: config.trade.iter().map(of_box).collect(),
            boxes_by_era: [1, 2, 3]
                .map(|era| set_of(config.trade.len(), |i| config.trade[i].eras.contains(&era))),
            faces: config.empire.iter().map(|t| [of_face(&t.front), of_face(&t.back)]).collect(),
            circles: printed.map(|circles| circles.min(columns)),
            keeps_all_leftovers: config.display.leftovers_by_players[&n_players.to_string()]
                == "all",
            calendar: Calendar::of(&config),
            regions: facts,
            progress,
            outside,
            config,
        }
    }

    /// Returns the city tiles that come in a turn.
    #[inline]
    #[must_use]
    pub fn cities_of(&self, turn: u8) -> CitySet {
        self.calendar.cities[usize::from(turn)]
    }

    /// Returns whether territory tiles come in a turn.
    #[inline]
    #[must_use]
    pub fn has_territory(&self, turn: u8) -> bool {
        self.calendar.territory[usize::from(turn)]
    }

    /// Returns whether an era ends with a turn.
    #[inline]
    #[must_use]
    pub fn ends_era(&self, turn: u8) -> bool {
        self.calendar.ends_era[usize::from(turn)]
    }

    /// Returns the era of a turn, from 0.
    #[inline]
    #[must_use]
    pub fn era(&self, turn: u8) -> usize {
        usize::from(self.config.meta.era_of_turn[usize::from(turn)]) - 1
    }

    /// Returns whether discs are placed in a turn; otherwise, they are taken back.
    #[inline]
    #[must_use]
    pub fn places_discs(&self, turn: u8) -> bool {
        self.calendar.places[usize::from(turn)]
    }

    /// Returns the number of actions of a player in a turn.
    #[must_use]
    pub const fn actions_per_turn(&self) -> u8 {
        self.config.stock.actions_per_turn
    }

    /// Returns the progress tiles that show water on every empire tile.
    #[must_use]
    pub const fn navigation(&self) -> ProgressSet {
        self.with.navigation
    }

    /// Returns the progress tiles with an effect other than goods in the upkeep of a turn.
    #[must_use]
    pub const fn beyond_goods(&self) -> ProgressSet {
        self.with.beyond_goods
    }

    /// Returns the era in which a region of the Old World opens, from 1, or `None` for regions of the zones.
    #[must_use]
    pub fn era_of(&self, region: Region) -> Option<usize> {
        self.old_world_by_era.iter().position(|open| open.contains(region)).map(|era| era + 1)
    }

    /// Returns the face of an empire tile that is up in an era, from 0.
    #[inline]
    #[must_use]
    pub fn face(&self, tile: Empire, era: usize) -> &FaceFacts {
        &self.faces[tile.idx()][usize::from(era > 0)]
    }

    /// Returns the facts of a region.
    #[inline]
    #[must_use]
    pub fn region(&self, region: Region) -> &RegionFacts {
        &self.regions[region.idx()]
    }

    /// Returns the facts of a type of progress tiles.
    #[inline]
    #[must_use]
    pub fn tile(&self, tile: Progress) -> &ProgressFacts {
        &self.progress[tile.idx()]
    }

    /// Returns the facts of a city tile.
    #[inline]
    #[must_use]
    pub fn city(&self, city: City) -> &CityFacts {
        &self.cities[city.idx()]
    }

    /// Returns the facts of a box of the trade track.
    #[inline]
    #[must_use]
    pub fn trade_box(&self, number: TradeBox) -> &BoxFacts {
        &self.boxes[number.idx()]
    }

    /// Returns the gold that a type of progress tiles costs in an era, from 0 (6.1).
    #[inline]
    #[must_use]
    pub fn progress_price(&self, tile: Progress, era: usize) -> i32 {
        let eras_old = (era + 1).saturating_sub(usize::from(self.tile(tile).era));
        self.config.costs.progress_gold_by_eras_old[eras_old]
    }
}

impl ByEffect {
    fn of(config: &Config, progress: &[ProgressFacts], free: &[FreeAction]) -> Self {
        let with = |is_in: &dyn Fn(&ProgressFacts) -> bool| -> ProgressSet {
            set_of(N_PROGRESS, |i| is_in(&progress[i]))
        };
        let mut by_effect = Self {
            red: set_of(N_PROGRESS, |i| config.progress[i].red),
            navigation: set_of(N_PROGRESS, |i| {
                matches!(config.progress[i].effect, EffectData::Navigation)
            }),
            empires: with(&|t| (t.extra_areas, t.defender_loss, t.attacker_loss) != (0, 0, 0)),
            defence: with(&|tile| tile.loss_reduction != 0),
            cities: with(&|tile| tile.discount != [0, 0]),
            trade: with(&|tile| tile.trade_bonus != Goods::default()),
            free: free.iter().map(|action| action.tile).collect(),
            upkeep: with(&|tile| {
                let gives = tile.gain != Goods::default() || tile.per_tile.is_some();
                gives || tile.per_region.is_some()
            }),
            beyond_goods: with(&|tile| tile.per_region.is_some()),
        };
        let e = &mut by_effect;
        e.beyond_goods |= e.navigation | e.empires | e.defence | e.cities | e.trade | e.free;
        by_effect
    }
}

impl Calendar {
    fn of(config: &Config) -> Self {
        let turns = &config.meta.turns;
        let in_list = |list: &[String]| std::array::from_fn(|turn| list.contains(&turns[turn]));
        Self {
            cities: std::array::from_fn(|turn| {
                set_of(N_CITIES, |i| config.city[i].slot == turns[turn])
            }),
            places: std::array::from_fn(|turn| config.meta.discs_of_turn[turn] == "place"),
            territory: in_list(&config.display.territory_turns),
            ends_era: in_list(&config.phases.era_end_after),
        }
    }
}

fn of_progress(
    tile: &super::config::ProgressData,
    index: &dyn Fn(&str) -> Territory,
) -> ProgressFacts {
    ProgressFacts {
        id: name(&tile.id),
        era: tile.era as u8,
        count: tile.count as u8,
        ..of_effect(&tile.effect, index)
    }
}

fn of_effect(effect: &EffectData, index: &dyn Fn(&str) -> Territory) -> ProgressFacts {
    let mut tile = ProgressFacts::default();
    match effect {
        EffectData::Income { gain } => tile.gain = *gain,
        EffectData::PerTile { tile: of, gain, choice, .. } => {
            tile.per_tile = choice.is_empty().then(|| (index(of), *gain));
        }
        EffectData::PerRegion { vp, condition, max } => {
            let is_control = condition == "controlled";
            tile.per_region = Some(PerRegion { vp: *vp, is_control, most: *max });
        }
        EffectData::Empire { extra_areas, defender_loss, attacker_loss } => {
            tile.extra_areas = *extra_areas;
            (tile.defender_loss, tile.attacker_loss) = (*defender_loss, *attacker_loss);
        }
        EffectData::Defence { loss_reduction } => tile.loss_reduction = *loss_reduction,
        EffectData::TradeBonus { gain } => tile.trade_bonus = *gain,
        EffectData::CityDiscount { gold, of } => {
            let off = |kind: &str| if of.iter().any(|k| k == kind) { *gold } else { 0 };
            tile.discount = [off("city"), off("wonder")];
        }
        EffectData::Navigation | EffectData::FreeAction { .. } => {}
    }
    tile
}

fn free_actions(config: &Config) -> Vec<FreeAction> {
    let of_tile = |(i, tile): (usize, &super::config::ProgressData)| {
        let EffectData::FreeAction { cost, act, cubes, water, gain } = &tile.effect else {
            return None;
        };
        let act = match act.as_str() {
            "place" => Act::Place { cubes: *cubes as u8, water: *water },
            "alliance" => Act::Alliance,
            _ => Act::Gain(*gain),
        };
        Some(FreeAction { tile: Progress::new(i as u8), cost: *cost, act })
    };
    let free: Vec<FreeAction> = config.progress.iter().enumerate().filter_map(of_tile).collect();
    assert_eq!(free.len(), N_FREE, "kinds of effects cannot be changed");
    free
}

/// Returns the choices with food and without; territory tiles come before progress tiles (12.2, 13.1).
fn choices(config: &Config, index: &dyn Fn(&str) -> Territory) -> [Vec<Source>; 2] {
    let mut all = Vec::new();
    for (i, tile) in config.territory.iter().enumerate() {
        let kinds = tile.choice.clone();
        all.push(Source { of: None, tile: Territory::new(i as u8), amount: 1, kinds });
    }
    for (i, tile) in config.progress.iter().enumerate() {
        if let EffectData::PerTile { tile, choice, amount, .. } = &tile.effect {
            let (of, kinds) = (Some(Progress::new(i as u8)), choice.clone());
            all.push(Source { of, tile: index(tile), amount: *amount, kinds });
        }
    }
    all.retain(|source| !source.kinds.is_empty());
    let (with, without) = all.into_iter().partition(|source| source.kinds.contains(&Good::Food));
    [with, without]
}

fn of_territory(tile: &super::config::TerritoryData) -> TerritoryFacts {
    TerritoryFacts { id: name(&tile.id), count: tile.count as u8, income: tile.income }
}

fn of_region(region: &RegionData, all: &[&RegionData]) -> RegionFacts {
    RegionFacts {
        id: name(&region.id),
        vp: [region.vp[0], region.vp[1]],
        symbol: region.symbol,
        neighbours: set_of(N_REGIONS, |i| region.adjacent.contains(&all[i].id)),
    }
}

fn of_city(city: &super::config::CityData) -> CityFacts {
    let is_wonder = city.kind == "wonder";
    let mut income = city.income;
    income[Good::Vp] = city.vp;
    if !is_wonder {
        income[Good::Food] = city.food;
    }
    let resource = if is_wonder { 0 } else { city.resource as u8 };
    CityFacts { id: name(&city.id), is_wonder, gold: city.gold, resource, income }
}

fn of_box(tile: &super::config::TradeData) -> BoxFacts {
    let mut gain = Goods::default();
    (gain[Good::Gold], gain[Good::Vp]) = (tile.gold, tile.vp);
    BoxFacts { discs: tile.discs as u8, gain }
}

fn of_face(face: &Face) -> FaceFacts {
    let line = |line: &Vec<i32>| BattleLine { attacker: line[0], defender: line[1] };
    FaceFacts {
        areas: face.areas,
        water: face.water,
        lines: face.battles.iter().map(line).collect(),
    }
}
