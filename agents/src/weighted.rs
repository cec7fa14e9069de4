//! The weights of a game's evaluation and search: [`Weighted`].

use engine::Game;

use crate::fitting::{Evaluation, ValueTable};
use crate::net::{Net, NetInputs};
use crate::of_game::{SEARCHES, TABLE, WEIGHTS};
use crate::param::{Rows, Settings, Value, WeightLayer};
use crate::presets::{self, Preset};

/// A game whose evaluation may have weights: their list, and the layers that set them. By default there are none.
pub trait Weighted: Game {
    /// Returns the weights of [`WEIGHTS`], for the evaluation and search of this game; empty by default.
    #[must_use]
    fn weights() -> Rows {
        Rows::default()
    }

    /// Returns the default weights of the greedy agent at a table of `n_players`, as TOML over the general defaults.
    /// They are in effect unless a preset or a set of weights is named. Empty means the general defaults. Good weights
    /// for the greedy agent are not good for a search.
    #[must_use]
    fn greedy_weights(_n_players: usize) -> &'static str {
        ""
    }

    /// Returns the default weights of searches at a table of `n_players`, as TOML over the general defaults. Empty
    /// means the general defaults.
    #[must_use]
    fn search_weights(_n_players: usize) -> &'static str {
        ""
    }

    /// The game's part of the presets: search settings and weights.
    const PRESETS: &'static [Preset] = &[];

    /// Returns the layers of weights between the explicit weights of `settings` and the defaults, the strongest first.
    /// A file that was not read is left out.
    #[must_use]
    fn weight_layers(settings: &Settings) -> Vec<WeightLayer<'_>> {
        named_weights(settings)
            .into_iter()
            .chain(presets::weights(settings, Self::PRESETS))
            .collect()
    }

    /// Returns the layers of weights for the greedy agent at a table of `n_players`, with [`Self::greedy_weights`]
    /// below a file. A preset or a set excludes these weights, because it must stay unchanged.
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

    /// Returns the layers of weights for searches at a table of `n_players`, with [`Self::search_weights`] below all
    /// others.
    #[must_use]
    fn search_weight_layers(settings: &Settings, n_players: usize) -> Vec<WeightLayer<'_>> {
        let mut layers = Self::weight_layers(settings);
        let text = Self::search_weights(n_players);
        if !text.is_empty() {
            layers.push(WeightLayer { param: SEARCHES, name: "", text });
        }
        layers
    }

    /// Returns the evaluation of [`Self::weights`] with the weights in `settings`, for fitting; `None` if the guide's
    /// estimate is the evaluation ([`crate::assemble::evaluation`]).
    ///
    /// # Errors
    /// If a file in `settings` is unusable: the message gives the reason.
    fn evaluation(
        &self,
        _settings: &Settings,
    ) -> Result<Option<Box<dyn Evaluation<Self>>>, String> {
        Ok(None)
    }

    /// Returns the value function for the leaves of a search, which a file can replace; `None` if there is only the
    /// evaluation.
    ///
    /// # Errors
    /// If a file in `settings` is unusable: the message gives the reason.
    fn value_table(
        &self,
        _settings: &Settings,
    ) -> Result<Option<Box<dyn ValueTable<Self>>>, String> {
        Ok(None)
    }

    /// Returns the inputs that a net beside this value function sees of a position; `None` in games that have not declared any.
    ///
    /// # Errors
    /// If a file that `settings` name is of no use: the message says why.
    fn net_inputs(&self, _settings: &Settings) -> Result<Option<Box<dyn NetInputs<Self>>>, String> {
        Ok(None)
    }

    /// Returns the net beside the value function, if `settings` say one.
    ///
    /// # Errors
    /// If its file is of no use: the message says why.
    fn net(&self, _settings: &Settings) -> Result<Option<Net>, String> {
        Ok(None)
    }

    /// Returns the text of this net's file.
    ///
    /// # Errors
    /// If `settings` name two nets, or the package lacks the one that they name: the message says why.
    fn net_file<'a>(&self, _settings: &'a Settings) -> Result<Option<&'a str>, String> {
        Ok(None)
    }
}

/// Returns the weights of the file that `settings` name, once it was read.
#[must_use]
pub fn named_weights(settings: &Settings) -> Option<WeightLayer<'_>> {
    match settings.get(WEIGHTS.param.name)? {
        Value::File { path, text: Some(text) } => {
            Some(WeightLayer { param: WEIGHTS.param.name, name: path, text })
        }
        _ => None,
    }
}
