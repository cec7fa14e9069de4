//! Nets beside value functions: files that are read and refused, inputs that know no more than a search, and searches that
//! take them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Debug;

use agents::assemble::evaluation;
use agents::leaks::{Decision, decide, determinizations};
use agents::net::learning::{Learner, Method, Part};
use agents::net::{Entry, InputGroup, Inputs, Layout, Net, Provenance, inputs_of, is_net};
use agents::{AgentSpec, Playable, Settings, Weighted};
use engine::games::classic::Classic;
use engine::games::conquest2::{Conquest2, State};
use engine::games::hannibal::Hannibal;
use engine::games::imperium::Imperium;
use engine::games::rise::Rise;
use engine::rng::{Purpose, stream};
use engine::{Game, Notation, Player, Turn, Walk};

const GAME: &str = "conquest2";

pub(crate) fn layout<G: Weighted>(game: &G) -> Layout {
    game.net_inputs(&Settings::default()).unwrap().unwrap().layout()
}

/// The layouts of all games that declare inputs.
pub(crate) fn layouts() -> [(&'static str, Layout); 5] {
    [
        ("conquest2", layout(&Conquest2::new(4))),
        ("classic", layout(&Classic::new(4))),
        ("rise", layout(&Rise::new(4))),
        ("hannibal", layout(&Hannibal::default())),
        ("imperium", layout(&Imperium::new(4))),
    ]
}

fn made() -> Provenance {
    Provenance {
        command: "caesar fit net".to_owned(),
        source: "100 games of \"nobody\"".to_owned(),
        rules: "0123".to_owned(),
        seed: 1,
        games: 100,
        positions: 2_000,
        loss: 0.25,
        linear_loss: 0.26,
    }
}

const METHOD: Method = Method { passes: 1, batch: 1, rate: 0.0, decay: 0.0, seed: 2 };

/// A net with weights of a learner that has learnt nothing.
fn net(layout: &Layout) -> Net {
    let mut weights = Learner::of_values(layout, METHOD, None).weights().clone();
    weights.part_mut(Part::Last).iter_mut().for_each(|x| *x *= 10.0);
    Net::of(&weights, layout)
}

#[test]
fn a_file_that_is_written_is_read_and_others_are_refused_by_name() {
    let game = Conquest2::new(4);
    let (layout, net) = (layout(&game), net(&layout(&game)));
    let text = net.to_text(GAME, 4, &layout, &made());
    assert!(is_net(&text) && text.len() < 500_000, "{}", text.len());
    assert_eq!(Net::parse(&text, GAME, 4, &layout).unwrap(), net);
    let refused = |text: &str, game: &str, n: usize, why: &str| {
        let complaint = Net::parse(text, game, n, &layout).unwrap_err();
        assert!(complaint.starts_with(why), "{complaint}");
    };
    refused(
        &text,
        "classic",
        4,
        "game = \"conquest2\": it is for conquest2, and classic is played",
    );
    refused(&text, GAME, 3, "players = 4: it is for a table of 4, and 3 play: name another");
    let later = text.replacen("caesar-net/1", "caesar-net/2", 1);
    refused(
        &later,
        GAME,
        4,
        "format = \"caesar-net/2\": it is none of this version (caesar-net/1)",
    );
    let inputs = layout.fingerprint();
    let other = text.replacen(&inputs, "0123456789abcdef", 1);
    refused(&other, GAME, 4, "inputs = \"0123456789abcdef\": it was made for other inputs");
    refused(&text[..text.len() / 2], GAME, 4, "not TOML, or cut: ");
    let changed = text.replacen("positions = 2000", "positions = 2001", 1);
    refused(&changed, GAME, 4, "checksum: the file was cut, damaged or changed");
    let weights = text.find("weights = ").unwrap();
    let letter = text[weights + 400..].find(['A', 'B']).unwrap() + weights + 400;
    let damaged = format!("{}C{}", &text[..letter], &text[letter + 1..]);
    refused(&damaged, GAME, 4, "checksum: ");
    let without = text.replacen("seed = 1\n", "", 1).replacen("players = 4\n", "", 1);
    refused(&without, GAME, 4, "players is missing or no whole number");
}

/// The nets of the package, with the number of players of their table.
const CONQUEST2_NETS: [(usize, &str); 5] = [
    (2, include_str!("../../data/conquest2/net-2.toml")),
    (3, include_str!("../../data/conquest2/net-3.toml")),
    (4, include_str!("../../data/conquest2/net-4.toml")),
    (5, include_str!("../../data/conquest2/net-5.toml")),
    (6, include_str!("../../data/conquest2/net-6.toml")),
];
const RISE_NETS: [(usize, &str); 1] = [(4, include_str!("../../data/rise/net-4.toml"))];
const CLASSIC_NETS: [(usize, &str); 1] = [(4, include_str!("../../data/classic/net-4.toml"))];
const HANNIBAL_NETS: [(usize, &str); 1] = [(2, include_str!("../../data/hannibal/net-2.toml"))];
const IMPERIUM_NETS: [(usize, &str); 4] = [
    (2, include_str!("../../data/imperium/net-2.toml")),
    (3, include_str!("../../data/imperium/net-3.toml")),
    (4, include_str!("../../data/imperium/net-4.toml")),
    (5, include_str!("../../data/imperium/net-5.toml")),
];

/// Returns the player who chooses, or the first of several.
fn chooser<G: Game>(game: &G, state: &G::State) -> Option<Player> {
    match game.turn(state) {
        Turn::Player(player) => Some(player),
        Turn::Simultaneous(players) => players.iter().next(),
        Turn::Chance | Turn::Over => None,
    }
}

fn says_something<G: Playable + Notation>(game: &G, text: &str, n_events: usize) {
    let n = game.n_players();
    let counted = game.net_inputs(&Settings::default()).unwrap().unwrap();
    let net = Net::parse(text, G::about().name, n, &counted.layout()).unwrap();
    let mut inputs = Inputs::default();
    let mut walk = Walk::new(game, 24, 0);
    walk.by_ref().take(n_events).for_each(drop);
    assert!(counted.count(game, walk.state(), &mut inputs));
    let logits = net.logits(&inputs).0;
    assert!(logits[..n].iter().all(|logit| logit.is_finite() && logit.abs() < 20.0), "{logits:?}");
    assert!(logits[..n].windows(2).any(|pair| (pair[0] - pair[1]).abs() > 0.0), "{logits:?}");
}

#[test]
fn the_nets_that_are_shipped_are_of_this_version_and_say_something() {
    CONQUEST2_NETS.iter().for_each(|&(n, text)| says_something(&Conquest2::new(n), text, 150));
    CLASSIC_NETS.iter().for_each(|&(n, text)| says_something(&Classic::new(n), text, 150));
    RISE_NETS.iter().for_each(|&(n, text)| says_something(&Rise::new(n), text, 150));
    HANNIBAL_NETS.iter().for_each(|&(_, text)| says_something(&Hannibal::default(), text, 9));
    IMPERIUM_NETS.iter().for_each(|&(n, text)| says_something(&Imperium::new(n), text, 5));
}

#[test]
fn a_value_function_is_no_net() {
    assert!(!is_net(include_str!("../../data/conquest2/value-4.toml")));
    assert!(!is_net(""));
    assert!(!is_net("[phase]\nformat = \"caesar-net/1\"\n"));
}

#[test]
fn a_search_with_a_net_decides_the_same_in_all_worlds_that_its_player_cannot_tell_apart() {
    let game = Conquest2::new(4);
    let layout = layout(&game);
    let mut spec: AgentSpec = "mcts(iterations=20, value=some.net)".parse().unwrap();
    spec.supply("value", net(&layout).to_text(GAME, 4, &layout, &made()));
    let (mut agent, mut plain) = (
        spec.build(&game).unwrap(),
        "mcts(iterations=20)".parse::<AgentSpec>().unwrap().build(&game).unwrap(),
    );
    let (mut decided, mut differs, mut rng) = (0, 0, stream(4, 0, Purpose::Analysis));
    for index in 0..12 {
        let mut walk = Walk::new(&game, 22, index);
        let mut events = 0;
        while walk.next().is_some() {
            events += 1;
            let state = *walk.state();
            let Turn::Player(player) = game.turn(&state) else { continue };
            if events % 5 != 0 {
                continue;
            }
            let others = determinizations(&game, &state, player, 2, &mut rng);
            if others.is_empty() {
                continue;
            }
            let decision = |agent: &mut dyn agents::Agent<Conquest2>, state: &State| {
                decide(agent, &game, state, player, &mut stream(1, 0, Purpose::Agent(0))).unwrap()
            };
            let here = decision(&mut *agent, &state);
            for world in others {
                assert_eq!(decision(&mut *agent, &world), here);
                decided += 1;
            }
            differs += usize::from(decision(&mut *plain, &state) != here);
        }
    }
    assert!(decided > 10 && differs > 5, "{decided} {differs}");
}

/// Checks that two searches choose alike, by the same visits, and that their values differ by rounding alone.
fn is_nearly_the_same<A: PartialEq + Debug>(here: &Decision<A>, there: &Decision<A>) {
    assert_eq!(here.action, there.action);
    let options = |decision: &Decision<A>| decision.report.as_ref().unwrap().options.clone();
    for (a, b) in options(here).iter().zip(options(there)) {
        assert_eq!(a.visits, b.visits, "{}", a.text);
        let differences = a.values.iter().zip(&b.values).map(|(a, b)| (a - b).abs());
        assert!(differences.fold(0.0, f64::max) < 1e-6, "{a:?} {b:?}");
    }
}

/// Without weights behind the linear value a net says what the linear value says; with some, searches decide otherwise.
/// The inputs of all positions fit into the layout, each at most once. Beside an evaluation, which is divided by its
/// scale first, what a net says is `is_exact` but for rounding.
fn takes_a_net<G: Playable + Weighted>(game: &G, step: u64, is_exact: bool) {
    let (name, n, layout) = (G::about().name, game.n_players(), layout(game));
    let mut zero = Learner::of_values(&layout, METHOD, None).weights().clone();
    zero.part_mut(Part::Last).fill(0.0);
    let with = |net: &Net| {
        let mut spec: AgentSpec = "mcts(iterations=12, value=some.net)".parse().unwrap();
        spec.supply("value", net.to_text(name, n, &layout, &made()));
        spec.build(game).unwrap()
    };
    let plain = "mcts(iterations=12, net=off)".parse::<AgentSpec>().unwrap().build(game).unwrap();
    let mut agents = [plain, with(&Net::of(&zero, &layout)), with(&net(&layout))];
    let counted = game.net_inputs(&Settings::default()).unwrap().unwrap();
    let is_good = |entries: &[Entry], groups: &[InputGroup]| {
        let mut numbers: Vec<u16> = entries.iter().map(|entry| entry.input).collect();
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len() == all && numbers.last().is_none_or(|&i| usize::from(i) < inputs_of(groups))
    };
    let (mut inputs, mut decided, mut differs) = (Inputs::default(), 0, 0);
    for index in 0..3 * 9 / step {
        let mut walk = Walk::new(game, 26, index);
        for event in 0..1_500 {
            if walk.next().is_none() {
                break;
            }
            let state = *walk.state();
            if !counted.count(game, &state, &mut inputs) {
                continue;
            }
            assert!(is_good(&inputs.table, layout.table), "{name} {event}");
            let seats = &inputs.seats[..n];
            assert!(seats.iter().all(|seat| is_good(&seat.own, layout.seat)), "{name} {event}");
            let Some(player) = chooser(game, &state).filter(|_| event % step == 0) else {
                continue;
            };
            let [plain, zero, some] = agents.each_mut().map(|agent| {
                let mut rng = stream(event, 0, Purpose::Agent(0));
                decide(&mut **agent, game, &state, player, &mut rng).unwrap()
            });
            match is_exact {
                true => assert_eq!(plain, zero),
                false => is_nearly_the_same(&plain, &zero),
            }
            decided += 1;
            differs += usize::from(plain != some);
        }
    }
    assert!(decided > 40 && differs > 4, "{name}: {decided} {differs}");
}

#[test]
fn searches_of_every_game_with_inputs_take_a_net_and_one_of_zeros_changes_nothing() {
    takes_a_net(&Rise::new(3), 9, true);
    takes_a_net(&Classic::new(3), 9, true);
    takes_a_net(&Conquest2::new(3), 9, true);
    takes_a_net(&Hannibal::default(), 3, false);
    takes_a_net(&Imperium::new(3), 1, false);
}

#[test]
fn a_file_of_another_table_is_refused_by_the_agent_that_names_it() {
    let four = Conquest2::new(4);
    let layout = layout(&four);
    let mut spec: AgentSpec = "mcts(value=some.net)".parse().unwrap();
    spec.supply("value", net(&layout).to_text(GAME, 4, &layout, &made()));
    let Err(complaint) = spec.build(&Conquest2::new(3)) else { panic!("it is for four") };
    assert!(complaint.to_string().contains("players = 4: it is for a table of 4"), "{complaint}");
}

/// `net=on` decides as the agent that names the file of the package's net.
fn is_taken_by_a_word<G: Playable + Notation>(game: &G, text: &str) {
    let own: AgentSpec = "mcts(iterations=20, net=on)".parse().unwrap();
    let mut named: AgentSpec = "mcts(iterations=20, value=some.net)".parse().unwrap();
    named.supply("value", text.to_owned());
    let mut agents = [&own, &named].map(|spec| spec.build(game).unwrap());
    let mut decided = 0;
    for index in 0..10 {
        let mut walk = Walk::new(game, 23, index);
        while walk.next().is_some() && decided < 30 {
            let state = *walk.state();
            let Some(player) = chooser(game, &state) else { continue };
            let [here, there] = agents.each_mut().map(|agent| {
                let mut rng = stream(decided, 0, Purpose::Agent(0));
                decide(&mut **agent, game, &state, player, &mut rng).unwrap()
            });
            assert_eq!(here, there);
            decided += 1;
        }
    }
    assert_eq!(decided, 30);
}

#[test]
fn the_net_of_the_package_is_taken_by_a_word_at_its_table_alone() {
    CONQUEST2_NETS.iter().for_each(|&(n, text)| is_taken_by_a_word(&Conquest2::new(n), text));
    CLASSIC_NETS.iter().for_each(|&(n, text)| is_taken_by_a_word(&Classic::new(n), text));
    RISE_NETS.iter().for_each(|&(n, text)| is_taken_by_a_word(&Rise::new(n), text));
    HANNIBAL_NETS.iter().for_each(|&(_, text)| is_taken_by_a_word(&Hannibal::default(), text));
    IMPERIUM_NETS.iter().for_each(|&(n, text)| is_taken_by_a_word(&Imperium::new(n), text));
    let refused = |spec: &AgentSpec, players: usize| match spec.build(&Classic::new(players)) {
        Ok(_) => panic!("{spec} for {players}"),
        Err(complaint) => complaint.to_string(),
    };
    let own: AgentSpec = "mcts(iterations=20, net=on)".parse().unwrap();
    assert!(refused(&own, 3).contains("the package has a net for tables of 4, and 3 play"));
    let mut both: AgentSpec = "mcts(net=on, value=some.net)".parse().unwrap();
    both.supply("value", CLASSIC_NETS[0].1.to_owned());
    assert!(refused(&both, 4).contains("leave one of them out"));
}

/// A search takes the net of its table unless it is told otherwise; presets are older than the nets.
fn is_taken_by_default<G: Playable>(game: &G, net: &str) {
    let table = game.value_table(&Settings::default()).unwrap().unwrap();
    let all: Vec<_> = (0..table.phases().len()).map(|phase| table.at(phase)).collect();
    let linear = &table.write(&[], &all);
    let reads = |words: &str, value: &str| {
        let mut spec: AgentSpec = words.parse().unwrap();
        spec.supply("value", value.to_owned());
        game.net(spec.settings()).unwrap()
    };
    let own = reads("mcts(net=on)", "").unwrap();
    assert_eq!(reads("mcts", "").as_ref(), Some(&own));
    assert_eq!(reads("mcts(net=auto)", "").as_ref(), Some(&own));
    assert_eq!(reads("mcts(value=some.net)", net).as_ref(), Some(&own));
    assert_eq!(reads("mcts(net=on, value=some.toml)", linear).as_ref(), Some(&own));
    assert_eq!(reads("mcts(net=off)", ""), None);
    assert_eq!(reads("mcts(preset=2026-11-22)", ""), None);
    // It corrects the package's value function, and not another.
    assert_eq!(reads("mcts(value=some.toml)", linear), None);
}

#[test]
fn searches_take_the_net_of_their_table_unless_they_are_told_otherwise() {
    is_taken_by_default(&Classic::new(4), CLASSIC_NETS[0].1);
    is_taken_by_default(&Rise::new(4), RISE_NETS[0].1);
    is_taken_by_default(&Conquest2::new(4), CONQUEST2_NETS[2].1);
    is_taken_by_default(&Hannibal::default(), HANNIBAL_NETS[0].1);
    is_taken_by_default(&Imperium::new(5), IMPERIUM_NETS[3].1);
    assert_eq!(Classic::new(3).net(&Settings::default()).unwrap(), None);
    assert_eq!(Rise::new(3).net(&Settings::default()).unwrap(), None);
}

/// Weights are fitted to what the evaluation says, and not to what a net has learnt beside it.
fn is_fitted_without_a_net<G: Playable>(game: &G) {
    let of = |spec: &str| {
        let spec: AgentSpec = spec.parse().unwrap();
        evaluation(game, spec.settings()).unwrap().unwrap()
    };
    let (mut by_default, mut off) = (of("greedy"), of("mcts(net=off)"));
    let mut walk = Walk::new(game, 29, 0);
    let mut compared = 0;
    while walk.next().is_some() && compared < 100 {
        let state = *walk.state();
        if game.turn(&state) != Turn::Over {
            assert_eq!(by_default.values(game, &state), off.values(game, &state));
            compared += 1;
        }
    }
    assert!(compared > 5, "{compared}");
}

#[test]
fn weights_are_fitted_without_the_net_of_the_package() {
    is_fitted_without_a_net(&Classic::new(4));
    is_fitted_without_a_net(&Rise::new(4));
    is_fitted_without_a_net(&Hannibal::default());
    is_fitted_without_a_net(&Imperium::new(4));
}
