//! The games of the catalogue, each with its agent parameters and defaults.

use crate::of_game::OfGame;
use crate::playable::Playable;

impl OfGame {
    /// Returns the declarations of `G` at its usual number of players.
    #[must_use]
    pub fn of<G: Playable>() -> Self {
        let about = G::about();
        Self::called::<G>(about.name, about.default_players)
    }

    /// Returns the declarations of `G` at the table size of `game`.
    #[must_use]
    pub fn at_table_of<G: Playable>(game: &G) -> Self {
        Self::of::<G>().at(game.n_players())
    }

    const fn called<G: Playable>(name: &'static str, players: usize) -> Self {
        Self {
            name,
            params: G::PARAMS,
            search: G::SEARCH,
            search_at: G::SEARCH_AT,
            presets: G::PRESETS,
            weights: G::weights,
            players,
            greedy_weight_layers: G::greedy_weight_layers,
            search_weight_layers: G::search_weight_layers,
        }
    }
}

/// Builds the list of all games. It compiles only if every game of the catalogue is [`Playable`].
macro_rules! all_games {
    ($($name:literal => $game:ty),* $(,)?) => {
        /// The agent parameters and defaults of every game of the catalogue, without a table size.
        pub const GAMES: &[OfGame] = &[$(OfGame::called::<$game>($name, 0),)*];
    };
}
engine::catalogue!(all_games);

#[cfg(test)]
mod tests {
    use std::mem::discriminant;

    use super::*;
    use crate::kinds::Kind;
    use crate::of_game::WEIGHTS;
    use crate::param::{Domain, Knob};

    #[test]
    fn a_game_says_of_searches_what_games_may_say() {
        for game in GAMES {
            let tables = game.search_at.iter().map(|(players, _)| game.at(*players));
            let all = tables.filter_map(OfGame::search_settings_of_table);
            for settings in all.chain([game.search_settings()]) {
                for (param, _) in settings.iter() {
                    assert!(param.is_games, "{}: only a spec says {}", game.name, param.name);
                }
            }
        }
    }

    /// Checks that a tuner can use the weights of `G`.
    fn has_good_weights<G: Playable>(name: &str) {
        let rows = G::weights();
        let takes_files = G::PARAMS.iter().any(|knob| knob.param.name == WEIGHTS.param.name);
        assert_eq!(takes_files, !rows.params.is_empty(), "{name}");
        for (i, weight) in rows.params.iter().enumerate() {
            assert!(weight.default_value().is_some(), "{name}: {weight:?}");
            assert!(weight.domain.scale().is_some() && !weight.is_games, "{name}: {weight:?}");
            if let Domain::Number { low, is_log, .. } = weight.domain {
                assert!(low > 0.0 || !is_log, "{name}: no factor leads away from 0: {weight:?}");
            }
            assert!(rows.params[..i].iter().all(|other| other.name != weight.name), "{weight:?}");
        }
        for (below, _) in rows.headings {
            assert!(rows.params.iter().any(|weight| weight.name == *below), "{name}: {below}");
        }
    }

    macro_rules! all_weights {
        ($($name:literal => $game:ty),* $(,)?) => {
            #[test]
            fn weights_have_defaults_within_their_ranges_and_scales_to_tune_them_by() {
                $(has_good_weights::<$game>($name);)*
            }
        };
    }
    engine::catalogue!(all_weights);

    #[test]
    fn parameters_of_games_have_names_of_their_own_or_mean_the_same() {
        for game in GAMES {
            for (i, Knob { param, audience }) in game.params.iter().enumerate() {
                let written = param.default_value().map(|value| value.to_string());
                assert_eq!(written.unwrap_or_default(), param.default, "{param:?}");
                assert!(!param.is_games, "{param:?}: a game's own parameter needs no auto");
                assert!(game.params[..i].iter().all(|other| other.param.name != param.name));
                let kinds = Kind::ALL.iter().filter(|kind| kind.is_among(*audience));
                for general in kinds.flat_map(|kind| kind.params()) {
                    assert_ne!(general.name, param.name, "{}", game.name);
                }
                let others = GAMES.iter().flat_map(|game| game.params);
                for other in others.filter(|other| other.param.name == param.name) {
                    let [one, two] =
                        [param, &other.param].map(|p| (discriminant(&p.domain), p.default));
                    assert_eq!((one, *audience), (two, other.audience), "{}", param.name);
                }
            }
        }
    }
}
