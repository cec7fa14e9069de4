//! The mix of actions: kinds by their first word, with their frequency, and actions that no agent ever takes.

use std::collections::BTreeMap;
use std::fmt::Write;

use agents::Playable;
use engine::{Player, hash_of};

use super::rows::strokes;
use sim::export::columns::on_one_line;
use sim::game_loop::GameObserver;

/// The numbers of times that something was offered and chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uses {
    /// Decisions in which it was an option.
    pub offered: u64,
    /// Decisions in which it was chosen.
    pub chosen: u64,
}

impl Uses {
    fn add(&mut self, other: Self) {
        self.offered += other.offered;
        self.chosen += other.chosen;
    }
}

/// A counter of options over the games that it observes.
#[derive(Clone, Debug)]
pub struct Mix<A> {
    /// Counts by the hash of an action.
    actions: BTreeMap<u64, (A, Uses)>,
    /// The number of decisions, and of their options in total.
    decisions: u64,
    options: u64,
    scratch: Vec<A>,
}

impl<A> Default for Mix<A> {
    fn default() -> Self {
        Self { actions: BTreeMap::new(), decisions: 0, options: 0, scratch: Vec::new() }
    }
}

impl<A: Copy> Mix<A> {
    /// Returns the counts, with actions as text of `game`.
    pub fn counts<G: Playable<Action = A>>(&self, game: &G) -> Counts {
        let mut actions: BTreeMap<String, Uses> = BTreeMap::new();
        for (action, uses) in self.actions.values() {
            // No action's text contains the divider.
            let text = on_one_line(&game.action_text(*action)).replace(DIVIDER, ",");
            actions.entry(text).or_default().add(*uses);
        }
        Counts { decisions: self.decisions, options: self.options, actions }
    }
}

/// The divider between actions in a row.
const DIVIDER: char = ';';

/// The numbers of times that actions were offered and chosen, by their text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Decisions.
    pub decisions: u64,
    /// The total number of their options.
    pub options: u64,
    actions: BTreeMap<String, Uses>,
}

impl Counts {
    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: Self) {
        self.decisions += other.decisions;
        self.options += other.options;
        for (text, uses) in other.actions {
            self.actions.entry(text).or_default().add(uses);
        }
    }

    /// Returns the counts as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("{}/{}", self.decisions, self.options);
        for (text, uses) in &self.actions {
            let _ = write!(out, "{DIVIDER}{}/{} {text}", uses.offered, uses.chosen);
        }
        out
    }

    /// Parses the output of [`Self::text`].
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(DIVIDER);
        let pair = |text: &str| strokes(text).and_then(|all: Vec<u64>| all.try_into().ok());
        let [decisions, options] = pair(parts.next()?)?;
        let action = |part: &str| {
            let (uses, text) = part.split_once(' ')?;
            let [offered, chosen] = pair(uses)?;
            Some((text.to_owned(), Uses { offered, chosen }))
        };
        Some(Self { decisions, options, actions: parts.map(action).collect::<Option<_>>()? })
    }
}

impl<G: Playable> GameObserver<G> for Mix<G::Action> {
    fn chosen(
        &mut self,
        game: &G,
        state: &G::State,
        player: Player,
        action: G::Action,
        _plies: u32,
    ) {
        self.scratch.clear();
        game.actions(state, player, &mut self.scratch);
        self.decisions += 1;
        self.options += self.scratch.len() as u64;
        for &option in &self.scratch {
            let known = self.actions.entry(hash_of(&option)).or_insert((option, Uses::default()));
            known.1.offered += 1;
            known.1.chosen += u64::from(option == action);
        }
    }
}

/// A kind of action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The first word of its actions.
    pub word: String,
    /// Choices of this kind, and offers of its actions over all decisions.
    pub uses: Uses,
    /// Distinct actions of this kind that were ever offered, and ever chosen.
    pub actions: [u64; 2],
}

/// The counts by kind of action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Kinds of action, the most frequent first.
    pub kinds: Vec<Kind>,
    /// Actions that were never chosen, the most frequently offered first.
    pub unused: Vec<(String, u64)>,
}

impl Coverage {
    /// Groups counts by kind.
    #[must_use]
    pub fn of(counts: &Counts) -> Self {
        let mut kinds: BTreeMap<String, (Uses, [u64; 2])> = BTreeMap::new();
        let mut unused = Vec::new();
        for (text, uses) in &counts.actions {
            let kind = kinds.entry(word(text)).or_default();
            kind.0.add(*uses);
            kind.1[0] += 1;
            kind.1[1] += u64::from(uses.chosen > 0);
            if uses.chosen == 0 {
                unused.push((text.clone(), uses.offered));
            }
        }
        let mut kinds: Vec<Kind> =
            kinds.into_iter().map(|(word, (uses, actions))| Kind { word, uses, actions }).collect();
        kinds.sort_by(|a, b| b.uses.chosen.cmp(&a.uses.chosen).then_with(|| a.word.cmp(&b.word)));
        unused.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Self { kinds, unused }
    }
}

/// Returns the first word of an action: its letters up to the first other character. A text that begins otherwise, as
/// a square or a number does, has no word.
fn word(text: &str) -> String {
    let word: String = text.chars().take_while(|c| c.is_alphabetic() || *c == '_').collect();
    let rest = &text[word.len()..];
    let is_word = !word.is_empty() && (rest.is_empty() || rest.starts_with(' '));
    if is_word { word } else { "(no word)".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_they_were() {
        let uses = |offered, chosen| Uses { offered, chosen };
        let actions = [("take 3, 4".to_owned(), uses(5, 2)), (String::new(), uses(1, 0))];
        let counts = Counts { decisions: 3, options: 7, actions: actions.into() };
        assert_eq!(Counts::read(&counts.text()), Some(counts.clone()));
        assert_eq!(Counts::read(&Counts::default().text()), Some(Counts::default()));
        assert_eq!(Counts::read("3/7;x take"), None);
        let mut twice = counts.clone();
        twice.merge(counts);
        assert_eq!((twice.decisions, twice.actions["take 3, 4"]), (6, uses(10, 4)));
    }

    #[test]
    fn kinds_are_first_words() {
        let words = ["take 3", "pass", "a1", "7", "draw_card x", "e2-e4"].map(word);
        assert_eq!(words, ["take", "pass", "(no word)", "(no word)", "draw_card", "(no word)"]);
    }
}
