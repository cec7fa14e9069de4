//! Tests of agents at hannibal: exact duels against the general solver, and strength of play.

use agents::exact::{matrix_game, solve_simultaneous};
use agents::heuristics::hannibal::Weights;
use agents::heuristics::hannibal::duel::{Duel, DuelOdds, Duels, Stakes};
use agents::{Agent, AgentSpec};
use engine::bits::each;
use engine::games::hannibal::{Action, CARTHAGE, Fighter, Hand, Hannibal, ROME, State};
use engine::{ByPlayer, Configure, Game, Joint, Player, Purpose, Rules, Turn, View, rng};

fn under(settings: &[&str]) -> Hannibal {
    let mut rules = Rules::of::<Hannibal>();
    settings.iter().for_each(|setting| rules.set(setting).expect("a setting"));
    Hannibal::configure(2, &rules).expect("good rules")
}

/// Returns a position whose conflict in Gallia decides the game. All other areas are empty.
fn battle(game: &Hannibal, legions: [u8; 2], hannibal: bool, hands: [&[u8]; 2]) -> State {
    let position = game
        .position()
        .legions(CARTHAGE, "gallia", legions[0])
        .legions(ROME, "gallia", legions[1])
        .hands(hands);
    let position = if hannibal { position.hannibal("gallia") } else { position };
    position.battle("gallia", None)
}

const FULL: &[u8] = &[1, 2, 3, 4, 5];

/// Returns the value of a decisive conflict for Carthage by the general solver.
fn solved(game: &Hannibal, state: &State) -> f64 {
    let equilibrium = solve_simultaneous(game, state).expect("a small game");
    equilibrium.values(state).expect("the start")[Player::new(CARTHAGE)]
}

fn odds(game: &Hannibal, state: &State) -> DuelOdds {
    Duels::new(game, Stakes::WIN).odds(&Duel::of(state).expect("a conflict"))
}

#[test]
fn conflicts_are_worth_what_the_general_solver_says() {
    let rules: [&[&str]; 4] = [
        &[],
        &["rules.hannibal-bonus=2"],
        &["rules.hannibal-lost-on-tie=false"],
        &["cards.values=[0, 3, 4]"],
    ];
    let mut n = 0;
    for settings in rules {
        let game = under(settings);
        let hands: [[&[u8]; 2]; 3] = if settings.first() == Some(&"cards.values=[0, 3, 4]") {
            [[&[0, 3, 4], &[0, 3, 4]], [&[0, 4], &[3, 4]], [&[3, 4], &[0, 3]]]
        } else {
            [[FULL, FULL], [&[1, 4], &[2, 3]], [&[2, 3, 5], &[1, 4, 5]]]
        };
        for hands in hands {
            for (carthage, rome) in [(1, 1), (1, 3), (3, 1), (2, 2), (3, 3), (0, 2), (2, 4)] {
                for hannibal in [false, true] {
                    if carthage == 0 && !hannibal {
                        continue;
                    }
                    let state = battle(&game, [carthage, rome], hannibal, hands);
                    let found = odds(&game, &state);
                    let expected = solved(&game, &state);
                    let at = format!("{settings:?} {carthage} {hannibal} {rome} {hands:?}");
                    assert!((found.value - expected).abs() < 1e-9, "{at}: {found:?} {expected}");
                    let counted = found.alone[CARTHAGE] + found.nobody() / 2.0;
                    assert!((found.value - counted).abs() < 1e-9, "{at}: {found:?}");
                    assert!(found.nobody() > -1e-9, "{at}: {found:?}");
                    n += 1;
                }
            }
        }
    }
    assert_eq!(n, 4 * 3 * 13);
}

#[test]
fn fleets_fight_like_legions_without_hannibal() {
    let game = Hannibal::default();
    let sea = game
        .position()
        .fleets(CARTHAGE, "roma-corsica", 2)
        .fleets(ROME, "roma-corsica", 3)
        .hannibal("carthago")
        .legions(ROME, "roma", 1)
        .sea_battle("roma-corsica");
    let land = battle(&game, [2, 3], false, [FULL, FULL]);
    assert_eq!(odds(&game, &sea), odds(&game, &land));
}

#[test]
fn equal_sides_are_even_and_hannibal_is_worth_more_than_a_legion() {
    let game = Hannibal::default();
    for n in 1..=4 {
        let even = odds(&game, &battle(&game, [n, n], false, [FULL, FULL]));
        assert!((even.value - 0.5).abs() < 1e-9, "{n}: {even:?}");
        assert!((even.alone[CARTHAGE] - even.alone[ROME]).abs() < 1e-9, "{n}: {even:?}");
        let with_him = odds(&game, &battle(&game, [n - 1, n], true, [FULL, FULL]));
        assert!(with_him.value > even.value + 0.01, "{n}: {with_him:?}");
        let one_more = odds(&game, &battle(&game, [n + 1, n], false, [FULL, FULL]));
        assert!(one_more.value > even.value + 0.1, "{n}: {one_more:?}");
    }
}

#[test]
fn a_card_that_beats_all_others_is_played() {
    let game = Hannibal::default();
    let state = battle(&game, [1, 1], false, [&[2, 5], &[1, 4]]);
    let duel = Duel::of(&state).expect("a conflict");
    let mut duels = Duels::new(&game, Stakes::WIN);
    let mut strategy = Vec::new();
    duels.strategy(&duel, CARTHAGE, &mut strategy);
    assert_eq!(strategy, [0.0, 1.0]);
    assert!((duels.odds(&duel).value - 1.0).abs() < 1e-12);
}

/// Against the strategy of one side no card of the other exceeds the value, at every first duel of every pair of hands.
#[test]
fn mixes_are_equilibria_for_every_pair_of_hands() {
    let game = Hannibal::default();
    let mut duels = Duels::new(&game, Stakes::WIN);
    let mut n = 0;
    let hands = |size: u32| (1..64u16).filter(move |h| h & 1 == 0 && h.count_ones() == size);
    for size in 1..=5 {
        for (mine, theirs) in hands(size).flat_map(|a| hands(size).map(move |b| (a, b))) {
            for (legions, hannibal, fighter) in [
                ([3, 3], false, None),
                ([0, 3], true, None),
                ([2, 2], true, Some(Fighter::Hannibal)),
                ([2, 2], true, Some(Fighter::Legion)),
            ] {
                let duel = Duel { legions, hannibal, fighter, hands: [mine, theirs] };
                check_mixes(&mut duels, &duel);
                n += 1;
            }
        }
    }
    assert_eq!(n, 4 * 251);
}

fn check_mixes(duels: &mut Duels, duel: &Duel) {
    let entry = |duels: &mut Duels, cards: [u8; 2]| {
        let after = by_the_book(duel, cards);
        duels.odds(&after).value
    };
    let cards = |hand: Hand| each(hand.into()).collect::<Vec<u8>>();
    let [rows, columns] = duel.hands.map(cards);
    let matrix: Vec<Vec<f64>> =
        rows.iter().map(|&r| columns.iter().map(|&c| entry(duels, [r, c])).collect()).collect();
    let value = duels.odds(duel).value;
    assert!((matrix_game(&matrix).value - value).abs() < 1e-9, "{duel:?}");
    let (mut x, mut y) = (Vec::new(), Vec::new());
    duels.strategy(duel, CARTHAGE, &mut x);
    duels.strategy(duel, ROME, &mut y);
    for row in &matrix {
        let gets: f64 = row.iter().zip(&y).map(|(entry, p)| entry * p).sum();
        assert!(gets <= value + 1e-9, "{duel:?}: Carthage can get {gets}");
    }
    for column in 0..columns.len() {
        let gets: f64 = matrix.iter().zip(&x).map(|(row, p)| row[column] * p).sum();
        assert!(gets >= value - 1e-9, "{duel:?}: Rome can hold it to {gets}");
    }
}

/// Returns the conflict after one duel of the default rules, by an independent implementation.
fn by_the_book(duel: &Duel, [carthage, rome]: [u8; 2]) -> Duel {
    let mut after = *duel;
    let him = duel.fighter == Some(Fighter::Hannibal) || duel.legions[CARTHAGE] == 0;
    let strength = carthage + u8::from(him);
    if strength <= rome {
        after.fighter = None;
        if him { after.hannibal = false } else { after.legions[CARTHAGE] -= 1 }
    }
    if rome <= strength {
        after.legions[ROME] -= 1;
    }
    for (hand, card) in after.hands.iter_mut().zip([carthage, rome]) {
        *hand &= !(1 << card);
        if *hand == 0 {
            *hand = 0b11_1110;
        }
    }
    after
}

#[test]
fn other_stakes_are_played_otherwise() {
    let game = Hannibal::default();
    let duel = Duel::of(&battle(&game, [1, 8], false, [FULL, FULL])).expect("a conflict");
    let of = |stakes| {
        let mut duels = Duels::new(&game, stakes);
        (duels.odds(&duel), duels.n_solved())
    };
    let (win, n_solved) = of(Stakes::WIN);
    let (legions, _) = of(Stakes { legion: 1.0, ..Stakes::WIN });
    assert!(legions.left[ROME] <= win.left[ROME] + 1e-9, "{legions:?} {win:?}");
    assert!(n_solved < 1_000, "{n_solved} conflicts of one against eight");
}

type Seats = [Box<dyn Agent<Hannibal>>; 2];

fn seat(game: &Hannibal, spec: &str) -> Box<dyn Agent<Hannibal>> {
    spec.parse::<AgentSpec>().expect("a spec").build(game).expect("an agent")
}

/// Plays a game and checks that every choice is legal.
fn play(game: &Hannibal, seed: u64, index: u64, seats: &mut Seats) -> ByPlayer<f32> {
    let mut rngs = [0, 1].map(|q| rng::stream(seed, index, Purpose::Agent(q)));
    let mut state = game.start();
    for (q, agent) in seats.iter_mut().enumerate() {
        agent.start(game, Player::new(q));
    }
    let mut choose = |state: &State, player: Player| -> Action {
        let q = player.idx();
        let action = seats[q].choose(View::new(game, state, player), &mut rngs[q]);
        assert!(game.is_legal(state, player, action, &mut Vec::new()), "{action:?} in {state:?}");
        action
    };
    loop {
        match game.turn(&state) {
            Turn::Over => return game.payoffs(&state),
            Turn::Player(player) => {
                let action = choose(&state, player);
                game.apply(&mut state, action);
            }
            Turn::Simultaneous(players) => {
                let mut joint = Joint::<Action>::default();
                for player in players.iter() {
                    joint[player] = Some(choose(&state, player));
                }
                game.apply_joint(&mut state, &joint);
            }
            Turn::Chance => unreachable!("nothing is random"),
        }
    }
}

/// Returns the mean points of `first` against `second` over `blocks` pairs of games with seats swapped.
fn share(game: &Hannibal, first: &str, second: &str, seed: u64, blocks: u64) -> f32 {
    let mut points = 0.0;
    for block in 0..blocks {
        for turn in 0..2 {
            let mut seats = [seat(game, first), seat(game, second)];
            if turn == 1 {
                seats.swap(0, 1);
            }
            points += play(game, seed, 2 * block + turn, &mut seats).0[turn as usize];
        }
    }
    points / (2 * blocks) as f32
}

#[test]
fn greed_beats_chance_on_every_map() {
    for map in ["balanced", "by-names", "mirror"] {
        let game = under(&[&format!("map={map}")]);
        let share = share(&game, "greedy", "random", 5, 40);
        assert!(share > 0.85, "{map}: a share of {share} over 40 blocks at seed 5");
    }
}

#[test]
fn search_beats_greed() {
    let share = share(&Hannibal::default(), "mcts(iterations=500)", "greedy", 5, 12);
    assert!(share > 0.6, "a share of {share} over 12 blocks at seed 5");
}

/// A search has its own weights; a preset and a spec override them.
#[test]
fn a_search_has_weights_of_its_own() {
    let game = Hannibal::default();
    let old =
        share(&game, "mcts(iterations=100)", "mcts(iterations=100, preset=2026-11-22)", 6, 40);
    assert!(old > 0.6, "a share of {old} over 40 blocks at seed 6");
    let preset = include_str!("../../data/hannibal/presets/2026-11-22/weights.toml");
    let weights = preset.lines().filter_map(|line| line.split_once(" = "));
    let weights: Vec<String> =
        weights.map(|(name, value)| format!("weights.{name}={value}")).collect();
    let explicit = format!(
        "mcts(iterations=100, net=off, c=0.4, doubt=0, temperature=0.5, {})",
        weights.join(", ")
    );
    // The spec spells out the preset. So the games are equal, and both win equally often from either seat.
    let same = share(&game, &explicit, "mcts(iterations=100, preset=2026-11-22)", 6, 10);
    let mirrored = share(&game, "mcts(iterations=100, preset=2026-11-22)", &explicit, 6, 10);
    assert!((same - mirrored).abs() < 1e-6, "{same} {mirrored}");
}

#[test]
fn weights_change_decisions_and_bad_ones_are_refused() {
    let game = Hannibal::default();
    let start = game.start();
    let choose = |weights: Weights| {
        let mut agent = agents::heuristics::hannibal::GreedyHannibal::new(&game, 0.0, weights);
        let mut rng = rng::stream(1, 0, Purpose::Agent(0));
        agent.choose(View::new(&game, &start, Player::new(0)), &mut rng)
    };
    let sailor = Weights { fleet: 50.0, ..Weights::default() };
    let marcher = Weights { march: 50.0, approach: 0.0, ..Weights::default() };
    assert_ne!(choose(sailor), choose(marcher));
    let refusal = Weights::default().overlay("legoin = 1").expect_err("no such weight");
    assert_eq!(refusal, "line 1: unknown weight \"legoin\" of hannibal (nearest: legion)");
    let persona = seat_refusal("greedy(persona=raider)");
    assert!(
        persona.contains("hannibal has no parameter \"persona\" (")
            && persona.ends_with("its own: weights)"),
        "{persona}"
    );
}

fn seat_refusal(spec: &str) -> String {
    let spec: AgentSpec = spec.parse().expect("a spec");
    match spec.build(&Hannibal::default()) {
        Ok(_) => panic!("{spec} is taken"),
        Err(bad) => bad.to_string(),
    }
}
