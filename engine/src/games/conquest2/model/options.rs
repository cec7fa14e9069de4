//! The options of the decision that is due, and the [`Action`] of each member of a set.
//!
//! Every decision is a set of at most 64 things, a range of numbers, or a small enumeration. There are two such
//! enumerations: an assassin's targets, and Senators to show. So the options fit into twelve bytes, counting them is
//! free, and a uniformly random one is drawn without a list.

use crate::games::conquest2::model::action::{Action, NOBODY, Verb};
use crate::games::conquest2::model::cards::{N_MERCHANTS, N_VOTES};
use crate::games::conquest2::model::phase::{COURSE, N_PHASES, Phase};
use crate::games::conquest2::model::place::N_PROVINCES;
use crate::player::MAX_PLAYERS;

pub(crate) use crate::games::shared::options::{LAST, Options};

/// Options of a turn, in the order of 8.3.
pub(crate) const TOP: [Verb; 10] = [
    Verb::Take,
    Verb::Recruit,
    Verb::Buy,
    Verb::Tax,
    Verb::Move,
    Verb::Battle,
    Verb::Sail,
    Verb::PassAction,
    Verb::Use,
    Verb::End,
];

/// Set members of [`Phase::Propose`]: `6 a + b` for a pair, then the lone player to A, then to B.
pub(crate) const LONE_A: u8 = 36;
pub(crate) const LONE_B: u8 = LONE_A + MAX_PLAYERS as u8;

/// Set members of [`Phase::Use`]: merchants, loot, votes, Senators of a seat, and one bit for all generals.
pub(crate) const USE_LOOT: u8 = N_MERCHANTS as u8;
pub(crate) const USE_VOTE: u8 = USE_LOOT + 1;
pub(crate) const USE_SENATOR: u8 = USE_VOTE + N_VOTES as u8;

/// Returns the only set member that `action` can be; 64 or more if there is none.
pub(crate) fn bit_of(phase: Phase, action: Action) -> u8 {
    let [a, b, ..] = action.args;
    match action.verb {
        Verb::Done | Verb::Stop | Verb::Stay | Verb::NoAttack => 63,
        Verb::Pass | Verb::WindYes => 0,
        Verb::Bid | Verb::WindNo => 1,
        Verb::Propose if b == NOBODY => LONE_A.saturating_add(a),
        Verb::Propose if a == NOBODY => LONE_B.saturating_add(b),
        Verb::Propose => a.saturating_mul(6).saturating_add(b),
        verb if phase == Phase::Top => {
            TOP.iter().position(|&v| v == verb).map_or(64, |bit| bit as u8)
        }
        _ => a,
    }
}

/// Returns the action of a set member.
#[inline]
pub(crate) fn member(phase: Phase, bit: u8) -> Action {
    match phase {
        Phase::Top => Action::plain(TOP[bit as usize]),
        Phase::Bid => Action::plain(if bit == 0 { Verb::Pass } else { Verb::Bid }),
        Phase::Propose => propose(bit),
        Phase::Wind => Action::plain(if bit == 0 { Verb::WindYes } else { Verb::WindNo }),
        _ => named(phase, bit),
    }
}

/// Returns the action of a place, a seat, a card or a number, or the last word of the menu.
#[inline]
pub(crate) fn named(phase: Phase, number: u8) -> Action {
    let Words { verb, last, last_bit } = WORDS[phase as usize];
    let is_last = number == last_bit;
    Action::with(if is_last { last } else { verb }, if is_last { 0 } else { number })
}

/// The words for the options of a phase.
#[derive(Clone, Copy)]
struct Words {
    /// The word with a place, a seat, a card or a number.
    verb: Verb,
    /// The last word of the menu.
    last: Verb,
    /// The bit of the last word; `u8::MAX` where there is none.
    last_bit: u8,
}

/// The words by phase.
static WORDS: [Words; N_PHASES] = {
    let mut words = [words_of(COURSE[0].0); N_PHASES];
    let mut i = 0;
    while i < N_PHASES {
        words[i] = words_of(COURSE[i].0);
        i += 1;
    }
    words
};

const fn words_of(phase: Phase) -> Words {
    let verb = match phase {
        Phase::BuySource | Phase::BuyMore => return menu(Verb::Source, Verb::Stop),
        Phase::MoveTo => return menu(Verb::To, Verb::Done),
        Phase::SailAttack => return menu(Verb::Attack, Verb::NoAttack),
        Phase::Retreat => return menu(Verb::Retreat, Verb::Stay),
        Phase::PlaceCaesar => Verb::PlaceCaesar,
        Phase::PlaceGeneral => Verb::PlaceGeneral,
        Phase::PlaceGalley => Verb::PlaceGalley,
        Phase::TakeCard => Verb::Card,
        Phase::MoveFrom | Phase::BarbariansFrom => Verb::From,
        Phase::BattleAgainst => Verb::Against,
        Phase::SailTo => Verb::ToZone,
        Phase::FleetFrom => Verb::FromZone,
        Phase::BribeTarget | Phase::RevoltTarget => Verb::Target,
        Phase::Withdraw => Verb::Withdraw,
        Phase::PlaceCount
        | Phase::RecruitCount
        | Phase::Tax
        | Phase::MoveCount
        | Phase::SailCount
        | Phase::BarbariansCount
        | Phase::Commit
        | Phase::Lend
        | Phase::NavalLend
        | Phase::Losses => Verb::Count,
        _ => Verb::In,
    };
    Words { verb, last: verb, last_bit: u8::MAX }
}

const fn menu(verb: Verb, last: Verb) -> Words {
    Words { verb, last, last_bit: LAST.trailing_zeros() as u8 }
}

fn propose(bit: u8) -> Action {
    match bit {
        0..LONE_A => Action::pair(Verb::Propose, bit / 6, bit % 6),
        LONE_A..LONE_B => Action::pair(Verb::Propose, bit - LONE_A, NOBODY),
        _ => Action::pair(Verb::Propose, NOBODY, bit - LONE_B),
    }
}

const _: () = assert!(N_PROVINCES < 63, "bit 63 is free for done, stop, stay and no-attack");
