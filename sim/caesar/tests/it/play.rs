//! `caesar play` through a pipe: the same words give the same record, and nothing of a game is lost.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shared::{Ran, command_at, done_at, ran_with};

/// Plays with `words` at the prompt.
fn played(args: &str, words: &str, dir: &Path) -> Ran {
    ran_with(&mut command_at(args, dir), words)
}

/// The words of a person who always takes one of the first options.
fn first_options(lines: usize) -> String {
    (0..lines).map(|i| format!("#{}\n", 1 + i % 2)).collect()
}

#[test]
fn a_game_through_a_pipe_is_a_record_that_holds() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    for (game, lines) in
        [("conquest2", 8_000), ("hannibal", 3_000), ("imperium", 3_000), ("rise", 8_000)]
    {
        let run = |file: &str| {
            let args = format!("play --game {game} --seed 3 --records {{}}/{game}-{file}.jsonl");
            let (code, stdout, stderr) = played(&args, &first_options(lines), dir);
            assert_eq!(code, 0, "{game}: {stderr}");
            assert!(stdout.contains("The game is over") && stdout.contains(" wins"), "{stdout}");
            fs::read(dir.join(format!("{game}-{file}.jsonl"))).unwrap()
        };
        assert!(run("one") == run("two"), "{game}");
        done_at(&format!("check {{}}/{game}-one.jsonl"), dir);
    }
}

#[test]
fn a_game_that_was_left_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let words = first_options(300);
    let whole = played("play --game hannibal --records {}/whole.jsonl", &words, dir);
    assert_eq!(whole.0, 0, "{}", whole.2);
    let half = "play --game hannibal --records {}/half.jsonl";
    let (code, _, note) = played(half, "1\n2\n1\nq\n", dir);
    assert_eq!(code, 3, "{note}");
    assert!(note.contains("the game is kept: caesar play --resume"), "{note}");
    // A crash may cut the last line.
    let half = fs::read_to_string(dir.join("half.jsonl")).unwrap();
    fs::write(dir.join("half.jsonl"), &half[..half.len() - 3]).unwrap();
    let (code, _, stderr) = played("play --resume {}/half.jsonl", &words, dir);
    assert_eq!(code, 0, "{stderr}");
    done_at("check {}/half.jsonl", dir);
    let (code, _, stderr) = played("play --resume {}/half.jsonl", &words, dir);
    assert_eq!(code, 2);
    assert!(stderr.contains("the game is over"), "{stderr}");
}

#[test]
fn a_game_that_goes_on_knows_the_names_of_its_people() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let args = "play --game pig --agent Anna=human --agent Ben=human --records {}/pig.jsonl";
    let (code, first, stderr) = played(args, "hold\nq\n", dir);
    assert_eq!(code, 3, "{stderr}");
    let names = "seat 1 (Anna), seat 2 (Ben)";
    assert!(first.contains(names), "{first}");
    let (code, again, stderr) = played("play --resume {}/pig.jsonl", &"1\n2\n".repeat(900), dir);
    assert_eq!(code, 0, "{stderr}");
    assert!(again.contains(names) && again.contains("--- seat 1 (Anna) "), "{again}");
    let record = fs::read_to_string(dir.join("pig.jsonl")).unwrap();
    assert!(record.contains("\"agents\":[\"Anna=human\",\"Ben=human\"]"), "{record}");
    done_at("check {}/pig.jsonl", dir);
    assert!(done_at("show {}/pig.jsonl", dir).contains("Anna"));
}

#[test]
fn hints_are_counted_in_the_record_also_over_a_break() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let args = "play --game pig --hint mcts(iterations=20) --records {}/pig.jsonl";
    let (code, _, stderr) = played(args, "h\nh\nroll\nh\nq\n", dir);
    assert_eq!(code, 3, "{stderr}");
    let left = fs::read_to_string(dir.join("pig.jsonl")).unwrap();
    assert!(left.ends_with("\n{\"hints\":3}\n"), "{left}");
    let words = "h\n".to_owned() + &"1\n2\n".repeat(300);
    let (code, _, stderr) = played("play --resume {}/pig.jsonl", &words, dir);
    assert_eq!(code, 0, "{stderr}");
    let whole = fs::read_to_string(dir.join("pig.jsonl")).unwrap();
    assert_eq!(whole.matches("hints").count(), 1, "{whole}");
    assert!(whole.ends_with(",\"hints\":4}}\n"), "{whole}");
    done_at("check {}/pig.jsonl", dir);
    assert!(done_at("show {}/pig.jsonl", dir).contains("4 hints given to people"));
}

#[test]
fn a_game_begins_at_a_ply_of_a_record_and_goes_on_there() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let source = "tournament --game pig --agent random --agent greedy --blocks 1 --seed 5 --quiet \
                  --records {}/games.jsonl";
    done_at(source, dir);
    let games = fs::read_to_string(dir.join("games.jsonl")).unwrap();
    let from = "--from {}/games.jsonl:2:9";
    let words = first_options(2_000);
    let run = format!("play {from} --seat 2 --records {{}}/whole.jsonl");
    let (code, _, stderr) = played(&run, &words, dir);
    assert_eq!(code, 0, "{stderr}");
    done_at("check {}/whole.jsonl", dir);
    let whole = fs::read_to_string(dir.join("whole.jsonl")).unwrap();
    let second = games.lines().position(|line| line.contains("\"seed\":\"5/1\"")).unwrap();
    let source: Vec<&str> = games.lines().skip(second + 1).collect();
    let plies = source.iter().enumerate().filter(|(_, line)| line.contains("\"player\""));
    let before = plies.map(|(i, _)| i).nth(8).unwrap();
    let own: Vec<&str> = whole.lines().skip(1).collect();
    assert!(before >= 8 && own[..before] == source[..before], "{whole}");
    assert!(whole.starts_with("{\"format\"") && whole.contains("\"human\""), "{whole}");
    // Left after one choice, it goes on to the same game.
    let run = format!("play {from} --seat 2 --records {{}}/half.jsonl");
    let (code, _, note) = played(&run, &words[..3], dir);
    assert!(code == 3 && note.contains("half.jsonl --from "), "{note}");
    let (code, _, other) = played("play --resume {}/half.jsonl", &words[3..], dir);
    assert!(code == 2 && other.contains("begins at a position of another record"), "{other}");
    let run = format!("play --resume {{}}/half.jsonl {from}");
    let (code, _, stderr) = played(&run, &words[3..], dir);
    assert_eq!(code, 0, "{stderr}");
    assert!(whole == fs::read_to_string(dir.join("half.jsonl")).unwrap());
    let (code, _, stderr) =
        played("play --resume {}/half.jsonl --from {}/games.jsonl:1:9", "", dir);
    assert!(code == 2 && stderr.contains("does not begin at the position"), "{stderr}");
}

#[test]
fn a_person_is_helped_takes_back_and_is_told_what_fits() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let words = "?\nfly\nb\nroll\nu\nl\nh\nhold\nq\n";
    let (code, stdout, stderr) = played(
        "play --game pig --agent random --agent Anna=human --seat 1 --hint mcts(iterations=50)",
        words,
        dir,
    );
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("not kept"), "{stderr}");
    for part in [
        "seat 1 (random), seat 2 (you)",
        "Type an option, its number",
        "\"fly\" fits no option: roll, hold. Nothing was played.",
        "Nothing can be taken back",
        "Hint: ",
        "visits",
    ] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
    // In conquest2 a draft can be taken back, choice by choice.
    let (_, stdout, _) = played("play --seed 1", "1\nu\nu\nq\n", dir);
    assert!(stdout.contains("seat 1> "), "{stdout}");
    let two = "play --game goofspiel --agent human --agent human";
    let (_, stdout, _) = played(two, "13\n1\nl\nq\n", dir);
    assert!(stdout.contains("seat 1 (human)") && stdout.contains("seat 2 (human)"), "{stdout}");
}

#[test]
fn a_pipe_that_ends_leaves_a_game_that_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    // The last word has no end of line.
    let (code, _, stderr) = played("play --seed 3 --records {}/mine.jsonl", "#1\n#2\n#1", dir);
    assert_eq!((code, stderr.contains("the game is kept: caesar play --resume")), (3, true));
    let left = fs::read_to_string(dir.join("mine.jsonl")).unwrap();
    let (code, _, stderr) = played("play --resume {}/mine.jsonl", "", dir);
    assert_eq!(code, 3, "{stderr}");
    assert!(left == fs::read_to_string(dir.join("mine.jsonl")).unwrap(), "nothing is lost");
}

/// Returns what a terminal shows of `caesar args` when `typed` is typed there; `None` where no program makes terminals.
fn at_a_terminal(args: &str, typed: &str) -> Option<String> {
    let is_known = Command::new("script").arg("--version").output();
    if !is_known.is_ok_and(|told| String::from_utf8_lossy(&told.stdout).contains("util-linux")) {
        eprintln!(
            "NO TERMINAL: `script` of util-linux makes them, and what people see there is not tested"
        );
        return None;
    }
    let mut script = Command::new("script");
    let line = format!("'{}' {args}", env!("CARGO_BIN_EXE_caesar"));
    script.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    Some(ran_with(&mut script, typed).1)
}

/// The screen of one person is wiped before the next one looks, and again before they see their own.
#[test]
fn people_at_one_keyboard_do_not_see_each_others_screens() {
    let args = "play --game kuhn-poker --agent Ben=human --agent Anna=human --seed 3 --color never";
    let Some(shown) = at_a_terminal(args, "\n1\n\nq\n") else { return };
    let screens: Vec<&str> = shown.split("\x1b[2J\x1b[3J\x1b[H").collect();
    assert!(!shown.contains("\\u{1b}"), "{shown}");
    let [_, first, ben, second, anna] = screens[..] else { panic!("{screens:?}") };
    for (screen, name) in [(first, "seat 1 (Ben)"), (second, "seat 2 (Anna)")] {
        let asked = format!("{name} is next. Press Enter when {name} alone looks.");
        assert_eq!(screen.trim(), asked);
    }
    assert!(ben.contains("You have card 3") && !anna.contains("card 3"), "{ben} {anna}");
    assert!(anna.contains("You have card 2"), "{anna}");
}

#[test]
fn a_moment_at_which_another_seat_chooses_goes_on_until_the_person_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let source = "tournament --game pig --agent random --agent greedy --blocks 1 --seed 5 --quiet \
                  --records {}/games.jsonl";
    done_at(source, dir);
    for (seat, first) in [(1, "    seat 2 plays"), (2, "\n--- seat 2 (you)")] {
        // The first choice is that of seat 1, the second that of seat 2.
        let args = format!("play --from {{}}/games.jsonl:1:2 --seat {seat}");
        let (code, stdout, stderr) = played(&args, "", dir);
        assert_eq!(code, 3, "{stderr}");
        let (_, shown) = stdout.split_once("for help.\n").unwrap();
        assert!(shown.starts_with(first) && shown.contains("(you)"), "{seat}: {stdout}");
    }
}

#[test]
fn tables_that_cannot_be_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("there.jsonl"), "a file of mine\n").unwrap();
    played("play --game pig --records {}/left.jsonl", "hold\n", dir);
    let other = fs::read_to_string(dir.join("left.jsonl")).unwrap();
    fs::write(dir.join("other.jsonl"), other.replace("caesar-record/1", "caesar-record/2"))
        .unwrap();
    for (args, complaint) in [
        ("tournament --game pig --agent human --agent random", "`caesar play`"),
        ("tournament --game pig --agent Anna=human --agent random", "`caesar play`"),
        ("play --game pig --agent random", "nobody is human"),
        (
            "play --game pig --players 2 --agent human --agent random --agent random",
            "3 agents for 2",
        ),
        ("play --game pig --players 2 --seat 5", "the table has 2 seats"),
        ("play --game pig --agent human --agent wizard", "wizard"),
        ("play --game pig --hint wizard", "wizard"),
        ("play --game pig --records {}/there.jsonl", "there.jsonl"),
        ("play --game pig --records -", "a plain file"),
        ("play --resume {}/none.jsonl", "none.jsonl"),
        ("play --resume {}/there.jsonl", "no header of a record"),
        ("play --resume {}/there.jsonl --seed 4", "--seed"),
        ("play --resume {}/other.jsonl", "the format is caesar-record/2, not caesar-record/1"),
        ("play --from {}/other.jsonl:1:1", "unknown format \"caesar-record/2\""),
        ("play --from {}/left.jsonl:1:99", "no ply 99"),
        ("play --from {}/left.jsonl:2:1", "no game 2"),
        ("play --game pig --pace -1", "0 to 60"),
        ("play --from {}/none.jsonl:1:1", "none.jsonl"),
        ("play --from {}/there.jsonl:1:1", "there.jsonl"),
        ("play --from here", "FILE:GAME:PLY"),
        ("play --from {}/there.jsonl:1:1 --game pig", "--game"),
    ] {
        let (code, _, stderr) = played(args, "h\n", dir);
        assert_eq!(code, 2, "{args}: {stderr}");
        assert!(stderr.contains(complaint), "{args}: {stderr}");
        assert!(stderr.lines().count() <= 2, "{args}: {stderr}");
    }
    assert_eq!(fs::read_to_string(dir.join("there.jsonl")).unwrap(), "a file of mine\n");
}
