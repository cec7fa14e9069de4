//! Programs that play over standard input and output: a good one, and bad ones of every kind.
//!
//! Without `python3` the tests print a note and do nothing.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use crate::shared::command;

/// The example of the experiments.
const BUYER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/agents/buyer.py");

pub(crate) fn has_python() -> bool {
    let mut python = Command::new("python3");
    python.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    let has = python.status().is_ok_and(|status| status.success());
    if !has {
        eprintln!("skipped: python3 cannot be started");
    }
    has
}

/// Returns the spec of a Python program.
fn python(script: &Path, settings: &str) -> String {
    format!("external(command=\"python3 '{}'\"{settings})", script.display())
}

/// A tournament with its results in a directory.
struct Run {
    stdout: String,
    stderr: String,
    /// The forfeit column of every game.
    forfeits: Vec<String>,
    /// The contents of records, games.csv and summary.json.
    files: [String; 3],
}

fn tournament(arguments: &[&str], agents: &[&str]) -> Run {
    let dir = tempfile::tempdir().unwrap();
    let records = dir.path().join("records.jsonl");
    let mut caesar = command("");
    caesar.args(["tournament", "--quiet", "--seed", "3"]).args(arguments);
    agents.iter().for_each(|agent| {
        caesar.args(["--agent", agent]);
    });
    let output =
        caesar.arg("--out").arg(dir.path()).arg("--records").arg(&records).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    let code = output.status.code();
    let check = command("").arg("check").arg(&records).output().unwrap();
    assert_eq!(check.status.code(), Some(0), "{}", text(check.stdout));
    let games = dir.path().join("games.csv");
    let mut rows = csv::Reader::from_path(&games).unwrap();
    let column = rows.headers().unwrap().iter().position(|name| name == "forfeit").unwrap();
    let forfeits = rows.records().map(|row| row.unwrap()[column].to_owned());
    let forfeits: Vec<String> = forfeits.collect();
    // A run with more than one forfeit in twenty games has failed.
    let lost = forfeits.iter().filter(|forfeit| !forfeit.is_empty()).count();
    assert_eq!(code, Some(i32::from(20 * lost > forfeits.len())), "{stdout}{stderr}");
    let files = [records, games, dir.path().join("summary.json")];
    // A long sentence wraps over several lines.
    let stdout = stdout.replace("\n  ", " ");
    Run { stdout, stderr, forfeits, files: files.map(|file| fs::read_to_string(file).unwrap()) }
}

fn share(run: &Run, agent: &str) -> f64 {
    let summary: Json = serde_json::from_str(&run.files[2]).unwrap();
    let lines = summary["agents"].as_array().unwrap();
    let line = lines.iter().find(|line| line["spec"].as_str().unwrap().starts_with(agent));
    line.unwrap()["share"].as_f64().unwrap()
}

#[test]
fn the_example_plays_every_kind_of_game_without_a_fault() {
    if !has_python() {
        return;
    }
    let buyer = python(Path::new(BUYER), "");
    for (game, players, agents) in [
        ("goofspiel", "3", vec!["random", &buyer, &buyer]),
        ("kuhn-poker", "2", vec!["random", &buyer]),
        ("conquest2", "4", vec!["random", "random", "random", &buyer]),
    ] {
        let play = |threads| {
            let blocks = ["--blocks", "2", "--game", game, "--players", players];
            tournament(&[&blocks[..], &["--threads", threads]].concat(), &agents)
        };
        let (one, two) = (play("1"), play("2"));
        assert_eq!(one.stderr, "", "{game}");
        assert!(one.forfeits.iter().all(String::is_empty), "{game}: {:?}", one.forfeits);
        assert!(one.files == two.files, "{game}: the number of threads changes the bytes");
    }
}

#[test]
fn a_program_is_told_game_table_and_rules_and_sees_its_own_card_only() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let script = dir.path().join("scribe.py");
    let text = "import json, sys\nfor line in sys.stdin:\n  open(sys.argv[1], 'a').write(line)\n  request = json.loads(line)\n  if request['type'] != 'start': print('{\"request\":%d,\"index\":0}' % request['request'], flush=True)\n";
    fs::write(&script, text).unwrap();
    let spec = format!(
        "external(command=\"python3 '{}' '{}'\", seconds=60, protocol=2)",
        script.display(),
        log.display()
    );
    let arguments = ["--game", "kuhn-poker", "--set", "cards=4", "--blocks", "2"];
    let run = tournament(&[&arguments[..], &["--threads", "1"]].concat(), &["random", &spec]);
    assert!(run.forfeits.iter().all(String::is_empty), "{:?}", run.forfeits);
    let log = fs::read_to_string(log).unwrap();
    let lines: Vec<Json> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let starts: Vec<&Json> = lines.iter().filter(|line| line["type"] == "start").collect();
    assert_eq!(starts.len(), 4, "one process plays all games");
    let start = r#"{"type":"start","request":1,"caesar":2,"game":"kuhn-poker","players":2,"seat":1,"rules":{"cards":4}}"#;
    assert_eq!(log.lines().next(), Some(start));
    let ends = lines.iter().filter(|line| line["type"] == "end").count();
    assert_eq!(ends, 4, "every game that starts ends");
    let numbers: Vec<u64> = lines.iter().map(|line| line["request"].as_u64().unwrap()).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert_eq!(numbers.iter().filter(|&number| number % 1_000_000 == 1).count(), 4);
    for line in lines.iter().filter(|line| line["type"] == "choose") {
        let seat = line["seat"].as_u64().unwrap() as usize;
        let cards = line["view"]["cards"].as_array().unwrap();
        assert!(cards[seat].is_u64() && cards[1 - seat].is_null(), "{line}");
        assert_eq!(line["actions"], serde_json::json!(["pass", "bet"]));
        assert!(line["seed"].is_u64() && line["choice"].as_u64() >= Some(1));
    }
}

/// Returns a program that answers well (`good`), except that its second choice in a process commits `crime`.
fn criminal(crime: &str) -> String {
    format!(
        "import json, os, sys, time\nn = 0\nfor line in sys.stdin:\n  request = json.loads(line)\n  number = request['request']\n  good = '{{\"request\":%d,\"index\":0}}' % number\n  n += request['type'] == 'choose'\n  if request['type'] == 'start': continue\n  if n == 2:\n    n = 3\n    {crime}\n  else:\n    print(good, flush=True)\n"
    )
}

/// The crimes of bad programs at their second choice in a process, and the beginning of the error about each.
const CRIMES: [(&str, &str, &str); 24] = [
    ("garbage", "print('what?', flush=True)", " is not JSON: \"what?\""),
    ("empty line", "print(flush=True)", " is not JSON: \"\""),
    (
        "nothing",
        "print('{\"request\":%d}' % number, flush=True)",
        "the answer has neither an \"action\"",
    ),
    (
        "illegal",
        "print(good.replace('\"index\":0', '\"action\":\"bid 99\"'), flush=True)",
        "illegal action \"bid 99\"",
    ),
    ("beyond", "print(good.replace('0}', '99}'), flush=True)", "illegal index 99 of "),
    ("late", "time.sleep(60)", "no answer within 0.5 s"),
    ("deaf", "time.sleep(60); print(good)", "no answer within 0.5 s"),
    ("dies", "sys.stderr.close(); sys.exit(3)", "the program ended (exit status: 3)"),
    ("breaks off", "os.write(1, b'{\"act'); os._exit(0)", "the program ended (exit status: 0)"),
    ("mute", "os.close(1); time.sleep(60)", "the program closed its standard output"),
    (
        "no end of line",
        "os.write(1, b'x' * (3 << 20)); time.sleep(60)",
        "a line of more than 1048576 bytes",
    ),
    ("floods", "while True: os.write(1, b'x' * 65536)", "a line of more than 1048576 bytes"),
    ("floods lines", "while True: os.write(1, b'x\\n' * 65536)", " is not JSON: \"x\""),
    (
        "answers and floods",
        "print(good, flush=True)\n    while True: os.write(1, b'x' * 65536)",
        "a line of more than 1048576 bytes",
    ),
    ("answers twice", "print(good); print(good, flush=True)", "out of step: request "),
    ("answers a hundred times", "print((good + '\\n') * 100, flush=True)", "out of step: request "),
    ("chats first", "print('hm'); print(good, flush=True)", " is not JSON: \"hm\""),
    ("chats after", "print(good); print('done', flush=True)", " is not JSON: \"done\""),
    (
        "the number before",
        "print('{\"request\":%d,\"index\":0}' % (number - 1), flush=True)",
        "out of step: request ",
    ),
    (
        "the number after",
        "print('{\"request\":%d,\"index\":0}' % (number + 1), flush=True)",
        "out of step: request ",
    ),
    (
        "the number as text",
        "print('{\"request\":\"%d\",\"index\":0}' % number, flush=True)",
        "has \"request\":\"",
    ),
    (
        "the number as a fraction",
        "print('{\"request\":%d.0,\"index\":0}' % number, flush=True)",
        ".0",
    ),
    ("no number", "print('{\"index\":0}', flush=True)", " lacks its number, \"request\":"),
    ("no request", "print('{\"request\":null,\"index\":0}', flush=True)", "has \"request\":null"),
];

#[test]
fn whatever_a_program_does_wrong_costs_it_the_game_and_nothing_else() {
    if !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (name, crime, complaint) in CRIMES {
        let script = dir.path().join("bad.py");
        fs::write(&script, criminal(crime)).unwrap();
        // Only crimes about time get little of it: on a busy machine a start is slow.
        let limit = if complaint.contains("0.5 s") { ", seconds=0.5" } else { ", seconds=60" };
        let arguments = ["--game", "goofspiel", "--blocks", "1", "--threads", "2"];
        let run = tournament(&arguments, &[&python(&script, limit), "random"]);
        assert_eq!(run.forfeits.len(), 2, "{name}: all games are played");
        for forfeit in &run.forfeits {
            assert!(forfeit.contains(complaint), "{name}: {forfeit}");
        }
        assert!(run.stdout.contains("2 of 2 games were forfeited"), "{name}: {}", run.stdout);
        assert!(run.stdout.contains(complaint), "{name}: {}", run.stdout);
        assert!(run.files[0].contains(r#""forfeit":{"player":"#), "{name}");
        assert!(share(&run, "random") > 0.99, "{name}");
    }
}

/// Plays four games of a program that commits `crime`, in Python with `request`, `number`, `good` and `once()`, before
/// it answers; after `continue` it does not answer.
fn four_games(crime: &str, threads: &str) -> Run {
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("bad.py");
    let text = format!(
        "import json, os, sys, time\ndef once():\n  try: os.mkdir(sys.argv[1])\n  except FileExistsError: return False\n  return True\nfor line in sys.stdin:\n  request = json.loads(line)\n  number = request['request']\n  good = '{{\"request\":%d,\"index\":0}}' % number\n  kind = request['type']\n  {crime}\n  if kind != 'start': print(good, flush=True)\n"
    );
    fs::write(&script, text).unwrap();
    let mark = dir.path().join("mark");
    let spec = format!(
        "external(command=\"python3 '{}' '{}'\", seconds=60)",
        script.display(),
        mark.display()
    );
    let arguments = ["--game", "goofspiel", "--set", "cards=5", "--blocks", "2"];
    tournament(&[&arguments[..], &["--threads", threads]].concat(), &[&spec, "random"])
}

/// The crimes of a process that is out of step at one place of a game, with the lost game and the reason. A fresh
/// process plays the later games, and no answer of the old one counts in them.
#[test]
fn a_program_out_of_step_loses_the_game_in_which_that_is_read_and_no_other() {
    if !has_python() {
        return;
    }
    let lost = |crime: &str| -> Vec<(usize, String)> {
        let forfeits = four_games(crime, "1").forfeits.into_iter().enumerate();
        forfeits.filter(|(_, forfeit)| !forfeit.is_empty()).collect()
    };
    for (crime, game, complaint) in [
        (
            "if kind == 'start' and once(): print(good, flush=True)",
            0,
            "out of step: request 2 was due, and the answer has \"request\":1",
        ),
        (
            "if kind == 'choose' and once(): print(good, flush=True)",
            0,
            "out of step: request 3 was due, and the answer has \"request\":2",
        ),
        // The last choice of a game: the card after it is the only one.
        (
            "if kind == 'choose' and len(request['actions']) == 2 and once(): print(good, flush=True)",
            0,
            "out of step: request 6 was due, and the answer has \"request\":5",
        ),
        (
            "if kind == 'end' and once(): print(good, flush=True)",
            1,
            "out of step: request 1000002 was due, and the answer has \"request\":6",
        ),
        (
            "if kind == 'end' and once(): os.write(1, b'bye')",
            0,
            "the answer to request 6 is not JSON: \"bye{\\\"request\\\":6,\\\"index\\\":0}\"",
        ),
        (
            "if kind == 'end' and once(): print(good, flush=True); os._exit(4)",
            1,
            "the program ended (exit status: 4) and did not answer",
        ),
        ("if kind == 'end' and once(): os._exit(4)", 0, "the program ended (exit status: 4)"),
    ] {
        let lost = lost(crime);
        assert_eq!(lost.len(), 1, "{crime}: {lost:?}");
        assert_eq!(lost[0].0, game, "{crime}: {lost:?}");
        assert!(lost[0].1.contains(complaint), "{crime}: {lost:?}");
    }
}

#[test]
fn what_is_wrong_in_a_game_stands_in_its_row_on_any_number_of_threads() {
    if !has_python() {
        return;
    }
    let crime = "if kind == 'choose' and len(request['actions']) == 2: print(good, flush=True)";
    let (one, two) = (four_games(crime, "1"), four_games(crime, "2"));
    assert_eq!(one.forfeits, two.forfeits);
    for (game, forfeit) in one.forfeits.iter().enumerate() {
        let number = game * 1_000_000 + 5;
        assert!(forfeit.contains(&format!("request {} was due", number + 1)), "{forfeit}");
    }
}

#[test]
fn what_a_program_says_on_its_standard_error_is_no_fault() {
    if !has_python() {
        return;
    }
    let run = four_games("sys.stderr.write('x' * 300000 + '\\n')", "1");
    assert!(run.forfeits.iter().all(String::is_empty), "{:?}", run.forfeits);
    let lines: Vec<&str> = run.stderr.lines().collect();
    let is_named = |line: &&str| line.contains(", seat ") && line.contains(", game ");
    assert!(lines.iter().all(is_named), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains(", game 4: … ") && line.contains(" more line")));
}

#[test]
fn a_program_that_ends_at_once_forfeits_every_game() {
    if !has_python() {
        return;
    }
    let agents = ["random", "external(command=\"python3 /no/such/script.py\")"];
    let run = tournament(&["--game", "kuhn-poker", "--blocks", "2"], &agents);
    assert_eq!(run.forfeits.len(), 4);
    let reason = "the program ended (exit status: 2) and did not answer";
    assert!(run.forfeits.iter().all(|forfeit| forfeit.ends_with(reason)), "{:?}", run.forfeits);
}

#[cfg(unix)]
#[test]
fn an_executable_file_that_is_no_program_forfeits_every_game() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("bot");
    fs::write(&file, [0, 1, 2, 3]).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let spec = format!("external(command=\"'{}'\")", file.display());
    let run = tournament(&["--game", "pig", "--blocks", "2"], &[&spec, "random"]);
    assert_eq!(run.forfeits.len(), 4);
    assert!(run.forfeits.iter().all(|f| f.contains("cannot start \"")), "{:?}", run.forfeits);
}

/// An answer after the limit is dropped: the next game has a fresh process.
#[cfg(unix)]
#[test]
fn a_late_answer_is_never_read() {
    for place in ["start", "choose", "end"] {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("late.sh");
        let text = "while read -r line; do\n  n=${line#*\\\"request\\\":}; n=${n%%[!0-9]*}\n  case $line in '{\"type\":\"PLACE\"'*) mkdir \"$1\" 2>&- && sleep 3;; esac\n  case $line in '{\"type\":\"start\"'*) ;; *) echo \"{\\\"request\\\":$n,\\\"index\\\":0}\";; esac\ndone\n";
        fs::write(&script, text.replace("PLACE", place)).unwrap();
        let mark = dir.path().join("mark");
        let spec = format!(
            "external(command=\"sh '{}' '{}'\", seconds=2)",
            script.display(),
            mark.display()
        );
        let arguments = ["--game", "kuhn-poker", "--blocks", "3", "--threads", "1"];
        let run = tournament(&arguments, &[&spec, "random"]);
        let lost: Vec<&String> = run.forfeits.iter().filter(|why| !why.is_empty()).collect();
        assert_eq!(lost.len(), 1, "{place}: {:?}", run.forfeits);
        assert!(lost[0].contains("no answer within 2 s"), "{place}: {lost:?}");
    }
}

/// Writes a program for the shell that plays the first option; `mark` makes programs different.
#[cfg(unix)]
fn shell_bot(dir: &Path, mark: usize) -> String {
    let script = dir.join("bot.sh");
    let text = "while read -r line; do\n  n=${line#*\\\"request\\\":}; n=${n%%[!0-9]*}\n  case $line in '{\"type\":\"start\"'*) ;; *) echo \"{\\\"request\\\":$n,\\\"index\\\":0}\";; esac\ndone\n";
    fs::write(&script, text).unwrap();
    format!("external(command=\"sh '{}' {mark}\")", script.display())
}

/// Runs caesar with `limit` set in the shell that starts it: exit code, stdout and stderr.
#[cfg(unix)]
fn limited(limit: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\"")]);
    let output = shell.arg(env!("CARGO_BIN_EXE_caesar")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Six programs at tables of two, so that the first games use few of them. With any number of descriptors no agent
/// loses by the limit, and the run continues later with the same bytes.
#[cfg(unix)]
#[test]
fn a_machine_without_descriptors_ends_the_run_and_is_nobodys_defeat() {
    let dir = tempfile::tempdir().unwrap();
    let bots: Vec<String> = (0..6).map(|mark| shell_bot(dir.path(), mark)).collect();
    let run = |limit: &str, out: &str| {
        let (out, records) = (dir.path().join(out), dir.path().join(format!("{out}.jsonl")));
        let mut arguments = vec!["tournament", "--game", "kuhn-poker", "--schedule", "round-robin"];
        arguments.extend(["--blocks", "15", "--threads", "1", "--quiet", "--resume"]);
        arguments.extend(bots.iter().flat_map(|bot| ["--agent", bot.as_str()]));
        arguments.extend(["--out", out.to_str().unwrap(), "--records", records.to_str().unwrap()]);
        let ran = limited(limit, &arguments);
        let files = [out.join("games.csv"), records];
        (ran, files.map(|file| fs::read_to_string(file).unwrap_or_default()))
    };
    let ((code, _, stderr), whole) = run("-n 256", "whole");
    assert_eq!((code, stderr.as_str(), whole[0].lines().count()), (Some(0), "", 31));
    let mut kept = Vec::new();
    for n in (12..64).step_by(2) {
        let out = format!("short-{n}");
        let ((code, stdout, stderr), short) = run(&format!("-n {n}"), &out);
        let rows = short[0].lines().count().saturating_sub(1);
        assert!(
            whole[0].starts_with(&short[0]) && whole[1].starts_with(&short[1]),
            "{n}: {short:?}"
        );
        if code == Some(0) {
            break;
        }
        assert_eq!(code, Some(1), "{n}: {stderr}");
        let complaint =
            format!("error: game {}: cannot start \"sh\": Too many open files", rows + 1);
        assert!(stderr.contains(&complaint), "{n}: {stderr}");
        assert!(
            stderr.contains("they are saved and counted; the same command with --resume continues"),
            "{stderr}"
        );
        assert_eq!(stdout.contains("games of kuhn-poker"), rows > 0, "{n}: {stdout}");
        kept.push((out, rows));
    }
    assert!(kept.iter().any(|&(_, rows)| rows > 0), "{kept:?}");
    let (out, _) = kept.last().unwrap();
    let ((code, _, stderr), gone_on) = run("-n 256", out);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(gone_on == whole, "the run goes on with the same bytes");
}

/// Two hundred processes one after another, with descriptors for a few at a time: none may leave a descriptor open.
#[cfg(unix)]
#[test]
fn processes_that_fail_leave_no_descriptors_behind() {
    for script in ["exit 3", "read -r start; read -r line; echo hm; sleep 60"] {
        let spec = format!("external(command=\"sh -c '{script}'\", seconds=60)");
        let mut arguments =
            vec!["tournament", "--game", "pig", "--players", "2", "--blocks", "100"];
        arguments.extend(["--threads", "1", "--quiet", "--agent", &spec, "--agent", "random"]);
        let (code, stdout, stderr) = limited("-n 24", &arguments);
        assert_eq!((code, stderr.as_str()), (Some(1), ""), "{script}");
        assert!(stdout.contains("200 of 200 games were forfeited"), "{script}: {stdout}");
    }
}

#[test]
fn what_cannot_play_at_all_is_refused_before_the_first_game() {
    for (agent, complaint) in [
        (
            "external(command=no-such-program)",
            "agent \"external(command=no-such-program)\": there is no program \"no-such-program\" (accepted: the path of an executable file, or a name on PATH)",
        ),
        (
            "external(command=\"./no-such-program -x\")",
            "there is no program \"./no-such-program\" (accepted: ",
        ),
        (
            "external",
            "agent \"external\": command is missing, as in external(command=\"python3 bot.py\")",
        ),
        ("external(command=\"run 'it\")", "the closing ' is missing"),
        ("external(command=run \"it\" now)", "no double quotes inside"),
        (
            "external(command=sh, seconds=0)",
            "seconds = \"0\" is out of range (accepted: 0.001 to 3600)",
        ),
    ] {
        let mut caesar = command("");
        caesar.args(["tournament", "--game", "pig", "--agent", agent, "--agent", "random"]);
        let output = caesar.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{agent}: {stderr}");
        assert!(stderr.contains(complaint), "{agent}: {stderr}");
        assert_eq!((output.stdout.len(), stderr.lines().count()), (0, 1), "{agent}: {stderr}");
    }
}
