//! Tests of budgets and parameters of searches: limits hold, and impossible requests are refused with a remedy.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Instant;

use agents::mcts::Config;
use agents::{AgentSpec, Playable, RootVisits, SearchReport, SearchedOption};
use engine::games::circus::Circus;
use engine::games::conquest2::Conquest2;
use engine::games::pig::Pig;
use engine::games::tic_tac_toe::TicTacToe;
use engine::rng::{Purpose, stream};
use engine::{Configure, Game, Player, Rules, Turn, View, Walk};

/// Returns the options of a decision of conquest2 with macro-actions, in order, from a search with this rule of visits.
fn visited(visits: RootVisits, settings: &str) -> Vec<SearchedOption> {
    let game: Conquest2 = plain();
    let state = agents::observable::search_position(&game, 1);
    let Turn::Player(mover) = game.turn(&state) else {
        panic!("a typical decision is one player's")
    };
    let spec: AgentSpec = format!("mcts(iterations=205, {settings})").parse().unwrap();
    let mut agent = spec.build(&game).unwrap();
    assert!(agent.visit_root(visits));
    agent.start(&game, mover);
    agent.choose(View::new(&game, &state, mover), &mut stream(1, 0, Purpose::Agent(0)));
    let mut options = agent.report(&game).unwrap().options;
    options.sort_by_key(|option| option.number);
    options
}

#[test]
fn a_search_visits_the_options_that_it_is_told_to() {
    for settings in ["trees=1", "trees=3", "final_move=halving", "node_key=open-loop"] {
        let equal = visited(RootVisits::Equal, settings);
        let [least, most] = [
            equal.iter().map(|option| option.visits).min().unwrap(),
            equal.iter().map(|option| option.visits).max().unwrap(),
        ];
        // The counts differ by at most one per tree.
        assert!(least > 0 && most - least <= 3, "{settings}: {least} to {most}");
        assert!(equal.iter().enumerate().all(|(i, option)| usize::from(option.number) == i));
        let pair = visited(RootVisits::Pair([1, 3]), settings);
        let by_number: Vec<u64> = pair.iter().map(|option| option.visits).collect();
        assert_eq!(by_number[1] + by_number[3], 205, "{settings}");
        assert!(by_number[1].abs_diff(by_number[3]) <= 3, "{settings}: {by_number:?}");
        let preferred = visited(RootVisits::Preferred, settings);
        assert_eq!(preferred.iter().filter(|option| option.is_chosen).count(), 1, "{settings}");
    }
    // Without doubt a search does not visit all options.
    assert!(visited(RootVisits::Preferred, "doubt=0").iter().any(|option| option.visits == 0));
}

/// Returns the report of the first decision after `events` random events.
fn search<G: Playable>(game: &G, spec: &str, events: usize) -> SearchReport {
    search_by(game, &spec.parse().unwrap(), events)
}

fn search_by<G: Playable>(game: &G, spec: &AgentSpec, events: usize) -> SearchReport {
    let mut walk = Walk::new(game, 1, 0);
    walk.by_ref().take(events).count();
    let mover = loop {
        match game.turn(walk.state()) {
            Turn::Player(mover) => break mover,
            Turn::Simultaneous(movers) => break movers.iter().next().unwrap(),
            _ => assert!(walk.next().is_some(), "the game is over"),
        }
    };
    let mut agent = spec.build(game).unwrap();
    agent.start(game, mover);
    let mut rng = stream(1, 0, Purpose::Agent(0));
    let action = agent.choose(View::new(game, walk.state(), mover), &mut rng);
    assert!(game.is_legal(walk.state(), mover, action, &mut Vec::new()), "{spec}: {action:?}");
    agent.report(game).unwrap()
}

fn plain<G: Configure>() -> G {
    G::configure(*G::about().players.start(), &Rules::of::<G>()).unwrap()
}

#[test]
fn the_line_of_open_nodes_is_possible_in_its_world() {
    let game: Circus = plain();
    for events in 0..120 {
        let report = search(&game, "mcts(iterations=300, node_key=open-loop)", events);
        assert!(!report.line.is_empty(), "after {events} events");
    }
}

macro_rules! every_game {
    ($($name:literal => $game:ty),* $(,)?) => {
        #[test]
        fn one_iteration_is_enough_to_play_any_game() {
            $(
                for settings in ["", ", trees=256", ", final_move=halving", ", node_key=open-loop"] {
                    let spec = format!("mcts(iterations=1{settings})");
                    assert_eq!(search(&plain::<$game>(), &spec, 0).iterations, 1, "{} {spec}", $name);
                }
            )*
        }

        #[test]
        fn all_iterations_are_done_however_many_trees_share_them() {
            $(
                for trees in [1, 3, 7] {
                    let spec = format!("mcts(iterations=100, trees={trees}, solver=off)");
                    assert_eq!(search(&plain::<$game>(), &spec, 0).iterations, 100, "{} {spec}", $name);
                }
            )*
        }

        #[test]
        fn at_its_limit_of_nodes_a_search_goes_on_without_new_ones() {
            $(
                for settings in [
                    "child_links=on",
                    "child_links=off, node_key=open-loop",
                    "trees=3",
                    "final_move=halving",
                    "origin=start",
                    "together=exp3",
                ] {
                    check_limit(&plain::<$game>(), settings, 0);
                }
            )*
        }
    };
}
engine::catalogue!(every_game);

/// Checks a search with few nodes after `events`: it keeps the limit, completes all iterations and is reproducible.
/// Without need the limit has no effect.
fn check_limit<G: Playable>(game: &G, settings: &str, events: usize) {
    const NODES: usize = 60;
    let report = |iterations: u32, nodes: usize| {
        let spec = format!("mcts(iterations={iterations}, solver=off, nodes={nodes}, {settings})");
        (search(game, &spec, events), spec)
    };
    let ((one, spec), (two, _)) = (report(600, NODES), report(600, NODES));
    assert_eq!((&one, one.iterations), (&two, 600), "{} {spec}", G::about().name);
    assert!(one.nodes <= NODES && one.bytes < NODES * 10_000, "{spec}: {one:?}");
    let (all, _) = report(600, 30_000_000);
    assert!(!all.is_limited && all.nodes >= one.nodes, "{spec}: {all:?}");
    assert_eq!(one.is_limited, all.nodes > one.nodes, "{spec}: {} nodes", all.nodes);
    assert!(one.is_limited || one == all, "{spec}: {one:?} {all:?}");
}

#[test]
fn whole_actions_and_battles_have_a_limit_of_nodes_too() {
    for events in [60, 90] {
        check_limit(&Conquest2::new(4), "reuse=on", events);
        check_limit(&Conquest2::new(4), "node_key=open-loop", events);
    }
}

#[test]
fn a_limit_of_nodes_holds_from_decision_to_decision() {
    let game = Conquest2::new(3);
    let mut agent =
        "mcts(iterations=300, nodes=400)".parse::<AgentSpec>().unwrap().build(&game).unwrap();
    let (mut walk, mut n_limited) = (Walk::new(&game, 1, 0), 0);
    let mut rng = stream(1, 0, Purpose::Agent(0));
    agent.start(&game, Player::new(0));
    for _ in 0..150 {
        if game.turn(walk.state()) == Turn::Player(Player::new(0)) {
            agent.choose(View::new(&game, walk.state(), Player::new(0)), &mut rng);
            let Some(report) = agent.report(&game) else { continue };
            assert!(report.nodes <= 400, "{} nodes", report.nodes);
            n_limited += u64::from(report.is_limited);
        }
        walk.next();
    }
    let tally = agent.tally();
    assert!(tally.limited > 0 && tally.limited >= n_limited, "{tally:?}");
}

#[test]
fn a_search_by_time_takes_that_time_and_help_says_that_it_cannot_be_repeated() {
    let start = Instant::now();
    let report = search(&plain::<Pig>(), "mcts(iterations=1, seconds=0.1)", 0);
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds >= 0.1, "{seconds} s");
    assert!(report.iterations > 100, "{} iterations in {seconds} s", report.iterations);
    let param = Config::param("seconds").unwrap();
    assert!(param.meaning.contains("no two runs are alike") && param.unit == "s", "{param:?}");
}

fn refused(spec: &str) -> String {
    spec.parse::<AgentSpec>().unwrap_err().to_string()
}

#[test]
fn bad_parameters_are_refused_with_what_would_be_accepted() {
    for (spec, remedy) in [
        ("mcts(iteratons=5)", "unknown parameter \"iteratons\" (nearest: iterations)"),
        ("mtcs", "unknown kind \"mtcs\" (nearest: mcts)"),
        ("mcts(c=-1)", "c = \"-1\" is out of range (accepted: auto, 0 to 100)"),
        (
            "mcts(select=ucb)",
            "select = \"ucb\" is none of these (nearest: ucb1; accepted: auto, ucb1,",
        ),
        (
            "mcts(iterations=0)",
            "iterations = \"0\" is out of range (accepted: whole, 1 to 100000000)",
        ),
        ("mcts(iterations=1e3)", "(accepted: whole, 1 to 100000000)"),
        ("mcts(trees=257)", "(accepted: whole, 1 to 256)"),
        ("mcts(nodes=15)", "(accepted: whole, 16 to 30000000)"),
        ("mcts(nodes=4000000000)", "(accepted: whole, 16 to 30000000)"),
        ("mcts(solver=yes)", "(accepted: on, off)"),
        ("mcts(prune=0.6)", "(accepted: auto, 0 to 0.5)"),
        ("mcts(seconds=-1)", "(accepted: 0 to 3600)"),
        ("mcts(worlds=3)", "unknown parameter \"worlds\""),
        ("flat(select=ucb1)", "unknown parameter \"select\""),
        ("pimc(worlds=0)", "(accepted: whole, 1 to 256)"),
    ] {
        let complaint = refused(spec);
        assert!(complaint.contains(remedy), "{complaint}");
    }
}

#[test]
fn what_a_game_cannot_do_is_refused_with_what_it_can() {
    let refused = |spec: &str| {
        let built = spec.parse::<AgentSpec>().unwrap().build(&TicTacToe);
        built.err().unwrap().to_string()
    };
    for (spec, remedy) in [
        (
            "mcts(horizon=round)",
            "horizon = \"round\" needs an evaluation, and the game has none (full)",
        ),
        ("mcts(rollout=heuristic)", "the game has none (accepted: uniform, mast)"),
        ("one-ply(rollout=epsilon)", "the game has none (accepted: uniform, mast)"),
        ("mcts(persona=raider)", "tic-tac-toe has no parameter \"persona\" ("),
    ] {
        let complaint = refused(spec);
        assert!(complaint.contains(remedy), "{complaint}");
    }
    for spec in ["mcts(horizon=round, rollout=heuristic, iterations=10)", "mcts(iterations=10)"] {
        search(&Conquest2::new(3), spec, 5);
    }
}

#[test]
fn a_search_takes_its_value_function_from_a_file() {
    let given = |text: &str| {
        let mut spec: AgentSpec = "mcts(value=v.toml, iterations=50)".parse().unwrap();
        spec.supply("value", text.to_owned());
        spec
    };
    let usual = include_str!("../../data/conquest2/value-4.toml");
    let game = Conquest2::new(4);
    let decide = |spec: &AgentSpec| format!("{:?}", search_by(&game, spec, 60).options);
    let plain = decide(&"mcts(iterations=50, net=off)".parse().unwrap());
    assert_eq!(decide(&given(usual)), plain);
    assert_ne!(decide(&given(&usual.replace("money = ", "money = -"))), plain);

    let refused = |text: &str| given(text).build(&game).err().unwrap().to_string();
    assert!(refused("").ends_with("[left-1-round-1] is missing"), "{}", refused(""));
    let elsewhere = given(usual).build(&TicTacToe).err().unwrap().to_string();
    assert!(elsewhere.contains("tic-tac-toe has no parameter \"value\""), "{elsewhere}");
}

/// Returns reports of the decisions after ever more random events, with or without macro-actions.
fn decisions(spec: &str, with_macros: bool) -> impl Iterator<Item = SearchReport> {
    let reports = (0..120).step_by(3).map(move |events| search(&Conquest2::new(4), spec, events));
    reports.filter(move |report| report.left_macros.is_some() == with_macros)
}

#[test]
fn the_first_iteration_follows_the_prior() {
    for with_macros in [true, false] {
        let mut n = 0;
        for report in decisions("mcts(iterations=1)", with_macros) {
            let best = report.options.iter().map(|option| option.prior).fold(0.0, f64::max);
            assert!(report.options[0].prior >= best, "{report:?}");
            n += 1;
        }
        assert!(n >= 5, "{n} decisions");
    }
}

#[test]
fn single_plies_get_their_share_once_it_is_a_whole_visit() {
    let visits = |spec: &str| -> Vec<u64> {
        let of_plies = |report: &SearchReport| {
            report
                .options
                .iter()
                .filter(|option| !option.is_macro)
                .map(|option| option.visits)
                .sum()
        };
        decisions(spec, true).map(|report| of_plies(&report)).collect()
    };
    assert!(visits("mcts(iterations=10, plies=0.1)").iter().all(|&n| n == 0));
    // The number is a minimum: a good single ply gets more.
    assert!(visits("mcts(iterations=40, plies=0.1)").iter().all(|&n| n >= 3));
    assert!(visits("mcts(iterations=40, plies=0)").iter().all(|&n| n == 0));
}

#[test]
fn decisions_without_macro_actions_can_have_a_share_of_the_iterations() {
    for (share, iterations) in [("0", 1), ("0.25", 10), ("3", 120)] {
        let spec = format!("mcts(iterations=40, ply_budget={share})");
        assert!(decisions(&spec, true).all(|report| report.iterations == 40));
        let mut without = decisions(&spec, false).peekable();
        assert!(without.peek().is_some());
        assert!(without.all(|report| report.iterations == iterations), "{share}");
    }
}
