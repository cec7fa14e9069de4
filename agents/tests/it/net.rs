//! Nets beside value functions: files that are read and refused, inputs that know no more than a search, and searches that
//! take them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::{Debug, Write};
use std::fs;
use std::path::Path;

use agents::leaks::{Decision, decide, determinizations};
use agents::net::learning::{Learner, Method, Part};
use agents::net::{Entry, InputGroup, Inputs, Layout, Net, Provenance, inputs_of, is_net};
use agents::{AgentSpec, Playable, Settings, Weighted};
use engine::games::classic::Classic;
use engine::games::conquest2::board::{N_PROVINCES, N_ZONES};
use engine::games::conquest2::units::Unit;
use engine::games::conquest2::{Action, Conquest2, Place, State, Zone};
use engine::games::hannibal::{Hannibal, Phase};
use engine::games::imperium::Imperium;
use engine::games::rise::Rise;
use engine::rng::{Purpose, stream};
use engine::{Event, Game, Notation, Player, PlayerSet, Turn, Walk};

const GAME: &str = "conquest2";

fn layout<G: Weighted>(game: &G) -> Layout {
    game.net_inputs(&Settings::default()).unwrap().unwrap().layout()
}

/// The layouts of all games that declare inputs.
fn layouts() -> [(&'static str, Layout); 5] {
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
fn names_of_inputs_are_unique_and_say_what_they_count() {
    for groups in layouts().iter().flat_map(|(_, layout)| [layout.seat, layout.table]) {
        for (at, InputGroup { name, meaning, count, usual, most, .. }) in groups.iter().enumerate()
        {
            assert!(groups[..at].iter().all(|other| other.name != *name), "{name}");
            assert!(!meaning.is_empty() && *count > 0 && *usual > 0.0 && *most > 0, "{name}");
        }
    }
}

/// The first input of each group of a seat, with its group.
fn group_of(layout: &Layout, input: u16) -> &'static str {
    let mut left = usize::from(input);
    for group in layout.seat {
        if left < group.count {
            return group.name;
        }
        left -= group.count;
    }
    panic!("no input {input}")
}

/// Hidden in conquest2 are the Senators that others hold; a world assigns them some. In two worlds of one information
/// set only the inputs that count Senators differ, and those of its own Senators never do.
#[test]
fn inputs_of_worlds_that_a_player_cannot_tell_apart_differ_in_senators_alone() {
    let game = Conquest2::new(4);
    let counted = game.net_inputs(&Settings::default()).unwrap().unwrap();
    let layout = counted.layout();
    let (mut compared, mut rng) = (0, stream(3, 0, Purpose::Analysis));
    for index in 0..12 {
        let mut walk = Walk::new(&game, 21, index);
        let mut events = 0;
        while walk.next().is_some() {
            events += 1;
            let state = *walk.state();
            let Turn::Player(player) = game.turn(&state) else { continue };
            if events % 2 != 0 {
                continue;
            }
            let (mut true_, mut other) = (Inputs::default(), Inputs::default());
            counted.count(&game, &state, &mut true_);
            for world in determinizations(&game, &state, player, 4, &mut rng) {
                counted.count(&game, &world, &mut other);
                compared += 1;
                assert_eq!((true_.phase, &true_.table), (other.phase, &other.table));
                for (q, (a, b)) in true_.seats.iter().zip(&other.seats).enumerate() {
                    assert_eq!(a.allies, b.allies);
                    let differs = a.own.iter().filter(|x| !b.own.contains(x));
                    for entry in differs {
                        let name = group_of(&layout, entry.input);
                        // The player's own inputs may differ only in the lead over the votes of others.
                        let is_own = q == player.idx();
                        let may = if is_own {
                            &["votes_lead"][..]
                        } else {
                            &["senators", "counts", "votes_lead"]
                        };
                        assert!(may.contains(&name), "{name} of seat {q}, seen by {player:?}");
                    }
                }
            }
        }
    }
    assert!(compared >= 200, "{compared}");
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

/// Returns the text of an action with every seat in it one further.
fn turned(text: &str) -> String {
    let seats = match text.split(' ').collect::<Vec<_>>()[..] {
        ["propose", ..] => 1..3,
        // What is bought has a source: a province token, or the influence of a seat.
        ["against" | "target" | "attack" | "first-player" | "source", ..] => 1..2,
        ["assassin", ..] => 2..3,
        _ => 0..0,
    };
    let word = |(at, word): (usize, &str)| match word.parse::<usize>() {
        Ok(seat) if seats.contains(&at) => ((seat + 1) % 4).to_string(),
        _ => word.to_owned(),
    };
    text.split(' ').enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// Returns true if everybody has in `there` what the seat before has in `here`.
fn is_turned(game: &Conquest2, here: &State, there: &State) -> bool {
    let (here, there) = (game.situation(here), game.situation(there));
    here.players().all(|q| {
        let p = Player::new((q.idx() + 1) % 4);
        let places = Place::first(N_PROVINCES).all(|place| {
            here.troops(q, place) == there.troops(p, place)
                && here.generals(q, place) == there.generals(p, place)
        });
        let zones = Zone::first(N_ZONES).all(|z| here.galleys(q, z) == there.galleys(p, z));
        let units = Unit::ALL.iter().all(|&u| here.on_map(q, u) == there.on_map(p, u));
        places
            && zones
            && units
            && here.money(q) == there.money(p)
            && here.senators(q) == there.senators(p)
    })
}

/// Plays a game twice, with everybody one seat further the second time: the inputs of a seat are those of the next one, and
/// those of the table stay. Two purchases of an action and losses of allies have an order by seat, so that some games go on
/// otherwise.
#[test]
fn renaming_seats_renames_inputs_and_changes_nothing_else() {
    let game = Conquest2::new(4);
    let counted = game.net_inputs(&Settings::default()).unwrap().unwrap();
    let next = |q: Player| Player::new((q.idx() + 1) % 4);
    let (mut here, mut there, mut compared) = (Inputs::default(), Inputs::default(), 0);
    for index in 0..40 {
        let (mut walk, mut state) = (Walk::new(&game, 23, index), game.start());
        while let Some(event) = walk.next() {
            let action = match event {
                Event::Action(q, action) => {
                    let text = turned(&game.action_text(action));
                    let Ok(action) = game.parse_action(&state, next(q), &text) else { break };
                    action
                }
                Event::Chance(drawn) if game.action_text(drawn).starts_with("first-player") => {
                    let text = turned(&game.action_text(drawn));
                    let mut outcomes = Vec::new();
                    game.outcomes(&state, &mut outcomes);
                    let is_it = |drawn: &Action| game.action_text(*drawn) == text;
                    outcomes.into_iter().map(|(drawn, _)| drawn).find(is_it).unwrap()
                }
                Event::Chance(drawn) => drawn,
                Event::Joint(_) => unreachable!("nobody chooses at once in this game"),
            };
            game.apply(&mut state, action);
            if !is_turned(&game, walk.state(), &state) {
                break;
            }
            let is_over = !counted.count(&game, walk.state(), &mut here);
            assert_eq!(!counted.count(&game, &state, &mut there), is_over);
            if is_over {
                break;
            }
            assert_eq!((here.phase, &here.table), (there.phase, &there.table));
            for q in Player::all(4) {
                let (a, b) = (&here.seats[q.idx()], &there.seats[next(q).idx()]);
                assert_eq!((&a.own, &a.shared), (&b.own, &b.shared), "seat {q}, event {compared}");
                assert_eq!(a.allies.iter().map(next).collect::<PlayerSet>(), b.allies);
            }
            compared += 1;
        }
    }
    assert!(compared > 1_000, "{compared}");
}

/// The same in imperium, where nobody's choice has an order by seat.
#[test]
fn renaming_seats_renames_the_inputs_of_imperium() {
    let game = Imperium::new(4);
    let counted = game.net_inputs(&Settings::default()).unwrap().unwrap();
    let (mut here, mut there, mut compared) = (Inputs::default(), Inputs::default(), 0);
    for index in 0..20 {
        let (mut walk, mut state) = (Walk::new(&game, 27, index), game.start());
        while let Some(Event::Joint(mut joint)) = walk.next() {
            joint.0[..4].rotate_right(1);
            game.apply_joint(&mut state, &joint);
            let is_on = counted.count(&game, walk.state(), &mut here);
            assert_eq!(counted.count(&game, &state, &mut there), is_on);
            if !is_on {
                break;
            }
            there.seats[..4].rotate_left(1);
            assert_eq!(here, there, "game {index}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

/// In hannibal a net corrects what a conflict is worth as the mean over its ends, so that a search with a net decides
/// within conflicts, too.
#[test]
fn positions_of_hannibal_are_counted_where_a_turn_is_due() {
    let game = Hannibal::default();
    let counted = game.net_inputs(&Settings::default()).unwrap().unwrap();
    let (mut inputs, mut turns, mut conflicts) = (Inputs::default(), 0, 0);
    for index in 0..20 {
        let mut walk = Walk::new(&game, 28, index);
        while walk.next().is_some() {
            let is_turn = walk.state().phase() == Phase::Turn;
            assert_eq!(counted.count(&game, walk.state(), &mut inputs), is_turn);
            turns += usize::from(is_turn);
            conflicts += usize::from(!is_turn);
        }
    }
    assert!(turns > 100 && conflicts > 100, "{turns} {conflicts}");
}

const BEGIN: &str = "<!-- table of inputs: begin -->\n";
const END: &str = "<!-- table of inputs: end -->\n";

fn tables() -> String {
    layouts().map(|(game, layout)| table(game, &layout)).join("\n")
}

fn table(game: &str, layout: &Layout) -> String {
    let mut text = format!(
        "| of {game} | inputs | at most | others are told | what an input counts |\n| --- | --- | --- | --- | --- |\n",
    );
    let parts =
        [("a seat", layout.seat), ("the table", layout.table), ("an option", layout.options)];
    for (of, groups) in parts.into_iter().filter(|(_, groups)| !groups.is_empty()) {
        let all = inputs_of(groups);
        writeln!(text, "| *{of}: {all}* | | | | |").unwrap();
        for InputGroup { name, meaning, count, most, is_shared, .. } in groups {
            let shared = if *is_shared { "yes" } else { "" };
            writeln!(text, "| `{name}` | {count} | {most} | {shared} | {meaning} |").unwrap();
        }
    }
    text
}

/// `UPDATE_GOLDEN=1` writes the table.
#[test]
fn the_document_has_the_table_of_inputs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/fitting.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the table begins");
    let (inside, after) = rest.split_once(END).expect("the table ends");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, [before, BEGIN, &tables(), END, after].concat()).unwrap();
    } else {
        assert!(
            inside == tables(),
            "docs/fitting.md lags behind: UPDATE_GOLDEN=1 writes the table"
        );
    }
}
