//! The value of purchases: the evaluation with the power of armies, and the possible conquests of their next march.

use engine::games::classic::board::N_PROVINCES;
use engine::games::classic::{Classic, Place, PlaceSet, State};
use engine::{ByPlayer, Game, MAX_PLAYERS, Player};

use super::evaluation::{Evaluation, strongest};
use super::power::{Measure, Power};

/// The exponent that relates the ratio of powers to the win probability of a battle. Two examples by the exact odds
/// (`caesar odds`): 4 infantry beat a guard of 3 in 78 % of battles. 5 infantry with 2 generals beat 3 infantry with
/// one general in 84 %.
const SHARPNESS: i32 = 4;

/// An evaluation for purchases.
#[derive(Clone, Debug)]
pub(super) struct PurchaseValues {
    evaluation: Evaluation,
    power: Power,
}

impl PurchaseValues {
    pub(super) fn new(game: &Classic, evaluation: Evaluation) -> Self {
        Self { evaluation, power: Power::new(game) }
    }
}

/// A market, with the data that its player's purchases do not change.
#[derive(Debug)]
pub(super) struct Market<'a> {
    purchase_values: &'a PurchaseValues,
    game: &'a Classic,
    start: &'a State,
    player: Player,
    /// The prestige data of the others who are not out.
    rivals: [[u32; 4]; MAX_PLAYERS],
    n_rivals: usize,
    /// The strengths of armies at the start, as attackers and as defenders.
    strengths: ByPlayer<[[f32; 2]; N_PROVINCES]>,
}

impl Measure for Market<'_> {
    fn strength(&self, game: &Classic, s: &State, q: Player, place: Place, defends: bool) -> f32 {
        let is_as_before = s.troops(q, place) == self.start.troops(q, place)
            && s.forts().contains(place) == self.start.forts().contains(place);
        if is_as_before {
            return self.strengths[q][place.idx()][usize::from(defends)];
        }
        self.purchase_values.power.strength(game, s, q, place, defends)
    }

    fn guard(&self, game: &Classic, home: Place) -> f32 {
        self.purchase_values.power.guard(game, home)
    }
}

impl<'a> Market<'a> {
    pub(super) fn new(
        purchase_values: &'a PurchaseValues,
        game: &'a Classic,
        start: &'a State,
    ) -> Self {
        let player = start.turn();
        let mut strengths = ByPlayer::from_fn(|_| [[0.0; 2]; N_PROVINCES]);
        let (mut rivals, mut n_rivals) = ([[0; 4]; MAX_PLAYERS], 0);
        for q in Player::all(game.n_players()).filter(|&q| !start.out().contains(q)) {
            for place in start.armies(q).provinces().iter() {
                let of = |defends| purchase_values.power.strength(game, start, q, place, defends);
                strengths[q][place.idx()] = [false, true].map(of);
            }
            if q != player {
                rivals[n_rivals] = game.standing(start, q);
                n_rivals += 1;
            }
        }
        Self { purchase_values, game, start, player, rivals, n_rivals, strengths }
    }

    /// Returns the value of the position for the buyer after some purchases, in talents. Their effect on others, by
    /// danger or prestige, is left out.
    pub(super) fn value(&self, s: &State) -> f32 {
        let (game, q) = (self.game, self.player);
        let evaluation = &self.purchase_values.evaluation;
        let w = &evaluation.weights;
        let rivals = self.rivals[..self.n_rivals].iter().copied();
        let prestige = game.prestige_among(game.standing(s, q), rivals);
        let kept = (w.saved - w.talents) * f32::from(s.talents(q));
        evaluation.standing(self, game, s, q, prestige) + kept + self.armies(s)
    }

    /// Returns the value of armies beyond their troops: for mixed kinds and for possible conquests.
    fn armies(&self, s: &State) -> f32 {
        let (game, q) = (self.game, self.player);
        let w = &self.purchase_values.evaluation.weights;
        let owned = s.owned(q);
        let (mut value, mut taken) = (0.0, owned);
        for place in (s.armies(q) & owned).iter() {
            let troops = f32::from(s.troops(q, place).military());
            let power = self.strength(game, s, q, place, false);
            value += w.mixed * (power - troops);
            let leaders = Self::leaders(game, s, q, place);
            if leaders == 0 {
                continue;
            }
            let led_by = |leaders: u8| {
                let led = f32::from(leaders) * f32::from(game.troops_per_leader());
                power * (led / troops).min(1.0)
            };
            let goals = game.neighbours(s, q, place) - taken;
            let by_land = self.best_goal(s, led_by(leaders), goals);
            let by_sea = Self::crossing(game, s, q, place).and_then(|(galleys, goals)| {
                self.best_goal(s, led_by(leaders.min(galleys)), goals - taken)
            });
            let gain_of = |goal: Option<(Place, f32)>| goal.map_or(0.0, |(_, gain)| gain);
            let best = if gain_of(by_sea) > gain_of(by_land) { by_sea } else { by_land };
            if let Some((goal, gain)) = best {
                taken.insert(goal);
                value += w.reach * gain;
            }
        }
        value
    }

    /// Returns the leaders who can take along the troops of a province: those in it, or one who can come from beside
    /// it.
    fn leaders(game: &Classic, s: &State, q: Player, place: Place) -> u8 {
        let here = s.troops(q, place).generals() + u8::from(s.caesar(q) == Some(place));
        if here > 0 {
            return here;
        }
        let comes = game.neighbours(s, q, place) & s.owned(q) & s.leaders(q);
        u8::from(!comes.is_empty())
    }

    /// Returns the galleys on which troops of a province can cross the sea beside it, and the places that they reach.
    fn crossing(game: &Classic, s: &State, q: Player, place: Place) -> Option<(u8, PlaceSet)> {
        if !game.is_port(place) {
            return None;
        }
        let (mut galleys, mut goals) = (0, PlaceSet::EMPTY);
        for zone in game.coasts(place).zones().iter() {
            let here = s.galleys(q, zone) + s.galleys(q, place);
            if here > 0 {
                galleys = galleys.max(here);
                goals |= game.coasts(zone).provinces();
            }
        }
        (galleys > 0).then_some((galleys, goals))
    }

    /// Returns the place in `goals` with the largest mean gain for an army.
    fn best_goal(&self, s: &State, power: f32, goals: PlaceSet) -> Option<(Place, f32)> {
        let (game, q) = (self.game, self.player);
        let w = &self.purchase_values.evaluation.weights;
        let income = self.purchase_values.evaluation.income(s);
        let mut best = None;
        for goal in goals.iter() {
            let guard = if s.guards().contains(goal) { self.guard(game, goal) } else { 0.0 };
            let defence = strongest(self, game, s, q, goal, true).max(guard);
            let home = if game.homes().contains(goal) { w.home } else { 0.0 };
            let gain = chance(power, defence) * (income * f32::from(game.value(goal)) + home);
            if best.is_none_or(|(_, most)| gain > most) {
                best = Some((goal, gain));
            }
        }
        best
    }
}

/// Returns the probability that an army beats another, by their powers.
fn chance(attack: f32, defence: f32) -> f32 {
    let [attack, defence] = [attack, defence].map(|power| power.powi(SHARPNESS));
    attack / (attack + defence)
}
