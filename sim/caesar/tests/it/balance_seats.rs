//! Seats, places in a turn order and alliances: planted effects are found in their place, and no others.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use engine::{MAX_PLAYERS, Purpose, Randomness, Stream, rng};
use lab::balance::alliances::Alliances;
use lab::balance::cell::Experiment;
use lab::balance::effect_accumulator::EffectAccumulator;
use lab::balance::plan;
use lab::balance::request::{Request, ValidatedBalance, What};
use lab::balance::rows::Row;
use lab::balance::seats::{SeatEffect, SeatStudy};
use lab::balance::study::BalanceStudy;
use serde_json::Value as Json;
use sim::config::Played;

use crate::shared::{caesar, command, measured};

const PLAYERS: usize = 4;

/// Runs `caesar balance` with `args` separated by blanks: exit code, stdout, stderr.
pub(super) fn balance(args: &str) -> (i32, String, String) {
    caesar(&format!("balance {args}"))
}

fn validated(what: What, stage: u64) -> ValidatedBalance {
    validated_for(what, stage, Vec::new())
}

pub(super) fn validated_for(what: What, stage: u64, name: Vec<String>) -> ValidatedBalance {
    let request = Request {
        name,
        played: Played { game: None, players: Some(PLAYERS) },
        agents: vec!["greedy".to_owned()],
        stage: vec![stage],
        blocks: Some(2_000),
        ..Request::default()
    };
    ValidatedBalance::new(what, &request, &|_| Err(std::io::ErrorKind::NotFound.into())).unwrap()
}

/// A seat in a synthetic game.
pub(super) struct At<'a> {
    pub(super) seat: usize,
    /// The name of the cell.
    pub(super) cell: &'a str,
    /// The seat that is treated, or first.
    rotation: usize,
}

/// The chance of a seat to win, relative to the others.
type Weight<'a> = &'a dyn Fn(&At<'_>) -> f64;

impl At<'_> {
    pub(super) fn place(&self) -> usize {
        (self.seat + PLAYERS - self.rotation) % PLAYERS
    }

    /// Returns true if the seat is on the side of `other`, with forced sides.
    fn is_with(&self, other: usize) -> bool {
        let sides = self.cell.split('/').nth(1).unwrap().as_bytes();
        sides[self.place()] == sides[(other + PLAYERS - self.rotation) % PLAYERS]
    }
}

/// Returns a block of synthetic games, won at random with these weights of the seats.
pub(super) fn block(
    experiment: &Experiment,
    rng: &mut Stream,
    uptake: &str,
    weight: Weight<'_>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for (place, cell) in experiment.cells.iter().enumerate() {
        for rotation in 0..experiment.rotations(cell) {
            let weights: Vec<f64> =
                (0..PLAYERS).map(|seat| weight(&At { seat, cell: &cell.id, rotation })).collect();
            let mut left = rng.unit() * weights.iter().sum::<f64>();
            let mut winner = 0;
            while winner < PLAYERS - 1 && left >= weights[winner] {
                left -= weights[winner];
                winner += 1;
            }
            let mut points = [0.0; MAX_PLAYERS];
            points[winner] = 1.0;
            rows.push(Row {
                game: rows.len() as u64,
                block: 0,
                cell: place,
                rotation,
                plies: 100,
                is_forfeit: false,
                points,
                scores: points,
                uptake: uptake.parse().unwrap(),
            });
        }
    }
    rows
}

fn of_seats(study: &SeatStudy, seed: u64, blocks: u64, weight: Weight<'_>) -> EffectAccumulator {
    let mut rng = rng::stream(seed, 0, Purpose::Analysis);
    let mut found = EffectAccumulator::new(&study.experiment);
    for _ in 0..blocks {
        found.add(&block(&study.experiment, &mut rng, "", weight));
    }
    found
}

fn contains(line: &SeatEffect, truth: f64) -> bool {
    line.effect.interval.unwrap().contains(truth)
}

/// Returns the weight whose share is `share`, next to three weights of 1.
pub(super) fn weight_of(share: f64) -> f64 {
    3.0 * share / (1.0 - share)
}

#[test]
fn a_bonus_for_a_place_shows_there_and_not_in_the_seat() {
    let study = SeatStudy::new(validated(What::Seats, 2)).unwrap();
    let first = weight_of(0.35);
    let found = of_seats(&study, 1, 400, &|at| {
        if at.cell.starts_with("order") && at.place() == 0 { first } else { 1.0 }
    });
    let order = study.order(&found);
    assert!(contains(&order[0], 0.10) && order[0].is_found(), "{order:?}");
    assert!((1..PLAYERS).all(|place| contains(&order[place], -0.10 / 3.0)), "{order:?}");
    let others = [study.seats(&found), study.seats_alone(&found), study.auction(&found)].concat();
    assert_eq!(others.len(), 3 * PLAYERS);
    assert!(others.iter().all(|line| !line.is_found()), "{others:?}");
}

#[test]
fn a_bonus_for_a_seat_shows_there_and_not_in_the_place() {
    let study = SeatStudy::new(validated(What::Seats, 2)).unwrap();
    let third = weight_of(0.35);
    let found = of_seats(&study, 2, 400, &|at| if at.seat == 2 { third } else { 1.0 });
    for seats in [study.seats(&found), study.seats_alone(&found)] {
        assert!(contains(&seats[2], 0.10) && seats[2].is_found(), "{seats:?}");
    }
    let others = [study.order(&found), study.auction(&found)].concat();
    assert!(others.iter().all(|line| !line.is_found() && contains(line, 0.0)), "{others:?}");
}

#[test]
fn a_bonus_for_who_bids_first_shows_in_the_auction_alone() {
    let study = SeatStudy::new(validated(What::Seats, 2)).unwrap();
    let first = weight_of(0.35);
    let found = of_seats(&study, 3, 400, &|at| {
        if at.cell.starts_with("opener") && at.place() == 0 { first } else { 1.0 }
    });
    let auction = study.auction(&found);
    assert!(contains(&auction[0], 0.10) && auction[0].is_found(), "{auction:?}");
    let others = [study.seats(&found), study.seats_alone(&found), study.order(&found)].concat();
    assert!(others.iter().all(|line| !line.is_found()), "{others:?}");
}

/// Without planted effects, no interval of a column misses in at least 93 of 100 studies (Bonferroni's are wide).
#[test]
fn intervals_of_seats_hold_together() {
    let study = SeatStudy::new(validated(What::Seats, 2)).unwrap();
    let mut held = [0; 4];
    let studies = 500;
    for seed in 0..studies {
        let found = of_seats(&study, 1_000 + seed, 100, &|_| 1.0);
        let columns = [
            study.seats(&found),
            study.seats_alone(&found),
            study.order(&found),
            study.auction(&found),
        ];
        for (held, lines) in held.iter_mut().zip(columns) {
            *held += u64::from(lines.iter().all(|line| contains(line, 0.0)));
            // A verdict comes from the test that its interval belongs to.
            assert!(lines.iter().all(|line| line.is_found() != contains(line, 0.0)), "{lines:?}");
        }
    }
    for (held, what) in held.into_iter().zip(["seats", "seats alone", "order", "auction"]) {
        let test = "intervals_of_seats_hold_together";
        measured("balance seats", &format!("A/A: {what}, all of a column"), [held, studies], test);
        let part = held as f64 / studies as f64;
        assert!((0.93..=0.985).contains(&part), "{part}");
    }
}

/// A bonus of 4 points of share is found in 8 of 10 studies of the planned size.
#[test]
fn the_plan_keeps_what_it_promises() {
    let effect = 0.04;
    let blocks = plan::blocks_for(PLAYERS, effect / What::Seats.reach(PLAYERS, effect));
    let mut study = SeatStudy::new(validated(What::Seats, 2)).unwrap();
    study.experiment.cells.truncate(1);
    study.experiment.order = None;
    let bonus = weight_of(0.25 + effect);
    let studies = 300;
    let is_found = |seed: &u64| {
        let found = of_seats(&study, 9_000 + seed, blocks, &|at| {
            if at.seat == 1 { bonus } else { 1.0 }
        });
        study.seats(&found)[1].is_found()
    };
    let power = (0..studies).filter(is_found).count() as f64 / studies as f64;
    assert!((0.78..=0.90).contains(&power), "{power} at {blocks} blocks");
}

fn of_alliances(study: &Alliances, blocks: u64, weight: Weight<'_>) -> EffectAccumulator {
    with_price(study, 30, [5, blocks], weight)
}

pub(super) fn with_price(
    study: &Alliances,
    paid: i32,
    [seed, blocks]: [u64; 2],
    weight: Weight<'_>,
) -> EffectAccumulator {
    let mut rng = rng::stream(seed, 0, Purpose::Analysis);
    let mut found = EffectAccumulator::new(&study.experiment);
    // Seat 3 leads and seat 1 is last; seat 0 has paid for the first place, together with seat 1.
    let uptake = format!("2@0/0/{paid}/5;1/0/0/3;2/1/0/6;3/1/0/9");
    for _ in 0..blocks {
        found.add(&block(&study.experiment, &mut rng, &uptake, weight));
    }
    found
}

/// A large gain for one coin: without real bids, "not paid too much" is no finding.
#[test]
fn where_next_to_nothing_is_paid_nothing_is_said_of_prices() {
    let study = Alliances::new(validated(What::Alliances, 2)).unwrap();
    let first = weight_of(0.35);
    let weight = |at: &At<'_>| {
        if at.cell.starts_with("order") && at.place() == 0 { first } else { 1.0 }
    };
    for (paid, is_silent) in [(0, true), (1, true), (3, true), (4, false), (30, false)] {
        let line = &study.lines(&with_price(&study, paid, [5, 600], &weight))[0];
        let is_refused = line.verdict() == "next to nothing is paid: no statement";
        assert_eq!(
            (is_refused, line.adjusted_p[0].is_none()),
            (is_silent, is_silent),
            "{paid}: {line:?}"
        );
        assert!(line.first.unwrap().value > 0.05 && line.adjusted_p[3].unwrap() < 0.05, "{line:?}");
    }
}

#[test]
fn standing_with_the_leader_is_told_from_the_place() {
    let study = Alliances::new(validated(What::Alliances, 2)).unwrap();
    // A seat on the side of seat 3 wins twice as often as the others; seat 3 itself as often as the others.
    let found = of_alliances(&study, 1_500, &|at| {
        if at.cell.starts_with("order") && at.seat != 3 && at.is_with(3) { 2.0 } else { 1.0 }
    });
    let line = &study.lines(&found)[0];
    let (leader, last) = (line.with_leader.unwrap(), line.with_last.unwrap());
    assert!(leader.interval.unwrap().contains(0.2) && leader.p.unwrap() < 1e-6, "{leader:?}");
    // Of the seats not with the last, one more is with the leader in two of three cases.
    assert!(last.value < 0.1 && line.adjusted_p[1].unwrap() < 1e-6, "{last:?}");
    assert!(line.first.unwrap().interval.unwrap().contains(0.0), "{line:?}");
}

#[test]
fn who_pays_more_than_it_brings_has_paid_too_much() {
    let study = Alliances::new(validated(What::Alliances, 2)).unwrap();
    // A talent is worth half a point of share; the first place is worth 0.1 more than an equal share.
    let found = of_alliances(&study, 2_000, &|at| {
        let amount: Option<f64> = at
            .cell
            .strip_prefix("gift.talents=")
            .and_then(|rest| rest.split('/').next().unwrap().parse().ok());
        match amount {
            Some(amount) if at.place() == 0 => weight_of(0.25 + 0.005 * amount),
            None if at.cell.starts_with("order") && at.place() == 0 => weight_of(0.35),
            _ => 1.0,
        }
    });
    let line = &study.lines(&found)[0];
    let holds = |e: Option<lab::balance::estimate::Estimate>, truth: f64| {
        e.unwrap().interval.unwrap().contains(truth)
    };
    assert_eq!(line.price.unwrap().value.to_bits(), 30_f64.to_bits());
    assert!(holds(line.gain, 0.10), "{:?}", line.gain);
    assert!(holds(line.money, 0.005), "{:?}", line.money);
    assert!(holds(line.net, 0.10 - 30.0 * 0.005), "{:?}", line.net);
    assert_eq!(line.verdict(), "paid too much", "{line:?}");
    let fair = line.fair.unwrap().region.interval().unwrap();
    assert!(fair.contains(20.0) && fair.high < 30.0, "{fair:?}");
}

#[test]
fn points_that_are_given_to_a_seat_are_the_seats_in_games_that_are_played() {
    let gift = "--set gift.s1.seat2.vp=1000";
    let args = format!(
        "seats --agent greedy(preset=2026-11-22) --stage 1 --blocks 60 --effect 0.3 {gift} --json --quiet"
    );
    let (code, json, error) = balance(&args);
    assert_eq!((code, error.as_str()), (0, ""));
    let json: Json = serde_json::from_str(&json).unwrap();
    let low =
        |column: &str, effect: &str, i: usize| json[column][i][effect]["low"].as_f64().unwrap();
    assert!(low("seats", "share", 2) > 0.0 && low("seats_alone", "share", 2) > 0.0, "{json}");
    // A seat that always wins has every place once, so places have no effect here, unlike in other games.
    for (column, effect) in [("order", "effect"), ("auction", "gain")] {
        for line in json[column].as_array().unwrap() {
            assert!(line[effect]["estimate"].as_f64().unwrap().abs() < 1e-9, "{column}: {line}");
        }
    }
    let prices: Vec<f64> = json["auction"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["price"]["estimate"].as_f64().unwrap())
        .collect();
    assert!(prices.iter().all(|price| (0.0..200.0).contains(price)), "{prices:?}");
    assert!(prices.iter().sum::<f64>() > 0.0, "somebody pays: {prices:?}");
    assert_eq!(json["plies"]["n"], 60);
}

#[test]
fn alliances_are_told_stage_by_stage_on_any_number_of_threads() {
    let args = "alliances --agent greedy(preset=2026-11-22) --stage 2 --blocks 24 --effect 0.2 --json --quiet";
    let (code, json, error) = balance(&format!("{args} --threads 1"));
    assert_eq!((code, error.as_str()), (0, ""));
    assert_eq!(balance(&format!("{args} --threads 2")).1, json);
    let json: Json = serde_json::from_str(&json).unwrap();
    let line = &json["alliances"][0];
    assert_eq!(line["season"], 2);
    assert_eq!(line["paid"].as_array().unwrap().len(), 4);
    for key in ["price", "gain", "money", "net", "with_leader", "with_last", "first_against_last"] {
        assert!(line[key]["estimate"].is_number(), "{key}: {line}");
    }
}

#[test]
fn shards_are_joined_to_the_same_results() {
    let dir = tempfile::tempdir().unwrap();
    let place = |name: &str| dir.path().join(name).display().to_string();
    let args = "seats --agent greedy --stage 3 --blocks 24 --effect 0.4 --quiet --json";
    let (_, whole, _) = balance(&format!("{args} --out {}", place("whole")));
    for i in 1..=2 {
        let (code, ..) = balance(&format!("{args} --shard {i}/2 --out {}", place(&i.to_string())));
        assert_eq!(code, 0);
    }
    let output = command("")
        .args(["merge", &place("1"), &place("2"), "--out", &place("joined"), "--quiet", "--json"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), whole);
    let read = |run: &str, file: &str| std::fs::read(dir.path().join(run).join(file)).unwrap();
    assert_eq!(read("whole", "cells.csv"), read("joined", "cells.csv"));
    assert_eq!(read("whole", "order.csv"), read("joined", "order.csv"));
}

#[test]
fn a_game_without_treatments_has_seats_and_length() {
    let (_, text, _) = balance("seats --game pig --players 3 --blocks 400 --agent greedy --quiet");
    assert!(text.contains("undecided: at most ±0.0"), "{text}");
    let args = "seats --game pig --players 3 --blocks 400 --agent greedy --json --quiet";
    let (code, json, error) = balance(args);
    assert_eq!((code, error.as_str()), (0, ""));
    let json: Json = serde_json::from_str(&json).unwrap();
    assert_eq!(json["seats"].as_array().unwrap().len(), 3);
    assert!(json["order"].as_array().unwrap().is_empty());
    assert!(json["plies"]["low"].as_f64().unwrap() > 0.0);
    let sum: f64 = json["seats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["share"]["estimate"].as_f64().unwrap())
        .sum();
    assert!(sum.abs() < 1e-9, "{sum}");
}

#[test]
fn wrong_requests_are_refused() {
    let refused = |args: &str, words: &[&str]| {
        let (code, stdout, stderr) = balance(args);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args}: {stderr}");
        assert!(stderr.lines().count() <= 2, "{args}: {stderr}");
        assert!(words.iter().all(|word| stderr.contains(word)), "{args}: {stderr}");
    };
    refused("alliances --game pig", &["pig", "turn order", "conquest2"]);
    refused("seats --name gallia", &["gallia", "name none"]);
    refused("alliances --sweep", &["--sweep", "leave it away"]);
    refused("seats --stage 9", &["9", "stages 1 to"]);
    refused("seats --blocks 100", &["100", "use 254 blocks"]);
    refused("seats --blocks 5", &["5", "too few for any statement"]);
    refused("alliances --agent nobody", &["nobody"]);
}

#[test]
fn a_change_of_the_rules_is_found_where_it_was_made() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("rules").display().to_string();
    let options = "rules --study seats --agent greedy --stage 1 --blocks 60 --effect 0.3";
    let args = format!("{options} --set gift.s1.seat2.vp=1000 --json --quiet --out {out}");
    let (code, json, error) = balance(&args);
    assert_eq!((code, error.as_str()), (0, ""));
    let summary = std::fs::read_to_string(dir.path().join("rules/summary.json")).unwrap();
    assert_eq!(summary, json);
    let json: Json = serde_json::from_str(&json).unwrap();
    let lines = json["rules"].as_array().unwrap();
    let of = |name: &str| lines.iter().find(|line| line["statement"] == name).unwrap();
    let seat = of("seat 3");
    assert!(seat["moved"] == true && seat["difference"]["low"].as_f64().unwrap() > 0.0, "{seat}");
    assert_eq!(seat["agents_believe"], "the old rules");
    // The unchanged rules on other seeds are printed beside it, and move less.
    let [moved, noise] =
        ["difference", "old_against_old"].map(|key| seat[key]["estimate"].as_f64().unwrap().abs());
    assert!(noise < moved / 2.0, "{seat}");
    let places = ["place in the order 1, stage 1", "place among the bidders 1, stage 1"];
    let by = |name: &str| of(name)["difference"]["estimate"].as_f64().unwrap().abs();
    assert!(places.iter().all(|place| by(place) < moved / 3.0), "{json}");
    let count = |key: &str| lines.iter().filter(|line| line[key] == true).count();
    assert_eq!(json["moved"], count("moved"));
    assert_eq!(json["moved_by_noise"], count("moved_by_noise"));
    // Existing rows are not played again.
    assert_eq!(balance(&format!("{args} --resume")).1, summary);
}

#[test]
fn what_a_change_of_the_rules_does_to_the_course_of_a_game_is_told_with_a_model_of_its_own() {
    let args =
        "rules --study game --game pig --agent greedy --blocks 150 --set target=50 --json --quiet";
    let (code, json, error) = balance(args);
    assert_eq!((code, error.as_str()), (0, ""));
    let json: Json = serde_json::from_str(&json).unwrap();
    let lines = json["rules"].as_array().unwrap();
    let of = |name: &str| lines.iter().find(|line| line["statement"] == name).unwrap();
    let length = of("choices");
    assert!(length["study"] == "game" && length["moved"] == true, "{length}");
    assert!(length["difference"]["high"].as_f64().unwrap() < 0.0, "half the way: {length}");
    // Skill and luck are also compared.
    assert_eq!(of("share of greedy among random")["moved_by_noise"], false);
    assert!(lines.iter().any(|line| line["statement"] == "luck of dice, dealt anew alone"));
}

#[test]
fn all_studies_of_a_game_go_into_one_directory() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("all");
    let args = format!(
        "all --game pig --agent greedy --blocks 400 --quiet --json --out {}",
        out.display()
    );
    let (code, json, error) = balance(&args);
    assert_eq!((code, error.as_str()), (0, ""));
    let json: Json = serde_json::from_str(&json).unwrap();
    let mut studies: Vec<_> = json.as_object().unwrap().keys().collect();
    studies.sort_unstable();
    assert_eq!(studies, ["game", "seats"]);
    for (study, file) in [("seats", "summary.json"), ("game", "game.json")] {
        let alone = std::fs::read_to_string(out.join(study).join(file)).unwrap();
        assert_eq!(serde_json::from_str::<Json>(&alone).unwrap(), json[study]);
    }
    let (code, plan, _) = balance("all --quick --study seats --study alliances --plan --threads 2");
    assert_eq!(code, 0);
    assert!(plan.contains("seats: ") && plan.contains("alliances: "), "{plan}");
    assert!(plan.contains("2 runs, ") && plan.contains(" games in all"), "{plan}");
}

#[test]
fn wrong_requests_for_several_studies_are_refused() {
    let refused = |args: &str, words: &[&str]| {
        let (code, stdout, stderr) = balance(args);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args}: {stderr}");
        assert!(words.iter().all(|word| stderr.contains(word)), "{args}: {stderr}");
    };
    refused("rules --study seats", &["--set options.rounds=5"]);
    refused("rules --set options.ronds=5", &["ronds"]);
    refused("all --study sets", &["no such study", "alliances"]);
    refused("all --game pig --study cards", &["pig", "taken for a price"]);
    refused("rules --study game --range options.rounds=[3,4]", &["--study game", "no sign"]);
    refused("all --study game --agent mcts(seconds=1)", &["give it iterations"]);
    refused("all --name loot", &["loot", "balance cards"]);
    refused("all --format csv", &["--format csv"]);
}

#[test]
fn a_quick_look_has_fewer_blocks_than_the_whole_and_no_more_than_its_games_allow() {
    for (what, game, effect, quick) in [
        (What::Cards, "conquest2", None, 37),
        (What::Cards, "conquest2", Some(0.06), 103),
        (What::Provinces, "conquest2", None, 56),
        (What::Alliances, "conquest2", None, 120),
        (What::Seats, "conquest2", None, 300),
        (What::Seats, "pig", None, 300),
        (What::Cards, "rise", None, 37),
    ] {
        let played = Played { game: Some(game.to_owned()), players: None };
        let request = Request { played, effect, ..Request::default() };
        let blocks = |request: &Request| {
            let study =
                BalanceStudy::quick(what, request, &|_| Err(std::io::ErrorKind::NotFound.into()));
            study.unwrap().experiment().blocks
        };
        assert_eq!(blocks(&request), 1_000, "{what:?}");
        assert_eq!(blocks(&Request { quick: true, ..request }), quick, "{what:?} {effect:?}");
    }
}
