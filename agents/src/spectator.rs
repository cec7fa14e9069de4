//! What a spectator of a game counts of a position: [`Feature`]s by seat, and how far the game has come ([`Course`]).
//!
//! **For analysis, never for agents.** A spectator sees the whole state, what is hidden from the players too: hands, face-down
//! cards. That is right for a model that says after the game who was how likely to win when, and it would be cheating
//! in play: nothing here takes a [`View`](engine::View), and no agent is given any of it.
//!
//! A game says of itself what it knows ([`Observable::FEATURES`](crate::Observable::FEATURES)); one that says nothing is
//! seen by its score and by who is to move ([`GENERAL`]), and its course by counted plies. Opinions have no place among features: what a count is worth, a model learns from games.

use engine::{ByPlayer, Game, Turn};

/// Something that is counted of a position for each seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature {
    /// A word in snake case.
    pub name: &'static str,
    /// In what it is counted.
    pub unit: &'static str,
    /// What it is, in a line.
    pub meaning: &'static str,
}

/// Where a game stands for somebody who watches it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Course {
    /// Stages that are over, of a game that has stages: the longest stretches, as from one scoring to the next.
    pub stage: Option<u32>,
    /// Rounds of the whole game that are over, of a game that has rounds.
    pub round: Option<u32>,
    /// How much of the game is over, from 0 to 1, where its rules say how long it is.
    pub done: Option<f64>,
}

/// What is counted of a game that says nothing of itself.
pub const GENERAL: &[Feature] = &[
    Feature { name: "score", unit: "points", meaning: "the score, 0 in a game that keeps none" },
    Feature { name: "to_move", unit: "0 or 1", meaning: "whether the seat is to decide" },
];

/// Appends the counts of [`GENERAL`].
pub fn general<G: Game>(game: &G, state: &G::State, out: &mut Vec<ByPlayer<f64>>) {
    let scores = game.scores(state).unwrap_or_default();
    out.push(ByPlayer(scores.0.map(f64::from)));
    out.push(to_move(game, state));
}

/// One for each seat that decides, 0 for the others.
pub fn to_move<G: Game>(game: &G, state: &G::State) -> ByPlayer<f64> {
    let n = game.n_players();
    let turn = game.turn(state);
    ByPlayer::from_fn(|seat| {
        let decides = match turn {
            Turn::Player(player) => player == seat,
            Turn::Simultaneous(players) => players.contains(seat),
            Turn::Chance | Turn::Over => false,
        };
        f64::from(u8::from(seat.idx() < n && decides))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use engine::walk::Walk;
    use engine::{Configure, Rules};

    use crate::observable::Observable;

    /// Random games: as many counts as features, all finite, those of absent seats 0, a course that never goes back.
    fn is_seen<G: Configure + Observable>(name: &str) {
        let names: BTreeSet<&str> = G::FEATURES.iter().map(|feature| feature.name).collect();
        assert_eq!(names.len(), G::FEATURES.len(), "{name}: a name twice");
        assert!(G::FEATURES.iter().all(|f| !f.unit.is_empty() && !f.meaning.is_empty()), "{name}");
        for players in G::about().players {
            let game = G::configure(players, &Rules::of::<G>()).expect("the default rules");
            let mut walk = Walk::new(&game, 5, 0);
            let mut last = game.course(walk.state());
            let mut counts = Vec::new();
            for _ in 0..3_000 {
                counts.clear();
                game.features(walk.state(), &mut counts);
                assert_eq!(counts.len(), G::FEATURES.len(), "{name}");
                for count in &counts {
                    assert!(count.0.iter().all(|x| x.is_finite()), "{name}: {counts:?}");
                    assert!(count.0[players..].iter().all(|&x| x == 0.0), "{name}: {counts:?}");
                }
                let course = game.course(walk.state());
                assert!(course.stage >= last.stage && course.round >= last.round, "{name}");
                assert!(course.done.is_none_or(|done| (0.0..=1.0).contains(&done)), "{name}");
                last = course;
                if walk.next().is_none() {
                    break;
                }
            }
        }
    }

    macro_rules! all_games {
        ($($name:literal => $game:ty),* $(,)?) => {
            #[test]
            fn every_game_is_seen_by_its_features() {
                $(is_seen::<$game>($name);)*
            }
        };
    }
    engine::catalogue!(all_games);
}
