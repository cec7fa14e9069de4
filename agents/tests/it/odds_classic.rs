//! Tests of exact odds of battles of classic against battles that are played by the rules of the game.

use agents::Observable;
use agents::odds::{BadQuestion, BattleOdds, Question, Verdict};
use engine::games::classic::Classic;
use engine::{Configure, Rules};

/// Armies with every relevant feature: kinds, more troops than a legion takes, leaders, a fort, a guard.
const PAIRS: [[&str; 2]; 6] = [
    ["1 infantry", "1 infantry"],
    ["6i 1c 1l", "4i guard"],
    [
        "9 infantry, 3 cavalry, 2 catapults, 2 generals, caesar",
        "5 infantry, 2 cavalry, 1 general, fort",
    ],
    ["2 catapults", "3 cavalry"],
    ["12 infantry", "2i 2c 2k"],
    ["3i", "3i guard"],
];

fn classic(settings: &[&str]) -> Classic {
    let mut rules = Rules::of::<Classic>();
    settings.iter().for_each(|setting| rules.set(setting).expect("a setting"));
    Classic::configure(4, &rules).expect("good rules")
}

const fn land(sides: [&str; 2]) -> Question<'_> {
    Question { sides, at_sea: false, has_retreats: false }
}

fn battle_odds(game: &Classic, question: &Question<'_>) -> BattleOdds {
    game.battle_calculator().expect("odds").battle_odds(question).expect("a small battle")
}

/// Compares every end with `n` played battles: within four standard errors, or for rare ends within a few battles.
fn compare(game: &Classic, sides: [&str; 2], n: u64) {
    agree(game, &land(sides), n);
}

fn agree(game: &Classic, question: &Question<'_>, n: u64) {
    let sides = question.sides;
    let tally =
        game.battle_calculator().expect("odds").play(question, n, 7).expect("a small battle");
    let odds = battle_odds(game, question);
    for (left, count) in &tally {
        assert!(odds.ends.iter().any(|end| end.left == *left), "{sides:?}: {count} × {left:?}");
    }
    for end in &odds.ends {
        let found = tally.get(&end.left).copied().unwrap_or(0) as f64;
        let expected = n as f64 * end.chance;
        // In the far tail a count is not normal; three more battles cover that.
        let allowed = 4.0 * (expected * (1.0 - end.chance)).max(0.0).sqrt() + 3.0;
        assert!((found - expected).abs() <= allowed, "{sides:?}: {end:?} {found} of {n}");
    }
}

#[test]
fn odds_are_those_of_battles_played_with_dice() {
    let game = classic(&[]);
    PAIRS.into_iter().for_each(|pair| compare(&game, pair, 50_000));
}

#[test]
fn odds_at_sea_are_those_of_battles_played_with_dice() {
    for settings in [&[][..], &["battle.naval_rounds=1"]] {
        let game = classic(settings);
        for sides in [["1g", "1g"], ["3g", "1g"], ["5g", "7g"]] {
            agree(&game, &Question { sides, at_sea: true, has_retreats: false }, 20_000);
        }
    }
}

#[test]
fn the_last_round_and_other_numbers_of_the_rules_count() {
    let short = classic(&["battle.land_rounds=1", "battle.fort_dice=3", "battle.legion=2"]);
    PAIRS.into_iter().for_each(|pair| compare(&short, pair, 20_000));
    assert!(battle_odds(&short, &land(PAIRS[2])).chance(Verdict::Undecided) > 0.5);
    let die = r#"die.faces=["infantry","catapult","blank","blank","blank","blank","blank"]"#;
    compare(&classic(&[die]), PAIRS[4], 20_000);
}

#[test]
fn chances_add_up_to_one_and_each_end_is_told_once() {
    let game = classic(&[]);
    for pair in PAIRS {
        let odds = battle_odds(&game, &land(pair));
        let sum: f64 = odds.ends.iter().map(|end| end.chance).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{pair:?}: {sum}");
        for (i, end) in odds.ends.iter().enumerate() {
            assert!(odds.ends[..i].iter().all(|other| other.left != end.left), "{pair:?}: {end:?}");
        }
    }
}

/// Each side has one infantry. In each round each side hits with the probability p of its face.
#[test]
fn two_single_soldiers_by_hand() {
    let game = classic(&[]);
    let faces = game.battle_rules().faces;
    let p = f64::from(faces[0]) / f64::from(faces.iter().sum::<u8>());
    let odds = battle_odds(&game, &land(PAIRS[0]));
    let over = 1.0 - (1.0 - p) * (1.0 - p);
    let rounds = i32::from(game.battle_rules().rounds);
    let ended = 1.0 - (1.0 - over).powi(rounds);
    assert!((odds.chance(Verdict::Attacker) - p * (1.0 - p) / over * ended).abs() < 1e-12);
    assert!((odds.chance(Verdict::BothGone) - p * p / over * ended).abs() < 1e-12);
    assert!((odds.chance(Verdict::Undecided) - (1.0 - ended)).abs() < 1e-12);
    assert!((odds.rounds - ended / over).abs() < 1e-9);
}

#[test]
fn a_galley_sinks_one_at_sea() {
    let game = classic(&["battle.naval_rounds=1"]);
    let faces = game.battle_rules().faces;
    let p = f64::from(faces[3]) / f64::from(faces.iter().sum::<u8>());
    let question = Question { sides: ["1 galley", "2g"], at_sea: true, has_retreats: false };
    let odds = battle_odds(&game, &question);
    let survives = (1.0 - p) * (1.0 - p);
    assert!((odds.survivors(0)[3] - survives).abs() < 1e-12);
    assert!((odds.survivors(1)[3] - (2.0 - p)).abs() < 1e-12);
    assert_eq!((odds.chance(Verdict::Attacker), odds.dice), (0.0, [1, 2]));
}

#[test]
fn leaders_forts_and_catapults_help() {
    let game = classic(&[]);
    let wins = |sides| battle_odds(&game, &land(sides)).chance(Verdict::Attacker);
    let base = wins(["9i", "9i"]);
    assert!(wins(["9i 1l", "9i"]) > base && wins(["9i caesar", "9i"]) > wins(["9i 1l", "9i"]));
    assert!(wins(["9i", "9i fort"]) < base && wins(["9i", "9i 1k"]) < base);
}

#[test]
fn what_cannot_fight_is_refused_by_its_side() {
    let mut battles = classic(&[]).battle_calculator().expect("odds");
    let mut refused = |sides, at_sea| {
        let question = Question { sides, at_sea, has_retreats: false };
        battles.battle_odds(&question).expect_err("refused")
    };
    for (sides, at_sea, side, says) in [
        (["3i fort", "3i"], false, 0, "can only defend"),
        (["3i", "3i 1c guard"], false, 1, "infantry alone"),
        (["3i", "3i 2 caesars"], false, 1, "one caesar"),
        (["3i 1g", "3i"], false, 0, "--sea"),
        (["3i", "3g"], true, 0, "galleys alone"),
        (["3i", "3i 30l"], false, 1, "at most 31 dice"),
    ] {
        match refused(sides, at_sea) {
            BadQuestion::Side(which, message) => {
                assert!(which == side && message.contains(says), "{sides:?}: {message}");
            }
            other => panic!("{other:?}"),
        }
    }
    let retreats = Question { has_retreats: true, ..land(PAIRS[0]) };
    assert!(matches!(battles.battle_odds(&retreats), Err(BadQuestion::Fight(_))));
}
