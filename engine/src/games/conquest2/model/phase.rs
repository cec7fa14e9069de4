//! Which decision or chance event is due, and what can be due after it.
//!
//! [`COURSE`] is the whole course of the game as a table. Positions go from one phase to another through
//! `State::go` alone, which holds itself to it in debug builds; `docs/rules/conquest2-phases.md` draws it, and a
//! test compares the drawing with the table and the table with what happens in random games.

/// What is due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
    /// Chance: a number of the null treatment, on which nothing depends. (Hashes hold phases by number, so it stands
    /// last.)
    NullDraw,
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
                | Self::NullDraw
        )
    }

    /// Whether its options are anything else than a word with a place, a seat, a card or a number, apart from those of
    /// [`Self::Top`].
    #[inline]
    pub(crate) const fn is_worded_by_itself(self) -> bool {
        matches!(
            self,
            Self::Bid | Self::Propose | Self::Amount | Self::Wind | Self::Vote | Self::Use
        )
    }

    /// Whether a turn of an action round is under way: not at set-up, before the first turn of a season, or at the end.
    #[must_use]
    pub const fn is_in_a_turn(self) -> bool {
        self as u8 >= Self::Top as u8 && !matches!(self, Self::Over | Self::NullDraw)
    }

    /// What can be due next, apart from the same again.
    pub(crate) const fn next(self) -> &'static [Self] {
        COURSE[self as usize].1
    }
}

/// Number of phases.
pub(crate) const N_PHASES: usize = Phase::NullDraw as usize + 1;

/// Each phase with the others that can follow it at once; that a phase comes again is left out.
///
/// A phase that leaves nothing to choose is passed through: where nobody can lend, `Commit` leads to `Dice` at once; with an
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

/// Which steps of the course a test has seen.
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

    /// All steps noted on this thread, which forgets them.
    pub(crate) fn take() -> BTreeSet<(Phase, Phase)> {
        STEPS.take()
    }
}
