//! Battles for evaluations: the numbers of the rules, the sides of the battle under way, a roll given as hits, and a
//! battle set up by hand. The rules of a battle are in `battle.rs`.

use crate::game::Game;
use crate::games::conquest2::Conquest2;
use crate::games::conquest2::api::read::Situation;
use crate::games::conquest2::model::battle::{Battle, Side};
use crate::games::conquest2::model::board::MAX_COAST;
use crate::games::conquest2::model::cards::Card;
use crate::games::conquest2::model::phase::Phase;
use crate::games::conquest2::model::place::{N_PROVINCES, N_ZONES, Place, PlaceSet, Zone};
use crate::games::conquest2::model::state::State;
use crate::games::conquest2::model::units::{N_MILITARY, Unit};
use crate::player::{Player, PlayerSet};

/// The numbers of the rules that decide battles (clauses 15.5, 15.7, 15.9, 15N.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BattleRules {
    /// Number of faces of the die that show each military unit, then of blank faces.
    pub faces: [u8; N_MILITARY + 1],
    /// Number of dice of a side in a land battle.
    pub dice: u8,
    /// Number of extra dice with a leader.
    pub leader_dice: u8,
    /// Number of extra dice for the owner of the city.
    pub city_dice: u8,
    /// Number of extra dice for an Army Training.
    pub training_dice: u8,
    /// Number of dice of revolting slaves.
    pub slave_dice: u8,
    /// Number of rounds after which a land battle ends without a loser.
    pub rounds: u8,
    /// Number of rounds after which a naval battle ends.
    pub naval_rounds: u8,
    /// Number of dice of a galley in a naval battle.
    pub naval_dice: u8,
    /// Number of extra dice for a Naval Training.
    pub naval_training_dice: u8,
    /// Prices of the military units, in talents.
    pub price: [u16; N_MILITARY],
}

/// One side of a battle that is set up by hand.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Muster {
    /// Numbers of infantry, cavalry, catapults and galleys.
    pub army: [u8; N_MILITARY],
    /// True if a leader is present.
    pub has_leader: bool,
    /// True if the side owns the city; it counts for the defender only.
    pub has_city: bool,
    /// Number of Army Trainings, at most 15 in a state.
    pub trainings: u8,
}

impl Conquest2 {
    /// Returns the numbers of the rules that decide battles.
    #[must_use]
    pub fn battle_rules(&self) -> BattleRules {
        let rules = &self.board.config.battle;
        let [dice, leader_dice, city_dice, training_dice, naval_dice, naval_training_dice] = [
            rules.dice,
            rules.leader_dice,
            rules.city_dice,
            rules.training_dice,
            rules.naval_dice,
            rules.naval_training_dice,
        ]
        .map(|n| n as u8);
        BattleRules {
            faces: self.board.die.weights,
            dice,
            leader_dice,
            city_dice,
            training_dice,
            slave_dice: self.board.config.revolt.dice as u8,
            rounds: rules.max_rounds as u8,
            naval_rounds: rules.naval_rounds as u8,
            naval_dice,
            naval_training_dice,
            price: Unit::MILITARY.map(|unit| self.board.price[unit]),
        }
    }

    /// Carries out the roll that is due ([`Phase::Dice`]) with `hits` hits, for any number of dice.
    ///
    /// Losses, retreats and the end of the battle follow as after any roll. A whole battle with known losses can
    /// therefore be fought in one round. If the losses of each side do not depend on the rounds in which they occur,
    /// the position afterwards is equal. Only the number of rounds differs until leaders have left.
    ///
    /// # Panics
    /// In debug builds, if no roll is due.
    pub fn strike(&self, state: &mut State, hits: u8) {
        debug_assert_eq!(state.phase(), Phase::Dice, "a roll is due");
        self.struck(state, hits);
        self.settle(state);
    }

    /// Returns a state in which player 0 attacks player 1 on land and the first roll is due; the table is otherwise
    /// empty.
    ///
    /// The province is the first in board order that fits: it has a coast if there are galleys, and can have a city if
    /// the defender owns one. Returns `None` if a side has no units, if no province fits, or if a side exceeds a
    /// state's limits. These are 31 infantry, 31 cavalry, 7 catapults, 31 galleys and 15 trainings.
    #[must_use]
    pub fn battle_between(&self, sides: [Muster; 2]) -> Option<State> {
        const MOST: [u8; N_MILITARY] = [31, 31, 7, 31];
        let holds = |side: &Muster| {
            side.trainings <= 15
                && side.army != [0; N_MILITARY]
                && side.army.iter().zip(MOST).all(|(&n, most)| n <= most)
        };
        let has_city = sides[Side::Defender].has_city;
        let place = Place::first(N_PROVINCES).find(|&p| {
            (!has_city || self.board.city_site[p.idx()].is_some())
                && (!self.board.coast[p.idx()].is_empty()
                    || sides.iter().all(|side| side.army[Unit::Galley] == 0))
        })?;
        if !sides.iter().all(holds) {
            return None;
        }
        let mut state = self.duel(Battle { place: Some(place), ..Battle::EMPTY });
        let players = [0, 1].map(Player::new);
        for (player, side) in players.into_iter().zip(&sides) {
            self.deploy(&mut state, player, side);
        }
        if let Some(site) = self.board.city_site[place.idx()].filter(|_| has_city) {
            state.set_city_owner(site, players[1]);
        }
        self.start_round(&mut state);
        self.settle(&mut state);
        Some(state)
    }

    /// Returns a state in which the navy of player 0 attacks that of player 1 in the first sea zone. The first roll is
    /// due; the table is otherwise empty. A training is a Naval Training. Returns `None` if a side exceeds a state's
    /// limits (31 galleys, 15 trainings), has no galley, or has any other unit.
    #[must_use]
    pub fn naval_battle_between(&self, sides: [Muster; 2]) -> Option<State> {
        let sails = |side: &Muster| {
            let [land @ .., galleys] = side.army;
            land == [0; N_MILITARY - 1]
                && (1..=31).contains(&galleys)
                && side.trainings <= 15
                && !(side.has_leader || side.has_city)
        };
        if !sides.iter().all(sails) {
            return None;
        }
        let zone = Zone::first(N_ZONES).next()?;
        let mut state = self.duel(Battle { zone: Some(zone), ..Battle::EMPTY });
        for (player, side) in [0, 1].map(Player::new).into_iter().zip(&sides) {
            let galleys = side.army[Unit::Galley];
            let pool = &mut state.pool[player][Unit::Galley];
            *pool = pool.saturating_sub(galleys);
            state.add_galleys(player, zone, galleys as i8);
            self.engage_galleys(&mut state, player, 0, galleys);
            (0..side.trainings).for_each(|_| state.add_held(player, Card::NAVAL_TRAINING));
        }
        self.start_round(&mut state);
        self.settle(&mut state);
        Some(state)
    }

    /// Returns an empty table on which player 0 attacks player 1 at the scene of `battle`.
    fn duel(&self, battle: Battle) -> State {
        let mut state = self.start();
        state.stand_at(Phase::BattleAgainst);
        let [attacker, defender] = [0, 1].map(Player::new);
        (state.milestone, state.unallied) = (1, PlayerSet::EMPTY);
        state.alliance_b = PlayerSet::of(defender);
        (state.first_player, state.round, state.actions_left) = (Some(attacker), 1, 1);
        state.battle = Battle { attacker: Some(attacker), defender: Some(defender), ..battle };
        state
    }

    fn deploy(&self, s: &mut State, player: Player, side: &Muster) {
        let place = s.battle.province();
        for unit in Unit::MILITARY {
            let number = side.army[unit];
            s.pool[player][unit] = s.pool[player][unit].saturating_sub(number);
            if unit == Unit::Galley {
                s.add_galleys(player, self.zone_beside(place, 0), number as i8);
                self.engage_galleys(s, player, 0, number);
            } else {
                s.add_troops(player, place, unit, number as i8);
                s.battle.engaged[player][unit] = number;
            }
        }
        if side.has_leader {
            s.pool[player][Unit::General] = s.pool[player][Unit::General].saturating_sub(1);
            s.add_troops(player, place, Unit::General, 1);
        }
        (0..side.trainings).for_each(|_| s.add_held(player, Card::ARMY_TRAINING));
    }
}

/// The sides of the battle under way.
impl Situation<'_> {
    /// Returns whether the battle is fought at sea.
    #[must_use]
    pub const fn is_naval_battle(&self) -> bool {
        self.state.battle.is_naval()
    }

    /// Returns whether the defender owns the city: they then roll first, and the attacker loses units before the
    /// answer.
    #[must_use]
    pub fn is_siege(&self) -> bool {
        self.game.is_siege(self.state)
    }

    /// Returns whether the first roll of a round is due.
    #[must_use]
    pub fn is_round_due(&self) -> bool {
        let first = self.game.first_to_roll(self.state);
        matches!(self.state.phase(), Phase::Dice) && self.state.battle.side == first
    }

    /// Returns the number of rounds of the battle, including the one under way.
    #[must_use]
    pub const fn battle_round(&self) -> u8 {
        self.state.battle.round
    }

    /// Returns the number of dice that each side now rolls.
    #[must_use]
    pub fn battle_dice(&self) -> [u8; 2] {
        Side::ALL.map(|side| self.game.dice_of(self.state, side))
    }

    /// Returns the troops without an owner by side: Diplomacy, Pirates, slaves.
    #[must_use]
    pub const fn neutral_troops(&self) -> [[u8; N_MILITARY]; 2] {
        self.state.battle.neutral
    }

    /// Returns the side for which units of a player fight, or `None`.
    #[must_use]
    pub fn side_of(&self, player: Player) -> Option<Side> {
        Conquest2::side_of(self.state, player)
    }

    /// Returns the provinces to which a commander could retreat while they have a land unit in the battle.
    #[must_use]
    pub fn retreats(&self, player: Player) -> PlaceSet {
        self.game.retreats(self.state, player)
    }
}

const _: () = assert!(MAX_COAST > 0, "a coast has a first zone");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Turn;
    use crate::rng::{Purpose, stream};

    /// Returns a policy's choice: the most losses of every category, no retreat, leaders to the first place.
    fn steadfast(game: &Conquest2, state: &State) -> crate::games::conquest2::Action {
        let situation = game.situation(state);
        match situation.phase() {
            Phase::Losses => situation.number(u16::MAX),
            Phase::Retreat => situation.member(63),
            _ => situation.first(),
        }
    }

    fn is_on(state: &State) -> bool {
        matches!(state.phase(), Phase::Dice | Phase::Losses | Phase::Retreat | Phase::Withdraw)
    }

    fn decide(game: &Conquest2, state: &mut State) {
        while matches!(state.phase(), Phase::Losses | Phase::Withdraw) {
            let action = steadfast(game, state);
            game.apply(state, action);
        }
    }

    fn side(army: [u8; 4], has_leader: bool, has_city: bool, trainings: u8) -> Muster {
        Muster { army, has_leader, has_city, trainings }
    }

    fn fight(game: &Conquest2, mut state: State, seed: u64) -> State {
        let mut rng = stream(seed, 0, Purpose::Dice);
        while is_on(&state) {
            let action = match game.turn(&state) {
                Turn::Chance => game.draw(&state, &mut rng),
                _ => steadfast(game, &state),
            };
            game.apply(&mut state, action);
        }
        state
    }

    /// Returns the number of units that have gone back to a pool.
    fn lost(before: &State, after: &State, player: usize) -> u8 {
        let pool = |s: &State| s.pool.0[player][..N_MILITARY].iter().sum::<u8>();
        pool(after) - pool(before)
    }

    #[test]
    fn one_round_with_all_losses_leaves_what_many_rounds_leave() {
        let game = Conquest2::new(4);
        let pairs = [
            [side([6, 1, 1, 0], true, false, 0), side([3, 0, 0, 0], false, false, 0)],
            [side([3, 2, 0, 0], true, false, 1), side([4, 0, 1, 0], true, true, 0)],
            [side([2, 0, 0, 2], false, false, 0), side([2, 1, 0, 1], true, false, 2)],
        ];
        for pair in pairs {
            let start = game.battle_between(pair).expect("a small battle");
            for seed in 0..100 {
                let slow = fight(&game, start, seed);
                let mut quick = start;
                let is_siege = game.situation(&start).is_siege();
                let order = if is_siege { [0, 1] } else { [1, 0] };
                for struck in order {
                    game.strike(&mut quick, lost(&start, &slow, struck));
                    decide(&game, &mut quick);
                }
                assert!(quick == slow, "{pair:?} with seed {seed}");
            }
        }
    }

    #[test]
    fn a_naval_battle_by_hand_has_the_dice_of_its_sides() {
        let game = Conquest2::new(2);
        let navy = |n, trainings| side([0, 0, 0, n], false, false, trainings);
        let state = game.naval_battle_between([navy(3, 0), navy(1, 2)]).expect("a small battle");
        let situation = game.situation(&state);
        assert!(situation.is_naval_battle() && situation.is_round_due());
        assert_eq!(situation.battle_armies(), [[0, 0, 0, 3], [0, 0, 0, 1]]);
        assert_eq!(situation.battle_dice(), [3, 3]);
        let bad = [navy(0, 1), navy(32, 0), side([1, 0, 0, 1], false, false, 0)];
        for bad in bad.into_iter().chain([side([0, 0, 0, 1], true, false, 0)]) {
            assert_eq!(game.naval_battle_between([navy(1, 0), bad]), None, "{bad:?}");
        }
    }

    #[test]
    fn a_battle_by_hand_has_the_dice_of_its_sides() {
        let game = Conquest2::new(2);
        let [mut a, mut b] =
            [side([6, 1, 1, 0], true, false, 2), side([3, 0, 0, 1], false, true, 0)];
        let state = game.battle_between([a, b]).expect("a small battle");
        let situation = game.situation(&state);
        assert_eq!(situation.battle_armies(), [a.army, b.army]);
        assert_eq!(
            (situation.battle_dice(), situation.is_siege(), situation.is_round_due()),
            ([6, 4], true, true)
        );
        a.army[2] = 8;
        assert_eq!(game.battle_between([a, b]), None);
        (a.army, b.army) = ([1, 0, 0, 0], [0; 4]);
        assert_eq!(game.battle_between([a, b]), None, "an army needs a unit");
    }
}
