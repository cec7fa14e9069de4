//! Commands and agents inside another program.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::any::Any;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agents::external::{Embedded, EmbeddedGame, embed, withdraw};
use caesar::cli::{Ended, run_within};
use sim::any::AnyGame;
use sim::catalogue::Setup;

/// An agent that plays the last legal action of a world that it was shown, or fails.
struct Last {
    game: AnyGame,
    seat: engine::Player,
    fails: bool,
}

impl Embedded for Last {
    fn start(&mut self, game: EmbeddedGame<'_>) -> Result<(), String> {
        assert_eq!((game.name, game.players), (self.game.name(), self.game.players()));
        assert_eq!(*game.rules, self.game.overrides());
        self.seat = game.seat;
        Ok(())
    }

    fn choose(&mut self, world: &dyn Any, _seed: u32) -> Result<usize, String> {
        let world = self.game.adopt(world).ok_or("another game")?;
        match self.fails {
            true => Ok(world.n_actions(self.seat)),
            false => Ok(world.n_actions(self.seat) - 1),
        }
    }

    fn end(&mut self) -> Result<(), String> {
        Ok(())
    }
}

fn within(words: &str, stop: &Arc<AtomicBool>) -> Ended {
    let words = words.split(' ').map(|word| OsString::from(word.replace('_', " ")));
    run_within(words, Arc::clone(stop)).unwrap()
}

/// One test, for a process runs one command at a time.
#[test]
fn another_program_runs_commands_with_agents_of_its_own() {
    let game = AnyGame::new(&Setup::new("kuhn-poker")).unwrap();
    for (name, fails) in [("inside:last", false), ("inside:wrong", true)] {
        let game = game.clone();
        let seat = engine::Player::new(0);
        embed(name, Arc::new(move || Box::new(Last { game: game.clone(), seat, fails })));
    }
    let (going, stopped) = (Arc::default(), Arc::new(AtomicBool::new(true)));
    let run = "caesar tournament --game kuhn-poker --blocks 40 --agent random --agent";
    let own = |name: &str| format!("{run} external(command=\"inside:{name}\") --format csv");

    let played = within(&own("last"), &going);
    assert_eq!((played.code, played.notes.as_str()), (0, ""));
    assert!(played.printed.starts_with("agent,"), "{}", played.printed);
    assert_eq!(played, within(&own("last"), &going));

    let records = within(&format!("{run} greedy --records -"), &going);
    assert!(records.printed.starts_with("{\"format\""), "{}", records.printed);
    assert!(records.notes.contains("greedy"), "{}", records.notes);

    let wrong = within(&own("wrong"), &going);
    assert_eq!(wrong.code, 1);
    assert!(wrong.notes.is_empty() && !wrong.printed.is_empty());

    let refused = within("caesar tournament --game chess", &going);
    assert_eq!((refused.code, refused.printed.as_str()), (2, ""));
    assert!(refused.notes.starts_with("error: unknown game \"chess\""), "{}", refused.notes);

    let ended = within(&format!("{run} greedy"), &stopped);
    assert_eq!(ended.code, 3, "{}", ended.notes);
    assert!(stopped.load(Ordering::Relaxed) && ended.notes.contains("stopped early"));

    withdraw("inside:last");
    let gone = within(&own("last"), &going);
    assert_eq!(gone.code, 2);
    assert!(gone.notes.contains("there is no program \"inside:last\""), "{}", gone.notes);
}
