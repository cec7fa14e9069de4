//! Agents that cheat or panic: they forfeit, and the tournament goes on. If the machine fails an agent, the run ends.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use agents::random::Random;
use agents::{Agent, Fault, GameEnd, Observable, Playable};
use engine::games::goofspiel::Goofspiel;
use engine::games::pig::Pig;
use engine::games::tic_tac_toe::TicTacToe;
use engine::{Configure, Game, Player, Rules, Stream, View};
use sim::error::Error;
use sim::event::{Event, GameResult, Observer};
use sim::record::stream::{Telling, check};
use sim::runner::{Job, RecordHeader, run};
use sim::schedule::Timetable;

/// The fault of a bad agent, at its third choice (or before its first).
#[derive(Clone, Copy, Debug)]
enum Crime {
    PlaysWhatItPlayedBefore,
    Panics,
    PanicsAtTheStart,
    PanicsAtTheEnd,
}

struct Bad<G: Game> {
    crime: Crime,
    good: Random<G>,
    choices: u32,
    last: Option<G::Action>,
}

impl<G: Game> Agent<G> for Bad<G> {
    fn start(&mut self, _game: &G, _seat: Player) {
        self.choices = 0;
        assert!(!matches!(self.crime, Crime::PanicsAtTheStart), "no wish to play");
    }

    fn choose(&mut self, view: View<'_, G>, rng: &mut Stream) -> G::Action {
        self.choices += 1;
        match (self.crime, self.last) {
            (Crime::PlaysWhatItPlayedBefore, Some(last)) if self.choices > 2 => last,
            (Crime::Panics, _) if self.choices > 2 => panic!("lost at choice {}", self.choices),
            _ => {
                let action = self.good.choose(view, rng);
                self.last = Some(action);
                action
            }
        }
    }

    fn end(&mut self, _end: GameEnd<'_, G>) {
        assert!(!matches!(self.crime, Crime::PanicsAtTheEnd), "no wish to part");
    }
}

#[derive(Default)]
struct CollectedGames(Vec<GameResult>);

impl Observer for CollectedGames {
    fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::GameOver(game) = event {
            self.0.push((*game).clone());
        }
        ControlFlow::Continue(())
    }
}

/// Plays games with a bad agent as the first entrant.
fn games_with<G: Playable + Observable>(n_players: usize, crime: Crime) -> Vec<GameResult> {
    let game = G::configure(n_players, &Rules::of::<G>()).unwrap();
    let build = |entrant: usize| -> Box<dyn Agent<G>> {
        match entrant {
            0 => Box::new(Bad { crime, good: Random::default(), choices: 0, last: None }),
            _ => Box::new(Random::default()),
        }
    };
    let lineup = (0..n_players).map(|entrant| format!("entrant-{entrant}")).collect();
    let job = Job {
        seed: 1,
        timetable: Timetable::balanced(n_players),
        blocks: 0..20,
        threads: 2,
        records: Some(RecordHeader { rules: serde_json::json!({}), lineup }),
        extras: true,
        starts: None,
        luck: false,
    };
    let mut collected = CollectedGames::default();
    let blocks = run(&game, &build, &job, &mut collected, &AtomicBool::new(false)).unwrap();
    assert_eq!(blocks, 20);
    assert_eq!(collected.0.len(), 20 * n_players);
    collected.0
}

fn offence(game: &GameResult) -> Option<&str> {
    let forfeit = game.forfeit.as_ref()?;
    assert_eq!(game.seating[forfeit.player], 0, "only the first entrant is bad");
    Some(&forfeit.reason)
}

fn assert_records_replay(games: &[GameResult]) {
    let text: String = games.iter().filter_map(|game| game.record.as_ref()?.text()).collect();
    let mut n = 0;
    check(&mut text.as_bytes(), &Telling::default(), &mut |checked| {
        n += 1;
        assert_eq!(checked.fault, None);
        Ok::<(), std::io::Error>(())
    })
    .unwrap();
    assert_eq!(n, games.len());
}

#[test]
fn an_illegal_action_forfeits_and_the_others_share_the_point() {
    let games = games_with::<TicTacToe>(2, Crime::PlaysWhatItPlayedBefore);
    assert_records_replay(&games);
    for game in &games {
        let Some(reason) = offence(game) else { continue };
        assert!(reason.starts_with("illegal action \""), "{reason}");
        let loser = game.forfeit.as_ref().unwrap().player;
        assert_eq!((game.points[loser], game.points[1 - loser]), (0.0, 1.0));
        assert!(game.record.as_ref().unwrap().text().unwrap().contains(r#""forfeit":{"player":"#));
    }
    assert!(games.iter().filter(|game| offence(game).is_some()).count() > 20);
}

#[test]
fn a_panic_is_caught_and_the_next_game_starts_afresh() {
    let games = games_with::<Pig>(4, Crime::Panics);
    assert_records_replay(&games);
    assert!(games.iter().all(|game| offence(game) == Some("panic: lost at choice 3")));
    assert!(games.iter().all(|game| (game.points.iter().sum::<f32>() - 1.0).abs() < 1e-6));
}

#[test]
fn a_panic_before_the_first_event_is_caught() {
    let games = games_with::<Pig>(3, Crime::PanicsAtTheStart);
    assert_records_replay(&games);
    assert!(games.iter().all(|game| game.plies == 0));
    assert!(games.iter().all(|game| offence(game) == Some("panic: no wish to play")));
}

#[test]
fn a_panic_after_the_last_event_is_caught_and_costs_the_game() {
    let games = games_with::<Goofspiel>(3, Crime::PanicsAtTheEnd);
    assert_records_replay(&games);
    for game in &games {
        assert_eq!(offence(game), Some("panic: no wish to part"));
        assert!(game.points[game.forfeit.as_ref().unwrap().player] < 1e-6);
        assert!((game.points.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn simultaneous_turns_can_be_forfeited() {
    for crime in [Crime::Panics, Crime::PlaysWhatItPlayedBefore] {
        let games = games_with::<Goofspiel>(3, crime);
        assert_records_replay(&games);
        assert!(games.iter().all(|game| offence(game).is_some()), "{crime:?}");
    }
}

#[test]
fn a_stopped_run_tells_of_whole_blocks_from_the_first_on() {
    struct StopAt<'a>(CollectedGames, &'a AtomicBool);
    impl Observer for StopAt<'_> {
        fn on(&mut self, event: &Event<'_>) -> ControlFlow<()> {
            self.1.store(self.0.0.len() >= 10, Ordering::Relaxed);
            self.0.on(event)
        }
    }
    let game = Pig::configure(3, &Rules::of::<Pig>()).unwrap();
    let made = AtomicU32::new(0);
    let build = |_: usize| -> Box<dyn Agent<Pig>> {
        made.fetch_add(1, Ordering::Relaxed);
        Box::new(Random::default())
    };
    let (timetable, stop) = (Timetable::balanced(3), AtomicBool::new(false));
    let blocks = 0..1 << 40;
    let job = Job {
        seed: 1,
        timetable,
        blocks,
        threads: 2,
        records: None,
        extras: false,
        starts: None,
        luck: false,
    };
    let mut observer = StopAt(CollectedGames::default(), &stop);
    let blocks = run(&game, &build, &job, &mut observer, &stop).unwrap();
    let collected = observer.0.0;
    assert!(blocks > 0 && collected.len() as u64 == 3 * blocks);
    assert!(collected.iter().enumerate().all(|(i, game)| game.index == i as u64));
    assert!(made.load(Ordering::Relaxed) <= 3 * 4, "agents are reused from game to game");
}

/// The moment at which the machine fails an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
enum When {
    Start,
    Choice,
    End,
}

/// An agent that the machine fails in game 31, and that is otherwise random.
struct Unlucky {
    when: When,
    good: Random<Pig>,
    index: u64,
    is_due: bool,
}

impl Unlucky {
    fn suffer(&mut self, when: When) {
        self.is_due = self.index == 31 && self.when == when;
    }
}

impl Agent<Pig> for Unlucky {
    fn announce(&mut self, index: u64) {
        self.index = index;
    }

    fn start(&mut self, _game: &Pig, _seat: Player) {
        self.suffer(When::Start);
    }

    fn choose(&mut self, view: View<'_, Pig>, rng: &mut Stream) -> <Pig as Game>::Action {
        self.suffer(When::Choice);
        self.good.choose(view, rng)
    }

    fn end(&mut self, _end: GameEnd<'_, Pig>) {
        self.suffer(When::End);
    }

    fn fault(&mut self) -> Option<Fault> {
        let reason = "no more descriptors".to_owned();
        self.is_due.then_some(Fault::Host { reason, remedy: None })
    }
}

#[test]
fn a_fault_of_the_machine_ends_the_run_before_its_block_and_is_nobodys_defeat() {
    let game = Pig::configure(3, &Rules::of::<Pig>()).unwrap();
    for when in [When::Start, When::Choice, When::End] {
        for threads in [1, 2] {
            let build = |entrant: usize| -> Box<dyn Agent<Pig>> {
                match entrant {
                    0 => {
                        Box::new(Unlucky { when, good: Random::default(), index: 0, is_due: false })
                    }
                    _ => Box::new(Random::default()),
                }
            };
            let timetable = Timetable::balanced(3);
            let job = Job {
                seed: 1,
                timetable,
                blocks: 0..1_000,
                threads,
                records: None,
                extras: false,
                starts: None,
                luck: false,
            };
            let mut collected = CollectedGames::default();
            let error =
                run(&game, &build, &job, &mut collected, &AtomicBool::new(false)).unwrap_err();
            assert!(matches!(error, Error::Host(_)) && error.exit_code() == 1, "{error}");
            let text = error.to_string();
            assert!(text.starts_with("game 32: no more descriptors\n"), "{text}");
            assert_eq!(text.lines().count(), 2, "{text}");
            // Game 32 is the second of block 11: neither this block nor a later block is reported.
            let games = collected.0;
            assert!(
                games.len() <= 30 && games.len().is_multiple_of(3),
                "{when:?}: {}",
                games.len()
            );
            assert!(threads == 2 || games.len() == 30, "{when:?}: {}", games.len());
            assert!(games.iter().enumerate().all(|(i, game)| game.index == i as u64));
            assert!(games.iter().all(|game| game.forfeit.is_none()));
        }
    }
}
