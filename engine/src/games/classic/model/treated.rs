//! Treatments of a game, and sweeps of its rules.

use crate::games::classic::Classic;
use crate::games::classic::model::board::Board;
use crate::games::classic::model::gifts::{Gift, Given, Treatments};
use crate::games::classic::model::place::Place;
use crate::games::classic::model::state::State;
use crate::games::shared::map::index;
use crate::games::shared::units::Unit;
use crate::rules::{BadRules, Rules};
use crate::treatment::{Amount, Kind, Names, Step, Sweep, Treatment};

const GIFT: Step = Step::Word("gift");
const PROVINCE: Step = Step::Name(Names::IdsOf("province"));

const fn gift(
    id: &'static str,
    key: &'static [Step],
    amount: Amount,
    meaning: &'static str,
) -> Treatment {
    Treatment { id, kind: Kind::Gift, key, amount, meaning }
}

const fn units(id: &'static str, key: &'static [Step], unit: &'static str) -> Treatment {
    let meaning = "so many units of their pool, as far as it goes, appear where they recruit without limit, if that is theirs";
    gift(id, key, Amount::Number { least: 1, most: 31, unit }, meaning)
}

/// All treatments of classic; a stage is a round.
pub(crate) const TREATMENTS: &[Treatment] = &[
    gift(
        "gift.talents",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("talents")],
        Amount::Number { least: -1000, most: 1000, unit: "talents" },
        "they have so many talents more, or fewer, down to none",
    ),
    units("gift.infantry", &[GIFT, Step::Stage, Step::Seat, Step::Word("infantry")], "infantry"),
    units("gift.cavalry", &[GIFT, Step::Stage, Step::Seat, Step::Word("cavalry")], "cavalry"),
    units("gift.catapult", &[GIFT, Step::Stage, Step::Seat, Step::Word("catapult")], "catapults"),
    units("gift.galley", &[GIFT, Step::Stage, Step::Seat, Step::Word("galley")], "galleys"),
    gift(
        "gift.province",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("province"), PROVINCE],
        Amount::Switch,
        "the province becomes theirs, if it has no owner and no guard",
    ),
    gift(
        "gift.city",
        &[GIFT, Step::Stage, Step::Seat, Step::Word("city"), PROVINCE],
        Amount::Switch,
        "a city stands in the province, if it is theirs and has none, and the stock has one",
    ),
];

impl Treatments {
    /// Returns the treatments of `rules`, or `None` if there are none.
    pub(crate) fn read(
        rules: &Rules,
        board: &Board,
        n_players: usize,
    ) -> Result<Option<Box<Self>>, BadRules> {
        let mut gifts = Vec::new();
        for treated in rules.treated(n_players)? {
            let round = treated.stage.expect("every treatment names a round");
            let last = board.last_round();
            if round > last {
                let message = format!("there is no round {round} (1 to {last})");
                return Err(rules.bad(&treated.key, message));
            }
            let place = || {
                let name = treated.name.as_deref().expect("the gift names a province");
                Place::new(index(&board.ids, name))
            };
            let number = treated.number();
            let units = |unit| Given::Units(unit, number as u8);
            let what = match treated.treatment.id {
                "gift.talents" => Given::Talents(number),
                "gift.infantry" => units(Unit::Infantry),
                "gift.cavalry" => units(Unit::Cavalry),
                "gift.catapult" => units(Unit::Catapult),
                "gift.galley" => units(Unit::Galley),
                "gift.province" => Given::Province(place()),
                _ => Given::City(place()),
            };
            let seat = treated.seat.expect("every treatment names a seat");
            gifts.push(Gift { round, seat, what });
        }
        // By kind, so that a province is given before the city in it, then by seat and place.
        gifts.sort_by_key(|gift: &Gift| {
            let (kind, place) = gift.what.rank();
            (kind, gift.seat, place)
        });
        Ok((!gifts.is_empty()).then(|| Box::new(Self { gifts })))
    }

    /// Gives the gifts that are due when the round under way starts.
    pub(crate) fn apply(&self, game: &Classic, s: &mut State) {
        for gift in &self.gifts {
            if gift.round == s.round && !s.out.contains(gift.seat) {
                gift.give(game, s);
            }
        }
    }
}

impl Gift {
    fn give(&self, game: &Classic, s: &mut State) {
        let (seat, stock) = (self.seat, &game.board.config.stock);
        match self.what {
            Given::Talents(talents) => s.pay(seat, talents),
            Given::Units(unit, number) => {
                let number = number.min(s.pool[seat][unit]);
                let Some(place) = game.depot(s, seat, unit) else { return };
                if unit == Unit::Galley {
                    s.pool[seat][unit] -= number;
                    s.galleys[place.idx()].add(seat, number as i8);
                } else {
                    Classic::raise(s, seat, place, unit, number);
                }
            }
            Given::Province(place) => {
                if s.owner(place).is_none() && !s.guards.contains(place) {
                    s.owned[seat].insert(place);
                }
            }
            Given::City(place) => {
                let is_new = s.owned[seat].contains(place) && !s.cities.contains(place);
                if is_new && i64::from(s.cities.len()) < stock.city {
                    s.cities.insert(place);
                }
            }
        }
    }
}

const fn sweep(
    id: &'static str,
    key: &'static [Step],
    element: Option<usize>,
    range: (i64, i64),
    unit: &'static str,
) -> Sweep {
    Sweep { id, key, element, least: range.0, most: range.1, unit }
}

/// Sweeps of plain numbers of a section.
macro_rules! numbers {
    ($($section:literal $name:literal, $low:literal..=$high:literal, $unit:literal;)*) => {
        [$(sweep(
            concat!($section, ".", $name),
            &[Step::Word($section), Step::Word($name)],
            None,
            ($low, $high),
            $unit,
        )),*]
    };
}

/// Sweeps of the column of the variant; switches have the range 0 to 1 and no unit.
macro_rules! of_friz {
    ($($name:literal $([$element:literal])?, $low:literal..=$high:literal, $unit:literal;)*) => {
        [$(sweep(
            concat!("friz.", $name $(, "-", $element)?),
            &[Step::Word("variant"), Step::Word("friz"), Step::Word($name)],
            of_friz!(@ $($element)?),
            ($low, $high),
            $unit,
        )),*]
    };
    (@) => { None };
    (@ $element:literal) => { Some($element) };
}

const NUMBERS: [Sweep; 31] = numbers! {
    "options" "final_round", 1..=100, "rounds";
    "prices" "infantry", 0..=1000, "talents";
    "prices" "cavalry", 0..=1000, "talents";
    "prices" "catapult", 0..=1000, "talents";
    "prices" "galley", 0..=1000, "talents";
    "prices" "city", 0..=1000, "talents";
    "prices" "fort", 0..=1000, "talents";
    "prices" "road", 0..=1000, "talents";
    "income" "city", 0..=1000, "talents";
    "start" "infantry", 0..=31, "infantry";
    "start" "general", 0..=7, "generals";
    "start" "talents", 0..=1000, "talents";
    "pools" "infantry", 0..=31, "infantry";
    "pools" "cavalry", 0..=31, "cavalry";
    "pools" "catapult", 0..=7, "catapults";
    "pools" "galley", 0..=15, "galleys";
    "stock" "city", 0..=42, "cities";
    "stock" "fort", 0..=42, "fortifications";
    "stock" "road", 0..=128, "roads";
    "movement" "infantry", 0..=2, "steps";
    "movement" "cavalry", 0..=2, "steps";
    "movement" "catapult", 0..=2, "steps";
    "movement" "general", 0..=3, "steps";
    "movement" "galley", 0..=2, "steps";
    "movement" "troops_per_leader", 1..=60, "troops";
    "battle" "legion", 1..=20, "troops";
    "battle" "legion_per_general", 0..=5, "troops";
    "battle" "fort_dice", 0..=20, "dice";
    "battle" "land_rounds", 1..=100, "rounds";
    "battle" "naval_rounds", 1..=100, "rounds";
    "pools" "general", 0..=7, "generals";
};

const FRIZ: [Sweep; 17] = of_friz! {
    "start_territories", 0..=40, "provinces";
    "caesar_payment", 0..=1000, "talents";
    "caesar_steps", 0..=3, "steps";
    "caesar_legion", 0..=20, "troops";
    "recruit_caesar", 0..=10, "units";
    "recruit_city", 0..=10, "units";
    "recruit_territory", 0..=10, "units";
    "home_lost_payment", 0..=1000, "talents";
    "inflation_at"[0], 1..=60_000, "talents";
    "inflation_at"[1], 1..=60_000, "talents";
    "prestige", 0..=1000, "talents";
    "prestige_tie", 0..=1000, "talents";
    "home_values", 0..=1, "";
    "guards", 0..=1, "";
    "caesar_replaced", 0..=1, "";
    "home_lost_tribute", 0..=1, "";
    "home_lost_purchase", 0..=1, "";
};

const PLACES: [Sweep; 2] = [
    sweep(
        "province.value",
        &[Step::Word("province"), PROVINCE, Step::Word("value")],
        None,
        (0, 1000),
        "talents",
    ),
    sweep(
        "province.guard",
        &[
            Step::Word("province"),
            Step::Name(Names::IdsWith("province", "guard")),
            Step::Word("guard"),
        ],
        None,
        (0, 31),
        "infantry",
    ),
];

/// All sweeps, switches last.
pub(crate) const SWEEPS: &[Sweep] = &{
    let mut all = [PLACES[0]; PLACES.len() + NUMBERS.len() + FRIZ.len()];
    let mut n = 0;
    let lists: [&[Sweep]; 3] = [&PLACES, &NUMBERS, &FRIZ];
    let mut list = 0;
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            all[n] = lists[list][i];
            n += 1;
            i += 1;
        }
        list += 1;
    }
    all
};
