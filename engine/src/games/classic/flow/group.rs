//! Groups: the choice of members among the pieces at rest, count by count, and arrival (5.2, 5.5, 5.8, 5.9).

use crate::games::classic::Classic;
use crate::games::classic::flow::turn::generals;
use crate::games::classic::model::detail::{Detail, Group, N_KINDS, Way};
use crate::games::classic::model::place::{N_PROVINCES, Place};
use crate::games::classic::model::state::{Mobility, State, counts, packed};
use crate::games::shared::options::Options;
use crate::games::shared::units::{Troops, Unit};

/// The limits on the counts of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The pieces that can go: generals, caesar, infantry, cavalry, catapults.
    pub(crate) there: [u8; N_KINDS],
    /// Largest number of leaders.
    pub(crate) leaders: u8,
    /// Smallest number of troops, and the largest for each leader.
    pub(crate) least_troops: u8,
    pub(crate) per_leader: u8,
    /// Number of troops that must go if no leader does, less the room that each staying leader leaves.
    pub(crate) overhang: i16,
}

impl Limits {
    /// Returns the number of troops that must go along with `leaders` leaders: the goal is defended, or too many would
    /// stay (5.8).
    pub(crate) fn least(&self, leaders: u8) -> u8 {
        let too_many = self.overhang + i16::from(self.per_leader) * i16::from(leaders);
        i16::from(self.least_troops).max(too_many) as u8
    }

    /// Returns the largest number of troops that go along with `leaders` leaders.
    pub(crate) const fn most(&self, leaders: u8) -> u8 {
        self.per_leader.saturating_mul(leaders)
    }

    /// Returns the largest number of leaders with whom enough troops can go.
    fn most_leaders(&self) -> u8 {
        let troops = self.there[2] + self.there[3] + self.there[4];
        let mut most = self.leaders;
        while most > 1 && self.least(most) > troops.min(self.most(most)) {
            most -= 1;
        }
        most
    }

    /// Returns the smallest and the largest value of the count that is due.
    pub(crate) fn range(&self, group: &Group) -> (u8, u8) {
        let (due, there) = (usize::from(group.due), self.there);
        let left = |most: u8, chosen: u8| most.saturating_sub(chosen);
        if due < 2 {
            let most = left(self.most_leaders(), group.leaders());
            let later = if due == 0 { there[1] } else { 0 };
            let needed = u8::from(group.leaders() == 0);
            return (needed.saturating_sub(later), there[due].min(most));
        }
        let later: u8 = there[due + 1..].iter().sum();
        let least = left(self.least(group.leaders()), group.troops());
        let most = left(self.most(group.leaders()), group.troops());
        (least.saturating_sub(later), there[due].min(most))
    }
}

impl Classic {
    /// Returns the limits of the group being counted.
    pub(crate) fn limits(&self, s: &State, group: &Group) -> Limits {
        let (from, player) = (group.from, s.turn);
        let steps = self.board.steps;
        let is_march = group.way == Way::March;
        let may = |steps: u8| !is_march || steps >= s.wave;
        let general = if may(steps.general) { Self::generals_at_rest(s, from) } else { 0 };
        let caesar = u8::from(may(steps.caesar) && Self::is_caesar_at_rest(s, from));
        let troops = if is_march {
            self.mobile_troops(s, from)
        } else {
            counts(Self::troops_at_rest(s, from))
        };
        let leaders = match group.way {
            Way::Board => {
                let ferries = self.ferries(s, from, group.zone);
                if group.to == group.zone { ferries.any } else { ferries.two }
            }
            Way::Convoy | Way::March => u8::MAX,
        };
        let per_leader = self.board.config.movement.troops_per_leader as u8;
        let aboard = i16::from(s.troops(player, from).military());
        let all_leaders = i16::from(s.n_leaders(player, from));
        let overhang = match group.way {
            Way::Convoy => aboard - i16::from(per_leader) * all_leaders,
            Way::Board | Way::March => i16::MIN / 2,
        };
        Limits {
            there: [general, caesar, troops[0], troops[1], troops[2]],
            leaders: leaders.min(general + caesar),
            least_troops: u8::from(s.defended(player).contains(group.to)),
            per_leader,
            overhang,
        }
    }

    pub(crate) fn group_options(&self, s: &State) -> Options {
        let Detail::Group(group) = s.detail else { unreachable!("a group is mustered") };
        let (least, most) = self.limits(s, &group).range(&group);
        Options::range(least.into(), most.into())
    }

    pub(crate) fn count_group(&self, s: &mut State, number: u8) {
        let Detail::Group(mut group) = s.detail else { unreachable!("a group is mustered") };
        let limits = self.limits(s, &group);
        group.counts[usize::from(group.due)] = number;
        group.due += 1;
        // A count with a single possible value is no decision.
        while usize::from(group.due) < N_KINDS {
            let (least, most) = limits.range(&group);
            if least < most {
                s.detail = Detail::Group(group);
                return;
            }
            group.counts[usize::from(group.due)] = least;
            group.due += 1;
        }
        match group.way {
            Way::March => self.march(s, &group),
            Way::Convoy => self.convoy(s, &group),
            Way::Board => self.embark(s, &group),
        }
        Self::back_to_menu(s);
    }

    /// Returns all land pieces of a group but the caesar.
    fn pieces(group: &Group) -> Troops {
        let [general, _, infantry, cavalry, catapult] = group.counts;
        Troops(packed([infantry, cavalry, catapult]).0 + generals(general))
    }

    /// Moves a group, including the caesar; the caller notes the pieces as moved.
    fn transfer(s: &mut State, group: &Group) {
        s.shift(s.turn, group.from, group.to, Self::pieces(group));
        if group.counts[1] > 0 {
            s.move_caesar(s.turn, Some(group.to));
        }
    }

    /// Makes a march step (5.3 to 5.6).
    fn march(&self, s: &mut State, group: &Group) {
        let (from, to) = (group.from.idx(), group.to.idx());
        let is_stopped = s.foreign_pieces(s.turn).contains(group.to);
        let steps = self.board.steps;
        let (mut half, mut spent) = ([0; 3], [0; 3]);
        for unit in Unit::LAND_MILITARY {
            let i = unit.idx();
            let number = group.counts[2 + i];
            // Those with the fewest steps left go first.
            let slow = number.min(s.half[from].count(unit));
            s.half[from].0 -= Troops::one(unit) * u16::from(slow);
            let goes_on = if steps.troops[i] == 2 && !is_stopped { number - slow } else { 0 };
            half[i] = goes_on;
            spent[i] = number - goes_on;
        }
        Self::transfer(s, group);
        s.half[to].0 += packed(half).0;
        s.spent[to].0 += packed(spent).0;
        let general = group.counts[0];
        if is_stopped || steps.general <= s.wave {
            s.spent[to].0 += generals(general);
        } else {
            s.half[to].0 += generals(general);
        }
        if group.counts[1] > 0 {
            let is_done = is_stopped || steps.caesar <= s.wave;
            s.mobility = if is_done { Mobility::Spent } else { Mobility::Next };
        }
    }

    /// Moves a group that does nothing more this turn.
    fn carry(s: &mut State, group: &Group) {
        Self::transfer(s, group);
        s.spent[group.to.idx()].0 += Self::pieces(group).0;
        if group.counts[1] > 0 {
            s.mobility = Mobility::Spent;
        }
    }

    /// Sails a convoy: as many galleys as leaders go along (5.8).
    fn convoy(&self, s: &mut State, group: &Group) {
        let (player, n) = (s.turn, group.leaders() as i8);
        let goal = if group.to.is_province() { self.anchorage(group) } else { group.to };
        let from = &mut s.galleys[group.from.idx()];
        from.add_fresh(-n);
        from.add(player, -n);
        s.galleys[goal.idx()].add(player, n);
        Self::carry(s, group);
    }

    /// Returns the zone from which a convoy lands: its own, or the first that touches both.
    fn anchorage(&self, group: &Group) -> Place {
        let (near, shore) = (self.board.near[group.from.idx()], self.board.near[group.to.idx()]);
        if near.contains(group.to) {
            return group.from;
        }
        (near & shore).zones().first().expect("a convoy lands within two steps")
    }

    /// Boards a group, which may go on with the second step (5.9).
    fn embark(&self, s: &mut State, group: &Group) {
        let stays = group.to == group.zone;
        let goal = if group.to.is_province() { group.zone } else { group.to };
        let (player, port) = (s.turn, group.from);
        let mut left = group.leaders();
        if stays {
            for place in [group.zone, port] {
                let n = left.min(s.galleys[place.idx()].half());
                s.galleys[place.idx()].add_half(-(n as i8));
                Self::relocate(s, place, goal, n);
                left -= n;
            }
        }
        for place in [group.zone, port] {
            let n = left.min(Self::empty_fresh(s, place));
            s.galleys[place.idx()].add_fresh(-(n as i8));
            Self::relocate(s, place, goal, n);
            left -= n;
        }
        debug_assert!(left == 0 && port.idx() < N_PROVINCES && s.turn == player);
        Self::carry(s, group);
    }

    fn relocate(s: &mut State, from: Place, to: Place, number: u8) {
        let player = s.turn;
        s.galleys[from.idx()].add(player, -(number as i8));
        s.galleys[to.idx()].add(player, number as i8);
    }
}
