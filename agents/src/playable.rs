//! What the tools need of a game beyond its rules: [`Playable`].
//!
//! Opinions about a game (how to play it greedily, who meets whom by default) are attached here and in
//! `heuristics`, never in `engine`.

use engine::{
    ByPlayer, ChanceStreams, Configure, Joint, Notation, Player, Purpose, Turn, View, rng,
};

use crate::agent::Agent;
use crate::agent_spec::AgentSpec;
use crate::external::{Consent, External};
use crate::fitting::{Estimates, Evaluation, ValueTable};
use crate::greedy::{EPSILON, Greedy};
use crate::guide::{Evaluator, Guide};
use crate::kinds::Kind;
use crate::layers::Layers;
use crate::luck::DiceLuck;
use crate::mcts::{Mcts, Variant};
use crate::odds::Fights;
use crate::of_game::{OfGame, SEARCHES, TABLE, WEIGHTS};
use crate::param::{Knob, Rows, Settings, Value, WeightLayer};
use crate::presets::{self, Preset};
use crate::prospects::Prospects;
use crate::random::Random;
use crate::spectator::{self, Course, Feature};

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

impl AgentSpec {
    /// Returns the agent, of a spec whose parameters the game has: the body of [`Playable::agent`].
    ///
    /// # Errors
    /// If a file is of no use or was not supplied.
    pub fn assemble<G: Playable>(&self, game: &G) -> Result<Box<dyn Agent<G>>, String> {
        if let Some((name, path, _)) = self.settings.files().find(|(.., is_read)| !is_read) {
            return Err(format!("the file of {name}, \"{path}\", was not read"));
        }
        match self.kind {
            Kind::Random => Ok(Box::new(Random::default())),
            Kind::Greedy => game.greedy(&self.settings),
            Kind::Mcts => self.search(Variant::Tree, game),
            Kind::Flat => self.search(Variant::Flat, game),
            Kind::OnePly => self.search(Variant::OnePly, game),
            Kind::Pimc => self.search(Variant::Determinised, game),
            Kind::Clairvoyant => self.search(Variant::Clairvoyant, game),
            Kind::External => {
                let params = self.external()?;
                let consent = Consent::to(&[&params.command])?;
                Ok(Box::new(External::new(&params, consent)?))
            }
        }
    }

    fn search<G: Playable>(&self, variant: Variant, game: &G) -> Result<Box<dyn Agent<G>>, String> {
        let config =
            Layers::of(self.kind, Some(&OfGame::at_table_of(game)), &self.settings).config(variant);
        Ok(Box::new(Mcts::new(config, game.guide(&self.settings)?)?))
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
