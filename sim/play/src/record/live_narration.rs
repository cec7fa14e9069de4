//! Live narration: a running game as text.

use agents::{Observable, Playable};
use draw::story::Event;
use engine::{Player, Turn};

use super::listener::{Ended, Listener, Painter};
use super::narration::{Narration, Style};
use crate::event::GameResult;
use crate::game_loop::{GameObserver, Run};

/// An event since the last position.
enum PendingEvent<A> {
    Choice { player: Player, action: String },
    Chance(A),
}

/// A narrator of a game of `G`, line by line.
pub(crate) struct LiveNarration<'a, G: Playable + Observable> {
    narration: Narration<'a>,
    painter: Painter<G>,
    /// The position before the pending events, with these events.
    last: Option<G::State>,
    pending: Vec<PendingEvent<G::Action>>,
    scratch: Vec<G::Action>,
    say: &'a mut dyn FnMut(&str),
}

impl<'a, G: Playable + Observable> LiveNarration<'a, G> {
    /// Returns a narrator of a game between `agents` that passes lines to `say`.
    pub(crate) fn new(game: &G, agents: &'a [String], say: &'a mut dyn FnMut(&str)) -> Self {
        Self {
            narration: Narration::new(G::about().name, agents, Style::default(), None),
            painter: Painter::new(game, None),
            last: None,
            pending: Vec::new(),
            scratch: Vec::new(),
            say,
        }
    }

    /// Passes the written lines on.
    fn speak(&mut self) {
        self.narration.take().lines().for_each(|line| (self.say)(line));
    }

    /// Narrates the end of the game.
    pub(crate) fn end(&mut self, seats: usize, result: &GameResult) {
        let points = &result.points[..seats];
        let best = points.iter().copied().fold(f32::MIN, f32::max);
        let winners: Vec<usize> = (0..seats).filter(|&seat| points[seat] >= best).collect();
        // Scores are whole; points of a game without scores need not be.
        let score = |score: &f32| match score.fract() == 0.0 {
            true => serde_json::json!(*score as i64),
            false => serde_json::json!(score),
        };
        let scores: Vec<_> = result.scores[..seats].iter().map(score).collect();
        self.narration.end(&Ended {
            scores: &serde_json::json!(scores),
            winners: &serde_json::json!(winners),
            plies: result.plies.into(),
            forfeit: result.forfeit.as_deref(),
            hints: 0,
        });
        self.speak();
    }

    /// Narrates the pending events, which led to `state`.
    fn tell(&mut self, game: &G, state: &G::State, plies: u32) {
        let pending = std::mem::take(&mut self.pending);
        let Some(last) = self.last.filter(|_| !pending.is_empty()) else { return };
        let wants = self.narration.wants();
        let n = pending.len();
        for (i, event) in pending.into_iter().enumerate() {
            let after = (i + 1 == n).then(|| self.painter.position(game, state, plies, wants));
            match event {
                PendingEvent::Choice { player, action } => {
                    let event = Event::Choice { seat: player.idx(), action: &action };
                    self.narration.event(&event, after);
                }
                PendingEvent::Chance(outcome) => {
                    let event = game.chance_event(&last, outcome);
                    let (kind, who, value) = (&event.chance, event.who.as_ref(), &event.value);
                    self.narration.event(&Event::Chance { kind, who, value }, after);
                }
            }
        }
    }
}

impl<G: Playable + Observable> GameObserver<G> for LiveNarration<'_, G> {
    fn at(&mut self, game: &G, run: &Run<G::State>) {
        let Run { state, plies, .. } = run;
        if self.last.is_none() {
            let position = self.painter.position(game, state, *plies, self.narration.wants());
            self.narration.begin(position);
        } else if self.pending.is_empty() && game.turn(state) != Turn::Over {
            let after = self.painter.position(game, state, *plies, self.narration.wants());
            self.narration.event(&Event::Forced, Some(after));
        }
        self.tell(game, state, *plies);
        self.last = Some(*state);
        self.speak();
    }

    fn chosen(&mut self, game: &G, state: &G::State, player: Player, action: G::Action, _: u32) {
        let legal = game.n_actions(state, player, &mut self.scratch);
        let action = game.action_text(action);
        self.narration.choosing(player.idx(), legal, &action);
        self.pending.push(PendingEvent::Choice { player, action });
    }

    fn drawn(&mut self, _game: &G, _state: &G::State, outcome: G::Action, _plies: u32) {
        self.pending.push(PendingEvent::Chance(outcome));
    }
}
