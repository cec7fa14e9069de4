//! Evaluation: what a position of hannibal is worth: pieces, hands, and how near each side is to its ways of winning.
//!
//! Where a conflict is being fought, the exact odds of its duels say how it may end, and the positions after it
//! are valued. Whoever is to move and can win at once has won.

use engine::bits::each;
use engine::games::hannibal::{Areas, CARTHAGE, Hannibal, Outcome, ROME, Routes, State};

use super::duel::{Duel, DuelOdds, Duels, Stakes};
use super::weights::Weights;

/// Outcomes of a conflict that are less likely than this are left out: to value their positions takes longer than they
/// can matter.
const UNLIKELY: f64 = 0.005;
/// Turns to walk that are told apart: what is farther counts as this far, and hardly anything is.
const FAR: usize = 8;
/// From this chance on something is likelier than not.
const LIKELY: f64 = 0.5;

/// The evaluation, with the duels that it has solved.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    pub(super) weights: Weights,
    pub(super) duels: Duels,
}

/// Areas by the turns that a side needs to bring a legion there. Areas of the enemy are entered, not crossed.
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

    /// Turns to the nearest of `areas`.
    fn turns_to(&self, areas: Areas) -> usize {
        self.0.iter().position(|layer| layer & areas != 0).unwrap_or(FAR)
    }
}

/// How far a side can go, with its fleets where they are and, a turn later, anywhere.
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

    /// By how much Carthage is ahead of Rome, in legions.
    pub(super) fn lead(&mut self, game: &Hannibal, s: &State) -> f32 {
        match (s.outcome(), Duel::of(s)) {
            (Some(outcome), _) => self.result(outcome),
            (None, Some(duel)) => self.lead_in_conflict(game, s, &duel),
            (None, None) => self.lead_at_turn(game, s),
        }
    }

    const fn result(&self, outcome: Outcome) -> f32 {
        match outcome {
            Outcome::Draw => 0.0,
            Outcome::Won(side) if side.idx() == CARTHAGE => self.weights.win,
            Outcome::Won(_) => -self.weights.win,
        }
    }

    /// The mean over the ways in which the conflict may end.
    fn lead_in_conflict(&mut self, game: &Hannibal, s: &State, duel: &Duel) -> f32 {
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
                Some(outcome) => self.result(outcome),
                None => self.lead_at_turn(game, &after),
            };
            sum += probability as f32 * lead;
            total += probability as f32;
        }
        sum / total
    }

    fn lead_at_turn(&self, game: &Hannibal, s: &State) -> f32 {
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

    /// What the domination list and the enemy capital promise.
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

/// Whether a side could win in one turn, if it were its own, without a conflict.
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

/// Whether a legion can go to a free area of `group`, and leave every other group held.
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

/// The likeliest army of Carthage where it is left alone.
fn carthage_left(odds: &DuelOdds, duel: &Duel) -> ([u8; 2], bool) {
    let alone = odds.alone[CARTHAGE].max(UNLIKELY);
    let hannibal = duel.hannibal && odds.hannibal > LIKELY * alone;
    let legions = rounded(odds.left[CARTHAGE] / alone, duel.legions[CARTHAGE]);
    if legions == 0 && !hannibal {
        return if duel.hannibal { ([0, 0], true) } else { ([1, 0], false) };
    }
    ([legions, 0], hannibal)
}

/// The likeliest army of Rome where it is left alone.
fn rome_left(odds: &DuelOdds, duel: &Duel) -> u8 {
    rounded(odds.left[ROME] / odds.alone[ROME].max(UNLIKELY), duel.legions[ROME]).max(1)
}
