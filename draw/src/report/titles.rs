//! The titles of tables.

use super::Sheet;

/// The titles of tables whose files have no caption.
const TITLES: [(&str, &str); 23] = [
    ("auction", "Places among the bidders"),
    ("bought", "Places in the order that were bought"),
    ("companions", "With the leader, and with the last"),
    ("confirmed", "Confirmed on fresh seeds"),
    ("course", "How it went"),
    ("deal", "What the start deal is worth"),
    ("effects", "What each parameter is worth"),
    ("game", "The game in figures"),
    ("interactions", "Pairs of parameters"),
    ("kinds", "Kinds of action"),
    ("model", "The model in figures"),
    ("model-stages", "Errors of the model, stage by stage"),
    ("order", "Places in the turn order"),
    ("paid", "Prices paid"),
    ("power", "How often such tests find gains of several sizes"),
    ("seats", "Seats"),
    ("seats_alone", "Seats, stage by stage"),
    ("skill", "Skill: a stronger agent in one seat"),
    ("steps", "Steps of the ladder"),
    ("streams", "Luck by stream of random numbers"),
    ("sweeps", "What a place pays, changed"),
    ("units", "Worth of an action and of money"),
    ("unused", "Actions that nobody chose"),
];

/// Returns the title of a sheet: its caption, a known title, or its name in words.
pub(super) fn title(sheet: &Sheet) -> String {
    if !sheet.caption.is_empty() {
        return sheet.caption.clone();
    }
    if let Some((_, title)) = TITLES.iter().find(|(name, _)| *name == sheet.name) {
        return (*title).to_owned();
    }
    let mut words = sheet.name.replace(['_', '-'], " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}
