//! Conflicts: duels of cards until one side is gone from an area or a sea route (H4).

use super::Hannibal;
use super::board::Hand;
use super::state::{CARTHAGE, Fighter, Phase, ROME, Site, State};

impl Hannibal {
    /// Carries out the choice of Carthage's fighter.
    pub(super) fn choose_fighter(&self, s: &mut State, fighter: Fighter) {
        s.fighter = Some(fighter);
        self.go_on_fighting(s);
    }

    /// Ends the conflict under way by decree, with these legions or fleets left on each side, and the turn with it.
    /// Hands stay as they are. Agents use it with the odds of conflicts.
    ///
    /// # Panics
    /// If there is no conflict, or both sides have pieces left.
    pub fn decide_conflict(&self, s: &mut State, left: [u8; 2], hannibal_stays: bool) {
        match s.site.expect("a conflict is being fought") {
            Site::Area(area) => {
                left.into_iter().enumerate().for_each(|(seat, n)| s.set_legions(seat, area, n));
                s.hannibal &= if hannibal_stays { !0 } else { !(1 << area) };
            }
            Site::Route(route) => {
                left.into_iter().enumerate().for_each(|(seat, n)| s.set_fleets(seat, route, n));
            }
        }
        assert!(!Self::is_contested(s), "both sides are left");
        self.go_on_fighting(s);
    }

    /// Goes on to the next choice of the conflict, or ends it and the turn.
    pub(super) fn go_on_fighting(&self, s: &mut State) {
        loop {
            if !Self::is_contested(s) {
                (s.site, s.fighter) = (None, None);
                return self.end_turn(s);
            }
            if let (Some(Site::Area(area)), None) = (s.site, s.fighter) {
                let has_legion = s.areas[CARTHAGE] >> area & 1 == 1;
                let has_hannibal = s.hannibal >> area & 1 == 1;
                if has_legion && has_hannibal {
                    s.phase = Phase::Fight;
                    return;
                }
                s.fighter = Some(if has_hannibal { Fighter::Hannibal } else { Fighter::Legion });
            }
            if s.hands[CARTHAGE].count_ones() > 1 {
                s.phase = Phase::Duel;
                return;
            }
            // The last cards leave no choice.
            self.resolve(s, s.hands.map(|hand| hand.trailing_zeros() as u8));
        }
    }

    pub(super) fn is_contested(s: &State) -> bool {
        match s.site {
            Some(Site::Area(area)) => (s.held(CARTHAGE) & s.held(ROME)) >> area & 1 == 1,
            Some(Site::Route(route)) => (s.routes[CARTHAGE] & s.routes[ROME]) >> route & 1 == 1,
            None => false,
        }
    }

    /// Resolves a duel in which both sides have played a card of these values.
    #[inline]
    pub(super) fn resolve(&self, s: &mut State, cards: [u8; 2]) {
        let is_hannibal = s.fighter == Some(Fighter::Hannibal);
        let carthage = cards[CARTHAGE] + if is_hannibal { self.board.bonus } else { 0 };
        let rome = cards[ROME];
        let survives_ties = is_hannibal && !self.board.hannibal_lost_on_tie;
        if carthage < rome || carthage == rome && !survives_ties {
            Self::lose(s, CARTHAGE);
        }
        if rome <= carthage {
            Self::lose(s, ROME);
        }
        for (hand, card) in s.hands.iter_mut().zip(cards) {
            *hand = self.without(*hand, card);
        }
    }

    /// Returns a hand after a card is used: all cards again when it was the last.
    fn without(&self, hand: Hand, card: u8) -> Hand {
        let left = hand & !(1 << card);
        if left == 0 { self.board.full_hand } else { left }
    }

    /// Removes the fighting piece of a side.
    fn lose(s: &mut State, seat: usize) {
        match s.site {
            Some(Site::Route(route)) => s.remove_fleet(seat, route),
            Some(Site::Area(_)) if seat == CARTHAGE && s.fighter == Some(Fighter::Hannibal) => {
                s.hannibal = 0;
                s.fighter = None;
            }
            Some(Site::Area(area)) => {
                s.remove_legion(seat, area);
                if seat == CARTHAGE {
                    s.fighter = None;
                }
            }
            None => unreachable!("nobody fights"),
        }
    }
}
