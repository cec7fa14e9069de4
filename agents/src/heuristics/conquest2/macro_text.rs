//! Macro-actions as text for people.

use std::fmt::Write;

use engine::Notation;
use engine::games::conquest2::units::Unit;
use engine::games::conquest2::{Conquest2, Mover, Place, Source};

use super::macro_actions::MacroAction;

/// Returns the macro-action in words.
pub(super) fn macro_text(game: &Conquest2, macro_action: MacroAction) -> String {
    let province = |place: Place| game.province_id(place);
    match macro_action {
        MacroAction::Pass => "pass".to_owned(),
        MacroAction::End => "end the turn".to_owned(),
        MacroAction::Tax => "tax".to_owned(),
        MacroAction::Take(card) => format!("take {}", card.id()),
        MacroAction::Use(None) => "use a card".to_owned(),
        MacroAction::Use(Some(action)) => format!("use: {}", game.action_text(action)),
        MacroAction::Recruit { place, units } => {
            format!(
                "recruit {} in {}",
                counted(&units, &Unit::ALL.map(Unit::name)),
                province(place)
            )
        }
        MacroAction::Buy { place, first, second } => {
            let sources: Vec<String> = [first].into_iter().chain(second).map(source_text).collect();
            format!("buy in {} from {}", province(place), sources.join(" and "))
        }
        MacroAction::Move { from, to, force, guards } => {
            let mut text = format!("move from {}", province(from));
            if let Some(to) = to {
                let _ = write!(
                    text,
                    " to {}: {}",
                    province(to),
                    counted(&force, &Mover::ALL.map(Mover::name))
                );
            }
            match guards.len() {
                0 => {}
                1 => text += ", guard 1 place",
                n => {
                    let _ = write!(text, ", guard {n} places");
                }
            }
            text
        }
        MacroAction::Battle { place, against } => {
            format!("battle in {} with {against}", province(place))
        }
        MacroAction::Sail { to } => format!("sail to {}", game.zone_id(to)),
    }
}

fn source_text(source: Source) -> String {
    match source {
        Source::Board => "the board".to_owned(),
        Source::Seat(player) => player.to_string(),
    }
}

/// Returns the nonzero numbers with their names.
fn counted(numbers: &[u8], names: &[&str]) -> String {
    let some = numbers.iter().zip(names).filter(|(n, _)| **n > 0);
    let some: Vec<String> = some.map(|(n, name)| format!("{n} {name}")).collect();
    if some.is_empty() { "nobody".to_owned() } else { some.join(" ") }
}
