//! A game as a replay for HTML pages.

use agents::Observable;
use draw::replay::{Mistake, Replay};
use draw::replay_builder::ReplayBuilder;
use draw::story::{Event, Position, seat_numbers, words};
use serde_json::Value as Json;

use super::Header;
use super::listener::{Ended, Listener, Wants};
use crate::event::Forfeit;
use crate::visible::visible;
use crate::win_model::{Subject, WinModel, features_of};

/// The additions to a replay beside the game.
#[derive(Clone, Debug, Default)]
pub struct PageReplayOptions {
    /// A model of win probability: the name of its file, and its text.
    pub model: Option<(String, String)>,
}

impl PageReplayOptions {
    /// Returns the model for games with this header, if there is one.
    ///
    /// # Errors
    /// If it is no model, or of another game, table or set of rules.
    pub(super) fn model<G: Observable>(&self, header: &Header) -> Result<Option<WinModel>, String> {
        let Some((name, text)) = &self.model else { return Ok(None) };
        let agent = serde_json::from_str::<Json>(text).unwrap_or_default()["agent"].clone();
        let subject = Subject {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            game: header.game.clone(),
            players: header.seats,
            rules: header.rules.clone(),
            // Chances are those of games of the model's own agent, whoever plays here; the replay states this.
            agent: words(&agent),
        };
        let read = WinModel::read(name, text, &subject, &features_of::<G>());
        read.map(Some).map_err(|error| error.to_string())
    }
}

/// A builder of the replay of a game.
pub(crate) struct PageReplay {
    builder: ReplayBuilder,
}

impl PageReplay {
    /// Returns a builder for the game of `header` under `rules`, the whole configuration.
    pub(crate) fn new(number: u64, header: &Header, rules: &Json) -> Self {
        let Header { game, seats, agents, seed, .. } = header;
        let drawing = draw::games::drawing(game, rules, *seats);
        let title = format!("Game {number}: {game} for {seats}, seed {seed}");
        Self { builder: ReplayBuilder::new(drawing, title, game.clone(), agents.clone()) }
    }

    /// Returns the replay, with notes.
    pub(crate) fn replay(self, notes: Vec<String>) -> Replay {
        let mut replay = self.builder.replay();
        replay.notes.extend(notes);
        replay
    }
}

impl Listener for PageReplay {
    fn wants(&self) -> Wants {
        Wants { boards: self.builder.wants_text(), documents: false }
    }

    fn begin(&mut self, at: Position) {
        self.builder.begin(&at);
    }

    fn choosing(&mut self, _seat: usize, _legal: usize, _action: &str) {}

    fn opinion(&mut self, text: &str) {
        let lines = text.lines().map(|line| line.trim_start().trim_start_matches('~'));
        let lines: Vec<&str> = lines.collect();
        self.builder.thought(&lines.join("\n"));
    }

    fn mistake(&mut self, mistake: Mistake) {
        self.builder.mistake(mistake);
    }

    fn event(&mut self, event: &Event<'_>, after: Option<Position>) {
        self.builder.event(event, after.as_ref());
    }

    fn milestone(&mut self, _text: &str) {}

    fn end(&mut self, end: &Ended<'_>) {
        let forfeit = end.forfeit.map_or_else(String::new, |Forfeit { player, reason }| {
            format!("forfeit by seat {}: {}; ", player + 1, visible(reason))
        });
        let (scores, winners) = (words(end.scores), seat_numbers(end.winners));
        let text = format!(
            "{forfeit}the game ends after {} plies: scores {scores}; won by seat {winners}",
            end.plies
        );
        self.builder.end(&text);
    }
}
