//! The lines of a record below its header, by kind.

use engine::ChanceEvent;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::event::Forfeit;

/// A line after the header; the present fields determine its kind.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct RawEntry {
    chance: Option<String>,
    who: Option<Json>,
    value: Option<Json>,
    position: Option<Json>,
    player: Option<usize>,
    legal: Option<usize>,
    action: Option<String>,
    state: Option<Json>,
    end: Option<EndEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EndEntry {
    pub(super) scores: Json,
    pub(super) winners: Json,
    pub(super) plies: u64,
    #[serde(default)]
    pub(super) forfeit: Option<Forfeit>,
    #[serde(default)]
    pub(super) hints: u32,
}

/// A line by its kind.
pub(super) enum Entry {
    Position(Json),
    Chance(ChanceEvent),
    Ply { player: usize, legal: usize, action: String },
    State(Json),
    End(EndEntry),
}

impl Entry {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let line: RawEntry = serde_json::from_str(text).map_err(|e| json_complaint(&e, text))?;
        match line {
            RawEntry { position: Some(position), chance: None, who: None, value: None, player: None, legal: None, action: None, state: None, end: None } => {
                Ok(Self::Position(position))
            }
            RawEntry { chance: Some(chance), who, value: Some(value), position: None, player: None, legal: None, action: None, state: None, end: None } => {
                Ok(Self::Chance(ChanceEvent { chance, who, value }))
            }
            RawEntry { player: Some(player), legal: Some(legal), action: Some(action), position: None, chance: None, who: None, value: None, state: None, end: None } => {
                Ok(Self::Ply { player, legal, action })
            }
            RawEntry { state: Some(state), position: None, chance: None, who: None, value: None, player: None, legal: None, action: None, end: None } => {
                Ok(Self::State(state))
            }
            RawEntry { end: Some(end), position: None, chance: None, who: None, value: None, player: None, legal: None, action: None, state: None } => {
                Ok(Self::End(end))
            }
            _ => Err("a line is a {position}, a chance event {chance, who, value}, a ply {player, legal, action}, {state} or {end}".to_owned()),
        }
    }
}

/// Returns the reason why a line is no JSON of the expected form.
pub(super) fn json_complaint(error: &serde_json::Error, text: &str) -> String {
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default();
    if error.is_eof() {
        return format!("the line is cut off ({what})");
    }
    let shown: String = text.chars().take(40).collect();
    let dots = if shown.len() < text.len() { "…" } else { "" };
    format!("not a line of a record: {what} in {shown}{dots}")
}
