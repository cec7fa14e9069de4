//! Restricted play: intervals have their coverage, a ban on an action that never comes costs nothing, and random play
//! is expensive.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use agents::{AgentSpec, Playable};
use engine::Rules;
use lab::dynamics::restricted::{self, Cost, NOTHING, RANDOM, Restricted, Restriction, Tables};
use lab::dynamics::rows::Written;
use serde_json::Value as Json;
use sim::catalogue::{Setup, WithGame, with_game};

use crate::shared::caesar;

/// A request for restrictions of a game, and its blocks with an agent.
struct Ask<'a> {
    forbid: &'a [&'a str],
    agent: &'a str,
    seed: u64,
    blocks: Range<u64>,
}

impl WithGame for Ask<'_> {
    type Output = (Vec<Restriction>, Vec<Restricted>);

    fn run<G: Playable>(self, game: G, rules: &Rules) -> Self::Output {
        let names: Vec<String> = self.forbid.iter().map(|&name| name.to_owned()).collect();
        let all = restricted::restrictions_named::<G>(&names, rules, game.n_players()).unwrap();
        let tables = Tables::new(&game, rules, &all).unwrap();
        let spec: AgentSpec = self.agent.parse().unwrap();
        let played = tables.play(&spec, self.seed, self.blocks, &AtomicBool::new(false));
        (all, played.unwrap().unwrap())
    }
}

fn played(setup: &Setup, ask: Ask<'_>) -> (Vec<Restriction>, Vec<Restricted>) {
    with_game(setup, ask).unwrap()
}

fn costs(setup: &Setup, ask: Ask<'_>) -> Vec<Cost> {
    let (all, blocks) = played(setup, ask);
    restricted::costs(&all, &blocks)
}

fn of<'a>(costs: &'a [Cost], name: &str) -> &'a Cost {
    costs.iter().find(|cost| cost.name == name).unwrap()
}

#[test]
fn every_game_is_asked_for_what_it_can_forbid_and_does_not_sell() {
    let named = |game: &str| -> Vec<String> {
        let ask = Ask { forbid: &[], agent: "random", seed: 1, blocks: 0..0 };
        played(&Setup::new(game), ask).0.into_iter().map(|one| one.name).collect()
    };
    let of_conquest = named("conquest2");
    assert!(of_conquest.iter().all(|name| name.starts_with("action.")), "{of_conquest:?}");
    assert!(of_conquest.contains(&"action.tax".to_owned()), "{of_conquest:?}");
    assert_eq!(named("pig"), [""; 0]);
    assert_eq!(named("hannibal"), [""; 0], "its ban is of nobody in particular");
    assert!(named("circus").iter().all(|name| name.starts_with("card.")));
    assert!(named("circus").len() > 3);
    let of_rise = named("rise");
    assert!(of_rise.iter().any(|name| name.starts_with("empire.")), "{of_rise:?}");
    assert!(!of_rise.iter().any(|name| name.starts_with("progress.")), "{of_rise:?}");
}

#[test]
fn what_never_comes_costs_nothing_and_play_at_random_costs_20_points() {
    let mut setup = Setup::new("conquest2").for_players(4);
    setup.overrides.settings.push("cards.favorable-wind.count=0".to_owned());
    let forbid = ["card.favorable-wind", "action"];
    let ask = Ask { forbid: &forbid[..1], agent: "greedy", seed: 9, blocks: 0..20 };
    let costs = costs(&setup, ask);
    let nothing = of(&costs, "card.favorable-wind");
    assert!(nothing.cost.value.abs() < 1e-12 && nothing.parted.estimate == 0.0, "{nothing:?}");
    assert_eq!(nothing.verdict(), "never felt");
    let random = of(&costs, RANDOM);
    assert!(random.cost.value >= 0.2 && random.cost.is_decided(), "{random:?}");
    assert!((random.parted.estimate - 1.0).abs() < 1e-12);
}

/// Intervals cover zero in the line without any ban, where the agents use other random numbers, and in the line whose
/// restricted seat plays like all others.
#[test]
fn intervals_of_what_nothing_costs_cover_zero() {
    let ask = Ask { forbid: &[], agent: "random", seed: 5, blocks: 0..8_000 };
    let (all, blocks) = played(&Setup::new("kuhn-poker"), ask);
    for name in [NOTHING, RANDOM] {
        let groups = blocks.chunks(20);
        let n = groups.len() as f64;
        let covers = |group: &&[Restricted]| {
            of(&restricted::costs(&all, group), name).cost.interval.unwrap().contains(0.0)
        };
        let covered = groups.filter(covers).count() as f64 / n;
        // A random agent plays like the random line itself: those games equal the unrestricted ones.
        let expected = if name == NOTHING { 0.92..=0.985 } else { 1.0..=1.0 };
        assert!(expected.contains(&covered), "{name}: {covered}");
    }
}

#[test]
fn blocks_are_read_as_they_were_written() {
    let ask = Ask { forbid: &[], agent: "greedy", seed: 5, blocks: 3..9 };
    for block in played(&Setup::new("tic-tac-toe"), ask).1 {
        assert_eq!(Restricted::read(&block.fields().into_iter().collect()), Some(block));
    }
}

#[test]
#[ignore = "slow: 50,000 games; `just balance-proofs` runs it"]
fn nothing_costs_nothing_within_one_point_and_a_half_and_chance_20_points() {
    let setup = Setup::new("conquest2").for_players(4);
    let ask = Ask { forbid: &[], agent: "greedy(epsilon=0.1)", seed: 71, blocks: 0..1_200 };
    let costs = costs(&setup, ask);
    let nothing = of(&costs, NOTHING).cost;
    let interval = nothing.interval.unwrap();
    assert!(
        interval.contains(0.0) && interval.low > -0.025 && interval.high < 0.025,
        "{nothing:?}"
    );
    assert!(nothing.value.abs() <= 0.015, "{nothing:?}");
    assert!(of(&costs, RANDOM).cost.value >= 0.2, "{costs:?}");
    for cost in &costs {
        println!(
            "{:24} {:+.4} {:?} felt {:.3} {}",
            cost.name,
            cost.cost.value,
            cost.cost.interval,
            cost.parted.estimate,
            cost.verdict()
        );
    }
}

#[test]
fn the_command_tells_restrictions_and_says_what_is_wrong() {
    let args = "balance game --game circus --players 2 --agent random --fit-games 500 --games 100 --deals 0 --steps 0 \
                --restrictions 20 --forbid card.3 --seed 4 --quiet --json";
    let (code, text, error) = caesar(args);
    assert_eq!((code, error.as_str()), (0, ""));
    let json: Json = serde_json::from_str(&text).unwrap();
    let lines = json["restrictions"].as_array().unwrap();
    let names: Vec<&str> = lines.iter().map(|line| line["forbidden"].as_str().unwrap()).collect();
    assert_eq!(names, [NOTHING, "card.3", RANDOM]);
    assert!(lines[1]["cost"]["low"].is_f64() && lines[1]["n"] == 20, "{text}");
    let refused = |args: &str, complaint: &str| {
        let (code, stdout, stderr) = caesar(&format!("balance game {args}"));
        assert_eq!((code, stdout.as_str()), (2, ""), "{args}: {stderr}");
        assert!(stderr.contains(complaint), "{args}: {stderr}");
        assert!(stderr.lines().count() <= 2, "{stderr}");
    };
    refused("--game pig --restrictions 3", "--restrictions 3: too few: use at least 20");
    refused(
        "--forbid action.taxes",
        "--forbid action.taxes: no one seat can be forbidden that (nearest: action.tax;",
    );
    refused(
        "--game pig --forbid x",
        "--forbid x: pig declares nothing that one seat could be forbidden",
    );
    let (code, plan, _) = caesar("balance game --restrictions 100 --plan --quiet");
    // Eight kinds of action and two reference points, for each of four seats, and one unrestricted game.
    assert!(code == 0 && plan.contains("restrictions") && plan.contains("4 100"), "{plan}");
}
