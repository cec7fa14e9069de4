//! The set-up, movement, the market and the end in a position from a document.
//!
//! A choice that is half made is checked by the menu that it was made from: it has to offer the choice.

use super::Finding;
use crate::by_hand::{demand, demand_all};
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::detail::{Detail, Group, N_KINDS, Way};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PLACES, N_PROVINCES, Place, PlaceSet};
use crate::games::classic::model::rows::{EXCHANGE, Last};
use crate::games::classic::model::state::{Mobility, counts};
use crate::games::classic::{Classic, State};
use crate::games::shared::units::{Troops, Unit};

impl Classic {
    /// Checks that before the first round nothing is there but claims and the pieces that were placed.
    pub(super) fn check_setup(&self, s: &State) -> Finding {
        let start = &self.board.config.start;
        for player in self.players() {
            let (seat, home) = (player.number(), PlaceSet::of(self.home(player)));
            let claims = s.owned[player] - home;
            let fits = s.owned[player] == (home | (claims & self.board.claimable[player]));
            let place = format_args!("owned.{seat}");
            demand(fits, place, "the home, and provinces that the seat may claim")?;
            let [infantry, generals]: [i64; 2] = [Unit::Infantry, Unit::General].map(|unit| {
                s.owned[player].iter().map(|p| i64::from(s.troops(player, p).count(unit))).sum()
            });
            let left = s.to_place[player].map(i64::from);
            let due = [start.infantry, start.general];
            let fault = format_args!(
                "{infantry} infantry and {generals} generals stand in provinces of the seat, of {due:?}"
            );
            let fits = [infantry + left[0], generals + left[1]] == due;
            demand(fits, format_args!("to_place.{seat}"), fault)?;
        }
        let (n, cursor) = (self.n_players, usize::from(s.cursor));
        let mut board = State::new(&self.board, n);
        let fits = if s.phase == Phase::Claim {
            let all = n * self.board.v.start_territories as usize;
            cursor < all && s.actor.idx() == cursor % n && s.to_place == board.to_place
        } else {
            self.board.in_pairs && s.actor.idx() == cursor && s.to_place[s.actor] != [0, 0]
        };
        demand(fits, "cursor", "the seat that is next has a piece to claim or to place")?;
        (board.owned, board.troops, board.pool) = (s.owned, s.troops, s.pool);
        (board.army, board.leaders, board.to_place) = (s.army, s.leaders, s.to_place);
        (board.phase, board.actor, board.cursor) = (s.phase, s.actor, s.cursor);
        board.options = s.options;
        demand_all(*s == board, "before the first round nothing is there but claims and pieces")
    }

    pub(super) fn check_course(&self, s: &State) -> Finding {
        let last_round = self.board.last_round();
        let fault = format_args!("{} is out of range (1 to {last_round})", s.round);
        demand((1..=last_round).contains(&s.round), "round", fault)?;
        let set_up = s.to_place.0.iter().all(|left| *left == [0, 0]);
        demand(set_up, "to_place", "the set-up is over: nothing")?;
        let n_rises = self.board.v.inflation_at.len();
        let fault = format_args!("{} rises of prices of {n_rises}", s.level);
        demand(usize::from(s.level) <= n_rises, "level", fault)?;
        let fits = s.closing_level <= s.level;
        demand(fits, "closing_level", format_args!("at most {}", s.level))?;
        let is_movement =
            matches!(s.phase, Phase::Move | Phase::SailCount | Phase::BoardTo | Phase::Group);
        let is_market = matches!(s.phase, Phase::Market | Phase::Answer | Phase::Buy);
        let most = self.board.steps.general.max(self.board.steps.caesar).max(1);
        let waves = if is_movement { 1..=most } else { 0..=0 };
        let fault = format_args!("{} is out of range ({waves:?})", s.wave);
        demand(waves.contains(&s.wave), "wave", fault)?;
        let new = s.new_cities - (s.cities & s.owned[s.turn]);
        demand(new.is_empty(), "new_cities", "cities of the seat in turn")?;
        let fits = is_market || s.new_cities.is_empty();
        demand(fits, "new_cities", "outside of the market nobody buys")?;
        if is_movement {
            self.check_moved(s)?;
            return self.check_move(s);
        }
        demand(s.mobility == Mobility::Now, "mobility", "the caesar moves in movement")?;
        if is_market {
            self.check_recruits(s)?;
            return self.check_market(s);
        }
        demand(s.detail == Detail::Nothing, "detail", "no choice is half made")?;
        match s.phase {
            Phase::EndDie => self.check_end_die(s),
            Phase::Over => self.check_end(s),
            Phase::Attack => Self::check_last(s, &[Verb::Attack]),
            _ => Ok(()),
        }
    }

    /// Checks the last choice in a menu: none, or one of these words.
    fn check_last(s: &State, verbs: &[Verb]) -> Finding {
        let Last { verb, a, b, c } = s.last;
        demand(s.actor == s.turn, "actor", "the seat in turn chooses from the menu")?;
        let is_known = s.last == Last::NONE || verbs.contains(&verb);
        demand(is_known, "last.verb", format_args!("nothing, or one of {verbs:?}"))?;
        let fits = a < 64 && b < 64 && (c == 0 || verb == Verb::Board && usize::from(c) < 64);
        demand(fits, "last", "numbers below 64, the third one for boarding alone")
    }

    /// Checks that the menu before a choice that is half made offers it.
    fn check_choice(&self, s: &State, last: Last, action: Action) -> Finding {
        let fits = Last { c: 0, ..s.last } == last;
        demand(fits, "last", format_args!("{last:?} for this choice"))?;
        let phase = if s.wave > 0 { Phase::Move } else { Phase::Market };
        let menu = State { phase, actor: s.turn, detail: Detail::Nothing, last: Last::NONE, ..*s };
        demand(self.is_option(&menu, action), "detail", "the seat in turn has no such choice")
    }

    // --- movement ---

    /// Checks the pieces that have moved: those who may still sail have their galleys.
    fn check_moved(&self, s: &State) -> Finding {
        let (player, steps) = (s.turn, self.board.steps);
        let goes_on = s.mobility != Mobility::Next
            || steps.caesar > s.wave && s.caesar[player].is_some_and(Place::is_province);
        demand(goes_on, "mobility", "the caesar marches on in a later wave, on land")?;
        for place in Place::first(N_PLACES) {
            let (p, all) = (place.idx(), s.troops(player, place));
            let half = s.half.get(p).copied().unwrap_or_default();
            for unit in Unit::ALL {
                let (there, gone) = (all.count(unit), s.spent[p].count(unit) + half.count(unit));
                let fault = format_args!("{gone} {} have moved of {there}", unit.name());
                demand(gone <= there, format_args!("spent.{p}"), fault)?;
            }
            let goes_on = half.generals() == 0 || steps.general > s.wave;
            demand(goes_on, format_args!("half.{p}"), "no general marches in a later wave")?;
            let galleys = s.galleys[p];
            let (n, fresh, half) = (galleys.of(player), galleys.fresh(), galleys.half());
            let at = format_args!("galleys.{p}");
            demand(fresh + half <= n, at, format_args!("{} have steps of {n}", fresh + half))?;
            if place.is_province() {
                continue;
            }
            let (rest, leaders) = (Self::leaders_at_rest(s, place), s.n_leaders(player, place));
            demand(rest <= fresh, at, format_args!("{rest} leaders may sail on {fresh}"))?;
            if s.wave > 1 {
                continue;
            }
            let left = n - fresh - half;
            let landed = leaders - rest;
            demand(landed <= left, at, format_args!("{landed} leaders have moved on {left}"))?;
            let per_leader = self.board.config.movement.troops_per_leader;
            let (spent, room) = (i64::from(s.spent[p].military()), per_leader * i64::from(landed));
            let fault = format_args!("{spent} troops have moved with {landed} leaders");
            demand(spent <= room, format_args!("spent.{p}"), fault)?;
        }
        Ok(())
    }

    fn check_move(&self, s: &State) -> Finding {
        let ways = [Verb::Sail, Verb::Convoy, Verb::Board, Verb::March];
        Self::check_last(s, if s.wave > 1 { &ways[3..] } else { &ways })?;
        let choice = |verb: Verb, from: Place, to: Place| {
            let (from, to) = (from.number(), to.number());
            self.check_choice(s, Last::new(verb, from, to), Action::pair(verb, from, to))
        };
        match (s.phase, s.detail) {
            (Phase::Move, Detail::Nothing) => Ok(()),
            (Phase::SailCount, Detail::Sail { from, to }) => choice(Verb::Sail, from, to),
            (Phase::BoardTo, Detail::Board { from, zone }) => choice(Verb::Board, from, zone),
            (Phase::Group, Detail::Group(group)) => {
                let (verb, to) = match group.way {
                    Way::Convoy => (Verb::Convoy, group.to),
                    Way::Board => (Verb::Board, group.zone),
                    Way::March => (Verb::March, group.to),
                };
                choice(verb, group.from, to)?;
                self.check_group(s, &group)
            }
            (phase, detail) => {
                demand(false, "detail", format_args!("{detail:?} is no choice of {phase:?}"))
            }
        }
    }

    /// Checks the counts of a group, one after the other.
    fn check_group(&self, s: &State, group: &Group) -> Finding {
        let (due, to) = (usize::from(group.due), group.to);
        if group.way == Way::Board {
            let menu = State { last: Last::NONE, ..*s };
            let goals = self.board_goals(&menu, group.from, group.zone, s.defended(s.turn));
            demand(goals.contains(to), "detail.group.to", "the group does not get there")?;
            let next = to.number() + 1;
            demand(s.last.c == next, "last.c", format_args!("{next} for this goal"))?;
        } else {
            demand(group.zone == group.from, "detail.group.zone", "the start, if nobody boards")?;
        }
        demand(due < N_KINDS, "detail.group.due", format_args!("at most {}", N_KINDS - 1))?;
        let limits = self.limits(s, group);
        let mut counted = Group::new(group.way, group.from, group.zone, to);
        for (kind, &count) in group.counts.iter().enumerate() {
            let (least, most) = if kind <= due { limits.range(&counted) } else { (0, 0) };
            let fits = if kind < due { (least..=most).contains(&count) } else { count == 0 };
            let fault = format_args!("{count} is out of range ({least} to {most})");
            demand(fits && least <= most, format_args!("detail.group.counts.{kind}"), fault)?;
            if kind < due {
                counted.counts[kind] = count;
                counted.due += 1;
            }
        }
        Ok(())
    }

    // --- the market ---

    /// Checks the units that were recruited within the sums of provinces (11.7).
    fn check_recruits(&self, s: &State) -> Finding {
        for place in Place::first(N_PLACES) {
            let spent = s.spent[place.idx()];
            if spent == Troops(0) {
                continue;
            }
            let at = format_args!("spent.{}", place.number());
            let is_own = s.owned[s.turn].contains(place) && place.idx() < N_PROVINCES;
            demand(is_own, at, "the province is not the seat's")?;
            let [n, others @ ..] = counts(spent);
            let fits = others == [0, 0] && spent.generals() == 0;
            demand(fits, at, "recruits count as infantry")?;
            let most = self.recruits(s, place);
            demand(n <= most, at, format_args!("{n} recruits of {most}"))?;
            demand(s.last.verb == Verb::BuyUnit, "last.verb", "units were bought in this turn")?;
        }
        let is_past = s.new_cities.is_empty() || s.last.verb >= Verb::BuyCity;
        demand(is_past, "last.verb", "cities were bought in this turn")
    }

    fn check_market(&self, s: &State) -> Finding {
        let has_won = !self.winners_by_homes(s).is_empty();
        demand(!has_won, "owned", "the homes of a seat end the game before the market")?;
        match (s.phase, s.detail) {
            (Phase::Market, Detail::Nothing) => {
                let deals = [Verb::Ransom, Verb::Raze];
                let purchases = [Verb::BuyCity, Verb::BuyFort, Verb::BuyRoad, Verb::BuyUnit];
                Self::check_last(s, &[&deals[..], &purchases].concat())
            }
            (Phase::Answer, Detail::Deal { captor, offer }) => {
                demand(s.actor == captor, "actor", "the captor answers")?;
                let a = captor.number();
                let action = match offer {
                    EXCHANGE => Action::with(Verb::Exchange, a),
                    _ => Action::pair(Verb::Ransom, a, offer),
                };
                demand(s.last.c == 0, "last.c", "0 for a deal")?;
                self.check_choice(s, Self::last_deal(captor), action)
            }
            (Phase::Buy, Detail::Units { unit, place }) => {
                demand(s.actor == s.turn, "actor", "the seat in turn buys")?;
                demand(s.last.c == 0, "last.c", "0 for a purchase")?;
                let (a, b) = (unit as u8, place.number());
                let last = Last::new(Verb::BuyUnit, a, b);
                self.check_choice(s, last, Action::pair(Verb::BuyUnit, a, b))
            }
            (phase, detail) => {
                demand(false, "detail", format_args!("{detail:?} is no choice of {phase:?}"))
            }
        }
    }

    // --- the end ---

    fn check_end_die(&self, s: &State) -> Finding {
        demand(s.actor == s.turn, "actor", "the die is thrown for the seat in turn")?;
        demand(s.last == Last::NONE, "last", "no menu is open")?;
        let rung = self.rung(s).and_then(|rung| self.board.ladder.get(rung));
        let is_due = rung.is_some_and(|&faces| faces != 0);
        demand(is_due, "round", format_args!("no die ends the game in round {}", s.round))?;
        let has_won = !self.winners_by_homes(s).is_empty();
        demand(!has_won, "owned", "the homes of a seat end the game before the die")
    }

    fn check_end(&self, s: &State) -> Finding {
        demand(s.actor == s.turn, "actor", "nobody chooses at the end")?;
        demand(s.last == Last::NONE, "last", "no menu is open")?;
        let alive = s.alive(self.n_players);
        let by_homes = self.winners_by_homes(s);
        let due = match (alive.len(), by_homes.is_empty()) {
            (1, _) => alive,
            (_, false) => by_homes,
            (_, true) => self.winners_on_points(s),
        };
        demand(s.winners == due, "winners", format_args!("the position gives {due:?}"))
    }
}
