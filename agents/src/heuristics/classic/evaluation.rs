//! The evaluation of classic, in talents: tribute for the remaining rounds, homes, pieces and dangers.

use engine::games::classic::units::{Troops, Unit};
use engine::games::classic::{Classic, Place, PlaceSet, State};
use engine::{ByPlayer, Game, Player};

use super::power::{Counts, Measure};
use super::weights::Weights;

/// The round in which games end on average. It sets the number of remaining rounds.
const USUAL_END: f32 = 14.0;

/// The evaluation under given weights.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    pub(super) weights: Weights,
}

impl Evaluation {
    pub(super) const fn new(weights: Weights) -> Self {
        Self { weights }
    }

    /// Returns the value of the position for each player: the player's prospects minus a share of the mean of the
    /// others'.
    pub(super) fn evaluate(&self, game: &Classic, s: &State) -> ByPlayer<f32> {
        let n = game.n_players();
        let plays = |q: Player| q.idx() < n && !s.out().contains(q);
        let is_counted = |q: Player| plays(q) && game.has_prestige();
        let standing = |q| if is_counted(q) { game.standing(s, q) } else { [0; 4] };
        let standings = ByPlayer::from_fn(standing);
        let own = ByPlayer::from_fn(|q| {
            if !plays(q) {
                return 0.0;
            }
            let others = Player::all(n).filter(|&other| other != q && plays(other));
            let others = others.map(|other| standings[other]);
            let prestige = game.prestige_among(standings[q], others);
            self.standing(&Counts, game, s, q, prestige)
        });
        let all: f32 = own.0.iter().sum();
        let rivals = (n - 1) as f32;
        ByPlayer::from_fn(|q| match q.idx() < n {
            true => own[q] - self.weights.rival * (all - own[q]) / rivals,
            false => 0.0,
        })
    }

    /// Returns the value of the position for one player.
    pub(super) fn value(&self, game: &Classic, s: &State, player: Player) -> f32 {
        self.evaluate(game, s)[player]
    }

    /// Returns the value of one talent of tribute over the remaining rounds.
    pub(super) fn income(&self, s: &State) -> f32 {
        self.weights.tribute * (USUAL_END - f32::from(s.round())).max(1.0)
    }

    /// Returns the value of the position for a player who is not out, with known prestige, without regard to the
    /// others.
    pub(super) fn standing(
        &self,
        measure: &impl Measure,
        game: &Classic,
        s: &State,
        q: Player,
        prestige: u32,
    ) -> f32 {
        let w = &self.weights;
        let owned = s.owned(q);
        let homes = (owned & game.homes()).len() as f32;
        let income = self.income(s);
        let mut value = income * game.tribute(s, q) as f32
            + w.home * homes
            + w.prestige * prestige as f32
            + w.talents * f32::from(s.talents(q));
        for captive in Player::all(game.n_players()) {
            value += w.captive * f32::from(s.captives(q, captive));
        }
        value + self.pieces(game, s, q) - self.dangers(measure, game, s, q)
    }

    fn troops(&self, troops: Troops) -> f32 {
        let w = &self.weights;
        w.infantry * f32::from(troops.count(Unit::Infantry))
            + w.cavalry * f32::from(troops.count(Unit::Cavalry))
            + w.catapult * f32::from(troops.count(Unit::Catapult))
            + w.general * f32::from(troops.generals())
    }

    fn pieces(&self, game: &Classic, s: &State, q: Player) -> f32 {
        let w = &self.weights;
        let galleys = game.pool_of(Unit::Galley) - s.pool(q, Unit::Galley);
        let mut value = w.galley * f32::from(galleys);
        let (armies, leaders, owned) = (s.armies(q), s.leaders(q), s.owned(q));
        for place in (armies | leaders).iter() {
            let troops = s.troops(q, place);
            value += self.troops(troops);
            if !place.is_province() {
                continue;
            }
            let has_leader = leaders.contains(place);
            if has_leader && troops.is_army() {
                let abroad = game.neighbours(s, q, place) - owned;
                if !abroad.is_empty() {
                    value += w.front * f32::from(troops.military().min(8));
                }
            } else if has_leader && !owned.contains(place) {
                value -= w.idle;
            }
        }
        value
    }

    /// Returns the possible losses to armies beside the player's pieces.
    fn dangers(&self, measure: &impl Measure, game: &Classic, s: &State, q: Player) -> f32 {
        let (w, income) = (&self.weights, self.income(s));
        let threats = Self::hosts(game, s, q);
        if threats.is_empty() {
            return 0.0;
        }
        let caesar = s.caesar(q);
        let mut lost = 0.0;
        let places = s.owned(q) | s.leaders(q).provinces();
        for place in places.iter() {
            let Some((risk, own)) = threat(measure, game, s, q, place, threats) else { continue };
            let share = (risk - own) / (risk + 1.0);
            let worth = if s.owned(q).contains(place) {
                let home = if game.homes().contains(place) { w.home } else { 0.0 };
                income * f32::from(game.value(place)) + home
            } else {
                0.0
            };
            let pieces = self.troops(s.troops(q, place));
            let head = if caesar == Some(place) { w.caesar } else { 0.0 };
            lost += share * (w.danger * (worth + pieces) + head);
        }
        lost
    }

    /// Returns the provinces with troops and a leader of another player.
    pub(super) fn hosts(game: &Classic, s: &State, q: Player) -> PlaceSet {
        Player::all(game.n_players())
            .filter(|&other| other != q)
            .fold(PlaceSet::EMPTY, |all, other| all | (s.armies(other) & s.leaders(other)))
            .provinces()
    }
}

/// Returns the strongest of `hosts` beside a place and the strength that defends the place; `None` if the defence is as
/// strong.
pub(super) fn threat(
    measure: &impl Measure,
    game: &Classic,
    s: &State,
    q: Player,
    place: Place,
    hosts: PlaceSet,
) -> Option<(f32, f32)> {
    let beside = game.neighbours(s, q, place) & hosts;
    if beside.is_empty() {
        return None;
    }
    let own = measure.strength(game, s, q, place, true);
    let host = |from| strongest(measure, game, s, q, from, false);
    let risk = beside.iter().map(host).fold(0.0, f32::max);
    (risk > own).then_some((risk, own))
}

/// Returns the strongest army of another player in a province, who may be the defender.
pub(super) fn strongest(
    measure: &impl Measure,
    game: &Classic,
    s: &State,
    q: Player,
    place: Place,
    defends: bool,
) -> f32 {
    let others = Player::all(game.n_players()).filter(|&other| other != q);
    let strengths = others.map(|other| measure.strength(game, s, other, place, defends));
    strengths.fold(0.0, f32::max)
}
