//! Experiments: branched games equal games played whole, intervals have their coverage, and planted effects are found.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;

use engine::games::conquest2::{Conquest2, State};
use engine::walk::Walk;
use engine::{Configure, Game, Rules, Treatable, Turn, Uptake};
use lab::balance::cell::{Cell, CellTreatment, Experiment, Lineup};
use lab::balance::effect_accumulator::EffectAccumulator;
use lab::balance::estimate::Estimate;
use lab::balance::rows::{Row, RowsCsv};
use lab::balance::{plan, runner};
use sim::catalogue::Setup;
use sim::export::row_file::RowFile as _;

use crate::shared::measured;

/// Returns an experiment with one agent in all seats of conquest2 for four.
fn experiment(
    agent: &str,
    seed: u64,
    blocks: u64,
    cells: &[(&str, u8, CellTreatment)],
) -> Experiment {
    experiment_of(("conquest2", 4), agent, [seed, blocks], cells)
}

/// Returns an experiment with one agent in all seats of a game.
pub(super) fn experiment_of(
    (game, players): (&str, usize),
    agent: &str,
    [seed, blocks]: [u64; 2],
    cells: &[(&str, u8, CellTreatment)],
) -> Experiment {
    let cell = |(id, stage, treatment): &(&str, u8, CellTreatment)| Cell {
        id: (*id).to_owned(),
        lineup: 0,
        stage: *stage,
        treatment: treatment.clone(),
    };
    Experiment {
        setup: Setup::new(game).for_players(players),
        players,
        agents: vec![agent.parse().unwrap()],
        lineups: vec![Lineup::of_one(0, players)],
        cells: std::iter::once(Cell::control(0)).chain(cells.iter().map(cell)).collect(),
        seed,
        blocks,
        noted: (game == "conquest2").then_some("ban.card"),
        holds: false,
        seats: false,
        order: None,
    }
}

/// Returns a treatment with the same setting for each seat in turn.
pub(super) fn seats(setting: &str) -> CellTreatment {
    CellTreatment::Seats(
        (0..4).map(|seat| vec![setting.replace("SEAT", &format!("seat{seat}"))]).collect(),
    )
}

pub(super) fn play(experiment: &Experiment, threads: usize) -> Vec<Vec<Row>> {
    let mut all = Vec::new();
    runner::play(experiment, 0..experiment.blocks, threads, &AtomicBool::new(false), &mut |rows| {
        all.push(rows.to_vec());
        ControlFlow::Continue(())
    })
    .unwrap();
    all
}

#[test]
fn rows_are_the_same_on_any_number_of_threads_and_read_back_as_they_were() {
    let cells = [("money", 2, seats("gift.s2.SEAT.talents=20"))];
    let experiment = experiment("greedy", 3, 9, &cells);
    let (one, three) = (play(&experiment, 1), play(&experiment, 3));
    assert_eq!(one, three);
    let csv = RowsCsv::new(&experiment);
    for row in one.iter().flatten() {
        assert_eq!(csv.parse(&csv.row(row)).as_ref(), Ok(row));
    }
    let numbers: Vec<u64> = one.iter().flatten().map(|row| row.game).collect();
    assert_eq!(numbers, (0..9 * 5).collect::<Vec<u64>>());
    let text = csv.row(&one[0][1]);
    assert!(csv.parse(&text.replace(",money,", ",monet,")).is_err(), "a damaged row is refused");
}

#[test]
fn the_share_of_a_rotated_gift_needs_no_control_and_a_ban_of_nothing_costs_nothing() {
    let nothing = seats("ban.always.SEAT.card.favorable-wind=true");
    let cells = [("vp", 2, seats("gift.s2.SEAT.vp=40")), ("nothing", 1, nothing)];
    let mut experiment = experiment("greedy", 5, 20, &cells);
    experiment.setup.overrides.settings.push("cards.favorable-wind.count=0".to_owned());
    let mut effects = EffectAccumulator::new(&experiment);
    for rows in play(&experiment, 2) {
        effects.add(&rows);
        let own = rows.iter().filter(|row| row.cell == 1);
        let mean = own.map(|row| f64::from(row.points[row.rotation])).sum::<f64>() / 4.0;
        let share = effects.values(1).share.last().copied().unwrap();
        assert!((share - (mean - 0.25)).abs() < 1e-6, "{share} {mean}");
    }
    assert!(effects.values(2).share.iter().all(|share| share.abs() < 1e-6));
    assert!(effects.values(2).score.iter().all(|&score| score == 0.0));
    assert!(effects.values(2).plies.iter().all(|&plies| plies == 0.0));
    let vp = Estimate::of_share(&effects.values(1).share, 4).unwrap();
    assert!(vp.is_decided() && vp.value > 0.0, "{vp:?}");
}

/// Returns a null treatment: every seat gets another one, so that the four games diverge without a cause.
fn null() -> CellTreatment {
    CellTreatment::Seats((1..=4).map(|stage| vec![format!("null.s{stage}=true")]).collect())
}

/// Returns how often the intervals of share, score and length cover zero in disjoint groups of blocks of a null
/// treatment.
pub(super) fn covers_of(
    game: (&str, usize),
    agent: &str,
    null: CellTreatment,
    [groups, size]: [usize; 2],
) -> [f64; 3] {
    let length = [17, (groups * size) as u64];
    let experiment = experiment_of(game, agent, length, &[("null", 1, null)]);
    let mut effects = EffectAccumulator::new(&experiment);
    play(&experiment, 2).iter().for_each(|rows| effects.add(rows));
    let values = effects.values(1);
    let part = |values: &[f64], of: &dyn Fn(&[f64]) -> Option<Estimate>| {
        let hits = values.chunks(size).filter(|group| {
            let estimate = of(group).unwrap();
            estimate.interval.is_none_or(|interval| interval.contains(0.0))
        });
        hits.count() as f64 / groups as f64
    };
    [
        part(&values.share, &|group| Estimate::of_share(group, game.1)),
        part(&values.score, &Estimate::of_numbers),
        part(&values.plies, &Estimate::of_numbers),
    ]
}

#[test]
fn intervals_of_nothing_cover_zero() {
    for covered in covers_of(("conquest2", 4), "random", null(), [200, 25]) {
        assert!((0.92..=0.985).contains(&covered), "{covered}");
    }
}

#[test]
#[ignore = "slow: A/A with 1,000 groups of blocks; `just balance-proofs` runs it"]
fn intervals_of_nothing_cover_zero_in_93_to_97_of_100_groups() {
    let what = ["share", "score", "length"].into_iter();
    for (what, covered) in what.zip(covers_of(("conquest2", 4), "greedy", null(), [1_000, 25])) {
        measured(
            "balance cards: effect of a treatment",
            &format!("A/A: {what} of a null treatment, groups of 25 blocks"),
            [(covered * 1_000.0).round() as u64, 1_000],
            "intervals_of_nothing_cover_zero_in_93_to_97_of_100_groups",
        );
        assert!((0.93..=0.97).contains(&covered), "{covered}");
    }
}

#[test]
fn what_the_plan_promises_to_find_is_found() {
    // The worth of the gift is measured on many blocks; then groups of the planned size must find it.
    let cells = [("vp", 4, seats("gift.s4.SEAT.vp=30"))];
    let all = |seed, blocks| {
        let experiment = experiment("random", seed, blocks, &cells);
        let mut effects = EffectAccumulator::new(&experiment);
        play(&experiment, 2).iter().for_each(|rows| effects.add(rows));
        effects.values(1).share.clone()
    };
    let effect = Estimate::of_share(&all(1, 1_500), 4).unwrap();
    assert!(effect.value > 0.05, "{effect:?}");
    let blocks = plan::blocks_for(4, effect.value);
    let groups = 60;
    let shares = all(2, groups * blocks);
    let found = shares.chunks(blocks as usize).filter(|group| {
        let estimate = Estimate::of_share(group, 4).unwrap();
        estimate.is_decided() && estimate.value > 0.0
    });
    let found = found.count() as f64 / groups as f64;
    assert!(found >= 0.7, "{found} of groups of {blocks} blocks find {effect:?}");
}

#[test]
fn who_plays_at_random_loses_20_points() {
    let mut experiment = experiment("random", 9, 15, &[]);
    experiment.agents.push("greedy".parse().unwrap());
    experiment.lineups[0] = Lineup { seats: vec![0, 1, 1, 1] };
    let rows = play(&experiment, 2);
    let of_random: Vec<f64> = rows
        .iter()
        .map(|rows| {
            rows.iter().map(|row| f64::from(row.points[row.rotation])).sum::<f64>() / 4.0 - 0.25
        })
        .collect();
    let cost = Estimate::of_share(&of_random, 4).unwrap();
    assert!(cost.value <= -0.2, "{cost:?}");
}

/// A gift of twice the points in the last stage is worth twice as much, on other seeds: the fast sibling of the test
/// below, with games of a quarter of the length and an amount that matters to random players.
#[test]
fn twice_the_points_are_worth_twice_the_points_on_other_seeds() {
    let share = |seed, amount: i64| {
        let gift = seats(&format!("gift.s4.SEAT.vp={amount}"));
        let experiment = experiment("random", seed, 1_500, &[("points", 4, gift)]);
        let mut effects = EffectAccumulator::new(&experiment);
        play(&experiment, 2).iter().for_each(|rows| effects.add(rows));
        Estimate::of_numbers(&effects.values(1).share).unwrap()
    };
    let (one, two) = (share(101, 15), share(202, 30));
    let priced = 15.0 * two.value / one.value;
    assert!(one.is_decided() && (22.0..=38.0).contains(&priced), "{priced} {one:?} {two:?}");
}

/// λ comes from some seeds, the worth of 20 talents from others.
#[test]
#[ignore = "slow: 12,000 games; `just balance-proofs` runs it"]
fn twenty_talents_are_worth_twenty_talents_on_seeds_that_did_not_fit_the_worth_of_one() {
    let cells = |amounts: &[i64]| -> Vec<(&str, u8, CellTreatment)> {
        let one = |amount: &i64| ("money", 2, seats(&format!("gift.s2.SEAT.talents={amount}")));
        amounts.iter().map(one).collect()
    };
    let share = |seed, amount: i64, blocks| {
        let experiment = experiment("greedy", seed, blocks, &cells(&[amount]));
        let mut effects = EffectAccumulator::new(&experiment);
        play(&experiment, 2).iter().for_each(|rows| effects.add(rows));
        Estimate::of_numbers(&effects.values(1).share).unwrap().value
    };
    let lambda = share(101, 20, 6_000) / 20.0;
    let price = share(202, 20, 6_000) / lambda;
    assert!((15.0..=25.0).contains(&price), "{price}");
}

/// The fast sibling of the test below: a province that pays as much as all others together.
#[test]
fn a_province_that_pays_much_more_draws_more_influence() {
    let raised = CellTreatment::All(vec!["province.egypt.vp=[100,50]".to_owned()]);
    let mut experiment = experiment("greedy", 21, 40, &[("raised", 1, raised)]);
    experiment.noted = None;
    experiment.holds = true;
    let mut effects = EffectAccumulator::new(&experiment);
    play(&experiment, 2).iter().for_each(|rows| effects.add(rows));
    let tokens = |cell: usize| effects.held(cell).get("egypt").unwrap().tokens.clone();
    let more: Vec<f64> = tokens(1).iter().zip(tokens(0)).map(|(a, b)| a - b).collect();
    let more = Estimate::of_numbers(&more).unwrap();
    assert!(more.value > 0.0 && more.p.unwrap() < 0.01, "{more:?}");
}

#[test]
#[ignore = "slow: 3,000 games; `just balance-proofs` runs it"]
fn a_province_that_pays_more_draws_more_influence() {
    let raised = CellTreatment::All(vec!["province.egypt.vp=[20,5]".to_owned()]);
    let mut experiment = experiment("greedy", 21, 1_500, &[("raised", 1, raised)]);
    experiment.noted = None;
    experiment.holds = true;
    let mut effects = EffectAccumulator::new(&experiment);
    play(&experiment, 2).iter().for_each(|rows| effects.add(rows));
    let tokens = |cell: usize| effects.held(cell).get("egypt").unwrap().tokens.clone();
    let more: Vec<f64> = tokens(1).iter().zip(tokens(0)).map(|(a, b)| a - b).collect();
    let more = Estimate::of_numbers(&more).unwrap();
    assert!(more.value > 0.0 && more.p.unwrap() < 0.01, "{more:?}");
}

/// In random games, every taken thing was open, and every open thing can be taken.
#[test]
fn deeds_are_open_before_they_are_done() {
    let game = Conquest2::configure(4, &Rules::of::<Conquest2>()).unwrap();
    let deeds_of = |state: &State, player, action| {
        let mut uptake = Vec::new();
        game.uptake(state, player, action, &mut uptake);
        uptake
    };
    let options = |state: &State, player| {
        let mut actions = Vec::new();
        game.actions(state, player, &mut actions);
        actions
    };
    let is_card = |offer: &Uptake<'_>| offer.ban == "ban.card";
    let (mut seen, mut stages) = (0, BTreeSet::new());
    let mut walk = Walk::new(&game, 5, 0);
    loop {
        let state = *walk.state();
        stages.insert(game.stage(&state));
        if let Turn::Player(player) = game.turn(&state) {
            let mut open = Vec::new();
            game.available_uptakes(&state, player, &mut open);
            let mut done: BTreeSet<Uptake<'_>> = BTreeSet::new();
            for action in options(&state, player) {
                let uptake = deeds_of(&state, player, action);
                assert!(uptake.iter().all(|offer| open.contains(offer)), "{uptake:?} {open:?}");
                let takes = uptake.iter().any(|offer| offer.name == "take");
                done.extend(uptake.iter().copied());
                let mut next = state;
                game.apply(&mut next, action);
                if takes && !uptake.iter().any(is_card) {
                    // The next choice is the card.
                    let cards = options(&next, player).into_iter();
                    done.extend(cards.flat_map(|card| deeds_of(&next, player, card)));
                }
            }
            assert_eq!(done, open.iter().copied().collect());
            seen += open.len();
        }
        if walk.next().is_none() {
            break;
        }
    }
    assert!(seen > 500, "{seen}");
    assert!(stages.into_iter().eq(1..=5), "the game is over after the fourth stage");
}

// --- the command ---

fn caesar(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_caesar")).args(args).output().unwrap()
}

fn fresh(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::remove_dir_all(&dir).unwrap_or_default();
    dir
}

const SMALL: [&str; 16] = [
    "balance",
    "cards",
    "--agent",
    "random",
    "--agent",
    "greedy(preset=2026-11-22)",
    "--name",
    "loot",
    "--name",
    "politician",
    "--stage",
    "3",
    "--blocks",
    "24",
    "--effect",
    "0.2",
];

fn small(more: &[&str]) -> Output {
    caesar(&[&SMALL[..], &["--quiet"], more].concat())
}

#[test]
fn a_run_that_was_cut_goes_on_and_shards_join_to_the_same_bytes() {
    let (whole, cut) = (fresh("balance-whole"), fresh("balance-cut"));
    let at = |dir: &Path| dir.display().to_string();
    let done = small(&["--out", &at(&whole)]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let read = |dir: &Path, file: &str| fs::read_to_string(dir.join(file)).unwrap();
    let rows = read(&whole, "cells.csv");

    fs::create_dir_all(&cut).unwrap();
    fs::write(cut.join("manifest.json"), read(&whole, "manifest.json")).unwrap();
    fs::write(cut.join("cells.csv"), &rows[..rows.len() * 3 / 5]).unwrap();
    let refused = small(&["--out", &at(&cut)]);
    assert_eq!(refused.status.code(), Some(2));
    let other = small(&["--out", &at(&cut), "--resume", "--seed", "2"]);
    assert!(String::from_utf8_lossy(&other.stderr).contains("seed: 1 there, 2 here"));
    let resumed = small(&["--out", &at(&cut), "--resume", "--threads", "1"]);
    assert_eq!(resumed.stdout, done.stdout);

    let (one, two, joined) = (fresh("balance-1"), fresh("balance-2"), fresh("balance-joined"));
    assert!(small(&["--out", &at(&one), "--shard", "1/2"]).status.success());
    assert!(small(&["--out", &at(&two), "--shard", "2/2"]).status.success());
    let merged = caesar(&["merge", &at(&two), &at(&one), "--out", &at(&joined)]);
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    for dir in [&cut, &joined] {
        for file in ["manifest.json", "cells.csv", "summary.json", "cards.csv"] {
            assert_eq!(read(dir, file), read(&whole, file), "{file}");
        }
    }
    let summary: serde_json::Value = serde_json::from_str(&read(&whole, "summary.json")).unwrap();
    let card = &summary["cards"][0];
    for key in ["value", "ban", "fair_price", "pick_rate", "association"] {
        assert!(card[key].get("estimate").is_some(), "{key}: {card}");
    }
    assert_eq!(card["value"]["n"], 24);
}

#[test]
fn wrong_input_is_refused_in_a_line_or_two_before_anything_is_played() {
    for (more, expected) in [
        (&["--name", "lood"][..], "nearest: loot"),
        (&["--stage", "5"], "--stage 5: the game has stages 1 to 4"),
        (&["--blocks", "5"], "--blocks 5: too few for any statement (at least 20)"),
        (&["--blocks", "25", "--effect", "0.01"], "blocks or a larger effect"),
        (&["--game", "circus"], "games that do: conquest2"),
        (&["--agent", "gredy"], "greedy"),
    ] {
        for study in ["cards", "provinces"] {
            if study == "provinces" && more.contains(&"lood") {
                continue;
            }
            let refused = caesar(&[&["balance", study][..], more].concat());
            let text = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert_eq!(refused.status.code(), Some(2), "{text}");
            assert!(text.contains(expected) && text.lines().count() <= 3, "{text}");
        }
    }
}

#[test]
fn provinces_tell_tokens_cities_and_who_gains() {
    let args = [
        "balance",
        "provinces",
        "--agent",
        "greedy",
        "--name",
        "egypt",
        "--stage",
        "4",
        "--blocks",
        "20",
        "--effect",
        "0.2",
        "--sweep",
        "--json",
        "--quiet",
    ];
    let done = caesar(&args);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let json: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let egypt = &json["provinces"][0];
    for key in ["token", "vp_per_talent", "contest", "swing", "tokens", "fights"] {
        assert_eq!(egypt[key]["n"], 20, "{key}: {egypt}");
    }
    assert!(egypt["fights"]["estimate"].as_f64().unwrap() > 0.0, "{egypt}");
    let swept = json["sweeps"].as_array().unwrap();
    assert!(
        !swept.is_empty() && swept.iter().all(|one| one["gains"].as_array().unwrap().len() == 2)
    );
    // Every gain is a loss of the other seats.
    let sum = |one: &serde_json::Value| -> f64 {
        let gains = one["gains"].as_array().unwrap().iter();
        gains.map(|gain| gain["gain"]["estimate"].as_f64().unwrap()).sum()
    };
    assert!(swept.iter().all(|one| sum(one).abs() < 1e-6), "{swept:?}");
}
