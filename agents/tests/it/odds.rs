//! Tests of exact odds of battles against battles that are played by the rules of the game.

use agents::heuristics::conquest2::odds::{
    Arena, BattleOddsCache, End, Odds, Side, Tally, Verdict, describe, parse,
};
use engine::games::conquest2::{Conquest2, Muster};
use engine::{Purpose, Randomness, Rules, rng};

/// Armies with every relevant feature: kinds, leaders, cities, trainings, galleys.
const PAIRS: [[&str; 2]; 7] = [
    ["1 infantry", "1 infantry"],
    ["6 infantry, 1 cavalry, 1 catapult, leader", "3 infantry, city"],
    ["4 infantry, 2 cavalry", "4 infantry, 2 cavalry, leader"],
    ["2 catapults", "3 cavalry, 1 training"],
    ["3 infantry, 2 galleys", "2 infantry, 2 cavalry, 1 galley, city"],
    ["9 infantry, 3 cavalry, 2 catapults, 1 training", "8 infantry, 4 cavalry, 1 catapult, leader"],
    ["2 infantry, leader", "7 infantry, 1 catapult"],
];

fn side(text: &str) -> Muster {
    parse(text).expect(text)
}

fn arena(settings: &[&str]) -> Arena {
    let mut rules = Rules::of::<Conquest2>();
    settings.iter().for_each(|setting| rules.set(setting).expect("a setting"));
    Arena::new(&rules).expect("good rules")
}

fn compare(arena: &mut Arena, pair: [&str; 2], retreats: bool, n: u64) {
    let sides = pair.map(side);
    let tally = arena.play(sides, retreats, n, 7).expect("a small battle");
    agree(pair, &tally, arena.land(sides, retreats).expect("a small battle"));
}

/// Compares every end with the battles of `tally`: within four standard errors, or for rare ends within a few battles.
fn agree(pair: [&str; 2], tally: &Tally, odds: &Odds) {
    let total = tally.0.values().sum::<u64>() as f64;
    for (lost, &count) in &tally.0 {
        assert!(odds.ends().iter().any(|end| end.lost == *lost), "{pair:?}: {count} × {lost:?}");
    }
    for end in odds.ends() {
        let found = tally.0.get(&end.lost).copied().unwrap_or(0) as f64;
        let expected = total * end.chance;
        // In the far tail a count is not normal; three more battles cover that.
        let allowed = 4.0 * (expected * (1.0 - end.chance)).max(0.0).sqrt() + 3.0;
        assert!((found - expected).abs() <= allowed, "{pair:?}: {end:?} {found} of {total}");
    }
}

fn compare_all(n: u64) {
    let mut arena = arena(&[]);
    for pair in PAIRS {
        compare(&mut arena, pair, false, n);
        compare(&mut arena, pair, true, n);
    }
}

#[test]
fn odds_are_those_of_battles_played_with_dice() {
    compare_all(100_000);
}

#[test]
#[ignore = "slow: fourteen million battles take ten seconds; 10^5 each are in the default suite: `just odds` runs it"]
fn odds_are_those_of_a_million_battles_played_with_dice() {
    compare_all(1_000_000);
}

#[test]
fn a_limit_of_rounds_and_other_dice_count() {
    let mut short = arena(&["battle.max_rounds=2"]);
    compare(&mut short, PAIRS[5], false, 20_000);
    compare(&mut short, PAIRS[5], true, 20_000);
    let odds = short.land(PAIRS[5].map(side), false).expect("a small battle");
    assert!(odds.chance(Verdict::Undecided) > 0.5);
    let faces = r#"die.faces=["infantry","catapult","blank","blank","blank","blank","blank"]"#;
    compare(&mut arena(&[faces, "battle.dice=1"]), PAIRS[1], false, 20_000);
}

fn total(odds: &Odds) -> f64 {
    odds.ends().iter().map(|end| end.chance).sum()
}

fn wins(arena: &mut Arena, attacker: Muster, defender: Muster) -> f64 {
    arena.land([attacker, defender], false).expect("a small battle").chance(Verdict::Attacker)
}

fn small_armies() -> impl Iterator<Item = Muster> {
    let army = |n: u8| [n % 4, n / 4 % 3, n / 12 % 2, n / 24];
    (1..48).map(move |n| Muster { army: army(n), ..Muster::default() })
}

#[test]
fn chances_add_up_to_one() {
    let mut arena = arena(&[]);
    for attacker in small_armies() {
        for (defender, retreats) in small_armies().zip([false, true].into_iter().cycle()) {
            let odds = arena.land([attacker, defender], retreats).expect("a small battle");
            assert!((total(odds) - 1.0).abs() < 1e-12, "{attacker:?} {defender:?}");
            assert!(odds.ends().iter().all(|end| end.chance > 0.0));
        }
    }
}

#[test]
fn one_more_unit_never_hurts() {
    let mut arena = arena(&[]);
    for attacker in small_armies() {
        for defender in small_armies() {
            let before = wins(&mut arena, attacker, defender);
            for kind in 0..4 {
                let mut more = attacker;
                more.army[kind] += 1;
                let after = wins(&mut arena, more, defender);
                assert!(after >= before - 1e-12, "{} v {}", describe(&more), describe(&defender));
            }
        }
    }
}

#[test]
fn equal_armies_have_equal_chances() {
    let mut arena = arena(&[]);
    for army in small_armies() {
        let odds = arena.land([army, army], false).expect("a small battle");
        let [a, d] = [Verdict::Attacker, Verdict::Defender].map(|v| odds.chance(v));
        assert!((a - d).abs() < 1e-12, "{army:?}: {a} {d}");
        let [mine, theirs] = Side::ALL.map(|side| odds.survivors(side));
        assert!(mine.iter().zip(theirs).all(|(a, d)| (a - d).abs() < 1e-9));
    }
}

#[test]
fn leaders_trainings_and_cities_help() {
    let mut arena = arena(&[]);
    let plain = side("4 infantry, 2 cavalry, 1 catapult");
    let base = wins(&mut arena, plain, plain);
    let leader = Muster { has_leader: true, ..plain };
    let trained = Muster { trainings: 1, ..plain };
    assert!(wins(&mut arena, leader, plain) > base);
    assert!((wins(&mut arena, trained, plain) - wins(&mut arena, leader, plain)).abs() < 1e-12);
    assert!(wins(&mut arena, plain, leader) < base);
    let walls = Muster { has_city: true, ..plain };
    // The city gives a die, and the first roll in addition.
    assert!(wins(&mut arena, plain, walls) < wins(&mut arena, plain, leader));
}

/// Each side has one infantry and three dice. In each round each side hits with p = 1 − (4/6)³.
#[test]
fn two_single_soldiers_by_hand() {
    let mut arena = arena(&[]);
    let one = side("1 infantry");
    let p: f64 = 1.0 - 8.0 / 27.0;
    let over = 1.0 - (1.0 - p) * (1.0 - p);
    let odds = arena.land([one, one], false).expect("a small battle");
    assert!((odds.chance(Verdict::Attacker) - p * (1.0 - p) / over).abs() < 1e-12);
    assert!((odds.chance(Verdict::BothGone) - p * p / over).abs() < 1e-12);
    assert!((odds.rounds() - 1.0 / over).abs() < 1e-12);
}

#[test]
fn odds_at_sea_are_those_of_battles_played_with_dice() {
    for settings in [&[][..], &["battle.naval_rounds=1"], &["battle.naval_dice=2"]] {
        let mut arena = arena(settings);
        for pair in [["1g", "1g"], ["3g", "1g 1t"], ["5g 2t", "7g"], ["2g 3t", "4g 1t"]] {
            let sides = pair.map(side);
            let tally = arena.play_naval(sides, 20_000, 7).expect("two navies");
            agree(pair, &tally, arena.naval(sides).expect("two navies"));
        }
    }
}

#[test]
fn navies_fight_three_rounds() {
    let mut arena = arena(&[]);
    let one = side("1 galley");
    let odds = arena.naval([one, one]).expect("two navies");
    let quiet: f64 = 25.0 / 36.0;
    assert!((odds.chance(Verdict::Undecided) - quiet.powi(3)).abs() < 1e-12);
    assert!((total(odds) - 1.0).abs() < 1e-12);
    assert!(arena.naval([one, side("1 infantry")]).is_err());
}

#[test]
fn draws_follow_the_chances() {
    let game = Conquest2::new(4);
    let mut battles = BattleOddsCache::new(&game);
    let fight = battles.land(PAIRS[1].map(side), false).expect("a small battle");
    let odds = battles.odds(&fight).expect("a small battle").clone();
    let mut dice = rng::fast(&mut rng::stream(3, 0, Purpose::Analysis));
    let n = 100_000;
    let mut counts = vec![0u32; odds.ends().len()];
    for _ in 0..n {
        let end: End = *odds.draw(&mut dice);
        counts[odds.ends().iter().position(|e| *e == end).expect("an end")] += 1;
    }
    for (end, count) in odds.ends().iter().zip(counts) {
        let expected = f64::from(n) * end.chance;
        assert!((f64::from(count) - expected).abs() <= 4.0 * expected.sqrt() + 3.0, "{end:?}");
    }
    assert!(dice.below(2) < 2);
}
