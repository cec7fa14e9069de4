//! A program that reads requests as lines from its standard input and writes answers as lines to its standard output.
//!
//! Three threads hold the pipes, one for writing and two for reading. So every wait ends, even if the program does not
//! answer or does not read. The threads end with the program, or when it closes its pipes. At most two lines of a
//! program are in memory, because the pipe blocks the rest. Only this module of the workspace starts programs. It does
//! not interpret the lines.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::consent::Consent;
use super::errors::Errors;
use super::launch::Launch;
use super::running;
use crate::agent::Fault;
use crate::halt;

/// Maximum length of a line in bytes, without its end.
pub(super) const LONGEST_LINE: usize = 1 << 20;
/// Number of lines that are read before they are needed.
const READ_AHEAD: usize = 1;
/// Time for a program to end after its input closes, or to be found dead after its output ends.
const GRACE: Duration = Duration::from_secs(1);
/// Number of checks in that time.
const LOOKS: u32 = 200;
/// Interval of counted time during a wait for an answer. If a check takes longer because this process was stopped, the
/// extra time does not count against the program.
const STEP: Duration = Duration::from_millis(100);
/// Time for the reading thread to deliver the data in the pipe at the time limit.
const LAST_LOOK: Duration = Duration::from_millis(50);

/// A running program. Dropping this value ends the program, by a kill if necessary, and reaps it.
#[derive(Debug)]
pub(super) struct Program {
    child: Child,
    /// Lines to write. Dropping the sender closes the program's input after the last line.
    requests: Option<Sender<String>>,
    /// Lines that were read, up to the end of the program's output.
    answers: Receiver<RawLine>,
    errors: Errors,
    /// A channel that closes after all of the program's standard error was passed on.
    errors_end: Receiver<()>,
    /// Time of the last wait for an answer, without stops of this process.
    waited: Duration,
    /// True if the program may end by itself when it is no longer needed.
    may_end: bool,
    /// True if the program was reaped. Then the system may reuse its id.
    is_reaped: bool,
}

#[derive(Debug)]
enum RawLine {
    Whole(Vec<u8>),
    TooLong,
}

/// The answer of a program.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Reply {
    /// The line, without its end.
    pub(super) line: Vec<u8>,
    /// True if the line was there before the request. Then the request was not sent.
    pub(super) is_early: bool,
}

impl Program {
    /// Starts a program.
    ///
    /// # Errors
    /// If the program cannot start. The fault is the machine's if a resource or the consent is missing, else the
    /// program's.
    pub(super) fn start(launch: &Launch, consent: Consent) -> Result<Self, Fault> {
        let name = launch.program();
        if !consent.may_start() {
            let what = format!("\"{name}\" was not allowed to start");
            return Err(Fault::Host { reason: what, remedy: None });
        }
        let mut process = launch.process();
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        keep_from_terminal(&mut process);
        let mut child = process.spawn().map_err(|error| not_started(name, &error))?;
        running::note(child.id());
        let (input, output, errors) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (requests, to_write) = mpsc::channel();
        let (read, answers) = mpsc::sync_channel(READ_AHEAD);
        let (passed_on, errors_end) = mpsc::channel();
        let mut program = Self {
            child,
            requests: Some(requests),
            answers,
            errors: Errors::default(),
            errors_end,
            waited: Duration::ZERO,
            may_end: false,
            is_reaped: false,
        };
        let input = input.expect("the input is a pipe");
        let output = output.expect("the output is a pipe");
        let stderr = errors.expect("the standard error is a pipe");
        let errors = program.errors.clone();
        let no_thread = |e| short(format!("cannot start a thread for \"{name}\": {e}"));
        thread::Builder::new().spawn(move || write_lines(input, &to_write)).map_err(no_thread)?;
        thread::Builder::new().spawn(move || read_lines(output, &read)).map_err(no_thread)?;
        let pass_on = move || {
            errors.pass_on(stderr);
            drop::<Sender<()>>(passed_on);
        };
        thread::Builder::new().spawn(pass_on).map_err(no_thread)?;
        program.may_end = true;
        Ok(program)
    }

    /// Begins a game: later lines of the program's standard error get `name` in front.
    pub(super) fn begin_game(&self, name: String) {
        self.errors.begin(name);
    }

    /// Sends a line without waiting.
    pub(super) fn send(&mut self, line: &str) {
        if let Some(requests) = &self.requests {
            // The end of a program is noticed at the next request.
            requests.send(format!("{line}\n")).unwrap_or_default();
        }
    }

    /// Sends a line and waits for an answer, for `limit` at most. A line that is already there returns at once.
    ///
    /// # Errors
    /// If no complete line arrives: the message gives the reason.
    pub(super) fn ask(&mut self, line: &str, limit: Duration) -> Result<Reply, String> {
        self.waited = Duration::ZERO;
        let early = self.answers.try_recv().ok();
        let is_early = early.is_some();
        let reply = early.map_or_else(|| self.ask_and_wait(line, limit), Ok)?;
        match reply {
            RawLine::Whole(line) => Ok(Reply { line, is_early }),
            RawLine::TooLong => Err(format!("a line of more than {LONGEST_LINE} bytes")),
        }
    }

    fn ask_and_wait(&mut self, line: &str, limit: Duration) -> Result<RawLine, String> {
        self.send(line);
        let (reply, waited) = await_counted(limit, |step| self.answers.recv_timeout(step));
        self.waited = waited;
        reply.map_err(|error| match error {
            RecvTimeoutError::Timeout => format!("no answer within {} s", limit.as_secs_f64()),
            RecvTimeoutError::Disconnected => self.why_silent(),
        })
    }

    /// Returns the time of the last wait for an answer; at least its limit if no answer came.
    pub(super) const fn waited(&self) -> Duration {
        self.waited
    }

    /// Returns the most memory that the program has held, in bytes, where the system says so.
    pub(super) fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(peak.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
    }

    /// Returns the reason why a program's output has ended.
    fn why_silent(&mut self) -> String {
        if self.ends() {
            format!("the program ended ({}) and did not answer", self.reap())
        } else {
            "the program closed its standard output and did not answer".to_owned()
        }
    }

    /// Waits for the end of the program, for [`GRACE`] at most. Returns whether it has ended.
    fn ends(&mut self) -> bool {
        (0..LOOKS).any(|look| {
            if look > 0 {
                thread::sleep(GRACE / LOOKS);
            }
            has_ended(&mut self.child)
        })
    }

    /// Kills the program and its children, and returns its status as text.
    fn reap(&mut self) -> String {
        // Until the wait below, the system cannot reuse the id.
        kill_group(&self.child);
        running::forget(self.child.id());
        self.child.kill().unwrap_or_default();
        let status = self.child.wait();
        self.is_reaped = true;
        status.map_or_else(|error| error.to_string(), |status| status.to_string())
    }

    /// Ends the program without waiting for it.
    pub(super) fn kill(mut self) {
        self.may_end = false;
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.requests = None;
        if !self.is_reaped && self.may_end && self.ends() {
            running::forget(self.child.id());
            self.child.wait().map(drop).unwrap_or_default();
        } else if !self.is_reaped {
            self.reap();
        }
        // The last lines of the program are passed on, unless another process holds its pipe.
        self.errors_end.recv_timeout(GRACE).unwrap_or_default();
    }
}

/// Calls `look`, which waits for the given time, until `limit` is used up. Time counts by calls and not by the clock.
/// So a process that was stopped still finds the data that is ready when it continues. Also returns the used time.
fn await_counted<T>(
    limit: Duration,
    mut look: impl FnMut(Duration) -> Result<T, RecvTimeoutError>,
) -> (Result<T, RecvTimeoutError>, Duration) {
    let mut left = limit;
    while !left.is_zero() {
        let (step, since) = (left.min(STEP), Instant::now());
        match look(step) {
            // The answer is no longer needed.
            Err(RecvTimeoutError::Timeout) if halt::is_raised() => break,
            Err(RecvTimeoutError::Timeout) => left -= step,
            reply => return (reply, limit - left + since.elapsed().min(step)),
        }
    }
    (look(LAST_LOOK), limit)
}

/// Returns the fault for a program `name` that did not start: the machine's or the program's.
fn not_started(name: &str, error: &io::Error) -> Fault {
    let reason = format!("cannot start \"{name}\": {error}");
    if is_shortage(error) { short(reason) } else { Fault::Agent(reason) }
}

/// Returns a fault of the machine for a missing resource.
fn short(reason: String) -> Fault {
    let remedy = "raise its limits (ulimit -n, ulimit -u) or take fewer threads";
    Fault::Host { reason, remedy: Some(remedy) }
}

/// Returns whether the machine lacks descriptors, memory or processes to start a program.
#[cfg(unix)]
fn is_shortage(error: &io::Error) -> bool {
    use rustix::io::Errno;
    const SHORTAGES: [Errno; 4] = [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::AGAIN];
    Errno::from_io_error(error).is_some_and(|errno| SHORTAGES.contains(&errno))
}

#[cfg(not(unix))]
fn is_shortage(error: &io::Error) -> bool {
    // Too many open files, no memory for a command, no system resources, no room in the paging file.
    const SHORTAGES: [i32; 4] = [4, 8, 1450, 1455];
    error.kind() == io::ErrorKind::OutOfMemory
        || error.raw_os_error().is_some_and(|code| SHORTAGES.contains(&code))
}

fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(output: ChildStdout, answers: &SyncSender<RawLine>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let mut bounded = output.by_ref().take(LONGEST_LINE as u64 + 1);
        if bounded.read_until(b'\n', &mut line).is_err() {
            return;
        }
        let is_whole = line.pop() == Some(b'\n');
        let line = match is_whole {
            true => RawLine::Whole(line),
            false if line.len() == LONGEST_LINE => RawLine::TooLong,
            false => return,
        };
        if answers.send(line).is_err() || !is_whole {
            return;
        }
    }
}

/// Keeps Ctrl-C from the program. The process that handles Ctrl-C ends the programs, and their own end would count as a
/// fault.
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

/// Returns whether the program has ended. It does not reap the program, so the id stays reserved.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // Without this service of the system there is no end to wait for.
    waitid(WaitId::Pid(Pid::from_child(child)), options).map_or(true, |status| status.is_some())
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    child.try_wait().map_or(true, |status| status.is_some())
}

/// Kills the children of the program, for example those of a shell script.
#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    kill_process_group(Pid::from_child(child), Signal::KILL).unwrap_or_default();
}

#[cfg(not(unix))]
fn kill_group(_child: &Child) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn started(command: &str) -> Program {
        let launch = Launch::new(command, None, None).unwrap();
        Program::start(&launch, Consent::of_tests()).unwrap()
    }

    /// A stop of this process counts as one long check; the program keeps all other checks.
    #[test]
    fn time_in_which_this_process_is_stopped_does_not_count() {
        let limit = STEP * 10;
        let answers_at = |nth: u32| {
            let mut looks = 0;
            let (reply, _) = await_counted(limit, |_| {
                looks += 1;
                if looks == nth { Ok(nth) } else { Err(RecvTimeoutError::Timeout) }
            });
            (reply, looks)
        };
        assert_eq!(answers_at(11), (Ok(11), 11));
        assert_eq!(answers_at(12), (Err(RecvTimeoutError::Timeout), 11));
    }

    #[cfg(unix)]
    fn shell(script: &str) -> Program {
        started(&format!("sh -c '{}'", script.replace('\'', "''")))
    }

    /// Waits until an unrequested line is there.
    #[cfg(unix)]
    fn await_early(program: &mut Program) -> RawLine {
        program.answers.recv_timeout(Duration::from_secs(30)).unwrap()
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_does_not_read_costs_no_more_than_the_limit() {
        let mut program = started("sleep 60");
        let long = "x".repeat(1 << 20);
        let answer = program.ask(&long, Duration::from_millis(50));
        assert_eq!(answer.unwrap_err(), "no answer within 0.05 s");
        program.kill();
    }

    #[cfg(unix)]
    #[test]
    fn an_echo_answers_line_by_line_and_ends_with_its_input() {
        let mut program = started("cat");
        for line in ["one", "two"] {
            let reply = program.ask(line, Duration::from_secs(30)).unwrap();
            assert_eq!(reply, Reply { line: line.into(), is_early: false });
        }
        program.requests = None;
        let status = program.answers.recv_timeout(Duration::from_secs(30));
        assert!(matches!(status, Err(RecvTimeoutError::Disconnected)));
        assert_eq!(program.why_silent(), "the program ended (exit status: 0) and did not answer");
    }

    #[cfg(unix)]
    #[test]
    fn a_line_that_nobody_asked_for_is_given_in_place_of_the_next_request() {
        let mut program = shell("echo one; echo two; echo three; read line; sleep 60");
        assert!(matches!(await_early(&mut program), RawLine::Whole(line) if line == b"one"));
        let is_early = |reply: &Reply| reply.is_early && reply.line == b"two";
        // The reading thread needs a moment to deliver the second line.
        thread::sleep(Duration::from_millis(200));
        assert!(program.ask("", Duration::from_secs(30)).as_ref().is_ok_and(is_early));
        program.kill();
    }

    /// A flood without line ends stops the reading at the limit. A flood of lines blocks in the pipe. In both cases
    /// memory is bounded and no thread waits.
    #[cfg(unix)]
    #[test]
    fn floods_are_read_as_far_as_the_longest_line_and_no_further() {
        let mut endless = shell("tr '\\0' x < /dev/zero");
        let reason = endless.ask("", Duration::from_secs(60)).unwrap_err();
        assert_eq!(reason, "a line of more than 1048576 bytes");
        // The output is no longer read, so a program that keeps writing ends.
        assert!(endless.ends());
        endless.kill();
        let mut lines = shell("while echo x; do :; done");
        await_early(&mut lines);
        thread::sleep(Duration::from_millis(200));
        assert!(!has_ended(&mut lines.child), "it waits for somebody to read");
        lines.kill();
    }

    #[cfg(unix)]
    #[test]
    fn the_longest_line_is_read_and_one_byte_more_is_not() {
        for (length, is_read) in [(LONGEST_LINE, true), (LONGEST_LINE + 1, false)] {
            let script = format!("head -c {length} /dev/zero | tr '\\0' x; echo; read line");
            let mut program = shell(&script);
            let reply = program.ask("", Duration::from_secs(60));
            assert_eq!(reply.is_ok_and(|reply| reply.line.len() == length), is_read, "{length}");
            program.kill();
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_the_machine_is_short_of_is_no_fault_of_the_program() {
        use rustix::io::Errno;
        let whose = |errno: Errno| not_started("bot", &errno.into());
        for errno in [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::AGAIN] {
            assert!(matches!(whose(errno), Fault::Host { .. }), "{errno}");
        }
        for errno in [Errno::NOENT, Errno::ACCESS, Errno::NOEXEC, Errno::TOOBIG, Errno::ISDIR] {
            assert!(matches!(whose(errno), Fault::Agent(_)), "{errno}");
        }
        let Fault::Host { reason, .. } = whose(Errno::MFILE) else {
            panic!("no fault of the machine")
        };
        assert!(reason.starts_with("cannot start \"bot\": "), "{reason}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_is_left_of_a_program_that_ignores_the_end_of_its_input() {
        let mut program = shell("echo $$; sleep 60 & echo $!; while true; do sleep 60; done");
        let ids = [(); 2].map(|()| {
            let reply = program.ask("", Duration::from_secs(30)).unwrap();
            String::from_utf8(reply.line).unwrap()
        });
        let is_alive = |id: &String| {
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            stat.rsplit(") ")
                .next()
                .is_some_and(|state| !state.is_empty() && !state.starts_with('Z'))
        };
        assert!(ids.iter().all(is_alive));
        program.kill();
        assert!(!std::fs::exists(format!("/proc/{}", ids[0])).unwrap(), "it is waited for");
        // The child is killed, but the system needs a moment to remove it.
        let is_gone = (0..200).any(|_| {
            thread::sleep(Duration::from_millis(10));
            !ids.iter().any(is_alive)
        });
        assert!(is_gone, "{ids:?}");
    }
}
