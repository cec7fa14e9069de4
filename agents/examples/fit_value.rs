//! What is a position of conquest2 worth? Fits the value function of the search by least squares to seeded games and
//! prints it as TOML: `fit_value PLAYERS [GAMES] [SPEC] > agents/data/conquest2/value-PLAYERS.toml`.
//!
//! Greedy play alone would teach little: what it never does is never seen, and what it does only when it is ahead looks
//! like the reason for being ahead. So every game begins with actions that are random to a degree drawn for that game,
//! the same for all seats, up to a moment that is drawn too; from there everybody plays by SPEC. A sample is a
//! position at the start of one of the next actions: the features of each player against the mean of the table, and his
//! final victory points against their mean. Weights have a Gaussian prior around zero, so that what is rare is not
//! believed at once. The logistic scale is then fitted by maximum
//! likelihood. A tenth of the games is held out and says how well both predict.

use agents::guide::Guide;
use agents::heuristics::conquest2::Weights;
use agents::heuristics::conquest2::value::{FEATURES, Features, ValueFunction};
use agents::{Agent, AgentSpec, Playable, Settings};
use engine::games::conquest2::{Conquest2, Phase};
use engine::{ChanceStreams, Game, MAX_PLAYERS, Player, Purpose, Randomness, Turn, View, rng};

const SEED: u64 = 20_261;
const N: usize = FEATURES.len();
/// How random the play before the samples can be.
const EPSILONS: [f64; 4] = [0.02, 0.1, 0.25, 0.5];
/// Samples of a game: some two rounds of a table of four.
const SAMPLES: u32 = 24;
/// What a weight is expected to be away from zero, in victory points for one unit of its feature.
const PRIOR: f64 = 4.0;
/// Samples of a game share its outcome: how many of them count as one.
const CLUSTER: f64 = 12.0;

struct Sample {
    features: [[f32; N]; MAX_PLAYERS],
    index: u64,
    game: usize,
}

struct Outcome {
    vp: [f32; MAX_PLAYERS],
    points: [f32; MAX_PLAYERS],
}

type Samples = Vec<Vec<Sample>>;

fn main() {
    let mut words = std::env::args().skip(1);
    let n: usize = words.next().map_or(4, |text| text.parse().expect("a number of players"));
    let n_games: u64 = words.next().map_or(20_000, |text| text.parse().expect("a number"));
    let text = words.next().unwrap_or_else(|| "greedy(epsilon=0.02)".to_owned());
    let spec: AgentSpec = text.parse().expect("a good spec");
    let game = Conquest2::new(n);
    let mut samples: Samples = (0..16).map(|_| Vec::new()).collect();
    let mut outcomes = Vec::new();
    for index in 0..n_games {
        outcomes.push(play(&game, index, &spec, &mut samples));
    }
    println!(
        "# What a position is worth to {n} players: weights of features, by seasons left and round; see value.rs."
    );
    println!(
        "# Made by: cargo run --release -p agents --example fit_value -- {n} {n_games} \"{spec}\" (seed {SEED})"
    );
    for left in (1..=4).rev() {
        for round in 0..4 {
            let samples = &samples[(left - 1) * 4 + round];
            report(n, left, round, samples, &outcomes);
        }
    }
}

fn report(n: usize, left: usize, round: usize, samples: &[Sample], outcomes: &[Outcome]) {
    let rows = rows(n, samples, outcomes);
    let (train, held): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.index % 10 != 0);
    let weights = least_squares(&train);
    let error = |rows: &[&Row], w: &[f64; N]| {
        let squares = rows.iter().map(|row| (row.target - dot(&row.x, w)).powi(2)).sum::<f64>();
        squares / rows.len().max(1) as f64
    };
    let r2 = 1.0 - error(&held, &weights) / error(&held, &[0.0; N]);
    let leads = leads(n, samples, outcomes, &weights);
    let loss = |s: f64| leads.iter().map(|&(lead, won)| log_loss(lead / s, won)).sum::<f64>();
    let scale = (0..150)
        .map(|i| 1.03f64.powi(i))
        .min_by(|&a, &b| loss(a).total_cmp(&loss(b)))
        .expect("there are candidates");
    let number = leads.len().max(1) as f64;
    println!(
        "\n# {} positions; held out: R2 {r2:.3}; log loss {:.4}",
        samples.len(),
        loss(scale) / number
    );
    println!("[left-{left}-round-{}]\nlogistic_scale = {scale:.2}", round + 1);
    for (name, weight) in FEATURES.iter().zip(weights) {
        println!("{name} = {weight:.4}");
    }
}

struct Row {
    x: [f64; N],
    target: f64,
    index: u64,
}

fn rows(n: usize, samples: &[Sample], outcomes: &[Outcome]) -> Vec<Row> {
    let mut rows = Vec::new();
    for sample in samples {
        let outcome = &outcomes[sample.game];
        let mean_vp = outcome.vp[..n].iter().sum::<f32>() / n as f32;
        let mean: [f32; N] = std::array::from_fn(|i| {
            sample.features[..n].iter().map(|f| f[i]).sum::<f32>() / n as f32
        });
        for q in 0..n {
            let x = std::array::from_fn(|i| f64::from(sample.features[q][i] - mean[i]));
            let target = f64::from(outcome.vp[q] - mean_vp);
            rows.push(Row { x, target, index: sample.index });
        }
    }
    rows
}

fn leads(
    n: usize,
    samples: &[Sample],
    outcomes: &[Outcome],
    weights: &[f64; N],
) -> Vec<(f64, f64)> {
    let mut leads = Vec::new();
    for sample in samples {
        let values: Vec<f64> =
            sample.features[..n].iter().map(|f| dot(&f.map(f64::from), weights)).collect();
        for q in 0..n {
            let rivals = (0..n).filter(|&r| r != q).map(|r| values[r]);
            let lead = values[q] - rivals.fold(f64::MIN, f64::max);
            leads.push((lead, f64::from(outcomes[sample.game].points[q])));
        }
    }
    leads
}

fn dot(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn log_loss(x: f64, won: f64) -> f64 {
    let p = (1.0 / (1.0 + (-x).exp())).clamp(1e-6, 1.0 - 1e-6);
    -(won * p.ln() + (1.0 - won) * (1.0 - p).ln())
}

/// The weights with the least squared error, by Gaussian elimination of the normal equations.
fn least_squares(rows: &[&Row]) -> [f64; N] {
    let spread = rows.iter().map(|row| row.target.powi(2)).sum::<f64>() / rows.len().max(1) as f64;
    let mut a = vec![[0.0; N + 1]; N];
    for row in rows {
        for (line, x) in a.iter_mut().zip(row.x) {
            line.iter_mut().zip(row.x).for_each(|(sum, other)| *sum += x * other);
            line[N] += x * row.target;
        }
    }
    for (i, line) in a.iter_mut().enumerate() {
        line[i] += CLUSTER * spread / PRIOR.powi(2);
    }
    for i in 0..N {
        let best = (i..N).max_by(|&p, &q| a[p][i].abs().total_cmp(&a[q][i].abs())).expect("a row");
        a.swap(i, best);
        let pivot = a[i];
        for line in a.iter_mut().skip(i + 1) {
            let factor = line[i] / pivot[i];
            line.iter_mut().zip(pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    let mut weights = [0.0; N];
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|j| a[i][j] * weights[j]).sum();
        weights[i] = (a[i][N] - known) / a[i][i];
    }
    weights
}

/// Actions of a whole game.
fn n_actions(game: &Conquest2) -> u32 {
    let start = game.start();
    let situation = game.situation(&start);
    let rounds = situation.n_seasons() * situation.n_rounds();
    (rounds * situation.n_players() * situation.actions_per_turn()) as u32
}

/// Plays a game: at random to a degree up to some action, then by `spec`, and takes samples from there on.
fn play(game: &Conquest2, index: u64, spec: &AgentSpec, samples: &mut Samples) -> Outcome {
    let n = game.n_players();
    let guide = game.guide(&Settings::default()).expect("the defaults");
    let mut plan = rng::stream(SEED, index, Purpose::Analysis);
    let epsilon = EPSILONS[plan.below(EPSILONS.len() as u32) as usize];
    // Nothing is random in some games, so that the first round has its share of the samples.
    let from = plan.below(n_actions(game) + SAMPLES).saturating_sub(SAMPLES);
    let early: AgentSpec = format!("greedy(epsilon={epsilon})").parse().expect("a good spec");
    let build = |spec: &AgentSpec| -> Vec<Box<dyn Agent<Conquest2>>> {
        (0..n).map(|_| spec.build(game).expect("an agent")).collect()
    };
    let (mut early, mut late) = (build(&early), build(spec));
    let mut chance = ChanceStreams::new(SEED, index);
    let mut minds: Vec<_> =
        (0..n).map(|q| rng::stream(SEED, index, Purpose::Agent(q as u8))).collect();
    let mut state = game.start();
    let (mut last, mut n_actions) = (None, 0);
    loop {
        match game.turn(&state) {
            Turn::Player(player) => {
                let situation = game.situation(&state);
                let now = Some((guide.progress(game, &state), situation.actions_left()));
                if state.phase() == Phase::Top && now != last {
                    last = now;
                    n_actions += 1;
                    if n_actions > from && n_actions <= from + SAMPLES {
                        let (left, round) =
                            ValueFunction::moment(&situation).expect("a game under way");
                        let features = Features::of(&Weights::default(), &situation).0.0;
                        let sample = Sample { features, index, game: index as usize };
                        samples[left * 4 + round].push(sample);
                    }
                }
                let agents = if n_actions > from { &mut late } else { &mut early };
                let view = View::new(game, &state, player);
                let action = agents[player.idx()].choose(view, &mut minds[player.idx()]);
                game.apply(&mut state, action);
            }
            Turn::Over => break,
            _ => {
                let outcome = game.draw(&state, chance.of(game.chance_purpose(&state)));
                game.apply(&mut state, outcome);
            }
        }
    }
    let situation = game.situation(&state);
    let points = game.payoffs(&state);
    Outcome {
        vp: std::array::from_fn(
            |q| if q < n { f32::from(situation.vp(Player::new(q))) } else { 0.0 },
        ),
        points: std::array::from_fn(|q| if q < n { points[Player::new(q)] } else { 0.0 }),
    }
}
