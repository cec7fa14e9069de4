//! The table as one seat sees it, as JSON: the state of a record with hands of Senators as far as the observer can
//! infer them, and with the decision that is due.
//!
//! For each hand, `senators` counts by value the Senators of which the observer is sure, and `unseen` counts the
//! others. All other parts of a position are public. The options are no part of it: a view of the player to act comes
//! with them as actions.

use serde_json::{Map, Value, json};

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::battle::{Lent, Side};
use crate::games::conquest2::model::cards::{Card, Family};
use crate::games::conquest2::model::detail::{Detail, Recruitment, Sailing};
use crate::games::conquest2::model::packed::nibble;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::Zone;
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::Unit;
use crate::games::conquest2::text::notation::sorted_cards;
use crate::games::conquest2::text::table::words;
use crate::notation::Notation;
use crate::player::Player;

fn seat(player: Option<Player>) -> Option<u8> {
    player.map(Player::number)
}

impl Conquest2 {
    pub(crate) fn observation_json(&self, s: &State, observer: Player) -> Value {
        let mut observation = self.state_json(s);
        // Behind the players placed by auctions stands the order of the season before.
        let n_placed = self.n_players - s.unallied.len();
        let placed = s.order[..n_placed].iter().copied();
        let alliance = |q: Player| if s.alliance_b.contains(q) { "B" } else { "A" };
        observation["alliance"] = placed.clone().map(alliance).collect();
        observation["order"] = placed.map(Player::number).collect();
        let hands = s.senators_known_to(observer);
        for q in self.players() {
            let (senators, unseen) = hands[q];
            let player = &mut observation["players"][q.idx()];
            player["senators"] = json!(senators);
            player["unseen"] = json!(unseen);
            player["used"] = json!(used_cards(s, q));
        }
        observation["now"] = self.now_json(s);
        observation
    }

    /// Returns the time within the season, and the decision of the player to act.
    fn now_json(&self, s: &State) -> Value {
        let mut now = Map::new();
        now.insert("phase".to_owned(), json!(words(s.phase())));
        now.insert("round".to_owned(), json!(self.situation(s).rounds_over()));
        now.insert("actor".to_owned(), json!(seat(s.actor)));
        now.insert("actions_left".to_owned(), json!(s.actions_left));
        if s.free() != 0 {
            let free = self.free_cards(s);
            now.insert("free".to_owned(), free.iter().map(Card::id).collect());
        }
        for (key, part) in [
            ("auction", auction_json(s)),
            ("vote", vote_json(s)),
            ("battle", self.battle_json(s)),
            ("under_way", self.under_way_json(s)),
        ] {
            if let Some(part) = part {
                now.insert(key.to_owned(), part);
            }
        }
        Value::Object(now)
    }

    fn battle_json(&self, s: &State) -> Option<Value> {
        let battle = &s.battle;
        let at_sea = battle.zone.map(|zone| self.zone_id(zone));
        let place = battle.place.map(|place| self.province_id(place)).or(at_sea)?;
        let armies = Side::ALL.map(|side| Self::army(s, side));
        let mut json = json!({
            "place": place,
            "naval": battle.is_naval(),
            "round": battle.round,
            "attacker": seat(battle.attacker),
            "defender": seat(battle.defender),
            "armies": armies,
            "hits": battle.hits,
            "side": battle.side.word(),
        });
        if let Some((unit, zone, owner)) = self.counted_in_battle(s) {
            json["count"] = json!(unit.name());
            json["zone"] = json!(zone.map(|zone| self.zone_id(zone)));
            json["owner"] = json!(seat(owner));
        }
        Some(json)
    }

    /// Returns the units of a battle being counted: their kind, zone and owner.
    pub(crate) fn counted_in_battle(
        &self,
        s: &State,
    ) -> Option<(Unit, Option<Zone>, Option<Player>)> {
        let (count, actor) = (s.battle.count, s.actor);
        let galleys = |index| (Unit::Galley, Some(self.battle_zone(s, index)), actor);
        Some(match s.phase() {
            Phase::Commit => galleys(count.commitment().zone()),
            Phase::Lend => match count.loan().lent() {
                Lent::Land(unit) => (unit, None, actor),
                Lent::Galleys(index) => galleys(index),
            },
            Phase::NavalLend => galleys(0),
            Phase::Losses => (count.loss().unit(), None, count.loss().owner()),
            _ => return None,
        })
    }

    /// Returns the choices of the action under way, as far as the options alone do not give them; `count` is the kind
    /// of unit being counted.
    fn under_way_json(&self, s: &State) -> Option<Value> {
        let place = s.detail.place().map(|p| self.province_id(p));
        Some(match (s.phase(), s.detail) {
            (Phase::PlaceCount, Detail::Placement { uncounted, starter, left, .. }) => {
                let home = uncounted.first().map(|home| self.province_id(home));
                let unit = starter.counted()?.name();
                json!({ "in": home, "count": unit, "left": left })
            }
            (Phase::BattleAgainst | Phase::BuySource | Phase::BuyMore, _) => json!({ "in": place }),
            (_, Detail::Recruitment(Recruitment { place: p, count, .. })) => {
                let zone = count.zone().map(|i| self.zone_id(self.zone_beside(p, i)));
                json!({ "in": place, "count": count.unit().name(), "zone": zone })
            }
            (Phase::MoveTo, _) => json!({ "from": place }),
            (Phase::MoveCount | Phase::BarbariansCount, detail) => {
                let leg = detail.leg()?;
                let count = leg.mover().name();
                json!({ "from": place, "to": self.province_id(leg.to), "count": count })
            }
            (Phase::SailCount, Detail::Sailing(Sailing { to, sources, .. })) => {
                let from = sources.first().map(|zone| self.zone_id(zone));
                json!({ "from": from, "to": self.zone_id(to) })
            }
            (_, Detail::Sailing(Sailing { to, .. })) => json!({ "in": self.zone_id(to) }),
            (Phase::FleetFrom | Phase::CityIn | Phase::BarbariansFrom, Detail::Card { card }) => {
                json!({ "card": card.id() })
            }
            _ => return None,
        })
    }
}

/// Returns the multi-use cards that a player has used this season.
fn used_cards(s: &State, player: Player) -> Vec<&'static str> {
    sorted_cards(|card| match card.family() {
        Family::MultiUse => nibble(s.used[player], card.multi_slot()),
        _ => 0,
    })
}

fn auction_json(s: &State) -> Option<Value> {
    let auction = &s.auction;
    matches!(s.phase(), Phase::Bid | Phase::Propose | Phase::Amount).then(|| {
        let bidder = seat(auction.bidder);
        let boxes = auction.boxes.map(seat);
        let proposed = (s.phase() == Phase::Amount).then(|| auction.proposed.map(seat));
        json!({
            "number": auction.number,
            "bid": bidder.map(|q| json!({ "seat": q, "talents": auction.bid, "boxes": boxes })),
            "proposed": proposed,
        })
    })
}

fn vote_json(s: &State) -> Option<Value> {
    let vote = s.vote.vote?;
    Some(json!({
        "card": Card::vote(vote).id(),
        "bidder": seat(s.vote.bidder),
        "shown": s.vote.shown,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::Walk;

    #[test]
    fn nobody_stands_twice_in_the_order_that_is_seen() {
        let game = Conquest2::new(5);
        for seed in 0..3 {
            let mut walk = Walk::new(&game, seed, 0);
            let mut placed = 0;
            while walk.next().is_some() {
                let order = game.view_json(walk.state(), Player::new(0))["order"].clone();
                let mut seats: Vec<u64> =
                    order.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
                let n = seats.len();
                seats.sort_unstable();
                seats.dedup();
                assert_eq!(seats.len(), n, "{order}");
                placed = placed.max(n);
            }
            assert_eq!(placed, 5);
        }
    }
}
