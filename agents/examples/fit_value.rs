//! What is a position of conquest2 worth? Fits the value function of the search by least squares to seeded games and
//! prints it as TOML: `fit_value [GAMES] [SPEC] > agents/data/conquest2/value.toml`.
//!
//! A sample is a position at the start of an action: the features of each player against the mean of the table, and
//! his final victory points against their mean. The swing is then fitted by maximum likelihood. A tenth of the games
//! is held out and says how well both predict.

use agents::guide::Guide;
use agents::heuristics::conquest2::Weights;
use agents::heuristics::conquest2::value::{FEATURES, Features, ValueFunction};
use agents::{Agent, AgentSpec, Playable, Style};
use engine::games::conquest2::{Conquest2, Phase};
use engine::{ChanceStreams, Game, MAX_PLAYERS, Player, Purpose, Turn, View, rng};

const SEED: u64 = 20_261;
const PLAYERS: usize = 4;
const N: usize = FEATURES.len();
/// Ridge penalty, in units of the mean square of a feature over one sample in a thousand.
const RIDGE: f64 = 1e-3;

struct Sample {
    features: [[f32; N]; MAX_PLAYERS],
    index: u64,
    game: usize,
}

struct Outcome {
    vp: [f32; PLAYERS],
    points: [f32; PLAYERS],
}

type Samples = Vec<Vec<Sample>>;

fn main() {
    let mut words = std::env::args().skip(1);
    let n_games: u64 = words.next().map_or(2000, |text| text.parse().expect("a number"));
    let text = words.next().unwrap_or_else(|| "greedy(epsilon=0.05)".to_owned());
    let spec: AgentSpec = text.parse().expect("a good spec");
    let game = Conquest2::new(PLAYERS);
    let mut samples: Samples = (0..16).map(|_| Vec::new()).collect();
    let mut outcomes = Vec::new();
    for index in 0..n_games {
        let mut agents: Vec<_> =
            (0..PLAYERS).map(|_| spec.build(&game).expect("an agent")).collect();
        outcomes.push(play(&game, index, &mut agents, &mut samples));
    }
    println!(
        "# What a position is worth: weights of features, by seasons left and round; see value.rs."
    );
    println!(
        "# Made by: cargo run --release -p agents --example fit_value -- {n_games} \"{spec}\" (seed {SEED})"
    );
    for left in (1..=4).rev() {
        for round in 0..4 {
            let samples = &samples[(left - 1) * 4 + round];
            report(left, round, samples, &outcomes);
        }
    }
}

fn report(left: usize, round: usize, samples: &[Sample], outcomes: &[Outcome]) {
    let rows = rows(samples, outcomes);
    let (train, held): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.index % 10 != 0);
    let weights = least_squares(&train);
    let error = |rows: &[&Row], w: &[f64; N]| {
        let squares = rows.iter().map(|row| (row.target - dot(&row.x, w)).powi(2)).sum::<f64>();
        squares / rows.len().max(1) as f64
    };
    let r2 = 1.0 - error(&held, &weights) / error(&held, &[0.0; N]);
    let leads = leads(samples, outcomes, &weights);
    let loss = |s: f64| leads.iter().map(|&(lead, won)| log_loss(lead / s, won)).sum::<f64>();
    let swing = (0..150)
        .map(|i| 1.03f64.powi(i))
        .min_by(|&a, &b| loss(a).total_cmp(&loss(b)))
        .expect("there are candidates");
    let n = leads.len().max(1) as f64;
    println!(
        "\n# {} positions; held out: R2 {r2:.3}; log loss {:.4}",
        samples.len(),
        loss(swing) / n
    );
    println!("[left-{left}-round-{}]\nswing = {swing:.2}", round + 1);
    for (name, weight) in FEATURES.iter().zip(weights) {
        println!("{name} = {weight:.4}");
    }
}

struct Row {
    x: [f64; N],
    target: f64,
    index: u64,
}

fn rows(samples: &[Sample], outcomes: &[Outcome]) -> Vec<Row> {
    let mut rows = Vec::new();
    for sample in samples {
        let outcome = &outcomes[sample.game];
        let mean_vp = outcome.vp.iter().sum::<f32>() / PLAYERS as f32;
        let mean: [f32; N] = std::array::from_fn(|i| {
            sample.features[..PLAYERS].iter().map(|f| f[i]).sum::<f32>() / PLAYERS as f32
        });
        for q in 0..PLAYERS {
            let x = std::array::from_fn(|i| f64::from(sample.features[q][i] - mean[i]));
            let target = f64::from(outcome.vp[q] - mean_vp);
            rows.push(Row { x, target, index: sample.index });
        }
    }
    rows
}

fn leads(samples: &[Sample], outcomes: &[Outcome], weights: &[f64; N]) -> Vec<(f64, f64)> {
    let mut leads = Vec::new();
    for sample in samples {
        let values: [f64; PLAYERS] =
            std::array::from_fn(|q| dot(&sample.features[q].map(f64::from), weights));
        for q in 0..PLAYERS {
            let rivals = (0..PLAYERS).filter(|&r| r != q).map(|r| values[r]);
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
    let mut a = vec![[0.0; N + 1]; N];
    for row in rows {
        for (line, x) in a.iter_mut().zip(row.x) {
            line.iter_mut().zip(row.x).for_each(|(sum, other)| *sum += x * other);
            line[N] += x * row.target;
        }
    }
    for (i, line) in a.iter_mut().enumerate() {
        line[i] += RIDGE * line[i] + 1.0;
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

fn play(
    game: &Conquest2,
    index: u64,
    agents: &mut [Box<dyn Agent<Conquest2>>],
    samples: &mut Samples,
) -> Outcome {
    let guide = game.guide(&Style::default()).expect("the plain style");
    let mut chance = ChanceStreams::new(SEED, index);
    let mut minds: Vec<_> =
        (0..PLAYERS).map(|q| rng::stream(SEED, index, Purpose::Agent(q as u8))).collect();
    let mut state = game.start();
    let mut last = None;
    loop {
        match game.turn(&state) {
            Turn::Player(player) => {
                let table = game.table(&state);
                let now = Some((guide.clock(game, &state), table.actions_left()));
                if state.phase() == Phase::Top && now != last {
                    last = now;
                    let (left, round) = ValueFunction::moment(&table).expect("a game under way");
                    let features = Features::of(&Weights::default(), &table).0;
                    samples[left * 4 + round].push(Sample {
                        features,
                        index,
                        game: index as usize,
                    });
                }
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
    let table = game.table(&state);
    let points = game.payoffs(&state);
    Outcome {
        vp: std::array::from_fn(|q| f32::from(table.vp(q))),
        points: std::array::from_fn(|q| points[Player::new(q)]),
    }
}
