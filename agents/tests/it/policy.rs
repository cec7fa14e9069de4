//! Policy heads of nets: files, inputs of options, and searches that take them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agents::fitting::{Considered, option_inputs, prior_logits};
use agents::guide::Prior;
use agents::leaks::decide;
use agents::net::learning::{Learner, Method, PolicyPart, PolicyWeights};
use agents::net::{Inputs, Layout, Net, PolicyProvenance, Provenance, inputs_of};
use agents::{AgentSpec, OfGame, Playable, Settings, Weighted};
use engine::games::conquest2::{Conquest2, Phase};
use engine::rng::{Purpose, fast, stream};
use engine::{Turn, Walk};

const METHOD: Method = Method { passes: 1, batch: 1, rate: 0.0, decay: 0.0, seed: 2 };

fn layout(game: &Conquest2) -> Layout {
    game.net_inputs(&Settings::default()).unwrap().unwrap().layout()
}

fn net(layout: &Layout) -> Net {
    Net::of(Learner::of_values(layout, METHOD, None).weights(), layout)
}

/// Returns the text of a net for three players.
fn plain_text(layout: &Layout) -> String {
    let made = Provenance {
        command: "caesar fit net".to_owned(),
        source: "100 games".to_owned(),
        rules: "0123".to_owned(),
        seed: 1,
        games: 100,
        positions: 2_000,
        loss: 0.25,
        linear_loss: 0.26,
    };
    net(layout).to_text("conquest2", 3, layout, &made)
}

/// Returns the text of the same net with a head of these weights.
fn text_with(layout: &Layout, weights: &PolicyWeights) -> String {
    let head = PolicyProvenance {
        command: "caesar fit policy".to_owned(),
        source: "100 games of \"nobody\"".to_owned(),
        seed: 1,
        games: 100,
        decisions: 900,
        loss: 1.5,
        guide_loss: 1.75,
    };
    let net = net(layout).with_policy(weights, layout);
    net.with_policy_in(&plain_text(layout), layout, &head)
}

/// Returns weights that change what is decided.
fn some(layout: &Layout) -> PolicyWeights {
    let mut weights = PolicyWeights::first(layout, 3);
    weights.part_mut(PolicyPart::Last).iter_mut().for_each(|x| *x *= 40.0);
    weights
}

#[test]
fn a_head_that_is_written_is_read_and_others_are_refused_by_name() {
    let layout = layout(&Conquest2::new(3));
    let weights = some(&layout);
    let text = text_with(&layout, &weights);
    let read = |text: &str| Net::parse(text, "conquest2", 3, &layout);
    assert_eq!(read(&text).unwrap(), net(&layout).with_policy(&weights, &layout));
    // A head in place of another leaves one.
    let other = PolicyWeights::first(&layout, 4);
    let with_other = text_with(&layout, &other);
    assert_eq!(text.matches("[policy]").count(), 1);
    assert!(!read(&text).unwrap().without_policy().has_policy());
    assert_ne!(text, with_other);
    let complaint = read(&text.replacen("decisions = 900", "decisions = 901", 1)).unwrap_err();
    assert!(complaint.starts_with("checksum: "), "{complaint}");
    let fewer = Layout { options: &layout.options[1..], ..layout };
    let complaint = Net::parse(&text, "conquest2", 3, &fewer).unwrap_err();
    assert!(complaint.starts_with("policy.options = "), "{complaint}");
}

#[test]
fn a_head_of_zeros_changes_nothing_and_another_what_is_decided() {
    let game = Conquest2::new(3);
    let layout = layout(&game);
    let mut zero = PolicyWeights::zero(&layout);
    zero.part_mut(PolicyPart::Trust).fill(1.0);
    let with = |text: String| {
        let mut spec: AgentSpec = "mcts(iterations=12, value=some.net)".parse().unwrap();
        spec.supply("value", text);
        spec.build(&game).unwrap()
    };
    let texts =
        [plain_text(&layout), text_with(&layout, &zero), text_with(&layout, &some(&layout))];
    let mut agents = texts.map(with);
    let (mut decided, mut differs) = (0, 0);
    for index in 0..3 {
        let mut walk = Walk::new(&game, 27, index);
        while walk.next().is_some() && decided < 40 * (index + 1) {
            let state = *walk.state();
            let Turn::Player(player) = engine::Game::turn(&game, &state) else { continue };
            if game.situation(&state).phase() != Phase::Top {
                continue;
            }
            let [plain, zero, some] = agents.each_mut().map(|agent| {
                let mut rng = stream(decided, 0, Purpose::Agent(0));
                decide(&mut **agent, &game, &state, player, &mut rng).unwrap()
            });
            assert_eq!(plain, zero);
            decided += 1;
            differs += usize::from(plain != some);
        }
    }
    assert!(decided > 60 && differs > 10, "{decided} {differs}");
}

/// The inputs of the options of random games fit into the layout, each at most once, and tell nearly all options apart;
/// whole numbers say nearly what floating-point ones say.
#[test]
fn inputs_of_options_are_of_the_layout_and_tell_options_apart() {
    let game = Conquest2::new(4);
    let settings = Settings::default();
    let counted = game.net_inputs(&settings).unwrap().unwrap();
    let layout = counted.layout();
    let mut guide = game.guide(&settings).unwrap();
    guide.leave_out_policy();
    let spec: AgentSpec = "mcts(iterations=12, plies=0)".parse().unwrap();
    let config = spec.config(Some(&OfGame::at_table_of(&game))).unwrap();
    let most = inputs_of(layout.options);
    let (mut turns, mut options, mut alike) = (0, 0, 0);
    for index in 0..8 {
        let mut walk = Walk::new(&game, 28, index);
        while walk.next().is_some() {
            let state = *walk.state();
            let Turn::Player(mover) = engine::Game::turn(&game, &state) else { continue };
            let mut inputs = Inputs::default();
            let is_turn = game.situation(&state).phase() == Phase::Top;
            if !is_turn || !counted.count(&game, &state, &mut inputs) {
                continue;
            }
            let dice = fast(&mut stream(1, turns, Purpose::Analysis));
            let (texts, logits) =
                prior_logits(&game, &mut [guide.clone()], &config, &state, mover, &dice);
            let considered =
                Considered { world: &state, mover, logits: &logits[0], inputs: &inputs };
            let counts = option_inputs(&game, &mut guide, &config, considered);
            assert_eq!(counts.len(), texts.len());
            let mut seen: Vec<Vec<_>> = Vec::new();
            for entries in counts.iter() {
                let mut numbers: Vec<usize> =
                    entries.iter().map(|entry| usize::from(entry.input)).collect();
                numbers.sort_unstable();
                assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
                assert!(numbers.last().is_some_and(|&number| number < most), "{numbers:?}");
                alike += usize::from(seen.iter().any(|other| other == entries));
                seen.push(entries.to_vec());
            }
            turns += 1;
            options += texts.len();
        }
    }
    assert!(turns > 300 && alike * 10 < options, "{turns} {alike} {options}");
}
