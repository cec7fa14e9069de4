//! The odds of a battle, independent of the game: [`BattleCalculator`].
//!
//! A game that can compute the result of its battles returns a calculator from
//! [`Observable::battle_calculator`](crate::Observable::battle_calculator). A side is written in the words of the game.
//! The result counts units by kind.

use std::collections::BTreeMap;

use engine::rules::nearest;

/// Maximum number of unit kinds of a game.
pub const MOST_KINDS: usize = 4;

/// Units by kind, in the order of a [`Vocabulary`].
pub type Units = [u8; MOST_KINDS];

/// A word in the text of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// The singular.
    pub one: &'static str,
    /// The plural.
    pub many: &'static str,
    /// The letter that abbreviates the word.
    pub letter: &'static str,
    /// True if the word is a flag, without a number.
    pub is_flag: bool,
}

impl Word {
    /// Creates a word with a number.
    #[must_use]
    pub const fn many(one: &'static str, many: &'static str, letter: &'static str) -> Self {
        Self { one, many, letter, is_flag: false }
    }

    /// Creates a flag.
    #[must_use]
    pub const fn flag(one: &'static str, many: &'static str, letter: &'static str) -> Self {
        Self { one, many, letter, is_flag: true }
    }
}

/// The words in the text of a side. The kinds of units come first, in their order.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    /// The words.
    pub words: &'static [Word],
    /// Number of words that are kinds of units.
    pub kinds: usize,
    /// Maximum number of units of a side.
    pub most: u32,
}

/// A battle whose odds are requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question<'a> {
    /// Attacker and defender, as text.
    pub sides: [&'a str; 2],
    /// True if the battle is at sea.
    pub at_sea: bool,
    /// True if both sides retreat by the rule of the game's agents.
    pub has_retreats: bool,
}

/// The error in a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadQuestion {
    /// An error in a side: 0 is the attacker.
    Side(usize, String),
    /// An error in the battle as a whole.
    Fight(String),
}

/// The winner of a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The attacker: the defender's army is destroyed or has retreated.
    Attacker,
    /// The defender: the attacker's army is destroyed or has retreated.
    Defender,
    /// No winner: both armies are destroyed.
    BothGone,
    /// No winner: both armies remain after the last round.
    Undecided,
}

/// A possible end of a battle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct End {
    /// The remaining units of attacker and defender.
    pub left: [Units; 2],
    /// The winner.
    pub verdict: Verdict,
    /// Its probability.
    pub chance: f64,
}

/// The odds of a battle.
#[derive(Clone, PartialEq, Debug)]
pub struct BattleOdds {
    /// Attacker and defender, in full words.
    pub names: [String; 2],
    /// Their units.
    pub armies: [Units; 2],
    /// Number of dice in the first roll of each side.
    pub dice: [u8; 2],
    /// All ends with a positive probability, once for each pair of remaining armies.
    pub ends: Vec<End>,
    /// Expected number of rounds.
    pub rounds: f64,
}

/// The number of played battles by remaining units of both sides.
pub type Tally = BTreeMap<[Units; 2], u64>;

/// A calculator of battle odds.
pub trait BattleCalculator {
    /// Returns the words of a side.
    fn vocabulary(&self) -> &'static Vocabulary;

    /// Returns the odds of the battle.
    ///
    /// # Errors
    /// If a side is invalid or the battle is too large.
    fn battle_odds(&mut self, question: &Question<'_>) -> Result<BattleOdds, BadQuestion>;

    /// Plays `n` such battles by the rules of the game. Battle `i` uses the dice at (`seed`, `i`).
    ///
    /// # Errors
    /// As [`battle_odds`](Self::battle_odds), or if no position holds the armies.
    fn play(&self, question: &Question<'_>, n: u64, seed: u64) -> Result<Tally, BadQuestion>;
}

impl BattleOdds {
    /// Returns the probability of a verdict.
    #[must_use]
    pub fn chance(&self, verdict: Verdict) -> f64 {
        let ends = self.ends.iter().filter(|end| end.verdict == verdict);
        ends.fold(0.0, |sum, end| sum + end.chance)
    }

    /// Returns the expected survivors of a side by kind.
    ///
    /// # Panics
    /// If `side` is neither 0 nor 1.
    #[must_use]
    pub fn survivors(&self, side: usize) -> [f64; MOST_KINDS] {
        let mut mean = [0.0; MOST_KINDS];
        for end in &self.ends {
            mean.iter_mut().zip(end.left[side]).for_each(|(m, n)| *m += end.chance * f64::from(n));
        }
        mean
    }
}

impl Vocabulary {
    /// Returns the count of each word in `text`, for example `6 infantry, 1 cavalry, leader` or `6i 1c leader`.
    ///
    /// # Errors
    /// If a word or number is unknown, or if there are no units or too many: the message lists the accepted values.
    pub fn read(&self, text: &str) -> Result<Vec<u8>, String> {
        let most = self.most;
        let mut counts = vec![0; self.words.len()];
        let mut number: Option<u32> = None;
        for word in text.split([' ', ',', '+']).filter(|word| !word.is_empty()) {
            let name = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let digits = &word[..word.len() - name.len()];
            if !digits.is_empty() {
                if let Some(before) = number {
                    return Err(format!("{before} what? (as in {before} {})", self.words[0].many));
                }
                let n = digits.parse().ok().filter(|&n: &u32| n <= most);
                number = Some(n.ok_or_else(|| format!("{digits} is out of range (0 to {most})"))?);
            }
            if !name.is_empty() {
                counts[self.word(name)?] += number.take().unwrap_or(1);
            }
        }
        if let Some(n) = number {
            return Err(format!("{n} what? (as in {n} {})", self.words[0].many));
        }
        let units: u32 = counts[..self.kinds].iter().sum();
        if units == 0 || units > most || counts.iter().any(|&n| n > most) {
            return Err(format!("{units} units: 1 to {most} can fight"));
        }
        Ok(counts.into_iter().map(|n| n as u8).collect())
    }

    fn word(&self, name: &str) -> Result<usize, String> {
        let is_it = |word: &Word| [word.one, word.many, word.letter].contains(&name);
        self.words.iter().position(is_it).ok_or_else(|| {
            let names: Vec<&str> = self.words.iter().map(|word| word.one).collect();
            let hint = nearest(name, &names);
            let hint = hint.map_or(String::new(), |near| format!("nearest: {near}; "));
            let known = self.words.iter().map(|word| format!("{} or {}", word.one, word.letter));
            let known = known.collect::<Vec<_>>().join(", ");
            format!("unknown word \"{name}\" ({hint}known: {known})")
        })
    }

    /// Returns the text of a side in the form of [`read`](Self::read), with flags without a number.
    #[must_use]
    pub fn text(&self, counts: &[u8]) -> String {
        let mut parts = vec![self.units_text(counts)];
        let others = self.words.iter().zip(counts).skip(self.kinds);
        parts.extend(
            others.filter(|(_, n)| **n > 0).map(|(word, n)| {
                if word.is_flag { word.one.to_owned() } else { counted(word, *n) }
            }),
        );
        parts.join(", ")
    }

    /// Returns the text of the units alone: `6 infantry, 1 cavalry`, or `nothing`.
    #[must_use]
    pub fn units_text(&self, units: &[u8]) -> String {
        let kinds = self.words.iter().zip(units).take(self.kinds);
        let words: Vec<String> =
            kinds.filter(|(_, n)| **n > 0).map(|(word, n)| counted(word, *n)).collect();
        if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
    }
}

fn counted(word: &Word, n: u8) -> String {
    format!("{n} {}", if n == 1 { word.one } else { word.many })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: Vocabulary = Vocabulary {
        words: &[
            Word::many("infantry", "infantry", "i"),
            Word::many("archer", "archers", "k"),
            Word::many("training", "trainings", "t"),
            Word::flag("leader", "leaders", "l"),
        ],
        kinds: 2,
        most: 60,
    };

    #[test]
    fn armies_are_read_in_words_and_letters() {
        for text in [
            "6 infantry, 2 archers, 1 training, leader",
            "6i 2k t l",
            "3i+3infantry + archers 1 k,training leader",
        ] {
            assert_eq!(WORDS.read(text), Ok(vec![6, 2, 1, 1]), "{text}");
        }
        let words = WORDS.text(&[6, 2, 1, 1]);
        assert_eq!(words, "6 infantry, 2 archers, 1 training, leader");
        assert_eq!(WORDS.read(&words), Ok(vec![6, 2, 1, 1]));
        assert_eq!(WORDS.units_text(&[0, 0, 3, 1]), "nothing");
    }

    #[test]
    fn complaints_name_what_would_be_accepted() {
        let refused = |text: &str| WORDS.read(text).expect_err(text);
        assert!(refused("6 infantri").contains("(nearest: infantry; known: infantry or i"));
        assert_eq!(refused("6 3 infantry"), "6 what? (as in 6 infantry)");
        assert_eq!(refused("2 infantry 3"), "3 what? (as in 3 infantry)");
        assert_eq!(refused("61 infantry"), "61 is out of range (0 to 60)");
        assert_eq!(refused("leader"), "0 units: 1 to 60 can fight");
        assert_eq!(refused("60i 1k"), "61 units: 1 to 60 can fight");
        assert_eq!(refused("1i 60t 1t"), "1 units: 1 to 60 can fight");
    }
}
