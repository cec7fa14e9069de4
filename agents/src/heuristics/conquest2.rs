//! Opinions about Conquest of the Empire II.

use engine::games::conquest2::Conquest2;
use engine::{ByPlayer, Game, Notation};
use serde_json::Value as Json;

use crate::playable::Playable;

impl Playable for Conquest2 {
    const DEFAULT_LINEUP: &'static [&'static str] = &["greedy", "random", "random", "random"];

    fn extras(&self, state: &Self::State) -> Vec<(&'static str, ByPlayer<i32>)> {
        let json = self.state_json(state);
        let number = |value: &Json| value.as_i64().unwrap_or_default() as i32;
        let mut influence = ByPlayer::default();
        let mut chaos = ByPlayer::default();
        for seat in 0..self.n_players() {
            let provinces = json["influence"].as_object().into_iter().flatten();
            influence.0[seat] = provinces.map(|(_, by_seat)| number(&by_seat[seat])).sum();
            chaos.0[seat] = number(&json["players"][seat]["chaos"]);
        }
        vec![("influence", influence), ("chaos", chaos)]
    }
}
