//! Win probability and the dynamics of a game, on races of coin flips and on a game whose winner a third player names.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt;

use agents::guide::Unguided;
use agents::spectator::{Course, Feature};
use agents::{AgentSpec, Observable, Playable, Settings, Weighted};
use engine::{
    About, BadRules, ByPlayer, Chance, ChanceEvent, Configure, Game, Information, Notation,
    PerfectInformation, Player, Provenance, Purpose, Randomness, Rules, Treatable, Turn, rng,
};
use lab::dynamics::{findings::Report, streams, study::DynamicsStudy};
use serde_json::{Value as Json, json};
use sim::game_loop::{Address, Run};
use sim::observed_play::SeatedAgents;
use sim::stats::calibration::{Calibration, QuadraticVariation};
use sim::stats::clustered::ClusteredRatio;
use sim::win_model::probes::{Snapshot, Trace, Turns};
use sim::win_model::surrogate::{may_screen, slope};
use sim::win_model::{Audit, Subject, WinModel, features_of};

use crate::shared::caesar;

/// The number of flips in a race: odd, so that one seat wins.
const FLIPS: u8 = 15;

/// A game of coin flips. With two players, each in turn says a word without effect, and a coin is flipped; the seat
/// with more flips wins. With three, the third names the winner among the first two.
#[derive(Clone, Debug)]
struct Coins {
    players: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Position {
    is_named: bool,
    flips: u8,
    heads: u8,
    named: Option<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Word(bool);

impl Game for Coins {
    type State = Position;
    type Action = Word;

    fn n_players(&self) -> usize {
        self.players
    }

    fn start(&self) -> Position {
        Position { is_named: false, flips: 0, heads: 0, named: None }
    }

    fn turn(&self, s: &Position) -> Turn {
        match self.players {
            3 if s.named.is_some() => Turn::Over,
            3 => Turn::Player(Player::new(2)),
            _ if s.flips == FLIPS => Turn::Over,
            _ if s.is_named => Turn::Chance,
            _ => Turn::Player(Player::new(usize::from(s.flips) % 2)),
        }
    }

    fn actions(&self, _: &Position, _: Player, out: &mut Vec<Word>) {
        out.extend([Word(false), Word(true)]);
    }

    fn apply(&self, s: &mut Position, Word(is_so): Word) {
        if self.players == 3 {
            s.named = Some(is_so);
        } else if s.is_named {
            s.flips += 1;
            s.heads += u8::from(is_so);
            s.is_named = false;
        } else {
            s.is_named = true;
        }
    }

    fn draw<R: Randomness + ?Sized>(&self, _: &Position, rng: &mut R) -> Word {
        Word(rng.below(2) == 1)
    }

    fn outcomes(&self, _: &Position, out: &mut Vec<(Word, f64)>) {
        out.extend([(Word(false), 0.5), (Word(true), 0.5)]);
    }

    fn payoffs(&self, s: &Position) -> ByPlayer<f32> {
        let first = s.named.unwrap_or(2 * s.heads > FLIPS);
        let mut points = ByPlayer::default();
        points.0[usize::from(!first)] = 1.0;
        points
    }

    fn determinize<R: Randomness + ?Sized>(&self, _: &mut Position, _: Player, _: &mut R) {}
}

impl PerfectInformation for Coins {}
impl Treatable for Coins {}
impl Weighted for Coins {}

impl Configure for Coins {
    fn about() -> About {
        About {
            name: "coins",
            title: "Coins",
            players: 2..=3,
            default_players: 2,
            information: Information::Perfect,
            chance: Chance::Of("a coin"),
            provenance: Provenance::Published("made up for this test"),
        }
    }
    fn default_rules() -> &'static str {
        "side = 2\n"
    }
    fn configure(players: usize, _: &Rules) -> Result<Self, BadRules> {
        Ok(Self { players })
    }
}

impl Notation for Coins {
    fn write_action(&self, Word(is_so): Word, f: &mut dyn fmt::Write) -> fmt::Result {
        f.write_str(if is_so { "yes" } else { "no" })
    }

    fn chance_event(&self, _: &Position, Word(is_so): Word) -> ChanceEvent {
        ChanceEvent { chance: "flip".to_owned(), who: None, value: json!(is_so) }
    }

    fn state_json(&self, s: &Position) -> Json {
        json!({ "flips": s.flips, "heads": s.heads })
    }

    fn write_state(&self, s: &Position, f: &mut dyn fmt::Write) -> fmt::Result {
        writeln!(f, "{} of {}", s.heads, s.flips)
    }
}

impl Playable for Coins {
    type Guide = Unguided;

    fn guide(&self, _: &Settings) -> Result<Unguided, String> {
        Ok(Unguided)
    }
}

impl Observable for Coins {
    const FEATURES: &'static [Feature] =
        &[Feature { name: "coins", unit: "coins", meaning: "coins that fell for the seat" }];

    fn features(&self, s: &Position, out: &mut Vec<ByPlayer<f64>>) {
        let [heads, flips] = [s.heads, s.flips].map(f64::from);
        out.push(ByPlayer([heads, flips - heads, 0.0, 0.0, 0.0, 0.0]));
    }

    fn course(&self, s: &Position) -> Course {
        let done = f64::from(s.flips) / f64::from(FLIPS);
        Course { stage: None, round: Some(s.flips.into()), done: Some(done) }
    }
}

/// Returns the chance of the first seat to win after `flips`, of which it won `heads`.
fn theory(flips: u8, heads: u8) -> f64 {
    if flips == FLIPS {
        return f64::from(u8::from(2 * heads > FLIPS));
    }
    f64::midpoint(theory(flips + 1, heads), theory(flips + 1, heads + 1))
}

/// Returns the mean number of changes of the sole leader from `flips` on; `last` is the last sole leader.
fn lead_changes(flips: u8, heads: u8, last: Option<bool>) -> f64 {
    let (first, second) = (heads, flips - heads);
    let (mut change, mut last) = (0.0, last);
    if first != second {
        let leads = first > second;
        change = f64::from(u8::from(last.is_some_and(|before| before != leads)));
        last = Some(leads);
    }
    if flips == FLIPS {
        return change;
    }
    let next = |heads| lead_changes(flips + 1, heads, last);
    change + f64::midpoint(next(heads), next(heads + 1))
}

fn study(players: usize, games: u64) -> DynamicsStudy {
    let spec: AgentSpec = "random".parse().unwrap();
    let subject = Subject {
        version: "test".to_owned(),
        game: "coins".to_owned(),
        players,
        rules: json!({}),
        agent: spec.to_string(),
    };
    let rungs = ["random", "greedy"].map(|spec| spec.parse().unwrap()).to_vec();
    let plain = DynamicsStudy::new(subject, spec, 1, [3_000, games]);
    DynamicsStudy { deals: 300, rungs, steps: 400, ..plain }
}

fn figure(report: &Report, name: &str) -> f64 {
    let lines = report.plain.iter().chain(report.dynamics.iter().flatten());
    let line = lines.into_iter().find(|line| line.name == name);
    line.unwrap_or_else(|| panic!("no {name}: {:?}", report.dynamics)).figure.estimate
}

#[test]
fn a_race_of_coin_flips_has_the_chances_and_lead_changes_of_theory_and_no_skill() {
    let game = Coins { players: 2 };
    let report = study(2, 6_000).run(&game, None).unwrap();
    let model = &report.judged.model;
    let (mut off, mut visits) = (0.0, vec![1.0]);
    for flips in 0..FLIPS {
        for (heads, visited) in (0..=flips).zip(&visits) {
            let state = Position { is_named: false, flips, heads, named: None };
            let p = model.probability(&game, &state, flips.into());
            let gap = (p.0[0] - theory(flips, heads)).abs();
            // Two flips before the end, weights change faster than between knots.
            assert!(gap < if flips + 2 < FLIPS { 0.03 } else { 0.05 }, "{flips} {heads}: {p:?}");
            off += visited * gap / f64::from(FLIPS);
        }
        let before = |heads: usize| heads.checked_sub(1).map_or(0.0, |at| visits[at]);
        let next = |heads| f64::midpoint(before(heads), visits.get(heads).copied().unwrap_or(0.0));
        visits = (0..visits.len() + 1).map(next).collect();
    }
    assert!(off < 0.015, "{off}");
    let right = lead_changes(0, 0, None);
    let computed = figure(&report, "lead changes in chance");
    assert!((computed / right - 1.0).abs() < 0.03, "{computed} for {right}");
    let ratio = report.judged.audit.variation().unwrap();
    assert!((ratio.estimate - 1.0).abs() < 0.05, "{ratio:?}");
    assert!(figure(&report, "choices that matter").abs() < 1e-12);
    // All luck comes from the dice, and no agent of the ladder gains anything.
    let streams = report.luck.unwrap();
    let [setup, decks, dice, thinking] = [0, 1, 2, 3].map(|at: usize| streams[at]);
    assert!(!setup.is_used && !decks.is_used && dice.is_used);
    assert!(dice.total.interval.unwrap().contains(1.0), "{dice:?}");
    assert!((dice.alone.estimate - 1.0).abs() < 1e-9 && thinking.total.estimate.abs() < 1e-12);
    let skill = report.ladder[0].share;
    assert!(skill.interval.unwrap().contains(0.5), "{skill:?}");
    // The coin alone determines the result.
    let saving = report.judged.saving.unwrap();
    assert!(saving.mean.interval.unwrap().contains(0.0) && saving.r_squared > 0.55, "{saving:?}");
}

#[test]
fn who_cannot_win_and_names_the_winner_has_the_kingmaking_index_one() {
    let game = Coins { players: 3 };
    let mut study = study(3, 200);
    (study.deals, study.steps) = (0, 0);
    study.rungs.clear();
    let report = study.run(&game, None).unwrap();
    assert!(report.dynamics.is_ok(), "{:?}", report.dynamics);
    assert!((figure(&report, "kingmaking index") - 1.0).abs() < 1e-12);
    assert!((figure(&report, "choices without hope") - 1.0).abs() < 1e-12);
    assert!((figure(&report, "options of a choice") - 2.0).abs() < 1e-12);
    assert!(figure(&report, "choices that matter").abs() < 1e-12);
}

#[test]
fn a_model_that_is_too_sure_is_refused_and_says_why() {
    let game = Coins { players: 2 };
    let mut study = study(2, 1_500);
    (study.deals, study.steps) = (0, 0);
    study.rungs.clear();
    let mut model = study.model(&game, None).unwrap();
    model.weights.iter_mut().flatten().for_each(|weight| *weight *= 1.6);
    let report = study.run(&game, Some(model.clone())).unwrap();
    let why = report.dynamics.unwrap_err();
    assert!(why.contains("calibration error"), "{why}");
    assert!(report.judged.saving.is_none() && report.stages.is_empty() && !report.plain.is_empty());
    let ratio = report.judged.audit.variation().unwrap().estimate;
    assert!(ratio > 1.1, "{ratio}");
    // The model is right at each snapshot but not in its changes: only the dynamics are withheld.
    let trace = |index: u64| {
        let mut rng = rng::stream(4, index, Purpose::Analysis);
        let computed = Snapshot { stage: 0, chances: vec![0.5, 0.5], scores: None };
        let won = f64::from(u8::from(rng.below(2) == 0));
        let (rounds, points) = (vec![computed; 5], vec![won, 1.0 - won]);
        Trace { block: index, rounds, turns: Turns::default(), points, plies: 5 }
    };
    let flat: Vec<Trace> = (0..400).map(trace).collect();
    assert_eq!(Audit::of(model.clock, &flat).dynamics_refusal(), None);
    // The result is predicted early and revoked: each snapshot is right on average over those with equal chances.
    let restless: Vec<Trace> = flat
        .into_iter()
        .enumerate()
        .map(|(index, mut trace)| {
            let winner = usize::from(trace.points[0] < 0.5);
            let is_seen = index % 10 < 8;
            let seen = if is_seen { winner } else { 1 - winner };
            let mut chances = vec![0.2, 0.2];
            chances[seen] = 0.8;
            trace.rounds[2].chances = chances.clone();
            trace.rounds[4].chances = chances;
            trace
        })
        .collect();
    let audit = Audit::of(model.clock, &restless);
    assert_eq!(audit.refusal(), None, "{:?}", audit.whole.expected_error());
    let why = audit.dynamics_refusal().unwrap();
    assert!(why.contains("quadratic variation"), "{why}");
    let few = Audit::of(model.clock, &restless[..50]).refusal().unwrap();
    assert!(few.contains("at least 100"), "{few}");
}

#[test]
fn a_model_is_the_same_on_any_number_of_threads_and_out_of_its_file() {
    let game = Coins { players: 2 };
    let mut study = study(2, 100);
    study.fitted = 300;
    let fitted = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| study.model(&game, None)).unwrap()
    };
    let (one, three) = (fitted(1), fitted(3));
    assert_eq!(one.document(), three.document());
    let features = features_of::<Coins>();
    let read = |text: &str| WinModel::read("model.json", text, &study.subject, &features);
    assert_eq!(read(&one.document()).unwrap(), one);
    let refused =
        |from: &str, to: &str| read(&one.document().replacen(from, to, 1)).unwrap_err().to_string();
    assert!(
        refused("\"game\":\"coins\"", "\"game\":\"pig\"")
            .contains("its game is pig, and coins is needed")
    );
    assert!(refused("\"players\":2", "\"players\":3").contains("it is for 3 players, and 2 play"));
    assert!(refused("\"version\":\"test\"", "\"version\":\"0\"").contains("its version is 0"));
    assert!(refused("\"rules\":{}", "\"rules\":{\"side\":3}").contains("its rules differ"));
    assert!(
        refused("\"agent\":\"random\"", "\"agent\":\"greedy\"").contains("its agent is greedy")
    );
    assert!(refused("\"coins\"]", "\"heads\"]").contains("do not fit its features"));
    assert!(refused("{", "[").contains("it is no model of win probability"));
}

#[test]
fn circus_has_no_luck_of_dice() {
    let game =
        engine::games::circus::Circus::configure(2, &Rules::of::<engine::games::circus::Circus>());
    let spec: AgentSpec = "greedy(epsilon=0.1)".parse().unwrap();
    let game = game.unwrap();
    let mut seats = SeatedAgents::new(&game, &[spec.clone(), spec]).unwrap();
    let mut block = |index| streams::block(&game, &mut seats, 1, index).unwrap();
    let streams = streams::shares(&(0..24).map(&mut block).collect::<Vec<_>>()).unwrap();
    let dice = streams.iter().find(|stream| stream.name == "dice").unwrap();
    assert!(!dice.is_used && dice.total.estimate == 0.0 && dice.alone.estimate == 0.0);
    let thinking = streams.iter().find(|stream| stream.name == "thinking").unwrap();
    assert!(thinking.total.estimate > 0.5, "{thinking:?}");
}

/// Returns a chance that moves by fair steps within [0, 1], with its result; the snapshots have a loudness of 1.
fn martingale(rng: &mut engine::Stream) -> (Vec<[f64; 2]>, [f64; 2]) {
    let mut p: f64 = 0.2 + 0.6 * rng.unit();
    let mut looks = vec![[p, 1.0 - p]];
    for _ in 0..8 {
        let step = 0.4 * p.min(1.0 - p);
        p += if rng.below(2) == 0 { step } else { -step };
        looks.push([p, 1.0 - p]);
    }
    let y = f64::from(u8::from(rng.unit() < p));
    (looks, [y, 1.0 - y])
}

#[test]
fn intervals_hold_the_truth_in_93_to_97_of_100() {
    const RUNS: u64 = 1_500;
    let (mut variation, mut clustered, mut share, mut skill) = (0, 0, 0, 0);
    let truth = skill_of_martingale();
    for run in 0..RUNS {
        let mut rng = rng::stream(17, run, Purpose::Analysis);
        let (mut moved, mut calibration) = (QuadraticVariation::default(), Calibration::default());
        let mut ratio = ClusteredRatio::default();
        for game in 0..120 {
            let (looks, points) = martingale(&mut rng);
            moved.add(game, looks.iter().map(|look| &look[..]), &points);
            looks.iter().for_each(|look| calibration.add(game, look, &points));
            // Observations come in clusters, and large clusters have more of them.
            let (n, rate) = (1 + rng.below(9), 0.2 + 0.2 * rng.unit());
            let hits = (0..n).filter(|_| rng.unit() < rate).count();
            ratio.add(game, hits as f64, n.into());
        }
        let holds = |interval: Option<sim::stats::Interval>, truth| {
            u64::from(interval.is_some_and(|interval| interval.contains(truth)))
        };
        variation += holds(moved.ratio().unwrap().interval, 1.0);
        clustered += holds(ratio.interval(), 0.3);
        share += holds(Some(ratio.share_interval()), 0.3);
        skill += holds(calibration.brier_skill().unwrap().interval, truth);
    }
    let all = [("moved", variation), ("clustered", clustered), ("share", share), ("skill", skill)];
    crate::coverage_every::watched([variation, skill, clustered, share], RUNS);
    for (name, held) in all {
        let held = held as f64 / RUNS as f64;
        assert!((0.93..=0.97).contains(&held), "{name}: {held}");
    }
}

/// Returns the Brier skill of the snapshots of [`martingale`], `1 − 4 E p(1 − p)`, over all its paths from a fine grid
/// of starts.
fn skill_of_martingale() -> f64 {
    fn sum_of_spreads(p: f64, steps: u32) -> f64 {
        let spread = p * (1.0 - p);
        if steps == 0 {
            return spread;
        }
        let step = 0.4 * p.min(1.0 - p);
        let next = |p| sum_of_spreads(p, steps - 1);
        spread + f64::midpoint(next(p + step), next(p - step))
    }
    let starts = (0..200).map(|i| 0.2 + 0.6 * (f64::from(i) + 0.5) / 200.0);
    1.0 - 4.0 * starts.map(|p| sum_of_spreads(p, 8)).sum::<f64>() / 200.0 / 9.0
}

#[test]
fn the_command_says_what_is_wrong_before_a_game() {
    let refused = |args: &str, complaint: &str| {
        let (code, stdout, stderr) = caesar(args);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args}: {stderr}");
        assert!(stderr.contains(complaint), "{args}: {stderr}");
        assert!(stderr.lines().count() <= 2, "{stderr}");
    };
    refused("balance win-model --game imperum", "nearest: imperium");
    refused("balance win-model --game pig --agent gredy", "nearest: greedy");
    refused(
        "balance win-model --game pig --games 20",
        "--games 20: too few to say anything of a model: at least 100",
    );
    refused(
        "balance game --game pig --fit-games 30",
        "--fit-games 30: too few to fit a model to: at least 160",
    );
    refused("balance game --game pig --deals 3", "--deals 3: too few: use at least 20");
    refused("balance game --game pig --ladder random", "a ladder needs two or more rungs");
    refused("balance game --game pig --table stage", "nearest: stages");
    refused("balance game --game pig --agent mcts(seconds=1)", "give it iterations");
    refused("balance game --game pig --model no.json", "--model no.json");
}

#[test]
fn the_command_fits_judges_and_reads_its_model_again() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("model").display().to_string();
    let args = "balance win-model --game pig --agent greedy(epsilon=0.3) --fit-games 300 --games 300 --quiet --json";
    let (code, first, stderr) = caesar(&format!("{args} --threads 1 --out {out}"));
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(caesar(&format!("{args} --threads 2")).1, first);
    let document: Json = serde_json::from_str(&first).unwrap();
    assert_eq!((&document["game"], &document["fitted"]), (&json!("pig"), &json!(300)));
    let error = &document["model"][0]["value"];
    assert!(error["low"].as_f64() <= error["estimate"].as_f64(), "{document}");
    let again = format!(
        "balance win-model --game pig --agent greedy(epsilon=0.3) --games 300 --quiet --json --model {out}/model.json"
    );
    assert_eq!(caesar(&again).1, first, "a model that is read is the one that was written");
    let other = again.replace("epsilon=0.3", "epsilon=0.2");
    let (code, _, stderr) = caesar(&other);
    assert_eq!(code, 2);
    assert!(stderr.contains("its agent is greedy(epsilon=0.3)"), "{stderr}");
    let (code, plan, _) = caesar("balance game --game pig --plan --quiet");
    assert!(code == 0 && plan.contains("smallest effect") && plan.contains("luck"), "{plan}");
}

/// Cells continue from twenty positions: one point of chance is worth one point of result.
#[test]
fn results_of_cells_regressed_on_chances_have_the_slope_one() {
    let game = Coins { players: 2 };
    let study = study(2, 100);
    let model = study.model(&game, None).unwrap();
    let positions =
        (5..11).flat_map(|flips| (flips / 2 - 1..=flips / 2 + 2).map(move |heads| (flips, heads)));
    let mut seats = SeatedAgents::new(&game, &[study.spec.clone(), study.spec.clone()]).unwrap();
    let cells: Vec<(f64, f64)> = positions
        .take(20)
        .enumerate()
        .map(|(cell, (flips, heads))| {
            let state = Position { is_named: false, flips, heads, named: None };
            let chance = model.probability(&game, &state, flips.into()).0[0];
            let games = 300;
            let won: f64 = (0..games)
                .map(|index| {
                    let address = Address::of_game(900 + cell as u64, index);
                    let mut run = Run::new(state, flips.into(), 2, address);
                    seats.play_on(&mut run, &mut ()).unwrap();
                    f64::from(game.payoffs(&run.state).0[0])
                })
                .sum();
            (chance, won / games as f64)
        })
        .collect();
    assert!(may_screen(slope(&cells).unwrap()), "{cells:?}");
    // A model without information must not replace results.
    let blind: Vec<_> =
        cells.iter().enumerate().map(|(i, cell)| (0.5 + 0.001 * (i % 7) as f64, cell.1)).collect();
    assert!(!may_screen(slope(&blind).unwrap()));
}
