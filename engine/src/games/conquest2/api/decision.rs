//! The decision that is due in a form for agents (a set, a range, or its actions), and the battle under way.

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::api::read::Situation;
use crate::games::conquest2::model::action::{Action, Verb};
use crate::games::conquest2::model::battle::Side;
use crate::games::conquest2::model::cards::Vote;
use crate::games::conquest2::model::counts::Mover;
use crate::games::conquest2::model::detail::Detail;
use crate::games::conquest2::model::options::TOP;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{Place, Zone, ZoneSet};
use crate::games::conquest2::model::state::worth;
use crate::games::conquest2::model::units::{N_MILITARY, Unit};
use crate::player::Player;

/// The decision that is due.
impl Situation<'_> {
    /// Returns the phase: the decision or chance event that is due.
    #[inline]
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.state.phase()
    }

    /// Returns the player who decides.
    ///
    /// # Panics
    /// If chance is due.
    #[inline]
    #[must_use]
    pub fn actor(&self) -> Player {
        self.state.actor()
    }

    /// Returns whether `player` decides.
    #[inline]
    #[must_use]
    pub fn is_actor(&self, player: Player) -> bool {
        self.state.actor == Some(player)
    }

    /// Returns the options as bits: places, seats, cards, or other members of [`Phase`]; zero for numbers.
    #[inline]
    #[must_use]
    pub const fn set(&self) -> u64 {
        self.state.options.set()
    }

    /// Returns the lowest and the highest number that can be chosen (bids in steps).
    #[inline]
    #[must_use]
    pub const fn range(&self) -> (u16, u16) {
        let options = self.state.options;
        (options.lo(), options.lo() + options.n() - 1)
    }

    /// Returns the option that is member `bit` of [`Situation::set`].
    #[inline]
    #[must_use]
    pub fn member(&self, bit: u8) -> Action {
        debug_assert!(self.set() >> bit & 1 == 1, "no member {bit} in {:?}", self.phase());
        crate::games::conquest2::model::options::member(self.state.phase(), bit)
    }

    /// Returns the option with the number closest to `number`.
    #[inline]
    #[must_use]
    pub fn number(&self, number: u16) -> Action {
        let (lo, hi) = self.range();
        self.game.option(self.state, number.clamp(lo, hi) - lo)
    }

    /// Returns whether a turn can go on with `verb`.
    #[inline]
    #[must_use]
    pub fn offers(&self, verb: Verb) -> bool {
        TOP.iter().position(|&v| v == verb).is_some_and(|bit| self.set() >> bit & 1 == 1)
    }

    /// Returns the word `verb` of a turn.
    #[inline]
    #[must_use]
    pub const fn word(&self, verb: Verb) -> Action {
        Action::plain(verb)
    }

    /// Returns the first option.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Action {
        self.game.option(self.state, 0)
    }

    /// Returns the vote that shows `senators`, by value.
    #[inline]
    #[must_use]
    pub const fn show(&self, senators: [u8; 4]) -> Action {
        Action::show(senators)
    }

    /// Returns the sea zones to which the actor can sail, or in which they can give battle.
    #[inline]
    #[must_use]
    pub fn set_of_ports(&self) -> ZoneSet {
        self.game.ports(self.state)
    }

    /// Returns the provinces that still get a share of the starting units being counted.
    #[inline]
    #[must_use]
    pub fn homes_left(&self) -> u32 {
        self.state.detail.placement().uncounted.len()
    }

    /// Returns the proposal of an ordered pair, or of a single player in the first (`Some, None`) or second box.
    #[inline]
    #[must_use]
    pub fn proposal(&self, a: Option<Player>, b: Option<Player>) -> Action {
        let proposal = Action::propose([a, b]);
        debug_assert!(self.game.is_option(self.state, proposal), "{a:?} and {b:?} are no pair");
        proposal
    }

    /// Returns the standing bid in talents with its boxes, if there is one.
    #[inline]
    #[must_use]
    pub fn standing_bid(&self) -> Option<(u16, [Option<Player>; 2])> {
        let auction = &self.state.auction;
        auction.bidder.map(|_| (auction.bid, auction.boxes))
    }

    /// Returns the sea zone that is the actor's destination.
    #[inline]
    #[must_use]
    pub const fn zone_under_way(&self) -> Option<Zone> {
        match self.state.detail {
            Detail::Sailing(sailing) => Some(sailing.to),
            _ => None,
        }
    }

    /// Returns the destination of the land units that move.
    #[inline]
    #[must_use]
    pub fn destination(&self) -> Option<Place> {
        self.state.detail.leg().map(|leg| leg.to)
    }

    /// Returns the kind of starting units being counted ([`Phase::PlaceCount`]).
    #[inline]
    #[must_use]
    pub fn placed(&self) -> Option<Unit> {
        match self.state.detail {
            Detail::Placement { starter, .. } => starter.counted(),
            _ => None,
        }
    }

    /// Returns the kind of units being recruited ([`Phase::RecruitCount`]).
    #[inline]
    #[must_use]
    pub fn recruited(&self) -> Option<Unit> {
        match self.state.detail {
            Detail::Recruitment(recruitment) => Some(recruitment.count.unit()),
            _ => None,
        }
    }

    /// Returns the kind of movers being counted ([`Phase::MoveCount`], [`Phase::BarbariansCount`]).
    #[inline]
    #[must_use]
    pub fn mover(&self) -> Option<Mover> {
        self.state.detail.leg()?.count
    }

    /// Returns the province that gets the starting units being counted.
    #[inline]
    #[must_use]
    pub fn home_counted(&self) -> Option<Place> {
        self.state.detail.placement().uncounted.first()
    }

    /// Returns the Senate Vote under way, and the votes of its standing bid.
    #[inline]
    #[must_use]
    pub fn vote(&self) -> Option<(Vote, u16)> {
        self.state.vote.vote.map(|vote| (vote, worth(self.state.vote.shown)))
    }
}

/// The battle under way.
impl Situation<'_> {
    /// Returns the province of a land battle.
    #[inline]
    #[must_use]
    pub const fn battle_place(&self) -> Option<Place> {
        self.state.battle.place
    }

    /// Returns the zone of a naval battle.
    #[inline]
    #[must_use]
    pub const fn battle_zone(&self) -> Option<Zone> {
        self.state.battle.zone
    }

    /// Returns the commander of each side, or `None` for slaves.
    #[inline]
    #[must_use]
    pub fn commanders(&self) -> [Option<Player>; 2] {
        Side::ALL.map(|side| self.state.battle.commander(side))
    }

    /// Returns the armies of both sides: infantry, cavalry, catapults, galleys.
    #[inline]
    #[must_use]
    pub fn battle_armies(&self) -> [[u8; N_MILITARY]; 2] {
        Side::ALL.map(|side| Conquest2::army(self.state, side))
    }

    /// Returns the own units of a player in the battle.
    #[inline]
    #[must_use]
    pub fn engaged(&self, player: Player) -> [u8; N_MILITARY] {
        self.state.battle.engaged[player]
    }

    /// Returns the kind of unit whose losses are being counted, and its owner (`None` for Diplomacy troops).
    #[inline]
    #[must_use]
    pub fn loss(&self) -> (Unit, Option<Player>) {
        let loss = self.state.battle.count.loss();
        (loss.unit(), loss.owner())
    }

    /// Returns the number of hits that the actor's side has still to take.
    #[inline]
    #[must_use]
    pub fn hits(&self) -> u8 {
        self.state.battle.hits[self.state.battle.side]
    }
}
