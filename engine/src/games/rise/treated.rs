//! Treatments of a game, and sweeps of its rules. Treatments are gifts at the start of a turn, banned tiles, missing
//! tiles, and forced turn orders.

use serde_json::Value as Json;

use super::Rise;
use super::state::{State, Tiles};
use super::things::{
    City, CitySet, Good, Goods, MAX_SEATS, N_CITIES, N_PROGRESS, N_TERRITORIES, N_TURNS, Progress,
    Region, Row, Territory,
};
use crate::player::Player;
use crate::rules::{BadRules, Rules};
use crate::treatment::{Amount, Kind, Names, Step, Sweep, Treated, Treatment};

const GIFT: Step = Step::Word("gift");
const BAN: Step = Step::Word("ban");
const PROGRESS: Step = Step::Name(Names::IdsOf("progress"));
const TERRITORY: Step = Step::Name(Names::IdsOf("territory"));
const CITY: Step = Step::Name(Names::IdsOf("city"));
const ONLY_CITY: Step = Step::Name(Names::IdsWith("city", "income"));
const EMPIRE: Step = Step::Name(Names::IdsOf("empire"));
const REGION: Step = Step::Name(Names::IdsOf("region"));
const BOX: Step = Step::Name(Names::IdsOf("trade"));

const fn gift(
    id: &'static str,
    key: &'static [Step],
    amount: Amount,
    meaning: &'static str,
) -> Treatment {
    Treatment { id, kind: Kind::Gift, key, amount, meaning }
}

const fn ban(id: &'static str, key: &'static [Step], meaning: &'static str) -> Treatment {
    Treatment { id, kind: Kind::Ban, key, amount: Amount::Switch, meaning }
}

const fn some(least: i64, most: i64, unit: &'static str) -> Amount {
    Amount::Number { least, most, unit }
}

/// Largest number of actions that can be taken from a seat in a turn.
const MOST_RESTS: i64 = 6;

/// All treatments of rise.
pub(super) const TREATMENTS: &[Treatment] = &[
    gift(
        "gift.vp",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("vp")],
        some(-1000, 1000, "victory points"),
        "they have so many victory points more, or fewer",
    ),
    gift(
        "gift.gold",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("gold")],
        some(-1000, 1000, "gold"),
        "they have so much gold more, or less, down to none",
    ),
    gift(
        "gift.resource",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("resource")],
        some(-255, 255, "resource discs"),
        "they have so many discs more, as far as the supply goes, or fewer, down to none",
    ),
    gift(
        "gift.food",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("food")],
        some(-1000, 1000, "food"),
        "their marker stands so much further, up to the ends of the track",
    ),
    gift(
        "gift.cubes",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("cubes")],
        some(-255, 255, "cubes"),
        "so many cubes go from their general stock to their pool, or back, as far as they are there",
    ),
    gift(
        "gift.actions",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("actions")],
        some(-MOST_RESTS, -1, "actions"),
        "so many of their actions lapse, the first of the turn; what discs of theirs that leaves on the display goes home at the end of a turn that takes discs back",
    ),
    gift(
        "gift.progress",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("progress"), PROGRESS],
        Amount::Switch,
        "they have the tile, which comes from outside",
    ),
    gift(
        "gift.territory",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("territory"), TERRITORY],
        some(1, 50, "tiles"),
        "they have so many tiles more, which come from outside",
    ),
    gift(
        "gift.city",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("city"), ONLY_CITY],
        Amount::Switch,
        "they have the city, which comes from outside; they cannot take the other one as long as they have it",
    ),
    gift(
        "gift.region",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("region"), REGION],
        some(1, 50, "cubes"),
        "so many cubes go from their general stock into the region, as far as they are there; refused before the region opens",
    ),
    ban(
        "ban.progress",
        &[BAN, Step::StageOrAlways, Step::Seat, Step::Word("progress"), PROGRESS],
        "they cannot take the tile",
    ),
    ban(
        "ban.territory",
        &[BAN, Step::StageOrAlways, Step::Seat, Step::Word("territory"), TERRITORY],
        "they cannot take the tile",
    ),
    ban(
        "ban.city",
        &[BAN, Step::StageOrAlways, Step::Seat, Step::Word("city"), CITY],
        "they cannot take the city or wonder",
    ),
    ban(
        "ban.empire",
        &[BAN, Step::StageOrAlways, Step::Seat, Step::Word("empire"), EMPIRE],
        "they cannot take the tile",
    ),
    ban(
        "ban.trade",
        &[BAN, Step::StageOrAlways, Step::Seat, Step::Word("trade"), BOX],
        "they cannot trade in the box",
    ),
    ban(
        "ban.game.progress",
        &[BAN, Step::Word("game"), Step::Word("progress"), PROGRESS],
        "no such tile is in the game",
    ),
    ban(
        "ban.game.territory",
        &[BAN, Step::Word("game"), Step::Word("territory"), TERRITORY],
        "no such tile is in the game",
    ),
    ban(
        "ban.game.city",
        &[BAN, Step::Word("game"), Step::Word("city"), CITY],
        "the tile is not in the game",
    ),
    Treatment {
        id: "forced.order",
        kind: Kind::Forced,
        key: &[Step::Word("forced"), Step::Stage, Step::Word("order")],
        amount: Amount::Order,
        meaning: "the turn order of this turn, whatever was drawn or chosen",
    },
];

const fn sweep(
    id: &'static str,
    key: &'static [Step],
    element: Option<usize>,
    least: i64,
    most: i64,
    unit: &'static str,
) -> Sweep {
    Sweep { id, key, element, least, most, unit }
}

/// All sweeps of the rules.
pub(super) const SWEEPS: &[Sweep] = &[
    sweep(
        "region.first",
        &[Step::Word("region"), REGION, Step::Word("vp")],
        Some(0),
        0,
        100,
        "points",
    ),
    sweep(
        "region.second",
        &[Step::Word("region"), REGION, Step::Word("vp")],
        Some(1),
        0,
        100,
        "points",
    ),
    sweep("city.gold", &[Step::Word("city"), CITY, Step::Word("gold")], None, 0, 100, "gold"),
    sweep("city.vp", &[Step::Word("city"), CITY, Step::Word("vp")], None, 0, 100, "points"),
    sweep(
        "progress.count",
        &[Step::Word("progress"), PROGRESS, Step::Word("count")],
        None,
        0,
        100,
        "tiles",
    ),
    sweep(
        "territory.count",
        &[Step::Word("territory"), TERRITORY, Step::Word("count")],
        None,
        0,
        100,
        "tiles",
    ),
    sweep("trade.discs", &[Step::Word("trade"), BOX, Step::Word("discs")], None, 0, 100, "discs"),
    sweep(
        "progress.price.era-before",
        &[Step::Word("costs"), Step::Word("progress_gold_by_eras_old")],
        Some(1),
        0,
        100,
        "gold",
    ),
    sweep(
        "progress.price.two-eras-before",
        &[Step::Word("costs"), Step::Word("progress_gold_by_eras_old")],
        Some(2),
        0,
        100,
        "gold",
    ),
    sweep(
        "disc.price",
        &[Step::Word("action_display"), Step::Word("b_turn_cost_per_disc_to_the_left")],
        None,
        0,
        23,
        "units a disc",
    ),
    sweep(
        "disc.before",
        &[Step::Word("action_display"), Step::Word("b_turn_pay_before_action")],
        None,
        0,
        1,
        "",
    ),
    sweep(
        "food.final",
        &[Step::Word("food_track"), Step::Word("final_turn_multiplier")],
        None,
        0,
        100,
        "times",
    ),
    sweep(
        "decline",
        &[Step::Word("costs"), Step::Word("decline_divisor")],
        None,
        1,
        255,
        "to divide cubes by",
    ),
    sweep(
        "second-place-of-two",
        &[Step::Word("map_rules"), Step::Word("second_place_in_2p_game")],
        None,
        0,
        1,
        "",
    ),
    sweep(
        "water-to-reinforce",
        &[Step::Word("map_rules"), Step::Word("reinforce_without_water")],
        None,
        0,
        1,
        "",
    ),
    sweep(
        "zones-in-an-action",
        &[Step::Word("map_rules"), Step::Word("zones_per_action")],
        None,
        0,
        100,
        "zones",
    ),
    sweep(
        "discs-on-trade",
        &[Step::Word("stock"), Step::Word("resource_discs_on_trade_track_are_in_supply")],
        None,
        0,
        1,
        "",
    ),
];

/// A gift to a seat at the start of a turn.
#[derive(Clone, Copy, Debug)]
enum Gift {
    Goods(Goods),
    Progress(Progress),
    Territory(Territory, u8),
    City(City),
    Cubes(Region, u8),
}

/// The treatments of the game being played.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside {
    gifts: Vec<(u8, usize, Gift)>,
    /// The objects that cannot be taken, by turn, seat and row.
    bans: Option<Box<[[[u64; Row::COUNT]; MAX_SEATS]; N_TURNS]>>,
    no_progress: Vec<Progress>,
    no_territory: Vec<Territory>,
    no_cities: CitySet,
    orders: Vec<(u8, [Option<Player>; MAX_SEATS])>,
    /// Number of actions that lapse, by turn and seat.
    rests: [[u8; MAX_SEATS]; N_TURNS],
}

impl Outside {
    /// Returns how many tiles of a type come from outside.
    pub(super) fn territories(&self, tile: Territory) -> u32 {
        let given = self.gifts.iter().map(|&(_, _, gift)| match gift {
            Gift::Territory(given, n) if given == tile => n.into(),
            _ => 0,
        });
        given.sum()
    }
}

fn index(rules: &Rules, list: &str, name: &str) -> u8 {
    let ids = Names::IdsOf(match list {
        "progress" => "progress",
        "territory" => "territory",
        "city" => "city",
        "empire" => "empire",
        "region" => "region",
        _ => "trade",
    });
    let all = ids.all(&rules.to_json());
    all.iter().position(|id| id == name).expect("a name of the rules") as u8
}

/// Returns whether any player can enter a region in a turn, from 0 (9.2).
fn is_open(rules: &Rules, region: u8, turn: u8) -> bool {
    let rules = rules.to_json();
    let number = |value: &Json| value.as_i64().unwrap_or_default();
    let map = &rules["map_rules"];
    let facts = &rules["region"][usize::from(region)];
    let zones = map["zones"].as_array();
    let is_in_zone = zones.is_some_and(|zones| zones.contains(&facts["zone"]));
    let from = if is_in_zone { &map["zones_open_from_era"] } else { &facts["era"] };
    number(&rules["meta"]["era_of_turn"][usize::from(turn)]) >= number(from)
}

impl Outside {
    /// Reads the treatments of `rules`.
    pub(super) fn read(rules: &Rules, n_players: usize) -> Result<Self, BadRules> {
        let mut outside = Self::default();
        for treated in rules.treated(n_players)? {
            outside.add(rules, &treated)?;
        }
        // Cubes in regions take the rest of the general stock.
        outside.gifts.sort_by_key(|(.., gift)| matches!(gift, Gift::Cubes(..)));
        Ok(outside)
    }

    fn add(&mut self, rules: &Rules, treated: &Treated) -> Result<(), BadRules> {
        let what = treated.treatment.id.rsplit('.').next().expect("a word");
        let at = treated.name.as_ref().map_or(0, |name| index(rules, what, name));
        let turn = treated.stage.map(|stage| stage - 1);
        if let Some(turn) = turn.filter(|&turn| usize::from(turn) >= N_TURNS) {
            let message = format_args!("there are {N_TURNS} turns, and no {}", turn + 1);
            return Err(rules.bad(&treated.key, message));
        }
        match treated.treatment.kind {
            Kind::Gift => {
                let (turn, seat) = (turn.expect("a turn"), treated.seat.expect("a seat").idx());
                if what == "actions" {
                    self.rests[usize::from(turn)][seat] = treated.number().unsigned_abs() as u8;
                    return Ok(());
                }
                if what == "region" && !is_open(rules, at, turn) {
                    let name = treated.name.as_deref().unwrap_or_default();
                    let message = format_args!("{name} is not open yet in turn {}", turn + 1);
                    return Err(rules.bad(&treated.key, message));
                }
                self.gifts.push((turn, seat, gift_of(what, at, treated.number())));
            }
            Kind::Ban => match treated.seat {
                Some(seat) => self.ban(turn, seat.idx(), what, at),
                None if what == "progress" => self.no_progress.push(Progress::new(at)),
                None if what == "territory" => self.no_territory.push(Territory::new(at)),
                None => self.no_cities.insert(City::new(at)),
            },
            Kind::Forced | Kind::Null | Kind::Start => {
                let mut order = [None; MAX_SEATS];
                for (place, seat) in order.iter_mut().zip(treated.numbers()) {
                    *place = Some(Player::of(seat as u8));
                }
                self.orders.push((turn.expect("a turn"), order));
            }
        }
        Ok(())
    }

    fn ban(&mut self, turn: Option<u8>, seat: usize, what: &str, at: u8) {
        let row = Row::ALL.into_iter().find(|row| row.id() == what).expect("a row");
        let bans = self.bans.get_or_insert_default();
        for (i, bans) in bans.iter_mut().enumerate() {
            if turn.is_none_or(|turn| usize::from(turn) == i) {
                bans[seat][row as usize] |= 1 << at;
            }
        }
    }

    /// Returns the objects that a seat cannot take in a row.
    #[inline]
    pub(super) fn banned(&self, turn: u8, seat: usize, row: Row) -> u64 {
        self.bans.as_ref().map_or(0, |bans| bans[usize::from(turn)][seat][row as usize])
    }

    /// Returns whether a treatment takes this action from a seat.
    #[inline]
    pub(super) fn rests(&self, turn: u8, seat: usize, round: u8) -> bool {
        round < self.rests[usize::from(turn)][seat]
    }

    /// Removes tiles that are not in the game from the stacks.
    pub(super) fn take_out(&self, stacks: &mut Tiles) {
        debug_assert!(
            stacks.progress.len() == N_PROGRESS && stacks.territory.len() == N_TERRITORIES
        );
        self.no_progress.iter().for_each(|tile| stacks.progress[tile.idx()] = 0);
        self.no_territory.iter().for_each(|tile| stacks.territory[tile.idx()] = 0);
    }

    /// Returns the city tiles that are not in the game.
    pub(super) const fn cities_out(&self) -> CitySet {
        self.no_cities
    }

    /// Returns whether gifts add tiles to those of the game.
    #[cfg(feature = "data")]
    pub(super) fn gives_tiles(&self) -> bool {
        let is_tile =
            |gift: &Gift| matches!(gift, Gift::Progress(_) | Gift::Territory(..) | Gift::City(_));
        self.gifts.iter().any(|(.., gift)| is_tile(gift))
    }

    /// Gives the gifts at the start of a turn.
    pub(super) fn give(&self, game: &Rise, s: &mut State) {
        let now = s.turn;
        for &(_, order) in self.orders.iter().filter(|(turn, _)| *turn == now) {
            s.order = order;
        }
        for &(_, seat, gift) in self.gifts.iter().filter(|(turn, ..)| *turn == now) {
            match gift {
                Gift::Goods(goods) => give_goods(game, s, seat, goods),
                Gift::Progress(tile) => s.progress[seat].insert(tile),
                Gift::Territory(tile, n) => {
                    let own = &mut s.territory[seat][tile.idx()];
                    *own = own.saturating_add(n);
                }
                Gift::City(city) => s.cities[seat].insert(city),
                Gift::Cubes(region, n) => {
                    let cubes = n.min(s.stock[seat]);
                    s.stock[seat] -= cubes;
                    s.map[region.idx()][seat] += cubes;
                }
            }
        }
    }
}

fn gift_of(what: &str, at: u8, number: i64) -> Gift {
    if let Some(good) = Good::ALL.into_iter().find(|good| good.id() == what) {
        let mut goods = Goods::default();
        goods[good] = number as i32;
        return Gift::Goods(goods);
    }
    match what {
        "progress" => Gift::Progress(Progress::new(at)),
        "territory" => Gift::Territory(Territory::new(at), number as u8),
        "region" => Gift::Cubes(Region::new(at), number as u8),
        _ => {
            debug_assert!(usize::from(at) < N_CITIES);
            Gift::City(City::new(at))
        }
    }
}

fn give_goods(game: &Rise, s: &mut State, seat: usize, goods: Goods) {
    let track = &game.board.config.food_track;
    s.vp[seat] += goods[Good::Vp];
    s.gold[seat] = (s.gold[seat] + goods[Good::Gold]).max(0);
    let food = i32::from(s.food[seat]) + goods[Good::Food];
    s.food[seat] = food.clamp(track.min, track.max) as i16;
    let discs = goods[Good::Resource].clamp(-i32::from(s.resource[seat]), game.supply(s));
    s.resource[seat] = (i32::from(s.resource[seat]) + discs) as u8;
    let cubes = goods[Good::Cubes].clamp(-i32::from(s.pool[seat]), s.stock[seat].into());
    s.pool[seat] = (i32::from(s.pool[seat]) + cubes) as u8;
    s.stock[seat] = (i32::from(s.stock[seat]) - cubes) as u8;
}
