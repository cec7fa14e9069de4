//! A random game of every game as golden text, with the fewest and the most players; `UPDATE_GOLDEN=1` rewrites the
//! files.

use std::path::PathBuf;
use std::{env, fs};

use engine::playthrough::playthrough;
use engine::{Configure, Notation, Rules};

const SEED: u64 = 1;

fn golden_path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "playthroughs", name].iter().collect()
}

/// Compares `text` with the golden file and returns a complaint if they differ.
fn complaint(file: &str, text: &str) -> Option<String> {
    let path = golden_path(file);
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).expect("the golden folder can be written");
        return None;
    }
    let Ok(golden) = fs::read_to_string(&path) else {
        return Some(format!("playthroughs/{file} is missing: run with UPDATE_GOLDEN=1"));
    };
    let golden = golden.replace("\r\n", "\n");
    let lines = || golden.lines().zip(text.lines()).enumerate();
    (golden != text).then(|| match lines().find(|(_, (old, new))| old != new) {
        Some((i, (old, new))) => format!("playthroughs/{file}:{}:\n- {old}\n+ {new}", i + 1),
        None => format!("playthroughs/{file}: one text is the beginning of the other"),
    })
}

fn check_tables<G: Configure + Notation>(name: &str, complaints: &mut Vec<String>) {
    let (least, most) = G::about().players.into_inner();
    let mut check = |n_players, file: &str| {
        let game = G::configure(n_players, &Rules::of::<G>()).expect("the default rules are good");
        complaints.extend(complaint(file, &playthrough(&game, SEED)));
    };
    if least == most {
        return check(least, &format!("{name}.txt"));
    }
    [least, most].into_iter().for_each(|n| check(n, &format!("{name}-{n}p.txt")));
}

macro_rules! every_game {
    ($($name:literal => $game:ty),* $(,)?) => {
        #[test]
        fn every_playthrough_is_as_it_was() {
            let mut complaints = Vec::new();
            $(check_tables::<$game>($name, &mut complaints);)*
            assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
        }
    };
}

engine::catalogue!(every_game);
