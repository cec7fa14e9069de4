//! A program that is asked by lines on its standard input and answers by lines on its standard output.
//!
//! Two threads hold the pipes, one writing and one reading, so that waiting always has an end: for a program that
//! does not answer as for one that does not read. They end when the program does, or when it closes its pipes.
//! This is the only place of the workspace that starts programs; what the lines mean is no business of it.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::Duration;

/// The longest line that is read, in bytes without its end.
const LONGEST_LINE: usize = 1 << 20;
/// Lines that are read before anybody asks for them.
const READ_AHEAD: usize = 1;
/// How long a program may take to end once its input is closed, or to be found dead once its output is.
const GRACE: Duration = Duration::from_secs(1);
/// How often it is looked at in that time.
const LOOKS: u32 = 200;

/// A running program; it is killed, if need be, and reaped when this is dropped.
#[derive(Debug)]
pub(super) struct Program {
    child: Child,
    /// Lines to write; without it the program's input closes once all of them are written.
    requests: Option<Sender<String>>,
    /// Lines that were read, up to the end of the program's output.
    answers: Receiver<Line>,
    /// Whether the program may end by itself when it is no longer needed.
    may_end: bool,
}

#[derive(Debug)]
enum Line {
    Whole(Vec<u8>),
    TooLong,
}

impl Program {
    /// Starts the program `command[0]` with the arguments that follow. Its standard error is that of this process.
    ///
    /// # Errors
    /// If it cannot be started: the message says why.
    pub(super) fn start(command: &[String]) -> Result<Self, String> {
        let (name, arguments) = command.split_first().ok_or("the command is empty")?;
        let failed = |e| format!("cannot start \"{name}\": {e}");
        let mut process = Command::new(name);
        process.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        keep_from_terminal(&mut process);
        let mut child = process.spawn().map_err(failed)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (requests, to_write) = mpsc::channel();
        let (read, answers) = mpsc::sync_channel(READ_AHEAD);
        let program = Self { child, requests: Some(requests), answers, may_end: true };
        let input = input.expect("the input is a pipe");
        let output = output.expect("the output is a pipe");
        thread::Builder::new().spawn(move || write_lines(input, &to_write)).map_err(failed)?;
        thread::Builder::new().spawn(move || read_lines(output, &read)).map_err(failed)?;
        Ok(program)
    }

    /// Sends a line, without waiting for anything.
    pub(super) fn tell(&mut self, line: &str) {
        if let Some(requests) = &self.requests {
            // A program that is gone is noticed when it is asked for an answer.
            requests.send(format!("{line}\n")).unwrap_or_default();
        }
    }

    /// Sends a line and waits for a line, for `limit` at most.
    ///
    /// # Errors
    /// If no line comes: the message says why.
    pub(super) fn ask(&mut self, line: &str, limit: Duration) -> Result<Vec<u8>, String> {
        self.tell(line);
        match self.answers.recv_timeout(limit) {
            Ok(Line::Whole(answer)) => Ok(answer),
            Ok(Line::TooLong) => Err(format!("an answer of more than {LONGEST_LINE} bytes")),
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("no answer within {} s", limit.as_secs_f64()))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.why_silent()),
        }
    }

    /// What became of a program whose output has ended.
    fn why_silent(&mut self) -> String {
        match self.wait() {
            Some(status) => format!("the program ended ({status}) and did not answer"),
            None => "the program closed its standard output and did not answer".to_owned(),
        }
    }

    /// Waits for the end of the program, for [`GRACE`] at most; gives its status in words.
    fn wait(&mut self) -> Option<String> {
        for _ in 0..LOOKS {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) => thread::sleep(GRACE / LOOKS),
                Err(error) => return Some(error.to_string()),
            }
        }
        None
    }

    /// Ends the program without waiting for it.
    pub(super) fn kill(mut self) {
        self.may_end = false;
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.requests = None;
        if !(self.may_end && self.wait().is_some()) {
            kill_group(&self.child);
            self.child.kill().unwrap_or_default();
            self.child.wait().map(drop).unwrap_or_default();
        }
    }
}

fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(output: ChildStdout, answers: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let mut bounded = output.by_ref().take(LONGEST_LINE as u64 + 1);
        if bounded.read_until(b'\n', &mut line).is_err() {
            return;
        }
        let is_whole = line.pop() == Some(b'\n');
        let line = match is_whole {
            true => Line::Whole(line),
            false if line.len() == LONGEST_LINE => Line::TooLong,
            false => return,
        };
        if answers.send(line).is_err() || !is_whole {
            return;
        }
    }
}

/// Ctrl-C ends a tournament after the games that are being played, so it must not end the programs that play them.
#[cfg(unix)]
fn keep_from_terminal(process: &mut Command) {
    use std::os::unix::process::CommandExt;
    process.process_group(0);
}

#[cfg(windows)]
fn keep_from_terminal(process: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    process.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

#[cfg(not(any(unix, windows)))]
fn keep_from_terminal(_process: &mut Command) {}

/// Kills what the program has started in its turn, as a shell script does.
#[cfg(unix)]
fn kill_group(child: &Child) {
    let group = format!("-{}", child.id());
    let mut kill = Command::new("kill");
    kill.args(["-s", "KILL", "--", &group]).stdout(Stdio::null()).stderr(Stdio::null());
    kill.status().map(drop).unwrap_or_default();
}

#[cfg(not(unix))]
fn kill_group(_child: &Child) {}

/// Whether `name` can be started: a path of an executable file, or the name of one in a directory of `PATH`.
pub(super) fn is_there(name: &str) -> bool {
    let is_path = Path::new(name).components().count() > 1;
    if is_path {
        return is_executable(Path::new(name));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|dir| is_executable(&dir.join(name)))
}

fn is_executable(path: &Path) -> bool {
    let mut with_suffix = path.as_os_str().to_owned();
    with_suffix.push(env::consts::EXE_SUFFIX);
    may_run(path) || may_run(Path::new(&with_suffix))
}

#[cfg(unix)]
fn may_run(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn may_run(path: &Path) -> bool {
    path.is_file()
}

/// The words of a command: blanks separate them, single quotes keep them together. There is no other magic.
///
/// # Errors
/// If there is no word, or a quote is open at the end.
pub(super) fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    for c in text.chars() {
        match c {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !is_quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match words.first() {
        _ if is_quoted => Err(format!("command = \"{text}\": the closing ' is missing")),
        Some(name) if !name.is_empty() => Ok(words),
        _ => Err(format!("command = \"{text}\": there is no program in it")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        split_words(text).unwrap()
    }

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(words("python3 bot.py  -x"), ["python3", "bot.py", "-x"]);
        assert_eq!(words("run 'my bot.py' ''"), ["run", "my bot.py", ""]);
        assert_eq!(words(r"C:\bot.exe a'b c'd"), [r"C:\bot.exe", "ab cd"]);
        assert!(split_words("run 'my bot").unwrap_err().contains("the closing ' is missing"));
        assert!(split_words("  ").unwrap_err().contains("no program"));
        assert!(split_words("''").unwrap_err().contains("no program"));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_looked_for_on_the_path_and_must_be_executable() {
        assert!(is_there("sh") && is_there("/bin/sh"));
        assert!(!is_there("no-such-program") && !is_there("/bin/no-such-program"));
        assert!(!is_there("/") && !is_there("src/lib.rs") && !is_there(""));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_does_not_read_costs_no_more_than_the_limit() {
        let mut program = Program::start(&words("sleep 60")).unwrap();
        let long = "x".repeat(1 << 20);
        let answer = program.ask(&long, Duration::from_millis(50));
        assert_eq!(answer.unwrap_err(), "no answer within 0.05 s");
        program.kill();
    }

    #[cfg(unix)]
    #[test]
    fn an_echo_answers_line_by_line_and_ends_with_its_input() {
        let mut program = Program::start(&words("cat")).unwrap();
        for line in ["one", "two"] {
            assert_eq!(program.ask(line, GRACE).unwrap(), line.as_bytes());
        }
        program.requests = None;
        assert_eq!(program.wait().as_deref(), Some("exit status: 0"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_is_left_of_a_program_that_ignores_the_end_of_its_input() {
        let script = "echo $$; sleep 60 & echo $!; while true; do sleep 60; done";
        let command = ["sh", "-c", script].map(str::to_owned);
        let mut program = Program::start(&command).unwrap();
        let ids = [(); 2].map(|()| {
            let line = program.ask("", Duration::from_secs(10)).unwrap();
            String::from_utf8(line).unwrap()
        });
        let is_alive = |id: &String| {
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            stat.rsplit(") ")
                .next()
                .is_some_and(|state| !state.is_empty() && !state.starts_with('Z'))
        };
        assert!(ids.iter().all(is_alive));
        program.kill();
        // Killed is not yet gone: that takes the system a moment.
        let is_gone = (0..200).any(|_| {
            thread::sleep(Duration::from_millis(10));
            !ids.iter().any(is_alive)
        });
        assert!(is_gone, "{ids:?}");
    }
}
