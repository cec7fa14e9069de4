//! Start of a program: its words, its working directory and its environment, and the files that these name.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program as it will be started.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    /// The program and its arguments, at least the program.
    words: Vec<String>,
    /// The working directory, if it is another than that of this process.
    dir: Option<PathBuf>,
    /// The variables that its environment has besides those of this process, as names and values.
    variables: Vec<(String, String)>,
}

impl Launch {
    /// Returns the start of `command` in the directory `cwd` with the variables `env`, all as parameters of the agent.
    ///
    /// # Errors
    /// If `command` has no program, `env` has a word that is no variable or gives one twice, or a quote stays open.
    pub(super) fn new(command: &str, cwd: Option<&str>, env: Option<&str>) -> Result<Self, String> {
        if command.contains('"') {
            return Err(format!(
                "command = \"{command}\": no double quotes inside (single quotes keep a word together)"
            ));
        }
        let words = split_words("command", command)?;
        if words.first().is_none_or(String::is_empty) {
            return Err(format!("command = \"{command}\": there is no program in it"));
        }
        let variables = env.map_or_else(|| Ok(Vec::new()), variables)?;
        Ok(Self { words, dir: cwd.map(PathBuf::from), variables })
    }

    /// Returns the program, as the command names it.
    pub(super) fn program(&self) -> &str {
        &self.words[0]
    }

    /// Returns the process to start.
    pub(super) fn process(&self) -> Command {
        // A path of a program beside a working directory means different files on different systems, unless it is whole.
        let program = self.words[0].as_str();
        let place = self.place(program);
        let whole = std::path::absolute(&place).unwrap_or(place);
        let mut process = match is_path(program) && self.dir.is_some() {
            true => Command::new(whole),
            false => Command::new(program),
        };
        process
            .args(&self.words[1..])
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        if let Some(dir) = &self.dir {
            process.current_dir(dir);
        }
        process
    }

    /// Searches for the directory and the program without starting it.
    ///
    /// # Errors
    /// If one does not exist: the message lists the accepted values.
    pub(super) fn find(&self) -> Result<(), String> {
        if let Some(dir) = self.dir.as_ref().filter(|dir| !dir.is_dir()) {
            return Err(format!(
                "cwd = \"{}\": there is no such directory (accepted: one as seen from where caesar runs)",
                dir.display()
            ));
        }
        match self.found() {
            Some(_) => Ok(()),
            None => Err(format!(
                "there is no program \"{}\" (accepted: the path of an executable file, or a name on PATH)",
                self.program()
            )),
        }
    }

    /// Returns the BLAKE3 hashes of the files that the words name, with these words. For the program, `PATH` is
    /// searched: another version of an interpreter may play differently.
    pub(super) fn file_hashes(&self) -> Vec<(String, String)> {
        let file = |(at, word): (usize, &String)| match at {
            0 => self.found(),
            _ => Some(self.place(word)).filter(|path| path.is_file()),
        };
        let hash = |path: PathBuf| {
            let mut hasher = blake3::Hasher::new();
            hasher.update_reader(std::fs::File::open(path).ok()?).ok()?;
            Some(hasher.finalize().to_hex().to_string())
        };
        let hashed = |(at, word)| Some((String::clone(word), hash(file((at, word))?)?));
        self.words.iter().enumerate().filter_map(hashed).collect()
    }

    /// Returns the place of `path`, which is meant from the working directory.
    fn place(&self, path: &str) -> PathBuf {
        self.dir.as_ref().map_or_else(|| PathBuf::from(path), |dir| dir.join(path))
    }

    /// Returns the executable file of the program: a path, or a name in a directory of `PATH`.
    fn found(&self) -> Option<PathBuf> {
        let name = self.program();
        if is_path(name) {
            return executable(&self.place(name));
        }
        let own = self.variables.iter().find(|(name, _)| name == "PATH");
        let path = own.map_or_else(|| env::var_os("PATH"), |(_, value)| Some(value.into()));
        env::split_paths(&path.unwrap_or_default()).find_map(|dir| executable(&dir.join(name)))
    }
}

/// Returns the words for a program to which consent is given: those of a shell that starts it in its directory with its
/// variables. Without these they are the command itself.
#[must_use]
pub fn written(command: &str, cwd: Option<&str>, env: Option<&str>) -> String {
    let cwd = cwd.map(|dir| format!(" -C '{}'", dir.replace('\'', "''")));
    match (cwd, env) {
        (None, None) => command.to_owned(),
        (cwd, env) => {
            let env = env.map(|variables| format!(" {variables}"));
            format!("env{}{} {command}", cwd.unwrap_or_default(), env.unwrap_or_default())
        }
    }
}

/// Returns the names and values of variables.
fn variables(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut found: Vec<(String, String)> = Vec::new();
    for word in split_words("env", text)? {
        let is_name = |name: &str| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let Some((name, value)) = word.split_once('=').filter(|(name, _)| is_name(name)) else {
            return Err(format!(
                "env = \"{text}\": {word} is no variable (accepted: names and values, as in DEPTH=3 'MODE=a b')"
            ));
        };
        if found.iter().any(|(known, _)| known == name) {
            return Err(format!("env = \"{text}\": {name} is there twice: keep one"));
        }
        found.push((name.to_owned(), value.to_owned()));
    }
    Ok(found)
}

fn is_path(name: &str) -> bool {
    Path::new(name).components().count() > 1
}

fn executable(path: &Path) -> Option<PathBuf> {
    let mut with_suffix = path.as_os_str().to_owned();
    with_suffix.push(env::consts::EXE_SUFFIX);
    [path.to_owned(), with_suffix.into()].into_iter().find(|path| may_run(path))
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

/// Returns the words of a command. Blanks separate words, single quotes keep them together, and two single quotes
/// inside quotes are one apostrophe. There are no other special characters.
///
/// # Errors
/// If a quote is open at the end; `name` is that of the parameter.
fn split_words(name: &str, text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' if is_quoted && chars.next_if_eq(&'\'').is_some() => {
                word.get_or_insert_default().push(c);
            }
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !is_quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match is_quoted {
        true => Err(format!("{name} = \"{text}\": the closing ' is missing")),
        false => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::super::consent::{Consent, allow_program};
    use super::*;

    fn words(text: &str) -> Vec<String> {
        split_words("command", text).unwrap()
    }

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(words("python3 bot.py  -x"), ["python3", "bot.py", "-x"]);
        assert_eq!(words("run 'my bot.py' ''"), ["run", "my bot.py", ""]);
        assert_eq!(words(r"C:\bot.exe a'b c'd"), [r"C:\bot.exe", "ab cd"]);
        assert_eq!(
            words("run 'it''s my bot.py' '''' don''t"),
            ["run", "it's my bot.py", "'", "dont"]
        );
        let refused = |text: &str| Launch::new(text, None, None).unwrap_err();
        assert!(refused("run 'it''s").contains("the closing ' is missing"));
        assert!(refused("run 'my bot").contains("the closing ' is missing"));
        assert!(refused("  ").contains("no program") && refused("''").contains("no program"));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_looked_for_on_the_path_and_must_be_executable() {
        let is_there = |command: &str| Launch::new(command, None, None).unwrap().find().is_ok();
        assert!(is_there("sh") && is_there("/bin/sh"));
        assert!(!is_there("no-such-program") && !is_there("/bin/no-such-program"));
        assert!(!is_there("/") && !is_there("src/lib.rs"));
    }

    #[test]
    fn variables_are_words_with_names() {
        let read = |text: &str| variables(text).unwrap();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            read("DEPTH=3 'MODE=a b' E= X==1"),
            [pair("DEPTH", "3"), pair("MODE", "a b"), pair("E", ""), pair("X", "=1")]
        );
        for (text, complaint) in [
            ("DEPTH", "DEPTH is no variable (accepted: "),
            ("=3", "=3 is no variable"),
            ("A=1 A=2", "A is there twice: keep one"),
            ("'A=1", "env = \"'A=1\": the closing ' is missing"),
        ] {
            let refused = variables(text).unwrap_err();
            assert!(refused.contains(complaint), "{refused}");
        }
    }

    #[test]
    fn consent_to_a_command_is_none_to_another_directory_or_variable() {
        let all = [
            written("a b", None, None),
            written("a b", Some("x"), None),
            written("a b", Some("x y"), None),
            written("a b", None, Some("A=1")),
            written("a b", Some("x"), Some("A=1")),
            written("x a b", Some("x"), None),
        ];
        allow_program(&all[0]);
        allow_program(&all[4]);
        let is_allowed = |place: usize| Consent::to(&[all[place].as_str()]).is_ok();
        assert_eq!([0, 1, 2, 3, 4, 5].map(is_allowed), [true, false, false, false, true, false]);
        assert_eq!(all[0], "a b");
    }
}
