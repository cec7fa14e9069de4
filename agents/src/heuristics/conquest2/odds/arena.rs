//! Two armies as text, their odds, and battles between them that are played with the rules of the game.

use std::collections::BTreeMap;

use engine::games::conquest2::units::{N_MILITARY, Unit};
use engine::games::conquest2::{Conquest2, Muster, Phase, State};
use engine::rules::nearest;
use engine::{BadRules, Configure, Game, Player, Purpose, Rules, Turn, rng};

use super::super::rollout_policy::{losses, retreat};
use super::{BattleOdds, MOST_DICE, MOST_UNITS, Odds};

/// What a side can have: singular, plural, short.
const WORDS: [(&str, &str, &str); 7] = [
    ("infantry", "infantry", "i"),
    ("cavalry", "cavalry", "c"),
    ("catapult", "catapults", "k"),
    ("galley", "galleys", "g"),
    ("leader", "leaders", "l"),
    ("training", "trainings", "t"),
    ("city", "cities", "y"),
];
const LEADER: usize = 4;
const TRAINING: usize = 5;

/// A place for battles under given rules.
#[derive(Debug)]
pub struct Arena {
    game: Conquest2,
    odds: BattleOdds,
}

/// Ends of battles that were played: units lost by attacker and defender, and how often.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tally(pub BTreeMap<[u8; 2], u64>);

impl Arena {
    /// The arena under `rules`, which must be those of conquest2.
    ///
    /// # Errors
    /// If a value is out of range.
    pub fn new(rules: &Rules) -> Result<Self, BadRules> {
        let game = Conquest2::configure(Conquest2::about().default_players, rules)?;
        let odds = BattleOdds::new(&game);
        Ok(Self { game, odds })
    }

    /// The odds of a land battle; with `retreats` both sides retreat as greedy does, and have where to.
    ///
    /// # Errors
    /// If a side has no unit, too many, or too many dice.
    pub fn land(&mut self, sides: [Muster; 2], retreats: bool) -> Result<&Odds, String> {
        let fight = self.odds.land(sides, retreats);
        fight.and_then(|fight| self.odds.odds(&fight)).ok_or_else(too_large)
    }

    /// The odds of a naval battle; a training is a Naval Training.
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

    /// Plays `n` land battles with the rules of the game and the dice at (`seed`, battle).
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
        let start = self.game.battle_between(sides).ok_or_else(|| {
            "no player has so many units: 31 infantry, 31 cavalry, 7 catapults, 31 galleys and 15 trainings are the most".to_owned()
        })?;
        let mut tally = Tally::default();
        for battle in 0..n {
            let mut dice = rng::fast(&mut rng::stream(seed, battle, Purpose::Dice));
            let mut state = start;
            while matches!(state.phase(), Phase::Dice | Phase::Losses | Phase::Retreat) {
                let action = match (self.game.turn(&state), state.phase()) {
                    (Turn::Chance, _) => self.game.draw(&state, &mut dice),
                    (_, Phase::Losses) => losses(&self.game.situation(&state)),
                    _ if retreats => retreat(&self.game.situation(&state)),
                    _ => self.game.situation(&state).member(63),
                };
                self.game.apply(&mut state, action);
            }
            *tally.0.entry(self.lost(&start, &state)).or_default() += 1;
        }
        Ok(tally)
    }

    /// Units that went back to the pools of attacker and defender.
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

/// Reads one side of a battle, as in `6 infantry, 1 cavalry, leader` or `6i 1c leader`.
///
/// # Errors
/// If a word or number is not understood: the message says what would be.
pub fn parse(text: &str) -> Result<Muster, String> {
    let mut counts = [0u32; WORDS.len()];
    let mut number: Option<u32> = None;
    for word in text.split([' ', ',', '+']).filter(|word| !word.is_empty()) {
        let name = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &word[..word.len() - name.len()];
        if !digits.is_empty() {
            if let Some(before) = number {
                return Err(format!("{before} what? (as in {before} infantry)"));
            }
            let most = MOST_UNITS as u32;
            let n = digits.parse().ok().filter(|&n: &u32| n <= most);
            number = Some(n.ok_or_else(|| format!("{digits} is out of range (0 to {most})"))?);
        }
        if !name.is_empty() {
            counts[word_named(name)?] += number.take().unwrap_or(1);
        }
    }
    if let Some(n) = number {
        return Err(format!("{n} what? (as in {n} infantry)"));
    }
    let units: u32 = counts[..N_MILITARY].iter().sum();
    if units == 0 || units > MOST_UNITS as u32 || counts[TRAINING] > MOST_UNITS as u32 {
        return Err(format!("{units} units: 1 to {MOST_UNITS} can fight"));
    }
    let [a, b, c, d, leaders, trainings, cities] = counts;
    Ok(Muster {
        army: [a, b, c, d].map(|n| n as u8),
        has_leader: leaders > 0,
        has_city: cities > 0,
        trainings: trainings as u8,
    })
}

fn word_named(name: &str) -> Result<usize, String> {
    let is_it = |(one, many, short): &(&str, &str, &str)| [*one, *many, *short].contains(&name);
    WORDS.iter().position(is_it).ok_or_else(|| {
        let names = WORDS.map(|(one, ..)| one);
        let hint = nearest(name, &names).map_or(String::new(), |near| format!("nearest: {near}; "));
        let known = WORDS.map(|(one, _, short)| format!("{one} or {short}")).join(", ");
        format!("unknown word \"{name}\" ({hint}known: {known})")
    })
}

/// A side as [`parse`] reads it: `6 infantry, 1 cavalry, leader`.
#[must_use]
pub fn describe(side: &Muster) -> String {
    let mut parts = vec![units_text(side.army)];
    if side.has_leader {
        parts.push(WORDS[LEADER].0.to_owned());
    }
    if side.trainings > 0 {
        parts.push(counted(TRAINING, side.trainings));
    }
    if side.has_city {
        parts.push("city".to_owned());
    }
    parts.join(", ")
}

/// The units of an army: `6 infantry, 1 cavalry`, or `nothing`.
#[must_use]
pub fn units_text(army: [u8; N_MILITARY]) -> String {
    let units: Vec<String> = army
        .into_iter()
        .enumerate()
        .filter(|(_, n)| *n > 0)
        .map(|(kind, n)| counted(kind, n))
        .collect();
    if units.is_empty() { "nothing".to_owned() } else { units.join(", ") }
}

fn counted(word: usize, n: u8) -> String {
    let (one, many, _) = WORDS[word];
    format!("{n} {}", if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armies_are_read_in_words_and_letters() {
        let army = Muster { army: [6, 1, 2, 0], has_leader: true, has_city: false, trainings: 1 };
        for text in [
            "6 infantry, 1 cavalry, 2 catapults, leader, 1 training",
            "6i 1c 2k l t",
            "3i+3infantry + cavalry 2 catapult,training leader",
        ] {
            assert_eq!(parse(text), Ok(army), "{text}");
        }
        assert_eq!(parse(&describe(&army)), Ok(army));
        assert_eq!(describe(&army), "6 infantry, 1 cavalry, 2 catapults, leader, 1 training");
    }

    #[test]
    fn complaints_name_what_would_be_accepted() {
        let refused = |text: &str| parse(text).expect_err(text);
        assert!(refused("6 infantri").contains("(nearest: infantry; known: infantry or i"));
        assert_eq!(refused("6 3 infantry"), "6 what? (as in 6 infantry)");
        assert_eq!(refused("2 infantry 3"), "3 what? (as in 3 infantry)");
        assert_eq!(refused("61 infantry"), "61 is out of range (0 to 60)");
        assert_eq!(refused("leader"), "0 units: 1 to 60 can fight");
        assert_eq!(refused("60i 1c"), "61 units: 1 to 60 can fight");
    }
}
