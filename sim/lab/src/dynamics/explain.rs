//! Causes of the length, the margin or the leader of a game: a regression on what happened early in the game.
//!
//! Covariates are facts that are settled before most of the game is played: the first choice of the game and of each
//! seat, the seat that chooses first, what a market sells in the first stage, and what is paid for the order there. A fact about seats counts
//! the seats of which it is true. Later choices are no covariates: a long game has more of all of them.
//!
//! One agent has all seats, so agents are no covariates. The unit is a game, since games have independent deals. Within
//! a group of facts that always add up to the same, the most frequent fact is the reference. The coefficients are
//! associations: what is taken depends on the position.

use std::collections::BTreeMap;

use agents::{Observable, Playable};
use csv::StringRecord;
use engine::{MAX_PLAYERS, Player, Treatable, Turn};
use serde::{Deserialize, Serialize};

use super::rows::Written;
use sim::export::columns::on_one_line;
use sim::game_loop::{GameObserver, Run};
use sim::stats::multiple::holm;
use sim::stats::regression::{BLOCKS_A_COVARIATE, Coefficient, Regression};
use sim::win_model::probes::leader;

/// The smallest fraction of games in which a fact is true, and in which it is not.
const RARE: f64 = 0.05;
/// The largest number of distinct first choices that are covariates by their whole text; more are by their first word.
const MOST_CHOICES: usize = 24;
/// The divider between facts in a row, and between a fact and its number.
const DIVIDER: char = ';';
const EQUALS: char = '=';

/// The number that a regression explains.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The number of choices of players.
    Length,
    /// The highest score less the second.
    Margin,
    /// The points of the seat that leads alone in score after half of the choices.
    Leader,
}

impl Outcome {
    /// All outcomes.
    const ALL: [Self; 3] = [Self::Length, Self::Margin, Self::Leader];

    /// Parses the word of an outcome.
    ///
    /// # Errors
    /// If no outcome has this word: the message lists them.
    pub fn parse(word: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|outcome| outcome.word() == word);
        found.ok_or_else(|| "expected length, margin or leader".to_owned())
    }

    /// Returns the word of the outcome.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Margin => "margin",
            Self::Leader => "leader",
        }
    }

    /// Returns the number in words, for people.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Length => "choices in a game",
            Self::Margin => "highest score less the second",
            Self::Leader => "points of the seat that leads in score after half of the choices",
        }
    }
}

/// The early facts of a game, and its outcomes.
#[derive(Clone, PartialEq, Debug)]
pub struct EarlyGame {
    plies: u32,
    /// The highest score less the second, in a game with scores.
    margin: Option<f64>,
    /// The points of the seat that led alone halfway, if one did.
    kept: Option<f64>,
    /// The number of each fact.
    facts: BTreeMap<String, f64>,
}

/// Returns the names of the fields of a game.
#[must_use]
pub fn columns() -> Vec<String> {
    ["plies", "margin", "kept", "facts"].map(str::to_owned).to_vec()
}

impl Written for EarlyGame {
    fn fields(&self) -> Vec<String> {
        let maybe = |x: Option<f64>| x.map_or_else(String::new, super::rows::number);
        let facts = self.facts.iter();
        let facts = facts.map(|(name, n)| format!("{name}{EQUALS}{}", super::rows::number(*n)));
        let facts = facts.collect::<Vec<_>>().join(&DIVIDER.to_string());
        vec![self.plies.to_string(), maybe(self.margin), maybe(self.kept), facts]
    }

    fn read(fields: &StringRecord) -> Option<Self> {
        let mut fields = fields.iter();
        let plies = fields.next()?.parse().ok()?;
        let mut maybe = || match fields.next()? {
            "" => Some(None),
            text => text.parse().ok().map(Some),
        };
        let (margin, kept) = (maybe()?, maybe()?);
        let fact = |text: &str| {
            let (name, n) = text.rsplit_once(EQUALS)?;
            Some((name.to_owned(), n.parse().ok()?))
        };
        let facts = fields.next()?.split(DIVIDER).filter(|text| !text.is_empty());
        Some(Self { plies, margin, kept, facts: facts.map(fact).collect::<Option<_>>()? })
    }
}

impl EarlyGame {
    fn outcome(&self, outcome: Outcome) -> Option<f64> {
        match outcome {
            Outcome::Length => Some(f64::from(self.plies)),
            Outcome::Margin => self.margin,
            Outcome::Leader => self.kept,
        }
    }
}

/// An observer of the early facts of a game.
#[derive(Debug)]
pub struct Watch {
    facts: BTreeMap<String, f64>,
    has_chosen: [bool; MAX_PLAYERS],
    /// The money of all players when the first auction begins, and when it is last seen.
    money: Option<[i64; 2]>,
    /// The sole leader in score after each choice.
    leaders: Vec<Option<u8>>,
    margin: Option<f64>,
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            facts: BTreeMap::new(),
            has_chosen: [false; MAX_PLAYERS],
            money: None,
            leaders: Vec::new(),
            margin: None,
        }
    }
}

impl Watch {
    fn add(&mut self, kind: &str, what: &str) {
        let what = on_one_line(what).replace([DIVIDER, EQUALS], ",");
        *self.facts.entry(format!("{kind} {what}")).or_default() += 1.0;
    }

    /// Returns the facts of the finished game, whose seats have these points.
    #[must_use]
    pub fn game(mut self, points: &[f64]) -> EarlyGame {
        if let Some([before, after]) = self.money {
            self.facts.insert("money paid for the order".to_owned(), (before - after) as f64);
        }
        let half = self.leaders.get(self.leaders.len() / 2).copied().flatten();
        EarlyGame {
            plies: self.leaders.len() as u32,
            margin: self.margin,
            kept: half.map(|seat| points[usize::from(seat)]),
            facts: self.facts,
        }
    }
}

impl<G: Playable + Observable> GameObserver<G> for Watch {
    fn at(&mut self, game: &G, run: &Run<G::State>) {
        let state = &run.state;
        let n = game.n_players();
        if Treatable::stage(game, state) == 1
            && let Some(placings) = game.placings(state)
        {
            let all: i64 = placings.money.first(n).iter().copied().map(i64::from).sum();
            self.money = Some([self.money.map_or(all, |[before, _]| before), all]);
        }
        if game.turn(state) == Turn::Over
            && let Some(scores) = game.scores(state)
        {
            let mut scores = scores.first(n).to_vec();
            scores.sort_unstable_by(|a, b| b.cmp(a));
            let lead = scores.first().zip(scores.get(1)).map(|(a, b)| f64::from(a - b));
            self.margin = lead;
        }
    }

    fn chosen(&mut self, game: &G, state: &G::State, player: Player, action: G::Action, _: u32) {
        let n = game.n_players();
        let scores = game.scores(state);
        let scores = scores.map(|s| s.first(n).iter().copied().map(f64::from).collect::<Vec<_>>());
        self.leaders.push(scores.and_then(|scores| leader(&scores, 0.0)).map(|seat| seat as u8));
        if self.leaders.len() == 1 {
            self.add("first", &format!("seat {}", player.ordinal()));
            self.add("opens", &game.action_text(action));
        }
        if !std::mem::replace(&mut self.has_chosen[player.idx()], true) {
            self.add("begins", &game.action_text(action));
        }
        if Treatable::stage(game, state) == 1 {
            let mut taken = Vec::new();
            game.uptake(state, player, action, &mut taken);
            taken.retain(|thing| G::markets().iter().any(|market| market.ban == thing.ban));
            taken.iter().for_each(|thing| self.add("takes", thing.name));
        }
    }
}

/// The effect of a fact.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// The fact.
    pub name: String,
    /// The fraction of games in which it is true.
    pub share: f64,
    /// The change of the outcome with one more of it.
    pub coefficient: Coefficient,
    /// The p-value, adjusted over all facts (Holm).
    pub adjusted_p: f64,
}

impl Effect {
    /// Returns true if the effect is found.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.adjusted_p < crate::balance::cards::LEVEL
    }
}

/// The explanation of an outcome.
#[derive(Clone, PartialEq, Debug)]
pub struct Explained {
    /// The outcome.
    pub outcome: Outcome,
    /// The number of games that have it.
    pub games: usize,
    /// The regression and the effects, the most certain first; `None` if no regression could be fitted.
    pub fitted: Option<(Regression, Vec<Effect>)>,
}

impl Explained {
    /// Explains the outcome of `games`.
    #[must_use]
    pub fn of(games: &[EarlyGame], outcome: Outcome) -> Self {
        let told = games.iter().filter_map(|game| Some((game, game.outcome(outcome)?)));
        let (games, y): (Vec<&EarlyGame>, Vec<f64>) = told.unzip();
        let mut facts = facts(&games);
        facts.truncate(games.len() / BLOCKS_A_COVARIATE);
        let mut fitted = None;
        // Facts that others determine are left out, the rarest first.
        while fitted.is_none() && !facts.is_empty() {
            let row = |i: usize| facts.iter().map(|fact| fact.numbers[i]).collect();
            let x: Vec<Vec<f64>> = (0..games.len()).map(row).collect();
            fitted = Regression::fit(&x, &y);
            if fitted.is_none() {
                facts.pop();
            }
        }
        let fitted = fitted.map(|fit| {
            let effects = effects(&fit, facts);
            (fit, effects)
        });
        Self { outcome, games: games.len(), fitted }
    }

    /// Returns the reason why nothing is explained; `None` if something is.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        match &self.fitted {
            None => {
                Some("no regression fits: too few games, or no early fact that varies".to_owned())
            }
            Some((fit, _)) if fit.explains() => None,
            Some((fit, _)) => Some(format!(
                "early facts explain nothing of unseen games (held-out R² {:.3} [{:.3}, {:.3}])",
                fit.held_out.0, fit.held_out.1.low, fit.held_out.1.high
            )),
        }
    }
}

fn effects(fit: &Regression, facts: Vec<Fact>) -> Vec<Effect> {
    let p: Vec<f64> = fit.coefficients.iter().map(|one| one.p).collect();
    let all = facts.into_iter().zip(&fit.coefficients).zip(holm(&p));
    let effect =
        |((Fact { name, numbers }, coefficient), adjusted_p): ((Fact, &Coefficient), f64)| {
            let share = share(&numbers);
            Effect { name, share, coefficient: *coefficient, adjusted_p }
        };
    let mut effects: Vec<Effect> = all.map(effect).collect();
    effects.sort_by(|a, b| a.coefficient.p.total_cmp(&b.coefficient.p));
    effects
}

/// A fact with its number in each game.
struct Fact {
    name: String,
    numbers: Vec<f64>,
}

/// Returns the fraction of games in which a fact is true.
fn share(numbers: &[f64]) -> f64 {
    numbers.iter().filter(|n| **n != 0.0).count() as f64 / numbers.len().max(1) as f64
}

/// Returns the facts that vary, the most frequent first, without the reference of each group.
fn facts(games: &[&EarlyGame]) -> Vec<Fact> {
    let begins: std::collections::BTreeSet<&str> = games
        .iter()
        .flat_map(|game| game.facts.keys())
        .map(String::as_str)
        .filter(is_begin)
        .collect();
    let is_whole = begins.len() <= MOST_CHOICES;
    let named = |name: &str| match is_begin(&name) && !is_whole {
        true => name.split(' ').take(2).collect::<Vec<_>>().join(" "),
        false => name.to_owned(),
    };
    let mut all: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (i, game) in games.iter().enumerate() {
        for (name, n) in &game.facts {
            all.entry(named(name)).or_insert_with(|| vec![0.0; games.len()])[i] += n;
        }
    }
    let mut facts: Vec<Fact> =
        all.into_iter().map(|(name, numbers)| Fact { name, numbers }).collect();
    let amount = |fact: &Fact| fact.numbers.iter().sum::<f64>();
    facts.sort_by(|a, b| amount(b).total_cmp(&amount(a)));
    // What seats begin with, what opens the game, and which seat is first, always adds up to the same.
    for group in ["begins ", "opens ", "first "] {
        let reference = facts.iter().position(|fact| fact.name.starts_with(group));
        if let Some(place) = reference {
            facts.remove(place);
        }
    }
    facts.retain(|fact| {
        let first = fact.numbers.first().copied().unwrap_or_default();
        let others = fact.numbers.iter().filter(|n| (**n - first).abs() > f64::EPSILON).count();
        let varies = others as f64 / games.len() as f64;
        (RARE..=1.0).contains(&share(&fact.numbers)) && (RARE..=1.0 - RARE).contains(&varies)
    });
    facts
}

fn is_begin(name: &&str) -> bool {
    name.starts_with("begins ") || name.starts_with("opens ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Purpose, Randomness, rng};

    /// Returns games of which those that begin with an attack are `longer` choices longer.
    fn games(seed: u64, n: usize, longer: f64) -> Vec<EarlyGame> {
        let mut rng = rng::stream(seed, 0, Purpose::Analysis);
        let game = |_| {
            let is_attack = rng.below(3) == 0;
            let begins = if is_attack { "begins attack" } else { "begins build" };
            let mut facts = BTreeMap::from([(begins.to_owned(), 1.0)]);
            facts.insert(format!("first seat {}", 1 + rng.below(2)), 1.0);
            if rng.below(4) == 0 {
                facts.insert("takes loot".to_owned(), 1.0);
            }
            let plies = 100.0 + 20.0 * rng.unit() + if is_attack { longer } else { 0.0 };
            EarlyGame { plies: plies.round() as u32, margin: None, kept: None, facts }
        };
        (0..n).map(game).collect()
    }

    #[test]
    fn a_planted_cause_is_named_and_nothing_else_is() {
        let told = Explained::of(&games(1, 400, 6.0), Outcome::Length);
        assert_eq!((told.games, told.refusal()), (400, None));
        let (_, effects) = told.fitted.unwrap();
        let names: Vec<&str> = effects.iter().map(|one| one.name.as_str()).collect();
        assert_eq!((names.len(), names[0]), (3, "begins attack"), "{names:?}");
        assert!(effects[0].coefficient.interval.contains(6.0) && effects[0].is_found());
        assert!(effects[1..].iter().all(|effect| !effect.is_found()), "{effects:?}");
        assert!((effects[0].share - 1.0 / 3.0).abs() < 0.1);
    }

    /// Without a cause fewer than one study in twenty explains anything, or names a cause; with one it is covered.
    #[test]
    fn causes_are_covered_and_nothing_is_explained_by_nothing() {
        let studies = 200;
        let (mut explained, mut named, mut covered) = (0, 0, 0);
        for seed in 0..studies {
            let nothing = Explained::of(&games(100 + seed, 200, 0.0), Outcome::Length);
            explained += usize::from(nothing.refusal().is_none());
            let (_, effects) = nothing.fitted.unwrap();
            named += usize::from(effects.iter().any(Effect::is_found));
            let (_, effects) =
                Explained::of(&games(900 + seed, 200, 3.0), Outcome::Length).fitted.unwrap();
            let attack = effects.iter().find(|one| one.name == "begins attack").unwrap();
            covered += usize::from(attack.coefficient.interval.contains(3.0));
        }
        assert!(explained <= 12 && named <= 16, "{explained} {named}");
        assert!((184..=199).contains(&covered), "{covered}");
    }

    #[test]
    fn games_without_the_outcome_and_without_facts_explain_nothing() {
        let told = Explained::of(&games(1, 400, 6.0), Outcome::Margin);
        assert_eq!((told.games, told.fitted.is_none()), (0, true));
        assert!(told.refusal().unwrap().starts_with("no regression fits"));
    }

    #[test]
    fn what_was_seen_is_read_as_it_was() {
        for (margin, kept) in [(Some(3.5), Some(1.0)), (None, None)] {
            let one = EarlyGame { margin, kept, ..games(1, 1, 0.0).remove(0) };
            assert_eq!(EarlyGame::read(&one.fields().into_iter().collect()), Some(one));
        }
    }
}
