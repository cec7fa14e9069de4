//! A net as a file: TOML with a head that says of what it is and who made it, and the weights in base64.

use toml_edit::{Document, Item, Table};

use super::base64::{decode, encode};
use super::policy::Policy;
use super::{Layout, Net};

/// Format of files; also their magic word.
pub const FORMAT: &str = "caesar-net/1";
/// Prefix of the line with the checksum of all other lines.
const CHECKSUM: &str = "checksum = ";
const WEIGHTS: &str = "weights = \"\"\"\n";

/// Origin of a net, as its file records it.
#[derive(Clone, PartialEq, Debug)]
pub struct Provenance {
    /// Command that trains the net again.
    pub command: String,
    /// Description of the games that it was trained on.
    pub source: String,
    /// First digits of the BLAKE3 hash of the rules of these games.
    pub rules: String,
    /// Seed of the training.
    pub seed: u64,
    /// Number of these games.
    pub games: u64,
    /// Number of their positions.
    pub positions: u64,
    /// Log loss of the net per seat, on held-out games.
    pub loss: f64,
    /// Log loss of the linear value alone, on the same games.
    pub linear_loss: f64,
}

/// Origin of a policy head, as the file of its net records it.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyProvenance {
    /// Command that trains the head again.
    pub command: String,
    /// Description of the games whose decisions it was trained on.
    pub source: String,
    /// Seed of the training.
    pub seed: u64,
    /// Number of these games.
    pub games: u64,
    /// Number of their decisions.
    pub decisions: u64,
    /// Cross entropy of a decision with the head, on held-out games.
    pub loss: f64,
    /// Cross entropy by the guide alone, on the same games.
    pub guide_loss: f64,
}

/// Beginning of the section with a policy head.
const POLICY: &str = "\n[policy]\n";

/// Returns true if a text of a value function is a net, of any version.
#[must_use]
pub fn is_net(text: &str) -> bool {
    let head = text.lines().take_while(|line| !line.starts_with('['));
    head.map(str::trim_start).any(|line| line.starts_with("format") && line.contains("caesar-net"))
}

/// Returns the checksum of a file: of all lines except its own.
fn checksum(text: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for line in text.lines().filter(|line| !line.starts_with(CHECKSUM)) {
        hasher.update(line.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Returns a text as a TOML string.
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

    /// Returns `text`, the file of this net, with the net's policy head in place of another or none.
    ///
    /// # Panics
    /// If the net has no policy head.
    #[must_use]
    pub fn with_policy_in(&self, text: &str, layout: &Layout, made: &PolicyProvenance) -> String {
        let PolicyProvenance { command, source, seed, games, decisions, loss, guide_loss } = made;
        let policy = self.policy.as_ref().expect("the caller has trained one");
        let end = text.find(POLICY).unwrap_or(text.len());
        let [command, source] = [command, source].map(|text| quoted(text));
        let whole = format!(
            "{}{POLICY}\
             options = \"{}\"\n\
             command = {command}\n\
             source = {source}\n\
             seed = {seed}\n\
             games = {games}\n\
             decisions = {decisions}\n\
             loss = {loss:.6}\n\
             guide_loss = {guide_loss:.6}\n\
             {WEIGHTS}{}\"\"\"\n",
            &text[..end],
            layout.options_fingerprint(),
            encode(&policy.bytes()),
        );
        let sum = format!("{CHECKSUM}\"{}\"", checksum(&whole));
        let line = |line| if str::starts_with(line, CHECKSUM) { &sum } else { line };
        whole.lines().map(line).flat_map(|line| [line, "\n"]).collect()
    }

    /// Reads the file of a net for a table of `n_players` of `game`, whose inputs are those of `layout`.
    ///
    /// # Errors
    /// If the file has another format, game, table or inputs, or is cut or damaged. The message names the reason.
    pub fn parse(
        text: &str,
        game: &str,
        n_players: usize,
        layout: &Layout,
    ) -> Result<Self, String> {
        let document = Document::parse(text)
            .map_err(|e| format!("not TOML, or cut: {}", e.message().replace('\n', "; ")))?;
        let head = Head(document.as_table());
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
        let net = Self::from_bytes(&bytes, layout)?;
        let policy = head.policy()?.map(|policy| policy.head(game, layout)).transpose()?;
        Ok(Self { policy, ..net })
    }
}

/// Header of a file.
struct Head<'a>(&'a Table);

impl<'a> Head<'a> {
    /// Returns the section with the policy head.
    fn policy(&self) -> Result<Option<Head<'a>>, String> {
        let section = |item: &'a Item| item.as_table().map(Head).ok_or("policy is no section");
        Ok(self.0.get("policy").map(section).transpose()?)
    }

    /// Reads a policy head.
    fn head(&self, game: &str, layout: &Layout) -> Result<Policy, String> {
        let (options, own) = (self.text("options")?, layout.options_fingerprint());
        if options != own {
            return Err(format!(
                "policy.options = \"{options}\": the head was made for other options than those of {game} in this \
                 version ({own}): make it anew by its command"
            ));
        }
        let bytes = decode(self.text("weights")?).ok_or("policy.weights: they are no base64")?;
        Policy::from_bytes(&bytes, layout.options)
    }

    fn text(&self, key: &str) -> Result<&str, String> {
        let text = self.0.get(key).and_then(Item::as_str);
        text.ok_or_else(|| format!("{key} is missing or no text"))
    }

    fn number(&self, key: &str) -> Result<i64, String> {
        let number = self.0.get(key).and_then(Item::as_integer);
        number.ok_or_else(|| format!("{key} is missing or no whole number"))
    }
}
