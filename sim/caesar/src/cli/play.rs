//! `caesar play`: people at the table, in the terminal or through a pipe.

mod screen;
mod words;

use std::io::{BufRead, IsTerminal, Seek as _, SeekFrom, Write as _, stdin};
use std::path::{Path, PathBuf};
use std::time::Duration;

use agents::AgentSpec;
use clap::Args;
use engine::{Player, Purpose, rng};

use self::screen::Screen;
use self::words::{Found, understood};
use super::outputs::{Force, Output};
use super::{Ending, files, note, overrides, print};
use sim::any::{AnyAgent, AnyGame, Due};
use sim::catalogue::Setup;
use sim::config::numbers::{ranged, whole};
use sim::config::{DEFAULT_SEED, Played, RuleSet, supply_files};
use sim::error::Error;
use sim::record::{FORMAT, Header};
use sim::session::{HUMAN, Seat, Session, Step};

/// Text under the options.
pub(super) const AFTER_HELP: &str = "\
At the prompt, type an option, its number, or the beginning of its words. Several words play several choices: \
'move sicilia italia 4' moves four of the first kind from Sicilia to Italia. Type ? for all commands.
Choices can be taken back with u until dice, cards or another seat answer them.
With --records the game is kept after every final choice. --resume goes on with it, also after a crash.";

/// Default search for hints (h), without --hint.
const HINT: &str = "mcts";

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    played: Played,
    /// Agent in each seat: 'human' for a person, or a spec; a label is the name at the table, as in Anna=human
    /// (repeatable) [default: human, then greedy]
    #[arg(long = "agent", value_name = "SPEC")]
    agents: Vec<String>,
    /// Seat of the first agent named; the others follow in turn
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = ranged::<usize>(1, engine::MAX_PLAYERS as u64))]
    seat: usize,
    /// Seed of the dice, cards and agents
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = whole)]
    seed: u64,
    #[command(flatten)]
    rules: RuleSet,
    /// Keep the record of the game in a file
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Go on with the game of a record that is not finished; game, rules, agents and seed are the record's
    #[arg(long, value_name = "FILE", conflicts_with_all = ["records", "game", "players", "agents", "seed", "rules", "set", "seat"])]
    resume: Option<PathBuf>,
    /// Agent that answers h, from the view of the seat that asks
    #[arg(long, value_name = "SPEC", default_value = HINT)]
    hint: String,
    /// No hints
    #[arg(long, conflicts_with = "hint")]
    no_hints: bool,
    /// Do not print the board before each turn
    #[arg(long)]
    no_board: bool,
    /// Seconds to wait after each choice of an agent; 0 through a pipe
    #[arg(long, value_name = "T", default_value_t = 0.6, value_parser = seconds)]
    pace: f64,
    #[command(flatten)]
    force: Force,
}

fn seconds(text: &str) -> Result<f64, String> {
    let accepted = text.parse().ok().filter(|t| (0.0..=60.0).contains(t));
    accepted.ok_or_else(|| "accepted: 0 to 60".to_owned())
}

/// Table before its game: the occupant of each seat, as `[LABEL=]SPEC`.
struct Table {
    game: AnyGame,
    agents: Vec<String>,
    seed: u64,
}

impl Table {
    fn of(options: &Options) -> Result<Self, Error> {
        let Options { played, rules, seed, .. } = options;
        let overrides = overrides(rules)?;
        let setup = Setup { game: played.name().to_owned(), players: played.players, overrides };
        let game = AnyGame::new(&setup)?;
        let players = game.players();
        let mut agents = options.agents.clone();
        if agents.is_empty() {
            agents.push(HUMAN.to_owned());
        }
        if agents.len() > players {
            return Err(Error::Usage(format!(
                "--agent: {} agents for {players} seats; name at most one for each seat, or raise --players",
                agents.len()
            )));
        }
        if options.seat > players {
            return Err(Error::value(
                "seat",
                options.seat.to_string(),
                format!("the table has {players} seats"),
            ));
        }
        if !agents.iter().any(|spec| named(spec).1 == HUMAN) {
            return Err(Error::Usage(
                "--agent: nobody is human; agents alone play in `caesar tournament`".to_owned(),
            ));
        }
        agents.resize(players, "greedy".to_owned());
        agents.rotate_right(options.seat - 1);
        Ok(Self { game, agents, seed: *seed })
    }

    /// Reads the table of a record, from its first line.
    fn of_record(place: &Path, header: &str) -> Result<Self, Error> {
        let bad = |what: String| Error::Usage(format!("{}:1: {what}", place.display()));
        let header: Header =
            serde_json::from_str(header).map_err(|_| bad("it is no header of a record".into()))?;
        if header.format != FORMAT {
            return Err(bad(format!("the format is {}, not {FORMAT}", header.format)));
        }
        let mut setup = Setup::new(&header.game).for_players(header.seats);
        setup.overrides.recorded = Some(header.rules);
        let game = AnyGame::new(&setup)?;
        let seed = header.seed.split('/').next().and_then(|seed| seed.parse().ok());
        let seed = seed.ok_or_else(|| bad(format!("the seed is {}", header.seed)))?;
        if !header.agents.iter().any(|spec| spec == HUMAN) {
            return Err(bad("nobody in this game is human".to_owned()));
        }
        Ok(Self { game, agents: header.agents, seed })
    }

    /// Returns the session, and the names of its seats.
    fn seated(self) -> Result<(Session, Vec<String>), Error> {
        let Self { game, agents, seed } = self;
        let names = agents
            .iter()
            .map(|spec| {
                let (label, spec) = named(spec);
                label.unwrap_or(spec).to_owned()
            })
            .collect();
        let seats = agents
            .iter()
            .map(|spec| match named(spec) {
                (_, HUMAN) => Ok(Seat::Person),
                _ => built(&game, spec).map(|(agent, spec)| Seat::Agent(Box::new(agent), spec)),
            })
            .collect::<Result<_, Error>>()?;
        Ok((Session::new(game, seats, seed)?, names))
    }
}

/// Returns the label before a spec of a person, and the spec.
fn named(spec: &str) -> (Option<&str>, &str) {
    match spec.split_once('=') {
        Some((label, HUMAN)) => (Some(label), HUMAN),
        _ => (None, spec.trim()),
    }
}

/// Builds the agent of `spec`, and returns its canonical spec with it.
fn built(game: &AnyGame, spec: &str) -> Result<(AnyAgent, String), Error> {
    let mut spec: AgentSpec = spec.parse()?;
    supply_files(&mut spec, &|path| files::text(path), &mut Vec::new())?;
    Ok((game.agent(&spec)?, spec.to_string()))
}

/// File of the record, which grows with the game.
struct Kept {
    file: std::fs::File,
    place: PathBuf,
    written: usize,
}

impl Kept {
    /// Writes the events that have become final since the last call.
    fn keep(&mut self, record: &str) -> Result<(), Error> {
        let new = &record.as_bytes()[self.written.min(record.len())..];
        let written = self.file.write_all(new).and_then(|()| self.file.flush());
        written.map_err(Error::file(self.place.display().to_string()))?;
        self.written = record.len();
        Ok(())
    }
}

/// Begins or continues the game of `options`.
fn opened(options: &Options) -> Result<(Session, Vec<String>, Option<Kept>), Error> {
    let place = options.resume.as_ref().or(options.records.as_ref());
    let Some(place) = place else {
        let (session, names) = Table::of(options)?.seated()?;
        return Ok((session, names, None));
    };
    let failed = || Error::file(place.display().to_string());
    let (session, names) = if options.resume.is_some() {
        let text = std::fs::read_to_string(place).map_err(failed())?;
        let (header, lines) = text.split_once('\n').unwrap_or((&text, ""));
        let (mut session, names) = Table::of_record(place, header)?.seated()?;
        let replayed = session.replay(lines);
        replayed.map_err(|e| Error::Usage(format!("{}: {e}", place.display())))?;
        (session, names)
    } else {
        let table = Table::of(options)?;
        let output = Output::of("records", place, options.force)?;
        if output.is_stdout() || output.packing().is_some() {
            return Err(Error::value(
                "records",
                place.display().to_string(),
                "the record grows with the game: name a plain file",
            ));
        }
        output.check()?;
        table.seated()?
    };
    // A truncated record is written again up to the end of its game.
    files::write_aside(place, session.final_record().as_bytes()).map_err(failed())?;
    let mut file = files::open_locked(place).map_err(failed())?;
    file.seek(SeekFrom::End(0)).map_err(failed())?;
    let written = session.final_record().len();
    Ok((session, names, Some(Kept { file, place: place.clone(), written })))
}

/// Session from the people's side.
struct Play<'a> {
    options: &'a Options,
    session: Session,
    screen: Screen,
    kept: Option<Kept>,
    advisor: Option<AnyAgent>,
}

pub(super) fn run(options: &Options) -> Result<Ending, Error> {
    let (session, names, kept) = opened(options)?;
    let is_typed = stdin().is_terminal();
    let pace = if is_typed { options.pace } else { 0.0 };
    let screen = Screen::new(&session, names, !options.no_board, Duration::from_secs_f64(pace));
    let mut play = Play { options, session, screen, kept, advisor: None };
    print(&play.screen.welcome(&play.session))?;
    play.play_out(&mut stdin().lock(), is_typed)
}

impl Play<'_> {
    /// Plays until the game is over, or the person leaves.
    fn play_out(&mut self, input: &mut dyn BufRead, is_typed: bool) -> Result<Ending, Error> {
        let mut last = None;
        loop {
            if let Some(kept) = &mut self.kept {
                kept.keep(self.session.final_record())?;
            }
            match self.session.step()? {
                Step::Happened(happenings) => {
                    print(&self.screen.happened(&happenings))?;
                }
                Step::Asks(seat) => {
                    print(&self.screen.flush())?;
                    if last != Some(seat) && self.session.undoable() == 0 {
                        self.hand_over(seat, last, is_typed, input)?;
                        print(&self.screen.turn(&self.session, seat))?;
                    }
                    last = Some(seat);
                    print(&self.screen.question(&self.session, seat))?;
                    if !self.answered(seat, input)? {
                        return self.left();
                    }
                    if self.session.state().due() != Due::Player(seat) {
                        last = None;
                    }
                }
                Step::Over => break,
            }
        }
        print(&self.screen.flush())?;
        print(&self.screen.over(&self.session))?;
        if let (Some(kept), Some(record)) = (&mut self.kept, self.session.take_record()) {
            kept.keep(&record)?;
            let place = kept.place.display();
            print(&format!("Record: {place} (caesar show {place} tells the game)\n"))?;
        }
        Ok(Ending::Done)
    }

    /// Hides the screen of one person from the next.
    fn hand_over(
        &self,
        seat: Player,
        last: Option<Player>,
        is_typed: bool,
        input: &mut dyn BufRead,
    ) -> Result<(), Error> {
        let people = self.session.seats().iter().filter(|seat| matches!(seat, Seat::Person));
        if people.count() < 2 || last == Some(seat) || !is_typed {
            return Ok(());
        }
        let name = self.screen.name(seat);
        print(&format!(
            "\x1b[2J\x1b[3J\x1b[H{name} is next. Press Enter when {name} alone looks."
        ))?;
        drop(input.read_line(&mut String::new()));
        Ok(())
    }

    /// Reads lines until one is played; returns whether the person stays.
    fn answered(&mut self, seat: Player, input: &mut dyn BufRead) -> Result<bool, Error> {
        loop {
            let mut line = String::new();
            let read = input.read_line(&mut line).map_err(Error::file("stdin"))?;
            if read == 0 {
                return Ok(false);
            }
            let answer = match line.trim() {
                "" => continue,
                "q" | "quit" => return Ok(false),
                "?" | "help" => self.screen.help(&self.session, seat),
                "b" | "board" => self.session.state().view_text(seat),
                "l" | "log" => self.screen.log(seat),
                "u" | "undo" => {
                    if self.session.undo() {
                        return Ok(true);
                    }
                    "Nothing can be taken back: dice, cards or another seat have answered.\n".into()
                }
                "h" | "hint" => self.hint(seat)?,
                words => match understood(self.session.state(), seat, words) {
                    Ok(found) => return self.played(found),
                    Err(complaint) => format!("{complaint}\n"),
                },
            };
            print(&answer)?;
            print(&self.screen.prompt(seat))?;
        }
    }

    fn played(&mut self, found: Found) -> Result<bool, Error> {
        for number in found.numbers {
            let public = self.session.choose(number).map_err(|e| Error::Failed(e.to_string()))?;
            print(&self.screen.chosen(&public))?;
        }
        if let Some(rest) = found.rest {
            note(&format!("not played, since the turn has ended: {rest}"));
        }
        Ok(true)
    }

    /// Returns the advisor's evaluation of the decision, from the view of `seat`.
    fn hint(&mut self, seat: Player) -> Result<String, Error> {
        if self.options.no_hints {
            return Ok("There are no hints at this table (--no-hints).\n".to_owned());
        }
        let state = self.session.state();
        let advisor = match &mut self.advisor {
            Some(advisor) => advisor,
            none => none.insert(built(self.session.game(), &self.options.hint)?.0),
        };
        advisor.start(seat)?;
        let mut thoughts =
            rng::stream(state.plies().into(), seat.number().into(), Purpose::Analysis);
        let number = advisor.choose(state, seat, &mut thoughts)?;
        Ok(Screen::hint(state, seat, number, advisor.report().as_ref()))
    }

    fn left(&self) -> Result<Ending, Error> {
        let place = self.kept.as_ref().map(|kept| kept.place.display().to_string());
        note(&match place {
            Some(place) => format!("the game is kept: caesar play --resume {place}"),
            None => "the game is not over and not kept (--records FILE keeps a game)".to_owned(),
        });
        Ok(Ending::Stopped)
    }
}
