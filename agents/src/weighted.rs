//! What a game says of the weights by which it is judged and searched: [`Weighted`].

use engine::Game;

use crate::fitting::{Evaluation, ValueTable};
use crate::of_game::{SEARCHES, TABLE, WEIGHTS};
use crate::param::{Rows, Settings, Value, WeightLayer};
use crate::presets::{self, Preset};

/// A game whose evaluation may have weights: which they are, and who says something of them, in layers. By default there
/// are none.
pub trait Weighted: Game {
    /// The weights that [`WEIGHTS`] are of, by which this game is judged and searched; none by default.
    #[must_use]
    fn weights() -> Rows {
        Rows::default()
    }

    /// The weights with which searches of this game think where nobody says others, as TOML over the defaults; empty where
    /// they think with those of the greedy agent.
    const SEARCH_WEIGHTS: &'static str = "";

    /// The weights with which the greedy agent plays at a table of `n_players` where nobody names a preset or a set of
    /// weights, as TOML over the defaults; empty where it plays with these. What serves it does not serve a search.
    #[must_use]
    fn greedy_weights(_n_players: usize) -> &'static str {
        ""
    }

    /// What presets keep of the settings of its searches and of its weights.
    const PRESETS: &'static [Preset] = &[];

    /// Who says something of its weights where `settings` say no single ones, the strongest first; over the defaults. A
    /// file that nobody has read says nothing.
    #[must_use]
    fn weight_layers(settings: &Settings) -> Vec<WeightLayer<'_>> {
        named_weights(settings)
            .into_iter()
            .chain(presets::weights(settings, Self::PRESETS))
            .collect()
    }

    /// The same for the greedy agent at a table of `n_players`, which [`Self::greedy_weights`] tell something, too: under
    /// a file, and not beside a preset or a set, which are to stay what they are.
    #[must_use]
    fn greedy_weight_layers(settings: &Settings, n_players: usize) -> Vec<WeightLayer<'_>> {
        let mut layers = Self::weight_layers(settings);
        let is_file = |layer: &WeightLayer<'_>| layer.param == WEIGHTS.param.name;
        let text = Self::greedy_weights(n_players);
        if layers.iter().all(|layer| is_file(layer) || layer.text.is_empty()) && !text.is_empty() {
            layers.push(WeightLayer { param: TABLE, name: "", text });
        }
        layers
    }

    /// The same for searches, which [`Self::SEARCH_WEIGHTS`] tell something, too.
    #[must_use]
    fn search_weight_layers(settings: &Settings) -> Vec<WeightLayer<'_>> {
        let mut layers = Self::weight_layers(settings);
        if !Self::SEARCH_WEIGHTS.is_empty() {
            layers.push(WeightLayer { param: SEARCHES, name: "", text: Self::SEARCH_WEIGHTS });
        }
        layers
    }

    /// The evaluation that [`Self::weights`] are of, with the weights that `settings` say, for those who fit them; `None`
    /// where it is what the guide estimates ([`crate::assemble::evaluation`]).
    ///
    /// # Errors
    /// If a file that `settings` name is of no use: the message says why.
    fn evaluation(
        &self,
        _settings: &Settings,
    ) -> Result<Option<Box<dyn Evaluation<Self>>>, String> {
        Ok(None)
    }

    /// The value function of the leaves of a search that a file can replace, as far as there is one beside the evaluation.
    ///
    /// # Errors
    /// If a file that `settings` name is of no use: the message says why.
    fn value_table(
        &self,
        _settings: &Settings,
    ) -> Result<Option<Box<dyn ValueTable<Self>>>, String> {
        Ok(None)
    }
}

/// The weights of the file that `settings` name, once somebody has read it.
#[must_use]
pub fn named_weights(settings: &Settings) -> Option<WeightLayer<'_>> {
    match settings.get(WEIGHTS.param.name)? {
        Value::File { path, text: Some(text) } => {
            Some(WeightLayer { param: WEIGHTS.param.name, name: path, text })
        }
        _ => None,
    }
}
