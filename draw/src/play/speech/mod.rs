//! The words of single games in menus: questions, labels, and the areas of options whose actions do not name them.
//!
//! A menu arrives with its options in the words of the actions. [`speak`] changes their labels and never which options
//! there are.

mod battle;
mod circus;
mod classic;
mod conquest2;
mod others;
mod rise;

use serde_json::Value as Json;

use super::drawn_game::Asked;
use super::menu::Menu;
use super::standing::Standing;

/// Puts the menu of a game into its own words.
pub(super) fn speak(asked: &Asked<'_>, menu: &mut Menu) {
    match asked.game.name.as_str() {
        "conquest2" => conquest2::speak(asked, menu),
        "classic" => classic::speak(asked, menu),
        "hannibal" => others::hannibal(asked, menu),
        "imperium" => others::imperium(asked, menu),
        "circus" => circus::speak(asked, menu),
        "rise" => rise::speak(asked, menu),
        "connect-four" => others::columns(asked, menu),
        "tic-tac-toe" => "Which cell do you take?".clone_into(&mut menu.question),
        "goofspiel" => {
            menu.question = format!("What do you bid for the {}?", asked.view["prize"]);
        }
        "pig" => {
            menu.question = format!("{} points are at stake. Do you roll?", asked.view["at_stake"]);
        }
        "kuhn-poker" => {
            let card = asked.view["cards"][asked.seat].as_i64().unwrap_or_default() + 1;
            menu.question = format!("You have card {card} (3 is the best)");
        }
        _ => {}
    }
}

/// Returns the contest under way in a game that shows one.
pub(super) fn contest(asked: &Asked<'_>) -> Option<Standing> {
    match asked.game.name.as_str() {
        "conquest2" => conquest2::contest(asked),
        "classic" => classic::contest(asked),
        _ => None,
    }
}

/// Returns a text of a view; empty if there is none.
fn text<'a>(view: &'a Json, pointer: &str) -> &'a str {
    view.pointer(pointer).and_then(Json::as_str).unwrap_or_default()
}
