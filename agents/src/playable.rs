//! What the tools need of a game beyond its rules: [`Playable`].
//!
//! Opinions about a game (how to play it greedily, who meets whom by default) are attached here and in
//! `heuristics`, never in `engine`.

use engine::{
    ByPlayer, ChanceStreams, Configure, Joint, Notation, Player, Purpose, Turn, View, rng,
};

use crate::agent::Agent;
use crate::fitting::{Estimates, Evaluation, ValueTable};
use crate::greedy::{EPSILON, Greedy};
use crate::guide::{Evaluator, Guide};
use crate::kinds::Kind;
use crate::luck::DiceLuck;
use crate::mcts::Config;
use crate::odds::Fights;
use crate::param::{Audience, Domain, Knob, Param, Rows, Settings, Value, WeightLayer};
use crate::presets::{self, Preset};
use crate::prospects::Prospects;
use crate::spec::AgentSpec;
use crate::spectator::{self, Course, Feature};

/// Weights of an evaluation, for a game that has some.
pub const WEIGHTS: Knob = Knob {
    param: Param {
        name: "weights",
        domain: Domain::File,
        default: "",
        is_games: false,
        unit: "",
        meaning: "weights of the evaluation, over those it has otherwise; weights.NAME=VALUE says one in the spec, over the file",
    },
    audience: Audience::Evaluators,
};

/// In the place of a parameter: who says something of weights is the game, to its searches.
pub const SEARCHES: &str = "searches";
/// The same: to its greedy agent, by the number of players.
pub const TABLE: &str = "table";

/// What a game says of the parameters of agents.
#[derive(Clone, Copy, Debug)]
pub struct OfGame {
    /// The name of the game.
    pub name: &'static str,
    /// Its own parameters: [`Playable::PARAMS`].
    pub params: &'static [Knob],
    /// Its own defaults of a search: [`Playable::SEARCH`].
    pub search: &'static str,
    /// What it says over them at tables of so many: [`Playable::SEARCH_AT`].
    pub search_at: &'static [(usize, &'static str)],
    /// What it adds to presets: [`Playable::PRESETS`].
    pub presets: &'static [Preset],
    /// Its weights: [`Playable::weights`].
    pub weights: fn() -> Rows,
    /// How many players are meant: [`OfGame::at`].
    pub players: usize,
    /// Who says something of them beside the spec, at a table of so many: [`Playable::greedy_weight_layers`].
    pub greedy_weight_layers: fn(&Settings, usize) -> Vec<WeightLayer<'_>>,
    /// The same for searches: [`Playable::search_weight_layers`].
    pub search_weight_layers: fn(&Settings) -> Vec<WeightLayer<'_>>,
}

impl OfGame {
    /// What `G` says, at its usual number of players.
    #[must_use]
    pub fn of<G: Playable>() -> Self {
        Self {
            name: G::about().name,
            params: G::PARAMS,
            search: G::SEARCH,
            search_at: G::SEARCH_AT,
            presets: G::PRESETS,
            weights: G::weights,
            players: G::about().default_players,
            greedy_weight_layers: G::greedy_weight_layers,
            search_weight_layers: G::search_weight_layers,
        }
    }

    /// What `G` says at the table of `game`.
    #[must_use]
    pub fn at_table_of<G: Playable>(game: &G) -> Self {
        Self::of::<G>().at(game.n_players())
    }

    /// The same at a table of `players`.
    #[must_use]
    pub const fn at(self, players: usize) -> Self {
        Self { players, ..self }
    }

    /// Its own parameters that are for agents of this kind.
    pub fn params_of(self, kind: Kind) -> impl Iterator<Item = &'static Param> {
        let meant = move |knob: &&Knob| kind.is_among(knob.audience);
        self.params.iter().filter(meant).map(|knob| &knob.param)
    }

    /// The weights of which a spec for agents of this kind can say single ones.
    #[must_use]
    pub fn weights_of(self, kind: Kind) -> Rows {
        let has_weights = self.params_of(kind).any(|param| param.name == WEIGHTS.param.name);
        if has_weights { (self.weights)() } else { Rows::default() }
    }

    /// Whether agents of this kind read the weight called `name`: what begins with `logistic_scale` turns leads into
    /// chances, which searches alone do.
    #[must_use]
    pub fn reads(self, kind: Kind, name: &str) -> bool {
        kind.search().is_some() || !name.starts_with("logistic_scale")
    }

    /// Who says something of the weights of agents of this kind beside the spec, the strongest first.
    #[must_use]
    pub fn weight_layers_of(self, kind: Kind, settings: &Settings) -> Vec<WeightLayer<'_>> {
        match kind.search() {
            Some(_) => (self.search_weight_layers)(settings),
            None => (self.greedy_weight_layers)(settings, self.players),
        }
    }

    /// Its own defaults of a search.
    ///
    /// # Panics
    /// If they are not written as a spec is (a bug of the game, which a test would show).
    #[must_use]
    pub fn search_settings(self) -> Settings {
        self.read(self.search)
    }

    /// What it says over them at a table of [`OfGame::players`], if it says anything.
    ///
    /// # Panics
    /// As [`OfGame::search_settings`].
    #[must_use]
    pub fn search_settings_of_table(self) -> Option<Settings> {
        let (_, text) = self.search_at.iter().find(|(players, _)| *players == self.players)?;
        Some(self.read(text))
    }

    /// What it adds to the preset that `spec` names, if it adds anything.
    ///
    /// # Panics
    /// As [`OfGame::search_settings`].
    #[must_use]
    pub fn preset_settings(self, spec: &Settings) -> Option<Settings> {
        presets::of_game(spec, self.presets).map(|preset| self.read(preset.search))
    }

    fn read(self, text: &str) -> Settings {
        let read = Config::read(text);
        read.unwrap_or_else(|complaint| panic!("the search of {}: {complaint}", self.name))
    }
}

/// A game that the command line can play.
pub trait Playable: Notation + Configure {
    /// The specs of a tournament for which no agent is named; the last one fills the seats that are left.
    const DEFAULT_LINEUP: &'static [&'static str] = &["greedy", "random"];

    /// The blocks of that tournament, where no length is named either: what takes seconds.
    const DEFAULT_BLOCKS: u64 = 500;

    /// The specs of agents that want different things, of about the same strength: whose gain a change of the rules is.
    const STYLES: &'static [&'static str] = &[];

    /// The specs of searches whose speed is worth knowing in this game.
    const MEASURED: &'static [&'static str] = &["mcts"];

    /// The parameters of agents that only this game has. Games that give one the same name give it the same default; its
    /// values may differ.
    const PARAMS: &'static [Knob] = &[];

    /// The settings of a search for which nothing is said, in the words of a spec; the rest are those of any game.
    const SEARCH: &'static str = "";

    /// What holds over [`Self::SEARCH`] at tables of so many players, where their number changes how far a search should look.
    const SEARCH_AT: &'static [(usize, &'static str)] = &[];

    /// The weights with which searches of this game think where nobody says others, as TOML over the defaults; empty where
    /// they think with those of the greedy agent.
    const SEARCH_WEIGHTS: &'static str = "";

    /// The weights with which the greedy agent plays at a table of `n_players` where nobody names a preset or a set of
    /// weights, as TOML over the defaults; empty where it plays with these. What serves it does not serve a search.
    #[must_use]
    fn greedy_weights(_n_players: usize) -> &'static str {
        ""
    }

    /// What of [`Playable::SEARCH`] and of its weights presets keep.
    const PRESETS: &'static [Preset] = &[];

    /// What a search knows of this game.
    type Guide: Guide<Self>;

    /// The guide of a search, where `settings` say what of [`Playable::PARAMS`] is not the default.
    ///
    /// # Errors
    /// If a file that they name is of no use: the message says why.
    fn guide(&self, settings: &Settings) -> Result<Self::Guide, String>;

    /// Whether a decision is one at which searches are measured: the first that is, in a game of `greedy`
    /// ([`search_position`]); by default the first of all.
    fn is_typical(&self, _state: &Self::State) -> bool {
        true
    }

    /// The agent `greedy` of this game; by default one ply of [`Game::scores`](engine::Game::scores).
    ///
    /// # Errors
    /// If a file that `settings` name is of no use: the message says why.
    fn greedy(&self, settings: &Settings) -> Result<Box<dyn Agent<Self>>, String> {
        Ok(Box::new(Greedy::new(settings.number(&EPSILON))))
    }

    /// The agent of a spec that fits this game. A game of which many crates build agents writes
    /// [`agents_built_here!`](crate::agents_built_here) into its implementation, so that searches of it are compiled
    /// once and not by each of them.
    ///
    /// # Errors
    /// If a file that the spec names is of no use: the message says why.
    fn agent(&self, spec: &AgentSpec) -> Result<Box<dyn Agent<Self>>, String> {
        spec.assemble(self)
    }

    /// The weights that [`WEIGHTS`] are of, by which this game is judged and searched; none by default.
    #[must_use]
    fn weights() -> Rows {
        Rows::default()
    }

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

    /// The evaluation that [`Playable::weights`] are of, with the weights that `settings` say, for those who fit them; by
    /// default what the guide estimates, `None` in a game without weights or estimates.
    ///
    /// # Errors
    /// If a file that `settings` name is of no use: the message says why.
    fn evaluation(&self, settings: &Settings) -> Result<Option<Box<dyn Evaluation<Self>>>, String> {
        let is_there =
            <Self::Guide as Evaluator<Self>>::CAN_ESTIMATE && !Self::weights().params.is_empty();
        let boxed = |guide| -> Box<dyn Evaluation<Self>> { Box::new(Estimates(guide)) };
        if is_there { self.guide(settings).map(|guide| Some(boxed(guide))) } else { Ok(None) }
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

    /// Public numbers of a game that belong into `games.csv` beside the score, each with its column name.
    /// Which ones there are must not depend on the state.
    fn extras(&self, _state: &Self::State) -> Vec<(&'static str, ByPlayer<i32>)> {
        Vec::new()
    }

    /// What a spectator counts of a position for each seat, hidden things among it: for analysis, never for agents
    /// ([`crate::spectator`]).
    const FEATURES: &'static [Feature] = spectator::GENERAL;

    /// Appends a count by seat for each of [`Playable::FEATURES`], 0 for seats beyond the table.
    fn features(&self, state: &Self::State, out: &mut Vec<ByPlayer<f64>>) {
        spectator::general(self, state, out);
    }

    /// How far the game has come, as far as the state says so; it never goes back.
    fn course(&self, _state: &Self::State) -> Course {
        Course::default()
    }

    /// What [`Playable::dice_luck`] weighs, in the plural; `None` for a game of which no chance has exact odds that
    /// somebody weighed, or that has no chance at all.
    const DICE: Option<&'static str> = None;

    /// What tells the luck of dice; there exactly where [`Playable::DICE`] says of what.
    fn dice_luck(&self) -> Option<Box<dyn DiceLuck<Self>>> {
        None
    }

    /// What computes the odds of fights that somebody asks for; by default nobody does.
    fn fights(&self) -> Option<Box<dyn Fights>> {
        None
    }

    /// What knows how likely each end of what is under way is, for those who tell a game; by default nobody does.
    fn prospects(&self) -> Option<Box<dyn Prospects<Self>>> {
        None
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

/// [`Playable::agent`], compiled in the crate that writes this into an implementation of [`Playable`].
///
/// The default does the same, but a default body belongs to whoever calls it: every test and command that built an
/// agent used to compile all searches of all games anew.
#[macro_export]
macro_rules! agents_built_here {
    () => {
        #[inline(never)]
        fn agent(&self, spec: &$crate::AgentSpec) -> Result<Box<dyn $crate::Agent<Self>>, String> {
            spec.assemble(self)
        }
    };
}

/// The position at which searches are measured and looked at: what `greedy` and chance come to from `seed` when a
/// decision [is typical](Playable::is_typical) for the first time.
///
/// # Panics
/// If no such decision comes up, or `greedy` cannot be built without parameters (bugs of the game).
#[must_use]
pub fn search_position<G: Playable>(game: &G, seed: u64) -> G::State {
    let mut chance = ChanceStreams::new(seed, 0);
    let mut rng = rng::stream(seed, 0, Purpose::Agent(0));
    let mut usual = game.greedy(&Settings::default()).expect("every game has a plain greedy");
    let mut state = game.start();
    loop {
        match game.turn(&state) {
            Turn::Over => panic!("no decision of {} is typical", G::about().name),
            Turn::Chance => {
                let outcome = game.draw(&state, chance.of(game.chance_purpose(&state)));
                game.apply(&mut state, outcome);
            }
            _ if game.is_typical(&state) => return state,
            Turn::Player(player) => {
                let action = usual.choose(View::new(game, &state, player), &mut rng);
                game.apply(&mut state, action);
            }
            Turn::Together(players) => {
                let mut joint = Joint::<G::Action>::default();
                for player in players.iter() {
                    joint[player] = Some(usual.choose(View::new(game, &state, player), &mut rng));
                }
                game.apply_joint(&mut state, &joint);
            }
        }
    }
}

/// The player who decides in `state`, the first of several; `None` where nobody does.
#[must_use]
pub fn decider<G: Playable>(game: &G, state: &G::State) -> Option<Player> {
    match game.turn(state) {
        Turn::Player(player) => Some(player),
        Turn::Together(players) => players.iter().next(),
        Turn::Chance | Turn::Over => None,
    }
}

/// The list of what all games say, which is also the proof that every game of the catalogue is [`Playable`].
macro_rules! all_games {
    ($($name:literal => $game:ty),* $(,)?) => {
        /// What every game of the catalogue says of the parameters of agents.
        pub const GAMES: &[OfGame] = &[$(OfGame {
            name: $name,
            params: <$game as Playable>::PARAMS,
            search: <$game as Playable>::SEARCH,
            search_at: <$game as Playable>::SEARCH_AT,
            presets: <$game as Playable>::PRESETS,
            weights: <$game as Playable>::weights,
            players: 0, // of no table
            greedy_weight_layers: <$game as Playable>::greedy_weight_layers,
            search_weight_layers: <$game as Playable>::search_weight_layers,
        },)*];
    };
}
engine::catalogue!(all_games);

#[cfg(test)]
mod tests {
    use std::mem::discriminant;

    use super::*;

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

    /// Tables of weights that a tuner can rely on.
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
