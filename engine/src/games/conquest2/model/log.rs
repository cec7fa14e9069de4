//! The log of events of Senators, the base of inference about hidden hands (see `knowledge`).

use std::hash::{Hash, Hasher};

use crate::data::data;
use crate::player::Player;

/// Largest number of bribes that can be tracked; the configuration admits no more Bribe Senator cards.
pub(crate) const MAX_BRIBES: usize = 8;
/// Largest number of assassinations, of Senators of players with bribed cards, that enter the posterior; later ones do
/// not.
pub(crate) const MAX_KILLS: usize = 8;
/// A floor below every possible count.
pub(crate) const NO_FLOOR: [i8; 4] = [i8::MIN; 4];

/// A count of Senators by value that may be negative.
pub(crate) type Signed = [i8; 4];

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Bribe {
    pub(crate) thief: Player,
    pub(crate) victim: Player,
    /// 0 to 3 for value I to IV; seen by thief and victim only.
    pub(crate) value: u8,
    /// The victim's hand before the bribe, without the effect of bribes.
    pub(crate) base: Signed,
    /// The Senators that thief and victim have shown since, up to their next bribe: a lower bound on their gain from
    /// bribes.
    pub(crate) floor: [Signed; 2],
}

/// The placeholder in an unused entry.
const NOBODY: Player = Player::new(0);

const NO_BRIBE: Bribe =
    Bribe { thief: NOBODY, victim: NOBODY, value: 0, base: [0; 4], floor: [NO_FLOOR; 2] };

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Kill {
    pub(crate) victim: Player,
    pub(crate) value: u8,
    /// The victim's Senators of that value before the kill, without the effect of bribes.
    pub(crate) base: i8,
    /// Number of earlier bribes.
    pub(crate) after: u8,
}

const NO_KILL: Kill = Kill { victim: NOBODY, value: 0, base: 0, after: 0 };

/// The log of all events that bear on hidden hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Knowledge {
    pub(crate) bribes: [Bribe; MAX_BRIBES],
    pub(crate) kills: [Kill; MAX_KILLS],
    pub(crate) n_bribes: u8,
    pub(crate) n_kills: u8,
}

data!(struct Bribe { thief, victim, value, base, floor });
data!(struct Kill { victim, value, base, after });
data!(struct Knowledge { bribes, kills, n_bribes, n_kills });

impl Hash for Knowledge {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.bribes().hash(hasher);
        self.kills[..usize::from(self.n_kills)].hash(hasher);
    }
}

/// Values of all bribes: one hypothesis.
pub(crate) type Values = [u8; MAX_BRIBES];

impl Knowledge {
    pub(crate) const EMPTY: Self = Self {
        bribes: [NO_BRIBE; MAX_BRIBES],
        kills: [NO_KILL; MAX_KILLS],
        n_bribes: 0,
        n_kills: 0,
    };

    pub(crate) fn bribes(&self) -> &[Bribe] {
        &self.bribes[..usize::from(self.n_bribes)]
    }

    pub(crate) fn values(&self) -> Values {
        std::array::from_fn(|i| self.bribes[i].value)
    }
}

impl Bribe {
    /// Returns whether a player has seen the bribed Senator.
    pub(crate) fn is_seen_by(&self, observer: Player) -> bool {
        self.thief == observer || self.victim == observer
    }
}
