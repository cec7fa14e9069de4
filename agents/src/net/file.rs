//! A net as a file: TOML with a head that says of what it is and who made it, and the weights in base64.

use toml_edit::{Document, Item};

use super::base64::{decode, encode};
use super::{Layout, Net};

/// The format of files, which is their magic word, too.
pub const FORMAT: &str = "caesar-net/1";
/// Lines that begin with this have the checksum of all others.
const CHECKSUM: &str = "checksum = ";
const WEIGHTS: &str = "weights = \"\"\"\n";

/// What a file says of where a net comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Provenance {
    /// The command that makes it again.
    pub command: String,
    /// The games that it was learnt from, in words.
    pub source: String,
    /// The beginning of the BLAKE3 hash of the rules under which they were played.
    pub rules: String,
    /// The seed of the learning.
    pub seed: u64,
    /// Games that it was learnt from.
    pub games: u64,
    /// Positions of them.
    pub positions: u64,
    /// Log loss of a seat on held-out games, of the net.
    pub loss: f64,
    /// The same of the linear value alone.
    pub linear_loss: f64,
}

/// Returns true for the text of a net, of whatever version, among texts of value functions.
#[must_use]
pub fn is_net(text: &str) -> bool {
    let head = text.lines().take_while(|line| !line.starts_with('['));
    head.map(str::trim_start).any(|line| line.starts_with("format") && line.contains("caesar-net"))
}

/// Returns the checksum of a file: of all lines but its own.
fn checksum(text: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for line in text.lines().filter(|line| !line.starts_with(CHECKSUM)) {
        hasher.update(line.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Returns a text as TOML has it.
fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

impl Net {
    /// Returns the file of the net, for a table of `n_players` of `game`.
    #[must_use]
    pub fn to_text(
        &self,
        game: &str,
        n_players: usize,
        layout: &Layout,
        made: &Provenance,
    ) -> String {
        let Provenance { command, source, rules, seed, games, positions, loss, linear_loss } = made;
        let [command, source, game] = [command, source, game].map(quoted);
        let head = format!(
            "# A net that values positions: for `mcts(value=FILE)`.\n\
             format = \"{FORMAT}\"\n\
             game = {game}\n\
             players = {n_players}\n\
             inputs = \"{}\"\n\
             rules = \"{rules}\"\n\
             command = {command}\n\
             source = {source}\n\
             seed = {seed}\n\
             games = {games}\n\
             positions = {positions}\n\
             loss = {loss:.6}\n\
             linear_loss = {linear_loss:.6}\n",
            layout.fingerprint()
        );
        let weights = format!("{WEIGHTS}{}\"\"\"\n", encode(&self.bytes()));
        let sum = checksum(&(head.clone() + &weights));
        format!("{head}{CHECKSUM}\"{sum}\"\n{weights}")
    }

    /// Reads the file of a net for a table of `n_players` of `game`, whose inputs are those of `layout`.
    ///
    /// # Errors
    /// If it is of another format, game or table, for other inputs, cut or damaged: the message says which.
    pub fn parse(
        text: &str,
        game: &str,
        n_players: usize,
        layout: &Layout,
    ) -> Result<Self, String> {
        let document = Document::parse(text)
            .map_err(|e| format!("not TOML, or cut: {}", e.message().replace('\n', "; ")))?;
        let head = Head(document);
        let format = head.text("format")?;
        if format != FORMAT {
            return Err(format!("format = \"{format}\": it is none of this version ({FORMAT})"));
        }
        let of = head.text("game")?;
        if of != game {
            return Err(format!("game = \"{of}\": it is for {of}, and {game} is played"));
        }
        let players = head.number("players")?;
        if usize::try_from(players) != Ok(n_players) {
            return Err(format!(
                "players = {players}: it is for a table of {players}, and {n_players} play: name another"
            ));
        }
        let (inputs, own) = (head.text("inputs")?, layout.fingerprint());
        if inputs != own {
            return Err(format!(
                "inputs = \"{inputs}\": it was made for other inputs than those of {game} in this version ({own}): \
                 make it anew by its command"
            ));
        }
        if head.text("checksum")? != checksum(text) {
            return Err(
                "checksum: the file was cut, damaged or changed since it was made".to_owned()
            );
        }
        let bytes = decode(head.text("weights")?).ok_or("weights: they are no base64")?;
        Self::from_bytes(&bytes, layout)
    }
}

/// What a file says.
struct Head<'a>(Document<&'a str>);

impl Head<'_> {
    fn text(&self, key: &str) -> Result<&str, String> {
        let text = self.0.get(key).and_then(Item::as_str);
        text.ok_or_else(|| format!("{key} is missing or no text"))
    }

    fn number(&self, key: &str) -> Result<i64, String> {
        let number = self.0.get(key).and_then(Item::as_integer);
        number.ok_or_else(|| format!("{key} is missing or no whole number"))
    }
}
