//! Which decision or chance event is due, what its options are, and how an option is an [`Action`].
//!
//! Every decision is a set of at most 64 things, a range of numbers, or one of two small enumerations (an
//! assassin's targets, Senators to show). So the options fit into twelve bytes, counting them is free, and a
//! uniformly random one is drawn without a list.

use super::Conquest2;
use super::board::{N_PROVINCES, NONE, each};
use super::cards::{ASSASSIN, LOOT, MERCHANT, N_MERCHANTS, N_VOTES, VOTE};
use super::senate::{is_show, nth_show};
use super::state::State;
use crate::player::MAX_PLAYERS;

/// What is due.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Chance: who is first player (2.3).
    FirstPlayer,
    /// Chance: a token at set-up (2.4).
    SetupToken,
    /// Chance: a token at a season's start (4).
    SeasonToken,
    /// Chance: a card at a season's start (5).
    SeasonCard,
    /// Pass or bid (6.3).
    Bid,
    /// Who goes to box A and B (6.4).
    Propose,
    /// How much is bid (6.4).
    Amount,
    /// Where the caesar starts (7).
    PlaceCaesar,
    /// Where a general starts.
    PlaceGeneral,
    /// Where a galley starts.
    PlaceGalley,
    /// How many of a kind start in a province.
    PlaceCount,
    /// What to do in a turn (8.3).
    Top,
    /// Which card to take (9).
    TakeCard,
    /// Where to recruit (10).
    RecruitIn,
    /// How many of a kind to recruit.
    RecruitCount,
    /// Where to buy influence (11).
    BuyIn,
    /// What to buy.
    BuySource,
    /// What to buy second.
    BuyMore,
    /// How much special tax (12).
    Tax,
    /// From where to move (13).
    MoveFrom,
    /// To where to move.
    MoveTo,
    /// How many of a kind move.
    MoveCount,
    /// Where to give battle (15).
    BattleIn,
    /// Whom to attack.
    BattleAgainst,
    /// Where to sail (15N).
    SailTo,
    /// How many galleys sail from a zone.
    SailCount,
    /// Whom to attack at sea.
    SailAttack,
    /// Which card to use (16).
    Use,
    /// Which galley goes to the commandeered fleet (14.1).
    FleetFrom,
    /// Where to build (14.2).
    CityIn,
    /// From where against the Barbarians (14.3).
    BarbariansFrom,
    /// How many of a kind against the Barbarians.
    BarbariansCount,
    /// Whose Senator to bribe (14.5).
    BribeTarget,
    /// Where slaves revolt (14.6).
    RevoltIn,
    /// Whom they fight next.
    RevoltTarget,
    /// How many galleys join a land battle (15.2).
    Commit,
    /// How many units are lent to a land battle (15.3).
    Lend,
    /// Chance: a roll (15.5).
    Dice,
    /// How many of a kind are lost (15.6).
    Losses,
    /// Retreat or stay (15.7).
    Retreat,
    /// Where leaders withdraw to (15.8).
    Withdraw,
    /// Whether a naval battle is called off (15N.2).
    Wind,
    /// How many galleys are lent (15N.3).
    NavalLend,
    /// Pass or show Senators (16.4).
    Vote,
    /// Where the new legions appear (16.4).
    LegionsIn,
    /// Chance: a random Senator (14.5, 16.2, 16.4).
    SenatorDraw,
    /// The game is over.
    Over,
}

impl Phase {
    /// Whether a chance event is due.
    #[must_use]
    pub const fn is_chance(self) -> bool {
        matches!(
            self,
            Self::FirstPlayer
                | Self::SetupToken
                | Self::SeasonToken
                | Self::SeasonCard
                | Self::Dice
                | Self::SenatorDraw
        )
    }

    /// Whether a turn of an action round is under way: not at set-up, before the first turn of a season, or at the end.
    #[must_use]
    pub const fn is_in_a_turn(self) -> bool {
        self as u8 >= Self::Top as u8 && !matches!(self, Self::Over)
    }
}

/// The options of the decision that is due: members of a set, or `n` numbers from `lo`.
///
/// Two words, so that it travels in registers: three fields cost a store-forwarding stall per decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Options {
    set: u64,
    /// `n` and, above it, `lo`.
    numbers: u32,
}

impl Options {
    pub(super) const NONE: Self = Self::new(0, 0, 0);

    pub(super) const fn new(set: u64, lo: u16, n: u16) -> Self {
        Self { set, numbers: (lo as u32) << 16 | n as u32 }
    }

    pub(super) const fn of(set: u64) -> Self {
        Self::new(set, 0, set.count_ones() as u16)
    }

    /// The numbers `lo..=hi`.
    pub(super) const fn range(lo: u16, hi: u16) -> Self {
        debug_assert!(lo <= hi);
        Self::new(0, lo, hi - lo + 1)
    }

    pub(super) const fn set(self) -> u64 {
        self.set
    }

    pub(super) const fn lo(self) -> u16 {
        (self.numbers >> 16) as u16
    }

    /// Number of options.
    pub(super) const fn n(self) -> u16 {
        self.numbers as u16
    }
}

/// The word of an action, or the kind of a chance outcome.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the words are those of the decision protocol")]
pub enum Verb {
    Pass,
    Bid,
    Propose,
    Amount,
    PlaceCaesar,
    PlaceGeneral,
    PlaceGalley,
    Count,
    Take,
    Recruit,
    Buy,
    Tax,
    Move,
    Battle,
    Sail,
    PassAction,
    Use,
    End,
    Card,
    In,
    Source,
    Stop,
    From,
    FromZone,
    To,
    ToZone,
    Done,
    Against,
    Target,
    Attack,
    NoAttack,
    Retreat,
    Stay,
    Withdraw,
    WindYes,
    WindNo,
    Merchant,
    AssassinGeneral,
    AssassinSenator,
    Loot,
    Vote,
    Show,
    /// Chance: the seat of the first player.
    First,
    /// Chance: a token, by key province.
    Token,
    /// Chance: a card.
    Drawn,
    /// Chance: how many dice show infantry, cavalry, catapult, galley, blank.
    Dice,
    /// Chance: a Senator of value 0 to 3 (for I to IV).
    Senator,
}

/// A choice of a player or an outcome of chance: a word and up to five small numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action {
    pub(super) verb: Verb,
    pub(super) args: [u8; 5],
}

impl Action {
    pub(super) const fn plain(verb: Verb) -> Self {
        Self { verb, args: [0; 5] }
    }

    pub(super) const fn with(verb: Verb, arg: u8) -> Self {
        Self { verb, args: [arg, 0, 0, 0, 0] }
    }

    pub(super) const fn pair(verb: Verb, a: u8, b: u8) -> Self {
        Self { verb, args: [a, b, 0, 0, 0] }
    }

    const fn amount(steps: u16) -> Self {
        let [low, high] = steps.to_le_bytes();
        Self::pair(Verb::Amount, low, high)
    }

    pub(super) const fn show(senators: [u8; 4]) -> Self {
        let [a, b, c, d] = senators;
        Self { verb: Verb::Show, args: [a, b, c, d, 0] }
    }

    /// Steps of a bid.
    pub(super) const fn steps(self) -> u16 {
        u16::from_le_bytes([self.args[0], self.args[1]])
    }

    pub(super) const fn senators(self) -> [u8; 4] {
        let [a, b, c, d, _] = self.args;
        [a, b, c, d]
    }

    /// What the action says.
    #[must_use]
    pub const fn verb(self) -> Verb {
        self.verb
    }

    /// Its first number: a place, seat, card or count.
    #[must_use]
    pub const fn arg(self) -> u8 {
        self.args[0]
    }

    /// All its numbers.
    #[must_use]
    pub const fn args(self) -> [u8; 5] {
        self.args
    }
}

/// The bit of `done`, `stop`, `stay` and `no-attack` beside places and seats.
pub(super) const LAST: u64 = 1 << 63;

/// Options of a turn, in the order of 8.3.
pub(super) const TOP: [Verb; 10] = [
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
pub(super) const LONE_A: u8 = 36;
pub(super) const LONE_B: u8 = LONE_A + MAX_PLAYERS as u8;

/// Set members of [`Phase::Use`]: merchants, loot, votes, Senators of a seat, and one bit for all generals.
pub(super) const USE_LOOT: u8 = N_MERCHANTS as u8;
pub(super) const USE_VOTE: u8 = USE_LOOT + 1;
pub(super) const USE_SENATOR: u8 = USE_VOTE + N_VOTES as u8;

const _: () =
    assert!(ASSASSIN == MERCHANT + N_MERCHANTS as u8 && LOOT == ASSASSIN + 1 && VOTE == LOOT + 1);

/// The `index`-th member of a set: one instruction where the processor has it.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub(super) fn nth(set: u64, index: u16) -> u8 {
    safe_arch::population_deposit_u64(1 << index, set).trailing_zeros() as u8
}

/// The `index`-th member of a set.
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub(super) fn nth(mut set: u64, index: u16) -> u8 {
    (0..index).for_each(|_| set &= set - 1);
    set.trailing_zeros() as u8
}

impl Conquest2 {
    /// The `index`-th option of the decision that is due.
    #[inline]
    pub(super) fn option(&self, s: &State, index: u16) -> Action {
        let (set, lo) = (s.options.set, s.options.lo());
        debug_assert!(index < s.options.n(), "option {index} of {:?} in {:?}", s.options, s.phase);
        if set == 0 {
            return match s.phase {
                Phase::Amount => Action::amount(lo + index),
                Phase::Vote => nth_show(s, index),
                _ => Action::with(Verb::Count, (lo + index) as u8),
            };
        }
        if s.phase == Phase::Use {
            return nth_use(s, self.n_players, index);
        }
        member(s.phase, nth(set, index))
    }

    /// Whether `action` is among the options, without listing numbers.
    pub(super) fn is_option(&self, s: &State, action: Action) -> bool {
        let (lo, n) = (s.options.lo(), s.options.n());
        match s.phase {
            Phase::Use => (0..n).any(|i| self.option(s, i) == action),
            Phase::Vote => action == Action::plain(Verb::Pass) || is_show(s, action),
            Phase::Amount => {
                action == Action::amount(action.steps()) && within(lo, n, action.steps())
            }
            _ if s.options.set() == 0 => {
                action == Action::with(Verb::Count, action.args[0])
                    && within(lo, n, action.args[0].into())
            }
            phase => {
                let bit = bit_of(phase, action);
                bit < 64 && s.options.set() >> bit & 1 == 1 && member(phase, bit) == action
            }
        }
    }

    /// Appends all options in order.
    pub(super) fn list_options(&self, s: &State, out: &mut Vec<Action>) {
        if s.options.set != 0 && s.phase != Phase::Use {
            out.extend(each(s.options.set).map(|bit| member(s.phase, bit)));
        } else {
            out.extend((0..s.options.n()).map(|i| self.option(s, i)));
        }
    }
}

/// The only set member that `action` can be; 64 or more if it can be none.
fn bit_of(phase: Phase, action: Action) -> u8 {
    let [a, b, ..] = action.args;
    match action.verb {
        Verb::Done | Verb::Stop | Verb::Stay | Verb::NoAttack => 63,
        Verb::Pass | Verb::WindYes => 0,
        Verb::Bid | Verb::WindNo => 1,
        Verb::Propose if b == NONE => LONE_A.saturating_add(a),
        Verb::Propose if a == NONE => LONE_B.saturating_add(b),
        Verb::Propose => a.saturating_mul(6).saturating_add(b),
        verb if phase == Phase::Top => {
            TOP.iter().position(|&v| v == verb).map_or(64, |bit| bit as u8)
        }
        _ => a,
    }
}

fn within(lo: u16, n: u16, number: u16) -> bool {
    number >= lo && number - lo < n
}

/// The action of a set member.
pub(super) fn member(phase: Phase, bit: u8) -> Action {
    let is_last = bit == 63;
    let or_last = |verb, last| if is_last { Action::plain(last) } else { Action::with(verb, bit) };
    match phase {
        Phase::Bid => Action::plain(if bit == 0 { Verb::Pass } else { Verb::Bid }),
        Phase::Propose => propose(bit),
        Phase::PlaceCaesar => Action::with(Verb::PlaceCaesar, bit),
        Phase::PlaceGeneral => Action::with(Verb::PlaceGeneral, bit),
        Phase::PlaceGalley => Action::with(Verb::PlaceGalley, bit),
        Phase::Top => Action::plain(TOP[bit as usize]),
        Phase::TakeCard => Action::with(Verb::Card, bit),
        Phase::BuySource | Phase::BuyMore => or_last(Verb::Source, Verb::Stop),
        Phase::MoveFrom | Phase::BarbariansFrom => Action::with(Verb::From, bit),
        Phase::MoveTo => or_last(Verb::To, Verb::Done),
        Phase::BattleAgainst => Action::with(Verb::Against, bit),
        Phase::SailTo => Action::with(Verb::ToZone, bit),
        Phase::SailAttack => or_last(Verb::Attack, Verb::NoAttack),
        Phase::FleetFrom => Action::with(Verb::FromZone, bit),
        Phase::BribeTarget | Phase::RevoltTarget => Action::with(Verb::Target, bit),
        Phase::Retreat => or_last(Verb::Retreat, Verb::Stay),
        Phase::Withdraw => Action::with(Verb::Withdraw, bit),
        Phase::Wind => Action::plain(if bit == 0 { Verb::WindYes } else { Verb::WindNo }),
        _ => Action::with(Verb::In, bit),
    }
}

fn propose(bit: u8) -> Action {
    match bit {
        0..LONE_A => Action::pair(Verb::Propose, bit / 6, bit % 6),
        LONE_A..LONE_B => Action::pair(Verb::Propose, bit - LONE_A, NONE),
        _ => Action::pair(Verb::Propose, NONE, bit - LONE_B),
    }
}

fn nth_use(s: &State, n_players: usize, index: u16) -> Action {
    let set = s.options.set & !LAST;
    let n_cards = set.count_ones() as u16;
    if index >= n_cards {
        let (q, p) =
            generals(s, n_players).nth(usize::from(index - n_cards)).expect("a general to strike");
        return Action::pair(Verb::AssassinGeneral, q, p);
    }
    match nth(set, index) {
        bit @ 0..USE_LOOT => Action::with(Verb::Merchant, bit),
        USE_LOOT => Action::plain(Verb::Loot),
        bit @ USE_VOTE..USE_SENATOR => Action::with(Verb::Vote, bit - USE_VOTE),
        bit => Action::with(Verb::AssassinSenator, bit - USE_SENATOR),
    }
}

/// Where players other than the actor have generals: by seat, then in board order.
pub(super) fn generals(s: &State, n_players: usize) -> impl Iterator<Item = (u8, u8)> + '_ {
    let others = (0..n_players as u8).filter(|&q| q != s.actor);
    others.flat_map(move |q| {
        each(s.leaders[usize::from(q)])
            .filter(move |&p| s.troops(q, p).generals() > 0)
            .map(move |p| (q, p))
    })
}

const _: () = assert!(N_PROVINCES < 63, "bit 63 is free for done, stop, stay and no-attack");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_small() {
        assert!(size_of::<Action>() <= 8);
        assert_eq!(Action::amount(1234).steps(), 1234);
    }

    #[test]
    fn members_come_in_order() {
        let set = 0b1010_0100 | LAST;
        assert_eq!((0..4).map(|i| nth(set, i)).collect::<Vec<_>>(), [2, 5, 7, 63]);
        assert!((0..64).all(|i| nth(u64::MAX, i) == i as u8));
    }
}
