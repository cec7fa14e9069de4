//! `caesar play` through a pipe: the same words give the same record, and nothing of a game is lost.

use std::fs;
use std::path::Path;

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
fn tables_that_cannot_be_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("there.jsonl"), "a file of mine\n").unwrap();
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
        ("play --game pig --pace -1", "0 to 60"),
    ] {
        let (code, _, stderr) = played(args, "h\n", dir);
        assert_eq!(code, 2, "{args}: {stderr}");
        assert!(stderr.contains(complaint), "{args}: {stderr}");
        assert!(stderr.lines().count() <= 2, "{args}: {stderr}");
    }
    assert_eq!(fs::read_to_string(dir.join("there.jsonl")).unwrap(), "a file of mine\n");
}
