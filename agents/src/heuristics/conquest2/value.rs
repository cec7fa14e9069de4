//! The value function of a search: a linear function of a few features. Its softmax over the players gives their win
//! probabilities.
//!
//! The evaluation of the greedy agent orders the results of a player's own action; its numbers are not comparable
//! between players and phases. The value function is. For every number of players and every round, `caesar fit value`
//! has fitted weights to the winners of games by `FittedTable`. The files `agents/data/conquest2/value-N.toml` name the
//! games. The unit is about a final victory point, because weights are shrunk towards those of the preset, which
//! predicted final points.

use engine::games::conquest2::cards::Vote;
use engine::games::conquest2::units::{N_UNITS, Unit};
use engine::games::conquest2::{CardKind, Conquest2, PlaceSet, Situation, State};
use engine::rules::nearest;
use engine::{ByPlayer, MAX_PLAYERS, Player};
use toml_edit::{Document, Table as Section, Value};

use crate::fitting::{PhaseWeights, ValueTable};

use super::evaluation::{Standing, TimeLeft, gain_at};
use super::weights::Weights;

/// The features of a position for each player.
pub const FEATURES: &[&str] = &[
    "points",
    "projected",
    "penalty",
    "influence",
    "money",
    "riches",
    "infantry",
    "cavalry",
    "catapults",
    "generals",
    "galleys",
    "votes",
    "unguarded",
    "besieged",
    "best_purchase",
    "second_purchase",
    "merchants",
    "cities",
    "senate_votes",
    "hail_caesar",
    "cards",
    "chaos",
    "actions",
];
const N: usize = FEATURES.len();

/// Returns the index of a feature.
///
/// # Panics
/// If there is no feature of this name.
pub(super) fn index(name: &str) -> usize {
    FEATURES.iter().position(|known| *known == name).expect("a feature of this list")
}

/// The units in the order of their features.
const UNITS: [Unit; N_UNITS] =
    [Unit::Infantry, Unit::Cavalry, Unit::Catapult, Unit::General, Unit::Galley];
// The weights were fitted to these definitions of features. So these numbers are constants and no weights of the
// evaluation, from which they come.
/// Units of a garrison that stays strong beside an enemy army.
const STRONG: u8 = 3;
/// The stake of a place with influence, in addition to its points.
const STAKE: f32 = 2.0;
/// The weight of a Diplomacy card against other cards. It serves one season.
const HALF_A_CARD: f32 = 0.5;

/// The weights of one round.
type Round = [f32; N];

/// The number of seasons with fitted weights.
const SEASONS: usize = 4;
const ROUNDS: usize = 4;
/// Phases of the game.
pub(super) const PHASES: usize = SEASONS * ROUNDS;

/// The features of all players.
#[derive(Clone, Copy, Debug)]
pub struct Features(pub ByPlayer<[f32; N]>);

impl Features {
    /// Counts the features of a position. `w` weighs possible purchases.
    #[must_use]
    pub fn of(w: &Weights, situation: &Situation<'_>) -> Self {
        let mut all = Self(ByPlayer([[0.0; N]; MAX_PLAYERS]));
        all.count_influence(situation);
        let penalties = situation.chaos_penalties();
        for me in situation.players() {
            let f = &mut all.0[me];
            f[0] = situation.vp(me).into();
            f[2] = penalties[me].into();
            f[3] = situation.influence(me).into();
            let money = f32::from(situation.money(me));
            f[4] = money.min(w.rich);
            f[5] = (money - w.rich).max(0.0);
            for (slot, unit) in UNITS.into_iter().enumerate() {
                f[6 + slot] = situation.on_map(me, unit).into();
            }
            f[11] = situation.votes(me).into();
            count_purchases(w, situation, me, f);
            count_cards(situation, me, f);
            f[21] = situation.chaos(me).into();
            f[22] = actions_left(situation, me);
        }
        all
    }

    /// Counts the influence that would score now, and its safety.
    fn count_influence(&mut self, situation: &Situation<'_>) {
        let n = situation.n_players();
        let hostile = ByPlayer::from_fn(|q| {
            if q.idx() < n { situation.armies_of(situation.enemies(q)) } else { PlaceSet::EMPTY }
        });
        for key in situation.all_keys() {
            let standing = Standing::of(situation, key);
            let (vp, place) = (situation.vp_of(key), situation.place_of(key));
            for q in situation.players().filter(|&q| standing.counts[q] > 0) {
                let points = standing.points(vp, q) as f32;
                let f = &mut self.0[q];
                f[1] += points;
                if !situation.armies(q).contains(place) {
                    f[12] += points + STAKE;
                } else if hostile[q].contains(place)
                    && situation.troops(q, place).iter().sum::<u8>() < STRONG
                {
                    f[13] += points + STAKE;
                }
            }
        }
    }
}

/// Counts the two best purchases at the places of leaders, in points of this season.
fn count_purchases(w: &Weights, situation: &Situation<'_>, me: Player, f: &mut [f32; N]) {
    let now = TimeLeft { seasons: 1.0, discounted: 1.0, use_of_means: 1.0 };
    for place in (situation.leaders(me) & situation.keys()).iter() {
        let Some(key) = situation.key_at(place) else { continue };
        let gain = gain_at(w, &now, situation, me, key, situation.caesar(me) == Some(place));
        f[15] = f[15].max(gain.min(f[14]));
        f[14] = f[14].max(gain);
    }
}

fn count_cards(situation: &Situation<'_>, me: Player, f: &mut [f32; N]) {
    for (card, number) in situation.held_cards(me) {
        let number = f32::from(number);
        match card.kind() {
            CardKind::Merchant(_) => {
                let influence =
                    situation.merchant_key(card).map_or(0, |key| situation.influence_in(me, key));
                f[16] += number * f32::from(influence);
            }
            CardKind::Vote(Vote::HailCaesar) => f[19] += number,
            CardKind::Vote(_) => f[18] += number,
            CardKind::Assassin | CardKind::Loot | CardKind::ArmyTraining => f[20] += number,
            CardKind::Diplomacy(_) => f[20] += HALF_A_CARD * number,
            _ => {}
        }
    }
    f[17] = situation.cities(me).len() as f32;
}

/// Returns the remaining actions of a player in this round. Before the first round of a season no player has had a
/// turn, whatever the order.
fn actions_left(situation: &Situation<'_>, me: Player) -> f32 {
    let all = situation.actions_per_turn() as f32;
    match situation.position_of(me) {
        _ if situation.season() == situation.n_seasons() => 0.0,
        _ if situation.round().is_none() => all,
        Some(position) if position > situation.turn_number() => all,
        Some(position) if position == situation.turn_number() => situation.actions_left() as f32,
        _ => 0.0,
    }
}

/// The fitted weights.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueFunction {
    weights: [[Round; ROUNDS]; SEASONS],
    logistic_scale: [[f32; ROUNDS]; SEASONS],
    /// The softmax scales; the logistic scale if the file has none.
    softmax_scale: [[f32; ROUNDS]; SEASONS],
}

/// The logistic scale at the end of the game, when a lead of some points decides.
const SCALE_AT_THE_END: f32 = 4.0;

/// The key in a file for the scale that converts values to probabilities.
const LOGISTIC_SCALE: &str = "logistic_scale";
const SOFTMAX_SCALE: &str = "softmax_scale";
/// The optional key in a file for the number of players, before all tables.
const PLAYERS: &str = "players";

/// The fitted weights of presets, for 2, 3, … players.
const PRESETS: &[(&str, [&str; MAX_PLAYERS - 1])] = &[(
    "2026-11-22",
    [
        include_str!("../../../data/conquest2/presets/2026-11-22/value-2.toml"),
        include_str!("../../../data/conquest2/presets/2026-11-22/value-3.toml"),
        include_str!("../../../data/conquest2/presets/2026-11-22/value-4.toml"),
        include_str!("../../../data/conquest2/presets/2026-11-22/value-5.toml"),
        include_str!("../../../data/conquest2/presets/2026-11-22/value-6.toml"),
    ],
)];

impl ValueFunction {
    /// Returns the weights of the package for a table of `n_players`.
    ///
    /// # Panics
    /// Never: a test reads the embedded files.
    #[must_use]
    pub fn fitted(n_players: usize) -> Self {
        let text = match n_players {
            0..=2 => include_str!("../../../data/conquest2/value-2.toml"),
            3 => include_str!("../../../data/conquest2/value-3.toml"),
            4 => include_str!("../../../data/conquest2/value-4.toml"),
            5 => include_str!("../../../data/conquest2/value-5.toml"),
            _ => include_str!("../../../data/conquest2/value-6.toml"),
        };
        Self::parse(text).expect("the embedded file is good")
    }

    /// Returns the weights of a preset for a table of `n_players`.
    ///
    /// # Panics
    /// If there is no such preset (a bug: a test reads all presets).
    pub(super) fn of_preset(name: &str, n_players: usize) -> Self {
        let (_, texts) = PRESETS.iter().find(|(known, _)| *known == name).expect("a preset");
        let least = 2;
        let at = n_players.clamp(least, MAX_PLAYERS) - least;
        Self::parse(texts[at]).expect("the embedded file is good")
    }

    /// Reads weights as [`Self::parse`] does. The file may name its number of players.
    ///
    /// # Errors
    /// As [`Self::parse`], or if the file is for another number of players than `n_players`.
    pub(super) fn parse_for(text: &str, n_players: usize) -> Result<Self, String> {
        let value = Self::parse(text)?;
        let document = Document::parse(text).map_err(|e| e.message().to_owned())?;
        match document.get(PLAYERS).map(toml_edit::Item::as_integer) {
            None => Ok(value),
            Some(Some(n)) if usize::try_from(n) == Ok(n_players) => Ok(value),
            Some(Some(n)) => Err(format!(
                "{PLAYERS} = {n}: it is for a table of {n}, and {n_players} play: name another, or take that line out of a copy"
            )),
            Some(None) => Err(format!("{PLAYERS} is no whole number")),
        }
    }

    /// Reads weights as TOML. Each round has a table `left-S-round-R`, where S counts the seasons left from 4 to 1. It
    /// holds a number for each of [`FEATURES`], the `logistic_scale`, and optionally the `softmax_scale`.
    ///
    /// # Errors
    /// If an entry is missing, is no number, or is unknown.
    pub fn parse(text: &str) -> Result<Self, String> {
        let document = Document::parse(text)
            .map_err(|e| format!("not TOML: {}", e.message().replace('\n', "; ")))?;
        let mut value = Self {
            weights: [[[0.0; N]; ROUNDS]; SEASONS],
            logistic_scale: [[SCALE_AT_THE_END; ROUNDS]; SEASONS],
            softmax_scale: [[SCALE_AT_THE_END; ROUNDS]; SEASONS],
        };
        for left in 1..=SEASONS {
            for round in 0..ROUNDS {
                let name = format!("left-{left}-round-{}", round + 1);
                let item = document.get(&name).ok_or_else(|| format!("[{name}] is missing"))?;
                let table = item.as_table().ok_or_else(|| format!("{name} is no table"))?;
                refuse_unknown(&name, table)?;
                let number = |key: &str| {
                    let item = table.get(key).and_then(|item| item.as_value());
                    let number = item.and_then(|value| match value {
                        Value::Float(x) => Some(*x.value() as f32),
                        Value::Integer(n) => Some(*n.value() as f32),
                        _ => None,
                    });
                    let number = number.filter(|x| x.is_finite());
                    number.ok_or_else(|| format!("{name}.{key} is missing or no number"))
                };
                for (slot, feature) in FEATURES.iter().enumerate() {
                    value.weights[left - 1][round][slot] = number(feature)?;
                }
                let scale = |key: &str| {
                    let scale = number(key)?;
                    let bad = || format!("{name}.{key}: {scale} is not above 0");
                    if scale > 0.0 { Ok(scale) } else { Err(bad()) }
                };
                let logistic_scale = scale(LOGISTIC_SCALE)?;
                let has_softmax = table.contains_key(SOFTMAX_SCALE);
                value.logistic_scale[left - 1][round] = logistic_scale;
                value.softmax_scale[left - 1][round] =
                    if has_softmax { scale(SOFTMAX_SCALE)? } else { logistic_scale };
            }
        }
        Ok(value)
    }

    /// Returns the round whose weights apply: seasons left minus one, and the round. After a scoring it is the first
    /// round of the next season; `None` when the game is over.
    #[must_use]
    pub fn phase(situation: &Situation<'_>) -> Option<(usize, usize)> {
        let left = situation.n_seasons().checked_sub(situation.season() + 1)?;
        let round = situation.rounds_over() * ROUNDS / situation.n_rounds().max(1);
        Some((left.min(SEASONS - 1), round.min(ROUNDS - 1)))
    }

    /// Returns the number of the phase of a position, in the order of the game; `None` when it is over.
    pub(super) fn phase_number(situation: &Situation<'_>) -> Option<usize> {
        let (left, round) = Self::phase(situation)?;
        Some((SEASONS - 1 - left) * ROUNDS + round)
    }

    /// Returns the expectation of each player, in about final victory points, up to a common offset.
    #[must_use]
    pub fn expect(&self, w: &Weights, situation: &Situation<'_>) -> ByPlayer<f32> {
        let n = situation.n_players();
        if Self::phase(situation).is_none() {
            return ByPlayer::from_fn(|q| if q.idx() < n { situation.vp(q).into() } else { 0.0 });
        }
        self.expect_by(&Features::of(w, situation), situation)
    }

    /// Returns the expectation of each player from the features of a position of a game that is not over.
    pub(super) fn expect_by(
        &self,
        features: &Features,
        situation: &Situation<'_>,
    ) -> ByPlayer<f32> {
        let (left, round) = Self::phase(situation).unwrap_or((0, ROUNDS - 1));
        let weights = &self.weights[left][round];
        ByPlayer::from_fn(|q| {
            features.0[q].iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
        })
    }

    /// Returns the lead that multiplies the odds of winning by e.
    #[must_use]
    pub fn logistic_scale(&self, situation: &Situation<'_>) -> f32 {
        Self::phase(situation)
            .map_or(SCALE_AT_THE_END, |(left, round)| self.logistic_scale[left][round])
    }

    /// Returns the difference that multiplies the odds between two players by e.
    #[must_use]
    pub fn softmax_scale(&self, situation: &Situation<'_>) -> f32 {
        Self::phase(situation)
            .map_or(SCALE_AT_THE_END, |(left, round)| self.softmax_scale[left][round])
    }
}

/// The value function in the form for fitting; `Weights` weigh possible purchases.
#[derive(Clone, Debug)]
pub(super) struct FittedTable {
    pub(super) n_players: usize,
    pub(super) value: ValueFunction,
    pub(super) weights: Weights,
}

/// Returns the phase of a number: seasons left minus one, and the round.
const fn phase_of(number: usize) -> (usize, usize) {
    (SEASONS - 1 - number / ROUNDS, number % ROUNDS)
}

fn name_of(number: usize) -> String {
    let (left, round) = phase_of(number);
    format!("left-{}-round-{}", left + 1, round + 1)
}

impl ValueTable<Conquest2> for FittedTable {
    fn features(&self) -> &'static [&'static str] {
        FEATURES
    }

    /// Returns the names of the phases in the order of the game.
    fn phases(&self) -> Vec<String> {
        (0..PHASES).map(name_of).collect()
    }

    fn phase(&self, game: &Conquest2, state: &State) -> Option<usize> {
        ValueFunction::phase_number(&game.situation(state))
    }

    fn count(&self, game: &Conquest2, state: &State, out: &mut Vec<f32>) {
        let situation = game.situation(state);
        let features = Features::of(&self.weights, &situation).0;
        situation.players().for_each(|q| out.extend(features[q]));
    }

    fn at(&self, phase: usize) -> PhaseWeights {
        let (left, round) = phase_of(phase);
        PhaseWeights {
            weights: self.value.weights[left][round].map(f64::from).to_vec(),
            logistic_scale: self.value.logistic_scale[left][round].into(),
            softmax_scale: self.value.softmax_scale[left][round].into(),
        }
    }

    fn write(&self, head: &[String], all: &[PhaseWeights]) -> String {
        let mut text: String = head.iter().map(|line| format!("# {line}\n")).collect();
        text += &format!("\n{PLAYERS} = {}\n", self.n_players);
        for (number, at) in all.iter().enumerate() {
            let name = name_of(number);
            let (logistic, softmax) = (at.logistic_scale, at.softmax_scale);
            text += &format!("\n[{name}]\n{LOGISTIC_SCALE} = {logistic:.4}\n");
            text += &format!("{SOFTMAX_SCALE} = {softmax:.4}\n");
            for (feature, weight) in FEATURES.iter().zip(&at.weights) {
                text += &format!("{feature} = {weight:.4}\n");
            }
        }
        text
    }
}

fn refuse_unknown(name: &str, situation: &Section) -> Result<(), String> {
    let known: Vec<&str> =
        FEATURES.iter().copied().chain([LOGISTIC_SCALE, SOFTMAX_SCALE]).collect();
    match situation.iter().map(|(key, _)| key).find(|key| !known.contains(key)) {
        Some(key) => {
            let near = nearest(key, &known).unwrap_or(LOGISTIC_SCALE);
            Err(format!("{name}.{key} is no feature (nearest: {near})"))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_files_are_refused_with_the_place() {
        let good = include_str!("../../../data/conquest2/value-4.toml");
        let complain = |from: &str, to: &str| {
            ValueFunction::parse(&good.replacen(from, to, 1)).expect_err("a bad file")
        };
        assert_eq!(complain("[left-3-round-2]", "[left-3-round-5]"), "[left-3-round-2] is missing");
        assert_eq!(
            complain("votes =", "vote ="),
            "left-4-round-1.vote is no feature (nearest: votes)"
        );
        let no_number = complain("logistic_scale = ", "logistic_scale = \"x\" # ");
        assert_eq!(no_number, "left-4-round-1.logistic_scale is missing or no number");
        assert_eq!(
            complain("logistic_scale = ", "logistic_scale = -21 # "),
            "left-4-round-1.logistic_scale: -21 is not above 0"
        );
        let infinite = complain("points = ", "points = inf # ");
        assert_eq!(infinite, "left-4-round-1.points is missing or no number");
        assert!(complain("points = ", "points = = ").starts_with("not TOML: "));
    }

    #[test]
    fn a_file_for_another_table_is_refused() {
        for n in 2..=MAX_PLAYERS {
            let table = FittedTable {
                n_players: n,
                value: ValueFunction::fitted(n),
                weights: Weights::default(),
            };
            let all: Vec<PhaseWeights> = (0..table.phases().len()).map(|m| table.at(m)).collect();
            let text = table.write(&[], &all);
            assert_eq!(ValueFunction::parse_for(&text, n), Ok(table.value));
            let complaint = ValueFunction::parse_for(&text, n + 1).expect_err("another table");
            assert!(
                complaint.starts_with(&format!("players = {n}: it is for a table of {n}, and"))
            );
        }
        let fitted = include_str!("../../../data/conquest2/value-4.toml");
        assert!(ValueFunction::parse_for(fitted, 4).is_ok());
        assert!(ValueFunction::parse_for(fitted, 3).is_err());
        let none = fitted.replacen("players = 4", "players = \"four\"", 1);
        assert_eq!(
            ValueFunction::parse_for(&none, 4),
            Err("players is no whole number".to_owned())
        );
    }

    #[test]
    fn every_preset_has_a_value_function_for_every_table() {
        let presets = <Conquest2 as crate::Weighted>::PRESETS;
        let names: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
        assert_eq!(PRESETS.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
        for n in 2..=MAX_PLAYERS {
            let (preset, today) =
                (ValueFunction::of_preset("2026-11-22", n), ValueFunction::fitted(n));
            assert_eq!(preset.logistic_scale, preset.softmax_scale, "a preset of one scale");
            assert_ne!(preset, today);
        }
    }

    #[test]
    fn the_fitted_weights_make_sense() {
        for value in (2..=MAX_PLAYERS).map(ValueFunction::fitted) {
            for (left, rounds) in value.weights.iter().enumerate() {
                for (round, weights) in rounds.iter().enumerate() {
                    assert!(value.logistic_scale[left][round] > 1.0);
                    // In the first season players hardly differ in points, and before its first turn hardly in
                    // anything.
                    let is_telling = left + 1 < SEASONS;
                    if !is_telling && round == 0 {
                        continue;
                    }
                    assert!(!is_telling || (0.5..2.0).contains(&weights[0]), "{left} {round}");
                    assert!(weights[1] > 0.3, "influence scores: {left} {round}");
                    assert!(weights[3] > 0.0 && weights[4] > 0.0, "means help: {left} {round}");
                    assert!(weights[12] < 0.0, "what lies open is taken: {left} {round}");
                }
            }
            assert!(
                value.logistic_scale[0][ROUNDS - 1] < value.logistic_scale[3][0],
                "the end is clearer"
            );
        }
    }
}
