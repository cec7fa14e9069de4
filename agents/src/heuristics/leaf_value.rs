//! The value of the leaves of a search: a linear value function, and the net beside it if there is one. A game that
//! declares [`MapInputs`] gets the net from this module alone.

use std::sync::Arc;

use engine::{ByPlayer, Configure, Game, Player};

use super::linear::{Counter, LinearValue, VALUE};
use crate::net::{
    AUTO, Inputs, Layout, Net, NetInputs, ON, OWN_NET, OptionInputs, inputs_of, is_net,
};
use crate::param::{Settings, Value};
use crate::presets;

/// A net beside a linear value function, with the memory for its inputs.
#[derive(Clone, Debug)]
pub(crate) struct NetBeside {
    net: Arc<Net>,
    inputs: Inputs,
    options: OptionInputs,
}

/// Room for the options of a decision, and for the inputs of each. More options take more memory once.
const ROOM: [usize; 2] = [128, 48];

impl NetBeside {
    /// Creates a net whose inputs are those of `layout`.
    pub(crate) fn new(net: Net, layout: &Layout) -> Self {
        let [options, inputs] = if net.has_policy() { ROOM } else { [0; 2] };
        let options = OptionInputs::with_room(options, inputs);
        Self { net: Arc::new(net), inputs: room(layout), options }
    }

    /// Returns the net without its policy head.
    pub(crate) fn without_policy(self) -> Self {
        Self { net: Arc::new(Net::clone(&self.net).without_policy()), ..self }
    }

    /// Returns true if the net has a policy head.
    pub(crate) fn has_policy(&self) -> bool {
        self.net.has_policy()
    }

    /// Changes the guide's logits of the options of `mover` by the policy head. `count` fills in the inputs of the
    /// position, and `count_options` those of the options.
    pub(crate) fn correct_priors(
        &mut self,
        mover: Player,
        logits: &mut [f32],
        count: impl FnOnce(&mut Inputs),
        count_options: impl FnOnce(&[f32], &Inputs, &mut OptionInputs),
    ) {
        count(&mut self.inputs);
        count_options(logits, &self.inputs, &mut self.options);
        self.net.correct_priors(&self.inputs, mover, &self.options, logits);
    }

    /// Returns the expectation of each player: `linear` and the net, for the inputs that `count` fills in. The unit is
    /// that of the linear value, whose softmax has this scale.
    #[inline]
    pub(crate) fn correct(
        &mut self,
        linear: &ByPlayer<f32>,
        softmax_scale: f32,
        count: impl FnOnce(&mut Inputs),
    ) -> ByPlayer<f32> {
        count(&mut self.inputs);
        let (logits, trust) = (self.net.logits(&self.inputs), self.net.trust(self.inputs.phase));
        ByPlayer::from_fn(|q| linear[q] * trust + logits[q] * softmax_scale)
    }
}

/// Returns inputs with room for all that a position can have.
fn room(layout: &Layout) -> Inputs {
    Inputs::with_room(inputs_of(layout.seat), inputs_of(layout.table))
}

/// The inputs of a net in a game whose value function is linear in counted features.
pub(crate) trait MapInputs<const N: usize>: Counter<N, Game: Configure> {
    /// The inputs.
    const LAYOUT: Layout;
    /// The nets of the package.
    const OWN_NETS: OwnNets;

    /// Adds the inputs of a position with these features of the value function.
    fn add_inputs(
        game: &Self::Game,
        s: &<Self::Game as Game>::State,
        features: &ByPlayer<[f32; N]>,
        inputs: &mut Inputs,
    );
}

/// The value of the leaves.
#[derive(Clone, Debug)]
pub(crate) struct LeafValue<const N: usize> {
    pub(crate) linear: LinearValue<N>,
    net: Option<NetBeside>,
}

impl<const N: usize> From<LinearValue<N>> for LeafValue<N> {
    fn from(linear: LinearValue<N>) -> Self {
        Self { linear, net: None }
    }
}

impl<const N: usize> LeafValue<N> {
    /// Reads the value that `settings` name: a value function in place of `fitted`, or a net beside it.
    ///
    /// # Errors
    /// If the file is unusable: the message gives the reason.
    pub(crate) fn read<C: MapInputs<N>>(
        game: &C::Game,
        settings: &Settings,
        fitted: LinearValue<N>,
    ) -> Result<Self, String> {
        let net = net_of::<C, N>(game, settings)?.map(|net| NetBeside::new(net, &C::LAYOUT));
        let named = settings.text(&VALUE.param).filter(|text| !is_net(text));
        let linear = named.map_or(Ok(fitted), LinearValue::parse::<C>)?;
        Ok(Self { linear, net })
    }

    /// Reads the value that `settings` name, in a game whose searches value leaves by the evaluation: the first feature
    /// of `C`, in units of its scale. `None` if they name none, and then the evaluation alone decides, to the bit.
    ///
    /// # Errors
    /// As [`LeafValue::read`].
    pub(crate) fn over_evaluation<C: MapInputs<N>>(
        game: &C::Game,
        settings: &Settings,
    ) -> Result<Option<Self>, String> {
        let value = Self::read::<C>(game, settings, LinearValue::first_alone::<C>())?;
        let is_named = value.net.is_some() || settings.text(&VALUE.param).is_some();
        Ok(is_named.then_some(value))
    }

    /// Returns the expectation of each seat, up to a common offset; `None` when the game is over.
    pub(crate) fn expect<C: MapInputs<N>>(
        &mut self,
        counter: &C,
        game: &C::Game,
        s: &<C::Game as Game>::State,
    ) -> Option<ByPlayer<f32>> {
        let phase = C::phase(game, s)?;
        let features = counter.count(game, s);
        let values = self.linear.values(phase, game.n_players(), &features);
        let Some(net) = &mut self.net else { return Some(values) };
        let [_, scale] = self.linear.scales_at(phase);
        Some(net.correct(&values, scale, |inputs| {
            inputs.begin(game.n_players(), phase);
            C::add_inputs(game, s, &features, inputs);
        }))
    }

    /// Returns the logistic and the softmax scale; those of the last phase when the game is over.
    pub(crate) fn scales<C: Counter<N>>(
        &self,
        game: &C::Game,
        s: &<C::Game as Game>::State,
    ) -> [f32; 2] {
        self.linear.scales_at(C::phase(game, s).unwrap_or(C::PHASES - 1))
    }
}

/// Implements the methods of [`Weighted`](crate::Weighted) for the leaves of a game's searches. The module that writes
/// this macro has the functions `value`, which reads the value of leaves, and `counter`, which returns the counter of its
/// features and of the inputs of a net.
macro_rules! leaves_valued_here {
    ($counter:ty) => {
        fn value_table(
            &self,
            settings: &$crate::Settings,
        ) -> Result<Option<Box<dyn $crate::fitting::ValueTable<Self>>>, String> {
            let (value, counter) = (value(self, settings)?.linear, counter(self, settings)?);
            Ok(Some(Box::new($crate::heuristics::linear::LinearTable { value, counter })))
        }

        fn net_inputs(
            &self,
            settings: &$crate::Settings,
        ) -> Result<Option<Box<dyn $crate::net::NetInputs<Self>>>, String> {
            let counter = counter(self, settings)?;
            Ok(Some(Box::new($crate::heuristics::leaf_value::Counted::new(counter))))
        }

        fn net(&self, settings: &$crate::Settings) -> Result<Option<$crate::net::Net>, String> {
            $crate::heuristics::leaf_value::net_of::<$counter, _>(self, settings)
        }
    };
}
pub(crate) use leaves_valued_here;

/// The nets of the package for a game.
#[derive(Clone, Copy)]
pub(crate) struct OwnNets {
    /// The text of each net, with the number of players of its table.
    pub(crate) by_table: &'static [(usize, &'static str)],
}

impl OwnNets {
    /// Returns the net that `settings` name for a table of `n_players`.
    ///
    /// # Errors
    /// As [`OwnNets::text`], or if its file is unusable: the message gives the reason.
    pub(crate) fn net(
        self,
        settings: &Settings,
        game: &str,
        n_players: usize,
        layout: &Layout,
    ) -> Result<Option<Net>, String> {
        let text = self.text(settings, n_players)?;
        text.map(|text| Net::parse(text, game, n_players, layout)).transpose()
    }

    /// Returns the text of the net that `settings` name for a table of `n_players`: a file, or that of the package. One
    /// that is taken by default corrects the package's value function alone, and so gives way to a file and to a preset.
    ///
    /// # Errors
    /// If both are named, or the package has none for the table: the message gives the reason.
    pub(crate) fn text(
        self,
        settings: &Settings,
        n_players: usize,
    ) -> Result<Option<&str>, String> {
        let value = settings.text(&VALUE.param);
        let named = value.filter(|text| is_net(text));
        let word = match settings.get(OWN_NET) {
            Some(Value::Word(word)) => word,
            _ => AUTO,
        };
        let has_preset = presets::named(settings).is_some();
        Ok(match (named, word) {
            (Some(_), ON) => {
                return Err("net=on and a net as value: leave one of them out".to_owned());
            }
            (Some(text), _) => Some(text),
            (None, ON) => Some(self.at_table(n_players).ok_or_else(|| self.lacks(n_players))?),
            (None, AUTO) if value.is_none() && !has_preset => self.at_table(n_players),
            _ => None,
        })
    }

    fn at_table(self, n_players: usize) -> Option<&'static str> {
        let known = self.by_table.iter().find(|(players, _)| *players == n_players);
        known.map(|(_, text)| *text)
    }

    fn lacks(self, n_players: usize) -> String {
        let tables: Vec<String> = self.by_table.iter().map(|(n, _)| n.to_string()).collect();
        format!(
            "net=on: the package has a net for tables of {}, and {n_players} play (`caesar fit net` makes others)",
            tables.join(", ")
        )
    }
}

/// Returns the net of a game with [`MapInputs`] that `settings` name.
///
/// # Errors
/// As [`OwnNets::net`].
pub(crate) fn net_of<C: MapInputs<N>, const N: usize>(
    game: &C::Game,
    settings: &Settings,
) -> Result<Option<Net>, String> {
    let name = <C::Game as Configure>::about().name;
    C::OWN_NETS.net(settings, name, game.n_players(), &C::LAYOUT)
}

/// The counter of the inputs, for fitting.
#[derive(Clone, Debug)]
pub(crate) struct Counted<C, const N: usize>(C);

impl<C, const N: usize> Counted<C, N> {
    /// Creates the counter with this counter of features.
    pub(crate) const fn new(counter: C) -> Self {
        Self(counter)
    }
}

impl<C: MapInputs<N>, const N: usize> NetInputs<C::Game> for Counted<C, N> {
    fn layout(&self) -> Layout {
        C::LAYOUT
    }

    fn count(&self, game: &C::Game, s: &<C::Game as Game>::State, inputs: &mut Inputs) -> bool {
        let Some(phase) = C::phase(game, s) else { return false };
        inputs.begin(game.n_players(), phase);
        C::add_inputs(game, s, &self.0.count(game, s), inputs);
        true
    }
}
