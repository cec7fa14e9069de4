//! The check of a position from a document: pieces of the set-up, two hands, and a decision that is due.

use super::Hannibal;
use super::limits::{MAX_AREAS, MAX_ROUTES};
use super::state::{CARTHAGE, Fighter, Phase, ROME, Site, State};
use crate::by_hand::{ByHand, demand, demand_all, demand_seat};
use crate::data::BadData;

type Finding = Result<(), BadData>;

impl ByHand for Hannibal {
    const DERIVED: &'static [&'static str] = &["areas", "routes"];

    fn complete(&self, s: &mut State) -> Finding {
        for seat in [CARTHAGE, ROME] {
            for area in 0..MAX_AREAS as u8 {
                s.set_legions(seat, area, s.legions(seat, area));
            }
            for route in 0..MAX_ROUTES as u8 {
                s.set_fleets(seat, route, s.fleets(seat, route));
            }
            self.check_pieces(s, seat)?;
        }
        self.check_hannibal(s)?;
        self.check_hands(s)?;
        demand_seat(s.mover, 2, "mover")?;
        self.check_clock(s)?;
        match s.phase {
            Phase::Turn => self.check_turn(s),
            Phase::Fight | Phase::Duel => self.check_conflict(s),
            Phase::Over => self.check_end(s),
        }
    }
}

impl Hannibal {
    /// Checks that a side has no more pieces than at the start: legions are given for fleets, and nothing comes back.
    fn check_pieces(&self, s: &State, seat: usize) -> Finding {
        let (side, n_areas) = (&self.board.sides[seat], self.board.areas.len());
        let beyond = s.legions[seat][n_areas..].iter().all(|&n| n == 0);
        let place = format!("legions.{seat}");
        demand(beyond, &place, format_args!("the map has {n_areas} areas"))?;
        let n_routes = self.board.routes.len();
        let beyond = s.fleets[seat][n_routes..].iter().all(|&n| n == 0);
        let at_sea = format!("fleets.{seat}");
        demand(beyond, &at_sea, format_args!("the map has {n_routes} routes"))?;
        let sum = |pieces: &[u8]| pieces.iter().map(|&n| u32::from(n)).sum::<u32>();
        let hannibal = if seat == CARTHAGE { s.hannibal.count_ones() } else { 0 };
        let land = sum(&s.legions[seat]) + hannibal;
        let most = u32::from(side.legions) + u32::from(side.has_hannibal);
        demand(land <= most, &place, format_args!("{land} pieces on land of {most}"))?;
        let (all, most) = (land + sum(&s.fleets[seat]), most + u32::from(side.fleets));
        demand(all <= most, &at_sea, format_args!("{all} pieces in all of {most}"))
    }

    fn check_hannibal(&self, s: &State) -> Finding {
        let n_areas = self.board.areas.len();
        let is_there = s.hannibal.count_ones() <= 1 && u32::from(s.hannibal) >> n_areas == 0;
        demand(is_there, "hannibal", format_args!("one of the {n_areas} areas, or none"))?;
        let is_in_play = self.board.sides[CARTHAGE].has_hannibal || s.hannibal == 0;
        demand(is_in_play, "hannibal", "Carthage has none under these rules")
    }

    /// Checks that both sides have equally many of their cards: each duel takes one of both.
    fn check_hands(&self, s: &State) -> Finding {
        for (seat, hand) in s.hands.into_iter().enumerate() {
            let is_hand = hand != 0 && hand & !self.board.full_hand == 0;
            demand(is_hand, format_args!("hands.{seat}"), "some of the cards of the rules")?;
        }
        let [carthage, rome] = s.hands.map(u16::count_ones);
        demand(carthage == rome, "hands", format_args!("{carthage} cards against {rome}"))
    }

    fn check_clock(&self, s: &State) -> Finding {
        let (is_over, most) = (s.phase == Phase::Over, self.board.max_turns);
        let fits = s.turns < most || is_over && s.turns == most;
        demand(fits, "turns", format_args!("{} of {most} turns, and play goes on", s.turns))?;
        let most = self.board.passes_to_draw;
        let fits = s.passes < most || is_over && s.passes == most;
        demand(fits, "passes", format_args!("{} of {most} passes, and play goes on", s.passes))?;
        let fits = u16::from(s.passes) <= s.turns;
        demand(fits, "passes", format_args!("{} passes in {} turns", s.passes, s.turns))?;
        let has_outcome = s.outcome.is_some();
        demand(has_outcome == is_over, "outcome", "a game that is over has one, and no other")
    }

    /// Checks that nobody stands together outside of the conflict under way.
    fn check_apart(&self, s: &State) -> Finding {
        let (mut areas, mut routes) =
            (s.held(CARTHAGE) & s.held(ROME), s.routes[CARTHAGE] & s.routes[ROME]);
        match s.site {
            Some(Site::Area(area)) => areas &= !(1 << area),
            Some(Site::Route(route)) => routes &= !(1 << route),
            None => {}
        }
        let (area, route) = (areas.trailing_zeros(), routes.trailing_zeros());
        demand(
            areas == 0,
            "legions",
            format_args!("both sides are in area {area} and do not fight"),
        )?;
        demand(
            routes == 0,
            "fleets",
            format_args!("both sides are on route {route} and do not fight"),
        )
    }

    fn check_turn(&self, s: &State) -> Finding {
        demand(s.site.is_none(), "site", "nobody fights between turns")?;
        demand(s.fighter.is_none(), "fighter", "nobody fights between turns")?;
        self.check_apart(s)?;
        // The turn before has not ended the game.
        let mut before = *s;
        before.mover = s.mover.next(2);
        let end = if s.turns > 0 { self.outcome_after_turn(&before) } else { None };
        demand_all(end.is_none(), format_args!("the last turn ended the game: {end:?}"))
    }

    fn check_conflict(&self, s: &State) -> Finding {
        let is_on_map = match s.site {
            Some(Site::Area(area)) => usize::from(area) < self.board.areas.len(),
            Some(Site::Route(route)) => usize::from(route) < self.board.routes.len(),
            None => false,
        };
        demand(is_on_map, "site", "a conflict has an area or a route of the map")?;
        demand(Self::is_contested(s), "site", "both sides have pieces where they fight")?;
        self.check_apart(s)?;
        let area = match s.site {
            Some(Site::Area(area)) => Some(area),
            Some(Site::Route(_)) | None => None,
        };
        let is_there = |set: u16| area.is_some_and(|area| set >> area & 1 == 1);
        let (legion, hannibal) = (is_there(s.areas[CARTHAGE]), is_there(s.hannibal));
        let fits = match (s.phase, s.fighter) {
            (Phase::Fight, fighter) => fighter.is_none() && legion && hannibal,
            (_, None) => area.is_none(),
            (_, Some(Fighter::Legion)) => legion,
            (_, Some(Fighter::Hannibal)) => hannibal,
        };
        demand(
            fits,
            "fighter",
            "Carthage fights with a piece that is there, and chooses among two",
        )?;
        let n = s.hands[CARTHAGE].count_ones();
        demand(s.phase == Phase::Fight || n > 1, "hands", "the last cards leave no choice")
    }

    fn check_end(&self, s: &State) -> Finding {
        demand(s.site.is_none(), "site", "nobody fights at the end")?;
        demand(s.fighter.is_none(), "fighter", "nobody fights at the end")?;
        let capital = self.board.sides[1 - s.mover()].capital;
        let has_entered = self.board.capital_entry_wins && s.held(s.mover()) >> capital & 1 == 1;
        let by_entry = has_entered.then_some(super::state::Outcome::Won(s.mover));
        let end = by_entry.or_else(|| self.outcome_after_turn(s));
        demand(s.outcome == end, "outcome", format_args!("the position gives {end:?}"))
    }
}
