//! An observer of a game of the report: it notes the things that seats take, and the places that they hold.

use std::collections::BTreeMap;

use agents::{Observable, Playable};
use engine::{Player, PlayerSet, Treatable, Turn, Uptake};

use super::means::Means;
use super::seats::Thing;
use sim::game_loop::{GameObserver, Run};

/// The kind of places that players hold.
pub const PLACES: &str = "places";

/// The notes on a game, by seat.
pub(super) struct Watch {
    /// Things that were offered, taken or held, with the seats that took or held them.
    pub(super) things: BTreeMap<Thing, PlayerSet>,
    /// The means over the game.
    pub(super) means: Means,
    /// The current stage.
    stage: u8,
}

impl Watch {
    /// Creates the notes of a game that begins.
    pub(super) fn new() -> Self {
        Self { things: BTreeMap::new(), means: Means::default(), stage: 1 }
    }

    fn note(&mut self, kind: &'static str, name: &str, seats: PlayerSet) {
        let thing = Thing { kind, name: name.to_owned() };
        let noted = self.things.entry(thing).or_insert(PlayerSet::EMPTY);
        *noted = *noted | seats;
    }
}

/// Returns the noun for acts that a ban could forbid: the name of their market, or the last word of the ban's id.
fn kind<G: Playable>(uptake: Uptake<'_>) -> &'static str {
    let market = G::markets().iter().find(|market| market.ban == uptake.ban);
    let word = || uptake.ban.rsplit_once('.').map_or(uptake.ban, |(_, word)| word);
    market.map_or_else(word, |market| market.name)
}

impl<G: Playable + Observable> GameObserver<G> for Watch {
    /// Notes the holdings as each stage ends, and at the end of the game.
    fn at(&mut self, game: &G, run: &Run<G::State>) {
        self.means.at(game, run);
        let stage = Treatable::stage(game, &run.state);
        if stage == self.stage && game.turn(&run.state) != Turn::Over {
            return;
        }
        self.stage = stage;
        let mut all = Vec::new();
        game.holdings(&run.state, &mut all);
        for (place, held) in all {
            let holders = Player::all(game.n_players()).filter(|&seat| held[seat] > 0);
            self.note(PLACES, place, holders.collect());
        }
    }

    fn chosen(&mut self, game: &G, state: &G::State, player: Player, action: G::Action, _: u32) {
        self.means.chosen(player, &game.action_text(action));
        let mut all = Vec::new();
        game.available_uptakes(state, player, &mut all);
        all.drain(..).for_each(|one| self.note(kind::<G>(one), one.name, PlayerSet::EMPTY));
        game.uptake(state, player, action, &mut all);
        all.into_iter().for_each(|one| self.note(kind::<G>(one), one.name, PlayerSet::of(player)));
    }
}
