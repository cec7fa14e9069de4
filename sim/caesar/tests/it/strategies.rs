//! `caesar strategies`: its export, and the commands that take it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use lab::tune::pools::{Pool, Report};
use serde_json::Value as Json;

use crate::shared::{done_inside, inside};

/// A search so short that it only shows that files go from hand to hand; two of its strategies survive.
const RUN: &str = "strategies --game hannibal --agent greedy(weights.march=?4..6,weights.group=?0..3,weights.threat=9) \
                   --corners 3 --epsilon 0.4 --confirm 100 --rounds 1 --games 260 --table-games 40 --seed 3 --quiet";

fn exported(dir: &Path) -> Json {
    done_inside(&format!("{RUN} --export pop"), dir);
    serde_json::from_str(&fs::read_to_string(dir.join("pop/population.json")).unwrap()).unwrap()
}

fn refused(args: &str, dir: &Path) -> String {
    let (code, _, stderr) = inside(args, dir);
    assert_eq!(code, 2, "{args}: {stderr}");
    stderr
}

const TUNE: &str = "tune --game hannibal --agent greedy(weights.group=?0..3) --games 700 --confirm 100 --quiet \
                    --against population:pop";

#[test]
fn an_exported_strategy_plays_as_the_one_that_was_found() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let found: Json =
        serde_json::from_str(&done_inside(&format!("{RUN} --json --export pop"), dir)).unwrap();
    let text = fs::read_to_string(dir.join("pop/population.json")).unwrap();
    let population: Json = serde_json::from_str(&text).unwrap();
    let members = population["members"].as_array().unwrap();
    let survivors = found["strategies"].as_array().unwrap();
    let weight = |one: &Json| one["weight"]["value"].as_f64().unwrap();
    let survivors: Vec<&Json> = survivors.iter().filter(|one| weight(one) >= 0.01).collect();
    assert_eq!((members.len(), survivors.len()), (2, 2));
    let points = |agent: &str| {
        let run = "tournament --game hannibal --agent random --blocks 6 --quiet --json --agent";
        let json: Json =
            serde_json::from_str(&done_inside(&format!("{run} {agent}"), dir)).unwrap();
        json["agents"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["share"].clone())
            .collect::<Vec<_>>()
    };
    for one in survivors {
        let spec = one["agent"].as_str().unwrap();
        let value = |weight: &str| {
            let (_, text) = spec.split_once(&format!("weights.{weight}=")).unwrap();
            text.split([',', ')']).next().unwrap()
        };
        let (march, group) = (value("march"), value("group"));
        let files = members.iter().flat_map(|member| member["files"].as_object().unwrap().keys());
        let mut files =
            files.map(|name| (name, fs::read_to_string(dir.join("pop").join(name)).unwrap()));
        let lines = [
            format!("march = {march} # 6 at the start\n"),
            format!("group = {group} # 1.75 at the start\n"),
            "threat = 9 # given\n".to_owned(),
        ];
        let is_its = |text: &str| lines.iter().all(|line| text.contains(line));
        let (name, text) = files.find(|(_, text)| is_its(text)).unwrap();
        assert!(text.contains("# A strategy of hannibal for 2 players; its weight"), "{text}");
        assert!(text.contains("with seed 3 under the rules"), "{text}");
        let member = members.iter().find(|one| one["files"].get(name).is_some()).unwrap();
        let part = member["weight"].as_f64().unwrap();
        assert!((part - weight(one)).abs() < 1e-6, "{population} {one}");
        let moved = format!("greedy(weights=pop/{name})");
        assert_eq!(points(&spec.replace(' ', "")), points(&moved));
    }
}

#[test]
fn lists_of_agents_take_a_population() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let population = exported(dir);
    let n = population["members"].as_array().unwrap().len();
    assert_eq!(n, 2);
    let tuned = done_inside(&format!("{TUNE} --json --out tuned --threads 1"), dir);
    let other = done_inside(&format!("{TUNE} --json --threads 2"), dir);
    let [tuned, other] = [tuned, other].map(|text| text.lines().next().unwrap().to_owned());
    assert_eq!(tuned, other);
    let manifest = fs::read_to_string(dir.join("tuned/manifest.json")).unwrap();
    assert!(manifest.contains("pop/population.json"), "{manifest}");
    let seats = "balance seats --game hannibal --agent population:pop --blocks 40 --effect 0.5 --quiet --json";
    let seats: Json = serde_json::from_str(&done_inside(seats, dir)).unwrap();
    assert_eq!(seats["agents"].as_array().unwrap().len(), n, "{seats}");
    let ranked = "tournament --game hannibal --agent population:pop --agent random --schedule round-robin --blocks 3 --quiet --json";
    let ranked: Json = serde_json::from_str(&done_inside(ranked, dir)).unwrap();
    assert_eq!(ranked["agents"].as_array().unwrap().len(), n + 1, "{ranked}");
}

#[test]
fn a_population_of_another_table_or_version_is_refused_and_so_is_a_damaged_one() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    exported(dir);
    let stderr = refused(&format!("{RUN} --export pop"), dir);
    assert!(stderr.contains("--export pop: the directory is not empty"), "{stderr}");
    let foreign = "tune --game rise --agent greedy(epsilon=?) --against population:pop";
    let stderr = refused(foreign, dir);
    assert!(stderr.contains("population:pop: its game is hannibal, not rise"), "{stderr}");
    let other = "tune --game pig --agent greedy(epsilon=?) --against population:nowhere";
    let stderr = refused(other, dir);
    assert!(stderr.contains("population:nowhere: nowhere/population.json: "), "{stderr}");
    let place = dir.join("pop/population.json");
    let text = fs::read_to_string(&place).unwrap();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{text}");
        fs::write(&place, text.replacen(from, to, 1)).unwrap();
        refused(TUNE, dir)
    };
    let stderr = with("\"players\":2", "\"players\":3");
    assert!(stderr.contains("it is for 3 players, not 2"), "{stderr}");
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let stderr = with(&version, "\"version\":\"0.0.1\"");
    assert!(stderr.contains("caesar 0.0.1 wrote it") && stderr.contains("strategies"), "{stderr}");
    let stderr = with("caesar-population/1", "caesar-population/9");
    assert!(stderr.contains("caesar-population/9") && stderr.contains("is read here"), "{stderr}");
    let stderr = with("weights=strategy", "weights=../strategy");
    assert!(stderr.contains("names a file outside of the directory"), "{stderr}");
    fs::write(&place, &text[..text.len() / 2]).unwrap();
    let stderr = refused(TUNE, dir);
    assert!(stderr.contains("population.json is damaged"), "{stderr}");
    fs::write(&place, &text).unwrap();
    let json: Json = serde_json::from_str(&text).unwrap();
    let name = json["members"][0]["files"].as_object().unwrap().keys().next().unwrap().clone();
    let persona = dir.join("pop").join(&name);
    let whole = fs::read_to_string(&persona).unwrap();
    fs::write(&persona, &whole[..whole.len() - 10]).unwrap();
    let stderr = refused(TUNE, dir);
    assert!(stderr.contains(&format!("{name} has changed since it was exported")), "{stderr}");
    fs::remove_file(&persona).unwrap();
    let stderr = refused(TUNE, dir);
    assert!(stderr.contains(&format!("population:pop: pop/{name}: ")), "{stderr}");
}

#[test]
fn the_personas_of_a_game_are_in_the_start_as_far_as_tables_allow() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let planned = |rest: &str| -> (u64, u64) {
        let run = format!("strategies --agent greedy(weights.city=?) --plan --json {rest}");
        let plan: Json = serde_json::from_str(&done_inside(&run, dir)).unwrap();
        (plan["start"].as_u64().unwrap(), plan["personas"].as_u64().unwrap())
    };
    let conquest2 = |rest: &str| planned(&format!("--game conquest2 {rest}"));
    assert_eq!(conquest2("--players 2 --corners 0"), (7, 6));
    assert_eq!(conquest2("--players 2 --corners 0 --against greedy(persona=raider)"), (7, 5));
    assert_eq!(conquest2("--players 2 --corners 0 --personas 2 --against random"), (4, 2));
    assert_eq!(conquest2("--players 2 --corners 0 --solver alpha-rank --rounds 2"), (4, 3));
    assert_eq!(conquest2("--players 4 --corners 0 --rounds 8"), (5, 4));
    assert_eq!(conquest2("--players 4 --corners 0 --quick"), (1, 0));
    let chosen = "strategies --game conquest2 --agent greedy(persona=?) --plan --json";
    let chosen: Json = serde_json::from_str(&done_inside(chosen, dir)).unwrap();
    assert_eq!(chosen["personas"], 0);
    let stderr = refused(&format!("{RUN} --personas 3"), dir);
    assert!(stderr.contains("--personas 3: hannibal has 0 personas for this agent"), "{stderr}");
}

/// A persona has its own values where the agent leaves them open.
#[test]
fn a_persona_plays_with_its_own_weights() {
    let dir = tempfile::tempdir().unwrap();
    let run = "strategies --game conquest2 --players 2 --agent greedy(epsilon=0.1,weights.city=?) --personas 1 --corners 0 \
               --epsilon 0.4 --confirm 100 --rounds 1 --games 150 --table-games 40 --seed 2 --quiet --json";
    let found: Json = serde_json::from_str(&done_inside(run, dir.path())).unwrap();
    assert_eq!(found["strategies"][1]["agent"], "greedy(epsilon=0.1, persona=central)", "{found}");
}

/// The watched games are those of the report: a tournament from their seed ends with the same numbers.
#[test]
fn a_portrait_counts_the_games_of_the_report() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "strategies --game conquest2 --players 2 --agent greedy(weights.city=?0..20) --against random --personas 0 --corners 0 \
               --epsilon 0.4 --confirm 100 --rounds 1 --games 150 --table-games 40 --seed 2 --quiet --json --out found";
    let found: Json = serde_json::from_str(&done_inside(run, dir)).unwrap();
    let [own, other] = [0, 1].map(|i| &found["strategies"][i]);
    assert!(own["beats"][0] == "random" && other["watched"].is_null(), "{found}");
    let watched = &own["watched"];
    assert_eq!(watched["games"], 40);
    let things = watched["things"].as_array().unwrap();
    let games = |one: &Json| one["games"].as_u64().unwrap();
    assert!(things.iter().all(|one| (1..=40).contains(&games(one))), "{watched}");
    assert!(things.iter().is_sorted_by(|a, b| games(a) >= games(b)), "{watched}");
    for kind in ["cards", "places"] {
        assert!(things.iter().any(|one| one["kind"] == kind), "{kind}: {watched}");
    }
    for always in found["always"].as_array().unwrap() {
        let same = |one: &&Json| one["kind"] == always["kind"] && one["name"] == always["name"];
        assert!(games(things.iter().find(same).unwrap()) >= 36, "{always}");
    }
    for unused in found["unused"].as_array().unwrap() {
        assert!(things.iter().all(|one| one["name"] != unused["name"]), "{unused}");
    }
    let portrait = own["portrait"].as_str().unwrap();
    assert!(portrait.contains("in 40 watched games it takes "), "{portrait}");
    assert!(portrait.contains("ends with influence "), "{portrait}");

    let seed = Pool::<Report>::of(2).seed();
    let agent = own["agent"].as_str().unwrap();
    let again = "tournament --game conquest2 --players 2 --agent random --blocks 20 --quiet --out again --records again.jsonl";
    done_inside(&format!("{again} --seed {seed} --agent {agent}"), dir);
    let rows = fs::read_to_string(dir.join("again/games.csv")).unwrap();
    let rows: Vec<Vec<&str>> = rows.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|one| *one == name).unwrap();
    let mut sum = 0.0;
    for row in &rows[1..] {
        let seat = usize::from(row[column("agent_0")] != agent);
        sum += row[column(&format!("influence_{seat}"))].parse::<f64>().unwrap();
    }
    let mean = watched["ends"][0]["own"]["value"].as_f64().unwrap();
    assert_eq!((watched["ends"][0]["name"].as_str(), rows.len()), (Some("influence"), 41));
    assert!((sum / 40.0 - mean).abs() < 1e-9, "{} {mean}", sum / 40.0);

    // It wins them all, and the first is kept.
    assert_eq!(watched["records"], serde_json::json!([{"number": 1, "is_won": true}]));
    let kept = fs::read_to_string(dir.join("found/games.jsonl")).unwrap();
    assert!(kept.starts_with("{\"format\":\"caesar-record/1\"") && kept.ends_with('\n'), "{kept}");
    assert!(fs::read_to_string(dir.join("again.jsonl")).unwrap().contains(&kept), "{kept}");

    // On the page no spec has a capital letter.
    done_inside("report found --out page.html --quiet", dir);
    let page = fs::read_to_string(dir.join("page.html")).unwrap();
    assert!(page.contains("watched games it takes"), "{page}");
    assert!(!page.contains(">Greedy") && !page.contains(">Random"), "{page}");
}

/// The archive is the same on any number of threads, and after a kill.
#[test]
fn an_archive_is_written_shown_and_continued_to_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = "strategies --game hannibal --agent greedy(weights.march=?4..6,weights.group=?0..3) --corners 1 --epsilon 0.4 \
               --confirm 100 --rounds 1 --games 260 --table-games 40 --seed 3 --quiet --niche legions,turns \
               --niche-games 1600";
    done_inside(&format!("{run} --threads 1 --out one --export pop"), dir);
    let [file, text] = ["archive.csv", "summary.json"]
        .map(|name| fs::read_to_string(dir.join("one").join(name)).unwrap());
    let summary: Json = serde_json::from_str(&text).unwrap();
    let archive = &summary["archive"];
    let cells = archive["cells"].as_array().unwrap();
    assert!(file.starts_with("legions,turns,strategy,gain,gain_low,gain_high,verdict,"), "{file}");
    let filled = file.lines().skip(1).filter(|line| line.contains("greedy("));
    assert_eq!(filled.count(), cells.len(), "{file}");
    // 40 candidates and the members of the population.
    let members = summary["strategies"].as_array().unwrap().len();
    assert_eq!(archive["candidates"], 40 + members);

    // Elites that do not lose are a population of their own.
    let is_kept = |cell: &&Json| cell["gain_on_mixture"]["high"].as_f64().unwrap() >= 0.0;
    let kept = cells.iter().filter(is_kept).count();
    let text = fs::read_to_string(dir.join("pop/archive/population.json")).unwrap();
    let population: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(population["members"].as_array().unwrap().len(), kept, "{text}");
    assert!(kept > 1, "{text}");
    let both = "tournament --game hannibal --agent population:pop/archive --agent population:pop --schedule round-robin";
    done_inside(&format!("{both} --blocks 2 --quiet"), dir);

    fs::create_dir(dir.join("two")).unwrap();
    let log = fs::read_to_string(dir.join("one/log.csv")).unwrap();
    let rows: Vec<&str> = log.split_inclusive('\n').collect();
    let cut = rows[..rows.len() - cells.len() - 5].concat();
    fs::write(dir.join("two/log.csv"), cut).unwrap();
    fs::copy(dir.join("one/manifest.json"), dir.join("two/manifest.json")).unwrap();
    done_inside(&format!("{run} --threads 2 --out two --resume"), dir);
    for name in ["archive.csv", "summary.json", "log.csv", "strategies.csv"] {
        let [one, two] = ["one", "two"].map(|run| fs::read_to_string(dir.join(run).join(name)));
        assert_eq!(one.unwrap(), two.unwrap(), "{name}");
    }
    done_inside("report one --out page.html --quiet", dir);
    let page = fs::read_to_string(dir.join("page.html")).unwrap();
    let result = archive["result"].as_str().unwrap();
    assert!(page.contains("Strategies by behaviour") && page.contains(result), "{result}");

    let stderr = refused(&run.replace("turns", "camels"), dir);
    let named = "camels is no descriptor of this game: it has legions, fleets, turns";
    assert!(stderr.contains("--niche legions,camels") && stderr.contains(named), "{stderr}");
    let stderr = refused(&run.replace("1600", "1599"), dir);
    assert!(stderr.contains("--niche-games 1599: too few") && stderr.contains("1600 in all"));
}

/// The search of [`RUN`] under two rule sets.
const SIDES: &str = "strategies --game hannibal --agent greedy(weights.march=?4..6,weights.group=?0..3,weights.threat=9) \
                     --corners 3 --epsilon 0.4 --confirm 100 --rounds 1 --games 260 --table-games 40 --seed 3 \
                     --set-b rome.legions=7 --quiet";

#[test]
fn a_run_under_two_rule_sets_is_the_same_on_any_threads_and_after_a_stop() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let one = done_inside(&format!("{SIDES} --json --threads 1 --out one"), dir);
    let two = done_inside(&format!("{SIDES} --json --threads 2 --out two"), dir);
    assert_eq!(one, two);
    let found: Json = serde_json::from_str(&one).unwrap();
    assert_eq!(found["members"][0]["metric"], "effective_strategies");
    assert!(found["strategies"].as_array().unwrap().len() > 1, "{found}");
    let number = |value: &Json| value.as_f64().unwrap();
    for one in
        found["members"].as_array().unwrap().iter().chain(found["strategies"].as_array().unwrap())
    {
        let shift = if one["weight"].is_null() { one } else { &one["weight"] };
        let [a, b, moved] = ["a", "b", "difference"].map(|side| number(&shift[side]["value"]));
        assert!((b - a - moved).abs() < 1e-12, "{one}");
    }
    let read = |run: &str, name: &str| fs::read_to_string(dir.join(run).join(name)).unwrap();
    let log = read("two", "log.csv");
    let half: Vec<&str> = log.split_inclusive('\n').collect();
    fs::write(dir.join("two/log.csv"), half[..half.len() / 2].concat()).unwrap();
    done_inside(&format!("{SIDES} --out two --resume"), dir);
    for name in ["log.csv", "summary.json", "panel.csv", "weights.csv", "manifest.json"] {
        assert_eq!(read("one", name), read("two", name), "{name}");
    }
    done_inside("report one --out page.html --quiet", dir);
    let page = fs::read_to_string(dir.join("page.html")).unwrap();
    // The page begins a sentence with a capital letter.
    assert!(page.contains(&found["answer"].as_str().unwrap()[1..]), "{page}");
    let games = |args: &str| -> u64 {
        let plan: Json = serde_json::from_str(&done_inside(args, dir)).unwrap();
        plan["games"].as_u64().unwrap()
    };
    let both = games(&format!("{SIDES} --plan --json"));
    let single = games(&format!("{} --plan --json", SIDES.replace("--set-b", "--set")));
    assert!(both > single && both >= number(&found["games"]) as u64, "{both} {single}");
}

#[test]
fn two_rule_sets_that_are_one_are_refused_and_so_is_their_export() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let stderr = refused(&format!("{RUN} --set rome.legions=7 --set-b rome.legions=7"), dir);
    assert!(stderr.contains("both rule sets are the same: change a rule of one side"), "{stderr}");
    let stderr = refused(&format!("{RUN} --set-b rome.legion=7"), dir);
    assert!(stderr.contains("--set-b") && stderr.contains("rome.legions"), "{stderr}");
    let stderr = refused(&format!("{RUN} --set-b rome.legions=?1..7"), dir);
    assert!(stderr.contains("--set-b 'rome.legions=?1..7': a strategy is an agent"), "{stderr}");
    let stderr = refused(&format!("{SIDES} --export pop"), dir);
    assert!(stderr.contains("--export pop: survivors of two rule sets"), "{stderr}");
    let stderr = refused(&format!("{SIDES} --niche legions,turns"), dir);
    assert!(stderr.contains("--niche legions,turns: an archive is of one rule set"), "{stderr}");
    let stderr = refused(&format!("{SIDES} --table duels"), dir);
    assert!(stderr.contains("duels") && stderr.contains("weights"), "{stderr}");
}

/// The search of [`RUN`] with other corners, so that independent loops differ.
const LOOPS: &str = "strategies --game hannibal --agent greedy(weights.march=?4..6,weights.group=?0..3) --corners 1 \
                     --epsilon 0.4 --confirm 100 --rounds 1 --games 260 --table-games 40 --seed 3 --quiet";

#[test]
fn merged_loops_are_the_run_that_nobody_divided() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let whole = done_inside(&format!("{LOOPS} --runs 2 --out whole"), dir);
    let text = whole.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(text.contains("began with the survivors of 2 independent loops"), "{whole}");
    for shard in [1, 2] {
        let part = done_inside(&format!("{LOOPS} --shard {shard}/2 --out {shard}"), dir);
        assert!(part.contains(&format!("survivors of loop {shard}/2, not yet tested")), "{part}");
    }
    assert_eq!(done_inside("merge 2 1 --out merged --quiet", dir), whole);
    let mut names: Vec<_> =
        fs::read_dir(dir.join("whole")).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert!(names.len() > 6, "{names:?}");
    for name in names {
        let [one, two] =
            ["whole", "merged"].map(|run| fs::read(dir.join(run).join(&name)).unwrap());
        assert!(one == two, "{name:?}");
    }
    let json = done_inside(&format!("{LOOPS} --runs 2 --plan --json"), dir);
    let plan: Json = serde_json::from_str(&json).unwrap();
    let summary = fs::read_to_string(dir.join("whole/summary.json")).unwrap();
    let summary: Json = serde_json::from_str(&summary).unwrap();
    assert_eq!((&plan["runs"], &summary["left_out"]), (&2.into(), &0.into()));
    assert!(plan["games"].as_u64() >= summary["games"].as_u64(), "{plan}");

    let stderr = refused("merge 1 --out other", dir);
    assert!(stderr.contains("1 shard of 2 missing: 2/2"), "{stderr}");
    fs::remove_file(dir.join("2/summary.json")).unwrap();
    let stderr = refused("merge 1 2 --out other", dir);
    assert!(stderr.contains("it is unfinished: summary.json is missing"), "{stderr}");
    let stderr = refused(&format!("{LOOPS} --runs 3 --shard 1/2 --out other"), dir);
    assert!(stderr.contains("--shard 1/2: --runs is 3"), "{stderr}");
    let stderr = refused(&format!("{SIDES} --runs 2"), dir);
    assert!(stderr.contains("--runs 2: under two rule sets one loop of each"), "{stderr}");
}
