//! The cards of imperium in words, from the rules of a game.

use serde_json::Value as Json;

use crate::story::{counted, words};

/// The card whose players choose again, as records have it.
pub(super) const ORACLE: &str = "oracle";

/// The card that lets more provinces be scored, as records have it.
pub(super) const EAR: &str = "ear-of-the-emperor";

/// The effects of the cards.
#[derive(Clone, Debug)]
pub(super) struct Cards(Vec<(String, String)>);

impl Cards {
    /// Reads the effects from the rules.
    pub(super) fn of(rules: &Json) -> Self {
        let number = |key: &str| rules["cards"][key].as_i64().unwrap_or_default();
        let more = counted(number("provinces_per_ear"), "province");
        let pieces = counted(number("bread_and_circuses"), "piece");
        let special = [
            (EAR, format!("{more} more scored in this round")),
            ("bread-and-circuses", format!("the province card before it places {pieces}")),
            (ORACLE, "you choose again when all others have revealed; once a game".to_owned()),
        ];
        let provinces = rules["province"].as_array().into_iter().flatten();
        let placed = provinces.map(|province| {
            let points = words(&province["points"]);
            (words(&province["id"]), format!("places a piece there; the province pays {points}"))
        });
        Self(
            special.map(|(id, effect)| (id.to_owned(), effect)).into_iter().chain(placed).collect(),
        )
    }

    /// Returns the effect of a card; `None` if there is no such card.
    pub(super) fn note(&self, card: &str) -> Option<String> {
        self.0.iter().find(|(id, _)| id == card).map(|(_, effect)| effect.clone())
    }
}
