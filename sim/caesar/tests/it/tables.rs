//! Tables for people and programs: ratings, every format, labels, colours.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::shared::{caesar, command, ended};

fn tournament(words: &str) -> String {
    printed(&format!("tournament --ratings --quiet --seed 5 {words}"))
}

/// Returns the stdout of `caesar` with `words` separated by blanks.
fn printed(words: &str) -> String {
    String::from_utf8(ended(0, &mut command(words)).stdout).unwrap()
}

/// Returns the one line with which `caesar` refuses `words`.
fn refused(words: &str) -> String {
    let output = ended(2, &mut command(words));
    assert_eq!((output.stdout.len(), text(&output.stderr).lines().count()), (0, 1), "{words}");
    text(&output.stderr)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the rows of a CSV table, by the names of the columns.
fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_reader(csv.as_bytes()).deserialize().map(Result::unwrap).collect()
}

/// Returns the document's entries about ratings, by kind.
fn lines(text: &str) -> BTreeMap<String, Vec<Json>> {
    let document: Json = serde_json::from_str(text).unwrap();
    let mut lines = BTreeMap::<String, Vec<Json>>::new();
    for line in document["ratings"].as_array().unwrap() {
        lines.entry(line["kind"].as_str().unwrap().to_owned()).or_default().push(line.clone());
    }
    lines.insert("summary".to_owned(), vec![document]);
    lines
}

#[test]
fn ratings_do_not_depend_on_the_number_of_threads() {
    let game = "--game pig --players 3 --blocks 60 --agent random --agent greedy --agent random";
    let run = |threads: &str| {
        let text = tournament(&format!("{game} --verbose --threads {threads}"));
        text.lines().filter(|line| !line.contains("games/s")).collect::<Vec<_>>().join("\n")
    };
    let one = run("1");
    assert_eq!(one, run("4"));
    for part in [
        "rating [95 %]",
        "finishes ahead of",
        "superiority",
        "cycles:",
        "Nash average",
        "Elo of the",
    ] {
        assert!(one.contains(part), "no {part} in {one}");
    }
}

#[test]
fn the_last_line_names_the_details_that_verbose_prints() {
    let game = "--game pig --blocks 20 --agent random --agent greedy";
    let [brief, long] = ["", "--verbose"].map(|more| tournament(&format!("{game} {more}")));
    let (answer, names) = brief.trim_end().split_once("More tables with --verbose: ").unwrap();
    assert!(answer.contains("rating [95 %]") && !answer.contains("superiority"), "{brief}");
    assert!(!long.contains("More tables"), "{long}");
    // The speed stands last.
    let (names, _) = names.rsplit_once('\n').unwrap();
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    assert!(names.contains(&"superiority"), "{names:?}");
    for name in names {
        let one = tournament(&format!("{game} --table {name}"));
        let title = one.lines().next().unwrap();
        assert!(long.contains(title) && !answer.contains(title), "{name}: {one}");
    }
}

#[test]
fn the_document_says_of_ratings_what_it_says_of_shares() {
    let text = tournament("--game tic-tac-toe --blocks 40 --json --agent random --agent greedy");
    let lines = lines(&text);
    let summary = &lines["summary"][0];
    assert_eq!((lines["summary"].len(), summary["games"].as_u64()), (1, Some(80)));
    assert_eq!(lines["ratings"][0]["groups"], 40);
    for rating in &lines["rating"] {
        let agents = summary["agents"].as_array().unwrap();
        let line = agents.iter().find(|line| line["spec"] == rating["agent"]).unwrap();
        assert_eq!(line["games"], rating["games"]);
    }
    let elo = |line: &Json| line["elo"].as_f64().unwrap();
    let sum = lines["rating"].iter().map(elo).sum::<f64>();
    assert!(sum.abs() < 1e-6 && lines["seat"].len() == 2);
    // Points of tic-tac-toe are head to head, with draws as half, so the pair has the share of the summary.
    let pair = &lines["pair"][0];
    let spec = &pair["agent"];
    let shares = summary["agents"].as_array().unwrap();
    let share =
        shares.iter().find(|line| line["spec"] == *spec).unwrap()["share"].as_f64().unwrap();
    assert!((pair["share"].as_f64().unwrap() - share).abs() < 1e-9, "{pair}");
    assert_eq!(lines["alpha-rank"].len(), 8, "pairs and table at four intensities");
}

#[test]
fn an_agent_alone_has_no_relations() {
    let text = tournament("--game pig --players 2 --blocks 5 --agent random --agent random");
    assert!(text.contains("one agent alone"), "{text}");
}

/// A tournament of three, with and without labels.
const THREE: &str = "tournament --game pig --players 3 --blocks 40 --quiet --agent \
                     cautious=greedy(epsilon=0.1) --agent greedy(epsilon=0.2) --agent coin=random";

#[test]
fn the_same_numbers_stand_in_every_format() {
    let document: Json = serde_json::from_str(&printed(&format!("{THREE} --format json"))).unwrap();
    assert_eq!(
        document["agents"],
        serde_json::from_str::<Json>(&printed(&format!("{THREE} --json"))).unwrap()["agents"]
    );
    let rows = rows(&printed(&format!("{THREE} --format csv")));
    let [table, markdown, latex] =
        ["table", "markdown", "latex"].map(|format| printed(&format!("{THREE} --format {format}")));
    assert_eq!(rows.len(), 3);
    for (row, agent) in rows.iter().zip(document["agents"].as_array().unwrap()) {
        for (column, key) in [
            ("share", "share"),
            ("share_low", "low"),
            ("share_high", "high"),
            ("share_together_low", "low_together"),
            ("share_together_high", "high_together"),
            ("mean_score", "mean_score"),
            ("mean_score_low", "score_low"),
            ("mean_score_high", "score_high"),
            ("mean_rank", "mean_rank"),
            ("mean_rank_low", "rank_low"),
            ("mean_rank_high", "rank_high"),
            ("games", "games"),
            ("blocks", "blocks"),
        ] {
            let number: f64 = row[column].parse().unwrap();
            assert_eq!(number.to_bits(), agent[key].as_f64().unwrap().to_bits(), "{column}");
        }
        assert_eq!(
            (&row["spec"], &row["interval"]),
            (&text_of(&agent["spec"]), &text_of(&agent["interval"]))
        );
        let name = agent.get("label").map_or(text_of(&agent["spec"]), text_of);
        assert_eq!(row["agent"], name);
        let number = |key: &str| agent[key].as_f64().unwrap();
        let share = format!("{:.3} [{:.3}, {:.3}]", number("share"), number("low"), number("high"));
        assert!(table.contains(&share) && latex.contains(&share), "{share}: {table}{latex}");
        assert!(markdown.contains(&share.replace('[', "\\[").replace(']', "\\]")), "{markdown}");
        let score = format!("{:.1} ± ", number("mean_score"));
        assert!(table.contains(&score) && markdown.contains(&score), "{score}: {table}{markdown}");
        assert!(latex.contains(&score.replace('±', "$\\pm$")), "{latex}");
    }
}

/// Simultaneous intervals are printed on request, and are always in CSV.
#[test]
fn intervals_hold_together_where_that_is_asked_for() {
    let tables = "--ratings --outcomes --by-seat --head-to-head --verbose";
    let alone = printed(&format!("{THREE} {tables}"));
    let together = printed(&format!("{THREE} {tables} --together"));
    assert!(alone.contains("by block, individual") && !alone.contains("simultaneous"), "{alone}");
    assert!(together.contains("simultaneous for shares"), "{together}");
    assert!(together.matches("[95 % simultaneous]").count() >= 6, "{together}");
    let of = |name: &str| rows(&printed(&format!("{THREE} {tables} --format csv --table {name}")));
    for (name, key, n) in [
        ("standings", "share", 3),
        ("outcomes", "win_rate", 3),
        ("by-seat", "share", 9),
        ("head-to-head", "share", 3),
        ("ratings", "elo", 3),
        ("seats", "elo", 3),
    ] {
        let rows = of(name);
        assert_eq!(rows.len(), n, "{name}");
        for row in rows {
            let number = |end: &str| row[&format!("{key}{end}")].parse::<f64>().unwrap();
            let place = format!("{name}: {row:?}");
            // A share of 0 or 1 has a one-sided interval.
            assert!(number("_together_low") <= number("_low"), "{place}");
            assert!(number("_high") <= number("_together_high"), "{place}");
            let width = |of: &str| number(&format!("{of}_high")) - number(&format!("{of}_low"));
            assert!(width("") < width("_together"), "{place}");
            assert_eq!(number("").to_bits(), number("_together").to_bits(), "{place}");
        }
    }
    // Holm's p-value of the difference to the next, and its verdict.
    let standings = of("standings");
    let p = |place: usize| standings[place]["next_p"].parse::<f64>().unwrap();
    assert_eq!(standings[2]["next_p"], "");
    let flat = together.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_open =
        flat.contains("not decided: ") && flat.contains("Holm's correction for all pairs");
    assert_eq!((0..2).any(|place| p(place) >= 0.05), is_open, "{together}");
}

#[test]
fn mean_ranks_have_intervals_within_their_range() {
    for seed in 1..=6 {
        let words = format!("--game pig --players 3 --blocks 4 --format csv --seed {seed}");
        let agents = "--agent greedy --agent random --agent greedy(epsilon=0.5)";
        for row in rows(&printed(&format!("tournament --quiet --threads 1 {words} {agents}"))) {
            let [low, high] = ["mean_rank_low", "mean_rank_high"].map(|key| &row[key]);
            let ends = [low, high].map(|end| end.parse::<f64>().unwrap());
            assert!(1.0 <= ends[0] && ends[0] <= ends[1] && ends[1] <= 3.0, "{row:?}");
        }
    }
}

fn text_of(json: &Json) -> String {
    json.as_str().unwrap().to_owned()
}

#[test]
fn an_agent_is_called_by_its_label_wherever_results_are() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display().to_string();
    let table = printed(&format!("{THREE} --out {out}"));
    let has = |start: &str| {
        assert!(table.lines().any(|line| line.starts_with(start)), "{start}: {table}");
    };
    has("cautious  ");
    has("coin  ");
    has("cautious = greedy(epsilon=0.1)");
    has("coin = random");
    assert!(table.contains("--agent 'cautious=greedy(epsilon=0.1)'"), "{table}");
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let manifest: Json = serde_json::from_str(&read("manifest.json")).unwrap();
    let entrants = ["cautious=greedy(epsilon=0.1)", "greedy(epsilon=0.2)", "coin=random"];
    assert_eq!(manifest["tournament"]["agents"], serde_json::json!(entrants));
    let summary: Json = serde_json::from_str(&read("summary.json")).unwrap();
    let labels: Vec<&Json> =
        summary["agents"].as_array().unwrap().iter().map(|a| &a["label"]).collect();
    assert!(labels.contains(&&Json::from("coin")), "{summary}");
    let replayed = printed(&format!("replay {out} --game 6"));
    assert!(
        replayed.contains("  coin  ") && replayed.contains("agrees with games.csv"),
        "{replayed}"
    );
    // The same agents with the same seed play the same games, under any labels.
    let specs = "tournament --game pig --players 3 --blocks 40 --quiet --format csv --agent \
                 greedy(epsilon=0.1) --agent greedy(epsilon=0.2) --agent random";
    let unlabelled = rows(&printed(specs));
    let labelled = rows(&printed(&format!("{THREE} --format csv")));
    for (one, other) in unlabelled.iter().zip(&labelled) {
        assert_eq!((&one["spec"], &one["share"]), (&other["spec"], &other["share"]));
        assert_eq!(one["agent"], one["spec"]);
    }
    // The same agent under two names is two agents in the table.
    let twins = "tournament --game pig --blocks 20 --format csv --agent a=random --agent b=random";
    let twins = rows(&printed(twins));
    assert_eq!((twins.len(), twins[0]["spec"].as_str()), (2, "random"));
    let compared = printed("compare --game pig --agent coin=random --agent greedy --format csv");
    assert_eq!(rows(&compared)[0]["candidate"], "coin");
    assert_eq!(rows(&compared)[0]["candidate_spec"], "random");
    let pig = "tournament --game pig --agent";
    let twice = refused(&format!("{pig} a=random --agent a=greedy"));
    assert!(twice.contains("\"a=greedy\": the label of random is given twice"), "{twice}");
    assert!(refused(&format!("{pig} a+b/c=random")).contains("\"a+b/c\" is no label (accepted: "));
}

#[test]
fn one_table_of_several_is_asked_for_by_name() {
    let many = format!("{THREE} --ratings --search-stats");
    let complaint = refused(&format!("{many} --format csv"));
    assert!(
        complaint
            .contains("it holds one table; choose it with --table (standings, searches, ratings,"),
        "{complaint}"
    );
    let complaint = refused(&format!("{THREE} --table ratings"));
    assert!(
        complaint.contains(
            "these options give no such table (nearest: standings; available: standings)"
        ),
        "{complaint}"
    );
    assert!(
        refused(&format!("{THREE} --table standings --json"))
            .contains("the document has all tables")
    );
    for table in [
        "ratings",
        "seats",
        "soft-condorcet",
        "pairs",
        "intransitivity",
        "cycles",
        "equilibria",
        "finishes-before",
    ] {
        let csv = printed(&format!("{many} --format csv --table {table}"));
        let header = csv.lines().next().unwrap();
        assert!(header.split(',').all(|name| !name.is_empty()), "{table}: {csv}");
        assert!(rows(&csv).iter().all(|row| row.len() == header.split(',').count()), "{csv}");
    }
    let ratings = rows(&printed(&format!("{many} --format csv --table ratings")));
    assert!(
        ratings
            .iter()
            .all(|row| row["elo_low"].parse::<f64>().unwrap() < row["elo"].parse().unwrap())
    );
    let markdown = printed(&format!("{many} --format markdown --table pairs"));
    assert_eq!(markdown.lines().filter(|line| line.starts_with("| ")).count(), 2 + 3, "{markdown}");
    let odds = "odds --attacker 3i --defender 2i --check 1000";
    assert!(refused(&format!("{odds} --format csv")).contains("--table (sides, ends)"));
    let ends = rows(&printed(&format!("{odds} --format csv --table ends")));
    assert!(
        ends.iter().all(|row| row["battles"] == "1000" && row["played_low"] <= row["played_high"])
    );
}

#[test]
fn every_command_with_a_table_writes_it_in_every_format() {
    for command in [
        "games",
        "perft pig --depth 3",
        "speed pig --players 2 --seconds 0.001",
        "speed pig --players 2 --seconds 0.001 --search --agent mcts(iterations=5)",
        "agents --table parameters",
        "agents pig --table parameters",
        "odds --attacker 3i --defender 2i --table sides",
        "compare --game pig --agent random --agent greedy --quiet",
        "compare --game pig --set-b target=50 --metric plies --effect 2 --quiet",
        "compare --game pig --agent random --agent greedy --plan --quiet",
        "tournament --game pig --blocks 5 --quiet",
        "tournament --game pig --blocks 5 --quiet --table outcomes --outcomes",
        "tournament --game pig --blocks 5 --quiet --table by-seat --by-seat",
        "tournament --game pig --blocks 5 --quiet --table head-to-head --head-to-head",
        "tournament --game pig --blocks 12 --quiet --table soft-condorcet --ratings",
    ] {
        let csv = printed(&format!("{command} --format csv"));
        assert!(!rows(&csv).is_empty(), "{command}: {csv}");
        let markdown = printed(&format!("{command} --format markdown"));
        assert!(
            markdown.contains("\n| ---") && !markdown.contains("\u{1b}"),
            "{command}: {markdown}"
        );
        let latex = printed(&format!("{command} --format latex"));
        assert!(
            latex.contains("\\toprule") && latex.trim_end().ends_with("\\end{table}"),
            "{command}: {latex}"
        );
        // Tables with names that are too long for 80 characters are known; all others fit.
        let table = printed(&format!("{command} --format table"));
        let wide = table.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{command}: {table}");
    }
}

#[test]
fn what_is_piped_has_no_colours_and_the_same_width_whatever_the_environment_says() {
    let run = |color: &str, variables: &[(&str, &str)]| {
        let mut command = command("");
        command.args("tournament --game pig --players 3 --blocks 20 --quiet".split(' '));
        command.args(["--color", color]).envs(variables.iter().copied());
        let out = text(&ended(0, &mut command).stdout);
        out.lines().filter(|line| !line.contains("games/s")).collect::<Vec<_>>().join("\n")
    };
    let plain = run("auto", &[]);
    assert!(!plain.contains('\u{1b}'));
    for variables in [
        [("COLUMNS", "200"), ("CLICOLOR_FORCE", "1")],
        [("COLUMNS", "40"), ("NO_COLOR", "1")],
        [("TERM", "xterm-256color"), ("COLORTERM", "truecolor")],
    ] {
        assert_eq!(run("auto", &variables), plain, "{variables:?}");
        assert_eq!(run("never", &variables), plain, "{variables:?}");
    }
    let coloured = run("always", &[("NO_COLOR", "1")]);
    assert!(coloured.contains("\u{1b}[1m"), "{coloured:?}");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
    let refused = ended(2, &mut command("games --color always --nonsense"));
    assert!(text(&refused.stderr).starts_with("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m "));
}

/// Wins, draws, losses, shares by seat and pairs equal counts from the rows of a run.
#[test]
fn how_games_ended_is_what_the_rows_of_games_say() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display().to_string();
    let run =
        "tournament --game tic-tac-toe --agent greedy --agent random --blocks 40 --quiet --seed 3";
    let tables = "--outcomes --by-seat --head-to-head";
    let document: Json = serde_json::from_str(&printed(&format!(
        "{run} {tables} --json --out {out} --export seats"
    )))
    .unwrap();
    let seats = rows(&std::fs::read_to_string(dir.path().join("seats.csv")).unwrap());
    let csv = |table: &str| rows(&printed(&format!("{run} {tables} --format csv --table {table}")));
    let number = |row: &BTreeMap<String, String>, key: &str| row[key].parse::<f64>().unwrap();
    let mut drawn = 0.0;
    for row in csv("outcomes") {
        let mine = || seats.iter().filter(|seat| seat["agent"] == row["agent"]);
        let with = |share: f64| {
            mine().filter(|seat| (number(seat, "share") - share).abs() < 1e-9).count() as f64
        };
        for (key, rate, share) in
            [("wins", "win_rate", 1.0), ("draws", "draw_rate", 0.5), ("losses", "loss_rate", 0.0)]
        {
            assert!((number(&row, key) - with(share)).abs() < 1e-9, "{key}: {row:?}");
            assert!((number(&row, rate) - with(share) / 80.0).abs() < 1e-9, "{rate}: {row:?}");
            let (low, high) = (format!("{rate}_low"), format!("{rate}_high"));
            assert!(number(&row, &low) <= number(&row, rate));
            assert!(number(&row, rate) <= number(&row, &high));
        }
        drawn += with(0.5);
        let agents = document["agents"].as_array().unwrap();
        let line = agents.iter().find(|line| line["spec"] == row["agent"]).unwrap();
        assert_eq!(line["wins"].to_string(), row["wins"]);
        let seats = line["seats"].as_array().unwrap();
        let by_seat = csv("by-seat");
        let by_seat: Vec<_> = by_seat.iter().filter(|seat| seat["agent"] == row["agent"]).collect();
        assert_eq!((seats.len(), by_seat.len()), (2, 2));
        for (seat, (seats, line)) in seats.iter().zip(by_seat).enumerate() {
            let held: Vec<f64> = mine()
                .filter(|row| row["seat"] == seat.to_string())
                .map(|row| number(row, "share"))
                .collect();
            let mean = held.iter().sum::<f64>() / held.len() as f64;
            assert!((seats["share"].as_f64().unwrap() - mean).abs() < 1e-9, "{seats}");
            assert_eq!(
                seats["low"].as_f64().unwrap().to_bits(),
                number(line, "share_low").to_bits()
            );
            assert_eq!(line["games"], "40");
        }
    }
    assert!(drawn > 0.0, "a run without draws shows nothing of them");
    // In tic-tac-toe the winner finishes before the other.
    let pair = &csv("head-to-head")[0];
    let first = csv("outcomes").into_iter().find(|row| row["agent"] == pair["agent"]).unwrap();
    for (here, there) in [("before", "wins"), ("level", "draws"), ("behind", "losses")] {
        assert_eq!(pair[here], first[there]);
    }
    let share = document["head_to_head"][0]["share"].as_f64().unwrap();
    assert_eq!(share.to_bits(), number(pair, "share").to_bits());
    assert_eq!(document["head_to_head"][0]["kind"], "pair");
}

#[test]
fn ratings_stand_in_the_directory_of_a_run_as_they_are_printed() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().display().to_string();
    let printed_ones: Json =
        serde_json::from_str(&printed(&format!("{THREE} --ratings --json --out {out}"))).unwrap();
    let text = std::fs::read_to_string(dir.path().join("ratings.json")).unwrap();
    let written: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(written["ratings"], printed_ones["ratings"]);
    assert_eq!((&written["games"], &written["game"]), (&printed_ones["games"], &Json::from("pig")));
    let table = rows(&std::fs::read_to_string(dir.path().join("ratings.csv")).unwrap());
    let there = rows(&printed(&format!("{THREE} --ratings --format csv --table ratings")));
    let soft = rows(&printed(&format!("{THREE} --ratings --format csv --table soft-condorcet")));
    assert_eq!((table.len(), table[0]["spec"].is_empty()), (3, false));
    for (row, line) in table.iter().zip(&there) {
        for key in ["agent", "games", "elo", "elo_low", "elo_high", "mu", "sigma"] {
            assert_eq!(row[key], line[key], "{key}");
        }
        let line = soft.iter().find(|line| line["agent"] == row["agent"]).unwrap();
        for key in ["soft_condorcet", "soft_condorcet_low", "soft_condorcet_high", "kemeny"] {
            assert_eq!(row[key], line[key], "{key}");
        }
    }
    // Without the option a new run leaves no file.
    let (code, _, stderr) = caesar(&format!("{THREE} --force --out {out}"));
    assert!(code == 0 && stderr.contains("a finished run"), "{stderr}");
    assert!(!dir.path().join("ratings.json").exists() && !dir.path().join("ratings.csv").exists());
    let complaint = refused("tournament --game pig --export ratings");
    assert!(
        complaint.contains("--export ratings: name the directory of ratings.json"),
        "{complaint}"
    );
}
