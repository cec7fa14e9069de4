//! Battles for evaluations: the numbers of the rules, the legion with most hits, and a battle set up by hand. The rules
//! of a battle are in `flow/land.rs`.

use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::battle::{Battle, Side};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{N_PLACES, N_PROVINCES, Place};
use crate::games::classic::model::state::{State, counts};
use crate::games::shared::units::{N_LAND_MILITARY, N_MILITARY, Troops, Unit};
use crate::player::Player;

/// The numbers of the rules that decide battles (clauses 6.2, 7.3, 7.4, 7.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BattleRules {
    /// Number of faces of the die that show each military unit, then of blank faces.
    pub faces: [u8; N_MILITARY + 1],
    /// Number of troops of a legion without leaders.
    pub legion: u8,
    /// Number of extra troops with each general.
    pub legion_per_general: u8,
    /// Number of extra troops with the caesar.
    pub caesar_legion: u8,
    /// Number of extra dice in an own fortified city.
    pub fort_dice: u8,
    /// Largest number of rounds of a land battle.
    pub rounds: u8,
    /// Largest number of rounds of a naval battle.
    pub naval_rounds: u8,
}

/// One side of a battle that is set up by hand.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Muster {
    /// Numbers of infantry, cavalry, catapults and galleys.
    pub army: [u8; N_MILITARY],
    /// Number of own generals.
    pub generals: u8,
    /// True if the own caesar is present.
    pub has_caesar: bool,
    /// True if the side defends its fortified city.
    pub has_fort: bool,
    /// True if the side is a guard: infantry without a commander.
    pub is_guard: bool,
}

/// A battle under way, before the attacker rolls in one of its rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Engagement {
    /// Attacker and defender; at sea only their galleys.
    pub sides: [Muster; 2],
    /// The legions of the round, by side; empty at sea.
    pub legions: [[u8; N_LAND_MILITARY]; 2],
    /// Number of rounds left, this one included.
    pub rounds: u8,
    /// True if galleys fight.
    pub at_sea: bool,
}

impl Muster {
    /// Returns the troops, without galleys.
    #[must_use]
    pub const fn force(&self) -> [u8; N_LAND_MILITARY] {
        let [infantry, cavalry, catapults, _] = self.army;
        [infantry, cavalry, catapults]
    }
}

impl Classic {
    /// Returns the numbers of the rules that decide battles.
    #[must_use]
    pub fn battle_rules(&self) -> BattleRules {
        let rules = &self.board.config.battle;
        let [legion, legion_per_general, caesar_legion, fort_dice, rounds, naval_rounds] = [
            rules.legion,
            rules.legion_per_general,
            self.board.v.caesar_legion,
            rules.fort_dice,
            rules.land_rounds,
            rules.naval_rounds,
        ]
        .map(|n| n as u8);
        BattleRules {
            faces: self.board.die.weights,
            legion,
            legion_per_general,
            caesar_legion,
            fort_dice,
            rounds,
            naval_rounds,
        }
    }

    /// Returns the battle under way if the roll of a round is due, and `None` otherwise.
    #[must_use]
    pub fn engagement(&self, s: &State) -> Option<Engagement> {
        let at_sea = match s.phase {
            Phase::Dice => false,
            Phase::NavalDice => true,
            _ => return None,
        };
        if s.battle.side != Side::Attacker {
            return None;
        }
        let rules = self.battle_rules();
        let most = if at_sea { rules.naval_rounds } else { rules.rounds };
        Some(Engagement {
            sides: Side::ALL.map(|side| self.engaged(s, side, at_sea)),
            legions: if at_sea { Default::default() } else { s.battle.legion },
            rounds: (most + 1).saturating_sub(s.battle.round),
            at_sea,
        })
    }

    /// Returns a side of the battle under way.
    fn engaged(&self, s: &State, side: Side, at_sea: bool) -> Muster {
        let place = s.battle.place;
        let Some(player) = Self::commander(s, side) else {
            return Muster { army: [s.battle.guard, 0, 0, 0], is_guard: true, ..Muster::default() };
        };
        if at_sea {
            return Muster { army: [0, 0, 0, s.galleys(player, place)], ..Muster::default() };
        }
        let [infantry, cavalry, catapults] = Self::force(s, side);
        Muster {
            army: [infantry, cavalry, catapults, 0],
            generals: s.troops(player, place).generals(),
            has_caesar: s.caesar[player] == Some(place),
            has_fort: self.fort_dice(s, side) > 0,
            is_guard: false,
        }
    }

    /// Returns the legion of at most `size` troops out of `force` with most hits on average, where its side has `extra`
    /// more dice. Among equals, it is the one with more infantry, then cavalry.
    ///
    /// # Panics
    /// If a side cannot have that many dice.
    #[must_use]
    pub fn strongest_legion(
        &self,
        force: [u8; N_LAND_MILITARY],
        size: u8,
        extra: u8,
    ) -> [u8; N_LAND_MILITARY] {
        let mut legion = [0; N_LAND_MILITARY];
        self.board.faces.fill(&mut legion, force, 0, size, extra);
        legion
    }

    /// Returns the average hits of a legion that rolls `extra` more dice than it has troops (7.3).
    ///
    /// # Panics
    /// If a side cannot have that many dice.
    #[must_use]
    pub fn mean_hits(&self, legion: [u8; N_LAND_MILITARY], extra: u8) -> f32 {
        self.board.faces.mean_hits(legion, extra)
    }

    /// Returns the largest number of dice of a side.
    #[must_use]
    pub fn most_dice(&self) -> usize {
        self.board.faces.most_dice()
    }

    /// Returns the best number of troops of the kind that is due for the legion being chosen.
    pub(crate) fn legion_reply(&self, s: &State) -> u8 {
        let (side, due) = (s.battle.side, usize::from(s.battle.due));
        let force = Self::force(s, side);
        let size = self.legion_cap(s, side).min(force.iter().sum());
        let mut legion = s.battle.legion[side];
        self.board.faces.fill(&mut legion, force, due, size, self.fort_dice(s, side));
        legion[due]
    }

    /// Returns a state in which player 0 attacks player 1, or a guard, on land. The choice of the first legion or the
    /// first roll is due; the table is otherwise empty.
    ///
    /// Returns `None` if a side has no troops, has galleys among them, or exceeds the pools or the generals of a
    /// player.
    #[must_use]
    pub fn battle_between(&self, sides: [Muster; 2]) -> Option<State> {
        let holds = |side: &Muster| {
            let units = side.army.iter().zip(self.board.pool);
            side.force() != [0; N_LAND_MILITARY]
                && side.army[Unit::Galley] == 0
                && side.generals <= Troops::MOST_GENERALS
                && (side.is_guard || units.clone().all(|(&n, most)| n <= most))
        };
        if !sides.iter().all(holds) {
            return None;
        }
        let field = Place::first(N_PROVINCES).find(|&p| !self.board.homes.contains(p))?;
        let players @ [attacker, defender] = [0, 1].map(Player::new);
        let mut s = State::new(&self.board, self.n_players);
        s.to_place = Default::default();
        (s.round, s.milestone, s.turn, s.cursor) = (1, 1, attacker, field.number() + 1);
        let guard = sides[Side::Defender].is_guard;
        for (player, side) in players.into_iter().zip(&sides).filter(|(_, side)| !side.is_guard) {
            self.deploy(&mut s, player, field, side);
        }
        let infantry = if guard { sides[Side::Defender].army[Unit::Infantry] } else { 0 };
        s.guards = s.guards.with(field, guard);
        s.battle = Battle::new(field, Some(defender).filter(|_| !guard), infantry);
        s.ask(attacker, Phase::Attack);
        self.next_battle_round(&mut s);
        self.settle(&mut s);
        Some(s)
    }

    /// Returns a state in which the galleys of player 0 attack those of player 1 in the first sea zone. The first roll
    /// is due; the table is otherwise empty. Returns `None` if a side has no galley, has any other unit, or exceeds the
    /// pool.
    #[must_use]
    pub fn naval_battle_between(&self, sides: [Muster; 2]) -> Option<State> {
        let sails = |side: &Muster| {
            let galleys = side.army[Unit::Galley];
            let navy = Muster { army: [0, 0, 0, galleys], ..Muster::default() };
            *side == navy && (1..=self.board.pool[Unit::Galley]).contains(&galleys)
        };
        if !sides.iter().all(sails) {
            return None;
        }
        let zone = Place::first(N_PLACES).nth(N_PROVINCES)?;
        let players @ [attacker, defender] = [0, 1].map(Player::new);
        let mut s = State::new(&self.board, self.n_players);
        s.to_place = Default::default();
        (s.round, s.milestone, s.turn) = (1, 1, attacker);
        for (player, side) in players.into_iter().zip(&sides) {
            let galleys = side.army[Unit::Galley];
            s.galleys[zone.idx()].add(player, galleys as i8);
            s.pool[player][Unit::Galley] -= galleys;
        }
        s.ask(attacker, Phase::Attack);
        let args = [zone.number(), defender.number(), 0, 0, 0];
        self.attack(&mut s, Action { verb: Verb::Attack, args });
        Some(s)
    }

    fn deploy(&self, s: &mut State, player: Player, field: Place, side: &Muster) {
        for (unit, number) in Unit::LAND_MILITARY.into_iter().zip(side.army) {
            Self::raise(s, player, field, unit, number);
        }
        Self::raise(s, player, field, Unit::General, side.generals);
        if side.has_caesar {
            s.move_caesar(player, Some(field));
        }
        if side.has_fort {
            s.owned[player].insert(field);
            s.cities.insert(field);
            s.forts.insert(field);
        }
    }

    /// Returns the military units of a player that are on the board.
    #[must_use]
    pub fn on_board(&self, s: &State, player: Player) -> [u8; N_MILITARY] {
        let mut sum = [0; N_MILITARY];
        for place in Place::first(N_PLACES) {
            for (sum, number) in sum.iter_mut().zip(counts(s.troops(player, place))) {
                *sum += number;
            }
            sum[Unit::Galley] += s.galleys(player, place);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Turn};

    fn muster(infantry: u8, cavalry: u8, catapults: u8) -> Muster {
        Muster { army: [infantry, cavalry, catapults, 0], ..Muster::default() }
    }

    #[test]
    fn a_battle_at_sea_begins_as_it_was_asked_for() {
        let game = Classic::new(2);
        let navy = |n| Muster { army: [0, 0, 0, n], ..Muster::default() };
        let s = game.naval_battle_between([navy(3), navy(2)]).expect("a small battle");
        assert_eq!((game.turn(&s), s.phase()), (Turn::Chance, Phase::NavalDice));
        assert_eq!([0, 1].map(|i| game.on_board(&s, Player::new(i))[3]), [3, 2]);
        let leader = Muster { generals: 1, ..navy(1) };
        for bad in [navy(0), navy(200), leader, muster(1, 0, 0)] {
            assert_eq!(game.naval_battle_between([navy(1), bad]), None, "{bad:?}");
        }
    }

    #[test]
    fn a_battle_begins_as_it_was_asked_for() {
        let game = Classic::new(4);
        let attacker = Muster { generals: 2, has_caesar: true, ..muster(12, 3, 1) };
        let defender = Muster { has_fort: true, ..muster(3, 0, 1) };
        let s = game.battle_between([attacker, defender]).expect("a small battle");
        assert_eq!(game.turn(&s), Turn::Player(Player::new(0)));
        assert_eq!((s.phase(), game.legion_cap(&s, Side::Attacker)), (Phase::Legion, 9));
        assert_eq!(game.engagement(&s), None);
        let mut begun = s;
        while begun.phase() == Phase::Legion {
            let reply = game.plain_reply(&begun, true);
            game.apply(&mut begun, reply);
        }
        let engagement = game.engagement(&begun).expect("both sides roll");
        assert_eq!(engagement.sides, [attacker, defender]);
        assert_eq!(engagement.legions.map(|legion| legion.iter().sum::<u8>()), [9, 4]);
        assert_eq!((engagement.rounds, engagement.at_sea), (game.battle_rules().rounds, false));
        let after = game.strongest_legion(attacker.force(), 9, 0);
        assert_eq!((after.iter().sum::<u8>(), game.legion_reply(&s)), (9, after[0]));
        assert_eq!(game.fort_dice(&s, Side::Defender), game.battle_rules().fort_dice);
        assert_eq!(game.on_board(&s, Player::new(1)), [3, 0, 1, 0]);
    }

    #[test]
    fn a_guard_has_no_commander() {
        let game = Classic::new(4);
        let guard = Muster { is_guard: true, ..muster(4, 0, 0) };
        let s = game.battle_between([muster(5, 0, 0), guard]).expect("a small battle");
        assert_eq!((s.battle(), s.phase()), (s.battle().filter(|(_, q)| q.is_none()), Phase::Dice));
        assert_eq!(Classic::force(&s, Side::Defender), [4, 0, 0]);
    }

    #[test]
    fn armies_that_no_player_has_do_not_fight() {
        let game = Classic::new(4);
        for wrong in [muster(0, 0, 0), muster(21, 0, 0), muster(1, 0, 7)] {
            assert_eq!(game.battle_between([wrong, muster(1, 0, 0)]), None);
        }
        let ships = Muster { army: [1, 0, 0, 1], ..Muster::default() };
        assert_eq!(game.battle_between([muster(1, 0, 0), ships]), None);
    }
}
