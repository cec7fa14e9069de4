//! What a position is worth, in talents: tribute for the rounds that are left, homes, pieces, and what is in danger.

use engine::games::classic::units::{Troops, Unit};
use engine::games::classic::{Classic, Place, PlaceSet, State};
use engine::{ByPlayer, Game, Player};

use super::weights::Weights;

/// The round in which games end on average: what is left before it is reckoned with.
const USUAL_END: f32 = 14.0;

/// The evaluation under some weights.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    weights: Weights,
}

impl Evaluation {
    pub(super) const fn new(weights: Weights) -> Self {
        Self { weights }
    }

    /// What the position is worth to each player: his prospects less a share of the mean of the others'.
    pub(super) fn evaluate(&self, game: &Classic, s: &State) -> ByPlayer<f32> {
        let n = game.n_players();
        let own = ByPlayer::from_fn(|q| if q.idx() < n { self.prospects(game, s, q) } else { 0.0 });
        let all: f32 = own.0.iter().sum();
        let rivals = (n - 1) as f32;
        ByPlayer::from_fn(|q| match q.idx() < n {
            true => own[q] - self.weights.rival * (all - own[q]) / rivals,
            false => 0.0,
        })
    }

    /// The same for one player.
    pub(super) fn value(&self, game: &Classic, s: &State, player: Player) -> f32 {
        self.evaluate(game, s)[player]
    }

    fn rounds_left(s: &State) -> f32 {
        (USUAL_END - f32::from(s.round())).max(1.0)
    }

    fn prospects(&self, game: &Classic, s: &State, q: Player) -> f32 {
        let w = &self.weights;
        if s.out().contains(q) {
            return 0.0;
        }
        let owned = s.owned(q);
        let homes = (owned & game.homes()).len() as f32;
        let income = w.tribute * Self::rounds_left(s);
        let mut value = income * game.tribute(s, q) as f32
            + w.home * homes
            + w.prestige * game.prestige(s, q) as f32
            + w.talents * f32::from(s.talents(q));
        for captive in Player::all(game.n_players()) {
            value += w.captive * f32::from(s.captives(q, captive));
        }
        value + self.pieces(game, s, q) - self.dangers(game, s, q, income)
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

    /// What may be lost to armies beside it.
    fn dangers(&self, game: &Classic, s: &State, q: Player, income: f32) -> f32 {
        let w = &self.weights;
        let threats = Self::hosts(game, s, q);
        if threats.is_empty() {
            return 0.0;
        }
        let caesar = s.caesar(q);
        let mut lost = 0.0;
        let places = s.owned(q) | s.leaders(q).provinces();
        for place in places.iter() {
            let Some((risk, own)) = Self::threat(game, s, q, place, threats) else { continue };
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

    /// The strongest of `hosts` beside a place, and what stands there against it; nothing if that is as strong.
    pub(super) fn threat(
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
        let own = Self::strength(s, q, place);
        let risk = beside.iter().map(|from| Self::host(game, s, q, from)).fold(0.0, f32::max);
        (risk > own).then_some((risk, own))
    }

    /// Provinces with troops and a leader of somebody else.
    pub(super) fn hosts(game: &Classic, s: &State, q: Player) -> PlaceSet {
        Player::all(game.n_players())
            .filter(|&other| other != q)
            .fold(PlaceSet::EMPTY, |all, other| all | (s.armies(other) & s.leaders(other)))
            .provinces()
    }

    /// The strongest army of somebody else in a province, as far as one legion goes.
    fn host(game: &Classic, s: &State, q: Player, place: Place) -> f32 {
        let others = Player::all(game.n_players()).filter(|&other| other != q);
        others.map(|other| f32::from(s.troops(other, place).military())).fold(0.0, f32::max)
    }

    fn strength(s: &State, q: Player, place: Place) -> f32 {
        let fort = if s.forts().contains(place) { 1.0 } else { 0.0 };
        let troops = f32::from(s.troops(q, place).military());
        if troops > 0.0 { troops + fort } else { 0.0 }
    }
}
