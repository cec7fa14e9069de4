//! The arena: two armies as text, their odds, and battles between them by the rules of the game.

use std::collections::BTreeMap;

use engine::games::conquest2::units::{N_MILITARY, Unit};
use engine::games::conquest2::{Conquest2, Muster, Phase, State};
use engine::{BadRules, Configure, Game, Player, Purpose, Rules, Turn, rng};

use super::super::rollout_policy::{losses, retreat};
use super::{BattleOddsCache, LossOrder, MOST_DICE, MOST_UNITS, Odds, Ranks};
use crate::heuristics::arms::MILITARY;
use crate::odds::{BadQuestion, BattleCalculator, BattleOdds, End, Question, Vocabulary, Word};

/// The vocabulary of a side.
const VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        MILITARY[0],
        MILITARY[1],
        MILITARY[2],
        MILITARY[3],
        Word::flag("leader", "leaders", "l"),
        Word::many("training", "trainings", "t"),
        Word::flag("city", "cities", "y"),
    ],
    kinds: N_MILITARY,
    most: MOST_UNITS as u32,
};

/// An arena for battles under given rules.
#[derive(Debug)]
pub struct Arena {
    game: Conquest2,
    odds: BattleOddsCache,
}

/// The ends of played battles: units lost by attacker and defender, and the number of times.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tally(pub BTreeMap<[u8; 2], u64>);

impl Arena {
    /// Creates an arena under `rules`, which must be those of conquest2.
    ///
    /// # Errors
    /// If a value is out of range.
    pub fn new(rules: &Rules) -> Result<Self, BadRules> {
        let game = Conquest2::configure(Conquest2::about().default_players, rules)?;
        Ok(Self::of(game))
    }

    /// Creates an arena under the rules of `game`.
    #[must_use]
    pub fn of(game: Conquest2) -> Self {
        let odds = BattleOddsCache::new(&game);
        Self { game, odds }
    }

    /// Returns the odds of a land battle. With `retreats` both sides retreat by the rule of greedy, and have a refuge.
    ///
    /// # Errors
    /// If a side has no units, too many units, or too many dice.
    pub fn land(&mut self, sides: [Muster; 2], retreats: bool) -> Result<&Odds, String> {
        let fight = self.odds.land(sides, retreats);
        fight.and_then(|fight| self.odds.odds(&fight)).ok_or_else(too_large)
    }

    /// Returns the odds of a naval battle. A training is a Naval Training.
    ///
    /// # Errors
    /// If a side has anything but galleys and trainings, no galley, or too many dice.
    pub fn naval(&mut self, sides: [Muster; 2]) -> Result<&Odds, String> {
        for side in &sides {
            let [land @ .., galleys] = side.army;
            if land != [0; 3] || galleys == 0 || side.has_leader || side.has_city {
                return Err(format!(
                    "\"{}\" is no navy: galleys and trainings fight at sea",
                    describe(side)
                ));
            }
        }
        let fight = self.odds.naval(sides);
        fight.and_then(|fight| self.odds.odds(&fight)).ok_or_else(too_large)
    }

    /// Plays `n` land battles by the rules of the game, with the dice of (`seed`, battle).
    ///
    /// # Errors
    /// If no position can hold the armies.
    pub fn play(
        &self,
        sides: [Muster; 2],
        retreats: bool,
        n: u64,
        seed: u64,
    ) -> Result<Tally, String> {
        self.play_from(self.game.battle_between(sides).as_ref(), retreats, n, seed)
    }

    /// Plays `n` naval battles by the rules of the game, with the dice of (`seed`, battle). A training is a Naval
    /// Training.
    ///
    /// # Errors
    /// If no position can hold the navies.
    pub fn play_naval(&self, sides: [Muster; 2], n: u64, seed: u64) -> Result<Tally, String> {
        self.play_from(self.game.naval_battle_between(sides).as_ref(), false, n, seed)
    }

    fn play_from(
        &self,
        start: Option<&State>,
        retreats: bool,
        n: u64,
        seed: u64,
    ) -> Result<Tally, String> {
        let start = start.ok_or_else(|| {
            "no player has so many units: 31 infantry, 31 cavalry, 7 catapults, 31 galleys and 15 trainings are the most".to_owned()
        })?;
        let mut tally = Tally::default();
        for battle in 0..n {
            let mut dice = rng::fast(&mut rng::stream(seed, battle, Purpose::Dice));
            let mut state = *start;
            while matches!(state.phase(), Phase::Dice | Phase::Losses | Phase::Retreat) {
                let action = match (self.game.turn(&state), state.phase()) {
                    (Turn::Chance, _) => self.game.draw(&state, &mut dice),
                    (_, Phase::Losses) => losses(&self.game.situation(&state)),
                    _ if retreats => retreat(&self.game.situation(&state)),
                    _ => self.game.situation(&state).member(63),
                };
                self.game.apply(&mut state, action);
            }
            *tally.0.entry(self.lost(start, &state)).or_default() += 1;
        }
        Ok(tally)
    }

    /// Returns the number of units that went back to the pools of attacker and defender.
    fn lost(&self, before: &State, after: &State) -> [u8; 2] {
        let pool = |state: &State, player: Player| -> u8 {
            Unit::MILITARY.map(|unit| self.game.situation(state).pool(player, unit)).iter().sum()
        };
        [0, 1].map(Player::new).map(|player| pool(after, player) - pool(before, player))
    }
}

fn too_large() -> String {
    format!("a side has at least 1 unit, at most {MOST_UNITS} units, and at most {MOST_DICE} dice")
}

impl BattleCalculator for Arena {
    fn vocabulary(&self) -> &'static Vocabulary {
        &VOCABULARY
    }

    fn battle_odds(&mut self, question: &Question<'_>) -> Result<BattleOdds, BadQuestion> {
        let sides = read_sides(question)?;
        let odds = if question.at_sea {
            self.naval(sides)
        } else {
            self.land(sides, question.has_retreats)
        };
        let odds = odds.map_err(BadQuestion::Fight)?;
        let end = |end: &super::End| End {
            left: odds.armies(end),
            verdict: end.verdict,
            chance: end.chance,
        };
        let dice = odds.fight().sides.map(|side| {
            side.dice
                .saturating_add(side.galley_dice.saturating_mul(side.ranks.after(0)[Unit::Galley]))
        });
        Ok(BattleOdds {
            names: sides.map(|side| describe(&side)),
            armies: sides.map(|side| side.army),
            dice,
            ends: odds.ends().iter().map(end).collect(),
            rounds: odds.rounds(),
        })
    }

    fn play(
        &self,
        question: &Question<'_>,
        n: u64,
        seed: u64,
    ) -> Result<crate::odds::Tally, BadQuestion> {
        let sides = read_sides(question)?;
        let played = match question.at_sea {
            true => self.play_naval(sides, n, seed),
            false => Self::play(self, sides, question.has_retreats, n, seed),
        };
        let Tally(played) = played.map_err(BadQuestion::Fight)?;
        let order = LossOrder::new(&self.game.battle_rules().price);
        let ranks = sides.map(|side| Ranks::of(side.army, &order).unwrap_or_default());
        let left = |lost: [u8; 2]| [0, 1].map(|side| ranks[side].after(lost[side]));
        Ok(played.into_iter().map(|(lost, n)| (left(lost), n)).collect())
    }
}

/// Returns both sides of a question.
fn read_sides(question: &Question<'_>) -> Result<[Muster; 2], BadQuestion> {
    let side = |i: usize| parse(question.sides[i]).map_err(|message| BadQuestion::Side(i, message));
    let sides = [side(0)?, side(1)?];
    if sides[0].has_city {
        let message = "a city counts for the defender only".to_owned();
        return Err(BadQuestion::Side(0, message));
    }
    Ok(sides)
}

/// Reads one side of a battle, as in `6 infantry, 1 cavalry, leader` or `6i 1c leader`.
///
/// # Errors
/// If a word or number is unknown: the message lists the accepted words.
///
/// # Panics
/// Never: every word has its count.
pub fn parse(text: &str) -> Result<Muster, String> {
    let counts = VOCABULARY.read(text)?;
    let [a, b, c, d, leaders, trainings, cities] = counts[..] else { unreachable!("every word") };
    Ok(Muster { army: [a, b, c, d], has_leader: leaders > 0, has_city: cities > 0, trainings })
}

/// Returns the text of a side in the form of [`parse`]: `6 infantry, 1 cavalry, leader`.
#[must_use]
pub fn describe(side: &Muster) -> String {
    let [a, b, c, d] = side.army;
    let [leaders, cities] = [side.has_leader, side.has_city].map(u8::from);
    VOCABULARY.text(&[a, b, c, d, leaders, side.trainings, cities])
}
