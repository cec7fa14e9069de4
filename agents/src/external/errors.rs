//! The standard error of programs: whole lines with agent, seat and game in front, and only the first lines of a game.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of lines passed on per game.
const MOST_LINES: u64 = 20;
/// Maximum number of bytes passed on per line.
const LONGEST: u64 = 2000;

/// The game that a program plays, and its number of lines in this game.
#[derive(Debug, Default)]
struct Game {
    /// Agent, seat and game, as text.
    name: String,
    lines: u64,
}

/// The destination of one program's lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Errors(Arc<Mutex<Game>>);

impl Errors {
    /// Begins a game, which `name` identifies. Writes the number of suppressed lines of the game before.
    pub(super) fn begin(&self, name: String) {
        let mut game = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        emit(rest(&game));
        *game = Game { name, lines: 0 };
    }

    /// Ends the last game.
    fn end(&self) {
        self.begin(String::new());
    }

    /// Returns the output for an input line, if the line is among the first of its game.
    fn named(&self, line: &[u8]) -> Option<String> {
        let mut game = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        game.lines += 1;
        (game.lines <= MOST_LINES).then(|| format!("{}: {}\n", game.name, printable(line)))
    }

    /// Passes on all lines of `stderr`, up to its end.
    pub(super) fn pass_on(&self, stderr: impl Read) {
        let mut stderr = BufReader::new(stderr);
        loop {
            let mut line = Vec::new();
            let read = stderr.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            if !read.is_ok_and(|bytes| bytes > 0) {
                return self.end();
            }
            emit(self.named(line.strip_suffix(b"\n").unwrap_or(&line)));
        }
    }
}

/// Returns the number of suppressed lines of `game` as text, if there are any.
fn rest(game: &Game) -> Option<String> {
    let more = game.lines.checked_sub(MOST_LINES).filter(|&more| more > 0)?;
    let s = if more == 1 { "" } else { "s" };
    Some(format!("{}: … {more} more line{s}\n", game.name))
}

/// Writes a whole line at once, so that lines of several programs never mix.
fn emit(line: Option<String>) {
    if let Some(line) = line {
        // The reader may be gone.
        io::stderr().lock().write_all(line.as_bytes()).unwrap_or_default();
    }
}

/// Returns the line with control characters and changes of text direction as escapes.
fn printable(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.strip_suffix('\r').unwrap_or(&text);
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\t' => out.push(c),
            c if c.is_control() || turns(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_carry_their_game_are_escaped_and_only_the_first_are_passed_on() {
        let errors = Errors::default();
        errors.begin("bot, seat 2, game 7".to_owned());
        let line = errors.named(b"oh \x1b[2J no\r").unwrap();
        assert_eq!(line, "bot, seat 2, game 7: oh \\u{1b}[2J no\n");
        let passed = (1..30).filter(|_| errors.named(b"again").is_some()).count();
        assert_eq!(passed as u64, MOST_LINES - 1);
        let left = rest(&errors.0.lock().unwrap());
        assert_eq!(left.as_deref(), Some("bot, seat 2, game 7: … 10 more lines\n"));
        errors.begin("bot, seat 1, game 8".to_owned());
        assert!(errors.named(b"").is_some() && rest(&errors.0.lock().unwrap()).is_none());
    }
}
