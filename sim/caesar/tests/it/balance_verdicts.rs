//! Verdicts of studies: no statement on things that are never taken, a mark on harmful gifts, certainty for changes
//! without spread.

use caesar::report::balance::{StudyResult, json};
use engine::{Purpose, rng};
use lab::balance::alliances::Alliances;
use lab::balance::cards::{Cards, FALSE_DISCOVERIES, NO_STATEMENT};
use lab::balance::cell::Experiment;
use lab::balance::effect_accumulator::EffectAccumulator;
use lab::balance::provinces::Provinces;
use lab::balance::request::What;
use lab::balance::study::BalanceStudy;
use serde_json::Value as Json;

use crate::balance_seats::{At, balance, block, validated_for, weight_of};

/// Returns the effects of two cards of the same large worth, of which one is never taken, and of a harmful gift.
fn card_effects(study: &Cards, blocks: u64) -> EffectAccumulator {
    let mut rng = rng::stream(9, 0, Purpose::Analysis);
    let mut effects = EffectAccumulator::new(&study.experiment);
    let weight = |at: &At<'_>| match at.cell {
        "gift.card/loot/s2" | "gift.card/politician/s2" if at.place() == 0 => weight_of(0.75),
        "gift.card/merchant-asia/s2" if at.place() == 0 => weight_of(0.05),
        _ => 1.0,
    };
    let uptake = "2.loot 2.politician=0 2.merchant-asia=1";
    for _ in 0..blocks {
        effects.add(&block(&study.experiment, &mut rng, uptake, &weight));
    }
    effects
}

#[test]
fn of_a_card_that_nobody_takes_nothing_is_said_and_a_gift_that_harms_is_marked() {
    let names = ["loot", "politician", "merchant-asia"].map(str::to_owned).to_vec();
    let validated = validated_for(What::Cards, 2, names);
    let study = Cards::new(validated).unwrap();
    let effects = card_effects(&study, 400);
    let lines = study.screen(&effects);
    let of = |name: &str| lines.iter().find(|line| line.name == name).unwrap();
    let [never, good, bad] = ["loot", "politician", "merchant-asia"].map(of);
    assert_eq!((never.verdict(FALSE_DISCOVERIES), never.taken), (NO_STATEMENT, Some(0.0)));
    assert_eq!(
        (good.verdict(FALSE_DISCOVERIES), bad.verdict(FALSE_DISCOVERIES)),
        ("too cheap", "too dear")
    );
    let misused: Vec<bool> = lines.iter().map(|line| line.is_misused(FALSE_DISCOVERIES)).collect();
    assert_eq!(misused.iter().filter(|is| **is).count(), 1, "{lines:?}");
    assert!(bad.is_misused(FALSE_DISCOVERIES));
    for line in &lines {
        let (fair, _) = line.fair_price().unwrap();
        assert!(fair.estimate >= 0.0, "{line:?}");
        assert!(fair.region.interval().is_none_or(|at| at.low >= 0.0), "{line:?}");
    }
    // The confirmation has no cards without a statement.
    assert!(study.chosen(&effects).iter().all(|(name, _)| name != "loot"));
}

/// A screen of worthless cards names one of them in at most one of ten studies, whatever fraction is taken.
#[test]
fn a_screen_of_nothing_finds_something_in_one_study_of_ten_at_most() {
    let names = ["loot", "politician", "merchant-asia"].map(str::to_owned).to_vec();
    let study = Cards::new(validated_for(What::Cards, 2, names)).unwrap();
    let market_free = |lines: &[lab::balance::cards::CardEffect]| {
        lines.iter().any(|line| line.is_misused(FALSE_DISCOVERIES))
    };
    let studies = 200;
    let mut found = 0;
    for seed in 0..studies {
        let mut rng = rng::stream(7_000 + seed, 0, Purpose::Analysis);
        let mut effects = EffectAccumulator::new(&study.experiment);
        for _ in 0..60 {
            effects.add(&block(
                &study.experiment,
                &mut rng,
                "2.loot 2.politician=0 2.merchant-asia=1",
                &|_| 1.0,
            ));
        }
        found += u32::from(market_free(&study.screen(&effects)));
    }
    // One in twenty is expected: only harm is marked, which is half of a test at one in ten.
    assert!(found <= studies as u32 / 10, "{found} of {studies}");
}

/// Returns the effects of a block in which the treated seat wins: 300 copies of it, or 300 different ones.
fn gift_effects(experiment: &Experiment, uptake: &str, is_copied: bool) -> EffectAccumulator {
    let weight = |at: &At<'_>| match at.cell {
        "control" => 1.0,
        _ if at.place() == 0 => weight_of(0.9),
        _ => 1.0,
    };
    let mut rng = rng::stream(11, 0, Purpose::Analysis);
    let mut effects = EffectAccumulator::new(experiment);
    let first = block(experiment, &mut rng, uptake, &weight);
    for _ in 0..300 {
        let next = block(experiment, &mut rng, uptake, &weight);
        effects.add(if is_copied { &first } else { &next });
    }
    effects
}

/// Findings from 300 blocks are no findings from 300 copies of one, which have no p-value.
#[test]
fn copies_of_one_game_decide_nothing_in_any_study() {
    let validated = |what, name: &str| {
        let names = Some(name.to_owned()).filter(|name| !name.is_empty());
        validated_for(what, 2, names.into_iter().collect())
    };
    let cards = Cards::new(validated(What::Cards, "loot")).unwrap();
    let provinces = Provinces::new(validated(What::Provinces, "egypt")).unwrap();
    let alliances = Alliances::new(validated(What::Alliances, "")).unwrap();
    for (study, uptake) in [
        (BalanceStudy::Cards(Box::new(cards)), "2.loot=1"),
        (BalanceStudy::Provinces(Box::new(provinces)), "2.egypt:1/0/0/0"),
        (BalanceStudy::Alliances(Box::new(alliances)), "2@0/0/30/5;1/0/0/3;2/1/0/6;3/1/0/9"),
    ] {
        let verdict = |is_copied| {
            let result = StudyResult {
                effects: gift_effects(study.experiment(), uptake, is_copied),
                again: None,
            };
            serde_json::from_str::<Json>(&json(&study, &result)).unwrap()
        };
        let drawn = p_values(&verdict(false));
        assert!(drawn.iter().any(|p| *p < 0.001), "{drawn:?}");
        let copied = verdict(true);
        assert_eq!(p_values(&copied), [0.0; 0], "{copied}");
        let text = copied.to_string();
        for finding in ["too cheap", "too dear", "paid too", "\"decided\":true", "\"misused\":true"]
        {
            assert!(!text.contains(finding), "{finding}: {text}");
        }
    }
}

/// Returns all p-values of a document, at any depth.
fn p_values(json: &Json) -> Vec<f64> {
    let numbers = |p: &Json| match p {
        Json::Object(all) => all.values().filter_map(Json::as_f64).collect(),
        p => p.as_f64().into_iter().collect::<Vec<f64>>(),
    };
    match json {
        Json::Object(map) => {
            let own = map.get("p").map(numbers).unwrap_or_default();
            own.into_iter().chain(map.values().flat_map(p_values)).collect()
        }
        Json::Array(all) => all.iter().flat_map(p_values).collect(),
        _ => Vec::new(),
    }
}

/// Every game of goofspiel has as many choices as cards: a change without spread is certain, and a length has no sign.
#[test]
fn a_length_that_every_game_has_has_moved_for_certain() {
    let args = "rules --game goofspiel --players 3 --agent random --study seats --set cards=12 --blocks 40 --effect 0.5 \
                --seed 77300 --quiet";
    let (code, text, error) = balance(args);
    assert_eq!((code, error.as_str()), (0, ""));
    let (first, _) = text.split_once("\n\n").unwrap_or((&text, ""));
    let line = text.lines().find(|line| line.contains("choices in a game")).unwrap_or(first);
    assert!(line.contains("36.000 (every block)") && !line.contains("+36"), "{text}");
    assert!(text.contains("-3.000 (every block)") && text.contains("moved"), "{text}");
    let (_, json, _) = balance(&format!("{args} --json"));
    let json: Json = serde_json::from_str(&json).unwrap();
    let lines = json["rules"].as_array().unwrap();
    let length = lines.iter().find(|line| line["statement"] == "choices in a game").unwrap();
    assert_eq!(
        (&length["verdict"], &length["every_block_agrees"]),
        (&"moved".into(), &true.into())
    );
    assert!(
        length["p"].as_f64().unwrap() < 1e-9 && length["difference"]["low"].is_null(),
        "{length}"
    );
}

#[test]
fn the_new_rules_can_be_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("short.toml");
    std::fs::write(&file, "cards = 12\n").unwrap();
    let base = "rules --game goofspiel --players 3 --agent random --study seats --blocks 20 --effect 0.9 --quiet --json";
    let (code, by_file, error) = balance(&format!("{base} --rules-b {}", file.display()));
    assert_eq!((code, error.as_str()), (0, ""));
    let (_, by_option, _) = balance(&format!("{base} --set cards=12"));
    let rules = |text: &str| serde_json::from_str::<Json>(text).unwrap()["rules"].clone();
    assert_eq!(rules(&by_file), rules(&by_option));
    let (code, _, error) = balance(&format!("{base} --rules-b no-such.toml"));
    assert!(code == 2 && error.contains("--rules-b no-such.toml"), "{error}");
}
