//! The table of every printed interval in `docs/validation.md`: the interval, the test that measured it, and its
//! coverage.
//!
//! Tests report figures by `shared::measured`. `just coverage-every` runs them and collects the lines in
//! `sim/caesar/tests/golden/coverage.txt`, from which the table is made.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use sim::stats::{NORMAL_95, wilson};

use crate::shared::measured;

/// A printed interval.
struct Row {
    /// The command and the column, as named in figures.
    name: &'static str,
    /// The files below `sim/caesar/src` that declare its column.
    files: &'static [&'static str],
    /// The test that measures it, or the nearest one.
    test: &'static str,
}

const fn row(name: &'static str, files: &'static [&'static str], test: &'static str) -> Row {
    Row { name, files, test }
}

const STANDINGS: &[&str] = &["report/standings.rs", "report/format/mod.rs", "report/table.rs"];
const RELATIONS: &[&str] = &["report/relations.rs"];
const DYNAMICS: &[&str] = &["report/dynamics.rs"];
const MODEL: &[&str] = &["report/win_model.rs"];
const SEARCHES: &[&str] = &["cli/diagnose.rs", "report/leaves.rs"];

/// Every printed interval of every command.
const ROWS: &[Row] = &[
    row("tournament: share", STANDINGS, "the_coverage_table_of_the_statistics_page"),
    row(
        "tournament --together: share",
        STANDINGS,
        "of_equal_agents_no_more_than_5_of_100_tables_say_anything_false",
    ),
    row(
        "tournament: mean score, mean rank",
        STANDINGS,
        "students_intervals_of_skewed_scores_hold_the_mean",
    ),
    row("tournament: next", STANDINGS, "a_planted_difference_is_found_among_all_pairs"),
    row(
        "tournament --together: by-seat, outcomes",
        RELATIONS,
        "of_equal_agents_no_more_than_5_of_100_tables_say_anything_false",
    ),
    row(
        "tournament --together: head-to-head",
        RELATIONS,
        "of_equal_agents_no_more_than_5_of_100_tables_say_anything_false",
    ),
    row(
        "tournament --ratings: rating",
        RELATIONS,
        "intervals_of_ratings_and_seats_hold_the_truth_in_95_of_100_tournaments",
    ),
    row(
        "tournament --ratings: seat",
        RELATIONS,
        "intervals_of_ratings_and_seats_hold_the_truth_in_95_of_100_tournaments",
    ),
    row(
        "tournament --ratings --together: rating",
        RELATIONS,
        "ratings_of_equal_agents_hold_together",
    ),
    row(
        "tournament --ratings: Elo of two",
        RELATIONS,
        "elo_differences_hold_the_truth_in_95_of_100_tournaments_and_a_planted_one_is_found",
    ),
    row(
        "tournament --ratings: soft Condorcet",
        RELATIONS,
        "intervals_of_soft_condorcet_ratings_hold_the_truth_in_many_tournaments",
    ),
    row(
        "tournament --ratings: cyclic share",
        RELATIONS,
        "noise_is_called_a_cycle_in_5_of_100_tournaments_and_a_planted_one_is_found",
    ),
    row(
        "tournament --adaptive: pairs",
        RELATIONS,
        "no_look_at_any_pair_misses_more_often_than_promised_in_full",
    ),
    row(
        "tournament --luck: share less luck",
        &["report/luck.rs"],
        "shares_less_luck_hold_the_truth_whatever_the_dice_weigh",
    ),
    row(
        "compare: effect",
        &["report/comparison.rs"],
        "intervals_of_stopped_tests_hold_the_effect_and_agree_with_the_verdict_in_full",
    ),
    row(
        "compare: sequence",
        &["report/comparison.rs"],
        "confidence_sequences_hold_the_truth_at_every_moment_in_full",
    ),
    row(
        "compare --fixed: effect",
        &["report/comparison.rs"],
        "tests_of_fixed_length_on_agents_err_in_five_of_a_hundred_and_find_what_is_there",
    ),
    row(
        "compare: relative efficiency",
        &["report/comparison.rs"],
        "intervals_of_relative_efficiencies_hold_the_truth_in_95_of_100_comparisons",
    ),
    row(
        "compare without --metric: B less A",
        &["report/panel.rs"],
        "intervals_of_a_panel_hold_all_effects_together",
    ),
    row("ladder: share, Elo", &["report/ladder.rs"], "ladders_hold_a_planted_scale_in_full"),
    row(
        "leaks: share of games",
        &[],
        "whoever_cannot_see_is_accused_as_rarely_as_promised_even_if_he_remembers_or_drifts",
    ),
    row("diagnose: losses and gains", SEARCHES, "intervals_of_rare_large_losses_cover"),
    row(
        "diagnose --leaves: slope, correlation",
        SEARCHES,
        "a_planted_slope_and_correlation_are_found_and_covered",
    ),
    row(
        "balance cards: effect of a treatment",
        &["report/balance/cards.rs", "report/balance/strong.rs"],
        "intervals_of_nothing_cover_zero_in_93_to_97_of_100_groups",
    ),
    row(
        "balance cards: fair price",
        &["report/balance/cards.rs"],
        "twenty_talents_are_worth_twenty_talents_on_seeds_that_did_not_fit_the_worth_of_one",
    ),
    row(
        "balance provinces",
        &["report/balance/provinces.rs"],
        "provinces_that_are_worth_nothing_are_candidates_in_10_and_confirmed_in_5_of_100_studies",
    ),
    row(
        "balance alliances",
        &["report/balance/alliances.rs"],
        "alliances_that_are_worth_nothing_hold_zero_and_a_bonus_of_the_first_place_is_held",
    ),
    row("balance seats", &["report/balance/seats.rs"], "intervals_of_seats_hold_together"),
    row(
        "balance rules",
        &[
            "report/balance/mod.rs",
            "report/balance/rules.rs",
            "report/balance/joint.rs",
            "cli/diff.rs",
        ],
        "intervals_of_seats_hold_together",
    ),
    row(
        "balance game --explain: slopes",
        DYNAMICS,
        "slopes_are_covered_and_nothing_is_explained_by_nothing",
    ),
    row("balance game: dynamics", DYNAMICS, "intervals_hold_the_truth_in_93_to_97_of_100"),
    row("balance win-model", MODEL, "intervals_hold_the_truth_in_93_to_97_of_100"),
    row("tune: gain of the confirmation", &["report/tune.rs"], "reports_hold_the_truth"),
    row(
        "strategies: weights, gains",
        &["report/strategies.rs"],
        "where_nothing_matters_nothing_is_accepted",
    ),
    row(
        "strategies: two rule sets",
        &["report/strategies_change.rs"],
        "an_idle_change_changes_nothing",
    ),
    row(
        "strategies: archive",
        &["report/archive.rs"],
        "an_archive_finds_nothing_where_nothing_matters",
    ),
    row("tune: effects, interactions", &["report/tune.rs"], "reports_hold_the_truth"),
    row(
        "fit: gain on held-out games",
        &["report/fit.rs", "report/learnt.rs"],
        "a_mean_is_that_of_student",
    ),
    row(
        "fit weights: fitted",
        &["report/fit.rs"],
        "intervals_of_real_fits_hold_the_mean_over_seeds",
    ),
    row("fit value: fitted", &["report/fit.rs"], "intervals_of_real_fits_hold_the_mean_over_seeds"),
    row(
        "fit priors: fitted",
        &["report/fit.rs"],
        "intervals_of_real_fits_hold_the_mean_over_seeds",
    ),
    row(
        "odds --check: played",
        &["cli/odds.rs"],
        "odds_are_those_of_a_million_battles_played_with_dice",
    ),
];

const START: &str = "<!-- just coverage-every -->\n";
const END: &str = "<!-- end of every interval -->";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Reports the fractions of `n` intervals of ratings and seats of a world that covered the truth.
pub(crate) fn ratings(world: &str, parts: [f64; 2], n: [u64; 2]) {
    let test = "intervals_of_ratings_and_seats_hold_the_truth_in_95_of_100_tournaments";
    for (what, (part, n)) in ["rating", "seat"].into_iter().zip(parts.into_iter().zip(n)) {
        let held = (part * n as f64).round() as u64;
        measured(
            &format!("tournament --ratings: {what}"),
            &format!("planted: {world}"),
            [held, n],
            test,
        );
    }
}

/// Reports in how many of 2,000 tournaments the interval of a difference of `truth` covered it, and was above 0.
pub(crate) fn elo(truth: f64, [held, found]: [u64; 2]) {
    let test = "elo_differences_hold_the_truth_in_95_of_100_tournaments_and_a_planted_one_is_found";
    let row = "tournament --ratings: Elo of two";
    measured(row, &format!("{truth} Elo: the truth is held"), [held, 2_000], test);
    measured(row, &format!("{truth} Elo: told from 0"), [found, 2_000], test);
}

/// Reports in how many of `n` studies of game dynamics the interval of each figure covered it.
pub(crate) fn watched(held: [u64; 4], n: u64) {
    let [model, dynamics] = ["balance win-model", "balance game: dynamics"];
    let rows = [
        (model, "planted: quadratic variation of a martingale"),
        (model, "planted: Brier skill of a martingale"),
        (dynamics, "planted: a mean of what comes in clusters"),
        (dynamics, "planted: a share of what comes in clusters"),
    ];
    for ((row, what), held) in rows.into_iter().zip(held) {
        measured(row, what, [held, n], "intervals_hold_the_truth_in_93_to_97_of_100");
    }
}

/// Reports how many intervals of soft Condorcet ratings of a world covered the truth.
pub(crate) fn soft_condorcet(world: &str, part: f64, n: u64) {
    let test =
        "intervals_of_soft_condorcet_ratings_hold_the_truth_and_order_nobody_the_wrong_way_round";
    measured(
        "tournament --ratings: soft Condorcet",
        &format!("planted: {world}"),
        [(part * n as f64).round() as u64, n],
        test,
    );
}

/// Reports in how many of 400 tournaments noise was not called a cycle, and the size of a planted one was covered.
pub(crate) fn cyclic([silent, held]: [u32; 2]) {
    let test = "noise_is_called_a_cycle_in_5_of_100_tournaments_and_a_planted_one_is_found";
    let row = "tournament --ratings: cyclic share";
    measured(row, "A/A: noise is no cycle", [silent.into(), 400], test);
    measured(row, "planted: rock, paper, scissors: the part is held", [held.into(), 400], test);
}

/// The lines reported by tests: by row and quantity, the number covered, the number of intervals, and the test.
type Figures = BTreeMap<(String, String), (u64, u64, String)>;

fn figures(text: &str) -> Figures {
    let line = |line: &str| {
        let mut cells = line.split(" | ").map(str::to_owned);
        let mut next = || cells.next().unwrap();
        let key = (next(), next());
        (key, (next().parse().unwrap(), next().parse().unwrap(), next()))
    };
    // The name of the test may precede its line.
    text.lines()
        .filter_map(|text| text.split_once("measured | "))
        .map(|(_, found)| line(found))
        .collect()
}

fn table(figures: &Figures) -> String {
    let mut text = "| interval | measured | held or found | part [95 %] | test |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for row in ROWS {
        let mut own = figures.iter().filter(|((name, _), _)| name == row.name).peekable();
        if own.peek().is_none() {
            writeln!(
                text,
                "| {} | its recipe has not been run by this table | | | `{}` |",
                row.name, row.test
            )
            .unwrap();
        }
        for ((name, what), (held, n, test)) in own {
            let part = *held as f64 / *n as f64;
            let interval = wilson(part, *n as f64, NORMAL_95);
            let (low, high) = (interval.low, interval.high);
            writeln!(
                text,
                "| {name} | {what} | {held} of {n} | {part:.3} [{low:.3}, {high:.3}] | `{test}` |"
            )
            .unwrap();
        }
    }
    text
}

#[test]
fn the_statistics_page_has_a_row_for_every_printed_interval() {
    let (kept, page) =
        (root().join("sim/caesar/tests/golden/coverage.txt"), root().join("docs/validation.md"));
    let mut all = figures(&fs::read_to_string(&kept).unwrap());
    let (is_update, path) = (std::env::var_os("UPDATE_GOLDEN"), std::env::var_os("COVERAGE"));
    if let Some(path) = path {
        all.extend(figures(&fs::read_to_string(root().join(path)).unwrap()));
        let line = |((name, what), (held, n, test)): (&(String, String), &(u64, u64, String))| {
            format!("measured | {name} | {what} | {held} | {n} | {test}\n")
        };
        fs::write(&kept, all.iter().map(line).collect::<String>()).unwrap();
    }
    let unknown = all.keys().filter(|(name, _)| ROWS.iter().all(|row| row.name != name));
    assert_eq!(unknown.count(), 0, "a figure of an interval that no row is of: {all:?}");
    let text = fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(START).expect("the page has the place of the table");
    let (seen, after) = rest.split_once(END).expect("the table has an end");
    let expected = table(&all);
    if is_update.is_some() {
        fs::write(&page, format!("{before}{START}{expected}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(seen, expected, "UPDATE_GOLDEN=1 writes the table");
}

fn sources(under: &Path, out: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(under).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|end| end == "rs") {
            out.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The test compares files and not columns: it misses a new column in a table that already has a row.
#[test]
fn every_file_that_declares_an_interval_has_a_row_and_every_row_a_test_that_is_there() {
    let mut code = Vec::new();
    sources(&root().join("sim/caesar/src"), &mut code);
    let declares = |text: &str| text.contains("Content::Estimate(") && text.contains("Column::");
    for (path, _) in code.iter().filter(|(_, text)| declares(text)) {
        let is_format =
            ["format/csv.rs", "report/digits.rs"].iter().any(|file| path.ends_with(file));
        let is_named = ROWS.iter().any(|row| row.files.iter().any(|file| path.ends_with(file)));
        assert!(is_format || is_named, "{path}: its intervals have no row in coverage_every.rs");
    }
    for folder in [
        "sim/play/src",
        "sim/play/tests",
        "sim/lab/src",
        "sim/lab/tests",
        "sim/caesar/tests",
        "stats/src",
        "stats/tests",
        "agents/tests",
    ] {
        sources(&root().join(folder), &mut code);
    }
    for row in ROWS {
        let name = format!("fn {}()", row.test);
        assert!(code.iter().any(|(_, text)| text.contains(&name)), "{}: no {name}", row.name);
        for file in row.files {
            assert!(root().join("sim/caesar/src").join(file).is_file(), "{}: no {file}", row.name);
        }
    }
}
