//! The evaluation of hannibal: pieces, hands, and the distance of each side from its ways of winning.
//!
//! During a conflict the exact odds of its duels give its possible ends, and the positions after it are evaluated. A
//! side to move that can win at once counts as the winner.

use engine::bits::each;
use engine::games::hannibal::{Areas, CARTHAGE, Hannibal, Outcome, ROME, Routes, State};

use super::duel::{Duel, DuelOdds, Duels, Stakes};
use super::weights::Weights;

/// The probability below which an end of a conflict is left out. Evaluating its position would cost more time than it
/// is worth.
const UNLIKELY: f64 = 0.005;
/// Number of distinguished distances in turns. Farther places count as this far.
const FAR: usize = 8;
/// The probability from which on an event is more likely than not.
const LIKELY: f64 = 0.5;

/// The evaluation, with its cache of solved duels.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    pub(super) weights: Weights,
    pub(super) duels: Duels,
}

/// The areas by the number of turns in which a side can bring a legion there. Areas of the enemy are entered, not
/// crossed.
struct Distances([Areas; FAR]);

impl Distances {
    fn of(game: &Hannibal, s: &State, seat: usize, routes: Routes) -> Self {
        let enemy = s.held(1 - seat);
        let mut layers = [0; FAR];
        layers[0] = s.held(seat);
        let mut seen = layers[0];
        for step in 1..FAR {
            let free = layers[step - 1] & !enemy;
            let next = each(free.into()).fold(0, |next, area| next | game.reach(area, routes));
            layers[step] = next & !seen;
            seen |= next;
        }
        Self(layers)
    }

    /// Returns the number of turns to the nearest of `areas`.
    fn turns_to(&self, areas: Areas) -> usize {
        self.0.iter().position(|layer| layer & areas != 0).unwrap_or(FAR)
    }
}

/// The reach of a side, with its fleets where they are and, a turn later, anywhere.
struct Marches {
    now: Distances,
    soon: Option<Distances>,
}

impl Marches {
    fn of(game: &Hannibal, s: &State, seat: usize) -> Self {
        let routes = s.routes(seat);
        let can_sail = routes != 0 && routes != game.all_routes();
        Self {
            now: Distances::of(game, s, seat, routes),
            soon: can_sail.then(|| Distances::of(game, s, seat, game.all_routes())),
        }
    }

    fn turns_to(&self, areas: Areas) -> f32 {
        let soon = self.soon.as_ref().map_or(FAR, |distances| distances.turns_to(areas) + 1);
        self.now.turns_to(areas).min(soon) as f32
    }
}

impl Evaluation {
    pub(super) fn new(game: &Hannibal, weights: Weights) -> Self {
        let stakes = Stakes {
            alone: weights.duel_alone,
            legion: weights.duel_legion,
            hannibal: weights.duel_hannibal,
            card: weights.duel_card,
        };
        Self { weights, duels: Duels::new(game, stakes) }
    }

    /// Returns the lead of Carthage over Rome, in legions.
    pub(super) fn lead(&mut self, game: &Hannibal, s: &State) -> f32 {
        match (s.outcome(), Duel::of(s)) {
            (Some(outcome), _) => result(outcome, self.weights.win),
            (None, Some(duel)) => self.lead_in_conflict(game, s, &duel),
            (None, None) => self.lead_at_turn(game, s),
        }
    }

    /// Returns the mean lead over the possible ends of the conflict.
    fn lead_in_conflict(&mut self, game: &Hannibal, s: &State, duel: &Duel) -> f32 {
        let win = self.weights.win;
        self.mean_over_ends(game, s, duel, win, |evaluation, after| {
            evaluation.lead_at_turn(game, after)
        })
    }

    /// Returns the mean lead over the possible ends of the conflict: `win` where the game is won, and what `at_turn` says
    /// where a turn is due.
    pub(super) fn mean_over_ends(
        &mut self,
        game: &Hannibal,
        s: &State,
        duel: &Duel,
        win: f32,
        mut at_turn: impl FnMut(&Self, &State) -> f32,
    ) -> f32 {
        let odds = self.duels.odds(duel);
        let cases = [
            (odds.alone[CARTHAGE], carthage_left(&odds, duel)),
            (odds.alone[ROME], ([0, rome_left(&odds, duel)], false)),
            (odds.nobody(), ([0, 0], false)),
        ];
        let (mut sum, mut total) = (0.0, 0.0);
        for (probability, (left, hannibal)) in cases.into_iter().filter(|(p, _)| *p > UNLIKELY) {
            let mut after = *s;
            game.decide_conflict(&mut after, left, hannibal);
            let lead = match after.outcome() {
                Some(outcome) => result(outcome, win),
                None => at_turn(self, &after),
            };
            sum += probability as f32 * lead;
            total += probability as f32;
        }
        sum / total
    }

    /// Returns the lead of Carthage over Rome where a turn is due, in legions.
    pub(super) fn lead_at_turn(&self, game: &Hannibal, s: &State) -> f32 {
        let me = s.mover();
        let marches = [CARTHAGE, ROME].map(|seat| Marches::of(game, s, seat));
        let sign = if me == CARTHAGE { 1.0 } else { -1.0 };
        if can_win_at_once(game, s, me, &marches[me]) {
            return sign * self.weights.win;
        }
        let [carthage, rome] =
            [CARTHAGE, ROME].map(|seat| self.strength(game, s, seat, &marches[seat]));
        let is_threatened = can_win_at_once(game, s, 1 - me, &marches[1 - me]);
        let threat = if is_threatened { self.weights.threat } else { 0.0 };
        carthage - rome + sign * (self.weights.tempo - threat)
    }

    fn strength(&self, game: &Hannibal, s: &State, seat: usize, marches: &Marches) -> f32 {
        let w = &self.weights;
        let hand = s.hand(seat);
        let cards: f32 = each(hand.into()).map(f32::from).sum();
        let hannibal = f32::from(u8::from(seat == CARTHAGE && s.hannibal() != 0));
        let pieces = w.legion * f32::from(s.n_legions(seat))
            + w.hannibal * hannibal
            + w.fleet * f32::from(s.n_fleets(seat).min(w.fleet_most))
            + w.hand * cards / hand.count_ones() as f32;
        pieces + self.standing(game, s, seat, marches)
    }

    /// Returns the value of the domination list and of the enemy capital for a seat.
    fn standing(&self, game: &Hannibal, s: &State, seat: usize, marches: &Marches) -> f32 {
        let w = &self.weights;
        let held = s.held(seat);
        let mut missing = 0;
        let mut sum = 0.0;
        for &group in game.groups(seat) {
            if group & held != 0 {
                sum += w.group;
            } else {
                missing += 1;
                sum += w.approach / marches.turns_to(group);
            }
        }
        if missing <= 1 {
            sum += w.almost;
        }
        if game.capital_entry_wins() {
            let turns = marches.turns_to(1 << game.capital(1 - seat));
            sum += w.march / (turns * turns);
        }
        sum
    }
}

/// Returns the lead at the end of a game of which a win is worth `win`.
const fn result(outcome: Outcome, win: f32) -> f32 {
    match outcome {
        Outcome::Draw => 0.0,
        Outcome::Won(side) if side.idx() == CARTHAGE => win,
        Outcome::Won(_) => -win,
    }
}

/// Returns whether a side could win without a conflict if it had one turn now.
fn can_win_at_once(game: &Hannibal, s: &State, seat: usize, marches: &Marches) -> bool {
    let capital = 1 << game.capital(1 - seat);
    if game.capital_entry_wins() && marches.now.0[1] & capital != 0 {
        return true;
    }
    let held = s.held(seat);
    let missing = game.groups(seat).iter().filter(|group| *group & held == 0);
    match missing.clone().count() {
        0 => true,
        1 => missing.into_iter().any(|&group| can_complete(game, s, seat, group)),
        _ => false,
    }
}

/// Returns whether a legion can go to a free area of `group` while every other group stays held.
fn can_complete(game: &Hannibal, s: &State, seat: usize, group: Areas) -> bool {
    let free = group & !s.held(1 - seat);
    each(s.held(seat).into()).any(|from| {
        let stays = s.legions(seat, from) > 1
            || s.legions(seat, from) == 1 && seat == CARTHAGE && s.hannibal() >> from & 1 == 1;
        let rest = if stays { s.held(seat) } else { s.held(seat) & !(1 << from) };
        let entered = game.reach(from, s.routes(seat)) & free;
        entered != 0 && game.has_domination(seat, rest | entered)
    })
}

fn rounded(expected: f64, most: u8) -> u8 {
    (expected.round() as u8).min(most)
}

/// Returns the most likely army of Carthage if it is left alone.
fn carthage_left(odds: &DuelOdds, duel: &Duel) -> ([u8; 2], bool) {
    let alone = odds.alone[CARTHAGE].max(UNLIKELY);
    let hannibal = duel.hannibal && odds.hannibal > LIKELY * alone;
    let legions = rounded(odds.left[CARTHAGE] / alone, duel.legions[CARTHAGE]);
    if legions == 0 && !hannibal {
        return if duel.hannibal { ([0, 0], true) } else { ([1, 0], false) };
    }
    ([legions, 0], hannibal)
}

/// Returns the most likely army of Rome if it is left alone.
fn rome_left(odds: &DuelOdds, duel: &Duel) -> u8 {
    rounded(odds.left[ROME] / odds.alone[ROME].max(UNLIKELY), duel.legions[ROME]).max(1)
}
