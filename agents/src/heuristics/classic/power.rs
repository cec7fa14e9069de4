//! The strength of an army: the mean hits of its best legion, and the number of troops that it can lose.

use std::sync::Arc;

use engine::Player;
use engine::games::classic::units::{N_LAND_MILITARY, Unit};
use engine::games::classic::{BattleRules, Classic, Place, State};

/// A measure of strength.
pub(super) trait Measure {
    /// Returns the strength of a player's land pieces in a province, in infantry; 0 without troops. A defender has the
    /// die of a fort.
    fn strength(&self, game: &Classic, s: &State, q: Player, place: Place, defends: bool) -> f32;

    /// Returns the strength of the guard in a home, in infantry.
    fn guard(&self, game: &Classic, home: Place) -> f32;
}

/// The number of troops as a measure of strength.
pub(super) struct Counts;

impl Measure for Counts {
    fn strength(&self, _: &Classic, s: &State, q: Player, place: Place, defends: bool) -> f32 {
        let troops = f32::from(s.troops(q, place).military());
        let has_fort = defends && troops > 0.0 && s.forts().contains(place);
        if has_fort { troops + 1.0 } else { troops }
    }

    fn guard(&self, game: &Classic, home: Place) -> f32 {
        f32::from(game.guard(home))
    }
}

/// Maximum number of troops of a cached legion; larger legions are computed. Five troops and three generals are eight.
const KNOWN_TROOPS: usize = 8;

/// Maximum number of additional dice of a cached legion: those of a fort.
const KNOWN_EXTRA: usize = 1;

/// Strength by Lanchester's square law: the root of hits per round times troops that can be lost. One infantry alone is
/// 1.
#[derive(Clone, Debug)]
pub(super) struct Power {
    rules: BattleRules,
    /// The mean hits of the best legion, by its dice and its cached force; NaN for combinations that cannot occur.
    known: Arc<[f32]>,
    /// The mean hits of one infantry.
    of_infantry: f32,
}

impl Power {
    pub(super) fn new(game: &Classic) -> Self {
        let rules = game.battle_rules();
        // With a die that shows no infantry, the unit of strength is a hit.
        let of_infantry = Some(game.mean_hits([1, 0, 0], 0)).filter(|&hits| hits > 0.0);
        let known = Arc::default();
        let mut power = Self { rules, known, of_infantry: of_infantry.unwrap_or(1.0) };
        power.known = power.all_known(game);
        power
    }

    /// Returns the hits of all cached legions.
    fn all_known(&self, game: &Classic) -> Arc<[f32]> {
        let mut known =
            vec![f32::NAN; (KNOWN_EXTRA + 1) * KNOWN_TROOPS * (KNOWN_TROOPS + 1).pow(3)];
        let most = KNOWN_TROOPS as u8;
        for size in 1..=most {
            let counts = || 0..=size;
            for force in
                counts().flat_map(|i| counts().flat_map(move |c| counts().map(move |k| [i, c, k])))
            {
                let fits = |extra: &u8| usize::from(size + extra) <= game.most_dice();
                let is_there = force.iter().sum::<u8>() >= size;
                for extra in (0..=KNOWN_EXTRA as u8).filter(|extra| is_there && fits(extra)) {
                    let hits = Self::best_hits(game, force, size, extra);
                    known[Self::place(force, size, extra)] = hits;
                }
            }
        }
        known.into()
    }

    /// Returns the cache index of a legion. Its force has at most as many units of a type as the legion has room for.
    fn place(force: [u8; N_LAND_MILITARY], size: u8, extra: u8) -> usize {
        let dice = usize::from(extra) * KNOWN_TROOPS + usize::from(size - 1);
        force.iter().fold(dice, |at, &n| at * (KNOWN_TROOPS + 1) + usize::from(n))
    }

    /// Returns the mean hits of the best legion of `size` from `force`, with `extra` additional dice.
    fn best_hits(game: &Classic, force: [u8; N_LAND_MILITARY], size: u8, extra: u8) -> f32 {
        game.mean_hits(game.strongest_legion(force, size, extra), extra)
    }

    /// Returns the power of an army whose legion has at most `limit` troops and throws `extra` additional dice.
    pub(super) fn of(
        &self,
        game: &Classic,
        force: [u8; N_LAND_MILITARY],
        limit: u8,
        extra: u8,
    ) -> f32 {
        let troops: u8 = force.iter().sum();
        if troops == 0 {
            return 0.0;
        }
        let size = limit.min(troops);
        let is_known =
            (1..=KNOWN_TROOPS).contains(&usize::from(size)) && usize::from(extra) <= KNOWN_EXTRA;
        let hits = match is_known {
            true => self.known[Self::place(force.map(|n| n.min(size)), size, extra)],
            false => Self::best_hits(game, force, size, extra),
        };
        (hits * f32::from(troops) / self.of_infantry).sqrt()
    }
}

impl Measure for Power {
    fn strength(&self, game: &Classic, s: &State, q: Player, place: Place, defends: bool) -> f32 {
        let troops = s.troops(q, place);
        if !troops.is_army() {
            return 0.0;
        }
        let has_fort = defends && s.forts().contains(place);
        let extra = if has_fort { self.rules.fort_dice } else { 0 };
        let force = Unit::LAND_MILITARY.map(|unit| troops.count(unit));
        self.of(game, force, game.legion_limit(s, q, place), extra)
    }

    fn guard(&self, game: &Classic, home: Place) -> f32 {
        self.of(game, [game.guard(home), 0, 0], self.rules.legion, 0)
    }
}

#[cfg(test)]
mod tests {
    use engine::{Configure, Rules};

    use super::*;

    /// Rules whose sides never have many dice use no cache entry beyond them.
    #[test]
    fn rules_with_small_legions_have_powers() {
        let mut rules = Rules::of::<Classic>();
        for setting in ["battle.legion=1", "battle.legion_per_general=0"] {
            rules.set(setting).expect("a good setting");
        }
        let game = Classic::configure(4, &rules).expect("good rules");
        let power = Power::new(&game);
        assert!(power.of(&game, [4, 0, 0], 1, 0) > power.of(&game, [2, 0, 0], 1, 0));
    }

    #[test]
    fn mixed_armies_are_stronger_than_equal_troops_of_one_kind() {
        let game = Classic::new(4);
        let power = Power::new(&game);
        let of = |force| power.of(&game, force, 5, 0);
        assert!((of([1, 0, 0]) - 1.0).abs() < 1e-6);
        assert!(
            (of([5, 0, 0]) - 5.0).abs() < 1e-5,
            "what hits in proportion is as strong as counted"
        );
        assert!(of([3, 1, 1]) > of([4, 1, 0]) && of([4, 1, 0]) > of([5, 0, 0]));
        assert!(of([0, 5, 0]) < of([5, 0, 0]));
        assert!(power.of(&game, [3, 0, 0], 5, 1) > of([3, 0, 0]));
    }

    /// A cached value equals the computed value, and beyond the cache nothing changes.
    #[test]
    fn legions_that_are_looked_up_are_those_that_are_composed() {
        let game = Classic::new(4);
        let power = Power::new(&game);
        let dice = game.most_dice() as u8;
        for force in [[1, 0, 0], [3, 2, 1], [0, 9, 4], [16, 3, 0], [2, 0, 15]] {
            for extra in 0..=2 {
                for limit in 1..=dice - extra {
                    let troops: u8 = force.iter().sum();
                    let hits = Power::best_hits(&game, force, limit.min(troops), extra);
                    let strength = power.of(&game, force, limit, extra);
                    let expected = (hits * f32::from(troops) / power.of_infantry).sqrt();
                    assert_eq!(strength.to_bits(), expected.to_bits(), "{force:?} {limit} {extra}");
                }
            }
        }
    }
}
