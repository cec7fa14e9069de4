//! Files of records: each has one writer, is named in the manifest, and has a checksum in every row.

use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{assert_same, bytes, caesar, command, done, refused};

const ENDLESS: &str = "tournament --game pig --players 2 --blocks 100000000 --quiet";
const SHORT: &str = "tournament --game pig --players 2 --blocks 3 --quiet";

/// A run without end that has begun to write `file`.
struct Endless(Child);

impl Endless {
    fn start(args: &str, dir: &Path, file: &str) -> Self {
        let child = command(&format!("{ENDLESS} {args}"), dir).stdout(Stdio::null()).spawn();
        let this = Self(child.unwrap());
        let began = Instant::now();
        while fs::metadata(dir.join(file)).map_or(0, |meta| meta.len()) == 0 {
            assert!(began.elapsed() < Duration::from_secs(60), "{file} is not written");
            std::thread::sleep(Duration::from_millis(10));
        }
        this
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// A second writer is refused under any name of the file, and leaves nothing behind.
#[test]
fn two_runs_never_write_to_one_file_of_records() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let busy = |args: &str| {
        let complaint = refused(&format!("{SHORT} {args}"), dir);
        assert!(complaint.contains("another run is writing to it"), "{args}: {complaint}");
        assert!(!dir.join("second").exists(), "{args}");
    };
    {
        let _first = Endless::start("--out {}/first --records {}/r.jsonl", dir, "r.jsonl");
        busy("--records {}/r.jsonl");
        symlink("r.jsonl", dir.join("link")).unwrap();
        busy("--records {}/link");
        // A hard link: a second name of the same file, and not only a second path to it.
        fs::hard_link(dir.join("r.jsonl"), dir.join("hard")).unwrap();
        busy("--records {}/hard");
        // With its own directory it is refused for the file, or because the records belong to another run.
        for records in ["{}/r.jsonl", "{}/link", "{}/hard"] {
            for shard in ["", "--shard 2/3"] {
                refused(&format!("{SHORT} {shard} --out {{}}/second --records {records}"), dir);
                assert!(!dir.join("second").exists());
            }
        }
    }
    {
        let _first = Endless::start("--records {}/alone", dir, "alone.caesar-tmp");
        busy("--records {}/alone");
        busy("--records {}/alone --out {}/second");
        busy("--records {}/alone --out {}/second --shard 1/2");
    }
    // A file left by a kill blocks no later run.
    done(&format!("{SHORT} --records {{}}/alone"), dir);
    assert!(!dir.join("alone.caesar-tmp").exists());
}

/// Two runs in sequence are also refused: the records of the first would be lost.
#[test]
fn records_of_another_run_are_not_replaced_by_those_of_a_directory() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done(&format!("{SHORT} --shard 1/2 --out {{}}/1 --records {{}}/r.jsonl"), dir);
    let before = fs::read(dir.join("r.jsonl")).unwrap();
    for resume in ["", "--resume"] {
        let second = format!("{SHORT} --shard 2/2 --out {{}}/2 --records {{}}/r.jsonl {resume}");
        let complaint = refused(&second, dir);
        assert!(complaint.contains("it exists already ("), "{complaint}");
    }
    assert!(!dir.join("2").exists());
    assert_eq!(fs::read(dir.join("r.jsonl")).unwrap(), before);
    // The same run again gives the same bytes.
    done(&format!("{SHORT} --shard 1/2 --out {{}}/1 --records {{}}/r.jsonl --force"), dir);
    assert_eq!(fs::read(dir.join("r.jsonl")).unwrap(), before);
}

#[test]
fn a_run_goes_on_with_its_records_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let kept = format!("{SHORT} --out {{}}/kept");
    done(&format!("{kept} --records {{}}/kept/r.jsonl"), dir);
    done(&format!("{SHORT} --out {{}}/bare"), dir);
    let manifest = fs::read_to_string(dir.join("kept/manifest.json")).unwrap();
    assert!(manifest.contains(r#""records":"r.jsonl""#), "{manifest}");
    let before = bytes(&dir.join("kept"));
    let complaint = refused(&format!("{kept} --resume"), dir);
    assert!(complaint.contains("keeps records; name them with --records"), "{complaint}");
    let complaint = refused(&format!("{SHORT} --out {{}}/bare --resume --records {{}}/new"), dir);
    assert!(complaint.contains("keeps no records; leave --records out"), "{complaint}");
    assert!(!dir.join("new").exists());
    let complaint = refused(&format!("{kept} --resume --records {{}}/other.jsonl"), dir);
    assert!(
        complaint.contains(r#"records: "r.jsonl" there, "../other.jsonl" here"#),
        "{complaint}"
    );
    assert_eq!(bytes(&dir.join("kept")), before);
    // The file may have any path, and the directory may move with it.
    fs::rename(dir.join("kept"), dir.join("moved")).unwrap();
    fs::remove_file(dir.join("moved/summary.json")).unwrap();
    let again = format!("{SHORT} --out {{}}/moved --resume --records {{}}/moved/../moved/r.jsonl");
    done(&again, dir);
    assert_eq!(bytes(&dir.join("moved")), before);
    // Without the file, nothing is discarded.
    fs::remove_file(dir.join("moved/r.jsonl")).unwrap();
    let complaint = refused(&again, dir);
    assert!(complaint.contains("it is missing, but games.csv has games"), "{complaint}");
    fs::write(dir.join("moved/r.jsonl"), "something else\n").unwrap();
    let complaint = refused(&again, dir);
    assert!(complaint.contains("r.jsonl:1: no record begins here"), "{complaint}");
    fs::write(dir.join("moved/r.jsonl"), "").unwrap();
    done(&again, dir);
    assert_eq!(bytes(&dir.join("moved")), before);
}

#[test]
fn records_that_end_before_the_rows_are_told_of_and_played_again() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = format!("{SHORT} --out {{}}/run --records {{}}/run/r.jsonl").replace(" --quiet", "");
    done(&run, dir);
    let before = bytes(&dir.join("run"));
    let records = fs::read(dir.join("run/r.jsonl")).unwrap();
    fs::write(dir.join("run/r.jsonl"), &records[..records.len() * 3 / 4]).unwrap();
    let (code, _, stderr) = caesar(&format!("{run} --resume"), dir);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("r.jsonl ends before ") && stderr.contains("continues with game "));
    assert_eq!(bytes(&dir.join("run")), before);
}

#[test]
fn a_flipped_bit_in_a_record_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let run = format!("{SHORT} --out {{}}/run --records {{}}/r.jsonl");
    done(&run, dir);
    let place = dir.join("r.jsonl");
    let good = fs::read(&place).unwrap();
    let mut bad = good.clone();
    bad[good.len() / 3] ^= 1;
    fs::write(&place, &bad).unwrap();
    let complaint = refused(&format!("{run} --resume"), dir);
    assert!(
        complaint.contains("r.jsonl:") && complaint.contains("the record of game "),
        "{complaint}"
    );
    assert_eq!(fs::read(&place).unwrap(), bad);
    // Cut as the error suggests, it continues.
    let line = complaint.split("r.jsonl:").nth(1).unwrap().split(':').next().unwrap();
    let line: usize = line.parse().unwrap();
    let text = String::from_utf8_lossy(&good).into_owned();
    let kept: String = text.lines().take(line - 1).map(|line| format!("{line}\n")).collect();
    fs::write(&place, kept).unwrap();
    done(&format!("{run} --resume"), dir);
    assert_eq!(fs::read(&place).unwrap(), good);
}

#[test]
fn links_are_followed_and_never_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::create_dir(dir.join("far")).unwrap();
    // The second time the file exists.
    for link in ["{}/one", "{}/one", "{}/two --out {}/run", "{}/two --out {}/run"] {
        let name = &link[3..6];
        let target = format!("far/{name}.jsonl");
        symlink(&target, dir.join(name)).unwrap_or_default();
        done(&format!("{SHORT} --records {link} --force"), dir);
        assert!(fs::symlink_metadata(dir.join(name)).unwrap().is_symlink(), "{link}");
        assert!(fs::read_to_string(dir.join(&target)).unwrap().starts_with("{\"format\""));
    }
    let manifest = fs::read_to_string(dir.join("run/manifest.json")).unwrap();
    assert!(manifest.contains(r#""records":"../far/two.jsonl""#), "{manifest}");
    symlink("circle", dir.join("circle")).unwrap();
    for out in ["", "--out {}/new"] {
        let complaint = refused(&format!("{SHORT} --records {{}}/circle {out}"), dir);
        assert!(
            complaint.contains("circle: it is a symbolic link that leads nowhere"),
            "{complaint}"
        );
        assert!(!dir.join("new").exists());
    }
}

#[test]
fn no_file_is_named_twice() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("c.toml"), "game = \"pig\"\n").unwrap();
    fs::write(dir.join("r.toml"), "target = 50\n").unwrap();
    let inputs = "--config {}/c.toml --rules {}/r.toml";
    let twice = |args: &str, names: &str| {
        let complaint = refused(&format!("tournament --blocks 2 --quiet {inputs} {args}"), dir);
        assert!(complaint.contains(names) && complaint.contains("are one file"), "{complaint}");
        assert!(!dir.join("run").exists());
    };
    for name in ["manifest.json", "games.csv", "summary.json", "games.parquet"] {
        twice(
            &format!("--out {{}}/run --records {{}}/run/{name}"),
            &format!("and {name} of --out"),
        );
    }
    twice("--records {}/c.toml", "and --config");
    twice("--records {}/r.toml", "and the input");
    fs::hard_link(dir.join("r.toml"), dir.join("other")).unwrap();
    twice("--records {}/other", "and the input");
    fs::create_dir(dir.join("real")).unwrap();
    symlink("games.csv", dir.join("real/link")).unwrap();
    let complaint = refused(&format!("{SHORT} --out {{}}/real --records {{}}/real/link"), dir);
    assert!(complaint.contains("and games.csv of --out"), "{complaint}");
}

/// Records can go to stdout by any name, and the table then goes to stderr; they can go to pipes, which keep nothing.
#[test]
fn stdout_and_pipes_take_records_and_keep_none() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done(&format!("{SHORT} --records {{}}/r.jsonl"), dir);
    let records = fs::read_to_string(dir.join("r.jsonl")).unwrap();
    for name in ["-", "/dev/stdout", "/dev/fd/1"] {
        let (code, stdout, stderr) = caesar(&format!("{SHORT} --records {name}"), dir);
        assert_eq!((code, stdout), (0, records.clone()), "{name}");
        assert!(stderr.contains("6 games of pig"), "{stderr}");
    }
    // A file as stdout, named twice or once.
    for name in ["/dev/stdout", "{}/stdout"] {
        let file = fs::File::create(dir.join("stdout")).unwrap();
        let mut command = command(&format!("{SHORT} --records {name}"), dir);
        let output = command.stdout(file).stderr(Stdio::piped()).output().unwrap();
        assert!(String::from_utf8_lossy(&output.stderr).contains("6 games of pig"), "{name}");
        assert_eq!(fs::read_to_string(dir.join("stdout")).unwrap(), records, "{name}");
    }
    assert!(Command::new("mkfifo").arg(dir.join("pipe")).status().unwrap().success());
    for out in ["", "--out {}/run"] {
        let mut run = command(&format!("{SHORT} --records {{}}/pipe {out}"), dir);
        let mut run = run.stdout(Stdio::null()).spawn().unwrap();
        let mut read = String::new();
        fs::File::open(dir.join("pipe")).unwrap().read_to_string(&mut read).unwrap();
        assert!(run.wait().unwrap().success());
        assert_eq!(read, records);
    }
    // With a pipe the directory equals that of a run without records.
    done(&format!("{SHORT} --out {{}}/bare"), dir);
    assert_same(&dir.join("bare"), &dir.join("run"));
    let complaint = refused(&format!("{SHORT} --out {{}}/run --resume --records {{}}/pipe"), dir);
    assert!(complaint.contains("pipe and --resume: earlier games are not written again"));
}
