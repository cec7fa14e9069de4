//! Roles of treatments for experiments that measure the worth of tiles, regions and places in the turn order.

use serde_json::Value as Json;

use super::Rise;
use super::action::Action;
use crate::market::{Market, Precedence, Price, Territory, Uptake};
use crate::rules::Rules;

/// The market that turns worths into prices: gold, actions, and the cities that both are spent on.
const CITIES: Market = Market {
    name: "cities",
    money: "gift.gold",
    unit: "gold",
    amounts: &[3, 6],
    action: "gift.actions",
    thing: "gift.city",
    actions: 1,
    ban: "ban.city",
    price: Price::Swept("city.gold"),
    step: 1,
};

/// All kinds of things that are taken with an action.
pub(super) const MARKETS: &[Market] = &[
    CITIES,
    Market {
        name: "progress",
        thing: "gift.progress",
        ban: "ban.progress",
        price: Price::Listed(progress_gold),
        ..CITIES
    },
    // Territory tiles cost the action alone (7.1).
    Market {
        name: "territory",
        thing: "gift.territory",
        ban: "ban.territory",
        price: Price::Listed(|_, _, _| 0),
        ..CITIES
    },
];

/// Returns the gold for a progress tile in a turn, from 1 (6.1): zero in its own era and before it comes.
fn progress_gold(rules: &Rules, name: &str, turn: u8) -> i64 {
    let rules = rules.to_json();
    let number = |value: &Json| value.as_i64().unwrap_or_default();
    let tiles = rules["progress"].as_array();
    let tile = tiles.and_then(|tiles| tiles.iter().find(|tile| tile["id"] == name));
    let era = tile.map_or(0, |tile| number(&tile["era"]));
    let now = number(&rules["meta"]["era_of_turn"][usize::from(turn) - 1]);
    number(&rules["costs"]["progress_gold_by_eras_old"][(now - era).max(0) as usize])
}

/// Regions: a token is a cube, and cubes are not bought one at a time.
pub(super) const TERRITORY: Territory = Territory {
    token: "gift.region",
    city: None,
    points: "gift.vp",
    pays: &["region.first", "region.second"],
    step: 1,
    price: None,
    deal: None,
    fights: false,
};

/// The order of a turn, in which players choose their places.
pub(super) const PRECEDENCE: Precedence = Precedence { order: "forced.order", bids: None };

impl Rise {
    /// Returns the object that a player takes with an action, under its name in a ban.
    pub(super) fn taking(&self, action: Action) -> Option<Uptake<'_>> {
        let config = &self.board.config;
        match action {
            Action::Progress(tile) => {
                Some(Uptake { ban: "ban.progress", name: &config.progress[tile.idx()].id })
            }
            Action::Territory(tile) => {
                Some(Uptake { ban: "ban.territory", name: &config.territory[tile.idx()].id })
            }
            Action::City(city) => {
                Some(Uptake { ban: "ban.city", name: &config.city[city.idx()].id })
            }
            _ => None,
        }
    }
}
