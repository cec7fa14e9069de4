//! The actions of a turn in a position from a document.

use super::Finding;
use crate::by_hand::{demand, demand_seat};
use crate::games::conquest2::Conquest2;
use crate::games::conquest2::flow::movement::Movers;
use crate::games::conquest2::model::action::Source;
use crate::games::conquest2::model::board::{N_PROVINCES, N_ZONES};
use crate::games::conquest2::model::cards::{Card, CardKind, N_CARDS};
use crate::games::conquest2::model::detail::{Detail, Leg, March, Purchase, Recruitment, Sailing};
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Place, PlaceSet, ZoneSet};
use crate::games::conquest2::model::state::State;

/// Refuses a detail that is of another phase.
fn other(s: &State) -> Finding {
    demand(false, "detail", format_args!("it is of another phase than {:?}", s.phase()))
}

fn demand_province(place: Place, at: &str) -> Finding {
    let fault = format_args!("the provinces are 0 to {}", N_PROVINCES - 1);
    demand(place.idx() < N_PROVINCES, at, fault)
}

impl Conquest2 {
    pub(super) fn check_turn(&self, s: &State) -> Finding {
        let seat = self.turn_player(s);
        demand(s.actor == Some(seat), "actor", format_args!("seat {} is in turn", seat.number()))?;
        match (s.phase(), s.detail) {
            (Phase::TakeCard, Detail::None) => {
                let fits = s.has_taken() || s.free() != 0;
                demand(fits, "takes", "a card is being taken")
            }
            (
                Phase::Top
                | Phase::RecruitIn
                | Phase::BuyIn
                | Phase::Tax
                | Phase::MoveFrom
                | Phase::BattleIn
                | Phase::SailTo
                | Phase::Use,
                Detail::None,
            ) => Ok(()),
            (Phase::RecruitCount, Detail::Recruitment(found)) => self.check_recruitment(s, &found),
            (Phase::BuySource | Phase::BuyMore, Detail::Purchase(found)) => {
                self.check_purchase(s, &found)
            }
            (Phase::MoveTo | Phase::MoveCount, Detail::March { from, open, by_land, leg }) => {
                self.check_march(s, &March { from, open, by_land, leg })
            }
            (Phase::BattleAgainst, Detail::Attack { place }) => {
                demand_province(place, "detail.place")?;
                let fits = self.battlefields(s).contains(place);
                demand(fits, "detail.place", "the seat in turn meets no enemy there")
            }
            (Phase::SailCount | Phase::SailAttack, Detail::Sailing(found)) => {
                self.check_sailing(s, &found)
            }
            (
                Phase::FleetFrom
                | Phase::CityIn
                | Phase::BarbariansFrom
                | Phase::BribeTarget
                | Phase::RevoltIn,
                Detail::Card { card },
            ) => self.check_card(s, card),
            (Phase::BarbariansCount, Detail::Expedition { card, from, leg }) => {
                self.check_card(s, card)?;
                self.check_expedition(s, card, from, &leg)
            }
            _ => other(s),
        }
    }

    fn check_recruitment(&self, s: &State, found: &Recruitment) -> Finding {
        let Recruitment { place, count, .. } = *found;
        demand_province(place, "detail.recruitment.place")?;
        let seat = self.turn_player(s);
        let has_influence = s.influence_at(seat, self.board.key_of[place.idx()]) > 0;
        let fits = s.leaders[seat].contains(place) && has_influence;
        demand(fits, "detail.recruitment.place", "no leader with influence there")?;
        let is_due = count < self.end_of_recruits(place) && self.can_afford(s, seat, count.unit());
        demand(is_due, "detail.recruitment.count", "no unit of this kind can be had there")
    }

    fn check_purchase(&self, s: &State, found: &Purchase) -> Finding {
        let Purchase { place, last, bought } = *found;
        demand_province(place, "detail.purchase.place")?;
        let seat = self.turn_player(s);
        let is_market = s.leaders[seat].contains(place) && self.board.keys.contains(place);
        demand(is_market, "detail.purchase.place", "no leader of the seat in a key province")?;
        if let Some(Source::Seat(seller)) = last {
            demand_seat(seller, self.n_players, "detail.purchase.last")?;
        }
        let most = self.most_bought(s, place);
        let is_first = s.phase() == Phase::BuySource;
        let fits = last.is_none() == is_first && is_first == (bought == 0) && bought < most;
        demand(fits, "detail.purchase.bought", format_args!("{bought} of {most}"))?;
        let fault = format_args!("seat {} can pay no influence", seat.number());
        demand(self.can_pay_influence(s), "money", fault)
    }

    /// Checks a move: its destinations follow from its start, for enemies do not move meanwhile (13).
    fn check_march(&self, s: &State, march: &March) -> Finding {
        let (seat, from) = (self.turn_player(s), march.from);
        demand_province(from, "detail.from")?;
        let by_land = self.reach_by_land(s, seat, from);
        demand(march.by_land == by_land, "detail.by_land", "what is reached by land differs")?;
        let all = by_land | self.reach_by_sea(s, seat, from);
        let Some(leg) = march.leg else {
            demand(s.phase() == Phase::MoveTo, "detail.leg", "units are on the way")?;
            let fits = self.departures(s).contains(from);
            demand(fits, "detail.from", "no leader that can move")?;
            return demand(march.open == all, "detail.open", "what is reached differs");
        };
        demand_province(leg.to, "detail.leg.to")?;
        demand(all.contains(leg.to), "detail.leg.to", "it is out of reach")?;
        let fits = march.open == all.above(leg.to);
        demand(fits, "detail.open", "what is reached, behind the last goal")?;
        self.check_room(s, &leg, by_land)?;
        let next = Movers::of(s, from).next_on(&leg);
        let is_counting = s.phase() == Phase::MoveCount;
        let fits = leg.count == next && next.is_some() == is_counting;
        demand(fits, "detail.leg.count", "the kind that is next, while there is one")?;
        demand(is_counting || leg.has_any, "detail.leg.has_any", "somebody has gone")
    }

    fn check_room(&self, s: &State, leg: &Leg, by_land: PlaceSet) -> Finding {
        let most = self.sea_capacity(s, self.turn_player(s), leg.to);
        let fits = match leg.room {
            None => by_land.contains(leg.to),
            Some(room) => !by_land.contains(leg.to) && room <= most,
        };
        demand(fits, "detail.leg.room", format_args!("no limit by land, and at most {most} by sea"))
    }

    fn check_sailing(&self, s: &State, found: &Sailing) -> Finding {
        let Sailing { to, sources, has_met, has_any } = *found;
        let fault = format_args!("the zones are 0 to {}", N_ZONES - 1);
        demand(to.idx() < N_ZONES, "detail.sailing.to", fault)?;
        let fleets = s.fleets_of(self.turn_player(s)) - ZoneSet::of(to);
        let fits = (sources - fleets).is_empty();
        demand(fits, "detail.sailing.sources", "no galley of the seat is there")?;
        let meets = self.meets_enemy(s, to);
        let fits = if has_any { meets || !has_met } else { meets == has_met };
        demand(fits, "detail.sailing.has_met", "the galleys there say otherwise")?;
        if s.phase() == Phase::SailCount {
            let fits = !sources.is_empty();
            return demand(fits, "detail.sailing.sources", "a zone to sail from");
        }
        demand(sources.is_empty(), "detail.sailing.sources", "all have sailed")?;
        let fits = meets && (has_any || has_met);
        demand(fits, "detail.sailing.to", "no enemy is there")
    }

    /// Checks an immediate-use card that is being carried out: it is out of the game.
    fn check_card(&self, s: &State, card: Card) -> Finding {
        let last = N_CARDS - 1;
        demand(card.idx() < N_CARDS, "detail.card", format_args!("the cards are 0 to {last}"))?;
        let phase = match card.kind() {
            CardKind::Fleet(_) => Phase::FleetFrom,
            CardKind::City(_) => Phase::CityIn,
            CardKind::Barbarians(_) if s.phase() == Phase::BarbariansCount => s.phase(),
            CardKind::Barbarians(_) => Phase::BarbariansFrom,
            CardKind::Bribe => Phase::BribeTarget,
            CardKind::Revolt => Phase::RevoltIn,
            _ => return other(s),
        };
        if s.phase() != phase {
            return other(s);
        }
        let given = self.board.treated.as_ref().map_or(0, |t| t.free_copies(card) as u32);
        let left = u32::from(s.deck[card.idx()]) + u32::from(s.display[card.idx()]);
        let all = u32::from(self.board.card_count[card.idx()]) + given;
        demand(left < all, "detail.card", format_args!("all {all} are in deck and display"))
    }

    /// Checks land military on the way against the Barbarians: enough of them are there (14.3).
    fn check_expedition(&self, s: &State, card: Card, from: Place, leg: &Leg) -> Finding {
        demand_province(from, "detail.from")?;
        let CardKind::Barbarians(i) = card.kind() else { return other(s) };
        let target = self.board.barbarian_province[usize::from(i)];
        let fits = leg.to == target && from != target;
        demand(fits, "detail.leg.to", format_args!("{} for this card", target.number()))?;
        let units = self.board.config.barbarians.units as u8;
        let (Some(mover), Some(left)) = (leg.count, leg.room) else {
            return demand(false, "detail.leg", "a kind is counted, and a number of units is left");
        };
        let movers = Movers::of(s, from);
        let later = mover.later().chain([mover]).filter(|kind| kind.is_military());
        let there: u16 = later.map(|kind| u16::from(movers.number(kind))).sum();
        let most = there.min(units.into());
        let fits = u16::from(left) <= most;
        demand(fits, "detail.leg.room", format_args!("{left} to go, at most {most}"))
    }
}
