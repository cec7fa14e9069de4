//! The list of treatments: all interventions of an experiment in a game of conquest2.

use crate::market::{Bidding, Market, Precedence, Price, Territory};
use crate::player::MAX_PLAYERS;
use crate::treatment::{Amount, Kind, Names, Step, Treatment};

const SEASON: Step = Step::Stage;
const SEAT: Step = Step::Seat;
const WHENEVER: Step = Step::StageOrAlways;
const CARD: Step = Step::Name(Names::KeysOf("cards"));
const PROVINCE: Step = Step::Name(Names::IdsOf("province"));
const GIFT: Step = Step::Word("gift");
const BAN: Step = Step::Word("ban");
const FORCED: Step = Step::Word("forced");

/// Kinds of actions that can be banned: words of a turn that a player can do without.
pub(crate) const BANNED_ACTIONS: [&str; 8] =
    ["take", "recruit", "buy", "tax", "move", "battle", "sail", "use"];
/// Largest number of actions that a gift adds to a turn or takes from it.
pub(crate) const MOST_ACTIONS: i64 = 4;

const fn gift(
    id: &'static str,
    key: &'static [Step],
    amount: Amount,
    meaning: &'static str,
) -> Treatment {
    Treatment { id, kind: Kind::Gift, key, amount, meaning }
}

const fn units(id: &'static str, key: &'static [Step], unit: &'static str) -> Treatment {
    let meaning = "so many units of their pool, as far as it goes, appear in the place";
    gift(id, key, Amount::Number { least: 1, most: 31, unit }, meaning)
}

/// All treatments of conquest2.
pub(crate) const TREATMENTS: &[Treatment] = &[
    Treatment {
        id: "null",
        kind: Kind::Null,
        key: &[Step::Word("null"), SEASON],
        amount: Amount::Switch,
        meaning: "one number is drawn from each stream of chance, on which nothing depends",
    },
    gift(
        "gift.card",
        &[GIFT, SEASON, SEAT, Step::Word("card"), CARD],
        Amount::Number { least: 1, most: 8, unit: "copies" },
        "they have the card; an immediate-use card is a free `take` in their first turn, which they may let lapse",
    ),
    gift(
        "gift.talents",
        &[GIFT, SEASON, SEAT, Step::Word("talents")],
        Amount::Number { least: 1, most: 1000, unit: "talents" },
        "they have so many talents more",
    ),
    gift(
        "gift.actions",
        &[GIFT, SEASON, SEAT, Step::Word("actions")],
        Amount::Number { least: -MOST_ACTIONS, most: MOST_ACTIONS, unit: "actions" },
        "their first turn has so many actions more, or fewer, down to none",
    ),
    gift(
        "gift.vp",
        &[GIFT, SEASON, SEAT, Step::Word("vp")],
        Amount::Number { least: -1000, most: 1000, unit: "victory points" },
        "they have so many victory points more, or fewer",
    ),
    gift(
        "gift.chaos",
        &[GIFT, SEASON, SEAT, Step::Word("chaos")],
        Amount::Number { least: -1000, most: 1000, unit: "chaos points" },
        "they have so many chaos points more, or fewer, down to none",
    ),
    gift(
        "gift.influence",
        &[
            GIFT,
            SEASON,
            SEAT,
            Step::Word("influence"),
            Step::Name(Names::IdsWith("province", "vp")),
        ],
        Amount::Number { least: 1, most: 31, unit: "tokens" },
        "they have so much influence there more, as far as their supply goes",
    ),
    units("gift.infantry", &[GIFT, SEASON, SEAT, Step::Word("infantry"), PROVINCE], "infantry"),
    units("gift.cavalry", &[GIFT, SEASON, SEAT, Step::Word("cavalry"), PROVINCE], "cavalry"),
    units("gift.catapult", &[GIFT, SEASON, SEAT, Step::Word("catapult"), PROVINCE], "catapults"),
    units("gift.general", &[GIFT, SEASON, SEAT, Step::Word("general"), PROVINCE], "generals"),
    units(
        "gift.galley",
        &[GIFT, SEASON, SEAT, Step::Word("galley"), Step::Name(Names::IdsOf("sea"))],
        "galleys",
    ),
    gift(
        "gift.city",
        &[GIFT, SEASON, SEAT, Step::Word("city"), PROVINCE],
        Amount::Switch,
        "they own the city there, which is built if there is none",
    ),
    Treatment {
        id: "ban.card",
        kind: Kind::Ban,
        key: &[BAN, WHENEVER, SEAT, Step::Word("card"), CARD],
        amount: Amount::Switch,
        meaning: "they cannot take the card",
    },
    Treatment {
        id: "ban.action",
        kind: Kind::Ban,
        key: &[
            BAN,
            WHENEVER,
            SEAT,
            Step::Word("action"),
            Step::Name(Names::Words(&BANNED_ACTIONS)),
        ],
        amount: Amount::Switch,
        meaning: "they cannot do this in their turns",
    },
    Treatment {
        id: "ban.deck",
        kind: Kind::Ban,
        key: &[BAN, Step::Word("deck"), CARD],
        amount: Amount::Switch,
        meaning: "no copy of the card is in deck or display; Senators that players start with stay",
    },
    Treatment {
        id: "forced.opener",
        kind: Kind::Forced,
        key: &[FORCED, SEASON, Step::Word("opener")],
        amount: Amount::Seat,
        meaning: "this seat opens the first auction",
    },
    Treatment {
        id: "forced.order",
        kind: Kind::Forced,
        key: &[FORCED, SEASON, Step::Word("order")],
        amount: Amount::Order,
        meaning: "there is no auction: this is the turn order, with alliances A and B in turn",
    },
    Treatment {
        id: "forced.alliance",
        kind: Kind::Forced,
        key: &[FORCED, SEASON, Step::Word("alliance")],
        amount: Amount::Names { of: Names::Words(&["A", "B"]), least: 2, most: MAX_PLAYERS },
        meaning: "with a forced order: the alliances of the seats in that order",
    },
    Treatment {
        id: "deal.influence",
        kind: Kind::Start,
        key: &[Step::Word("deal"), SEAT, Step::Word("influence")],
        amount: Amount::Names { of: Names::IdsWith("province", "vp"), least: 1, most: 31 },
        meaning: "when all tokens of the set-up are drawn, their influence lies here instead; the bag stays as it is",
    },
];

/// The market that turns worths into prices: talents, actions, and the cards that both are spent on.
pub(crate) const MARKET: Market = Market {
    name: "cards",
    money: "gift.talents",
    unit: "talents",
    amounts: &[10, 20],
    action: "gift.actions",
    thing: "gift.card",
    actions: 1,
    ban: "ban.card",
    price: Price::Swept("cards.cost"),
    step: 5,
};

/// Provinces, and the pieces that players hold in them.
pub(crate) const TERRITORY: Territory = Territory {
    token: "gift.influence",
    city: Some("gift.city"),
    points: "gift.vp",
    pays: &["province.vp-1", "province.vp-2"],
    step: 5,
    price: Some("prices.influence"),
    deal: Some("deal.influence"),
    fights: true,
};

/// The alliance auctions of a season.
pub(crate) const PRECEDENCE: Precedence = Precedence {
    order: "forced.order",
    bids: Some(Bidding { sides: "forced.alliance", names: ["A", "B"], opener: "forced.opener" }),
};
