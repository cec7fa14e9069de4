//! The declarations of a game for experiments, under some rules.

use agents::{Observable, Playable};
use engine::treatment::MAX_STAGES;
use engine::{Bidding, Market, Player, Precedence, Price, Rules, Sweep, Territory, Treatment};
use serde_json::Value as Json;

use sim::catalogue::{NAMES, Setup, WithGame, WithType, with_game, with_type};
use sim::error::Error;

/// The treatments, sweeps and markets that a game declares, with their values under some rules.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The name of the game.
    pub game: String,
    /// Its treatments.
    pub treatments: &'static [Treatment],
    /// Its sweeps.
    pub sweeps: &'static [Sweep],
    /// The kinds of things that it sells.
    pub markets: &'static [Market],
    /// The selected market.
    pub market: Option<Market>,
    /// Its places.
    pub territory: Option<Territory>,
    /// The turn order, if it changes.
    pub precedence: Option<Precedence>,
    /// Number of players.
    pub players: usize,
    /// Specs of agents with different goals.
    pub styles: &'static [&'static str],
    /// The number of stages under these rules, as far as keys can name them.
    pub stages: u8,
    /// The rules.
    pub rules: Rules,
}

struct Ask;

impl WithGame for Ask {
    type Output = Facts;

    fn run<G: Playable + Observable>(self, game: G, rules: &Rules) -> Facts {
        Facts::about(&game, rules)
    }
}

impl Facts {
    /// Returns the declarations of `game`, which is built from these rules.
    #[must_use]
    pub fn about<G: Playable + Observable>(game: &G, rules: &Rules) -> Self {
        Self {
            game: G::about().name.to_owned(),
            treatments: G::treatments(),
            sweeps: G::sweeps(),
            markets: G::markets(),
            market: G::markets().first().copied(),
            precedence: G::precedence(),
            territory: G::territory(),
            styles: G::STYLES,
            players: game.n_players(),
            stages: game.n_stages().min(MAX_STAGES),
            rules: rules.clone(),
        }
    }

    /// Returns the declarations of the game of `setup`.
    ///
    /// # Errors
    /// If the game cannot be built.
    pub fn of(setup: &Setup) -> Result<Self, Error> {
        with_game(setup, Ask)
    }

    /// Selects the market with this name; `None` keeps the first.
    ///
    /// # Errors
    /// If the game has no such market.
    pub fn about_market(self, name: Option<&str>) -> Result<Self, Error> {
        let Some(name) = name else { return Ok(self) };
        let names: Vec<&str> = self.markets.iter().map(|market| market.name).collect();
        let Some(market) = self.markets.iter().find(|market| market.name == name) else {
            let known = if names.is_empty() { "none" } else { &names.join(", ") };
            let message = format!("{} has no such market (known: {known})", self.game);
            return Err(Error::value("market", name, message));
        };
        Ok(Self { market: Some(*market), ..self })
    }

    /// Returns the selected market.
    ///
    /// # Errors
    /// If the game has none: the message names the games that have one.
    pub fn market(&self) -> Result<Market, Error> {
        self.market.ok_or_else(|| self.without("things that are taken for a price", |d| d.0))
    }

    /// Returns the places of the game.
    ///
    /// # Errors
    /// If it has no places that players hold: the message names the games that have some.
    pub fn territory(&self) -> Result<Territory, Error> {
        self.territory.ok_or_else(|| self.without("places that players hold", |d| d.1))
    }

    /// Returns the declaration of the bids for the turn order.
    ///
    /// # Errors
    /// If the game has no such bids: the message names the games that have them.
    pub fn bidding(&self) -> Result<Bidding, Error> {
        let bidding = self.precedence.and_then(|precedence| precedence.bids);
        bidding.ok_or_else(|| self.without("turn order that players bid for", |d| d.2))
    }

    /// Returns the price of a thing under these rules at a stage.
    #[must_use]
    pub fn price(&self, market: &Market, name: &str, stage: u8) -> i64 {
        match market.price {
            Price::Swept(sweep) => self.number(sweep, Some(name)).unwrap_or_default(),
            Price::Listed(list) => list(&self.rules, name, stage),
        }
    }

    fn without(&self, what: &str, has: fn((bool, bool, bool)) -> bool) -> Error {
        let declares = |name: &str| with_type(name, Declares).unwrap_or_default();
        let with: Vec<&str> = NAMES.iter().copied().filter(|name| has(declares(name))).collect();
        let message = format!("it declares no {what} (games that do: {})", with.join(", "));
        Error::value("game", &self.game, message)
    }

    /// Returns the treatment with this id.
    ///
    /// # Panics
    /// If there is none: ids come from what the game declares.
    #[must_use]
    pub fn treatment(&self, id: &str) -> &'static Treatment {
        self.treatments.iter().find(|t| t.id == id).expect("declared by the game")
    }

    /// Returns the sweep with this id.
    ///
    /// # Panics
    /// If there is none: ids come from what the game declares.
    #[must_use]
    pub fn sweep(&self, id: &str) -> &'static Sweep {
        self.sweeps.iter().find(|sweep| sweep.id == id).expect("declared by the game")
    }

    /// Returns the names that a treatment accepts.
    #[must_use]
    pub fn names(&self, id: &str) -> Vec<String> {
        self.rules.names_for(self.treatment(id))
    }

    /// Returns the number that a sweep would change, under these rules.
    #[must_use]
    pub fn number(&self, id: &str, name: Option<&str>) -> Option<i64> {
        let sweep = self.sweep(id);
        let rules = self.rules.to_json();
        let value = sweep.key_for(name).iter().try_fold(&rules, |at, step| at_step(at, step))?;
        match sweep.element {
            Some(place) => value.get(place)?.as_i64(),
            None => value.as_i64(),
        }
    }

    /// Returns true if the rules accept an additional setting.
    #[must_use]
    pub fn allow(&self, setup: &Setup, setting: &str) -> bool {
        struct Try;
        impl WithGame for Try {
            type Output = ();
            fn run<G: Playable>(self, _: G, _: &Rules) {}
        }
        let mut setup = setup.clone();
        setup.overrides.settings.push(setting.to_owned());
        with_game(&setup, Try).is_ok()
    }

    /// Returns the settings that treat each seat in turn, by seat.
    #[must_use]
    pub fn for_seats(
        &self,
        id: &str,
        stage: Option<u8>,
        name: Option<&str>,
        value: &str,
    ) -> Vec<Vec<String>> {
        let treatment = self.treatment(id);
        let key = |seat| treatment.key_for(stage, Some(seat), name);
        Player::all(self.players).map(|seat| vec![format!("{}={value}", key(seat))]).collect()
    }
}

/// Returns the value at a step of a key: an entry of a table, or the table with this id in a list.
fn at_step<'a>(at: &'a Json, step: &str) -> Option<&'a Json> {
    match at {
        Json::Array(list) => list.iter().find(|entry| entry["id"] == step),
        _ => at.get(step),
    }
}

/// A query for whether a game has a market, a territory, and bids for the turn order.
struct Declares;

impl WithType for Declares {
    type Output = (bool, bool, bool);
    fn run<G: Playable>(self) -> (bool, bool, bool) {
        let is_bid_for = G::precedence().is_some_and(|precedence| precedence.bids.is_some());
        (!G::markets().is_empty(), G::territory().is_some(), is_bid_for)
    }
}
