//! The data of a spectator: the [`Feature`]s of a position by seat, and the progress of the game ([`Course`]).
//!
//! **For analysis, never for agents.** A spectator sees the whole state, also hidden information such as hands and
//! face-down cards. A model of win probabilities after the game needs this. In play it would be cheating: no function
//! here takes a [`View`](engine::View), and no agent receives the data.
//!
//! A game declares its own features ([`Observable::FEATURES`](crate::Observable::FEATURES)). A game without them has
//! the score and the player to move as features ([`GENERAL`]), and counted plies as its progress. Features are facts
//! without opinion: a model learns from games how much each count matters.

use engine::{ByPlayer, Game, Turn};

/// A count of a position for each seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature {
    /// A word in snake case.
    pub name: &'static str,
    /// The unit of the count.
    pub unit: &'static str,
    /// The meaning, in a line.
    pub meaning: &'static str,
}

/// The progress of a game, as a spectator sees it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Course {
    /// Completed stages, in a game with stages: the longest units, for example from scoring to scoring.
    pub stage: Option<u32>,
    /// Completed rounds of the whole game, in a game with rounds.
    pub round: Option<u32>,
    /// The completed share of the game, from 0 to 1, if the rules fix its length.
    pub done: Option<f64>,
}

/// The features of a game without its own.
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

/// Returns 1 for each seat that decides and 0 for the others.
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

    /// Checks random games: one finite count per feature, 0 for absent seats, and progress that never decreases.
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
