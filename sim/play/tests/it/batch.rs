//! Games that are stepped together are the games that are played one by one, whatever the number of threads.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use engine::observation;
use engine::{ChanceStreams, Player, Purpose, Randomness, rng};
use sim::any::{AnyBatch, AnyGame, AnyState, BadStep, Buffers, Due};
use sim::catalogue::{NAMES, Setup};

/// Memory for a batch.
struct Memory {
    observations: Vec<f32>,
    mask: Vec<u8>,
    seats: Vec<u8>,
    points: Vec<f32>,
    ended: Vec<u8>,
}

impl Memory {
    fn of(game: &AnyGame, n: usize) -> Self {
        let n_observed = observation::len(&game.observation_layout());
        Self {
            observations: vec![f32::NAN; n * n_observed],
            mask: vec![9; n * game.n_numbers()],
            seats: vec![9; n],
            points: vec![9.0; n * game.players()],
            ended: vec![9; n],
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        let Self { observations, mask, seats, points, ended } = self;
        Buffers { observations, mask, seats, points, ended }
    }
}

/// Goes on to the next choice of a player; `None` at the end.
fn next_choice(state: &mut AnyState, chance: &mut ChanceStreams) -> Option<Player> {
    loop {
        match state.due() {
            Due::Player(seat) => return Some(seat),
            Due::Chance => drop(state.draw(chance)),
            Due::Over => return None,
        }
    }
}

#[test]
fn a_row_of_a_batch_is_a_game_played_by_hand() {
    const ROWS: usize = 3;
    for &name in NAMES {
        let game = AnyGame::new(&Setup::new(name)).unwrap();
        let n_observed = observation::len(&game.observation_layout());
        let (mut memory, mut batch) = (Memory::of(&game, ROWS), game.batch(ROWS, 5));
        batch.observe(memory.buffers());
        let start = |index: u64| (game.start(), ChanceStreams::new(5, index));
        let mut by_hand: Vec<_> = (0..ROWS as u64).map(start).collect();
        let mut games: Vec<u64> = (0..ROWS as u64).collect();
        let (mut draws, mut n_ended) = (rng::stream(1, 0, Purpose::Analysis), 0);
        let mut expected = vec![0.0; n_observed];
        for _ in 0..600 {
            let mut numbers = Vec::new();
            for (row, (state, chance)) in by_hand.iter_mut().enumerate() {
                let seat = next_choice(state, chance).unwrap();
                assert_eq!(memory.seats[row], seat.number(), "{name}");
                state.write_observation(seat, &mut expected);
                let observed = &memory.observations[row * n_observed..][..n_observed];
                assert_eq!(observed, expected, "{name}");
                let legal = state.action_numbers(seat);
                let mask = &memory.mask[row * game.n_numbers()..][..game.n_numbers()];
                let marked = (0..game.n_numbers()).filter(|&i| mask[i] == 1).count();
                assert_eq!(marked, legal.len(), "{name}");
                assert!(legal.iter().all(|&number| mask[number as usize] == 1), "{name}");
                let texts = legal.iter().map(|&number| game.action_text(number as usize));
                let texts: Vec<_> = texts.map(Option::unwrap).collect();
                assert_eq!(texts, state.action_texts(seat), "{name}");
                let chosen = legal[draws.below(legal.len() as u32) as usize];
                state.apply_number(seat, chosen as usize).unwrap();
                numbers.push(chosen);
            }
            batch.step(&numbers, memory.buffers()).unwrap();
            for (row, by_hand) in by_hand.iter_mut().enumerate() {
                let points = &memory.points[row * game.players()..][..game.players()];
                let end = next_choice(&mut by_hand.0, &mut by_hand.1);
                assert_eq!(memory.ended[row] == 1, end.is_none(), "{name}");
                match end {
                    Some(_) => assert!(points.iter().all(|&points| points == 0.0), "{name}"),
                    None => {
                        assert_eq!(Some(points), by_hand.0.points().as_deref(), "{name}");
                        n_ended += 1;
                        games[row] += ROWS as u64;
                        *by_hand = start(games[row]);
                    }
                }
            }
        }
        assert!(n_ended > 0 || !["pig", "tic-tac-toe", "kuhn-poker"].contains(&name), "{name}");
    }
}

/// Plays 50 random steps and returns all that was written.
fn written(game: &AnyGame, batch: &mut AnyBatch, threads: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (n, mut all) = (batch.len(), Vec::new());
    let (mut memory, mut numbers) = (Memory::of(game, n), vec![0; n]);
    pool.install(|| {
        batch.reset(3);
        for _ in 0..50 {
            batch.draw_actions(&mut numbers);
            batch.step(&numbers, memory.buffers()).unwrap();
            let Memory { observations, mask, seats, points, ended } = &memory;
            assert!(mask.iter().all(|&one| one < 2) && observations.iter().all(|x| x.is_finite()));
            let bits: Vec<u32> = observations.iter().chain(points).map(|x| x.to_bits()).collect();
            all.push(engine::hash_of(&(&numbers, bits, mask, seats, ended)));
        }
    });
    all
}

#[test]
fn threads_and_a_second_run_change_no_byte_of_a_batch() {
    for name in ["conquest2", "imperium", "pig"] {
        let game = AnyGame::new(&Setup::new(name)).unwrap();
        let mut batch = game.batch(200, 8);
        let once = written(&game, &mut batch, 1);
        assert_eq!(once, written(&game, &mut batch, 2), "{name}");
        assert_eq!(once, written(&game, &mut game.batch(200, 3), 2), "{name}");
    }
}

#[test]
fn an_action_that_is_not_legal_is_refused_with_its_row_and_moves_no_game() {
    let game = AnyGame::new(&Setup::new("tic-tac-toe")).unwrap();
    let (mut memory, mut batch) = (Memory::of(&game, 3), game.batch(3, 1));
    batch.step(&[0, 1, 2], memory.buffers()).unwrap();
    let before = memory.observations.clone();
    for number in [2, 9, u32::MAX] {
        let refused = batch.step(&[1, 0, number], memory.buffers()).unwrap_err();
        assert_eq!(refused, BadStep { row: 2, number });
        assert!(refused.to_string().contains("row 2: action"), "{refused}");
    }
    batch.observe(memory.buffers());
    assert_eq!(memory.observations, before);
}

#[test]
fn a_position_played_out_is_over_and_its_choices_are_counted() {
    for &name in NAMES {
        let game = AnyGame::new(&Setup::new(name)).unwrap();
        let mut fast = rng::fast(&mut rng::stream(2, 0, Purpose::Analysis));
        let mut state = game.start();
        let mut chance = ChanceStreams::new(1, 0);
        let seat = next_choice(&mut state, &mut chance).unwrap();
        state.apply_number(seat, state.action_numbers(seat)[0] as usize).unwrap();
        let refused = state.apply_number(seat, game.n_numbers());
        assert_eq!(refused, Err(engine::IllegalAction), "{name}");
        let plies = state.play_out(&mut fast);
        assert_eq!((state.due(), state.plies()), (Due::Over, plies), "{name}");
        assert!(plies > 1, "{name}: {plies}");
    }
}
