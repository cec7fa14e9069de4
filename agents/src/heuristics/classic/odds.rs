//! Exact odds of battles in classic: legions on land, galleys at sea.
//!
//! # Method
//! On land both sides choose the legion with most hits on average. They lose infantry first, then cavalry, then
//! catapults, and no side retreats. Then the remaining units of both sides are a Markov chain. It is followed round by
//! round with the exact hit probabilities of both legions, up to the last round of the rules. At sea only the numbers
//! of galleys count.
//!
//! # Limits
//! The odds do not hold for players who retreat or who keep a kind of unit back. If both sides still stand after the
//! last round, the result is *undecided* here; by the rules the attacker then has to go (clause 7.8).

use std::collections::BTreeMap;

use engine::games::classic::units::{N_LAND_MILITARY, N_MILITARY};
use engine::games::classic::{BattleRules, Classic, Engagement, Muster, Phase, State, Verb};
use engine::{Game, Player, Purpose, Turn, rng};

use crate::heuristics::arms::{MILITARY, MOST_UNITS};
use crate::heuristics::hits::{Hits, MOST_DICE, Ways, chances_of_hits, no_ways};
use crate::odds::{
    BadQuestion, BattleCalculator, BattleOdds, End, Question, Tally, Units, Verdict, Vocabulary,
    Word,
};
use crate::outcome_odds::OutcomeOdds;

/// The vocabulary of a side.
const VOCABULARY: Vocabulary = Vocabulary {
    words: &[
        MILITARY[0],
        MILITARY[1],
        MILITARY[2],
        MILITARY[3],
        Word::many("general", "generals", "l"),
        Word::flag("caesar", "caesars", "z"),
        Word::flag("fort", "forts", "f"),
        Word::flag("guard", "guards", "u"),
    ],
    kinds: N_MILITARY,
    most: MOST_UNITS as u32,
};

/// The absence of a chosen legion.
const NONE: [u8; N_LAND_MILITARY] = [0; N_LAND_MILITARY];

/// The remaining units of both sides, by kind.
type Left = [Units; 2];

/// The battles under the rules of one game.
pub(super) struct ClassicBattles {
    game: Classic,
    rules: BattleRules,
    faces: [f64; N_MILITARY + 1],
    ways: Box<Ways>,
    /// The hit probabilities of a legion by units and dice, once computed.
    rolls: BTreeMap<(Units, u8), (Hits, usize)>,
}

impl ClassicBattles {
    pub(super) fn new(game: &Classic) -> Self {
        let rules = game.battle_rules();
        let total: f64 = rules.faces.iter().map(|&n| f64::from(n)).sum();
        Self {
            game: game.clone(),
            rules,
            faces: rules.faces.map(|n| f64::from(n) / total),
            ways: no_ways(),
            rolls: BTreeMap::new(),
        }
    }

    /// Returns the maximum number of troops in a side's legion, and its additional dice.
    fn legion_and_extra(&self, side: &Muster) -> [u8; 2] {
        let rules = &self.rules;
        let generals = rules.legion_per_general.saturating_mul(side.generals);
        let caesar = if side.has_caesar { rules.caesar_legion } else { 0 };
        let extra = if side.has_fort { rules.fort_dice } else { 0 };
        [rules.legion.saturating_add(generals).saturating_add(caesar), extra]
    }

    /// Returns the units of `left` that strike in a round, and their number of dice.
    fn strikers(&self, side: &Muster, left: Units, at_sea: bool) -> (Units, u8) {
        if at_sea {
            return (left, left[N_LAND_MILITARY]);
        }
        let [most, extra] = self.legion_and_extra(side);
        let [infantry, cavalry, catapults, _] = left;
        let size = most.min(infantry + cavalry + catapults);
        let [infantry, cavalry, catapults] =
            self.game.strongest_legion([infantry, cavalry, catapults], size, extra);
        ([infantry, cavalry, catapults, 0], size + extra)
    }

    /// Returns the hit probabilities of a roll.
    fn hits(&mut self, units: Units, dice: u8) -> Vec<f64> {
        let (faces, ways) = (&self.faces, &mut self.ways);
        let compute = || chances_of_hits(faces, units, dice.into(), ways);
        let (chances, number) = self.rolls.entry((units, dice)).or_insert_with(compute);
        chances[..*number].to_vec()
    }

    /// Returns the distribution of the remaining units after one round that begins with `left`, with these strikers.
    fn round(&mut self, strikers: [(Units, u8); 2], left: Left) -> Vec<(Left, f64)> {
        let [attack, defence] = strikers.map(|(units, dice)| self.hits(units, dice));
        let mut after = Vec::with_capacity(attack.len() * defence.len());
        for (suffered, p) in defence.iter().enumerate() {
            for (dealt, q) in attack.iter().enumerate() {
                let lost = [suffered, dealt];
                let left = [0, 1].map(|i| without(left[i], strikers[i].0, lost[i] as u8));
                after.push((left, p * q));
            }
        }
        after
    }

    /// Returns the distribution of the final units from the present point of a battle, and the expected number of
    /// further rounds.
    fn solve(&mut self, battle: &Engagement) -> (BTreeMap<Left, f64>, f64) {
        let Engagement { sides, legions, rounds: most, at_sea } = *battle;
        let is_over = |left: &Left| left.contains(&Units::default());
        let mut now = BTreeMap::from([(sides.map(|side| side.army), 1.0)]);
        let (mut done, mut rounds) = (BTreeMap::new(), 0.0);
        for round in 0..most {
            let mut next = BTreeMap::new();
            for (left, chance) in now {
                rounds += chance;
                let strikers = [0, 1].map(|i| match legions[i] {
                    // The legion of the first round may be chosen already.
                    [infantry, cavalry, catapults] if round == 0 && legions[i] != NONE => {
                        let [_, extra] = self.legion_and_extra(&sides[i]);
                        let size = infantry + cavalry + catapults;
                        ([infantry, cavalry, catapults, 0], size + extra)
                    }
                    _ => self.strikers(&sides[i], left[i], at_sea),
                });
                for (after, p) in self.round(strikers, left) {
                    let goes = if is_over(&after) { &mut done } else { &mut next };
                    *goes.entry(after).or_insert(0.0) += chance * p;
                }
            }
            now = next;
        }
        done.extend(now);
        (done, rounds)
    }
}

/// Returns the remaining `units` after the loss of `lost` of the `strikers` among them, the earlier kinds first.
fn without(mut units: Units, strikers: Units, mut lost: u8) -> Units {
    for (left, there) in units.iter_mut().zip(strikers) {
        let gone = lost.min(there);
        *left -= gone;
        lost -= gone;
    }
    units
}

/// Returns the result of a battle with these units left. A guard that survives is at full number again (clause 7.10);
/// it has won if no other unit is left.
fn end(sides: &[Muster; 2], left: Left) -> (Left, Verdict) {
    let [attacker, defender] = left;
    let nobody = Units::default();
    match (sides[1].is_guard, attacker == nobody, defender == nobody) {
        (_, false, true) => (left, Verdict::Attacker),
        (true, true, _) => ([nobody, sides[1].army], Verdict::Defender),
        (true, false, false) => ([attacker, sides[1].army], Verdict::Undecided),
        (false, true, true) => (left, Verdict::BothGone),
        (false, true, false) => (left, Verdict::Defender),
        (false, false, false) => (left, Verdict::Undecided),
    }
}

impl OutcomeOdds<Classic> for ClassicBattles {
    fn look(&mut self, game: &Classic, state: &State) -> Vec<(&'static str, f64)> {
        let Some(battle) = game.engagement(state).filter(|battle| self.is_known(battle)) else {
            return Vec::new();
        };
        let (ends, _) = self.solve(&battle);
        let chance = |verdict: Verdict| {
            let is_it = |(left, _): &(&Left, &f64)| end(&battle.sides, **left).1 == verdict;
            ends.iter().filter(is_it).map(|(_, chance)| chance).sum::<f64>()
        };
        let words = [
            ("the attacker wins", Verdict::Attacker),
            ("the defender", Verdict::Defender),
            ("both are gone", Verdict::BothGone),
            ("undecided", Verdict::Undecided),
        ];
        let chances = words.map(|(what, verdict)| (what, chance(verdict)));
        chances.into_iter().filter(|(_, chance)| *chance > 0.0).collect()
    }
}

impl BattleCalculator for ClassicBattles {
    fn vocabulary(&self) -> &'static Vocabulary {
        &VOCABULARY
    }

    fn battle_odds(&mut self, question: &Question<'_>) -> Result<BattleOdds, BadQuestion> {
        let sides = self.read_sides(question)?;
        let at_sea = question.at_sea;
        let dice = sides.map(|side| self.strikers(&side, side.army, at_sea).1);
        let most = if at_sea { self.rules.naval_rounds } else { self.rules.rounds };
        let battle = Engagement { sides, legions: [NONE; 2], rounds: most, at_sea };
        let (left, rounds) = self.solve(&battle);
        let mut ends: Vec<End> = Vec::new();
        for (left, chance) in left.into_iter().filter(|(_, chance)| *chance > 0.0) {
            let (left, verdict) = end(&sides, left);
            match ends.iter_mut().find(|end| (end.left, end.verdict) == (left, verdict)) {
                Some(end) => end.chance += chance,
                None => ends.push(End { left, verdict, chance }),
            }
        }
        let names = sides.map(|side| VOCABULARY.text(&written(&side)));
        Ok(BattleOdds { names, armies: sides.map(|side| side.army), dice, ends, rounds })
    }

    fn play(&self, question: &Question<'_>, n: u64, seed: u64) -> Result<Tally, BadQuestion> {
        let sides = self.read_sides(question)?;
        let start = match question.at_sea {
            true => self.game.naval_battle_between(sides),
            false => self.game.battle_between(sides),
        };
        let start = start.ok_or_else(|| {
            BadQuestion::Fight("no player has so many units of a kind, or generals".to_owned())
        })?;
        let mut tally = Tally::new();
        for battle in 0..n {
            let mut dice = rng::fast(&mut rng::stream(seed, battle, Purpose::Dice));
            let end = fight(&self.game, start, &mut dice);
            *tally.entry(self.left(&sides, &end)).or_default() += 1;
        }
        Ok(tally)
    }
}

/// Plays a battle to its end, or to the point at which the attacker has to go.
fn fight(game: &Classic, mut s: State, dice: &mut engine::Fast) -> State {
    while matches!(
        s.phase(),
        Phase::Legion | Phase::Dice | Phase::NavalDice | Phase::Losses | Phase::Retreat
    ) {
        let action = match game.turn(&s) {
            Turn::Chance => game.draw(&s, dice),
            _ => game.plain_reply(&s, true),
        };
        if s.phase() == Phase::Retreat && action.verb() != Verb::Stay {
            return s;
        }
        game.apply(&mut s, action);
    }
    s
}

/// Returns a side as counts of the words.
fn written(side: &Muster) -> [u8; VOCABULARY.words.len()] {
    let [i, c, k, g] = side.army;
    let [caesar, fort, guard] = [side.has_caesar, side.has_fort, side.is_guard].map(u8::from);
    [i, c, k, g, side.generals, caesar, fort, guard]
}

impl ClassicBattles {
    /// Returns whether the dice of a side on land are within the limit.
    fn rolls_few(&self, side: &Muster) -> bool {
        let [legion, extra] = self.legion_and_extra(side);
        usize::from(legion.saturating_add(extra)) <= MOST_DICE
    }

    /// Returns whether a battle is small enough to be computed.
    fn is_known(&self, battle: &Engagement) -> bool {
        let is_small = |side: &Muster| side.army.iter().all(|&n| usize::from(n) <= MOST_UNITS);
        battle.sides.iter().all(|side| is_small(side) && (battle.at_sea || self.rolls_few(side)))
    }

    /// Returns the remaining units of both sides after a played battle.
    fn left(&self, sides: &[Muster; 2], end: &State) -> Left {
        let mut left = [0, 1].map(|i| self.game.on_board(end, Player::new(i)));
        if sides[1].is_guard {
            left[1] = if end.guards() == self.game.start().guards() {
                Units::default()
            } else {
                sides[1].army
            };
        }
        left
    }

    /// Returns both sides of a question.
    fn read_sides(&self, question: &Question<'_>) -> Result<[Muster; 2], BadQuestion> {
        if question.has_retreats {
            let message = "the agents of classic weigh a retreat by the whole position, so that it has no odds: leave out --retreats";
            return Err(BadQuestion::Fight(message.to_owned()));
        }
        let side = |i: usize| {
            let read = read_side(question.sides[i], i == 0, question.at_sea);
            let read = read.and_then(|side| match self.rolls_few(&side) {
                false => Err(format!("a side rolls at most {MOST_DICE} dice")),
                true => Ok(side),
            });
            read.map_err(|message| BadQuestion::Side(i, message))
        };
        Ok([side(0)?, side(1)?])
    }
}

fn read_side(text: &str, is_attacker: bool, at_sea: bool) -> Result<Muster, String> {
    let counts = VOCABULARY.read(text)?;
    let [i, c, k, g, generals, caesars, forts, guards] = counts[..] else {
        unreachable!("every word has its count")
    };
    let side = Muster {
        army: [i, c, k, g],
        generals,
        has_caesar: caesars > 0,
        has_fort: forts > 0,
        is_guard: guards > 0,
    };
    let has_land = side.force() != [0; N_LAND_MILITARY];
    let refused = if at_sea {
        (has_land || written(&side)[N_MILITARY..].iter().any(|&n| n > 0))
            .then_some("galleys alone fight at sea")
    } else if g > 0 {
        Some("galleys fight at sea only: say --sea")
    } else if is_attacker && (side.has_fort || side.is_guard) {
        Some("a fort or a guard can only defend")
    } else if side.is_guard && (c + k + generals + caesars + forts > 0) {
        Some("a guard is infantry alone")
    } else if caesars > 1 {
        Some("a side has one caesar")
    } else {
        None
    };
    refused.map_or(Ok(side), |message| Err(message.to_owned()))
}
