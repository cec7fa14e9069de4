//! A/A studies with synthetic results and treatments without effect: the error rates for provinces and streams of
//! chance, and the coverage of intervals.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use csv::StringRecord;
use engine::{Purpose, Randomness, Stream as Random, rng};
use lab::balance::alliances::Alliances;
use lab::balance::effect_accumulator::EffectAccumulator;
use lab::balance::provinces::Provinces;
use lab::balance::request::What;
use lab::dynamics::rows::Written as _;
use lab::dynamics::streams::{Block, Stream, shares};

use super::balance_seats::{block, validated_for, weight_of, with_price};
use crate::shared::measured;

/// Screens control the rate of false discoveries, which is the fraction of studies with a finding if there is nothing
/// to find.
#[test]
fn provinces_that_are_worth_nothing_are_candidates_in_10_and_confirmed_in_5_of_100_studies() {
    const STUDIES: u64 = 200;
    const BLOCKS: u64 = 60;
    let test =
        "provinces_that_are_worth_nothing_are_candidates_in_10_and_confirmed_in_5_of_100_studies";
    let study = Provinces::new(validated_for(What::Provinces, 2, Vec::new())).unwrap();
    let [mut screened, mut confirmed, mut held, mut reported] = [0; 4];
    let mut rng = rng::stream(211, 0, Purpose::Analysis);
    let mut play = |experiment: &_| {
        let mut effects = EffectAccumulator::new(experiment);
        (0..BLOCKS).for_each(|_| effects.add(&block(experiment, &mut rng, "", &|_| 1.0)));
        effects
    };
    for _ in 0..STUDIES {
        let effects = play(&study.experiment);
        for line in study.lines(&effects) {
            reported += 1;
            held += u64::from(line.token.interval.unwrap().contains(0.0));
        }
        let Some(again) = study.confirmation(&effects).unwrap() else { continue };
        screened += 1;
        let fresh = play(&again);
        let lines = study.confirmed(&again, &fresh, &effects);
        confirmed += u64::from(lines.iter().any(|line| line.adjusted_p < 0.05));
    }
    let row = "balance provinces";
    measured(row, "A/A: a token is worth 0, each line", [held, reported], test);
    measured(row, "A/A: studies without a candidate (10 %)", [STUDIES - screened, STUDIES], test);
    measured(row, "A/A: studies without a confirmed finding", [STUDIES - confirmed, STUDIES], test);
    let most = |nominal: f64| nominal + 3.0 * (nominal * (1.0 - nominal) / STUDIES as f64).sqrt();
    let part = |n: u64, of: u64| n as f64 / of as f64;
    assert!(part(screened, STUDIES) <= most(0.1), "{screened} of {STUDIES} screens");
    assert!(part(confirmed, STUDIES) <= most(0.05), "{confirmed} of {STUDIES} confirmations");
    assert!(part(held, reported) >= 0.94, "{held} of {reported}");
}

/// Returns a deal of a two-player game that is won if `u + v > 1` for uniform numbers of two streams; decks have no
/// effect.
fn deal(rng: &mut Random) -> Block {
    let [own, other] = [0, 1].map(|_| [rng.unit(), rng.unit()]);
    let points = |[u, v]: [f64; 2]| if u + v > 1.0 { "1/0" } else { "0/1" };
    let ([u, v], [u_new, v_new]) = (own, other);
    // Each stream drawn anew, and all others: set-up and decks have no effect, dice and agents decide.
    let anew = [own, other, own, other, [u_new, v], [u, v_new], [u, v_new], [u_new, v]];
    let fields = std::iter::once(points(own)).chain(anew.map(points)).chain(["0/1/1"]);
    Block::read(&StringRecord::from(fields.collect::<Vec<_>>())).unwrap()
}

#[test]
fn a_stream_that_decides_nothing_is_told_so_and_one_that_does_is_held() {
    const RUNS: u64 = 1_000;
    const DEALS: u64 = 200;
    let test = "a_stream_that_decides_nothing_is_told_so_and_one_that_does_is_held";
    let [mut silent, mut alone, mut total] = [0; 3];
    for run in 0..RUNS {
        let mut rng = rng::stream(223, run, Purpose::Analysis);
        let deals: Vec<Block> = (0..DEALS).map(|_| deal(&mut rng)).collect();
        let [_, decks, dice, _] = &shares(&deals).unwrap()[..] else { panic!("four streams") };
        let holds = |interval: Option<sim::stats::Interval>, truth: f64| {
            u64::from(interval.is_some_and(|interval| interval.contains(truth)))
        };
        let Stream { is_used, alone: of_decks, .. } = decks;
        assert!(*is_used && decks.total.estimate == 0.0);
        silent += holds(of_decks.interval, 0.0);
        // A stream alone has a third, and the other leaves two thirds open: the variance of u is 1/12, of the result
        // 1/4.
        alone += holds(dice.alone.interval, 1.0 / 3.0);
        total += holds(dice.total.interval, 2.0 / 3.0);
    }
    let row = "balance game: dynamics";
    let reported = [
        ("A/A: luck of a stream that decides nothing, alone", silent),
        ("planted: luck of a stream alone", alone),
        ("planted: luck of a stream once all others are known", total),
    ];
    for (what, held) in reported {
        measured(row, what, [held, RUNS], test);
        let part = held as f64 / RUNS as f64;
        assert!((0.93..=0.97).contains(&part), "{what}: {part}");
    }
}

/// Each figure of the alliances of games in which nothing matters holds 0, and a bonus of the first place is held by two.
#[test]
fn alliances_that_are_worth_nothing_hold_zero_and_a_bonus_of_the_first_place_is_held() {
    const STUDIES: u64 = 150;
    let test = "alliances_that_are_worth_nothing_hold_zero_and_a_bonus_of_the_first_place_is_held";
    let study = Alliances::new(validated_for(What::Alliances, 2, Vec::new())).unwrap();
    let first = weight_of(0.35);
    let (mut held, mut reported) = ([0; 2], [0; 2]);
    for seed in 0..STUDIES {
        let null = with_price(&study, 30, [213 + seed, 200], &|_| 1.0);
        let line = &study.lines(&null)[0];
        for figure in
            [line.gain, line.money, line.net, line.with_leader, line.with_last, line.first]
        {
            let Some(interval) = figure.and_then(|figure| figure.interval) else { continue };
            reported[0] += 1;
            held[0] += u64::from(interval.contains(0.0));
        }
        let planted = with_price(&study, 30, [1_213 + seed, 200], &|at| {
            if at.cell.starts_with("order") && at.place() == 0 { first } else { 1.0 }
        });
        let line = &study.lines(&planted)[0];
        for (figure, truth) in [(line.gain, 0.1), (line.first, 0.1 + 0.1 / 3.0)] {
            reported[1] += 1;
            held[1] += u64::from(figure.unwrap().interval.unwrap().contains(truth));
        }
    }
    let row = "balance alliances";
    measured(row, "A/A: every figure holds 0", [held[0], reported[0]], test);
    measured(row, "planted: a bonus of the first place is held", [held[1], reported[1]], test);
    for (held, reported) in held.into_iter().zip(reported) {
        let part = held as f64 / reported as f64;
        assert!(reported > STUDIES && (0.92..=0.98).contains(&part), "{held} of {reported}");
    }
}
