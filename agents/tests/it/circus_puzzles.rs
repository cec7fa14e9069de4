//! Forced finishes: the search finds and proves the win in races with a forced win by exhaustive search.
//!
//! A puzzle is a position from a race of greedy drivers with some random plies. The player to move can force a win
//! within six plies against any replies, but not with the next ply. The exhaustive search ([`Forced`]) is independent
//! of the tested search. It prunes lines that cannot work in time, by counting the cards still needed.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agents::AgentSpec;
use engine::games::circus::{Action, Circus, State};
use engine::{ChanceStreams, Game, Player, Purpose, Turn, View, rng};

/// Maximum number of plies of a forced win.
const MOST_PLIES: u32 = 6;
/// The largest card.
const LARGEST: u32 = 5;
/// Maximum number of positions that the exhaustive search visits per puzzle.
const PATIENCE: u64 = 300_000;

/// An exhaustive search for a win of one player against all others.
struct Forced<'a> {
    game: &'a Circus,
    hero: Player,
    left: u64,
}

impl<'a> Forced<'a> {
    fn new(game: &'a Circus, hero: Player) -> Self {
        Self { game, hero, left: PATIENCE }
    }

    /// Returns the least number of cards that the hero needs. Each card moves one chariot by its steps.
    fn cards_needed(&self, state: &State) -> u32 {
        let seat = self.hero.idx();
        let steps = (0..3).map(|n| self.game.steps_to_go(state, seat, n));
        steps.map(|steps| steps.div_ceil(LARGEST)).sum()
    }

    /// Returns whether the hero can force the win within `plies`; `None` if the limit of positions is reached.
    fn wins(&mut self, state: &State, plies: u32) -> Option<bool> {
        let mover = match self.game.turn(state) {
            Turn::Over => return Some(self.game.payoffs(state)[self.hero] >= 1.0),
            Turn::Player(mover) => mover,
            turn => unreachable!("{turn:?} in a race"),
        };
        if self.cards_needed(state) > plies {
            return Some(false);
        }
        self.left = self.left.checked_sub(1)?;
        let mut actions = Vec::new();
        self.game.actions(state, mover, &mut actions);
        for action in actions {
            let mut after = *state;
            self.game.apply(&mut after, action);
            let wins = self.wins(&after, plies - 1)?;
            if wins == (mover == self.hero) {
                return Some(wins);
            }
        }
        Some(mover != self.hero)
    }

    /// Returns the fewest plies in which the hero can force the win, at most six.
    fn distance(&mut self, state: &State) -> Option<u32> {
        for plies in self.cards_needed(state).max(1)..=MOST_PLIES {
            if self.wins(state, plies)? {
                return Some(plies);
            }
        }
        None
    }

    /// Returns whether the win is still forced within the remaining plies after `action`.
    fn keeps_the_win(&mut self, state: &State, action: Action, plies: u32) -> bool {
        let mut after = *state;
        self.game.apply(&mut after, action);
        self.left = PATIENCE * 100;
        self.wins(&after, plies).unwrap()
    }
}

struct Puzzle {
    state: State,
    hero: Player,
    plies: u32,
}

/// Appends the puzzles of one race; at most one per turn of a chariot.
fn puzzles_of(game: &Circus, race: u64, out: &mut Vec<Puzzle>) {
    let spec: AgentSpec = "greedy(epsilon=0.05)".parse().unwrap();
    let mut driver = spec.build(game).unwrap();
    let mut chance = ChanceStreams::new(1, race);
    let mut rng = rng::stream(1, race, Purpose::Agent(0));
    let mut state = game.start();
    loop {
        match game.turn(&state) {
            Turn::Over => return,
            Turn::Player(hero) => {
                let is_new_turn = state.driver().is_some() && state.cards_used() == 0;
                if is_new_turn && state.n_home(hero.idx()) >= 1 {
                    let plies =
                        Forced::new(game, hero).distance(&state).filter(|&plies| plies >= 2);
                    out.extend(plies.map(|plies| Puzzle { state, hero, plies }));
                }
                let action = driver.choose(View::new(game, &state, hero), &mut rng);
                game.apply(&mut state, action);
            }
            _ => {
                let outcome = game.draw(&state, chance.of(game.chance_purpose(&state)));
                game.apply(&mut state, outcome);
            }
        }
    }
}

/// The results of the search.
#[derive(Default, Debug)]
struct Tally {
    puzzles: u32,
    by_plies: [u32; MOST_PLIES as usize + 1],
    found: u32,
    proven: u32,
}

/// Returns the first `n` puzzles of races with this number of players.
fn puzzles(game: &Circus, n: usize) -> Vec<Puzzle> {
    let mut puzzles = Vec::new();
    let mut race = 0;
    while puzzles.len() < n {
        puzzles_of(game, race, &mut puzzles);
        race += 1;
        assert!(race < 100_000, "too few puzzles");
    }
    puzzles.truncate(n);
    puzzles
}

fn solve(game: &Circus, spec: &str, puzzles: &[Puzzle]) -> Tally {
    let mut tally = Tally::default();
    let spec: AgentSpec = spec.parse().unwrap();
    let mut agent = spec.build(game).unwrap();
    for (i, puzzle) in puzzles.iter().enumerate() {
        agent.start(game, puzzle.hero);
        let mut rng = rng::stream(2, i as u64, Purpose::Agent(0));
        let chosen = agent.choose(View::new(game, &puzzle.state, puzzle.hero), &mut rng);
        let report = agent.report(game).unwrap();
        let text = engine::Notation::action_text(game, chosen);
        let option = report.options.iter().find(|option| option.action == text).unwrap();
        let is_proven = option.is_proven && option.values[puzzle.hero.idx()] >= 1.0;
        // A proof may belong to a longer win than the shortest. An unproven win must lie within six plies.
        let keeps = is_proven
            || Forced::new(game, puzzle.hero).keeps_the_win(&puzzle.state, chosen, MOST_PLIES - 1);
        tally.puzzles += 1;
        tally.by_plies[puzzle.plies as usize] += 1;
        tally.found += u32::from(keeps);
        tally.proven += u32::from(is_proven);
    }
    tally
}

fn check(n_players: usize, n_puzzles: usize, spec: &str) {
    let game = Circus::new(n_players);
    let tally = solve(&game, spec, &puzzles(&game, n_puzzles));
    println!("{n_players} players, {spec}: {tally:?}");
    let enough = |n: u32| 100 * n >= 95 * tally.puzzles;
    assert!(enough(tally.found), "wins found: {tally:?}");
    assert!(enough(tally.proven), "wins proven: {tally:?}");
}

#[test]
fn forced_finishes_of_two_are_found_and_proven() {
    check(2, 40, "mcts(iterations=20000)");
}

#[test]
fn forced_finishes_of_three_are_found_and_proven() {
    check(3, 40, "mcts(iterations=20000)");
}

#[test]
#[ignore = "slow: 600 puzzles at five budgets take half a minute; 80 are in the default suite: `just puzzles` runs it"]
fn a_thousand_iterations_prove_95_of_100_and_more_do_too() {
    for n_players in 2..=4 {
        let game = Circus::new(n_players);
        let puzzles = puzzles(&game, 200);
        for iterations in [200, 1000, 5000, 20_000, 50_000] {
            let tally = solve(&game, &format!("mcts(iterations={iterations})"), &puzzles);
            println!("{n_players} players, {iterations} iterations: {tally:?}");
            let are_most_proven = tally.proven * 100 >= tally.puzzles * 95;
            assert!(iterations < 1_000 || are_most_proven, "{n_players} {iterations} {tally:?}");
        }
    }
}

/// A check of the exhaustive search: random opponents cannot spoil a forced win.
#[test]
fn what_is_forced_is_won_against_anybody() {
    let game = Circus::new(3);
    for (i, puzzle) in puzzles(&game, 10).into_iter().enumerate() {
        let mut state = puzzle.state;
        let mut dice = rng::stream(3, i as u64, Purpose::Analysis);
        for plies in (0..puzzle.plies).rev() {
            let Turn::Player(mover) = game.turn(&state) else { break };
            let mut actions = Vec::new();
            game.actions(&state, mover, &mut actions);
            let action = if mover == puzzle.hero {
                let mut forced = Forced::new(&game, puzzle.hero);
                *actions.iter().find(|&&a| forced.keeps_the_win(&state, a, plies)).unwrap()
            } else {
                game.random_action(&state, mover, &mut dice, &mut Vec::new())
            };
            game.apply(&mut state, action);
        }
        assert_eq!(game.turn(&state), Turn::Over);
        assert!(game.payoffs(&state)[puzzle.hero] >= 1.0);
    }
}
