//! Searches for better agents: their results if the best is known, their claims, their files after a kill, and the
//! command `tune` for people and scripts.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod command;
mod effects;
mod planted;
mod proofs;
mod rules;
mod shards;
mod targets;

use std::sync::atomic::AtomicBool;

use lab::tune::confirm::Verdict;
use lab::tune::evaluator::{Evaluator, Halt};
use lab::tune::gain::Gain;
use lab::tune::journal::{LogCsv, Memory, Row};
use lab::tune::methods::{Kind, Racing, Terms};
use lab::tune::objective::Objective;
use lab::tune::pools::{Evidence, Looks, Pool, Train};
use lab::tune::run::{Budget, How, Outcome, Search};
use lab::tune::space::{Beyond, Dimension, Point, Range, Space};
use sim::Error;
use sim::export::row_file::RowFile as _;
use sim::runner::start_threads;

use self::planted::{Planted, Shape, ellipsoid};

/// Returns a search of `game` with `games` games for searching and choosing, two for each block.
fn search(game: &Planted, how: How, games: u64, seed: u64) -> Search {
    let blocks = games / 2;
    let runs = if let How::By(kind) = how { kind.usual_runs() } else { 1 };
    let budget = Budget::of(how, runs, blocks, blocks / 4);
    Search { aim: None, space: game.space.clone(), how, runs, seed, budget, held_out: 0 }
}

fn run_with(search: &Search, game: &dyn Objective, memory: &mut Memory) -> Result<Outcome, Halt> {
    let (stop, mut look) = (AtomicBool::new(false), |_, _: &dyn Fn() -> String| {});
    let mut evaluator = Evaluator::new(game, memory, &stop, None, &mut look);
    search.run(&mut evaluator, &mut Looks::default())
}

fn run(search: &Search, game: &dyn Objective) -> Outcome {
    run_with(search, game, &mut Memory::default()).unwrap()
}

#[test]
fn what_was_planted_is_found_with_five_thousand_games() {
    for shape in [Shape::Smooth, Shape::Ridge, Shape::Integers, Shape::Choices] {
        let regret = |address: u64| {
            let game = Planted::draw(shape, 4, 100 + address);
            let outcome = run(&search(&game, How::By(Kind::Surface), 5_000, address), &game);
            let start = game.regret(&outcome.start);
            (game.regret(outcome.candidate().unwrap()), start)
        };
        let regrets: Vec<(f64, f64)> = (0..6).map(regret).collect();
        let near = regrets.iter().filter(|(regret, _)| *regret <= 0.02).count();
        assert!(near >= 4, "{shape:?}: {regrets:?}");
        assert!(regrets.iter().all(|(found, start)| found < start), "{shape:?}: {regrets:?}");
    }
}

#[test]
fn a_landscape_without_a_top_has_no_winner() {
    let winner = |address: u64| {
        let game = Planted::draw(Shape::Flat, 3, address);
        let how = How::By(Kind::ALL[address as usize % Kind::ALL.len()]);
        let outcome = run(&search(&game, how, 1_000, address), &game);
        let is_kept = outcome.winner() == &outcome.start;
        assert_eq!(is_kept, outcome.verdict() != Verdict::Better);
        !is_kept
    };
    let winners = (0..120).filter(|&address| winner(address)).count();
    // At most 2.5 % are expected: 3 of 120, and 9 are three standard errors more.
    assert!(winners <= 9, "{winners}");
}

fn cube(dimensions: usize) -> Space {
    let one = |i: usize| Dimension {
        name: format!("x{i}"),
        range: Range::Number { low: 0.0, high: 1.0, is_log: false },
        start: "0.1".to_owned(),
        prior: None,
        beyond: Beyond::default(),
    };
    Space::new((0..dimensions).map(one).collect()).unwrap()
}

/// Returns the best point of a method alone with `blocks` blocks.
fn found(kind: Kind, space: &Space, blocks: u64, value: impl Fn(&Point, u64) -> f64) -> Point {
    let mut method = kind.begin(Terms { space: space.clone(), aim: None, blocks, seed: 5, run: 0 });
    let mut pool = Pool::<Train>::of(5);
    let mut cost = 0;
    while let Some(batch) = method.ask() {
        cost += batch.cost();
        let blocks = pool.fresh(batch.blocks);
        let came = |point: &Point| {
            Evidence::new(
                blocks.clone(),
                blocks.range().clone().map(|b| value(point, b)).collect::<Vec<_>>(),
            )
        };
        let evidence: Vec<_> = batch.points.iter().map(came).collect();
        method.tell(&batch, &evidence);
    }
    assert!(cost <= blocks && 10 * cost >= 8 * blocks, "{}: {cost} of {blocks}", kind.name());
    method.finalists()[0].clone()
}

#[test]
fn methods_find_the_bottom_of_a_bowl_without_noise() {
    let space = cube(4);
    let start = ellipsoid(space.start().places());
    for kind in Kind::ALL {
        let value =
            ellipsoid(found(kind, &space, 4_000, |point, _| ellipsoid(point.places())).places());
        // The remaining fraction of the loss at the start: almost nothing for methods that follow slopes or shapes.
        let part = match kind {
            Kind::CmaEs => 1e-3,
            Kind::Surface => 1e-2,
            Kind::Spsa => 0.2,
            Kind::Ntbea | Kind::Halving | Kind::Random => 0.3,
        };
        assert!(value > part * start, "{}: {value} of {start}", kind.name());
    }
}

#[test]
fn rows_that_are_there_are_told_and_not_played_again() {
    let game = Planted::draw(Shape::Choices, 3, 9);
    for how in [How::By(Kind::Surface), How::By(Kind::Ntbea), How::By(Kind::CmaEs)] {
        let search = search(&game, how, 1_200, 3);
        let mut whole = Memory::default();
        let outcome = run_with(&search, &game, &mut whole).unwrap();
        let rows = whole.rows().to_vec();
        for kept in [0, 1, rows.len() / 2, rows.len() - 1, rows.len()] {
            let mut again = Memory::of(rows[..kept].to_vec());
            let other = run_with(&search, &game, &mut again).unwrap();
            assert_eq!(again.rows(), rows, "{how:?}: {kept}");
            assert_eq!(other.winner(), outcome.winner());
        }
        // Rows of another search are refused.
        let other = Search { seed: 4, ..search };
        let refused = run_with(&other, &game, &mut Memory::of(rows)).unwrap_err();
        assert!(
            matches!(refused, Halt::Failed(Error::Usage(text)) if text.contains("is not of this search"))
        );
    }
}

#[test]
fn threads_change_no_row() {
    let game = Planted::draw(Shape::Smooth, 3, 2);
    let search = search(&game, How::By(Kind::Halving), 1_500, 8);
    let rows = |threads: Option<usize>| -> Vec<Row> {
        let pool = threads.map(|threads| start_threads(threads).unwrap());
        let (stop, mut look, mut memory) =
            (AtomicBool::new(false), |_, _: &dyn Fn() -> String| {}, Memory::default());
        let mut evaluator = Evaluator::new(&game, &mut memory, &stop, pool.as_ref(), &mut look);
        search.run(&mut evaluator, &mut Looks::default()).unwrap();
        memory.rows().to_vec()
    };
    let alone = rows(None);
    assert!(alone == rows(Some(1)) && alone == rows(Some(3)));
    let log = LogCsv::new(&game.space, false);
    assert!(alone.iter().all(|row| log.parse(&log.row(row)).unwrap() == *row));
}

#[test]
fn a_race_leaves_behind_who_is_behind_and_spends_the_rest_on_the_others() {
    let words = Range::Words(["a", "b", "c", "d"].map(str::to_owned).to_vec());
    let one = Dimension {
        name: "agent".to_owned(),
        range: words,
        start: "a".to_owned(),
        prior: None,
        beyond: Beyond::default(),
    };
    let space = Space::new(vec![one]).unwrap();
    let points: Vec<Point> = [0.1, 0.4, 0.6, 0.9].iter().map(|&place| space.at(&[place])).collect();
    let mut method: Box<dyn lab::tune::methods::Method> =
        Box::new(Racing::new(points.clone(), 4_000));
    let mut pool = Pool::<Train>::of(1);
    let mut played = [0; 4];
    let mut rng = engine::rng::stream(3, 0, engine::Purpose::Analysis);
    while let Some(batch) = method.ask() {
        let blocks = pool.fresh(batch.blocks);
        let mut evidence = Vec::new();
        for point in &batch.points {
            let at = points.iter().position(|known| known == point).unwrap();
            played[at] += batch.blocks;
            let worth = [0.0, 0.2, 0.01, 0.18][at];
            let noise = |_| worth + 0.3 * lab::tune::space::normal(&mut rng);
            evidence.push(Evidence::new(
                blocks.clone(),
                blocks.range().clone().map(noise).collect::<Vec<_>>(),
            ));
        }
        method.tell(&batch, &evidence);
    }
    assert!(played[1] > 4 * played[0] && played[3] > 4 * played[2], "{played:?}");
    assert!(method.finalists().contains(&points[1]));
}

/// Returns the true gain, and true if the interval of the report covers it.
fn reported(address: u64) -> Option<(f64, bool)> {
    let game = Planted::draw(Shape::Smooth, 2, address);
    let how = How::By(if address.is_multiple_of(2) { Kind::Random } else { Kind::Surface });
    let outcome = run(&search(&game, how, 1_000, address), &game);
    let truth = game.share(outcome.candidate()?) - game.share(&outcome.start);
    let report = Gain::Share.interval(&outcome.confirmation.as_ref()?.gain);
    Some((truth, report.contains(truth)))
}

#[test]
fn the_gain_that_is_true_lies_in_the_interval_of_the_report() {
    let found: Vec<(f64, bool)> = (0..200).filter_map(reported).collect();
    let covered = found.iter().filter(|(_, is_in)| *is_in).count();
    // Three standard errors of 95 % of 200 are 4.6 %.
    assert!(
        found.len() > 150 && covered * 1_000 >= found.len() * 904,
        "{covered} of {}",
        found.len()
    );
}
