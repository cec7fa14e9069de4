//! Rankings: statements on neighbours, gauntlets, copied blocks, and unanimous results.

use std::ops::ControlFlow;

use engine::MAX_PLAYERS;
use sim::event::{Event, GameResult, Observer};
use sim::stats::bootstrap::Bootstrap;
use sim::stats::{Next, Relations, Standings};

use crate::shared::caesar;

/// Returns a two-player game with `points` for the entrant in the first seat.
fn game(index: u64, entrants: [u8; 2], points: f32) -> GameResult {
    let mut seating = [0; MAX_PLAYERS];
    seating[..2].copy_from_slice(&entrants);
    let mut by_seat = [0.0; MAX_PLAYERS];
    (by_seat[0], by_seat[1]) = (points, 1.0 - points);
    GameResult {
        index,
        block: index / 2,
        seating,
        points: by_seat,
        scores: by_seat,
        plies: 10 + (index % 7) as u32,
        ..GameResult::default()
    }
}

/// Returns standings of a pool in which each pair plays `blocks`; `won(a, b, block)` is the share of `a` against `b`
/// in a block of two games.
fn pool(names: &[&str], blocks: u64, won: impl Fn(usize, usize, u64) -> f32) -> Standings {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let mut standings = Standings::new(&names, 2, 2);
    let mut index = 0;
    for block in 0..blocks {
        for a in 0..names.len() {
            for b in a + 1..names.len() {
                let points = won(a, b, block);
                for (seats, points) in
                    [([a as u8, b as u8], points), ([b as u8, a as u8], 1.0 - points)]
                {
                    assert_eq!(
                        standings.on(&Event::GameOver(&game(index, seats, points))),
                        ControlFlow::Continue(())
                    );
                    index += 1;
                }
            }
        }
    }
    standings
}

#[test]
fn an_order_is_decided_by_the_games_that_rank_and_meetings_that_contradict_it_are_known() {
    // `top` loses to `second` two of three blocks and wins everything else; `second` wins half of its other games.
    let standings = pool(&["second", "top", "weak"], 600, |a, b, block| match (a, b) {
        (0, 1) => f32::from(u8::from(block % 3 != 0)),
        (1, 2) => 1.0,
        _ => f32::from(u8::from(block % 2 == 0)),
    });
    let table = standings.table();
    assert_eq!([&*table[0].name, &*table[1].name], ["top", "second"]);
    assert!((table[0].share - 2.0 / 3.0).abs() < 1e-9 && table[0].beats_next() == Some(true));
    let Some(Next::Met { difference, interval, meetings, p }) = table[0].next else { panic!() };
    assert!((difference - (table[0].share - table[1].share)).abs() < 1e-9, "{difference}");
    assert!(interval.low > 0.0 && interval.low < difference && p < 0.05, "{interval:?} {p}");
    assert!(meetings.high < 0.0, "who stands below is ahead when they meet: {meetings:?}");
    assert_eq!(table[2].next, None);
}

#[test]
fn blocks_that_are_copies_decide_nothing() {
    let copies = pool(&["a", "b", "c"], 20, |a, _, _| if a == 0 { 1.0 } else { 0.5 });
    // Lengths differ between games, so these are no copies.
    assert!(!copies.are_copies());
    let names = ["a", "b"].map(str::to_owned);
    let mut standings = Standings::new(&names, 2, 2);
    let play = |standings: &mut Standings, blocks: u64, plies: u32| {
        for index in 0..2 * blocks {
            let seats = if index % 2 == 0 { [0, 1] } else { [1, 0] };
            let points = if index % 2 == 0 { 1.0 } else { 0.0 };
            let game = GameResult { plies, ..game(index, seats, points) };
            let _ = standings.on(&Event::GameOver(&game));
        }
    };
    play(&mut standings, 4, 9);
    assert!(!standings.are_copies(), "four may be alike by chance");
    play(&mut standings, 56, 9);
    assert!(standings.are_copies() && standings.originals() == 1);
    let table = standings.table();
    assert_eq!((table[0].next, table[0].beats_next()), (Some(Next::Copies), None));
    assert_eq!(table[0].next_p(), None);
    // With one different block they are random draws again.
    play(&mut standings, 1, 10);
    assert!(!standings.are_copies() && standings.table()[0].beats_next() == Some(true));
}

/// Adds three agents, each pair with blocks of two games; those of `a` and `b` are copies of one block.
fn with_one_copied_pair(observer: &mut impl Observer, blocks: u64) {
    for block in 0..blocks {
        for (i, [a, b]) in [[0, 1], [0, 2], [1, 2]].into_iter().enumerate() {
            let first = 2 * (3 * block + i as u64);
            // `c` wins one block of eight; lengths differ.
            let points = if i == 0 || block % 8 != 0 { 1.0 } else { 0.0 };
            let plies = if i == 0 { 9 } else { 10 + (block % 7) as u32 };
            for (index, seats, points) in
                [(first, [a, b], points), (first + 1, [b, a], 1.0 - points)]
            {
                let game = GameResult { plies, block: index / 2, ..game(index, seats, points) };
                let _ = observer.on(&Event::GameOver(&game));
            }
        }
    }
}

#[test]
fn a_pair_whose_games_are_copies_decides_nothing_beside_pairs_that_draw_lots() {
    let names = ["a", "b", "c"].map(str::to_owned);
    let mut standings = Standings::new(&names, 2, 2);
    with_one_copied_pair(&mut standings, 60);
    assert!(!standings.are_copies() && standings.met_in_copies("b", "a"));
    assert!(!standings.met_in_copies("a", "c") && !standings.met_in_copies("a", "a"));
    assert_eq!(standings.copied_pairs(), [(["a", "b"], 60)]);
    let table = standings.table();
    assert_eq!([&*table[0].name, &*table[1].name], ["a", "b"]);
    assert_eq!(
        (table[0].next, table[0].beats_next(), table[0].next_p()),
        (Some(Next::Copies), None, None)
    );
    assert_eq!(table[1].beats_next(), Some(true), "who draws lots is told apart as ever");
    let note = caesar::report::standings::copies(&standings, &str::to_uppercase).unwrap();
    assert!(note.contains("the games of A and B (60 blocks);"), "{note}");
    // Relations also exclude the pair from all other statements.
    let mut relations = Relations::new(&names, 2, 2);
    with_one_copied_pair(&mut relations, 60);
    let pairs = relations.pairs();
    assert_eq!(
        pairs.iter().map(|pair| pair.adjusted_p.is_some()).collect::<Vec<_>>(),
        [false, true, true]
    );
    assert!(pairs[0].superiority.is_none() && pairs[1].superiority.is_some());
    // Four equal blocks may be chance.
    let mut few = Standings::new(&names, 2, 2);
    with_one_copied_pair(&mut few, 4);
    assert!(few.copied_pairs().is_empty());
}

#[test]
fn an_agent_all_of_whose_games_are_copies_has_no_interval_of_its_rating() {
    // `a` meets `b` in copies alone; `b` and `c` play random games.
    let names = ["a", "b", "c"].map(str::to_owned);
    let mut relations = Relations::new(&names, 2, 2);
    for block in 0..60_u64 {
        for (i, [a, b]) in [[0, 1], [1, 2]].into_iter().enumerate() {
            // The first seat wins the copies, so that resamples of them have no spread.
            let won = [[1.0, 1.0], [f32::from(u8::from(block % 2 == 0)), 0.5]][i];
            for (turn, seats) in [[a, b], [b, a]].into_iter().enumerate() {
                let index = 4 * block + 2 * i as u64 + turn as u64;
                let game =
                    GameResult { plies: 9, block: index / 2, ..game(index, seats, won[turn]) };
                let _ = relations.on(&Event::GameOver(&game));
            }
        }
    }
    let report = relations.report(Bootstrap { resamples: 50, seed: 1 });
    assert_eq!(report.copied, [0]);
    assert!(report.ratings.agents[0].interval.is_none());
    assert!(report.ratings.agents[1].interval.is_some());
    assert!(report.cycles.is_empty());
}

const GAUNTLET: &str = "tournament --game tic-tac-toe --threads 1 --quiet --schedule gauntlet --agent cand=mcts(iterations=30) \
                        --agent random --agent strong=mcts(iterations=300) --blocks 100";

#[test]
fn a_gauntlet_is_two_tables_and_who_never_met_is_not_compared() {
    for more in ["", " --together"] {
        let (code, text, _) = caesar(&format!("{GAUNTLET}{more}"));
        assert_eq!(code, 0);
        let first = |word: &str| text.lines().position(|line| line.starts_with(word)).unwrap();
        // The candidate has its own row, although `strong` has the larger share of its own games and is better.
        assert!(first("cand ") < first("strong ") && first("strong ") < first("random "), "{text}");
        let line = |word: &str| text.lines().nth(first(word)).unwrap();
        assert!(
            line("strong ").ends_with("better") && line("random ").ends_with("worse"),
            "{text}"
        );
        assert_eq!(text.matches("share [95 %").count(), 2, "{text}");
        assert!(text.contains("never met, so not comparable: strong before random"), "{text}");
        assert!(!text.contains("not decided"), "{text}");
    }
    let (_, csv, _) = caesar(&format!("{GAUNTLET} --format csv"));
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let columns = rows.headers().unwrap().clone();
    let rows: Vec<_> = rows.records().map(Result::unwrap).collect();
    let of =
        |row: usize, key: &str| &rows[row][columns.iter().position(|name| name == key).unwrap()];
    assert_eq!([of(0, "agent"), of(1, "agent"), of(2, "agent")], ["cand", "strong", "random"]);
    for row in 0..3 {
        assert_eq!([of(row, "beats_next"), of(row, "next_p")], ["", ""]);
    }
    assert_eq!([of(0, "met_next"), of(1, "met_next"), of(2, "met_next")], ["", "False", ""]);
}

#[test]
fn three_of_one_kind_are_not_told_apart() {
    let run = "tournament --game pig --players 3 --blocks 40 --seed 3 --quiet --agent a=random --agent b=random --agent c=random";
    let (code, text, _) = caesar(run);
    assert_eq!(code, 0);
    assert!(text.contains("no two are distinguishable: "), "{text}");
}

#[test]
fn where_all_blocks_agree_resamples_give_no_interval() {
    let run = "tournament --game tic-tac-toe --blocks 12 --threads 1 --quiet --agent a=mcts(iterations=3000) \
               --agent b=mcts(iterations=3001) --ratings";
    let (code, text, _) = caesar(run);
    assert_eq!(code, 0);
    assert!(text.contains("0.50 ["), "shares have one: {text}");
    assert!(!text.contains("[0.0, 0.0]") && !text.contains("[50.0, 50.0]"), "{text}");
    assert!(!text.contains("[0.5000, 0.5000]") && text.contains("0.0 (no interval)"), "{text}");
    assert!(text.contains("all blocks have the same finishing order"), "{text}");
}

/// Returns the first words of the green rows of a coloured table.
fn green(args: &str) -> Vec<String> {
    let (code, text, stderr) = caesar(args);
    assert_eq!(code, 0, "{stderr}");
    let rows = text.lines().filter_map(|line| line.strip_prefix("\u{1b}[1m\u{1b}[32m"));
    rows.filter_map(|row| row.split_whitespace().next().map(str::to_owned)).collect()
}

#[test]
fn green_is_who_is_better_than_the_next_and_nobody_for_standing_first() {
    let play = "tournament --game tic-tac-toe --threads 1 --quiet --color always --blocks 200";
    let strong = "--agent strong=mcts(iterations=300) --agent weak=mcts(iterations=10) --agent random --schedule round-robin";
    let equal = "--agent random --agent again=greedy(epsilon=1)";
    for more in ["", " --together"] {
        assert_eq!(green(&format!("{play} {strong}{more}")), ["strong", "weak"]);
        assert!(green(&format!("{play} {equal}{more}")).is_empty());
    }
}
