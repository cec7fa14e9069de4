//! Exact values of conflicts: duels of cards until one side is gone, solved by backward induction.
//!
//! A conflict is a zero-sum game of two players with pieces on both sides, two hands, and the fighter of Carthage.
//! Every duel is a matrix game whose entries are the conflicts after it ([`matrix_game`]). The fighter is the better of
//! two such games. Each duel removes a piece, so no position recurs. The objective is a parameter ([`Stakes`]). With
//! [`Stakes::WIN`] the value is the probability of being left alone, where an end without survivors counts one half.
//!
//! The method is valid for any number of pieces on both sides, although the rules let only one piece attack at a time.
//! Conflicts are solved at the first request and cached. One piece against eight from full hands takes some hundred
//! matrices; six pieces and Hannibal against eight take some ten thousand.
//!
//! Reference: Shapley, "Stochastic games" (1953), here without cycles.

use engine::bits::each;
use engine::games::hannibal::{CARTHAGE, Fighter, Hand, Hannibal, ROME, Site, State};

use crate::exact::{Memo, matrix_game};

/// Maximum number of cards in a hand.
const MAX_CARDS: usize = 16;

/// A conflict between two duels. On a sea route fleets count as legions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Duel {
    /// Legions of each side, without Hannibal.
    pub legions: [u8; 2],
    /// True if Hannibal takes part.
    pub hannibal: bool,
    /// The fighter of Carthage, if it is settled.
    pub fighter: Option<Fighter>,
    /// The cards of both sides, equal in number.
    pub hands: [Hand; 2],
}

/// The stakes of a conflict for Carthage. Rome has the opposite stakes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stakes {
    /// The value of being left alone; half of it if no side is left.
    pub alone: f64,
    /// The value of a legion more than the enemy.
    pub legion: f64,
    /// The value of Hannibal.
    pub hannibal: f64,
    /// The value of a point of difference between the hands after the conflict.
    pub card: f64,
}

impl Stakes {
    /// The stakes of only winning the conflict: values are probabilities.
    pub const WIN: Self = Self { alone: 1.0, legion: 0.0, hannibal: 0.0, card: 0.0 };
}

/// The odds of a conflict under optimal play of both sides.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct DuelOdds {
    /// The value for Carthage, in the stakes.
    pub value: f64,
    /// The probability of each side to be left alone. With the remaining probability no side is left.
    pub alone: [f64; 2],
    /// The expected remaining legions of each side, without Hannibal.
    pub left: [f64; 2],
    /// The probability that Hannibal is left.
    pub hannibal: f64,
}

impl DuelOdds {
    /// Returns the probability that no side is left.
    #[must_use]
    pub fn nobody(&self) -> f64 {
        1.0 - self.alone[CARTHAGE] - self.alone[ROME]
    }

    fn add(&mut self, other: &Self, weight: f64) {
        self.value += weight * other.value;
        self.hannibal += weight * other.hannibal;
        for seat in 0..2 {
            self.alone[seat] += weight * other.alone[seat];
            self.left[seat] += weight * other.left[seat];
        }
    }
}

/// A solved conflict: its odds, and the probability of each card by its place in the hand.
#[derive(Clone, Copy, Debug)]
struct Solved {
    odds: DuelOdds,
    strategies: [[f64; MAX_CARDS]; 2],
}

/// The solver, with all solved conflicts.
#[derive(Clone, Debug)]
pub struct Duels {
    full_hand: Hand,
    bonus: u8,
    is_lost_on_tie: bool,
    stakes: Stakes,
    memo: Memo<Duel, Solved>,
}

impl Duel {
    /// Returns the conflict under way in `state`; `None` if there is none.
    #[must_use]
    pub fn of(state: &State) -> Option<Self> {
        let (legions, hannibal) = match state.site()? {
            Site::Area(area) => {
                let legions = [CARTHAGE, ROME].map(|seat| state.legions(seat, area));
                (legions, state.hannibal() >> area & 1 == 1)
            }
            Site::Route(route) => ([CARTHAGE, ROME].map(|seat| state.fleets(seat, route)), false),
        };
        let hands = [CARTHAGE, ROME].map(|seat| state.hand(seat));
        Some(Self { legions, hannibal, fighter: state.fighter(), hands })
    }

    /// Returns the conflict with the fighter settled if there is no choice.
    fn settled(mut self) -> Self {
        if !self.hannibal {
            self.fighter = Some(Fighter::Legion);
        } else if self.legions[CARTHAGE] == 0 {
            self.fighter = Some(Fighter::Hannibal);
        }
        self
    }

    const fn is_over(&self) -> bool {
        self.legions[CARTHAGE] == 0 && !self.hannibal || self.legions[ROME] == 0
    }
}

impl Duels {
    /// Creates the solver for the rules of `game`.
    #[must_use]
    pub fn new(game: &Hannibal, stakes: Stakes) -> Self {
        Self {
            full_hand: game.full_hand(),
            bonus: game.hannibal_bonus(),
            is_lost_on_tie: game.hannibal_is_lost_on_tie(),
            stakes,
            memo: Memo::new(),
        }
    }

    /// Returns the number of solved conflicts.
    #[must_use]
    pub fn n_solved(&self) -> usize {
        self.memo.len()
    }

    /// Returns the odds of `duel`.
    ///
    /// # Panics
    /// If the hands differ in size or are empty.
    pub fn odds(&mut self, duel: &Duel) -> DuelOdds {
        if duel.is_over() {
            return self.end(duel);
        }
        let duel = duel.settled();
        match duel.fighter {
            None => {
                let fighter = Some(self.best_fighter(&duel));
                self.solved(&Duel { fighter, ..duel }).odds
            }
            Some(_) => self.solved(&duel).odds,
        }
    }

    /// Returns the best fighter for Carthage.
    pub fn best_fighter(&mut self, duel: &Duel) -> Fighter {
        let [legion, hannibal] = [Fighter::Legion, Fighter::Hannibal].map(|fighter| {
            let duel = Duel { fighter: Some(fighter), ..*duel };
            self.odds(&duel).value
        });
        if hannibal > legion { Fighter::Hannibal } else { Fighter::Legion }
    }

    /// Appends the probability of each card of a side, the lowest card first.
    ///
    /// # Panics
    /// If the conflict is over, or if Carthage must still choose its fighter.
    pub fn strategy(&mut self, duel: &Duel, seat: usize, out: &mut Vec<f64>) {
        let duel = duel.settled();
        assert!(!duel.is_over() && duel.fighter.is_some(), "no duel is due: {duel:?}");
        let n_cards = duel.hands[seat].count_ones() as usize;
        out.extend(&self.solved(&duel).strategies[seat][..n_cards]);
    }

    /// Returns the odds of a conflict in which a side is gone.
    fn end(&self, duel: &Duel) -> DuelOdds {
        let [carthage, rome] = duel.legions.map(f64::from);
        let is_left = [duel.legions[CARTHAGE] > 0 || duel.hannibal, duel.legions[ROME] > 0];
        let alone = is_left.map(|is_left| f64::from(u8::from(is_left)));
        let hannibal = f64::from(u8::from(duel.hannibal));
        let cards = duel.hands.map(|hand| each(hand.into()).map(f64::from).sum::<f64>());
        let stakes = &self.stakes;
        let value = stakes.alone * (0.5 + 0.5 * (alone[CARTHAGE] - alone[ROME]))
            + stakes.legion * (carthage - rome)
            + stakes.hannibal * hannibal
            + stakes.card * (cards[CARTHAGE] - cards[ROME]);
        DuelOdds { value, alone, left: [carthage, rome], hannibal }
    }

    /// Returns the conflict after both sides have shown a card (H4).
    fn after(&self, duel: &Duel, cards: [u8; 2]) -> Duel {
        let mut after = *duel;
        let is_hannibal = duel.fighter == Some(Fighter::Hannibal);
        let carthage = cards[CARTHAGE] + if is_hannibal { self.bonus } else { 0 };
        let rome = cards[ROME];
        let holds_ties = is_hannibal && !self.is_lost_on_tie;
        if carthage < rome || carthage == rome && !holds_ties {
            after.fighter = None;
            if is_hannibal {
                after.hannibal = false;
            } else {
                after.legions[CARTHAGE] -= 1;
            }
        }
        if rome <= carthage {
            after.legions[ROME] -= 1;
        }
        for (hand, card) in after.hands.iter_mut().zip(cards) {
            *hand &= !(1 << card);
            if *hand == 0 {
                *hand = self.full_hand;
            }
        }
        after
    }

    /// Returns the solution of a conflict whose fighter is settled.
    fn solved(&mut self, duel: &Duel) -> Solved {
        if let Some(solved) = self.memo.get(duel) {
            return *solved;
        }
        let solved = self.solve(duel);
        self.memo.insert(*duel, solved);
        solved
    }

    fn solve(&mut self, duel: &Duel) -> Solved {
        let [rows, columns] = duel.hands.map(|hand| each(hand.into()).collect::<Vec<u8>>());
        assert!(rows.len() == columns.len() && !rows.is_empty(), "no such hands: {duel:?}");
        let mut odds = Vec::with_capacity(rows.len() * columns.len());
        for (&row, &column) in rows.iter().flat_map(|r| columns.iter().map(move |c| (r, c))) {
            let after = self.after(duel, [row, column]);
            odds.push(self.odds(&after));
        }
        let payoffs: Vec<Vec<f64>> = odds
            .chunks(columns.len())
            .map(|row| row.iter().map(|odds| odds.value).collect())
            .collect();
        let solution = matrix_game(&payoffs);
        let mut solved = Solved { odds: DuelOdds::default(), strategies: [[0.0; MAX_CARDS]; 2] };
        solved.strategies[CARTHAGE][..rows.len()].copy_from_slice(&solution.rows);
        solved.strategies[ROME][..columns.len()].copy_from_slice(&solution.columns);
        let weights =
            solution.rows.iter().flat_map(|x| solution.columns.iter().map(move |y| x * y));
        odds.iter().zip(weights).for_each(|(p, weight)| solved.odds.add(p, weight));
        solved.odds.value = solution.value;
        solved
    }
}
