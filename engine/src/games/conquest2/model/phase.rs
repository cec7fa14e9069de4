//! The phase: the decision or chance event that is due, and the phases that can follow it.
//!
//! [`COURSE`] is the whole course of the game as a table. Positions change phase through `State::go` alone, which
//! checks the table in debug builds. `docs/rules/conquest2-phases.md` draws the table. A test compares the drawing with
//! the table, and the table with random games.

use crate::data::data;

/// The decision or chance event that is due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Chance: the first player (2.3).
    FirstPlayer,
    /// Chance: a token at set-up (2.4).
    SetupToken,
    /// Chance: a token at a season's start (4).
    SeasonToken,
    /// Chance: a card at a season's start (5).
    SeasonCard,
    /// Pass or bid (6.3).
    Bid,
    /// The players for box A and B (6.4).
    Propose,
    /// The amount of the bid (6.4).
    Amount,
    /// The place where the caesar starts (7).
    PlaceCaesar,
    /// The place where a general starts.
    PlaceGeneral,
    /// The zone where a galley starts.
    PlaceGalley,
    /// Number of units of a kind that start in a province.
    PlaceCount,
    /// The next act of a turn (8.3).
    Top,
    /// The card to take (9).
    TakeCard,
    /// The place to recruit in (10).
    RecruitIn,
    /// Number of units of a kind to recruit.
    RecruitCount,
    /// The place to buy influence in (11).
    BuyIn,
    /// The source of the first token.
    BuySource,
    /// The source of the second token.
    BuyMore,
    /// The amount of special tax (12).
    Tax,
    /// The place to move from (13).
    MoveFrom,
    /// The place to move to.
    MoveTo,
    /// Number of movers of a kind.
    MoveCount,
    /// The place to give battle in (15).
    BattleIn,
    /// The player to attack.
    BattleAgainst,
    /// The zone to sail to (15N).
    SailTo,
    /// Number of galleys that sail from a zone.
    SailCount,
    /// The player to attack at sea.
    SailAttack,
    /// The card to use (16).
    Use,
    /// The galley that goes to the commandeered fleet (14.1).
    FleetFrom,
    /// The place to build a city in (14.2).
    CityIn,
    /// The place to send units from, against the Barbarians (14.3).
    BarbariansFrom,
    /// Number of movers of a kind against the Barbarians.
    BarbariansCount,
    /// The player whose Senator is bribed (14.5).
    BribeTarget,
    /// The place where slaves revolt (14.6).
    RevoltIn,
    /// The player that the slaves fight next.
    RevoltTarget,
    /// Number of galleys that join a land battle (15.2).
    Commit,
    /// Number of units lent to a land battle (15.3).
    Lend,
    /// Chance: a roll (15.5).
    Dice,
    /// Number of lost units of a kind (15.6).
    Losses,
    /// Retreat or stay (15.7).
    Retreat,
    /// The place to which leaders withdraw (15.8).
    Withdraw,
    /// The decision to call off a naval battle (15N.2).
    Wind,
    /// Number of galleys that are lent (15N.3).
    NavalLend,
    /// Pass or show Senators (16.4).
    Vote,
    /// The place where the new legions appear (16.4).
    LegionsIn,
    /// Chance: a random Senator (14.5, 16.2, 16.4).
    SenatorDraw,
    /// The game is over.
    Over,
    /// Chance: a number of the null treatment, on which nothing depends. (Hashes hold phases by number, so it stands
    /// last.)
    NullDraw,
}

data!(
    enum Phase {
        FirstPlayer,
        SetupToken,
        SeasonToken,
        SeasonCard,
        Bid,
        Propose,
        Amount,
        PlaceCaesar,
        PlaceGeneral,
        PlaceGalley,
        PlaceCount,
        Top,
        TakeCard,
        RecruitIn,
        RecruitCount,
        BuyIn,
        BuySource,
        BuyMore,
        Tax,
        MoveFrom,
        MoveTo,
        MoveCount,
        BattleIn,
        BattleAgainst,
        SailTo,
        SailCount,
        SailAttack,
        Use,
        FleetFrom,
        CityIn,
        BarbariansFrom,
        BarbariansCount,
        BribeTarget,
        RevoltIn,
        RevoltTarget,
        Commit,
        Lend,
        Dice,
        Losses,
        Retreat,
        Withdraw,
        Wind,
        NavalLend,
        Vote,
        LegionsIn,
        SenatorDraw,
        Over,
        NullDraw,
    }
);

impl Phase {
    /// Returns whether a chance event is due.
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
                | Self::NullDraw
        )
    }

    /// Returns whether the options are other than a word with a place, a seat, a card or a number, [`Self::Top`] apart.
    #[inline]
    pub(crate) const fn is_worded_by_itself(self) -> bool {
        matches!(
            self,
            Self::Bid | Self::Propose | Self::Amount | Self::Wind | Self::Vote | Self::Use
        )
    }

    /// Returns whether a turn of an action round is under way: not at set-up, before the first turn of a season, or at
    /// the end.
    #[must_use]
    pub const fn is_in_a_turn(self) -> bool {
        self as u8 >= Self::Top as u8 && !matches!(self, Self::Over | Self::NullDraw)
    }

    /// Returns the phases that can follow, without the phase itself.
    pub(crate) const fn next(self) -> &'static [Self] {
        COURSE[self as usize].1
    }
}

/// Number of phases.
pub(crate) const N_PHASES: usize = Phase::NullDraw as usize + 1;

/// Each phase with the other phases that can follow it at once; a repeat of the phase itself is left out.
///
/// A phase without a choice is passed through: where no player can lend, `Commit` leads to `Dice` at once. With an
/// empty bag, `SeasonToken` still leads to `SeasonCard`.
pub(crate) const COURSE: [(Phase, &[Phase]); N_PHASES] = {
    use Phase::*;
    [
        (FirstPlayer, &[SetupToken]),
        (SetupToken, &[SeasonToken]),
        (SeasonToken, &[SeasonCard]),
        (SeasonCard, &[Bid, NullDraw]),
        (Bid, &[Propose, PlaceCaesar, Top]),
        (Propose, &[Amount]),
        (Amount, &[Bid]),
        (PlaceCaesar, &[PlaceGeneral]),
        (PlaceGeneral, &[PlaceGalley]),
        (PlaceGalley, &[PlaceCount]),
        (PlaceCount, &[PlaceCaesar, Top]),
        (
            Top,
            &[SeasonToken, TakeCard, RecruitIn, BuyIn, Tax, MoveFrom, BattleIn, SailTo, Use, Over],
        ),
        (TakeCard, &[Top, FleetFrom, CityIn, BarbariansFrom, BribeTarget, RevoltIn]),
        (RecruitIn, &[RecruitCount]),
        (RecruitCount, &[Top]),
        (BuyIn, &[BuySource]),
        (BuySource, &[BuyMore, Top]),
        (BuyMore, &[Top]),
        (Tax, &[Top]),
        (MoveFrom, &[MoveTo]),
        (MoveTo, &[MoveCount, Top]),
        (MoveCount, &[MoveTo]),
        (BattleIn, &[BattleAgainst]),
        (BattleAgainst, &[Top, Commit, Lend, Dice, Withdraw]),
        (SailTo, &[SailCount]),
        (SailCount, &[SailAttack, Top]),
        (SailAttack, &[Top, Dice, Wind, NavalLend]),
        (Use, &[Top, Vote, SenatorDraw]),
        (FleetFrom, &[Top]),
        (CityIn, &[Top]),
        (BarbariansFrom, &[BarbariansCount]),
        (BarbariansCount, &[Top]),
        (BribeTarget, &[SenatorDraw]),
        (RevoltIn, &[RevoltTarget]),
        (RevoltTarget, &[Commit, Lend, Dice]),
        (Commit, &[Lend, Dice]),
        (Lend, &[Dice]),
        (Dice, &[Top, RevoltTarget, Losses, Retreat, Withdraw]),
        (Losses, &[Top, RevoltTarget, Dice, Retreat, Withdraw]),
        (Retreat, &[Top, RevoltTarget, Dice]),
        (Withdraw, &[Top, RevoltTarget]),
        (Wind, &[Top, Dice, NavalLend]),
        (NavalLend, &[Dice]),
        (Vote, &[Top, LegionsIn, SenatorDraw]),
        (LegionsIn, &[Top, SenatorDraw]),
        (SenatorDraw, &[Top]),
        (Over, &[]),
        (NullDraw, &[Bid]),
    ]
};

const _: () = {
    let mut i = 0;
    while i < N_PHASES {
        assert!(COURSE[i].0 as usize == i, "the course lists the phases in their order");
        i += 1;
    }
};

/// Record of the steps of the course that a test has seen.
#[cfg(test)]
pub(crate) mod seen {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    use super::Phase;

    thread_local! {
        static STEPS: RefCell<BTreeSet<(Phase, Phase)>> = const { RefCell::new(BTreeSet::new()) };
    }

    /// Notes a step.
    pub(crate) fn note(from: Phase, to: Phase) {
        STEPS.with_borrow_mut(|steps| steps.insert((from, to)));
    }

    /// Returns all steps noted on this thread, and clears them.
    pub(crate) fn take() -> BTreeSet<(Phase, Phase)> {
        STEPS.take()
    }
}
